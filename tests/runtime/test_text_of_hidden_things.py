"""What a card out of sight does tells nobody which card it is, not even by where its rule is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript.testing.hiding import doors

# North uses one of two cards, which stay in its hand; they do the same, each in its own text.
TEXT = """\
rulescript 1

game "Whispers"

rulebook "Whispers"
    1  rule  "Levies"
    2  rule  "Raids"

kind Side
    holds hand: Card, visible to it
    holds table: Card
things
    Side North
    Side South

players Side

kind Card: side: Side
    home side.hand
    does play(s: Side)

state active: Side
state score: int

signal used(c: Card)

things
    Card Levy  North  §1
{levy}
    Card Raid  North  §2
{raid}
    Card Toll  South
        play
            score += 1

phase action
    choose use: c in active.hand "Use a card"
{before}        c.play(active)
        signal used(c)

sequence
    for active in Side
        action
    end game, draw
"""
DOES = """\
        play
            score += 1
            tell "Somebody did something."
            choose keep "Keep"
            or drop "Drop"
"""
HOOK = """\
        play
            score += 0
        when used(c) if c == {name}
            score += 1
            choose by North keep "Keep"
            or drop "Drop"
"""


def game(tmp_path: Path, how: str, before: str = "") -> rulescript.Game:
    path = tmp_path / "whispers.rules"
    levy, raid = (how.replace("{name}", name).rstrip("\n") for name in ("Levy", "Raid"))
    text = TEXT.replace("{levy}", levy).replace("{raid}", raid).replace("{before}", before)
    path.write_text(text, encoding="utf-8")
    return rulescript.load(path)


def told(game: rulescript.Game, card: str, viewer: str) -> list[dict[str, Any]]:
    position = game.start(1)
    position.choose(f"use c={card}")
    position.choose("keep")
    return position.view(viewer).journal.events()


@pytest.mark.parametrize("how", [DOES, HOOK], ids=["what it does", "what it answers"])
def test_the_other_side_reads_the_same_of_either_card(tmp_path: Path, how: str) -> None:
    whispers = game(tmp_path, how)
    assert told(whispers, "Levy", "South") == told(whispers, "Raid", "South")
    assert told(whispers, "Levy", "spectator") == told(whispers, "Raid", "spectator")
    assert not any("Levy" in str(event) for event in told(whispers, "Levy", "South"))


@pytest.mark.parametrize("how", [DOES, HOOK], ids=["what it does", "what it answers"])
def test_its_owner_reads_where_the_rule_stands(tmp_path: Path, how: str) -> None:
    events = told(game(tmp_path, how), "Raid", "North")
    mine = [event for event in events if event["kind"] in ("set", "choice") and "2" in event["cites"]]
    assert mine and all(event["line"] for event in mine)


def test_of_a_card_that_lies_open_everybody_reads_it(tmp_path: Path) -> None:
    """Played onto the table first, as most cards are."""
    open_ = game(tmp_path, DOES, before="        move c to active.table\n")
    scored = [event for event in told(open_, "Levy", "South") if event["kind"] == "set"]
    assert [event["cites"] for event in scored] == [["1"]]
    assert all(event["line"] for event in scored)


# What a card may ask, in its text; the last are rules that it calls.
ASKED = {
    "of several": 'choose t in Town "Go {t}"\n                score += 1',
    "of one": 'choose t in Town[coast] "Go {t}"\n                score += 1',
    "of none": 'choose t in Town "Go {t}"\n                require score > 9\n            score += 1',
    "one of two ways": 'choose a "A"\n                require score > 9\n            or b "B"\n            score += 1',
    "none of two ways": 'choose a "A"\n                require score > 9\n            or b "B"\n'
    "                require score > 9\n            score += 1",
    "whether": 'may b "B"\n                require score > 9\n            score += 1',
    "up to none": 'choose up to 2 from Town[score > 9] as ts "Ts"\n                score += 0\n            score += 1',
    "up to one": 'choose up to 2 from Town[coast] as ts "Ts"\n                score += 0\n            score += 1',
    "exactly one": 'choose 1 from Town[coast] as ts "Ts"\n                score += 0\n            score += 1',
    "by another rule": "helper",
}
TOWNS = """\
kind Town: coast: bool = no
map Shore
    link road
    Town Mill  coast
    Town Ford
    road Mill - Ford
