"""What is told by the rules alone to be open is open however one looks: `sight.py` finds the same with and without."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulescript
from rulescript.docgen.subject import Places
from rulescript.explain.env import Env
from rulescript.explain.evaluate import free_locals
from rulescript.explain.onlooker import Onlooker
from rulescript.explain.open_expressions import OpenExpressions
from rulescript.explain.sight import TOO_MUCH, Sight
from rulescript.model import ir
from rulescript.model.types import ThingOf
from rulescript.runtime.game import Game

SLICES = Path(__file__).parents[1] / "slices"

GAME = """\
rulescript 1
game "Hidden", version "1"
kind Side
    holds hand: Card, visible to it, count to others
    holds laid: Card
kind Place: worth: int = 1
    state held_by: maybe Side
kind Card: side: Side, power: int = 1
    state marked: bool
    home side.hand
things
    Side North
    Side South
    Place Mill  worth 2
    Place Ford
    Card Spade  North, power 3
    Card Heart  South
    Card Club   North
players Side
state active: Side

function reach(p: Place) -> int
    p.worth + 1
predicate rich(s: Side)
    require some c in s.hand: c.power > 1
function both(n: int) -> int
    if n <= 0
        return 0
    return other(n - 1)
function other(n: int) -> int
    if n <= 0
        return sum(c.power for c in active.hand)
    return both(n - 1)

phase turn "Turn"
    choose by active claim: p in Place "Claim {p}"
        require reach(p) > 1
        require p.held_by != active
        require not rich(active)
        require both(2) >= 0
        require other(2) >= 0
        require count(active.laid) < 9
        require active.hand[marked] == {} or p.worth > 0
        p.held_by = active
    or choose play: c in active.hand "Play {c}"
        move c to active.laid
    or rest "Rest"

sequence
    repeat 4 times
        for active in Side
            turn
    end game, draw
"""


def conditions(game: Game) -> list[ir.X]:
    return [clause.condition for _, clause in Places(game.model).clauses]


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("hidden") / "hidden.rules"
    path.write_text(GAME, encoding="utf-8")
    return rulescript.load(path)


def test_what_reads_only_the_table_is_open(hidden: Game) -> None:
    """Also through rules that ask each other in a circle: what one of them reads both read."""
    is_open = OpenExpressions(hidden.model, hidden.data.var_slots)
    assert [is_open(x) for x in conditions(hidden)] == [True, True, False, False, False, True, False, False]
    # In whatever order they are asked.
    again = OpenExpressions(hidden.model, hidden.data.var_slots)
    assert [again(x) for x in reversed(conditions(hidden))] == [False, False, True, False, False, False, True, True]


@pytest.mark.parametrize("name", ["", "card_exchange"])
def test_what_is_open_is_seen_by_everybody(name: str, hidden: Game) -> None:
    game = rulescript.load(SLICES / name) if name else hidden
    generator = random.Random(3)
    position = game.start(3)
    known = counted = 0
    for _ in range(6):
        decision = position.decision
        if decision is None or decision.is_chance:
            break
        for role in range(len(game.player_names)):
            eyes = Onlooker(position, role)
            for x in conditions(game):
                things = [var for var in free_locals(x).values() if isinstance(var.type, ThingOf)]
                named = [(v, generator.randrange(len(game.data.kinds[v.type.kind].names))) for v in things]  # type: ignore[attr-defined]
                for env in (Env.of(), Env.of(named)):
                    sight = Sight(eyes)
                    quick = sight.unseen(x, env)
                    is_open, slow = sight.is_open(x), Sight(eyes)
                    slow.is_open = _Never(sight.is_open)  # type: ignore[assignment]
                    found = slow.unseen(x, env)
                    assert found in (quick, TOO_MUCH)
                    assert not is_open or not quick
                    known, counted = known + is_open, counted + 1
        position.choose(generator.randrange(len(decision)))
    assert 0 < known < counted


class _Never:
    """Says of nothing that it is open."""

    def __init__(self, real: OpenExpressions) -> None:
        self.can_hide = real.can_hide

    def __call__(self, x: ir.X) -> bool:
        return False
