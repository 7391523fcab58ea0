"""What happened, as a person wants to read it at the table: the journal without its bookkeeping."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rulescript.cli.screen import SEATS
from rulescript.phrases import cite_text

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position
    from rulescript.story import Line

__all__ = ["cited", "events_since", "player_title", "story_lines"]

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


def story_lines(lines: Iterable[Line], screen: Screen, cites: bool = False) -> Iterator[str]:
    """Lines of a story for a terminal."""
    for line in lines:
        rules = f"  {cite_text(line.cites)}" if cites and line.cites else ""
        if line.sort in ("turn", "phase"):
            yield screen.paint(f"{line.text}{rules}", "head" if line.sort == "turn" else "bold")
            continue
        first = "  " * line.depth
        shown = f"{line.who}: {line.text}{rules}" if line.who else f"{line.text}{rules}"
        wrapped = screen.wrapped(shown, first + "    ", first).split("\n")
        if line.who and wrapped[0].startswith(f"{first}{line.who}: "):
            name = screen.paint(line.who, SEATS[line.role % len(SEATS)])
            wrapped[0] = f"{first}{name}{wrapped[0][len(first) + len(line.who) :]}"
        style = {"headline": "bold", "detail": "dim"}.get(line.sort)
        yield from (screen.paint(part, style) if style else part for part in wrapped)


def player_title(game: Game, role: int) -> str:
    """What people call a player."""
    return str(game.data.kinds[game.data.players].labels[role])
