"""The Lark set-up and the functions that read source text: parse_file and parse_expression.

In comes a SourceFile; out come declarations and diagnostics. A file is cut at the lines that begin at the
left margin and each piece is parsed on its own, so one mistake never hides the next declaration. When a line
inside a declaration cannot be read, it is reported, replaced by something harmless, and the declaration is
tried again: a map with three bad lines gives three messages.

What would make any message of a parser useless is found before Lark sees a piece, by `recovery.py`: tabs,
texts and brackets that are never closed, strange characters, and nesting without end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from io import BytesIO
from typing import Any

import lark.lexer
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError, Indenter
from lark.lexer import PatternStr

from rulescript import nodes as n
from rulescript.diagnostics import Reporter
from rulescript.locks import one_at_a_time
from rulescript.resources import bundled, cache_folder, grammar_name, read_cached, write_cached
from rulescript.source import SourceFile, Span
from rulescript.syntax.build import build_nodes
from rulescript.syntax.faults import Fault, Stop
from rulescript.syntax.mistakes import DECLARATIONS, STATEMENTS, fault_of, meant_declaration
from rulescript.syntax.parse_tables import QuickTables
from rulescript.syntax.recovery import (
    NAMELESS,
    Faults,
    clean,
    follows,
    is_orderly,
    mend_structure,
    mended,
    report_strays,
    shortened,
)
from rulescript.syntax.unit_reductions import accepted, quickened

__all__ = ["is_no_program", "parse_expression", "parse_file"]

MAX_DEPTH = 80
# How often one declaration is tried, and how many characters are read in all for it. In a file so full of mistakes that
# more than so many characters had to be read again, only the first of each declaration is told after that.
MAX_ATTEMPTS = 120
MAX_WORK = 2_000_000
MAX_READ_AGAIN = 400_000


class _Indenter(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


@cache
def _reader() -> Lark:
    text = (bundled("grammar") / "rulescript.lark").read_text(encoding="utf-8")
    # With interegular installed, Lark would compare all terminals with each other, which takes longer than
    # everything else we do; the comparison is made once, by the tests, in strict mode.
    had, lark.lexer.has_interegular = lark.lexer.has_interegular, False
    try:
        return _build(text)
    finally:
        lark.lexer.has_interegular = had


def _build(text: str) -> Lark:
    folder = cache_folder()
    path = folder / grammar_name(text) if folder is not None else None
    known = read_cached(path) if path is not None else None
    if known is not None:
        kept: Lark = Lark.__new__(Lark)
        return quickened(kept._load(BytesIO(known), postlex=_Indenter(), propagate_positions=True))
    reader = Lark(
        text,
        parser="lalr",
        start=["declaration", "expression"],
        postlex=_Indenter(),
        propagate_positions=True,
        maybe_placeholders=False,
        _plugins={"LALR_Parser": QuickTables},
    )
    if path is not None:
        # Who reads the tables again needs nobody to make them.
        reader.options.options["_plugins"] = {}
        tables = BytesIO()
        reader.save(tables)
        write_cached(path, tables.getvalue())
    return quickened(reader)


@one_at_a_time
def parse_file(
    source: SourceFile,
    reporter: Reporter,
    known: Callable[[list[tuple[int, str]]], Mapping[int, n.Declaration]] | None = None,
) -> tuple[n.Declaration, ...]:
    """All declarations of a file that could be read. `known` may know some without looking, by where they stand, if it
    is told where all of them stand and what their texts are."""
    faults = Faults(source, reporter)
    if not source.original.strip():
        hint = "begin with a declaration, for example `phase movement`"
        nowhere = Span(source, 0, 0)
        reporter.error("RS001", "there is nothing in this file", nowhere, "nothing here", hint=hint)
    if is_no_program(source):
        _report_no_program(source, reporter)
        return ()
    text = clean(source.text, 0, faults)
    found: list[n.Declaration] = []
    pieces = [(start, text[start:end]) for start, end in _pieces(text)]
    stray = report_strays(pieces, faults)
    read = known(pieces) if known is not None else {}
    for start, piece in pieces:
        declaration = None
        if start not in stray:
            declaration = read.get(start) or _parse_piece(start, piece, faults)
        if declaration is not None:
            found.append(declaration)
        end = start + len(piece)
        gone = faults.gone_between(start, end)
        if gone or declaration is None:
            reporter.lost.add(source, start, end, gone, declaration is not None)
    if faults.tab_seen:
        reporter.lost.add_words(source.text)  # whatever it declares may belong elsewhere
    return tuple(found)


@one_at_a_time
def parse_expression(source: SourceFile, start: int, end: int, reporter: Reporter) -> n.Expr | None:
    """One expression inside a text or an example."""
    known: n.Expr | None = source.expressions.get((start, end))
    if known is not None:
        return known
    faults = Faults(source, reporter)
    text = mend_structure(clean(source.text[start:end], start, faults), start, faults)
    if text is None or faults.lines:
        return None
    try:
        tree = _reader().parse(text + "\n", start="expression")
    except (UnexpectedInput, DedentError) as problem:
        faults.add(fault_of(_stop_of(problem, text), is_declaration=False), start)
        return None
    if _too_deep(tree):
        reporter.error("RS005", "this is nested too deeply to read", Span(source, start, end))
        return None
    expr: n.Expr = build_nodes(tree, source, start)
    source.expressions[start, end] = expr
    return expr


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Where the declarations of a file begin and end."""
    # A closing bracket at the left margin ends what is above it.
    starts = [m.start() for m in re.finditer(r"(?m)^[^\s#)\]}]", text)]
    first = re.search(r"(?m)^[ ]*[^\s#]", text)
    if first is not None and (not starts or first.start() < starts[0]):
        starts.insert(0, first.start())
    for at, start in enumerate(starts):
        yield start, starts[at + 1] if at + 1 < len(starts) else len(text)


