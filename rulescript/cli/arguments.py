"""Arguments that several commands share, and what becomes of them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rulescript.errors import BadOption

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["add_choices", "add_json", "add_seed", "count", "load_game", "options_of"]


def add_choices(parser: argparse.ArgumentParser) -> None:
    """--option, --without and --scenario"""
    parser.add_argument(
        "-o", "--option", action="append", default=[], metavar="NAME",
        help="switch on an optional rule (several: -o tanks -o fog, or -o tanks,fog)",
    )  # fmt: skip
    parser.add_argument(
        "--without", action="append", default=[], metavar="NAME",
        help="switch off a rule that is on by default (`*`: all of them)",
    )  # fmt: skip
    parser.add_argument("--scenario", default="", metavar="NAME", help="play this scenario")


def add_seed(parser: argparse.ArgumentParser, default: int | None = 0) -> None:
    said = "any" if default is None else str(default)
    parser.add_argument(
        "--seed", type=whole, default=default, metavar="N",
        help=f"the number all dice and shuffles follow from (default: {said})",
    )  # fmt: skip


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document for a program to read")


def whole(text: str) -> int:
    """Any whole number."""
    try:
        return int(text.replace("_", ""))
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number") from None


def count(text: str) -> int:
    """A number of things: 1 or more."""
    try:
        number = int(text.replace("_", ""))
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of at least 1")
    return number


def options_of(args: argparse.Namespace) -> tuple[str, ...]:
    """The names after --option, whichever way they were given, and with a minus those after --without."""

    def names(given: list[str]) -> list[str]:
        return [name.strip() for each in given for name in each.split(",") if name.strip()]

    given = names(args.option)
    path = next((name for name in given if not name.replace("-", "_").isidentifier()), None)
    if path is not None:
        raise BadOption(f"`{path}` is not the name of an option", hint=_where_to_write(args, path))
    return tuple(dict.fromkeys([*given, *(f"-{name}" for name in names(args.without))]))


def _where_to_write(args: argparse.Namespace, path: str) -> str | None:
    """What to type if `-o` was meant as in the commands in which it says where to write."""
    if hasattr(args, "output"):
        return None
    write = f"to write into a folder, `--out {path}`" if hasattr(args, "out") else "nothing is written here"
    return f"`-o` is short for `--option`; {write}"


def load_game(args: argparse.Namespace) -> Game:
    """The game the arguments speak of."""
    import rulescript

    try:
        game = rulescript.load(args.game, options=options_of(args), scenario=args.scenario)
    except BadOption as problem:
        if args.option and problem.hint is None:
            problem.hint = _where_to_write(args, args.option[-1])
        raise
    if not game.data.start:
        raise BadOption(f"{game.title} has no sequence of play, so it cannot be played")
    return game
