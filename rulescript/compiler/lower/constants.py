"""Constants of the generated module: tables, masks, and what is worked out from them once."""

from __future__ import annotations

from typing import Any

from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Const, Known
from rulescript.compiler.emit import python
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.room import Room
from rulescript.machine import sparse, tables
from rulescript.machine.names import machine_names
from rulescript.model import game as m
from rulescript.model.types import (
    ThingOf,
    Type,
)

__all__ = ["Constants"]


class Constants(Room):
    """Names tables and masks, each once."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self.values: dict[str, Any] = {}
        self._known: dict[Any, str] = {}
        # Tables that are asked for again and again.
        self._links: dict[tuple[str, tuple[str, ...]], Code] = {}
        self._owners: dict[str, Code] = {}
        self.nears: dict[str, str] = {}
        self.known: dict[Code, str] = {}
        # Questions about codes of pieces that have no counters.
        self.asked: dict[Code, str] = {}
        self.base: dict[str, Any] = machine_names()
        # One piece is the slot of its place and its code, in so many bits.
        self.shift, self.low = layout.shift, (1 << layout.shift) - 1
        for name, pieces in layout.pieces.items():
            n = self.ident(name)
            if pieces.is_sparse:
                self.values[f"IT_{n}"], self.values[f"CD_{n}"] = sparse.SparseItems(), sparse.SparseCodes()
                self.values[f"CN_{n}"] = sparse.SparseCounts()
                self.values[f"UN_{n}"], self.values[f"FM_{n}"] = sparse.SparseUnits(), sparse.SparseFields()
                continue
            self.values[f"IT_{n}"] = items = tables.Items(pieces.fields)
            self.values[f"CD_{n}"] = tables.Codes(items)
            self.values[f"CN_{n}"] = tables.Counts(items)
            self.values[f"UN_{n}"], self.values[f"FM_{n}"] = items.units(), items.masks()

    def owners(self, type_: Type) -> Code:
        """For every place, the thing of a kind that it belongs to. Another rule may have moved a thing or piece to a
        place of another kind, or out of the game: then it stands in none, and a rule that goes on with it fails."""
        if not isinstance(type_, ThingOf):
            raise AssertionError(type_)
        if type_.kind not in self._owners:
            table: list[int | None] = [None] * (max(self.layout.place_of_slot, default=0) + 2)
            for slot, (holds, owner) in self.layout.place_of_slot.items():
                if holds.owner is not None and holds.owner.name == type_.kind:
                    table[slot] = owner
            self._owners[type_.kind] = self.const(tuple(table), "R")
        return self._owners[type_.kind]

    def ident(self, kind: str) -> int:
        """A number for a kind: names of the game never reach the generated text."""
        return list(self.game.kinds).index(kind)

    def is_sparse(self, kind: int) -> bool:
        """Whether the pieces of a kind, by its number, have no counters."""
        name = list(self.game.kinds)[kind]
        return name in self.layout.pieces and self.layout.pieces[name].is_sparse

    def question(self, sort: str, work: Code) -> Code:
        """A question about codes: `Which`, `WhichBy` or `WhichIn` of a function."""
        asked = c.call(sort, work)
        if asked not in self.asked:
            name = self.asked[asked] = f"WH{len(self.asked)}"
            self.values[name] = self.worked_out(asked)
        return Known(self.asked[asked])

    def worked_out(self, code: Code) -> Any:
        """The value of code that needs nothing but the machine and constants."""
        used = {each.text for each in c.inside(code) if isinstance(each, Known)}
        scope = {key: known[key] for known in (self.base, self.values) for key in used if key in known}
        return eval(python(code), scope)

    def const(self, value: Any, prefix: str = "K") -> Code:
        """A constant by its name."""
        key = (prefix, type(value).__name__, value)
        try:
            if key in self._known:
                return Known(self._known[key])
        except TypeError:
            key = (prefix, "id", id(value))
        name = f"{prefix}{len(self.values)}"
        self.values[name] = value
        self._known[key] = name
        return Known(name)

    def near(self, table: Code) -> Code:
        """What a table gives for a whole set, joined and remembered: neighbours, or counters of pieces."""
        assert isinstance(table, Known)
        name = f"NB{table.text[1:]}"
        if name not in self.nears:
            self.nears[name] = table.text
            self.values[name] = tables.Near(self.values[table.text])
        return Known(name)

    def big(self, value: int) -> Code:
        """A large fixed mask by name, a small one in place."""
        return Const(value) if value < 1 << 62 else self.const(value, "B")

    def links(self, kind: m.Kind, sorts: tuple[str, ...]) -> Code:
        if (kind.name, sorts) not in self._links:
            table = [0] * kind.size
            for sort in sorts:
                for i, near in enumerate(kind.links.get(sort, [])):
                    for j in near:
                        table[i] |= 1 << j
            self._links[kind.name, sorts] = self.const(tuple(table), "L")
        return self._links[kind.name, sorts]
