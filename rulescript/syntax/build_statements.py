"""Statements: the rules of the grammar that share a node, or make one of something else than their parts."""

from __future__ import annotations

from attrs import evolve
from lark import Token

from rulescript import nodes as n
from rulescript.source import Span
from rulescript.syntax.node_fields import Children, Maker, Place, Tagged, every, node, said, take_cites, take_expr, word

__all__ = ["STATEMENT_RULES"]

_whole_alternative = node(n.Alternative)
_statements = every(n.Statement)


def _alternative(place: Place, span: Span, c: Children) -> n.Alternative:
    """One way to answer: what it picks, says and does. It is pointed at by its first line."""
    line_end = span.source.text.find("\n", span.start)
    end = min(span.end, line_end if line_end >= 0 else span.end)
    made = _whole_alternative(place, Span(span.source, span.start, end), c)
    assert isinstance(made, n.Alternative)
    return made


def _alt_plain(place: Place, span: Span, c: Children) -> n.Alternative:
    """``or stop``: a word of the language may be its name."""
    return _alternative(place, span, [place.named(c[0]), *c[1:]])


def _choose(place: Place, span: Span, c: Children) -> n.Choose:
    may, any_of, if_possible = said("MAY")(place, c), said("ANY")(place, c), said("POSSIBLE")(place, c)
    by, cites = take_expr(place, c), take_cites(place, c)
    others, shared = every(n.Alternative)(place, c), every(n.Shared)(place, c)
    first = _alternative(place, span, c)
    return n.Choose(may, by, any_of, (first, *others), cites, if_possible, shared, span=first.span)


def _pick_many(place: Place, span: Span, c: Children) -> n.PickMany:
    amount, source, name = c
    mode, expr = amount if isinstance(amount, Tagged) else ("exactly", amount)
    return n.PickMany(mode, expr, source, place.named(name), span=span)


def _if(place: Place, span: Span, c: Children) -> n.If:
    otherwise: n.Block = ()
    for tag, part in reversed([p for p in c if p.__class__ is Tagged]):
        otherwise = part if tag == "else" else (evolve(part, otherwise=otherwise),)
    return n.If(c[0], _statements(place, c), otherwise, take_cites(place, c), span=span)


def _elif_part(place: Place, span: Span, c: Children) -> Tagged:
    return Tagged(("else if", n.If(c[0], _statements(place, c), (), take_cites(place, c), span=span)))


def _move_some(up_to: bool) -> Maker:
    def make(place: Place, span: Span, c: Children) -> n.Move:
        amount, what, to = c[:3]
        return n.Move(what, amount, up_to, to, take_cites(place, c), span=span)

    return make


def _destination(place: Place, span: Span, c: Children) -> n.Destination:
    end = str(c[0]).split()[0] if isinstance(c[0], Token) else ""
    return n.Destination(end, c[-1], span=span)


def _sides(place: Place, c: Children) -> int:
    return int(word("DIE")(place, c)[1:][:9])


def _expr_stmt(place: Place, span: Span, c: Children) -> n.Statement:
    if isinstance(c[0], n.TextExpr):
        return n.Doc(c[0].value, span=span)
    return n.ExprStatement(c[0], take_cites(place, c), span=span)


STATEMENT_RULES: dict[str, Maker] = {
    "require_stmt": node(n.Require, peeks=said("PEEKS")),
    "choose_stmt": _choose,
    "may_stmt": _choose,
    "choose_plain": _choose,
    "alt_choose": _alternative,
    "alt_plain": _alt_plain,
    "pick": node(n.Picking),
    "pick_many": _pick_many,
    "up_to": lambda place, span, c: Tagged(("up_to", c[0])),
    "any_number": lambda place, span, c: Tagged(("any", None)),
    "each_stmt": node(n.Each, sealed=said("EACH_MODE")),
    "together_each": node(n.TogetherBranch),
    "if_stmt": _if,
    "elif_part": _elif_part,
    "else_part": lambda place, span, c: Tagged(("else", _statements(place, c))),
    "repeat_stmt": node(n.Repeat, mode=word("WHILE", "UNTIL", "TIMES")),
    "move_stmt": node(n.Move, up_to=False),
    "move_home": node(n.Move, up_to=False),
    "move_some": _move_some(False),
    "move_up_to": _move_some(True),
    "destination": _destination,
    "draw_lot": node(n.Draw),
    "roll_stmt": node(n.Roll, sides=_sides),
    "signal_stmt": node(n.SignalStatement),
    "end_stmt": node(n.EndGame, drawn=said("DRAW")),
    "assign_stmt": node(n.Assign, operator=word("ASSIGN")),
    "expr_stmt": _expr_stmt,
}
