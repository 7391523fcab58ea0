"""Which states may hold, and which parameters may stand for, a thing that not everybody may know.

A state (or a parameter) has no place of its own: who may know what it holds depends on where that thing lies. So it is
noted with each of them from which places a thing came that is put into it without being moved into the open: what is
picked from a hand, drawn into one, or lies on top of a deck. In comes the whole model; out go notes on its states
(`State.kept_from`) and names (`Var.kept_from`).

The notes are few on purpose. A thing that is moved into the open, shown, or played meanwhile, also by a rule that it is
handed to, may well be known: of it nothing is noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

from rulescript.analysis.anywhere import is_from_anywhere
from rulescript.analysis.asked_rules import asked_on_the_way, bodies_of
from rulescript.analysis.handing_on import Mentions, handed_by, statements_of, until_settled
from rulescript.analysis.looking import same
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.traverse import free_vars, walk
from rulescript.model.types import Maybe, SetOf, ThingOf, Type, element_of

__all__ = [
    "Places",
    "bound_in",
    "hiding_places",
    "hidden_names",
    "lying_in",
    "note_kept_secrets",
    "of_any",
    "picked_anywhere",
    "picks_of",
    "places_of",
    "returned_by",
    "shown_by",
]

Places = Mapping[str, Sequence[ir.ContentsX]]

MOST_CALLS = 12
MOST_PLACES = 8  # a rule that calls itself for the next player gives from no end of places


def note_kept_secrets(mentions: Mentions) -> None:
    """Note with states and parameters from which places not open to all they get things."""
    if not any(holds.visibility for holds in _all_holds(mentions.game)):
        return
    from rulescript.analysis.looks_into import forget_rule

    def forget(rule: m.Function | m.Route | m.Table) -> None:
        forget_rule(rule)
        if isinstance(rule, m.Function):
            _giving.pop(rule, None)

    places = hiding_places(mentions.game)
    rules = [_Rule(procedure, places) for procedure in mentions.procedures]
    until_settled(mentions, lambda at: rules[at].notes(), forget)


def hiding_places(game: m.Game) -> Places:
    """For each kind the places, of anybody, in which not everybody sees its things."""
    out: dict[str, list[ir.ContentsX]] = {}
    for holds in game.every_place():
        if holds.visibility and not holds.kind.is_pieces:
            kind = holds.kind.name
            anywhere = ir.ContentsX(SetOf(ThingOf(kind)), holds.span, holds, None)
            out.setdefault(kind, []).append(anywhere if holds.owner is None else of_any(anywhere))
    return out


def picks_of(statement: ir.S) -> Iterator[tuple[ir.Var, ir.X]]:
    """What somebody picks, and from what."""
    if isinstance(statement, ir.ChooseS):
        for alt in statement.alts:
            yield from alt.picks
            if alt.many is not None:
                yield alt.many[2], alt.many[3]


def picked_anywhere(statement: ir.S, places: Places) -> Iterator[tuple[ir.Var, ir.ContentsX]]:
    """The names of things that somebody picks out of all there are, with where these may lie unseen: which it was is
    known to those who know where it lies."""
    for var, source in picks_of(statement):
        type_ = element_of(source.type)
        if isinstance(type_, ThingOf) and type_.kind in places and is_from_anywhere(source):
            yield from ((var, place) for place in places[type_.kind])


def places_of(x: ir.StateX | ir.Local) -> Iterator[ir.ContentsX]:
    """The places, in the words of the rule that asks, in which what a state or parameter stands for may lie. The place
    of a parameter's thing may come several times, in different words."""
    if isinstance(x, ir.Local):
        for _, place in x.var.kept_from:
            yield ir.ContentsX(place.type, x.span, place.holds, place.of)
        return
    for owner, place in x.state.kept_from:
        of = place.of
        if owner is not None and of is not None:
            of = substitute(of, {owner.ident: x.of}) if x.of is not None else of
        yield ir.ContentsX(place.type, x.span, place.holds, of)


def hidden_names(procedure: m.Procedure, places: Places) -> dict[int, list[ir.ContentsX]]:
    """The names a rule has for things that lie where not everybody may look, with these places."""
    rule = _Rule(procedure, places)
    return dict(rule.names())


def _all_holds(game: m.Game) -> Iterator[m.Holds]:
    yield from game.holds.values()
    for kind in game.kinds.values():
        yield from kind.holds.values()


