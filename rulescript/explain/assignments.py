"""What speaks against naming certain things in a choice: whether they can be named at all, which requirements fail, and
whether what was not said can be chosen so that all hold.

Nothing is told that the player who decides may not know: of what could be chosen but does not lie open, only that.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rulescript.explain.env import Env, source_text
from rulescript.explain.evaluate import free_locals
from rulescript.explain.failed_clauses import Judge
from rulescript.explain.naming import Named, Reading, is_way
from rulescript.explain.outside import outside
from rulescript.game_data import GameData
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import PieceOf, ThingOf, Type, element_of, sure
from rulescript.phrases import capital, kind_noun, listed, readable
from rulescript.reasons import FailedClause
from rulescript.runtime.views import LEVELS, level_of
from rulescript.wording.english import Speaker

if TYPE_CHECKING:
    from rulescript.runtime.position import Decision, Position

__all__ = ["HIDDEN", "OUTSIDE", "UNOFFERED", "Assignments", "names_in", "spoken"]

COMBINATIONS = 2000
NEAREST = 200
LONGEST = 1_000
EXAMPLES = 5
OUTSIDE = "cannot be named here"
ABSENT = "not there"
HIDDEN = "hidden"
UNOFFERED = "not offered"


class Assignments:
    """What is said of values for the names of one choice. `fixed` are those that were chosen before."""

    def __init__(self, position: Position, decision: Decision, judge: Judge, fixed: dict[int, Any]) -> None:
        self.position = position
        self.game = position.game
        self.decision = decision
        self.judge = judge
        self.eyes = judge.eyes
        self.fixed = fixed

    def best(self, alt: ir.Alt, aside: m.Aside | None, named: dict[int, tuple[Any, ...]]) -> list[FailedClause]:
        """What fails for the values that fail least; nothing if some do not fail at all."""
        variables = [var for var, _ in alt.picks]
        fixed = {ident: (value,) for ident, value in self.fixed.items()}
        pools = [named.get(v.ident) or fixed.get(v.ident) or (None,) for v in variables]
        results: list[tuple[tuple[int, int], list[FailedClause]]] = []
        for values in islice(product(*pools), COMBINATIONS):
            env = Env.of([(v, value) for v, value in zip(variables, values, strict=True) if value is not None])
            failed = self._assigned(alt, env) or self._unoffered(alt, aside, env)
            if not failed:
                return []
            # What can be named at all is meant rather than what cannot, or what may lie somewhere else unseen.
            results.append(((sum(c.label in (OUTSIDE, HIDDEN) for c in failed), len(failed)), failed))
        return min(results, key=lambda r: r[0])[1]

    def _unoffered(self, alt: ir.Alt, aside: m.Aside | None, env: Env) -> list[FailedClause]:
        """Nothing forbids it, and yet it is not among the options: then that is all there is to say."""
        info = self.game.data.decisions[self.position.d]
        if not alt.picks:
            offered = any(o.label == alt.label for o in self.decision.options)
        else:
            stage = info.stage if aside is None else 0
            var = alt.picks[stage][0]
            if var.ident not in env.values:
                return []
            offered = env.values[var.ident] in self.offered(alt)
        if offered:
            return []
        said = readable(alt.label)
        return [FailedClause(f"“{said}” is offered", f"this is not offered for “{said}” now", alt.cites, UNOFFERED)]

    def offered(self, alt: ir.Alt) -> list[Any]:
        """The values among the options for an alternative."""
        info = self.game.data.decisions[self.position.d]
        found = [info.split(raw) for raw in self.position.o]
        return [value for at, value in found if is_way(alt, info.alts[at])]

    def _assigned(self, alt: ir.Alt, env: Env) -> list[FailedClause]:
        """What fails with these values; names without one may be anything that fits."""
        known = set(env.values)
        missing = [(v, s) for v, s in alt.picks if v.ident not in known]
        own = {v.ident for v, _ in alt.picks}
        outside: list[FailedClause] = []
        strange: set[int] = set()  # names of what cannot be named at all: what depends on it cannot be worked out
        for var, source in alt.picks:
            if var.ident in known and not (set(free_locals(source)) & (own - known | strange)):
                found = self._outside(alt, var, source, env)
                if found and not self.eyes.knows_place(var.type, env.values[var.ident]):
                    return found  # what else there is to say would tell where it lies
                outside += found
                strange |= {var.ident} if found else set()
        for clause in outside:
            if clause.label in (HIDDEN, ABSENT):
                return [clause]  # nothing else can be said of it
        ready = [c for c in alt.clauses if not (names_in(c) & own - known)]
        failed = [*outside, *self._failing(ready, env, strange)]
        if failed or not missing:
            return failed
        return self._completed(alt, [c for c in alt.clauses if c not in ready], missing, env)

    def _failing(self, clauses: Sequence[ir.Clause], env: Env, strange: set[int]) -> list[FailedClause]:
        """Which requirements fail. Of what cannot be named at all, those that can be worked out."""
        if not strange:
            return self.judge.check(clauses, env)
        out: list[FailedClause] = []
        for clause in clauses:
            try:
                out += self.judge.check([clause], env)
            except (ArithmeticError, LookupError, TypeError, ValueError):
                if not names_in(clause) & strange:
                    raise
        return out

    def _outside(self, alt: ir.Alt, var: ir.Var, source: ir.X, env: Env) -> list[FailedClause]:
        """Whether a value is among those that can be named at all."""
        value = env.values[var.ident]
        asked = self.game.data.decisions[self.position.d].var
        if asked is not None and asked[0] == var.name and value in self.offered(alt):
            return []  # the options themselves show that it can be named
        if self.is_veiled(source, env) and not self._in_sight(source, env, value):
            return [self.unseen(alt, self.eyes.words(value, var.type), self._whereabouts(var.type, value))]
        if value in self.eyes.refs(source, env):
            return []
        name = self.eyes.words(value, var.type)
        if self.is_veiled(source, env) or not self._may_look(var.type, value):
            # Whether it is there, or why it cannot be chosen, is more than the options tell.
            return [self.unseen(alt, name)]
        if isinstance(var.type, PieceOf) and not self._exists(value):
            return [FailedClause(f"there is {name}", f"there is no {name}", alt.cites, ABSENT, source_text(source))]
        among = self.eyes.speaker(source, env).among(source)
        return [
            FailedClause(
                f"{name} is one of {among}",
                f"{name} is not one of {among}{self._whereabouts(var.type, value)}",
                alt.cites,
                OUTSIDE,
                source_text(source),
                through=self.reasons(value, var.type, source, env),
                spoken=(f"{among}: {self.eyes.shown(source, env)}",) if isinstance(source, ir.Local) else (),
                file=source.span.source.name,
                line=source.span.line,
            )
        ]

    def reasons(self, value: Any, type_: Type, source: ir.X, env: Env) -> tuple[FailedClause, ...]:
        """Why something is not among those that can be named."""
        return tuple(outside(self.judge, value, type_, source, env))

    def absent(self, alt: ir.Alt, var: ir.Var, named: Named) -> FailedClause:
        source = next(s for v, s in alt.picks if v is var)
        if self.is_veiled(source, Env.of()):
            return self.unseen(alt, named.absent)
        there = f"there is no {named.absent}" if named.looked else f"you see no {named.absent}"
        return FailedClause(f"there is {named.absent}", there, alt.cites, ABSENT, source_text(source))

    def nowhere(self, alt: ir.Alt, reading: Reading) -> list[FailedClause]:
        """Pieces that are named by their type alone, and none of that type can be named here."""
        own = {v.ident for v, _ in alt.picks}
        out = []
        for var, source in alt.picks:
            named = reading.named.get(var.ident)
            if named is None or named.placed or not isinstance(var.type, PieceOf) or set(free_locals(source)) & own:
                continue
            if self.is_veiled(source, Env.of()) or set(named.values) & set(self.eyes.refs(source, Env.of())):
                continue
            label = self.eyes.words(named.values[0], var.type).rpartition(" in ")[0]
            among = self.eyes.speaker(source, Env.of()).among(source)
            out.append(
                FailedClause(
                    f"{label} is among {among}",
                    f"no {label} is among {among}",
                    alt.cites,
                    ABSENT,
                    source_text(source),
                )
            )
        return out

    def _may_look(self, type_: Type, value: Any) -> bool:
        """Whether the viewer may see that a piece is where it is said to be, or is not."""
        return not isinstance(type_, PieceOf) or self.eyes.knows_place(type_, value)

    def _exists(self, ref: int) -> bool:
        """Whether a piece is where a reference says."""
        values = self.game.values
        holds, _ = values.places[ref >> values.shift]
        pile = values.pile(holds.kind, self.position.s[ref >> values.shift])
        return any(code == ref & values.low for code, _ in pile)

    def is_veiled(self, source: ir.X, env: Env) -> bool:
        return self.eyes.hidden(source, env)

    def _in_sight(self, source: ir.X, env: Env, value: Any) -> bool:
        """Whether the viewer knows where a thing is, although not all that can be named lies open."""
        element = element_of(source.type)
        return element is not None and self.eyes.knows_place(element, value) and _can_move(self.game.data, element)

    def _whereabouts(self, type_: Type, value: Any) -> str:
        """Where a thing can only be that lies open nowhere: worked out from what the viewer sees, and from nothing
        else, so that the same is said wherever it is. Nothing for what may lie face down in sight."""
        viewer, values = self.decision.player_index, self.game.values
        if not isinstance(type_, ThingOf) or value is None or type_.kind in self.game.code["HIDE"]:
            return ""
        info = self.game.data.kinds[type_.kind]
        if info.loc < 0 or self.eyes.knows_place(type_, value):
            return ""
        closed: list[int] = []
        for slot, (holds, _) in values.places.items():
            level = LEVELS[level_of(self.game, self.position.s, slot, viewer)]
            is_empty = not self.position.s[slot] and level > LEVELS["hidden"]
            if holds.kind == type_.kind and level < LEVELS["visible"] and not is_empty:
                closed.append(slot)
        own = [slot for slot in closed if self._is_own(slot, viewer)]
        if len(closed) == 1:
            return f"; it lies in {self._place_words(closed[0], viewer)}"
        home = info.homes[value] if info.homes else None
        if not own or home is None or not self._is_own(home, viewer):
            return ""
        places = listed([self._place_words(slot, viewer) for slot in own], "or")
        return f"; of your own places it can {'only ' if len(own) == 1 else ''}lie in {places}"

    def _is_own(self, slot: int, viewer: int) -> bool:
        holds, owner = self.game.values.places[slot]
        return bool(holds.owner == self.game.data.players and owner == viewer)

    def _place_words(self, slot: int, viewer: int) -> str:
        holds, owner = self.game.values.places[slot]
        if self._is_own(slot, viewer):
            return f"your {spoken(holds.name)}"
        of = f" of {self.game.data.kinds[holds.owner].labels[owner]}" if holds.owner else ""
        return f"the {spoken(holds.name)}{of}"

    def unseen(self, alt: ir.Alt, name: str, where: str = "") -> FailedClause:
        said = f"{name} is not among the options, and not all that could be chosen lies open to you{where}"
        return FailedClause(f"{name} can be chosen", said, alt.cites, HIDDEN)

    def _completed(
        self, alt: ir.Alt, clauses: list[ir.Clause], missing: list[tuple[ir.Var, ir.X]], env: Env
    ) -> list[FailedClause]:
        """Whether what was not said can be chosen so that everything holds; else why it cannot."""
        tried: list[Env] = []

        def visit(at: int, here: Env) -> bool:
            if len(tried) >= COMBINATIONS:
                return True  # too many to try them all: the options themselves will tell
            if at == len(missing):
                tried.append(here)
                return all(self.judge.met(c, here) for c in clauses)
            var, source = missing[at]
            return any(visit(at + 1, here.also((var, value))) for value in self.eyes.refs(source, here))

        if visit(0, env):
            return []
        if any(self.is_veiled(source, env) for _, source in missing):
            said = f"no {listed([_noun(v) for v, _ in missing])} can be chosen with it"
            return [FailedClause("the rest can be chosen", f"{said}, and not all lies open to you", alt.cites, HIDDEN)]
        names = listed([_noun(v) for v, _ in missing])
        if not tried:
            var, source = missing[0]
            among = self.eyes.speaker(source, env).among(source)
            fact = f"there are none of {among} to choose"
            return [FailedClause(f"there are some of {among} to choose", fact, alt.cites, OUTSIDE, source_text(source))]
        if any(self.judge.is_secret(c, env) for c in clauses):
            return [self.judge.veiled(c) for c in clauses if self.judge.is_secret(c, env)]
        always = [c for c in clauses if not any(self.judge.met(c, here) for here in tried)]
        if always and len(tried) > 1:
            out = []
            for clause in always:
                told = self.eyes.worded(clause, False, env) or self.eyes.say(clause.condition, False, env)
                fact = f"whichever {names} {'is' if len(missing) == 1 else 'are'} chosen, {told}"
                behind = self._behind_nearest(clause, missing, tried)
                out.append(evolve(self.judge.told(clause, env), fact=fact, through=behind))
            return out
        return self._nearest(clauses, missing, tried)

    def _nearest(
        self, clauses: Sequence[ir.Clause], missing: Sequence[tuple[ir.Var, ir.X]], tried: Sequence[Env]
    ) -> list[FailedClause]:
        """What fails for the completions that come nearest to being allowed, with what they are."""
        broken = [[c for c in clauses if not self.judge.met(c, here)] for here in tried]
        fewest = min(len(each) for each in broken)
        found: dict[int, tuple[FailedClause, list[str]]] = {}
        for here, each in zip(tried, broken, strict=True):
            if len(each) > fewest:
                continue
            name = ", ".join(self.eyes.words(here.values[v.ident], v.type) for v, _ in missing)
            for clause in each:
                if id(clause) not in found:
                    found[id(clause)] = (self.judge.failed(clause, here), [])
                found[id(clause)][1].append(name)
        return [evolve(told, at=tuple(names[:EXAMPLES])) for told, names in found.values()]

    def _behind_nearest(
        self, clause: ir.Clause, missing: Sequence[tuple[ir.Var, ir.X]], tried: Sequence[Env]
    ) -> tuple[FailedClause, ...]:
        """What lies behind a requirement that no completion meets: of those that fail least of a predicate's own
        requirements, what fails, and for which. Without it the player would not learn which of them it is."""
        found: dict[tuple[str, tuple[str, ...]], tuple[FailedClause, list[str]]] = {}
        fewest = LONGEST
        for here in tried[:NEAREST]:
            behind = [c for c in self.judge.failed(clause, here).through if c.label != HIDDEN]
            if not behind or len(behind) > fewest:
                continue
            if len(behind) < fewest:
                fewest = len(behind)
                found.clear()
            name = ", ".join(self.eyes.words(here.values[v.ident], v.type) for v, _ in missing)
            for told in behind:
                found.setdefault((told.source, told.cites), (told, []))[1].append(name)
        return tuple(evolve(told, at=told.at or tuple(names[:EXAMPLES])) for told, names in found.values())


def names_in(clause: ir.Clause) -> set[int]:
    """The names that a requirement reads, with what it is lifted by."""
    return {ident for x in clause.expressions() for ident in free_locals(x)}


def _can_move(data: GameData, type_: Type) -> bool:
    match type_:
        case PieceOf():
            return True
        case ThingOf(kind):
            return bool(data.kinds[kind].loc >= 0)
    return False


def _noun(var: ir.Var) -> str:
    """What is to be chosen: by its kind, if its name is a letter."""
    kind = getattr(sure(var.type), "kind", "")
    return kind_noun(kind) if kind and len(var.name) < 3 else readable(var.name)


def way_words(alt: ir.Alt) -> str:
    """A way to answer as its text has it, with what is picked by its kind: "March the unit to the town"."""
    if alt.text is None or not alt.given_text:
        return capital(readable(alt.label))
    names: dict[int, str] = {}
    for part in alt.text.parts:
        kind = getattr(part.var.type, "kind", "") if isinstance(part, ir.Local) else ""
        if isinstance(part, ir.Local) and kind and part.var.ident not in names and len(part.var.name) < 3:
            is_other = f"the {kind_noun(kind)}" in names.values()
            names[part.var.ident] = f"the {'other ' if is_other else ''}{kind_noun(kind)}"
    return capital(Speaker(alt.text, names).template(alt.text))


def spoken(name: str) -> str:
    """``East_Wall`` -> ``East Wall``."""
    return name.replace("_", " ")
