"""One snippet for each form of the grammar, and the node it gives."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from rulescript import nodes as n
from rulescript.diagnostics import Reporter
from rulescript.source import SourceFile, Span
from rulescript.syntax.node_fields import unescape
from rulescript.syntax.parser import parse_expression, parse_file

HERE = Span(SourceFile("made", ""), 0, 0)


class _At:
    """Every node class with a span that does not matter: nodes are equal wherever they were written."""

    def __getattr__(self, name: str) -> Any:
        return partial(getattr(n, name), span=HERE)


at = _At()


def name(text: str) -> n.Name:
    return n.Name(text, span=HERE)


def names(text: str) -> tuple[n.Name, ...]:
    return tuple(name(word) for word in text.split())


def var(text: str) -> n.NameExpr:
    return n.NameExpr(text, span=HERE)


def num(value: int) -> n.Number:
    return n.Number(value, span=HERE)


def kind(text: str) -> n.TypeNode:
    return n.TypeNode("name", text, span=HERE)


def words(text: str) -> n.Text:
    return n.Text(text, span=HERE)


A, B, C, D, X = var("a"), var("b"), var("c"), var("d"), var("x")
INT = kind("int")
STOP = (n.Stop(span=HERE),)


def declaration(text: str) -> n.Declaration:
    reporter = Reporter()
    found = parse_file(SourceFile("test.rules", text), reporter)
    assert not reporter.diagnostics, [d.message for d in reporter.diagnostics]
    (only,) = found
    return only


def statement(text: str) -> n.Statement:
    lines = "".join(f"    {line}\n" for line in text.split("\n"))
    phase = declaration(f"phase p\n{lines}")
    assert isinstance(phase, n.ProcedureDecl)
    (only,) = phase.block
    return only


# ------------------------------------------------------------------ expressions


def binary(operator: str, left: n.Expr = A, right: n.Expr = B) -> n.Expr:
    return n.Binary(operator, left, right, span=HERE)


def pick(text: str, source: n.Expr) -> n.Picking:
    return n.Picking(name(text), source, span=HERE)


SOME_IN = at.Quantified("some", (pick("x", A),), B)
IF = at.IfExpr(A, B, C)


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("a", A),
        ("3", num(3)),
        ('"hi {a}"', at.TextExpr("hi {a}")),
        ("yes", at.YesNo(True)),
        ("no", at.YesNo(False)),
        ("nothing", at.Nothing()),
        ("it", at.It()),
        ("(a)", A),
        ("{}", at.SetLiteral(())),
        ("{a, b}", at.SetLiteral((A, B))),
        ("[]", at.ListLiteral(())),
        ("[a, b]", at.ListLiteral((A, B))),
        ("4..6", at.Range(4, 6)),
        ("a.b", at.AttributeOf(A, name("b"))),
        ("a.turn", at.AttributeOf(A, name("turn"))),
        ("a[b]", at.Filtered(A, B)),
        ("a()", at.Call(A, ())),
        ("a(b, c)", at.Call(A, (B, C))),
        ("a of b", at.Call(A, (B,))),
        ("a of b of c", at.Call(A, (at.Call(B, (C,)),))),
        ("a of b.c", at.Call(A, (at.AttributeOf(B, name("c")),))),
        ("a(b for x in c)", at.ForCall(A, B, (pick("x", C),), None)),
        ("a(b for x in c, y in d if x)", at.ForCall(A, B, (pick("x", C), pick("y", D)), X)),
        ("-a", at.Unary("-", A)),
        ("most a by b", at.Most("most", A, B)),
        ("least a by b", at.Most("least", A, B)),
        ("a * b", binary("*")),
        ("a mod b", binary("mod")),
        ("a / b rounded up", at.Divide(A, B, "up")),
        ("a / b rounded down", at.Divide(A, B, "down")),
        ("a + b", binary("+")),
        ("a - b", binary("-")),
        ("a & b", binary("&")),
        ("a + b * c", binary("+", A, binary("*", B, C))),
        ("a - b - c", binary("-", binary("-"), C)),
        ("a at most b", binary("at most")),
        ("a at least b", binary("at least")),
        *((f"a {sign} b", binary(sign)) for sign in ("==", "!=", "<", "<=", ">", ">=")),
        ("a in b", binary("in")),
        ("a not in b", binary("not in")),
        ("a is B", at.IsKind(A, name("B"), False)),
        ("a is not B", at.IsKind(A, name("B"), True)),
        ("not a", at.Unary("not", A)),
        ("not a == b", at.Unary("not", binary("=="))),
        ("some a", at.Some("some", A)),
        ("none a", at.Some("none", A)),
        ("a and b", binary("and")),
        ("a or b", binary("or")),
        ("a or b and c", binary("or", A, binary("and", B, C))),
        ("some x in a: b", SOME_IN),
        ("none x in a: b", at.Quantified("none", (pick("x", A),), B)),
        ("every x in a, y in b: c", at.Quantified("every", (pick("x", A), pick("y", B)), C)),
        ("some x in a: b or c", at.Quantified("some", (pick("x", A),), binary("or", B, C))),
        ("not some x in a: b", at.Unary("not", SOME_IN)),
        ("d and some x in a: b", binary("and", D, SOME_IN)),
        ("d or some x in a: b", binary("or", D, SOME_IN)),
        ("if a then b else c", IF),
        ("d or if a then b else c", binary("or", D, IF)),
        ("if a then if a then b else c else d", at.IfExpr(A, IF, D)),
        ("\na\n", A),
    ],
)
def test_expressions(text: str, node: n.Expr) -> None:
    reporter = Reporter()
    assert parse_expression(SourceFile("test", text), 0, len(text), reporter) == node
    assert not reporter.diagnostics


def test_texts_are_unescaped() -> None:
    assert unescape(r'"a\n\t\"\\ \q {x}"') == 'a\n\t"\\ \\q {x}'


# ------------------------------------------------------------------ statements


def way(
    label: str | None, picks: Any = (), many: Any = None, text: Any = None, cites: Any = (), block: Any = ()
) -> Any:
    return at.Alternative(name(label) if label else None, picks, many, text, cites, block)


def choose(*ways: Any, may: bool = False, by: Any = None, any_of: bool = False) -> Any:
    return at.Choose(may, by, any_of, ways, ways[0].cites)


def to(place: n.Expr, end: str = "") -> n.Destination:
    return n.Destination(end, place, span=HERE)


PICK_X = (pick("x", A),)


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ('"Words."', at.Doc("Words.")),
        ("require a", at.Require(A, "", False, ())),
        ('require a "why" peeks §1, §2', at.Require(A, "why", True, ("1", "2"))),
        ("require a @1.2-b", at.Require(A, "", False, ("1.2-b",))),
        ("choose x in a", choose(way(None, PICK_X))),
        (
            'choose go: x in a, y in b "Go {x}" §1\n    stop',
            choose(way("go", (pick("x", A), pick("y", B)), None, words("Go {x}"), ("1",), STOP)),
        ),
        ("may choose x in a", choose(way(None, PICK_X), may=True)),
        ("choose by b x in a", choose(way(None, PICK_X), by=B)),
        ("choose by b go: x in a", choose(way("go", PICK_X), by=B)),
        ("choose by any of b x in a", choose(way(None, PICK_X), by=B, any_of=True)),
        ("choose 2 from a as l", choose(way(None, (), at.PickMany("exactly", num(2), A, name("l"))))),
        ("choose b from a as l", choose(way(None, (), at.PickMany("exactly", B, A, name("l"))))),
        (
            "choose b(c) from a as l",
            choose(way(None, (), at.PickMany("exactly", at.Call(B, (C,)), A, name("l")))),
        ),
        ("choose up to b from a as l", choose(way(None, (), at.PickMany("up_to", B, A, name("l"))))),
        ("choose any number from a as l", choose(way(None, (), at.PickMany("any", None, A, name("l"))))),
        (
            'choose x in a\nor choose go: x in a "Go" §1\n    stop\nor choose 1 from a as l',
            choose(
                way(None, PICK_X),
                way("go", PICK_X, None, words("Go"), ("1",), STOP),
                way(None, (), at.PickMany("exactly", num(1), A, name("l"))),
            ),
        ),
        (
            'choose x in a\nor rest "Rest" §1\n    stop\nor stop\nor pass',
            choose(
                way(None, PICK_X),
                way("rest", (), None, words("Rest"), ("1",), STOP),
                way("stop"),
                way("pass"),
            ),
        ),
        ("each x in a\n    stop", at.Each(name("x"), A, False, STOP)),
        ("each x in a sealed\n    stop", at.Each(name("x"), A, True, STOP)),
        (
            "together §1\n    a: choose x in a\n    b: may choose x in a",
            at.Together(
                (
                    at.TogetherBranch(A, choose(way(None, PICK_X))),
                    at.TogetherBranch(B, choose(way(None, PICK_X), may=True)),
                ),
                ("1",),
            ),
        ),
        ("if a\n    stop", at.If(A, STOP, ())),
        ("if a\n    stop\nelse\n    stop", at.If(A, STOP, STOP)),
        (
            "if a\n    stop\nelse if b\n    stop\nelse\n    stop",
            at.If(A, STOP, (at.If(B, STOP, STOP),)),
        ),
        ("for x in a §1\n    stop", at.For(name("x"), A, STOP, ("1",))),
        ("repeat §1\n    stop", at.Repeat("", None, STOP, ("1",))),
        ("repeat while a\n    stop", at.Repeat("while", A, STOP, ())),
        ("repeat until a\n    stop", at.Repeat("until", A, STOP, ())),
        ("repeat 3 times\n    stop", at.Repeat("times", num(3), STOP, ())),
        ("let x = a", at.Let(name("x"), A)),
        ("move a to b §1", at.Move(A, None, False, to(B), ("1",))),
        ("move 2 from a to b", at.Move(A, num(2), False, to(B), ())),
        ("move up to 2 from a to b", at.Move(A, num(2), True, to(B), ())),
        ("move a to top of b", at.Move(A, None, False, to(B, "top"), ())),
        ("move a to bottom of b", at.Move(A, None, False, to(B, "bottom"), ())),
        ("move a home §1", at.Move(A, None, False, None, ("1",))),
        (
            'place 2 blue guns, 1 fort in a §1 reconstructed "x"',
            at.Place((at.Phrase(2, names("blue guns")), at.Phrase(1, names("fort"))), A, ("1",), "x"),
        ),
        ("draw 7 from a to b", at.Draw(num(7), A, to(B), None, ())),
        ("draw c from a to top of b as x §1", at.Draw(C, A, to(B, "top"), name("x"), ("1",))),
        ("roll d6", at.Roll(None, 6, None, ())),
        ("roll a d10 as x §1", at.Roll(A, 10, name("x"), ("1",))),
        ("shuffle a §1", at.Shuffle(A, ("1",))),
        ("reveal a", at.Reveal(A, None, ())),
        ("reveal a to b §1", at.Reveal(A, B, ("1",))),
        ("signal dawn", at.SignalStatement(name("dawn"), (), ())),
        ("signal built(a, b) §1", at.SignalStatement(name("built"), (A, B), ("1",))),
        ("return", at.Return(None, ())),
        ("return a §1", at.Return(A, ("1",))),
        ("stop", at.Stop()),
        ("end game", at.EndGame(None, False, None, ())),
        ('end game, a wins "by points" §1', at.EndGame(A, False, words("by points"), ("1",))),
        ("end game, a win", at.EndGame(A, False, None, ())),
        ("end game, draw", at.EndGame(None, True, None, ())),
        ('tell "hi" §1', at.Tell(words("hi"), ("1",))),
        ("a = b §1", at.Assign(A, "=", B, ("1",))),
        ("a.b += 1", at.Assign(at.AttributeOf(A, name("b")), "+=", num(1), ())),
        ("a -= 1", at.Assign(A, "-=", num(1), ())),
        ("(turn) = a", at.Assign(var("turn"), "=", A, ())),
        ("a(b) §1", at.ExprStatement(at.Call(A, (B,)), ("1",))),
        ("if a then b else c", at.ExprStatement(IF, ())),
    ],
)
def test_statements(text: str, node: n.Statement) -> None:
    assert statement(text) == node


# ------------------------------------------------------------------ declarations


def param(text: str, type: n.TypeNode = INT, changeable: bool = False) -> n.Param:
    return n.Param(name(text), type, changeable, span=HERE)


def state(
    text: str, type: n.TypeNode = INT, default: Any = None, lasts: Any = (), cites: Any = (), why: str = ""
) -> Any:
    return at.StateDecl(name(text), type, default, lasts, cites, why)


def attribute(text: str, type: n.TypeNode = INT, default: Any = None, why: str = "") -> Any:
    return at.Attribute(name(text), type, default, why)


def thing(sort: str, text: str, *items: Any, **more: Any) -> Any:
    parts = {"does": (), "amendments": (), "states": (), "cites": (), "reconstructed": "", "doc": ""}
    return at.ThingDecl(name(sort), name(text), items, **(parts | more))


def item(form: str, called: str | None = None, value: Any = None, **more: Any) -> Any:
    return at.ThingItem(form, name(called) if called else None, value, **more)


def cell(*items: Any, otherwise: bool = False) -> Any:
    return at.Cell(items, otherwise)


def row(*cells: Any, guard: str = "", condition: Any = None, cites: Any = (), why: str = "") -> Any:
    return at.Row(cells, guard, condition, cites, why)


def procedure(
    form: str,
    text: str,
    params: Any = (),
    type: Any = None,
    closed: bool = False,
    title: str = "",
    cites: Any = (),
) -> Any:
    return at.ProcedureDecl(form, name(text), params, type, closed, title, STOP, cites)


def things_of(*things: Any, cites: Any = (), why: str = "") -> Any:
    return at.ThingsDecl(things, cites, why)


def kind_of(called: str, /, *attributes: Any, **more: Any) -> Any:
    parts = {"is_pieces": False, "states": (), "holds": (), "does": (), "cites": (), "doc": ""}
    parts |= {"home": None, "text": None, "in_force": None, "hidden_when": None, "known_to": None}
    return at.KindDecl(name(called), attributes=attributes, **(parts | more))


def holds(text: str, sort: str, *visibility: Any, **more: Any) -> Any:
    parts = {"ordered": False, "cites": ()}
    return at.HoldsDecl(name(text), name(sort), visibility=visibility, **(parts | more))


def map_of(text: str, **more: Any) -> Any:
    parts = {"sorts": (), "things": (), "links": (), "cites": (), "reconstructed": "", "doc": ""}
    return at.MapDecl(name(text), **(parts | more))


def option(text: str, *declarations: Any, **more: Any) -> Any:
    parts = {"is_scenario": False, "title": "", "rules": (), "cites": (), "doc": ""}
    return at.OptionDecl(name=name(text), declarations=declarations, **(parts | more))


REQUIRE_A = (at.Require(A, "", False, ()),)
RULES = {
    "function f -> int\n    stop\n": at.FunctionDecl(name("f"), False, (), INT, STOP, (), ""),
    'value f(x: int, y: int changeable) -> int §1 reconstructed "w"\n    stop\n': at.FunctionDecl(
        name("f"), True, (param("x"), param("y", changeable=True)), INT, STOP, ("1",), "w"
    ),
    "predicate p(x: int) §1\n    require a\n": at.PredicateDecl(name("p"), (param("x"),), REQUIRE_A, ("1",)),
    "route r from a by road\n": at.RouteDecl(name("r"), (), A, names("road"), None, (), (), ""),
    "table t() -> int\n    | 1 |\n": at.TableDecl(name("t"), (), INT, (row(cell(num(1))),), (), "", ""),
    "procedure p\n    stop\n": procedure("procedure", "p"),
    "procedure p(x: int) -> int, closed §1\n    stop\n": procedure(
        "procedure", "p", (param("x"),), INT, True, cites=("1",)
    ),
    "phase p\n    stop\n": procedure("phase", "p"),
    'phase p "Title" §1\n    stop\n': procedure("phase", "p", title="Title", cites=("1",)),
    "sequence §1\n    stop\n": procedure("sequence", "sequence", cites=("1",)),
}


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("rulescript 1\n", at.LanguageLine(1)),
        ('game "G"\n', at.GameDecl("G", "1", None, (), "")),
        (
            'game "G", version "2"\n    builds on h\n    by "Ann"\n    "one"\n    "two"\n',
            at.GameDecl("G", "2", name("h"), (("by", "Ann"),), "one\ntwo"),
        ),
        ('include "a.rules"\n', at.Include(words("a.rules"))),
        (
            'rulebook "G"\n    4 note "A"\n    4.6-a rule "B"\n    QMG-1 rule "C"\n',
            at.Rulebook(
                "G",
                (
                    at.RulebookLine("4", "note", "A"),
                    at.RulebookLine("4.6-a", "rule", "B"),
                    at.RulebookLine("QMG-1", "rule", "C"),
                ),
            ),
        ),
        (
            'values V: a, b "Bee" §1\n',
            at.ValuesDecl(name("V"), ((name("a"), ""), (name("b"), "Bee")), ("1",)),
        ),
        ("kind K\n", kind_of("K")),
        (
            'kind K: a: int, b: int = 1 reconstructed "w" §1\n',
            kind_of("K", attribute("a"), attribute("b", INT, num(1), "w"), cites=("1",)),
        ),
        ("pieces K: a: int\n", kind_of("K", attribute("a"), is_pieces=True)),
        ("kind K\n    has a: int = 1\n", kind_of("K", attribute("a", INT, num(1)))),
        ("kind K\n    state a: int\n", kind_of("K", states=(state("a"),))),
        ("kind K\n    holds a: T\n", kind_of("K", holds=(holds("a", "T"),))),
        ("kind K\n    home a\n", kind_of("K", home=A)),
        ('kind K\n    text "t"\n', kind_of("K", text=words("t"))),
        ("kind K\n    does go\n", kind_of("K", does=(at.DoesLine(name("go"), ()),))),
        ("kind K\n    does go(x: int)\n", kind_of("K", does=(at.DoesLine(name("go"), (param("x"),)),))),
        ("kind K\n    in force when a\n", kind_of("K", in_force=A)),
        ('kind K\n    "one"\n    "two"\n', kind_of("K", doc="one\ntwo")),
        ("state a: int\n", state("a")),
        (
            'state a: int = b, lasts p, lasts p.q §1 reconstructed "w"\n',
            state("a", INT, B, (name("p"), name("p.q")), ("1",), "w"),
        ),
        ('state a: int reconstructed ""\n', state("a", why="no reason given")),
        ("state a: T on R\n", state("a", at.TypeNode("on", "T", None, "R"))),
        ("state a: set of R\n", state("a", at.TypeNode("set", "", kind("R")))),
        ("state a: list of R\n", state("a", at.TypeNode("list", "", kind("R")))),
        ("state a: maybe R\n", state("a", at.TypeNode("maybe", "", kind("R")))),
        ("holds a: T, ordered §1\n", holds("a", "T", ordered=True, cites=("1",))),
        (
            "holds a: T, visible to it, count to others\n",
            holds("a", "T", at.Visibility("visible", at.It()), at.Visibility("count", None)),
        ),
        *(
            (f"holds a: T, {level} to b\n", holds("a", "T", at.Visibility(level, B)))
            for level in ("hidden", "nonempty", "count", "order", "visible")
        ),
        ('things §1 reconstructed "w"\n    K T\n', things_of(thing("K", "T"), cites=("1",), why="w")),
        (
            'things\n    K T  "label", not a, b, c 1, c -1\n',
            things_of(
                thing(
                    "K",
                    "T",
                    item("label", text="label"),
                    item("no", "a"),
                    item("word", "b"),
                    item("attr", "c", num(1)),
                    item("attr", "c", num(-1)),
                )
            ),
        ),
        (
            'things\n    K T  c "t", c d, c {a}, c [a, b], at 4.5N 2E, 3, 4 in a\n',
            things_of(
                thing(
                    "K",
                    "T",
                    item("attr", "c", at.TextExpr("t")),
                    item("attr", "c", D),
                    item("attr", "c", at.SetLiteral((A,))),
                    item("attr", "c", at.ListLiteral((A, B))),
                    item("at", text="4.5N 2E"),
                    item("count", number=3),
                    item("count_in", value=A, number=4),
                )
            ),
        ),
        (
            'things\n    K T §1 reconstructed "w"\n        "doc"\n        state a: int\n        go(x: int)\n'
            "            stop\n        remove b\n",
            things_of(
                thing(
                    "K",
                    "T",
                    cites=("1",),
                    reconstructed="w",
                    doc="doc",
                    states=(state("a"),),
                    does=(at.ThingDoes(name("go"), (param("x"),), STOP),),
                    amendments=(at.Remove(names("b"), ()),),
                )
            ),
        ),
        (
            'map M §1 reconstructed "w"\n    "doc"\n    link road, rail\n    link sea\n    K T  b\n'
            '    road A - B -> C §2 reconstructed "v"\n',
            map_of(
                "M",
                sorts=names("road rail sea"),
                things=(thing("K", "T", item("word", "b")),),
                links=(at.LinkLine(name("road"), names("A B C"), ("-", "->"), ("2",), "v"),),
                cites=("1",),
                reconstructed="w",
                doc="doc",
            ),
        ),
        (
            'counts T in a §1 reconstructed "w"\n    |  | b |\n    | c | 7 | §2\n',
            at.CountsDecl(name("T"), A, (row(cell(), cell(B)), row(cell(C), cell(num(7)), cites=("2",))), ("1",), "w"),
        ),
        ("counts T\n    | 7 |\n", at.CountsDecl(name("T"), None, (row(cell(num(7))),), (), "")),
        ("players S §1\n", at.PlayersDecl(name("S"), (), ("1",))),
        (
            "players S\n    2: N + S, E §1\n",
            at.PlayersDecl(name("S"), (at.SeatsLine(2, (names("N S"), names("E")), ("1",)),), ()),
        ),
        *RULES.items(),
        *((f"replace {text}", at.Replace(node)) for text, node in RULES.items()),
        (
            'route r(x: int) from a by road, rail, at most b steps §1\n    "doc"\n    enter y §2\n'
            "        stop\n    through y\n        stop\n    step y to z\n        stop\n",
            at.RouteDecl(
                name("r"),
                (param("x"),),
                A,
                names("road rail"),
                B,
                (
                    at.RouteRule("enter", names("y"), STOP, ("2",)),
                    at.RouteRule("through", names("y"), STOP, ()),
                    at.RouteRule("step", names("y z"), STOP, ()),
                ),
                ("1",),
                "doc",
            ),
        ),
        (
            'table t(x: int) -> int §1 reconstructed "w"\n    "doc"\n    | 1, -2 | 3..4, 6+ | if a §2\n'
            '    | otherwise | a, "t" | unless b reconstructed "v"\n    | | 1 |\n',
            at.TableDecl(
                name("t"),
                (param("x"),),
                INT,
                (
                    row(
                        cell(num(1), num(-2)),
                        cell(at.Range(3, 4), at.Range(6, 1_000_000)),
                        guard="if",
                        condition=A,
                        cites=("2",),
                    ),
                    row(cell(otherwise=True), cell(A, at.TextExpr("t")), guard="unless", condition=B, why="v"),
                    row(cell(), cell(num(1))),
                ),
                ("1",),
                "w",
                "doc",
            ),
        ),
        ("signal s\n", at.SignalDecl(name("s"), (), ())),
        ("signal s(x: int) §1\n", at.SignalDecl(name("s"), (param("x"),), ("1",))),
        (
            'aside u: x in a, y in b "Text" by c during turn §1\n    stop\n',
            at.AsideDecl(name("u"), (pick("x", A), pick("y", B)), words("Text"), C, name("turn"), STOP, ("1",)),
        ),
        ("option o\n", option("o")),
        (
            'option o "Title", needs a, excludes b, after c, on §1\n    "doc"\n    signal s\n    remove t\n',
            option(
                "o",
                at.SignalDecl(name("s"), (), ()),
                at.Remove(names("t"), ()),
                title="Title",
                rules=(
                    at.OptionRule("needs", name("a")),
                    at.OptionRule("excludes", name("b")),
                    at.OptionRule("after", name("c")),
                    at.OptionRule("on", None),
                ),
                cites=("1",),
                doc="doc",
            ),
        ),
        ('scenario s "Title" §1\n', option("s", is_scenario=True, title="Title", cites=("1",))),
        ("adjust v add 1\n", at.Adjust(name("v"), (), (at.Adjustment("add", num(1)),), None, "", (), ())),
        (
            'adjust v(x, y) set 1 times 2 add 3 floor 4 cap 5 when a "Why" §1, after p, before q\n',
            at.Adjust(
                name("v"),
                names("x y"),
                tuple(
                    at.Adjustment(word, num(value))
                    for value, word in enumerate(["set", "times", "add", "floor", "cap"], start=1)
                ),
                A,
                "Why",
                ("1",),
                (at.Ordering("after", name("p")), at.Ordering("before", name("q"))),
            ),
        ),
        ("restrict p\n    stop\n", at.Restrict(names("p"), None, STOP, (), ())),
        (
            "restrict p.q when a §1, after r\n    stop\n",
            at.Restrict(names("p q"), A, STOP, ("1",), (at.Ordering("after", name("r")),)),
        ),
        (
            "extend p.q when a §1, after r\n    or choose x in a\n    or pass\n",
            at.Extend(
                names("p q"),
                A,
                (way(None, PICK_X), way("pass")),
                ("1",),
                (at.Ordering("after", name("r")),),
            ),
        ),
        ("exception to p.q §1\n", at.ExceptionTo(names("p q"), "", ("1",), None, ())),
        ("exception to p §1 when a §2\n", at.ExceptionTo(names("p"), "", ("1",), A, ("2",))),
        ('exception to p "label" §2\n', at.ExceptionTo(names("p"), "label", (), None, ("2",))),
        ("before p\n    stop\n", at.Hook("before", name("p"), (), None, "", STOP, (), ())),
        (
            'after p(x) when a "Why" §1, before q\n    stop\n',
            at.Hook(
                "after",
                name("p"),
                names("x"),
                A,
                "Why",
                STOP,
                ("1",),
                (at.Ordering("before", name("q")),),
            ),
        ),
        ("when s\n    stop\n", at.Reaction(name("s"), (), None, None, "", STOP, (), ())),
        ("when s repeatedly\n    stop\n", at.Reaction(name("s"), (), None, None, "", STOP, (), (), repeatedly=True)),
        (
            'when s(x) if a once a turn "Why" §1, after q\n    stop\n',
            at.Reaction(
                name("s"),
                names("x"),
                A,
                name("turn"),
                "Why",
                STOP,
                ("1",),
                (at.Ordering("after", name("q")),),
            ),
        ),
        (
            'whenever some x in a: b "Why" §1, after q\n    stop\n',
            at.Whenever(SOME_IN, "Why", STOP, ("1",), (at.Ordering("after", name("q")),)),
        ),
        ("remove p.q §1\n", at.Remove(names("p q"), ("1",))),
        (
            'amend T: a 3, not b §1 reconstructed "w"\n',
            at.Amend(name("T"), (item("attr", "a", num(3)), item("no", "b")), ("1",), "w"),
        ),
        ('invariant "I"\n    a\n    b\n', at.Invariant("I", "always", None, (A, B), ())),
        ('invariant "I", always\n    a\n', at.Invariant("I", "always", None, (A,), ())),
        ('invariant "I", at end of p §1\n    a\n', at.Invariant("I", "end", name("p"), (A,), ("1",))),
        ('invariant "I", at every decision\n    a\n', at.Invariant("I", "decision", None, (A,), ())),
        ('check "C" §1\n    a\n    b\n', at.Check("C", (A, B), ("1",))),
        (
            'example "E" §1\n    given  (a # b   \n        x "y\n    # comment\n    play\n',
            at.Example(
                "E",
                (
                    at.OutlineLine("given  (a # b", (at.OutlineLine('x "y', ()),)),
                    at.OutlineLine("play", ()),
                ),
                ("1",),
            ),
        ),
    ],
)
def test_declarations(text: str, node: n.Declaration) -> None:
    assert declaration(text) == node


# ------------------------------------------------------------------ places


@pytest.mark.parametrize("wide", [False, True])
def test_spans_are_places_in_the_file(wide: bool) -> None:
    """Each declaration is parsed on its own, but points into the whole file."""
    text = "# words\nstate a: int\n\nphase p\n    require a.b == 3  §4\n"
    text = ("\n" * 5 if wide else "") + text
    reporter = Reporter()
    source = SourceFile("test.rules", text)
    first, second = parse_file(source, reporter)
    assert isinstance(first, n.StateDecl)
    assert isinstance(second, n.ProcedureDecl)
    assert first.name.span.text == "a"
    (require,) = second.block
    assert isinstance(require, n.Require)
    assert require.condition.span.text == "a.b == 3"
    assert require.condition.span.source is source


def test_a_citation_may_run_over_two_lines() -> None:
    assert statement("require a  §1,\n           §2") == at.Require(A, "", False, ("1", "2"))
