"""A piece that is moved and changes its state there is put there in its new state.

Before::

    S[d] += UN_4[c]
    S[116] = d << 16 | c
    i = S[116]; c = i & 65535; i >>= 16
    v = X37[1][c]
    if not S[i] & FM_4[c]: stale('Tile')
    S[i] += UN_4[v] - UN_4[c]
    S[116] = i << 16 | v

After::

    i = d
    v = X37[1][c]
    S[d] += UN_4[v]
    S[116] = d << 16 | v

It is where it was put a moment ago, so nobody has to look for it. Needs that its new state depends on nothing that
changes meanwhile."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit

__all__ = ["put_changed"]

_LONG = 9


def put_changed(unit: Unit) -> None:
    unit.map(lambda function: evolve(function, body=_put(function.body)))


def _put(body: c.Body) -> c.Body:
    out: c.Body = []
    at = 0
    while at < len(body):
        made = _at_once(body[at : at + _LONG])
        if made is not None:
            out += made
            at += _LONG
            continue
        statement = body[at]
        inner = c.bodies(statement)
        out.append(c.with_bodies(statement, [_put(each) for each in inner]) if inner else statement)
        at += 1
    return out


def _at_once(body: c.Body) -> c.Body | None:
    d, i, code, v = c.Name("d"), c.Name("i"), c.Name("c"), c.Name("v")
    match body:
        case [
            c.Store(
                targets=(c.Slot(base=0, at=c.Name(text="d")),), value=c.Get(of=units, at=c.Name(text="c")), sign="+"
            ),
            c.Store(targets=(where,), value=c.Op(sign="|", left=c.Op(sign="<<", right=shift)) as put, sign=""),
            c.Store(targets=(c.Name(text="i"),), value=found, sign=""),
            c.Store(targets=(c.Name(text="c"),), value=c.Op(sign="&", left=c.Name(text="i")), sign=""),
            c.Store(targets=(c.Name(text="i"),), sign=">>"),
            c.Store(targets=(c.Name(text="v"),), value=new, sign="") as becomes,
            c.If(then=[c.Do(value=c.Call(function=c.Known(text="stale")))], other=[]),
            c.Store(targets=(c.Slot(base=0, at=c.Name(text="i")),), value=change, sign="+") as changed,
            c.Store(targets=(last,), value=again, sign="") as noted,
        ] if where == found == last:
            if put != d << shift | code or change != units[v] - units[code] or again != i << shift | v:
                return None
            if not _is_fixed(new):
                return None
            return [
                c.Store((i,), d, origin=becomes.origin),
                becomes,
                evolve(changed, targets=(c.Slot(0, d),), value=units[v]),
                evolve(noted, value=d << shift | v),
            ]
    return None


def _is_fixed(code: c.Code) -> bool:
    """Whether a value depends on the code of the piece and constants alone."""
    return all(
        isinstance(each, c.Const | c.Known | c.Get) or isinstance(each, c.Name) and each.text == "c"
        for each in c.inside(code)
    )
