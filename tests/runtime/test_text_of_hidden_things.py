"""What a card out of sight does tells nobody which card it is, not even by where its rule is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulescript

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
