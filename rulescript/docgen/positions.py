"""Positions as pictures and words: what lies where, what has changed.

In comes a position of any game; out goes a `Snapshot`: the contents of every space and place, and every state that is
not as it always starts. Two snapshots give a before and an after. Everything is shown, also what players would hide
from each other: these are set-ups and examples, not somebody's game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from attrs import define, field, frozen
from markupsafe import Markup

from rulescript.docgen.maps import COLOURS, TINTS, Counter, Map, Scene
from rulescript.docgen.outline import capital
from rulescript.phrases import counted, kind_noun, readable

if TYPE_CHECKING:
    from rulescript.game_data import StateInfo
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["Counters", "Snapshot", "changes", "contents", "own_states", "pair", "picture", "shading", "take"]

_DULL = ("no", "nothing", "0", "{}", "[]")
NESTING = 3
# A deck of more cards than this, and of more sorts than that, is not told card by card: they are on another page.
MANY, FEW = 14, 8


@frozen
class Item:
    """So many of a type of pieces, or one thing; `note` are states that are not as they start."""

    kind: str
    index: int
    label: str
    count: int
    note: str = ""

    @property
    def words(self) -> str:
        return so_many(self.count, f"{self.label} ({self.note})" if self.note else self.label)


def so_many(number: int, label: str) -> str:
    """``4 Northern guns``; what has a name of its own keeps it: ``3 Supply Dump``."""
    is_name = not label.partition(" (")[0].rpartition(" ")[2][:1].islower()
    return label if number == 1 else f"{number} {label}" if is_name else counted(number, label)


@define
class Spot:
    """A thing that has places or states: what is so of it, and what lies in its places."""

    kind: str
    index: int
    label: str
    states: dict[str, str] = field(factory=dict)
    places: dict[str, list[Item]] = field(factory=dict)


@define
class Snapshot:
    """A position. `spots` by kind and number; `own` are places of the game itself; `states` its states. `raw` are the
    values of each state of each kind, thing by thing."""

    spots: dict[tuple[str, int], Spot]
    own: dict[str, list[Item]]
    states: dict[str, str]
    raw: dict[tuple[str, str], list[Any]]


def take(position: Position) -> Snapshot:
    """Everything there is in a position."""
    game = position.game
    S = list(position.s)
    spots: dict[tuple[str, int], Spot] = {}
    raw: dict[tuple[str, str], list[Any]] = {}
    states: dict[str, str] = {}

    def spot(kind: str, index: int) -> Spot:
        key = (kind, index)
        if key not in spots:
            spots[key] = Spot(kind, index, str(game.data.kinds[kind].labels[index]))
        return spots[key]

    for entry in game.data.states:
        if entry.is_hidden or (entry.is_untold and not entry.kind):
            continue
        if not entry.kind:
            said = _said(game, S[entry.slot], entry)
            if said is not None:
                states[entry.name] = said
            continue
        firsts, differs = _firsts(game, entry)
        values = raw[entry.kind, entry.name] = game.values.states_of(S, entry, len(firsts))
        if entry.is_untold or (not differs and values == firsts):
            continue
        for i, value in enumerate(values):
            if value == firsts[i] and (not differs or game.values.name(value, entry.type) in _DULL):
                continue
            spot(entry.kind, i).states[entry.name] = game.values.label(value, entry.type)
    own: dict[str, list[Item]] = {}
    known = _known.setdefault(game, {})
    for slot, (holds, owner) in game.values.places.items():
        items = known.get((holds.kind, S[slot]))
        if items is None:
            items = _items(game, S, slot, known)
        if not items:
            continue
        if holds.owner:
            spot(holds.owner, owner).places[holds.name] = items
        else:
            own[holds.name] = items
    return Snapshot(spots, own, states, raw)


# How states begin, thing by thing, and whether they differ: it is the same in every position of a game.
_begun: WeakKeyDictionary[Game, dict[tuple[str, str], tuple[list[Any], bool]]] = WeakKeyDictionary()


def _firsts(game: Game, entry: StateInfo) -> tuple[list[Any], bool]:
    begun = _begun.setdefault(game, {})
    found = begun.get((entry.kind, entry.name))
    if found is None:
        firsts = game.values.states_of(game.data.initial, entry, len(game.data.kinds[entry.kind].names))
        found = begun[entry.kind, entry.name] = (firsts, len(set(map(str, firsts))) > 1)
    return found


# What is said of a state of the game itself, by the state and its value: most are as they are in all positions.
_told: WeakKeyDictionary[Game, dict[tuple[str, Any], str | None]] = WeakKeyDictionary()


def _said(game: Game, value: Any, entry: StateInfo) -> str | None:
    """A state of the game itself, in words; None if there is nothing to say of it."""
    told = _told.setdefault(game, {})
    key = (entry.name, value)
    if key not in told:
        if len(told) > MOST_KNOWN:
            told.clear()
        is_dull = game.values.name(value, entry.type) in ("nothing", "{}", "[]")
        told[key] = None if is_dull else game.values.label(value, entry.type)
    return told[key]


# What lies in places, by game, kind and what the position holds for a place: decks are much the same in all of them.
_known: WeakKeyDictionary[Game, dict[tuple[str, Any], list[Item]]] = WeakKeyDictionary()
MOST_KNOWN = 2_000


def _items(game: Game, S: list[Any], slot: int, known: dict[tuple[str, Any], list[Item]]) -> list[Item]:
    holds, _ = game.values.places[slot]
    if len(known) > MOST_KNOWN:
        known.clear()
    found = known[holds.kind, S[slot]] = _items_in(game, S, slot)
    return found


def _items_in(game: Game, S: list[Any], slot: int) -> list[Item]:
    holds, _ = game.values.places[slot]
    kind = game.data.kinds[holds.kind]
    out: list[Item] = []
    for name, count in game.values.contents(S, slot):
        base, bracket, notes = name.partition("(")
        index = kind.names.index(base)
        note = notes.rstrip(")").replace("_", " ") if bracket else ""
        out.append(Item(holds.kind, index, str(kind.labels[index]), count, note))
    return out


# ------------------------------------------------------------------ counters


class Counters:
    """Short texts and colours for pieces: "inf" in the colour of its nation. The legend says what they stand for."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.legend: dict[str, str] = {}
        self.colours: dict[str, str] = {}
        self._short: dict[tuple[str, int], str] = {}
        self._shades: dict[tuple[str, int], str] = {}
        self._taken: dict[str, str] = {}
        self.party = self._party_kind()
        self.sides = self._side_kinds()
        for name, kind in game.data.kinds.items():
            if kind.is_pieces:
                for index in range(len(kind.names)):
                    self._make(name, index)

    def _party_kind(self) -> str:
        """The kind by which counters are coloured: what most pieces belong to, closest to the piece."""
        players = self.game.data.players
        for kind in self.game.data.kinds.values():
            if not kind.is_pieces:
                continue
            for type_ in kind.attr_types.values():
                if type_[0] == "thing" and (type_[1] == players or self._belongs(type_[1], players)):
                    return str(type_[1])
        return str(players or "")

    def _side_kinds(self) -> set[str]:
        """The players, and what players belong to, such as alliances."""
        if not self.game.data.players:
            return set()
        types = self.game.data.kinds[self.game.data.players].attr_types.values()
        return {self.game.data.players, *(str(type_[1]) for type_ in types if type_[0] == "thing")}

    def _belongs(self, kind: str, players: str | None) -> bool:
        if kind not in self.game.data.kinds:
            return False
        return any(t == ["thing", players] for t in self.game.data.kinds[kind].attr_types.values())

    def owner_of(self, kind: str, index: int) -> tuple[str, int] | None:
        """Whose a thing is: the party it belongs to, or else the player."""
        for goal in dict.fromkeys((self.party, self.game.data.players or "")):
            found = self._reached(kind, index, goal)
            if found >= 0:
                return goal, found
        return None

    def _reached(self, kind: str, index: int, goal: str, depth: int = 0) -> int:
        """Which thing of the kind `goal` a thing leads to by what it is said to belong to; -1 for none."""
        if kind == goal:
            return index
        info = self.game.data.kinds.get(kind)
        if info is None or depth > 2:
            return -1
        for name, type_ in info.attr_types.items():
            values = info.attrs[name]
            if type_[0] == "thing" and index < len(values) and isinstance(values[index], int) and type_[1] != kind:
                found = self._reached(type_[1], values[index], goal, depth + 1)
                if found >= 0:
                    return found
        return -1

    def shade_of(self, kind: str, index: int) -> str:
        """How a thing is coloured: as the party it belongs to, or else as its player; empty if it is nobody's."""
        found = self._shades.get((kind, index))
        if found is None:
            owner = self.owner_of(kind, index)
            found = "" if owner is None else self.tint_of(*owner)
            if owner is not None and owner[0] == self.party:
                found = f"c{owner[1] % COLOURS}"
            self._shades[(kind, index)] = found
        return found

    def tint_of(self, kind: str, index: int) -> str:
        """The tint of a side: of a player, or of another thing that is called as the player is. Those that are no
        player, such as `nobody`, have the tints from the last on, which is the palest; a kind of others altogether,
        such as alliances of players, is counted from the first."""
        kinds = self.game.data.kinds
        players = [str(label) for label in kinds[self.game.data.players].labels] if self.game.data.players else []
        labels = [str(label) for label in kinds[kind].labels]
        if labels[index] in players:
            return f"t{players.index(labels[index]) % TINTS}"
        others = [label for label in labels if label not in players]
        if len(others) == len(labels):
            return f"t{index % TINTS}"
        return f"t{(TINTS - 1 - others.index(labels[index])) % TINTS}"

    def _owner_words(self, owner: tuple[str, int] | None) -> set[str]:
        if owner is None:
            return set()
        info, at = self.game.data.kinds[owner[0]], owner[1]
        texts = [str(info.labels[at])]
        texts += [str(info.attrs[name][at]) for name, type_ in info.attr_types.items() if type_ == ["text"]]
        return {word for text in texts for word in (*text.lower().split(), *text.lower().replace("-", " ").split())}

    def _make(self, kind: str, index: int) -> None:
        text = self._own_words(kind, index)
        short = self._short[(kind, index)] = self._abbreviated(text)
        if short != text:
            self.legend[short] = text
        shade = self.shade_of(kind, index)
        if shade:
            self.colours[shade] = self.party_of(kind, index)

    def _own_words(self, kind: str, index: int) -> str:
        words = str(self.game.data.kinds[kind].labels[index]).split()
        owner = self._owner_words(self.owner_of(kind, index))
        return " ".join([word for word in words if word.lower() not in owner] or words)

    def _abbreviated(self, text: str) -> str:
        if len(text) <= 5:
            return text
        words = text.split()
        if len(words) == 1:
            tries = [text[:n] for n in range(3, len(text) + 1)]
        else:
            tries = ["".join(w[:n] for w in words[:3]) for n in (1, 2, 3)] + [text]
        for short in tries:
            if self._taken.get(short, text) == text:
                self._taken[short] = text
                return short
        return text

    def short_of(self, kind: str, index: int) -> str:
        """The short text of a type of piece, or the name of a single thing without its owner's."""
        return self._short.get((kind, index)) or self._own_words(kind, index)

    def party_of(self, kind: str, index: int) -> str:
        """What the owner of a thing is called."""
        owner = self.owner_of(kind, index)
        return str(self.game.data.kinds[owner[0]].labels[owner[1]]) if owner else ""

    def of(self, item: Item, is_new: bool = False) -> Counter:
        """A counter for what lies somewhere. Single things have their own names."""
        if (item.kind, item.index) in self._short:
            text = self._short[(item.kind, item.index)] + ("*" if item.note else "")
        else:
            text = abbreviated(item.label, 16)
        return Counter(text, item.words, self.shade_of(item.kind, item.index) or "plain", item.count, is_new)


