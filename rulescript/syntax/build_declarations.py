"""Declarations: the rules of the grammar that share a node, or make one of something else than their parts."""

from __future__ import annotations

from attrs import evolve
from lark import Token

from rulescript import nodes as n
from rulescript.source import Span
from rulescript.syntax.build_expressions import only
from rulescript.syntax.node_fields import (
    Children,
    Clause,
    Maker,
    Once,
    Place,
    Reconstructed,
    Tagged,
    Target,
    every,
    node,
    said,
    tag,
    tagged,
    take_cites,
    take_expr,
    take_names,
    take_string,
    take_text,
    unescape,
    word,
)

__all__ = ["DECLARATION_RULES"]


# ------------------------------------------------------------------ small parts


def _cites(place: Place, span: Span, c: Children) -> n.Cites:
    parts = (part.strip(" ,\t\n") for part in c[0].replace("@", "§").split("§"))
    return n.Cites(tuple(part for part in parts if part), span=span)


def _reconstructed(place: Place, span: Span, c: Children) -> Reconstructed:
    return Reconstructed(unescape(c[0]) or "no reason given")


def _clause_ref(place: Place, span: Span, c: Children) -> Clause:
    return Clause(("", c[0].ids) if isinstance(c[0], n.Cites) else (unescape(c[0]), ()))


def _first_word(span: Span, text: str) -> Span:
    return Span(span.source, span.start, span.start + len(text))


# ------------------------------------------------------------------ games, kinds, things


def _version(place: Place, c: Children) -> str:
    return take_string(place, c) or "1"


def _builds_on(place: Place, span: Span, c: Children) -> n.Name:
    return n.Name(unescape(c[0]) if c[0].type == "STRING" else str(c[0]), span=place.at(c[0]))


def _line(form: str) -> Maker:
    """A line under a kind that says one thing of it, with its citations."""

    def make(place: Place, span: Span, c: Children) -> Tagged:
        what = place.words(c[0]) if isinstance(c[0], Token) else c[0]
        return Tagged((form, (what, take_cites(place, c))))

    return make


def _drawn_line(place: Place, span: Span, c: Children) -> n.DrawnLine:
    corners = tuple(str(token) for token in c if token.type == "COORD")
    written = Span(span.source, span.start, place.at(c[-1]).end)
    return n.DrawnLine(c[0].split()[0], take_string(place, c), corners, span=written)


def _hidden_line(place: Place, span: Span, c: Children) -> Tagged:
    when, known = take_expr(place, c), take_expr(place, c)
    return Tagged(("hidden", ((when, known, take_text(place, c)), take_cites(place, c))))


def _kind(place: Place, span: Span, c: Children) -> n.KindDecl:
    lines = dict(reversed([line for line in c if line.__class__ is Tagged]))  # of two, the first
    home, home_cites = lines.get("home", (None, ()))
    text, text_cites = lines.get("text", (None, ()))
    force, force_cites = lines.get("force", (None, ()))
    (when, known, shows), hidden_cites = lines.get("hidden", ((None, None, None), ()))
    made = _plain_kind(place, span, c)
    assert isinstance(made, n.KindDecl)
    return evolve(
        made, home=home, text=text, in_force=force, hidden_when=when, known_to=known, shows=shows,
        home_cites=home_cites, text_cites=text_cites, force_cites=force_cites, hidden_cites=hidden_cites,
    )  # fmt: skip


_plain_kind = node(n.KindDecl, is_pieces=said("PIECES"))


def _attribute_line(place: Place, span: Span, c: Children) -> n.Attribute:
    attribute: n.Attribute = c[0]
    return evolve(attribute, cites=take_cites(place, c))


def _lasting(place: Place, span: Span, c: Children) -> n.Name:
    names = take_names(place, c)
    return n.Name(".".join(name.text for name in names), span=names[0].span.to(names[-1].span))


def _amendments(place: Place, c: Children) -> tuple[n.Declaration, ...]:
    return tuple(d for d in c if isinstance(d, n.Declaration) and not isinstance(d, n.StateDecl))


def _at(place: Place, c: Children) -> str:
    return f"{c[0]} {c[1]}"


def _arrows(place: Place, c: Children) -> tuple[str, ...]:
    return tuple(str(t) for t in c if isinstance(t, Token) and t.type == "LINK")


# ------------------------------------------------------------------ rules and claims


def _standing(place: Place, span: Span, c: Children) -> n.FunctionDecl:
    first = _first_word(span, "standing")
    name, number = n.Name("standing", span=first), n.TypeNode("name", "int", span=first)
    made = _function(place, span, [name, number, *c])
    assert isinstance(made, n.FunctionDecl)
    return evolve(made, is_value=True)


_function = node(n.FunctionDecl, is_value=said("VALUE"))


