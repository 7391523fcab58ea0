"""How much work a rule can be at most, roughly, in looks at one thing.

Loops multiply what is inside them by how many they can go over; calls are followed. What is not known
from the text (how often a `repeat` goes round, how deep a rule calls itself) is not counted here: play
counts it as it goes, with these numbers as weights (`support.step`). A game whose rules can come to more
than `HEAVY` by loops alone has all its loops counted in play; others pay nothing.
"""

from __future__ import annotations

from rulescript.analysis.types import INT, ListOf, Pile, SetOf, ThingOf
from rulescript.compiler.effects import called, statements_in
from rulescript.compiler.walking import children
from rulescript.model import game as m
from rulescript.model import ir

__all__ = ["HEAVY", "Work"]

HEAVY = 50_000_000
MOST = 10**15
LIST = 1_000
ROUNDS = 100


def waits(block: ir.Block) -> bool:
    """Whether a block may stop for a decision, itself or in what it calls."""
    seen: set[int] = set()
    todo = [block]
    while todo:
        for statement in statements_in(todo.pop()):
            if isinstance(statement, ir.ChooseS | ir.TogetherS):
                return True
            for procedure in called(statement):
                if id(procedure) not in seen:
                    seen.add(id(procedure))
                    todo += [procedure.block, *(h.block for h in (*procedure.before, *procedure.after))]
    return False


