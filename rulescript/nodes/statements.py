"""Statements: what a rule does, one after the other."""

from __future__ import annotations

from attrs import frozen

from rulescript.nodes.base import Name, Node, Text
from rulescript.nodes.expressions import Expr, Picking


@frozen
class Statement(Node):
    """One step of a rule."""


Block = tuple[Statement, ...]


@frozen
class Doc(Statement):
    """``"Tiles that start in a capital may move once."``: words for the reader."""

    text: str


@frozen
class Require(Statement):
    """``require r in march(t)  "within reach"  §4.6.2``

    An option that fails the condition is refused; `why_not` reads the citation back."""

    condition: Expr
    label: str
    peeks: bool
    cites: tuple[str, ...]


@frozen
class PickMany(Node):
    """``3 from r.tiles[side == s] as lost``: mode is exactly, up_to or any."""

    mode: str
    amount: Expr | None
    source: Expr
    name: Name


@frozen
class PickEach(Node):
    """``each u in r.units to t in r.road as places``: every one of several gets one of something."""

    name: Name
    source: Expr
    target: Name
    targets: Expr
    plan: Name


@frozen
class Alternative(Node):
    """One way to answer a choice: its variables, its requirements and effects (the block)."""

    label: Name | None
    picks: tuple[Picking, ...]
    many: PickMany | None
    text: Text | None
    cites: tuple[str, ...]
    block: Block
    each: PickEach | None = None


@frozen
class Shared(Node):
    """``all of march, ride`` with requirements of several alternatives; without names, of all that pick something."""

    labels: tuple[Name, ...]
    block: Block
    cites: tuple[str, ...]


@frozen
class Choose(Statement):
    """``choose move: t in Region.tiles, r in Region`` with its ``or`` alternatives.

    `if_possible`: it is meant that nothing happens where there is nothing to choose."""

    may: bool
    by: Expr | None
    any_of: bool
    alternatives: tuple[Alternative, ...]
    cites: tuple[str, ...]
    if_possible: bool = False
    shared: tuple[Shared, ...] = ()


@frozen
class Each(Statement):
    """``each p in Power sealed``"""

    name: Name
    source: Expr
    sealed: bool
    block: Block
    cites: tuple[str, ...] = ()


@frozen
class TogetherBranch(Node):
    """``North: choose 2 from ...``; with a name, ``each s in Side - North: choose ...`` of all of a set."""

    who: Expr
    choose: Choose
    name: Name | None = None


@frozen
class Together(Statement):
    """``together``: sealed answers first, effects afterwards in seat order."""

    branches: tuple[TogetherBranch, ...]
    cites: tuple[str, ...]


@frozen
class If(Statement):
    """``if c`` / ``else if c`` / ``else``"""

    condition: Expr
    then: Block
    otherwise: Block
    cites: tuple[str, ...] = ()


@frozen
class For(Statement):
    """``for r in Region[capital]``"""

    name: Name
    source: Expr
    block: Block
    cites: tuple[str, ...]


@frozen
class Repeat(Statement):
    """``repeat while x > 0``: mode is "", while, until or times."""

    mode: str
    condition: Expr | None
    block: Block
    cites: tuple[str, ...]


@frozen
class Let(Statement):
    """``let n = count(r.tiles)``"""

    name: Name
    value: Expr
    cites: tuple[str, ...] = ()


@frozen
class Destination(Node):
    """``top of active.discard``"""

    end: str
    place: Expr


@frozen
class Move(Statement):
    """``move t to r``, ``move 2 from a.trenches to b``, or ``move lost home``, which has no `to`"""

    what: Expr
    amount: Expr | None
    up_to: bool
    to: Destination | None
    cites: tuple[str, ...]


@frozen
class Phrase(Node):
    """``2 Ruritanian infantry``"""

    count: int
    words: tuple[Name, ...]


@frozen
class Place(Statement):
    """``place 2 Ruritanian infantry in Mill``: takes them from their home."""

    phrases: tuple[Phrase, ...]
    where: Expr
    cites: tuple[str, ...]
    reconstructed: str


@frozen
class Draw(Statement):
    """``draw 7 from pouch to reserves as drawn``, or without `to`: by lot, and nothing moves"""

    amount: Expr
    source: Expr
    to: Destination | None
    name: Name | None
    cites: tuple[str, ...]


@frozen
class Roll(Statement):
    """``roll 3 d6 as rolled "{active} attacks"``; without an amount it is one die and one number. The text says whose
    dice they are."""

    amount: Expr | None
    sides: int
    name: Name | None
    cites: tuple[str, ...]
    text: Text | None = None


@frozen
class Shuffle(Statement):
    """``shuffle p.deck``"""

    place: Expr
    cites: tuple[str, ...]


@frozen
class Reveal(Statement):
    """``reveal c to North``"""

    what: Expr
    to: Expr | None
    cites: tuple[str, ...]


@frozen
class SignalStatement(Statement):
    """``signal built(a)``"""

    name: Name
    args: tuple[Expr, ...]
    cites: tuple[str, ...]


@frozen
class Return(Statement):
    """``return won``"""

    value: Expr | None
    cites: tuple[str, ...]


@frozen
class Stop(Statement):
    """``stop``: leaves the nearest repeat or for."""

    cites: tuple[str, ...] = ()


@frozen
class EndGame(Statement):
    """``end game, North wins "by points"``; no winner means the game ends undecided or drawn."""

    winner: Expr | None
    drawn: bool
    how: Text | None
    cites: tuple[str, ...]


@frozen
class Tell(Statement):
    """``tell "The front is quiet in {r}"``: a line in the journal."""

    text: Text
    cites: tuple[str, ...]


@frozen
class Headline(Statement):
    """``headline "{a} attacks {r}"``: what happens from here to the end of the procedure is told under it."""

    text: Text
    cites: tuple[str, ...]


@frozen
class Assign(Statement):
    """``vp += 2``: operator is =, += or -=."""

    target: Expr
    operator: str
    value: Expr
    cites: tuple[str, ...]


@frozen
class ExprStatement(Statement):
    """``battle(r)`` or ``movement``: a call; as the last line of a pure rule, its result."""

    value: Expr
    cites: tuple[str, ...]
