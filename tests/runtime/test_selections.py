"""Several at once, in any order: whatever is picked, in a list or in words, comes to what the one path comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, islice
from random import Random

import pytest

import rulescript
from rulescript.errors import BadChoice
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.runtime.game import Game
from rulescript.runtime.position import Decision, Option, Position
from rulescript.runtime.selections import Selection

HEAD = """\
rulescript 1
game "Selections"
kind Side: other: Side
    holds box: Unit
    holds dead: Unit
    holds pile: Card
    holds hand: Card, visible to it, count to others
    holds shown: Card
things
    Side North  other South
    Side South  other North
players Side
kind Town
    holds units: Unit
map M
    link road
    Town Mill
    Town Castle
    road Mill - Castle
values Arm: foot, guns, horse
pieces Unit: side: Side, arm: Arm
    state tired: bool
    home side.box
counts Unit
    |       | foot | guns | horse |
    | North |    6 |    3 |     2 |
    | South |    6 |    3 |     2 |
kind Card: side: Side, price: int
    home side.pile
things
    Card Ace    North, price 5
    Card Ruse   North, price 2
    Card Levy   North, price 1, 3
    Card Raid   South, price 4
    Card Scout  South, price 1
    Card Mud    South, price 1, 2
state active: Side
state total: int
phase work
    BODY
sequence
    place 2 North foot, 2 North guns, 1 North horse in Mill
    place 1 North foot, 1 North horse in Castle
    place 3 South foot, 1 South guns in Castle
    for u in Mill.units[arm == foot]
        u.tired = yes
    for s in Side
        move s.pile to s.hand
    for active in Side
        work
    end game, draw
"""
BODIES = {
    "exactly two": """\
choose lose: 2 from Town.units[side == active] as lost "Lose {lost}"
        move lost to active.dead""",
    "fewer there": """\
choose lose: 9 from Castle.units[side == active] as lost "Lose {lost}"
        move lost to active.dead""",
    "half forced": """\
choose lose: 4 from Castle.units as lost "Lose {lost}"
        for u in lost
            move u to u.side.dead""",
    "up to": """\
choose lose: up to 3 from Mill.units as lost "Lose {lost}"
        for u in lost
            move u to u.side.dead""",
    "any number, or pass": """\
choose lose: any number from Castle.units[side == active] as lost "Lose {lost}"
        move lost to active.dead
    or pass "Keep all" """,
    "at least one": """\
choose commit: any number from Castle.units[side == active] as sent "Commit {sent}"
        require some u in sent: u.side == active "at least one"
        move sent to Mill""",
    "copies": """\
choose discard: 3 from active.hand as gone "Discard {gone}"
        move gone to active.shown""",
    "a price": """\
choose pay: any number from active.hand as paid "Pay with {paid}"
        require sum(c.price for c in paid) == 5 or sum(c.price for c in paid) == 4 "worth four or five"
        move paid to active.shown""",
    "no two alike": """\
choose pay: up to 3 from Town.units[side == active] as paid "Send {paid}"
        require every a in Arm: count(paid[arm == a]) <= 1 "no two of an arm"
        move paid to active.dead""",
    "numbers": """\
choose mark: 2 from 3..8 as marked "Mark {marked}"
        total = sum(n for n in marked)""",
    "numbers that add up": """\
choose mark: any number from 1..7 as marked "Mark {marked}"
        require sum(n for n in marked) == 9
        total = size(marked)""",
    "two ways": """\
choose lose: 2 from Castle.units[side == active] as lost "Lose {lost}"
        move lost to active.dead
    or choose show: up to 2 from active.hand as seen "Show {seen}"
        move seen to active.shown
    or wait "Wait" """,
    "sealed": """\
together
        North: choose show: 2 from North.hand as a "Show {a}"
            move a to North.shown
        South: choose show: up to 2 from South.hand as b "Show {b}"
            move b to South.shown""",
    "each sealed": """\
each s in Side sealed
        choose by s show: 2 from s.hand as a "Show {a}"
            move a to s.shown""",
    "any of": """\
