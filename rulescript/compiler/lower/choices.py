"""Choices -> code: who is asked, what the options are, how an answer is taken.

A decision is a block: it works out the options, and running it again after loading a position gives the same
decision. `c12(p, S, o)` takes the answer. A choice over several names is asked one name at a time; an option of the
first is offered only if the rest can be completed.
"""

from __future__ import annotations

from rulescript.analysis.secrets import each_asked_anyway, is_uncounted_each, later_secret
from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Const, Each, Known, Name, Slot, call
from rulescript.compiler.layout import PHASE, Layout
from rulescript.compiler.lower.infos import AltInfo, DecisionInfo
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.room import Room
from rulescript.game_data import FIRST_ASIDE, FIRST_PLAIN
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import chooses_in, free_vars
from rulescript.model.types import (
    SetOf,
)

__all__ = ["Choices", "OPTIONS", "offered"]

# The list of options while it is made, and the answer once it is given.
OPTIONS = Name("o")
IS_PAIR = c.Compare("is", c.Method(OPTIONS, "__class__", None), Known("tuple"))


class Choices(Room):
    """Writes decisions; what follows an answer is written by `Blocks`."""

    def __init__(self, game: m.Game, layout: Layout, notes_passed: bool) -> None:
        super().__init__(game, layout)
        # Whether choices that are passed over for lack of options are noted: examples take notice of it.
        self.notes_passed = notes_passed
        # Where what follows a selection was written already, by the identity of its way.
        self.followed_by: dict[int, int] = {}

    def choose(self, choose: ir.ChooseS, k: int, collect: int | None = None) -> int:
        """A choice; afterwards block `k`. Returns the block that asks. With `collect`, the answer is only noted
        in that slot (effects come later)."""
        if choose.any_of and collect is None:
            return self._choose_any(choose, k)
        return self._decision(choose, k, collect, None)

    def _choose_any(self, choose: ir.ChooseS, k: int) -> int:
        """Each of several players in order may answer; when all decline, the first other way out is taken."""
        assert choose.chooser_var is not None
        who = self.program.bind(choose.chooser_var)
        askers = Slot(self.program.hidden(choose, "askers"))
        start, step = self.program.new_block(), self.program.new_block()
        refused = k
        for alt in choose.alts:
            if not alt.picks and alt.many is None:
                refused = self.program.new_block()
                self._follow(alt, self.program.begin_block(refused), k)
                break
        ask = self._decision(choose, k, None, step)
        out = self.program.begin_block(start, choose.span)
        self.program.note_begun(choose, "asked", out)
        out.store(askers, c.BITS[self.x(choose.by)])
        self._name_nothing(choose, out)
        out.jump(step)
        out = self.program.begin_block(step, choose.span)
        self.next_of(askers, "left", who, refused, out)
        out.jump(ask)
        return start

    @staticmethod
    def next_of(queue: Slot, name: str, who: Code, k: int, out: Lines) -> None:
        """Take the first of those that are left; block `k` if nobody is."""
        out.let(name, queue)
        out.when(c.Not(Name(name))).jump(k)
        out.store(who, Name(name)[0])
        out.store(queue, c.Part(Name(name), Const(1), None))

    def after(self, alt: ir.Alt, k: int) -> int:
        if alt.effect == "stop":
            return self.rule.loops[-1].after if self.rule.loops and not self.rule.loops[-1].is_inside else k
        return k

    def _follow(self, alt: ir.Alt, out: Lines, k: int) -> None:
        """What follows from an answer."""
        self.program.note_begun(alt, "then", out)
        self.blocks.seq(alt.block, out, self.after(alt, k))

    def _decision(self, choose: ir.ChooseS, k: int, collect: int | None, declined: int | None) -> int:
        """The block that asks the first question of a choice."""
        number = self.program.new_block()
        primary = next((i for i, a in enumerate(choose.alts) if a.picks or a.many), -1)
        ask = self.program.begin_block(number, choose.span)
        self.program.note_begun(choose, "asked", ask)
        infos, asides = self._listed_options(choose, primary, ask)
        empty = self._when_empty(choose, primary, k, collect)
        ask.add(c.Alone(number, (*self.not_telling(choose, primary), *self.settled_alone(choose, primary))))
        passed = ask.when(c.Not(OPTIONS))
        passed.add(*self.passed_over(number))
        # Of several who may answer, the next is asked.
        passed.jump(empty if declined is None else declined)
        # Something that may be done at any time never makes a forced choice a real one.
        ask.add(*asides)
        ask.add(c.Ask(number))
        take = self.program.begin(f"c{number}", ("p", "S", "o"), "answer", choose.span)
        self._take_others(choose, infos, primary, take, k, number, collect, bool(asides))
        self._take_plain(choose, infos, take, k, collect, declined, empty)
        if primary >= 0:
            self._take_pick(choose, primary, take, k, collect)
        else:
            take.give(None)
        self._note_decision(number, choose, infos, bool(asides), primary)
        for at, alt in enumerate(choose.alts):
            if alt.many is not None:
                self.selections.note_selection(number, at, choose, at, primary)
        return number

    def _note_decision(
        self, number: int, choose: ir.ChooseS, infos: list[AltInfo], has_asides: bool, primary: int = 0
    ) -> None:
        """What a driver needs to know of the first question of a choice, and its words."""
        alt0 = choose.alts[primary] if primary >= 0 else None
        var = alt0.picks[0][0] if alt0 is not None and alt0.picks else None
        for aside in self.game.asides if has_asides else []:
            names = tuple(v.name for v, _ in aside.alt.picks)
            infos.append(AltInfo(aside.name, "aside", "", aside.cites, names, aside.alt, True))
        procedure = self.rule.procedure.name if self.rule.procedure is not None else ""
        self.program.decisions[number] = DecisionInfo(
            number, choose.name, procedure, 0, var, infos, choose.cites, choose.span, choose, choose.sealed,
            bool(alt0 and alt0.many), ret=self.rule.ret,
        )  # fmt: skip
        self.option_words.write_words(number, choose, infos, 0)

    def _listed_options(self, choose: ir.ChooseS, primary: int, ask: Lines) -> tuple[list[AltInfo], list[c.Statement]]:
        """The options of a choice as the list `o`: those of the first way that picks something as they are, those of
        others with the number of the way, ways without anything to pick as numbers below zero. Returns what a driver
        needs to know of the ways, and what adds the asides."""
        infos: list[AltInfo] = []
        is_shared = False
        more: list[c.Statement] = []
        first: Code = c.List(())
        outer, self.scope.hoists = self.scope.hoists, {}
        counted = self.work.of_choice(choose)
        if counted:
            ask.do(call("step", counted))
        is_counted, self.scope.is_counted = self.scope.is_counted, self.work.is_huge(choose)
        for at, alt in enumerate(choose.alts):
            guard = self.options.guard(alt)
            form = "many" if alt.many else "pick" if alt.picks else "plain"
            names = (alt.many[2].name,) if alt.many else tuple(v.name for v, _ in alt.picks)
            infos.append(AltInfo(alt.label, form, "", alt.cites, names, alt))
            if form == "plain":
                more.append(offered(plain_option(at), guard))
                continue
            listed, shared = self.selections.many_first(alt) if form == "many" else self.options.options_of(alt, 0)
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
            more.insert(0, self._none_at_all(choose, primary, len(infos) - 1))
        elif (telling := self.options.when_passing_told(choose, primary)) is not None:
            # That there is nothing to choose from is known to the chooser alone: who was passed over would tell it.
            infos.append(AltInfo("done", "plain", "", choose.alts[primary].cites))
            more.append(offered(plain_option(len(infos) - 1), c.All((c.Not(OPTIONS), telling))))
        asides = self._aside_lines(choose)
        for value, name in self.scope.hoists.items():
            ask.let(name, value)
        self.scope.hoists, self.scope.is_counted = outer, is_counted
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

    def none_for_each(
        self, choose: ir.ChooseS, one: ir.Var, items: ir.X, possible: ir.X, k: int
    ) -> tuple[Code, int] | None:
        """Where nobody is asked about any of several: when others could learn something hidden from that, and the block
        that asks all the same, as often as if there were something to answer; None if they never could."""
        tests = each_asked_anyway(choose, one, possible) if self.program.has_secrets else None
        if tests is None:
            return None
        assert choose.each_of is not None
        start, step, number = (self.program.new_block() for _ in range(3))
        left, var, there = Slot(self.program.hidden(choose, "left")), self.program.bind(one), self.x(items)
        is_once = is_uncounted_each(choose.each_of)
        begun = self.program.begin_block(start, choose.span)
        begun.store(left, c.Part(there, None, Const(1)) if is_once else there)
        if is_once and one.ident not in free_vars(choose.by):
            begun.when(c.Not(left)).jump(number)
        begun.jump(step)
        stepper = self.program.begin_block(step, choose.span)
        self.next_of(left, "left", var, k, stepper)
        stepper.jump(number)
        infos = [AltInfo(a.label, "pick", "", a.cites, tuple(v.name for v, _ in a.picks), a) for a in choose.alts]
        infos.append(AltInfo("done", "plain", "", choose.alts[0].cites))
        outer, self.scope.hoists = self.scope.hoists, {}
        asides = self._aside_lines(choose)
        ask = self.program.begin_block(number, choose.span)
        for value, name in self.scope.hoists.items():
            ask.let(name, value)
        self.scope.hoists = outer
        ask.store(OPTIONS, c.List((Const(plain_option(len(infos) - 1)),)))
        ask.add(*asides)
        ask.add(c.Ask(number))
        take = self.program.begin(f"c{number}", ("p", "S", "o"), "answer", choose.span)
        if asides:
            inside = take.when(IS_PAIR)
            inside.add(c.Store((Name("a"), OPTIONS), OPTIONS))
            self._take_asides(choose, inside, number, True)
        take.jump(step)
        self._note_decision(number, choose, infos, bool(asides))
        return c.all_of([self.x(test) for test in tests]) if tests else Const(True), start

    def _none_at_all(self, choose: ir.ChooseS, primary: int, at: int) -> c.Statement:
        """Choosing none of several, where that is allowed. Where there is nothing to choose from, it is asked for all
        the same if others could learn from silence, allowed or not."""
        alt = choose.alts[primary]
        whole = self.selections.demand(alt)
        ways = (self.options.when_told(alt), self.options.when_out_of_sight(choose))
        told = [way for way in ways if way is not None]
        some: Code = OPTIONS
        if whole is not None:
            some = c.All((OPTIONS, call("meets", c.Tuple(()), whole)))
        return offered(plain_option(at), c.any_of([some, *(c.All((c.Not(OPTIONS), way)) for way in told)]))

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
        self._take_asides(choose, inside, number, has_asides)

    def _take_asides(self, choose: ir.ChooseS, inside: Lines, number: int, has_asides: bool) -> None:
        """What may be done at any time; afterwards the same is asked again."""
        for at, aside in enumerate(self.game.asides if has_asides else []):
            assert aside.procedure is not None
            info = self.procedures.info(aside.procedure)
            given = inside.when(Name("a").equals(aside_option(at)))
            if aside.chooser is not None:
                given.store(Slot(info.params[-1]), self.x(self.decider(choose)))
            if aside.alt.picks:
                given.store(Slot(info.params[0]), OPTIONS)
            after, names = number, self.keeping_up.beside(choose)
            if names:
                after = self.program.new_block()
                back = self.program.begin_block(after, choose.span)
                self.keeping_up.tell(names, back)
                back.jump(number)
                self.keeping_up.keep(names, given)
            self.program.note_return(info.ret, after)
            given.store(Slot(info.ret), c.Address(after))
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
                self._follow(alt, inside, k)

    def not_telling(self, choose: ir.ChooseS, primary: int) -> list[Code]:
        """For taking a single option unasked: that nobody can learn from it what is hidden."""
        told = [self.options.when_out_of_sight(choose)]
        for at, alt in enumerate(choose.alts):
            told.append(self.options.when_told(alt))
            rest = self.options.when_rest_told(alt)
            if rest is not None:
                # What there is to pick from is noted only where the way is open.
                told.append(c.All((c.Not(c.Any_(tuple(self._is_another(at, primary)))), rest)))
        found = [way for way in told if way is not None]
        return [c.Not(c.any_of(found))] if found else []

    @staticmethod
    def _is_another(at: int, primary: int) -> list[Code]:
        """That the first option, if any of these hold, is not one of a way that picks something."""
        first = OPTIONS[0]
        is_pair = c.Compare("is", c.Method(first, "__class__", None), Known("tuple"))
        if at == primary:
            return [is_pair, c.Compare("<", first, Const(0))]
        return [c.Compare("is not", is_pair.left, is_pair.right), first[0].differs(at)]

    def settled_alone(self, choose: ir.ChooseS, primary: int) -> list[Code]:
        """For taking a single option unasked: that it is no first item of several, how many of which is open."""
        tests: list[Code] = []
        first = OPTIONS[0]
        for at, alt in enumerate(choose.alts):
            if alt.many is None or alt.many[0] == "exactly":
                continue
            whole = self.selections.demand(alt)
            noted = [Slot(self.program.hidden(alt, "items")), Slot(self.program.hidden(alt, "wanted"))]
            demand = [whole] if whole is not None else []
            item = first if at == primary else first[1]
            tests.append(c.Any_((*self._is_another(at, primary), call("settled", item, *noted, *demand))))
        return tests

    def _when_empty(self, choose: ir.ChooseS, primary: int, k: int, collect: int | None) -> int:
        """Where to go when there is nothing to choose. Choosing none of several is still a (empty) selection."""
        alt = choose.alts[primary] if primary >= 0 else None
        if alt is not None and alt.many is not None:
            block = self.program.new_block()
            out = self.program.begin_block(block, choose.span)
            var = alt.many[2]
            out.store(self.program.bind(var), Const(0) if isinstance(var.type, SetOf) else c.Tuple(()))
            whole = self.selections.demand(alt)
            if whole is not None:
                # There is nothing to choose from, and none at all is not allowed: it is passed over.
                inside = out.when(c.Not(call("meets", c.Tuple(()), whole)))
                if collect is not None:
                    inside.store(Slot(collect), -1)
                inside.jump(k)
            if collect is None and _has_selections(alt):
                # Written once, for what is chosen too: selections that follow selections would double at each.
                after = self.program.new_block()
                self._follow(alt, self.program.begin_block(after), k)
                self.followed_by[id(alt)] = after
                out.jump(after)
            else:
                self.answered(alt, primary, out, k, collect)
            return block
        if collect is not None:
            block = self.program.new_block()
            out = self.program.begin_block(block)
            out.store(Slot(collect), -1)
            out.jump(k)
            return block
        if _names_for_others(choose):
            block = self.program.new_block()
            out = self.program.begin_block(block)
            self._name_nothing(choose, out)
            out.jump(k)
            return block
        return k

    def _name_nothing(self, choose: ir.ChooseS, out: Lines) -> None:
        """What follows may ask for what is picked here, and would take what was picked the last time."""
        for var in _names_for_others(choose):
            out.store(self.program.bind(var), None)
            self.layout.may_be_nothing(var)

    def answered(self, alt: ir.Alt, at: int, out: Lines, k: int, collect: int | None) -> None:
        """All names of a way are known: what follows from it, or a note of the answer."""
        if collect is not None:
            out.store(Slot(collect), at)
            out.jump(k)
        elif id(alt) in self.followed_by:
            out.jump(self.followed_by.pop(id(alt)))
        else:
            self._follow(alt, out, k)

    def _take_pick(self, choose: ir.ChooseS, at: int, out: Lines, k: int, collect: int | None) -> None:
        """The first name of an alternative was picked: ask for the next, or do what it says."""
        alt = choose.alts[at]
        if alt.many is not None:
            self.selections.take_many(choose, at, out, k, collect)
            return
        out.store(self.program.bind(alt.picks[0][0]), OPTIONS)
        if len(alt.picks) > 1:
            out.jump(self._stage(choose, at, 1, k, collect))
        else:
            self.answered(alt, at, out, k, collect)

    def _stage(self, choose: ir.ChooseS, at: int, stage: int, k: int, collect: int | None) -> int:
        """The block that asks for a later name."""
        alt = choose.alts[at]
        number = self.program.new_block()
        ask = self.program.begin_block(number, choose.span)
        ask.store(OPTIONS, self.scope.hoisted(lambda: self.options.options_of(alt, stage)[0], ask))
        secret = later_secret(alt, stage) if self.program.has_secrets else None
        ask.add(c.Alone(number, (c.Not(self.x(secret)),) if secret is not None else ()))
        ask.add(c.Ask(number))
        previous = [(v.name, self.layout.slot_for(v), v.type) for v, _ in alt.picks[:stage]]
        take = self.program.begin(f"c{number}", ("p", "S", "o"), "answer", choose.span)
        take.store(self.program.bind(alt.picks[stage][0]), OPTIONS)
        if stage + 1 < len(alt.picks):
            take.jump(self._stage(choose, at, stage + 1, k, collect))
        else:
            self.answered(alt, at, take, k, collect)
        info = AltInfo(alt.label, "pick", "", alt.cites, tuple(v.name for v, _ in alt.picks), alt)
        procedure = self.rule.procedure.name if self.rule.procedure is not None else ""
        self.program.decisions[number] = DecisionInfo(
            number, choose.name, procedure, stage, alt.picks[stage][0], [info], choose.cites, choose.span, choose,
            choose.sealed, False, previous, ret=self.rule.ret,
        )  # fmt: skip
        self.option_words.write_words(number, choose, [info], stage)
        return number

    def _aside_lines(self, choose: ir.ChooseS) -> list[c.Statement]:
        """What may be done at any time, offered beside a choice of the same player."""
        if not self.game.asides or choose.sealed or self.rule.procedure is None or self.rule.procedure.no_asides:
            return []
        if self.rule.procedure.form == "aside":
            return []
        out: list[c.Statement] = []
        who = self.x(self.decider(choose))
        for at, aside in enumerate(self.game.asides):
            with self.scope.for_a_while():
                if aside.chooser is not None:
                    self.scope.env[aside.chooser.ident] = who
                listed = self.options.options_of(aside.alt, 0)[0] if aside.alt.picks else c.Tuple((Const(0),))
                guard = self.options.guard(aside.alt)
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
    def decider(choose: ir.ChooseS) -> ir.X:
        """Who decides at a choice; where several are asked in turn, whose turn it is."""
        if choose.any_of and choose.chooser_var is not None:
            return ir.Local(choose.chooser_var.type, choose.span, choose.chooser_var)
        return choose.by

    def passed_over(self, decision: int) -> list[c.Statement]:
        """What is done where a choice has no option and is passed over."""
        noted = c.Do(c.Method(Known("PASSED"), "add", (Const(decision),)))
        return [noted] if self.notes_passed else []


def _names_for_others(choose: ir.ChooseS) -> list[ir.Var]:
    """The names that what follows a choice knows: those of its only way."""
    return [var for var, _ in choose.alts[0].picks] if len(choose.alts) == 1 else []


def _has_selections(alt: ir.Alt) -> bool:
    return any(inner.many is not None for choose in chooses_in(alt.block) for inner in choose.alts)


def plain_option(at: int) -> int:
    """How the state notes a way to answer that picks nothing."""
    return FIRST_PLAIN - at


def aside_option(at: int) -> int:
    """How the state notes something that may be done at any time."""
    return FIRST_ASIDE - at


def offered(option: int, test: Code | None) -> c.Statement:
    """One more option, if something holds."""
    added = c.Do(c.Method(OPTIONS, "append", (Const(option),)))
    return c.If(test, [added]) if test is not None else added
