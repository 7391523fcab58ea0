"""What an example names: players, phases, things, places, values, and pieces in words.

Names are taken as people write them: spaces for underscores, labels and adjectives, `Blue control` as well as
`control Blue`. What cannot be found is reported at its place with the nearest names there are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from rulescript.calls import is_number
from rulescript.claims.evaluate import ExampleEvaluator
from rulescript.claims.parse import part, split
from rulescript.claims.problems import ClaimUnclear
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.game_data import PlaceInfo, StateInfo
from rulescript.source import Span, word_in
from rulescript.wording.lexicon import FILLERS, words

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["Names", "Phrase", "beyond", "name_hint", "type_from"]

# How many of what, and in which states.
_COUNTED = re.compile(r"^\s*(?:(?:exactly|without|minus|\d+|an?|no|all)\s+)+|\s*\([^()]*\)\s*$")
# So many positions are kept for examples that are like another.
MOST_LAYERS = 100


@frozen
class Phrase:
    """Pieces or a thing in words: `2 Ruritanian infantry (moved)`. `states` are values of the pieces' own
    states."""

    kind: str
    types: tuple[int, ...]
    is_pieces: bool
    states: tuple[tuple[str, Any], ...]
    text: str


class Layers:
    """Positions that were laid out: examples that are like another begin with the same one. The last are kept."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], tuple[Any, ...]] = {}

    def get(self, key: tuple[Any, ...]) -> tuple[Any, ...] | None:
        found = self._known.pop(key, None)
        if found is not None:
            self._known[key] = found
        return found

    def keep(self, key: tuple[Any, ...], found: tuple[Any, ...]) -> None:
        self._known[key] = found
        if len(self._known) > MOST_LAYERS:
            del self._known[next(iter(self._known))]


