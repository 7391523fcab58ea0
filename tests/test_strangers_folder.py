"""`python -m rulescript` in a stranger's folder runs no module that lies there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rulescript

# Called like modules of Python, like those we need, and like parts of ours.
MODULES = (
    "json", "re", "typing", "attrs", "attr", "lark", "signal", "gc", "__future__", "argparse", "pathlib", "enum",
    "rich", "multiprocessing", "subprocess", "random", "dataclasses", "cli", "source",
)  # fmt: skip
GAME = """\
rulescript 1
game "Plain", version "1"
values Side: North, South
players Side
state active: Side
phase go
    may wait "Wait"
        tell "Waited."
sequence
    for active in Side
        go
    end game, draw
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "stranger"
    folder.mkdir()
    for module in MODULES:
        (folder / f"{module}.py").write_text(
            f"open({str(folder / 'ran')!r}, 'a').write({module!r})\n", encoding="utf-8"
        )
    (folder / "plain.rules").write_text(GAME, encoding="utf-8")
    return folder


def run(folder: Path, *words: str) -> str:
    environment = dict(os.environ, PYTHONPATH=str(Path(rulescript.__file__).parents[1]))
    environment.pop("PYTHONSAFEPATH", None)
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("words", [["--version"], ["check", "plain.rules"], ["test", "-n", "1", "plain.rules"]])
def test_no_module_of_the_folder_is_run(folder: Path, words: list[str]) -> None:
    assert run(folder, "-m", "rulescript", *words)
    assert not (folder / "ran").exists()


def test_who_imports_rulescript_keeps_where_modules_are_looked_for(folder: Path) -> None:
    for module in MODULES:
        (folder / f"{module}.py").unlink()
    (folder / "mine").mkdir()
    (folder / "mine" / "__init__.py").write_text("import rulescript\n", encoding="utf-8")
    (folder / "mine" / "__main__.py").write_text("import beside\n", encoding="utf-8")
    (folder / "beside.py").write_text("print('found')\n", encoding="utf-8")
    assert run(folder, "-m", "mine") == "found\n"
    assert run(folder, "-c", "import rulescript, beside") == "found\n"