def abbreviated(label: str, most: int) -> str:
    """A label that fits on a counter. What tells it from others stands last: "R-H 10th", not "Ruritano-Hentz…"."""
    if len(label) <= most:
        return label
    *before, last = label.split()
    short = [re.sub(r"(\w)\w+", r"\1", word) if word[:1].isalpha() else word for word in before]
    text = " ".join([*short, last])
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


# ------------------------------------------------------------------ pictures


def _space_items(snapshot: Snapshot, kind: str, index: int, depth: int = 0) -> list[Item]:
    """What lies in a thing, and in the things that lie in it."""
    spot = snapshot.spots.get((kind, index))
    if spot is None:
        return []
    out: list[Item] = []
    for items in spot.places.values():
        for item in items:
            out.append(item)
            if depth < NESTING and (item.kind, item.index) in snapshot.spots:
                out += _space_items(snapshot, item.kind, item.index, depth + 1)
    return out


_HELD = ("control", "controller", "controlled by", "owner", "owned by", "holder", "held by", "occupier", "status")


def shading(of: Map, game: Game) -> tuple[str, str] | None:
    """The state by which the spaces of a position are shaded (who holds them), and the kind of its values."""
    found: list[tuple[int, str, str]] = []
    for at, entry in enumerate(game.data.states):
        if entry.kind != of.kind.name or entry.is_hidden:
            continue
        plain = entry.type[1] if entry.type[0] == "maybe" else entry.type
        if plain[0] != "thing" or len(game.data.kinds[plain[1]].names) > TINTS:
            continue
        words = readable(entry.name).lower()
        rank = _HELD.index(words) if words in _HELD else 100 + at
        found.append((rank, entry.name, str(plain[1])))
    return min(found)[1:] if found else None


