"""What a driver needs to know about decisions and procedures, and passes about charts."""

from __future__ import annotations

from attrs import Factory, define, frozen

from rulescript.model import ir
from rulescript.model.types import Type
from rulescript.source import Span

__all__ = ["AltInfo", "ChartInfo", "DecisionInfo", "ProcedureInfo", "SelectionInfo"]


@define
class AltInfo:
    """What a driver needs to know about one way to answer."""

    label: str
    form: str  # pick, many, plain, aside
    text: str  # name of the function that words an option
    cites: tuple[str, ...]
    vars: tuple[str, ...] = ()
    alt: ir.Alt | None = None
    flagged: bool = False
    # The things and pieces that its words name besides what is picked: where the state has them, and their types.
    named: list[tuple[int, Type]] = Factory(list)


@define
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


@define
class DecisionInfo:
    """One decision point: a stage of a choice."""

    block: int
    choice: str
    procedure: str
    stage: int
    var: ir.Var | None
    alts: list[AltInfo]
    cites: tuple[str, ...]
    span: Span
    choose: ir.ChooseS | None
    sealed: bool = False
    many: bool = False
    previous: list[tuple[str, int, Type]] = Factory(list)
    prompt: str = ""
    selections: list[SelectionInfo] = Factory(list)
    ret: int = -1  # the slot that says where the caller of its rule goes on


@define
class ProcedureInfo:
    """Where a procedure begins, for calls, examples and saved positions."""

    name: str
    form: str
    plain: str
    entry: int
    params: list[int]
    ret: int
    value: int
    types: list[Type]


@frozen
class ChartInfo:
    """What a chart (charts.py) looks at: of each of so many things an entry of some runs (`own`, by their first slots)
    and a bit of some masks, and slots besides. `given` says how many values each name of its key can have (0: nobody
    knows), `weight` how much work one test is."""

    size: int
    given: tuple[int, ...]
    own: tuple[int, ...]
    bits: tuple[int, ...]
    besides: tuple[int, ...]
    weight: int
