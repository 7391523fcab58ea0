"""When something is known, by whom, and by whose hand: what made-up games (`made_secrets.py`) found, one case for each
sort. What would tell is refused; what is allowed looks the same to others."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript import GameInvalid
from rulescript.testing.hiding import doors
from tests.properties.test_secret_names import ACT, CARDS, NOTHING, loaded, played, written

PICK = ACT + 'choose by North pk: c in North.hand "Pick"\n        '
GUESS = 'may by South: guess "Guess"\n            require {}\n            South.points = 1\n'
ASKED = 'procedure st(s: Side, {}: {})\n    may by s: strike "Strike"\n        require {}\n        s.points = 1\n'
MARKED = "c.mark = yes\n        "
TOO_EARLY = {
    "asked before it is moved into the open": PICK + GUESS.format("c.red") + "        move c to board\n",
    "asked before it is shown": PICK + GUESS.format("c.red") + "        reveal c\n",
    "worked out before it is moved": PICK + "let b = c.red\n        " + GUESS.format("b") + "        move c to board\n",
    "moved, and hidden there too": PICK + "move c to North.vault\n        " + GUESS.format("c.red"),
    "a loop that moves": ACT + "for c in North.hand\n        move c to North.vault\n        " + GUESS.format("c.red"),
    "something else is shown": PICK + "for d in South.hand\n            reveal d\n        " + GUESS.format("c.red"),
    "shown to another": PICK + "reveal c to North\n        " + GUESS.format("c.red"),
    "from one of two places": PICK.replace("North.hand", "(North.hand + North.vault)") + GUESS.format("c.red"),
    "picked out of all there are": PICK.replace("North.hand", "Card[side == North]") + GUESS.format("c.red"),
    "kept of all there are": PICK.replace("North.hand", "Card[side == North]") + "current = c\n        "
    + GUESS.format("current == A1"),
    "drawn where it is hidden": ACT + "draw 1 from North.hand to North.vault as d\n    if night\n        "
    + GUESS.format("some d[red]"),
    "what a procedure gives back": "procedure st -> Card\n"
    '    choose by North pk: c in North.hand "Pick"\n        return c\n    return A1\n'
    + ACT + "let x = st()\n    if night\n        " + GUESS.format("x.red"),
}  # fmt: skip
BY_WHOM = {
    "a thing": ASKED.format("c", "Card", "c.red") + PICK + "st(South, c)\n",
    "for two": ASKED.format("c", "Card", "c.red") + PICK + "st(North, c)\n        st(South, c)\n",
    "yes or no": ASKED.format("b", "bool", "b") + ACT + "st(South, some North.hand[red])\n",
    "a number": ASKED.format("n", "int", "n > 1") + ACT + "st(South, count(North.hand[red]))\n",
    "what a function gives": ASKED.format("n", "bool", "n") + ACT + "st(South, best(North) == A1)\n",
    "through another": ASKED.format("c", "Card", "c.red") + "procedure hey(t: Side, d: Card)\n    st(t.other, d)\n"
    + PICK + "hey(North, c)\n",
    "whoever is active": ASKED.format("c", "Card", "c.red") + PICK + "st(active, c)\n",
    "moved by the rule": "procedure st(c: Card)\n    move c to North.vault\n    if night\n        "
    + GUESS.format("c.red") + PICK + "st(c)\n",
}  # fmt: skip
OF_ANY = {
    "of one by its name": PICK + MARKED + GUESS.format("A1.mark"),
    "of one among all": PICK + MARKED + GUESS.format("some Card[mark]"),
    "how many of all": PICK + MARKED + GUESS.format("count(Card[mark]) > 1"),
    "handed on by its name": "procedure st(c: Card)\n    if night\n        " + GUESS.format("c.mark") + PICK + MARKED
    + "st(A1)\n",
    "given back by a rule": "procedure st(c: Card) -> Card\n    return c\n" + PICK + MARKED + "let x = st(A1)\n        "
    + GUESS.format("x.mark"),
    "in a function": "function fine(c: Card) -> bool\n    c.mark\n" + PICK + MARKED + GUESS.format("fine(A1)"),
    "that it lies face down": PICK + "c.down = yes\n        " + GUESS.format("A1.down"),
}  # fmt: skip
# The same without anything that lies face down: then only the places hide.
PLAIN = CARDS.replace("    hidden when down, known to spotters(it)\n", "")


def with_marks(text: str) -> str:
    return text.replace("    state spotter", "    state mark: bool\n    state spotter", 1)


@pytest.mark.parametrize("name", [*TOO_EARLY, *BY_WHOM, *OF_ANY])
@pytest.mark.parametrize("head", [CARDS, PLAIN], ids=["faces", "plain"])
def test_what_would_tell_too_much_is_refused(tmp_path: Path, name: str, head: str) -> None:
    rules = (TOO_EARLY | BY_WHOM | OF_ANY)[name]
    with pytest.raises(GameInvalid) as problem:
        loaded(tmp_path, with_marks(written([rules, NOTHING]).replace(CARDS, head)))
    codes = {d.code for d in problem.value.diagnostics if d.severity == "error"}
    assert codes == {"RS311"}


ALLOWED = {
    "moved into the open": PICK + "move c to board\n        " + GUESS.format("c.red"),
    "shown": PICK + "reveal c\n        " + GUESS.format("c.red"),
    "shown to who is asked": PICK + "reveal c to South\n        " + GUESS.format("c.red"),
    "its owner is asked": ASKED.format("c", "Card", "c.red") + PICK + "st(North, c)\n",
    "its owner's other's other": ASKED.format("c", "Card", "c.red") + PICK + "st(South.other, c)\n",
    "who picked it out of all is asked": PICK.replace("North.hand", "Card[side == North]")
    + GUESS.format("c.red").replace("South", "North"),
    "of those in the open": PICK + MARKED + GUESS.format("some board[mark]"),
    "of one that lies in the open": PICK + MARKED + GUESS.format("A1 in board and A1.mark"),
}


@pytest.mark.parametrize("name", ALLOWED)
def test_what_its_chooser_may_know_is_allowed(tmp_path: Path, name: str) -> None:
    loaded(tmp_path, with_marks(written([ALLOWED[name], NOTHING]).replace(CARDS, PLAIN)))


ALIKE = {
    "for each of some that were handed over": (
        "procedure st(some_: set of Card)\n"
        '    choose by North pl: each c in some_ to t in Town as places "{c} goes for {t}"\n        North.points += 0\n'
        + ACT + "st(North.hand[red])\n",
        ("A1 A3", "A3 A4"),
    ),
    "words about what was picked out of all": (
        PICK.replace("North.hand", "Card[side == North]")
        + 'choose by North use: t in Town "Use {c.rank} in {t}"\n            night = yes\n',
        ("A1 A2 c=A3 t=Mill", "A1 A2 c=A4 t=Mill"),
    ),
    "something at any time, among several": (
        ACT + 'choose by North mm: up to 2 from North.hand as l "Take {l}"\n        night = yes\n'
        'aside hey: c in North.hand "Aside" by North during act\n    require not night\n    night = yes\n',
        ("A1 A2 c=A3 done", "A1 A2 c=A4 done"),
    ),
    "by lot among what may be none": (ACT + "draw 1 from North.hand[red] as d\n    night = yes\n", ("A1 A2", "A3 A4")),
    "a selection with one that may not be there": (
        ACT + 'choose by North mm: any number from North.hand as l "Take {l}"\n        require A1 in l\n'
        "        for c in l\n            c.spotter = North\n",
        ("A1 A2", "A3 A4"),
    ),
    "two of them, with one that may not be there": (
        ACT + 'choose by North mm: 2 from North.hand as l "Take {l}"\n        require some l[red]\n'
        "        for c in l\n            c.spotter = North\n",
        ("A1 A2", "A3 A4"),
    ),
    "the label of what has no name in the rule": (
        ACT + 'tell "It is {label(only(most k in North.vault by number(k)))}."\n',
        ("A1 A2", "A3 A4"),
    ),
    "a state that holds what lies face down": (
        PICK + "c.down = yes\n        move c to board\n        current = A3\n",
        ("A1 A2 A3", "A1 A2 A4"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ALIKE)
def test_what_is_allowed_looks_the_same_to_others(tmp_path: Path, name: str) -> None:
    rules, worlds = ALIKE[name]
    game = loaded(tmp_path, written([rules, NOTHING]))
    here, there = (doors(played(game, keys, 0), "South") for keys in worlds)
    assert here == there


FACE_DOWN = """rulescript 1
game "Backs", version "1"
kind Side
    holds hand: Card, visible to it, hidden to others
    state points: int
