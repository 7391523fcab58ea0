"""Indented output that remembers the span behind each line."""

from __future__ import annotations

from rulescript.source import Span

__all__ = ["Writer"]


class Writer:
    """Lines of Python, each with the place in the rules it was made from."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.origins: dict[int, tuple[str, int]] = {}
        self._origin: tuple[str, int] | None = None

    def at(self, span: Span | None) -> None:
        """What follows comes from here."""
        self._origin = (span.source.name, span.line) if span is not None else None

    def line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)
        if self._origin is not None:
            self.origins[len(self.lines)] = self._origin

    def extend(self, other: Writer) -> None:
        shift = len(self.lines)
        self.lines += other.lines
        for line, origin in other.origins.items():
            self.origins[line + shift] = origin

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"
