"""The claims of a game as things that can be run one by one: for the pytest plugin.

Examples and checks are run by rulescript/claims; an invariant is put to the test by a few random plays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from attrs import field, frozen

from rulescript.claims import Found, GameSource, run_checks, run_example
from rulescript.diagnostics import render_report
from rulescript.errors import GameNotFound
from rulescript.testing.checks import Invariants
from rulescript.testing.run import Broken, InvariantUse, Run
from rulescript.testing.walk import random_walker

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["Claim", "Claims", "claims_in"]

PLAYS = 3
_MAIN_FILES = ("game.rules", "game.rules.md")


@frozen
class Claim:
    """Something that can be run: what is wrong, as text, or nothing. `inherited` are those of the game that a
    variant builds on, which it may well change."""

    name: str
    run: Callable[[], str]
    inherited: bool = False


@frozen
class Claims:
    """The claims of a file. `game` is None for a file of examples that belongs to a game elsewhere."""

    claims: tuple[Claim, ...]
    game: Game | None = field(default=None, repr=False)

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)


def claims_in(path: Path) -> Claims:
    """The claims of a game's main file, of a game in one file, or of a file of examples beside a game.

    Raises GameInvalid or GameNotFound."""
    owner = None if path.name in _MAIN_FILES else _game_around(path)
    if owner is None:
        return _of_game(path)
    source = GameSource.load(owner)
    found = [f for f in source.found() if _is_in(f, path)]
    if not found:
        source = source.with_file(path)
        found = source.found(only_extra=True)
    return Claims(tuple(_example(source, f) for f in found))


def _game_around(path: Path) -> Path | None:
    """The main file of the game whose folder a file lies in; None if the file is a game itself."""
    for folder in path.resolve().parents:
        for name in _MAIN_FILES:
            if (folder / name).is_file():
                return folder / name
    return None


def _is_in(found: Found, path: Path) -> bool:
    name = Path(found.example.span.source.name)
    return name.name == path.name and (not name.is_absolute() or name.resolve() == path.resolve())


def _of_game(path: Path) -> Claims:
    if not path.is_file():
        raise GameNotFound(f"there is no file {path}")
    source = GameSource.load(path)
    game = source.game()
    claims = [_example(source, found) for found in source.found()]
    claims += [_check(game, number) for number in range(len(game.data.checks))]
    claims += [_invariant(game, info.title) for info in game.data.invariants]
    return Claims(tuple(claims), game)


def _example(source: GameSource, found: Found) -> Claim:
    def run() -> str:
        failed = [d for result in run_example(source, found) for d in result.failures]
        return render_report(failed) if failed else ""

    return Claim(f"example: {found.example.title}", run, source.game().model.is_of_base(found.example.span))


def _check(game: Game, number: int) -> Claim:
    def run() -> str:
        result = run_checks(game)[number]
        return render_report(result.failures) if result.failures else ""

    is_inherited = game.model.is_of_base(game.model.checks[number][0].span)
    return Claim(f"check: {game.data.checks[number].title}", run, is_inherited)


def _invariant(game: Game, title: str) -> Claim:
    def run() -> str:
        uses: dict[str, InvariantUse] = {}
        for seed in range(PLAYS):
            try:
                Run(game, seed, None, random_walker(Random(seed)), (Invariants,), invariants=uses).go()
            except Broken as problem:
                if problem.check != "invariants" or f'"{title}"' in str(problem):
                    steps = problem.play.steps if problem.play is not None else []
                    told = "".join(f"\n  {step.player}: {step.text}" for step in steps[-5:])
                    return f"{problem} (seed {seed}, after {len(steps)} choices, the last of them:{told})"
        return ""

    return Claim(f"invariant: {title}", run)
