"""Lark's parser, quicker where rules only hand on what they are given.

A number in a list is an atom, a factor, a term, a sum and so on, through a dozen rules of which each has one child and
hands it on as it is. Lark takes these steps one by one, with a call for each. Which state they end in depends on two
states and the next token alone, so it is looked up: the trees, and where a text cannot be read, are the same. That is
half of the time of reading. And of a tree only its first and last character are kept, not their lines and columns.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.parse_tree_builder import ExpandSingleChild, PropagatePositions
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_interactive_parser import InteractiveParser
from lark.parsers.lalr_parser import _Parser
from lark.parsers.lalr_parser_state import ParseConf, ParserState

from rulescript.syntax.quick_lexer import QuickLexer, token_at

__all__ = ["accepted", "quickened"]

# How many children a rule has, what they become (None: the only one stays what it is), and what the rule is called. By
# the identity of the rule, which its table keeps: what it is equal to takes long to find out.
_Step = tuple[int, Callable[[list[Any]], Any] | None, str]


def quickened(reader: Lark) -> Lark:
    """The same reader, with its steps taken together where they can be."""
    frontend: Any = reader.parser
    frontend.lexer = QuickLexer(frontend.lexer.lexer, frontend.lexer.postlexer)
    parser = frontend.parser.parser
    callbacks = parser.callbacks
    units = set()
    for rule, callback in callbacks.items():
        if isinstance(callback, PropagatePositions):
            callbacks[rule] = partial(_placed, callback.node_builder)
            if isinstance(callback.node_builder, ExpandSingleChild):
                units.add(rule)
                callbacks[rule] = partial(_only_child, callbacks[rule])
    parser.__class__ = _QuickParser
    parser.units = frozenset(rule for rule in units if len(rule.expansion) == 1)
    parser.jumps, parser.steps = {}, {}
    return reader


def _only_child(build: Any, children: list[Any]) -> Any:
    """Where there is one child its place is known already."""
    return children[0] if len(children) == 1 else build(children)


class _Extent:
    """Where a tree begins and ends; `outer`, with the brackets around it that are no part of it."""

    __slots__ = ("empty", "end_pos", "outer_end", "outer_start", "start_pos")

    def __init__(self) -> None:
        self.empty = True
        self.start_pos = self.end_pos = self.outer_start = self.outer_end = 0


_new_extent: Any = _Extent  # a tree takes it in place of Lark's own


def _placed(build: Any, children: list[Any]) -> Any:
    """What Lark's `propagate_positions` does, for the places that are looked at."""
    tree: Any = build(children)
    if tree.__class__ is not Tree:
        return tree
    extent: Any = tree._meta
    start = end = None
    for child in children:
        if child.__class__ is Token:
            start = child.start_pos
            break
        if not child._meta.empty:
            start = child._meta.outer_start
            break
    else:
        if extent is None:
            tree._meta = _new_extent()
        return tree
    for child in reversed(children):
        if child.__class__ is Token:
            end = child.end_pos
            break
        if not child._meta.empty:
            end = child._meta.outer_end
            break
    if extent is None:
        extent = tree._meta = _new_extent()
    if extent.empty:
        extent.empty = False
        extent.start_pos, extent.end_pos = start, end
    extent.outer_start, extent.outer_end = start, end
    return tree


class _QuickParser(_Parser):
    """Lark's loop with states of our own."""

    units: frozenset[Any]
    jumps: dict[tuple[Any, Any, str], Any]
    steps: dict[int, _Step]

    def parse(
        self, lexer: Any, start: str, value_stack: Any = None, state_stack: Any = None, start_interactive: bool = False
    ) -> Any:
        conf: Any = ParseConf(self.parse_table, self.callbacks, start)
        state = _QuickState(conf, lexer, state_stack, value_stack)
        state.units, state.jumps, state.steps = self.units, self.jumps, self.steps
        if start_interactive:
            return InteractiveParser(self, state, state.lexer)
        return self.parse_from_state(state)

    def parse_from_state(self, state: Any, last_token: Token | None = None) -> Any:
        feed, token = state.feed_token, last_token
        try:
            for token in state.lexer.lex(state):
                feed(token)
            start, end = (token.start_pos or 0, token.end_pos or 0) if token is not None else (0, 0)
            return feed(token_at("$END", "", start, end), True)
        except UnexpectedInput as problem:
            problem.interactive_parser = InteractiveParser(self, state, state.lexer)
            raise


