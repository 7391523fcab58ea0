"""Words for the things and pieces of one game: what a reader may type for `Ruritania_infantry`.

Plain data of a compiled game comes in; out come answers to "which thing is called this?" and "does this
word fit that piece?". A name may be typed with spaces for underscores, in any case; a label and any text
among a thing's attributes (an adjective) serve as well. Pieces may be named by some of their words
(`infantry`), by the adjective of what they belong to, in the plural, or by the beginning of a word (`inf`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from attrs import frozen

from rulescript.calls import is_number
from rulescript.game_data import KindInfo, TypeData

__all__ = ["FILLERS", "KindWords", "Lexicon", "Tokens", "as_written", "words"]

# So many answers about words are kept for one game.
MOST_KNOWN = 5_000
FILLERS = frozenset(
    [
        "to",
        "in",
        "from",
        "at",
        "with",
        "and",
        "of",
        "the",
        "a",
        "an",
        "into",
        "by",
        "for",
        "on",
        "as",
        "it",
        "its",
        "then",
    ]
)


# A number has its sign: `-2` is not `2`. In `Q-2` there is none.
_WORD = re.compile(r"(?:(?<![^\W_])-(?=\d))?[^\W_]+")
_MINUS = str.maketrans("\N{MINUS SIGN}\N{EN DASH}", "--")
_INITIALS = re.compile(r"(?<![^\W_])[^\W\d_](?:[-/.][^\W\d_])+(?![^\W_])")


def cased_words(text: str) -> list[str]:
    """The words of a text; underscores and hyphens part them. Initials are one word (`A-H`, `D.C.`), and a sign belongs
    to its number."""
    return _WORD.findall(_INITIALS.sub(lambda found: re.sub(r"\W", "", found[0]), text).translate(_MINUS))


def words(text: str) -> list[str]:
    """The words of a text, lower case."""
    return list(_words(text))


@lru_cache(maxsize=4096)  # the same names and labels are asked for again and again
def _words(text: str) -> tuple[str, ...]:
    return tuple(w.lower() for w in cased_words(text))


def as_written(texts: Iterable[str]) -> dict[str, str]:
    """The words of names and labels, with how they are written there."""
    parts = [part for text in texts for part in text.replace("_", " ").split()]
    return {found[0]: part for part in parts if len(found := words(part)) == 1}


@lru_cache(maxsize=4096)
def plain_words(text: str) -> tuple[str, ...]:
    """The words of a name that must be said: without fillers, unless it has no others."""
    found = _words(text)
    return tuple(w for w in found if w not in FILLERS) or found


@lru_cache(maxsize=4096)
def singulars(word: str) -> tuple[str, ...]:
    """What a word may be the plural of."""
    if not word.endswith("s"):
        return ()
    found = [word[:-1]]
    if word.endswith("es"):
        found.insert(0, word[:-2])
    if word.endswith("ies"):
        found.insert(0, word[:-3] + "y")
    return tuple(found)


class Tokens:
    """The words of a line, counted. Small words written small need not be used up."""

    __slots__ = ("_known", "amounts", "count", "free", "said_of")

    def __init__(
        self, count: Counter[str], free: frozenset[str], amounts: tuple[tuple[str, str, str], ...] = ()
    ) -> None:
        self.count = count
        self.free = free
        # The numbers that stand before a word as how many stand there: the word before, the number, the word after.
        self.amounts = amounts
        self._known: frozenset[str] | None = None
        # What they say of pieces, for whoever asks it of many that are alike.
        self.said_of: dict[tuple[str, int], Any] = {}

    @classmethod
    def of(cls, text: str, repeat: bool = True) -> Tokens:
        """`2 Ruritanian infantry, 1 gun` has its words as often as the number says, if `repeat`."""
        count: Counter[str] = Counter()
        capital: set[str] = set()
        for part in re.split(r"[,;:()]", text):
            times = 1
            found = cased_words(part)
            for at, word in enumerate(found):
                last = at + 1 == len(found)
                if repeat and is_number(word) and not last and not is_number(found[at + 1]) and 0 < int(word) < 100:
                    times = int(word)
                    continue
                if word != word.lower():
                    capital.add(word.lower())
                count[word.lower()] += times
        free = frozenset(w for w in FILLERS if w == "the" or w not in capital)
        return cls(count, free, () if repeat else tuple(_amounts_in(text)))

    def without(self, used: Counter[str]) -> Tokens:
        return Tokens(self.count - used, self.free, self.amounts) if used else self

    def amounts_of(self, number: str, runs: Collection[tuple[str, str]]) -> int:
        """How often a number of the line says how many there are: it is beside no word as in `runs`."""
        places = [(before, after) for before, it, after in self.amounts if it == number]
        return sum((before, number) not in runs and (number, after) not in runs for before, after in places)

    def is_amount(self, number: str, runs: Collection[tuple[str, str]]) -> bool:
        """Whether a number of the line says nothing else."""
        return bool(self.amounts) and 0 < self.count[number] <= self.amounts_of(number, runs)

    @property
    def is_used_up(self) -> bool:
        return all(w in self.free for w, n in self.count.items() if n > 0)

    def left(self) -> list[str]:
        return [w for w, n in self.count.items() if n > 0 and w not in self.free]

    def has(self, needed: Collection[str]) -> Counter[str] | None:
        """These words taken out of the line, or None if they are not all there."""
        if self._known is None:
            typed = [w for w, n in self.count.items() if n > 0]
            self._known = FILLERS.union(typed, *map(singulars, typed))
        if not self._known.issuperset(needed):  # as it is for most
            return None
        used: Counter[str] = Counter()
        for word in needed:
            found = next((w for w in self._forms(word) if self.count[w] > used[w]), None)
            if found is None:
                if word in FILLERS:
                    continue
                return None
            used[found] += 1
        return used

    def _forms(self, word: str) -> Iterable[str]:
        yield word
        for typed in self.count:
            if typed != word and word in singulars(typed):
                yield typed

    def any_of(self, known: Iterable[str]) -> Counter[str]:
        """Those of some words that are there, once each."""
        used: Counter[str] = Counter()
        for word in set(known):
            if self.count[word] > 0:
                used[word] = 1
        return used


_AMOUNT = re.compile(r"(?:(?<![^\W_])(\w+)[^\w,;:()-]+)?(?<![\w.-])(\d+)\s+(?=([^\W_]\w*))")


def _amounts_in(text: str) -> Iterable[tuple[str, str, str]]:
    """`move 2 foot`: the numbers that stand right before a word, with the words on either side."""
    for found in _AMOUNT.finditer(text):
        before, number, after = ((found[1] or "").lower(), found[2], found[3].lower())
        if after not in FILLERS:
            yield before, number, after


@frozen
class KindWords:
    """What a lexicon knows of a kind, where the game is not compiled yet."""

    is_pieces: bool
    names: list[str]
    shown: list[str]
    labels: list[str]
    attrs: dict[str, list[Any]]
    attr_types: dict[str, TypeData]


class Lexicon:
    """What the things of a game are called."""

    def __init__(self, kinds: Mapping[str, KindWords | KindInfo]) -> None:
        self.kinds = kinds
        self._ways: dict[tuple[str, int], tuple[tuple[str, ...], ...]] = {}
        self._groups: dict[str, list[list[tuple[tuple[str, ...], ...]]]] = {}
        self._words: dict[str, list[frozenset[str]]] = {}
        self._runs: dict[str, frozenset[tuple[str, str]]] = {}
        self._vocabulary: dict[str, frozenset[str]] = {}
        self._meant: dict[tuple[str, str], frozenset[str]] = {}
        self._unsaid: dict[tuple[str, int, frozenset[str]], int] = {}
        self._types: dict[tuple[str, tuple[str, ...]], list[int]] = {}
        self._usual: dict[str, frozenset[tuple[tuple[str, ...], ...]]] = {}
        self._exact: dict[tuple[str, ...], list[tuple[str, int]]] | None = None
        self._labels: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] | None = None

    # -------------------------------------------------------------- single things

    def ways(self, kind: str, index: int) -> tuple[tuple[str, ...], ...]:
        """The ways to name a thing in full: its name, its label, a text or list of texts among its attributes."""
        found = self._ways.get((kind, index))
        if found is None:
            info = self.kinds[kind]
            texts = [info.names[index], info.shown[index], info.labels[index]]
            for attr, type_ in info.attr_types.items():
                if type_ == ["text"] and info.attrs[attr][index]:
                    texts.append(info.attrs[attr][index])
                elif type_ == ["list", ["text"]]:
                    texts += info.attrs[attr][index]
            # Small words in a name may be said or left out.
            found = tuple({plain_words(t): tuple(words(t)) for t in reversed(texts) if words(t)}.values())[::-1]
            self._ways[kind, index] = found
        return found

    def things(self, text: str, kinds: Sequence[str] | None = None) -> list[tuple[str, int]]:
        """The things (of some kinds) a text names in full; names count before labels and adjectives."""
        found = self.namesakes(text, kinds)
        if len(found) > 1:
            wanted = plain_words(text)
            named = [t for t in found if plain_words(self.name(*t)) == wanted]
            exact = [t for t in named if self.kinds[t[0]].names[t[1]] == text.strip().replace(" ", "_")]
            found = exact or named or found
        return found

    def namesakes(self, text: str, kinds: Sequence[str] | None = None) -> list[tuple[str, int]]:
        """All things (of some kinds) that a text names in full, whether by a name, a label or an adjective."""
        if self._exact is None:
            self._exact = {}
            for kind, info in self.kinds.items():
                if not info.is_pieces:
                    for index in range(len(info.names)):
                        for way in self.ways(kind, index):
                            self._exact.setdefault(plain_words(" ".join(way)), []).append((kind, index))
        return [t for t in self._exact.get(plain_words(text), []) if kinds is None or t[0] in kinds]

    def name(self, kind: str, index: int) -> str:
        return str(self.kinds[kind].names[index])

    def names_for(self, text: str) -> list[tuple[str, ...]]:
        """The names of things that a text calls by their labels, where the name has other words: who reads "the Old
        Mill" in an option may type `Mill_2`. A label that several things have names none of them."""
        if self._labels is None:
            self._labels = {}
            called = [
                (tuple(words(str(label))), tuple(words(name)))
                for info in self.kinds.values()
                if not info.is_pieces
                for label, name in zip(info.labels, info.names, strict=True)
            ]
            times = Counter(label for label, _ in called)
            for label, name in called:
                if label and times[label] == 1 and set(name) != set(label):
                    self._labels.setdefault(label[0], []).append((label, name))
        told = tuple(words(text))
        return [
            name
            for at, word in enumerate(told)
            for label, name in self._labels.get(word, ())
            if told[at : at + len(label)] == label
        ]

    # -------------------------------------------------------------- pieces

    def groups(self, kind: str) -> list[list[tuple[tuple[str, ...], ...]]]:
        """For each type of pieces, what can be said of it; of each, the ways to say it (`Ruritania`,
        `Ruritanian`). What an earlier one says is not said again: of a Ruritanian piece, the corps called
        Ruritanian Guard says `guard`."""
        found = self._groups.get(kind)
        if found is None:
            info = self.kinds[kind]
            found = []
            for index in range(len(info.names)):
                groups: list[tuple[tuple[str, ...], ...]] = []
                for attr, declared in info.attr_types.items():
                    type_ = declared[1] if declared[0] == "maybe" else declared
                    value = info.attrs[attr][index]
                    if type_[0] == "thing" and isinstance(value, int):
                        said = {w for ways in groups for way in ways for w in way}
                        ways = [plain_words(" ".join(way)) for way in self.ways(type_[1], value)]
                        new = tuple(left for way in ways if (left := tuple(w for w in way if w not in said)))
                        if new:
                            groups.append(new)
                    elif type_ == ["text"] and value:
                        groups.append((plain_words(value),))
                    elif type_ == ["bool"] and value:
                        groups.append((plain_words(attr),))
                known = {w for ways in groups for way in ways for w in way}
                for text in (info.names[index], info.labels[index]):
                    fresh = [w for w in plain_words(text) if w not in known]
                    known.update(fresh)
                    groups += [((w,),) for w in fresh]
                found.append(list(dict.fromkeys(groups)))
            self._groups[kind] = found
        return found

    def number_runs(self, kind: str) -> frozenset[tuple[str, str]]:
        """The words beside numbers in what pieces of a kind are called: `2-step corps`, `corps 4`."""
        found = self._runs.get(kind)
        if found is None:
            info = self.kinds[kind]
            said = [words(text) for texts in (info.names, info.labels, info.shown) for text in texts]
            pairs = {pair for each in said for pair in zip(each, each[1:], strict=False)}
            found = self._runs[kind] = frozenset(p for p in pairs if is_number(p[0]) or is_number(p[1]))
        return found

    def piece_words(self, kind: str) -> list[frozenset[str]]:
        """All words of each type of pieces."""
        found = self._words.get(kind)
        if found is None:
            found = [frozenset(w for g in groups for way in g for w in way) for groups in self.groups(kind)]
            self._words[kind] = found
        return found

    def meant(self, kind: str, token: str) -> frozenset[str]:
        """The words of a kind of pieces that something typed may stand for."""
        found = self._meant.get((kind, token))
        if found is None:
            if len(self._meant) > MOST_KNOWN:
                self._meant.clear()
            found = self._meant[kind, token] = self._meant_by(kind, token)
        return found

    def _meant_by(self, kind: str, token: str) -> frozenset[str]:
        vocabulary = self._vocabulary.get(kind)
        if vocabulary is None:
            vocabulary = self._vocabulary[kind] = frozenset(w for ws in self.piece_words(kind) for w in ws)
        if token in vocabulary:
            return frozenset({token})
        for singular in singulars(token):
            if singular in vocabulary:
                return frozenset({singular})
        if len(token) >= 3:
            return frozenset(w for w in vocabulary if w.startswith(token))
        return frozenset()

    def unsaid(self, kind: str, index: int, said: Iterable[str]) -> int:
        """How many of a type's groups of words were not mentioned. What most types are goes without saying."""
        mentioned = frozenset(said)
        key = (kind, index, mentioned)
        found = self._unsaid.get(key)
        if found is None:
            if len(self._unsaid) > MOST_KNOWN:
                self._unsaid.clear()
            usual = self._usual_words(kind)
            found = self._unsaid[key] = sum(
                1
                for ways in self.groups(kind)[index]
                if ways not in usual and not any(w in mentioned for way in ways for w in way)
            )
        return found

    def _usual_words(self, kind: str) -> frozenset[tuple[tuple[str, ...], ...]]:
        """Yes-or-no attributes that most types of a kind have."""
        found = self._usual.get(kind)
        if found is None:
            info = self.kinds[kind]
            yes = {a: sum(map(bool, info.attrs[a])) for a, t in info.attr_types.items() if t == ["bool"]}
            found = frozenset((plain_words(a),) for a, number in yes.items() if 2 * number > len(info.names))
            self._usual[kind] = found
        return found

    def all_types(self, kind: str, tokens: Iterable[str]) -> list[int]:
        """The types all these words fit, however much is left unsaid."""
        meant = [self.meant(kind, t) for t in tokens]
        return [i for i, known in enumerate(self.piece_words(kind)) if all(m & known for m in meant)]

    def piece_types(self, kind: str, tokens: Iterable[str]) -> list[int]:
        """The types all these words fit; those with the fewest words left unsaid."""
        said_of = tuple(tokens)
        known_types = self._types.get((kind, said_of))
        if known_types is None:
            if len(self._types) > MOST_KNOWN:
                self._types.clear()
            known_types = self._types[kind, said_of] = self._piece_types(kind, said_of)
        return list(known_types)

    def _piece_types(self, kind: str, tokens: Iterable[str]) -> list[int]:
        meant = [self.meant(kind, t) for t in tokens if t not in FILLERS]
        if not meant or not all(meant):
            return []
        found: list[tuple[tuple[int, int], int]] = []
        for index, known in enumerate(self.piece_words(kind)):
            if all(m & known for m in meant):
                said = {w for m in meant for w in m & known}
                found.append(((self.unsaid(kind, index, said), self._half_said(kind, index, said)), index))
        best = min((unsaid for unsaid, _ in found), default=(0, 0))
        return [index for unsaid, index in found if unsaid == best]

    def _half_said(self, kind: str, index: int, said: set[str]) -> int:
        """How many words are missing of what was mentioned: `guns` means the guns before the heavy guns."""
        return sum(
            min(sum(w not in said for w in way) for way in ways if any(w in said for w in way))
            for ways in self.groups(kind)[index]
            if any(w in said for way in ways for w in way)
        )
