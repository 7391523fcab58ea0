"""`rulescript check` after an edit says what a check from nothing says, whatever it found in the cache."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from rulescript.claims import check as claims_check
from rulescript.cli import findings
from rulescript.resources import write_cached
from rulescript.syntax import parsed_files
from tests.cli.conftest import SKIRMISH, Cli

EXAMPLES = """\
rulescript 1

example "Towns"  §5.1
    given setup
    expect
        points(North) == 0  §5.1

example "In the fog"  §6.1
    with options fog
    given like "Towns"
    expect
        reach_of_fire() == 6

example "Late"  §7.1
    with scenario late
    given like "Towns", Ford: 1 North infantry
    expect
        Mill.burnt
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game in three files, two of them literate, looked at as a large one is: by several processes, and kept."""
    monkeypatch.setattr(findings, "SOME_TEXT", 0)
    monkeypatch.setattr(claims_check, "SOME_EXAMPLES", 0)
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path / "cache"))
    pieces = re.split(r"(?m)^(?=[^\s#])", Path(SKIRMISH).read_text(encoding="utf-8"))
    folder = tmp_path / "skirmish"
    (folder / "chapters").mkdir(parents=True)
    head = [piece for piece in pieces if re.match(r"rulescript|game", piece) or not piece.strip() or piece[0] == "#"]
    rest = [piece for piece in pieces if piece not in head]
    for at, chapter in enumerate((rest[: len(rest) // 2], rest[len(rest) // 2 :])):
        prose = "# A chapter\n\nWords about it.\n\n```rules\n"
        (folder / "chapters" / f"{at}.rules.md").write_text(prose + "".join(chapter).rstrip("\n") + "\n```\n")
    (folder / "examples.rules").write_text(EXAMPLES)
    includes = '\ninclude "chapters/*.rules.md"\ninclude "examples.rules"\n'
    (folder / "game.rules").write_text("".join(head) + includes)
    return folder


def _edit(folder: Path, rng: random.Random) -> None:
    """What a hand at a keyboard does to one line of one file."""
    path = rng.choice(sorted(folder.rglob("*.rules*")))
    lines = path.read_text(encoding="utf-8").split("\n")
    at = rng.randrange(len(lines))
    line = lines[at]
    words = re.findall(r"\w+", line) or ["word"]
    other = rng.choice([word for each in lines for word in re.findall(r"\w+", each)] or ["word"])
    lines[at : at + 1] = rng.choice(
        [
            [],
            [line, line],
            [line, ""],
            [line, "    # said in passing"],
            [line, "    " + line],
            [line.replace(rng.choice(words), other, 1)],
            [line.replace(rng.choice(words), rng.choice(words)[::-1], 1)],
            [re.sub(r"\d+", str(rng.randrange(40)), line)],
            [line[: rng.randrange(len(line) + 1)]],
            [line + " and"],
        ]
    )
    path.write_text("\n".join(lines), encoding="utf-8")


def _told(cli: Cli, folder: Path) -> tuple[int, str, object]:
    words = cli("check", str(folder))
    return words.code, words.out, cli("check", str(folder), "--json").json


@pytest.mark.parametrize("seed, edits", [(1, 8), pytest.param(2, 80, marks=pytest.mark.long)])
def test_after_any_edit_the_same_is_said_as_from_nothing(
    cli: Cli, game: Path, monkeypatch: pytest.MonkeyPatch, seed: int, edits: int
) -> None:
    rng = random.Random(seed)
    good = {path: path.read_text(encoding="utf-8") for path in game.rglob("*.rules*")}
    cache, seen = str(game.parent / "cache"), set()
    assert cli("check", str(game)).code == 0
    for number in range(edits):
        if number % 4 == 0:  # begin again: after many edits nothing could be read any more
            for path, text in good.items():
                path.write_text(text, encoding="utf-8")
        _edit(game, rng)
        kept = _told(cli, game)  # what was found is in the cache the second time
        monkeypatch.setenv("RULESCRIPT_CACHE", "")
        assert _told(cli, game) == kept, f"edit {number}"
        monkeypatch.setenv("RULESCRIPT_CACHE", cache)
        seen.add(kept[0])
    assert seen == {0, 1}  # some edits do harm, others do not


def test_what_was_found_is_kept_and_found_again(cli: Cli, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chapter = game / "chapters" / "1.rules.md"
    chapter.write_text(chapter.read_text() + "\n```rules\nprocedure idle\n    pass_by()\n```\n")
    first = _told(cli, game)
    assert "there is no" in first[1]
    monkeypatch.setattr(findings.Findings, "_found_by", None)  # nobody may look again
    assert _told(cli, game) == first
    chapter.write_text(chapter.read_text() + " ")
    assert cli("check", str(game)).code not in (0, 1)


def test_a_kept_file_may_name_nothing_but_nodes(cli: Cli, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even one that carries the user's own seal: a pickle can run anything."""
    import pickle

    class Runs:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return print, ("somebody else's code",)

    assert cli("check", str(game)).code == 0
    kept = sorted((game.parent / "cache").glob("parsed-*.nodes"))
    assert kept
    for path in kept:
        assert write_cached(path, pickle.dumps((Runs(),)))
    for path in (game.parent / "cache").glob("check-*"):
        path.unlink()
    result = cli("check", str(game))
    assert result.code == 0 and "somebody" not in result.out + result.err


def test_what_is_kept_does_not_grow_without_end(cli: Cli, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsed_files, "MOST_FILES", 4)
    chapter = game / "chapters" / "0.rules.md"
    for _ in range(6):
        chapter.write_text(chapter.read_text() + "\nMore words.\n")
        assert cli("check", str(game)).code == 0
    assert len(list((game.parent / "cache").glob("parsed-*"))) == 4


def test_only_the_example_that_changed_is_read(cli: Cli, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    parse = claims_check.Examples.read

    def noted(self: Any, found: Any) -> Any:
        read.append(found.example.title)
        return parse(self, found)

    monkeypatch.setattr(claims_check.Examples, "read", noted)
    monkeypatch.setattr("rulescript.processes.cores", lambda: 1)
    assert cli("check", str(game)).code == 0
    assert set(read) == {"Towns", "In the fog", "Late"}
    path = game / "examples.rules"
    good = path.read_text()
    edits = {
        "points(North) == 0": ("points(North) == 1", {"Towns"}, 0),
        "given setup": ('given like "Late"', {"Towns", "In the fog", "Late"}, 1),  # who is like whom concerns all
        '"Towns"  §': ('"Villages"  §', {"Villages", "In the fog", "Late"}, 1),
        "with options fog": ("with options mist", {"In the fog", "Towns"}, 1),  # and what was another before
    }
    for old, (new, wanted, code) in edits.items():
        read.clear()
        path.write_text(good.replace(old, new))
        assert cli("check", str(game)).code == code, new
        assert set(read) == wanted, new
