"""A loop over a list that is made on the spot is one loop.

Before::

    [52 + h << 16 | c for h in [g for g in BITS[S[41]] if S[10 + g] == 2] for c in CD_4[S[52 + h]]]

After::

    [52 + h << 16 | c for h in BITS[S[41]] if S[10 + h] == 2 for c in CD_4[S[52 + h]]]

and ``[(-100, v) for v in [A[x] for x in ...]]`` is ``[(-100, A[x]) for x in ...]``. There is no list in between, and
whoever looks at the tests (`presence`) sees what comes of each member."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten

__all__ = ["flat_loops"]


def flat_loops(unit: Unit) -> None:
    unit.map(lambda function: evolve(function, body=rewritten(function.body, _flattened)))


def _flattened(code: c.Code) -> c.Code:
    code = c.altered(code, _flattened)
    return _flat(code) if isinstance(code, c.Listing) else code


def _flat(listing: c.Listing) -> c.Listing:
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