kind Card: side: Side
    home side.hand
    state down: bool
    state mark: bool
    hidden when down, known to side, showing "{side} card"
things
    Side North
    Side South
    Card A1  North
    Card A2  North
    Card B1  South
players Side
holds board: Card
state active: Side
phase spread "Spread"
    choose by North spread: c in North.hand "Spread {c}"
        c.down = yes
        c.mark = yes
        move c to board
phase turn "Turn"
BODY
sequence
    spread
    for active in [South, North]
        turn
    end game, draw
"""


def test_whoever_a_name_stands_for_is_not_believed_to_be_another(tmp_path: Path) -> None:
    asked = '    each s in {North, South} sealed\n        choose by s pick: c in board[side == X] "Pick"\n'
    asked += "            s.points += 1\n        or pass\n"
    loaded(tmp_path, FACE_DOWN.replace("BODY", asked.replace("X", "s")))
    with pytest.raises(GameInvalid) as problem:
        loaded(tmp_path, FACE_DOWN.replace("BODY", asked.replace("X", "active")))
    assert {d.code for d in problem.value.diagnostics if d.severity == "error"} == {"RS311"}


def test_why_not_does_not_tell_where_a_card_lies_that_is_named(tmp_path: Path) -> None:
    asked = '    choose by active pick: c in board[side == active] "Pick"\n        require c.mark\n'
    asked += "        active.points += 1\n    or pass\n"
    # South is asked since a card of his own lies there too.
    shared = FACE_DOWN.replace(
        "        move c to board\n", "        move c to board\n    B1.down = yes\n    move B1 to board\n"
    )
    game = loaded(tmp_path, shared.replace("BODY", asked))
    told = []
    for spread in ("A1", "A2"):
        position = game.start(1).choose(f"spread c={spread}")
        assert position.decision is not None and position.decision.player == "South"
        told.append([str(position.view("South").why_not(f"pick c={card}")) for card in ("A1", "A2")])
    assert told[0] == told[1]
    assert "A1 is not one of" in told[0][0]


def test_what_lies_face_down_does_not_say_whether_a_hand_is_asked_for(tmp_path: Path) -> None:
    asked = '    choose by North take: d in North.hand[not mark] "Take"\n'
    asked += "        require some k in board[side == North]: k == A1\n        d.mark = yes\n"
    game = loaded(tmp_path, FACE_DOWN.replace("BODY", asked))
    worlds = [game.start(1).choose(f"spread c={card}") for card in ("A1", "A2")]
    assert [each.decision is not None and each.decision.player for each in worlds] == ["North", "North"]
    assert doors(worlds[0], "South") == doors(worlds[1], "South")


POUCH = """rulescript 1
game "Pouches", version "1"
kind Side
    holds pouch: Unit, visible to it, LEVEL to others
