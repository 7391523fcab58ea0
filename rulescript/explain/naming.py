"""What a line of words names: things and pieces for the variables of a choice.

`move Ruritanian infantry from Mill to Castle` is read against the choice's own names, whatever order they
are asked in: each variable takes the words that can name something of its kind, so that as few words as
possible are left over. Nothing is judged here: what is named need not be allowed, nor even be there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import islice, product
from typing import Any
from weakref import WeakKeyDictionary

from attrs import field, frozen

from rulescript.calls import is_signed_number
from rulescript.explain.env import Env
from rulescript.explain.evaluate import free_locals
from rulescript.explain.onlooker import Onlooker
from rulescript.game_data import AlternativeInfo
from rulescript.model import ir
from rulescript.model.types import INT, PieceOf, ThingOf, Type, element_of
from rulescript.wording.lexicon import FILLERS, singulars, words

__all__ = ["Line", "Named", "Namer", "Reading", "read_line"]

# A place, the pieces in it, and what it may be called.
_Place = tuple[int, list[int], list[list[str]]]
TRIED = 4000
MOST_SPOTS = 40


@frozen
class Line:
    """The words of a line, in order, lower case; `after` is the small word before each ("from", "to")."""

    words: tuple[str, ...]
    after: tuple[str, ...]
    # For each word what it may mean, itself or what it is the plural of; all of that together, and with small words.
    meant: tuple[frozenset[str], ...] = field(init=False, repr=False, eq=False)
    all_meant: frozenset[str] = field(init=False, repr=False, eq=False)
    all_known: frozenset[str] = field(init=False, repr=False, eq=False)

    @meant.default
    def _meant(self) -> tuple[frozenset[str], ...]:
        return tuple(frozenset((word, *singulars(word))) for word in self.words)

    @all_meant.default
    def _all_meant(self) -> frozenset[str]:
        return frozenset().union(*self.meant)

    @all_known.default
    def _all_known(self) -> frozenset[str]:
        return self.all_meant | FILLERS

    @classmethod
    def of(cls, text: str) -> Line:
        said, after = [], []
        small = ""
        for word in words(text):
            if word in FILLERS:
                small = word
            else:
                said.append(word)
                after.append(small)
                small = ""
        return cls(tuple(said), tuple(after))

    def has_all(self, wanted: Iterable[str]) -> bool:
        """Whether some words are there at all; small ones are not looked for."""
        return self.all_known.issuperset(wanted)

    def find(self, wanted: Sequence[str], taken: frozenset[int] = frozenset()) -> frozenset[int] | None:
        """Where some words stand first; None if one is missing."""
        return next(self.spots(wanted, taken), None)

    def spots(self, wanted: Sequence[str], taken: frozenset[int] = frozenset()) -> Iterator[frozenset[int]]:
        """Everywhere some words stand together; if they do nowhere, then wherever each stands first."""
        # A line has lost its small words, so those of a name are not looked for.
        if not self.all_known.issuperset(wanted):
            return
        wanted = [w for w in wanted if w not in FILLERS]
        if not wanted:
            return
        size = len(wanted)
        together = False
        for at in range(len(self.words) - size + 1):
            if all(w in meant for w, meant in zip(wanted, self.meant[at : at + size], strict=True)):
                places = frozenset(range(at, at + size))
                if not places & taken:
                    together = True
                    yield places
        if together or size == 1:
            return
        out: set[int] = set()
        for word in wanted:
            at = next((i for i, m in enumerate(self.meant) if word in m and i not in taken and i not in out), -1)
            if at < 0:
                return
            out.add(at)
        yield frozenset(out)


def words_of(text: str) -> list[str]:
    return [w for w in words(text) if w not in FILLERS]


@frozen
class Named:
    """What a variable may stand for: raw values (pieces that are alike to the words), or a piece that is
    nowhere to be found (`absent` says it in words; `looked`: where the viewer sees all there is)."""

    values: tuple[Any, ...]
    places: frozenset[int]
    absent: str = ""
    hint: int = 0
    placed: bool = False
    looked: bool = True


@frozen
class Reading:
    """A line read against one way to answer. `left` are the words that named nothing; `told` are those that the
    names and the text of this way account for, `absent` how many names are of pieces that are nowhere."""

    alt: ir.Alt
    named: dict[int, Named]
    left: tuple[str, ...]
    used: int
    by_label: bool
    told: int = 0
    absent: int = 0
    order: int = 0


class Namer:
    """Finds what words can name in one position. While it is used the position does not change: what was found for one
    way to answer is there for the next."""

    def __init__(self, eyes: Onlooker) -> None:
        self.eyes = eyes
        self.data = eyes.game.data
        self.values = eyes.game.values
        self._known: dict[tuple[Type, Line], list[Named]] = {}

    def candidates(self, type_: Type, line: Line) -> Sequence[Named]:
        """Everything of a type that some words of the line can name."""
        known = self._known.get((type_, line))
        if known is None:
            known = self._known[type_, line] = self._candidates(type_, line)
        return known

    def _candidates(self, type_: Type, line: Line) -> list[Named]:
        match type_:
            case ThingOf(kind):
                return list(self._things(kind, line))
            case PieceOf(kind):
                return list(self._pieces(kind, line))
        if type_ == INT:
            return [Named((int(w),), frozenset({i})) for i, w in enumerate(line.words) if is_signed_number(w)]
        return []

    def _things(self, kind: str, line: Line) -> Iterator[Named]:
        lexicon = self.eyes.game.lexicon
        known = line.all_known
        found: dict[frozenset[int], list[int]] = {}
        for index in range(len(self.data.kinds[kind].names)):
            ways = [way for way in lexicon.ways(kind, index) if known.issuperset(way)]  # for most there is none
            for place in {spot for way in ways for spot in line.spots(way)} if ways else ():
                found.setdefault(place, []).append(index)
        for place, indices in found.items():
            yield Named(tuple(indices), place)

    def _pieces(self, kind: str, line: Line) -> Iterator[Named]:
        """Pieces by the words of their type, with or without the place they stand in."""
        lexicon = self.eyes.game.lexicon
        known = lexicon.piece_words(kind)
        meant = [lexicon.meant(kind, w) if not is_signed_number(w) else frozenset() for w in line.words]
        spots: dict[frozenset[int], None] = {}
        for own in known:
            spots.update(dict.fromkeys(self._parts(own, meant)))
        slots = [s for s, (holds, _) in self.values.places.items() if holds.kind == kind] if spots else []
        places = [(slot, self._refs(kind, slot), self._ways_to(slot, line)) for slot in slots]
        # Most places are empty, and not spoken of.
        places = [each for each in places if each[1] or each[2]]
        in_state = self._in_state(kind, places, line) if spots else None
        for part in sorted(spots, key=len, reverse=True)[:MOST_SPOTS]:
            types = {index for index, own in enumerate(known) if all(meant[at] & own for at in part)}
            if in_state is not None and not part & in_state[0]:
                note = " ".join(line.words[at] for at in sorted(in_state[0]))
                yield from self._placed(kind, types, part | in_state[0], slots, in_state[1], line, note)
            yield from self._placed(kind, types, part, slots, places, line)

    def _in_state(self, kind: str, places: Sequence[_Place], line: Line) -> tuple[frozenset[int], list[_Place]] | None:
        """``foot (steps 2)``: where the line says the numbers that pieces have, and in each place those that have them;
        None if it says none. Only pieces that the viewer knows are looked at, so the answer tells nothing more."""
        said: list[tuple[int, Sequence[Any], int]] = []
        taken: frozenset[int] = frozenset()
        info = self.data.kinds[kind]
        for name, stride, values, _, _ in info.states:
            for spot in line.spots(words_of(name)):
                number = max(spot) + 1
                if number < len(line.words) and is_signed_number(line.words[number]):
                    said.append((stride, values, int(line.words[number])))
                    taken |= spot | {number}
        if not said:
            return None

        def fits(ref: int) -> bool:
            combo = (ref & self.values.low) // info.types
            return all(values[combo // stride % len(values)] == wanted for stride, values, wanted in said)

        return taken, [(slot, [ref for ref in held if fits(ref)], ways) for slot, held, ways in places]

    @staticmethod
    def _parts(known: frozenset[str], meant: Sequence[frozenset[str]]) -> Iterator[frozenset[int]]:
        """Where a line may speak of a type: each word for it once, since one that comes twice may name something else
        the second time; and all but one of them, since the country a piece goes to may bear the name of its nation."""
        groups: dict[frozenset[str], list[int]] = {}
        for at, said in enumerate(meant):
            if said & known:
                groups.setdefault(said & known, []).append(at)
        if not groups:
            return
        each = list(groups.values())
        for chosen in product(*each):
            yield frozenset(chosen)
        for left_out in range(len(each)) if len(each) > 1 else ():
            for chosen in product(*each[:left_out], *each[left_out + 1 :]):
                yield frozenset(chosen)

    def _placed(
        self,
        kind: str,
        types: set[int],
        spots: frozenset[int],
        slots: Sequence[int],
        places: Sequence[_Place],
        line: Line,
        note: str = "",
    ) -> Iterator[Named]:
        """Pieces of some types: in each of the places that are spoken of, and wherever they are."""
        everywhere: list[int] = []
        info = self.data.kinds[kind]
        # Of several types, what was said that they have in common.
        said = " ".join(line.words[at] for at in sorted(spots))
        label = f"{info.labels[min(types)]}{f' ({note})' if note else ''}" if len(types) == 1 else said
        for slot, held, ways in places:
            refs = [ref for ref in held if (ref & self.values.low) % info.types in types]
            everywhere += refs
            for where in {spot for way in ways for spot in line.spots(way, spots)}:
                hint = sum(line.after[i] in ("from", "in", "at", "on") for i in where)
                absent = "" if refs else f"{label} in {self.values.place_label(slot)}"
                yield Named(tuple(refs), spots | where, absent, hint, True, self._sees_all(kind, [slot]))
        looked = bool(everywhere) or self._sees_all(kind, slots)
        yield Named(tuple(everywhere), spots, "" if everywhere else label, looked=looked)

    def _ways_to(self, slot: int, line: Line) -> list[list[str]]:
        """What a place may be called, as far as the line has the words."""
        holds, owner = self.values.places[slot]
        own = words_of(holds.name)
        if not holds.owner:
            return [own] if line.has_all(own) else []
        ways = [list(way) for way in self.eyes.game.lexicon.ways(holds.owner, owner) if line.has_all(way)]
        return ways + [[*way, *own] for way in ways] if line.has_all(own) else ways

    def _sees_all(self, kind: str, slots: Sequence[int]) -> bool:
        return all(self.eyes.sees(slot) for slot in slots) and not self.eyes.face_down(kind, slots)

    def listed(self, many: tuple[str, ir.X | None, ir.Var, ir.X], line: Line) -> frozenset[int]:
        """The words that can belong to a list of things or pieces: names, places, numbers."""
        element = element_of(many[3].type)
        taken = {i for i, w in enumerate(line.words) if is_signed_number(w)}
        for named in self.candidates(element, line) if element is not None else ():
            taken |= named.places
        return frozenset(taken)

    def _refs(self, kind: str, slot: int) -> list[int]:
        """The pieces in a place, as far as the viewer may look."""
        pile = self.values.pile(kind, self.eyes.S[slot])
        refs = [slot << self.values.shift | code for code, _ in pile]
        return [ref for ref in refs if self.eyes.knows_place(PieceOf(kind), ref)]


def is_way(alt: ir.Alt, info: AlternativeInfo) -> bool:
    """Whether an alternative is the one that a decision's data speak of."""
    return alt.label == info.label and alt.version == info.version


