"""What positions and games ask for that takes the rules themselves: explanations, the model, the quick code.

Imports wait until they are needed: a warm start reads neither the parser nor the analysis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import CodeType

    from rulescript.model.game import Game as Model
    from rulescript.reasons import Explanation, Refusal
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position
    from rulescript.runtime.selections import Selection

__all__ = ["PipelineWorkshop"]


class PipelineWorkshop:
    """The workshop of games that were loaded by name or path, or made from a text."""

    def model(self, game: Game) -> Model:
        from rulescript.pipeline.loading import model_of

        return model_of(game)

    def quick_code(self, game: Game) -> CodeType | None:
        from rulescript.pipeline.loading import quick_code

        return quick_code(game)

    def load(self, where: str, chosen: Sequence[str], scenario: str, players: int | None) -> Game:
        from rulescript.pipeline.loading import load

        options = [name for name in chosen if not name.startswith("-")]
        without = [name[1:] for name in chosen if name.startswith("-")]
        return load(where, options=options, scenario=scenario, players=players, without=without)

    def why_not(self, position: Position, what: str, player: str | None) -> Refusal:
        from rulescript.explain.refusals import why_not

        return why_not(position, what, player)

    def why_not_selection(self, position: Position, way: Selection, values: Sequence[Any], what: str = "") -> Refusal:
        from rulescript.explain.refusals import why_not_selection

        return why_not_selection(position, way, values, what)

    def explain(self, position: Position, what: str, roles: Sequence[int] | None = None) -> Explanation:
        from rulescript.explain.causes import explain

        return explain(position, what, roles)
