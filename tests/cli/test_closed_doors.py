"""Who closes what the program reads from or writes to, or gives it a full disk, gets an exit code and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_strangers_folder import GAME

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a shell closes what we have open")


def run(folder: Path, words: str, doors: str) -> tuple[int, str]:
    (folder / "plain.rules").write_text(GAME, encoding="utf-8")
    command = f"{sys.executable} -m rulescript {words} {doors}"
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("doors", ["<&-", "<&- >&-", "<&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["check plain.rules", "play plain.rules", "games plain.rules", "--version"])
def test_closed_ones_are_nothing(tmp_path: Path, words: str, doors: str) -> None:
    code, said = run(tmp_path, words, doors)
    assert code == 0 and "RS901" not in said and "Traceback" not in said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="nothing is always full here")
@pytest.mark.parametrize("words", ["--version", "", "check plain.rules", "check plain.rules --json", "games"])
def test_a_full_disk_is_told(tmp_path: Path, words: str) -> None:
    code, said = run(tmp_path, words, ">/dev/full")
    assert code == 2 and said.startswith("error: ") and len(said.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="nothing is always full here")
def test_nothing_can_be_told_on_a_full_disk(tmp_path: Path) -> None:
    assert run(tmp_path, "nothing_of_ours", "2>/dev/full") == (2, "")
