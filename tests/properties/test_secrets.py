"""What a seat can learn is what its view says, whichever door it asks at.

Each test plays two worlds that one seat may not tell apart, and compares all that the seat can get hold of, order and
spelling included."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript.errors import RulescriptError
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position
from rulescript.testing.hiding import doors

HEAD = """\
rulescript 1
game "Secrets", version "1"
"""
SIDES = """\
things
    Side North  other South
    Side South  other North
    Card A1  North
    Card A2  North
    Card A3  North
    Card B1  South
    Card B2  South
    Card B3  South
players Side
state active: Side
"""


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str], Game]:
    def loaded(text: str) -> Game:
        path = tmp_path / "secrets.rules"
        path.write_text(text, encoding="utf-8")
        return rulescript.load(path, cache=False)

    return loaded


def played(game: Game, keys: Iterable[str], **start: Any) -> Position:
    """A game in which these keys were chosen, by how they end."""
    position = game.start(1, **start)
    for key in keys:
        decision = position.decision
        assert decision is not None
        position.choose(next(o for o in decision.options if o.key.endswith(key)))  # type: ignore[arg-type]
    return position


def all_alike(positions: Iterable[Position], who: str, probes: Iterable[str] = (), asked: Iterable[str] = ()) -> None:
    """Whether a seat gets the same from all of these, letter by letter."""
    told = [doors(position, who, list(probes), list(asked)) for position in positions]
    for one, two in pairwise(told):
        assert one == two


# ------------------------------------------------------------------ states

STATES = (
    HEAD
    + """\
kind Side: other: Side
    holds hand: Card, visible to it, count to others
    holds vault: Card, hidden to others
    state plan: maybe Card
    state plans: set of Card
    state listed: list of Card
kind Card: side: Side
    home side.hand
    state marked: bool
"""
    + SIDES
    + """\
state favourite: maybe Card
phase plan_it "Plan"
    choose pick: c in active.hand "Plan {c}"
        active.plan = c
        favourite = c
        active.plans += c
        active.listed += c
        c.marked = yes
        tell "{active} plans {c}, of {c.side}: {active.plans}"
        move c to active.vault

sequence
    for active in Side
        plan_it
        plan_it
    end game, draw "done"
"""
)


def test_a_state_names_nobody_what_they_may_not_know(load: Callable[[str], Game]) -> None:
    game = load(STATES)
    asked = ["favourite", "North.plan", "North.plans", "North.listed", "A1 in North.plans", "favourite == A1"]
    asked += ["Card[marked]", "some c in Card: c.marked and c.side == North", "count(c in Card if c.marked)"]
    asked += ["A1.marked", "North.plan.marked", "A1.place", "A1 in North.vault", "North.hand", "count(North.vault)"]
    asked += ["max Card by number(it)", "count(North.plans)", "favourite == nothing"]
    asked += ["count(c in North.vault for c in Card)", "count(c == favourite for c in {A1})"]
    worlds = [played(game, keys) for keys in (("A1", "A2"), ("A3", "A1"), ("A2", "A3"))]
    all_alike(worlds, "South", ["pick c=A1", "pick A1", "A3"], asked)
    view = worlds[0].view("South")
    assert view.explain("favourite").said == "hidden" and view.explain("favourite != nothing").value is True
    assert view.explain("count(North.plans)").value == 2 and view.explain("B1.marked").value is False
    assert "A1" not in view.journal.text() and "North plans unknown Card" in view.journal.text()
    mine = worlds[0].view("North").journal.text()
    assert "Favourite is now A1" in mine and "North plans A1, of North: A1" in mine


def test_that_an_unknown_value_changes_for_another_is_not_told(load: Callable[[str], Game]) -> None:
    game = load(STATES.replace("        move c to active.vault\n", ""))
    same, other = (played(game, keys).view("South").journal.text() for keys in (("A1", "A1"), ("A1", "A2")))
    assert same.count("Favourite is now") == other.count("Favourite is now") == 1


# ------------------------------------------------------------------ how many

COUNTS = (
    HEAD
    + """\
