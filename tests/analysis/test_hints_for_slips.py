"""Slips of a designer's, each with the place at fault and something to type: one report, and no noise after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript.diagnostics import Diagnostic, Reporter
from rulescript.errors import GameInvalid
from rulescript.loader import load_single, load_text
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Slips", version "1"
rulebook "Slips"
    1    section  "One"
    5    section  "Five"
    5.1  section  "Five one"
values Terrain: open, woods, marsh
values Arm: foot, horse
kind Side  §1
    state vp: int
    state ready: bool
    holds pool: Unit
    holds deck: Card
    holds used: Card, count to others
kind Town: terrain: Terrain = open, worth: int = 1  §1
    holds units: Unit
pieces Unit: side: Side, arm: Arm  §1
    state moved: bool, lasts movement
    home side.pool
    hidden when moved, known to side
kind Card: side: Side, worth: int = 1  §1
    home side.deck
    does play(s: Side)
things  §1
    Side North
    Side South
    Card Raid  North, worth 2
        play
            s.vp += this.worth
    Card Levy  South
        play
            s.ready = yes
players Side
    2: North, South
    1: North + South
map Land  §1
    link road, ferry
    Town Mill
    Town Ford  woods, worth 2
    road Mill - Ford
    ferry Mill - Ford
counts Unit  §1
    |       | foot | horse |
    | North |    3 |     1 |
    | South |    3 |     1 |
state active: Side  §1
state ground: Terrain = marsh  §1
option mud "Mud"  §5
    adjust pay add 1
option fog "Fog", needs mud  §5
    adjust pay add 1
value pay -> int  §5.1
    1
function enemy(s: Side) -> Side  §1
    if s == North then South else North
function score(s: Side) -> int  §5
    s.vp + pay()
route march(u: Unit on Town) from u.place by road, at most 2 steps  §1
    enter b
        require b.terrain != ground "bad going"  §1
phase movement  §1
    place 2 North foot in Mill
    choose go: u in Town.units[side == active], t in Town "March {u} to {t}"  §1
        require t in march(u) "too far"
        move u to t
        u.moved = yes
        active.vp += score(active) + count(t.units)
    or choose card: c in active.deck "Play {c}"
        move c to active.used
        c.play(active)
    or pass
    if active.ready
        active.vp += 1
sequence  §1
    for active in Side
        movement
        tell "{enemy(active)} waits"
    end game, draw
"""

