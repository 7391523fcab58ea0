"""A loop that gives things a state goes only over those for which that changes anything (a part of `presence`).

Before::

    for S[121] in BITS[~S[37]]:
        if S[52 + S[121]] & B41 != 0:
            i = S[121]; v = 2
            if S[10 + i] != v:
                S[37 + S[10 + i]] &= ~(1 << i); S[37 + v] |= 1 << i; S[10 + i] = v
        elif S[10 + S[121]] == 1: ...
    for S[118] in BITS[S[43]]:
        S[41] |= 1 << S[118]

After::

    for S[121] in BITS[~S[37] & (S[127] & ~S[39] | S[38] & ~S[127])]: ...
    S[41] |= S[43]

Needs that what is done for one thing changes nothing but its own states, so that what is asked of the others is the
same before the first round; and that each test can be asked of all things at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import set_of, with_set

if TYPE_CHECKING:
    from rulescript.compiler.passes.presence import Presence

__all__ = ["only_changed"]


def only_changed(presence: Presence, loop: c.Statement) -> c.Statement:
    match loop:
        case c.For(targets=(c.Name() | c.Slot(at=None) as member,), source=source, body=body, other=[]):
            found = set_of(source)
        case _:
            return loop
    if found is None:
        return loop
    match body:
        case [c.Store(targets=(c.Slot(at=None) as target,), value=value, sign="|") as added]:
            if value == 1 << member and target != member:
                return evolve(added, value=found)
        case [c.If() as chain] if _is_own(body, member, presence):
            mask = _changing([chain], member, presence)
            if mask is not None:
                return evolve(loop, source=with_set(source, mask))
    return loop


def _changing(body: c.Body, member: c.Code, presence: Presence) -> c.Code | None:
    """The members for which a chain of conditions changes anything; None if that cannot be said at once."""
    parts: list[c.Code] = []
    before: c.Code | None = None  # those for which a condition further up holds
    while body:
        match body:
            case [c.If(test=test, then=then, other=other)]:
                asked = presence.test(test, member)
            case _:
                return None
        if asked is None:
            return None
        same = _has_already(then, member, presence)
        here = asked & ~same if same is not None else asked
        if then:  # it may have done what only a journal tells
            parts.append(here if before is None else here & ~before)
        before = asked if before is None else before | asked
        body = other
    if not parts:
        return None
    mask = parts[0]
    for part in parts[1:]:
        mask = mask | part
    return mask


def _has_already(then: c.Body, member: c.Code, presence: Presence) -> c.Code | None:
    """The things that have the value already that they are given."""
    match then:
        case [
            c.Store(targets=(c.Name() as thing,), value=of, sign=""),
            c.Store(targets=(c.Name() as name,), value=value, sign=""),
            c.If(test=c.Compare(sign="!=", left=c.Slot(base=base, at=at), right=right), other=[]),
        ] if of == member and at == thing and right == name:
            return presence.having(base, value, member)
    return None


def _is_own(body: c.Body, member: c.Code, presence: Presence) -> bool:
    """Whether statements change nothing but states of one thing, and the sets that say who has which value."""
    sets = presence.unit.sets
    same: set[c.Code] = {member}
    for statement in c.statements(body):
        match statement:
            case c.If():
                continue
            case c.Store(targets=(c.Slot(base=slot, at=None),), value=c.Const(value=None)):
                if slot < presence.unit.size:  # what is kept besides is only forgotten
                    return False
            case c.Store(targets=(c.Name() as name,), value=value, sign=""):
                if value in same:
                    same.add(name)
                else:
                    same.discard(name)
            case c.Store(targets=(c.Slot(base=base, at=c.Code() as at),)) if base in sets and at in same:
                continue
            case c.Store(targets=(c.Slot(base=base, at=c.Code()),), value=value, sign="&" | "|" as sign):
                if base not in sets.values() or not any(
                    value == (1 << each if sign == "|" else ~(1 << each)) for each in same
                ):
                    return False
            case _:
                return False
    asked = [code for statement in c.statements(body) for code in c.expressions(statement)]
    return not any(isinstance(each, c.Call) for code in asked for each in c.inside(code))