def _sequence(place: Place, span: Span, c: Children) -> n.Node:
    name = n.Name("sequence", span=_first_word(span, "sequence"))
    made: n.Node = _procedure("sequence")(place, span, [name, *c])
    return made


def _procedure(form: str) -> Maker:
    return node(n.ProcedureDecl, form=form, closed=said("CLOSED"))


def _remove_title(place: Place, span: Span, c: Children) -> n.Remove:
    title = n.Name(f'"{unescape(c[0])}"', span=place.at(c[0]))
    return n.Remove((title,), take_cites(place, c), span=span)


def _outline(place: Place, span: Span, c: Children) -> n.OutlineLine:
    text = str(c[0]).rstrip()
    return n.OutlineLine(text, every(n.OutlineLine)(place, c), span=_first_word(place.at(c[0]), text))


DECLARATION_RULES: dict[str, Maker] = {
    "declaration": only,
    "cites": _cites,
    "reconstructed": _reconstructed,
    "clause_ref": _clause_ref,
    "target": lambda place, span, c: Target(take_names(place, c)),
    "once": lambda place, span, c: Once((place.named(c[0]),)),
    "order_word": node(n.Ordering, word=word("BEFORE", "AFTER")),
    "param": node(n.Param, changeable=said("CHANGEABLE")),
    # games, kinds, things
    "game_decl": node(n.GameDecl, version=_version),
    "game_fact": lambda place, span, c: (str(c[0]), unescape(c[1])),
    "builds_on": _builds_on,
    "rulebook_line": node(n.RulebookLine, ident=word("RULE_ID"), sort=word("NAME")),
    "value_name": lambda place, span, c: (place.named(c[0]), take_string(place, c)),
    "kind_decl": _kind,
    "attribute_line": _attribute_line,
    "state_member": only,
    "holds_member": only,
    "home_line": _line("home"),
    "text_line": _line("text"),
    "force_line": _line("force"),
    "hidden_line": _hidden_line,
    "state_decl": node(n.StateDecl, within=tagged),
    "lasting": _lasting,
    "lasting_in": lambda place, span, c: Tagged(("in", place.named(c[0]))),
    "holds_decl": node(n.HoldsDecl, ordered=said("ORDERED")),
    "visibility": node(n.Visibility, level=word("LEVEL")),
    "thing_line": node(n.ThingDecl, amendments=_amendments, is_box=False),
    "item_label": node(n.ThingItem, form="label"),
    "item_no": node(n.ThingItem, form="no"),
    "item_word": node(n.ThingItem, form="word"),
    "item_attr": node(n.ThingItem, form="attr"),
    "item_at": node(n.ThingItem, form="at", text=_at),
    "item_count": node(n.ThingItem, form="count"),
    "item_count_in": node(n.ThingItem, form="count_in"),
    "drawn_line": _drawn_line,
    "box_line": lambda place, span, c: evolve(c[0], is_box=True),
    "link_line": node(n.LinkLine, arrows=_arrows),
    "table_row": node(n.Row, guard=word("IF", "UNLESS")),
    "cell": node(n.Cell, otherwise=said("OTHERWISE")),
    "seat": lambda place, span, c: take_names(place, c),
    # rules
    "function_decl": _function,
    "standing_decl": _standing,
    "route_decl": node(n.RouteDecl, in_points=said("POINTS", "POINT")),
    "enter_rule": node(n.RouteRule, form="enter"),
    "through_rule": node(n.RouteRule, form="through"),
    "step_rule": node(n.RouteRule, form="step"),
    "cost_rule": node(n.RouteRule, form="cost"),
    "procedure_decl": _procedure("procedure"),
    "phase_decl": _procedure("phase"),
    "sequence_decl": _sequence,
    "aside_decl": node(n.AsideDecl, any_of=said("ANY")),
    # options and amendments
    "option_decl": node(n.OptionDecl, is_scenario=False),
    "scenario_decl": node(n.OptionDecl, is_scenario=True),
    "needs": node(n.OptionRule, form="needs"),
    "excludes": node(n.OptionRule, form="excludes"),
    "ordered_after": node(n.OptionRule, form="after"),
    "on_by_default": node(n.OptionRule, form="on"),
    "adjustment": node(n.Adjustment, operation=word("ADJUST_OP", "TIMES")),
    "exception_decl": node(n.ExceptionTo),
    "hook_decl": node(n.Hook, when=word("BEFORE", "AFTER")),
    "reaction_decl": node(n.Reaction, repeatedly=said("REPEATEDLY")),
    "remove_title": _remove_title,
    # claims
    "invariant_decl": node(n.Invariant, when=tag, scope=tagged),
    "always": lambda place, span, c: Tagged(("always", None)),
    "at_end_of": lambda place, span, c: Tagged(("end", place.named(c[0]))),
    "every_decision": lambda place, span, c: Tagged(("decision", None)),
    "expr_line": only,
    "outline": _outline,
}
