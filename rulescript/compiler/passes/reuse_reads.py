"""What was read from the state or a table is not read again until it may have changed.

Before::

    S[79] = o
    if S[52 + S[79]] & M12[S[6]] != 0 and S[52 + S[79]] & B41 == 0:
        S[41] &= ~(1 << S[79])
        o = E3[S[52 + S[79]] & M12[S[6]]]

After::

    S[79] = o
    y1 = S[52 + o]
    y2 = y1 & M12[S[6]]
    if y2 != 0 and y1 & B41 == 0:
        S[41] &= ~(1 << o)
        o = E3[y2]

A name is given only to what is certainly worked out where it stands first, and used only where it certainly was. Inside
listings nothing is changed: a name of the function around them would become slower everywhere."""

from __future__ import annotations

from attrs import define, evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, is_kept

__all__ = ["reuse_reads"]

# Functions of the machine that change nothing of the state.
_QUIET = frozenset({
    "abs", "all", "any", "bool", "frozenset", "gathered", "hits", "hits_on", "len", "list", "many", "max", "min",
    "most_list", "most_set", "number", "only", "range", "set", "settled", "sorted", "stale", "step", "str", "sum",
    "take_pieces", "too_long", "tuple", "without_option",
})  # fmt: skip
# What others change: arguments that are slots, besides that of chance.
_CHANGING = {
    "many_start": (1,), "many_first": (1, 2), "first_picks": (1, 2), "roll": (), "rolled": (), "draw_unseen": (2, 4),
    "draw_pieces": (3, 5),
}  # fmt: skip
_LEAVING = (c.Jump, c.Return, c.Ask, c.Halt)

_Token = int | str


def reuse_reads(unit: Unit) -> None:
    slots = _Slots(unit)
    unit.map(lambda function: _Reuse(slots, function).function())


class _Slots:
    """What a read of the state depends on, and what a write changes, as tokens: a write changes what depends on any of
    its own."""

    def __init__(self, unit: Unit) -> None:
        self.size = unit.size
        self.places = unit.places
        self.starts = frozenset(run.start for run in unit.runs)
        self.run_of = {slot: run.start for run in unit.runs for slot in run}
        self.pure = frozenset(function.name for function in unit.functions if function.sort == "pure")
        # What is known of expressions: many stand in several functions.
        self.depends: dict[c.Code, tuple[frozenset[_Token], frozenset[str]]] = {}
        self.acts: dict[c.Code, bool] = {}
        self.calls: dict[c.Code, tuple[c.Code, ...]] = {}
        self.worth: dict[c.Code, bool] = {}

    def read(self, slot: c.Slot) -> tuple[_Token, ...]:
        base, at = slot.base, slot.at
        if at is not None and not base:
            return ("kept",) if is_kept(at) else ("some place", "place")
        if base >= self.size:
            return (base, "kept") if at is None else ("some kept", "kept")
        place = ("place",) if base in self.places else ()
        run = self.run_of.get(base)
        if at is None:
            return (base, f"in {run}", *place) if run is not None else (base, *place)
        return (f"any {run}", f"in {run}", *place)

    def written(self, slot: c.Slot) -> tuple[_Token, ...]:
        base, at = slot.base, slot.at
        if at is not None and not base:
            return ("kept",) if is_kept(at) else ("place",)
        if base >= self.size:
            return (base, "some kept") if at is None else ("kept",)
        place = ("some place",) if base in self.places else ()
        run = self.run_of.get(base)
        if at is None:
            return (base, f"any {run}", *place) if run is not None else (base, *place)
        return (f"in {run}", *place)


@define(eq=False)
class _Read:
    """Something read: in which statement first, and what it depends on."""

    code: c.Code
    first: c.Statement
    tokens: frozenset[_Token]
    names: frozenset[str]
    name: c.Code | None = None
    is_stored: bool = False  # the statement stores it
    is_again: bool = False


_Known = dict[c.Code, _Read]


