"""Answers given as text: a key, the words of an option, or a whole choice in one line.

`move Ruritanian infantry from Mill to Castle` is matched against what can be asked now. All words of the
line must be used up (small ones such as "to" need not be), by one option after the other: a choice that is
asked name by name is walked through, several pieces are picked one by one, and a name that leaves no choice
need not be said. Where two answers fit equally well the line is refused and both are named; a line never
picks for its writer.

If no single choice fits, a list (`advance to Castle infantry, 2 guns`) is tried as several choices in a row
that share what is said before or after the list.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, islice, product
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulescript.calls import is_number
from rulescript.errors import BadChoice, RulescriptError
from rulescript.game_data import AlternativeInfo, DecisionInfo
from rulescript.runtime.chance import Script
from rulescript.runtime.options import options_of
from rulescript.runtime.workshop import workshop
from rulescript.wording.lexicon import FILLERS, Tokens, words

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Decision, Option, Position
    from rulescript.runtime.selections import Selection
    from rulescript.wording.lexicon import Lexicon

__all__ = [
    "DECLINING",
    "FILLERS",
    "Path",
    "Unclear",
    "after_part",
    "choose_several",
    "choose_text",
    "find_answer",
    "is_declining",
    "match_line",
    "no_such",
    "picked_by",
    "says_value",
    "selection_named",
    "selection_readings",
    "unsaid_by",
    "words",
]

DECLINING = frozenset(["pass", "stop", "no", "none", "done", "decline", "nothing", "end"])
MOST_READINGS = 20_000
MOST_REPEATS = 60
# What is left unsaid by the name of a way alone, and by a part of a text: what names something comes first.
ONLY_A_WAY = 3
PART_OF_A_TEXT = 4

Path = tuple[tuple[int, Any], ...]
# Answers that a line only begins, each with what it leaves unsaid of what it names.
Ends = list[tuple[int, Path]]


class Unclear(BadChoice):
    """A line that fits several answers equally well."""


def choose_text(position: Position, text: str) -> None:
    """Take the option (or the several steps) a text means; BadChoice and no change if there is none."""
    decision = position.decision
    assert decision is not None
    wanted = text.strip()
    if not wanted:
        raise BadChoice("an empty text is no answer; give an option, its index, its key or its text")
    for option in decision.options:
        if wanted == option.key or wanted.casefold() == option.text.casefold():
            position._take(option.raw)
            return
    path = find_answer(position, wanted)
    if path is None:
        raise _wrong_selection(position, wanted) or _too_many(position, wanted) or no_such(position, wanted)
    take_path(position, path)


def choose_several(position: Position, answer: Any) -> bool:
    """Take a whole selection, given as a list or as a selection with what was picked; False if it is neither.
    BadChoice and no change if it is not allowed."""
    from rulescript.runtime.selections import Selection, take_selection

    if isinstance(answer, Selection):
        entries: list[Any] = [answer.option(value) for value in answer.basket]
    elif isinstance(answer, list | tuple | set | frozenset):
        entries = list(answer)
    else:
        return False
    decision: Decision = position.decision  # type: ignore[assignment]
    if not decision.selections:
        raise BadChoice("a list answers a choice of several, and one is chosen here: give an option, its key or text")
    fits: list[tuple[Selection, tuple[Any, ...]]] = []
    faults: list[tuple[int, BadChoice]] = []
    for way in decision.selections:
        try:
            more = way.wholly([value for entry in entries for value in way.values_of(entry)])
        except BadChoice as problem:
            faults.append((1, problem))
            continue
        fault = way.fault(more)
        if fault is None:
            fits.append((way, more))
        else:
            faults.append((0, _not_allowed(position, way, more, fault)))
    if not fits:
        raise min(faults, key=lambda each: each[0])[1]
    if len(fits) > 1 and entries:
        ways = " or ".join(f"`{way.label.replace('_', ' ')}`" for way, _ in fits)
        raise Unclear(f"this could be picked for {ways}", hint="give options or keys")
    take_selection(position, *fits[0])
    return True


def _not_allowed(position: Position, way: Selection, more: Sequence[Any], fault: str) -> BadChoice:
    """The refusal of a whole selection."""
    named = ", ".join(
        f"{number} {way.option(value).text.partition(': ')[2]}" if number > 1 else way.option(value).text
        for value, number in Counter(more).items()
    )
    kept = position.clone()
    return BadChoice(
        f"`{named}`: {fault}" if named else fault, why=lambda: workshop().why_not_selection(kept, way, more)
    )


def _wrong_selection(position: Position, line: str) -> BadChoice | None:
    """The refusal of a line that names several of what can be picked, but not as they may be; None if it does not."""
    found = selection_named(position, line)
    if found is None:
        return None
    way, more, fault = found
    kept = position.clone()
    return BadChoice(f"`{line}`: {fault}", why=lambda: workshop().why_not_selection(kept, way, more, line))


def _too_many(position: Position, line: str) -> BadChoice | None:
    """The refusal of a line that names several of the options where one is chosen; None if it does not."""
    named = _named_apart(position, re.split(r"[,;&]|\band\b", line))
    counted = re.match(r"(\D*?)(\d+)\s+(\D+)$", line)
    if not named and counted is not None and int(counted[2]) in range(2, MOST_REPEATS):
        one = f"{counted[1]}{counted[3]}"
        named = [one] * int(counted[2]) if _named_apart(position, [one, one]) else []
    if not named:
        return None
    said = {2: "two are", 3: "three are", 4: "four are"}.get(len(named), f"{len(named)} are")
    decision: Decision = position.decision  # type: ignore[assignment]
    return BadChoice(f"`{line}`: one is due at `{decision.name.replace('_', ' ')}`, and {said} named")


def _named_apart(position: Position, parts: Sequence[str]) -> list[str]:
    """The parts of a line, if each of them alone is an answer to the one choice that is asked now."""
    said = [part.strip() for part in parts if part.strip()]
    decision: Decision = position.decision  # type: ignore[assignment]
    if len(said) < 2 or decision.selections:
        return []
    head = said[0].split()
    for shared in range(len(head)):
        before = " ".join(head[:shared])
        lines = [said[0], *(f"{before} {part}".strip() for part in said[1:])]
        try:
            if all(_one_choice(position, Tokens.of(each), each) is not None for each in lines):
                return said
        except Unclear:
            continue
    return []


def take_path(position: Position, path: Path) -> None:
    """Take the answers of a path, all of them or none. What a position takes by itself, having no choice, is passed
    over."""
    from rulescript.runtime.selections import take_selection

    work = position.clone()
    at = 0
    while at < len(path):
        if work._pending is not None:
            raise BadChoice("chance comes between the choices of this line; give one choice at a time")
        block, raw = path[at]
        at += 1
        if work.d != block:
            continue
        way, value = _way_of(work, raw)
        if way is None:
            work._take(raw)
            continue
        values, stops = [value], False
        while at < len(path) and path[at][0] == way._entry.later:
            stops = path[at][1] == -1
            values += [] if stops else [path[at][1]]
            at += 1
        take_selection(work, way, values, stops)
    position._become(work)


def _way_of(position: Position, raw: Any) -> tuple[Selection | None, Any]:
    """The selection that a raw option is an item of, and the item."""
    info = position.game.data.decisions[position.d]
    if not info.selections:
        return None, None
    at, value = info.split(raw)
    if info.alts[at].form != "many":
        return None, None
    decision: Decision = position.decision  # type: ignore[assignment]
    return next(way for way in decision.selections if way.alt == at), value


def no_such(position: Position, wanted: str) -> BadChoice:
    """The refusal of something that is not among the options, with its reasons for who asks for them."""
    kept = position.clone()
    decision = kept.decision
    assert decision is not None
    options: list[Any] = list(decision.options)
    shown = "; ".join(o.text for o in options[:6])
    more = f" and {len(options) - 6} more" if len(options) > 6 else ""
    return BadChoice(f"`{wanted}` is not among the options ({shown}{more})", why=lambda: kept.why_not(wanted))


def match_line(position: Position, line: str) -> list[Any] | None:
    """The raw options a line walks through, or None."""
    path = find_answer(position, line)
    return [raw for _, raw in path] if path is not None else None


def find_answer(position: Position, line: str) -> Path | None:
    """The answers a line stands for, as (decision, raw option) pairs; None if it fits nothing.

    The position is not changed. Raises Unclear when several answers fit equally well."""
    trial = _trial(position)
    decision = trial.decision
    if decision is None or decision.is_chance:
        return None
    exactly = _by_texts(trial, line.strip())
    if exactly is not None:
        return exactly
    if _is_key(trial, line.strip()):
        return None
    unclear: Unclear | None = None
    for tokens in _counted(line):
        try:
            found = _one_choice(trial, tokens, line)
        except Unclear as problem:
            unclear = unclear or problem
            continue
        if found is not None:
            return found
    if unclear is not None:
        raise unclear
    several = _several_choices(trial, line)
    if several is None and selection_named(trial, line) is None:
        _look_for_open_end(trial, line)
        return _by_part_of_text(position, line)
    return several


KEY = re.compile(r"(\w+) (\w+)=[^\s,][^,]*")


def _is_key(position: Position, line: str) -> bool:
    """Whether a line is written like the key of an option, `march r=Mill`: then it means that option or none. Its words
    say which name has which value, so they are not to be used for another one."""
    found = KEY.fullmatch(line)
    if found is None:
        return False
    label, name = found.groups()
    info = position.game.data.decisions[position.d]
    return any(alt.label == label and name in (alt.vars or ("item",)) for alt in info.alts)


def _by_texts(position: Position, line: str) -> Path | None:
    """The answer whose key or text a line is; for a choice over several names also the texts of its stages, joined as
    messages join them."""
    decision = position.decision
    if decision is None or decision.is_chance:
        return None
    said = line.casefold()
    info = position.game.data.decisions[position.d]
    options: list[Option] = list(decision.options)  # type: ignore[arg-type]
    for option in options:
        text = option.text.casefold()
        if line == option.key or said == text:
            return ((position.d, option.raw),)
    for option in options:
        text = option.text.casefold() + ", "
        onward = after_part(position, option.raw, info) if said.startswith(text) else None
        rest = _by_texts(onward, line[len(text) :]) if onward is not None else None
        if rest is not None:
            return ((position.d, option.raw), *rest)
    return None


def _by_part_of_text(position: Position, line: str) -> Path | None:
    """The one option of whose text a line is a part, as people read it: `supports the guards` of "the guns support the
    guards". A name counts only as a whole, and what ends a choice or can be done at any time is not meant by a part."""
    decision = position.decision
    said = [w for w in words(line) if w not in FILLERS]
    if not said or decision is None or decision.is_chance:
        return None
    info = position.game.data.decisions[position.d]
    found: list[Path] = []
    for option in decision.options:
        if info.alts[info.split(option.raw)[0]].form == "pick" and _has_part(position.game, option.text, said):
            path: Path = ((position.d, option.raw),)
            if not _is_another_way(position, path, line):
                found.append(path)
    if len(found) > 1:
        raise _unclear(position, line, "could mean", found)
    return found[0] if found else None