choose by any of Side lose: 2 from Town.units[side == chooser] as lost "Lose {lost}"
        move lost to chooser.dead
    or pass "Nobody" """,
}


def game_of(body: str) -> Game:
    return compile_text(load_single(HEAD.replace("BODY", body), "selections.rules"))


def asked(position: Position) -> Decision:
    assert isinstance(position.decision, Decision)
    return position.decision


def told(position: Position) -> tuple[object, ...]:
    """All that can be told of a position: state, log and story."""
    log = [step.key for step in position.history()]
    return position.state_hash(), log, position.journal.text(), position.to_json()


def all_selections(position: Position, selection: Selection) -> Iterator[tuple[int, ...]]:
    """Every selection there is, by going along all options where nothing is taken unasked."""
    trial = position.clone()
    trial.ask = True

    def onward(here: Position, values: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for option in asked(here).options:
            if option.label not in (selection.label, "done"):
                continue
            after = here.clone()
            after.choose(option)
            more = values
            if option.label != "done":
                more = (*values, option.raw[1] if isinstance(option.raw, tuple) else option.raw)
            if after.d == selection._entry.later:
                yield from onward(after, more)
            else:
                yield more

    yield from onward(trial, ())


def along(position: Position, selection: Selection, values: tuple[int, ...]) -> Position:
    """Where a selection leads, by choosing option after option for as long as it is asked for."""
    entry, here = selection._entry, position.clone()
    there = here.s[entry.items]
    for at, value in enumerate(values, len(selection.before)):
        is_first = at == 0
        if not is_first and not (here.d == entry.later and here.s[entry.items] is there):
            return here
        if not is_first and len(here.s[entry.chosen]) > at:
            continue
        here.choose(next(o for o in asked(here).options if o.raw in (value, (selection.alt, value))))
    goes_on = here.d == entry.later and here.s[entry.items] is there
    if goes_on or not values:
        here.choose(next(o for o in asked(here).options if o.label == "done"))
    return here


def check_selection(position: Position, random: Random, most: int) -> int:
    """Every selection of a position (or some), picked in any order, in every form; how many were looked at."""
    looked = 0
    for selection in asked(position).selections:
        found = list(islice(all_selections(position, selection), 3 * most))
        sample = found if len(found) <= most else random.sample(found, most)
        ends = {values: along(position, selection, values) for values in sample}
        for values, end in ends.items():
            _check_one(position, selection, list(values), told(end), random)
        all_known = len(found) <= most
        _check_none_else(position, selection, {e.state_hash() for e in ends.values()}, all_known, random)
        looked += len(ends)
    return looked


def _check_one(
    position: Position, selection: Selection, picks: list[int], expected: tuple[object, ...], random: Random
) -> None:
    here = selection
    random.shuffle(picks)
    for value in picks:
        item = next(item for item in here.items if item.value == value)
        assert item.count >= 1
        here = here.pick(item)
    assert here.is_complete and here.least == 0
    for answer in (
        here,
        [selection.option(v) for v in picks],
        [selection.option(v).key for v in picks],
        tuple(selection.option(v).text for v in picks),
    ):
        trial = position.clone()
        assert trial.choose(answer) is trial  # type: ignore[arg-type]
        assert told(trial) == expected
    if picks:
        names = [selection.option(v).text.partition(": ")[2] for v in picks]
        line = f"{selection.label.replace('_', ' ')} {', '.join(names)}"
        trial = position.clone()
        trial.choose(line)
        assert told(trial) == expected, line
        assert position.why_not(line).allowed, line


def _check_none_else(position: Position, selection: Selection, ends: set[str], all_known: bool, random: Random) -> None:
    """What is no selection is refused, with a reason and without a change; what is one leads to an end of the path."""
    before = told(position)
    pool = selection.all_items
    for number in range(0, min(selection.most, 3) + 2):
        combinations = list(combinations_with_replacement(pool, number))
        for values in combinations if len(combinations) < 15 else random.sample(combinations, 15):
            trial = position.clone()
            try:
                trial.choose([selection.option(v) for v in values])
            except BadChoice as problem:
                assert problem.message
                assert told(trial) == before
                assert selection.fault(selection.wholly(values)) is not None
            else:
                assert trial.state_hash() in ends or not all_known


@pytest.mark.parametrize("most", [12, pytest.param(40, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", BODIES)
def test_any_order_comes_to_the_one_path(name: str, most: int) -> None:
    game, random, looked = game_of(BODIES[name]), Random(7), 0
    position = game.start(3)
    while position.decision is not None:
        if asked(position).selection is not None:
            looked += check_selection(position, random, most)
        position.choose(random.choice(asked(position).options))
    assert looked or name == "fewer there"  # all that are there are taken unasked


def test_what_can_be_picked_and_how_many() -> None:
    position = game_of(BODIES["exactly two"]).start()
    selection = asked(position).selection
    assert selection is not None
    assert {item.name: item.count for item in selection.items} == {
        "North guns in Mill": 2,
        "North horse in Mill": 1,
        "North foot (tired) in Mill": 2,
        "North foot in Castle": 1,
        "North horse in Castle": 1,
    }
    assert (selection.least, selection.most, selection.picked) == (2, 2, ())
    assert not selection.is_restricted and not selection.is_complete
    last = selection.items[-1]
    one = selection.pick(last)
    assert [item.key for item in one.picked] == [last.key]
    assert last.key not in [item.key for item in one.items]
    assert (one.least, one.most) == (1, 1)
    assert one.unpick(last).items == selection.items
    with pytest.raises(BadChoice, match="was not picked"):
        selection.unpick(last)
    with pytest.raises(BadChoice, match="no more|is due, |only"):
        one.pick(last)


def test_what_was_answered_item_by_item_is_not_unpicked() -> None:
    position = game_of(BODIES["exactly two"]).start()
    assert position.decision is not None and position.decision.selection is not None
    first = position.decision.selection.items[0]
    position.choose(first.option)
    selection = position.decision.selection
    assert selection is not None and [item.key for item in selection.picked] == [first.key]
    with pytest.raises(BadChoice, match="was answered already"):
        selection.unpick(selection.picked[0])


def test_too_few_are_told_and_not_filled_up() -> None:
    position = game_of(BODIES["exactly two"]).start()
    before = told(position)
    for answer in ("lose North guns", ["North guns"], "lose 1 North horse in Castle"):
        with pytest.raises(BadChoice, match="two are due, one is named"):
            position.choose(answer)  # type: ignore[arg-type]
    with pytest.raises(BadChoice, match="two are due, three are named"):
        position.choose("lose 2 North guns, 1 North horse in Mill")
    with pytest.raises(BadChoice, match="only 1 of North horse in Mill"):
        position.choose("lose 2 North horse in Mill")
    with pytest.raises(BadChoice, match="could mean"):
        position.choose("lose North horse, North foot")
    with pytest.raises(BadChoice, match="two are due, three are named"):
        position.choose("lose 2 North horse, foot")  # and never the next player's foot
    with pytest.raises(BadChoice, match="none is named"):
        position.choose([])
    with pytest.raises(BadChoice, match="nothing to pick"):
        position.choose([3, 4])  # type: ignore[list-item]
    assert told(position) == before
    refusal = position.why_not("lose North guns")
    assert not refusal.allowed and "two are due, one is named" in refusal.text
    assert position.why_not("lose North guns, North horse in Mill").allowed
    assert position.choose("lose North horse in Castle, North guns").value("North.dead") == {
        "North_guns": 1,
        "North_horse": 1,
    }


def test_a_whole_that_breaks_a_requirement_is_refused_with_it() -> None:
    position = game_of(BODIES["a price"]).start()
    selection = asked(position).selection
    assert selection is not None and selection.is_restricted and selection.least == 1
    with pytest.raises(BadChoice) as refused:
        position.choose(["Levy", "Ruse"])
    assert "together they are not allowed" in str(refused.value)
    assert refused.value.refusal is not None
    assert refused.value.refusal.clauses[0].label == "worth four or five"
    assert not position.why_not("pay Levy, Ruse").allowed
    assert position.why_not("pay Ruse, 2 Levy").allowed
    # With the dear card nothing else may be paid.
    assert selection.pick("Ace").items == ()
    assert {item.name for item in selection.pick("Levy").items} == {"Levy", "Ruse"}
    assert position.choose(["2 Levy", "Ruse"]).value("North.shown") == {"Ruse": 1, "Levy_1": 1, "Levy_2": 1}


def test_a_view_shows_it_to_who_decides_alone() -> None:
    for name in ("copies", "each sealed", "sealed"):
        position = game_of(BODIES[name]).start()
        mine = position.view("North").to_dict()["decision"]
        theirs = position.view("South").to_dict()["decision"]
        assert {item["name"] for item in mine["selection"]["items"]} == {"Ace", "Ruse", "Levy"}
        assert mine["selection"]["most"] == (3 if name == "copies" else 2)
        assert set(theirs) == {"player", "prompt"}


def test_no_selection_where_one_is_chosen() -> None:
    position = rulescript.load("docs/cookbook/01-first-turn.rules.md").start(seed=1)
    assert asked(position).selection is None and asked(position).selections == ()
    with pytest.raises(BadChoice, match="one is chosen here"):
        position.choose([asked(position).options[0]])
    with pytest.raises(BadChoice, match="is no option"):
        position.choose({"a": 1})  # type: ignore[arg-type]


def test_half_of_it_is_taken_by_itself_and_may_be_named_again() -> None:
    position = game_of(BODIES["half forced"]).start()
    selection = asked(position).selection
    assert selection is not None
    names = Counter({i.name: i.count for i in selection.picked}) + Counter({i.name: i.count for i in selection.items})
    assert sum(names.values()) >= 4
    assert sum(i.count for i in selection.picked) + selection.most == 4
    whole = position.clone().choose("lose South guns, 3 South foot")
    assert whole.value("South.dead") == {"South_foot": 3, "South_guns": 1}
    with pytest.raises(BadChoice, match="are due, "):
        position.choose("lose South guns, South foot, North foot, North horse, South foot")


def test_options_of_lists_are_options_of_any_position() -> None:
    game = game_of(BODIES["exactly two"])
    first, second = game.start(), game.start()
    options = [asked(first).options[0], asked(first).options[-1]]
    assert all(isinstance(option, Option) for option in options)
    assert second.choose(options).state_hash() == first.choose(options[::-1]).state_hash()
