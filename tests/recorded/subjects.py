"""What is recorded: every game of the house, every page of the cookbook, every slice."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

import rulescript
from rulescript.errors import BadOption, GameInvalid
from rulescript.runtime.game import Game
from rulescript.testing.conformance import configurations
from rulescript.testing.report import Configuration

ROOT = Path(__file__).parent.parent.parent


@frozen
class Subject:
    """A game to record. `is_whole`: one of the printed games, whose reference is recorded too."""

    name: str
    where: Path
    is_whole: bool

    def load(self, configuration: Configuration | None = None) -> Game:
        if configuration is None:
            return rulescript.load(self.where)
        return rulescript.load(self.where, options=configuration.options, scenario=configuration.scenario)

    def configurations(self) -> list[Configuration]:
        """Every way to play it that goes together."""
        out = []
        for configuration in configurations(self.load(), pairs=True):
            try:
                self.load(configuration)
            except (BadOption, GameInvalid):
                continue
            out.append(configuration)
        return out


def _main_file(folder: Path) -> Path | None:
    return next((folder / name for name in ("game.rules", "game.rules.md") if (folder / name).exists()), None)


def all_subjects() -> list[Subject]:
    out = [Subject(path.name, path, True) for path in sorted((ROOT / "games").iterdir()) if _main_file(path)]
    for path in sorted((ROOT / "docs" / "cookbook").iterdir()):
        if path.is_dir() and _main_file(path) or path.name.endswith(".rules.md"):
            out.append(Subject(f"cookbook-{path.name.removesuffix('.rules.md')}", path, False))
    for path in sorted((ROOT / "tests" / "slices").iterdir()):
        if path.is_dir() and _main_file(path):
            out.append(Subject(f"slice-{path.name}", path, False))
    return out
