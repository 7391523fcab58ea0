"""Asides that can be taken again in the middle of themselves.

The choices of an aside's own text never offer asides. But a procedure that it calls does, at every choice of
the same player, unless it is `closed`; if the aside itself (or one that leads back to it) is among those, it
can be begun again and again and never be finished.
"""

from __future__ import annotations

from typing import Any

from rulescript.analysis.looking import deep, rule_line, same
from rulescript.analysis.scope import first_line
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called
from rulescript.model.traverse import statements_in

__all__ = ["check_asides_within_themselves"]

Offer = tuple[m.Procedure, ir.ChooseS]
# Asides that are offered at the same choices: those of one player, or of anybody.
Group = Any


def check_asides_within_themselves(game: m.Game, reporter: Reporter) -> None:
    """No aside can be offered before it is done."""
    asides = _Asides(game)
    offers = {aside.name: asides.offered_in(aside) for aside in game.asides}
    for aside in game.asides:
        way = asides.way_back(aside.name, offers)
        if way is None:
            continue
        procedure, choose = offers[way[-1]][asides.group[aside.name]]
        through = "".join(f", by way of `{name}`" for name in way[1:])
        reporter.error(
            "RS314",
            f"`{aside.name}` can be taken again before it is done{through}",
            first_line(aside.span),
            "an aside",
            [Label(first_line(choose.span), "is offered at this choice")],
            f"mark `{procedure.name}` as `closed`, so that nothing is offered in the middle of it",
            rule_line(game, aside.cites),
        )


class _Asides:
    """The asides of a game in groups: there may be thousands of them, and as many choices at which all are offered."""

    def __init__(self, game: m.Game) -> None:
        self.group: dict[str, Group] = {x.name: _ANYBODY if x.chooser is not None else same(x.by) for x in game.asides}
        self.members: dict[Group, list[str]] = {}
        for name in sorted(self.group):
            self.members.setdefault(self.group[name], []).append(name)
        self._known: dict[int, tuple[list[m.Procedure], list[tuple[ir.ChooseS, list[Group]]]]] = {}

    def offered_in(self, aside: m.Aside) -> dict[Group, Offer]:
        """The groups that are offered while an aside is being done, each with a choice at which it is."""
        assert aside.procedure is not None
        out: dict[Group, Offer] = {}
        seen = {id(aside.procedure)}
        todo = [aside.procedure]
        while todo and len(out) < len(self.members):
            procedure = todo.pop()
            others, choices = self._inside(procedure)
            for choose, groups in choices:
                for group in groups:
                    out.setdefault(group, (procedure, choose))
            for other in others:
                if id(other) not in seen:
                    seen.add(id(other))
                    todo.append(other)
        return out

    def _inside(self, procedure: m.Procedure) -> tuple[list[m.Procedure], list[tuple[ir.ChooseS, list[Group]]]]:
        """What a procedure calls, and its choices at which asides are offered."""
        found = self._known.get(id(procedure))
        if found is None:
            statements = [s for block in procedure.blocks for s in statements_in(block)]
            choices = [s for s in statements if isinstance(s, ir.ChooseS) and _offers(procedure, s)]
            others = [other for s in statements for other in called(s)]
            found = self._known[id(procedure)] = others, [(s, self._offered_at(s.by)) for s in choices]
        return found

    def _offered_at(self, chooser: ir.X) -> list[Group]:
        """The groups whose player may be the one of a choice: it says the same, or play will tell."""
        if any(isinstance(part, ir.Local) for part in deep(chooser)):
            return list(self.members)
        return [group for group in (_ANYBODY, same(chooser)) if group in self.members]

    def way_back(self, start: str, offers: dict[str, dict[Group, Offer]]) -> list[str] | None:
        """The shortest way from an aside through others back to itself."""
        before: dict[str, str] = {}
        seen: set[Group] = set()
        names = [start]
        for name in names:
            if self.group[start] in offers[name]:
                way = [name]
                while way[0] != start:
                    way.insert(0, before[way[0]])
                return way
            new = [group for group in offers[name] if group not in seen]
            seen.update(new)
            for other in sorted(each for group in new for each in self.members[group]):
                before[other] = name
                names.append(other)
        return None


_ANYBODY: Group = "anybody"


def _offers(procedure: m.Procedure, choose: ir.ChooseS) -> bool:
    return not (procedure.no_asides or procedure.form == "aside" or choose.sealed or choose.any_of)
