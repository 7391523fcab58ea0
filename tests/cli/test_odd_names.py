"""What a person may type, and a disk may hold, that is no text or no number; and saves that are written whole."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rulescript.resources import write_whole
from tests.cli.conftest import SKIRMISH, Cli

# Half a letter, a letter that is no letter in UTF-8, digits that are none to `int`, and digits of other scripts.
ODD = ["\udcff", "a\udcedb", "\u00b2", "\u2460", "\u0663", "\uff11"]
WORDS = [
    ["play", "{}"], ["play", SKIRMISH, "-o", "{}"], ["play", SKIRMISH, "--scenario", "{}"], ["play", "--load", "{}"],
    ["play", SKIRMISH, "--seat", "{}"], ["play", SKIRMISH, "--seat", "{}=human"], ["play", SKIRMISH, "--against", "{}"],
    ["replay", "{}"], ["check", "{}"], ["test", "{}"], ["games", "{}"], ["docs", "{}"], ["fmt", "{}"],
    ["simulate", SKIRMISH, "-o", "{}"], ["check", "--explain", "{}"], ["replay", SKIRMISH, "--view", "{}"],
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=ascii)
@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_an_odd_word_is_refused_as_any_other(cli: Cli, words: list[str], odd: str) -> None:
    result = cli(*[word.format(odd) for word in words])
    assert result.code in (1, 2) and "RS901" not in result.err + result.out


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_an_odd_line_at_the_table(cli: Cli, tmp_path: Path, odd: str) -> None:
    lines = [odd, f"why {odd}", f"what {odd}", f"board {odd}", f"undo {odd}", f"log {odd}", f"save {tmp_path / odd}"]
    result = cli("play", SKIRMISH, "--seed", "1", typed="\n".join([*lines, "quit"]) + "\n")
    assert result.code == 0 and "RS901" not in result.err + result.out


PICKING = """\
rulescript 1
game "Picking", version "1"
values Side: North, South
players Side
state active: Side
kind Card
    home hand
holds hand: Card
holds out: Card
things
    Card Ash
    Card Elm
    Card Oak
    Card Yew
phase losing
    choose lose: 2 from hand as lost "Lose {lost}"
        move lost to out
sequence
    losing
    end game, draw
