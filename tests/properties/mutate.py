"""Good rules made bad at random: what a slipping hand, a lost line or a stranger's file could look like.

In come texts that can be read and a random generator; out comes an endless stream of damaged ones. Shared by
the property tests and by fuzzing, so it needs nothing but the standard library.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random

__all__ = ["SNIPPETS", "mutations"]

SNIPPETS = (
    """\
rulescript 1

game "Two Rivers", version "1.2"
    builds on river_war
    by "Ann Author"

include "map.rules"

rulebook "Two Rivers"
    4.6.3  constraint  "Leaving a contested town"
    A.1-b  procedure   "Supply"
""",
    """\
values Terrain: clear, rough "Rough ground", marsh          §2.1

kind Region: nation: Nation, capital: bool = no, industry: int = 0       §2.1
    state control: Side = North
    holds tiles: Tile, ordered, visible to it, count to others

pieces Tile: strength: int
    home nation.side.box
    has speed: int = 2
    text "{nation} tile"
    does play(r: Region)
""",
    """\
things
    Nation Ruritania  North, adjective "Ruritanian"
    Card Raid "The Raid", North, year 1915, not late, 2 in North.deck          §15.2
        "Once, in the enemy's turn."
        play
            vp += 1

map Valley                                          §2.1
    link road, river
    Region Mill  Ruritania, industry 2, at 48.9N 2.3E
    road Mill - Bridge - Castle  §2.3 reconstructed "the map shows it"
    river Mill -> Sea

counts Tile in nation.side.box                      §2.2
    |           | infantry | artillery |
    | Ruritania |    7     |     5     |

players Side
    2: North + South, East
""",
    """\
function strength(a: Area, s: Side) -> int           §5.3
    count(a.units[side == s]) + (if a.fort then 2 else 0)

predicate stacks_legally(a: Area)                    §6.2.5
    require size(nations(a)) <= 1  "one nation"
    require every u in a.units, v in a.units: u.side == v.side or u is Spy

route march(t: Tile on Region) from t.place by road, river, at most 2 steps    §4.6.2
    enter b
        require b.control != nothing                 §2.6
    step a to b
        require not (a.marsh and b.marsh)

table losses(die: int, strength: int) -> int         §7.2
    |           | 0..1 | 2 | 3 |
    | 1         |  0   | 0 | 1 |
    | 5+        |  1   | 1 | 2 | unless winter
    | otherwise |  1   | 1 | 2 |
""",
    """\
phase movement "Tile movement"                       §4.6
    "Tiles in supply may move once."
    repeat while some active.tiles[not moved]
        choose march: t in active.tiles, r in Region "Move {t} to {r}"     §4.6
            require r in march(t)  "must be reachable"  peeks       §4.6.2
            move t to r
            t.moved = yes
        or choose up to 2 from active.hand as spent
            move spent to bottom of discard
        or stop "End movement"
    for r in Region[capital]
        let gain = r.industry * 3 / 2 rounded up
        if gain > 3 and r.control not in {North, South}
            vp += gain at most 5
        else if gain == 0
            tell "Nothing from {r}"
        else
            vp -= 1
    roll dice(r) d6 as rolled                        §4.8
    draw 7 from pouch to reserves as drawn
    place 2 Ruritanian infantry, 1 Ruritanian artillery in Mill
    end game, most Side by vp wins "by points"       §9

procedure battle(r: Region) -> Result, closed         §4.8
    together
        North: choose 2 from r.units[side == North] as lost
        South: choose any number from r.units[side == South] as kept
    each p in Power sealed
        may choose by p c in p.hand
            reveal c to North
    return sum(u.strength for u in r.units if u.side == North)
""",
    """\
