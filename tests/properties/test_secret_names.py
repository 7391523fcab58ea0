"""What is hidden stays hidden behind a name: a `let`, a loop, a parameter, what was picked or kept.

Each case plays two worlds that South may not tell apart, or is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import rulescript
from rulescript import Game, GameInvalid, Position
from rulescript.testing.hiding import doors

CARDS = """\
rulescript 1
game "Names", version "1"
kind Side: other: Side
    holds hand: Card, visible to it, count to others
    holds vault: Card, visible to it, count to others
    holds pile: Card, ordered, top to it, top to others
    holds shelf: Card, visible to watcher, count to others
    state points: int
kind Card: side: Side, rank: int, red: bool = no
    home side.hand
    state down: bool
    state spotter: maybe Side
    hidden when down, known to spotters(it)
kind Town
things
    Side North  other South
    Side South  other North
    Card A1  North, rank 1, red
    Card A2  North, rank 2, red
    Card A3  North, rank 3
    Card A4  North, rank 4
    Card B1  South, rank 1
    Card B2  South, rank 2, red
map Shore
    link road
    Town Mill
    Town Ford
    Town Reeds
    road Mill - Ford - Reeds
players Side
holds board: Card
state active: Side
state watcher: Side
state current: maybe Card
state night: bool
function spotters(c: Card) -> set of Side
    Side[it == c.side or c.spotter == it]
function best(s: Side) -> maybe Card
    first(s.hand)
function open_to(s: Side) -> set of Town
    if some s.hand[red] then {Mill, Ford} else {Mill}
phase bury "Bury"
    choose by North hide: c in North.hand "Hide {c}"
        move c to North.vault
phase wait "Wait"
    choose by South go "Go"
    or stay "Stay"
sequence
    bury
    bury
    ask
    wait
    end game, draw "done"