values Arm: foot, horse
pieces Unit: side: Side, arm: Arm
    home side.pouch
things
    Side North
    Side South
counts Unit
    |       | foot | horse |
    | North |    2 |     1 |
    | South |    1 |     1 |
players Side
holds lost: Unit, visible to North, hidden to others
state active: Side
phase lose "Lose"
    choose by North drop: u in North.pouch "Drop {u}"
        move u to lost
phase luck "Luck"
    choose by South look "Look"
    or stay "Stay"
    draw 1 from North.pouch to lost
sequence
    lose
    luck
    end game, draw
"""


@pytest.mark.parametrize("level", ["count", "nonempty", "hidden"])
@pytest.mark.parametrize("who", ["South", "spectator"])
def test_that_chance_has_one_outcome_is_not_told(tmp_path: Path, level: str, who: str) -> None:
    """With the horse gone there are two foot left, and nothing to wait for but the name of it."""
    game = loaded(tmp_path, POUCH.replace("LEVEL", level))
    worlds = []
    for arm in ("foot", "horse"):
        position = game.start(1, chance="explicit")
        worlds.append(position.choose(f"drop u=North.pouch:North_{arm}").choose("look"))
    assert [each.decision is not None and each.decision.is_chance for each in worlds] == [True, True]
    assert doors(worlds[0], who) == doors(worlds[1], who)


LOT = (
    POUCH.replace("kind Side\n", "kind Side\n    holds hand: Card, visible to it, LEVEL to others\n")
    .replace(
        "values Arm", "kind Card: side: Side, red: bool = no\n    home side.hand\n    state mark: bool\n" + "values Arm"
    )
    .replace("counts Unit", "    Card A1  North, red\n    Card A2  North\n    Card A3  North, red\ncounts Unit")
    .replace("choose by North drop: u in North.pouch", "choose by North drop: u in North.hand")
    .replace("move u to lost", "move u to gone")
    .replace("holds lost", "holds gone: Card, visible to North, hidden to others\nholds lost")
)


@pytest.mark.parametrize("level", ["count", "nonempty", "hidden"])
@pytest.mark.parametrize("amount", [1, 2, 1000])
def test_how_many_there_are_to_draw_by_lot_is_not_told(tmp_path: Path, level: str, amount: int) -> None:
    """Of two red cards one is gone, or neither: a lot among the red ones has one or two to take, or none."""
    lot = f"    draw {amount} from North.hand[red and not mark] as found\n    for c in found\n        c.mark = yes\n"
    lot += '    choose by South go "Go"\n    or rest "Rest"\n'
    text = LOT.replace("    draw 1 from North.pouch to lost\n", 2 * lot).replace("LEVEL", level)
    game = loaded(tmp_path, text)
    worlds = [game.start(1, chance="explicit").choose(f"drop u={card}").choose("look") for card in ("A1", "A2")]
    for _ in range(2 * min(amount, 3) + 2):
        assert doors(worlds[0], "South") == doors(worlds[1], "South")
        for at, each in enumerate(worlds):
            assert each.decision is not None
            each.choose(0)
            worlds[at] = game.from_json(each.to_json())
            assert worlds[at].state_hash() == each.state_hash()
    assert all(each.is_over for each in worlds)
    assert worlds[0].value("A3.mark") == "yes"


SEVERAL = {
    "any number": "choose by North take: any number from North.hand as some_cards",
    "up to": "choose by North take: up to 2 from North.hand as some_cards",
    "each": "choose by North take: each c in North.hand[red] to t in Side as plan",
}


@pytest.mark.parametrize("how", SEVERAL)
@pytest.mark.parametrize("level", ["count", "nonempty"])
def test_how_many_were_picked_is_not_told_while_chance_is_waited_for(tmp_path: Path, how: str, level: str) -> None:
    """One has picked nothing, or has fewer to be asked about than the other. Both wait for what is drawn then."""
    choice = f'    {SEVERAL[how]} "Take"\n        draw 1 from North.pouch to lost\n'
    game = loaded(tmp_path, LOT.replace("    draw 1 from North.pouch to lost\n", choice).replace("LEVEL", level))
    worlds = [game.start(1, chance="explicit").choose(f"drop u={card}").choose("look") for card in ("A1", "A2")]
    for each, wishes in zip(worlds, ((0, 0, 0), (-1, -1, -1)), strict=True):
        for wish in wishes:
            assert each.decision is not None
            if not each.decision.is_chance:
                each.choose(each.decision.options[wish])
        assert each.decision is not None and each.decision.is_chance
    assert worlds[0].steps != worlds[1].steps
    for who in ("South", "spectator"):
        assert doors(worlds[0], who) == doors(worlds[1], who)


def test_a_way_that_is_not_open_has_nothing_to_pick_from(tmp_path: Path) -> None:
    """Whether the rest of a hidden selection would be told is asked only where there is something to select."""
    several = '    choose by North take: 2 from North.hand as both "Take"\n'
    several += "        require North.points > 0\n        require night\n"
    twice = several + "    or pass\n    night = yes\n" + several
    text = LOT.replace("    draw 1 from North.pouch to lost\n", twice)
    text = text.replace("LEVEL", "count").replace("state active", "state night: bool\nstate active")
    text = text.replace("kind Side\n", "kind Side\n    state points: int\n")
    game = loaded(tmp_path, text)
    for journal in (True, False):
        position = game.start(1, journal=journal)
        while not position.is_over:
            position.choose(0)


FACES = """rulescript 1
game "Faces", version "1"
kind Side
    holds hand: Card, visible to it, count to others
