"""How a map is drawn, said twice, or with a file that cannot be meant.

The files themselves are looked at when the reference is printed: a game is played without them.
"""

from __future__ import annotations

import posixpath
import re

from rulescript import nodes as n
from rulescript.analysis.looking import rule_line
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m

__all__ = ["check_drawings"]

_ENDINGS = {"shapes": (".geojson", ".json"), "picture": (".png", ".jpg", ".jpeg")}


def check_drawings(game: m.Game, reporter: Reporter) -> None:
    """Each way to draw a map is said once, names a file of the game's folder, and has the places it needs."""
    is_real = any(line.what == "coordinates" for map_ in game.maps for line in map_.drawn)
    for map_ in game.maps:
        first: dict[str, n.DrawnLine] = {}
        for line in map_.drawn:
            again = first.setdefault(line.what, line)
            if again is not line:
                reporter.error(
                    "RS237", f"the {line.what} of {map_.name} are said twice", line.span, "again",
                    others=[Label(again.span, "first here")], hint="leave out one of the two lines",
                    rule=rule_line(game, map_.cites),
                )  # fmt: skip
                continue
            found = _wrong(line, map_)
            if found is None and line.what == "shapes" and not is_real:
                found = f"the shapes of {map_.name} need real coordinates to stand on", "add a line `coordinates real`"
            if found is not None:
                reporter.error("RS237", found[0], line.span, hint=found[1], rule=rule_line(game, map_.cites))


def _wrong(line: n.DrawnLine, map_: n.MapDecl) -> tuple[str, str] | None:
    """What is wrong with a line, and something to type."""
    if line.what == "coordinates":
        lost = [t.name.text for t in map_.things if not t.is_box and not any(i.form == "at" for i in t.items)]
        if lost:
            return f"the coordinates of {map_.name} are real, but {lost[0]} has none", "add its place: `at 48.9N 2.3E`"
        return None
    endings = _ENDINGS[line.what]
    name = posixpath.basename(line.file)
    if not line.file.lower().endswith(endings) or name in endings:
        told = f"`{line.file}` is no file for {line.what}: its name should end in {' or '.join(endings)}"
        return told, f'{line.what} "map{endings[0]}"'
    if line.file.startswith(("/", "~")) or "\\" in line.file or re.match(r"\w+:", line.file):
        return f"`{line.file}` is not a path within the game's folder", f'{line.what} "{name}"'
    if any(part in ("..", ".") or part.startswith(".") for part in line.file.split("/")):
        return f"`{line.file}` leads out of the game's folder or to a hidden file", f'{line.what} "{name}"'
    if line.what == "picture":
        letters = "".join(corner[-1].upper() for corner in line.corners)
        if not re.fullmatch(r"([NS][EW]){2}", letters):
            return "each corner is a place: first north or south, then east or west", "from 60N 10W to 35N 45E"
    return None
