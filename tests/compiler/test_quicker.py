"""The passes of the quick form that keep things with a position, one by one."""

from __future__ import annotations

import ast
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulescript
from rulescript.compiler.quick.hoisted_inputs import Prepared
from rulescript.compiler.quick.live_names import LiveNames
from rulescript.compiler.quick.loops import Placed, joined_options, spread, strip
from rulescript.compiler.quick.losses import Matching, many_at_once
from rulescript.compiler.quick.memos import by_member
from rulescript.compiler.quick.peephole import Chains, Composed, Largest, followed
from rulescript.compiler.quick.presence_masks import Altered, Presence, carried
from rulescript.compiler.quick.reuse_reads import Invariants, lone_slots
from rulescript.compiler.quick.slot_cache import Extent, Kept, stores
from rulescript.machine import support
from tests.compiler.in_step import decisions_of

# Six towns (slots 10 to 15) with an owner each (20 to 25, masks 26 and 27) and two sorts of pieces of two bits: codes
# 0 and 1, and the same with a state, 2 and 3. Slot 5 says whose turn it is.
DATA: dict[str, Any] = {
    "initial": [0] * 40,
    "locals": 30,
    "kinds": {
        "Side": {"pieces": False, "names": ["One", "Two"], "loc": -1},
        "Town": {"pieces": False, "names": list("abcdef"), "loc": -1},
        "Unit": {
            "pieces": True, "names": ["x", "y"], "loc": -1, "types": 2, "fields": [(0, 2), (2, 2), (4, 2), (6, 2)],
            "states": [("moved", 1, [False, True], ["bool"], 0)],
        },
    },
    "states": [
        {"slot": 5, "mode": "one", "kind": "", "type": ["thing", "Side"], "masks": -1},
        {"slot": 20, "mode": "dual", "kind": "Town", "type": ["thing", "Side"], "masks": 26},
    ],
    "holds": [{"slot": 10, "size": 6, "kind": "Unit", "owner": "Town", "ordered": False}],
}  # fmt: skip
TABLES = "M1 = (51, 204)\nB2 = 240\nA3 = (0, 1, 0, 1)\nA4 = (1, 0)\nR5 = (10, 11, 12, 13, 14, 15)\nA6 = (7, 56)\n"
TABLES += "M7 = (1, 2, 4, 8, 16, 32)\nFM_2 = (3, 12, 48, 192)\n"


def constants_of(text: str) -> dict[str, ast.expr]:
    return {n.targets[0].id: n.value for n in ast.parse(text).body if isinstance(n, ast.Assign)}  # type: ignore[attr-defined]


def functions_of(text: str) -> dict[str, ast.FunctionDef]:
    return {n.name: n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)}


def shown(functions: dict[str, ast.FunctionDef]) -> str:
    return "\n".join(ast.unparse(ast.fix_missing_locations(f)) for f in functions.values())


def present(text: str) -> str:
    functions = functions_of(text)
    presence = Presence(functions, constants_of(TABLES), DATA, Extent(DATA), 40)
    presence.use()
    presence.keep()
    return shown(functions)


WHERE = "def b1(p, S):\n    o = [v1 for v1 in BITS[63] if S[10 + v1] & M1[S[5]] != 0]"
AGAIN = "\n    q = [v1 for v1 in BITS[63] if S[10 + v1] & M1[S[5]] != 0 and f1(S, v1)]"

# --- Whereabouts -----------------------------------------------------------------------------------


def test_where_pieces_stand_is_a_mask() -> None:
    made = present(WHERE + AGAIN)
    assert "o = BITL[63 & S[40 + S[5]]]" in made
    assert "q = [v1 for v1 in BITS[63 & S[40 + S[5]]] if f1(S, v1)]" in made