def picture(
    of: Map,
    game: Game,
    snapshot: Snapshot,
    counters: Counters,
    title: str,
    ident: str,
    before: Snapshot | None = None,
    only: set[int] | None = None,
) -> Markup:
    """A position on a map. Against a position before it, what is new is marked."""
    return of.draw(_scene(of, game, snapshot, counters, title, ident, before, only), only)


def pair(
    of: Map, game: Game, before: Snapshot, after: Snapshot, counters: Counters, title: str, ident: str, only: set[int]
) -> tuple[Markup, Markup]:
    """Two positions on the same map, laid out alike, so that the eye can compare them."""
    first = _scene(of, game, before, counters, f"{title}, before", f"{ident}-b", None, only)
    second = _scene(of, game, after, counters, f"{title}, after", f"{ident}-a", before, only)
    return of.draw(first, only, like=second), of.draw(second, only, like=first)


def _scene(
    of: Map,
    game: Game,
    snapshot: Snapshot,
    counters: Counters,
    title: str,
    ident: str,
    before: Snapshot | None,
    only: set[int] | None,
) -> Scene:
    """What a position puts on a map, or on some spaces of it."""
    kind = of.kind.name
    spaces = [space for space in of.spaces if only is None or space.index in only]
    shown: dict[int, list[Counter]] = {}
    notes: dict[int, list[str]] = {}
    marked: set[int] = set()
    for space in spaces:
        items = _space_items(snapshot, kind, space.index)
        old = {(i.kind, i.index, i.note): i.count for i in _space_items(before, kind, space.index)} if before else {}
        if items:
            shown[space.index] = [
                counters.of(i, before is not None and old.get((i.kind, i.index, i.note)) != i.count) for i in items
            ]
        spot = snapshot.spots.get((kind, space.index))
        if spot is not None and spot.states:
            notes[space.index] = [_state_words(game, kind, name, value) for name, value in spot.states.items()]
        if before is not None and _differs(before, snapshot, kind, space.index):
            marked.add(space.index)
    shades: dict[int, str] = {}
    shaded = shading(of, game)
    if shaded is not None:
        values = snapshot.raw.get((kind, shaded[0]))
        for space in spaces:
            value = values[space.index] if values is not None else None
            shades[space.index] = counters.tint_of(shaded[1], value) if value is not None else "plain"
            if space.index in notes:
                told = f"{readable(shaded[0]).lower()}: "
                notes[space.index] = [n for n in notes[space.index] if not n.startswith(told)]
    elif of.colourings:
        shades = {i: f"c{g % COLOURS}" if g >= 0 else "plain" for i, g in enumerate(of.colourings[0].of_space)}
    return Scene(title, ident, shown, notes, shades, marked, False)


