"""The checked rules: names bound, types known, citations kept. What the compiler, the explanations and the
docs read; nothing here is about how it was written, except the span each part points back to.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from attrs import define, field, fields

from rulescript.model.types import BOOL, Type
from rulescript.source import Span

if TYPE_CHECKING:
    from rulescript.model.game import (
        Attr,
        Function,
        Holds,
        Kind,
        Procedure,
        Route,
        Signal,
        State,
        Table,
    )


@define(eq=False)
class Var:
    """A name that a rule binds: a parameter, a `let`, a chosen thing, the element of a filter.

    `role` is param, let, pick, loop or element; `state` is set when the name is a declared state that a
    loop or roll writes to; `declared` is what the name was before a move told where its thing stands, `moves`
    how many moves through the name were read so far; `changeable` is a parameter that a `before` may set anew;
    `has_default` is one that a call may leave out, and `default` what it is then."""

    name: str
    type: Type
    role: str
    ident: int = 0
    state: State | None = None
    declared: Type | None = None
    changeable: bool = False
    moves: int = 0
    has_default: bool = False
    default: X | None = None
    # The kinds that the name was written for, where a rule or a way to choose is written out for each of several.
    either: tuple[str, ...] = ()
    # Of a parameter: the places not open to all in which what it stands for may lie (analysis/kept_secrets.py).
    kept_from: list[tuple[Var | None, ContentsX]] = field(factory=list, repr=False)
    # Its rule moves something through it to where all see it, or shows it (analysis/handing_on.py).
    opens: bool = False
    # Not everybody can work out what it stands for when it is bound (analysis/private_names.py).
    is_private: bool = False
    # The places of what may lie face down, while something does, from which it was worked out.
    veiled_in: list[ContentsX] = field(factory=list, repr=False)
    # Of a parameter (analysis/veiled_parameters.py): from where it gets what may lie face down; the names of such
    # things, where they lie, and what of them is handed over; whether its rule, or one it calls, turns, moves or shows
    # what it stands for.
    lies_in: list[X] = field(factory=list, repr=False)
    told_of: list[tuple[int, X, X]] = field(factory=list, repr=False)
    is_turned: bool = False
    # It may stand for a thing wherever that lies: one called by its name, or any of its kind.
    is_anywhere: bool = False


@define(eq=False)
class X:
    """An expression."""

    type: Type
    span: Span = field(repr=False)


_EXPRESSION = re.compile(r"\b\w*X\b")
INNER: dict[type, tuple[tuple[str, bool], ...]] = {}
_NAMES: dict[type, tuple[str, ...]] = {}


def inner_fields(cls: type) -> tuple[tuple[str, bool], ...]:
    """The fields of a sort of expression that hold other expressions, and whether they hold several. They are asked
    for so often that they are worked out once for each sort."""
    found = INNER.get(cls)
    if found is None:
        holding = [(f.name, str(f.type)) for f in fields(cls) if _EXPRESSION.search(str(f.type))]
        found = INNER[cls] = tuple((name, held.startswith("tuple")) for name, held in holding)
    return found


def altered(x: X, changes: dict[str, Any]) -> X:
    """A copy of an expression with other values in some fields; attrs.evolve takes three times as long."""
    cls = type(x)
    names = _NAMES.get(cls)
    if names is None:
        names = _NAMES[cls] = tuple(f.name for f in fields(cls))
    return cls(*[changes[name] if name in changes else getattr(x, name) for name in names])


@define(eq=False)
class Lit(X):
    value: int | bool | str | None


@define(eq=False)
class ThingLit(X):
    kind: Kind
    index: int


@define(eq=False)
class AllThings(X):
    kind: Kind


@define(eq=False)
class Local(X):
    """A name. `is_private`: here not everybody can work out what it stands for; `is_veiled`: not while something lies
    face down (analysis/private_names.py)."""

    var: Var
    is_private: bool = False
    is_veiled: bool = False


@define(eq=False)
class StateX(X):
    """A global state, or a thing's when `of` is given."""

    state: State
    of: X | None


@define(eq=False)
class AttrX(X):
    """A fixed attribute of a thing or piece."""

    attr: Attr
    of: X


@define(eq=False)
class PieceStateX(X):
    state: State
    of: X


@define(eq=False)
class PlaceOfX(X):
    """The thing in which a thing or piece stands."""

    of: X


@define(eq=False)
class ContentsX(X):
    """What a place holds; `of` is one thing, a set of things, or None for a place of the game itself."""

    holds: Holds
    of: X | None


@define(eq=False)
class LinksX(X):
    """Spaces linked to one space or to any of a set."""

    of: X
    kind: Kind
    sorts: tuple[str, ...]


@define(eq=False)
class FilterX(X):
    source: X
    var: Var
    condition: X


@define(eq=False)
class SomeX(X):
    source: X
    negated: bool


