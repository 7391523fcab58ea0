"""The cache is the user's own: what somebody else put there is never unpacked, and links are never followed."""

from __future__ import annotations

import marshal
import os
from pathlib import Path
from typing import Any

import pytest

from rulescript import resources
from rulescript.pipeline import cache
from rulescript.pipeline.cache import read_kept, write_kept
from rulescript.resources import cache_folder, read_cached, write_cached

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners of files are told apart on Unix alone")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path / "cache"))
    found = cache_folder()
    assert found is not None
    return found


@pytest.fixture
def unpacked(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What was handed to the unpacker."""
    seen: list[bytes] = []

    class Watched:
        dumps = staticmethod(marshal.dumps)

        @staticmethod
        def loads(content: bytes) -> Any:
            seen.append(content)
            return marshal.loads(content)

    monkeypatch.setattr(cache, "marshal", Watched)
    return seen


def test_what_was_put_there_comes_back(folder: Path, unpacked: list[bytes]) -> None:
    write_kept(folder / "game-1.bin", [1, "two"])
    assert read_kept(folder / "game-1.bin") == [1, "two"]
    assert len(unpacked) == 1
    assert (folder / "game-1.bin").stat().st_mode & 0o077 == 0


def planted(way: str, folder: Path, path: Path) -> None:
    """Put something there that the user did not."""
    good = path.read_bytes()
    code = marshal.dumps(compile("raise SystemExit", "planted", "exec"))
    match way:
        case "no digest":
            path.write_bytes(code)
        case "another's digest":
            path.write_bytes(good[:32] + code)
        case "one letter changed":
            path.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
        case "cut off":
            path.write_bytes(good[:20])
        case "empty":
            path.write_bytes(b"")
        case "another's name":
            write_cached(folder / "game-2.bin", code)
            path.write_bytes((folder / "game-2.bin").read_bytes())
        case "a link":
            path.rename(folder / "elsewhere")
            path.symlink_to(folder / "elsewhere")
        case "a folder":
            path.unlink()
            path.mkdir()
        case "a pipe":
            path.unlink()
            os.mkfifo(path)
        case "others can write":
            path.chmod(0o666)
        case _:
            raise AssertionError(way)


WAYS = [
    "no digest", "another's digest", "one letter changed", "cut off", "empty", "another's name", "a link", "a folder",
    "a pipe", "others can write",
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_what_was_planted_is_not_unpacked(way: str, folder: Path, unpacked: list[bytes]) -> None:
    path = folder / "game-1.bin"
    write_kept(path, [1, "two"])
    planted(way, folder, path)
    assert read_kept(path) is None
    assert unpacked == []


def test_what_belongs_to_somebody_else_is_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "game-1.bin"
    assert write_cached(path, b"content")
    assert read_cached(path) == b"content"
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    assert read_cached(path) is None
    assert cache_folder() is None


def test_a_key_of_somebody_elses_choice_is_replaced(folder: Path) -> None:
    path = folder / "game-1.bin"
    assert write_cached(path, b"content")
    key = folder / resources._KEY
    known = folder / "known"
    known.write_bytes(b"k" * 32)
    known.chmod(0o600)
    key.unlink()
    key.symlink_to(known)
    assert read_cached(path) is None
    assert not key.is_symlink()
    assert known.read_bytes() == b"k" * 32


def test_a_folder_that_is_a_link_or_open_to_others_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = tmp_path / "real"
    real.mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(real)
    monkeypatch.setenv("RULESCRIPT_CACHE", str(tmp_path / "link"))
    assert cache_folder() is None
    monkeypatch.setenv("RULESCRIPT_CACHE", str(real))
    assert cache_folder() == real
    real.chmod(0o777)
    assert cache_folder() is None


def test_a_file_is_there_whole_or_not_at_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "game-1.bin"
    assert write_cached(path, b"old")

    def fails(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "replace", fails)
    assert not write_cached(path, b"new")
    assert read_cached(path) == b"old"
    assert not list(folder.glob("*.tmp"))


def test_writing_replaces_a_link_and_leaves_what_it_led_to(folder: Path) -> None:
    other = folder / "other"
    other.write_bytes(b"precious")
    path = folder / "game-1.bin"
    path.symlink_to(other)
    assert write_cached(path, b"content")
    assert other.read_bytes() == b"precious"
    assert read_cached(path) == b"content"