phase ask "Ask"
"""


def written(cases: Iterable[str]) -> str:
    """A game in which South says which of some rules is played: each has a phase `act`, and names of its own."""
    text, asked = "", ""
    for number, rules in enumerate(cases):
        text += re.sub(r"\b(act|hey|fine|way|tab|pick_it|st)\b", rf"\1_{number}", rules)
        word = "choose by South" if not asked else "or"
        asked += f'    {word} case_{number} "Case {number}"\n        act_{number}\n'
    return CARDS + asked + text


def loaded(folder: Path, text: str) -> Game:
    path = folder / "names.rules"
    path.write_text(text, encoding="utf-8")
    return rulescript.load(path, cache=False)


def played(game: Game, keys: str, case: int) -> Position:
    """A game in which North buried two cards and chose these, by how their keys end, and then declined or took the
    first, until South is asked."""
    position = game.start(1)
    first, second, *rest = keys.split()
    for key in (first, second, f"case_{case}", *rest):
        assert position.decision is not None
        position.choose(next(o for o in position.decision.options if o.key.endswith(key)))  # type: ignore[arg-type]
    while position.decision is not None and position.decision.player != "South":
        now = [option.key for option in position.decision.options]
        position.choose(now.index("pass") if "pass" in now else 0)
    return position


ACT = 'phase act "Act"\n    '
ALIKE = {
    "values of a hand": (
        ACT + 'choose by North say: n in set(c.rank mod 2 for c in North.hand) "Say"\n        North.points = 1\n',
        ("A1 A3", "A1 A2"),
    ),
    "what a function gives": (
        ACT + 'choose by North say: t in open_to(North) "Say"\n        North.points = 1\n',
        ("A1 A2", "A3 A4"),
    ),
    "a let": (
        ACT + 'let has = some North.hand[red]\n    may by North: strike "Strike"\n        require has\n'
        "        North.points = 1\n",
        ("A1 A2", "A3 A4"),
    ),
    "a parameter": (
        'procedure st(has: bool)\n    may by North: strike "Strike"\n        require has\n        North.points = 1\n'
        + ACT
        + "st(some North.hand[red])\n",
        ("A1 A2", "A3 A4"),
    ),
    "words with a let": (
        ACT + "let most_ = max(c.rank for c in North.hand)\n"
        '    choose by North strike: t in Town "Strike {t} with {most_}"\n        North.points = 1\n',
        ("A1 A2", "A3 A4"),
    ),
    "words with a loop": (
        ACT + 'for c in North.hand\n        choose by North use: t in Town "Use {c} in {t}"\n'
        "            North.points = 1\n",
        ("A1 A2", "A3 A4"),
    ),
    "words with what was picked": (
        ACT + 'choose by North pk: c in North.hand "Pick"\n        choose by North use: t in Town "Use {c} in {t}"\n'
        "            North.points = 1\n",
        ("A1 A2 A3", "A1 A2 A4"),
    ),
    "words before it is shown": (
        ACT + 'choose by North pk: c in North.hand "Pick"\n        choose by North keep "Keep {c}"\n'
        '            North.points = 1\n        or show "Show {c}"\n            move c to board\n',
        ("A1 A2 A3", "A1 A2 A4"),
    ),
    "what was picked": (
        ACT + 'choose by North pk: c in North.hand "Pick"\n        may by North: boost "Boost"\n'
        "            require c.red\n            North.points = 1\n",
        ("A1 A3 A2", "A1 A3 A4"),
    ),
    "for each of a hand": (
        ACT + 'choose by North pl: each c in North.hand to t in Town as places "{c} goes for {t}"\n'
        "        North.points += 1\n",
        ("A1 A2", "A3 A4"),
    ),
    "a single reaction": (
        "signal hey\nwhen hey if some North.hand[red]\n"
        '    may by North: cheer "Cheer"\n        North.points = 1\n' + ACT + "signal hey\n",
        ("A1 A2", "A3 A4"),
    ),
    "what a signal is about": (
        'signal hey(c: Card)\nwhen hey(c) if c.red\n    may by North: cheer "Cheer"\n        North.points = 1\n'
        + ACT
        + 'choose by North pk: c in North.hand "Pick"\n        signal hey(c)\n',
        ("A1 A3 A2", "A1 A3 A4"),
    ),
}


@pytest.fixture(scope="module")
def alike(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return loaded(tmp_path_factory.mktemp("alike"), written(rules for rules, _ in ALIKE.values()))


@pytest.mark.parametrize("name", ALIKE)
def test_behind_a_name_it_looks_the_same_to_others(alike: Game, name: str) -> None:
    case = list(ALIKE).index(name)
    here, there = (doors(played(alike, keys, case), "South") for keys in ALIKE[name][1])
    assert here == there


UNCOUNTED = {
    "the second of two": 'choose by North pl: t in Town, c in North.hand "{c} for {t}"\n        North.points = 1\n',
    "each of them": 'choose by North pl: each c in North.hand to t in Town as places "{t}"\n        North.points = 1\n',
    "a round for each": "for current in North.hand\n        North.points = 1\n",
}


CARD_FOR_EACH = 'choose by North pl: each c in North.hand{} to t in {} as places "{{c}} for {{t}}"\n        {}\n'
NO_PLAN = CARD_FOR_EACH.format("", "(if c.red then Town else Town - {Mill})", "require not (c.rank == 4 and t != Mill)")
SILENT = {
    "none there": (CARD_FOR_EACH.format("", "Town", "North.points += 0"), "A1 A2 A3 A4", "A1 A2 A3 done"),
    "none that is meant": (CARD_FOR_EACH.format("[red]", "Town", "North.points += 0"), "A1 A2 done", "A3 A4 done"),
    "how many are meant": (CARD_FOR_EACH.format("[red]", "Town", "North.points += 0"), "A1 A3 done", "A3 A4 done"),
    "no way for all": (NO_PLAN + "        North.points += 0\n", "A1 A2 A3 done", "A1 A3 A4 done"),
}


def test_for_each_of_none_is_asked_too(tmp_path: Path) -> None:
    text = written(f"{ACT}{PUT}North.vault\n    {rules}" for rules, _, _ in SILENT.values())
    game = loaded(tmp_path, text.replace("count to others", "hidden to others"))
    for case, (name, (_, *worlds)) in enumerate(SILENT.items()):
        here, there = (doors(played(game, keys, case), "South") for keys in worlds)
        assert here == there, name
        assert any("act" in event and '"choice"' in event and ".pl" in event for event in here["journal"]), name


def test_for_each_of_several_that_all_can_count_is_asked_as_often(tmp_path: Path) -> None:
    """Where nothing can be given to all of them, each is asked for all the same; where all see that there is none,
    nobody is."""
    game = loaded(tmp_path, written([f"{ACT}{PUT}North.vault\n    {NO_PLAN}        North.points = 1\n"] * 2))
    for keys, often in (("A1 A2 done", 2), ("A1 A2 A3 done", 1), ("A1 A2 A3 A4", 0)):
        told = [event["choice"] for event in played(game, keys, 0).view("South").journal if event["kind"] == "choice"]
        assert sum(choice.endswith(".pl") for choice in told) == often, keys


PUT = 'choose by North put: up to 2 from North.hand as p "Put {p}"\n        for c in p\n            move c to '


@pytest.mark.parametrize("level", ["hidden", "nonempty"])
def test_how_many_there_are_is_not_told_by_how_often_is_asked(tmp_path: Path, level: str) -> None:
    text = written(f"{ACT}{PUT}North.vault\n    {rules}" for rules in UNCOUNTED.values())
    game = loaded(tmp_path, text.replace("count to others", f"{level} to others"))
    for case, name in enumerate(UNCOUNTED):
        here, there = (doors(played(game, keys, case), "South") for keys in ("A1 A2 A3 done", "A1 A2 done"))
        assert here == there, name


GUESS = '    may by South: guess "Guess"\n        require North.plan == A2\n        South.points += 1\n'
WALK = (
    '    choose by South walk: t in Town "To {t}"\n        require REQUIRED\n        South.points += 1\n    or pass\n'
)
REFUSED = {
    "how many": ACT + 'choose by South lose: count(North.hand[red]) from South.hand as l "Lose"\n        lost\n',
    "at most how many": ACT + 'choose by South lose: up to count(North.hand[red]) from South.hand as l "Lose"\n'
    "        lost\n",
    "when there is another way": ACT
    + WALK[4:].replace("REQUIRED", "t != Ford")
    + 'extend act.walk when some North.hand[red]\n    or wait2 "Wait"\n        South.points = 2\n',
    "when a requirement is lifted": ACT
    + WALK[4:].replace("REQUIRED", 't != Ford "no ford"')
    + 'exception to act.walk "no ford" when some North.hand[red]\n',
    "when a predicate asks more": "predicate fine(t: Town)\n    require t != Ford\n"
    "restrict fine when some North.hand[red]\n    require t != Mill\n" + ACT + WALK[4:].replace("REQUIRED", "fine(t)"),
    "a route": "route way(t: Town) from t by road, at most 2 steps\n    enter b\n"
    "        require some North.hand[red] or b == Ford\n" + ACT + WALK[4:].replace("REQUIRED", "t in way(Mill)"),
    "how far a route goes": "route way(t: Town) from t by road, at most (if some North.hand[red] then 2 else 1) steps\n"
    + ACT
    + WALK[4:].replace("REQUIRED", "t in way(Mill)"),
    "a row of a table": "table tab(n: int) -> int\n    | 1 | 1 | if some North.hand[red]\n    | otherwise | 2 |\n"
    + ACT
    + WALK[4:].replace("REQUIRED", "tab(1) == 1"),
    "when one may react": 'signal hey\nwhen hey if some North.hand[red]\n    may by South: cheer "Cheer"\n'
    "        South.points = 1\n" + ACT + "signal hey\n",
    "a yes or no that is handed on": 'signal hey(b: bool)\nwhen hey(b) if b\n    may by South: cheer "Cheer"\n'
    "        South.points = 1\n" + ACT + 'choose by North pk: c in North.hand "Pick"\n        signal hey(c.red)\n',
    "kept of what a procedure gave": "procedure pick_it -> maybe Card\n"
    '    choose by North pk: c in North.hand "Pick"\n        return c\n    return nothing\n'
    + ACT
    + "let x = pick_it()\n    North.plan = x\n"
    + GUESS,
    "kept, and something else is shown": ACT + 'choose by North pk: c in North.hand "Pick"\n        North.plan = c\n'
    "    for c in South.hand\n        reveal c to North\n" + GUESS,
    "kept of anybody": ACT + "for s in Side\n        s.other.plan = first(s.hand)\n" + GUESS,
} | {
    f"kept: {value}": f"{ACT}North.plan = {value}\n{GUESS}"
    for value in (
        "only(most c in North.hand by c.rank)",
        "best(North)",
        "(if North.points > 5 then nothing else first(North.hand))",
        "first(set(c for c in North.hand))",
        "first(North.hand & Card)",
        "first(North.hand - {A1})",
        "first(Card[it in North.hand])",
    )
}


def test_what_its_chooser_may_not_see_is_refused(tmp_path: Path) -> None:
    cases = [rules.replace("plan", f"plan_{number}") for number, rules in enumerate(REFUSED.values())]
    plans = "".join(f"    state plan_{number}: maybe Card\n" for number in range(len(cases)))
    text = written(cases).replace("    state points: int\n", plans + "    state points: int\n")
    text += "procedure lost\n    South.points = 1\n"
    with pytest.raises(GameInvalid) as problem:
        loaded(tmp_path, text)
    found = [d for d in problem.value.diagnostics if d.severity == "error"]
    assert {d.code for d in found} == {"RS311"}
    lines = {d.span.line for d in found}
    at = written([]).count("\n") + len(plans.splitlines()) + 2 * len(cases)
    missed = []
    for name, rules in zip(REFUSED, cases, strict=True):
        here = range(at + 1, at + 1 + rules.count("\n"))
        at = here[-1]
        missed += [name] if not lines & set(here) else []
    assert missed == []


LOOK = '    choose by South look "Look"\n        LOOKED\n    or rest "Rest"\n'
TURNED = {
    "uncovered": ("for c in North.hand\n        move c to top of North.pile\n", "move 1 from North.pile to South.hand"),
    "whose place it is to look into": ("for c in North.hand\n        move c to North.shelf\n", "watcher = South"),
    "whom it is known to": (
        "for c in North.hand\n        c.down = yes\n        move c to board\n",
        "for c in board\n            c.spotter = South",
    ),
}


def test_what_came_to_light_cannot_be_taken_back(tmp_path: Path) -> None:
    again = LOOK.replace("LOOKED", "night = yes")
    game = loaded(tmp_path, written(ACT + put + LOOK.replace("LOOKED", done) + again for put, done in TURNED.values()))
    for case, name in enumerate(TURNED):
        position = played(game, "A1 A2", case)
        before = position.view("South").places()
        position.choose("look")
        assert position.view("South").places() != before, name
        assert not position.can_undo("South"), name
        # What tells nothing can be.
        assert played(game, "A1 A2", case).choose("rest").can_undo("South"), name


FACES = """\
rulescript 1
game "Faces", version "1"
kind Side
    holds hand: Card, visible to it, count to others
    holds laid: Card, visible to it, count to others
    state points: int
