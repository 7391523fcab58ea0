"""Files of a run, which may come from a stranger: only plain files are read, and none without end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rulescript.resources import plain_file

__all__ = ["MOST_UNPACKED", "data_of", "read_data", "read_plain"]

# In bytes: what a run says of itself, one of its parts as it lies there, and unpacked.
MOST_SAID = 16_000_000
MOST_PACKED = 128_000_000
MOST_UNPACKED = 256_000_000


def read_plain(path: Path, most: int = MOST_PACKED) -> bytes:
    """What is in a file. OSError if it cannot be read, ValueError if it is no plain file (a link, a pipe), or larger
    than any that we write."""
    with plain_file(path) as (file, found):
        if found.st_size > most:
            raise ValueError(f"it has more than {most // 1_000_000} MB")
        return file.read(most)


def read_data(path: Path) -> Any:
    """What a small file of JSON says; OSError or ValueError if it cannot be read, or not be written again."""
    found = data_of(read_plain(path, MOST_SAID))
    json.dumps(found, ensure_ascii=False).encode()
    return found


def data_of(text: str | bytes) -> Any:
    """What a text of JSON says, without numbers that are none; ValueError if it is not JSON, or goes too deep."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")
