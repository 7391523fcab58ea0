"""Amendments of one rule that collide: one writes what the other reads or writes, and nothing says which
comes first.

Adding to a number commutes with adding to it, so two that only add do not collide. Two amendments that
replace a value collide when both can hold at once.
"""

from __future__ import annotations

from itertools import combinations

from attrs import frozen

from rulescript.analysis.checks.looking import deep, fields_of, parts_in, rule_line, same
from rulescript.analysis.ordering import is_ordered
from rulescript.analysis.scope import first_line
from rulescript.compiler.effects import Effects, Key, called, place_key, state_key
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.source import Span

__all__ = ["check_colliding_amendments"]


def check_colliding_amendments(game: m.Game, reporter: Reporter) -> None:
    """Hooks on one rule, and replacements of one value, have an order where it matters."""
    effects = Effects(game)
    groups = [(p.name, hooks) for p in game.procedures.values() for hooks in (p.before, p.after)]
    groups += [
        (name, [h for h in hooks if h.when == when]) for name, hooks in game.loop_hooks.items() for when in _WHEN
    ]
    for name, hooks in groups:
        for first, second in combinations(hooks, 2):
            if is_ordered(game, first, second) or exclusive(first.condition, second.condition):
                continue
            shared = touched(effects, first).collision(touched(effects, second))
            if shared is not None:
                message = f"two rules come {first.when} `{name}`, and it matters for {_say(shared)} which is first"
                _report(game, reporter, message, first, second)
    for function in game.functions.values():
        sets = [layer for layer in function.adjustments if layer.operation == "set"]
        told: set[tuple[Span, Span]] = set()
        for one, other in combinations(sets, 2):
            if (one.span, other.span) in told:
                continue  # other copies of the same two things
            if one.condition is None and other.condition is None:
                continue  # told already: value replaced twice
            if not is_ordered(game, one, other) and not exclusive(one.condition, other.condition):
                told.add((one.span, other.span))
                message = f"two rules replace `{function.name}`, and nothing says which has the last word"
                _report(game, reporter, message, one, other)


_WHEN = ("before", "after")


def _report(
    game: m.Game,
    reporter: Reporter,
    message: str,
    first: m.Hook | m.Adjustment,
    second: m.Hook | m.Adjustment,
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
    if sort == "where":
        return f"where the {owner} stand"
    return f"`{owner}.{name}`" if owner else f"`{name}`"


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
        return min(found, key=lambda key: (key[0] == "where", key)) if found else None


def touched(effects: Effects, hook: m.Hook) -> Touched:
    """What a hook and everything it calls read and write."""
    reads: set[Key] = set(effects.reads(hook.condition)) if hook.condition is not None else set()
    adds: set[Key] = set()
    writes: set[Key] = set()
    seen: set[int] = set()
    todo = [hook.block]
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
                    todo.append(procedure.block)
                    todo += [h.block for h in (*procedure.before, *procedure.after)]
    return Touched(frozenset(reads), frozenset(adds), frozenset(writes))


def _added_by(statement: ir.S) -> set[Key]:
    """What a statement only adds to: the order of two such makes no difference."""
    match statement:
        case ir.AssignS(target=ir.StateX(state=state), operator="+=" | "-="):
            return {state_key(state)}
        case ir.MoveS(to=to) | ir.PlaceS(to=to) | ir.DrawS(to=to):
            where: Key = ("where", to.holds.kind.name, "")
            return {where} if to.holds.ordered else {where, place_key(to.holds)}
    return set()


def _asked_by(statement: ir.S) -> list[ir.X]:
    """The expressions a statement looks at itself; where it only writes to is no looking."""
    out: list[ir.X] = []
    for name in fields_of(type(statement)):
        value = getattr(statement, name)
        if name in ("target", "to", "result"):
            value = getattr(value, "of", None)
        if name == "alts":
            value = [(a.picks, a.many, [(c.condition, c.when, c.lifted) for c in a.clauses]) for a in value]
        out += [x for x in parts_in(value) if isinstance(x, ir.X)]
    return out


# ------------------------------------------------------------------ conditions that cannot both hold


def exclusive(a: ir.X | None, b: ir.X | None) -> bool:
    """Whether two conditions can be seen never to hold together: `x == 1` and `x == 2`, `p` and `not p`."""
    if a is None or b is None:
        return False
    for one in _parts(a):
        for other in _parts(b):
            if _denies(one, other) or _denies(other, one):
                return True
            left, right = _fixed(one), _fixed(other)
            if left is not None and right is not None and left[0] == right[0] and left[1] != right[1]:
                return True
    return False


def _parts(x: ir.X) -> list[ir.X]:
    return [p for part in x.parts for p in _parts(part)] if isinstance(x, ir.AndX) else [x]


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
