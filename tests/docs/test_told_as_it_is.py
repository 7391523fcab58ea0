"""What the pages for people say in tables is so: limits, errors, fields of a save, keys of events, attributes."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from attrs import fields

import rulescript
from rulescript.analysis import collections, expressions, facts, scope, statements, things
from rulescript.analysis.calls import MOST_LEFT_OUT
from rulescript.analysis.checks import colliding_amendments, oversized_pieces, oversized_rules
from rulescript.analysis.unseen_moves import MOST_KEPT
from rulescript.claims.legal import MOST_NODES
from rulescript.cli import findings
from rulescript.cli.play import MOST_SAVED
from rulescript.compiler.lower.program import MOST_WRITTEN
from rulescript.compiler.lower.statements import LOOP_LIMIT
from rulescript.diagnostics import render
from rulescript.docgen import subject
from rulescript.loader.limits import MAX_BASES, MAX_FILE_BYTES, MAX_FILES, MAX_GAME_BYTES, MAX_WORDS
from rulescript.machine import demands, effort, values
from rulescript.pipeline import failing_check
from rulescript.reasons import Explanation, FailedClause, Refusal
from rulescript.runtime.forms import STEP_LIMIT
from rulescript.runtime.options import Decision, Option
from rulescript.runtime.position import Position
from rulescript.runtime.save_schema import Saved
from rulescript.runtime.selections import Item, Selection
from rulescript.runtime.views import View
from rulescript.syntax import parser, recovery

DOCS = Path(__file__).parents[2] / "docs"
API, SEMANTICS, LANGUAGE = (
    (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("api", "semantics", "language")
)

LIMITS = {
    "work between two decisions": [effort.WORK_LIMIT],
    "work of all `check`s": [failing_check.MOST_WORK],
    "blocks of rules": [STEP_LIMIT],
    "calls itself": [effort.DEEPEST],
    "rounds of a `repeat`": [LOOP_LIMIT],
    "entries of a list": [values.LONGEST, values.LONGEST_TEXT],
    "facts worked out": [facts.MOST_LOOKS, facts.LONGEST],
    "numbers in a set": [values.HIGHEST_MEMBER, expressions.MOST_IN_RANGE],
    "dice rolled at once": [1_000, statements.MAX_DICE_SIDES],
    "things of a kind": [things.MAX_THINGS, oversized_pieces.MOST_PIECES],
    "brackets": [recovery.MAX_BRACKETS, parser.MAX_DEPTH],
    "binds one after the other": [collections.MOST_NAMES],
    "what a call leaves out": [MOST_LEFT_OUT],
    "statements, with phases": [oversized_rules.MOST_STATEMENTS],
    "compared in pairs": [colliding_amendments.MOST_PAIRS],
    "a rules file": [MAX_FILE_BYTES // 1_000, MAX_GAME_BYTES // 1_000_000],
    "| files of a game": [MAX_FILES, MAX_BASES],
    "opened from a file": [MOST_SAVED // 1_000_000],
    "expressions of all rules": [MOST_WRITTEN],
    "names for pieces": [MOST_KEPT],
    "words, texts and signs": [MAX_WORDS],
    "read again after mistakes": [parser.MAX_READ_AGAIN],
    "hold before the set-up": [findings.MOST_WAITING],
    "scenarios that `check` looks at": [findings.MOST_WORK],
    "scenarios that `docs` composes": [subject.MOST_LETTERS],
    "problems that are told": [render.MOST_TOLD],
}


@pytest.mark.parametrize("about", LIMITS)
def test_the_limits_are_those_of_the_program(about: str) -> None:
    rows = [line for line in SEMANTICS.splitlines() if line.startswith("| ") and about in line]
    assert len(rows) == 1, rows
    told = rows[0].rsplit(" | ", 1)[1]
    for number in LIMITS[about]:
        assert re.search(rf"(?<![\d,]){number:,}(?![\d]|,\d)", told), (number, told)


def test_other_numbers_that_the_pages_name() -> None:
    assert f"{demands.MOST_SUMS:,} sums or {demands.MOST_SELECTIONS:,}" in SEMANTICS.replace("\n", " ")
    assert f"gives up after {MOST_NODES} steps" in LANGUAGE.replace("\n", " ")
    assert values.MOST == 2**62 and scope.LARGEST == 10**12 and "10\\*\\*12; 2\\*\\*62" in SEMANTICS


def _table(page: str, heading: str) -> list[str]:
    """The names in the first cells of the tables below a heading."""
    part = page.split(f"\n{heading}\n", 1)[1].split("\n## ", 1)[0]
    cells = [line.split(" | ")[0] for line in part.splitlines() if line.startswith("| `")]
    return [name for cell in cells for name in re.findall(r"`(\w+)", cell)]


def test_all_errors_are_told() -> None:
    mine = {name for name in rulescript.__all__ if isinstance(getattr(rulescript, name), type)}
    errors = {name for name in mine if issubclass(getattr(rulescript, name), rulescript.RulescriptError)}
    assert set(_table(API, "## Errors")) == errors - {"RulescriptError"}


def test_all_fields_of_a_save_are_told() -> None:
    assert set(_table(API, "## Saves")) == {each.name for each in fields(Saved)}


@pytest.mark.parametrize(
    "of, names",
    [
        (Position, "decision is_over outcome choose clone undo can_undo steps history phase value why_not explain view "
                   "journal standing to_json state_hash"),
        (Decision, "player player_index seat name procedure phase prompt options selection selections stage sealed "
                   "cites is_chance"),
        (Option, "text key label flagged args"),
        (Selection, "items least most picked is_restricted is_complete pick unpick to_dict"),
        (Item, "key text name count"),
        (View, "places states journal options standing why_not explain to_dict to_json"),
        (Refusal, "what allowed summary text cites clauses to_dict to_json"),
        (FailedClause, "condition fact source values spoken label cites status at through file line"),
        (Explanation, "what value said causes to_dict to_json"),
    ],
)  # fmt: skip
def test_what_the_page_names_is_there(of: type, names: str) -> None:
    known = {*dir(of), *of.__annotations__, *getattr(of, "__slots__", ())}
    assert set(names.split()) <= known
    assert [name for name in names.split() if not re.search(rf"`(?:\w+\.)?{name}\b", API)] == []


def _keys_told() -> dict[str, set[str]]:
    """What the page says of events: the keys of each kind."""
    part = API.split("| kind | further keys |", 1)[1].split("\n\n", 1)[0]
    found: dict[str, set[str]] = {}
    for line in part.splitlines():
        if line.startswith("| `"):
            kinds, keys = line.strip("|").split(" | ")
            named = {name for name in re.findall(r"`(\w+)`", re.sub(r"\(`[\w.]+`\)", "", keys))}
            for kind in re.findall(r"`(\w+)`", kinds):
                found[kind] = named - {"for", "leave", "enter", "roll"}
    return found


def test_the_keys_of_events_are_those_told() -> None:
    told = _keys_told()
    seen: set[str] = set()
    for page in sorted((DOCS / "cookbook").glob("*.rules.md")):
        position, random = rulescript.load(page).start(seed=3), Random(1)
        while position.decision is not None and position.steps < 40:
            position.choose(random.choice(list(position.decision.options)))
        for event in position.journal:
            keys = set(event) - {"kind", "text", "cites", "file", "line"}
            assert keys == told[event["kind"]], (page.name, event)
            seen.add(event["kind"])
    assert len(seen) > 10
