"""The grammar itself: no two ways to read one text, and nothing in it that no file of the corpus uses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lark import Lark
from lark.indenter import Indenter

from rulescript.resources import bundled
from rulescript.source import read_source
from rulescript.syntax.build import maker_of
from rulescript.syntax.build_declarations import DECLARATION_RULES
from rulescript.syntax.build_expressions import EXPRESSION_RULES
from rulescript.syntax.build_statements import STATEMENT_RULES
from rulescript.syntax.parser import _Indenter, _pieces, _reader

CORPUS = Path(__file__).parent.parent / "corpus" / "good"
GRAMMAR = (bundled("grammar") / "rulescript.lark").read_text(encoding="utf-8")


def strict(grammar: str, start: list[str], postlex: Indenter | None = None) -> Lark:
    return Lark(grammar, parser="lalr", start=start, postlex=postlex, maybe_placeholders=False, strict=True)


def test_the_grammar_has_no_conflicts() -> None:
    """In strict mode Lark refuses shift/reduce conflicts and terminals that can match the same text."""
    pytest.importorskip("interegular")
    strict(GRAMMAR, ["declaration", "expression"], _Indenter())


def test_strict_mode_would_notice() -> None:
    pytest.importorskip("interegular")
    with pytest.raises(Exception, match="Shift/Reduce"):
        strict('start: x\nx: "a" x x | "a" x | "a"', ["start"])


def test_the_corpus_uses_every_form_of_the_grammar() -> None:
    """A rule, or a named alternative of one, that no good program shows is neither tested nor documented."""
    reader = _reader()
    named = {str(rule.alias or rule.origin.name) for rule in reader.rules}
    forms = {name for name in named if not name.startswith("_")}
    # Rules marked `?` leave no trace of their own; `expression` is a start for texts, not for files.
    inlined = {str(r.origin.name) for r in reader.rules if r.options.expand1 and not r.alias}
    seen: set[str] = set()
    for path in CORPUS.rglob("*.rules*"):
        source, _ = read_source(path.name, path.read_text(encoding="utf-8"), path.suffix == ".md")
        for start, end in _pieces(source.text):
            tree = reader.parse(source.text[start:end].rstrip() + "\n", start="declaration")
            seen |= {str(subtree.data) for subtree in tree.iter_subtrees()}
    assert sorted(forms - seen - inlined - {"expression"}) == []


def test_each_form_of_the_grammar_makes_a_node() -> None:
    """By its own name, or by a table; and no table speaks of a rule that is not there."""
    rules = _reader().rules
    named = {str(rule.alias or rule.origin.name) for rule in rules}
    inlined = {str(r.origin.name) for r in rules if r.options.expand1 and not r.alias}
    for name in named - inlined:
        if not name.startswith("_"):
            maker_of(name)
    tables = (*DECLARATION_RULES, *STATEMENT_RULES, *EXPRESSION_RULES)
    assert sorted({*tables} - named) == []
    assert len(tables) == len({*tables})


def test_each_rule_says_what_a_designer_writes() -> None:
    """Above each declaration in the grammar stands a comment with an example of it."""
    lines = GRAMMAR.split("\n")
    for at, line in enumerate(lines):
        if re.match(r"[a-z]+_decl:", line):
            above = next(other for other in reversed(lines[:at]) if not other[:1].isalpha())
            assert above.startswith("//"), line
