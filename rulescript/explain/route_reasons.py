"""Where a route is blocked: the way it takes, or the requirements that keep it from a space.

In comes a route with its arguments and a judge of conditions; out come ways as lists of spaces, and refusals.

A route that does not arrive
----------------------------
First each of its requirements is left out by itself: those whose removal opens the way are the reasons,
with the spaces on the opened way where they block. If it takes several at once, they are those on the way
that breaks the fewest. The limit of steps counts as a requirement too.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from attrs import evolve

from rulescript.explain.env import Env, source_text
from rulescript.explain.failed_clauses import Judge
from rulescript.explain.outside import outside
from rulescript.machine.tables import BITS
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import SetOf
from rulescript.phrases import kind_noun, listed, readable
from rulescript.reasons import FailedClause

__all__ = ["RouteSearch"]

# So many places where a route could have begun are told.
STARTS = 2


class RouteSearch:
    """One route from one place: who may enter what, and where it is blocked."""

    def __init__(self, judge: Judge, x: ir.RouteX, env: Env) -> None:
        self.judge = judge
        self.eyes = judge.eyes
        self.route = x.route
        self.env = judge.eyes.enter(x.route.params, x.args, env)
        start = judge.eyes.value(x.route.start, self.env)
        self.starts: tuple[int, ...] = BITS[start] if isinstance(x.route.start.type, SetOf) else (start,)
        self.limit: int | None = judge.eyes.value(x.route.steps, self.env) if x.route.steps is not None else None
        kind = x.route.kind
        self.near = [
            sorted({j for sort in x.route.sorts if sort in kind.links for j in kind.links[sort][i]})
            for i in range(kind.size)
        ]
        self.rules: list[tuple[m.RouteRule, ir.Clause]] = [(r, c) for r in x.route.rules for c in r.clauses]
        self._met: dict[tuple[int, tuple[int, ...]], bool] = {}
        self._broken: dict[tuple[int, int, bool], list[tuple[int, tuple[int, ...]]]] = {}
        self.secret = {at for at, (rule, clause) in enumerate(self.rules) if judge.is_secret(clause, self.env)}

    def met(self, at: int, *spaces: int) -> bool:
        known = self._met.get((at, spaces))
        if known is None:
            rule, clause = self.rules[at]
            values = {**self.env.values, **{v.ident: space for v, space in zip(rule.vars, spaces, strict=True)}}
            known = self.eyes.ev.clause_holds(clause, self.eyes.S, values)
            self._met[at, spaces] = known
        return known

    def broken(self, a: int, b: int) -> list[tuple[int, tuple[int, ...]]]:
        """The requirements that one step breaks, with the spaces they look at. Ways are looked for many times, from
        other beginnings or without some requirement; the steps they are made of are the same."""
        is_start = a in self.starts
        known = self._broken.get((a, b, is_start))
        if known is None:
            known = self._broken[a, b, is_start] = self._broken_by(a, b, is_start)
        return known

    def _broken_by(self, a: int, b: int, is_start: bool) -> list[tuple[int, tuple[int, ...]]]:
        out = []
        for at, (rule, _) in enumerate(self.rules):
            if rule.form == "enter":
                spaces: tuple[int, ...] = (b,)
            elif rule.form == "step":
                spaces = (a, b)
            elif is_start:
                continue
            else:
                spaces = (a,)
            if not self.met(at, *spaces):
                out.append((at, spaces))
        return out

    def way(
        self, target: int, without: frozenset[int] = frozenset(), limited: bool = True, costly: bool = False
    ) -> list[int] | None:
        """A way to the target: the shortest that breaks nothing but `without`; or, `costly`, the one that
        breaks the fewest requirements."""
        if self.route.cost is not None:
            return self._cheapest(target, without, limited, costly)
        limit = self.limit if limited and self.limit is not None else len(self.near)
        best: dict[tuple[int, int], int] = {}
        # (broken, steps, path): a plain search by rounds, since maps are small.
        frontier: list[tuple[int, tuple[int, ...]]] = [(0, (s,)) for s in self.starts]
        found: tuple[int, tuple[int, ...]] | None = None
        steps = 0
        while frontier and steps < limit:
            steps += 1
            fresh: dict[int, tuple[int, tuple[int, ...]]] = {}
            for cost, path in frontier:
                here = path[-1]
                for b in self.near[here]:
                    if b in self.starts:
                        continue  # where a route begins is never reached by it
                    broken = [item for item in self.broken(here, b) if item[0] not in without]
                    if broken and not costly:
                        continue
                    total = cost + len(broken)
                    if b == target and (found is None or total < found[0]):
                        found = (total, (*path, b))
                    if b not in path and total < best.get((b, 0), 1 << 30):
                        best[b, 0] = total
                        fresh[b] = (total, (*path, b))
            if found is not None and not costly:
                break
            frontier = list(fresh.values())
        return list(found[1]) if found is not None else None

    def points(self, path: Sequence[int]) -> int:
        """What a way costs: its steps, or what the route says a step costs."""
        return sum(self._price(a, b) for a, b in zip(path, path[1:], strict=False))

    def _price(self, a: int, b: int) -> int:
        if self.route.cost is None:
            return 1
        names, cost = self.route.cost
        return max(0, int(self.eyes.value(cost, self.env.also(*zip(names, (a, b), strict=True)))))

    def _cheapest(self, target: int, without: frozenset[int], limited: bool, costly: bool) -> list[int] | None:
        """The same for a route whose steps have a cost: the cheapest way, or the one that breaks the fewest."""
        left: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, (s,)) for s in self.starts]
        done: set[int] = set()
        while left:
            broken, spent, path = heappop(left)
            here = path[-1]
            if here == target and len(path) > 1:
                return list(path)
            if here in done:
                continue
            done.add(here)
            for b in self.near[here]:
                if b in done or b in self.starts:
                    continue
                breaks = sum(at not in without for at, _ in self.broken(here, b))
                total = spent + self._price(here, b)
                if breaks and not costly or limited and self.limit is not None and total > self.limit:
                    continue
                heappush(left, (broken + breaks, total, (*path, b)))
        return None

    def reasons(self, target: int) -> list[FailedClause]:
        hidden = frozenset(self.secret)
        if self.secret and self.way(target, hidden) is not None:
            return [self.judge.veiled(self.rules[at][1]) for at in sorted(self.secret)]
        if target in self.starts:
            name = self._name(target)
            said = f"{name} is where it begins"
            return [FailedClause(f"{name} is another {self._kind()}", said, self.route.cites)]
        out: list[FailedClause] = []
        for at in range(len(self.rules)):
            if at in self.secret:
                continue
            path = self.way(target, hidden | {at})
            if path is not None:
                out.append(self._clause(at, path))
        if self.limit is not None:
            path = self.way(target, hidden, limited=False)
            if path is not None:
                out.append(self._too_far(path))
        out += self._elsewhere(target, hidden)
        if out:
            return out
        for limited in (True, False):
            path = self.way(target, hidden, limited, costly=True)
            if path is None:
                continue
            blocks = sorted({at for a, b in zip(path, path[1:], strict=False) for at, _ in self.broken(a, b)} - hidden)
            out = [self._clause(at, path) for at in blocks]
            if not limited:
                out.append(self._too_far(path))
            return out
        sorts = listed([readable(s) for s in self.route.sorts], "or")
        name, begin = self._name(target), listed([self._name(s) for s in self.starts]) or "nowhere"
        return [
            FailedClause(
                f"{sorts} links lead from {begin} to {name}",
                f"no {sorts} links lead from {begin} to {name}",
                self.route.cites,
                readable(self.route.name),
            )
        ]

    def _elsewhere(self, target: int, hidden: frozenset[int]) -> list[FailedClause]:
        """Where the route would have to begin to get there, and why it does not: the nearest such spaces.

        Only where it begins with what another rule gives; a place where it always begins needs no reason."""
        start, env = self.env.meant(self.route.start)
        if not isinstance(start.type, SetOf) or not isinstance(start, ir.RouteX | ir.CallX):
            return []
        own = self.starts
        found: list[tuple[int, int]] = []
        try:
            for space in range(len(self.near)):
                if space not in own and space != target:
                    self.starts = (space,)
                    path = self.way(target, hidden)
                    if path is not None:
                        found.append((len(path), space))
        finally:
            self.starts = own
        nearest = min(found)[0] if found else 0
        element = start.type.element
        out: list[FailedClause] = []
        for _, space in [each for each in found if each[0] == nearest][:STARTS]:
            name = self._name(space)
            behind = outside(self.judge, space, element, start, env)
            out.append(
                FailedClause(
                    f"{readable(self.route.name)} begins in {name}",
                    f"{readable(self.route.name)} does not begin in {name}, from where it would get to "
                    f"{self._name(target)}",
                    self.route.cites,
                    readable(self.route.name),
                    source_text(self.route.start),
                    through=tuple(behind),
                    file=self.route.span.source.name,
                    line=self.route.span.line,
                )
            )
        return out

    def _clause(self, at: int, path: Sequence[int]) -> FailedClause:
        """One requirement with the spaces of a way on which it blocks."""
        rule, clause = self.rules[at]
        places = [
            spaces for a, b in zip(path, path[1:], strict=False) for one, spaces in self.broken(a, b) if one == at
        ]
        first = places[0]
        inner = self.env.also(*zip(rule.vars, first, strict=True))
        shown = tuple(dict.fromkeys(" to ".join(self._name(s) for s in spaces) for spaces in places))
        return evolve(self.judge.failed(clause, inner), at=shown)

    def _too_far(self, path: Sequence[int]) -> FailedClause:
        name, needed = self._name(path[-1]), self.points(path)
        assert self.route.steps is not None
        unit = "step" if self.route.cost is None else "point"
        limit = f"at most {self.limit} {unit}{'s' if self.limit != 1 else ''}"
        away = needed if self.route.cost is None else f"{needed} {unit}s"
        return FailedClause(
            f"{name} is {limit} away" if self.route.cost is None else f"the way to {name} costs {limit}",
            f"{name} is {away} steps away" if self.route.cost is None else f"the way to {name} costs {away}",
            self.route.cites,
            readable(self.route.name),
            f"at most {source_text(self.route.steps)} {unit}s",
            ((f"{unit}s needed", str(needed)), ("at most", str(self.limit))),
            spoken=(limit,),
            file=self.route.span.source.name,
            line=self.route.span.line,
        )

    def _name(self, space: int) -> str:
        return self.route.kind.things[space].label

    def _kind(self) -> str:
        return kind_noun(self.route.kind.name)