option trenches "Trenches", needs tanks, excludes fog     §17
    adjust dice(r) add 1 cap 6 when r.rough  "Rough ground"      §7.1, after tanks
    restrict movement.march when first_turn        §6.1
        require r.control != enemy of active
    extend movement.march
        or choose fly: t in Tile "Send {t} to the field"
    exception to movement.march §4.6.3 when r.port         §14.2
    before battle(r) when r.fort                           §9.1
        signal shelled(r)
    when built(a) if a.side == North once a turn            §12
        vp += 1
    whenever some a in Army: a.empty and a.area.disputed   §8.1
        move a to box
    replace function strength(a: Area) -> int
        3
    amend Mill: industry 3, not port                       §19.2

invariant "Never two armies in a square", at end of movement      §2.1.8
    every q in Square: count(q.armies) <= 1

check "Industry at the start" §3.8
    sum(r.industry for r in Region[control == North]) == 7

example "Only the strongest nation rolls"               §4.8.2-a
    given empty, turn Fall
        Mill: 2 Ruritanian infantry, (what you will
    expect
        Mill.control == North
""",
)

# Letters, signs and invisible things from near and far.
_STRANGE = "é§–—“”’ \u00a0\u200b\u2028\ufeff\x00\x0c\r\t\x85٣²ßİ中🎲́\u202e;%$?\\'`~^!&|#\"()[]{}<>=+-*/.,:@"
_WORDS = [
    "if", "else", "or", "for", "in", "choose", "require", "phase", "kind", "map", "table", "while", "elif",
    "then", "3", "3.5", "->", "==", "=", ":", "§", "§4.6", '"', "'", "(", ")", "[", "]", "yes", "no",
    "nothing", "not", "and", "some", "every", "move", "to", "from", "as", "d6", "2d6", "|", "..", ",",
    "example", "things", "option",
]  # fmt: skip
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def _somewhere(size: int, rng: Random) -> int:
    return rng.randrange(size) if size else 0


def _change_tokens(text: str, rng: Random) -> str:
    tokens = _TOKEN.findall(text)
    at, other = _somewhere(len(tokens), rng), _somewhere(len(tokens), rng)
    if not tokens:
        return rng.choice(_WORDS)
    match rng.randrange(4):
        case 0:
            del tokens[at]
        case 1:
            tokens.insert(at, tokens[other])
        case 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case _:
            tokens.insert(at, f" {rng.choice(_WORDS)} ")
    return "".join(tokens)


def _change_characters(text: str, rng: Random) -> str:
    at = _somewhere(len(text) + 1, rng)
    match rng.randrange(4):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[:at] + text[at : at + 1] * 2 + text[at + 1 :]
        case 2:
            return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
        case _:
            strange = rng.choice(_STRANGE) if rng.random() < 0.8 else chr(rng.randrange(1, 0xD800))
            return text[:at] + strange + text[at + rng.randrange(2) :]


def _change_lines(text: str, rng: Random) -> str:
    lines = text.split("\n")
    at, other = _somewhere(len(lines), rng), _somewhere(len(lines), rng)
    match rng.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = " " * rng.randrange(9) + lines[at].lstrip()
        case _:
            lines[at : at + 2] = [" ".join(lines[at : at + 2])]
    return "\n".join(lines)


def _cut(text: str, rng: Random) -> str:
    start = _somewhere(len(text), rng)
    return text[start : start + rng.randrange(400)] if rng.random() < 0.5 else text[:start]


_CHANGES: tuple[Callable[[str, Random], str], ...] = (
    *(_change_tokens,) * 4,
    *(_change_characters,) * 4,
    *(_change_lines,) * 3,
    _cut,
)


def mutations(texts: Sequence[str], rng: Random) -> Iterator[str]:
    """Damaged texts without end: one change mostly, sometimes a dozen, sometimes two texts run together."""
    while True:
        text = rng.choice(texts)
        if rng.random() < 0.1:
            text += rng.choice(texts)
        for _ in range(1 if rng.random() < 0.5 else rng.randrange(2, 13)):
            text = rng.choice(_CHANGES)(text, rng)
        yield text