def _state_words(game: Game, kind: str, name: str, value: str) -> str:
    entry = next(e for e in game.data.states if e.kind == kind and e.name == name)
    words = readable(name).lower()
    if entry.type == ["bool"]:
        return words if value == "yes" else f"not {words}"
    return f"{words}: {value}"


def _differs(a: Snapshot, b: Snapshot, kind: str, index: int) -> bool:
    first, second = a.spots.get((kind, index)), b.spots.get((kind, index))
    if (first.states if first else {}) != (second.states if second else {}):
        return True
    return _space_items(a, kind, index) != _space_items(b, kind, index)


# ------------------------------------------------------------------ words


def changes(game: Game, before: Snapshot, after: Snapshot) -> list[tuple[str, str, str]]:
    """What has changed: (what, as it was, as it is)."""
    out: list[tuple[str, str, str]] = []
    order = {kind: at for at, kind in enumerate(game.data.kinds)}
    for key in sorted({*before.spots, *after.spots}, key=lambda k: (order[k[0]], k[1])):
        a, b = before.spots.get(key), after.spots.get(key)
        if a == b:
            continue
        label = (b or a).label if (b or a) else ""  # type: ignore[union-attr]
        for name in _names(a.places if a else {}, b.places if b else {}):
            old, new = (a.places.get(name, []) if a else []), (b.places.get(name, []) if b else [])
            if old != new:
                many = sum(1 for h in game.data.holds if h.owner == key[0]) > 1
                what = f"{label}: {readable(name).lower()}" if many else label
                out.append((what, *_apart(old, new)))
        for name in _names(a.states if a else {}, b.states if b else {}):
            old_state, new_state = (a.states.get(name) if a else None), (b.states.get(name) if b else None)
            if old_state != new_state:
                told = [x if x is not None else _first(game, key[0], name, key[1]) for x in (old_state, new_state)]
                words = readable(name).lower()
                short = capital(words)  # letters that are no word: VP
                out.append((f"{label}: {short if short[1:2].isupper() else words}", told[0], told[1]))
    for name in _names(before.own, after.own):
        if before.own.get(name, []) != after.own.get(name, []):
            out.append(
                (capital(readable(name).lower()), _listed(before.own.get(name, [])), _listed(after.own.get(name, [])))
            )
    for name in _names(before.states, after.states):
        if before.states.get(name) != after.states.get(name):
            told_game = [s.states.get(name, "nothing") for s in (before, after)]
            out.append((state_title(game, name), told_game[0], told_game[1]))
    return out