kind Side: other: Side
    holds hand: Card, visible to it, hidden to others
    holds vault: Card, visible to it, hidden to others
    holds cellar: Card, visible to it, nonempty to others
kind Card: side: Side
    home side.hand
"""
    + SIDES
    + """\
phase lay "Lay"
    choose any number from active.hand as chosen "Put {chosen}"
        for c in chosen
            move c to active.vault
    choose any number from active.hand as chosen2 "Keep {chosen2}"
        for c in chosen2
            move c to active.cellar
sequence
    for active in Side
        lay
    end game, draw "done"
"""
)


def test_how_many_go_from_one_unseen_place_to_another_is_not_told(load: Callable[[str], Game]) -> None:
    game = load(COUNTS)
    asked = ["count(North.hand)", "some North.vault", "count(North.cellar)", "count(Card[side == North])"]
    first = [("done",), ("A1", "done"), ("A1", "A2", "done"), ("A1", "A2", "A3", "done")]
    all_alike([played(game, (*keys, "done")) for keys in first], "South", ["done", "A1"], asked)
    # Of the cellar all see whether there is something in it, and not how much.
    full = [("done", "A1", "A2", "done"), ("A3", "done", "A1", "done"), ("A1", "A2", "done", "A3", "done")]
    all_alike([played(game, keys) for keys in full], "South", ["done", "A1"], asked)
    told = played(game, full[0]).view("South").journal.text()
    assert "A card came to North's cellar." in told and told.count("cellar") == 1
    assert played(game, full[0]).view("South").places()["North.cellar"] is True


def test_told_bit_by_bit_a_selection_is_one_entry_too(load: Callable[[str], Game]) -> None:
    """Who is told after each decision what came of it reads the same as who asks at the end."""
    game = load(COUNTS)
    told = []
    for keys in [("A1", "done"), ("A1", "A2", "done"), ("A1", "A2", "A3", "done")]:
        position = game.start(1)
        heard = list(position.view("South").journal)
        for key in keys:
            before, decision = position.steps, position.decision
            assert decision is not None
            position.choose(next(o for o in decision.options if o.key.endswith(key)))  # type: ignore[arg-type]
            heard += position.view("South").journal.since(before)
        assert heard == list(position.view("South").journal)
        told.append(heard)
    assert told[0] == told[1] == told[2]


def test_a_selection_is_asked_for_though_nothing_is_left_where_nobody_sees_that(load: Callable[[str], Game]) -> None:
    position = played(load(COUNTS), ("A1", "A2", "A3", "done"))
    assert position.decision is not None and position.decision.player == "North"
    assert [option.key for option in position.decision.options] == ["done"]


# ------------------------------------------------------------------ where things lie

ORDER = (
    HEAD
    + """\
kind Side: other: Side
    holds hand: Card, visible to it, count to others
kind Card: side: Side
    home side.hand
    state down: bool
    hidden when down, known to side, showing "{side} card"
holds board: Card
holds away: Card
"""
    + SIDES
    + """\
phase lay "Lay"
    choose put: c in active.hand "Put {c}"
        c.down = yes
        move c to board
phase show "Show"
    choose put: c in active.hand "Put {c}"
        move c to board
phase clear "Clear"
    choose by South sweep "Sweep"
        for c in board
            move c to away
    or leave "Leave"
sequence
    for active in {North}
        lay
        show
        clear
    end game, draw "done"
"""
)


@pytest.mark.parametrize("sweep", [(), ("sweep",)])
def test_where_a_back_stands_among_faces_tells_nothing(load: Callable[[str], Game], sweep: tuple[str, ...]) -> None:
    game = load(ORDER)
    worlds = [played(game, (*keys, *sweep)) for keys in (("A1", "A2"), ("A3", "A2"))]
    asked = ["board", "count(board)", "board[side == North]", "count(board[side == North])", "A1.down", "A3 in board"]
    asked += ["count(board[down])", "board[down]", "first(Card[down])", "Card[it in board]", "some c in board: c == A1"]
    all_alike(worlds, "South", ["sweep"], asked)
    view = worlds[0].view("South")
    if not sweep:
        assert list(view.places()["board"]) == ["A2", "North card"]
        assert view.explain("count(board[down])").value == 1 and view.explain("board[down]").said == "hidden"
        assert view.explain("board[not down]").value == ("A2",)


CALLED_IN = (
    HEAD
    + """\
