"""Names for pages and anchors: what is safe in an address.

Everything that becomes part of an address, an id or a file name goes through `slug`, so that no text of a game can
choose where a page is written or what an attribute says.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

__all__ = ["Anchors", "clean", "rule_anchor", "slug"]


def slug(text: str, fallback: str = "x") -> str:
    """Letters, digits and hyphens only, in lower case; what is left of a text when it becomes a file name."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-") or fallback


def rule_anchor(ident: str) -> str:
    """The anchor of a rule's number: `r-4.6.2-b`. Citations have letters, digits, dots and hyphens only."""
    return "r-" + re.sub(r"[^A-Za-z0-9.-]+", "-", ident)


def clean(text: str) -> str:
    """Text without characters that no page can hold or that would turn a line around."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char
        if char in "\n\t" or char.isprintable() or unicodedata.category(char) in ("Mn", "Mc", "Me", "Zs")
        else "\ufffd"
        for char in text
    )


class Anchors:
    """Gives out anchors, each once, and remembers on which page each lies."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}

    def new(self, wish: str, page: str) -> str:
        anchor, number = wish, 2
        while anchor in self.pages:
            anchor = f"{wish}-{number}"
            number += 1
        self.pages[anchor] = page
        return anchor

    def take(self, anchor: str, page: str) -> bool:
        """Claim an anchor if nobody has it yet."""
        if anchor in self.pages:
            return False
        self.pages[anchor] = page
        return True


def unique(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))
