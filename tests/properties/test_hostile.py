"""Files from strangers: made to hang, to blow up or to break out. Each gets an error of ours, soon.

A mistake that can be seen in the text is reported before play; what only shows in play ends with a
StepLimit or another PlayError, and the position is as it was. Nothing in a game's text ever becomes
Python.
"""

from __future__ import annotations

import os
import signal
import sys
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import tests.fuzz.large_claims  # noqa: F401  more shapes
import tests.fuzz.large_more  # noqa: F401
from rulescript import Game
from rulescript.claims.run import GameSource, run_examples
from rulescript.compiler.lower import program
from rulescript.diagnostics import Reporter, Severity
from rulescript.errors import GameInvalid, PlayError, RulescriptError, StepLimit
from rulescript.loader import load_single
from rulescript.machine import effort
from rulescript.machine.effort import WORK_LIMIT
from rulescript.pipeline import compile_text, load, look_through
from rulescript.wording.english import say, say_not
from tests.forms import played as played_out
from tests.forms import quick_code
from tests.fuzz.large import HEAD as SETTING
from tests.fuzz.large import SEQUENCE, WORK, text_of

SECONDS = 20


class TookTooLong(BaseException):
    """No exception that play could take for a fault of the rules."""


@contextmanager
def within(seconds: int = SECONDS) -> Iterator[None]:
    """Fails if it takes longer: a hang must not hang the tests. Processor time, for a busy machine is no hang."""

    def ring(*_: object) -> None:
        raise TookTooLong(f"not done within {seconds} seconds")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def slow_ones_long(names: Iterable[str], *slow: str) -> list[Any]:
    """Those that take seconds are tried in the long run."""
    return [pytest.param(name, marks=pytest.mark.long) if name in slow else name for name in names]


def compiled(text: str) -> Game:
    reporter = Reporter()
    return compile_text(load_single(text, "hostile.rules", reporter), (), "", reporter)


def played(work: str, declarations: str = "", choices: int = 50) -> Any:
    """Play a game whose phase `work` has these lines; returns the position."""
    lines = "\n".join(f"    {line}" for line in work.strip("\n").split("\n"))
    game = compiled(f"{SETTING}\n{declarations}\nphase work\n{lines}\n{SEQUENCE}")
    position = game.start(seed=1)
    for _ in range(choices):
        if position.decision is None:
            break
        state = list(position.s)
        try:
            position.choose(0)
        except RulescriptError:
            assert position.s == state, "a failure left its marks"
            raise
    return position


# ------------------------------------------------------------------ rules that never end

ENDLESS = {
    "while with effects": ("repeat while score >= 0\n    score += 1", ""),
    "nested repeats": (
        "repeat 1000 times\n    repeat 1000 times\n        repeat 1000 times\n            score = 1 - score",
        "",
    ),
    "a huge number of times": ("repeat 999999999999 times\n    score += 1\n    score -= 1", ""),
    "procedures that call each other": (
        "ping(1)",
        "procedure ping(n: int)\n    score += 1\n    if n > 0\n        pong(n)\n\n"
        "procedure pong(n: int)\n    ping(n + 1)\n",
    ),
    "waiting procedures that call each other": (
        "ping(1)",
        "procedure ping(n: int)\n    if n > 0\n        pong(n)\n    may choose go: t in Town\n        score += 1\n\n"
        "procedure pong(n: int)\n    ping(n + 1)\n",
    ),
    "functions that call each other": (
        "score = ping(1)",
        "function ping(n: int) -> int\n    if n < 0 then 0 else pong(n + 1)\n\n"
        "function pong(n: int) -> int\n    if n < 0 then 0 else ping(n + 1)\n",
    ),
    "a function that branches without end": (
        "score = tree(40)",
        "function tree(n: int) -> int\n    if n < 1 then score + 1 else tree(n - 1) + tree(n - 1)\n",
    ),
    "signals that answer each other": (
        "signal ping(1)",
        "signal ping(n: int)\nsignal pong(n: int)\n\n"
        "when ping(n)\n    signal pong(n)\n\nwhen pong(n)\n    signal ping(n)\n",
    ),
    "a million dice": ("roll 999999999 d6 as dice\nscore = sum(dice)", ""),
    "loops over loops": (
        "for a in 1..1000\n    for b in 1..1000\n        for c in 1..1000\n            score = a + b + c",
        "",
    ),
    "sums over sums": (
        "score = sum(a * b * c * d for a in 1..1000, b in 1..1000, c in 1..1000, d in 1..1000)",
        "",
    ),
    "a quantifier over everything": (
        "if every a in 1..1000, b in 1..1000, c in 1..1000: a + b + c + score > 0\n    score += 1",
        "",
    ),
    "a choice of too many": (
        "choose deep: a in 1..1000, b in 1..1000, c in 1..1000, d in 1..1000\n"
        "    require a + b + c + d == 1 + score\n    score += 1\nor pass",
        "",
    ),
}


@pytest.mark.parametrize(
    "name",
    slow_ones_long(ENDLESS, "sums over sums", "a quantifier over everything", "a function that branches without end"),
)
def test_rules_that_go_on_for_ever_are_stopped(name: str) -> None:
    work, declarations = ENDLESS[name]
    with within(), pytest.raises(PlayError) as caught:
        played(work, declarations)
    assert isinstance(caught.value, StepLimit), caught.value


