"""Hypothesis profiles: `fast` for every day (few examples, always the same ones), `thorough` for a long look.

HYPOTHESIS_PROFILE chooses; `make test` says `fast`, which is also what one gets without asking."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "fast", max_examples=20, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile(
    "thorough", max_examples=500, deadline=None, print_blob=True, suppress_health_check=list(HealthCheck)
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "fast")
