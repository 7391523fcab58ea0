"""Why a condition does not hold: the requirements that fail, what they saw, and what lies behind them.

A `Judge` looks at one position with the eyes of one viewer (`onlooker.py`). It goes into predicates, functions,
filters and routes as far as they explain a failure. What the viewer may not see it does not tell: a requirement
that looks at a hidden place is told by its citation and label.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rulescript.analysis.names import path_of
from rulescript.explain.env import EXAMPLES, Env, source_text
from rulescript.explain.onlooker import Onlooker
from rulescript.explain.outside import outside
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import children
from rulescript.model.types import BOOL, NOTHING, SetOf
from rulescript.phrases import readable
from rulescript.reasons import NOT_REACHED, FailedClause

if TYPE_CHECKING:
    from rulescript.runtime.position import Position

__all__ = ["Judge"]

DEPTH = 6
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


class Judge:
    """Judges conditions in one position, telling a viewer (a role's number, or several; None sees everything)."""

    def __init__(self, position: Position, viewer: int | Sequence[int] | None) -> None:
        self.eyes = Onlooker(position, viewer)
        self._depth = 0

    # -------------------------------------------------------------- requirements

    def check(self, clauses: Sequence[ir.Clause], env: Env) -> list[FailedClause]:
        """Every requirement that fails, in order; those that make no sense after it are "not reached".

        Requirements that look at hidden things come last and only count when nothing open explains the
        refusal: otherwise their mention would tell what the options do not."""
        out: list[FailedClause] = []
        secret: list[ir.Clause] = []
        unknown: set[str] = set()
        for clause in clauses:
            if self.is_secret(clause, env):
                secret.append(clause)
                continue
            if unknown and _needs(clause.condition, unknown):
                out.append(self.not_reached(clause, env))
                continue
            try:
                met = self.eyes.ev.clause_holds(clause, self.eyes.S, env.values)
            except Exception:
                if out:
                    out.append(self.not_reached(clause, env))
                    continue
                met = False
            if not met:
                out.append(self.failed(clause, env))
                unknown |= _known_by(clause.condition)
        if secret:
            if out:
                out += [evolve(self.veiled(c), status=NOT_REACHED) for c in secret if c.peeks]
            elif not all(self.met(c, env) for c in secret):
                # Which of several it is would say more than the options do.
                out += [self.veiled(c) for c in secret]
        return out

    def met(self, clause: ir.Clause, env: Env) -> bool:
        try:
            return self.eyes.ev.clause_holds(clause, self.eyes.S, env.values)
        except Exception:
            return False

    def is_secret(self, clause: ir.Clause, env: Env) -> bool:
        """Whether a requirement looks at what the viewer may not see."""
        if self.eyes.roles is None:
            return False
        parts = clause.expressions()
        return (clause.peeks and any(map(self._looks, parts))) or any(self.eyes.hidden(x, env) for x in parts)

    def _looks(self, x: ir.X) -> bool:
        """Whether a condition reads any place that is not open to all."""
        for what, owner, name in self.eyes.ev.lower.effects.reads(x):
            for holds in self.eyes.game.data.holds:
                named = what == "place" and (holds.owner, holds.name) == (owner, name)
                if holds.is_restricted and (named or (what == "where" and holds.kind == owner)):
                    return True
        return False

    def veiled(self, clause: ir.Clause) -> FailedClause:
        """A requirement told by its citation and label only."""
        said = clause.label or "a requirement about what is hidden from you"
        return FailedClause(
            said,
            f"{said} is not met" if not clause.label else clause.label,
            clause.cites,
            clause.label,
            file=clause.span.source.name,
            line=clause.span.line,
        )

    def not_reached(self, clause: ir.Clause, env: Env) -> FailedClause:
        return evolve(self.told(clause, env), status=NOT_REACHED, fact="")

    def failed(self, clause: ir.Clause, env: Env) -> FailedClause:
        told = self.told(clause, env)
        through = [*self.through(clause.condition, True, env), *self._exceptions(clause, env)]
        return evolve(
            told,
            fact=self.eyes.worded(clause, False, env) or self.fact(clause.condition, True, env),
            **self.eyes.saw(clause.condition, env),
            through=tuple(through),
        )

    def told(self, clause: ir.Clause, env: Env) -> FailedClause:
        condition = self.eyes.worded(clause, True, env) or self.eyes.say(clause.condition, True, env)
        if clause.when is not None:
            condition = f"while {self.eyes.say(clause.when, True, env)}: {condition}"
        return FailedClause(
            condition,
            "",
            clause.cites,
            clause.label,
            source_text(clause.condition),
            file=clause.span.source.name,
            line=clause.span.line,
        )

    def _exceptions(self, clause: ir.Clause, env: Env) -> Iterator[FailedClause]:
        for when, cites in clause.lifted:
            if when is None:
                continue
            yield FailedClause(
                self.eyes.say(when, True, env),
                f"the exception does not apply: {self.fact(when, True, env)}",
                cites,
                "exception",
                source_text(when),
                **self.eyes.saw(when, env),
                through=tuple(self.through(when, True, env)),
                file=when.span.source.name,
                line=when.span.line,
            )

    # -------------------------------------------------------------- behind a condition

    def fact(self, x: ir.X, wanted: bool, env: Env) -> str:
        """What is the case where a condition did not come out as wanted: only the parts that are to blame."""
        x, env = env.meant(x)
        match x:
            case ir.NotX(of=of):
                return self.fact(of, not wanted, env)
            case ir.AndX(parts=parts) if wanted:
                return " and ".join(self.fact(p, True, env) for p in self._blamed(parts, True, env)) or "it is not so"
            case ir.OrX(parts=parts) if not wanted:
                return " and ".join(self.fact(p, False, env) for p in self._blamed(parts, False, env)) or "it is so"
            case ir.IfX(condition=condition, then=then, otherwise=otherwise) if x.type == BOOL:
                return self.fact(then if self.eyes.holds(condition, env) else otherwise, wanted, env)
        return self.eyes.say(x, not wanted, env)

    def _blamed(self, parts: Sequence[ir.X], wanted: bool, env: Env) -> Iterator[ir.X]:
        unknown: set[str] = set()
        for part in parts:
            if (unknown and _needs(part, unknown)) or self.eyes.hidden(part, env):
                continue
            try:
                held = self.eyes.holds(part, env)
            except Exception:
                return
            if held is not wanted:
                yield part
                unknown |= _known_by(part) if wanted else set()

    def through(self, x: ir.X, wanted: bool, env: Env) -> list[FailedClause]:
        """What lies behind a condition that did not come out as wanted."""
        if self._depth >= DEPTH:
            return []
        self._depth += 1
        try:
            return self._through(x, wanted, env)
        except Exception:
            # An explanation that cannot be worked out is left out; the refusal stands without it.
            return []
        finally:
            self._depth -= 1

    def _through(self, x: ir.X, wanted: bool, env: Env) -> list[FailedClause]:
        x, env = env.meant(x)
        match x:
            case ir.NotX(of=of):
                return self._through(of, not wanted, env)
            case ir.AndX(parts=parts) | ir.OrX(parts=parts):
                return [c for p in self._blamed(parts, wanted, env) for c in self.through(p, wanted, env)]
            case ir.IfX(condition=condition, then=then, otherwise=otherwise):
                return self._through(then if self.eyes.holds(condition, env) else otherwise, wanted, env)
            case ir.CallX(function=function, args=args):
                inner = self.eyes.enter(function.params, args, env)
                if function.form == "predicate":
                    return self.check(function.clauses, inner) if wanted else []
                return self.behind(function, inner, lambda result, e: self.through(result, wanted, e), wanted)
            case ir.InX(element=element, source=source, negated=negated):
                if negated is wanted:
                    return []
                return outside(self, self.eyes.value(element, env), element.type, source, env)
            case ir.CompareX(operator=operator, left=ir.RouteX(target=ir.X() as target) as left, right=right):
                missing = operator == "!=" and right.type == NOTHING or operator in ("<", "<=", "==")
                if missing and wanted and self.eyes.value(left, env) is None:
                    route = ir.RouteX(SetOf(target.type), left.span, left.route, left.args)
                    return self.blocked(route, self.eyes.value(target, env), env)
                return []
            case ir.CompareX():
                return self._adjusted(x, wanted, env)
            case ir.QuantX():
                return self._counterexamples(x, wanted, env)
        return []

    def _adjusted(self, x: ir.CompareX, wanted: bool, env: Env) -> list[FailedClause]:
        """The adjustments of values without which a comparison would have come out as wanted."""
        from rulescript.explain.causes import LAYERS, applied

        out: list[FailedClause] = []
        for side in (x.left, x.right):
            call, outer = env.meant(side)
            if not isinstance(call, ir.CallX) or not call.function.adjustments:
                continue
            inner = self.eyes.enter(call.function.params, call.args, outer)
            found = self.eyes.returned(call.function.block, inner)
            if found is None:
                continue
            base = self.eyes.value(*found)
            layers = [
                (a, self.eyes.value(a.value, inner))
                for operations in LAYERS
                for a in call.function.adjustments
                if a.operation in operations and (a.condition is None or self.eyes.holds(a.condition, inner))
            ]
            for blamed, _ in layers:
                without = applied(base, [(a.operation, n) for a, n in layers if a is not blamed])
                left, right = (without if s is side else self.eyes.value(s, env) for s in (x.left, x.right))
                if COMPARED[x.operator](left, right) is wanted:
                    now = self.eyes.words(self.eyes.value(call, outer), call.type)
                    what = readable(call.function.name)
                    fact = f"{what} is {now}; without this it would be {self.eyes.words(without, call.type)}"
                    said = f"{what} is {self.eyes.words(without, call.type)}"
                    through = FailedClause(said, fact, blamed.cites, blamed.label, source_text(blamed.value))
                    out.append(evolve(through, file=blamed.span.source.name, line=blamed.span.line))
        return out

    def behind(
        self, function: m.Function, env: Env, go_on: Callable[[ir.X, Env], list[FailedClause]], wanted: bool
    ) -> list[FailedClause]:
        """What a function looked at when it gave its answer."""
        found = self.eyes.returned(function.block, env)
        if found is None:
            return []
        result, inner = found
        behind = go_on(result, inner)
        if result.type == BOOL:
            fact = self.fact(result, wanted, inner)
            condition = self.eyes.say(result, wanted, inner)
        elif behind:
            return [evolve(c, cites=c.cites or function.cites) for c in behind]
        else:
            return []
        return [
            FailedClause(
                condition,
                fact,
                function.cites,
                # What has words of its own has been told by them already.
                readable(function.name) if function.wording is None else "",
                source_text(result),
                **self.eyes.saw(result, inner),
                through=tuple(behind),
                file=function.span.source.name,
                line=function.span.line,
            )
        ]

    def _counterexamples(self, x: ir.QuantX, wanted: bool, env: Env) -> list[FailedClause]:
        """The cases that spoil `every` (or `none`)."""
        spoils = {"every": False, "none": True, "some": True}[x.quantifier]
        if (x.quantifier in ("every", "none")) is not wanted:
            return []
        out: list[FailedClause] = []
        backs: list[FailedClause] = []

        def visit(at: int, inner: Env) -> None:
            if len(out) >= EXAMPLES:
                return
            if at == len(x.picks):
                is_veiled = any(not self.eyes.is_known(inner.values[v.ident], v.type) for v, _ in x.picks)
                if is_veiled and len(backs) >= EXAMPLES:
                    return
                if self.eyes.holds(x.condition, inner) is spoils:
                    shown = tuple(self.eyes.words(inner.values[v.ident], v.type) for v, _ in x.picks)
                    found = FailedClause(
                        self.eyes.say(x.condition, not spoils, inner),
                        self.fact(x.condition, not spoils, inner),
                        source=source_text(x.condition),
                        **self.eyes.saw(x.condition, inner),
                        at=shown,
                        through=tuple(self.through(x.condition, not spoils, inner)),
                    )
                    if not is_veiled:
                        out.append(found)
                    elif found not in backs:
                        # How many sorts lie face down, and where among the others, would tell what they are.
                        backs.append(found)
                return
            var, source = x.picks[at]
            for value in self.eyes.refs(source, inner):
                visit(at + 1, inner.also((var, value)))

        visit(0, env)
        return [*out, *backs][:EXAMPLES]

    # -------------------------------------------------------------- routes

    def blocked(self, x: ir.RouteX, target: int, env: Env) -> list[FailedClause]:
        """Why a route does not reach a space."""
        from rulescript.explain.route_reasons import RouteSearch

        return RouteSearch(self, x, env).reasons(target)

    def path(self, x: ir.RouteX, target: int, env: Env) -> tuple[list[int], int] | None:
        """The spaces of a shortest way along a route, the first one included, and its length or cost."""
        from rulescript.explain.route_reasons import RouteSearch

        search = RouteSearch(self, x, env)
        path = search.way(target)
        return (path, search.points(path)) if path is not None else None


def _known_by(x: ir.X, truth: bool = True) -> set[str]:
    """What would be known not to be nothing if a condition held."""
    match x:
        case ir.AndX(parts=parts) if truth:
            return {p for part in parts for p in _known_by(part, True)}
        case ir.OrX(parts=parts) if not truth:
            return {p for part in parts for p in _known_by(part, False)}
        case ir.NotX(of=of):
            return _known_by(of, not truth)
        case ir.CompareX(operator=op, left=left, right=right) if right.type == NOTHING and (op == "!=") is truth:
            found = path_of(left)
            return {found} if found else set()
    return set()


def _needs(x: ir.X, unknown: set[str]) -> bool:
    """Whether a condition uses something that is nothing here, other than to test just that."""
    if isinstance(x, ir.CompareX) and x.right.type == NOTHING:
        return any(_needs(child, unknown) for child in children(x.left))
    if (path_of(x) or "") in unknown:
        return True
    return any(_needs(child, unknown) for child in children(x))
