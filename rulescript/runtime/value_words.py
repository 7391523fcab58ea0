"""Which words of a line name a value: a thing, a piece with its state, a number; with and without its place.

In come a value and the words that are left of a line; out come readings, each with the words it uses up and how much of
the value's own name it leaves unsaid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulescript.errors import BadChoice
from rulescript.wording.lexicon import FILLERS, Tokens, words

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.wording.lexicon import Lexicon

__all__ = [
    "MOST_READINGS",
    "MOST_REPEATS",
    "Reading",
    "Unclear",
    "counted_tokens",
    "names_said",
    "runs_in",
    "said_beside",
    "says_value",
    "slot_of",
    "value_readings",
    "with_context",
    "words_about",
]

MOST_READINGS = 20_000
MOST_REPEATS = 60


class Unclear(BadChoice):
    """A line that fits several answers equally well."""


@frozen
class Reading:
    used: Counter[str]
    unsaid: int


def counted_tokens(line: str) -> list[Tokens]:
    """The words of a line, as often as its numbers say and, if that makes a difference, each once."""
    first, second = Tokens.of(line, True), Tokens.of(line, False)
    return [first] if first.count == second.count and first.free == second.free else [first, second]


def says_value(game: Game, value: Any, type_: Any, state: list[Any], text: str) -> bool:
    """Whether a text (`Ruritanian infantry in Mill`) is a way to name a value."""
    tokens = Tokens.of(text, repeat=False)
    return any(tokens.without(r.used).is_used_up for r in value_readings(game, value, type_, state, tokens))


def value_readings(game: Game, value: Any, type_: Any, state: list[Any], tokens: Tokens) -> Iterator[Reading]:
    """The ways in which words of a line may name a value; with and without the place it stands in."""
    lexicon = game.lexicon
    own: list[Reading] = []
    match type_:
        case ["thing", kind]:
            # The longest way first: a label may say more than the name does.
            for way in sorted(lexicon.ways(kind, value), key=len, reverse=True):
                used = tokens.has(way)
                if used and all(used != reading.used for reading in own):
                    own.append(Reading(used, 0))
        case ["piece", kind]:
            own += _piece_readings(game, kind, value & game.values.low, tokens)
        case ["maybe", inner] if value is not None:
            yield from value_readings(game, value, inner, state, tokens)
            return
        case _:
            used = tokens.has(words(game.values.name(value, type_)))
            if used:
                own.append(Reading(used, 0))
    slot = slot_of(game, value, type_, state)
    place = _place_words(game, slot) if slot >= 0 else set()
    for reading in own:
        more = tokens.without(reading.used).any_of(place)
        if more:
            yield Reading(reading.used + more, reading.unsaid)
        yield reading


def with_context(
    readings: Iterable[Reading], tokens: Tokens, context: Collection[str], names: Counter[str]
) -> Iterator[Reading]:
    """The readings with the words that may be said with any of them used up, too; each once. Names may as well be those
    of what is picked later, so each is tried with and without."""
    seen: set[tuple[tuple[str, int], ...]] = set()
    for reading in readings:
        rest = tokens.without(reading.used)
        for beside in (rest.any_of(context), said_beside(rest, context, names)):
            used = reading.used + beside
            key = tuple(sorted(used.items()))
            if key not in seen:
                seen.add(key)
                yield Reading(used, reading.unsaid)


def _piece_readings(game: Game, kind: str, code: int, tokens: Tokens) -> list[Reading]:
    found: list[Reading] | None = tokens.said_of.get((kind, code))
    if found is None:
        found = tokens.said_of[kind, code] = list(_piece_reading(game, kind, code, tokens))
    return found


def _piece_reading(game: Game, kind: str, code: int, tokens: Tokens) -> Iterator[Reading]:
    """The words of a line that may name a piece. A word said of it may also belong to what comes later (the
    country a piece moves to bears the name of its nation), so each is tried with and without."""
    lexicon = game.lexicon
    info = game.data.kinds[kind]
    combo, index = divmod(code, info.types)
    choices: list[list[dict[str, str]]] = []
    for ways in lexicon.groups(kind)[index]:
        found = [said for way in ways if (said := _said(lexicon, kind, way, tokens))]
        if found:
            whole = [f for f, way in zip(found, ways, strict=False) if len(f) == len(way)]
            choices.append([*(whole or found), {}])
    for chosen in islice(product(*choices), 200):
        said = {word: token for part in chosen for word, token in part.items()}
        used = Counter(set(said.values()))
        if not said or any(tokens.count[t] < n for t, n in used.items()):
            continue
        unsaid = lexicon.unsaid(kind, index, said)
        if _named_better(lexicon, kind, index, set(said), unsaid):
            continue
        notes = 0
        plainly: list[list[str]] = []
        for state, stride, values, type_, start in info.states:
            at = combo // stride % len(values)
            value = [] if type_ == ["bool"] else words(game.values.name(values[at], type_))
            if at != start:
                called = words(state)
                runs = {(word, number) for word in called for number in value}
                value = [word for word in value if not tokens.is_amount(word, runs)]
                told = tokens.without(used).any_of([*called, *value])
                used, notes = (used + told, notes) if told else (used, notes + 1)
            else:
                plainly.append([*words(state), *(value or ["not"])])
        also = _said_as_well(plainly, tokens.without(used))
        if also:
            yield Reading(used + also, unsaid + notes)
        yield Reading(used, unsaid + notes)


def _said_as_well(states: Iterable[list[str]], tokens: Tokens) -> Counter[str]:
    """What a line says of states in which a piece is from the start: `(steps 0)`, `(not moved)`. It need not, so the
    whole of it must be there."""
    used: Counter[str] = Counter()
    for state in states:
        used += tokens.without(used).has(state) or Counter()
    return used


def _said(lexicon: Lexicon, kind: str, way: tuple[str, ...], tokens: Tokens) -> dict[str, str]:
    """The words of a way to say something that are in the line, and what was typed for them."""
    out: dict[str, str] = {}
    for token, number in tokens.count.items():
        if number > 0 and token not in FILLERS and not tokens.is_amount(token, lexicon.number_runs(kind)):
            for word in lexicon.meant(kind, token):
                if word in way:
                    out.setdefault(word, token)
    return out


def _named_better(lexicon: Lexicon, kind: str, index: int, said: set[str], unsaid: int) -> bool:
    """Whether another type is named better by the same words: `infantry` never means the elite infantry."""
    return any(
        other != index and said <= theirs and lexicon.unsaid(kind, other, said) < unsaid
        for other, theirs in enumerate(lexicon.piece_words(kind))
    )


def words_about(game: Game, value: Any, type_: Any, state: list[Any]) -> set[str]:
    """Words that speak of a value: its own and those of its place."""
    out = set(words(game.values.name(value, type_))) | set(words(game.values.label(value, type_)))
    slot = slot_of(game, value, type_, state)
    if slot >= 0:
        out |= _place_words(game, slot)
    if type_[0] == "piece":
        out |= game.lexicon.piece_words(type_[1])[(value & game.values.low) % game.data.kinds[type_[1]].types]
    return out


def names_said(game: Game, text: str, tokens: Tokens) -> Counter[str]:
    """The words of names that a line has, whole, for things that a text calls by their labels."""
    out: Counter[str] = Counter()
    for name in game.lexicon.names_for(text):
        used = tokens.without(out).has(name)
        out += used if used is not None else Counter()
    return out


def said_beside(tokens: Tokens, context: Collection[str], names: Counter[str]) -> Counter[str]:
    """What a line says besides: words of the context, once each, and those of names."""
    used = tokens.any_of(context)
    return used + (tokens.without(used).count & names)


def slot_of(game: Game, value: Any, type_: Any, state: list[Any]) -> int:
    match type_:
        case ["piece", _]:
            return int(value >> game.values.shift)
        case ["thing", kind]:
            loc = game.data.kinds[kind].loc
            return int(state[loc + value]) if loc >= 0 else -1
    return -1


def _place_words(game: Game, slot: int) -> set[str]:
    if slot not in game.values.places:
        return set()
    holds, owner = game.values.places[slot]
    out = set(words(holds.name))
    if holds.owner:
        for way in game.lexicon.ways(holds.owner, owner):
            out |= set(way)
    return out


def runs_in(told: Sequence[str], said: Sequence[str]) -> list[int]:
    """Where some words begin to stand in a text one after the other."""
    return [at for at in range(len(told) - len(said) + 1) if list(told[at : at + len(said)]) == list(said)]