class Work:
    """Estimates for one game, remembered per rule."""

    def __init__(self, game: m.Game) -> None:
        self.game = game
        self._rules: dict[int, int] = {}

    @property
    def is_heavy(self) -> bool:
        """Whether some rule could go over so much that play should count."""
        if self.game.is_heavy is None:
            self.game.is_heavy = self._is_heavy()
        return self.game.is_heavy

    def _is_heavy(self) -> bool:
        game = self.game
        rules = [
            self.heaviest(p.block) if p.form == "sequence" else self.procedure(p) for p in game.procedures.values()
        ]
        rules += [self.procedure(p) for k in game.kinds.values() for t in k.things for p in t.does.values()]
        rules += [self.function(f) for f in game.functions.values()]
        rules += [self.x(c) for i in game.invariants for c in i.conditions]
        rules += [self.x(c) for _, conditions in game.checks for c in conditions]
        return max(rules, default=0) > HEAVY

    def heaviest(self, block: ir.Block) -> int:
        """The most work of one step of the sequence. Its rounds are counted in play, and it asks somebody in nearly
        all of them, so they are not multiplied here."""
        return max((self._step(s) for s in block), default=0)

    def _step(self, statement: ir.S) -> int:
        match statement:
            case ir.ForS(source=x, block=block) | ir.EachS(source=x, block=block):
                return max(self.x(x), self.heaviest(block))
            case ir.RepeatS(condition=condition, block=block):
                return max(self.x(condition) if condition is not None else 1, self.heaviest(block))
            case ir.IfS(condition=x, then=then, otherwise=otherwise):
                return max(self.x(x), self.heaviest(then), self.heaviest(otherwise))
        return self._statement(statement)

    def weight(self, block: ir.Block, most: int) -> int:
        """What one round of a block counts in play; never so much that an honest loop runs out."""
        return max(1, min(self.block(block), most))

    def size(self, x: ir.X) -> int:
        """How many members an expression can have."""
        match x:
            case ir.RangeX(low=low, high=high):
                return high - low + 1
            case ir.SetX(items=items) | ir.ListX(items=items):
                return len(items)
            case ir.FilterX(source=source) | ir.MostX(source=source):
                return self.size(source)
            case ir.AggregateX(function="list", picks=picks):
                total = 1
                for _, source in picks:
                    total = min(total * self.size(source), MOST)
                return total
        match x.type:
            case SetOf(ThingOf(kind)) | ListOf(ThingOf(kind)):
                return self.game.kinds[kind].size
            case Pile(kind):
                return self.game.kinds[kind].size * 2
            case SetOf(element) if element == INT:
                return LIST
        return LIST if isinstance(x.type, ListOf) else 1

    def x(self, x: ir.X) -> int:
        """The work of working out an expression once."""
        match x:
            case ir.FilterX(source=source, condition=condition):
                total = self.x(source) + self.size(source) * self.x(condition)
            case ir.MostX(source=source, by=by):
                total = self.x(source) + self.size(source) * self.x(by)
            case ir.QuantX(picks=picks, condition=condition):
                total = self._picks(picks, self.x(condition))
            case ir.AggregateX(picks=picks, value=value, condition=test):
                total = self._picks(picks, self.x(value) + (self.x(test) if test is not None else 0))
            case ir.CallX(function=function, args=args):
                total = self.function(function) + sum(self.x(a) for a in args)
            case ir.RouteX(route=route, args=args):
                total = self.route(route) + sum(self.x(a) for a in args)
            case _:
                total = 1 + sum(self.x(child) for child in children(x))
        return min(total, MOST)

    def _picks(self, picks: tuple[tuple[ir.Var, ir.X], ...], inside: int) -> int:
        total, times = 0, 1
        for _, source in picks:
            total += times * self.x(source)
            times = min(times * self.size(source), MOST)
        return total + times * inside

    def function(self, function: m.Function) -> int:
        if id(function) not in self._rules:
            self._rules[id(function)] = 1  # while we look: what a rule asks of itself is counted in play
            total = self.block(function.block) + sum(self.x(c.condition) for c in function.clauses)
            for layer in function.adjustments:
                total += self.x(layer.value) + (self.x(layer.condition) if layer.condition is not None else 0)
            self._rules[id(function)] = min(total, MOST)
        return self._rules[id(function)]

    def route(self, route: m.Route) -> int:
        if id(route) not in self._rules:
            self._rules[id(route)] = 1
            tests = sum(self.x(c.condition) for rule in route.rules for c in rule.clauses)
            if route.cost is not None:
                tests += 8 * self.x(route.cost[1])
            self._rules[id(route)] = min(route.kind.size * (4 + tests) + self.x(route.start), MOST)
        return self._rules[id(route)]

    def procedure(self, procedure: m.Procedure) -> int:
        if id(procedure) not in self._rules:
            self._rules[id(procedure)] = 1
            total = self.block(procedure.block)
            for hook in (*procedure.before, *procedure.after):
                total += self.block(hook.block)
            self._rules[id(procedure)] = min(total, MOST)
        return self._rules[id(procedure)]

    def block(self, block: ir.Block) -> int:
        """The work of a block, its loops gone through once as far as the text says."""
        return min(sum(self._statement(s) for s in block), MOST)

    def _statement(self, statement: ir.S) -> int:
        match statement:
            case ir.ForS(source=source, block=block) | ir.EachS(source=source, block=block):
                return self.x(source) + self.size(source) * self.block(block)
            case ir.RepeatS(condition=condition, block=block):
                once = (self.x(condition) if condition is not None else 1) + self.block(block)
                return once if waits(block) else ROUNDS * once
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                return self.x(condition) + self.block(then) + self.block(otherwise)
            case ir.ChooseS(alts=alts):
                total = 1
                for alt in alts:
                    tests = 1 + sum(self.x(clause.condition) for clause in alt.clauses)
                    total += self._picks(alt.picks, tests) + self.block(alt.block)
                return total
            case ir.TogetherS(branches=branches):
                return self.block(branches)
            case ir.CallS(procedure=procedure, args=args):
                return self.procedure(procedure) + sum(self.x(a) for a in args)
            case ir.DoesS(kind=kind, name=name):
                return 1 + max((self.procedure(t.does[name]) for t in kind.things if name in t.does), default=0)
            case ir.SignalS(signal=signal):
                return 1 + (self.procedure(signal.procedure) if signal.procedure is not None else 0)
            case ir.LetS(value=value) | ir.AssignS(value=value):
                return 1 + self.x(value)
            case ir.MoveS(what=what):
                return 1 + self.x(what)
            case ir.ReturnS(value=ir.X() as given):
                return self.x(given)
        return 1