_literal: WeakKeyDictionary[ir.Alt, frozenset[str]] = WeakKeyDictionary()


def literal_words(alt: ir.Alt) -> frozenset[str]:
    """The words an alternative is known by: its label, and what its text says around the names."""
    found = _literal.get(alt)
    if found is None:
        texts = [part for part in alt.text.parts if isinstance(part, str)] if alt.text is not None else []
        found = _literal[alt] = frozenset(word for text in (alt.label, *texts) for word in words_of(text))
    return found


def worked_out_words(eyes: Onlooker, alt: ir.Alt, named: dict[int, Named], fixed: dict[int, Any]) -> set[str]:
    """What an alternative's text says beside the names, once they are known: the side and the arm of
    "Raise {side.adjective} {arm_of(r)} in {r}". What the viewer may not see is not said."""
    picks = {var.ident: var for var, _ in alt.picks}
    known = fixed | {i: one.values[0] for i, one in named.items() if len(one.values) == 1}
    out: set[str] = set()
    for part in alt.text.parts if alt.text is not None else ():
        if isinstance(part, str) or (isinstance(part, ir.Local) and part.var.ident in picks):
            continue
        needed = picks.keys() & free_locals(part).keys()
        env = Env.of([(picks[i], known[i]) for i in needed if i in known])
        if needed <= known.keys() and not eyes.hidden(part, env):
            try:
                out |= set(words_of(eyes.words(eyes.value(part, env), part.type)))
            except Exception:  # a text is only worked out for what may be chosen: for another it may make no sense
                continue
    return out


