"""A share of the fuzzing that `make fuzz` does at length: no damaged text ends in a traceback or takes too
long."""

from __future__ import annotations

import time
from collections import Counter
from itertools import islice

import pytest

from tests.fuzz.texts import feed, made_texts, seed_texts, whole_games

LONGEST = 10.0
# On a machine that is busy with something else, half of them must do.
PATIENCE = 45.0


@pytest.mark.parametrize("seed, texts", [(11, 200), pytest.param(12, 1_500, marks=pytest.mark.long)])
def test_damaged_texts_do_no_harm(seed: int, texts: int) -> None:
    """Each is refused with diagnostics, or can be played; one in five clean ones is."""
    stages: Counter[str] = Counter()
    start = time.monotonic()
    for number, text in enumerate(islice(made_texts(seed, seed_texts(), whole_games()), texts)):
        began = time.monotonic()
        stage, trouble = feed(text, deep=number % 5 == 0)
        took = time.monotonic() - began
        stages[stage] += 1
        if number >= texts // 2 and time.monotonic() - start > PATIENCE:
            break
        assert not trouble, f"{trouble}\n--- the text ---\n{text}"
        assert took < LONGEST, f"took {took:.1f} s ({stage})\n--- the text ---\n{text}"
    assert stages["syntax"] > texts // 20
    assert stages["mistakes"] > texts // 40
    assert stages["clean"] + stages["played"] > texts // 100, stages