class Names:
    """Looks up what an example names. One serves all examples of a game, and keeps what it found."""

    def __init__(self, game: Game, evaluator: ExampleEvaluator) -> None:
        self.game = game
        self.data = game.data
        self.lexicon = game.lexicon
        self.evaluator = evaluator
        self.layers = Layers()
        self._holds: dict[tuple[str, str | None], list[PlaceInfo]] = {}
        self._states: dict[tuple[str, int | None], list[StateInfo]] = {}
        self._called: dict[tuple[str, int | None], dict[tuple[str, ...], StateInfo]] = {}
        self._said: dict[tuple[str, tuple[tuple[str, int], ...]], tuple[str, Any] | None] = {}

    @classmethod
    def of(cls, game: Game, evaluator: ExampleEvaluator) -> Names:
        """Those of a game and what reads expressions for it."""
        if evaluator.names is None or evaluator.names.game is not game:
            evaluator.names = cls(game, evaluator)
        return evaluator.names

    # -------------------------------------------------------------- players, phases

    def player(self, span: Span) -> int:
        found = self._players_called(span.text)
        if len(found) != 1:
            raise ClaimUnclear(
                f"no player is called `{span.text}`",
                span,
                "unknown",
                spelling_hint(span.text, self.game.player_names) or _players_hint(self.game.player_names),
            )
        return found[0][1]

    def is_player(self, text: str) -> bool:
        return len(self._players_called(text)) == 1

    def _players_called(self, text: str) -> Sequence[tuple[str, int]]:
        kind = self.data.players
        return self.lexicon.things(text, [kind]) if kind else []

    def phase(self, span: Span) -> str:
        """A phase of the sequence by its name or title."""
        wanted = words(span.text)
        known = list(dict.fromkeys(self.data.phases))
        for name in known:
            if words(name) == wanted or words(self.data.phase_titles.get(name) or name) == wanted:
                return str(name)
        raise ClaimUnclear(
            f"the sequence has no phase `{span.text}`",
            span,
            "unknown",
            spelling_hint(span.text, known) or f"the phases are {', '.join(known)}",
        )

    def phase_entry(self, span: Span) -> int:
        """The block a phase begins with; `movement 2` is its second place in the sequence."""
        found = re.fullmatch(r"(.*\D)\s+(\d+)", span.text)
        if found is not None:
            try:
                entries = self.phase_blocks(self.phase(part(span, 0, found.end(1))))
            except ClaimUnclear:
                return self.phase_blocks(self.phase(span))[0]
            if not 1 <= int(found[2]) <= len(entries):
                message = f"`{found[1]}` stands {len(entries)} times in the sequence"
                raise ClaimUnclear(message, span, f"there is no number {found[2]}")
            return entries[int(found[2]) - 1]
        return self.phase_blocks(self.phase(span))[0]

    def phase_blocks(self, name: str, which: int = 0) -> list[int]:
        """The blocks with which a phase begins (which 0) or ends (which 1), wherever it stands in the
        sequence."""
        return [b[which] for n, b in zip(self.data.phases, self.data.phase_blocks, strict=True) if n == name]

    # -------------------------------------------------------------- things and places

    def things(self, span: Span, kinds: Sequence[str] | None = None) -> list[tuple[str, int]]:
        text = span.text.strip()
        found = self.lexicon.things(text, kinds)
        if found:
            return found
        # `Region Mill`, where a name alone could be several things.
        head, _, rest = text.partition(" ")
        if head in self.data.kinds and (kinds is None or head in kinds):
            return self.lexicon.things(rest, [head])
        return []

    def namesakes(self, span: Span) -> list[tuple[str, int]]:
        """All that a name may mean, the likeliest first: a country, and the power that has its name as a label.
        What is said of it shows which one it is."""
        first = self.things(span)
        return list(dict.fromkeys([*first, *self.lexicon.namesakes(span.text.strip())]))

    def thing_names(self) -> list[str]:
        return [n for k in self.data.kinds.values() if not k.is_pieces for n in k.names]

    def holds_of(self, owner: str, kind: str | None = None) -> Sequence[PlaceInfo]:
        known = self._holds.get((owner, kind))
        if known is None:
            known = [h for h in self.data.holds if h.owner == owner and (kind is None or h.kind == kind)]
            self._holds[owner, kind] = known
        return known

    def place_called(self, text: str, owner: str) -> PlaceInfo | None:
        """A place by its name, or by the end of it if that fits no other: `hand` for `event_hand`."""
        wanted = words(text)
        holds = self.holds_of(owner)
        exact = next((h for h in holds if words(h.name) == wanted), None)
        if exact is not None or not wanted or self.state_called(text, owner) is not None:
            return exact
        ending = [h for h in holds if words(h.name)[-len(wanted) :] == wanted]
        return ending[0] if len(ending) == 1 else None

    def state_called(self, text: str, owner: str, thing: int | None = None) -> StateInfo | None:
        """A state by its name (see `states_of`)."""
        states = self._called.get((owner, thing))
        if states is None:
            states = self._called[owner, thing] = {}
            for state in self.states_of(owner, thing):
                states.setdefault(tuple(words(state.name)), state)
        return states.get(tuple(words(text)))

    def states_of(self, owner: str, thing: int | None = None) -> Sequence[StateInfo]:
        """The states of a kind, or the game's; with the number of a thing, also what belongs to it alone."""
        known = self._states.get((owner, thing))
        if known is not None:
            return known
        states = [e for e in self.data.states if e.kind == owner and not e.is_hidden]
        if owner and thing is not None and thing >= 0:
            own = f"{self.lexicon.name(owner, thing)}."
            states += [
                evolve(e, name=e.name.removeprefix(own))
                for e in self.data.states
                if not e.kind and e.name.startswith(own)
            ]
        self._states[owner, thing] = states
        return states

    def places(self, span: Span) -> list[int]:
        """The slots a text names: one place (`Blue.box`, `pouch`), or all places of a thing (`Mill`)."""
        text = span.text.strip()
        owner, dot, name = text.rpartition(".")
        if dot:
            inner = part(span, 0, len(owner))
            candidates = self.namesakes(inner)
            for kind, index in candidates:
                holds = self.place_called(name, kind)
                if holds is not None:
                    return [holds.slot + index]
            if not candidates:
                raise self.unknown_thing(inner)
            known = [h.name for kind, _ in candidates for h in self.holds_of(kind)]
            raise ClaimUnclear(
                f"`{owner}` has no place `{name}`",
                part(span, len(owner) + 1),
                "unknown",
                spelling_hint(name, known),
            )
        own = self.place_called(text, "")
        if own is not None:
            return [own.slot]
        for kind, index in self.things(span):
            slots = [h.slot + index for h in self.holds_of(kind)]
            if slots:
                return slots
        if self.things(span):
            raise ClaimUnclear(f"nothing can be put in `{text}`", span, "no place")
        raise self.unknown_thing(span)

    def unknown_thing(self, span: Span) -> ClaimUnclear:
        names = [*self.thing_names(), *(h.name for h in self.data.holds if not h.owner)]
        every = re.fullmatch(r"(every|each|all)\s+(\w+)", span.text.strip())
        if every is not None:
            near = spelling_hint(every[2], list(self.data.kinds))
            return ClaimUnclear(f"there is no kind `{every[2]}`", span, "unknown", near)
        hint = name_hint(span.text, names)
        return ClaimUnclear(f"nothing in the game is called `{span.text}`", span, "unknown", hint)

    # -------------------------------------------------------------- values

    def value(self, span: Span, type_: Any, position: Position) -> Any:
        """A raw value of a type, in words or as an expression."""
        text = span.text.strip()
        match type_:
            case ["int"] if re.fullmatch(r"-?\d+", text):
                return int(text)
            case ["bool"] if text.lower() in ("yes", "no"):
                return text.lower() == "yes"
            case ["text"] if re.fullmatch(r'"[^"]*"', text):
                return text[1:-1]
            case ["maybe", inner]:
                if text.lower() in ("nothing", "none", "nobody"):
                    return None
                return self.value(span, inner, position)
            case ["thing", kind]:
                found = self._thing(text, kind)
                if found is not None:
                    return found
            case ["set", inner] if text.startswith("{") and text.endswith("}"):
                mask = 0
                for item in split(part(span, 1, len(span.text) - 1)):
                    mask |= 1 << self.value(item, inner, position)
                return mask
            case ["list", inner] if text.startswith("[") and text.endswith("]"):
                return tuple(self.value(i, inner, position) for i in split(part(span, 1, len(span.text) - 1)))
        return self.evaluator.value_at(span, position, type_from(type_))

    def plain_value(self, text: str, type_: Any) -> tuple[Any] | None:
        """A value named in plain words, in brackets of its own; None if the words name none."""
        text = text.strip()
        match type_:
            case ["int"]:
                return (int(text),) if re.fullmatch(r"-?\d+", text) else None
            case ["bool"]:
                return (text.lower() == "yes",) if text.lower() in ("yes", "no") else None
            case ["thing", kind]:
                found = self._thing(text, kind)
                return (found,) if found is not None else None
            case ["maybe", inner]:
                return (None,) if text.lower() in ("nothing", "none", "nobody") else self.plain_value(text, inner)
        return None

    def _thing(self, text: str, kind: str) -> int | None:
        """The one thing of a kind that a text names. A marker may go by the names of the side it is called after:
        where `B` is another word for the player Blue, `control B` is the marker Blue."""
        found = self.lexicon.things(text, [kind])
        if not found:
            namesakes = {self.lexicon.name(*t) for t in self.lexicon.things(text)}
            found = [(kind, i) for i, name in enumerate(self.data.kinds[kind].names) if name in namesakes]
        return found[0][1] if len(found) == 1 else None

    # -------------------------------------------------------------- pieces in words

    def one_of(self, kind: str, found: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
        """The one thing that a name means, or all copies of one; empty if it could be several.

        Two decks may each have a card of one title: then it is the one that is at home with the owner of the
        places spoken of."""
        info, whose = self.data.kinds[kind], self.game.values.places
        left = list(found)
        if len({info.shown[i] for i in left}) > 1 and info.homes:
            owners = {(whose[slot][0].owner, whose[slot][1]) for slot in places}
            homes = {i: whose.get(info.homes[i]) for i in left}
            left = [i for i, home in homes.items() if home is not None and (home[0].owner, home[1]) in owners]
        return tuple(left) if len({info.shown[i] for i in left}) == 1 else ()

    def phrase(
        self, span: Span, kinds: Sequence[str], whole_kind: bool = False, places: Sequence[int] = ()
    ) -> Phrase | None:
        """What words such as `Ruritanian infantry (moved)` mean among some kinds; None if nothing fits.

        With `whole_kind`, the name of a kind (`cards`) stands for all of it, and several types may be
        meant. `places` are those that are spoken of."""
        found = re.fullmatch(r"(.*?)\s*(?:\(([^()]*)\))?", span.text.strip(), re.DOTALL)
        assert found is not None
        text, notes = found[1], found[2]
        note_span = part(span, found.start(2), found.end(2)) if notes is not None else None
        for kind in kinds:
            info = self.data.kinds[kind]
            if whole_kind and words(text) and all(w in self._kind_words(kind) for w in words(text)):
                every = tuple(range(len(info.names)))
                return Phrase(kind, every, info.is_pieces, self._notes(kind, note_span), text)
            # `Ruritanian units`: all types that the other words fit.
            said = [w for w in words(text) if w not in FILLERS]
            rest = [w for w in said if w not in self._kind_words(kind)]
            if whole_kind and info.is_pieces and len(rest) < len(said):
                fitting = tuple(self.lexicon.all_types(kind, rest))
                if fitting:
                    return Phrase(kind, fitting, True, self._notes(kind, note_span), text)
        for kind in kinds:
            if not self.data.kinds[kind].is_pieces:
                things = self.one_of(kind, [i for _, i in self.lexicon.things(text, [kind])], places)
                if things:
                    return Phrase(kind, things, False, self._notes(kind, note_span), text)
        meant: list[tuple[str, int]] = []
        for kind in kinds:
            if self.data.kinds[kind].is_pieces:
                meant += [(kind, i) for i in self.lexicon.piece_types(kind, words(text))]
        if not meant:
            return None
        if len({k for k, _ in meant}) > 1 or (len(meant) > 1 and not whole_kind):
            names = ", ".join(self.lexicon.name(*m) for m in meant[:4])
            raise ClaimUnclear(f"`{text}` could be several types of pieces", span, "which one?", f"one of: {names}")
        kind = meant[0][0]
        return Phrase(kind, tuple(i for _, i in meant), True, self._notes(kind, note_span), text)

    def name_hint(self, text: str, kind: str) -> str | None:
        """What could have been meant by words that name no thing of a kind: those spelt alike, those that have a
        word of it, or all of them where they are few."""
        names = self.data.kinds[kind].names
        hint = spelling_hint(text, names)
        if hint is None:
            said = set(words(text)) - FILLERS
            near = [n for i, n in enumerate(names) if any(said & set(way) for way in self.lexicon.ways(kind, i))]
            if near and len(near) <= 4:
                hint = f"did you mean {' or '.join(f'`{n}`' for n in near)}?"
            elif len(names) <= 12:
                hint = f"there are {', '.join(names)}"
        return hint

    def phrase_hint(self, text: str, kinds: Sequence[str], others: Sequence[str] = ()) -> str | None:
        """What could have been meant by words that name nothing of some kinds: a near spelling of the whole or of
        a word that is unknown, or else how the pieces are called."""
        pieces = [k for k in kinds if self.data.kinds[k].is_pieces]
        vocabulary = {w for k in pieces for ws in self.lexicon.piece_words(k) for w in ws}
        names = [x for k in kinds if k not in pieces for x in self.data.kinds[k].names]
        known = [*sorted(vocabulary), *names, *others]
        bare = _COUNTED.sub("", text.strip())
        unknown = [w for w in bare.split() if not self._is_said(w, kinds)]
        hint = spelling_hint(bare, known) if len(unknown) == len(bare.split()) else None
        for word in unknown:
            hint = hint or spelling_hint(word, known)
        if hint is None and pieces and len(unknown) < len(bare.split()):
            labels = list(dict.fromkeys(x for k in pieces for x in self.data.kinds[k].labels))
            more = f" and {len(labels) - 12} more" if len(labels) > 12 else ""
            hint = f"no piece is called `{' '.join(unknown)}`: there are {', '.join(labels[:12])}{more}"
        return hint

    def unknown_in(self, span: Span, kinds: Sequence[str]) -> Span:
        """The one word that is unknown among words for pieces of some kinds; all of them otherwise."""
        said = _COUNTED.sub("", span.text).split()
        unknown = [w for w in said if not self._is_said(w, kinds)]
        return word_in(span, unknown[0]) if len(unknown) == 1 else span

    def _is_said(self, word: str, kinds: Sequence[str]) -> bool:
        """Whether a word may stand in what names a piece of one of these kinds."""
        said = [w for w in words(word) if w not in FILLERS]
        pieces = [k for k in kinds if self.data.kinds[k].is_pieces]
        return all(is_number(w) or any(self.lexicon.meant(k, w) for k in pieces) for w in said)

    def _kind_words(self, kind: str) -> set[str]:
        word = kind.lower()
        plural = word[:-1] + "ies" if word.endswith("y") else word + "s"
        return {*words(kind), word, plural, word + "es"}

    def _notes(self, kind: str, span: Span | None) -> tuple[tuple[str, Any], ...]:
        """``(moved, strength 2)`` after pieces or a thing."""
        if span is None:
            return ()
        info = self.data.kinds[kind]
        if info.is_pieces:
            states = [(name, type_) for name, _, _, type_, _ in info.states]
        else:
            states = [(e.name, e.type) for e in self.states_of(kind)]
        out: list[tuple[str, Any]] = []
        for item in split(span):
            found = self.state_and_value(item, states)
            if found is None:
                hint = spelling_hint(item.text, [name for name, _ in states])
                raise ClaimUnclear(f"{kind} has no state `{item.text}`", item, "unknown", hint)
            bounds = self._bounds(kind, found[0])
            if bounds is not None and not bounds[0] <= found[1] <= bounds[1]:
                raise beyond(found[0], bounds, found[1], item)
            if any(name == found[0] for name, _ in out):
                raise ClaimUnclear(f"`{found[0]}` is said twice", item, "said twice", "leave one of them out")
            out.append(found)
        return tuple(out)

    def _bounds(self, kind: str, state: str) -> Sequence[int] | None:
        """The lowest and the highest number that a state of a kind may be; None if it is no number, or any."""
        info = self.data.kinds[kind]
        if not info.is_pieces:
            found: Sequence[int] | None = next(e.bounds for e in self.states_of(kind) if e.name == state)
            return found
        values, type_ = next((values, type_) for name, _, values, type_, _ in info.states if name == state)
        return (values[0], values[-1]) if type_ == ["int"] else None

    def state_and_value(self, item: Span, states: Sequence[tuple[str, Any]]) -> tuple[str, Any] | None:
        """``moved``, ``not moved``, ``Blue control``, ``control Blue``, ``control is Blue``; None if it is
        none."""
        # The types are the game's own and stay as long as it does.
        key = (item.text.strip(), tuple([(name, id(type_)) for name, type_ in states]))
        if key not in self._said:
            self._said[key] = self._state_and_value(key[0], states)
        return self._said[key]

    def _state_and_value(self, text: str, states: Sequence[tuple[str, Any]]) -> tuple[str, Any] | None:
        negated = re.match(r"(?:not|no)\s+(?=\S)", text)
        bare = text[negated.end() :] if negated else text
        for name, type_ in states:
            if words(bare) == words(name):
                if type_ == ["bool"]:
                    return name, negated is None
                if negated and type_[0] == "maybe":
                    return name, None
                if negated and type_ == ["int"]:
                    return name, 0
        for name, type_ in sorted(states, key=lambda x: -len(words(x[0]))):
            for form in _forms_with(name):
                found = form.fullmatch(text)
                if found is not None:
                    value = self.plain_value(found[1], type_)
                    if value is not None:
                        return name, value[0]
        return None


@lru_cache(maxsize=4096)
def _forms_with(name: str) -> tuple[re.Pattern[str], ...]:
    """How a state may be said with its value."""
    pattern = r"[\s_]+".join(map(re.escape, words(name)))
    forms = (rf"{pattern}\s+(?:is\s+|of\s+)?(.+)", rf"(.+?)\s+{pattern}")
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)


