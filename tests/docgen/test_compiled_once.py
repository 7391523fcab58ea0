"""A large game is compiled once for its print: what is printed is the game that its examples are played with."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript.claims import run
from rulescript.cli.main import main
from rulescript.docgen import build_site, plays, setups
from rulescript.docgen.build import Begun
from rulescript.errors import GameInvalid
from rulescript.pipeline import loading
from rulescript.processes import Helpers
from tests.docgen.test_determinism import digest
from tests.docgen.test_kept import change, lakes

__all__ = ["lakes"]


class Compiled:
    """What was compiled, in any process: written down, since others cannot tell."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def note(self, *what: object) -> None:
        with self.path.open("a", encoding="utf-8") as out:
            out.write(f"{what}\n")

    def all(self) -> Counter[str]:
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        self.path.unlink(missing_ok=True)
        return Counter(lines)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Compiled:
    """Any game is large, and there are two processes."""
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(run, "SOME_TEXT", 0)
    monkeypatch.setattr(plays, "SOME_TEXT", 0)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    out = Compiled(tmp_path / "compiled.txt")
    compile_for_examples, compile_text = run.compile_for_examples, loading.compile_text

    def noted(model: Any, *more: Any) -> Any:
        out.note(model.options, model.scenario)
        return compile_for_examples(model, *more)

    def noted_text(*args: Any) -> Any:
        out.note("for play")
        return compile_text(*args)

    monkeypatch.setattr(run, "compile_for_examples", noted)
    monkeypatch.setattr(loading, "compile_text", noted_text)
    return out


def printed(game: Path, target: Path) -> dict[str, str]:
    assert main(["docs", str(game), "-o", str(target), "--games", "2"]) == 0
    return digest(target)


def test_each_set_of_options_is_compiled_once(compiled: Compiled, lakes: Path, tmp_path: Path) -> None:
    site = printed(lakes, tmp_path / "a")
    found = compiled.all()
    assert str(((), "")) in found and str(("for play",)) not in found
    assert set(found.values()) == {1}
    build_site(rulescript.load(lakes), tmp_path / "b", games=2)
    assert digest(tmp_path / "b") == site  # the same as of a game that was compiled for play


def test_random_games_are_played_in_shares_beside_the_rest(
    compiled: Compiled, lakes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some with as many options as go together, begun before the game is compiled, and the rest; what comes of it is
    what one alone would find."""
    begun: list[int] = []
    monkeypatch.setattr(plays, "Helpers", lambda do, count, jobs: begun.append(count) or Helpers(do, count, jobs))
    with Begun() as printing:
        build_site(printing.load(lakes, games=6), tmp_path / "a", games=6, begun=printing)
    assert begun == [1, 1]
    with Begun() as printing:  # of what is kept, nothing is played again
        build_site(printing.load(lakes, games=6), tmp_path / "b", games=6, begun=printing)
    assert begun == [1, 1]
    for kept in (tmp_path / "cache").iterdir():
        kept.unlink()
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    build_site(rulescript.load(lakes), tmp_path / "c", games=6)
    assert begun == [1, 1]
    assert digest(tmp_path / "a") == digest(tmp_path / "b") == digest(tmp_path / "c")


def test_after_a_change_of_prose_nothing_is_compiled(compiled: Compiled, lakes: Path, tmp_path: Path) -> None:
    printed(lakes, tmp_path / "a")
    compiled.all()
    # Lines move, and the coverage page says which of them were reached.
    change(lakes / "battle.rules.md", "# 3 Fighting\n", "# 3 Fighting\n\nA new\n\nsentence.\n")
    again = printed(lakes, tmp_path / "b")
    assert not compiled.all()
    for kept in (tmp_path / "cache").iterdir():
        kept.unlink()
    assert printed(lakes, tmp_path / "c") == again


def test_after_a_change_of_other_rules_nothing_is_set_up_again(
    compiled: Compiled, lakes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    laid_out = setups._laid_out
    monkeypatch.setattr(setups, "_laid_out", lambda setup, *more: done.append(setup.name) or laid_out(setup, *more))
    printed(lakes, tmp_path / "a")
    assert "" in done  # the game itself
    for old, new, again in (
        ("active.catch += gain(p)", "active.catch += gain(p) + 1", False),
        ("2 Southern boat in Otter", "1 Southern boat in Otter", True),
    ):
        done.clear()
        file = next(each for each in lakes.glob("*.rules.md") if old in each.read_text(encoding="utf-8"))
        change(file, old, new)
        site = printed(lakes, tmp_path / "b")
        assert ("" in done) == again
    for kept in (tmp_path / "cache").iterdir():
        kept.unlink()
    assert printed(lakes, tmp_path / "c") == site


def test_what_is_wrong_with_a_large_game_is_told_as_ever(compiled: Compiled, lakes: Path, tmp_path: Path) -> None:
    change(lakes / "claims.rules", "count(camp) == 10", "count(camp) == 11")
    with pytest.raises(GameInvalid) as ours, Begun() as begun:
        begun.load(lakes)
    with pytest.raises(GameInvalid) as usual:
        rulescript.load(lakes)
    assert str(ours.value) == str(usual.value)
