"""In which places a piece can lie that was chosen: so that what is kept of other places is let alone when it moves.

Before (with `kept_lists` and `presence`)::

    S[i] -= UN_4[c]                                       # the piece that S[116] names
    if not S[i] & FM_4[c]:
        if S[126] and 46 <= i <= 47: S[126] = without_option(S[126], i << 16 | c)
        if S[127] and 52 <= i <= 78: S[127] = without_option(S[127], i << 16 | c)

After::

    S[i] -= UN_4[c]
    if not S[i] & FM_4[c]:
        if S[127]: S[127] = without_option(S[127], i << 16 | c)

A name of a rule that waits holds a piece if all that is ever written to its slot is an answer out of lists of pieces,
or a piece that went to some place; a parameter of a rule, if all who call it give such a name. Changes nothing itself:
it notes in `unit.lies` from which runs the places of those pieces are. Needs options that are values
(`option_values`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit

__all__ = ["known_places", "run_of"]

_Lies = frozenset[int] | None  # the first slots of runs; None if nobody knows
_NOWHERE: frozenset[int] = frozenset()


def known_places(unit: Unit) -> None:
    looked = _Looked(unit)
    unit.lies = {slot: found for slot, found in looked.slots().items() if found}
    unit.lies |= {param: found for param, found in looked.params().items() if found}


def run_of(at: c.Code, unit: Unit) -> int | None:
    """The first slot of the run of places that a slot is one of; None if nobody knows."""
    match at:
        case c.Const(value=int(slot)) if slot in unit.places:
            return slot
        case c.Op(sign="+", left=c.Const(value=int(first))) if first in unit.places:
            return first
    return None


class _Looked:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.counted = {slot for run in unit.runs for slot in run} | unit.places | unit.states
        self.offered: dict[int, _Lies] = {}
        for function in unit.functions:
            self._offers(function.body, None)

    def _offers(self, body: c.Body, options: c.Code | None) -> None:
        """Note what can be chosen at each block, here and in statements inside."""
        for statement in body:
            match statement:
                case c.Store(targets=(c.Name(text="o"),), value=value, sign=""):
                    options = value
                case c.Store(targets=targets) if c.OPTIONS in targets:
                    options = None
                case c.Ask(block=block) | c.Alone(block=block):
                    self.offered[block] = _joined(self.offered.get(block, _NOWHERE), self._listed(options))
            for inner in c.bodies(statement):
                self._offers(inner, options)
                if any(isinstance(each, c.Store) and c.OPTIONS in each.targets for each in c.statements(inner)):
                    options = None

    def _listed(self, options: c.Code | None) -> _Lies:
        """Where the pieces of a list of options lie; other answers are negative."""
        match options:
            case c.List(items=items):
                found: _Lies = _NOWHERE
                for item in items:
                    match item:
                        case c.Const(value=int(value)) if value < 0:
                            pass
                        case c.Minus(sign="-", of=c.Const(value=int())):
                            pass
                        case c.Spread(of=inside):
                            found = _joined(found, self._listed(inside))
                        case _:
                            return None
                return found
            case c.Listing(form="list", value=value):
                return self._piece(value, {})
        return None

    def _piece(self, value: c.Code, names: Mapping[str, c.Code]) -> _Lies:
        match value:
            case c.Op(sign="|", left=c.Op(sign="<<", left=at, right=c.Const(value=shift))) if shift == self.unit.shift:
                at = names.get(at.text, at) if isinstance(at, c.Name) else at
                first = run_of(at, self.unit)
                return frozenset([first]) if first is not None else None
        return None

    def slots(self) -> dict[int, _Lies]:
        """Of each slot that holds nothing but pieces, where they lie."""
        found: dict[int, _Lies] = {}
        for function in self.unit.functions:
            names = _bound_once(function.body)
            for statement in c.statements(function.body):
                for slot, lies in self._written(function, statement, names):
                    found[slot] = _joined(found.get(slot, _NOWHERE), lies)
        return found

    def _written(
        self, function: c.Function, statement: c.Statement, names: Mapping[str, c.Code]
    ) -> Iterator[tuple[int, _Lies]]:
        """The slots that a statement writes, with where the piece lies that it writes there."""
        match statement:
            case c.Store(targets=(c.Slot(base=slot, at=None),), value=value, sign="", is_tuple=False):
                yield slot, None if slot in self.counted else self._value(function, value, names)
            case c.Store(targets=targets) | c.For(targets=targets):
                yield from ((each.base, None) for each in targets if isinstance(each, c.Slot) and each.at is None)
        for code in c.expressions(statement):
            for each in c.inside(code):
                if isinstance(each, c.Call) and c.STATE in each.args:
                    yield from ((slot, None) for arg in each.args for slot in _numbers(arg))

    def _value(self, function: c.Function, value: c.Code, names: Mapping[str, c.Code]) -> _Lies:
        if value == c.Const(None):
            return _NOWHERE
        if value == c.OPTIONS and function.sort == "answer" and "o" not in names:
            return self.offered.get(int(function.name[1:])) if function.name[1:].isdigit() else None
        return self._piece(value, names)

    def params(self) -> dict[tuple[str, str], _Lies]:
        """Of each parameter that is always such a slot, where the pieces lie."""
        functions = {function.name: function for function in self.unit.functions}
        found: dict[tuple[str, str], _Lies] = {}
        named: Counter[str] = Counter()  # a rule that is not only called may be given anything
        for function in self.unit.functions:
            for statement in c.statements(function.body):
                for code in c.expressions(statement):
                    for each in c.inside(code):
                        if isinstance(each, c.Known) and each.text in functions:
                            named[each.text] += 1
                        elif isinstance(each, c.Call) and isinstance(each.function, c.Known):
                            asked = functions.get(each.function.text)
                            if asked is not None:
                                named[asked.name] -= 1
                                self._given(asked, each, found)
        return {key: lies for key, lies in found.items() if not named[key[0]]}

    def _given(self, asked: c.Function, call: c.Call, found: dict[tuple[str, str], _Lies]) -> None:
        for at, param in enumerate(asked.params):
            arg = call.args[at] if at < len(call.args) else None
            lies = self.unit.lies.get(arg.base) if isinstance(arg, c.Slot) and arg.at is None else None
            found[asked.name, param] = _joined(found.get((asked.name, param), _NOWHERE), lies)


def _joined(one: _Lies, other: _Lies) -> _Lies:
    return None if one is None or other is None else one | other


def _numbers(arg: c.Code) -> tuple[int, ...]:
    """What may be slots in what a call is given."""
    match arg:
        case c.Const(value=int(slot)):
            return (slot,)
        case c.Const(value=tuple() as slots):
            return tuple(slot for slot in slots if type(slot) is int)
    return ()


def _bound_once(body: c.Body) -> dict[str, c.Code]:
    """What names stand for that are bound once."""
    found: dict[str, list[c.Code]] = {}
    for statement in c.statements(body):
        match statement:
            case c.Store(targets=(c.Name(text=name),), value=value, sign=""):
                found.setdefault(name, []).append(value)
            case c.Store(targets=targets) | c.For(targets=targets):
                for target in targets:
                    if isinstance(target, c.Name):
                        found.setdefault(target.text, []).append(c.Const(None))
    return {name: codes[0] if len(codes) == 1 else c.Const(None) for name, codes in found.items()}
