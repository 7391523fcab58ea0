"""Tables as they are printed: charts of the rules, counts of pieces, lists of things. Templates draw them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from rulescript import nodes as n
from rulescript.docgen.lines import sentence
from rulescript.docgen.outline import Outliner, capital
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import BOOL, INT, ListOf, Maybe, SetOf, Type
from rulescript.phrases import kind_noun, plural, readable
from rulescript.wording.shapes import is_true

__all__ = [
    "Cell", "Grid", "Row", "attributes_of", "counts_grid", "is_usual", "table_grid", "things_grid", "things_grids",
    "value_words",
]  # fmt: skip

_FAR = 1_000_000  # what the builder makes of the upper end of `6+`


@define
class Cell:
    """`align` is left or right; `is_head` for what names a row or column."""

    text: str
    align: str = "left"
    is_head: bool = False
    span: int = 1
    note: str = ""


@define
class Row:
    cells: list[Cell]
    cites: tuple[str, ...] = ()
    note: str = ""
    anchors: tuple[str, ...] = ()


@define
class Grid:
    """A table: `corner` says what the rows and the columns are read by."""

    title: str
    head: list[Cell]
    rows: list[Row]
    form: str = "list"
    caption: str = ""
    has_cites: bool = field(default=False)
    has_notes: bool = field(default=False)

    def __attrs_post_init__(self) -> None:
        self.has_cites = any(row.cites for row in self.rows)
        self.has_notes = any(row.note for row in self.rows)

    @property
    def is_stacked(self) -> bool:
        """Whether a narrow screen has no room for its columns, so that each row is told by itself there."""
        is_headed = all(row.cells and row.cells[0].is_head for row in self.rows)
        return self.form in ("list", "things") and is_headed and len(self.head) + self.has_notes + self.has_cites > 3


def value_words(value: Any, type_: Type, game: m.Game) -> str:
    """A fixed value as people read it."""
    if value is None:
        return "nothing"
    match value:
        case m.ThingRef(kind, index):
            return game.kinds[kind].things[index].label
        case bool():
            return "yes" if value else "no"
        case frozenset() | set():
            refs = sorted(value, key=lambda v: v.index if isinstance(v, m.ThingRef) else v)
            return ", ".join(value_words(v, _element(type_), game) for v in refs)
        case tuple() | list():
            return ", ".join(value_words(v, _element(type_), game) for v in value)
    return str(value)


def _element(type_: Type) -> Type:
    return type_.element if isinstance(type_, SetOf | ListOf | Maybe) else type_


def _key_words(key: tuple[Any, ...], type_: Type, game: m.Game) -> str:
    """``4..5, 7+`` as it is printed on a chart."""
    said: list[str] = []
    for item in key:
        if isinstance(item, tuple):
            low, high = item
            if low == high:
                said.append(str(low))
            elif high >= _FAR:
                said.append(f"{low}+")
            elif low <= -_FAR:
                said.append(f"up to {high}")
            else:
                said.append(f"{low}–{high}")
        else:
            said.append(value_words(item, type_, game))
    return ", ".join(said)


def _asked(param: ir.Var) -> str:
    """What a table is read by; a parameter of one letter goes by what it is."""
    name = readable(param.name).lower()
    kind = getattr(param.type, "kind", "") if len(name) < 3 else ""
    return capital(kind_noun(kind) if kind else name)


def table_grid(table: m.Table, game: m.Game) -> Grid:
    """A `table` of the rules: rows and columns as they are printed."""
    row_name = _asked(table.params[0])
    number = "right" if table.type == INT else "left"
    rows: list[Row] = []
    if table.columns is not None:
        column_name = _asked(table.params[1])
        head = [Cell(f"{row_name} ↓  {column_name} →", is_head=True)]
        head += [Cell(_key_words(key, table.params[1].type, game), "right", True) for key in table.columns]
    else:
        head = [Cell(row_name, is_head=True), Cell("Result", number, True)]
    for row in table.rows:
        key = "otherwise" if row.otherwise else _key_words(row.key, table.params[0].type, game)
        cells = [Cell(key, is_head=True)]
        cells += [Cell(value_words(v, table.type, game) if v != frozenset() else "–", number) for v in row.values]
        note = ""
        if row.guard is not None and not is_true(row.guard):
            said = Outliner(table.params, (), [row.guard]).say(row.guard)
            unless = said.removeprefix("it is not so that ")
            note = sentence(f"if {said}" if unless == said else f"unless {unless}")
        if row.reconstructed:
            note = f"{note} Reconstructed: {row.reconstructed}.".strip()
        cites = row.cites if row.cites != table.cites else ()
        rows.append(Row(cells, cites, note))
    return Grid(capital(readable(table.name).lower()), head, rows, "chart")


def counts_grid(node: n.CountsDecl, game: m.Game) -> Grid:
    """A `counts` table with totals."""
    header, *lines = node.rows
    labels = [_cell_label(cell, game) for cell in header.cells[1:]]
    head = [Cell("", is_head=True), *(Cell(label, "right", True) for label in labels), Cell("Total", "right", True)]
    rows: list[Row] = []
    sums = [0] * len(labels)
    for line in lines:
        numbers = [_number(cell) for cell in line.cells[1:]]
        sums = [a + b for a, b in zip(sums, [*numbers, *[0] * len(sums)], strict=False)]
        cells = [Cell(_cell_label(line.cells[0], game), is_head=True)]
        cells += [Cell(str(number) if number else "–", "right") for number in numbers]
        cells.append(Cell(str(sum(numbers)), "right"))
        note = f"Reconstructed: {line.reconstructed}" if line.reconstructed else ""
        rows.append(Row(cells, line.cites, note))
    if len(rows) > 1:
        rows.append(
            Row([Cell("Total", is_head=True), *(Cell(str(x), "right") for x in sums), Cell(str(sum(sums)), "right")])
        )
    return Grid(f"{capital(plural(kind_noun(node.kind.text)))}", head, rows, "counts")


def _number(cell: n.Cell) -> int:
    item = cell.items[0] if cell.items else None
    return item.value if isinstance(item, n.Number) else 0


def _cell_label(cell: n.Cell, game: m.Game) -> str:
    words = []
    for item in cell.items:
        name = item.name if isinstance(item, n.NameExpr) else item.span.text
        things = game.things.get(name, [])
        words.append(things[0].label if things else readable(name))
    return ", ".join(words)


def things_grids(things: Sequence[m.Thing], game: m.Game) -> list[Grid]:
    """Things as lists, one for each kind."""
    by_kind: dict[str, list[m.Thing]] = {}
    for thing in things:
        by_kind.setdefault(thing.kind.name, []).append(thing)
    return [things_grid(group, game) for group in by_kind.values()]


def things_grid(things: Sequence[m.Thing], game: m.Game) -> Grid:
    """Things of one kind with their attributes; copies of one thing are one row."""
    kind = things[0].kind
    shown = [a for a in kind.attrs.values() if _tells(a, things)]
    head = [Cell(capital(kind_noun(kind.name)), is_head=True)]
    head += [Cell(capital(readable(a.name)), "right" if a.type == INT else "left", True) for a in shown]
    counted = kind.is_pieces or any(t.copy_of for t in things)
    if counted:
        head.append(Cell("Number", "right", True))
    rows: list[Row] = []
    copies: dict[str, int] = {}
    for thing in things:
        if thing.copy_of:
            copies[thing.copy_of] = copies.get(thing.copy_of, 0) + 1
    seen: set[str] = set()
    for thing in things:
        if thing.copy_of:
            if thing.copy_of in seen:
                continue
            seen.add(thing.copy_of)
        cells = [Cell(thing.label, is_head=True)]
        for attr in shown:
            cells.append(_value_cell(attr, thing, game))
        if counted:
            number = thing.count if kind.is_pieces else copies.get(thing.copy_of, 1)
            cells.append(Cell(str(number), "right"))
        note = f"Reconstructed: {thing.reconstructed}" if thing.reconstructed else ""
        rows.append(Row(cells, thing.cites, note))
    common = {row.cites for row in rows}
    if len(common) == 1:
        for row in rows:
            row.cites = ()
    return Grid(capital(plural(kind_noun(kind.name))), head, rows, "things")


def _tells(attr: m.Attr, things: Sequence[m.Thing]) -> bool:
    """Whether an attribute says anything about some things: one of them differs from no, 0 and nothing."""
    dull: tuple[Any, ...] = (None, False, 0, "", frozenset(), ())
    return any(
        not any(value is d or (value == d and type(value) is type(d)) for d in dull)
        for t in things
        if t.index < len(attr.values)
        for value in [attr.values[t.index]]
    )


def is_usual(attr: m.Attr, thing: m.Thing, game: m.Game) -> bool:
    """Whether a thing has the value that those have of which nothing is said."""
    value = attr.values[thing.index] if thing.index < len(attr.values) else None
    match attr.default, value:
        case n.Number(value=usual), int():
            return value == usual
        case n.NameExpr(name=usual), m.ThingRef(kind, index):
            return game.kinds[kind].things[index].name == usual
    return False


def _value_cell(attr: m.Attr, thing: m.Thing, game: m.Game) -> Cell:
    value = attr.values[thing.index] if thing.index < len(attr.values) else None
    if attr.type == BOOL:
        return Cell("yes" if value else "")
    if attr.type == INT:
        return Cell(str(value), "right")
    if value is None or value == frozenset() or value == ():
        return Cell("")
    return Cell(value_words(value, attr.type, game))


def attributes_of(thing: m.Thing, game: m.Game, *, with_usual: bool = True) -> list[tuple[str, str]]:
    """A thing's attributes that say something, in words, in the order they were declared; perhaps without those that
    are as usual, which are not printed on a card."""
    out: list[tuple[str, str]] = []
    for attr in thing.kind.attrs.values():
        if not _tells(attr, [thing]) or (not with_usual and is_usual(attr, thing, game)):
            continue
        cell = _value_cell(attr, thing, game)
        name = readable(attr.name)
        out.append((name, "" if attr.type == BOOL else cell.text))
    return out
