"""All mistakes at once: a line that cannot be read hides no other mistake, and none is told that only follows
from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulescript
from rulescript.analysis import things
from rulescript.diagnostics import Reporter, render_report
from rulescript.errors import GameInvalid
from rulescript.loader import load_single
from rulescript.pipeline import compile_text, look_through

GAME = """\
rulescript 1

game "The Salt War"

rulebook "The Salt War"
    1  rule  "Forces"
    2  rule  "Movement"
    3  rule  "Combat"

kind Side  §1
    state points: int
    holds box: Unit

things  §1
    Side League
    Side Crown

players Side

kind Area: worth: int = 1  §1
    state owner: maybe Side
    holds units: Unit

pieces Unit: side: Side  §1
    state tired: bool
    home side.box

things  §1
    Unit Red   League, 4
    Unit Blue  Crown, 4

map Valley  §1
    link road
    Area Northmark
    Area Saltmere  worth 2
    Area Oldfen
    road Northmark - Saltmere - Oldfen

state active: Side  §1

function strength(s: Side, a: Area) -> int  §3
    count(a.units[side == s])

procedure rest(a: Area)  §2
    for u in a.units[side == active]
        u.tired = no

phase march "March"  §2
    repeat
        choose go: u in Area.units, a in Area "March {u} to {a}"  §2
            require u.side == active           §2
            require not u.tired "tired"        §2
            require a in u.place.road          §2
            u.tired = yes
            move u to a
        or stop "March no more"

table losses(roll: int, odds: int) -> int  §3
    |      | 1..2 | 3..9 |
    | 1..3 | 0    | 1    |
    | 4..6 | 1    | 2    |

phase combat "Combat"  §3
    for a in Area
        if strength(active, a) > 2
            a.owner = active
            roll d6 as rolled
            active.points += losses(rolled, strength(active, a))

sequence  §2
    place 2 Red in Northmark
    place 2 Blue in Oldfen
    repeat 2 times
        for active in Side
            march
            combat
            rest(Saltmere)
    end game, most Side by points win
