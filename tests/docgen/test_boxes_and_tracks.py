"""`box` and `track` under a map: a space beside it, a row of fields for a state."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from contextlib import redirect_stdout
from pathlib import Path

import pytest

import rulescript
from rulescript.cli.main import main

GAME = """
rulescript 1
game "Boxes"
values Side: North, South
players Side
state active: Side
values Turn: spring "early spring", summer, autumn
state turn: Turn
state weather: int = 2
kind Purse: side: Side
    state gold: int
things
    Purse Northern  North
    Purse Southern  South
kind Unit: side: Side
    home Camp.units
kind Town
    holds units: Unit
things
    Unit Ada  North
map Valley
    link road, track
    Town Mill
    Town Ford
    Town Mere
    box Town Camp "the camp"
    box Town Grave  "the graveyard"
    track turn "The year"
    track weather 0..4
    track Purse.gold 0..10 "Gold"
    road Mill - Ford - Mere
    track Mill - Mere
    road Camp -> Mill
phase play "Play"
    choose go: u in Town.units, t in u.place.links "{u} to {t}"
        move u to t
        for p in Purse
            p.gold += 3
    or pass
sequence
    for turn in Turn
        for active in Side
            play
    end game
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("boxes") / "boxes.rules"
    path.write_text(GAME, encoding="utf-8")
    return path


def test_a_box_is_a_space_like_any_other(path: Path) -> None:
    position = rulescript.load(path).start(seed=1)
    assert [o.text for o in position.decision.options] == ["Ada to Mill", "Pass"]


def test_a_sort_of_links_may_be_called_track(path: Path) -> None:
    kind = rulescript.load(path).model.kinds["Town"]
    assert list(kind.links) == ["road", "track"]
    assert [thing.name for thing in kind.things if thing.is_box] == ["Camp", "Grave"]


def test_they_are_drawn_below_the_map(path: Path, tmp_path: Path) -> None:
    assert main(["docs", str(path), "--format", "markdown", "--output", str(tmp_path / "book")]) == 0
    picture = ET.parse(tmp_path / "book" / "map-town.svg").getroot()
    height = float(picture.get("height", "0"))
    tops: dict[str, float] = {}
    for group in picture.iter("{http://www.w3.org/2000/svg}g"):
        rect = group.find("{http://www.w3.org/2000/svg}rect")
        title = group.find("{http://www.w3.org/2000/svg}title")
        if rect is not None and title is not None and title.text:
            tops[title.text] = float(rect.get("y", "0"))
            assert float(rect.get("y", "0")) + float(rect.get("height", "0")) <= height
    assert min(tops["the camp"], tops["the graveyard"]) > max(tops["Mill"], tops["Ford"], tops["Mere"])
    words = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    for said in ("The year", "early spring", "Gold", "10", "Weather"):
        assert said in words
    page = (tmp_path / "book" / "map.md").read_text(encoding="utf-8")
    assert "The year: early spring, summer, autumn" in page and "beside the map: the camp, the graveyard" in page


def test_the_board_shows_where_the_markers_stand(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nboard\nquit\n"))
    out = io.StringIO()
    with redirect_stdout(out):
        main(["play", str(path)])
    told = out.getvalue()
    assert "The year: [early spring]  summer  autumn" in told
    assert "weather: 0  1  [2]  3  4" in told
    assert "Gold: 0  1  2  [3: Northern, Southern]  4" in told
