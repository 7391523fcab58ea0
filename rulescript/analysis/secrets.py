"""Which questions would give something away by not being asked.

A choice with a single option is taken by itself. Where something hidden decides that there is only one, the
silence would tell it: who is not asked for a card has none. So such a choice is asked all the same, unless
what everybody sees already says that there is nothing to choose (an empty hand, a rule that does not apply).

In come an alternative and its requirements; out go, as expressions, the tests on what everybody sees.
"Everybody" is an outsider: somebody who is none of the players a place is shown to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from weakref import WeakKeyDictionary

from rulescript.analysis.looks_into import face_down, level_of, reads
from rulescript.analysis.who_knows import MOST_CALLS, Knows
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.traverse import conjuncts, free_vars, walk
from rulescript.model.types import BOOL, ERROR, INT, SetOf, ThingOf
from rulescript.source import Span

__all__ = [
    "asked_anyway",
    "can_all_work_out",
    "each_asked_anyway",
    "is_out_of_sight",
    "is_public",
    "is_uncounted",
    "is_uncounted_each",
    "lies_open_if",
    "later_secret",
    "lies_unknown",
    "several_secret",
    "tells_more",
]

# The same requirement is asked about several times while a choice is compiled.
_known: WeakKeyDictionary[ir.X, dict[bool, bool]] = WeakKeyDictionary()
_COUNTED = ("nonempty", "count", "order", "top")


def _outsider(x: ir.X, faces: bool = False) -> Knows:
    outsider = ir.Local(ERROR, x.span, ir.Var("outsider", ERROR, "element", -9))
    return Knows(outsider, faces=faces, trusting=False, stands_by=True)


def is_public(x: ir.X, faces: bool = False) -> bool:
    """Whether everybody can work out a value: while nothing lies face down, or (`faces`) even then."""
    known = _known.get(x)
    if known is None:
        known = _known[x] = {}
    if faces not in known:
        known[faces] = can_all_work_out(x, faces)
    return known[faces]


def can_all_work_out(x: ir.X, faces: bool = False) -> bool:
    """The same, worked out anew: while names are still being noted."""
    if isinstance(x, ir.Lit | ir.ThingLit | ir.AllThings):
        return True
    return next(reads(x, _outsider(x, faces), "visible"), None) is None


def _base(source: ir.X, calls: int = 0) -> ir.X:
    """What is picked from, without its filters; of a function that gives a place or part of it, that place."""
    while isinstance(source, ir.FilterX):
        source = source.source
    if isinstance(source, ir.CallX) and calls < MOST_CALLS and not source.function.adjustments:
        match [s for s in source.function.block if not isinstance(s, ir.DocS)]:
            case [ir.ReturnS(value=ir.X() as value)]:
                given = {p.ident: a for p, a in zip(source.function.params, source.args, strict=True)}
                inside = _base(substitute(value, given), calls + 1)
                return inside if isinstance(inside, ir.ContentsX) else source
    return source


def is_out_of_sight(thing: ir.ThingLit, places: Iterable[m.Holds]) -> ir.X | None:
    """That a thing lies where not everybody can tell which it is; None if it never does."""
    found: list[ir.X] = []
    for holds in places:
        if holds.kind is not thing.kind:
            continue
        owner = holds.owner
        of = ir.AllThings(SetOf(ThingOf(owner.name)), thing.span, owner) if owner is not None else None
        place = ir.ContentsX(SetOf(thing.type), thing.span, holds, of)
        if level_of(place, _outsider(place)) != "visible":
            found.append(ir.InX(BOOL, thing.span, thing, place, False))
    if thing.kind.hidden is not None:
        var, condition, _ = thing.kind.hidden
        found.append(substitute(condition, {var.ident: thing}))
    return ir.OrX(BOOL, thing.span, tuple(found)) if found else None


def lies_open_if(condition: ir.X | None, thing: m.Thing) -> bool:
    """Whether a condition, such as that a card is in force, holds only while its thing lies where all see it."""
    match condition:
        case ir.AndX(parts=parts):
            return any(lies_open_if(part, thing) for part in parts)
        case ir.OrX(parts=parts):
            return all(lies_open_if(part, thing) for part in parts)
        case ir.InX(element=ir.ThingLit(kind=kind, index=index), source=ir.ContentsX() as place, negated=False):
            is_meant = kind is thing.kind and index == thing.index and kind.hidden is None
            return is_meant and level_of(place, _outsider(place)) == "visible"
    return False


def is_uncounted(source: ir.X) -> bool:
    """Whether what is picked lies where others may not count it, or in one of several places of which they may not know
    which is meant."""
    base = _base(source)
    return isinstance(base, ir.ContentsX) and _level_of(base) in ("hidden", "nonempty")


def _level_of(place: ir.ContentsX) -> str:
    """How much everybody sees of a place, whatever lies face down."""
    return level_of(place, _outsider(place, True))


def lies_unknown(place: ir.ContentsX) -> tuple[bool, bool]:
    """Whether others see that something lies in a place and not what: since they can only count there, and since it may
    lie face down."""
    return _level_of(place) in ("count", "order", "top"), face_down(place, _outsider(place, True)) is not None


def _is_narrowed(source: ir.X, faces: bool) -> bool:
    """Whether others may not work out what there is to pick from: which of all there are, or whose place it is."""
    if isinstance(source, ir.ContentsX):
        return source.of is not None and not is_public(source.of, faces)
    return not is_public(source, faces)


def _secret_vars(alt: ir.Alt, faces: bool = False) -> set[int]:
    """The names whose value others may not see: picked from a place they cannot look into."""
    out: set[int] = set()
    for var, source in alt.picks:
        if not is_public(source, faces) or free_vars(source) & out:
            out.add(var.ident)
    if alt.many is not None and not is_public(alt.many[3], faces):
        out.add(alt.many[2].ident)
    return out


def _asks_what(condition: ir.X, secret: set[int]) -> bool:
    """Whether a condition asks for more of hidden names than how many they stand for."""
    numbers = [x.args for x in walk(condition) if isinstance(x, ir.BuiltinX) and x.name in ("count", "size")]
    counted = [arg for args in numbers for arg in args if isinstance(arg, ir.Local)]
    named = [x for x in walk(condition) if isinstance(x, ir.Local) and x.var.ident in secret]
    return len(named) > sum(arg.var.ident in secret for arg in counted)


def _can_be_alike(source: ir.X, faces: bool = False, told: _Told | None = None) -> ir.X | None:
    """That there are several in a place (as far as that is `told`, in the part that is picked from) of which others see
    only how many, or, with `faces`, the backs; None if all members of it differ.

    Of pieces of one type, and of copies of one thing, only one is offered. So where they are all alike there is one
    option, and taking it unasked would tell that they are."""
    base = _base(source)
    if not isinstance(base, ir.ContentsX):
        return None
    is_veiled = faces and face_down(base, _outsider(base, True)) is not None
    if level_of(base, _outsider(base)) not in _COUNTED and not is_veiled:
        return None
    kind = base.holds.kind
    if not kind.is_pieces and not any(thing.copy_of for thing in kind.things):
        return None
    seen = told.seen_of(source) if told is not None else None
    number = ir.BuiltinX(INT, base.span, "count", (seen or base,))
    return ir.CompareX(BOOL, base.span, ">", number, ir.Lit(INT, base.span, 1))


def asked_anyway(alt: ir.Alt) -> list[ir.X] | None:
    """What must hold, for all to see, for an alternative to be asked even if it offers nothing.

    None if it never needs to be: all can work out what it offers, or that it offers something. Where only what lies
    face down can hide it, it is asked as long as something does."""
    tests = _asked_anyway(alt, False)
    return tests if tests is not None else _asked_anyway(alt, True)


def _something_face_down(alt: ir.Alt, secret: set[int]) -> ir.X:
    """That something lies face down in one of the places an alternative looks into."""
    parts = [*(source for _, source in alt.picks), *(c.in_effect for c in alt.clauses)]
    if alt.many is not None:
        parts.append(alt.many[3])
    return _face_down_in(parts, secret, alt.span)


def _face_down_in(parts: Sequence[ir.X], secret: set[int], span: Span) -> ir.X:
    """That something lies face down in one of the places that some expressions look into."""
    found: list[ir.X] = []
    named = [place for part in parts for x in walk(part) if isinstance(x, ir.Local) for place in x.var.veiled_in]
    for place in (*named, *(x for part in parts for x in walk(part) if isinstance(x, ir.ContentsX))):
        if face_down(place, _outsider(place, True)) is None:
            continue
        if place.of is not None and free_vars(place.of) & secret:
            assert place.holds.owner is not None
            everywhere = ir.AllThings(SetOf(ThingOf(place.holds.owner.name)), place.span, place.holds.owner)
            place = ir.ContentsX(place.type, place.span, place.holds, everywhere)
        assert place.holds.kind.hidden is not None
        var, condition, _ = place.holds.kind.hidden
        lying = ir.FilterX(place.type, place.span, place, var, condition)
        found.append(ir.SomeX(BOOL, place.span, lying, False))
    # Behind a call it is not looked for: then it may be anywhere.
    return ir.OrX(BOOL, span, tuple(found)) if found else ir.Lit(BOOL, span, True)


def is_uncounted_each(source: ir.X) -> bool:
    """Whether others may not know for how many of several something is asked: they may not count them, or only
    those are meant of which something holds that others may not know, whatever these are called."""
    match source:
        case ir.ContentsX():
            return is_uncounted(source)
        case ir.SetOpX(operator="+", left=ir.ContentsX() as left, right=ir.ContentsX() as right):
            return is_uncounted(left) or is_uncounted(right)
    return is_uncounted(source) or not is_public(source, True)


def each_asked_anyway(choose: ir.ChooseS, one: ir.Var, possible: ir.X) -> list[ir.X] | None:
    """What must hold, for all to see, for a choice for each of several (`one`) to be asked even if there is nothing of
    them or nothing that all of them can be given (`possible`). None if it never needs to be: all can work that out."""
    source = choose.each_of
    assert source is not None
    tests: list[ir.X] = []
    if is_public(possible) and not is_uncounted(source):
        if is_public(possible, True):
            return None
        tests.append(_face_down_in((source, possible), set(), choose.span))
    (alt,) = choose.alts
    told = _Told([(one, source), *alt.picks], choose.span)
    base = _base(source)
    seen = told.sources.get(one.ident)
    if seen is not None:
        tests.append(ir.SomeX(BOOL, source.span, seen, False))
    elif isinstance(base, ir.ContentsX) and _level_of(base) in _COUNTED:
        tests.append(ir.SomeX(BOOL, base.span, base, False))
    if seen is source:
        # All know of each of them that it is one, and where it surely cannot go.
        clauses = [part for c in alt.clauses for part in conjuncts(c.in_effect)]
        ways = list(_some_pick(alt.picks, [part for part in clauses if told.can_be_worked_out(part)], told.sources))
        tests += [ir.QuantX(BOOL, way.span, "every", ((one, source),), way) for way in ways]
    return tests


def _asked_anyway(alt: ir.Alt, faces: bool) -> list[ir.X] | None:
    # What is asked of a selection as a whole says nothing before there is one.
    selection = {alt.many[2].ident} if alt.many is not None else set()
    secret = _secret_vars(alt, faces)
    told = _Told(alt.picks, alt.span)
    public = [
        # While something lies face down there, or where it was picked, nobody can work it out.
        part
        if told.can_be_worked_out(part)
        else ir.OrX(BOOL, part.span, (part, _face_down_in((part,), secret, part.span)))
        for c in alt.clauses
        for part in conjuncts(c.in_effect)
        if (is_public(part, faces) or told.can_be_worked_out(part)) and not free_vars(part) & selection
    ]
    if faces:
        public.append(_something_face_down(alt, secret))
    if not alt.picks and alt.many is None:
        return public if any(not is_public(c.in_effect, faces) for c in alt.clauses) else None
    sources = [source for _, source in alt.picks]
    if alt.many is not None:
        sources = [alt.many[3]]
    narrowed = any(_is_narrowed(s, faces) and not (faces and told.seen_of(s) is s) for s in sources)
    # Where nobody else can count what there is, that it was not asked for would tell it.
    narrowed = narrowed or any(map(is_uncounted, sources))
    # Nor may they know how many are asked for.
    narrowed = narrowed or (alt.many is not None and alt.many[1] is not None and not is_public(alt.many[1], faces))
    narrowed = narrowed or any(
        _asks_what(c.in_effect, secret) or not is_public(c.in_effect, faces) for c in alt.clauses
    )
    names = {var.ident for var, _ in alt.picks}
    alike = [
        test for source in sources if alt.many is None and (test := _can_be_alike(source, faces, told)) is not None
    ]
    alike = [test for test in alike if not free_vars(test) & names]
    if not narrowed and not alike:
        return None
    tests = [x for x in public if not free_vars(x) & names]
    tests += _open_picks(alt, public, secret, told)
    if alt.many is not None and (seen := told.seen_of(alt.many[3])) is not None:
        tests.append(ir.SomeX(BOOL, alt.span, seen, False))
    if not narrowed:
        return [*tests, ir.OrX(BOOL, alt.span, tuple(alike))]
    for source in sources:
        base = _base(source)
        if isinstance(base, ir.ContentsX) and not free_vars(base) & names and _level_of(base) in _COUNTED:
            tests.append(ir.SomeX(BOOL, base.span, base, False))
    return tests


class _Told:
    """What all can tell of the things an alternative picks from, also of what lies face down: where they are and what
    their backs show."""

    def __init__(self, picks: Sequence[tuple[ir.Var, ir.X]], span: Span) -> None:
        self.names = {var.ident for var, _ in picks}
        # For some names, all that others take for something to pick from: without what only a face tells.
        self.sources: dict[int, ir.X] = {}
        self.knows = _outsider(ir.Lit(BOOL, span, True), True)
        for var, source in picks:
            seen = self.seen_of(source)
            if seen is not None:
                self.sources[var.ident] = seen
            self.knows = self.knows.veiling(var, face_down(source, self.knows))

    def seen_of(self, source: ir.X) -> ir.X | None:
        """What all take for what there is to pick from; None if not everybody can tell that."""
        seen = self._wide(source)
        looked_at = reads(seen, self.knows, "visible" if face_down(seen, self.knows) is None else "lying")
        return seen if self._speaks_of_open(seen) and next(looked_at, None) is None else None

    def _wide(self, source: ir.X) -> ir.X:
        """What is picked from, without the conditions that not everybody can look at."""
        if isinstance(source, ir.MostX):
            return self._wide(source.source)
        if not isinstance(source, ir.FilterX):
            return source
        inner = self._wide(source.source)
        within = self.knows.veiling(source.var, face_down(inner, self.knows))
        parts = list(conjuncts(source.condition))
        seen = [x for x in parts if self._speaks_of_open(x) and next(reads(x, within, "visible"), None) is None]
        if inner is source.source and len(seen) == len(parts):
            return source
        for part in seen:
            inner = ir.FilterX(source.type, source.span, inner, source.var, part)
        return inner

    def _speaks_of_open(self, x: ir.X) -> bool:
        return free_vars(x) & self.names <= set(self.sources)

    def can_be_worked_out(self, part: ir.X) -> bool:
        return self._speaks_of_open(part) and next(reads(part, self.knows, "visible"), None) is None


def _open_picks(alt: ir.Alt, public: list[ir.X], secret: set[int], told: _Told) -> Iterator[ir.X]:
    """That what all can see leaves something to pick: a region that may be chosen, whatever is chosen with it. While
    something lies face down they cannot see it of what its face tells."""
    yield from _some_pick(alt.picks, [x for x in public if told.can_be_worked_out(x)], told.sources)
    named = {var.ident: source for var, source in alt.picks if var.ident not in secret}
    if named != told.sources:
        for test in _some_pick(alt.picks, public, named):
            yield ir.OrX(BOOL, alt.span, (test, _something_face_down(alt, told.names)))


def _some_pick(picked: Sequence[tuple[ir.Var, ir.X]], parts: list[ir.X], sources: dict[int, ir.X]) -> Iterator[ir.X]:
    """That there is something for some names of which such parts of the requirements hold as speak of no others."""
    picks = tuple((var, sources[var.ident]) for var, _ in picked if var.ident in sources)
    names = {var.ident for var, _ in picked}
    closed = names - set(sources)
    about = tuple(x for x in parts if free_vars(x) & names and not free_vars(x) & closed)
    if about or any(isinstance(source, ir.FilterX) for _, source in picks):
        span = picks[0][1].span
        allowed = ir.AndX(BOOL, span, about) if about else ir.Lit(BOOL, span, True)
        yield ir.QuantX(BOOL, span, "some", picks, allowed)


def later_secret(alt: ir.Alt, stage: int) -> ir.X | None:
    """When what can be picked at a later stage depends on something others may not see; None if it never does."""
    if _is_later_secret(alt, stage, False):
        return ir.Lit(BOOL, alt.span, True)
    if _is_later_secret(alt, stage, True):
        return _while_face_down(alt)
    return _can_be_alike(alt.picks[stage][1])


def _is_later_secret(alt: ir.Alt, stage: int, faces: bool) -> bool:
    secret = _secret_vars(alt, faces)
    var, source = alt.picks[stage]
    if var.ident in secret and _is_narrowed(source, faces) or not faces and is_uncounted(source):
        return True
    later = {v.ident for v, _ in alt.picks[stage:]}
    if faces:
        # Where a thing stands all can see, also while it lies face down: only what its face tells is hidden.
        knows = _outsider(source, True)
        for other, place in alt.picks:
            knows = knows.veiling(other, face_down(place, knows))
        parts = [c.in_effect for c in alt.clauses if free_vars(c.in_effect) & later]
        return any(next(reads(part, knows, "visible"), None) is not None for part in parts)
    return bool(free_vars(source) & secret) or any(
        free_vars(c.in_effect) & later and (free_vars(c.in_effect) & secret or not is_public(c.in_effect))
        for c in alt.clauses
    )


def several_secret(alt: ir.Alt) -> ir.X | None:
    """When others may not see what several are selected from, so that which of them are left would tell which were
    taken; None if they always may."""
    assert alt.many is not None
    source = alt.many[3]
    if not is_public(source):
        return ir.Lit(BOOL, alt.span, True)
    return _while_face_down(alt) if not is_public(source, True) else None


def _while_face_down(alt: ir.Alt) -> ir.X:
    """As long as something lies face down where an alternative looks; always, where that depends on what is picked."""
    test = _something_face_down(alt, _secret_vars(alt, True))
    names = {var.ident for var, _ in alt.picks}
    return test if not free_vars(test) & names else ir.Lit(BOOL, alt.span, True)


def tells_more(alt: ir.Alt) -> bool:
    """Whether the text of an alternative says anything, beside what is picked, that others may not know."""
    picked = {var.ident for var, _ in alt.bound}
    for part in alt.text.parts if alt.text is not None else ():
        if isinstance(part, str) or (isinstance(part, ir.Local) and part.var.ident in picked):
            continue
        if not is_public(part, True):
            return True
    return False
