"""One event, or several alike, as a sentence.

What players do is told in the words of the choice; what comes of it in the past, which needs no plural of a verb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulescript.game_data import GameData, StateInfo
from rulescript.phrases import capital, listed, with_the
from rulescript.story.naming import HIDDEN, Naming, Spot, owner_of

__all__ = ["Sentences", "sentence"]

Event = Mapping[str, Any]
NOTHING = ("no", "nothing", "none", "{}", "[]")


def sentence(text: str) -> str:
    """With a capital, and a full stop where nothing else ends it."""
    text = text.strip()
    if not text:
        return ""
    return capital(text) + ("" if text[-1] in ".!?:”" else ".")


class Sentences:
    """The words for events."""

    def __init__(self, data: GameData) -> None:
        self.data = data
        self.naming = Naming(data)
        self._has_told = {entry.kind for entry in data.states if entry.told and not entry.is_untold}
        self._tracked = {(track.kind, track.state) for track in data.tracks}

    # -------------------------------------------------------------- moves

    def moved(self, event: Event, items: dict[str, int], is_battle: bool, with_states: bool = False) -> str:
        """``3 Northern foot went from Mill to Ford``; what leaves the map in a battle is lost."""
        naming, kind = self.naming, event["what"]
        source, target = naming.spot(event["from"]), naming.spot(event["to"])
        what = listed(naming.items(kind, items, with_states))
        if event["kind"] == "draw":
            return sentence(f"{what} drawn from {source.label}" if source.label else f"{what} drawn")
        if is_battle and self.is_loss(event):
            return sentence(f"{self._losers(kind, items)}lost {what} in {source.label}")
        if source.is_space and target.is_space:
            return sentence(f"{what} went from {source.label} to {target.label}")
        if target.is_space or event["from"] == HIDDEN:
            origin = "" if naming.are_home(kind, items, event["from"]) else _from(source)
            return sentence(f"{what} came {origin}to {target.label}")
        if source.is_space or event["to"] == HIDDEN:
            return sentence(f"{what} left {source.label}{f' ({target.name})' if target.name else ''}")
        if source.owner and source.owner == target.owner:
            return sentence(f"{source.owner}: {what} from {source.name or 'there'} to {target.name or 'there'}")
        return sentence(f"{what} went from {source.label} to {target.label}")

    def is_loss(self, event: Event) -> bool:
        """Whether pieces leave the map."""
        if event["kind"] != "move" or not self.naming.spot(event["from"]).is_space:
            return False
        return not self.naming.spot(event["to"]).is_space

    def _losers(self, kind: str, items: dict[str, int]) -> str:
        """Whose they were, if they were all one player's."""
        owners = {owner_of(self.data, kind, self.naming.index(kind, name)) for name in items}
        if len(owners) == 1 and (only := owners.pop()) >= 0:
            return f"{with_the(self.naming.players[only])} "
        return ""

    def losses(self, lost: Sequence[tuple[str, dict[str, int]]]) -> list[str]:
        """What was lost in a battle, by player."""
        by_owner: dict[int, dict[str, dict[str, int]]] = {}
        for kind, items in lost:
            for name, number in items.items():
                owner = owner_of(self.data, kind, self.naming.index(kind, name))
                counts = by_owner.setdefault(owner, {}).setdefault(kind, {})
                base = name.partition("(")[0]
                counts[base] = counts.get(base, 0) + number
        out = []
        for owner, kinds in sorted(by_owner.items()):
            what = listed([each for kind, items in kinds.items() for each in self.naming.items(kind, items)])
            who = f"{with_the(self.naming.players[owner])} " if owner >= 0 else ""
            out.append(sentence(f"{who}lost {what}"))
        return out

    # -------------------------------------------------------------- states

    def changed(self, event: Event) -> str:
        """A change as a story tells it; nothing if it is bookkeeping."""
        if event["kind"] == "piece":
            return self._piece_changed(event)
        found = self.naming.state(event["of"], event["state"])
        if found is None:
            return ""
        entry, label = found
        value = str(event["value"])
        said = self.naming.value(value, entry.type)
        if entry.is_untold:
            return ""
        if entry.told is not None:
            return _filled(entry.told, label, entry.name, value, said)
        if entry.kind in self._has_told or entry.lasts:
            return ""
        if (entry.kind, entry.name) in self._tracked:
            of = f"{label}: " if label else ""
            return sentence(f"{of}{entry.name.replace('_', ' ')} {said}")
        if not entry.kind or not any(self.data.kinds[entry.kind].links.values()) or not self._is_side(entry):
            return ""
        if said in self.naming.players:
            return sentence(f"{with_the(label)} passes to {with_the(said)}")
        label = with_the(label)
        return sentence(f"{label} is nobody's now" if value == "nothing" else f"{label} is {said} now")

    def _is_side(self, entry: StateInfo) -> bool:
        """Whether a state says which player something belongs to: by the player, or by a marker called alike."""
        type_ = entry.type[1] if entry.type[0] == "maybe" else entry.type
        if type_[0] != "thing":
            return False
        return type_[1] == self.data.players or bool(
            set(self.naming.players) & set(map(str, self.data.kinds[type_[1]].labels))
        )

    def is_of_things(self, event: Event) -> bool:
        """Whether a change is of hands, or the like: a thing in the place of another."""
        found = self.naming.state(event["of"], event["state"]) if event["kind"] == "set" else None
        return found is not None and found[0].type[0] in ("thing", "maybe")

    def _piece_changed(self, event: Event) -> str:
        place, _, name = str(event["piece"]).rpartition(":")
        for kind in self.data.kinds.values():
            told = kind.told.get(event["state"])
            base = name.partition("(")[0]
            if told is not None and any(told) and base in kind.names:
                label = str(kind.labels[kind.names.index(base)])
                spot = self.naming.spot(place)
                where = f"{label} in {spot.label}" if spot.is_space else label
                value = str(event["value"])
                return _filled(told, where, event["state"], value, value.replace("_", " "))
        return ""

    def in_full(self, event: Event) -> str:
        """A change as it is, for who wants to know everything."""
        if event["kind"] == "piece":
            return sentence(str(event["text"]))
        found = self.naming.state(event["of"], event["state"])
        said = str(event["text"])
        if found is not None:
            entry, label = found
            of = f"{label}: " if label else ""
            said = f"{of}{entry.name.replace('_', ' ')} is now {self.naming.value(str(event['value']), entry.type)}"
        return sentence(said)

    # -------------------------------------------------------------- dice, and the rest

    def rolled(self, purpose: str, dice: Sequence[int]) -> str:
        """``North attacks: 5, 2``"""
        shown = ", ".join(map(str, dice)) or "no dice"
        return f"{sentence(purpose).rstrip('.:')}: {shown}." if purpose else f"Rolled {shown}."

    def other(self, event: Event) -> str:
        match event["kind"]:
            case "shuffle":
                return sentence(f"{self.naming.spot(event['place']).label} was shuffled")
            case "reveal" | "lot":
                names = [self.any_label(name) for name in event["items"]]
                word = "Revealed" if event["kind"] == "reveal" else "Drawn by lot"
                if not names:
                    return sentence(event["text"])
                return sentence(f"{word}: {listed(list(dict.fromkeys(names)))}")
            case "end":
                return sentence(f"the game is over: {event['text']}")
        return sentence(str(event["text"]))

    def any_label(self, name: str) -> str:
        """What people call a thing of any kind."""
        for kind in self.data.kinds:
            if self.naming.index(kind, name) >= 0:
                return self.naming.label(kind, name)
        return name.replace("_", " ")


def _filled(told: tuple[str, str], label: str, state: str, value: str, said: str) -> str:
    text = told[1] if value in NOTHING else told[0]
    for mark, name in (("{it}", label), (f"{{{state}}}", said)):
        # An author who writes "the {it}" has given the article himself.
        text = text.replace(f"the {mark}", f"the {name}").replace(mark, with_the(name))
    return sentence(text)


def _from(source: Spot) -> str:
    return f"from {source.label} " if source.owner != source.label and source.label else ""
