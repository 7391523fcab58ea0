"""What a rule tells the journal in words, in parts where it names what can lie hidden."""

from __future__ import annotations

from typing import Any

from rulescript.analysis.kept_secrets import bound_in
from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Const, call
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.room import Room
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import free_vars, statements_in, walk
from rulescript.model.types import (
    ListOf,
    Maybe,
    PieceOf,
    Pile,
    SetOf,
    ThingOf,
    Type,
    type_data,
)

__all__ = ["Telling"]


class Telling(Room):
    """Writes what the journal is told in words."""

    def tell(self, statement: ir.TellS, out: Lines) -> None:
        text = statement.text
        sort = {"": "tell", "roll": "purpose"}.get(statement.role, statement.role)
        types = [self._named_type(part) for part in text.parts]
        if not self.program.has_secrets or not any(types):
            self.program.journal(out, sort, statement, [self.words.text(text)])
            return
        # In parts, so that nobody reads the name of what they may not know.
        parts = c.Tuple(tuple(self._told_part(part) for part in text.parts))
        self.program.journal(out, sort, statement, [self.words.text(text), parts], types)

    def round(self, statement: ir.ForS, value: Code, out: Lines) -> None:
        """The journal is told that a round begins: a turn, or a player's part of it."""
        state = statement.var.state
        if state is not None:
            out.tell(self.program.site("round", statement, ("", state.name)), Const(0), value, value)

    def has_headline(self, procedure: m.Procedure) -> bool:
        """Whether what happens in a rule is told as a story of its own."""
        return any(isinstance(s, ir.TellS) and s.role == "headline" for s in statements_in(procedure.block))

    def scene(self, procedure: m.Procedure, sort: str, out: Lines) -> None:
        """The journal is told that such a rule begins ("enter") or ends ("leave")."""
        if self.has_headline(procedure):
            out.tell(self.program.site(sort, ir.DocS(procedure.span, procedure.cites, "")), Const(0))

    def _named_type(self, part: str | ir.X) -> Any:
        """What a part of a text names that can lie hidden: the type of its value, or those of the things whose fact it
        tells ("of"); None if it names nothing."""
        if isinstance(part, str):
            return None
        if isinstance(part.type, Pile):
            return ["list", ["piece", part.type.kind]]
        about = self._told_of(part)
        if about:
            return ["of", [type_data(x.type) for x in about]]
        return type_data(part.type) if isinstance(_one_of(part.type), ThingOf | PieceOf) else None

    def _told_of(self, part: ir.X) -> list[ir.X]:
        """The things and pieces, by the names and states a rule has for them, whose facts a part of a text tells; with
        those whose label it tells, and with what it names itself. Nothing if it only names something."""
        named: dict[Any, ir.X] = {}
        bound: set[int] = set()
        for x in walk(part):
            match x:
                case ir.Local(var=var):
                    named[var.ident] = x
                case ir.StateX(state=state):
                    named[id(state), str(x.of and x.of.span)] = x
                case ir.BuiltinX(name="label", args=(ir.X() as labelled,)):
                    named[id(labelled)] = labelled
                case ir.FilterX(var=var) | ir.MostX(var=var):
                    bound.add(var.ident)
                case ir.QuantX(picks=picks) | ir.AggregateX(picks=picks):
                    bound |= {var.ident for var, _ in picks}
        # How many there are of several is told: only a single one is told of.
        single = [
            x
            for x in named.values()
            if not isinstance(x.type, SetOf | ListOf) and not (free_vars(x) - bound_in(x)) & bound
        ]
        found = [x for x in single if x is not part and self._can_be_hidden(x.type)]
        return [*found, part] if found and self._can_be_hidden(part.type) else found

    def _can_be_hidden(self, type_: Type) -> bool:
        """Whether a value is a thing or piece (or several) that lies somewhere."""
        element = _one_of(type_)
        return isinstance(element, PieceOf) or (isinstance(element, ThingOf) and element.kind in self.layout.loc_slot)

    def _told_part(self, part: str | ir.X) -> Code:
        named = self._named_type(part)
        if isinstance(part, str):
            return Const(part)
        if named is None:
            return self.words.say(part)
        if named[0] == "of":
            return c.Tuple((self.words.say(part), c.Tuple(tuple(self.x(x) for x in self._told_of(part)))))
        return call("tuple", self.loops.refs(part)) if isinstance(part.type, Pile) else self.x(part)


def _one_of(type_: Type) -> Type:
    """What a value is, or what it is made of."""
    while isinstance(type_, SetOf | ListOf | Maybe):
        type_ = type_.element
    return type_
