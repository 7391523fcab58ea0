"""A game's name or path -> its text: the files it is made of, read, parsed and put in order (see README.md)."""

from rulescript.loader.finding import bundled_games, find_game
from rulescript.loader.folders import read_beside
from rulescript.loader.game_text import GameText, Piece
from rulescript.loader.keys import content_key_of
from rulescript.loader.reading import load_single, load_text

__all__ = [
    "bundled_games", "content_key_of", "find_game", "GameText", "load_single", "load_text", "Piece", "read_beside",
]  # fmt: skip
