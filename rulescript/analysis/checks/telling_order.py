"""A loop, or a choice for each of several, that goes through what lies unknown in several places. A warning.

Things are gone through in declared order, wherever they lie. So by what is told of one after the other (a move, a
question) others can tell in which place the first of them lies. (Pieces are gone through place by place.)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rulescript.analysis.handing_on import handed_by, opened_by, statements_of
from rulescript.analysis.looking import rule_line
from rulescript.analysis.secrets import is_public, lies_unknown
from rulescript.analysis.veiled_parameters import turned_by
from rulescript.analysis.who_knows import MOST_CALLS
from rulescript.diagnostics import Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called
from rulescript.model.ir import altered, substitute
from rulescript.model.traverse import conjuncts, free_vars, own_expressions, statements_in, walk
from rulescript.model.types import SetOf, ThingOf, element_of

__all__ = ["check_telling_orders"]


def check_telling_orders(game: m.Game, reporter: Reporter) -> None:
    """What lies unknown in several places is gone through place by place, where something is told of each."""
    if not game.has_secrets():
        return
    for procedure in game.every_procedure():
        statements = statements_of(procedure)
        named = {each.var.ident: each.value for each in statements if isinstance(each, ir.LetS)}
        for statement in statements:
            match statement:
                case ir.ForS(var=var, source=source, block=block) | ir.EachS(var=var, source=source, block=block):
                    places = _unknown_in(game, named, source)
                    if places and _is_told(list(statements_in(block)), var, places[0]):
                        _report(game, reporter, statement, source, places[0])
                case ir.ChooseS(each_of=ir.X() as source):
                    places = _unknown_in(game, named, source)
                    if places:
                        _report(game, reporter, statement, source, places[0])


def _unknown_in(game: m.Game, named: Mapping[int, ir.X], source: ir.X) -> list[ir.ContentsX]:
    """The places of which others see that something lies there and not what, if things are gone through that lie in
    several."""
    source = _written_out(source, named)
    places = list(_places_in(game, source))
    is_many = len(places) > 1 or any(place.of is not None and isinstance(place.of.type, SetOf) for place in places)
    if not is_many or not isinstance(element_of(source.type), ThingOf) or is_public(source, faces=True):
        return []
    return [place for place in places if any(lies_unknown(place))]


def _written_out(source: ir.X, named: Mapping[int, ir.X], calls: int = 0) -> ir.X:
    """What has a name, or is what a function gives, with what it stands for in its place."""
    match source:
        case ir.Local(var=var) if var.ident in named and calls < MOST_CALLS:
            return _written_out(named[var.ident], named, calls + 1)
        case ir.CallX(function=function, args=args) if calls < MOST_CALLS and not function.adjustments:
            match [each for each in function.block if not isinstance(each, ir.DocS)]:
                case [ir.ReturnS(value=ir.X() as value)]:
                    given = {param.ident: arg for param, arg in zip(function.params, args, strict=True)}
                    return _written_out(substitute(value, given), named, calls + 1)
        case ir.FilterX(source=inner):
            return altered(source, {"source": _written_out(inner, named, calls)})
    return source


def _places_in(game: m.Game, source: ir.X) -> Iterator[ir.ContentsX]:
    match source:
        case ir.ContentsX():
            yield source
        case ir.FilterX(source=ir.AllThings(kind=kind), var=var, condition=condition):
            said = [place for part in conjuncts(condition) for place in _said_to_be_in(game, part, var)]
            # By what never changes, they are told apart before anything lies face down: while a game is set up.
            if said or any(isinstance(x, ir.StateX) and x.of is not None for x in walk(condition)):
                for place in said or _where_any_lies(game, kind, source):
                    if not is_public(altered(source, {"source": place}), faces=True):
                        yield place
        case ir.FilterX(source=inner) | ir.MostX(source=inner) | ir.SetOpX(operator="-", left=inner):
            yield from _places_in(game, inner)
        case ir.SetOpX(left=left, right=right):
            yield from _places_in(game, left)
            yield from _places_in(game, right)


def _said_to_be_in(game: m.Game, condition: ir.X, var: ir.Var) -> Iterator[ir.ContentsX]:
    """The places in which a condition wants a thing to lie."""
    match condition:
        case ir.InX(element=ir.Local(var=asked), source=source, negated=False) if asked.ident == var.ident:
            yield from _places_in(game, source)


def _where_any_lies(game: m.Game, kind: m.Kind, source: ir.X) -> Iterator[ir.ContentsX]:
    """The places of others in which things of a kind can lie face down."""
    for holds in game.every_place():
        if holds.kind is kind and kind.hidden is not None and holds.owner is not None:
            owners = ir.AllThings(SetOf(ThingOf(holds.owner.name)), source.span, holds.owner)
            yield ir.ContentsX(source.type, source.span, holds, owners)


def _is_told(block: list[ir.S], var: ir.Var, place: ir.ContentsX) -> bool:
    """Whether others hear of each thing that a block is about, before they may know it."""
    can_only_count, lies_face_down = lies_unknown(place)
    opened = {each.ident for statement in block for each in opened_by(statement)}
    turned = {each.ident for statement in block for each in turned_by(statement)}
    if (not can_only_count or var.ident in opened) and (not lies_face_down or var.ident in turned):
        return False
    return _tells_of(block, var.ident, set())


def _tells_of(block: Iterable[ir.S], name: int, seen: set[int]) -> bool:
    """Whether statements, or those that they call, move what has a name or ask about it."""
    names = {name}
    for statement in block:
        if not any(free_vars(x) & names for x in own_expressions(statement)):
            continue
        match statement:
            case ir.LetS(var=var):
                names.add(var.ident)
            case ir.MoveS() | ir.ChooseS() | ir.TogetherS():
                return True
        handed = {param.ident for param, arg in handed_by(statement) if free_vars(arg) & names} - seen
        seen |= handed
        rules = [statements_of(rule) for rule in called(statement)] if handed else []
        if any(_tells_of(rule, param, seen) for rule in rules for param in handed):
            return True
    return False


def _report(game: m.Game, reporter: Reporter, statement: ir.S, source: ir.X, place: ir.ContentsX) -> None:
    holds = place.holds
    where = f"{holds.owner.name}.{holds.name}" if holds.owner is not None else holds.name
    hint = "go through one place after the other"
    if holds.owner is not None and place.of is not None and isinstance(place.of.type, SetOf):
        each = f"one_{holds.owner.name.lower()}"
        hint = f"go through the places (`for {each} in {holds.owner.name}`), and under it through `{each}.{holds.name}`"
    reporter.warning(
        "RS347",
        f"others may not know what lies in `{where}`, and can tell in which of the places the first {holds.kind.name} "
        "lies: they are gone through as they are declared",
        source.span,
        "in several places",
        [],
        hint,
        rule_line(game, statement.cites),
    )
