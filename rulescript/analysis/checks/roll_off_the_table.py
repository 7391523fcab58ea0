"""A die that can show what the table it is looked up in has no row for.

A number beyond the last column counts as the last one; for a number beyond the last row there is no result. What a die
can show is known, also with a number added to it or within limits; not of a die that a condition of the same rule asks
about, so nothing is said of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from operator import add, mul, sub

from rulescript.analysis.looking import Rule, deep, inside, rule_line, rules_of
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import children
from rulescript.model.types import BOOL

__all__ = ["check_rolls_off_tables"]

_Range = tuple[int, int]

# Of these the lowest and the highest come of lowest and highest.
_ENDS: dict[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul, "min": min, "max": max}


def check_rolls_off_tables(game: m.Game, reporter: Reporter) -> None:
    """Every table has a row for whatever the dice it is asked with can show."""
    told: set[str] = set()
    for rule in rules_of(game):
        dice = _dice(rule)
        if not dice:
            continue
        for x in inside(rule):
            if not isinstance(x, ir.TableX) or x.table.name in told:
                continue
            can_be = _range(x.args[0], dice)
            missing = _missing(x.table, can_be) if can_be is not None else ""
            if can_be is not None and missing:
                told.add(x.table.name)
                reporter.error(
                    "RS301", f"`{x.table.name}` has no row for {missing}", x.args[0].span,
                    f"can be {can_be[0]} to {can_be[1]}", [Label(x.table.span, "gap in this table")],
                    "add the row, or `| otherwise | ... |`", rule_line(game, x.table.cites),
                )  # fmt: skip


def _dice(rule: Rule) -> dict[int, _Range]:
    """What each name for a die that no condition of a rule asks about can be."""
    parts = inside(rule)
    rolls = [part for part in parts if isinstance(part, ir.RollS)]
    if not rolls:
        return {}
    dice = {roll.var.ident: (1, roll.sides) for roll in rolls if roll.amount is None}
    several = {roll.var.ident: (1, roll.sides) for roll in rolls if roll.amount is not None}
    for var, source in _elements(parts):
        if isinstance(source, ir.Local) and source.var.ident in several:
            dice[var.ident] = several[source.var.ident]
    asked = {
        ident for part in parts if isinstance(part, ir.X) and part.type == BOOL for ident in _asked_outside_tables(part)
    }
    return {ident: can_be for ident, can_be in dice.items() if ident not in asked}


def _elements(parts: list[object]) -> Iterator[tuple[ir.Var, ir.X]]:
    """The names that go through something, and what they go through."""
    for part in parts:
        match part:
            case ir.ForS(var=var, source=source):
                yield var, source
            case ir.AggregateX(picks=picks):
                yield from picks


def _asked_outside_tables(x: ir.X) -> Iterator[int]:
    waiting = [x]
    while waiting:
        x = waiting.pop()
        if isinstance(x, ir.Local):
            yield x.var.ident
        elif not isinstance(x, ir.TableX):
            waiting += children(x)


def _range(x: ir.X, dice: dict[int, _Range]) -> _Range | None:
    """From where to where a number made of dice goes; None if there is more to it, or nothing rolled."""
    if any(isinstance(part, ir.Local) and part.var.ident in dice for part in deep((x,))):
        return _goes(x, dice)
    return None


def _goes(x: ir.X, dice: dict[int, _Range]) -> _Range | None:
    match x:
        case ir.Lit(value=int() as number):
            return number, number
        case ir.Local(var=var):
            return dice.get(var.ident)
        case ir.ArithX(operator=operator, args=(left, right)) if operator in _ENDS:
            one, two = _goes(left, dice), _goes(right, dice)
            if one is None or two is None:
                return None
            ends = [_ENDS[operator](a, b) for a, b in product(one, two)]
            return min(ends), max(ends)
    return None


def _missing(table: m.Table, can_be: _Range) -> str:
    """The lowest numbers in a range that no row of a table is for, in words."""
    if any(row.otherwise for row in table.rows):
        return ""
    first, last = can_be
    for low, high in sorted(key for row in table.rows for key in row.key):
        if low > first:
            last = min(last, low - 1)
            break
        first = max(first, high + 1)
    if first > last:
        return ""
    return f"{first}" if first == last else f"{first} to {last}"
