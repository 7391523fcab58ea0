"""The front door: from a name or path to a game that can be played.

`loading` goes through the user's cache (`cache`) or, if the game is new there, through reading, composing (`options`,
`composing`) and compiling it. `failing_check` and `never_becomes` are the checks that need the compiled game.
`workshop` gives positions what reading the rules again takes: explanations, the search form, the model.
"""

from rulescript.pipeline.composing import composed, look_through, note_sound
from rulescript.pipeline.loading import compile_text, compiling, game_of, kept_game, load, model_of
from rulescript.pipeline.options import check_options
from rulescript.pipeline.workshop import PipelineWorkshop
from rulescript.runtime.workshop import install

__all__ = [
    "check_options", "compile_text", "compiling", "composed", "game_of", "kept_game", "load", "look_through",
    "model_of", "note_sound",
]  # fmt: skip

install(PipelineWorkshop())
