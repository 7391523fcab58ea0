"""Whether answers go the way that a line says. The words of `from A to B` alone fit the way back as well.

In come answers whose words a line has; what it says of direction and place, and by the names of other ways to answer,
speaks for or against them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulescript.calls import is_signed_number
from rulescript.errors import RulescriptError
from rulescript.game_data import AlternativeInfo
from rulescript.runtime.value_words import Unclear, runs_in, slot_of
from rulescript.wording.lexicon import words

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["DECLINING", "Path", "is_declining", "is_meant", "path_text", "unclear"]

Path = tuple[tuple[int, Any], ...]
DECLINING = frozenset(["pass", "stop", "no", "none", "done", "decline", "nothing", "end"])


def is_declining(alt: AlternativeInfo) -> bool:
    """Whether an alternative is a way not to do anything."""
    return alt.form == "plain" and (bool(alt.effect) or alt.label in DECLINING)


_FROM_TO = re.compile(r"\b(?:from|in|at|on)\s+(.+?)\s+(?:to|into|onto)\s+(.+)$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+(.+)$", re.IGNORECASE)
_PREPOSITIONS = frozenset(
    ["from", "to", "into", "onto", "in", "at", "on", "with", "against", "by", "via", "through", "over", "for", "under"]
)
_STANDING = re.compile(r"(?:^|\s)(?:in|at)\s+(.+)$", re.IGNORECASE)
_GOING = ("to", "into", "onto")
_NUMBER_TO = re.compile(r"\b(\d+)\s+(?:to|into)\s+(?:an?\s+)?(\d+)\b", re.IGNORECASE)


def is_meant(position: Position, path: Path, line: str) -> bool:
    """Whether a path whose words a line has goes the way that it says."""
    return not (
        _is_backwards(position, path, line)
        or _is_another_way(position, path, line)
        or _goes_where_it_should_be(position, path, line)
        or _stands_where_it_should_go(position, path, line)
        or _has_another_number(position, path, line)
    )


def _is_another_way(position: Position, path: Path, line: str) -> bool:
    """Whether a line says the name of another way of the choice than the path takes: a choice goes by the name of
    its first way, but `march Ada` is not the beginning of what `lead` does."""
    block, raw = path[0]
    info = position.game.data.decisions[block]
    taken = info.alts[info.split(raw)[0]]
    own = words(taken.label)
    said = set(words(line))
    if said.issuperset(own) or is_declining(taken):  # `decline the march` is no march
        return False
    others = [way for alt in info.alts if (way := words(alt.label)) != own and way and said.issuperset(way)]
    told = set(words(path_text(position, path))) if others else set()
    return any(not told.issuperset(way) for way in others)


def _is_backwards(position: Position, path: Path, line: str) -> bool:
    """Whether a line says `from A to B` and the path goes from B to A, or `from A` and it goes to A: the words alone
    fit both."""
    game = position.game
    numbers = _NUMBER_TO.search(line)
    if numbers is not None:
        said = [int(numbers[1]), int(numbers[2])]
        if [n for n in _numbers_in(game, path) if n in said] == said[::-1] != said:
            return True
    if _is_crosswise(position, path, line):
        return True
    match = _FROM_TO.search(line)
    only = _FROM.search(line) if match is None else None
    if match is not None:
        source, target = set(words(match[1])), set(words(match[2]))
    elif only is not None and not _FROM.search(path_text(position, path)):
        return _goes_where_it_comes_from(position, path, set(words(only[1])))
    else:
        return False
    starts, ends = False, False
    for block, raw in path:
        info = game.data.decisions[block]
        at, value = info.split(raw)
        alt = info.alts[at]
        if not alt.vars:
            continue
        stage = info.stage if alt.form == "pick" else 0
        type_ = alt.many[1] if alt.form == "many" else alt.types[stage]
        slot = slot_of(game, value, type_, position.s)
        if slot >= 0 and slot in game.values.places and game.values.places[slot][0].owner:
            holds, owner = game.values.places[slot]
            ways = [set(way) for way in game.lexicon.ways(holds.owner, owner)]
            starts |= any(w <= target for w in ways) and not any(w <= source for w in ways)
        elif type_[0] == "thing":
            ways = [set(way) for way in game.lexicon.ways(type_[1], value)]
            ends |= any(w <= source for w in ways) and not any(w <= target for w in ways)
    return starts and ends


def _is_crosswise(position: Position, path: Path, line: str) -> bool:
    """Whether a line has the names of an option the other way round: `attack Mill from Ford` is not "Attack Ford from
    Mill". After one and the same preposition stands, in each of the two, what the other has elsewhere."""
    said = words(line)
    if not _PREPOSITIONS & set(said):
        return False
    text = words(path_text(position, path).rpartition(", ")[2])
    for preposition in _PREPOSITIONS & set(said) & set(text):
        if said.count(preposition) > 1 or text.count(preposition) > 1:
            continue
        meant, rest = _after(text, preposition, len(text))
        named, others = _after(said, preposition, len(meant))
        # Of a long name the line may have only a part, and parts that both names share say nothing.
        own, missing = set(named) - set(meant), set(meant) - set(named)
        if own and own <= set(rest) and missing & set(others):
            return True
    return False


