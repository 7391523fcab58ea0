"""A game in which `check` finds errors is refused by every other command, with the same errors; one in which it
finds none is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulescript.claims import GameSource
from rulescript.errors import GameInvalid, RulescriptError
from tests.cli.conftest import Cli

CORPUS = Path(__file__).resolve().parent.parent / "corpus" / "bad"
# RS313 is a claim that does not hold: `test` tells it as such, and goes on.
PROGRAMS = sorted(path for path in CORPUS.glob("RS[123]*/*.rules") if path.parent.name != "RS313")
# The first program of each code is tried every time.
FIRST = {path.parent: path for path in reversed(PROGRAMS)}.values()
_CHOSEN = re.compile(r"^# (options|scenario): (.*)$", re.MULTILINE)
_CODE = re.compile(r"error\[(RS\d{3})\]")

# Sound without its option; with it, the candidates of a choice are hidden from who chooses.
SECRET = """\
rulescript 1
game "Sound but for its option", version "1"
values Side: Red, Blue
players Side
state active: Side
holds box: Unit
pieces Unit: side: Side
    home box
things
    Unit Red_foot   Red, 2
    Unit Blue_foot  Blue, 2
holds field: Unit
sequence
    for active in Side
        choose go: u in box "Send {u}"
            require u.side == active
            move u to field
        or pass
    end game, draw
example "Two"
    given setup
    expect
        count(box[side == Red]) == 2
option secret "Secret"
    holds box: Unit, count to others
    example "Still two"
        given setup
        expect
            count(box[side == Red]) == 2
"""


def chosen_in(path: Path) -> list[str]:
    words: list[str] = []
    for what, names in _CHOSEN.findall(path.read_text(encoding="utf-8")):
        words += ["-o", names.replace(" ", "")] if what == "options" else ["--scenario", names.strip()]
    return words or ["--without", "*"]


def codes(text: str) -> list[str]:
    return sorted(_CODE.findall(text))


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.long] * (path not in FIRST)) for path in PROGRAMS],
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_what_check_refuses_cannot_be_tested_or_simulated(cli: Cli, path: Path) -> None:
    """Nor are examples run on it where they are run without the command, as by pytest."""
    words = chosen_in(path)
    checked = cli("check", str(path), *words)
    tested = cli("test", str(path), "-n", "0", *words)
    simulated = cli("simulate", str(path), "-n", "1", *words)
    if checked.code == 0:
        assert not codes(tested.out + tested.err + simulated.out + simulated.err)
        return
    assert tested.code == simulated.code == 1
    assert codes(tested.out + tested.err) == codes(checked.out)
    assert codes(simulated.err) == codes(checked.out)
    options = words[words.index("-o") + 1].split(",") if "-o" in words else ["-*"]
    scenario = words[words.index("--scenario") + 1] if "--scenario" in words else ""
    with pytest.raises(GameInvalid):
        GameSource.load(path).game(options, scenario)


@pytest.fixture
def secret(tmp_path: Path) -> str:
    path = tmp_path / "secret.rules"
    path.write_text(SECRET, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("command", ["check", "test", "docs"])
def test_an_option_with_errors_spoils_what_is_said_of_the_whole_game(
    cli: Cli, secret: str, command: str, tmp_path: Path
) -> None:
    more = {"test": ["-n", "0"], "docs": ["-o", str(tmp_path / "site")]}.get(command, [])
    result = cli(command, secret, *more)
    assert result.code == 1
    assert codes(result.out + result.err) == ["RS311"]
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("command", ["check", "test", "simulate", "play", "docs"])
def test_an_option_with_errors_cannot_be_chosen(cli: Cli, secret: str, command: str, tmp_path: Path) -> None:
    more = {"docs": ["--option", "secret", "-o", str(tmp_path / "site")]}.get(command, ["-o", "secret"])
    result = cli(command, secret, *more)
    assert result.code == 1
    assert codes(result.out + result.err) == ["RS311"]


def test_an_example_by_its_name_is_not_run_with_an_option_that_has_errors(cli: Cli, secret: str) -> None:
    result = cli("test", secret, "--only", "still two")
    assert result.code == 1
    assert codes(result.out) == ["RS311"]


def test_the_rest_of_the_game_can_be_played(cli: Cli, secret: str) -> None:
    assert cli("simulate", secret, "-n", "2").code == 0
    assert cli("play", secret, "--seat", "all=random").code == 0


def test_refusals_are_errors_of_ours_in_json_too(cli: Cli, secret: str) -> None:
    data = cli("test", secret, "-n", "0", "--json").json
    assert data["error"]["kind"] == "GameInvalid"
    assert [d["code"] for d in data["error"]["diagnostics"] if d["severity"] == "error"] == ["RS311"]
    assert issubclass(GameInvalid, RulescriptError)
