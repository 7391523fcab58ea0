"""What happened, as a player would tell it: see README.md."""

from rulescript.story.storyteller import LENGTHS, Line, Storyteller, as_text

__all__ = ["LENGTHS", "Line", "Storyteller", "as_text"]
