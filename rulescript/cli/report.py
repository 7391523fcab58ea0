"""``rulescript report``: what many games tell, as a page with plots and as tables in the terminal."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulescript.cli.arguments import add_json
from rulescript.errors import BadOption
from rulescript.resources import write_whole

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen

__all__ = ["add_arguments", "run"]

TITLE = "what many games tell, with plots"

ABOUT = """\
Tell about a run that `rulescript simulate --out` wrote, or about two of them side by side: tables here, and a page with
plots in a file."""

EXAMPLES = """\
examples:
  rulescript report runs/base -o base.html         a page about it
  rulescript report runs/base                      the same as tables
  rulescript report runs/base runs/fog -o fog.html both, from the same seeds, game for game

exit code: 0 all could be read, 1 some of it is damaged and was left out."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="+", help="one folder of a run, or two")
    parser.add_argument("-o", "--output", metavar="FILE", help="write a page with plots (HTML) into this file")
    add_json(parser)


def run(args: argparse.Namespace, screen: Screen) -> int:
    from rulescript.cli import run_words
    from rulescript.simulation import compare, open_run, open_sweep
    from rulescript.simulation.page import comparison_page, run_page, sweep_page

    if len(args.runs) > 2:
        raise BadOption("a report is about one run, or about two side by side")
    sweep = open_sweep(Path(args.runs[0])) if len(args.runs) == 1 else None
    if sweep is not None:
        runs = [each for _, each in sweep.runs]
        page, data, tell = sweep_page, sweep.to_dict, run_words.tell_sweep
        subject: Any = sweep
    elif len(args.runs) == 2:
        runs = [open_run(path) for path in args.runs]
        subject = compare(*runs)
        page, data, tell = comparison_page, subject.to_dict, run_words.tell_comparison  # type: ignore[assignment]
    else:
        subject = open_run(args.runs[0])
        runs = [subject]
        page, tell = run_page, run_words.tell_report  # type: ignore[assignment]
        data = lambda: run_words.report_data(subject)  # noqa: E731
    problems = [f"{each.folder.path}: {problem}" for each in runs if each.folder for problem in each.problems]
    for problem in problems:
        screen.tell(f"{problem}; it is left out (the same `simulate` plays it again)")
    if args.output is not None:
        write_whole(Path(args.output), page(subject))
    if args.json:
        screen.json(data())
    elif args.output is None:
        tell(subject, screen)
    else:
        screen.say(f"written: {args.output}")
    return 1 if problems else 0
