"""The code of a compiled game before it is written as Python: typed operations on the slots of a position.

It is made from the model, passes make it quicker, and `emit.py` writes it down; nobody else writes Python. Two
expressions that are the same are equal, so what was worked out before is found again by looking it up; and whether
something is read, written or bound is asked of the code, never of a text.

Values
------
An expression is built with Python's own operators: ``Slot(12) & mask`` is the code for ``S[12] & mask``. `Name` is a
name bound in the function that is written, `Known` a constant, table or function of the module, `Slot` one entry of the
state.

Deeds
-----
A statement says what it does: `Store` writes a slot or binds a name, `Jump` goes to a block, `Tell` informs the journal
if there is one, `Ask` hands the options to whoever decides. What only some forms of a game have (the journal, the
question whether a single option is asked) is a statement of its own, so that a pass leaves it out by its class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Union

from attrs import Factory, define, evolve, field, fields, frozen

__all__ = [
    "Address", "All", "Alone", "Any_", "Ask", "Between", "Body", "Break", "Call", "Case", "Code", "Compare", "Cond",
    "Const", "Do", "Each", "For", "Function", "Get", "Halt", "If", "Jump", "Known", "Lambda", "List", "Listing",
    "Method", "Minus", "Name", "Not", "OVER", "Op", "Part", "Pass", "Return", "Slot", "Spread", "Statement", "Store",
    "Tell", "TellChange", "Told", "Tuple", "Value", "Watch", "While", "as_code", "call",
]  # fmt: skip

Value = Union["Code", int, str, bool, None]

# The block that every game ends in.
OVER = 0


class Code:
    """An expression."""

    __slots__ = ()

    def __and__(self, other: Value) -> Code:
        return Op("&", self, as_code(other))

    def __or__(self, other: Value) -> Code:
        return Op("|", self, as_code(other))

    def __xor__(self, other: Value) -> Code:
        return Op("^", self, as_code(other))

    def __rshift__(self, other: Value) -> Code:
        return Op(">>", self, as_code(other))

    def __lshift__(self, other: Value) -> Code:
        return Op("<<", self, as_code(other))

    def __rlshift__(self, other: Value) -> Code:
        return Op("<<", as_code(other), self)

    def __add__(self, other: Value) -> Code:
        return Op("+", self, as_code(other))

    def __radd__(self, other: Value) -> Code:
        return Op("+", as_code(other), self)

    def __sub__(self, other: Value) -> Code:
        return Op("-", self, as_code(other))

    def __mul__(self, other: Value) -> Code:
        return Op("*", self, as_code(other))

    def __mod__(self, other: Value) -> Code:
        return Op("%", self, as_code(other))

    def __floordiv__(self, other: Value) -> Code:
        return Op("//", self, as_code(other))

    def __neg__(self) -> Code:
        return Minus("-", self)

    def __invert__(self) -> Code:
        return Minus("~", self)

    def __getitem__(self, at: Value) -> Code:
        return Get(self, as_code(at))

    __iter__ = None

    def equals(self, other: Value) -> Code:
        return Compare("==", self, as_code(other))

    def differs(self, other: Value) -> Code:
        return Compare("!=", self, as_code(other))

    def is_nothing(self) -> Code:
        return Compare("is", self, Const(None))

    def is_something(self) -> Code:
        return Compare("is not", self, Const(None))

    def has(self, bit: Value) -> Code:
        """Whether a set has a member."""
        return self >> bit & 1


def _exactly(value: Any) -> Any:
    """A value with its type: yes is not 1."""
    return (value.__class__, tuple(_exactly(v) for v in value) if isinstance(value, tuple) else value)


@frozen(cache_hash=True)
class Const(Code):
    """A number, text, yes, no, nothing, or a tuple of such."""

    value: Any = field(eq=_exactly)


@frozen(cache_hash=True)
class Name(Code):
    """A name bound in the function."""

    text: str


@frozen(cache_hash=True)
class Known(Code):
    """A constant, table or function of the module."""

    text: str


@frozen(cache_hash=True)
class Address(Code):
    """The number of a block to go on with later."""

    block: int


@frozen(cache_hash=True)
class Slot(Code):
    """An entry of the state: `base`, or `base + at`, or one whose number is worked out."""

    base: int
    at: Code | None = None


@frozen(cache_hash=True)
class Get(Code):
    """An entry of a table, tuple or list."""

    of: Code
    at: Code


@frozen(cache_hash=True)
class Part(Code):
    """A part of a tuple: from `first`, up to `last`."""

    of: Code
    first: Code | None
    last: Code | None


@frozen(cache_hash=True)
class Op(Code):
    """``& | ^ << >> + - * // %`` of two values."""

    sign: str
    left: Code
    right: Code


