"""A game for examples is compiled function by function, when one is called; it plays as one compiled at once."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from functools import cache
from types import FrameType
from typing import Any

import pytest
from attrs import evolve

from rulescript.claims import GameSource
from rulescript.claims.pieces import Pieces
from rulescript.diagnostics import Reporter
from rulescript.errors import GameInvalid, PlayError
from rulescript.loader import GameText, load_text
from rulescript.runtime.failures import GENERATED
from rulescript.runtime.game import Game

TEXT = """K0 = (1, 2, 3)
def first(S, n):
    return [x * n for x in K0] + second(S)
def second(S): return [len(S)]
def third(S, n, shift=0):
    if n:
        return n // shift
    return K0[shift]
TABLE = {"first": first, "third": third}
"""


def whole() -> dict[str, Any]:
    scope: dict[str, Any] = {}
    exec(compile(TEXT, GENERATED, "exec"), scope)
    return scope


def pieces() -> dict[str, Any]:
    scope: dict[str, Any] = {}
    Pieces(TEXT)(scope)
    return scope


def test_pieces_do_what_the_whole_does() -> None:
    for scope in (whole(), pieces()):
        assert scope["first"]([1, 2], 3) == [3, 6, 9, 2] == scope["TABLE"]["first"]([1, 2], 3)
        assert scope["third"]([], 0) == 1 and scope["third"]([], 0, shift=2) == 3


def test_a_function_is_compiled_once_and_stays_the_same() -> None:
    scope = pieces()
    first = scope["first"]
    assert first.__code__.co_filename != GENERATED
    first([], 1)
    made = first.__code__
    assert made.co_filename == GENERATED and scope["first"] is first is scope["TABLE"]["first"]
    first([], 2)
    assert first.__code__ is made


def test_a_mistake_is_found_at_its_line() -> None:
    def places(scope: dict[str, Any]) -> list[int | None]:
        with pytest.raises(ZeroDivisionError) as problem:
            scope["third"]([], 1)
        with pytest.raises(TypeError) as other:
            scope["first"](None, 1)
        frames = [*traceback.extract_tb(problem.tb), *traceback.extract_tb(other.tb)]
        return [f.lineno for f in frames if f.filename == GENERATED]

    assert places(pieces()) == places(whole()) == [7, 3, 4]


def test_who_watches_the_lines_sees_the_same() -> None:
    def ran(scope: dict[str, Any]) -> set[int]:
        seen: set[int] = set()

        def trace(frame: FrameType, event: str, arg: Any) -> Any:
            if frame.f_code.co_filename == GENERATED and event == "line":
                seen.add(frame.f_lineno)
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            scope["first"]([1], 3)
        finally:
            sys.settrace(before)
        return seen

    assert ran(pieces()) == ran(whole()) == {3, 4}


@cache
def attrition() -> GameText:
    return load_text("attrition_of_souls", Reporter())


@pytest.fixture(scope="module", autouse=True)
def nothing_kept() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESCRIPT_CACHE", "")
        yield


@pytest.fixture(scope="module")
def forms() -> dict[str, Game]:
    """A game with an option: written as it is called, and all at once, compiled in pieces or whole."""
    source = GameSource(attrition())
    later = source.game(["trenches"])
    at_once = source.composed(tuple(later.data.options), "", is_common=True)
    code = compile(at_once.source, GENERATED, "exec", dont_inherit=True, optimize=2)
    return {"later": later, "pieces": at_once, "whole": Game(code, at_once.data, at_once.origins)}


@pytest.mark.parametrize("form", ["later", "pieces"])
def test_random_games_are_the_same(form: str, forms: dict[str, Game]) -> None:
    for seed in range(2):
        one, other = forms[form].start(seed), forms["whole"].start(seed)
        for step in range(60):
            decision, theirs = one.decision, other.decision
            assert decision is not None and theirs is not None and len(decision) == len(theirs)
            at = (seed + 7 * step) % len(decision)
            assert decision.options[at].text == theirs.options[at].text
            one.choose(at)
            other.choose(at)
        assert one.s == other.s


def test_what_others_are_told_does_not_depend_on_when_it_is_written(forms: dict[str, Game]) -> None:
    first, second = (evolve(forms[form].data, layout="", rules_hash="") for form in ("later", "whole"))
    assert first == second


def test_who_calls_little_has_little_written() -> None:
    source = GameSource(attrition())
    game = source.game(["trenches"])
    (made,) = source._codes.values()
    assert made.compiled.unwritten is not None
    game.start(0)
    written = made.compiled.unwritten._written
    assert 0 < len(written) < len(made.compiled.unwritten._functions) / 2
    # Another game of the same rules finds what is written, and its own answers.
    before = dict(written)
    other, _ = source._compiled(tuple(game.data.options), "", frozenset())
    assert other is not game and other.start(0).s == game.start(0).s
    assert before == written


def test_a_mistake_in_what_is_written_later_is_found_at_its_line() -> None:
    source = GameSource.of_text(
        """rulescript 1

game "Halves"

values Side: North, South
players Side
state n: int = 0

value half(by: int) -> int
    let whole = 12
    return whole / by rounded down

option deeper "Deeper"
    adjust half(by) add 1 when by > 7

phase go "Go"
    choose by North share: x in 0..1 "Share by {x}"
        require half(x) > 0
        n = half(x)

sequence
    go
"""
    )
    for options in ((), ("deeper",)):
        with pytest.raises(PlayError) as problem:
            source.game(options).start(0)
        assert str(problem.value).startswith("<text>:11: "), str(problem.value)


def test_a_rule_that_becomes_too_much_is_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    source = GameSource(attrition())
    game = source.game(["trenches"])
    monkeypatch.setattr("rulescript.compiler.lower.program.MOST_WRITTEN", 0)
    with pytest.raises(GameInvalid) as problem:
        game.start(0)
    assert [found.code for found in problem.value.diagnostics] == ["RS323"]
