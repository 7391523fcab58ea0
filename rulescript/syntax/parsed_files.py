"""What files were read as is kept in the user's cache, so that a game of which one file changed is read in that one.

In comes a SourceFile; out come the declarations that `parse_file` makes of it. Only files that could be read without
a word are kept: one with a mistake is read anew each time, so what is said of it never comes from a cache.

The name of a kept file is a digest of the text and of whatever decides what it is read as: the grammar, the modules
of this room and of the nodes, Lark, attrs and Python. Nodes are pickled. A pickle can run anything, so it is looked
at only after `read_cached` has made sure that this user wrote it, and even then it may name nothing but nodes. The
file itself is no part of it: the nodes point at the SourceFile that is read.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from io import BytesIO
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
    path = folder / f"parsed-{_key_of(source)}.nodes"
    kept = read_cached(path)
    if kept is not None:
        try:
            return _loads(kept, source)
        except Exception:
            path.unlink(missing_ok=True)  # what cannot be read is made anew
    before = _said(reporter)
    found = _read(source, reporter)
    if _said(reporter) == before:
        written = _dumps(found, source)
        if written is not None and write_cached(path, written):
            make_room(path, MOST_FILES)
    return found


def _read(source: SourceFile, reporter: Reporter) -> tuple[nodes.Declaration, ...]:
    from rulescript.syntax.parser import parse_file  # which brings Lark: where all is kept, nobody waits for it

    return parse_file(source, reporter)


def _said(reporter: Reporter) -> tuple[int, int, int]:
    """How much was said and lost so far."""
    return len(reporter.everything), len(reporter.lost.parts), len(reporter.lost.words)


def _key_of(source: SourceFile) -> str:
    digest = hashlib.sha256(_engine().encode())
    for text in (source.text, source.original):
        digest.update(b"\0" + text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


@cache
def _engine() -> str:
    lark = find_spec("lark")
    installed = Path(lark.origin).stat().st_mtime_ns if lark is not None and lark.origin is not None else 0
    return f"{modules_key(('', 'diagnostics', 'nodes', 'syntax'))} {installed} {attrs.__version__} {sys.version}"


def _source_here() -> None:
    """Stands in a pickle for the file that is read."""
    raise TypeError("a kept file is read with its source")


def _dumps(found: tuple[nodes.Declaration, ...], source: SourceFile) -> bytes | None:
    def without_text(one: SourceFile) -> tuple[Callable[[], None], tuple[()]]:
        if one is not source:
            raise ValueError(f"a node of {source.name} stands in {one.name}")
        return _source_here, ()

    out = BytesIO()
    pickler = pickle.Pickler(out, 5)
    pickler.dispatch_table = {SourceFile: without_text}
    try:
        pickler.dump(found)
    except (ValueError, RecursionError, pickle.PicklingError, TypeError):
        return None
    return out.getvalue()


def _loads(data: bytes, source: SourceFile) -> tuple[nodes.Declaration, ...]:
    class Unpickler(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            if (module, name) == (__name__, _source_here.__name__):
                return lambda: source
            if (module, name) == (Span.__module__, Span.__name__):
                return Span
            found = getattr(nodes, name, None) if module.startswith(f"{nodes.__name__}.") else None
            if not isinstance(found, type) or found.__module__ != module:
                raise pickle.UnpicklingError(f"{module}.{name} is no node")
            return found

    found: tuple[nodes.Declaration, ...] = Unpickler(BytesIO(data)).load()
    return found
