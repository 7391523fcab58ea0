"""Who changes a rule has those examples played again that went through it, and no others; and what is printed then is
what would be printed from nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript.claims.gone_through import Noting, is_met
from rulescript.claims.run import GameSource, run_example
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
ALLOWED = "    try march Northern angler to Mill -> allowed\n"
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
    "an example more": ("claims.rules", ALLOWED, ALLOWED + NEW, [NEWER]),
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


def test_what_is_looked_up_in_the_whole_game_needs_all_of_it(lakes: Path) -> None:
    held = "        Mill.held == North\n"
    change(lakes / "claims.rules", held, f'{held}        journal does not mention "Heron"\n')
    source = GameSource.load(lakes)
    ((_, _, rules, said),) = needs(source, QUARREL)
    assert "?" in rules and not said
    assert not is_met([((), "", rules, said)], source.parts)
