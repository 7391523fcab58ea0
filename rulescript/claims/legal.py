"""What may be chosen, and how a phase can end: legal sets and exhaustive searches.

A legal set speaks of a name of a choice (`r`), whatever other names are asked before or after it: all ways
to complete the choice are walked through on copies, and what would follow from them is never played. A
search does play: every option, every die and draw, up to a limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rulescript.calls import is_signed_number
from rulescript.claims import steps as s
from rulescript.claims.beginning import park
from rulescript.claims.play import Table
from rulescript.claims.problems import ClaimFails, ClaimProblem, ClaimUnclear
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.errors import RulescriptError
from rulescript.game_data import AlternativeInfo
from rulescript.model.types import PieceOf, Pile, say
from rulescript.runtime.chance import Explicit
from rulescript.runtime.one_choice import after_part
from rulescript.runtime.position import Decision, Position
from rulescript.runtime.value_words import says_value
from rulescript.source import Span
from rulescript.wording.lexicon import FILLERS, words

__all__ = ["LegalSets"]

MOST_NODES = 20_000

Assignment = dict[str, tuple[Any, Any]]


class LegalSets:
    """Looks at what could be chosen from where a table stands."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.names = table.names
        self.game = table.game

    # -------------------------------------------------------------- legal sets

    def _legal(self, claim: s.Legal) -> None:
        table = self.table
        saved = table.save()
        try:
            for _ in range(50):
                decision = table.decision()
                if decision is None or self._alts(claim, decision.block) or not table.is_forced():
                    break
                only = table.real_options(decision)[0]
                table.take(((decision.block, only.raw),), (), claim.span)
            if decision is not None and self._alts(claim, decision.block):
                self._legal_here(claim, decision.block)
            else:
                self._legal_passed_over(claim, decision)
        finally:
            table.restore(saved)

    def _legal_passed_over(self, claim: s.Legal, decision: Decision | None) -> None:
        """Nothing was legal in a choice that was passed over for lack of options."""
        for block in self.table.passed:
            if self._alts(claim, block):
                self._known_words(claim, block)
                self._compare(claim, {}, block)
                return
        if decision is None:
            raise self.table.no_play(claim.span)
        info = self.game.data.decisions[decision.block]
        known = sorted({v for a in info.alts for v in (*a.vars, a.label)})
        labels = {" ".join(words(a.label)) for a in info.alts}
        for word in (*(name for name, _ in claim.fixed), *claim.labels):
            is_label = word in claim.labels
            if " ".join(words(word.text)) not in (labels if is_label else {" ".join(words(v)) for v in known}):
                near = spelling_hint(word.text, sorted(labels) if is_label else known)
                message = f"{self.table.told(decision)}, which has no `{word.text}`"
                raise ClaimUnclear(message, word, "unknown here", near or f"it has {', '.join(known)}")
        raise ClaimUnclear(
            f"{self.table.told(decision)}, where there is no `{claim.var.text}` of that description",
            claim.var,
            "unknown here",
            spelling_hint(claim.var.text, known) or f"it has {', '.join(known)}",
        )

    def _alts(self, claim: s.Legal, block: int) -> list[AlternativeInfo]:
        """The alternatives of a decision that have the name a claim speaks of."""
        alts = self.game.data.decisions[block].alts
        return [a for a in alts if self._var_of(a, claim, block) is not None]

    def _var_of(self, alt: AlternativeInfo, claim: s.Legal, block: int) -> str | None:
        """The name in an alternative that is asked about: the name itself, or the last one of a label."""
        info = self.game.data.decisions[block]
        label = " ".join(words(alt.label))
        labels = {" ".join(words(a.label)) for a in info.alts}
        for wanted in claim.labels:
            said = " ".join(words(wanted.text))
            # A choice is called like its first way: then that way alone is meant.
            known = {label} if said in labels else {" ".join(words(x)) for x in (info.choice, info.procedure)}
            if said not in known:
                return None
        fixed = {a.text for a, _ in claim.fixed}
        vars_ = [*alt.vars, *(name for name, _, _ in info.previous)] if alt.form != "many" else list(alt.vars)
        if alt.form == "many" and not vars_:
            vars_ = ["item"]
        if fixed - set(vars_):
            return None
        if claim.var.text in vars_:
            return claim.var.text
        if " ".join(words(claim.var.text)) in (label, "options") and vars_:
            return str(vars_[-1] if alt.form != "many" else vars_[0])
        return None

    def _legal_here(self, claim: s.Legal, block: int) -> None:
        found: dict[tuple[Any, str], Any] = {}
        fixed_seen: set[str] = set()
        state = self.table.position.s
        for alt, assignment in self._assignments(claim):
            var = self._var_of(alt, claim, block)
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
                found[value, repr(type_)] = type_
        self._known_words(claim, block)
        self._compare(claim, found, block)

    def _known_words(self, claim: s.Legal, block: int) -> None:
        """A misspelt name must not pass for one that is not legal."""
        alts = self._alts(claim, block)
        for label in {alt.label: None for alt in alts}:
            ways = [alt for alt in alts if alt.label == label]
            types = [self._types_of(alt, block) for alt in ways]
            var = self._var_of(ways[0], claim, block)
            for name, text in claim.fixed:
                self._known_as_one_of(text, [each.get(name.text) for each in types])
            for item in claim.items:
                self._known_as_one_of(item, [each.get(var or "") for each in types])

    def _known_as_one_of(self, text: Span, types: Sequence[Any]) -> None:
        """The same for a name that may be of several kinds."""
        first: ClaimUnclear | None = None
        for type_ in types:
            try:
                self._known_value(text, type_)
            except ClaimUnclear as problem:
                first = first or problem
            else:
                return
        if first is not None:
            raise first

    def _types_of(self, alt: AlternativeInfo, block: int) -> dict[str, Any]:
        info = self.game.data.decisions[block]
        out = {name: type_ for name, _, type_ in info.previous}
        if alt.form == "many":
            out[alt.vars[0] if alt.vars else "item"] = alt.many[1]
        else:
            out.update(zip(alt.vars, alt.types, strict=False))
        return out

    def _known_value(self, text: Span, type_: Any) -> None:
        """Raises ClaimUnclear unless a text says a value of a type: also one that is not legal."""
        match type_:
            case ["maybe", inner]:
                if text.text.strip() not in ("nothing", "none", "nobody"):
                    self._known_value(text, inner)
            case ["int"] if not re.fullmatch(r"-?\d+", text.text.strip()):
                raise ClaimUnclear(f"`{text.text}` is no number", text, "expected a number")
            case ["bool"] if text.text.strip() not in ("yes", "no"):
                raise ClaimUnclear(f"`{text.text}` is neither yes nor no", text, "expected yes or no")
            case ["thing", kind]:
                self._known_thing(text, kind)
            case ["piece", kind]:
                self._known_piece(text, kind)

    def _known_thing(self, text: Span, kind: str) -> None:
        """``The_Raid``, ``Fifth_Army in Mill``"""
        if self.names.lexicon.things(text.text, [kind]):
            return
        said = {w for w in words(text.text) if w not in FILLERS}
        known = self._place_words()
        for index in range(len(self.game.data.kinds[kind].names)):
            if any(
                set(way) <= {*said, *FILLERS} and said - set(way) <= known
                for way in self.names.lexicon.ways(kind, index)
            ):
                return
        hint = self.names.name_hint(text.text, kind)
        raise ClaimUnclear(f"no {kind} is called `{text.text}`", text, "unknown", hint)

    def _known_piece(self, text: Span, kind: str) -> None:
        """``Northern foot in Mill``"""
        lexicon = self.names.lexicon
        if not any(lexicon.meant(kind, w) for w in words(text.text)):
            hint = self.names.phrase_hint(text.text, [kind])
            raise ClaimUnclear(f"no pieces of {kind} are called `{text.text}`", text, "unknown", hint)
        info = self.game.data.kinds[kind]
        known = self._place_words() | FILLERS | {w for x in info.states for w in words(x[0])}
        # What a number may be is not written out: there may be a billion of them.
        bounds = [state.values for state in info.states if state.type == ["int"]]
        for word in words(text.text):
            if is_signed_number(word) and any(int(word) in values for values in bounds):
                continue
            if word not in known and not lexicon.meant(kind, word):
                hint = self.names.phrase_hint(text.text, [kind])
                raise ClaimUnclear(
                    f"`{word}` is no word for pieces of {kind} or where they stand", text, "unknown", hint
                )

    def _place_words(self) -> set[str]:
        values = self.game.values
        return {w for x in values.places for name in (values.place_name(x), values.place_label(x)) for w in words(name)}

    def _compare(self, claim: s.Legal, found: dict[tuple[Any, str], Any], block: int) -> None:
        """`found` are the legal values, each with its type in words and as data: two kinds may count alike."""
        state = self.table.position.s

        def told(values: Any) -> str:
            return ", ".join(sorted(self._value_text(v[0], found[v]) for v in values)) or "none"

        if claim.relation == "count":
            if len(found) != claim.count:
                raise ClaimFails(
                    f"expected {claim.count} legal `{claim.var.text}`, found {len(found)}",
                    claim.var,
                    told(found),
                )
            return
        named = {v: [i for i in claim.items if says_value(self.game, v[0], t, state, i.text)] for v, t in found.items()}
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
                self._why(claim, missing[0], block),
            )
        if claim.relation == "exactly" and surplus:
            raise ClaimFails(f"also legal: {told(surplus)}", claim.var, f"legal: {told(found)}")

    def _why(self, claim: s.Legal, item: Span, block: int) -> str | None:
        decision = self.table.decision()
        if decision is None or decision.block != block:
            return f"`{self.game.data.decisions[block].choice}` was passed over: there was nothing to choose"
        text = " ".join([decision.name, *(t.text for _, t in claim.fixed), item.text])
        why = self.table.objections.why(text, decision.player)
        return f"refused: {why}" if why else None

    def _value_text(self, value: Any, type_: Any) -> str:
        match type_:
            case ["thing", _]:
                return self.game.values.name(value, type_)
        return self.game.values.label(value, type_)

    def _assignments(self, claim: s.Legal) -> Iterator[tuple[AlternativeInfo, Assignment]]:
        """All ways to complete the choice that is asked, as values by name. What follows from them is not
        played."""
        budget = [MOST_NODES]
        position = self.table.position.clone()
        position.j = None
        info = self.game.data.decisions[position.d]
        before: Assignment = {}
        if not info.is_many:
            before = {name: (position.s[slot], type_) for name, slot, type_ in info.previous}
        wanted = {a.label for a in self._alts(claim, position.d)}
        yield from self._walk(position, before, wanted, budget, claim)

    def _walk(
        self, position: Position, before: Assignment, wanted: set[str], budget: list[int], claim: s.Legal
    ) -> Iterator[tuple[AlternativeInfo, Assignment]]:
        info = self.game.data.decisions[position.d]
        for raw in list(position.o):
            budget[0] -= 1
            if budget[0] < 0:
                raise ClaimUnclear(f"there are more than {MOST_NODES} ways to choose", claim.span, "too many")
            at, value = info.split(raw)
            alt = info.alts[at]
            if alt.form == "plain" or not alt.vars or alt.label not in wanted:
                continue
            if alt.form == "many":
                name = alt.vars[0] if alt.vars else "item"
                yield alt, {**before, name: (value, alt.many[1])}
                onward = after_part(position, raw, info)
                if onward is not None:
                    yield from self._walk(onward, before, wanted, budget, claim)
                continue
            stage = info.stage if alt.form == "pick" else 0
            now = {**before, alt.vars[stage]: (value, alt.types[stage])}
            if alt.form == "aside" or stage + 1 >= len(alt.vars):
                yield alt, now
                continue
            onward = after_part(position, raw, info)
            if onward is not None:
                yield from self._walk(onward, now, wanted, budget, claim)

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
        if claim.phase.text not in self.game.data.procedures or claim.phase.text in self.game.data.phases:
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
                    raise ClaimFails(f"it can end with {evaluator.words(value, x.type)}", wanted[value], "possible")
        if claim.relation != "excludes":
            for value, item in wanted.items():
                if value not in found:
                    told = ", ".join(evaluator.words(v, x.type) for v in found)
                    raise ClaimFails(f"it can never end with `{item.text}`", item, f"only with {told or 'nothing'}")

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
