"""What an example expects: conditions, what lies where, who is asked what, what is refused and by which rule.

Nothing here changes the position for good: a `try` is taken back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve

from rulescript.analysis.active import under
from rulescript.analysis.checks.unused import sources_of
from rulescript.analysis.foregone import asks_only, empty_part
from rulescript.calls import is_number
from rulescript.claims import steps as s
from rulescript.claims.asks import check_asks
from rulescript.claims.chance import Missing
from rulescript.claims.legal import LegalSets
from rulescript.claims.names import Phrase
from rulescript.claims.parse import part
from rulescript.claims.problems import ClaimEmpty, ClaimFails, ClaimUnclear
from rulescript.claims.seen import check_sees, compares, see_what_it_says
from rulescript.claims.tries import Tries, hint_for, words_of_game
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.machine.tables import BITS
from rulescript.model import ir
from rulescript.model.traverse import conjuncts
from rulescript.model.types import BOOL
from rulescript.source import Span, word_in
from rulescript.wording.lexicon import words

__all__ = ["Checker"]

# An example in the text of a game, with all that is indented under it.
_EXAMPLE = re.compile(r"^([ ]*)example\b.*(?:\n(?:\1[ ]+\S.*|[ ]*(?=\n)))*", re.MULTILINE)
# What the journal says of its own, besides the words of the game.
JOURNAL_WORDS = (
    "rolled no dice shuffled drawn by lot from moved to revealed is now was wins win draw sealed hidden over"
)


class Checker(LegalSets):
    """Checks claims against a table."""

    def check(self, claim: s.Claim) -> None:
        """Raises ClaimFails or ClaimUnclear unless the claim is so."""
        match claim:
            case s.Condition():
                self._condition(claim)
            case s.Has():
                self._has(claim)
            case s.IsEmpty():
                self._empty(claim)
            case s.Sees():
                check_sees(self.names, self.table.position, self._slots(claim.place), claim)
            case s.OutcomeIs():
                self._outcome(claim)
            case s.Journal():
                self._journal(claim)
            case s.Asks() | s.Legal() | s.Try() | s.Outcomes():
                # These look at the next decision; the other lines of the block are about where play stands now.
                saved = self.table.save()
                try:
                    self._at_the_decision(claim)
                finally:
                    self.table.restore(saved)

    def _at_the_decision(self, claim: s.Asks | s.Legal | s.Try | s.Outcomes) -> None:
        saved = self.table.save()
        try:
            self.table.resume(claim.span)
        except Missing:
            # Of a choice that was passed over on the way here, what comes after the dice says nothing.
            self.table.restore(saved)
            if not self._is_of_the_past(claim):
                raise
        match claim:
            case s.Asks():
                self.table.settle(() if claim.negated else (claim,), {}, 0, claim.span)
                check_asks(self.table, claim)
            case s.Legal():
                self._legal(claim)
            case s.Try():
                Tries(self.table).check(claim)
            case s.Outcomes():
                self._outcomes(claim)

    def _is_of_the_past(self, claim: s.Asks | s.Legal | s.Try | s.Outcomes) -> bool:
        """Whether a claim is about a choice that was passed over because nothing could be chosen."""
        match claim:
            case s.Legal():
                return any(self._alts(claim, block) for block in self.table.passed)
            case s.Try(steps=(s.Say() as only,)):
                return Tries(self.table).was_passed_over(only.words.text)
        return False

    # -------------------------------------------------------------- conditions

    def _condition(self, claim: s.Condition) -> None:
        evaluator, position = self.table.evaluator, self.table.position
        x = evaluator.read_at(claim.text, BOOL, position)
        if not evaluator.worked_out(x, position, claim.text):
            told = evaluator.sides(x, position, claim.text)
            raise ClaimFails(f"expected `{claim.text.text}`, which is not so", claim.text, told or "not so")
        self._says_something(x, claim.text)

    def _says_something(self, x: ir.X, text: Span) -> None:
        """See that a condition, which holds, does not hold whatever the rules do."""
        empty = empty_part(x)
        if empty is not None:
            hint = "say what must have come about, or take it away"
            raise ClaimEmpty(f"`{empty.span.text}` holds in any case", empty.span, "says nothing", hint)
        evaluator = self.table.evaluator
        assumed = {name.partition("@")[0] for name in evaluator.assumptions}
        for fixed in conjuncts(x) if assumed else ():
            before = evaluator.assumed.asked
            evaluator.worked_out(fixed, self.table.position, text)
            if asks_only(fixed, assumed) and evaluator.assumed.asked == before:
                said = f"`{fixed.span.text}` only asks for what is assumed"
                raise ClaimEmpty(said, fixed.span, "says nothing of the rules", "ask for something that rests on it")

    def _known_in_journal(self, claim: s.Journal) -> None:
        """That something is not mentioned says nothing if the game has no words for it."""
        self.table.evaluator.note_any_rule()
        sites = self.game.data.sites
        if claim.ident:
            cited = {c for site in sites for c in site[1]} | {
                c for info in self.game.data.decisions.values() for c in info.cites
            }
            if not any(under(c, claim.ident) for c in cited):
                raise ClaimUnclear(f"no rule of the game that happens cites §{claim.ident}", claim.span, "unknown")
            return
        known = set(words(JOURNAL_WORDS)) | words_of_game(self.game)
        known |= {w for source in sources_of(self.table.evaluator.model) for w in words(_EXAMPLE.sub("", source.text))}
        for word in words(claim.text):
            if word not in known and not word.isdigit():
                hint = hint_for(self.game, word) or spelling_hint(word, sorted(known))
                place = word_in(claim.span, word)
                raise ClaimUnclear(f"nothing in the game is called `{word}`", place, "unknown", hint)

    def _journal(self, claim: s.Journal) -> None:
        if claim.negated:
            self._known_in_journal(claim)
        cites: set[str] = set()
        texts: list[str] = []
        for event in self.table.position.journal:
            cites.update(event["cites"])
            texts.append(str(event.get("text", "")))
        if claim.ident:
            found = any(under(c, claim.ident) for c in cites)
            told = ", ".join(f"§{c}" for c in sorted(cites)) or "no rule"
            what = f"§{claim.ident}"
        else:
            found = any(claim.text.casefold() in t.casefold() for t in texts)
            told, what = "; ".join(texts[-4:]) or "nothing", f'"{claim.text}"'
        if found == claim.negated:
            word = "mentions" if claim.negated else "does not mention"
            raise ClaimFails(f"the journal {word} {what}", claim.span, "" if claim.negated else f"it has {told}")

    def _outcome(self, claim: s.OutcomeIs) -> None:
        outcome = self.table.position.outcome
        found = "open" if outcome is None else str(outcome)
        text = claim.text.text.strip()
        if words(text) in (["open"], ["none"], ["undecided"]):
            if outcome is not None:
                raise ClaimFails(f"the game is over: {outcome}", claim.text)
            return
        how = re.fullmatch(r'(.*?)(?::|\s+by)?\s*"(.*)"', text)
        if how is not None:
            text = how[1]
            if outcome is not None and how[2].casefold() not in outcome.how.casefold():
                raise ClaimFails(f"the game ended otherwise: {outcome}", claim.text)
        if words(text) in (["draw"], ["a", "draw"], ["drawn"]):
            if outcome is None or not outcome.drawn:
                raise ClaimFails(f"expected a draw; the outcome is {found}", claim.text)
            return
        victors = re.fullmatch(r"(.*?)\s+wins?", text)
        if victors is None:
            one = self.game.player_names[0] if self.game.player_names else "X"
            hint = spelling_hint(text, ("open", "draw")) or f"write `outcome is {one} wins`, `is draw` or `is open`"
            raise ClaimUnclear("an outcome is `X wins`, `draw` or `open`", claim.text, "not understood", hint)
        winners = set() if outcome is None else set(outcome.winners)
        wanted: set[str] = set()
        for name in re.split(r"\s+and\s+|\s*,\s*", victors[1]):
            meant = self._victors(name)
            if not meant:
                raise ClaimUnclear(
                    f"nobody is called `{name}`",
                    claim.text,
                    "unknown",
                    spelling_hint(name, self.names.thing_names()),
                )
            wanted |= next((each for each in meant if each <= winners), meant[0])
        if not winners or winners != wanted:
            raise ClaimFails(f"expected {claim.text.text}; the outcome is {found}", claim.text)

    def _victors(self, name: str) -> list[set[str]]:
        """Who may be meant by a name: that player, or, if it is a team, all players who belong to it."""
        lexicon, players = self.names.lexicon, self.game.data.players
        out: list[set[str]] = []
        for kind, index in lexicon.namesakes(name):
            out.append({lexicon.name(kind, index)})
            if players and kind != players:
                info = self.game.data.kinds[players]
                for attr, type_ in info.attr_types.items():
                    if type_ in (["thing", kind], ["maybe", ["thing", kind]]):
                        values = info.attrs[attr]
                        out.append({n for n, value in zip(info.names, values, strict=True) if value == index})
        return [each for each in out if each]

    # -------------------------------------------------------------- what lies where

    def _slots(self, span: Span) -> list[int]:
        try:
            return self.names.places(span)
        except ClaimUnclear as problem:
            # Not a name: an expression may still say which things a place belongs to.
            owner, dot, name = span.text.rpartition(".")
            if not dot:
                raise
            inner = part(span, 0, len(owner))
            try:
                x = self.table.evaluator.read_at(inner, None, self.table.position)
            except ClaimUnclear:
                raise problem from None
            kind = getattr(getattr(x.type, "element", x.type), "kind", "")
            holds = self.names.place_called(name, kind)
            if holds is None:
                raise problem from None
            value = self.table.evaluator.worked_out(x, self.table.position, inner)
            indices = BITS[value] if hasattr(x.type, "element") else (value,)
            return [holds.slot + i for i in indices]

    def _contents(self, slots: Sequence[int]) -> str:
        values, S = self.game.values, self.table.position.s
        told: list[str] = []
        for slot in slots:
            info = self.game.data.kinds[values.places[slot][0].kind]
            labels = dict(zip(info.names, info.labels, strict=True)) if info.is_pieces else {}
            found = values.contents(S, slot)
            listed = ", ".join(f"{n} {labels.get(name, name)}" if info.is_pieces else name for name, n in found)
            if listed:
                where = f"{values.places[slot][0].name}: " if len(slots) > 1 else ""
                told.append(f"{where}{listed.replace('_', ' ')}")
        return "; ".join(told) or "nothing"

    def _counted(self, slots: Sequence[int], phrase: Phrase) -> int:
        values, S = self.game.values, self.table.position.s
        info = self.game.data.kinds[phrase.kind]
        given = dict(phrase.states)
        total = 0
        for slot in slots:
            holds, _ = values.places[slot]
            if holds.kind != phrase.kind:
                continue
            if not phrase.is_pieces:
                inside = S[slot] if holds.is_ordered else BITS[S[slot]]
                total += sum(1 for i in inside if i in phrase.types and self._thing_has(phrase, i))
                continue
            for code, number in values.pile(phrase.kind, S[slot]):
                combo, index = divmod(code, info.types)
                fits = all(
                    name not in given or worth[combo // stride % len(worth)] == given[name]
                    for name, stride, worth, _, _ in info.states
                )
                if index in phrase.types and fits:
                    total += number
        return total

    def _thing_has(self, phrase: Phrase, index: int) -> bool:
        for name, value in phrase.states:
            entry = next(e for e in self.names.states_of(phrase.kind) if e.name == name)
            if self.game.values.state(self.table.position.s, entry, index) != value:
                return False
        return True

    def _state_instead(self, claim: s.Has, slots: Sequence[int], item: Span) -> str | None:
        """`North has 3 vp`: what something has lies there, and a state is compared."""
        owners = {self.game.values.places[slot][0].owner for slot in slots}
        for state in (state for owner in sorted(owners) if owner for state in self.names.states_of(owner)):
            if set(words(state.name)) <= set(words(item.text)):
                number = re.search(r"\d+", item.text)
                return f"write `{claim.place.text}.{state.name} == {number[0] if number else '...'}`"
        return None

    def _has(self, claim: s.Has) -> None:
        slots = self._slots(claim.place)
        kinds = list(dict.fromkeys(self.game.values.places[x][0].kind for x in slots))
        expected = 0
        for item in claim.items:
            found = re.match(r"(exactly\s+|at\s+least\s+|at\s+most\s+)?(?:(\d+|an?|no)\s+)?(?=\S)", item.text)
            assert found is not None
            phrase = self.names.phrase(part(item, found.end()), kinds, whole_kind=True, places=slots)
            if item.text.strip() in ("nothing", "none"):
                self._none_there(claim.place, slots, item)
                continue
            if phrase is None:
                said = part(item, found.end())
                hint = self._state_instead(claim, slots, item) or self.names.phrase_hint(said.text, kinds)
                place = self.names.unknown_in(said, kinds)
                raise ClaimUnclear(f"`{item.text}` is nothing that {claim.place.text} can hold", place, "unknown", hint)
            wanted = 0 if found[2] == "no" else int(found[2]) if found[2] and is_number(found[2]) else 1
            there = self._counted(slots, phrase)
            relation = " ".join((found[1] or "exactly").split())
            see_what_it_says(item, relation, wanted)
            if relation == "at most":
                if wanted >= self._in_the_game(phrase):
                    message = f"`{item.text}` holds in any case: there are no more of these"
                    raise ClaimUnclear(message, item, "says nothing", "say fewer, or how many there are")
            if not compares(relation, there, wanted):
                many = f"{relation} {wanted}" if found[1] else str(wanted)
                raise ClaimFails(
                    f"expected {many} {phrase.text} in {claim.place.text}, found {there}",
                    item,
                    f"{claim.place.text} has {self._contents(slots)}",
                )
            expected += there
        if claim.exactly:
            total = sum(
                self.game.values.count(self.table.position.s, x) for x in slots if self._one_of(x, claim, kinds)
            )
            if total != expected:
                raise ClaimFails(
                    f"{claim.place.text} has more than that", claim.place, f"it has {self._contents(slots)}"
                )

    def _in_the_game(self, phrase: Phrase) -> int:
        """How many there are of what a phrase names, wherever and in whichever state."""
        if not phrase.is_pieces:
            return len(phrase.types)
        places = self.game.values.places
        every = [slot for slot, (holds, _) in places.items() if holds.kind == phrase.kind]
        return self._counted(every, evolve(phrase, states=()))

    def _one_of(self, slot: int, claim: s.Has, kinds: Sequence[str]) -> bool:
        """For a thing with several places, `exactly` speaks of those that hold the kinds that are named."""
        if len(kinds) == 1:
            return True
        named = set()
        for item in claim.items:
            found = re.match(r"(?:exactly\s+|at\s+least\s+|at\s+most\s+)?(?:(?:\d+|an?|no)\s+)?(?=\S)", item.text)
            assert found is not None
            phrase = self.names.phrase(part(item, found.end()), kinds, whole_kind=True)
            if phrase is not None:
                named.add(phrase.kind)
        return self.game.values.places[slot][0].kind in named

    def _none_there(self, place: Span, slots: Sequence[int], span: Span) -> None:
        if any(self.game.values.count(self.table.position.s, x) for x in slots):
            raise ClaimFails(f"{place.text} is not empty", span, f"it has {self._contents(slots)}")

    def _empty(self, claim: s.IsEmpty) -> None:
        slots = self._slots(claim.place)
        if claim.negated:
            if not any(self.game.values.count(self.table.position.s, x) for x in slots):
                raise ClaimFails(f"{claim.place.text} is empty", claim.place)
            return
        self._none_there(claim.place, slots, claim.place)
