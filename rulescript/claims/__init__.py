"""The claims room: examples and checks are read here and put to the test.

`parse` reads the lines of an example, `given` lays out its position, `play` plays its lines (with `chance`
for dice and draws), `expect` checks what must follow, `run` does all of that for a game or a file. See
README.md in this folder.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulescript.claims.examples import Found
    from rulescript.claims.parse import parse_example
    from rulescript.claims.run import (
        CheckResult,
        ExampleResult,
        GameSource,
        impossible_positions,
        run_checks,
        run_example,
        run_examples,
        run_file,
    )

__all__ = [
    "CheckResult",
    "ExampleResult",
    "Found",
    "GameSource",
    "impossible_positions",
    "parse_example",
    "run_checks",
    "run_example",
    "run_examples",
    "run_file",
]

# What runs claims is read when first asked for: `check` only reads them.
_HOME = {"Found": "examples", "parse_example": "parse"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_HOME.get(name, 'run')}"), name)
    return found
