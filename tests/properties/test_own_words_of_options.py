"""The text and the key of every legal option are lines that choose it, in every game and every decision; so are the
texts of a whole choice over several names, of its last stage alone and of all of them joined. Whatever is chosen that
way, `why_not` calls allowed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import rulescript
from rulescript.runtime.answers import Unclear, find_answer
from rulescript.runtime.game import Game
from rulescript.runtime.position import Decision, Position

ROOT = Path(__file__).parents[2]
GAMES: list[tuple[str, tuple[str, ...]]] = [
    ("attrition_of_souls", ()),
    ("attrition_of_souls", ("fog_of_war",)),
    ("attrition_of_souls", ("event_cards",)),
    ("quartermaster_general_1914", ()),
]
GAMES += [(str(page.relative_to(ROOT)), ()) for page in sorted((ROOT / "docs/cookbook").glob("*.rules.md"))]
GAMES += [(str(page.relative_to(ROOT)), ()) for page in sorted((ROOT / "tests/slices").glob("*/*.rules.md"))]
GAMES += [(str(page.relative_to(ROOT)), ()) for page in sorted((ROOT / "tests/slices").glob("*/*.rules"))]
LOOKED_AT = 5
OPTIONS = 4
LONGEST = 160


def decision_of(position: Position) -> Decision:
    assert isinstance(position.decision, Decision)
    return position.decision


def random_positions(game: Game, random: Random) -> list[Position]:
    """Positions of one random game, from all of its course."""
    position, seen = game.start(random.randrange(1000)), []
    for _ in range(LONGEST):
        if position.decision is None:
            break
        seen.append(position.clone())
        options = decision_of(position).options
        position.choose(random.choice([o for o in options if not o.flagged] or options))
    return random.sample(seen, min(LOOKED_AT, len(seen)))


def check_options(position: Position, random: Random) -> int:
    options = decision_of(position).options
    chosen = random.sample(options, min(OPTIONS, len(options)))
    for option in chosen:
        expected = position.clone().choose(option).state_hash()
        for line in (option.text, option.key, option.text.upper()):
            assert position.clone().choose(line).state_hash() == expected, line
        for line in (option.text, option.key):
            assert position.why_not(line).allowed, line
            asked = position.clone()
            asked.ask = True
            path = find_answer(asked, line)
            assert path is not None and path[0][1] == option.raw, line
    return len(chosen)


def _last_text(position: Position) -> str:
    """The words of the answer that was given last."""
    step = list(position.history())[-1]
    return position.game.option(step.block, step.raw, step.state, offered=step.options).text


def check_wholes(position: Position, random: Random) -> int:
    """Choices over several names, through all their stages."""
    first = decision_of(position)
    if first.stage or first.selection is not None:
        return 0
    looked = 0
    for option in random.sample(first.options, min(OPTIONS, len(first.options))):
        here, texts = position.clone(), [option.text]
        here.choose(option)
        while here.decision is not None and (now := decision_of(here)).stage == len(texts):
            if (now.name, now.procedure) != (first.name, first.procedure):
                break
            following = random.choice(now.options)
            texts.append(following.text)
            here.choose(following)
        if len(texts) < 2:
            continue
        looked += 1
        joined = ", ".join(texts)
        assert position.clone().choose(joined).state_hash() == here.state_hash(), joined
        assert position.why_not(joined).allowed, joined
        try:
            end = position.clone().choose(texts[-1])
        except Unclear as problem:
            # The last stage says too little by itself: two ways are worded alike.
            assert texts[-1].casefold() in problem.message.casefold()
            continue
        assert end.state_hash() == here.state_hash() or texts[-1] == _last_text(end), texts[-1]
        assert position.why_not(texts[-1]).allowed, texts[-1]
    return looked


@pytest.mark.parametrize("where, options", GAMES, ids=lambda x: x if isinstance(x, str) else "+".join(x))
def test_an_option_is_chosen_by_its_own_words(where: str, options: tuple[str, ...]) -> None:
    known = where if "/" not in where else str(ROOT / where)
    try:
        game = rulescript.load(known, options=list(options))
    except rulescript.RulescriptError:
        pytest.skip("no game of its own")
    if not game.player_names:
        pytest.skip("nobody plays it")
    random = Random(where)
    looked = 0
    for position in random_positions(game, random):
        looked += check_options(position, random)
        check_wholes(position, random)
    assert looked
