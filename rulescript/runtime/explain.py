"""Why something is not allowed, and how a value comes about."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulescript.runtime.position import Position


class Refusal:
    pass


class Explanation:
    pass


def why_not(position: Position, what: str, player: str | None) -> Refusal:
    raise NotImplementedError


def explain(position: Position, what: str) -> Explanation:
    raise NotImplementedError
