"""Code -> Python. The only place that writes Python.

Names of the game never become names of Python: what comes from an author's text is a number, or a quoted literal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulescript.compiler import code as c
from rulescript.compiler.code import Code

__all__ = ["Page", "python"]

# How tightly each form binds, as in Python.
LAMBDA, COND, OR, AND, NOT, COMPARE, UNION, XOR, BOTH, SHIFT, SUM, PRODUCT, SIGNED, ATOM = range(14)
_BINDING = {
    "|": UNION, "^": XOR, "&": BOTH, "<<": SHIFT, ">>": SHIFT, "+": SUM, "-": SUM,
    "*": PRODUCT, "//": PRODUCT, "%": PRODUCT,
}  # fmt: skip
# So many slots one behind the other are written as a part of the state.
MANY_SLOTS = 32
NO_SLOT = -2


def python(code: c.Code) -> str:
    """The text of an expression."""
    return _WRITERS[code.__class__](code)[1]


def _text(code: c.Code, tight: int) -> str:
    """The text of an expression as part of another that binds so tightly."""
    binding, text = _WRITERS[code.__class__](code)
    return text if binding >= tight else f"({text})"


def _const(code: c.Const) -> tuple[int, str]:
    value = code.value
    text = repr(dict(value) if isinstance(value, dict) else value)
    return (SIGNED if text.startswith("-") else ATOM), text


def _slot(code: c.Slot) -> tuple[int, str]:
    if code.at is None:
        return ATOM, f"S[{code.base}]"
    at = _text(code.at, PRODUCT if code.base else LAMBDA)
    return ATOM, f"S[{code.base} + {at}]" if code.base else f"S[{at}]"


def _op(code: c.Op) -> tuple[int, str]:
    binding = _BINDING[code.sign]
    # The same sign on the right would be read from the left.
    return binding, f"{_text(code.left, binding)} {code.sign} {_text(code.right, binding + 1)}"


def _compare(code: c.Compare) -> tuple[int, str]:
    return COMPARE, f"{_text(code.left, UNION)} {code.sign} {_text(code.right, UNION)}"


def _between(code: c.Between) -> tuple[int, str]:
    return COMPARE, f"{_text(code.low, UNION)} <= {_text(code.of, UNION)} <= {_text(code.high, UNION)}"


def _cond(code: c.Cond) -> tuple[int, str]:
    return COND, f"{_text(code.then, OR)} if {_text(code.test, OR)} else {_text(code.other, COND)}"


def _call(code: c.Call) -> tuple[int, str]:
    given = [_item(a) for a in code.args]
    given += [f"{key}={python(value)}" for key, value in code.named]
    return ATOM, f"{_text(code.function, ATOM)}({', '.join(given)})"


def _method(code: c.Method) -> tuple[int, str]:
    of = _text(code.of, ATOM)
    if isinstance(code.of, c.Const) and isinstance(code.of.value, int):
        of = f"({of})"
    if code.args is None:
        return ATOM, f"{of}.{code.method}"
    return ATOM, f"{of}.{code.method}({', '.join(_item(a) for a in code.args)})"


def _item(code: c.Code) -> str:
    return _text(code, LAMBDA)


def _part(code: c.Part) -> tuple[int, str]:
    first = python(code.first) if code.first is not None else ""
    last = python(code.last) if code.last is not None else ""
    return ATOM, f"{_text(code.of, ATOM)}[{first}:{last}]"


def _loops(loops: tuple[c.Each, ...]) -> str:
    made = []
    for each in loops:
        tests = "".join(f" if {_text(test, OR)}" for test in each.tests)
        made.append(f"for {', '.join(each.names)} in {_text(each.source, OR)}{tests}")
    return " ".join(made)


def _listing(code: c.Listing) -> tuple[int, str]:
    inner = f"{_text(code.value, LAMBDA)} {_loops(code.loops)}"
    match code.form:
        case "list":
            return ATOM, f"[{inner}]"
        case "set":
            return ATOM, f"{{{inner}}}"
    return LAMBDA, inner


def _tuple(code: c.Tuple) -> tuple[int, str]:
    if len(code.items) >= MANY_SLOTS:
        runs = _runs(code.items)
        return ATOM, f"({', '.join(_run(run) if len(run) >= MANY_SLOTS else _listed(run) for run in runs)},)"
    return ATOM, f"({_listed(code.items)},)" if len(code.items) == 1 else f"({_listed(code.items)})"


def _listed(items: Sequence[Code]) -> str:
    return ", ".join(_item(item) for item in items)


def _runs(items: Sequence[Code]) -> list[list[Code]]:
    """Items in a row that are slots one behind the other, together."""
    runs: list[list[Code]] = []
    last = NO_SLOT
    for item in items:
        here = item.base if isinstance(item, c.Slot) and item.at is None else NO_SLOT
        if here == last + 1 and runs:
            runs[-1].append(item)
        else:
            runs.append([item])
        last = here
    return runs


def _run(slots: Sequence[Code]) -> str:
    """Slots one behind the other, as parts of a tuple: that a rule with thousands of names calls itself at thousands of
    places is not written out with each name at each place."""
    first = slots[0]
    assert isinstance(first, c.Slot)
    return f"*S[{first.base}:{first.base + len(slots)}]"


def _get(code: c.Get) -> tuple[int, str]:
    at = code.at
    if isinstance(at, c.Tuple) and len(at.items) > 1:
        return ATOM, f"{_text(code.of, ATOM)}[{', '.join(_item(item) for item in at.items)}]"
    return ATOM, f"{_text(code.of, ATOM)}[{python(at)}]"


_WRITERS: dict[type, Callable[[Any], tuple[int, str]]] = {
    c.Const: _const,
    c.Name: lambda code: (ATOM, code.text),
    c.Known: lambda code: (ATOM, code.text),
    c.Address: lambda code: (ATOM, str(code.block)),
    c.Slot: _slot,
    c.Get: _get,
    c.Part: _part,
    c.Op: _op,
    c.Minus: lambda code: (SIGNED, f"{code.sign}{_text(code.of, SIGNED)}"),
    c.Not: lambda code: (NOT, f"not {_text(code.of, NOT)}"),
    c.Compare: _compare,
    c.Between: _between,
    c.All: lambda code: (AND, " and ".join(_text(part, NOT) for part in code.parts)),
    c.Any_: lambda code: (OR, " or ".join(_text(part, AND) for part in code.parts)),
    c.Cond: _cond,
    c.Call: _call,
    c.Method: _method,
    c.Listing: _listing,
    c.Lambda: lambda code: (LAMBDA, f"lambda {', '.join(code.params)}: {_text(code.body, COND)}"),
    c.Tuple: _tuple,
    c.List: lambda code: (ATOM, f"[{', '.join(_item(item) for item in code.items)}]"),
    c.Spread: lambda code: (LAMBDA, f"*{_text(code.of, UNION)}"),
}


class Page:
    """Lines of Python, each with the place in the rules it was made from."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.origins: dict[int, tuple[str, int]] = {}

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def line(self, indent: int, text: str, origin: tuple[str, int] | None = None) -> None:
        self.lines.append("    " * indent + text)
        if origin is not None:
            self.origins[len(self.lines)] = origin

    def function(self, function: c.Function) -> None:
        marks = {name: ": 1" for name in function.things}
        given = {name: f"={python(value)}" for name, value in function.defaults}
        params = [f"{name}{marks.get(name, '')}{given.get(name, '')}" for name in function.params]
        self.line(0, f"def {function.name}({', '.join(params)}):", function.origin)
        self.body(function.body, 1, function.origin)

    def body(self, body: Sequence[c.Statement], indent: int, origin: tuple[str, int] | None = None) -> None:
        if not body:
            self.line(indent, "pass", origin)
        for statement in body:
            _STATEMENTS[statement.__class__](self, statement, indent)

    def block(self, head: str, body: Sequence[c.Statement], indent: int, origin: tuple[str, int] | None) -> None:
        """A statement with others inside it."""
        self.line(indent, head, origin)
        self.body(body, indent + 1, origin)


