"""``rulescript docs``: a game's rules as a site to read, as Markdown, or as data for other programs."""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulescript.cli.arguments import add_json, count, options_of
from rulescript.errors import BadOption, RulescriptError

if TYPE_CHECKING:
    from rulescript.cli.docs_server import Served
    from rulescript.cli.screen import Screen

__all__ = ["Bar", "add_arguments", "run"]

TITLE = "print a game's rules as a site"

ABOUT = """\
Print the reference of a game's rules: sequence of play, chapters, map, tables, cards, decisions, options,
set-ups, examples with their positions, indexes. The site opens from disk, without a server or a network."""

EXAMPLES = """\
examples:
  rulescript docs attrition_of_souls -o site          then open site/index.html
  rulescript docs my_game -o site --option fog        with an optional rule in force
  rulescript docs my_game -o notes --format markdown  for a code host
  rulescript docs my_game -o - --format json          a description for a program, to standard output
  rulescript docs my_game --print kit                 rulebook, player aid, board, cards and counters to cut out
  rulescript docs my_game --serve                     in the browser, anew after every change of the rules
  rulescript docs my_game -o site --templates look    templates of your own take the place of ours"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument(
        "-o", "--output", metavar="DIR",
        help="the folder to write into (default: NAME-rules here; with --format json, `-` is standard output)",
    )  # fmt: skip
    parser.add_argument("--format", choices=("html", "markdown", "json"), default="html", help="default: html")
    parser.add_argument(
        "--print", dest="part", choices=("book", "aid", "board", "cards", "counters", "changes", "kit"),
        help="what is meant for paper: a rulebook, a player aid of two pages, a board to glue, cards or counters to "
        "cut out, a sheet of what options change, or all of them; as PDF if rulescript[pdf] is installed, else to "
        "print from the browser",
    )  # fmt: skip
    parser.add_argument(
        "--serve", action="store_true", help="show it in the browser, and print it anew whenever a file changes"
    )
    parser.add_argument("--port", type=count, default=0, metavar="N", help="with --serve (default: 8414)")
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help="with --print (default: a4)")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME",
        help="an optional rule to be in force (all are described in any case)",
    )  # fmt: skip
    parser.add_argument(
        "--without", action="append", default=[], metavar="NAME", help="leave out a rule that is on by default"
    )
    parser.add_argument("--scenario", default="", metavar="NAME", help="print this scenario")
    parser.add_argument("--templates", metavar="DIR", help="a folder with templates that take the place of ours")
    parser.add_argument(
        "--games", type=count, metavar="N",
        help="random games to find out which rules are reached (default: 8)",
    )  # fmt: skip
    add_json(parser)


def run(args: argparse.Namespace, screen: Screen) -> int:
    from rulescript.cli.check import refuse_mistakes
    from rulescript.docgen import build_site, describe_game
    from rulescript.docgen.build import GAMES, Begun
    from rulescript.docgen.site import check_templates
    from rulescript.runtime.game import uncollected

    args.games = GAMES if args.games is None else args.games
    if args.serve:
        return _serve(args, screen)
    began = time.monotonic()
    # Nearly all that is made is printed: looking for garbage meanwhile only costs time.
    with uncollected(), Begun() as begun:
        # All options are described, whichever are in force.
        game = begun.load(
            args.game, options_of(args), args.scenario, partial(refuse_mistakes, parts=True),
            games=0 if args.part else args.games,
        )  # fmt: skip
        if args.output in game.options:
            hint = f"for the rule write `--option {args.output}`, for a folder of that name `-o ./{args.output}`"
            raise BadOption(f"`{args.output}` is an optional rule, and `-o` says where to write", hint=hint)
        if args.format == "json" and args.output == "-":
            screen.json(describe_game(game, games=args.games, begun=begun))
            return 0
        folder = Path(args.output or f"{game.ident}-{'print' if args.part else 'rules'}")
        if args.templates and Path(args.templates).is_dir():
            for note in check_templates(Path(args.templates)):
                screen.tell(f"note: {note}")
        with Bar(screen, f"printing {game.title}") as bar:
            files = build_site(
                game, folder, format=f"print {args.part}" if args.part else args.format, templates=args.templates,
                games=0 if args.part else args.games, progress=bar.step, begun=begun, paper=args.paper,
            )  # fmt: skip
    first = files[0]
    if args.json:
        screen.json({"first": first.as_posix(), "files": [path.as_posix() for path in files]})
        return 0
    size = sum(path.stat().st_size for path in files) / 1_000_000
    many = f"{len(files)} file{'s' if len(files) != 1 else ''}"
    screen.say(f"wrote {many}, {size:.1f} MB, in {time.monotonic() - began:.1f} s")
    if args.part and first.suffix != ".pdf":
        screen.say("open them in a browser and print; `pip install 'rulescript[pdf]'` makes PDF of them at once")
        return 0
    screen.say(f"open {first}" if args.format == "html" else f"see {first}")
    return 0


def _serve(args: argparse.Namespace, screen: Screen) -> int:
    """Print, show, wait until a file changes, print again; until Ctrl-C. What was played before is there at once; what
    has to be played again comes when it is done."""
    import tempfile
    import webbrowser

    from rulescript.cli.check import changes
    from rulescript.cli.docs_server import PORT, Served, serving

    if args.part or args.format != "html":
        raise BadOption("only the site can be served", hint="leave out --print and --format")
    with tempfile.TemporaryDirectory(prefix="rulescript-docs-") as made:
        served = Served(Path(args.output) if args.output else Path(made))
        server = serving(served, args.port or PORT)
        address = f"http://localhost:{server.server_address[1]}/"
        is_first = True
        try:
            for now in changes([args.game]):
                _print_anew(args, screen, served, now)
                if is_first:
                    is_first = False
                    screen.say(f"see {address} (Ctrl-C to stop)")
                    screen.flush()
                    if screen.is_terminal:
                        webbrowser.open(address)
        finally:
            server.shutdown()
    return 0


def _print_anew(args: argparse.Namespace, screen: Screen, served: Served, text: str) -> None:
    from rulescript.cli.check import refuse_mistakes, text_key
    from rulescript.docgen import build_site
    from rulescript.docgen.build import Begun
    from rulescript.runtime.game import uncollected

    for waits in (False, True):
        began = time.monotonic()
        try:
            with uncollected(), Begun(waits) as begun:
                look = partial(refuse_mistakes, parts=True)
                game = begun.load(args.game, options_of(args), args.scenario, look, games=args.games)
                files = build_site(
                    game, served.folder, templates=args.templates, games=args.games, begun=begun, waits=waits
                )
        except RulescriptError as problem:
            if text_key([args.game]) != text:  # what is wrong may be that half of a file was there; it is printed again
                return
            served.renew(str(problem))
            screen.tell(str(problem))
            screen.flush()
            return
        served.renew()
        clock = time.strftime("%H:%M:%S")
        what = "with all examples" if waits else "the rules"
        screen.tell(f"[{clock}] {what}: {len(files)} files in {time.monotonic() - began:.1f} s")
        screen.flush()


class Bar:
    """A progress bar that learns how long it is with its first step."""

    def __init__(self, screen: Screen, what: str) -> None:
        self.screen = screen
        self.what = what
        self._progress: Any = None
        self._moving: Any = None

    def __enter__(self) -> Bar:
        return self

    def step(self, what: str, total: int) -> None:
        if self._progress is None:
            self._progress = self.screen.progress(self.what, total)
            self._moving = self._progress.__enter__()
        self._moving.advance()

    def __exit__(self, *problem: Any) -> None:
        if self._progress is not None:
            self._progress.__exit__(*problem)