@pytest.mark.parametrize(
    "test",
    [
        "f1(S, v1) and S[10 + v1] & M1[S[5]] != 0",  # what comes first may fail, and must still fail
        "S[10 + v1] & M1[A3[v1]] != 0",  # another sort for each
        "S[10 + v1] & M1[S[31]] != 0",  # may be nothing
    ],
)
def test_what_is_not_a_question_about_the_set_stays(test: str) -> None:
    text = f"{WHERE}{AGAIN}\n    z = [v1 for v1 in BITS[63] if {test}]"
    assert f"z = [v1 for v1 in BITS[63] if {test}]" in present(text)


def test_conditions_are_joined() -> None:
    test = "S[10 + v1] & M1[S[5]] != 0 and (S[10 + v1] & M1[A4[S[5]]] == 0 or S[20 + v1] == A4[S[5]])"
    made = present(f"def b1(p, S):\n    o = [*[v1 for v1 in BITS[63] if {test}], -2]")
    assert "o = EL0[63 & S[40 + S[5]] & (~S[40 + A4[S[5]]] | S[26 + A4[S[5]]])]" in made


def test_a_move_changes_the_masks() -> None:
    move = "    S[i] -= UN_2[c]\n    S[d] += UN_2[c]"
    made = present(f"{WHERE}{AGAIN}\ndef c1(p, S, o):\n{move}")
    assert "if not S[i] & PM_0[c]:\n        S[PS_0[c]] &= PN_0[i]" in made
    assert "S[PS_0[c]] |= PB_0[d]" in made
    elsewhere = present(f"{WHERE}{AGAIN}\ndef c1(p, S, o):\n    d = 28\n    S[d] += UN_2[c]")
    assert "PS_0" not in elsewhere


def test_nothing_is_kept_that_nobody_asks_for() -> None:
    move = "def c1(p, S, o):\n    S[i] -= UN_2[c]"
    assert present(move) == move


def test_only_what_changes_is_gone_through() -> None:
    body = "\n        if S[20 + v1] != 1:\n            S[20 + i] = 2"
    give = "i = S[30]\n        v = 1\n        if S[20 + i] != v:\n            S[20 + i] = v"
    made = present(f"def b1(p, S):\n    for S[30] in BITS[63]:\n        {give}")
    assert "for S[30] in BITS[63 & ~S[27]]" in made
    assert "BITS[63]" in present(f"def b1(p, S):\n    for S[30] in BITS[63]:{body}")


def test_some_of_another_kind() -> None:
    some = "any(True for v2 in BITS[3] if A6[v2] >> v1 & 1 if S[10] & M1[v2] != 0)"
    made = present(f"def b1(p, S):\n    o = [v1 for v1 in BITS[63] if {some}]")
    assert "o = BITL[63 & EN6[3 & EM1[((S[10] & 85) + 85 | S[10]) & 170]]]" in made


def test_states_end_only_where_there_are_any() -> None:
    end = "    for s in R5:\n        if S[s] & B2:\n            m = S[s] & B2\n            S[s] += (m >> 4) - m"
    change = "    S[i] += UN_2[v] - UN_2[c]"
    functions = functions_of(f"def b1(p, S):\n{end}\ndef c1(p, S, o):\n{change}\n    S[d] += UN_2[c]\n    S[d] += m")
    altered = Altered(functions, constants_of(TABLES), DATA)
    assert altered.keep(40) == 41
    made = shown(functions)
    assert f"for s in BITS[S[40] & {0b111111 << 10}]" in made and "S[40] = 0" in made
    assert "S[40] |= 1 << i" in made
    assert "if c >= 2:\n        S[40] |= 1 << d" in made and "if m & 240:\n        S[40] |= 1 << d" in made


# --- Kept expressions ------------------------------------------------------------------------------

STEADY = "63 & ~S[26 + S[5]] & ~S[26 + A4[S[5]]] & M7[S[5]]"


def kept(text: str) -> str:
    functions = functions_of(text)
    Kept(functions, Extent(DATA), 40, DATA, lambda _: True).work()
    return shown(functions)


def test_what_stays_the_same_is_in_a_slot() -> None:
    made = kept(f"def b1(p, S):\n    o = BITL[x & {STEADY}]")
    assert "x & (S[40] if S[40] is not None else f40_kept(S))" in made