kind Card: side: Side, rank: int = 1, red: bool = no
    home side.hand
    state down: bool
    state mark: bool
    hidden when down, known to side
holds board: Card
things
    Side North
    Side South
    Card A1  North
    Card A2  North, rank 3, red
    Card A3  North, red
    Card A4  North, rank 2, red
players Side
state active: Side
signal hey(x: Card)
phase lay "Lay"
    choose by North lie: c in North.hand "Lay {c}"
        c.down = yes
        move c to board
phase turn "Turn"
    TURN
phase wait "Wait"
    choose by South go "Go"
    or stay "Stay"
sequence
    lay
    turn
    wait
    end game, draw
"""
BOARD = "c in board[side == North]"
TWO_SECRETS = {
    "of the board, and of the hand": (f"k in North.hand, {BOARD}", "c.rank > 2", "k.rank > 1"),
    "of the board, and where another lies": (f"k in Card[side == North], {BOARD}", "c in {A2}", "k in k.side.hand"),
    "the other way round": (f"{BOARD}, k in North.hand", "c.rank > 2", "k.red"),
    "all cards": (f"{BOARD}, k in Card", "c.rank > 2", "k in North.hand"),
}


@pytest.mark.parametrize("name", TWO_SECRETS)
def test_what_lies_face_down_and_what_is_in_a_hand_may_leave_nothing_together(tmp_path: Path, name: str) -> None:
    picks, *requirements = TWO_SECRETS[name]
    choice = f'choose by North t: {picks} "T"\n' + "".join(f"        require {each}\n" for each in requirements)
    game = loaded(tmp_path, FACES.replace("TURN", choice.rstrip()))
    worlds = [game.start(1).choose(f"lie c={card}") for card in ("A1", "A2", "A3")]
    assert [each.decision and each.decision.player for each in worlds] == ["North"] * 3
    for who in ("South", "spectator"):
        assert doors(worlds[0], who) == doors(worlds[1], who) == doors(worlds[2], who)


FOLLOWED = {
    "marked itself": "whenever some c in North.hand: c.rank > 1\n    c.mark = yes\n",
    "by a rule": "whenever some c in North.hand: c.rank > 1\n    st(c)\nprocedure st(q: Card)\n    q.mark = yes\n",
    "out of all": "whenever some c in Card: c in North.hand and c.rank > 1\n    c.mark = yes\n",
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_what_is_marked_at_any_time_is_not_asked_of_one_by_its_name(tmp_path: Path, name: str) -> None:
    """A rule that is followed at any time has its name from a hand, as a loop has."""
    reaction = 'when hey(x) if x.mark\n    may by South: react "React"\n        tell "x"\n'
    text = FACES.replace("TURN", "signal hey(A4)").replace("phase lay", f"{reaction}{FOLLOWED[name]}phase lay")
    with pytest.raises(GameInvalid) as problem:
        loaded(tmp_path, text)
    assert {d.code for d in problem.value.diagnostics if d.severity == "error"} == {"RS311"}
