"""Who changes a rule has those examples played again that went through it, and no others; and what is printed then is
what would be printed from nothing."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import rulescript
from rulescript.claims.gone_through import Noting, is_met
from rulescript.claims.run import GameSource, run_example
from rulescript.docgen import plays
from rulescript.docgen.kept import _packed
from rulescript.docgen.maps import maps_of
from rulescript.docgen.subject import Subject
from rulescript.errors import GameInvalid
from rulescript.resources import bundled
from tests.docgen.test_kept import Played, change, lakes, played, printed

__all__ = ["lakes", "played"]

BOAT, QUARREL, FOG, NEWER = "A boat crosses the water", "A quarrel", "Fog in autumn", "It burns"
ALL = [BOAT, QUARREL, FOG]
NEW = """
example "It burns"  §3
    given empty, turn summer, active North, at fighting
        Mill: 1 Northern boat, 1 Southern boat, burning
    try fight at Mill -> refused by §3
"""
FIRST = f'example "{BOAT}"'
# What is changed, one after the other: the file, what stood there, what stands there now, and what is played again.
CHANGES: dict[str, tuple[str, str, str, list[str]]] = {
    "prose": ("battle.rules.md", "# 3 Fighting\n", "# 3 Fighting\n\nA new sentence.\n", []),
    "a line of a procedure": (
        "battle.rules.md", "active.catch += gain(p)", "active.catch += gain(p) + 0", [QUARREL],
    ),
    "a number in a table": ("battle.rules.md", "|    0 |    0 |  1 |", "|    0 |    0 |  2 |", [QUARREL]),
    "a value that a procedure asks for": ("battle.rules.md", "    p.fish\n", "    p.fish + 0\n", [QUARREL]),
    # After the quarrel the others march.
    "a route": ("game.rules.md", "require b.depth < 9", "require b.depth < 8", ALL),
    "what a card does": ("cards.rules", "x.catch -= 1 at most x.catch", "x.catch -= 2 at most x.catch", []),
    "the text of a card": ("cards.rules", "Everybody loses a fish.", "Everybody loses two fish.", []),
    "a rule of an option": ("options.rules.md", 'require c.arm != boat "fog"', 'require c.arm != boat "a fog"', [FOG]),
    "what an option does before a rule": ("options.rules.md", "Nobody sees {p}.", "Nobody can see {p}.", []),
    "a rule that none begins with": ("game.rules.md", "2 Southern boat in Otter", "1 Southern boat in Otter", []),
    "an example more, before others": ("claims.rules", FIRST, NEW.lstrip() + "\n" + FIRST, [NEWER]),
    "an example that fails now": ("battle.rules.md", "+= gain(p) + 0", "+= gain(p) + 1", [QUARREL]),
    "a rule that what fails does not come to": (
        "battle.rules.md", "require not p.burning   ", "require not p.burning or no   ", [QUARREL, NEWER],
    ),
    "what a card does again": ("cards.rules", "x.catch -= 2 at most", "x.catch -= 1 at most", [QUARREL]),
    "an invariant": ("claims.rules", "<= 4\n", "<= 5\n", [*ALL, NEWER]),
    "the map": ("map.rules", "at 47.8N 3.1E", "at 47.7N 3.0E", [*ALL, NEWER]),
    "a new declaration": ("battle.rules.md", "value gain(p", "value unused(p: Place) -> int  §3\n    1\n\nvalue gain(p",
                          [*ALL, NEWER]),
}  # fmt: skip


@pytest.mark.long
def test_what_is_printed_after_a_change_is_what_is_printed_from_nothing(
    played: Played, lakes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed(lakes, tmp_path / "site", games=1)
    assert sorted(played.titles) == sorted(ALL)
    wrong: dict[str, object] = {}
    for what, (file, old, new, again) in CHANGES.items():
        change(lakes / file, old, new)
        played.clear()
        site = printed(lakes, tmp_path / "site", games=1)
        if sorted(played.titles) != sorted(again):
            wrong[what] = list(played.titles)
        with monkeypatch.context() as other:
            other.setenv("RULESCRIPT_CACHE", "")
            fresh = printed(lakes, tmp_path / f"fresh {what}", games=1)
        assert {name for name in {**site, **fresh} if site.get(name) != fresh.get(name)} == set(), what
    assert wrong == {}


def needs(source: GameSource, title: str) -> list[tuple[tuple[str, ...], str, tuple[str, ...], str]]:
    source.noting = Noting()
    assert all(result.ok for result in run_example(source, next(f for f in source.found() if f.example.title == title)))
    return source.noting.needs(source.parts)


def test_what_an_example_goes_through(lakes: Path) -> None:
    """Procedures that are entered, and all they could ask for; what a layout asks for is noted each time it is used."""
    source = GameSource.load(lakes)
    ((options, scenario, rules, said),) = needs(source, QUARREL)
    assert (options, scenario) == ((), "")
    assert {"procedure fighting", "procedure quarrel", "table hits", "function gain", "function dice"} <= set(rules)
    assert not {"procedure set_up", "does Card.Rain.play"} & set(rules)
    assert needs(source, QUARREL) == [(options, scenario, rules, said)]
    (fog,) = needs(source, FOG)
    assert fog[:2] == (("fog",), "") and "route way" in fog[2]


CHOICES = """\
rulescript 1
game "Ferries"
values Side: East, West
players Side
state active: Side
state luck: int
procedure fare as "the fare is paid"
    luck += 1
    if luck > 99
        luck -= 5
    for s in Side[luck > 5]
        if s == East
            luck += 0
        else
            luck -= 0
    for s in Side[luck > 50]
        luck -= 7
    choose pay "Pay"
        require luck > 0
        luck -= 1
        choose again "Again"
            require luck < 9
            luck += 2
        or enough "Enough"
            luck += 3
    or walk "Walk"
        luck += 4
