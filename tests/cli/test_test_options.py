"""`rulescript test -o`: a game's own examples name their options; those of other files get the given ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli

GAME = """\
rulescript 1
game "Tolls"
values Side: North, South
players Side
state active: Side

value toll() -> int
    2

sequence
    end game, draw

option dear "Dear tolls"
    adjust toll() add 3

example "Tolls are low"
    given empty
    expect
        toll() == 2

example "Tolls are high"
    with options dear
    given empty
    expect
        toll() == 5
"""
MORE = """\
example "What is it today?"
    given empty
    expect
        toll() == 5
"""


@pytest.fixture
def game(tmp_path: Path) -> str:
    (tmp_path / "tolls.rules").write_text(GAME, encoding="utf-8")
    return str(tmp_path / "tolls.rules")


def test_the_games_own_examples_are_played_as_they_say(cli: Cli, game: str) -> None:
    for words in ([], ["-o", "dear"]):
        result = cli("test", game, "-n", "0", *words)
        assert result.code == 0, result.out
        assert "2 examples and 0 checks: all hold" in result.out


def test_examples_of_another_file_are_played_with_the_options_given(cli: Cli, game: str, tmp_path: Path) -> None:
    (tmp_path / "more.rules").write_text(MORE, encoding="utf-8")
    more = str(tmp_path / "more.rules")
    assert cli("test", game, more, "-o", "dear").code == 0
    assert cli("test", game, more).code == 1
