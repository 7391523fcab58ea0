"""Declarations that are in force."""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import define

from rulescript import nodes as n
from rulescript.model import game as m

__all__ = ["Active", "named_by", "under"]

# Where a number goes on to what lies below it: 4.6|.4|-b, 2.1.8|d, 4.2|A|1. Letters before it are its name.
_CUTS = re.compile(r"[.\-]|(?<=\d)(?=[A-Za-z])|(?<=\d[A-Za-z])(?=\d)")


@define
class Active:
    """A declaration that is in force, with its default citation, who wrote it, and the thing it is part of."""

    declaration: n.Declaration
    cites: tuple[str, ...]
    origin: str
    this: tuple[m.Kind, int] | None = None

    @property
    def thing(self) -> str:
        """The name of the thing (a card, a marker) it is part of."""
        return self.this[0].things[self.this[1]].name if self.this is not None else ""


def under(ident: str, wanted: str) -> bool:
    """Whether a rule number is another or lies below it: 4.6.4-b is under 4.6.4, 4.6 and 4, and 2.1.8d under 2.1.8."""
    return ident == wanted or ident.startswith(wanted) and _CUTS.match(ident, len(wanted)) is not None


def named_by(idents: Iterable[str]) -> frozenset[str]:
    """Every number that some rules are under: looking one up here is quicker than asking each rule."""
    return frozenset(ident[:end] for ident in idents for end in (*(at.start() for at in _CUTS.finditer(ident)), None))
