"""Made games in which names for pieces go everywhere, in all forms, against a model that tells the pieces apart."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulescript.errors import GameInvalid
from tests.compiler.in_step import forms_of, source_of
from tests.compiler.made_followings import Made, Model


def answers(seed: int) -> list[bool]:
    rng = Random(seed)
    return [rng.random() < 0.7 for _ in range(1000)]


# Those with questions in them, states that end with a rule, lists in lists, numbers with and without bounds.
@pytest.mark.parametrize(
    "seed", [2, 6, 8, 12, *(pytest.param(seed, marks=pytest.mark.long) for seed in (7, 9, 10, 19))]
)
def test_every_name_stands_for_its_piece(tmp_path: Path, seed: int) -> None:
    made = Made(seed)
    file = tmp_path / "game.rules"
    file.write_text(made.text, encoding="utf-8")
    forms = forms_of(source_of(file))
    for play in range(2):
        said = iter(answers(play))
        wanted = Model(made, lambda said=said: next(said)).play()
        for form in forms:
            said = iter(answers(play))
            form.begin(5)
            while form.block and not form.failure:
                options = form.options
                form.answer(options[0] if len(options) == 1 or next(said) else options[1])
            assert not form.failure, (form.name, form.failure)
            assert form.own[2][3] == wanted, form.name


@pytest.mark.parametrize("seed", [3, 4, 13, 15, 24, 48])
def test_what_cannot_be_followed_is_refused(tmp_path: Path, seed: int) -> None:
    file = tmp_path / "game.rules"
    file.write_text(Made(seed).text, encoding="utf-8")
    with pytest.raises(GameInvalid) as problem:
        source_of(file).game()
    errors = [d for d in problem.value.diagnostics if d.severity == "error"]
    assert {d.code for d in errors} <= {"RS220", "RS221"}
    assert all(d.hint for d in errors)
