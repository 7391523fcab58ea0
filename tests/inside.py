"""Looking into texts that were read: for tests that count what rules and examples cite."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs

from rulescript.source import Span


@cache
def _fields(sort: type) -> tuple[str, ...]:
    return tuple(f.name for f in attrs.fields(sort)) if attrs.has(sort) and not issubclass(sort, Span) else ()


def inside(node: Any, sort: type) -> Iterator[Any]:
    """Everything of a sort in a declaration or an example. Where it was written is not part of it."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, (tuple, list)):
            stack += here
        elif names := _fields(type(here)):
            if isinstance(here, sort):
                yield here
            stack += [getattr(here, name) for name in names]