kind Side: other: Side
    holds hand: Card, visible to it, count to others
    holds away: Card, visible to it, count to others
kind Card: side: Side
    home side.hand
    state down: bool = yes
    hidden when down, known to side, showing "{side} card"
kind Town
    holds cards: Card
things
    Town Mill
    Town Ford
"""
    + SIDES
    + """\
phase lay "Lay"
    for t in Town
        choose put: c in active.hand "Put {c}"
            move c to t.cards
whenever some t in Town: count(t.cards) > 5
    tell "No room in {t}."
phase call_in "Call in"
    CALL
sequence
    for active in {North}
        lay
        call_in
    end game, draw "done"
"""
)


@pytest.mark.parametrize("call", ["move Town.cards to North.away", "for c in Town.cards\n        move c to North.away"])
def test_what_is_moved_from_several_places_does_not_tell_what_lay_where(load: Callable[[str], Game], call: str) -> None:
    game = load(CALLED_IN.replace("CALL", call))
    worlds = [played(game, keys) for keys in (("A1", "A2"), ("A2", "A1"))]
    all_alike(worlds, "South")
    all_alike(worlds, "spectator")


# ------------------------------------------------------------------ refusals

POUCH = (
    HEAD
    + """\
kind Side: other: Side
    holds pouch: Tile, visible to it, count to others
    holds camp: Tile
values Sort: foot, horse, guns
pieces Tile: side: Side, sort: Sort
    home side.pouch
    state down: bool
    hidden when down, known to side, showing "{side} tile"
things
    Side North  other South
    Side South  other North
counts Tile
    |       | foot | horse | guns |
    | North |    1 |     1 |    1 |
    | South |    1 |     1 |    1 |
players Side
state active: Side
phase camp "Camp"
    choose pitch: t in active.pouch "Pitch {t}"
        t.down = yes
        move t to active.camp
phase march "March"
    choose march: t in Side.camp[side == active] "March {t}"
        require t.side == active
        move t to active.other.camp
sequence
    for active in Side
        camp
    for active in {South}
        march
    end game, draw "done"
"""
)


def test_a_refusal_does_not_tell_what_is_there(load: Callable[[str], Game]) -> None:
    game = load(POUCH)
    sorts = ("foot", "horse", "guns")
    worlds = [played(game, (f"North_{sort}", "South_foot")) for sort in sorts]
    probes = []
    for sort in sorts:
        for place in ("North.pouch", "North.camp", "South.camp", "South.pouch"):
            for how in ("", "(down)"):
                probes += [f"march t=North_{sort}", f"march t={place}:North_{sort}{how}", f"{sort} in {place}"]
        probes += [f"march North {sort}", f"march North {sort} from North pouch", f"pitch t=North.pouch:North_{sort}"]
    all_alike(worlds, "South", probes, ["North.pouch", "count(North.pouch)", "North.camp", "Side.camp[side == South]"])
    for probe in probes:
        said = {str(world.why_not(probe)) for world in worlds}
        said |= {refused(world, probe) for world in worlds}
        assert len(said) == 2, said


def refused(position: Position, line: str) -> str:
    try:
        position.clone().choose(line)
    except RulescriptError as problem:
        return str(problem)
    return "taken"


# ------------------------------------------------------------------ chance

DEALT = (
    HEAD
    + """\
kind Side: other: Side
    holds hand: Card, visible to it, count to others
kind Card: rank: int
    home pile
holds pile: Card, count to others
things
    Side North  other South
    Side South  other North
    Card A1  rank 1
    Card A2  rank 2
    Card A3  rank 3
    Card B1  rank 4
    Card B2  rank 5
    Card B3  rank 6
