"""The model -> code: all rooms of the lowering, introduced to each other."""

from __future__ import annotations

from attrs import frozen

from rulescript.analysis.following import Following
from rulescript.compiler.layout import Layout
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
from rulescript.compiler.lower.room import Room
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
from rulescript.model import game as m
from rulescript.model.effects import Effects

__all__ = ["Lowering", "Made"]


@frozen
class Made:
    """How a game is compiled. `whole` are rules that are always called, never written out where they are asked for;
    `notes_passed`: choices that are begun, or passed over for lack of options, are noted. If it `postpones`, what is
    only looked up is lowered when it is first asked for (unwritten.py)."""

    whole: frozenset[str] = frozenset()
    notes_passed: bool = False
    postpones: bool = False


PLAIN = Made()


class Lowering:
    """Everything that is needed to make code of one game."""

    def __init__(self, game: m.Game, layout: Layout, form: Made = PLAIN) -> None:
        self.game = game
        self.layout = layout
        self.work = Work(game)
        self.effects = Effects(game)
        self.following = Following(game)
        self.rule = Rule()
        self.constants = Constants(game, layout)
        self.scope = Scope(game, layout)
        self.words = Words(game, layout)
        self.inlining = Inlining(game, layout, form.whole)
        self.masks = Masks(game, layout)
        self.charts = Charts(game, layout)
        self.ways = Ways(game, layout)
        self.places = Places(game, layout)
        self.loops = Loops(game, layout)
        self.expressions = Expressions(game, layout)
        self.collections = Collections(game, layout)
        self.program = Program(game, layout, form.postpones, form.notes_passed)
        self.lasting = Lasting(game, layout)
        self.changes = Changes(game, layout)
        self.moves = Moves(game, layout)
        self.choices = Choices(game, layout, form.notes_passed)
        self.options = Options(game, layout)
        self.selections = Selections(game, layout)
        self.sealed = Sealed(game, layout)
        self.option_words = OptionWords(game, layout)
        self.stops = Stops(game, layout)
        self.blocks = Blocks(game, layout)
        self.procedures = Procedures(game, layout)
        self.statements = Statements(game, layout)
        self.telling = Telling(game, layout)
        self.functions = Functions(game, layout)
        self.routes = Routes(game, layout)
        self.whenever = Whenever(game, layout)
        self.keeping_up = KeepingUp(game, layout)
        self.data = DataWriter(game, layout)
        self.claims = Claims(game, layout)
        everything = vars(self)
        for room in list(everything.values()):
            if isinstance(room, Room):
                room.__dict__.update({name: value for name, value in everything.items() if name not in vars(room)})
