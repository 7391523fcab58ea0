"""A die that can show what the table it is looked up in has no row for.

A number beyond the last column counts as the last one; for a number beyond the last row there is no result. What a die
can show is known, also with a number added to it or within limits, under another name, handed on to another rule or
given back by one; not of a die that a condition of the same rule asks about, so nothing is said of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from operator import add, sub

from rulescript.analysis.handing_on import handed_by, statements_of
from rulescript.analysis.looking import Rule, deep, inside, rule_line, rules_of
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import children
from rulescript.model.types import BOOL
from rulescript.source import Span

__all__ = ["check_rolls_off_tables"]

_Range = tuple[int, int]

LONGEST_WAY = 10  # of a die from rule to rule

# Of these the lowest and the highest come of lowest and highest, and all between come too.
_ENDS: dict[str, Callable[[int, int], int]] = {"+": add, "-": sub, "min": min, "max": max}


def check_rolls_off_tables(game: m.Game, reporter: Reporter) -> None:
    """Every table has a row for whatever the dice it is asked with can show."""
    rules = rules_of(game)
    dice = _Dice(rules)
    if not dice.of:
        return
    told: set[str] = set()
    for x in (part for rule in rules for part in inside(rule)):
        if not isinstance(x, ir.TableX) or x.table.name in told:
            continue
        can_be = dice.range(x.args[0])
        missing = _missing(x.table, can_be) if can_be is not None else ""
        if can_be is not None and missing:
            told.add(x.table.name)
            labels = [Label(x.table.span, "gap in this table"), *dice.whence(x.args[0])]
            reporter.error(
                "RS301", f"`{x.table.name}` has no row for {missing}", x.args[0].span,
                f"can be {can_be[0]} to {can_be[1]}", labels,
                "add the row, or `| otherwise | ... |`", rule_line(game, x.table.cites),
            )  # fmt: skip


class _Dice:
    """What each name for a die that no condition of its rule asks about can be: `of`, by the number of the name, and
    `several` for lists of dice."""

    def __init__(self, rules: list[Rule]) -> None:
        self.of: dict[int, _Range] = {}
        self._several: dict[int, _Range] = {}
        self._handed: dict[int, Span] = {}  # where a parameter was given such a number
        parts = [inside(rule) for rule in rules]
        if not any(isinstance(part, ir.RollS) for some in parts for part in some):
            return
        self._asked = {
            ident
            for some in parts
            for part in some
            if isinstance(part, ir.X) and part.type == BOOL
            for ident in _asked_outside_tables(part)
        }
        # A rule that hands a number one higher to itself would go on for ever.
        for _ in range(LONGEST_WAY):
            if not any([self._note(part) for some in parts for part in some]):
                break

    def _note(self, part: object) -> bool:
        """Note what comes of a part of a rule; whether there was anything new."""
        match part:
            case ir.RollS(var=ir.Var() as var, amount=amount, sides=sides):
                return self._can_be(var, (1, sides), self.of if amount is None else self._several)
            case ir.LetS(var=var, value=value):
                return self._stands_for(var, value)
            case ir.ForS(var=var, source=source):
                return self._goes_through(var, source)
            case ir.AggregateX(picks=picks):
                return any([self._goes_through(var, source) for var, source in picks])
            case ir.CallX(function=function, args=args):
                return any([self._is_handed(*each) for each in zip(function.params, args, strict=False)])
            case ir.S():
                found = any([self._is_handed(*each) for each in handed_by(part)])
                return self._comes_back(part) or found
        return False

    def _comes_back(self, statement: ir.S) -> bool:
        match statement:
            case ir.CallS(procedure=called, result=ir.Var() as var):
                values = [each.value for each in statements_of(called) if isinstance(each, ir.ReturnS)]
                ranges = [self.range(value) if value is not None else None for value in values]
                return any([self._can_be(var, each, self.of) for each in ranges if each is not None])
        return False

    def _can_be(self, var: ir.Var, found: _Range, known: dict[int, _Range]) -> bool:
        if var.ident in self._asked:
            return False
        after = _together(known.get(var.ident, found), found)
        is_new = known.get(var.ident) != after
        known[var.ident] = after
        return is_new

    def _stands_for(self, var: ir.Var, value: ir.X) -> bool:
        if isinstance(value, ir.Local) and value.var.ident in self._several:
            return self._can_be(var, self._several[value.var.ident], self._several)
        found = self.range(value)
        return found is not None and self._can_be(var, found, self.of)

    def _is_handed(self, var: ir.Var, value: ir.X) -> bool:
        found = self._stands_for(var, value)
        if found:
            self._handed[var.ident] = value.span
        return found

    def _goes_through(self, var: ir.Var, source: ir.X) -> bool:
        is_dice = isinstance(source, ir.Local) and source.var.ident in self._several
        return is_dice and self._can_be(var, self._several[source.var.ident], self.of)  # type: ignore[attr-defined]

    def range(self, x: ir.X) -> _Range | None:
        """From where to where a number made of dice goes; None if there is more to it, or nothing rolled."""
        if any(isinstance(part, ir.Local) and part.var.ident in self.of for part in deep((x,))):
            return _goes(x, self.of)
        return None

    def whence(self, x: ir.X) -> Iterator[Label]:
        """Where a number that was handed to this rule comes from."""
        for part in deep((x,)):
            if isinstance(part, ir.Local) and part.var.ident in self._handed:
                yield Label(self._handed[part.var.ident], "handed on here")
                return


def _asked_outside_tables(x: ir.X) -> Iterator[int]:
    waiting = [x]
    while waiting:
        x = waiting.pop()
        if isinstance(x, ir.Local):
            yield x.var.ident
        elif not isinstance(x, ir.TableX):
            waiting += children(x)


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
        case ir.IfX(then=then, otherwise=otherwise):
            one, two = _goes(then, dice), _goes(otherwise, dice)
            return _together(one, two) if one is not None and two is not None else None
        case ir.CallX(function=function) if not function.adjustments:
            match [each for each in function.block if not isinstance(each, ir.DocS)]:
                case [ir.ReturnS(value=ir.Lit(value=int() as number))]:
                    return number, number
    return None


def _together(one: _Range, two: _Range) -> _Range:
    """What a number can be that is of the one or the other; of two with a gap between them only the one is told."""
    if two[0] > one[1] + 1 or one[0] > two[1] + 1:
        return one
    return min(one[0], two[0]), max(one[1], two[1])


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
