"""The rule that is being written."""

from __future__ import annotations

from attrs import Factory, define

from rulescript.compiler import code as c
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import Type

__all__ = ["Loop", "Rule"]


@define
class Loop:
    """A loop being written: one inside a function, or where to go on after it; and what is noted at the end of a
    round. `several` is the list that it goes through by its name, where that must keep up with its pieces; the piece of
    a round is its member `at`, and called `one`. `looking`: where names
    must keep up with what is done just now, how that began."""

    is_inside: bool
    after: int
    noted: c.Store | None = None
    several: ir.Var | None = None
    at: c.Code | None = None
    one: ir.Var | None = None
    looking: list[ir.KeepUpS] = Factory(list)


@define
class Rule:
    """Where the writing is: the rule, whether it never waits, the loops around, the phases it stands in.

    `exit` is the block at its end, `value_slot` takes what it gives back; `handed` is what it gives back besides:
    pieces it was handed and has changed. `ret` is the slot that says where its caller goes on (-1: it has none).
    `is_learning`: a rule is gone through only to learn which slots it uses."""

    procedure: m.Procedure | None = None
    is_plain: bool = False
    exit: int | None = None
    value_slot: int = -1
    returns: Type | None = None
    loops: list[Loop] = Factory(list)
    handed: list[c.Code] = Factory(list)
    phase_stack: list[str] = Factory(list)
    phase_number: int = -1
    ret: int = -1
    is_learning: bool = False