class _Rule:
    """A procedure with what stands around it."""

    def __init__(self, procedure: m.Procedure, places: Places) -> None:
        self.procedure = procedure
        self.places = places
        self.statements = statements_of(procedure)
        # What the rule shows: of these places, or of these kinds, what it names may be known.
        self.shown: set[int] = set()
        # The names of things that do what their text says, and may come into the open with that.
        self.played: set[int] = set()
        for statement in self.statements:
            match statement:
                case ir.RevealS(what=what) if not isinstance(what, ir.Local):
                    self.shown |= set(shown_by(what))
                case ir.DoesS(thing=ir.Local(var=var)):
                    self.played.add(var.ident)

    def notes(self) -> Iterator[int]:
        """Note what is kept and handed on here; with what something was noted that was not known before."""
        lying = dict(self.names())
        for statement in self.statements:
            match statement:
                case ir.AssignS(target=ir.StateX() as target, operator="=" | "+=", value=value):
                    if any([_note_state(target, place) for place in self._kept(value, lying)]):
                        yield id(target.state)
                case ir.CallS(result=ir.StateX() as target, procedure=called, args=args):
                    if any([_note_state(target, place) for place in self._given_back(called, args)]):
                        yield id(target.state)
                case ir.ReturnS(value=ir.X() as value):
                    for place in self._kept(value, lying):
                        params = {var.ident for var in self.procedure.params}
                        is_far = len(self.procedure.gives_from) >= MOST_PLACES
                        if place.of is not None and (is_far or not free_vars(place.of) <= params):
                            place = of_any(place)
                        if _add(self.procedure.gives_from, None, place, place.of):
                            yield id(self.procedure)
            handed = list(handed_by(statement))
            for param, arg in handed:
                if not param.moves and any(list(_note_argument(param, self._open(_told_by(arg, lying)), handed))):
                    yield param.ident

    def names(self) -> Iterator[tuple[int, list[ir.ContentsX]]]:
        """The names that stand for what lies in places not open to all, with these places."""
        found: dict[int, list[ir.ContentsX]] = {}
        for var in self.procedure.params:
            if not var.moves:
                found[var.ident] = [place for _, place in var.kept_from]
        for statement in self.statements:
            for var, source in _bound(statement):
                if not var.opens:
                    found[var.ident] = list(self._open(_lying(source, found)))
            for var, place in picked_anywhere(statement, self.places):
                if not var.opens:
                    found[var.ident].append(place)
            match statement:
                case ir.CallS(procedure=called, args=args, result=ir.Local(var=var) | (ir.Var() as var)):
                    if not var.opens:
                        found[var.ident] = list(self._open(self._given_back(called, args)))
        yield from ((ident, places) for ident, places in found.items() if places)

    def _open(self, places: Iterable[ir.ContentsX]) -> Iterator[ir.ContentsX]:
        """Without the places that the rule shows."""
        return (place for place in places if not {id(place.holds), id(place.holds.kind)} & self.shown)

    @staticmethod
    def _given_back(called: m.Procedure, args: Sequence[ir.X]) -> Iterator[ir.ContentsX]:
        """The places from which a procedure gives something back, in the words of the rule that calls it."""
        given = {param.ident: arg for param, arg in zip(called.params, args, strict=False)}
        for _, place in called.gives_from:
            yield ir.ContentsX(place.type, place.span, place.holds, place.of and substitute(place.of, given))

    def _kept(self, value: ir.X, lying: dict[int, list[ir.ContentsX]]) -> Iterator[ir.ContentsX]:
        """The places from which a value comes, if nothing else happens to the thing it names."""
        if isinstance(value, ir.SetX | ir.ListX):
            for item in value.items:
                yield from self._kept(item, lying)
        elif not isinstance(value, ir.Local) or value.var.ident not in self.played:
            yield from self._open(_lying(value, lying))


def shown_by(what: ir.X) -> Iterator[int]:
    """The place that a reveal shows; of anything but a place or part of it, its kind."""
    while isinstance(what, ir.FilterX):
        what = what.source
    if isinstance(what, ir.ContentsX):
        yield id(what.holds)
    else:
        yield from (id(x.holds.kind) for x in walk(what) if isinstance(x, ir.ContentsX))


