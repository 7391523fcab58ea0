"""What a loop comes to is looked up by the few values it depends on.

Before::

    o = [*[52 + S[79] << 16 | c for c in CD_4[S[52 + S[79]] & M12[S[6]]]], -2]
    if sum([A24[v] for v in BITS[S[37 + A18[S[6]]]]]) >= 17: ...

After::

    E0 = Nested(lambda k0, k1: [*[k0 | c for c in CD_4[k1]], -2])
    E1 = Sums(A24)

    o = E0[52 + S[79] << 16][S[52 + S[79]] & M12[S[6]]]
    if E1[S[37 + A18[S[6]]]] >= 17: ...

Needs lists that nobody adds to (`option_values`). What is looked up by is worked out each time, so it must be
something that would be worked out anyway, or that cannot fail: a part of the loop that may never be reached is taken
only if it is a slot, a name, or a look-up by a state that is never nothing. A loop is looked up together with what
surrounds it as long as that depends on nothing else: the more values there are, the rarer they come back."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten
from rulescript.machine.tables import Items

__all__ = ["Memos", "memos", "sum_of"]

# So many values a table is looked up by, at most.
_KEYS = 2
_MANY_PLACES = 12
_PURE = frozenset({
    "abs", "all", "any", "bool", "frozenset", "hits", "len", "list", "many", "max", "min", "most_list", "most_set",
    "only", "range", "set", "sorted", "sum", "take_pieces", "tuple",
})  # fmt: skip
_METHODS = frozenset({"bit_count", "get", "count", "index", "fromkeys"})
_LOOPS = frozenset({"most_set", "most_list"})


def memos(unit: Unit) -> None:
    made = Memos(unit)
    unit.map(made.function)


class Memos:
    """Makes the tables."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.tables: frozenset[str] = frozenset()

    def function(self, function: c.Function) -> c.Function:
        # Names that hold tables: nothing can be looked up by them.
        self.tables = frozenset(
            target.text
            for statement in c.statements(function.body)
            if isinstance(statement, c.Store) and isinstance(statement.value, c.Call)
            for target in statement.targets
            if isinstance(target, c.Name) and statement.value.args == (c.STATE,)
        )
        return evolve(function, body=rewritten(function.body, self.looked_up))

    def looked_up(self, code: c.Code) -> c.Code:
        """The same, with loops looked up in tables."""
        if not is_slow(code):
            return code
        keys = self._keys(code)
        if keys is not None and len(keys) <= _KEYS and self._belongs(code, keys):
            return self._table(code, keys)
        if isinstance(code, c.Lambda):
            return code
        if isinstance(code, c.Listing):
            first, *others = code.loops
            source = self.looked_up(first.source)
            return evolve(code, loops=(c.Each(first.names, source, first.tests), *others))
        return c.altered(code, self.looked_up)

    def _belongs(self, code: c.Code, keys: dict[c.Code, str]) -> bool:
        """Whether an expression is a loop, or depends on just what a loop in it depends on."""
        match code:
            case c.Listing(form="list" | "set"):
                return True
            case c.Call(function=c.Known(text=name)) if name in _LOOPS:
                return True
            case c.Listing() | c.Lambda() | c.Spread():
                return False
            case c.Compare() | c.Op() if all(sum_of(part) is not None for part in c.parts(code) if is_slow(part)):
                return False  # the sum alone is known for more sets
        for part in c.parts(code):
            if is_slow(part):
                if isinstance(part, c.Listing) and part.form == "bare":
                    return True
                inside = part.of if isinstance(part, c.Spread) else part
                inner = self._keys(inside)
                if inner is not None and inner.keys() == keys.keys() and self._belongs(inside, inner):
                    return True
        return False

    def _keys(self, code: c.Code) -> dict[c.Code, str] | None:
        """What an expression depends on, each with a name; None if that is not only values to look up by."""
        found: dict[c.Code, str] = {}
        return found if self._visit(code, frozenset(), True, found) else None

    def _visit(self, code: c.Code, bound: frozenset[str], is_certain: bool, found: dict[c.Code, str]) -> bool:
        names = c.names_in(code)
        if not names & bound and not is_slow(code):
            if not names and not any(isinstance(each, c.Slot) for each in c.inside(code)):
                return not any(isinstance(each, c.Call) for each in c.inside(code)) or _is_pure(code)
            code = _inside_constants(code)
            if code in found:
                return True
            if self._is_key(code, is_certain):
                found[code] = f"k{len(found)}"
                return True
        match code:
            case c.Slot() | c.Part():
                return False
            case c.Name(text=text):
                return text in bound
            case c.Listing(value=value, loops=loops):
                for each in loops:
                    if not self._visit(each.source, bound, is_certain, found):
                        return False
                    bound |= set(each.names)
                    is_certain = is_certain and _has_members(each.source)
                    for test in each.tests:
                        if not self._visit(test, bound, is_certain, found):
                            return False
                        is_certain = False
                return self._visit(value, bound, is_certain, found)
            case c.Lambda(params=params, body=body):
                return self._visit(body, bound | set(params), False, found)
            case c.Call(function=function, args=args, named=named):
                if not _is_pure_call(function):
                    return False
                return all(self._visit(part, bound, is_certain, found) for part in (*args, *(v for _, v in named)))
            case c.Method(of=of, method=method, args=args):
                if method not in _METHODS or args is None:
                    return False
                return all(self._visit(part, bound, is_certain, found) for part in (of, *args))
            case c.Cond(test=test, then=then, other=other):
                return self._visit(test, bound, is_certain, found) and all(
                    self._visit(part, bound, False, found) for part in (then, other)
                )
            case c.All(parts=(first, *rest)) | c.Any_(parts=(first, *rest)):
                return self._visit(first, bound, is_certain, found) and all(
                    self._visit(part, bound, False, found) for part in rest
                )
        return all(self._visit(part, bound, is_certain, found) for part in c.parts(code))

    def _is_key(self, code: c.Code, is_certain: bool) -> bool:
        """Whether something can be looked up by: a value that does not change, and costs little."""
        match code:
            case c.Tuple() | c.List() | c.Spread() | c.Lambda() | c.Listing():
                return False
            case c.Name(text=text):
                return text not in self.tables and text not in ("S", "p", "o")
        if _is_kept_table(code):
            return False
        for each in _inside_without_tables(code) if is_certain else c.inside(code):
            match each:
                case c.Name(text="S" | "p" | "o") | c.Call() | c.Part() | c.Lambda() | c.Method(args=None):
                    return False
                case c.List() | c.Get(of=c.Known(text="BITL")):
                    return False  # nothing can be looked up by a list
                case c.Name(text=text) if text in self.tables and not is_certain:
                    return False
                case c.Get(at=at) | c.Slot(at=c.Code() as at) if not is_certain and not self.is_something(at):
                    return False
                case c.Op(sign="//" | "%" | "<<" | ">>") if not is_certain:
                    return False
                case c.Op(left=left, right=right) if not is_certain:
                    if not self.is_something(left) or not self.is_something(right):
                        return False
        return True

    def is_something(self, code: c.Code) -> bool:
        """Whether a value is never nothing."""
        match code:
            case c.Const(value=value):
                return value is not None
            case c.Slot(base=base, at=at):
                first = next((run.start for run in self.unit.runs if base == run.start), base)
                return first in self.unit.certain and (at is None or self.is_something(at))
            case c.Op(left=left, right=right):
                return self.is_something(left) and self.is_something(right)
            case c.Get(of=c.Known(text=text), at=at):
                table = self.unit.values.get(text)
                return isinstance(table, tuple) and None not in table and self.is_something(at)
            case c.Known(text=text):
                return self.unit.values.get(text) is not None
        return False

    def _table(self, code: c.Code, keys: dict[c.Code, str]) -> c.Code:
        if not keys:  # always the same; worked out when it is first asked for
            keys = {c.Const(0): "k0"}
        # A whole pile comes back less often than anything else: it is looked up last.
        ordered = sorted(keys, key=lambda key: any(isinstance(e, c.Slot) and self._is_pile(e) for e in c.inside(key)))
        names = {key: f"k{at}" for at, key in enumerate(ordered)}
        body = _with_names(code, {key: name for key, name in names.items() if not isinstance(key, c.Const)})
        table = sum_of(body)
        if table is not None and len(ordered) == 1:
            made = c.call("Sums", table)
        else:
            work = _canonical(c.Lambda(tuple(names[key] for key in ordered), body))
            made = c.call("Known" if len(ordered) == 1 else "Nested", work)
        found: c.Code = self.unit.table(made, "E")
        for key in ordered[:-1]:
            found = found[key]
        items = None if self._is_one_of_many(ordered[-1]) else self._items_of_sorts(body, names[ordered[-1]])
        return found[ordered[-1] if items is None else self._sorts_of(ordered[-1], items)]

    def _is_one_of_many(self, pile: c.Code) -> bool:
        """Whether a pile is that of a place among many: each has few pieces, and the same come back as they are."""
        return any(
            isinstance(each, c.Slot) and each.at is not None and each.base == run.start and len(run) >= _MANY_PLACES
            for each in c.inside(pile)
            for run in self.unit.runs
        )

    def _sorts_of(self, pile: c.Code, items: Items) -> c.Code:
        """The highest bit of each counter that is not empty: how many there are does not matter, and such piles come
        back again and again. (All ones added below the highest bit carry into it, unless there is nothing.)"""
        low, high = (self.unit.table(c.Const(mask), "Z") for mask in (items.chunks.low, items.chunks.high))
        return ((pile & low) + low | pile) & high

    def _items_of_sorts(self, body: c.Code, name: str) -> Items | None:
        """The pieces of a pile, if only their sorts matter: which there are, or whether there are any of some."""
        found: set[str] = set()
        for each in _around(body, c.Name(name)):
            match each:
                case c.Get(of=c.Known(text=text)) if text.startswith("CD_"):
                    found.add(text[3:])
                case c.Compare(sign="==" | "!=", left=c.Op(sign="&") as mask, right=c.Const(value=0)):
                    others = [factor for factor in c.factors(mask) if factor != c.Name(name)]
                    kinds = {kind for factor in others for kind in self._whole_fields(factor)}
                    if len(kinds) != len(others) or len(kinds) != 1:
                        return None
                    found |= kinds
                case _:
                    return None
        if len(found) != 1:
            return None
        (kind,) = found
        items = self.unit.values.get(f"IT_{kind}")
        return items if isinstance(items, Items) else None

    def _whole_fields(self, masks: c.Code) -> list[str]:
        """The kinds of pieces of whose counters masks have all or nothing, by number."""
        match masks:
            case c.Known(text=text) | c.Get(of=c.Known(text=text)):
                value = self.unit.values.get(text)
            case _:
                return []
        values = value if isinstance(value, tuple) else (value,)
        if not all(isinstance(each, int) for each in values):
            return []
        out = []
        for name, fields in self.unit.values.items():
            if name.startswith("FM_") and isinstance(fields, tuple):
                if all(each & field in (0, field) for each in values for field in fields):
                    out.append(name[3:])
        return out

    def _is_pile(self, slot: c.Slot) -> bool:
        return slot.base in self.unit.places or slot.base == 0 and slot.at is not None


