"""Saves that somebody changed: every field is looked at before any is used, and the message names the one at fault."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulescript
from rulescript import BadSave, Game, Position, RulescriptError

# Chance before the first choice and in it, dice, draws and shuffles: all that a save may have to hold.
GAME = """\
rulescript 1
game "Sailing", version "1"
kind Crew
    state score: int
    holds hold: Sail, visible to it, count to others
kind Sail: size: int
    home locker
things
    Crew East
    Crew West
    Sail Jib  size 1
    Sail Genoa  size 2
    Sail Spinnaker  size 3
    Sail Storm  size 4
players Crew
holds locker: Sail, count to others, ordered
state active: Crew
state wind: int

phase leave
    shuffle locker
    roll 1d6 as wind_dice
    wind = sum(wind_dice)
    draw 1 from locker to East.hold
phase turn
    choose tack "Tack"
        roll 2d6 as dice
        active.score += sum(dice)
    or hoist "Hoist"
        draw 1 from locker to active.hold
        shuffle locker
    or wait "Wait"
        active.score += 1
sequence
    leave
    repeat 3 times
        for active in Crew
            turn
    end game, draw
"""

SAVED: dict[str, dict[str, Any]] = {
    "with history": {},
    "a snapshot": {"journal": False},
    "explicit": {"chance": "explicit"},
    "explicit, a snapshot": {"chance": "explicit", "journal": False},
    "secure": {"chance": "secure"},
    "secure, a snapshot": {"chance": "secure", "journal": False},
    "asked for all": {"ask": True},
}
FIELDS = [
    "format", "omniscient", "game", "version", "hash", "options", "scenario", "players", "seed", "chance", "ahead",
    "ask", "journal", "opening", "log", "pending", "root", "snapshot",
]  # fmt: skip
NONSENSE: list[Any] = [
    None, True, False, 0, 1, -1, 7, 10**30, 1.0, 1.5, float("nan"), float("inf"), "", "x", "1", "true", "\ud800",
    "a\nb", "explicit", "secure", [], [[]], [None], [True], [1.5], ["x"], [7], ["\ud800"], [["x", "y"]],
    [["wait", "wait"]],
    [["wait", "wait", 3]], [["wait", "wait", [None]]], ["wait", "wait", []], ["", "", []], {}, {"x": 1},
    {"state": [], "block": 1, "check": "0"}, {"unsettled": [[0]]},
]  # fmt: skip


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path: Path = tmp_path_factory.mktemp("sailing") / "sailing.rules"
    path.write_text(GAME, encoding="utf-8")
    return rulescript.load(path)


def started(game: Game, how: str) -> Position:
    """A game a few choices on, with a save of the sort."""
    position = game.start(5, **SAVED[how])
    for key in ("tack", "hoist", "wait"):
        while position._pending is not None:
            position.choose(0)
        position.choose(key)
    while position._pending is not None:
        position.choose(0)
    return position


def same(one: Any, other: Any) -> bool:
    """Equal, and of the same sort all the way down: 1, 1.0 and true are three things."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def use(position: Position) -> None:
    """All that a caller does with a position. An error of ours may come of it, and changes nothing."""
    position.view("East").to_dict()
    position.journal.text()
    again = position.game.from_json(position.to_json())
    assert again.state_hash() == position.state_hash() and again.to_json() == position.to_json()
    position.can_undo("East")
    for _ in range(4):
        if position.decision is None:
            return
        position.choose(position.decision.options[-1].key)
    if position.j is not None:
        position.undo(2)


@pytest.mark.parametrize("how", SAVED)
@pytest.mark.parametrize("name", FIELDS)
def test_nonsense_in_a_field_is_refused_by_name(game: Game, how: str, name: str) -> None:
    """Whatever stands where it does not belong is refused, and the message names the field. What may stand there, such
    as another seed, gives a position that can be used and saved."""
    data = json.loads(started(game, how).to_json())
    for odd in NONSENSE:
        if same(odd, data.get(name)):
            continue
        try:
            position = game.from_json(json.dumps({**data, name: odd}))
        except BadSave as problem:
            assert problem.field, f"{name} = {odd!r}: {problem}"
            assert "Error" not in str(problem), f"{name} = {odd!r}: {problem}"
            assert pickle.loads(pickle.dumps(problem)).field == problem.field
            continue
        assert may_be(data, name, odd), f"{name} = {odd!r} was accepted"
        use(position)


