"""Choices -> Python: which options there are, who is asked, how an answer is taken, and how options are worded.

A decision is a block: it works out the options, and running it again after loading a position gives the same
decision. `c12(p, S, o)` takes the answer. A choice over several names is asked one name at a time; an option of the
first is offered only if the rest can be completed.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulescript.analysis.secrets import asked_anyway, later_secret, several_secret
from rulescript.analysis.types import BOOL, INT, ListOf, PieceOf, Pile, SetOf, ThingOf, Type, element_of
from rulescript.compiler.changing import Changing
from rulescript.compiler.parting import Parting
from rulescript.compiler.slots import AltInfo, DecisionInfo, ProcedureInfo, SelectionInfo
from rulescript.compiler.walking import free_vars
from rulescript.compiler.writer import Writer
from rulescript.model import game as m
from rulescript.model import ir

__all__ = ["Choosing", "stays_broken"]


class Choosing(Changing):
    """Compiles choices; what follows an answer is compiled by `Blocks`."""

    def seq(self, block: Sequence[ir.S], out: Writer, indent: int, k: str) -> None:
        raise NotImplementedError

    def block(self, number: int, statements: Sequence[ir.S], k: str) -> None:
        raise NotImplementedError

    def info(self, procedure: m.Procedure) -> ProcedureInfo:
        raise NotImplementedError

    # -------------------------------------------------------------- choices

    def choose(self, choose: ir.ChooseS, k: str, collect: int | None = None) -> str:
        """A choice; afterwards block `k`. Returns the block that asks. With `collect`, the answer is only noted
        in that slot (effects come later)."""
        if choose.any_of and collect is None:
            return self._choose_any(choose, k)
        return f"b{self._decision(choose, k, collect, None)}"

    def _choose_any(self, choose: ir.ChooseS, k: str) -> str:
        """Each of several players in order may answer; when all decline, the first other way out is taken."""
        assert choose.chooser_var is not None
        who = self.bind(choose.chooser_var)
        slot = self.hidden(choose, "askers")
        start, step = self.new_block(), self.new_block()
        refused = k
        for alt in choose.alts:
            if not alt.picks and alt.many is None:
                number = self.new_block()
                self.block(number, alt.block, self._after(alt, k))
                refused = f"b{number}"
                break
        ask = self._decision(choose, k, None, f"b{step}")
        out = Writer()
        out.at(choose.span)
        out.line(0, f"def b{start}(p, S):")
        out.line(1, f"S[{slot}] = BITS[{self.x(choose.by)}]")
        out.line(1, f"return b{step}")
        out.line(0, f"def b{step}(p, S):")
        out.line(1, f"left = S[{slot}]")
        out.line(1, f"if not left: return {refused}")
        out.line(1, f"{who} = left[0]")
        out.line(1, f"S[{slot}] = left[1:]")
        out.line(1, f"return b{ask}")
        self.out.extend(out)
        return f"b{start}"

    def _after(self, alt: ir.Alt, k: str) -> str:
        if alt.effect == "stop":
            return self._loops[-1].after if self._loops and not self._loops[-1].python else k
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

    def guard(self, alt: ir.Alt) -> str:
        """What must hold whatever is picked."""
        tests = [self.x(self.clause_condition(c)) for c in alt.clauses if self.stage_of(alt, c) < 0]
        return " and ".join(tests)

    def options(self, alt: ir.Alt, stage: int) -> tuple[str, bool]:
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
                    return (f"unlike(BITS[{mask}], {copies})", False) if copies else (f"BITL[{mask}]", True)
                name = self.local(var)
                tests = " and ".join(self.each(c) for c in left)
                listed = f"[{name} for {name} in {self.counted(f'BITS[{mask}]')} if {tests}]"
                return (f"unlike({listed}, {copies})" if copies else listed), False
            loop, left = self.loop(var, source, conditions)
            test = "".join(f" if {self.each(c)}" for c in left)
            listed = f"[{self.local(var)} {loop}{test}]"
            if copies:
                return f"unlike({listed}, {copies})", False
            if isinstance(source.type, ListOf):
                return f"list(dict.fromkeys({listed}))", False
            return listed, False

    def _copies(self, source: ir.X) -> str:
        """For things declared in several copies: which are alike, and what could tell two of them apart.

        In a pile that somebody may look through, the order tells them apart."""
        element = element_of(source.type)
        if not isinstance(element, ThingOf):
            return ""
        kind = self.game.kinds[element.kind]
        if not any(t.copy_of for t in kind.things):
            return ""
        base, _ = self.split_source(source)
        if isinstance(base, ir.ContentsX) and base.holds.ordered:
            if not base.holds.visibility or any(v.level == "visible" for v in base.holds.visibility):
                return ""
        names = [t.copy_of or t.name for t in kind.things]
        first = tuple(names.index(name) for name in names)
        states = tuple(
            (self.layout.state_slot[id(s)], self.layout.state_mode[id(s)] == "mask") for s in kind.states.values()
        )
        loc = self.layout.loc_slot.get(kind.name, -1)
        return f"{self.const(first, 'A')}, S, {loc}, {states!r}"

    def stage_conditions(self, alt: ir.Alt, stage: int) -> list[ir.X]:
        """The requirements that can be tested once the name of a stage is known."""
        return [
            part
            for clause in alt.clauses
            if self.stage_of(alt, clause) == stage
            for part in self.parts_of(self.clause_condition(clause))
        ]

    def note_passed_over(self, decision: int) -> str:
        """A statement for where a choice has no option and is passed over; examples take notice of it."""
        return ""

    def _decision(self, choose: ir.ChooseS, k: str, collect: int | None, declined: str | None) -> int:
        """The block that asks the first question of a choice."""
        number = self.new_block()
        primary = next((i for i, a in enumerate(choose.alts) if a.picks or a.many), -1)
        ask, take = Writer(), Writer()
        ask.at(choose.span)
        take.at(choose.span)
        ask.line(0, f"def b{number}(p, S):")
        take.line(0, f"def c{number}(p, S, o):")
        infos: list[AltInfo] = []
        shared = False
        lines: list[str] = []
        first = "[]"
        outer, self.hoists = self.hoists, {}
        counted = self.work.of_choice(choose)
        if counted:
            ask.line(1, f"step({counted})")
        is_counted, self.is_counted = self.is_counted, self.work.is_huge(choose)
        for at, alt in enumerate(choose.alts):
            guard = self.guard(alt)
            form = "many" if alt.many else "pick" if alt.picks else "plain"
            names = (alt.many[2].name,) if alt.many else tuple(v.name for v, _ in alt.picks)
            infos.append(AltInfo(alt.label, form, "", alt.cites, names, alt))
            if form == "plain":
                lines.append(f"o.append({-1 - at})" if not guard else f"if {guard}: o.append({-1 - at})")
                continue
            listed, is_shared = self._many_first(alt) if form == "many" else self.options(alt, 0)
            if guard:
                listed, is_shared = f"({listed} if {guard} else [])", is_shared
            if at == primary:
                first, shared = listed, is_shared
            else:
                lines.append(f"o += [({at}, v) for v in {listed}]")
        many = choose.alts[primary].many if primary >= 0 else None
        if many is not None and many[0] != "exactly" and not any(a.effect for a in choose.alts):
            # "Up to" and "any number" may be none, unless passing or stopping says so already.
            infos.append(AltInfo("done", "plain", "", choose.alts[primary].cites))
            whole = self._whole(choose.alts[primary])
            # Where there is nothing to choose from, it is asked for all the same if others could learn from silence.
            telling = self._telling(choose.alts[primary])
            some = f"(o or ({telling}))" if telling else "o"
            lines.insert(0, f"if {some}{f' and meets((), {whole})' if whole else ''}: o.append({-len(infos)})")
        elif (telling := self._telling_nothing(choose)) and primary >= 0:
            # That there is nothing to choose from is known to the chooser alone: who was passed over would tell it.
            infos.append(AltInfo("done", "plain", "", choose.alts[primary].cites))
            lines.append(f"if not o and ({telling}): o.append({-len(infos)})")
        asides = self._aside_lines(choose)
        for value, name in self.hoists.items():
            ask.line(1, f"{name} = {value}")
        self.hoists, self.is_counted = outer, is_counted
        if (lines or asides) and shared:
            if lines and all(line.startswith("o.append(") for line in lines) and not asides:
                extra = ", ".join(line[len("o.append(") : -1] for line in lines)
                ask.line(1, f"o = [*{first}, {extra}]")
                lines = []
            else:
                ask.line(1, f"o = [*{first}]")
        else:
            ask.line(1, f"o = {first}")
        for line in lines:
            ask.line(1, line)
        empty = self._when_empty(choose, primary, k, number, collect)
        alone = self._not_telling(choose) + self._settled(choose, primary)
        ask.line(1, f"if len(o) == 1 and not p.ask{alone}: return c{number}(p, S, o[0])")
        ask.line(1, f"if not o: {self.note_passed_over(number)}return {empty}")
        # Something that may be done at any time never makes a forced choice a real one.
        for line in asides:
            ask.line(1, line)
        ask.line(1, f"p.d = {number}; p.o = o; S[0] = {number}")
        ask.line(1, "return None")
        # ---- taking the answer
        tuples = [i for i, info in enumerate(infos) if info.form != "plain" and i != primary]
        if tuples or asides:
            take.line(1, "if o.__class__ is tuple:")
            take.line(2, "a, o = o")
            for at in tuples:
                take.line(2, f"if a == {at}:")
                self._take_pick(choose, at, take, 3, k, number, collect)
            for at, aside in enumerate(self.game.asides if asides else []):
                assert aside.procedure is not None
                info = self.info(aside.procedure)
                take.line(2, f"if a == {-100 - at}:")
                if aside.chooser is not None:
                    take.line(3, f"S[{info.params[-1]}] = {self.x(self._decider(choose))}")
                if aside.alt.picks:
                    take.line(3, f"S[{info.params[0]}] = o")
                take.line(3, f"S[{info.ret}] = {number}")
                take.line(3, f"return b{info.entry}")
        plains = [i for i, info in enumerate(infos) if info.form == "plain"]
        if plains:
            take.line(1, "if o < 0:")
            for position, at in enumerate(plains):
                inner = 2
                if position < len(plains) - 1:
                    take.line(2, f"if o == {-1 - at}:")
                    inner = 3
                if at == len(choose.alts):
                    take.line(inner, f"return {declined or empty}")
                    continue
                alt = choose.alts[at]
                if declined is not None:
                    take.line(inner, f"return {declined}")
                elif collect is not None:
                    take.line(inner, f"S[{collect}] = {at}")
                    take.line(inner, f"return {k}")
                else:
                    self.seq(alt.block, take, inner, self._after(alt, k))
        if primary >= 0:
            self._take_pick(choose, primary, take, 1, k, number, collect)
        else:
            take.line(1, "return None")
        self.out.extend(ask)
        self.out.extend(take)
        alt0 = choose.alts[primary] if primary >= 0 else None
        var = alt0.picks[0][0] if alt0 is not None and alt0.picks else None
        for aside in self.game.asides if asides else []:
            infos.append(
                AltInfo(
                    aside.name, "aside", "", aside.cites, tuple(v.name for v, _ in aside.alt.picks), aside.alt, True
                )
            )
        procedure = self._procedure.name if self._procedure is not None else ""
        self.decisions[number] = DecisionInfo(
            number, choose.name, procedure, 0, var, infos, choose.cites, choose.span, choose, choose.sealed,
            bool(alt0 and alt0.many),
        )  # fmt: skip
        for at, alt in enumerate(choose.alts):
            if alt.many is not None:
                self._note_selection(number, at, choose, at, primary)
        self._words(number, choose, infos, 0, primary)
        return number

    def _not_telling(self, choose: ir.ChooseS) -> str:
        """For taking a single option unasked: that nobody can learn from it what is hidden."""
        ways = [way for alt in choose.alts for way in (self._telling(alt), self._telling_rest(alt)) if way]
        return f" and not ({' or '.join(f'({w})' for w in ways)})" if ways else ""

    def _telling_nothing(self, choose: ir.ChooseS) -> str:
        """When others could learn something hidden from a choice that is passed over; nothing: never."""
        if any(alt.effect for alt in choose.alts):
            return ""
        ways = [way for alt in choose.alts if (way := self._telling(alt))]
        return " or ".join(f"({way})" for way in ways)

    def _telling(self, alt: ir.Alt) -> str:
        """When others could learn something hidden from an alternative that is not asked for; nothing: never."""
        tests = asked_anyway(alt) if self.has_secrets else None
        if tests is None:
            return ""
        with self.as_local(*(var for var, _ in alt.picks)):
            return " and ".join(self.x(t) for t in tests) or "True"

    def _telling_rest(self, alt: ir.Alt) -> str:
        """When others could learn which of several hidden ones were taken: where the last are forced by those before,
        or all are alike. That all of them are taken tells nothing."""
        if alt.many is None or alt.many[0] != "exactly" or not self.has_secrets:
            return ""
        test = several_secret(alt)
        if test is None:
            return ""
        items, wanted = self.hidden(alt, "items"), self.hidden(alt, "wanted")
        return f"{self.x(test)} and S[{wanted}] < sum([n for _, n in S[{items}]])"

    def _settled(self, choose: ir.ChooseS, primary: int) -> str:
        """For taking a single option unasked: that it is no first item of several, how many of which is open."""
        tests = ""
        for at, alt in enumerate(choose.alts):
            if alt.many is None or alt.many[0] == "exactly":
                continue
            first, is_another = "o[0]", "o[0].__class__ is tuple or o[0] < 0"
            if at != primary:
                first, is_another = "o[0][1]", f"o[0].__class__ is not tuple or o[0][0] != {at}"
            whole = self._whole(alt)
            noted = f"S[{self.hidden(alt, 'items')}], S[{self.hidden(alt, 'wanted')}]"
            tests += f" and ({is_another} or settled({first}, {noted}{', ' + whole if whole else ''}))"
        return tests

    def _when_empty(self, choose: ir.ChooseS, primary: int, k: str, number: int, collect: int | None) -> str:
        """Where to go when there is nothing to choose. Choosing none of several is still a (empty) selection."""
        if primary >= 0 and choose.alts[primary].many is not None:
            alt = choose.alts[primary]
            assert alt.many is not None
            block = self.new_block()
            out = Writer()
            out.at(choose.span)
            out.line(0, f"def b{block}(p, S):")
            var = alt.many[2]
            whole = self._whole(alt)
            if whole:
                # There is nothing to choose from, and none at all is not allowed: it is passed over.
                out.line(1, f"if not meets((), {whole}):")
                if collect is not None:
                    out.line(2, f"S[{collect}] = -1")
                out.line(2, f"return {k}")
            out.line(1, f"{self.bind(var)} = {'0' if isinstance(var.type, SetOf) else '()'}")
            if collect is not None:
                out.line(1, f"S[{collect}] = {primary}")
                out.line(1, f"return {k}")
            else:
                self.seq(alt.block, out, 1, self._after(alt, k))
            self.out.extend(out)
            return f"b{block}"
        if collect is not None:
            block = self.new_block()
            self.out.line(0, f"def b{block}(p, S):")
            self.out.line(1, f"S[{collect}] = -1")
            self.out.line(1, f"return {k}")
            return f"b{block}"
        return k

    def _take_pick(
        self, choose: ir.ChooseS, at: int, out: Writer, indent: int, k: str, number: int, collect: int | None
    ) -> None:
        """The first name of an alternative was picked: ask for the next, or do what it says."""
        alt = choose.alts[at]
        if alt.many is not None:
            self._take_many(choose, at, out, indent, k, collect)
            return
        out.line(indent, f"{self.bind(alt.picks[0][0])} = o")
        if len(alt.picks) > 1:
            out.line(indent, f"return b{self._stage(choose, at, 1, k, collect)}")
        elif collect is not None:
            out.line(indent, f"S[{collect}] = {at}")
            out.line(indent, f"return {k}")
        else:
            self.seq(alt.block, out, indent, self._after(alt, k))

    def _stage(self, choose: ir.ChooseS, at: int, stage: int, k: str, collect: int | None) -> int:
        """The block that asks for a later name."""
        alt = choose.alts[at]
        number = self.new_block()
        ask, take = Writer(), Writer()
        ask.at(choose.span)
        ask.line(0, f"def b{number}(p, S):")
        ask.line(1, f"o = {self.hoisted(lambda: self.options(alt, stage)[0], ask, 1)}")
        secret = later_secret(alt, stage) if self.has_secrets else None
        unless = f" and not ({self.x(secret)})" if secret is not None else ""
        ask.line(1, f"if len(o) == 1 and not p.ask{unless}: return c{number}(p, S, o[0])")
        ask.line(1, f"p.d = {number}; p.o = o; S[0] = {number}")
        ask.line(1, "return None")
        previous = [(v.name, self.layout.slot_for(v), v.type) for v, _ in alt.picks[:stage]]
        take.at(choose.span)
        take.line(0, f"def c{number}(p, S, o):")
        take.line(1, f"{self.bind(alt.picks[stage][0])} = o")
        if stage + 1 < len(alt.picks):
            take.line(1, f"return b{self._stage(choose, at, stage + 1, k, collect)}")
        elif collect is not None:
            take.line(1, f"S[{collect}] = {at}")
            take.line(1, f"return {k}")
        else:
            self.seq(alt.block, take, 1, self._after(alt, k))
        self.out.extend(ask)
        self.out.extend(take)
        info = AltInfo(alt.label, "pick", "", alt.cites, tuple(v.name for v, _ in alt.picks), alt)
        procedure = self._procedure.name if self._procedure is not None else ""
        self.decisions[number] = DecisionInfo(
            number, choose.name, procedure, stage, alt.picks[stage][0], [info], choose.cites, choose.span, choose,
            choose.sealed, False, previous,
        )  # fmt: skip
        self._words(number, choose, [info], stage, 0)
        return number

    # -------------------------------------------------------------- several at once

    def _available(self, alt: ir.Alt) -> str:
        """(item, how many) pairs of what can be selected from, ascending."""
        assert alt.many is not None
        _, _, _, source = alt.many
        if isinstance(source.type, Pile):
            var = ir.Var("each", PieceOf(self.kind_of(source.type)), "element", -4)
            if isinstance(self.split_source(source)[0], ir.MostX):
                return f"tuple(sorted([(e, 1) for e in {self.refs(source)}]))"
            loop, left = self.loop(var, source, (), "n_")
            test = "".join(f" if {self.each(c)}" for c in left)
            # Places and codes come in ascending order.
            return f"tuple([({self.local(var)}, n_) {loop}{test}])"
        copies = self._copies(source)
        if isinstance(source.type, SetOf) and copies:
            return f"so_many(BITS[{self.x(source)}], {copies})"
        if isinstance(source.type, SetOf):
            return f"tuple([(e, 1) for e in BITS[{self.x(source)}]])"
        return f"tuple(sorted([(e, 1) for e in {self.listed(source, any_order=True)}]))"

    def _wanted(self, alt: ir.Alt) -> str:
        assert alt.many is not None
        mode, amount, _, _ = alt.many
        if mode == "any" or amount is None:
            return "1 << 30"
        return self.x(amount)

    def _whole(self, alt: ir.Alt) -> str:
        """What a selection as a whole must meet ("" if nothing): how it is written as its name's value, all of it,
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
            return ""
        hoists, self.hoists = self.hoists, None
        try:
            made = "lambda have: have"
            if isinstance(var.type, SetOf):
                copies = self._copies(source)
                each = f"each_copy(have, BITS[{self.x(source)}], {copies})" if copies else "have"
                made = f"lambda have: sum([1 << i for i in {each}])"
            with self.as_local(var):
                self.env[var.ident] = "have"
                whole = " and ".join(f"({self.x(part)})" for part in parts)
                kept = [stays_broken(part, var.ident, source) for part in parts]
                lasting = " and ".join(f"({self.x(part)})" for part in kept if part is not None)
        finally:
            self.hoists = hoists
        tests = f"{made}, lambda have: {whole}, lambda have: {lasting or 'True'}"
        return f"Demand({tests}{self._parted(alt, parts, kept)})"

    def _parted(self, alt: ir.Alt, parts: Sequence[ir.X], kept: Sequence[ir.X | None]) -> str:
        """The tests of a whole selection as tests of sums and facts that are put together from its single items;
        "" where one of them reads something else."""
        assert alt.many is not None
        var = alt.many[2]
        parting = Parting(var.ident)
        tests = [parting.rewritten(part) for part in parts]
        lasting = [parting.rewritten(part) for part in kept if part is not None]
        if not parting.is_possible:
            return ""
        hoists, self.hoists = self.hoists, None
        try:
            with self.as_local(var, *(made for made, _, _ in parting.found)):
                self.env[var.ident] = "have"
                read = "".join(
                    f"bool({self.x(node)}), " if node.type == BOOL else f"{self.x(node)}, "
                    for _, _, node in parting.found
                )
                for at, (made, _, _) in enumerate(parting.found):
                    self.env[made.ident] = f"part[{at}]"
                whole = " and ".join(f"({self.x(test)})" for test in tests)
                lasts = " and ".join(f"({self.x(test)})" for test in lasting)
        finally:
            self.hoists = hoists
        folds = tuple(fold for _, fold, _ in parting.found)
        return f", {folds!r}, lambda have: ({read}), lambda part: {whole}, lambda part: {lasts or 'True'}"

    def _many_first(self, alt: ir.Alt) -> tuple[str, bool]:
        """The first pick of several. What can be picked and how many are wanted is noted for the later ones."""
        assert alt.many is not None
        mode = alt.many[0]
        items, wanted = self.hidden(alt, "items"), self.hidden(alt, "wanted")
        count = f"many_start(S, {wanted}, {self._wanted(alt)})"
        available = self._available(alt)
        listed = f"many_first(S, {items}, {wanted}, {available}, {mode == 'exactly'})"
        whole = self._whole(alt)
        if whole:
            listed = f"completable({listed}, (), S[{items}], S[{wanted}], {mode == 'exactly'}, {whole})"
        return f"({listed} if {count} else [])", False

    def _take_many(self, choose: ir.ChooseS, at: int, out: Writer, indent: int, k: str, collect: int | None) -> None:
        alt = choose.alts[at]
        assert alt.many is not None
        mode, _, var, _ = alt.many
        name = self.bind(var)
        chosen = self.hidden(choose, f"chosen{at}")
        more, done = self.new_block(), self.new_block()
        self.later[id(alt)] = more
        out.line(indent, f"S[{chosen}] = (o,)")
        out.line(indent, f"return b{more}")
        ask = Writer()
        ask.at(choose.span)
        ask.line(0, f"def b{more}(p, S):")
        items, wanted = self.hidden(alt, "items"), self.hidden(alt, "wanted")
        ask.line(1, f"have = S[{chosen}]")
        ask.line(1, f"left = S[{wanted}] - len(have)")
        ask.line(1, f"if left <= 0: return b{done}")
        ask.line(1, f"o = many_options(S[{items}], have, {'left' if mode == 'exactly' else '1'})")
        whole = self._whole(alt)
        if whole:
            ask.line(1, f"whole = {whole}")
            ask.line(1, f"o = completable(o, have, S[{items}], S[{wanted}], {mode == 'exactly'}, whole)")
        # Who is not asked for more has no more of what comes later: others must not learn that from the silence.
        telling = self._telling(alt) if mode != "exactly" else ""
        unless = f" and not ({telling})" if telling else ""
        ask.line(1, f"if not o{unless}: return b{done}")
        if mode != "exactly":
            ask.line(1, "if meets(have, whole): o.append(-1)" if whole else "o.append(-1)")
        rest = self._telling_rest(alt)
        unless += f" and not ({rest})" if rest else ""
        ask.line(1, f"if len(o) == 1 and not p.ask{unless}: return c{more}(p, S, o[0])")
        ask.line(1, f"p.d = {more}; p.o = o; S[0] = {more}")
        ask.line(1, "return None")
        ask.line(0, f"def c{more}(p, S, o):")
        if mode != "exactly":
            ask.line(1, f"if o < 0: return b{done}")
        ask.line(1, f"S[{chosen}] += (o,)")
        ask.line(1, f"return b{more}")
        ask.line(0, f"def b{done}(p, S):")
        copies = self._copies(alt.many[3]) if isinstance(alt.many[3].type, SetOf) else ""
        if copies:
            ask.line(1, f"have = each_copy(S[{chosen}], BITS[{self.x(alt.many[3])}], {copies})")
            ask.line(1, f"{name} = sum([1 << i for i in have])")
        elif isinstance(var.type, SetOf):
            ask.line(1, f"{name} = sum([1 << i for i in S[{chosen}]])")
        else:
            ask.line(1, f"{name} = S[{chosen}]")
        # Nothing of the choosing itself stays behind in the state.
        ask.line(1, f"S[{chosen}] = S[{items}] = (); S[{wanted}] = 0")
        if collect is not None:
            ask.line(1, f"S[{collect}] = {at}")
            ask.line(1, f"return {k}")
        else:
            self.seq(alt.block, ask, 1, self._after(alt, k))
        self.out.extend(ask)
        infos = [AltInfo(alt.label, "many", "", alt.cites, (var.name,), alt)]
        if mode != "exactly":
            infos.append(AltInfo("done", "plain", "", alt.cites, ()))
        procedure = self._procedure.name if self._procedure is not None else ""
        self.decisions[more] = DecisionInfo(
            more, choose.name, procedure, 1, None, infos, choose.cites, choose.span, choose, choose.sealed, True,
            [("chosen", chosen, ListOf(_element_type(alt)))],
        )  # fmt: skip
        self._note_selection(more, 0, choose, at, at)
        self._words(more, choose, infos, 1, 0)

    def _note_selection(self, block: int, way: int, choose: ir.ChooseS, at: int, primary: int) -> None:
        """Note, for who picks in any order, where a decision has what it takes to know a whole selection; `way` is
        the alternative of the decision, `at` that of the choice."""
        alt = choose.alts[at]
        assert alt.many is not None
        whole = self._whole(alt)
        demand = ""
        if whole:
            demand = f"y{block}_{way}"
            out = Writer()
            out.at(choose.span)
            out.line(0, f"def {demand}(S): return {whole}")
            self.out.extend(out)
        self.decisions[block].selections.append(
            SelectionInfo(
                way, alt.many[0], self.hidden(alt, "items"), self.hidden(alt, "wanted"),
                self.hidden(choose, f"chosen{at}"), at == primary, self.later[id(alt)], demand,
            )
        )  # fmt: skip

    # -------------------------------------------------------------- sealed answers

    def _together(self, branches: Sequence[ir.ChooseS | ir.EachS], out: Writer, indent: int, k: str) -> None:
        """All answer first, then all that follows from the answers."""
        slots = [self.hidden(b, "answer") for b in branches]
        # For each branch that several answer: where they are asked, where answers are noted, where they are played.
        places = [tuple(self.new_block() for _ in range(4)) if isinstance(b, ir.EachS) else () for b in branches]
        after = k
        for branch, slot, blocks in reversed(list(zip(branches, slots, places, strict=True))):
            if isinstance(branch, ir.EachS):
                self._each_plays(branch, blocks, after)
                after = f"b{blocks[3]}"
                continue
            number = self.new_block()
            effects = Writer()
            effects.at(branch.span)
            effects.line(0, f"def b{number}(p, S):")
            for alt in branch.alts:
                for var, _ in alt.picks:
                    self.bind(var)
                if alt.many is not None:
                    self.bind(alt.many[2])
            for at, alt in enumerate(branch.alts):
                if alt.block:
                    effects.line(1, f"if S[{slot}] == {at}:")
                    self.seq(alt.block, effects, 2, self._after(alt, after))
            effects.line(1, f"return {after}")
            self.out.extend(effects)
            after = f"b{number}"
        for branch, slot, blocks in reversed(list(zip(branches, slots, places, strict=True))):
            if isinstance(branch, ir.EachS):
                begin, number = Writer(), self.new_block()
                begin.at(branch.span)
                begin.line(0, f"def b{number}(p, S):")
                self._each_asks(branch, blocks, begin, 1, after)
                self.out.extend(begin)
                after = f"b{number}"
            else:
                after = self.choose(branch, after, slot)
        out.line(indent, f"return {after}")

    def _each_sealed(self, statement: ir.EachS, out: Writer, indent: int, k: str) -> None:
        blocks = tuple(self.new_block() for _ in range(4))
        self._each_asks(statement, blocks, out, indent, f"b{blocks[3]}")
        self._each_plays(statement, blocks, k)

    def _each_noted(self, statement: ir.EachS) -> tuple[ir.ChooseS, str, str, int, int, int]:
        """The choice of a sealed `each`, who makes it, what is kept of an answer, and the slots it needs."""
        choose = next(s for s in statement.block if isinstance(s, ir.ChooseS))
        who = self.bind(statement.var)
        left, answers, answer = (self.hidden(statement, tag) for tag in ("left", "answers", "answer"))
        kept = [v for alt in choose.alts for v, _ in alt.picks] + [alt.many[2] for alt in choose.alts if alt.many]
        names = [who, f"S[{answer}]", *(self.bind(v) for v in kept)]
        return choose, who, ", ".join(names) + ",", left, answers, answer

    def _each_asks(self, statement: ir.EachS, blocks: tuple[int, ...], out: Writer, indent: int, k: str) -> None:
        """Ask all of them, one after the other; then block `k`."""
        ask, note, _, _ = blocks
        choose, who, tuple_, left, answers, answer = self._each_noted(statement)
        asked = self.choose(choose, f"b{note}", answer)
        out.line(indent, f"S[{left}] = {self.refs(statement.source)}")
        out.line(indent, f"S[{answers}] = ()")
        out.line(indent, f"return b{ask}")
        w = Writer()
        w.at(statement.span)
        w.line(0, f"def b{ask}(p, S):")
        w.line(1, f"rest = S[{left}]")
        w.line(1, f"if not rest: return {k}")
        w.line(1, f"{who} = rest[0]; S[{left}] = rest[1:]")
        w.line(1, f"return {asked}")
        w.line(0, f"def b{note}(p, S):")
        w.line(1, f"S[{answers}] += (({tuple_}),)")
        w.line(1, f"return b{ask}")
        self.out.extend(w)

    def _each_plays(self, statement: ir.EachS, blocks: tuple[int, ...], k: str) -> None:
        """What follows from each answer; then block `k`."""
        _, _, play, step = blocks
        choose, _, tuple_, _, answers, answer = self._each_noted(statement)
        w = Writer()
        w.at(statement.span)
        w.line(0, f"def b{step}(p, S):")
        w.line(1, f"rest = S[{answers}]")
        w.line(1, f"if not rest: return {k}")
        w.line(1, f"({tuple_}) = rest[0]; S[{answers}] = rest[1:]")
        w.line(1, f"return b{play}")
        w.line(0, f"def b{play}(p, S):")
        for at, alt in enumerate(choose.alts):
            if alt.block:
                w.line(1, f"if S[{answer}] == {at}:")
                self.seq(alt.block, w, 2, f"b{step}")
        w.line(1, f"return b{step}")
        self.out.extend(w)

    # -------------------------------------------------------------- asides

    def _aside_lines(self, choose: ir.ChooseS) -> list[str]:
        """What may be done at any time, offered beside a choice of the same player."""
        if not self.game.asides or choose.sealed or self._procedure is None or self._procedure.no_asides:
            return []
        if self._procedure.form == "aside":
            return []
        out: list[str] = []
        who = self.x(self._decider(choose))
        for at, aside in enumerate(self.game.asides):
            before = dict(self.env)
            if aside.chooser is not None:
                self.env[aside.chooser.ident] = f"({who})"
            listed = self.options(aside.alt, 0)[0] if aside.alt.picks else "(0,)"
            guard = self.guard(aside.alt)
            self.env.clear()
            self.env.update(before)
            by = self.x(aside.by)
            tests = [f"({by}) >> ({who}) & 1" if aside.chooser is not None else f"{who} == {by}"]
            if aside.during in self.game.procedures and self.game.procedures[aside.during].form == "phase":
                tests.append(f"S[4] in WITHIN[{aside.during!r}]")
            if guard:
                tests.append(guard)
            test = " and ".join(tests) or "True"
            out.append(f"if {test}: o = [*o, *[({-100 - at}, v) for v in {listed}]]")
        return out

    @staticmethod
    def _decider(choose: ir.ChooseS) -> ir.X:
        """Who decides at a choice; where several are asked in turn, whose turn it is."""
        if choose.any_of and choose.chooser_var is not None:
            return ir.Local(choose.chooser_var.type, choose.span, choose.chooser_var)
        return choose.by

    # -------------------------------------------------------------- words

    def _words(self, number: int, choose: ir.ChooseS, infos: list[AltInfo], stage: int, primary: int) -> None:
        """Functions that word the options of a decision, and the one that says who decides."""
        out = Writer()
        out.at(choose.span)
        who = self.x(self._decider(choose))
        out.line(0, f"def w{number}(p, S): return {who}")
        held = dict(self.env)
        for aside in self.game.asides:
            if aside.chooser is not None:
                self.env[aside.chooser.ident] = f"({who})"
        self.telling = True
        for at, info in enumerate(infos):
            info.text = f"x{number}_{at}"
            alt = info.alt
            code = repr(info.label.replace("_", " "))
            if info.form == "plain" or alt is None or not (alt.picks or alt.many):
                if info.label == "done":
                    code = repr("That is all" if stage else "None of them")
                elif alt is not None and alt.text is not None:
                    code = self.text(alt.text)
                else:
                    code = repr(info.label.replace("_", " ").capitalize())
            elif info.form == "many":
                element = _element_type(alt)
                code = f"{info.label.replace('_', ' ').capitalize() + ': '!r} + {self.say_place('o', element)}"
            else:
                var = alt.picks[stage if info.form != "aside" else 0][0]
                before = self.env.get(var.ident)
                self.env[var.ident] = "o"
                last = stage == len(alt.picks) - 1 or info.form == "aside"
                if last and alt.text is not None:
                    code = self.text(alt.text)
                else:
                    prefix = info.label.replace("_", " ").capitalize()
                    said = self.say_place("o", var.type)
                    if self._from_one_place(alt.picks[stage if info.form != "aside" else 0][1]):
                        said = self.say_code("o", var.type)
                    code = f"{prefix + ': '!r} + {said}"
                if before is None:
                    self.env.pop(var.ident, None)
                else:
                    self.env[var.ident] = before
            out.line(0, f"def {info.text}(p, S, o): return {code}")
        self.env.clear()
        self.env.update(held)
        self.telling = False
        self.out.extend(out)

    def _from_one_place(self, source: ir.X) -> bool:
        """Whether all that can be picked lies in one place, so that naming it says nothing."""
        base, _ = self.split_source(source)
        return isinstance(base, ir.ContentsX) and not (base.of is not None and isinstance(base.of.type, SetOf))

    def say_place(self, code: str, type_: Type) -> str:
        """A value in words, for a piece with the place it stands in."""
        if isinstance(type_, PieceOf):
            return f"{self.say_code(code, type_)} + PLACES[{code} >> {self.shift}]"
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
