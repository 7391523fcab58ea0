"""Whoever prints a game has each set of options read once: for checking, printing, playing and compiling it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from rulescript.analysis.analyse import Analysis
from rulescript.cli.main import main
from rulescript.loader import GameText
from tests.docgen.test_kept import change, lakes

__all__ = ["lakes"]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Counter[tuple[tuple[str, ...], str]]:
    """How often a game was read with some options and a scenario."""
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path / "cache"))
    times: Counter[tuple[tuple[str, ...], str]] = Counter()
    run = Analysis.run

    def counted(self: Analysis, chain: Sequence[GameText]) -> None:
        times[self.game.options, self.game.scenario] += 1
        run(self, chain)

    monkeypatch.setattr(Analysis, "run", counted)
    return times


def test_a_set_of_options_is_read_once(read: Counter[tuple[tuple[str, ...], str]], lakes: Path, tmp_path: Path) -> None:
    assert main(["docs", str(lakes), "-o", str(tmp_path / "site"), "--games", "1"]) == 0
    assert len(read) > 2 and set(read.values()) == {1}


def test_after_a_change_it_is_read_once_more(
    read: Counter[tuple[tuple[str, ...], str]], lakes: Path, tmp_path: Path
) -> None:
    main(["docs", str(lakes), "-o", str(tmp_path / "site"), "--games", "1"])
    change(lakes / "battle.rules.md", "active.catch += gain(p)", "active.catch += gain(p) + 0")
    read.clear()
    assert main(["docs", str(lakes), "-o", str(tmp_path / "site"), "--games", "1"]) == 0
    assert len(read) > 2 and set(read.values()) == {1}