def test_and_is_forgotten_when_it_may_have_changed() -> None:
    text = f"def b1(p, S):\n    o = BITL[{STEADY}]\ndef c1(p, S, o):\n"
    assert "S[5] = 1\n    S[40] = None" in kept(f"{text}    S[5] = 1")
    assert "S[26 + v] |= 1 << i\n    S[40] = None" in kept(f"{text}    S[26 + v] |= 1 << i")
    assert "for S[5] in BITS[3]:\n        S[40] = None" in kept(f"{text}    for S[5] in BITS[3]:\n        pass")
    assert "None\n" not in kept(f"{text}    S[12] = 1\n    S[31] = 2").split("def c1")[1]


def test_but_not_where_it_changes_anyway() -> None:
    text = f"def b1(p, S):\n    S[5] = 1\n    o = BITL[{STEADY}]"
    assert "_kept" not in kept(text)


def test_a_table_of_answers_is_in_a_slot() -> None:
    rule = (
        "def r1_at(S):\n    key = (S[5], S[26])\n    table = r1_memo.get(key)\n"
        "    if table is None: return answers(r1_memo, key, S, r1_work)\n    table.S = S\n    return table\n"
    )
    made = kept(f"{rule}def b1(p, S):\n    x = r1_at(S)[1]\n    S[27] = 0\n    S[26] = 0")
    assert "S[:]" in made and "S[40] = table" in made
    assert "x = (S[40] if S[40] is not None else r1_at(S))[1]" in made
    assert made.endswith("S[27] = 0\n    S[26] = 0\n    S[40] = None")


def test_which_slots_a_statement_sets() -> None:
    extent = Extent(DATA)
    for text, expected in (
        ("S[3] = 1", [3]),
        ("S[20 + v] = 1", [*range(20, 26)]),
        ("S[26 + S[20 + i]] &= 1", [26, 27]),
        ("S[i] += 1", [*range(10, 16)]),
        ("S[1], S[2], = x", [1, 2]),
        ("S[4:7] = x", [4, 5, 6]),
        ("x = S[3]", []),
        ("S[f(x)] = 1", [*range(40)]),
    ):
        found = [slot for index in stores(ast.parse(text).body[0]) for slot in extent.of(index)]
        assert sorted(found) == expected, text


# --- Shorter -------------------------------------------------------------------------------------


def test_chains_without_repeats() -> None:
    def simpler(text: str) -> str:
        return ast.unparse(Chains(constants_of("X1 = {False: 0, True: 1}")).visit(ast.parse(text)))

    assert simpler("a & 63 & (~b & (a & 7))") == "7 & a & ~b"
    assert simpler("f(x) & f(x)") == "f(x) & f(x)"
    assert simpler("X2[X1[True]][c]") == "X2[1][c]"


def test_the_largest_depend_on_their_own_pieces() -> None:
    text = "most_set(sum({{1 << A3[c] for c in CD_2[S[10] & {0}]}}), lambda v: CN_2[S[10] & M1[v]], 1)"
    largest = Largest(constants_of(TABLES), DATA)
    made = ast.unparse(largest.visit(ast.parse(text.format("M1[S[5]]"))))
    assert "CN_2[S[10] & M1[S[5]] & M1[v]]" in made
    other = text.format("B2")  # has only some of the pieces that are counted
    assert ast.unparse(largest.visit(ast.parse(other))) == ast.unparse(ast.parse(other))


