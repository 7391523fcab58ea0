"""Every form of a compiled game plays alike: all games with each option in each scenario and each pair of options, all
recipes of the cookbook and all slices, all forms in step (`in_step.py`). Several options together, so many that each
pair of them is among those of some game, are played without the forms that examples have: those differ from the others
only in where they can be stopped.

All of it is a long run (`make test-long`). Each time the tests run, a part of it is played: another part whenever the
compiler or the engine changes, the same as long as they do not.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import pytest

from rulescript.claims import GameSource
from rulescript.errors import BadOption
from rulescript.loader import bundled_games
from tests.compiler.in_step import check_options_of, choices_of_options, forms_of, play_in_step

ROOT = Path(__file__).parent.parent.parent
GAMES = tuple(bundled_games())
RECIPES = sorted(path for path in (ROOT / "docs" / "cookbook").iterdir() if path.name != "README.md")
SLICES = sorted(path for path in (ROOT / "tests" / "slices").iterdir() if (path / "game.rules.md").exists())

# So that several processes can share the work.
PARTS = 12

Choice = tuple[Path, tuple[str, ...], str]


@cache
def source_of(path: Path) -> GameSource:
    return GameSource.load(path)


# So many options stand together in a game that is played for its pairs.
TOGETHER = 5


def choices(path: Path, at_once: int = 2) -> list[Choice]:
    """Each option in each scenario, and each pair of them in the game as it begins without one."""
    source = source_of(path)
    found = list(choices_of_options(source, 1))
    if at_once > 1:
        pairs = [set(options) for options, scenario in choices_of_options(source, 2) if not scenario]
        found += [(options, "") for options in gathered(source, [pair for pair in pairs if len(pair) > 1])]
    return [(path, options, scenario) for options, scenario in dict.fromkeys(found)]


def gathered(source: GameSource, pairs: list[set[str]]) -> list[tuple[str, ...]]:
    """Sets of options that go together; each of the pairs is a part of one."""
    made: list[tuple[str, ...]] = []
    for pair in pairs:
        if any(pair <= set(options) for options in made):
            continue
        for at, options in enumerate(made):
            if len(pair | set(options)) <= TOGETHER:
                try:
                    made[at] = tuple(sorted(check_options_of(source, pair | set(options), "")))
                    break
                except BadOption:
                    continue
        else:
            made.append(tuple(sorted(pair)))
    return made


def test_each_pair_of_options_is_played_together() -> None:
    for path in (ROOT / "games" / name for name in GAMES):
        played = [set(options) for _, options, scenario in choices(path) if not scenario]
        for options, scenario in choices_of_options(source_of(path), 2):
            if not scenario:
                assert any(set(options) <= all_of_them for all_of_them in played), options


@cache
def turn() -> int:
    """A number that changes with what compiles and runs games, and with nothing else."""
    found = hashlib.sha256()
    for folder in ("compiler", "machine", "runtime"):
        for file in sorted((ROOT / "rulescript" / folder).rglob("*.py")):
            found.update(file.read_bytes())
    return int(found.hexdigest(), 16)


def some(everything: list[Choice], many: int) -> list[Choice]:
    """As many of them as that, beginning where it is their turn."""
    step = max(1, len(everything) // many)
    begin = turn() % len(everything)
    return [everything[(begin + number * step) % len(everything)] for number in range(min(many, len(everything)))]


def played(choice: Choice, seeds: int, most: int, for_examples: bool = True) -> int:
    path, options, scenario = choice
    forms = forms_of(source_of(path), options, scenario, for_examples)
    return sum(play_in_step(forms, seed, most) for seed in range(seeds))


@pytest.mark.parametrize("name", GAMES)
def test_a_part_of_each_game(name: str) -> None:
    """As it is without options in the forms that players and programs use, and one choice of options in all."""
    path = ROOT / "games" / name
    assert played((path, (), ""), 3, 250, for_examples=False) > 300
    for choice in some(choices(path), 1):
        assert played(choice, 1, 60) > 20, choice


def test_a_part_of_the_cookbook() -> None:
    for path in (path for path, _, _ in some([(path, (), "") for path in RECIPES], 3)):
        for choice in some(choices(path, 1), 1):
            played(choice, 2, 40)


def test_a_part_of_the_slices() -> None:
    for choice in some([(path, (), "") for path in SLICES], 2):
        assert played(choice, 1, 40) > 0, choice


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", GAMES)
def test_all_of_a_game(name: str, part: int) -> None:
    """With each option alone in every form; with several of them in those that players and programs use."""
    path = ROOT / "games" / name
    alone = choices(path, 1)
    for choice in choices(path)[part::PARTS]:
        played(choice, 1, 120, for_examples=choice in alone)


@pytest.mark.long
@pytest.mark.parametrize("path", [*RECIPES, *SLICES], ids=lambda p: p.name)
def test_all_of_it(path: Path) -> None:
    for choice in choices(path):
        played(choice, 2, 150)
