"""Dice matched with pieces, and several picked at once, with less in between.

Before::

    o = many_first(S, 92, 93, X, True) if many_start(S, 93, min(
        hits(S[9], [(A16[c], n) for c, n in IT_4[P]]), CN_4[Q])) else []

After::

    H0 = ((1, 4095), (2, 61440))     # for each face, the counters of the pieces that score on it
    z1 = hits_on(S[9], P, H0, CN_4)
    if z1:
        z2 = CN_4[Q]
        if z2 < z1: z1 = z2
    S[93] = z1
    o = []
    if z1 > 0:
        o = first_picks(S, 92, 93, X, True)

What can be picked comes from tables (`first_picks`, `next_picks`), and where nobody decides chance, dice are `rolled`.
How many pieces score on a face is read off the counters, only for faces that were rolled; and of two numbers that are
never negative the smaller is none if the first is. Needs that each piece scores on one face."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten

__all__ = ["dice_and_picks"]


def dice_and_picks(unit: Unit) -> None:
    made = _Picks(unit)
    unit.map(made.function)


class _Picks:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.count = 0

    def function(self, function: c.Function) -> c.Function:
        self.count = 0
        return evolve(function, body=self._body(rewritten(function.body, self._matched)))

    def _matched(self, code: c.Code) -> c.Code:
        code = c.altered(code, self._matched)
        match code:
            case c.Call(
                function=c.Known(text="hits"),
                args=(
                    dice,
                    c.Listing(
                        value=c.Tuple(items=(c.Get(of=c.Known(text=faces), at=c.Name(text=code_)), c.Name(text=many))),
                        loops=(c.Each(names=names, source=c.Get(of=c.Known(text=items), at=pile), tests=()),),
                    ),
                ),
            ) if names == (code_, many) and items.startswith("IT_"):
                table = self._by_face(faces, items[3:])
                if table is not None:
                    return c.call("hits_on", dice, pile, table, c.Known(f"CN_{items[3:]}"))
            case c.Call(function=c.Known(text="many_first" | "many_options" as text), args=args):
                return c.Call(c.Known("first_picks" if text == "many_first" else "next_picks"), args)
            case c.Call(function=c.Known(text="roll"), args=(_, state, count, sides, _)):
                return c.call("rolled", state, count, sides)
        return code

    def _by_face(self, faces: str, kind: str) -> c.Code | None:
        """Each face with the counters of the pieces that score on it; None if some score on several."""
        scores, fields = self.unit.values.get(faces), self.unit.values.get(f"FM_{kind}")
        if not isinstance(scores, tuple) or not isinstance(fields, tuple):
            return None
        if len(scores) != len(fields) or any(face.__class__ is not int for face in scores):
            return None
        found: dict[int, int] = {}
        for face, field in zip(scores, fields, strict=True):
            found[face] = found.get(face, 0) | field
        return self.unit.table(c.Const(tuple(found.items())), "H")

    def _body(self, body: c.Body) -> c.Body:
        out: c.Body = []
        for statement in body:
            match statement:
                case c.Store(
                    targets=(c.Name(text="o"),),
                    value=c.Cond(
                        test=c.Call(function=c.Known(text="many_start"), args=(_, c.Const(value=int(slot)), count)),
                        then=then,
                        other=c.List(items=()),
                    ),
                    sign="",
                ):
                    out += self._first(slot, count, then, statement)
                    continue
            inner = c.bodies(statement)
            out.append(c.with_bodies(statement, [self._body(each) for each in inner]) if inner else statement)
        return out

    def _first(self, slot: int, count: c.Code, then: c.Code, statement: c.Store) -> c.Body:
        origin = statement.origin
        out, wanted = self._counted(count, statement)
        picked = evolve(statement, value=then)
        return [
            *out,
            c.Store((c.Slot(slot),), wanted, origin=origin),
            evolve(statement, value=c.List(())),
            c.If(c.Compare(">", wanted, c.Const(0)), [picked], origin=origin),
        ]

    def _counted(self, count: c.Code, statement: c.Store) -> tuple[c.Body, c.Code]:
        origin = statement.origin
        wanted = self._name()
        match count:
            case c.Call(function=c.Known(text="min"), args=(first, second), named=()) if _are_numbers(first, second):
                other = self._name()
                less = c.If(c.Compare("<", other, wanted), [c.Store((wanted,), other, origin=origin)], origin=origin)
                return [
                    c.Store((wanted,), first, origin=origin),
                    c.If(wanted, [c.Store((other,), second, origin=origin), less], origin=origin),
                ], wanted
        return [c.Store((wanted,), count, origin=origin)], wanted

    def _name(self) -> c.Name:
        self.count += 1
        return c.Name(f"z{self.count}")


def _are_numbers(*codes: c.Code) -> bool:
    """Whether values count something: they are never negative."""
    for code in codes:
        match code:
            case c.Call(function=c.Known(text="hits" | "hits_on" | "len")):
                continue
            case c.Get(of=c.Known(text=text)) if text.startswith("CN_"):
                continue
        return False
    return True
