"""Names and paths are interchangeable; what is not found is named, with a guess."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from rulescript.errors import GameNotFound
from rulescript.loader import bundled_games, find_game, finding


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One game that comes with the program, and a current folder that is empty."""
    _make(tmp_path / "shelf" / "river_war" / "game.rules")
    (tmp_path / "shelf" / "notes").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(finding, "bundled", lambda _: tmp_path / "shelf")
    return tmp_path / "shelf"


def _make(path: Path, text: str = "rulescript 1\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_the_games_that_come_along_are_folders_with_rules(shelf: Path) -> None:
    assert bundled_games() == ["river_war"]


def test_the_index_of_a_rulebook_is_no_game_yet(shelf: Path) -> None:
    """It is not listed, and who asks for it is told so; a folder here of that name is found."""
    _make(shelf / "hill_war" / "rulebook.rules")
    _make(shelf / "sea_war" / "a.rules")
    _make(shelf / "sea_war" / "b.rules")
    assert bundled_games() == ["river_war"]
    for name in ("hill_war", "sea_war"):
        with pytest.raises(GameNotFound) as caught:
            find_game(name)
        assert caught.value.message == f"`{name}` cannot be played yet: its rules are not written so far"
        assert caught.value.hint == "the games that come with the program are river_war"
    _make(Path("hill_war/game.rules"))
    assert find_game("hill_war") == Path("hill_war")
    _make(shelf / "lake_war" / "lake.rules")  # a game in a single file
    assert bundled_games() == ["lake_war", "river_war"]


def test_our_own_games_are_found_by_name() -> None:
    assert bundled_games()
    for name in bundled_games():
        assert find_game(name).name == name


def test_a_name_means_the_game_that_comes_along_before_a_folder_here(shelf: Path) -> None:
    assert find_game("river_war") == shelf / "river_war"
    _make(Path("river_war/game.rules"))
    assert find_game("river_war") == shelf / "river_war"
    assert find_game("./river_war") == Path("river_war")


def test_a_name_may_be_a_folder_here(shelf: Path) -> None:
    _make(Path("hill_war/game.rules.md"))
    assert find_game("hill_war") == Path("hill_war")
    assert find_game(Path("hill_war")) == Path("hill_war")
    assert find_game("hill_war/") == Path("hill_war")


def test_a_file_is_a_game_too(shelf: Path) -> None:
    _make(Path("sea.rules"))
    _make(Path("deep/sky.rules.md"))
    assert find_game("sea.rules") == Path("sea.rules")
    assert find_game("deep/sky.rules.md") == Path("deep/sky.rules.md")


def test_the_current_folder_is_a_game_if_it_has_rules(shelf: Path) -> None:
    with pytest.raises(GameNotFound, match="has no rules file"):
        find_game(".")
    _make(Path("game.rules"))
    assert find_game(".") == Path(".")


@pytest.mark.parametrize("word", ["rivr_war", "River_War", "river war", "river-war"])
def test_a_misspelt_name_is_put_right(shelf: Path, word: str) -> None:
    with pytest.raises(GameNotFound) as caught:
        find_game(word)
    assert f"`{word}`" in str(caught.value)
    assert "did you mean `river_war`?" in str(caught.value)


def test_a_name_like_no_other_gets_the_list(shelf: Path) -> None:
    with pytest.raises(GameNotFound, match="the games that come with the program are river_war"):
        find_game("zzz")


def test_a_misspelt_path_is_put_right(shelf: Path) -> None:
    _make(Path("mine/castle.rules"))
    with pytest.raises(GameNotFound, match=r"did you mean `mine/castle\.rules`\?"):
        find_game("mine/castel.rules")


@pytest.mark.parametrize("where", ["", " ", "a\0b", "a/\0.rules", "x" * 5000, "nowhere/" + "x" * 5000])
def test_nonsense_is_not_found(shelf: Path, where: str) -> None:
    with pytest.raises(GameNotFound):
        find_game(where)


def test_other_files_are_no_games(shelf: Path) -> None:
    _make(Path("notes/readme.txt"))
    with pytest.raises(GameNotFound, match="not a rules file"):
        find_game("notes/readme.txt")


def test_a_folder_needs_one_main_file(shelf: Path) -> None:
    _make(Path("two/game.rules"))
    _make(Path("two/game.rules.md"))
    with pytest.raises(GameNotFound, match="has both"):
        find_game("two")
    _make(Path("some/a.rules"))
    assert find_game("some") == Path("some")
    _make(Path("some/b.rules"))
    with pytest.raises(GameNotFound, match="2 rules files and none is called game.rules"):
        find_game("some")


def test_not_found_survives_pickling() -> None:
    error = GameNotFound("no game is called `x`", hint="did you mean `y`?")
    assert str(pickle.loads(pickle.dumps(error))) == "no game is called `x` (did you mean `y`?)"
