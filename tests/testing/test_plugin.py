"""pytest collects the claims of a game when asked to, and only then."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.testing.games import SMALL

CLAIMS = """
check "three turns" §2
    count(Turn) == 3

check "four turns"
    count(Turn) == 4

invariant "never many"
    total <= 6

example "adding counts" §2.1
    given setup
    play
        North: add One
    expect
        total == 1

example "adding counts twice"
    given setup
    play
        North: add One
    expect
        total == 2
"""


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), "NO_COLOR": "1"}
    environment.pop("PYTEST_ADDOPTS", None)
    # Without xdist and the cache, which have no part in this.
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:randomly",
    ]
    return subprocess.run(
        [*command, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a game in a folder, examples beside it, a test of its own and a file that is no game."""
    root = tmp_path_factory.mktemp("project")
    game = root / "games" / "small"
    game.mkdir(parents=True)
    (game / "game.rules").write_text(SMALL + CLAIMS, encoding="utf-8")
    more = CLAIMS[CLAIMS.index('example "adding counts"') :].replace("adding", "more")
    (game / "extra.rules").write_text(more, encoding="utf-8")
    (root / "stray.rules").write_text("this is no game\n", encoding="utf-8")
    (root / "test_own.py").write_text("def test_own():\n    pass\n", encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def given_by_name(folder: Path) -> str:
    """What pytest says when the files are its arguments."""
    done = run_pytest(folder, "-v", "games/small/game.rules", "games/small/extra.rules", "stray.rules")
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def test_a_main_file_gives_a_test_for_every_claim_and_one_for_conformance(given_by_name: str) -> None:
    for name, outcome in (
        ("check: three turns", "PASSED"),
        ("check: four turns", "FAILED"),
        ("invariant: never many", "PASSED"),
        ("example: adding counts", "PASSED"),
        ("example: adding counts twice", "FAILED"),
        # It cannot be played with a check that fails.
        ("conformance", "FAILED"),
    ):
        assert f"game.rules::{name} {outcome}" in given_by_name, given_by_name


def test_a_file_of_examples_beside_a_game_runs_its_examples_alone(given_by_name: str) -> None:
    assert given_by_name.count("extra.rules::") == 2 + 1  # and once more among the failures
    assert "extra.rules::example: more counts PASSED" in given_by_name
    assert "extra.rules::example: more counts twice FAILED" in given_by_name


def test_a_file_with_mistakes_is_one_failing_test(given_by_name: str) -> None:
    assert "stray.rules::check FAILED" in given_by_name
    assert "error[RS0" in given_by_name


def test_failures_are_shown_as_diagnostics_not_as_tracebacks(given_by_name: str) -> None:
    assert "error[RS330]" in given_by_name
    assert "total == 2" in given_by_name
    assert "^^^^^" in given_by_name
    assert "Traceback" not in given_by_name
    assert "rulescript/testing" not in given_by_name


def test_a_project_that_does_not_ask_gets_nothing(folder: Path) -> None:
    done = run_pytest(folder, "-q")
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_the_ini_file_names_folders_of_games(folder: Path) -> None:
    """They are looked at beside the usual ones; a file that is not a main file is left alone."""
    ini = folder / "pytest.ini"
    ini.write_text("[pytest]\ntestpaths = test_own.py\nrulescript_games = games\n", encoding="utf-8")
    try:
        done = run_pytest(folder, "-q", "--collect-only")
    finally:
        ini.unlink()
    assert "7 tests collected" in done.stdout, done.stdout + done.stderr
    assert "stray" not in done.stdout
    assert "extra" not in done.stdout


def test_the_plugin_imports_nothing_of_the_engine() -> None:
    code = "import rulescript.testing.plugin, sys; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "hypothesis" not in loaded
    assert not any(m.startswith(("rulescript.compiler", "rulescript.analysis", "rulescript.syntax")) for m in loaded)