kind Card: side: Side
    home side.hand
    does play(s: Side)
kind Town
things
    Side North
    Side South
    Town Mill
    Town Ford
    Card Tiger  North
        play
            choose by s pounce: t in Town "Pounce on {t}"
                s.points = 1
            choose by s feed: t in Town "Feed in {t}"
                s.points = 1
    Card Snail  North
        play
            choose by s crawl: t in Town "Crawl to {t}"
                s.points = 1
players Side
state active: Side
phase lay "Lay"
    choose by North lay: c in North.hand "Lay {c}"
        move c to North.laid
        c.play(North)
    choose by South go "Go"
    or stay "Stay"
sequence
    lay
    end game, draw
"""


@pytest.mark.parametrize("who", ["South", "spectator"])
def test_what_a_hidden_card_asks_is_not_told_in_its_words(tmp_path: Path, who: str) -> None:
    game = loaded(tmp_path, FACES)
    told = []
    for card, answers in (("lay c=Tiger", 2), ("lay c=Snail", 1)):
        position = game.start(1).choose(card)
        seen = [position.view(who).to_json()]
        if who == "South":
            seen.append(str(position.view(who).why_not("go")))
        for _ in range(answers):
            position.choose(0)
        told.append((*seen, position.view(who).to_json(), position.view(who).journal.to_json_lines()))
    assert told[0] == told[1] and '"prompt": "(hidden)"' in told[0][0]


LENT = (
    FACES.replace(
        """            choose by s pounce: t in Town "Pounce on {t}"
                s.points = 1
            choose by s feed: t in Town "Feed in {t}"
                s.points = 1
