"""Sums, counts and the other numbers: "the number of units there plus one"."""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING

from rulescript.model import ir
from rulescript.phrases import is_plural, kind_noun, listed, plural, readable
from rulescript.wording.shapes import (
    is_true,
    kind_of,
    wording_of,
)

if TYPE_CHECKING:
    from rulescript.wording.english import Speaker


__all__ = ["Numbers"]


def _bracketed(said: str) -> str:
    """What is bounded, as a part of more: whose bound it is must be seen."""
    return "(" + re.sub(r" [(](but at [^()]*)[)]$", r", \1", said) + ")" if said.endswith(")") else said


class Numbers:
    """Sums, counts and the other numbers: "the number of units there plus one".

    Shares with the speaker what names are called."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker

    def aggregate(self, x: ir.AggregateX) -> str:
        if len(x.picks) == 1:
            var, source = x.picks[0]
            many = self.speaker.noun(source, True)
            if x.function == "matching":
                with self.speaker.element(var):
                    own = "" if wording_of(x.value) is not None else self.speaker.filters.of_element(x.value, var)
                    value = f"its {own}" if own else self.speaker.phrase(x.value)
                dice = self.speaker.phrase(x.condition) if x.condition is not None else "the dice"
                return f"the number of {dice} that can be given to {many}, each to one for {value}"
            if x.condition is not None:
                many = f"{many} {self.speaker.relative(var, x.condition, True)}"
            with self.speaker.element(var):
                own = self.speaker.nouns.own_value(x.value, var)
                if x.function == "count":
                    tail = "" if is_true(x.value) else f" {self.speaker.filters.apart(var, x.value, True, True)}"
                    return f"the number of {many}{tail}"
                value = own or self.speaker.phrase(x.value)
            return self._over(x.function, value, bool(own), many)
        gathered = self._gathered(x)
        if gathered:
            return gathered
        held = dict(self.speaker.names)
        over = []
        for var, source in x.picks:
            over.append(self.speaker.bind(var, source, [v for v, _ in x.picks]))
        value = self.speaker.say(x.value)
        test = f" where {self.speaker.sentence(x.condition, True)}" if x.condition is not None else ""
        said = {"count": f"the number of times that {value}, "}.get(x.function) or self._over(
            x.function, value, False, ""
        )
        self.speaker.names = held
        return f"{said.rstrip()} for each {' and '.join(over)}{test}".replace("  ", " ")

    def _gathered(self, x: ir.AggregateX) -> str:
        """All that several things have of a sort: "the nations of the engineers"."""
        if len(x.picks) != 2 or x.condition is not None or x.function != "set":
            return ""
        (owner, owners), (each, source) = x.picks
        if not isinstance(x.value, ir.Local) or x.value.var is not each:
            return ""
        many = self.speaker.noun(owners, True)
        with self.speaker.element(owner):
            own = self.speaker.nouns.own_value(source, owner)
        return f"the {own if is_plural(own) else plural(own)} of {many}" if own else ""

    @staticmethod
    def _over(function: str, value: str, own: bool, many: str) -> str:
        if own and "'s " in value and many:  # the cost of the arms of units, not their "arm's cost"
            whose, _, value = value.rpartition("'s ")
            many = f"the {plural(whose)} of {many}"
        tail = f" of {many}" if own and many else f" over all {many}" if many else ""
        over = f", over all {many}," if many else ""
        each = re.sub(r"^\w+ among (?=\S+(?:,| and ))", "", many)  # "for each of 1914 and 1915"
        match function:
            case "sum":
                # Who "it" is comes before what it has.
                return f"the total {value}{tail}" if own else f"the total{over} of {value}"
            case "max" | "min":
                which = "highest" if function == "max" else "lowest"
                return f"the {which} {value}{tail}" if own else f"the {which}{over} of {value}"
            case "list":
                each = each if each != many else f"the {many}"
                return f"the list of {plural(value)}{tail}" if own else f"{value}, for each of {each} in turn,"
        return f"the {plural(value)}{tail}" if own else f"the set of {value}{tail}"

    def arithmetic(self, x: ir.ArithX) -> str:
        if x.operator in ("+", "*") and all(isinstance(a, ir.Lit) for a in x.args):
            numbers = [a.value for a in x.args if isinstance(a, ir.Lit) and isinstance(a.value, int)]
            return str(sum(numbers) if x.operator == "+" else prod(numbers))
        said = [self.speaker.phrase(a) for a in x.args]
        match x.operator:
            case "neg":
                return f"minus {said[0]}"
            case "min" | "max" if (
                len(said) == 2
                and isinstance(first := x.args[0], ir.ArithX)
                and ({x.operator, first.operator} == {"min", "max"} and len(first.args) == 2)
            ):
                least, most = (first.args[1], x.args[1]) if x.operator == "min" else (x.args[1], first.args[1])
                low, high = self.speaker.phrase(least), self.speaker.phrase(most)
                return f"{self.speaker.phrase(first.args[0])} (but at least {low} and at most {high})"
            case "min" | "max" if len(said) == 2:
                return f"{said[0]} (but at {'most' if x.operator == 'min' else 'least'} {said[1]})"
            case "min" | "max":
                return f"the {'lowest' if x.operator == 'min' else 'highest'} of {listed(said)}"
            case "mod":
                return f"the remainder of {said[0]} divided by {said[1]}"
            case "/up" | "/down":
                rounding = x.operator[1:]
                if isinstance(x.args[1], ir.Lit) and x.args[1].value == 2:
                    return f"half of {said[0]} rounded {rounding}"
                return f"{said[0]} divided by {said[1]} rounded {rounding}"
        if x.operator == "*" and len(said) == 2 and said[0] == "2":
            return f"twice {said[1]}"
        if x.operator == "-" and said[0] == "0" and len(said) == 2:
            return f"minus {said[1]}"
        word = {"+": "plus", "-": "minus", "*": "times"}.get(x.operator, x.operator)
        return f" {word} ".join(
            self._operand(x.operator, at, a, told) for at, (told, a) in enumerate(zip(said, x.args, strict=True))
        )

    def _operand(self, operator: str, at: int, x: ir.X, said: str) -> str:
        """A part of a sum, in brackets where a reader would take it for more or for less than it is."""
        if isinstance(x, ir.IfX):
            return f"({said})"
        if not isinstance(x, ir.ArithX):
            return said
        if x.operator in ("min", "max"):
            return _bracketed(said) if at else said
        is_sum = x.operator in ("+", "-")
        return f"({said})" if is_sum and (operator == "*" or (at and operator == "-")) else said

    def builtin(self, x: ir.BuiltinX) -> str:
        first = x.args[0]
        kind = kind_noun(kind_of(first.type))
        match x.name:
            case "count":
                return f"the number of {self.speaker.noun(first, True)}"
            case "sum":
                return f"the total of {self.speaker.phrase(first)}"
            case "max":
                return f"the highest of {self.speaker.phrase(first)}"
            case "min":
                return f"the lowest of {self.speaker.phrase(first)}"
            case "abs":
                return f"{self.speaker.phrase(first)} without its sign"
            case "default":
                return f"{self.speaker.phrase(first)} ({self.speaker.phrase(x.args[1])} if there is none)"
            case "only":
                return f"the only {self.speaker.noun(first, False)}"
            case "first" | "last":
                return f"the {x.name} {self.speaker.noun(first, False)}"
            case "next" | "previous":
                said = self.speaker.phrase(first)
                if said == f"the {kind}":
                    return f"the {x.name} {kind}"
                return f"the {kind} {'after' if x.name == 'next' else 'before'} {said}"
            case "number":
                return self.speaker.nouns.possessed(first, "place in order")
            case "reasons":
                return "the reasons for it"
            case "label":
                return f"the name of {self.speaker.phrase(first)}"
            case "sorted":
                return f"{self.speaker.phrase(first)}, highest first"
            case "default" if len(x.args) > 1:
                return f"{self.speaker.phrase(first)} (or {self.speaker.phrase(x.args[1])} if that is nothing)"
            case "taken" if len(x.args) > 1:
                return f"the first {self.speaker.phrase(first)} of {self.speaker.phrase(x.args[1])}"
        return f"the {readable(x.name)} of {listed([self.speaker.phrase(a) for a in x.args])}"
