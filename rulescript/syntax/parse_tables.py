"""The tables of Lark's parser, made in a fraction of the time: who reads a game for the first time waits for them.

Lark makes them of sets of objects that compare their names with each other; here symbols, places in rules and states
are numbers, and sets of terminals the bits of a number. The way is the one Lark goes (DeRemer and Pennello: what can
stand after a rule follows from where its name was gone over), so the tables are the same but for the numbers of their
states. Whatever is unusual in a grammar is left to Lark: two rules that end alike, or a name that nothing stands for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lark.grammar import NonTerminal, Rule
from lark.parsers.lalr_analysis import IntParseTable, Reduce, Shift
from lark.parsers.lalr_parser import LALR_Parser, _Parser

__all__ = ["QuickTables", "Unusual", "table_of"]

_END = "$END"


class Unusual(Exception):
    """A grammar with something in it that is for Lark to judge."""


class QuickTables(LALR_Parser):
    """Lark's parser with tables that are made here."""

    def __init__(self, parser_conf: Any, debug: bool = False, strict: bool = False) -> None:
        try:
            table: Any = table_of(parser_conf.rules, parser_conf.start)
        except Unusual:
            super().__init__(parser_conf, debug, strict)
            return
        self._parse_table = table
        self.parser_conf = parser_conf
        self.parser = _Parser(table, parser_conf.callbacks, debug)


def table_of(rules: Sequence[Rule], starts: Sequence[str]) -> IntParseTable:
    """The table of a grammar. `Unusual` if Lark has to look at it itself."""
    return _Tables(rules, starts).made()


