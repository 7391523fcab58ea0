"""The page that lists every code with an example and its cure: `python -m
rulescript.diagnostics.errors_page`.

The catalogue comes in; docs/errors.md goes out, and a test keeps it up to date. The examples of names,
types and whole games are a few lines each, and stand in a small game of their own, the setting: what an
example declares takes the place of what the setting has under that name.
"""

from __future__ import annotations

import re

from rulescript.diagnostics.catalogue import CODES, Code

__all__ = ["SETTING", "errors_page", "in_setting"]

SETTING = """\
game "Salt and Iron"

rulebook "Salt and Iron"
    2    data        "The map and the tiles"
    3    definition  "Strength"
    4    procedure   "Movement"
    4.1  constraint  "Once a turn"
    4.2  constraint  "Fortresses"
    5    procedure   "Combat"
    6    procedure   "Cards"
    9    option      "Optional rules"

kind Side
    holds stock: Tile
    holds hand: Card, visible to it, count to others

things
    Side League
    Side Crown

players Side

values Arm: infantry, guns

kind Region: industry: int = 0, fortress: bool = no
    state control: Side = League
    holds tiles: Tile

pieces Tile: side: Side, arm: Arm
    state moved: bool, lasts movement
    home side.stock

kind Card: owner: Side, cost: int
    home owner.hand

things
    Card Raid    League, cost 2
    Card Levy    Crown, cost 3

map Coast
    link land
    Region Northmark  industry 2
    Region Saltmere  industry 1, fortress
    Region Oldfen
    land Northmark - Saltmere - Oldfen

counts Tile
    |        | infantry | guns |
    | League |    4     |  2   |
    | Crown  |    4     |  2   |

state active: Side

function enemy(s: Side) -> Side  §3
    if s == League then Crown else League

value strength(r: Region, s: Side) -> int  §3
    count(r.tiles[side == s])

route march(t: Tile on Region) from t.place by land, at most 2 steps  §4

phase movement "Movement"  §4
    repeat
        choose move: t in Region.tiles, r in Region "Move {t} to {r}"
            require t.side == active
            require not t.moved "once"  §4.1
            require r in march(t)
            move t to r
            t.moved = yes
        or stop "End movement"

phase combat "Combat"  §5
    for r in Region[fortress]
        if strength(r, active) > strength(r, enemy of active) + r.industry
            r.control = active

sequence
    place 2 League infantry in Northmark
    place 2 Crown infantry in Oldfen
    for active in Side
        movement
        combat
    end game, draw
"""

_NAMED = re.compile(
    r"(?:kind|pieces|values|map|state|holds|function|value|predicate|route|table|procedure|phase|signal)\s+(\w+)"
    r"|(sequence|players|game|rulebook|counts \w+)\b"
)


def _declarations(text: str) -> list[str]:
    """A text cut where something stands at the left margin."""
    return [part for part in re.split(r"\n(?=\S)", text.strip("\n")) if part.strip()]


def _names(text: str) -> set[str]:
    found = (_NAMED.match(part) for part in _declarations(text))
    return {match.group(1) or match.group(2) for match in found if match}


def in_setting(snippet: str) -> tuple[str, int]:
    """A whole game with the snippet in it, and the line at which the snippet begins."""
    own = _names(snippet)
    kept = [part for part in _declarations(SETTING) if not _names(part) & own]
    before = "rulescript 1\n\n" + "\n\n".join(part.strip("\n") for part in kept) + "\n\n"
    return before + snippet.strip("\n") + "\n", before.count("\n") + 1


def errors_page() -> str:
    """The whole page."""
    parts = [
        "# What rulescript may tell you",
        "<!-- Made by `python -m rulescript.diagnostics.errors_page`: change the catalogue instead. -->",
        "Every message has a code. `rulescript check --explain RS204` prints what stands here about one. "
        "Codes that begin with RS0 are about reading the text, RS1 about names, RS2 about what sort of thing "
        "a value is, RS3 about the whole game; RS9 are faults of ours. A code never changes its meaning.",
        "All mistakes are told at once, also where a line cannot be read; held back is only what that line may "
        "explain. That there is no such name is not said of a name that stands in what could not be read. That a "
        "value or a call does not fit is not said of what is declared there. What is said of a whole declaration (a "
        "gap in a table, no result on some path) waits if a line of it is lost, and what is said of the whole game "
        "(what is never reached or used, totals) if any is. Of a name that is unknown in very many places the first "
        "is shown, and how many there are.",
        "From RS101 on, the examples belong to [a small game](#the-setting-of-the-examples), printed at the "
        "end: what an example declares takes the place of what that game has under the same name.",
        *(_entry(code) for code in CODES.values()),
        "## The setting of the examples",
        _fence("rulescript 1\n\n" + SETTING.strip("\n")),
    ]
    return "\n\n".join(parts) + "\n"


def _entry(code: Code) -> str:
    parts = [f"## {code.code} {code.title}", f"*{code.slug}*", code.explanation]
    if code.example:
        parts += ["Wrong:", _fence(code.example), "Right:", _fence(code.cure)]
    return "\n\n".join(parts)


def _fence(text: str) -> str:
    return f"```text\n{text}\n```"


if __name__ == "__main__":
    import sys

    sys.stdout.write(errors_page())