def is_slow(code: c.Code) -> bool:
    """Whether there is a loop in an expression."""
    return any(
        isinstance(each, c.Listing)
        or isinstance(each, c.Call)
        and isinstance(each.function, c.Known)
        and each.function.text in _LOOPS
        for each in c.inside(code)
    )


def _is_kept_table(code: c.Code) -> bool:
    """Whether it is the table of a rule's answers that is kept with the position (`kept_tables`)."""
    match code:
        case c.Any_(parts=(c.Slot(), c.Call(function=c.Known(text=text), args=(c.Name(text="S"),)))):
            return text.endswith("_at")
    return False


def _inside_without_tables(code: c.Code) -> Iterator[c.Code]:
    """An expression and all that are in it but for tables of answers: what one of these says is worked out anyway."""
    if not _is_kept_table(code):
        yield code
        for part in c.parts(code):
            yield from _inside_without_tables(part)


def sum_of(code: c.Code) -> c.Code | None:
    """The table that is added up for all members of a set."""
    match code:
        case c.Call(
            function=c.Known(text="sum"),
            args=(
                c.Listing(
                    value=c.Get(of=c.Known() as table, at=c.Name(text=member)),
                    loops=(c.Each(names=(name,), source=c.Get(of=c.Known(text="BITS")), tests=()),),
                ),
            ),
        ) if member == name:
            return table
    return None


