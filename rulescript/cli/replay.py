"""``rulescript replay``: a saved game once more, choice by choice, and where changed rules leave its path.

In comes a save; out goes its story. At a terminal one steps through it, forwards and backwards. Under rules
that have changed since, the choices are played as long as they fit; then it is told at which choice, why,
and what is asked instead, and the exit code is 1.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from attrs import define, frozen

from rulescript.calls import is_number
from rulescript.cli.arguments import add_json
from rulescript.cli.board import Board
from rulescript.cli.story import events_since, player_title, story_lines
from rulescript.errors import BadSave, PlayError, RulescriptError
from rulescript.runtime.saves import begun, check_game, take_logged
from rulescript.runtime.views import knows_question
from rulescript.story import LENGTHS, Storyteller

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position
    from rulescript.runtime.save_schema import Logged, Saved

__all__ = ["Divergence", "Replayed", "add_arguments", "replay", "run"]

TITLE = "step through a saved game"

ABOUT = """\
Show a saved game again, choice by choice. At a terminal: Enter goes on, `help` says what else there is;
otherwise, or with --all, the whole story is printed. If the rules have changed since it was saved, it says
where they leave the path of the old game, and why."""

EXAMPLES = """\
examples:
  rulescript replay game.json
  rulescript replay game.json --all              the whole story at once
  rulescript replay game.json --length headline  a line for each battle, and what changed hands
  rulescript replay game.json --view North       as North saw it
  rulescript replay game.json --game ./my_game   the game of the save is in this folder
  rulescript replay game.json --json             every event, for a program

exit code: 0 the save fits these rules, 1 they have changed and it no longer does, 2 no good save."""

HELP = """\
  Enter    the next choice
  N        go to choice N (0 is the beginning)
  b        one back
  board    the map and everything on it;  board NAME  looks at one thing
  end      to the end
  quit     leave"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a saved game")
    parser.add_argument("--game", metavar="GAME", help="where the game is, if its name alone does not say")
    parser.add_argument("--view", metavar="NAME", help="show only what this player could see")
    parser.add_argument("--all", action="store_true", help="print everything at once, also at a terminal")
    parser.add_argument("--length", choices=LENGTHS, default="story", help="how much is told (default: story)")
    parser.add_argument("--to", type=int, metavar="N", help="only the first N choices")
    add_json(parser)


@frozen
class Divergence:
    """Where a save no longer fits: at which choice (from 1), what it has there, what the rules say
    instead."""

    number: int
    choice: str
    key: str
    message: str
    player: str = ""
    asked: str = ""
    options: tuple[str, ...] = ()


@define
class Replayed:
    """A save played again as far as it goes."""

    position: Position
    is_same: bool
    length: int
    divergence: Divergence | None = None


def replay(game: Game, saved: Saved, most: int | None = None) -> Replayed:
    """Play the choices of a save again. BadSave if there are none to play."""
    if saved.log is None:
        raise BadSave("this save holds no history from the beginning, so there is nothing to replay")
    check_game(game, saved)
    done = Replayed(begun(game, saved), saved.hash == game.rules_hash, len(saved.log))
    for number, entry in enumerate(saved.log if most is None else saved.log[: max(0, most)], 1):
        done.divergence = _step(done.position, number, entry)
        if done.divergence is not None:
            break
    return done


def _step(position: Position, number: int, entry: Logged) -> Divergence | None:
    """Take one choice of a log, or say why it cannot be taken."""
    choice, key = entry.choice, entry.key
    decision = position.decision
    if decision is None:
        return Divergence(number, choice, key, f"the game is already over ({position.outcome})")
    asked = (decision.player, decision.name, tuple(o.key for o in decision.options))
    if decision.name != choice:
        return Divergence(number, choice, key, f"{decision.player} is asked for `{decision.name}` instead", *asked)
    found = next((option for option in decision.options if option.key == key), None)
    if found is None:
        try:
            why = str(position.why_not(key))
        except (RulescriptError, NotImplementedError):
            why = "it is not among the options"
        return Divergence(number, choice, key, why, *asked)
    try:
        take_logged(position, found.raw, entry.outcomes)
    except (BadSave, PlayError) as problem:
        return Divergence(number, choice, key, str(problem), *asked)
    return None


# ---- the command -------------------------------------------------------------------------------------------


def run(args: argparse.Namespace, screen: Screen) -> int:
    from rulescript.cli.play import load_saved, read_save
    from rulescript.cli.seats import seat_named

    saved = read_save(args.file)
    game = load_saved(saved, args.game)
    done = replay(game, saved, args.to)
    seat = seat_named(game, done.position.players, args.view) if args.view else None
    if args.json:
        screen.json(_json(game, saved, done, seat))
    else:
        _introduce(game, saved, done, screen, seat)
        if screen.is_interactive and not args.all:
            _walk(done.position, seat, args.length, screen)
        else:
            told = Storyteller(game.data, args.length).lines(events_since(done.position, seat, -1))
            for line in story_lines(told, screen, args.length == "everything"):
                screen.say(line)
        _conclude(done, seat, screen)
    return 1 if done.divergence is not None else 0


def _introduce(game: Game, saved: Saved, done: Replayed, screen: Screen, seat: int | None) -> None:
    chosen = [
        *game.data.options,
        *([f"scenario {game.data.scenario}"] if game.data.scenario else []),
    ]
    screen.say(f"{screen.paint(game.title, 'bold')}, {', '.join(chosen) or 'no options'}{_so_long(game, done, seat)}")
    if not done.is_same:
        screen.say(
            f"  the rules have changed since: it was saved under version {saved.version}, "
            f"this is version {game.version}"
        )
    screen.say()


