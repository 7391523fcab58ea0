"""A line that names several of what can be picked, in any order: `2 Ruritanian infantry, 1 gun in Mill`.

In come a selection and a line; out come the whole selections that it may mean, with what it leaves unsaid of them. Its
parts are read one by one; if that names nothing, its words are taken together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations_with_replacement, islice
from typing import TYPE_CHECKING, Any

from rulescript.errors import BadChoice
from rulescript.runtime.value_words import (
    MOST_READINGS,
    MOST_REPEATS,
    Reading,
    Unclear,
    counted_tokens,
    names_said,
    value_readings,
    with_context,
    words_about,
)
from rulescript.wording.lexicon import FILLERS, Tokens, words

if TYPE_CHECKING:
    from rulescript.runtime.position import Position
    from rulescript.runtime.selections import Selection

__all__ = ["picked_by", "selection_named", "selection_readings"]

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
    for tokens in counted_tokens(line):
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


def _item_readings(selection: Selection, value: Any, tokens: Tokens) -> Iterator[Reading]:
    """The ways in which words of a line may name an item."""
    game, state = selection.game, selection.state
    type_ = selection.info.alts[selection.alt].many[1]
    text = selection.option(value).text
    context = _context(selection) | set(words(text)) - words_about(game, value, type_, state)
    readings = value_readings(game, value, type_, state, tokens)
    yield from with_context(readings, tokens, context, names_said(game, text, tokens))


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
    # On many ways the same words are left for an item.
    known: dict[tuple[Any, tuple[tuple[str, int], ...]], list[Reading]] = {}

    def readings(value: Any, tokens: Tokens) -> list[Reading]:
        key = value, tuple(tokens.count.items())
        if key not in known:
            known[key] = list(_item_readings(selection, value, tokens))
        return known[key]

    def further(at: int, tokens: Tokens, values: Values, unsaid: int) -> Iterator[tuple[Values, int]]:
        nonlocal budget
        if values and tokens.is_used_up:
            yield values, unsaid
            return
        for later in range(at, len(items)):
            value = items[later]
            if there and values.count(value) >= left[value]:
                continue
            for reading in readings(value, tokens):
                budget -= 1
                if budget < 0:
                    return
                if len(values) < MOST_REPEATS:
                    yield from further(later, tokens.without(reading.used), (*values, value), unsaid + reading.unsaid)

    yield from further(0, tokens, (), 0)
