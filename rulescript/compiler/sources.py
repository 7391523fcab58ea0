"""What is gone through -> loops: things by the bits of a mask, pieces by the places they can be in.

What does not change while a loop runs is worked out before it (`hoisted`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from rulescript.analysis.rules import substitute
from rulescript.analysis.types import INT, ListOf, PieceOf, Pile, SetOf, ThingOf, Type
from rulescript.compiler.masks import Masks
from rulescript.compiler.names import NAMES
from rulescript.compiler.walking import free_vars
from rulescript.compiler.writer import Writer
from rulescript.model import ir

__all__ = ["Sources", "cost"]

# Names that mean the same all through a function: the state, constants, and what was named before a loop.
_FIXED = re.compile(r"S|BITS|True|False|None|if|else|not|and|or|is|[A-Z]{1,2}_?\d+|i\d+")


class Sources(Masks):
    """Writes loops."""

    # -------------------------------------------------------------- expressions

    def each(self, x: ir.X) -> str:
        """Python for an expression that is worked out for every element of a loop."""
        self.inner += 1
        try:
            return self.x(x)
        finally:
            self.inner -= 1

    def invariant(self, code: str) -> str:
        """What does not change inside a loop gets a name, set before the loop."""
        if self.hoists is None or code.count("[") < 2 and " & " not in code:
            return code
        if code in self.hoists:
            return self.hoists[code]
        if not all(_FIXED.fullmatch(name) for name in NAMES.findall(code)):
            return code
        self._hoisted += 1
        name = self.hoists[code] = f"i{self._hoisted}"
        return name

    def hoisted(self, make: Callable[[], str], out: Writer, indent: int) -> str:
        """Make an expression; write what it can use again in front of it."""
        before, self.hoists = self.hoists, {}
        inner, self.inner = self.inner, 0
        try:
            code = make()
            for value, name in self.hoists.items():
                out.line(indent, f"{name} = {value}")
        finally:
            self.hoists, self.inner = before, inner
        return code

    def slot(self, x: ir.ContentsX) -> str:
        """The slot of one place."""
        base = self.layout.holds_slot[id(x.holds)]
        if x.of is None:
            return str(base)
        return self.plus(base, x.of)

    # -------------------------------------------------------------- sources

    def split_source(self, source: ir.X) -> tuple[ir.X, list[tuple[ir.Var, ir.X]]]:
        """What lies under the filters, and the filters."""
        filters: list[tuple[ir.Var, ir.X]] = []
        while isinstance(source, ir.FilterX):
            filters += [(source.var, part) for part in self.parts_of(source.condition)]
            source = source.source
        return source, filters

    def thing_mask(self, source: ir.X, var: ir.Var | None, conditions: Sequence[ir.X]) -> tuple[str, list[ir.X]]:
        """A mask for a set of things under conditions on its element, and the conditions left to test."""
        base, filters = self.split_source(source)
        kind = self.game.kinds.get(self.kind_of(source.type)) if isinstance(_element(source.type), ThingOf) else None
        wanted: list[tuple[ir.Var, ir.X]] = [*filters, *((var, c) for c in conditions if var is not None)]
        masks = [] if isinstance(base, ir.AllThings) and wanted else [self.x(base)]
        left: list[ir.X] = []
        for element, condition in wanted:
            one = self.mask_of(kind, element, condition) if kind is not None else None
            if one is not None:
                masks.append(one)
            else:
                if var is not None and element is not var:
                    condition = substitute(condition, {element.ident: ir.Local(element.type, condition.span, var)})
                left.append(condition)
        if not masks:
            masks = [self.x(base)]
        return self.joined(masks), left

    def joined(self, masks: list[str]) -> str:
        """Masks that must all hold; inside a loop, those that do not change are joined before it."""
        if self.inner and self.hoists is not None and len(masks) > 1:
            fixed = [k for k in masks if all(_FIXED.fullmatch(name) for name in NAMES.findall(k))]
            rest = [k for k in masks if k not in fixed]
            if fixed:
                one = fixed[0] if len(fixed) == 1 else "(" + " & ".join(fixed) + ")"
                masks = [*rest, self.invariant(one)]
        return masks[0] if len(masks) == 1 else "(" + " & ".join(masks) + ")"

    def loop(
        self,
        var: ir.Var,
        source: ir.X,
        conditions: Sequence[ir.X],
        weight: str | None = None,
        any_order: bool = False,
    ) -> tuple[str, list[ir.X]]:
        """``for v in ...`` over a source, and the conditions left to test inside it.

        With `weight`, pieces that are alike come once and that name counts them. `any_order`: what the loop comes to
        does not depend on its order."""
        self.codes.pop(var.ident, None)
        name = self.local(var)
        match source.type:
            case Pile():
                return self.pile_loop(var, name, source, conditions, weight)
            case SetOf():
                mask, left = self.thing_mask(source, var, conditions)
                return f"for {name} in {self.counted(f'BITS[{mask}]')}", left
        base, filters = self.split_source(source)
        left = [substitute(c, {e.ident: ir.Local(e.type, c.span, var)}) for e, c in filters]
        return f"for {name} in {self.counted(self.listed(base, any_order))}", [*left, *conditions]

    def counted(self, items: str) -> str:
        """What a loop goes over; counted in play where that could be much (compiler/work.py)."""
        return f"many({items}, {self.round})" if self.round else items

    def pile_parts(
        self, source: ir.X, var: ir.Var | None, conditions: Sequence[ir.X]
    ) -> tuple[ir.ContentsX, str, str | None, list[ir.X]]:
        """A pile's places, the mask of its holders ("" for one place), its mask of counters, and what is left."""
        base, filters = self.split_source(source)
        if not isinstance(base, ir.ContentsX):
            raise AssertionError(base)
        kind = base.holds.kind
        owner = base.holds.owner
        wanted: list[tuple[ir.Var, ir.X]] = [*filters, *((var, c) for c in conditions if var is not None)]
        codes: list[str] = []
        holders: list[str] = []
        tests: list[str] = []
        left: list[ir.X] = []
        many = base.of is not None and isinstance(base.of.type, SetOf)
        place = ir.Var("place", ThingOf(owner.name) if owner else INT, "element", -1)
        h = self.fresh("h")
        for element, condition in wanted:
            one = self.code_mask(kind, element, condition)
            if one is not None:
                codes.append(one)
                continue
            if many and owner is not None:
                moved = _place_only(condition, element, place)
                if moved is not None:
                    mask = self.mask_of(owner, place, moved)
                    if mask is not None:
                        holders.append(mask)
                    else:
                        self.env[place.ident] = h
                        tests.append(self.each(moved))
                    continue
            if var is not None and element is not var:
                condition = substitute(condition, {element.ident: ir.Local(element.type, condition.span, var)})
            left.append(condition)
        holder = ""
        if many:
            assert base.of is not None
            masks = [*([] if isinstance(base.of, ir.AllThings) and holders else [self.x(base.of)]), *holders]
            holder = f"BITS[{' & '.join(masks)}]"
        codes.sort(key=cost)
        if holder and codes:
            # The same for every place.
            self.inner += 1
            codes = [self.joined(codes)] if len(codes) > 1 else [self.invariant(codes[0])]
            self.inner -= 1
        if tests:
            # A place is tested only if somebody stands in it who matters.
            inside = f"S[{self.layout.holds_slot[id(base.holds)]} + {h}]" + (f" & {codes[0]}" if codes else "")
            holder = f"[{h} for {h} in {holder} if {inside} and {' and '.join(tests)}]"
        return base, holder, (" & ".join(codes) if codes else None), left

    def pile_loop(
        self, var: ir.Var, name: str, source: ir.X, conditions: Sequence[ir.X], weight: str | None
    ) -> tuple[str, list[ir.X]]:
        if isinstance(self.split_source(source)[0], ir.MostX):
            return f"for {name} in {self.refs(source)}", list(conditions)
        base, holder, codes, left = self.pile_parts(source, var, conditions)
        kind = self.ident(base.holds.kind.name)
        slot = self.layout.holds_slot[id(base.holds)]
        mask = f" & {codes}" if codes else ""
        c = self.fresh("c")
        pair = f"{c}, {weight} in IT_{kind}" if weight else f"{c} in CD_{kind}"
        if holder:
            h = self.fresh("h")
            self.codes[var.ident] = (c, h)
            self.env[var.ident] = f"(({slot} + {h}) << {self.shift} | {c})"
            return f"for {h} in {holder} for {pair}[S[{slot} + {h}]{mask}]", left
        at = self.slot(base)
        self.codes[var.ident] = (c, self.x(base.of) if base.of is not None else "0")
        shifted = str(int(at) << self.shift) if at.isdigit() else f"({at}) << {self.shift}"
        self.env[var.ident] = f"({shifted} | {c})"
        rest: list[ir.X] = []
        for condition in left:
            test = self.known_codes(kind, c, condition)
            if test is None:
                rest.append(condition)
            else:
                mask += f" & {test}"
        return f"for {pair}[S[{at}]{mask}]", rest

    def known_codes(self, kind: int, code: str, condition: ir.X) -> str | None:
        """A mask of the codes for which a condition holds, remembered by the values it is tested against.

        Only for a condition that looks at a piece's code, constants and what does not change inside the loop."""
        if self.hoists is None:
            return None
        before = dict(self.hoists)
        test = self.each(condition)
        names = set(NAMES.findall(test))
        given = sorted(name for name in names if re.fullmatch(r"i\d+", name))
        tables = [name for value, name in self.hoists.items() if value.endswith("_at(S)")]
        fixed = all(_FIXED.fullmatch(name) or name == code for name in names - {"S"})
        if "S" in names or code not in names or not fixed or not 0 < len(given) <= 2 or any(g in tables for g in given):
            self.hoists = before
            return None
        worked = f"lambda {', '.join(given)}: sum([FM_{kind}[{code}] for {code} in range(len(FM_{kind})) if {test}])"
        if self.is_sparse(kind):
            worked = f"lambda {', '.join(given)}: Which(lambda {code}: {test})"
        # Names of this loop would make equal tables look different.
        for at, name in enumerate([*given, code]):
            worked = re.sub(rf"\b{name}\b", f"k{at}", worked)
        table = self.known.get(worked)
        if table is None:
            table = self.known[worked] = f"KN{len(self.known)}"
        return f"{table}[{', '.join(given)}]"

    def refs(self, source: ir.X, any_order: bool = False) -> str:
        """A tuple of piece references for a pile, alike ones repeated; or the members of a list or set."""
        base, filters = self.split_source(source)
        if isinstance(base, ir.MostX):
            inner = base
            loop, left = self.loop(inner.var, inner.source, ())
            test = "".join(f" if {self.each(c)}" for c in left)
            listed = f"[{self.local(inner.var)} {loop}{test}]"
            name = self.as_name(inner.var)
            sign = 1 if inner.direction == "most" else -1
            return f"most_list({listed}, lambda {name}: {self.each(inner.by)}, {sign})"
        if isinstance(source.type, SetOf):
            return f"BITS[{self.x(source)}]"
        if isinstance(source.type, ListOf):
            return self.listed(source, any_order) if any_order else self.x(source)
        var = ir.Var("each", PieceOf(self.kind_of(source.type)), "element", -2)
        loop, left = self.loop(var, source, (), "n_")
        test = "".join(f" if {self.each(c)}" for c in left)
        return f"tuple([{self.local(var)} {loop}{test} for _ in range(n_)])"

    def as_name(self, var: ir.Var) -> str:
        """A plain name for an element, no longer the code and place of a loop."""
        self.codes.pop(var.ident, None)
        name = self.env[var.ident] = f"v{var.ident}"
        return name

    def loops(
        self,
        picks: Sequence[tuple[ir.Var, ir.X]],
        condition: ir.X | None,
        weight: str | None = None,
        any_order: bool = False,
    ) -> str:
        """``for a in A for b in B if ...`` with every condition tested as early as it can be."""
        parts = self.parts_of(condition)
        out: list[str] = []
        names = [var.ident for var, _ in picks]
        for at, (var, source) in enumerate(picks):
            later = set(names[at + 1 :])
            ready = [c for c in parts if not (free_vars(c) & later)]
            parts = [c for c in parts if free_vars(c) & later]
            self.inner += 1 if at else 0
            text, left = self.loop(var, source, ready, weight if at == len(picks) - 1 else None, any_order)
            self.inner -= 1 if at else 0
            out.append(text + "".join(f" if {self.each(c)}" for c in left))
        return " ".join(out)