def test_a_piece_is_where_it_was_put() -> None:
    look = "i = S[30]\nc = i & 65535\ni >>= 16\n"
    state = "v = X1[c]\nif not S[i] & FM_2[c]: stale('Unit')\nS[i] += UN_2[v] - UN_2[c]\nS[30] = i << 16 | v"
    text = f"S[d] += UN_2[c]\nS[30] = d << 16 | c\n{look}"

    def made(text: str) -> str:
        function = ast.parse("def f(): pass").body[0]
        assert isinstance(function, ast.FunctionDef)
        function.body = ast.parse(text).body
        return ast.unparse(ast.Module(followed(function.body, LiveNames(function)), []))

    assert made(text + state) == "v = X1[c]\nS[d] += UN_2[v]\nS[30] = d << 16 | v"
    used = "S[d] += UN_2[c]\ni = d\nv = X1[c]\nS[i] += UN_2[v] - UN_2[c]\nS[30] = i << 16 | v\nx = i"
    assert made(text + state + "\nx = i") == used
    inside = "if x:\n    " + (text + state).replace("\n", "\n    ") + "\ny = i"
    assert "S[i] += UN_2[v] - UN_2[c]" in made(inside)  # read after the block it is set in
    for other in (
        f"S[31] = d << 16 | c\n{look}{state}",
        f"S[30] = d << 16 | c\n{look}{state}".replace("X1[c]", "X1[S[30]]"),
        f"S[30] = d << 16 | c\n{look}{state}".replace("S[i] +=", "S[30] +="),
    ):
        assert "S[30] = d << 16 | c" in made(other) or "S[31] = d << 16 | c" in made(other)


def test_dice_are_matched_by_counters() -> None:
    matching = Matching(constants_of(TABLES), DATA)
    made = ast.unparse(matching.visit(ast.parse("hits(S[9], [(A3[c], n_) for c, n_ in IT_2[x]])")))
    assert made == "hits_in(S[9], x, EH0, CN_2)"
    assert matching.tables == ["EH0 = ((0, 51), (1, 204))"]


def test_several_at_once() -> None:
    text = "o = many_first(S, 1, 2, x, True) if many_start(S, 2, min(hits_in(a, b, c, d), CN_2[y])) else []"
    made = ast.unparse(ast.Module(many_at_once(ast.parse(text).body), []))
    assert made == (
        "w = hits_in(a, b, c, d)\nif w:\n    n = CN_2[y]\n    if w > n:\n        w = n\nS[2] = w\n"
        "if w > 0:\n    o = many_first(S, 1, 2, x, True)\nelse:\n    o = []"
    )


def test_counters_by_member() -> None:
    known = "sum([FM_2[k1] for k1 in range(len(FM_2)) if A6[A3[k1]] & k0 != 0])"
    (line,) = by_member(constants_of(f"{TABLES}KN0 = Known(lambda k0: {known})"), 6)
    names: dict[str, Any] = {"Near": support.Near}
    exec(f"{TABLES}{line}", names)
    for mask in range(64):
        assert names["KN0"][mask] == eval(known, {**names, "k0": mask})


# --- What they lean on -----------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 2, 7, 64, 65, 200])
def test_random_numbers_at_once_are_those_one_by_one(count: int) -> None:
    state = [0, 0x9E3779B97F4A7C15]
    other = state[:]
    expected = tuple(support.next_random(other) for _ in range(count))
    assert support.next_randoms(state, count) == expected
    assert state == other


def test_draws_nobody_looks_at_are_the_same_draws() -> None:
    fields = ((0, 3), (3, 2), (5, 4), (9, 1))
    items, units = support.Items(fields), tuple(1 << offset for offset, _ in fields)
    rng = Random(1)

    class Play:
        chance = None

    for _ in range(200):
        pile = sum(rng.randrange(1 << width) << offset for offset, width in fields)
        count, mask = rng.randrange(20), rng.choice([-1, 7, 31 << 3])
        seen: list[Any] = [0, rng.getrandbits(64), pile, 0]
        unseen = seen[:]
        support.draw_pieces(Play, seen, count, 2, mask, 3, units, items, 0)
        support.draw_unseen(unseen, count, 2, mask, 3, items)
        assert seen == unseen


def test_hits_by_counters_are_hits() -> None:
    fields = ((0, 2), (2, 2), (4, 2), (6, 2))
    items = support.Items(fields)
    counts = support.Counts(items)
    score = (1, 2, 1, 3)
    faces = ((1, 0b00110011), (2, 0b00001100), (3, 0b11000000))
    for pile in range(256):
        for dice in product(range(1, 5), repeat=2):
            expected = support.hits(dice, [(score[c], n) for c, n in items[pile]])
            assert support.hits_in(dice, pile, faces, counts) == expected


