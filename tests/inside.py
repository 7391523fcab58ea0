"""Looking into texts that were read: for tests that count what rules and examples cite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs


def inside(node: Any, sort: type) -> Iterator[Any]:
    """Everything of a sort in a declaration or an example."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, (tuple, list)):
            stack += here
        elif attrs.has(type(here)):
            if isinstance(here, sort):
                yield here
            stack += [getattr(here, f.name) for f in attrs.fields(type(here)) if f.name != "span"]
