"""`rulescript docs`: a site, Markdown or JSON, and clear words where something is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulescript.docgen.build import GAMES
from tests.cli.conftest import BROKEN, CARDS, SKIRMISH, Cli


def test_a_site_is_written_and_named(cli: Cli, tmp_path: Path) -> None:
    result = cli("docs", SKIRMISH, "-o", str(tmp_path / "site"), "--games", "1")
    assert result.code == 0
    assert f"open {tmp_path / 'site' / 'index.html'}" in result.out
    assert "wrote " in result.out and " MB, in " in result.out
    assert (tmp_path / "site" / "search-index.js").exists()


def test_without_a_folder_it_goes_beside_you(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("docs", SKIRMISH, "--games", "1").code == 0
    assert (tmp_path / "skirmish-rules" / "index.html").exists()


def test_markdown_and_json(cli: Cli, tmp_path: Path) -> None:
    assert cli("docs", CARDS, "-o", str(tmp_path / "md"), "--format", "markdown", "--games", "1").code == 0
    assert (tmp_path / "md" / "README.md").read_text(encoding="utf-8").startswith("# ")
    assert cli("docs", CARDS, "-o", str(tmp_path / "json"), "--format", "json", "--games", "1").code == 0
    told = json.loads((tmp_path / "json" / "game.json").read_text(encoding="utf-8"))
    assert told["schema"] == 1
    printed = cli("docs", CARDS, "-o", "-", "--format", "json", "--games", "1")
    assert printed.json == told


def test_what_was_written_as_json(cli: Cli, tmp_path: Path) -> None:
    told = cli("docs", SKIRMISH, "-o", str(tmp_path / "s"), "--games", "1", "--json").json
    assert told["first"].endswith("s/index.html") and len(told["files"]) > 10


def test_a_folder_that_is_a_file(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("x")
    result = cli("docs", SKIRMISH, "-o", str(tmp_path / "taken"))
    assert result.code == 2
    assert "is a file, not a folder" in result.err


def test_no_such_option_game_or_templates(cli: Cli, tmp_path: Path) -> None:
    for words, told in [
        (("docs", SKIRMISH, "-o", str(tmp_path), "--option", "nonsense"), "no option `nonsense`"),
        (("docs", "no_such_game"), "no_such_game"),
        (("docs", SKIRMISH, "-o", str(tmp_path), "--templates", str(tmp_path / "absent")), "no folder"),
        (("docs", SKIRMISH, "--format", "pdf"), "pdf"),
    ]:
        result = cli(*words)
        assert result.code in (1, 2) and told in result.err, words


def test_a_broken_game_is_not_printed(cli: Cli, tmp_path: Path) -> None:
    result = cli("docs", BROKEN, "-o", str(tmp_path / "site"))
    assert result.code == 1
    assert "error[" in result.err + result.out
    assert not (tmp_path / "site").exists()


def test_templates_of_ones_own_and_a_note_on_a_misspelt_one(cli: Cli, tmp_path: Path) -> None:
    look = tmp_path / "look"
    look.mkdir()
    (look / "custom.css").write_text(":root { --accent: #123456; }")
    (look / "custm.css").write_text("")
    result = cli("docs", SKIRMISH, "-o", str(tmp_path / "site"), "--games", "1", "--templates", str(look))
    assert result.code == 0
    assert "`custm.css` is no template of ours" in result.err and "`custom.css`" in result.err
    assert "#123456" in (tmp_path / "site" / "custom.css").read_text()


def test_it_is_in_the_help(cli: Cli) -> None:
    assert "print a game's rules as a site" in cli("--help").out
    assert "--templates" in cli("docs", "--help").out


def test_how_many_random_games_there_are_is_said_as_it_is(cli: Cli) -> None:
    assert f"(default: {GAMES})" in " ".join(cli("docs", "--help").out.split())
