"""`rulescript replay`: the story again, and where changed rules leave it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import rulescript
from tests.cli.conftest import CARDS, SKIRMISH, Cli


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of the game whose rules can be changed."""
    path = tmp_path / "skirmish.rules"
    path.write_text(Path(SKIRMISH).read_text(encoding="utf-8"), encoding="utf-8")
    return path


@pytest.fixture
def save(cli: Cli, game: Path, tmp_path: Path) -> str:
    file = str(tmp_path / "save.json")
    typed = f"march infantry to ford\nmarch guns to bridge\nstop\nstop\nmarch guns to ford\nsave {file}\nquit\n"
    cli("play", str(game), "--seed", "3", typed=typed)
    return file


def test_the_story_is_told_again(cli: Cli, game: Path, save: str) -> None:
    result = cli("replay", save, "--game", str(game))
    assert result.code == 0
    assert "North: March North infantry to Ford" in result.out
    assert "South: March South guns to Ford" in result.out
    assert "Here it stands: South has to decide" in result.out


def test_the_story_as_json(cli: Cli, game: Path, save: str) -> None:
    data = cli("replay", save, "--game", str(game), "--json").json
    assert data["rules"]["changed"] is False
    assert data["divergence"] is None
    assert data["next"] == {"player": "South", "choice": "march"}
    assert [e["key"] for e in data["events"] if e["kind"] == "choice"][:2] == [
        "march u=Mill.units:North_infantry",
        "march t=Ford",
    ]


def test_only_the_first_choices(cli: Cli, game: Path, save: str) -> None:
    data = cli("replay", save, "--game", str(game), "--json", "--to", "2").json
    assert len([e for e in data["events"] if e["kind"] == "choice"]) == 2


def test_changed_rules_that_still_fit_are_mentioned(cli: Cli, game: Path, save: str) -> None:
    game.write_text(game.read_text(encoding="utf-8").replace("    5\n", "    6\n"), encoding="utf-8")
    result = cli("replay", save, "--game", str(game))
    assert result.code == 0
    assert "the rules have changed since" in result.out
    assert "It fits the changed rules" in result.out


def test_where_changed_rules_forbid_a_choice_is_told_with_the_rule(cli: Cli, game: Path, save: str) -> None:
    text = game.read_text(encoding="utf-8")
    changed = text.replace("    road Mill - Ford - Castle\n", "    road Mill - Castle - Ford\n")
    assert changed != text
    game.write_text(changed, encoding="utf-8")
    result = cli("replay", save, "--game", str(game))
    assert result.code == 1
    assert "It diverges at choice 2" in result.out
    assert "march: march t=Ford" in result.out
    data = cli("replay", save, "--game", str(game), "--json").json
    assert data["divergence"]["choice_number"] == 2
    assert data["divergence"]["player"] == "North"
    assert "march t=Bridge" in data["divergence"]["options"]


def test_another_question_than_before_is_a_divergence(cli: Cli, game: Path, save: str) -> None:
    text = game.read_text(encoding="utf-8")
    swapped = "            fighting\n            marching\n"
    game.write_text(text.replace("            marching\n            fighting\n", swapped), encoding="utf-8")
    result = cli("replay", save, "--game", str(game))
    assert result.code == 1
    assert "It diverges at choice 1" in result.out


def test_somebodys_view_of_hidden_cards(cli: Cli, tmp_path: Path) -> None:
    file = str(tmp_path / "cards.json")
    cli("play", CARDS, "--seed", "4", typed=f"1\nsave {file}\nquit\n")
    everything = cli("replay", file, "--game", CARDS, "--json").json["events"]
    ann = cli("replay", file, "--game", CARDS, "--view", "Ann", "--json").json["events"]
    drawn = [event for event in everything if event["kind"] == "draw"]
    seen = [event for event in ann if event["kind"] == "draw"]
    assert drawn[0] == seen[0]
    assert drawn[-1] != seen[-1]


UNSEEN = """rulescript 1
game "Unseen", version "1"
kind Side
    holds hand: Card, visible to it, count to others
kind Card: side: Side
    home side.hand
    state mark: bool
    does play(s: Side)
things
    Side North
    Side South
    Card A1  North
        play
            may by s: strike "Strike"
                s.points = 0
    Card A2  North
        play
            may by s: trade "Trade"
                s.points = 0
players Side
PHASE
sequence
    turn
    end game, draw
""".replace("    holds hand", "    state points: int\n    holds hand", 1)
TURNS = {
    "which card asks": (
        'phase turn "Turn"\n    choose by North use: c in North.hand "Use"\n        c.play(North)',
        ["use c=A1", "use c=A2"],
    ),
    "how many are picked": (
        'phase turn "Turn"\n    choose by North mark: any number from North.hand as some_cards "Mark"\n'
        "        for c in some_cards\n            c.mark = yes\n"
        '    choose by South go "Go"\n    or stay "Stay"',
        ["done", "mark A1", "mark A1, A2"],
    ),
}


@pytest.mark.parametrize("name", TURNS)
@pytest.mark.parametrize("form", [("--all",), ("--json",), ("--all", "--length", "everything")])
def test_a_view_does_not_tell_what_was_done_unseen(cli: Cli, tmp_path: Path, name: str, form: tuple[str, ...]) -> None:
    turn, worlds = TURNS[name]
    path, file = tmp_path / "unseen.rules", tmp_path / "unseen.json"
    path.write_text(UNSEEN.replace("PHASE", turn), encoding="utf-8")
    game = rulescript.load(path, cache=False)
    told = set()
    for answer in worlds:
        file.write_text(game.start(1).choose(answer).to_json(), encoding="utf-8")
        told.add(cli("replay", str(file), "--game", str(path), "--view", "South", *form).out)
    assert len(told) == 1


@pytest.mark.parametrize("change", [{"log": None}, {"seed": None}, {"game": "other"}, {"log": [[1, 2]]}, {"log": "x"}])
def test_a_save_that_cannot_be_replayed_is_told(cli: Cli, game: Path, save: str, change: dict[str, object]) -> None:
    data = json.loads(Path(save).read_text())
    Path(save).write_text(json.dumps({**data, **change}))
    result = cli("replay", save, "--game", str(game))
    assert result.code == 2
    assert result.err.startswith("error: ")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("command", [("replay",), ("play", SKIRMISH, "--load")])
def test_a_save_is_a_plain_file_of_some_size(
    cli: Cli, tmp_path: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe is not waited for, and what has no end is not read."""
    monkeypatch.setattr("rulescript.cli.play.MOST_SAVED", 1_000)
    pipe, endless, large, deep, other = (tmp_path / name for name in ("pipe", "endless", "large", "deep", "other"))
    os.mkfifo(pipe)
    endless.symlink_to("/dev/zero")
    large.write_text(" " * 1_001)
    deep.write_text("[" * 900)
    other.write_bytes(bytes(range(256)))
    for file in (pipe, endless, large, deep, other, tmp_path):
        result = cli(*command, str(file))
        assert result.code == 2 and result.err.startswith("error: `"), file
        assert "is no save of a game" in result.err


def test_a_save_is_found_through_a_link_and_with_a_mark_of_order(cli: Cli, game: Path, save: str) -> None:
    link = Path(save).with_name("link.json")
    Path(save).write_bytes(b"\xef\xbb\xbf" + Path(save).read_bytes())
    link.symlink_to(save)
    assert cli("replay", str(link), "--game", str(game)).code == 0
