"""A loop over a list that is made on the spot is one loop.

Before::

    [52 + h << 16 | c for h in [g for g in BITS[S[41]] if S[10 + g] == 2] for c in CD_4[S[52 + h]]]

After::

    [52 + h << 16 | c for h in BITS[S[41]] if S[10 + h] == 2 for c in CD_4[S[52 + h]]]

and ``[(-100, v) for v in [A[x] for x in ...]]`` is ``[(-100, A[x]) for x in ...]``. There is no list in between, and
whoever looks at the tests (`presence`) sees what comes of each member. Where it is asked whether there is any, what is
gone through last without a question only has to be something: ``any(True for g in BITS[m] for c in CD_4[S[52 + g]])``
is ``any(True for g in BITS[m] if S[52 + g] != 0)``."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten

__all__ = ["flat", "flat_loops"]


def flat_loops(unit: Unit) -> None:
    def flattened(code: c.Code) -> c.Code:
        code = c.altered(code, flattened)
        match code:
            case c.Listing():
                return flat(code)
            case c.Call(function=c.Known(text="any"), args=(c.Listing(value=c.Const(value=True)) as listing,)):
                return evolve(code, args=(_shorter(listing, unit),))
        return code

    unit.map(lambda function: evolve(function, body=rewritten(function.body, flattened)))


def _shorter(listing: c.Listing, unit: Unit) -> c.Listing:
    """Loops that say whether there is any, without a last one that asks nothing."""
    while len(listing.loops) > 1 and not listing.loops[-1].tests:
        match listing.loops[-1].source:
            case c.Get(of=c.Known(text="BITS"), at=members):
                pass
            case c.Call(function=c.Known(text="many"), args=(c.Get(of=c.Known(text="BITS"), at=members), _)):
                pass
            case c.Get(of=c.Known(text=text), at=members) if text[:3] in ("CD_", "IT_") and isinstance(
                unit.values.get(f"FM_{text[3:]}"), tuple
            ):
                pass
            case _:
                return listing
        *loops, last = listing.loops[:-1]
        is_there = c.Compare("!=", members, c.Const(0))
        listing = evolve(listing, loops=(*loops, c.with_tests(last, (is_there,))))
    return listing


def flat(listing: c.Listing) -> c.Listing:
    loops: list[c.Each] = []
    is_changed = False
    for loop in listing.loops:
        match loop.source:
            case c.Listing(form="list", value=value, loops=inner) if (
                len(listing.loops) == 1
                and not loop.tests
                and len(loop.names) == 1
                and not isinstance(value, c.Name)
                and sum(1 for each in c.inside(listing.value) if each == c.Name(loop.names[0])) == 1
                and not any(isinstance(each, c.Listing | c.Lambda) for each in c.inside(listing.value))
            ):
                return c.Listing(listing.form, c.replaced(listing.value, {loop.names[0]: value}), inner)
            case c.Listing(form="list", value=c.Name(text=value), loops=(*inner, c.Each(names=(name,)) as last)) if (
                value == name and len(loop.names) == 1
            ):
                names: dict[str, c.Code] = {name: c.Name(loop.names[0])}
                tests = tuple(c.replaced(test, names) for test in last.tests)
                is_changed = True
                loops += [*inner, c.Each(loop.names, last.source, (*tests, *loop.tests))]
            case _:
                loops.append(loop)
    return evolve(listing, loops=tuple(loops)) if is_changed else listing
