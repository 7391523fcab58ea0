"""pytest collects the claims of a game when asked to, and only then."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., Path]

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


@pytest.fixture
def folder(tmp_path: Path, write: Write) -> Path:
    """A project with a game in a folder, a test of its own and a broken game that nobody asks for."""
    path = write(name="plain.rules")
    game = tmp_path / "games" / "small"
    game.mkdir(parents=True)
    (game / "game.rules").write_text(path.read_text(encoding="utf-8") + CLAIMS, encoding="utf-8")
    path.unlink()
    (tmp_path / "stray.rules").write_text("this is no game\n", encoding="utf-8")
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n", encoding="utf-8")
    return tmp_path


def test_a_project_that_does_not_ask_gets_nothing(folder: Path) -> None:
    done = run_pytest(folder, "-q")
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_a_main_file_gives_a_test_for_every_claim_and_one_for_conformance(folder: Path) -> None:
    done = run_pytest(folder, "-v", "games/small/game.rules")
    lines = done.stdout.splitlines()
    for name, outcome in (
        ("check: three turns", "PASSED"),
        ("check: four turns", "FAILED"),
        ("invariant: never many", "PASSED"),
        ("example: adding counts", "PASSED"),
        ("example: adding counts twice", "FAILED"),
        # It cannot be played with a check that fails.
        ("conformance", "FAILED"),
    ):
        assert any(f"::{name} {outcome}" in line for line in lines), (name, done.stdout + done.stderr)
    assert "3 failed, 3 passed" in done.stdout
    # Diagnostics with carets, not tracebacks.
    assert "error[RS330]" in done.stdout
    assert "total == 2" in done.stdout
    assert "Traceback" not in done.stdout
    assert "rulescript/testing" not in done.stdout


def test_the_ini_file_names_folders_of_games(folder: Path) -> None:
    (folder / "pytest.ini").write_text(
        "[pytest]\ntestpaths = test_own.py\nrulescript_games = games\nrulescript_plays = 1\n",
        encoding="utf-8",
    )
    done = run_pytest(folder, "-q", "--collect-only")
    assert "7 tests collected" in done.stdout, done.stdout + done.stderr
    assert "stray" not in done.stdout
    one = run_pytest(folder, "-q", "test_own.py")
    assert "1 passed" in one.stdout


def test_a_folder_given_by_name_is_collected(folder: Path) -> None:
    done = run_pytest(folder, "-q", "--collect-only", "games/small")
    assert "6 tests collected" in done.stdout, done.stdout + done.stderr


def test_a_game_with_mistakes_is_one_failing_test_with_its_diagnostics(folder: Path) -> None:
    done = run_pytest(folder, "-q", "stray.rules")
    assert done.returncode == 1
    assert "1 failed" in done.stdout
    assert "error[RS" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_file_of_examples_beside_a_game_runs_its_examples_alone(folder: Path) -> None:
    extra = folder / "games" / "small" / "extra.rules"
    extra.write_text(
        CLAIMS[CLAIMS.index('example "adding counts"') :].replace("adding", "more"), encoding="utf-8"
    )
    done = run_pytest(folder, "-v", str(extra))
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr


def test_the_plugin_imports_nothing_of_the_engine() -> None:
    code = "import rulescript.testing.plugin, sys; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "hypothesis" not in loaded
    assert not any(
        m.startswith(("rulescript.compiler", "rulescript.analysis", "rulescript.syntax")) for m in loaded
    )