phase cross
    if luck > 5
        fare
    else
        may pull "Pull"
            require luck >= 0
            luck += 1
sequence
    active = East
    cross

example "Pulled"
    given empty, active East, luck 0, at cross
    play
        East: pull
    expect
        luck == 1

example "Walked"
    given empty, active East, luck 6, at cross
    play
        East: walk
    expect
        luck == 11

example "Paid"
    given empty, active East, luck 6, at cross
    play
        East: pay
        East: enough
    expect
        luck == 9
"""


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("require luck >= 0", "require luck >= -1", ["Pulled"]),
        ("require luck > 0", "require luck >= 0", ["Walked", "Paid"]),
        ("luck += 4", "luck += 5", ["Walked"]),
        ("luck -= 1", "luck -= 2", ["Paid"]),
        ("require luck < 9", "require luck < 8", ["Paid"]),
        ("luck += 2", "luck += 3", []),
        ("luck += 3", "luck += 4", ["Paid"]),
        ("or walk", "or stroll", ["Pulled", "Walked", "Paid"]),
        ("    luck += 1\n    if", "    luck += 2\n    if", ["Walked", "Paid"]),
        ("luck -= 5", "luck -= 6", []),
        ("luck > 99", "luck > 98", ["Walked", "Paid"]),
        ("luck += 0", "luck += 1", ["Walked", "Paid"]),
        ("luck -= 0", "luck -= 1", ["Walked", "Paid"]),
        ("luck -= 7", "luck -= 8", []),
        # Where nobody comes any more, no example can begin.
        ("        fare\n    else", "        luck += 4\n    else", ["Pulled", "Walked", "Paid"]),
        ("s == East", "s == West", ["Walked", "Paid"]),
        ("if luck > 5", "if luck > 4", ["Pulled", "Walked", "Paid"]),
    ],
)
def test_a_way_through_a_rule_concerns_those_who_go_it(old: str, new: str, again: list[str]) -> None:
    titles = ["Pulled", "Walked", "Paid"]
    before = GameSource.of_text(CHOICES)
    told = {title: needs(before, title) for title in titles}
    assert old in CHOICES
    after = GameSource.of_text(CHOICES.replace(old, new))
    assert [title for title in titles if not is_met(told[title], after.parts)] == again


def test_what_is_looked_up_in_the_whole_game_needs_all_of_it(lakes: Path) -> None:
    held = "        Mill.held == North\n"
    change(lakes / "claims.rules", held, f'{held}        journal does not mention "Heron"\n')
    source = GameSource.load(lakes)
    ((_, _, rules, said),) = needs(source, QUARREL)
    assert "?" in rules and not said
    assert not is_met([((), "", rules, said)], source.parts)


# A rule that says something else, and is still one.
OTHERWISE = [
    (re.compile(r"^( {4,}(?:require|if) [^\n\"]*) >= ", re.MULTILINE), r"\1 > "),
    (re.compile(r"^( {4,}[\w.]+ [+-]= )(\d+)\b", re.MULTILINE), r"\g<1>1\2"),
    (re.compile(r"^( {4,}require )not ([\w.]+)(?= )", re.MULTILINE), r"\1\2"),
]


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(path.name for path in bundled("games").iterdir() if path.is_dir()))
def test_what_did_not_go_through_other_rules_comes_out_the_same(name: str, tmp_path: Path) -> None:
    """Of the printed games: what would be kept after a change of a rule is played all the same, and told as it was."""
    folder = Path(shutil.copytree(bundled("games") / name, tmp_path / name))
    before = Subject.of(rulescript.load(folder))
    numbers = range(0, len(before.source.found()), 8)
    told = dict(plays._played(before, maps_of(before.model, before.folder_of), numbers))
    for after in _otherwise(folder):
        kept = [n for n, example in told.items() if example.needs and is_met(example.needs, after.source.parts)]
        # All would be kept if nothing was noted, none if too much was; some rules concern nobody, or everybody.
        if 0 < len(kept) < len(told):
            again = dict(plays._played(after, maps_of(after.model, after.folder_of), kept))
            assert [n for n in kept if _packed(again[n]) != _packed(told[n])] == []
            return
    raise AssertionError("no rule concerns only some examples")


def _otherwise(folder: Path) -> Iterator[Subject]:
    """A game with one rule changed, and with another."""
    for file in sorted(folder.rglob("*.rules.md")):
        text = file.read_text(encoding="utf-8")
        for old, new in OTHERWISE:
            if old.search(text):
                file.write_text(old.sub(new, text, count=1), encoding="utf-8")
                with suppress(GameInvalid):  # that was no rule for itself
                    yield Subject.of(rulescript.load(folder))
                file.write_text(text, encoding="utf-8")