@frozen(cache_hash=True)
class Minus(Code):
    """``-x`` or ``~x``."""

    sign: str
    of: Code


@frozen(cache_hash=True)
class Not(Code):
    of: Code


@frozen(cache_hash=True)
class Compare(Code):
    """``== != < <= > >= is in`` of two values, and their opposites."""

    sign: str
    left: Code
    right: Code


@frozen(cache_hash=True)
class Between(Code):
    """``low <= x <= high``"""

    low: Code
    of: Code
    high: Code


@frozen(cache_hash=True)
class All(Code):
    """All of several conditions, asked in order."""

    parts: tuple[Code, ...]


@frozen(cache_hash=True)
class Any_(Code):
    """Any of several conditions, asked in order."""

    parts: tuple[Code, ...]


@frozen(cache_hash=True)
class Cond(Code):
    """``then if test else other``"""

    test: Code
    then: Code
    other: Code


@frozen(cache_hash=True)
class Call(Code):
    """A function called; `named` are arguments given by name."""

    function: Code
    args: tuple[Code, ...]
    named: tuple[tuple[str, Code], ...] = ()


@frozen(cache_hash=True)
class Method(Code):
    """What a value can do itself: ``bit_count``, ``get``; without arguments in parentheses if `args` is None."""

    of: Code
    method: str
    args: tuple[Code, ...] | None = ()


@frozen(cache_hash=True)
class Each:
    """``for a, b in source if test ...``: one loop of a listing."""

    names: tuple[str, ...]
    source: Code
    tests: tuple[Code, ...] = ()


@frozen(cache_hash=True)
class Listing(Code):
    """``[value for ...]``; `form` is list, set, or bare (an argument of a function that goes through it)."""

    form: str
    value: Code
    loops: tuple[Each, ...]


@frozen(cache_hash=True)
class Lambda(Code):
    params: tuple[str, ...]
    body: Code


@frozen(cache_hash=True)
class Tuple(Code):
    items: tuple[Code, ...]


@frozen(cache_hash=True)
class List(Code):
    items: tuple[Code, ...]


@frozen(cache_hash=True)
class Spread(Code):
    """The members of a list, as members of another."""

    of: Code


# ------------------------------------------------------------------ what is done


@define(eq=False)
class Statement:
    """Something done. `origin` is the place in the rules it was made from."""

    origin: tuple[str, int] | None = field(default=None, kw_only=True, repr=False)


Body = list[Statement]


@define(eq=False)
class Store(Statement):
    """A slot is written or a name bound; several take the parts of a tuple. `sign` is "", or that of what is done with
    what was there."""

    targets: tuple[Code, ...]
    value: Code
    sign: str = ""
    is_tuple: bool = False


@define(eq=False)
class Do(Statement):
    """An expression is worked out for what it does."""

    value: Code


@define(eq=False)
class If(Statement):
    test: Code
    then: Body
    other: Body = Factory(list)


@define(eq=False)
class Case(Statement):
    """The first of several ways whose test holds; `other` if none does. There may be thousands of them."""

    tests: list[Code]
    ways: list[Body]
    other: Body = Factory(list)


@define(eq=False)
class For(Statement):
    """A loop; `other` is done if it was not broken off."""

    targets: tuple[Code, ...]
    source: Code
    body: Body
    other: Body = Factory(list)


@define(eq=False)
class While(Statement):
    test: Code
    body: Body


@define(eq=False)
class Break(Statement):
    pass


@define(eq=False)
class Pass(Statement):
    pass


@define(eq=False)
class Return(Statement):
    value: Code


@define(eq=False)
class Jump(Statement):
    """Play goes on with a block, by its number."""

    block: int


