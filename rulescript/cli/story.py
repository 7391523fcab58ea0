"""What happened, as a person wants to read it at the table: the journal without its bookkeeping."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rulescript.cli.screen import SEATS
from rulescript.phrases import article, kind_noun, plural

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["cited", "counted", "events_since", "player_title", "story_lines", "unseen"]

# Who may see everything; a journal without a viewer.
EVERYTHING = None


def events_since(position: Position, seat: int | None, steps: int) -> list[dict[str, Any]]:
    """What a seat may know of what happened after the first `steps` decisions; with -1, the opening too."""
    journal = position.journal if seat is EVERYTHING else position.view(seat).journal
    return list(journal.since(steps))


def cited(game: Game, cites: Iterable[str]) -> list[str]:
    """``§4.6.2 Movement``, for each; without its title where the index lacks it."""
    out = []
    for cite in cites:
        title = game.rules[cite].title if cite in game.rules else ""
        out.append(f"§{cite} {title}".rstrip())
    return out


def story_lines(game: Game, events: list[dict[str, Any]], screen: Screen, cites: bool = False) -> Iterator[str]:
    """Events as lines, without states of single pieces and the first half of a choice made in two steps."""
    listed = [event for event in events if event["kind"] != "piece"]
    for at, event in enumerate(listed):
        rules = "".join(f" §{c}" for c in event["cites"]) if cites else ""
        following = listed[at + 1] if at + 1 < len(listed) else None
        text = f"{_labelled(game, event)}{rules}".replace("(hidden)", "decides unseen", event["kind"] == "choice")
        match event["kind"]:
            case "phase":
                # A phase in which nothing happened is not worth a heading, unless it is where we stand.
                if following is None or following["kind"] != "phase":
                    yield screen.paint(text, "bold")
            case "choice":
                if not _goes_on(event, following):
                    role = game.player_names.index(str(event["player"]))
                    who = player_title(game, role)
                    name = screen.paint(who, SEATS[role % len(SEATS)])
                    lines = screen.wrapped(text, "      ", " " * (len(who) + 4)).split("\n")
                    yield f"  {name}: {lines[0].lstrip()}"
                    yield from lines[1:]
            case "tell" | "end" | "roll" | "lot" | "reveal":
                yield from screen.wrapped(text, "      ", "    ").split("\n")
            case _:
                for line in screen.wrapped(text, "      ", "    ").split("\n"):
                    yield screen.paint(line, "dim")


def _goes_on(event: dict[str, Any], following: dict[str, Any] | None) -> bool:
    """Whether the next event is the rest of the same choice: the same label, another variable."""
    if following is None or following["kind"] != "choice":
        return False
    if (event["player"], event["choice"]) != (following["player"], following["choice"]):
        return False
    label, _, rest = event["key"].partition(" ")
    next_label, _, next_rest = following["key"].partition(" ")
    return bool(rest and next_rest and label == next_label and rest.partition("=")[0] != next_rest.partition("=")[0])


def _labelled(game: Game, event: dict[str, Any]) -> str:
    """The words of an event, with things called as people call them (the journal has their names)."""
    text = str(event["text"])
    if event["kind"] not in ("move", "draw") or event["what"] not in game.data.kinds:
        return text
    kind = game.data.kinds[event["what"]]

    def label(name: str, n: int) -> str:
        base, bracket, notes = name.partition("(")
        if base not in kind.names:
            return unseen(base, n) if base == event["what"] else counted(name, n)
        told = str(kind.labels[kind.names.index(base)])
        return counted(f"{told} ({notes}" if bracket else told, n)

    def told(called: Callable[[str, int], str]) -> str:
        return ", ".join(called(name, n) for name, n in event["items"].items()).replace("_", " ")

    return text.replace(told(counted), told(label), 1)


def counted(name: str, n: int) -> str:
    """``3 Northern infantry``; one is told without its number."""
    return f"{n} {name}" if n > 1 else name


def unseen(kind: str, n: int) -> str:
    """Things whose faces are not seen: "a card", "10 cards"."""
    return f"{n} {plural(kind_noun(kind))}" if n > 1 else article(kind_noun(kind))


def player_title(game: Game, role: int) -> str:
    """What people call a player."""
    return str(game.data.kinds[game.data.players].labels[role])
