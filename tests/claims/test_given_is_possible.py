"""A position that an example gives can be: nothing is in two places, and what must always hold does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulescript.claims import GameSource, impossible_positions, run_examples
from rulescript.claims.check import check_examples
from rulescript.cli.main import main
from rulescript.diagnostics import Reporter
from rulescript.loader import load_text

GAME = """\
rulescript 1
game "Possible", version "1"
kind Side
    state vp: int
    holds hand: Card
    holds deck: Card, ordered
kind Town
    state owner: maybe Side
    state burnt: bool
    holds units: Unit
    holds leaders: Leader
kind Card: side: Side
    home side.deck
kind Leader: side: Side
    state tired: bool
    home camp
things
    Side North
    Side South
    Town Mill
    Town Ford
    Card Raid    North
    Card Levy    North, 3
    Card Feint   South
    Leader Ada   North
    Leader Bran  South
values Arm: foot, horse
holds box: Unit
holds camp: Leader
pieces Unit: side: Side, arm: Arm
    home box
counts Unit
    |       | foot | horse |
    | North |    3 |     1 |
    | South |    3 |     1 |
players Side
state active: Side
state round: int
sequence
    for active in Side
        choose win: t in Town "Win {t}"
            t.owner = active
            active.vp += 1
        or pass
    end game, draw
invariant "Points are never negative", always
    every s in Side: s.vp >= 0
invariant "A burnt town is nobody's", always
    every t in Town[burnt]: t.owner == nothing
scenario ruined "Ruined"
    before sequence
        Mill.burnt = yes
"""


def told(lines: str, given: str = "given empty") -> list[str]:
    text = f'{GAME}example "x"\n    {given}\n{lines}    expect\n        outcome is open\n'
    results = run_examples(GameSource.of_text(text))
    return [f"{d.code} {d.message} | {d.label.span.text}" for r in results for d in r.failures]


TWICE = {
    "in two places": ("        Mill: Ada\n        Ford: Ada\n", "`Ada` is here, and in Mill.leaders too"),
    "in one place twice": ("        Mill: Ada, Ada\n", "`Ada` is there twice, and there is only one"),
    "a card in hand and deck": ("        North: hand: Raid, deck: Raid\n", "`Raid` is here, and in North.hand too"),
    "of two subjects": ("        Mill and Ford: Ada\n", "`Ada` is here, and in Mill.leaders too"),
    "everywhere": ("        every Town: Ada\n", "`Ada` is here, and in Mill.leaders too"),
    "a dotted place": ("        Mill.leaders: Ada\n        camp: Ada\n", "`Ada` is here, and in Mill.leaders too"),
    "more copies than there are": ("        North: hand: Levy, Levy, Levy, Levy\n", "there is no more than 3 `Levy`"),
    "two owners": (
        "        Mill: owner North\n        Mill: owner South\n",
        "`owner` is given here and, otherwise, above",
    ),
    "two owners in a line": ("        Mill: owner North, South owner\n", "`owner` is given here"),
    "yes and no": ("        Mill: burnt, not burnt\n", "`burnt` is given here"),
    "two rounds": ("        round 1\n        round 2\n", "`round` is given here"),
    "by another name": ("        round 1\n        round = 2\n", "`round` is given here"),
    "exactly, and exactly something else": (
        "        Mill: exactly 2 North foot\n        Mill: exactly 1 South foot\n",
        "Mill.units was given `exactly 2 North foot` above",
    ),
    "something, then exactly something else": (
        "        Mill: 1 North horse, exactly 1 North foot\n",
        "Mill.units was given `1 North horse` above",
    ),
    "exactly, of a place": (
        "        Mill: 1 North horse\n        Mill.units exactly: 1 North foot\n",
        "Mill.units was given `1 North horse` above",
    ),
    "exactly, of a part": (
        "        North: hand: Raid\n        North: hand: exactly Levy\n",
        "North.hand was given `Raid` above",
    ),
    "in two states": ("        Mill: Ada (tired, not tired)\n", "`tired` is said twice"),
    "one, then all": ("        Mill: owner North\n        every Town: owner South\n", "`owner` is given here"),
}


@pytest.mark.parametrize("name", TWICE)
def test_what_is_given_twice_is_told(name: str) -> None:
    lines, said = TWICE[name]
    (found,) = told(lines)
    assert said in found, found


ONCE = [
    "        every Town: owner South\n        Mill: owner North\n",
    "        Mill: owner North\n        Mill: owner North\n",
    "        Mill and Ford: owner North\n        Mill: owner South\n",
    "        North: hand: 2 Levy, Raid\n        North: hand: without 1 Levy\n        North: hand: Levy\n",
    "        Mill: 1 North foot\n        Mill: 1 North foot\n        Ford: 1 North foot\n",
    "        Mill: Ada\n        Mill: no Ada\n        Ford: Ada\n",
    "        Mill: exactly 1 North foot, 1 North horse\n        Mill: 1 South foot\n",
    "        Mill: exactly 1 North foot\n        Ford: exactly 1 North foot\n",
]


@pytest.mark.parametrize("lines", ONCE)
def test_what_is_given_once_is_not(lines: str) -> None:
    assert told(lines) == []


def test_a_case_or_what_is_like_another_may_differ() -> None:
    text = f"""{GAME}
