"""Whether the rules of a game are the same as before: who mends a sentence of the prose has changed none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulescript import nodes as n
from rulescript.analysis.analyse import chain_of

if TYPE_CHECKING:
    from rulescript.loader import GameText
    from rulescript.source import Span

__all__ = ["rules_of"]


def rules_of(text: GameText, examples: bool = False, in_place: bool = False) -> list[str]:
    """The text of the rules: without prose and empty lines, and without examples unless they are asked for. Where a
    line stands makes no difference (unless `in_place`), but under which heading does."""
    out: list[str] = []
    for game in chain_of(text):
        cut: dict[str, list[Span]] = {}
        for piece in game.pieces:
            if examples or not isinstance(piece.declaration, n.Example):
                out.append(" ".join(piece.cites))
            inside = getattr(piece.declaration, "declarations", ())
            for each in (piece.declaration, *inside):
                if isinstance(each, n.Example) and not examples:
                    cut.setdefault(each.span.source.name, []).append(each.span)
        for file in game.files:
            out.append(file.name)
            at = 0
            ends = sorted((span.start, span.end) for span in cut.get(file.name, ()))
            for start, end in (*ends, (len(file.text), len(file.text))):
                first = file.line_of(at) if in_place else 0
                lines = [each.rstrip() for each in file.text[at:start].split("\n")]
                out += [f"{first + n} {line}" if in_place else line for n, line in enumerate(lines) if line]
                at = max(at, end)
    return out
