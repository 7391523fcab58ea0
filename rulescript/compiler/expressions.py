"""Expressions of the model -> Python expressions.

The hard idea: a condition on the members of a set is turned into arithmetic on whole masks where that can be done
(`mask_of`), and a condition on pieces into a mask of counters (`code_mask`). What remains is tested member by
member. So `Region[control == s and capital]` becomes one `&` of two integers, as an expert would write it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulescript.analysis.types import BOOL, INT, NOTHING, ListOf, Maybe, PieceOf, Pile, SetOf, ThingOf
from rulescript.compiler.layout import PieceLayout, plain
from rulescript.compiler.sources import Sources, cost
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.runtime.support import LONGEST

__all__ = ["Compiler"]


class Compiler(Sources):
    """Makes Python text; collects the constants it needs."""

    # -------------------------------------------------------------- expressions

    def x(self, x: ir.X) -> str:
        """Python for an expression."""
        around, self.round = self.round, self.work.round(x) if self.is_counted else 0
        try:
            return self.x_once(self._x(x))
        finally:
            self.round = around

    def _x(self, x: ir.X) -> str:
        match x:
            case ir.Lit(value=value):
                return repr(value)
            case ir.ThingLit(index=index):
                return str(index)
            case ir.AllThings(kind=kind):
                return str((1 << kind.size) - 1)
            case ir.Local(var=var):
                return self.local(var)
            case ir.StateX():
                return self.state(x)
            case ir.AttrX(attr=attr, of=of):
                return self.attribute(attr, of)
            case ir.PieceStateX(state=state, of=of):
                pieces = self.layout.pieces[self.kind_of(of.type)]
                if pieces.is_sparse:
                    return self.sparse_state(pieces, state, of)
                table = tuple(pieces.state_of(c, state) for c in range(pieces.codes))
                return f"{self.const(table, 'A')}[{self.code_of(of)}]"
            case ir.PlaceOfX(of=of):
                if isinstance(of.type, PieceOf):
                    if isinstance(of, ir.Local) and of.var.ident in self.codes:
                        return self.codes[of.var.ident][1]
                    return f"{self.owners(x.type)}[{self.x(of)} >> {self.shift}]"
                return f"{self.owners(x.type)}[S[{self.plus(self.layout.loc_slot[self.kind_of(of.type)], of)}]]"
            case ir.ContentsX(type=ListOf()):
                # As a value of its own: the order of a shuffled place is settled before it is kept.
                return f"tuple({self.contents(x)})"
            case ir.ContentsX():
                return self.contents(x)
            case ir.LinksX(of=of, kind=kind, sorts=sorts):
                table_name = self.links(kind, sorts)
                if isinstance(of.type, SetOf):
                    return f"{self.near(table_name)}[{self.x(of)}]"
                return f"{table_name}[{self.x(of)}]"
            case ir.FilterX():
                return self.filtered(x)
            case ir.SomeX(source=source, negated=negated):
                return self.some(source, negated)
            case ir.QuantX():
                return self.quantified(x)
            case ir.AggregateX():
                return self.aggregate(x)
            case ir.MostX():
                return self.most(x)
            case ir.AndX(parts=parts):
                return "(" + " and ".join(self.x(p) for p in parts) + ")"
            case ir.OrX(parts=parts):
                return "(" + " or ".join(self.x(p) for p in parts) + ")"
            case ir.NotX(of=of):
                return f"(not {self.x(of)})"
            case ir.ArithX():
                return self.arithmetic(x)
            case ir.SetOpX(operator=operator, left=left, right=right):
                a, b = self.x(left), self.x(right)
                match operator:
                    case "+":
                        return f"({a} | {b})"
                    case "-":
                        return f"({a} & ~{b})"
                    case "&":
                        return f"({a} & {b})"
                return f"joined({a}, {b})"
            case ir.CompareX():
                return self.compare(x)
            case ir.InX():
                return self.contained(x)
            case ir.IfX(condition=condition, then=then, otherwise=otherwise):
                return f"({self.x(then)} if {self.x(condition)} else {self.x(otherwise)})"
            case ir.CallX(function=function, args=args):
                expanded = self.expand(x)
                if expanded is not x:
                    return self.x(expanded)
                name = self.function_name(function)
                if name in self.remembered:
                    return self.remembered_call(name, args)
                given = "".join(f", {self.x(a)}" for a in args)
                return f"{name}(S{given})"
            case ir.RouteX(route=route, args=args, target=target):
                name = self.route_name(route)
                if target is None and name in self.remembered:
                    return self.remembered_call(name, args)
                given = "".join(f", {self.x(a)}" for a in args)
                if target is not None:
                    return f"{name}_steps(S{given}, {self.x(target)})"
                return f"{name}(S{given})"
            case ir.TableX(table=table, args=args, shift=shift):
                given = "".join(f", {self.x(a)}" for a in args)
                extra = f", {self.x(shift)}" if shift is not None else ""
                return f"{self.table_name(table)}(S{given}{extra})"
            case ir.BuiltinX():
                return self.builtin(x)
            case ir.SetX(items=items):
                return self.set_of(items)
            case ir.ListX(items=items):
                inner = ", ".join(self.x(i) for i in items)
                return f"({inner}{',' if items else ''})"
            case ir.RangeX(low=low, high=high):
                return str(sum(1 << i for i in range(low, high + 1)))
            case ir.TemplateX():
                return self.text(x)
        raise AssertionError(x)

    def remembered_call(self, name: str, args: Sequence[ir.X]) -> str:
        """A rule whose answers are kept while nothing it reads changes; inside a loop the table is found once."""
        table = f"{name}_at(S)"
        if self.inner and self.hoists is not None:
            if table not in self.hoists:
                self._hoisted += 1
                self.hoists[table] = f"i{self._hoisted}"
            table = self.hoists[table]
        given = ", ".join(self.x(a) for a in args)
        return f"{table}[{given if args else 'None'}]"

    def state(self, x: ir.StateX) -> str:
        slot = self.layout.state_slot[id(x.state)]
        if x.of is None:
            return f"S[{slot}]"
        if self.layout.state_mode[id(x.state)] == "mask":
            return f"(S[{slot}] >> {self.x(x.of)} & 1)"
        return f"S[{self.plus(slot, x.of)}]"

    def attribute(self, attr: m.Attr, of: ir.X) -> str:
        values = self._plain_values.get(id(attr))
        if values is None:
            values = self._plain_values[id(attr)] = tuple(plain(v) for v in attr.values)
        if isinstance(of, ir.ThingLit):
            return repr(values[of.index])
        if isinstance(of.type, PieceOf):
            name = self._piece_tables.get(id(attr))
            if name is None:
                pieces = self.layout.pieces[attr.kind.name]
                if pieces.is_sparse:
                    own = self.const(values or (0,), "A")
                    return f"{own}[({self.code_of(of)}) % {pieces.types}]"
                # A kind of pieces without any types still has one code, which no piece ever has.
                table = values[: pieces.types] * pieces.combos if values else (0,) * pieces.codes
                name = self._piece_tables[id(attr)] = self.const(table, "A")
            return f"{name}[{self.code_of(of)}]"
        name = self._tables.get(id(attr))
        if name is None:
            name = self._tables[id(attr)] = self.const(values, "A")
        return f"{name}[{self.x(of)}]"

    def sparse_state(self, pieces: PieceLayout, state: m.State, of: ir.X) -> str:
        """A state of a piece of which there are so many codes that no table has them all."""
        stride, values = pieces.stride(state)
        at = f"({self.code_of(of)}) // {stride} % {len(values)}"
        if isinstance(values, range):
            # The lowest value has the first code.
            return f"({at} + {values.start})" if values.start >= 0 else f"({at} - {-values.start})"
        return f"{self.const(tuple(values), 'A')}[{at}]"

    def code_of(self, piece: ir.X) -> str:
        """The code of a piece: its type and states."""
        if isinstance(piece, ir.Local) and piece.var.ident in self.codes:
            return self.codes[piece.var.ident][0]
        return f"{self.x(piece)} & {self.low}"

    def listed(self, x: ir.X, any_order: bool = False) -> str:
        """A list that is only looked at, where it stands. `any_order`: nobody cares for its order, so that a
        shuffled place need not be settled (runtime/unsettled.py)."""
        match x:
            case ir.ContentsX(type=ListOf()):
                code = self.contents(x)
                return f"members({code})" if any_order else self.x_once(code)
            case ir.FilterX(type=ListOf()) if any_order:
                return self.filtered(x, any_order)
        return self.x(x)

    def through(self, code: str, x: ir.X) -> str:
        """A list that is gone through at once: counted in play as it is long. What a place holds is never long, and
        what is written out is not either."""
        is_any = isinstance(x.type, ListOf) and not isinstance(x, ir.ContentsX | ir.ListX)
        return f"through({code})" if is_any else code

    def x_once(self, code: str) -> str:
        return self.invariant(code) if self.inner and self.hoists is not None else code

    def contents(self, x: ir.ContentsX) -> str:
        base = self.layout.holds_slot[id(x.holds)]
        if x.of is not None and isinstance(x.of.type, SetOf):
            # Piles of several places add up; sets of single things are disjoint, so adding joins them too.
            if x.holds.ordered:
                h, i = self.fresh("h"), self.fresh("j")
                return f"sum(1 << {i} for {h} in BITS[{self.x(x.of)}] for {i} in members(S[{base} + {h}]))"
            h = self.fresh("h")
            return f"sum([S[{base} + {h}] for {h} in BITS[{self.x(x.of)}]])"
        return f"S[{self.slot(x)}]"

    def links(self, kind: m.Kind, sorts: tuple[str, ...]) -> str:
        table = [0] * kind.size
        for sort in sorts:
            for i, near in enumerate(kind.links.get(sort, [])):
                for j in near:
                    table[i] |= 1 << j
        return self.const(tuple(table), "L")

    def set_of(self, items: Sequence[ir.X]) -> str:
        fixed = 0
        parts: list[str] = []
        for item in items:
            if isinstance(item, ir.ThingLit):
                fixed |= 1 << item.index
            elif isinstance(item, ir.Lit) and isinstance(item.value, int):
                fixed |= 1 << item.value
            else:
                parts.append(f"bit({self.x(item)})" if item.type == INT else f"1 << {self.x(item)}")
        if fixed or not parts:
            parts.insert(0, str(fixed))
        return "(" + " | ".join(parts) + ")" if len(parts) > 1 else f"({parts[0]})"

    # -------------------------------------------------------------- the larger forms

    def filtered(self, x: ir.FilterX, any_order: bool = False) -> str:
        match x.type:
            case SetOf():
                mask, left = self.thing_mask(x, None, ())
                if not left:
                    return mask
                var = x.var
                mask, left = self.thing_mask(x, var, ())
                name = self.local(var)
                test = " and ".join(self.each(c) for c in left)
                return f"sum([1 << {name} for {name} in BITS[{mask}] if {test}])"
            case Pile():
                base, holder, codes, left = self.pile_parts(x, None, ())
                if left:
                    return self.slow_pile(x)
                mask = f" & {codes}" if codes else ""
                slot = self.layout.holds_slot[id(base.holds)]
                if holder:
                    h = self.fresh("h")
                    return f"sum([S[{slot} + {h}]{mask} for {h} in {holder}])"
                return f"(S[{self.slot(base)}]{mask})"
        loop, left = self.loop(x.var, x, (), any_order=any_order)
        test = "".join(f" if {self.each(c)}" for c in left)
        return f"tuple([{self.local(x.var)} {loop}{test}])"

    def slow_pile(self, x: ir.FilterX) -> str:
        """A pile whose condition must be tested piece by piece."""
        var = x.var
        loop, left = self.loop(var, x, (), "n_")
        kind = self.ident(self.kind_of(x.type))
        test = "".join(f" if {self.each(c)}" for c in left)
        code = self.code_of(ir.Local(var.type, x.span, var))
        return f"sum([n_ * UN_{kind}[{code}] {loop}{test}])"

    def some(self, source: ir.X, negated: bool) -> str:
        match source.type:
            case SetOf():
                mask, left = self.thing_mask(source, None, ())
                if not left:
                    return f"({mask} {'==' if negated else '!='} 0)"
            case Pile():
                if isinstance(source, ir.FilterX | ir.ContentsX):
                    base, holder, codes, left = self.pile_parts(source, None, ())
                    if not left:
                        mask = f" & {codes}" if codes else ""
                        slot = self.layout.holds_slot[id(base.holds)]
                        if holder:
                            h = self.fresh("h")
                            test = f"any([S[{slot} + {h}]{mask} for {h} in {holder}])"
                            return f"(not {test})" if negated else test
                        place = f"S[{self.slot(base)}]"
                        cheap = _cheap(codes)
                        if cheap is not None:
                            found = f"({place}{cheap} and {place}{mask})"
                            return f"(not {found})" if negated else found
                        return f"({place}{mask} {'==' if negated else '!='} 0)"
            case ListOf():
                asked = self.listed(source, any_order=isinstance(source, ir.FilterX))
                return f"({asked} {'==' if negated else '!='} ())"
        if isinstance(source, ir.FilterX):
            loop, left = self.loop(source.var, source, ())
            test = " and ".join(self.each(c) for c in left) or "True"
            found = f"any([{test} {loop}])"
            return f"(not {found})" if negated else found
        return f"({self.x(source)} {'==' if negated else '!='} 0)"

    def quantified(self, x: ir.QuantX) -> str:
        if x.quantifier in ("some", "none"):
            if len(x.picks) == 1 and isinstance(x.picks[0][1].type, SetOf):
                var, source = x.picks[0]
                mask, left = self.thing_mask(source, var, self.parts_of(x.condition))
                if not left:
                    return f"({mask} {'!=' if x.quantifier == 'some' else '=='} 0)"
            found = f"any(True {self.loops(x.picks, x.condition, any_order=True)})"
            return found if x.quantifier == "some" else f"(not {found})"
        return f"(not any(True {self.loops(x.picks, ir.NotX(BOOL, x.span, x.condition), any_order=True)}))"

    def aggregate(self, x: ir.AggregateX) -> str:
        pieces = isinstance(x.picks[-1][1].type, Pile)
        match x.function:
            case "matching":
                (var, source), dice = x.picks[0], x.condition
                assert dice is not None
                if pieces:
                    loop, left = self.loop(var, source, (), "n_")
                    weight = "n_"
                else:
                    loop, left = self.loop(var, source, (), any_order=True)
                    weight = "1"
                test = "".join(f" if {self.each(c)}" for c in left)
                score = self.each(x.value)
                if isinstance(x.value.type, SetOf):
                    score = f"frozenset(BITS[{score}])"
                return f"hits({self.x(dice)}, [({score}, {weight}) {loop}{test}])"
            case "completes":
                (plan, done), (_, items) = x.picks
                assert x.condition is not None
                given = f"{self.x(x.condition)}, {self.x(items)}, {self.x(done)}"
                # The name is one of this expression's own, so nobody else has a place for it.
                hoists, self.hoists = self.hoists, None
                name = self.env[plan.ident] = f"v{plan.ident}"
                try:
                    return f"completes({given}, lambda {name}: {self.each(x.value)})"
                finally:
                    self.hoists = hoists
                    del self.env[plan.ident]
            case "set":
                if isinstance(x.value.type, ThingOf) or x.value.type == INT:
                    loops = self.loops(x.picks, x.condition, any_order=True)
                    member = self.each(x.value)
                    one = f"bit({member})" if x.value.type == INT else f"1 << {member}"
                    return f"sum({{{one} {loops}}})"
            case "list":
                if pieces:
                    loops = self.loops(x.picks, x.condition, "n_")
                    return f"limited(tuple([{self.each(x.value)} {loops} for _ in range(n_)]))"
                loops = self.loops(x.picks, x.condition)
                made = f"tuple([{self.each(x.value)} {loops}])"
                return f"limited({made})" if self.work.size(x) > LONGEST else made
            case "sum":
                if pieces:
                    loops = self.loops(x.picks, x.condition, "n_")
                    return f"sum([n_ * ({self.each(x.value)}) {loops}])"
                loops = self.loops(x.picks, x.condition, any_order=True)
                return f"sum([{self.each(x.value)} {loops}])"
            case "count":
                both = x.value if x.condition is None else ir.AndX(BOOL, x.span, (x.condition, x.value))
                if pieces:
                    return f"sum([n_ {self.loops(x.picks, both, 'n_')}])"
                return f"sum([1 {self.loops(x.picks, both, any_order=True)}])"
            case "max" | "min":
                loops = self.loops(x.picks, x.condition, any_order=True)
                return f"{x.function}([{self.each(x.value)} {loops}], default=0)"
        raise AssertionError(x.function)

    def most(self, x: ir.MostX) -> str:
        sign = 1 if x.direction == "most" else -1
        listed = self.refs(x.source) if not isinstance(x.type, SetOf) else ""
        name = self.as_name(x.var)
        by = f"lambda {name}: {self.each(x.by)}"
        if isinstance(x.type, SetOf):
            return f"most_set({self.x(x.source)}, {by}, {sign})"
        if isinstance(x.type, Pile):
            kind = self.ident(self.kind_of(x.type))
            refs = f"most_list({listed}, {by}, {sign})"
            return f"sum([UN_{kind}[e & {self.low}] for e in {refs}])"
        return f"most_list({listed}, {by}, {sign})"

    def arithmetic(self, x: ir.ArithX) -> str:
        args = [self.x(a) for a in x.args]
        match x.operator:
            case "neg":
                return f"(-{args[0]})"
            case "min" | "max":
                if len(args) == 2 and all(_is_atom(a) for a in args):
                    sign = "<" if x.operator == "min" else ">"
                    return f"({args[0]} if {args[0]} {sign} {args[1]} else {args[1]})"
                return f"{x.operator}({', '.join(args)})"
            case "mod":
                return f"({args[0]} % {args[1]})"
            case "/down":
                return f"({args[0]} // {args[1]})"
            case "/up":
                return f"(-(-{args[0]} // {args[1]}))"
            case "*":
                return f"product({args[0]}, {args[1]})"
        return f"({args[0]} {x.operator} {args[1]})"

    def compare(self, x: ir.CompareX) -> str:
        asked = self.emptiness(x)
        if isinstance(asked, ir.SomeX):
            return self.some(asked.source, asked.negated)
        a, b = self.x(x.left), self.x(x.right)
        if x.right.type == NOTHING:
            if a.isdigit():  # an attribute that is fixed: something, and Python would wonder about `0 is None`
                return str(x.operator == "!=")
            return f"({a} is None)" if x.operator == "==" else f"({a} is not None)"
        return f"({self.through(a, x.left)} {x.operator} {b})"

    def contained(self, x: ir.InX) -> str:
        element, source = x.element, self.expand(x.source)
        sign = "not " if x.negated else ""
        match source.type:
            case SetOf(ThingOf()):
                one = self.x(element)
                if isinstance(source, ir.ContentsX) and not (
                    source.of is not None and isinstance(source.of.type, SetOf)
                ):
                    loc = self.layout.loc_slot[self.kind_of(element.type)]
                    return f"(S[{self.plus(loc, element)}] {'!=' if x.negated else '=='} {self.slot(source)})"
                if isinstance(element.type, Maybe):
                    return f"({sign}({one} is not None and {self.x(source)} >> {one} & 1))"
                found = f"({self.x(source)} >> {one} & 1)"
                return f"(not {found})" if x.negated else found
            case SetOf():
                if isinstance(source, ir.RangeX):
                    found = f"({source.low} <= {self.x(element)} <= {source.high})"
                else:
                    one = self.x(element)
                    found = f"({one} >= 0 and {self.x(source)} >> {one} & 1)"
                return f"(not {found})" if x.negated else found
            case Pile(kind):
                number = self.ident(kind)
                one = self.x(element)
                if isinstance(source, ir.FilterX | ir.ContentsX):
                    base, holder, codes, left = self.pile_parts(source, None, ())
                    if not left:
                        mask = f" & {codes}" if codes else ""
                        slot = self.layout.holds_slot[id(base.holds)]
                        inside = f"(S[{one} >> {self.shift}]{mask} & FM_{number}[{one} & {self.low}] != 0)"
                        if holder:
                            at = f"({one} >> {self.shift}) - {slot}"
                            found = f"({at} in {holder} and {inside})"
                        else:
                            found = f"({one} >> {self.shift} == {self.slot(base)} and {inside})"
                        return f"(not {found})" if x.negated else found
                return f"({one} {sign}in {self.refs(source)})"
        listed = self.through(self.listed(source, isinstance(source, ir.FilterX)), source)
        return f"({self.x(element)} {sign}in {listed})"

    def builtin(self, x: ir.BuiltinX) -> str:
        first = x.args[0]
        a = self.listed(first, any_order=x.name == "count" and isinstance(first, ir.FilterX))
        match x.name:
            case "count":
                if isinstance(first.type, SetOf):
                    return f"({a}).bit_count()"
                if isinstance(first.type, Pile):
                    return f"CN_{self.ident(self.kind_of(first.type))}[{a}]"
                return f"len({a})"
            case "sum":
                return f"sum({self.through(self.refs(first, any_order=True), first)})"
            case "max" | "min":
                return f"{x.name}({self.through(self.refs(first, any_order=True), first)}, default=0)"
            case "abs":
                return f"abs({a})"
            case "nth":
                return f"{a}[{self.x(x.args[1])}]"
            case "default" if a.isdigit():
                return a
            case "default":
                return (
                    f"({a} if {a} is not None else {self.x(x.args[1])})"
                    if _is_atom(a)
                    else (f"default({a}, {self.x(x.args[1])})")
                )
            case "only":
                return f"only({self.refs(first)})"
            case "first" | "last":
                items = a if isinstance(first.type, ListOf) else self.refs(first)
                return f"({items} or (None,))[{0 if x.name == 'first' else -1}]"
            case "next" | "previous":
                size = self.game.kinds[self.kind_of(first.type)].size
                table = tuple(
                    (i + 1 if i + 1 < size else None) if x.name == "next" else (i - 1 if i else None)
                    for i in range(size)
                )
                return f"{self.const(table, 'N')}[{a}]"
            case "number":
                return f"({a} + 1)"
            case "label":
                return self.say(first)
            case "seats":
                size = self.game.players.size if self.game.players is not None else 1
                return f"{self.const(tuple(tuple((a + i) % size for i in range(size)) for a in range(size)), 'Q')}[{a}]"
            case "sorted":
                return f"in_order({a})"
            case "taken":
                return f"taken({self.listed(x.args[1])}, {a})"
        raise AssertionError(x.name)


def _is_atom(code: str) -> bool:
    return code.isidentifier() or code.lstrip("-").isdigit() or (code.startswith("S[") and code[2:-1].isdigit())


def _cheap(codes: str | None) -> str | None:
    """The part of a mask worth testing first when the rest is expensive; None if it is all alike."""
    if codes is None:
        return None
    parts = codes.split(" & ")
    if any(part.count("(") != part.count(")") for part in parts):
        return None
    easy = [part for part in parts if cost(part) < 2]
    if len(easy) == len(parts):
        return None
    return "".join(f" & {part}" for part in easy)
