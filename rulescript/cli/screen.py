"""Everything that is printed: colours only on a terminal, widths, tables, progress, and harmless characters.

The texts of a game may come from a stranger. `say` lets no character through that could steer the terminal;
the only escape sequences that survive are the colours `paint` puts in.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any, Protocol

__all__ = ["Progress", "Screen", "width_of"]

_COLOURS = {
    "bold": "1", "dim": "2", "error": "1;31", "warning": "1;33", "head": "1;36", "good": "1;32",
    "red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36",
}  # fmt: skip
_OURS = re.compile(r"\x1b\[(?:[0-9]{1,2}(?:;[0-9]{1,2})?)?m")
SEATS = ("cyan", "yellow", "magenta", "green", "blue", "red")


def harmless(text: str) -> str:
    """Text without characters that would move the cursor, hide something or turn a line around."""
    if text.isascii() and text.isprintable():
        return text
    out = []
    for char in text:
        if char in "\n\t" or char.isprintable() or unicodedata.category(char) in ("Mn", "Me", "Zs"):
            out.append(char)
        else:
            out.append("\ufffd")
    return "".join(out)


def width_of(text: str) -> int:
    """How many cells a text takes on a terminal; our colours take none."""
    text = _OURS.sub("", text)
    if text.isascii():
        return len(text)
    return sum(_cells_of(char) for char in text)


def _cells_of(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


class Progress(Protocol):
    """A bar that moves."""

    def advance(self, steps: int = 1) -> None: ...


class _Silent:
    def advance(self, steps: int = 1) -> None:
        pass


class Screen:
    """Where a command prints. `colour` is "auto", "always" or "never"."""

    def __init__(self, colour: str = "auto", out: IO[str] | None = None, err: IO[str] | None = None) -> None:
        self.out = out if out is not None else sys.stdout
        self.err = err if err is not None else sys.stderr
        self.colour = _wants_colour(colour, self.out)
        self.error_colour = _wants_colour(colour, self.err)
        for stream in (self.out, self.err):
            # An old terminal may lack `§`; a question mark is better than a traceback.
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors="replace")

    # -------------------------------------------------------------- what there is

    @property
    def is_terminal(self) -> bool:
        return _is_terminal(self.out)

    @property
    def is_interactive(self) -> bool:
        """Somebody sits there: both what we ask and what is answered go through a terminal."""
        return self.is_terminal and _is_terminal(sys.stdin)

    @property
    def width(self) -> int:
        return max(40, min(shutil.get_terminal_size((100, 30)).columns, 140))

    @property
    def height(self) -> int:
        return max(10, shutil.get_terminal_size((100, 30)).lines)

    # -------------------------------------------------------------- printing

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m" if self.colour and text else text

    def say(self, text: str = "", end: str = "\n") -> None:
        self._write(self.out, text, end, self.colour)

    def tell(self, text: str = "", end: str = "\n") -> None:
        """To standard error: for people, not for whoever reads the output."""
        self._write(self.err, text, end, self.error_colour)

    def problem(self, message: str, hint: str | None = None) -> None:
        """``error: there is no such game``"""
        head = f"\x1b[{_COLOURS['error']}merror\x1b[0m" if self.error_colour else "error"
        self.tell(f"{head}: {message}" + (f"\n  hint: {hint}" if hint else ""))

    def json(self, data: Any) -> None:
        """One JSON document; control characters are escaped by JSON itself."""
        self.out.write(json.dumps(data, indent=2, ensure_ascii=False, sort_keys=False) + "\n")

    def _write(self, stream: IO[str], text: str, end: str, colour: bool) -> None:
        if "\x1b" not in text or not colour:
            stream.write(harmless(text) + end)
            return
        parts: list[str] = []
        at = 0
        for match in _OURS.finditer(text):
            parts += [harmless(text[at : match.start()]), match[0]]
            at = match.end()
        parts.append(harmless(text[at:]))
        stream.write("".join(parts) + end)

    def flush(self) -> None:
        self.out.flush()

    # -------------------------------------------------------------- shapes

    def wrapped(self, text: str, indent: str = "", first: str | None = None) -> str:
        return textwrap.fill(text, self.width - 1, initial_indent=indent if first is None else first,
                             subsequent_indent=indent)  # fmt: skip

    def table(self, rows: Iterable[Sequence[str]], head: Sequence[str] = (), right: Iterable[int] = ()) -> None:
        """Columns as wide as they need; the last one is wrapped. `right` are columns of numbers."""
        listed = [list(row) for row in rows]
        if not listed:
            return
        numbers = set(right)
        every = [list(head), *listed] if head else listed
        count = max(len(row) for row in every)
        widths = [max((width_of(row[i]) for row in every if i < len(row)), default=0) for i in range(count)]
        if head:
            self._row([self.paint(cell, "dim") for cell in head], widths, numbers)
        for row in listed:
            self._row(row, widths, numbers)

    def _row(self, row: Sequence[str], widths: list[int], numbers: set[int]) -> None:
        cells: list[str] = []
        last = len(widths) - 1
        for at, cell in enumerate(row):
            space = " " * (widths[at] - width_of(cell))
            if at == last and at not in numbers:
                left = sum(widths[:at]) + 2 * at
                room = max(20, self.width - left - 1)
                if width_of(cell) > room:
                    lines = textwrap.wrap(_OURS.sub("", cell), room)
                    cell = ("\n" + " " * left).join(lines)
                cells.append(cell)
            else:
                cells.append(space + cell if at in numbers else cell + space)
        self.say("  ".join(cells).rstrip())

    def columns(self, items: Sequence[str]) -> Iterator[str]:
        """Short texts beside each other, read downwards, as a terminal lists files."""
        if not items:
            return
        widest = max(width_of(item) for item in items) + 2
        across = max(1, min((self.width - 2) // widest, 4))
        if len(items) < 8:
            across = 1
        down = -(-len(items) // across)
        for row in range(down):
            cells = [items[i] for i in range(row, len(items), down)]
            yield ("  " + "".join(cell + " " * (widest - width_of(cell)) for cell in cells)).rstrip()

    # -------------------------------------------------------------- long work

    @property
    def has_bar(self) -> bool:
        """Whether somebody sees bars that move."""
        return _is_terminal(self.err)

    @contextmanager
    def progress(self, what: str, total: int, counted: str = "") -> Iterator[Progress]:
        """A bar on standard error, if that is a terminal and there is more than one thing to wait for. With `counted`
        it tells how many of these there are a second."""
        if not self.has_bar or total < 2:
            yield _Silent()
            return
        from rich.console import Console
        from rich.markup import escape
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        console = Console(file=self.err, no_color=not self.error_colour)
        parts: list[Any] = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
        if counted:
            parts.append(TextColumn("{task.fields[rate]}"))
        bar = Bar(*parts, console=console, transient=True)
        task = bar.add_task(escape(harmless(what)), total=total, rate="")

        class _Moving:
            def advance(self, steps: int = 1) -> None:
                bar.start()
                speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
                bar.update(task, advance=steps, rate=f"{speed:,.1f} {counted}/s" if counted and speed else "")

        try:
            if not counted:
                bar.start()  # else with the first step: the bar has a thread, and processes can be copied before
            yield _Moving()
        finally:
            bar.stop()


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


def _wants_colour(wish: str, stream: Any) -> bool:
    if wish != "auto":
        return wish == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return _is_terminal(stream)