def state_title(game: Game, name: str) -> str:
    """What a state of the game is called: "Turn", and "Night March: used" for one that a card has for itself."""
    owner, dot, state = name.rpartition(".")
    if not dot:
        return capital(readable(name).lower())
    labels = (info.labels[info.names.index(owner)] for info in game.data.kinds.values() if owner in info.names)
    return f"{next(labels, readable(owner))}: {readable(state).lower()}"


def own_states(game: Game, snapshot: Snapshot) -> list[tuple[str, str]]:
    """The states of the game in a position; of those that cards have for themselves, only what is out of the usual."""
    told = snapshot.states.items()
    return [(state_title(game, name), value) for name, value in told if "." not in name or value not in _DULL]


def _first(game: Game, kind: str, name: str, index: int) -> str:
    """A state's value at the very beginning, which a snapshot does not tell."""
    entry = next(e for e in game.data.states if e.kind == kind and e.name == name)
    return game.values.label(game.values.state(game.data.initial, entry, index), entry.type)


def _names(a: dict[str, Any], b: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys([*a, *b]))


def _listed(items: Sequence[Item]) -> str:
    return ", ".join(i.words for i in items) or "nothing"


def _apart(old: Sequence[Item], new: Sequence[Item]) -> tuple[str, str]:
    """Two lists in words; of long ones only what differs."""
    if len(old) + len(new) > 6:
        same = {(i.kind, i.index, i.note, i.count) for i in old} & {(i.kind, i.index, i.note, i.count) for i in new}
        old, new = (
            [i for i in items if (i.kind, i.index, i.note, i.count) not in same] for items in (old, new)
        )  # fmt: skip
        if not old and not new:
            return "in another order", "in this order"
        return (_listed(old) if old else "none of these"), (_listed(new) if new else "none of these")
    return _listed(old), _listed(new)


