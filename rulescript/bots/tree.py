"""The tree of a search: what was decided, one after the other, and how that ended.

It has no states, only decisions: a node is where the same answers have led, whatever was hidden and however the dice
fell. So an answer may be there at one time and not at another, and it is compared only with those that were there when
it was (`available`).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

from rulescript.game_data import is_aside

__all__ = ["Edge", "Habits", "Node", "Selecting"]

# What was worth how much lately, by who decided where: [times, sum of what it was worth to them].
Habits = dict[tuple[int, int], dict[Any, list[float]]]


class Edge:
    """An answer: how often it was given, what that was worth to the one who gave it, and where it led."""

    __slots__ = ("available", "count", "following", "is_mine", "raw", "total")

    def __init__(self, raw: Any, is_mine: bool) -> None:
        self.raw = raw
        self.is_mine = is_mine
        self.count = 0
        self.total = 0.0
        self.available = 1
        self.following: dict[tuple[int, int], Node] = {}

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0


class Node:
    """A decision."""

    __slots__ = ("count", "edges")

    def __init__(self) -> None:
        self.count = 0
        self.edges: dict[Any, Edge] = {}


class Selecting:
    """Which answer to look at next. A large choice is narrow at first: as many answers are looked at as the number of
    looks allows, so that some of them are looked at often; those that did well elsewhere come first."""

    def __init__(self, rng: random.Random, habits: Habits, explore: float, widen: float) -> None:
        self.rng = rng
        self.habits = habits
        self.explore = explore
        self.widen = widen
        # The spread of what playouts were worth: how much better something may turn out is measured by it.
        self.spread = 0.2

    def select(self, node: Node, options: Sequence[Any], is_mine: bool, key: tuple[int, int]) -> Edge:
        node.count = count = node.count + 1
        edges = node.edges
        known = []
        for raw in options:
            found = edges.get(raw)
            if found is not None:
                found.available += 1
                known.append(found)
        if len(known) < len(options) and len(known) < self.widen * math.sqrt(count) + 1:
            raw = self._new_of(edges, options, key)
            edge = edges[raw] = Edge(raw, is_mine)
            return edge
        scale = self.explore * self.spread
        best, most = known[0], -math.inf
        for edge in known:
            tried = edge.count
            if not tried:
                return edge
            value = edge.total / tried + scale * math.sqrt(math.log(edge.available) / tried)
            if value > most:
                best, most = edge, value
        return best

    def _new_of(self, edges: dict[Any, Edge], options: Sequence[Any], key: tuple[int, int]) -> Any:
        """One of those that were not looked at yet: of two that chance picks, the one that did better elsewhere. What
        can be done at any time comes last."""
        new = [raw for raw in options if raw not in edges]
        fresh = [raw for raw in new if not is_aside(raw)] or new
        pick = self.rng.random
        raw = fresh[int(pick() * len(fresh))]
        table = self.habits.get(key)
        if table:
            other = fresh[int(pick() * len(fresh))]
            one, two = table.get(raw), table.get(other)
            if one and two and one[0] and two[0] and two[1] / two[0] > one[1] / one[0]:
                return other
        return raw