@define(eq=False)
class QuantX(X):
    """some, none or every, over one or more pickings."""

    quantifier: str
    picks: tuple[tuple[Var, X], ...]
    condition: X


@define(eq=False)
class AggregateX(X):
    """sum, count, max, min, set or list of a value over pickings."""

    function: str
    picks: tuple[tuple[Var, X], ...]
    value: X
    condition: X | None


@define(eq=False)
class MostX(X):
    direction: str
    source: X
    var: Var
    by: X


@define(eq=False)
class AndX(X):
    parts: tuple[X, ...]


@define(eq=False)
class OrX(X):
    parts: tuple[X, ...]


@define(eq=False)
class NotX(X):
    of: X


@define(eq=False)
class ArithX(X):
    """+ - * mod, rounded division (/up, /down), min and max (at most, at least), neg."""

    operator: str
    args: tuple[X, ...]


@define(eq=False)
class SetOpX(X):
    """+ (union), - (difference), & (common) of sets."""

    operator: str
    left: X
    right: X


@define(eq=False)
class CompareX(X):
    """== != < <= > >= of two values of one type; == and != with nothing too."""

    operator: str
    left: X
    right: X


@define(eq=False)
class InX(X):
    element: X
    source: X
    negated: bool


@define(eq=False)
class IfX(X):
    condition: X
    then: X
    otherwise: X


@define(eq=False)
class CallX(X):
    function: Function
    args: tuple[X, ...]


@define(eq=False)
class RouteX(X):
    """All spaces a route reaches, or the number of steps to `target`."""

    route: Route
    args: tuple[X, ...]
    target: X | None = None


@define(eq=False)
class TableX(X):
    table: Table
    args: tuple[X, ...]
    shift: X | None


@define(eq=False)
class BuiltinX(X):
    """size, count, sum, max, min, only, first, top, next, previous, after ... of plain values."""

    name: str
    args: tuple[X, ...]


@define(eq=False)
class SetX(X):
    items: tuple[X, ...]


@define(eq=False)
class ListX(X):
    items: tuple[X, ...]


@define(eq=False)
class RangeX(X):
    low: int
    high: int


@define(eq=False)
class TemplateX(X):
    """A text with values in it."""

    parts: tuple[str | X, ...]


def substitute(x: X, values: dict[int, X]) -> X:
    """The expression with some names replaced by values."""
    if isinstance(x, Local):
        return values.get(x.var.ident, x)
    changes: dict[str, Any] = {}
    for name, is_many in inner_fields(x.__class__):
        value = getattr(x, name)
        if is_many:
            new: Any = _substitute_items(value, values)
        elif value is not None:
            new = substitute(value, values)
        else:
            continue
        if new is not value:
            changes[name] = new
    return altered(x, changes) if changes else x


def _substitute_items(items: tuple[Any, ...], values: dict[int, X]) -> tuple[Any, ...]:
    """The same for several expressions, which may come with names; the very same if nothing changes."""
    made = tuple(
        substitute(item, values) if isinstance(item, X)
        else _substitute_items(item, values) if item.__class__ is tuple
        else item
        for item in items
    )  # fmt: skip
    return made if any(new is not old for new, old in zip(made, items, strict=True)) else items


@define(eq=False)
class Wording:
    """What people read for a rule, in its author's own words; `denied` is the opposite, where there is one."""

    params: tuple[Var, ...]
    text: TemplateX
    denied: TemplateX | None = None


# ------------------------------------------------------------------ statements


@define(eq=False)
class S:
    """A statement."""

    span: Span = field(repr=False)
    cites: tuple[str, ...]
    wording: Wording | None = field(default=None, kw_only=True, repr=False)
    planned: Planned | None = field(default=None, kw_only=True, repr=False)


Block = tuple[S, ...]


@define(eq=False)
class Clause:
    """One `require`: its condition, and where it comes from. `lifted` are the exceptions to it. `is_guard`: it says
    when an amendment offers this way at all."""

    condition: X
    label: str
    cites: tuple[str, ...]
    peeks: bool
    span: Span = field(repr=False)
    origin: str = ""
    when: X | None = None
    lifted: list[tuple[X | None, tuple[str, ...]]] = field(factory=list)
    wording: Wording | None = None
    is_guard: bool = False

    @property
    def in_effect(self) -> X:
        """The condition with what limits it and what lifts it."""
        limits = [NotX(BOOL, self.span, self.when)] if self.when is not None else []
        lifts = [when if when is not None else Lit(BOOL, self.span, True) for when, _ in self.lifted]
        parts = (*limits, *lifts, self.condition)
        return OrX(BOOL, self.span, parts) if len(parts) > 1 else self.condition

    def expressions(self) -> list[X]:
        """What it asks: the condition, what lifts it, when it holds at all."""
        whens = [*(lifted for lifted, _ in self.lifted), self.when]
        return [self.condition, *(x for x in whens if x is not None)]


