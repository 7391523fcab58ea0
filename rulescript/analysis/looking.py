"""Ways to look through a whole model, shared by the checks.

A *rule* here is anything with a body: what it is called, where it stands, what it cites, and the parts of
the model inside it. The parts are walked without following calls; a check that cares about calls asks
`calls_of`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import attrs
from attrs import frozen

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called
from rulescript.model.traverse import statements_in
from rulescript.source import SourceFile, Span

__all__ = [
    "Rule",
    "declaration_at",
    "deep",
    "fields_of",
    "inside",
    "looking_through",
    "parts_in",
    "reached_from",
    "rule_line",
    "rules_of",
    "same",
    "shown",
    "words_in",
]

_PARTS = (ir.X, ir.S, ir.Clause, ir.Alt)
# What the type of a field says if there may be parts in it.
_HOLDS_PARTS = re.compile(r"\b(\w*X|\w*S|Clause|Alt|Block)\b")


@frozen(eq=False)
class Rule:
    """Something with a body. `sort` is the word a designer would use for it."""

    sort: str
    name: str
    span: Span
    cites: tuple[str, ...]
    parts: tuple[Any, ...]
    origin: str = ""


# ------------------------------------------------------------------ parts of the model


_FIELDS: dict[type, tuple[str, ...]] = {}
_HOLDING: dict[type, tuple[str, ...]] = {}


def fields_of(cls: type) -> tuple[str, ...]:
    """The names of what a part of the model is made of, without where it stands and what it cites."""
    found = _FIELDS.get(cls)
    if found is None:
        names = (field.name for field in attrs.fields(cls))
        found = _FIELDS[cls] = tuple(name for name in names if name not in ("span", "type", "cites"))
    return found


def parts_in(value: Any) -> Iterator[Any]:
    """The nearest parts of the model inside a value, through tuples and lists."""
    if isinstance(value, _PARTS):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from parts_in(item)


class _Looked:
    """What was found so far in looking through a game. All is kept by identity, with what it was found for, so that
    nothing else comes to have the same one."""

    def __init__(self) -> None:
        # What each part has directly inside it, last first.
        self.inner: dict[int, tuple[Any, list[Any]]] = {}
        self.rules: dict[int, tuple[m.Game, list[Rule]]] = {}
        self.parts: dict[int, tuple[Rule, list[Any]]] = {}


_looked: _Looked | None = None
# Whether something of a class is a part (yes), never has one in it (no), or is a sequence (None).
_IS_PART: dict[type, bool | None] = {}


@contextmanager
def looking_through() -> Iterator[None]:
    """While this is open no model changes, so each of its parts is taken apart once, however many checks look at it."""
    global _looked
    before, _looked = _looked, _Looked()
    try:
        yield
    finally:
        _looked = before


def _add_parts(value: Any, out: list[Any]) -> None:
    cls = value.__class__
    try:
        is_part = _IS_PART[cls]
    except KeyError:
        is_part = True if issubclass(cls, _PARTS) else None if issubclass(cls, tuple | list) else False
        _IS_PART[cls] = is_part
    if is_part:
        out.append(value)
    elif is_part is None:
        for item in value:
            _add_parts(item, out)


def _inner(part: Any) -> list[Any]:
    """The nearest parts inside a part, last first."""
    cls = part.__class__
    names = _HOLDING.get(cls)
    if names is None:
        fields = (each for each in attrs.fields(cls) if _HOLDS_PARTS.search(str(each.type)))
        names = _HOLDING[cls] = tuple(each.name for each in fields)
    if not names:
        return _NONE
    out: list[Any] = []
    for name in names:
        _add_parts(getattr(part, name), out)
    out.reverse()
    return out


_NONE: list[Any] = []  # of the many that have nothing inside them


def deep(*values: Any) -> Iterator[Any]:
    """Every expression, statement, requirement and alternative in parts of the model, outermost first."""
    todo: list[Any] = []
    _add_parts(values, todo)
    todo.reverse()
    known = _looked.inner if _looked is not None else {}
    while todo:
        part = todo.pop()
        yield part
        found = known.get(id(part))
        if found is None:
            found = known[id(part)] = (part, _inner(part))
        todo += found[1]


def inside(rule: Rule) -> list[Any]:
    """Every part of a rule, outermost first."""
    if _looked is None:
        return list(deep(rule.parts))
    found = _looked.parts.get(id(rule))
    if found is None:
        found = _looked.parts[id(rule)] = (rule, list(deep(rule.parts)))
    return found[1]


def same(x: Any) -> Any:
    """Two expressions with the same answer here mean the same thing in one state of the game."""
    if isinstance(x, ir.Local):
        return ("name", x.var.ident)
    if isinstance(x, ir.StateX) and x.of is None:
        return ("state", id(x.state))
    if isinstance(x, _PARTS):
        return (type(x).__name__, *(same(getattr(x, name)) for name in fields_of(type(x))))
    if isinstance(x, tuple | list):
        return tuple(same(item) for item in x)
    if isinstance(x, ir.Var):
        return ("name", x.ident)
    return x if isinstance(x, str | int | bool | None) else id(x)


# ------------------------------------------------------------------ the rules of a game


def rules_of(game: m.Game) -> list[Rule]:
    """Every rule that is in force. What amends a rule comes as a rule of its own."""
    if _looked is None:
        return list(_rules_of(game))
    found = _looked.rules.get(id(game))
    if found is None:
        found = _looked.rules[id(game)] = (game, list(_rules_of(game)))
    return found[1]


def _rules_of(game: m.Game) -> Iterator[Rule]:
    parts: tuple[Any, ...]
    for function in game.functions.values():
        parts = (function.block, function.clauses)
        yield Rule(function.form, function.name, function.span, function.cites, parts, function.origin)
        for layer in function.adjustments:
            name = f"{layer.operation} {function.name}"
            yield Rule("adjust", name, layer.span, layer.cites, (layer.value, layer.condition), layer.origin)
    for route in game.routes.values():
        parts = (*route.expressions(), tuple(rule.clauses for rule in route.rules))
        yield Rule("route", route.name, route.span, route.cites, parts, route.origin)
    for table in game.tables.values():
        yield Rule("table", table.name, table.span, table.cites, tuple(r.guard for r in table.rows), table.origin)
    for procedure in game.every_procedure():
        yield Rule(procedure.form, procedure.name, procedure.span, procedure.cites, procedure.block, procedure.origin)
        for hook in procedure.hooks:
            yield _hook(procedure.name, hook)
    for name, hooks in game.loop_hooks.items():
        yield from (_hook(name, hook) for hook in hooks)
    for whenever in game.whenevers:
        parts = (whenever.source, whenever.condition)
        yield Rule("whenever", "", whenever.span, whenever.cites, parts, whenever.origin)
    for aside in game.asides:
        yield Rule("aside", aside.name, aside.span, aside.cites, (aside.by, aside.alt))
    for invariant in game.invariants:
        yield Rule("invariant", invariant.title, invariant.span, invariant.cites, invariant.conditions)
    for check, conditions in game.checks:
        yield Rule("check", check.title, check.span, check.cites, conditions)


def _hook(around: str, hook: m.Hook) -> Rule:
    return Rule("hook", f"{hook.when} {around}", hook.span, hook.cites, (hook.condition, hook.block), hook.origin)


def reached_from(game: m.Game, procedure: m.Procedure) -> set[int]:
    """The procedures that may run once this one does, by identity: what it calls, signals and sets off."""
    seen: set[int] = set()
    todo = [procedure]
    # What holds at once may be set off by anything, and an aside may be taken at any choice.
    todo += [w.procedure for w in game.whenevers]
    todo += [a.procedure for a in game.asides if a.procedure is not None]
    for hook in (h for hooks in game.loop_hooks.values() for h in hooks):
        todo += [p for statement in statements_in(hook.block) for p in called(statement)]
    while todo:
        here = todo.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        for block in here.blocks:
            for statement in statements_in(block):
                todo += called(statement)
    return seen


# ------------------------------------------------------------------ words for messages


def rule_line(game: m.Game, cites: tuple[str, ...]) -> str | None:
    """The nearest citation, with the title the rulebook index gives it."""
    if not cites:
        return None
    line = game.rulebook.get(cites[0])
    return f"§{cites[0]} {line.title}" if line else f"§{cites[0]}"


def shown(span: Span, otherwise: str = "this") -> str:
    """The text itself in quotes, where it is short enough to be read in a sentence."""
    text = span.text.strip()
    return f"`{text}`" if text and "\n" not in text and len(text) < 50 else otherwise


# ------------------------------------------------------------------ what the text mentions

_COMMENT_OR_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"|#[^\n]*')
_WORD = re.compile(r"[^\W\d]\w*")


def _bare(text: str) -> str:
    """The text without comments and prose; what stands in the braces of a prompt is kept."""

    def kept(match: re.Match[str]) -> str:
        found = match.group(0)
        if found.startswith("#"):
            return ""
        return " ".join(re.findall(r"\{([^{}]*)\}", found)) + " "

    return _COMMENT_OR_STRING.sub(kept, text)


@lru_cache(maxsize=8_192)
def words_in(text: str) -> tuple[str, ...]:
    """The names a text mentions, as often as it does. A game with many options is looked at many times."""
    return tuple(_WORD.findall(_bare(text)))


def declaration_at(span: Span) -> Span:
    """The whole of the declaration whose name stands at `span`: its line, and all that is further in."""
    source: SourceFile = span.source
    first = span.line
    indent = _indent(source.line_text(first))
    last = first
    for number in range(first + 1, source.line_count + 1):
        line = source.line_text(number)
        if not line.strip():
            continue
        if _indent(line) <= indent:
            break
        last = number
    return source.span(source.line_start(first), source.line_end(last))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
