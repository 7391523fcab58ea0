"""Games that build on others, and the key that says whether a text has changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulescript.loader import content_key_of, finding, load_single
from tests.loader.conftest import Loaded

Load = Callable[[str | Path], Loaded]


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`river_war` comes with the program; everything else lies in the folder handed out."""
    monkeypatch.setattr(finding, "bundled", lambda _: tmp_path / "shelf")
    _game(tmp_path / "shelf" / "river_war", "kind Area\n")
    (tmp_path / "mine").mkdir()
    return tmp_path / "mine"


def _game(folder: Path, text: str = "", on: str | None = None, name: str = "game.rules") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    line = f"    builds on {on}\n" if on else ""
    (folder / name).write_text(f'rulescript 1\ngame "The {folder.name}"\n{line}{text}')
    return folder


def test_a_game_builds_on_one_that_comes_along(load: Load, games: Path) -> None:
    loaded = load(_game(games / "variant", "kind Ford\n", on="river_war"))
    assert not loaded.diagnostics
    assert loaded.kinds == ["Ford"]  # the base keeps its own pieces
    base = loaded.game.base
    assert base is not None
    assert (base.ident, base.title, base.base, len(base.pieces)) == ("river_war", "The river_war", None, 1)
    assert base.pieces[0].origin == "river_war"


def test_a_game_builds_on_one_beside_it_and_so_on(load: Load, games: Path) -> None:
    _game(games / "one", on="river_war")
    _game(games, on="one", name="two.rules")
    loaded = load(_game(games / "three", on="two"))
    assert not loaded.diagnostics
    chain = []
    game = loaded.game.base
    while game is not None:
        chain.append(game.ident)
        game = game.base
    assert chain == ["two", "one", "river_war"]


def test_a_single_file_builds_on_one_beside_it(load: Load, games: Path) -> None:
    _game(games / "one")
    _game(games, on="one", name="two.rules")
    base = load(games / "two.rules").game.base
    assert base is not None and base.ident == "one"


def test_what_a_game_builds_on_does_not_depend_on_where_one_stands(
    load: Load, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _game(tmp_path / "elsewhere" / "hill_war")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert load(_game(games / "variant", on="hill_war")).codes == ["RS112"]


def test_an_unknown_base_is_reported_with_a_guess(load: Load, games: Path) -> None:
    loaded = load(_game(games / "variant", on="rivr_war"))
    assert loaded.codes == ["RS112"]
    assert loaded.diagnostics[0].span.text == "rivr_war"
    assert loaded.diagnostics[0].hint == "did you mean `river_war`?"
    assert loaded.game.base is None


def test_a_base_without_a_main_file_is_reported(load: Load, games: Path) -> None:
    (games / "empty").mkdir()
    assert load(_game(games / "variant", on="empty")).codes == ["RS112"]


def test_games_in_a_circle_are_reported_once(load: Load, games: Path) -> None:
    _game(games / "one", on="two")
    _game(games / "two", on="one")
    loaded = load(games / "one")
    assert loaded.codes == ["RS009"]
    assert loaded.diagnostics[0].message == "this game builds on `one`, which builds on this game"
    loaded = load(_game(games / "self", on="self"))
    assert loaded.diagnostics[0].message == "this game builds on itself"
    content_key_of(games / "one")  # and the key comes to an end


def test_a_tower_of_games_has_an_end(load: Load, games: Path) -> None:
    for number in range(40):
        _game(games / f"g{number}", on=f"g{number + 1}")
    _game(games / "g40")
    assert load(games / "g0").codes == ["RS014"]


def test_mistakes_in_the_base_are_reported(load: Load, games: Path) -> None:
    _game(games / "one", 'include "../x.rules"\n')
    loaded = load(_game(games / "two", on="one"))
    assert loaded.codes == ["RS007"]


def test_a_text_builds_on_a_game_that_comes_along(games: Path) -> None:
    game = load_single('game "Mine"\n    builds on river_war\n')
    assert game.base is not None and game.base.ident == "river_war"
    (games.parent / "shelf" / "river_war" / "game.rules").write_text("rulescript 1\nkind Other\n")
    assert load_single('game "Mine"\n    builds on river_war\n').content_key != game.content_key


# ---- the key -----------------------------------------------------------------------------------------------


def test_the_key_is_that_of_the_loaded_text(load: Load, games: Path) -> None:
    folder = _game(games / "variant", on="river_war")
    key, files = content_key_of(folder)
    assert load(folder).game.content_key == key
    assert files == [folder / "game.rules", games.parent / "shelf" / "river_war" / "game.rules"]


def test_the_key_changes_with_any_file(games: Path) -> None:
    folder = _game(games / "variant", 'include "parts/a.rules"\n', on="one")
    _game(games / "one", on="river_war")
    keys = [content_key_of(folder)[0]]
    assert content_key_of(folder)[0] == keys[0]

    def changed() -> bool:
        keys.append(content_key_of(folder)[0])
        return keys[-1] not in keys[:-1]

    (folder / "parts").mkdir()
    (folder / "parts" / "a.rules").write_text("rulescript 1\n")
    assert changed()
    (folder / "parts" / "a.rules").write_text("rulescript 1\nkind A\n")
    assert changed()
    (folder / "parts" / "a.rules").rename(folder / "parts" / "b.rules")
    assert changed()
    (games / "one" / "more.rules.md").write_text("words\n")
    assert changed()
    _game(games.parent / "shelf" / "river_war", "kind Hill\n")
    assert changed()


def test_the_key_passes_over_what_is_no_part_of_the_game(games: Path, tmp_path: Path) -> None:
    folder = _game(games / "variant")
    key = content_key_of(folder)[0]
    (folder / "notes.txt").write_text("words")
    (folder / ".git").mkdir()
    (folder / ".git" / "a.rules").write_text("words")
    (tmp_path / "secret.rules").write_text("words")
    (folder / "secret.rules").symlink_to(tmp_path / "secret.rules")
    assert content_key_of(folder)[0] == key


def test_the_key_of_a_single_file_follows_its_includes(load: Load, games: Path) -> None:
    text = 'include "a.rules"\n\n  include "parts/*.rules"\ninclude "../out.rules"\n'
    _game(games, text, name="sea.rules")
    for name in ("a.rules", "parts/b.rules", "other.rules", "../out.rules"):
        (games / name).parent.mkdir(exist_ok=True)
        (games / name).write_text("rulescript 1\n")
    key, files = content_key_of(games / "sea.rules")
    assert files == [games / "a.rules", games / "parts/b.rules", games / "sea.rules"]
    assert load(games / "sea.rules").game.content_key == key
    (games / "other.rules").write_text("changed")
    (games.parent / "out.rules").write_text("changed")
    assert content_key_of(games / "sea.rules")[0] == key
    (games / "parts" / "c.rules").write_text("new")
    assert content_key_of(games / "sea.rules")[0] != key


def test_copies_under_two_names_have_two_keys(games: Path) -> None:
    one = _game(games / "one")
    two = _game(games / "two")
    (two / "game.rules").write_text((one / "game.rules").read_text())
    assert content_key_of(one)[0] != content_key_of(two)[0]
