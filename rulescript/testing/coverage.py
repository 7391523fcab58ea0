"""Which rules of the rulebook are written, put to the test by examples, and reached in play.

Three sources: the text (every citation of a declaration, clause or statement), the results of the game's
examples, and random play. In play a rule is *reached* when an event of the journal cites it, when a decision
or option that cites it was offered, when a refusal names it, or when a traced play ran a line of the rules
that cites it. What is never reached, and what the rulebook has but nobody cites, are the lists an author
wants.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import TYPE_CHECKING, Any

import attrs
from attrs import define, field

from rulescript.circles import circles
from rulescript.runtime.failures import GENERATED

if TYPE_CHECKING:
    from rulescript.loader import GameText
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Decision, Option

__all__ = ["Coverage", "QUIET_SORTS", "Reached", "Written", "cites_of_lines", "coverage_of", "written_in"]

# Entries of a rulebook that tell or explain rather than rule; listed apart, since few of them can be code.
QUIET_SORTS = ("note", "definition", "example", "reading", "setup")


class Reached:
    """Counts the rules that play comes across."""

    def __init__(self) -> None:
        self.rules: Counter[str] = Counter()
        self.lines: set[tuple[str, int]] = set()
        self.options: set[str] = set()
        # The decisions that were met, and the rules that stand behind each: they count once.
        self._seen: dict[tuple[str, int], tuple[str, ...]] = {}

    def add(self, other: Reached) -> None:
        """What somebody else came across, in other games."""
        self.rules.update(other.rules)
        for key in self._seen.keys() & other._seen.keys():
            self.rules.subtract(self._seen[key])
        self._seen |= other._seen
        self.lines |= other.lines
        self.options |= other.options

    def events(self, game: Game, events: Iterable[tuple[Any, ...]]) -> None:
        sites, rules = game.data.sites, self.rules
        for event in events:
            for cite in sites[event[0]][1]:
                rules[cite] += 1

    def decision(self, game: Game, decision: Decision) -> None:
        self.rules.update(decision.cites)
        if (game.rules_hash, decision.block) in self._seen:
            return
        # What stands behind a decision is the same every time it is asked.
        cites = game.data.phase_cites
        behind = (*cites.get(decision.phase, ()), *cites.get(decision.procedure, ()))
        self._seen[game.rules_hash, decision.block] = behind
        self.rules.update(behind)

    def taken(self, game: Game, decision: Decision, option: Option) -> None:
        label = option.label
        for alt in game.data.decisions[decision.block].alts:
            if alt.label == label:
                self.rules.update(alt.cites)

    def refusal(self, why: Any) -> None:
        """The rules a refusal names."""
        self.rules.update(_cites_in(why))

    @contextmanager
    def traced(self, game: Game) -> Iterator[None]:
        """Within this, note which lines of the rules are run. Slow; not under a debugger, which needs the
        hook."""
        if sys.gettrace() is not None:
            yield
            return
        ran: set[int] = set()

        def trace(frame: FrameType, event: str, arg: Any) -> Any:
            if frame.f_code.co_filename != GENERATED:
                return None
            if event == "line":
                ran.add(frame.f_lineno)
            return trace

        # The search form leaves out what it need not do: what is reached must not depend on whether there is one.
        search, game.search = game.search, game.plain
        sys.settrace(trace)
        try:
            yield
        finally:
            sys.settrace(None)
            game.search = search
            self.lines |= {game.origins[line] for line in ran if line in game.origins}


def _cites_in(value: Any, depth: int = 0) -> Iterator[str]:
    """Every citation in a piece of data, however it is built."""
    if depth > 6:
        return
    cites = getattr(value, "cites", None)
    if isinstance(cites, (tuple, list)):
        yield from (str(c) for c in cites)
    if attrs.has(type(value)):
        for part in attrs.fields(type(value)):
            inner = getattr(value, part.name)
            if isinstance(inner, (tuple, list)):
                for item in inner:
                    yield from _cites_in(item, depth + 1)
            elif attrs.has(type(inner)):
                yield from _cites_in(inner, depth + 1)


# ------------------------------------------------------------------ what is written


@cache
def _parts_of(sort: type) -> tuple[str, ...] | None:
    """What a sort of node is made of; None if it is no node."""
    if not attrs.has(sort):
        return None
    return tuple(f.name for f in attrs.fields(sort) if f.name not in ("span", "cites"))


def _walk(node: Any) -> Iterator[Any]:
    """A node and everything in it, without recursion: texts come nested as deep as their authors like."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, (tuple, list, frozenset)):
            stack += here
        elif (parts := _parts_of(here.__class__)) is not None:
            yield here
            stack += [getattr(here, name) for name in parts]


