"""``python -m rulescript.cli.demo``: a whole game between bots, told turn by turn. What `make demo` runs.

The game, the bots and the dice are fixed, so it tells the same story every time. The story is a selection:
headings of turns, what was decided and rolled, how it ended. The whole log goes to a folder.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from rulescript.cli.docs import Bar
from rulescript.cli.screen import Screen
from rulescript.errors import RulescriptError

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position
    from rulescript.story import Line

__all__ = ["demo", "main"]

FAVOURITE = "attrition_of_souls"
SEED = 1914
FOLDER = ".demo"
MOST_LINES = 14  # of one turn; a story that tells everything is no story


def main() -> int:
    """Run it; the exit code."""
    screen = Screen()
    try:
        return demo(screen, Path(FOLDER))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except RulescriptError as problem:
        screen.problem(str(problem))
        return 1


def demo(screen: Screen, folder: Path, where: str | None = None) -> int:
    """Play a game between bots, tell its story, and leave the log in a folder."""
    from rulescript.bots import RandomBot

    folder.mkdir(parents=True, exist_ok=True)
    game = _game(where, folder)
    screen.say(f"{screen.paint(game.title, 'bold')}, played by bots with seed {SEED}")
    position = game.start(SEED)
    bot = RandomBot(SEED)
    while (decision := position.decision) is not None and position.steps < 20_000:
        position.choose(bot.choose(position))
    del decision
    for line in _story(position, screen):
        screen.say(line)
    screen.say()
    screen.say(screen.paint(f"{position.outcome or 'given up after too many decisions'}", "good"))
    screen.say(f"{position.steps} decisions")
    from rulescript.resources import write_whole

    (folder / "log.txt").write_text(position.journal.text() + "\n", encoding="utf-8")
    write_whole(folder / "game.json", position.to_json() + "\n")
    screen.say()
    screen.say(f"the whole log: {folder / 'log.txt'}")
    screen.say(f"step through:  rulescript replay {folder / 'game.json'}{_where_said(game)}")
    _docs(game, folder, screen)
    screen.say(f"play yourself: rulescript play {game.where[0] if game.where else game.ident} --against search")
    return 0


def _game(where: str | None, folder: Path) -> Game:
    """The favourite, or the first game that can be played, or else a small one made for the occasion."""
    import rulescript
    from rulescript.cli.new import make_game
    from rulescript.loader import bundled_games

    names = bundled_games()
    wanted = [where] if where is not None else [*(n for n in names if n == FAVOURITE), *names]
    for name in wanted:
        try:
            game = rulescript.load(name)
        except RulescriptError:
            if where is not None:
                raise
            continue
        if game.data.start and game.player_names:
            return game
    small = folder / "small_game"
    if not small.exists():
        make_game(small)
    return rulescript.load(small)


def _where_said(game: Game) -> str:
    where = game.where[0] if game.where else game.ident
    return f" --game {where}" if where != game.ident else ""


def _docs(game: Game, folder: Path, screen: Screen) -> None:
    """Print the rules reference too, once there is something to print it with."""
    try:
        docgen = import_module("rulescript.docgen")
    except ImportError:
        return
    build = getattr(docgen, "build_site", None)
    if build is None:
        return
    with Bar(screen, "printing the rules") as bar:
        build(game, folder / "site", progress=bar.step)
    screen.say(f"the rules:     {folder / 'site' / 'index.html'}")


# ---- the story ---------------------------------------------------------------------------------------------


def _story(position: Position, screen: Screen) -> Iterator[str]:
    """Turn by turn, the long ones shortened."""
    from rulescript.cli.story import story_lines

    turns: list[list[Line]] = [[]]
    for line in position.journal.lines():
        if line.sort == "turn":
            turns.append([])
        turns[-1].append(line)
    for turn in turns:
        yield ""
        yield from _told(list(story_lines(turn, screen)), screen)


def _told(lines: list[str], screen: Screen) -> Iterator[str]:
    """The beginning and the end of a turn, if it was a long one."""
    if len(lines) <= MOST_LINES + 2:
        yield from lines
        return
    head = MOST_LINES * 2 // 3
    yield from lines[:head]
    yield screen.paint(f"    ... {len(lines) - MOST_LINES} lines more in the log ...", "dim")
    yield from lines[head - MOST_LINES :]


if __name__ == "__main__":
    sys.exit(main())
