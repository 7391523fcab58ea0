"""How much work a rule can be at most, roughly, in looks at one thing; and what play counts of it.

Loops multiply what is inside them by how many they can go over; calls are followed. By these numbers play counts
work as it goes (`effort.step`): a rule, a loop or a round of a `repeat` whose whole work can be more than `SMALL`
counts itself each time, with what it does apart from the rules and loops in it that count themselves (`once`). What is
smaller is counted by whoever asks for it. So no work goes uncounted for long, and most rules pay nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulescript.circles import circles
from rulescript.machine.values import LONGEST
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called
from rulescript.model.traverse import children, expressions_of, own_expressions, statements_in, walk
from rulescript.model.types import INT, TEXT, ListOf, Pile, SetOf, ThingOf

__all__ = ["SAID", "SMALL", "Work"]

SMALL = 20_000
HUGE = 2_000_000
MOST = 10**15
# A list that rules make can grow to this; one that a place holds has each thing once.
LIST = LONGEST
# What a set of numbers can have, and how many words of memory make a look where whole sets are joined or compared.
NUMBERS = 1_000
WORDS = 32
ROUNDS = 100
# A line of the journal is kept for good: it counts more than a look.
EVENT = 80
# What a rule or a loop that counts itself counts for whoever asks for it.
ASKED = 4
# What a call is, apart from what is done in it.
CALL = 4
# What it is to put a member of something into words.
SAID = 4

_Rule = m.Function | m.Route | m.Procedure
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
            case ir.BuiltinX(name="sorted", args=args):
                return self.size(args[0])
            case ir.BuiltinX(name="taken", args=args):
                return self.size(args[1])
            case ir.ContentsX(type=ListOf(), holds=holds):
                return holds.kind.size
            case ir.BuiltinX(type=ListOf(ThingOf(kind)), name="seats"):
                return self.game.kinds[kind].size
        match x.type:
            case SetOf(ThingOf(kind)):
                return self.game.kinds[kind].size
            case Pile(kind):
                return self.game.kinds[kind].size * 2
            case SetOf(element) if element == INT:
                return NUMBERS
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
                inside = part(value) + (part(test) if test is not None else 0)
                return self._picks(picks, inside + self._member(x), part)
            case ir.TemplateX():
                # Lists and sets of numbers are counted in play as they are long.
                several = [c for c in children(x) if isinstance(c.type, SetOf | Pile) and c.type != SetOf(INT)]
                return 1 + sum([part(c) for c in children(x)]) + SAID * sum([self.size(c) for c in several])
            case ir.CallX(function=function, args=args):
                return CALL + self.function(function) + sum([part(a) for a in args])
            case ir.RouteX(route=route, args=args):
                return self.route(route) + sum([part(a) for a in args])
            case ir.TableX(table=table):
                return 1 + len(table.rows) + sum([part(child) for child in children(x)])
        return 1 + sum([part(child) + self._wide(child) for child in children(x)])

    def _wide(self, x: ir.X) -> int:
        """What it is to go through a whole value at once. Lists of any length are counted in play as they are long
        (`effort.through`)."""
        match x.type:
            case SetOf(ThingOf(kind)):
                return self.game.kinds[kind].size // (64 * WORDS)
            case Pile(kind):
                return self.game.kinds[kind].size * 2 // WORDS
            case SetOf():
                return 2
            case ListOf():
                return ASKED + (self.size(x) // 4 if isinstance(x, ir.ContentsX | ir.ListX) else 0)
        return 2 if x.type == TEXT else 0

    def _member(self, x: ir.AggregateX) -> int:
        """What it is to put one more into what is made."""
        match x.type:
            case SetOf(ThingOf(kind)) if x.function == "set":
                return ASKED + self.game.kinds[kind].size // (4 * WORDS)
            case SetOf() if x.function == "set":
                return 3 * ASKED
        return ASKED if x.function == "list" else 0

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
        member = self._member(x) if isinstance(x, ir.AggregateX) else 0
        return max(ASKED, sum([self.once(child) for child in children(x) if id(child) not in sources])) + member

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
        return min(self._leaf(statement, self.once), MOST)

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

    def of_a_step(self, route: m.Route) -> int:
        """What each space that a search comes to counts, where it asks step by step."""
        tests = [self.once(clause.condition) for each in route.rules for clause in each.clauses]
        price = self.once(route.cost[1]) if route.cost is not None else 0
        return 4 * ASKED + route.kind.size // (2 * WORDS) + sum(tests) + price

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
        return ASKED + self.steps(block)

    # -------------------------------------------------------------- rules

    def function(self, function: m.Function) -> int:
        return self._rule(function)

    def route(self, route: m.Route) -> int:
        return self._rule(route)

    def procedure(self, procedure: m.Procedure) -> int:
        return self._rule(procedure)

    def _rule(self, rule: _Rule) -> int:
        """The work of a rule. What it asks and calls is looked at before it, however long the chain."""
        if id(rule) not in self._rules:
            for circle in circles([rule], self._not_yet_known):
                for member in circle.members:
                    if id(member) not in self._rules:
                        self._rules[id(member)] = 1  # while we look: what a rule asks of itself is counted in play
                        self._rules[id(member)] = min(self._whole(member), MOST)
        return self._rules[id(rule)]

    def _not_yet_known(self, rule: _Rule) -> list[_Rule]:
        """What a rule asks and calls, as far as it matters."""
        return [] if id(rule) in self._rules else _asked_by(rule)

    def _whole(self, rule: _Rule) -> int:
        match rule:
            case m.Function():
                total = self.block(rule.block) + sum(self.x(clause.condition) for clause in rule.clauses)
                for layer in rule.adjustments:
                    total += self.x(layer.value) + (self.x(layer.condition) if layer.condition is not None else 0)
                return total
            case m.Route():
                tests = sum(self.x(clause.condition) for each in rule.rules for clause in each.clauses)
                if rule.cost is not None:
                    tests += 8 * self.x(rule.cost[1])
                return rule.kind.size * (4 + tests) + self.x(rule.start)
        return sum(self.block(block) for block in rule.blocks)

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
        return self._leaf(statement, self.x)

    def _leaf(self, statement: ir.S, part: Callable[[ir.X], int]) -> int:
        """A statement that has no others in it."""
        inner = sum([part(x) for x in _expressions(statement)])
        match statement:
            case ir.StopS() | ir.DocS():
                return 1
            case ir.LetS() | ir.ReturnS():
                return 1 + inner
            case ir.MoveS(what=what):
                return EVENT + inner + self.size(what)
            case ir.DrawS(source=source):
                return EVENT + inner + 4 * source.holds.kind.size
            case ir.LotS(source=source):
                return EVENT + inner + 4 * self.size(source)
            case ir.ShuffleS(place=place):
                return EVENT + inner + 12 * place.holds.kind.size
        return EVENT + inner  # dice are counted as they are rolled

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

    def round_of_options(self, conditions: Sequence[ir.X]) -> int:
        """What each option looked at counts where the loops are counted one by one."""
        return max(ASKED, sum([self.once(condition) for condition in conditions]))


def _asked_by(rule: _Rule) -> list[_Rule]:
    """The rules that a rule asks or calls itself."""
    found: list[_Rule] = []
    if isinstance(rule, m.Procedure):
        statements = [s for block in rule.blocks for s in statements_in(block)]
        asked = [x for statement in statements for x in own_expressions(statement)]
        found += [each for statement in statements for each in called(statement)]
    else:
        asked = expressions_of(rule)
    for node in (node for x in asked for node in walk(x)):
        match node:
            case ir.CallX(function=function):
                found.append(function)
            case ir.RouteX(route=route):
                found.append(route)
    return found


def _expressions(statement: ir.S) -> list[ir.X]:
    """What a statement has to have worked out."""
    found = []
    for name, is_many in ir.inner_fields(statement.__class__):
        held = getattr(statement, name)
        found += [x for x in (held if is_many else (held,)) if isinstance(x, ir.X)]
    return found


def _sources(x: ir.X) -> list[ir.X]:
    """What a loop goes over."""
    match x:
        case ir.FilterX(source=source) | ir.MostX(source=source):
            return [source]
        case ir.QuantX(picks=picks) | ir.AggregateX(picks=picks):
            return [source for _, source in picks]
    return []