def _canonical(code: c.Lambda) -> c.Lambda:
    """The same with other names for what loops inside bind: equal tables are then one."""
    names: dict[str, str] = {}
    for each in c.inside(code.body):
        bound = each.params if isinstance(each, c.Lambda) else ()
        if isinstance(each, c.Listing):
            bound = tuple(name for loop in each.loops for name in loop.names)
        for name in bound:
            if name in names:
                return code
            names[name] = f"m{len(names)}"

    def renamed(part: c.Code) -> c.Code:
        match part:
            case c.Name(text=text):
                return c.Name(names.get(text, text))
            case c.Lambda(params=params, body=body):
                return c.Lambda(tuple(names.get(name, name) for name in params), renamed(body))
            case c.Listing(form=form, value=value, loops=loops):
                made = [
                    c.Each(
                        tuple(names.get(name, name) for name in loop.names),
                        renamed(loop.source),
                        tuple(map(renamed, loop.tests)),
                    )
                    for loop in loops
                ]
                return c.Listing(form, renamed(value), tuple(made))
        return c.altered(part, renamed)

    return c.Lambda(code.params, renamed(code.body))


def _around(code: c.Code, part: c.Code) -> list[c.Code]:
    """What a part of an expression is used for: tests of masks as a whole."""
    out: list[c.Code] = []
    for each in c.parts(code):
        if each == part or isinstance(code, c.Compare) and part in c.factors(each):
            out.append(code)
        else:
            out += _around(each, part)
    return out


