"""Where the grammar, the bundled games and the templates lie, and where compiled games are kept.

The cache is the user's, never a game's own folder: a file from a stranger must not be able to bring its own
compiled code.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

__all__ = ["bundled", "cache_folder", "grammar_cache"]

_PACKAGE = Path(__file__).resolve().parent


def bundled(folder: str) -> Path:
    """The folder `grammar` or `games`, wherever this copy of rulescript keeps it."""
    inside = _PACKAGE / "_bundled" / folder
    if inside.is_dir():
        return inside
    return _PACKAGE.parent / folder


def cache_folder() -> Path | None:
    """The user's cache folder for rulescript, made if need be; None if there can be none.

    RULESCRIPT_CACHE names another folder; set to nothing it switches the cache off."""
    named = os.environ.get("RULESCRIPT_CACHE")
    if named == "":
        return None
    if named:
        folder = Path(named)
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Caches" / "rulescript"
    else:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rulescript"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.write_text("")
        probe.unlink()
    except OSError:
        return None
    return folder


def grammar_cache(text: str) -> str | bool:
    """Where Lark keeps its tables for this grammar, or False."""
    folder = cache_folder()
    if folder is None:
        return False
    import lark

    key = hashlib.sha256((text + lark.__version__ + sys.version).encode()).hexdigest()[:16]
    return str(folder / f"grammar-{key}.lark")