def _has_part(game: Game, text: str, said: list[str]) -> bool:
    """Whether some words stand in a text one after the other, and begin and end in the middle of no name."""
    told = [w for w in words(text) if w not in FILLERS]
    return any(
        not _is_in_a_name(game, told, start) and not _is_in_a_name(game, told, start + len(said))
        for start in _runs(told, said)
    )


def _is_in_a_name(game: Game, told: list[str], at: int) -> bool:
    """Whether the words before and after a gap belong to the name of one thing."""
    return any(
        game.lexicon.namesakes(" ".join(told[start:end])) for start in range(at) for end in range(at + 1, len(told) + 1)
    )


def _unclear(position: Position, line: str, means: str, paths: Sequence[Path]) -> Unclear:
    """The refusal of a line that fits several answers."""
    texts = " or ".join(f"`{_path_text(position, path)}`" for path in paths[:3])
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return Unclear(f"`{line}` {means} {texts}{more}", hint="say more")


def _look_for_open_end(position: Position, line: str) -> None:
    """Raise Unclear where a line says the beginning of a choice and leaves the rest open, with ways to end it:
    of `battle Mill`, where one can begin from two places."""
    ends: Ends = []
    for _ in _search(position, Tokens.of(line), (), 0, [MOST_READINGS], ends):
        return
    found = [path for path in dict.fromkeys(path for _, path in ends) if _is_meant(position, path, line)]
    if found:
        raise _unclear(position, line, "leaves something open: it could mean", found)


