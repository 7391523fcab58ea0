"""The third slice: an attack, a combat with losses, and a card play, each a small game of its own.

Each loads clean, its examples hold (among them the rulebooks' own), and random games end with every
invariant kept. What the slices found in the core has its tests here, too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulescript
from rulescript.claims.run import GameSource, run_examples
from rulescript.diagnostics import Reporter, Severity
from rulescript.loader import load_text
from rulescript.pipeline import compile_text
from rulescript.runtime.game import Game
from rulescript.runtime.position import Decision, Position

HERE = Path(__file__).parent
SLICES = {"attack": 11, "losses": 14, "card_play": 16}


@pytest.fixture(scope="module", params=sorted(SLICES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def game(name: str) -> Game:
    """It loads without errors."""
    reporter = Reporter()
    game = compile_text(load_text(HERE / name, reporter), (), "", reporter, None)
    # One false alarm: of the classes that can defend one is never empty, but the checker cannot see that.
    assert [d.code for d in reporter.diagnostics] == (["RS318"] if name == "attack" else [])
    return game


def test_its_examples_hold(name: str) -> None:
    results = list(run_examples(GameSource.load(HERE / name)))
    assert len(results) == SLICES[name]
    assert all(result.ok for result in results), "\n".join(str(r) for r in results if not r.ok)


@pytest.mark.parametrize("games", [20, pytest.param(100, marks=pytest.mark.long)])
def test_many_random_games_end(game: Game, games: int) -> None:
    played = game.playouts(games, seed=3)
    assert all(p.over and p.winners for p in played)


@pytest.mark.parametrize("games", [1, pytest.param(4, marks=pytest.mark.long)])
def test_random_games_keep_the_invariants(game: Game, games: int) -> None:
    rng = random.Random(8)
    for seed in range(games):
        position = game.start(seed=seed)
        while not position.is_over:
            decision = position.decision
            assert isinstance(decision, Decision)
            position.choose(rng.choice(decision.options))
            assert not game.check_invariants(position)
        assert game.from_json(position.to_json()).state_hash() == position.state_hash()


# ------------------------------------------------------------------ single rules, looked at from outside


def moments(name: str, wanted: str, games: int = 60) -> Iterator[Position]:
    """Positions of random games in which something of this name is asked."""
    game = rulescript.load(HERE / name)
    for seed in range(games):
        rng = random.Random(seed)
        position = game.start(seed=seed)
        while not position.is_over:
            decision = position.decision
            assert isinstance(decision, Decision)
            if decision.name == wanted:
                yield position
            position.choose(rng.choice(decision.options))


def test_every_part_of_a_total_has_its_cause() -> None:
    """7.2.3: the best die, the push from the last success, the marker that lasts until used."""
    told = [str(p.explain("attack_total(a, target)")) for p in moments("attack", "dice_seen")]
    best = next(text for text in told if "Big Push" in text and "First Line Formations" in text)
    assert "the highest of the attack roll" in best
    assert "plus 1" in best and "§7.2.3a" in best and "plus 2" in best and "§2.6c" in best


def test_7_2_4_a_last_stand_is_only_for_armies_at_home() -> None:
    """Whoever is asked to stand defends an area of its own nation that has a flag or production."""
    asked = list(moments("attack", "stand"))
    assert asked
    for position in moments("attack", "stand"):
        home, nation = position.explain("target.home").value, position.explain("d.nation").value
        assert home == nation
        assert position.explain("target.flag or target.production > 0").value is True


def test_hidden_hands_do_not_show_in_views() -> None:
    """Both hold six cards; the other side knows how many, and no more."""
    position = rulescript.load(HERE / "losses").start(seed=4)
    places = position.view("Germany").to_dict()["places"]
    assert places["Entente.hand"] == 6 and sum(places["Germany.hand"].values()) == 6


# ------------------------------------------------------------------ what the slices found in the core

GAME = """
rulescript 1
game "Small"

values Side: North, South
players Side
state active: Side
values Size: guns, heavy_guns
pieces Unit: side: Side, size: Size
    home box
holds box: Unit
counts Unit
    |       | guns | heavy_guns |
    | North |  2   |     2      |
    | South |  2   |     2      |
kind Post: side: Side
    holds flags: Flag
    holds units: Unit
kind Tower
    holds chest: Flag
kind Flag
    home Keep.chest
kind Card
    home deck
    in force when it in table
holds deck: Card
holds table: Card
things
    Post Mill   North
    Post Ford   South
    Tower Keep
    Flag Lily
    Card Wind   2
        adjust reach(p) set 2 when this in table "Wind"
    Card Storm  2
        adjust reach(p) set 3 when this in table "Storm"ORDER
value reach(p: Post) -> int
    1
procedure furl(f: Flag)
    if f in Keep.chest                              §1
        return
    let n = count(Keep.chest)                       §2
    move f to Keep
procedure hoist(p: Post)
    for f in p.flags
        furl(f)
    move Lily to p
    step = 1
state step: int
phase setup
    place 1 North guns in Mill
    move Lily to Mill
sequence
    setup
    for active in Side
        hoist(Mill)
        furl(Lily)
    end game, North wins
example "The guns are not the heavy guns"
    given empty, active North
        Mill: 1 North guns
        Ford: 2 North heavy_guns
    expect
        Mill has exactly 1 North guns
        reach(Mill) == 1
"""


def small(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "small.rules"
    path.write_text(text.lstrip(), encoding="utf-8")
    return path


def test_copies_of_a_card_do_not_collide_with_themselves(tmp_path: Path) -> None:
    """But two different cards do, once, and `after` may name all copies of one."""
    with pytest.raises(rulescript.GameInvalid) as caught:
        rulescript.load(small(tmp_path, GAME.replace("ORDER", "")), cache=False)
    assert [d.code for d in caught.value.diagnostics if d.severity is Severity.ERROR] == ["RS308"]
    assert "after Wind`" in str(caught.value)
    game = rulescript.load(small(tmp_path, GAME.replace("ORDER", ", after Wind")), cache=False)
    assert game.start(seed=1).is_over


def test_a_move_inside_a_rule_does_not_change_what_it_takes(tmp_path: Path) -> None:
    """`furl` moves its flag into a chest; it can still be given a flag from anywhere. Conditions and names
    may have citations, and `guns` are not the heavy guns."""
    results = list(run_examples(GameSource.load(small(tmp_path, GAME.replace("ORDER", ", after Wind")))))
    assert [result.ok for result in results] == [True], "\n".join(map(str, results))