def _element(type_: Type) -> Type | None:
    return type_.element if isinstance(type_, SetOf | ListOf) else None


def cost(code: str) -> int:
    """Roughly what a mask costs: a call more than a look-up."""
    return code.count("(S") * 2 + code.count("links_of(") * 2 + (1 if "[" in code else 0)


def _place_only(x: ir.X, element: ir.Var, place: ir.Var) -> ir.X | None:
    """The condition on the place alone, if a condition on a piece asks for nothing else."""
    found = False

    def visit(node: ir.X) -> ir.X | None:
        nonlocal found
        if isinstance(node, ir.PlaceOfX) and isinstance(node.of, ir.Local) and node.of.var is element:
            found = True
            return ir.Local(node.type, node.span, place)
        if isinstance(node, ir.Local) and node.var is element:
            return None
        changes: dict[str, Any] = {}
        for field in attrs.fields(type(node)):
            value = getattr(node, field.name)
            if isinstance(value, ir.X):
                new = visit(value)
                if new is None:
                    return None
                changes[field.name] = new
            elif isinstance(value, tuple) and value and all(isinstance(v, ir.X) for v in value):
                items = [visit(v) for v in value]
                if any(i is None for i in items):
                    return None
                changes[field.name] = tuple(items)
            elif isinstance(value, tuple) and any(isinstance(v, tuple) for v in value):
                pairs: list[Any] = []
                for pair in value:
                    if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[1], ir.X)):
                        return None if element.ident in free_vars(node) else node
                    source = visit(pair[1])
                    if source is None:
                        return None
                    pairs.append((pair[0], source))
                changes[field.name] = tuple(pairs)
        return ir.altered(node, changes) if changes else node

    made = visit(x)
    return made if found else None
