"""What generated code finds under its names: all that the machine offers."""

from __future__ import annotations

from typing import Any

from rulescript.machine import (
    answers,
    chance,
    demands,
    effort,
    moving,
    picks,
    routes,
    sparse,
    tables,
    unsettled,
    values,
)

__all__ = ["machine_names"]

_ROOMS = (effort, values, tables, answers, routes, chance, moving, picks, demands, sparse, unsettled)


def machine_names() -> dict[str, Any]:
    """The globals of a generated module, before its own are added."""
    return {name: getattr(room, name) for room in _ROOMS for name in room.__all__}
