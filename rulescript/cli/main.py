"""The parser, and what every command shares: errors in words, exit codes, Ctrl-C, broken pipes.

In come the words after `rulescript`; out goes an exit code: 0 all is well, 1 problems in a game or failed
tests, 2 a wrong call or something that is not there, 3 a fault of ours, 130 stopped with Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from rulescript.cli.screen import Screen
from rulescript.errors import GameInvalid, PlayError, RulescriptError
from rulescript.phrases import listed

__all__ = ["main"]

OK, PROBLEMS, USAGE, OUR_FAULT, STOPPED, BROKEN_PIPE = 0, 1, 2, 3, 130, 141

ABOUT = """\
A board wargame's rulebook, written once as code: play it, test it, simulate it, print it.

A GAME is the name of a game that comes with the program (`rulescript games` lists them) or a path to
a .rules file or a folder of them."""

EXAMPLES = """\
examples:
  rulescript games                               which games there are
  rulescript play attrition_of_souls             sit down at the table
  rulescript new my_game                         a small game of your own, ready to play
  rulescript check my_game                       what is wrong with it, and where
  rulescript simulate my_game -n 1000            who wins, and how long it takes
  rulescript docs my_game -o site                its rules as a site to read

exit codes: 0 all is well; 1 problems found or tests failed; 2 wrong call or bad input; 3 a fault of
rulescript itself; 130 stopped with Ctrl-C.
`rulescript COMMAND --help` says more about each command."""


class _Parser(argparse.ArgumentParser):
    """argparse, with a hint where to read on."""

    def error(self, message: str) -> NoReturn:
        unknown = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
        if unknown is not None and message.startswith("argument COMMAND"):
            from rulescript.diagnostics.spelling import spelling_hint

            names = re.findall(r"\w+", unknown[2])
            hint = spelling_hint(unknown[1], names) or f"the commands are {', '.join(names)}"
            raise _Usage(f"there is no command `{unknown[1]}`\n  hint: {hint} (see {self.prog} --help)")
        raise _Usage(f"{message}\n  hint: {self.prog} --help")

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As in argparse, but what is left over is a mistake of the command it was given to."""
        found, left = self.parse_known_args(args, namespace)
        if left:
            command = getattr(found, "command", None)
            prog = f"{self.prog} {command}" if command else self.prog
            said = " ".join(f"`{word}`" for word in left)
            raise _Usage(f"nothing is known of {said} here\n  hint: {_meant(command, left)}{prog} --help")
        return found


class _Usage(Exception):
    """The words make no command."""


COMMANDS = ("games", "play", "new", "check", "fmt", "test", "simulate", "report", "docs", "map", "replay")


def _meant(command: str | None, words: list[str]) -> str:
    """What was meant by an option that the command does not have: one of its own, or what another has."""
    from rulescript.diagnostics.spelling import spelling_hint

    option = next((word.partition("=")[0] for word in words if word.startswith("--")), "")
    every = next(action for action in _parser()._actions if isinstance(action, argparse._SubParsersAction))
    options = {name: parser._option_string_actions for name, parser in every.choices.items()}
    if not option or command not in options:
        return ""
    own = [name for name in options[command] if name.startswith("--")]
    near = spelling_hint(option, own) or next(
        (f"did you mean `{name}`?" for name in own if option.startswith(name)), ""
    )
    if near:
        return f"{near} See "
    others = [f"`rulescript {name}`" for name, known in options.items() if option in known]
    return f"`{option}` is an option of {listed(others)}; see " if others else ""


