"""What positions and games ask for that takes the rules themselves: explanations, the model, the search form.

Imports wait until they are needed: a warm start reads neither the parser nor the analysis.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from rulescript.errors import BadSave
from rulescript.locks import READING

if TYPE_CHECKING:
    from types import CodeType

    from rulescript.model.game import Game as Model
    from rulescript.reasons import Explanation, Refusal
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position
    from rulescript.runtime.selections import Selection

__all__ = ["PipelineWorkshop", "loaded_again"]


_known: WeakValueDictionary[tuple[Any, ...], Game] = WeakValueDictionary()


def loaded_again(where: str, chosen: tuple[str, ...], scenario: str, players: int | None, rules: str) -> Game:
    """The game of another process. All positions of it that come from there share it."""
    from rulescript.pipeline.loading import load

    key = (where, chosen, scenario, players, rules)
    with READING:
        game = _known.get(key)
        if game is None:
            options = [name for name in chosen if not name.startswith("-")]
            without = [name[1:] for name in chosen if name.startswith("-")]
            game = load(where, options=options, scenario=scenario, players=players, without=without)
            if game.rules_hash != rules:
                raise BadSave(f"the rules of {game.title} are not the same here as where this comes from")
            _known[key] = game
    return game


class PipelineWorkshop:
    """The workshop of games that were loaded by name or path, or made from a text."""

    @property
    def loaded_again(self) -> Callable[[str, tuple[str, ...], str, int | None, str], Game]:
        return loaded_again

    def model(self, game: Game) -> Model:
        from rulescript.pipeline.loading import model_of

        return model_of(game)

    def search_code(self, game: Game) -> tuple[CodeType, dict[int, tuple[str, int]]] | None:
        from rulescript.pipeline.loading import search_code

        return search_code(game)

    def made_beside(self, game: Game) -> bool:
        from rulescript.pipeline.loading import made_beside

        return made_beside(game)

    def why_not(self, position: Position, what: str, player: str | None) -> Refusal:
        from rulescript.explain.refusals import why_not

        return why_not(position, what, player)

    def why_not_selection(self, position: Position, way: Selection, values: Sequence[Any], what: str = "") -> Refusal:
        from rulescript.explain.refusals import why_not_selection

        return why_not_selection(position, way, values, what)

    def explain(self, position: Position, what: str, roles: Sequence[int] | None = None) -> Explanation:
        from rulescript.explain.causes import explain

        return explain(position, what, roles)
