"""``rulescript check``: every problem of a game at once, also those that only some options bring about.

In come games; out go diagnostics as text with carets or as JSON, and exit code 1 if there was an error. A
game is looked at without options, with each option alone (and what it needs), with as many options together
as go together, and with each scenario. What is found more than once is told once, with the first set of
options that showed it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from rulescript.calls import is_number
from rulescript.cli.arguments import add_choices, add_json, options_of
from rulescript.cli.findings import Choice, Findings, left_out, place_kept
from rulescript.errors import BadOption, GameInvalid, GameNotFound

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen
    from rulescript.diagnostics import Diagnostic, Reporter
    from rulescript.diagnostics.lost import Lost
    from rulescript.loader import GameText

__all__ = ["Checked", "Choice", "add_arguments", "changes", "check_text", "refuse_mistakes", "run", "text_key"]

TITLE = "find every mistake in a game's rules"

ABOUT = """\
Show every problem of a game, with the place, a hint and, where it has one, the rule it is about.

By default the game is checked without options, with each option alone, with all options together that
allow each other, and with each scenario. Name options or a scenario to check just that."""

EXAMPLES = """\
examples:
  rulescript check my_game                  everything
  rulescript check my_game --watch          again whenever a file changes, until Ctrl-C
  rulescript check my_game -o fog           only with the option `fog`
  rulescript check my_game --positions      the positions of examples that play could never reach
  rulescript check my_game --words          rules without a sentence, sentences that read badly
  rulescript check --explain RS204          what a code means, with an example and its cure
  rulescript check my_game --show code      the Python that the rules become

