"""What every command shares: help, exit codes, errors in words, Ctrl-C and broken pipes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from rulescript.cli import games, main
from rulescript.cli.screen import Screen, harmless, width_of
from tests.cli.conftest import BROKEN, SKIRMISH, Cli

COMMANDS = ("check", "fmt", "games", "new", "play", "replay", "simulate", "test")


def test_without_a_command_the_help_is_shown(cli: Cli) -> None:
    result = cli()
    assert result.code == 2
    for command in COMMANDS:
        assert f"\n    {command} " in result.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(cli: Cli, command: str) -> None:
    result = cli(command, "--help")
    assert result.code == 0
    assert "examples:" in result.out
    assert f"rulescript {command}" in result.out


def test_the_version(cli: Cli) -> None:
    result = cli("--version")
    assert result.code == 0
    assert result.out.startswith("rulescript 0.")


@pytest.mark.parametrize("words", [["chekc"], ["simulate"], ["simulate", SKIRMISH, "-n", "none"], ["fmt"]])
def test_a_wrong_call_is_told_with_a_hint(cli: Cli, words: list[str]) -> None:
    result = cli(*words)
    assert result.code == 2
    assert result.err.startswith("error: ")
    assert "--help" in result.err
    assert "Traceback" not in result.err


def test_an_unknown_game_is_a_clear_message(cli: Cli) -> None:
    result = cli("play", "no_such_game")
    assert result.code == 2
    assert "no game is called `no_such_game`" in result.err


def test_an_unknown_option_has_a_spelling_hint(cli: Cli) -> None:
    result = cli("simulate", SKIRMISH, "-o", "fgo")
    assert result.code == 2
    assert "did you mean `fog`?" in result.err


def test_a_game_with_mistakes_shows_them_and_counts_as_a_problem(cli: Cli) -> None:
    result = cli("play", BROKEN)
    assert result.code == 1
    assert "RS101" in result.err
    assert "^^^^^" in result.err


def test_errors_are_json_too_where_json_was_asked_for(cli: Cli) -> None:
    result = cli("simulate", BROKEN, "--json")
    assert result.code == 1
    assert result.json["error"]["kind"] == "GameInvalid"
    assert result.json["error"]["diagnostics"][0]["code"] == "RS101"
    missing = cli("games", "no_such_game", "--json")
    assert missing.code == 2
    assert missing.json["error"]["kind"] == "GameNotFound"


def test_ctrl_c_ends_quietly(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(games, "run", interrupted)
    result = cli("games")
    assert result.code == 130
    assert "Traceback" not in result.err


def test_a_fault_of_ours_asks_for_a_report(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: object) -> int:
        raise ZeroDivisionError("nobody thought of this")

    monkeypatch.setattr(games, "run", faulty)
    result = cli("games")
    assert result.code == 3
    assert "RS901" in result.err
    assert "nobody thought of this" in result.err
    assert "Traceback" not in result.err
    assert "Traceback" in cli("games", "--debug").err


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    command = [sys.executable, "-m", "rulescript", "games", SKIRMISH, "--choices"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_env())
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=60)
    assert b"Traceback" not in err
    assert b"Exception ignored" not in err
    assert process.returncode == main.BROKEN_PIPE


def test_help_comes_without_the_heavy_libraries() -> None:
    code = (
        "import sys; from rulescript.cli.main import main; main(['--help']); "
        "print([m for m in ('lark', 'rich', 'hypothesis', 'jinja2') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=_env(), check=True).stdout
    assert out.splitlines()[-1] == "[]"


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}


# ---- the screen --------------------------------------------------------------------------------------------


def test_no_colours_without_a_terminal(cli: Cli) -> None:
    assert "\x1b" not in cli("check", BROKEN).out
    assert "\x1b[" in cli("check", BROKEN, "--color", "always").out
    assert "\x1b" not in cli("--colour=never", "check", BROKEN).out


def test_texts_of_a_game_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    for colour in ("always", "never"):
        screen = Screen(colour)
        screen.say(f"{screen.paint('ours', 'bold')} \x1b[2J\x1b]0;title\x07 \u202e \x9b1m")
        out = capsys.readouterr().out
        assert "\x1b[2J" not in out
        assert not {"\x07", "\u202e", "\x9b"} & set(out)
        assert ("\x1b[1mours" in out) == (colour == "always")


def test_cells_are_counted_not_characters() -> None:
    assert width_of("\x1b[1mM\u0308hle\x1b[0m") == 4
    assert width_of("\u5ddd") == 2
    assert harmless("a\tb\n") == "a\tb\n"
