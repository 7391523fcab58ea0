"""What examples came to is kept: who prints a game again plays only what has changed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
import pytest

import rulescript
from rulescript.cli.check import refuse_mistakes
from rulescript.cli.findings import Findings
from rulescript.diagnostics import Reporter
from rulescript.docgen import book as book_module
from rulescript.docgen import build_site, kept, kept_templates, plays, setups
from rulescript.docgen.book import collect
from rulescript.docgen.build import Begun
from rulescript.docgen.site import write_site
from rulescript.docgen.subject import Subject
from rulescript.errors import GameInvalid
from rulescript.loader import load_text
from rulescript.pipeline import cache, loading
from rulescript.pipeline.cache import read_kept, write_kept
from tests.docgen.conftest import LAKES
from tests.docgen.test_determinism import digest
from tests.docgen.test_drawn_maps import collection, feature, png
from tests.docgen.test_drawn_maps import written as isles


class Played:
    """The titles of the examples that were really played, and how often random games were."""

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.random = 0

    def clear(self) -> None:
        self.titles.clear()
        self.random = 0


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Played]:
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path / "cache"))
    found = Played()
    run, some = plays.run_example, book_module.play_some

    def run_example(source: Any, example: Any, *args: Any, **more: Any) -> Any:
        found.titles.append(example.example.title)
        return run(source, example, *args, **more)

    def play_some(*args: Any) -> Any:
        found.random += 1
        return some(*args)

    monkeypatch.setattr(plays, "run_example", run_example)
    monkeypatch.setattr(book_module, "play_some", play_some)
    yield found


@pytest.fixture
def lakes(tmp_path: Path) -> Path:
    return Path(shutil.copytree(LAKES, tmp_path / "two_lakes"))


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def built(game: Path, target: Path) -> dict[str, str]:
    build_site(rulescript.load(game), target, games=2)
    return digest(target)


def test_nothing_is_played_twice(played: Played, lakes: Path, tmp_path: Path) -> None:
    first = built(lakes, tmp_path / "a")
    assert len(played.titles) == 3 and played.random == 1
    played.clear()
    assert built(lakes, tmp_path / "b") == first
    assert played.titles == [] and played.random == 0


def test_another_sentence_changes_no_example(played: Played, lakes: Path, tmp_path: Path) -> None:
    first = built(lakes, tmp_path / "a")
    played.clear()
    change(lakes / "battle.rules.md", "# 3 Fighting\n", "# 3 Fighting\n\nA new sentence.\n")
    again = built(lakes, tmp_path / "b")
    assert played.titles == []
    assert played.random == 0  # the lines they reach are found again
    assert again != first  # and what is printed from nothing: test_kept_rules.py


def test_a_changed_example_is_played_again(played: Played, lakes: Path, tmp_path: Path) -> None:
    built(lakes, tmp_path / "a")
    played.clear()
    change(
        lakes / "claims.rules", "Heron: 2 Northern boat, 1 Northern angler", "Heron: 3 Northern boat, 1 Northern angler"
    )
    again = built(lakes, tmp_path / "b")
    assert played.titles == ["A boat crosses the water"]
    shutil.rmtree(tmp_path / "cache")
    assert built(lakes, tmp_path / "c") == again


def test_what_an_example_assumes_is_reached_otherwise(played: Played, lakes: Path, tmp_path: Path) -> None:
    """A rule that an example assumes something of is written out nowhere: more of its lines are seen to be run."""
    built(lakes, tmp_path / "a")
    luck = '\nexample "Luck"\n    assume gain(_) = 5\n    given setup\n    expect\n        gain(Mill) == 5\n'
    with (lakes / "claims.rules").open("a", encoding="utf-8") as claims:
        claims.write(luck)
    played.clear()
    again = built(lakes, tmp_path / "b")
    assert played.titles == ["Luck"] and played.random == 1
    shutil.rmtree(tmp_path / "cache")
    assert built(lakes, tmp_path / "c") == again


def test_what_went_through_changed_rules_is_played_again(played: Played, lakes: Path, tmp_path: Path) -> None:
    built(lakes, tmp_path / "a")
    played.clear()
    change(lakes / "battle.rules.md", "active.catch += gain(p)", "active.catch += gain(p) + 1")
    built(lakes, tmp_path / "b")
    assert played.titles == ["A quarrel"] and played.random == 1


def test_set_ups_and_templates_are_kept(
    played: Played, lakes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who mends a sentence waits neither for games of other scenarios nor for templates."""
    build_site(rulescript.load(lakes), tmp_path / "a", games=0)

    def never(*anything: Any) -> Any:
        raise AssertionError("this was done before")

    kept_templates.KNOWN.clear()  # as in another process
    monkeypatch.setattr(setups, "_laid_out", never)
    monkeypatch.setattr("jinja2.Environment._parse", never)
    change(lakes / "battle.rules.md", "# 3 Fighting\n", "# 3 Fighting\n\nA new sentence.\n")
    build_site(rulescript.load(lakes), tmp_path / "b", games=0)
    assert "A new sentence." in (tmp_path / "b" / "rules-battle.html").read_text(encoding="utf-8")
    assert (tmp_path / "b" / "setup.html").read_bytes() == (tmp_path / "a" / "setup.html").read_bytes()


