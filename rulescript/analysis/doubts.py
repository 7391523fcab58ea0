"""What was tested and may have changed since.

A test (`if r.control != nothing`) is worth something until play comes past a statement that may set what it looked at:
an assignment, wherever it stands in that statement, or a rule that it calls, with all that these call, signal, set off
(`whenever`) or let a player do meanwhile (`aside`).

Bodies are read one after the other, and a rule may call one that is read later. So what each may set is taken from what
was written, by name alone: rather a doubt too many (two states of one name) than one too few.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

import attrs

from rulescript import nodes as n
from rulescript.analysis.active import Active
from rulescript.analysis.desk import Desk
from rulescript.analysis.eithers import plain_name
from rulescript.analysis.part import Part
from rulescript.analysis.scope import Scope

__all__ = ["Doubts"]

# Rules that nobody calls by name; no name of a designer's has a blank in it.
_ASIDE, _WHENEVER, _ADDED = "an aside", "a whenever", "an added way"
_MOVE = "a move"
_STATES_IN_PATH = re.compile(r"state ([^.]+)")


class Doubts(Part):
    """Knows which rules may set a state."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._sets: dict[str, set[str]] = defaultdict(set)
        self._callers: dict[str, set[str]] = defaultdict(set)
        self._setters: dict[str, dict[str, str]] = {}
        self._put_back: set[str] = set()
        # The paths that were looked at, and by each name that may be said those that may be lost then. (Thousands may
        # be known at once.)
        self._seen: set[str] = set()
        self._losing: dict[str, set[str]] = defaultdict(set)

    def note_rules(self, active: Iterable[Active]) -> None:
        """Look through all rules, before the first of them is read."""
        for item in active:
            self._note_declaration(item.declaration)
        for _, line, _ in self.declaring.lines:
            for does in line.does:
                self._note(does.name.text, does.block)
            for amendment in line.amendments:
                self._note_declaration(amendment)
        for state in self.game.every_state():
            for end in state.lasts:
                self._sets[end.text.rpartition(".")[2]].add(state.name)
            if state.within is not None:
                self._put_back.add(state.name)

    def _note_declaration(self, decl: n.Declaration) -> None:
        match decl:
            case n.ProcedureDecl(name=name, block=block) | n.Hook(target=name, block=block):
                self._note(plain_name(name.text), block)
            case n.Reaction(signal=signal, block=block):
                self._note(_answers(signal), block)
            case n.Whenever(block=block):
                self._note(_WHENEVER, block)
            case n.AsideDecl(block=block):
                self._note(_ASIDE, block)
            case n.Extend(alternatives=alternatives):
                self._note(_ADDED, alternatives)

    def _note(self, rule: str, nodes: tuple[n.Node, ...]) -> None:
        sets, asks = _said_in(nodes, from_outside=True)
        self._sets[rule] |= sets
        for name in asks:
            self._callers[name].add(rule)

    def _setters_of(self, state: str) -> dict[str, str]:
        """The rules that may set a state, themselves or by what they call; for each, one that does it itself."""
        found = self._setters.get(state)
        if found is None:
            wanted = {state, _MOVE} if state in self._put_back else {state}
            found = {rule: rule for rule, sets in self._sets.items() if sets & wanted}
            todo = list(found)
            for rule in todo:
                new = sorted(self._callers.get(rule, set()) - found.keys())
                found.update(dict.fromkeys(new, found[rule]))
                todo += new
            self._setters[state] = found
        return found

    def doubt(self, scope: Scope, *nodes: n.Node) -> None:
        """Play comes past some statements: what they may set is no longer known."""
        if scope.known:
            self._forget(scope, *_said_in(nodes))

    def doubt_asking(self, scope: Scope) -> None:
        """A player is asked: before the answer somebody may do what can be done at any time."""
        self._forget(scope, set(), {_ASIDE})

    def _forget(self, scope: Scope, sets: set[str], asks: set[str]) -> None:
        current = self.statements.current
        if current is not None and current.closed:
            asks.discard(_ASIDE)
        for path in scope.known.difference(self._seen):
            self._seen.add(path)
            for name in self._lost_by(path):
                self._losing[name].add(path)
        touched = scope.known & set().union(*(self._losing.get(name, ()) for name in sets | asks))
        lost = {path: why for path in touched if (why := self._why(path, sets, asks)) is not None}
        if not lost:
            return
        scope.known -= lost.keys()
        scope.doubted = {**scope.doubted, **lost}

    def _lost_by(self, path: str) -> set[str]:
        """Of which names one at least is said where a path may be lost."""
        states = _STATES_IN_PATH.findall(path)
        setters = (rule for each in states for rule in self._setters_of(each))
        return {_MOVE, path.partition("#")[0], *states, *setters}

    def _why(self, path: str, sets: set[str], asks: set[str]) -> str | None:
        name = path.partition("#")[0]
        if "#" in path and name in sets:
            return f"`{name}` was set"
        for state in _STATES_IN_PATH.findall(path):
            if state in sets or (_MOVE in sets and state in self._put_back):
                return f"`{state}` was set"
            setters = self._setters_of(state)
            rule = min(asks & setters.keys(), default=None)
            if rule is not None:
                setter = setters[rule]
                return f"{setter if ' ' in setter else f'`{setter}`'} may have set `{state}`"
        return None


def _answers(signal: n.Name) -> str:
    return f"what answers `{signal}`"


def _said_in(nodes: Iterable[n.Node], from_outside: bool = False) -> tuple[set[str], set[str]]:
    """The names that some statements set, and those of the rules that they may ask for. Seen from what follows in the
    same rule, a branch that ends it does not count; seen `from_outside` it does."""
    sets: set[str] = set()
    asks: set[str] = set()
    todo: list[object] = list(nodes)
    while todo:
        node = todo.pop()
        match node:
            case tuple():
                todo += node
                continue
            case n.If(condition=condition, then=then, otherwise=otherwise) if not from_outside:
                todo += [condition, *(way for way in (then, otherwise) if not _ends_rule(way))]
                continue
            case n.Assign(target=n.NameExpr(name=name)):
                sets.add(name)
            case n.Assign(target=n.AttributeOf(name=name)):
                sets.add(name.text)
            case n.For(name=name):
                sets.add(name.text)
                asks.add(name.text)  # what stands before and after each round
            case n.Roll(name=n.Name() as name):
                sets.add(name.text)
            case n.Move() | n.Draw() | n.Place():
                sets.add(_MOVE)
            case n.Choose():
                asks |= {_ASIDE, _ADDED}
            case n.SignalStatement(name=name):
                asks.add(_answers(name))
            case n.NameExpr(name=name):
                asks.add(name)
            case n.AttributeOf(name=name):
                asks.add(name.text)
        if isinstance(node, n.Node):
            todo += _inside(node)
    if sets:
        asks.add(_WHENEVER)
    return sets, asks


# What fields may hold in which no rule is asked for and nothing set.
_PLAIN = {
    "Span", "bool", "int", "int | None", "str", "tuple[str, ...]", "Name", "Name | None", "tuple[Name, ...]", "Text",
    "Text | None",
}  # fmt: skip
_FIELDS: dict[type, tuple[str, ...]] = {}


def _inside(node: n.Node) -> list[object]:
    names = _FIELDS.get(node.__class__)
    if names is None:
        fields = attrs.fields(node.__class__)
        names = _FIELDS[node.__class__] = tuple(each.name for each in fields if str(each.type) not in _PLAIN)
    return [getattr(node, name) for name in names]


def _ends_rule(block: n.Block) -> bool:
    return bool(block) and isinstance(block[-1], n.Return | n.EndGame)
