"""`either Mover: Army, Unit`: one name for several kinds, in parameters and picks; one choice for whoever plays."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.claims.run import GameSource, run_examples
from rulescript.cli.games import choices_of
from rulescript.diagnostics import Diagnostic, Reporter
from rulescript.loader import load_single
from rulescript.pipeline import look_through
from rulescript.runtime.position import Position
from tests.compiler.in_step import forms_of, play_in_step, source_of

GAME = """
rulescript 1

game "Either"

kind Side: enemy: Side
    holds pool: Unit
    holds off: Army
things
    Side Red   enemy Blue
    Side Blue  enemy Red
players Side

kind Area
    state visits: int
    holds armies: Army
    holds units: Unit
map Front
    link road
    Area A
    Area B
    Area C
    Area D
    road A - B - C - D

pieces Unit: side: Side, speed: int = 1
    state gone: int, lasts turns
    home side.pool
kind Army: side: Side, speed: int = 2
    state gone: int, lasts turns
    holds men: Unit
    home side.off
things
    Unit Red_foot   Red, 5
    Unit Blue_foot  Blue, 5
    Army First   Red
    Army Second  Blue

either Mover: Army, Unit

state active: Side

value strength(m: Mover) -> int
    if m is Army
        return count(m.men)
    1

adjust strength(m) add 10 when m is Army and m.gone > 0

predicate may_go(m: Mover on Area, t: Area)
    require m.side == active "your own"
    require m.gone == 0 "once"
    require m is Unit or some m.men "empty armies stay"
    require t in ride(m) "in reach"

restrict may_go
    require m is not Army or count(t.armies) == 0 "one army"

reword may_go(m, t) "once" as "{m} has not gone" not "{m} has gone"

route ride(m: Mover on Area, left: int = m.speed) from m.place by road, at most left steps
    enter x
        require none x.units[side == m.side.enemy]

procedure go_to(m: Mover, t: Area)
    m.gone = 1
    if m is Army
        for u in m.men
            u.gone = 1
        move m to t.armies
    else
        move m to t.units

before go_to(m, t)
    t.visits += strength(m)

phase turns "Turns"
    repeat
        choose go: m in Area.armies + Area.units, t in Area "{m} goes to {t}"
            require may_go(m, t)
            go_to(m, t)
        or choose scatter: m in (Area.armies + Area.units)[side == active] "{m} scatters"
            require m is Army "only armies scatter"
            require some m.men
            move m.men to m.place.units
        or stop "Enough"

restrict turns.go
    require m is Unit or t != C "no army in C"

phase setup
    place 2 Red_foot in A.units
    place 2 Red_foot in First.men
    place 1 Blue_foot in D.units
    move First to A
    move Second to D

sequence
    setup
    for active in Side
        turns
    end game

invariant "Nobody goes twice"
    every u in Area.units: u.gone <= 1

example "Both go"
    given setup, at turns
    expect
        strength(First) == 2
        every u in A.units: strength(u) == 1
    legal t for go, m = First exactly {B}
    legal t for go, m = Red foot in A exactly {B}
    legal m for go exactly {First, Red foot in A}
    legal m for go count 2
    try go Second to C -> refused because "your own"
    try go First to D -> refused because "in reach"
    try go First to C -> refused because "no army"
    try scatter Red foot -> refused because "only armies"
    play
        Red: First goes to B
        Red: go Red foot to B
    try go First to B -> refused because "once"
    expect
        B has First
        B has 1 Red foot
        B.visits == 3
        strength(First) == 12

example "Run and assume"
    given empty, active Red, run go_to(First, B)
        A: First
    expect
        B has First

example "Assumed"
    given empty, active Red, at turns
        A: First, units: 1 Red foot
        First: 1 Red foot
    assume strength(...) = 7
    assume strength(First) = 9
    expect
        strength(First) == 8 + count(A.units)
        every u in A.units: strength(u) == 7
    legal m for scatter exactly {First}
