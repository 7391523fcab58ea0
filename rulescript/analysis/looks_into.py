"""Into which places an expression looks further than who chooses may.

For every place it looks into, two questions: how much of it must be seen to answer (that there is something, how
many, what), and how much the chooser is sure to see. The second is read off the place's visibility lines, with the
owner put in for `it`. A line holds for sure when whom it names is the same expression as who chooses, or is known to
be equal from the requirements and filters around it (`who_knows.py`). Where nothing is sure, the chooser is one of
the others.

A thing that may lie face down (`hidden when C, known to P`) is looked at by itself, in whatever place it lies: all
see that it is there, that it lies face down (what C reads) and whose it is (what P reads). Anything else may be
read only of those that the requirements and filters around have narrowed down to what the chooser is sure to
know: his own, or what does not lie face down. What lies in a place of the chooser's own counts as his; and where it
cannot be told whether those of `side == X` are his, the writer is believed, unless he or X is a name of the rule.

Calls are looked through, with the arguments put in for the parameters."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from attrs import define, evolve

from rulescript.analysis.anywhere import is_from_anywhere, is_open, never_in
from rulescript.analysis.asked_rules import asked_on_the_way, asked_rule, bodies_of
from rulescript.analysis.kept_secrets import places_of
from rulescript.analysis.looking import deep, fields_of, parts_in, same
from rulescript.analysis.who_knows import DEEPEST, Asked, Knows, players_named
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.types import BOOL, PieceOf, SetOf, ThingOf
from rulescript.source import Span

__all__ = ["LEVELS", "Read", "candidates", "face_down", "forget_rule", "level_of", "reads", "within_filter"]

LEVELS = ("hidden", "nonempty", "count", "order", "top", "visible")


@define
class Read:
    """A place that is looked into, and the level at which the chooser is sure to see it. `face_down` is the kind of
    what lies there where that, and not the place, is what hides it."""

    place: ir.X
    level: str
    face_down: m.Kind | None = None
    # Of a thing wherever it lies: what is read of it, its state or where it is.
    of_any: m.Kind | None = None


def reads(x: ir.X, knows: Knows, needed: str) -> Iterator[Read]:
    """The places an expression looks into further than the chooser may."""
    yield from _reads(x, evolve(knows, asked=Asked()), needed, 0)


def _reads(x: ir.X, knows: Knows, needed: str, calls: int) -> Iterator[Read]:  # noqa: C901 - one case for each sort of node
    """The same, so many calls deep."""
    match x:
        case ir.Local(is_private=True) if knows.stands_by:
            yield Read(x, "hidden")
            return
        case ir.PlaceOfX(of=ir.Local(is_veiled=True)) if knows.stands_by:
            return  # where it lies is seen by all
        case (
            ir.AttrX(of=ir.Local(is_veiled=True), attr=told)
            | ir.PieceStateX(of=ir.Local(is_veiled=True), state=told)
            | ir.StateX(of=ir.Local(is_veiled=True), state=told)
        ) if knows.stands_by and told.kind is not None and told.kind.hidden is not None and is_open(x, told.kind):
            return
        case ir.Local(is_veiled=True) if knows.stands_by and knows.faces and x.var.ident not in knows.veiled:
            yield Read(x, "hidden")
            return
        case ir.Local(var=var) if var.ident in knows.veiled:
            if not knows.sees(x, knows.veiled[var.ident]):
                yield Read(x, "count", knows.veiled[var.ident])
            return
        case ir.PlaceOfX(of=ir.Local(var=var)) if var.ident in knows.veiled:
            return  # where it lies is seen by all
        case ir.AttrX(of=ir.Local(var=var)) | ir.PieceStateX(of=ir.Local(var=var)) if (
            var.ident in knows.veiled and is_open(x, knows.veiled[var.ident])
        ):
            return
        case ir.StateX(of=ir.Local(var=var)) if var.ident in knows.veiled and is_open(x, knows.veiled[var.ident]):
            return
        case ir.CompareX(operator="==" | "!=", left=ir.StateX() as state, right=ir.Lit(value=None)) | (
            ir.SomeX(source=ir.StateX() as state)
            | ir.BuiltinX(name="count" | "size" | "known", args=(ir.StateX() as state,))
        ) if state.state.kept_from:
            # That there is one, and how many, all may know.
            if state.of is not None:
                yield from _reads(state.of, knows, "visible", calls)
            return
        case ir.StateX(state=m.State(kept_from=[_, *_])) | ir.Local(var=ir.Var(kept_from=[_, *_])):
            yield from _kept(x, knows)
            if isinstance(x, ir.StateX) and x.of is not None:
                yield from _reads(x.of, knows, "visible", calls)
            return
        case ir.StateX(state=m.State(is_unseen=True), of=ir.X() as of) if (
            is_from_anywhere(of) and same(of) not in knows.lying
        ):
            yield Read(x, "hidden", of_any=x.state.kind)
            return
        case ir.ContentsX(holds=m.Holds(is_unseen=True), of=ir.X() as of) if (
            is_from_anywhere(of) and same(of) not in knows.lying
        ):
            yield Read(x, "hidden", of_any=x.holds.owner)
            return
        case ir.ContentsX(of=of):
            level = level_of(x, knows)
            if LEVELS.index(level) < LEVELS.index("visible" if needed == "lying" else needed):
                yield Read(x, level)
            elif needed == "visible" and (kind := face_down(x, knows)) is not None:
                yield Read(x, "count", kind)
            if of is not None:
                yield from _reads(of, knows, "visible", calls)
            return
        case ir.FilterX(source=source, var=var, condition=condition) if (kind := face_down(source, knows)) is not None:
            # One thing after the other is looked at; what is left must be known only where it is told apart.
            inside = within_filter(var, source, knows).veiling(var, kind)
            yield from _reads(source, knows, "lying", calls)
            yield from _reads(condition, inside, "visible", calls)
            if needed == "visible":
                yield from _reads(ir.Local(_one(kind), x.span, var), inside.also(condition), "visible", calls)
            return
        case ir.AttrX(of=of) if (kind := face_down(of, knows)) is not None and is_open(x, kind):
            yield from _reads(of, knows, "lying", calls)
            return
        case ir.InX(element=ir.Local(var=var), source=ir.ContentsX(of=of)) if var.ident in knows.placed:
            if of is not None:
                yield from _reads(of, knows, "visible", calls)
            return
        case ir.InX(element=element, source=ir.ContentsX() as place) if _knows_it(element, place.holds.kind, knows):
            yield from _reads(element, knows, "visible", calls)
            level = level_of(place, knows)
            if level != "visible":
                yield Read(place, level)
            return
        case ir.AggregateX(picks=picks, value=value, condition=test):
            for var, source in picks:
                yield from _reads(source, knows, "lying" if face_down(source, knows) is not None else "visible", calls)
                knows = within_filter(var, source, knows).veiling(var, face_down(source, knows))
            if test is not None:
                yield from _reads(test, knows, "visible", calls)
                knows = knows.also(test)
            yield from _reads(value, knows, "visible", calls)
            return
        case ir.SomeX(source=ir.FilterX() as filtered) | ir.BuiltinX(name="count", args=(ir.FilterX() as filtered,)):
            yield from _reads(filtered, knows, "lying" if face_down(filtered, knows) is not None else "visible", calls)
            return
        case ir.SomeX(source=ir.ContentsX() as place):
            yield from _reads(place, knows, "nonempty", calls)
            return
        case ir.BuiltinX(name="count", args=(ir.ContentsX() as place,)):
            yield from _reads(place, knows, "count", calls)
            return
        case ir.CompareX(operator="==" | "!=", left=ir.AttrX(of=ir.Local(var=var)) as left, right=right) if (
            var.ident in knows.veiled
            and knows.also(ir.CompareX(BOOL, x.span, "==", left, right)).sees(left.of, knows.veiled[var.ident])
        ):
            # Where it is so, it is the chooser's own, and of what is not he knows that it is not so.
            yield from _reads(right, knows, "visible", calls)
            return
        case ir.CompareX(left=left, right=right) if needed == "visible":
            yield from _reads(left, knows, "visible", calls)
            yield from _reads(right, knows, "visible", calls)
            return
        case ir.AndX(parts=parts):
            # What an earlier part says is known to the later ones.
            for part in parts:
                yield from _reads(part, knows, "visible", calls)
                knows = knows.also(part)
            return
        case ir.OrX(parts=parts):
            for part in parts:
                yield from _reads(part, knows, "visible", calls)
                knows = knows.without(part)
            return
        case ir.IfX(condition=condition, then=then, otherwise=otherwise):
            yield from _reads(condition, knows, "visible", calls)
            yield from _reads(then, knows.also(condition), needed, calls)
            yield from _reads(otherwise, knows.without(condition), needed, calls)
            return
        case ir.QuantX(picks=picks, condition=condition):
            for var, source in picks:
                yield from _reads(source, knows, "lying" if face_down(source, knows) is not None else "visible", calls)
                knows = within_filter(var, source, knows).veiling(var, face_down(source, knows))
            yield from _reads(condition, knows, "visible", calls)
            return
        case ir.CallX(args=args) | ir.RouteX(args=args) | ir.TableX(args=args):
            for arg in args:
                # What a name alone is used for is seen inside.
                if not isinstance(arg, ir.Local) or not isinstance(x, ir.CallX) or calls >= DEEPEST:
                    yield from _reads(arg, knows, "visible", calls)
            for more in (x.target,) if isinstance(x, ir.RouteX) else (x.shift,) if isinstance(x, ir.TableX) else ():
                if more is not None:
                    yield from _reads(more, knows, "visible", calls)
            rule = asked_rule(x)
            assert rule is not None
            if not knows.veiled and not any(map(_may_look, args)) and not _asks_to_look(rule):
                return  # whoever asks sees all that it asks about
            if knows.stands_by and not knows.veiled and not any(map(_may_look, args)):
                # What somebody who stands by sees of a rule is the same whoever it is asked about.
                if not knows.is_alone and not _all_work_out(rule, knows):
                    yield Read(ir.Lit(BOOL, x.span, True), "hidden")
            elif knows.asked.again(rule, args):
                return
            elif knows.may_write_out(calls):
                given = {p.ident: a for p, a in zip(rule.params, args, strict=True)}
                for inner in bodies_of(rule):
                    for read in _reads(substitute(inner, given), knows, "visible", calls + 1):
                        # Told at the call: the rule itself may be asked by others who may look.
                        yield Read(_at(read.place, x.span), read.level, read.face_down, read.of_any)
            elif calls <= DEEPEST and id(rule) not in knows.gone_through:
                # Too far to say whose place it is that is looked into; that it is one's own is not believed then.
                knows.gone_through.add(id(rule))
                for inner in (inner for asked in asked_on_the_way(rule) for inner in bodies_of(asked)):
                    for read in _reads(inner, knows, "visible", DEEPEST + 1):
                        yield Read(_at(read.place, x.span), read.level, read.face_down, read.of_any)
            return
    for name in fields_of(type(x)):
        for part in parts_in(getattr(x, name)):
            if isinstance(part, ir.X):
                yield from _reads(part, knows, "visible", calls)


def _may_look(x: ir.X) -> bool:
    """Whether an expression itself may look at something that is not open to all."""
    for part in deep(x):
        match part:
            case ir.ContentsX(holds=holds) if holds.visibility or holds.kind.hidden is not None:
                return True
            case ir.StateX(state=m.State(kept_from=[_, *_]) | m.State(is_unseen=True)):
                return True
            case ir.ContentsX(holds=m.Holds(is_unseen=True)):
                return True
            case ir.Local(var=ir.Var(kept_from=[_, *_])):
                return True
            case ir.Local(is_private=True):
                return True
    return False


# The same of a rule and all those that it asks, which were gone through once.
_looking: WeakKeyDictionary[m.Function | m.Route | m.Table, bool] = WeakKeyDictionary()


def _asks_to_look(rule: m.Function | m.Route | m.Table) -> bool:
    known = _looking.get(rule)
    if known is None:
        seen, todo, known = {id(rule): rule}, [rule], False
        while todo and not known:
            for inner in bodies_of(todo.pop()):
                known = known or _may_look(inner)
                for asked in map(asked_rule, deep(inner)):
                    if asked is None or id(asked) in seen:
                        continue
                    answer = _looking.get(asked)
                    known = known or bool(answer)
                    if answer is None:
                        seen[id(asked)] = asked
                        todo.append(asked)
        for each in (rule,) if known else seen.values():
            _looking[each] = known
    return known


# Whether somebody who stands by can work out what a rule gives: while nothing lies face down, or even then.
_worked_out: WeakKeyDictionary[m.Function | m.Route | m.Table, dict[bool, bool]] = WeakKeyDictionary()


def _all_work_out(rule: m.Function | m.Route | m.Table, knows: Knows) -> bool:
    """The same of a rule and of all those that it asks."""
    known = _worked_out.setdefault(rule, {}).get(knows.faces)
    if known is not None:
        return known
    alone = evolve(knows, is_alone=True)
    seen, todo = {id(rule): rule}, [rule]
    is_open = True
    while todo and is_open:
        for inner in bodies_of(todo.pop()):
            is_open = is_open and next(reads(inner, alone, "visible"), None) is None
            for asked in map(asked_rule, deep(inner)):
                if asked is None or id(asked) in seen:
                    continue
                answer = _worked_out.setdefault(asked, {}).get(knows.faces)
                is_open = is_open and answer is not False
                if answer is None:
                    seen[id(asked)] = asked
                    todo.append(asked)
    for each in seen.values() if is_open else (rule,):
        _worked_out.setdefault(each, {})[knows.faces] = is_open
    return is_open


def forget_rule(rule: m.Function | m.Route | m.Table) -> None:
    """What was found out of a rule is no longer so: more is known of a state that it reads."""
    _looking.pop(rule, None)
    _worked_out.pop(rule, None)


def _kept(x: ir.StateX | ir.Local, knows: Knows) -> Iterator[Read]:
    """What a state or a parameter stands for, if the chooser may not know it where it lies. Of a parameter the writer
    is believed where it cannot be told whether the chooser is the one who may look."""
    places = list(places_of(x))
    levels = [level_of(place, knows) for place in places]
    if isinstance(x, ir.StateX):
        yield from (Read(place, level) for place, level in zip(places, levels, strict=True) if level != "visible")
        return
    if "visible" in levels:
        return
    named = [same(atom) for atom in players_named(knows.chooser) if isinstance(atom, ir.Local)]
    owners = [same(atom) for place in places if place.of is not None for atom in players_named(place.of)]
    if knows.trusting and named and not set(named) & set(owners):
        return
    yield Read(places[0], levels[0])


def candidates(source: ir.X, var: ir.Var | None, knows: Knows) -> Iterator[Read]:
    """What a list of candidates gives away: what lies in the places it is taken from, except what the requirements
    leave out."""
    kind = face_down(source, knows)
    if kind is None:
        yield from reads(source, knows, "visible")
        return
    if var is None:
        # Several at once have no name: what is known of each is what the filters say.
        var = ir.Var("one", _one(kind), "element", -1)
        knows = within_filter(var, source, knows)
    yield from reads(source, knows, "lying")
    if not knows.sees(ir.Local(_one(kind), source.span, var), kind):
        yield Read(source, "count", kind)


def face_down(source: ir.X, knows: Knows) -> m.Kind | None:
    """The kind of what is in a place (or in part of it), if it may lie face down there for the chooser. What lies in
    a place of his own is his."""
    while isinstance(source, ir.FilterX):
        source = source.source
    if not isinstance(source, ir.ContentsX) or source.holds.kind.hidden is None or not knows.faces:
        return None
    if never_in(source.holds, source.holds.kind.hidden[1]):
        return None
    return None if source.of is not None and knows.equal(source.of) else source.holds.kind


def _one(kind: m.Kind) -> PieceOf | ThingOf:
    return PieceOf(kind.name) if kind.is_pieces else ThingOf(kind.name)


def _knows_it(thing: ir.X, kind: m.Kind, knows: Knows) -> bool:
    return kind.hidden is not None and knows.sees(thing, kind)


def _at(place: ir.X, span: Span) -> ir.X:
    if isinstance(place, ir.ContentsX):
        return ir.ContentsX(place.type, span, place.holds, place.of)
    return ir.Lit(BOOL, span, True)


def within_filter(var: ir.Var, source: ir.X, knows: Knows) -> Knows:
    """What is known of one element of a filtered source."""
    while isinstance(source, ir.FilterX):
        knows = knows.also(substitute(source.condition, {source.var.ident: ir.Local(var.type, source.span, var)}))
        source = source.source
    return knows


def level_of(place: ir.ContentsX, knows: Knows) -> str:
    """How much of a place the chooser is sure to see. Somebody who stands by sees nothing of one if he does not know
    whose it is."""
    holds = place.holds
    if knows.stands_by and place.of is not None and next(reads(place.of, knows, "visible"), None) is not None:
        return "hidden"
    if not holds.visibility:
        return "visible"
    owner = place.of
    if owner is not None and isinstance(owner.type, SetOf) and holds.owner_var is not None:
        # Of many owners: each is known by the filters on them.
        one = ir.Var("owner", holds.owner_var.type, "element", -1)
        knows = within_filter(one, owner, knows)
        owner = ir.Local(one.type, place.span, one)
    possible: list[str] = []
    default = "visible"
    if all(line.who is not None for line in holds.visibility):
        default = "hidden" if any(line.level == "visible" for line in holds.visibility) else "visible"
    for line in holds.visibility:
        if line.who is None:
            default = line.level
            continue
        who = line.who
        if owner is not None and holds.owner_var is not None:
            who = substitute(who, {holds.owner_var.ident: owner})
        sure = knows.includes(who) if isinstance(who.type, SetOf) else knows.equal(who)
        possible.append(line.level)
        if sure:
            return min(possible, key=LEVELS.index)
    return min([*possible, default], key=LEVELS.index)
