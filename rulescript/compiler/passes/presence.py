"""Where pieces of which sort stand, as masks kept with the position: loops go only over places that matter.

Before::

    o = [v for v in BITS[S[41]] if S[52 + v] & M12[S[6]] != 0 and S[10 + v] == 2]
    if any(True for v in BITS[L19[S[95]]] if S[52 + v] & B27 != 0): ...
    S[i] -= UN_4[c]

After::

    if S[125]: find_present(S, 125, 52, Q1)
    o = [v for v in BITS[S[41] & S[126 + S[6]]] if S[10 + v] == 2]
    if S[125]: find_present(S, 125, 52, Q1)
    if L19[S[95]] & S[128] != 0: ...
    S[i] -= UN_4[c]
    if not S[i] & QM_1[c]: S[QC_1[c]] &= QN52[i]

For each sort of pieces that is asked for (`B27`, or each entry of a table such as `M12`) there is a slot with the set
of places that have any of it. A piece that comes or goes changes its set at once; any other change of a place is only
noted (``S[125] |= QB52[i]``), and the sets are brought up to date when they are asked for: where nothing is changed at
once, by comparing with what lay there (`mend_present`). Where places are only passed over because nothing would come of
them, the set of a wider sort does as well, so that fewer are kept. Needs that every change of a place is a statement of
its own, or a call that the table below knows. Keeps the order of options."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.only_changed import only_changed
from rulescript.compiler.passes.sorts_kept import SortsKept, values_of
from rulescript.compiler.passes.unit import Unit, bound_in, set_of, with_set

__all__ = ["presence_masks"]

# A place has at most so many sorts, and a kind with places so many members: otherwise keeping them costs too much.
_MOST_SORTS = 40
_FEWEST_PLACES = 6


def presence_masks(unit: Unit) -> None:
    runs = [run for run in unit.runs if run.start in unit.places and len(run) >= _FEWEST_PLACES]
    counted = {function.name: _counted_from(function) for function in unit.functions}
    kept = [found for run in runs if (found := Presence(unit, run)).is_used(counted)]
    for each in kept:
        SortsKept(each).keep()


class Presence:
    """The sorts of pieces in one run of places, used where they help; that they stay true is seen to by `SortsKept`."""

    def __init__(self, unit: Unit, run: range) -> None:
        self.unit = unit
        self.run = run
        self.slots: dict[int, int] = {}  # where the set of each sort is
        self.sorts: dict[c.Code, c.Code] = {}
        self.changed = 0
        self.names: dict[str, c.Code] = {}
        self.asked = False
        self.is_looking = False  # only for what is asked
        self.is_wider = False  # the set found last may have more places than asked for
        self.starts = frozenset(other.start for other in unit.runs)

    def is_used(self, counted: Mapping[str, frozenset[int]]) -> bool:
        """Use the masks wherever they help; whether there is such a place."""
        self.changed = self.unit.slot(c.Const((1 << len(self.run)) - 1))
        self.unit.slot(c.Const(0))  # for pieces of no sort
        self._look(counted)
        functions = [self._used(function) for function in self.unit.functions]
        if not self.sorts:
            del self.unit.kept[-2:]
            return False
        self.unit.functions = functions
        return True

    def _look(self, counted: Mapping[str, frozenset[int]]) -> None:
        """Find the families of sorts that are asked for. A sort that is one of a family needs no set of its own."""
        self.is_looking = True
        for function in self.unit.functions:
            if self.run.start in counted[function.name]:
                self._used(function)
        self.is_looking = False
        asked = [key.value for key in self.sorts if isinstance(key, c.Const)]
        self.sorts = {}
        for sorts in asked:
            if len(sorts) > 1 or not any(len(other) > 1 and sorts[0] in other for other in asked):
                self._family(sorts)

    # -------------------------------------------------------------- using the masks

    def _used(self, function: c.Function) -> c.Function:
        self.names = {}
        body = self._body(function.body)
        return function if body is function.body else evolve(function, body=body)

    def _body(self, body: c.Body) -> c.Body:
        out: c.Body = []
        is_changed = False
        for statement in body:
            self.asked = False
            new = self._statement(statement)
            if self.asked:
                out.append(c.If(c.Slot(self.changed), [c.Do(self.renewed())], origin=statement.origin))
            is_changed = is_changed or self.asked or new is not statement
            out.append(new)
        return out if is_changed else body

    def renewed(self) -> c.Code:
        sorts = c.Known(f"QS{self.run.start}")
        return c.call("find_present", c.STATE, self.changed, self.run.start, sorts)

    def _statement(self, statement: c.Statement) -> c.Statement:
        match statement:
            case c.Store(targets=(c.Name(text=name),), value=value, sign=""):
                self.names[name] = value
            case c.Store() | c.Do():
                self.names = self._still_known(statement)
        inner = c.bodies(statement)
        if inner:
            asked, names = self.asked, self.names
            made = []
            for each in inner:
                self.names = dict(names)
                made.append(self._body(each))
            self.asked, self.names = asked, names
            self.names = self._still_known(statement)
            if any(new is not old for new, old in zip(made, inner, strict=True)):
                statement = c.with_bodies(statement, made)
        match statement:
            case c.Store(value=value) | c.Do(value=value) | c.Return(value=value):
                new = self._code(value)
                return statement if new is value else evolve(statement, value=new)
            case c.If(test=test):
                new = self._code(test)
                return statement if new is test else evolve(statement, test=new)
            case c.For(source=source):
                new = self._code(source)
                return only_changed(self, statement if new is source else evolve(statement, source=new))
            case c.Alone(tests=tests):
                return evolve(statement, tests=tuple(map(self._code, tests)))
        return statement

    def _still_known(self, statement: c.Statement) -> dict[str, c.Code]:
        """The names that mean the same after a statement: it binds no other, and sets nothing they were worked out
        from."""
        bound, written = bound_in(statement), set()
        for each in c.statements([statement]):
            match each:
                case c.Store(targets=targets) | c.For(targets=targets):
                    written |= {target.base for target in targets if isinstance(target, c.Slot)}
                case c.Do():
                    return {}
            if any(isinstance(part, c.Call) for code in c.expressions(each) for part in c.inside(code)):
                return {}
        return {
            name: code
            for name, code in self.names.items()
            if name not in bound
            and all(slot.at is None and slot.base not in written for slot in c.inside(code) if isinstance(slot, c.Slot))
        }

    def _code(self, code: c.Code) -> c.Code:
        code = c.altered(code, self._code)
        match code:
            case c.Call(function=c.Known(text="sum" | "any"), args=(c.Listing(value=c.Op()) as listing,)):
                narrow = self._adding(listing)
                if narrow is not None:
                    return c.Call(code.function, (narrow,))
        match code:
            case c.Listing(loops=loops):
                made = list(loops)
                for at, each in enumerate(loops):
                    if len(each.names) == 1 and set_of(each.source) is not None:
                        made[at] = self._narrowed(each, code, at)
                if any(new is not old for new, old in zip(made, loops, strict=True)):
                    code = evolve(code, loops=tuple(made))
                return _as_set(code)
            case c.Call(function=c.Known(text="any"), args=(c.Listing(value=c.Const(value=True), loops=(each,)),)):
                found = set_of(each.source)
                if found is not None and not each.tests:
                    return c.Compare("!=", found, c.Const(0))
            case c.Call(
                function=c.Known(text="sum"),
                args=(
                    c.Listing(value=c.Op(sign="<<", left=c.Const(value=1), right=c.Name(text=member)), loops=(each,)),
                ),
            ) if each.names == (member,) and not each.tests:
                found = set_of(each.source)
                if found is not None:
                    return found
        return code

    def _adding(self, listing: c.Listing) -> c.Listing | None:
        """A sum over places, over those that add anything to it."""
        each = listing.loops[0]
        if self.is_looking or len(listing.loops) + len(each.names) != 2 or set_of(each.source) is None:
            return None
        found = self._present(listing.value, c.Name(each.names[0]), True)
        if found is None or found in c.factors(set_of(each.source) or found):
            return None
        return evolve(listing, loops=(c.Each(each.names, with_set(each.source, found), each.tests),))

    def _narrowed(self, each: c.Each, listing: c.Listing, at: int) -> c.Each:
        """A loop over places, over those that pass its tests about pieces; also where nothing would come of others."""
        member = c.Name(each.names[0])
        mask: c.Code | None = None
        left: list[c.Code] = []
        is_loop = at + 1 < len(listing.loops)  # there is a loop over the places, whatever is known of them
        parts = [test.parts if isinstance(test, c.All) else (test,) for test in each.tests]
        for test in (part for several in parts for part in several):
            self.is_wider = False
            found = self.test(test, member, is_loop)
            # A test before this one may be there so that this one cannot fail; a set never does.
            if found is None or self.is_wider:
                left.append(test)
            if found is not None:
                mask = found if mask is None else mask & found
        for later in () if self.is_looking else listing.loops[at + 1 :]:
            match later.source:
                case c.Get(of=c.Known(text=table), at=pile) if table[:3] in ("CD_", "IT_"):
                    found = self._looked_through(pile, member)
                    if found is not None and (mask is None or found not in c.factors(mask)):
                        mask = found if mask is None else mask & found
        if mask is None:
            return each
        return c.Each(each.names, with_set(each.source, mask), tuple(left))

    def test(self, test: c.Code, member: c.Code, or_wider: bool = False) -> c.Code | None:
        """The set of places that pass a test; with `or_wider`, or one that has some more."""
        match test:
            case c.Compare(sign="!=", left=pile, right=c.Const(value=0)):
                return self._present(pile, member, or_wider)
            case c.Compare(sign="==", left=pile, right=c.Const(value=0)) | c.Not(of=pile):
                found = self._present(pile, member)
                return ~found if found is not None else None
            case c.Compare(sign="==", left=c.Slot(base=base, at=at), right=value) if at == member:
                # A state with few values has a set for each of them.
                return self.having(base, value, member)
            case c.Any_(parts=parts) | c.All(parts=parts):
                sets = [self.test(part, member) for part in parts]
                known = [each for each in sets if each is not None]
                if len(known) < len(sets):
                    return None
                mask = known[0]
                for each in known[1:]:
                    mask = mask | each if isinstance(test, c.Any_) else mask & each
                return mask
        return self._present(test, member, or_wider)

    def having(self, base: int, value: c.Code, member: c.Code) -> c.Code | None:
        """The set of things that have a value of a state, if there is one."""
        if base in self.unit.sets and self._is_something(value, member):
            first = self.unit.sets[base]
            return c.Slot(first + value.value) if isinstance(value, c.Const) else c.Slot(first, value)
        return None

    def _is_something(self, value: c.Code, member: c.Code) -> bool:
        """Whether a value is never nothing, and the same for all places."""
        match value:
            case c.Const(value=int()):
                return True
            case c.Get(of=c.Known(text=text), at=at):
                table = self.unit.values.get(text)
                return isinstance(table, tuple) and None not in table and self._is_something(at, member)
            case c.Slot(base=base, at=None):
                return value != member and base in self.unit.certain
            case c.Name(text=text):
                return value != member and text in self.names and self._is_something(self.names[text], member)
        return False

    def _present(self, pile: c.Code, member: c.Code, or_wider: bool = False) -> c.Code | None:
        """The set of places in which ``S[52 + member] & sort`` is not nothing; with `or_wider`, or may not be."""
        factors = c.factors(pile)
        here = c.Slot(self.run.start, member)
        if here not in factors:
            return None
        others = [factor for factor in factors if factor != here]
        if not others or any(each == member for other in others for each in c.inside(other)):
            return None
        mask = others[0]
        for other in others[1:]:
            mask = mask & other
        return self._sort(mask, or_wider)

    def _looked_through(self, pile: c.Code, member: c.Code) -> c.Code | None:
        """The set of places where there may be any of a pile: of its sort, as far as that is known, if the set of one
        as wide is kept anyway; otherwise those where anything lies."""
        here = c.Slot(self.run.start, member)
        if here not in c.factors(pile):
            return None
        factors = [
            factor
            for each in c.factors(pile)
            for factor in c.factors(self.names.get(each.text, each) if isinstance(each, c.Name) else each)
        ]
        known = [each for each in factors if values_of(each, self.unit, self.names)[0] and member not in c.inside(each)]
        mask = known[0] if known else c.Const(0)
        for each in known[1:]:
            mask = mask & each
        if known and self._has_wider(values_of(mask, self.unit, self.names)[0]):
            return self._sort(mask, True)
        all_pieces = self.unit.piles.get(self.run.start)
        return self._sort(c.Const(all_pieces), True) if all_pieces is not None else None

    def _has_wider(self, sorts: tuple[int, ...]) -> bool:
        """Whether sets of some sorts, or of wider ones, are kept already."""
        return any(
            isinstance(key, c.Const)
            and len(key.value) == len(sorts)
            and all(narrow & wide == narrow for narrow, wide in zip(sorts, key.value, strict=True))
            for key in self.sorts
        )

    def _sort(self, mask: c.Code, or_wider: bool) -> c.Code | None:
        """Where the set of places is kept that have any of the pieces of a mask."""
        sorts, at = values_of(mask, self.unit, self.names)
        if not sorts:
            return None
        first = self._found(sorts, or_wider)
        if first is None:
            return None
        self.asked = True
        return c.Slot(first) if at is None else c.Slot(first, at)

    def _found(self, sorts: tuple[int, ...], or_wider: bool) -> int | None:
        """The slot of the first of some sorts; None if there would be too many."""
        if self.is_looking:
            if not or_wider:
                self.sorts[c.Const(sorts)] = c.Const(0)
            return 0
        found: list[int] = []
        for key, first in self.sorts.items():
            assert isinstance(key, c.Const) and isinstance(first, c.Const)
            if key.value == sorts:
                return int(first.value)
            if len(sorts) == 1 and sorts[0] in key.value:
                return int(first.value + key.value.index(sorts[0]))
            if or_wider and len(key.value) == len(sorts):
                if all(narrow & wide == narrow for narrow, wide in zip(sorts, key.value, strict=True)):
                    found.append(first.value)
        self.is_wider = bool(found)
        return found[0] if found else self._family(sorts)

    def _family(self, sorts: tuple[int, ...]) -> int | None:
        """Slots for the sets of some more sorts."""
        if sum(len(known.value) for known in self.sorts if isinstance(known, c.Const)) + len(sorts) > _MOST_SORTS:
            return None
        slots = [self.unit.slot(c.Const(0)) for _ in sorts]
        self.unit.members |= dict.fromkeys(slots, (1 << len(self.run)) - 1)
        self.sorts[c.Const(sorts)] = c.Const(slots[0])
        return slots[0]


def _counted_from(function: c.Function) -> frozenset[int]:
    """The slots from which a function counts on to others."""
    return frozenset(
        part.base
        for each in c.statements(function.body)
        for code in c.expressions(each)
        for part in c.inside(code)
        if isinstance(part, c.Slot) and part.at is not None
    )


def _as_set(listing: c.Listing) -> c.Code:
    """``[v for v in BITS[m]]`` is the list of a set."""
    match listing:
        case c.Listing(
            form="list", value=c.Name(text=value), loops=(c.Each(names=(name,), source=source, tests=()),)
        ) if value == name:
            found = set_of(source)
            if found is not None:
                return c.BITL[found]
    return listing