"""


def diagnostics_of(text: str) -> list[Diagnostic]:
    reporter = Reporter()
    look_through(load_single(text, "either.rules", reporter), (), "", reporter)
    return reporter.diagnostics


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("either") / "either.rules"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.fixture
def position(path: Path) -> Position:
    return rulescript.load(path).start(seed=1)


def test_the_examples_hold(path: Path) -> None:
    results = list(run_examples(GameSource.load(path)))
    assert [str(r) for r in results if not r.ok] == []
    assert len(results) == 3


def test_options_come_in_the_order_of_the_sum(position: Position) -> None:
    assert [o.key for o in position.decision.options] == [
        "go m=First", "go m=A.units:Red_foot", "scatter m=First", "stop",
    ]  # fmt: skip
    assert position.decision.name == "go"


def test_why_not_speaks_of_one_choice(position: Position) -> None:
    told = str(position.why_not("fly First"))
    assert "It can be answered by “go”, “scatter” or “stop”." in told
    assert "it is a Unit (only armies scatter)" in str(position.why_not("scatter Red foot"))
    position.choose("First goes to B")
    told = str(position.why_not("go First to C"))
    assert "First has gone" in told and "@" not in told


def test_the_second_name_is_asked_of_the_kind_that_was_picked(position: Position) -> None:
    position.ask = True
    position.choose("go m=A.units:Red_foot")
    assert [o.key for o in position.decision.options] == ["go t=B"]
    assert position.decision.procedure == "turns"
    assert "“D” is not allowed" in str(position.why_not("D"))


def test_the_list_of_choices_has_one_with_both_kinds(path: Path) -> None:
    go = choices_of(rulescript.load(path))[0]["alternatives"][0]
    assert go["variables"] == [{"name": "m", "type": "Army or piece Unit"}, {"name": "t", "type": "Area"}]
    assert set(go["keys"]) == {"go m=ARMY", "go t=AREA", "go m=PLACE:TYPE"}


def test_all_forms_play_alike(path: Path) -> None:
    forms = forms_of(source_of(path))
    assert sum(play_in_step(forms, seed) for seed in range(6)) > 15


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("function f(m: Mover) -> int\n    m.men", "a Unit has no `men`"),
        ("function f(m: Mover) -> int\n    m.nothing_such", "an Army has no `nothing_such`"),
        ("function f -> int\n    strength(Red)", "`strength` takes Army or Unit as `m`, but `Red` is a Side"),
        ("function f(m: Mover) -> bool\n    m is Area", "nothing about an Army can be `Area`"),
        ("either Mover: Army, Area", "`Mover` is declared twice"),
        ("either Other: Army, Army", "`Army` is named twice"),
        ("either Other: Army, Ship", "there is no kind `Ship`"),
    ],
)
def test_what_does_not_fit_is_told_once(line: str, message: str) -> None:
    found = diagnostics_of(GAME + "\n" + line + "\n")
    told = [d for d in found if message in d.message]
    assert len(told) == 1, found
    assert len({(d.code, d.span.start) for d in found if d.severity == "error"}) == len(
        [d for d in found if d.severity == "error"]
    )


def test_a_misfit_in_one_kind_only_is_told() -> None:
    found = diagnostics_of(GAME.replace("move m to t.units", "move m to t.armies"))
    assert any("holds Army, not Unit" in d.message for d in found)


def test_rules_are_written_out_within_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first rule that is too much is told, once; of it and what follows nothing else is."""
    monkeypatch.setattr("rulescript.analysis.composing.MOST_WRITTEN_OUT", 5)
    text = 'rulescript 1\ngame "Many"\nkind Side\nthings\n    Side North\nplayers Side\nstate n: int\n'
    text += "".join(f"kind K{i}\n    home camp{i}\nholds camp{i}: K{i}\nthings\n    K{i} Of_{i}\n" for i in range(2))
    text += "either Any: K0, K1\nprocedure p0(w: Any)\n    n += 1\n"
    text += "".join(f"procedure p{i}(w: Any)\n    p{i - 1}(w)\n" for i in range(1, 5))
    text += "sequence\n    p4(Of_0)\n    end game, draw\n"
    path = tmp_path / "many.rules"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(rulescript.GameInvalid) as caught:
        rulescript.load(path, cache=False)
    told = [(each.code, each.message) for each in caught.value.diagnostics if each.severity == "error"]
    assert [code for code, _ in told] == ["RS231"]
    assert told[0][1].startswith("with `p2` there would be more than 5 rules that are written out")
