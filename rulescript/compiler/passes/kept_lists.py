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
slot is emptied. What may be taken at any time is added to the options of nearly every choice, so it is kept likewise,
by itself. Needs that besides states the list depends on nothing but the pieces it names, and that lists of options are
values (`option_values`)."""

from __future__ import annotations

from attrs import evolve, frozen

from rulescript.compiler import code as c
from rulescript.compiler.passes.forgetting import Forgetting
from rulescript.compiler.passes.kept_tables import key_of
from rulescript.compiler.passes.place_changes import PlaceChanges
from rulescript.compiler.passes.unit import Unit, bound_in

__all__ = ["kept_lists"]

# More lists would make every move slower.
_MOST = 8


@frozen
class _List:
    """A list: from which places, of which counters, by which states; its slot. `way`: what stands before each piece, of
    those that may be taken at any time."""

    places: range
    counters: int
    reads: frozenset[int]
    slot: int
    way: c.Code | None

    def option(self, piece: c.Code) -> c.Code:
        return piece if self.way is None else c.Tuple((self.way, piece))


class _Unknown(Exception):
    """Not a list that can be kept."""


def kept_lists(unit: Unit) -> None:
    made = _Lists(unit)
    unit.map(lambda function: evolve(function, body=made.used(function.body, {})))
    unit.functions += made.written.values()
    if made.lists:
        unit.map(made.watched)
        forgetting = Forgetting(unit)
        forgetting.depends = {kept.slot: kept.reads for kept in made.lists.values()}
        forgetting.run()


class _Lists(PlaceChanges):
    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.lists: dict[c.Code, _List] = {}
        self.written: dict[str, c.Function] = {}
        self.keys = {function.name: key_of(function) for function in unit.functions}
        self.pure = {function.name for function in unit.functions if function.sort == "pure"}

    # -------------------------------------------------------------- finding and using them

    def used(self, body: c.Body, around: dict[str, c.Code]) -> c.Body:
        """A body with the lists that are kept; `around` are names bound before, of what still is so."""
        out: c.Body = []
        known = dict(around)
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
                    out += self._with_more(statement, value, known) or [statement]
                    continue
            self._still_known(known, statement)
            inner = c.bodies(statement)
            if inner:
                statement = c.with_bodies(statement, [self.used(each, known) for each in inner])
            out.append(statement)
        return out

    def _still_known(self, known: dict[str, c.Code], statement: c.Statement) -> None:
        """What names stand for after a statement, and inside it: all that was known, if it does not write to the
        state."""
        for each in c.statements([statement]):
            is_quiet = isinstance(each, c.Store | c.If | c.Alone | c.Jump | c.Return | c.Ask)
            targets = each.targets if isinstance(each, c.Store) else ()
            if not is_quiet or not all(isinstance(target, c.Name) for target in targets):
                known.clear()
                return
            if not all(self._only_looks(code) for code in c.expressions(each)):
                known.clear()
                return
        for name in bound_in(statement):
            known.pop(name, None)
        match statement:
            case c.Store(targets=(c.Name(text=name),), value=value, sign=""):
                known[name] = value

    def _only_looks(self, code: c.Code) -> bool:
        for each in c.inside(code):
            match each:
                case c.Call(function=c.Known(text=text)) if text in self.pure:
                    pass
                case c.Call() | c.Method(args=tuple()) if not isinstance(each, c.Method) or each.method != "bit_count":
                    return False
        return True

    def _with_more(self, statement: c.Store, value: c.Code, known: dict[str, c.Code]) -> c.Body | None:
        """Options to which others are added that may be taken at any time: these are kept by themselves."""
        match value:
            case c.List(items=(c.Spread(of=c.Name(text="o")), c.Spread(of=c.Listing(value=c.Tuple()) as listing))):
                kept = self._kept(listing, known)
            case _:
                return None
        if kept is None:
            return None
        slot, more, origin = c.Slot(kept.slot), c.Name("more"), statement.origin
        name = f"more{kept.slot}"
        if name not in self.written:
            made: c.Body = [c.Store((more,), c.replaced(listing, known)), c.Store((slot,), more), c.Return(more)]
            self.written[name] = c.Function(name, ("S",), made, "pure", origin=origin)
        return [
            c.Store((more,), slot, origin=origin),
            c.If(more.is_nothing(), [c.Store((more,), c.call(name, c.STATE), origin=origin)], origin=origin),
            c.Store((c.OPTIONS,), c.List((c.Spread(c.OPTIONS), c.Spread(more))), origin=origin),
        ]

    def _kept(self, value: c.Code, names: dict[str, c.Code]) -> _List | None:
        """The slot of a list, if it can be kept."""
        listing: c.Code = value
        if isinstance(value, c.List) and value.items and isinstance(value.items[0], c.Spread):
            if not all(isinstance(item, c.Const | c.Minus) for item in value.items[1:]):
                return None
            listing = value.items[0].of
        if not isinstance(listing, c.Listing) or listing.form != "list":
            return None
        key = _with_same_names(c.replaced(value, names))
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
        way, option = None, listing.value
        if isinstance(option, c.Tuple) and len(option.items) == 2 and isinstance(option.items[0], c.Const):
            way, option = option.items
        match option, pieces:
            case (
                c.Op(sign="|", left=c.Op(sign="<<", left=c.Op(sign="+", left=c.Const(value=int(first)), right=owner))),
                c.Get(of=c.Known(text=table), at=pile),
            ) if table.startswith("CD_") and isinstance(option, c.Op) and option.right == c.Name(code):
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
        return _List(self.runs[first], counters, frozenset(reads), 0, way)

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
                gone = c.call("without_option", slot, kept.option(place << self.unit.shift | code))
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


def _with_same_names(code: c.Code) -> c.Code:
    """What a list is known by: whatever its loops call their members."""
    loops = [loop for each in c.inside(code) if isinstance(each, c.Listing) for loop in each.loops]
    names = {name: f"m{at}" for at, name in enumerate(name for loop in loops for name in loop.names)}

    def renamed(part: c.Code) -> c.Code:
        match part:
            case c.Name(text=text):
                return c.Name(names.get(text, text))
            case c.Listing(form=form, value=value, loops=inner):
                made = [
                    c.Each(
                        tuple(names[name] for name in each.names), renamed(each.source), tuple(map(renamed, each.tests))
                    )
                    for each in inner
                ]
                return c.Listing(form, renamed(value), tuple(made))
        return c.altered(part, renamed)

    return renamed(code)


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