def _may_see(position: Position, seat: int | None) -> bool:
    """Whether a viewer may see what is asked now, and what was answered."""
    from rulescript.cli.table import keeps_secrets

    decision = position.decision
    return seat is None or decision is None or decision.seat == seat or not keeps_secrets(position.game)


def _may_count(game: Game, seat: int | None) -> bool:
    """Whether a viewer may know how many choices there were: some may have been made unseen."""
    return seat is None or not game.has_secrets


def _asked_now(position: Position, seat: int | None) -> str:
    """The name of the choice that is asked for now; not of one that a thing asks which the viewer does not know."""
    decision = position.decision
    assert decision is not None
    roles = position.game.seats(position.players)[seat] if seat is not None else []
    is_known = seat is None or knows_question(position.game, position.s, position.d, roles)
    return decision.name if is_known else "(hidden)"


def _conclude(done: Replayed, seat: int | None, screen: Screen) -> None:
    position, divergence = done.position, done.divergence
    screen.say()
    if divergence is not None and not _may_see(position, seat):
        where = f" at choice {divergence.number} of {done.length}" if _may_count(position.game, seat) else " here"
        screen.say(screen.paint(f"It diverges{where}", "warning"))
    elif divergence is not None:
        where = f" at choice {divergence.number} of {done.length}" if _may_count(position.game, seat) else " here"
        screen.say(screen.paint(f"It diverges{where}:", "warning"))
        screen.say(f"  the save has  {divergence.choice}: {divergence.key}")
        for line in divergence.message.splitlines():
            screen.say(f"  {line}")
        if divergence.options:
            shown = "; ".join(divergence.options[:6]) + (" ..." if len(divergence.options) > 6 else "")
            screen.say(f"  {divergence.player} could choose: {shown}")
    elif position.is_over:
        screen.say(screen.paint(f"The game is over: {position.outcome.words if position.outcome else ''}", "good"))
    else:
        decision = position.decision
        assert decision is not None
        asked = decision.prompt if _may_see(position, seat) else _asked_now(position, seat).replace("_", " ")
        names = position.game.player_names
        who = player_title(position.game, names.index(decision.player)) if decision.player in names else decision.player
        screen.say(f"Here it stands: {who} has to decide ({asked})")
    if divergence is None and not done.is_same:
        screen.say("It fits the changed rules as far as it goes.")


def _walk(position: Position, seat: int | None, length: str, screen: Screen) -> None:
    """Step through, forwards and backwards, on positions of their own."""
    game = position.game
    steps = list(position.history())
    teller = Storyteller(game.data, length)
    at = -1  # before the opening was told
    here = position.clone().undo(len(steps))
    screen.say(screen.paint("Enter goes on, `help` says what else there is", "dim"))
    while True:
        try:
            line = input(f"{max(0, at)}/{len(steps)}> ").strip().lower()
        except EOFError:
            return
        if line in ("q", "quit", "exit"):
            return
        if line in ("help", "h", "?"):
            screen.say(HELP)
        elif line.split(" ")[0] in ("board", "look"):
            board, rest = Board(here, seat, screen), line.partition(" ")[2]
            board.look(rest) if rest else board.show()
        elif line in ("", "n", "next"):
            if at >= len(steps):
                return
            following = position.clone().undo(len(steps) - at - 1)
            for text in story_lines(teller.lines(events_since(following, seat, at)), screen, length == "everything"):
                screen.say(text)
            here, at = following, at + 1
        elif line in ("b", "back", "end") or is_number(line):
            at = len(steps) if line == "end" else at - 1 if not is_number(line) else int(line)
            at = max(0, min(at, len(steps)))
            here = position.clone().undo(len(steps) - at)
            teller = Storyteller(game.data, length)
            told = teller.lines(events_since(here, seat, -1))[-12:]
            for text in story_lines(told, screen, length == "everything"):
                screen.say(text)
        else:
            screen.say(f"`{line}`? `help` says what you can type")


def _json(game: Game, saved: Saved, done: Replayed, seat: int | None) -> dict[str, Any]:
    position, divergence = done.position, done.divergence
    decision = position.decision
    return {
        "game": game.ident,
        "options": game.data.options,
        "scenario": game.data.scenario,
        "saved": {"version": saved.version, "hash": saved.hash}
        | ({"choices": done.length} if _may_count(game, seat) else {}),
        "rules": {"version": game.version, "hash": game.rules_hash, "changed": not done.is_same},
        "events": events_since(position, seat, -1),
        "over": position.is_over,
        "outcome": str(position.outcome) if position.outcome is not None else None,
        "next": {"player": decision.player, "choice": _asked_now(position, seat)} if decision is not None else None,
        "divergence": None
        if divergence is None
        else {
            **({"choice_number": divergence.number} if _may_count(game, seat) else {}),
            **(
                {
                    "choice": divergence.choice,
                    "key": divergence.key,
                    "message": divergence.message,
                    "player": divergence.player,
                    "asked": divergence.asked,
                    "options": list(divergence.options),
                }
                if _may_see(position, seat)
                else {}
            ),
        },
    }


def _so_long(game: Game, done: Replayed, seat: int | None) -> str:
    return f": {_choices(done.length)}" if _may_count(game, seat) else ""


def _choices(number: int) -> str:
    return "1 choice" if number == 1 else f"{number} choices"
