"""What can be picked for a name, and what others could learn if it is not asked for."""

from __future__ import annotations

from rulescript.analysis.handing_on import all_see_what_comes_to
from rulescript.analysis.kept_secrets import lying_in
from rulescript.analysis.secrets import asked_anyway, is_out_of_sight, several_secret
from rulescript.compiler import code as c
from rulescript.compiler.code import STATE, Code, Const, Each, Known, Name, Slot, call
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.loops import bound
from rulescript.compiler.lower.room import Room
from rulescript.compiler.lower.safety import never_fails
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import free_vars, walk
from rulescript.model.types import (
    BOOL,
    ListOf,
    SetOf,
    ThingOf,
    element_of,
)

__all__ = ["Options", "is_order_hidden"]


class Options(Room):
    """Lists what can be picked."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self._answering: dict[int, bool] = {}  # of rules, whether they always have an answer
        self._anyway: dict[int, tuple[ir.Alt, list[ir.X] | None]] = {}
        self._copied: dict[str, Code | None] = {}  # of kinds, which of their things are alike

    def stage_of(self, alt: ir.Alt, clause: ir.Clause) -> int:
        """The last name a requirement needs; -1 if it needs none."""
        used = free_vars(clause.in_effect)
        if alt.many is not None and alt.many[2].ident in used:
            return 0
        stage = -1
        for at, (var, _) in enumerate(alt.picks):
            if var.ident in used:
                stage = at
        return stage

    def guard(self, alt: ir.Alt) -> Code | None:
        """What must hold whatever is picked; None if nothing."""
        tests = [self.x(clause.in_effect) for clause in alt.clauses if self.stage_of(alt, clause) < 0]
        return c.all_of(tests) if tests else None

    def options_of(self, alt: ir.Alt, stage: int) -> tuple[Code, bool]:
        """A list of what can be picked at a stage, and whether it is shared (must not be changed)."""
        if self.program.postponed is None:
            return self._options_of(alt, stage)
        name = self.program.postponed.fresh("o")
        self.program.asked(name, ("S",), alt.span, lambda: self._options_of(alt, stage)[0])
        return call(name, STATE), True

    def _options_of(self, alt: ir.Alt, stage: int) -> tuple[Code, bool]:
        conditions = self.stage_conditions(alt, stage)
        later = [p for at in range(stage + 1, len(alt.picks)) for p in self.stage_conditions(alt, at)]
        self.scope.round = self.work.round_of_options([*conditions, *later]) if self.scope.is_counted else 0
        conditions, later = self._earliest(alt, stage, conditions, later)
        if stage + 1 < len(alt.picks):
            # Whatever is picked now, the later names must be possible.
            rest = ir.AndX(BOOL, alt.span, tuple(later)) if later else ir.Lit(BOOL, alt.span, True)
            conditions.append(ir.QuantX(BOOL, alt.span, "some", alt.picks[stage + 1 :], rest))
        guards = [part for part in conditions if self._is_asked_once(alt, stage, part)]
        listed, is_shared = self._listed(alt, stage, [part for part in conditions if part not in guards])
        if not guards:
            return listed, is_shared
        with self.scope.as_local(*(v for v, _ in alt.picks[stage:])):
            tests = [self.x(part) for part in guards]
        return c.Cond(c.all_of(tests), listed, c.List(())), is_shared

    def _earliest(
        self, alt: ir.Alt, stage: int, conditions: list[ir.X], later: list[ir.X]
    ) -> tuple[list[ir.X], list[ir.X]]:
        """What is required of the name of a stage, and of later ones, each as soon as it can be asked: what does not
        need a later name is not asked again for each of them."""
        names = {var.ident for var, _ in alt.picks[stage + 1 :]}
        standing = self._standing(alt)
        soon = [part for part in later if not free_vars(part) & names and never_fails(part, standing, self._answering)]
        return [*conditions, *soon], [part for part in later if part not in soon]

    def _is_asked_once(self, alt: ir.Alt, stage: int, part: ir.X) -> bool:
        """Whether a requirement is the same whatever is picked."""
        names = {var.ident for var, _ in alt.picks[stage:]}
        return not free_vars(part) & names and never_fails(part, self._standing(alt), self._answering)

    def _standing(self, alt: ir.Alt) -> frozenset[int]:
        """The names that are picked from what lies in places."""
        found = [var.ident for var, source in alt.picks if isinstance(self.loops.split_source(source)[0], ir.ContentsX)]
        return frozenset(found)

    def _listed(self, alt: ir.Alt, stage: int, conditions: list[ir.X]) -> tuple[Code, bool]:
        var, source = alt.picks[stage]
        in_no_order = is_order_hidden(alt, source)
        copies = self.copies(source, in_no_order)
        with self.scope.as_local(*(v for v, _ in alt.picks[stage:])):
            if isinstance(source.type, SetOf):
                mask, left = self.loops.thing_mask(source, var, conditions)
                if not left:
                    return self._each_of(mask, copies)
                name = self.scope.local(var)
                tests = c.all_of([self.each(test) for test in left])
                loop = (Each(bound(name), self.loops.counted(c.BITS[mask]), (tests,)),)
                listed = c.Listing("list", name, loop)
                return (call("unlike", listed, *copies) if copies else listed), False
            loops, left = self.loops.loop(var, source, conditions)
            loops = self.loops.tested(loops, left)
            found: Code = c.Listing("list", self.scope.local(var), loops)
            if in_no_order:
                found = call("sorted", found)
            if copies:
                return call("unlike", found, *copies), False
            if isinstance(source.type, ListOf):
                return call("list", c.Method(Known("dict"), "fromkeys", (found,))), False
            return found, False

    def _each_of(self, mask: Code, copies: tuple[Code, ...]) -> tuple[Code, bool]:
        """The members of a set, of copies that nothing tells apart only the first."""
        match copies:
            case ():
                return c.BITL[mask], True
            case (alike, _, Const(value=-1), Const(value=())):
                return self.constants.question("Firsts", alike)[mask], True
        return call("unlike", c.BITS[mask], *copies), False

    def copies(self, source: ir.X, in_no_order: bool = False) -> tuple[Code, ...]:
        """For things declared in several copies: which are alike, and what could tell two of them apart: where they
        lie, if that is not one place, and their states. Nothing for others.

        In a pile that somebody may look through, the order tells them apart, unless it is hidden from who chooses."""
        element = element_of(source.type)
        if not isinstance(element, ThingOf):
            return ()
        kind = self.game.kinds[element.kind]
        alike = self._alike(kind)
        if alike is None:
            return ()
        base, _ = self.loops.split_source(source)
        if isinstance(base, ir.ContentsX) and base.holds.ordered and not in_no_order:
            if not base.holds.visibility or any(v.level == "visible" for v in base.holds.visibility):
                return ()
        states = tuple(
            (self.layout.state_slot[id(s)], self.layout.state_mode[id(s)] == "mask") for s in kind.states.values()
        )
        is_one_place = isinstance(base, ir.ContentsX) and (
            base.holds.owner is None if base.of is None else isinstance(base.of.type, ThingOf)
        )
        loc = -1 if is_one_place else self.layout.loc_slot.get(kind.name, -1)
        return alike, STATE, Const(loc), Const(states)

    def _alike(self, kind: m.Kind) -> Code | None:
        """For each thing of a kind the first that it is a copy of; None if nothing is one."""
        if kind.name not in self._copied:
            first: dict[str, int] = {}
            for thing in kind.things:
                first.setdefault(thing.copy_of or thing.name, thing.index)
            alike = tuple(first[t.copy_of or t.name] for t in kind.things)
            self._copied[kind.name] = self.constants.const(alike, "A") if len(first) < len(alike) else None
        return self._copied[kind.name]

    def stage_conditions(self, alt: ir.Alt, stage: int) -> list[ir.X]:
        """The requirements that can be tested once the name of a stage is known."""
        return [
            part
            for clause in alt.clauses
            if self.stage_of(alt, clause) == stage
            for part in self.inlining.parts_of(clause.in_effect, costly=True)
        ]

    def when_passing_told(self, choose: ir.ChooseS, primary: int) -> Code | None:
        """When others could learn something hidden from a choice that is passed over; None: never. Where nothing is
        picked, all hear which way was taken, and so that none was."""
        if any(alt.effect for alt in choose.alts):
            return None
        ways = [self.when_out_of_sight(choose)]
        if primary >= 0:
            ways += [self.when_told(alt) for alt in choose.alts]
        told = [way for way in ways if way is not None]
        return c.any_of(told) if told else None

    def when_out_of_sight(self, choose: ir.ChooseS) -> Code | None:
        """When not everybody knows the thing in whose text a choice stands; None: never. How many ways there are to
        answer would tell which thing asks, and that there is only one or none tells it by silence."""
        tests = []
        for name, index in self.program.unseen_callers(choose):
            kind = self.game.kinds[name]
            thing = ir.ThingLit(ThingOf(name), choose.span, kind, index)
            tests.append(is_out_of_sight(thing, self.game.every_place()))
        found = [self.x(test) for test in tests if test is not None]
        if not found:
            return None
        return c.all_of([c.any_of(found), *self._in_force(choose)])

    def _in_force(self, choose: ir.ChooseS) -> list[Code]:
        """That what offers a choice counts at all: a reaction of a card that is not in play asks nobody anything."""
        offers = [alt for alt in choose.alts if not alt.effect]
        guards = [[clause.condition for clause in alt.clauses if clause.is_guard] for alt in offers]
        if not all(guards):
            return []
        return [c.any_of([c.all_of([self.x(test) for test in tests]) for tests in guards])]

    def asked_anyway(self, alt: ir.Alt) -> list[ir.X] | None:
        """What must hold for an alternative to be asked even if it offers nothing; None if it never needs to be."""
        if not self.program.has_secrets:
            return None
        if id(alt) not in self._anyway:
            self._anyway[id(alt)] = alt, asked_anyway(alt)
        return self._anyway[id(alt)][1]

    def when_told(self, alt: ir.Alt) -> Code | None:
        """When others could learn something hidden from an alternative that is not asked for; None: never."""
        tests = self.asked_anyway(alt)
        if tests is None:
            return None
        with self.scope.as_local(*(var for var, _ in alt.picks)):
            return c.all_of([self.x(t) for t in tests])

    def when_rest_told(self, alt: ir.Alt) -> Code | None:
        """When others could learn which of several hidden ones were taken: where the last are forced by those before,
        or all are alike. That all of them are taken tells nothing."""
        if alt.many is None or alt.many[0] != "exactly" or not self.program.has_secrets:
            return None
        test = several_secret(alt)
        if test is None:
            return None
        items, wanted = Slot(self.program.hidden(alt, "items")), Slot(self.program.hidden(alt, "wanted"))
        there = call("sum", c.Listing("list", Name("n"), (Each(("_", "n"), items),)))
        return c.All((self.x(test), c.Compare("<", wanted, there)))


def is_order_hidden(alt: ir.Alt, source: ir.X) -> bool:
    """Whether a list comes from piles through which nobody may look, or not everybody where somebody peeks: who may
    name what is in them does not learn how it lies there by the order of his options."""
    if any(isinstance(x, ir.Local) and x.is_private for x in walk(source)):
        return True
    piles = [place.holds for place in lying_in(source) if place.holds.ordered]
    if any(clause.peeks for clause in alt.clauses):
        return not all(all_see_what_comes_to(pile, "") for pile in piles)
    return any("visible" not in {line.level for line in pile.visibility} for pile in piles)