def small_words(alt: ir.Alt) -> dict[int, str]:
    """The small word that an alternative's text has before each name.

    With "Muster {t} in {r}", what stands after "in" is where the piece goes rather than where it is."""
    out: dict[int, str] = {}
    before = ""
    for part in alt.text.parts if alt.text is not None else ():
        if isinstance(part, str):
            before = (words(part) or [""])[-1]
        elif isinstance(part, ir.Local) and before in FILLERS:
            out[part.var.ident] = before
    return out


def _apart(
    choices: Sequence[Sequence[Named | None]], taken: frozenset[int] = frozenset()
) -> Iterator[tuple[tuple[Named | None, ...], frozenset[int]]]:
    """One of each, so that no word is used twice; with all the words that are used."""
    if not choices:
        yield (), taken
        return
    for one in choices[0]:
        if one is None:
            for rest, used in _apart(choices[1:], taken):
                yield (None, *rest), used
        elif not one.places & taken:
            for rest, used in _apart(choices[1:], taken | one.places):
                yield (one, *rest), used


def read_line(namer: Namer, alt: ir.Alt, line: Line, extra: Set[str], fixed: dict[int, Any]) -> Reading:
    """A line as an answer of one kind; always gives a reading, however little of the line it explains.

    `extra` are words that may stand in any line (names of the choice, its variables and places); `fixed` are
    values that were picked before."""
    eyes = namer.eyes
    variables = [var for var, _ in alt.picks]
    choices: list[list[Named | None]] = []
    for var in variables:
        options: list[Named | None] = [*namer.candidates(var.type, line)]
        options.sort(key=lambda n: (-len(n.places), n.placed) if n is not None else (0, False))
        choices.append([*options[:60], None])
    own = literal_words(alt)
    literal = frozenset(i for i, word in enumerate(line.words) if word in own)
    small = small_words(alt)
    best: tuple[tuple[int, ...], dict[int, Named], frozenset[int]] | None = None
    for chosen, taken in islice(_apart(choices), TRIED):
        named = {v.ident: one for v, one in zip(variables, chosen, strict=True) if one is not None}
        firsts = [min(one.places) for one in chosen if one is not None]
        order = sum(a > b for a, b in zip(firsts, firsts[1:], strict=False))
        here = sum(bool(one.values) for one in named.values())
        agrees = sum(fixed[i] in one.values for i, one in named.items() if i in fixed)
        hints = sum(one.hint for one in named.values())
        hints += sum(line.after[min(one.places)] == small.get(i) for i, one in named.items())
        # A word of the option's own text ("Land {t} in Mill") is not where a piece stands, if none stands there.
        mistaken = sum(not one.values and bool(one.places & literal) for one in named.values())
        score = (len(taken | literal), -mistaken, len(taken), hints, agrees, len(named), -order, here)
        if best is None or score > best[0]:
            best = (score, named, taken)
    assert best is not None
    _, named, taken = best
    if alt.many is not None:
        taken |= namer.listed(alt.many, line)
    rest = [(i, w) for i, w in enumerate(line.words) if i not in taken]
    by_label = any(w in words_of(alt.label) for _, w in rest) or bool(own & {w for _, w in rest})
    said = own | extra | worked_out_words(eyes, alt, named, fixed)
    left = tuple(w for _, w in rest if w not in said)
    absent = sum(not one.values for one in named.values())
    return Reading(alt, named, left, len(taken), by_label, len(taken | literal), absent)