exit code: 0 nothing wrong (warnings allowed, unless --strict), 1 errors found."""

POLL_SECONDS = 0.3
SETTLE_SECONDS = 0.1
MOST_OPTIONS = 200
# Options that need each other in a long row make long sets; there is no time to look at more than these have anyhow.
MOST_IN_SETS = 100_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="what to check (default: this folder)")
    add_choices(parser)
    add_json(parser)
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument("--explain", metavar="CODE", help="explain a code, RS204 for example, and stop")
    parser.add_argument("--watch", action="store_true", help="check again whenever a file changes")
    parser.add_argument(
        "--positions", action="store_true",
        help="list the positions of examples that break an `always` invariant (many are parts of a board on purpose)",
    )  # fmt: skip
    parser.add_argument(
        "--words", action="store_true",
        help="list the rules that no sentence of the prose states, and the sentences made of the rules that read worst",
    )  # fmt: skip
    parser.add_argument(
        "--show", choices=("ast", "model", "code"),
        help="print what the text was read as (ast), what it means (model), or the Python it becomes (code)",
    )  # fmt: skip


def run(args: argparse.Namespace, screen: Screen) -> int:
    if args.explain:
        return _explain(args.explain, args.json, screen)
    games = args.games or ["."]
    if args.show:
        return _show(games, args, screen)
    if args.positions:
        return _positions(games, args, screen)
    if args.words:
        from rulescript.cli.words import list_words

        return list_words(games, args, screen)
    if args.watch:
        _watch(games, args, screen)
    return _check_all(games, args, screen)


# ---- what to check -----------------------------------------------------------------------------------------


@define
class Checked:
    """What was found in one game. Each diagnostic comes with the first choice that showed it."""

    text: GameText
    lost: Lost
    choices: list[Choice] = field(factory=list)
    found: dict[Diagnostic, Choice | None] = field(factory=dict)
    _shown_by: dict[tuple[Any, str], Choice | None] = field(factory=dict)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        from rulescript.diagnostics.report import gathered, without_consequences

        return gathered(without_consequences(self.found, self.lost))

    @property
    def has_errors(self) -> bool:
        return any(diagnostic.severity == "error" for diagnostic in self.found)

    def choice_of(self, diagnostic: Diagnostic) -> Choice | None:
        """The first choice that showed it; one that stands for several is the first of them, with more labels."""
        if len(self._shown_by) != len(self.found):
            self._shown_by = {}
            for found, choice in self.found.items():
                self._shown_by.setdefault((found.label, found.message), choice)
        return self._shown_by.get((diagnostic.label, diagnostic.message))


def choices_of(text: GameText) -> list[Choice]:
    """Everything worth checking: the base, each option (off, if it is on by default), those that something is
    said about together, all that go together, each scenario."""
    from rulescript.analysis.analyse import options_of, parts_of

    options, scenarios = options_of(text)
    tables = {**options, **scenarios}

    def related(name: str, form: str) -> list[str]:
        return [r.name.text for r in tables[name].rules if r.form == form and r.name is not None]

    def with_needs(name: str) -> tuple[str, ...]:
        reached: dict[str, None] = {}
        waiting = [name]
        while waiting:
            here = waiting.pop()
            if here in tables and here not in reached:
                reached[here] = None
                waiting += related(here, "needs")
        return tuple(n for n in reached if n in options)

    by_default = {name for name in options if any(r.form == "on" for r in options[name].rules)}

    def fits(named: tuple[str, ...], scenario: str = "") -> bool:
        """What `pipeline.check_options` says of names that are known; it looks at all options there are each time."""
        without = {name[1:] for name in named if name.startswith("-")}
        chosen = {name for name in named if name not in without and not name.startswith("-")} | by_default - without
        if scenario:
            chosen |= {name for name in related(scenario, "needs") if name in options} | {scenario}
        return all(other in chosen for name in chosen for other in related(name, "needs")) and not any(
            other in chosen for name in chosen for other in related(name, "excludes")
        )

    alone: list[Choice] = []
    named = 0
    for name in options:
        alone.append(Choice(with_needs(name)))
        named += len(alone[-1].options)
        if named > MOST_IN_SETS:
            break
    # An option that is on by default belongs to every choice, and is not repeated in its name.
    alone += [Choice((f"-{name}",)) for name in options if name in by_default]
    for names in parts_of(text):
        wanted = {other for name in names for other in with_needs(name)}
        alone.append(Choice(tuple(sorted(wanted)), next((name for name in names if name in scenarios), "")))
    company = [Choice(group) for group in _in_company(options, related, by_default) if len(group) > 1]
    staged = [Choice(with_needs(name), name) for name in scenarios]
    # Of very many options and scenarios there may be no time to look at each: first come those that say most.
    is_many = len(tables) > MOST_OPTIONS
    out = [Choice(), *company, *alone, *staged] if is_many else [Choice(), *alone, *company, *staged]
    # In whichever order options are named, they are the same.
    once = {(frozenset(choice.options), choice.scenario): choice for choice in reversed(out)}
    named_once = [choice for choice in out if once[frozenset(choice.options), choice.scenario] is choice]
    return [choice for choice in named_once if fits(choice.options, choice.scenario)] or [Choice()]


def _in_company(
    options: Iterable[str], related: Callable[[str, str], list[str]], by_default: set[str]
) -> Iterator[tuple[str, ...]]:
    """Sets of options that go together, as large as can be, until each was in good company once. Options that exclude
    each other need several rounds."""
    needs = {name: related(name, "needs") for name in options}
    shuns = {name: {*related(name, "excludes")} for name in needs}
    left = dict.fromkeys(needs)
    looked = 0
    while left and looked < MOST_IN_SETS:
        together: dict[str, None] = {}
        chosen = set(by_default)
        shunned = {other for name in chosen for other in shuns[name]}
        for name in [*left, *needs]:
            more: dict[str, None] = {}
            waiting = [name]
            while waiting:  # what is chosen brought along what it needs
                here = waiting.pop()
                if here in needs and here not in more and here not in together:
                    more[here] = None
                    waiting += needs[here]
            looked += len(more)
            if looked > MOST_IN_SETS:
                break
            rivals = {other for each in more for other in shuns[each]}
            if more.keys() & shunned or rivals & chosen or rivals & more.keys():
                continue
            together.update(more)
            chosen.update(more)
            shunned |= rivals
        taken = [name for name in left if name in together]
        if not taken:
            return
        for name in taken:
            del left[name]
        yield tuple(sorted(together))


def refuse_mistakes(
    text: GameText,
    read: Reporter | None = None,
    options: tuple[str, ...] = (),
    scenario: str = "",
    parts: bool = False,
) -> None:
    """GameInvalid if `check` finds errors in the rules of a game: with the options that are named, or if none are, with
    any that it looks at. Claims are told by whoever runs them. Models that are made here are kept for whoever plays or
    prints the same text (pipeline/shelf.py), and what their `parts` say, if he asks."""
    from rulescript.diagnostics import Reporter
    from rulescript.pipeline import note_sound
    from rulescript.pipeline.cache import read_kept, write_kept
    from rulescript.pipeline.unchanged import rules_of

    choices = [Choice(options, scenario)] if options or scenario else choices_of(text)
    reporter = read if read is not None else Reporter()
    path = place_kept(text, rules_of(text, examples=True), choices, "sound")
    if reporter.everything or reporter.lost or path is None or read_kept(path) is None:
        checked = check_text(text, reporter, choices, claims=False, parts=parts)
        if checked.has_errors:
            raise GameInvalid(checked.diagnostics)
        if path is not None and checked.choices == choices:
            write_kept(path, True)
        choices = checked.choices
    for choice in choices:
        note_sound(text, choice.options, choice.scenario)


def check_text(
    text: GameText,
    read: Reporter,
    choices: list[Choice],
    advance: Any = None,
    *,
    claims: bool = True,
    parts: bool = False,
) -> Checked:
    """What is wrong with a game; `read` is what was found, and lost, in reading it."""
    from rulescript.runtime.game import uncollected

    checked = Checked(text, read.lost, choices)
    for diagnostic in read.everything:
        checked.found.setdefault(diagnostic, None)
    # With other options a hint may have more to offer; it is one mistake all the same.
    told: set[Diagnostic] = set()
    with uncollected():
        all_found = Findings(text, read, choices, claims, parts).all(advance or _nobody)
    for choice, found in zip((None, *choices), all_found, strict=False):
        for diagnostic in found:
            alike = evolve(diagnostic, hint=None)
            if choice is None or alike not in told:
                if choice is not None:
                    told.add(alike)
                checked.found.setdefault(diagnostic, choice)
    if len(all_found) <= len(choices):
        checked.choices = choices[: len(all_found) - 1]
        checked.found[left_out(text, len(all_found) - 1, len(choices))] = None
    return checked


def _nobody() -> None:
    """Nobody waits for how far it is."""


def _checked(where: str, args: argparse.Namespace, screen: Screen) -> Checked:
    from rulescript.diagnostics import Reporter
    from rulescript.loader import load_text
    from rulescript.pipeline import check_options
    from rulescript.runtime.game import uncollected

    reporter = Reporter()
    with uncollected():  # all that is read is kept
        text = load_text(where, reporter)
        named = options_of(args)
        if named or args.scenario:
            if not reporter.has_errors:
                check_options(text, named, args.scenario)
            choices = [Choice(named, args.scenario)]
        else:
            choices = choices_of(text)
        with screen.progress(f"checking {text.ident}", len(choices) + 1) as bar:
            return check_text(text, reporter, choices, bar.advance)


# ---- telling it --------------------------------------------------------------------------------------------


def _check_all(games: list[str], args: argparse.Namespace, screen: Screen) -> int:
    from rulescript.diagnostics import Severity, render_json

    results = [_checked(where, args, screen) for where in games]
    bad = {Severity.ERROR, Severity.WARNING} if args.strict else {Severity.ERROR}
    is_ok = not any(d.severity in bad for checked in results for d in checked.found)
    if args.json:
        listed = []
        for checked in results:
            diagnostics: list[dict[str, Any]] = []
            for diagnostic in checked.diagnostics:
                data: dict[str, Any] = {**render_json([diagnostic])[0]}
                choice = checked.choice_of(diagnostic)
                data["with"] = _choice_json(choice) if choice is not None else None
                diagnostics.append(data)
            listed.append(
                {
                    "game": checked.text.ident,
                    "title": checked.text.title,
                    "files": [file.name for file in checked.text.files],
                    "checked_with": [_choice_json(choice) for choice in checked.choices],
                    "diagnostics": diagnostics,
                }
            )
        screen.json({"ok": is_ok, "games": listed})
    else:
        for checked in results:
            _tell(checked, screen)
    return 0 if is_ok else 1


def _choice_json(choice: Choice) -> dict[str, Any]:
    return {"options": list(choice.options), "scenario": choice.scenario}


def _tell(checked: Checked, screen: Screen) -> None:
    from rulescript.diagnostics import render_diagnostic, render_summary
    from rulescript.diagnostics.render import first_told, said_of_more

    diagnostics = checked.diagnostics
    for diagnostic in first_told(diagnostics):
        screen.say(render_diagnostic(diagnostic, colour=screen.colour))
        choice = checked.choice_of(diagnostic)
        if choice is not None and choice != checked.choices[0]:
            screen.say(screen.paint(f"  (with {choice})", "dim"))
        screen.say()
    for more in said_of_more(diagnostics):
        screen.say(more)
        screen.say()
    summary = render_summary(diagnostics)
    style = "good" if not checked.found else "bold"
    looked = len(checked.choices)
    ways = f", {looked} sets of options and scenarios" if looked > 1 else ""
    files = len(checked.text.files)
    size = f"({files} file{'s' if files != 1 else ''}{ways})"
    screen.say(f"{checked.text.title}: {screen.paint(summary, style)} {screen.paint(size, 'dim')}")


def _explain(code: str, as_json: bool, screen: Screen) -> int:
    from rulescript.diagnostics import CODES, render_explanation
    from rulescript.diagnostics.spelling import nearest_names

    wanted = code.strip().upper()
    if is_number(wanted):
        wanted = f"RS{wanted}"
    found = CODES.get(wanted)
    if found is None:
        found = next((each for each in CODES.values() if each.slug == code.strip().lower()), None)
    if found is None:
        near = nearest_names(wanted, CODES) or [next(iter(CODES))]
        raise BadOption(f"there is no code `{code}`", hint=f"rulescript check --explain {near[0]}")
    if as_json:
        names = ("code", "slug", "title", "explanation", "example", "cure")
        screen.json({name: getattr(found, name) for name in names})
    else:
        screen.say(render_explanation(found))
    return 0


# ---- positions that cannot be ---------------------------------------------------------------------------------


def _positions(games: list[str], args: argparse.Namespace, screen: Screen) -> int:
    """The positions of a game's examples in which an `always` invariant does not hold. They are no mistakes."""
    from rulescript.claims import GameSource, impossible_positions

    listed: list[dict[str, Any]] = []
    for where in games:
        source = GameSource.load(where)
        found = list(impossible_positions(source))
        for title, span, broken in found:
            place = f"{span.source.name}:{span.line}"
            told = [{"invariant": b.invariant.title, "cites": list(b.invariant.cites), "told": b.told} for b in broken]
            listed.append({"game": source.text.ident, "example": title, "place": place, "breaks": told})
            if not args.json:
                screen.say(f"{title}  {screen.paint(place, 'dim')}")
                for b in broken:
                    screen.say(f"    {b.invariant.title}{f': {b.told}' if b.told else ''}")
        if not args.json:
            say = f"{len(found)} position{'s' if len(found) != 1 else ''} of examples" if found else "no position"
            screen.say(f"{source.text.title}: {say} break{'s' if len(found) < 2 else ''} an invariant")
    if args.json:
        screen.json({"positions": listed})
    return 0


