"""Where the grammar, the bundled games and the templates lie, and where compiled games are kept.

The cache is the user's, never a game's own folder: a file from a stranger must not be able to bring its own
compiled code. What is read from it is run, so it is believed only if this user wrote it: the folder must belong to the
user and to nobody else to write in, a file must be the user's own and no link, and its first bytes are a digest of the
rest under a key that only the user can read. Nothing of a file is looked at before that.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

__all__ = [
    "bundled", "cache_folder", "grammar_name", "make_room", "modules_key", "plain_file", "read_cached", "write_cached",
    "write_whole",
]  # fmt: skip

_PACKAGE = Path(__file__).resolve().parent
_KEY = "key"
_DIGEST = 32
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
# How many files of a sort this process has written into a folder.
_written: dict[tuple[Path, str, str], int] = {}


def bundled(folder: str) -> Path:
    """The folder `grammar` or `games`, wherever this copy of rulescript keeps it."""
    inside = _PACKAGE / "_bundled" / folder
    if inside.is_dir():
        return inside
    return _PACKAGE.parent / folder


def cache_folder() -> Path | None:
    """The user's cache folder for rulescript, made if need be; None if there can be none, or others can write in it.

    RULESCRIPT_CACHE names another folder; set to nothing it switches the cache off."""
    named = os.environ.get("RULESCRIPT_CACHE")
    if named == "":
        return None
    try:
        if named:
            folder = Path(named)
        elif sys.platform == "darwin":
            folder = Path.home() / "Library" / "Caches" / "rulescript"
        else:
            folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rulescript"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        found = os.lstat(folder)
        is_good = stat.S_ISDIR(found.st_mode) and _is_own(found) and os.access(folder, os.W_OK | os.X_OK)
    except (OSError, RuntimeError, ValueError):
        return None
    return folder if is_good else None


def _is_own(found: os.stat_result) -> bool:
    """Whether something belongs to this user, and nobody else can write in it."""
    if not hasattr(os, "geteuid"):
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & 0o022


@contextmanager
def plain_file(path: Path, through_links: bool = False) -> Iterator[tuple[BinaryIO, os.stat_result]]:
    """A file to read, and what it is. OSError if it cannot be opened, ValueError if it is no regular file: links are
    not followed, unless somebody named the link, and nobody waits for a pipe."""
    links = 0 if through_links else _NO_LINKS
    handle = os.open(path, os.O_RDONLY | links | _BINARY | getattr(os, "O_NONBLOCK", 0))
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("it is no plain file")
        with open(handle, "rb", closefd=False) as file:
            yield file, found
    finally:
        os.close(handle)


def _read(path: Path) -> bytes | None:
    """What is in a regular file of the user's own; None if there is none."""
    try:
        with plain_file(path) as (file, found):
            return file.read() if _is_own(found) else None
    except (OSError, ValueError):
        return None


def _write(path: Path, content: bytes) -> bool:
    """Put a file in its place: whoever reads it sees all of it or nothing."""
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINKS | _BINARY, 0o600)
        try:
            with open(handle, "wb") as file:
                file.write(content)
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except (OSError, ValueError):
        return False
    return True


def write_whole(path: Path, text: str, newline: str | None = None) -> None:
    """Write a file whole or not at all: what was there stays until all of the new text is safely written. The end of a
    line is written as `newline` says, as with `open`."""
    # Not `resolve`: of a link that leads to itself it raises what nobody expects of a file.
    goal = Path(os.path.realpath(path)) if path.is_symlink() else path
    if goal.exists() and not goal.is_file():
        # A pipe or a device, of which nothing can be lost. For somebody to read a pipe nobody is kept waiting.
        handle = os.open(goal, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
        os.set_blocking(handle, True)
        with open(handle, "w", encoding="utf-8", newline=newline) as file:
            file.write(text)
        return
    temporary = goal.with_name(f".{goal.name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, str(path)) from None  # nobody knows the other name
    try:
        with open(handle, "w", encoding="utf-8", newline=newline) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if goal.exists():
            os.chmod(temporary, goal.stat().st_mode & 0o7777)
        os.replace(temporary, goal)
    except BaseException as problem:
        with suppress(OSError):
            os.unlink(temporary)
        if isinstance(problem, OSError):
            raise OSError(problem.errno, problem.strerror, str(path)) from None
        raise


def _key_of(folder: Path) -> bytes | None:
    """The user's own key for what is kept in a folder."""
    key = _read(folder / _KEY)
    if key is None or len(key) != _DIGEST:
        if not _write(folder / _KEY, secrets.token_bytes(_DIGEST)):
            return None
        key = _read(folder / _KEY)  # another process may have been quicker
    return key if key is not None and len(key) == _DIGEST else None


def _digest(key: bytes, path: Path, content: bytes) -> bytes:
    return hmac.digest(key, path.name.encode() + b"\0" + content, "sha256")


def read_cached(path: Path) -> bytes | None:
    """What this user has put in the cache; None if there is nothing, or somebody else had a hand in it."""
    whole = _read(path)
    key = _key_of(path.parent) if whole is not None else None
    if whole is None or key is None:
        return None
    content = whole[_DIGEST:]
    if not hmac.compare_digest(whole[:_DIGEST], _digest(key, path, content)):
        return None
    with suppress(OSError):
        os.utime(path)  # so that room is made by what nobody uses
    return content


def write_cached(path: Path, content: bytes) -> bool:
    """Put something in the cache, if that can be done."""
    key = _key_of(path.parent)
    return key is not None and _write(path, _digest(key, path, content) + content)


def grammar_name(text: str) -> str:
    """What the tables that Lark makes of this grammar are called in the cache."""
    import lark

    key = hashlib.sha256((text + lark.__version__ + sys.version).encode()).hexdigest()[:16]
    return f"grammar-{key}.tables"


def modules_key(folders: Iterable[str]) -> str:
    """Changes when rulescript itself does: sizes and times of the modules in some of its rooms, and of the grammar."""
    parts = []
    files = [file for folder in folders for file in sorted((_PACKAGE / folder).glob("*.py"))]
    for file in (*files, *sorted(bundled("grammar").glob("*.lark"))):
        status = file.stat()
        parts.append(f"{file.name}{status.st_size}{status.st_mtime_ns}")
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]


def make_room(path: Path, most: int, beside: tuple[str, ...] = ()) -> None:
    """Leave the files of a sort that were used last in the cache, so that it never grows without end: those whose names
    begin and end as that of `path` does. What is called alike but ends as in `beside` goes with each. Room is made for
    several at a time, and files are counted now and then: looking at all of them costs more than writing one."""
    sort = path.name.partition("-")[0]
    kind, every = (path.parent, sort, path.suffix), most // 32 + 1
    _written[kind] = _written.get(kind, 0) + 1
    if _written[kind] % every != 1 % every:  # the first is one of those that look: most processes write only a few
        return
    names = [name for name in os.listdir(path.parent) if name.startswith(f"{sort}-") and name.endswith(path.suffix)]
    if len(names) <= most + most // 16:
        return
    ages: list[tuple[int, Path]] = []
    for name in names:
        with suppress(OSError):  # another process may make room as well
            file = path.with_name(name)
            ages.append((file.stat().st_mtime_ns, file))
    for _, file in sorted(ages)[:-most]:
        for suffix in (path.suffix, *beside):
            with suppress(OSError):
                file.with_suffix(suffix).unlink(missing_ok=True)
