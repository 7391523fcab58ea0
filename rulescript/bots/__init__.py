"""Players made of code, for any game: see README.md in this folder."""

from rulescript.bots.budget import Budget, budget_from
from rulescript.bots.names import BOTS, bot_named
from rulescript.bots.playout_bot import PlayoutBot
from rulescript.bots.random_bot import RandomBot
from rulescript.bots.search_bot import SearchBot
from rulescript.bots.seated import Bot
from rulescript.bots.unseen import guess_state, hidden_spots
from rulescript.bots.worth import score_of

__all__ = [
    "BOTS", "Bot", "Budget", "PlayoutBot", "RandomBot", "SearchBot", "bot_named", "budget_from", "guess_state",
    "hidden_spots", "score_of",
]  # fmt: skip
