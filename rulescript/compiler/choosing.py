"""Choices -> code: which options there are, who is asked, how an answer is taken, and how options are worded.

A decision is a block: it works out the options, and running it again after loading a position gives the same
decision. `c12(p, S, o)` takes the answer. A choice over several names is asked one name at a time; an option of the
first is offered only if the rest can be completed.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulescript.analysis.secrets import asked_anyway, later_secret, several_secret
from rulescript.compiler import code as c
from rulescript.compiler.changing import Changing
from rulescript.compiler.code import STATE, Code, Const, Each, Known, Name, Slot, call
from rulescript.compiler.layout import PHASE
from rulescript.compiler.parting import Parting
from rulescript.compiler.slots import AltInfo, DecisionInfo, ProcedureInfo, SelectionInfo
from rulescript.compiler.sources import bound
from rulescript.compiler.writer import Lines
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import free_vars
from rulescript.model.types import BOOL, INT, ListOf, PieceOf, Pile, SetOf, ThingOf, Type, element_of

__all__ = ["Choosing", "stays_broken"]


# The list of options while it is made, and the answer once it is given.
OPTIONS = Name("o")
IS_PAIR = c.Compare("is", c.Method(OPTIONS, "__class__", None), Known("tuple"))


def plain_option(at: int) -> int:
    """How the state notes a way to answer that picks nothing."""
    return -1 - at


def aside_option(at: int) -> int:
    """How the state notes something that may be done at any time."""
    return -100 - at


def _offered(option: int, test: Code | None) -> c.Statement:
    """One more option, if something holds."""
    added = c.Do(c.Method(OPTIONS, "append", (Const(option),)))
    return c.If(test, [added]) if test is not None else added


def _mask_of(members: Code) -> Code:
    return call("sum", c.Listing("list", Const(1) << Name("i"), (Each(("i",), members),)))


class Choosing(Changing):
    """Compiles choices; what follows an answer is compiled by `Blocks`."""

    def seq(self, block: Sequence[ir.S], out: Lines, k: int) -> None:
        raise NotImplementedError

    def block(self, number: int, statements: Sequence[ir.S], k: int) -> None:
        raise NotImplementedError

    def info(self, procedure: m.Procedure) -> ProcedureInfo:
        raise NotImplementedError

    # -------------------------------------------------------------- choices

    def choose(self, choose: ir.ChooseS, k: int, collect: int | None = None) -> int:
        """A choice; afterwards block `k`. Returns the block that asks. With `collect`, the answer is only noted
        in that slot (effects come later)."""
        if choose.any_of and collect is None:
            return self._choose_any(choose, k)
        return self._decision(choose, k, collect, None)

    def _choose_any(self, choose: ir.ChooseS, k: int) -> int:
        """Each of several players in order may answer; when all decline, the first other way out is taken."""
        assert choose.chooser_var is not None
        who = self.bind(choose.chooser_var)
        askers = Slot(self.hidden(choose, "askers"))
        start, step = self.new_block(), self.new_block()
        refused = k
        for alt in choose.alts:
            if not alt.picks and alt.many is None:
                refused = self.new_block()
                self.block(refused, alt.block, self._after(alt, k))
                break
        ask = self._decision(choose, k, None, step)
        out = self.begin_block(start, choose.span)
        out.store(askers, c.BITS[self.x(choose.by)])
        out.jump(step)
        out = self.begin_block(step, choose.span)
        self._next_of(askers, "left", who, refused, out)
        out.jump(ask)
        return start

    @staticmethod
    def _next_of(queue: Slot, name: str, who: Code, k: int, out: Lines) -> None:
        """Take the first of those that are left; block `k` if nobody is."""
        out.let(name, queue)
        out.when(c.Not(Name(name))).jump(k)
        out.store(who, Name(name)[0])
        out.store(queue, c.Part(Name(name), Const(1), None))

    def _after(self, alt: ir.Alt, k: int) -> int:
        if alt.effect == "stop":
            return self._loops[-1].after if self._loops and not self._loops[-1].is_inside else k
        return k

    def stage_of(self, alt: ir.Alt, clause: ir.Clause) -> int:
        """The last name a requirement needs; -1 if it needs none."""
        used = free_vars(self.clause_condition(clause))
        if alt.many is not None and alt.many[2].ident in used:
            return 0
        stage = -1
        for at, (var, _) in enumerate(alt.picks):
            if var.ident in used:
                stage = at
        return stage

    def guard(self, alt: ir.Alt) -> Code | None:
        """What must hold whatever is picked; None if nothing."""
        tests = [self.x(self.clause_condition(clause)) for clause in alt.clauses if self.stage_of(alt, clause) < 0]
        return c.all_of(tests) if tests else None

    def options(self, alt: ir.Alt, stage: int) -> tuple[Code, bool]:
        """A list of what can be picked at a stage, and whether it is shared (must not be changed)."""
        var, source = alt.picks[stage]
        conditions = self.stage_conditions(alt, stage)
        if stage + 1 < len(alt.picks):
            # Whatever is picked now, the later names must be possible.
            later = [p for at in range(stage + 1, len(alt.picks)) for p in self.stage_conditions(alt, at)]
            rest = ir.AndX(BOOL, alt.span, tuple(later)) if later else ir.Lit(BOOL, alt.span, True)
            conditions.append(ir.QuantX(BOOL, alt.span, "some", alt.picks[stage + 1 :], rest))
        copies = self._copies(source)
        self.round = self.work.round_of_alternative(alt) if self.is_counted else 0
        with self.as_local(*(v for v, _ in alt.picks[stage:])):
            if isinstance(source.type, SetOf):
                mask, left = self.thing_mask(source, var, conditions)
                if not left:
                    return (call("unlike", c.BITS[mask], *copies), False) if copies else (c.BITL[mask], True)
                name = self.local(var)
                tests = c.all_of([self.each(test) for test in left])
                loop = (Each(bound(name), self.counted(c.BITS[mask]), (tests,)),)
                listed = c.Listing("list", name, loop)
                return (call("unlike", listed, *copies) if copies else listed), False
            loops, left = self.loop(var, source, conditions)
            loops = self.tested(loops, left)
            listed = c.Listing("list", self.local(var), loops)
            if copies:
                return call("unlike", listed, *copies), False
            if isinstance(source.type, ListOf):
                return call("list", c.Method(Known("dict"), "fromkeys", (listed,))), False
            return listed, False

    def _copies(self, source: ir.X) -> tuple[Code, ...]:
        """For things declared in several copies: which are alike, and what could tell two of them apart. Nothing for
        others.

        In a pile that somebody may look through, the order tells them apart."""
        element = element_of(source.type)
        if not isinstance(element, ThingOf):
            return ()
        kind = self.game.kinds[element.kind]
        if not any(t.copy_of for t in kind.things):
            return ()
        base, _ = self.split_source(source)
        if isinstance(base, ir.ContentsX) and base.holds.ordered:
            if not base.holds.visibility or any(v.level == "visible" for v in base.holds.visibility):
                return ()
        names = [t.copy_of or t.name for t in kind.things]
        first = tuple(names.index(name) for name in names)
        states = tuple(
            (self.layout.state_slot[id(s)], self.layout.state_mode[id(s)] == "mask") for s in kind.states.values()
        )
        loc = self.layout.loc_slot.get(kind.name, -1)
        return self.const(first, "A"), STATE, Const(loc), Const(states)

    def stage_conditions(self, alt: ir.Alt, stage: int) -> list[ir.X]:
        """The requirements that can be tested once the name of a stage is known."""
        return [
            part
            for clause in alt.clauses
            if self.stage_of(alt, clause) == stage
            for part in self.parts_of(self.clause_condition(clause))
        ]

    def passed_over(self, decision: int) -> list[c.Statement]:
        """What is done where a choice has no option and is passed over; examples take notice of it."""
        return []

    def _decision(self, choose: ir.ChooseS, k: int, collect: int | None, declined: int | None) -> int:
        """The block that asks the first question of a choice."""
        number = self.new_block()
        primary = next((i for i, a in enumerate(choose.alts) if a.picks or a.many), -1)
        ask = self.begin_block(number, choose.span)
        infos, asides = self._listed_options(choose, primary, ask)
        empty = self._when_empty(choose, primary, k, collect)
        ask.add(c.Alone(number, (*self._not_telling(choose), *self._settled(choose, primary))))
        passed = ask.when(c.Not(OPTIONS))
        passed.add(*self.passed_over(number))
        passed.jump(empty)
        # Something that may be done at any time never makes a forced choice a real one.
        ask.add(*asides)
        ask.add(c.Ask(number))
        take = self.begin(f"c{number}", ("p", "S", "o"), "answer", choose.span)
        self._take_others(choose, infos, primary, take, k, number, collect, bool(asides))
        self._take_plain(choose, infos, take, k, collect, declined, empty)
        if primary >= 0:
            self._take_pick(choose, primary, take, k, collect)
        else:
            take.give(None)
        alt0 = choose.alts[primary] if primary >= 0 else None
        var = alt0.picks[0][0] if alt0 is not None and alt0.picks else None
        for aside in self.game.asides if asides else []:
            names = tuple(v.name for v, _ in aside.alt.picks)
            infos.append(AltInfo(aside.name, "aside", "", aside.cites, names, aside.alt, True))
        procedure = self._procedure.name if self._procedure is not None else ""
        self.decisions[number] = DecisionInfo(
            number, choose.name, procedure, 0, var, infos, choose.cites, choose.span, choose, choose.sealed,
            bool(alt0 and alt0.many),
        )  # fmt: skip
        for at, alt in enumerate(choose.alts):
            if alt.many is not None:
                self._note_selection(number, at, choose, at, primary)
        self._words(number, choose, infos, 0)
        return number

    def _listed_options(self, choose: ir.ChooseS, primary: int, ask: Lines) -> tuple[list[AltInfo], list[c.Statement]]:
        """The options of a choice as the list `o`: those of the first way that picks something as they are, those of
        others with the number of the way, ways without anything to pick as numbers below zero. Returns what a driver
        needs to know of the ways, and what adds the asides."""
        infos: list[AltInfo] = []
        is_shared = False
        more: list[c.Statement] = []
        first: Code = c.List(())
        outer, self.hoists = self.hoists, {}
        counted = self.work.of_choice(choose)
        if counted:
            ask.do(call("step", counted))
        is_counted, self.is_counted = self.is_counted, self.work.is_huge(choose)
        for at, alt in enumerate(choose.alts):
            guard = self.guard(alt)
            form = "many" if alt.many else "pick" if alt.picks else "plain"
            names = (alt.many[2].name,) if alt.many else tuple(v.name for v, _ in alt.picks)
            infos.append(AltInfo(alt.label, form, "", alt.cites, names, alt))
            if form == "plain":
                more.append(_offered(plain_option(at), guard))
                continue
            listed, shared = self._many_first(alt) if form == "many" else self.options(alt, 0)
            if guard is not None:
                listed = c.Cond(guard, listed, c.List(()))
            if at == primary:
                first, is_shared = listed, shared
            else:
                each = c.Listing("list", c.Tuple((Const(at), Name("v"))), (Each(("v",), listed),))
                more.append(c.Store((OPTIONS,), each, "+"))
        many = choose.alts[primary].many if primary >= 0 else None
        if many is not None and many[0] != "exactly" and not any(a.effect for a in choose.alts):
            # "Up to" and "any number" may be none, unless passing or stopping says so already.
            infos.append(AltInfo("done", "plain", "", choose.alts[primary].cites))
            more.insert(0, self._none_at_all(choose.alts[primary], len(infos) - 1))
        asides = self._aside_lines(choose)
        for value, name in self.hoists.items():
            ask.let(name, value)
        self.hoists, self.is_counted = outer, is_counted
        if (more or asides) and is_shared:
            plain = [each.value.args[0] for each in more if isinstance(each, c.Do) and isinstance(each.value, c.Method)
                     and each.value.args]  # fmt: skip
            if more and len(plain) == len(more) and not asides:
                first, more = c.List((c.Spread(first), *plain)), []
            else:
                first = c.List((c.Spread(first),))
        ask.store(OPTIONS, first)
        ask.add(*more)
        return infos, asides

    def _none_at_all(self, alt: ir.Alt, at: int) -> c.Statement:
        """Choosing none of several, where that is allowed."""
        whole = self._whole(alt)
        # Where there is nothing to choose from, it is asked for all the same if others could learn from silence.
        telling = self._telling(alt)
        tests: list[Code] = [OPTIONS if telling is None else c.Any_((OPTIONS, telling))]
        if whole is not None:
            tests.append(call("meets", c.Tuple(()), whole))
        return _offered(plain_option(at), c.all_of(tests))

    def _take_others(
        self, choose: ir.ChooseS, infos: list[AltInfo], primary: int, take: Lines, k: int, number: int,
        collect: int | None, has_asides: bool,
    ) -> None:  # fmt: skip
        """Answers that come with the number of their way."""
        tuples = [i for i, info in enumerate(infos) if info.form != "plain" and i != primary]
        if not tuples and not has_asides:
            return
        inside = take.when(IS_PAIR)
        inside.add(c.Store((Name("a"), OPTIONS), OPTIONS))
        for at in tuples:
            self._take_pick(choose, at, inside.when(Name("a").equals(at)), k, collect)
        for at, aside in enumerate(self.game.asides if has_asides else []):
            assert aside.procedure is not None
            info = self.info(aside.procedure)
            given = inside.when(Name("a").equals(aside_option(at)))
            if aside.chooser is not None:
                given.store(Slot(info.params[-1]), self.x(self._decider(choose)))
            if aside.alt.picks:
                given.store(Slot(info.params[0]), OPTIONS)
            given.store(Slot(info.ret), c.Address(number))
            given.jump(info.entry)

    def _take_plain(
        self, choose: ir.ChooseS, infos: list[AltInfo], take: Lines, k: int, collect: int | None,
        declined: int | None, empty: int,
    ) -> None:  # fmt: skip
        """Answers that pick nothing."""
        plains = [i for i, info in enumerate(infos) if info.form == "plain"]
        if not plains:
            return
        outer = take.when(c.Compare("<", OPTIONS, Const(0)))
        for position, at in enumerate(plains):
            inside = outer.when(OPTIONS.equals(plain_option(at))) if position < len(plains) - 1 else outer
            if at == len(choose.alts):
                inside.jump(declined if declined is not None else empty)
                continue
            alt = choose.alts[at]
            if declined is not None:
                inside.jump(declined)
            elif collect is not None:
                inside.store(Slot(collect), at)
                inside.jump(k)
            else:
                self.seq(alt.block, inside, self._after(alt, k))

    def _not_telling(self, choose: ir.ChooseS) -> list[Code]:
        """For taking a single option unasked: that nobody can learn from it what is hidden."""
        ways = [way for alt in choose.alts for way in (self._telling(alt), self._telling_rest(alt)) if way is not None]
        return [c.Not(c.any_of(ways))] if ways else []

    def _telling(self, alt: ir.Alt) -> Code | None:
        """When others could learn something hidden from an alternative that is not asked for; None: never."""
        tests = asked_anyway(alt) if self.has_secrets else None
        if tests is None:
            return None
        with self.as_local(*(var for var, _ in alt.picks)):
            return c.all_of([self.x(t) for t in tests])

    def _telling_rest(self, alt: ir.Alt) -> Code | None:
        """When others could learn which of several hidden ones were taken: where the last are forced by those before,
        or all are alike. That all of them are taken tells nothing."""
        if alt.many is None or alt.many[0] != "exactly" or not self.has_secrets:
            return None
        test = several_secret(alt)
        if test is None:
            return None
        items, wanted = Slot(self.hidden(alt, "items")), Slot(self.hidden(alt, "wanted"))
        there = call("sum", c.Listing("list", Name("n"), (Each(("_", "n"), items),)))
        return c.All((self.x(test), c.Compare("<", wanted, there)))

    def _settled(self, choose: ir.ChooseS, primary: int) -> list[Code]:
        """For taking a single option unasked: that it is no first item of several, how many of which is open."""
        tests: list[Code] = []
        first = OPTIONS[0]
        for at, alt in enumerate(choose.alts):
            if alt.many is None or alt.many[0] == "exactly":
                continue
            is_pair = c.Compare("is", c.Method(first, "__class__", None), Known("tuple"))
            item: Code = first
            is_another: list[Code] = [is_pair, c.Compare("<", first, Const(0))]
            if at != primary:
                item = first[1]
                is_another = [c.Compare("is not", is_pair.left, is_pair.right), first[0].differs(at)]
            whole = self._whole(alt)
            noted = [Slot(self.hidden(alt, "items")), Slot(self.hidden(alt, "wanted"))]
            demand = [whole] if whole is not None else []
            tests.append(c.Any_((*is_another, call("settled", item, *noted, *demand))))
        return tests

    def _when_empty(self, choose: ir.ChooseS, primary: int, k: int, collect: int | None) -> int:
        """Where to go when there is nothing to choose. Choosing none of several is still a (empty) selection."""
        alt = choose.alts[primary] if primary >= 0 else None
        if alt is not None and alt.many is not None:
            block = self.new_block()
            out = self.begin_block(block, choose.span)
            var = alt.many[2]
            whole = self._whole(alt)
            if whole is not None:
                # There is nothing to choose from, and none at all is not allowed: it is passed over.
                inside = out.when(c.Not(call("meets", c.Tuple(()), whole)))
                if collect is not None:
                    inside.store(Slot(collect), -1)
                inside.jump(k)
            out.store(self.bind(var), Const(0) if isinstance(var.type, SetOf) else c.Tuple(()))
            self._answered(alt, primary, out, k, collect)
            return block
        if collect is not None:
            block = self.new_block()
            out = self.begin_block(block)
            out.store(Slot(collect), -1)
            out.jump(k)
            return block
        return k

    def _answered(self, alt: ir.Alt, at: int, out: Lines, k: int, collect: int | None) -> None:
        """All names of a way are known: what follows from it, or a note of the answer."""
        if collect is not None:
            out.store(Slot(collect), at)
            out.jump(k)
        else:
            self.seq(alt.block, out, self._after(alt, k))

    def _take_pick(self, choose: ir.ChooseS, at: int, out: Lines, k: int, collect: int | None) -> None:
        """The first name of an alternative was picked: ask for the next, or do what it says."""
        alt = choose.alts[at]
        if alt.many is not None:
            self._take_many(choose, at, out, k, collect)
            return
        out.store(self.bind(alt.picks[0][0]), OPTIONS)
        if len(alt.picks) > 1:
            out.jump(self._stage(choose, at, 1, k, collect))
        else:
            self._answered(alt, at, out, k, collect)

    def _stage(self, choose: ir.ChooseS, at: int, stage: int, k: int, collect: int | None) -> int:
        """The block that asks for a later name."""
        alt = choose.alts[at]
        number = self.new_block()
        ask = self.begin_block(number, choose.span)
        ask.store(OPTIONS, self.hoisted(lambda: self.options(alt, stage)[0], ask))
        secret = later_secret(alt, stage) if self.has_secrets else None
        ask.add(c.Alone(number, (c.Not(self.x(secret)),) if secret is not None else ()))
        ask.add(c.Ask(number))
        previous = [(v.name, self.layout.slot_for(v), v.type) for v, _ in alt.picks[:stage]]
        take = self.begin(f"c{number}", ("p", "S", "o"), "answer", choose.span)
        take.store(self.bind(alt.picks[stage][0]), OPTIONS)
        if stage + 1 < len(alt.picks):
            take.jump(self._stage(choose, at, stage + 1, k, collect))
        else:
            self._answered(alt, at, take, k, collect)
        info = AltInfo(alt.label, "pick", "", alt.cites, tuple(v.name for v, _ in alt.picks), alt)
        procedure = self._procedure.name if self._procedure is not None else ""
        self.decisions[number] = DecisionInfo(
            number, choose.name, procedure, stage, alt.picks[stage][0], [info], choose.cites, choose.span, choose,
            choose.sealed, False, previous,
        )  # fmt: skip
        self._words(number, choose, [info], stage)
        return number

    # -------------------------------------------------------------- several at once

    def _available(self, alt: ir.Alt) -> Code:
        """(item, how many) pairs of what can be selected from, ascending."""
        assert alt.many is not None
        _, _, _, source = alt.many
        once = c.Tuple((Name("e"), Const(1)))
        if isinstance(source.type, Pile):
            var = ir.Var("each", PieceOf(self.kind_of(source.type)), "element", -4)
            if isinstance(self.split_source(source)[0], ir.MostX):
                return call("tuple", call("sorted", c.Listing("list", once, (Each(("e",), self.refs(source)),))))
            loop, left = self.loop(var, source, (), "n_")
            loop = self.tested(loop, left)
            # Places and codes come in ascending order.
            return call("tuple", c.Listing("list", c.Tuple((self.local(var), Name("n_"))), loop))
        copies = self._copies(source)
        if isinstance(source.type, SetOf) and copies:
            return call("so_many", c.BITS[self.x(source)], *copies)
        if isinstance(source.type, SetOf):
            return call("tuple", c.Listing("list", once, (Each(("e",), c.BITS[self.x(source)]),)))
        listed = c.Listing("list", once, (Each(("e",), self.listed(source, any_order=True)),))
        return call("tuple", call("sorted", listed))

    def _wanted(self, alt: ir.Alt) -> Code:
        assert alt.many is not None
        mode, amount, _, _ = alt.many
        if mode == "any" or amount is None:
            return Const(1) << 30
        return self.x(amount)

    def _whole(self, alt: ir.Alt) -> Code | None:
        """What a selection as a whole must meet (None if nothing): how it is written as its name's value, all of it,
        and that part of it which no further item can mend, as functions."""
        assert alt.many is not None
        _, _, var, source = alt.many
        parts = [
            part
            for clause in alt.clauses
            if self.stage_of(alt, clause) == 0
            for part in self.parts_of(self.clause_condition(clause))
        ]
        if not parts:
            return None
        hoists, self.hoists = self.hoists, None
        have = Name("have")
        try:
            made: Code = have
            if isinstance(var.type, SetOf):
                copies = self._copies(source)
                each = call("each_copy", have, c.BITS[self.x(source)], *copies) if copies else have
                made = _mask_of(each)
            with self.as_local(var):
                self.env[var.ident] = have
                whole = c.all_of([self.x(part) for part in parts])
                kept = [stays_broken(part, var.ident, source) for part in parts]
                lasting = c.all_of([self.x(part) for part in kept if part is not None])
        finally:
            self.hoists = hoists
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
        hoists, self.hoists = self.hoists, None
        try:
            with self.as_local(var, *(made for made, _, _ in parting.found)):
                self.env[var.ident] = Name("have")
                read = [
                    call("bool", self.x(node)) if node.type == BOOL else self.x(node) for _, _, node in parting.found
                ]
                for at, (made, _, _) in enumerate(parting.found):
                    self.env[made.ident] = Name("part")[at]
                whole = c.all_of([self.x(test) for test in tests])
                lasts = c.all_of([self.x(test) for test in lasting])
        finally:
            self.hoists = hoists
        folds = tuple(fold for _, fold, _ in parting.found)
        items = c.Lambda(("have",), c.Tuple(tuple(read)))
        return [Const(folds), items, c.Lambda(("part",), whole), c.Lambda(("part",), lasts)]

    def _many_first(self, alt: ir.Alt) -> tuple[Code, bool]:
        """The first pick of several. What can be picked and how many are wanted is noted for the later ones."""
        assert alt.many is not None
        is_exact = alt.many[0] == "exactly"
        items, wanted = self.hidden(alt, "items"), self.hidden(alt, "wanted")
        count = call("many_start", STATE, wanted, self._wanted(alt))
        listed = call("many_first", STATE, items, wanted, self._available(alt), is_exact)
        whole = self._whole(alt)
        if whole is not None:
            listed = call("completable", listed, c.Tuple(()), Slot(items), Slot(wanted), is_exact, whole)
        return c.Cond(count, listed, c.List(())), False

    def _take_many(self, choose: ir.ChooseS, at: int, out: Lines, k: int, collect: int | None) -> None:
        alt = choose.alts[at]
        assert alt.many is not None
        mode, _, var, source = alt.many
        name = self.bind(var)
        chosen = Slot(self.hidden(choose, f"chosen{at}"))
        more, done = self.new_block(), self.new_block()
        self.later[id(alt)] = more
        out.store(chosen, c.Tuple((OPTIONS,)))
        out.jump(more)
        items, wanted = Slot(self.hidden(alt, "items")), Slot(self.hidden(alt, "wanted"))
        have, left = Name("have"), Name("left")
        is_exact = mode == "exactly"
        ask = self.begin_block(more, choose.span)
        ask.let("have", chosen)
        ask.let("left", wanted - call("len", have))
        ask.when(c.Compare("<=", left, Const(0))).jump(done)
        ask.store(OPTIONS, call("many_options", items, have, left if is_exact else 1))
        whole = self._whole(alt)
        if whole is not None:
            ask.let("whole", whole)
            ask.store(OPTIONS, call("completable", OPTIONS, have, items, wanted, is_exact, Name("whole")))
        # Who is not asked for more has no more of what comes later: others must not learn that from the silence.
        telling = self._telling(alt) if not is_exact else None
        unless = [c.Not(telling)] if telling is not None else []
        ask.when(c.all_of([c.Not(OPTIONS), *unless])).jump(done)
        if not is_exact:
            ask.add(_offered(-1, call("meets", have, Name("whole")) if whole is not None else None))
        rest = self._telling_rest(alt)
        unless += [c.Not(rest)] if rest is not None else []
        ask.add(c.Alone(more, tuple(unless)))
        ask.add(c.Ask(more))
        take = self.begin(f"c{more}", ("p", "S", "o"), "answer", choose.span)
        if not is_exact:
            take.when(c.Compare("<", OPTIONS, Const(0))).jump(done)
        take.store(chosen, c.Tuple((OPTIONS,)), "+")
        take.jump(more)
        end = self.begin_block(done, choose.span)
        copies = self._copies(source) if isinstance(source.type, SetOf) else ()
        picked: Code = chosen
        if copies:
            end.let("have", call("each_copy", chosen, c.BITS[self.x(source)], *copies))
            picked = have
        end.store(name, _mask_of(picked) if copies or isinstance(var.type, SetOf) else picked)
        # Nothing of the choosing itself stays behind in the state.
        end.store(chosen, c.Tuple(()))
        end.store(items, c.Tuple(()))
        end.store(wanted, 0)
        self._answered(alt, at, end, k, collect)
        infos = [AltInfo(alt.label, "many", "", alt.cites, (var.name,), alt)]
        if not is_exact:
            infos.append(AltInfo("done", "plain", "", alt.cites, ()))
        procedure = self._procedure.name if self._procedure is not None else ""
        self.decisions[more] = DecisionInfo(
            more, choose.name, procedure, 1, None, infos, choose.cites, choose.span, choose, choose.sealed, True,
            [("chosen", chosen.base, ListOf(_element_type(alt)))],
        )  # fmt: skip
        self._note_selection(more, 0, choose, at, at)
        self._words(more, choose, infos, 1)

    def _note_selection(self, block: int, way: int, choose: ir.ChooseS, at: int, primary: int) -> None:
        """Note, for who picks in any order, where a decision has what it takes to know a whole selection; `way` is
        the alternative of the decision, `at` that of the choice."""
        alt = choose.alts[at]
        assert alt.many is not None
        whole = self._whole(alt)
        demand = ""
        if whole is not None:
            demand = f"y{block}_{way}"
            self.begin(demand, ("S",), "pure", choose.span).give(whole)
        self.decisions[block].selections.append(
            SelectionInfo(
                way, alt.many[0], self.hidden(alt, "items"), self.hidden(alt, "wanted"),
                self.hidden(choose, f"chosen{at}"), at == primary, self.later[id(alt)], demand,
            )
        )  # fmt: skip

    # -------------------------------------------------------------- sealed answers

    def _together(self, branches: Sequence[ir.ChooseS | ir.EachS], out: Lines, k: int) -> None:
        """All answer first, then all that follows from the answers."""
        slots = [self.hidden(b, "answer") for b in branches]
        # For each branch that several answer: where they are asked, where answers are noted, where they are played.
        places = [tuple(self.new_block() for _ in range(4)) if isinstance(b, ir.EachS) else () for b in branches]
        after = k
        for branch, slot, blocks in reversed(list(zip(branches, slots, places, strict=True))):
            if isinstance(branch, ir.EachS):
                self._each_plays(branch, blocks, after)
                after = blocks[3]
                continue
            number = self.new_block()
            effects = self.begin_block(number, branch.span)
            for alt in branch.alts:
                for var, _ in alt.picks:
                    self.bind(var)
                if alt.many is not None:
                    self.bind(alt.many[2])
            for at, alt in enumerate(branch.alts):
                if alt.block:
                    self.seq(alt.block, effects.when(Slot(slot).equals(at)), self._after(alt, after))
            effects.jump(after)
            after = number
        for branch, slot, blocks in reversed(list(zip(branches, slots, places, strict=True))):
            if isinstance(branch, ir.EachS):
                number = self.new_block()
                self._each_asks(branch, blocks, self.begin_block(number, branch.span), after)
                after = number
            else:
                after = self.choose(branch, after, slot)
        out.jump(after)

    def _each_sealed(self, statement: ir.EachS, out: Lines, k: int) -> None:
        blocks = tuple(self.new_block() for _ in range(4))
        self._each_asks(statement, blocks, out, blocks[3])
        self._each_plays(statement, blocks, k)

    def _each_noted(self, statement: ir.EachS) -> tuple[ir.ChooseS, Code, tuple[Code, ...], Slot, Slot, Slot]:
        """The choice of a sealed `each`, who makes it, what is kept of an answer, and the slots it needs."""
        choose = next(s for s in statement.block if isinstance(s, ir.ChooseS))
        who = self.bind(statement.var)
        left, answers, answer = (Slot(self.hidden(statement, tag)) for tag in ("left", "answers", "answer"))
        kept = [v for alt in choose.alts for v, _ in alt.picks] + [alt.many[2] for alt in choose.alts if alt.many]
        return choose, who, (who, answer, *(self.bind(v) for v in kept)), left, answers, answer

    def _each_asks(self, statement: ir.EachS, blocks: tuple[int, ...], out: Lines, k: int) -> None:
        """Ask all of them, one after the other; then block `k`."""
        ask, note, _, _ = blocks
        choose, who, kept, left, answers, answer = self._each_noted(statement)
        asked = self.choose(choose, note, answer.base)
        out.store(left, self.refs(statement.source))
        out.store(answers, c.Tuple(()))
        out.jump(ask)
        each = self.begin_block(ask, statement.span)
        self._next_of(left, "rest", who, k, each)
        each.jump(asked)
        noted = self.begin_block(note, statement.span)
        noted.store(answers, c.Tuple((c.Tuple(kept),)), "+")
        noted.jump(ask)

    def _each_plays(self, statement: ir.EachS, blocks: tuple[int, ...], k: int) -> None:
        """What follows from each answer; then block `k`."""
        _, _, play, step = blocks
        choose, _, kept, _, answers, answer = self._each_noted(statement)
        each = self.begin_block(step, statement.span)
        rest = Name("rest")
        each.let("rest", answers)
        each.when(c.Not(rest)).jump(k)
        each.add(c.Store(kept, rest[0], is_tuple=True))
        each.store(answers, c.Part(rest, Const(1), None))
        each.jump(play)
        played = self.begin_block(play, statement.span)
        for at, alt in enumerate(choose.alts):
            if alt.block:
                self.seq(alt.block, played.when(answer.equals(at)), step)
        played.jump(step)

    # -------------------------------------------------------------- asides

    def _aside_lines(self, choose: ir.ChooseS) -> list[c.Statement]:
        """What may be done at any time, offered beside a choice of the same player."""
        if not self.game.asides or choose.sealed or self._procedure is None or self._procedure.no_asides:
            return []
        if self._procedure.form == "aside":
            return []
        out: list[c.Statement] = []
        who = self.x(self._decider(choose))
        for at, aside in enumerate(self.game.asides):
            before = dict(self.env)
            if aside.chooser is not None:
                self.env[aside.chooser.ident] = who
            listed = self.options(aside.alt, 0)[0] if aside.alt.picks else c.Tuple((Const(0),))
            guard = self.guard(aside.alt)
            self.env.clear()
            self.env.update(before)
            by = self.x(aside.by)
            tests = [by.has(who) if aside.chooser is not None else who.equals(by)]
            if aside.during in self.game.procedures and self.game.procedures[aside.during].form == "phase":
                tests.append(c.Compare("in", Slot(PHASE), Known("WITHIN")[aside.during]))
            if guard is not None:
                tests.append(guard)
            pairs = c.Listing("list", c.Tuple((Const(aside_option(at)), Name("v"))), (Each(("v",), listed),))
            added = c.Store((OPTIONS,), c.List((c.Spread(OPTIONS), c.Spread(pairs))))
            out.append(c.If(c.all_of(tests), [added]))
        return out

    @staticmethod
    def _decider(choose: ir.ChooseS) -> ir.X:
        """Who decides at a choice; where several are asked in turn, whose turn it is."""
        if choose.any_of and choose.chooser_var is not None:
            return ir.Local(choose.chooser_var.type, choose.span, choose.chooser_var)
        return choose.by

    # -------------------------------------------------------------- words

    def _words(self, number: int, choose: ir.ChooseS, infos: list[AltInfo], stage: int) -> None:
        """Functions that word the options of a decision, and the one that says who decides."""
        who = self.x(self._decider(choose))
        self.begin(f"w{number}", ("p", "S"), "words", choose.span).give(who)
        held = dict(self.env)
        for aside in self.game.asides:
            if aside.chooser is not None:
                self.env[aside.chooser.ident] = who
        self.telling = True
        for at, info in enumerate(infos):
            info.text = f"x{number}_{at}"
            self.begin(info.text, ("p", "S", "o"), "words", choose.span).give(self._worded(info, stage))
        self.env.clear()
        self.env.update(held)
        self.telling = False

    def _worded(self, info: AltInfo, stage: int) -> Code:
        """What an option of an alternative is called; what was picked is `o`."""
        alt = info.alt
        called = info.label.replace("_", " ").capitalize()
        if info.form == "plain" or alt is None or not (alt.picks or alt.many):
            if info.label == "done":
                return Const("That is all" if stage else "None of them")
            return self.text(alt.text) if alt is not None and alt.text is not None else Const(called)
        if info.form == "many":
            return Const(called + ": ") + self.say_place(OPTIONS, _element_type(alt))
        at = stage if info.form != "aside" else 0
        var, source = alt.picks[at]
        before = self.env.get(var.ident)
        self.env[var.ident] = OPTIONS
        last = stage == len(alt.picks) - 1 or info.form == "aside"
        if last and alt.text is not None:
            code = self.text(alt.text)
        else:
            say = self.say_code if self._from_one_place(source) else self.say_place
            code = Const(called + ": ") + say(OPTIONS, var.type)
        if before is None:
            self.env.pop(var.ident, None)
        else:
            self.env[var.ident] = before
        return code

    def _from_one_place(self, source: ir.X) -> bool:
        """Whether all that can be picked lies in one place, so that naming it says nothing."""
        base, _ = self.split_source(source)
        return isinstance(base, ir.ContentsX) and not (base.of is not None and isinstance(base.of.type, SetOf))

    def say_place(self, code: Code, type_: Type) -> Code:
        """A value in words, for a piece with the place it stands in."""
        if isinstance(type_, PieceOf):
            return self.say_code(code, type_) + Known("PLACES")[code >> self.shift]
        return self.say_code(code, type_)


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


def _element_type(alt: ir.Alt) -> Type:
    assert alt.many is not None
    type_ = alt.many[2].type
    assert isinstance(type_, SetOf | ListOf)
    return type_.element