# What is written, what is written instead, the text that is pointed at, and what is hinted at.
SLIPS = [
    # What can be read, and was surely not meant.
    ("s.vp += this.worth", "s.vp =- this.worth", "=-", "write `s.vp -= this.worth` to take away"),
    ("s.vp += this.worth", "s.vp =-this.worth", "=-", "or `s.vp = -this.worth` to set it below zero"),
    ("active.vp += score(active) + count(t.units)", "active.vp += yes", "yes", "write `1`"),
    ("active.vp += score(active) + count(t.units)", "active.vp += active.ready", "active.ready", "then 1 else 0"),
    ("s.ready = yes", "s.ready = s.vp", "s.vp", "`s.vp > 0`"),
    ("if active.ready", "if active.vp", "active.vp", "`active.vp > 0`"),
    ("if active.ready", "if active.deck", "active.deck", "`some active.deck`"),
    ("active.vp += score(active) + count(t.units)", "active.vp += t.units", "t.units", "`count(t.units)`"),
    ("u.moved = yes", "u.moved == yes", "u.moved == yes", "`u.moved = yes`"),
    ("needs mud", "needs snow", "snow", "mud, fog"),
    ("needs mud", "needs mdu", "mdu", "did you mean `mud`?"),
    ('option fog "Fog", needs mud  §5\n', 'option fog "Fog"  §5\n    needs mud\n', "needs mud", "option ..."),
    ("phase movement  §1", 'phase movement "Movement":', ":", "take the `:` away"),
    ("phase movement  §1", "phase movement:", ":", "take the `:` away"),
    ("link road, ferry", "link road ferry", "ferry", "link road, ferry"),
    ("1: North + South", "1: North and South", "and", "North + South"),
    ("function enemy(s: Side)", "function enemy(Side s)", "s", "`s: Side`"),
    ("if s == North then", "if s = North then", "=", "if s == North then"),
    ("    if s == North then South else North", "    if s == North then South", "then", "else ..."),
    ('require t in march(u) "too far"', 'require t in march(u), "too far"', ",", "take the `,` away"),
    ("by road, at most 2 steps", "by road at most 2 steps", "at", "`road, at most 2 steps"),
    ("does play(s: Side)", "does play s: Side", "s", "`does play(s: Side)`"),
    ("hidden when moved", "hidden if moved", "if", "`hidden when moved"),
    ("state moved: bool, lasts", "state moved, lasts", ",", "state moved: bool, lasts movement"),
    ("Ford  woods, worth 2", "Ford  woods worth 2", "2", "woods, worth 2"),
    ("adjust pay add 1\noption", "adjust pay plus 1\noption", "plus", "`add 1`"),
    ("worth: int = 1  §1\n    home", "worth: int = yes  §1\n    home", "yes", "write `1`"),
    ("home side.deck", "home side.dek", "side.dek", "did you mean `side.deck`?"),
    ("count to others", "count to other", "other", "`count to others`"),
    ("holds deck: Card\n", "holds deck: Card, visible to owner\n", "owner", "`visible to it`"),
    ("Terrain = marsh", "Terrain = hills", "hills", "open, woods, marsh"),
    ("Raid  North, worth 2", "Raid  North, worth two", "two", "digits"),
    ("| North |    3 |     1 |", "| Nroth |    3 |     1 |", "Nroth", "did you mean `North`?"),
    ("| North |    3 |     1 |", "| North |    x |     1 |", "x", "how many"),
    ("|       | foot | horse |", "|       | foot | hors |", "hors", "did you mean `horse`?"),
    ("arm: Arm  §1", "arm: Arms  §1", "Arms", "did you mean `Arm`?"),
    ("holds units: Unit\n", "holds units Unit\n", "Unit", "holds units: "),
    ("value pay -> int", "adjust pay add score(North)  §5\nvalue pay -> int", "score(North)", "without `score`"),
    ("§5.1\n    1", "§5.2\n    1", "§5.2", "§5.1"),
    ('require t in march(u) "too far"', "require u is not moved", "moved", "`not u.moved`"),
    ('require t in march(u) "too far"', "require u is moved", "moved", "`u.moved`"),
    ("u.moved = yes", "u.moved = 1", "1", "write `yes`"),
    ("s.ready = yes", "s.ready = 0", "0", "write `no`"),
    # What newcomers try.
    ("active.vp += score(active) + count(t.units)", "active.vp += score()", "score()", "`score(s)`"),
    ("active.vp += score(active) + count(t.units)", "active.vp += score", "score", "`score(s)`"),
    ("if s == North then", "if s == Side.North then", "North", "write `North` alone"),
    ("if s == North then", 'if s == "North" then', '"North"', "write `North` without quotes"),
    ("if active.ready", "if active.ready is no", "no", "write `not active.ready`"),
    ("if active.ready", "if any(active.deck)", "any", "write `some ...`"),
    ("    for active in Side\n", "    shuffle North.deck\n    for active in Side\n", "North.deck", "Card, ordered"),
    ("state ready: bool", "state ready: bool = nothing", "nothing", "maybe"),
    ("state ground: Terrain = marsh", "state ground: Terrain = nothing", "nothing", "`state ground: maybe Terrain`"),
    ("ferry Mill - Ford\n", "ferry Mill - Ford\n    road Ford - Mill\n", "Mill", "take one of them away"),
    ("ferry Mill - Ford\n", "ferry Mill Ford\n", "Mill", "`ferry Mill - Ford`"),
    ("ferry Mill - Ford\n", "ferry Mill to Ford\n", "Mill", "`ferry Mill - Ford`"),
    ("Town Mill\n", "Town Mill\n    Town Mill\n", "Mill", "another name"),
    ("or choose card:", "or choose go:", "go", "another name"),
    ("active.vp += score(active) + count(t.units)", "pass", "pass", "needs no line"),
    ("require t in march(u)", "require arm == foot", "arm", "write `u.arm`"),
    ("{enemy(active)} waits", "{enemy(active, North)} waits", "North", ""),
    ("        move u to t\n", "        move u to Town\n", "Town", "`Mill`"),
    ("        move u to t\n", "        move u from Mill to t\n", "Mill", "`move u to t`"),
    ("home side.pool", "home Mill", "Mill", "`home Mill.units`"),
    ("    if active.ready\n", "    if !(active.ready)\n", "!", "`not (active.ready)`"),
    ("    if active.ready\n", "    if !(count(active.deck) > 1)\n", "!", "`not (count(active.deck) > 1)`"),
    ("    if active.ready\n", "    if active.deck is empty\n", "empty", "`none active.deck`"),
    ("    if active.ready\n", "    if active.deck is not empty\n", "empty", "`some active.deck`"),
    ("    if active.ready\n", "    if active.deck == 0\n", "0", "`count(active.deck) == 0`"),
    ("    if active.ready\n", "    if Mill.units > 0\n", "Mill.units", "`count(Mill.units)`"),
    ("        active.vp += 1\n", "        active.vp += roll(d6)\n", "roll", "`roll d6 as rolled`"),
    ("        active.vp += 1\n", "        active.vp += 2d6\n", "2d6", "`roll 2 d6 as rolled`"),
    ("        active.vp += 1\n", "        roll 2d6 as luck\n        active.vp += luck\n", "luck", "`sum(luck)`"),
    ("    if active.ready\n", "    roll 2 d6 as luck\n    if luck > 7\n", "luck", "`sum(luck)`"),
    ("function enemy(s: Side) -> Side", "def enemy(s)", "def", "write `function`"),
    ("    s.vp + pay()\n", "    s.vp + pay()\ndef more(s)\n    s.vp += 1\n    return s.vp\n", "def", "`procedure`"),
    ("    s.vp + pay()\n", "    s.vp + pay()\nfunction said(s: Side) -> text\n    \"of {s}\"\n", "said", "`return"),
    ("    place 2 North", "    roll a d6 as luck\n    active.vp += luck\n    place 2 North", "a", "`roll d6 as luck`"),
]  # fmt: skip