def may_be(data: dict[str, Any], name: str, value: Any) -> bool:
    """What a field may hold beside what it held: nothing was decided by it so far, or it means the same."""
    if name == "ahead":  # numbers that come next
        return isinstance(value, list) and all(type(number) is int for number in value) and (
            not value or data["chance"] == "secure"
        )  # fmt: skip
    if name in ("pending", "root"):  # as if left out
        return value is None
    if name == "version":
        return isinstance(value, str)
    if name == "ask":
        return isinstance(value, bool)
    if name == "seed":  # without a history, only what comes later depends on it
        return data["log"] is None and (value is None or type(value) is int)
    if name == "chance":  # where chance comes from now on
        return value in ("secure", "explicit", None) or isinstance(value, list)
    return False


@pytest.mark.parametrize("how", SAVED)
@pytest.mark.parametrize("name", FIELDS)
def test_a_field_that_is_missing(game: Game, how: str, name: str) -> None:
    data = json.loads(started(game, how).to_json())
    data.pop(name, None)
    if name in ("ahead", "pending", "root"):
        use(game.from_json(json.dumps(data)))
        return
    with pytest.raises(BadSave, match="no save" if name == "format" else f"its `{name}` is missing"):
        game.from_json(json.dumps(data))


@pytest.mark.parametrize("name", ["game", "seed", "log", "check"])
def test_a_field_that_is_there_twice(game: Game, name: str) -> None:
    """Who looks at a save before us may read the first, and we the last."""
    text = game.start(3).to_json()
    data = json.loads(text)
    again = json.dumps({name: data.get(name) or data["snapshot"].get(name)})[1:-1]
    twice = text.replace(f'"{name}":', f'{again},"{name}":', 1)
    with pytest.raises(BadSave, match=f'"{name}" is there twice'):
        game.from_json(twice)


def test_a_field_that_no_save_has(game: Game) -> None:
    data = json.loads(started(game, "with history").to_json())
    with pytest.raises(BadSave, match='there is no field "jurnal"'):
        game.from_json(json.dumps({**data, "jurnal": True}))


@pytest.mark.parametrize("part", ["state", "block", "check"])
@pytest.mark.parametrize("how", SAVED)
def test_nonsense_in_a_part_of_the_snapshot(game: Game, how: str, part: str) -> None:
    data = json.loads(started(game, how).to_json())
    for odd in NONSENSE:
        if not same(odd, data["snapshot"][part]):
            with pytest.raises(BadSave):
                game.from_json(json.dumps({**data, "snapshot": {**data["snapshot"], part: odd}}))
    for short in ({k: v for k, v in data["snapshot"].items() if k != part}, {**data["snapshot"], "more": 1}):
        with pytest.raises(BadSave):
            game.from_json(json.dumps({**data, "snapshot": short}))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(how=st.sampled_from(sorted(SAVED)), changes=st.dictionaries(st.sampled_from(FIELDS), json_values, max_size=3))
def test_no_save_is_opened_that_cannot_be_used(game: Game, how: str, changes: dict[str, Any]) -> None:
    data = json.loads(started(game, how).to_json())
    try:
        position = game.from_json(json.dumps({**data, **changes}))
    except BadSave as problem:
        assert str(problem)
        return
    try:
        use(position)
    except RulescriptError:  # a script may run out
        assert "chance" in changes


@given(text=st.text() | json_values.map(json.dumps))
def test_any_text_is_a_save_or_refused(game: Game, text: str) -> None:
    with pytest.raises(RulescriptError):
        game.from_json(text)


@pytest.mark.parametrize("how", SAVED)
def test_a_save_opens_as_what_it_was(game: Game, how: str) -> None:
    """All of it, what came out before the first choice included."""
    position = started(game, how)
    saved = json.loads(position.to_json())
    assert bool(saved["opening"]) == ("chance" in SAVED[how])
    again = game.from_json(json.dumps(saved))
    assert json.loads(again.to_json()) == saved
    if not how.startswith("secure"):
        assert use(again) == use(position) and again.to_json() == position.to_json()


