"""A kind may have no things (yet): what it holds, its states and what is counted by it are there all the same."""

from __future__ import annotations

from pathlib import Path

import rulescript
from rulescript.testing import run_conformance

EMPTY = """\
rulescript 1
game "Empty", version "1"
values Side: North, South
players Side
state active: Side
kind Town: worth: int
    state owner: maybe Side
    state burnt: bool
    state toll: 0..5
    holds units: Unit
    holds cards: Card, ordered
    holds odd: Token
kind Card
    state town: maybe Town
    home hand
    does play(s: Side)
holds hand: Card
holds deck: Card, ordered
holds box: Unit
holds bag: Token
pieces Unit: side: Side
    state fed: bool
    home box
pieces Token: town: Town
    state at: maybe Town
    home bag
phase losing
    may choose lose: t in Town "Lose {t}"
        t.owner = active
        move t.units to box
    may choose 2 from hand as lost "Put {lost} away"
        move lost to deck
    choose fine: n in 1..3 "Fine {n}"
        require n > count(Town[burnt]) and sum(t.worth for t in Town) >= 0 and (some Town or n > 1)
        draw 1 from bag to bag
        shuffle deck
    or pass
sequence
    for active in Side
        losing
    for t in Town
        t.burnt = yes
    end game, draw
"""


def test_a_game_without_things_is_played_saved_and_described(tmp_path: Path) -> None:
    path = tmp_path / "empty.rules"
    path.write_text(EMPTY, encoding="utf-8")
    game = rulescript.load(str(path))
    position = game.start(seed=1)
    assert [option.text for option in position.decision.options] == ["Fine 2", "Fine 3", "Pass"]
    assert "Town.units" not in position.view("North").places() and position.value("hand") == {}
    report = run_conformance(path, plays=2, processes=False)
    assert report.ok, str(report)
    assert all(playout.over for playout in game.playouts(3))
