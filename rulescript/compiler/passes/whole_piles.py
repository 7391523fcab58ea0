"""Whether there is any piece at all in a place, as a question about a sort of pieces; loops over few, written out.

Before::

    any(True for v in BITS[S[383 + a] & M27[s]] if S[351 + v] != 0)
    sum({1 << s for s in BITS[3] if S[424 + a] & M15[s] != 0})

After::

    any(True for v in BITS[S[383 + a] & M27[s]] if S[351 + v] & 4294967295 != 0)     # a set, with `presence`
    (1 if S[424 + a] & M15[0] != 0 else 0) | (2 if S[424 + a] & M15[1] != 0 else 0)

A listing is a function that has to be made and called: for so few it takes longer than what is in it."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten

__all__ = ["few_written_out", "whole_piles"]

_MOST = 3


def whole_piles(unit: Unit) -> None:
    def change(code: c.Code) -> c.Code:
        code = c.altered(code, change)
        match code:
            case c.Listing(loops=loops):
                return evolve(
                    code,
                    loops=tuple(
                        c.Each(each.names, each.source, tuple(_asked(test, each.names, unit) for test in each.tests))
                        for each in loops
                    ),
                )
        return code

    unit.map(lambda function: evolve(function, body=rewritten(function.body, change)))


def _asked(test: c.Code, names: tuple[str, ...], unit: Unit) -> c.Code:
    match test:
        case c.Compare(
            sign="!=" | "==" as sign, left=c.Slot(base=base, at=c.Name(text=name)) as pile, right=c.Const(value=0)
        ) if name in names and base in unit.piles:
            return c.Compare(sign, pile & c.Const(unit.piles[base]), c.Const(0))
    return test


def few_written_out(unit: Unit) -> None:
    unit.map(lambda function: evolve(function, body=rewritten(function.body, _written_out)))


def _written_out(code: c.Code) -> c.Code:
    code = c.altered(code, _written_out)
    match code:
        case c.Call(
            function=c.Known(text="sum" | "any" as what),
            args=(
                c.Listing(
                    value=value,
                    loops=(
                        c.Each(
                            names=(name,),
                            source=c.Get(of=c.Known(text="BITS"), at=c.Const(value=int(mask))),
                            tests=tests,
                        ),
                    ),
                ),
            ),
        ) if 0 < mask.bit_count() <= _MOST and _is_alone(name, (value, *tests)):
            members = [at for at in range(mask.bit_length()) if mask >> at & 1]
            is_set = value == c.Const(1) << c.Name(name)
            if what == "any" and value == c.Const(True) and tests:
                return c.any_of([c.all_of(_with(name, at, tests)) for at in members])
            if what == "sum" and is_set and tests:
                out: c.Code | None = None
                for at in members:
                    one = c.Cond(c.all_of(_with(name, at, tests)), c.Const(1 << at), c.Const(0))
                    out = one if out is None else out | one
                assert out is not None
                return out
    return code


def _with(name: str, member: int, codes: tuple[c.Code, ...]) -> list[c.Code]:
    return [c.replaced(code, {name: c.Const(member)}) for code in codes]


def _is_alone(name: str, codes: tuple[c.Code, ...]) -> bool:
    """Whether no loop inside binds the same name again."""
    return not any(
        isinstance(each, c.Listing)
        and any(name in loop.names for loop in each.loops)
        or isinstance(each, c.Lambda)
        and name in each.params
        for code in codes
        for each in c.inside(code)
    )
