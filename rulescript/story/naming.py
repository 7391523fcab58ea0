"""What things, pieces and places are called by people, and whose they are: from the data of a game alone."""

from __future__ import annotations

from attrs import frozen

from rulescript.game_data import GameData, PlaceInfo, StateInfo
from rulescript.phrases import article, counted, kind_noun, plural, with_the

__all__ = ["Naming", "Spot", "owner_of", "possessive"]

HIDDEN = "(hidden)"


@frozen
class Spot:
    """A place of an event: whose it is, what it is called, and whether that is a space of the map."""

    label: str
    is_space: bool
    owner: str = ""  # what the thing is called whose place it is
    name: str = ""  # what the place itself is called, where that thing has several


def possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def owner_of(data: GameData, kind: str, index: int, depth: int = 0) -> int:
    """The player a thing or type of pieces belongs to, by the first of its attributes that is a player or belongs to
    one; -1 for none."""
    if kind == data.players:
        return index
    info = data.kinds[kind]
    if index < 0 or depth > 1:
        return -1
    for name, type_ in info.attr_types.items():
        values = info.attrs[name]
        if type_[0] == "thing" and index < len(values) and isinstance(values[index], int):
            found = owner_of(data, type_[1], values[index], depth + 1)
            if found >= 0:
                return found
    return -1


class Naming:
    """The names of a game's events in words."""

    def __init__(self, data: GameData) -> None:
        self.data = data
        self._indices: dict[str, dict[str, int]] = {}
        for name, kind in data.kinds.items():
            known = self._indices[name] = {}
            for at, own in enumerate(kind.names):
                known.setdefault(own, at)
            for at, shown in enumerate(kind.shown):
                known.setdefault(shown, at)
        self._holds: dict[str, list[PlaceInfo]] = {}
        for holds in data.holds:
            self._holds.setdefault(holds.name, []).append(holds)
        players = data.kinds[data.players] if data.players else None
        self.players = list(map(str, players.labels)) if players is not None else []
        self._roles = {name: at for at, name in enumerate(players.names)} if players is not None else {}
        labels = {str(label) for kind in data.kinds.values() if kind.is_pieces for label in kind.labels}
        # The longest first: "foot guards" before "foot".
        self.piece_labels = sorted(labels - {""}, key=lambda label: (-len(label), label))
        self._spots: dict[str, Spot] = {}

    def role(self, name: str) -> int:
        """A player by its name in the rules; -1 if it is none."""
        return self._roles.get(name, -1)

    def index(self, kind: str, name: str) -> int:
        """Which thing or type of pieces a name of an event means; -1 for what the viewer could not tell."""
        return self._indices.get(kind, {}).get(name.partition("(")[0], -1)

    def label(self, kind: str, name: str) -> str:
        """A thing by what people call it."""
        at = self.index(kind, name)
        return str(self.data.kinds[kind].labels[at]) if at >= 0 else name.replace("_", " ")

    def items(self, kind: str, items: dict[str, int], with_states: bool = False) -> list[str]:
        """``3 Northern foot``, ``Ada``, ``2 cards``: what an event is about, each with its number."""
        info = self.data.kinds[kind]
        totals: dict[tuple[str, bool], int] = {}
        for name, number in items.items():
            base, bracket, notes = name.partition("(")
            at = self.index(kind, name)
            called = str(info.labels[at]) if at >= 0 else base
            if bracket and with_states and at >= 0:
                called += f" ({notes}".replace("_", " ")
            key = (called, at >= 0 or base != kind)
            totals[key] = totals.get(key, 0) + number
        out = []
        for (called, is_known), number in totals.items():
            if not is_known:
                noun = kind_noun(called)
                out.append(article(noun) if number == 1 else f"{number} {plural(noun)}")
            elif info.is_pieces:
                out.append(counted(number, called))
            else:
                out.append(called if number == 1 else f"{number} × {called}")
        return out

    def are_home(self, kind: str, items: dict[str, int], place: str) -> bool:
        """Whether a place is where all of these are at home, so that it need not be named when they come from there."""
        homes = self.data.kinds[kind].homes
        owner, _, name = place.rpartition(".")
        for holds in self._holds.get(name, ()):
            slot = holds.slot + (self.index(holds.owner, owner) if holds.owner else 0)
            if holds.kind == kind and slot >= holds.slot:
                return all(0 <= (at := self.index(kind, item)) < len(homes) and homes[at] == slot for item in items)
        return False

    def spot(self, place: str) -> Spot:
        """A place by its name in an event: ``Mill.units`` is Mill, ``North.deck`` is North's deck."""
        found = self._spots.get(place)
        if found is None:
            found = self._spots[place] = self._spot(place)
        return found

    def _spot(self, place: str) -> Spot:
        if place == HIDDEN:
            return Spot("", False)
        owner, dot, name = place.rpartition(".")
        words = name.replace("_", " ")
        if not dot:
            return Spot(f"the {words}", False)
        for holds in self._holds.get(name, ()):
            at = self.index(holds.owner, owner)
            if at < 0:
                continue
            kind = self.data.kinds[holds.owner]
            label = with_the(str(kind.labels[at]))
            is_space = any(kind.links.values())
            if is_space or self._is_within(holds.owner):
                return Spot(label, True, label)
            same = [h for h in self.data.holds if h.owner == holds.owner and h.kind == holds.kind]
            if len(same) == 1:
                return Spot(label, False, label)
            return Spot(f"{possessive(label)} {words}", False, str(kind.labels[at]), words)
        return Spot(place.replace("_", " "), False)

    def _is_within(self, kind: str) -> bool:
        """Whether things of a kind stand on the map themselves, so that what is in them does, too: a stack, an army."""
        return any(
            holds.kind == kind and any(self.data.kinds[holds.owner].links.values())
            for holds in self.data.holds
            if holds.owner
        )

    def state(self, of: str, name: str) -> tuple[StateInfo, str] | None:
        """A state by an event's names, and what people call the thing whose it is."""
        for entry in self.data.states:
            if entry.name != name:
                continue
            if not entry.kind and not of:
                return entry, ""
            if entry.kind and self.index(entry.kind, of) >= 0:
                return entry, self.label(entry.kind, of)
        return None

    def value(self, value: str, type_: object) -> str:
        """A state's value, given by its name, as people read it."""
        match type_:
            case ["maybe", inner] if value != "nothing":
                return self.value(value, inner)
            case ["thing", str() as kind]:
                return self.label(kind, value)
            case ["set" | "list", inner]:
                inside = str(value)[1:-1]
                return ", ".join(self.value(each, inner) for each in inside.split(", ")) if inside else "none"
        return str(value).replace("_", " ")
