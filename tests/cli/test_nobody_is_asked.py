"""A `whenever` happens when its condition becomes true, and a game in which nobody is ever asked is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript.cli.check import check_text, choices_of
from rulescript.diagnostics import Reporter, render_report
from rulescript.loader import load_single
from rulescript.pipeline import load
from rulescript.testing import run_conformance
from tests.cli.conftest import Cli

GAME = """\
rulescript 1
game "Becoming", version "1"
kind Side
    state morale: int
    holds army: Unit
things
    Side Red
    Side Blue
players Side
state active: Side
pieces Unit: side: Side
    home box
holds box: Unit
things
    Unit Red_foot   Red, 3
    Unit Blue_foot  Blue, 3
state fired: int
sequence
    SETUP
    for active in Side
        choose step "Step"
            active.morale -= 3
        or pass
    end game, draw "to the end"
"""
RAISED = "for s in Side\n        s.morale = 9"

# What waits, the set-up, and how often it has happened at the first decision.
WAITING = [
    ("whenever Red.morale <= 5 and Blue.morale <= 5", RAISED, 0),
    ("whenever every s in Side: s.morale < 6", RAISED, 0),
    ("whenever none Side.army", "place 1 Red_foot in Red.army", 0),
    ("whenever some s in Side: s.morale < 6", RAISED, 0),
    ("whenever some s in Side: none s.army", "place 1 Red_foot in Red.army", 0),
    ("whenever some s in Side: some s.army", "place 1 Red_foot in Red.army", 1),
    ("whenever Red.morale > 5", RAISED, 1),
    ("whenever some s in Side: s.morale > 5", RAISED, 2),
    # False once in the set-up, and then it becomes true.
    ("whenever Red.morale < 6", "Red.morale = 9\n    Red.morale = 2", 1),
]


@pytest.mark.parametrize(("rule", "set_up", "times"), WAITING)
def test_what_holds_before_the_set_up_has_not_become_true(rule: str, set_up: str, times: int, tmp_path: Path) -> None:
    path = tmp_path / "becoming.rules"
    path.write_text(f"{GAME.replace('SETUP', set_up)}{rule}\n    fired += 1\n", encoding="utf-8")
    game = load(path)
    assert game.start(0).value("fired") == str(times)
    assert game.start(0, chance="explicit").value("fired") == str(times)
    assert game.start(0, journal=False, ask=True).value("fired") == str(times)


def test_every_form_of_the_game_waits_alike(tmp_path: Path) -> None:
    """The quick form of random games ends as the plain one does."""
    path = tmp_path / "becoming.rules"
    rule = 'whenever some s in Side: s.morale <= 6\n    end game, s wins "broken"\n'
    path.write_text(f"{GAME.replace('SETUP', RAISED)}{rule}", encoding="utf-8")
    ends = {playout.how for playout in load(path).playouts(60)}
    assert ends == {"broken", "to the end"}


def test_a_game_that_is_over_at_once_is_told(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "over.rules"
    rule = 'whenever Red.morale > 5\n    end game, Red wins "at once"\n'
    path.write_text(f"{GAME.replace('SETUP', RAISED)}{rule}", encoding="utf-8")
    result = cli("test", str(path), "-n", "3")
    assert result.code == 1
    assert "nobody had anything to decide" in result.out and "Red wins: at once" in result.out
    failures = run_conformance(path, plays=2, processes=False).failures
    assert [f.check for f in failures] == ["asked"]


def test_an_option_that_ends_the_game_at_once_is_told(tmp_path: Path) -> None:
    path = tmp_path / "over.rules"
    option = 'option blitz "Blitz"\n    whenever Red.morale > 5\n        end game, Red wins "at once"\n'
    path.write_text(f"{GAME.replace('SETUP', RAISED)}{option}", encoding="utf-8")
    failures = run_conformance(path, plays=2, processes=False).failures
    assert [(f.check, f.configuration.options) for f in failures] == [("asked", ("blitz",))]


def test_rules_without_any_choice_are_a_note(tmp_path: Path) -> None:
    path = tmp_path / "quiet.rules"
    path.write_text(
        'rulescript 1\ngame "Quiet", version "1"\nvalues Side: Red, Blue\nplayers Side\nstate dusk: int\n'
        "sequence\n    roll d6 as rolled\n    dusk = rolled\n    end game, draw\n",
        encoding="utf-8",
    )
    report = run_conformance(path, plays=2, processes=False)
    assert report.ok
    assert any("no choice" in note for note in report.notes)


@pytest.mark.parametrize(
    ("rule", "set_up", "is_told"),
    [
        ("whenever Red.morale <= 3", "Blue.morale = 9", True),
        ("whenever none Side.army", "Blue.morale = 9", True),
        # The set-up makes it false: the usual case, and no mistake.
        ("whenever Red.morale <= 3", RAISED, False),
        ("whenever none Side.army", "place 1 Red_foot in Red.army", False),
        ("whenever Red.morale > 3", RAISED, False),
    ],
)
def test_check_warns_of_what_holds_from_the_start(rule: str, set_up: str, is_told: bool) -> None:
    reporter = Reporter()
    text = load_single(f"{GAME.replace('SETUP', set_up)}{rule}\n    fired += 1\n", "x.rules", reporter)
    checked = check_text(text, reporter, choices_of(text))
    codes = [d.code for d in checked.diagnostics if d.code != "RS312"]
    assert codes == (["RS320"] if is_told else []), render_report(checked.diagnostics)


@pytest.mark.parametrize(
    "block", ["fired += 1", 'end game, s wins "broken"', 'may by s: cry "Cry"\n        fired += 1']
)
def test_it_is_looked_at_for_each_whatever_the_block_does(block: str, tmp_path: Path) -> None:
    """Also where the block waits for somebody, and the name it goes by is kept meanwhile."""
    path = tmp_path / "each.rules"
    rule = f"whenever some s in Side: s.morale <= 6 and s != Red\n    {block}\n"
    path.write_text(f"{GAME.replace('SETUP', RAISED)}{rule}", encoding="utf-8")
    position = load(path).start(0, ask=True)
    position = position.choose("step")
    assert position.outcome is None and position.value("fired") == "0"
    assert position.decision is not None and position.decision.name == "step"
    position = position.choose("step")
    if "end game" in block:
        assert position.outcome is not None and position.outcome.winners == ("Blue",)
    elif "may" in block:
        assert position.decision is not None and position.decision.player == "Blue"
    else:
        assert position.value("fired") == "1"
