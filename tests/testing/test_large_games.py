"""Whatever a stranger's file: a run of the kit comes to an end when its time is up."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import rulescript
import rulescript.testing.conformance as kit
from rulescript.diagnostics import Reporter
from rulescript.loader import load_single
from rulescript.testing import run_conformance
from rulescript.testing.coverage import cites_of_lines, coverage_of
from tests.fuzz.large import HEAD, text_of

# A game of a great many decisions, each of them with a great many options.
LONG = (
    HEAD
    + """
sequence
    repeat 4000 times
        active = North
        choose add: n in 1..300 "Add {n}"
            score += n - n
    end game, draw
"""
)


@pytest.mark.parametrize("most", [0, 30])
def test_a_play_that_takes_long_is_stopped_when_the_time_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """At the decision at which it is up, and what was played until then is no failure."""
    path = tmp_path / "long.rules"
    path.write_text(LONG, encoding="utf-8")
    asked = iter(range(1_000_000))
    monkeypatch.setattr(kit._Kit, "_traced", lambda self, *_: None)
    monkeypatch.setattr(kit._Kit, "_is_over", lambda self: next(asked) >= most)
    monkeypatch.setattr(kit._Kit, "is_late", property(lambda self: any(p.plays for p in self.report.played)))
    report = run_conformance(path, processes=False, limit=1_000)
    assert report.ok, report.text()
    assert (report.played[0].plays, report.played[0].decisions, report.played[0].over) == (1, most, 0)


def test_no_set_of_options_is_compiled_for_which_there_is_no_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A set of options is begun only if there is as much time left as the slowest one took."""
    path = tmp_path / "slow.rules"
    path.write_text(text_of("options", 3_000), encoding="utf-8")
    load, loaded = kit.load, []

    def slow(*given: object, **named: object) -> rulescript.Game:
        loaded.append(named)
        time.sleep(0.6)
        return load(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(kit, "load", slow)
    report = run_conformance(path, seconds=2.0, processes=False)
    assert report.ok
    assert 2 <= len(loaded) <= 4
    assert report.seconds < 6
    # There are dozens of them: the first are named, the others counted.
    told = [note for note in report.notes if "for want of time" in note]
    assert len(told) == kit.SOME + 1 and "more sets of options" in told[-1]


@pytest.mark.parametrize("shape", ["functions", "functions_in_a_chain", "functions_in_a_circle", "a_sum"])
def test_what_lines_cite_is_found_soon(shape: str) -> None:
    """Thousands of functions that use each other are each looked at once."""
    text = load_single(text_of(shape, 60_000), "large.rules", Reporter())
    lines = {("large.rules", number) for number in range(1, 6_000)}
    began = time.process_time()
    cites_of_lines(text, lines)
    assert time.process_time() - began < 4


def test_a_line_counts_for_all_functions_behind_it(tmp_path: Path) -> None:
    """In chains and in circles, however long: what is used far away is reached too, and nothing else is."""
    path = tmp_path / "chain.rules"
    functions = "".join(
        f"function f{i}(n: int) -> int  §{i}\n    if n > {i}\n        return f{(i + 1) % 30}(n - 1)\n    1\n\n"
        for i in range(30)
    )
    other = "function g(n: int) -> int  §99\n    f0(n)\n\n"
    path.write_text(HEAD + functions + other + "\nsequence\n    score += f7(1)\n    end game, draw\n", encoding="utf-8")
    reporter = Reporter()
    text = load_single(path.read_text(encoding="utf-8"), "chain.rules", reporter)
    assert not reporter.has_errors
    line = path.read_text(encoding="utf-8").splitlines().index("    score += f7(1)") + 1
    found = cites_of_lines(text, {("chain.rules", line)})
    assert found["chain.rules", line] == {str(i) for i in range(30)}
    assert coverage_of(rulescript.load(path, cache=False), text).never_reached