def test_sets_put_together_from_parts() -> None:
    rng = Random(2)
    table = tuple(rng.getrandbits(40) for _ in range(40))
    near, sums = support.Near(table), support.Sums(table)
    for _ in range(200):
        mask = rng.getrandbits(40) & rng.getrandbits(40)
        joined = 0
        for member in support.BITS[mask]:
            joined |= table[member]
        assert near[mask] == joined
        assert sums[mask] == sum(table[member] for member in support.BITS[mask])


def test_marks_of_a_pile() -> None:
    groups = (0b11, 0b1100, 0b11000000)
    marks = support.Marks(groups)
    for pile in range(256):
        assert marks[pile] == sum(1 << at for at, group in enumerate(groups) if pile & group)


# --- Pieces as options -----------------------------------------------------------------------------


def options_of(text: str) -> tuple[str, list[str]]:
    functions = functions_of(text)
    at_places = Placed(40)
    for function in functions.values():
        at_places.visit(function)
        function.body = spread(function.body)
    return shown(functions), at_places.tables


def test_pieces_of_a_place_as_options() -> None:
    made, tables = options_of("def b1(p, S):\n    o = [*[10 + S[5] << 16 | c1 for c1 in CD_2[S[10 + S[5]]]], -2]")
    assert "o = [*CA_2[10 + S[5]][S[10 + S[5]]], -2]" in made
    assert tables == ["CA_2 = tuple([CodesAt(CD_2, slot) for slot in range(40)])"]
    each = "[10 + v1 << 16 | c1 for v1 in BITS[63] if S[10 + v1] for c1 in CD_2[S[10 + v1]]]"
    made, _ = options_of(f"def b1(p, S):\n    o = {each}")
    assert "if S[10 + v1]:\n            o += CA_2[10 + v1][S[10 + v1]]" in made
    made, tables = options_of("def b1(p, S):\n    x = tuple([(S[9] << 16 | c1, n_) for c1, n_ in IT_2[S[10]]])")
    assert "x = IA_2[S[9]][S[10]]" in made
    assert tables == ["IA_2 = tuple([ItemsAt(IT_2, slot) for slot in range(40)])"]


@pytest.mark.parametrize(
    "made",
    [
        "[10 + c1 << 16 | c1 for c1 in CD_2[S[10]]]",  # the place depends on the piece
        "[10 << 16 | c1 for c1 in CD_2[S[10]] if f1(c1)]",  # not all of them
        "[10 << 8 | c1 for c1 in CD_2[S[10]]]",  # something else
        "[(10 << 16 | n_, c1) for c1, n_ in IT_2[S[10]]]",
    ],
)
def test_other_lists_of_pieces_stay(made: str) -> None:
    assert options_of(f"def b1(p, S):\n    o = {made}")[1] == []
    assert options_of(f"def b1(p, S):\n    o = tuple({made})")[1] == []


def test_options_of_a_place_are_its_codes() -> None:
    items = support.Items(((0, 2), (2, 1), (3, 3), (6, 2)))
    codes = support.Codes(items)
    codes_at, items_at = support.CodesAt(codes, 7), support.ItemsAt(items, 7)
    for pile in [*range(256), *range(256)]:
        assert codes_at[pile] == tuple(7 << 16 | code for code in codes[pile])
        assert items_at[pile] == tuple((7 << 16 | code, count) for code, count in items[pile])


# --- Prepared tables -------------------------------------------------------------------------------

