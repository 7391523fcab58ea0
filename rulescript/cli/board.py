"""A position as text, for any game: its map as a table, then places, tracks and what else there is to know.

In come a position and who looks at it (None: somebody who may see everything, as for a replay); out go lines.
Nothing here knows a game. What is a space is read off the links of the map; whose a piece is, off its
attributes: the first that is a player, or that belongs to one.

Only what is worth a line gets one: states that are as they always start, and places that are empty, are left
out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulescript.cli.screen import SEATS, width_of
from rulescript.cli.text_map import coordinates_of, drawn_map
from rulescript.diagnostics.spelling import nearest_names
from rulescript.game_data import KindInfo, PlaceInfo, StateInfo, TrackInfo, are_partners
from rulescript.phrases import article, counted, kind_noun, plural
from rulescript.runtime.views import unseen_name
from rulescript.story.naming import owner_of, possessive

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["Board", "score_line"]

NESTING = 3  # an army in a region holds units, a unit might hold a leader; deeper is a mistake or a joke


class Board:
    """A position as one seat (by number) may see it; with seat None, all of it."""

    def __init__(self, position: Position, seat: int | None, screen: Screen) -> None:
        self.position = position
        self.game: Game = position.game
        self.screen = screen
        self.values = self.game.values
        if seat is None:
            S = position.s
            self.places: dict[str, Any] = {}
            for slot, (holds, _) in self.values.places.items():
                contents = self.values.contents(S, slot)
                seen: Any = [name for name, _ in contents] if holds.is_ordered else dict(contents)
                self.places[self.values.place_name(slot)] = seen
            self.states = self._all_states(S)
        else:
            view = position.view(seat)
            self.places = view.places()
            self.states = view.states()
        self.starts = self._all_states(self.game.data.initial)
        # Things that were shown in their places, with what is to be said of them.
        self.shown: set[tuple[str, int]] = set()
        self.holds: dict[str, list[PlaceInfo]] = {}
        for holds in self.game.data.holds:
            self.holds.setdefault(holds.owner, []).append(holds)

    def _all_states(self, S: list[Any]) -> dict[str, Any]:
        """Every state by name."""
        out: dict[str, Any] = {}
        for entry in self.game.data.states:
            if entry.is_hidden:
                continue
            if not entry.kind:
                out[entry.name] = self.values.name(S[entry.slot], entry.type)
                continue
            for i, name in enumerate(self.game.data.kinds[entry.kind].names):
                value = self.values.state(S, entry, i)
                out[f"{name}.{entry.name}"] = self.values.name(value, entry.type)
        return out

    # -------------------------------------------------------------- the whole of it

    def show(self) -> None:
        """The map, then everything else."""
        kinds = self.game.data.kinds
        nested = {holds.kind for holds in self.game.data.holds}
        for name, kind in kinds.items():
            if kind.links:
                self._spaces(name)
        rows: list[tuple[str, str]] = []
        for name, kind in kinds.items():
            if kind.links or kind.is_values or kind.is_pieces:
                continue
            for index in range(len(kind.names)):
                rows += self._of_thing(name, index, is_inside=name in nested)
        rows += [
            (holds.name.replace("_", " "), told)
            for holds in self.holds.get("", [])
            if (told := self._contents(holds, holds.name, 0))
        ]
        if rows:
            self.screen.say()
            self.screen.table(rows)
        for track in self.game.data.tracks:
            self._track(track)
        if score := score_line(self.position):
            self.screen.say()
            self.screen.say(self.screen.wrapped(score, indent="  ", first=""))
        states = [entry for entry in self.game.data.states if not entry.kind and not entry.is_untold]
        game_states = [entry for entry in states if self._is_worth_telling(entry)]
        if game_states:
            self.screen.say()
            told = "   ".join(
                f"{e.name.replace('_', ' ')}: {self._value(self.states[e.name], e.type)}" for e in game_states
            )
            self.screen.say(self.screen.wrapped(told, indent="  ", first=""))

    def _track(self, track: TrackInfo) -> None:
        """A row of fields, with a marker in those that are reached."""
        names = self.game.data.kinds[track.kind].names if track.kind else [""]
        reached: dict[str, list[str]] = {}
        for index, name in enumerate(names):
            found = self.states.get(f"{name}.{track.state}" if name else track.state)
            if found is not None:
                label = self._label(track.kind, index) if name else ""
                reached.setdefault(str(found), []).append(label)
        fields = []
        for value, label in zip(track.values, track.labels, strict=True):
            who = reached.pop(str(value), None)
            fields.append(label if who is None else f"[{label}{': ' * bool(who[0])}{', '.join(filter(None, who))}]")
        # Whoever is beyond the last field is told beside it.
        fields += [f"[{value}{': ' * bool(who[0])}{', '.join(filter(None, who))}]" for value, who in reached.items()]
        self.screen.say()
        self.screen.say(self.screen.wrapped(f"{track.title}: {'  '.join(fields)}", indent="  ", first=""))

    def _is_worth_telling(self, entry: StateInfo) -> bool:
        """A state of the game itself, unless it says nothing, or lasts a while and has not begun to count."""
        value = self.states.get(entry.name, "nothing")
        return value not in ("nothing", "no", "[]", "{}") and not (entry.lasts and value == self.starts.get(entry.name))

    def _spaces(self, kind_name: str) -> None:
        kind = self.game.data.kinds[kind_name]
        rows: list[tuple[str, ...]] = []
        empty: dict[str, list[str]] = {}
        is_wide = self.screen.width >= 120
        for index in range(len(kind.names)):
            states = self._states_of(kind_name, index)
            inside = self._inside(kind_name, index, 0)
            if inside:
                near = [f"next to {self._near(kind_name, index)}"] if is_wide else []
                rows.append((self._label(kind_name, index), states, inside, *near))
            else:
                empty.setdefault(states, []).append(self._label(kind_name, index))
        has_states = any(row[1] for row in rows)
        rows = [row if has_states else (row[0], *row[2:]) for row in rows]
        self.screen.table(rows, head=(kind_name, *[""] * (len(rows[0]) - 1)) if rows else ())
        for front in self._fronts(kind_name):
            self.screen.say(self.screen.wrapped(front, indent="    ", first="  "))
        if empty:
            self.screen.say(self.screen.paint(f"nothing in ({kind_name})" if not rows else "nothing in", "dim"))
        for states, labels in empty.items():
            told = f"{states}: {', '.join(labels)}" if states else ", ".join(labels)
            for line in self.screen.wrapped(told, indent="    ", first="  ").split("\n"):
                self.screen.say(self.screen.paint(line, "dim"))

    def _fronts(self, kind_name: str) -> list[str]:
        """Where those of one player stand next to those of another who is no partner, or among them: each pair once."""
        kind = self.game.data.kinds[kind_name]
        owners = [self._owners_in(kind_name, index) for index in range(len(kind.names))]
        out: list[str] = []
        for index, mine in enumerate(owners):
            near = sorted({other for table in kind.links.values() for other in table[index]})
            facing = [o for o in near if mine and owners[o] - mine and (min(mine), index) < (min(owners[o]), o)]
            if facing:
                label = f"{self._label(kind_name, index)}{' (both)' if len(mine) > 1 else ''}"
                out.append(f"{label} – {', '.join(self._label(kind_name, other) for other in facing)}")
            elif len(mine) > 1:
                out.append(f"{self._label(kind_name, index)} (both)")
        return [f"Fronts: {'; '.join(out)}"] if out else []

    def _owners_in(self, kind_name: str, index: int) -> set[int]:
        """The players who are seen to have something in a space; of partners, the first."""
        players = range(len(self.game.player_names))
        found = self._counts_in(kind_name, index).keys() - {-1}
        return {min(p for p in players if are_partners(self.game.data, p, role)) for role in found}

    # -------------------------------------------------------------- the map, and the hand

    def draw(self) -> None:
        """The map as text: each space where it lies, with how many pieces of whom."""
        for name, kind in self.game.data.kinds.items():
            if not kind.links:
                continue
            places = [coordinates_of(at) for at in kind.at]
            spaces = [(self._short(name, i), place) for i, place in enumerate(places) if place is not None]
            numbers = [i for i, place in enumerate(places) if place is not None]
            for row in drawn_map(spaces, self.screen.width - 1, max(12, self.screen.height - 6)):
                line = ""
                for column, at in row:
                    line += " " * (column - width_of(line)) + self._painted(name, numbers[at], spaces[at][0])
                self.screen.say(line)
            unplaced = [i for i, place in enumerate(places) if place is None]
            rows = [(self._short(name, i), self._near(name, i)) for i in (unplaced if spaces else range(len(places)))]
            if rows:
                self.screen.table(rows, head=(name, "next to"))
        self.screen.say(self.screen.paint("(`what NAME` tells of a space what is there and what is next to it)", "dim"))

    def _near(self, kind_name: str, index: int) -> str:
        tables = self.game.data.kinds[kind_name].links.values()
        return ", ".join(self._label(kind_name, i) for i in sorted({i for table in tables for i in table[index]}))

    def _short(self, kind_name: str, index: int) -> str:
        """A space and how many pieces each player has there: ``Mill 3:1``."""
        counts = self._counts_in(kind_name, index)
        told = ":".join(str(number) for _, number in sorted(counts.items()))
        return f"{self._label(kind_name, index)} {told}".rstrip()

    def _painted(self, kind_name: str, index: int, text: str) -> str:
        counts = self._counts_in(kind_name, index)
        if len(counts) != 1 or (role := next(iter(counts))) < 0:
            return self.screen.paint(text, "bold") if counts else self.screen.paint(text, "dim")
        return self.screen.paint(text, SEATS[role % len(SEATS)])

    def _counts_in(self, kind_name: str, index: int) -> dict[int, int]:
        """How many things and pieces each player is seen to have in a space; -1: nobody knows who."""
        name = self.game.data.kinds[kind_name].names[index]
        counts: dict[int, int] = {}
        for holds in self.holds.get(kind_name, []):
            seen = self.places.get(f"{name}.{holds.name}")
            if isinstance(seen, int):
                if seen:
                    counts[-1] = counts.get(-1, 0) + int(seen)
                continue
            for item, number in _items(seen):
                at = _index(self.game.data.kinds[holds.kind], item)
                role = owner_of(self.game.data, holds.kind, at) if at >= 0 else -1
                counts[role] = counts.get(role, 0) + number
        return counts

    def hand(self, roles: Sequence[int]) -> None:
        """What a person holds that not everybody sees: each thing once, with its number and what it says."""
        players = self.game.data.players
        open_to_all = self.position.view("spectator").places()
        found = False
        for role in roles:
            for holds in self.holds.get(players, []):
                if not holds.is_restricted:
                    continue
                kind = self.game.data.kinds[holds.kind]
                place = f"{self.game.player_names[role]}.{holds.name}"
                seen = self.places.get(place)
                if not isinstance(seen, dict | list) or not seen or seen == open_to_all.get(place):
                    continue
                found = True
                title = f"{possessive(self._label(players, role))} {holds.name.replace('_', ' ')}"
                self.screen.say(self.screen.paint(title, "bold"))
                totals: dict[str, int] = {}
                docs: dict[str, str] = {}
                for name, number in _items(seen):
                    index = _index(kind, name)
                    label = str(kind.labels[index]) if index >= 0 else name
                    totals[label] = totals.get(label, 0) + number
                    docs[label] = kind.docs[index] if index >= 0 and not kind.is_pieces else ""
                self.screen.table((f"  {_so_many(number, label)}", docs[label]) for label, number in totals.items())
        if not found:
            self.screen.say("you hold nothing that others do not see")

    # -------------------------------------------------------------- one thing

    def look(self, words: str) -> None:
        """Everything about one thing: attributes, links, states, contents."""
        wanted = words.strip().replace(" ", "_").casefold()
        names: dict[str, tuple[str, int]] = {}
        for kind_name, kind in self.game.data.kinds.items():
            if kind.is_values:
                continue
            for index, name in enumerate(kind.names):
                names.setdefault(name.casefold(), (kind_name, index))
                names.setdefault(str(kind.labels[index]).replace(" ", "_").casefold(), (kind_name, index))
        found = names.get(wanted)
        if found is None:
            starting = [place for name, place in names.items() if name.startswith(wanted)]
            found = starting[0] if len(set(starting)) == 1 else None
        if found is None:
            near = nearest_names(wanted, names)
            hint = f"; did you mean {' or '.join(name.replace('_', ' ') for name in near)}?" if near else ""
            self.screen.say(f"there is nothing called `{words.strip()}`{hint}")
            return
        kind_name, index = found
        kind = self.game.data.kinds[kind_name]
        title = self.screen.paint(self._label(kind_name, index), "bold")
        self.screen.say(f"{title}  {self.screen.paint(kind_name, 'dim')}")
        if kind.docs[index]:
            self.screen.say(self.screen.wrapped(kind.docs[index], indent="  "))
        rows: list[tuple[str, str]] = []
        for name, values in kind.attrs.items():
            if index < len(values):
                said = self.values.label(values[index], kind.attr_types[name])
                rows.append((f"  {name.replace('_', ' ')}", said))
        for sort, table in kind.links.items():
            near_by = ", ".join(self._label(kind_name, i) for i in table[index])
            if near_by:
                rows.append((f"  {sort.replace('_', ' ')} to", near_by))
        for entry in self.game.data.states:
            full = f"{kind.names[index]}.{entry.name}"
            if entry.kind == kind_name and full in self.states:
                rows.append((f"  {entry.name.replace('_', ' ')}", self._value(self.states[full], entry.type)))
        if inside := self._inside(kind_name, index, 0):
            rows.append(("  holds", inside))
        if kind.loc >= 0 and (place := self._place_of(kind.names[index])):
            rows.append(("  is in", place))
        self.screen.table(rows)

    def _place_of(self, name: str) -> str:
        """Where a single thing is seen to lie."""
        for slot in self.values.places:
            seen = self.places.get(self.values.place_name(slot))
            if isinstance(seen, dict | list) and name in seen:
                return self.values.place_label(slot)
        return ""

    # -------------------------------------------------------------- parts

    def _label(self, kind: str, index: int) -> str:
        return str(self.game.data.kinds[kind].labels[index])

    def _value(self, value: Any, type_: Any) -> str:
        """A value, given by its names, as people read it: things by their labels."""
        match type_:
            case ["maybe", inner] if value != "nothing":
                return self._value(value, inner)
            case ["thing", kind]:
                return self._labels(kind).get(str(value), str(value).replace("_", " "))
            case ["set" | "list", inner]:
                inside = str(value)[1:-1]
                return ", ".join(self._value(each, inner) for each in inside.split(", ")) if inside else "none"
        return str(value).replace("_", " ")

    def _labels(self, kind: str) -> dict[str, str]:
        info = self.game.data.kinds[kind]
        return dict(zip(info.names, map(str, info.labels), strict=True))

    def _of_thing(self, kind: str, index: int, is_inside: bool) -> list[tuple[str, str]]:
        """Rows for a thing that is no space: its states, and its places. What lies in a place is told
        there."""
        label = self._label(kind, index)
        states = "" if (kind, index) in self.shown else self._states_of(kind, index)
        rows = [(label, states)] if states else []
        name = self.game.data.kinds[kind].names[index]
        several = len(self.holds.get(kind, [])) > 1
        for holds in [] if is_inside else self.holds.get(kind, []):
            if told := self._contents(holds, f"{name}.{holds.name}", 0):
                rows.append((f"{label} {holds.name.replace('_', ' ')}" if several else label, told))
        return rows

    def _states_of(self, kind_name: str, index: int) -> str:
        """The states that are not as they always start."""
        kind = self.game.data.kinds[kind_name]
        out: list[str] = []
        entries = [entry for entry in self.game.data.states if entry.kind == kind_name and not entry.is_untold]
        # Who holds it goes without saying what that is, if there is nothing else that might be meant.
        is_only = sum(entry.type[0] in ("thing", "maybe") for entry in entries) == 1
        for entry in entries:
            full = f"{kind.names[index]}.{entry.name}"
            if full not in self.states:
                continue
            value = self.states[full]
            starts = {self.starts[f"{name}.{entry.name}"] for name in kind.names}
            # Where things start differently (each region with its owner), the value always tells something.
            if value == self.starts[full] and (len(starts) == 1 or value in ("no", "nothing", "0", "{}")):
                continue
            name = entry.name.replace("_", " ")
            if entry.type == ["bool"]:
                out.append(name if value == "yes" else f"not {name}")
            elif entry.type[0] == "thing" or entry.type[0] == "maybe" and entry.type[1][0] == "thing" and is_only:
                out.append(self._value(value, entry.type))
            else:
                out.append(f"{name} {self._value(value, entry.type)}")
        return ", ".join(out)

    def _inside(self, kind_name: str, index: int, depth: int) -> str:
        name = self.game.data.kinds[kind_name].names[index]
        several = len(self.holds.get(kind_name, [])) > 1
        parts = []
        for holds in self.holds.get(kind_name, []):
            told = self._contents(holds, f"{name}.{holds.name}", depth)
            if told:
                parts.append(f"{holds.name.replace('_', ' ')}: {told}" if several and depth == 0 else told)
        return "; ".join(parts)

    def _contents(self, holds: PlaceInfo, place: str, depth: int) -> str:
        """What is seen in a place, those of one player together and in that player's colour."""
        seen = self.places.get(place)
        kind = holds.kind
        if isinstance(seen, bool):
            return f"some {plural(kind_noun(kind))}" if seen else ""
        if isinstance(seen, int):
            return f"{_unseen(kind, seen)} (hidden)" if seen else ""
        if not seen:
            return ""
        groups: dict[int, dict[str, int]] = {}
        info = self.game.data.kinds[kind]
        unseen = 0
        for name, number in _items(seen):
            if name == unseen_name(kind):
                unseen += number
                continue
            base, bracket, notes = name.partition("(")
            index = _index(info, name)
            is_copy = index >= 0 and not info.is_pieces and info.shown[index] != info.names[index]
            label = str(info.labels[index]) if index >= 0 else base
            if bracket:
                label += f" ({notes}".replace("_", " ")
            elif not info.is_pieces and index >= 0 and not is_copy and depth < NESTING:
                self.shown.add((kind, index))
                inner = self._inside(kind, index, depth + 1)
                states = self._states_of(kind, index)
                told = "; ".join(part for part in (states, inner) if part)
                label += f" ({told})" if told else ""
            group = groups.setdefault(owner_of(self.game.data, kind, index), {})
            group[label] = group.get(label, 0) + number
        out = []
        for role, told_items in sorted(groups.items()):
            told = ", ".join(
                counted(number, label) if info.is_pieces else _so_many(number, label)
                for label, number in told_items.items()
            )
            is_painted = role >= 0 and depth == 0
            out.append(self.screen.paint(told, SEATS[role % len(SEATS)]) if is_painted else told)
        if unseen:
            out.append(f"{_unseen(kind, unseen)} (hidden)")
        return "; ".join(out)


