"""A set of one member is looked up.

Before::

    S[37] |= 1 << v4

After::

    K9 = tuple([1 << i for i in range(136)])

    S[37] |= K9[v4]

To shift makes a number, which takes twice as long as to find one that is there. What is set is a thing of a kind or a
slot, so it is known how far the table must go. Comes last: for the passes before it, a set of one is one that is
shifted to."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten, with_targets

__all__ = ["sets_of_one"]

# The sets of one of so many members have a megabyte.
_MOST = 4_000


def sets_of_one(unit: Unit) -> None:
    most = max(unit.size + len(unit.kept), unit.largest)
    if most > _MOST:
        return
    number = c.Name("i")
    each = c.Listing("list", c.Const(1) << number, (c.Each((number.text,), c.call("range", most)),))
    table = unit.table(c.call("tuple", each), "K")

    def looked_up(code: c.Code) -> c.Code:
        code = c.altered(code, looked_up)
        match code:
            case c.Op(sign="<<", left=c.Const(value=1), right=at) if not isinstance(at, c.Const):
                return table[at]
        return code

    unit.map(
        lambda function: evolve(
            function, body=[with_targets(each, looked_up) for each in rewritten(function.body, looked_up)]
        )
    )
