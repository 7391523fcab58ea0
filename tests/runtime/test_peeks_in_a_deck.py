"""Who may name what lies in a pile does not learn in which order it lies there."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.compiler.lower import options
from rulescript.testing import run_conformance

DECKS = """\
rulescript 1
game "Decks", version "1"
kind Side
    holds hand: Card, visible to it, count to others
    holds deck: Card, ordered, LEVEL to it, count to others
kind Card: worth: int = 1
    home North.deck
kind Town
things
    Side North
    Side South
    Card Drum
    Card Horn  worth 2, 2
    Card Bell  worth 3
    Card Fife  worth 2
    Town Mill
players Side
state active: Side

function heavy(s: Side) -> list of Card
    list(c for c in s.deck if c.worth > 1)

phase deal
    shuffle North.deck
phase take
    WAY
sequence
    deal
    for active in Side[it == North]
        take
        take
    end game, draw
"""
TAKE = "\n        require c in North.deck peeks\n        move c to North.hand"
GAME = DECKS.replace("LEVEL", "count").replace("WAY", f"WAY{TAKE}")
WAYS = {
    "the deck": 'choose take: c in active.deck "Take {c}"',
    "part of it": 'choose take: c in active.deck[worth > 1] "Take {c}"',
    "what a function gives": 'choose take: c in heavy(active) "Take {c}"',
    "a name for it": 'let found = heavy(active)\n    choose take: c in found "Take {c}"',
    "with another": 'choose take: t in Town, c in active.deck "Take {c} to {t}"',
    "two of them": 'choose take: c in active.deck, d in active.deck "Take {c} and {d}"\n        require d != c peeks',
}


@pytest.mark.parametrize("way", WAYS)
def test_how_it_was_shuffled_makes_no_difference(tmp_path: Path, way: str) -> None:
    path = tmp_path / "decks.rules"
    path.write_text(GAME.replace("WAY", WAYS[way]), encoding="utf-8")
    game = rulescript.load(path)
    views = {game.start(seed).view("North").to_json() for seed in range(8)}
    assert len(views) == 1


def test_the_kit_notices_an_order_of_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "decks.rules"
    path.write_text(GAME.replace("WAY", WAYS["the deck"]), encoding="utf-8")
    assert run_conformance(path, plays=4, processes=False).ok
    monkeypatch.setattr(options, "is_order_hidden", lambda alt, source: False)
    path.write_text(GAME.replace("WAY", WAYS["the deck"]).replace("Fife", "Lute"), encoding="utf-8")
    report = run_conformance(path, plays=4, processes=False)
    assert not report.ok and "by the order of the options" in str(report)


@pytest.mark.parametrize("way", WAYS)
def test_nor_where_its_owner_may_look_through_it(tmp_path: Path, way: str) -> None:
    """South peeks into what North alone may look through."""
    text = GAME.replace("deck: Card, ordered, count to it", "deck: Card, ordered, visible to it")
    text = text.replace("WAY", WAYS[way].replace("active", "North")).replace("it == North", "it == South")
    path = tmp_path / "decks.rules"
    path.write_text(text, encoding="utf-8")
    game = rulescript.load(path)
    starts = [game.start(seed) for seed in range(8)]
    assert len({start.view("South").to_json() for start in starts}) == 1
    assert len({start.view("North").to_json() for start in starts}) > 1


def test_several_are_picked_from_a_pile_with_copies(tmp_path: Path) -> None:
    """What is required of all of them together is asked of a list, too."""
    several = (
        'choose take: 2 from North.deck as got "Take {got}"\n'
        "        require sum(c.worth for c in got) > 4 peeks\n        move got to North.hand"
    )
    text = GAME.replace(f"WAY{TAKE}", several)
    path = tmp_path / "decks.rules"
    path.write_text(text.replace("    take\n        take\n", "    take\n"), encoding="utf-8")
    position = rulescript.load(path).start(1)
    while position.decision is not None:
        position.choose(position.decision.options[0])
    held = position.view("North").to_dict()["places"]["North.hand"]
    assert sum(held.values()) == 2 and "Bell" in held
