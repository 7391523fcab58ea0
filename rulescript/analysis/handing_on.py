"""What rules hand to each other, and the names through which something comes into the open.

What one rule notes may concern another: a parameter is handed on, a state put into another, something given back.
Each is asked again when something it goes by was noted (`until_settled`), so that no chain is too long."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from rulescript.analysis.asked_rules import bodies_of
from rulescript.analysis.looking import deep
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.traverse import statements_in
from rulescript.model.types import VOID

__all__ = [
    "Mentions",
    "all_see_what_comes_to",
    "handed_by",
    "note_openings",
    "opened_by",
    "statements_of",
    "until_settled",
    "watching",
]

Asked = m.Function | m.Route | m.Table


def statements_of(procedure: m.Procedure) -> list[ir.S]:
    """All statements of a procedure, and of what stands before and after it."""
    blocks = [procedure.block, *(hook.block for hook in (*procedure.before, *procedure.after))]
    return [statement for block in blocks for statement in statements_in(block)]


def watching(game: m.Game) -> Iterator[m.Procedure]:
    """Rules that are followed at any time (`whenever some c in S`), as if somebody went through S all the time and
    handed each thing of which the condition holds to the rule: so it has its name from there."""
    for each in game.whenevers:
        if each.var is None or each.source is None:
            continue
        # The rule's own name is bound where it begins; these are numbered from below.
        at = -2 * each.var.ident
        found, looked = (ir.Var(each.var.name, each.var.type, "loop", number) for number in (at, at - 1))
        inside: dict[int, ir.X] = {each.var.ident: ir.Local(each.var.type, each.span, looked)}
        source = ir.FilterX(each.source.type, each.span, each.source, looked, substitute(each.condition, inside))
        handed = ir.CallS(each.span, (), each.procedure, (ir.Local(each.var.type, each.span, found),))
        loop = ir.ForS(each.span, (), found, source, (handed,))
        yield m.Procedure(each.procedure.name, "whenever", (), VOID, (), each.span, block=(loop,))


class Mentions:
    """The procedures of a game, its functions, routes and tables, and what they mention; looked for once, however many
    let them note something."""

    def __init__(self, game: m.Game, procedures: Sequence[m.Procedure]) -> None:
        self.game = game
        self.procedures = procedures

    @cached_property
    def asked(self) -> dict[int, Asked]:
        """Functions, routes and tables, by id."""
        game = self.game
        return {id(each): each for some in (game.functions, game.routes, game.tables) for each in some.values()}

    @cached_property
    def users(self) -> dict[int, list[int]]:
        """Those that mention something: procedures by number, what is asked by id."""
        users: dict[int, list[int]] = defaultdict(list)
        for at, procedure in enumerate(self.procedures):
            blocks = [hook.block for hook in (*procedure.before, *procedure.after)]
            params = {var.ident for var in procedure.params}
            for what in params.union(_mentioned(procedure.block, blocks)):
                users[what].append(at)
        for key, each in self.asked.items():
            for what in set(_mentioned(bodies_of(each))):
                users[what].append(key)
        return users


def until_settled(
    mentions: Mentions, note: Callable[[int], Iterable[int]], forget: Callable[[Asked], None] = lambda _: None
) -> None:
    """Let each rule note what it finds, by its number in the list, and again when another has noted something of a
    name, a state or a rule that it mentions, itself or in what it asks. `note` gives what these are: the numbers of
    names, the `id` of others. What was found out of functions, routes and tables between is to be forgotten."""
    asked, users = mentions.asked, mentions.users
    waiting = dict.fromkeys(range(len(mentions.procedures)))
    while waiting:
        at = next(iter(waiting))
        del waiting[at]
        todo = list(note(at))
        seen = set(todo)
        while todo:
            for user in users[todo.pop()]:
                if user not in asked:
                    waiting[user] = None
                elif user not in seen:
                    seen.add(user)
                    todo.append(user)
                    forget(asked[user])


def _mentioned(*parts: object) -> Iterator[int]:
    """What is mentioned somewhere: names by their numbers, states, rules and functions by `id`."""
    for x in deep(*parts):
        match x:
            case ir.Local(var=var):
                yield var.ident
            case ir.StateX(state=found) | ir.PieceStateX(state=found):
                yield id(found)
            case ir.CallS(procedure=called):
                yield id(called)
            case ir.CallX(function=rule) | ir.RouteX(route=rule) | ir.TableX(table=rule):
                yield id(rule)


def note_openings(mentions: Mentions) -> None:
    """Note the names (`Var.opens`) through which rules move something where all see it, or show it."""
    if not mentions.game.has_secrets():
        return  # all is open from the beginning
    rules = [statements_of(procedure) for procedure in mentions.procedures]

    def note(at: int) -> Iterator[int]:
        for statement in rules[at]:
            for var in opened_by(statement):
                if not var.opens:
                    var.opens = True
                    yield var.ident

    until_settled(mentions, note)


def opened_by(statement: ir.S) -> Iterator[ir.Var]:
    """The names through which a statement moves something where all see it, or shows it; or a rule does that they are
    handed to."""
    match statement:
        case ir.MoveS(what=ir.Local(var=var), to=to, end=end) if all_see_what_comes_to(to.holds, end):
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
        case ir.DoesS(kind=kind, name=name, args=args) if args:
            for thing in kind.things:
                if name in thing.does:
                    yield from zip(thing.does[name].params, args, strict=False)


def all_see_what_comes_to(holds: m.Holds, end: str) -> bool:
    """Whether everybody sees a thing that is put into a place: on top of it, if `end` says so."""
    levels = ("visible", "top") if end == "top" else ("visible",)
    lines = holds.visibility
    return not lines or (any(line.who is None for line in lines) and all(line.level in levels for line in lines))