def _bound(statement: ir.S) -> Iterator[tuple[ir.Var, ir.X]]:
    """The names that a statement binds to things, each with where it gets them."""
    match statement:
        case ir.ChooseS():
            yield from picks_of(statement)
        case ir.ForS(var=var, source=source) | ir.EachS(var=var, source=source) | ir.LotS(var=var, source=source):
            yield var, source
        case ir.LetS(var=var, value=value):
            yield var, value
        case ir.DrawS(var=ir.Var() as var, to=to):
            yield var, to


def _lying(source: ir.X, names: Mapping[int, Sequence[ir.ContentsX]], calls: int = 0) -> Iterator[ir.ContentsX]:
    """The places not open to all from which a value is taken. What is worked out of things (a number, a text) is not
    kept in them."""
    if not _is_things(source.type):
        return
    match source:
        case ir.FilterX(source=inner, var=var, condition=condition):
            yield from _lying(inner, names, calls)
            if isinstance(inner, ir.AllThings):
                # All there are that lie in a hand.
                lying = [x.source for x in walk(condition) if isinstance(x, ir.InX) and _is(x.element, var)]
                yield from (place for x in lying for place in _lying(x, names, calls))
        case ir.MostX(source=inner):
            yield from _lying(inner, names, calls)
        case ir.BuiltinX(args=args):
            yield from (place for arg in args for place in _lying(arg, names, calls))
        case ir.SetOpX(left=left, right=right) | ir.IfX(then=left, otherwise=right):
            yield from _lying(left, names, calls)
            yield from _lying(right, names, calls)
        case ir.SetX(items=items) | ir.ListX(items=items):
            yield from (place for item in items for place in _lying(item, names, calls))
        case ir.AggregateX(picks=picks, value=value, function="set" | "list"):
            inside = dict(names)
            for var, each in picks:
                inside[var.ident] = list(_lying(each, inside, calls))
            bound = {var.ident for var, _ in picks}
            for place in _lying(value, inside, calls):
                yield of_any(place) if place.of is not None and free_vars(place.of) & bound else place
        case ir.CallX(function=function, args=args) if calls < MOST_CALLS:
            given = {param.ident: arg for param, arg in zip(function.params, args, strict=True)}
            for place in _given_by(function, calls + 1):
                yield ir.ContentsX(place.type, place.span, place.holds, place.of and substitute(place.of, given))
            for param, arg in zip(function.params, args, strict=True):
                if param.type == source.type:
                    yield from _lying(arg, names, calls + 1)
        case ir.CallX(function=function):
            yield from _lying_anywhere(function)
        case ir.ContentsX(holds=holds):
            if holds.visibility and not holds.kind.is_pieces:
                yield source
        case ir.Local(var=var):
            yield from names.get(var.ident, ())
        case ir.StateX(state=state) if state.kept_from:
            yield from places_of(source)


def lying_in(source: ir.X) -> list[ir.ContentsX]:
    """The places not open to all from which the things of a value are taken."""
    return list(_lying(source, {}))


# What functions and those they ask look into, which were gone through once.
_looked_into: WeakKeyDictionary[m.Function, list[ir.ContentsX | ir.StateX]] = WeakKeyDictionary()


def _lying_anywhere(function: m.Function) -> Iterator[ir.ContentsX]:
    """All places not open to all that a function and those it asks look into, of whomever: it is too far to follow."""
    parts = _looked_into.get(function)
    if parts is None:
        bodies = (body for asked in asked_on_the_way(function) for body in bodies_of(asked))
        every = (x for body in bodies for x in walk(body) if isinstance(x, ir.ContentsX | ir.StateX))
        parts = _looked_into[function] = list({id(_looks_at(x)): x for x in every}.values())
    for x in parts:
        for place in (x,) if isinstance(x, ir.ContentsX) else places_of(x):
            if place.holds.visibility and not place.holds.kind.is_pieces:
                yield place if place.of is None else of_any(place)


def _looks_at(x: ir.ContentsX | ir.StateX) -> m.Holds | m.State:
    return x.holds if isinstance(x, ir.ContentsX) else x.state


def _told_by(arg: ir.X, names: Mapping[int, Sequence[ir.ContentsX]]) -> Iterator[ir.ContentsX]:
    """The places not open to all that an argument tells of: where its thing lies, or what a number or a yes or no was
    worked out from."""
    from rulescript.analysis.secrets import can_all_work_out

    if _is_things(arg.type):
        yield from _lying(arg, names)
        return
    for part in walk(arg):
        if isinstance(part, ir.Local):
            yield from names.get(part.var.ident, ())
    if not can_all_work_out(arg):
        for part in walk(arg):
            if isinstance(part, ir.ContentsX) and part.holds.visibility and not free_vars(part) & bound_in(arg):
                yield part


