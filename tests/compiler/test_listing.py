"""Lists of pieces that are kept from one choice to the next, and what goes with them."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript.compiler.quick.inlining import Inlined, counted_here
from rulescript.compiler.quick.loops import Placed, Present
from rulescript.compiler.quick.option_list_cache import Listing
from rulescript.compiler.quick.peephole import Whole
from rulescript.compiler.quick.piece_removal import leaving
from rulescript.compiler.quick.presence_masks import Altered, Presence
from rulescript.compiler.quick.search_form import faster
from rulescript.compiler.quick.slot_cache import Extent
from rulescript.compiler.quick.trees import codes_given
from rulescript.errors import StepLimit
from rulescript.machine import support
from tests.compiler.in_step import decisions_of
from tests.compiler.test_quicker import DATA, TABLES, constants_of, functions_of, shown

STATES = "X8 = {False: 0, True: 1}\nX9 = ((0, 1, 0, 1), (2, 3, 2, 3))\nB10 = 15\n"
LIST = "o = [*[c for h in BITS[63 & S[26]] if S[10 + h] & (B10 & M1[S[5]]) for c in CA_2[10 + h][S[10 + h] & {0}]], -2]"
ASK = f"def b1(p, S):\n    {LIST.format('(B10 & M1[S[5]])')}\n    p.o = o\n"
LOOK = "def c1(p, S, o):\n    i = o\n    c = i & 65535\n    i >>= 16\n    S[i] -= UN_2[c]\n"


def kept(text: str) -> str:
    functions = functions_of(text)
    constants = constants_of(TABLES + STATES)
    extent = Extent(DATA)
    presence = Presence(functions, constants, DATA, extent, 40)
    listing = Listing(functions, constants, DATA, extent, presence, 50)
    listing.keep()
    return shown(functions)


def test_a_list_is_kept_while_pieces_only_leave() -> None:
    made = kept(ASK + LOOK + "    return b1\n")
    assert "o = S[50]\n    if o is None:\n" in made and "S[50] = o" in made
    assert "if not S[i] & FM_2[c]:\n        gone = i << 16 | c\n        listed = S[50]\n" in made


def test_a_list_is_emptied_where_it_may_be_wrong() -> None:
    # What it depends on besides pieces, and pieces that come or change.
    more = "def p1(p, S):\n    {0}\n"
    for statement, empties in [
        ("S[5] = 1", True),
        ("S[6] = 1", False),
        ("S[26] |= 1 << 3", True),
        ("d = 10 + S[30]\n    S[d] += UN_2[c]", True),
        ("v = X9[X8[True]][c]\n    S[11] += UN_2[v]", False),
        ("v = X9[X8[False]][c]\n    S[11] += UN_2[v]", True),
        ("drawn = draw_pieces(p, S, 1, 12, -1, 30, UN_2, IT_2, 4)", True),
        ("shuffle(p, S, 12, 4)", True),
        ("S[9] = roll(p, S, 1, 6, 4)", False),
        ("for s in R5:\n        S[s] += (m >> 4) - m", True),
    ]:
        made = kept(ASK + LOOK + "    return b1\n" + more.format(statement))
        assert ("S[50] = None" in made) is empties, statement


def test_lists_that_are_not_kept() -> None:
    answered = LOOK + "    return b1\n"
    assert "gone" in kept(ASK + answered)
    assert "gone" not in kept(ASK + LOOK + "    S[11] += UN_2[c]\n    return b1\n")  # always wrong when asked again
    assert "gone" not in kept(ASK.replace("63 & S[26]", "63 & S[26] & f1(S)") + answered)
    assert "gone" not in kept(ASK.replace("for c in", "if S[10 + h] & B2 for c in") + answered)  # asks about others
    assert "gone" not in kept(ASK.replace("for c in", "if not S[10 + h] & (B10 & M1[S[5]]) for c in") + answered)
    assert "gone" not in kept(ASK + answered + "def b2(p, S):\n    if move_thing(S, 1, 2, 3, 4): return b1\n")


def test_what_is_gone_is_taken_out_of_a_list_of_its_own() -> None:
    function = functions_of(kept(ASK + LOOK))["c1"]
    names: dict[str, Any] = {"UN_2": (1, 4), "FM_2": (3, 12)}
    exec(ast.unparse(function), names)
    asked = [10 << 16, 10 << 16 | 1, -2]
    state: list[Any] = [0] * 51
    state[10], state[50] = 6, asked
    names["c1"](None, state, 10 << 16 | 1)
    assert state[10] == 2 and state[50] == [10 << 16, -2]
    assert asked == [10 << 16, 10 << 16 | 1, -2]
    names["c1"](None, state, 10 << 16)
    assert state[10] == 1 and state[50] == [10 << 16, -2]  # there is one more
    state[50] = None
    names["c1"](None, state, 10 << 16)
    assert state[10] == 0 and state[50] is None


def test_a_piece_leaves_in_one_look() -> None:
    text = "if not S[i] & FM_2[c]: stale('Unit')\nS[i] -= UN_2[c]\n"

    def made(more: str) -> str:
        return ast.unparse(ast.Module(leaving(ast.parse(text + more).body), []))

    whole = made("if not S[i] & FM_2[c]: S[50] = None")
    assert whole == (
        "were = S[i] & FM_2[c]\nS[i] -= UN_2[c]\nif were <= UN_2[c]:\n    if not were:\n        stale('Unit')\n"
        "    S[50] = None"
    )
    assert "    if not S[i] & PM_0[c]:\n        S[4] = 1" in made("if not S[i] & PM_0[c]: S[4] = 1")
    assert "were" not in made("if not S[i] & B2: S[4] = 1")


def test_whole_piles() -> None:
    whole = Whole(constants_of(TABLES + "B11 = 255\n"), DATA)

    def made(text: str) -> str:
        return ast.unparse(whole.visit(ast.parse(text)))

    assert made("S[10 + x] & B11 & M1[v]") == "S[10 + x] & M1[v]"
    assert made("S[10] & (B11 & ~M1[v])") == "S[10] & W1[v]"
    assert whole.tables == ["W1 = (204, 51)"]
    assert made("S[5] & B11 & ~M1[v]") == "S[5] & B11 & ~M1[v]"
    assert made("S[10] & B2") == "S[10] & B2"


def test_piles_are_looked_up_by_their_sorts() -> None:
    function = functions_of("def b1(p, S):\n    i1 = B10\n    return CA_2[10][S[10] & i1]")["b1"]
    Present(constants_of(TABLES + STATES), DATA).function(function)
    assert "CA_2[10][((pile := (S[10] & i1)) & 5) + 5 | pile) & 10]".replace("((pile", "(((pile") in ast.unparse(
        function
    )
    inner = "def b1(p, S):\n    return [c for x in R5 for c in CA_2[x][S[x] & B10]]"
    function = functions_of(inner)["b1"]
    Present(constants_of(TABLES + STATES), DATA).function(function)
    assert ast.unparse(function) == inner  # where no name can be set
    table = support.CodesAt(support.Codes(support.Items(DATA["kinds"]["Unit"]["fields"])), 10)
    for pile in range(16):
        key = ((pile & 5) + 5 | pile) & 10
        assert table[key] == tuple(10 << 16 | code for code in (0, 1) if pile >> 2 * code & 3)


def test_a_test_that_every_piece_passes_is_asked_once() -> None:
    node = ast.parse("[10 + x << 16 | c for c in CD_2[S[10 + x]] if i1 != 0]", mode="eval")
    assert ast.unparse(Placed(40).visit(node)) == "[c for c in (CA_2[10 + x][S[10 + x]] if i1 != 0 else ())]"
    other = "[10 + x << 16 | c for c in CD_2[S[10 + x]] if A3[c] != 0]"
    assert ast.unparse(Placed(40).visit(ast.parse(other, mode="eval"))) == other


def test_codes_of_a_new_state() -> None:
    constants = constants_of(STATES)

    def given(text: str) -> list[int] | None:
        return codes_given(ast.parse(text, mode="eval").body, constants)

    assert given("X9[1][c]") == given("X9[X8[True]][c]") == [2, 3, 2, 3]
    assert given("X9[x][c]") is None and given("X8[True]") is None
    functions = functions_of("def b1(p, S):\n    v = X9[1][c]\n    S[d] += UN_2[v]\n    S[e] += UN_2[c]")
    ended = functions_of("def b2(p, S):\n    for s in R5:\n        if S[s] & B2: S[s] += 0")
    functions.update(ended)
    altered = Altered(functions, constants_of(TABLES + STATES), DATA)
    altered.keep(45)
    made = shown(functions)
    assert "S[d] += UN_2[v]\n    S[45] |= 1 << d\n" in made
    assert "if c >= 2:\n        S[45] |= 1 << e" in made


GAME = """rulescript 1

