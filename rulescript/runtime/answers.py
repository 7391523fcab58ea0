"""Answers given as text: a key, the words of an option, or a whole choice in one line.

`move Ruritanian infantry from Mill to Castle` is matched against what can be asked now; a choice that is asked name by
name is walked through as long as the words fit. Words like "to", "in" and "from" do not count.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from rulescript.errors import BadChoice

if TYPE_CHECKING:
    from rulescript.runtime.position import Decision, Option, Position

__all__ = ["FILLERS", "choose_text", "match_line", "words"]

FILLERS = frozenset("to in from at with and of the a an into by for on as".split())


def words(text: str) -> list[str]:
    """The words that count, lower case, underscores and hyphens apart."""
    return [w for w in re.findall(r"[^\W_]+", text.lower()) if w not in FILLERS]


def choose_text(position: Position, text: str) -> None:
    """Take the option (or the several steps) a text means; BadChoice and no change if there is none."""
    decision = position.decision
    assert decision is not None
    options: list[Any] = list(decision.options)
    wanted = text.strip()
    for option in options:
        if wanted == option.key or wanted.casefold() == option.text.casefold():
            position._take(option.raw)
            return
    trial = position.clone()
    taken = match_line(trial, wanted)
    if taken is None:
        raise BadChoice(_no_such(position, wanted, options))
    for raw in taken:
        position._take(raw)


def _no_such(position: Position, wanted: str, options: list[Option]) -> str:
    shown = "; ".join(o.text for o in options[:6])
    more = f" and {len(options) - 6} more" if len(options) > 6 else ""
    return f"`{wanted}` is not among the options ({shown}{more})"


def _counted(text: str) -> Counter[str]:
    return Counter(words(text))


def match_line(position: Position, line: str) -> list[Any] | None:
    """The raw options that a line of words walks through, from where the position stands (it is changed)."""
    left = _expand(line)
    taken: list[Any] = []
    while True:
        decision = position.decision
        if decision is None or decision.is_chance:
            return taken if taken and not left else None
        found = _best(position, decision, left, bool(taken))  # type: ignore[arg-type]
        if found is None:
            return taken if taken and not left else None
        option, used = found
        left = left - used
        taken.append(option.raw)
        same = (decision.procedure, decision.name)
        position._take(option.raw)
        following = position.decision
        if not left and (following is None or (following.procedure, following.name) != same or following.stage == 0):
            return taken
        if not left and following is not None and following.stage and len(following.options) > 1:
            # Nothing left to say but the choice is not complete.
            done = next((o for o in following.options if o.key == "done"), None)
            if done is None:
                return None
            taken.append(done.raw)
            position._take(done.raw)
            return taken
        if following is None:
            return taken if not left else None
        if following.stage == 0:
            return None


def _expand(line: str) -> Counter[str]:
    """The words of a line; `2 Ruritanian infantry` counts its words twice and the number not at all."""
    out: Counter[str] = Counter()
    for part in re.split(r"[,;:]", line):
        found = words(part)
        at = 0
        while at < len(found):
            if found[at].isdigit() and at + 1 < len(found) and not found[at + 1].isdigit() and int(found[at]) < 100:
                count = int(found[at])
                at += 1
                while at < len(found) and not found[at].isdigit():
                    out[found[at]] += count
                    at += 1
            else:
                out[found[at]] += 1
                at += 1
    return out


def option_words(position: Position, option: Option) -> list[Counter[str]]:
    """Ways to say an option: by its label and value names, by its text."""
    label, _, value = option.key.partition(" ")
    name = value.partition("=")[2]
    ways = [_counted(f"{label} {name}"), _counted(option.text), _counted(name) if name else _counted(label)]
    if ":" in name:
        place, _, piece = name.partition(":")
        ways.append(_counted(f"{label} {piece}"))
        ways.append(_counted(piece))
        ways.append(_counted(f"{piece} {place.partition('.')[0]}"))
        ways.append(_counted(f"{label} {piece} {place.partition('.')[0]}"))
    words_known = _aliases(position, name)
    if words_known:
        ways.append(words_known)
        ways.append(words_known + Counter(words(label)))
    return ways


def _aliases(position: Position, name: str) -> Counter[str] | None:
    """Other words for a thing or type of pieces (an adjective, a label)."""
    piece = name.partition(":")[2].partition("(")[0]
    for kind in position.game.data["kinds"].values():
        if piece and kind["pieces"] and piece in kind["names"]:
            label = kind["labels"][kind["names"].index(piece)]
            return _counted(label)
        if not piece and not kind["pieces"] and name in kind["names"]:
            return _counted(kind["labels"][kind["names"].index(name)])
    return None


def _best(position: Position, decision: Decision, left: Counter[str], later: bool) -> tuple[Option, Counter[str]] | None:
    """The option that uses up most of the words that are left; ties are refused unless the options are equal."""
    best: list[tuple[int, int, Option, Counter[str]]] = []
    for option in decision.options:
        for way in option_words(position, option):
            if way and all(left[w] >= n for w, n in way.items()):
                size = sum(way.values())
                best.append((size, -len(option.key), option, way))
    if not best:
        # A label alone may stand for its only option.
        return None
    best.sort(key=lambda b: (-b[0], b[1]))
    return best[0][2], best[0][3]
