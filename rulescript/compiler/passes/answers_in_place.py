"""A rule whose answers are kept, though working one out takes little more than a look at another rule's, in place.

Before::

    def f1_work(S, v6):
        v74 = (r1_at(S)[v6] | 1 << v6) & ~S[37]
        return U6[v74]

    i9 = f1_at(S)
    o = [x for x in BITS[S[41]] if S[52 + x] & NB14[i9[x]] != 0]

After::

    i9 = r1_at(S)
    o = [x for x in BITS[S[41]] if S[52 + x] & NB14[U6[(i9[x] | 1 << x) & ~S[37]]] != 0]

Needs that nothing changes between where the table is found and where it is asked."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from rulescript.compiler import code as c
from rulescript.compiler.passes.unit import Unit, rewritten

__all__ = ["answers_in_place"]

# So much may be worked out anew each time.
_MOST_PARTS = 30


@frozen
class _Rule:
    """How a rule works out an answer: for what, from what, and the one other rule whose answers it looks at."""

    given: str
    answer: c.Code
    other: c.Code


def answers_in_place(unit: Unit) -> None:
    functions = {function.name: function for function in unit.functions}
    rules: dict[c.Code, _Rule] = {}
    for name, function in functions.items():
        rule = _short(function) if name.endswith("_work") else None
        if rule is not None and f"{name[:-5]}_at" in functions:
            rules[c.call(f"{name[:-5]}_at", c.STATE)] = rule
    if rules:
        unit.map(lambda function: evolve(function, body=_in_place(function.body, rules)))


def _short(function: c.Function) -> _Rule | None:
    """A rule that is one expression, with some names for parts of it that are used once."""
    *before, last = function.body
    if len(function.params) != 2 or not isinstance(last, c.Return):
        return None
    answer = last.value
    for statement in reversed(before):
        match statement:
            case c.Store(targets=(c.Name(text=name),), value=value, sign="", is_tuple=False):
                if sum(1 for each in c.inside(answer) if each == c.Name(name)) != 1:
                    return None
                answer = c.replaced(answer, {name: value})
            case _:
                return None
    parts = list(c.inside(answer))
    calls = {each for each in parts if isinstance(each, c.Call)}
    if len(parts) > _MOST_PARTS or len(calls) != 1:
        return None
    if any(isinstance(each, c.Listing | c.Lambda | c.Method) for each in parts):
        return None
    (other,) = calls
    match other:
        case c.Call(function=c.Known(text=text), args=(c.Name(text="S"),)) if text.endswith("_at"):
            return _Rule(function.params[1], answer, other)
    return None


def _in_place(body: c.Body, rules: dict[c.Code, _Rule]) -> c.Body:
    out: c.Body = []
    named: dict[str, _Rule] = {}

    def asked(code: c.Code) -> c.Code:
        code = c.altered(code, asked)
        match code:
            case c.Get(of=c.Name(text=text), at=c.Name() | c.Slot() as key) if text in named:
                rule = named[text]
                return _with(rule, key, c.Name(text))
            case c.Get(of=c.Call() as table, at=c.Name() | c.Slot() as key) if table in rules:
                return _with(rules[table], key, rules[table].other)
        return code

    for at, statement in enumerate(body):
        match statement:
            case c.Store(targets=(c.Name(text=name),), value=c.Call() as table, sign="") if table in rules:
                if _is_only_asked(name, body[at + 1 :]):
                    named[name] = rules[table]
                    out.append(evolve(statement, value=rules[table].other))
                    continue
        (new,) = rewritten([statement], asked)
        inner = c.bodies(new)
        out.append(c.with_bodies(new, [_in_place(each, rules) for each in inner]) if inner else new)
    return out


def _with(rule: _Rule, key: c.Code, table: c.Code) -> c.Code:
    def placed(code: c.Code) -> c.Code:
        if code == rule.other:
            return table
        return key if code == c.Name(rule.given) else c.altered(code, placed)

    return placed(rule.answer)


def _is_only_asked(name: str, after: c.Body) -> bool:
    """Whether a table is asked by names and slots alone, before anything changes; nobody uses it later."""
    is_changed = False
    for statement in after:
        for inner in c.statements([statement]):
            for code in c.expressions(inner):
                uses = sum(1 for each in c.inside(code) if each == c.Name(name))
                if uses and (is_changed or uses != sum(1 for _ in _asked(code, name))):
                    return False
            match inner:
                case c.Store(targets=targets) if not all(isinstance(target, c.Name) for target in targets):
                    is_changed = True
                case c.Store(targets=(c.Name(text=text),)) if text == name:
                    return True
                case c.Store() | c.If() | c.Do(value=c.Call(function=c.Known(text="find_present" | "mend_present"))):
                    pass
                case _:
                    is_changed = True
    return True


def _asked(code: c.Code, name: str) -> Iterator[c.Code]:
    for each in c.inside(code):
        match each:
            case c.Get(of=c.Name(text=text), at=c.Name() | c.Slot()) if text == name:
                yield each
