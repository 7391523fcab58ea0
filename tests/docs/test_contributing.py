"""CONTRIBUTING.md names real commits: each way to add something has one to look at."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = re.split(r"(?m)^## ", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))[1:]
ADDING = [section for section in SECTIONS if section.startswith(("A ", "An "))]
COMMIT = re.compile(r"`([0-9a-f]{7,40})`")


def test_each_way_to_add_something_names_a_commit() -> None:
    assert len(ADDING) >= 7
    assert [section.partition("\n")[0] for section in ADDING if not COMMIT.search(section)] == []


def test_the_commits_are_in_the_history() -> None:
    named = sorted({commit for section in ADDING for commit in COMMIT.findall(section)})
    git = ["git", "-C", str(ROOT)]
    known = subprocess.run([*git, "rev-parse", "--is-shallow-repository"], capture_output=True, text=True)
    if not (ROOT / ".git").exists() or known.stdout.strip() != "false":
        pytest.skip("the whole history is not here")
    missing = [
        commit
        for commit in named
        if subprocess.run([*git, "merge-base", "--is-ancestor", commit, "HEAD"], capture_output=True).returncode
    ]
    assert missing == []
