"""Expressions worked out on demand, for explanations, examples and tools.

In come expressions of the checked model (or text), the flat state of a position, and values for names; out
come raw values, as the generated code holds them. The game's own compiler makes the Python, over a layout of
its own that puts everything in the same slots, so an explanation never sees the rules as play does not.

    >>> evaluate_text(position, "count(Mill.units)")                      # doctest: +SKIP
    5

Names bound by the rule that is waiting (its parameters, `let`s, and what was picked before) are read from the
slots they live in, unless the caller gives values for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from rulescript.compiler.code import Lambda, Name, Slot
from rulescript.compiler.emit import Page, python
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.lowering import Lowering
from rulescript.errors import BadExpression
from rulescript.explain.open_expressions import OpenExpressions
from rulescript.locks import one_at_a_time
from rulescript.machine import effort, tables
from rulescript.machine.names import machine_names
from rulescript.model import ir
from rulescript.model.parts import ANY_RULE, asked_in, rule_keys
from rulescript.model.traverse import children
from rulescript.model.types import (
    BOOL,
    ERROR,
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
)  # fmt: skip
from rulescript.runtime.views import knows_question

if TYPE_CHECKING:
    from rulescript.analysis.analyse import Analysis
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["Evaluator", "evaluate_text", "evaluator_of", "free_locals"]

FIRST_VAR = 1 << 24
# So many texts that were asked for are kept.
MOST_READ = 1_000
KEPT = 4096


_BINDING = (ir.FilterX, ir.MostX, ir.QuantX, ir.AggregateX)


def _bound_here(x: ir.X) -> set[int]:
    """The names an expression binds itself, by number."""
    match x:
        case ir.FilterX(var=var) | ir.MostX(var=var):
            return {var.ident}
        case ir.QuantX(picks=picks) | ir.AggregateX(picks=picks):
            return {var.ident for var, _ in picks}
    return set()


def free_locals(x: ir.X) -> dict[int, ir.Var]:
    """The names an expression takes from outside, by number."""
    found: dict[int, ir.Var] = {}
    todo: list[tuple[ir.X, frozenset[int]]] = [(x, frozenset())]
    while todo:
        node, bound = todo.pop()
        if isinstance(node, ir.Local):
            if node.var.ident not in bound:
                found[node.var.ident] = node.var
            continue
        inner = children(node)
        if inner:
            inside = bound | _bound_here(node) if isinstance(node, _BINDING) else bound
            todo += [(child, inside) for child in inner]
    return found


_evaluators: WeakKeyDictionary[Game, Evaluator] = WeakKeyDictionary()


@one_at_a_time
def evaluator_of(game: Game) -> Evaluator:
    """The one evaluator of a game: what it compiled once it keeps."""
    found = _evaluators.get(game)
    if found is None:
        found = _evaluators[game] = Evaluator(game)
    return found


def evaluate_text(position: Position, text: str) -> Any:
    """The raw value of an expression of the game's language, as the position stands."""
    evaluator = evaluator_of(position.game)
    return evaluator.value(evaluator.read(text, evaluator.names_at(position)), position.s)