def _players_hint(names: Sequence[str]) -> str:
    return f"the players are {', '.join(names)}" if names else "this game has no `players`"


def beyond(name: str, bounds: Sequence[int], value: Any, span: Span) -> ClaimUnclear:
    """That a state can never have a value that an example gives it."""
    return ClaimUnclear(f"`{name}` goes from {bounds[0]} to {bounds[1]}, it is never {value}", span, "out of bounds")


def name_hint(text: str, names: Sequence[str]) -> str | None:
    """The names nearest to a text; failing these, longer ones that have all its words: `Land Battle` for
    `Northern Land Battle`. A name of the game is often longer than what people call the thing."""
    hint = spelling_hint(text, names)
    wanted = set(words(text))
    if hint is not None or not wanted:
        return hint
    longer = [f"`{n.replace('_', ' ')}`" for n in dict.fromkeys(names) if wanted <= set(words(n))]
    if not longer:
        return None
    told = ", ".join(longer[:4]) + (f" and {len(longer) - 4} more" if len(longer) > 4 else "")
    return f"these have the word{'s' if len(wanted) > 1 else ''} in their name: {told}"


def type_from(data: Any) -> Any:
    """A type from its plain data."""
    from rulescript.model.types import ListOf, Maybe, PieceOf, SetOf, Simple, ThingOf

    match data:
        case ["thing", kind]:
            return ThingOf(kind)
        case ["piece", kind]:
            return PieceOf(kind)
        case ["set", inner]:
            return SetOf(type_from(inner))
        case ["list", inner]:
            return ListOf(type_from(inner))
        case ["maybe", inner]:
            return Maybe(type_from(inner))
    return Simple(data[0])