def is_no_program(source: SourceFile) -> bool:
    """Whether a file holds something else than rules, such as a letter or a list of numbers: few of its lines begin as
    a declaration does, and none of these can be read. Each of its lines would be a mistake of its own."""
    heads = [source.text[start:end].partition("\n")[0].split(maxsplit=1)[0] for start, end in _pieces(source.text)]
    begun = [head for head in heads if meant_declaration(head) or head in STATEMENTS]
    if not heads or heads[0] in DECLARATIONS or len(begun) * _FEW > len(heads):
        return False
    unheard = Faults(source, Reporter())
    text = clean(source.text, 0, unheard)
    pieces = [(start, text[start:end].rstrip()) for start, end in _pieces(text)]
    if len(pieces) == 1 and re.match(r"\w+.*\n", pieces[0][1]):
        return False  # one declaration, whatever it is
    known = [(start, piece) for start, piece in pieces if piece.split(maxsplit=1)[0] in DECLARATIONS]
    return all(_parse_piece(start, piece, unheard) is None for start, piece in known)


_FEW = 3


def _report_no_program(source: SourceFile, reporter: Reporter) -> None:
    hint = "begin with `rulescript 1` and a declaration; `rulescript new my_game` writes a game to begin from"
    first = re.search(r"(?m)^[^\S\n]*(?P<line>[^\s#].*)", source.text)
    place = Span(source, *first.span("line")) if first is not None else Span(source, 0, 0)
    reporter.error("RS001", "there are no rules in this file", place, "begins no declaration", hint=hint)
    reporter.lost.add_words(source.text)


