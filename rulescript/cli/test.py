"""``rulescript test``: a game's own claims, and a great many random games that must keep what every game
keeps.

In come a game and perhaps files with claims about it; out goes what failed, with the place and what was
seen, and exit code 1 if anything did. The claims are run by `rulescript.claims`, the random games by
`rulescript.testing`; a failure there is shortened and printed as an `example` ready to paste.
"""

from __future__ import annotations

import argparse
import re
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from rulescript.calls import is_number
from rulescript.cli.arguments import add_choices, add_json, add_seed, options_of

if TYPE_CHECKING:
    from rulescript.claims import CheckResult, ExampleResult, Found, GameSource
    from rulescript.cli.screen import Progress, Screen
    from rulescript.loader import GameText
    from rulescript.runtime.game import Game
    from rulescript.source import SourceFile, Span
    from rulescript.testing.report import Failure, Report

__all__ = ["Claims", "add_arguments", "run"]

# With this the whole takes less than two minutes.
SECONDS = 90.0
# Claims are stopped when they took so much of it, or so many seconds if that is more.
SHARE, CLAIMS_SECONDS = 0.75, 60.0
# So many of those that were not run are named.
SOME = 8

TITLE = "run a game's examples and checks, and random games"

ABOUT = """\
Put a game to the test: its examples and checks, and then random games across its options and
scenarios, which must end, save, undo, hide and keep its invariants as every game must.

With files, only claims of these are run: of files of examples beside the game, or, for a chapter of the game
itself, those that stand in it or cite a rule that it cites. --all runs everything."""

