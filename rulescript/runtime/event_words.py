"""Events as a viewer may know them: as data, each with its words.

In come the events of a step with who could tell what they are about (events.py); out come the dicts that docs/api.md
documents. The answers between them are told by the journal (journal.py).

The hard idea: what is told is no more than the views before and after each event would. So a thing is named to those
who could tell it then; others read how many moved out of or into a place whose things they may count, and of a place
they see nothing of, not even its name. Where among the known ones an unknown thing came is not told either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rulescript.runtime.events import Seen

if TYPE_CHECKING:
    from rulescript.runtime.position import Position

__all__ = ["NOWHERE", "EventTeller"]

# Where a rule stands, for those who do not know the thing whose text it is.
NOWHERE: dict[str, Any] = {"cites": [], "file": "", "line": 0}


class EventTeller:
    """Tells what happened on the way to a position to whoever plays these roles; None: to somebody who may know all."""

    def __init__(self, position: Position, roles: Sequence[int] | None) -> None:
        self._position = position
        self._roles = roles

    def all_told(self, events: Sequence[tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
        """Events one after the other. What one rule moves is told place by place, and from each the known first, as far
        as it is not all known: where the unknown came among them would tell what they are."""
        if self._roles is None:
            for event in events:
                yield from self.told(event)
            return
        # What was so already is told nobody, and does not stand between two moves.
        numbered = enumerate(event for event in events if len(event) > 1)
        for _, group in groupby(numbered, lambda one: (one[1][0],) if self._is_move(one[1]) else one[0]):
            together = [event for _, event in group]
            if len(together) > 1 and not all(map(self._is_known, together)):
                together.sort(key=lambda event: (event[2:4], not self._is_known(event)))
            for event in together:
                yield from self.told(event)

    def noticed(self, events: Sequence[tuple[Any, ...]]) -> tuple[tuple[Any, ...], ...]:
        """Those events of which the viewer is told anything."""
        return tuple(event for event in events if any(True for _ in self.told(event)))

    def _is_move(self, event: tuple[Any, ...]) -> bool:
        return len(event) > 1 and self._position.game.data.sites[event[0]][0] == "move"

    def _known(self, event: tuple[Any, ...], at: int = 0) -> bool:
        """Whether the viewer could tell what an event is about when it happened."""
        return not isinstance(event[-1], Seen) or self._among(event[-1][at])

    def _is_known(self, event: tuple[Any, ...]) -> bool:
        """The same of all that an event is about."""
        return all(self._known(event, at) for at in range(len(event[1])))

    def _back(self, event: tuple[Any, ...], kind: str, at: int) -> str:
        """What to call a thing that the viewer could not tell: by its back if that was seen, else by its kind."""
        seen = event[-1]
        backs = self._position.game.data.kinds[kind].backs or ()
        if not backs or not self._among(seen.backs[at]):
            return kind
        item = event[1][at]
        return str(backs[(item & self._position.game.values.low) % len(backs)])

    def told(self, event: tuple[Any, ...]) -> Iterator[dict[str, Any]]:  # noqa: C901 - one case for each sort of event
        from rulescript.runtime.views import seen_name
        from rulescript.runtime.views import told as as_told

        game = self._position.game
        if len(event) == 1:
            return  # a rule set what was so already
        kind, cites, file, line, extra = game.data.sites[event[0]]
        base: dict[str, Any] = {"kind": kind, "cites": list(cites), "file": file, "line": line}
        if self._roles is not None and isinstance(event[-1], Seen) and not self._among(event[-1].readers):
            base |= NOWHERE
        values = game.values
        match kind:
            case "phase":
                name = game.data.phases[event[1]]
                title = game.data.phase_titles.get(name, name)
                yield {**base, "phase": name, "text": title}
            case "roll":
                rolled = list(event[1]) if isinstance(event[1], tuple) else [event[1]]
                yield {**base, "dice": rolled, "text": f"rolled {', '.join(map(str, rolled)) or 'no dice'}"}
            case "shuffle":
                if not self._known(event):
                    return
                yield {**base, "place": self._place_name(event[1]), "text": f"{values.place_label(event[1])} shuffled"}
            case "lot":
                drawn_of, is_open = extra
                names = self._names(drawn_of, False, event[1])
                shown = [name for at, name in enumerate(names) if self._known(event, at)]
                said = ", ".join(shown).replace("_", " ") or "nothing"
                if len(shown) < len(names) or (self._roles is not None and not names and not is_open):
                    # Out of what lies hidden: not even how many there were, if any.
                    said = ", ".join([*shown, "(hidden)"]).replace("_", " ")
                yield {**base, "items": shown, "text": f"drawn by lot: {said}"}
            case "move" | "draw":
                yield from self._moved(base, extra, event)
            case "set" | "round":
                owner, name = extra
                entry = next((s for s in game.data.states if s.name == name and s.kind == owner), None)
                # None: one of the compiler's own, such as what a `whenever` remembers.
                if entry is None or entry.is_hidden or not self._known(event):
                    return
                name_of = self._thing_says(event, lambda item, type_: seen_name(game, item, type_))
                label_of = self._thing_says(event, values.label)
                value = bool(event[2]) if entry.type == ["bool"] else event[2]
                of, label = "", ""
                if owner:
                    of = self._names(owner, False, (event[1],))[0]
                    label = f"{game.data.kinds[owner].labels[event[1]]}: "
                now, said = (say(value, entry.type) for say in (values.name, values.label))
                if self._roles is not None:
                    now = as_told(game, value, entry.type, name_of)
                if self.veils(event):
                    if kind == "round":
                        return  # how many rounds there are would tell how many lie there
                    said = as_told(game, value, entry.type, label_of)
                    if kind == "set" and now == as_told(game, event[3], entry.type, name_of):
                        return  # the viewer sees no change
                text = f"{label}{name.replace('_', ' ')} is now {said}" if kind == "set" else said
                yield {**base, "of": of, "state": name, "value": now, "text": text}
            case "piece":
                owner, name = extra
                if not self._known(event):
                    return
                piece, label = (say(event[1], ["piece", owner]) for say in (values.name, values.label))
                states = game.data.kinds[owner].states
                type_ = next((t for s, _, _, t, _ in states if s == name), ["int"])
                text = f"{label}: {name.replace('_', ' ')} is now {values.label(event[2], type_)}"
                value = values.name(event[2], type_)
                yield {**base, "piece": piece, "state": name, "value": value, "text": text}
            case "reveal":
                kind_name, is_pieces = extra
                if self._roles is not None and event[2] is not None:
                    if not self._among(event[2]):
                        return  # shown to others, and how many is not for everybody to know
                names = self._names(kind_name, is_pieces, event[1])
                yield {**base, "items": names, "text": f"revealed: {', '.join(names).replace('_', ' ')}"}
            case "tell" | "headline" | "purpose":
                text = event[1]
                if self.veils(event):
                    text = "".join(
                        self._part(event, part, type_) if type_ else part
                        for part, type_ in zip(event[2], extra, strict=True)
                    )
                yield {**base, "text": text}
            case "enter" | "leave":
                yield {**base, "text": ""}
            case "end":
                outcome = self._position.outcome
                yield {**base, "text": outcome.words if outcome is not None else "the game is over"}

    def veils(self, event: tuple[Any, ...]) -> bool:
        """Whether an event names, as a value or in a text, what the viewer did not know then."""
        if self._roles is None or not isinstance(event[-1], Seen):
            return False
        return any(not self._among(known) for known, _ in event[-1].named.values())

    def _among(self, mask: int) -> bool:
        """Whether the viewer is among the roles of a mask."""
        from rulescript.runtime.views import some_may

        return self._roles is None or some_may(self._roles, lambda role: bool(mask >> role & 1))

    def _thing_says(self, event: tuple[Any, ...], say: Callable[[Any, Any], str]) -> Callable[[str, int, Any], str]:
        """What to call a thing that is a value or stands in a text, as the viewer could tell it then."""
        from rulescript.runtime.views import unseen_name

        kinds = self._position.game.data.kinds
        seen = event[-1]

        def one(kind: str, item: int, type_: Any) -> str:
            known, lying = seen.named.get((kind, item), (-1, -1)) if isinstance(seen, Seen) else (-1, -1)
            if self._among(known):
                return say(item, type_)
            backs = kinds[kind].backs
            # By its back one could tell where a thing lies that is only spoken of; a piece is spoken of where it lies.
            if backs is None or not kinds[kind].is_pieces or not self._among(lying):
                return unseen_name(kind)
            return str(backs[(item & self._position.game.values.low) % len(backs)])

        return one

    def _part(self, event: tuple[Any, ...], value: Any, type_: Any) -> str:
        """Part of a text that names things: those the viewer could not tell are told once, however many they were."""
        from rulescript.runtime.views import items_in

        values = self._position.game.values
        items = items_in(value, type_)
        if type_[0] == "of":
            return str(value[0]) if all(self._among(event[-1].named[one][0]) for one in items) else "(hidden)"
        if not items:
            return values.label(value, type_)
        say = self._thing_says(event, values.label)
        sort = "piece" if values.kinds[items[0][0]].is_pieces else "thing"
        called = [say(kind, item, [sort, kind]) for kind, item in items]
        known = [name for name, one in zip(called, items, strict=True) if self._among(event[-1].named[one][0])]
        return ", ".join([*known, *sorted({name for name in called if name not in known})])

    def _place_name(self, slot: int) -> str:
        """What a place is called; to a viewer, one of a copy by the name that all copies share."""
        values = self._position.game.values
        holds, owner = values.places.get(slot, (None, 0))
        if self._roles is None or holds is None or not holds.owner:
            return values.place_name(slot)
        return f"{values.kinds[holds.owner].shown[owner]}.{holds.name}"

    def _names(self, kind: str, is_pieces: bool, items: tuple[int, ...]) -> list[str]:
        values = self._position.game.values
        if is_pieces:
            return [values.piece_name(kind, i & values.low) for i in items]
        info = values.kinds[kind]
        return [(info.names if self._roles is None else info.shown)[i] for i in items]

    def _moved(self, base: dict[str, Any], extra: Any, event: tuple[Any, ...]) -> Iterator[dict[str, Any]]:
        values = self._position.game.values
        items, source, target = event[1], event[2], event[3]
        if not items:
            return
        kind, is_pieces = extra[0], extra[1]
        known = [self._known(event, at) for at in range(len(items))]
        ends = [self._place_name(source), self._place_name(target)]
        labels = [values.place_label(source), values.place_label(target)]
        if self._roles is not None and isinstance(event[-1], Seen):
            for at, mask in enumerate(event[-1].ends):
                if not self._among(mask):
                    ends[at], labels[at] = "(hidden)", "out of sight"
            if ends == ["(hidden)", "(hidden)"]:
                return
        names = self._names(kind, is_pieces, items)
        names = [name if known[at] else self._back(event, kind, at) for at, name in enumerate(names)]
        said = names
        if is_pieces:
            called = [values.piece_label(kind, item & values.low) for item in items]
            said = [label if known[at] else names[at] for at, label in enumerate(called)]
        # Where an unknown one came among the others would tell what it is.
        order = sorted(range(len(items)), key=lambda at: (not known[at], "" if known[at] else names[at]))
        counted = Counter(names[at] for at in order)
        told = ", ".join(f"{n} {name}" if n > 1 else name for name, n in Counter(said[at] for at in order).items())
        told = told.replace("_", " ")
        word = "drawn" if base["kind"] == "draw" else "moved"
        text = f"{told}: {labels[0]} to {labels[1]}"
        if word == "drawn":
            text = f"drawn from {labels[0]}: {told}"
        yield {
            **base,
            "what": kind,
            "items": dict(counted),
            "from": ends[0],
            "to": ends[1],
            "text": text,
        }
