"""An example in words: what is given, what is played, what must follow, as one player would tell another.

In come the parts of an example as they were read (`claims/steps.py`) and the table it was played at; out go lines.
Names stand as people call them, places and conditions are said by the speaker of the rules; where a line is the
author's own words (an answer, some pieces), it stays so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import define

from rulescript.claims import steps as s
from rulescript.docgen.lines import sentence
from rulescript.docgen.outline import Outliner, capital
from rulescript.docgen.subject import Subject
from rulescript.errors import RulescriptError
from rulescript.model import ir
from rulescript.model.types import BOOL, PieceOf, ThingOf
from rulescript.phrases import kind_noun, listed, plural, readable
from rulescript.source import Span
from rulescript.story.naming import possessive
from rulescript.wording.nouns import Nouns
from rulescript.wording.shapes import wording_of

if TYPE_CHECKING:
    from rulescript.claims.play import Table

__all__ = ["ExampleWords", "Word", "pretty"]

_CITES = re.compile(r"\s*§\s?[A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*(?:\s*,\s*§\s?[A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*)*\s*$")
_COMMENT = re.compile(r"\s+#[^\n\"]*$")
_TWICE = re.compile(r"\b([a-z]{4,}) \1\b")
_RELATIONS = {"includes": "among them ", "excludes": "not ", "exactly": "exactly "}
_BASES = {"empty": "an empty board", "setup": "the game's own set-up"}


@define
class Word:
    """A line of an example. `form` is given, but, say, dice, draw, shuffle, run, asks, expect, try, legal or note."""

    form: str
    text: str
    player: str = ""
    dice: tuple[int, ...] = ()
    cites: tuple[str, ...] = ()
    good: bool = True


def pretty(text: str, labels: Mapping[str, str] | None = None) -> str:
    """A line of an example as people read it: things by what people call them, arrows as arrows."""
    line = _CITES.sub("", _COMMENT.sub("", " ".join(text.split())))
    parts = re.split(r'("(?:\\.|[^"\\])*")', line)
    known = labels or {}

    def word(found: re.Match[str]) -> str:
        return known.get(found[0]) or found[0].replace("_", " ").strip() or found[0]

    return "".join(
        p if p.startswith('"') else _TWICE.sub(r"\1", re.sub(r"[^\W\d]\w*", word, p).replace("->", "→")) for p in parts
    )


class ExampleWords:
    """Tells the lines of one example. `table` is where a case of it was played, if it came to that."""

    def __init__(self, subject: Subject, plan: s.Plan, table: Table | None) -> None:
        self.subject = subject
        self.plan = plan
        self.table = table

    def pretty(self, text: str) -> str:
        return pretty(text, self.subject.labels)

    # -------------------------------------------------------------- what is given

    def given(self, case: s.Case | None) -> list[Word]:
        """First where it begins, then what lies where; and what is otherwise in a case."""
        plan = self.plan
        start, changes = [_BASES["setup"]], list[s.Change]()
        if plan.given is not None:
            named = self.pretty(plan.given.name)
            other = f"as in “{plan.given.name}”" if plan.given.base == "like" else f"the set-up of {named}"
            start, changes = [_BASES.get(plan.given.base, other)], list(plan.given.changes)
        start += [self._with(line) for line in plan.withs if line.what not in ("options", "scenario")]
        first, items = self._told(changes)
        words = [Word("given", capital(", ".join(start + first)))]
        words += [Word("given", capital(item)) for item in (*items, *map(self._assumed, plan.assumes))]
        if case is not None:
            first, items = self._told(case.changes)
            told = (*first, *items, *map(self._assumed, case.assumes))
            words += [Word("but", capital(item)) for item in dict.fromkeys(told)]
        return words

    def _with(self, line: s.With) -> str:
        named = listed([self.pretty(name.text) for name in line.names])
        return f"{named} players" if line.what == "players" else f"{self.pretty(line.what)} {named}"

    def _told(self, changes: Iterable[s.Change]) -> tuple[list[str], list[str]]:
        """How things stand in the whole game, and then for each thing what is said of it."""
        whole: list[str] = []
        items: list[list[str]] = []
        owner: tuple[str, ...] = ()
        goes_on = False
        for change in changes:
            match change:
                case s.Item(heads=heads, text=text, follows=follows):
                    said = self.pretty(text.text)
                    owner = tuple(head.text for head in heads) if heads or not follows else owner
                    if owner and (stated := self._stated(owner, text.text)):
                        items.append([stated])
                        goes_on = False
                    elif owner and (heads or not goes_on):
                        items.append([f"{self.owned(owner)}: {said}"])
                        goes_on = True
                    elif follows and items:
                        items[-1].append(said)
                    else:
                        active = said.removeprefix("active ")
                        whole.append(f"{active} to act" if active != said else self._so(text) or said)
                case s.Setting():
                    items.append([self._set(change)])
                case s.At(phase=phase):
                    whole.append(f"at the start of “{self.phase(phase)}”")
                case s.Run(call=call):
                    whole.append(f"at the start of “{self._called(call)}”")
                case s.Seed():
                    pass
                case _:
                    whole.append(self.pretty(change.span.text))
        return whole, [", ".join(item) for item in items]

    def _so(self, text: Span) -> str:
        """``razed``, ``not razed`` or ``razed no`` of the game itself as a sentence; "" for anything else."""
        found = re.fullmatch(r"\s*(not )?(\w+)( yes| no)?\s*", text.text)
        fact = self._read(Span(text.source, text.start + found.start(2), text.start + found.end(2))) if found else None
        if found is None or fact is None or fact.type != BOOL:
            return ""
        return Outliner((), (), [fact]).speaker.sentence(fact, not found[1] and found[3] != " no")

    def _stated(self, owner: Sequence[str], text: str) -> str:
        """``Blue: vp 2`` or ``Mill: burns`` where the author has words for it: "the tally of Blue: 2". "" elsewhere."""
        found = re.fullmatch(r"\s*(not )?(\w+)(?: ([\w-]+))?\s*", text)
        fact = self._read(f"{'.'.join(owner)}.{found[2]}") if found is not None else None
        if found is None or fact is None or wording_of(fact) is None:
            return ""
        if fact.type == BOOL:
            return Outliner((), (), [fact]).speaker.sentence(fact, not found[1] and found[3] != "no")
        return f"{Outliner((), (), [fact]).say(fact)}: {self.pretty(found[3])}" if found[3] else ""

    def _set(self, change: s.Setting) -> str:
        """``Mill.control = Blue`` as "Mill's control: Blue", ``Mill.razed = no`` as "Mill is not razed"."""
        fact, value = self._read(change.target), self.pretty(change.value.text)
        if fact is not None and fact.type == BOOL and value in ("yes", "no"):
            return Outliner((), (), [fact]).speaker.sentence(fact, value == "yes")
        name = self.owned([change.target.text]) if fact is None else Outliner((), (), [fact]).say(fact)
        return f"{name}: {self._spoken(change.value) or value}"

    def _assumed(self, assume: s.Assume) -> str:
        """``assume losses(2, ...) = 3`` as "taking it that losses (2, …) come to 3"."""
        args = [self.pretty(arg.text) if arg is not None else "anything" for arg in assume.args or ()]
        about = f" ({', '.join(args)})" if args else ""
        return f"let us say that “{readable(assume.name.text)}”{about} is {self.pretty(assume.value.text)}"

    def owned(self, names: Sequence[str]) -> str:
        """``Blue``, ``hand`` or ``Blue.hand`` as "Blue's hand"."""
        parts = [part for name in names for part in re.split(r"(?<=\w)\.(?=\w)", name.strip())]
        told = self._held(parts[-1]) if len(parts) > 1 else self.pretty(parts[-1])
        for owner in reversed(parts[:-1]):
            told = f"{possessive(self.pretty(owner))} {told}"
        return told

    def _held(self, name: str) -> str:
        """What lies in a place: ``destroyed`` as "destroyed tiles"; or the place itself: "hand"."""
        wanted = readable(name)
        for kind in self.subject.model.kinds.values():
            for holds in kind.holds.values():
                if readable(holds.name) == wanted and Nouns.is_plural(holds):
                    return Nouns.held(holds)
        return self.pretty(name)

    def phase(self, span: Span) -> str:
        if self.table is not None:
            data = self.table.game.data
            for name in dict.fromkeys(data.phases):
                if readable(name).lower() == readable(span.text).lower():
                    return data.phase_titles.get(name) or capital(readable(name))
        return capital(self.pretty(span.text))

    def _called(self, call: Span) -> str:
        """``battle(Mill)`` as "Battle: Mill"."""
        name, _, args = call.text.partition("(")
        procedure = self.subject.model.procedures.get(name.strip())
        title = (procedure.title if procedure is not None else "") or capital(readable(name))
        told = re.sub(r"[{}]", "", self.pretty(args.rstrip(") ")))
        return f"{title}: {told}" if told.strip() else title

    # -------------------------------------------------------------- what is played

    def entry(self, entry: s.Entry) -> Word:
        match entry:
            case s.Say(player=player, words=words):
                return Word("say", self.pretty(words.text), self.pretty(player.text) if player is not None else "")
            case s.Dice(values=values, label=label):
                return Word("dice", self.pretty(label.text) if label is not None else "", dice=values)
            case s.Draw(items=items):
                drawn = [self.pretty(f"{number} {item.text}" if number != 1 else item.text) for number, item in items]
                return Word("draw", f"Drawn: {', '.join(drawn)}")
            case s.Shuffle(items=shuffled):
                top = ", ".join(self.pretty(item.text) for item in shuffled)
                return Word("shuffle", f"Shuffled{f'; on top: {top}' if top else ''}")
            case s.RunTo(phase=phase, passing=passing, any_chance=any_chance):
                told = "Play goes on to " + ("the end" if phase.text.strip() == "end" else f"“{self.phase(phase)}”")
                told += ", everybody passing" if passing else ""
                return Word("run", told + (", whatever chance brings" if any_chance else ""))
            case s.NeverAsks(name=name):
                return Word("run", f"Nobody is asked: {self.pretty(name.text)}")
            case s.Claim():
                return self.claim(entry)
        return Word("note", self.pretty(entry.span.text))

    # -------------------------------------------------------------- what must be so

    def claim(self, claim: s.Claim) -> Word:
        match claim:
            case s.Condition(text=text):
                return Word("expect", self._said(text), cites=claim.cites)
            case s.Try(verdict=verdict, by=by):
                said = self.pretty(claim.span.text).removeprefix("try ")
                move, _, _ = said.partition("→")
                why = f": {claim.because}" if claim.because else ""
                return Word("try", f"{move.strip()}: {verdict}{why}", cites=by, good=verdict == "allowed")
            case s.Legal():
                return Word("legal", sentence(self._legal(claim)), cites=claim.cites)
            case _:
                return Word("expect", sentence(self._simple(claim)), cites=claim.cites)

    def _simple(self, claim: s.Claim) -> str:
        match claim:
            case s.IsEmpty(place=where, negated=negated):
                place, is_space = self._place(where)
                return f"{place} is {'not ' if negated else ''}empty" if is_space else f"{place}: {_some(negated)}"
            case s.Has(place=where, exactly=exactly, items=items):
                place, is_space = self._place(where)
                told = ", ".join(self.pretty(item.text) for item in items) or "nothing"
                told = f"exactly {told}" if exactly and told != "nothing" else told
                return f"{place} has {told}" if is_space else f"{place}: {told}"
            case s.Sees(who=who, place=where, items=items, negated=negated):
                told = ": " + ", ".join(self.pretty(item.text) for item in items) if items else ""
                verb = "does not see" if negated else "sees"
                return f"{self.pretty(who.text)} {verb} {self._place(where)[0]}{told}"
            case s.OutcomeIs(text=text):
                open_ = text.text.strip() == "open"
                return "the game goes on" if open_ else f"the outcome: {self.pretty(text.text)}"
            case s.Asks(text=text, negated=negated):
                return f"{'not asked' if negated else 'next to decide'}: {self._asked(text.text)}"
            case s.Journal(ident=ident, text=told, negated=negated):
                verb = "does not mention" if negated else "mentions"
                return f"the account {verb} {f'§{ident}' if ident else f'“{told}”'}"
            case s.Outcomes(phase=phase, value=value, relation=relation, items=items):
                some = listed([self.pretty(item.text) for item in items], "or")
                what = self._said(value).rstrip(".") if self.table is not None else self.pretty(value.text)
                return f"{what}, after “{self.phase(phase)}”: {_RELATIONS.get(relation, relation + ' ')}{some}"
        return self.pretty(claim.span.text)

    def _asked(self, text: str) -> str:
        """``Blue move`` as "Blue, move"."""
        told = self.pretty(text)
        players = self.table.game.player_names if self.table is not None else []
        label = next((name for name in map(self.pretty, players) if told.startswith(f"{name} ")), "")
        return f"{label}, {told[len(label) :].strip()}" if label else told

    def _place(self, span: Span) -> tuple[str, bool]:
        """What a place is called, and whether it is a space: that has things, in others they are."""
        if "." not in span.text:
            return self.pretty(span.text), True
        return self._spoken(span) or self.owned([span.text]), False

    def _read(self, text: Span | str) -> ir.X | None:
        """An expression of the rules; None where it cannot be read."""
        if self.table is None:
            return None
        evaluator = self.table.evaluator
        try:
            return evaluator.read(text) if isinstance(text, str) else evaluator.read_at(text)
        except (RulescriptError, AssertionError, LookupError, TypeError, ValueError):
            return None

    def _spoken(self, text: Span) -> str:
        """An expression in plain English; nothing where it cannot be read."""
        x = self._read(text)
        return Outliner((), (), [x]).say(x) if x is not None else ""

    def _said(self, text: Span) -> str:
        return sentence(self._spoken(text) or self.pretty(text.text))

    def _legal(self, claim: s.Legal) -> str:
        """``legal r for t = infantry exactly {Ford}`` as "possible regions (tile: infantry): exactly Ford"."""
        names = [claim.var.text.strip(), *(var.text.strip() for var, _ in claim.fixed)]
        kinds = self._kinds_of(names)
        what = plural(kinds[names[0]])
        fixed = [f"{kinds[var.text.strip()]}: {self.pretty(value.text)}" for var, value in claim.fixed]
        fixed += [f"to {self.pretty(label.text)}" for label in claim.labels]
        given = f" ({', '.join(fixed)})" if fixed else ""
        items = ", ".join(self.pretty(item.text) for item in claim.items) or "none"
        if claim.relation == "count":
            return f"possible {what}{given}: {claim.count}"
        relation = "" if items == "none" else _RELATIONS.get(claim.relation, f"{claim.relation} ")
        return f"possible {what}{given}: {relation}{items}"

    def _kinds_of(self, names: Sequence[str]) -> dict[str, str]:
        """What the names of a choice stand for: their kinds, in the first choice that has all of them."""
        for _, choose in self.subject.model.chooses:
            for alt in choose.alts:
                picks = {
                    var.name: kind_noun(var.type.kind)
                    for var, _ in alt.picks
                    if isinstance(var.type, ThingOf | PieceOf)
                }
                if set(names) <= set(picks):
                    return picks
        return {name: readable(name) for name in names}


def _some(negated: bool) -> str:
    return "not empty" if negated else "nothing"
