"""`replay` of a save whose log somebody has changed says what is wrong with it: never a fault of ours, never a hang."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript.cli.main import main
from tests.fuzz.large import HEAD, SEQUENCE, WORK

RULES = HEAD + WORK + SEQUENCE


def _nested(depth: int) -> list[Any]:
    out: list[Any] = []
    for _ in range(depth):
        out = [out]
    return out


ODD: list[Any] = [
    None, 0, -1, True, 1.5, "", "x" * 100_000, "\0", "\u202eevil", "../../save", [], {}, _nested(400), 10**400,
    {"unsettled": [[1]]},
]  # fmt: skip


def _set(data: dict[str, Any], *path: Any, to: Any) -> None:
    for step in path[:-1]:
        data = data[step]
    data[path[-1]] = to


CHANGES: dict[str, Callable[[dict[str, Any], Any], None]] = {
    "an entry": lambda data, odd: _set(data, "log", 0, to=odd),
    "the name of a choice": lambda data, odd: _set(data, "log", 0, 0, to=odd),
    "a key": lambda data, odd: _set(data, "log", 0, 1, to=odd),
    "outcomes": lambda data, odd: data["log"][0].append([odd]),
    "one more entry": lambda data, odd: data["log"].append(["sequence.look", odd]),
    "the opening": lambda data, odd: _set(data, "opening", to=[odd] * 50),
    "what waits": lambda data, odd: _set(data, "pending", to=["", "", [odd]]),
    "the seed": lambda data, odd: _set(data, "seed", to=odd if odd != 0 else "0"),
    "chance": lambda data, odd: _set(data, "chance", to=[odd]),
    "the whole log, very often": lambda data, odd: _set(data, "log", to=data["log"] * 20_000 + [odd]),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_log_is_told(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "small.rules"
    rules.write_text(RULES, encoding="utf-8")
    position = rulescript.load(rules).start(3)
    position.choose(0)
    save = tmp_path / "save.json"
    seen = set()
    for odd in ODD if not what.startswith("the whole") else ODD[:2]:
        data = json.loads(position.to_json())
        CHANGES[what](data, odd)
        save.write_text(json.dumps(data), encoding="utf-8")
        for more in ((), ("--view", "South", "--json")):
            code = main(["replay", str(save), "--game", str(rules), "--all", *more])
            said = capsys.readouterr()
            assert code in (0, 1, 2), said.err
            assert "fault of ours" not in said.err and "Traceback" not in said.err
            assert said.out.strip() or said.err.strip()
            seen.add(code)
    assert seen - {0}  # some were refused
