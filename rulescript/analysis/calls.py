"""Functions, routes, tables and builtins asked for in expressions, with their arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulescript import nodes as n
from rulescript.analysis.arguments import Misfit, PendingDefault, match_arguments
from rulescript.analysis.collections import bare
from rulescript.analysis.desk import Desk, asked_before
from rulescript.analysis.operators import _kind_named
from rulescript.analysis.part import Part
from rulescript.analysis.scope import Scope
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import ir
from rulescript.model.game import (
    Function,
    Procedure,
    Route,
)
from rulescript.model.types import (
    BOOL,
    ERROR,
    INT,
    NOTHING,
    TEXT,
    ListOf,
    Maybe,
    PieceOf,
    Pile,
    SetOf,
    ThingOf,
    Type,
    element_of,
    fits,
    say,
    say_wanted,
)  # fmt: skip  # fmt: skip
from rulescript.source import Span

__all__ = ["BUILTINS", "Calls"]

BUILTINS = {
    "count": "how many there are in a set, list or pile",
    "size": "the same as count",
    "sum": "the numbers added up",
    "max": "the highest of some numbers",
    "min": "the lowest of some numbers",
    "abs": "a number without its sign",
    "only": "the one member of a set that has exactly one",
    "first": "the first of a list, or of a set in declared order",
    "last": "the last of a list or set",
    "top": "the first of an ordered place",
    "bottom": "the last of an ordered place",
    "next": "the thing declared after this one, or nothing",
    "previous": "the thing declared before this one, or nothing",
    "number": "the place of a thing in its kind, from 1",
    "sorted": "a list of numbers, highest first",
    "taken": "so many from the front of a list",
    "known": "whether a maybe value is there",
    "steps": "how many steps a route needs to a space, or nothing",
    "matching": "how many dice of a list can be matched with pieces that score on them",
    "label": "what a thing is called",
    "reasons": "what adjusts a value just now, in words",
}
# What others ask of a thing behind a dot, and how it is said here.
_BEHIND_A_DOT = {
    **dict.fromkeys(("contains", "includes", "has"), "{given} in {of}"),
    **dict.fromkeys(("append", "add", "push", "insert"), "{of} += {given}"),
    **dict.fromkeys(("remove", "delete", "pop"), "{of} -= {given}"),
    **dict.fromkeys(("move", "move_to", "moveto"), "move {of} to {given}"),
    "draw": "draw {given} from {of} to ...", "filter": "{of}[...]",
}  # fmt: skip
# Parts of expressions that are written into calls for what those leave out, in a whole game.
MOST_LEFT_OUT = 100_000


class Calls(Part):
    """Reads calls."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.defaults: dict[int, PendingDefault] = {}
        self._left_out = 0
        self._extents: dict[int, tuple[int, ir.X]] = {}
        self._reading: list[PendingDefault] = []

    def call(self, node: n.Call, scope: Scope, expected: Type | None) -> ir.X:
        if not isinstance(node.function, n.NameExpr):
            hint = None
            if isinstance(node.function, n.AttributeOf):
                of = self.expr(node.function.object, scope)
                if of.type == ERROR:
                    return self.bad(node.span)
                kind = self.game.kinds.get(of.type.kind) if isinstance(of.type, ThingOf) else None
                if kind is not None and node.function.name.text in kind.unnamed_does:
                    return self.bad(node.span)  # that there is no line for it was told of the things
                hint = spelling_hint(node.function.name.text, kind.does) if kind is not None else None
                hint = hint or self._without_dot(node, node.function)
            self.error("RS101", "only rules can be asked with `(...)`", node.function.span, "not a rule", hint)
            return self.bad(node.span)
        name = node.function.name
        game = self.game
        if name in game.functions:
            version, read = self.version_for(node, name, game.functions, scope)
            function = game.functions[version]
            args = self.arguments(node, function.params, scope, f"`{name}`", read)
            return ir.CallX(function.type, node.span, function, args) if args is not None else self.bad(node.span)
        if name in game.routes:
            version, read = self.version_for(node, name, game.routes, scope)
            route = game.routes[version]
            args = self.arguments(node, route.params, scope, f"`{name}`", read)
            if args is None:
                return self.bad(node.span)
            return ir.RouteX(SetOf(ThingOf(route.kind.name)), node.span, route, args)
        if name in game.tables:
            return self._table_call(node, name, scope)
        if name in BUILTINS:
            return self._builtin(node, name, scope)
        if name in game.procedures:
            return self.asks_procedure(name, node)
        names = [*game.functions, *game.routes, *game.tables, *BUILTINS, *game.procedures]
        self.unknown("rule", name, node.function.span, names, otherwise=self._member_instead(node, name))
        return self.bad(node.span)

    def _member_instead(self, node: n.Call, name: str) -> str | None:
        """What to write where something is called that things have, or that maps say: `moved(u)`, `adjacent(a, b)`."""
        given = [value.span.text.strip() for value in node.args]
        if len(given) == 1 and any(name in (*k.attrs, *k.states, *k.holds) for k in self.game.kinds.values()):
            return f"it is something that things have: write `{given[0]}.{name}`"
        sorts = [sort for kind in self.game.kinds.values() for sort in kind.links]
        if len(given) == 2 and sorts and name.lower() in ("adjacent", "linked", "connected", "neighbours", "neighbors"):
            return f"what is linked to a space is a set: write `{given[1]} in {given[0]}.{sorts[0]}`"
        return None

    def _without_dot(self, node: n.Call, function: n.AttributeOf) -> str | None:
        """What to write where something is asked of a thing behind a dot: `u.move(r)`, `cards.contains(c)`."""
        name, of = function.name.text, function.object.span.text.strip()
        given = ", ".join(value.span.text.strip() for value in node.args)
        if name.lower() in _BEHIND_A_DOT and given:
            return f"write `{_BEHIND_A_DOT[name.lower()].format(of=of, given=given)}`"
        game, asked = self.game, asked_before(name)
        if any(asked in rules for rules in (game.functions, game.routes, game.tables, game.procedures, BUILTINS)):
            return f"write `{asked}({', '.join([of, *([given] if given else [])])})`"
        return None

    def asks_procedure(self, name: str, node: n.Expr) -> ir.X:
        """A procedure in the middle of an expression: what it does would happen at no known time."""
        text = node.span.text.strip()
        call = text if "\n" not in text and len(text) < 50 else f"{name}(...)"
        place = node.function.span if isinstance(node, n.Call) else node.span
        self.error(
            "RS207",
            f"`{name}` changes the game, so it cannot be asked inside an expression",
            place,
            hint=f"write `let result = {call}` on a line of its own before this, and `result` here",
        )
        return self.bad(node.span)

    def version_for(
        self, node: n.Call, name: str, rules: Mapping[str, Function | Route | Procedure], scope: Scope
    ) -> tuple[str, dict[int, ir.X]]:
        """Of a rule that is written out for several kinds, the one for what it is given, and the values that were
        read to find out."""
        versions = self.game.versions.get(name, ())
        read: dict[int, ir.X] = {}
        if not versions or versions[0] not in rules:
            return name, read
        params = rules[name].params
        given = match_arguments(node.args, params, f"`{name}`", node.span)
        if isinstance(given, Misfit):
            return name, read
        wanted: list[str] = []
        for at, (arg, param) in enumerate(zip(given, params, strict=True)):
            if not param.either:
                continue
            x = self.default_of(param) if arg is None else self.expr(arg, scope)
            if arg is not None:
                read[at] = x
            kind = x.type.kind if isinstance(x.type, ThingOf | PieceOf) else ""
            if kind not in param.either:
                if x.type != ERROR and arg is not None and not isinstance(x.type, Maybe):
                    either = " or ".join(param.either)
                    message = (
                        f"`{name}` takes {either} as `{param.name}`, but `{arg.span.text.strip()}` is {say(x.type)}"
                    )
                    self.error("RS204", message, arg.span, f"expected {either}")
                    read[at] = self.bad(arg.span)
                kind = param.either[0]
            wanted.append(kind)
        for version in versions:
            own = [_kind_named(p) for p in rules[version].params if p.either] if version in rules else []
            if own == wanted:
                return version, read
        return name, read

    def arguments(
        self, node: n.Call, params: Sequence[ir.Var], scope: Scope, what: str, read: Mapping[int, ir.X] | None = None
    ) -> tuple[ir.X, ...] | None:
        """What a call gives to each parameter; `read` are those that were read already."""
        given = match_arguments(node.args, params, what, node.span)
        if isinstance(given, Misfit):
            self.error("RS202", given.message, given.span, given.label, given.hint)
            return None
        out: list[ir.X] = []
        misfits: list[tuple[n.Expr, ir.X, ir.Var]] = []
        for at, (arg, param) in enumerate(zip(given, params, strict=True)):
            if arg is None:
                said = {p.ident: value for p, value in zip(params, out, strict=False)}
                default = self.default_of(param)
                if not self._can_write_out(default, node.span):
                    return None
                written = ir.substitute(default, said)
                if not self._can_write_out(written, node.span):
                    return None
                out.append(written)
                continue
            wanted = param.declared or param.type  # a callee may have moved it since
            x = read[at] if read and at in read else self.expr(arg, scope, wanted)
            if not fits(x.type, wanted):
                misfits.append((arg, x, param))
                x = self.bad(arg.span)
            out.append(x)
        if not self._swapped(node, misfits, what):
            for arg, x, param in misfits:
                self._misfit(arg, x, param, scope, what)
        return tuple(out)

    def _swapped(self, node: n.Call, misfits: Sequence[tuple[n.Expr, ir.X, ir.Var]], what: str) -> bool:
        """Whether two values of a call stand in each other's place; that is said once."""
        if len(misfits) != 2:
            return False
        (arg, x, param), (other, y, other_param) = misfits
        wanted, other_wanted = param.declared or param.type, other_param.declared or other_param.type
        if ERROR in (wanted, other_wanted) or not (fits(x.type, other_wanted) and fits(y.type, wanted)):
            return False
        span, text = node.span, node.span.source.text
        first, second = sorted((arg.span, other.span), key=lambda s: s.start)
        between = text[first.end : second.start]
        call = (
            f"{text[span.start : first.start]}{second.text}{between}{first.text}{text[second.end : span.end]}".strip()
        )
        self.error(
            "RS204",
            f"these two are swapped: {what} takes {say(wanted)} as `{param.name}` and {say(other_wanted)} as "
            f"`{other_param.name}`",
            span.source.span(first.start, second.end),
            "the other way round",
            f"write `{call}`" if "\n" not in call else None,
        )
        return True

    def _misfit(self, arg: n.Expr, x: ir.X, param: ir.Var, scope: Scope, what: str) -> None:
        """Report a value of a call that is not what the rule takes."""
        wanted = param.declared or param.type
        if isinstance(x.type, Maybe) and fits(x.type.element, wanted):
            self.must(x, wanted, arg.span)
            return
        others = [v for v in scope.names.values() if fits(v.type, wanted) and v.type != ERROR]
        hint = f"did you mean `{others[0].name}`?" if len(others) == 1 else None
        hint = self.members.fitting_of(arg, x.type, wanted) or hint
        hint = self._standing_there(arg, x, wanted, scope) or hint
        if wanted == INT and x.type == ListOf(INT):
            hint = f"write `sum({arg.span.text.strip()})` for their total; one die is `roll d6 as ...`"
        self.error(
            "RS204",
            f"{what} takes {say_wanted(wanted, x.type)} as `{param.name}`, "
            f"but `{arg.span.text.strip()}` is {say_wanted(x.type, wanted)}",
            arg.span,
            f"expected {say_wanted(wanted, x.type)}",
            hint,
        )

    def _standing_there(self, arg: n.Expr, x: ir.X, wanted: Type, scope: Scope) -> str | None:
        """What to write where something has to stand in a sort of place, and is given wherever it stands."""
        if not isinstance(wanted, ThingOf | PieceOf) or not isinstance(x.type, ThingOf | PieceOf):
            return None
        if not wanted.holder or x.type.holder or x.type.kind != wanted.kind:
            return None
        holds = self.game.kinds[wanted.holder].holds.values()
        place = next((f"{wanted.holder}.{each.name}" for each in holds if each.kind.name == wanted.kind), None)
        said = arg.span.text.strip()
        if place is None:
            return None
        if said in scope.names:
            return f"test first where it stands: `{said} in {place}`"
        return f"ask it of what stands there: `every x in {place}[it == {said}]: ...`"

    def _can_write_out(self, default: ir.X, span: Span) -> bool:
        """Whether what a call leaves out may still be written into it: defaults that ask for defaults double at each
        turn. Told once; a game that has come so far is refused as a whole."""
        was_told = self._left_out > MOST_LEFT_OUT
        self._left_out += self._extent(default)
        if self._left_out <= MOST_LEFT_OUT:
            return True
        if not was_told:
            message = "what the calls of this game leave out takes too long to work out"
            hint = "say it in the call, or let what is meant if nobody says ask for less"
            self.error("RS014", message, span, "too long here", hint)
        return False

    def _extent(self, x: ir.X) -> int:
        """How many parts an expression has; what is in it several times counts each time."""
        known = self._extents.get(id(x))
        if known is None:
            total = 1
            todo = [getattr(x, name) for name, _ in ir.inner_fields(x.__class__)]
            while todo:
                inner = todo.pop()
                if isinstance(inner, ir.X):
                    total += self._extent(inner)
                elif isinstance(inner, tuple):
                    todo.extend(inner)
            known = self._extents[id(x)] = (total, x)  # kept, so that its number stays its own
        return known[0]

    def default_of(self, param: ir.Var) -> ir.X:
        """What a parameter is where a call does not say; read when it is first needed."""
        if param.default is not None:
            return param.default
        pending = self.defaults[param.ident]
        if pending in self._reading:
            message = f"what `{param.name}` is if nobody says depends on itself"
            self.error("RS201", message, pending.node.span, "", "give it a value that needs no call of this rule")
            return self.bad(pending.node.span)
        self._reading.append(pending)
        scope = Scope()
        scope.names = {before.name: before for before in pending.before}
        with self.desk.speaking(pending.origin, pending.cites):
            param.default = self.expressions.typed(pending.node, scope, param.declared or param.type)
        self._reading.pop()
        return param.default

    def _table_call(self, node: n.Call, name: str, scope: Scope) -> ir.X:
        table = self.game.tables[name]
        args = node.args
        shift: ir.X | None = None
        last = args[-1] if args else None
        is_two = len(table.params) == 2
        if is_two and isinstance(last, n.NamedArg) and last.name.text == "shift" not in [p.name for p in table.params]:
            shift = self.expressions.number(last.value, scope)
            args = args[:-1]
        elif is_two and len(args) == 3 and last is not None and not isinstance(last, n.NamedArg):
            shift = self.expressions.number(last, scope)
            args = args[:-1]
        bound = self.arguments(n.Call(node.function, args, span=node.span), table.params, scope, f"`{name}`")
        if bound is None:
            return self.bad(node.span)
        return ir.TableX(table.type, node.span, table, bound, shift)

    def _builtin(self, node: n.Call, name: str, scope: Scope) -> ir.X:
        span = node.span
        if not node.args:
            self.error("RS202", f"`{name}` takes at least one value", span)
            return self.bad(span)
        if name == "steps":
            return self._steps(node, scope)
        if name == "matching":
            return self._matching(node, scope)
        args = tuple(self.expr(a, scope) for a in node.args)
        if any(a.type == ERROR for a in args):
            return self.bad(span)
        first = args[0]
        element = element_of(first.type)
        one = len(args) == 1
        match name:
            case "count" | "size" if one and element is not None:
                return ir.BuiltinX(INT, span, "count", args)
            case "sum" if one and element == INT:
                return ir.BuiltinX(INT, span, name, args)
            case "max" | "min":
                if one and element == INT:
                    return ir.BuiltinX(INT, span, name, args)
                if not one:
                    numbers = tuple(self.must(a, INT, a.span) for a in args)
                    return ir.ArithX(INT, span, name, numbers)
            case "abs" if one and first.type == INT:
                return ir.BuiltinX(INT, span, name, args)
            case "only" if one and isinstance(first.type, SetOf | ListOf | Pile) and element is not None:
                return ir.BuiltinX(element, span, name, args)
            case "first" | "last" | "top" | "bottom" if one and isinstance(first.type, SetOf | ListOf):
                assert element is not None
                which = {"top": "first", "bottom": "last"}.get(name, name)
                return ir.BuiltinX(Maybe(element), span, which, args)
            case "next" | "previous" if one and isinstance(first.type, ThingOf):
                return ir.BuiltinX(Maybe(ThingOf(first.type.kind)), span, name, args)
            case "number" if one and isinstance(first.type, ThingOf):
                return ir.BuiltinX(INT, span, name, args)
            case "reasons" if one and isinstance(first, ir.CallX) and first.function.form == "value":
                return ir.BuiltinX(TEXT, span, name, args)
            case "label" if one and isinstance(first.type, ThingOf | PieceOf):
                return ir.BuiltinX(TEXT, span, name, args)
            case "sorted" if one and first.type == ListOf(INT):
                return ir.BuiltinX(first.type, span, name, args)
            case "taken" if len(args) == 2 and isinstance(args[1].type, ListOf) and first.type == INT:
                return ir.BuiltinX(args[1].type, span, name, args)
            case "known" if one and isinstance(first.type, Maybe):
                return ir.CompareX(BOOL, span, "!=", first, ir.Lit(NOTHING, span, None))
        self.error("RS204", f"`{name}` does not take {say(first.type)} ({BUILTINS[name]})", span)
        return self.bad(span)

    def _steps(self, node: n.Call, scope: Scope) -> ir.X:
        """``steps(march(t), r)``"""
        if len(node.args) == 2:
            route = self.expr(node.args[0], scope)
            if route.type == ERROR:
                return self.bad(node.span)
            if isinstance(route, ir.RouteX):
                target = self.expressions.typed(node.args[1], scope, ThingOf(route.route.kind.name))
                return ir.RouteX(Maybe(INT), node.span, route.route, route.args, target)
        self.error("RS204", "`steps` takes a route and a space: `steps(march(t), r)`", node.span)
        return self.bad(node.span)

    def _matching(self, node: n.Call, scope: Scope) -> ir.X:
        """``matching(rolled, r.tiles[side == s], hits_on)``: the last names an attribute of the pieces."""
        if len(node.args) == 3:
            dice = self.expressions.typed(node.args[0], scope, ListOf(INT))
            pile = self.expr(node.args[1], scope)
            if pile.type == ERROR:
                return self.bad(node.span)
            element = element_of(pile.type)
            if isinstance(element, PieceOf | ThingOf):
                inside = scope.inner()
                var = self.var("it", element, "element")
                inside.elements.append(var)
                score = self.expr(node.args[2], inside)
                if score.type in (INT, SetOf(INT), ERROR):
                    return ir.AggregateX(INT, node.span, "matching", ((var, pile),), score, dice)
        self.error("RS204", "`matching` takes a list of dice, pieces, and the number (or set) they score on", node.span)
        return self.bad(node.span)

    def _quantified(self, node: n.ForCall, name: str) -> str | None:
        """``any(u.moved for u in units)``: what is so of some or of all is a condition of its own."""
        word = {"any": "some", "all": "every"}.get(name)
        if word is None or node.condition is not None:
            return None
        over = ", ".join(picking.span.text.strip() for picking in node.pickings)
        return f"write `{word} {over}: {node.value.span.text.strip()}`"

    def for_call(self, node: n.ForCall, scope: Scope) -> ir.X:
        name = node.function.name if isinstance(node.function, n.NameExpr) else ""
        if name not in ("sum", "count", "max", "min", "set", "list"):
            self.error(
                "RS101",
                "only sum, count, max, min, set and list go over `for`",
                node.function.span,
                hint=self._quantified(node, name),
            )
            return self.bad(node.span)
        inside = scope.inner()
        picks = self.collections.pickings(node.pickings, inside)
        test = self.condition(node.condition, inside) if node.condition is not None else None
        if test is not None:
            inside = self.expressions.knowing(test, inside)
        value = self.expr(node.value, inside)
        if name in ("sum", "max", "min"):
            value = self.must(value, INT, node.value.span)
        if name == "count":
            value = self.must(value, BOOL, node.value.span)
        type_: Type = INT
        if name in ("set", "list"):
            if name == "set" and not isinstance(value.type, ThingOf) and value.type not in (INT, ERROR):
                self.mismatch("a thing or number", value.type, node.value.span)
                return self.bad(node.span)
            type_ = SetOf(bare(value.type)) if name == "set" else ListOf(value.type)
        return ir.AggregateX(type_, node.span, name, picks, value, test)


def leaves(block: n.Block) -> bool:
    """Whether a block never reaches its end."""
    return bool(block) and isinstance(block[-1], n.Return | n.Stop | n.EndGame)