@define
class Written:
    """The rules a text cites: in rules that can be run, in components (kinds, maps, counts), and in
    claims."""

    rules: set[str] = field(factory=set)
    components: set[str] = field(factory=set)
    claims: set[str] = field(factory=set)
    options: dict[str, set[str]] = field(factory=dict)


def written_in(text: GameText) -> Written:
    """What a game's text cites, those of all its options and scenarios too."""
    from rulescript import nodes as n
    from rulescript.analysis.analyse import pieces_of

    claims = (n.Example, n.Check, n.Invariant)
    components = (
        n.ValuesDecl, n.KindDecl, n.EitherDecl, n.ThingsDecl, n.ThingDecl, n.MapDecl, n.CountsDecl, n.PlayersDecl,
        n.StateDecl, n.HoldsDecl, n.Amend,
    )  # fmt: skip
    # What a card or marker does is a rule again, though it stands among the components.
    effects = (
        n.ThingDoes, n.Adjust, n.Restrict, n.Extend, n.ExceptionTo, n.Hook, n.Reaction, n.Whenever,
        n.Replace, n.Statement,
    )  # fmt: skip
    out = Written()
    for piece in pieces_of(text):
        start = out.rules
        stack: list[tuple[Any, set[str], tuple[str, ...]]] = [(piece.declaration, start, piece.cites)]
        while stack:
            node, into, cites = stack.pop()
            if isinstance(node, (tuple, list)):
                stack += [(item, into, ()) for item in node]
                continue
            if not attrs.has(type(node)):
                continue
            if isinstance(node, claims):
                into = out.claims
            elif isinstance(node, components) and into is out.rules:
                into = out.components
            elif isinstance(node, effects) and into is out.components:
                into = out.rules
            into.update(cites)
            if isinstance(node, n.OptionDecl):
                out.options.setdefault(node.name.text, set()).update(node.cites, cites)
            elif isinstance(node, n.WithDecl) and len(node.names) == 1:
                out.options.setdefault(node.names[0].text, set()).update(node.cites, cites)
            for part in attrs.fields(type(node)):
                value = getattr(node, part.name)
                if part.name.endswith("cites"):
                    into.update(value)
                elif part.name != "span":
                    stack.append((value, into, ()))
    return out


def cites_of_lines(text: GameText, lines: Set[tuple[str, int]]) -> dict[tuple[str, int], set[str]]:
    """For each of these lines of the text where something begins: what it cites, and what the functions it uses cite.

    The compiler may write a function out where it is used, so that its own lines are never run; and the
    requirements of a choice are worked out on the line of the choice. They count there for the functions they
    use, though not for their own rule: that is reached when something was refused under it."""
    from rulescript import nodes as n
    from rulescript.analysis.analyse import pieces_of

    functions = (n.FunctionDecl, n.PredicateDecl, n.RouteDecl, n.TableDecl)
    cited: dict[str, set[str]] = {}
    used: dict[str, set[str]] = {}
    out: dict[tuple[str, int], set[str]] = {}
    names: dict[tuple[str, int], set[str]] = {}
    for piece in pieces_of(text):
        here = piece.declaration.span
        if (here.source.name, here.line) in lines:
            out.setdefault((here.source.name, here.line), set()).update(piece.cites)
        for node in _walk(piece.declaration):
            if isinstance(node, functions):
                cited.setdefault(node.name.text, set()).update(node.cites or piece.cites)
                used.setdefault(node.name.text, set()).update(_names_in(node))
            span = getattr(node, "span", None)
            if span is None or (line := (span.source.name, span.line)) not in lines:
                continue
            if not isinstance(node, n.Require):
                out.setdefault(line, set()).update(getattr(node, "cites", ()))
            if isinstance(node, n.Choose):
                conditions = [_names_in(r.condition) for r in _walk(node) if isinstance(r, n.Require)]
                names.setdefault(line, set()).update(*conditions)
            elif isinstance(node, (n.Call, n.NameExpr)):
                names.setdefault(line, set()).update(_names_in(node))
    whole = _with_those_used(cited, used)
    for line, found in names.items():
        out.setdefault(line, set()).update(*(whole[name] for name in found if name in whole))
    return out