class _QuickState(ParserState[Any]):
    """The stacks of a parser. Steps of rules with one child change the topmost state and nothing else."""

    units: frozenset[Any]
    jumps: dict[tuple[Any, Any, str], Any]
    steps: dict[int, _Step]

    def copy(self, *args: Any, **named: Any) -> _QuickState:
        made: Any = super().copy(*args, **named)
        made.units, made.jumps, made.steps = self.units, self.jumps, self.steps
        return cast(_QuickState, made)

    def feed_token(self, token: Token, is_end: bool = False) -> Any:
        state_stack, value_stack = self.state_stack, self.value_stack
        states, steps = self.parse_conf.states, self.steps
        end_state = self.parse_conf.end_state
        jumps, kind = self.jumps, token.type
        while True:
            top = state_stack[-1]
            action, rule = states[top].get(kind, (None, None))
            if action is Shift:
                state_stack.append(rule)
                value_stack.append(token)
                return None
            if action is None:
                expected = {name for name in states[top] if name.isupper()}
                problem: Any = UnexpectedToken
                raise problem(token, expected, state=self, interactive_parser=None)
            size, build, origin = steps.get(id(rule)) or self._step(rule)
            if build is None:
                state_stack.pop()
            elif size:
                children = value_stack[-size:]
                del state_stack[-size:]
                del value_stack[-size:]
                value_stack.append(build(children))
            else:
                value_stack.append(build([]))
            below = state_stack[-1]
            top = states[below][origin][1]
            key = (below, top, kind)
            goal = jumps.get(key)
            if goal is None:
                goal = jumps[key] = self._goal(below, top, kind, end_state)
            state_stack.append(goal)
            if is_end and goal == end_state:
                return value_stack[-1]

    def _step(self, rule: Any) -> _Step:
        build = None if rule in self.units else self.parse_conf.callbacks[rule]
        step = self.steps[id(rule)] = (len(rule.expansion), build, rule.origin.name)
        return step

    def _goal(self, below: Any, top: Any, token: str, end_state: Any) -> Any:
        """Where rules with one child lead before this token is taken."""
        states, units = self.parse_conf.states, self.units
        while top != end_state:
            action, rule = states[top].get(token, (Shift, None))
            if action is Shift or rule not in units:
                break
            top = states[below][rule.origin.name][1]
        return top


def accepted(state: ParserState[Any]) -> set[str]:
    """The terminals that could stand where a parser stopped: what Lark's `accepts` gives, which copies its parser and
    its lexer for each of them."""
    return {name for name in state.parse_conf.states[state.state_stack[-1]] if name.isupper() and _takes(state, name)}


def _takes(state: ParserState[Any], name: str) -> bool:
    """Whether rules can be finished until a terminal is taken."""
    states, end_state = state.parse_conf.states, state.parse_conf.end_state
    # Most is decided at the top of the stack: what is added there is kept apart from the rest.
    below, added = state.state_stack, [state.state_stack[-1]]
    depth = len(below) - 1
    while True:
        action, rule = states[added[-1]].get(name, (None, None))
        if action is None:
            return False
        if action is Shift:
            return True
        size = len(rule.expansion)
        if size < len(added):
            del added[len(added) - size :]
            top = added[-1]
        else:
            depth -= size - len(added)
            top = below[depth - 1]
            added = []
        goal = states[top][rule.origin.name][1]
        if not added:
            added = [goal]
        else:
            added.append(goal)
        if name == "$END" and goal == end_state:
            return True
