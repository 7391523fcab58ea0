"""A list of pieces to choose from is kept from one choice to the next, and mended.

Before::

    i12 = r2_at(S)
    o = [*[52 + x << 16 | c for x in BITS[M33[S[6]]] if i12[x] for c in CD_4[S[52 + x] & B35]], -2]
    ...
    S[i] -= UN_4[c]

After::

    o = S[140]
    if o is None:
        i12 = r2_at(S)
        o = [*[52 + x << 16 | c for x in BITS[M33[S[6]]] if i12[x] for c in CD_4[S[52 + x] & B35]], -2]
        S[140] = o
    ...
    S[i] -= UN_4[c]
    if not S[i] & FM_4[c]:
        if S[140]: S[140] = without_option(S[140], i << 16 | c)

Whoever moves pieces one after the other is asked again and again, and each time the list is nearly the one before. When
the last piece of its sort leaves a place, the one option that named it is taken out. When a piece that may be listed
comes to a place that may be listed, when many change at once, and when a state changes that the list depends on, the
slot is emptied. Needs that besides states the list depends on nothing but the pieces it names, and that lists of
options are values (`option_values`)."""

from __future__ import annotations

from attrs import evolve, frozen

from rulescript.compiler import code as c
from rulescript.compiler.passes.forgetting import Forgetting
from rulescript.compiler.passes.kept_tables import key_of
from rulescript.compiler.passes.place_changes import PlaceChanges
from rulescript.compiler.passes.unit import Unit

__all__ = ["kept_lists"]

# More lists would make every move slower.
_MOST = 8


@frozen
class _List:
    """A list: from which places, of which counters, by which states; its slot."""

    places: range
    counters: int
    reads: frozenset[int]
    slot: int


class _Unknown(Exception):
    """Not a list that can be kept."""


def kept_lists(unit: Unit) -> None:
    made = _Lists(unit)
    unit.map(lambda function: evolve(function, body=made.used(function.body)))
    if made.lists:
        unit.map(made.watched)
        forgetting = Forgetting(unit)
        forgetting.depends = {kept.slot: kept.reads for kept in made.lists.values()}
        forgetting.run()


