"""Why a condition does not hold: the requirements that fail, what they saw, and what lies behind them.

A `Judge` looks at one position for one viewer. It works conditions out with explain/evaluate.py and goes
into predicates, functions, filters and routes as far as they explain a failure. What the viewer may not see
it does not tell: a value that depends on a hidden place is shown as "hidden", and a requirement that looks
at one is told by its citation and label.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rulescript.analysis.names import path_of
from rulescript.explain.env import EXAMPLES, Env, Saw, source_text, telling_parts
from rulescript.explain.evaluate import evaluator_of, free_locals
from rulescript.explain.outside import outside
from rulescript.machine.support import BITS
from rulescript.machine.unsettled import members
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import children
from rulescript.model.types import BOOL, NOTHING, ListOf, Maybe, PieceOf, SetOf, ThingOf, Type
from rulescript.phrases import kind_noun, readable
from rulescript.reasons import NOT_REACHED, FailedClause
from rulescript.runtime.views import LEVELS, is_hidden, knows, level_of, some_may
from rulescript.wording.english import Speaker

if TYPE_CHECKING:
    from rulescript.runtime.position import Position

__all__ = ["Judge"]

DEPTH = 6
SHOWN = 12
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


class Judge:
    """Judges conditions in one position, telling a viewer (a role's number, or several; None sees everything)."""

    def __init__(self, position: Position, viewer: int | Sequence[int] | None) -> None:
        self.position = position
        self.game = position.game
        self.S = position.s
        self.roles = (viewer,) if isinstance(viewer, int) else viewer
        self.ev = evaluator_of(position.game)
        # Whoever is told, where he is the one who chooses: "you have no units in Mill".
        self.you: ir.X | None = None
        self._depth = 0

    # -------------------------------------------------------------- values

    def value(self, x: ir.X, env: Env) -> Any:
        return self.ev.value(x, self.S, env.values)

    def holds(self, x: ir.X, env: Env) -> bool:
        return bool(self.value(x, env))

    def refs(self, source: ir.X, env: Env) -> tuple[Any, ...]:
        return self.ev.refs(source, self.S, env.values)

    def members(self, source: ir.X, env: Env) -> tuple[Any, ...]:
        return self.ev.members(source, self.S, env.values)

    def words(self, value: Any, type_: Type) -> str:
        """A value as it reads in a sentence; pieces by type and place, without their state."""
        match type_:
            case PieceOf(kind):
                info = self.game.data.kinds[kind]
                label = info.labels[(value & self.game.values.low) % info.types]
                if not self.knows_place(type_, value):
                    label = f"an unknown {kind_noun(kind)}"
                    if info.backs is not None and self.sees(value >> self.game.values.shift):
                        label = info.backs[(value & self.game.values.low) % info.types]
                return f"{label} in {self.game.values.place_label(value >> self.game.values.shift)}"
            case Maybe(element):
                return "nothing" if value is None else self.words(value, element)
            case SetOf(element):
                return self._several([self.words(i, element) for i in BITS[value]])
            case ListOf(element):
                return self._several([self.words(i, element) for i in value])
        return self.ev.words(value, type_)

    @staticmethod
    def _several(items: list[str]) -> str:
        if len(items) > SHOWN:
            return f"{', '.join(items[:SHOWN])} and {len(items) - SHOWN} more"
        return ", ".join(items) or "none"

    def names(self, x: ir.X, env: Env) -> dict[int, str]:
        """What to call the names in an expression: the things and pieces they stand for."""
        out: dict[int, str] = {}
        slots = self.game.data.var_slots
        for ident, var in free_locals(x).items():
            type_ = var.type.element if isinstance(var.type, Maybe) else var.type
            if not isinstance(type_, ThingOf | PieceOf):
                continue
            if ident in env.values:
                value = env.values[ident]
            elif ident in slots and var.role != "pick":
                value = self.S[slots[ident]]
            else:
                continue
            if value is None:
                continue
            if self.you is not None and type_ == self.you.type and self.roles == (value,):
                out[ident] = "you"
                continue
            is_named = ident in env.values or self.knows_place(type_, value)
            out[ident] = self.words(value, type_) if is_named else f"an unknown {kind_noun(type_.kind)}"
        return out

    def speaker(self, x: ir.X, env: Env) -> Speaker:
        """Says an expression with the real things in place of its names."""
        places: dict[int, str] = {}
        for ident, var in free_locals(x).items():
            if ident not in env.values or env.values[ident] is None:
                continue
            match var.type:
                case PieceOf():
                    slot = env.values[ident] >> self.game.values.shift
                case ThingOf(kind) if self.game.data.kinds[kind].loc >= 0:
                    slot = self.S[self.game.data.kinds[kind].loc + env.values[ident]]
                case _:
                    continue
            holds, owner = self.game.values.places.get(slot, (None, 0))
            is_seen = self.sees(slot) and (
                isinstance(var.type, PieceOf) or self.knows_place(var.type, env.values[ident])
            )
            if holds is not None and holds.owner and is_seen:
                places[ident] = self.game.data.kinds[holds.owner].labels[owner]
        made = Speaker(x, self.names(x, env), places)
        made.you = self.you
        return made

    def worded(self, clause: ir.Clause, holds: bool, env: Env) -> str:
        """A requirement in its author's words; "" if it has none."""
        if clause.wording is None:
            return ""
        texts = [x for x in (clause.wording.text, clause.wording.denied) if x is not None]
        both = ir.ListX(clause.wording.text.type, clause.wording.text.span, tuple(texts))
        return self.speaker(both, env).requirement(clause, holds)

    def say(self, x: ir.X, holds: bool, env: Env) -> str:
        return self.speaker(x, env).sentence(x, holds)

    # -------------------------------------------------------------- what may be seen

    def hidden(self, x: ir.X, env: Env, need: str = "visible") -> bool:
        """Whether a value depends on something the viewer may not see."""
        return bool(self.unseen(x, env, need))

    def unseen(self, x: ir.X, env: Env, need: str = "visible") -> str:
        """What a value depends on that the viewer may not see; nothing if there is no such thing."""
        if self.roles is None or not self.game.has_secrets:
            return ""
        from rulescript.explain.sight import Sight

        return Sight(self).unseen(x, env, need)

    def _slots(self, x: ir.ContentsX, env: Env) -> Sequence[int]:
        """The places an expression looks into; all of them if that depends on what is not known here."""
        base = self.ev.lower.layout.holds_slot[id(x.holds)]
        if x.of is None:
            return (base,)
        owner = x.holds.owner
        size = owner.size if owner is not None else 1
        try:
            value = self.value(x.of, env)
        except Exception:
            return range(base, base + size)
        if isinstance(x.of.type, SetOf):
            return [base + i for i in BITS[value]]
        return (base + value,) if value is not None else ()

    def sees(self, slot: int, need: str = "visible") -> bool:
        if self.roles is None or slot not in self.game.values.places:
            return True
        return some_may(self.roles, lambda role: LEVELS[level_of(self.game, self.S, slot, role)] >= LEVELS[need])

    def _face_down(self, kind: str, slots: Sequence[int]) -> bool:
        """Whether anything in some places lies so that the viewer may not know what it is."""
        if self.roles is None or kind not in self.game.code["HIDE"]:
            return False
        info = self.game.data.kinds[kind]
        for slot in slots:
            if info.is_pieces:
                items = [slot << self.game.values.shift | code for code, _ in self.game.values.pile(kind, self.S[slot])]
            else:
                held = self.S[slot]
                items = list(BITS[held] if isinstance(held, int) else members(held))
            if any(is_hidden(self.game, self.S, kind, item, self.roles) for item in items):
                return True
        return False

    def knows_place(self, type_: Type, value: Any) -> bool:
        """Whether the viewer may know where a thing or piece is."""
        match type_:
            case PieceOf(kind) | ThingOf(kind) if self.roles is not None and value is not None:
                return knows(self.game, self.S, kind, value, self.roles)
        return True

    # -------------------------------------------------------------- what a condition saw

    def seen(self, x: ir.X, env: Env) -> tuple[tuple[str, str], ...]:
        """The parts of a condition and what they came to."""
        return tuple((text, self.shown(part, env)) for text, part in telling_parts(x).items())

    def saw(self, x: ir.X, env: Env) -> Saw:
        """The same for a failed requirement, with what the sentence about it does not say anyway in words."""
        values: list[tuple[str, str]] = []
        spoken: dict[str, None] = {}
        for text, part in telling_parts(x).items():
            value = self.shown(part, env)
            values.append((text, value))
            if part.type != BOOL:
                words = self.speaker(part, env).phrase(part)
                if words != value:
                    spoken[f"{words}: {value}"] = None
        return {"values": tuple(values), "spoken": tuple(spoken)}

    def shown(self, x: ir.X, env: Env) -> str:
        need = "count" if isinstance(x, ir.BuiltinX) and x.name == "count" else "visible"
        if self.hidden(x, env, need):
            return "hidden"
        try:
            return self.words(self.value(x, env), x.type)
        except Exception:
            return "cannot be worked out"

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
                met = self.ev.clause_holds(clause, self.S, env.values)
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
            elif not all(self._met(c, env) for c in secret):
                # Which of several it is would say more than the options do.
                out += [self.veiled(c) for c in secret]
        return out

    def _met(self, clause: ir.Clause, env: Env) -> bool:
        try:
            return self.ev.clause_holds(clause, self.S, env.values)
        except Exception:
            return False

    def is_secret(self, clause: ir.Clause, env: Env) -> bool:
        """Whether a requirement looks at what the viewer may not see."""
        if self.roles is None:
            return False
        parts = clause.expressions()
        return (clause.peeks and any(map(self._looks, parts))) or any(self.hidden(x, env) for x in parts)

    def _looks(self, x: ir.X) -> bool:
        """Whether a condition reads any place that is not open to all."""
        for what, owner, name in self.ev.lower.effects.reads(x):
            for holds in self.game.data.holds:
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
        return evolve(self._told(clause, env), status=NOT_REACHED, fact="")

    def failed(self, clause: ir.Clause, env: Env) -> FailedClause:
        told = self._told(clause, env)
        through = [*self.through(clause.condition, True, env), *self._exceptions(clause, env)]
        return evolve(
            told,
            fact=self.worded(clause, False, env) or self.fact(clause.condition, True, env),
            **self.saw(clause.condition, env),
            through=tuple(through),
        )

    def _told(self, clause: ir.Clause, env: Env) -> FailedClause:
        condition = self.worded(clause, True, env) or self.say(clause.condition, True, env)
        if clause.when is not None:
            condition = f"while {self.say(clause.when, True, env)}: {condition}"
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
                self.say(when, True, env),
                f"the exception does not apply: {self.fact(when, True, env)}",
                cites,
                "exception",
                source_text(when),
                **self.saw(when, env),
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
                return self.fact(then if self.holds(condition, env) else otherwise, wanted, env)
        return self.say(x, not wanted, env)

    def _blamed(self, parts: Sequence[ir.X], wanted: bool, env: Env) -> Iterator[ir.X]:
        unknown: set[str] = set()
        for part in parts:
            if (unknown and _needs(part, unknown)) or self.hidden(part, env):
                continue
            try:
                held = self.holds(part, env)
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
                return self._through(then if self.holds(condition, env) else otherwise, wanted, env)
            case ir.CallX(function=function, args=args):
                inner = self.enter(function.params, args, env)
                if function.form == "predicate":
                    return self.check(function.clauses, inner) if wanted else []
                return self.behind(function, inner, lambda result, e: self.through(result, wanted, e), wanted)
            case ir.InX(element=element, source=source, negated=negated):
                if negated is wanted:
                    return []
                return outside(self, self.value(element, env), element.type, source, env)
            case ir.CompareX(operator=operator, left=ir.RouteX(target=ir.X() as target) as left, right=right):
                missing = operator == "!=" and right.type == NOTHING or operator in ("<", "<=", "==")
                if missing and wanted and self.value(left, env) is None:
                    route = ir.RouteX(SetOf(target.type), left.span, left.route, left.args)
                    return self.blocked(route, self.value(target, env), env)
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
            inner = self.enter(call.function.params, call.args, outer)
            found = self.returned(call.function.block, inner)
            if found is None:
                continue
            base = self.value(*found)
            layers = [
                (a, self.value(a.value, inner))
                for operations in LAYERS
                for a in call.function.adjustments
                if a.operation in operations and (a.condition is None or self.holds(a.condition, inner))
            ]
            for blamed, _ in layers:
                without = applied(base, [(a.operation, n) for a, n in layers if a is not blamed])
                left, right = (without if s is side else self.value(s, env) for s in (x.left, x.right))
                if COMPARED[x.operator](left, right) is wanted:
                    now = self.words(self.value(call, outer), call.type)
                    what = readable(call.function.name)
                    fact = f"{what} is {now}; without this it would be {self.words(without, call.type)}"
                    said = f"{what} is {self.words(without, call.type)}"
                    through = FailedClause(said, fact, blamed.cites, blamed.label, source_text(blamed.value))
                    out.append(evolve(through, file=blamed.span.source.name, line=blamed.span.line))
        return out

    def enter(self, params: Sequence[ir.Var], args: Sequence[ir.X], env: Env) -> Env:
        """The names inside a rule that is asked with these values."""
        pairs: list[tuple[ir.Var, Any]] = []
        origins: dict[int, tuple[ir.X, Env]] = {}
        for param, arg in zip(params, args, strict=False):
            try:
                pairs.append((param, self.value(arg, env)))
                origins[param.ident] = (arg, env)
            except Exception:
                continue  # not known here; what depends on it will say so
        inner = Env.of(pairs)
        return Env(inner.values, inner.vars, origins)

    def returned(self, block: ir.Block, env: Env) -> tuple[ir.X, Env] | None:
        """Which expression a function gives back, and the names it has then."""
        for statement in block:
            match statement:
                case ir.ReturnS(value=ir.X() as value):
                    return value, env
                case ir.LetS(var=var, value=value):
                    env = env.also((var, self.value(value, env))).written(var, value, env)
                case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                    found = self.returned(then if self.holds(condition, env) else otherwise, env)
                    if found is not None:
                        return found
        return None

    def behind(
        self, function: m.Function, env: Env, go_on: Callable[[ir.X, Env], list[FailedClause]], wanted: bool
    ) -> list[FailedClause]:
        """What a function looked at when it gave its answer."""
        found = self.returned(function.block, env)
        if found is None:
            return []
        result, inner = found
        behind = go_on(result, inner)
        if result.type == BOOL:
            fact = self.fact(result, wanted, inner)
            condition = self.say(result, wanted, inner)
        elif behind:
            return [evolve(c, cites=c.cites or function.cites) for c in behind]
        else:
            return []
        return [
            FailedClause(
                condition,
                fact,
                function.cites,
                readable(function.name),
                source_text(result),
                **self.saw(result, inner),
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
                is_veiled = any(not self._is_known(inner.values[v.ident], v.type) for v, _ in x.picks)
                if is_veiled and len(backs) >= EXAMPLES:
                    return
                if self.holds(x.condition, inner) is spoils:
                    shown = tuple(self.words(inner.values[v.ident], v.type) for v, _ in x.picks)
                    found = FailedClause(
                        self.say(x.condition, not spoils, inner),
                        self.fact(x.condition, not spoils, inner),
                        source=source_text(x.condition),
                        **self.saw(x.condition, inner),
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
            for value in self.refs(source, inner):
                visit(at + 1, inner.also((var, value)))

        visit(0, env)
        return [*out, *backs][:EXAMPLES]

    def _is_known(self, value: Any, type_: Type) -> bool:
        """Whether the viewer may know which thing or piece a value is."""
        if self.roles is None or not self.game.has_secrets or not isinstance(type_, ThingOf | PieceOf):
            return True
        return knows(self.game, self.S, type_.kind, value, self.roles)

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
