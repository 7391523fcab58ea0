"""What a file must be: UTF-8, with the version of the language above everything else."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulescript.diagnostics import Reporter
from rulescript.errors import GameInvalid, PlayError, StepLimit
from rulescript.loader import load_single
from rulescript.source import SourceFile
from tests.loader.conftest import Loaded, Write

Load = Callable[[str | Path], Loaded]


def _single(tmp_path: Path, data: str | bytes, name: str = "sea.rules") -> Path:
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.mark.parametrize("text", ["rulescript 1\n", "\n# words\n\nrulescript 1 # so\nkind A\n", "rulescript 1"])
def test_a_file_begins_with_the_version(load: Load, tmp_path: Path, text: str) -> None:
    assert load(_single(tmp_path, text)).codes == []


@pytest.mark.parametrize("text", ["# rulescript 1\n", "kind A\n", "kind A\nrulescript 1\n"])
def test_a_missing_version_is_reported(load: Load, tmp_path: Path, text: str) -> None:
    loaded = load(_single(tmp_path, text))
    assert "RS006" in loaded.codes
    report = next(each for each in loaded.diagnostics if each.code == "RS006")
    assert report.hint == "put `rulescript 1` above everything else"


@pytest.mark.parametrize("text", ["rulescripts 1\nkind A\n", "rulescript1\nkind A\n", "rulescript one\nkind A\n"])
def test_a_misspelt_version_is_reported_once(load: Load, tmp_path: Path, text: str) -> None:
    assert load(_single(tmp_path, text)).codes == ["RS001"]


PROSE = [
    "Dear designer,\n\nthis is a game about war.\nEach turn they roll dice.\n",
    'This is a game about war. It\'s for "two".\n',
    "Panzer: the rules\n=======\n1. Players move\non each turn (or not\n    they roll 3 dice?\n",
    '{"game": 1,\n "players": [1, 2]}\n',
    "from rulescript import *\n\nclass Unit:\n    def move(self):\n        pass\n\ng = Game()\n",
]


@pytest.mark.parametrize("text", PROSE)
def test_what_is_no_program_is_told_so_once(load: Load, tmp_path: Path, text: str) -> None:
    loaded = load(_single(tmp_path, text))
    assert [(each.message, each.span.line) for each in loaded.diagnostics] == [("there are no rules in this file", 1)]


def test_a_chapter_that_should_be_a_game_is_told_what_it_lacks(load: Load, write: Write) -> None:
    loaded = load(write({"game.rules.md": "# My game\n\nOnly prose.\n"}))
    assert [each.message for each in loaded.diagnostics] == ["there is no block of rules in this file"]


def test_a_literate_main_file_needs_the_version_too(load: Load, write: Write) -> None:
    loaded = load(write({"game.rules.md": "# 2 Map\n```rules\nkind A\n```\n"}))
    assert loaded.codes == ["RS006"]
    assert loaded.diagnostics[0].span.text == "kind A"
    assert loaded.diagnostics[0].hint == "put `rulescript 1` first in its first block of rules"


def test_included_files_may_leave_the_version_out(load: Load, write: Write) -> None:
    loaded = load(
        write(
            {
                "game.rules": 'include "map.rules.md"\ninclude "parts/units.rules.md"\n',
                "map.rules.md": "# 2 Map\n```rules\nkind A\n```\n",
                "parts/units.rules.md": "```rules\nrulescript 1\nkind B\n```\n",
            }
        )
    )
    assert loaded.codes == []
    assert loaded.kinds == ["A", "B"]


def test_a_version_in_an_included_file_is_one_that_is_known(load: Load, write: Write) -> None:
    folder = write(
        {
            "game.rules": 'include "map.rules.md"\n',
            "map.rules.md": "```rules\nrulescript 3\nkind A\n```\n",
        }
    )
    loaded = load(folder)
    assert loaded.codes == ["RS006"]
    assert loaded.diagnostics[0].span.text == "rulescript 3"


def test_another_version_is_reported(load: Load, tmp_path: Path) -> None:
    loaded = load(_single(tmp_path, "rulescript 2\nkind A\n"))
    assert loaded.codes == ["RS006"]
    assert loaded.diagnostics[0].span.text == "rulescript 2"


def test_a_version_that_cannot_be_read_is_one_mistake(load: Load, tmp_path: Path) -> None:
    assert load(_single(tmp_path, "rulescript one\nkind A\n")).codes == ["RS001"]


def test_a_byte_order_mark_and_windows_line_ends_are_fine(load: Load, tmp_path: Path) -> None:
    loaded = load(_single(tmp_path, b"\xef\xbb\xbfrulescript 1\r\nkind A\r\n"))
    assert loaded.codes == []
    assert loaded.kinds == ["A"]


def test_what_is_not_utf8_is_reported_with_its_place(load: Load, tmp_path: Path) -> None:
    text = "rulescript 1\r\n# é\r\nkind Caf".encode() + b"\xe9\nkind \xff\n"
    loaded = load(_single(tmp_path, text))
    assert loaded.codes == ["RS004"]
    span = loaded.diagnostics[0].span
    assert (span.line, span.column) == (3, 9)
    assert "0xe9" in loaded.diagnostics[0].message


def test_utf16_is_one_mistake(load: Load, tmp_path: Path) -> None:
    assert load(_single(tmp_path, "rulescript 1\n".encode("utf-16"))).codes == ["RS004"]


def test_a_file_may_be_a_game_with_includes_of_its_own(load: Load, tmp_path: Path) -> None:
    _single(tmp_path, "rulescript 1\nkind B\n", "b.rules")
    loaded = load(_single(tmp_path, 'rulescript 1\ninclude "b.rules"\n'))
    assert not loaded.diagnostics
    assert (loaded.game.ident, loaded.game.title, loaded.game.folder) == ("sea", "sea", tmp_path)
    assert loaded.kinds == ["B"]


def test_the_path_of_a_main_file_means_its_folder(load: Load, write: Write) -> None:
    folder = write({"game.rules": "kind A\n"})
    by_file, by_folder = load(folder / "game.rules").game, load(folder).game
    assert by_file.ident == by_folder.ident == "rivers"
    assert by_file.content_key == by_folder.content_key


def test_files_are_named_as_the_user_sees_them(
    load: Load, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write({"game.rules": ""})
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert load(folder).game.files[0].name == f"{tmp_path.as_posix()}/rivers/game.rules"
    monkeypatch.chdir(tmp_path)
    assert load(folder).game.files[0].name == "rivers/game.rules"
    assert load("rivers").game.files[0].name == "rivers/game.rules"
    monkeypatch.chdir(folder)
    assert load(".").game.files[0].name == "game.rules"
    assert load("../rivers").game.files[0].name == "../rivers/game.rules"
    assert load(".").game.ident == load("../rivers").game.ident == "rivers"


def test_a_game_is_named_once(load: Load, write: Write) -> None:
    loaded = load(write({"game.rules": 'game "One"\n    by "Ann"\ninclude "b.rules"\n', "b.rules": 'game "Two"\n'}))
    assert loaded.codes == ["RS102"]
    assert loaded.diagnostics[0].others[0].span.text == 'game "One"'
    assert loaded.game.title == "One"


# ---- headings ----------------------------------------------------------------------------------------------


def test_headings_give_the_default_citation(load: Load, write: Write) -> None:
    text = """\
