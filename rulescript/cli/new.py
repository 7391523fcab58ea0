"""``rulescript new``: a folder with a game to begin from: small and whole, or a variant of another."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulescript.cli.arguments import add_json
from rulescript.errors import BadOption
from rulescript.resources import write_whole
from rulescript.source import writable

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen
    from rulescript.runtime.game import Game

__all__ = ["add_arguments", "make_game", "run"]

TITLE = "make a game of your own to begin from"

ABOUT = """\
Make a folder with a game of your own: a small one with comments that can be played at once, or with
--from a variant that builds on another game."""

EXAMPLES = """\
examples:
  rulescript new my_game
  rulescript new my_variant --from imperial_tide
  rulescript new house_rules --from my_game        a game in the same folder will do, too"""

_NAME = re.compile(r"[^\W\d]\w*\Z")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the folder to make; its last part is the game's name")
    parser.add_argument("--from", dest="base", metavar="GAME", help="the game it builds on")
    parser.add_argument("--title", metavar="TEXT", help="what it is called (default: from its name)")
    add_json(parser)


def run(args: argparse.Namespace, screen: Screen) -> int:
    folder = Path(args.name)
    files = make_game(folder, args.base, args.title)
    if args.json:
        screen.json({"folder": folder.as_posix(), "files": [path.as_posix() for path in files]})
        return 0
    for path in files:
        screen.say(f"wrote {path}")
    screen.say()
    shown = _shown(folder)
    screen.say(f"next: rulescript play {shown}")
    screen.say(f"      rulescript check {shown}")
    return 0


def _shown(folder: Path) -> str:
    """The folder as one would type it, so that it cannot be taken for a game that comes with the program."""
    said = writable(folder.as_posix())
    return said if folder.is_absolute() or len(folder.parts) > 1 else f"./{said}"


def make_game(folder: Path, base: str | None = None, title: str | None = None) -> list[Path]:
    """Write the files of a new game; nothing that exists is touched."""
    from rulescript.cli.starter import STARTER, VARIANT
    from rulescript.loader import bundled_games
    from rulescript.syntax.node_fields import quote

    name = folder.name
    if not _NAME.match(name):
        better = re.sub(r"\W+", "_", name).strip("_")
        hint = f"`{better}` would do" if _NAME.match(better) else "letters, digits and _, beginning with a letter"
        raise BadOption(f"a game cannot be called `{name}`", hint=hint)
    if name in bundled_games():
        raise BadOption(f"a game called `{name}` comes with the program", hint="choose another name")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadOption(f"`{folder}` is already there", hint="choose another name, or remove it first")
    said = title if title is not None else name.replace("_", " ").capitalize()
    words = {"@TITLE@": quote(said)[1:-1], "@FOLDER@": _shown(folder)}
    texts = STARTER
    if base is not None:
        words |= _base_words(folder, base)
        texts = VARIANT
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for file, text in texts.items():
        for word, value in words.items():
            text = text.replace(word, value)
        path = folder / file
        write_whole(path, text)
        written.append(path)
    return written


def _base_words(folder: Path, base: str) -> dict[str, str]:
    """What the text of a variant says about the game it builds on."""
    import rulescript
    from rulescript.loader import bundled_games, find_game

    ident = base
    where: str | Path = base
    if base not in bundled_games():
        beside = folder.parent / base
        path = beside if beside.exists() and "/" not in base else find_game(base)
        ident = path.name.removesuffix(".md").removesuffix(".rules")
        if path.resolve().parent != folder.resolve().parent:
            raise BadOption(
                f"a game builds on one that comes with the program or lies beside it; `{base}` does neither",
                hint=f"rulescript new {path.parent.as_posix()}/{folder.name} --from {ident}",
            )
        where = path
    game = rulescript.load(where)
    return {
        "@BASE@": ident,
        "@BASE_TITLE@": " ".join(game.title.split()),
        **_names_of(game),
    }


def _names_of(game: Game) -> dict[str, str]:
    """Names of the game that its variants can hang rules on, as comments."""
    import textwrap

    model = game.model
    values = [f for f in model.functions.values() if f.form == "value"]
    phases = [p for p in model.procedures.values() if p.form == "phase"]
    choices = dict.fromkeys(f"{info['procedure']}.{info['choice']}" for info in game.choices)
    listed = {
        "phases": [p.name for p in phases],
        "values": [_call(f) for f in values],
        "tables": list(model.tables),
        "options": list(game.options),
        "scenarios": list(game.scenarios),
    }
    lines = []
    for word, names in listed.items():
        if names:
            lines.append(
                textwrap.fill(
                    ", ".join(names),
                    96,
                    initial_indent=f"#   {word}: ",
                    subsequent_indent="#       ",
                    break_long_words=False,
                )  # fmt: skip
            )
    return {
        "@NAMES@": "\n".join(lines) or "#   (nothing with a name)",
        "@VALUE@": _call(values[0]) if values else "NAME(x)",
        "@PHASE@": phases[0].name if phases else "PHASE",
        "@CHOICE@": next(iter(choices), "PHASE.CHOICE"),
    }


def _call(function: Any) -> str:
    return f"{function.name}({', '.join(var.name for var in function.params)})"