def test_rules_that_set_each_other_off_come_to_an_end() -> None:
    """`whenever` acts when its condition comes true; two that undo each other are stopped or come to rest."""
    rules = "whenever score mod 2 == 1\n    score += 1\n\n"
    rules += "whenever score mod 2 == 0 and score > 0\n    score += 1\n"
    with within():
        try:
            assert played("score = 1", rules).is_over
        except StepLimit:
            return


STEPS = {
    "a sum": "score = count(a + b + c > 5 for a in 1..1000, b in 1..1000, c in 1..1000)",
    "a choice": "choose deep: a in 1..1000, b in 1..1000, c in 1..1000\n    require a + b + c > 2999\n    score = a",
    "a condition": "if every a in 1..1000, b in 1..1000, c in 1..1000: a + b + c + score > 0\n    score += 1",
}


@pytest.mark.parametrize("name", slow_ones_long(STEPS, "a sum", "a condition"))
def test_steps_of_the_sequence_itself_are_counted_too(name: str) -> None:
    """Its rounds are not multiplied when the work is estimated, but what it does in one of them is looked at."""
    lines = "\n".join(f"        {line}" for line in STEPS[name].split("\n"))
    text = f"{SETTING}\nsequence\n    for active in Side\n{lines}\n    end game, draw\n"
    with within(), pytest.raises(StepLimit):
        compiled(text).start(seed=1)


def test_what_an_example_asks_is_counted() -> None:
    """It may be more work than any rule of the game."""
    asked = "count(a + b + c > 5 for a in 1..1000, b in 1..1000, c in 1..1000) == score"
    example = f'example "Long"\n    given setup\n    expect\n        {asked}\n'
    text = f"{SETTING}\nphase work\n    score += 1\n{SEQUENCE}\n{example}"
    with within():
        (result,) = run_examples(GameSource.of_text(text))
    assert "too long" in str(result)


# ------------------------------------------------------------------ facts worked out before play

FACTS = {
    "filters in filters": (
        [f"Stone S{i}  n {i}" for i in range(600)]
        + ["Stone Last  m (count(Stone[n > count(Stone[n < count(Stone[n > 5])])]))"]
    ),
    "one from the other": [f"Stone S{i}  n (S{i + 1}.n + 1)" for i in range(3000)] + ["Stone S3000  n 5"],
    "lists that double": ["Stone S0  some_list [1, 2]"]
    + [f"Stone S{i + 1}  some_list (S{i}.some_list + S{i}.some_list)" for i in range(60)],
    "texts that double": ['Stone S0  words "ab"']
    + [f"Stone S{i + 1}  words (S{i}.words + S{i}.words)" for i in range(60)],
}


@pytest.mark.parametrize("name", slow_ones_long(FACTS, "filters in filters"))
def test_facts_are_worked_out_within_bounds(name: str) -> None:
    stones = "\n".join(f"    {line}" for line in FACTS[name])
    kind = 'kind Stone: n: int = 0, m: int = 0, some_list: list of int = [], words: text = ""'
    with within(), pytest.raises(GameInvalid) as caught:
        compiled(f"{SETTING}\n{kind}\n\nthings\n{stones}\n\nphase work\n    score += 1\n{SEQUENCE}")
    assert [d.code for d in caught.value.diagnostics] == ["RS014"], "said once"


