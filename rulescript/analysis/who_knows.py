"""Who chooses, and what is sure of that: which expressions mean him, and which things he may know.

What holds is learnt from the requirements and filters around: that `s == active`, that a card does not lie face
down, that a unit is of his nation. What cannot be worked out is believed of who chooses, and not of somebody who
stands by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import Factory, define, evolve

from rulescript.analysis.looking import same
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.types import BOOL, SetOf

__all__ = ["DEEPEST", "Knows", "MOST_CALLS", "players_named", "worked_out"]

MOST_CALLS = 12
DEEPEST = 40  # where it is counted how many are written out
MOST_WRITTEN_OUT = 3_000


@define
class Asked:
    """The rules that were asked about some values already, and what was asked where less was known: there it looked
    into no fewer places."""

    calls: set[Any] = Factory(set)
    outer: Asked | None = None

    def again(self, rule: m.Function | m.Route | m.Table, args: Sequence[ir.X]) -> bool:
        """Whether it is not the first time; from now on it is not."""
        call = (id(rule), same(args))
        here: Asked | None = self
        while here is not None:
            if call in here.calls:
                return True
            here = here.outer
        self.calls.add(call)
        return False


@define
class Knows:
    """Who chooses, which expressions are known to be equal, and what is known not to be so.

    `veiled` are the names that stand for things which may lie face down; `faces`: whether that matters."""

    chooser: ir.X
    pairs: set[tuple[Any, Any]] = Factory(set)
    denied: set[Any] = Factory(set)
    veiled: dict[int, m.Kind] = Factory(dict)
    faces: bool = True
    # Whether what cannot be told of an owner is believed to be so; of somebody who stands by, nothing is.
    trusting: bool = True
    # Whether it is somebody who stands by, and does not know the values of a rule's own names.
    stands_by: bool = False
    # Whether a rule is looked at without those that it asks.
    is_alone: bool = False
    # Names of things that the chooser picks from what they see: they also see where these lie.
    placed: frozenset[int] = frozenset()
    # Things that are known to lie in a place, of which it was asked before whether they do.
    lying: set[Any] = Factory(set)
    equals: list[tuple[ir.X, ir.X]] = Factory(list)
    unequals: list[tuple[ir.X, ir.X]] = Factory(list)
    players: m.Kind | None = None
    # How many calls were written out so far for one question; all that is known of it shares the count.
    written_out: list[int] = Factory(lambda: [0])
    # The rules that were gone through, with all that they ask, because no more could be written out.
    gone_through: set[int] = Factory(set)
    asked: Asked = Factory(Asked)

    def may_write_out(self, calls: int) -> bool:
        """Whether one more call is written out: rules that ask each other twice would go on without end."""
        if calls >= DEEPEST or self.written_out[0] >= MOST_WRITTEN_OUT:
            return False
        self.written_out[0] += 1
        return True

    def learn(self, condition: ir.X, calls: int = 0) -> None:
        """What holds once a condition does."""
        if isinstance(condition, ir.AndX):
            for part in condition.parts:
                self.learn(part, calls)
        elif isinstance(condition, ir.CompareX) and condition.operator == "==":
            a, b = same(condition.left), same(condition.right)
            self.pairs |= {(a, b), (b, a)}
            self.equals += [(condition.left, condition.right), (condition.right, condition.left)]
        elif isinstance(condition, ir.CompareX) and condition.operator == "!=":
            a, b = same(condition.left), same(condition.right)
            self.denied |= {("==", a, b), ("==", b, a)}
            self.unequals += [(condition.left, condition.right), (condition.right, condition.left)]
        elif isinstance(condition, ir.NotX):
            self._unlearn(condition.of)
        elif isinstance(condition, ir.InX) and not condition.negated and isinstance(condition.source, ir.ContentsX):
            self.lying.add(same(condition.element))
        elif isinstance(condition, ir.CallX) and self.may_write_out(calls):
            given = {p.ident: a for p, a in zip(condition.function.params, condition.args, strict=True)}
            for clause in condition.function.clauses:
                if clause.when is None and not clause.lifted:
                    self.learn(substitute(clause.condition, given), calls + 1)
            match condition.function.block:
                case (ir.ReturnS(value=ir.X() as value),) if not condition.function.adjustments:
                    self.learn(substitute(value, given), calls + 1)

    def _unlearn(self, condition: ir.X) -> None:
        """What holds once a condition does not."""
        match condition:
            case ir.NotX(of=of):
                self.learn(of)
            case ir.OrX(parts=parts):
                for part in parts:
                    self._unlearn(part)
            case ir.CompareX(operator="==" | "!=" as operator):
                opposite = {"==": "!=", "!=": "=="}[operator]
                self.learn(ir.CompareX(BOOL, condition.span, opposite, condition.left, condition.right))
            case _:
                self.denied.add(same(condition))

    def also(self, condition: ir.X) -> Knows:
        more = evolve(
            self,
            pairs=set(self.pairs),
            denied=set(self.denied),
            equals=list(self.equals),
            unequals=list(self.unequals),
            lying=set(self.lying),
            asked=Asked(outer=self.asked),
        )
        more.learn(condition)
        return more

    def without(self, condition: ir.X) -> Knows:
        """What is known where a condition does not hold."""
        return self.also(ir.NotX(BOOL, condition.span, condition))

    def veiling(self, var: ir.Var, kind: m.Kind | None) -> Knows:
        """The same, with a name for what may lie face down (or surely does not)."""
        others = {ident: k for ident, k in self.veiled.items() if ident != var.ident}
        veiled = others if kind is None else {**others, var.ident: kind}
        return evolve(self, veiled=veiled, asked=Asked())

    def denies(self, condition: ir.X) -> bool:
        """Whether a condition is sure not to hold."""
        match condition:
            case ir.AndX(parts=parts):
                return any(self.denies(part) for part in parts)
            case ir.OrX(parts=parts):
                return all(self.denies(part) for part in parts)
            case ir.NotX(of=of):
                return self.holds(of)
            case ir.CompareX(operator="==", left=left, right=right):
                return ("==", same(left), same(right)) in self.denied
        return same(condition) in self.denied

    def sees(self, thing: ir.X, kind: m.Kind) -> bool:
        """Whether the chooser is sure to know a thing, face down or not."""
        assert kind.hidden is not None
        var, condition, known = kind.hidden
        put = {var.ident: thing}
        if known is not None:
            who = substitute(known, put)
            if self.includes(who) if isinstance(who.type, SetOf) else self.equal(who):
                return True
            if isinstance(known, ir.AttrX) and isinstance(known.of, ir.Local) and self._follows(thing, known.attr):
                return True
            if self.trusting and not isinstance(who.type, SetOf) and self._believes(who):
                return True
        return self.denies(substitute(condition, put))

    def _believes(self, owner: ir.X) -> bool:
        """Whether something is said of an owner that makes him the chooser: `side != active` where the enemy of
        `active` chooses. What cannot be worked out is believed."""
        it = same(owner)
        said = [(True, value) for fact, value in self.equals if same(fact) == it]
        said += [(False, value) for fact, value in self.unequals if same(fact) == it]
        return bool(said) and all(self._has_to_be(value, equal) for equal, value in said)

    def _has_to_be(self, value: ir.X, equal: bool) -> bool:
        """Whether the chooser is somebody (is not, if not `equal`) whoever that is, as far as it can be worked out."""
        if self.players is None:
            return True
        atoms = {same(atom): atom for x in (self.chooser, value) for atom in players_named(x)}
        if len(atoms) > 1:
            # A name of the rule stands for anybody: that it is whom something else stands for is not believed.
            return not any(isinstance(atom, ir.Local) for atom in atoms.values())
        for number in range(self.players.size):
            given = dict.fromkeys(atoms, number)
            chooser, other = worked_out(self.chooser, given), worked_out(value, given)
            if chooser is not None and other is not None and (chooser == other) is not equal:
                return False
        return True

    def _follows(self, thing: ir.X, owner: m.Attr) -> bool:
        """Whether a thing's owner is sure to be the chooser by what else it is known to be: where all units of a
        nation are of the nation's side, a unit of nation n is known to n's side."""
        it = same(thing)
        choosers = [self.chooser, *(other for one, other in self.equals if same(one) == same(self.chooser))]
        for fact, value in self.equals:
            if not isinstance(fact, ir.AttrX) or same(fact.of) != it or fact.attr.kind is not owner.kind:
                continue
            pairs = list(zip(fact.attr.values, owner.values, strict=True))
            for chooser in choosers:
                match value, chooser:
                    case ir.ThingLit(index=index), ir.ThingLit(index=number):
                        owners = [known for other, known in pairs if other == m.ThingRef(value.kind.name, index)]
                        if all(known == m.ThingRef(chooser.kind.name, number) for known in owners):
                            return True
                    case _, ir.AttrX(attr=attr, of=of) if same(of) == same(value):
                        if all(isinstance(o, m.ThingRef) and attr.values[o.index] == known for o, known in pairs):
                            return True
        return False

    def equal(self, x: ir.X) -> bool:
        """Whether an expression is sure to be the chooser, perhaps by way of a third that both are equal to."""
        wanted = same(self.chooser)
        seen: set[Any] = set()
        todo = [same(x)]
        while todo:
            here = todo.pop()
            if here == wanted:
                return True
            if here not in seen:
                seen.add(here)
                todo += [b for a, b in self.pairs if a == here]
        return False

    def includes(self, who: ir.X) -> bool:
        """Whether a set of players is sure to have the chooser in it."""
        match who:
            case ir.AllThings():
                return True
            case ir.SetX(items=items):
                return any(self.equal(item) for item in items)
            case ir.SetOpX(operator="+", left=left, right=right):
                return self.includes(left) or self.includes(right)
            case ir.FilterX(source=source, var=var, condition=condition):
                inside = substitute(condition, {var.ident: self.chooser})
                return self.includes(source) and self.holds(inside)
        return False

    def holds(self, condition: ir.X) -> bool:
        match condition:
            case ir.AndX(parts=parts):
                return all(self.holds(part) for part in parts)
            case ir.OrX(parts=parts):
                return any(self.holds(part) for part in parts)
            case ir.CompareX(operator="==", left=left, right=right):
                a, b = same(left), same(right)
                if a == b or (a, b) in self.pairs:
                    return True
                # x.team == y.team holds where x and y are the same.
                return bool(self._one(a) == self._one(b))
        return False

    def _one(self, key: Any) -> Any:
        """An expression with everything that is the chooser put as the chooser."""
        chooser = same(self.chooser)
        if key == chooser or (key, chooser) in self.pairs:
            return "chooser"
        return tuple(self._one(part) for part in key) if isinstance(key, tuple) else key


def players_named(x: ir.X) -> Iterator[ir.X]:
    """The names and states from which a player is worked out."""
    match x:
        case ir.CallX(args=args) | ir.BuiltinX(args=args):
            for arg in args:
                yield from players_named(arg)
        case ir.AttrX(of=of):
            yield from players_named(of)
        case ir.ThingLit():
            return
        case _:
            yield x


def worked_out(x: ir.X, given: dict[Any, int], calls: int = 0) -> Any:
    """The number of the player an expression comes to, where some are given; None if that cannot be told."""
    key = same(x)
    if key in given:
        return given[key]
    match x:
        case ir.ThingLit(index=index):
            return index
        case ir.AttrX(attr=attr, of=of):
            owner = worked_out(of, given, calls)
            value = attr.values[owner] if isinstance(owner, int) and owner < len(attr.values) else None
            return value.index if isinstance(value, m.ThingRef) else None
        case ir.CompareX(operator="==" | "!=" as operator, left=left, right=right):
            one, other = worked_out(left, given, calls), worked_out(right, given, calls)
            return None if one is None or other is None else (one == other) is (operator == "==")
        case ir.IfX(condition=condition, then=then, otherwise=otherwise):
            test = worked_out(condition, given, calls)
            return None if test is None else worked_out(then if test else otherwise, given, calls)
        case ir.CallX(function=function, args=args) if not function.adjustments and calls < MOST_CALLS:
            inner = {("name", p.ident): worked_out(a, given, calls) for p, a in zip(function.params, args, strict=True)}
            known = {name: value for name, value in inner.items() if value is not None}
            return _returned(function.block, known, calls + 1)
    return None


def _returned(block: ir.Block, given: dict[Any, int], calls: int) -> Any:
    for statement in block:
        match statement:
            case ir.ReturnS(value=ir.X() as value):
                return worked_out(value, given, calls)
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                test = worked_out(condition, given, calls)
                if test is None:
                    return None
                found = _returned(then if test else otherwise, given, calls)
                if found is not None:
                    return found
            case ir.DocS():
                continue
            case _:
                return None
    return None
