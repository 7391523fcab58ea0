"""The search form counts lists of options at their worst. What it takes for too much is done again in the plain form,
which counts what is done: so no form stops where another goes on."""

from __future__ import annotations

import pytest

from rulescript import Game
from rulescript.diagnostics import Reporter
from rulescript.errors import StepLimit
from rulescript.loader import load_single
from rulescript.machine import effort
from rulescript.machine.values import without
from rulescript.pipeline import compile_text
from rulescript.runtime import forms
from tests.fuzz.large import HEAD, SEQUENCE

# Many lists that could be long, and are empty: nobody is asked.
TOWNS = "\nthings\n" + "".join(f"    Town Place_{number}\n" for number in range(70))
PASSED_OVER = """
state open: set of Town

phase work
    repeat 20 times
        choose go: a in Town & open, b in Town & open "Go {a} {b}"
            require sum(t.worth for t in Town if t != a) > b.worth
            score += 1
    score += 1
"""
COUNTED = """
state open: set of Town

phase work
    open = set(t for t in Town)
    repeat 30 times
        choose go: a in Town "Go {a}"
            for t in open
                for u in open
                    score += 1
            score = 0
"""
ENDLESS = """
phase work
    repeat while score >= 0
        score += 1
"""


def compiled(rules: str) -> Game:
    reporter = Reporter()
    return compile_text(load_single(f"{HEAD}{TOWNS}{rules}{SEQUENCE}", "work.rules", reporter), (), "", reporter)


def test_what_could_be_done_is_no_reason_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled(PASSED_OVER)
    plain, played = game.start(1).choose(0), game.playouts(3, seed=1)
    game.prepare()
    again = []

    def stopped(noted: int) -> None:
        again.append(noted)
        raise StepLimit("what could be done is too much")

    # `w` counts in the search form alone, and there is always some.
    monkeypatch.setattr(forms, "WORK_LIMIT", 0)
    monkeypatch.setattr(forms, "look_at_work", stopped)
    assert game.start(1).choose(0).to_json() == plain.to_json()
    assert len(again) == 1
    assert game.playouts(3, seed=1) == played
    assert len(again) == 2  # when one game is too much, those around it are played again with it


def test_what_never_ends_is_stopped_in_every_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "WORK_LIMIT", 500_000)  # soon
    monkeypatch.setattr(forms, "WORK_LIMIT", 500_000)
    game = compiled(ENDLESS).prepare()
    position = game.start(1)
    before = position.to_json()
    with pytest.raises(StepLimit):
        position.choose(0)
    assert position.to_json() == before
    with pytest.raises(StepLimit):
        game.playouts(1)


def test_work_of_many_decisions_is_not_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A playout counts on from one decision to the next, and knows when another has begun."""
    game = compiled(COUNTED)
    position = game.start(1)
    done = []
    while position.decision is not None:
        position.choose(0)
        done.append(effort.WORK.done)
    most = max(done)
    assert sum(done) > 20 * most > 20 * 4_000
    game.prepare()
    monkeypatch.setattr(effort, "WORK_LIMIT", 2 * most)
    (played,) = game.playouts(1, seed=1)
    assert (played.over, played.decisions) == (True, len(done))


def chain(rule: str, length: int) -> str:
    """Rules that ask one another; `{}` is the number of a rule, `{next}` that of the one it asks."""
    return "\n".join(rule.format(at, next=at + 1) for at in range(length))


CHAINS = {
    "predicates": chain(
        "predicate p{}(t: Town)\n    require (some x in Town: p{next}(x)) or (every x in Town: p{next}(x))", 200
    )
    + "\npredicate p200(t: Town)\n    require t.worth > 3\n"
    + '\nphase work\n    choose go: a in Town\n        require p0(a)\n        score += 1\n    or wait "Wait"\n',
    "functions": chain("function f{}(x: int) -> int\n    f{next}(x) + 1", 1_000)
    + "\nfunction f1000(x: int) -> int\n    x\n"
    + '\nphase work\n    choose go "Go"\n        score = f990(1)\n    or wait "Wait"\n',
    "procedures": chain("procedure p{}()\n    p{next}()\n    score += 1", 1_000)
    + "\nprocedure p1000()\n    score += 1\n"
    + '\nphase work\n    choose go "Go"\n        p990()\n    or wait "Wait"\n',
    "procedures that ask": chain("procedure p{}()\n    p{next}()\n    score += 1", 300)
    + "\nprocedure p300()\n    choose now: n in 1..2\n        score += n\n"
    + '\nphase work\n    choose go "Go"\n        p0()\n    or wait "Wait"\n',
    "statements": "\nphase work\n" + "    choose go: n in 1..2\n        score += n\n" * 1_500,
}


@pytest.mark.parametrize("rules", CHAINS.values(), ids=CHAINS)
def test_a_long_chain_is_compiled(rules: str) -> None:
    assert compiled(rules).source


def test_a_rule_that_asks_two_others_and_so_on_is_stopped_in_play() -> None:
    with pytest.raises(StepLimit):
        compiled(CHAINS["predicates"]).start(1).choose(0)


def test_rules_that_go_too_deep_in_play_are_stopped() -> None:
    deep = chain("function f{}(x: int) -> int\n    f{next}(x) * 2 + (if x > f{next}(0) then 1 else 0)", 1_000)
    end = "\nfunction f1000(x: int) -> int\n    x\n"
    phase = '\nphase work\n    choose go "Go"\n        score = f0(1)\n    or wait "Wait"\n'
    with pytest.raises(StepLimit, match="too deep"):
        compiled(deep + end + phase).start(1).choose(0).choose(0)


LINE = """
map Line
    link road
    {towns}
    road {line}

route way(a: Area) from a by road
    through x
        require x.worth < 2 or x.shut == no
"""


def test_searches_along_a_long_line_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "WORK_LIMIT", 2_000_000)  # soon
    places = [f"Spot_{at}" for at in range(900)]
    areas = "\nkind Area: worth: int = 0\n    state shut: bool\n"
    line = LINE.format(towns="\n    ".join(f"Area {place}" for place in places), line=" - ".join(places))
    phase = "\nphase work\n    choose go: a in Area, b in Area\n        require b in way(a)\n        score += 1\n"
    with pytest.raises(StepLimit):
        compiled(areas + line + phase).start(1).choose(0)


@pytest.mark.parametrize(
    ("a", "b", "left"),
    [
        ((1, 2, 1, 3), (1,), (2, 1, 3)),
        ((1, 2), (3,), (1, 2)),
        ((1, 1, 2, 1), (1, 1, 4), (2, 1)),
        ((), (1,), ()),
        ((1, 2), (), (1, 2)),
    ],
)
def test_what_is_taken_from_a_list_is_the_first_of_its_like(
    a: tuple[int, ...], b: tuple[int, ...], left: tuple[int, ...]
) -> None:
    assert without(a, b) == left
