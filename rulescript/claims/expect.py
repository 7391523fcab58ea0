"""What an example expects: conditions, what lies where, what is asked, what is legal, what is refused and
by which rule.

Nothing here changes the position for good: a `try` is taken back, and legal sets and outcomes are looked
for on copies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulescript.analysis.rules import under
from rulescript.analysis.types import BOOL, PieceOf, Pile, say
from rulescript.claims import steps as s
from rulescript.claims.chance import Pending
from rulescript.claims.names import Phrase
from rulescript.claims.parse import part
from rulescript.claims.play import LONGEST, Table, park
from rulescript.claims.problems import ClaimFails, ClaimProblem, ClaimUnclear
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.errors import BadChoice, RulescriptError
from rulescript.runtime.answers import find_answer, says_value
from rulescript.runtime.chance import Explicit
from rulescript.runtime.position import Decision, Position
from rulescript.runtime.support import BITS
from rulescript.runtime.words import words
from rulescript.source import Span

__all__ = ["Checker"]

MOST_NODES = 20_000

Assignment = dict[str, tuple[Any, Any]]


class Checker:
    """Checks claims against a table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.names = table.names
        self.game = table.game

    def check(self, claim: s.Claim) -> None:
        """Raises ClaimFails or ClaimUnclear unless the claim is so."""
        match claim:
            case s.Condition():
                self._condition(claim)
            case s.Has():
                self._has(claim)
            case s.IsEmpty():
                self._empty(claim)
            case s.OutcomeIs():
                self._outcome(claim)
            case s.Asks():
                self.table.resume(claim.span)
                self.table._settle((), {}, 0, claim.span)
                self.table.check_asks(claim)
            case s.Legal():
                self.table.resume(claim.span)
                self._legal(claim)
            case s.Try():
                self.table.resume(claim.span)
                self._try(claim)
            case s.Journal():
                self._journal(claim)
            case s.Outcomes():
                self.table.resume(claim.span)
                self._outcomes(claim)

    # -------------------------------------------------------------- conditions

    def _condition(self, claim: s.Condition) -> None:
        evaluator, position = self.table.evaluator, self.table.position
        x = evaluator.read_at(claim.text, BOOL, position)
        if not evaluator.worked_out(x, position, claim.text):
            told = evaluator.sides(x, position, claim.text)
            raise ClaimFails(f"expected `{claim.text.text}`, which is not so", claim.text, told or "not so")

    def _journal(self, claim: s.Journal) -> None:
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
            raise ClaimFails(
                f"the journal {word} {what}", claim.span, "" if claim.negated else f"it has {told}"
            )

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
            raise ClaimUnclear(
                "an outcome is `X wins`, `draw` or `open`", claim.text, hint="outcome is Blue wins"
            )
        wanted: set[str] = set()
        for name in re.split(r"\s+and\s+|\s*,\s*", victors[1]):
            things = self.names.lexicon.things(name)
            if not things:
                raise ClaimUnclear(
                    f"nobody is called `{name}`",
                    claim.text,
                    "unknown",
                    spelling_hint(name, self.names.thing_names()),
                )
            wanted |= {self.names.lexicon.name(*t) for t in things}
        if outcome is None or not set(outcome.winners) <= wanted or not outcome.winners:
            raise ClaimFails(f"expected {claim.text.text}; the outcome is {found}", claim.text)

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
            return [holds["slot"] + i for i in indices]

    def _contents(self, slots: Sequence[int]) -> str:
        values, S = self.game.values, self.table.position.s
        told: list[str] = []
        for slot in slots:
            found = values.contents(S, slot)
            listed = ", ".join(f"{n} {name}" if self._is_pieces(slot) else name for name, n in found)
            if listed:
                where = f"{values.places[slot][0]['name']}: " if len(slots) > 1 else ""
                told.append(f"{where}{listed.replace('_', ' ')}")
        return "; ".join(told) or "nothing"

    def _is_pieces(self, slot: int) -> bool:
        return bool(self.game.data["kinds"][self.game.values.places[slot][0]["kind"]]["pieces"])

    def _counted(self, slots: Sequence[int], phrase: Phrase) -> int:
        values, S = self.game.values, self.table.position.s
        info = self.game.data["kinds"][phrase.kind]
        given = dict(phrase.states)
        total = 0
        for slot in slots:
            holds, _ = values.places[slot]
            if holds["kind"] != phrase.kind:
                continue
            if not phrase.is_pieces:
                inside = S[slot] if holds["ordered"] else BITS[S[slot]]
                total += sum(1 for i in inside if i in phrase.types and self._thing_has(phrase, i))
                continue
            for code, number in values.pile(phrase.kind, S[slot]):
                combo, index = divmod(code, info["types"])
                fits = all(
                    name not in given or worth[combo // stride % len(worth)] == given[name]
                    for name, stride, worth, _, _ in info["states"]
                )
                if index in phrase.types and fits:
                    total += number
        return total

    def _thing_has(self, phrase: Phrase, index: int) -> bool:
        for name, value in phrase.states:
            entry = next(e for e in self.names.states_of(phrase.kind) if e["name"] == name)
            if self.game.values.state(self.table.position.s, entry, index) != value:
                return False
        return True

    def _has(self, claim: s.Has) -> None:
        slots = self._slots(claim.place)
        kinds = list(dict.fromkeys(self.game.values.places[x][0]["kind"] for x in slots))
        expected = 0
        for item in claim.items:
            found = re.match(r"(exactly\s+|at\s+least\s+|at\s+most\s+)?(?:(\d+|an?|no)\s+)?(?=\S)", item.text)
            assert found is not None
            phrase = self.names.phrase(part(item, found.end()), kinds, whole_kind=True)
            if item.text.strip() in ("nothing", "none"):
                self._none_there(claim.place, slots, item)
                continue
            if phrase is None:
                known = sorted(
                    {
                        w
                        for k in kinds
                        if self.game.data["kinds"][k]["pieces"]
                        for ws in self.names.lexicon.piece_words(k)
                        for w in ws
                    }
                )
                known += [
                    x
                    for k in kinds
                    if not self.game.data["kinds"][k]["pieces"]
                    for x in self.game.data["kinds"][k]["names"]
                ]
                bare = part(item, found.end()).text
                hint = spelling_hint(bare, known) or next(
                    (h for w in bare.split() if w.lower() not in known and (h := spelling_hint(w, known))),
                    None,
                )
                raise ClaimUnclear(
                    f"`{item.text}` is nothing that {claim.place.text} can hold", item, "unknown", hint
                )
            wanted = 0 if found[2] == "no" else int(found[2]) if found[2] and found[2].isdigit() else 1
            there = self._counted(slots, phrase)
            relation = " ".join((found[1] or "exactly").split())
            is_so = (
                there >= wanted
                if relation == "at least"
                else there <= wanted
                if relation == "at most"
                else there == wanted
            )
            if not is_so:
                many = f"{relation} {wanted}" if found[1] else str(wanted)
                raise ClaimFails(
                    f"expected {many} {phrase.text} in {claim.place.text}, found {there}",
                    item,
                    f"{claim.place.text} has {self._contents(slots)}",
                )
            expected += there
        if claim.exactly:
            total = sum(
                self.game.values.count(self.table.position.s, x)
                for x in slots
                if self._one_of(x, claim, kinds)
            )
            if total != expected:
                raise ClaimFails(
                    f"{claim.place.text} has more than that", claim.place, f"it has {self._contents(slots)}"
                )

    def _one_of(self, slot: int, claim: s.Has, kinds: Sequence[str]) -> bool:
        """For a thing with several places, `exactly` speaks of those that hold the kinds that are named."""
        if len(kinds) == 1:
            return True
        named = set()
        for item in claim.items:
            found = re.match(
                r"(?:exactly\s+|at\s+least\s+|at\s+most\s+)?(?:(?:\d+|an?|no)\s+)?(?=\S)", item.text
            )
            assert found is not None
            phrase = self.names.phrase(part(item, found.end()), kinds, whole_kind=True)
            if phrase is not None:
                named.add(phrase.kind)
        return self.game.values.places[slot][0]["kind"] in named

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

    # -------------------------------------------------------------- legal sets

    def _legal(self, claim: s.Legal) -> None:
        table = self.table
        saved = table.save()
        try:
            for _ in range(50):
                decision = table.decision()
                if decision is None:
                    raise table.no_play(claim.span)
                if self._offers(decision, claim) or not table.is_forced():
                    break
                only = table.real_options(decision)[0]
                table._take(((decision.block, only.raw),), (), claim.span)
            self._legal_here(claim)
        finally:
            table.restore(saved)

    def _alts(self, claim: s.Legal) -> list[dict[str, Any]]:
        """The alternatives of the decision that have the name a claim speaks of."""
        decision = self.table.decision()
        assert decision is not None
        info = self.game.data["decisions"][decision.block]
        return [a for a in info["alts"] if self._var_of(a, claim) is not None]

    def _var_of(self, alt: dict[str, Any], claim: s.Legal) -> str | None:
        """The name in an alternative that is asked about: the name itself, or the last one of a label."""
        decision = self.table.decision()
        assert decision is not None
        info = self.game.data["decisions"][decision.block]
        label = " ".join(words(alt["label"]))
        for wanted in claim.labels:
            known = {label, *(" ".join(words(x)) for x in (decision.name, decision.procedure))}
            if " ".join(words(wanted.text)) not in known:
                return None
        fixed = {a.text for a, _ in claim.fixed}
        vars_ = (
            [*alt["vars"], *(name for name, _, _ in info["previous"])]
            if alt["form"] != "many"
            else list(alt["vars"])
        )
        if alt["form"] == "many" and not vars_:
            vars_ = ["item"]
        if fixed - set(vars_):
            return None
        if claim.var.text in vars_:
            return claim.var.text
        if " ".join(words(claim.var.text)) in (label, "options") and vars_:
            return str(vars_[-1] if alt["form"] != "many" else vars_[0])
        return None

    def _offers(self, decision: Any, claim: s.Legal) -> bool:
        return bool(self._alts(claim))

    def _legal_here(self, claim: s.Legal) -> None:
        decision = self.table.decision()
        assert decision is not None
        if not self._alts(claim):
            info = self.game.data["decisions"][decision.block]
            known = sorted({v for a in info["alts"] for v in (*a["vars"], a["label"])})
            raise ClaimUnclear(
                f"{self.table.told(decision)}, where there is no `{claim.var.text}` of that description",
                claim.var,
                "unknown here",
                spelling_hint(claim.var.text, known) or f"it has {', '.join(known)}",
            )
        found: dict[Any, Any] = {}
        fixed_seen: set[str] = set()
        state = self.table.position.s
        for alt, assignment in self._assignments(claim):
            var = self._var_of(alt, claim)
            assert var is not None
            fits = True
            for name, text in claim.fixed:
                value, type_ = assignment[name.text]
                if not says_value(self.game, value, type_, state, text.text):
                    fits = False
                    break
                fixed_seen.add(name.text)
            if fits and var in assignment:
                value, type_ = assignment[var]
                found[value] = type_
        self._known_words(claim)
        self._compare(claim, found, state)

    def _known_words(self, claim: s.Legal) -> None:
        """A misspelt name must not pass for one that is not legal."""
        for alt in self._alts(claim):
            types = self._types_of(alt)
            var = self._var_of(alt, claim)
            for name, text in claim.fixed:
                self._known_value(text, types.get(name.text))
            for item in claim.items:
                self._known_value(item, types.get(var or ""))

    def _types_of(self, alt: dict[str, Any]) -> dict[str, Any]:
        decision = self.table.decision()
        assert decision is not None
        info = self.game.data["decisions"][decision.block]
        out = {name: type_ for name, _, type_ in info["previous"]}
        if alt["form"] == "many":
            out[alt["vars"][0] if alt["vars"] else "item"] = alt["many"][1]
        else:
            out.update(zip(alt["vars"], alt["types"], strict=False))
        return out

    def _known_value(self, text: Span, type_: Any) -> None:
        match type_:
            case ["thing", kind]:
                if self.names.lexicon.things(text.text, [kind]):
                    return
                # `Fifth_Army in Mill`
                if any(
                    set(way) <= set(words(text.text))
                    for i in range(len(self.game.data["kinds"][kind]["names"]))
                    for way in self.names.lexicon.ways(kind, i)
                ):
                    return
                names = self.game.data["kinds"][kind]["names"]
                raise ClaimUnclear(
                    f"no {kind} is called `{text.text}`", text, "unknown", spelling_hint(text.text, names)
                )
            case ["piece", kind]:
                said = [w for w in words(text.text) if self.names.lexicon.meant(kind, w)]
                if not said:
                    raise ClaimUnclear(f"no pieces of {kind} are called `{text.text}`", text, "unknown")
                known = {w for x in self.game.values.places for w in words(self.game.values.place_name(x))}
                known |= {w for x in self.game.data["kinds"][kind]["states"] for w in words(x[0])}
                for slot in self.game.values.places:
                    known |= set(words(self.game.values.place_label(slot)))
                for word in words(text.text):
                    from rulescript.runtime.words import FILLERS

                    if word not in FILLERS and word not in known and not self.names.lexicon.meant(kind, word):
                        raise ClaimUnclear(
                            f"`{word}` is no word for pieces of {kind} or where they stand", text, "unknown"
                        )

    def _compare(self, claim: s.Legal, found: dict[Any, Any], state: list[Any]) -> None:
        def told(values: Any) -> str:
            return ", ".join(sorted(self._value_text(v, found[v]) for v in values)) or "none"

        if claim.relation == "count":
            if len(found) != claim.count:
                raise ClaimFails(
                    f"expected {claim.count} legal `{claim.var.text}`, found {len(found)}",
                    claim.var,
                    told(found),
                )
            return
        named = {
            v: [i for i in claim.items if says_value(self.game, v, t, state, i.text)]
            for v, t in found.items()
        }
        matched = {i.start for items in named.values() for i in items}
        missing = [i for i in claim.items if i.start not in matched]
        surplus = [v for v, items in named.items() if not items]
        if claim.relation == "excludes":
            wrong = [v for v, items in named.items() if items]
            if wrong:
                item = named[wrong[0]][0]
                raise ClaimFails(f"`{item.text}` is legal", item, f"legal: {told(found)}")
            return
        if missing:
            raise ClaimFails(
                f"`{missing[0].text}` is not legal",
                missing[0],
                f"legal: {told(found)}",
                self._why(claim, missing[0]),
            )
        if claim.relation == "exactly" and surplus:
            raise ClaimFails(f"also legal: {told(surplus)}", claim.var, f"legal: {told(found)}")

    def _why(self, claim: s.Legal, item: Span) -> str | None:
        decision = self.table.decision()
        assert decision is not None
        text = " ".join([decision.name, *(t.text for _, t in claim.fixed), item.text])
        why = self.table.refusal_text(text, decision.player)
        return f"refused: {why}" if why else None

    def _value_text(self, value: Any, type_: Any) -> str:
        match type_:
            case ["thing", _]:
                return self.game.values.name(value, type_)
        return self.game.values.label(value, type_)

    def _assignments(self, claim: s.Legal) -> Iterator[tuple[dict[str, Any], Assignment]]:
        """All ways to complete the choice that is asked, as values by name. What follows from them is not
        played."""
        budget = [MOST_NODES]
        position = self.table.position.clone()
        position.j = None
        info = self.game.data["decisions"][position.d]
        before: Assignment = {}
        if not info["many"]:
            before = {name: (position.s[slot], type_) for name, slot, type_ in info["previous"]}
        wanted = {a["label"] for a in self._alts(claim)}
        yield from self._walk(position, before, wanted, budget, claim)

    def _walk(
        self, position: Position, before: Assignment, wanted: set[str], budget: list[int], claim: s.Legal
    ) -> Iterator[tuple[dict[str, Any], Assignment]]:
        info = self.game.data["decisions"][position.d]
        for raw in list(position.o):
            budget[0] -= 1
            if budget[0] < 0:
                raise ClaimUnclear(f"there are more than {MOST_NODES} ways to choose", claim.span, "too many")
            at, value = self.game._split(info, raw)
            alt = info["alts"][at]
            if alt["form"] == "plain" or alt["label"] not in wanted:
                continue
            if alt["form"] == "many":
                name = alt["vars"][0] if alt["vars"] else "item"
                yield alt, {**before, name: (value, alt["many"][1])}
                onward = self._onward(position, raw, info)
                if onward is not None:
                    yield from self._walk(onward, before, wanted, budget, claim)
                continue
            stage = info["stage"] if alt["form"] == "pick" else 0
            now = {**before, alt["vars"][stage]: (value, alt["types"][stage])}
            if alt["form"] == "aside" or stage + 1 >= len(alt["vars"]):
                yield alt, now
                continue
            onward = self._onward(position, raw, info)
            if onward is not None:
                yield from self._walk(onward, now, wanted, budget, claim)

    def _onward(self, position: Position, raw: Any, info: dict[str, Any]) -> Position | None:
        from rulescript.runtime.answers import _after

        return _after(position, raw, info)

    # -------------------------------------------------------------- tries

    def _try(self, claim: s.Try) -> None:
        table = self.table
        saved = table.save()
        try:
            *before, last = claim.steps
            assert isinstance(last, s.Say)
            if before:
                pending = {i: Pending.of(e) for i, e in enumerate(before) if isinstance(e, s.Chance)}
                table.play(before, pending, claim.span, settle=False)
            for _ in range(LONGEST):
                decision = table.decision()
                if decision is None or not table.is_forced() or table._names_it(last, decision):
                    break
                if claim.refused and self._is_refused_here(last, decision):
                    break
                only = table.real_options(decision)[0]
                table._take(((decision.block, only.raw),), (), claim.span)
            self._last_step(claim, last)
        finally:
            table.restore(saved)

    def _is_refused_here(self, last: s.Say, decision: Decision) -> bool:
        """Whether a forced choice is forced because what is tried there is refused."""
        refusal = self.table.refusal(last.words.text, decision.player)
        return refusal is not None and any(c.status == "failed" for c in refusal.clauses)

    def _last_step(self, claim: s.Try, last: s.Say) -> None:
        table = self.table
        decision = table.decision()
        if decision is None:
            raise table.no_play(claim.span)
        text = last.words.text
        others = last.player is not None and self.names.player(last.player) != decision.player_index
        problem: str = ""
        found = None
        if others:
            assert last.player is not None
            problem = f"{table.told(decision)}, not {last.player.text}"
        else:
            try:
                found = find_answer(table.position, text)
            except BadChoice as unclear:
                raise ClaimUnclear(str(unclear.message), last.words, "which one?", "say more") from unclear
        if not claim.refused:
            if found is None:
                why = (
                    problem
                    or table.refusal_text(text, decision.player)
                    or table._options_hint(decision, text)
                )
                raise ClaimFails(f"`{text}` is refused", last.words, why)
            return
        if found is not None:
            raise ClaimFails(f"`{text}` is allowed", last.words, "expected a refusal")
        player = last.player.text if others and last.player is not None else decision.player
        self._refused(claim, last, text, player, problem)

    def _refused(self, claim: s.Try, last: s.Say, text: str, player: str, problem: str) -> None:
        refusal = self.table.refusal(text, player)
        clauses = tuple(_with_inner(refusal.clauses)) if refusal is not None else ()
        # Nobody refuses what nobody understands.
        self._known_line(last)
        if not claim.by and not claim.because:
            return
        seen = sorted({c for clause in clauses for c in clause.cites})
        told = "; ".join(f"{c.label or c.condition}{''.join(f' §{x}' for x in c.cites)}" for c in clauses[:4])
        for wanted in claim.by:
            if not any(under(c, wanted) for c in seen):
                raise ClaimFails(
                    f"`{text}` is refused, but not by §{wanted}",
                    last.words,
                    told or problem or "no rule is named",
                )
        if claim.because and not any(
            claim.because.casefold() in f"{c.label} {c.condition}".casefold() for c in clauses
        ):
            raise ClaimFails(
                f'`{text}` is refused, but not because "{claim.because}"',
                last.words,
                told or "no rule is named",
            )
        self.table.cites.update(seen)

    def _known_line(self, last: s.Say) -> None:
        """Every word of a refused line must be a word of the game, else it is a slip of the pen."""
        from rulescript.runtime.words import FILLERS

        known: set[str] = set(FILLERS)
        for kind, info in self.game.data["kinds"].items():
            for index in range(len(info["names"])):
                known |= set(words(info["names"][index])) | set(words(info["labels"][index]))
                for way in self.names.lexicon.ways(kind, index):
                    known |= set(way)
            if info["pieces"]:
                for ws in self.names.lexicon.piece_words(kind):
                    known |= ws
                known |= {w for x in info["states"] for w in words(x[0])}
        for holds in self.game.data["holds"]:
            known |= set(words(holds["name"]))
        for number, info in self.game.data["decisions"].items():
            known |= set(words(info["choice"])) | set(words(info["procedure"]))
            for alt in info["alts"]:
                known |= set(words(alt["label"]))
            _ = number
        decision = self.table.decision()
        if decision is not None:
            for option in decision.options:
                known |= set(words(option.text))
        for word in words(last.words.text):
            plural = {word.removesuffix("s"), word.removesuffix("es")}
            short = len(word) >= 3 and any(k.startswith(word) for k in known)
            if word not in known and not plural & known and not word.isdigit() and not short:
                raise ClaimUnclear(
                    f"nothing in the game is called `{word}`",
                    last.words,
                    "unknown",
                    spelling_hint(word, sorted(known)),
                )

    # -------------------------------------------------------------- outcomes

    def _outcomes(self, claim: s.Outcomes) -> None:
        """All ways a phase (or the procedure that was run) can go, every choice and every die."""
        evaluator, table = self.table.evaluator, self.table
        x = evaluator.read_at(claim.value, None, table.position)
        if isinstance(x.type, Pile | PieceOf):
            raise ClaimUnclear(f"`{claim.value.text}` is {say(x.type)}; count them", claim.value)
        wanted: dict[Any, Span] = {}
        for item in claim.items:
            y = evaluator.read_at(item, x.type, table.position)
            wanted[evaluator.worked_out(y, table.position, item)] = item
        blocks: list[int] = []
        if (
            claim.phase.text not in self.game.data["procedures"]
            or claim.phase.text in self.game.data["phases"]
        ):
            blocks = self.names.phase_blocks(self.names.phase(claim.phase), 1)
        found: dict[Any, None] = {}
        with park(self.game, blocks):
            for end in self._leaves(claim):
                value = evaluator.worked_out(x, end, claim.value)
                found[value] = None
                if claim.relation != "includes" and value not in wanted and claim.relation == "exactly":
                    raise ClaimFails(
                        f"it can also end with {evaluator.words(value, x.type)}",
                        claim.span,
                        f"`{claim.value.text}`",
                    )
                if claim.relation == "excludes" and value in wanted:
                    raise ClaimFails(
                        f"it can end with {evaluator.words(value, x.type)}", wanted[value], "possible"
                    )
        if claim.relation != "excludes":
            for value, item in wanted.items():
                if value not in found:
                    told = ", ".join(evaluator.words(v, x.type) for v in found)
                    raise ClaimFails(
                        f"it can never end with `{item.text}`", item, f"only with {told or 'nothing'}"
                    )

    def _leaves(self, claim: s.Outcomes) -> Iterator[Position]:
        first = self.table.position.clone()
        first.j = None
        first.ask = False
        first.chance = Explicit()
        stack = [first]
        seen: set[str] = set()
        nodes = 0
        while stack:
            here = stack.pop()
            decision = here.decision
            if decision is None:
                yield here
                continue
            if here._pending is None:
                mark = repr([v for at, v in enumerate(here.s) if at != 1])
                if mark in seen:
                    continue
                seen.add(mark)
            for option in range(len(decision)):
                nodes += 1
                if nodes > MOST_NODES:
                    raise ClaimUnclear(
                        f"this would take more than {MOST_NODES} steps to find out",
                        claim.span,
                        "too much to search",
                        "begin later, or with fewer pieces",
                    )
                onward = here.clone()
                try:
                    onward.choose(option)
                except ClaimProblem:
                    raise
                except RulescriptError as problem:
                    raise ClaimFails(f"the rules went wrong: {problem}", claim.span) from problem
                stack.append(onward)


def _with_inner(clauses: Iterable[Any]) -> Iterator[Any]:
    """Failed requirements and those behind them, in predicates and routes.

    An exception that does not apply stands among them, but it refuses nothing."""
    for clause in clauses:
        if clause.label != "exception" and clause.status == "failed":
            yield clause
            yield from _with_inner(clause.through)
