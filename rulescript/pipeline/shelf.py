"""What was made of a text, for whoever asks for the same again: its models without a mistake, and what their parts say.

A model is the same for all who read it, and compiling puts back what it writes into one (compiler/lower/whenever.py);
so a set of options is read once for checking, printing and compiling it. All is forgotten with the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from rulescript.loader import GameText
    from rulescript.model.game import Game as Model
    from rulescript.model.parts import Parts

__all__ = ["Key", "kept_model", "kept_parts", "put_model", "put_parts"]

# The options, with those that are on by default, and the scenario.
Key = tuple[tuple[str, ...], str]
# So many models of a text are kept: a game may have hundreds of options, and each model takes some megabytes.
MOST_MODELS = 24

_models: WeakKeyDictionary[GameText, dict[Key, Model]] = WeakKeyDictionary()
_parts: WeakKeyDictionary[GameText, dict[Key, Parts]] = WeakKeyDictionary()


def kept_model(text: GameText, key: Key) -> Model | None:
    return _models.get(text, {}).get(key)


def put_model(text: GameText, key: Key, model: Model) -> None:
    """A model in which the analysis found no error."""
    models = _models.setdefault(text, {})
    if len(models) < MOST_MODELS:
        models.setdefault(key, model)


def kept_parts(text: GameText, key: Key) -> Parts | None:
    return _parts.get(text, {}).get(key)


def put_parts(text: GameText, key: Key, parts: Parts) -> None:
    _parts.setdefault(text, {})[key] = parts