"""


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_an_odd_line_where_several_are_picked(cli: Cli, tmp_path: Path, odd: str) -> None:
    (tmp_path / "picking.rules").write_text(PICKING, encoding="utf-8")
    typed = f"{odd}\n1 {odd}\nAsh, {odd}\nlose {odd} Ash\nlose Ash, Elm, {odd}\nquit\n"
    result = cli("play", str(tmp_path / "picking.rules"), typed=typed)
    assert result.code == 0 and "RS901" not in result.err + result.out


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere all names of files are texts")
@pytest.mark.parametrize("name", ["\udcff/game.rules", "b\udcff.rules"], ids=ascii)
def test_a_game_whose_path_is_no_text(cli: Cli, tmp_path: Path, name: str) -> None:
    """It is played, printed, saved and opened like any other; where its path is shown, a question mark stands in."""
    game, save = tmp_path / name, tmp_path / "save.json"
    game.parent.mkdir(exist_ok=True)
    game.write_bytes(Path(SKIRMISH).read_bytes())
    assert cli("check", str(game)).code == 0
    assert cli("play", str(game), "--seed", "1", typed=f"1\nsave {save}\nquit\n").code == 0
    assert "?" in json.loads(save.read_text(encoding="utf-8"))["game"]
    assert cli("replay", str(save), "--game", str(game), "--all").code == 0
    assert cli("docs", str(game), "--out", str(tmp_path / "out")).code == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere all names of files are texts")
def test_a_new_game_in_a_folder_whose_name_is_no_text(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "\udcff" / "small"
    assert cli("new", str(folder)).code == 0
    assert cli("check", str(folder)).code == 0


# ---- saves are written whole or not at all


def saved_game(cli: Cli, path: Path) -> str:
    assert cli("play", SKIRMISH, "--seed", "1", typed=f"1\nsave {path}\nquit\n").code == 0
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("breaks", ["fsync", "chmod", "replace"])
@pytest.mark.parametrize("how", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "Ctrl-C"])
def test_a_crash_while_saving_leaves_the_old_save(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, breaks: str, how: BaseException
) -> None:
    path = tmp_path / "game.json"
    old = saved_game(cli, path)

    def broken(*_: object) -> None:
        raise how

    with monkeypatch.context() as patch:
        patch.setattr(os, breaks, broken)
        with pytest.raises(type(how)):
            write_whole(path, "x" * 10_000)
    assert path.read_text(encoding="utf-8") == old and os.listdir(tmp_path) == ["game.json"]


OUTPUTS = {
    "report": ["report", "{}/run", "-o", "{}/out"],
    "markdown": ["docs", SKIRMISH, "--format", "markdown", "-o", "{}/out"],
    "json": ["docs", SKIRMISH, "--format", "json", "-o", "{}/out"],
    "kit": ["docs", SKIRMISH, "--print", "aid", "-o", "{}/out"],
    "fmt": ["fmt", "{}/out.rules"],
}


@pytest.mark.parametrize("what", OUTPUTS)
@pytest.mark.parametrize("how", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "Ctrl-C"])
def test_a_crash_while_printing_leaves_what_was_there(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, how: BaseException
) -> None:
    """A report that was written over was empty or half there."""
    words = [word.format(tmp_path) for word in OUTPUTS[what]]
    if what == "report":
        assert cli("simulate", SKIRMISH, "-n", "5", "--jobs", "1", "--out", f"{tmp_path}/run").code == 0
    if what == "fmt":
        (tmp_path / "out.rules").write_text('rulescript 1\n\ngame   "Odd"\n', encoding="utf-8")
    else:
        assert cli(*words).code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def broken(*_: object) -> None:
        raise how

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", broken)
        assert cli(*words).code in (2, 130)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(sys.platform == "win32", reason="no limits there")
def test_a_full_disk_leaves_the_old_save(cli: Cli, tmp_path: Path) -> None:
    """A real process whose files may not grow: killed, or told so, in the middle of writing."""
    path = tmp_path / "game.json"
    old = saved_game(cli, path)
    code = (
        "import resource, signal, sys; from pathlib import Path; from rulescript.resources import write_whole\n"
        "if sys.argv[2] == 'told': signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "write_whole(Path(sys.argv[1]), 'x' * 100_000)"
    )
    for how in ("told", "killed"):
        done = subprocess.run([sys.executable, "-c", code, str(path), how], capture_output=True, check=False)
        assert done.returncode != 0
        assert path.read_text(encoding="utf-8") == old


def test_a_save_over_a_link_keeps_the_link(cli: Cli, tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    old = saved_game(cli, real)
    link.symlink_to(real)
    write_whole(link, "new")
    assert link.is_symlink() and real.read_text(encoding="utf-8") == "new" != old


def test_a_save_where_none_can_be_is_told_by_its_own_name(tmp_path: Path) -> None:
    """A link that leads to itself is no place; a folder that is not there is told as the player named it."""
    loop = tmp_path / "loop.json"
    loop.symlink_to(loop)
    write_whole(loop, "new")
    assert loop.read_text(encoding="utf-8") == "new"
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(tmp_path / "nowhere" / "game.json", "new")
    assert str(caught.value.filename).endswith("game.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_save_into_a_pipe_waits_for_nobody(tmp_path: Path) -> None:
    """Nobody reads it: that is told, and the table goes on. Who reads it gets the whole save."""
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    with pytest.raises(OSError):
        write_whole(pipe, "new")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, "new")
        assert os.read(reader, 100) == b"new"
    finally:
        os.close(reader)


@pytest.mark.parametrize("name", [".", "..", "/", "./..", "~nobody_of_that_name/game", "a\0b"])
def test_a_save_under_no_name_does_not_end_the_table(cli: Cli, name: str) -> None:
    result = cli("play", SKIRMISH, "--seed", "1", typed=f"save {name}\nboard\nquit\n")
    assert result.code == 0 and "RS901" not in result.out + result.err
    assert "save my_game.json" in result.out


@pytest.mark.parametrize("name", ["two words.json", "-x.json", "it's.json"])
def test_what_is_said_after_a_save_can_be_typed(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    said = cli("play", SKIRMISH, "--seed", "1", typed=f"save {name}\nquit\n").out
    (line,) = [line for line in said.splitlines() if "go on with: " in line]
    words = shlex.split(line.partition("go on with: ")[2])
    assert (tmp_path / name).exists()
    assert cli(*words[1:], typed="quit\n").code == 0