@define(eq=False)
class Alt:
    """One way to answer a choice."""

    label: str
    picks: tuple[tuple[Var, X], ...]
    many: tuple[str, X | None, Var, X] | None
    text: TemplateX | None
    cites: tuple[str, ...]
    clauses: list[Clause]
    block: Block
    span: Span = field(repr=False)
    effect: str = ""
    origin: str = ""
    given_text: bool = False
    # Where it is one of several that were written as one: which of them, from 0.
    version: int = 0

    @property
    def bound(self) -> list[tuple[Var, X]]:
        """The names it binds, each with what it is picked from."""
        return [*self.picks, *([(self.many[2], self.many[3])] if self.many is not None else [])]

    def expressions(self) -> list[X]:
        """What it looks at itself: what is picked from, its requirements, its text."""
        amount = self.many[1] if self.many is not None else None
        asked = [source for _, source in self.bound] + [x for clause in self.clauses for x in clause.expressions()]
        return asked + [x for x in (amount, self.text) if x is not None]


@define(eq=False)
class ChooseS(S):
    """A player decides. `name` is unique in its procedure; keys are built from it."""

    name: str
    by: X
    any_of: bool
    alts: list[Alt]
    number: int = 0
    sealed: bool = False
    chooser_var: Var | None = None
    if_possible: bool = False
    # Where it is asked once for each of several (analysis/plans.py): what they are.
    each_of: X | None = None


@define(eq=False)
class Planned:
    """On the first of some statements that a choice for each of several was written out as (analysis/plans.py): how
    many they are, what is asked for each, and what must be so of the whole."""

    statements: int
    asked: ChooseS
    one: Var
    source: X
    plan: Var
    whole: list[Clause]
    block: Block


@define(eq=False)
class EachS(S):
    var: Var
    source: X
    sealed: bool
    block: Block


@define(eq=False)
class TogetherS(S):
    """Each branch is the choice of one player, or of each of several (a sealed `each`)."""

    branches: tuple[ChooseS | EachS, ...]


@define(eq=False)
class IfS(S):
    condition: X
    then: Block
    otherwise: Block


@define(eq=False)
class ForS(S):
    var: Var
    source: X
    block: Block


@define(eq=False)
class RepeatS(S):
    mode: str
    condition: X | None
    block: Block


@define(eq=False)
class LetS(S):
    var: Var
    value: X


@define(eq=False)
class CallS(S):
    """A procedure called; `result` takes what it gives back."""

    procedure: Procedure
    args: tuple[X, ...]
    result: X | Var | None = None


@define(eq=False)
class DoesS(S):
    """A thing does what its own text says: `card.play(by)`."""

    thing: X
    kind: Kind
    name: str
    args: tuple[X, ...]
    result: X | Var | None = None


@define(eq=False)
class AssignS(S):
    target: X
    operator: str
    value: X


@define(eq=False)
class MoveS(S):
    """`what` is a piece, a thing, a pile, a set or a list; `amount` limits a pile or list."""

    what: X
    amount: X | None
    up_to: bool
    to: ContentsX
    end: str


@define(eq=False)
class PlaceS(S):
    """Pieces of named types from their homes: (type index, count) pairs."""

    kind: Kind
    types: tuple[tuple[int, int], ...]
    to: ContentsX


@define(eq=False)
class DrawS(S):
    amount: X
    source: ContentsX
    filter: FilterX | None
    to: ContentsX
    end: str
    var: Var | None


@define(eq=False)
class LotS(S):
    """So many of a set by lot; nothing moves."""

    amount: X
    source: X
    var: Var


@define(eq=False)
class RollS(S):
    amount: X | None
    sides: int
    var: Var


@define(eq=False)
class ShuffleS(S):
    place: ContentsX


@define(eq=False)
class RevealS(S):
    what: X
    to: X | None


@define(eq=False)
class SignalS(S):
    signal: Signal
    args: tuple[X, ...]


@define(eq=False)
class ReturnS(S):
    value: X | None


@define(eq=False)
class StopS(S):
    pass


@define(eq=False)
class EndS(S):
    winner: X | None
    drawn: bool
    how: TemplateX | None


@define(eq=False)
class TellS(S):
    """Words for the journal. Role: "" a line of its own, "headline" what happens until the rule ends is told under it,
    "roll" whose the dice are that are rolled next."""

    text: TemplateX
    role: str = ""


@define(eq=False)
class KeepUpS(S):
    """What follows may do something to the pieces of some names without these; others it is `handed`, and gives back.
    `given`: which parameters, by number, the names that are handed are there, if that matters. `ends`: it is over, and
    the names are told what their pieces have become. Nobody writes it: the compiler puts it around statements
    (compiler/lower/keeping_up.py)."""

    names: tuple[Var, ...]
    handed: tuple[Var, ...]
    given: tuple[tuple[int, tuple[int, ...]], ...] | None
    ends: bool


@define(eq=False)
class DocS(S):
    text: str
