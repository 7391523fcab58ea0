"""Declarations: what stands at the left margin of a file."""

from __future__ import annotations

from attrs import frozen

from rulescript.nodes.base import Name, Node, Text
from rulescript.nodes.expressions import Expr, Picking, TypeNode
from rulescript.nodes.statements import Alternative, Block


@frozen
class Declaration(Node):
    """A piece of a game."""


@frozen
class LanguageLine(Declaration):
    """``rulescript 1``"""

    version: int


@frozen
class GameDecl(Declaration):
    """``game "Two Rivers", version "1.0"``"""

    title: str
    version: str
    builds_on: Name | None
    facts: tuple[tuple[str, str], ...]
    doc: str


@frozen
class Include(Declaration):
    """``include "map.rules"``"""

    path: Text


@frozen
class RulebookLine(Node):
    """``4.6.3  constraint  "Leaving a contested town"``"""

    ident: str
    sort: str
    title: str


@frozen
class Rulebook(Declaration):
    """The index of the printed rulebook that citations are checked against."""

    title: str
    lines: tuple[RulebookLine, ...]


@frozen
class Attribute(Node):
    """``industry: int = 0``"""

    name: Name
    type: TypeNode
    default: Expr | None
    reconstructed: str
    cites: tuple[str, ...] = ()


@frozen
class Told(Node):
    """``told "{it} falls to {control}" not "nobody holds {it}"``: how a story tells a change; `denied` when it is no,
    nothing or none. ``untold``, without a text, is bookkeeping."""

    text: Text | None
    denied: Text | None


@frozen
class StateDecl(Declaration):
    """``state moved: bool = no, lasts movement``; `within` is the kind of ``lasts in Region``."""

    name: Name
    type: TypeNode
    default: Expr | None
    lasts: tuple[Name, ...]
    cites: tuple[str, ...]
    reconstructed: str
    within: Name | None = None
    told: Told | None = None


@frozen
class Visibility(Node):
    """``count to others``: who is None for others."""

    level: str
    who: Expr | None


@frozen
class HoldsDecl(Declaration):
    """``holds hand: Card, ordered, visible to it, count to others``"""

    name: Name
    kind: Name
    ordered: bool
    visibility: tuple[Visibility, ...]
    cites: tuple[str, ...]


@frozen
class Param(Node):
    """``r: Region``, or with what it is where nobody says: ``far: int = 1``"""

    name: Name
    type: TypeNode
    changeable: bool
    default: Expr | None = None


@frozen
class DoesLine(Node):
    """``does play(by: Power)``: each thing of the kind may say what it does."""

    name: Name
    params: tuple[Param, ...]
    cites: tuple[str, ...] = ()


@frozen
class KindDecl(Declaration):
    """``kind Region: nation: Nation, industry: int`` or ``pieces Tile: ...``

    Each line under it may have a citation of its own."""

    name: Name
    is_pieces: bool
    attributes: tuple[Attribute, ...]
    states: tuple[StateDecl, ...]
    holds: tuple[HoldsDecl, ...]
    does: tuple[DoesLine, ...]
    home: Expr | None
    text: Text | None
    in_force: Expr | None
    hidden_when: Expr | None
    known_to: Expr | None
    cites: tuple[str, ...]
    doc: str
    home_cites: tuple[str, ...] = ()
    text_cites: tuple[str, ...] = ()
    force_cites: tuple[str, ...] = ()
    hidden_cites: tuple[str, ...] = ()
    shows: Text | None = None


@frozen
class ValuesDecl(Declaration):
    """``values Terrain: clear, rough``"""

    name: Name
    values: tuple[tuple[Name, str], ...]
    cites: tuple[str, ...]


@frozen
class EitherDecl(Declaration):
    """``either Mover: Army, Unit``: one name for several kinds."""

    name: Name
    members: tuple[Name, ...]
    cites: tuple[str, ...]


@frozen
class ThingItem(Node):
    """One fact of a thing: form is label, no, word, attr, at, count or count_in."""

    form: str
    name: Name | None = None
    value: Expr | None = None
    text: str = ""
    number: int = 0


@frozen
class ThingDoes(Node):
    """``play`` with its block: what this thing does. ``play nothing``: an empty block."""

    name: Name
    params: tuple[Param, ...]
    block: Block


@frozen
class ThingDecl(Declaration):
    """``Region Mill  Ruritania, industry 2``"""

    kind: Name
    name: Name
    items: tuple[ThingItem, ...]
    does: tuple[ThingDoes, ...]
    amendments: tuple[Declaration, ...]
    states: tuple[StateDecl, ...]
    cites: tuple[str, ...]
    reconstructed: str
    doc: str
    is_box: bool = False


@frozen
class ThingsDecl(Declaration):
    """``things`` and the lines under it."""

    things: tuple[ThingDecl, ...]
    cites: tuple[str, ...]
    reconstructed: str


