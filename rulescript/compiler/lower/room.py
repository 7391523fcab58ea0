"""What all rooms of the lowering share: the game, where things live, and each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulescript.compiler.code import Code
from rulescript.compiler.layout import Layout
from rulescript.model import game as m
from rulescript.model import ir

if TYPE_CHECKING:
    from rulescript.analysis.following import Following
    from rulescript.compiler.lower.blocks import Blocks
    from rulescript.compiler.lower.changes import Changes
    from rulescript.compiler.lower.charts import Charts
    from rulescript.compiler.lower.choices import Choices
    from rulescript.compiler.lower.claims import Claims
    from rulescript.compiler.lower.collections import Collections
    from rulescript.compiler.lower.constants import Constants
    from rulescript.compiler.lower.cost import Work
    from rulescript.compiler.lower.expressions import Expressions
    from rulescript.compiler.lower.functions import Functions
    from rulescript.compiler.lower.game_data import DataWriter
    from rulescript.compiler.lower.inlining import Inlining
    from rulescript.compiler.lower.keeping_up import KeepingUp
    from rulescript.compiler.lower.lasting import Lasting
    from rulescript.compiler.lower.loops import Loops
    from rulescript.compiler.lower.masks import Masks
    from rulescript.compiler.lower.moves import Moves
    from rulescript.compiler.lower.option_words import OptionWords
    from rulescript.compiler.lower.options import Options
    from rulescript.compiler.lower.places import Places
    from rulescript.compiler.lower.procedures import Procedures
    from rulescript.compiler.lower.program import Program
    from rulescript.compiler.lower.routes import Routes
    from rulescript.compiler.lower.rule import Rule
    from rulescript.compiler.lower.scope import Scope
    from rulescript.compiler.lower.sealed import Sealed
    from rulescript.compiler.lower.selections import Selections
    from rulescript.compiler.lower.statements import Statements
    from rulescript.compiler.lower.stops import Stops
    from rulescript.compiler.lower.telling import Telling
    from rulescript.compiler.lower.ways import Ways
    from rulescript.compiler.lower.whenever import Whenever
    from rulescript.compiler.lower.words import Words
    from rulescript.model.effects import Effects

__all__ = ["Room"]


class Room:
    """One part of the lowering. `Lowering` introduces all rooms to each other."""

    work: Work
    effects: Effects
    following: Following
    rule: Rule
    constants: Constants
    scope: Scope
    words: Words
    inlining: Inlining
    masks: Masks
    charts: Charts
    ways: Ways
    places: Places
    loops: Loops
    expressions: Expressions
    collections: Collections
    program: Program
    lasting: Lasting
    changes: Changes
    moves: Moves
    choices: Choices
    options: Options
    selections: Selections
    sealed: Sealed
    option_words: OptionWords
    stops: Stops
    blocks: Blocks
    procedures: Procedures
    statements: Statements
    telling: Telling
    functions: Functions
    routes: Routes
    whenever: Whenever
    keeping_up: KeepingUp
    data: DataWriter
    claims: Claims

    def __init__(self, game: m.Game, layout: Layout) -> None:
        self.game = game
        self.layout = layout

    def x(self, x: ir.X) -> Code:
        """Code for an expression."""
        return self.expressions.x(x)

    def each(self, x: ir.X) -> Code:
        """The same for an expression that is worked out for every element of a loop."""
        return self.expressions.each(x)
