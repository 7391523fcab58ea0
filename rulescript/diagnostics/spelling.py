"""Nearest names, for hints.

In come a word that was not found and the names that would have done; out come at most three of them, nearest
first, or none when no guess is good enough to type. Case, underscores, spaces and hyphens do not count, so
`north mark` finds `North_Mark` at no distance at all. What the hint says around the names is for the caller,
except for the usual question, which `spelling_hint` asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sized
from functools import lru_cache
from os.path import commonprefix
from threading import local

__all__ = ["begin_guessing", "is_slip", "nearest_names", "spelling_hint"]

_IGNORED = str.maketrans("", "", "_- ")
# So many names are compared for the hints of one game. Who has thousands of names and thousands that are unknown gets
# hints for the first of them, and the rest when these are mended.
MOST_COMPARED = 250_000
# A name with nearly the same letters is looked at more closely, which takes as long as so many others.
CLOSELY = 5
# Among so few a guess costs nothing: the words of the language, say.
FEW = 200


class _Compared(local):
    """How many names were compared for the game that is looked at. Each thread has its own."""

    names = 0


_COMPARED = _Compared()


def begin_guessing() -> None:
    """Another game is looked at, or the same anew: hints never depend on what was looked at before."""
    _COMPARED.names = 0


def nearest_names(word: str, names: Iterable[str], limit: int = 3) -> list[str]:
    """The names most like `word`, nearest first; `word` itself is never among them."""
    if _COMPARED.names > MOST_COMPARED and isinstance(names, Sized) and len(names) > FEW:
        return []
    among = tuple(dict.fromkeys(names))
    if len(among) <= FEW:
        return list(_among_few(word, among, limit))
    _COMPARED.names += len(among)
    if _COMPARED.names > MOST_COMPARED:
        return []
    near, closely = _nearest(word, among, limit)
    _COMPARED.names += closely
    return near


@lru_cache(4096)
def _among_few(word: str, among: tuple[str, ...], limit: int) -> tuple[str, ...]:
    """The same mistake is met again with each set of options that is looked at."""
    return tuple(_nearest(word, among, limit)[0])


def _nearest(word: str, among: tuple[str, ...], limit: int) -> tuple[list[str], int]:
    """The names, and how much was looked at closely for them."""
    wanted = _bare(word)
    furthest = _furthest_for(wanted)
    letters = _letters_of(wanted)
    found: list[tuple[int, bool, int, str]] = []
    closely = 0
    for name in among:
        bare = _bare(name)
        if name == word or not bare or abs(len(bare) - len(wanted)) > furthest:
            continue
        # One edit changes which letters occur by at most two; this spares most names the full comparison.
        if (_letters_of(bare) ^ letters).bit_count() > 2 * furthest:
            continue
        distance = _distance_of(wanted, bare, furthest)
        closely += CLOSELY
        if distance <= furthest:
            found.append((distance, bare[:1] != wanted[:1], abs(len(bare) - len(wanted)), name))
    found.sort()
    if 4 <= len(wanted) <= 60 and (not found or found[0][0] > 1):
        # `Central` for `Central_Powers`: the beginning of a name is likelier than a slip or two.
        longer = [name for name in among if name != word and _bare(name).startswith(wanted)]
        if 0 < len(longer) <= limit:
            return longer, closely
    # Next to a near miss, a far one is noise.
    return [name for distance, *_, name in found if distance <= found[0][0] + 1][:limit], closely


def spelling_hint(word: str, names: Iterable[str]) -> str | None:
    """``did you mean `reach` or `reaches`?``, or None where there is no good guess."""
    near = [f"`{name}`" for name in nearest_names(word, names)]
    if not near:
        return None
    listed = near[0] if len(near) == 1 else f"{', '.join(near[:-1])} or {near[-1]}"
    return f"did you mean {listed}?"


def is_slip(word: str, name: str) -> bool:
    """Whether one is the other with a single slip of the finger."""
    return _distance_of(_bare(word), _bare(name), 1) <= 1


@lru_cache(16_384)
def _bare(name: str) -> str:
    return name.translate(_IGNORED).casefold()


def _furthest_for(bare: str) -> int:
    """How many slips of the finger we believe in: none in a word of two letters, three in a long one."""
    length = len(bare)
    if length > 60:
        return 0  # nobody mistypes such a name, and comparing them all would take its time
    return 0 if length <= 2 else 1 if length <= 4 else 2 if length <= 8 else 3


@lru_cache(16_384)
def _letters_of(bare: str) -> int:
    mask = 0
    for letter in bare:
        mask |= 1 << (ord(letter) & 63)
    return mask


def _distance_of(one: str, other: str, furthest: int) -> int:
    """Damerau-Levenshtein distance (neighbours swapped count once); stops short when over `furthest`."""
    if one == other:
        return 0
    too_far = furthest + 1
    if furthest == 0:
        return too_far
    # What both begin or end with costs nothing; counters that differ by a number share nearly everything.
    begin = len(commonprefix((one, other)))
    one, other = one[begin:], other[begin:]
    end = len(commonprefix((one[::-1], other[::-1])))
    one, other = one[: len(one) - end], other[: len(other) - end]
    before_last: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        # Cells further than `furthest` from the diagonal cannot be part of a good answer.
        low, high = max(1, i - furthest), min(len(other), i + furthest)
        row = [too_far] * (len(other) + 1)
        row[0] = i
        for j in range(low, high + 1):
            b = other[j - 1]
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2]:
                best = min(best, before_last[j - 2] + 1)
            row[j] = best
        if min(row) > furthest and min(last) > furthest:
            return too_far
        before_last, last = last, row
    return last[-1]
