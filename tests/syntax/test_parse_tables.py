"""The tables of the parser are those that Lark makes."""

from __future__ import annotations

import pickletools
import random
from pathlib import Path
from typing import Any

import pytest
from lark import Lark
from lark.exceptions import GrammarError
from lark.parsers.lalr_analysis import Shift

from rulescript.syntax import parser
from rulescript.syntax.parse_tables import QuickTables, Unusual, table_of
from rulescript.syntax.parser import _Indenter

from .test_grammar import GRAMMAR

QUICK = {"LALR_Parser": QuickTables}


def table(reader: Lark) -> Any:
    return reader.parser.parser._parse_table


def assert_same(lark: Any, ours: Any) -> int:
    """Two tables lead to the same from each start, whatever the numbers of their states; how many states there are."""
    known: dict[int, int] = {}
    waiting = [(lark.start_states[start], ours.start_states[start]) for start in lark.start_states]
    while waiting:
        one, other = waiting.pop()
        if one in known:
            assert known[one] == other
            continue
        known[one] = other
        there, here = lark.states[one], ours.states[other]
        assert there.keys() == here.keys()
        for name, (action, goal) in there.items():
            assert here[name][0] is action
            if action is Shift:
                waiting.append((goal, here[name][1]))
            else:
                assert here[name][1] == goal
    assert {known[state] for state in lark.end_states.values()} == {*ours.end_states.values()}
    assert len(known) == len(lark.states) == len(ours.states)
    return len(known)


def test_of_our_grammar() -> None:
    how: dict[str, Any] = {"parser": "lalr", "start": ["declaration", "expression"], "maybe_placeholders": False}
    lark, ours = Lark(GRAMMAR, postlex=_Indenter(), **how), Lark(GRAMMAR, postlex=_Indenter(), _plugins=QUICK, **how)
    assert isinstance(ours.parser.parser, QuickTables)
    assert assert_same(table(lark), table(ours)) > 1000


@pytest.mark.parametrize(
    "grammar",
    [
        'start: "a" start |',
        'start: x y z\nx: "a" |\ny: "b" x |\nz: "c" y | x "d"',
        'start: "a" start "a" | "b"',
        'start: l "=" r | r\nl: "*" r | "x"\nr: l',
        'start: "if" start "else" start | "if" start | "s"',
    ],
)
def test_of_small_grammars(grammar: str) -> None:
    """With rules that stand for nothing, and where going on comes before ending a rule."""
    assert_same(table(Lark(grammar, parser="lalr")), table(Lark(grammar, parser="lalr", _plugins=QUICK)))


def test_of_grammars_by_chance() -> None:
    """What Lark makes tables of gets the same here; what it refuses is left to it. (Rules that stand for nothing are
    left out: where they go round in circles, Lark takes more words for possible than are.)"""
    chance, made, refused = random.Random(15), 0, 0
    for _ in range(150):
        lines = []
        for name in ("start", "x", "y", "z"):
            ways = [" ".join(chance.choices(['"a"', '"b"', '"c"', "x", "y", "z"], k=chance.randrange(1, 4)))
                    for _ in range(chance.randrange(1, 4))]  # fmt: skip
            lines.append(f"{name}: {' | '.join(dict.fromkeys(ways))}")
        grammar = "\n".join(lines)
        try:
            lark = Lark(grammar, parser="lalr")
        except GrammarError:
            refused += 1
            with pytest.raises(GrammarError):
                Lark(grammar, parser="lalr", _plugins=QUICK)
            continue
        made += 1
        assert_same(table(lark), table(Lark(grammar, parser="lalr", _plugins=QUICK)))
    assert made > 30 and refused > 30


def test_two_rules_that_end_alike_are_left_to_lark() -> None:
    reader = Lark('start: x | y\nx: "a"\ny.2: "a"', parser="lalr", _plugins=QUICK)
    with pytest.raises(Unusual):
        table_of(reader.rules, ["start"])
    assert [str(tree.data) for tree in reader.parse("a").children] == ["y"]


def test_what_is_kept_does_not_say_who_made_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that one rulescript has kept are read by every other with the same grammar."""
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path / "cache"))
    parser._build(GRAMMAR)
    (kept,) = (tmp_path / "cache").glob("grammar-*.tables")
    named = {name for _, name, _ in pickletools.genops(kept.read_bytes()[32:]) if isinstance(name, str)}
    assert not [name for name in named if "parse_tables" in name]
    assert parser._build(GRAMMAR).parse("1 + 2\n", start="expression") is not None
