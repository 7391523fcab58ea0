"""The checked game: kinds and their things, states and places, rules and claims.

Made by analysis/, read by compiler/, docgen and the explanations. A model describes one composed game: the
base, the chosen options and the chosen scenario.
"""

from __future__ import annotations

from typing import Any

from attrs import Factory, define, field

from rulescript import nodes as n
from rulescript.model import ir
from rulescript.model.types import Type
from rulescript.source import Span

__all__ = [
    "Adjustment", "Aside", "Attr", "Either", "Function", "Game", "Holds", "Hook", "Invariant", "Kind", "Procedure",
    "Reaction", "Route", "RouteRule", "Signal", "State", "Table", "Thing", "ThingRef", "Visible", "Whenever",
    "plain",
]  # fmt: skip


@define(frozen=True)
class ThingRef:
    """A thing as a fixed value."""

    kind: str
    index: int


@define(eq=False)
class Attr:
    """A fixed attribute; `values` has one entry per thing (per type, for pieces)."""

    name: str
    type: Type
    kind: Kind = field(repr=lambda kind: kind.name)
    default: n.Expr | None
    span: Span = field(repr=False)
    origin: str = ""
    values: list[Any] = Factory(list)
    wording: ir.Wording | None = None


@define(eq=False)
class State:
    """Something that changes. `kind` is None for the game's own; `lasts` names the scopes that reset it. Where it
    lasts `within` the places of a kind, it is put back when its thing or piece goes anywhere else."""

    name: str
    type: Type
    kind: Kind | None = field(repr=lambda kind: kind.name if kind else "None")
    default: n.Expr | None
    lasts: tuple[n.Name, ...]
    cites: tuple[str, ...]
    span: Span = field(repr=False)
    origin: str = ""
    initial: Any = None
    reconstructed: str = ""
    within: Kind | None = None
    # The lowest and the highest number it may be, if that was said.
    bounds: tuple[int, int] | None = None
    # How often the rule it lasts is running: one less at the end of each, instead of what it was at the start.
    is_depth: bool = False
    # The places not open to all from which it gets things, with a name for its owner (analysis/kept_secrets.py).
    kept_from: list[tuple[ir.Var | None, ir.ContentsX]] = field(factory=list, repr=False)
    # Whether it may change while not everybody knows its thing (analysis/private_names.py).
    is_unseen: bool = False

    def ends_in(self, holds: Holds) -> bool:
        """Whether it is put back when its thing or piece comes to a place."""
        return self.within is not None and holds.owner is not self.within

    wording: ir.Wording | None = None
    # How a story tells that it has changed, and that it has become no, nothing or none; of bookkeeping, nothing.
    told: tuple[str, str] | None = None


@define(eq=False)
class Visible:
    """``count to others``: a level, for whom (None: all others)."""

    level: str
    who: ir.X | None


@define(eq=False)
class Holds:
    """A place on every thing of a kind (or on the game itself): what it holds and who may see it.

    `declared` is the line that says who sees it, `seen_from` the text it stands in: that of an option, perhaps."""

    name: str
    kind: Kind = field(repr=lambda kind: kind.name)
    owner: Kind | None
    ordered: bool
    span: Span = field(repr=False)
    cites: tuple[str, ...] = ()
    origin: str = ""
    visibility: list[Visible] = Factory(list)
    owner_var: ir.Var | None = None
    declared: n.HoldsDecl | None = None
    seen_from: str = ""
    # Whether something may come there or leave it while not everybody knows its owner (analysis/private_names.py).
    is_unseen: bool = False


@define(eq=False)
class Thing:
    """A thing, or a type of pieces with its `count` and `home` place.

    `copy_of` is the common name of things that were declared as several copies of one."""

    kind: Kind = field(repr=lambda kind: kind.name)
    name: str
    label: str
    index: int
    span: Span = field(repr=False)
    cites: tuple[str, ...] = ()
    reconstructed: str = ""
    doc: str = ""
    at: str = ""
    origin: str = ""
    items: tuple[n.ThingItem, ...] = ()
    count: int = 0
    count_in: n.Expr | None = None
    words: frozenset[str] = frozenset()
    does: dict[str, Procedure] = Factory(dict)
    copy_of: str = ""
    back: str = ""
    # Whether it stands beside the map, in a box.
    is_box: bool = False
    # Whether nothing but a text stands under it.
    is_silent: bool = False


