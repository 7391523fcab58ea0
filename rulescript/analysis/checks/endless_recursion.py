"""Rules that can only be answered by asking themselves, or done by doing themselves.

For each rule: which rules does it ask whatever happens? An `if` asks its condition, and only what both
branches ask; `and` and `or` ask their first part; a filter or a quantifier asks nothing of its members,
there may be none. A circle of such questions has no end. Other circles may end, and are left to play, but for one that
asks the very same question again: nothing changes while a value is worked out, so it never has an answer.

For procedures and phases likewise: which of them does it run whatever happens? What stands under a choice or in a
loop that may have no round is not sure to be run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulescript.analysis.looking import deep, fields_of, parts_in, rule_line
from rulescript.circles import circles
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called
from rulescript.model.traverse import statements_in
from rulescript.source import Span

__all__ = ["check_endless_recursion"]

Asked = frozenset[str]
_NONE: Asked = frozenset()


def check_endless_recursion(game: m.Game, reporter: Reporter) -> None:
    """No function, value or predicate asks itself on every path."""
    asks = {f.name: _function(f) for f in game.functions.values()}
    told: set[str] = set()
    closed = _in_circles(asks)
    for function in game.functions.values():
        circle = _circle(function.name, asks) if function.name in closed else None
        if circle is None or told & set(circle):
            continue
        told |= set(circle)
        if _blame_adjustment(game, circle, reporter):
            continue
        where = _call_in(function, circle[1 % len(circle)])
        others = [Label(game.functions[name].span, "which asks on") for name in circle[1:]]
        if where is not None:
            others.insert(0, Label(where, "asked again here"))
        if len(circle) == 1:
            message = f"`{function.name}` asks itself, whatever happens"
        else:
            way = " and ".join(f"`{name}`" for name in circle[1:])
            message = f"`{function.name}` asks itself without end, by way of {way}"
        reporter.error(
            "RS314",
            message,
            function.span,
            "never answered",
            others,
            "add a case in which it does not ask again",
            rule_line(game, function.cites),
        )
    for function in game.functions.values():
        if function.name not in told:
            _same_question(game, function, reporter)
    _endless_procedures(game, reporter)


def _same_question(game: m.Game, function: m.Function, reporter: Reporter) -> None:
    """No value asks itself with its own parameters, not even in some cases: in those it has no answer."""
    for layer in function.adjustments:
        call = _own_call(function, layer.params or function.params, layer.value, layer.condition)
        if call is not None:
            reporter.error(
                "RS314",
                f"this adjustment of `{function.name}` asks `{function.name}` for the same again: where it comes to "
                "that, it never has an answer",
                call,
                "asked again here",
                [Label(function.span, "what it adjusts")],
                f"work it out without `{function.name}`",
                rule_line(game, layer.cites),
            )
            return
    call = _own_call(function, function.params, function.block, function.clauses)
    if call is not None:
        reporter.error(
            "RS314",
            f"`{function.name}` asks itself for the same again: where it comes to that, it never has an answer",
            call,
            "asked again here",
            [Label(function.span, "what is worked out")],
            "ask it about something else, or work it out without asking again",
            rule_line(game, function.cites),
        )


def _own_call(function: m.Function, params: Sequence[ir.Var], *parts: Any) -> Span | None:
    """Where a function is asked with just these parameters, in their order."""
    own = [var.ident for var in params]
    for x in deep(*parts):
        if isinstance(x, ir.CallX) and x.function is function and len(x.args) == len(own):
            if [arg.var.ident if isinstance(arg, ir.Local) else None for arg in x.args] == own:
                return x.span
    return None


def _blame_adjustment(game: m.Game, circle: list[str], reporter: Reporter) -> bool:
    """Whether an amendment closes the circle: the rules themselves are sound then, and it is told where it stands."""
    for at, name in enumerate(circle):
        function, again = game.functions[name], circle[(at + 1) % len(circle)]
        if again in _function(function, adjusted=False):
            continue
        for layer in function.adjustments:
            asked = _expr(layer.condition) if layer.condition is not None else _expr(layer.value)
            if again not in asked:
                continue
            others = [Label(game.functions[each].span, "asks on") for each in circle if each != name]
            others.insert(0, Label(function.span, "what it adjusts"))
            call = next(
                (
                    x.span
                    for x in deep(layer.value, layer.condition)
                    if isinstance(x, ir.CallX) and x.function.name == again
                ),
                layer.span,
            )
            way = f", which asks `{name}`" if again != name else ""
            reporter.error(
                "RS314",
                f"this adjustment of `{name}` asks `{again}`{way}: it never has an answer",
                call,
                "asked again here",
                others,
                f"work it out without `{again}`",
                rule_line(game, layer.cites),
            )
            return True
    return False


def _endless_procedures(game: m.Game, reporter: Reporter) -> None:
    """No procedure or phase runs itself on every path."""
    procedures = {p.name: p for p in game.every_procedure()}
    runs = {name: _runs_all(procedure) for name, procedure in procedures.items()}
    told: set[str] = set()
    closed = _in_circles(runs)
    for name, procedure in procedures.items():
        circle = _circle(name, runs) if name in closed else None
        if circle is None or told & set(circle):
            continue
        told |= set(circle)
        again = circle[1 % len(circle)]
        calls = [s for b in _blocks(procedure) for s in statements_in(b) if again in (c.name for c in called(s))]
        others = [Label(calls[0].span, "run again here")] if calls else []
        others += [Label(procedures[other].span, "which goes on with it") for other in circle[1:]]
        way = f", by way of {' and '.join(f'`{other}`' for other in circle[1:])}" if len(circle) > 1 else ""
        reporter.error(
            "RS314",
            f"`{name}` runs itself without end{way}",
            procedure.span,
            "never over",
            others,
            "put it under an `if`, or use `repeat`",
            rule_line(game, procedure.cites),
        )


def _blocks(procedure: m.Procedure) -> list[ir.Block]:
    return [procedure.block, *(hook.block for hook in procedure.hooks if hook.condition is None)]


def _runs_all(procedure: m.Procedure) -> Asked:
    before = [hook.block for hook in procedure.before if hook.condition is None]
    return _NONE.union(*(_runs(block, _NONE) for block in (*before, procedure.block)))


def _runs(block: ir.Block, after: Asked) -> Asked:
    """The procedures that a block is sure to run, and, where it does not leave, what comes after it."""
    for statement in reversed(block):
        match statement:
            case ir.ReturnS() | ir.EndS() | ir.StopS():
                after = _NONE
            case ir.CallS(procedure=procedure):
                after = after | {procedure.name}
            case ir.IfS(then=then, otherwise=otherwise):
                after = _runs(then, after) & _runs(otherwise, after)
            case ir.RepeatS(mode="" | "until", block=inner):
                # What comes after it is not sure: a `return` in it may leave.
                after = _runs(inner, _NONE)
            case ir.ChooseS() | ir.TogetherS() | ir.ForS() | ir.EachS() | ir.RepeatS():
                # An answer may leave, too.
                after = _NONE if _may_leave(statement) else after
    return after


def _may_leave(statement: ir.S) -> bool:
    inside = statements_in((statement,))
    ways = [alt for inner in inside if isinstance(inner, ir.ChooseS) for alt in inner.alts]
    return any(isinstance(inner, ir.ReturnS | ir.EndS | ir.StopS) for inner in inside) or any(
        alt.effect == "stop" for alt in ways
    )


def _in_circles(asks: dict[str, Asked]) -> set[str]:
    """The rules that can come back to themselves at all."""
    own = {name: name for name in asks}
    found = circles(list(own), lambda name: [own[other] for other in sorted(asks[name]) if other in own])
    return {name for circle in found if circle.is_closed for name in circle.members}


def _circle(start: str, asks: dict[str, Asked]) -> list[str] | None:
    """The shortest way back to a rule, if it asks itself on every path."""
    ways: list[list[str]] = [[start]]
    seen: set[str] = set()
    for way in ways:
        for name in sorted(asks[way[-1]]):
            if name == start:
                return way
            if name not in seen and name in asks:
                seen.add(name)
                ways.append([*way, name])
    return None


def _call_in(function: m.Function, name: str) -> Span | None:
    for part in deep(function.block, function.clauses, [a.value for a in function.adjustments]):
        if isinstance(part, ir.CallX) and part.function.name == name:
            return part.span
    return None


def _function(function: m.Function, adjusted: bool = True) -> Asked:
    out = _NONE
    if function.clauses:
        first = function.clauses[0]
        if first.when is not None:
            out = _expr(first.when)
        elif first.lifted:
            out = _expr(first.lifted[0][0]) if first.lifted[0][0] is not None else _NONE
        else:
            out = _expr(first.condition)
    else:
        out = _block(function.block, _NONE)
    for layer in function.adjustments if adjusted else ():
        if layer.condition is not None:
            out |= _expr(layer.condition)
        elif layer.operation != "set":
            out |= _expr(layer.value)
    return out


def _block(block: ir.Block, after: Asked) -> Asked:
    """What is asked by a block and, where it does not leave, by what comes after it."""
    for statement in reversed(block):
        match statement:
            case ir.ReturnS(value=value):
                after = _expr(value) if value is not None else _NONE
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                after = _expr(condition) | (_block(then, after) & _block(otherwise, after))
            case ir.LetS(value=value):
                after = _expr(value) | after
    return after


def _expr(x: ir.X) -> Asked:
    match x:
        case ir.CallX(function=function, args=args):
            return frozenset({function.name}).union(*(_expr(a) for a in args))
        case ir.IfX(condition=condition, then=then, otherwise=otherwise):
            return _expr(condition) | (_expr(then) & _expr(otherwise))
        case ir.AndX(parts=parts) | ir.OrX(parts=parts):
            return _expr(parts[0])
        case ir.FilterX(source=source) | ir.MostX(source=source):
            return _expr(source)
        case ir.QuantX(picks=picks) | ir.AggregateX(picks=picks):
            return _expr(picks[0][1])
    out = _NONE
    for name in fields_of(type(x)):
        for inner in parts_in(getattr(x, name)):
            out |= _expr(inner)
    return out
