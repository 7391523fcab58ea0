"""Why something is not allowed, and how a value comes about: the questions a player asks.

`why_not` reads a line of words (explain/naming.py) against the choice that is asked now, or says what else
the words name; then explain/failed_clauses.py tells every requirement that fails. `explain` is in
explain/causes.py.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from attrs import evolve

from rulescript.calls import is_number
from rulescript.diagnostics.spelling import nearest_names
from rulescript.errors import BadChoice
from rulescript.explain.assignments import UNOFFERED, Assignments, names_in, way_words
from rulescript.explain.env import Env
from rulescript.explain.failed_clauses import Judge
from rulescript.explain.naming import Line, Namer, Reading, is_way, literal_words, read_line, words_of
from rulescript.explain.several import Several
from rulescript.locks import one_at_a_time
from rulescript.machine.tables import BITS
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import walk
from rulescript.model.types import PieceOf, ThingOf, Type, element_of
from rulescript.phrases import article, capital, kind_noun, listed, plural, readable
from rulescript.reasons import FailedClause, Refusal
from rulescript.runtime.answers import speaker_of, would_take
from rulescript.runtime.selection_words import selection_named, selection_readings
from rulescript.runtime.views import knows_question, role_of
from rulescript.wording.lexicon import as_written

if TYPE_CHECKING:
    from rulescript.runtime.position import Decision, Position
    from rulescript.runtime.selections import Selection

__all__ = ["spare_words", "why_not", "why_not_selection"]

KEY = re.compile(r"(\S+) (\w+)=(.+)")


@one_at_a_time
def why_not(position: Position, what: str, player: str | None = None) -> Refusal:
    """Why an answer, given in words, is not among the options.

    What is told is what `player` may know: the one who decides, unless another is named."""
    return Question(position, what, player).answer()


@one_at_a_time
def why_not_selection(position: Position, way: Selection, values: Sequence[Any], what: str = "") -> Refusal:
    """Why some of what can be picked are no answer together."""
    named = what or ", ".join(way.option(value).text for value in values)
    asked = Question(position, named, None)
    return asked.selected(way, values)


class Question:
    """One question."""

    def __init__(self, position: Position, what: str, player: str | None) -> None:
        self.position = position
        self.game = position.game
        self.line_text = what.strip()
        self.what = " ".join(what.split())
        self.key = KEY.fullmatch(self.what)
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
        label, line_text = speaker_of(self.game, self.what)
        if label is not None and label != self.decision.player:
            role = self.game.player_names.index(label)
            return self.refused(f"{self._asked()} It is not for {self._role(role)} to decide.")
        viewer = self.decision.player_index
        role = role_of(self.position, self.player) if self.player is not None else viewer
        if role != viewer:
            # What the others may choose from, and why not, is theirs to know.
            return self.refused(f"{self._asked()} It is not for {self._role(role)} to decide.")
        self.judge = Judge(self.position, viewer)
        try:
            if self.line_text and would_take(self.position, self.line_text):
                return self.allowed()
        except BadChoice as problem:  # it fits several answers, or something is missing
            return self.refused(f"{problem.message}{f'; {problem.hint}' if problem.hint else ''}.")
        choice = self.judge.eyes.ev.choice_at(self.position.d)
        if choice is None:
            return self.refused(f"{self._asked()}")
        self.procedure, self.choose = choice
        if isinstance(self.choose.by.type, ThingOf) and not self.choose.any_of:
            self.judge.eyes.you = self.choose.by
        self._as_chooser(viewer)
        self.fixed: dict[int, Any] = {}
        info = self.game.data.decisions[self.position.d]
        if info.stage and not info.is_many:
            before = {name for name, _, _ in info.previous}
            for alt in self.choose.alts:
                for var, _ in alt.picks:
                    if is_way(alt, info.alts[0]) and var.name in before:
                        self.fixed[var.ident] = self.position.s[self.game.data.var_slots[var.ident]]
        self.judging = Assignments(self.position, self.decision, self.judge, self.fixed)
        self.several = Several(self.position, self.judge, self.judging)
        keyed = self._by_key(line_text.strip())
        if keyed is not None:
            return keyed
        self.line_text = line_text.strip()
        self.line = Line.of(line_text)
        return self._read()

    def selected(self, way: Selection, values: Sequence[Any]) -> Refusal:
        """Whether what is picked, with what was picked before, is a selection; else what speaks against it."""
        fault = way.fault(values)
        if fault is None:
            return self.allowed()
        self.decision = self.position.decision  # type: ignore[assignment]
        self.judge = Judge(self.position, self.decision.player_index)
        choice = self.judge.eyes.ev.choice_at(self.position.d)
        alts = [alt for alt in choice[1].alts if alt.label == way.label and alt.many is not None] if choice else []
        cites = alts[0].cites if alts else self.decision.cites
        have = tuple(sorted((*way.before, *way.basket, *values)))
        numbers = len(values) > way.most or (way.is_exact and len(values) < way.most)
        left = way.left()
        is_there = all(number <= left.get(value, 0) for value, number in Counter(values).items())
        failed: list[FailedClause] = []
        if alts and way.demand is not None and have and is_there and not numbers:
            many = alts[0].many
            assert many is not None
            whole = [clause for clause in alts[0].clauses if many[2].ident in names_in(clause)]
            failed = self.judge.check(whole, Env.of([(many[2], way.demand.made(have))]))
        if not failed:
            failed = [FailedClause("what is picked is a whole selection", fault, cites)]
        return self.refused(f"“{self.what}” is not allowed:", failed)

    def refused(self, summary: str, clauses: Sequence[FailedClause] = ()) -> Refusal:
        return Refusal(self.what, False, summary, tuple(self._proper(clause) for clause in clauses))

    def _proper(self, clause: FailedClause) -> FailedClause:
        """With the capitals that names in the rules do not have."""
        proper = self.game.proper
        return evolve(
            clause,
            condition=proper(clause.condition),
            fact=proper(clause.fact),
            label=proper(clause.label),
            spoken=tuple(map(proper, clause.spoken)),
            through=tuple(map(self._proper, clause.through)),
        )

    def _role(self, role: int) -> str:
        return self.game.role_labels[role]

    def allowed(self) -> Refusal:
        return Refusal(self.what, True, f"“{self.what}” is allowed.")

    def _asked(self) -> str:
        """``North decides now: movement, move.``"""
        d = self.decision
        role = role_of(self.position, self.player) if self.player is not None else d.player_index
        if not knows_question(self.game, self.position.s, self.position.d, (role,)):
            return f"{self._role(d.player_index)} decides now."
        title = self.game.data.phase_titles.get(d.procedure) or readable(d.procedure)
        return f"{self._role(d.player_index)} decides now: {readable(d.name)} ({title})."

    # -------------------------------------------------------------- reading the words

    def _as_chooser(self, viewer: int) -> None:
        """An aside that any of several may take is judged as if the one who decides now took it."""
        slots = self.game.data.var_slots
        idents = [aside.chooser.ident for aside in self.game.model.asides if aside.chooser is not None]
        if idents:
            self.judge.eyes.S = list(self.position.s)
            for ident in idents:
                self.judge.eyes.S[slots[ident]] = viewer

    def _read(self) -> Refusal:
        info = self.game.data.decisions[self.position.d]
        ways: list[tuple[ir.Alt, m.Aside | None]] = [(alt, None) for alt in self.choose.alts]
        if info.stage:
            ways = [way for way in ways if is_way(way[0], info.alts[0])][:1]
        elif not self.choose.sealed:
            ways += [(aside.alt, aside) for aside in self.game.model.asides]
        readings: list[tuple[Reading, m.Aside | None]] = []
        namer = Namer(self.judge.eyes)
        for alt, aside in ways:
            spare = spare_words(self.procedure, self.choose, alt) | set(words_of(self.decision.player))
            if info.stage and alt.label != self.choose.name in self.game.ways[info.procedure, info.choice]:
                spare -= set(words_of(self.choose.name))  # that is the name of a way that was not taken
            readings.append((read_line(namer, alt, self.line, spare, self.fixed), aside))
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
        if self.key is not None:
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
        when = capital(procedure.title or readable(procedure.name))
        way = way_words(alt)
        clause = FailedClause(
            f"“{way}” ({when}) is asked now",
            f"“{way}” belongs to {when}",
            alt.cites or choose.cites or procedure.cites,
            "not asked now",
        )
        said = f"{self._asked()} “{way}” is a choice of {when} and not asked now."
        return self.refused(said, [clause])

    def _fits(self, alt: ir.Alt, own: set[str], reading: Reading) -> tuple[bool, bool, int] | None:
        """How well a line names an alternative of another choice by label or text; None if it does not."""
        if self.key is not None and self.key.group(1) == alt.label:
            return (True, True, len(words_of(alt.label)))
        known = literal_words(alt)
        covered = known.intersection(self.line.words)
        free = covered - own
        if not free or (reading.used and free.isdisjoint(reading.left)):
            return None
        label = words_of(alt.label)
        whole = bool(label) and all(w in self.line.words for w in label)
        first = self.line.words[0] in known
        if not whole and not first:
            return None
        return (whole and first, first, len(covered))

    def _nothing(self, reading: Reading) -> Refusal:
        """The words, or some of them, name nothing here."""
        words = reading.left or self.line.words
        known: dict[str, str] = {}  # with each word, how it is written
        for alt in self.choose.alts:
            known |= {w: w for w in literal_words(alt)}
            for var, _ in alt.picks:
                kind = getattr(var.type, "kind", "")
                if kind:
                    info = self.game.data.kinds[kind]
                    known |= {w: w for words in info.words for w in words}
                    known |= as_written([*info.names, *info.labels])
        near = [x for w in words if (x := [known[name] for name in nearest_names(w, sorted(known))])]
        hints = [f"did you mean {listed([f'`{name}`' for name in names], 'or')}?" for names in near]
        named = listed([f"“{w}”" for w in words]) or "That"
        meaning = self._meaning(reading, words)
        told = meaning or f"{named} {'names' if len(words) < 2 else 'name'} nothing that can be chosen here."
        if any(w in literal_words(alt) for alt in self.choose.alts for w in words):
            told, hints = f"{named} cannot be chosen any more.", []
        hint = f" ({hints[0]})" if hints else ""
        said = self.refused(f"{told}{hint} {self._asked()} {self._ways()}")
        return evolve(said, unknown=tuple(words), hint=hints[0] if hints else "")

    def _ways(self) -> str:
        """``It can be answered by “move” or “stop”.``"""
        info = self.game.data.decisions[self.position.d]
        begun = info.alts[0].label if info.stage else ""
        if not begun:
            named = list(dict.fromkeys(f"“{readable(a.label)}”" for a in self.choose.alts))
            return f"It can be answered by {listed(named, 'or')}."
        chosen = [self.judge.eyes.words(v, var.type) for var, v in self._picked()]
        before = f", with {listed(chosen)}" if chosen else ""
        wanted = f": {readable(info.var[0])} is to be chosen" if info.var is not None else ""
        return f"“{readable(begun)}” was begun{before}{wanted}."

    def _picked(self) -> list[tuple[ir.Var, Any]]:
        return [(v, self.fixed[v.ident]) for a in self.choose.alts for v, _ in a.picks if v.ident in self.fixed]

    def _meaning(self, reading: Reading, words: Sequence[str]) -> str:
        """What words mean elsewhere in the game, and what is chosen in the way that the line names."""
        line = Line(tuple(words), ("",) * len(words))
        for kind, info in self.game.data.kinds.items():
            for name, label in zip(info.names, info.labels, strict=True):
                if not info.is_pieces and (line.find(words_of(name)) or line.find(words_of(label))):
                    return f"{label} is {article(kind_noun(kind))}, and {self._chosen_in(reading, kind)}."
        return ""

    def _chosen_in(self, reading: Reading, kind: str) -> str:
        """``“lead” chooses a leader``, where a line names a way, or one that has a choice of such things."""
        if not reading.by_label and not any(kind in _kinds_of(alt) for alt in self.choose.alts):
            return f"no {kind_noun(kind)} is chosen here"
        alt = reading.alt
        if not alt.bound:
            return f"“{readable(alt.label)}” chooses nothing"
        number = "numbers" if alt.many else "a number"
        nouns = [kind_noun(found) if (found := getattr(each, "kind", "")) else "" for each in _types_of(alt)]
        called = [(plural(noun) if alt.many else article(noun)) if noun else number for noun in nouns]
        return f"“{readable(alt.label)}” chooses {listed(called)}"

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
            items = self.several.items(alt, self.what)
            lists = [rest for rest in (self.several.without_chosen(items), items) if rest is not None]
            readings = [self.several.failing(alt, each) for each in lists]
            return self._told(reading, min(readings, key=len))
        absent = [
            (var, reading.named[var.ident])
            for var, _ in alt.picks
            if var.ident in reading.named and not reading.named[var.ident].values
        ]
        if absent:
            return self._told(reading, [self.judging.absent(alt, var, named) for var, named in absent])
        if alt.picks and not self._says_enough(alt, aside, reading):
            return self._incomplete(alt, aside)
        nowhere = self.judging.nowhere(alt, reading)
        if nowhere:
            return self._told(reading, nowhere)
        return self._told(reading, self.judging.best(alt, aside, {i: n.values for i, n in reading.named.items()}))

    def _says_enough(self, alt: ir.Alt, aside: m.Aside | None, reading: Reading) -> bool:
        """Whether a line names anything of what is asked for."""
        fresh = [v for v, _ in alt.picks if v.ident not in self.fixed]
        if any(v.ident in reading.named for v in fresh):
            return True
        return not self.fixed and len(self.judging.offered(alt)) == 1

    def _incomplete(self, alt: ir.Alt, aside: m.Aside | None) -> Refusal:
        """A line that stops before it says which: refused by the rules if nothing can follow, else by us."""
        failed = self.judging.best(alt, aside, {})
        if failed:
            return self.refused(f"“{self.what}” is not allowed:", failed)
        var, source = next((v, s) for v, s in alt.picks if v.ident not in self.fixed)
        one = self.judge.eyes.speaker(source, Env.of()).noun(source, False)
        return self.refused(f"“{self.what}” says too little: name {article(one)} ({readable(var.name)}).")

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
                if value is not None:
                    return self._keyed(self.several.failing(alt, [((value,), 1, value_name)]), alt)
            # A choice of one of several kinds has a way for each: the key is that of the one it names something of.
            for stage, (var, _) in enumerate(alt.picks):
                keyed = self._key_of(alt, aside, stage, var, value_name) if var.name == name else None
                if keyed is not None:
                    return keyed
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
        return self._keyed(self.judging.best(alt, aside, {var.ident: (value,)}), alt)

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
            return self._nothing(reading) if reading.left else self._unread()
        return self.refused(f"“{self.what}” is not allowed:{self._note(reading)}", failed)

    def _unread(self) -> Refusal:
        """No rule refuses what is named, and yet it is no answer: its words are in no order that says one."""
        return self.refused(f"“{self.what}” cannot be read as an answer. {self._asked()} {self._ways()}")

    def _note(self, reading: Reading) -> str:
        if not reading.left:
            return ""
        return f" ({listed([f'“{w}”' for w in reading.left])} left aside: no such thing is chosen here)"

    def _picked_before(self, reading: Reading) -> list[FailedClause]:
        out = []
        for var, _ in reading.alt.picks:
            named = reading.named.get(var.ident)
            if var.ident in self.fixed and named is not None and self.fixed[var.ident] not in named.values:
                chosen = self.judge.eyes.words(self.fixed[var.ident], var.type)
                out.append(
                    FailedClause(
                        f"{readable(var.name)} is {chosen}",
                        f"it is {chosen} already",
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
        said = way_words(aside.alt)
        if not offered or not in_phase:
            where = f"“{when.title or readable(when.name)}”" if when is not None else f"the {readable(aside.during)}"
            fact = f"“{said}” is offered during {where} only" if not in_phase else f"“{said}” is not offered here"
            return [FailedClause(f"“{said}” is offered here", fact, aside.cites, "not asked now")]
        who = self.judge.eyes.value(aside.by, Env.of())
        if aside.chooser is not None:
            may = BITS[who]
            if self.decision.player_index in may:
                return []
            fact = f"it is for {listed([self._role(i) for i in may], 'or') or 'nobody'} to do"
            return [FailedClause("whoever decides may do it", fact, aside.cites, "another player's")]
        if who != self.decision.player_index:
            name = self._role(who)
            return [FailedClause(f"{name} decides", f"it is for {name} to do", aside.cites, "another player's")]
        return []

    # -------------------------------------------------------------- several at once

    def _selected(self, alt: ir.Alt) -> Refusal | None:
        """The answer about a line that names what can be picked, in any order; None if it names anything else."""
        line = self.line_text
        for way in self.decision.selections:
            if way.label == alt.label and selection_readings(way, line):
                return self._unread()
        found = selection_named(self.position, line)
        if found is None or found[0].label != alt.label:
            return None
        return self.selected(found[0], found[1])


def _types_of(alt: ir.Alt) -> list[Type | None]:
    """The types of what a way to answer a choice picks."""
    return [var.type for var, _ in alt.picks] + ([element_of(alt.many[3].type)] if alt.many is not None else [])


def _kinds_of(alt: ir.Alt) -> set[str]:
    return {getattr(type_, "kind", "") for type_ in _types_of(alt)}


def spare_words(procedure: m.Procedure, choose: ir.ChooseS, alt: ir.Alt) -> set[str]:
    """Words that may stand in a line about a way to answer and say nothing new."""
    return {*words_of(choose.name), *words_of(procedure.name), *words_of(procedure.title), *_words_of_names(alt)}


_named: WeakKeyDictionary[ir.Alt, frozenset[str]] = WeakKeyDictionary()


def _words_of_names(alt: ir.Alt) -> frozenset[str]:
    """The names that a way to answer binds, and the places and kinds they are picked from."""
    found = _named.get(alt)
    if found is not None:
        return found
    out: set[str] = set()
    for var, source in alt.picks:
        out |= set(words_of(var.name))
        for node in walk(source):
            if isinstance(node, ir.ContentsX):
                out |= set(words_of(node.holds.name))
            if isinstance(node, ir.AllThings):
                out |= set(words_of(readable(node.kind.name)))
    if alt.many is not None:
        out |= set(words_of(alt.many[2].name))
    found = _named[alt] = frozenset(out)
    return found
