"""The work of rules and loops is counted once, as if all were gone over, by whoever plays.

Before::

    def f3(S, v22):
        step(737)
        return any(True for v in many(BITS[L9[v22]], 14) if S[10 + v] == 2)

    o = [v for v in many(BITS[S[41] & 4294967295], 861) if S[10 + v] == 2 and f3(S, v)]

After::

    def f3(S, v22):
        return any(True for v in BITS[L9[v22]] if S[10 + v] == 2)

    step(53792)
    o = [v for v in BITS[S[41] & 4294967295] if S[10 + v] == 2 and f3(S, v)]

Counting takes as long as a look at some members, and before somebody is asked it is not even needed (`late_charges`).
What a rule counts at most is added to what is counted where it is called: so many times as the loops around go round.
Of all places together there are no more pieces than there are of their kind: so a loop over the pieces of each place
does not go round as often as for each place all of them.

Loops that may be very long are still counted by what they go over, with what is in them; so are rules that may call
themselves, and those that are given to others to be called, nobody knows how often."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve, frozen

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit
from rulescript.machine.values import HIGHEST_MEMBER

__all__ = ["whole_charges"]

# A loop of a block that may be more than this, and one of a rule, is counted as it is. So is a rule as a whole.
_MOST = 6_000_000
_MOST_IN_RULES = 1_000_000
# Functions that give what has no length.
_ENDLESS = frozenset({"enumerate", "iter", "map", "reversed", "zip"})


def whole_charges(unit: Unit) -> None:
    called = {function.name: _called(function) for function in unit.functions}
    counted = {function.name for function in unit.functions if function.sort in ("pure", "rule")}
    counted -= _given_away(unit) | _in_circles(called)
    while True:
        whole = _Whole(unit, counted)
        made = [whole.function(function) for function in unit.functions]
        if not whole.endless & counted:
            unit.functions = made
            return
        counted -= whole.endless


def _called(function: c.Function) -> set[str]:
    """The functions that one calls."""
    return {
        part.function.text
        for statement in c.statements(function.body)
        for code in c.expressions(statement)
        for part in c.inside(code)
        if isinstance(part, c.Call) and isinstance(part.function, c.Known)
    }


def _given_away(unit: Unit) -> set[str]:
    """Functions that are not only called: nobody knows how often they will be."""
    found: set[str] = set()

    def look(code: c.Code, is_called: bool = False) -> None:
        match code:
            case c.Known(text=text) if not is_called:
                found.add(text)
            case c.Lambda(body=body):
                found.update(part.text for part in c.inside(body) if isinstance(part, c.Known))
            case c.Call(function=function):
                for part in c.parts(code):
                    look(part, part is function)
            case _:
                for part in c.parts(code):
                    look(part)

    seen: set[c.Code] = set()
    bodies = [unit.begin, *(function.body for function in unit.functions)]
    for code in (code for body in bodies for each in c.statements(body) for code in c.expressions(each)):
        if code not in seen:
            seen.add(code)
            look(code)
    for code in (*unit.tables.values(), *unit.known.values(), *unit.kept):
        found.update(part.text for part in c.inside(code) if isinstance(part, c.Known))
    return found


def _in_circles(called: dict[str, set[str]]) -> set[str]:
    """Functions that may call themselves, also by way of others: those left when all others are taken away that call
    nothing that is left."""
    left = {name: {each for each in called[name] if each in called} for name in called}
    callers: dict[str, list[str]] = {}
    for name, others in left.items():
        for other in others:
            callers.setdefault(other, []).append(name)
    ready = [name for name, others in left.items() if not others]
    while ready:
        name = ready.pop()
        for caller in callers.get(name, ()):
            left[caller].discard(name)
            if not left[caller]:
                ready.append(caller)
    return {name for name, others in left.items() if others}


@frozen
class _Work:
    """What is counted: each time, and besides in all rounds together of the loops that bind some names."""

    each: int = 0
    shared: tuple[tuple[str, int], ...] = ()

    def __add__(self, other: _Work) -> _Work:
        if not self.shared or not other.shared:
            return _Work(self.each + other.each, self.shared or other.shared)
        shared = dict(self.shared)
        for name, number in other.shared:
            shared[name] = shared.get(name, 0) + number
        return _Work(self.each + other.each, tuple(shared.items()))

    def __or__(self, other: _Work) -> _Work:
        """One or the other."""
        names = dict(self.shared) | dict(other.shared)
        mine, others = dict(self.shared), dict(other.shared)
        shared = tuple((name, max(mine.get(name, 0), others.get(name, 0))) for name in names)
        return _Work(max(self.each, other.each), shared)

    def rounds(self, number: int, names: tuple[str, ...]) -> _Work:
        """So many rounds of a loop that binds some names."""
        together = sum(each for name, each in self.shared if name in names)
        others = tuple((name, each * number) for name, each in self.shared if name not in names)
        return _Work(self.each * number + together, others)

    @property
    def most(self) -> int:
        return self.each + sum(number for _, number in self.shared)


_NOTHING = _Work()


class _Whole:
    """`counted` are the rules that are counted where they are called."""

    def __init__(self, unit: Unit, counted: set[str]) -> None:
        self.unit = unit
        self.counted = counted
        self.functions = {function.name: function for function in unit.functions}
        self.rules: dict[str, tuple[c.Function, int]] = {}
        self.endless: set[str] = set()
        self.longest: dict[str, int] = {}
        self.things = {
            slot: len(run)
            for first, *places in unit.homes.values()
            for run in unit.runs
            if run.start == first
            for place in places
            for slot in next((other for other in unit.runs if other.start == place), (place,))
        }
        self.everything = max(HIGHEST_MEMBER + 1, *(len(run) for run in unit.runs), 0)
        self.most = _MOST_IN_RULES
        self.known: dict[tuple[c.Code, int], tuple[c.Code, _Work]] = {}

    def function(self, function: c.Function) -> c.Function:
        """A function that does not count what is counted where it is called."""
        if function.sort in ("pure", "rule"):
            return self._rule(function.name)[0]
        self.most = _MOST
        return evolve(function, body=self._placed(function.body))

    def _rule(self, name: str) -> tuple[c.Function, int]:
        """A rule, and what it counts where it is called."""
        found = self.rules.get(name)
        if found is None:
            function, before = self.functions[name], self.most
            self.most = _MOST_IN_RULES
            body, work = self._body(function.body)
            if name not in self.counted or work.most > _MOST_IN_RULES:
                body, work = self._placed(function.body), _NOTHING
            self.most = before
            found = self.rules[name] = (evolve(function, body=body), work.most)
        return found

    # -------------------------------------------------------------- statements

    def _placed(self, body: c.Body) -> c.Body:
        """Statements with what is counted before each."""
        out: c.Body = []
        for statement in body:
            new: c.Statement | None
            if isinstance(statement, c.If | c.Case):
                new, work = self._tested(statement, [self._placed(each) for each in c.bodies(statement)])
            else:
                new, work = self._statement(statement)
            if work.most:
                out.append(_counted(work, statement))
            if new is not None:
                out.append(new)
        return out

    def _body(self, body: c.Body) -> tuple[c.Body, _Work]:
        """Statements that count nothing but what may be very much; and what they count otherwise, at most."""
        if not body:
            return body, _NOTHING
        out: c.Body = []
        total = _NOTHING
        for statement in body:
            new, work = self._statement(statement)
            total += work
            if new is not None:
                out.append(new)
        return out or [c.Pass()], total

    def _statement(self, statement: c.Statement) -> tuple[c.Statement | None, _Work]:
        match statement:
            case c.Do(value=c.Call(function=c.Known(text="step"), args=(c.Const(value=int(weight)),))):
                return None, _Work(weight)
            case c.For():
                return self._for(statement)
            case c.While(test=test, body=body):
                test, asking = self._code(test)
                inside, work = self._body(body)
                if (work + asking).most:
                    inside = [_counted(work + asking, statement), *inside]
                return c.While(test, inside, origin=statement.origin), asking
            case c.If() | c.Case():
                made = [self._body(each) for each in c.bodies(statement)]
                new, asking = self._tested(statement, [each for each, _ in made])
                work = _NOTHING
                for _, each in made:
                    work |= each
                return new, asking + work
            case c.Store(value=value) | c.Do(value=value) | c.Return(value=value):
                new_value, work = self._code(value)
                work += self._all(code for code in c.expressions(statement) if code is not value)
                return statement if new_value is value else evolve(statement, value=new_value), work
            case c.Alone(tests=tests):
                return evolve(statement, tests=tuple(self._code(test)[0] for test in tests)), self._all(tests)
        return statement, self._all(c.expressions(statement))

    def _tested(self, statement: c.If | c.Case, inside: list[c.Body]) -> tuple[c.Statement, _Work]:
        """A statement with other ones inside, and what is counted for its tests."""
        if isinstance(statement, c.If):
            test, work = self._code(statement.test)
            return c.If(test, inside[0], inside[1], origin=statement.origin), work
        tests = [self._code(test)[0] for test in statement.tests]
        return c.with_bodies(evolve(statement, tests=tests), inside), self._all(statement.tests)

    def _all(self, codes: Iterable[c.Code]) -> _Work:
        total = _NOTHING
        for code in codes:
            total += self._code(code)[1]
        return total

    def _for(self, loop: c.For) -> tuple[c.Statement, _Work]:
        body, each = self._body(loop.body)
        other, after = self._body(loop.other)
        names = tuple(target.text for target in loop.targets if isinstance(target, c.Name))
        source, work, is_counted = self._rounds(loop.source, each, names)
        if not is_counted:
            body = [_counted(each, loop), *body]
        new = c.For(loop.targets, source, body, other, origin=loop.origin)
        return new, work + after + self._all(loop.targets)

    # -------------------------------------------------------------- expressions

    def _code(self, code: c.Code) -> tuple[c.Code, _Work]:
        """An expression that counts nothing but what may be very much; and what it counts otherwise, at most."""
        key = (code, self.most)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._worked_out(code)
        return found

    def _worked_out(self, code: c.Code) -> tuple[c.Code, _Work]:
        match code:
            case c.Const() | c.Name() | c.Known() | c.Address() | c.Lambda():
                return code, _NOTHING
            case c.Listing():
                return self._listing(code)
            case c.Call(function=c.Known(text="many"), args=(_, c.Const(value=int()))):
                new, work, _ = self._rounds(code, _NOTHING, ())
                return new, work
            case c.Cond(test=test, then=then, other=other):
                work = self._code(test)[1] + (self._code(then)[1] | self._code(other)[1])
                return c.altered(code, lambda part: self._code(part)[0]), work
        work = self._all(c.parts(code))
        new = c.altered(code, lambda part: self._code(part)[0])
        if isinstance(code, c.Call) and isinstance(code.function, c.Known) and code.function.text in self.counted:
            work += _Work(self._rule(code.function.text)[1])
        return new, work

    def _listing(self, listing: c.Listing) -> tuple[c.Code, _Work]:
        value, work = self._code(listing.value)
        loops: list[c.Each] = []
        for loop in reversed(listing.loops):
            each = work + self._all(loop.tests)
            source, work, is_counted = self._rounds(loop.source, each, loop.names)
            if not is_counted:
                if self._has_length(source):
                    source = c.call("many", source, each.most)
                else:
                    self.endless |= {part.text for part in c.inside(listing) if isinstance(part, c.Known)}
            loops.append(c.Each(loop.names, source, tuple(self._code(test)[0] for test in loop.tests)))
        return c.Listing(listing.form, value, tuple(reversed(loops))), work

    def _rounds(self, source: c.Code, each: _Work, names: tuple[str, ...]) -> tuple[c.Code, _Work, bool]:
        """What a loop goes over whose rounds count something: with what is counted for all of it, and whether the
        rounds are counted so."""
        is_many = False
        match source:
            case c.Call(function=c.Known(text="many"), args=(c.Code() as inner, c.Const(value=int(weight)))):
                source, each, is_many = inner, each + _Work(weight), True
        members, work = self._code(source)
        if not each.most:
            return members, work, True
        rounds = self._for_all(source, each, names)
        if rounds is not None and rounds.most <= self.most:
            return members, work + rounds, True
        return c.call("many", members, each.most) if is_many else members, work, is_many

    def _for_all(self, source: c.Code, each: _Work, names: tuple[str, ...]) -> _Work | None:
        """What all rounds of a loop count together; None if nobody knows how many there are."""
        match source:
            case c.List(items=items) | c.Tuple(items=items) | c.Const(value=tuple() as items):
                return each.rounds(len(items), ())  # the same may be there twice
            case c.Get(of=c.Known(text="BITS"), at=mask):
                return each.rounds(self._size(mask), names)
            case c.Get(of=c.Known(text=text), at=pile) if text[:3] in ("CD_", "IT_") and text[3:] in self.unit.pieces:
                all_rounds = each.rounds(self.unit.pieces[text[3:]], names)
                for factor in c.factors(pile):
                    if isinstance(factor, c.Slot) and factor.base and isinstance(factor.at, c.Name):
                        # The pieces of a place, which is another one in each round of the loop around.
                        return _Work(0, ((factor.at.text, all_rounds.most),))
                return all_rounds
        return None

    def _has_length(self, source: c.Code) -> bool:
        match source:
            case c.Call(function=c.Known(text=text)):
                return text not in _ENDLESS
            case c.Listing(form="bare"):
                return False
        return True

    # -------------------------------------------------------------- how much there is

    def _size(self, mask: c.Code) -> int:
        """How many members a set has, at most."""
        match mask:
            case c.Const(value=int(value)):
                return value.bit_count() if value >= 0 else self.everything
            case c.Op(sign="&", left=left, right=right):
                return min(self._size(left), self._size(right))
            case c.Op(sign="|", left=left, right=right):
                return self._size(left) + self._size(right)
            case c.Op(sign="<<", left=c.Const(value=1)):
                return 1
            case c.Cond(then=then, other=other):
                return max(self._size(then), self._size(other))
            case c.Slot(base=base) if base in self.things:
                return self.things[base]
            case c.Get(of=c.Known(text=text)):
                if text not in self.longest:
                    table = self.unit.values.get(text)
                    masks = table if isinstance(table, tuple) else ()
                    is_known = masks and all(v.__class__ is int and v >= 0 for v in masks)
                    self.longest[text] = max(v.bit_count() for v in masks) if is_known else self.everything
                return self.longest[text]
        return self.everything


def _counted(work: _Work, near: c.Statement) -> c.Statement:
    return c.Do(c.call("step", work.most), origin=near.origin)