def _inside_constants(code: c.Code) -> c.Code:
    """What alone an expression is worked out from, apart from constants: `S[6]` of ``M12[S[6]]`` or ``52 + S[6]``."""
    while True:
        match code:
            case c.Get(of=c.Known(), at=inner) | c.Op(left=c.Const(), right=inner) | c.Op(left=inner, right=c.Const()):
                if isinstance(code, c.Op) and code.sign == "&":
                    return code  # some pieces of a place come back more often than all that lies there
                code = inner
            case _:
                return code


def _is_pure(code: c.Code) -> bool:
    return all(_is_pure_call(each.function) for each in c.inside(code) if isinstance(each, c.Call))


def _is_pure_call(function: c.Code) -> bool:
    match function:
        case c.Known(text=text):
            return text in _PURE
        case c.Method(of=c.Known(text="dict"), method="fromkeys"):
            return True
    return False


def _has_members(source: c.Code) -> bool:
    """Whether a loop has a first round."""
    match source:
        case c.Get(of=c.Known(text="BITS"), at=c.Const(value=value)):
            return bool(value)
        case c.Const(value=value):
            return bool(value)
    return False


def _with_names(code: c.Code, names: dict[c.Code, str]) -> c.Code:
    found = names.get(code)
    if found is not None:
        return c.Name(found)
    return c.altered(code, lambda part: _with_names(part, names))
