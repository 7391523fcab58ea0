"""The quick form of the generated code plays exactly the games the plain form plays."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulescript
from rulescript.compiler.quick.loops import spread, strip
from rulescript.compiler.quick.memos import Memos
from rulescript.compiler.quick.reuse_reads import Reads
from rulescript.compiler.quick.search_form import faster
from rulescript.errors import PlayError
from rulescript.machine import support
from rulescript.runtime.forms import Playing
from tests.compiler.in_step import decisions_of

ROOT = Path(__file__).resolve().parents[2]
GAMES = [
    "attrition_of_souls",
    *(str(p) for p in sorted((ROOT / "docs" / "cookbook").glob("[0-9]*.rules.md"))[::4]),
]


def played(game: rulescript.Game, code: dict[str, Any], games: int) -> list[Any]:
    rng = Random(11)
    return [game._playout(rng, 2_000, code) for _ in range(games)]


@pytest.mark.parametrize("where", GAMES, ids=lambda w: Path(w).name)
def test_same_games(where: str) -> None:
    game = rulescript.load(where, cache=False)
    assert played(game, game.quick, 12) == played(game, game.code, 12)


def test_state_is_the_same_at_every_decision() -> None:
    """But for the names of loops that are over."""
    game = rulescript.load("attrition_of_souls", cache=False)
    states = [decisions_of(game, code, seed=2, most=300, chance=99) for code in (game.code, game.quick)]
    assert len(states[0]) == 300
    assert states[0] == states[1]


KEPT = [*GAMES[:1], *(str(p) for p in sorted((ROOT / "docs" / "cookbook").glob("[0-9]*.rules.md")))]


@pytest.mark.parametrize("where", KEPT, ids=lambda w: Path(w).name)
def test_what_is_kept_is_what_would_be_worked_out(where: str) -> None:
    """At every decision: the masks of whereabouts, and each expression that was not forgotten."""
    game = rulescript.load(where)
    code, size, rng = game.quick, len(game.data["initial"]), Random(4)
    for number in range(2):
        play: Any = Playing()
        state = list(game.data["initial"])
        state[1] = number
        code["begin"](state)
        block = code["B"][game.data["start"]]
        for _ in range(150):
            play.w = support.WORK.done = 0
            while block is not None:
                block = block(play, state)
            fresh = state[:size]
            code["begin"](fresh)
            for slot in range(size, len(state)):
                made = code.get(f"f{slot}_kept")
                if made is not None and state[slot] is not None:
                    assert made(fresh) == state[slot]
                elif isinstance(state[slot], int) and slot != code.get("UNSORTED") and slot != code.get("ALTERED"):
                    assert fresh[slot] == state[slot]
                elif slot == code.get("ALTERED"):
                    assert fresh[slot] & ~state[slot] == 0  # more places may be looked at than need be
            if not state[0]:
                break
            block = code["C"][state[0]](play, state, play.o[int(rng.random() * len(play.o))])


def test_the_search_form_is_made_beside_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path))
    monkeypatch.setattr("rulescript.runtime.game.MANY_DECISIONS", 100)
    where = GAMES[1]
    few = rulescript.load(where)
    first = few.playouts(1, seed=5)
    assert few.search is None
    few.playouts(20, seed=6)
    assert few._maker is not None
    assert few._maker.wait() == 0
    few.playouts(20, seed=6)
    assert few.search is not None and few.search.code is not few.code
    assert few.playouts(1, seed=5) == first
    again = rulescript.load(where)  # from the cache: the search form is there at once
    assert again.playouts(1, seed=5) == first
    assert again.search is not None and again.quick is not again.code


def test_without_its_text_the_plain_code_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path))
    rulescript.load(GAMES[1])
    for file in tmp_path.rglob("*.text"):
        file.unlink()
    game = rulescript.load(GAMES[1])
    assert game.quick is game.code
    assert len(game.playouts(60)) == 60


def test_errors_lead_to_the_rule(tmp_path: Path) -> None:
    path = tmp_path / "zero.rules"
    path.write_text(
        'rulescript 1\n\ngame "Zero"\n\nkind Side\n\nthings\n    Side One\n    Side Two\n\nplayers Side\n\n'
        "state active: Side\nstate score: int\n\nphase act\n    score = 1 / score rounded down\n\n"
        "sequence\n    act\n    end game, draw\n",
        encoding="utf-8",
    )
    game = rulescript.load(path, cache=False)
    said = []
    for code in (game.code, game.quick):
        with pytest.raises(PlayError) as caught:
            game._playout(Random(1), 10, code)
        said.append(str(caught.value))
    assert said[0] == said[1]
    assert "zero.rules" in said[0]


def test_nothing_is_left_for_a_journal() -> None:
    game = rulescript.load("attrition_of_souls", cache=False)
    text = ast.unparse(faster(game.source, game.data))
    assert "p.j" not in text and "p.ask" not in text and "p.watch" not in text


# ------------------------------------------------------------------ the passes


def passed(text: str, work: Any) -> str:
    tree = ast.parse(text)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    work(function)
    return ast.unparse(ast.fix_missing_locations(tree))


def reading(text: str) -> str:
    return passed(text, lambda f: Reads({6, 7}).function(f))


def test_a_slot_is_read_once() -> None:
    assert (
        reading("def f(S):\n    a = S[6] + 1\n    b = S[6] + 2")
        == "def f(S):\n    a = (s0 := S[6]) + 1\n    b = s0 + 2"
    )


@pytest.mark.parametrize(
    "between",
    [
        "S[6] = 1",
        "S[6] += 1",
        "p1(p, S)",
        "S[6], S[7] = x",
        "for S[6] in X: pass",
        "while y:\n        S[6] += 1",
    ],
)
def test_not_after_it_may_have_changed(between: str) -> None:
    text = f"def f(S):\n    a = S[6] + 1\n    {between}\n    b = S[6] + 2"
    assert reading(text) == ast.unparse(ast.parse(text))


@pytest.mark.parametrize("between", ["S[7] = 1", "S[i] += 1", "x = f3(S, 1)"])
def test_but_after_anything_else(between: str) -> None:
    assert "b = s0 + 2" in reading(f"def f(S):\n    a = S[6] + 1\n    {between}\n    b = S[6] + 2")


def test_places_change_with_any_place() -> None:
    text = "def f(S):\n    a = S[50] + 1\n    S[i] += 1\n    b = S[50] + 2"
    assert reading(text) == text


def test_what_may_not_be_worked_out_is_not_counted_on() -> None:
    text = "def f(S):\n    a = x and S[6]\n    b = S[6] + 2"
    assert reading(text) == text


def test_branches_know_only_what_both_know() -> None:
    text = "def f(S):\n    if x:\n        a = S[6]\n    b = S[6] + 2"
    assert reading(text) == text


def test_a_loop_is_remembered_by_what_it_depends_on() -> None:
    memos = Memos(range(50, 60))
    made = passed("def f(S, x):\n    a = x + (1 + sum([A1[v] for v in BITS[S[6]]]))", memos.function)
    assert made == "def f(S, x):\n    a = x + E1[S[6]]"
    assert [ast.unparse(table) for table in memos.tables] == ["E0 = Sums(A1)", "E1 = Known(lambda k0: 1 + E0[k0])"]


def test_pieces_of_a_sort_are_what_it_depends_on() -> None:
    memos = Memos(range(50, 60))
    listed = "most_list(CD_4[S[50 + S[6]] & M1[S[6]]], lambda v: A1[v], 1)"
    made = passed(f"def f(S):\n    a = {listed}", memos.function)
    assert made == "def f(S):\n    a = E0[S[50 + S[6]] & M1[S[6]]]"
    assert ast.unparse(memos.tables[0]) == "E0 = Known(lambda k0: most_list(CD_4[k0], lambda v: A1[v], 1))"


@pytest.mark.parametrize(
    "expression",
    [
        "[v for v in BITS[S[6]] if S[50 + v]]",  # reads a slot for every member
        "sum([f3(S, v) for v in BITS[S[6]]])",
        "[c for c in CD_4[S[50]]]",  # what lies in a place hardly comes back
    ],
)
def test_other_loops_are_not(expression: str) -> None:
    memos = Memos(range(50, 60))
    text = f"def f(S):\n    a = {expression}"
    assert passed(text, memos.function) == text
    assert not memos.tables


def test_comprehensions_become_loops() -> None:
    def work(function: ast.FunctionDef) -> None:
        function.body = spread(function.body)

    some = "any(True for v2 in X if v2 > v1)"
    text = f"def f(S):\n    o = [*[v1 for v1 in BITS[S[6]] if S[50 + v1] and {some}], -2]"
    assert passed(text, work) == (
        "def f(S):\n    o = []\n    for v1 in BITS[S[6]]:\n        if S[50 + v1]:\n"
        "            for v2 in X:\n                if v2 > v1:\n"
        "                    o.append(v1)\n                    break\n    o.append(-2)"
    )


def test_a_branch_that_only_wrote_the_journal_stays_a_branch() -> None:
    tree = ast.parse("if a:\n    if p.j is not None: p.j.append(1)\nelse:\n    x = 1")
    tree.body = strip(tree.body)
    assert ast.unparse(tree) == "if a:\n    pass\nelse:\n    x = 1"
