"""The rulebook indexes of the five games are well formed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

GAMES = Path(__file__).resolve().parents[2] / "games"
# The entries of each index: a lower number means that lines were lost.
ENTRIES = {
    "attrition_of_souls": 413,
    "quartermaster_general_1914": 255,
    "lamps_are_going_out": 885,
    "to_the_last_man": 471,
    "imperial_tide": 349,
}
KINDS = frozenset(
    (
        "note",
        "definition",
        "setup",
        "sequence",
        "choice",
        "constraint",
        "computation",
        "random",
        "table",
        "reaction",
        "victory",
        "optional",
        "example",
        "reading",
    )
)
LINE = re.compile(r'^    (?P<id>[A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*) +(?P<kind>[a-z]+) +"(?P<title>[^"\\]+)"$')
# Ids that name a range of lost rules: only an ancestor further up stands in the index.
RANGES = frozenset({("to_the_last_man", "4.2-4.x")})

Entry = tuple[str, str, str]


def read(game: str) -> list[Entry]:
    lines = (GAMES / game / "rulebook.rules").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["rulescript 1", ""]
    assert re.fullmatch(r'rulebook "[^"]+"', lines[2])
    entries = []
    for number, line in enumerate(lines[3:], start=4):
        if not line or re.match(r"    # \S", line):
            continue
        found = LINE.match(line)
        assert found, f"{game}, line {number}: {line!r}"
        entries.append((found["id"], found["kind"], found["title"]))
    return entries


def parent(ident: str) -> str | None:
    """`4.6.4-b` is under `4.6.4`, `2.1.2a` under `2.1.2`, `4.2A1` under `4.2A` and that under `4.2`."""
    for suffix in (r"(.*\d)[a-z]", r"(\d.*\d[A-Z])\d+", r"(\d.*\d)[A-Z]"):
        if found := re.fullmatch(suffix, ident):
            return found[1]
    cut = max(ident.rfind("."), ident.rfind("-"))
    return ident[:cut] if cut > 0 else None


def ancestors(ident: str) -> list[str]:
    above = []
    up = parent(ident)
    while up is not None:
        above.append(up)
        up = parent(up)
    return above


@pytest.mark.parametrize(
    ("ident", "expected"),
    [
        ("4", []),
        ("4.10.1.1-a", ["4.10.1.1", "4.10.1", "4.10", "4"]),
        ("4.2A1", ["4.2A", "4.2", "4"]),
        ("7.2.2-O6a", ["7.2.2-O6", "7.2.2", "7.2", "7"]),
        ("2.II.4.a-1", ["2.II.4.a", "2.II.4", "2.II", "2"]),
        ("2.II.4a-1", ["2.II.4a", "2.II.4", "2.II", "2"]),
        ("13a", ["13"]),
        ("15.1-EP10", ["15.1", "15"]),
        ("QMG-res-3", ["QMG-res", "QMG"]),
        ("Q-Amb-28", ["Q-Amb", "Q"]),
        ("EP-F14-6", ["EP-F14", "EP"]),
        ("A-RAIL", ["A"]),
    ],
)
def test_parents(ident: str, expected: list[str]) -> None:
    assert ancestors(ident) == expected


@pytest.mark.parametrize("game", ENTRIES)
def test_every_line_is_read(game: str) -> None:
    assert len(read(game)) == ENTRIES[game]


@pytest.mark.parametrize("game", ENTRIES)
def test_no_id_twice(game: str) -> None:
    ids = [ident for ident, _, _ in read(game)]
    assert sorted({ident for ident in ids if ids.count(ident) > 1}) == []


@pytest.mark.parametrize("game", ENTRIES)
def test_kinds_are_known(game: str) -> None:
    assert [entry for entry in read(game) if entry[1] not in KINDS] == []


@pytest.mark.parametrize("game", ENTRIES)
def test_parents_come_first(game: str) -> None:
    above: set[str] = set()
    for ident, _, _ in read(game):
        up = ancestors(ident)
        if (game, ident) in RANGES:
            assert above.intersection(up), ident
        elif up:
            assert up[0] in above, ident
        above.add(ident)


@pytest.mark.parametrize("game", ENTRIES)
def test_titles_are_short(game: str) -> None:
    assert [entry for entry in read(game) if not 2 <= len(entry[2].split()) <= 9] == []


@pytest.mark.parametrize("game", ENTRIES)
def test_columns_are_aligned(game: str) -> None:
    lines = (GAMES / game / "rulebook.rules").read_text(encoding="utf-8").splitlines()
    found = [match for line in lines if (match := LINE.match(line))]
    assert len({(match.start("kind"), match.start("title")) for match in found}) == 1
