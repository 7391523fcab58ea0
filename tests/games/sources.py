"""The texts of the games and their examples, read once for all tests of a process, when one of them asks.

Nothing is read while tests are collected, and no game is compiled for what its text alone can say."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import rulescript
from rulescript import nodes as n
from rulescript.claims import Found, GameSource
from rulescript.claims import steps as s
from tests.inside import inside

__all__ = ["Shown", "game", "index", "plans", "source"]


@cache
def game(name: str) -> rulescript.Game:
    """A game as it is begun with: for tests that look at what it consists of, and change nothing."""
    return rulescript.load(name)


@cache
def source(game: str) -> GameSource:
    return GameSource.load(game)


@cache
def index(game: str) -> Mapping[str, n.RulebookLine]:
    """The rows of the rulebook, by number."""
    books = [p.declaration for p in source(game).text.pieces if isinstance(p.declaration, n.Rulebook)]
    return {line.ident: line for book in books for line in book.lines}


@cache
def plans(game: str) -> tuple[tuple[Found, s.Plan], ...]:
    """The examples of a game, and what each says line by line."""
    return tuple((found, source(game).read(found)[0]) for found in source(game).found())


class Shown:
    """What some examples show: the rules they pin (in a heading, behind a line, or as what refuses something), and the
    reasons they are refused for."""

    def __init__(self, plans: list[s.Plan]) -> None:
        self.plans = plans
        tries = [each for plan in plans for each in inside(plan, s.Try)]
        self.refused_by = {rule for each in tries for rule in each.by}
        self.because = {each.because.casefold() for each in tries if each.because}
        cited = [cites for plan in plans for cites in (plan.cites, *(c.cites for c in inside(plan, s.Claim)))]
        self.rules = self.refused_by | {rule for cites in cited for rule in cites}

    def refuses(self, clause: n.Require) -> bool:
        """Whether an example runs into a requirement, by its words or by its rule."""
        told = any(words in str(clause.label).casefold() for words in self.because)
        return told or bool(set(clause.cites) & self.refused_by)