# ---- again and again ---------------------------------------------------------------------------------------


def _watch(games: list[str], args: argparse.Namespace, screen: Screen) -> None:
    """Check, wait until a file changes, check again; until Ctrl-C."""
    for _ in changes(games):
        if screen.is_terminal:
            screen.out.write("\x1b[2J\x1b[H")
        try:
            _check_all(games, args, screen)
        except (GameNotFound, BadOption) as problem:
            screen.problem(problem.message, problem.hint)
        clock = time.strftime("%H:%M:%S")
        screen.tell(f"[{clock}] watching {', '.join(games)}; Ctrl-C to stop")
        screen.flush()


def changes(games: list[str]) -> Iterator[str]:
    """What the games' texts amount to: at first, and whenever that has become something else. An editor may empty a
    file before it writes what it holds: a change is one when nothing more has changed for a moment. A game that is
    not there at all is not waited for."""
    from rulescript.loader import content_key_of

    for where in games:
        content_key_of(where)
    told = ""
    while True:
        now = text_key(games)
        if now == told:
            time.sleep(POLL_SECONDS)
            continue
        while now != (later := _a_moment_later(games)):
            now = later
        if now != told:
            told = now
            yield now


def _a_moment_later(games: list[str]) -> str:
    time.sleep(SETTLE_SECONDS)
    return text_key(games)


