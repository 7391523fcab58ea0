"""What the printer writes, the parser reads back as the same nodes; and it writes no bracket too many."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulescript import nodes as n
from rulescript.diagnostics import Reporter
from rulescript.source import SourceFile, Span, read_source
from rulescript.syntax.parser import parse_expression, parse_file
from tests.syntax.printer import print_declaration, print_expression, print_file, print_type

CORPUS = Path(__file__).parent.parent / "corpus" / "good"
HERE = Span(SourceFile("made", ""), 0, 0)

relaxed = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def read_declarations(text: str) -> tuple[n.Declaration, ...]:
    reporter = Reporter()
    found = parse_file(SourceFile("printed.rules", text), reporter)
    assert not reporter.diagnostics, text + "\n" + "\n".join(d.message for d in reporter.diagnostics)
    return found


def read_expression(text: str) -> n.Expr | None:
    reporter = Reporter()
    found = parse_expression(SourceFile("printed", text), 0, len(text), reporter)
    assert not reporter.diagnostics, text + "\n" + "\n".join(d.message for d in reporter.diagnostics)
    return found


# ------------------------------------------------------------------ the corpus


@pytest.mark.parametrize("path", sorted(CORPUS.rglob("*.rules*")), ids=lambda path: str(path.relative_to(CORPUS)))
def test_good_programs_survive_print_and_parse(path: Path) -> None:
    source, _ = read_source(path.name, path.read_text(encoding="utf-8"), path.suffix == ".md")
    reporter = Reporter()
    before = parse_file(source, reporter)
    assert not reporter.diagnostics
    assert before
    printed = print_file(before)
    assert read_declarations(printed) == before
    assert print_file(read_declarations(printed)) == printed


# ------------------------------------------------------------------ brackets


@pytest.mark.parametrize(
    "text",
    [
        "a + b - c & d",
        "a - (b - c)",
        "(a + b) * c",
        "a * (b mod c)",
        "a / b rounded up / c rounded down",
        "a / (b / c rounded up) rounded down",
        "-(a + b)",
        "--a",
        "-a.b",
        "(-a).b",
        "(a + b).c",
        "(a or b)[c or d]",
        "(a == b) == c",
        "a at most b at least c",
        "a at most (b at least c)",
        "(a at most b) + 1",
        "a + 1 at most b",
        "not a == b",
        "(not a) == b",
        "not (a and b)",
        "not not a",
        "a or b and c",
        "(a or b) and c",
        "a and (b and c)",
        "a or (b or c)",
        "some a.b and c",
        "some (a + b)",
        "(some a) == b",
        "(some b in c: d) and e",
        "a and some b in c: d or e",
        "a or b and not every b in c: d",
        "not (some b in c: d) and e",
        "a or (some b in c: d) or e",
        "every a in b + c, d in e: f",
        "some a in (b == c): d",
        "some a in (some b in c: d): e",
        "if a or b then if c then d else e else f",
        "if (if a then b else c) then d else e",
        "if (some b in c: d) then e else f",
        "(if a then b else c) + 1",
        "f(if a then b else c, some b in c: d)",
        "sum(if a then b else c for d in e, f in g if some h in i: j)",
        "most a.b by (c + d)",
        "(most a by b).c",
        "-most a by b",
        "(a is Army) == b",
        "a + b is not Army",
        "{a or b, []}",
        "4..6",
        "3.a",
    ],
)
def test_brackets_stand_where_needed_and_nowhere_else(text: str) -> None:
    expr = read_expression(text)
    assert expr is not None
    assert print_expression(expr) == text


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("enemy of active", "enemy(active)"),
        ("enemy of -x.y", "enemy(-x.y)"),
        ("((a))", "a"),
        ("(a * b) + c", "a * b + c"),
        ("a or (b and c)", "a or b and c"),
        ("a and (some b in c: d)", "a and some b in c: d"),
        ("(f)(x)", "f(x)"),
        ('"tab\\t quote\\" slash\\\\ \\q"', '"tab\\t quote\\" slash\\\\ \\\\q"'),
    ],
)
def test_other_ways_to_write_the_same_become_one(text: str, printed: str) -> None:
    expr = read_expression(text)
    assert expr is not None
    assert print_expression(expr) == printed
    assert read_expression(printed) == expr


@pytest.mark.parametrize(
    "line",
    [
        "(turn) += 1",
        "(turn).x = 3",
        "(place)(r)",
        "move (up) to r",
        "choose by (any).x t in tiles",
        "roll (d6) d6",
        "repeat (while) + 1 times",
        "end game, (draw) wins",
    ],
)
def test_a_name_spelt_like_a_statement_is_bracketed(line: str) -> None:
    """Only at the head of its line, where it would be taken for the word."""
    under = "\n        stop" if line.startswith("repeat") else ""
    text = f"phase p\n    {line}{under}\n"
    assert print_file(read_declarations(text)) == text


def test_types_print_as_they_are_written() -> None:
    for text in (
        "int",
        "Tile on Region",
        "set of Region",
        "list of set of Tile on Area",
        "maybe list of int",
    ):
        (declaration,) = read_declarations(f"state x: {text}\n")
        assert isinstance(declaration, n.StateDecl)
        assert print_type(declaration.type) == text


# ------------------------------------------------------------------ made-up nodes

safe = st.sampled_from(["alpha", "Bravo", "mill", "Castle", "x1", "é_9", "_q", "industry", "nothingness"])
# Words of the language that are names all the same wherever an expression begins.
spelt_alike = st.sampled_from(
    [
        "turn",
        "place",
        "up",
        "d6",
        "any",
        "others",
        "draw",
        "while",
        "count",
        "mod",
        "top",
        "to",
        "set",
        "stop",
    ]
)
characters = st.one_of(st.sampled_from('\\"nt{}#\n\t§@ '), st.characters(exclude_categories=["Cs"]))
texts = st.text(characters, max_size=8)
labels = st.one_of(st.just(""), texts)
idents = st.sampled_from(["4", "4.6.3", "4.6.3-a", "QMG-res-1", "A"])
cites = st.lists(idents, max_size=3).map(tuple)
small = st.integers(0, 10**9 - 1)


def made(cls: Any, *args: Any, **kwargs: Any) -> st.SearchStrategy[Any]:
    return st.builds(partial(cls, span=HERE), *args, **kwargs)


def some_of(items: st.SearchStrategy[Any], least: int = 0, most: int = 2) -> st.SearchStrategy[Any]:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


def maybe(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), items)


names = made(n.Name, safe)
quoted = made(n.Text, texts)
yes_or_no = st.booleans()
name_exprs = made(n.NameExpr, safe)
leaves = st.one_of(
    name_exprs,
    made(n.NameExpr, spelt_alike),
    made(n.Number, st.integers(0, 10**18 - 1)),
    made(n.TextExpr, texts),
    made(n.YesNo, yes_or_no),
    made(n.Nothing),
    made(n.It),
    made(n.Range, small, small),
)


def _larger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    pickings = some_of(made(n.Picking, names, inner), 1)
    signs = ["+", "-", "&", "*", "mod", "==", "!=", "<", "<=", ">", ">="]
    operators = st.sampled_from([*signs, "in", "not in", "at most", "at least"])
    quantifiers = st.sampled_from(["some", "none", "every"])
    return st.one_of(
        made(n.AttributeOf, inner, names),
        made(n.Filtered, inner, inner),
        made(n.Call, inner, some_of(inner | made(n.NamedArg, names, inner))),
        made(n.ForCall, inner, inner, pickings, maybe(inner)),
        made(n.SetLiteral, some_of(inner)),
        made(n.ListLiteral, some_of(inner)),
        made(n.Unary, st.sampled_from(["not", "-"]), inner),
        made(n.Binary, operators, inner, inner),
        made(n.Binary, st.sampled_from(["and", "or"]), inner, inner),
        made(n.Divide, inner, inner, st.sampled_from(["up", "down"])),
        made(n.IsKind, inner, names, yes_or_no),
        made(n.IfExpr, inner, inner, inner),
        made(n.Some, st.sampled_from(["some", "none"]), inner),
        made(n.Quantified, quantifiers, pickings, inner),
        made(n.Most, st.sampled_from(["most", "least"]), inner, inner),
    )


exprs = st.recursive(leaves, _larger, max_leaves=12)
short = st.recursive(leaves, _larger, max_leaves=3)
postfixes = st.one_of(
    made(n.NameExpr, safe | spelt_alike), made(n.AttributeOf, short, names), made(n.Filtered, short, short)
)
types = st.recursive(
    st.one_of(
        made(n.TypeNode, st.just("name"), safe),
        made(n.TypeNode, st.just("on"), safe, st.none(), safe),
    ),
    lambda inner: made(n.TypeNode, st.sampled_from(["set", "list", "maybe"]), st.just(""), inner),
    max_leaves=2,
)
params = some_of(made(n.Param, names, types, yes_or_no, maybe(short)))
picks = some_of(made(n.Picking, names, short), 1)
orderings = some_of(made(n.Ordering, st.sampled_from(["before", "after"]), names))
targets = some_of(names, 1, 3)
destinations = made(n.Destination, st.sampled_from(["", "top", "bottom"]), short)
many = st.one_of(
    made(
        n.PickMany,
        st.just("exactly"),
        st.one_of(made(n.Number, small), name_exprs, made(n.Call, name_exprs, some_of(short))),
        short,
        names,
    ),
    made(n.PickMany, st.just("up_to"), short, short, names),
    made(n.PickMany, st.just("any"), st.none(), short, names),
)


def choosing(block: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Alternatives that begin with `choose`."""
    return st.one_of(
        made(n.Alternative, maybe(names), picks, st.none(), maybe(quoted), cites, block),
        made(n.Alternative, maybe(names), st.just(()), many, maybe(quoted), cites, block),
    )


