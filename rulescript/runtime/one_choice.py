"""One choice, through all its stages, that a line means.

All words of the line must be used up, by one option after the other; a name that leaves no choice need not be said. Of
the answers that fit, the one that leaves least unsaid is meant; several such are refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rulescript.errors import RulescriptError
from rulescript.game_data import AlternativeInfo, DecisionInfo
from rulescript.runtime.line_sense import DECLINING, Path, is_declining, is_meant, path_text, unclear
from rulescript.runtime.options import options_of
from rulescript.runtime.selection_words import selection_readings
from rulescript.runtime.value_words import (
    MOST_READINGS,
    Reading,
    names_said,
    runs_in,
    said_beside,
    value_readings,
    with_context,
    words_about,
)
from rulescript.wording.lexicon import FILLERS, Tokens, words

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Decision, Option, Position

__all__ = ["Ends", "after_part", "one_choice", "readings_of", "search_line"]

# What is left unsaid by the name of a way alone, and by a part of a text: what names something comes first.
ONLY_A_WAY = 3
PART_OF_A_TEXT = 4


class Ends(list[tuple[int, Path]]):
    """Answers that a line only begins, each with what it leaves unsaid of what it names; and whether there are any that
    it says, one option after the other."""

    is_said = False


def one_choice(position: Position, tokens: Tokens, line: str, ends: Ends | None = None) -> Path | None:
    """One choice, through all its stages."""
    best: dict[Path, int] = {}
    ends = ends if ends is not None else Ends()
    steps_said: dict[Path, int] = {}
    for unsaid, path, said in readings_of(position, tokens, line, ends):
        steps_said[path] = max(said, steps_said.get(path, 0))
        if path in best and unsaid >= best[path]:
            continue
        if is_meant(position, path, line):
            best[path] = unsaid
    if not best:
        return None
    if len(best) > 1:
        # Those that are worded just so come first, whatever their words leave unsaid.
        just_so = [path for path in best if path_text(position, path).casefold().endswith(f", {line.casefold()}")]
        best = {path: best[path] for path in just_so} or best
    least = min(best.values())
    found = [path for path, unsaid in best.items() if unsaid == least]
    said = max(steps_said[path] for path in found)
    rivals = dict.fromkeys(path for unsaid, path in ends if unsaid <= least and len(path) > said)
    found += [path for path in rivals if is_meant(position, path, line) and _is_rival(position, path, found)]
    if len(found) == 1:
        found += _worded_otherwise(position, found[0], line, least)
    if len(found) > 1:
        raise unclear(position, line, "could mean", found)
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
        if not is_declining(alt) and not option.flagged and runs_in(words(option.text), said):
            found.append(((position.d, option.raw),))
    block, raw = path[0]
    alt = info.alts[info.split(raw)[0]]
    others = [one for one in found if one != ((block, raw),)]
    if len(others) < len(found) or runs_in(words(path_text(position, path)), said):
        return others if alt.is_flagged or unsaid >= ONLY_A_WAY else []
    return [] if is_declining(alt) or alt.form == "many" else others


def readings_of(position: Position, tokens: Tokens, line: str, ends: Ends) -> Iterator[tuple[int, Path, int]]:
    """The answers to one choice that a line fits, with what they leave unsaid, and how many of their steps it says."""
    for reading in search_line(position, tokens, (), 0, [MOST_READINGS], ends):
        ends.is_said = True
        yield reading
    decision: Decision = position.decision  # type: ignore[assignment]
    for way in decision.selections:
        for values, unsaid in selection_readings(way, line).items():
            path = way.path(values)
            yield unsaid, path, len(path)


def search_line(
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
            if _is_last(info, option):
                if rest.is_used_up:
                    yield cost, step, len(step)
                continue
            onward = after_part(position, option.raw, info)
            if onward is None:
                if rest.is_used_up:
                    yield cost, step, len(step)
            else:
                yield from search_line(onward, rest, step, cost, budget, ends)


def _finish(
    position: Position, options: Sequence[Option], info: DecisionInfo, path: Path, unsaid: int, ends: Ends
) -> Iterator[tuple[int, Path]]:
    """Nothing is left to be said: what has no choice is taken."""
    if len(options) != 1:
        ends += [(unsaid, (*path, (position.d, option.raw))) for option in options if not option.flagged]
        return
    step = (*path, (position.d, options[0].raw))
    onward = None if _is_last(info, options[0]) else after_part(position, options[0].raw, info)
    if onward is None:
        yield unsaid, step
        return
    decision: Decision = onward.decision  # type: ignore[assignment]
    following = onward.game.data.decisions[onward.d]
    yield from _finish(onward, decision.options, following, step, unsaid, ends)


def _is_last(info: DecisionInfo, option: Option) -> bool:
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


def _readings(
    position: Position, decision: Decision, option: Option, info: DecisionInfo, tokens: Tokens, is_alone: bool
) -> Iterator[Reading]:
    """The ways in which words say an option. If it is alone (no other has its label) the label may be enough."""
    game = position.game
    at, value = info.split(option.raw)
    alt = info.alts[at]
    label = words(alt.label)
    if not alt.vars:
        said = words(" ".join(a.said for a in info.alts)) if alt.label == "done" else []
        said += _choice_words(game, decision, alt, info)
        yield from _plain_readings(option, alt, tokens, said, names_said(game, option.text, tokens))
        return
    type_ = alt.many[1] if alt.form == "many" else alt.types[info.stage if alt.form == "pick" else 0]
    context: set[str] = set()
    names: Counter[str] = Counter()
    readings = list(value_readings(game, value, type_, position.s, tokens))
    if readings or is_alone:  # of the others the text is never looked at, and it takes long to make
        context = {*label, *_choice_words(game, decision, alt, info)}
        told = words(option.text)
        context |= {*told, *words(alt.said)} - words_about(game, value, type_, position.s)
        if tokens.amounts:
            runs = {*zip(told, told[1:], strict=False)}
            context = {word for word in context if not tokens.amounts_of(word, runs)}
        if not info.stage and _is_last(info, option):  # what else is picked is named when it is picked
            names = names_said(game, option.text, tokens)
    yield from with_context(readings, tokens, context, names)
    if not readings and is_alone:
        used = said_beside(tokens, context, names)
        if any(w in used for w in label):
            yield Reading(used, ONLY_A_WAY)


def _choice_words(game: Game, decision: Decision, alt: AlternativeInfo, info: DecisionInfo) -> list[str]:
    """The words of a choice's name, which may be said with every answer to it. What can be done at any time is
    no answer to it: `build in Mill` never takes back the piece in Mill. And where a choice goes by the name of one of
    its ways to pick something, that way is meant, also when another is half answered: `march Ada` does not send her to
    bed."""
    if alt.form == "aside":
        return []
    own = alt.form == "plain" or alt.label == decision.name
    return words(decision.name) if own or decision.name not in game.ways[info.procedure, info.choice] else []


def _plain_readings(
    option: Option, alt: AlternativeInfo, tokens: Tokens, said: Sequence[str], names: Counter[str]
) -> Iterator[Reading]:
    """The same where nothing is picked; `said` and `names` are words that may be said besides."""
    context = {*words(alt.label), *words(option.text), *said}
    for unsaid, text in ((0, alt.label), (0, option.text)):
        needed = [w for w in words(text) if w not in FILLERS] or words(text)
        used = tokens.has(needed)
        if used is not None and needed:
            yield Reading(used + said_beside(tokens.without(used), context, names), unsaid)
            return
    if is_declining(alt):
        used = Counter({w: 1 for w in tokens.count if w in DECLINING and tokens.count[w] > 0})
        if used:
            yield Reading(used + said_beside(tokens.without(used), context, names), 1)
        return
    # A part of its text will do, as it does for what is picked.
    own = [w for w in words(option.text) if w not in FILLERS]
    used = tokens.any_of(own)
    if used:
        yield Reading(used + said_beside(tokens.without(used), context, names), PART_OF_A_TEXT)
