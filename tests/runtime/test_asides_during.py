"""An aside that is for the time of a procedure is offered while that runs, at any depth, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.testing import run_conformance

GAME = """\
rulescript 1
game "Opening", version "1"
values Side: red, blue
players Side
state active: Side
state talks: int
state depth: int
aside talk "Talk" by active during opening
    talks += 1
procedure opening
    depth += 1
    if depth < 3
        opening
    choose yes_ "Yes"
    or no_ "No"
phase go "Go"
    choose rise "Rise"
    or fall "Down"
    opening
    choose left "Left"
    or right "Right"
sequence
    for active in Side
        go
    end game
"""


def asked(position: rulescript.Position) -> list[tuple[str, bool]]:
    """What is asked, and whether talking is offered there, to the end of red's turn; from the first options on."""
    out = []
    while position.decision is not None and position.decision.player == "red":
        options = position.decision.options
        out.append((position.decision.name, any(option.key == "talk" for option in options)))
        assert position.why_not("talk").allowed is out[-1][1]
        position.choose(options[0])
    return out


def test_it_is_offered_while_the_procedure_runs_and_after_it_ran_within_itself() -> None:
    position = compile_text(load_single(GAME, "opening.rules")).start()
    assert asked(position) == [("rise", False), *[("yes_", True)] * 3, ("left", False)]


def test_it_is_said_when_it_is_offered() -> None:
    position = compile_text(load_single(GAME, "opening.rules")).start()
    assert "during opening" in str(position.why_not("talk"))
    with pytest.raises(rulescript.BadChoice):
        position.choose("talk")


@pytest.mark.parametrize("how", ["return", "other", "closed"])
def test_a_procedure_that_is_left_early_or_calls_another(how: str) -> None:
    """Left by `return`; with the question in a procedure of its own; and with a closed one that calls it."""
    text = GAME
    expected = [("rise", False), *[("yes_", True)] * 3, ("left", False)]
    if how == "return":
        text = text.replace('    or no_ "No"\n', '        return\n    or no_ "No"\n    depth += 0\n')
    elif how == "other":
        text = text.replace('    choose yes_ "Yes"\n    or no_ "No"\n', "    ask_it\n", 1)
        text = text.replace("phase go", 'procedure ask_it\n    choose yes_ "Yes"\n    or no_ "No"\nphase go')
        text = text.replace('    choose left "Left"', '    ask_it\n    choose left "Left"')
        expected.insert(-1, ("yes_", False))
    else:
        text = text.replace("    opening\n    choose left", "    quiet\n    choose left")
        text = text.replace("phase go", "procedure quiet, closed\n    opening\nphase go")
        expected = [(name, False) for name, _ in expected]
    assert asked(compile_text(load_single(text, "opening.rules")).start()) == expected


def test_all_forms_agree(tmp_path: Path) -> None:
    path = tmp_path / "opening.rules"
    path.write_text(GAME, encoding="utf-8")
    assert run_conformance(path, plays=4, processes=False).ok
    assert len(rulescript.load(path).playouts(10, seed=2)) == 10


JOINING = """\
rulescript 1
game "Joining", version "1"
values Side: red, blue
players Side
kind Area
    holds armies: Army
    holds pieces: Piece
kind Army: side: Side
    holds men: Piece
    home camp
holds camp: Army
pieces Piece: side: Side
    home pool
holds pool: Piece
map M
    link border
    Area A
    Area B
    Area C
    border A - B - C
things
    Army X red
    Army Y red
    Piece r red, 5
state active: Side
function at_home(b: Army on Area, p: Piece) -> bool
    b.place == A
phase go "Go"
    choose join: p in Area.pieces, b in (p.place.border + p.place).armies "{p} joins {b}"
        require b.place == p.place or some b.men
        require not at_home(b, p) "kept apart"
        move p to b
    or stay "Stay"
sequence
    go
    end game
"""


def test_a_pick_whose_domain_depends_on_one_that_stands_elsewhere() -> None:
    """Whatever is asked about: a reason, never a fault of ours."""
    text = JOINING.replace("phase go", "phase set_up\n    move X to A\n    move 1 pool to B\nphase go")
    text = text.replace("sequence\n    go", "sequence\n    set_up\n    go")
    text = text.replace("move 1 pool to B", "draw 1 from pool to B.pieces")
    position = compile_text(load_single(text, "joining.rules")).start(ask=True)
    assert position.decision is not None
    lines = [f"join {p} to {b}" for p in ("r", "r in A", "r in B", "r in C", "r in pool") for b in ("X", "Y")]
    for line in [*lines, "join b=Y", "join b=X", "join p=pool:red", "join Y"]:
        assert str(position.why_not(line))
    assert not position.why_not("join r in B to Y").allowed
