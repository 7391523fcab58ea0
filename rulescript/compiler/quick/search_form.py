"""The generated code once more, for playing as fast as can be: random games that keep no journal.

The module made by compiler/module.py serves everybody: it writes a journal, can ask even where there is
only one option, and lets tests look on. A playout needs none of that. Here the same functions are taken
apart and put together again without it (`strip`), and then made faster in ways that need no knowledge of
the game:

* `Presence`, `Altered`, `Kept`: what is asked again and again is kept with the position, in slots behind all
  others: where pieces of which sort stand, and what depends on states that seldom change. `begin` adds the slots to
  a state.
* `Memos`: an expression with a loop in it, which depends on few values of the state, is looked up by these
  values.
* `Placed`: the pieces in a place, as options name them, come from a table of the place.
* `Listing`: lists of pieces to choose from are kept from one choice to the next.
* `Prepared`: what all answers of a rule begin with is worked out once for all of them.
* `join`: a jump to a block becomes the block itself, so that one call leads from an answer to the next
  question.
* `Inlined`: so does a call of a short procedure.
* `Whole`, `Matching`, `Largest`, `Chains`, `Composed`, `followed`, `leaving`: the same with less in
  between.
* `Reads`: what was read from the state or from a table is not read again until it may have changed.

Block numbers, slots and results are the same: at every decision the state is what the first module would
have made it, except for names of loops that are over. Which decision it is says slot 0 alone (`p.d` is not
set). Every piece of code keeps the line it had, so errors still lead to the rule they came from.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from typing import Any

from rulescript.compiler.quick.hoisted_inputs import Prepared
from rulescript.compiler.quick.inlining import Inlined, counted_here
from rulescript.compiler.quick.live_names import LiveNames
from rulescript.compiler.quick.loops import (
    Loose,
    Placed,
    Present,
    as_values,
    counted_late,
    draw_unseen,
    joined_options,
    loose_slots,
    spread,
    strip,
)
from rulescript.compiler.quick.losses import Matching, many_at_once
from rulescript.compiler.quick.memos import Answered, Memos, by_member, cheap_answers
from rulescript.compiler.quick.option_list_cache import Listing
from rulescript.compiler.quick.peephole import Chains, Composed, Largest, Whole, followed
from rulescript.compiler.quick.piece_removal import leaving
from rulescript.compiler.quick.presence_masks import Altered, Presence
from rulescript.compiler.quick.reuse_reads import Invariants, Reads, lone_slots
from rulescript.compiler.quick.slot_cache import Extent, Kept
from rulescript.compiler.quick.trees import copied, places_of, walk

__all__ = ["faster"]

_PLAYED = re.compile(r"(?:[bc]\d+|p\d+_?|f\d+\w*|r\d+\w*|t\d+)")
_SHORT = 20
_ROOM = 160
_DEPTH = 10


class _Settled(ast.NodeTransformer):
    """In a playout every shuffle is made at once: an ordered place is what it holds (machine/unsettled.py)."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="members"), args=[held]):
                return held
            case ast.Call(func=ast.Name(id="tuple"), args=[ast.Subscript(value=ast.Name(id="S")) as held]):
                return held
        return node


def _held(function: ast.FunctionDef) -> str:
    """What a function adds its work to."""
    args = function.args.args
    return "p.w" if args and args[0].arg == "p" else "WORK.done"


