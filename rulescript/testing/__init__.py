"""The conformance kit: plays any game at random and checks what every game must keep.

`run_conformance` does it all; `strategies` has Hypothesis strategies for tests of one's own; `plugin` lets
pytest collect the claims of a game. Nothing is imported before it is asked for: pytest loads this package in
every project where rulescript is installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulescript.testing.conformance import ALL_CHECKS, configurations, run_conformance
    from rulescript.testing.coverage import Coverage, coverage_of
    from rulescript.testing.report import Configuration, Failure, Report
    from rulescript.testing.strategies import options, plays, positions

__all__ = [
    "ALL_CHECKS", "Configuration", "Coverage", "Failure", "Report", "configurations", "coverage_of",
    "options", "plays", "positions", "run_conformance",
]  # fmt: skip

_HOMES = {
    "ALL_CHECKS": "conformance", "configurations": "conformance", "run_conformance": "conformance",
    "Coverage": "coverage", "coverage_of": "coverage",
    "Configuration": "report", "Failure": "report", "Report": "report",
    "options": "strategies", "plays": "strategies", "positions": "strategies",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
