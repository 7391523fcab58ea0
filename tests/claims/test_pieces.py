"""A game for examples is compiled function by function, when one is called; it plays as one compiled at once."""

from __future__ import annotations

import sys
import traceback
from types import FrameType
from typing import Any

import pytest

from rulescript.claims import GameSource
from rulescript.claims.pieces import Pieces
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


def test_random_games_are_the_same() -> None:
    lazy = GameSource.load("attrition_of_souls").game(["trenches"])
    code = compile(lazy.source, GENERATED, "exec", dont_inherit=True, optimize=2)
    eager = Game(code, lazy.data, lazy.origins)
    for seed in range(2):
        one, other = lazy.start(seed), eager.start(seed)
        for step in range(60):
            decision, theirs = one.decision, other.decision
            assert decision is not None and theirs is not None and len(decision) == len(theirs)
            at = (seed + 7 * step) % len(decision)
            assert decision.options[at].text == theirs.options[at].text
            one.choose(at)
            other.choose(at)
        assert one.s == other.s
