"""Indented output that remembers the span behind each line, and is never more than can be compiled."""

from __future__ import annotations

from threading import local

from rulescript.source import Span

__all__ = ["MOST_WRITTEN", "TooMuchWritten", "Writer", "begin_writing"]

# Letters of Python that one game may become; the largest printed ones are a tenth of this.
MOST_WRITTEN = 12_000_000


class TooMuchWritten(Exception):
    """A game is too large to be compiled; `span` is what was being written."""

    def __init__(self, span: Span | None) -> None:
        super().__init__(f"the compiled game is more than {MOST_WRITTEN:,} letters")
        self.span = span


class _Written(local):
    """What one compiler has written so far. Each thread has its own."""

    letters = 0


_WRITTEN = _Written()


def begin_writing() -> None:
    """Another game is compiled from here on."""
    _WRITTEN.letters = 0


class Writer:
    """Lines of Python, each with the place in the rules it was made from."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.origins: dict[int, tuple[str, int]] = {}
        self._origin: tuple[str, int] | None = None
        self._span: Span | None = None

    def at(self, span: Span | None) -> None:
        """What follows comes from here."""
        self._span = span
        self._origin = (span.source.name, span.line) if span is not None else None

    def line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)
        _WRITTEN.letters += len(text)
        if _WRITTEN.letters > MOST_WRITTEN:
            raise TooMuchWritten(self._span)
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
