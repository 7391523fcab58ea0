"""Spaces of a map that no link leads to or from.

A box beside the map can be of the same kind as the spaces: declared with `box`, or under `things` rather than
under `map`, it is not expected to have links.
"""

from __future__ import annotations

from rulescript.analysis.looking import rule_line
from rulescript.diagnostics import Reporter
from rulescript.model import game as m

__all__ = ["check_isolated_spaces"]


def check_isolated_spaces(game: m.Game, reporter: Reporter) -> None:
    """Every space on a map has a link, of any sort, in or out."""
    on_maps = {(line.kind.text, line.name.text) for map_ in game.maps for line in map_.things}
    for kind in game.kinds.values():
        linked: set[int] = set()
        for table in kind.links.values():
            for at, near in enumerate(table):
                if near:
                    linked |= {at, *near}
        if not linked:
            continue
        for space in kind.things:
            if space.index not in linked and not space.is_box and (kind.name, space.name) in on_maps:
                link = f"{next(iter(kind.links))} {space.name} - ..."
                reporter.error(
                    "RS306",
                    f"no link leads to or from {space.name}",
                    space.span,
                    "isolated",
                    hint=f"add a link such as `{link}`, or write `box {kind.name} {space.name}` if it is one",
                    rule=rule_line(game, space.cites),
                )
