"""``rulescript play``: a game at the terminal, alone, hot seat or against bots.

In come a game and who sits where; what is asked and answered goes through the terminal, or through pipes,
where everything works the same but nothing is coloured or paged. Each person is shown only what their seat
may see. The table itself (what is asked, what is told, whose turn it is at the keyboard) is here; the
commands a person can type instead of an answer are in `table.py`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from rulescript.cli.arguments import add_choices, add_seed
from rulescript.errors import BadOption, BadSave
from rulescript.resources import plain_file, write_whole

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position
    from rulescript.runtime.save_schema import Saved

__all__ = ["add_arguments", "open_save", "read_save", "run"]

# In bytes: a game of a thousand choices has a tenth of one million.
MOST_SAVED = 32_000_000

TITLE = "play a game in the terminal"

ABOUT = """\
Play a game in the terminal. Everybody at this keyboard by default; --against puts bots on the other
seats, --seat says who sits where. Answer with the number of an option or with words; `help` lists what
else can be typed: ? for the rule behind the question, why, undo, board, log, save, quit."""

EXAMPLES = """\
examples:
  rulescript play attrition_of_souls
  rulescript play my_game --against search             you take the first seat
  rulescript play my_game --against search --think 2s  it thinks for two seconds before it decides
  rulescript play my_game --seat South=human --seat North=random
  rulescript play my_game --seat all=search            watch bots play
  rulescript play my_game -o fog --scenario late_start --seed 7
  rulescript play --load game.json                     go on where you saved, with the same opponents
  rulescript play ./my_game.rules --load game.json     the same, for a game of your own

bots: search (looks ahead as far as the round goes; search:500 looks 500 times, search:2s for two seconds),
playout (looks at random games to their end; playout:200 at 200 of them), random
exit code: 0 also when you leave before the end."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="the game (can be left out with --load)")
    parser.add_argument(
        "--seat", action="append", default=[], metavar="NAME=WHO",
        help="who plays a role: human, search, playout or random; all=WHO for everybody",
    )  # fmt: skip
    parser.add_argument("--against", metavar="BOT", help="this bot plays every seat not given to a person")
    parser.add_argument(
        "--think", metavar="BUDGET",
        help="how much `search` thinks before each decision: a time (2s, 250ms) or a number of playouts (500)",
    )  # fmt: skip
    parser.add_argument("--players", type=int, metavar="N", help="how many people the roles are shared among")
    add_choices(parser)
    add_seed(parser, None)
    parser.add_argument("--load", metavar="FILE", help="go on with a saved game")


def run(args: argparse.Namespace, screen: Screen) -> int:
    from rulescript.bots import budget_from
    from rulescript.cli.seats import HUMAN, bots_for, seats_from, with_budget
    from rulescript.cli.table import Table

    think = budget_from(args.think) if args.think is not None else None
    position, seed, drawn, seats = _position(args)
    game = position.game
    if not game.player_names:
        raise BadOption(f"{game.title} has no players")
    words, rest = args.seat, HUMAN
    if args.against:  # a person has the first seat, if nobody was given one
        words, rest = args.seat or [f"1={HUMAN}"], args.against
    if seats and not words:
        who = _seated(game, position.players, seats)
    else:
        who = with_budget(seats_from(game, position.players, words, rest), args.think)
    table = Table(
        position, who, bots_for(who, seed, think), screen, f"rulescript play {args.game or game.ident}", drawn
    )
    table.welcome(args.seed)
    return table.play()


def _seated(game: Game, players: int, seats: list[str]) -> list[str]:
    """Who sat where when a game was saved; BadSave if nobody can sit so."""
    from rulescript.bots import bot_named
    from rulescript.cli.seats import HUMAN

    if len(seats) != len(game.seats(players)):
        raise BadSave(f"this save seats {len(seats)}, and there are {len(game.seats(players))} seats", field="seats")
    for name in seats:
        try:
            if name != HUMAN:
                bot_named(name)
        except BadOption as problem:
            raise BadSave(f"this save seats somebody unknown: {problem.message}", field="seats") from None
    return seats


def _position(args: argparse.Namespace) -> tuple[Position, int, int | None, list[str]]:
    """Where to begin, the seed that bots take theirs from, the seed of the game if nobody gave it, and who sat where.

    Where anything is hidden, chance is that of the system: from a few draws a seed can be worked out, and from the
    seed all that is hidden."""
    import secrets

    from rulescript.cli.arguments import load_game
    from rulescript.cli.table import keeps_secrets

    if args.load:
        saved = read_save(args.load)
        _, position = open_save(saved, args.game)
        seed = saved.seed or 0
        return position, seed, None if saved.chance is not None else seed, saved.seats
    if args.game is None:
        raise BadOption("which game?", hint="rulescript games lists them")
    game = load_game(args)
    if args.seed is not None:
        return game.start(args.seed, players=args.players), args.seed, None, []
    seed = secrets.randbits(64)
    if keeps_secrets(game):
        return game.start(players=args.players, chance="secure"), seed, None, []
    return game.start(seed, players=args.players), seed, seed, []


# ---- saves -------------------------------------------------------------------------------------------------


def read_save(name: str) -> Saved:
    """A save from its file; BadSave if it is none."""
    from rulescript.runtime.save_schema import saved_from_text

    called = f"`{name}`" if name.isprintable() else ascii(name)
    try:
        with plain_file(Path(name), through_links=True) as (file, found):
            if found.st_size > MOST_SAVED:
                raise ValueError(f"it has more than {MOST_SAVED // 1_000_000} MB")
            text = file.read(MOST_SAVED).decode("utf-8-sig")
    except ValueError as problem:
        raise BadSave(f"{called} is no save of a game: {problem}") from None
    return saved_from_text(text, called)


def load_saved(saved: Saved, where: str | None) -> Game:
    """The game a save belongs to, with the options and the scenario it was played with."""
    import rulescript
    from rulescript.errors import GameNotFound
    from rulescript.loader import bundled_games

    if where is None and saved.game not in bundled_games():
        # Whoever made the save must not say which files are read.
        raise GameNotFound(
            f"this is a save of `{saved.game[:80]}`, which does not come with the program",
            hint="say where the game is, before the save",
        )
    return rulescript.load(where or saved.game, options=saved.options, scenario=saved.scenario, without=["*"])


def open_save(saved: Saved, where: str | None) -> tuple[Game, Position]:
    """A saved position and its game."""
    from rulescript.runtime.saves import opened

    game = load_saved(saved, where)
    return game, opened(game, saved)


def write_save(position: Position, name: str, seats: list[str] | None = None) -> Path:
    """Save to a file, with who sits where; `.json` is added to a bare name."""
    path = save_path(name)
    text = position.to_json()
    if seats:
        text = json.dumps({**json.loads(text), "seats": seats}, separators=(",", ":"), sort_keys=True)
    write_whole(path, text + "\n")
    return path


def save_path(name: str) -> Path:
    """The file that somebody names; `.json` is added to a bare name."""
    hint = "write for example `save my_game.json`"
    try:
        path = Path(name).expanduser()
    except RuntimeError:  # `~somebody`
        raise BadOption(f"nobody here has the home that `{name}` begins with", hint=hint) from None
    if path.name in ("", "..") or "\0" in name:
        raise BadOption(f"`{name}` is no name for a file", hint=hint)
    return path if path.suffix else path.with_name(f"{path.name}.json")
