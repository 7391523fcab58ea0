"""The words of a text are those that Lark's own lexer and indenter find."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedInput
from lark.indenter import DedentError
from lark.lexer import ContextualLexer

from rulescript.syntax import parser
from rulescript.syntax.parse_tables import QuickTables
from rulescript.syntax.parser import _Indenter
from rulescript.syntax.quick_lexer import QuickLexer
from tests.fuzz.texts import made_texts, seed_texts, whole_games

from .test_grammar import GRAMMAR


def lark_of_its_own() -> Lark:
    return Lark(
        GRAMMAR,
        parser="lalr",
        start=["declaration", "expression"],
        postlex=_Indenter(),
        propagate_positions=True,
        maybe_placeholders=False,
        _plugins={"LALR_Parser": QuickTables},
    )


def read_by(reader: Lark, text: str) -> tuple[Any, ...]:
    """What comes of a text: its tree with all words and where they stand, or what is wrong and where."""
    try:
        tree = reader.parse(text, start="declaration")
    except UnexpectedInput as problem:
        token: Any = getattr(problem, "token", None)
        where = (token.type, token.start_pos, token.end_pos) if token is not None else problem.pos_in_stream
        allowed = getattr(problem, "allowed", None) if token is None else getattr(problem, "expected", None)
        return type(problem).__name__, where, frozenset(allowed or ())
    except DedentError:
        return ("DedentError",)
    words = [(t.type, str(t), t.start_pos, t.end_pos) for t in tree.scan_values(lambda _: True)]
    return [str(each.data) for each in tree.iter_subtrees()], words


def test_good_and_damaged_texts_are_read_as_by_lark() -> None:
    ours, other = parser._reader(), lark_of_its_own()
    frontends: list[Any] = [ours.parser, other.parser]
    assert isinstance(frontends[0].lexer, QuickLexer)
    assert isinstance(frontends[1].lexer.lexer, ContextualLexer)
    seen: set[str] = set()
    for text in islice(made_texts(7, seed_texts(), whole_games()), 120):
        for start, end in islice(parser._pieces(text), 40):
            piece = text[start:end].rstrip() + "\n"
            found = read_by(ours, piece)
            assert found == read_by(other, piece), piece
            seen.add(found[0] if isinstance(found[0], str) else "read")
    assert seen >= {"read", "UnexpectedToken", "DedentError"}


def test_words_in_brackets_and_uneven_lines_are_read_as_by_lark() -> None:
    ours, other = parser._reader(), lark_of_its_own()
    games = [
        path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parents[1] / "corpus").rglob("*.rules"))
    ]
    texts = [
        "phase a\n    b()\n  c()\n",
        "phase a\n    x = f(1,\n  2)\n    y = 3\n",
        "phase a # why\n    # no\n    b()\n",
        "\n",
    ]
    for text in (*texts, *games[::25]):
        for start, end in parser._pieces(text):
            piece = text[start:end].rstrip() + "\n"
            assert read_by(ours, piece) == read_by(other, piece), piece
