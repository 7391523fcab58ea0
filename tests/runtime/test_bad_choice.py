"""What `choose` refuses, it refuses with reasons, and with no more than the player who decides may know."""

from __future__ import annotations

import pickle
import time
from pathlib import Path

import pytest

import rulescript
from rulescript.runtime.game import Game

GAME = """\
rulescript 1
game "Fords"
rulebook "Fords"
    2.1  constraint  "Own units"
    2.2  constraint  "Roads"
    3    section     "Cards"
    3.1  constraint  "Only what one can pay for"
kind Side
    state gold: int = 1
    holds box: Unit
    holds hand: Card, visible to it, count to others
    holds played: Card
kind Card: side: Side, cost: int
    home side.hand
kind Town
    holds units: Unit
pieces Unit: side: Side
    home side.box
things
    Side North
    Side South
    Unit Northern  North, 3
    Unit Southern  South, 3
    Card Raid   North, cost 1
    Card Siege  North, cost 2
    Card Feint  South, cost 1
players Side
map Land
    link road
    Town Mill
    Town Ford
    Town Peak
    road Mill - Ford - Peak
state active: Side
phase set_out
    place 2 Northern in Mill
    place 1 Southern in Peak
    place 1 Southern in Mill
phase movement
    choose march: u in Town.units, t in Town "March {u} to {t}"
        require u.side == active "your own"     §2.1
        require t in u.place.road "no road"     §2.2
        move u to t
    or pass
phase cards
    may choose play_card: c in Card "Play {c}"  §3
        require c in active.hand "in your hand"  §3
        require c.cost <= active.gold "too dear"  §3.1
        move c to active.played
sequence
    set_out
    for active in Side
        movement
        cards
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    where: Path = tmp_path_factory.mktemp("fords") / "fords.rules"
    where.write_text(GAME, encoding="utf-8")
    return rulescript.load(where)


def refused(game: Game, answer: object, *before: str) -> rulescript.BadChoice:
    position = game.start()
    for words in before:
        position.choose(words)
    state = position.state_hash()
    with pytest.raises(rulescript.BadChoice) as problem:
        position.choose(answer)  # type: ignore[arg-type]
    assert position.state_hash() == state
    return problem.value


def test_words_that_break_a_rule_are_told_the_rule(game: Game) -> None:
    problem = refused(game, "march Northern to Peak")
    assert problem.refusal is not None and problem.refusal.cites == ("2.2",)
    assert "Peak is not linked to Mill (no road) §2.2" in str(problem)
    assert problem.message.startswith("`march Northern to Peak` is not among the options (")


def test_an_option_of_another_position_is_told_why_it_is_none_now(game: Game) -> None:
    position = game.start().choose("march Northern to Ford").choose("pass")
    assert position.decision is not None
    stale = next(o for o in position.decision.options if "South" in o.key)
    problem = refused(game, stale)
    assert "§2.1" in str(problem) and "your own" in str(problem)


def test_the_reasons_are_those_of_the_moment_it_was_tried(game: Game) -> None:
    position = game.start()
    with pytest.raises(rulescript.BadChoice) as caught:
        position.choose("march Northern to Peak")
    position.choose("march Northern to Ford")
    assert "not linked to Mill" in str(caught.value)


def test_what_names_nothing_has_no_reasons_below_it(game: Game) -> None:
    problem = refused(game, "march the queen")
    assert str(problem) == problem.message


def test_what_fits_several_answers_is_no_matter_of_rules(game: Game) -> None:
    problem = refused(game, "march Southern to Ford", "pass", "decline")
    assert "could mean" in str(problem) and problem.refusal is None


def test_a_card_in_another_hand_is_not_betrayed(game: Game) -> None:
    """Whose hand holds a card, and what lies there, is not told by a refusal."""
    own = refused(game, "play Siege", "pass")
    assert "§3.1" in str(own) and "too dear" in str(own)
    theirs = refused(game, "play Feint", "pass")
    assert "South" not in str(theirs) and "gold" not in str(theirs) and "cost" not in str(theirs)


def test_a_refusal_survives_pickling_with_its_reasons(game: Game) -> None:
    problem = refused(game, "march Northern to Peak")
    again = pickle.loads(pickle.dumps(problem))
    assert str(again) == str(problem) and again.refusal == problem.refusal


@pytest.mark.parametrize(
    "line", [" ".join("1234567890" * 45), "march " * 160, "1, " * 300, "march Northern to Ford, " * 40]
)
def test_a_long_line_is_looked_at_for_a_while_and_no_longer(game: Game, line: str) -> None:
    """Whoever writes lines does not keep the table waiting, in however many ways their words could be shared."""
    position = game.start()
    begun = time.monotonic()
    with pytest.raises(rulescript.BadChoice):
        position.choose(line)
    assert not position.why_not(line).allowed
    assert time.monotonic() - begun < 20


def test_a_line_without_end_is_no_answer(game: Game) -> None:
    position = game.start()
    line = "march Northern to Ford " * 100_000
    with pytest.raises(rulescript.BadChoice, match="more than 1,000 letters"):
        position.choose(line)
    assert "more than 1,000 letters" in position.why_not(line).summary
    assert position.choose("march Northern to Ford" + " " * 2_000).steps == 1
