"""Templates as Python has compiled them, kept in the user's cache: one file for all, written when one is new."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from types import CodeType

import jinja2
from jinja2.bccache import Bucket, BytecodeCache

from rulescript.pipeline.cache import own_key, read_kept, write_kept
from rulescript.resources import cache_folder

__all__ = ["KeptTemplates"]

# What this process has compiled, by the name of its file: who prints several games with another cache, or with none,
# waits for the templates once.
KNOWN: dict[str, dict[str, tuple[str, CodeType]]] = {}


class KeptTemplates(BytecodeCache):
    """A template is found by its name and what stands in it; `folder` is where a designer's own are."""

    def __init__(self, folder: Path | None) -> None:
        cache = cache_folder()
        which = "\0".join(
            (sys.version, jinja2.__version__, own_key(("docgen",)), str(folder.resolve()) if folder else "")
        )
        name = hashlib.sha256(which.encode(errors="replace")).hexdigest()[:32]
        self._path = cache / f"templates-{name}.bin" if cache is not None else None
        found = read_kept(self._path) if self._path is not None else None
        self._codes: dict[str, tuple[str, CodeType]] = found if isinstance(found, dict) else {}
        self._known = KNOWN.setdefault(name, {})
        self._is_new = False

    def load_bytecode(self, bucket: Bucket) -> None:
        for codes in (self._codes, self._known):
            checksum, code = codes.get(bucket.key, ("", None))
            if checksum == bucket.checksum and code is not None:
                bucket.code = code
                if codes is self._known:
                    self.dump_bytecode(bucket)
                return

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._codes[bucket.key] = self._known[bucket.key] = (bucket.checksum, bucket.code)
            self._is_new = True

    def write(self) -> None:
        if self._is_new and self._path is not None:
            write_kept(self._path, self._codes)
            self._is_new = False
