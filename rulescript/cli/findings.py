"""What is wrong with a game: with its examples, and with each set of options and scenario it is looked at with.

In come a text and the sets of options; out come the diagnostics of each. Of a large game they are worked out by several
processes, and kept for the next time. The sets that would be too much work are left out, the last first: how much that
is, is counted, so that the same text always gets the same answer."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, frozen

from rulescript.diagnostics import Diagnostic, Label, Reporter, Severity
from rulescript.errors import BadOption, GameInvalid

if TYPE_CHECKING:
    from rulescript.loader import GameText
    from rulescript.model.game import Game as Model
    from rulescript.source import Span

__all__ = ["Choice", "Findings", "left_out", "place_kept"]

# So much work is done for all sets of options and scenarios, in declarations and expressions that are read; sets
# beyond it are left out. (Of the games that come with the program, none needs half of it; a second is some 25,000.)
MOST_WORK = 120_000
# Where it is more than so much, several processes look at it, and what they find is kept.
SOME_TEXT = 500_000
MOST_PROCESSES = 4
# Of a game with more rules that hold at once, and do before the set-up, the set-up is not played.
MOST_WAITING = 500
# So many letters of an option are about one declaration or expression.
LETTERS = 10
MOST_NAMED = 40


@frozen
class Choice:
    """A set of options and perhaps a scenario."""

    options: tuple[str, ...] = ()
    scenario: str = ""

    def __str__(self) -> str:
        return _said(self.options, self.scenario)


@lru_cache(maxsize=256)  # it stands below many a problem, and may have thousands of names
def _said(options: tuple[str, ...], scenario: str) -> str:
    named = [name for name in options if not name.startswith("-")]
    listed = ", ".join(named[:MOST_NAMED]) + (f" and {len(named) - MOST_NAMED} more" if named[MOST_NAMED:] else "")
    said = [f"option{'s' if len(named) > 1 else ''} {listed}"] if named else []
    said += [f"without {name[1:]}" for name in options if name.startswith("-")]
    said += [f"scenario {scenario}"] if scenario else []
    return " and ".join(said) or "no options"


@define
class Findings:
    """What is wrong with the examples of a game, and then with each choice. Without `claims` somebody goes on to play
    or print the game: models are kept for him, and what their `parts` say if he wants to know."""

    text: GameText
    read: Reporter
    choices: list[Choice]
    claims: bool
    parts: bool = False
    _plainest: tuple[Model | None, Reporter] | None = None

    def all(self, advance: Callable[[], Any]) -> list[list[Diagnostic]]:
        """All of it; shorter where all would be too much work. Of a large game it is kept, and worked out by several
        processes."""
        from rulescript.analysis.analyse import chain_of
        from rulescript.diagnostics.plain import from_plain, plain
        from rulescript.model.parts import Parts
        from rulescript.pipeline.cache import read_kept, write_kept
        from rulescript.pipeline.shelf import put_parts
        from rulescript.processes import cores, shared

        work = len(self.choices) * sum(len(file.text) for file in self.text.files)
        if work < SOME_TEXT or self.read.everything or self.read.lost:
            out: list[list[Diagnostic]] = []
            last = len(self.choices)
            while len(out) <= last:
                out.append(self._found_by(len(out)))
                last = self._last_set() if len(out) == 2 else last
                advance()
            return out
        files = [file for game in chain_of(self.text) for file in game.files]
        of = [self.text.content_key, str(self.claims), *(file.name for file in files)]
        path = place_kept(self.text, of, self.choices, "check")
        kept: list[Any] | None = read_kept(path) if path is not None else None
        if kept is None:
            kept = [None] * (self._last_set() + 1)

            def look(number: int) -> tuple[list[list[Any] | None], Any]:
                # The examples and the choice after them are for one process: both take the parts that run claims.
                numbers = (0, 1) if number == 0 else (number + 1,)
                return [plain(self._found_by(each), files) for each in numbers], self._parts_of(number)

            # Of a single choice one process makes up its mind sooner than another could begin. Models stay in the
            # process that made them: whoever goes on here asks for scenarios and for many options together.
            jobs = min(cores(), MOST_PROCESSES) if len(self.choices) > 1 else 1
            choices = self.choices[: len(kept) - 1]
            order = sorted(range(len(choices)), key=lambda at: at > 0 and not _is_composed(choices[at]))
            for turn, (found, said) in shared(lambda turn: look(order[turn]), len(order), jobs):
                number = order[turn]
                if said is not None:
                    put_parts(self.text, said[0], Parts(*said[1:]))
                kept[number + 1 - (len(found) - 1) : number + 2] = found
                for _ in found:
                    advance()
            if path is not None and None not in kept:
                write_kept(path, kept)
        return [
            from_plain(found, files) if found is not None else self._found_by(number)
            for number, found in enumerate(kept)
        ]

    def _last_set(self) -> int:
        """How many of the sets of options and scenarios are looked at: all, or as many as are not too much work."""
        from rulescript import nodes as n
        from rulescript.analysis.analyse import chain_of

        if len(self.choices) < 3:
            return len(self.choices)
        inside: dict[str, int] = {}
        outside = letters = 0
        for piece in (piece for each in chain_of(self.text) for piece in each.pieces):
            declaration = piece.declaration
            size = declaration.span.end - declaration.span.start
            if isinstance(declaration, n.OptionDecl):
                inside[declaration.name.text] = inside.get(declaration.name.text, 0) + size
            elif not isinstance(declaration, n.Example):
                outside, letters = outside + 1, letters + size
        if (outside + letters // LETTERS) * len(self.choices) + sum(inside.values()) < MOST_WORK:
            return len(self.choices)  # so little that nobody need look how much it is
        work, each = 0, self._looked_through(Choice())[1].expressions + outside + len(self.text.pieces) // 2
        for number, choice in enumerate(self.choices):
            named = (*choice.options, choice.scenario) if choice.scenario else choice.options
            work += each + sum(inside.get(name, 0) for name in named) // LETTERS
            if work > MOST_WORK and number > 1:
                return number
        return len(self.choices)

    def _looked_through(self, choice: Choice) -> tuple[Model | None, Reporter]:
        """The model of a game with a choice, and what there is to say of it. Without options it is asked for twice."""
        from rulescript.pipeline import look_through

        is_plain = choice == Choice()
        if is_plain and self._plainest is not None:
            return self._plainest
        reporter = Reporter(self.read.lost)
        found = look_through(self.text, choice.options, choice.scenario, reporter), reporter
        if is_plain:
            self._plainest = found
        return found

    def _found_by(self, number: int) -> list[Diagnostic]:
        """What is wrong with the examples, or (from one on) with a choice."""
        if number == 0:
            from rulescript.claims.check import check_examples

            return list(check_examples(self.text)) if self.claims else []
        model, reporter = self._looked_through(self.choices[number - 1])
        is_sound = model is not None and not reporter.has_errors and not self.read.has_errors
        found = list(reporter.everything)
        if not self.claims and is_sound and model is not None:
            self._keep(model)
        if self.claims and is_sound and number == 1 and model is not None and _has_to_be_run(model):
            # Totals of the printed game are worked out once; with each option they are by `rulescript test`.
            found += _found_when_run(self.text, model)
        return found

    def _keep(self, model: Model) -> None:
        from rulescript.model.parts import parts_of
        from rulescript.pipeline.shelf import put_model, put_parts

        key = (model.options, model.scenario)
        put_model(self.text, key, model)
        if self.parts:
            put_parts(self.text, key, parts_of(model))

    def _parts_of(self, number: int) -> tuple[Any, ...] | None:
        """What the parts of a choice say, as it is sent from process to process."""
        from rulescript.pipeline import check_options
        from rulescript.pipeline.shelf import kept_parts

        choice = self.choices[number]
        try:
            key = (check_options(self.text, choice.options, choice.scenario), choice.scenario)
        except BadOption:
            return None
        said = kept_parts(self.text, key)
        return (key, said.frame, dict(said.rules), dict(said.asks)) if said is not None else None


def _is_composed(choice: Choice) -> bool:
    return bool(choice.scenario) or len(choice.options) > 1


def place_kept(text: GameText, of: list[str], choices: list[Choice], sort: str) -> Path | None:
    """Where it is kept what was found in a game; the same only if all is the same that it could depend on."""
    from rulescript.pipeline.cache import own_key
    from rulescript.resources import cache_folder

    folder = cache_folder()
    if folder is None:
        return None
    parts = [text.ident, sys.version, own_key(("claims", "cli", "diagnostics", "explain")), *of]
    parts += ["\n".join((*choice.options, "scenario", choice.scenario)) for choice in choices]
    key = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return folder / f"{sort}-{key}.bin"


def left_out(text: GameText, looked: int, wanted: int) -> Diagnostic:
    """What is said where there are more sets of options than can be looked at."""
    where = text.game.span if text.game is not None else text.pieces[0].declaration.span
    message = f"only {looked} of {wanted} sets of options and scenarios were looked at: all would be too much work"
    hint = "`rulescript check GAME -o NAME` looks at one of the others"
    return Diagnostic("RS014", message, Label(where, "this game"), (), None, hint, Severity.WARNING)


def _not_played(where: Span, rules: int) -> Diagnostic:
    """What is said where so many rules hold at once that the set-up is not played to look at them."""
    message = (
        f"{rules} `whenever` hold before the set-up, more than {MOST_WAITING}: no time to see if they ever become true"
    )
    return Diagnostic("RS014", message, Label(where, "the first of them"), (), None, None, Severity.WARNING)


def _has_to_be_run(model: Model) -> bool:
    return bool(model.checks) or any(rule.var is None for rule in model.whenevers)


def _found_when_run(text: GameText, model: Model) -> list[Diagnostic]:
    """The lines of `check`s that do not hold before the first move, and what waits for something that is so already."""
    from rulescript.claims.pieces import Pieces
    from rulescript.compiler.module import compile_claims, compile_game
    from rulescript.pipeline import compiling, game_of
    from rulescript.pipeline.failing_check import failed_checks
    from rulescript.pipeline.never_becomes import conditions_from_the_start, hold_before_the_set_up

    reporter = Reporter()
    try:
        with compiling(text, reporter):
            # Checks are asked of the start alone, so no rule of play is compiled for them.
            compiled = compile_claims(model)
            game = game_of(model, compiled, Pieces(compiled.text))
            found = failed_checks(game)
            waiting = hold_before_the_set_up(game)
            if not waiting:
                return found
            if len(waiting) > MOST_WAITING:
                return [*found, _not_played(waiting[0][1].condition.span, len(waiting))]
            compiled = compile_game(model, searched=False)
    except GameInvalid:
        return reporter.diagnostics
    # Of the whole game only the set-up is run, so only that is compiled to the end.
    return [*found, *conditions_from_the_start(game_of(model, compiled, Pieces(compiled.text)))]