def alternatives(block: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    words = made(n.Name, safe | st.sampled_from(["stop", "pass"]))
    return st.one_of(
        choosing(block),
        made(n.Alternative, words, st.just(()), st.none(), maybe(quoted), cites, block),
    )


@st.composite
def chooses(draw: Any, block: st.SearchStrategy[Any]) -> n.Choose:
    first = draw(choosing(block))
    by = draw(maybe(short))
    any_of = by is not None and draw(yes_or_no)
    others = draw(some_of(alternatives(block)))
    require = made(n.Require, short, labels, yes_or_no, cites)
    shared = draw(some_of(made(n.Shared, some_of(names), some_of(require, 1), cites), 0, 1))
    return n.Choose(draw(yes_or_no), by, any_of, (first, *others), first.cites, False, shared, span=HERE)


@st.composite
def moves(draw: Any) -> n.Move:
    amount = draw(maybe(short))
    up_to = amount is not None and draw(yes_or_no)
    to = draw(destinations if amount is not None else maybe(destinations))
    return n.Move(draw(short), amount, up_to, to, draw(cites), span=HERE)


simple_statements = st.one_of(
    made(n.Doc, texts),
    made(n.Require, exprs, labels, yes_or_no, cites),
    made(n.Let, names, exprs),
    moves(),
    made(n.Place, some_of(made(n.Phrase, small, some_of(names, 1)), 1), short, cites, labels),
    made(n.Draw, short, short, destinations, maybe(names), cites),
    made(n.Roll, maybe(short), st.integers(1, 10**9 - 1), maybe(names), cites),
    made(n.Shuffle, short, cites),
    made(n.Reveal, short, maybe(short), cites),
    made(n.SignalStatement, names, some_of(short), cites),
    made(n.Return, maybe(short), cites),
    made(n.Stop),
    made(n.EndGame, maybe(short), st.just(False), maybe(quoted), cites),
    made(n.EndGame, st.none(), st.just(True), maybe(quoted), cites),
    made(n.Tell, quoted, cites),
    made(n.Assign, postfixes, st.sampled_from(["=", "+=", "-="]), exprs, cites),
    made(n.ExprStatement, exprs.filter(lambda expr: not isinstance(expr, n.TextExpr)), cites),
)


def _longer(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    block, optional = some_of(inner, 1), some_of(inner)
    repeats = st.one_of(
        made(n.Repeat, st.just(""), st.none(), block, cites),
        made(n.Repeat, st.sampled_from(["while", "until", "times"]), short, block, cites),
    )
    return st.one_of(
        chooses(optional),
        made(n.Each, names, short, yes_or_no, block),
        made(n.Together, some_of(made(n.TogetherBranch, short, chooses(optional)), 1), cites),
        made(n.If, short, block, optional),
        made(n.For, names, short, block, cites),
        repeats,
    )


statements = st.recursive(simple_statements, _longer, max_leaves=5)
blocks = some_of(statements, 1)

states = made(n.StateDecl, names, types, maybe(short), some_of(names), cites, labels)
levels = st.sampled_from(["hidden", "nonempty", "count", "order", "visible"])
holds = made(
    n.HoldsDecl,
    names,
    names,
    yes_or_no,
    some_of(made(n.Visibility, levels, maybe(short))),
    cites,
)
item_values = st.one_of(
    made(n.Number, st.integers(-(10**18) + 1, 10**18 - 1)),
    made(n.TextExpr, texts),
    name_exprs,
    made(n.SetLiteral, some_of(short)),
    made(n.ListLiteral, some_of(short)),
)
items = st.one_of(
    made(n.ThingItem, st.sampled_from(["no", "word"]), names),
    made(n.ThingItem, st.just("attr"), names, item_values),
    made(n.ThingItem, st.just("at"), text=st.sampled_from(["48.9N 2E", "1s 10.25w"])),
    made(n.ThingItem, st.just("count"), number=small),
    made(n.ThingItem, st.just("count_in"), value=short, number=small),
)
rows = st.one_of(*(
    made(
        n.Row,
        some_of(
            made(
                n.Cell,
                some_of(
                    st.one_of(
                        made(n.Number, st.integers(-(10**18) + 1, 10**18 - 1)),
                        made(n.Range, small, small | st.just(1_000_000)),
                        name_exprs,
                        made(n.TextExpr, texts),
                    )
                ),
                yes_or_no,
            ),
            1,
            3,
        ),
        *guard,
        cites,
        labels,
    )
    for guard in ([st.just(""), st.none()], [st.sampled_from(["if", "unless"]), short])
))  # fmt: skip
rules = st.one_of(
    made(n.FunctionDecl, names, yes_or_no, params, types, blocks, cites, labels),
    made(n.PredicateDecl, names, params, blocks, cites),
    made(
        n.RouteDecl,
        names,
        params,
        short,
        some_of(names, 1),
        maybe(short),
        some_of(
            st.one_of(
                made(n.RouteRule, st.sampled_from(["enter", "through"]), some_of(names, 1, 1), blocks, cites),
                made(n.RouteRule, st.just("step"), some_of(names, 2, 2), blocks, cites),
            )
        ),
        cites,
        labels,
    ),
    made(n.TableDecl, names, params, types, some_of(rows), cites, labels, labels),
    made(
        n.ProcedureDecl,
        st.just("procedure"),
        names,
        params,
        maybe(types),
        yes_or_no,
        st.just(""),
        blocks,
        cites,
    ),
    made(
        n.ProcedureDecl,
        st.just("phase"),
        names,
        st.just(()),
        st.none(),
        st.just(False),
        labels,
        blocks,
        cites,
    ),
)
sequences = made(
    n.ProcedureDecl,
    st.just("sequence"),
    made(n.Name, st.just("sequence")),
    st.just(()),
    st.none(),
    st.just(False),
    st.just(""),
    blocks,
    cites,
)
exceptions = st.one_of(
    made(n.ExceptionTo, targets, texts, st.just(()), maybe(short), cites),
    made(n.ExceptionTo, targets, st.just(""), some_of(idents, 1), short, cites),
    # Without a condition between them, two citations are one.
    made(n.ExceptionTo, targets, st.just(""), some_of(idents, 1), st.none(), st.just(())),
)
adjustments = made(n.Adjustment, st.sampled_from(["set", "times", "add", "floor", "cap"]), short)
amendments = st.one_of(
    made(n.Adjust, names, some_of(names), some_of(adjustments, 1), maybe(short), labels, cites, orderings),
    made(n.Restrict, targets, maybe(short), blocks, cites, orderings),
    made(n.Extend, targets, maybe(short), some_of(alternatives(some_of(statements)), 1), cites, orderings),
    exceptions,
    made(
        n.Hook,
        st.sampled_from(["before", "after"]),
        names,
        some_of(names),
        maybe(short),
        labels,
        blocks,
        cites,
        orderings,
    ),
    made(n.Reaction, names, some_of(names), maybe(short), maybe(names), labels, blocks, cites, orderings),
    made(n.Whenever, exprs, labels, blocks, cites, orderings),
    made(n.Replace, rules | sequences),
    made(n.Remove, targets, cites),
    made(n.Amend, names, some_of(items, 1), cites, labels),
    made(n.Reword, targets, some_of(names), texts.filter(bool), st.just(()), quoted, maybe(quoted)),
    made(n.Reword, targets, some_of(names), st.just(""), some_of(idents), quoted, maybe(quoted)),
)
things = made(
    n.ThingDecl,
    names,
    names,
    some_of(items, 0, 3),
    some_of(made(n.ThingDoes, names, params, blocks), 0, 1),
    some_of(amendments, 0, 1),
    some_of(states, 0, 1),
    cites,
    labels,
    labels,
)


@st.composite
def links(draw: Any) -> n.LinkLine:
    ends = draw(some_of(names, 2, 4))
    arrows = tuple(draw(st.sampled_from(["-", "->"])) for _ in ends[1:])
    return n.LinkLine(draw(names), ends, arrows, draw(cites), draw(labels), span=HERE)


attributes = made(n.Attribute, names, types, maybe(short), labels)
data = st.one_of(
    made(n.ValuesDecl, names, some_of(st.tuples(names, labels), 1, 3), cites),
    made(n.EitherDecl, names, some_of(names, 2, 3), cites),
    made(
        n.KindDecl,
        names,
        yes_or_no,
        some_of(attributes),
        some_of(states),
        some_of(holds),
        some_of(made(n.DoesLine, names, params)),
        maybe(short),
        maybe(quoted),
        maybe(short),
        maybe(short),
        st.none(),
        cites,
        labels,
    ),
    made(n.ThingsDecl, some_of(things), cites, labels),
    made(
        n.MapDecl,
        names,
        some_of(names),
        some_of(things, 0, 1),
        some_of(links()),
        cites,
        labels,
        labels,
    ),
    made(n.CountsDecl, names, maybe(short), some_of(rows, 1), cites, labels),
    states,
    holds,
    made(n.SignalDecl, names, params, cites),
    made(n.AsideDecl, names, picks, maybe(quoted), short, names, blocks, cites),
)
claims = st.one_of(
    made(n.Invariant, texts, st.sampled_from(["always", "decision"]), st.none(), some_of(exprs, 1), cites),
    made(n.Invariant, texts, st.just("end"), names, some_of(exprs, 1), cites),
    made(n.Check, texts, some_of(exprs, 1), cites),
)
raw_lines = (
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)
    .map(str.strip)
    .filter(lambda line: line and not line.startswith("#"))
)
outlines = st.recursive(
    made(n.OutlineLine, raw_lines, st.just(())),
    lambda inner: made(n.OutlineLine, raw_lines, some_of(inner)),
    max_leaves=5,
)
option_rules = st.one_of(
    made(n.OptionRule, st.sampled_from(["needs", "excludes", "after"]), names),
    made(n.OptionRule, st.just("on"), st.none()),
)
inner = st.one_of(rules, amendments, data, claims)
seats = made(n.SeatsLine, small, some_of(some_of(names, 1), 1), cites)
front = st.one_of(
    made(n.LanguageLine, small),
    made(n.GameDecl, texts, texts, maybe(names), some_of(st.tuples(safe, texts)), labels),
    made(n.Include, quoted),
    made(n.Rulebook, texts, some_of(made(n.RulebookLine, idents, safe, texts), 1, 3)),
    made(n.PlayersDecl, names, some_of(seats), cites),
    made(n.OptionDecl, yes_or_no, names, labels, some_of(option_rules), some_of(inner), cites, labels),
    made(n.WithDecl, some_of(names, 1), some_of(inner, 1), cites, labels),
    made(n.Example, texts, some_of(outlines, 1), cites),
    sequences,
)


@settings(relaxed, max_examples=300)
@given(exprs)
def test_any_expression_survives_print_and_parse(expr: n.Expr) -> None:
    assert read_expression(print_expression(expr)) == expr


@relaxed
@given(statements)
def test_any_statement_survives_print_and_parse(statement: n.Statement) -> None:
    name = n.Name("p", span=HERE)
    phase = n.ProcedureDecl("phase", name, (), None, False, "", (statement,), (), span=HERE)
    assert read_declarations(print_declaration(phase)) == (phase,)


DECLARATIONS = {"rules": rules, "amendments": amendments, "data": data, "claims": claims, "front": front}


@pytest.mark.parametrize("sort", DECLARATIONS)
def test_any_declaration_survives_print_and_parse(sort: str) -> None:
    @relaxed
    @given(DECLARATIONS[sort])
    def survives(declaration: n.Declaration) -> None:
        assert read_declarations(print_declaration(declaration)) == (declaration,)

    survives()