"""
HELPER = """\
procedure helper
    choose t in Town[coast] "Go {t}"
        score += 1
"""


def two_texts(tmp_path: Path, one: str, two: str, before: str = "") -> rulescript.Game:
    levy, raid = (f"        play\n            {text}" for text in (one, two))
    more = TOWNS + (HELPER if "helper" in two else "")
    text = TEXT.replace("{levy}", levy).replace("{raid}", raid).replace("{before}", before)
    path = tmp_path / "whispers.rules"
    path.write_text(text.replace("phase action", more + "phase action"), encoding="utf-8")
    return rulescript.load(path, cache=False)


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("viewer", ["South", "spectator"])
def test_one_answer_or_none_does_not_tell_which_card_asks(tmp_path: Path, name: str, viewer: str) -> None:
    whispers = two_texts(tmp_path, ASKED["of several"], ASKED[name])
    worlds = [whispers.start(1).choose(f"use c={card}") for card in ("Levy", "Raid")]
    assert doors(worlds[0], viewer) == doors(worlds[1], viewer)
    for each in worlds:
        while each.decision is not None and each.decision.player == "North":
            each.choose(0)
    assert doors(worlds[0], viewer) == doors(worlds[1], viewer)


@pytest.mark.parametrize("name", ["of one", "of none", "exactly one", "by another rule"])
def test_where_all_know_the_card_one_answer_is_taken(tmp_path: Path, name: str) -> None:
    shown = two_texts(tmp_path, ASKED["of several"], ASKED[name], "        move c to active.table\n")
    decision = shown.start(1).choose("use c=Raid").decision
    assert decision is not None and decision.player == "South"


@pytest.mark.parametrize("table, is_asked", [("table", False), ("hand", True)])
def test_a_card_that_is_drawn_into_the_open_asks_nothing_that_has_one_answer(
    tmp_path: Path, table: str, is_asked: bool
) -> None:
    """Though another card that calls the same rule still lies in the deck."""
    drawn = f"""\
phase action
    draw 1 from active.deck to active.{table} as cards
    for c in cards
        c.play(active)
    choose by South go "Go"
    or stay "Stay"
"""
    calls, table_line = "        play\n            helper", "    holds table: Card\n"
    text = TEXT.replace("{levy}", calls).replace("{raid}", calls)
    text = text.replace(table_line, table_line + "    holds deck: Card, hidden to it, hidden to others\n")
    text = text.replace("home side.hand", "home side.deck")
    before, _, rest = text.partition("phase action")
    path = tmp_path / "whispers.rules"
    path.write_text(before + TOWNS + HELPER + drawn + rest[rest.index("\nsequence") :], encoding="utf-8")
    decision = rulescript.load(path, cache=False).start(1).decision
    assert decision is not None and (decision.player == "North") is is_asked


@pytest.mark.parametrize("force, is_asked", [("table", False), ("hand", True)])
def test_a_card_in_force_in_the_open_asks_nothing_that_has_one_answer(
    tmp_path: Path, force: str, is_asked: bool
) -> None:
    """Though another card that would do the same lies in a hand."""
    hook = "        play nothing\n        before action\n            helper"
    text = TEXT.replace("{levy}", hook).replace("{raid}", hook).replace("{before}", "")
    text = text.replace("    does play(s: Side)\n", f"    does play(s: Side)\n    in force when it in Side.{force}\n")
    text = text.replace("phase action", TOWNS + HELPER + "phase action").replace(
        "sequence\n", f"sequence\n    move Levy to North.{force}\n"
    )
    path = tmp_path / "whispers.rules"
    path.write_text(text, encoding="utf-8")
    decision = rulescript.load(path, cache=False).start(1).decision
    assert decision is not None and ("Town" in str(decision.options[0].args)) is is_asked