def score_line(position: Position) -> str:
    """Who is ahead, and by how much, as the game counts it; nothing if it does not say."""
    standing = position.standing()
    if not standing:
        return ""
    labels = position.game.data.kinds[position.game.data.players].labels
    names = position.game.player_names
    ahead = ", ".join(f"{labels[names.index(name)]} {number:+d}" for name, number in standing.items())
    return f"{position.game.standing_counts}: {ahead}"


def _unseen(kind: str, number: int) -> str:
    """Things whose faces are not seen: "a card", "10 cards"."""
    return f"{number} {plural(kind_noun(kind))}" if number > 1 else article(kind_noun(kind))


def _so_many(number: int, label: str) -> str:
    return f"{number} × {label}" if number > 1 else label


def _items(seen: Any) -> list[tuple[str, int]]:
    """What is seen in a place, and how many of each; nothing, where only their number is known."""
    if isinstance(seen, list):
        return [(name, 1) for name in seen]
    return list(seen.items()) if isinstance(seen, dict) else []


def _index(kind: KindInfo, name: str) -> int:
    """Which thing or type is called so where it lies; a copy may go by the name that all of them share. -1: none."""
    base = name.partition("(")[0]
    names = kind.names if base in kind.names else kind.shown
    return names.index(base) if base in names else -1