def _parse_piece(start: int, text: str, faults: Faults) -> n.Declaration | None:
    source = faults.source
    text = text.rstrip() + "\n"
    if text[0] == " ":
        place = len(text) - len(text.lstrip())
        message = "this line is indented, but nothing stands above it that it could belong to"
        hint = "start the declaration at the left margin"
        faults.add(Fault("RS002", message, place, place + 1, 0, "indented", hint), start)
        return None
    readable = mend_structure(text, start, faults)
    if readable is None:
        return None
    reader = _reader()
    trees: list[Tree[Any]] = []
    said: tuple[Fault, Stop] | None = None
    attempts = max(12, min(MAX_ATTEMPTS, MAX_WORK // len(text)))
    # Of thousands of mistakes nobody reads the last ones: they are not looked at from all sides.
    is_hurried = faults.read_again > MAX_READ_AGAIN
    if is_hurried:
        attempts = 1

    def attempt(draft: str) -> Stop | None:
        nonlocal attempts
        attempts -= 1
        if trees or said is not None:
            faults.read_again += len(draft) + 60
        try:
            trees.append(reader.parse(draft, start="declaration"))
        except (UnexpectedInput, DedentError) as problem:
            return _stop_of(problem, draft)
        return None

    before, text = text, readable
    head = re.match(r"\w*", text)
    # Lark would read `phases` as `phase` and a name `s`, so the first word is looked at here.
    known = head is not None and head.group() in DECLARATIONS
    stop = attempt(text) if known else Stop(text, 0, frozenset())
    is_whole = known
    while stop is not None:
        fault = fault_of(stop, is_hurried=is_hurried)
        line = source.line_of(start + fault.start)
        if (said is None or not follows(fault, stop, *said)) and not faults.is_shaken(line, stop, fault.code):
            faults.add(fault, start)
        said = fault, stop
        better = _with_short_head(text, stop.place, attempt) if fault.line == 0 and known and attempts > 0 else None
        is_whole = is_whole and (fault.line > 0 or better is not None)
        better = better or (mended(text, fault.line, attempt) if attempts > 0 else None)
        if better is None:
            return None
        text, stop = better
    faults.mark_changes(start, before, text)
    if not is_whole and NAMELESS not in text.partition("\n")[0]:
        return None  # what it declares went with its first line; of a rule, what it does can still be looked at
    tree = trees[-1]
    if len(text) > MAX_DEPTH and _too_deep(tree):
        message = f"this is nested too deeply to read (more than {MAX_DEPTH} parts, one within the other)"
        hint = "give the inner part a name of its own"
        faults.add(Fault("RS005", message, 0, 1, 0, "somewhere in here", hint), start)
        return None
    declaration: n.Declaration = build_nodes(tree, source, start)
    return declaration


def _with_short_head(text: str, place: int, attempt: Callable[[str], Stop | None]) -> tuple[str, Stop | None] | None:
    """The text with so much of its first line as can be read; None if that is too little."""
    for draft in shortened(text, min(place, text.find("\n"))):
        stop = attempt(draft)
        if stop is None or is_orderly(stop, 0):
            return draft, stop
    return None


def _stop_of(problem: Exception, text: str) -> Stop:
    """Where Lark gave up, and what it would have taken there."""
    if isinstance(problem, UnexpectedToken):
        token: Token = problem.token
        at = problem.interactive_parser
        wanted = _written(accepted(at.parser_state) if at is not None else problem.expected)
        if token.type == "$END":
            return Stop(text, len(text.rstrip()), wanted, token.type)
        if token.type in ("_INDENT", "_DEDENT"):
            # These are made of the line end before the lines they are about.
            after = token.end_pos if token.end_pos is not None else len(text)
            return Stop(text, after, wanted, token.type)
        return Stop(text, token.start_pos or 0, wanted, token.type)
    if isinstance(problem, UnexpectedCharacters):
        return Stop(text, problem.pos_in_stream or 0, _written(problem.allowed or ()))
    return Stop(text, 0, frozenset())


def _written(terminals: Iterable[str]) -> frozenset[str]:
    """Terminals as a designer writes them, where they are a word or a sign."""
    literals = _literals()
    return frozenset(literals.get(name, name) for name in terminals)


@cache
def _literals() -> dict[str, str]:
    terminals = _reader().terminals
    found = {each.name: str(each.pattern.value) for each in terminals if isinstance(each.pattern, PatternStr)}
    for each in terminals:
        # A word that is one only before something else, such as `enter` before a name.
        word = re.match(r"(\w+)\(\?=", str(each.pattern.value))
        if word is not None:
            found[each.name] = word.group(1)
    return found


def _too_deep(root: Tree[Any]) -> bool:
    """Whether anything lies deeper than later stages care to follow. Walks with its own stack."""
    stack: list[tuple[Any, int]] = [(root, 0)]
    while stack:
        tree, depth = stack.pop()
        if depth > MAX_DEPTH:
            return True
        stack.extend((child, depth + 1) for child in tree.children if isinstance(child, Tree))
    return False