""",
        "            pounces(s)\n",
    ).replace(
        """            choose by s crawl: t in Town "Crawl to {t}"
                s.points = 1
""",
        "            crawls(s, 2)\n",
    )
    + """
procedure pounces(s: Side)
    choose by s pounce: t in Town "Pounce on {t}"
        s.points = 1
    feeds(s)
procedure feeds(s: Side)
    choose by s feed: t in Town "Feed in {t}"
        mark(s)
procedure mark(s: Side)
    s.points = 1
procedure crawls(s: Side, n: int)
    if n > 0
        crawls(s, n - 1)
        choose by s crawl: t in Town "Crawl to {t}"
            s.points = 1
"""
)


@pytest.mark.parametrize("who", ["South", "spectator"])
def test_what_a_hidden_card_lets_another_rule_ask_is_not_told_in_its_words(tmp_path: Path, who: str) -> None:
    game = loaded(tmp_path, LENT)
    told = []
    for card in ("lay c=Tiger", "lay c=Snail"):
        position = game.start(1).choose(card)
        seen: list[object] = []
        for _ in range(2):  # the second question stands in a rule deeper down, or in one that called itself
            seen.append(position.view(who).to_json())
            position.choose(0)
        told.append((*seen, doors(position, who)))
    assert told[0] == told[1] and '"prompt": "(hidden)"' in told[0][0]


def test_what_a_card_does_that_was_shown_is_told(tmp_path: Path) -> None:
    """A card that is shown and stays in the hand: its questions are no secret, nor those of the rules that it calls."""
    for number, text in enumerate((FACES, LENT)):
        (folder := tmp_path / str(number)).mkdir()
        game = loaded(folder, text.replace("        move c to North.laid\n", "        reveal c\n"))
        for card, asked in (("Tiger", "pounce"), ("Snail", "crawl")):
            position = game.start(1).choose(f"lay c={card}")
            assert position.view("South").to_dict()["decision"]["prompt"] == asked
            assert "(hidden)" not in position.choose(0).view("South").journal.to_json_lines().splitlines()[-1]
        assert game.data.choice_things or text is LENT  # simulations count whose text was used


UNITS = """\
rulescript 1
game "Units", version "1"
kind Side
    state points: int
    holds pouch: Unit, visible to it, count to others