@define(eq=False)
class Tell(Statement):
    """The journal, if there is one, is told what happened at a site of the rules."""

    site: int
    values: tuple[Code, ...]


@define(eq=False)
class Told(Statement):
    """What is done only if there is a journal."""

    body: Body


@define(eq=False)
class TellChange(Statement):
    """The journal, if there is one, is told what a state has become; only that it was set, if nothing changed."""

    site: int
    owner: Code
    now: Code
    was: Code


@define(eq=False)
class Watch(Statement):
    """Whoever watches is shown the end of a scope."""

    scope: str


@define(eq=False)
class Ask(Statement):
    """The options `o` go to whoever decides at a block; play waits. The block is in the state; `notes_block`: the
    position has it, too."""

    block: int
    notes_block: bool = True


@define(eq=False)
class Halt(Statement):
    """Nobody decides any more."""


@define(eq=False)
class Alone(Statement):
    """A single option is taken unasked if the `tests` hold; `may_ask`: unless somebody wants to be asked all the
    same. `charge` is work that is counted then."""

    block: int
    tests: tuple[Code, ...] = ()
    may_ask: bool = True
    charge: int = 0


@define(eq=False)
class Function:
    """A function of the module. `sort` is block, answer, rule (one that changes something), pure, words or claim;
    `things` are the parameters that are always things."""

    name: str
    params: tuple[str, ...]
    body: Body
    sort: str
    things: frozenset[str] = frozenset()
    defaults: tuple[tuple[str, Code], ...] = ()
    origin: tuple[str, int] | None = None
    # The procedure it is written of, as model/parts.py calls it.
    of: str = ""


# ------------------------------------------------------------------ building and looking


def as_code(value: Value) -> Code:
    """Code for a plain value; code as it is."""
    return value if isinstance(value, Code) else Const(value)


def call(function: str, *args: Value, **named: Value) -> Code:
    """A function of the machine or of the module."""
    return Call(
        Known(function), tuple(as_code(a) for a in args), tuple((key, as_code(value)) for key, value in named.items())
    )


# The state itself, where a function is given all of it, and the position that is played.
STATE = Name("S")
POSITION = Name("p")
# What can be picked, where somebody is asked.
OPTIONS = Name("o")
# Sets by their masks: what is in one, as a tuple.
BITS = Known("BITS")
BITL = Known("BITL")

_PARTS: dict[type, tuple[str, ...]] = {}
_FIELDS: dict[type, tuple[str, ...]] = {}
# Those with nothing in them.
_LEAVES = frozenset({Const, Name, Known, Address})


def _field_names(cls: Any) -> tuple[str, ...]:
    found = _FIELDS.get(cls)
    if found is None:
        found = _FIELDS[cls] = tuple(f.name for f in fields(cls))
    return found


def _part_names(cls: type) -> tuple[str, ...]:
    found = _PARTS.get(cls)
    if found is None:
        held = [f.name for f in fields(cls) if "Code" in str(f.type) or "Each" in str(f.type)]
        found = _PARTS[cls] = tuple(held)
    return found


def parts(code: Code | Each) -> list[Code]:
    """The expressions directly inside one."""
    out: list[Code] = []
    for part in _PARTS.get(code.__class__) or _part_names(code.__class__):
        value = getattr(code, part)
        if value.__class__ is tuple:
            for item in value:
                if isinstance(item, Code):
                    out.append(item)
                elif item.__class__ is tuple:
                    out.append(item[1])
                elif isinstance(item, Each):
                    out += parts(item)
        elif isinstance(value, Code):
            out.append(value)
    return out


def inside(code: Code) -> Iterator[Code]:
    """An expression and all that are in it."""
    todo = [code]
    while todo:
        here = todo.pop()
        yield here
        if here.__class__ not in _LEAVES:
            todo += parts(here)


def names_in(code: Code) -> set[str]:
    """The names an expression reads or binds."""
    return {each.text for each in inside(code) if isinstance(each, Name)}


