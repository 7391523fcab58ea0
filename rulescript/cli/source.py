"""The text of a rule, found again in the game's files: for somebody at the table who asks what it says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulescript.errors import RulescriptError

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["rule_source"]

MOST_LINES = 24


def rule_source(game: Game, file: str, line: int) -> list[str]:
    """The statement that begins on a line, with what is indented under it and its `or` branches. Empty if
    the file is not to be had, as for a game that was compiled elsewhere."""
    path = _find(game, file)
    if path is None:
        return []
    try:
        lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    except OSError:
        return []
    if not 1 <= line <= len(lines):
        return []
    first = lines[line - 1]
    margin = len(first) - len(first.lstrip())
    out = [first[margin:]]
    for text in lines[line:]:
        indent = len(text) - len(text.lstrip())
        if text.strip() and indent <= margin and not (indent == margin and text.strip().startswith("or ")):
            break
        out.append(text[margin:])
        if len(out) > MOST_LINES:
            out.append("...")
            break
    while out and not out[-1].strip():
        out.pop()
    return out


def _find(game: Game, file: str) -> Path | None:
    """The file among those the game is made of: the one whose path ends most like the name."""
    from rulescript.loader import content_key_of

    if game.where is None:
        return None
    try:
        _, paths = content_key_of(game.where[0])
    except (RulescriptError, OSError):
        return None
    wanted = Path(file).parts
    best: tuple[int, Path] | None = None
    for path in paths:
        same = 0
        for mine, theirs in zip(reversed(path.parts), reversed(wanted), strict=False):
            if mine != theirs:
                break
            same += 1
        if same and (best is None or same > best[0]):
            best = (same, path)
    return best[1] if best is not None else None
