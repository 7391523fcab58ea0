"""Asides with nothing to pick, and asides of whoever decides just then."""

from __future__ import annotations

from rulescript.claims.run import GameSource, run_examples
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.runtime.position import Decision, Position
from tests.forms import play_alike

GAME = """\
rulescript 1
game "Truce", version "1"
kind Side: enemy: Side
    state offered: bool
    state gold: int = 3
    holds hand: Card, visible to it, count to others
kind Card: side: Side
    home side.hand
things
    Side North  enemy South
    Side South  enemy North
    Card Drum  North, 2
    Card Fife  South, 2
players Side
kind Area
    state owner: maybe Side
map M
    link road
    Area A
    Area B
    road A - B
state active: Side
holds bin: Card
aside resign "{chooser} resigns" by any of Side during m
    end game, chooser.enemy wins "{chooser} gave up"
aside truce "Offer a truce" by any of Side during m
    require not chooser.offered "once"
    chooser.offered = yes
    may by chooser.enemy: accept "Accept"
        end game, draw "truce"
aside beg "Beg for gold" by active during m
    require active.gold == 0 "poor"
    active.gold += 1
aside throw: c in chooser.hand "Throw {c}" by any of Side[gold > 0] during m
    require chooser.gold > 1
    chooser.gold -= 1
    move c to bin
phase m
    repeat 3 times
        choose go: b in Area "Go to {b}"
            b.owner = active
        or pass
        choose by active.enemy answer "Answer"
            active.gold += 1
        or quiet "Be quiet"
sequence
    for active in Side
        m
    end game, North wins
example "Asides"
    given setup
    try beg -> refused because "poor"
    try truce -> allowed
    play
        North: offer a truce
        South: decline
    try truce -> refused because "once"
    play
        North: go to A
        South: throw Fife
        South: resigns
    expect
        outcome is North wins "South gave up"
        South.gold == 2
"""


def keys(position: Position) -> list[str]:
    assert isinstance(position.decision, Decision)
    return [option.key for option in position.decision.options]


def test_examples() -> None:
    results = list(run_examples(GameSource.of_text(GAME, "truce.rules")))
    assert results and all(result.ok for result in results), "\n".join(map(str, results))


def test_they_are_offered_to_whoever_decides() -> None:
    position = compile_text(load_single(GAME, "truce.rules")).start(seed=1)
    assert keys(position) == ["go b=A", "go b=B", "pass", "resign", "truce", "throw c=Drum_1"]
    assert [o.text for o in position.decision.options][3:] == ["North resigns", "Offer a truce", "Throw Drum"]
    position.choose("go b=A")
    assert keys(position) == ["answer", "quiet", "resign", "truce", "throw c=Fife_1"]
    assert "South resigns" in [o.text for o in position.decision.options]
    assert "it is for North to do" in str(position.why_not("beg for gold"))


def test_the_one_who_took_it_is_known_to_what_follows() -> None:
    position = compile_text(load_single(GAME, "truce.rules")).start(seed=1)
    position.choose("go b=A")
    position.choose("truce")
    assert position.decision is not None and position.decision.player == "North"
    position.choose("pass")
    assert position.explain("South.offered").value is True and position.explain("North.offered").value is False
    assert "truce" not in keys(position)
    assert "(once)" in str(position.why_not("truce"))
    position.choose("resign")
    assert str(position.outcome) == "North wins: South gave up"
    assert any("South" in str(event) for event in position.journal)


def test_many_games_at_once_are_the_same_games() -> None:
    game = compile_text(load_single(GAME, "truce.rules"))
    assert play_alike(game)
