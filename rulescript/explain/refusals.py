"""Why something is not allowed, and how a value comes about: the questions a player asks.

`why_not` reads a line of words (explain/naming.py) against the choice that is asked now, or says what else
the words name; then explain/failed_clauses.py tells every requirement that fails. `explain` is in
explain/causes.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rulescript.calls import is_number
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.errors import BadChoice
from rulescript.explain.evaluate import free_locals
from rulescript.explain.failed_clauses import Env, Judge, source_text
from rulescript.explain.naming import Line, Named, Namer, Reading, is_way, literal_words, read_line, words_of
from rulescript.game_data import GameData
from rulescript.locks import one_at_a_time
from rulescript.machine.support import BITS
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import walk
from rulescript.model.types import PieceOf, Pile, SetOf, ThingOf, Type, element_of
from rulescript.phrases import article, kind_noun, listed, readable
from rulescript.reasons import FailedClause, Refusal
from rulescript.runtime.answers import find_answer, selection_named, selection_readings
from rulescript.runtime.views import LEVELS, level_of, role_of

if TYPE_CHECKING:
    from rulescript.runtime.position import Decision, Position
    from rulescript.runtime.selections import Selection

__all__ = ["spare_words", "why_not", "why_not_selection"]

COMBINATIONS = 2000
NEAREST = 200
LONGEST = 1_000
EXAMPLES = 5
OUTSIDE = "cannot be named here"
ABSENT = "not there"
HIDDEN = "hidden"
UNOFFERED = "not offered"
KEY = re.compile(r"(\S+) (\w+)=(.+)")


@one_at_a_time
def why_not(position: Position, what: str, player: str | None = None) -> Refusal:
    """Why an answer, given in words, is not among the options.

    What is told is what `player` may know: the one who decides, unless another is named."""
    return _Asked(position, what, player).answer()


@one_at_a_time
def why_not_selection(position: Position, way: Selection, values: Sequence[Any], what: str = "") -> Refusal:
    """Why some of what can be picked are no answer together."""
    named = what or ", ".join(way.option(value).text for value in values)
    asked = _Asked(position, named, None)
    return asked.selected(way, values)


class _Asked:
    """One question."""

    def __init__(self, position: Position, what: str, player: str | None) -> None:
        self.position = position
        self.game = position.game
        self.what = " ".join(what.split())
        self.player = player

    # -------------------------------------------------------------- the whole of it

    def answer(self) -> Refusal:
        decision = self.position.decision
        if decision is None:
            outcome = self.position.outcome
            return self.refused(f"The game is over{f': {outcome}' if outcome is not None else ''}.")
        if decision.is_chance:
            return self.refused("Nobody decides now: dice or a draw come first.")
        assert not decision.is_chance
        self.decision: Decision = decision  # type: ignore[assignment]
        label, line_text = self._speaker()
        if label is not None and label != self.decision.player:
            return self.refused(f"{self._asked()} It is not for {_spoken(label)} to decide.")
        viewer = self.decision.player_index
        role = role_of(self.position, self.player) if self.player is not None else viewer
        if role != viewer:
            # What the others may choose from, and why not, is theirs to know.
            return self.refused(f"{self._asked()} It is not for {_spoken(self.game.player_names[role])} to decide.")
        self.judge = Judge(self.position, viewer)
        for option in self.decision.options:
            if line_text.strip() == option.key or line_text.strip().casefold() == option.text.casefold():
                return self.allowed()
        if self._is_understood(line_text.strip()):
            return self.allowed()
        choice = self.judge.ev.choice_at(self.position.d)
        if choice is None:
            return self.refused(f"{self._asked()}")
        self.procedure, self.choose = choice
        self._as_chooser(viewer)
        self.fixed: dict[int, Any] = {}
        info = self.game.data.decisions[self.position.d]
        if info.stage and not info.is_many:
            before = {name for name, _, _ in info.previous}
            for alt in self.choose.alts:
                for var, _ in alt.picks:
                    if is_way(alt, info.alts[0]) and var.name in before:
                        self.fixed[var.ident] = self.position.s[self.game.data.var_slots[var.ident]]
        keyed = self._by_key(line_text.strip())
        if keyed is not None:
            return keyed
        self.line_text = line_text.strip()
        self.line = Line.of(line_text)
        return self._read()

    def _is_understood(self, line: str) -> bool:
        """Whether a line is one that `choose` takes."""
        try:
            return bool(line) and find_answer(self.position, line) is not None
        except BadChoice:
            return False  # it fits several answers, or something is missing

    def selected(self, way: Selection, values: Sequence[Any]) -> Refusal:
        """Whether what is picked, with what was picked before, is a selection; else what speaks against it."""
        fault = way.fault(values)
        if fault is None:
            return self.allowed()
        self.decision = self.position.decision  # type: ignore[assignment]
        self.judge = Judge(self.position, self.decision.player_index)
        choice = self.judge.ev.choice_at(self.position.d)
        alts = [alt for alt in choice[1].alts if alt.label == way.label and alt.many is not None] if choice else []
        cites = alts[0].cites if alts else self.decision.cites
        have = tuple(sorted((*way.before, *way.basket, *values)))
        numbers = len(values) > way.most or (way.is_exact and len(values) < way.most)
        failed: list[FailedClause] = []
        if alts and way.demand is not None and have and not numbers:
            many = alts[0].many
            assert many is not None
            whole = [clause for clause in alts[0].clauses if many[2].ident in _uses(clause)]
            failed = self.judge.check(whole, Env.of([(many[2], way.demand.made(have))]))
        if not failed:
            failed = [FailedClause("what is picked is a whole selection", fault, cites)]
        return self.refused(f"“{self.what}” is not allowed:", failed)

    def _speaker(self) -> tuple[str | None, str]:
        """``North: move ...`` -> who it is said to be, and the rest."""
        head, colon, rest = self.what.partition(":")
        if colon:
            for name in self.game.player_names:
                if words_of(head) == words_of(name):
                    return name, rest
        return None, self.what

    def refused(self, summary: str, clauses: Sequence[FailedClause] = ()) -> Refusal:
        return Refusal(self.what, False, summary, tuple(clauses))

    def allowed(self) -> Refusal:
        return Refusal(self.what, True, f"“{self.what}” is allowed.")

    def _asked(self) -> str:
        """``North decides now: movement, move.``"""
        d = self.decision
        title = self.game.data.phase_titles.get(d.procedure) or readable(d.procedure)
        return f"{_spoken(d.player)} decides now: {readable(d.name)} ({title})."

    # -------------------------------------------------------------- reading the words

    def _as_chooser(self, viewer: int) -> None:
        """An aside that any of several may take is judged as if the one who decides now took it."""
        slots = self.game.data.var_slots
        idents = [aside.chooser.ident for aside in self.game.model.asides if aside.chooser is not None]
        if idents:
            self.judge.S = list(self.position.s)
            for ident in idents:
                self.judge.S[slots[ident]] = viewer

    def _read(self) -> Refusal:
        info = self.game.data.decisions[self.position.d]
        ways: list[tuple[ir.Alt, m.Aside | None]] = [(alt, None) for alt in self.choose.alts]
        if info.stage:
            ways = [way for way in ways if is_way(way[0], info.alts[0])][:1]
        elif not self.choose.sealed:
            ways += [(aside.alt, aside) for aside in self.game.model.asides]
        readings: list[tuple[Reading, m.Aside | None]] = []
        for alt, aside in ways:
            spare = spare_words(self.procedure, self.choose, alt) | set(words_of(self.decision.player))
            if info.stage and alt.label != self.choose.name in self.game.ways_of(info):
                spare -= set(words_of(self.choose.name))  # that is the name of a way that was not taken
            readings.append((read_line(self.judge, alt, self.line, spare, self.fixed), aside))
        readings.sort(key=lambda r: (len(r[0].left), not r[0].by_label, -r[0].told, r[0].absent, -r[0].used))
        reading, aside = readings[0]
        other = self._other_choice(reading)
        if other is not None and (reading.left or not reading.by_label):
            return other
        if not reading.used and not reading.by_label:
            return self._nothing(reading)
        if reading.left and not self._close_enough(reading):
            return self._nothing(reading)
        return self._judge(reading, aside)

    def _close_enough(self, reading: Reading) -> bool:
        """Whether a reading that leaves words over may still be meant."""
        return (
            reading.by_label and bool(reading.used or not reading.alt.picks) and len(reading.left) <= reading.used + 1
        )

    def _other_choice(self, reading: Reading) -> Refusal | None:
        """The words name a choice of another time: the one that explains most of them."""
        own = {w for alt in self.choose.alts for w in literal_words(alt)}
        if KEY.fullmatch(self.what):
            own = set()
        best: tuple[tuple[bool, bool, int], m.Procedure, ir.ChooseS, ir.Alt] | None = None
        for procedure, choose in self.game.model.chooses:
            if choose is self.choose or choose.number == self.choose.number:
                continue
            for alt in choose.alts:
                if alt.effect:
                    continue
                score = self._fits(alt, own, reading)
                if score is not None and (best is None or score > best[0]):
                    best = (score, procedure, choose, alt)
        if best is None:
            return None
        _, procedure, choose, alt = best
        when = procedure.title or readable(procedure.name)
        clause = FailedClause(
            f"“{readable(alt.label)}” ({when}) is asked now",
            f"“{readable(alt.label)}” belongs to {when}, which does not ask for it now",
            alt.cites or choose.cites or procedure.cites,
            "not asked now",
        )
        said = f"{self._asked()} “{readable(alt.label)}” is a choice of {when} and not asked now."
        return self.refused(said, [clause])

    def _fits(self, alt: ir.Alt, own: set[str], reading: Reading) -> tuple[bool, bool, int] | None:
        """How well a line names an alternative of another choice by label or text; None if it does not."""
        label = words_of(alt.label)
        key = KEY.fullmatch(self.what)
        if key is not None and key.group(1) == alt.label:
            return (True, True, len(label))
        known = literal_words(alt)
        covered = {w for w in self.line.words if w in known}
        free = covered - own
        if not free or (reading.used and not free & set(reading.left)):
            return None
        whole = bool(label) and all(w in self.line.words for w in label)
        first = self.line.words[0] in known
        if not whole and not first:
            return None
        return (whole and first, first, len(covered))

    def _nothing(self, reading: Reading) -> Refusal:
        """The words, or some of them, name nothing here."""
        words = reading.left or self.line.words
        known: set[str] = set()
        for alt in self.choose.alts:
            known |= literal_words(alt)
            for var, _ in alt.picks:
                kind = getattr(var.type, "kind", "")
                if kind:
                    info = self.game.data.kinds[kind]
                    known |= {w for words in info.words for w in words}
                    known |= {w for label in info.labels for w in words_of(label)}
        hints = [h for w in words if (h := spelling_hint(w, sorted(known)))]
        named = listed([f"“{w}”" for w in words]) or "That"
        meaning = self._meaning(words)
        told = meaning or f"{named} {'names' if len(words) < 2 else 'name'} nothing that can be chosen here."
        if any(w in literal_words(alt) for alt in self.choose.alts for w in words):
            told, hints = f"{named} cannot be chosen any more.", []
        hint = f" ({hints[0]})" if hints else ""
        return self.refused(f"{told}{hint} {self._asked()} {self._ways()}")

    def _ways(self) -> str:
        """``It can be answered by “move” or “stop”.``"""
        info = self.game.data.decisions[self.position.d]
        begun = info.alts[0].label if info.stage else ""
        if not begun:
            named = list(dict.fromkeys(f"“{readable(a.label)}”" for a in self.choose.alts))
            return f"It can be answered by {listed(named, 'or')}."
        chosen = [self.judge.words(v, var.type) for var, v in self._picked()]
        before = f", with {listed(chosen)}" if chosen else ""
        wanted = f": {readable(info.var[0])} is to be chosen" if info.var is not None else ""
        return f"“{readable(begun)}” was begun{before}{wanted}."

    def _picked(self) -> list[tuple[ir.Var, Any]]:
        return [(v, self.fixed[v.ident]) for a in self.choose.alts for v, _ in a.picks if v.ident in self.fixed]

    def _meaning(self, words: Sequence[str]) -> str:
        """What words mean elsewhere in the game."""
        line = Line(tuple(words), ("",) * len(words))
        for kind, info in self.game.data.kinds.items():
            for name, label in zip(info.names, info.labels, strict=True):
                if not info.is_pieces and (line.find(words_of(name)) or line.find(words_of(label))):
                    return f"{label} is {article(kind_noun(kind))}, and no {kind_noun(kind)} is chosen here."
        return ""

    # -------------------------------------------------------------- judging what is named

    def _judge(self, reading: Reading, aside: m.Aside | None) -> Refusal:
        alt = reading.alt
        before = self._picked_before(reading)
        if before:
            return self._told(reading, before)
        if aside is not None:
            early = self._aside(aside)
            if early:
                return self._told(reading, early)
        if alt.many is not None:
            named = self._selected(alt)
            if named is not None:
                return named
            items = self._items(alt)
            lists = [rest for rest in (self._without_chosen(items), items) if rest is not None]
            readings = [self._many(alt, each) for each in lists]
            return self._told(reading, min(readings, key=len))
        absent = [
            (var, reading.named[var.ident])
            for var, _ in alt.picks
            if var.ident in reading.named and not reading.named[var.ident].values
        ]
        if absent:
            return self._told(reading, [self._absent(alt, var, named) for var, named in absent])
        if alt.picks and not self._says_enough(alt, aside, reading):
            return self._incomplete(alt, aside)
        nowhere = self._nowhere(alt, reading)
        if nowhere:
            return self._told(reading, nowhere)
        return self._told(reading, self._best(alt, aside, {i: n.values for i, n in reading.named.items()}))

    def _says_enough(self, alt: ir.Alt, aside: m.Aside | None, reading: Reading) -> bool:
        """Whether a line names anything of what is asked for."""
        fresh = [v for v, _ in alt.picks if v.ident not in self.fixed]
        if any(v.ident in reading.named for v in fresh):
            return True
        return not self.fixed and len(self._offered(alt)) == 1

    def _incomplete(self, alt: ir.Alt, aside: m.Aside | None) -> Refusal:
        """A line that stops before it says which: refused by the rules if nothing can follow, else by us."""
        failed = self._best(alt, aside, {})
        if failed:
            return self.refused(f"“{self.what}” is not allowed:", failed)
        var, source = next((v, s) for v, s in alt.picks if v.ident not in self.fixed)
        one = self.judge.speaker(source, Env.of()).noun(source, False)
        return self.refused(f"“{self.what}” says too little: name {article(one)} ({readable(var.name)}).")

    def _nowhere(self, alt: ir.Alt, reading: Reading) -> list[FailedClause]:
        """Pieces that are named by their type alone, and none of that type can be named here."""
        own = {v.ident for v, _ in alt.picks}
        out = []
        for var, source in alt.picks:
            named = reading.named.get(var.ident)
            if named is None or named.placed or not isinstance(var.type, PieceOf) or set(free_locals(source)) & own:
                continue
            if self._veiled_domain(source, Env.of()) or set(named.values) & set(self.judge.refs(source, Env.of())):
                continue
            label = self.judge.words(named.values[0], var.type).rpartition(" in ")[0]
            among = self.judge.speaker(source, Env.of()).noun(source, True)
            out.append(
                FailedClause(
                    f"{label} is among the {among}",
                    f"no {label} is among the {among}",
                    alt.cites,
                    ABSENT,
                    source_text(source),
                )
            )
        return out

    def _best(self, alt: ir.Alt, aside: m.Aside | None, named: dict[int, tuple[Any, ...]]) -> list[FailedClause]:
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
            offered = env.values[var.ident] in self._offered(alt)
        if offered:
            return []
        said = readable(alt.label)
        return [FailedClause(f"“{said}” is offered", f"this is not offered for “{said}” now", alt.cites, UNOFFERED)]

    def _offered(self, alt: ir.Alt) -> list[Any]:
        """The values among the options for an alternative."""
        info = self.game.data.decisions[self.position.d]
        found = [info.split(raw) for raw in self.position.o]
        return [value for at, value in found if is_way(alt, info.alts[at])]

    # -------------------------------------------------------------- keys

    def _by_key(self, text: str) -> Refusal | None:
        """``move u=Mill.units:North_infantry``, the key of what is no option; None if it is no key."""
        found = KEY.fullmatch(text)
        if found is None:
            return None
        label, name, value_name = found.groups()
        ways: list[tuple[ir.Alt, m.Aside | None]] = [(alt, None) for alt in self.choose.alts]
        ways += [(aside.alt, aside) for aside in self.game.model.asides]
        for alt, aside in ways:
            if alt.label != label:
                continue
            if alt.many is not None:
                element = element_of(alt.many[3].type)
                value = self._value_named(element, value_name) if element is not None else None
                if value is None:
                    return None
                return self._keyed(self._many(alt, [((value,), 1, value_name)]), alt)
            for stage, (var, _) in enumerate(alt.picks):
                if var.name == name:
                    return self._key_of(alt, aside, stage, var, value_name)
        return None

    def _key_of(self, alt: ir.Alt, aside: m.Aside | None, stage: int, var: ir.Var, value_name: str) -> Refusal | None:
        asked = self.game.data.decisions[self.position.d].stage if aside is None else 0
        if aside is not None:
            early = self._aside(aside)
            if early:
                return self.refused(f"“{self.what}” is not allowed:", early)
        if stage != asked and aside is None:
            when = "was chosen before" if stage < asked else "is asked for later"
            said = readable(var.name)
            clause = FailedClause(f"{said} is asked for now", f"{said} {when}", alt.cites, "not asked now")
            return self.refused(f"“{self.what}” is not allowed:", [clause])
        value = self._value_named(var.type, value_name)
        if value is None:
            return None
        return self._keyed(self._best(alt, aside, {var.ident: (value,)}), alt)

    def _keyed(self, failed: list[FailedClause], alt: ir.Alt) -> Refusal:
        if not failed:
            said = readable(alt.label)
            fact = f"this is not offered for “{said}” now"
            failed = [FailedClause(f"“{said}” is offered", fact, alt.cites, UNOFFERED)]
        return self.refused(f"“{self.what}” is not allowed:", failed)

    def _value_named(self, type_: Type, name: str) -> Any:
        """The raw value with a name of keys and saves; None if there is none."""
        values = self.game.values
        match type_:
            case ThingOf(kind):
                names = [values.name(i, ["thing", kind]) for i in range(len(self.game.data.kinds[kind].names))]
                return names.index(name) if name in names else None
            case PieceOf(kind):
                place, _, piece = name.partition(":")
                slot = next((s for s in values.places if values.place_name(s) == place), None)
                code = values.code_named(kind, piece)
                return slot << values.shift | code if slot is not None and code is not None else None
        return int(name) if is_number(name.lstrip("-")) else None

    def _told(self, reading: Reading, failed: Sequence[FailedClause]) -> Refusal:
        if not failed:
            # With words left over it is not what was asked for, whatever it is.
            return self._nothing(reading) if reading.left else self.allowed()
        return self.refused(f"“{self.what}” is not allowed:{self._note(reading)}", failed)

    def _note(self, reading: Reading) -> str:
        if not reading.left:
            return ""
        return f" ({listed([f'“{w}”' for w in reading.left])} left aside: no such thing is chosen here)"

    def _picked_before(self, reading: Reading) -> list[FailedClause]:
        out = []
        for var, _ in reading.alt.picks:
            named = reading.named.get(var.ident)
            if var.ident in self.fixed and named is not None and self.fixed[var.ident] not in named.values:
                chosen = self.judge.words(self.fixed[var.ident], var.type)
                out.append(
                    FailedClause(
                        f"{readable(var.name)} is {chosen}",
                        f"{chosen} was chosen before, for {readable(var.name)}",
                        reading.alt.cites,
                        "chosen before",
                    )
                )
        return out

    def _aside(self, aside: m.Aside) -> list[FailedClause]:
        """What may be done at any time, but not here."""
        offered = any(
            a.form == "aside" and a.label == aside.name for a in self.game.data.decisions[self.position.d].alts
        )
        when = self.game.model.procedures.get(aside.during)
        within = self.game.code["WITHIN"].get(aside.during, ())
        in_phase = when is None or when.form != "phase" or self.position.s[4] in within
        said = readable(aside.name)
        if not offered or not in_phase:
            where = readable(aside.during)
            fact = f"“{said}” is offered during {where} only" if not in_phase else f"“{said}” is not offered here"
            return [FailedClause(f"“{said}” is offered here", fact, aside.cites, "not asked now")]
        who = self.judge.value(aside.by, Env.of())
        if aside.chooser is not None:
            may = BITS[who]
            if self.decision.player_index in may:
                return []
            fact = f"it is for {listed([_spoken(self.game.player_names[i]) for i in may], 'or') or 'nobody'} to do"
            return [FailedClause("whoever decides may do it", fact, aside.cites, "another player's")]
        if who != self.decision.player_index:
            name = self.game.player_names[who]
            fact = f"it is for {_spoken(name)} to do"
            return [FailedClause(f"{_spoken(name)} decides", fact, aside.cites, "another player's")]
        return []

    def _absent(self, alt: ir.Alt, var: ir.Var, named: Named) -> FailedClause:
        source = next(s for v, s in alt.picks if v is var)
        if self._veiled_domain(source, Env.of()):
            return self._unseen(alt, named.absent)
        there = f"there is no {named.absent}" if named.looked else f"you see no {named.absent}"
        return FailedClause(f"there is {named.absent}", there, alt.cites, ABSENT, source_text(source))

    # -------------------------------------------------------------- one assignment

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
                outside += found
                strange |= {var.ident} if found else set()
        for clause in outside:
            if clause.label in (HIDDEN, ABSENT):
                return [clause]  # nothing else can be said of it
        ready = [c for c in alt.clauses if not (_uses(c) & own - known)]
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
                if not _uses(clause) & strange:
                    raise
        return out

    def _outside(self, alt: ir.Alt, var: ir.Var, source: ir.X, env: Env) -> list[FailedClause]:
        """Whether a value is among those that can be named at all."""
        value = env.values[var.ident]
        asked = self.game.data.decisions[self.position.d].var
        if asked is not None and asked[0] == var.name and value in self._offered(alt):
            return []  # the options themselves show that it can be named
        if self._veiled_domain(source, env) and not self._in_sight(source, env, value):
            return [self._unseen(alt, self.judge.words(value, var.type), self._whereabouts(var.type, value))]
        if value in self.judge.refs(source, env):
            return []
        name = self.judge.words(value, var.type)
        if self._veiled_domain(source, env) or not self._may_look(var.type, value):
            # Whether it is there, or why it cannot be chosen, is more than the options tell.
            return [self._unseen(alt, name)]
        if isinstance(var.type, PieceOf) and not self._exists(value):
            return [FailedClause(f"there is {name}", f"there is no {name}", alt.cites, ABSENT, source_text(source))]
        speaker = self.judge.speaker(source, env)
        among = speaker.noun(source, True) if not isinstance(source, ir.Local) else speaker.phrase(source)
        return [
            FailedClause(
                f"{name} is one of the {among}",
                f"{name} is not one of the {among}{self._whereabouts(var.type, value)}",
                alt.cites,
                OUTSIDE,
                source_text(source),
                through=tuple(self.judge.outside(value, var.type, source, env)),
                file=source.span.source.name,
                line=source.span.line,
            )
        ]

    def _may_look(self, type_: Type, value: Any) -> bool:
        """Whether the viewer may see that a piece is where it is said to be, or is not."""
        return not isinstance(type_, PieceOf) or self.judge.knows_place(type_, value)

    def _exists(self, ref: int) -> bool:
        """Whether a piece is where a reference says."""
        values = self.game.values
        holds, _ = values.places[ref >> values.shift]
        pile = values.pile(holds.kind, self.position.s[ref >> values.shift])
        return any(code == ref & values.low for code, _ in pile)

    def _veiled_domain(self, source: ir.X, env: Env) -> bool:
        return self.judge.hidden(source, env)

    def _in_sight(self, source: ir.X, env: Env, value: Any) -> bool:
        """Whether the viewer knows where a thing is, although not all that can be named lies open."""
        element = element_of(source.type)
        return element is not None and self.judge.knows_place(element, value) and _can_move(self.game.data, element)

    def _whereabouts(self, type_: Type, value: Any) -> str:
        """Where a thing can only be that lies open nowhere: worked out from what the viewer sees, and from nothing
        else, so that the same is said wherever it is. Nothing for what may lie face down in sight."""
        viewer, values = self.decision.player_index, self.game.values
        if not isinstance(type_, ThingOf) or value is None or type_.kind in self.game.code["HIDE"]:
            return ""
        info = self.game.data.kinds[type_.kind]
        if info.loc < 0 or self.judge.knows_place(type_, value):
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
            return f"your {_spoken(holds.name)}"
        of = f" of {self.game.data.kinds[holds.owner].labels[owner]}" if holds.owner else ""
        return f"the {_spoken(holds.name)}{of}"

    def _unseen(self, alt: ir.Alt, name: str, where: str = "") -> FailedClause:
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
                return all(self.judge._met(c, here) for c in clauses)
            var, source = missing[at]
            return any(visit(at + 1, here.also((var, value))) for value in self.judge.refs(source, here))

        if visit(0, env):
            return []
        if any(self._veiled_domain(source, env) for _, source in missing):
            said = f"no {listed([readable(v.name) for v, _ in missing])} can be chosen with it"
            return [FailedClause("the rest can be chosen", f"{said}, and not all lies open to you", alt.cites, HIDDEN)]
        names = listed([f"{readable(v.name)}" for v, _ in missing])
        if not tried:
            var, source = missing[0]
            among = self.judge.speaker(source, env).noun(source, True)
            fact = f"there are no {among} to choose"
            return [FailedClause(f"there are {among} to choose", fact, alt.cites, OUTSIDE, source_text(source))]
        if any(self.judge.is_secret(c, env) for c in clauses):
            return [self.judge.veiled(c) for c in clauses if self.judge.is_secret(c, env)]
        always = [c for c in clauses if not any(self.judge._met(c, here) for here in tried)]
        if always and len(tried) > 1:
            out = []
            for clause in always:
                told = self.judge.say(clause.condition, True, env)
                fact = f"for no {names} that could be chosen it holds that {told}"
                behind = self._behind_nearest(clause, missing, tried)
                out.append(evolve(self.judge._told(clause, env), fact=fact, through=behind))
            return out
        return self._nearest(clauses, missing, tried)

    def _nearest(
        self, clauses: Sequence[ir.Clause], missing: Sequence[tuple[ir.Var, ir.X]], tried: Sequence[Env]
    ) -> list[FailedClause]:
        """What fails for the completions that come nearest to being allowed, with what they are."""
        broken = [[c for c in clauses if not self.judge._met(c, here)] for here in tried]
        fewest = min(len(each) for each in broken)
        found: dict[int, tuple[FailedClause, list[str]]] = {}
        for here, each in zip(tried, broken, strict=True):
            if len(each) > fewest:
                continue
            name = ", ".join(self.judge.words(here.values[v.ident], v.type) for v, _ in missing)
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
            name = ", ".join(self.judge.words(here.values[v.ident], v.type) for v, _ in missing)
            for told in behind:
                found.setdefault((told.source, told.cites), (told, []))[1].append(name)
        return tuple(evolve(told, at=told.at or tuple(names[:EXAMPLES])) for told, names in found.values())

    # -------------------------------------------------------------- several at once

    def _selected(self, alt: ir.Alt) -> Refusal | None:
        """The answer about a line that names what can be picked, in any order; None if it names anything else."""
        line = self.line_text
        for way in self.decision.selections:
            if way.label == alt.label and selection_readings(way, line):
                return self.allowed()
        found = selection_named(self.position, line)
        if found is None or found[0].label != alt.label:
            return None
        return self.selected(found[0], found[1])

    def _items(self, alt: ir.Alt) -> list[tuple[tuple[Any, ...], int, str]]:
        """``lose 2 infantry, 1 gun``: what may be meant, how many, and the words."""
        assert alt.many is not None
        source = alt.many[3]
        element = element_of(source.type)
        assert element is not None
        available = self._available(source, Env.of())
        out = []
        for count, phrase in _counted(self.what):
            found = Namer(self.judge).candidates(element, Line.of(phrase))
            if found:
                best = max(found, key=lambda n: (len(n.places), sum(v in available for v in n.values)))
                out.append((best.values, count, best.absent or phrase.strip()))
        return out

    def _chosen(self) -> tuple[Any, ...]:
        """What was picked before in a choice of several."""
        info = self.game.data.decisions[self.position.d]
        if not (info.stage and info.is_many and info.previous):
            return ()
        return tuple(self.position.s[info.previous[-1][1]])

    def _without_chosen(
        self, items: Sequence[tuple[tuple[Any, ...], int, str]]
    ) -> list[tuple[tuple[Any, ...], int, str]] | None:
        """A list that names what was picked before too, without it; None if it does not."""
        chosen = self._chosen()
        left = list(items)
        for value in chosen:
            at = next((i for i, (values, count, _) in enumerate(left) if value in values and count), -1)
            if at < 0:
                return None
            left[at] = (left[at][0], left[at][1] - 1, left[at][2])
        return [item for item in left if item[1]] if chosen else None

    def _many(self, alt: ir.Alt, items: Sequence[tuple[tuple[Any, ...], int, str]]) -> list[FailedClause]:
        """Several at once: enough of each, not too many in all, and allowed to be asked."""
        assert alt.many is not None
        mode, amount, var, source = alt.many
        env = Env.of()
        chosen = self._chosen()
        whole = [clause for clause in alt.clauses if var.ident in _uses(clause)]
        failed = self.judge.check([clause for clause in alt.clauses if clause not in whole], env)
        available = self._available(source, env)
        for value in chosen:
            available[value] = available.get(value, 0) - 1
        for values, count, said in items:
            failed += self._enough(alt, source, available, values, count, said)
        total = sum(count for _, count, _ in items)
        if failed or not total:
            return failed
        if whole:
            named = [v for values, count, _ in items for v in self._taken(available, values, count)]
            selection = (*chosen, *named)
            value = sum(1 << i for i in set(selection)) if isinstance(var.type, SetOf) else selection
            failed += self.judge.check(whole, env.also((var, value)))
        if amount is not None and mode != "any":
            most = self.judge.value(amount, env) - len(chosen)
            if mode == "exactly":
                most = min(most, sum(n for n in available.values() if n > 0))
            if total > most or (mode == "exactly" and total < most):
                word = "exactly" if mode == "exactly" else "at most"
                values_seen = ((source_text(amount), str(most)), ("named", str(total)))
                be = "is" if total == 1 else "are"
                failed.append(
                    FailedClause(
                        f"{word} {most} are chosen",
                        f"{total} {be} named, but {word} {most} can be chosen",
                        alt.cites,
                        "",
                        source_text(amount),
                        values_seen,
                    )
                )
        return failed

    @staticmethod
    def _taken(available: dict[Any, int], values: tuple[Any, ...], count: int) -> list[Any]:
        """So many of what a phrase may mean, as far as they are there."""
        out: list[Any] = []
        for value in values:
            out += [value] * min(max(0, available.get(value, 0)), count - len(out))
        return out

    def _enough(
        self,
        alt: ir.Alt,
        source: ir.X,
        available: dict[Any, int],
        values: tuple[Any, ...],
        count: int,
        said: str,
    ) -> list[FailedClause]:
        env = Env.of()
        element = element_of(source.type)
        assert element is not None
        inside = [v for v in values if v in available]
        have = sum(max(0, available[v]) for v in inside)
        if have >= count:
            return []
        if self._veiled_domain(source, env):
            return [self._unseen(alt, said)]
        name = self.judge.words((inside or list(values))[0], element) if values else said
        if not inside:
            among = self.judge.speaker(source, env).noun(source, True)
            through = self.judge.outside(values[0], element, source, env) if values else []
            return [
                FailedClause(
                    f"{name} is one of the {among}",
                    f"{name} is not one of the {among}",
                    alt.cites,
                    OUTSIDE,
                    source_text(source),
                    through=tuple(through),
                )
            ]
        fact = f"there {'is' if have == 1 else 'are'} only {have} of {name}"
        seen = (("there", str(have)), ("named", str(count)))
        return [FailedClause(f"there are {count} of {name}", fact, alt.cites, OUTSIDE, source_text(source), seen)]

    def _available(self, source: ir.X, env: Env) -> dict[Any, int]:
        if isinstance(source.type, Pile):
            out: dict[Any, int] = {}
            for ref in self.judge.refs(source, env):
                kind = source.type.kind
                pile = dict(self.game.values.pile(kind, self.position.s[ref >> self.game.values.shift]))
                out[ref] = pile.get(ref & self.game.values.low, 0)
            return out
        return dict.fromkeys(self.judge.refs(source, env), 1)


def spare_words(procedure: m.Procedure, choose: ir.ChooseS, alt: ir.Alt) -> set[str]:
    """Words that may stand in a line about a way to answer and say nothing new."""
    out: set[str] = {*words_of(choose.name), *words_of(procedure.name), *words_of(procedure.title)}
    for var, source in alt.picks:
        out |= set(words_of(var.name))
        for node in walk(source):
            if isinstance(node, ir.ContentsX):
                out |= set(words_of(node.holds.name))
            if isinstance(node, ir.AllThings):
                out |= set(words_of(readable(node.kind.name)))
    if alt.many is not None:
        out |= set(words_of(alt.many[2].name))
    return out


def _uses(clause: ir.Clause) -> set[int]:
    out = set(free_locals(clause.condition))
    if clause.when is not None:
        out |= set(free_locals(clause.when))
    for when, _ in clause.lifted:
        if when is not None:
            out |= set(free_locals(when))
    return out


def _counted(text: str) -> list[tuple[int, str]]:
    """``lose 2 infantry, 1 gun`` -> how many of what."""
    out: list[tuple[int, str]] = []
    for part in text.replace(" and ", ",").replace(":", ",").replace(";", ",").split(","):
        count = 1
        kept: list[str] = []
        for word in part.split():
            if is_number(word) and int(word) < 1000:
                count = int(word)
            else:
                kept.append(word)
        if kept:
            out.append((count, " ".join(kept)))
    return out


def _can_move(data: GameData, type_: Type) -> bool:
    match type_:
        case PieceOf():
            return True
        case ThingOf(kind):
            return bool(data.kinds[kind].loc >= 0)
    return False


def _spoken(name: str) -> str:
    return name.replace("_", " ")