def text_key(games: list[str]) -> str:
    """What the games' texts amount to now. A file that can't be read at the moment is a change like any other."""
    from rulescript.loader import content_key_of

    keys = []
    for where in games:
        try:
            keys.append(content_key_of(where)[0])
        except (GameNotFound, OSError) as problem:
            keys.append(str(problem))
    return "\n".join(keys)


# ---- looking inside ----------------------------------------------------------------------------------------


def _show(games: list[str], args: argparse.Namespace, screen: Screen) -> int:
    """What each stage makes of a game: for authors who wonder, and for us."""
    from rulescript.cli.inside import show_ast, show_model
    from rulescript.diagnostics import Reporter, render_report
    from rulescript.loader import load_text
    from rulescript.pipeline import check_options, compile_text

    for where in games:
        reporter = Reporter()
        text = load_text(where, reporter)
        if args.show == "ast":
            for line in show_ast(text):
                screen.say(line)
            if reporter.diagnostics:
                screen.tell(render_report(reporter.diagnostics, colour=screen.error_colour))
                return 1 if reporter.has_errors else 0
            continue
        named = options_of(args)
        if not reporter.has_errors:
            check_options(text, named, args.scenario)
        game = compile_text(text, named, args.scenario, reporter)
        if args.show == "code":
            screen.say(game.source)
        else:
            for line in show_model(game.model):
                screen.say(line)
    return 0