players Side
state active: Side
phase deal "Deal"
    for s in Side
        draw 2 from pile to s.hand
phase lay "Lay"
    choose put: c in active.hand "Put {c}"
        draw 1 from pile to active.hand
    or keep "Keep"
sequence
    deal
    for active in Side
        lay
        lay
    end game, draw "done"
"""
)


def test_explicit_draws_are_shown_to_who_sees_them(load: Callable[[str], Game]) -> None:
    game = load(DEALT)
    worlds = []
    for first in ("A1", "A2"):
        position = game.start(chance="explicit")
        all_alike([position, game.start(chance="explicit")], "South")
        # The last one to draw is South, of the same cards in both worlds.
        for name in (first, "A3", "B1", "B2"):
            position.choose(f"thing {name}")
        worlds.append(position)
    all_alike(worlds, "South", ["put c=A1"], ["North.hand", "pile", "A1 in pile", "A1.place", "count(pile)"])
    assert "2 cards drawn from the pile" in worlds[0].view("South").journal.text()


def test_a_line_that_is_refused_does_not_foretell(load: Callable[[str], Game]) -> None:
    """Two choices in one line: the second would need what the first one draws."""
    game = load(DEALT)
    for seed in range(8):
        position = game.start(seed)
        hand = sorted(position.view("North").places()["North.hand"])
        others = [name for name in ("A1", "A2", "A3", "B1", "B2", "B3") if name not in hand]
        assert "taken" not in {refused(position, f"put {hand[0]}, put {name}") for name in others}


def test_a_line_does_not_answer_for_somebody_else(load: Callable[[str], Game]) -> None:
    game = load(DEALT)
    for seed in range(8):
        position = game.start(seed).choose("keep")
        theirs = sorted(position.value("South.hand"))
        assert len(theirs) == 2
        assert "taken" not in {refused(position, f"keep, put {name}") for name in theirs}


def test_no_seed_of_a_game_at_a_table_can_be_found(load: Callable[[str], Game]) -> None:
    """Nothing that is drawn hangs on the seed."""
    game = load(DEALT)
    hands = {str(game.start(seed, chance="secure").value("North.hand")) for seed in [7] * 20}
    assert len(hands) > 3


# ------------------------------------------------------------------ sealed answers

SEALED = (
    HEAD
    + """\
kind Side: other: Side
    holds hand: Card, visible to it, count to others
    state bid: int
kind Card: side: Side
    home side.hand
"""
    + SIDES
    + """\
phase bid "Bid"
    each s in Side sealed
        choose by s bid: n in 1..3, c in s.hand "Bid {n} with {c}"
            s.bid = n
sequence
    bid
    end game, draw "done"
"""
)


def test_a_sealed_answer_is_the_same_for_all_until_it_is_opened(load: Callable[[str], Game]) -> None:
    game = load(SEALED)
    worlds = [played(game, keys) for keys in (("n=1", "A1"), ("n=3", "A2"), ("n=3", "A3"))]
    all_alike(worlds, "South", ["bid 1", "bid n=1", "bid n=2"], ["North.bid", "n", "c", "s", "North.hand"])
    assert [e["text"] for e in worlds[0].view("South").journal if e["kind"] == "choice"] == ["(sealed)"]


def test_half_a_choice_is_for_who_makes_it(load: Callable[[str], Game]) -> None:
    game = load(SEALED)
    worlds = [played(game, keys) for keys in (("n=1",), ("n=3",))]
    all_alike(worlds, "South", ["bid"], ["n", "s"])
    with pytest.raises(RulescriptError):
        worlds[0].view("South").explain("n")
    assert worlds[0].view("North").explain("n").value == 1


# ------------------------------------------------------------------ reveals, lots and shuffles

SHOWN = (
    HEAD
    + """\
kind Side: other: Side
    holds hand: Card, visible to it, count to others
    holds deck: Card, hidden to others, ordered
kind Card: side: Side, sharp: bool = no
    home side.hand
things
    Side North  other South
    Side South  other North
    Side East  other North
    Card A1  North, sharp
    Card A2  North, sharp
    Card A3  North
    Card B1  South
