"""Commands that cannot be understood are answered with what would be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

COOKBOOK = Path(__file__).parents[2] / "docs" / "cookbook"
FORDS, OPTIONS = str(COOKBOOK / "01-first-turn.rules.md"), str(COOKBOOK / "34-options.rules.md")

WRONG = [
    (["chek", "x"], "there is no command `chek`", "did you mean `check`?"),
    (["replay", "a.json", "b.json"], "nothing is known of `b.json` here", "rulescript replay --help"),
    (["check", "nowhere", "--watch"], "no game is called `nowhere`", "the games that come with the program are"),
    (["docs", "nowhere", "--serve", "--port", "1"], "no game is called `nowhere`", "the games that come with"),
    (["play", "--bogus"], "nothing is known of `--bogus` here", "hint: rulescript play --help"),
    (["play", "x", "--sede", "3"], "nothing is known of `--sede` `3` here", "did you mean `--seed`? See rulescript"),
    (["play", "x", "--bots=random"], "`--bots` is an option of `rulescript simulate`;", "see rulescript play --help"),
    (["play", "x", "--seed", "high"], "`high` is not a whole number", "rulescript play --help"),
    (["simulate", "x", "--output", "y"], "nothing is known of `--output` `y` here", "did you mean `--out`? See"),
    (["simulate", FORDS, "-o", "runs/y"], "`runs/y` is not the name of an option", "into a folder, `--out runs/y`"),
    (["simulate", FORDS, "-o", "runs"], "there is no option `runs`", "into a folder, `--out runs`"),
    *(
        ([command, FORDS, "-o", "y.txt"], "`y.txt` is not the name of an option", "`-o` is short for `--option`")
        for command in ("check", "games", "play", "test")
    ),
    (["docs", OPTIONS, "-o", "winter"], "`winter` is an optional rule", "`--option winter`, for a folder of that"),
    (["simulate", "x", "-n", "0"], "`0` is not a number of at least 1", "rulescript simulate --help"),
]


@pytest.mark.parametrize(("words", "said", "hint"), WRONG, ids=[" ".join(words) for words, _, _ in WRONG])
def test_the_hint_is_something_to_type(cli: Any, words: list[str], said: str, hint: str) -> None:
    result = cli(*words)
    assert result.code == 2
    assert said in result.err and hint in result.err
