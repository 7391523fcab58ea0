"""Where the names in rules stand for what not everybody can work out.

`let best = max(c.rank for c in North.hand)` gives a number a name; a loop over a hand, what was picked from it, and a
parameter that any of these is handed to are such names too. What is asked because of them, and what is told with them,
must look the same to others as if it were asked of the hand itself. In comes the whole model; out go notes on the names
(`Var.is_private`) and on where they are used (`Local.is_private`); on states that change, and places that are filled or
emptied, while not everybody knows their thing (`State.is_unseen`, `Holds.is_unseen`), and on the names of things that
may lie anywhere (`Var.is_anywhere`): to read such a state or place of such a thing tells something of what is hidden.

A rule is read from its beginning to its end. Once something is moved through a name to where all see it, or shown, the
name is no secret any more, be it in one branch only: it may be known by then, and the writer is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulescript.analysis.anywhere import is_from_anywhere
from rulescript.analysis.asked_rules import bodies_of
from rulescript.analysis.handing_on import Mentions, handed_by, opened_by, statements_of, until_settled
from rulescript.analysis.kept_secrets import bound_in, of_any, picks_of
from rulescript.analysis.looking import deep
from rulescript.analysis.looks_into import forget_rule
from rulescript.analysis.secrets import can_all_work_out
from rulescript.analysis.veiled_parameters import turned_by
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import free_vars, walk
from rulescript.model.types import ThingOf, element_of

__all__ = ["note_private_names"]


def note_private_names(mentions: Mentions) -> None:
    """Note where names stand for what not everybody can work out."""
    if not any(holds.visibility or holds.kind.hidden is not None for holds in mentions.game.every_place()):
        return
    rules = [_Rule(procedure) for procedure in mentions.procedures]
    for each in mentions.asked.values():
        _note_elements(bodies_of(each))
    from_anywhere: set[int] = set()
    until_settled(mentions, lambda at: rules[at].whereabouts(from_anywhere))
    hidden = {h.kind.name for h in mentions.game.every_place() if h.visibility or h.kind.hidden is not None}
    giving: dict[int, list[ir.ContentsX] | None] = {}
    until_settled(mentions, lambda at: rules[at].notes(giving, hidden), forget_rule)


class _Rule:
    """A procedure with what stands around it, statement by statement; and the names that each statement uses."""

    def __init__(self, procedure: m.Procedure) -> None:
        self.procedure = procedure
        self.statements = statements_of(procedure)
        self.used = [list(_used(statement)) for statement in self.statements]

    def whereabouts(self, giving: set[int]) -> Iterator[int]:
        """Note the names that may stand for a thing wherever it lies; `giving` are the rules that give such a thing
        back."""
        for statement in self.statements:
            _note_elements(_own(statement))
            for var, source in (*_bound(statement), *handed_by(statement)):
                if not var.is_anywhere and is_from_anywhere(source):
                    var.is_anywhere = True
                    yield var.ident
            match statement:
                case ir.ReturnS(value=ir.X() as value) if id(self.procedure) not in giving and is_from_anywhere(value):
                    giving.add(id(self.procedure))
                    yield id(self.procedure)
                case ir.CallS(procedure=called, result=ir.Local(var=var) | (ir.Var() as var)) if id(called) in giving:
                    if not var.is_anywhere:
                        var.is_anywhere = True
                        yield var.ident

    def notes(self, giving: dict[int, list[ir.ContentsX] | None], hidden: set[str]) -> Iterator[int]:
        """Note the names of the rule, and what it hands on; what they are that were not known before. `giving` are the
        rules that give back something private (None), or from where something may lie face down; `hidden` the kinds
        whose things somebody may not know."""
        opened: set[int] = set()
        turned: set[int] = set()
        for statement, used in zip(self.statements, self.used, strict=True):
            for local in used:
                if local.var.is_private and not local.is_private and local.var.ident not in opened:
                    local.is_private = True
                local.is_veiled = bool(local.var.veiled_in) and local.var.ident not in turned
            for var, source in _bound(statement):
                opened.discard(var.ident)
                turned.discard(var.ident)
                if not var.veiled_in and not can_all_work_out(source, faces=True):
                    var.veiled_in = list(_veiled(source))
            for var, source in handed_by(statement):
                if not var.veiled_in and not can_all_work_out(source, faces=True):
                    var.veiled_in = [_in_other_words(place) for place in _veiled(source)]
                    if var.veiled_in:
                        yield var.ident
            picked = {var.ident for var, source in picks_of(statement) if is_from_anywhere(source)}
            for var, source in (*_bound(statement), *handed_by(statement)):
                # Which of all there are somebody picked is known to those who know where it lies.
                is_secret = var.ident in picked and _kind_of(source) in hidden
                if not var.is_private and (is_secret or not can_all_work_out(source)):
                    var.is_private = True
                    yield var.ident
            match statement:
                case ir.AssignS(target=ir.StateX(state=state, of=ir.X() as of), value=value) if (
                    not state.is_unseen and state.kind is not None and state.kind.name in hidden
                ):
                    if not can_all_work_out(of, faces=True) or not can_all_work_out(value, faces=True):
                        state.is_unseen = True
                        yield id(state)
                case ir.CallS(procedure=called, result=ir.Local(var=var) | (ir.Var() as var)) if id(called) in giving:
                    if giving[id(called)] is None and not var.is_private:
                        var.is_private = True
                        yield var.ident
                    if giving[id(called)] and not var.veiled_in:
                        var.veiled_in = list(giving[id(called)] or ())
                        yield var.ident
                case ir.ReturnS(value=ir.X() as value) if giving.get(id(self.procedure), ()) is not None:
                    if not can_all_work_out(value):
                        giving[id(self.procedure)] = None
                        yield id(self.procedure)
                    elif id(self.procedure) not in giving and not can_all_work_out(value, faces=True):
                        giving[id(self.procedure)] = [_in_other_words(place) for place in _veiled(value)]
                        yield id(self.procedure)
            yield from _note_carried(statement, hidden)
            opened.update(var.ident for var in opened_by(statement))
            turned.update(var.ident for var in turned_by(statement))


def _note_carried(statement: ir.S, hidden: set[str]) -> Iterator[int]:
    """Note the places that are filled or emptied while not everybody may know the thing that they belong to."""
    for place in deep(statement) if isinstance(statement, ir.MoveS | ir.PlaceS | ir.DrawS) else ():
        if not isinstance(place, ir.ContentsX) or place.of is None or place.holds.is_unseen:
            continue
        owner = place.holds.owner
        if owner is not None and owner.name in hidden and not can_all_work_out(place.of, faces=True):
            place.holds.is_unseen = True
            yield id(place.holds)


def _note_elements(parts: Any) -> None:
    """Note the names within expressions that may stand for a thing wherever it lies."""
    for x in deep(parts):
        match x:
            case ir.FilterX(var=var, source=source) | ir.MostX(var=var, source=source):
                var.is_anywhere = var.is_anywhere or is_from_anywhere(source)
            case ir.QuantX(picks=picks) | ir.AggregateX(picks=picks):
                for var, source in picks:
                    var.is_anywhere = var.is_anywhere or is_from_anywhere(source)


def _kind_of(source: ir.X) -> str:
    """The kind of the things that a value has in it."""
    type_ = element_of(source.type) or source.type
    return type_.kind if isinstance(type_, ThingOf) else ""


def _veiled(source: ir.X) -> Iterator[ir.ContentsX]:
    """The places in a value whose things may lie face down."""
    own = bound_in(source)
    for x in walk(source):
        match x:
            case ir.ContentsX(holds=holds) if holds.kind.hidden is not None and not free_vars(x) & own:
                yield x
            case ir.Local(var=var):
                yield from var.veiled_in


def _in_other_words(place: ir.ContentsX) -> ir.ContentsX:
    """A place as another rule may speak of it: of anybody, where this rule's own names say whose it is."""
    return of_any(place) if place.of is not None and free_vars(place.of) else place


