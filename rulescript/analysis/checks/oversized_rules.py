"""Rules that become too many when the game is compiled. Three things are written more than once then: a phase
wherever it stands in the sequence or in another phase, a look at each `whenever` after each statement that changes what
it reads, and what each thing does wherever one of them does it. Each may be multiplied by the others; no printed game
comes near the limit. What becomes much more code than a statement counts as several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulescript.analysis.scope import first_line
from rulescript.diagnostics import Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import statements_in
from rulescript.source import Span

__all__ = ["MOST_STATEMENTS", "check_oversized_rules"]

MOST_STATEMENTS = 60_000
# What a way to choose counts besides, one that takes several at once, and a `whenever`.
A_WAY = 2
SEVERAL = 32
A_LOOK = 3


def check_oversized_rules(game: m.Game, reporter: Reporter) -> None:
    """Report the place where the rules of a game, written out, are more than can be compiled."""
    found = _Written(game).largest()
    if found is None:
        return
    span, label, hint = found
    message = f"written out, the rules of this game are more than {MOST_STATEMENTS:,} statements"
    reporter.error("RS323", message, first_line(span), label, hint=hint)


class _Written:
    """How many statements the rules of a game are when they are compiled."""

    def __init__(self, game: m.Game) -> None:
        from rulescript.model.effects import Effects, Key

        self.game = game
        self.effects = Effects(game)
        self.readers: Counter[Key] = Counter()
        for rule in game.whenevers:
            keys = self.effects.reads(rule.condition)
            self.readers.update(keys | self.effects.reads(rule.source) if rule.source is not None else keys)
        self._phases: dict[int, int] = {}
        self.looks = 0
        self.done = 0
        # Where one of the most things does something, and of how many.
        self.worst: tuple[int, Span] | None = None

    def largest(self) -> tuple[Span, str, str] | None:
        """What makes the rules too many: its place, a label and a hint; None if they are not."""
        many = len(self.game.whenevers)
        total = A_LOOK * many + sum(self._one(procedure) for procedure in self._outside())
        if (A_LOOK * many + self.looks) * 2 > total > MOST_STATEMENTS:
            label = f"{many} of these, looked at {self.looks:,} times: after each statement that changes what they read"
            return self.game.whenevers[0].span, label, "say in the procedures themselves what happens then"
        for procedure in self.game.procedures.values():
            if procedure.form == "phase" and self._phase(procedure) > MOST_STATEMENTS:
                label = f"a phase of {_many(self._phase(procedure))} statements, with the phases in it"
                return procedure.span, label, "make procedures of phases that stand in several places"
        if total <= MOST_STATEMENTS:
            return None
        if self.worst is not None and self.done * 2 > total:
            many, span = self.worst
            return span, f"one of {many:,} things does it here", "do it in one procedure, and call that"
        procedure = max(self._outside(), key=self._one)
        return procedure.span, f"{_many(self._one(procedure))} statements", "make procedures of what is there twice"

    def _outside(self) -> Iterator[m.Procedure]:
        """What is not written anywhere else."""
        return (procedure for procedure in self.game.every_procedure() if procedure.form != "phase")

    def _phase(self, phase: m.Procedure) -> int:
        if id(phase) not in self._phases:
            self._phases[id(phase)] = 1  # while we look: a phase within itself is told elsewhere
            self._phases[id(phase)] = self._one(phase)
        return self._phases[id(phase)]

    def _one(self, procedure: m.Procedure) -> int:
        return 1 + sum(self._statement(s) for block in procedure.blocks for s in statements_in(block))

    def _statement(self, statement: ir.S) -> int:
        match statement:
            case ir.CallS(procedure=procedure) if procedure.form == "phase":
                return 1 + self._phase(procedure)
            case ir.DoesS(kind=kind, name=name):
                many = sum(name in thing.does for thing in kind.things)
                if self.worst is None or many > self.worst[0]:
                    self.worst = (many, statement.span)
                self.done += many
                return 1 + many
            case ir.ChooseS(alts=alts):
                return 1 + A_WAY * len(alts) + sum(SEVERAL for alt in alts if alt.many is not None)
        looks = sum(self.readers[key] for key in self.effects.own_writes(statement)) if self.readers else 0
        self.looks += looks
        return 1 + looks


def _many(number: int) -> str:
    """A number in words: beyond a million it does not matter how large."""
    return f"{number:,}" if number < 1_000_000 else "more than a million"
