"""What can be said about examples without playing them: lines that cannot be read, and options, scenarios and
other examples that are not there. What a position or a line of play names is found out when it is run.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulescript.analysis.analyse import options_of
from rulescript.claims import steps as s
from rulescript.claims.problems import ClaimUnclear
from rulescript.claims.run import GameSource, option_named, scenario_named
from rulescript.diagnostics import Diagnostic, Reporter
from rulescript.loader import GameText

__all__ = ["check_examples"]


def check_examples(text: GameText) -> list[Diagnostic]:
    """The problems of all examples of a game, also of those inside options and scenarios."""
    source = GameSource(text)
    reporter = Reporter()
    options, scenarios = options_of(text)
    for found in source.found():
        plan, unreadable = source.read(found)
        reporter.extend(unreadable)
        withs = [*plan.withs, *(line for case in plan.cases for line in case.withs)]
        try:
            if not plan.body and not plan.cases and not unreadable:
                raise ClaimUnclear("this example expects nothing", plan.span)
            _check_withs(withs, options, scenarios)
            _check_given(plan, source, scenarios)
        except ClaimUnclear as problem:
            reporter.extend(problem.diagnostics(f"§{plan.cites[0]}" if plan.cites else None))
    return reporter.diagnostics


def _check_withs(withs: Iterable[s.With], options: Iterable[str], scenarios: Iterable[str]) -> None:
    for line in withs:
        for name in line.names:
            if line.what == "options":
                option_named(name, options)
            elif line.what == "scenario":
                scenario_named(name, scenarios)


def _check_given(plan: s.Plan, source: GameSource, scenarios: Iterable[str]) -> None:
    seen = {plan.title}
    given = plan.given
    if given is not None and given.base == "scenario":
        scenario_named(given.name_span, scenarios, given.name)
    while given is not None and given.base == "like":
        if given.name in seen:
            raise ClaimUnclear("these examples are like each other in a circle", given.name_span)
        seen.add(given.name)
        given = source.plan(given.name, given.name_span)[0].given