```rules
rulescript 1
kind Before
```
# 4 The turn
```rules
kind Turn
```
## 4.6 Movement
### Notes
```rules
kind Notes
kind More §9.1
```
### §4.6.3 Fords
```rules
include "data.rules"
kind Ford
```
## Remarks
```rules
kind Remark
```
# Appendix
```rules
kind Last
```
"""
    loaded = load(write({"game.rules.md": text, "data.rules": "kind Data\n"}))
    assert not loaded.diagnostics
    cites = dict(zip(loaded.kinds, [piece.cites for piece in loaded.game.pieces], strict=True))
    assert cites == {
        "Before": (),
        "Turn": ("4",),
        "Notes": ("4.6",),
        "More": ("4.6",),
        "Data": (),
        "Ford": ("4.6.3",),
        "Remark": ("4",),
        "Last": (),
    }


# ---- text given directly -----------------------------------------------------------------------------------


def test_text_needs_no_file() -> None:
    game = load_single('game "Two Rivers"\nkind Area\n')
    assert (game.ident, game.title, game.folder, game.base) == ("text", "Two Rivers", None, None)
    assert len(game.pieces) == len(game.files) == 1
    assert game.content_key == load_single('game "Two Rivers"\nkind Area\n').content_key
    assert game.content_key != load_single('game "Two Rivers"\nkind Areas\n').content_key


def test_text_may_be_literate() -> None:
    game = load_single("# 3 Sea\n```rules\nkind Sea\n```\n", "deep/sea.rules.md")
    assert game.ident == "sea"
    assert game.pieces[0].cites == ("3",)


def test_mistakes_in_a_text_are_raised_or_reported() -> None:
    with pytest.raises(GameInvalid) as caught:
        load_single('include "map.rules"\n')
    assert [each.code for each in caught.value.diagnostics] == ["RS008"]
    assert "error[RS008]" in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    reporter = Reporter()
    load_single("rulescript 3\n", reporter=reporter)
    assert [each.code for each in reporter.diagnostics] == ["RS006"]


def test_an_error_in_play_says_where() -> None:
    span = SourceFile("sea.rules", "one\ntwo\n").span(4, 7)
    error = StepLimit("this never ends", span=span)
    assert str(error) == "sea.rules:2: this never ends"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert str(PlayError("division by nothing", place="sea.rules:9")) == "sea.rules:9: division by nothing"


def test_importing_the_loader_does_not_import_the_parser() -> None:
    code = (
        "import sys, rulescript.loader as l; l.content_key_of(l.bundled_games()[0]);"
        "print([m for m in ('lark', 'rulescript.nodes', 'rulescript.diagnostics') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
