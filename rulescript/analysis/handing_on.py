"""What rules hand to each other, and the names through which something comes into the open.

What one rule notes may concern another: a parameter is handed on, a state put into another, something given back.
Each is asked again when something it goes by was noted (`until_settled`), so that no chain is too long."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import statements_in

__all__ = ["handed_by", "note_openings", "opened_by", "statements_of", "until_settled"]

ASKS = -1_000_000  # the number of no name: a function, a route or a table is asked


def statements_of(procedure: m.Procedure) -> list[ir.S]:
    """All statements of a procedure, and of what stands before and after it."""
    blocks = [procedure.block, *(hook.block for hook in (*procedure.before, *procedure.after))]
    return [statement for block in blocks for statement in statements_in(block)]


def until_settled(game: m.Game, procedures: Sequence[m.Procedure], note: Callable[[int], Iterable[int]]) -> None:
    """Let each rule note what it finds, by its number in the list, and again when another has noted something of a
    name, a state or a rule that it mentions. `note` gives what these are: the numbers of names, the `id` of others.
    Of a state that a function, a route or a table mentions all hear that ask any of these."""
    from rulescript.analysis.checks.looking import rules_of

    mentioning: dict[int, list[int]] = defaultdict(list)
    asking = []
    for at, procedure in enumerate(procedures):
        blocks = [hook.block for hook in (*procedure.before, *procedure.after)]
        found = set(_mentioned(procedure.block, blocks))
        for what in found.union(var.ident for var in procedure.params):
            mentioning[what].append(at)
        if ASKS in found:
            asking.append(at)
    asked = (rule.parts for rule in rules_of(game) if rule.sort in ("function", "value", "predicate", "route", "table"))
    layers = ((layer.value, layer.condition) for function in game.functions.values() for layer in function.adjustments)
    indirect = set(_mentioned(*asked, *layers)) if asking else set()
    waiting = dict.fromkeys(range(len(procedures)))
    while waiting:
        at = next(iter(waiting))
        del waiting[at]
        for what in list(note(at)):
            waiting.update(dict.fromkeys(mentioning[what]))
            if what in indirect:
                waiting.update(dict.fromkeys(asking))


def _mentioned(*parts: object) -> Iterator[int]:
    from rulescript.analysis.checks.looking import deep

    for x in deep(*parts):
        match x:
            case ir.Local(var=var):
                yield var.ident
            case ir.StateX(state=state) | ir.PieceStateX(state=state):
                yield id(state)
            case ir.CallS(procedure=called):
                yield id(called)
            case ir.CallX() | ir.RouteX() | ir.TableX():
                yield ASKS


def note_openings(game: m.Game, procedures: Sequence[m.Procedure]) -> None:
    """Note the names (`Var.opens`) through which rules move something where all see it, or show it."""
    rules = [statements_of(procedure) for procedure in procedures]

    def note(at: int) -> Iterator[int]:
        for statement in rules[at]:
            for var in opened_by(statement):
                if not var.opens:
                    var.opens = True
                    yield var.ident

    until_settled(game, procedures, note)


def opened_by(statement: ir.S) -> Iterator[ir.Var]:
    """The names through which a statement moves something where all see it, or shows it; or a rule does that they are
    handed to."""
    match statement:
        case ir.MoveS(what=ir.Local(var=var), to=to, end=end) if _all_see_what_comes_to(to.holds, end):
            yield var
        case ir.RevealS(what=ir.Local(var=var)):
            yield var
    for param, arg in handed_by(statement):
        if isinstance(arg, ir.Local) and param.opens:
            yield arg.var


def handed_by(statement: ir.S) -> Iterator[tuple[ir.Var, ir.X]]:
    """What a statement hands to other rules: their parameters, each with what it is given."""
    match statement:
        case ir.CallS(procedure=called, args=args):
            yield from zip(called.params, args, strict=False)
        case ir.SignalS(signal=signal, args=args):
            yield from zip(signal.params, args, strict=False)
        case ir.DoesS(kind=kind, name=name, args=args):
            for thing in kind.things:
                if name in thing.does:
                    yield from zip(thing.does[name].params, args, strict=False)


def _all_see_what_comes_to(holds: m.Holds, end: str) -> bool:
    """Whether everybody sees a thing that is put into a place: on top of it, if `end` says so."""
    levels = ("visible", "top") if end == "top" else ("visible",)
    lines = holds.visibility
    return not lines or (any(line.who is None for line in lines) and all(line.level in levels for line in lines))
