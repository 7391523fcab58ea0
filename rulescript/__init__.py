"""rulescript: a board wargame's rulebook, written once as code.

>>> import rulescript
>>> game = rulescript.load("attrition_of_souls")          # doctest: +SKIP
>>> pos = game.start(seed=7)                              # doctest: +SKIP
>>> while pos.decision:                                   # doctest: +SKIP
...     pos.choose(pos.decision.options[0])
"""

from __future__ import annotations

from rulescript.errors import (
    BadCall,
    BadChoice,
    BadOption,
    BadSave,
    GameInvalid,
    GameNotFound,
    NoSuchName,
    PlayError,
    RulescriptError,
    StepLimit,
)
from rulescript.pipeline import load
from rulescript.runtime.game import Game
from rulescript.runtime.position import Decision, Option, Outcome, Position

__all__ = [
    "BadCall", "BadChoice", "BadOption", "BadSave", "Decision", "Game", "GameInvalid", "GameNotFound", "NoSuchName",
    "Option", "Outcome", "PlayError", "Position", "RulescriptError", "StepLimit", "load",
]  # fmt: skip

__version__ = "0.1.0"
