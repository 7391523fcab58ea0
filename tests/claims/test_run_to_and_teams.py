"""`run to` stops at the first place it speaks of, and an outcome names all who win, or their team."""

from __future__ import annotations

from pathlib import Path

from rulescript.claims import ExampleResult, run_file

GAME = """\
rulescript 1
game "Four towns", version "1"
values League: upper, lower
kind Town: league: League
    state vp: int = 0
things
    Town Ash   upper
    Town Birch lower
    Town Cedar upper
    Town Dogwood lower
players Town
state round: int = 1
state active: Town
phase turn "Turn"
    choose work "Work"
        active.vp += 1
    or pass
phase tally "Tally"
    for t in Town
        t.vp += 1
phase evening "Evening"
    may choose by Ash feast: t in Town "Feast in {t}"
        t.vp += 2
sequence
    for round in 1..3
        for active in Town
            turn
        tally
        evening
    if sum(t.vp for t in Town) > 20
        end game, Ash wins
    end game, Town[league == upper] win
"""


def told_of(tmp_path: Path, lines: str) -> list[str]:
    (tmp_path / "game.rules").write_text(GAME, encoding="utf-8")
    more = tmp_path / "more.rules"
    more.write_text(f'example "One"\n{lines}', encoding="utf-8")
    (result,) = run_file(tmp_path, more)
    assert isinstance(result, ExampleResult)
    return [d.message for d in result.failures]


def test_what_is_given_does_not_run_past_the_phase(tmp_path: Path) -> None:
    """Nobody is asked between the tally and the evening."""
    lines = "    given empty, round 1, active Dogwood, at tally\n    play\n        run to evening\n"
    assert told_of(tmp_path, f"{lines}    expect\n        round == 1 and Ash.vp == 1\n") == []
    lines = "    given empty, round 1, active Dogwood, at tally\n    play\n        run to tally passing\n"
    assert told_of(tmp_path, f"{lines}    expect\n        round == 2 and Ash.vp == 1\n") == []


def test_a_line_does_not_run_past_the_phase_either(tmp_path: Path) -> None:
    head = "    given empty, round 1, active Dogwood, at turn\n    play\n        Dogwood: work\n"
    for phase, vp in (("tally", 1), ("evening", 2)):
        lines = f"{head}        run to {phase}\n    expect\n        round == 1 and Dogwood.vp == {vp}\n"
        assert told_of(tmp_path, lines) == []


def test_the_same_phase_twice_is_its_next_time(tmp_path: Path) -> None:
    head = "    given empty, round 1, active Dogwood, at turn\n    play\n        Dogwood: work\n"
    lines = f"{head}        run to tally\n        run to tally passing\n    expect\n        round == 2\n"
    assert told_of(tmp_path, lines) == []


def test_all_winners_are_named_and_no_others(tmp_path: Path) -> None:
    head = "    given empty, round 3, active Dogwood, at turn\n    play\n        run to end passing\n    expect\n"
    for claim, holds in (
        ("Ash and Cedar win", True),
        ("upper wins", True),
        ("Ash wins", False),
        ("Ash, Birch and Cedar win", False),
        ("lower wins", False),
        ("upper and Birch win", False),
    ):
        assert (told_of(tmp_path, f"{head}        outcome is {claim}\n") == []) is holds, claim
    alone = head.replace("at turn\n", "at turn\n        Ash.vp = 30\n")
    assert told_of(tmp_path, f"{alone}        outcome is Ash wins\n") == []
    assert told_of(tmp_path, f"{alone}        outcome is upper wins\n") != []
