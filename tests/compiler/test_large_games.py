"""What is there thousands of times is looked at once, and a module of many lines is the same in parts."""

from __future__ import annotations

from pathlib import Path
from types import CodeType

import pytest

import rulescript
from rulescript.compiler.code import Name
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower import program
from rulescript.compiler.lower.lowering import Lowering
from rulescript.errors import GameInvalid, PlayError
from rulescript.pipeline import loading
from rulescript.pipeline.cache import read_kept
from tests.fuzz.large import HEAD, SEQUENCE

LASTING = HEAD + "".join(
    f"state s{i}: 0..9 = {i % 9}, lasts p{i}\n\nprocedure p{i}()\n    s{i} = 9\n\n" for i in range(8)
)
PLAYED = """
phase work
    choose c: t in Town "Take {t}"
        p3()
        score = 6 / s5 rounded up
    or divide "Divide"
        score = 6 / (s5 - 5) rounded up
"""
TEXT = LASTING + PLAYED + SEQUENCE


def test_a_module_compiled_in_parts_is_the_same_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also out of the cache, and what goes wrong is told at its line."""
    path = tmp_path / "parts.rules"
    path.write_text(TEXT, encoding="utf-8")
    whole = rulescript.load(path, cache=False)
    monkeypatch.setattr(loading, "LINES_AT_ONCE", 20)
    parts = rulescript.load(path)
    again = rulescript.load(path)
    assert parts.kept is not None
    code, _, _ = read_kept(parts.kept)
    assert isinstance(code, tuple) and len(code) > 3 and all(isinstance(each, CodeType) for each in code)
    assert whole.source == parts.source
    told = set()
    for game in (whole, parts, again):
        position = game.start(seed=3).choose(0).choose(0)
        assert position.value("s3") == "3"
        position.choose(0)
        with pytest.raises(PlayError) as problem:
            position.choose("Divide")
        told.add((str(problem.value), position.state_hash()))
    assert len(told) == 1 and "divi" in next(iter(told))[0]


def test_states_that_last_are_found_by_the_scope_they_last(tmp_path: Path) -> None:
    path = tmp_path / "lasting.rules"
    path.write_text(TEXT, encoding="utf-8")
    model = rulescript.load(path).model
    lower = Lowering(model, Layout(model))
    assert [state.name for state in lower.lasting.states_of({"p5", "p2", "nowhere"})] == ["s2", "s5"]
    assert lower.lasting.has_scope("p7") and not lower.lasting.has_scope("work")


def test_names_given_for_a_while_mean_again_what_they_meant(tmp_path: Path) -> None:
    path = tmp_path / "names.rules"
    path.write_text(TEXT, encoding="utf-8")
    model = rulescript.load(path).model
    scope = Lowering(model, Layout(model)).scope
    scope.env[1] = Name("a")
    with scope.for_a_while():
        scope.env[1] = scope.env[2] = Name("b")
        with scope.for_a_while():
            scope.env[3] = Name("c")
            assert [scope.env[at] for at in (1, 2, 3)] == [Name("b"), Name("b"), Name("c")]
        assert 3 not in scope.env
    assert dict(scope.env) == {1: Name("a")}


@pytest.mark.parametrize(
    "written",
    [
        'choose c: {} "Take"\n        score += 1',
        "score = sum(1 for {})",
        "if (some {}: a0.worth > 0)\n        score += 1",
    ],
    ids=["choice", "sum", "condition"],
)
def test_more_names_than_can_be_asked_for_are_a_mistake_of_the_text(tmp_path: Path, written: str) -> None:
    def load(many: int) -> None:
        names = ", ".join(f"a{i} in Town" for i in range(many))
        path = tmp_path / f"names{many}.rules"
        path.write_text(f"{HEAD}\nphase work\n    {written.replace('{}', names)}\n{SEQUENCE}", encoding="utf-8")
        rulescript.load(path)

    load(40)
    with pytest.raises(GameInvalid) as problem:
        load(101)
    (error,) = [each for each in problem.value.diagnostics if each.severity == "error"]
    assert error.code == "RS014" and error.label.span.text == "a100"


@pytest.mark.parametrize(
    ("written", "many"),
    [
        ("whenever score > {i}\n    active = North\n\n", 12_000),
        ('procedure p{i}()\n    choose any number from active.box as s "Take {{s}}"\n        score += 1\n\n', 3_500),
    ],
    ids=["whenevers", "selections"],
)
def test_what_becomes_much_code_counts_as_several_statements(tmp_path: Path, written: str, many: int) -> None:
    """`check` says so: compiled they would take gigabytes."""
    path = tmp_path / "many.rules"
    rules = "".join(written.format(i=i) for i in range(many))
    path.write_text(f"{HEAD}\n{rules}\nphase work\n    score += 1\n{SEQUENCE}", encoding="utf-8")
    with pytest.raises(GameInvalid) as problem:
        rulescript.load(path)
    assert [each.code for each in problem.value.diagnostics if each.severity == "error"] == ["RS323"]


def _with_itself(names: int, calls: int) -> str:
    """A rule that asks, and calls itself at many places while it has many names."""
    lets = "".join(f"    let n{i} = n + {i}\n" for i in range(names))
    asked = "".join(f'    may go{i} "Go {i}"\n        again(n + 1)\n' for i in range(calls))
    used = "    score += " + " + ".join(f"n{i}" for i in range(names)) + "\n"
    rule = f"procedure again(n: int)\n    if n > 2\n        return\n{lets}{asked}{used}\n"
    return f"{HEAD}\n{rule}\nphase work\n    again(1)\n{SEQUENCE}"


@pytest.mark.parametrize("names", [3, 31, 32, 33, 60])
def test_many_names_of_a_rule_that_calls_itself_are_as_they_were(tmp_path: Path, names: int) -> None:
    path = tmp_path / "itself.rules"
    path.write_text(_with_itself(names, 2), encoding="utf-8")
    position = rulescript.load(path).start(seed=1).choose(0)
    position.choose("Go 0")  # within the first call, the second: n is 2 there
    saved = position.game.from_json(position.to_json())
    for each in (position, saved):
        for _ in range(3):
            each.choose("pass")
        inner, outer = (sum(n + i for i in range(names)) for n in (2, 1))
        assert each.value("score") == str(inner + outer)


def test_names_of_a_rule_that_calls_itself_are_not_written_out_at_each_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand names at a thousand calls became millions of names for Python, which took 4 GB for 250 KB."""
    path = tmp_path / "itself.rules"
    path.write_text(_with_itself(60, 120), encoding="utf-8")
    assert len(rulescript.load(path, cache=False).source) < 300_000
    monkeypatch.setattr(program, "MOST_WRITTEN", 10_000)
    with pytest.raises(GameInvalid) as caught:
        rulescript.load(path, cache=False)
    assert [d.code for d in caught.value.diagnostics if d.severity == "error"] == ["RS323"]