def bound_in(x: ir.X) -> set[int]:
    """The names that an expression binds itself."""
    found: set[int] = set()
    for part in walk(x):
        match part:
            case ir.FilterX(var=var) | ir.MostX(var=var):
                found.add(var.ident)
            case ir.AggregateX(picks=picks) | ir.QuantX(picks=picks):
                found |= {var.ident for var, _ in picks}
    return found


def _is_things(type_: Type) -> bool:
    return isinstance(element_of(type_) or _sure(type_), ThingOf)


def _sure(type_: Type) -> Type:
    """A type without `maybe`."""
    return type_.element if isinstance(type_, Maybe) else type_


def _is(x: ir.X, var: ir.Var) -> bool:
    return isinstance(x, ir.Local) and x.var.ident == var.ident


# What functions give back comes from these places, in the words of their parameters.
_giving: WeakKeyDictionary[m.Function, list[ir.ContentsX]] = WeakKeyDictionary()


def _given_by(function: m.Function, calls: int) -> list[ir.ContentsX]:
    known = _giving.get(function)
    if known is None:
        _giving[function] = []  # one that asks itself adds nothing
        values = [value for value in returned_by(function.block) if _is_things(value.type)]
        known = _unlike(place for value in values for place in _lying(value, {}, calls))
        _giving[function] = known
    return known


def _unlike(places: Iterable[ir.ContentsX]) -> list[ir.ContentsX]:
    """Each place once."""
    found: list[ir.ContentsX] = []
    for place in places:
        if not any(place.holds is other.holds and _same_owner(place.of, other.of) for other in found):
            found.append(place)
    return found


def _same_owner(one: ir.X | None, two: ir.X | None) -> bool:
    return one is two or (one is not None and two is not None and _same(one, two))


def returned_by(block: ir.Block) -> Iterator[ir.X]:
    """What a function may give back."""
    for statement in block:
        match statement:
            case ir.ReturnS(value=ir.X() as value):
                yield value
            case ir.IfS(then=then, otherwise=otherwise):
                yield from returned_by((*then, *otherwise))


def of_any(place: ir.ContentsX) -> ir.ContentsX:
    """The same place of anybody: where it cannot be told whose it is."""
    kind = place.holds.owner
    assert kind is not None
    anybody = ir.AllThings(SetOf(ThingOf(kind.name)), place.span, kind)
    return ir.ContentsX(place.type, place.span, place.holds, anybody)


def _note_state(target: ir.StateX, place: ir.ContentsX) -> bool:
    """Note where the thing lies that is put into a state: in the words of the state's owner, or in words that mean the
    same in every rule."""
    owner = place.of
    state = target.state
    if owner is not None and target.of is not None and _same(owner, target.of):
        var = ir.Var("owner", owner.type, "element", -7)
        return _add(state.kept_from, var, place, ir.Local(owner.type, place.span, var))
    if owner is not None and free_vars(owner):
        owner = of_any(place).of
    return _add(state.kept_from, None, place, owner)


def _note_argument(
    param: ir.Var, places: Iterable[ir.ContentsX], handed: Sequence[tuple[ir.Var, ir.X]]
) -> Iterator[bool]:
    """Note with a parameter where the thing lies that it is given, in words that mean the same in its own rule."""
    for place in places:
        owner = place.of
        if owner is None or not free_vars(owner):
            yield _add(param.kept_from, None, place, owner)
        if owner is not None:
            for other, given in handed:
                if _same(given, owner):
                    yield _add(param.kept_from, None, place, ir.Local(owner.type, place.span, other))


def _add(
    notes: list[tuple[ir.Var | None, ir.ContentsX]], var: ir.Var | None, place: ir.ContentsX, owner: ir.X | None
) -> bool:
    for _, known in notes:
        if known.holds is place.holds and _same_owner(known.of, owner):
            return False
    notes.append((var, ir.ContentsX(place.type, place.span, place.holds, owner)))
    return True


def _same(one: ir.X, two: ir.X) -> bool:
    return bool(same(one) == same(two))
