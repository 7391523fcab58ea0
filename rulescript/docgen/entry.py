"""One declaration of a game, ready to be drawn: what `entries.py` makes and the templates show."""

from __future__ import annotations

from attrs import define, field

from rulescript.docgen.grids import Grid
from rulescript.docgen.lines import Line
from rulescript.source import Span

__all__ = ["Entry"]


@define
class Entry:
    """One declaration, ready to be drawn.

    `form` is the sort of declaration (phase, function, option ...), `name` what the rules call it, `key` what `uses`
    of lines refer to. `children` are the declarations of an option. `example` is the title of an example. `was` is what
    it changes, as it stands without it. `is_truth`: it is a rule that says yes or no."""

    form: str
    name: str
    title: str
    span: Span
    cites: tuple[str, ...] = ()
    doc: str = ""
    lines: list[Line] = field(factory=list)
    grids: list[Grid] = field(factory=list)
    children: list[Entry] = field(factory=list)
    reconstructed: str = ""
    origin: str = ""
    anchor: str = ""
    key: str = ""
    example: str = ""
    note: str = ""
    kind: str = ""
    anchors: tuple[str, ...] = ()
    was: Entry | None = None
    is_truth: bool = False