class _Reuse:
    def __init__(self, slots: _Slots, function: c.Function) -> None:
        self.slots = slots
        self.of = function
        self.known: _Known = {}
        self.found: dict[int, list[_Read]] = {}  # by statement
        self.again: dict[int, dict[c.Code, _Read]] = {}
        self.empty: set[int] = set()  # loops over nothing
        self.count = 0

    def function(self) -> c.Function:
        self.of = evolve(self.of, body=_copied(self.of.body))
        self._body(self.of.body)
        if not any(read.is_again for reads in self.found.values() for read in reads):
            if not any(self.again.values()):
                return self.of
        return evolve(self.of, body=self._written(self.of.body))

    # -------------------------------------------------------------- finding

    def _body(self, body: c.Body) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, statement: c.Statement) -> None:
        acting = [code for code in c.expressions(statement) if self._acts(code)]
        if acting:
            # What is read after the call may have changed by it.
            match statement:
                case c.Store(value=c.Call(args=args) as value) | c.Do(value=c.Call(args=args) as value) if acting == [
                    value
                ] and not any(map(self._acts, args)):
                    for arg in args:
                        self._visit(arg, statement, True)
            for code in acting:
                self._act(code)
            match statement:
                case c.Store(targets=targets, value=stored, sign=sign):
                    self._forget(targets)
                    if len(targets) == 1 and not sign and not statement.is_tuple:
                        self._note(targets[0], stored, statement)
                    return
                case c.Do() | c.Return():
                    return
        self._quiet_statement(statement, bool(acting))

    def _quiet_statement(self, statement: c.Statement, has_acted: bool) -> None:
        match statement:
            case c.Store(targets=targets, value=value, sign=sign):
                self._visit(value, statement, True)
                for target in targets:
                    if isinstance(target, c.Slot) and target.at is not None:
                        self._visit(target.at, statement, True)
                self._forget(targets)
                if len(targets) == 1 and not sign and not statement.is_tuple:
                    self._note(targets[0], value, statement)
            case c.Do(value=value):
                self._visit(value, statement, True)
                self._act(value)
            case c.Return(value=value):
                self._visit(value, statement, True)
            case c.If(test=test, then=then, other=other):
                if not has_acted:
                    self._visit(test, statement, True)
                self._branches([then, other])
            case c.Case(tests=tests, ways=ways, other=other):
                for test in () if has_acted else tests:
                    self._visit(test, statement, test is tests[0])
                self._branches([*ways, other])
            case c.For(targets=targets, source=source, body=body, other=other):
                if not has_acted:
                    self._visit(source, statement, True)
                if self._is_nothing(source) and not other:
                    self.empty.add(id(statement))
                    return
                self._loop(statement, targets, [body, other])
            case c.While(body=body):
                self._loop(statement, (), [body])
            case c.Alone(tests=tests):
                for test in () if has_acted else tests:
                    self._visit(test, statement, False)

    def _is_nothing(self, source: c.Code) -> bool:
        if isinstance(source, c.Call) and source.function == c.Known("many"):
            source = source.args[0]
        read = self.known.get(source)
        return source == c.Const(()) or read is not None and read.name == c.Const(())

    def _branches(self, bodies: list[c.Body]) -> None:
        before, after = self.known, []
        for body in bodies:
            self.known = dict(before)
            self._body(body)
            if not body or not isinstance(body[-1], _LEAVING):
                after.append(self.known)
        self.known = {code: read for code, read in before.items() if all(known.get(code) is read for known in after)}

    def _loop(self, statement: c.Statement, targets: tuple[c.Code, ...], bodies: list[c.Body]) -> None:
        self._forget(targets)
        for inner in c.statements([each for body in bodies for each in body]):
            match inner:
                case c.Store(targets=written, value=value):
                    self._forget(written)
                    self._act(value)
                case c.For(targets=written, source=value):
                    self._forget(written)
                    self._act(value)
                case c.Do(value=value) | c.If(test=value) | c.While(test=value) | c.Return(value=value):
                    self._act(value)
        before = self.known
        for body in bodies:
            self.known = dict(before)
            self._body(body)
        self.known = before

    def _note(self, target: c.Code, value: c.Code, statement: c.Store) -> None:
        """A slot that was just set is known."""
        if isinstance(target, c.Name):
            read = self.known.get(value)
            if read is not None and read.first is statement and not read.is_again:
                # It has a name as long as that means the same.
                self.found[id(statement)].remove(read)
                self.known[value] = _Read(value, statement, read.tokens, read.names | {target.text}, target)
            return
        if not isinstance(target, c.Slot):
            return
        tokens, names = self._depends(target)
        match value:
            case c.Name(text=text):
                self.known[target] = _Read(target, statement, tokens, names | {text}, value)
            case c.Const() | c.Known() if target.base >= self.slots.size:
                pass  # whoever finds nothing kept there keeps something
            case c.Const():
                self.known[target] = _Read(target, statement, tokens, names, value)
            case c.Tuple(items=()):
                self.known[target] = _Read(target, statement, tokens, names, c.Const(()))
            case c.Address():
                pass
            case _ if not any(isinstance(each, c.Listing | c.Lambda) for each in c.inside(value)):
                read = self.known[target] = _Read(target, statement, tokens, names, None, True)
                self.found.setdefault(id(statement), []).append(read)

    def _visit(self, code: c.Code, statement: c.Statement, is_certain: bool) -> None:
        """Look through an expression in the order it is worked out."""
        match code:
            case c.Const() | c.Known() | c.Name() | c.Address() | c.Lambda():
                return
            case c.Listing(loops=loops):
                self._visit(loops[0].source, statement, is_certain)
                return
        read = self.known.get(code)
        if read is not None:
            read.is_again = True
            self.again.setdefault(id(statement), {})[code] = read
            return
        match code:
            case c.Cond(test=test, then=then, other=other):
                self._visit(test, statement, is_certain)
                self._visit(then, statement, False)
                self._visit(other, statement, False)
            case c.All(parts=(first, *rest)) | c.Any_(parts=(first, *rest)):
                self._visit(first, statement, is_certain)
                for part in rest:
                    self._visit(part, statement, False)
            case _:
                for part in c.parts(code):
                    self._visit(part, statement, is_certain)
        if is_certain and self._is_worth(code):
            tokens, names = self._depends(code)
            read = self.known[code] = _Read(code, statement, tokens, names)
            self.found.setdefault(id(statement), []).append(read)

    def _is_worth(self, code: c.Code) -> bool:
        found = self.slots.worth.get(code)
        if found is None:
            found = self.slots.worth[code] = self._worth(code)
        return found

    def _worth(self, code: c.Code) -> bool:
        match code:
            case c.Slot():
                pass
            case c.Get(of=c.Known()):
                pass
            case c.Get() | c.Op() | c.Minus():
                pass
            case c.Any_(parts=(c.Slot(), c.Call(function=c.Known(text=text), args=(c.Name(text="S"), *_)))):
                return text in self.slots.pure or text == "gathered"  # a table of answers
            case _:
                return False
        return all(
            isinstance(each, c.Slot | c.Get | c.Op | c.Minus | c.Known | c.Name | c.Const) for each in c.inside(code)
        )

    def _depends(self, code: c.Code) -> tuple[frozenset[_Token], frozenset[str]]:
        found = self.slots.depends.get(code)
        if found is None:
            found = self.slots.depends[code] = self._depending(code)
        return found

    def _depending(self, code: c.Code) -> tuple[frozenset[_Token], frozenset[str]]:
        tokens: set[_Token] = set()
        names: set[str] = set()
        for each in c.inside(code):
            if isinstance(each, c.Slot):
                tokens.update(self.slots.read(each))
            elif isinstance(each, c.Name):
                names.add(each.text)
        return frozenset(tokens), frozenset(names)

    # -------------------------------------------------------------- forgetting

    def _forget(self, targets: tuple[c.Code, ...]) -> None:
        tokens: set[_Token] = set()
        names: set[str] = set()
        for target in targets:
            match target:
                case c.Slot():
                    tokens.update(self.slots.written(target))
                case c.Name(text=text):
                    names.add(text)
                case _:
                    names |= c.names_in(target)
        wrong = [
            code
            for code, read in self.known.items()
            if not tokens.isdisjoint(read.tokens) or not names.isdisjoint(read.names)
        ]
        for code in wrong:
            del self.known[code]

    def _acts(self, code: c.Code) -> bool:
        """Whether a call in it may change the state."""
        found = self.slots.acts.get(code)
        if found is None:
            found = self.slots.acts[code] = self._acting(code)
        return found

    def _acting(self, code: c.Code) -> bool:
        for each in self._calls(code):
            match each:
                case c.Call(function=c.Known(text=text)) if text in _QUIET or text in self.slots.pure:
                    continue
                case c.Call(args=args) if any(arg in (c.STATE, c.POSITION) for arg in args):
                    return True
        return False

    def _calls(self, code: c.Code) -> tuple[c.Code, ...]:
        """The calls in an expression."""
        found = self.slots.calls.get(code)
        if found is None:
            found = tuple(each for each in c.inside(code) if isinstance(each, c.Call | c.Method))
            self.slots.calls[code] = found
        return found

    def _act(self, code: c.Code) -> None:
        """Forget what a call may change."""
        for each in self._calls(code):
            match each:
                case c.Call(function=c.Known(text=text), args=args):
                    if text in _QUIET or text in self.slots.pure:
                        continue
                    if text in _CHANGING:
                        slots: list[c.Code] = [c.Slot(1)]
                        for at in _CHANGING[text]:
                            where = args[at]
                            known = isinstance(where, c.Const) and isinstance(where.value, int)
                            slots.append(c.Slot(where.value) if known else c.Slot(0, where))  # type: ignore[attr-defined]
                        self._forget(tuple(slots))
                        continue
                    if text in ("find_present", "mend_present"):
                        self._forget((c.Slot(self.slots.size, c.Const(0)),))
                        continue
                case c.Method(of=c.Name(text=text), args=tuple()):
                    self.known = {key: read for key, read in self.known.items() if text not in read.names}
                    continue
                case c.Call():
                    pass
                case _:
                    continue
            if any(arg in (c.STATE, c.POSITION) for arg in each.args):
                self.known = {key: read for key, read in self.known.items() if not read.tokens}

    # -------------------------------------------------------------- writing

    def _written(self, body: c.Body) -> c.Body:
        out: c.Body = []
        for statement in body:
            if out and isinstance(out[-1], _LEAVING):
                break  # what follows a condition that is known
            if id(statement) in self.empty:
                continue
            again = self.again.get(id(statement), {})
            for read in self.found.get(id(statement), ()):
                if not read.is_again or read.is_stored:
                    continue
                self.count += 1
                name = c.Name(f"y{self.count}")
                out.append(c.Store((name,), self._named(read.code, again), origin=statement.origin))
                read.name = name
                again[read.code] = read
            new = self._with_values(statement, again)
            settled = _settled(new)
            if settled is not None:
                out += self._written(settled)
                continue
            for read in self.found.get(id(statement), ()):
                if read.is_stored and read.is_again:
                    assert isinstance(new, c.Store)
                    self.count += 1
                    read.name = c.Name(f"y{self.count}")
                    out.append(c.Store((read.name,), new.value, origin=statement.origin))
                    new = evolve(new, value=read.name)
            inner = c.bodies(new)
            if inner:
                new = c.with_bodies(new, [self._written(each) for each in inner])
            out.append(new)
        return out

    def _named(self, code: c.Code, again: dict[c.Code, _Read]) -> c.Code:
        read = again.get(code)
        if read is not None and read.name is not None:
            return read.name
        if isinstance(code, c.Lambda):
            return code
        if isinstance(code, c.Listing):
            first = code.loops[0]
            source = self._named(first.source, again)
            return (
                code
                if source is first.source
                else evolve(code, loops=(c.Each(first.names, source, first.tests), *code.loops[1:]))
            )
        return c.altered(code, lambda part: self._named(part, again))

    def _with_values(self, statement: c.Statement, again: dict[c.Code, _Read]) -> c.Statement:
        if not again:
            return statement
        match statement:
            case c.Store(targets=targets, value=value):
                places = tuple(
                    evolve(each, at=self._named(each.at, again))
                    if isinstance(each, c.Slot) and each.at is not None
                    else each
                    for each in targets
                )
                return evolve(statement, targets=places, value=self._named(value, again))
            case c.Do(value=value) | c.Return(value=value):
                return evolve(statement, value=self._named(value, again))
            case c.If(test=test):
                return evolve(statement, test=self._named(test, again))
            case c.Case(tests=tests):
                return evolve(statement, tests=[self._named(test, again) for test in tests])
            case c.For(source=source):
                return evolve(statement, source=self._named(source, again))
            case c.Alone(tests=tests):
                return evolve(statement, tests=tuple(self._named(test, again) for test in tests))
        return statement


def _copied(body: c.Body) -> c.Body:
    """Statements of their own: a block may be written in several places."""
    out: c.Body = []
    for statement in body:
        inner = c.bodies(statement)
        out.append(c.with_bodies(statement, [_copied(each) for each in inner]) if inner else evolve(statement))
    return out


def _settled(statement: c.Statement) -> c.Body | None:
    """What is done, where a condition is known; None where it is not."""
    match statement:
        case c.If(test=c.Compare(sign="==" | "!=" as sign, left=c.Const(value=left), right=c.Const(value=right))):
            return statement.then if (left == right) == (sign == "==") else statement.other
    return None
