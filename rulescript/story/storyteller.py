"""Which events are told, under which heading, and which are told together.

Events come in as they happened; lines go out. A storyteller can be asked again with what came later: it remembers
which headings were told and which scenes are open.

What a choice brings about is held against its words: a move of something it names, to a place it names or off the map,
is not told again. Choices of one player that differ in nothing, or only in what is picked, are told as one, with
numbers. A choice that opens a scene is told by the scene's headline, and so is what was decided before the headline.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from rulescript.game_data import GameData
from rulescript.phrases import capital, cite_text, counted, listed
from rulescript.story.naming import HIDDEN
from rulescript.story.sentences import Sentences, sentence

__all__ = ["LENGTHS", "Line", "Storyteller", "as_text"]

LENGTHS = ("headline", "story", "everything")
UNSEEN = {HIDDEN: "decides unseen", "(sealed)": "answers under seal"}
Event = Mapping[str, Any]


@frozen
class Line:
    """A line of a story. Sort: turn, phase, headline, choice, note (what came of it), detail (bookkeeping). `role` is
    the number of the player who decides, `who` what the player is called."""

    text: str
    sort: str
    depth: int = 0
    role: int = -1
    who: str = ""
    cites: tuple[str, ...] = ()


@define
class _Scene:
    """What is told under one headline. Lines wait until it is known."""

    headline: str = ""
    cites: tuple[str, ...] = ()
    waiting: list[Line] = field(factory=list)
    lost: list[tuple[str, dict[str, int]]] = field(factory=list)
    changes: dict[tuple[str, str], str] = field(factory=dict)


@define
class _Chosen:
    """A choice that may be told together with those that follow."""

    event: Event
    text: str
    number: int = 1
    items: dict[str, int] = field(factory=dict)


@define
class _Moves:
    """Moves to one place, or from one place to another, that are told together."""

    event: Event
    is_battle: bool
    items: dict[str, int]


class Storyteller:
    """Tells the events of a game at one of three lengths."""

    def __init__(self, data: GameData, length: str = "story", sentences: Sentences | None = None) -> None:
        """`sentences` are those of another who tells of the same game."""
        self.data = data
        self.length = length
        self.sentences = sentences if sentences is not None else Sentences(data)
        self.naming = self.sentences.naming
        self._scenes: list[_Scene] = []
        self._rounds: dict[str, str] = {}
        self._told_rounds: dict[str, str] = {}
        self._phase: tuple[str, tuple[str, ...]] = ("", ())
        self._told_phase = ""
        self._is_begun = False  # somebody has decided something
        self._last: Event | None = None  # the last choice, or headline
        self._recent: list[tuple[str, str]] = []  # what was chosen since the last heading: the choice, and its words
        self._chosen: list[_Chosen] = []
        self._is_done = False  # whoever made the last of these has ended what he was doing
        self._unseen: list[_Chosen] = []
        self._moves: _Moves | None = None
        self._purpose = ""
        self._out: list[Line] = []

    def lines(self, events: Iterable[Event]) -> list[Line]:
        """What is to be told of some more events."""
        listed_ = list(events)
        for at, event in enumerate(listed_):
            following = listed_[at + 1] if at + 1 < len(listed_) else None
            self._tell(event, following)
        self._flush()
        out, self._out = self._out, []
        return out

    # -------------------------------------------------------------- one event

    def _tell(self, event: Event, following: Event | None) -> None:  # noqa: C901 - one case for each sort of event
        match event["kind"]:
            case "round":
                self._flush()
                self._round(event)
            case "phase":
                self._flush()
                self._phase = (str(event["text"]), tuple(event["cites"]))
                self._told_phase = ""
                self._last, self._recent = None, []
                if self.length == "everything":
                    self._head()
            case "enter":
                self._enter()
            case "headline":
                self._headline(event)
            case "leave":
                self._leave()
            case "choice":
                self._choice(event, following)
            case "purpose":
                self._purpose = str(event["text"])
            case "roll":
                self._say(self.sentences.rolled(self._purpose, event["dice"]), "note", event)
                self._purpose = ""
            case "move" | "draw":
                self._move(event)
            case "set" | "piece":
                self._change(event)
            case "tell" | "end":
                self._say(self.sentences.other(event), "note", event, always=event["kind"] == "end")
            case "shuffle":
                self._say(self.sentences.other(event), "detail", event)
            case _:
                names = [self.sentences.any_label(str(name)) for name in event.get("items", ())]
                if self.length == "everything" or not names or not self._is_said(names, False):
                    self._say(self.sentences.other(event), "note", event)

    def _say(
        self, text: str, sort: str, event: Event | None = None, *, role: int = -1, who: str = "", always: bool = False
    ) -> None:
        """Put a line into the story, under its headings."""
        if not text or (sort == "detail" and self.length != "everything"):
            return
        if self.length == "headline" and not always:
            return
        self._flush()
        cites = tuple(event["cites"]) if event is not None else ()
        self._put(Line(text, sort, 0, role, who, cites))

    def _put(self, line: Line) -> None:
        waiting = next((scene for scene in reversed(self._scenes) if not scene.headline), None)
        if waiting is not None and self.length == "story":
            waiting.waiting.append(line)
            return
        self._head()
        depth = 1 + sum(1 for scene in self._scenes if scene.headline)
        self._out.append(Line(line.text, line.sort, depth + line.depth, line.role, line.who, line.cites))

    def _head(self) -> None:
        """The headings that were not told yet."""
        changed = [name for name, value in self._rounds.items() if self._told_rounds.get(name) != value]
        if changed:
            self._told_rounds = dict(self._rounds)
            self._told_phase = ""
            self._out.append(Line(", ".join(self._rounds.values()), "turn"))
        title, cites = self._phase
        if title and self._told_phase != title and self.length != "headline":
            self._told_phase = title
            self._out.append(Line(title, "phase", cites=cites))

    def _round(self, event: Event) -> None:
        """A turn begins, or a player's part of it; what was inside the old one is over."""
        name = str(event["state"])
        found = self.naming.state("", name)
        said = str(event["text"])
        if found is not None and found[0].type == ["int"]:
            said = f"{name.replace('_', ' ').capitalize()} {said}"
        if name in self._rounds:
            for other in list(self._rounds)[list(self._rounds).index(name) :]:
                del self._rounds[other]
                self._told_rounds.pop(other, None)
        self._rounds[name] = said
        self._phase, self._last, self._recent = ("", ()), None, []

    # -------------------------------------------------------------- scenes

    def _enter(self) -> None:
        self._flush_moves()
        scene = _Scene()
        if self._chosen and not self._is_done:  # the last one opens the scene
            last = self._chosen.pop()
            self._flush()
            scene.waiting.append(self._chosen_line(last))
        self._scenes.append(scene)

    def _headline(self, event: Event) -> None:
        self._flush()
        scene = next((each for each in reversed(self._scenes) if not each.headline), None)
        text = sentence(str(event["text"])).rstrip(".")
        if scene is None:  # it begins again, or its beginning was not told
            self._say(sentence(text), "note", event)
            return
        # What was decided on the way to it is told by it.
        kept = [line for line in scene.waiting if line.sort != "choice"]
        scene.waiting = []
        scene.headline, scene.cites = text, tuple(event["cites"])
        if self.length == "headline":
            return
        self._head()
        depth = sum(1 for each in self._scenes if each.headline)
        self._out.append(Line(sentence(text), "headline", depth, cites=scene.cites))
        for line in kept:
            self._put(line)
        self._last, self._recent = event, []

    def _leave(self) -> None:
        self._flush()
        if not self._scenes:
            return
        scene = self._scenes.pop()
        if scene.headline and self.length == "headline" and not any(each.headline for each in self._scenes):
            self._head()
            came = [*self.sentences.losses(scene.lost), *(text for text in scene.changes.values() if text)]
            self._out.append(Line(" ".join([sentence(scene.headline), *came]), "headline", 1, cites=scene.cites))
        elif self._scenes:
            self._scenes[-1].lost += scene.lost
            self._scenes[-1].changes |= scene.changes
        for line in scene.waiting:
            self._put(line)
        if not scene.headline and self.length == "headline" and not self._scenes:
            for text in filter(None, scene.changes.values()):
                self._say(text, "note", always=True)

    # -------------------------------------------------------------- choices

    def _choice(self, event: Event, following: Event | None) -> None:
        is_begun, self._is_begun = self._is_begun, True
        if "=" in event["key"] or event["text"] in UNSEEN:
            # Of several choices with one name, as of those who answer together, the later have a number.
            name = re.sub(r"_\d+$", "", str(event["choice"]))
            self._recent.append((name, str(event["text"]).casefold()))
        if _goes_on(event, following):
            return
        if self.length == "everything":
            self._flush()
            self._put(self._chosen_line(_Chosen(event, self._words(event))))
            self._last = event
            return
        last, self._last = self._last, event
        if self.length == "headline":
            return
        text = self._words(event)
        if event["text"] in UNSEEN:  # told only if nothing comes of it that can be seen
            if self._unseen and self._unseen[-1].event["player"] != event["player"]:
                self._flush()
            self._unseen.append(_Chosen(event, text))
            return
        self._is_done = event["key"] == "stop" or (self._ends(event, last) and is_begun)
        if self._is_done:
            return
        if not self._joined(event, text):
            if self._chosen and self._chosen[-1].event["player"] != event["player"]:
                self._flush()
            self._flush_moves()
            self._chosen.append(_Chosen(event, text))

    def _words(self, event: Event) -> str:
        """An answer in words."""
        text = str(event["text"])
        if text in UNSEEN:
            return UNSEEN[text]
        rule, _, name = str(event["choice"]).rpartition(".")
        name = name.replace("_", " ")
        if text == "Decline":
            # A reaction is called after what answers, a card mostly, and where several could, after what happened:
            # that is nothing one does.
            return f"Declines ({name})" if rule.startswith("signal_") else f"Declines to {name}"
        if text == "None of them":
            return f"{capital(name)}: none of them"
        return text

    @staticmethod
    def _ends(event: Event, last: Event | None) -> bool:
        """Whether an answer only ends what its player was doing: it picks nothing, after answers that did."""
        if "=" in event["key"] or last is None or last["kind"] != "choice":
            return False
        return bool((last["player"], last["choice"]) == (event["player"], event["choice"]) and "=" in last["key"])

    def _joined(self, event: Event, text: str) -> bool:
        """Whether a choice can be told together with one before it."""
        if not self._chosen or self._chosen[-1].event["player"] != event["player"]:
            return False
        same = next((c for c in self._chosen if c.text == text and c.event["choice"] == event["choice"]), None)
        if same is not None and not same.items:
            same.number += 1
            return True
        chosen = self._chosen[-1]
        before, now = (_listed_part(each) for each in (chosen.text, text))
        if chosen.event["choice"] == event["choice"] and before and now and before[0] == now[0]:
            if not chosen.items:
                chosen.items = {before[1]: chosen.number}
            chosen.items[now[1]] = chosen.items.get(now[1], 0) + 1
            return True
        if text.startswith("Declines to ") and chosen.text.startswith("Declines to "):
            chosen.text += f" and {text.removeprefix('Declines ')}"
            return True
        return False

    def _chosen_line(self, chosen: _Chosen) -> Line:
        event, text = chosen.event, chosen.text
        if chosen.items:
            head, _ = _listed_part(text) or (text, "")
            text = f"{head}: {listed([self._counted(item, n) for item, n in chosen.items.items()])}"
        elif chosen.number > 1:
            # "3 foot goes" would be no English: what a piece does itself is told with how often.
            is_doer = any(text.startswith(label) for label in self.naming.piece_labels)
            text = f"{text} ({chosen.number} times)" if is_doer else self._counted(text, chosen.number)
        role = self.naming.role(str(event["player"]))
        who = self.naming.players[role] if role >= 0 else str(event["player"])
        return Line(text, "choice", 0, role, who, tuple(event["cites"]))

    def _counted(self, text: str, number: int) -> str:
        """A text that was said so often: with the number before the pieces it speaks of, or behind it."""
        if number == 1:
            return text
        label = next((label for label in self.naming.piece_labels if label in text), None)
        if label is None:
            return f"{text} ({number} times)"
        return text.replace(label, counted(number, label), 1)

    # -------------------------------------------------------------- what comes of it

    def _move(self, event: Event) -> None:
        items = dict(event["items"])
        if self.sentences.is_loss(event) and self._scenes:
            self._scenes[-1].lost.append((event["what"], items))
        if self.length == "headline":
            return
        is_battle = any(scene.headline for scene in self._scenes)
        if self.length == "everything":
            self._say(self.sentences.moved(event, items, is_battle, True), "note", event)
            return
        if self._is_told_by_choice(event):
            return
        self._unseen = []
        moves = self._moves
        if moves is not None and _same_way(moves.event, event):
            for name, number in items.items():
                moves.items[name] = moves.items.get(name, 0) + number
            return
        self._flush()
        self._moves = _Moves(event, is_battle, items)

    def _is_told_by_choice(self, event: Event) -> bool:
        """Whether a move only does what a choice before it said: the last one, or of a single thing one since the last
        heading."""
        if event["kind"] == "draw":
            return False
        target = self.naming.spot(event["to"])
        ends = [target.label.removeprefix("the ")] if target.is_space else []
        kind = self.data.kinds[event["what"]]
        return self._is_said([*self._labels(event), *ends], kind.is_pieces, kind.labels)

    def _labels(self, event: Event) -> list[str]:
        return [self.naming.label(event["what"], name) for name in event["items"]]

    def _is_said(self, labels: Sequence[str], is_last: bool, others: Sequence[str] = ()) -> bool:
        """Whether a choice names all of these; of the last one, what it picked one after the other counts together.
        `others` are the labels of all that could be meant: "Great Push" does not name Push."""
        if not is_last:
            return any(all(_names(said, label, others) for label in labels) for _, said in self._recent)
        if self._last is None or self._last["kind"] != "choice" or not self._recent:
            return False
        run = [said for choice, said in self._recent if choice == self._recent[-1][0]]
        return all(any(_names(said, label, others) for said in run) for label in labels)

    def _change(self, event: Event) -> None:
        if self.length == "everything":
            self._say(self.sentences.in_full(event), "detail", event)
            return
        text = self.sentences.changed(event) if self._is_begun else ""
        if not text:
            return
        key = (str(event.get("of", event.get("piece", ""))), str(event["state"]))
        if self._scenes:
            self._scenes[-1].changes.pop(key, None)
            self._scenes[-1].changes[key] = text
        if self.length != "headline" or (not self._scenes and self.sentences.is_of_things(event)):
            self._say(text, "note", event, always=True)

    # -------------------------------------------------------------- what waits

    def heading_shown(self) -> None:
        """Turn and phase were shown by somebody else."""
        self._told_rounds, self._told_phase = dict(self._rounds), self._phase[0]

    def _flush(self) -> None:
        chosen, self._chosen = self._chosen, []
        for each in chosen:
            self._put(self._chosen_line(each))
        self._flush_moves()
        unseen, self._unseen = self._unseen, []
        if unseen:
            unseen[0].number = len(unseen)
            self._put(self._chosen_line(unseen[0]))

    def _flush_moves(self) -> None:
        if self._moves is not None:
            moves, self._moves = self._moves, None
            text = self.sentences.moved(moves.event, moves.items, moves.is_battle)
            self._put(Line(text, "note", cites=tuple(moves.event["cites"])))


