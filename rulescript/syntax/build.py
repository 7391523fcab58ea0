"""Lark tree -> nodes; builds, never judges.

One method per grammar rule, named as the rule. The builder is handed to Lark, so nodes are made while
the text is parsed and no tree is kept. `source` and `base` say where the text being parsed lies in its
file: a declaration is parsed on its own, and its offsets are shifted to the file's.
"""

from __future__ import annotations

from typing import Any, TypeVar

from attrs import evolve
from lark import Token, Transformer, v_args
from lark.tree import Meta

from rulescript import nodes as n
from rulescript.source import SourceFile, Span

__all__ = ["Builder", "unescape"]

T = TypeVar("T")
Children = list[Any]

_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def unescape(literal: str) -> str:
    """The characters a quoted literal stands for. Unknown escapes stay as they were written."""
    body = literal[1:-1]
    if "\\" not in body:
        return body
    out: list[str] = []
    at = 0
    while at < len(body):
        char = body[at]
        if char == "\\" and at + 1 < len(body):
            following = body[at + 1]
            out.append(_ESCAPES.get(following, "\\" + following))
            at += 2
        else:
            out.append(char)
            at += 1
    return "".join(out)


class _Reconstructed(str):
    """The reason behind `reconstructed`."""


class _Params(tuple[n.Param, ...]):
    """A parameter list, told apart from other tuples."""


class _Args(tuple[n.Expr, ...]):
    """An argument list."""


class _Within(tuple[n.Name, ...]):
    """``lasts in Region``"""


class _ForArgs(tuple[Any, ...]):
    """``(value for pickings if condition)``"""


class _Ordering(tuple[n.Ordering, ...]):
    """``, after tanks``"""


class _Target(tuple[n.Name, ...]):
    """``movement.move``"""


class _Items(tuple[n.ThingItem, ...]):
    """The facts on a thing's line."""


def _first(children: Children, kind: type[T]) -> T | None:
    for child in children:
        if isinstance(child, kind):
            return child
    return None


def _all(children: Children, kind: type[T]) -> tuple[T, ...]:
    return tuple(child for child in children if isinstance(child, kind))


def _cites(children: Children) -> tuple[str, ...]:
    found = _first(children, n.Cites)
    return found.ids if found else ()


def _reason(children: Children) -> str:
    found = _first(children, _Reconstructed)
    return str(found) if found is not None else ""


def _doc(children: Children) -> str:
    return "\n".join(doc.text for doc in _all(children, n.Doc))


def _strings(children: Children) -> list[Token]:
    return [c for c in children if isinstance(c, Token) and c.type == "STRING"]


def _has(children: Children, token: str) -> bool:
    return any(isinstance(c, Token) and c.type == token for c in children)


def _ids(text: str) -> tuple[str, ...]:
    return tuple(part.strip(" ,\t\n") for part in text.replace("@", "§").split("§") if part.strip(" ,\t\n"))


