"""Plain English comes from the code: every condition of every game we have can say itself and its opposite, and every
statement of the language has a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulescript.docgen.entries import Entries
from rulescript.docgen.lines import Line, walk_lines
from rulescript.docgen.outline import Outliner, expressions_of_clauses
from rulescript.docgen.rule_names import expressions_in
from rulescript.docgen.sentences import Sentences
from rulescript.docgen.subject import Places
from rulescript.loader import bundled_games
from rulescript.model import ir
from rulescript.model.game import Game
from rulescript.model.traverse import statements_in, walk
from rulescript.model.types import BOOL
from rulescript.wording.english import Speaker
from rulescript.wording.proper import Proper
from rulescript.wording.style import BAD, faults_of, score_of
from tests.docgen.conftest import subject

ROOT = Path(__file__).resolve().parents[2]
LAKES = Path(__file__).resolve().parent / "games" / "two_lakes"
COOKBOOK = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs" / "cookbook").glob("*.rules.md"))
SLICES = sorted(str(p.parent.relative_to(ROOT)) for p in (ROOT / "tests" / "slices").glob("*/game.rules.md"))
GAMES = [*COOKBOOK, "docs/cookbook/35-variant", *SLICES, *bundled_games(), str(LAKES.relative_to(ROOT))]
LARGER = [*SLICES, *bundled_games()]
# What must not be in a sentence for people: Python, code, placeholders.
_SLIPS = re.compile(
    r"\bNone\b(?! if)|\bTrue\b|\bFalse\b|<[a-z]|object at|[A-Za-z]X\(|\bthe the\b|\ba the\b|  |==|!=|\(\)"
)


def conditions(places: Places) -> Iterator[ir.X]:
    """Every yes-or-no expression there is."""
    sources: list[ir.X] = []
    for _, block in places.blocks():
        sources += expressions_in(block)
    sources += expressions_of_clauses(clause for _, clause in places.clauses)
    for function in places.model.functions.values():
        sources += [a.condition for a in function.adjustments if a.condition is not None]
        sources += expressions_in(function.block)
    for invariant in places.model.invariants:
        sources += invariant.conditions
    for _, tests in places.model.checks:
        sources += tests
    for signal in places.model.signals.values():
        sources += [r.condition for r in signal.reactions if r.condition is not None]
    sources += [w.condition for w in places.model.whenevers]
    for table in places.model.tables.values():
        sources += [row.guard for row in table.rows if row.guard is not None]
    for x in sources:
        for node in walk(x):
            if node.type == BOOL:
                yield node


@pytest.mark.parametrize("name", GAMES)
def test_every_condition_says_itself_and_its_opposite(name: str) -> None:
    made = subject(name)
    # Those of a larger game are looked at in the long run: each has to be read anew.
    options = () if name in LARGER else made.model.all_options
    assert said_and_denied(name, [made.model, *(made.places_with(o).model for o in options)]) > 3


@pytest.mark.long
@pytest.mark.parametrize("name", LARGER)
def test_every_condition_of_an_option_says_itself_and_its_opposite(name: str) -> None:
    made = subject(name)
    said_and_denied(name, [made.places_with(o).model for o in made.model.all_options])


def said_and_denied(name: str, models: list[Game]) -> int:
    """Let all conditions speak; how many there are."""
    number = 0
    for model in models:
        for x in conditions(Places(model)):
            speaker = Speaker(x)
            said, denied = speaker.say(x), speaker.say_not(x)
            for text in (said, denied):
                assert text.strip() and not _SLIPS.search(text), (name, x.span.text, text)
                assert text.count("“") == text.count("”") and text.count("(") == text.count(")"), text
            assert said != denied, (name, x.span.text, said)
            number += 1
    return number


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_is_an_outline(name: str) -> None:
    made = subject(name)
    entries = Entries(made.places, Proper(made.model))
    lines: list[Line] = []
    for text in made.chain:
        for piece in text.pieces:
            entry = entries.of(piece.declaration, piece.cites)
            if entry is not None:
                assert entry.title.strip(), piece.declaration
                lines += entry.lines
    told = list(walk_lines(lines))
    assert len(told) > 5
    for line in told:
        assert line.text.strip(), name
        text = re.sub(r"“[^”]*”", "“”", line.text)  # what an author wrote is his own
        assert not _SLIPS.search(text), (name, line.text)
        if line.form in ("step", "require", "choice", "call"):
            assert line.text[0].isupper() or not line.text[0].isalpha(), line.text


# So many sentences of each game read badly (`wording/style.py`), out of 740 to 2,200. Lower a number when you have
# mended some; a game that needs a higher one needs words of its own: `rulescript check GAME --words` lists them.
READ_BADLY = {
    "attrition_of_souls": 0,
    "imperial_tide": 0,
    "lamps_are_going_out": 0,
    "quartermaster_general_1914": 0,
    "to_the_last_man": 0,
    "cookbook": 3,
}
# What no sentence has at all.
NEVER = {
    "holds for", "the the", "a name as it is written", "table's entry", "(with ...)", "1 points", "gets minus",
    "is yes", "the passes are at least 2", "a word twice", "s's", "no its", "the have", "is nobody",
}  # fmt: skip


@pytest.mark.parametrize("name", READ_BADLY)
def test_few_sentences_read_as_if_a_machine_had_written_them(name: str) -> None:
    made = [subject(page) for page in COOKBOOK] if name == "cookbook" else [subject(name)]
    said = [sentence for each in made for sentence in Sentences(each).all]
    assert len(said) > 500
    bad = [f"{s.place}: {s.text}" for s in said if score_of(s.text) >= BAD]
    assert len(bad) <= READ_BADLY[name], "\n".join(bad)
    never = [f"{s.place}: {s.text}" for s in said for fault in faults_of(s.text) if fault.name in NEVER]
    assert never == []


def test_every_sort_of_statement_has_a_sentence() -> None:
    """All classes of statements occur in the games above, and each became a line."""
    seen: set[str] = set()
    for name in [*SLICES, *COOKBOOK, "docs/cookbook/35-variant", str(LAKES.relative_to(ROOT))]:
        places = subject(name).places
        for procedure, block in places.blocks():
            teller = Outliner(procedure.params, block)
            for statement in statements_in(block):
                seen.add(type(statement).__name__)
                if isinstance(statement, ir.DocS):
                    continue
                lines = teller.statement(statement)
                silent = isinstance(statement, ir.SignalS) and not statement.signal.reactions
                assert lines or silent, statement
    wanted = {c.__name__ for c in ir.S.__subclasses__() if c is not ir.KeepUpS}  # which the compiler alone writes
    assert wanted <= seen, wanted - seen


def test_an_unknown_statement_is_our_fault() -> None:
    class Other(ir.S):
        pass

    with pytest.raises(AssertionError):
        Outliner().statement(Other.__new__(Other))
