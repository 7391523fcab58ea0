"""Asides that can be taken again in the middle of themselves.

The choices of an aside's own text never offer asides. But a procedure that it calls does, at every choice of
the same player, unless it is `closed`; if the aside itself (or one that leads back to it) is among those, it
can be begun again and again and never be finished.
"""

from __future__ import annotations

from rulescript.analysis.checks.looking import deep, rule_line, same
from rulescript.analysis.scope import first_line
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called
from rulescript.model.traverse import statements_in

__all__ = ["check_asides_within_themselves"]

Offer = tuple[m.Procedure, ir.ChooseS]


def check_asides_within_themselves(game: m.Game, reporter: Reporter) -> None:
    """No aside can be offered before it is done."""
    offers = {aside.name: _offered_in(game, aside) for aside in game.asides}
    for aside in game.asides:
        way = _way_back(aside.name, offers)
        if way is None:
            continue
        procedure, choose = offers[way[-1]][aside.name]
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


def _offered_in(game: m.Game, aside: m.Aside) -> dict[str, Offer]:
    """The asides that are offered while one is being done, each with a choice at which it is."""
    assert aside.procedure is not None
    out: dict[str, Offer] = {}
    seen = {id(aside.procedure)}
    todo = [aside.procedure]
    while todo:
        procedure = todo.pop()
        for statement in (s for block in procedure.blocks for s in statements_in(block)):
            for other in called(statement):
                if id(other) not in seen:
                    seen.add(id(other))
                    todo.append(other)
            if isinstance(statement, ir.ChooseS) and _offers(procedure, statement):
                for each in game.asides:
                    if each.chooser is not None or _may_be(statement.by, each.by):
                        out.setdefault(each.name, (procedure, statement))
    return out


def _offers(procedure: m.Procedure, choose: ir.ChooseS) -> bool:
    return not (procedure.no_asides or procedure.form == "aside" or choose.sealed or choose.any_of)


def _may_be(chooser: ir.X, by: ir.X) -> bool:
    """Whether a choice may be one of the player who takes the aside: it says the same, or play will tell."""
    return bool(same(chooser) == same(by)) or any(isinstance(part, ir.Local) for part in deep(chooser))


def _way_back(start: str, offers: dict[str, dict[str, Offer]]) -> list[str] | None:
    """The shortest way from an aside through others back to itself."""
    ways = [[start]]
    seen: set[str] = set()
    for way in ways:
        for name in sorted(offers[way[-1]]):
            if name == start:
                return way
            if name not in seen:
                seen.add(name)
                ways.append([*way, name])
    return None
