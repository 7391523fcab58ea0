"""What a seat sees: `North sees South.hand: 3 cards`, `Red does not see Mill.units: Blue horse`.

The same levels and faces decide that decide a view (runtime/views.py), so an example can say what may be known of
a place, and a failure tells it in words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from rulescript.claims import steps as s
from rulescript.claims.names import Names
from rulescript.claims.parse import part
from rulescript.claims.problems import ClaimFails, ClaimUnclear
from rulescript.machine.tables import BITS
from rulescript.machine.unsettled import members
from rulescript.phrases import plural
from rulescript.runtime.views import View, back_of, is_hidden, unseen_name
from rulescript.source import Span
from rulescript.wording.lexicon import FILLERS, singulars, words

if TYPE_CHECKING:
    from rulescript.runtime.position import Position

__all__ = ["check_sees", "compares", "see_what_it_says"]

_ITEM = re.compile(r"(exactly\s+|at\s+least\s+|at\s+most\s+)?(?:(\d+|an?|no)\s+)?(?=\S)")


@frozen
class _Lying:
    """Some alike things or pieces in a place: which they are, how many, and what a seat can tell of them: their name,
    or only their back."""

    kind: str
    index: int
    name: str
    count: int
    back: str

    @property
    def is_known(self) -> bool:
        return not self.back


class _Looking:
    """One seat that looks at some places."""

    def __init__(self, names: Names, position: Position, who: Span, slots: Sequence[int]) -> None:
        self.names = names
        self.game = names.game
        self.position = position
        self.who = who
        self.slots = slots
        self.view = View(position, self.game.player_names[names.player(who)])
        self.levels = {slot: self.view.level(slot) for slot in slots}

    def kinds(self) -> list[str]:
        return list(dict.fromkeys(self.game.values.places[slot][0].kind for slot in self.slots))

    def lying(self, slot: int) -> list[_Lying]:
        """What lies in a place that is at least counted."""
        game, S, level = self.game, self.position.s, self.levels[slot]
        holds = game.values.places[slot][0]
        kind = holds.kind
        info = game.data.kinds[kind]
        if info.is_pieces:
            refs = [
                (slot << game.values.shift | code, code % info.types, game.values.piece_label(kind, code), count)
                for code, count in game.values.pile(kind, S[slot])
            ]
        else:
            held = members(S[slot]) if holds.is_ordered else BITS[S[slot]]
            refs = [(i, i, info.labels[i], 1) for i in held]
        out: list[_Lying] = []
        for at, (ref, index, name, count) in enumerate(refs):
            back = unseen_name(kind)
            if level == "visible" or (level == "top" and at == 0):
                face_down = is_hidden(game, S, kind, ref, self.view.roles)
                back = back_of(game, S, kind, ref, self.view.roles) if face_down else ""
            out.append(_Lying(kind, index, name, count, back))
        return out

    def everything(self) -> list[_Lying]:
        return [each for slot in self.slots for each in self.lying(slot)]

    def seen(self) -> list[_Lying]:
        """What is seen or counted."""
        return [
            each for slot in self.slots if self.levels[slot] not in ("hidden", "nonempty") for each in self.lying(slot)
        ]

    def told(self) -> str:
        """What the seat sees, in words."""
        return "; ".join(self._told(slot) for slot in self.slots)

    def _told(self, slot: int) -> str:
        where, kind = self.game.values.place_label(slot), self.game.values.places[slot][0].kind
        lying = self.lying(slot)
        count = sum(each.count for each in lying)
        many = f"{count} {kind if count == 1 else plural(kind)}".lower() if count else "nothing"
        match self.levels[slot]:
            case "hidden":
                return f"{self.who.text} sees nothing of {where}"
            case "nonempty":
                return f"{self.who.text} sees only that {where} is {'not empty' if count else 'empty'}"
            case "count" | "order":
                return f"{self.who.text} sees only how many are in {where}: {many}"
            case "top":
                first = f"{lying[0].name}, " if lying and lying[0].is_known else ""
                return f"{self.who.text} sees what is on top of {where}, and how many there are: {first}{many}"
        faces = [f"{each.count} {each.name}" for each in lying if each.is_known]
        backs = [f"{each.count} {each.back} face down" for each in lying if not each.is_known]
        return f"{self.who.text} sees in {where}: {', '.join([*faces, *backs]) or 'nothing'}"


def check_sees(names: Names, position: Position, slots: Sequence[int], claim: s.Sees) -> None:
    """Raises ClaimFails or ClaimUnclear unless a seat sees just that."""
    looking = _Looking(names, position, claim.who, slots)
    if not claim.items:
        _as_a_whole(looking, claim)
    elif claim.negated:
        for item in claim.items:
            _does_not_see(looking, claim, item)
    else:
        _sees(looking, claim)


def _as_a_whole(looking: _Looking, claim: s.Sees) -> None:
    """``Red sees Mill.units``: all of it; ``Red does not see Mill.units``: not even how much there is."""
    if claim.negated:
        if any(level != "hidden" for level in looking.levels.values()):
            raise ClaimFails(f"{claim.who.text} can tell something of {claim.place.text}", claim.place, looking.told())
        return
    is_open = all(level == "visible" for level in looking.levels.values())
    if not is_open or not all(each.is_known for each in looking.seen()):
        raise ClaimFails(f"{claim.who.text} does not see all of {claim.place.text}", claim.place, looking.told())


def _sees(looking: _Looking, claim: s.Sees) -> None:
    named: set[int] = set()
    kinds: list[tuple[Span, str, int]] = []
    seen = looking.seen()
    for item in claim.items:
        text = item.text.strip()
        if text in ("nothing", "something"):
            there = sum(each.count for each in looking.everything())
            is_seen = all(level != "hidden" for level in looking.levels.values())
            if not is_seen or (there > 0) != (text == "something"):
                message = f"{claim.who.text} does not see that there is {text} in {claim.place.text}"
                raise ClaimFails(message, item, looking.told())
            continue
        found = _ITEM.match(item.text)
        assert found is not None
        wanted = 0 if found[2] == "no" else int(found[2]) if found[2] and found[2].isdigit() else 1
        relation = " ".join((found[1] or "exactly").split())
        what = part(item, found.end())
        if _is_kind(looking, what):
            kinds.append((item, relation, wanted))
            continue
        fitting = _fitting(looking, what, claim, seen)
        named |= {id(each) for each in fitting}
        _compare(looking, claim, item, relation, wanted, sum(each.count for each in fitting))
    for item, relation, wanted in kinds:
        # Alone: all that lie there. Beside others: those that cannot be told apart.
        rest = [each for each in seen if id(each) not in named and not (len(claim.items) > 1 and each.is_known)]
        _compare(looking, claim, item, relation, wanted, sum(each.count for each in rest))
        if not seen and any(level in ("hidden", "nonempty") for level in looking.levels.values()):
            message = f"{claim.who.text} does not see how many are in {claim.place.text}"
            raise ClaimFails(message, item, looking.told())


def compares(relation: str, there: int, wanted: int) -> bool:
    """Whether so many are there as is said: exactly, at least or at most."""
    return there >= wanted if relation == "at least" else there <= wanted if relation == "at most" else there == wanted


def see_what_it_says(item: Span, relation: str, wanted: int) -> None:
    """See that a number says something."""
    if relation == "at least" and wanted == 0:
        raise ClaimUnclear(f"`{item.text}` holds in any case", item, "says nothing", "say how many there are, or `no`")


def _compare(looking: _Looking, claim: s.Sees, item: Span, relation: str, wanted: int, there: int) -> None:
    see_what_it_says(item, relation, wanted)
    if not compares(relation, there, wanted):
        message = f"{claim.who.text} should see {item.text.strip()} in {claim.place.text}, and sees {there or 'none'}"
        raise ClaimFails(message, item, looking.told())


def _does_not_see(looking: _Looking, claim: s.Sees, item: Span) -> None:
    """It is there, and the seat cannot tell."""
    found = _ITEM.match(item.text)
    assert found is not None
    what = part(item, found.end())
    everything = looking.everything()
    if _is_kind(looking, what):
        fitting, known = everything, looking.seen()
    else:
        indices = _types(looking, what, claim)
        fitting = [each for each in everything if (each.kind, each.index) in indices]
        known = [each for each in looking.seen() if (each.kind, each.index) in indices and each.is_known]
    if not fitting:
        message = f"there is no `{what.text}` in {claim.place.text}, so nobody could see it"
        raise ClaimFails(message, item, "not there")
    if known:
        raise ClaimFails(f"{claim.who.text} does see `{what.text}` in {claim.place.text}", item, looking.told())


def _is_kind(looking: _Looking, what: Span) -> bool:
    """Whether words are only the name of a kind: `cards`."""
    said = words(what.text)
    return bool(said) and any(all(w in looking.names._kind_words(kind) for w in said) for kind in looking.kinds())


def _types(looking: _Looking, what: Span, claim: s.Sees) -> set[tuple[str, int]]:
    phrase = looking.names.phrase(what, looking.kinds(), whole_kind=True, places=looking.slots)
    if phrase is None:
        hint = looking.names.phrase_hint(what.text, looking.kinds())
        raise ClaimUnclear(f"`{what.text}` is nothing that {claim.place.text} can hold", what, "unknown", hint)
    return {(phrase.kind, index) for index in phrase.types}


def _fitting(looking: _Looking, what: Span, claim: s.Sees, seen: Sequence[_Lying]) -> list[_Lying]:
    """What words mean of what is seen: by its name where the seat knows it, by its back where not."""
    said = {w for w in words(what.text) if w not in FILLERS}
    backs = [each for each in seen if not each.is_known and _is_back(said, each.back)]
    if backs:
        return backs
    types = _types(looking, what, claim)
    return [each for each in seen if each.is_known and (each.kind, each.index) in types]


def _is_back(said: set[str], back: str) -> bool:
    known = {w for word in words(back) for w in (word, *singulars(word))}
    return all(w in known or known & set(singulars(w)) for w in said)
