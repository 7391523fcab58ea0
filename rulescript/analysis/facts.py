"""Fixed facts: the values of attributes, worked out once before the game is played.

A small evaluator for the expressions that may stand in facts: literals, things, attributes and links of things,
arithmetic, comparisons, sets, filters, `count`. Anything else is reported as not fixed.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rulescript import nodes as n
from rulescript.analysis.part import Part
from rulescript.analysis.scope import HIGHEST_MEMBER, instead
from rulescript.diagnostics import Label
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model.game import (
    Attr,
    Kind,
    Thing,
    ThingRef,
)
from rulescript.model.types import (
    BOOL,
    ERROR,
    INT,
    TEXT,
    ListOf,
    Maybe,
    PieceOf,
    SetOf,
    ThingOf,
    Type,
    say,
)  # fmt: skip  # fmt: skip

__all__ = ["Facts"]

NOT_FIXED = object()
# A game from a stranger must be read in a bounded time: how much may be looked at to work out all facts, how far one
# fact may lead to the next, how long a list or text may get.
MOST_LOOKS = 1_000_000
DEEPEST = 200
LONGEST = 10_000
# So many parts of a list, set or text take about as long as one look.
PARTS_AT_ONCE = 4


class _Unset:
    pass


_UNSET = _Unset()
_BUSY = _Unset()
UNSET: Any = _UNSET


class Facts(Part):
    """Evaluates fixed expressions."""

    _looks = 0
    _depth = 0
    _told: tuple[str, ...] = ()

    def static(self, expr: n.Expr, it: ThingRef | None, expected: Type | None = None) -> Any:
        """The fixed value of an expression, or NOT_FIXED after reporting why."""
        if self._looks > MOST_LOOKS:
            return NOT_FIXED
        self._looks += 1
        if self._looks > MOST_LOOKS:
            return self._too_long(expr)
        if self._depth >= DEEPEST:
            return self._too_much(expr, f"one fact leads to the next more than {DEEPEST} times", "too far")
        self._depth += 1
        try:
            value = self._worked_out(expr, it, expected)
        finally:
            self._depth -= 1
        return self.grown(value, expr)

    def grown(self, value: Any, where: n.Node) -> Any:
        """What was worked out, if it is not too long. What has many parts takes as long as so many looks."""
        if not isinstance(value, tuple | str | frozenset):
            return value
        if len(value) > LONGEST:
            return self._too_much(where, f"a list or text grows beyond {LONGEST}", "too long")
        before, self._looks = self._looks, self._looks + len(value) // PARTS_AT_ONCE
        if before <= MOST_LOOKS < self._looks:
            return self._too_long(where)
        return value

    def _too_long(self, where: n.Node) -> Any:
        return self._too_much(where, "working out the facts of this game takes too long", "given up here")

    def _too_much(self, expr: n.Node, message: str, label: str) -> Any:
        """Say so once: whatever is worked out from this fact would only say it again."""
        if message not in self._told:
            self._told = (*self._told, message)
            self.error("RS014", message, expr.span, label)
        return NOT_FIXED

    def _worked_out(self, expr: n.Expr, it: ThingRef | None, expected: Type | None) -> Any:  # noqa: C901 - one case for each sort of node
        match expr:
            case n.Number(value):
                return self.desk.small(value, expr.span)
            case n.YesNo(value) | n.TextExpr(value):
                return value
            case n.Nothing():
                return None
            case n.It():
                return it if it is not None else self._not_fixed(expr)
            case n.Unary("-", operand):
                value = self.static(operand, it)
                return -value if isinstance(value, int) else NOT_FIXED
            case n.Unary("not", operand):
                value = self.static(operand, it)
                return (not value) if isinstance(value, bool) else NOT_FIXED
            case n.NameExpr(name):
                return self._static_name(expr, name, it, expected)
            case n.AttributeOf(inner, name):
                holder = self.static(inner, it)
                if holder is NOT_FIXED:
                    return NOT_FIXED
                return self._static_member(expr, holder, name.text)
            case n.Filtered(inner, condition):
                source = self.static(inner, it)
                if not isinstance(source, frozenset | tuple) or not all(isinstance(x, ThingRef) for x in source):
                    return NOT_FIXED if source is NOT_FIXED else self._not_fixed(expr)
                tests = [(element, self.static(condition, element)) for element in source]
                if any(test is NOT_FIXED for _, test in tests):
                    return NOT_FIXED
                return type(source)(element for element, test in tests if test)
            case n.Call(n.NameExpr("count" | "size"), (inner,)):
                source = self.static(inner, it)
                if isinstance(source, frozenset | tuple):
                    return len(source)
                return NOT_FIXED if source is NOT_FIXED else self._not_fixed(expr)
            case n.SetLiteral(items):
                element = expected.element if isinstance(expected, SetOf | ListOf) else None
                values = [self.static(item, it, element) for item in items]
                return NOT_FIXED if NOT_FIXED in values else frozenset(values)
            case n.ListLiteral(items):
                element = expected.element if isinstance(expected, SetOf | ListOf) else None
                values = [self.static(item, it, element) for item in items]
                return NOT_FIXED if NOT_FIXED in values else tuple(values)
            case n.Range(low, high):
                return frozenset(range(low, min(high, low + 4096) + 1))
            case n.IfExpr(condition, then, otherwise):
                value = self.static(condition, it)
                if value is NOT_FIXED:
                    return NOT_FIXED
                return self.static(then if value else otherwise, it, expected)
            case n.Binary(operator, left, right):
                return self._static_binary(expr, operator, left, right, it)
            case n.Divide(left, right, rounding):
                a, b = self.static(left, it), self.static(right, it)
                if not (isinstance(a, int) and isinstance(b, int)):
                    return NOT_FIXED
                if b == 0:
                    self.error("RS210", "division by zero", expr.span)
                    return NOT_FIXED
                return a // b if rounding == "down" else -(-a // b)
        return self._not_fixed(expr)

    def _static_member(self, expr: n.Expr, holder: Any, name: str) -> Any:
        """An attribute or the links of a thing; of a set, what any of its members has."""
        if isinstance(holder, frozenset) and holder and all(isinstance(each, ThingRef) for each in holder):
            found: set[Any] = set()
            for each in holder:
                value = self._static_member(expr, each, name)
                if value is NOT_FIXED:
                    return NOT_FIXED
                found |= value if isinstance(value, frozenset) else {value}
            return frozenset(found)
        if isinstance(holder, ThingRef):
            kind = self.game.kinds[holder.kind]
            attr = kind.attrs.get(name)
            if attr is not None:
                return self.attr_value(attr, holder.index)
            linked = self._static_links(kind, holder.index, name)
            if linked is not None:
                return linked
        if holder == frozenset():
            return holder
        return self._not_fixed(expr, (holder.kind,) if isinstance(holder, ThingRef) else ())

    @staticmethod
    def _static_links(kind: Kind, index: int, name: str) -> frozenset[ThingRef] | None:
        sorts = list(kind.links) if name == "links" else [name] if name in kind.links else []
        if not sorts:
            return None
        return frozenset(ThingRef(kind.name, other) for sort in sorts for other in kind.links[sort][index])

    def _not_fixed(self, expr: n.Expr, rests_on: tuple[str, ...] = ()) -> Any:
        message = "a fact must be fixed before play begins, and this is not"
        self.error("RS201", message, expr.span, "not fixed", rests_on=rests_on)
        return NOT_FIXED

    def _static_name(self, expr: n.Expr, name: str, it: ThingRef | None, expected: Type | None) -> Any:
        if it is not None:
            attr = self.game.kinds[it.kind].attrs.get(name)
            if attr is not None:
                return self.attr_value(attr, it.index)
            linked = self._static_links(self.game.kinds[it.kind], it.index, name)
            if linked is not None:
                return linked
        things = self.game.things.get(name, [])
        if isinstance(expected, Maybe):
            expected = expected.element
        if len(things) > 1 and isinstance(expected, ThingOf):
            things = [t for t in things if t.kind.name == expected.kind]
        if len(things) == 1:
            return ThingRef(things[0].kind.name, things[0].index)
        if name in self.game.kinds:
            kind = self.game.kinds[name]
            return frozenset(ThingRef(name, i) for i in range(kind.size))
        if len(things) > 1:
            self.error("RS103", f"`{name}` names several things", expr.span)
            return NOT_FIXED
        names = [*self.game.things, *(self.game.kinds[it.kind].attrs if it else ())]
        if isinstance(expected, ThingOf):
            names = [thing.name for thing in self.game.kinds[expected.kind].things] or names
        if spelling_hint(name, names) is None and name not in self.desk.lost:
            if expected == INT:
                rest = name in ("else", "default", "other", "others", "rest", "any")
                hint = "all the rest is called `otherwise` in a table" if rest else "write it in digits"
                self.error("RS201", f"`{name}` is no number", expr.span, "expected a number", hint)
                return NOT_FIXED
            if isinstance(expected, ThingOf) and 0 < self.game.kinds[expected.kind].size <= 12:
                listed = ", ".join(thing.name for thing in self.game.kinds[expected.kind].things)
                hint = f"it can be {listed}"
                self.error("RS101", f"there is no {expected.kind} `{name}`", expr.span, "unknown", hint)
                return NOT_FIXED
        self.unknown("thing", name, expr.span, names)
        return NOT_FIXED

    def _static_binary(self, expr: n.Expr, operator: str, left: n.Expr, right: n.Expr, it: ThingRef | None) -> Any:  # noqa: C901 - one case for each operator
        a = self.static(left, it)
        if a is NOT_FIXED:
            return NOT_FIXED
        if (operator == "and" and a is False) or (operator == "or" and a is True):
            return a  # what follows need not even make sense: `twin != nothing and twin.port`
        sample = next(iter(a), None) if isinstance(a, frozenset) else a
        expected = ThingOf(sample.kind) if isinstance(sample, ThingRef) else None
        b = self.static(right, it, expected)
        if b is NOT_FIXED:
            return NOT_FIXED
        if operator in ("+", "-", "&") and isinstance(a, frozenset) != isinstance(b, frozenset):
            # One thing beside a set stands for the set of it.
            a, b = (x if isinstance(x, frozenset) else frozenset((x,)) for x in (a, b))
        try:
            match operator:
                case "and":
                    return bool(a and b)
                case "or":
                    return bool(a or b)
                case "==":
                    return a == b
                case "!=":
                    return a != b
                case "in":
                    return a in b
                case "not in":
                    return a not in b
                case "<":
                    return self._rank(a) < self._rank(b)
                case "<=":
                    return self._rank(a) <= self._rank(b)
                case ">":
                    return self._rank(a) > self._rank(b)
                case ">=":
                    return self._rank(a) >= self._rank(b)
                case "+":
                    return a | b if isinstance(a, frozenset) else a + b
                case "-":
                    return a - b
                case "&":
                    return a & b
                case "*":
                    return a * b if abs(a) < 10**9 and abs(b) < 10**9 else NOT_FIXED
                case "mod":
                    return a % b
                case "at most":
                    return min(a, b)
                case "at least":
                    return max(a, b)
        except (TypeError, ValueError, ZeroDivisionError):
            self.error("RS201", "these two do not go together", expr.span)
            return NOT_FIXED
        return self._not_fixed(expr)

    @staticmethod
    def _rank(value: Any) -> Any:
        return value.index if isinstance(value, ThingRef) else value

    def attr_value(self, attr: Attr, index: int) -> Any:
        """The value of an attribute of one thing; defaults are worked out when first asked for."""
        if index >= len(attr.values):
            return NOT_FIXED
        value = attr.values[index]
        if value is _UNSET:
            if attr.default is None:
                # Reported once, where the thing is declared.
                return NOT_FIXED
            attr.values[index] = _BUSY
            with self.desk.speaking(attr.origin):
                value = self.static(attr.default, ThingRef(attr.kind.name, index), attr.type)
            if value is not NOT_FIXED and not self.value_fits(value, attr.type):
                self.error(
                    "RS201",
                    f"`{attr.name}` is {say(attr.type)}, but its default is not",
                    attr.default.span,
                    f"expected {say(attr.type)}",
                    instead(say(attr.type), _simple(value), attr.default.span.text.strip()),
                )
                value = NOT_FIXED
            attr.values[index] = value
        elif isinstance(value, Pending):
            assert value.item.value is not None
            attr.values[index] = _BUSY
            with self.desk.speaking(value.origin, value.cites):
                found = self.static(value.item.value, ThingRef(attr.kind.name, index), attr.type)
                attr.values[index] = found = self.fact(attr, value.thing, value.item, found)
            return found
        elif value is _BUSY:
            self.error("RS314", f"`{attr.name}` is worked out from itself", attr.span)
            attr.values[index] = NOT_FIXED
            return NOT_FIXED
        return value

    def fact(self, attr: Attr, thing: Thing, item: n.ThingItem, value: Any) -> Any:
        """The value as the attribute holds it; NOT_FIXED after a report if it is of another type."""
        if value is NOT_FIXED:
            return value
        if isinstance(attr.type, SetOf) and not isinstance(value, frozenset):
            value = frozenset(value) if isinstance(value, tuple) else frozenset((value,))
        if self.value_fits(value, attr.type):
            return value
        self.error(
            "RS201",
            f"`{attr.name}` of {thing.name} must be {say(attr.type)}",
            item.span,
            f"expected {say(attr.type)}",
            f"write `{attr.name}` or `not {attr.name}`" if attr.type == BOOL else None,
            [Label(attr.span, "declared here")],
        )
        return NOT_FIXED

    def value_fits(self, value: Any, type_: Type) -> bool:
        """Whether a fixed value is of a type; of one that is not known, which was told, anything is."""
        if type_ == ERROR:
            return True
        match type_:
            case Maybe(inner):
                return value is None or self.value_fits(value, inner)
            case ThingOf(kind) | PieceOf(kind):
                return isinstance(value, ThingRef) and value.kind == kind
            case SetOf(element):
                if not isinstance(value, frozenset):
                    return False
                if element == INT and not all(isinstance(v, int) and 0 <= v <= HIGHEST_MEMBER for v in value):
                    return False
                return all(self.value_fits(v, element) for v in value)
            case ListOf(element):
                return isinstance(value, tuple) and all(self.value_fits(v, element) for v in value)
        if type_ == BOOL:
            return isinstance(value, bool)
        if type_ == INT:
            return isinstance(value, int) and not isinstance(value, bool)
        if type_ == TEXT:
            return isinstance(value, str)
        return False

    def default_for(self, type_: Type) -> Any:
        """What a value is when nobody said: no, zero, nothing, empty; NOT_FIXED if there is no such value."""
        match type_:
            case Maybe():
                return None
            case SetOf():
                return frozenset()
            case ListOf():
                return ()
        if type_ == BOOL:
            return False
        if type_ == INT:
            return 0
        if type_ == TEXT:
            return ""
        return NOT_FIXED

    def fill_unset(self, kind: Kind) -> None:
        """Work out every attribute of every thing of a kind; report what is missing."""
        for attr in kind.attrs.values():
            for thing in kind.things:
                if attr.values[thing.index] is _UNSET and attr.default is None:
                    value = self.default_for(attr.type)
                    if attr.type == ERROR or (kind.name, thing.index) in self.desk.unclear:
                        pass
                    elif value is NOT_FIXED:
                        self.error(
                            "RS209",
                            f"{thing.copy_of or thing.name} has no `{attr.name}`, which is {say(attr.type)}",
                            thing.span,
                            hint=f"add `{attr.name} ...` to its line",
                        )
                    elif attr.type == INT:
                        self._count_for_number(attr, thing)
                    attr.values[thing.index] = value
                else:
                    self.attr_value(attr, thing.index)

    def _count_for_number(self, attr: Attr, thing: Thing) -> None:
        """A number nobody gave is 0. Who wrote one without a name may have meant it, and not how many there are."""
        count = next((item for item in thing.items if item.form == "count"), None)
        if count is not None:
            name = thing.copy_of or thing.name
            self.desk.reporter.warning(
                "RS209",
                f"{name} has no `{attr.name}`: a number without a name is how many there are",
                count.span,
                f"{count.number} of {name}",
                hint=f"write `{attr.name} {count.number}` if that is meant, else `{attr.name} 0, {count.number}`",
            )


@frozen(eq=False)
class Pending:
    """A fact of a thing that is still to be worked out, and who says so."""

    thing: Thing
    item: n.ThingItem
    origin: str
    cites: tuple[str, ...]


def _simple(value: Any) -> Type:
    """The type of a plain value."""
    return (
        BOOL
        if isinstance(value, bool)
        else INT
        if isinstance(value, int)
        else TEXT
        if isinstance(value, str)
        else ERROR
    )
