"""What comes out of reading a game: its declarations, in order, and where they stand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field, frozen

from rulescript.source import SourceFile

if TYPE_CHECKING:
    from rulescript.nodes import Declaration, GameDecl

__all__ = ["GameText", "Piece"]


@frozen
class Piece:
    """A declaration, the rule its heading names, and the game whose text it stands in."""

    declaration: Declaration
    cites: tuple[str, ...]
    origin: str


@frozen(eq=False)
class GameText:
    """A game as it was written. What it builds on is kept apart, in `base`.

    `folder` is where the main file lies, and None for text that came from no file. `content_key` changes
    whenever the text of the game or of a game below it does.
    """

    ident: str
    title: str
    folder: Path | None
    base: GameText | None
    pieces: tuple[Piece, ...] = field(repr=False)
    files: tuple[SourceFile, ...] = field(repr=False)
    content_key: str
    game: GameDecl | None = field(repr=False)