def _is_meant(position: Position, path: Path, line: str) -> bool:
    """Whether a path whose words a line has goes the way that it says."""
    return not (
        _is_backwards(position, path, line)
        or _is_another_way(position, path, line)
        or _goes_where_it_should_be(position, path, line)
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
    told = set(words(_path_text(position, path))) if others else set()
    return any(not told.issuperset(way) for way in others)


def unsaid_by(position: Position, line: str) -> int | None:
    """How far a line is from saying its answer in full (0: not at all); None if it fits none or several."""
    trial = _trial(position)
    decision = trial.decision
    if decision is None or decision.is_chance:
        return None
    if any(line == o.key or line.casefold() == o.text.casefold() for o in decision.options):
        return 0
    if _is_key(trial, line.strip()):
        return None
    for tokens in _counted(line):
        found = [cost for cost, _, _ in _readings_of(trial, tokens, line, [])]
        if found:
            return min(found)
    return None


def _counted(line: str) -> list[Tokens]:
    """The words of a line, as often as its numbers say and, if that makes a difference, each once."""
    first, second = Tokens.of(line, True), Tokens.of(line, False)
    return [first] if first.count == second.count and first.free == second.free else [first, second]


def _trial(position: Position) -> Position:
    """A copy in which also a single option is asked for, so that words for it are understood."""
    trial = position.clone()
    trial.j = None
    trial.ask = True
    return trial


# ------------------------------------------------------------------ one choice


@frozen
class _Reading:
    used: Counter[str]
    unsaid: int


def _one_choice(position: Position, tokens: Tokens, line: str) -> Path | None:
    """One choice, through all its stages."""
    best: dict[Path, int] = {}
    ends: Ends = []
    steps_said: dict[Path, int] = {}
    for unsaid, path, said in _readings_of(position, tokens, line, ends):
        steps_said[path] = max(said, steps_said.get(path, 0))
        if path in best and unsaid >= best[path]:
            continue
        if _is_meant(position, path, line):
            best[path] = unsaid
    if not best:
        return None
    least = min(best.values())
    found = [path for path, unsaid in best.items() if unsaid == least]
    if len(found) > 1:
        # Of several, the one that is worded just so.
        just_so = [path for path in found if _path_text(position, path).casefold().endswith(f", {line.casefold()}")]
        found = just_so if len(just_so) == 1 else found
    said = max(steps_said[path] for path in found)
    rivals = dict.fromkeys(path for unsaid, path in ends if unsaid <= least and len(path) > said)
    found += [path for path in rivals if _is_meant(position, path, line) and _is_rival(position, path, found)]
    if len(found) == 1:
        found += _worded_otherwise(position, found[0], line, least)
    if len(found) > 1:
        raise _unclear(position, line, "could mean", found)
    return found[0]


def _is_rival(position: Position, path: Path, found: Sequence[Path]) -> bool:
    """Whether a line that says all of other answers may as well mean one that it only begins: that an answer leaves no
    choice for its rest does not make it the one that is meant. But the way that a choice is named after comes first."""
    info = position.game.data.decisions[position.d]

    def is_main(one: Path) -> bool:
        return info.alts[info.split(one[0][1])[0]].label == info.choice

    if path[:-1] in [whole[: len(path) - 1] for whole in found]:
        return False
    return is_main(path) or not all(map(is_main, found))


def _worded_otherwise(position: Position, path: Path, line: str, unsaid: int) -> list[Path]:
    """Options in whose words a line stands as it is, where the answer found for it has other words, is an aside, or has
    it as a part of a longer text, too."""
    info = position.game.data.decisions[position.d]
    options = options_of(position.game, position.d, position._s, position.o, True)
    said = words(line)
    found: list[Path] = []
    for option in options:
        alt = info.alts[info.split(option.raw)[0]]
        if not is_declining(alt) and not option.flagged and _runs(words(option.text), said):
            found.append(((position.d, option.raw),))
    block, raw = path[0]
    alt = info.alts[info.split(raw)[0]]
    others = [one for one in found if one != ((block, raw),)]
    if len(others) < len(found) or _runs(words(_path_text(position, path)), said):
        return others if alt.is_flagged or unsaid >= ONLY_A_WAY else []
    return [] if is_declining(alt) or alt.form == "many" else others


def _runs(told: Sequence[str], said: Sequence[str]) -> list[int]:
    """Where some words begin to stand in a text one after the other."""
    return [at for at in range(len(told) - len(said) + 1) if list(told[at : at + len(said)]) == list(said)]


def _readings_of(position: Position, tokens: Tokens, line: str, ends: Ends) -> Iterator[tuple[int, Path, int]]:
    """The answers to one choice that a line fits, with what they leave unsaid, and how many of their steps it says."""
    yield from _search(position, tokens, (), 0, [MOST_READINGS], ends)
    decision: Decision = position.decision  # type: ignore[assignment]
    for way in decision.selections:
        for values, unsaid in selection_readings(way, line).items():
            path = way.path(values)
            yield unsaid, path, len(path)


_FROM_TO = re.compile(r"\b(?:from|in|at|on)\s+(.+?)\s+(?:to|into|onto)\s+(.+)$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+(.+)$", re.IGNORECASE)
_PREPOSITIONS = frozenset(
    ["from", "to", "into", "onto", "in", "at", "on", "with", "against", "by", "via", "through", "over", "for", "under"]
)
_STANDING = re.compile(r"(?:^|\s)(?:in|at)\s+(.+)$", re.IGNORECASE)
_NUMBER_TO = re.compile(r"\b(\d+)\s+(?:to|into)\s+(?:an?\s+)?(\d+)\b", re.IGNORECASE)


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
    elif only is not None and not _FROM.search(_path_text(position, path)):
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
        slot = _slot_of(game, value, type_, position.s)
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
    text = words(_path_text(position, path).rpartition(", ")[2])
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
        slot = _slot_of(game, value, type_, position.s)
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
    named: list[str] = []
    for word in words(found[1]):
        if word in _PREPOSITIONS:
            break
        named += [word] if word != "the" else []
    told = [word for word in words(_path_text(position, path)) if word != "the"]
    there = _runs(told, named) if named else []
    return bool(there) and all(at and told[at - 1] in ("to", "into", "onto") for at in there)


def _has_another_number(position: Position, path: Path, line: str) -> bool:
    """Whether a line says a number that the path, which picks numbers and nothing else, does not have: `buy 1 cards` is
    not "Buy 2 cards", though that be all there is. Where something is picked that can be counted, it may be its
    number."""
    if len(_numbers_in(position.game, path)) < len(path):
        return False
    said = {word for word in words(line) if is_number(word)}
    return bool(said) and not said.issubset(words(_path_text(position, path)))


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


def _path_text(position: Position, path: Path) -> str:
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


def _search(
    position: Position,
    tokens: Tokens,
    path: Path,
    unsaid: int,
    budget: list[int],
    ends: Ends,
) -> Iterator[tuple[int, Path, int]]:
    """The answers that a line fits, with what they leave unsaid, and how many of their steps it says: what leaves no
    choice is taken at their end. `ends` takes up those it only begins."""
    decision = position.decision
    if decision is None or decision.is_chance:
        return
    info = position.game.data.decisions[position.d]
    options: list[Option] = decision.options  # type: ignore[assignment]
    if path and tokens.is_used_up:
        for cost, step in _finish(position, options, info, path, unsaid, ends):
            yield cost, step, len(path)
        return
    labels = Counter(option.label for option in options)
    for option in options:
        if info.selections and info.alts[info.split(option.raw)[0]].form == "many":
            continue  # several at once are read as a whole
        is_alone = labels[option.label] == 1
        for reading in _readings(position, decision, option, info, tokens, is_alone):  # type: ignore[arg-type]
            budget[0] -= 1
            if budget[0] < 0:
                return
            rest = tokens.without(reading.used)
            step = (*path, (position.d, option.raw))
            cost = unsaid + reading.unsaid
            if _is_last(position, info, option):
                if rest.is_used_up:
                    yield cost, step, len(step)
                continue
            onward = after_part(position, option.raw, info)
            if onward is None:
                if rest.is_used_up:
                    yield cost, step, len(step)
            else:
                yield from _search(onward, rest, step, cost, budget, ends)


def _finish(
    position: Position, options: Sequence[Option], info: DecisionInfo, path: Path, unsaid: int, ends: Ends
) -> Iterator[tuple[int, Path]]:
    """Nothing is left to be said: what has no choice is taken."""
    if len(options) != 1:
        ends += [(unsaid, (*path, (position.d, option.raw))) for option in options if not option.flagged]
        return
    step = (*path, (position.d, options[0].raw))
    onward = None if _is_last(position, info, options[0]) else after_part(position, options[0].raw, info)
    if onward is None:
        yield unsaid, step
        return
    decision: Decision = onward.decision  # type: ignore[assignment]
    following = onward.game.data.decisions[onward.d]
    yield from _finish(onward, decision.options, following, step, unsaid, ends)


def _is_last(position: Position, info: DecisionInfo, option: Option) -> bool:
    """Whether an option surely ends its choice (nothing has to be tried out)."""
    at, _ = info.split(option.raw)
    alt = info.alts[at]
    return bool(alt.form != "pick" or info.stage + 1 >= len(alt.vars))


def after_part(position: Position, raw: Any, info: DecisionInfo) -> Position | None:
    """The position after one part of a choice; None if that was all of it."""
    onward = position.clone()
    try:
        onward._take(raw)
    except RulescriptError:
        return None  # the choice is complete; what it leads to went wrong and will again when it is taken
    if not onward.d:
        return None
    following = position.game.data.decisions[onward.d]
    if not following.stage or following.choice != info.choice or following.procedure != info.procedure:
        return None
    return onward


# ------------------------------------------------------------------ ways to say an option


def _readings(
    position: Position, decision: Decision, option: Option, info: DecisionInfo, tokens: Tokens, is_alone: bool
) -> Iterator[_Reading]:
    """The ways in which words say an option. If it is alone (no other has its label) the label may be enough."""
    game = position.game
    at, value = info.split(option.raw)
    alt = info.alts[at]
    label = words(alt.label)
    if not alt.vars:
        said = words(" ".join(a.said for a in info.alts)) if alt.label == "done" else []
        yield from _plain_readings(_choice_words(game, decision, alt, info), option, alt, tokens, said)
        return
    type_ = alt.many[1] if alt.form == "many" else alt.types[info.stage if alt.form == "pick" else 0]
    seen: set[tuple[tuple[str, int], ...]] = set()
    context: set[str] = set()
    readings = list(value_readings(game, value, type_, position.s, tokens))
    if readings or is_alone:  # of the others the text is never looked at, and it takes long to make
        context = {*label, *_choice_words(game, decision, alt, info)}
        context |= {*words(option.text), *words(alt.said)} - _about(game, value, type_, position.s)
    for reading in readings:
        rest = tokens.without(reading.used)
        used = reading.used + rest.any_of(context)
        key = tuple(sorted(used.items()))
        if key not in seen:
            seen.add(key)
            yield _Reading(used, reading.unsaid)
    if not seen and is_alone:
        used = tokens.any_of(context)
        if any(w in used for w in label):
            yield _Reading(used, ONLY_A_WAY)


def _choice_words(game: Game, decision: Decision, alt: AlternativeInfo, info: DecisionInfo) -> list[str]:
    """The words of a choice's name, which may be said with every answer to it. What can be done at any time is
    no answer to it: `build in Mill` never takes back the piece in Mill. And where a choice goes by the name of one of
    its ways to pick something, that way is meant, also when another is half answered: `march Ada` does not send her to
    bed."""
    if alt.form == "aside":
        return []
    own = alt.form == "plain" or alt.label == decision.name
    return words(decision.name) if own or decision.name not in game.ways_of(info) else []


def _plain_readings(
    of_choice: Sequence[str], option: Option, alt: AlternativeInfo, tokens: Tokens, said: Sequence[str]
) -> Iterator[_Reading]:
    context = {*words(alt.label), *words(option.text), *of_choice, *said}
    for unsaid, text in ((0, alt.label), (0, option.text)):
        needed = [w for w in words(text) if w not in FILLERS] or words(text)
        used = tokens.has(needed)
        if used is not None and needed:
            yield _Reading(used + tokens.without(used).any_of(context), unsaid)
            return
    if is_declining(alt):
        used = Counter({w: 1 for w in tokens.count if w in DECLINING and tokens.count[w] > 0})
        if used:
            yield _Reading(used + tokens.without(used).any_of(context), 1)
        return
    # A part of its text will do, as it does for what is picked.
    own = [w for w in words(option.text) if w not in FILLERS]
    used = tokens.any_of(own)
    if used:
        yield _Reading(used + tokens.without(used).any_of(context), PART_OF_A_TEXT)


def is_declining(alt: AlternativeInfo) -> bool:
    """Whether an alternative is a way not to do anything."""
    return alt.form == "plain" and (bool(alt.effect) or alt.label in DECLINING)


def _about(game: Game, value: Any, type_: Any, state: list[Any]) -> set[str]:
    """Words that speak of a value: its own and those of its place."""
    out = set(words(game.values.name(value, type_))) | set(words(game.values.label(value, type_)))
    slot = _slot_of(game, value, type_, state)
    if slot >= 0:
        out |= _place_words(game, slot)
    if type_[0] == "piece":
        out |= game.lexicon.piece_words(type_[1])[(value & game.values.low) % game.data.kinds[type_[1]].types]
    return out


def _slot_of(game: Game, value: Any, type_: Any, state: list[Any]) -> int:
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


def says_value(game: Game, value: Any, type_: Any, state: list[Any], text: str) -> bool:
    """Whether a text (`Ruritanian infantry in Mill`) is a way to name a value."""
    tokens = Tokens.of(text, repeat=False)
    return any(tokens.without(r.used).is_used_up for r in value_readings(game, value, type_, state, tokens))


def value_readings(game: Game, value: Any, type_: Any, state: list[Any], tokens: Tokens) -> Iterator[_Reading]:
    """The ways in which words of a line may name a value; with and without the place it stands in."""
    lexicon = game.lexicon
    own: list[_Reading] = []
    match type_:
        case ["thing", kind]:
            # The longest way first: a label may say more than the name does.
            for way in sorted(lexicon.ways(kind, value), key=len, reverse=True):
                used = tokens.has(way)
                if used and all(used != reading.used for reading in own):
                    own.append(_Reading(used, 0))
        case ["piece", kind]:
            own += _piece_reading(game, kind, value & game.values.low, tokens)
        case ["maybe", inner] if value is not None:
            yield from value_readings(game, value, inner, state, tokens)
            return
        case _:
            used = tokens.has(words(game.values.name(value, type_)))
            if used:
                own.append(_Reading(used, 0))
    slot = _slot_of(game, value, type_, state)
    place = _place_words(game, slot) if slot >= 0 else set()
    for reading in own:
        more = tokens.without(reading.used).any_of(place)
        if more:
            yield _Reading(reading.used + more, reading.unsaid)
        yield reading


def _piece_reading(game: Game, kind: str, code: int, tokens: Tokens) -> Iterator[_Reading]:
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
        for state, stride, values, type_, start in info.states:
            at = combo // stride % len(values)
            value = [] if type_ == ["bool"] else words(game.values.name(values[at], type_))
            if at != start:
                told = tokens.without(used).any_of([*words(state), *value])
                used, notes = (used + told, notes) if told else (used, notes + 1)
        yield _Reading(used, unsaid + notes)


def _said(lexicon: Lexicon, kind: str, way: tuple[str, ...], tokens: Tokens) -> dict[str, str]:
    """The words of a way to say something that are in the line, and what was typed for them."""
    out: dict[str, str] = {}
    for token, number in tokens.count.items():
        if number > 0 and token not in FILLERS:
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


# ------------------------------------------------------------------ several at once

Values = tuple[Any, ...]


def picked_by(selection: Selection, text: str) -> list[Any]:
    """What one entry of a list stands for: a key, a text, or words with or without a number."""
    wanted = text.strip()
    for value in selection.all_items:
        option = selection.option(value)
        if wanted == option.key or wanted.casefold() in (
            option.text.casefold(),
            option.text.partition(": ")[2].casefold(),
        ):
            return [value]
    found = _of_part(selection, wanted)
    if not found:
        raise BadChoice(f"`{wanted}` is not among what can be picked ({_shown(selection)})")
    least = min(found.values())
    best = [values for values, unsaid in found.items() if unsaid == least]
    if len(best) > 1:
        told = " or ".join(f"`{', '.join(selection.option(v).text for v in values)}`" for values in best[:3])
        raise Unclear(f"`{wanted}` could mean {told}", hint="say more")
    return list(best[0])


def _shown(selection: Selection) -> str:
    names = [item.name for item in selection.items]
    return "; ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


def selection_readings(selection: Selection, line: str) -> dict[Values, int]:
    """The whole selections that a line names and that are allowed, with what it leaves unsaid. Its items may come in
    any order."""
    return {
        values: unsaid for values, unsaid in _named(selection, line, True).items() if selection.fault(values) is None
    }


def selection_named(position: Position, line: str) -> tuple[Selection, Values, str] | None:
    """What a line names of what can be picked, and why it is no selection; None if it names nothing, or one that is
    allowed."""
    decision = position.decision
    if decision is None or decision.is_chance:
        return None
    best: tuple[int, Selection, Values, str] | None = None
    for way in decision.selections:  # type: ignore[union-attr]
        found = _named(way, line, True) or _named(way, line, False)
        for values, unsaid in found.items():
            fault = way.fault(values)
            if fault is None:
                return None
            if best is None or unsaid < best[0]:
                best = (unsaid, way, values, fault)
    return best[1:] if best is not None else None


def _named(selection: Selection, line: str, there: bool) -> dict[Values, int]:
    """What a line names of what can be picked, whether or not it is a whole selection; with `there` not more of
    anything than there is. Its parts are read one by one; if they name nothing, its words are taken together, as if
    they could belong to any of it."""
    found = _by_parts(selection, line, False)
    if found:
        return _by_parts(selection, line, True) if there else found
    for tokens in _counted(line):
        for values, unsaid in _by_words(selection, tokens, there):
            values = selection.wholly(values)
            found[values] = min(unsaid, found.get(values, unsaid))
        if found:
            break
    if not found and _names_the_choice(selection, line) and selection.is_settled:
        found[selection.settled_values()] = 3
    return found


def _names_the_choice(selection: Selection, line: str) -> bool:
    """Whether a line says the choice and how many, and nothing of what is chosen."""
    said = [w for w in words(line) if w not in FILLERS and w != str(selection.most)]
    label = words(selection.label)
    return any(w in said for w in label) and all(w in _context(selection) for w in said)


def _context(selection: Selection) -> set[str]:
    """Words that may be said with anything that is picked: of the choice's name and its text."""
    alt = selection.info.alts[selection.alt]
    return {*words(alt.label), *words(selection.info.choice), *words(alt.said)}


def _item_readings(selection: Selection, value: Any, tokens: Tokens) -> Iterator[_Reading]:
    """The ways in which words of a line may name an item."""
    game, state = selection.game, selection.state
    type_ = selection.info.alts[selection.alt].many[1]
    text = words(selection.option(value).text)
    context = _context(selection) | set(text) - _about(game, value, type_, state)
    seen: set[tuple[tuple[str, int], ...]] = set()
    for reading in value_readings(game, value, type_, state, tokens):
        used = reading.used + tokens.without(reading.used).any_of(context)
        key = tuple(sorted(used.items()))
        if key not in seen:
            seen.add(key)
            yield _Reading(used, reading.unsaid)


_LISTED = re.compile(r"[,;:()]|\band\b", re.IGNORECASE)
_SO_MANY = re.compile(r"(?<![\w.])(\d{1,2})\s+(?=[^\W\d])")


def _by_parts(selection: Selection, line: str, there: bool) -> dict[Values, int]:
    """A list of what is picked, part by part: `2 Ruritanian infantry, 1 gun in Mill`."""
    parts = [part for part in _LISTED.split(line) if part.strip()]
    while parts and all(w in _context(selection) or w in FILLERS for w in words(parts[0])):
        parts = parts[1:]
    found: dict[Values, int] = {(): 0} if parts else {}
    left = selection.left()
    for before in selection.before:
        left[before] = left.get(before, 0) + 1
    for part in parts:
        named = _of_part(selection, part)
        more: dict[Values, int] = {}
        for values, unsaid in found.items():
            for added, cost in named.items():
                both = tuple(sorted((*values, *added)))
                if there and any(both.count(v) > left.get(v, 0) for v in added):
                    continue
                more[both] = min(unsaid + cost, more.get(both, unsaid + cost))
                if len(more) > MOST_READINGS:
                    return {}
        found = more
    out: dict[Values, int] = {}
    for values, unsaid in found.items():
        values = selection.wholly(values)
        out[values] = min(unsaid, out.get(values, unsaid))
    return out


def _of_part(selection: Selection, part: str) -> dict[Values, int]:
    """What one part of a list may mean: so many of what its words name."""
    number = 1
    counted = _SO_MANY.search(part)
    if counted is not None and selection.info.alts[selection.alt].many[1] != ["int"]:
        number = int(counted[1])
        part = part[: counted.start()] + part[counted.end() :]
    tokens = Tokens.of(part, repeat=False)
    costs: dict[Any, int] = {}
    for value in dict.fromkeys((*selection.all_items, *selection.before)):
        for reading in _item_readings(selection, value, tokens):
            if tokens.without(reading.used).is_used_up:
                costs[value] = min(reading.unsaid, costs.get(value, reading.unsaid))
    if not number:
        return {}
    return {
        values: sum(costs[v] for v in values)
        for values in islice(combinations_with_replacement(costs, number), MOST_READINGS)
    }


def _by_words(selection: Selection, tokens: Tokens, there: bool) -> Iterator[tuple[Values, int]]:
    """What the words of a line name, all of them taken together: each item takes what it can of them."""
    items = selection.all_items
    left = selection.left()
    budget = MOST_READINGS

    def further(at: int, tokens: Tokens, values: Values, unsaid: int) -> Iterator[tuple[Values, int]]:
        nonlocal budget
        if values and tokens.is_used_up:
            yield values, unsaid
            return
        for later in range(at, len(items)):
            value = items[later]
            if there and values.count(value) >= left[value]:
                continue
            for reading in _item_readings(selection, value, tokens):
                budget -= 1
                if budget < 0:
                    return
                if len(values) < MOST_REPEATS:
                    yield from further(later, tokens.without(reading.used), (*values, value), unsaid + reading.unsaid)

    yield from further(0, tokens, (), 0)


# ------------------------------------------------------------------ several choices in a row


def _several_choices(position: Position, line: str) -> Path | None:
    """A list as several choices that share the words before and after it."""
    parts = [p.strip() for p in re.split(r"[,;]", line) if p.strip()]
    if len(parts) < 2 and not re.search(r"\d", line):
        return None
    first, last = parts[0].split(), parts[-1].split()
    for head in range(len(first)):
        for tail in range(len(last) if len(parts) > 1 else len(last) - head):
            before = " ".join(first[:head])
            after = " ".join(last[len(last) - tail :]) if tail else ""
            items = list(parts)
            items[-1] = " ".join(last[: len(last) - tail])
            items[0] = " ".join(items[0].split()[head:])
            lines = _spelled_out(items, before, after)
            if lines is None or len(lines) < 2:
                continue
            found = _in_a_row(position, lines)
            if found is not None and not (_leaves_the_choice(position, found) and _named_apart(position, parts)):
                return found
    return None


def _leaves_the_choice(position: Position, path: Path) -> bool:
    """Whether answers go on to another choice: then what could have been picked in the first is not meant for it."""
    decisions = position.game.data.decisions
    numbers = [(decisions[block].procedure, decisions[block].choice) for block, _ in path]
    return any(each != numbers[0] for each in numbers)


def _spelled_out(items: list[str], before: str, after: str) -> list[str] | None:
    out: list[str] = []
    for item in items:
        counted = re.match(r"(\d+)\s+(.+)$", item)
        times, what = (int(counted[1]), counted[2]) if counted else (1, item)
        if not what.strip() or times < 1:
            return None
        out += [f"{before} {what} {after}".strip()] * times
        if len(out) > MOST_REPEATS:
            return None
    return out


def _in_a_row(position: Position, lines: list[str]) -> Path | None:
    """Several choices of one player, one after the other; what leaves nobody a choice between them is taken. None of
    them may hang on what comes out of an earlier one.

    Otherwise a line that is refused, and changes nothing, would tell what the dice or another player would do."""
    trial = position.clone()
    trial.j = []  # what each step shows is looked at
    who = position.decision.player_index if position.decision is not None else -1
    path: Path = ()
    for at, line in enumerate(lines):
        while at and trial.d and len(trial.o) == 1:
            step = (trial.d, trial.o[0])
            try:
                found = _one_choice(trial, Tokens.of(line), line)
            except Unclear:
                found = None
            if found is not None:
                break
            if not _goes_on(trial, (step,)):
                return None
            path = (*path, step)
        if trial.decision is None or trial.decision.player_index != who:
            return None
        try:
            found = _one_choice(trial, Tokens.of(line), line)
        except Unclear:
            return None
        if found is None:
            return None
        path = (*path, *found)
        if at + 1 < len(lines) and not _goes_on(trial, found):
            return None
    return path


def _goes_on(trial: Position, path: Path) -> bool:
    """Whether answers can be given of which nothing comes that could not be taken back."""
    try:
        for block, raw in path:
            if trial.d == block:
                who = trial.game.player_names[trial.game.code["W"][block](trial, trial.s)]
                trial._take(raw)
                if not trial.can_undo(who) and not isinstance(trial.chance, Script):
                    return False
    except RulescriptError:
        return False
    return True