"""


def said(text: str) -> list[tuple[str, str]]:
    """The code and the line of everything a text is told."""
    reporter = Reporter()
    game = load_single(text, "salt.rules", reporter)
    try:
        compile_text(game, (), "", reporter)
    except GameInvalid as problem:
        return [(d.code, d.span.source.line_text(d.span.line).strip()) for d in problem.diagnostics]
    return [(d.code, d.span.source.line_text(d.span.line).strip()) for d in reporter.diagnostics]


def with_mistakes(*changes: tuple[str, str]) -> str:
    text = GAME
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


COLON = ("state active: Side  §1", "state active Side  §1")
PROCEDURE = ("            rest(Saltmere)", "            rset(Saltmere)")
LINK = ("    road Northmark - Saltmere - Oldfen", "    raod Northmark - Saltmere - Oldfen")
CITATION = ("    count(a.units[side == s])", "    count(a.units[side == s])  §33")
TYPE = ("            a.owner = active", "            a.owner = 3")
ATTRIBUTE = ('            require not u.tired "tired"        §2', '            require not u.tierd "tired"        §2')
QUOTE = ('phase march "March"  §2', 'phase march "March  §2')
MISTAKES = (COLON, PROCEDURE, LINK, CITATION, TYPE, ATTRIBUTE, QUOTE)


def line_of(change: tuple[str, str]) -> str:
    return change[1].strip()


def test_the_game_is_right_without_them() -> None:
    assert said(GAME) == []


@pytest.mark.parametrize("left_out", range(len(MISTAKES) + 1))
def test_each_of_several_mistakes_is_told_once(left_out: int) -> None:
    """Whether or not there are lines among them that cannot be read."""
    made = [change for at, change in enumerate(MISTAKES) if at != left_out]
    found = said(with_mistakes(*made))
    assert sorted(line for _, line in found) == sorted(map(line_of, made)), found


# What cannot be read, and what would follow from that all over the game.
LOST = [
    ("kind Side  §1", "kind Side: §1"),
    ("    holds box: Unit", "    holds box Unit"),
    ("players Side", "players"),
    ("kind Area: worth: int = 1  §1", "kind Area worth: int = 1  §1"),
    ("    state owner: maybe Side", "    state owner maybe Side"),
    ("    holds units: Unit", "    hodls units: Unit"),
    ("pieces Unit: side: Side  §1", "peices Unit: side: Side  §1"),
    ("pieces Unit: side: Side  §1", "pieces : side: Side  §1"),
    ("    home side.box", "    home side."),
    ("    Unit Red   League, 4", "    Unit Red   League 4 4"),
    ("    link road", "    link road road"),
    ("    Area Saltmere  worth 2", "    Area Saltmere  worth = 2"),
    ("function strength(s: Side, a: Area) -> int  §3", "function strength(s Side, a: Area) -> int  §3"),
    ("function strength(s: Side, a: Area) -> int  §3", "function (s: Side, a: Area) -> int  §3"),
    ("procedure rest(a: Area)  §2", "procedure rest(a Area)  §2"),
    ("    repeat\n", "    repeats\n"),
    ("    |      | 1..2 | 3..9 |", "    |      | 1.,2 | 3..9 |"),
    ("table losses(roll: int, odds: int) -> int  §3", "table losses(roll int, odds: int) -> int  §3"),
    ("    | 4..6 | 1    | 2    |", "    | 4..6 | 1    | 2 2    "),
    ("    3  rule  \"Combat\"", "    3  rule  Combat"),
    ("sequence  §2", "sequnce  §2"),
    ("        for active in Side", "        for active Side"),
    ("        if strength(active, a) > 2", "        if strength(active, a > 2"),
    ("    state points: int", "   state points: int"),
]  # fmt: skip


@pytest.mark.parametrize("change", LOST, ids=lambda change: str(change[1]).strip())
def test_nothing_is_told_that_follows_from_a_line_that_cannot_be_read(change: tuple[str, str]) -> None:
    found = said(with_mistakes(change))
    assert len(found) == 1, found
    assert found[0][0].startswith("RS0")


@pytest.mark.parametrize("change", LOST, ids=lambda change: str(change[1]).strip())
def test_a_misspelt_name_is_told_whatever_else_cannot_be_read(change: tuple[str, str]) -> None:
    """One that is nearly another is told even where a declaration has lost its name."""
    # Of what goes through a place that was lost, nobody knows what it is.
    other = ("end game, most Side by points win", "end gaem, draw") if "Side" in change[0] else PROCEDURE
    if change[0] == "procedure rest(a: Area)  §2":
        other = ("            combat\n", "            combta\n")
    found = said(with_mistakes(change, other))
    assert len(found) == 2, found
    assert line_of(other) in {line for _, line in found}


def test_what_is_said_of_the_whole_game_waits() -> None:
    """An island, an unused procedure and a gap in a table show when all of the text can be read."""
    island = ("    road Northmark - Saltmere - Oldfen", "    road Northmark - Saltmere")
    unused = ("            rest(Saltmere)\n", "")
    assert {code for code, _ in said(with_mistakes(island, unused))} == {"RS306", "RS312"}
    assert [code for code, _ in said(with_mistakes(island, unused, COLON))] == ["RS001"]


def test_a_name_unknown_in_many_places_is_one_report() -> None:
    more = "strength(active, a) > strength(active, a) + strength(active, a) + strength(active, a)"
    text = with_mistakes(("function strength(", "function power("), ("strength(active, a) > 2", more))
    reporter = Reporter()
    with pytest.raises(GameInvalid) as raised:
        compile_text(load_single(text, "salt.rules", reporter), (), "", reporter)
    (about,) = [d for d in raised.value.diagnostics if "`strength`" in d.message and d.code == "RS101"]
    assert "more places" in about.others[-1].text
    assert "here too" in render_report([about])


def test_what_is_placed_of_a_kind_that_could_not_be_read_is_not_told_as_well() -> None:
    piece = with_mistakes(("pieces Unit: side: Side", "piece Unit: side: Side"))
    named = piece.replace("Unit Red  ", "Unit Red_Guard").replace("place 2 Red", "place 2 Red_Guard")
    assert [code for code, _ in said(piece)] == ["RS001"]
    assert [code for code, _ in said(named)] == ["RS001"]


# ---- in several files


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".rules")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


HEAD = 'rulescript 1\n\ngame "Salt"\n'
FORCES, REST = GAME[len(HEAD.replace("Salt", "The Salt War")) :].split("map Valley", 1)
MAP, RULES = ("map Valley" + REST).split("state active", 1)
RULES = "state active" + RULES


def codes_and_files(problem: GameInvalid) -> list[tuple[str, str]]:
    return [(d.code, Path(d.span.source.name).name) for d in problem.diagnostics]


def test_mistakes_in_three_files_come_together(tmp_path: Path) -> None:
    """A colon missing in one file, a procedure misspelt in another, a sort of link in a third."""
    folder = tmp_path / "salt"
    includes = 'include "forces.rules"\ninclude "map.rules"\ninclude "rules.rules"\n'
    write(folder, game=HEAD + includes, forces=FORCES, map=MAP, rules=RULES)
    rulescript.load(folder, cache=False)
    write(
        folder,
        forces=FORCES.replace("    state points: int", "    state points int"),
        map=MAP.replace("    road Northmark", "    raod Northmark"),
        rules=RULES.replace("rest(Saltmere)", "rset(Saltmere)"),
    )
    with pytest.raises(GameInvalid) as raised:
        rulescript.load(folder, cache=False)
    expected = [("RS001", "forces.rules"), ("RS101", "map.rules"), ("RS101", "rules.rules")]
    assert codes_and_files(raised.value) == expected


@pytest.mark.parametrize(
    "include", ['include "mpa.rules"', 'include "map.rules', "include map.rules", 'inclde "map.rules"']
)
def test_what_a_file_declares_that_was_not_found_is_not_missed(tmp_path: Path, include: str) -> None:
    folder = tmp_path / "salt"
    includes = f'include "forces.rules"\n{include}\ninclude "rules.rules"\n'
    write(folder, game=HEAD + includes, forces=FORCES, map=MAP, rules=RULES.replace("rest(Saltmere)", "rset(Saltmere)"))
    with pytest.raises(GameInvalid) as raised:
        rulescript.load(folder, cache=False)
    found = codes_and_files(raised.value)
    assert len(found) == 2 and found[0][0].startswith("RS0") and found[1] == ("RS101", "rules.rules"), found


def test_of_a_file_that_is_nowhere_no_name_is_missed(tmp_path: Path) -> None:
    folder = tmp_path / "salt"
    includes = 'include "forces.rules"\ninclude "gone.rules"\ninclude "rules.rules"\n'
    wrong = RULES.replace("rest(Saltmere)", "rset(Saltmere)").replace("a.owner = active", "a.owner = 3")
    write(folder, game=HEAD + includes, forces=FORCES, rules=wrong)
    with pytest.raises(GameInvalid) as raised:
        rulescript.load(folder, cache=False)
    assert codes_and_files(raised.value) == [("RS008", "game.rules"), ("RS201", "rules.rules")]


def test_a_variant_is_not_told_of_what_its_base_lost(tmp_path: Path) -> None:
    """What a game amends or replaces may stand in a part of its base that cannot be read."""
    variant = (
        'rulescript 1\n\ngame "More Salt"\n    builds on salt\n\n'
        "replace procedure rest(a: Area)  §2\n    a.owner = nothing\n\n"
        "amend Saltmere: worth 3\n\n"
        "restrict march.go  §2\n    require a != Northmark  §2\n\n"
        "after combat  §3\n    actve.points += 1\n"
    )
    write(tmp_path, salt__game=GAME, more__game=variant.replace("actve", "active"))
    rulescript.load(tmp_path / "more", cache=False)
    write(tmp_path, more__game=variant)
    for old, new in (
        ("procedure rest(a: Area)  §2", "procedure rest(a Area)  §2"),
        ("    Area Saltmere  worth 2", "    Area Saltmere worth = 2"),
        ("        choose go: u in Area.units, a in Area", "        choose go: u Area.units, a in Area"),
        ('phase march "March"  §2', 'phaes march "March"  §2'),
    ):
        write(tmp_path, salt__game=with_mistakes((old, new)))
        with pytest.raises(GameInvalid) as raised:
            rulescript.load(tmp_path / "more", cache=False)
        found = [(code, name) for code, name in codes_and_files(raised.value)]
        assert len(found) == 2 and sorted(code for code, _ in found) == ["RS001", "RS101"], (old, found)


def test_options_are_looked_at_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`check` tells what is wrong in each option, although a line of the base cannot be read."""
    from rulescript.cli.main import main

    options = (
        '\noption fog "Fog"  §1\n    restrict march.go  §2\n        require a.wroth > 1  §2\n'
        '\noption mud "Mud" neds fog  §1\n    adjust strength(s, a) add 1 whn a.worth > 1  §3\n'
        '\noption rain "Rain", needs mud  §1\n    after combat  §3\n        active.pionts += 1\n'
    )
    write(tmp_path, salt=with_mistakes(("    link road", "    link road road")) + options)
    assert main(["check", str(tmp_path / "salt.rules"), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)["games"][0]["diagnostics"]
    assert sorted(each["code"] for each in told) == ["RS001", "RS001", "RS001", "RS107", "RS107"], told


def test_a_literate_file_is_read_as_any_other(tmp_path: Path) -> None:
    chapters = f"# 2 Movement\n\nSome words first.\n\n```rules\n{with_mistakes(COLON, PROCEDURE)}```\n"
    path = tmp_path / "salt.rules.md"
    path.write_text(chapters, encoding="utf-8")
    with pytest.raises(GameInvalid) as raised:
        rulescript.load(path, cache=False)
    assert [d.code for d in raised.value.diagnostics] == ["RS001", "RS101"]


def test_things_beyond_the_limit_are_not_missed_again_by_what_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(things, "MAX_THINGS", 3)
    towns = "".join(f"    Town T{i}\n" + (f"    road T{i} - T{i - 1}\n" if i else "") for i in range(9))
    reporter = Reporter()
    text = load_single(
        'rulescript 1\ngame "Road"\nvalues Side: North, South\nplayers Side\nkind Town\nstate here: maybe Town\n'
        f"map Land\n    link road\n{towns}sequence\n    here = T8\n    end game, draw\n",
        reporter=reporter,
    )
    look_through(text, (), "", reporter)
    assert [d.code for d in reporter.diagnostics] == ["RS014"]
