"""Requirements that read what their chooser may not see: the list of options would give it away.

For every place a requirement (or the list of candidates itself) looks into, two questions: how much of it
must be seen to answer (that there is something, how many, what), and how much the chooser is sure to see.
The second is read off the place's visibility lines, with the owner put in for `it`. A line holds for sure
when whom it names is the same expression as who chooses, or is known to be equal from the requirements
and filters around it. Where nothing is sure, the chooser is one of the others.

Calls are looked through, with the arguments put in for the parameters. `peeks` on a requirement says that
the rulebook really lets the player look; it also covers the candidates of its own alternative.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import Factory, define

from rulescript.analysis.checks.looking import fields_of, parts_in, rule_line, same
from rulescript.analysis.rules import substitute
from rulescript.analysis.types import SetOf
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.source import Span

__all__ = ["check_hidden_information"]

LEVELS = ("hidden", "nonempty", "count", "order", "top", "visible")
_SAYS = {"hidden": "nothing of it", "nonempty": "whether it is empty", "count": "how many there are"}
MOST_CALLS = 12


def check_hidden_information(game: m.Game, reporter: Reporter) -> None:
    """No list of options gives away what is hidden from the one who chooses."""
    for _, choose in game.chooses:
        chooser = choose.by
        if choose.any_of and choose.chooser_var is not None:
            chooser = ir.Local(choose.chooser_var.type, choose.span, choose.chooser_var)
        for alt in choose.alts:
            _alternative(game, reporter, alt, chooser)
    for aside in game.asides:
        _alternative(game, reporter, aside.alt, aside.by)


def _alternative(game: m.Game, reporter: Reporter, alt: ir.Alt, chooser: ir.X) -> None:
    knows = Knows(chooser)
    sources = [source for _, source in alt.picks]
    if alt.many is not None:
        sources.append(alt.many[3])
    for clause in alt.clauses:
        knows.learn(clause.condition)
    if not any(clause.peeks for clause in alt.clauses):
        for source in sources:
            for read in reads(source, knows, "visible"):
                _report(game, reporter, read, read.place.span, alt.cites, chooser, "the list of candidates")
    for clause in alt.clauses:
        if clause.peeks:
            continue
        for x in (clause.condition, clause.when):
            if x is not None:
                for read in reads(x, knows, "visible"):
                    span = read.place.span if _within(read.place.span, x.span) else x.span
                    _report(game, reporter, read, span, clause.cites, chooser, "this requirement")


def _report(
    game: m.Game, reporter: Reporter, read: Read, span: Span, cites: tuple[str, ...], chooser: ir.X, what: str
) -> None:
    who = chooser.span.text.strip()
    who = f"`{who}`" if who and "\n" not in who and len(who) < 30 and not who.startswith("choose") else "who chooses"
    sees = _SAYS.get(read.level, "only part of it")
    inside = read.place.holds
    hint = "test something they can see, or write `peeks` at the end of the `require` if the rules let them look"
    reporter.error(
        "RS311",
        f"{what} looks into `{inside.name}`, of which {who} may see {sees}",
        span,
        "hidden",
        [Label(inside.span, f"`{read.level}` is all that is sure")],
        hint,
        rule_line(game, cites),
    )


def _within(inner: Span, outer: Span) -> bool:
    return inner.source is outer.source and outer.start <= inner.start and inner.end <= outer.end


# ------------------------------------------------------------------ what is read


@define
class Read:
    """A place that is looked into, and the level at which the chooser is sure to see it."""

    place: ir.ContentsX
    level: str


@define
class Knows:
    """Who chooses, and which expressions are known to be equal."""

    chooser: ir.X
    pairs: set[tuple[Any, Any]] = Factory(set)

    def learn(self, condition: ir.X) -> None:
        """What holds once a condition does."""
        if isinstance(condition, ir.AndX):
            for part in condition.parts:
                self.learn(part)
        elif isinstance(condition, ir.CompareX) and condition.operator == "==":
            a, b = same(condition.left), same(condition.right)
            self.pairs |= {(a, b), (b, a)}

    def also(self, condition: ir.X) -> Knows:
        more = Knows(self.chooser, set(self.pairs))
        more.learn(condition)
        return more

    def equal(self, x: ir.X) -> bool:
        """Whether an expression is sure to be the chooser."""
        a, b = same(x), same(self.chooser)
        return bool(a == b or (a, b) in self.pairs)

    def includes(self, who: ir.X) -> bool:
        """Whether a set of players is sure to have the chooser in it."""
        match who:
            case ir.AllThings():
                return True
            case ir.SetX(items=items):
                return any(self.equal(item) for item in items)
            case ir.SetOpX(operator="+", left=left, right=right):
                return self.includes(left) or self.includes(right)
            case ir.FilterX(source=source, var=var, condition=condition):
                inside = substitute(condition, {var.ident: self.chooser})
                return self.includes(source) and self.holds(inside)
        return False

    def holds(self, condition: ir.X) -> bool:
        match condition:
            case ir.AndX(parts=parts):
                return all(self.holds(part) for part in parts)
            case ir.OrX(parts=parts):
                return any(self.holds(part) for part in parts)
            case ir.CompareX(operator="==", left=left, right=right):
                a, b = same(left), same(right)
                if a == b or (a, b) in self.pairs:
                    return True
                # x.team == y.team holds where x and y are the same.
                return bool(self._one(a) == self._one(b))
        return False

    def _one(self, key: Any) -> Any:
        """An expression with everything that is the chooser put as the chooser."""
        chooser = same(self.chooser)
        if key == chooser or (key, chooser) in self.pairs:
            return "chooser"
        return tuple(self._one(part) for part in key) if isinstance(key, tuple) else key


def reads(x: ir.X, knows: Knows, needed: str, calls: int = 0) -> Iterator[Read]:
    """The places an expression looks into further than the chooser may."""
    match x:
        case ir.ContentsX(of=of):
            level = level_of(x, knows)
            if LEVELS.index(level) < LEVELS.index(needed):
                yield Read(x, level)
            if of is not None:
                yield from reads(of, knows, "visible", calls)
            return
        case ir.SomeX(source=ir.ContentsX() as place):
            yield from reads(place, knows, "nonempty", calls)
            return
        case ir.BuiltinX(name="count", args=(ir.ContentsX() as place,)):
            yield from reads(place, knows, "count", calls)
            return
        case ir.CompareX(left=left, right=right) if needed == "visible":
            yield from reads(left, knows, "visible", calls)
            yield from reads(right, knows, "visible", calls)
            return
        case ir.AndX(parts=parts):
            # What an earlier part says is known to the later ones.
            for part in parts:
                yield from reads(part, knows, "visible", calls)
                knows = knows.also(part)
            return
        case ir.QuantX(picks=picks, condition=condition) if len(picks) == 1:
            yield from reads(picks[0][1], knows, "visible", calls)
            yield from reads(condition, _within_filter(picks[0][0], picks[0][1], knows), "visible", calls)
            return
        case ir.CallX(function=function, args=args):
            for arg in args:
                yield from reads(arg, knows, "visible", calls)
            if calls < MOST_CALLS:
                given = {p.ident: a for p, a in zip(function.params, args, strict=True)}
                for inner in _bodies(function):
                    for read in reads(substitute(inner, given), knows, "visible", calls + 1):
                        # Told at the call: the function itself may be asked by others who may look.
                        yield Read(_at(read.place, x.span), read.level)
            return
    for name in fields_of(type(x)):
        for part in parts_in(getattr(x, name)):
            if isinstance(part, ir.X):
                yield from reads(part, knows, "visible", calls)


def _at(place: ir.ContentsX, span: Span) -> ir.ContentsX:
    return ir.ContentsX(place.type, span, place.holds, place.of)


def _within_filter(var: ir.Var, source: ir.X, knows: Knows) -> Knows:
    """What is known of one element of a filtered source."""
    while isinstance(source, ir.FilterX):
        knows = knows.also(substitute(source.condition, {source.var.ident: ir.Local(var.type, source.span, var)}))
        source = source.source
    return knows


def _bodies(function: m.Function) -> list[ir.X]:
    out: list[ir.X] = [c.condition for c in function.clauses]
    todo = list(function.block)
    while todo:
        statement = todo.pop(0)
        match statement:
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                out.append(condition)
                todo += [*then, *otherwise]
            case ir.ReturnS(value=ir.X() as value) | ir.LetS(value=value):
                out.append(value)
    for layer in function.adjustments:
        out.append(layer.value)
        if layer.condition is not None:
            out.append(layer.condition)
    return out


# ------------------------------------------------------------------ what is seen


def level_of(place: ir.ContentsX, knows: Knows) -> str:
    """How much of a place the chooser is sure to see."""
    holds = place.holds
    if not holds.visibility:
        return "visible"
    owner = place.of
    if owner is not None and isinstance(owner.type, SetOf) and holds.owner_var is not None:
        # Of many owners: each is known by the filters on them.
        one = ir.Var("owner", holds.owner_var.type, "element", -1)
        knows = _within_filter(one, owner, knows)
        owner = ir.Local(one.type, place.span, one)
    possible: list[str] = []
    default = "visible"
    if all(line.who is not None for line in holds.visibility):
        default = "hidden" if any(line.level == "visible" for line in holds.visibility) else "visible"
    for line in holds.visibility:
        if line.who is None:
            default = line.level
            continue
        who = line.who
        if owner is not None and holds.owner_var is not None:
            who = substitute(who, {holds.owner_var.ident: owner})
        sure = knows.includes(who) if isinstance(who.type, SetOf) else knows.equal(who)
        possible.append(line.level)
        if sure:
            return min(possible, key=LEVELS.index)
    return min([*possible, default], key=LEVELS.index)