EXAMPLES = """\
examples:
  rulescript test my_game
  rulescript test my_game more_examples.rules      only the claims of that file
  rulescript test my_game more_examples.rules --all
  rulescript test my_game chapters/combat.rules.md   only the claims about that chapter
  rulescript test my_game -n 0                     claims only, no random games
  rulescript test my_game --seconds 20             a short look
  rulescript test my_game -n 500 --thorough        a long one
  rulescript test my_game --coverage               which rules were put to the test

exit code: 0 everything held, 1 something did not."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("files", nargs="*", metavar="FILE", help="files with more claims about the game")
    parser.add_argument("--all", action="store_true", help="with files: the game's own claims and games too")
    parser.add_argument(
        "--own",
        action="store_true",
        help="of a variant: only its own examples and checks, none of the game it builds on",
    )
    parser.add_argument(
        "-n", "--games", type=_plays, default=20, metavar="N",
        help="random games for each set of options (default: 20; 0: none)",
    )  # fmt: skip
    parser.add_argument("-v", "--verbose", action="store_true", help="name the claims that hold, too")
    parser.add_argument("--only", metavar="WORDS", help="only claims that have these words in their title")
    parser.add_argument(
        "--seconds", type=_seconds, default=SECONDS, metavar="S",
        help=f"stop random games when so many seconds have passed (default: {SECONDS:.0f})",
    )  # fmt: skip
    parser.add_argument(
        "--thorough", action="store_true", help="run all claims and play all random games, however long it takes"
    )
    parser.add_argument("--coverage", action="store_true", help="also list which rules were reached")
    parser.add_argument("--pairs", action="store_true", help="also play every two options together")
    parser.add_argument(
        "--weight", type=_weight, action="append", default=[], metavar="LABEL=W",
        help="choose options of this label more or less often than others (surrender=0.02)",
    )  # fmt: skip
    add_choices(parser)
    add_seed(parser)
    add_json(parser)


def _plays(text: str) -> int:
    if not is_number(text):
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of games")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of seconds")
    return seconds


def _weight(text: str) -> tuple[str, float]:
    label, equals, number = text.rpartition("=")
    try:
        weight = float(number) if equals and label else -1.0
    except ValueError:
        weight = -1.0
    if not 0 <= weight < 1e6:
        raise argparse.ArgumentTypeError(f"`{text}` is not a label, `=` and a weight")
    return label, weight


@define
class Claims:
    """What came of a game's examples and checks.

    A variant is there to change something: claims of the game it builds on are looked at again and told where they
    no longer hold, but only its own can fail."""

    examples: list[ExampleResult] = field(factory=list)
    checks: list[CheckResult] = field(factory=list)
    # The files of the games that this one builds on.
    base: set[str] = field(factory=set)
    # What was not run when the time was up.
    left_out: list[str] = field(factory=list)

    @property
    def all(self) -> list[tuple[str, ExampleResult | CheckResult]]:
        return [*(("check", each) for each in self.checks), *(("example", each) for each in self.examples)]

    @property
    def ok(self) -> bool:
        return not self.left_out and not self.has_failed

    @property
    def has_failed(self) -> bool:
        return any(not each.ok and not self.is_inherited(each) for _, each in self.all)

    def is_inherited(self, each: ExampleResult | CheckResult) -> bool:
        return each.span.source.name in self.base

    @property
    def exercised(self) -> set[str]:
        """The rules that played a part in examples."""
        return {cite for example in self.examples for cite in example.exercised}

    def to_dict(self) -> dict[str, Any]:
        from rulescript.diagnostics import render_json

        return {
            "ok": self.ok,
            "left_out": self.left_out,
            "results": [
                {
                    "kind": kind,
                    "title": each.title,
                    "file": each.span.source.name,
                    "line": each.span.line,
                    "cites": list(each.cites),
                    "ok": each.ok,
                    "inherited": self.is_inherited(each),
                    "diagnostics": render_json(each.failures),
                }
                for kind, each in self.all
            ],
        }


def run(args: argparse.Namespace, screen: Screen) -> int:
    from rulescript.alarm import TimeUp, stopped_after

    began = time.monotonic()
    claims = Claims(left_out=["all of them: reading the game took too long"])
    # Whoever runs out of time says what is missing.
    with suppress(TimeUp), stopped_after(None if args.thorough else max(args.seconds * SHARE, CLAIMS_SECONDS)):
        _claims(args, claims, screen)
    if not args.json:
        _tell_claims(claims, args.verbose, screen)
    report = None
    if args.games and not args.only and (not args.files or args.all):
        # What the claims took is gone, but some games are played in any case.
        left = None if args.thorough else max(args.seconds - (time.monotonic() - began), args.seconds / 4)
        report = _random_games(args, claims.exercised, left, screen)
    has_failed = claims.has_failed or report is not None and not report.ok
    is_whole = not claims.left_out and (report is None or bool(report.title) and not report.is_untried)
    is_ok = is_whole and not has_failed
    if args.json:
        conformance = report.to_dict() if report is not None else None
        screen.json({"ok": is_ok, "claims": claims.to_dict(), "conformance": conformance})
        return 0 if is_ok else 1
    if report is not None:
        for line in report.text(coverage=args.coverage).splitlines():
            screen.say(_painted(line, screen))
    screen.say()
    told = (
        "everything held" if is_ok else "not everything held" if has_failed else "not everything could be tried in time"
    )
    screen.say(screen.paint(told, "good" if is_ok else "error"))
    if not is_whole and (report is None or report.ok):
        screen.tell("hint: --seconds 600 gives it ten minutes, --thorough all the time it needs")
    return 0 if is_ok else 1


# ---- claims ------------------------------------------------------------------------------------------------


def _claims(args: argparse.Namespace, claims: Claims, screen: Screen) -> None:
    """Run the claims of the game, or of the files, or both."""
    from rulescript.analysis.analyse import chain_of
    from rulescript.claims import GameSource, run_checks
    from rulescript.claims.together import played_together
    from rulescript.cli.check import refuse_mistakes
    from rulescript.diagnostics import Reporter
    from rulescript.loader import load_text

    read = Reporter()
    text = load_text(args.game, read)
    options, scenario = options_of(args), args.scenario
    if read.has_errors or not args.only and not args.files:  # the rest is looked through when it is compiled
        refuse_mistakes(text, read, options, scenario)
    source = GameSource(text)
    wanted = args.only.casefold().split() if args.only else []

    claims.base = {file for text in chain_of(source.base)[:-1] for file in _files_of(text)}

    def is_wanted(title: str, span: Span) -> bool:
        if args.own and span.source.name in claims.base:
            return False
        return all(word in title.casefold() for word in wanted)

    parts = [_Part.of(source, file) for file in args.files]
    if not args.files or args.all:
        parts.insert(0, _Part(source, source.found()))
    wanted_of = [[each for each in part.examples if is_wanted(each.example.title, each.example.span)] for part in parts]
    claims.left_out = [f'"{each.example.title}"' for examples in wanted_of for each in examples]
    with screen.progress("claims", len(claims.left_out)) as bar:
        for part, examples in zip(parts, wanted_of, strict=True):
            # A game's own examples say themselves which optional rules they are about.
            chosen = (options, scenario) if part.source.extra else ((), "")
            if part.has_checks:
                claims.left_out.insert(0, "the checks")
                for check in run_checks(part.source, options, scenario):
                    if is_wanted(check.title, check.span) and part.is_own(check.span):
                        claims.checks.append(check)
                del claims.left_out[0]
            results: dict[int, list[ExampleResult]] = {}
            try:
                for number, found in played_together(part.source, examples, *chosen):
                    results[number] = found
                    claims.left_out.remove(f'"{examples[number].example.title}"')
                    for result in found:
                        if not result.ok and not claims.is_inherited(result):
                            _tell_at_once(f"example: {result.title}", args, screen)
                    bar.advance()
            finally:
                claims.examples += [result for number in sorted(results) for result in results[number]]


@frozen
class _Part:
    """The claims of a game, or of a file: one of others' claims about it, or one of its own."""

    source: GameSource
    examples: list[Found]
    # The file whose checks are meant; all are where there is none.
    file: SourceFile | None = None

    @classmethod
    def of(cls, source: GameSource, where: str) -> _Part:
        from rulescript.analysis.analyse import pieces_of

        file = _own_file(source.text, where)
        if file is None:
            more = source.with_file(where)
            return cls(more, more.found(True))
        # What is said about a chapter stands in it, or cites a rule that it cites.
        cited = set(re.findall(r"§\s*(\w+(?:[.-]\w+)*)", file.text))
        pieces = [piece for piece in pieces_of(source.text) if piece.declaration.span.source is file]
        cited.update(cite for piece in pieces for cite in piece.cites)
        examples = [
            found
            for found in source.found()
            if found.example.span.source is file or cited & set(found.example.cites or found.cites)
        ]
        return cls(source, examples, file)

    @property
    def has_checks(self) -> bool:
        if self.file is None:
            return True
        return re.search(r"(?m)^\s*check\b", self.file.text) is not None

    def is_own(self, span: Span) -> bool:
        if self.file is not None:
            return span.source is self.file
        return not self.source.extra or span in {piece.declaration.span for piece in self.source.extra}


