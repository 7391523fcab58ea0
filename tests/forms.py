"""The two forms of a game's code, for tests that play both."""

from __future__ import annotations

from random import Random
from typing import Any

from rulescript.runtime.forms import Form
from rulescript.runtime.game import Game
from rulescript.runtime.playouts import Playout, play_out


def quick_code(game: Game) -> dict[str, Any]:
    """The code of the search form."""
    form = game.prepare().search
    assert form is not None
    return form.code


def played(game: Game, code: dict[str, Any], games: int = 12, limit: int = 500, seed: int = 5) -> list[Playout]:
    """Random games in a form of the code."""
    rng = Random(seed)
    return [play_out(game, rng, limit, Form(code, game.data)) for _ in range(games)]


def play_alike(game: Game, games: int = 12, limit: int = 500) -> bool:
    """Whether both forms play the same games."""
    return played(game, quick_code(game), games, limit) == played(game, game.code, games, limit)