@v_args(meta=True)
class Builder(Transformer):  # type: ignore[type-arg]
    """Makes nodes of what Lark recognises."""

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)
        self.source = SourceFile("", "")
        self.base = 0
        # Lark wraps a method anew each time it is asked for; an attribute of the object itself is found as it is.
        for name in dir(type(self)):
            method = getattr(self, name)
            if hasattr(method, "visit_wrapper"):
                setattr(self, name, method)

    # -------------------------------------------------------------- places

    def span(self, meta: Meta) -> Span:
        if meta.empty:
            return Span(self.source, self.base, self.base)
        return Span(self.source, self.base + meta.start_pos, self.base + meta.end_pos)

    def at(self, token: Token) -> Span:
        start = token.start_pos or 0
        return Span(self.source, self.base + start, self.base + start + len(token))

    def named(self, token: Token) -> n.Name:
        return n.Name(str(token), span=self.at(token))

    def names(self, children: Children) -> list[n.Name]:
        return [self.named(c) for c in children if isinstance(c, Token) and c.type == "NAME"]

    def words(self, token: Token) -> n.Text:
        return n.Text(unescape(token), span=self.at(token))

    def label(self, children: Children) -> str:
        found = _strings(children)
        return unescape(found[0]) if found else ""

    def text_of(self, children: Children) -> n.Text | None:
        found = _strings(children)
        return self.words(found[0]) if found else None

    def block(self, children: Children) -> n.Block:
        return _all(children, n.Statement)

    # -------------------------------------------------------------- small parts

    def cites(self, meta: Meta, c: Children) -> n.Cites:
        return n.Cites(_ids(str(c[0])), span=self.span(meta))

    def reconstructed(self, meta: Meta, c: Children) -> _Reconstructed:
        return _Reconstructed(unescape(c[0]) or "no reason given")

    def doc(self, meta: Meta, c: Children) -> n.Doc:
        return n.Doc(unescape(c[0]), span=self.span(meta))

    def target(self, meta: Meta, c: Children) -> _Target:
        return _Target(self.names(c))

    def ordering(self, meta: Meta, c: Children) -> _Ordering:
        return _Ordering(c)

    def order_word(self, meta: Meta, c: Children) -> n.Ordering:
        return n.Ordering(str(c[0]), self.named(c[1]), span=self.span(meta))

    def params(self, meta: Meta, c: Children) -> _Params:
        return _Params(c)

    def param(self, meta: Meta, c: Children) -> n.Param:
        return n.Param(self.named(c[0]), c[1], _has(c, "CHANGEABLE"), _first(c, n.Expr), span=self.span(meta))

    def args(self, meta: Meta, c: Children) -> _Args:
        return _Args(c)

    def named_arg(self, meta: Meta, c: Children) -> n.NamedArg:
        return n.NamedArg(self.named(c[0]), c[1], span=self.span(meta))

    def for_args(self, meta: Meta, c: Children) -> _ForArgs:
        pickings = _all(c, n.Picking)
        condition = c[-1] if isinstance(c[-1], n.Expr) and len(c) > 1 + len(pickings) else None
        return _ForArgs((c[0], pickings, condition))

    # -------------------------------------------------------------- types

    def type(self, meta: Meta, c: Children) -> n.TypeNode:
        return n.TypeNode("name", str(c[0]), span=self.span(meta))

    def type_on(self, meta: Meta, c: Children) -> n.TypeNode:
        return n.TypeNode("on", str(c[0]), None, str(c[1]), span=self.span(meta))

    def set_of(self, meta: Meta, c: Children) -> n.TypeNode:
        return n.TypeNode("set", "", c[0], span=self.span(meta))

    def list_of(self, meta: Meta, c: Children) -> n.TypeNode:
        return n.TypeNode("list", "", c[0], span=self.span(meta))

    def bounds(self, meta: Meta, c: Children) -> n.TypeNode:
        numbers: list[int] = []
        sign = 1
        for token in c:
            if token.type == "MINUS":
                sign = -1
            else:
                numbers.append(sign * int(token[:18]))
                sign = 1
        return n.TypeNode("bounds", "int", low=numbers[0], high=numbers[1], span=self.span(meta))

    def maybe(self, meta: Meta, c: Children) -> n.TypeNode:
        return n.TypeNode("maybe", "", c[0], span=self.span(meta))

    # -------------------------------------------------------------- declarations

    def declaration(self, meta: Meta, c: Children) -> n.Declaration:
        declaration: n.Declaration = c[0]
        return declaration

    def language_line(self, meta: Meta, c: Children) -> n.LanguageLine:
        return n.LanguageLine(int(c[0]), span=self.span(meta))

    def game_decl(self, meta: Meta, c: Children) -> n.GameDecl:
        strings = _strings(c)
        on = _first(c, n.Name)
        facts = tuple(item for item in c if isinstance(item, tuple))
        version = unescape(strings[1]) if len(strings) > 1 else "1"
        return n.GameDecl(unescape(strings[0]), version, on, facts, _doc(c), span=self.span(meta))

    def builds_on(self, meta: Meta, c: Children) -> n.Name:
        if c[0].type == "STRING":
            return n.Name(unescape(c[0]), span=self.at(c[0]))
        return self.named(c[0])

    def game_fact(self, meta: Meta, c: Children) -> tuple[str, str]:
        return (str(c[0]), unescape(c[1]))

    def include_line(self, meta: Meta, c: Children) -> n.Include:
        return n.Include(self.words(c[0]), span=self.span(meta))

    def rulebook_decl(self, meta: Meta, c: Children) -> n.Rulebook:
        return n.Rulebook(unescape(c[0]), _all(c, n.RulebookLine), span=self.span(meta))

    def rulebook_line(self, meta: Meta, c: Children) -> n.RulebookLine:
        return n.RulebookLine(str(c[0]), str(c[1]), unescape(c[2]), span=self.span(meta))

    def values_decl(self, meta: Meta, c: Children) -> n.ValuesDecl:
        values = tuple(item for item in c if isinstance(item, tuple))
        return n.ValuesDecl(self.named(c[0]), values, _cites(c), span=self.span(meta))

    def either_decl(self, meta: Meta, c: Children) -> n.EitherDecl:
        name, *members = self.names(c)
        return n.EitherDecl(name, tuple(members), _cites(c), span=self.span(meta))

    def value_name(self, meta: Meta, c: Children) -> tuple[n.Name, str]:
        return (self.named(c[0]), unescape(c[1]) if len(c) > 1 else "")

    def kind_decl(self, meta: Meta, c: Children) -> n.KindDecl:
        members = c
        inline = _all(members, n.Attribute)
        lines: dict[str, tuple[Any, tuple[str, ...]]] = {}
        for member in members:
            if isinstance(member, tuple) and member:
                lines.setdefault(member[0], member[1:])
        home, home_cites = lines.get("home", (None, ()))
        text, text_cites = lines.get("text", (None, ()))
        force, force_cites = lines.get("force", (None, ()))
        hidden, hidden_cites = lines.get("hidden", ((None, None, None), ()))
        return n.KindDecl(
            self.names(c)[0],
            _has(c, "PIECES"),
            inline,
            _all(members, n.StateDecl),
            _all(members, n.HoldsDecl),
            _all(members, n.DoesLine),
            home,
            text,
            force,
            hidden[0],
            hidden[1],
            _cites(c),
            _doc(c),
            home_cites,
            text_cites,
            force_cites,
            hidden_cites,
            hidden[2],
            span=self.span(meta),
        )

    def attribute(self, meta: Meta, c: Children) -> n.Attribute:
        return n.Attribute(self.named(c[0]), c[1], _first(c, n.Expr), _reason(c), span=self.span(meta))

    def attribute_line(self, meta: Meta, c: Children) -> n.Attribute:
        attribute: n.Attribute = c[0]
        return evolve(attribute, cites=_cites(c))

    def state_member(self, meta: Meta, c: Children) -> n.StateDecl:
        state: n.StateDecl = c[0]
        return state

    def holds_member(self, meta: Meta, c: Children) -> n.HoldsDecl:
        holds: n.HoldsDecl = c[0]
        return holds

    def home_line(self, meta: Meta, c: Children) -> tuple[str, n.Expr, tuple[str, ...]]:
        return ("home", c[0], _cites(c))

    def text_line(self, meta: Meta, c: Children) -> tuple[str, n.Text, tuple[str, ...]]:
        return ("text", self.words(c[0]), _cites(c))

    def force_line(self, meta: Meta, c: Children) -> tuple[str, n.Expr, tuple[str, ...]]:
        return ("force", c[0], _cites(c))

    def hidden_line(
        self, meta: Meta, c: Children
    ) -> tuple[str, tuple[n.Expr, n.Expr | None, n.Text | None], tuple[str, ...]]:
        when, known = (*_all(c, n.Expr), None)[:2]
        assert when is not None
        return ("hidden", (when, known, self.text_of(c)), _cites(c))

    def does_line(self, meta: Meta, c: Children) -> n.DoesLine:
        params = tuple(_first(c, _Params) or ())
        return n.DoesLine(self.named(c[0]), params, _cites(c), span=self.span(meta))

    def state_decl(self, meta: Meta, c: Children) -> n.StateDecl:
        return n.StateDecl(
            self.named(c[0]),
            c[1],
            _first(c, n.Expr),
            _all(c, n.Name),
            _cites(c),
            _reason(c),
            (_first(c, _Within) or (None,))[0],
            span=self.span(meta),
        )

    def lasting_in(self, meta: Meta, c: Children) -> _Within:
        return _Within((self.named(c[0]),))

    def lasting(self, meta: Meta, c: Children) -> n.Name:
        names = [self.named(t) for t in c]
        return n.Name(".".join(name.text for name in names), span=names[0].span.to(names[-1].span))

    def holds_decl(self, meta: Meta, c: Children) -> n.HoldsDecl:
        names = self.names(c)
        modes = [m for m in c if isinstance(m, str) and not isinstance(m, Token)]
        return n.HoldsDecl(
            names[0],
            names[1],
            "ordered" in modes,
            _all(c, n.Visibility),
            _cites(c),
            span=self.span(meta),
        )

    def ordered(self, meta: Meta, c: Children) -> str:
        return "ordered"

    def visibility(self, meta: Meta, c: Children) -> n.Visibility:
        return n.Visibility(str(c[0]), _first(c, n.Expr), span=self.span(meta))

    def things_decl(self, meta: Meta, c: Children) -> n.ThingsDecl:
        return n.ThingsDecl(_all(c, n.ThingDecl), _cites(c), _reason(c), span=self.span(meta))

    def thing_line(self, meta: Meta, c: Children) -> n.ThingDecl:
        kind, name = self.names(c)[:2]
        amendments = tuple(d for d in c if isinstance(d, n.Declaration) and not isinstance(d, n.StateDecl))
        return n.ThingDecl(
            kind,
            name,
            self.facts(c),
            _all(c, n.ThingDoes),
            amendments,
            _all(c, n.StateDecl),
            _cites(c),
            _reason(c),
            _doc(c),
            span=self.span(meta),
        )

    def facts(self, c: Children) -> tuple[n.ThingItem, ...]:
        """The facts on a thing's line, its label first."""
        items = tuple(_first(c, _Items) or ())
        label = _strings(c)
        if label:
            items = (n.ThingItem("label", text=unescape(label[0]), span=self.at(label[0])), *items)
        return items

    def thing_items(self, meta: Meta, c: Children) -> _Items:
        return _Items(c)

    def item_no(self, meta: Meta, c: Children) -> n.ThingItem:
        return n.ThingItem("no", self.named(c[0]), span=self.span(meta))

    def item_word(self, meta: Meta, c: Children) -> n.ThingItem:
        return n.ThingItem("word", self.named(c[0]), span=self.span(meta))

    def item_attr(self, meta: Meta, c: Children) -> n.ThingItem:
        return n.ThingItem("attr", self.named(c[0]), c[1], span=self.span(meta))

    def item_at(self, meta: Meta, c: Children) -> n.ThingItem:
        return n.ThingItem("at", text=f"{c[0]} {c[1]}", span=self.span(meta))

    def item_count(self, meta: Meta, c: Children) -> n.ThingItem:
        return n.ThingItem("count", number=int(c[0]), span=self.span(meta))

    def item_count_in(self, meta: Meta, c: Children) -> n.ThingItem:
        return n.ThingItem("count_in", value=c[1], number=int(c[0]), span=self.span(meta))

    def thing_does(self, meta: Meta, c: Children) -> n.ThingDoes:
        return n.ThingDoes(self.named(c[0]), tuple(_first(c, _Params) or ()), self.block(c), span=self.span(meta))

    def map_decl(self, meta: Meta, c: Children) -> n.MapDecl:
        sorts: list[n.Name] = []
        for member in c:
            if isinstance(member, list):
                sorts += member
        return n.MapDecl(
            self.named(c[0]),
            tuple(sorts),
            _all(c, n.ThingDecl),
            _all(c, n.LinkLine),
            _cites(c),
            _reason(c),
            _doc(c),
            _all(c, n.TrackLine),
            span=self.span(meta),
        )

    def box_line(self, meta: Meta, c: Children) -> n.ThingDecl:
        line: n.ThingDecl = c[0]
        return evolve(line, is_box=True)

    def track_line(self, meta: Meta, c: Children) -> n.TrackLine:
        numbers = [int(token) for token in c if isinstance(token, Token) and token.type == "INT"]
        low, high = numbers if numbers else (None, None)
        title = "".join(unescape(token) for token in _strings(c))
        return n.TrackLine(tuple(c[0]), low, high, title, _cites(c), span=self.span(meta))

    def link_sorts(self, meta: Meta, c: Children) -> list[n.Name]:
        return self.names(c)

    def link_line(self, meta: Meta, c: Children) -> n.LinkLine:
        names = self.names(c)
        arrows = tuple(str(t) for t in c if isinstance(t, Token) and t.type == "LINK")
        return n.LinkLine(names[0], tuple(names[1:]), arrows, _cites(c), _reason(c), span=self.span(meta))

    def counts_decl(self, meta: Meta, c: Children) -> n.CountsDecl:
        return n.CountsDecl(
            self.named(c[0]),
            _first(c, n.Expr),
            _all(c, n.Row),
            _cites(c),
            _reason(c),
            span=self.span(meta),
        )

    def players_decl(self, meta: Meta, c: Children) -> n.PlayersDecl:
        return n.PlayersDecl(self.named(c[0]), _all(c, n.SeatsLine), _cites(c), span=self.span(meta))

    def seats_line(self, meta: Meta, c: Children) -> n.SeatsLine:
        seats = tuple(s for s in c if isinstance(s, tuple))
        return n.SeatsLine(int(c[0]), seats, _cites(c), span=self.span(meta))

    def seat(self, meta: Meta, c: Children) -> tuple[n.Name, ...]:
        return tuple(self.names(c))

    # -------------------------------------------------------------- pure rules

    def function_decl(self, meta: Meta, c: Children) -> n.FunctionDecl:
        return n.FunctionDecl(
            self.names(c)[0],
            _has(c, "VALUE"),
            tuple(_first(c, _Params) or ()),
            _all(c, n.TypeNode)[0],
            self.block(c),
            _cites(c),
            _reason(c),
            worded=_first(c, n.Worded),
            span=self.span(meta),
        )

    def standing_decl(self, meta: Meta, c: Children) -> n.FunctionDecl:
        span = self.span(meta)
        word = Span(span.source, span.start, span.start + len("standing"))
        return n.FunctionDecl(
            n.Name("standing", span=word), True, tuple(_first(c, _Params) or ()), n.TypeNode("name", "int", span=word),
            self.block(c), _cites(c), "", standing=self.words(_strings(c)[0]), span=span,
        )  # fmt: skip

    def worded(self, meta: Meta, c: Children) -> n.Worded:
        texts = [self.words(token) for token in _strings(c)]
        return n.Worded(texts[0], texts[1] if len(texts) > 1 else None, span=self.span(meta))

    def predicate_decl(self, meta: Meta, c: Children) -> n.PredicateDecl:
        return n.PredicateDecl(
            self.names(c)[0],
            tuple(_first(c, _Params) or ()),
            self.block(c),
            _cites(c),
            worded=_first(c, n.Worded),
            span=self.span(meta),
        )

    def route_decl(self, meta: Meta, c: Children) -> n.RouteDecl:
        names = self.names(c)
        exprs = _all(c, n.Expr)
        return n.RouteDecl(
            names[0],
            tuple(_first(c, _Params) or ()),
            exprs[0],
            tuple(names[1:]),
            exprs[1] if len(exprs) > 1 else None,
            _all(c, n.RouteRule),
            _cites(c),
            _doc(c),
            _has(c, "POINTS") or _has(c, "POINT"),
            worded=_first(c, n.Worded),
            span=self.span(meta),
        )

    def _route_rule(self, form: str, meta: Meta, c: Children) -> n.RouteRule:
        return n.RouteRule(form, tuple(self.names(c)), self.block(c), _cites(c), span=self.span(meta))

    def enter_rule(self, meta: Meta, c: Children) -> n.RouteRule:
        return self._route_rule("enter", meta, c)

    def through_rule(self, meta: Meta, c: Children) -> n.RouteRule:
        return self._route_rule("through", meta, c)

    def step_rule(self, meta: Meta, c: Children) -> n.RouteRule:
        return self._route_rule("step", meta, c)

    def cost_rule(self, meta: Meta, c: Children) -> n.RouteRule:
        return self._route_rule("cost", meta, c)

    def table_decl(self, meta: Meta, c: Children) -> n.TableDecl:
        return n.TableDecl(
            self.named(c[0]),
            tuple(_first(c, _Params) or ()),
            _all(c, n.TypeNode)[0],
            _all(c, n.Row),
            _cites(c),
            _reason(c),
            _doc(c),
            worded=_first(c, n.Worded),
            span=self.span(meta),
        )

    def table_row(self, meta: Meta, c: Children) -> n.Row:
        guard = next((g for g in c if isinstance(g, tuple) and g and g[0] in ("if", "unless")), None)
        return n.Row(
            _all(c, n.Cell),
            guard[0] if guard else "",
            guard[1] if guard else None,
            _cites(c),
            _reason(c),
            span=self.span(meta),
        )

    def cell(self, meta: Meta, c: Children) -> n.Cell:
        items = tuple(item for item in c if isinstance(item, n.Expr))
        return n.Cell(items, any(item == "otherwise" for item in c), span=self.span(meta))

    def otherwise(self, meta: Meta, c: Children) -> str:
        return "otherwise"

    def from_up(self, meta: Meta, c: Children) -> n.Range:
        return n.Range(int(c[0]), 1_000_000, span=self.span(meta))

    def guard_if(self, meta: Meta, c: Children) -> tuple[str, n.Expr]:
        return ("if", c[0])

    def guard_unless(self, meta: Meta, c: Children) -> tuple[str, n.Expr]:
        return ("unless", c[0])

    # -------------------------------------------------------------- rules with effects

    def procedure_decl(self, meta: Meta, c: Children) -> n.ProcedureDecl:
        return n.ProcedureDecl(
            "procedure",
            self.names(c)[0],
            tuple(_first(c, _Params) or ()),
            _first(c, n.TypeNode),
            _has(c, "CLOSED"),
            "",
            self.block(c),
            _cites(c),
            worded=_first(c, n.Worded),
            span=self.span(meta),
        )

    def phase_decl(self, meta: Meta, c: Children) -> n.ProcedureDecl:
        return n.ProcedureDecl(
            "phase",
            self.names(c)[0],
            (),
            None,
            False,
            self.label(c),
            self.block(c),
            _cites(c),
            span=self.span(meta),
        )

    def sequence_decl(self, meta: Meta, c: Children) -> n.ProcedureDecl:
        span = self.span(meta)
        name = n.Name("sequence", span=Span(span.source, span.start, span.start + len("sequence")))
        return n.ProcedureDecl("sequence", name, (), None, False, "", self.block(c), _cites(c), span=span)

    def signal_decl(self, meta: Meta, c: Children) -> n.SignalDecl:
        return n.SignalDecl(
            self.named(c[0]),
            tuple(_first(c, _Params) or ()),
            _cites(c),
            worded=_first(c, n.Worded),
            span=self.span(meta),
        )

    def aside_decl(self, meta: Meta, c: Children) -> n.AsideDecl:
        names = self.names(c)
        any_of = next((p[1] for p in c if isinstance(p, tuple) and p and p[0] == "any_of"), None)
        return n.AsideDecl(
            names[0],
            _all(c, n.Picking),
            self.text_of(c),
            any_of if any_of is not None else _all(c, n.Expr)[0],
            names[-1],
            self.block(c),
            _cites(c),
            any_of is not None,
            span=self.span(meta),
        )

    def _option(self, is_scenario: bool, meta: Meta, c: Children) -> n.OptionDecl:
        return n.OptionDecl(
            is_scenario,
            self.named(c[0]),
            self.label(c),
            _all(c, n.OptionRule),
            _all(c, n.Declaration),
            _cites(c),
            _doc(c),
            span=self.span(meta),
        )

    def option_decl(self, meta: Meta, c: Children) -> n.OptionDecl:
        return self._option(False, meta, c)

    def scenario_decl(self, meta: Meta, c: Children) -> n.OptionDecl:
        return self._option(True, meta, c)

    def with_decl(self, meta: Meta, c: Children) -> n.WithDecl:
        return n.WithDecl(tuple(self.names(c)), _all(c, n.Declaration), _cites(c), _doc(c), span=self.span(meta))

    def needs(self, meta: Meta, c: Children) -> n.OptionRule:
        return n.OptionRule("needs", self.named(c[0]), span=self.span(meta))

    def excludes(self, meta: Meta, c: Children) -> n.OptionRule:
        return n.OptionRule("excludes", self.named(c[0]), span=self.span(meta))

    def ordered_after(self, meta: Meta, c: Children) -> n.OptionRule:
        return n.OptionRule("after", self.names(c)[0], span=self.span(meta))

    def on_by_default(self, meta: Meta, c: Children) -> n.OptionRule:
        return n.OptionRule("on", None, span=self.span(meta))

    # -------------------------------------------------------------- amendments

    def adjust_decl(self, meta: Meta, c: Children) -> n.Adjust:
        names = self.names(c)
        return n.Adjust(
            names[0],
            tuple(names[1:]),
            _all(c, n.Adjustment),
            _first(c, n.Expr),
            self.label(c),
            _cites(c),
            tuple(_first(c, _Ordering) or ()),
            _has(c, "ALWAYS"),
            span=self.span(meta),
        )

    def adjustment(self, meta: Meta, c: Children) -> n.Adjustment:
        return n.Adjustment(str(c[0]), c[1], span=self.span(meta))

    def restrict_decl(self, meta: Meta, c: Children) -> n.Restrict:
        return n.Restrict(
            tuple(_first(c, _Target) or ()),
            _first(c, n.Expr),
            self.block(c),
            _cites(c),
            tuple(_first(c, _Ordering) or ()),
            _has(c, "ALWAYS"),
            span=self.span(meta),
        )

    def extend_decl(self, meta: Meta, c: Children) -> n.Extend:
        return n.Extend(
            tuple(_first(c, _Target) or ()),
            _first(c, n.Expr),
            _all(c, n.Alternative),
            _cites(c),
            tuple(_first(c, _Ordering) or ()),
            _has(c, "ALWAYS"),
            span=self.span(meta),
        )

    def clause_ref(self, meta: Meta, c: Children) -> tuple[str, tuple[str, ...]]:
        return ("", c[0].ids) if isinstance(c[0], n.Cites) else (unescape(c[0]), ())

    def exception_decl(self, meta: Meta, c: Children) -> n.ExceptionTo:
        label, cites = c[1]
        return n.ExceptionTo(
            tuple(c[0]), label, cites, _first(c, n.Expr), _cites(c), _has(c, "ALWAYS"), span=self.span(meta)
        )

    def hook_decl(self, meta: Meta, c: Children) -> n.Hook:
        names = self.names(c)
        return n.Hook(
            str(c[0]),
            names[0],
            tuple(names[1:]),
            _first(c, n.Expr),
            self.label(c),
            self.block(c),
            _cites(c),
            tuple(_first(c, _Ordering) or ()),
            _has(c, "ALWAYS"),
            span=self.span(meta),
        )

    def reaction_decl(self, meta: Meta, c: Children) -> n.Reaction:
        names = self.names(c)
        once = next((o[1] for o in c if isinstance(o, tuple) and o and o[0] == "once"), None)
        return n.Reaction(
            names[0],
            tuple(names[1:]),
            _first(c, n.Expr),
            once,
            self.label(c),
            self.block(c),
            _cites(c),
            tuple(_first(c, _Ordering) or ()),
            _has(c, "ALWAYS"),
            ("repeatedly",) in [o for o in c if isinstance(o, tuple)],
            span=self.span(meta),
        )

    def once(self, meta: Meta, c: Children) -> tuple[str, n.Name]:
        return ("once", self.named(c[0]))

    def repeatedly(self, meta: Meta, c: Children) -> tuple[str]:
        return ("repeatedly",)

    def whenever_decl(self, meta: Meta, c: Children) -> n.Whenever:
        return n.Whenever(
            c[0],
            self.label(c),
            self.block(c),
            _cites(c),
            tuple(_first(c, _Ordering) or ()),
            _has(c, "ALWAYS"),
            span=self.span(meta),
        )

    def replace_decl(self, meta: Meta, c: Children) -> n.Replace:
        return n.Replace(c[0], span=self.span(meta))

    def remove_decl(self, meta: Meta, c: Children) -> n.Remove:
        if isinstance(c[0], Token):
            title = n.Name(f'"{unescape(c[0])}"', span=self.at(c[0]))
            return n.Remove((title,), _cites(c), span=self.span(meta))
        return n.Remove(tuple(c[0]), _cites(c), span=self.span(meta))

    def reword_decl(self, meta: Meta, c: Children) -> n.Reword:
        # A clause is a plain pair; targets and names are tuples of their own.
        clause = next((x for x in c if type(x) is tuple and len(x) == 2 and isinstance(x[0], str)), ("", ()))
        texts = [self.words(token) for token in _strings(c)]
        names = tuple(self.named(x) for x in c[1:] if isinstance(x, Token) and x.type == "NAME")
        denied = texts[1] if len(texts) > 1 else None
        return n.Reword(tuple(c[0]), names, clause[0], clause[1], texts[0], denied, span=self.span(meta))

    def amend_decl(self, meta: Meta, c: Children) -> n.Amend:
        return n.Amend(self.named(c[0]), self.facts(c), _cites(c), _reason(c), span=self.span(meta))

    # -------------------------------------------------------------- claims

    def invariant_decl(self, meta: Meta, c: Children) -> n.Invariant:
        when = next((w for w in c if isinstance(w, tuple)), ("always", None))
        return n.Invariant(unescape(c[0]), when[0], when[1], _all(c, n.Expr), _cites(c), span=self.span(meta))

    def always(self, meta: Meta, c: Children) -> tuple[str, None]:
        return ("always", None)

    def at_end_of(self, meta: Meta, c: Children) -> tuple[str, n.Name]:
        return ("end", self.named(c[0]))

    def every_decision(self, meta: Meta, c: Children) -> tuple[str, None]:
        return ("decision", None)

    def expr_line(self, meta: Meta, c: Children) -> n.Expr:
        expr: n.Expr = c[0]
        return expr

    def check_decl(self, meta: Meta, c: Children) -> n.Check:
        return n.Check(unescape(c[0]), _all(c, n.Expr), _cites(c), span=self.span(meta))

    def example_decl(self, meta: Meta, c: Children) -> n.Example:
        return n.Example(unescape(c[0]), _all(c, n.OutlineLine), _cites(c), span=self.span(meta))

    def outline(self, meta: Meta, c: Children) -> n.OutlineLine:
        text = str(c[0]).rstrip()
        span = self.at(c[0])
        return n.OutlineLine(text, _all(c, n.OutlineLine), span=Span(span.source, span.start, span.start + len(text)))

    # -------------------------------------------------------------- statements

    def require_stmt(self, meta: Meta, c: Children) -> n.Require:
        return n.Require(c[0], self.label(c), _has(c, "PEEKS"), _cites(c), span=self.span(meta))

    def choose_stmt(self, meta: Meta, c: Children) -> n.Choose:
        picks = next(p for p in c if isinstance(p, list))
        head = c[: c.index(picks)]
        by = _first(head, n.Expr)
        any_of = next((p[1] for p in head if isinstance(p, tuple) and p and p[0] == "any_of"), None)
        alternatives = _all(c, n.Alternative)
        first = self._alternative(meta, [x for x in c if not isinstance(x, n.Alternative | n.Shared)])
        return n.Choose(
            _has(c, "MAY"),
            any_of if any_of is not None else by,
            any_of is not None,
            (first, *alternatives),
            _cites(c),
            _has(c, "POSSIBLE"),
            _all(c, n.Shared),
            span=first.span,
        )

    def shared(self, meta: Meta, c: Children) -> n.Shared:
        return n.Shared(tuple(self.names(c)), self.block(c), _cites(c), span=self.span(meta))

    def may_stmt(self, meta: Meta, c: Children) -> n.Choose:
        """A question of yes or no: one way to answer, and to decline."""
        by = _first(c, n.Expr)
        any_of = next((p[1] for p in c if isinstance(p, tuple) and p and p[0] == "any_of"), None)
        token = next(t for t in c if isinstance(t, Token) and t.type == "NAME")
        line = self._alternative(meta, [x for x in c if x is not token and not isinstance(x, n.Expr)])
        only = n.Alternative(self.named(token), (), None, line.text, line.cites, line.block, span=line.span)
        who = any_of if any_of is not None else by
        return n.Choose(True, who, any_of is not None, (only,), _cites(c), span=only.span)

    def choose_plain(self, meta: Meta, c: Children) -> n.Choose:
        """A choice between ways that pick nothing."""
        others = _all(c, n.Alternative)
        made = self.may_stmt(meta, [x for x in c if not isinstance(x, n.Alternative | n.Shared)])
        ways = (*made.alternatives, *others)
        return n.Choose(False, made.by, made.any_of, ways, made.cites, False, _all(c, n.Shared), span=made.span)

    def any_of(self, meta: Meta, c: Children) -> tuple[str, n.Expr]:
        return ("any_of", c[0])

    def _alternative(self, meta: Meta, c: Children) -> n.Alternative:
        picks = next((p for p in c if isinstance(p, list)), [])
        names = self.names(c)
        many = _first(picks, n.PickMany)
        span = self.span(meta)
        line_end = span.source.text.find("\n", span.start)
        end = min(span.end, line_end if line_end >= 0 else span.end)
        return n.Alternative(
            names[0] if names else None,
            _all(picks, n.Picking),
            many,
            self.text_of(c),
            _cites(c),
            self.block(c),
            _first(picks, n.PickEach),
            span=Span(span.source, span.start, end),
        )

    def picks(self, meta: Meta, c: Children) -> list[Any]:
        return list(c)

    def pick(self, meta: Meta, c: Children) -> n.Picking:
        return n.Picking(self.named(c[0]), c[1], span=self.span(meta))

    def picking(self, meta: Meta, c: Children) -> n.Picking:
        return n.Picking(self.named(c[0]), c[1], span=self.span(meta))

    def pick_many(self, meta: Meta, c: Children) -> list[n.PickMany]:
        amount, source, name = c
        mode, expr = amount if isinstance(amount, tuple) else ("exactly", amount)
        return [n.PickMany(mode, expr, source, self.named(name), span=self.span(meta))]

    def pick_each(self, meta: Meta, c: Children) -> list[n.PickEach]:
        name, source, target, targets, plan = c
        each = n.PickEach(self.named(name), source, self.named(target), targets, self.named(plan), span=self.span(meta))
        return [each]

    def up_to(self, meta: Meta, c: Children) -> tuple[str, n.Expr]:
        return ("up_to", c[0])

    def any_number(self, meta: Meta, c: Children) -> tuple[str, None]:
        return ("any", None)

    def alt_choose(self, meta: Meta, c: Children) -> n.Alternative:
        return self._alternative(meta, c)

    def alt_plain(self, meta: Meta, c: Children) -> n.Alternative:
        token = c[0]
        line = self._alternative(meta, c[1:])
        return n.Alternative(self.named(token), (), None, line.text, line.cites, line.block, span=line.span)

    def each_stmt(self, meta: Meta, c: Children) -> n.Each:
        return n.Each(self.named(c[0]), c[1], _has(c, "EACH_MODE"), self.block(c), _cites(c), span=self.span(meta))

    def together_stmt(self, meta: Meta, c: Children) -> n.Together:
        return n.Together(_all(c, n.TogetherBranch), _cites(c), span=self.span(meta))

    def together_branch(self, meta: Meta, c: Children) -> n.TogetherBranch:
        return n.TogetherBranch(c[0], c[1], span=self.span(meta))

    def together_each(self, meta: Meta, c: Children) -> n.TogetherBranch:
        return n.TogetherBranch(c[1], c[2], self.named(c[0]), span=self.span(meta))

    def if_stmt(self, meta: Meta, c: Children) -> n.If:
        otherwise: n.Block = ()
        for part in reversed([p for p in c if isinstance(p, tuple)]):
            condition, block, cites, span = part
            otherwise = block if condition is None else (n.If(condition, block, otherwise, cites, span=span),)
        return n.If(c[0], self.block(c), otherwise, _cites(c), span=self.span(meta))

    def elif_part(self, meta: Meta, c: Children) -> tuple[n.Expr, n.Block, tuple[str, ...], Span]:
        return (c[0], self.block(c), _cites(c), self.span(meta))

    def else_part(self, meta: Meta, c: Children) -> tuple[None, n.Block, tuple[str, ...], Span]:
        return (None, self.block(c), (), self.span(meta))

    def for_stmt(self, meta: Meta, c: Children) -> n.For:
        return n.For(self.named(c[0]), c[1], self.block(c), _cites(c), span=self.span(meta))

    def repeat_stmt(self, meta: Meta, c: Children) -> n.Repeat:
        rule = next((r for r in c if isinstance(r, tuple)), ("", None))
        return n.Repeat(rule[0], rule[1], self.block(c), _cites(c), span=self.span(meta))

    def repeat_while(self, meta: Meta, c: Children) -> tuple[str, n.Expr]:
        return ("while", c[0])

    def repeat_until(self, meta: Meta, c: Children) -> tuple[str, n.Expr]:
        return ("until", c[0])

    def repeat_times(self, meta: Meta, c: Children) -> tuple[str, n.Expr]:
        return ("times", c[0])

    def let_stmt(self, meta: Meta, c: Children) -> n.Let:
        return n.Let(self.named(c[0]), c[1], _cites(c), span=self.span(meta))

    def _move(self, up_to: bool, meta: Meta, c: Children) -> n.Move:
        exprs = _all(c, n.Expr)
        to = _first(c, n.Destination)
        amount, what = (exprs[0], exprs[1]) if len(exprs) > 1 else (None, exprs[0])
        return n.Move(what, amount, up_to, to, _cites(c), span=self.span(meta))

    def move_stmt(self, meta: Meta, c: Children) -> n.Move:
        return self._move(False, meta, c)

    def move_home(self, meta: Meta, c: Children) -> n.Move:
        return self._move(False, meta, c)

    def move_some(self, meta: Meta, c: Children) -> n.Move:
        return self._move(False, meta, c)

    def move_up_to(self, meta: Meta, c: Children) -> n.Move:
        return self._move(True, meta, c)

    def destination(self, meta: Meta, c: Children) -> n.Destination:
        end = next((str(t).split()[0] for t in c if isinstance(t, Token) and t.type == "END"), "")
        place = _first(c, n.Expr)
        assert place is not None
        return n.Destination(end, place, span=self.span(meta))

    def place_stmt(self, meta: Meta, c: Children) -> n.Place:
        where = _first(c, n.Expr)
        assert where is not None
        return n.Place(_all(c, n.Phrase), where, _cites(c), _reason(c), span=self.span(meta))

    def phrase(self, meta: Meta, c: Children) -> n.Phrase:
        return n.Phrase(int(c[0]), tuple(self.names(c)), span=self.span(meta))

    def draw_stmt(self, meta: Meta, c: Children) -> n.Draw:
        names = self.names(c)
        return n.Draw(c[0], c[1], c[2], names[0] if names else None, _cites(c), span=self.span(meta))

    def draw_lot(self, meta: Meta, c: Children) -> n.Draw:
        return n.Draw(c[0], c[1], None, self.named(c[2]), _cites(c), span=self.span(meta))

    def roll_stmt(self, meta: Meta, c: Children) -> n.Roll:
        names = self.names(c)
        die = next(t for t in c if isinstance(t, Token) and t.type == "DIE")
        return n.Roll(
            _first(c, n.Expr),
            int(die[1:][:9]),
            names[0] if names else None,
            _cites(c),
            span=self.span(meta),
        )

    def shuffle_stmt(self, meta: Meta, c: Children) -> n.Shuffle:
        return n.Shuffle(c[0], _cites(c), span=self.span(meta))

    def reveal_stmt(self, meta: Meta, c: Children) -> n.Reveal:
        exprs = _all(c, n.Expr)
        return n.Reveal(exprs[0], exprs[1] if len(exprs) > 1 else None, _cites(c), span=self.span(meta))

    def signal_stmt(self, meta: Meta, c: Children) -> n.SignalStatement:
        return n.SignalStatement(self.named(c[0]), tuple(_first(c, _Args) or ()), _cites(c), span=self.span(meta))

    def return_stmt(self, meta: Meta, c: Children) -> n.Return:
        return n.Return(_first(c, n.Expr), _cites(c), span=self.span(meta))

    def stop_stmt(self, meta: Meta, c: Children) -> n.Stop:
        return n.Stop(_cites(c), span=self.span(meta))

    def end_stmt(self, meta: Meta, c: Children) -> n.EndGame:
        winner = next((e[1] for e in c if isinstance(e, tuple)), None)
        drawn = any(e == ("drawn", None) for e in c if isinstance(e, tuple))
        return n.EndGame(winner, drawn, self.text_of(c), _cites(c), span=self.span(meta))

    def ending(self, meta: Meta, c: Children) -> tuple[str, n.Expr]:
        return ("wins", c[0])

    def drawn(self, meta: Meta, c: Children) -> tuple[str, None]:
        return ("drawn", None)

    def tell_stmt(self, meta: Meta, c: Children) -> n.Tell:
        return n.Tell(self.words(c[0]), _cites(c), span=self.span(meta))

    def assign_stmt(self, meta: Meta, c: Children) -> n.Assign:
        return n.Assign(c[0], str(c[1]), c[2], _cites(c), span=self.span(meta))

    def expr_stmt(self, meta: Meta, c: Children) -> n.Statement:
        if isinstance(c[0], n.TextExpr):
            return n.Doc(c[0].value, span=self.span(meta))
        return n.ExprStatement(c[0], _cites(c), span=self.span(meta))

    # -------------------------------------------------------------- expressions

    def expression(self, meta: Meta, c: Children) -> n.Expr:
        expr: n.Expr = c[0]
        return expr

    def name(self, meta: Meta, c: Children) -> n.NameExpr:
        return n.NameExpr(str(c[0]), span=self.span(meta))

    def number(self, meta: Meta, c: Children) -> n.Number:
        # A number longer than any game needs is cut, so that a hostile file cannot make us count to it.
        return n.Number(int(c[0][:18]), span=self.span(meta))

    def negative(self, meta: Meta, c: Children) -> n.Number:
        return n.Number(-int(c[-1][:18]), span=self.span(meta))

    def text(self, meta: Meta, c: Children) -> n.TextExpr:
        return n.TextExpr(unescape(c[0]), span=self.span(meta))

    def yes(self, meta: Meta, c: Children) -> n.YesNo:
        return n.YesNo(True, span=self.span(meta))

    def no(self, meta: Meta, c: Children) -> n.YesNo:
        return n.YesNo(False, span=self.span(meta))

    def nothing(self, meta: Meta, c: Children) -> n.Nothing:
        return n.Nothing(span=self.span(meta))

    def it(self, meta: Meta, c: Children) -> n.It:
        return n.It(span=self.span(meta))

    def attribute_of(self, meta: Meta, c: Children) -> n.AttributeOf:
        return n.AttributeOf(c[0], self.named(c[1]), span=self.span(meta))

    def filtered(self, meta: Meta, c: Children) -> n.Filtered:
        return n.Filtered(c[0], c[1], span=self.span(meta))

    def call(self, meta: Meta, c: Children) -> n.Expr:
        if isinstance(c[1], _ForArgs):
            value, pickings, condition = c[1]
            return n.ForCall(c[0], value, pickings, condition, span=self.span(meta))
        return n.Call(c[0], tuple(c[1]), span=self.span(meta))

    def of_call(self, meta: Meta, c: Children) -> n.Call:
        return n.Call(n.NameExpr(str(c[0]), span=self.at(c[0])), (c[1],), span=self.span(meta))

    def set_literal(self, meta: Meta, c: Children) -> n.SetLiteral:
        return n.SetLiteral(tuple(c), span=self.span(meta))

    def list_literal(self, meta: Meta, c: Children) -> n.ListLiteral:
        return n.ListLiteral(tuple(c), span=self.span(meta))

    def range(self, meta: Meta, c: Children) -> n.Range:
        return n.Range(int(c[0][:9]), int(c[1][:9]), span=self.span(meta))

    def if_expr(self, meta: Meta, c: Children) -> n.IfExpr:
        return n.IfExpr(c[0], c[1], c[2], span=self.span(meta))

    def _binary(self, operator: str, meta: Meta, c: Children) -> n.Binary:
        return n.Binary(operator, c[0], c[-1], span=self.span(meta))

    def or_(self, meta: Meta, c: Children) -> n.Binary:
        return self._binary("or", meta, c)

    def and_(self, meta: Meta, c: Children) -> n.Binary:
        return self._binary("and", meta, c)

    def not_(self, meta: Meta, c: Children) -> n.Unary:
        return n.Unary("not", c[0], span=self.span(meta))

    def negate(self, meta: Meta, c: Children) -> n.Unary:
        return n.Unary("-", c[-1], span=self.span(meta))

    def some(self, meta: Meta, c: Children) -> n.Some:
        return n.Some("some", c[0], span=self.span(meta))

    def none(self, meta: Meta, c: Children) -> n.Some:
        return n.Some("none", c[0], span=self.span(meta))

    def _quantified(self, quantifier: str, meta: Meta, c: Children) -> n.Quantified:
        return n.Quantified(quantifier, tuple(c[:-1]), c[-1], span=self.span(meta))

    def some_in(self, meta: Meta, c: Children) -> n.Quantified:
        return self._quantified("some", meta, c)

    def none_in(self, meta: Meta, c: Children) -> n.Quantified:
        return self._quantified("none", meta, c)

    def every_in(self, meta: Meta, c: Children) -> n.Quantified:
        return self._quantified("every", meta, c)

    def compare(self, meta: Meta, c: Children) -> n.Binary:
        return self._binary(str(c[1]), meta, c)

    def in_(self, meta: Meta, c: Children) -> n.Binary:
        return self._binary("in", meta, c)

    def not_in(self, meta: Meta, c: Children) -> n.Binary:
        return self._binary("not in", meta, c)

    def is_(self, meta: Meta, c: Children) -> n.IsKind:
        return n.IsKind(c[0], self.named(c[1]), False, span=self.span(meta))

    def is_not(self, meta: Meta, c: Children) -> n.IsKind:
        return n.IsKind(c[0], self.named(c[1]), True, span=self.span(meta))

    def at_most(self, meta: Meta, c: Children) -> n.Binary:
        return self._binary("at most", meta, c)

    def at_least(self, meta: Meta, c: Children) -> n.Binary:
        return self._binary("at least", meta, c)

    def arithmetic(self, meta: Meta, c: Children) -> n.Binary:
        return self._binary(str(c[1]), meta, c)

    def common(self, meta: Meta, c: Children) -> n.Binary:
        return self._binary("&", meta, c)

    def times(self, meta: Meta, c: Children) -> n.Binary:
        return self._binary("*", meta, c)

    def modulo(self, meta: Meta, c: Children) -> n.Binary:
        return self._binary("mod", meta, c)

    def divide(self, meta: Meta, c: Children) -> n.Divide:
        return n.Divide(c[0], c[1], str(c[2]), span=self.span(meta))

    def _most(self, direction: str, meta: Meta, c: Children) -> n.Most:
        return n.Most(direction, c[0], c[1], span=self.span(meta))

    def most(self, meta: Meta, c: Children) -> n.Most:
        return self._most("most", meta, c)

    def most_in(self, meta: Meta, c: Children) -> n.Most:
        return n.Most("most", c[1], c[2], self.named(c[0]), span=self.span(meta))

    def least_in(self, meta: Meta, c: Children) -> n.Most:
        return n.Most("least", c[1], c[2], self.named(c[0]), span=self.span(meta))

    def default(self, meta: Meta, c: Children) -> n.Binary:
        return self._binary("otherwise", meta, c)

    def least(self, meta: Meta, c: Children) -> n.Most:
        return self._most("least", meta, c)
