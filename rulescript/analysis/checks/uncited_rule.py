"""Rules that do not say where in the rulebook they stand. A warning, and only where the game has an index, or for
a variant's own rules: where the variant has one."""

from __future__ import annotations

from rulescript.analysis.looking import inside, rules_of
from rulescript.analysis.scope import first_line
from rulescript.diagnostics import Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.source import Span

__all__ = ["check_uncited_rules"]

# How a designer calls them; what is not here needs no citation of its own.
_SORTS = {
    "function": "function",
    "value": "value",
    "predicate": "predicate",
    "route": "route",
    "table": "table",
    "procedure": "procedure",
    "phase": "phase",
    "aside": "aside",
    "adjust": "adjustment",
    "hook": "amendment",
    "whenever": "rule",
}


def check_uncited_rules(game: m.Game, reporter: Reporter) -> None:
    """Every rule, and every requirement of a choice, has a citation of its own or from around it."""
    if not game.rulebook:
        return
    indexed = max(game.file_levels.get(line.span.source.name, 0) for line in game.rulebook.values())
    for rule in rules_of(game):
        if game.file_levels.get(rule.span.source.name, 0) > indexed:
            continue  # what a variant without an index of its own adds stands in no rulebook
        if rule.sort in _SORTS and not rule.cites:
            name = f" `{rule.name}`" if rule.name and rule.sort not in ("adjust", "hook") else ""
            _warn(reporter, f"{_SORTS[rule.sort]}{name} does not say where in the rulebook it stands", rule.span)
            continue
        for part in inside(rule):
            if isinstance(part, ir.Clause) and not part.cites and part.span.text.lstrip().startswith("require"):
                _warn(reporter, "a player whose move this forbids cannot be shown the rule", part.span)


def _warn(reporter: Reporter, message: str, span: Span) -> None:
    reporter.warning(
        "RS307",
        message,
        first_line(span),
        "no citation",
        hint="write its number at the end of the line: `§4.6`",
    )