kind Town
    holds units: Unit
values Arm: foot, horse, guns
pieces Unit: side: Side, arm: Arm
    home side.pouch
    state down: bool
    hidden when down, known to side, showing "{side} unit"
things
    Side North
    Side South
    Town Mill
    Town Ford
counts Unit
    |       | foot | horse | guns |
    | North |    2 |     2 |    2 |
players Side
sequence
    for n in [1, 2]
        choose by North lay: u in North.pouch "Lay {u}"
            u.down = yes
            move u to Mill
    for u in Mill.units[side == North]
        choose by North use: t in Town "Use {u} for {t}"
            North.points = 1
        may by North: ride "Ride"
            require u.arm == horse
            North.points = 2
    let most_ = count(Mill.units[side == North and arm == foot])
    choose by North march: t in Town "March {most_} to {t}"
        North.points = 3
    for u in Mill.units[side == North]
        tell "Here is {u}: {u.arm}."
    choose by South go "Go"
    or stay "Stay"
    end game, draw
"""


def test_behind_a_name_a_piece_lies_face_down(tmp_path: Path) -> None:
    game = loaded(tmp_path, UNITS)
    told = []
    for one, two in (("foot", "horse"), ("guns", "foot"), ("foot", "foot")):
        position = game.start(1).choose(f"lay {one}").choose(f"lay {two}")
        while position.decision is not None and position.decision.player == "North":
            keys = [option.key for option in position.decision.options]
            position.choose(keys.index("pass") if "pass" in keys else 0)
        told.append(doors(position, "South"))
        assert "Here is North unit: (hidden)." in position.view("South").journal.text()
        assert f"{one} (down): {one}." in position.view("North").journal.text()
    assert told[0] == told[1] == told[2]


FAR = 50
NOTHING = ACT + "North.points = 4\n"


def chain(link: str, last: str) -> str:
    """Rules each of which asks the next, the last first: what one notes comes to the others the slow way."""
    return last.replace("HERE", str(FAR)) + "".join(
        link.replace("NEXT", str(at + 1)).replace("HERE", str(at)) for at in reversed(range(FAR))
    )


HANDED = {
    "parameters": chain(
        "procedure p_HERE(has: bool)\n    p_NEXT(has)\n",
        'procedure p_HERE(has: bool)\n    may by North: strike "Strike"\n        require has\n'
        "        North.points = 1\n",
    )
    + ACT
    + "p_0(some North.hand[red])\n",
    "what is given back": chain(
        "procedure p_HERE -> bool\n    let x = p_NEXT()\n    return x\n",
        "procedure p_HERE -> bool\n    return some North.hand[red]\n",
    )
    + ACT
    + 'let has = p_0()\n    may by North: strike "Strike"\n        require has\n        North.points = 1\n',
}


@pytest.mark.parametrize("name", HANDED)
def test_no_chain_of_rules_is_too_long_to_hide_what_goes_along_it(tmp_path: Path, name: str) -> None:
    game = loaded(tmp_path, written([HANDED[name], NOTHING]))
    here, there = (doors(played(game, keys, 0), "South") for keys in ("A1 A2", "A3 A4"))
    assert here == there


PLANS = "".join(f"    state plan_{at}: maybe Card\n" for at in range(FAR + 1))
PASSED_ON = "".join(f"    q_{at}\n" for at in range(FAR))
LONG = {
    "states": chain("procedure q_HERE\n    North.plan_NEXT = North.plan_HERE\n", "")
    + f"{ACT}North.plan_0 = first(North.hand)\n{PASSED_ON}"
    + GUESS.replace("plan", f"plan_{FAR}"),
    "states that functions read": chain(
        "function f_HERE(s: Side) -> maybe Card\n    s.plan_HERE\n"
        "procedure q_HERE\n    North.plan_NEXT = f_HERE(North)\n",
        "",
    )
    + f"{ACT}North.plan_0 = first(North.hand)\n{PASSED_ON}"
    + GUESS.replace("plan", f"plan_{FAR}"),
    "functions": chain(
        "function f_HERE(s: Side) -> bool\n    f_NEXT(s)\n", "function f_HERE(s: Side) -> bool\n    some s.hand[red]\n"
    )
    + ACT
    + WALK[4:].replace("REQUIRED", "f_0(North)"),
    "functions that give what is kept": chain(
        "function f_HERE(s: Side) -> maybe Card\n    if s.points > 1 then f_NEXT(s) else f_NEXT(s.other)\n",
        "function f_HERE(s: Side) -> maybe Card\n    first(s.hand)\n",
    )
    + f"{ACT}North.plan_0 = f_0(North)\n"
    + GUESS.replace("plan", "plan_0"),
    "a rule that asks itself for the next": "procedure p_it(s: Side) -> maybe Card\n    if s.points > 3\n"
    "        return first(s.hand)\n    let c = p_it(s.other)\n    return c\n"
    + f"{ACT}let x = p_it(North)\n    North.plan_0 = x\n"
    + GUESS.replace("plan", "plan_0"),
}


@pytest.mark.parametrize("name", LONG)
def test_no_chain_is_too_long_to_be_refused(tmp_path: Path, name: str) -> None:
    text = written([LONG[name], NOTHING]).replace("    state points: int\n", PLANS + "    state points: int\n")
    with pytest.raises(GameInvalid) as problem:
        loaded(tmp_path, text)
    assert "RS311" in {d.code for d in problem.value.diagnostics if d.severity == "error"}


HANDING = (
    UNITS[: UNITS.index("    for u in Mill.units")].replace("sequence\n", "sequence\n    begin\n")
    + """\
    act
    choose by South go "Go"
    or stay "Stay"
    end game, draw