AT = """
def r1_at(S):
    key = (S[5], S[26], S[27])
    table = r1_memo.get(key)
    if table is None: table = answers(r1_memo, key, S[:], r1_work)
    S[40] = table
    return table
"""
WORK = """
def r1_work(S, given):
    v1, v2 = given
    enter = 63 & ~(1 << v1) & ~S[26 + S[5]]
    near_to = (NB1, NB2)[1 if v2 else 0]
    return near_to[enter] if S[20 + v1] != 1 else enter
"""
TABLE = "(S[40] if S[40] is not None else r1_at(S))"
ASK = f"""
def b1(p, S):
    i1 = {TABLE}
    o = []
    for v1 in BITS[63]:
        if i1[v1, S[5] == 1]: o.append(v1)
    S[0] = {TABLE}[S[9], True]
"""


def prepared(text: str) -> tuple[dict[str, ast.FunctionDef], str]:
    functions = functions_of(text)
    invariants = Invariants(constants_of(TABLES), DATA, lone_slots(DATA))
    invariants.split = Prepared(functions, ["r1_at"], Extent(DATA), invariants).split
    for function in functions.values():
        invariants.function(function)
    return functions, shown(functions)


def test_what_all_answers_begin_with_is_worked_out_once() -> None:
    _, made = prepared(AT + WORK + ASK)
    assert "table = split_answers(r1_memo, key, S[:28], r1_work, r1_ready)" in made
    assert "def r1_ready(S, v2):\n    return (S, 63 & ~S[26 + S[5]], (NB1, NB2)[1 if v2 else 0])" in made
    assert "def r1_work(ready, v1):\n    S, h0, h1 = ready\n    enter = ~(1 << v1) & h0" in made
    assert "u0 = i1[S[5] == 1]\n    for v1 in BITS[63]:\n        if u0[v1]:" in made
    assert f"S[0] = {TABLE}[True][S[9]]" in made


def test_prepared_answers_are_the_answers() -> None:
    functions, _ = prepared(AT + WORK + ASK)
    names: dict[str, Any] = {"r1_memo": {}, **vars(support)}
    plain: dict[str, Any] = dict(names)
    names["NB1"] = plain["NB1"] = support.Near((2, 5, 10, 20, 40, 16))
    names["NB2"] = plain["NB2"] = support.Near((6, 5, 11, 20, 40, 48))
    body = ast.Module([functions[n] for n in ("r1_ready", "r1_work", "r1_at")], [])
    exec(compile(ast.fix_missing_locations(body), "quick", "exec"), names)
    exec(WORK, plain)
    rng = Random(4)
    for _ in range(30):
        S = [0] * 41
        S[5] = rng.randrange(2)
        S[20:26] = [rng.randrange(2) for _ in range(6)]
        S[26:28] = [sum(1 << t for t in range(6) if S[20 + t] == side) for side in (0, 1)]
        for town in range(6):
            for flag in (False, True):
                assert names["r1_at"](S)[flag][town] == plain["r1_work"](S, (town, flag))


@pytest.mark.parametrize(
    "use",
    [
        f"S[0] = {TABLE}[1, S[9]]",  # not yes or no
        f"S[0] = f1({TABLE})",  # somebody else gets it
        f"i2 = {TABLE}\n    S[0] = f1(i2)",
        f"i2 = {TABLE}\n    i2 = f1(S)\n    S[0] = i2[1, True]",
    ],
)
def test_pairs_stay_where_the_table_is_used_otherwise(use: str) -> None:
    _, made = prepared(f"{AT}{WORK}{ASK}\ndef b2(p, S):\n    {use}")
    assert "i1[v1, u0]" in made or "i1[v1, S[5] == 1]" in made
    assert "answers(r1_memo, key, r1_ready(S), r1_work)" in made and "split_answers" not in made
    assert "def r1_ready(S):\n    return (S[:28], 63 & ~S[26 + S[5]])" in made


def test_rules_that_ask_other_rules_are_not_prepared() -> None:
    work = "\ndef r1_work(S, given):\n    v1, v2 = given\n    return f1(S, v1) & ~S[26]\n"
    assert shown(functions_of(work)) in prepared(AT + work + ASK)[1]


# --- Tables ----------------------------------------------------------------------------------------


