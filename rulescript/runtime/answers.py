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
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from rulescript.errors import BadChoice
from rulescript.runtime.choices_in_a_row import named_apart, several_choices
from rulescript.runtime.line_sense import Path, is_meant, unclear
from rulescript.runtime.one_choice import Ends, after_part, one_choice, readings_of
from rulescript.runtime.selection_words import selection_named
from rulescript.runtime.value_words import MOST_REPEATS, Unclear, counted_tokens, runs_in
from rulescript.runtime.workshop import workshop
from rulescript.wording.lexicon import FILLERS, words

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Decision, Option, Position
    from rulescript.runtime.selections import Selection

# Whoever says more than that asks for nothing but work.
LONGEST_LINE = 1_000

__all__ = ["choose_several", "choose_text", "find_answer", "no_such", "speaker_of", "unsaid_by", "would_take"]


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


def would_take(position: Position, text: str) -> bool:
    """Whether a text is an answer that can be given; BadChoice where it says too little, or something would come
    between the answers that it means."""
    path = find_answer(position, text)
    if path is not None and len(path) > 1:
        take_path(position.clone(), path)
    return path is not None


def speaker_of(game: Game, line: str) -> tuple[str | None, str]:
    """``North: move ...`` -> who is said to speak, and what; nobody, where a line does not begin with a player."""
    head, colon, rest = line.partition(":")
    said = words(head) if colon else []
    for names in zip(game.player_names, game.role_labels, strict=True) if said else ():
        if said in map(words, names):
            return names[0], rest.strip()
    return None, line


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
    named = named_apart(position, re.split(r"[,;&]|\band\b", line))
    counted = re.match(r"(\D*?)(\d+)\s+(\D+)$", line)
    if not named and counted is not None and int(counted[2]) in range(2, MOST_REPEATS):
        one = f"{counted[1]}{counted[3]}"
        named = [one] * int(counted[2]) if named_apart(position, [one, one]) else []
    if not named:
        return None
    said = {2: "two are", 3: "three are", 4: "four are"}.get(len(named), f"{len(named)} are")
    decision: Decision = position.decision  # type: ignore[assignment]
    return BadChoice(f"`{line}`: one is due at `{decision.name.replace('_', ' ')}`, and {said} named")


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


def find_answer(position: Position, line: str) -> Path | None:
    """The answers a line stands for, as (decision, raw option) pairs; None if it fits nothing.

    The position is not changed. Raises Unclear when several answers fit equally well."""
    # Whoever tries a line and hears that it fits nothing asks why, and then it is read once more.
    asked = (position._s, position.d, position.o, position.chance, line)
    known = _asked.get(position)
    if known is None or known[0] != asked:
        found = _found(position, line)
        known = _asked[position] = ((list(position._s), *asked[1:]), found)
    return known[1]


# What was asked last of a position, in which state, and what it came to.
_asked: WeakKeyDictionary[Position, tuple[tuple[Any, ...], Path | None]] = WeakKeyDictionary()


def _found(position: Position, line: str) -> Path | None:
    trial = _trial(position)
    decision = trial.decision
    if decision is None or decision.is_chance:
        return None
    exactly = _by_texts(trial, line.strip())
    speaker, said = speaker_of(trial.game, line)
    if exactly is None and speaker is not None:
        if speaker != decision.player or not said:
            return None
        line, exactly = said, _by_texts(trial, said)
    if exactly is not None:
        return exactly
    if _is_key(trial, line.strip()):
        return None
    if len(line) > LONGEST_LINE:
        raise BadChoice(f"a line of more than {LONGEST_LINE:,} letters is no answer")
    unclear: Unclear | None = None
    first: Ends | None = None
    for tokens in counted_tokens(line):
        ends = Ends()
        first = first if first is not None else ends
        try:
            found = one_choice(trial, tokens, line, ends)
        except Unclear as problem:
            unclear = unclear or problem
            continue
        if found is not None:
            return found
    if unclear is not None:
        raise unclear
    several = several_choices(trial, line)
    if several is None and selection_named(trial, line) is None:
        if first is not None:
            _look_for_open_end(trial, line, first)
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
            if is_meant(position, path, line):
                found.append(path)
    if len(found) > 1:
        raise unclear(position, line, "could mean", found)
    return found[0] if found else None


def _has_part(game: Game, text: str, said: list[str]) -> bool:
    """Whether some words stand in a text one after the other, and begin and end in the middle of no name."""
    told = [w for w in words(text) if w not in FILLERS]
    return any(
        not _is_in_a_name(game, told, start) and not _is_in_a_name(game, told, start + len(said))
        for start in runs_in(told, said)
    )


def _is_in_a_name(game: Game, told: list[str], at: int) -> bool:
    """Whether the words before and after a gap belong to the name of one thing."""
    return any(
        game.lexicon.namesakes(" ".join(told[start:end])) for start in range(at) for end in range(at + 1, len(told) + 1)
    )


def _look_for_open_end(position: Position, line: str, ends: Ends) -> None:
    """Raise Unclear where a line says the beginning of a choice and leaves the rest open, with ways to end it:
    of `battle Mill`, where one can begin from two places."""
    if ends.is_said:
        return
    found = [path for path in dict.fromkeys(path for _, path in ends) if is_meant(position, path, line)]
    if found:
        raise unclear(position, line, "leaves something open: it could mean", found)


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
    for tokens in counted_tokens(line):
        found = [cost for cost, _, _ in readings_of(trial, tokens, line, Ends())]
        if found:
            return min(found)
    return None


def _trial(position: Position) -> Position:
    """A copy in which also a single option is asked for, so that words for it are understood."""
    trial = position.clone()
    trial.j = None
    trial.ask = True
    return trial
