"""The pytest plugin: collects the claims of a game as tests of their own.

A game is collected when its main file (``game.rules``, ``game.rules.md``), its folder or any other ``.rules``
file is given to pytest as an argument, or when it lies under a folder named in the ini file::

    [tool.pytest.ini_options]
    rulescript_games = ["games"]
    rulescript_plays = "10"

Each example, check and invariant is a test, and so is the conformance of the whole game. Failures are shown
as diagnostics, not as tracebacks.

pytest loads this module wherever rulescript is installed, so it imports nothing of rulescript before it is
needed and does nothing unless asked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

_MAIN_FILES = ("game.rules", "game.rules.md")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("rulescript_games", "folders whose games are collected as tests", type="paths", default=[])
    parser.addini("rulescript_plays", "random plays of each configuration of a game", default="5")


def pytest_configure(config: pytest.Config) -> None:
    """Without arguments, the folders of games are looked at beside the usual ones."""
    folders: list[Path] = config.getini("rulescript_games")
    if folders and config.args_source is not pytest.Config.ArgsSource.ARGS:
        known = [Path(config.invocation_params.dir, arg).resolve() for arg in config.args]
        for folder in folders:
            if folder.is_dir() and not any(folder.is_relative_to(path) for path in known):
                config.args.append(str(folder))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if not file_path.name.endswith((".rules", ".rules.md")):
        return None
    given = parent.session.isinitpath(file_path)
    is_main = file_path.name in _MAIN_FILES
    if not given and not is_main:
        return None
    if not given and not parent.session.isinitpath(file_path.parent) and not _is_configured(file_path, parent):
        return None
    collected: pytest.Collector = RulesFile.from_parent(parent, path=file_path)
    return collected


def _is_configured(path: Path, parent: pytest.Collector) -> bool:
    folders: list[Path] = parent.config.getini("rulescript_games")
    return any(path.is_relative_to(folder) for folder in folders)


class ClaimFailed(Exception):
    """A claim does not hold; the text is what is shown."""


class RulesFile(pytest.File):
    """A game, or a file of examples that belongs to one."""

    def collect(self) -> Iterable[pytest.Item]:
        from rulescript.errors import RulescriptError
        from rulescript.testing.claims import claims_in

        try:
            found = claims_in(self.path)
        except RulescriptError as problem:
            # Told as a failing test rather than as an error of collecting: the game is what is wrong.
            yield Broken.from_parent(self, name="check", why=str(problem))
            return
        names: set[str] = set()
        for claim in found:
            name = claim.name
            while name in names:
                name += "'"
            names.add(name)
            yield ClaimItem.from_parent(self, name=name, claim=claim)
        if found.game is not None:
            yield ConformanceItem.from_parent(self, name="conformance", game=found.game)


class _RulesItem(pytest.Item):
    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, ClaimFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.path.name}: {self.name}"


class Broken(_RulesItem):
    """A file that cannot be tried at all."""

    def __init__(self, *, why: str, **more: Any) -> None:
        super().__init__(**more)
        self.why = why

    def runtest(self) -> None:
        raise ClaimFailed(self.why)


class ClaimItem(_RulesItem):
    """An example, a check or an invariant."""

    def __init__(self, *, claim: Any, **more: Any) -> None:
        super().__init__(**more)
        self.claim = claim

    def runtest(self) -> None:
        trouble = self.claim.run()
        if trouble and self.claim.inherited:
            pytest.skip("the variant changes this claim of the game it builds on")
        if trouble:
            raise ClaimFailed(trouble)


class ConformanceItem(_RulesItem):
    """The kit over a whole game."""

    def __init__(self, *, game: Game, **more: Any) -> None:
        super().__init__(**more)
        self.game = game

    def runtest(self) -> None:
        from rulescript.testing.conformance import run_conformance

        plays = int(self.config.getini("rulescript_plays"))
        report = run_conformance(self.path, plays=plays, shrink_seconds=10)
        if not report.ok:
            raise ClaimFailed("\n\n".join(failure.text() for failure in report.failures))
