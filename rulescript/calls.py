"""What a caller may hand over: looked at where it comes in, so that a slip is told in a sentence and at once.

Each function gives the value back if it is of the right sort, and raises BadCall if it is not. `what` is how the
value is called in the message: "a seed", "the number of playouts".
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from typing import Any

from rulescript.errors import BadCall

__all__ = [
    "MOST_SECONDS",
    "function",
    "instance",
    "is_number",
    "is_signed_number",
    "is_text",
    "names",
    "path",
    "seconds",
    "text",
    "whole",
]

MOST_SECONDS = 24 * 60 * 60.0
_LONGEST = 60
# Python neither writes nor reads numbers of more than 4,300 digits, so no save could hold them.
_MOST_BITS = 10_000


def _shown(value: Any) -> str:
    said = repr(value)
    return said if len(said) <= _LONGEST else said[: _LONGEST - 3] + "..."


def whole(value: Any, what: str, least: int | None = None, most: int | None = None) -> int:
    """A whole number; yes and no are none."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadCall(f"{what} is a whole number, not {_shown(value)}")
    if value.bit_length() > _MOST_BITS:
        raise BadCall(f"{what} has more than 3,000 digits")
    if least is not None and value < least:
        raise BadCall(f"{what} is at least {least}, not {_shown(value)}")
    if most is not None and value > most:
        raise BadCall(f"{what} is at most {most}")
    return value


def seconds(value: Any, what: str) -> float:
    """A time that somebody waits for: not below zero, and at most a day."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadCall(f"{what} is a number of seconds, not {_shown(value)}")
    if not 0 <= value <= MOST_SECONDS:
        raise BadCall(f"{what} is at least nothing and at most a day, not {_shown(value)} seconds")
    return float(value)


def text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise BadCall(f"{what} is a text, not {_shown(value)}")
    if not is_text(value):
        raise BadCall(f"{what} has half a letter in it, which is no text: {ascii(value)[:_LONGEST]}")
    return value


def is_text(said: str) -> bool:
    """Whether something can be written at all: Python and JSON can hold half a letter."""
    try:
        said.encode()
    except UnicodeEncodeError:
        return False
    return True


def path(value: Any, what: str) -> str:
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str):
        raise BadCall(f"{what} is a text or a path, not {_shown(value)}")
    return os.fspath(value)


def instance(value: Any, sort: str, what: str) -> None:
    """Something of a class of ours, by its name: this module imports none of them."""
    if sort not in [cls.__name__ for cls in type(value).__mro__]:
        raise BadCall(f"{what} is a {sort}, not {_shown(value)}")


def function(value: Any, what: str) -> Any:
    """Something that can be called, or None."""
    if value is not None and not callable(value):
        raise BadCall(f"{what} is a function, not {_shown(value)}")
    return value


def names(value: Any, what: str) -> tuple[str, ...]:
    """Several names; one alone may stand for itself, and None for none."""
    if value is None:
        return ()
    if isinstance(value, str):
        return (text(value, f"each of {what}"),)
    if isinstance(value, bytes | bytearray) or not isinstance(value, Iterable):
        raise BadCall(f"{what} are a list of names, not {_shown(value)}")
    return tuple(text(each, f"each of {what}") for each in value)


def is_number(word: str) -> bool:
    """Whether a word of a line is a number: of digits that Python reads too, and of a length that somebody types."""
    return word.isascii() and word.isdigit() and len(word) <= 9


def is_signed_number(word: str) -> bool:
    """The same, or one below zero."""
    return is_number(word.removeprefix("-"))