class _Lists(PlaceChanges):
    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.lists: dict[c.Code, _List] = {}
        self.keys = {function.name: key_of(function) for function in unit.functions}

    # -------------------------------------------------------------- finding and using them

    def used(self, body: c.Body) -> c.Body:
        out: c.Body = []
        for at, statement in enumerate(body):
            match statement:
                case c.Store(targets=(c.Name(text="o"),), value=value, sign=""):
                    names = _names_before(out, body[at + 1 :])
                    kept = self._kept(value, names)
                    if kept is not None:
                        inside = out[len(out) - len(names) :]
                        del out[len(out) - len(names) :]
                        slot = c.Slot(kept.slot)
                        noted = c.Store((slot,), c.OPTIONS, origin=statement.origin)
                        out.append(c.Store((c.OPTIONS,), slot, origin=statement.origin))
                        out.append(c.If(c.OPTIONS.is_nothing(), [*inside, statement, noted], origin=statement.origin))
                        continue
            inner = c.bodies(statement)
            out.append(c.with_bodies(statement, [self.used(each) for each in inner]) if inner else statement)
        return out

    def _kept(self, value: c.Code, names: dict[str, c.Code]) -> _List | None:
        """The slot of a list, if it can be kept."""
        listing: c.Code = value
        if isinstance(value, c.List) and value.items and isinstance(value.items[0], c.Spread):
            if not all(isinstance(item, c.Const | c.Minus) for item in value.items[1:]):
                return None
            listing = value.items[0].of
        if not isinstance(listing, c.Listing) or listing.form != "list":
            return None
        key = c.replaced(value, names)
        if key in self.lists:
            return self.lists[key]
        try:
            found = self._list(listing, names)
        except _Unknown:
            return None
        if len(self.lists) >= _MOST:
            return None
        self.lists[key] = evolve(found, slot=self.unit.slot(c.Const(None)))
        return self.lists[key]

    def _list(self, listing: c.Listing, names: dict[str, c.Code]) -> _List:
        reads: set[int] = set()
        member: str | None = None
        match listing.loops:
            case (c.Each(names=(member,), source=source, tests=tests), c.Each(names=(code,), source=pieces, tests=())):
                self._states(source, names, "", reads)
            case (c.Each(names=(code,), source=pieces, tests=()),):
                tests = ()
            case _:
                raise _Unknown
        match listing.value, pieces:
            case (
                c.Op(sign="|", left=c.Op(sign="<<", left=c.Op(sign="+", left=c.Const(value=int(first)), right=owner))),
                c.Get(of=c.Known(text=table), at=pile),
            ) if table.startswith("CD_") and listing.value.right == c.Name(code):
                pass
            case _:
                raise _Unknown
        if first not in self.runs or first not in self.unit.places or member is not None and owner != c.Name(member):
            raise _Unknown
        if member is None:
            self._states(owner, names, "", reads)
        place = c.Slot(first, owner)
        counters = -1
        for factor in c.factors(pile):
            if factor != place:
                self._states(factor, names, "", reads)
                counters &= self._counters(factor, names)
        if place not in c.factors(pile):
            raise _Unknown
        for test in (part for each in tests for part in (each.parts if isinstance(each, c.All) else (each,))):
            if test not in (pile, c.Compare("!=", pile, c.Const(0))):
                self._states(test, names, member or "", reads)
        if not reads:
            raise _Unknown
        return _List(self.runs[first], counters, frozenset(reads), 0)

    def _states(self, code: c.Code, names: dict[str, c.Code], member: str, reads: set[int]) -> None:
        """Note the states that an expression depends on; it must not depend on anything else."""
        for each in c.inside(code):
            match each:
                case c.Name(text=text) if text != member and text != "S":
                    if text not in names:
                        raise _Unknown
                    self._states(names[text], names, member, reads)
                case c.Slot(base=base, at=at):
                    slots = {base} if at is None else set(self.runs.get(base, ())) or {-1}
                    if not slots <= self.unit.states:
                        raise _Unknown
                    reads |= slots
                case c.Call(function=c.Known(text=text), args=args):
                    if not self.keys.get(text) or args != (c.STATE,) or not self.keys[text] <= self.unit.states:
                        raise _Unknown
                    reads |= self.keys[text]
                case c.Listing() | c.Lambda() | c.Method():
                    raise _Unknown

    def _counters(self, mask: c.Code, names: dict[str, c.Code]) -> int:
        """All counters that a mask may have."""
        match mask:
            case c.Const(value=int(value)):
                return value
            case c.Name(text=text) if text in names:
                return self._counters(names[text], names)
            case c.Known(text=text) | c.Get(of=c.Known(text=text)):
                known = self.unit.values.get(text)
                values = known if isinstance(known, tuple) else (known,)
                if all(isinstance(each, int) for each in values):
                    found = 0
                    for each in values:
                        found |= each
                    return found
            case c.Op(sign="&", left=left, right=right):
                return self._counters(left, names) & self._counters(right, names)
        return -1

    # -------------------------------------------------------------- mending them

    def left(self, place: c.Code, units: str, code: c.Code, statement: c.Statement) -> c.Body:
        """What a piece that leaves means; it may have been the last of its sort."""
        then: c.Body = []
        for kept in self.lists.values():
            if self.may_be_at(place, kept.places):
                slot = c.Slot(kept.slot)
                gone = c.call("without_option", slot, place << self.unit.shift | code)
                here = c.Between(c.Const(kept.places.start), place, c.Const(kept.places.stop - 1))
                test = slot if self.is_always_at(place, kept.places) else c.All((slot, here))
                then.append(c.If(test, [c.Store((slot,), gone)], origin=statement.origin))
        is_last = c.Not(c.Slot(0, place) & c.Known(f"FM_{units}")[code])
        return [c.If(is_last, then, origin=statement.origin)] if then else []

    def came(self, at: c.Code, value: c.Code | None, statement: c.Statement) -> c.Body:
        comes = self.coming(value)
        return [
            c.Store((c.Slot(kept.slot),), c.Const(None), origin=statement.origin)
            for kept in self.lists.values()
            if self.may_be_at(at, kept.places) and comes & kept.counters
        ]


def _names_before(before: c.Body, after: c.Body) -> dict[str, c.Code]:
    """The names that were bound just before, and are of no use after."""
    later = {name for s in c.statements(after) for code in c.expressions(s) for name in c.names_in(code)}
    found: dict[str, c.Code] = {}
    for statement in reversed(before):
        match statement:
            case c.Store(targets=(c.Name(text=name),), value=value, sign="", is_tuple=False) if (
                name not in later and name not in found and name != "o"
            ):
                found[name] = value
            case _:
                break
    return found