def _store(page: Page, made: c.Store, indent: int) -> None:
    runs = _runs(made.targets) if len(made.targets) >= MANY_SLOTS else []
    longest = max(runs, key=len, default=[])
    if len(longest) >= MANY_SLOTS:  # of the parts of a tuple, Python gives one target the rest
        targets = ", ".join(_run(run) if run is longest else _listed(run) for run in runs) + ","
    else:
        targets = _listed(made.targets) + ("," if made.is_tuple else "")
    page.line(indent, f"{targets} {made.sign}= {python(made.value)}", made.origin)


def _if(page: Page, made: c.If, indent: int, word: str = "if") -> None:
    page.block(f"{word} {_text(made.test, COND)}:", made.then, indent, made.origin)
    match made.other:
        case []:
            pass
        case [c.If() as other]:
            _if(page, other, indent, "elif")
        case _:
            page.block("else:", made.other, indent, made.origin)


def _case(page: Page, made: c.Case, indent: int) -> None:
    for at, (test, body) in enumerate(zip(made.tests, made.ways, strict=True)):
        page.block(f"{'elif' if at else 'if'} {_text(test, COND)}:", body, indent, made.origin)
    if not made.tests:
        page.body(made.other, indent, made.origin)
    elif made.other:
        page.block("else:", made.other, indent, made.origin)


