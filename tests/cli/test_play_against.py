"""`rulescript play --against search`: budgets, the bar while it thinks, and what is said of budgets that are none."""

from __future__ import annotations

import io

import pytest

import rulescript
from rulescript.bots import SearchBot
from rulescript.cli.screen import Screen
from rulescript.cli.table import Table
from tests.cli.conftest import SKIRMISH, Cli


class Terminal(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("words", [("--against", "search", "--think", "5"), ("--against", "search:5")])
def test_a_game_against_it(cli: Cli, words: tuple[str, ...]) -> None:
    result = cli("play", SKIRMISH, "--seed", "1", *words, typed="stop\n" * 40)
    assert result.code == 0
    assert "The game is over: " in result.out
    assert "thinks" not in result.err  # no terminal, no bar
    again = cli("play", SKIRMISH, "--seed", "1", *words, typed="stop\n" * 40)
    assert again.out == result.out


def test_it_can_be_watched(cli: Cli) -> None:
    out = cli("play", SKIRMISH, "--seed", "1", "--seat", "all=search", "--think", "3").out
    assert "The game is over: " in out


@pytest.mark.parametrize("budget", ["0", "0s", "", "-2", "soon", "1e99"])
def test_a_budget_of_nothing(cli: Cli, budget: str) -> None:
    result = cli("play", SKIRMISH, "--against", "search", f"--think={budget}")
    assert result.code != 0
    assert f"`{budget}` is no budget for thinking" in result.err
    assert "2s" in result.err and "Traceback" not in result.err


def test_a_bot_that_does_not_exist(cli: Cli) -> None:
    result = cli("play", SKIRMISH, "--against", "serach")
    assert result.code != 0
    assert "no bot is called `serach`" in result.err and "search" in result.err.split("hint")[1]
    result = cli("simulate", SKIRMISH, "--bots", "search:0")
    assert result.code != 0
    assert "`0` is no budget for thinking" in result.err


def test_a_bar_shows_how_far_it_is() -> None:
    position = rulescript.load(SKIRMISH).start(1)
    out, err = io.StringIO(), Terminal()
    bot = SearchBot(1, playouts=60)
    table = Table(position, ["search", "search"], [bot, bot], Screen("never", out, err))
    table._turn(position.decision)
    assert position.steps == 1
    assert "North thinks" in err.getvalue() and "/100" in err.getvalue()
    assert bot.on_thinking is None


def test_a_hint_asks_it(cli: Cli) -> None:
    out = cli("play", SKIRMISH, "--seed", "1", typed="hint\nhint\nquit\n").out
    hints = [line for line in out.splitlines() if "a bot would take" in line]
    assert len(hints) == 2 and hints[0] == hints[1]
