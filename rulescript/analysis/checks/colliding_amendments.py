"""Amendments of one rule that collide: one writes what the other reads or writes, and nothing says which
comes first.

Adding to a number commutes with adding to it, so two that only add do not collide. Two amendments that
replace a value collide when both can hold at once. Two rules that hold at once (`whenever`) collide when one and the
same effect can make both true. Of the answers to a signal only those collide that nobody decides about: in which
order players use the others is their own affair.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import islice
from typing import Any, TypeVar

from attrs import frozen

from rulescript.analysis.looking import (
    deep,
    fields_of,
    inside,
    parts_in,
    rule_line,
    rules_of,
    same,
)
from rulescript.analysis.ordering import Ordered, is_ordered, layer_of
from rulescript.analysis.scope import first_line
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import Effects, Key, called, place_key, state_key
from rulescript.model.traverse import conjuncts, walk
from rulescript.model.types import ListOf, ThingOf
from rulescript.source import Span

__all__ = ["check_colliding_amendments"]


def check_colliding_amendments(game: m.Game, reporter: Reporter) -> None:
    """Hooks on one rule, and replacements of one value, have an order where it matters."""
    effects = _Precise(game)
    quarrels = _Quarrels(game, effects)
    groups = [(p.name, hooks) for p in game.procedures.values() for hooks in (p.before, p.after)]
    groups += [
        (name, [h for h in hooks if h.when == when]) for name, hooks in game.loop_hooks.items() for when in _WHEN
    ]
    for name, hooks in groups:
        for first, second, shared in quarrels.among(hooks):
            message = f"two rules come {first.when} `{name}`, and it matters for {_say(shared)} which is first"
            _report(game, reporter, message, first, second)
    for signal in game.signals.values():
        forced = [reaction for reaction in signal.reactions if not reaction.is_optional]
        for before, later, shared in quarrels.among(forced):
            message = f"two rules answer `{signal.name}`, and it matters for {_say(shared)} which is first"
            _report(game, reporter, message, before, later)
    for one_rule, other_rule, shared in quarrels.among(game.whenevers):
        if quarrels.is_at_once(one_rule, other_rule):
            message = f"two rules can hold at the same moment, and it matters for {_say(shared)} which is first"
            _report(game, reporter, message, one_rule, other_rule)
    if quarrels.left_out is not None:
        message = f"more than {MOST_PAIRS:,} pairs of rules had to be compared; the rest was not looked at"
        reporter.warning("RS014", message, first_line(quarrels.left_out), "too many beside this one")
    for function in game.functions.values():
        sets = [layer for layer in function.adjustments if layer.operation == "set"]
        told: set[tuple[Span, Span]] = set()
        for one, other in islice(_unsettled(game, sets), MOST_PAIRS):
            if (one.span, other.span) in told:
                continue  # other copies of the same two things
            if one.condition is None and other.condition is None:
                continue  # told already: value replaced twice
            if not is_ordered(game, one, other) and not exclusive(one.condition, other.condition):
                told.add((one.span, other.span))
                message = f"two rules replace `{function.name}`, and nothing says which has the last word"
                _report(game, reporter, message, one, other)


_WHEN = ("before", "after")
# So many pairs of rules that touch the same are compared; who has that many has thousands of rules on one thing.
MOST_PAIRS = 200_000
Doing = m.Hook | m.Reaction | m.Whenever
A = TypeVar("A", bound=Ordered)
D = TypeVar("D", bound=Doing)


def _unsettled(game: m.Game, rules: Sequence[A]) -> Iterator[tuple[A, A]]:
    """Pairs of rules that are of one layer and not of one text, which has them in the order they are written in."""
    layers, texts = _texts_of(game, rules)
    if len({*texts}) < 2:
        return
    for at, first in enumerate(rules):
        for later in range(at + 1, len(rules)):
            if layers[at] == layers[later] and texts[at] != texts[later]:
                yield first, rules[later]


def _texts_of(game: m.Game, rules: Sequence[Ordered]) -> tuple[list[Any], list[Any]]:
    """The layer of each rule, and what tells the texts apart in which rules have an order."""
    layers = [layer_of(game, rule) for rule in rules]
    return layers, [(layer, r.origin, r.thing, id(r.span.source)) for layer, r in zip(layers, rules, strict=True)]


class _Colliding:
    """Of a sort of rules, those that it collides with, found by what they touch."""

    def __init__(self, sorts: dict[int, Touched]) -> None:
        self.reading: dict[Key, set[int]] = defaultdict(set)
        self.adding: dict[Key, set[int]] = defaultdict(set)
        self.writing: dict[Key, set[int]] = defaultdict(set)
        for sort, made in sorts.items():
            for index, keys in ((self.reading, made.reads), (self.adding, made.adds), (self.writing, made.writes)):
                for key in keys:
                    index[key].add(sort)

    def of(self, made: Touched) -> list[int]:
        found: set[int] = set()
        for key in made.reads:
            found |= self.adding[key] | self.writing[key]
        for key in made.adds:
            found |= self.reading[key] | self.writing[key]
        for key in made.writes:
            found |= self.reading[key] | self.adding[key] | self.writing[key]
        return sorted(found)


class _Quarrels:
    """What rules touch, worked out once for each; most touch the same as many others."""

    def __init__(self, game: m.Game, effects: Effects) -> None:
        self.game = game
        self.effects = effects
        self._sorts: dict[Touched, int] = {}
        self._sort_of: dict[int, tuple[int, Touched]] = {}
        self._collisions: dict[tuple[int, int], Key | None] = {}
        self._seen: dict[int, frozenset[Key]] = {}
        self._together: dict[tuple[frozenset[Key], frozenset[Key]], bool] = {}
        self._written: set[frozenset[Key]] | None = None
        self._compared = 0
        # A rule beside which there were too many to compare.
        self.left_out: Span | None = None

    def among(self, rules: Sequence[D]) -> Iterator[tuple[D, D, Key]]:
        """The pairs of rules that quarrel, and about what. Only those are compared that touch the same."""
        layers, texts = _texts_of(self.game, rules)
        if len({*texts}) < 2:
            return
        sorts = [self._touched(rule) for rule in rules]
        places: dict[int, list[int]] = {}
        for at, (sort, _) in enumerate(sorts):
            places.setdefault(sort, []).append(at)
        others = _Colliding(dict(sorts))
        for at, first in enumerate(rules):
            found = [places[sort] for sort in others.of(sorts[at][1])]
            for later in merge(*[each[bisect_right(each, at) :] for each in found]):
                if layers[at] != layers[later] or texts[at] == texts[later]:
                    continue
                self._compared += 1
                if self._compared > MOST_PAIRS:
                    self.left_out = self.left_out or first.span
                    return
                shared = self.between(first, rules[later])
                if shared is not None:
                    yield first, rules[later], shared

    def between(self, first: Doing, second: Doing) -> Key | None:
        """What two rules quarrel about, if nothing says which comes first."""
        (one, touched_first), (other, touched_second) = self._touched(first), self._touched(second)
        if (one, other) not in self._collisions:
            self._collisions[one, other] = touched_first.collision(touched_second)
        shared = self._collisions[one, other]
        if shared is None or is_ordered(self.game, first, second) or exclusive(first.condition, second.condition):
            return None
        return shared

    def _touched(self, rule: Doing) -> tuple[int, Touched]:
        found = self._sort_of.get(id(rule))
        if found is None:
            made = touched(self.effects, rule)
            found = self._sort_of[id(rule)] = (self._sorts.setdefault(made, len(self._sorts)), made)
        return found

    def is_at_once(self, one: m.Whenever, other: m.Whenever) -> bool:
        """Whether there is an effect that touches what both rules look at."""
        if self._written is None:
            self._written = _effects_of(self.game, self.effects)
        for rule in (one, other):
            if id(rule) not in self._seen:
                self._seen[id(rule)] = _looked_at(self.effects, rule)
        first, second = self._seen[id(one)], self._seen[id(other)]
        if (first, second) not in self._together:
            self._together[first, second] = any(writes & first and writes & second for writes in self._written)
        return self._together[first, second]


def _looked_at(effects: Effects, rule: m.Whenever) -> frozenset[Key]:
    return effects.reads(rule.condition) | (effects.reads(rule.source) if rule.source is not None else frozenset())


def _effects_of(game: m.Game, effects: Effects) -> set[frozenset[Key]]:
    """What single statements write, and what is put back together at the end of a scope."""
    out = {effects.own_writes(part) for rule in rules_of(game) for part in inside(rule) if isinstance(part, ir.S)}
    ends: dict[str, set[Key]] = {}
    for state in game.every_state():
        for name in state.lasts:
            key: Key = state_key(state)
            if state.kind is not None and state.kind.is_pieces:
                key = ("where", state.kind.name, "")
            ends.setdefault(name.text, set()).add(key)
    return out | {frozenset(keys) for keys in ends.values()}


def _report(
    game: m.Game,
    reporter: Reporter,
    message: str,
    first: Doing | m.Adjustment,
    second: Doing | m.Adjustment,
) -> None:
    name = first.origin if first.origin != second.origin else first.thing if first.thing != second.thing else ""
    name = next((t.copy_of for t in game.things.get(name, ()) if t.copy_of), name)
    hint = f"end the line with `, after {name}` or `, before {name}`" if name else "put both under one heading line"
    reporter.error(
        "RS308",
        message,
        first_line(second.span),
        "collides",
        [Label(first_line(first.span), "with this one")],
        hint,
        rule_line(game, second.cites),
    )


def _say(key: Key) -> str:
    sort, owner, name = key
    if sort == "at":
        return f"where things of {owner} are"
    if sort == "where":
        return f"the state of {owner} pieces"
    return f"`{owner}.{name}`" if owner else f"`{name}`"


class _Precise(Effects):
    """Reads and writes place by place: what is moved from one place to another is nothing to who looks into a third.

    What remains under "where" is the state of pieces; "at" is where single things are."""

    def reads(self, x: ir.X) -> frozenset[Key]:
        places = (node.of.type for node in walk(x) if isinstance(node, ir.PlaceOfX))
        return super().reads(x) | {("at", type_.kind, "") for type_ in places if isinstance(type_, ThingOf)}

    def own_writes(self, statement: ir.S) -> frozenset[Key]:
        written = super().own_writes(statement)
        match statement:
            case ir.MoveS(what=what, to=to):
                sources = [node.holds for node in walk(what) if isinstance(node, ir.ContentsX)]
                return self._moved(written, to.holds.kind, sources)
            case ir.DrawS(source=source, to=to):
                return self._moved(written, to.holds.kind, [source.holds])
            case ir.PlaceS(to=to):
                return self._moved(
                    written, to.holds.kind, [home[0] for home in to.holds.kind.homes if home is not None]
                )
        return written

    def _moved(self, written: frozenset[Key], kind: m.Kind, sources: list[m.Holds]) -> frozenset[Key]:
        # Where it is not written where something comes from, it may come from anywhere.
        places = sources or [holds for holds in self.game.every_place() if holds.kind is kind]
        return written - {("where", kind.name, "")} | {("at", kind.name, ""), *map(place_key, places)}


@frozen
class Touched:
    """What an amendment reads, adds to, and writes otherwise."""

    reads: frozenset[Key]
    adds: frozenset[Key]
    writes: frozenset[Key]

    def collision(self, other: Touched) -> Key | None:
        found = (
            ((self.adds | self.writes) & other.reads)
            | ((other.adds | other.writes) & self.reads)
            | (self.writes & (other.adds | other.writes))
            | (other.writes & self.adds)
        )
        # A place or state says more to a reader than the whereabouts of a kind.
        return min(found, key=lambda key: (key[0] in ("where", "at"), key)) if found else None


def touched(effects: Effects, rule: Doing) -> Touched:
    """What a rule and everything it calls read and write."""
    reads: set[Key] = set(effects.reads(rule.condition)) if rule.condition is not None else set()
    if isinstance(rule, m.Whenever):
        reads |= _looked_at(effects, rule)
    adds: set[Key] = set()
    writes: set[Key] = set()
    seen: set[int] = set()
    todo = [rule.procedure.block if isinstance(rule, m.Whenever) else rule.block]
    while todo:
        for part in deep(todo.pop()):
            if not isinstance(part, ir.S):
                continue
            added = _added_by(part)
            adds |= added
            writes |= effects.own_writes(part) - added
            for x in _asked_by(part):
                reads |= effects.reads(x)
            for procedure in called(part):
                if id(procedure) not in seen:
                    seen.add(id(procedure))
                    todo += procedure.blocks
    return Touched(frozenset(reads), frozenset(adds), frozenset(writes))


def _added_by(statement: ir.S) -> set[Key]:
    """What a statement only adds to: the order of two such makes no difference."""
    match statement:
        case ir.AssignS(target=ir.StateX(state=state), operator="+=" | "-=") if not isinstance(state.type, ListOf):
            return {state_key(state)}
        case ir.MoveS(to=to) | ir.PlaceS(to=to) | ir.DrawS(to=to):
            # What ends where something comes to is put back to the same value, whoever moves it there.
            ended = {state_key(state) for state in to.holds.kind.states.values() if state.ends_in(to.holds)}
            at: Key = ("at", to.holds.kind.name, "")
            return {at, *ended} if to.holds.ordered else {at, place_key(to.holds), *ended}
    return set()


def _asked_by(statement: ir.S) -> list[ir.X]:
    """The expressions a statement looks at itself; where it only writes to is no looking."""
    out: list[ir.X] = []
    for name in fields_of(type(statement)):
        value = getattr(statement, name)
        if name in ("target", "to", "result"):
            value = getattr(value, "of", None)
        if name == "alts":
            value = [(a.picks, a.many, [c.expressions() for c in a.clauses]) for a in value]
        out += [x for x in parts_in(value) if isinstance(x, ir.X)]
    return out


# ------------------------------------------------------------------ conditions that cannot both hold


def exclusive(a: ir.X | None, b: ir.X | None) -> bool:
    """Whether two conditions can be seen never to hold together: `x == 1` and `x == 2`, `p` and `not p`."""
    if a is None or b is None:
        return False
    for one in conjuncts(a):
        for other in conjuncts(b):
            if _denies(one, other) or _denies(other, one):
                return True
            left, right = _fixed(one), _fixed(other)
            if left is not None and right is not None and left[0] == right[0] and left[1] != right[1]:
                return True
    return False


def _denies(x: ir.X, other: ir.X) -> bool:
    if isinstance(x, ir.NotX):
        return bool(same(x.of) == same(other))
    if isinstance(x, ir.CompareX) and isinstance(other, ir.CompareX) and (x.operator, other.operator) == ("==", "!="):
        return bool(same(x.left) == same(other.left) and same(x.right) == same(other.right))
    return False


def _fixed(x: ir.X) -> tuple[object, object] | None:
    """What `x == literal` compares, and with what."""
    if isinstance(x, ir.CompareX) and x.operator == "==" and isinstance(x.right, ir.ThingLit | ir.Lit):
        return same(x.left), same(x.right)
    return None
