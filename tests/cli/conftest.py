"""The command line run in this process, with its output and exit code, on small games of our own."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from rulescript.cli.main import main

GAMES = Path(__file__).resolve().parent / "games"
SKIRMISH = str(GAMES / "skirmish.rules")
CARDS = str(GAMES / "cards.rules")
SEALED = str(GAMES / "sealed.rules")
BROKEN = str(GAMES / "broken.rules")


@frozen
class Result:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Result]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """``cli("check", path)``; what a person would type goes into `typed`, a line each."""

    def run(*words: str, typed: str = "") -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        code = main(list(words))
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run