players Side
state active: Side
phase look "Look"
    choose by North keep: c in North.hand "Keep {c}"
        move c to North.deck
    for c in North.hand[sharp]
        reveal c to South
    draw 2 from North.hand[sharp] as drawn
    shuffle North.deck
    choose by East on "On"
        shuffle North.deck
    or off "Off"
sequence
    look
    end game, draw "done"
"""
)


def test_what_is_shown_to_one_is_not_counted_for_another(load: Callable[[str], Game]) -> None:
    game = load(SHOWN)
    worlds = [played(game, (key,)) for key in ("A1", "A3")]
    all_alike(worlds, "East", ["on"], ["North.hand[sharp]", "count(North.hand[sharp])", "count(North.hand)"])
    assert "A2" in worlds[0].view("South").journal.text()
    assert "shuffled" not in worlds[0].view("East").journal.text()


# ------------------------------------------------------------------ words of options

WORDS = (
    HEAD
    + """\
kind Side: other: Side
    holds hand: Card, visible to it, count to others
kind Card: side: Side, rank: int
    home side.hand
kind Town
    state taken: bool
things
    Side North  other South
    Side South  other North
    Town Mill
    Town Ford
    Card A1  North, rank 1
    Card A2  North, rank 2
    Card A3  North, rank 3
    Card B1  South, rank 3
holds discard: Card, hidden to others
players Side
state active: Side
phase drop "Drop"
    choose drop: c in active.hand "Drop {c}"
        move c to discard
phase attack "Attack"
    choose attack: t in Town "Attack {t} with {max(c.rank for c in active.hand)}"
        t.taken = yes
sequence
    for active in {North}
        drop
        attack
    end game, draw "done"
"""
)


def test_the_words_of_an_option_are_for_who_chooses(load: Callable[[str], Game]) -> None:
    game = load(WORDS)
    worlds = [played(game, (key, "t=Mill")) for key in ("A1", "A3")]
    all_alike(worlds, "South")
    assert "North: Attack: Mill" in worlds[0].view("South").journal.text()
    assert "North: Attack Mill with 3" in worlds[0].view("North").journal.text()


# ------------------------------------------------------------------ at random


@pytest.mark.parametrize("text", [STATES, COUNTS, ORDER, POUCH, DEALT, SEALED, SHOWN, WORDS])
def test_the_kit_finds_no_leak(text: str, tmp_path: Path) -> None:
    from rulescript.testing import run_conformance

    path = tmp_path / "secrets.rules"
    path.write_text(text, encoding="utf-8")
    report = run_conformance(path, plays=4, seed=random.Random(text).randrange(1000), processes=False)
    assert [str(f.message) for f in report.failures if f.check == "views"] == []


# ------------------------------------------------------------------ what a state of one's own decides

OWN_PLAN = (
    HEAD
    + """\
kind Side: other: Side
    holds hand: Card, visible to it, count to others
    state plan: maybe Card
kind Card: side: Side
    home side.hand
"""
    + SIDES
    + """\
procedure follow(c: Card)
    may by active: back "Back it"
        require c in {A2, B2}
        tell "Backed."

phase plan_it "Plan"
    choose keep: c in active.hand "Keep {c}"
        active.plan = c
    may by active: use "Use it"
        require active.plan in {A1, B1}
        tell "Used."
    choose hand_on: c in active.hand "Hand on {c}"
        follow(c)

sequence
    for active in Side
        plan_it
    end game, draw
"""
)


def test_that_one_is_not_asked_does_not_tell_what_a_state_holds(load: Callable[[str], Game]) -> None:
    game = load(OWN_PLAN)
    kept = [played(game, [f"c={card}"]) for card in ("A1", "A2", "A3")]
    all_alike(kept, "South", ["use"], ["North.plan", "North.plan == A1", "North.plan in {A1, B1}"])
    handed = [played(game, ["c=A3", "pass", f"c={card}"]) for card in ("A1", "A2", "A3")]
    all_alike(handed, "South", ["back"], ["North.plan", "c", "c == A2"])
