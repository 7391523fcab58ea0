"""rulescript: a board wargame's rulebook, written once as code.

>>> import rulescript
>>> game = rulescript.load("attrition_of_souls")          # doctest: +SKIP
>>> pos = game.start(seed=7)                              # doctest: +SKIP
>>> while pos.decision:                                   # doctest: +SKIP
...     pos.choose(pos.decision.options[0])
"""

import sys


def _look_nowhere_else() -> None:
    """`python -m rulescript` looks for every module in the folder one stands in first, and that may be a stranger's
    game with a `json.py`: nothing is looked for there any more. (It stays if this package itself was found there.)"""
    asked = zip(sys.orig_argv, sys.orig_argv[1:], strict=False)
    begun = next((name for word, name in asked if word[:1] == "-" and word[-1:] == "m"), "")
    # While Python still looks for what it is to run, it is called so.
    if sys.argv[:1] != ["-m"] or begun.partition(".")[0] != __name__ or sys.flags.safe_path:
        return
    if sys.path and not __file__.startswith((f"{sys.path[0]}/", f"{sys.path[0]}\\")):
        del sys.path[0]


_look_nowhere_else()

from importlib import import_module  # noqa: E402  # not before that: these, too, would be looked for there
from typing import TYPE_CHECKING, Any  # noqa: E402

if TYPE_CHECKING:
    from rulescript.errors import (
        BadCall,
        BadChoice,
        BadExpression,
        BadOption,
        BadRun,
        BadSave,
        GameInvalid,
        GameNotFound,
        NoSuchName,
        PlayError,
        RulescriptError,
        StepLimit,
    )
    from rulescript.pipeline import load
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Decision, Option, Outcome, Position

__all__ = [
    "BadCall", "BadChoice", "BadExpression", "BadOption", "BadRun", "BadSave", "Decision", "Game", "GameInvalid",
    "GameNotFound", "NoSuchName", "Option", "Outcome", "PlayError", "Position", "RulescriptError", "StepLimit", "load",
]  # fmt: skip

__version__ = "0.3.0"

# Read when first asked for: so the command line can be stopped from its first moment on, and who needs only the errors
# need not wait for the rest.
_HOME = {
    "Decision": "rulescript.runtime.position",
    "Game": "rulescript.runtime.game",
    "Option": "rulescript.runtime.position",
    "Outcome": "rulescript.runtime.position",
    "Position": "rulescript.runtime.position",
    "load": "rulescript.pipeline",
}
_ROOMS = ("errors", "loader", "locks", "pipeline", "resources", "runtime")


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"rulescript.{name}")
    if name not in __all__:
        raise AttributeError(f"module 'rulescript' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOME.get(name, "rulescript.errors")), name)
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
