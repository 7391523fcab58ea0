"""Small games for the tests of simulations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import rulescript
from rulescript.runtime.game import Game

FAIR = str(Path(__file__).parent / "games" / "fair.rules")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiled games are kept for the tests of this folder, away from the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESCRIPT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def fair(_own_cache: None) -> Game:
    return rulescript.load(FAIR)
