"""A variant before its author has told which claims of the base no longer hold, and what he is told meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from tests.cli.conftest import Cli

BASE = """\
rulescript 1
game "The Ford", version "1"
kind Side
    holds box: Unit
things
    Side North
    Side South
players Side
kind Town: worth: int = 1
    holds units: Unit
pieces Unit: side: Side
    home side.box
things
    Unit North_foot  "Northern foot" North, 3
    Unit South_foot  "Southern foot" South, 3
map Valley
    link road
    Town Mill  worth 2
    Town Ford
    road Mill - Ford
state active: Side
phase marching
    choose march: t in Town "March to {t}"
        place 1 Northern foot in t
    or halt "Halt"
phase resting
    choose rest "Rest"
    or wake "Wake"
option rain "Rain"
    restrict marching.march
        require t != Ford "flooded"
sequence
    for active in Side
        marching
        resting
    end game, draw
scenario late "Late"
    replace sequence
        resting
        end game, draw
check "Two towns"
    count(Town) == 2
example "To the mill"
    given empty, active North, at marching
    legal t for march exactly {Mill, Ford}
"""

VARIANT = """\
rulescript 1
game "The Ferry", version "1"
    builds on ford
map Valley
    Town Isle
    road Ford - Isle
example "To the isle"
    given empty, active North, at marching
    expect
        Isle.road == {Ford}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("ford", BASE), ("ferry", VARIANT)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.rules").write_text(text, encoding="utf-8")
    return tmp_path / "ferry"


def rewrite(folder: Path, old: str, new: str) -> None:
    file = folder / "game.rules"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_it_is_played_though_totals_of_the_base_no_longer_hold(cli: Cli, folder: Path) -> None:
    game = rulescript.load(folder, cache=False)
    assert len(game.map) == 3
    checked = cli("check", str(folder))
    assert checked.code == 0
    assert "warning[RS313]: check fails: Two towns" in checked.out + checked.err
    assert 'write `remove "Two towns"`' in checked.out + checked.err


def test_only_its_own_claims_fail(cli: Cli, folder: Path) -> None:
    tested = cli("test", str(folder), "-n", "0")
    assert tested.code == 0
    assert (
        "2 examples and 1 check: 2 of the game that this one builds on no longer hold here, all others hold"
        in tested.out
    )
    assert 'no longer holds: "Two towns"' in tested.out
    assert 'no longer holds: "To the mill"' in tested.out
    assert "RS330" not in tested.out
    assert "RS330" in cli("test", str(folder), "-n", "0", "-v").out
    results = cli("test", str(folder), "-n", "0", "--json").json["claims"]["results"]
    assert {r["title"]: (r["ok"], r["inherited"]) for r in results} == {
        "Two towns": (False, True),
        "To the mill": (False, True),
        "To the isle": (True, False),
    }
    rewrite(folder, "{Ford}", "{Mill}")
    assert cli("test", str(folder), "-n", "0").code == 1


def test_a_total_of_its_own_must_hold(cli: Cli, folder: Path) -> None:
    rewrite(folder, 'example "To the isle"', 'check "Four towns"\n    count(Town) == 4\nexample "To the isle"')
    assert cli("check", str(folder)).code == 1
    with pytest.raises(rulescript.GameInvalid, match="Four towns"):
        rulescript.load(folder, cache=False)


def test_an_unknown_sort_of_link_is_still_unknown(cli: Cli, folder: Path) -> None:
    rewrite(folder, "road Ford - Isle", "rail Ford - Isle")
    checked = cli("check", str(folder))
    assert "there is no sort of link `rail`" in checked.out + checked.err


def test_what_was_taken_away_is_shown(cli: Cli, folder: Path) -> None:
    rewrite(folder, "map Valley", "remove marching\nmap Valley")
    found = cli("check", str(folder))
    told = found.out + found.err
    assert "remove marching" in told
    assert "taken away here" in told


def test_a_scenario_is_called_a_scenario(cli: Cli, folder: Path) -> None:
    rewrite(folder, "map Valley", "replace sequence\n    marching\n    end game, draw\nmap Valley")
    found = cli("check", str(folder))
    assert "declare `scenario late` again in the game `ferry`" in found.out + found.err


def test_one_mistake_is_told_once_however_many_options_there_are(cli: Cli, folder: Path) -> None:
    rewrite(folder, "    Town Isle", "    Town Isle  price 3")
    found = cli("check", str(folder))
    told = found.out + found.err
    assert told.count("`price` is no attribute of Town") == 1
    assert "its attributes are worth" in told