def _used(statement: ir.S) -> Iterator[ir.Local]:
    """The names that a statement uses. What a choice picks is told or hidden as its answer is."""
    picked = {var.ident for var, _ in _bound(statement)} if isinstance(statement, ir.ChooseS) else set()
    for x in deep(*_own(statement)):
        if isinstance(x, ir.Local) and x.var.ident not in picked:
            yield x


def _own(statement: ir.S) -> tuple[Any, ...]:
    """What belongs to a statement itself, and not to those inside it."""
    match statement:
        case ir.ChooseS(alts=alts, by=by):
            ways = tuple((alt.clauses, alt.text, alt.picks, alt.many) for alt in alts)
            return by, ways, [lifted for alt in alts for clause in alt.clauses for lifted in clause.lifted]
        case ir.IfS(condition=condition):
            return (condition,)
        case ir.ForS(source=source) | ir.EachS(source=source):
            return (source,)
        case ir.TogetherS() | ir.RepeatS():
            return ()
    return (statement,)


def _bound(statement: ir.S) -> Iterator[tuple[ir.Var, ir.X]]:
    """The names that a statement binds, each with where its value comes from."""
    match statement:
        case ir.ChooseS(alts=alts):
            for alt in alts:
                yield from alt.picks
                if alt.many is not None:
                    yield alt.many[2], alt.many[3]
        case ir.ForS(var=var, source=source) | ir.EachS(var=var, source=source) | ir.LotS(var=var, source=source):
            yield var, source
        case ir.LetS(var=var, value=value):
            yield var, value
        case ir.DrawS(var=ir.Var() as var, to=to):
            yield var, to
