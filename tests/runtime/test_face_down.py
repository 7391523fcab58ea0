"""Pieces that lie face down: what others can tell of them, how long they lie so, and places that an option hides."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulescript
from rulescript.errors import GameInvalid
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position
from rulescript.testing import run_conformance

GAME = """\
rulescript 1
game "Blocks in the mist"

kind Side: adjective: text
    holds camp: Block
    holds lost: Block
things
    Side North  adjective "northern"
    Side South  adjective "southern"
players Side

values Sort: foot, guns, smoke
pieces Block: side: Side, sort: Sort
    home side.camp
    text "{side.adjective} {sort}"
counts Block
    |       | foot | guns | smoke |
    | North |    2 |    1 |     1 |
    | South |    2 |    1 |     1 |

kind Field
    holds blocks: Block
map Plain
    link road
    Field Mill
    Field Ford
    Field Ridge
    road Mill - Ford - Ridge
state active: Side

procedure bring(b: Block, f: Field)
    move b to f

phase set_out "Setting out"
    repeat 3 times
        choose bring: b in active.camp, f in Field "Bring {b} to {f}"
            bring(b, f)
        or stop "Enough"

phase march "March"
    may choose march: b in Field.blocks, f in Field "March {b} from {b.place} to {f}"
        require b.side == active
        require f in b.place.road
        move b to f

phase scouting "Scouting"
    may choose look: f in Field "Look at {f}"
        require some f.blocks[side != active]
        uncover(f)

phase parting "Parting"
    may choose leave: b in Field.blocks "Withdraw {b} from {b.place}"
        require b.side == active
        move b to b.side.lost

procedure uncover(f: Field)
    tell "All is seen."

sequence
    repeat 2 times
        for active in Side
            set_out
            march
            scouting
            parting
    end game, draw

option mist "Mist"
    kind Side
        holds camp: Block, visible to it, count to others
    pieces Block
        state face_down: bool, lasts in Field
        hidden when face_down, known to side, showing "{side.adjective} block"
    before bring(b, f)
        b.face_down = yes
    after uncover(f)
        for b in f.blocks[face_down]
            b.face_down = no

option smog "Smog"
    kind Side
        holds camp: Block, visible to it, hidden to others

option late_smog "Late smog", after mist
    kind Side
        holds camp: Block, visible to it, hidden to others
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mist") / "mist.rules"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def game(file: Path) -> Game:
    return rulescript.load(file, options=["mist"], cache=False)


def brought(game: Game, *choices: str) -> Position:
    position = game.start(seed=1)
    for choice in choices:
        position.choose(choice)
    return position


FIRST = ("bring b=North.camp:North_guns", "bring f=Mill", "bring b=North.camp:North_foot", "bring f=Mill", "stop")


def test_others_see_what_the_back_shows(game: Game) -> None:
    position = brought(game, *FIRST)
    assert position.view("South").places()["Mill.blocks"] == {"northern block": 2}
    assert position.view("North").places()["Mill.blocks"] == {
        "North_foot(face_down)": 1,
        "North_guns(face_down)": 1,
    }


def test_the_journal_calls_it_by_its_back(game: Game) -> None:
    position = brought(game, *FIRST, "march b=Mill.blocks:North_guns(face_down)")
    told = position.view("South").journal.text()
    assert "1 northern block came from North's camp to Mill." in told
    assert "1 northern block went from Mill to Ford." in told
    assert "guns" not in told
    assert "northern guns" in position.view("North").journal.text()


def test_where_a_place_is_hidden_not_even_the_back_is_told(file: Path) -> None:
    game = rulescript.load(file, options=["mist", "late_smog"], cache=False)
    position = brought(game, *FIRST)
    assert "South.camp" not in position.view("North").places()
    assert "North.camp" not in position.view("South").places()


def test_a_state_that_lasts_in_a_place_ends_with_leaving_it(game: Game) -> None:
    position = brought(game, *FIRST, "march b=Mill.blocks:North_guns(face_down)")
    assert position.value("Ford.blocks") == {"North_guns(face_down)": 1}
    assert not position.view("South").journal.text().count("guns")
    position.choose("leave b=Ford.blocks:North_guns(face_down)")
    assert "1 northern guns (face down) left Ford (lost)." in position.view("South").journal.text()
    assert not position.can_undo()
    assert position.value("North.lost") == {"North_guns": 1}
    assert position.view("South").places()["North.lost"] == {"North_guns": 1}


def test_what_was_turned_up_cannot_be_taken_back(game: Game) -> None:
    position = brought(game, *FIRST, "pass", "pass")
    for choice in ("bring b=South.camp:South_foot", "bring f=Mill", "stop", "pass"):
        position.choose(choice)
    assert position.decision is not None and position.decision.name == "look"
    position.choose("look f=Mill")
    assert position.view("South").places()["Mill.blocks"] == {"North_foot": 1, "North_guns": 1, "South_foot": 1}
    assert not position.can_undo("South")


def test_what_nobody_learned_anything_from_can_be_taken_back(game: Game) -> None:
    position = brought(game, *FIRST[:2])
    assert position.decision is not None and position.decision.player == "North"
    assert position.can_undo("North")


