"""How much work a rule can be at most, roughly, in looks at one thing; and what play counts of it.

Loops multiply what is inside them by how many they can go over; calls are followed. By these numbers play counts
work as it goes (`support.step`): a rule, a loop or a round of a `repeat` whose whole work can be more than `SMALL`
counts itself each time, with what it does apart from the rules and loops in it that count themselves (`once`). What is
smaller is counted by whoever asks for it. So no work goes uncounted for long, and most rules pay nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import children
from rulescript.model.types import INT, ListOf, Pile, SetOf, ThingOf

__all__ = ["SMALL", "Work"]

SMALL = 20_000
HUGE = 2_000_000
MOST = 10**15
LIST = 1_000
ROUNDS = 100
# A line of the journal is kept for good: it counts more than a look.
EVENT = 80
# What a rule or a loop that counts itself counts for whoever asks for it.
ASKED = 4
# What a call is, apart from what is done in it.
CALL = 4

_LOOPS = frozenset({ir.FilterX, ir.MostX, ir.QuantX, ir.AggregateX, ir.BuiltinX, ir.SomeX, ir.InX})


class Work:
    """Estimates for one game, remembered per rule."""

    def __init__(self, game: m.Game) -> None:
        self.game = game
        self._rules: dict[int, int] = {}
        self._expressions: dict[int, int] = {}
        self._seen: list[ir.X] = []

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
        found = self._expressions.get(id(x))
        if found is None:
            found = min(self._x(x, self.x), MOST)
            self._expressions[id(x)] = found
            self._seen.append(x)  # so that no other can come to have its id
        return found

    def _x(self, x: ir.X, part: Callable[[ir.X], int]) -> int:
        match x:
            case ir.FilterX(source=source, condition=condition):
                return part(source) + self.size(source) * part(condition)
            case ir.MostX(source=source, by=by):
                return part(source) + self.size(source) * part(by)
            case ir.QuantX(picks=picks, condition=condition):
                return self._picks(picks, part(condition), part)
            case ir.AggregateX(picks=picks, value=value, condition=test):
                return self._picks(picks, part(value) + (part(test) if test is not None else 0), part)
            case ir.CallX(function=function, args=args):
                return CALL + self.function(function) + sum([part(a) for a in args])
            case ir.RouteX(route=route, args=args):
                return self.route(route) + sum([part(a) for a in args])
            case ir.TableX(table=table):
                return 1 + len(table.rows) + sum([part(child) for child in children(x)])
        inner = sum([part(child) for child in children(x)])
        # What goes through a whole list does so quickly.
        return 1 + inner + sum([LIST // 10 for child in children(x) if isinstance(child.type, ListOf)])

    def _picks(self, picks: Sequence[tuple[ir.Var, ir.X]], inside: int, part: Callable[[ir.X], int]) -> int:
        total, times = 0, 1
        for _, source in picks:
            total = min(total + times * part(source), MOST)
            times = min(times * self.size(source), MOST)
        return total + times * inside

    # -------------------------------------------------------------- what is counted

    def once(self, x: ir.X) -> int:
        """What an expression is apart from the rules and loops in it that count themselves."""
        whole = self.x(x)
        if whole <= SMALL:
            return whole
        match x:
            case ir.FilterX() | ir.MostX() | ir.QuantX() | ir.AggregateX():
                return ASKED + sum([self.once(source) for source in _sources(x)])
            case ir.CallX() | ir.RouteX():
                return ASKED + sum([self.once(child) for child in children(x)])
        return min(self._x(x, self.once), MOST)

    def round(self, x: ir.X) -> int:
        """What each round of a loop counts; 0 if the whole loop is too small to count."""
        if x.__class__ not in _LOOPS or self.x(x) <= SMALL:
            return 0
        if isinstance(x, ir.BuiltinX | ir.SomeX | ir.InX):
            return ASKED
        sources = {id(source) for source in _sources(x)}
        return max(ASKED, sum([self.once(child) for child in children(x) if id(child) not in sources]))

    def steps(self, statements: ir.Block) -> int:
        """The same as `once` for statements."""
        return min(sum([self._step(s) for s in statements]), MOST)

    def _step(self, statement: ir.S) -> int:
        whole = self._statement(statement)
        if whole <= SMALL:
            return whole
        match statement:
            case ir.ForS(source=source) | ir.EachS(source=source):
                return ASKED + self.once(source)
            case ir.RepeatS():
                return ASKED
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                return self.once(condition) + self.steps(then) + self.steps(otherwise)
            case ir.ChooseS(alts=alts):
                return sum([ASKED + self.steps(alt.block) for alt in alts])
            case ir.TogetherS(branches=branches):
                return self.steps(branches)
            case ir.CallS(args=args) | ir.DoesS(args=args) | ir.SignalS(args=args):
                return ASKED + sum([self.once(a) for a in args])
            case ir.LetS(value=value) | ir.AssignS(value=value):
                return EVENT + self.once(value)
            case ir.ReturnS(value=ir.X() as given):
                return self.once(given)
        return whole

    def of_function(self, function: m.Function, calls_itself: bool) -> int:
        """What a call of a rule counts; 0 if it is counted by whoever asks."""
        if self.function(function) <= SMALL and not calls_itself:
            return 0
        layers = [layer.value for layer in function.adjustments]
        layers += [layer.condition for layer in function.adjustments if layer.condition is not None]
        layers += [clause.condition for clause in function.clauses]
        return CALL + self.steps(function.block) + sum([self.once(x) for x in layers])

    def of_route(self, route: m.Route) -> int:
        """What a search along a route counts. Its tests are asked of whole sets for the most part."""
        whole = self.route(route)
        return 0 if whole <= SMALL else max(ASKED, min(whole // 8, route.kind.size * 20))

    def of_procedure(self, procedure: m.Procedure, calls_itself: bool) -> int:
        if self.procedure(procedure) <= SMALL and not calls_itself:
            return 0
        blocks = [procedure.block, *(hook.block for hook in (*procedure.before, *procedure.after))]
        return CALL + sum([self.steps(block) for block in blocks])

    def of_loop(self, statement: ir.ForS | ir.EachS) -> int:
        """What each round of a loop over something counts; 0 if the whole loop is too small to count."""
        return 0 if self._statement(statement) <= SMALL else max(ASKED, self.steps(statement.block))

    def of_round(self, block: ir.Block) -> int:
        """What a round of a `repeat` counts."""
        return max(1, self.steps(block))

    # -------------------------------------------------------------- rules

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
                return ROUNDS * ((self.x(condition) if condition is not None else 1) + self.block(block))
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                return self.x(condition) + self.block(then) + self.block(otherwise)
            case ir.ChooseS(alts=alts):
                return 1 + sum([self.alternative(alt) + self.block(alt.block) for alt in alts])
            case ir.TogetherS(branches=branches):
                return self.block(branches)
            case ir.CallS(procedure=procedure, args=args):
                return CALL + self.procedure(procedure) + sum([self.x(a) for a in args])
            case ir.DoesS(kind=kind, name=name):
                return kind.size + max((self.procedure(t.does[name]) for t in kind.things if name in t.does), default=0)
            case ir.SignalS(signal=signal):
                return 1 + (self.procedure(signal.procedure) if signal.procedure is not None else 0)
            case ir.LetS(value=value):
                return 1 + self.x(value)
            case ir.ReturnS(value=ir.X() as given):
                return self.x(given)
            case ir.AssignS(value=value):
                return EVENT + self.x(value)
            case ir.MoveS(what=what):
                return EVENT + self.x(what) + self.size(what)
            case ir.DrawS(source=source):
                return EVENT + 4 * source.holds.kind.size
            case ir.LotS(source=source):
                return EVENT + 4 * self.size(source)
            case ir.ShuffleS(place=place):
                return EVENT + 4 * place.holds.kind.size
            case ir.RollS(amount=amount):
                return EVENT + (LIST // 4 if amount is not None and not isinstance(amount, ir.Lit) else 0)
            case ir.TellS(text=text):
                return EVENT + self.x(text)
            case ir.StopS() | ir.DocS():
                return 1
        return EVENT

    def alternative(self, alt: ir.Alt) -> int:
        """The work of listing the options of an alternative."""
        tests = 1 + sum([self.x(clause.condition) for clause in alt.clauses])
        return min(self._picks(alt.picks, tests, self.x), MOST)

    def of_choice(self, choose: ir.ChooseS) -> int:
        """What listing the options of a choice counts: where it is asked, work is counted anew after it."""
        whole = sum([self.alternative(alt) for alt in choose.alts])
        return 0 if whole <= SMALL else (whole if whole <= HUGE else SMALL) // 8

    def is_huge(self, choose: ir.ChooseS) -> bool:
        """Whether listing the options is so much that the loops in it are counted one by one."""
        return sum([self.alternative(alt) for alt in choose.alts]) > HUGE

    def round_of_alternative(self, alt: ir.Alt) -> int:
        """What each option looked at counts where the loops are counted one by one."""
        return max(ASKED, sum([self.once(clause.condition) for clause in alt.clauses]))


def _sources(x: ir.X) -> list[ir.X]:
    """What a loop goes over."""
    match x:
        case ir.FilterX(source=source) | ir.MostX(source=source):
            return [source]
        case ir.QuantX(picks=picks) | ir.AggregateX(picks=picks):
            return [source for _, source in picks]
    return []