example "first"
    given empty, round 2
        Mill: Ada, owner North
    expect
        round == 2
    case "elsewhere": but Ford: Ada, Mill: owner South
        expect
            Ada in Ford.leaders and Mill.owner == South
example "second"
    given like "first" but round 3, Ford: Ada
    expect
        round == 3 and Ada in Ford.leaders
"""
    assert [str(r) for r in run_examples(GameSource.of_text(text)) if not r.ok] == []


def test_a_set_up_that_breaks_an_invariant_is_told_with_both_places() -> None:
    (found,) = told("        North: vp -1\n", "given setup")
    assert found.startswith('RS332 this position breaks the invariant "Points are never negative"')
    given = "given scenario ruined\n        Mill: owner North"
    text = f'{GAME}example "x"\n    {given}\n    expect\n        outcome is open\n'
    (result,) = run_examples(GameSource.of_text(text))
    (problem,) = result.failures
    assert problem.message == 'this position breaks the invariant "A burnt town is nobody\'s"'
    assert problem.label.text == "not so for Mill"
    assert [label.span.text for label in problem.others] == ['invariant "A burnt town is nobody\'s", always']
    assert told("        North: vp 1\n", "given setup") == []


def test_the_case_that_breaks_it_is_pointed_at() -> None:
    case = '    case "worse": but North: vp -2\n        expect\n            round == 0\n'
    text = f'{GAME}example "x"\n    given setup\n    expect\n        round == 0\n{case}'
    first, second = run_examples(GameSource.of_text(text))
    assert first.ok and second.failures[0].label.span.text.startswith('case "worse"')


def test_a_part_of_a_board_is_no_error_and_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "        North: vp -1\n"
    assert told(lines) == []
    text = f'{GAME}example "below"\n    given empty\n{lines}    expect\n        outcome is open\n'
    source = GameSource.of_text(text)
    assert [(title, [b.invariant.title for b in broken]) for title, _, broken in impossible_positions(source)] == [
        ("below", ["Points are never negative"])
    ]
    path = tmp_path / "possible.rules"
    path.write_text(text, encoding="utf-8")
    assert main(["check", "--positions", str(path)]) == 0
    out = capsys.readouterr().out
    assert "below" in out and "Points are never negative: not so for North" in out
    assert "Possible: 1 position of examples breaks an invariant" in out
    assert main(["check", "--positions", "--json", str(path)]) == 0
    (found,) = json.loads(capsys.readouterr().out)["positions"]
    assert found["example"] == "below" and found["breaks"][0]["told"] == "not so for North"


def test_a_failure_in_such_a_part_tells_what_cannot_be() -> None:
    game = f"""{GAME}invariant "A town is theirs who stand in it", at every decision
    every t in Town: none t.units[side == North] or t.owner == North
"""
    case = '    case "given to them": but Mill: owner North\n        expect\n            round == 2\n'
    text = f'{game}example "x"\n    given empty\n        Mill: 1 North foot\n    expect\n        round == 1\n{case}'
    first, second = (result.failures for result in run_examples(GameSource.of_text(text)))
    said = 'this position breaks the invariant "A town is theirs who stand in it": not so for Mill'
    assert [(other.span.text, other.text) for other in first[0].others] == [("given empty", said)]
    assert second[0].others == ()


def test_what_fails_in_a_whole_position_tells_nothing_more() -> None:
    text = f'{GAME}example "x"\n    given empty\n    expect\n        round == 1\n'
    (result,) = run_examples(GameSource.of_text(text))
    assert result.failures[0].others == ()


def test_a_circle_of_likes_and_an_example_that_is_missing_are_told_once(tmp_path: Path) -> None:
    likes = {"a": "b", "b": "c", "c": "b", "d": "a", "e": "nowhere", "f": "e", "g": "h"}
    examples = "".join(
        f'example "{a}"\n    given like "{b}"\n    expect\n        round == 0\n' for a, b in likes.items()
    )
    text = 'rulescript 1\ngame "Likes"\nvalues Side: North, South\nplayers Side\nstate round: int\n'
    text += 'phase p\n    choose a "A"\n'
    text += "        round += 1\n    or pass\nsequence\n    p\n    end game, draw\n" + examples
    path = tmp_path / "likes.rules"
    path.write_text(text + 'example "h"\n    given setup\n    expect\n        round == 0\n', encoding="utf-8")
    found = [problem.message for problem in check_examples(load_text(str(path), Reporter()))]
    assert found == ["these examples are like each other in a circle", 'there is no example "nowhere"']
