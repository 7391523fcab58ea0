"""Citations that the rulebook's index does not have.

Only where the game has an index. An id must be listed itself: that its parent is listed is no help to a
player who looks it up.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from rulescript import nodes as n
from rulescript.analysis.active import under
from rulescript.analysis.looking import inside, rules_of
from rulescript.diagnostics import Reporter
from rulescript.diagnostics.spelling import nearest_names
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.source import Span

__all__ = ["check_citations", "citation_hint"]


def check_citations(game: m.Game, reporter: Reporter) -> None:
    """Every citation is a line of the index."""
    if not game.rulebook:
        return
    seen: set[tuple[str, Span]] = set()
    for cites, span in _cited(game):
        for ident in cites:
            if ident in game.rulebook:
                continue
            place = _place_of(ident, span)
            if (ident, place) in seen:
                continue
            seen.add((ident, place))
            reporter.error(
                "RS109",
                f"the rulebook has no rule §{ident}",
                place,
                "not in the index",
                hint=_own_rule(game, ident) or citation_hint(game.rulebook, ident),
            )


def _own_rule(game: m.Game, ident: str) -> str | None:
    """What to write where a chapter is cited that the rulebook does not have: it may be one of a variant's own."""
    chapter = re.split(r"[.\-]", ident)[0]
    chapters = {re.split(r"[.\-]", known)[0] for known in game.rulebook}
    if chapter in chapters or chapter.isdigit():
        return None
    near = nearest_names(chapter, sorted(chapters))
    if near:
        return None
    whose = "this variant" if len({depth for depth, _ in game.levels.values()}) > 1 else "this game"
    return f'if it is a rule of {whose}\'s own, list it: `rulebook "..."`, and under it `{ident}  rule  "..."`'


def citation_hint(index: Collection[str], ident: str) -> str | None:
    """The numbers of an index that may have been meant."""
    below = [known for known in index if under(known, ident)]
    near = nearest_names(ident, list(index)) or below
    parent = ident
    while not near and parent:
        # Nothing is spelt like it: what stands under the same chapter is the next best guess.
        parent = re.sub(r"[.\-]?[^.\-]*$", "", parent)
        near = [known for known in index if under(known, parent)]
    if not near:
        return None
    return f"did you mean §{near[0]}?" if len(near) == 1 else f"one of: {', '.join('§' + x for x in near[:4])}"


def _place_of(ident: str, span: Span) -> Span:
    """The citation itself: in the statement, on its line, or at the heading that gave it."""
    source = span.source
    pattern = re.compile(rf"[§@]\s?{re.escape(ident)}(?![\w.\-])")
    for start, end in (
        (span.start, span.end),
        (source.line_start(span.line), source.line_end(span.end_line)),
    ):
        found = pattern.search(source.text, start, end)
        if found:
            return source.span(found.start(), found.end())
    if source.original is not source.text:
        # In a literate file the heading around it may give the rule: `## 4.7 Planning`.
        heading = re.compile(rf"(?m)^ {{0,3}}#{{1,6}}[ \t]+[§@]?\s?(?P<ident>{re.escape(ident)})(?![\w.\-]*\w)")
        headings = [found for found in heading.finditer(source.original, 0, span.start)]
        if headings:
            return source.span(*headings[-1].span("ident"))
    above = [found for found in pattern.finditer(source.text, 0, span.start)]
    return source.span(above[-1].start(), above[-1].end()) if above else span


def _cited(game: m.Game) -> Iterable[tuple[tuple[str, ...], Span]]:
    for rule in rules_of(game):
        yield rule.cites, rule.span
        for part in inside(rule):
            if isinstance(part, ir.S | ir.Clause | ir.Alt):
                yield part.cites, part.span
            if isinstance(part, ir.Clause):
                for _, cites in part.lifted:
                    yield cites, part.span
    for table in game.tables.values():
        for row in table.rows:
            yield row.cites, row.span
    for signal in game.signals.values():
        yield signal.cites, signal.span
        for reaction in signal.reactions:
            yield reaction.cites, reaction.span
    for state in game.every_state():
        yield state.cites, state.span
    for holds in game.every_place():
        yield holds.cites, holds.span
    for kind in game.kinds.values():
        yield kind.cites, kind.span
        yield from kind.line_cites
        for thing in kind.things:
            yield thing.cites, thing.span
        for span, cites, _ in kind.link_info.values():
            yield cites, span
    for option in (*game.all_options.values(), *game.all_scenarios.values()):
        yield option.cites, option.name.span
    for part in game.all_parts:
        yield part.cites, part.names[0].span
    for example, _ in game.examples:
        yield example.cites, _first_line(example)
    for map_ in game.maps:
        yield map_.cites, map_.name.span


def _first_line(node: n.Example) -> Span:
    source = node.span.source
    return source.span(node.span.start, source.line_end(node.span.line))
