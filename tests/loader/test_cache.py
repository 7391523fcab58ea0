"""What is kept of a compiled game speaks of the files it was asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rulescript
from rulescript.claims.check import READING
from rulescript.pipeline.cache import MAKING

GAME = """\
rulescript 1
game "Twins"
kind Side
things
    Side North
players Side
state points: int
phase go
    choose one "One"
    or none_of_it "None"
sequence
    go
"""


def test_two_copies_of_a_game_each_tell_their_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path / "cache"))
    told = []
    for name in ("first", "second", "first"):
        (tmp_path / name).mkdir(exist_ok=True)
        where = tmp_path / name / "twins.rules"
        where.write_text(GAME, encoding="utf-8")
        game = rulescript.load(where)
        told.append({file for file, _ in (info.line for info in game.data.decisions.values())})
    assert told == [{str(tmp_path / name / "twins.rules")} for name in ("first", "second", "first")]
    assert len(list((tmp_path / "cache").glob("game-*.bin"))) == 2


@pytest.mark.parametrize("which", ["key", "game-*.bin", "game-*.text", "grammar-*.tables", "*"])
@pytest.mark.parametrize("what", ["folder", "pipe", "link", "nothing", "nonsense"])
def test_whatever_lies_in_the_cache_the_game_is_the_same(
    what: str, which: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("RULESCRIPT_CACHE", str(cache))
    where = tmp_path / "twins.rules"
    where.write_text(GAME, encoding="utf-8")
    expected = rulescript.load(where).start(1).state_hash()
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    for path in list(cache.glob(which)):
        path.unlink()
        match what:
            case "folder":
                path.mkdir()
            case "pipe":
                os.mkfifo(path)
            case "link":
                path.symlink_to(victim)
            case "nonsense":
                path.write_bytes(bytes(range(256)))
    assert rulescript.load(where).start(1).state_hash() == expected
    assert victim.read_bytes() == b"precious"


def rooms_of(code: str, folder: Path) -> set[str]:
    """The rooms of which another process has imported modules, after some code."""
    after = """
rooms = [name.split(".")[1:-1] for name, module in list(sys.modules.items())
         if name.startswith("rulescript.") and str(getattr(module, "__file__", "")).endswith(".py")]
print("rooms", *sorted({"/".join(room) for room in rooms}), file=sys.stderr)
"""
    environment = {**os.environ, "RULESCRIPT_CACHE": str(folder)}
    run = subprocess.run([sys.executable, "-c", code + after], env=environment, capture_output=True, text=True)
    (said,) = [line for line in run.stderr.splitlines() if line.startswith("rooms ")] or [run.stderr]
    return set(said.split()[1:]) - {""}


def test_whatever_makes_a_game_is_in_the_key_of_what_is_kept(tmp_path: Path) -> None:
    """Somebody who changes a module gets no game that was made by it before."""
    made = rooms_of("import sys, rulescript\nrulescript.load('attrition_of_souls').quickest", tmp_path / "a")
    assert {"compiler/passes", "loader"} <= made
    assert made <= set(MAKING)
    code = """
import runpy, sys
sys.argv = ["rulescript", "check", "attrition_of_souls"]
try:
    runpy.run_module("rulescript", run_name="__main__")
except SystemExit:
    pass
"""
    checked = rooms_of(code, tmp_path / "b")
    assert {"claims", "cli"} <= checked
    assert checked <= {*MAKING, *READING, "cli"}