def test_without_the_option_all_lies_open(file: Path) -> None:
    position = brought(rulescript.load(file, cache=False), *FIRST[:2])
    assert position.view("South").places()["Mill.blocks"] == {"North_guns": 1}
    assert position.view("South").places()["North.camp"] == {"North_foot": 2, "North_smoke": 1}


def test_two_options_must_not_say_differently_who_sees_a_place(file: Path) -> None:
    with pytest.raises(GameInvalid) as problem:
        rulescript.load(file, options=["mist", "smog"], cache=False)
    assert [d.code for d in problem.value.diagnostics] == ["RS308"]
    assert "who sees `camp` is said by `mist` and by `smog`" in str(problem.value)


WRONG = {
    "lasts in a kind that holds none": (
        "state face_down: bool, lasts in Field",
        "state face_down: bool, lasts in Side\n        state odd: bool, lasts in Sort",
        "nothing of Sort holds Block",
    ),
    "lasts in no kind": ("lasts in Field", "lasts in Meadow", "there is no kind `Meadow`"),
    "nobody's state": (
        "state active: Side",
        "state active: Side\nstate wind: bool, lasts in Field",
        "only what a thing",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_state_must_be_able_to_last_there(what: str, tmp_path: Path) -> None:
    right, wrong, said = WRONG[what]
    assert right in GAME
    path = tmp_path / "wrong.rules"
    path.write_text(GAME.replace(right, wrong), encoding="utf-8")
    with pytest.raises(GameInvalid) as problem:
        rulescript.load(path, options=["mist"], cache=False)
    assert said in str(problem.value)


# ------------------------------------------------------------------ the conformance kit looks at face-down pieces


def test_nobody_can_tell_face_down_pieces_apart(file: Path) -> None:
    report = run_conformance(file, plays=6, options=["mist"], processes=False)
    assert [str(f.message) for f in report.failures] == []
    assert report.checks["views"] > 20


LEAKS = {
    "a text that tells": (
        "    after uncover(f)\n",
        '    state said: text = ""\n    after bring(b, f)\n        said = if b.sort == foot then "north foot" else '
        '"north guns"\n    after uncover(f)\n',
    ),
    "a back that tells": ('showing "{side.adjective} block"', 'showing "{side.adjective} {sort}"'),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_found(leak: str, tmp_path: Path) -> None:
    right, wrong = LEAKS[leak]
    assert right in GAME
    path = tmp_path / "leak.rules"
    path.write_text(GAME.replace(right, wrong), encoding="utf-8")
    report = run_conformance(path, plays=20, options=["mist"], processes=False)
    assert {failure.check for failure in report.failures} == {"views"}, report.notes


@pytest.mark.parametrize("told", ["{b}", "{b.sort}", "{if b.sort == b.sort then b.sort else b.sort}"])
def test_a_text_does_not_name_what_its_reader_may_not_know(told: str, tmp_path: Path) -> None:
    right = "    after uncover(f)\n"
    path = tmp_path / "told.rules"
    text = GAME.replace(right, f'    after bring(b, f)\n        tell "It is {told}."\n{right}')
    path.write_text(text, encoding="utf-8")
    report = run_conformance(path, plays=5, options=["mist"], processes=False)
    assert [str(f.message) for f in report.failures] == []


def test_states_that_last_in_a_place_for_things_piles_and_draws(tmp_path: Path) -> None:
    """Moved one by one, as a pile, from a set, or drawn: whatever comes elsewhere is as it started."""
    from rulescript.claims import GameSource, run_examples

    path = tmp_path / "dug_in.rules"
    path.write_text(LASTING, encoding="utf-8")
    failed: list[Any] = [str(r) for r in run_examples(GameSource.load(path)) if not r.ok]
    assert failed == []


LASTING = """\
rulescript 1
game "Digging in"
kind Side
    holds box: Unit
things
    Side North
    Side South
players Side
values Level: low, middle, high
pieces Unit: side: Side
    home side.box
    state dug_in: bool, lasts in Field
    state level: Level = low, lasts in Field
kind Leader: side: Side
    home inn
    state tired: bool = yes, lasts in Field
    state mood: Level = middle, lasts in Field
    state years: int = 3, lasts in Field
kind Field
    holds units: Unit
    holds leaders: Leader
holds inn: Leader
holds graves: Unit
things
    Unit Red    North, 4
    Unit Blue   South, 4
    Field Mill
    Field Ford
    Leader Ada  North
    Leader Bo   South
state active: Side

phase parting
    may choose leave: u in Field.units "Withdraw {u}"
        move u to u.side.box
        tell "{u} is gone"

procedure all_leave
    move Field.units to graves
    move Ada to inn

procedure some_leave
    move Field.leaders to inn
    move 1 from Field.units to graves

procedure lottery
    draw 2 from Mill.units to graves as drawn
    for u in drawn
        u.dug_in = yes

procedure change_fields
    move Mill.units to Ford
    move Ada to Ford

sequence
    for active in Side
        parting
    end game, draw

example "A pile and a thing"
    given empty, active North, run all_leave
        Mill: 2 Red (dug_in, level high), 1 Blue (level middle), Ada (not tired, mood high, years 7)
        Ford: 1 Red (dug_in)
    expect
        graves has exactly 3 Red (not dug_in, level low), 1 Blue (level low)
        Ada.tired and Ada.mood == middle and Ada.years == 3

example "A set, and one of a pile"
    given empty, active North, run some_leave
        Mill: 1 Blue (dug_in), Ada (not tired), Bo (not tired, mood low)
    expect
        graves has exactly 1 Blue (not dug_in)
        Ada.tired and Bo.tired and Bo.mood == middle

example "Drawn, and dug in again"
    given empty, active North, run lottery
        Mill: 2 Blue (dug_in, level high)
    play
        draw 2 Blue (dug_in)
    expect
        graves has exactly 2 Blue (dug_in, level low)

example "From field to field nothing ends"
    given empty, active North, run change_fields
        Mill: 2 Blue (dug_in, level high), Ada (not tired, years 9)
    expect
        Ford has exactly 2 Blue (dug_in, level high), Ada
        not Ada.tired and Ada.years == 9

example "One that was picked"
    given empty, active North, at parting
        Mill: 2 Blue (dug_in, level high)
    play
        North: withdraw Blue
    expect
        South.box has 3 Blue (not dug_in, level low)
        Mill has exactly 1 Blue (dug_in)
"""


def test_random_games_in_the_mist_save_and_undo(game: Game) -> None:
    rng = Random(3)
    position = game.start(seed=3)
    while position.decision is not None:
        loaded = game.from_json(position.to_json())
        assert loaded.view("South").to_json() == position.view("South").to_json()
        position.choose(rng.randrange(len(position.decision.options)))
    position.undo(position.steps)
    assert position.steps == 0


ASKING = """\
rulescript 1
game "Volleys"
values Side: North, South
players Side
values Sort: foot, guns
holds box: Block
pieces Block: side: Side, sort: Sort
    home box
    state face_down: bool, lasts in Field
    hidden when face_down, known to side
counts Block
    |       | foot | guns |
    | North |    2 |    2 |
    | South |    2 |    2 |
kind Field: open: bool = yes
    state smoke: bool
    holds blocks: Block
things
    Field Mill
    Field Ford  not open
state active: Side

phase volley "Volley"
    may choose fire: f in Field "Fire in {f}"
        require f.open and not f.smoke "a clear view"
        require some f.blocks[side == active and sort == guns] "guns are there"
        f.smoke = yes

sequence
    for active in Side
        volley
    end game, draw

"""


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        # Nobody may learn that the block is no gun.
        ("Mill: 1 North foot (face_down)", "asks North fire"),
        ("Mill: 1 North guns (face_down)", "asks North fire"),
        # All can see that it is none.
        ("Mill: 1 North foot", "asks nobody"),
        ("", "asks nobody"),
        # All can see that nothing can be fired at.
        ("Mill: 1 North foot (face_down), smoke", "asks nobody"),
        ("Ford: 1 North guns (face_down)", "asks nobody"),
    ],
)
def test_who_is_not_asked_tells_nothing_about_what_lies_face_down(given: str, expected: str, tmp_path: Path) -> None:
    from rulescript.claims import GameSource, run_examples

    example = f'example "Who is asked"\n    given empty, active North, at volley\n        {given or "Mill: empty"}\n'
    path = tmp_path / "volleys.rules"
    path.write_text(f"{ASKING}{example}    {expected}\n", encoding="utf-8")
    failed = [str(d) for r in run_examples(GameSource.load(path)) for d in r.failures]
    assert failed == []


TAKING = """\
rulescript 1
game "Sorting"
kind Side
    holds hand: Token, visible to it, count to others
    holds table: Token
things
    Side North
    Side South
players Side
values Sort: foot, guns, horse
pieces Token: side: Side, sort: Sort
    home side.hand
counts Token
    |       | foot | guns | horse |
    | North |    1 |    1 |     1 |
    | South |    1 |    1 |     1 |
state active: Side

phase sorting "Sorting"
    choose put_down: any number from active.hand[sort != horse] as put "Put down {put}"
        move put to active.table

sequence
    for active in Side
        sorting
    end game, draw
"""


@pytest.mark.parametrize("first", ["foot", "guns"])
def test_whoever_takes_several_is_asked_until_he_says_that_is_all(first: str, tmp_path: Path) -> None:
    """The guns come last in the list: if nothing more were asked for, everybody would know what was taken."""
    path = tmp_path / "sorting.rules"
    path.write_text(TAKING, encoding="utf-8")
    position = rulescript.load(path, cache=False).start()
    position.choose(f"put_down put=North.hand:North_{first}")
    assert position.decision is not None
    assert (position.decision.player, position.decision.name) == ("North", "put_down")
    position.choose("done")
    assert position.value("North.table") == {f"North_{first}": 1}
    assert position.decision is not None and position.decision.player == "South"