def contents(
    game: Game, snapshot: Snapshot, maps: Sequence[Map], other: Snapshot | None = None
) -> list[tuple[str, str]]:
    """What lies in each place that has anything, spaces first. Where there is otherwise something else, by chance, only
    how much there is."""
    out: list[tuple[str, str]] = []
    others = {key: spot.places for key, spot in other.spots.items()} if other is not None else {}

    def told(items: Sequence[Item], again: Sequence[Item] | None) -> str:
        alike = other is None or (again is not None and _grouped(again) == _grouped(items))
        if alike and (len(items) <= MANY or len({item.label for item in items}) <= FEW):
            return _grouped(items)
        kinds = {item.kind for item in items}
        noun = kind_noun(kinds.pop()) if len(kinds) == 1 else "piece"
        return counted(sum(item.count for item in items), noun) + ("" if alike else ", by chance")

    spaces = [of.kind.name for of in maps]
    kinds = [*spaces, *(k for k in game.data.kinds if k not in spaces)]
    for kind in kinds:
        for (name, _), spot in sorted(snapshot.spots.items(), key=lambda pair: pair[0][1]):
            if name != kind:
                continue
            again = others.get((name, spot.index), {})
            lies = {place: told(items, again.get(place)) for place, items in spot.places.items()}
            if kind in spaces:  # whatever stands in a space stands there
                out += [(spot.label, "; ".join(lies.values()))] if lies else []
                continue
            several = sum(1 for h in game.data.holds if h.owner == kind) > 1
            out += [
                (f"{spot.label}: {readable(p).lower()}" if several else spot.label, what) for p, what in lies.items()
            ]
    for place, items in snapshot.own.items():
        otherwise = other.own.get(place) if other is not None else None
        out.append((capital(readable(place).lower()), told(items, otherwise)))
    return out


def _grouped(items: Sequence[Item], most: int = 24) -> str:
    """Many single things alike (copies of a card) are told once, with their number."""
    numbers: dict[str, int] = {}
    for item in items:
        note = f" ({item.note})" if item.note else ""
        numbers[f"{item.label}{note}"] = numbers.get(f"{item.label}{note}", 0) + item.count
    told = [so_many(number, label) for label, number in numbers.items()]
    if len(told) > most:
        total = sum(numbers.values())
        return f"{', '.join(told[:most])} and more ({total} in all)"
    return ", ".join(told)
