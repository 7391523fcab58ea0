"""Why something is not in a set, list or pile: what it was gathered from, and what each of that had to be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulescript.explain.env import EXAMPLES, Env, is_itself, source_text
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.types import Type
from rulescript.phrases import readable
from rulescript.reasons import FailedClause

if TYPE_CHECKING:
    from rulescript.explain.failed_clauses import Judge

__all__ = ["outside"]


def outside(judge: Judge, value: Any, type_: Type, source: ir.X, env: Env) -> list[FailedClause]:
    """Why something is not in a set, list or pile. Of what the viewer does not know where it lies, no more is said: it
    may be among those that were left out, or somewhere else."""
    if not judge.eyes.is_known(value, type_):
        return []
    source, env = env.meant(source)
    match source:
        case ir.RouteX(target=None):
            return judge.blocked(source, value, env)
        case ir.CallX(function=function, args=args):
            inner = judge.eyes.enter(function.params, args, env)
            if any(a.condition is None or judge.eyes.holds(a.condition, inner) for a in function.adjustments):
                return []
            behind = judge.behind(function, inner, lambda x, e: outside(judge, value, type_, x, e), True)
            return behind or _not_given(judge, value, type_, function, inner)
        case ir.AggregateX(function="set" | "list", picks=picks):
            if is_itself(source) and value not in judge.eyes.refs(picks[0][1], env):
                return outside(judge, value, type_, picks[0][1], env)
            return _left_out(judge, value, source, env)
        case ir.MostX(source=base):
            if value not in judge.eyes.refs(base, env):
                return outside(judge, value, type_, base, env)
            return [_surpassed(judge, value, type_, source, env)]
        case ir.BuiltinX(name="default", args=(given, otherwise)):
            here = given if judge.eyes.value(given, env) is not None else otherwise
            return outside(judge, value, type_, here, env)
        case ir.FilterX(source=base, var=var, condition=condition):
            if value not in judge.eyes.refs(base, env):
                return outside(judge, value, type_, base, env)
            inner = env.also((var, value))
            inside = substitute(condition, {})
            return [
                FailedClause(
                    judge.eyes.say(inside, True, inner),
                    judge.fact(inside, True, inner),
                    source=source_text(condition),
                    **judge.eyes.saw(inside, inner),
                    through=tuple(judge.through(inside, True, inner)),
                )
            ]
        case ir.SetOpX(operator=operator, left=left, right=right):
            out: list[FailedClause] = []
            if operator in ("+", "&") or value not in judge.eyes.refs(left, env):
                for side in (left, right) if operator != "-" else (left,):
                    if value not in judge.eyes.refs(side, env):
                        out += outside(judge, value, type_, side, env)
            return out
        case ir.IfX(condition=condition, then=then, otherwise=otherwise):
            return outside(judge, value, type_, then if judge.eyes.holds(condition, env) else otherwise, env)
    return []


def _not_given(judge: Judge, value: Any, type_: Type, function: m.Function, inner: Env) -> list[FailedClause]:
    """A rule that gives a set does not give this, and there is no more to be said than what it gives."""
    found = judge.eyes.returned(function.block, inner)
    if found is None or not function.cites:
        return []
    name, rule = judge.eyes.words(value, type_), readable(function.name)
    among = f"“{rule}”"
    if function.wording is not None:
        asked = tuple(ir.Local(var.type, function.span, var) for var in function.params)
        call = ir.CallX(function.type, function.span, function, asked)
        among, rule = judge.eyes.speaker(call, inner).among(call), ""
    return [
        FailedClause(
            f"{name} is one of {among}",
            f"{name} is not one of {among}",
            function.cites,
            rule,
            source_text(found[0]),
            **(judge.eyes.saw(*found) if not isinstance(found[0], ir.SetX | ir.ListX) else {}),
            file=function.span.source.name,
            line=function.span.line,
        )
    ]


def _left_out(judge: Judge, value: Any, x: ir.AggregateX, env: Env) -> list[FailedClause]:
    """``set(a.b for a in S if C)``: for which `a` it would have been there, had C held."""
    out: list[FailedClause] = []

    def visit(at: int, inner: Env) -> None:
        if at < len(x.picks):
            var, source = x.picks[at]
            for each in judge.eyes.refs(source, inner):
                visit(at + 1, inner.also((var, each)))
        elif len(out) < EXAMPLES and x.condition is not None and judge.eyes.value(x.value, inner) == value:
            shown = tuple(judge.eyes.words(inner.values[v.ident], v.type) for v, _ in x.picks)
            out.append(
                FailedClause(
                    judge.eyes.say(x.condition, True, inner),
                    judge.fact(x.condition, True, inner),
                    source=source_text(x.condition),
                    **judge.eyes.saw(x.condition, inner),
                    at=shown if not is_itself(x) else (),
                    through=tuple(judge.through(x.condition, True, inner)),
                )
            )

    visit(0, env)
    return out


def _surpassed(judge: Judge, value: Any, type_: Type, x: ir.MostX, env: Env) -> FailedClause:
    """``most S by n``: another has more."""
    own = judge.eyes.value(x.by, env.also((x.var, value)))
    best = judge.eyes.refs(x, env)[0]
    inner = env.also((x.var, best))
    there = judge.eyes.value(x.by, inner)
    name, other = judge.eyes.words(value, type_), judge.eyes.words(best, type_)
    word = x.direction
    by = source_text(x.by)
    return FailedClause(
        f"{name} has the {word} ({by})",
        f"{name} has {judge.eyes.words(own, x.by.type)} and {other} has {judge.eyes.words(there, x.by.type)} ({by})",
        source=source_text(x),
        values=((f"{by} of {name}", judge.eyes.words(own, x.by.type)), (f"{by} of {other}", str(there))),
    )
