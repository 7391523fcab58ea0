"""Nodes -> source text, in one canonical form.

In comes a node as the builder makes it; out comes text that parses to an equal node. Comments, blank lines
and the order of unlike members (a map's spaces and its links) are not in the nodes: `syntax/fmt.py` keeps those,
and works on tokens for that reason. So only tests print nodes: what they print and read again must be the same.

The hard idea is which brackets to write. Every expression has a level, that of the grammar rule that makes
it; every place in the grammar asks for a level, and what binds more loosely than asked gets brackets.
Quantifiers and `if` fit no level: they reach as far to the right as they can. So a place also says whether it
is open: nothing follows there that such an expression could swallow. Only the right end of a chain
of `and`, `or` and `not` hands that permission on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from rulescript import nodes as n
from rulescript.syntax.node_fields import quote

__all__ = ["print_declaration", "print_expression", "print_file", "print_type"]

_OR, _AND, _NOT, _COMPARE, _BOUND, _SUM, _TERM, _UNARY, _POSTFIX = range(1, 10)
_LEVELS = {
    "or": _OR, "and": _AND, "not in": _COMPARE, "in": _COMPARE,
    "==": _COMPARE, "!=": _COMPARE, "<": _COMPARE, "<=": _COMPARE, ">": _COMPARE, ">=": _COMPARE,
    "at most": _BOUND, "at least": _BOUND, "otherwise": _BOUND,
    "+": _SUM, "-": _SUM, "&": _SUM, "*": _TERM, "mod": _TERM,
}  # fmt: skip

# A statement that begins with one of these words is that statement; a name spelt so stands in brackets there.
_STATEMENT_WORDS = frozenset(
    {
        "require", "choose", "may", "each", "together", "if", "for", "repeat", "let", "move", "place", "draw",
        "roll", "shuffle", "reveal", "turn", "signal", "return", "stop", "end", "tell",
        "headline",
    }
)  # fmt: skip
_UP_FROM = 1_000_000  # what the builder makes of the upper end of `6+` in a table

Lines = list[str]


def print_file(declarations: Iterable[n.Declaration]) -> str:
    """Declarations as a file, with a blank line between them."""
    return "\n".join(print_declaration(declaration) for declaration in declarations)


def print_declaration(node: n.Declaration) -> str:
    """A declaration with everything that belongs to it; ends with a newline."""
    return "\n".join(_declaration(node)) + "\n"


def print_expression(node: n.Expr) -> str:
    """An expression on one line."""
    return _expr(node, 0, True)


def print_type(node: n.TypeNode) -> str:
    """``set of Region``"""
    match node.form:
        case "on":
            return f"{node.name} on {node.holder}"
        case "set" | "list":
            assert node.inner is not None
            return f"{node.form} of {print_type(node.inner)}"
        case "maybe":
            assert node.inner is not None
            return f"maybe {print_type(node.inner)}"
        case "bounds":
            return f"{node.low}..{node.high}"
    return node.name


# ------------------------------------------------------------------ expressions


def _expr(node: n.Expr, wanted: int, is_open: bool) -> str:
    """The text of an expression where the grammar asks for level `wanted` or tighter."""
    if isinstance(node, n.Quantified | n.IfExpr):
        return _open_expr(node) if is_open and wanted <= _NOT else f"({_open_expr(node)})"
    level = _level(node)
    if level < wanted:
        return f"({_closed_expr(node, level, True)})"
    return _closed_expr(node, level, is_open)


def _level(node: n.Expr) -> int:
    match node:
        case n.Binary():
            return _LEVELS[node.operator]
        case n.Unary():
            return _NOT if node.operator == "not" else _UNARY
        case n.Some():
            return _NOT
        case n.IsKind():
            return _COMPARE
        case n.Divide():
            return _TERM
        case n.Most():
            return _UNARY
        case n.Number():
            return _UNARY if node.value < 0 else _POSTFIX
    return _POSTFIX


def _open_expr(node: n.Quantified | n.IfExpr) -> str:
    if isinstance(node, n.Quantified):
        pickings = _pickings(node.pickings)
        return f"{node.quantifier} {pickings}: {print_expression(node.condition)}"
    condition = _expr(node.condition, _OR, False)
    return f"if {condition} then {print_expression(node.then)} else {print_expression(node.otherwise)}"


def _closed_expr(node: n.Expr, level: int, is_open: bool) -> str:  # noqa: C901 - one case for each sort of node
    match node:
        case n.NameExpr():
            return node.name
        case n.Number():
            return str(node.value)
        case n.TextExpr():
            return quote(node.value)
        case n.YesNo():
            return "yes" if node.value else "no"
        case n.Nothing():
            return "nothing"
        case n.It():
            return "it"
        case n.Range():
            return f"{node.low}..{node.high}"
        case n.SetLiteral():
            return "{" + _exprs(node.items) + "}"
        case n.ListLiteral():
            return f"[{_exprs(node.items)}]"
        case n.AttributeOf():
            return f"{_expr(node.object, _POSTFIX, False)}.{node.name}"
        case n.Filtered():
            return f"{_expr(node.source, _POSTFIX, False)}[{print_expression(node.condition)}]"
        case n.Call():
            return f"{_expr(node.function, _POSTFIX, False)}({_exprs(node.args)})"
        case n.NamedArg():
            return f"{node.name} = {print_expression(node.value)}"
        case n.ForCall():
            condition = f" if {print_expression(node.condition)}" if node.condition is not None else ""
            inside = f"{print_expression(node.value)} for {_pickings(node.pickings)}{condition}"
            return f"{_expr(node.function, _POSTFIX, False)}({inside})"
        case n.Unary(operator="not"):
            return f"not {_expr(node.operand, _NOT, is_open)}"
        case n.Unary():
            return f"-{_expr(node.operand, _UNARY, False)}"
        case n.Binary(operator="and" | "or"):
            left = _expr(node.left, level, False)
            return f"{left} {node.operator} {_expr(node.right, level + 1, is_open)}"
        case n.Binary():
            # Comparisons do not chain; everything else groups to the left.
            left = _expr(node.left, level + 1 if level == _COMPARE else level, False)
            return f"{left} {node.operator} {_expr(node.right, level + 1, False)}"
        case n.Divide():
            right = _expr(node.right, _UNARY, False)
            return f"{_expr(node.left, _TERM, False)} / {right} rounded {node.rounding}"
        case n.IsKind():
            word = "is not" if node.negated else "is"
            return f"{_expr(node.operand, _BOUND, False)} {word} {node.kind}"
        case n.Some():
            return f"{node.quantifier} {_expr(node.source, _POSTFIX, False)}"
        case n.Most():
            by = _expr(node.by, _POSTFIX, False)
            name = f"{node.name} in " if node.name is not None else ""
            return f"{node.direction} {name}{_expr(node.source, _POSTFIX, False)} by {by}"
    raise TypeError(f"no way to print {type(node).__name__}")


def _exprs(items: Iterable[n.Expr]) -> str:
    return ", ".join(print_expression(item) for item in items)


def _pickings(pickings: Iterable[n.Picking]) -> str:
    """In a quantifier or a sum, where a comma or colon follows."""
    return ", ".join(f"{p.name} in {_expr(p.source, _SUM, False)}" for p in pickings)


def _picks(pickings: Iterable[n.Picking]) -> str:
    """In a choice, where any expression will do."""
    return ", ".join(f"{p.name} in {print_expression(p.source)}" for p in pickings)


def _led(node: n.Expr, words: frozenset[str] | re.Pattern[str]) -> str:
    """An expression in a place where it must not begin with one of these words."""
    text = print_expression(node)
    first = _first_name(node)
    if first is None or not text.startswith(first):
        return text
    is_taken = first in words if isinstance(words, frozenset) else words.fullmatch(first)
    return f"({first}){text[len(first) :]}" if is_taken else text


def _first_name(node: n.Expr) -> str | None:
    """The name an expression begins with, if it begins with one."""
    while True:
        match node:
            case n.NameExpr():
                return node.name
            case n.Binary() | n.Divide():
                node = node.left
            case n.AttributeOf():
                node = node.object
            case n.Filtered():
                node = node.source
            case n.Call() | n.ForCall():
                node = node.function
            case n.IsKind():
                node = node.operand
            case _:
                return None


# ------------------------------------------------------------------ small parts


def _words(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _indented(lines: Iterable[str]) -> Lines:
    return ["    " + line for line in lines]


def _names(names: Iterable[n.Name]) -> str:
    return ", ".join(str(name) for name in names)


def _label(text: str) -> str:
    return quote(text) if text else ""


def _text(text: n.Text | None) -> str:
    return quote(text.value) if text is not None else ""


def _cites(ids: Sequence[str]) -> str:
    return ", ".join(f"§{ident}" for ident in ids)


def _tail(cites: Sequence[str], reconstructed: str = "") -> str:
    reason = f" reconstructed {quote(reconstructed)}" if reconstructed else ""
    return (f"  {_cites(cites)}" if cites else "") + reason


def _doc(text: str) -> Lines:
    return [quote(line) for line in text.split("\n")] if text else []


def _body(lines: Lines) -> Lines:
    """What must not be left out altogether: with nothing to say, it says nothing."""
    return _indented(lines or [quote("")])


def _params(params: Sequence[n.Param], always: bool = False) -> str:
    if not params and not always:
        return ""
    return f"({', '.join(map(_param, params))})"


def _param(param: n.Param) -> str:
    default = f"= {print_expression(param.default)}" if param.default is not None else ""
    return _words(f"{param.name}: {print_type(param.type)}", "changeable" * param.changeable, default)


def _arguments(names: Sequence[n.Name]) -> str:
    return f"({_names(names)})" if names else ""


def _when(condition: n.Expr | None) -> str:
    return f"when {print_expression(condition)}" if condition is not None else ""


def _article(name: n.Name) -> str:
    """``a turn``, ``an attack``"""
    return f"{'an' if name.text[:1].lower() in 'aeiou' else 'a'} {name}"


def _ordering(ordering: Iterable[n.Ordering]) -> str:
    return "".join(f", {o.word} {o.name}" for o in ordering)


def _target(target: Iterable[n.Name]) -> str:
    return ".".join(str(name) for name in target)


# ------------------------------------------------------------------ declarations


def _declaration(node: n.Declaration) -> Lines:  # noqa: C901 - one case for each sort of node
    match node:
        case n.LanguageLine():
            return [f"rulescript {node.version}"]
        case n.GameDecl():
            return _game(node)
        case n.Include():
            return [f"include {_text(node.path)}"]
        case n.Rulebook():
            lines = [f"{line.ident}  {line.sort}  {quote(line.title)}" for line in node.lines]
            return [f"rulebook {quote(node.title)}", *_indented(lines)]
        case n.ValuesDecl():
            values = ", ".join(_words(str(name), _label(title)) for name, title in node.values)
            return [f"values {node.name}: {values}{_tail(node.cites)}"]
        case n.KindDecl():
            return _kind(node)
        case n.EitherDecl():
            return [f"either {node.name}: {_names(node.members)}{_tail(node.cites)}"]
        case n.StateDecl():
            return [_state(node)]
        case n.HoldsDecl():
            return [_holds(node)]
        case n.ThingsDecl():
            things = [line for thing in node.things for line in _thing(thing)]
            return [f"things{_tail(node.cites, node.reconstructed)}", *_body(things)]
        case n.ThingDecl():
            return _thing(node)
        case n.MapDecl():
            return _map(node)
        case n.CountsDecl():
            where = f" in {print_expression(node.where)}" if node.where is not None else ""
            head = f"counts {node.kind}{where}{_tail(node.cites, node.reconstructed)}"
            return [head, *_indented(map(_row, node.rows))]
        case n.PlayersDecl():
            return [f"players {node.kind}{_tail(node.cites)}", *_indented(map(_seats, node.seats))]
        case n.FunctionDecl() | n.PredicateDecl() | n.RouteDecl() | n.TableDecl() | n.ProcedureDecl():
            return _rule(node)
        case n.SignalDecl():
            return [f"signal {node.name}{_params(node.params)}{_worded(node.worded)}{_tail(node.cites)}"]
        case n.AsideDecl():
            what = f"aside {node.name}{':' if node.picks else ''}"
            by = f"by {'any of ' * node.any_of}{_led(node.by, frozenset({'any'}))} during {node.during}"
            head = _words(what, _picks(node.picks), _text(node.text), by)
            return [head + _tail(node.cites), *_block(node.block)]
        case n.OptionDecl():
            return _option(node)
        case n.WithDecl():
            members = _doc(node.doc)
            for declaration in node.declarations:
                members += _declaration(declaration)
            return [f"with {_names(node.names)}{_tail(node.cites)}", *_indented(members)]
        case n.Invariant():
            times = {"end": f", at end of {node.scope}", "decision": ", at every decision"}
            head = f"invariant {quote(node.title)}{times.get(node.when, '')}{_tail(node.cites)}"
            return [head, *_indented(map(print_expression, node.conditions))]
        case n.Check():
            head = f"check {quote(node.title)}{_tail(node.cites)}"
            return [head, *_indented(map(print_expression, node.conditions))]
        case n.Example():
            return [f"example {quote(node.title)}{_tail(node.cites)}", *_indented(_outline(node.lines))]
    return _amendment(node)


def _game(node: n.GameDecl) -> Lines:
    version = f", version {quote(node.version)}" if node.version != "1" else ""
    base = str(node.builds_on)
    on = [f"builds on {base if base.isidentifier() else quote(base)}"] if node.builds_on is not None else []
    facts = [f"{name} {quote(text)}" for name, text in node.facts]
    return [f"game {quote(node.title)}{version}", *_indented([*_doc(node.doc), *on, *facts])]


def _kind(node: n.KindDecl) -> Lines:
    word = "pieces" if node.is_pieces else "kind"
    # Attributes written with `has` are the same to the builder; the line of the kind has room for all that
    # have no citation of their own, until one has: their order is kept.
    inline = list(takewhile(lambda a: not a.cites, node.attributes))
    attributes = ", ".join(_attribute(a) for a in inline)
    head = f"{word} {node.name}{': ' if attributes else ''}{attributes}{_tail(node.cites)}"
    members = _doc(node.doc)
    members += [f"has {_attribute(a)}{_tail(a.cites)}" for a in node.attributes[len(inline) :]]
    members += [_state(state) for state in node.states]
    members += [_holds(holds) for holds in node.holds]
    if node.home is not None:
        members.append(f"home {print_expression(node.home)}{_tail(node.home_cites)}")
    if node.text is not None:
        members.append(f"text {_text(node.text)}{_tail(node.text_cites)}")
    members += [f"does {does.name}{_params(does.params)}{_tail(does.cites)}" for does in node.does]
    if node.in_force is not None:
        members.append(f"in force when {print_expression(node.in_force)}{_tail(node.force_cites)}")
    if node.hidden_when is not None:
        known = f", known to {print_expression(node.known_to)}" if node.known_to is not None else ""
        shows = f", showing {_text(node.shows)}" if node.shows is not None else ""
        members.append(f"hidden when {print_expression(node.hidden_when)}{known}{shows}{_tail(node.hidden_cites)}")
    return [head, *_indented(members)]


def _attribute(node: n.Attribute) -> str:
    default = f" = {print_expression(node.default)}" if node.default is not None else ""
    return f"{node.name}: {print_type(node.type)}{default}{_tail((), node.reconstructed)}"


def _state(node: n.StateDecl) -> str:
    default = f" = {print_expression(node.default)}" if node.default is not None else ""
    lasts = "".join(f", lasts {name}" for name in node.lasts)
    lasts += f", lasts in {node.within}" if node.within is not None else ""
    if node.told is not None and node.told.text is None:
        lasts += ", untold"
    elif node.told is not None and node.told.text is not None:
        denied = f" not {_text(node.told.denied)}" if node.told.denied is not None else ""
        lasts += f", told {_text(node.told.text)}{denied}"
    tail = _tail(node.cites, node.reconstructed)
    return f"state {node.name}: {print_type(node.type)}{default}{lasts}{tail}"


def _holds(node: n.HoldsDecl) -> str:
    modes = ["ordered"] * node.ordered
    for visibility in node.visibility:
        who = "others" if visibility.who is None else _led(visibility.who, frozenset({"others"}))
        modes.append(f"{visibility.level} to {who}")
    return ", ".join([f"holds {node.name}: {node.kind}", *modes]) + _tail(node.cites)


def _thing(node: n.ThingDecl) -> Lines:
    items = f"  {_items(node.items)}" if node.items else ""
    members = _doc(node.doc)
    members += [_state(state) for state in node.states]
    for does in node.does:
        head = f"{does.name}{_params(does.params)}"
        members += [head, *_block(does.block)] if does.block else [f"{head} nothing"]
    for amendment in node.amendments:
        members += _declaration(amendment)
    head = f"{'box ' * node.is_box}{node.kind} {node.name}{items}{_tail(node.cites, node.reconstructed)}"
    return [head, *_indented(members)]


def _items(items: Iterable[n.ThingItem]) -> str:
    return ", ".join(map(_item, items))


def _item(node: n.ThingItem) -> str:
    value = print_expression(node.value) if node.value is not None else ""
    match node.form:
        case "label":
            return quote(node.text)
        case "no":
            return f"not {node.name}"
        case "at":
            return f"at {node.text}"
        case "count":
            return str(node.number)
        case "count_in":
            return f"{node.number} in {value}"
    if node.form == "attr" and not isinstance(node.value, _PLAIN_VALUES) and not _is_negative(node.value):
        value = f"({value})"
    return _words(str(node.name), value)


# What may stand after the name of an attribute without brackets.
_PLAIN_VALUES = (n.Number, n.TextExpr, n.YesNo, n.NameExpr, n.SetLiteral, n.ListLiteral)


def _is_negative(node: n.Expr | None) -> bool:
    return isinstance(node, n.Unary) and node.operator == "-" and isinstance(node.operand, n.Number)


def _map(node: n.MapDecl) -> Lines:
    members = _doc(node.doc)
    members += [f"link {_names(node.sorts)}"] if node.sorts else []
    members += [_drawn(line) for line in node.drawn]
    for thing in node.things:
        members += _thing(thing)
    for track in node.tracks:
        limits = f"{track.limits.low}..{track.limits.high}" if track.limits is not None else ""
        target = ".".join(str(name) for name in track.target)
        members.append(_words(f"track {target}", limits, _label(track.title)) + _tail(track.cites))
    for link in node.links:
        steps = "".join(f" {arrow} {name}" for arrow, name in zip(link.arrows, link.names[1:], strict=True))
        members.append(f"{link.sort} {link.names[0]}{steps}{_tail(link.cites, link.reconstructed)}")
    return [f"map {node.name}{_tail(node.cites, node.reconstructed)}", *_body(members)]


def _drawn(node: n.DrawnLine) -> str:
    if node.what == "coordinates":
        return "coordinates real"
    corners = "from {} {} to {} {}".format(*node.corners) if node.corners else ""
    return _words(node.what, _label(node.file), corners)


def _seats(node: n.SeatsLine) -> str:
    seats = ", ".join(" + ".join(str(name) for name in seat) for seat in node.seats)
    return f"{node.count}: {seats}{_tail(node.cites)}"


def _row(node: n.Row) -> str:
    cells = " | ".join(map(_cell, node.cells))
    guard = f" {node.guard} {print_expression(node.condition)}" if node.condition is not None else ""
    return f"| {cells} |{guard}{_tail(node.cites, node.reconstructed)}"


def _cell(node: n.Cell) -> str:
    items = [
        f"{item.low}+" if isinstance(item, n.Range) and item.high == _UP_FROM else print_expression(item)
        for item in node.items
    ]
    return ", ".join([*items, *["otherwise"] * node.otherwise])


def _rule(
    node: n.FunctionDecl | n.PredicateDecl | n.RouteDecl | n.TableDecl | n.ProcedureDecl,
) -> Lines:
    match node:
        case n.FunctionDecl(standing=n.Text() as counted):
            head = f"standing{_params(node.params, always=True)} {_text(counted)}{_tail(node.cites)}"
            return [head, *_block(node.block)]
        case n.FunctionDecl():
            word = "value" if node.is_value else "function"
            head = f"{word} {node.name}{_params(node.params)} -> {print_type(node.type)}{_worded(node.worded)}"
            return [head + _tail(node.cites, node.reconstructed), *_block(node.block)]
        case n.PredicateDecl():
            head = f"predicate {node.name}{_params(node.params)}{_worded(node.worded)}{_tail(node.cites)}"
            return [head, *_block(node.block)]
        case n.RouteDecl():
            return _route(node)
        case n.TableDecl():
            head = (
                f"table {node.name}{_params(node.params, always=True)} -> {print_type(node.type)}{_worded(node.worded)}"
            )
            body = [*_doc(node.doc), *map(_row, node.rows)]
            return [head + _tail(node.cites, node.reconstructed), *_body(body)]
        case n.ProcedureDecl(form="sequence"):
            return [f"sequence{_tail(node.cites)}", *_block(node.block)]
        case n.ProcedureDecl(form="phase"):
            head = _words(f"phase {node.name}", _label(node.title))
            return [head + _tail(node.cites), *_block(node.block)]
        case n.ProcedureDecl():
            gives = f" -> {print_type(node.type)}" if node.type is not None else ""
            closed = ", closed" if node.closed else ""
            head = f"procedure {node.name}{_params(node.params)}{gives}{closed}{_worded(node.worded)}"
            return [head + _tail(node.cites), *_block(node.block)]


def _route(node: n.RouteDecl) -> Lines:
    steps = ""
    if node.steps is not None:
        many = print_expression(node.steps)
        word = "point" if node.in_points else "step"
        steps = f", at most {many} {word}{'' if many == '1' else 's'}"
    start = print_expression(node.start)
    head = f"route {node.name}{_params(node.params)} from {start} by {_names(node.sorts)}{steps}"
    members = _doc(node.doc)
    for rule in node.rules:
        members.append(f"{rule.form} {' to '.join(str(name) for name in rule.names)}{_tail(rule.cites)}")
        members += _block(rule.block)
    return [head + _worded(node.worded) + _tail(node.cites), *_indented(members)]


def _worded(node: n.Worded | None) -> str:
    if node is None:
        return ""
    return f" as {_text(node.text)}" + (f" not {_text(node.denied)}" if node.denied is not None else "")


def _option(node: n.OptionDecl) -> Lines:
    head = _words("scenario" if node.is_scenario else "option", str(node.name), _label(node.title))
    for rule in node.rules:
        head += f", {rule.form}" + (f" {rule.name}" if rule.name is not None else "")
    members = _doc(node.doc)
    for declaration in node.declarations:
        members += _declaration(declaration)
    return [head + _tail(node.cites), *_indented(members)]


def _amendment(node: n.Declaration) -> Lines:
    match node:
        case n.Adjust():
            changes = " ".join(f"{a.operation} {print_expression(a.value)}" for a in node.adjustments)
            called = f"adjust {node.target}{_arguments(node.names)}"
            head = _words(called, changes, "always" * node.always, _when(node.condition), _label(node.label))
            return [head + _tail(node.cites) + _ordering(node.ordering)]
        case n.Restrict():
            head = _words(f"restrict {_target(node.target)}", "always" * node.always, _when(node.condition))
            return [head + _tail(node.cites) + _ordering(node.ordering), *_block(node.block)]
        case n.Extend():
            head = _words(f"extend {_target(node.target)}", "always" * node.always, _when(node.condition))
            ways = [line for way in node.alternatives for line in _alternative(way, "or ")]
            return [head + _tail(node.cites) + _ordering(node.ordering), *_indented(ways)]
        case n.ExceptionTo():
            clause = _cites(node.clause_cites) if node.clause_cites else quote(node.clause_label)
            called = f"exception to {_target(node.target)}"
            head = _words(called, clause, "always" * node.always, _when(node.condition))
            return [head + _tail(node.cites)]
        case n.Hook():
            called = f"{node.when} {node.target}{_arguments(node.names)}"
            head = _words(called, "always" * node.always, _when(node.condition), _label(node.label))
            return [head + _tail(node.cites) + _ordering(node.ordering), *_block(node.block)]
        case n.Reaction():
            condition = f"if {print_expression(node.condition)}" if node.condition is not None else ""
            once = f"once {_article(node.once)}" if node.once is not None else "repeatedly" * node.repeatedly
            called = f"when {node.signal}{_arguments(node.names)}"
            head = _words(called, "always" * node.always, condition, once, _label(node.label))
            return [head + _tail(node.cites) + _ordering(node.ordering), *_block(node.block)]
        case n.Whenever():
            test = f"whenever {print_expression(node.condition)}"
            head = _words(test, "always" * node.always, _label(node.label))
            return [head + _tail(node.cites) + _ordering(node.ordering), *_block(node.block)]
        case n.Replace():
            first, *others = _declaration(node.declaration)
            return [f"replace {first}", *others]
        case n.Remove():
            title = node.target[0].text
            what = quote(title[1:-1]) if title.startswith('"') else _target(node.target)
            return [f"remove {what}{_tail(node.cites)}"]
        case n.Reword():
            clause = _cites(node.clause_cites) if node.clause_cites else _label(node.clause_label)
            head = _words(f"reword {_target(node.target)}{_arguments(node.names)}", clause, f"as {_text(node.text)}")
            return [_words(head, f"not {_text(node.denied)}" if node.denied is not None else "")]
        case n.Amend():
            return [f"amend {node.thing}: {_items(node.items)}{_tail(node.cites, node.reconstructed)}"]
    raise TypeError(f"no way to print {type(node).__name__}")


def _outline(lines: Iterable[n.OutlineLine]) -> Lines:
    return [text for line in lines for text in (line.text, *_indented(_outline(line.lines)))]


# ------------------------------------------------------------------ statements


def _block(block: n.Block) -> Lines:
    return _indented(line for statement in block for line in _statement(statement))


def _statement(node: n.Statement) -> Lines:
    match node:
        case n.Choose():
            return _choose(node)
        case n.Each():
            head = _words(f"each {node.name} in {print_expression(node.source)}", "sealed" * node.sealed)
            return [head + _tail(node.cites), *_block(node.block)]
        case n.Together():
            branches: Lines = []
            for branch in node.branches:
                first, *others = _choose(branch.choose)
                who = _led(branch.who, _STATEMENT_WORDS)
                if branch.name is not None:
                    who = f"each {branch.name} in {print_expression(branch.who)}"
                branches += [f"{who}: {first}", *others]
            return [f"together{_tail(node.cites)}", *_indented(branches)]
        case n.If():
            return _if(node)
        case n.For():
            head = f"for {node.name} in {print_expression(node.source)}{_tail(node.cites)}"
            return [head, *_block(node.block)]
        case n.Repeat():
            return [_words("repeat", _repeat_rule(node)) + _tail(node.cites), *_block(node.block)]
    return [_line(node)]


def _choose(node: n.Choose) -> Lines:
    by = f"by {'any of ' if node.any_of else ''}" + _led(node.by, frozenset({"any"})) if node.by else ""
    by = _words("if possible" * node.if_possible, by)
    first, *others = node.alternatives
    if not node.may and not first.picks and first.many is None and first.each is None:
        head = _words("choose", by, str(first.label), _text(first.text))
        lines = [head + _tail(first.cites), *_block(first.block)]
    else:
        lines = _alternative(first, "may " if node.may else "", by)
    lines = lines + [line for way in others for line in _alternative(way, "or ")]
    for shared in node.shared:
        names = f" of {_names(shared.labels)}" if shared.labels else ""
        lines += [f"all{names}{_tail(shared.cites)}", *_block(shared.block)]
    return lines


def _alternative(node: n.Alternative, before: str, by: str = "") -> Lines:
    if node.many is not None:
        picks = f"{_amount(node.many)} from {print_expression(node.many.source)} as {node.many.name}"
    elif node.each is not None:
        each = node.each
        source, targets = print_expression(each.source), print_expression(each.targets)
        picks = f"each {each.name} in {source} to {each.target} in {targets} as {each.plan}"
    else:
        picks = _picks(node.picks)
    if picks:
        label = f"{node.label}:" if node.label is not None else ""
        head = _words("choose", by, label, picks, _text(node.text))
    else:
        head = _words(f"{by}:" if by else "", str(node.label), _text(node.text))
    return [before + head + _tail(node.cites), *_block(node.block)]


def _amount(node: n.PickMany) -> str:
    if node.amount is None:
        return "any number"
    return _words("up to" if node.mode == "up_to" else "", print_expression(node.amount))


def _if(node: n.If) -> Lines:
    lines = [f"if {print_expression(node.condition)}{_tail(node.cites)}", *_block(node.then)]
    match node.otherwise:
        case ():
            return lines
        case (n.If() as other,):
            first, *others = _if(other)
            return [*lines, f"else {first}", *others]
    return [*lines, "else", *_block(node.otherwise)]


def _repeat_rule(node: n.Repeat) -> str:
    if node.condition is None:
        return ""
    if node.mode == "times":
        return f"{_led(node.condition, frozenset({'while', 'until'}))} times"
    return f"{node.mode} {print_expression(node.condition)}"


def _line(node: n.Statement) -> str:
    """The statements that take one line."""
    match node:
        case n.Doc():
            return quote(node.text)
        case n.Require():
            parts = _words(f"require {print_expression(node.condition)}", _label(node.label))
            return _words(parts, "peeks" * node.peeks) + _tail(node.cites)
        case n.Let():
            return f"let {node.name} = {print_expression(node.value)}{_tail(node.cites)}"
        case n.Move():
            what = _led(node.what, frozenset({"up"}))
            if node.to is None:
                return f"move {what} home{_tail(node.cites)}"
            if node.amount is not None:
                amount = _led(node.amount, frozenset({"up"}))
                what = f"{'up to ' * node.up_to}{amount} from {print_expression(node.what)}"
            return f"move {what} to {_destination(node.to)}{_tail(node.cites)}"
        case n.Place():
            phrases = ", ".join(_words(str(p.count), *(str(word) for word in p.words)) for p in node.phrases)
            where = print_expression(node.where)
            return f"place {phrases} in {where}{_tail(node.cites, node.reconstructed)}"
        case n.Draw():
            amount, source = print_expression(node.amount), print_expression(node.source)
            name = f" as {node.name}" if node.name is not None else ""
            to = f" to {_destination(node.to)}" if node.to is not None else ""
            return f"draw {amount} from {source}{to}{name}{_tail(node.cites)}"
        case n.Roll():
            amount = _led(node.amount, re.compile(r"d\d+")) if node.amount is not None else ""
            name = f"as {node.name}" if node.name is not None else ""
            return _words("roll", amount, f"d{node.sides}", name, _text(node.text)) + _tail(node.cites)
        case n.Shuffle():
            return f"shuffle {print_expression(node.place)}{_tail(node.cites)}"
        case n.Reveal():
            to = f" to {print_expression(node.to)}" if node.to is not None else ""
            return f"reveal {print_expression(node.what)}{to}{_tail(node.cites)}"
        case n.SignalStatement():
            args = f"({_exprs(node.args)})" if node.args else ""
            return f"signal {node.name}{args}{_tail(node.cites)}"
        case n.Return():
            return _words("return", print_expression(node.value) if node.value else "") + _tail(node.cites)
        case n.Stop():
            return f"stop{_tail(node.cites)}"
        case n.EndGame():
            ending = ", draw" if node.drawn else ""
            if node.winner is not None:
                ending = f", {_led(node.winner, frozenset({'draw'}))} wins"
            return _words(f"end game{ending}", _text(node.how)) + _tail(node.cites)
        case n.Tell() | n.Headline():
            return f"{type(node).__name__.lower()} {_text(node.text)}{_tail(node.cites)}"
        case n.Assign():
            target = _led(node.target, _STATEMENT_WORDS)
            return f"{target} {node.operator} {print_expression(node.value)}{_tail(node.cites)}"
        case n.ExprStatement():
            return _led(node.value, _STATEMENT_WORDS) + _tail(node.cites)
    raise TypeError(f"no way to print {type(node).__name__}")


def _destination(node: n.Destination) -> str:
    end = f"{node.end} of" if node.end else ""
    return _words(end, print_expression(node.place))