def as_text(lines: Iterable[Line], cites: bool = False) -> str:
    """A story as plain text."""
    return "\n".join(_plain(line, cites) for line in lines)


def _plain(line: Line, cites: bool) -> str:
    rules = f"  {cite_text(line.cites)}" if cites and line.cites else ""
    if line.sort == "turn":
        return f"=== {line.text}{rules}"
    if line.sort == "phase":
        return f"== {line.text}{rules}"
    who = f"{line.who}: " if line.who else ""
    return f"{'  ' * line.depth}{who}{line.text}{rules}"


def _names(said: str, label: str, others: Iterable[str]) -> bool:
    """Whether what was said (in small letters) has a label that is not part of a longer one there."""
    name = label.casefold()
    if name in said:
        for longer in (other.casefold() for other in others):
            if name != longer and name in longer:
                said = said.replace(longer, "")
    return name in said


def _listed_part(text: str) -> tuple[str, str] | None:
    """``Lose: foot in Mill`` is what is asked, and what was picked."""
    head, colon, item = text.partition(": ")
    return (head, item) if colon and item else None


def _same_way(one: Event, other: Event) -> bool:
    return all(one[key] == other[key] for key in ("kind", "what", "from", "to"))


def _goes_on(event: Event, following: Event | None) -> bool:
    """Whether the next event is the rest of the same choice: the same label, another name."""
    if following is None or following["kind"] != "choice":
        return False
    if (event["player"], event["choice"]) != (following["player"], following["choice"]):
        return False
    label, _, rest = event["key"].partition(" ")
    next_label, _, next_rest = following["key"].partition(" ")
    return bool(rest and next_rest and label == next_label and rest.partition("=")[0] != next_rest.partition("=")[0])
