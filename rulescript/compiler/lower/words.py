"""What things are called by people: labels, and values put into words."""

from __future__ import annotations

from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Known, Name
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.cost import SAID
from rulescript.compiler.lower.room import Room
from rulescript.machine import sparse
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.game import plain
from rulescript.model.types import (
    BOOL,
    INT,
    TEXT,
    ListOf,
    Maybe,
    PieceOf,
    Pile,
    SetOf,
    ThingOf,
    Type,
)

__all__ = ["Words"]

_TEXTS = (TEXT, Maybe(TEXT), ListOf(TEXT), SetOf(TEXT), ListOf(INT), SetOf(INT))


class Words(Room):
    """Puts values into words."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        # Whether the text of an option is made, in which pieces are told apart (see runtime/telling.py).
        self.is_of_option = False
        self._labels: dict[str, Code] = {}

    def labels(self, kind: m.Kind) -> Code:
        if kind.name not in self._labels:
            texts = tuple(t.label for t in kind.things)
            if kind.is_pieces and self.layout.pieces[kind.name].is_sparse:
                self._labels[kind.name] = self.constants.const(self._sparse_labels(kind), "W")
                return self._labels[kind.name]
            if kind.is_pieces:
                codes = range(self.layout.pieces[kind.name].codes) if kind.things else range(0)
                texts = tuple(self.piece_label(kind, c) for c in codes)
            self._labels[kind.name] = self.constants.const(texts, "W")
        return self._labels[kind.name]

    def _sparse_labels(self, kind: m.Kind) -> sparse.PieceLabels:
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
        return sparse.PieceLabels(tuple(thing.label for thing in kind.things) or ("",), tuple(states))

    def piece_label(self, kind: m.Kind, code: int) -> str:
        """What pieces of a code are called, with the states that are not as they start: "foot (spent)"."""
        pieces = self.layout.pieces[kind.name]
        notes = []
        for state, stride, values in pieces.states:
            value = values[code // pieces.types // stride % len(values)]
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

    def say(self, x: ir.X) -> Code:
        """Code that puts a value into words."""
        code = self.x(x)
        return self.say_code(code, x.type)

    def say_code(self, code: Code, type_: Type) -> Code:
        match type_:
            case ThingOf(kind):
                return self.labels(self.game.kinds[kind])[code]
            case PieceOf(kind) if self.is_of_option:
                return c.call("p", self.labels(self.game.kinds[kind]), kind, code)
            case PieceOf(kind):
                return self.labels(self.game.kinds[kind])[code & self.constants.low]
            case Maybe(element):
                return c.Cond(code.is_nothing(), c.Const("nothing"), self.say_code(code, element))
            case SetOf(ThingOf(kind)):
                return _joined_words(self.labels(self.game.kinds[kind])[Name("i")], ("i",), c.BITS[code])
            case SetOf():
                return _joined_words(c.call("str", Name("i")), ("i",), c.call("many", c.BITS[code], SAID))
            case ListOf(element):
                return _joined_words(self.say_code(Name("i"), element), ("i",), c.call("many", code, SAID))
            case Pile(kind):
                labels = self.constants.const(tuple(t.label for t in self.game.kinds[kind].things), "W")
                return c.call("pile_words", Known(f"IT_{self.constants.ident(kind)}")[code], labels)
        if type_ == BOOL:
            return c.Cond(code, c.Const("yes"), c.Const("no"))
        if type_ == TEXT:
            return code
        return c.call("str", code)

    def say_place(self, code: Code, type_: Type) -> Code:
        """A value in words, for a piece with the place it stands in."""
        if isinstance(type_, PieceOf):
            return self.say_code(code, type_) + Known("PLACES")[code >> self.constants.shift]
        return self.say_code(code, type_)

    def text(self, x: ir.TemplateX) -> Code:
        parts = [c.Const(p) if isinstance(p, str) else self.say(p) for p in x.parts]
        if not parts:
            return c.Const("")
        made = parts[0]
        for part in parts[1:]:
            made = made + part
        # A text made of texts that play made can grow with every round; one made of names and numbers cannot.
        grows = any(isinstance(p, ir.X) and p.type in _TEXTS and not isinstance(p, ir.Lit | ir.AttrX) for p in x.parts)
        return c.call("short", made) if grows else made


def _joined_words(value: Code, names: tuple[str, ...], source: Code) -> Code:
    """``', '.join([value for names in source])``"""
    return c.Method(c.Const(", "), "join", (c.Listing("list", value, (c.Each(names, source),)),))
