"""The words "one of {where}" are told as what the set is."""

from __future__ import annotations

import pytest

from rulescript.docgen.outline import Outliner
from rulescript.loader import load_single
from rulescript.model import ir
from rulescript.model.traverse import statements_in
from rulescript.pipeline import compile_text

GAME = """\
rulescript 1
game "Builders"
values Side: North, South
players Side
kind Town: port: bool = no
    state built: bool
map Land
    link road
    Town Mill  port
    Town Ford
    Town Hold
    road Mill - Ford - Hold
state active: Side
function ports -> set of Town as "the ports"
    Town[port]
procedure build(s: Side, where: set of Town) as "{s} builds in one of {where}"
    choose by s build: t in where "Build in {t}"
        t.built = yes
phase play "Play"
    build(North, {Mill})
    build(North, {Mill, Ford, Hold})
    build(North, ports())
    build(North, Town)
sequence
    play
    end game, draw
"""


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (0, "North builds in Mill."),
        (1, "North builds in Mill, Ford or Hold."),
        (2, "North builds in one of the ports."),
        (3, "North builds in any town."),
    ],
)
def test_it_is_said(number: int, told: str) -> None:
    block = compile_text(load_single(GAME, "builders.rules")).model.procedures["play"].block
    calls = [statement for statement in statements_in(block) if isinstance(statement, ir.CallS)]
    assert [line.text for line in Outliner((), block).statement(calls[number])] == [told]
