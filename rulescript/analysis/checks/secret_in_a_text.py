"""Texts that name something hidden and are told to everybody.

A `tell` with `{c}` is written in parts, so that nobody reads the name of what they may not know. A text that was made
before (`let x = "{c}"`, `label(c)` in a function, what adjusts a value) has no parts any more: who is told it reads all
of it. So with what `end game` says, and a state that holds a text. In comes the checked model; out go reports on what
such words name that not everybody can work out. What the rules only *do* by what is hidden (`if some hand[red] then "a"
else "b"`) is the writer's business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulescript.analysis.handing_on import all_see_what_comes_to, statements_of
from rulescript.analysis.kept_secrets import returned_by
from rulescript.analysis.looking import rule_line
from rulescript.analysis.veiled_parameters import turned_by
from rulescript.analysis.who_knows import MOST_CALLS
from rulescript.diagnostics import Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.traverse import walk
from rulescript.model.types import TEXT, Maybe, PieceOf, ThingOf, Type, element_of

__all__ = ["check_secrets_in_texts"]

# The kinds of what not everybody may know, by name.
Kinds = Mapping[str, m.Kind]
_WHOSE = {"": "this `tell`", "headline": "this headline", "roll": "this roll"}


def check_secrets_in_texts(game: m.Game, reporter: Reporter) -> None:
    """Report texts from which everybody would read the name of something hidden."""
    kinds = {h.kind.name: h.kind for h in game.every_place() if h.visibility or h.kind.hidden is not None}
    for procedure in game.every_procedure() if kinds else ():
        known: set[int] = set()  # the names of what was turned up or shown, and of texts that name nothing else
        for statement in statements_of(procedure):
            for part, whose in _told(statement, kinds):
                is_secret = _names_a_secret(part, kinds, known, isinstance(statement, ir.TellS))
                if is_secret and not reporter.has_said("RS345", part.span):
                    _report(game, reporter, part, whose, statement.cites)
            known |= {var.ident for var in turned_by(statement)}
            if isinstance(statement, ir.LetS) and statement.value.type == TEXT:
                if not _names_a_secret(statement.value, kinds, known, False):
                    known.add(statement.var.ident)


def _told(statement: ir.S, kinds: Kinds) -> Iterator[tuple[ir.X, str]]:
    """The parts of what a statement lets everybody read, and what that is; without those of a `tell` that are only
    told to who may know them."""
    match statement:
        case ir.EndS(how=ir.TemplateX(parts=parts)):
            yield from ((part, "the end of the game") for part in parts if isinstance(part, ir.X))
        case ir.TellS(text=text, role=role):
            for part in text.parts:
                if isinstance(part, ir.X) and not _is_told_in_parts(part, kinds):
                    yield part, _WHOSE[role]
        case ir.AssignS(target=ir.StateX(state=state), value=value) if state.type == TEXT:
            if state.kind is None or state.kind.name not in kinds:
                yield value, f"`{state.name}`"


def _is_told_in_parts(part: ir.X, kinds: Kinds) -> bool:
    """Whether a part of a `tell` names a thing by itself, or its label: then play sees to who reads it."""
    is_label = isinstance(part, ir.BuiltinX) and part.name == "label"
    return is_label or _can_be_hidden(part.type, kinds)


def _names_a_secret(part: ir.X, kinds: Kinds, known: set[int], is_told: bool) -> bool:
    """Whether a part of a text names what not everybody can work out, by another name than those of what all have seen
    by now (be it in one branch only: there the writer is believed). Where it `is_told` in parts, play looks who may
    know the things that the rule itself has a name or a state for."""
    from rulescript.analysis.secrets import can_all_work_out  # which asks the checks in turn

    named = [
        x
        for x in _named_in(part, kinds)
        if not (is_told and isinstance(x, ir.Local | ir.StateX) and _can_be_hidden(x.type, kinds))
    ]
    unknown = (x for x in named if not (isinstance(x, ir.Local) and x.var.ident in known))
    return not all(can_all_work_out(x, faces=True) for x in unknown)


def _named_in(x: ir.X, kinds: Kinds, calls: int = 0) -> Iterator[ir.X]:
    """What a text may name: things of some kinds, and texts that were made before."""
    if _can_be_hidden(x.type, kinds):
        yield x
        return
    match x:
        case ir.TemplateX(parts=parts):
            for part in parts:
                if isinstance(part, ir.X):
                    yield from _named_in(part, kinds, calls)
        case ir.IfX(then=then, otherwise=otherwise):
            yield from _named_in(then, kinds, calls)
            yield from _named_in(otherwise, kinds, calls)
        case ir.BuiltinX(name="label", args=args):
            yield from (arg for arg in args if _can_be_hidden(arg.type, kinds))
        case ir.BuiltinX(name="reasons", args=(ir.CallX(function=function),)):
            yield from _unseen_in_force(function, kinds)
        case ir.CallX(function=function, args=args) if x.type == TEXT and calls < MOST_CALLS:
            given = {param.ident: arg for param, arg in zip(function.params, args, strict=True)}
            for value in returned_by(function.block):
                yield from _named_in(substitute(value, given), kinds, calls + 1)
        case ir.Local() if x.type == TEXT:
            yield x


def _unseen_in_force(function: m.Function, kinds: Kinds) -> Iterator[ir.X]:
    """The places in which cards may lie unseen and be in force, with words among the reasons for a value. What was put
    on top of a pile was seen by all, though other things lie on it by now."""
    of_things = {thing.name: kind for kind in kinds.values() for thing in kind.things}
    for each in function.adjustments:
        kind = of_things.get(each.thing)
        for place in walk(each.condition) if kind is not None and each.condition is not None else ():
            if isinstance(place, ir.ContentsX) and place.holds.kind is kind:
                if kind.hidden is not None or not all_see_what_comes_to(place.holds, "top"):
                    yield place


def _can_be_hidden(type_: Type, kinds: Kinds) -> bool:
    element = element_of(type_) or (type_.element if isinstance(type_, Maybe) else type_)
    return isinstance(element, ThingOf | PieceOf) and element.kind in kinds


def _report(game: m.Game, reporter: Reporter, part: ir.X, whose: str, cites: tuple[str, ...]) -> None:
    shown = " ".join(part.span.text.split())
    what = f"`{shown}`" if 0 < len(shown) < 40 else "this"
    hint = "leave it out of the words, or tell something that they can see"
    if whose.startswith("this"):
        hint = "name the thing itself in braces, such as `{c}`: that is told only to those who may know it"
    reporter.error(
        "RS345",
        f"the words of {whose} tell something hidden: {what} names what not everybody may see",
        part.span,
        "hidden",
        hint=hint,
        rule=rule_line(game, cites),
    )
