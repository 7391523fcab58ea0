"""The whole analysis in order: a game's declarations, the chosen options and scenario -> one checked model.

Composition happens here: what is not chosen is left out before anything is read, so it costs nothing later;
what is replaced or removed never reaches the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rulescript import nodes as n
from rulescript.analysis.amendments import Amendments
from rulescript.analysis.assignments import Assignments
from rulescript.analysis.bodies import Bodies
from rulescript.analysis.calls import Calls
from rulescript.analysis.choices import Choices
from rulescript.analysis.collections import Collections
from rulescript.analysis.composing import Composing
from rulescript.analysis.declaring import Declaring
from rulescript.analysis.desk import Desk
from rulescript.analysis.doubts import Doubts
from rulescript.analysis.expressions import Expressions
from rulescript.analysis.facts import Facts
from rulescript.analysis.finishing import Finishing
from rulescript.analysis.kinds import Kinds
from rulescript.analysis.links import Links
from rulescript.analysis.lookup import Lookup
from rulescript.analysis.members import Members
from rulescript.analysis.moves import Moves
from rulescript.analysis.names import Names
from rulescript.analysis.operators import Operators
from rulescript.analysis.part import Part
from rulescript.analysis.reading import Reading
from rulescript.analysis.signatures import Signatures
from rulescript.analysis.statements import Statements
from rulescript.analysis.things import Things
from rulescript.analysis.whereabouts import Whereabouts
from rulescript.diagnostics import Reporter
from rulescript.model import game as m

if TYPE_CHECKING:
    from rulescript.loader import GameText, Piece

__all__ = ["Analysis", "analyse", "options_of", "parts_of"]

_RULES = (n.FunctionDecl, n.PredicateDecl, n.TableDecl, n.RouteDecl, n.ProcedureDecl, n.SignalDecl)
_AMENDMENTS = (n.Adjust, n.Restrict, n.Extend, n.ExceptionTo, n.Hook, n.Reaction, n.Whenever, n.Reword)


def chain_of(text: GameText) -> list[GameText]:
    """The games that build on each other, the first of them first."""
    chain: list[GameText] = []
    here: GameText | None = text
    while here is not None:
        chain.append(here)
        here = here.base
    return chain[::-1]


def pieces_of(text: GameText) -> list[Piece]:
    """All declarations of a game, those of the games it builds on first."""
    return [piece for game in chain_of(text) for piece in game.pieces]


def options_of(text: GameText) -> tuple[dict[str, n.OptionDecl], dict[str, n.OptionDecl]]:
    """The options and the scenarios a game offers; one declared again takes the place of its base's."""
    options: dict[str, n.OptionDecl] = {}
    scenarios: dict[str, n.OptionDecl] = {}
    for piece in pieces_of(text):
        if isinstance(piece.declaration, n.OptionDecl):
            table = scenarios if piece.declaration.is_scenario else options
            table[piece.declaration.name.text] = piece.declaration
    return options, scenarios


def parts_of(text: GameText) -> list[tuple[str, ...]]:
    """The sets of options that have a text of their own (`with tanks, fog`)."""
    parts = [piece.declaration for piece in pieces_of(text) if isinstance(piece.declaration, n.WithDecl)]
    return [tuple(name.text for name in part.names) for part in parts]


def analyse(text: GameText, options: Iterable[str], scenario: str, reporter: Reporter) -> m.Game:
    """The checked game. Callers look at the reporter before they trust it."""
    decl = text.game
    base = text.base
    while decl is None and base is not None:
        decl, base = base.game, base.base
    game = m.Game(text.ident, text.title, decl.version if decl else "1")
    if decl is not None:
        game.facts, game.doc = decl.facts, decl.doc
    game.options, game.scenario = tuple(sorted(options)), scenario
    game.all_options, game.all_scenarios = options_of(text)
    game.all_parts = [p.declaration for p in pieces_of(text) if isinstance(p.declaration, n.WithDecl)]
    for level, here in enumerate(chain_of(text)):
        game.file_levels.update({piece.declaration.span.source.name: level for piece in here.pieces})
        if here.game is not None:
            game.file_levels[here.game.span.source.name] = level
    Analysis(game, reporter).run(chain_of(text))
    return game


class Analysis:
    """All parts of the analysis, introduced to each other; runs the stages in order over what is in force."""

    def __init__(self, game: m.Game, reporter: Reporter) -> None:
        self.game = game
        self.desk = desk = Desk(game, reporter)
        self.facts = Facts(desk)
        self.kinds = Kinds(desk)
        self.things = Things(desk)
        self.links = Links(desk)
        self.lookup = Lookup(desk)
        self.expressions = Expressions(desk)
        self.names = Names(desk)
        self.members = Members(desk)
        self.collections = Collections(desk)
        self.operators = Operators(desk)
        self.calls = Calls(desk)
        self.whereabouts = Whereabouts(desk)
        self.doubts = Doubts(desk)
        self.statements = Statements(desk)
        self.assignments = Assignments(desk)
        self.moves = Moves(desk)
        self.choices = Choices(desk)
        self.signatures = Signatures(desk)
        self.bodies = Bodies(desk)
        self.amendments = Amendments(desk)
        self.composing = Composing(desk)
        self.declaring = Declaring(desk)
        self.reading = Reading(desk)
        self.finishing = Finishing(desk)
        everything = vars(self)
        for part in list(everything.values()):
            if isinstance(part, Part):
                part.__dict__ = {**everything, **part.__dict__}

    def run(self, chain: Sequence[GameText]) -> None:
        """The games that build on each other, the first of them first."""
        self.composing.note_levels(chain)
        self.composing.check_relations()
        active = self.composing.compose(chain)
        for item in active:
            if isinstance(item.declaration, n.Rulebook):
                self.composing.read_rulebook(item.declaration, item.origin)
        self.declaring.read_things(active)
        active = self.composing.write_out(active)
        self.reading.read_rules(active, next((text.game.span for text in chain if text.game is not None), None))
        self.reading.read_amendments(active)
        self.reading.read_claims(active)
        self.finishing.finish()