@pytest.mark.parametrize("journal", [True, False])
@pytest.mark.parametrize("answered", range(4))
def test_a_game_that_waits_for_chance_at_its_beginning(game: Game, journal: bool, answered: int) -> None:
    position = game.start(5, chance="explicit", journal=journal)
    for _ in range(answered):
        if position._pending is not None:
            position.choose(0)
    again = game.from_json(position.to_json())
    assert again.to_json() == position.to_json() and again.choose(0).to_json() == position.choose(0).to_json()


@pytest.mark.parametrize("how", ["explicit, a snapshot", "secure, a snapshot"])
def test_an_opening_of_another_game(game: Game, how: str) -> None:
    """Without a history nothing but the rules tells that it was changed."""
    data = json.loads(started(game, how).to_json())
    for other in (data["opening"][:-1], [*data["opening"], 3], [99, *data["opening"][1:]], ["Jib"], []):
        with pytest.raises(BadSave) as problem:
            game.from_json(json.dumps({**data, "opening": other}))
        assert problem.value.field == "opening"


def test_a_script_is_looked_at_before_it_is_used(game: Game) -> None:
    for odd in ([None], [True], [1.5], [{}], [[None]], [[1.5]], [[True]], [b"x"], [object()], ["\ud800"], [["\ud800"]]):
        with pytest.raises(rulescript.BadOption, match="an outcome of chance is"):
            game.start(chance=odd)
    order = ["Jib", "Storm", "Genoa", "Spinnaker"]
    assert game.start(chance=iter([tuple(order), 4])).value("wind") == "4"


def test_a_save_of_another_layout_is_played_again(game: Game) -> None:
    """Another version of rulescript may keep the same rules in other slots: then the choices tell, not the snapshot."""
    position = started(game, "with history")
    data = json.loads(position.to_json())
    data["snapshot"].update(layout="0" * 24, state=[7] * 3, block=3, check="0" * 24)
    assert game.from_json(json.dumps(data)).state_hash() == position.state_hash()
    del data["snapshot"]["layout"]  # as older saves are
    assert game.from_json(json.dumps(data)).state_hash() == position.state_hash()


@pytest.mark.parametrize("layout", ["0" * 24, None])
def test_without_its_choices_a_save_of_another_layout_is_refused(game: Game, layout: str | None) -> None:
    data = json.loads(started(game, "a snapshot").to_json())
    del data["snapshot"]["layout"]
    if layout is not None:
        data["snapshot"]["layout"] = layout
    with pytest.raises(BadSave, match="another version of rulescript") as caught:
        game.from_json(json.dumps(data))
    assert caught.value.field == "snapshot"


@pytest.mark.parametrize("odd", [None, 7, "", "x", []])
def test_nonsense_for_a_layout_is_refused(game: Game, odd: Any) -> None:
    data = json.loads(started(game, "with history").to_json())
    data["snapshot"]["layout"] = odd
    with pytest.raises(BadSave, match="layout"):
        game.from_json(json.dumps(data))


TYPED = """rulescript 1
game "Typed", version "1"
values Weather: calm, gale, fog
kind Crew
    state score: int
    state reef: 0..3
    state ready: bool
    state mood: Weather
    state rival: maybe Crew
things
    Crew East
    Crew West
players Crew
state active: Crew
state late: bool
state seen: set of Weather
state dice: list of int
state word: text = "none"
state next_one: maybe Weather

sequence
    for active in Crew
        choose wait "Wait"
            active.score += 1
            active.reef = 2
            active.ready = yes
            active.mood = gale
            active.rival = active
            late = yes
            seen += fog
            dice = dice + [3]
            word = "some"
            next_one = calm
        or pass
    end game, draw
"""


