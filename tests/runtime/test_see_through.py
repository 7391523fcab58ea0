"""`why_not` sees through rules that give sets, and through routes that begin where others end."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.reasons import FailedClause, Refusal
from rulescript.runtime.game import Game

GAME = """\
rulescript 1
game "Landings"
kind Side
    holds box: Unit
kind Space: port: bool = no, sea: bool = no, worth: int = 1
    state mined: bool
    state held_by: maybe Side
    holds units: Unit
pieces Unit: side: Side
    home side.box
things
    Side North
    Side South
    Unit Northern  North, 3
    Unit Southern  South, 3
players Side
map Coast
    link road, lane
    Space Harbour  port
    Space Inland
    Space Bay      sea
    Space Strait   sea
    Space Gulf     sea
    Space Cove     port
    Space Beach
    Space Ridge    worth 3
    Space Summit
    road Harbour - Inland
    road Cove - Beach - Ridge - Summit
    lane Harbour - Bay - Strait - Gulf
    lane Strait - Cove
state active: Side

route sail(u: Unit on Space) from u.place by lane  §4
    enter b
        require not b.mined "mined"                §4.1

route land(u: Unit on Space) from sail(u) by road, at most 2 steps  §5
    through b
        require b.held_by != South "held"                           §5.1

function harbours(u: Unit on Space) -> set of Space                 §6
    let reached = sail(u)
    reached[port]

function free_of(s: Side, spaces: set of Space) -> set of Space     §7
    set(p for p in spaces if p.held_by != South and s == North)

function richest() -> set of Space                                  §8
    most Space by worth

function havens() -> set of Space                                   §9
    {Harbour, Cove}

phase set_out
    place 1 Northern in Harbour
phase go
    choose raid: u in Space.units, t in Space "Raid {t} with {u}"
        require t in land(u) "out of reach"                         §3.1
    or choose dock: u in Space.units, t in Space "Dock {u} in {t}"
        require t in harbours(u)                                    §3.2
    or choose seize: u in Space.units, t in Space "Seize {t} with {u}"
        require t in free_of(active, harbours(u))                   §3.3
    or choose covet: t in Space "Covet {t}"
        require t in richest()                                      §3.4
    or choose hide: t in Space "Hide in {t}"
        require t in havens()                                       §3.5
    or pass
sequence
    set_out
    for active in Side
        go
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    where: Path = tmp_path_factory.mktemp("landings") / "landings.rules"
    where.write_text(GAME, encoding="utf-8")
    return rulescript.load(where)


def refusal(game: Game, words: str, **states: object) -> Refusal:
    """Why something is refused, with some spaces mined or held."""
    position = game.start()
    for name in states.get("mined", ()):  # type: ignore[attr-defined]
        _set(game, position.s, "mined", name, True)
    for name in states.get("held", ()):  # type: ignore[attr-defined]
        _set(game, position.s, "held_by", name, 1)
    position.run(game.code["B"][position.d])
    found = position.why_not(words)
    assert not found.allowed, words
    return found


def _set(game: Game, state: list[object], name: str, space: str, value: object) -> None:
    entry = next(e for e in game.data.states if e.name == name)
    index = game.data.kinds["Space"].names.index(space)
    if entry.mode == "mask":
        state[entry.slot] = int(state[entry.slot]) | 1 << index  # type: ignore[call-overload]
    else:
        state[entry.slot + index] = value


def all_of(clauses: tuple[FailedClause, ...]) -> list[FailedClause]:
    return [c for clause in clauses for c in (clause, *all_of(clause.through))]


def test_a_route_that_begins_where_another_ends_is_looked_behind(game: Game) -> None:
    found = refusal(game, "raid Beach", mined=["Strait"])
    assert "4.1" in found.cites and "5" in found.cites and "3.1" in found.cites
    assert "land does not begin in Cove, from where it would get to Beach" in str(found)
    assert "at Strait: Strait is mined (mined) §4.1" in str(found)


def test_a_route_that_is_blocked_on_its_own_way_says_so_first(game: Game) -> None:
    found = refusal(game, "raid Ridge", held=["Beach"])
    assert "5.1" in found.cites
    assert all_of(found.clauses)[1].cites == ("5.1",)


def test_a_limit_of_steps_is_told_beside_where_it_could_begin(game: Game) -> None:
    found = refusal(game, "raid Summit")
    assert "Summit is 3 steps away" in str(found)
    # It would get there from Beach, but no ship sails to Beach.
    assert "land does not begin in" in str(found)


def test_what_a_let_was_given_is_looked_behind(game: Game) -> None:
    assert "4.1" in refusal(game, "dock in Cove", mined=["Strait"]).cites
    found = refusal(game, "dock in Gulf")
    assert "Gulf is not a port §6" in str(found)


def test_what_an_argument_was_given_is_looked_behind(game: Game) -> None:
    assert "Cove" in str(refusal(game, "seize Cove", held=["Cove"]))
    held = all_of(refusal(game, "seize Cove", held=["Cove"]).clauses)
    assert any(c.source == "p.held_by != South and s == North" and c.cites == ("7",) for c in held)
    mined = refusal(game, "seize Cove", mined=["Strait"])
    assert "4.1" in mined.cites


def test_the_most_of_something_tells_who_has_more(game: Game) -> None:
    found = refusal(game, "covet Beach")
    assert "Beach has 1 and Ridge has 3 (worth)" in str(found)
    assert "8" in found.cites


def test_a_list_of_names_is_told_by_its_rule(game: Game) -> None:
    found = refusal(game, "hide in Ridge")
    assert found.cites == ("3.5", "9")