class Evaluator:
    """Works out pure expressions of one game. `value` is the way in; the rest serves it or its callers."""

    def __init__(self, game: Game) -> None:
        # The model and its data, not the game: the table above must not keep a game alive.
        self.model = game.model
        self.data = game.data
        self.values = game.values
        self.lower = self._lowering()
        self.lower.rule.is_plain = True
        self.scope: dict[str, Any] = machine_names()
        self.is_open = OpenExpressions(self.model, self.data.var_slots)
        self._done = 0
        self._cache: dict[tuple[int, bool, frozenset[int]], tuple[ir.X, Callable[..., Any], frozenset[str]]] = {}
        self._keys: dict[int, str] | None = None
        # The rules that were asked for, as model/parts.py calls them.
        self.asked: set[str] = set()
        self._lists: dict[int, tuple[ir.X, ir.X]] = {}
        self._vars = FIRST_VAR
        self._once: dict[tuple[str, tuple[tuple[str, int], ...]], ir.X | BadExpression] = {}

    def _lowering(self) -> Lowering:
        return Lowering(self.model, Layout(self.model))

    # -------------------------------------------------------------- values

    @one_at_a_time
    def value(self, x: ir.X, state: list[Any], env: Mapping[int, Any] | None = None, any_order: bool = False) -> Any:
        """The raw value of an expression. `env` has values for names by the numbers of their `ir.Var`. `any_order`: of
        a list, nobody cares for the order.

        Errors of play (a division by zero, `only` of several) come through as they are; a name that has no
        value is a NameError."""
        given = dict(env or {})
        key = (id(x), any_order, frozenset(given))
        found = self._cache.get(key)
        if found is None or found[0] is not x:
            if len(self._cache) > KEPT:
                self._cache.clear()
            found = self._cache[key] = (x, self._compile(x, given, any_order), self._asked_in(x))
        self.asked |= found[2]
        effort.WORK.done = 0
        result = found[1](state, given)
        return bool(result) if x.type == BOOL else result

    def note_any_rule(self) -> None:
        """Something was looked up in the whole game: what comes of it may depend on any rule."""
        self.asked.add(ANY_RULE)

    def _asked_in(self, x: ir.X) -> frozenset[str]:
        if self._keys is None:
            self._keys = rule_keys(self.model)
        return asked_in(x, self._keys)

    def holds(self, x: ir.X, state: list[Any], env: Mapping[int, Any] | None = None) -> bool:
        return bool(self.value(x, state, env))

    def clause_holds(self, clause: ir.Clause, state: list[Any], env: Mapping[int, Any] | None = None) -> bool:
        """Whether a requirement is met, with what limits it and what lifts it."""
        for when, _ in clause.lifted:
            if when is None or self.holds(when, state, env):
                return True
        if clause.when is not None and not self.holds(clause.when, state, env):
            return True
        return self.holds(clause.condition, state, env)

    @one_at_a_time
    def refs(self, source: ir.X, state: list[Any], env: Mapping[int, Any] | None = None) -> tuple[Any, ...]:
        """What can be taken out of a set, list or pile: numbers of things, pieces (those alike once)."""
        return tuple(dict.fromkeys(self.members(source, state, env)))

    @one_at_a_time
    def members(self, source: ir.X, state: list[Any], env: Mapping[int, Any] | None = None) -> tuple[Any, ...]:
        """The same, those alike as often as they are there."""
        match source.type:
            case SetOf():
                return tuple(tables.BITS[self.value(source, state, env)])
            case ListOf():
                return tuple(self.value(source, state, env, any_order=True))
            case Pile(kind, holder):
                # As a list: the compiler then finds the places the pieces stand in.
                element = PieceOf(kind, holder)
                listed = self._lists.get(id(source))
                if listed is None or listed[0] is not source:
                    self._vars += 1
                    var = ir.Var("each", element, "element", self._vars)
                    one = ir.Local(element, source.span, var)
                    made = ir.AggregateX(ListOf(element), source.span, "list", ((var, source),), one, None)
                    listed = self._lists[id(source)] = (source, made)
                return tuple(self.value(listed[1], state, env))
        raise AssertionError(source.type)

    def _compile(self, x: ir.X, given: Mapping[int, Any], any_order: bool) -> Callable[..., Any]:
        lower = self.lower
        lower.program.spent = 0
        lower.scope.begin_anew()
        env = lower.scope.env
        free = free_locals(x)
        slots = self.data.var_slots
        for ident in free:
            if ident in given:
                env[ident] = Name("E")[ident]
            elif ident in slots:
                env[ident] = Slot(slots[ident])
        code = lower.expressions.listed(x, any_order)
        self.scope.update(lower.constants.values)
        for name, table in lower.constants.nears.items():
            if name not in self.scope:
                self.scope[name] = tables.Near(self.scope[table])
        for memo in lower.program.memos:
            self.scope.setdefault(memo, {})
        page = Page()
        for function in lower.program.pure[self._done :]:
            page.function(function)
        self._done = len(lower.program.pure)
        if page.lines:
            exec(compile(page.text, "<explained>", "exec", dont_inherit=True), self.scope)
        made: Callable[..., Any] = eval(python(Lambda(("S", "E"), code)), self.scope)
        return made

    # -------------------------------------------------------------- texts

    @one_at_a_time
    def read(self, text: str, names: Mapping[str, ir.Var] | None = None, expected: Type | None = None) -> ir.X:
        """An expression from its text; BadExpression says what is wrong with it. `names` are further names it
        may use; `expected` tells things of the same name apart and must fit."""
        from rulescript.diagnostics import Reporter
        from rulescript.source import SourceFile
        from rulescript.syntax.parser import parse_expression

        source = SourceFile("(asked)", text, text)
        reporter = Reporter()
        node = parse_expression(source, 0, len(text), reporter)
        x: ir.X | None = None
        if node is not None:
            analysis, scope = self._analysis(reporter, names or {})
            with analysis.desk.speaking("(asked)"):
                x = analysis.expressions.expr(node, scope, expected)
            self._vars = analysis.desk.vars
        if x is None or reporter.has_errors or x.type == ERROR:
            found = reporter.diagnostics
            why = found[0].message if found else "it cannot be read"
            hint = found[0].hint if found else None
            raise BadExpression(f"`{text}` is no expression of this game: {why}", found, hint=hint)
        if expected is not None and not fits(x.type, expected):
            raise BadExpression(f"`{text}` is {say(x.type)}, but {say(expected)} is needed")
        return x

    @one_at_a_time
    def read_once(self, text: str, names: Mapping[str, ir.Var]) -> ir.X:
        """The same, of a text that is asked for again and again; nobody makes it a part of anything else."""
        key = (text, tuple((name, var.ident) for name, var in names.items()))
        known = self._once.get(key)
        if known is None:
            if len(self._once) >= MOST_READ:
                self._once.clear()
            try:
                known = self._once[key] = self.read(text, names)
            except BadExpression as problem:
                known = self._once[key] = problem
        if isinstance(known, BadExpression):
            raise known.with_traceback(None)
        return known

    def _analysis(self, reporter: Any, names: Mapping[str, ir.Var]) -> tuple[Analysis, Any]:
        from rulescript.analysis.analyse import Analysis
        from rulescript.analysis.scope import Scope

        analysis = Analysis(self.model, reporter)
        # Numbers of names must not meet those of the rules an expression is inlined with.
        analysis.desk.vars = self._vars
        return analysis, Scope(names=dict(names))

    def choice_at(self, block: int) -> tuple[Any, ir.ChooseS] | None:
        """The procedure and the choice behind a decision."""
        number = self.data.decisions[block].number
        return next(((p, c) for p, c in self.model.chooses if c.number == number), None)

    def names_at(self, position: Position, roles: Sequence[int] | None = None) -> dict[str, ir.Var]:
        """The names that have a value where a position waits: parameters, and what was picked before (of a choice
        that is not finished, only the one who makes it knows that: `roles` are those who ask). Who may not know what
        is asked hears no name of the rule that asks it."""
        found: dict[str, ir.Var] = {}
        choice = self.choice_at(position.d) if position.d else None
        if choice is None:
            return found
        if roles is not None and not knows_question(position.game, position.s, position.d, roles):
            return found
        procedure, choose = choice
        for var in procedure.params:
            found[var.name] = var
        info = self.data.decisions[position.d]
        before = {name for name, _, _ in info.previous}
        if roles is not None and position.decision is not None and position.decision.player_index not in roles:
            before = set()
        for alt in choose.alts:
            for var, _ in alt.picks:
                if var.name in before and alt.version == info.alts[0].version:
                    found[var.name] = var
        return {name: var for name, var in found.items() if var.ident in self.data.var_slots}

    # -------------------------------------------------------------- words

    def words(self, value: Any, type_: Type) -> str:
        """A raw value as people read it."""
        match type_:
            case ThingOf(kind):
                return str(self.data.kinds[kind].labels[value]) if value is not None else "nothing"
            case PieceOf(kind):
                return str(self.values.label(value, ["piece", kind]))
            case Maybe(element):
                return "nothing" if value is None else self.words(value, element)
            case Pile(kind):
                pile = self.values.pile(kind, value)
                return ", ".join(f"{n} {self.values.piece_label(kind, c)}" for c, n in pile) or "none"
            case SetOf(element):
                return ", ".join(self.words(i, element) for i in tables.BITS[value]) or "none"
            case ListOf(element):
                return ", ".join(self.words(i, element) for i in value) or "none"
        if type_ == BOOL:
            return "yes" if value else "no"
        return "nothing" if value is None else str(value)

    def count(self, value: Any, type_: Type) -> int:
        """How many a set, list or pile has."""
        match type_:
            case SetOf():
                return int(value).bit_count()
            case Pile(kind):
                return sum(n for _, n in self.values.pile(kind, value))
        return len(value)

    def element(self, type_: Type) -> Type:
        found = element_of(type_)
        assert found is not None
        return found
