"""Includes: in order, once each, and never out of the game's folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rulescript.diagnostics import render_report
from rulescript.loader import limits
from tests.loader.conftest import Loaded, Write

Load = Callable[[str | Path], Loaded]


def test_declarations_come_in_order_of_inclusion(write: Write, load: Load) -> None:
    loaded = load(
        write(
            {
                "game.rules": 'game "Two Rivers"\ninclude "map.rules"\nkind Z\ninclude "parts/unit.rules"\n',
                "map.rules": "kind Area\nkind Ford\n",
                "parts/unit.rules": 'include "cards.rules"\nkind Unit\n',
                "parts/cards.rules": "kind Card\n",
            }
        )
    )
    assert not loaded.diagnostics
    assert loaded.kinds == ["Area", "Ford", "Z", "Card", "Unit"]
    assert len(loaded.game.pieces) == 5  # the language lines, the includes and `game` are not pieces
    assert loaded.game.title == "Two Rivers"
    assert {piece.origin for piece in loaded.game.pieces} == {"rivers"}
    names = [os.path.basename(file.name) for file in loaded.game.files]
    assert names == ["game.rules", "map.rules", "unit.rules", "cards.rules"]


def test_each_file_is_read_once(write: Write, load: Load) -> None:
    main = 'include "a.rules"\ninclude "b.rules"\ninclude "./b.rules"\ninclude "deep/../a.rules"\n'
    loaded = load(
        write(
            {
                "game.rules": main,
                "a.rules": 'include "b.rules"\nkind A\n',
                "b.rules": "kind B\n",
                "deep/x.rules": "",
            }
        )
    )
    assert not loaded.diagnostics
    assert loaded.kinds == ["B", "A"]


def test_going_up_within_the_folder_is_fine(write: Write, load: Load) -> None:
    loaded = load(
        write(
            {
                "game.rules": 'include "deep/a.rules"\n',
                "deep/a.rules": 'include "../b.rules"\n',
                "b.rules": "kind B\n",
            }
        )
    )
    assert not loaded.diagnostics
    assert loaded.kinds == ["B"]


@pytest.mark.parametrize(
    "path",
    [
        "../secret.rules",
        "deep/../../secret.rules",
        "../rivers/map.rules",
        "../missing.rules",
        "../*.rules",
        "..",
        "/etc/passwd",
        "/tmp/secret.rules",
        "C:/secret.rules",
        "C:secret.rules",
        "//server/share/secret.rules",
        "~/secret.rules",
    ],
)
def test_climbing_out_is_refused(write: Write, load: Load, tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.rules").write_text("rulescript 1\nkind Secret\n")
    loaded = load(write({"game.rules": f'include "{path}"\nkind Area\n', "map.rules": "", "deep/x.rules": ""}))
    assert loaded.codes == ["RS007"]
    assert loaded.kinds == ["Area"]
    assert loaded.diagnostics[0].span.text == f'"{path}"'


def test_links_out_are_refused(write: Write, load: Load, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.rules").write_text("rulescript 1\nkind Secret\n")
    folder = write({"game.rules": 'include "file.rules"\ninclude "folder/secret.rules"\ninclude "folder/*.rules"\n'})
    (folder / "file.rules").symlink_to(tmp_path / "outside" / "secret.rules")
    (folder / "folder").symlink_to(tmp_path / "outside")
    loaded = load(folder)
    assert loaded.codes == ["RS007", "RS007", "RS007"]
    assert loaded.kinds == []


def test_a_pattern_does_not_follow_a_link_out(write: Write, load: Load, tmp_path: Path) -> None:
    (tmp_path / "secret.rules").write_text("rulescript 1\nkind Secret\n")
    folder = write({"game.rules": 'include "parts/*.rules"\n', "parts/a.rules": "kind A\n"})
    (folder / "parts" / "b.rules").symlink_to(tmp_path / "secret.rules")
    assert load(folder).codes == ["RS007"]


def test_a_main_file_that_is_a_link_out_is_refused(write: Write, load: Load, tmp_path: Path) -> None:
    (tmp_path / "secret.rules").write_text("rulescript 1\nkind Secret\n")
    folder = write({"parts/a.rules": ""})
    (folder / "game.rules").symlink_to(tmp_path / "secret.rules")
    loaded = load(folder)
    assert loaded.codes == ["RS007"]
    assert "RS007" in render_report(loaded.diagnostics)
    # Named by the user, the same link is what they asked for.
    assert load(folder / "game.rules").kinds == ["Secret"]


def test_links_within_the_folder_are_fine(write: Write, load: Load) -> None:
    folder = write({"game.rules": 'include "also.rules"\ninclude "map.rules"\n', "map.rules": "kind Area\n"})
    (folder / "also.rules").symlink_to("map.rules")
    loaded = load(folder)
    assert not loaded.diagnostics
    assert loaded.kinds == ["Area"]


def test_links_in_a_circle_lead_nowhere(write: Write, load: Load) -> None:
    folder = write({"game.rules": 'include "a.rules"\n'})
    (folder / "a.rules").symlink_to("b.rules")
    (folder / "b.rules").symlink_to("a.rules")
    assert load(folder).codes == ["RS008"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("mpa.rules", "there is no file"),
        ("Map.rules", "there is no file"),
        ("no/map.rules", "there is no file"),
        ("map.rules/map.rules", "there is no file"),
        ("deep", "is a folder"),
        (".", "is a folder"),
        ("folder.rules", "is a folder"),
        ("notes.txt", "is not a rules file"),
        ("map", "is not a rules file"),
        ("deep\\x.rules", "backslash"),
        ("", "names a file"),
        (" ", "names a file"),
        ("\x01.rules", "names a file"),
        (".git/x.rules", "hidden"),
        (".map.rules", "hidden"),
        ("deep/*", "does not end in"),
        ("*/x.rules", "may stand once"),
        ("**.rules", "may stand once"),
        ("deep/a*.rules", "no file fits"),
        ("none/*.rules", "there is no file"),
        ("x" * 5000 + ".rules", "there is no file"),
        ("pipe.rules", "is not a file that can be read"),
    ],
)
def test_what_cannot_be_included_says_why(write: Write, load: Load, path: str, said: str) -> None:
    folder = write(
        {
            "game.rules": f'include "{path}"\n',
            "map.rules": "",
            "deep/x.rules": "",
            "folder.rules/x.rules": "",
            "notes.txt": "",
            ".git/x.rules": "kind Hidden\n",
            ".map.rules": "",
        }
    )
    os.mkfifo(folder / "pipe.rules")
    loaded = load(folder)
    assert loaded.codes == ["RS008"]
    assert said in loaded.diagnostics[0].message


def test_a_misspelt_include_is_put_right(write: Write, load: Load) -> None:
    folder = write({"game.rules": 'include "Maps/nroth.rules"\n', "maps/north.rules": ""})
    assert load(folder).diagnostics[0].hint == 'include "maps/nroth.rules"'
    folder = write({"game.rules": 'include "maps/nroth.rules"\n'})
    assert load(folder).diagnostics[0].hint == 'include "maps/north.rules"'


def test_a_pattern_includes_what_fits_in_order(write: Write, load: Load) -> None:
    loaded = load(
        write(
            {
                "game.rules": 'include "parts/*.rules"\ninclude "parts/t*.rules.md"\n',
                "parts/b.rules": "kind B\n",
                "parts/a.rules": "kind A\n",
                "parts/.c.rules": "kind C\n",
                "parts/deep/d.rules": "kind D\n",
                "parts/folder.rules/e.rules": "kind E\n",
                "parts/text.rules.md": "```rules\nrulescript 1\nkind T\n```\n",
                "parts/notes.txt": "",
            }
        )
    )
    assert not loaded.diagnostics
    assert loaded.kinds == ["A", "B", "T"]


def test_a_pattern_may_fit_the_file_it_stands_in(write: Write, load: Load) -> None:
    folder = write(
        {"game.rules": 'include "*.rules"\n', "a.rules": 'kind A\ninclude "*.rules"\n', "b.rules": "kind B\n"}
    )
    loaded = load(folder)
    assert not loaded.diagnostics
    assert loaded.kinds == ["A", "B"]


def test_includes_in_a_circle_are_reported_once(write: Write, load: Load) -> None:
    loaded = load(
        write(
            {
                "game.rules": 'include "a.rules"\nkind Main\n',
                "a.rules": 'include "b.rules"\nkind A\n',
                "b.rules": 'include "a.rules"\nkind B\n',
            }
        )
    )
    assert loaded.codes == ["RS009"]
    assert loaded.diagnostics[0].span.source.name.endswith("b.rules")
    assert loaded.kinds == ["B", "A", "Main"]


def test_a_file_cannot_include_itself(write: Write, load: Load) -> None:
    loaded = load(write({"game.rules": 'include "game.rules"\n'}))
    assert loaded.codes == ["RS009"]
    assert "itself" in loaded.diagnostics[0].message


def test_a_long_chain_of_includes_needs_no_recursion(write: Write, load: Load) -> None:
    files = {f"f{n}.rules": f'include "f{n + 1}.rules"\n' for n in range(450)}
    loaded = load(write({"game.rules": 'include "f0.rules"\n', **files, "f450.rules": "kind Deep\n"}))
    assert not loaded.diagnostics
    assert loaded.kinds == ["Deep"]


# ---- limits ------------------------------------------------------------------------------------------------


def test_a_big_file_is_refused(write: Write, load: Load) -> None:
    folder = write({"game.rules": 'include "big.rules"\nkind Area\n', "big.rules": "# " + "x" * 2_000_000})
    loaded = load(folder)
    assert loaded.codes == ["RS010"]
    assert loaded.diagnostics[0].span.text == '"big.rules"'
    assert loaded.kinds == ["Area"]


def test_a_big_main_file_is_refused(write: Write, load: Load) -> None:
    loaded = load(write({"game.rules": "# " + "x" * 2_000_000}))
    assert loaded.codes == ["RS010"]
    assert "game.rules" in render_report(loaded.diagnostics)


def test_too_many_files_are_refused_once(write: Write, load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_FILES", 4)
    files = {f"parts/f{n}.rules": f"kind K{n}\n" for n in range(9)}
    loaded = load(write({"game.rules": 'include "parts/*.rules"\ninclude "parts/f8.rules"\n', **files}))
    assert loaded.codes == ["RS014"]
    assert loaded.kinds == ["K0", "K1", "K2"]


def test_too_much_text_is_refused_once(write: Write, load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_GAME_BYTES", 300)
    files = {f"f{n}.rules": f"kind K{n}\n# {'x' * 100}\n" for n in range(9)}
    loaded = load(write({"game.rules": 'include "f*.rules"\n', **files}))
    assert loaded.codes == ["RS014"]
    assert loaded.kinds == ["K0", "K1"]


@pytest.mark.parametrize(("whole", "kinds"), [(100, ["K0", "K1"]), (500_000, [f"K{n}" for n in range(9)])])
def test_too_many_words_are_refused_once_in_a_large_game(
    write: Write, load: Load, monkeypatch: pytest.MonkeyPatch, whole: int, kinds: list[str]
) -> None:
    """What is smaller is read whole, whatever it has."""
    monkeypatch.setattr(limits, "MAX_WORDS", 100)
    monkeypatch.setattr(limits, "WHOLE_BYTES", whole)
    files = {f"f{n}.rules": f"kind K{n}\n# {'x ' * 40}\n" for n in range(9)}
    loaded = load(write({"game.rules": 'include "f*.rules"\n', **files}))
    assert loaded.codes == (["RS014"] if whole == 100 else [])
    assert loaded.kinds == kinds


def test_too_many_includes_are_refused_once(write: Write, load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_INCLUDES", 3)
    loaded = load(write({"game.rules": 'include "a.rules"\n' * 9, "a.rules": "kind A\n"}))
    assert loaded.codes == ["RS014"]
    assert loaded.kinds == ["A"]
