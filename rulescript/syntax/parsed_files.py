"""What files were read as is kept in the user's cache, so that a game of which one file changed is read in that one.

In comes a SourceFile; out come the declarations that `parse_file` makes of it. Only files that could be read without
a word are kept: one with a mistake is read anew each time, so what is said of it never comes from a cache.

The name of a kept file is a digest of the text and of whatever decides what it is read as: the grammar, the modules
of this room and of the nodes, Lark, attrs and Python. Nodes are pickled. A pickle can run anything, so it is looked
at only after `read_cached` has made sure that this user wrote it, and even then it may name nothing but nodes. The
file itself is no part of it: the nodes point at the SourceFile that is read.

Who edits a line of a long chapter has changed one declaration of it. So what a file of this name was read as the last
time is kept a second time, with the text of each of its declarations: those that are still written like that are
taken from there, moved to where they stand now, and only the others are read.
"""

from __future__ import annotations

import copyreg
import hashlib
import marshal
import pickle
import sys
from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from importlib.util import find_spec
from io import BytesIO
from operator import attrgetter
from pathlib import Path
from typing import Any

import attrs

from rulescript import nodes
from rulescript.diagnostics import Reporter
from rulescript.resources import cache_folder, make_room, modules_key, read_cached, write_cached
from rulescript.source import SourceFile, Span

__all__ = ["declarations_in"]

# So many files are kept.
MOST_FILES = 1_000


def declarations_in(source: SourceFile, reporter: Reporter) -> tuple[nodes.Declaration, ...]:
    """All declarations of a file that could be read."""
    folder = cache_folder()
    if folder is None:
        return _read(source, reporter)
    path = folder / f"parsed-{_key_of(source.text, source.original)}.nodes"
    kept = read_cached(path)
    if kept is not None:
        try:
            return _loads(kept, partial(Span, source))
        except Exception:
            path.unlink(missing_ok=True)  # what cannot be read is made anew
    before = _said(reporter)
    last = _LastTime(folder / f"last-{_key_of(source.name)}.nodes", source)
    found = _read(source, reporter, last.unchanged)
    if _said(reporter) == before:
        written = _dumps(found, source)
        if written is not None and write_cached(path, written):
            make_room(path, MOST_FILES)
            last.write(written)
    return found


def _read(source: SourceFile, reporter: Reporter, known: Any = None) -> tuple[nodes.Declaration, ...]:
    from rulescript.syntax.parser import parse_file  # which brings Lark: where all is kept, nobody waits for it

    return parse_file(source, reporter, known)


class _LastTime:
    """What a file of this name was read as when it was read last."""

    def __init__(self, path: Path, source: SourceFile) -> None:
        self.path = path
        self.source = source
        self.pieces: list[tuple[int, str]] = []

    def unchanged(self, pieces: list[tuple[int, str]]) -> dict[int, nodes.Declaration]:
        """The declarations that are written as they were, by where they stand now; `pieces` are the places and texts of
        all there are."""
        self.pieces = [(start, text.rstrip()) for start, text in pieces]
        kept = read_cached(self.path)
        if kept is None:
            return {}
        try:
            before, written = marshal.loads(kept)
            now: dict[str, list[int]] = {}
            for start, text in reversed(self.pieces):
                now.setdefault(text, []).append(start)
            starts = [start for start, _ in before]
            moved = [now[text].pop() - start if now.get(text) else None for start, text in before]

            def span(start: int, end: int) -> Span:
                by = moved[bisect_right(starts, start) - 1] or 0
                return Span(self.source, start + by, end + by)

            found = zip(moved, starts, _loads(written, span), strict=True)
            return {start + by: declaration for by, start, declaration in found if by is not None}
        except Exception:
            self.path.unlink(missing_ok=True)
            return {}

    def write(self, written: bytes) -> None:
        with suppress(ValueError):
            if write_cached(self.path, marshal.dumps((self.pieces, written))):
                make_room(self.path, MOST_FILES)


def _said(reporter: Reporter) -> tuple[int, int, int]:
    """How much was said and lost so far."""
    return reporter.count, len(reporter.lost.parts), len(reporter.lost.words)


def _key_of(*texts: str) -> str:
    digest = hashlib.sha256(_engine().encode())
    for text in texts:
        digest.update(b"\0" + text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


@cache
def _engine() -> str:
    # When they were installed, rather than their versions: to read those out takes longer than to load a game.
    places = [Path(found.origin) for name in ("lark", "attr") if (found := find_spec(name)) and found.origin]
    installed = [place.stat().st_mtime_ns for place in places]
    return f"{modules_key(('', 'diagnostics', 'nodes', 'syntax'))} {installed} {sys.version}"


def _span_here() -> None:
    """Stands in a pickle for a stretch of the file that is read."""
    raise TypeError("a kept file is read with its source")


def _reduced(kind: type[nodes.Node]) -> Callable[[nodes.Node], tuple[Any, ...]]:
    """How a node is written: its class, and its fields in order."""
    names = [field.name for field in attrs.fields(kind)]
    fields: Callable[[nodes.Node], Any] = attrgetter(*names)

    def reduce(node: nodes.Node) -> tuple[Any, ...]:
        return copyreg.__newobj__, (kind,), fields(node) if len(names) > 1 else (fields(node),)  # type: ignore[attr-defined]

    return reduce


@cache
def _all_reduced() -> dict[type, Callable[[Any], Any]]:
    kinds = {kind for kind in vars(nodes).values() if isinstance(kind, type) and issubclass(kind, nodes.Node)}
    return {kind: _reduced(kind) for kind in kinds}


def _dumps(found: tuple[nodes.Declaration, ...], source: SourceFile) -> bytes | None:
    def without_text(span: Span) -> tuple[Callable[[], None], tuple[int, int]]:
        if span.source is not source:
            raise ValueError(f"a node of {source.name} stands in {span.source.name}")
        return _span_here, (span.start, span.end)

    out = BytesIO()
    pickler = pickle.Pickler(out, 5)
    pickler.dispatch_table = {Span: without_text, **_all_reduced()}
    try:
        pickler.dump(found)
    except (ValueError, RecursionError, pickle.PicklingError, TypeError):
        return None
    return out.getvalue()


def _loads(data: bytes, span: Callable[[int, int], Span]) -> tuple[nodes.Declaration, ...]:
    class Unpickler(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            if (module, name) == (__name__, _span_here.__name__):
                return span
            found = getattr(nodes, name, None) if module.startswith(f"{nodes.__name__}.") else None
            if not isinstance(found, type) or found.__module__ != module:
                raise pickle.UnpicklingError(f"{module}.{name} is no node")
            return found

    found: tuple[nodes.Declaration, ...] = Unpickler(BytesIO(data)).load()
    return found
