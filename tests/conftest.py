"""Hypothesis profiles: `fast` for every day (few examples, always the same ones), `thorough` for a long look.

HYPOTHESIS_PROFILE chooses; `make test` says `fast`, which is also what one gets without asking.

What is compiled is kept beside what pytest itself keeps, for all processes of this run and for the next one; the user's
own cache is left alone. A test about the cache gives itself another."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

# So that tests can share what lies in tests/, however pytest was begun.
_ROOT = str(Path(__file__).resolve().parent.parent)
if _ROOT not in sys.path:
    sys.path.insert(0, _ROOT)

os.environ.setdefault("RULESCRIPT_CACHE", str(Path(_ROOT, ".pytest_cache", "rulescript")))

_CALM = list(HealthCheck)
settings.register_profile(
    "fast", max_examples=20, deadline=None, derandomize=True, database=None, suppress_health_check=_CALM
)
settings.register_profile("thorough", max_examples=500, deadline=None, print_blob=True, suppress_health_check=_CALM)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "fast")