def test_a_state_that_its_type_does_not_allow_is_refused(tmp_path: Path) -> None:
    """Also if whoever changed it worked out anew what tells that it was changed."""
    path = tmp_path / "typed.rules"
    path.write_text(TYPED, encoding="utf-8")
    game = rulescript.load(path)
    checked = 0
    for entry in game.data.states:
        odd: list[Any] = ["x", (), ("x",), -1, 99, 10**12] if entry.type != ["text"] else [3, None]
        if entry.type == ["int"] and entry.bounds is None:
            odd = ["x", (), None]
        elif entry.type == ["list", ["int"]]:
            odd = ["x", 3, None, ("x",), (None,)]
        for value in odd:
            position = game.start(1, journal=False).choose("wait")
            position.s[entry.slot] = value
            with pytest.raises(BadSave) as caught:
                game.from_json(position.to_json())
            assert caught.value.field == "snapshot", (entry.name, value)
            checked += 1
    for odd_seed in ("x", -1, 1 << 64, None):
        position = game.start(1, journal=False).choose("wait")
        position.s[1] = odd_seed
        with pytest.raises(BadSave):
            game.from_json(position.to_json())
    assert checked > 40
    position = game.start(1, journal=False).choose("wait")
    assert game.from_json(position.to_json()).state_hash() == position.state_hash()


# Rules that wait inside others, one of which calls itself, with names for a piece, a thing and a number.
WAITING = """\
rulescript 1
game "Waiting", version "1"
kind Side
    holds box: Unit
kind Town
    holds units: Unit
things
    Side North
    Side South
    Town Mill
    Town Ford
values Arm: foot, horse
pieces Unit: side: Side, arm: Arm
    home side.box
counts Unit
    |       | foot | horse |
    | North |    3 |     2 |
    | South |    2 |     2 |
players Side
state active: Side
phase act "Act"
    choose pick: u in active.box "Pick {u}"
        march(u, 2)
procedure march(u: Unit, left: int)
    for t in Town
        choose go: x in Town "Go {left} {x} {t}"
            move u to x
    if left > 0
        march(u, left - 1)
    choose last: several(u.side) "{u}"
function several(s: Side) -> set of Town
    Town
sequence
    repeat 2 times
        for active in Side
            act
    end game, draw
""".replace(
    'choose last: several(u.side) "{u}"', 'choose last: x in several(u.side) "Last {u} {x}"\n        move u to x'
)


def _names(game: Game) -> list[tuple[int, Any]]:
    """The slots of names with what none of them can stand for: a text, a pile, a number far too large."""
    odd: list[Any] = ["x", {"unsettled": [[0]]}]
    types = {"piece": [-1, 10**9, [1]], "thing": [-1, 99], "int": [[1]], "bool": [2], "set": [-1, 10**9], "list": [3]}
    sorts = {slot: type_[1] if type_[0] == "maybe" else type_ for slot, type_ in game.data.name_types.items()}
    return [
        (slot, value)
        for slot, type_ in sorts.items()
        if type_[0] in types and slot not in game.passing
        for value in (*odd, *types[type_[0]])
    ]


def _changed(game: Game, position: Position, slot: int, value: Any) -> str:
    """The save of a position with something else in a slot, and the fingerprint that belongs to that."""
    from rulescript.runtime.saves import _tuples

    data = json.loads(position.to_json())
    data["snapshot"]["state"][slot] = value
    state = [_tuples(each) for each in data["snapshot"]["state"]]
    data["snapshot"]["check"] = Position(game, state, data["players"], False).state_hash()
    return json.dumps(data)


def test_names_and_callers_that_cannot_be_so_are_refused(tmp_path: Path) -> None:
    """Whoever changes a state can change its fingerprint too. What the types of names exclude, where no rule was
    called, and what no rule has kept is refused all the same."""
    (tmp_path / "waiting.rules").write_text(WAITING, encoding="utf-8")
    game = rulescript.load(tmp_path / "waiting.rules", cache=False)
    changes = _names(game)
    assert len({slot for slot, _ in changes}) > 5
    changes += [(slot, value) for slot in game.data.calls for value in (-1, 10**6, None, [1], "x")]
    changes += [(3, value) for value in (0, [], [1], [None, 1, 1], ["x", [], 1])]
    changes += [(4, value) for value in (-2, 99, None, "x")]
    position = game.start(1, journal=False)
    for _ in range(8):
        assert game.from_json(position.to_json()).state_hash() == position.state_hash()
        opened = []
        for slot, value in changes:
            try:
                game.from_json(_changed(game, position, slot, value))
            except BadSave:
                continue
            opened.append((slot, value))
        assert opened == []
        position.choose(0)
    assert position.s[3] is not None  # a rule has called itself
