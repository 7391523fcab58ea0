"""Whether something could be chosen: `try march foot to Mill -> refused by §2.3`.

A claim that something is refused must be about the choice that is asked, else it holds wherever it stands and shows
nothing. So the line is read, word by word, as an answer to that choice; one that reads as an answer to another is
*not asked*, and one with words that no choice has a use for names nothing. Whether it is allowed is found out as in
play, and why not by asking the rules. Nothing of a try stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from attrs import evolve, frozen

from rulescript.analysis.active import under
from rulescript.calls import is_number, is_signed_number
from rulescript.claims import steps as s
from rulescript.claims.chance import Pending
from rulescript.claims.objections import options_hint
from rulescript.claims.play import Table
from rulescript.claims.problems import ClaimFails, ClaimUnclear
from rulescript.claims.run_to import LONGEST
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.errors import BadChoice
from rulescript.explain.naming import Line, Namer, literal_words, read_line, words_of
from rulescript.explain.onlooker import Onlooker
from rulescript.explain.refusals import spare_words
from rulescript.model import ir
from rulescript.model.types import INT, PieceOf, element_of
from rulescript.runtime.answers import find_answer
from rulescript.runtime.game import Game
from rulescript.runtime.line_sense import DECLINING
from rulescript.runtime.position import Decision, Position
from rulescript.source import word_in
from rulescript.wording.lexicon import FILLERS, as_written, singulars, words

__all__ = ["Tries", "hint_for", "words_of_game"]

NOT_ASKED = "not asked now"


class Tries:
    """Tries lines at a table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.game = table.game
        # What names were found in a position, and what it was then.
        self._found: tuple[Position, list[Any], Namer] | None = None

    def check(self, claim: s.Try) -> None:
        """Raises ClaimFails or ClaimUnclear unless it comes out as the claim says."""
        table = self.table
        saved = table.save()
        try:
            *before, last = claim.steps
            assert isinstance(last, s.Say)
            last = self._spoken(last)
            if before:
                pending = {i: Pending.of(e) for i, e in enumerate(before) if isinstance(e, s.Chance)}
                table.play(before, pending, claim.span, settle=False)
            self._last_step(claim, last, self._past_forced(claim, last))
        finally:
            table.restore(saved)

    def _spoken(self, last: s.Say) -> s.Say:
        """A line with who says it: what stands before a colon may belong to the words of an answer."""
        if last.player is None:
            return last
        is_player, known = self.table.names.is_player, words_of_game(self.game)
        if not is_player(last.player.text) and known.issuperset(words(last.player.text)):
            return evolve(last, player=None, words=last.span)
        head, colon, _ = last.words.text.partition(":")
        if colon and is_player(head):
            raise ClaimUnclear("two players are named for one answer", last.words, "one too many", "name one of them")
        return last

    def _past_forced(self, claim: s.Try, last: s.Say) -> Decision | None:
        """The decision a line is tried at: what leaves no choice is taken, up to the one that the line is about.

        A choice that refuses it to another than the player who is named is that one only if the player is not asked the
        like after it."""
        table = self.table
        refused_before = None
        for _ in range(LONGEST):
            decision = table.decision()
            if decision is None or not table.is_forced() or table.names_it(last, decision):
                break
            if claim.verdict == "refused" and self._is_refused_here(last, decision):
                if not self._is_anothers(last, decision):
                    break
                refused_before = refused_before or table.save()
            only = table.real_options(decision)[0]
            table.take(((decision.block, only.raw),), (), claim.span)
        if refused_before is not None and (
            decision is None or self._is_anothers(last, decision) or not self._is_about(decision, last.words.text)
        ):
            table.restore(refused_before)
            return table.decision()
        return decision

    def _is_anothers(self, last: s.Say, decision: Decision) -> bool:
        """Whether another decides than the player that a line names."""
        return last.player is not None and self.table.names.player(last.player) != decision.player_index

    def _is_refused_here(self, last: s.Say, decision: Decision) -> bool:
        """Whether a forced choice is forced because what is tried there is refused. What is only not asked for may be
        asked for after it."""
        refusal = self.table.objections.refusal(last.words.text, decision.player)
        return refusal is not None and any(c.status == "failed" and c.label != NOT_ASKED for c in refusal.clauses)

    # -------------------------------------------------------------- the three ways it can come out

    def _last_step(self, claim: s.Try, last: s.Say, decision: Decision | None) -> None:
        table, text = self.table, last.words.text
        if decision is None and not table.has_run:
            raise table.no_play(claim.span)
        others = decision is None or self._is_anothers(last, decision)
        found = None
        if not others:
            try:
                found = find_answer(table.position, text)
            except BadChoice as unclear:
                if claim.verdict == "refused" and decision is not None and self._names_nothing_of(decision, text):
                    raise self._too_little(last, decision) from unclear
                raise ClaimUnclear(str(unclear.message), last.words, "which one?", "say more") from unclear
        match claim.verdict:
            case "allowed":
                if found is None:
                    verdict, told = self._why_not(last, decision, others)
                    raise ClaimFails(f"`{text}` is {verdict}", last.words, told)
            case "refused":
                self._refused(claim, last, decision, others, found is not None)
            case _:
                self._not_asked(last, decision, others, found is not None)

    def _why_not(self, last: s.Say, decision: Decision | None, others: bool) -> tuple[str, str]:
        """What it is instead of allowed, and why."""
        text = last.words.text
        if decision is not None and not others and self._is_about(decision, text):
            why = self.table.objections.why(text, decision.player)
            return "refused", why or options_hint(decision, text)
        self._known_line(last, decision)
        if decision is not None and others:
            assert last.player is not None
            return "refused", f"{self.table.told(decision)}, not {last.player.text}"
        return "not asked here", self._asked_instead(text, decision)

    def _refused(self, claim: s.Try, last: s.Say, decision: Decision | None, others: bool, is_allowed: bool) -> None:
        text = last.words.text
        if is_allowed:
            raise ClaimFails(f"`{text}` is allowed", last.words, "expected a refusal")
        if decision is None or not (others or self._is_about(decision, text)):
            self._known_line(last, decision)
            told = self._asked_instead(text, decision)
            raise ClaimFails(f"`{text}` is not asked here", last.words, told, "if that is meant: `-> not asked`")
        if others:
            self._known_line(last, decision)
        elif self._names_nothing_of(decision, text):
            raise self._too_little(last, decision)
        elif self._has_no_reason(decision, text):
            hint = options_hint(decision, text)
            raise ClaimUnclear(f"`{text}` cannot be read as an answer here", last.words, "refused by no rule", hint)
        self._refused_by(claim, last, decision, others)

    def _has_no_reason(self, decision: Decision, text: str) -> bool:
        """Whether nothing refuses a line but that it cannot be read: `march foot to Mill to Ford`."""
        said = words_of(text)
        if said and all(w in DECLINING for w in said):
            return False
        labels = [way.alt.label.replace("_", " ") for way in self._asked_ways(decision)]
        lines = [text, *(f"{label} {text}" for label in labels)]
        refusals = (self.table.objections.refusal(line, decision.player) for line in lines)
        return not any(refusal is None or refusal.clauses for refusal in refusals)

    def _too_little(self, last: s.Say, decision: Decision) -> ClaimUnclear:
        text = last.words.text
        hint = options_hint(decision, text)
        return ClaimUnclear(f"`{text}` does not say what is refused", last.words, "too little", hint)

    def _refused_by(self, claim: s.Try, last: s.Say, decision: Decision, others: bool) -> None:
        """Whether the rules that are named refuse it."""
        if not claim.by and not claim.because:
            return
        text = last.words.text
        refusal = None if others else self.table.objections.refusal(text, decision.player)
        clauses = tuple(_with_inner(refusal.clauses)) if refusal is not None else ()
        seen = sorted({c for clause in clauses for c in clause.cites})
        told = "; ".join(f"{c.label or c.condition}{''.join(f' §{x}' for x in c.cites)}" for c in clauses[:4])
        told = told or (self.table.told(decision) if others else "no rule is named")
        for wanted in claim.by:
            if not any(under(c, wanted) for c in seen):
                raise ClaimFails(f"`{text}` is refused, but not by §{wanted}", last.words, told)
        because = claim.because.casefold()
        if because and not any(because in f"{c.label} {c.condition}".casefold() for c in clauses):
            raise ClaimFails(f'`{text}` is refused, but not because "{claim.because}"', last.words, told)
        self.table.cites.update(seen)

    def _not_asked(self, last: s.Say, decision: Decision | None, others: bool, is_allowed: bool) -> None:
        text = last.words.text
        if is_allowed:
            raise ClaimFails(f"`{text}` is allowed", last.words, "expected not to be asked")
        if decision is not None and not others and self._is_about(decision, text):
            why = self.table.objections.why(text, decision.player) or self.table.told(decision)
            raise ClaimFails(f"`{text}` is asked here, and refused", last.words, why, "if that is meant: `-> refused`")
        self._known_line(last, decision)

    # -------------------------------------------------------------- what a line is about

    def _asked_instead(self, text: str, decision: Decision | None) -> str:
        """Who is asked what, and whether the choice a line is about had no option."""
        name = self._passed_over(text)
        if name:
            return f"`{name}` was passed over, for there was nothing to choose; {self.table.told(decision)}"
        return self._says_nothing(decision, text) or self.table.told(decision)

    def was_passed_over(self, text: str) -> bool:
        """Whether a line is about a choice that was passed over for lack of options."""
        return bool(self._passed_over(text))

    def _passed_over(self, text: str) -> str:
        passed = {self.game.data.decisions[block].number for block in self.table.passed}
        ways = [way.choose for way in self._ways_named(text) if way.choose is not None]
        return next((choose.name for choose in ways if choose.number in passed), "")

    def _says_nothing(self, decision: Decision | None, text: str) -> str:
        """The words that keep a line which calls the choice by name from being an answer to it."""
        said = set(words(text))
        ways = [way for way in self._asked_ways(decision) if literal_words(way.alt) & said] if decision else []
        left = min((left for way in ways if (left := self._unread(way, text))), key=len, default=[])
        return f"{self.table.told(decision)}, where `{' '.join(left)}` says nothing" if left else ""

    def _is_about(self, decision: Decision, text: str) -> bool:
        """Whether a line reads as an answer to the choice that is asked, or as something that may be done at any
        time and here too."""
        said = words_of(text)
        if said and all(w in DECLINING for w in said):
            return True  # whether one may decline can be tried everywhere
        ways = [way for way in self._asked_ways(decision) if self._reads(way, text)]
        if not ways or any(way.choose is not None for way in ways):
            return bool(ways)
        refusal = self.table.objections.refusal(text, decision.player)
        return refusal is None or not refusal.clauses or any(c.label != NOT_ASKED for c in refusal.clauses)

    def _names_nothing_of(self, decision: Decision, text: str) -> bool:
        """Whether a line only calls a way to answer by name, and there are such answers: no rule refuses that."""
        for way in self._asked_ways(decision):
            offered = any(option.label == way.alt.label for option in decision.options)
            if offered and (way.alt.picks or way.alt.many) and self._reads(way, text):
                return all(w in literal_words(way.alt) | way.spare for w in words_of(text))
        return False

    def _asked_ways(self, decision: Decision) -> Iterator[_Way]:
        """The ways to answer the choice that is asked, and what may be done at any time."""
        info = self.game.data.decisions[decision.block]
        begun = info.alts[0].label if info.stage else ""
        asides = {a.label for a in info.alts if a.form == "aside"} if not begun else set()
        for way in _ways_of(self.game):
            if way.choose is None and way.alt.label in asides:
                yield way
            elif way.choose is not None and way.choose.number == info.number:
                if not begun or way.alt.label == begun:
                    yield way

    def _ways_named(self, text: str) -> list[_Way]:
        """What a line could be an answer to, those that it calls by name first."""
        said = set(words(text))
        return sorted(
            (way for way in _ways_of(self.game) if self._reads(way, text)),
            key=lambda way: not said & literal_words(way.alt),
        )

    def _reads(self, way: _Way, text: str) -> bool:
        """Whether every word of a line has a use in a way to answer a choice."""
        return self._unread(way, text) == []

    def _unread(self, way: _Way, text: str) -> list[str] | None:
        """The words of a line that have no use in a way to answer; None if none of them has."""
        line = Line.of(text)
        spare = way.spare | literal_words(way.alt) | {w for name in self.game.player_names for w in words_of(name)}
        reading = read_line(self._namer(), way.alt, line, spare, {})
        counts = _counts(line)
        left = [w for w in reading.left if w not in counts and not spare & {w, *singulars(w)}]
        if way.alt.many is not None and element_of(way.alt.many[3].type) != INT:
            left += [w for w in line.words if is_number(w) and w not in counts]  # how many of nothing
        for var, _ in way.alt.picks:
            # A country and the region in its north share a word: it was taken for one of them, and the rest is left.
            if isinstance(var.type, PieceOf) and var.ident in reading.named:
                left = [w for w in left if not self.game.lexicon.meant(var.type.kind, w)]
        return left if reading.used or reading.by_label else None

    def _namer(self) -> Namer:
        """What finds names in the position as it is."""
        position = self.table.position
        if self._found is None or self._found[0] is not position or self._found[1] != position.s:
            self._found = (position, list(position.s), Namer(Onlooker(position, None)))
        return self._found[2]

    def _known_line(self, last: s.Say, decision: Decision | None) -> None:
        """What is refused to somebody, or not asked, must be an answer to some choice of the game."""
        text = last.words.text
        if self._ways_named(text):
            return
        known = words_of_game(self.game)
        for word in words(text):
            if word not in known and not known & set(singulars(word)) and not is_signed_number(word):
                place, hint = word_in(last.words, word), hint_for(self.game, word)
                raise ClaimUnclear(f"nothing in the game is called `{word}`", place, "unknown", hint)
        raise ClaimUnclear(
            f"`{text}` is no answer to any choice of the game",
            last.words,
            self._says_nothing(decision, text) or "names nothing to choose",
            options_hint(decision, text) if decision is not None else None,
        )