phase begin "Begin"
    North.points = 0
phase act "Act"
"""
)
RIDE = '    may by {who}: ride "{words}"\n        require {test}\n        North.points = 2\n'
EACH = "    for u in Mill.units[side == North{more}]\n        {what}\n"
TO_PROCEDURES = {
    "a piece": ("procedure st(u: Unit)\n", "u.arm == horse", "st(u)"),
    "what it is": ("procedure st(a: Arm)\n", "a == horse", "st(u.arm)"),
    "through others": (
        "procedure st(u: Unit)\n    st_2(u)\nprocedure st_2(w: Unit)\n    st_3(w)\nprocedure st_3(v: Unit)\n",
        "v.arm == horse",
        "st(u)",
    ),
}
HANDED_ON = {
    name: (head + RIDE.format(who="WHO", words="Ride", test=test), EACH.format(more="", what=call))
    for name, (head, test, call) in TO_PROCEDURES.items()
} | {
    "a signal": (
        'signal hey(u: Unit)\nwhen hey(u) if u.arm == horse\n    may by WHO: cheer "Cheer"\n        North.points = 1\n',
        EACH.format(more="", what="signal hey(u)"),
    ),
    "what was picked": (
        "procedure st(u: Unit)\n" + RIDE.format(who="WHO", words="Ride", test="u.arm == horse"),
        '    choose by North pk: u in Mill.units[side == North] "Pick"\n        st(u)\n',
    ),
    "picked around it": (
        "",
        '    choose by North pk: u in Mill.units[side == North] "Pick"\n'
        '        may by WHO: ride "Ride"\n            require u.arm == horse\n            North.points = 2\n',
    ),
}


def handed(folder: Path, name: str, who: str) -> Game:
    rules, act = HANDED_ON[name]
    return loaded(folder, (HANDING + act + rules).replace("WHO", who))


@pytest.mark.parametrize("name", HANDED_ON)
def test_handed_on_a_piece_still_lies_face_down(tmp_path: Path, name: str) -> None:
    """Its owner is asked whatever it is; who may not know it is never asked because of it."""
    game = handed(tmp_path, name, "North")
    told = []
    for one in ("foot", "horse"):
        position = game.start(1).choose(f"lay {one}").choose("lay guns")
        while position.decision is not None and position.decision.player == "North":
            keys = [option.key for option in position.decision.options]
            position.choose(keys.index("pass") if "pass" in keys else 0)
        told.append(doors(position, "South"))
    assert told[0] == told[1]
    with pytest.raises(GameInvalid, match="RS311"):
        handed(tmp_path, name, "South")


def test_the_words_of_an_option_do_not_name_a_piece_that_was_handed_on(tmp_path: Path) -> None:
    for words in ("Ride {u}", "Ride {u.arm}"):
        rules = "procedure st(u: Unit)\n" + RIDE.format(who="South", words=words, test="North.points == 0")
        with pytest.raises(GameInvalid, match="RS345"):
            loaded(tmp_path, HANDING + EACH.format(more="", what="st(u)") + rules)


@pytest.mark.parametrize(
    "act",
    [
        EACH.format(more=" and not down", what="st(u)"),
        EACH.format(more="", what="u.down = no\n        st(u)"),
        EACH.format(more="", what="turn(u)\n        st(u)"),
    ],
    ids=["open ones", "turned up", "turned up by another rule"],
)
def test_a_piece_that_lies_open_may_be_spoken_of(tmp_path: Path, act: str) -> None:
    rules = "procedure st(u: Unit)\n" + RIDE.format(who="South", words="Ride {u}", test="u.arm == horse")
    loaded(tmp_path, HANDING + act + rules + "procedure turn(u: Unit)\n    u.down = no\n")
