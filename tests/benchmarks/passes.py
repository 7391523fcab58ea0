"""What each pass brings to the search form: the same games with and without it.

Machines are noisy, so all forms play the same game one after the other before any plays the next; what is told is the
median of the ratios of their times."""

from __future__ import annotations

import random
import statistics
import time
from typing import Any

import rulescript
from rulescript.compiler.forms import FORMS, NEEDED
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.lowering import Lowering
from rulescript.compiler.module import lower_all, search_code
from rulescript.diagnostics import Reporter
from rulescript.loader import load_text
from rulescript.pipeline.composing import look_through
from rulescript.runtime.forms import Form
from rulescript.runtime.playouts import play_out

__all__ = ["what_passes_bring"]


def forms_without(name: str, game: rulescript.Game) -> dict[str, Form]:
    """The plain form, the search form, and the search form without each of its passes."""
    # Lowering writes rules into each other, so it needs a model that nobody has compiled.
    model = look_through(load_text(name, Reporter()), (), "", Reporter())
    assert model is not None
    lower = Lowering(model, Layout(model))
    start = lower_all(lower)
    out = {"the plain form": game.plain}
    for left_out in ("", *(each.__name__ for each in FORMS["search"] if each.__name__ not in NEEDED)):
        code = dict(game.code)
        exec(compile(search_code(lower, start, frozenset({left_out}))[0], "<search>", "exec"), code)
        out[f"without {left_out}" if left_out else "the search form"] = Form(code, game.data)
    return out


def what_passes_bring(name: str, games: int, limit: int) -> dict[str, Any]:
    """How much longer a game takes without each pass: 1.08 is 8 in a hundred."""
    game = rulescript.load(name, cache=False)
    forms = forms_without(name, game)
    for form in forms.values():
        for seed in range(2):
            play_out(game, random.Random(-seed), limit, form)
    ratios: dict[str, list[float]] = {label: [] for label in forms}
    for seed in range(games):
        times: dict[str, float] = {}
        for label in random.Random(seed).sample(list(forms), len(forms)):
            best = float("inf")
            for _ in range(2):
                rng = random.Random(seed)
                started = time.process_time()
                play_out(game, rng, limit, forms[label])
                best = min(best, time.process_time() - started)
            times[label] = best
        for label, spent in times.items():
            ratios[label].append(spent / times["the search form"])
    return {f"{name}: {label}": statistics.median(found) for label, found in ratios.items()}
