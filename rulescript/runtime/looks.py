"""What is only a look at a position: decisions, selections, views and journals.

Each has its whole position at hand, and that holds what its viewer may not know. So none of them goes to another
process or into a file: what does is the position, or what the look has told.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from rulescript.errors import BadCall

__all__ = ["Look"]


class Look:
    """Something that nobody can pickle; `instead` says what to hand over. Its copies are itself, since it never
    changes, or else it says how it is copied."""

    __slots__ = ()
    instead: ClassVar[str]

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        raise BadCall(f"a {type(self).__name__.lower()} is a look at its position: hand over {self.instead}")
