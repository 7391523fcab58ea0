"""A game with one number of its rules set otherwise: to see what it does, without a file for each.

What can be set: a value or function without parameters (`hand_size`), an attribute of a thing (`Mill.worth`), what a
state begins with (`supply`, or `Side.coins` for all of a kind), how many pieces of a type there are (`North_infantry`).
The first two are written as a variant would write them (`adjust`, `replace`, `amend`); the others are changed where
they are declared. Everything is then checked and compiled like any other game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rulescript import nodes as n
from rulescript.errors import BadOption
from rulescript.loader import GameText, Piece, content_key_of, load_single, load_text

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["MOST_VALUES", "range_of", "varied"]

MOST_VALUES = 50
_NUMBER = re.compile(r"-?\d{1,9}")
_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?:/(\d{1,9}))?")


def range_of(text: str) -> tuple[str, list[int]]:
    """``hand_size=3..7``, ``Mill.worth=1,2,4`` or ``supply=0..100/20``: the name and the numbers."""
    name, sign, said = text.partition("=")
    name, said = name.strip(), said.replace(" ", "")
    numbers: list[int] = []
    for part in said.split(",") if sign else ():
        if match := _RANGE.fullmatch(part):
            numbers += range(int(match[1]), int(match[2]) + 1, max(1, int(match[3] or 1)))[: MOST_VALUES + 1]
        elif _NUMBER.fullmatch(part):
            numbers.append(int(part))
        else:
            numbers = []
            break
    numbers = list(dict.fromkeys(numbers))
    if not name or not numbers:
        hint = "write NAME=3..7, NAME=0..100/20 or NAME=1,2,4"
        raise BadOption(f"`{text[:80]}` names no number and what to set it to", hint=hint)
    if len(numbers) > MOST_VALUES:
        raise BadOption(f"one number can be set to {MOST_VALUES} values at most")
    return name, numbers


def varied(game: Game, numbers: Mapping[str, int]) -> Game:
    """The game with these numbers. BadOption if there is no such number, GameInvalid if the rules forbid it."""
    from rulescript.diagnostics import Reporter
    from rulescript.locks import READING
    from rulescript.pipeline.cache import key_of
    from rulescript.pipeline.loading import compile_text, kept_game
    from rulescript.resources import cache_folder

    if game.where is None:
        raise BadOption("the numbers of a game that was made from a text cannot be varied; load it from a file")
    where, options, scenario = game.where
    said = ",".join(f"{name}={number}" for name, number in sorted(numbers.items()))
    folder = cache_folder()
    full = key_of(f"{content_key_of(where)[0]} {where} with {said}", options, scenario)
    path = folder / f"game-{full}.bin" if folder is not None else None
    made = kept_game(path) if path is not None else None
    if made is None:
        with READING:
            text = load_text(where, Reporter())
            made = compile_text(_changed(game, text, numbers), options, scenario, path=path)
    elif path is not None and not path.with_suffix(".search").exists():
        with READING:
            made.text = _changed(game, load_text(where, Reporter()), numbers)  # what the search form is made of
    made.where = game.where
    made.numbers = dict(numbers)
    made.seating.choose(game.seating.chosen)
    return made


def _changed(game: Game, text: GameText, numbers: Mapping[str, int]) -> GameText:
    lines: list[str] = []
    for name, number in numbers.items():
        line = _line(game, text, name, number)
        if line:
            lines.append(line)
            continue
        changed = _edited(text, _edit(name, number))
        if changed is None:
            raise _unknown(game, text, name)
        text = changed
    if not lines:
        return text
    title = text.title.replace('"', "'")
    more = load_single(f'game "{title}"\n\n' + "\n".join(lines) + "\n", name="<varied>")
    return evolve(more, ident=text.ident, title=text.title, base=text, game=text.game)


def _line(game: Game, text: GameText, name: str, number: int) -> str:
    """What a variant would write; "" if it cannot be said so."""
    found = next((each for each in _functions(text) if each.name.text == name), None)
    if found is not None:
        return f"adjust {name}() set {number}" if found.is_value else f"replace function {name}() -> int\n    {number}"
    thing, _, attribute = name.rpartition(".")
    for info in game.data.kinds.values():
        if thing in info.names and info.attr_types.get(attribute) == ["int"]:
            return f"amend {thing}: {attribute} {number}"
    return ""


def _texts(text: GameText) -> Iterator[GameText]:
    at: GameText | None = text
    while at is not None:
        yield at
        at = at.base


def _functions(text: GameText) -> Iterator[n.FunctionDecl]:
    """Those that could be a number: without parameters, of whole numbers."""
    for each in _texts(text):
        for piece in each.pieces:
            found = piece.declaration
            if (
                isinstance(found, n.FunctionDecl)
                and not found.params
                and found.standing is None
                and _is_int(found.type)
            ):
                yield found


def _is_int(node: n.TypeNode) -> bool:
    return node.form == "name" and str(node.name) == "int"


# ---- where it is declared ----------------------------------------------------------------------------------

# The facts of a thing that say how many there are.
COUNTING = ("count", "count_in")
Edit = Callable[[n.Declaration], n.Declaration]


def _edited(text: GameText, edit: Edit) -> GameText | None:
    """The text with the first declaration changed that can be; None if there is none."""
    for at, piece in enumerate(text.pieces):
        changed = edit(piece.declaration)
        if changed is not piece.declaration:
            pieces = (*text.pieces[:at], evolve(piece, declaration=changed), *text.pieces[at + 1 :])
            return evolve(text, pieces=pieces)
    if text.base is not None:
        base = _edited(text.base, edit)
        return evolve(text, base=base) if base is not None else None
    return None


def _edit(name: str, number: int) -> Edit:
    kind, _, own = name.rpartition(".")

    def edit(found: n.Declaration) -> n.Declaration:
        match found:
            case n.StateDecl() if not kind and found.name.text == own and _is_number(found):
                return _begins_with(found, number)
            case n.KindDecl() if kind and found.name.text == kind:
                states = [_begins_with(s, number) if s.name.text == own and _is_number(s) else s for s in found.states]
                changed = any(new is not old for new, old in zip(states, found.states, strict=True))
                return evolve(found, states=tuple(states)) if changed else found
            case n.CountsDecl():
                return _counted(found, name, number)
            case n.ThingsDecl():
                return _listed(found, name, number)
        return found

    return edit


def _is_number(state: n.StateDecl) -> bool:
    return _is_int(state.type) or state.type.form == "bounds"


def _begins_with(state: n.StateDecl, number: int) -> n.StateDecl:
    return evolve(state, default=n.Number(number, span=state.span))


def _counted(found: n.CountsDecl, name: str, number: int) -> n.CountsDecl:
    for row_at, column_at, _ in (each for each in _types_in(found) if each[2] == name):
        row = found.rows[row_at]
        cell = row.cells[column_at]
        new = evolve(cell, items=(n.Number(number, span=cell.span),))
        cells = (*row.cells[:column_at], new, *row.cells[column_at + 1 :])
        return evolve(found, rows=(*found.rows[:row_at], evolve(row, cells=cells), *found.rows[row_at + 1 :]))
    return found


def _listed(found: n.ThingsDecl, name: str, number: int) -> n.ThingsDecl:
    """The list with as many pieces of a type, or copies of a thing, on the line of that name."""
    for at, thing in enumerate(found.things):
        if thing.name.text == name and any(item.form in COUNTING for item in thing.items):
            items = (evolve(item, number=number) if item.form in COUNTING else item for item in thing.items)
            things = (*found.things[:at], evolve(thing, items=tuple(items)), *found.things[at + 1 :])
            return evolve(found, things=things)
    return found


def _types_in(found: n.CountsDecl) -> Iterator[tuple[int, int, str]]:
    """Row, column and name of each type of pieces in a table of counts."""
    heads = [_word(cell) for cell in found.rows[0].cells] if found.rows else []
    for row_at, row in enumerate(found.rows[1:], 1):
        for column_at in range(1, min(len(row.cells), len(heads))):
            yield row_at, column_at, f"{_word(row.cells[0])}_{heads[column_at]}"


def _word(cell: Any) -> str:
    return str(getattr(cell.items[0], "name", "")) if cell.items else ""


def _unknown(game: Game, text: GameText, name: str) -> BadOption:
    from rulescript.diagnostics.spelling import spelling_hint

    known = [each.name.text for each in _functions(text)]
    for info in game.data.kinds.values():
        known += [
            f"{thing}.{name}" for name, type_ in info.attr_types.items() if type_ == ["int"] for thing in info.names
        ]
    for each in _texts(text):
        for piece in each.pieces:
            known += _named_in(piece)
    hint = spelling_hint(name, known)
    return BadOption(
        f"there is no number `{name[:80]}` in {game.title} that can be varied",
        hint=hint or "a value or function without parameters, THING.attribute, a state, or a type of pieces",
    )


def _named_in(piece: Piece) -> list[str]:
    match piece.declaration:
        case n.StateDecl() as state if _is_number(state):
            return [state.name.text]
        case n.KindDecl() as kind:
            return [f"{kind.name.text}.{state.name.text}" for state in kind.states if _is_number(state)]
        case n.CountsDecl() as counts:
            return [name for _, _, name in _types_in(counts)]
        case n.ThingsDecl(things=things):
            return [t.name.text for t in things if any(item.form in COUNTING for item in t.items)]
    return []