def _after(said: list[str], preposition: str, most: int) -> tuple[list[str], list[str]]:
    """What stands after a preposition, up to the next one and at most so many words; and all else."""
    start = said.index(preposition) + 1
    end = start
    while end < len(said) and end - start < most and said[end] not in _PREPOSITIONS:
        end += 1
    return said[start:end], [*said[: start - 1], *said[end:]]


def _goes_where_it_comes_from(position: Position, path: Path, source: set[str]) -> bool:
    """Whether a line says `from A`, and what is picked neither is nor stands in A, but goes there in the end."""
    game = position.game
    last = False
    for block, raw in path:
        info = game.data.decisions[block]
        at, value = info.split(raw)
        alt = info.alts[at]
        if alt.form != "pick":
            return False
        type_ = alt.types[info.stage]
        slot = slot_of(game, value, type_, position.s)
        holds, owner = game.values.places.get(slot, (None, 0))
        stands = game.lexicon.ways(holds.owner, owner) if holds is not None and holds.owner else ()
        named = game.lexicon.ways(type_[1], value) if type_[0] == "thing" else ()
        if last or any(source.issuperset(way) for way in stands):
            return False
        last = any(source.issuperset(way) for way in named)
    return last and len(path) > 1


def _goes_where_it_should_be(position: Position, path: Path, line: str) -> bool:
    """Whether a line says `in A`, and of the path, in its own words, only something goes to A."""
    found = _STANDING.search(line)
    if found is None:
        return False
    named = _first_name(words(found[1]))
    told = [word for word in words(path_text(position, path)) if word != "the"]
    there = runs_in(told, named) if named else []
    return bool(there) and all(at and told[at - 1] in _GOING for at in there)


def _stands_where_it_should_go(position: Position, path: Path, line: str) -> bool:
    """Whether a line says `to A`, and of the path nothing is A or goes there, but something that is picked stands in A:
    `march the guard to Mill` does not send the one in Mill to Ford."""
    said = words(line)
    goals = [set(name) for at, word in enumerate(said) if word in _GOING and (name := _first_name(said[at + 1 :]))]
    if not goals:
        return False
    told = [word for word in words(path_text(position, path)) if word != "the"]
    gone_to = [set(_first_name(told[at + 1 :])) for at, word in enumerate(told) if word in _GOING]
    picked, stood_in = _picked_and_places(position, path)
    return any(
        any(goal.issuperset(way) for way in stood_in)
        and not any(goal.issuperset(way) for way in picked)
        and not any(goal <= there for there in gone_to)
        for goal in goals
    )


def _picked_and_places(position: Position, path: Path) -> tuple[list[Sequence[str]], list[Sequence[str]]]:
    """How one says the things that a path picks, and whose places they, and the pieces it picks, stand in."""
    game = position.game
    picked: list[Sequence[str]] = []
    places: list[Sequence[str]] = []
    for block, raw in path:
        info = game.data.decisions[block]
        at, value = info.split(raw)
        alt = info.alts[at]
        if alt.form != "pick":
            continue
        type_ = alt.types[info.stage]
        picked += game.lexicon.ways(type_[1], value) if type_[0] == "thing" else ()
        holds, owner = game.values.places.get(slot_of(game, value, type_, position.s), (None, 0))
        places += game.lexicon.ways(holds.owner, owner) if holds is not None and holds.owner else ()
    return picked, places


def _first_name(said: Sequence[str]) -> list[str]:
    """The words up to the next preposition."""
    end = next((at for at, word in enumerate(said) if word in _PREPOSITIONS), len(said))
    return [word for word in said[:end] if word != "the"]


def _has_another_number(position: Position, path: Path, line: str) -> bool:
    """Whether a line says a number that the path, which picks numbers and nothing else, does not have: `buy 1 cards` is
    not "Buy 2 cards", though that be all there is. Where something is picked that can be counted, it may be its
    number."""
    if len(_numbers_in(position.game, path)) < len(path):
        return False
    said = {word for word in words(line) if is_signed_number(word)}
    return bool(said) and not said.issubset(words(path_text(position, path)))


def _numbers_in(game: Game, path: Path) -> list[int]:
    """The numbers a path picks, in the order of the choice."""
    out: list[int] = []
    for block, raw in path:
        info = game.data.decisions[block]
        at, value = info.split(raw)
        alt = info.alts[at]
        if alt.form == "pick" and alt.types[info.stage] == ["int"]:
            out.append(value)
    return out


def path_text(position: Position, path: Path) -> str:
    trial = position.clone()
    texts = []
    for block, raw in path:
        if trial.d != block:
            break
        texts.append(trial.game.option(block, raw, trial.s, offered=trial.o).text)
        if (block, raw) != path[-1]:
            try:
                trial._take(raw)
            except RulescriptError:
                break  # what comes then is no choice of this line: chance that nobody has settled yet
    return ", ".join(texts)


def unclear(position: Position, line: str, means: str, paths: Sequence[Path]) -> Unclear:
    """The refusal of a line that fits several answers."""
    texts = " or ".join(f"`{path_text(position, path)}`" for path in paths[:3])
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return Unclear(f"`{line}` {means} {texts}{more}", hint="say more")
