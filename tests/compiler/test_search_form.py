"""The search form plays exactly the games the plain form plays."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any

import pytest

import rulescript
from rulescript.claims import GameSource
from rulescript.compiler import code as c
from rulescript.compiler import forms
from rulescript.compiler.passes.unit import Pass, Unit, rewritten
from rulescript.errors import PlayError
from rulescript.loader import load_single
from rulescript.machine import answers, effort
from rulescript.pipeline import compile_text, loading
from rulescript.processes import can_fork
from rulescript.runtime.forms import Playing
from rulescript.runtime.game import Game
from tests.compiler.in_step import decisions_of, forms_of, play_in_step
from tests.forms import play_alike, played, quick_code
from tests.properties.made_pieces import Maker

ROOT = Path(__file__).resolve().parents[2]
GAMES = [
    "attrition_of_souls",
    *(str(p) for p in sorted((ROOT / "docs" / "cookbook").glob("[0-9]*.rules.md"))[::4]),
]


@pytest.mark.parametrize("where", GAMES, ids=lambda w: Path(w).name)
def test_same_games(where: str) -> None:
    game = rulescript.load(where)
    assert play_alike(game, limit=2_000)


def test_state_is_the_same_at_every_decision() -> None:
    """But for names that are over."""
    game = rulescript.load("attrition_of_souls")
    states = [decisions_of(game, code, seed=2, most=300, chance=99) for code in (game.code, quick_code(game))]
    assert len(states[0]) == 300
    assert states[0] == states[1]


KEPT = [
    *GAMES[:1],
    "quartermaster_general_1914",
    *(str(p) for p in sorted((ROOT / "docs" / "cookbook").glob("[0-9]*.rules.md"))),
]


def often(places: list[str]) -> list[Any]:
    """Those that are played every time; the others in the long run."""
    always = (*GAMES, "quartermaster_general_1914")  # the one with ways that may be taken at any time
    return [pytest.param(where, marks=[pytest.mark.long] * (where not in always)) for where in places]


@pytest.mark.parametrize("where", often(KEPT), ids=lambda w: Path(w).name)
def test_what_is_kept_is_what_would_be_worked_out(where: str) -> None:
    """At every decision: where pieces stand, as far as it is up to date, is where they are found anew; and who begins
    anew from the slots that both forms have is asked the same."""
    game = rulescript.load(where)
    code, size, rng = quick_code(game), len(game.data.initial), Random(4)
    if not any(name.startswith("QS") for name in code):
        return
    for number in range(2):
        play: Any = Playing()
        state = list(game.data.initial)
        state[1] = number
        code["begin"](state)
        block = code["B"][game.data.start]
        for _ in range(150):
            play.w = effort.WORK.done = 0
            while block is not None:
                block = block(play, state)
            fresh = state[:size]
            code["begin"](fresh)
            for name in [name for name in code if name.startswith("QS")]:
                first, changed = int(name[2:]), code[f"QD{name[2:]}"]
                answers.find_present(fresh, changed, first, code[name])
                for slot, _ in code[name]:
                    assert (fresh[slot] ^ state[slot]) & ~state[changed] == 0
            if not state[0]:
                break
            anew: Any = Playing()
            anew.w = 0
            again = code["B"][state[0]]
            while again is not None:
                again = again(anew, fresh)
            assert (fresh[0], list(anew.o)) == (state[0], list(play.o))
            block = code["C"][state[0]](play, state, play.o[int(rng.random() * len(play.o))])


ALL = ["to_the_last_man", "lamps_are_going_out", "imperial_tide", *KEPT]


@pytest.mark.parametrize("where", often(ALL), ids=lambda where: Path(where).name)
def test_a_number_means_what_is_written_in_its_run(where: str) -> None:
    """At every decision: where a run has a number, it is the number of just what is written there; so is what was
    gathered of it."""
    game = rulescript.load(where)
    code, rng = quick_code(game), Random(5)
    runs: dict[int, list[int]] = {}
    for table in (code.get("NU_number", ()), code.get("NU_gathered", ())):
        for at, slot in enumerate(table):
            runs.setdefault(slot, []).append(at)
        runs.pop(table[0] if table else -1, None)  # what has none
    meant: dict[tuple[int, int], Any] = {}
    for number in range(2 if runs else 0):
        play: Any = Playing()
        state = list(game.data.initial)
        state[1] = number
        code["begin"](state)
        block = code["B"][game.data.start]
        for _ in range(400):
            play.w = effort.WORK.done = 0
            while block is not None:
                block = block(play, state)
            for slot, run in runs.items():
                if state[slot]:
                    written = [state[at] for at in run]
                    if isinstance(state[slot], answers.Gathered):
                        assert state[slot].run == written
                        continue
                    assert meant.setdefault((slot, state[slot]), written) == written
            if not state[0]:
                break
            block = code["C"][state[0]](play, state, play.o[int(rng.random() * len(play.o))])


def test_the_search_form_is_made_once_it_is_worth_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path))
    monkeypatch.setattr("rulescript.runtime.game.MANY_DECISIONS", 100)
    monkeypatch.setattr("rulescript.processes.cores", lambda: 1)  # there is nobody else to make it
    where = GAMES[1]
    few = rulescript.load(where)
    first = few.playouts(1, seed=5)
    assert few.search is None
    few.playouts(20, seed=6)
    assert few.search is not None and few.search.code is not few.code
    assert few.playouts(1, seed=5) == first
    again = rulescript.load(where)  # from the cache: the search form is there at once
    assert again.playouts(1, seed=5) == first
    assert again.search is not None and quick_code(again) is not again.code


@pytest.mark.skipif(not can_fork(), reason="no process can begin as a copy of this one here")
def test_it_is_made_beside_play_and_nobody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path))
    monkeypatch.setattr("rulescript.runtime.game.MANY_DECISIONS", 100)
    monkeypatch.setattr("rulescript.runtime.game.LOOK_AGAIN", 10)
    monkeypatch.setattr("rulescript.processes.cores", lambda: 2)
    monkeypatch.setattr("rulescript.pipeline.loading._search_text", _made_there(os.getpid()))
    game = rulescript.load(GAMES[1])
    assert not list(tmp_path.rglob("*.search"))
    first = game.playouts(1, seed=5)
    game.playouts(20, seed=6)
    deadline = time.monotonic() + 60
    while game.search is None:
        assert time.monotonic() < deadline
        game.playouts(1, seed=7)
    assert game.search is not game.plain
    assert game.playouts(1, seed=5) == first


def test_nobody_waits_in_a_process_with_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a process is not copied: another begins, and puts the form into the cache."""
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path))
    monkeypatch.setattr("rulescript.runtime.game.MANY_DECISIONS", 100)
    monkeypatch.setattr("rulescript.runtime.game.LOOK_AGAIN", 10)
    monkeypatch.setattr("rulescript.processes.cores", lambda: 2)
    monkeypatch.setattr("rulescript.pipeline.loading._search_text", _made_there(os.getpid()))
    game, done = rulescript.load(GAMES[1]), threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        first = game.playouts(1, seed=5)
        deadline = time.monotonic() + 120
        while game.search is None:
            assert time.monotonic() < deadline
            game.playouts(1, seed=7)
    finally:
        done.set()
        other.join()
    assert game.search is not game.plain
    assert game.playouts(1, seed=5) == first


