"""What drivers, saves, views and printers know of a compiled game without its model.

The compiler writes it once (`compiler/lower/game_data.py`); runtime, claims, docs and tools read it. All of it is plain
values, so that a game can lie in the user's cache: `written` gives what is kept there, `read` makes it anew. A type is
told as data (`model.types.type_data`): `["thing", "Region"]`, `["set", ["thing", "Region"]]`, `["int"]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

from attrs import Attribute, field, fields, frozen, has

__all__ = [
    "FIRST_ASIDE", "FIRST_PLAIN", "AlternativeInfo", "Calls", "CheckInfo", "DecisionInfo", "GameData", "InvariantInfo",
    "KindInfo", "OptionData", "PieceStateInfo", "PlaceInfo", "ProcedureInfo", "RawOption", "SelectionInfo", "SiteInfo",
    "StandingInfo", "StateInfo", "TrackInfo", "TypeData", "are_partners", "as_dicts", "is_aside", "read", "written",
]  # fmt: skip

TypeData: TypeAlias = Any

# An option as generated code gives it, small because there are many. Of the first way that picks something it is the
# value itself; of another way, the way's number and the value; of one that picks nothing, FIRST_PLAIN less its number;
# of an aside, FIRST_ASIDE less its number among the asides, and the value (None if it picks nothing).
RawOption: TypeAlias = Any
Calls: TypeAlias = dict[int, dict[int, tuple[tuple[str, int] | None, int, list[int]]]]
FIRST_PLAIN = -1
FIRST_ASIDE = -100
T = TypeVar("T")


def is_aside(raw: RawOption) -> bool:
    """Whether a raw option is of something that may be done at any time."""
    return raw.__class__ is tuple and bool(raw) and raw[0].__class__ is int and raw[0] <= FIRST_ASIDE


class PieceStateInfo(NamedTuple):
    """A state of pieces, which is a part of their code: its value is number `code // types // stride % len(values)`."""

    name: str
    stride: int
    values: Sequence[Any]
    type: TypeData
    start: int


class SiteInfo(NamedTuple):
    """A place in the rules where something happens that the journal tells: what sort, its citations, where it is
    written, and what the sort needs to be told."""

    sort: str
    cites: tuple[str, ...]
    file: str
    line: int
    extra: Any


@frozen
class KindInfo:
    """The things of a kind, or the types of its pieces; lists have one item for each of them."""

    is_pieces: bool
    is_values: bool
    names: list[str]
    shown: list[str]  # the name of what it is a copy of, or its own
    labels: list[str]
    attrs: dict[str, list[Any]]
    attr_types: dict[str, TypeData]
    links: dict[str, list[list[int]]]
    at: list[str]
    docs: list[str]
    cites: list[list[str]]
    loc: int  # the slot of the first thing's whereabouts; -1 if they have none
    homes: list[int]  # the slots where they are at home
    counts: list[int]  # how many pieces of each type there are
    words: list[list[str]]
    # Of pieces: how many types, each type's share of a pile, its codes and states.
    fields: list[Any]
    types: int
    codes: int
    is_sparse: bool
    states: list[PieceStateInfo]
    # Of what can lie face down: what is seen of it then (None if nothing), and the states that turn it.
    backs: list[str] | None
    lasts_in: dict[str, str]
    turned_by: list[str]
    told: dict[str, tuple[str, str]]  # how a story tells the changes of a piece's states


@frozen
class StateInfo:
    """A state of the game, or of each thing of a kind. Mode: one, each (a slot each), mask (bits), dual (both)."""

    name: str
    kind: str
    slot: int
    mode: str
    masks: int
    type: TypeData
    lasts: list[str]
    bounds: list[int] | None
    is_hidden: bool  # it belongs to the compiler, not to the game
    told: tuple[str, str] | None  # how a story tells its changes, and its becoming no or nothing

    @property
    def is_untold(self) -> bool:
        """Whether it is bookkeeping: no story tells it, no board shows it."""
        return self.told is not None and not any(self.told)


@frozen
class PlaceInfo:
    """Places of one name: the game's own, or one for each thing of a kind, from `slot` on."""

    name: str
    kind: str
    owner: str
    slot: int
    is_ordered: bool
    size: int
    is_restricted: bool  # not everybody sees what lies there