@frozen
class _Way:
    """A way to answer a choice (an aside: none) and the words that may be said with it."""

    alt: ir.Alt
    choose: ir.ChooseS | None
    _said: Callable[[], Iterable[str]]

    @property
    def spare(self) -> set[str]:
        return set(self._said())


_ways: WeakKeyDictionary[Game, tuple[_Way, ...]] = WeakKeyDictionary()


def _ways_of(game: Game) -> tuple[_Way, ...]:
    """All ways to answer anything in the game."""
    found = _ways.get(game)
    if found is None:
        model = game.model
        chosen = [(procedure, choose, alt) for procedure, choose in model.chooses for alt in choose.alts]
        found = _ways[game] = (
            *(_Way(alt, choose, partial(spare_words, procedure, choose, alt)) for procedure, choose, alt in chosen),
            *(_Way(aside.alt, None, partial(words_of, aside.name)) for aside in model.asides),
        )
    return found


def _counts(line: Line) -> set[str]:
    """The numbers of a line that say how many: those with a word after them."""
    return {a for a, b in zip(line.words, line.words[1:], strict=False) if is_number(a) and not is_number(b)}


def _with_inner(clauses: Iterable[Any]) -> Iterator[Any]:
    """Failed requirements and those behind them, in predicates and routes.

    An exception that does not apply stands among them, but it refuses nothing."""
    for clause in clauses:
        if clause.label not in ("exception", NOT_ASKED) and clause.status == "failed":
            yield clause
            yield from _with_inner(clause.through)