def altered(code: Code, change: Callable[[Code], Code]) -> Code:
    """An expression with each of its direct parts changed; the very same if none is."""
    cls = code.__class__
    if cls in _LEAVES:
        return code
    if cls is Op or cls is Compare:
        left, right = change(code.left), change(code.right)  # type: ignore[attr-defined]
        return code if left is code.left and right is code.right else cls(code.sign, left, right)  # type: ignore[attr-defined]
    if cls is Get:
        of, at = change(code.of), change(code.at)  # type: ignore[attr-defined]
        return code if of is code.of and at is code.at else Get(of, at)  # type: ignore[attr-defined]
    made: dict[str, Any] = {}
    for part in _part_names(cls):
        value = getattr(code, part)
        new = _altered_value(value, change)
        if new is not value:
            made[part] = new
    if not made:
        return code
    return cls(*[made.get(name, getattr(code, name)) for name in _field_names(cls)])


def _altered_value(value: Any, change: Callable[[Code], Code]) -> Any:
    if isinstance(value, Code):
        return change(value)
    if isinstance(value, Each):
        source = change(value.source)
        tests = _altered_value(value.tests, change)
        return value if source is value.source and tests is value.tests else Each(value.names, source, tests)
    if value.__class__ is tuple:
        items = tuple(_altered_value(item, change) for item in value)
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return value


def bodies(statement: Statement) -> list[Body]:
    """The statements inside a statement."""
    match statement:
        case If(then=then, other=other):
            return [then, other]
        case For(body=body, other=other):
            return [body, other]
        case Case(ways=ways, other=other):
            return [*ways, other]
        case While(body=body) | Told(body=body):
            return [body]
    return []


def expressions(statement: Statement) -> Iterator[Code]:
    """The expressions of a statement, what it writes included; without those of statements inside it and the names a
    loop binds."""
    match statement:
        case Store(targets=targets, value=value):
            yield from targets
            yield value
        case Do(value=value) | Return(value=value):
            yield value
        case If(test=test) | While(test=test):
            yield test
        case For(source=source):
            yield source
        case Tell(values=values):
            yield from values
        case Alone(tests=tests):
            yield OPTIONS
            yield from tests
        case Ask():
            yield OPTIONS
        case Case(tests=tests):
            yield from tests
        case TellChange(owner=owner, now=now, was=was):
            yield from (owner, now, was)


def with_bodies(statement: Statement, inside: list[Body]) -> Statement:
    """A statement with other statements inside it, in the order of `bodies`."""
    match statement:
        case If(test=test):  # not `evolve`, which takes long
            return If(test, inside[0], inside[1], origin=statement.origin)
        case For(targets=targets, source=source):
            return For(targets, source, inside[0], inside[1], origin=statement.origin)
        case Case():
            return evolve(statement, ways=inside[:-1], other=inside[-1])
        case While() | Told():
            return evolve(statement, body=inside[0])
    return statement


def statements(body: Body) -> Iterator[Statement]:
    """All statements of a body, also those inside others."""
    for statement in body:
        yield statement
        for inner in bodies(statement):
            yield from statements(inner)


def size(body: Body) -> int:
    """How many statements a body has."""
    return sum(1 for _ in statements(body))


def replaced(code: Code, names: dict[str, Code]) -> Code:
    """An expression with names replaced."""
    if isinstance(code, Name):
        return names.get(code.text, code)
    return altered(code, lambda part: replaced(part, names))


def with_tests(each: Each, tests: Iterable[Code]) -> Each:
    """A loop with more tests inside."""
    return Each(each.names, each.source, (*each.tests, *tests))


def joined_masks(left: Code, right: Code | None) -> Code:
    """``left & right``, the parts of the right one after the other; the left alone if there is no right."""
    if right is None:
        return left
    if isinstance(right, Op) and right.sign == "&":
        return joined_masks(left, right.left) & right.right
    return left & right


def factors(code: Code) -> list[Code]:
    """The masks that one is joined from."""
    if isinstance(code, Op) and code.sign == "&":
        return [*factors(code.left), *factors(code.right)]
    return [code]


def all_of(conditions: Iterable[Code]) -> Code:
    found = tuple(conditions)
    return found[0] if len(found) == 1 else All(found) if found else Const(True)


def any_of(conditions: Iterable[Code]) -> Code:
    found = tuple(conditions)
    return found[0] if len(found) == 1 else Any_(found) if found else Const(False)
