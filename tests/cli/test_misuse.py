"""Commands that cannot be understood are answered with what would be."""

from __future__ import annotations

from typing import Any

import pytest

WRONG = [
    (["chek", "x"], "there is no command `chek`", "did you mean `check`?"),
    (["replay", "a.json", "b.json"], "nothing is known of `b.json` here", "rulescript replay --help"),
    (["check", "nowhere", "--watch"], "no game is called `nowhere`", "the games that come with the program are"),
    (["docs", "nowhere", "--serve", "--port", "1"], "no game is called `nowhere`", "the games that come with"),
    (["play", "--bogus"], "nothing is known of `--bogus` here", "hint: rulescript play --help"),
    (["play", "x", "--sede", "3"], "nothing is known of `--sede` `3` here", "did you mean `--seed`? See rulescript"),
    (["play", "x", "--bots=random"], "`--bots` is an option of `rulescript simulate`;", "see rulescript play --help"),
    (["play", "x", "--seed", "high"], "`high` is not a whole number", "rulescript play --help"),
    (["simulate", "x", "-n", "0"], "`0` is not a number of at least 1", "rulescript simulate --help"),
]


@pytest.mark.parametrize(("words", "said", "hint"), WRONG, ids=[" ".join(words) for words, _, _ in WRONG])
def test_the_hint_is_something_to_type(cli: Any, words: list[str], said: str, hint: str) -> None:
    result = cli(*words)
    assert result.code == 2
    assert said in result.err and hint in result.err