@frozen
class AlternativeInfo:
    """One way to answer. Form: pick, many, plain, aside."""

    label: str
    version: int
    form: str
    cites: list[str]
    vars: list[str]
    types: list[TypeData]
    many: TypeData
    said: str
    is_flagged: bool  # it could be taken at any time
    effect: str
    is_veiled: bool
    is_private: bool
    named: list[tuple[int, TypeData]]  # things that its words name besides what is picked: slots and types


@frozen
class SelectionInfo:
    """Where the state notes a choice of several, for who picks in any order: the alternative of the decision, how
    many (exactly, up to, any), the slots of what there is, how many are wanted and what was picked, whether an
    answer is the bare item, the block that asks for the later ones, and the name of the function that gives what the
    whole must meet ("" if nothing)."""

    alt: int
    mode: str
    items: int
    wanted: int
    chosen: int
    is_bare: bool
    later: int
    demand: str


@frozen
class DecisionInfo:
    """One decision point: a stage of a choice."""

    choice: str
    procedure: str
    number: int
    stage: int
    is_sealed: bool
    is_many: bool
    is_uncounted: bool  # asked for each of several that others may not count
    cites: list[str]
    line: tuple[str, int]
    var: tuple[str, TypeData] | None
    previous: list[tuple[str, int, TypeData]]
    selections: list[SelectionInfo]
    alts: list[AlternativeInfo]
    ret: int  # the slot that says where the caller of its rule goes on; -1: nobody has called it

    # The numbers of the asides, and of the first way that picks something.
    asides: list[int] = field(init=False, repr=False, eq=False)
    first: int = field(init=False, repr=False, eq=False)

    @asides.default
    def _asides(self) -> list[int]:
        return [at for at, alt in enumerate(self.alts) if alt.form == "aside"]

    @first.default
    def _first(self) -> int:
        return next((at for at, alt in enumerate(self.alts) if alt.form in ("pick", "many")), 0)

    def split(self, raw: RawOption) -> tuple[int, Any]:
        """Which alternative a raw option belongs to, and its value."""
        if raw.__class__ is tuple:
            at, value = raw
            return (self.asides[FIRST_ASIDE - at], value) if at <= FIRST_ASIDE else (at, value)
        if isinstance(raw, int) and raw < 0:
            return (1, None) if self.is_many and self.stage else (FIRST_PLAIN - raw, None)
        return self.first, raw


@frozen
class ProcedureInfo:
    """Where a procedure begins, for calls, examples and saved positions."""

    form: str
    plain: str
    entry: int
    params: list[int]
    ret: int
    types: list[TypeData]


@frozen
class OptionData:
    """An option or scenario: what it is called and what it goes with."""

    title: str
    doc: str
    needs: list[str]
    excludes: list[str]
    is_on: bool


@frozen
class TrackInfo:
    """A state that is drawn as a row of what it can be."""

    state: str
    kind: str
    title: str
    labels: list[str]
    values: list[Any]


@frozen
class StandingInfo:
    """How far ahead each player is: what is counted."""

    counts: str
    cites: list[str]


@frozen
class InvariantInfo:
    """What has to hold always, at each decision or at the end of something."""

    title: str
    when: str
    scope: str
    cites: list[str]


@frozen
class CheckInfo:
    """What has to hold at the start."""

    title: str
    cites: list[str]


