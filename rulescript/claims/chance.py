"""Dice, draws and shuffles as an example scripts them.

A script hands out what the lines after a step say, in order. What is missing is an error at once; what is
left over is found by the player of the script, who knows what the rules did instead. Where an example
leaves chance open (a set-up, `any chance`), the position's own generator decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import define

from rulescript.claims import steps as s
from rulescript.claims.names import Names
from rulescript.claims.problems import ClaimFails, ClaimUnclear
from rulescript.diagnostics.spelling import nearest_names, spelling_hint
from rulescript.runtime.chance import _Chance
from rulescript.source import Span
from rulescript.wording.lexicon import words

if TYPE_CHECKING:
    from rulescript.runtime.position import Position

__all__ = ["Missing", "Pending", "Script"]


class Missing(ClaimFails):
    """The rules ask for something of chance that the example does not give."""


@define
class Pending:
    """A line of chance and what of it was not used yet."""

    line: s.Chance
    left: list[Any]

    @classmethod
    def of(cls, line: s.Chance) -> Pending:
        match line:
            case s.Dice(values=values):
                return cls(line, list(values))
            case s.Draw(items=items):
                return cls(line, [item for count, item in items for _ in range(count)])
        return cls(line, [line])

    @property
    def is_used(self) -> bool:
        return not self.left

    @property
    def given(self) -> int:
        """How many outcomes the line gives."""
        return len(Pending.of(self.line).left)

    @property
    def used(self) -> int:
        return self.given - len(self.left)

    def too_many(self, then: str = "") -> ClaimFails:
        """Some of the line was used, and the rest is left over."""
        what = "dice" if isinstance(self.line, s.Dice) else "draws"
        over = " ".join(str(x) if isinstance(x, int) else x.text for x in self.left)
        return ClaimFails(
            f"only {self.used} of these {self.given} {what} {'is' if self.used == 1 else 'are'} used{then}",
            self.line.span,
            f"{len(self.left)} too many",
            f"take away `{over}`" if isinstance(self.line, s.Dice) else None,
        )

    def told(self) -> str:
        """What is left of it, in words."""
        match self.line:
            case s.Dice():
                return f"the dice {' '.join(map(str, self.left))}"
            case s.Draw():
                return f"the draw of {', '.join(x.text for x in self.left)}"
        return "this shuffle"


class Script(_Chance):
    """Hands out scripted chance. `after` is the line of the example that is being played, for messages."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.pending: list[Pending] = []
        self.is_open = False
        self.after: Span | None = None
        self._saved: list[list[Any]] = []

    def load(self, pending: Sequence[Pending], after: Span, is_open: bool = False) -> None:
        self.pending = list(pending)
        self.after = after
        self.is_open = is_open

    def copy(self) -> Script:
        other = Script(self.names)
        other.pending = [Pending(p.line, list(p.left)) for p in self.pending]
        other.is_open, other.after = self.is_open, self.after
        return other

    def begin(self, position: Position, given: Sequence[Any] = ()) -> None:
        self._saved = [list(p.left) for p in self.pending]

    def broke_off(self, position: Position) -> None:
        for pending, left in zip(self.pending, self._saved, strict=False):
            pending.left = left

    # -------------------------------------------------------------- what is next

    def _next(self, kind: type[s.Chance], what: str, site: int) -> Pending | None:
        """The line that serves a wish; None where chance is left open."""
        for pending in self.pending:
            if pending.is_used:
                continue
            if isinstance(pending.line, kind):
                self._check_label(pending.line, site)
                return pending
            if self.is_open:
                continue
            if pending.used:
                raise pending.too_many(f"; then the rules ask for {what}")
            raise Missing(
                f"the rules ask for {what} here, but the next line is {pending.told()}",
                pending.line.span,
                f"expected {what}",
                self._rule_hint(site),
            )
        if self.is_open:
            return None
        assert self.after is not None
        word = {"a die": "dice 4", "a draw": "draw ...", "a shuffle": "shuffle"}[what]
        served = [pending for pending in self.pending if isinstance(pending.line, kind)]
        if served:
            used = sum(pending.used for pending in served)
            one = {"a die": "die", "a draw": "draw", "a shuffle": "shuffle"}[what]
            many = {"die": "dice", "draw": "draws", "shuffle": "shuffles"}[one] if used != 1 else one
            over = f"{many} given here {'are' if used != 1 else 'is'} used up"
            raise Missing(
                f"the rules ask for one more {one}: the {used} {over}",
                served[-1].line.span,
                f"{used} used, and another is needed",
                f"{'add it to this line' if one != 'shuffle' else 'add `shuffle` below'}"
                + self._rule_hint(site, ", for "),
            )
        raise Missing(
            f"the rules ask for {what}, and none is given",
            self.after,
            f"{what} is missing after this",
            f"add `{word}` below" + self._rule_hint(site, ", for "),
        )

    def _rule_hint(self, site: int, lead: str = "for ") -> str:
        _, cites, file, line, _ = self.names.data.sites[site]
        rule = f"§{cites[0]}, " if cites else ""
        return f"{lead}{rule}{file}:{line}"

    def _check_label(self, line: s.Chance, site: int) -> None:
        """A label that is a rule number or the name of a roll must be that of the roll that is made."""
        if line.label is None:
            return
        _, cites, _, _, extra = self.names.data.sites[site]
        rule = re.fullmatch(r"[§@]\s?([\w.\-]+)", line.label.text)
        if rule is not None:
            from rulescript.analysis.active import under

            if not any(under(c, rule[1]) for c in cites):
                told = ", ".join(f"§{c}" for c in cites) or "no rule"
                raise ClaimFails(f"this is rolled or drawn under {told}, not §{rule[1]}", line.label)
            return
        self.names.evaluator.note_any_rule()
        rolls = {x[4] for x in self.names.data.sites if x[0] == "roll" and isinstance(x[4], str)}
        label = "_".join(words(line.label.text))
        if label in rolls and isinstance(extra, str) and extra != label:
            raise ClaimFails(f"the rules roll `{extra}` here, not `{label}`", line.label)
        if label not in rolls and (near := nearest_names(label, sorted(rolls))):
            # Another word is a note for the reader; a misspelt name is not.
            raise ClaimUnclear(f"no roll is called `{label}`", line.label, "unknown", f"did you mean `{near[0]}`?")

    # -------------------------------------------------------------- wishes of the rules

    def die(self, sides: int, site: int) -> int | None:
        pending = self._next(s.Dice, "a die", site)
        if pending is None:
            return None
        value = int(pending.left[0])
        if not 1 <= value <= sides:
            raise ClaimFails(f"the rules roll a die with {sides} sides, which cannot show {value}", pending.line.span)
        del pending.left[0]
        return value

    def piece(self, pile: int, items: Any, slot: int, site: int) -> int | None:
        inside: list[tuple[int, int]] = list(items[pile])
        pending = self._next(s.Draw, "a draw", site)
        if pending is None:
            return None
        kind = self.names.game.values.places[slot][0].kind
        info = self.names.data.kinds[kind]
        fitting: list[tuple[int, int, int]] = []
        for at, item in enumerate(pending.left):
            phrase = self.names.phrase(item, [kind], whole_kind=True)
            if phrase is None:
                known = sorted({w for ws in self.names.lexicon.piece_words(kind) for w in ws})
                raise ClaimUnclear(
                    f"no pieces are called `{item.text}`",
                    item,
                    "unknown",
                    spelling_hint(item.text.split()[-1], known),
                )
            for code, _ in inside:
                if code % info.types in phrase.types:
                    # The most particular wish first, so that a general one finds something left.
                    fitting.append((len(phrase.types), at, code))
                    break
        if not fitting:
            where = self.names.game.values.place_name(slot)
            there = ", ".join(f"{n} {self.names.game.values.piece_label(kind, c)}" for c, n in inside)
            raise ClaimFails(
                f"`{pending.left[0].text}` is not among what may be drawn from {where} ({there})",
                pending.left[0],
                "not there",
            )
        _, at, code = min(fitting)
        del pending.left[at]
        return code

    def thing(self, inside: Sequence[int], slot: int, info: Any, site: int) -> int | None:
        pending = self._next(s.Draw, "a draw", site)
        if pending is None:
            return None
        for at, item in enumerate(pending.left):
            index = next((i for i in self._named(item, info.name, slot) if i in inside), None)
            if index is not None:
                del pending.left[at]
                return index
        where = self.names.game.values.place_name(slot)
        there = ", ".join(self.names.lexicon.name(info.name, i) for i in inside[:8])
        raise ClaimFails(
            f"`{pending.left[0].text}` is not among what may be drawn from {where} ({there})",
            pending.left[0],
            "not there",
        )

    def lot(self, inside: Sequence[int], kind: str, site: int) -> int | None:
        pending = self._next(s.Draw, "a draw", site)
        if pending is None:
            return None
        for at, item in enumerate(pending.left):
            index = next((i for i in self._named(item, kind) if i in inside), None)
            if index is not None:
                del pending.left[at]
                return index
        there = ", ".join(self.names.lexicon.name(kind, i) for i in inside[:8])
        text = pending.left[0].text
        raise ClaimFails(f"`{text}` is not among what may be drawn ({there})", pending.left[0], "not there")

    def _named(self, item: Span, kind: str, slot: int | None = None) -> tuple[int, ...]:
        """The thing that is named, or all copies of it."""
        found = [index for _, index in self.names.lexicon.things(item.text, [kind])]
        meant = self.names.one_of(kind, found, [slot] if slot is not None else [])
        if not meant:
            hint = self.names.name_hint(item.text, kind)
            raise ClaimUnclear(f"no {kind} is called `{item.text}`", item, "unknown", hint)
        return meant

    def order(self, items: list[int], slot: int, site: int) -> tuple[int, ...] | None:
        pending = self._next(s.Shuffle, "a shuffle", site)
        if pending is None:
            return None
        kind = self.names.game.values.places[slot][0].kind
        assert isinstance(pending.line, s.Shuffle)
        top: list[int] = []
        for item in pending.line.items:
            index = next((i for i in self._named(item, kind, slot) if i in items and i not in top), None)
            if index is None:
                where = self.names.game.values.place_name(slot)
                raise ClaimFails(f"`{item.text}` is not (any more) in {where}, which is shuffled", item, "not there")
            top.append(index)
        pending.left = []
        return (*top, *(i for i in items if i not in top))
