"""Where pieces of which sort stand, as masks that are kept with each move (for compiler/quick/search_form.py).

`some r.tiles[side == s]` is asked of every region again and again. In a position that is played out there is a mask
for each side: the regions that hold a tile of it. Then a list of the regions where this is true needs no loop at all,
and other loops go only over what can matter.

Which sorts of pieces are worth it, the code says: a table of counters (`M12`, one entry for each side, say) that is
compared with the places of all members of a kind. The sorts must have no piece in common and must not depend on the
states of pieces, so that each move changes at most one bit of two masks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from rulescript.compiler.quick.slot_cache import Extent, stores
from rulescript.compiler.quick.trees import codes_given, copied, placed, walk

__all__ = ["Altered", "Presence", "carried"]

_MOST_SORTS = 8
_FEWEST_USES = 2


class Holder:
    """A place that every member of a kind has."""

    def __init__(self, holds: dict[str, Any], kind: dict[str, Any]) -> None:
        self.slots = range(holds["slot"], holds["slot"] + holds["size"])
        self.fields: list[int] = [((1 << width) - 1) << offset for offset, width in kind["fields"]]
        self.types: int = kind["types"]
        self.kind: str = holds["kind"]


class Presence:
    """Finds the sorts, keeps their masks and uses them."""

    def __init__(
        self,
        functions: dict[str, ast.FunctionDef],
        constants: dict[str, ast.expr],
        data: dict[str, Any],
        extent: Extent,
        first: int,
    ) -> None:
        self.functions = functions
        self.extent = extent
        self.first = first
        self.size = len(data["initial"])
        self.tables: list[str] = []
        self.masks = {name: found for name, value in constants.items() if (found := _masks(value)) is not None}
        self.facts = {name for name, value in constants.items() if _is_facts(value)}
        self.things = {s["slot"] for s in data["states"] if s["mode"] == "one" and s["type"][0] == "thing"}
        self.duals = {s["slot"]: s["masks"] for s in data["states"] if s["mode"] == "dual"}
        self.holders = {
            h["slot"]: Holder(h, data["kinds"][h["kind"]])
            for h in data["holds"]
            if h["owner"] and not h["ordered"] and data["kinds"][h["kind"]]["pieces"] and h["size"] > 1
        }
        self.given: set[str] = set()
        self.idents = {name: at for at, name in enumerate(data["kinds"])}
        self.holder: Holder | None = None
        self.sorts: tuple[int, ...] = ()
        self._lists: dict[str, str] = {}
        self._uses = 0
        self._choose()

    # ---- which sorts

    def _choose(self) -> None:
        """The table of sorts that is asked about most."""
        uses: dict[tuple[int, tuple[int, ...]], int] = {}
        fixed: dict[tuple[int, int], int] = {}
        for function in self.functions.values():
            for node in walk(function):
                match node:
                    case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
                        base = self._place(left)
                        if base is None:
                            continue
                        match right:
                            case ast.Subscript(value=ast.Name(id=name)) if name in self.masks:
                                uses[base, self.masks[name]] = uses.get((base, self.masks[name]), 0) + 1
                            case ast.Name(id=name) if len(self.masks.get(name, ())) == 1:
                                mask = self.masks[name][0]
                                fixed[base, mask] = fixed.get((base, mask), 0) + 1
        found: list[tuple[int, int, tuple[int, ...]]] = []
        for (base, sorts), count in uses.items():
            if self._are_sorts(self.holders[base], sorts):
                found.append((count + sum(fixed.get((base, mask), 0) for mask in sorts), base, sorts))
        if found:
            count, base, sorts = max(found)
            if count >= _FEWEST_USES:
                self.holder, self.sorts = self.holders[base], sorts
                self.extent.group.update(dict.fromkeys(self.slots, self.slots))
                self.extent.tables["PS_0"] = self.slots

    def _place(self, x: ast.expr) -> int | None:
        """The first slot of the places that `S[52 + v]` is one of."""
        match x:
            case ast.Subscript(
                value=ast.Name(id="S"),
                slice=ast.BinOp(left=ast.Constant(value=int(base)), op=ast.Add(), right=ast.Name()),
            ) if base in self.holders:
                return base
        return None

    @staticmethod
    def _are_sorts(holder: Holder, sorts: Sequence[int]) -> bool:
        """Whether a piece belongs to one sort at most, whatever its state."""
        if not 0 < len(sorts) <= _MOST_SORTS:
            return False
        belongs = [[bool(mask & field) for mask in sorts] for field in holder.fields]
        whole = all(mask & field in (0, field) for field in holder.fields for mask in sorts)
        alike = all(row == belongs[code % holder.types] for code, row in enumerate(belongs))
        return whole and alike and all(sum(row) <= 1 for row in belongs)

    @property
    def slots(self) -> range:
        """The masks, and one slot more for pieces that are of no sort."""
        return range(self.first, self.first + len(self.sorts) + 1) if self.sorts else range(self.first, self.first)

    # ---- keeping

    def keep(self) -> None:
        """Add to every move what it means for the masks; to be done after `use`."""
        if self.holder is None:
            return
        for name, function in self.functions.items():
            if name[0] in "bcp":
                function.body = self._body(function.body, {})

    def _body(self, body: Sequence[ast.stmt], where: dict[str, range]) -> list[ast.stmt]:
        """`where`: the slots that a name may stand for."""
        out: list[ast.stmt] = []
        for statement in body:
            if isinstance(statement, ast.If | ast.For | ast.While):
                if isinstance(statement, ast.For | ast.While):
                    for name in _names_set(statement):
                        where.pop(name, None)
                statement.body = self._body(statement.body, dict(where))
                statement.orelse = self._body(statement.orelse, dict(where))
                for name in _names_set(statement):
                    where.pop(name, None)
                out.append(statement)
                continue
            out.append(statement)
            out += [placed(statement, line) for line in self._kept(statement, where)]
            for name in _names_set(statement):
                where.pop(name, None)
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() | ast.BinOp() as value):
                    found = self._range(value, where)
                    if found is not None:
                        where[name] = found
        return out

    def _range(self, index: ast.expr, where: dict[str, range]) -> range | None:
        match index:
            case ast.Constant(value=int(slot)):
                return range(slot, slot + 1)
            case ast.BinOp(left=ast.Constant(value=int(slot)), op=ast.Add()) if slot in self.extent.group:
                return self.extent.group[slot]
            case ast.Name(id=name):
                return where.get(name, self.extent.places)
        return None

    def _touches(self, index: ast.expr, where: dict[str, range]) -> bool:
        """Whether an index of the state may be one of the places."""
        assert self.holder is not None
        slots = self._range(index, where)
        if slots is None:
            slots = self.extent.of(index)
        return slots.start < self.holder.slots.stop and self.holder.slots.start < slots.stop

    def _kept(self, statement: ast.stmt, where: dict[str, range]) -> list[ast.stmt]:
        lines: list[str] = []
        match statement:
            case ast.Assign(value=ast.Call(func=ast.Name(id="draw_pieces"), args=args)):
                lines = [_renewed(args[at]) for at in (3, 5) if self._touches(args[at], where)]
            case ast.AugAssign(
                target=ast.Subscript(value=ast.Name(id="S"), slice=index), op=op,
                value=ast.Subscript(value=ast.Name(id=units), slice=ast.Name(id=code)),
            ) if units.startswith("UN_") and isinstance(index, ast.Name):  # fmt: skip
                if self._touches(index, where) and units == self._units:
                    lines = [_left(index.id, code) if isinstance(op, ast.Sub) else _came(index.id, code)]
            case ast.AugAssign(
                value=ast.BinOp(
                    left=ast.Subscript(value=ast.Name(id=one)),
                    op=ast.Sub(),
                    right=ast.Subscript(value=ast.Name(id=two)),
                )
            ) if one == two and one.startswith("UN_"):
                pass  # another state of the same piece: of the same sort
            case ast.AugAssign(
                target=ast.Subscript(value=ast.Name(id="S"), slice=ast.Name(id="s")), op=ast.Add(),
                value=ast.BinOp(left=ast.BinOp(op=ast.LShift() | ast.RShift()), op=ast.Sub(), right=ast.Name(id="m")),
            ):  # fmt: skip
                pass  # the same for all pieces of a place
            case _:
                lines = [_renewed(index) for index in stores(statement) if self._touches(index, where)]
        return ast.parse("\n".join(lines)).body

    @property
    def _units(self) -> str:
        assert self.holder is not None
        return f"UN_{self.idents[self.holder.kind]}"

    def begin(self) -> list[str]:
        """Lines of the module: tables, and the function that works the masks out for a place."""
        if self.holder is None:
            return self.tables
        holder, first = self.holder, self.first
        none = len(self.sorts)
        sort_of = [next((s for s, m in enumerate(self.sorts) if m & f), none) for f in holder.fields]
        bits = tuple(1 << slot - holder.slots.start if slot in holder.slots else 0 for slot in range(self.size))
        lines = [
            f"PS_0 = {tuple(first + sort for sort in sort_of)!r}",
            f"PM_0 = {tuple((*self.sorts, 0)[sort] for sort in sort_of)!r}",
            f"PB_0 = {bits!r}",
            f"PN_0 = {tuple(~b for b in bits)!r}",
            f"UNSORTED = {self.slots[-1]}",
            *self.tables,
            "def renewed(S, slot):",
            "    bit = PB_0[slot]",
            "    if bit:",
            "        pile = S[slot]",
        ]
        for at, mask in enumerate(self.sorts):
            lines += [
                f"        if pile & {mask}: S[{first + at}] |= bit",
                f"        else: S[{first + at}] &= ~bit",
            ]
        return lines

    def begun(self) -> list[str]:
        """Lines of `begin`."""
        if self.holder is None:
            return []
        slots = self.holder.slots
        return [
            f"    S += [0] * {len(self.slots)}",
            f"    for slot in range({slots.start}, {slots.stop}): renewed(S, slot)",
        ]

    # ---- using

    def use(self) -> None:
        """Turn questions about each member of a set into questions about the set. Masks that answer none of them
        are not kept."""
        for function in self.functions.values():
            if function.name[0] in "bcpfr" and not function.name.endswith("_work"):
                self.given = _things_given(function)
                self._use(function.body, {})
        if not self._uses:
            self.holder, self.sorts = None, ()

    def _use(self, body: list[ast.stmt], known: dict[str, ast.expr]) -> None:
        for at, statement in enumerate(body):
            visitor = _Questions(self, known)
            match statement:
                case ast.If() | ast.For() | ast.While():
                    for name in _names_set(statement):
                        known.pop(name, None)
                    if isinstance(statement, ast.For):
                        statement.iter = visitor.visit(statement.iter)
                        self._only_changes(statement, known)
                    elif isinstance(statement, ast.If):
                        statement.test = visitor.visit(statement.test)
                    self._use(statement.body, dict(known))
                    self._use(statement.orelse, dict(known))
                    for name in _names_set(statement):
                        known.pop(name, None)
                case _:
                    body[at] = visitor.visit(statement)
                    for name in _names_set(statement):
                        known.pop(name, None)
                    match statement:
                        case ast.Assign(targets=[ast.Name(id=name)], value=value) if re.fullmatch(r"i\d+", name):
                            known[name] = value

    def _only_changes(self, loop: ast.For, known: dict[str, ast.expr]) -> None:
        """A loop that gives a state to members of a set goes only over those that have another.

        Nothing but this state of the member itself may be set, and conditions may only ask about the member."""
        match loop:
            case ast.For(iter=ast.Subscript(value=ast.Name(id="BITS"), slice=whole) as source, orelse=[]):
                pass
            case _:
                return
        member = ast.unparse(loop.target)
        body = [_Member(member).visit(copied(statement)) for statement in loop.body]
        changes = self._changes(body, known)
        if changes is not None:
            source.slice = placed(source, ast.BinOp(whole, ast.BitAnd(), changes))

    def _changes(self, body: Sequence[ast.stmt], known: dict[str, ast.expr]) -> ast.expr | None:
        """The members for which some statements change anything; None if that cannot be said at once."""
        match body:
            case [ast.Pass()] | []:
                return ast.Constant(0)
            case [ast.If(test=test, body=then, orelse=otherwise)]:
                mask = self.mask_of(test, _MEMBER, known)
                first, second = self._changes(then, known), self._changes(otherwise, known)
                if mask is None or first is None or second is None:
                    return None
                yes = ast.BinOp(mask, ast.BitAnd(), first)
                no = ast.BinOp(ast.UnaryOp(ast.Invert(), copied(mask)), ast.BitAnd(), second)
                if isinstance(second, ast.Constant) and second.value == 0:
                    return yes
                return ast.BinOp(yes, ast.BitOr(), no)
            case [
                ast.Assign(targets=[ast.Name(id="i")], value=ast.Name(id=member)),
                ast.Assign(targets=[ast.Name(id="v")], value=value),
                ast.If(
                    test=ast.Compare(
                        left=ast.Subscript(value=ast.Name(id="S"), slice=ast.BinOp(left=ast.Constant(value=int(slot)))),
                        ops=[ast.NotEq()],
                        comparators=[ast.Name(id="v")],
                    )
                ),
            ] if member == _MEMBER and slot in self.duals:
                if not self._certain(value, known):
                    return ast.Constant(-1)
                return ast.UnaryOp(ast.Invert(), _state(self.duals[slot], value))
        return None

    def mask_of(self, test: ast.expr, name: str, known: dict[str, ast.expr]) -> ast.expr | None:
        """The members of a kind for which a condition on one of them holds; None if that cannot be said at once."""
        match test:
            case ast.Compare(
                left=ast.BinOp(left=place, op=ast.BitAnd(), right=sort), ops=[op], comparators=[ast.Constant(value=0)]
            ):
                found = self._standing(place, sort, name, known)
                if found is not None and isinstance(op, ast.NotEq):
                    return found
                if found is not None and isinstance(op, ast.Eq):
                    return ast.UnaryOp(ast.Invert(), found)
                marks = self._marks(place, sort, name, known)
                if marks is not None and isinstance(op, ast.NotEq):
                    return marks
            case ast.Compare(
                left=ast.Subscript(
                    value=ast.Name(id="S"),
                    slice=ast.BinOp(left=ast.Constant(value=int(slot)), op=ast.Add(), right=ast.Name(id=member)),
                ),
                ops=[ast.Eq() | ast.NotEq() as op],
                comparators=[value],
            ) if member == name and slot in self.duals and self._certain(value, known):
                equal: ast.expr = _state(self.duals[slot], value)
                return equal if isinstance(op, ast.Eq) else ast.UnaryOp(ast.Invert(), equal)
            case ast.Call(
                func=ast.Name(id="any"),
                args=[
                    ast.GeneratorExp(
                        elt=ast.Constant(value=True),
                        generators=[
                            ast.comprehension(
                                target=ast.Name(id=other),
                                iter=ast.Subscript(value=ast.Name(id="BITS")) as source,
                                ifs=ifs,
                            )
                        ],
                    )
                ],
            ):
                return self._for_some(other, source, ifs, name, known)
            case ast.BoolOp(op=op, values=values):
                masks = [self.mask_of(v, name, known) for v in values]
                if any(mask is None for mask in masks):
                    return None
                made = masks[0]
                assert made is not None
                for mask in masks[1:]:
                    assert mask is not None
                    made = ast.BinOp(made, ast.BitAnd() if isinstance(op, ast.And) else ast.BitOr(), mask)
                return made
        return None

    def _marks(self, place: ast.expr, sort: ast.expr, name: str, known: dict[str, ast.expr]) -> ast.expr | None:
        """The things of which something is in one place, by a table of their counters."""
        match sort:
            case ast.Subscript(value=ast.Name(id=table), slice=ast.Name(id=member)) if (
                member == name and table in self.facts and _are_apart(self.masks[table])
            ):
                pass
            case _:
                return None
        match place:
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot))) if (
                slot in self.extent.places
            ):
                pass
            case ast.Subscript(
                value=ast.Name(id="S"), slice=ast.BinOp(left=ast.Constant(value=int(slot)), op=ast.Add(), right=index)
            ) if slot in self.extent.places and self._certain(index, known):
                pass
            case _:
                return None
        marks = f"EM{table[1:]}"
        line = f"{marks} = Marks({table})"
        if line not in self.tables:
            self.tables.append(line)
        # How many there are does not matter: piles that have something of the same sorts are looked up as one. Below
        # its highest bit, a run of counters that is not empty carries into that bit when all ones are added.
        low, high = carried(self.masks[table])
        key = ast.parse(f"((0 & {low}) + {low} | 0) & {high}", mode="eval").body
        assert isinstance(key, ast.BinOp) and isinstance(key.left, ast.BinOp)
        inner = key.left.left
        assert isinstance(inner, ast.BinOp) and isinstance(inner.left, ast.BinOp)
        inner.left.left, key.left.right = copied(place), copied(place)
        return ast.Subscript(ast.Name(marks, ast.Load()), placed(place, key), ast.Load())

    def _for_some(
        self, other: str, source: ast.expr, ifs: Sequence[ast.expr], name: str, known: dict[str, ast.expr]
    ) -> ast.expr | None:
        """The members that belong to what a table gives for some other thing: all that it gives for those things."""
        tests = [part for test in ifs for part in _conjuncts(test)]
        match tests:
            case [
                ast.BinOp(
                    left=ast.BinOp(
                        left=ast.Subscript(value=ast.Name(id=table), slice=ast.Name(id=index)),
                        op=ast.RShift(),
                        right=ast.Name(id=member),
                    ),
                    op=ast.BitAnd(),
                    right=ast.Constant(value=1),
                ),
                *rest,
            ] if member == name and index == other and table in self.facts:
                pass
            case _:
                return None
        for part in (source, *rest):
            for node in walk(part):
                match node:
                    case ast.Call():
                        return None
                    case ast.Name(id=used) if used == name:
                        return None
        if not all(self._is_asked_of_place(part, other) for part in rest):
            return None
        bit = ast.BinOp(ast.Constant(1), ast.LShift(), ast.Name(other, ast.Load()))
        made = ast.ListComp(bit, [ast.comprehension(ast.Name(other, ast.Store()), source, list(rest), 0)])
        things = _Questions(self, known).visit(ast.Call(ast.Name("sum", ast.Load()), [made], []))
        return ast.Subscript(ast.Name(self._joined(table), ast.Load()), things, ast.Load())

    def _is_asked_of_place(self, test: ast.expr, other: str) -> bool:
        """Whether a condition asks for pieces in a place, by a table of their counters: that always has an answer."""
        match test:
            case ast.Compare(
                left=ast.BinOp(
                    left=ast.Subscript(value=ast.Name(id="S"), slice=index),
                    op=ast.BitAnd(),
                    right=ast.Subscript(value=ast.Name(id=table), slice=ast.Name(id=asked)),
                ),
                ops=[ast.NotEq() | ast.Eq()],
                comparators=[ast.Constant(value=0)],
            ) if asked == other and table in self.facts:
                match index:
                    case ast.Constant(value=int(slot)):
                        return slot in self.extent.places
                    case ast.BinOp(left=ast.Constant(value=int(slot)), op=ast.Add(), right=right):
                        return slot in self.extent.places and self._certain(right, {})
        return False

    def _joined(self, table: str) -> str:
        """The name of a table of what another gives for a whole set."""
        name = f"EN{table[1:]}"
        line = f"{name} = Near({table})"
        if line not in self.tables:
            self.tables.append(line)
        return name

    def needs(self, test: ast.expr, name: str, known: dict[str, ast.expr]) -> ast.expr | None:
        """The members for which a condition can hold at all, if it is that something stands there."""
        match test:
            case ast.BinOp(left=place, op=ast.BitAnd(), right=ast.Name(id=sort)) if sort in known:
                for part in _factors(known[sort]):
                    found = self._standing(place, part, name, known)
                    if found is not None:
                        return found
        return None

    def _standing(self, place: ast.expr, sort: ast.expr, name: str, known: dict[str, ast.expr]) -> ast.expr | None:
        """The members that have pieces of a sort."""
        match place:
            case ast.Subscript(
                value=ast.Name(id="S"),
                slice=ast.BinOp(left=ast.Constant(value=int(base)), op=ast.Add(), right=ast.Name(id=member)),
            ) if member == name and self.holder is not None and base == self.holder.slots.start:
                pass
            case _:
                return None
        match sort:
            case ast.Subscript(value=ast.Name(id=table), slice=index) if self.masks.get(table) == self.sorts:
                if self._certain(index, known):
                    self._uses += 1
                    return _state(self.first, index)
            case ast.Name(id=one) if len(self.masks.get(one, ())) == 1 and self.masks[one][0] in self.sorts:
                self._uses += 1
                return _state(self.first, ast.Constant(self.sorts.index(self.masks[one][0])))
        return None

    def _certain(self, x: ast.expr, known: dict[str, ast.expr]) -> bool:
        """Whether a value is certainly the number of a thing, and does not depend on what a loop goes over."""
        match x:
            case ast.Constant(value=int()):
                return True
            case ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot))):
                return slot in self.things
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self.facts:
                return self._certain(index, known)
            case ast.Name(id=name) if name in known:
                return self._certain(known[name], known)
            case ast.Name(id=name):
                return name in self.given
        return False

    def listed(self, more: Sequence[ast.expr]) -> str:
        """The name of a table: the members of a set as options, with others behind them."""
        text = ", ".join(ast.unparse(item) for item in more)
        name = self._lists.get(text)
        if name is None:
            name = self._lists[text] = f"EL{len(self._lists)}"
            self.tables.append(f"{name} = Known(lambda k0: [*BITS[k0], {text}])")
        return name


class Altered:
    """Where pieces stand that are in another state than they start in, as a mask of slots.

    When a state ends ("moved", say, at the end of the phase), only these places are looked at. For kinds of pieces
    that have one state."""

    def __init__(
        self, functions: dict[str, ast.FunctionDef], constants: dict[str, ast.expr], data: dict[str, Any]
    ) -> None:
        self.functions = functions
        self.constants = constants
        self.slot = -1
        self.places: list[int] = []
        for at, (name, kind) in enumerate(data["kinds"].items()):
            if kind["pieces"] and len(kind["states"]) == 1 and kind["states"][0][4] == 0 and not self.places:
                self.units = f"UN_{at}"
                self.types: int = kind["types"]
                self.mask = sum(((1 << width) - 1) << offset for offset, width in kind["fields"][self.types :])
                self.loops = self._ends(constants)
                if self.loops:
                    self.places = [h["slot"] + i for h in data["holds"] if h["kind"] == name for i in range(h["size"])]

    def _ends(self, constants: dict[str, ast.expr]) -> list[ast.For]:
        """The loops that put all pieces back into the state they start in."""
        out: list[ast.For] = []
        for function in self.functions.values():
            for node in walk(function):
                match node:
                    case ast.For(
                        target=ast.Name(id="s"),
                        iter=ast.Name(id=places),
                        body=[
                            ast.If(
                                test=ast.BinOp(
                                    left=ast.Subscript(value=ast.Name(id="S"), slice=ast.Name(id="s")),
                                    op=ast.BitAnd(),
                                    right=right,
                                )
                            )
                        ],
                    ) if places.startswith("R"):
                        value = constants.get(right.id) if isinstance(right, ast.Name) else right
                        if isinstance(value, ast.Constant) and value.value == self.mask:
                            out.append(node)
        return out

    def keep(self, slot: int) -> int:
        """Add to every move what it means for the mask; the next free slot."""
        if not self.places:
            return slot
        self.slot = slot
        every = sum(1 << place for place in self.places)
        for loop in self.loops:
            source = ast.parse(f"BITS[S[{slot}] & {every}]", mode="eval").body
            loop.iter = placed(loop, source)
        for name, function in self.functions.items():
            if name[0] in "bcp":
                function.body = self._body(function.body)
        return slot + 1

    def _body(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for statement in body:
            out.append(statement)
            if isinstance(statement, ast.If | ast.For | ast.While):
                is_end = any(statement is loop for loop in self.loops)
                if not is_end:
                    statement.body = self._body(statement.body)
                    statement.orelse = self._body(statement.orelse)
                lines = [f"S[{self.slot}] = 0"] if is_end else []
            else:
                lines = self._kept(statement, self._altered(out[-2:-1]))
            out += [placed(statement, line) for line in ast.parse("\n".join(lines)).body]
        return out

    def _altered(self, before: Sequence[ast.stmt]) -> str:
        """The name of a code that the statement before has set to one of another state."""
        match before:
            case [ast.Assign(targets=[ast.Name(id=name)], value=value)]:
                codes = codes_given(value, self.constants)
                return name if codes and min(codes) >= self.types else ""
        return ""

    def _kept(self, statement: ast.stmt, altered: str = "") -> list[str]:
        match statement:
            case ast.Assign(value=ast.Call(func=ast.Name(id="draw_pieces"), args=args)):
                where = ast.unparse(args[5])
                return [f"if S[{where}] & {self.mask}: S[{self.slot}] |= 1 << {where}"]
            case ast.AugAssign(target=ast.Subscript(value=ast.Name(id="S"), slice=index), op=ast.Add(), value=value):
                note = f"S[{self.slot}] |= 1 << {ast.unparse(index)}"
                match value:
                    case ast.Subscript(value=ast.Name(id=units), slice=code) if units.startswith("UN_"):
                        if units == self.units and ast.unparse(code) == altered:
                            return [note]
                        return [f"if {ast.unparse(code)} >= {self.types}: {note}"] if units == self.units else []
                    case ast.BinOp(op=ast.Mult(), right=ast.Subscript(value=ast.Name(id=units), slice=ast.Constant())):
                        return []  # as they start
                    case ast.Name(id="m"):
                        return [f"if m & {self.mask}: {note}"]
                    case ast.BinOp(op=ast.Sub(), left=ast.Subscript(value=ast.Name(id=units))) if units != self.units:
                        return []
                if isinstance(index, ast.Name):
                    return [note]
        return []

    def begin(self) -> list[str]:
        """Lines of the module: which slot it is."""
        return [f"ALTERED = {self.slot}"] if self.places else []

    def begun(self) -> list[str]:
        """Lines of `begin`."""
        if not self.places:
            return []
        return [f"    S.append(sum([1 << s for s in {tuple(self.places)!r} if S[s] & {self.mask}]))"]


_MEMBER = "member"


class _Member(ast.NodeTransformer):
    """What a loop goes over, by one name."""

    def __init__(self, text: str) -> None:
        self.text = text

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if ast.unparse(node) == self.text:
            return ast.Name(_MEMBER, ast.Load())
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(_MEMBER, node.ctx) if node.id == self.text else node


class _Questions(ast.NodeTransformer):
    """In lists and sums over the members of a set: conditions as masks."""

    def __init__(self, presence: Presence, known: dict[str, ast.expr]) -> None:
        self.presence = presence
        self.known = known

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.comprehension(
                target=ast.Name(id=name), iter=ast.Subscript(value=ast.Name(id="BITS"), slice=whole) as source
            ):
                tests = [part for test in node.ifs for part in _conjuncts(test)]
                masks = []
                while tests:
                    mask = self.presence.mask_of(tests[0], name, self.known)
                    if mask is None:
                        break
                    masks.append(mask)
                    tests.pop(0)
                if masks:
                    node.ifs = tests
                if tests:
                    mask = self.presence.needs(tests[0], name, self.known)
                    masks += [mask] if mask is not None else []
                for mask in masks:
                    source.slice = whole = placed(source, ast.BinOp(whole, ast.BitAnd(), mask))
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        self.generic_visit(node)
        whole = _all_of(node)
        if whole is not None:
            return placed(node, ast.Subscript(ast.Name("BITL", ast.Load()), whole, ast.Load()))  # type: ignore[no-any-return]
        return node

    def visit_List(self, node: ast.List) -> ast.AST:
        self.generic_visit(node)
        match node.elts:
            case [ast.Starred(value=ast.Subscript(value=ast.Name(id="BITL"), slice=whole)), *more] if more and all(
                _is_number(item) for item in more
            ):
                table = ast.Name(self.presence.listed(more), ast.Load())
                return placed(node, ast.Subscript(table, whole, ast.Load()))  # type: ignore[no-any-return]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(func=ast.Name(id="sum"), args=[ast.ListComp(generators=[generator]) as listed]):
                self.visit(generator)
                match listed.elt:
                    case ast.BinOp(left=ast.Constant(value=1), op=ast.LShift(), right=ast.Name() as member):
                        whole = _all_of(ast.ListComp(member, [generator]))
                        if whole is not None:
                            return whole
                return node
        self.generic_visit(node)
        return node


def _all_of(node: ast.ListComp) -> ast.expr | None:
    """The set that a list has all members of."""
    match node:
        case ast.ListComp(
            elt=ast.Name(id=member),
            generators=[
                ast.comprehension(
                    target=ast.Name(id=name), iter=ast.Subscript(value=ast.Name(id="BITS"), slice=whole), ifs=[]
                )
            ],
        ) if member == name:
            return whole
    return None


def _is_number(x: ast.expr) -> bool:
    match x:
        case ast.Constant(value=int()) | ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int())):
            return True
    return False


def _conjuncts(test: ast.expr) -> list[ast.expr]:
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return [part for value in values for part in _conjuncts(value)]
    return [test]


def _factors(x: ast.expr) -> list[ast.expr]:
    match x:
        case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
            return [*_factors(left), *_factors(right)]
    return [x]


def _state(base: int, index: ast.expr) -> ast.expr:
    match index:
        case ast.Constant(value=int(number)):
            at: ast.expr = ast.Constant(base + number)
        case _:
            at = ast.BinOp(ast.Constant(base), ast.Add(), copied(index))
    return ast.Subscript(ast.Name("S", ast.Load()), at, ast.Load())


def _masks(value: ast.expr) -> tuple[int, ...] | None:
    """A table of numbers, or one number."""
    match value:
        case ast.Constant(value=int(number)):
            return (number,)
        case ast.Tuple(elts=elts):
            out = []
            for element in elts:
                match element:
                    case ast.Constant(value=int(number)):
                        out.append(number)
                    case _:
                        return None
            return tuple(out)
    return None


def _are_apart(masks: Sequence[int]) -> bool:
    """Whether no two masks have anything in common."""
    seen = 0
    for mask in masks:
        if mask & seen or mask <= 0:
            return False
        seen |= mask
    return len(masks) > 1


def _is_facts(value: ast.expr) -> bool:
    return isinstance(value, ast.Tuple) and _masks(value) is not None


def _things_given(function: ast.FunctionDef) -> set[str]:
    """Parameters that are things: those marked as such which are nothing else anywhere in the function."""
    marked = {given.arg for given in function.args.args if given.annotation is not None}
    return marked - {n.id for n in walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _names_set(statement: ast.stmt) -> set[str]:
    return {n.id for n in walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def carried(groups: Sequence[int]) -> tuple[int, int]:
    """The highest bit of each run of bits of a group, and all the bits below them."""
    every = high = 0
    for group in groups:
        every |= group
        high |= group & ~(group >> 1)
    return every ^ high, high


def _renewed(index: ast.expr) -> str:
    return f"renewed(S, {ast.unparse(index)})"


def _left(slot: str, code: str) -> str:
    return f"if not S[{slot}] & PM_0[{code}]: S[PS_0[{code}]] &= PN_0[{slot}]"


def _came(slot: str, code: str) -> str:
    return f"S[PS_0[{code}]] |= PB_0[{slot}]"