def _for(page: Page, made: c.For, indent: int) -> None:
    page.block(
        f"for {', '.join(python(target) for target in made.targets)} in {_text(made.source, COND)}:",
        made.body,
        indent,
        made.origin,
    )
    if made.other:
        page.block("else:", made.other, indent, made.origin)


def _tell(page: Page, made: c.Tell, indent: int) -> None:
    told = "".join(f", {_item(value)}" for value in made.values) or ","
    page.line(indent, f"if p.j is not None: p.j.append(({made.site}{told}))", made.origin)


def _line(text: Callable[[Any], str]) -> Callable[[Page, Any, int], None]:
    return lambda page, made, indent: page.line(indent, text(made), made.origin)


_STATEMENTS: dict[type, Callable[[Page, Any, int], None]] = {
    c.Store: _store,
    c.Do: _line(lambda made: python(made.value)),
    c.If: _if,
    c.Case: _case,
    c.For: _for,
    c.While: lambda page, made, indent: page.block(f"while {python(made.test)}:", made.body, indent, made.origin),
    c.Break: _line(lambda made: "break"),
    c.Pass: _line(lambda made: "pass"),
    c.Return: _line(lambda made: f"return {_text(made.value, COND)}"),
    c.Jump: _line(lambda made: f"return b{made.block}"),
    c.Tell: _tell,
    c.Told: lambda page, made, indent: page.block("if p.j is not None:", made.body, indent, made.origin),
    c.TellChange: lambda page, made, indent: _tell_change(page, made, indent),
    c.Watch: _line(lambda made: f"if p.watch is not None: p.watch(p, {made.scope!r})"),
    c.Ask: lambda page, made, indent: _ask(page, made, indent),
    c.Halt: lambda page, made, indent: _halt(page, made, indent),
    c.Alone: lambda page, made, indent: _alone(page, made, indent),
}


def _ask(page: Page, made: c.Ask, indent: int) -> None:
    noted = f"p.d = {made.block}; " if made.notes_block else ""
    page.line(indent, f"{noted}p.o = o; S[0] = {made.block}", made.origin)
    page.line(indent, "return None", made.origin)


def _alone(page: Page, made: c.Alone, indent: int) -> None:
    unless = " and not p.ask" if made.may_ask else ""
    unless += "".join(f" and {_text(test, NOT)}" for test in made.tests)
    charge = f"p.w += {made.charge}; " if made.charge else ""
    page.line(indent, f"if len(o) == 1{unless}: {charge}return c{made.block}(p, S, o[0])", made.origin)


def _tell_change(page: Page, made: c.TellChange, indent: int) -> None:
    now, was = _text(made.now, UNION), _text(made.was, UNION)
    told = f"({made.site}, {_item(made.owner)}, {_item(made.now)}, {was}) if {now} != {was} else ({made.site},)"
    page.line(indent, f"if p.j is not None: p.j.append({told})", made.origin)


def _halt(page: Page, made: c.Halt, indent: int) -> None:
    page.line(indent, "p.d = 0; p.o = []; S[0] = 0", made.origin)
    page.line(indent, "return None", made.origin)
