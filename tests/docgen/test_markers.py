"""Markers in the kit: enough of each, two values on one, none for bookkeeping."""

from __future__ import annotations

from pathlib import Path

import rulescript
from rulescript.docgen import build_site
from rulescript.docgen.counters import Piece, pieces_of
from rulescript.docgen.markers import markers_of, with_backs
from rulescript.docgen.positions import Counters
from rulescript.docgen.subject import Subject

GAME = """\
rulescript 1
game "Marked"
values Status: open, barred, lost
values Arm: foot, horse
kind Side
    state points: int
    holds camp: Man
kind Town
    state holder: maybe Side
    state status: Status = open
    state wall: bool
    state height: 0..3
    state visited: bool, lasts march
    state seen: bool, untold
    holds men: Man
pieces Man: side: Side, arm: Arm
    state tired: bool
    home side.camp
    {hidden}
things
    Side Red
    Side Blue
map Land
    link road
    Town A
    Town B
    Town C
    road A - B - C
counts Man
    |      | foot | horse |
    | Red  |    2 |     1 |
    | Blue |    2 |     0 |
players Side
state truce: bool

phase march "March"
    for s in Side
        choose by s go: t in Town "Go to {t}"
            require t.status == open and not t.wall and not t.visited and t.height < 3
            t.holder = s
            t.visited = yes
            t.seen = yes
            s.points += 1
            truce = yes

sequence
    repeat 2 times
        march
    end game "Over"
"""


def subject(tmp_path: Path, hidden: str = "") -> Subject:
    (tmp_path / "marked.rules").write_text(GAME.replace("    {hidden}\n", hidden), encoding="utf-8")
    return Subject.of(rulescript.load(tmp_path / "marked.rules"))


def told(pieces: list[Piece]) -> dict[tuple[str, str, str], int]:
    return {(p.party, p.short, p.back): p.count for p in pieces}


def test_there_is_a_marker_for_everything_a_board_shows(tmp_path: Path) -> None:
    """For three towns: who holds them (a side each), three values on two markers, a wall, three heights on two; points
    of each side; a truce. What was visited is over with the phase, and what was seen is bookkeeping."""
    made = subject(tmp_path)
    counters = Counters(made.compiled)
    assert told(markers_of(made.model, counters)) == {
        ("Red", "Points", "Points"): 1, ("Blue", "Points", "Points"): 1, ("", "Truce", "Truce"): 1,
        ("holder", "Red", "Blue"): 3, ("status", "Open", "Barred"): 3, ("status", "Lost", "Lost"): 3,
        ("", "Wall", "Wall"): 3, ("", "Height 1", "Height 2"): 3, ("", "Height 3", "Height 3"): 3,
    }  # fmt: skip


def test_the_back_of_a_counter_says_what_it_can_be(tmp_path: Path) -> None:
    made = subject(tmp_path)
    counters = Counters(made.compiled)
    pieces = with_backs(pieces_of(made.model, counters), made.model)
    assert sum(p.count for p in pieces) == 5 and {p.back for p in pieces} == {"tired"}


def test_the_back_of_a_counter_that_lies_face_down_says_nothing(tmp_path: Path) -> None:
    made = subject(tmp_path, "    hidden when tired, known to side\n")
    counters = Counters(made.compiled)
    pieces = with_backs(pieces_of(made.model, counters), made.model)
    assert {p.back for p in pieces} == {""}
    assert not any("tired" in p.short.lower() for p in markers_of(made.model, counters))


def test_the_sheets_have_all_of_them(tmp_path: Path) -> None:
    made = subject(tmp_path)
    build_site(made.game, tmp_path / "out", format="print counters", games=0)
    html = (tmp_path / "out" / "marked-counters.html").read_text(encoding="utf-8")
    assert html.count('class="piece') == 2 * (5 + 3 + 6 * 3)
    assert html.count('<div class="words">Wall</div>') == 6
    assert html.count('<div class="words">Red</div>') == html.count('<div class="words">Blue</div>') == 3