def _made_there(here: int) -> Callable[[Game], Any]:
    """Making the search form, which this process must not do itself."""
    make = loading._search_text

    def made(game: Game) -> Any:
        assert os.getpid() != here
        return make(game)

    return made


def test_of_rules_that_changed_since_no_search_form_is_made(tmp_path: Path) -> None:
    """The form is made of the text again, and that must still say what is being played."""
    path = tmp_path / "coins.rules"
    text = (
        'rulescript 1\n\ngame "Coins"\n\nkind Side\n\nthings\n    Side One\n    Side Two\n\nplayers Side\n\n'
        'state active: Side\nstate score: int\n\nphase act\n    repeat 5 times\n        choose n in 1..6 "Take {n}"\n'
        "            score += n\n\nsequence\n    act\n    end game, draw\n"
    )
    path.write_text(text, encoding="utf-8")
    game, other = rulescript.load(path, cache=False), rulescript.load(path, cache=False)
    for each in (game, other):
        each.text = None  # as if it came from the cache
    path.write_text(text.replace("score += n", "score += n + 1"), encoding="utf-8")
    assert game.prepare().search is game.plain
    assert len(game.playouts(3)) == 3
    path.write_text(text, encoding="utf-8")
    assert other.prepare().search is not other.plain


@pytest.mark.parametrize("bound", ["MOST_SEARCHED", "MOST_FUNCTIONS"])
def test_a_very_large_game_has_none_and_plays(bound: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"rulescript.compiler.module.{bound}", 3)
    game = rulescript.load(GAMES[1], cache=False)
    assert game.prepare().search is game.plain
    assert game.playouts(2, seed=5) == rulescript.load(GAMES[1]).playouts(2, seed=5)


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
    for code in (game.code, quick_code(game)):
        with pytest.raises(PlayError) as caught:
            played(game, code, 1, 10)
        said.append(str(caught.value))
    assert said[0] == said[1]
    assert "zero.rules" in said[0]


