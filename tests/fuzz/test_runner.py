"""The fuzzer itself: a text that hangs or kills its worker is found, and the others are still tried."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.texts import feed, made_texts, seed_texts, whole_games
from tests.fuzz.troubled import some_trouble
from tests.fuzz.workers import run_texts

MARSH = Path(__file__).parent / "games" / "marsh.rules"


def test_texts_that_hang_die_or_fail_are_reported_and_the_rest_is_tried() -> None:
    # A first text gets twenty seconds more for the imports of its worker; this one has none to speak of.
    import tests.fuzz.workers as workers

    patience, workers.PATIENCE = workers.PATIENCE, 0.0
    try:
        outcome = run_texts(10, jobs=1, limit=3.0, work=some_trouble)
    finally:
        workers.PATIENCE = patience
    assert outcome.done == 10
    assert outcome.stages == {"played": 8, "lost": 2}
    assert [why.splitlines()[-1] for _, why in outcome.failures] == [
        "took over 3 s",
        "the worker died",
        "oh dear",
    ]


def test_the_same_seed_makes_the_same_texts() -> None:
    seeds, games = seed_texts(), whole_games()
    assert len(games) >= 3
    one, two, other = (list(islice(made_texts(s, seeds, games), 20)) for s in (1, 1, 2))
    assert one == two != other


def test_a_fault_of_ours_is_told_with_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulescript.analysis import analyse

    def faulty(*_: Any) -> Any:
        raise KeyError("ours")

    text = MARSH.read_text(encoding="utf-8")
    monkeypatch.setattr(analyse, "analyse", faulty)
    stage, trouble = feed(text)
    assert stage == "analyse"
    assert "KeyError: 'ours'" in trouble


def test_good_games_are_played_and_bad_texts_refused() -> None:
    assert feed("phase phase phase\n")[0] == "syntax"
    assert feed("kind Side\nstate active: Sid\n")[0] == "mistakes"
    assert feed(MARSH.read_text(encoding="utf-8")) == ("played", "")


BREAKING = """rulescript 1
game "Breaking"

kind Side
things
    Side Red
players Side
state active: Side = Red
state taken: int

invariant "Nobody takes three", at every decision
    taken < 3

phase take
    repeat 9 times
        choose grab "Grab"
            taken += 1
        or pass_by "Pass"

sequence
    take
    end game, {Red} win
"""


def test_a_random_game_tells_which_invariant_it_breaks(tmp_path: Path) -> None:
    import rulescript
    from tests.fuzz.__main__ import _plain_game

    (tmp_path / "breaking.rules").write_text(BREAKING, encoding="utf-8")
    game = rulescript.load(tmp_path / "breaking.rules")
    told = [_plain_game(game, seed, None)[1] for seed in range(20)]
    assert any(words.startswith('invariant "Nobody takes three" does not hold (seed ') for words in told)


GIVING_UP = """rulescript 1
game "Giving up"

kind Side
things
    Side Red
players Side
state active: Side = Red
state taken: int

aside give_up "Give up" by active during take
    end game, {Red} win "by giving up"

phase take
    repeat 9 times
        choose grab "Grab"
            taken += 1
        or leave_it "Leave it"

sequence
    take
    end game, {Red} win
"""


def test_every_fourth_random_game_takes_no_aside(tmp_path: Path) -> None:
    """So that games in which one can resign are played to their end, too."""
    import rulescript
    from tests.fuzz.__main__ import _plain_game

    (tmp_path / "giving_up.rules").write_text(GIVING_UP, encoding="utf-8")
    game = rulescript.load(tmp_path / "giving_up.rules")
    taken = {seed: _plain_game(game, seed, None) for seed in range(12)}
    assert {taken[seed] for seed in range(3, 12, 4)} == {(9, "")}
    assert any(taken[seed][0] < 9 for seed in range(12))
