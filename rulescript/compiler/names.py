"""Names in the generated code: constants, slots, functions of rules, and what things are called by people.

The names of the game never become names of Python: constants and functions are numbered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rulescript.analysis.types import BOOL, INT, TEXT, ListOf, Maybe, PieceOf, Pile, SetOf, ThingOf, Type
from rulescript.compiler.layout import Layout, plain
from rulescript.compiler.work import SAID, Work
from rulescript.compiler.writer import begin_writing
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.runtime import support

__all__ = ["NAMES", "Names", "type_data"]

# Names of Python in a piece of it.
NAMES = re.compile(r"[A-Za-z_]\w*")
_TEXTS = (TEXT, Maybe(TEXT), ListOf(TEXT), SetOf(TEXT), ListOf(INT), SetOf(INT))


class Names:
    """What is named, and by what."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        begin_writing()
        self.game = game
        self.layout = layout
        self.constants: dict[str, Any] = {}
        self._known: dict[Any, str] = {}
        self._plain_values: dict[int, tuple[Any, ...]] = {}
        self._labels: dict[str, str] = {}
        self._tables: dict[int, str] = {}
        self._piece_tables: dict[int, str] = {}
        self._static: dict[tuple[str, int], list[Any]] = {}
        self.env: dict[int, str] = {}
        # What the rule being written gives back besides its value: pieces it was handed and has changed.
        self._handed = ""
        # Whether the text of an option is made, in which pieces are told apart (see runtime/telling.py).
        self.telling = False
        self.function_names: dict[int, str] = {}
        self.route_names: dict[int, str] = {}
        self.table_names: dict[int, str] = {}
        self.work = Work(game)
        # What each round of the loop that is being written counts in play.
        self.round = 0
        # Whether loops are counted where they stand.
        self.is_counted = True
        # Pieces a loop goes over: the names of their code and of the thing they stand in.
        self.codes: dict[int, tuple[str, str]] = {}
        self._fresh = 0
        self.remembered: set[str] = set()
        self.nears: dict[str, str] = {}
        self.known: dict[str, str] = {}
        self.hoists: dict[str, str] | None = None
        self.inner = 0
        self._hoisted = 0
        self.base: dict[str, Any] = {name: getattr(support, name) for name in dir(support) if not name.startswith("_")}
        # One piece is the slot of its place and its code, in so many bits.
        self.shift, self.low = layout.shift, (1 << layout.shift) - 1
        # Questions about codes of pieces that have no counters, by their text.
        self.asked: dict[str, str] = {}
        for name, pieces in layout.pieces.items():
            n = self.ident(name)
            if pieces.is_sparse:
                self.constants[f"IT_{n}"], self.constants[f"CD_{n}"] = support.SparseItems(), support.SparseCodes()
                self.constants[f"CN_{n}"] = support.SparseCounts()
                self.constants[f"UN_{n}"], self.constants[f"FM_{n}"] = support.SparseUnits(), support.SparseFields()
                continue
            self.constants[f"IT_{n}"] = items = support.Items(pieces.fields)
            self.constants[f"CD_{n}"] = support.Codes(items)
            self.constants[f"CN_{n}"] = support.Counts(items)
            self.constants[f"UN_{n}"] = tuple(pieces.unit(c) for c in range(pieces.codes))
            self.constants[f"FM_{n}"] = tuple(pieces.field(c) for c in range(pieces.codes))

    # -------------------------------------------------------------- small things

    def owners(self, type_: Type) -> str:
        """For every place, the thing of a kind that it belongs to. Another rule may have moved a thing or piece to a
        place of another kind, or out of the game: then it stands in none, and a rule that goes on with it fails."""
        if not isinstance(type_, ThingOf):
            raise AssertionError(type_)
        table: list[int | None] = [None] * (max(self.layout.place_of_slot, default=0) + 2)
        for slot, (holds, owner) in self.layout.place_of_slot.items():
            if holds.owner is not None and holds.owner.name == type_.kind:
                table[slot] = owner
        return self.const(tuple(table), "R")

    def ident(self, kind: str) -> int:
        """A number for a kind: names of the game never reach the generated text."""
        return list(self.game.kinds).index(kind)

    def is_sparse(self, kind: int) -> bool:
        """Whether the pieces of a kind, by its number, have no counters."""
        name = list(self.game.kinds)[kind]
        return name in self.layout.pieces and self.layout.pieces[name].is_sparse

    def question(self, sort: str, work: str) -> str:
        """The name of a question about codes: `Which`, `WhichBy` or `WhichIn` of a function."""
        text = f"{sort}({work})"
        if text not in self.asked:
            name = self.asked[text] = f"WH{len(self.asked)}"
            used = set(NAMES.findall(work))
            scope = {key: known[key] for known in (self.base, self.constants) for key in used if key in known}
            self.constants[name] = eval(text, {**self.base, **scope})
        return self.asked[text]

    def const(self, value: Any, prefix: str = "K") -> str:
        """The name of a constant."""
        key = (prefix, type(value).__name__, value)
        try:
            if key in self._known:
                return self._known[key]
        except TypeError:
            key = (prefix, "id", id(value))
        name = f"{prefix}{len(self.constants)}"
        self.constants[name] = value
        self._known[key] = name
        return name

    def near(self, table: str) -> str:
        """What a table gives for a whole set, joined and remembered: neighbours, or counters of pieces."""
        name = f"NB{table[1:]}"
        if name not in self.nears:
            self.nears[name] = table
            self.constants[name] = support.Near(self.constants[table])
        return name

    def local(self, var: ir.Var) -> str:
        found = self.env.get(var.ident)
        if found is None:
            found = self.env[var.ident] = f"v{var.ident}"
        return found

    def is_set_of_things(self, type_: Type) -> bool:
        return isinstance(type_, SetOf)

    # -------------------------------------------------------------- expressions

    def kind_of(self, type_: Type) -> str:
        match type_:
            case ThingOf(kind) | PieceOf(kind) | Pile(kind):
                return kind
            case SetOf(element) | ListOf(element) | Maybe(element):
                return self.kind_of(element)
        raise AssertionError(type_)

    def fresh(self, prefix: str) -> str:
        self._fresh += 1
        return f"{prefix}{self._fresh}"

    # -------------------------------------------------------------- words

    def labels(self, kind: m.Kind) -> str:
        if kind.name not in self._labels:
            texts = tuple(t.label for t in kind.things)
            if kind.is_pieces and self.layout.pieces[kind.name].is_sparse:
                self._labels[kind.name] = self.const(self._sparse_labels(kind), "W")
                return self._labels[kind.name]
            if kind.is_pieces:
                codes = range(self.layout.pieces[kind.name].codes) if kind.things else range(0)
                texts = tuple(self.piece_label(kind, c) for c in codes)
            self._labels[kind.name] = self.const(texts, "W")
        return self._labels[kind.name]

    def _sparse_labels(self, kind: m.Kind) -> support.PieceLabels:
        """The same for any code, worked out when it is asked for."""
        pieces = self.layout.pieces[kind.name]
        states = []
        for state, stride, values in pieces.states:
            name = state.name.replace("_", " ")
            labels: tuple[str, ...] | None = None
            lowest = 0
            if state.type == BOOL:
                labels = (f"not {name}", name)
            elif isinstance(state.type, ThingOf):
                labels = tuple(thing.label for thing in self.game.kinds[state.type.kind].things)
            elif isinstance(values, range):
                lowest = values.start
            else:
                labels = tuple(f"{name} {value}" for value in values)
            start = values.index(plain(state.initial))
            states.append((name, stride * pieces.types, len(values), start, labels, lowest))
        return support.PieceLabels(tuple(thing.label for thing in kind.things) or ("",), tuple(states))

    def piece_label(self, kind: m.Kind, code: int) -> str:
        """What pieces of a code are called, with the states that are not as they start: "foot (spent)"."""
        pieces = self.layout.pieces[kind.name]
        notes = []
        for state, _, _ in pieces.states:
            value = pieces.state_of(code, state)
            if value == plain(state.initial):
                continue
            name = state.name.replace("_", " ")
            if state.type == BOOL:
                notes.append(name if value else f"not {name}")
            elif isinstance(state.type, ThingOf):
                notes.append(self.game.kinds[state.type.kind].things[value].label)
            else:
                notes.append(f"{name} {value}")
        label = kind.things[code % pieces.types].label
        return f"{label} ({', '.join(notes)})" if notes else label

    def say(self, x: ir.X) -> str:
        """Python that puts a value into words."""
        code = self.x(x)
        return self.say_code(code, x.type)

    def say_code(self, code: str, type_: Type) -> str:
        match type_:
            case ThingOf(kind):
                return f"{self.labels(self.game.kinds[kind])}[{code}]"
            case PieceOf(kind) if self.telling:
                return f"p({self.labels(self.game.kinds[kind])}, {kind!r}, {code})"
            case PieceOf(kind):
                return f"{self.labels(self.game.kinds[kind])}[{code} & {self.low}]"
            case Maybe(element):
                return f"('nothing' if {code} is None else {self.say_code(code, element)})"
            case SetOf(ThingOf(kind)):
                return f"', '.join([{self.labels(self.game.kinds[kind])}[i] for i in BITS[{code}]])"
            case SetOf():
                return f"', '.join([str(i) for i in many(BITS[{code}], {SAID})])"
            case ListOf(element):
                return f"', '.join([{self.say_code('i', element)} for i in many({code}, {SAID})])"
            case Pile(kind):
                labels = self.labels(self.game.kinds[kind])
                return f"', '.join([f'{{n}} {{{labels}[c]}}' for c, n in IT_{self.ident(kind)}[{code}]])"
        if type_ == BOOL:
            return f"('yes' if {code} else 'no')"
        if type_ == TEXT:
            return code
        return f"str({code})"

    def text(self, x: ir.TemplateX) -> str:
        parts = [repr(p) if isinstance(p, str) else self.say(p) for p in x.parts]
        if not parts:
            return "''"
        made = "(" + " + ".join(parts) + ")"
        # A text made of texts that play made can grow with every round; one made of names and numbers cannot.
        grows = any(isinstance(p, ir.X) and p.type in _TEXTS and not isinstance(p, ir.Lit | ir.AttrX) for p in x.parts)
        return f"short{made}" if grows else made

    # -------------------------------------------------------------- names of rules

    def function_name(self, function: m.Function) -> str:
        name = self.function_names.get(id(function))
        if name is None:
            name = self.function_names[id(function)] = f"f{len(self.function_names)}"
            with self.apart():
                self.need_function(function)
        return name

    def route_name(self, route: m.Route) -> str:
        name = self.route_names.get(id(route))
        if name is None:
            name = self.route_names[id(route)] = f"r{len(self.route_names)}"
            with self.apart():
                self.need_route(route)
        return name

    def table_name(self, table: m.Table) -> str:
        name = self.table_names.get(id(table))
        if name is None:
            name = self.table_names[id(table)] = f"t{len(self.table_names)}"
            with self.apart():
                self.need_table(table)
        return name

    @contextmanager
    def apart(self) -> Iterator[None]:
        """While another function is written, nothing is shared with the one being written."""
        before, self.hoists = self.hoists, None
        inner, self.inner = self.inner, 0
        handed, self._handed = self._handed, ""
        counting = (self.round, self.is_counted)
        self.round, self.is_counted = 0, True
        try:
            yield
        finally:
            self.hoists, self.inner, self._handed = before, inner, handed
            self.round, self.is_counted = counting

    def need_function(self, function: m.Function) -> None:
        raise NotImplementedError

    def need_route(self, route: m.Route) -> None:
        raise NotImplementedError

    def need_table(self, table: m.Table) -> None:
        raise NotImplementedError

    def x(self, x: ir.X) -> str:
        raise NotImplementedError

    def listed(self, x: ir.X, any_order: bool = False) -> str:
        raise NotImplementedError


def type_data(type_: Type) -> Any:
    """A type as plain data: ["thing", kind], ["set", inner] ..."""
    match type_:
        case ThingOf(kind):
            return ["thing", kind]
        case PieceOf(kind):
            return ["piece", kind]
        case SetOf(element):
            return ["set", type_data(element)]
        case ListOf(element):
            return ["list", type_data(element)]
        case Maybe(element):
            return ["maybe", type_data(element)]
    return [getattr(type_, "name", "error")]
