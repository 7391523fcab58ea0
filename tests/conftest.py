"""Hypothesis profiles: `fast` for every day (few examples, always the same ones), `thorough` for a long look.

HYPOTHESIS_PROFILE chooses; `make test` says `fast`, which is also what one gets without asking.

What is compiled is kept beside what pytest itself keeps, for all processes of this run and for the next one; the user's
own cache is left alone. A test about the cache gives itself another."""

from __future__ import annotations

import gc
import os
import sys
from functools import lru_cache
from pathlib import Path

import pytest
from _pytest.assertion.rewrite import AssertionRewritingHook
from hypothesis import HealthCheck, settings
from lark import Lark

# pytest rewrites the asserts of a package that brings a plugin, all of it: in a new checkout that takes seconds before
# the first test. No test looks at an assert of ours.
for _finder in sys.meta_path:
    if isinstance(_finder, AssertionRewritingHook):
        getattr(_finder, "_must_rewrite", set()).discard("rulescript")
        getattr(_finder, "_marked_for_rewrite_cache", {}).clear()

from rulescript.__main__ import NEW_THINGS  # noqa: E402
from rulescript.pipeline import cache  # noqa: E402
from rulescript.syntax import parsed_files, parser  # noqa: E402

# So that tests can share what lies in tests/, however pytest was begun.
_ROOT = str(Path(__file__).resolve().parent.parent)
if _ROOT not in sys.path:
    sys.path.insert(0, _ROOT)

os.environ.setdefault("RULESCRIPT_CACHE", str(Path(_ROOT, ".pytest_cache", "rulescript")))
# Thousands of small games go through it; they must not drive out the large ones, which take seconds to compile.
cache.MOST_KEPT, parsed_files.MOST_FILES = 1_000, 4_000

# The small games of the tests are made of the same declarations over and over: of six that are read, five were read
# before. Nobody changes a tree, so the last thousand are kept.
_build = parser._build


def _remembering(grammar: str) -> Lark:
    reader = _build(grammar)
    read = reader.parse
    known = lru_cache(maxsize=1_000)(read)

    def parse(text: str, start: str) -> object:
        return (known if len(text) < 2_000 else read)(text, start=start)

    setattr(reader, "parse", parse)  # noqa: B010
    return reader


parser._build = _remembering

from tests import order  # noqa: E402

_CALM = list(HealthCheck)
settings.register_profile(
    "fast", max_examples=20, deadline=None, derandomize=True, database=None, suppress_health_check=_CALM
)
settings.register_profile("thorough", max_examples=500, deadline=None, print_blob=True, suppress_health_check=_CALM)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "fast")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Among several processes slow files go first, and each process has as much to do. (What the long run takes is
    written down nowhere.)"""
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if processes > 1 and config.getoption("markexpr") == "not long":
        items[:] = order.ordered(items, processes, order.read_seconds())


def pytest_collection_finish() -> None:
    """What was collected stays until the end: nobody has to look through it for garbage again and again. Of what comes
    then, more is garbage than of what a command makes, so it is looked for more often than there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_THINGS // 10, 20, 50)
