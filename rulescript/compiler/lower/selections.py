"""Several picked at once: what there is, how many are wanted, what the whole must meet."""

from __future__ import annotations

from collections.abc import Sequence

from rulescript.compiler import code as c
from rulescript.compiler.code import STATE, Code, Const, Each, Name, Slot, call
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.choices import OPTIONS, offered
from rulescript.compiler.lower.infos import AltInfo, DecisionInfo, SelectionInfo
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.options import is_order_hidden
from rulescript.compiler.lower.parting import Parting
from rulescript.compiler.lower.room import Room
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import free_vars
from rulescript.model.types import (
    BOOL,
    INT,
    ListOf,
    PieceOf,
    Pile,
    SetOf,
    Type,
    kind_of,
)

__all__ = ["Selections", "element_type"]


class Selections(Room):
    """Writes choices of several."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        # The functions that give what selections must meet, with the ways they are of; by the codes of the names that
        # the ways use.
        self._demands: dict[tuple[int, tuple[Code | None, ...]], tuple[str, ir.Alt]] = {}

    def _available(self, alt: ir.Alt) -> Code:
        """(item, how many) pairs of what can be selected from, ascending."""
        assert alt.many is not None
        _, _, _, source = alt.many
        once = c.Tuple((Name("e"), Const(1)))
        if isinstance(source.type, Pile):
            var = ir.Var("each", PieceOf(kind_of(source.type)), "element", -4)
            if isinstance(self.loops.split_source(source)[0], ir.MostX):
                return call("how_many_of_each", self.loops.refs(source))
            loop, left = self.loops.loop(var, source, (), "n_")
            loop = self.loops.tested(loop, left)
            # Places and codes come in ascending order.
            return call("tuple", c.Listing("list", c.Tuple((self.scope.local(var), Name("n_"))), loop))
        copies = self._copies(alt)
        if copies:
            return call("so_many", self._ascending(source), *copies)
        return call("tuple", c.Listing("list", once, (Each(("e",), self._ascending(source)),)))

    def _copies(self, alt: ir.Alt) -> tuple[Code, ...]:
        """What tells copies of a thing apart, among what several are selected from; nothing if there are none."""
        assert alt.many is not None
        source = alt.many[3]
        return self.options.copies(source, is_order_hidden(alt, source))

    def _ascending(self, source: ir.X) -> Code:
        """What can be selected from, as numbers: in declared order, however it lies."""
        if isinstance(source.type, SetOf):
            return c.BITS[self.x(source)]
        return call("sorted", self.expressions.listed(source, any_order=True))

    def _each_by_itself(self, alt: ir.Alt, picked: Code) -> Code:
        """What was picked, where copies were picked by the first of them."""
        assert alt.many is not None
        copies = self._copies(alt)
        return call("each_copy", picked, self._ascending(alt.many[3]), *copies) if copies else picked

    def _wanted(self, alt: ir.Alt) -> Code:
        assert alt.many is not None
        mode, amount, _, _ = alt.many
        if mode == "any" or amount is None:
            return Const(1) << 30
        return self.x(amount)

    def demand(self, alt: ir.Alt) -> Code | None:
        """What a selection as a whole must meet (None if nothing)."""
        name = self._demand_name(alt)
        return call(name, STATE) if name else None

    def _demand_name(self, alt: ir.Alt) -> str:
        """The function that gives it: it is asked for at many places, and written once. Nothing if there is none."""
        if self.rule.is_learning:
            self._demand(alt)
            return ""  # what is written while one only learns is thrown away
        assert alt.many is not None
        names = sorted({ident for clause in alt.clauses for ident in free_vars(clause.in_effect)} - {alt.many[2].ident})
        key = id(alt), tuple(self.scope.env.get(ident) for ident in names)
        known = self._demands.get(key)
        if known is None:
            made = self._demand(alt)
            known = self._demands[key] = f"demand{len(self._demands)}" if made is not None else "", alt
            if made is not None:
                self.program.begin(known[0], ("S",), "pure", alt.span).give(made)
        return known[0]

    def _demand(self, alt: ir.Alt) -> Code | None:
        """How a selection is written as its name's value, what it must meet, and that part of it which no further item
        can mend, as functions."""
        assert alt.many is not None
        _, _, var, source = alt.many
        parts = [
            part
            for clause in alt.clauses
            if self.options.stage_of(alt, clause) == 0
            for part in self.inlining.parts_of(clause.in_effect)
        ]
        if not parts:
            return None
        hoists, self.scope.hoists = self.scope.hoists, None
        have = Name("have")
        try:
            made = self._each_by_itself(alt, have)
            if isinstance(var.type, SetOf):
                made = _mask_of(made)
            with self.scope.as_local(var):
                self.scope.env[var.ident] = have
                whole = c.all_of([self.x(part) for part in parts])
                kept = [stays_broken(part, var.ident, source) for part in parts]
                lasting = c.all_of([self.x(part) for part in kept if part is not None])
        finally:
            self.scope.hoists = hoists
        tests = [c.Lambda(("have",), code) for code in (made, whole, lasting)]
        return call("Demand", *tests, *self._parted(alt, parts, kept))

    def _parted(self, alt: ir.Alt, parts: Sequence[ir.X], kept: Sequence[ir.X | None]) -> list[Code]:
        """The tests of a whole selection as tests of sums and facts that are put together from its single items;
        nothing where one of them reads something else."""
        assert alt.many is not None
        var = alt.many[2]
        parting = Parting(var.ident)
        tests = [parting.rewritten(part) for part in parts]
        lasting = [parting.rewritten(part) for part in kept if part is not None]
        if not parting.is_possible:
            return []
        hoists, self.scope.hoists = self.scope.hoists, None
        try:
            with self.scope.as_local(var, *(made for made, _, _ in parting.found)):
                self.scope.env[var.ident] = Name("have")
                read = [
                    call("bool", self.x(node)) if node.type == BOOL else self.x(node) for _, _, node in parting.found
                ]
                for at, (made, _, _) in enumerate(parting.found):
                    self.scope.env[made.ident] = Name("part")[at]
                whole = c.all_of([self.x(test) for test in tests])
                lasts = c.all_of([self.x(test) for test in lasting])
        finally:
            self.scope.hoists = hoists
        folds = tuple(fold for _, fold, _ in parting.found)
        items = c.Lambda(("have",), c.Tuple(tuple(read)))
        return [Const(folds), items, c.Lambda(("part",), whole), c.Lambda(("part",), lasts)]

    def many_first(self, alt: ir.Alt) -> tuple[Code, bool]:
        """The first pick of several. What can be picked and how many are wanted is noted for the later ones."""
        assert alt.many is not None
        is_exact = alt.many[0] == "exactly"
        items, wanted = self.program.hidden(alt, "items"), self.program.hidden(alt, "wanted")
        count = call("many_start", STATE, wanted, self._wanted(alt))
        listed = call("many_first", STATE, items, wanted, self._available(alt), is_exact)
        whole = self.demand(alt)
        if whole is not None:
            listed = call("completable", listed, c.Tuple(()), Slot(items), Slot(wanted), is_exact, whole)
        return c.Cond(count, listed, c.List(())), False

    def take_many(self, choose: ir.ChooseS, at: int, out: Lines, k: int, collect: int | None) -> None:
        alt = choose.alts[at]
        assert alt.many is not None
        mode, _, var, _ = alt.many
        name = self.program.bind(var)
        chosen = Slot(self.program.hidden(choose, f"chosen{at}"))
        more, done = self.program.new_block(), self.program.new_block()
        self.program.later[id(alt)] = more
        out.store(chosen, c.Tuple((OPTIONS,)))
        out.jump(more)
        items, wanted = Slot(self.program.hidden(alt, "items")), Slot(self.program.hidden(alt, "wanted"))
        have, left = Name("have"), Name("left")
        is_exact = mode == "exactly"
        ask = self.program.begin_block(more, choose.span)
        ask.let("have", chosen)
        ask.let("left", wanted - call("len", have))
        ask.when(c.Compare("<=", left, Const(0))).jump(done)
        ask.store(OPTIONS, call("many_options", items, have, left if is_exact else 1))
        whole = self.demand(alt)
        if whole is not None:
            ask.let("whole", whole)
            ask.store(OPTIONS, call("completable", OPTIONS, have, items, wanted, is_exact, Name("whole")))
        # Who is not asked for more has no more of what comes later: others must not learn that from the silence.
        telling = self.options.when_told(alt) if not is_exact else None
        unless = [c.Not(telling)] if telling is not None else []
        ask.when(c.all_of([c.Not(OPTIONS), *unless])).jump(done)
        if not is_exact:
            ask.add(offered(-1, call("meets", have, Name("whole")) if whole is not None else None))
        rest = self.options.when_rest_told(alt)
        unless += [c.Not(rest)] if rest is not None else []
        ask.add(c.Alone(more, tuple(unless)))
        ask.add(c.Ask(more))
        take = self.program.begin(f"c{more}", ("p", "S", "o"), "answer", choose.span)
        if not is_exact:
            take.when(c.Compare("<", OPTIONS, Const(0))).jump(done)
        take.store(chosen, c.Tuple((OPTIONS,)), "+")
        take.jump(more)
        end = self.program.begin_block(done, choose.span)
        picked = self._each_by_itself(alt, chosen)
        if picked is not chosen:
            end.let("have", picked)
            picked = have
        end.store(name, _mask_of(picked) if isinstance(var.type, SetOf) else picked)
        # Nothing of the choosing itself stays behind in the state.
        end.store(chosen, c.Tuple(()))
        end.store(items, c.Tuple(()))
        end.store(wanted, 0)
        self.choices.answered(alt, at, end, k, collect)
        infos = [AltInfo(alt.label, "many", "", alt.cites, (var.name,), alt)]
        if not is_exact:
            infos.append(AltInfo("done", "plain", "", alt.cites, ()))
        procedure = self.rule.procedure.name if self.rule.procedure is not None else ""
        self.program.decisions[more] = DecisionInfo(
            more, choose.name, procedure, 1, None, infos, choose.cites, choose.span, choose, choose.sealed, True,
            [("chosen", chosen.base, ListOf(element_type(alt)))], ret=self.rule.ret,
        )  # fmt: skip
        self.note_selection(more, 0, choose, at, at)
        self.option_words.write_words(more, choose, infos, 1)

    def note_selection(self, block: int, way: int, choose: ir.ChooseS, at: int, primary: int) -> None:
        """Note, for who picks in any order, where a decision has what it takes to know a whole selection; `way` is
        the alternative of the decision, `at` that of the choice."""
        alt = choose.alts[at]
        assert alt.many is not None
        self.program.decisions[block].selections.append(
            SelectionInfo(
                way, alt.many[0], self.program.hidden(alt, "items"), self.program.hidden(alt, "wanted"),
                self.program.hidden(choose, f"chosen{at}"), at == primary, self.program.later[id(alt)],
                self._demand_name(alt),
            )
        )  # fmt: skip


def _mask_of(members: Code) -> Code:
    return call("sum", c.Listing("list", Const(1) << Name("i"), (Each(("i",), members),)))


def stays_broken(x: ir.X, ident: int, available: ir.X) -> ir.X | None:
    """A requirement on a selection that, once broken, is broken by every larger one: then no more need be tried.

    A sum over a selection only grows if none of what is `available` counts less than nothing; that is looked at
    in play. None: a larger selection may meet it again."""

    def grows(part: ir.X) -> bool:
        """A collection that has at least as many members when the selection is larger."""
        match part:
            case ir.Local(var=var):
                return var.ident == ident
            case ir.FilterX(source=source, condition=condition):
                return grows(source) and ident not in free_vars(condition)
            case ir.AttrX(of=of) | ir.StateX(of=ir.X() as of) | ir.PieceStateX(of=of) | ir.PlaceOfX(of=of):
                return grows(of)
        return False

    def number_grows(small: ir.X, large: ir.X, x: ir.X = x) -> ir.X | None:
        if ident in free_vars(large):
            return None
        match small:
            case ir.BuiltinX(name="count", args=(source,)) if grows(source):
                return x
            case ir.AggregateX(function="count" | "sum" as form, picks=((var, source),), value=value, condition=test):
                inside = [value, *([test] if test is not None else [])]
                if not grows(source) or any(ident in free_vars(each) for each in inside):
                    return None
                if form == "count":
                    return x
                lowest = ir.AggregateX(INT, small.span, "min", ((var, available),), value, None)
                return ir.OrX(BOOL, x.span, (x, ir.CompareX(BOOL, x.span, "<", lowest, ir.Lit(INT, x.span, 0))))
        return None

    match x:
        case ir.QuantX(quantifier="every" | "none", picks=picks, condition=condition):
            sources = [source for _, source in picks if ident in free_vars(source)]
            return x if ident not in free_vars(condition) and all(map(grows, sources)) else None
        case ir.SomeX(source=source, negated=True) | ir.NotX(of=ir.SomeX(source=source, negated=False)):
            return x if grows(source) else None
        case ir.CompareX(operator="<" | "<=", left=left, right=right):
            return number_grows(left, right)
        case ir.CompareX(operator=">" | ">=", left=left, right=right):
            return number_grows(right, left)
        case ir.CompareX(operator="==", left=left, right=right):
            # Once it is more, it stays more.
            for small, large in ((left, right), (right, left)):
                found = number_grows(small, large, ir.CompareX(BOOL, x.span, "<=", small, large))
                if found is not None:
                    return found
    return None


def element_type(alt: ir.Alt) -> Type:
    assert alt.many is not None
    type_ = alt.many[2].type
    assert isinstance(type_, SetOf | ListOf)
    return type_.element