@define(eq=False)
class Kind:
    """A kind of things, of named values, or of interchangeable pieces."""

    name: str
    is_pieces: bool
    is_values: bool
    span: Span = field(repr=False)
    cites: tuple[str, ...] = ()
    doc: str = ""
    origin: str = ""
    attrs: dict[str, Attr] = Factory(dict)
    states: dict[str, State] = Factory(dict)
    holds: dict[str, Holds] = Factory(dict)
    does: dict[str, n.DoesLine] = Factory(dict)
    does_params: dict[str, tuple[ir.Var, ...]] = Factory(dict)
    # What its things do without a `does` line for it, or with one that does not name what it is given.
    unnamed_does: set[str] = Factory(set)
    things: list[Thing] = Factory(list)
    home: n.Expr | None = None
    text: n.Text | None = None
    in_force: n.Expr | None = None
    links: dict[str, list[set[int]]] = Factory(dict)
    link_info: dict[tuple[str, int, int], tuple[Span, tuple[str, ...], str]] = Factory(dict)
    hidden_when: n.Expr | None = None
    known_to: n.Expr | None = None
    hidden: tuple[ir.Var, ir.X, ir.X | None] | None = None
    # What everybody can tell of one that lies face down: the text, and what it is made of.
    shows: n.Text | None = None
    shown: tuple[ir.X, ...] = ()
    movable: bool = False
    homes: list[tuple[Holds, int] | None] = Factory(list)
    # Citations on the lines under the kind that are no state or place: `has`, `does`, `home` and so on.
    line_cites: list[tuple[tuple[str, ...], Span]] = Factory(list)

    @property
    def size(self) -> int:
        return len(self.things)


@define(eq=False)
class Adjustment:
    """One layer on a value."""

    operation: str
    value: ir.X
    condition: ir.X | None
    label: str
    cites: tuple[str, ...]
    span: Span = field(repr=False)
    origin: str = ""
    params: tuple[ir.Var, ...] = ()
    ordering: tuple[n.Ordering, ...] = ()
    thing: str = ""


@define(eq=False)
class Function:
    """A function, value or predicate. A predicate has `clauses`, the others a `block`."""

    name: str
    form: str
    params: tuple[ir.Var, ...]
    type: Type
    cites: tuple[str, ...]
    span: Span = field(repr=False)
    origin: str = ""
    block: ir.Block = ()
    clauses: list[ir.Clause] = Factory(list)
    adjustments: list[Adjustment] = Factory(list)
    doc: str = ""
    reconstructed: str = ""
    wording: ir.Wording | None = None


@define(eq=False)
class RouteRule:
    form: str
    vars: tuple[ir.Var, ...]
    clauses: list[ir.Clause]


@define(eq=False)
class Route:
    """`cost` is what one step costs, with the names of its two spaces; `steps` then counts points."""

    name: str
    params: tuple[ir.Var, ...]
    kind: Kind = field(repr=lambda kind: kind.name)
    start: ir.X
    sorts: tuple[str, ...]
    steps: ir.X | None
    rules: list[RouteRule]
    cites: tuple[str, ...]
    span: Span = field(repr=False)
    origin: str = ""
    doc: str = ""
    wording: ir.Wording | None = None
    cost: tuple[tuple[ir.Var, ir.Var], ir.X] | None = None

    def expressions(self) -> list[ir.X]:
        """What it works out besides its requirements: where it begins, how far it goes, what a step costs."""
        return [self.start, *([self.steps] if self.steps is not None else []), *([self.cost[1]] if self.cost else [])]


@define(eq=False)
class TableRow:
    key: tuple[Any, ...]
    otherwise: bool
    values: tuple[Any, ...]
    guard: ir.X | None
    cites: tuple[str, ...]
    span: Span = field(repr=False)
    reconstructed: str = ""


@define(eq=False)
class Table:
    name: str
    params: tuple[ir.Var, ...]
    type: Type
    columns: tuple[tuple[Any, ...], ...] | None
    rows: list[TableRow]
    cites: tuple[str, ...]
    span: Span = field(repr=False)
    origin: str = ""
    doc: str = ""
    reconstructed: str = ""
    wording: ir.Wording | None = None