def faster(text: str, data: dict[str, Any]) -> ast.Module:
    """A module with the functions that play, to be run in a copy of the first module's names."""
    tree = _Settled().visit(ast.parse(text))
    functions: dict[str, ast.FunctionDef] = {}
    rest: list[ast.stmt] = []
    constants: dict[str, ast.expr] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            if _PLAYED.fullmatch(node.name):
                functions[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if node.targets[0].id in ("B", "C"):
                rest.append(node)
            else:
                constants[node.targets[0].id] = node.value
    if any(kind["pieces"] and kind["sparse"] for kind in data["kinds"].values()):
        # The rest is about counters and their masks.
        for function in functions.values():
            function.body = strip(function.body) or [ast.Pass(lineno=function.lineno, col_offset=0)]
        _join_all(functions)
        for function in functions.values():
            function.body = counted_here(function.body, _held(function))
        return ast.fix_missing_locations(ast.Module([*functions.values(), *rest], []))
    whole = Whole(constants, data)
    for function in functions.values():
        whole.function(function)
        body = strip(function.body) or [ast.Pass(lineno=function.lineno, col_offset=0)]
        function.body = as_values(joined_options(body))
        function.body = followed(function.body, LiveNames(function))
    extent = Extent(data)
    presence = Presence(functions, constants, data, extent, len(data["initial"]))
    altered = Altered(functions, constants, data)
    presence.use()
    presence.keep()
    free = altered.keep(presence.slots.stop)
    matching, largest = Matching(constants, data), Largest(constants, data)
    for function in functions.values():
        largest.visit(function)
        matching.visit(function)
        function.body = many_at_once(function.body)
    memos = Memos(places_of(data))
    at_places = Placed(len(data["initial"]))
    for function in functions.values():
        memos.function(function)
        at_places.visit(function)
    listing = Listing(functions, constants, data, extent, presence, free)
    listing.keep()
    present = Present(constants, data)
    for function in functions.values():
        function.body = spread(function.body)
        function.body = leaving(draw_unseen(function.body, LiveNames(function)))
        present.function(function)
    cheap = cheap_answers(functions)
    for function in functions.values():
        Answered(cheap).function(function)
    kept = Kept(functions, extent, listing.slots.stop, data, Invariants(constants, data, lone_slots(data)).is_certain)
    kept.work()
    prepared = Prepared(functions, list(kept.slots), extent, Invariants(constants, data, lone_slots(data)))
    loose = loose_slots(functions, data) & set(data["passing"])
    chains, composed = Chains(constants), Composed()
    for function in functions.values():
        Loose(loose).visit(function)
        chains.visit(function)
        composed.visit(function)
    for made in kept.made:
        chains.visit(made)
    _join_all(functions)
    safe = lone_slots(data) | set(kept.extra) | set(listing.slots)
    invariants = Invariants(constants, data, safe)
    invariants.split = prepared.split
    inlined = Inlined(functions)
    for name, function in functions.items():
        if name[0] in "bc":
            inlined.function(function)
    for name, function in functions.items():
        if name[0] in "bc":
            function.body = counted_late(function.body)
        function.body = counted_here(function.body, _held(function))
        function.body = without_lost_stores(function.body)
        invariants.function(function)
        Reads(safe).function(function)
    most = max((len(kind["names"]) for kind in data["kinds"].values()), default=0)
    lines = [*whole.tables, *by_member(constants, most), *matching.tables, *at_places.tables, *composed.tables]
    lines += [*presence.begin(), *altered.begin(), *kept.begin()]
    lines += ["def begin(S):", *presence.begun(), *altered.begun(), *listing.begun(), *kept.begun()]
    tables = ast.parse("\n".join(lines)).body
    module = ast.Module([*memos.tables, *tables, *kept.made, *functions.values(), *rest], [])
    return ast.fix_missing_locations(module)


def _join_all(functions: dict[str, ast.FunctionDef]) -> None:
    bodies = {name: function.body for name, function in functions.items()}
    counts = references(bodies)
    for name, function in functions.items():
        if name[0] in "bc":
            function.body = join(name, bodies, counts)


def _jump(statement: ast.stmt) -> str | None:
    match statement:
        case ast.Return(value=ast.Name(id=name)) if re.fullmatch(r"b\d+", name):
            return name
    return None


def references(bodies: dict[str, list[ast.stmt]]) -> dict[str, int]:
    out: dict[str, int] = {}
    for body in bodies.values():
        for statement in body:
            for node in walk(statement):
                if isinstance(node, ast.Return):
                    name = _jump(node)
                    if name is not None:
                        out[name] = out.get(name, 0) + 1
    return out


def _size(body: Iterable[ast.stmt]) -> int:
    total = 0
    for statement in body:
        total += 1
        if isinstance(statement, ast.If | ast.For):
            total += _size(statement.body) + _size(statement.orelse)
    return total


def join(name: str, bodies: dict[str, list[ast.stmt]], counts: dict[str, int]) -> list[ast.stmt]:
    """A function with the blocks it jumps to written in place of the jumps."""
    room = _ROOM

    def written(body: Sequence[ast.stmt], stack: tuple[str, ...]) -> list[ast.stmt]:
        nonlocal room
        out: list[ast.stmt] = []
        for statement in body:
            goal = _jump(statement)
            if goal is not None and goal in bodies and goal not in stack and len(stack) < _DEPTH:
                size = _size(bodies[goal])
                if size <= room and (size <= _SHORT or counts.get(goal, 0) == 1):
                    room -= size
                    out += written(bodies[goal], (*stack, goal))
                    continue
            if isinstance(statement, ast.If | ast.For):
                made = _copy_shell(statement)
                made.body = written(statement.body, stack)
                made.orelse = written(statement.orelse, stack)
                out.append(made)
            else:
                out.append(copied(statement))
        return out

    return written(bodies[name], (name,))


def _copy_shell(statement: ast.If | ast.For) -> Any:
    made: Any = statement.__class__.__new__(statement.__class__)
    for name, value in statement.__dict__.items():
        if isinstance(value, ast.AST):
            value = copied(value)
        setattr(made, name, value)
    return made


def _stored(statement: ast.stmt) -> int | None:
    match statement:
        case ast.Assign(
            targets=[ast.Subscript(value=ast.Name(id="S"), slice=ast.Constant(value=int(slot)))],
            value=ast.Constant(),
        ):
            return slot
    return None


def without_lost_stores(body: list[ast.stmt]) -> list[ast.stmt]:
    """Without a store of a fixed value that the next statement overwrites."""
    out: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.If | ast.For):
            statement.body = without_lost_stores(statement.body)
            statement.orelse = without_lost_stores(statement.orelse)
        slot = _stored(statement)
        if out and slot is not None and _stored(out[-1]) == slot:
            out.pop()
        out.append(statement)
    return out
