"""Things that are meant to lie somewhere, and never come there. Warnings, and only where there is little doubt.

Nothing is said where things of the kind could come from anywhere but a place: where a rule goes through all of them,
names one, or reads one from a fact or a state. Otherwise whatever a rule moves was in a place before, and all of them
are empty when play begins.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulescript.analysis.looking import Rule, deep, inside, rules_of, words_in
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import children
from rulescript.model.types import ListOf, Maybe, SetOf, ThingOf, Type

__all__ = ["check_things_never_in_play"]

_CLAIMS = ("invariant", "check")


def check_things_never_in_play(game: m.Game, reporter: Reporter) -> None:
    """Where rules look into places for things of a kind, some of them are at home there or come there."""
    for kind in game.kinds.values():
        if not kind.movable or kind.is_pieces or not kind.things or any(kind.homes):
            continue
        rules = [rule for rule in rules_of(game) if rule.sort not in _CLAIMS]
        read = next((x for rule in rules for x in inside(rule) if _looks_for(x, kind)), None)
        if read is None or _may_come(game, kind, rules):
            continue
        reporter.warning(
            "RS312", f"no {kind.name} ever comes into play: nothing says where they begin", kind.span,
            "no `home` under it", [Label(read.span, "always empty")],
            f"write `home PLACE` under `kind {kind.name}`, or move them there when the game is set up",
        )  # fmt: skip


def _looks_for(x: object, kind: m.Kind) -> bool:
    return isinstance(x, ir.ContentsX) and x.holds.kind is kind


def _may_come(game: m.Game, kind: m.Kind, rules: Iterable[Rule]) -> bool:
    """Whether a rule could have a thing of a kind from anywhere but a place."""
    kept = [state.type for state in game.every_state()]
    kept += [attr.type for other in game.kinds.values() for attr in other.attrs.values()]
    if any(_carries(type_, kind) for type_ in kept):
        return True
    names = {kind.name, *(thing.name for thing in kind.things), *(thing.copy_of for thing in kind.things)}
    others = (*game.all_options.values(), *game.all_scenarios.values(), *game.all_parts)
    if any(names & set(words_in(other.span.text)) for other in others):
        return True
    own = {
        id(x)
        for thing in kind.things
        for does in thing.does.values()
        for x in deep(does.blocks)
        if isinstance(x, ir.ThingLit) and x.kind is kind and x.index == thing.index
    }
    return any(_names_one(rule, kind, own) for rule in rules)


def _carries(type_: Type, kind: m.Kind) -> bool:
    while isinstance(type_, Maybe | SetOf | ListOf):
        type_ = type_.element
    return type_ == ThingOf(kind.name)


def _names_one(rule: Rule, kind: m.Kind, own: set[int]) -> bool:
    """Whether a rule goes through all things of a kind, or names one: not only to compare it, or itself."""
    parts = inside(rule)
    compared = {id(side) for x in parts if isinstance(x, ir.CompareX) for side in children(x)}
    return any(
        isinstance(x, ir.AllThings | ir.ThingLit) and x.kind is kind and id(x) not in compared and id(x) not in own
        for x in parts
    )