game "Marches"

kind Side: foe: Side
    holds box: Unit
things
    Side One  foe Two
    Side Two  foe One

players Side

values Arm: foot, horse

kind Town
    state held: Side = One
    holds units: Unit

pieces Unit: side: Side, arm: Arm
    state moved: bool, lasts march
    home side.box

map Land
    link road
    Town A
    Town B
    Town C
    Town D
    road A - B
    road B - C
    road C - D
    road D - A

counts Unit
    |     | foot | horse |
    | One | 4 | 3 |
    | Two | 4 | 3 |

state active: Side

phase arrive
    repeat
        choose arrive: u in active.box, t in Town
            move u to t
        or stop

phase march
    repeat
        choose march: u in Town.units, t in Town
            require u.side == active
            require not u.moved
            require t in u.place.road
            {march}
        or stop

sequence
    repeat 6 times
        for active in Side
            arrive
            march
    end game, draw
"""

MOVE = "move u to t\n            u.moved = yes"
WAYS = {
    "plain": MOVE,
    "others are driven off": MOVE
    + "\n            for e in t.units[side != active]\n                move e to e.side.box",
    "a second follows": MOVE + "\n            if some u.side.box\n                draw 1 from u.side.box to t",
    "the town changes hands": MOVE + "\n            t.held = active\n            if some t.units[side != active]\n"
    "                active = active.foe",
    "they can move on": "move u to t\n            if u.arm == foot\n                u.moved = yes",
    "another choice between": MOVE
    + "\n            may choose back: x in t.units\n                require x.side == active\n"
    "                move x to active.box",
}
# In the other one a piece that can move comes to a town whenever one has moved.
KEPT = WAYS.keys() - {"they can move on"}


@pytest.mark.parametrize("way", WAYS)
def test_the_same_options_as_without(way: str, tmp_path: Path) -> None:
    path = tmp_path / "march.rules"
    path.write_text(GAME.replace("{march}", WAYS[way]), encoding="utf-8")
    game = rulescript.load(path, cache=False)
    assert ("gone =" in ast.unparse(faster(game.source or "", game.data))) is (way in KEPT)
    found = [decisions_of(game, code, seed=8, games=6, most=400) for code in (game.code, game.quick)]
    assert len(found[0]) > 200
    assert found[0] == found[1]


# --- Procedures written where they are called ------------------------------------------------------

MOVED = "def p1(p, S, v1, v2):\n    d = 10 + v2\n    i = v1\n    S[i] -= 1\n    S[d] += 1\n    v1 = d << 16\n"


def inlined(text: str, procedure: str = MOVED) -> str:
    functions = functions_of(procedure + text)
    for_all = Inlined(functions)
    for name, function in functions.items():
        if name[0] in "bc":
            for_all.function(function)
    return shown({name: f for name, f in functions.items() if name[0] in "bc"})


def test_a_short_procedure_is_written_where_it_is_called() -> None:
    made = inlined("def c1(p, S, o):\n    p1(p, S, S[30], o)\n    return b1")
    assert made == ("def c1(p, S, o):\n    d = 10 + o\n    i = S[30]\n    S[i] -= 1\n    S[d] += 1\n    return b1")
    # Worked out before anything changes, once.
    made = inlined("def c1(p, S, o):\n    p1(p, S, S[30 + o], S[31])\n    return b1")
    assert "    v1 = S[30 + o]\n    d = 10 + S[31]\n    i = v1\n" in made
    twice = MOVED.replace("S[d] += 1", "S[d] += v2")
    assert "v2 = S[31]" in inlined("def c1(p, S, o):\n    p1(p, S, S[30], S[31])\n    return b1", twice)


def test_procedures_that_are_called() -> None:
    call = "    p1(p, S, S[30], o)\n"
    for body in (
        f"    i = 4\n{call}    S[i] = 1\n    return b1",  # the caller needs the name
        f"    v1 = 4\n{call}    return b1",
        f"    for i in R5:\n    {call}    return b1",
        f"    if o < 0:\n    {call}    return b1",  # something may come after it that needs a name
        call * 9 + "    return b1",
    ):
        assert "p1(p, S" in inlined(f"def c1(p, S, o):\n{body}"), body
    for procedure in (
        MOVED.replace("S[d] += 1", "for s in R5: S[s] = 0"),
        MOVED.replace("S[d] += 1", "return"),
        MOVED.replace("S[d] += 1", "p2(p, S)"),
    ):
        assert "p1(p, S" in inlined(f"def c1(p, S, o):\n{call}    return b1", procedure)


def test_work_is_counted_without_a_call() -> None:
    body = counted_here(ast.parse("for x in R5:\n    step(9)\nstep(x)").body)
    made = ast.unparse(ast.Module(body, []))
    assert made.endswith("\nstep(x)") and "WORK.done += 9\n" in made
    names: dict[str, Any] = {"WORK": support.WORK, "step": support.step, "R5": range(5), "x": 1}
    support.WORK.done = 0
    exec(compile(made, "counted", "exec"), names)
    assert support.WORK.done == 5 * 9 + 4
    support.WORK.done = support.WORK_LIMIT
    with pytest.raises(StepLimit):
        exec(compile(made, "counted", "exec"), names)
    support.WORK.done = 0
