"""``rulescript fmt``: put the rules files of a game in their proper form.

In come files, folders or games; the files are rewritten in place, or with --check only named, or with
--stdout printed. What the form is, is the business of syntax/fmt.py. A file with mistakes in its syntax is
left alone.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rulescript.cli.arguments import add_json
from rulescript.errors import BadOption, GameNotFound
from rulescript.resources import write_whole

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen
    from rulescript.diagnostics import Diagnostic

__all__ = ["add_arguments", "run"]

TITLE = "put rules files in their proper form"

ABOUT = """\
Put rules files in their proper form: indentation, spacing, citations, tables. Comments, the order of
things and blank lines stay as they are, and so does what the file means."""

EXAMPLES = """\
examples:
  rulescript fmt my_game                    every rules file in the folder, in place
  rulescript fmt --check my_game            only say which would change; exit code 1 if any
  rulescript fmt --stdout map.rules         print instead of writing
  rulescript fmt - < map.rules              from standard input to standard output

exit code: 0 done, 1 files would change (--check) or have mistakes in their syntax."""

_SUFFIXES = (".rules", ".rules.md")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="files, folders or names of games; - for standard input"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--check", action="store_true", help="change nothing, only say what would change")
    how.add_argument("--stdout", action="store_true", help="print the result instead of writing it")
    add_json(parser)


def run(args: argparse.Namespace, screen: Screen) -> int:
    from rulescript.diagnostics import render_json, render_report

    if args.paths == ["-"]:
        text, problems = _formatted("<stdin>", sys.stdin.read())
        sys.stdout.write(text)
        if problems:
            screen.tell(render_report(problems, colour=screen.error_colour))
        return 1 if problems else 0
    changed: list[str] = []
    faults: list[Diagnostic] = []
    files = _files_of(args.paths)
    with screen.progress("formatting", len(files)) as bar:
        for path in files:
            before = _read(path)
            text, problems = _formatted(path.as_posix(), before)
            faults += problems
            if args.stdout and not args.json:
                sys.stdout.write(text)
            elif not problems and text != before:
                changed.append(path.as_posix())
                if not args.check and not args.stdout:
                    write_whole(path, text, newline="")
            bar.advance()
    if args.json:
        names = [path.as_posix() for path in files]
        screen.json({"files": names, "changed": changed, "diagnostics": render_json(faults)})
    elif not args.stdout:
        word = "would change" if args.check else "formatted"
        for name in changed:
            screen.say(f"{word}: {name}")
        if not changed and not faults:
            screen.say(f"{len(files)} file{'s' if len(files) != 1 else ''} already in order")
    if faults and not args.json:
        screen.tell(render_report(faults, colour=screen.error_colour))
    return 1 if faults or (args.check and changed) else 0


def _files_of(names: list[str]) -> list[Path]:
    """The rules files meant, each once."""
    from rulescript.loader import find_game

    found: dict[Path, None] = {}
    for name in names:
        path = Path(name)
        if not path.exists():
            path = find_game(name)
        if path.is_dir():
            inside = [p for p in sorted(path.rglob("*")) if _is_ours(p, path)]
            if not inside:
                raise GameNotFound(f"`{name}` has no rules files in it")
            found.update(dict.fromkeys(inside))
        elif path.name.endswith(_SUFFIXES):
            found[path] = None
        else:
            raise BadOption(f"`{name}` is not a rules file", hint="its name should end in .rules or .rules.md")
    return list(found)


def _is_ours(path: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return not hidden and path.name.endswith(_SUFFIXES) and path.is_file() and not path.is_symlink()


def _read(path: Path) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except UnicodeDecodeError as problem:
        raise BadOption(f"`{path}` is not UTF-8 text (byte {problem.start})") from None


def _formatted(name: str, text: str) -> tuple[str, list[Diagnostic]]:
    """A file's text in its proper form, and what kept it from getting there."""
    from rulescript.diagnostics import Reporter, Severity
    from rulescript.source import read_source
    from rulescript.syntax.fmt import format_source

    source, _ = read_source(name, text, name.endswith(".md"))
    reporter = Reporter()
    result = format_source(source, reporter)
    errors = [d for d in reporter.diagnostics if d.severity is Severity.ERROR]
    return (text if errors else result), errors