@frozen
class GameData:
    """A whole game."""

    ident: str
    title: str
    version: str
    rules_hash: str
    options: list[str]
    scenario: str
    all_options: dict[str, OptionData]
    all_scenarios: dict[str, OptionData]
    initial: list[Any]  # the state before anything happens
    shift: int  # a piece is the slot of its place and its code, in so many bits
    locals_start: int  # the first slot of a name bound by a rule
    var_slots: dict[int, int]
    start: int
    kinds: dict[str, KindInfo]
    states: list[StateInfo]
    holds: list[PlaceInfo]
    decisions: dict[int, DecisionInfo]
    procedures: dict[str, ProcedureInfo]
    phases: list[str]
    phase_blocks: list[tuple[int, int]]
    phase_entries: dict[str, int]
    phase_titles: dict[str, str]
    phase_cites: dict[str, list[str]]
    loops: list[tuple[str, int]]
    turn: str  # the state that the outermost loop of the sequence goes through, other than over players; "" if none
    sites: list[SiteInfo]
    # Whose text they stand in, of sites and of choices (by their number): things that can be out of sight.
    site_things: dict[int, tuple[str, int]]
    choice_things: dict[int, tuple[str, int]]
    # The same where the thing may be out of sight meanwhile, also of rules that only such texts call.
    site_askers: dict[int, list[tuple[str, int]]]
    choice_askers: dict[int, tuple[str, int]]
    # Who calls the rules that can wait: by the slot that says where the caller goes on, and by what it says, the thing
    # in whose text the call stands, the slot of that caller's own, and the slots that it has on the stack.
    calls: Calls
    has_askers: bool  # whether any of them stands in the text of a thing that may be out of sight
    # What the slots of names, and of the compiler's own, may hold besides what they begin with.
    name_types: dict[int, TypeData]
    players: str  # the kind of the players; "" if nobody plays
    tracks: list[TrackInfo]
    standing: StandingInfo | None
    seats: dict[int, list[list[int]]]
    rulebook: dict[str, tuple[str, str]]
    invariants: list[InvariantInfo]
    checks: list[CheckInfo]
    layout: str  # changes with the numbers of slots and blocks
    passing: list[int]


# ------------------------------------------------------------------ in the cache

# The fields that hold such records, one or in a list or dict.
_RECORDS: dict[type, dict[str, type]] = {
    GameData: {
        "all_options": OptionData, "all_scenarios": OptionData, "kinds": KindInfo, "states": StateInfo,
        "holds": PlaceInfo, "decisions": DecisionInfo, "procedures": ProcedureInfo, "sites": SiteInfo,
        "tracks": TrackInfo, "standing": StandingInfo, "invariants": InvariantInfo, "checks": CheckInfo,
    },
    KindInfo: {"states": PieceStateInfo},
    DecisionInfo: {"selections": SelectionInfo, "alts": AlternativeInfo},
}  # fmt: skip


def _kept_fields(sort: type[Any]) -> list[Attribute[Any]]:
    return [each for each in fields(sort) if each.init]


def written(record: Any) -> tuple[Any, ...]:
    """A record as nothing but plain values."""
    if isinstance(record, tuple):
        return tuple(record)
    inner = _RECORDS.get(record.__class__, {})
    out = []
    for each in _kept_fields(record.__class__):
        value = getattr(record, each.name)
        if each.name in inner and value is not None:
            if isinstance(value, list):
                value = [written(record) for record in value]
            elif isinstance(value, dict):
                value = {key: written(record) for key, record in value.items()}
            else:
                value = written(value)
        out.append(value)
    return tuple(out)


def read(sort: type[T], values: tuple[Any, ...]) -> T:
    """A record from what was written of it."""
    inner = _RECORDS.get(sort)
    if inner is None:
        return sort(*values)
    out = list(values)
    names = {each.name: at for at, each in enumerate(_kept_fields(sort))}
    for name, record in inner.items():
        at = names[name]
        value = out[at]
        if isinstance(value, list):
            out[at] = [read(record, each) for each in value]
        elif isinstance(value, dict):
            out[at] = {key: read(record, each) for key, each in value.items()}
        elif value is not None:
            out[at] = read(record, value)
    return sort(*out)


def are_partners(data: GameData, one: int, other: int) -> bool:
    """Whether two players have something in common that other things are also called by, such as a side."""
    info = data.kinds[data.players]
    return one == other or any(
        info.attrs[name][one] == info.attrs[name][other]
        for name, type_ in info.attr_types.items()
        if type_[0] == "thing" and type_[1] != data.players and name in info.attrs
    )


_KEYS = {"rules_hash": "hash", "locals_start": "locals", "var_slots": "vars"}


def as_dicts(record: Any) -> dict[str, Any]:
    """The same under plain keys: for `Game.choices`, and for the passes of the search form."""
    inner = _RECORDS.get(record.__class__, {})
    out = {}
    for each in _kept_fields(record.__class__):
        value = getattr(record, each.name)
        if each.name in inner and has(inner[each.name]):
            if isinstance(value, list):
                value = [as_dicts(record) for record in value]
            elif isinstance(value, dict):
                value = {key: as_dicts(record) for key, record in value.items()}
        out[_KEYS.get(each.name) or each.name.removeprefix("is_")] = value
    return out
