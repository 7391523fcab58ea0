"""Numbers with bounds, and numbers without: on the game, on things and on pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.errors import GameInvalid, PlayError
from rulescript.loader import load_single
from tests.compiler.in_step import forms_of, source_of
from tests.syntax.printer import print_type

GAME = """\
rulescript 1
game "Bounds"
kind Side
    state vp: -2..5 = 1
    holds box: Unit
things
    Side Red
players Side
state active: Side
state die: 7..8
state level: 3..9
state round: 1..2
state low: -9..-4
kind Area
    holds units: Unit
things
    Area A
pieces Unit: side: Side
    state moved: 0..2, lasts play
    state deep: -3..-1 = -2
    state far: {far}
    home side.box
things
    Unit Foot  Red, 5
procedure give -> int
    return 11
procedure tire(u: Unit, n: int)
    u.moved += n
phase play "Play"
    choose who: u in A.units "Take {{u}}"
        {body}
    or pass
sequence
    place 2 Foot in A
    for active in Side
        play
    end game, draw "{{level}} {{Red.vp}} {{low}} {{count(A.units[far == 0])}} {{sum(u.far for u in A.units)}}"
"""

BEYOND = {
    "the game's": ("level -= 1", "`level` goes from 3 to 9, and a rule makes it 2"),
    "a thing's": ("Red.vp += 5", "`Side.vp` goes from -2 to 5, and a rule makes it 6"),
    "a piece's": ("u.deep += 2", "`Unit.deep` goes from -3 to -1, and a rule makes it 0"),
    "a piece's, in a procedure": ("tire(u, 3)", "`Unit.moved` goes from 0 to 2, and a rule makes it 3"),
    "what is given back": ("level = give()", "`level` goes from 3 to 9, and a rule makes it 11"),
    "a loop": ("for round in [1, 2, level]\n            level = 4", "`round` goes from 1 to 2, and a rule makes it 3"),
}


def game_of(tmp_path: Path, body: str, far: str = "int") -> Path:
    file = tmp_path / "game.rules"
    file.write_text(GAME.format(body=body, far=far), encoding="utf-8")
    return file


@pytest.mark.parametrize("far", ["int", "0..3"], ids=["heaps", "counters"])
@pytest.mark.parametrize("way", BEYOND)
def test_a_rule_that_leaves_the_bounds_is_stopped(tmp_path: Path, way: str, far: str) -> None:
    body, words = BEYOND[way]
    game = rulescript.load(game_of(tmp_path, body, far), cache=False)
    assert game.data.kinds["Unit"].is_sparse is (far == "int")
    position = game.start()
    before = position.state_hash()
    with pytest.raises(PlayError) as problem:
        position.choose(0)
    assert words in str(problem.value)
    assert "game.rules:" in str(problem.value)
    assert position.state_hash() == before, "nothing of it stays"
    with pytest.raises(PlayError) as quick:
        game.playouts(300)
    assert words in str(quick.value)


def test_states_start_nearest_to_nothing(tmp_path: Path) -> None:
    position = rulescript.load(game_of(tmp_path, "u.moved += 2"), cache=False).start()
    assert [position.value(name) for name in ("level", "die", "round", "low", "Red.vp")] == ["3", "7", "1", "-4", "1"]
    position.choose(0)
    assert position.outcome is not None and position.outcome.how == "3 1 -4 2 0"


@pytest.mark.parametrize("number", [1, 15, 16, 17, 1000, -1, -20, 10**12, -(10**12)])
def test_a_number_of_a_piece_may_be_any(tmp_path: Path, number: int) -> None:
    step = f"u.far += {number}" if number > 0 else f"u.far -= {-number}"
    file = game_of(tmp_path, f"{step}\n        {step}\n        level = if u.far == {number} + ({number}) then 4 else 5")
    for form in forms_of(source_of(file)):
        form.begin(1)
        form.answer(form.options[0])
        assert not form.failure, form.failure
        assert form.own[2][3] == f"4 1 -4 1 {2 * number}"


def test_no_number_grows_beyond_all_measure(tmp_path: Path) -> None:
    body = "u.far = 1000000000\n        repeat 9 times\n            u.far += u.far * u.far"
    position = rulescript.load(game_of(tmp_path, body), cache=False).start()
    with pytest.raises(PlayError, match="beyond all measure"):
        position.choose(0)


@pytest.mark.parametrize("written", ["0..3", "-3..3", "-9..-4", "5..5"])
def test_bounds_are_written_as_they_are_read(written: str) -> None:
    text = load_single(f'rulescript 1\ngame "X"\nstate x: {written}\n', "x.rules", rulescript.diagnostics.Reporter())
    types = [piece.declaration.type for piece in text.pieces if hasattr(piece.declaration, "type")]
    assert [print_type(type_) for type_ in types] == [written]


def test_a_state_keeps_no_piece(tmp_path: Path) -> None:
    file = game_of(tmp_path, "held = u")
    file.write_text(file.read_text(encoding="utf-8").replace("state round", "state held: maybe Unit\nstate round"))
    with pytest.raises(GameInvalid, match="RS213"):
        rulescript.load(file, cache=False)
