"""Which states may hold, and which parameters may stand for, a thing that not everybody may know.

A state (or a parameter) has no place of its own: who may know what it holds depends on where that thing lies. So it is
noted with each of them from which places a thing came that is put into it without being moved into the open: what is
picked from a hand, drawn into one, or lies on top of a deck. In comes the whole model; out go notes on its states
(`State.kept_from`) and names (`Var.kept_from`).

The notes are few on purpose. A thing that is moved into the open, shown, or handed to another rule meanwhile may well
be known: of it nothing is noted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.traverse import free_vars, statements_in, walk

__all__ = ["hidden_names", "note_kept_secrets", "places_of"]

ROUNDS = 4
_ONE_OF = ("top", "bottom", "first", "last", "only")


def note_kept_secrets(game: m.Game, procedures: Sequence[m.Procedure]) -> None:
    """Note with states and parameters from which places not open to all they get things."""
    if not any(holds.visibility for holds in _all_holds(game)):
        return
    rules = [_Rule(p, _blocks(p)) for p in procedures]
    for _ in range(ROUNDS):  # a parameter may be handed on, a state be put into another
        if not any([note for rule in rules for note in list(rule.notes(game))]):
            return


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


def hidden_names(procedure: m.Procedure) -> dict[int, list[ir.ContentsX]]:
    """The names a rule has for things that lie where not everybody may look, with these places. Nothing, if the rule
    shows something: that may be it."""
    statements = [s for block in _blocks(procedure) for s in statements_in(block)]
    if any(isinstance(s, ir.RevealS) for s in statements):
        return {}
    return dict(_Rule(procedure, [])._names(statements))


def _all_holds(game: m.Game) -> Iterator[m.Holds]:
    yield from game.holds.values()
    for kind in game.kinds.values():
        yield from kind.holds.values()


def _blocks(procedure: m.Procedure) -> list[ir.Block]:
    return [procedure.block, *(hook.block for hook in (*procedure.before, *procedure.after))]


@frozen
class _Rule:
    """A procedure with what stands around it."""

    procedure: m.Procedure
    blocks: list[ir.Block]

    def notes(self, game: m.Game) -> Iterator[bool]:
        """Note what is kept and handed on here; true for each that was not known before."""
        statements = [s for block in self.blocks for s in statements_in(block)]
        if any(isinstance(s, ir.RevealS) for s in statements):
            return
        lying = dict(self._names(statements))
        for statement in statements:
            match statement:
                case ir.AssignS(target=ir.StateX() as target, operator="=" | "+=", value=value):
                    for place in self._kept(value, lying, statements):
                        yield _note_state(target, place)
                case ir.CallS(procedure=called, args=args):
                    yield from _note_arguments(called.params, args, lying)
                case ir.SignalS(signal=signal, args=args):
                    yield from _note_arguments(signal.params, args, lying)
                case ir.DoesS(kind=kind, name=name, args=args):
                    for thing in kind.things:
                        if name in thing.does:
                            yield from _note_arguments(thing.does[name].params, args, lying)

    def _names(self, statements: Sequence[ir.S]) -> Iterator[tuple[int, list[ir.ContentsX]]]:
        """The names that stand for what lies in places not open to all, with these places."""
        found: dict[int, list[ir.ContentsX]] = {}
        for var in self.procedure.params:
            if not var.moves:
                found[var.ident] = [place for _, place in var.kept_from]
        targets: dict[int, list[ir.ContentsX]] = {}
        for move in statements:
            if isinstance(move, ir.MoveS) and isinstance(move.what, ir.Local):
                targets.setdefault(move.what.var.ident, []).append(move.to)
        for var, source in _bound(statements):
            if all(to.holds.visibility for to in targets.get(var.ident, ())):
                found[var.ident] = list(_lying(source, found))
        yield from ((ident, places) for ident, places in found.items() if places)

    def _kept(
        self, value: ir.X, lying: dict[int, list[ir.ContentsX]], statements: Sequence[ir.S]
    ) -> Iterator[ir.ContentsX]:
        """The places from which a value comes, if nothing else happens to the thing it names."""
        if isinstance(value, ir.SetX | ir.ListX):
            for item in value.items:
                yield from self._kept(item, lying, statements)
        elif isinstance(value, ir.Local) and value.var.ident in lying:
            if not any(_hands_on(statement, value.var) for statement in statements):
                yield from lying[value.var.ident]
        else:
            yield from _lying(value, {})


def _bound(statements: Sequence[ir.S]) -> Iterator[tuple[ir.Var, ir.X]]:
    """The names that statements bind to things, each with where it gets them."""
    for statement in statements:
        match statement:
            case ir.ChooseS(alts=alts):
                for alt in alts:
                    yield from alt.picks
                    if alt.many is not None:
                        yield alt.many[2], alt.many[3]
            case ir.ForS(var=var, source=source) | ir.EachS(var=var, source=source):
                yield var, source
            case ir.LetS(var=var, value=value):
                yield var, value
            case ir.DrawS(var=ir.Var() as var, to=to):
                yield var, to


def _lying(source: ir.X, names: dict[int, list[ir.ContentsX]]) -> Iterator[ir.ContentsX]:
    """The places not open to all from which a value is taken as it is."""
    match source:
        case ir.FilterX(source=inner):
            yield from _lying(inner, names)
        case ir.BuiltinX(name=name, args=(inner,)) if name in _ONE_OF:
            yield from _lying(inner, names)
        case ir.ContentsX(holds=holds):
            if holds.visibility and not holds.kind.is_pieces:
                yield source
        case ir.Local(var=var):
            yield from names.get(var.ident, ())
        case ir.StateX(state=state) if state.kept_from:
            yield from places_of(source)


def _hands_on(statement: ir.S, var: ir.Var) -> bool:
    """Whether another rule gets a name, and may do anything with what it stands for."""
    match statement:
        case ir.CallS(args=args) | ir.SignalS(args=args):
            given: tuple[ir.X, ...] = args
        case ir.DoesS(thing=thing, args=args):
            given = (thing, *args)
        case _:
            return False
    return any(isinstance(part, ir.Local) and part.var is var for arg in given for part in walk(arg))


def _note_state(target: ir.StateX, place: ir.ContentsX) -> bool:
    """Note where the thing lies that is put into a state: in the words of the state's owner, or in words that mean the
    same in every rule."""
    owner = place.of
    state = target.state
    if owner is not None and target.of is not None and _same(owner, target.of):
        var = ir.Var("owner", owner.type, "element", -7)
        return _add(state.kept_from, var, place, ir.Local(owner.type, place.span, var))
    if owner is not None and free_vars(owner):
        return False
    return _add(state.kept_from, None, place, owner)


def _note_arguments(
    params: Sequence[ir.Var], args: Sequence[ir.X], lying: dict[int, list[ir.ContentsX]]
) -> Iterator[bool]:
    for param, arg in zip(params, args, strict=False):
        if param.moves:
            continue
        for place in _lying(arg, lying):
            owner = place.of
            if owner is None or not free_vars(owner):
                yield _add(param.kept_from, None, place, owner)
            if owner is not None:
                for other, given in zip(params, args, strict=False):
                    if _same(given, owner):
                        yield _add(param.kept_from, None, place, ir.Local(owner.type, place.span, other))


def _add(
    notes: list[tuple[ir.Var | None, ir.ContentsX]], var: ir.Var | None, place: ir.ContentsX, owner: ir.X | None
) -> bool:
    for _, known in notes:
        if known.holds is place.holds and (known.of is owner or (known.of and owner and _same(known.of, owner))):
            return False
    notes.append((var, ir.ContentsX(place.type, place.span, place.holds, owner)))
    return True


def _same(one: ir.X, two: ir.X) -> bool:
    from rulescript.analysis.checks.looking import same

    return bool(same(one) == same(two))