_known: WeakKeyDictionary[Game, frozenset[str]] = WeakKeyDictionary()


def hint_for(game: Game, word: str) -> str | None:
    """What may have been meant by a word that is none of the game's, as it is written there."""
    kinds = game.data.kinds.values()
    shown = as_written(text for info in kinds for text in (*info.labels, *info.names))
    return spelling_hint(word, sorted({shown.get(w, w) for w in words_of_game(game) - FILLERS}))


def words_of_game(game: Game) -> frozenset[str]:
    """Every word the rules of a game know: names, labels, places, choices and what their texts say."""
    found = _known.get(game)
    if found is not None:
        return found
    known: set[str] = set(FILLERS)
    for kind, info in game.data.kinds.items():
        for index in range(len(info.names)):
            known |= set(words(info.names[index])) | set(words(info.labels[index]))
            for way in game.lexicon.ways(kind, index):
                known |= set(way)
        if info.is_pieces:
            for ws in game.lexicon.piece_words(kind):
                known |= ws
            known |= {w for x in info.states for w in words(x[0])}
    for holds in game.data.holds:
        known |= set(words(holds.name))
    for decision in game.data.decisions.values():
        known |= set(words(decision.choice)) | set(words(decision.procedure))
        for alt in decision.alts:
            known |= set(words(alt.label))
    for _, choose in game.model.chooses:
        for answer in choose.alts:
            known |= literal_words(answer)
    _known[game] = frozenset(known)
    return _known[game]