@frozen
class LinkLine(Node):
    """``road Mill - Bridge -> Castle``: arrows[i] stands between names[i] and names[i + 1]."""

    sort: Name
    names: tuple[Name, ...]
    arrows: tuple[str, ...]
    cites: tuple[str, ...]
    reconstructed: str


@frozen
class TrackLine(Node):
    """``track Side.vp 0..20 "Victory points"``: a state, drawn as a row of what it can be."""

    target: tuple[Name, ...]
    limits: TypeNode | None
    title: str
    cites: tuple[str, ...]


@frozen
class DrawnLine(Node):
    """``coordinates real``, ``shapes "map.geojson"``, ``picture "board.png" from 60N 10W to 35N 45E``: how a map is
    drawn. `what` is coordinates, shapes or picture."""

    what: str
    file: str = ""
    corners: tuple[str, ...] = ()


@frozen
class MapDecl(Declaration):
    """``map Valley`` with spaces and links."""

    name: Name
    sorts: tuple[Name, ...]
    things: tuple[ThingDecl, ...]
    links: tuple[LinkLine, ...]
    cites: tuple[str, ...]
    reconstructed: str
    doc: str
    tracks: tuple[TrackLine, ...] = ()
    drawn: tuple[DrawnLine, ...] = ()


@frozen
class Cell(Node):
    """A cell of a table: the literals between two bars."""

    items: tuple[Expr, ...]
    otherwise: bool


@frozen
class Row(Node):
    """``| 4..5 | success | unless convoys``: guard is "" or if or unless."""

    cells: tuple[Cell, ...]
    guard: str
    condition: Expr | None
    cites: tuple[str, ...]
    reconstructed: str


@frozen
class CountsDecl(Declaration):
    """``counts Tile in nation.side.box`` with a table of how many of each there are."""

    kind: Name
    where: Expr | None
    rows: tuple[Row, ...]
    cites: tuple[str, ...]
    reconstructed: str


@frozen
class SeatsLine(Node):
    """``2: North + South, East``"""

    count: int
    seats: tuple[tuple[Name, ...], ...]
    cites: tuple[str, ...]


@frozen
class PlayersDecl(Declaration):
    """``players Side``"""

    kind: Name
    seats: tuple[SeatsLine, ...]
    cites: tuple[str, ...]


@frozen
class Worded(Node):
    """``as "{r} has room" not "{r} is full"``: what people read for a rule."""

    text: Text
    denied: Text | None = None


@frozen
class FunctionDecl(Declaration):
    """``function strength(a: Area) -> int``; a `value` is one that amendments may adjust.

    ``standing(s: Side) "points"`` is one too, and `standing` what it counts."""

    name: Name
    is_value: bool
    params: tuple[Param, ...]
    type: TypeNode
    block: Block
    cites: tuple[str, ...]
    reconstructed: str
    worded: Worded | None = None
    standing: Text | None = None


@frozen
class PredicateDecl(Declaration):
    """``predicate stacks_legally(a: Area)`` with one `require` per rule."""

    name: Name
    params: tuple[Param, ...]
    block: Block
    cites: tuple[str, ...]
    worded: Worded | None = None


@frozen
class RouteRule(Node):
    """``enter b`` / ``through b`` / ``step a to b`` with the requirements under it, ``cost a to b`` with a number."""

    form: str
    names: tuple[Name, ...]
    block: Block
    cites: tuple[str, ...]


@frozen
class RouteDecl(Declaration):
    """``route march(t: Tile on Region) from t.place by road, at most 2 steps``, or so many ``points``"""

    name: Name
    params: tuple[Param, ...]
    start: Expr
    sorts: tuple[Name, ...]
    steps: Expr | None
    rules: tuple[RouteRule, ...]
    cites: tuple[str, ...]
    doc: str
    in_points: bool = False
    worded: Worded | None = None


@frozen
class TableDecl(Declaration):
    """``table losses(roll: int, strength: int) -> int`` with its printed rows."""

    name: Name
    params: tuple[Param, ...]
    type: TypeNode
    rows: tuple[Row, ...]
    cites: tuple[str, ...]
    reconstructed: str
    doc: str
    worded: Worded | None = None


@frozen
class ProcedureDecl(Declaration):
    """``procedure battle(r: Region)``, ``phase movement`` or ``sequence``: form says which."""

    form: str
    name: Name
    params: tuple[Param, ...]
    type: TypeNode | None
    closed: bool
    title: str
    block: Block
    cites: tuple[str, ...]
    worded: Worded | None = None


@frozen
class SignalDecl(Declaration):
    """``signal built(a: Army)``"""

    name: Name
    params: tuple[Param, ...]
    cites: tuple[str, ...]
    worded: Worded | None = None


@frozen
class AsideDecl(Declaration):
    """``aside take_back: p in Space.pieces by active during turn``, or without anything to pick"""

    name: Name
    picks: tuple[Picking, ...]
    text: Text | None
    by: Expr
    during: Name
    block: Block
    cites: tuple[str, ...]
    any_of: bool = False


@frozen
class OptionRule(Node):
    """``needs tanks``: form is needs, excludes, after or on."""

    form: str
    name: Name | None


