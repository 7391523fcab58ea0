"""The stages of a game made visible: the syntax tree and the checked model as indented text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from rulescript.loader import GameText
    from rulescript.model.game import Function, Game, Kind, Procedure, State

__all__ = ["show_ast", "show_model"]

MOST_LINE = 110


def show_ast(text: GameText) -> Iterator[str]:
    """Every declaration as it was read, those of the game it builds on left out."""
    for piece in text.pieces:
        span = piece.declaration.span
        yield f"# {span.source.name}:{span.line}"
        yield from _node(piece.declaration, 0, "")
        yield ""


def _node(value: Any, depth: int, name: str) -> Iterator[str]:
    """A node on one line if it fits, else its fields below each other."""
    indent = "    " * depth
    head = f"{indent}{name}=" if name else indent
    short = _short(value)
    if len(head) + len(short) <= MOST_LINE:
        yield head + short
    elif attrs.has(type(value)):
        yield f"{head}{type(value).__name__}"
        for attribute in attrs.fields(type(value)):
            part = getattr(value, attribute.name)
            if attribute.repr and part not in ((), None, "", False):
                yield from _node(part, depth + 1, attribute.name)
    elif isinstance(value, tuple | list):
        yield head + "["
        for part in value:
            yield from _node(part, depth + 1, "")
        yield indent + "]"
    else:
        yield head + short


def _short(value: Any) -> str:
    if attrs.has(type(value)):
        parts = []
        for attribute in attrs.fields(type(value)):
            part = getattr(value, attribute.name)
            if attribute.repr and part not in ((), None, "", False):
                parts.append(f"{attribute.name}={_short(part)}")
        return f"{type(value).__name__}({', '.join(parts)})"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(_short(part) for part in value) + "]"
    return repr(value)


# ---- the model ---------------------------------------------------------------------------------------------


def show_model(game: Game) -> Iterator[str]:
    """The composed game: what there is and what it is made of, by name and type."""
    from rulescript.model.types import say

    yield f"{game.title}, version {game.version}"
    if game.options or game.scenario:
        yield f"    with options {', '.join(game.options) or 'none'}, scenario {game.scenario or 'none'}"
    for kind in game.kinds.values():
        yield ""
        yield from _kind(kind)
    yield ""
    for state in game.states.values():
        yield _state(state)
    for holds in game.holds.values():
        yield f"holds {holds.name}: {holds.kind.name}"
    for function in game.functions.values():
        yield _function(function)
    for route in game.routes.values():
        sorts = ", ".join(route.sorts)
        yield f"route {route.name}{_params(route.params)} by {sorts}{_cites(route.cites)}"
    for table in game.tables.values():
        head = f"table {table.name}{_params(table.params)} -> {say(table.type)}"
        yield f"{head}, {len(table.rows)} rows{_cites(table.cites)}"
    for procedure in game.procedures.values():
        yield from _procedure(game, procedure)
    for signal in game.signals.values():
        head = f"signal {signal.name}{_params(signal.params)}"
        yield f"{head}, {len(signal.reactions)} reactions{_cites(signal.cites)}"
    for whenever in game.whenevers:
        label = whenever.label or whenever.procedure.name
        yield f"whenever {label}{_cites(whenever.cites)}{_origin(whenever)}"
    for aside in game.asides:
        yield f"aside {aside.name} during {aside.during}{_cites(aside.cites)}"
    for invariant in game.invariants:
        yield f'invariant "{invariant.title}"{_cites(invariant.cites)}'
    for check, _ in game.checks:
        yield f'check "{check.title}"{_cites(check.cites)}'
    for example, _ in game.examples:
        yield f'example "{example.title}"{_cites(example.cites)}'


def _kind(kind: Kind) -> Iterator[str]:
    from rulescript.model.types import say

    word = "values" if kind.is_values else "pieces" if kind.is_pieces else "kind"
    names = [thing.name for thing in kind.things]
    yield f"{word} {kind.name}, {len(names)}: {_cut(', '.join(names))}{_cites(kind.cites)}{_origin(kind)}"
    for attr in kind.attrs.values():
        yield f"    has {attr.name}: {say(attr.type)}{_origin(attr)}"
    for state in kind.states.values():
        yield f"    {_state(state)}"
    for holds in kind.holds.values():
        order = ", ordered" if holds.ordered else ""
        yield f"    holds {holds.name}: {holds.kind.name}{order}{_origin(holds)}"
    for sort, table in kind.links.items():
        yield f"    {sort}: {sum(len(near) for near in table)} links"


def _state(state: State) -> str:
    from rulescript.model.types import say

    lasts = "".join(f", lasts {name.text}" for name in state.lasts)
    lasts += f", lasts in {state.within.name}" if state.within is not None else ""
    return f"state {state.name}: {say(state.type)}{lasts}{_origin(state)}"


def _function(function: Function) -> str:
    from rulescript.model.types import say

    layers = f", {len(function.adjustments)} adjustments" if function.adjustments else ""
    return (
        f"{function.form} {function.name}{_params(function.params)} -> {say(function.type)}{layers}"
        f"{_cites(function.cites)}{_origin(function)}"
    )


def _procedure(game: Game, procedure: Procedure) -> Iterator[str]:
    hooks = "".join(
        f", {len(listed)} {word}"
        for word, listed in (("before", procedure.before), ("after", procedure.after))
        if listed
    )
    head = f"{procedure.form} {procedure.name}{_params(procedure.params)}"
    yield f"{head}{hooks}{_cites(procedure.cites)}{_origin(procedure)}"
    for owner, choose in game.chooses:
        if owner is procedure:
            alternatives = ", ".join(alt.label or "(one)" for alt in choose.alts)
            yield f"    choose {alternatives}"


def _params(params: Any) -> str:
    from rulescript.model.types import say

    return "(" + ", ".join(f"{var.name}: {say(var.type)}" for var in params) + ")" if params else ""


def _cites(cites: tuple[str, ...]) -> str:
    return "".join(f" §{cite}" for cite in cites)


def _origin(item: Any) -> str:
    origin = getattr(item, "origin", "")
    return f"   [{origin}]" if origin else ""


def _cut(text: str) -> str:
    return text if len(text) <= 90 else text[:87] + "..."
