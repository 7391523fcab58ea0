"""rulescript: a board wargame's rulebook, written once as code.

>>> import rulescript
>>> game = rulescript.load("attrition_of_souls")          # doctest: +SKIP
>>> pos = game.start(seed=7)                              # doctest: +SKIP
>>> while pos.decision:                                   # doctest: +SKIP
...     pos.choose(pos.decision.options[0])
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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

__version__ = "0.2.0"

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