@frozen
class OptionDecl(Declaration):
    """``option trenches "Trenches"``, or a scenario: declarations that hold when it is chosen."""

    is_scenario: bool
    name: Name
    title: str
    rules: tuple[OptionRule, ...]
    declarations: tuple[Declaration, ...]
    cites: tuple[str, ...]
    doc: str


@frozen
class WithDecl(Declaration):
    """``with trenches, tanks``: declarations that hold when all these options are chosen.

    With one name it is a further part of that option, so that an option can be told under several headings."""

    names: tuple[Name, ...]
    declarations: tuple[Declaration, ...]
    cites: tuple[str, ...]
    doc: str


# ------------------------------------------------------------------ amendments


@frozen
class Ordering(Node):
    """``after tanks``"""

    word: str
    name: Name


@frozen
class Adjustment(Node):
    """``add 1``: operation is set, times, add, floor or cap."""

    operation: str
    value: Expr


@frozen
class Adjust(Declaration):
    """``adjust dice(r) add 1 when r.rough "Rough ground"``"""

    target: Name
    names: tuple[Name, ...]
    adjustments: tuple[Adjustment, ...]
    condition: Expr | None
    label: str
    cites: tuple[str, ...]
    ordering: tuple[Ordering, ...]
    always: bool = False


@frozen
class Restrict(Declaration):
    """``restrict movement.move when turn == 1`` with requirements.

    An amendment under a thing holds while the thing is in force; with `always`, whether or not it is."""

    target: tuple[Name, ...]
    condition: Expr | None
    block: Block
    cites: tuple[str, ...]
    ordering: tuple[Ordering, ...]
    always: bool = False


@frozen
class Extend(Declaration):
    """``extend movement.move`` with alternatives."""

    target: tuple[Name, ...]
    condition: Expr | None
    alternatives: tuple[Alternative, ...]
    cites: tuple[str, ...]
    ordering: tuple[Ordering, ...]
    always: bool = False


@frozen
class ExceptionTo(Declaration):
    """``exception to movement.move §4.6.3 when r.port``"""

    target: tuple[Name, ...]
    clause_label: str
    clause_cites: tuple[str, ...]
    condition: Expr | None
    cites: tuple[str, ...]
    always: bool = False


@frozen
class Hook(Declaration):
    """``before battle(r) when r.fort``; when is before or after."""

    when: str
    target: Name
    names: tuple[Name, ...]
    condition: Expr | None
    label: str
    block: Block
    cites: tuple[str, ...]
    ordering: tuple[Ordering, ...]
    always: bool = False


@frozen
class Reaction(Declaration):
    """``when built(a) if a.side == Blue once a turn``, ``when built(a) repeatedly``"""

    signal: Name
    names: tuple[Name, ...]
    condition: Expr | None
    once: Name | None
    label: str
    block: Block
    cites: tuple[str, ...]
    ordering: tuple[Ordering, ...]
    always: bool = False
    repeatedly: bool = False


@frozen
class Whenever(Declaration):
    """``whenever some a in Army: a.empty``: holds at once, after anything that touches it."""

    condition: Expr
    label: str
    block: Block
    cites: tuple[str, ...]
    ordering: tuple[Ordering, ...]
    always: bool = False


@frozen
class Replace(Declaration):
    """``replace function strength(...) ...``"""

    declaration: Declaration


@frozen
class Remove(Declaration):
    """``remove take_back``, or a claim by its title in quotes: ``remove "Never two armies in a square"``"""

    target: tuple[Name, ...]
    cites: tuple[str, ...]


@frozen
class Amend(Declaration):
    """``amend Mill: industry 3``: other facts for a thing."""

    thing: Name
    items: tuple[ThingItem, ...]
    cites: tuple[str, ...]
    reconstructed: str


@frozen
class Reword(Declaration):
    """``reword besieged(t) as "{t} is under siege" not "{t} is free"``: what people read for a rule.

    With a citation or a label, it is one requirement or step of the target that is worded."""

    target: tuple[Name, ...]
    names: tuple[Name, ...]
    clause_label: str
    clause_cites: tuple[str, ...]
    text: Text
    denied: Text | None


# ------------------------------------------------------------------ claims


@frozen
class Invariant(Declaration):
    """``invariant "Never two armies in a square"``; when is always, end or decision."""

    title: str
    when: str
    scope: Name | None
    conditions: tuple[Expr, ...]
    cites: tuple[str, ...]


@frozen
class Check(Declaration):
    """``check "Industry at the start"``"""

    title: str
    conditions: tuple[Expr, ...]
    cites: tuple[str, ...]


@frozen
class OutlineLine(Node):
    """A line of an example, with the lines indented under it."""

    text: str
    lines: tuple[OutlineLine, ...]


@frozen
class Example(Declaration):
    """``example "Only the strongest rolls"``: its lines are read by the claims room."""

    title: str
    lines: tuple[OutlineLine, ...]
    cites: tuple[str, ...]