def test_two_tables_in_one_step() -> None:
    functions = functions_of(
        "def b1(p, S):\n    a = NB1[E2[S[5]]] & NB1[E2[x]]\n    o = BITL[E3[y, z]]\n    b = A1[E2[x]]"
    )
    composed = Composed()
    for function in functions.values():
        composed.visit(function)
    made = shown(functions)
    assert "a = EC0[S[5]] & EC0[x]" in made and "o = EC1[y, z]" in made and "b = A1[E2[x]]" in made
    assert composed.tables == ["EC0 = Known(lambda k0: NB1[E2[k0]])", "EC1 = Known(lambda k0: BITL[E3[k0]])"]


def test_which_sorts_a_pile_has_decides_its_marks() -> None:
    """Looked up by one bit of each run of counters, every pile has the marks it has by itself."""
    for groups in ((0b11, 0b1100, 0b11000000), (0b1010011, 0b10000100), (1, 2, 4, 248)):
        marks, (low, high) = support.Marks(groups), carried(groups)
        for pile in range(256):
            assert marks[((pile & low) + low | pile) & high] == marks[pile]


def test_codes_of_a_pile() -> None:
    fields = ((0, 2), (2, 1), (3, 3), (6, 0), (6, 2))
    codes = support.Codes(support.Items(fields))
    for pile in range(256):
        counts = [pile >> offset & (1 << width) - 1 for offset, width in fields]
        assert codes[pile] == tuple(code for code, count in enumerate(counts) if count)


# --- In a game -----------------------------------------------------------------------------------


def test_pieces_that_are_moved_and_change_state(tmp_path: Path) -> None:
    """A state that lasts a phase, moves between all sorts of places, and questions where pieces stand."""
    path = tmp_path / "moves.rules"
    path.write_text(
        'rulescript 1\n\ngame "Moves"\n\nkind Side\n    holds box: Unit\n\nthings\n    Side One\n    Side Two\n\n'
        "players Side\n\nkind Town\n    state held: Side = One\n    holds units: Unit\n\n"
        "values Arm: foot, horse\n\npieces Unit: side: Side, arm: Arm\n"
        "    state moved: bool, lasts march\n    home side.box\n\n"
        "map Land\n    link road\n    Town A\n    Town B\n    Town C\n    Town D\n"
        "    road A - B\n    road B - C\n    road C - D\n    road D - A\n\n"
        "counts Unit\n    |     | foot | horse |\n    | One | 3 | 2 |\n    | Two | 3 | 2 |\n\nstate active: Side\n\n"
        "phase arrive\n    repeat\n        choose arrive: u in active.box, t in Town\n            move u to t\n"
        "        or stop\n\n"
        "phase march\n    repeat\n        choose march: u in Town.units, t in Town\n"
        "            require u.side == active\n            require not u.moved\n            require t in u.place.road\n"
        "            move u to t\n            u.moved = yes\n        or stop\n"
        "    may choose recall: t in Town\n        require some t.units[side == active]\n"
        "        move t.units[side == active] to active.box\n\n"
        "phase settle\n    for t in Town\n        if some t.units[side == One] and none t.units[side == Two]\n"
        "            t.held = One\n        else if some t.units[side == Two]\n            t.held = Two\n"
        "    may choose look: t in Town\n        require some t.units[side == active] or t.held == active\n\n"
        "sequence\n    repeat 5 times\n        for active in Side\n            arrive\n            march\n"
        "            settle\n    end game, draw\n",
        encoding="utf-8",
    )
    game = rulescript.load(path, cache=False)
    assert "UNSORTED" in game.quick and "ALTERED" in game.quick
    found = [decisions_of(game, code, seed=8, games=5) for code in (game.code, game.quick)]
    assert found[0] == found[1]


def test_a_stripped_function_keeps_its_options() -> None:
    body = strip(
        ast.parse("o = [v1 for v1 in X]\no.append(-2)\nif len(o) == 1 and not p.ask: return c1(p, S, o[0])").body
    )
    assert ast.unparse(joined_options(body)[0]) == "o = [*[v1 for v1 in X], -2]"
