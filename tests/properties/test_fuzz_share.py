"""A share of the fuzzing that `make fuzz` does at length: no damaged text ends in a traceback or takes too
long."""

from __future__ import annotations

import time
from collections import Counter
from itertools import islice

from tests.fuzz.texts import feed, made_texts, seed_texts, whole_games

TEXTS = 1_000
LONGEST = 10.0
# On a machine that is busy with something else, half of them must do.
PATIENCE = 45.0


def test_a_thousand_damaged_texts_do_no_harm() -> None:
    """Each is refused with diagnostics, or can be played; one in five clean ones is."""
    stages: Counter[str] = Counter()
    start = time.monotonic()
    for number, text in enumerate(islice(made_texts(11, seed_texts(), whole_games()), TEXTS)):
        began = time.monotonic()
        stage, trouble = feed(text, deep=number % 5 == 0)
        took = time.monotonic() - began
        stages[stage] += 1
        if number >= TEXTS // 2 and time.monotonic() - start > PATIENCE:
            break
        assert not trouble, f"{trouble}\n--- the text ---\n{text}"
        assert took < LONGEST, f"took {took:.1f} s ({stage})\n--- the text ---\n{text}"
    assert stages["syntax"] > TEXTS // 20
    assert stages["mistakes"] > TEXTS // 40
    assert stages["clean"] + stages["played"] > TEXTS // 100, stages
