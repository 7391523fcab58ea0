"""Drawing by lot among things that stay where they are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rulescript.claims.run import GameSource, run_examples
from rulescript.errors import GameInvalid
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.testing import run_conformance
from tests.forms import play_alike

GAME = """\
rulescript 1
game "Storms", version "1"
kind Side: enemy: Side
    holds hand: Card, visible to it, count to others
kind Card: side: Side, power: int = 1
    home side.hand
kind Area
    state storms: int
    state owner: maybe Side
map M
    link road
    Area A
    Area B
    Area C
    Area D
    road A - B - C - D - A
    road A - C
things
    Side North  enemy South
    Side South  enemy North
    Card Drum  North, 2
    Card Fife  North
    Card Horn  South, 2
players Side
state active: Side
state where: Area
phase storm
    draw 1 from Area as hit
    for a in hit
        where = a
        a.storms += 1
    draw 2 from where.road[owner == nothing] as near
    for a in near
        a.storms += 1
phase loot
    draw 1 from active.enemy.hand as taken
    for c in taken
        move c to active.hand
phase claim_it
    choose claim: a in Area "Claim {a}"
        a.owner = active
sequence
    repeat 2 times
        for active in Side
            storm
            loot
            claim_it
    end game, North wins
example "A storm"
    given empty, active North, at storm
    play
        draw A
        draw C, B
    expect
        A.storms == 1 and B.storms == 1 and C.storms == 1 and D.storms == 0
        where == A
example "Loot"
    given empty, active North, at loot
    play
        draw Horn
    expect
        count(North.hand) == 4
        journal mentions "drawn by lot"
"""


def test_examples() -> None:
    results = list(run_examples(GameSource.of_text(GAME, "storms.rules")))
    assert len(results) == 2 and all(result.ok for result in results), "\n".join(map(str, results))


def test_every_member_comes_up_and_none_twice() -> None:
    game = compile_text(load_single(GAME, "storms.rules"))
    struck: Counter[str] = Counter()
    for seed in range(120):
        position = game.start(seed=seed)
        struck[str(position.explain("where").value)] += 1
        assert position.explain("sum(a.storms for a in Area)").value == 3
        assert position.explain("max(a.storms for a in Area)").value == 1
    assert set(struck) == {"A", "B", "C", "D"} and min(struck.values()) > 15


def test_others_do_not_learn_which_hidden_thing_it_was() -> None:
    position = compile_text(load_single(GAME, "storms.rules")).start(seed=1)
    for seat, loot in (("South", "drawn by lot: Horn"), ("North", "drawn by lot: (hidden)")):
        told = [event["text"] for event in position.view(seat).journal if event["kind"] == "lot"]
        assert told[0] in {f"drawn by lot: {area}" for area in "ABCD"} and told[-1] == loot


def test_chance_is_what_it_is_however_it_comes(tmp_path: Path) -> None:
    """Seeded, scripted and explicit; quick and plain."""
    game = compile_text(load_single(GAME, "storms.rules"))
    (tmp_path / "storms.rules").write_text(GAME, encoding="utf-8")
    report = run_conformance(tmp_path / "storms.rules", plays=4)
    assert report.ok, str(report)
    assert play_alike(game)
    node = game.start(seed=1, chance="explicit").decision
    assert node is not None and [o.key for o in node.options] == ["thing A", "thing B", "thing C", "thing D"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("draw 1 from pile as hit", "say where they go"),
        ("draw 1 from where as hit", "a set of things is needed"),
        ("draw 1 from Area as where", "a name of its own"),
    ],
)
def test_mistakes(line: str, said: str) -> None:
    text = GAME.replace("    draw 1 from Area as hit\n", f"    {line}\n    draw 1 from Area as hit\n", 1)
    text = text.replace(
        "state active", "pieces Cube\n    home pile\nholds pile: Cube\nthings\n    Cube Red  3\nstate active", 1
    )
    with pytest.raises(GameInvalid) as caught:
        compile_text(load_single(text, "storms.rules"))
    assert said in str(caught.value)