def _parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """What reads the words. Where they begin with a command, no other is brought in."""
    first = next((word for word in words if not word.startswith("-")), "")
    shared = _Parser(add_help=False)
    shared.add_argument(
        "--color", "--colour", dest="colour", choices=("auto", "always", "never"), default=argparse.SUPPRESS,
        help="colours: only on a terminal (auto), always, or never; NO_COLOR=1 means never",
    )  # fmt: skip
    shared.add_argument(
        "--debug",
        action="store_true",
        default=argparse.SUPPRESS,
        help="show the traceback of a fault of ours",
    )
    plain = argparse.RawDescriptionHelpFormatter
    parser = _Parser(prog="rulescript", description=ABOUT, epilog=EXAMPLES, formatter_class=plain, parents=[shared])
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", parser_class=_Parser)
    for name in (first,) if first in COMMANDS else COMMANDS:
        command = import_module(f"rulescript.cli.{name}")
        made = commands.add_parser(
            name, help=command.TITLE, description=command.ABOUT, epilog=command.EXAMPLES, formatter_class=plain,
            parents=[shared],
        )  # fmt: skip
        command.add_arguments(made)
        made.set_defaults(run=command.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; never raises for what a user can do wrong."""
    words = list(sys.argv[1:] if argv is None else argv)
    _open_what_is_closed()
    screen = Screen(_wish(words))
    try:
        return _run(words, screen)
    except KeyboardInterrupt:
        _quietly(screen.tell)
        return STOPPED
    except BrokenPipeError:
        # Whoever read our output has seen enough. What is still in the buffer must not raise at exit.
        _write_no_more()
        return BROKEN_PIPE
    except OSError as problem:  # a full disk
        _write_no_more()
        said = problem.strerror or str(problem)
        _quietly(lambda: screen.problem(said))
        return USAGE


def _open_what_is_closed() -> None:
    """Who closes what we read from or write to (`<&-`, `>&-`) gives us nothing, and hears nothing."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  to the end
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _write_no_more() -> None:
    _quietly(lambda: os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()))


def _run(words: list[str], screen: Screen) -> int:
    wants_json = "--json" in words
    try:
        args = _parser(words).parse_args(words)
    except _Usage as problem:
        screen.problem(str(problem))
        return USAGE
    except SystemExit as done:  # --help
        screen.flush()
        return int(done.code or 0)
    if args.version:
        import rulescript

        screen.say(f"rulescript {rulescript.__version__}")
        screen.flush()
        return OK
    if args.command is None:
        screen.say(_parser().format_help().rstrip())
        return USAGE
    try:
        code = int(args.run(args, screen))
        screen.flush()
        return code
    except RulescriptError as problem:
        return _told(problem, screen, wants_json)
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except OSError as problem:
        name = f"{problem.filename}: " if problem.filename else ""
        screen.problem(f"{name}{problem.strerror or problem}")
        return USAGE
    except Exception as problem:
        return _our_fault(problem, screen, getattr(args, "debug", False))


def _told(problem: RulescriptError, screen: Screen, wants_json: bool) -> int:
    """A designer's or user's mistake, in words; the exit code it deserves."""
    from rulescript.diagnostics import render_json, render_report

    code = PROBLEMS if isinstance(problem, GameInvalid | PlayError) else USAGE
    if wants_json:
        kind = type(problem).__name__
        error: dict[str, Any] = {"kind": kind, "message": problem.message, "hint": problem.hint}
        if isinstance(problem, GameInvalid):
            error["diagnostics"] = render_json(problem.diagnostics)
        if isinstance(problem, PlayError):
            error["place"] = problem.place
        screen.json({"error": error})
        screen.flush()
    if isinstance(problem, GameInvalid):
        if not wants_json:
            screen.tell(render_report(problem.diagnostics, colour=screen.error_colour))
    else:
        place = f"{problem.place}: " if isinstance(problem, PlayError) and problem.place else ""
        screen.problem(f"{place}{problem.message}", problem.hint)
    return code


def _our_fault(problem: Exception, screen: Screen, debug: bool) -> int:
    """Something we did not foresee: say so, and ask for a report."""
    import textwrap

    from rulescript.diagnostics import CODES

    if debug:
        import traceback

        screen.tell("".join(traceback.format_exception(problem)).rstrip())
    said = str(problem).strip().splitlines()
    screen.problem(f"[RS901] a fault of ours: {type(problem).__name__}{f': {said[0]}' if said else ''}")
    screen.tell(textwrap.fill(CODES["RS901"].explanation, 96, initial_indent="  ", subsequent_indent="  "))
    if not debug:
        screen.tell("  hint: add --debug to see where it happened, and send that along")
    return OUR_FAULT


def _wish(words: list[str]) -> str:
    """The wish for colours, before there is a parser to ask."""
    for at, word in enumerate(words):
        name, _, value = word.partition("=")
        if name in ("--color", "--colour"):
            value = value or (words[at + 1] if at + 1 < len(words) else "")
            if value in ("always", "never"):
                return value
    return "auto"


def _quietly(action: Any) -> None:
    with contextlib.suppress(OSError, ValueError):
        action()


if __name__ == "__main__":
    sys.exit(main())
