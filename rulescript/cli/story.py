"""What happened, as a person wants to read it at the table: the journal without its bookkeeping."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rulescript.cli.screen import SEATS

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["cited", "events_since", "story_lines"]

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


def story_lines(
    game: Game, events: list[dict[str, Any]], screen: Screen, cites: bool = False
) -> Iterator[str]:
    """Events as lines, without states of single pieces and the first half of a choice made in two steps."""
    listed = [event for event in events if event["kind"] != "piece"]
    for at, event in enumerate(listed):
        rules = "".join(f" §{c}" for c in event["cites"]) if cites else ""
        match event["kind"]:
            case "phase":
                following = listed[at + 1] if at + 1 < len(listed) else None
                # A phase in which nothing happened is not worth a heading, unless it is where we stand.
                if following is None or following["kind"] != "phase":
                    yield screen.paint(f"{event['text']}{rules}", "bold")
            case "choice":
                if not _goes_on(event, listed[at + 1] if at + 1 < len(listed) else None):
                    who = event["player"]
                    role = game.player_names.index(who)
                    name = screen.paint(who.replace("_", " "), SEATS[role % len(SEATS)])
                    yield f"  {name}: {event['text']}{rules}"
            case "tell" | "end" | "roll" | "reveal":
                yield f"    {event['text']}{rules}"
            case _:
                yield screen.paint(f"    {event['text']}{rules}", "dim")


def _goes_on(event: dict[str, Any], following: dict[str, Any] | None) -> bool:
    """Whether the next event is the rest of the same choice: the same label, another variable."""
    if following is None or following["kind"] != "choice":
        return False
    if (event["player"], event["choice"]) != (following["player"], following["choice"]):
        return False
    label, _, rest = event["key"].partition(" ")
    next_label, _, next_rest = following["key"].partition(" ")
    return bool(
        rest and next_rest and label == next_label and rest.partition("=")[0] != next_rest.partition("=")[0]
    )
