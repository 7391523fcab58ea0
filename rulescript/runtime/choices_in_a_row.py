"""A list as several choices in a row that share what is said before or after it.

`advance to Castle infantry, 2 guns` is three lines; each must be an answer to what is asked after the one before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulescript.errors import RulescriptError
from rulescript.runtime.chance import Script
from rulescript.runtime.line_sense import Path
from rulescript.runtime.one_choice import one_choice
from rulescript.runtime.value_words import MOST_REPEATS, Unclear
from rulescript.wording.lexicon import Tokens

if TYPE_CHECKING:
    from rulescript.runtime.position import Decision, Position

__all__ = ["named_apart", "several_choices"]


# So many words, at most, may be shared before a list, and after it.
MOST_SHARED = 20


def several_choices(position: Position, line: str) -> Path | None:
    """A list as several choices that share the words before and after it."""
    parts = [p.strip() for p in re.split(r"[,;]", line) if p.strip()]
    if len(parts) < 2 and not re.search(r"\d", line):
        return None
    first, last = parts[0].split(), parts[-1].split()
    for head in range(min(len(first), MOST_SHARED)):
        for tail in range(min(len(last) if len(parts) > 1 else len(last) - head, MOST_SHARED)):
            before = " ".join(first[:head])
            after = " ".join(last[len(last) - tail :]) if tail else ""
            items = list(parts)
            items[-1] = " ".join(last[: len(last) - tail])
            items[0] = " ".join(items[0].split()[head:])
            lines = _spelled_out(items, before, after)
            if lines is None or len(lines) < 2:
                continue
            found = _in_a_row(position, lines)
            if found is not None and not (_leaves_the_choice(position, found) and named_apart(position, parts)):
                return found
    return None


def named_apart(position: Position, parts: Sequence[str]) -> list[str]:
    """The parts of a line, if each of them alone is an answer to the one choice that is asked now."""
    said = [part.strip() for part in parts if part.strip()]
    decision: Decision = position.decision  # type: ignore[assignment]
    if len(said) < 2 or decision.selections:
        return []
    head = said[0].split()
    for shared in range(min(len(head), MOST_SHARED)):
        before = " ".join(head[:shared])
        lines = [said[0], *(f"{before} {part}".strip() for part in said[1:])]
        try:
            if all(one_choice(position, Tokens.of(each), each) is not None for each in lines):
                return said
        except Unclear:
            continue
    return []


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
                found = one_choice(trial, Tokens.of(line), line)
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
            found = one_choice(trial, Tokens.of(line), line)
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