@define(eq=False)
class Hook:
    when: str
    condition: ir.X | None
    block: ir.Block
    cites: tuple[str, ...]
    span: Span = field(repr=False)
    label: str = ""
    origin: str = ""
    ordering: tuple[n.Ordering, ...] = ()
    params: tuple[ir.Var, ...] = ()
    thing: str = ""


@define(eq=False)
class Procedure:
    """A procedure, phase, the sequence, what a thing does, or the answers to a signal."""

    name: str
    form: str
    params: tuple[ir.Var, ...]
    type: Type
    cites: tuple[str, ...]
    span: Span = field(repr=False)
    title: str = ""
    closed: bool = False
    origin: str = ""
    block: ir.Block = ()
    before: list[Hook] = Factory(list)
    after: list[Hook] = Factory(list)
    doc: str = ""
    stops: bool = False
    reconstructed: str = ""
    wording: ir.Wording | None = None
    # Whether nothing may be done at any time in it: it is closed, or runs only inside closed ones.
    no_asides: bool = False
    # The places not open to all from which it gives something back (analysis/kept_secrets.py).
    gives_from: list[tuple[ir.Var | None, ir.ContentsX]] = Factory(list)

    @property
    def hooks(self) -> list[Hook]:
        """What amendments put before and after it."""
        return [*self.before, *self.after]

    @property
    def blocks(self) -> list[ir.Block]:
        """What it runs: its own block, then those of its hooks."""
        return [self.block, *(hook.block for hook in self.hooks)]


@define(eq=False)
class Reaction:
    condition: ir.X | None
    once: str
    once_state: State | None
    block: ir.Block
    params: tuple[ir.Var, ...]
    cites: tuple[str, ...]
    span: Span = field(repr=False)
    label: str = ""
    origin: str = ""
    repeatedly: bool = False
    ordering: tuple[n.Ordering, ...] = ()
    thing: str = ""

    @property
    def is_optional(self) -> bool:
        """Whether it is nothing but an offer that its player may decline."""
        first = next((s for s in self.block if not isinstance(s, ir.DocS)), None)
        return isinstance(first, ir.ChooseS) and any(alt.effect == "pass" for alt in first.alts)


@define(eq=False)
class Signal:
    name: str
    params: tuple[ir.Var, ...]
    cites: tuple[str, ...]
    span: Span = field(repr=False)
    reactions: list[Reaction] = Factory(list)
    procedure: Procedure | None = None
    wording: ir.Wording | None = None


@define(eq=False)
class Whenever:
    var: ir.Var | None
    source: ir.X | None
    condition: ir.X
    procedure: Procedure
    cites: tuple[str, ...]
    span: Span = field(repr=False)
    label: str = ""
    origin: str = ""
    ordering: tuple[n.Ordering, ...] = ()
    thing: str = ""


@define(eq=False)
class Aside:
    """`by` is who may take it; with `chooser` a set, of whom the one who decides is kept under that name."""

    name: str
    alt: ir.Alt
    by: ir.X
    during: str
    cites: tuple[str, ...]
    span: Span = field(repr=False)
    procedure: Procedure | None = None
    chooser: ir.Var | None = None

    @property
    def taker(self) -> ir.X:
        """Who takes it, when it is taken."""
        return ir.Local(self.chooser.type, self.by.span, self.chooser) if self.chooser is not None else self.by


@define(eq=False)
class Track:
    """A state that is drawn as a row: of what it can be, or of the numbers from `low` to `high`."""

    state: State
    title: str
    low: int
    high: int
    map: str
    cites: tuple[str, ...]
    span: Span = field(repr=False)

    def labels(self, game: Game) -> list[str]:
        """What is written in its fields."""
        kind = getattr(self.state.type, "kind", "")
        return [thing.label for thing in game.kinds[kind].things] if kind else self.values(game)

    def values(self, game: Game) -> list[str]:
        """What the fields stand for, as rules and saves call it."""
        kind = getattr(self.state.type, "kind", "")
        if kind:
            return [thing.name for thing in game.kinds[kind].things]
        return [str(number) for number in range(self.low, self.high + 1)]


@define(eq=False)
class Either:
    """``either Mover: Army, Unit``"""

    name: str
    members: tuple[str, ...]
    cites: tuple[str, ...]
    span: Span = field(repr=False)
    origin: str = ""