def test_without_a_cache_a_process_compiles_its_templates_once(
    lakes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESCRIPT_CACHE", "")
    book = collect(Subject.of(rulescript.load(lakes)), games=0)
    parsed: list[str] = []
    parse = jinja2.Environment._parse
    monkeypatch.setattr("jinja2.Environment._parse", lambda *args: (parsed.append(args[2]), parse(*args))[1])
    monkeypatch.setattr(kept_templates, "KNOWN", {})
    write_site(book, tmp_path / "a")
    assert "base.html" in parsed
    parsed.clear()
    write_site(book, tmp_path / "b")
    assert parsed == [] and digest(tmp_path / "a") == digest(tmp_path / "b")


def test_rules_without_mistakes_are_not_looked_through_again(
    played: Played, lakes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_mistakes(load_text(lakes, Reporter()))
    looked: list[int] = []
    found_by = Findings._found_by
    monkeypatch.setattr(Findings, "_found_by", lambda *args: (looked.append(1), found_by(*args))[1])
    change(lakes / "battle.rules.md", "# 3 Fighting\n", "# 3 Fighting\n\nA new sentence.\n")
    refuse_mistakes(load_text(lakes, Reporter()))
    assert not looked
    change(lakes / "battle.rules.md", "active.catch += gain(p)", "active.catch += loss(p)")
    with pytest.raises(GameInvalid):
        refuse_mistakes(load_text(lakes, Reporter()))
    assert looked


@pytest.mark.parametrize(
    "damages", [(b"N",), pytest.param((b"", b"nonsense", b"\xe9\x01\x00\x00\x00"), marks=pytest.mark.long)], ids=ascii
)
def test_a_damaged_file_is_not_believed(
    played: Played, lakes: Path, tmp_path: Path, damages: tuple[bytes, ...]
) -> None:
    first = built(lakes, tmp_path / "a")
    (file,) = (tmp_path / "cache").glob("docs-*.bin")
    for damage in damages:
        file.write_bytes(damage)
        played.clear()
        assert built(lakes, tmp_path / "a") == first, damage
        assert len(played.titles) == 3, damage


def test_a_game_has_one_file_and_the_cache_keeps_what_is_used(
    played: Played, lakes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(lakes, tmp_path / "a")
    change(lakes / "battle.rules.md", "active.catch += gain(p)", "active.catch += gain(p) + 1")
    built(lakes, tmp_path / "a")
    assert len(list((tmp_path / "cache").glob("docs-*.bin"))) == 1
    used, most = tmp_path / "cache" / "docs-0.bin", 100
    monkeypatch.setattr(cache, "MOST_KEPT", most)
    for number in range(most * 2):
        write_kept(used.with_name(f"docs-{number}.bin"), number)
        assert read_kept(used) == 0
    assert most <= len(list((tmp_path / "cache").glob("docs-*.bin"))) <= most * 9 // 8


def test_without_a_cache_everything_is_played(
    played: Played, lakes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESCRIPT_CACHE", "")
    first = built(lakes, tmp_path / "a")
    assert built(lakes, tmp_path / "b") == first
    assert len(played.titles) == 6 and played.random == 2


def test_pages_written_by_several_processes_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulescript.docgen import site

    monkeypatch.setattr(site, "WORTH_SHARING", 2)
    book = collect(Subject.of(rulescript.load(LAKES)), games=1)
    files = {jobs: write_site(book, tmp_path / str(jobs), jobs=jobs) for jobs in (1, 3)}
    assert [p.name for p in files[1]] == [p.name for p in files[3]]
    assert digest(tmp_path / "1") == digest(tmp_path / "3")


def test_examples_are_played_while_the_game_is_compiled(
    lakes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESCRIPT_CACHE", "")
    monkeypatch.setattr(plays, "WORTH_SHARING", 2)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    with Begun() as begun:
        game = begun.load(lakes)
        assert begun.playing is not None
        build_site(game, tmp_path / "a", games=2, begun=begun)
    build_site(rulescript.load(lakes), tmp_path / "b", games=2)
    assert digest(tmp_path / "a") == digest(tmp_path / "b")


def test_a_game_that_is_wrong_is_told_as_ever(lakes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESCRIPT_CACHE", "")
    change(lakes / "claims.rules", "count(camp) == 10", "count(camp) == 11")
    with pytest.raises(GameInvalid) as ours, Begun() as begun:
        begun.load(lakes)
    with pytest.raises(GameInvalid) as usual:
        rulescript.load(lakes)
    assert str(ours.value) == str(usual.value)


def printed(game: Path, target: Path, games: int = 2) -> dict[str, str]:
    """As `rulescript docs` does it."""
    with Begun() as begun:
        build_site(begun.load(game, games=games), target, games=games, begun=begun)
    return digest(target)


def test_a_game_is_not_compiled_again_for_another_sentence(
    played: Played, lakes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[str] = []
    compile_text = loading.compile_text
    monkeypatch.setattr(loading, "compile_text", lambda *args: (compiled.append("once"), compile_text(*args))[1])
    printed(lakes, tmp_path / "a")
    assert compiled == ["once"]
    # Lines move, and the coverage page says which of them were reached.
    change(lakes / "battle.rules.md", "# 3 Fighting\n", "# 3 Fighting\n\nA new\n\nsentence.\n")
    again = printed(lakes, tmp_path / "b")
    assert compiled == ["once"]
    change(lakes / "battle.rules.md", "A new\n\nsentence.", "A sentence.")
    printed(lakes, tmp_path / "c", games=3)
    assert compiled == ["once"] * 2  # other games are played, and noted line by line
    change(lakes / "battle.rules.md", "active.catch += gain(p)", "active.catch += gain(p) + 1")
    printed(lakes, tmp_path / "c")
    assert compiled == ["once"] * 3
    change(lakes / "battle.rules.md", "active.catch += gain(p) + 1", "active.catch += gain(p)")
    change(lakes / "battle.rules.md", "A sentence.", "A new\n\nsentence.")
    shutil.rmtree(tmp_path / "cache")
    assert printed(lakes, tmp_path / "c") == again


ISLES_PLAYED = """\
example "Somebody goes"
    given empty, active North, at play
    play
        North: go to Kerry
    expect
        outcome is draw
"""
MOVED = [[-10.0, 51.5], [-7.0, 51.5], [-7.0, 53.0], [-10.0, 53.0], [-10.0, 51.5]]
DRAWN_WITH = {
    "an outline": ("map.geojson", collection(feature("Kerry", MOVED)).encode()),
    "a picture": ("board.png", png(180, 120)),
    "a line of the map": ("game.rules", ("at 52.1N 9.5W", "at 52.6N 9.5W")),
    "a name": ("game.rules", ("Region Kerry ", 'Region Kerry "County Kerry" ')),
}


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=[pytest.mark.long] * (what != "an outline")) for what in DRAWN_WITH]
)
def test_a_picture_is_drawn_anew_when_what_it_is_drawn_with_has_changed(
    played: Played, tmp_path: Path, what: str
) -> None:
    name, new = DRAWN_WITH[what]
    lines = ['picture "board.png" from 54N 10W to 50N 2E'] if what == "a picture" else ["coordinates real"]
    lines += ['shapes "map.geojson"'] if what == "an outline" else []
    game = isles(tmp_path / "isles", *lines, shapes=collection(feature("Kerry")))
    (game / "board.png").write_bytes(png(120, 80))
    with (game / "game.rules").open("a", encoding="utf-8") as file:
        file.write(ISLES_PLAYED)
    first = built(game, tmp_path / "a")
    assert played.titles == ["Somebody goes"]
    played.clear()
    assert built(game, tmp_path / "b") == first and not played.titles
    if isinstance(new, bytes):
        (game / name).write_bytes(new)
    else:
        change(game / name, *new)
    again = built(game, tmp_path / "c")
    assert played.titles == ["Somebody goes"]
    assert again["examples.html"] != first["examples.html"]
    shutil.rmtree(tmp_path / "cache")
    assert built(game, tmp_path / "d") == again


def test_pictures_of_another_rulescript_are_drawn_anew(
    played: Played, lakes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever mends how maps are drawn sees it."""
    built(lakes, tmp_path / "a")
    played.clear()
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(kept, "own_key", lambda rooms: (asked.append(rooms), "another")[1])
    built(lakes, tmp_path / "b")
    assert len(played.titles) == 3 and "docgen" in asked[0]