def told(text: str, options: tuple[str, ...] = ()) -> list[Diagnostic]:
    reporter = Reporter()
    game = load_single(text, "slips.rules", reporter)
    try:
        compile_text(game, options, "", reporter)
    except GameInvalid as problem:
        return [d for d in problem.diagnostics if d.severity == "error"]
    return [d for d in reporter.diagnostics if d.severity == "error"]


def test_the_game_is_sound() -> None:
    assert told(GAME) == []


@pytest.mark.parametrize("line", ["s.vp = -this.worth", "s.vp = - this.worth", "s.vp=-this.worth", "s.vp -= 1"])
def test_a_minus_that_is_surely_meant_is_none(line: str) -> None:
    assert told(GAME.replace("s.vp += this.worth", line)) == []


@pytest.mark.parametrize(("right", "wrong", "place", "hint"), SLIPS)
def test_a_slip_is_told_once_with_what_to_write(right: str, wrong: str, place: str, hint: str) -> None:
    assert GAME.count(right) >= 1
    found = told(GAME.replace(right, wrong, 1))
    assert len(found) == 1, [d.message for d in found]
    assert found[0].span.text.strip() == place, found[0].message
    assert hint in (found[0].hint or ""), (found[0].message, found[0].hint)


def test_a_variant_that_cites_a_rule_of_its_own_is_told_how_to_list_it(tmp_path: Path) -> None:
    (tmp_path / "base.rules").write_text(GAME, encoding="utf-8")
    head = 'rulescript 1\ngame "Variant", version "1"\n    builds on base\n'
    variant = tmp_path / "variant.rules"
    variant.write_text(f"{head}adjust pay add 1  §V.1\n", encoding="utf-8")
    with pytest.raises(GameInvalid) as caught:
        compile_text(load_text(variant, Reporter()))
    (problem,) = [d for d in caught.value.diagnostics if d.severity == "error"]
    assert problem.code == "RS109" and problem.span.text == "§V.1"
    assert '`rulebook "..."`, and under it `V.1  rule  "..."`' in (problem.hint or "")
    rulebook = 'rulebook "Variant"\n    V.1  rule  "More pay"\n'
    variant.write_text(f"{head}{rulebook}adjust pay add 1  §V.1\n", encoding="utf-8")
    compile_text(load_text(variant, Reporter()))
