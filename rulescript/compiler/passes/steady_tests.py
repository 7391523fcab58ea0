"""A test that comes out alike for all members of a loop is asked once.

Before::

    o = [*[52 + S[95] << 16 | c for c in CD_4[S[52 + S[95]]] if i4 != 0], -2]

After::

    if i4 != 0: o = [*[52 + S[95] << 16 | c for c in CD_4[S[52 + S[95]]]], -2]
    else: o = [-2]

So the list itself depends on fewer values, and can be looked up by them (`memos`). Only tests of names and numbers:
they can be asked also where there is nothing to go through."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit

__all__ = ["steady_tests"]


def steady_tests(unit: Unit) -> None:
    unit.map(lambda function: evolve(function, body=_asked_once(function.body)))


def _asked_once(body: c.Body) -> c.Body:
    out: c.Body = []
    for statement in body:
        listing: c.Code | None = None
        more: tuple[c.Code, ...] = ()
        match statement:
            case c.Store(targets=(c.Name(),), value=c.List(items=(c.Spread(of=listing), *rest)), sign=""):
                more = tuple(rest)
            case c.Store(targets=(c.Name(),), value=listing, sign=""):
                pass
        if isinstance(statement, c.Store) and isinstance(listing, c.Listing) and listing.form == "list":
            tests, listed = _without(listing)
            if tests:
                some = evolve(statement, value=c.List((c.Spread(listed), *more)) if more else listed)
                none = evolve(statement, value=c.List(more))
                out.append(c.If(c.all_of(tests), [some], [none], origin=statement.origin))
                continue
        inner = c.bodies(statement)
        out.append(c.with_bodies(statement, [_asked_once(each) for each in inner]) if inner else statement)
    return out


def _without(listing: c.Listing) -> tuple[list[c.Code], c.Listing]:
    """The tests that are always the same, and the listing without them."""
    bound = {name for each in listing.loops for name in each.names}
    tests: list[c.Code] = []
    loops: list[c.Each] = []
    for each in listing.loops:
        steady = [test for test in each.tests if not c.names_in(test) & bound and _is_certain(test)]
        tests += steady
        loops.append(c.Each(each.names, each.source, tuple(test for test in each.tests if test not in steady)))
    return tests, evolve(listing, loops=tuple(loops)) if tests else listing


def _is_certain(test: c.Code) -> bool:
    match test:
        case c.Compare(sign="==" | "!=", left=c.Name(), right=c.Const()) | c.Name():
            return True
    return False