def _own_file(text: GameText, where: str) -> SourceFile | None:
    """The file of a game that is meant: by its path from here, or from the game's folder."""
    from rulescript.analysis.analyse import chain_of

    path = Path(where)
    if not path.exists() and text.folder is not None:
        path = text.folder / where
    files = [file for game in chain_of(text) for file in game.files if Path(file.name).exists()]
    return next((file for file in files if path.exists() and path.samefile(file.name)), None)


def _tell_at_once(what: str, args: argparse.Namespace, screen: Screen) -> None:
    """Say on standard error that something failed, before all is done: the rest follows at the end."""
    if not args.json:
        screen.tell(f"failed: {what}")
        screen.flush()


def _files_of(text: GameText) -> set[str]:
    return {piece.declaration.span.source.name for piece in text.pieces}


def _tell_claims(claims: Claims, is_verbose: bool, screen: Screen) -> None:
    from rulescript.diagnostics import render_diagnostic

    changed: list[str] = []
    for kind, each in claims.all:
        if each.ok:
            if is_verbose:
                screen.say(f"  ok     {kind}: {each.title}")
            continue
        if claims.is_inherited(each):
            changed.append(each.title)
            if not is_verbose:
                continue
            screen.say(screen.paint(f"  changed {kind}: {each.title}", "dim"))
        else:
            screen.say(screen.paint(f"  FAILED {kind}: {each.title}", "error"))
        for diagnostic in each.failures:
            screen.say(render_diagnostic(diagnostic, colour=screen.colour))
            screen.say()
    failed = sum(not each.ok and not claims.is_inherited(each) for _, each in claims.all)
    examples, checks = len(claims.examples), len(claims.checks)
    told = f"{failed} failed" if failed else "all others hold" if changed else "all hold"
    if changed:
        told = f"{len(changed)} of the game that this one builds on no longer hold here, {told}"
    counted = f"{examples} example{'s' if examples != 1 else ''} and {checks} check{'s' if checks != 1 else ''}"
    screen.say(f"{counted}: {told}{f', {len(claims.left_out)} not run for want of time' if claims.left_out else ''}")
    for title in claims.left_out[:SOME]:
        screen.say(screen.paint(f"  note   not run for want of time: {title}", "dim"))
    if claims.left_out[SOME:]:
        screen.say(screen.paint(f"  note   not run for want of time: {len(claims.left_out) - SOME} more", "dim"))
    for title in dict.fromkeys(title.partition(" / ")[0] for title in changed):
        screen.say(screen.paint(f'  note   no longer holds: "{title}"', "dim"))
    if changed:
        why = 'where it is meant: remove "TITLE", in the variant; -v says why, with --own they are not run'
        screen.say(screen.paint(f"  note   {why}", "dim"))
    for example in claims.examples:
        if example.ok and not example.claims:
            screen.say(screen.paint(f'  note   example "{example.title}" claims nothing', "dim"))


# ---- random games ------------------------------------------------------------------------------------------


def _painted(line: str, screen: Screen) -> str:
    word = line.strip().partition(" ")[0]
    style = {"FAILED": "error", "note": "dim"}.get(word, "")
    return screen.paint(line, style) if style else line


def _random_games(args: argparse.Namespace, exercised: set[str], seconds: float | None, screen: Screen) -> Report:
    """The conformance kit, with a bar that moves, and each failure told as soon as it is found."""
    from rulescript.testing.conformance import run_conformance

    named = options_of(args) or args.scenario
    done: dict[str, int] = {}
    with ExitStack() as stack:
        bars: list[Progress] = []

        def begun(game: Game, sets: int) -> None:
            bars.append(stack.enter_context(screen.progress(f"random games of {game.title}", args.games * sets)))

        def progress(configuration: str, played: int, plays: int) -> None:
            bars[0].advance(played - done.get(configuration, 0))
            done[configuration] = played

        def failed(failure: Failure) -> None:
            _tell_at_once(f"{failure.check}: {failure.message.splitlines()[0]}", args, screen)

        return run_conformance(
            args.game,
            plays=args.games,
            seed=args.seed,
            options=options_of(args) if named else None,
            scenario=args.scenario if named else None,
            seconds=seconds,
            pairs=args.pairs,
            weights=dict(args.weight),
            exercised=sorted(exercised),
            begun=begun,
            progress=progress,
            failed=failed,
        )