class _Tables:
    def __init__(self, rules: Sequence[Rule], starts: Sequence[str]) -> None:
        # The rules by which a text begins come first; nobody ever reduces by them.
        roots = [Rule(NonTerminal(f"$root_{start}"), [NonTerminal(start)]) for start in starts]
        self.starts = list(starts)
        self.rules: list[Rule] = [*roots, *rules]
        self._number_symbols()
        # A place in a rule is the number of the first place of the rule, and how many symbols stand before it.
        self.after: list[int] = []  # by place: the symbol that stands there, -1 at the end of a rule
        self.rule_at: dict[int, int] = {}  # by the place at the end of a rule
        self.first: list[int] = []
        for number, expansion in enumerate(self.expansions):
            self.first.append(len(self.after))
            self.after += [*expansion, -1]
            self.rule_at[len(self.after) - 1] = number
        self.by_origin: dict[int, list[int]] = {}
        for number, origin in enumerate(self.origins):
            self.by_origin.setdefault(origin, []).append(number)
        if len({(o, tuple(e)) for o, e in zip(self.origins, self.expansions, strict=True)}) < len(self.rules):
            raise Unusual
        if any(not self.is_term[s] and s not in self.by_origin for e in self.expansions for s in e):
            raise Unusual
        self.nullable = self._nullable()
        self._closures: dict[int, frozenset[int]] = {}
        # By state: the places it was reached at, where each symbol leads, and the rules that may end there.
        self.goto: list[dict[int, int]] = []
        self.ended: list[list[int]] = []

    def _number_symbols(self) -> None:
        numbers: dict[tuple[bool, str], int] = {}
        self.origins = [numbers.setdefault((False, str(r.origin.name)), len(numbers)) for r in self.rules]
        self.expansions = [
            [numbers.setdefault((bool(s.is_term), str(s.name)), len(numbers)) for s in r.expansion] for r in self.rules
        ]
        self.end = numbers.setdefault((True, _END), len(numbers))
        self.is_term = [is_term for is_term, _ in numbers]
        self.names = [name for _, name in numbers]

    def _nullable(self) -> set[int]:
        """The symbols that may stand for nothing at all."""
        found: set[int] = set()
        is_new = True
        while is_new:
            more = {o for o, e in zip(self.origins, self.expansions, strict=True) if found.issuperset(e)}
            is_new, found = more > found, more
        return found

    def _closure(self, symbol: int) -> frozenset[int]:
        """What may stand first where a symbol stands: the symbols of rules, itself among them."""
        known = self._closures.get(symbol)
        if known is None:
            found, waiting = {symbol}, [symbol]
            while waiting:
                for rule in self.by_origin[waiting.pop()]:
                    one = self.after[self.first[rule]]
                    if one >= 0 and not self.is_term[one] and one not in found:
                        found.add(one)
                        waiting.append(one)
            known = self._closures[symbol] = frozenset(found)
        return known

    # -------------------------------------------------------------- states

    def _find_states(self) -> None:
        kernels = [frozenset({self.first[number]}) for number in range(len(self.starts))]
        known = {kernel: number for number, kernel in enumerate(kernels)}
        for kernel in kernels:  # which grows
            inside: set[int] = set()
            leads: dict[int, list[int]] = {}
            ended: list[int] = []
            places = list(kernel)
            for place in kernel:
                symbol = self.after[place]
                if symbol >= 0 and not self.is_term[symbol]:
                    inside |= self._closure(symbol)
            places += [self.first[rule] for origin in inside for rule in self.by_origin[origin]]
            for place in dict.fromkeys(places):
                symbol = self.after[place]
                if symbol < 0:
                    ended.append(self.rule_at[place])
                else:
                    leads.setdefault(symbol, []).append(place + 1)
            goto: dict[int, int] = {}
            for symbol, reached in leads.items():
                goal = frozenset(reached)
                number = known.get(goal)
                if number is None:
                    number = known[goal] = len(kernels)
                    kernels.append(goal)
                goto[symbol] = number
            self.goto.append(goto)
            self.ended.append(ended)

    # -------------------------------------------------------------- what may stand after a rule

    def _lookaheads(self) -> list[dict[int, int]]:
        """By state and rule, the terminals before which the rule ends there, as bits."""
        goto, is_term = self.goto, self.is_term
        crossed: dict[tuple[int, int], int] = {}  # where the name of a rule was gone over, numbered
        for state, leads in enumerate(goto):
            for symbol in leads:
                if not is_term[symbol]:
                    crossed[state, symbol] = len(crossed)
        follow: list[int] = []
        gives: list[list[int]] = [[] for _ in crossed]  # to whom what can follow is handed on
        for (state, symbol), number in crossed.items():
            after = goto[goto[state][symbol]]
            bits = sum(1 << s for s in after if is_term[s])
            if state < len(self.starts) and symbol == self.expansions[state][0]:
                bits |= 1 << self.end
            follow.append(bits)
            for empty in self.nullable.intersection(after):
                gives[crossed[goto[state][symbol], empty]].append(number)
        _hand_on(follow, gives)
        gives = [[] for _ in crossed]
        back: list[list[tuple[int, int]]] = []
        for (state, symbol), number in crossed.items():
            ends: list[tuple[int, int]] = []
            for rule in self.by_origin[symbol]:
                here, expansion = state, self.expansions[rule]
                for at, one in enumerate(expansion):
                    if not is_term[one] and self.nullable.issuperset(expansion[at + 1 :]):
                        gives[number].append(crossed[here, one])
                    here = goto[here][one]
                ends.append((here, rule))
            back.append(ends)
        _hand_on(follow, gives)
        out: list[dict[int, int]] = [{} for _ in goto]
        for number, found in enumerate(back):
            for state, rule in found:
                out[state][rule] = out[state].get(rule, 0) | follow[number]
        return out

    def made(self) -> IntParseTable:
        self._find_states()
        states: dict[int, dict[str, tuple[Any, Any]]] = {}
        names = self.names
        for state, ends in enumerate(self._lookaheads()):
            leads = self.goto[state]
            actions: dict[str, tuple[Any, Any]] = {names[symbol]: (Shift, goal) for symbol, goal in leads.items()}
            taken = sum(1 << symbol for symbol in leads if self.is_term[symbol])
            seen = 0
            for rule, bits in ends.items():
                if bits & seen:
                    raise Unusual  # two rules end here before the same word
                seen |= bits
                bits &= ~taken  # going on comes before ending a rule
                while bits:
                    low = bits & -bits
                    actions[names[low.bit_length() - 1]] = (Reduce, self.rules[rule])
                    bits ^= low
            states[state] = actions
        begins = {start: number for number, start in enumerate(self.starts)}
        goals = {start: self.goto[number][self.expansions[number][0]] for start, number in begins.items()}
        make: Any = IntParseTable  # it says nothing about its types
        table: IntParseTable = make(states, begins, goals)
        return table


def _hand_on(sets: list[int], gives: Sequence[Sequence[int]]) -> None:
    """Let each hand on its bits until nobody learns anything new."""
    waiting = list(range(len(sets)))
    while waiting:
        one = waiting.pop()
        bits = sets[one]
        for other in gives[one]:
            if bits & ~sets[other]:
                sets[other] |= bits
                waiting.append(other)