@define(eq=False)
class Invariant:
    title: str
    when: str
    scope: str
    conditions: tuple[ir.X, ...]
    cites: tuple[str, ...]
    span: Span = field(repr=False)


@define(eq=False)
class Game:
    """One composed game."""

    ident: str
    title: str
    version: str
    facts: tuple[tuple[str, str], ...] = ()
    doc: str = ""
    options: tuple[str, ...] = ()
    scenario: str = ""
    all_options: dict[str, n.OptionDecl] = Factory(dict)
    all_scenarios: dict[str, n.OptionDecl] = Factory(dict)
    # Further parts of options (`with tanks`, `with tanks, fog`), and for each text that belongs to several
    # options, or to one of a game it builds on, which options these are.
    all_parts: list[n.WithDecl] = Factory(list)
    parts_of: dict[str, tuple[str, ...]] = Factory(dict)
    rulebook: dict[str, n.RulebookLine] = Factory(dict)
    rulebook_title: str = ""
    kinds: dict[str, Kind] = Factory(dict)
    states: dict[str, State] = Factory(dict)
    holds: dict[str, Holds] = Factory(dict)
    functions: dict[str, Function] = Factory(dict)
    routes: dict[str, Route] = Factory(dict)
    tables: dict[str, Table] = Factory(dict)
    procedures: dict[str, Procedure] = Factory(dict)
    signals: dict[str, Signal] = Factory(dict)
    # Names for one of several kinds, and the rules that are written out for each of them, by name.
    eithers: dict[str, Either] = Factory(dict)
    versions: dict[str, tuple[str, ...]] = Factory(dict)
    whenevers: list[Whenever] = Factory(list)
    asides: list[Aside] = Factory(list)
    invariants: list[Invariant] = Factory(list)
    checks: list[tuple[n.Check, tuple[ir.X, ...]]] = Factory(list)
    examples: list[tuple[n.Example, str]] = Factory(list)
    players: Kind | None = None
    # Who is ahead, and what that is counted in.
    standing: Function | None = None
    standing_counts: str = ""
    seats: dict[int, tuple[tuple[int, ...], ...]] = Factory(dict)
    maps: list[n.MapDecl] = Factory(list)
    tracks: list[Track] = Factory(list)
    piece_types: dict[str, tuple[Kind, int]] = Factory(dict)
    things: dict[str, list[Thing]] = Factory(dict)
    copies: dict[str, list[Thing]] = Factory(dict)
    chooses: list[tuple[Procedure, ir.ChooseS]] = Factory(list)
    reconstructed: list[tuple[str, str, Span]] = Factory(list)
    loop_hooks: dict[str, list[Hook]] = Factory(dict)
    # For each text the rules come from (`origin`): which of the games that build on each other it stands in,
    # 0 for the first, and whether it is an option or scenario.
    levels: dict[str, tuple[int, bool]] = Factory(lambda: {"": (0, False)})
    # For each file, in which of these games it lies.
    file_levels: dict[str, int] = Factory(dict)

    def every_procedure(self) -> list[Procedure]:
        """All procedures, also those of single things."""
        of_things = [p for kind in self.kinds.values() for thing in kind.things for p in thing.does.values()]
        return [*self.procedures.values(), *of_things]

    def every_state(self) -> list[State]:
        """All states, the game's own first."""
        return [*self.states.values(), *(state for kind in self.kinds.values() for state in kind.states.values())]

    def every_place(self) -> list[Holds]:
        """All places, the game's own first."""
        return [*self.holds.values(), *(holds for kind in self.kinds.values() for holds in kind.holds.values())]

    def has_secrets(self) -> bool:
        """Whether anything may lie where somebody cannot see it, or face down."""
        return any(holds.visibility for holds in self.every_place()) or any(
            kind.hidden is not None for kind in self.kinds.values()
        )

    def is_of_base(self, span: Span) -> bool:
        """Whether a text stands in a game that this one builds on, so that its author cannot change it there."""
        return self.file_levels.get(span.source.name, 0) < max(self.file_levels.values(), default=0)


def plain(value: Any) -> Any:
    """A fixed value as it is held in play."""
    if isinstance(value, ThingRef):
        return value.index
    if isinstance(value, frozenset):
        mask = 0
        for item in value:
            mask |= 1 << plain(item)
        return mask
    if isinstance(value, tuple):
        return tuple(plain(v) for v in value)
    return value