def test_it_is_the_same_text_every_time() -> None:
    texts = [loading._search_text(rulescript.load(GAMES[1], cache=False)) for _ in range(2)]
    assert texts[0] is not None and texts[0] == texts[1]


# ------------------------------------------------------------------ games in which much is kept


@pytest.mark.parametrize("more", [0, 12])
def test_pieces_that_are_moved_and_change_state(more: int, tmp_path: Path) -> None:
    """A state that lasts a phase, moves between all sorts of places, and questions where pieces stand; on few and on
    many places, where the state is put back only where it may be."""
    towns = "".join(f"    Town T{number}\n" for number in range(more))
    roads = "".join(f"    road A - T{number}\n" for number in range(more))
    path = tmp_path / "moves.rules"
    path.write_text(
        'rulescript 1\n\ngame "Moves"\n\nkind Side\n    holds box: Unit\n\nthings\n    Side One\n    Side Two\n\n'
        "players Side\n\nkind Town\n    state held: Side = One\n    holds units: Unit\n\n"
        "values Arm: foot, horse\n\npieces Unit: side: Side, arm: Arm\n"
        "    state moved: bool, lasts march\n    home side.box\n\n"
        f"map Land\n    link road\n    Town A\n    Town B\n    Town C\n    Town D\n{towns}{roads}"
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
    assert game.search is not None or game.prepare().search is not game.plain
    found = [decisions_of(game, code, seed=8, games=5) for code in (game.code, quick_code(game))]
    assert found[0] == found[1]


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


@pytest.mark.parametrize("way", WAYS)
def test_the_same_options_as_without(way: str, tmp_path: Path) -> None:
    path = tmp_path / "march.rules"
    path.write_text(GAME.replace("{march}", WAYS[way]), encoding="utf-8")
    game = rulescript.load(path, cache=False)
    found = [decisions_of(game, code, seed=8, games=6, most=400) for code in (game.code, quick_code(game))]
    assert len(found[0]) > 200
    assert found[0] == found[1]


# ------------------------------------------------------------------ names that are read later, or not


HEAD = """rulescript 1

game "Who reads it", version "1"

kind Side: other: Side
    holds box: Unit
things
    Side Red   other Blue
    Side Blue  other Red
players Side

kind Area: owner: Side, big: bool = no
    state control: Side = owner
    state marked: bool
    holds units: Unit
map M
    link road
    Area A  Red, big
    Area B  Blue
    Area C  Red
    Area D  Blue, big
    Area E  Red
    Area F  Blue
    Area G  Red, big
    road A - B
    road B - C
    road C - D
    road D - E
    road E - F
    road F - G

pieces Unit: side: Side
    state tired: bool, lasts in Area
    state hurt: bool
    home side.box
things
    Unit Red_foot   Red, 5
    Unit Blue_foot  Blue, 5

holds graves: Unit
state active: Side
state mood: Side
state n: int
"""
TAIL = """
sequence
    place 4 Red_foot in A
    place 4 Blue_foot in B
    for active in Side
        repeat 3 times
            play
    end game, draw
"""
BODIES = {
    "drawn into a place where a state ends": """
phase play "Play"
    for u in Area.units
        u.tired = yes
    draw 2 from A.units to graves
    choose go: u in Area.units "go {u}"
        draw 1 from B.units to u.side.box
        n += count(u.side.box[tired])
    or pass
""",
    "drawn in a branch, read after it": """
phase play "Play"
    for u in Area.units
        u.tired = yes
    choose go: a in Area "go {a}"
        if some a.units
            draw 1 from a.units to graves
        else
            draw 2 from graves to a.units
        draw 1 from graves to active.box as gone
        for u in gone
            u.hurt = yes
    or pass
""",
    "a state that a called rule changes in every round": """
procedure flip
    if mood == Red
        mood = Blue
    else
        mood = Red

procedure sweep
    for a in Area
        if a in Area[control == mood.other and big] + Area[control == mood and not big]
            a.marked = yes
            n += 1
        flip()

phase play "Play"
    sweep()
    choose go: a in Area "go {a}"
        a.control = a.control.other
        sweep()
    or pass
""",
    "several ways beside a list that comes back": """
phase play "Play"
    repeat
        choose go: a in Area "go {a}"
            require a.control == active
            a.control = a.control.other
        or stop "Stop"
        or choose back: u in active.box "back {u}"
            require count(A.units) < 6
            move u to A.units
        or choose away: u in A.units "away {u}"
            require u.side == active
            move u to u.side.box
            n += 1
            if n > 20
                stop
""",
    "ways asked for again where something was written in between": """
route ways(a: Area, s: Side) from a by road
    enter b
        require b.control == s and none b.units[hurt]
    through b
        require not b.marked

function reached(a: Area, s: Side) -> int
    count(ways(a, s)) * 10 + count(ways(a, s.other))

function best(s: Side) -> int
    max(reached(a, s) for a in Area)

procedure sweep(s: Side)
    for a in Area
        if reached(a, s) > 9
            a.marked = not a.marked
        else
            a.control = a.control.other
        n = (n + reached(a, s) + best(s)) mod 1000

phase play "Play"
    sweep(active)
    sweep(active.other)
    choose go: u in Area.units, a in Area "go {u} {a}"
        require a in ways(u.place, active) or u.place == a
        n = (n + best(active)) mod 1000
        u.hurt = yes
        n = (n + best(active)) mod 1000
        move u to a.units
        sweep(active)
    or pass
""",
    "any of any, and none of some, while pieces go": """
function crowded(a: Area) -> bool
    some b in a.road: some c in b.road: some u in c.units: u.side != a.control

phase play "Play"
    for a in Area
        if some b in a.road: some b.units
            n += 1
        if some b in Area: some u in b.units: u.side == mood and u.tired
            mood = mood.other
        if crowded(a)
            move up to 1 from a.units to graves
        for u in a.units[side == mood]
            u.tired = not u.tired
    choose go: u in Area.units "go {u}"
        require u.side == mood and (not u.tired or n mod 2 == 0) and some b in u.place.road: some b.units
        move u to graves
        n += 1
    or choose back: u in graves, a in Area "back {u} {a}"
        require none b in a.road: some c in b.road: some c.units[tired]
        move u to a.units
    or pass
""",
    "rules that are counted where they are called": """
function depth(k: int, a: Area) -> int
    if k <= 0 then count(a.units) else depth(k - 1, a) + count(Area[depth(k - 2, it) > 2])

function weight(a: Area) -> int
    sum(count(b.units) * depth(2, b) for b in a.road)

procedure shift(a: Area)
    for u in a.units
        if weight(a) > 3
            u.tired = yes

procedure both(a: Area)
    shift(a)
    for b in a.road
        shift(b)

phase play "Play"
    repeat 2 times
        both(only(Area[it == A]))
    for a in most Area by weight(it)
        n += 1
        both(a)
    choose go: a in Area "go {a}"
        require some b in a.road: weight(b) >= depth(1, a)
        n = sum(weight(b) for b in Area) mod 1000
        move up to 1 from a.units to graves
    or pass
""",
    "moved and changed at once, and looked for again": """
phase play "Play"
    choose go: u in Area.units, a in Area "go {u} {a}"
        move u to a.units
        u.tired = yes
        move u to graves
        u.hurt = yes
        if u.tired
            n += 1
        move u to a.units
        u.tired = yes
        u.hurt = no
    or pass
""",
    "a condition under which something is only told": """
procedure look(b: Area)
    for a in Area
        if some a.units[hurt]
            tell "Somebody is hurt in {a}."
    for a in Area
        if some a.units[hurt]
            let gone = n
        else if a.marked
            a.marked = no
    for a in Area
        if a.marked
            a.marked = no
        else if some a.units[hurt]
            tell "Hurt, and not marked: {a}."
        else if some a.units[side == Red]
            a.marked = yes
    b.marked = yes
phase play "Play"
    choose go: u in Area.units, a in Area "go {u} {a}"
        u.hurt = not u.hurt
        look(a)
    or pass
""",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_all_forms_play_alike(body: str, tmp_path: Path) -> None:
    path = tmp_path / "game.rules"
    path.write_text(HEAD + body + TAIL, encoding="utf-8")
    forms = forms_of(GameSource.load(path))
    assert sum(play_in_step(forms, seed, 60) for seed in range(4)) > 8


def test_fog_of_war_can_be_played_out() -> None:
    assert len(rulescript.load("attrition_of_souls", options=["fog_of_war"]).playouts(60)) == 60


GAMES_BY_NAME = [
    "attrition_of_souls",
    "imperial_tide",
    "lamps_are_going_out",
    "quartermaster_general_1914",
    "to_the_last_man",
]


@pytest.mark.parametrize("name", GAMES_BY_NAME)
def test_no_name_of_a_function_hides_what_the_module_calls_so(name: str) -> None:
    """Passes make names of their own; where one was also that of a function, the function called its own number."""
    game = rulescript.load(name)
    for code in (game.code, quick_code(game)):
        functions = {key: each for key, each in code.items() if isinstance(each, FunctionType)}
        made = {key: each for key, each in functions.items() if each.__code__.co_filename.startswith("<")}
        assert len(made) > 100
        names = made.keys()
        assert not {(key, hidden) for key, each in made.items() for hidden in names & set(each.__code__.co_varnames)}


NUMBERED = re.compile(r"([a-z]+)\d+")


def test_no_pass_makes_a_name_that_is_there_already(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a pass calls `n18` must be nobody else's: where a loop's number was called `n23`, the list that it went
    through was taken for it as soon as that had the slot 23. So names that are made one after the other begin otherwise
    in each pass, and otherwise than what was written before it."""
    taken: dict[str, set[str]] = {}

    def watched(each: Pass) -> Pass:
        def run(unit: Unit) -> None:
            before = names_in(unit)
            each(unit)
            made = stems(names_in(unit) - before) & stems(before)
            if made:
                taken.setdefault(each.__name__, set()).update(made)

        run.__name__ = each.__name__
        return run

    monkeypatch.setitem(forms.FORMS, "search", tuple(watched(each) for each in forms.FORMS["search"]))
    for seed in (0, 5, 9, 13, 21, 5256):
        compile_text(load_single(Maker(seed).made().text(), "names.rules")).prepare()
    assert not taken


def stems(names: set[str]) -> set[str]:
    return {found.group(1) for name in names if (found := NUMBERED.fullmatch(name))}


def names_in(unit: Unit) -> set[str]:
    found: set[str] = set()

    def look(code: c.Code) -> c.Code:
        if isinstance(code, c.Name):
            found.add(code.text)
        return c.altered(code, look)

    for function in unit.functions:
        found.update(function.params)
        rewritten(function.body, look)
    return found