LABELS = {
    "labels of labels": ('text "{near} and {near}"', [f"Stone S{i + 1}  near S{i}" for i in range(200)]),
    "a text of many parts": ('text "' + "{near}" * 5000 + '"', [f"Stone S{i}  near S0" for i in range(1, 9)]),
    "backs of labels": (
        'text "{near} {near}"\n    hidden when yes, known to North, showing "{near} {near}"',
        [f"Stone S{i + 1}  near S{i}" for i in range(200)],
    ),
    "many long ones": (
        f'text "{{near}} {"of many words " * 600}"', [f"Stone S{i}  near S0" for i in range(1, 2000)]
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LABELS)
def test_what_things_are_called_is_bounded(name: str) -> None:
    """Where each label said the one before it twice, no machine had room for that of the thirtieth thing."""
    words, things = LABELS[name]
    stones = "\n".join(f"    {line}" for line in ["Stone S0", *things])
    text = f"{SETTING}\nkind Stone: near: maybe Stone\n    {words}\n\nthings\n{stones}\n\n{WORK}{SEQUENCE}"
    reporter = Reporter()
    with within():
        memory = memory_of(lambda: look_through(load_single(text, "hostile.rules", reporter), (), "", reporter))
    assert memory < 100_000_000
    assert [d.code for d in reporter.diagnostics if d.severity is Severity.ERROR] == ["RS014"], "said once"


def test_lists_that_are_long_are_not_kept_without_end() -> None:
    facts = ["Stone S0  all [" + ", ".join(["1"] * 5000) + "]"]
    facts += [f"Stone S{i + 1}  all (S0.all + [{i}])" for i in range(4000)]
    stones = "\n".join(f"    {line}" for line in facts)
    with within(), pytest.raises(GameInvalid) as caught:
        compiled(f"{SETTING}\nkind Stone: all: list of int\n\nthings\n{stones}\n\n{WORK}{SEQUENCE}")
    assert [d.message for d in caught.value.diagnostics] == ["working out the facts of this game takes too long"]


# ------------------------------------------------------------------ numbers that grow

GROWING = {
    "squares": "score = 3\nrepeat 500 times\n    score = score * score",
    "a literal": "score = 99999999999999999999999999999999",
    "lists that double": "let dice = [1, 2, 3]\nrepeat 60 times\n    dice = dice + dice\nscore = count(dice)",
    "texts that double": 'let words = "ab"\nrepeat 60 times\n    words = "{words}{words}"\ntell words',
    "texts of lists": 'let words = ["ab"]\nrepeat 60 times\n    words = ["{words}, {words}"]\nscore = count(words)',
    "sets with huge members": "if 99999999999 in {99999999999}\n    score += 1",
    "computed members": "score = 999999999\nif 3 in {score, 3}\n    score += 1",
    "negative members": "score = 0 - 5\nif 3 in {score, 3}\n    score += 1",
    "sets made of numbers": "score = 99999\nif 3 in set(score * score for t in Town)\n    score += 1",
}


@pytest.mark.parametrize("name", GROWING)
def test_numbers_and_lists_stay_within_bounds(name: str) -> None:
    with within(), pytest.raises((PlayError, GameInvalid)):
        played(GROWING[name])


def test_large_numbers_of_pieces_are_refused() -> None:
    text = SETTING.replace("North, 3", "North, 1000000000000000000000")
    with within(), pytest.raises(GameInvalid):
        compiled(f"{text}\nphase work\n    score += 1\n{SEQUENCE}")


def test_states_of_pieces_cost_what_lies_on_the_table() -> None:
    states = "".join(f"    state s{i}: int\n" for i in range(12))
    text = SETTING.replace("    home side.box\n", f"    home side.box\n{states}")
    with within():
        compiled(f"{text}\nphase work\n    score += 1\n{SEQUENCE}")


def test_a_range_is_bounded() -> None:
    with within(), pytest.raises(GameInvalid):
        played("for n in 1..999999999\n    score += n")


# ------------------------------------------------------------------ work that nobody asked for


def tree(head: str, step: str, count: int = 40) -> str:
    """Declarations of which each asks the one before it twice: `{i}` is its number, `{b}` the one before."""
    return head + "".join(step.format(i=i, b=i - 1) for i in range(1, count))


FUNCTIONS = tree(
    "function g0(n: int) -> int\n    n + 1\n\n", "function g{i}(n: int) -> int\n    g{b}(n) + g{b}(n + 1)\n\n"
)
PREDICATES = tree(
    "predicate p0(t: Town)\n    require t.worth > 0\n\n",
    "predicate p{i}(t: Town)\n    require p{b}(t) and p{b}(Mill)\n    require p{b}(Ford)\n\n",
)
PROCEDURES = tree("procedure q0()\n    score += 1\n\n", "procedure q{i}()\n    q{b}()\n    q{b}()\n\n")
LONG = "state numbers: list of int\n"
MADE_LONG = "numbers = [1]\nrepeat 13 times\n    numbers = numbers + numbers\n"

NET = (
    "map Net\n    link road\n"
    + "".join(f"    Town T{i}\n" for i in range(60))
    + "".join(f"    road T{i} - T{j}\n" for i in range(60) for j in range(i))
    + "\n"
)

TIRING = {
    "functions that ask twice": ("score = g39(1)", FUNCTIONS),
    "a sum over functions": ("score = sum(g30(t.worth) for t in Town)", FUNCTIONS),
    "predicates that ask twice": ("if p39(Mill)\n    score = 1", PREDICATES),
    "procedures that call twice": ("q39()", PROCEDURES),
    "procedures in a circle": (
        "ping(1)",
        "procedure ping(n: int)\n    score = n\n    if n < 100\n        pong(n)\n        pong(n)\n\n"
        "procedure pong(n: int)\n    ping(n + 1)\n    ping(n + 1)\n",
    ),
    "values that ask themselves twice": (
        "score = tree(40)",
        "value tree(n: int) -> int\n    if n < 1 then score + 1 else tree(n - 1) + tree(n - 1)\n",
    ),
    "values that ask each other": (
        "score = left(60)",
        "value left(n: int) -> int\n    if n < 1 then 1 else right(n - 1) + right(n - 1)\n\n"
        "value right(n: int) -> int\n    if n < 1 then score else left(n - 1) - left(n - 2)\n",
    ),
    "predicates that ask themselves twice": (
        "if deep(40)\n    score = 5",
        "predicate deep(n: int)\n    require n < 1 or deep(n - 1) and deep(n - 1)\n",
    ),
    "a value adjusted again and again": (
        "score = sum(f(a) + f(b) for a in 1..1000, b in 1..1000)",
        "value f(n: int) -> int\n    n\n\n"
        + "".join(f'adjust f(n) add 1 when n > {i} "layer {i}"\n' for i in range(200)),
    ),
    "sorting again and again": (f"{MADE_LONG}repeat 9999999 times\n    numbers = sorted(numbers)", LONG),
    "taking again and again": (f"{MADE_LONG}repeat 9999999 times\n    numbers = taken(8000, numbers)", LONG),
    "lists of lists": (f"{MADE_LONG}repeat 9999999 times\n    score = sum(a * b for a in numbers, b in numbers)", LONG),
    "membership in a list": (f"{MADE_LONG}repeat 99999999 times\n    if 7 in numbers\n        score = 5", LONG),
    "membership for each": (f"{MADE_LONG}for m in 1..1000\n    score = count(numbers[it + m not in numbers])", LONG),
    "membership required": (
        f"{MADE_LONG}choose c: a in 2..1000, b in 2..1000\n    require a + b in numbers\n    score += 1\nor pass",
        LONG,
    ),
    "membership in a list of texts": (
        'let word = "a"\nrepeat 11 times\n    word = "{word}{word}"\nwords = ["{word}a"]\n'
        'repeat 13 times\n    words = words + words\nrepeat 999999 times\n    if "{word}b" in words\n        score = 5',
        "state words: list of text\n",
    ),
    "lists that are alike": (
        f"{MADE_LONG}others = taken(8192, numbers + [1])\nrepeat 99999999 times\n    if numbers != others\n"
        "        score = 5",
        LONG + "state others: list of int\n",
    ),
    "sums of a list": (f"{MADE_LONG}score = sum(sum(numbers) + b for a in 1..1000, b in 1..1000)", LONG),
    "the highest of a list": (f"{MADE_LONG}repeat 9999999 times\n    score = max(numbers)", LONG),
    "a rule over a list": (
        f"{MADE_LONG}score = sum(f(a) + f(b) for a in 1..1000, b in 1..1000)",
        f"{LONG}\nfunction f(n: int) -> int\n    sum(a + n for a in numbers)\n",
    ),
    "lists of everything": ("numbers = list(a + b for a in 1..1000, b in 1..1000, c in 1..1000)", LONG),
    "sets of numbers": (
        "score = count(some set(c + d for c in 1..1000, d in 1..1000) for a in 1..1000, b in 1..1000)",
        "",
    ),
    "sets that are joined": ("let s = {1}\nrepeat 99999999 times\n    s = s + {4000}", ""),
    "sets in words": ('for a in 1..1000\n    for b in 1..1000\n        tell "{(1..900)[it > a]}"', ""),
    "lists in words": (
        'numbers = [1]\nrepeat 10 times\n    numbers = numbers + numbers\nrepeat 9999999 times\n    tell "{numbers}"',
        LONG,
    ),
    "texts": ('let w = "ab"\nrepeat 9 times\n    w = "{w}{w}"\nrepeat 9999999 times\n    tell "{w} {score}"', ""),
    "texts that are joined": (
        'let w = "ab"\nrepeat 9 times\n    w = "{w}{w}"\nlet v = "x"\n'
        'for a in 1..1000\n    for b in 1..1000\n        for c in 1..1000\n            v = "{w}{w}"',
        "",
    ),
    "three loops": (
        "for a in 1..1000\n    for b in 1..1000\n        for c in 1..1000\n            let d = a + b + c",
        "",
    ),
    "three loops over a list": (
        f"{MADE_LONG}for a in numbers\n    for b in numbers\n        for c in numbers\n"
        "            if a + b + c + score == 0\n                score = 1",
        LONG,
    ),
    "rounds with nothing in them": ("repeat 999999999 times\n    let a = 1", ""),
    "three picks": (
        "choose c: a in 1..1000, b in 1..1000, c in 1..1000\n    require a + b + c + score > 2999999\n"
        "    score += 1\nor pass",
        "",
    ),
    "choices of which none is asked": (
        "repeat 9999999 times\n    may choose c: a in 1..1000, b in 1..100\n        require a + b + score < 0\n"
        "        score += 1",
        "",
    ),
    "routes through a dense net": (
        "for a in 1..1000\n    for t in Town\n        score += 1\n        if Mill in r(t)\n            score += 1",
        NET + "route r(t: Town) from t by road\n    enter b\n        require b.worth + score > 0\n"
        "    step a to b\n        require a.worth + b.worth + score > 0\n",
    ),
    "a table in loops": (
        "score = sum(t(a + b + c) for a in 1..1000, b in 1..1000, c in 1..1000)",
        "table t(n: int) -> int\n"
        + "".join(f"    | {3 * i}..{3 * i + 2} | {i} |\n" for i in range(300))
        + "    | otherwise | 5 |\n",
    ),
    "a large condition that is always looked at": (
        "repeat 99999999 times\n    score += 1",
        "whenever count(a + b > score for a in 1..100, b in 1..100) == 1\n    active = North\n",
    ),
    "signals": (
        "repeat 99999999 times\n    signal ping(1)",
        "signal ping(n: int)\n\n" + "when ping(n)\n    score = n\n\n" * 30,
    ),
    "events": ("repeat 999999999 times\n    score = 1", ""),
    "moves": ("repeat 99999999 times\n    move North.box to Mill.tiles\n    move Mill.tiles to North.box", ""),
    "shuffles": (
        "repeat 999999999 times\n    shuffle pile",
        "kind Card\n    home pile\n\nholds pile: Card, ordered\n\nthings\n"
        + "".join(f"    Card C{i}\n" for i in range(300)),
    ),
    "dice": ("repeat 99999999 times\n    roll 999 d6 as dice", ""),
    "dice of a number worked out": ("score = 900\nrepeat 99999999 times\n    roll score d6 as dice", ""),
}


# How long work may take until it is stopped: in the tests a fortieth of it, so that they are done sooner.
SHARE = 40
LONGEST = 1


@pytest.mark.parametrize(
    "name", slow_ones_long(TIRING, "rounds with nothing in them", "lists of lists", "routes through a dense net")
)
def test_work_is_counted_whatever_it_is_made_of(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the plain form and in the quick one; a look at a thing is never much longer than others are."""
    monkeypatch.setattr(effort, "WORK_LIMIT", WORK_LIMIT // SHARE)
    work, declarations = TIRING[name]
    lines = "\n".join(f"    {line}" for line in work.split("\n"))
    with within():
        game = compiled(f"{SETTING}\n{declarations}\nphase work\n{lines}\n{SEQUENCE}")
        quick = quick_code(game)
    position = game.start(seed=1)
    state = list(position.s)
    with within(LONGEST), pytest.raises(PlayError):
        position.choose(0)
    assert position.s == state
    with within(LONGEST), pytest.raises(PlayError):
        for seed in range(60):
            played_out(game, quick, 1, 100, seed)


ASKED_ABOUT = {
    "functions": ("g39(1)", FUNCTIONS),
    "predicates": ("p39(Mill)", PREDICATES),
    "three picks": ("count(a + b + c > 5 for a in 1..1000, b in 1..1000, c in 1..1000)", ""),
    "a value by itself": (
        "tree(40)",
        "value tree(n: int) -> int\n    if n < 1 then score + 1 else tree(n - 1) + tree(n - 1)\n",
    ),
}


@pytest.mark.parametrize("name", slow_ones_long(ASKED_ABOUT, "three picks", "a value by itself"))
def test_explanations_of_endless_things_come_to_an_end(name: str) -> None:
    """Whoever asks: who knows everything, a seat, and somebody who asks why not."""
    asked, declarations = ASKED_ABOUT[name]
    text = f"{SETTING}\n{declarations}\nphase work\n    score += 1\n{SEQUENCE}"
    position = compiled(text).start(seed=1)
    view = position.view("North")
    for ask in (position.explain, view.explain, position.why_not, view.why_not):
        with within():
            try:
                str(ask(asked))
            except RulescriptError:
                continue


def test_why_not_of_a_requirement_that_never_ends() -> None:
    """Listing the options stops at what fails first; who asks why hears of all that fails."""
    lines = "    choose c: t in Town\n        require score > 0 and p39(t)\n        score += 1\n    or pass\n"
    position = compiled(f"{SETTING}\n{PREDICATES}\nphase work\n{lines}{SEQUENCE}").start(seed=1)
    position.choose(0)
    for ask in (position.why_not, position.view("North").why_not):
        with within():
            try:
                str(ask("Mill"))
            except RulescriptError:
                continue


LEFT_OUT = {
    "defaults that ask for defaults": (
        "score = d39()",
        tree(
            "function d0(a: int = 1) -> int\n    a\n\n",
            "function d{i}(a: int = d{b}() + d{b}()) -> int\n    a + d{b}()\n\n",
        ),
    ),
    "a default that says what is given twice": (
        "score = " + "d(" * 30 + "1" + ")" * 30,
        "function d(a: int, b: int = a + a) -> int\n    a + b\n\n",
    ),
    "long defaults of many calls": (
        "score = d() + d()\n" * 3000,
        f"function d(a: int = {' + '.join(['score'] * 40)}) -> int\n    a\n\n",
    ),
}


# A declaration, what stands before, in and behind thirty calls within each other.
WORDS = {
    "a function": ('function f(n: int) -> int as "{n} or {n} and {n}"\n    n\n', "f(", "t.worth", ") > 9"),
    "a table": ('table f(n: int) -> int as "{n} by {n}"\n    | 0..9 | 1 |\n', "f(", "t.worth", ") > 9"),
    "a place": ('value f(t: Town) -> Town as "the next of {t} beside {t}"\n    t\n', "f(", "t", ").worth > 9"),
    "what is not so": (
        'predicate f(n: int, t: Town) as "{t} has {n} or {n}" not "{t} lacks {n} and {n}"\n    require no\n\n'
        'value g(n: int) -> int as "{n} or {n}"\n    n\n',
        "g(", "t.worth", "), t)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WORDS)
def test_words_that_say_what_they_are_about_twice_come_to_an_end(name: str) -> None:
    """Each call within the other doubled them: a refusal, and the printed rules, took for ever."""
    declared, begin, inner, end = WORDS[name]
    asked = f"{'f(' if end == '), t)' else ''}{begin * 30}{inner}{')' * 29}{end}"
    game = compiled(f"{SETTING}\n{declared}\npredicate p(t: Town)\n    require {asked}\n\n{WORK}{SEQUENCE}")
    (clause,) = game.model.functions["p"].clauses
    with within(10):
        for told in (say(clause.condition), say_not(clause.condition)):
            assert 100 < len(told) < 20_000 and "..." in told


@pytest.mark.parametrize("name", slow_ones_long(LEFT_OUT, "long defaults of many calls"))
def test_what_calls_leave_out_is_not_written_out_without_end(name: str) -> None:
    work, declarations = LEFT_OUT[name]
    with within(), pytest.raises(GameInvalid) as caught:
        played(work, declarations)
    assert [d.code for d in caught.value.diagnostics if d.severity.name == "ERROR"] == ["RS014"]


WRITTEN_OUT = {
    "phases in phases": tree("phase s0\n    score += 1\n\n", "phase s{i}\n    s{b}\n    s{b}\n\n", 60),
    "phases with hooks": tree("phase s0\n    score += 1\n\n", "phase s{i}\n    s{b}\n\nafter s{i}\n    s{b}\n\n", 60),
    "looks everywhere": "".join(f"whenever score == {i + 9}\n    active = South\n\n" for i in range(2_000))
    + "procedure all()\n"
    + "    score += 1\n" * 2_000,
    "looks in phases": "".join(f"whenever score == {i + 9}\n    active = South\n\n" for i in range(200))
    + tree("phase s0\n    score += 1\n\n", "phase s{i}\n    s{b}\n    s{b}\n\n", 12),
    "what things do": "kind Card\n    does play()\n\nthings\n"
    + "".join(f"    Card C{i}\n        play\n            score += {i}\n" for i in range(400))
    + "\nprocedure all()\n    for c in Card\n"
    + "        c.play()\n" * 400,
}


@pytest.mark.parametrize("name", slow_ones_long(WRITTEN_OUT, "looks everywhere", "what things do"))
def test_what_is_written_several_times_is_bounded(name: str) -> None:
    """`check` tells it too: the game is not compiled for that."""
    from rulescript.pipeline import look_through

    text = f"{SETTING}\n{WRITTEN_OUT[name]}\nphase work\n    score += 1\n{SEQUENCE}"
    reporter = Reporter()
    with within(8):
        look_through(load_single(text, "hostile.rules", reporter), (), "", reporter)
    (told,) = [d for d in reporter.diagnostics if d.code == "RS323"]
    assert "60,000" in told.message


def test_what_becomes_too_long_in_any_other_way_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "MOST_WRITTEN", 300)
    with within(), pytest.raises(GameInvalid) as caught:
        played("score += 1\n" * 400)
    assert [d.code for d in caught.value.diagnostics if d.severity.name == "ERROR"] == ["RS323"]


MANY_NAMES = {
    "moved meanwhile": ("move Town.tiles to Mill\n", 600),
    "moved in rounds": (
        "if score > 3\n        move Mill.tiles to Ford\n    else\n        move Ford.tiles to Mill\n",
        800,
    ),
    "elsewhere": ("move North.box to South.box\n", 5_500),
}


@pytest.mark.parametrize("name", MANY_NAMES)
def test_very_many_names_for_pieces_are_refused_soon(name: str) -> None:
    """Each would have to be told of each move what has become of its piece."""
    deed, times = MANY_NAMES[name]
    names = range(400)
    lines = [f'choose c{i}: t{i} in Mill.tiles "Tile {i} {{t{i}}}"\n' for i in names]
    lines += [deed] * times + [f"move t{i} to Ford\n" for i in names]
    text = f"{SETTING}\nphase work\n    {'    '.join(lines)}{SEQUENCE}"
    with within(8), pytest.raises(GameInvalid) as caught:
        compiled(text)
    (told,) = [d for d in caught.value.diagnostics if d.severity.name == "ERROR"]
    assert (told.code, "100,000" in told.message) == ("RS323", True)


def test_rules_that_look_at_each_other_are_compiled_soon() -> None:
    """Fifty in a circle, each setting off the next."""
    states = "".join(f"state c{i}: int\n" for i in range(50))
    rules = "".join(f"whenever c{i} > score\n    c{(i + 1) % 50} = c{i} + 1\n    score += 1\n\n" for i in range(50))
    with within():
        compiled(f"{SETTING}\n{states}\n{rules}\nphase work\n    score += 1\n{SEQUENCE}")


def test_a_claim_that_never_ends_is_told() -> None:
    text = f'{SETTING}\n{FUNCTIONS}\ncheck "it ends"\n    g39(1) > 0\n\nphase work\n    score += 1\n{SEQUENCE}'
    with within(), pytest.raises(GameInvalid) as caught:
        compiled(text)
    assert any("went on for too long" in str(d) for d in caught.value.diagnostics)


def test_many_claims_take_no_longer_than_one() -> None:
    """Each is within the limit; what comes after all that may be done together is left out, and that is told."""
    asked = "sum(a * b for a in 1..1500, b in 1..1500)"
    long = "".join(f'check "number {i}"\n    {asked} > {i}\n\n' for i in range(300))
    with within(), pytest.raises(GameInvalid) as caught:
        compiled(f"{SETTING}\n{long}\nphase work\n    score += 1\n{SEQUENCE}")
    assert [d.code for d in caught.value.diagnostics if d.severity is Severity.ERROR] == ["RS014"]
    assert "take too long together" in caught.value.diagnostics[-1].message


SHAPES = [
    "functions",
    "hooks",
    "states",
    "predicates_in_a_tree",
    "misspelt_among_many",
    "things",
    "extends",
    "statements",
    "parameters",
    "mistakes_of_all_sorts",
    "procedures_that_end_one_by_one",
    "restricts_of_added_ways",
    "exceptions",
    "choices_for_each",
    "names_of_choices",
    "options_of_circles",
    "selections",
]


@pytest.mark.parametrize(
    "shape",
    slow_ones_long(
        SHAPES,
        "choices_for_each",
        "exceptions",
        "misspelt_among_many",
        "mistakes_of_all_sorts",
        "names_of_choices",
        "options_of_circles",
    ),
)
def test_large_texts_are_looked_through_soon(shape: str) -> None:
    """A small part of the shapes that `python -m tests.fuzz.measure` times."""
    reporter = Reporter()
    with within(8):
        look_through(load_single(text_of(shape, 30_000), "large.rules", reporter), (), "", reporter)


SIZES = {"options_that_all_exclude": 60_000}


@pytest.mark.parametrize("shape", ["selections_with_sums", "words_of_words"])
def test_large_texts_are_compiled_soon(shape: str) -> None:
    """Thousands of copies were sought one among the other, at each choice anew: minutes for 20 KB."""
    with within(8):
        compiled(text_of(shape, 20_000))


@pytest.mark.parametrize(
    "shape",
    slow_ones_long(
        ["a_long_road", "checks_that_fail", "options_that_all_exclude", "whenevers_from_the_start"],
        "checks_that_fail",
        "whenevers_from_the_start",
    ),
)
def test_many_mistakes_and_claims_are_told_soon(shape: str) -> None:
    """What is quadratic in one of these took more than twice as long for so small a text."""
    from rulescript.cli.check import check_text, choices_of
    from rulescript.diagnostics import render_diagnostic

    reporter = Reporter()
    with within(6):
        text = load_single(text_of(shape, SIZES.get(shape, 120_000)), "large.rules", reporter)
        found = check_text(text, reporter, choices_of(text)).diagnostics
        assert [render_diagnostic(each) for each in found[:200]]


@pytest.mark.parametrize(
    "work",
    [
        "score = sum(a * 1000 + b for a in 1..400, b in 1..400) at most 3",
        "score = count(a != b for a in 1..400, b in 1..400) at most 3",
        "score = max(a * 1000 + b for a in 1..400, b in 1..400) at most 3",
    ],
)
def test_what_is_added_up_is_not_kept(work: str) -> None:
    """160,000 numbers are within the limit of work, and so are many more; a list of them would be 6 MB."""
    position = compiled(f"{SETTING}\nphase work\n    {work}\n{SEQUENCE}").start(1)
    assert memory_of(lambda: position.choose(0)) < 2_000_000
    assert position.value("score") == "3"


def test_a_list_that_becomes_too_long_is_not_made() -> None:
    work = "let x = list(a * 1000 + b for a in 1..800, b in 1..800)\n    score = count(x)"
    position = compiled(f"{SETTING}\nphase work\n    {work}\n{SEQUENCE}").start(1)

    def refused() -> None:
        with pytest.raises(PlayError, match="grew beyond 10000"):
            position.choose(0)

    assert memory_of(refused) < 4_000_000


def memory_of(work: Callable[[], object]) -> int:
    """How many bytes something takes at most."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_too_many_things_are_told_once_for_a_kind() -> None:
    from rulescript.pipeline import look_through

    reporter = Reporter()
    look_through(load_single(text_of("things", 140_000), "large.rules", reporter), (), "", reporter)
    assert [d.message for d in reporter.diagnostics if d.code == "RS014"] == [
        "there are more than 5000 things of kind `Town`"
    ]


# ------------------------------------------------------------------ names and texts

NASTY_NAMES = [
    "__class__", "__import__", "__builtins__", "eval", "exec", "print", "None", "lambda", "def", "class",
    "import", "return_", "S", "p", "B", "BITS", "PL", "K0", "b1", "c1", "v1", "f1", "roll_", "only_", "self",
    "über", "中文", "ﬁ", "ǅ", "x" * 3000,
]  # fmt: skip


@pytest.mark.parametrize("name", NASTY_NAMES, ids=lambda n: n[:12])
def test_names_of_any_sort_are_only_names(name: str) -> None:
    """As a thing, a kind, a state, an attribute, a function, a procedure, a local name and a choice."""
    text = f"""\
rulescript 1

game "Names"

kind Side

things
    Side {name}1
    Side South

players Side

kind {name}2: {name}3: int = 4

things
    {name}2 {name}

state active: Side
state {name}4: int

function {name}5({name}6: int) -> int
    {name}6 + {name}.{name}3

procedure {name}7({name}6: int)
    let {name}8 = {name}5({name}6)
    {name}4 += {name}8

phase {name}9
    choose {name}10: {name}11 in {name}2 "{{{name}11}}"
        {name}7(3)
    or pass

sequence
    for active in Side
        {name}9
    end game, {name}1 wins "{{{name}4}}"
"""
    with within():
        game = compiled(text)
        position = game.start(seed=1)
        while position.decision is not None:
            position.choose(0)
        assert position.outcome is not None and position.outcome.winner == f"{name}1"
        assert position.outcome.how == "14"
        assert str(position.journal)


NASTY_TEXTS = [
    "'", "''' + x + '''", "\\\\", "\\\"", "%s %d {0}", "'; import os; '", "\\\\'", "\\n", "{{", "}}",
    "\u2028x", "{active}{active}", "${score}", "`", "\u202e", "é中🎲", "\\x41", "{score!r}",
    "{score:>99999999}", "{score}}",
]  # fmt: skip


@pytest.mark.parametrize("words", NASTY_TEXTS)
def test_texts_of_any_sort_are_only_texts(words: str) -> None:
    """In titles, labels, prompts, doc strings, claims and the journal; or refused, with a reason."""
    text = f'''\
rulescript 1

game "{words}"

kind Side

things
    Side North "{words}"
    Side South

players Side

state active: Side
state score: int

phase work "{words}"
    "{words}"
    choose go: s in Side "{words}"
        require s == s "{words}"
        tell "{words}"
    or pass "{words}"

invariant "{words}"
    score >= 0

sequence
    for active in Side
        work
    end game, North wins "{words}"
'''
    with within():
        try:
            game = compiled(text)
        except GameInvalid:
            return
        position = game.start(seed=1)
        while position.decision is not None:
            for option in position.decision.options:
                assert isinstance(option.text, str)
            position.choose(0)
        assert isinstance(str(position.journal), str)
        assert position.outcome is not None and position.outcome.winner == "North"


def test_no_python_of_the_authors_is_ever_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every text in the game is the same attack; the module it would call is watched."""
    called: list[str] = []
    monkeypatch.setattr(os, "system", lambda command: called.append(command))
    attack = "__import__('os').system('true')"
    text = f'''\
rulescript 1
game "{attack}"
    by "{attack}"
kind Side
    text "{attack}"
things
    Side North "{attack}"
    Side South
players Side
state active: Side
phase work "{attack}"
    choose go: s in Side "{attack} {{s}}"
        require s == s "{attack}"
        tell "{attack}"
sequence
    for active in Side
        work
    end game, North wins "{attack}"
'''
    game = compiled(text)
    position = game.start(seed=1)
    while position.decision is not None:
        position.choose(0)
    str(position.journal), str(position.outcome)
    assert called == []


# ------------------------------------------------------------------ files


def test_includes_do_not_climb_out(tmp_path: Path) -> None:
    (tmp_path / "secret.rules").write_text("rulescript 1\nkind Secret\n", encoding="utf-8")
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "link.rules").symlink_to(tmp_path / "secret.rules")
    for path in (
        "../secret.rules",
        str(tmp_path / "secret.rules"),
        "a/../../secret.rules",
        "link.rules",
        "/etc/passwd",
    ):
        (folder / "game.rules").write_text(f'rulescript 1\ngame "Climber"\ninclude "{path}"\n', encoding="utf-8")
        with within(), pytest.raises(GameInvalid) as caught:
            load(folder, cache=False)
        assert any(d.code in ("RS007", "RS008") for d in caught.value.diagnostics), path
        assert "Secret" not in str(caught.value)


def test_a_folder_cannot_bring_its_own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled games are read from the user's cache alone, under a key that an author cannot choose."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.rules").write_text(f"{SETTING}\nphase work\n    score += 1\n{SEQUENCE}", encoding="utf-8")
    for name in ("game-0.bin", "__pycache__", "rulescript.py"):
        (tmp_path / name).write_bytes(b"junk")
    with within():
        assert load(tmp_path / "game.rules", cache=False).title == "Large"


DEEP = {
    "brackets": "score = " + "(" * 5000 + "1" + ")" * 5000,
    "not": "if " + "not " * 5000 + "yes\n    score += 1",
    "minus": "score = " + "-" * 5000 + "1",
    "a long sum": "score = " + " + ".join(["1"] * 20000),
    "a long and": "if " + " and ".join(["score == 1"] * 20000) + "\n    score += 1",
    "filters": "score = count(Town" + "[worth > 0]" * 3000 + ")",
    "attributes": "score = Mill" + ".tiles" * 3000,
    "ifs": "\n".join("    " * i + "if score > 0" for i in range(300)) + "\n" + "    " * 300 + "score += 1",
    "else ifs": "if score > 0\n    score += 1\n" + "else if score > 1\n    score += 2\n" * 3000,
    "if expressions": "score = " + "if score > 0 then 1 else " * 3000 + "2",
    "sets of sets": "if some " + "{" * 3000 + "1" + "}" * 3000 + "\n    score += 1",
    "braces in a text": 'tell "' + "{" * 3000 + "score" + "}" * 3000 + '"',
    "texts in texts": 'tell "' + "{score}" * 20000 + '"',
}


@pytest.mark.parametrize("name", slow_ones_long(DEEP, "a long and", "texts in texts"))
def test_deep_and_long_expressions_are_refused_or_work(name: str) -> None:
    with within(60):
        try:
            played(DEEP[name], choices=2)
        except (GameInvalid, PlayError):
            return


@pytest.mark.long
def test_a_hundred_thousand_lines() -> None:
    lines = "".join(f"    Town T{i}\n" for i in range(100_000))
    with within(60), pytest.raises(GameInvalid):
        compiled(f"{SETTING}\nthings\n{lines}\nphase work\n    score += 1\n{SEQUENCE}")


@pytest.mark.long
def test_ten_thousand_statements() -> None:
    lines = "    score += 1\n" * 10_000
    with within(60):
        try:
            compiled(f"{SETTING}\nphase work\n{lines}\n{SEQUENCE}")
        except GameInvalid:
            return


def test_the_limits_leave_no_deep_recursion_behind() -> None:
    """Our own recursion limit is Python's: nothing raises it."""
    before = sys.getrecursionlimit()
    with within(), pytest.raises(RulescriptError):
        played(*ENDLESS["procedures that call each other"])
    assert sys.getrecursionlimit() == before