def _with_those_used(cited: dict[str, set[str]], used: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    """What each function and all those it uses cite: of each of thousands in a chain the same is kept once."""
    own = {name: name for name in used}
    whole: dict[str, frozenset[str]] = {}
    for circle in circles(own, lambda name: [own[each] for each in used[name] if each in own]):
        here = set().union(*(cited[name] for name in circle.members))
        sets = {id(found): found for name in circle.members for each in used[name] if (found := whole.get(each))}
        largest = max(sets.values(), key=len, default=frozenset[str]())
        here.update(*sets.values())
        together = largest if len(largest) == len(here) else frozenset(here)
        whole.update(dict.fromkeys(circle.members, together))
    return whole


def _names_in(node: Any) -> set[str]:
    """Every name that is used in a piece of text."""
    from rulescript import nodes as n

    out: set[str] = set()
    for here in _walk(node):
        if isinstance(here, n.NameExpr):
            out.add(here.name)
        elif isinstance(here, n.Name):
            out.add(here.text)
    return out


# ------------------------------------------------------------------ the report


@define
class Coverage:
    """The rulebook's ids and what became of each. Sets of ids; `sorts` and `titles` come from the index."""

    sorts: dict[str, str] = field(factory=dict)
    titles: dict[str, str] = field(factory=dict)
    written: set[str] = field(factory=set)
    components: set[str] = field(factory=set)
    claimed: set[str] = field(factory=set)
    exercised: set[str] = field(factory=set)
    reached: Counter[str] = field(factory=Counter)

    @property
    def cited(self) -> set[str]:
        return self.written | self.components | self.claimed

    @property
    def never_reached(self) -> list[str]:
        """Written as a rule (not only as a component), but neither play nor an example ever came across
        it."""
        return self._ordered(self.written - set(self.reached) - self.exercised)

    @property
    def uncited(self) -> dict[str, list[str]]:
        """Ids of the rulebook that nothing cites, by sort; those that rule first, those that only tell
        last."""
        cited = self.cited
        groups: dict[str, list[str]] = {}
        for ident, sort in self.sorts.items():
            if ident not in cited:
                groups.setdefault(sort, []).append(ident)
        return dict(sorted(groups.items(), key=lambda g: (g[0] in QUIET_SORTS, g[0])))

    @property
    def unknown(self) -> list[str]:
        """Cited, but not in the rulebook's index."""
        if not self.sorts:
            return []
        return sorted(self.cited - set(self.sorts))

    def _ordered(self, idents: Iterable[str]) -> list[str]:
        order = {ident: at for at, ident in enumerate(self.sorts)}
        return sorted(idents, key=lambda i: (order.get(i, len(order)), i))

    def merge(self, other: Coverage) -> None:
        self.sorts.update(other.sorts)
        self.titles.update(other.titles)
        self.written |= other.written
        self.components |= other.components
        self.claimed |= other.claimed
        self.exercised |= other.exercised
        self.reached.update(other.reached)

    def to_dict(self) -> dict[str, Any]:
        return {
            "rules": len(self.sorts),
            "written": self._ordered(self.written),
            "components": self._ordered(self.components),
            "exercised": self._ordered(self.exercised),
            "reached": {ident: self.reached[ident] for ident in self._ordered(self.reached)},
            "never_reached": self.never_reached,
            "uncited": self.uncited,
            "unknown": self.unknown,
        }

    def text(self, *, most: int = 12) -> str:
        """A few lines, and the lists cut off after `most` entries (0: never)."""
        met = {i for i in self.written if i in self.reached}
        out = [
            f"rules cited in the text: {len(self.cited)}"
            + (f" of {len(self.sorts)} in the rulebook" if self.sorts else ""),
            f"  in components only: {len(self.components - self.written)}",
            f"  written as rules: {len(self.written)}",
            f"  exercised by examples: {len(self.written & self.exercised)}",
            f"  reached in random play: {len(met)}",
            f"  never reached: {len(self.never_reached)}",
        ]
        out += self._list(self.never_reached, most)
        for sort, idents in self.uncited.items():
            out.append(f"not cited, {sort}: {len(idents)}")
            if sort not in QUIET_SORTS:
                out += self._list(idents, most)
        if self.unknown:
            out.append(f"cited, but not in the rulebook's index: {', '.join(f'§{i}' for i in self.unknown)}")
        return "\n".join(out)

    def _list(self, idents: list[str], most: int) -> list[str]:
        shown = idents[:most] if most else idents
        out = [f"    §{i} {self.titles.get(i, '')}".rstrip() for i in shown]
        if len(shown) < len(idents):
            out.append(f"    and {len(idents) - len(shown)} more")
        return out


def coverage_of(
    game: Game, text: GameText | None, reached: Reached | None = None, exercised: Iterable[str] = ()
) -> Coverage:
    """The coverage of a game after some play; `exercised` are the rules its examples put to the test."""
    coverage = Coverage(exercised=set(exercised))
    for ident, info in game.rules.items():
        coverage.sorts[ident], coverage.titles[ident] = info.sort, info.title
    if text is not None:
        written = written_in(text)
        coverage.written, coverage.components, coverage.claimed = (
            written.rules,
            written.components,
            written.claims,
        )
        for name in reached.options if reached is not None else ():
            coverage.reached.update(written.options.get(name, ()))
    if reached is not None:
        coverage.reached.update(reached.rules)
        if text is not None:
            for cites in cites_of_lines(text, reached.lines).values():
                coverage.reached.update(cites)
    return coverage
