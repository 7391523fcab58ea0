"""What a rule or a state names, and a bot may not know, is another thing in each guess: the one that lies there."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import rulescript
from rulescript.bots import PlayoutBot, SearchBot
from rulescript.bots.unseen import guess_state
from rulescript.runtime.readings import value_of

GAME = """rulescript 1
game "Wagers", version "1"
kind Side
    holds hand: Card, visible to it, count to others
    holds vault: Card, visible to it, count to others
    holds bag: Unit, visible to it, count to others
    holds camp: Unit, visible to it, count to others
    state points: int
kind Card: side: Side, rank: int
    home side.hand
values Arm: foot, horse, guns
pieces Unit: side: Side, arm: Arm
    home side.bag
things
    Side North
    Side South
    Card A1  North, rank 1
    Card A2  North, rank 2
    Card A3  North, rank 3
counts Unit
    |       | foot | horse | guns |
    | North |    1 |     1 |    1 |
players Side
state active: Side
state plan: maybe Card
state sure: Card
state plans: set of Card
state listed: list of Card
standing(s: Side) "points"
    s.points
phase turn "Turn"
    choose by North bury: c in North.hand "Bury"
        plan = c
        sure = c
        plans += c
        listed += c
        move c to North.vault
    choose by North post: u in North.bag "Post"
        move u to North.camp
TURN
sequence
    for active in Side
        turn
    end game, most Side by points win
"""
BET = '{0}choose by South bet "Bet"\n{0}    {1}\n{0}or wait "Wait"\n'
WAGERS = {
    "a loop": "    for c in North.vault\n" + BET.format(" " * 8, "South.points += 4 - 3 * c.rank"),
    "a loop over pieces": "    for u in North.camp\n"
    + BET.format(" " * 8, "South.points += if u.arm == foot then 2 else -9"),
    "a state": BET.format(" " * 4, "South.points += if plan == A1 then 2 else -9"),
    "a state that always has one": BET.format(" " * 4, "South.points += 4 - 3 * sure.rank"),
    "a set": BET.format(" " * 4, "South.points += 4 - 3 * sum(c.rank for c in plans)"),
    "a list": BET.format(" " * 4, "South.points += 4 - 3 * sum(c.rank for c in listed)"),
    "a parameter": "    st(only(North.vault))\n",
}
STEP = "procedure st(c: Card)\n" + BET.format(" " * 4, "South.points += 4 - 3 * c.rank")


@pytest.mark.parametrize("wager", WAGERS)
def test_a_bot_does_not_know_what_is_named(tmp_path: Path, wager: str) -> None:
    path = tmp_path / "wagers.rules"
    path.write_text(GAME.replace("TURN\n", WAGERS[wager]) + STEP, encoding="utf-8")
    game = rulescript.load(path, cache=False)
    told = set()
    for card, arm in (("A1", "foot"), ("A2", "horse"), ("A3", "guns")):
        position = game.start(1).choose(f"bury c={card}").choose(f"post u=North.bag:North_{arm}")
        assert position.decision is not None and position.decision.player == "South"
        bots = [bot for seed in range(3) for bot in (SearchBot(seed, playouts=20), PlayoutBot(seed, playouts=10))]
        told.add(tuple(bot.choose(position).key for bot in bots))
        for seed in range(20):
            guess = guess_state(game, position.s, [1], Random(seed))
            (there,) = value_of(game, guess, "North.vault")
            assert [value_of(game, guess, name) for name in ("plan", "sure", "plans", "listed")] == [
                there, there, f"{{{there}}}", f"[{there}]",
            ]  # fmt: skip
    assert len(told) == 1
