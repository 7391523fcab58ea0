"""A seat's story is the same whatever lies hidden from it: two hidden things are exchanged, both games are played on
alike (what another does with one of the two in this game, he does with the other in the other), and the stories are
compared at every length, until one of the two comes to light or the rules themselves show a difference."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import rulescript
from rulescript.errors import RulescriptError
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position
from rulescript.story import LENGTHS
from rulescript.testing.hiding import Swap, _is_picking, _swapped, _was_shown, knows, peeking, swaps_for
from rulescript.testing.run import bare

GAMES: list[tuple[str, tuple[str, ...]]] = [
    ("attrition_of_souls", ("fog_of_war",)),
    ("attrition_of_souls", ("event_cards",)),
    ("quartermaster_general_1914", ()),
    ("imperial_tide", ()),
    ("to_the_last_man", ()),
    ("lamps_are_going_out", ()),
]
STEPS = 12
LONGEST = 400


def told_apart(game: Game, seed: int, moments: int, counts: Counter[str]) -> list[str]:
    """What stories tell of hidden things, in one random game, looked at from some moments of it."""
    random, position, found = Random(seed), game.start(seed), []
    length = len(
        [position.choose(random.choice(_usual(position))) for _ in range(400) if position.decision is not None]
    )
    at = sorted(random.sample(range(length), min(moments, length)))
    random, position = Random(seed), game.start(seed)
    for step in range(length):
        if step in at:
            found += _from_here(position, Random(step), counts)
        position.choose(random.choice(_usual(position)))
    return found


def _usual(position: Position) -> list[rulescript.Option]:
    assert position.decision is not None
    options = list(position.decision.options)
    return [option for option in options if not option.flagged] or options  # type: ignore[union-attr,return-value]


def _from_here(position: Position, random: Random, counts: Counter[str]) -> list[str]:
    game = position.game
    viewer = random.randrange(len(game.player_names))
    swaps = [swap for swap in swaps_for(game, position.s, viewer) if swap.plausible]
    found = []
    for swap in random.sample(swaps, min(2, len(swaps))):
        other = _swapped(position, swap) if not _is_picking(game, position, swap.kind) else None
        if other is not None and other.d == position.d:
            counts["pairs"] += 1
            found += _played_on((bare(position), other), viewer, swap, random, counts)
    return found


def _played_on(
    worlds: tuple[Position, Position], viewer: int, swap: Swap, random: Random, counts: Counter[str]
) -> list[str]:
    game, who = worlds[0].game, worlds[0].game.player_names[viewer]
    begun = worlds[0].steps
    for _ in range(STEPS):
        if not _answered(worlds, viewer, swap, random) or not _finished(worlds):
            return []
        if any(_came_to_light(game, each, viewer, swap) for each in worlds):
            return []
        stories = [[each.view(who).journal.story(length, since=begun) for length in LENGTHS] for each in worlds]
        counts["stories"] += len(LENGTHS)
        for one, two in zip(*stories, strict=True):
            if one != two:
                lines = [pair for pair in zip(one.split("\n"), two.split("\n"), strict=False) if pair[0] != pair[1]]
                is_named = any(word in "".join(lines[0]).casefold() for word in swap.words(game)) if lines else False
                counts["shown by the rules"] += not is_named
                return [f"{who}, {swap.names(game)}: {lines[0]}"] if is_named else []
    return []


def _answered(worlds: tuple[Position, Position], viewer: int, swap: Swap, random: Random) -> bool:
    """Answer alike in both games; False where that cannot be done."""
    here, there = worlds
    if here.d != there.d or here.decision is None or there.decision is None or here.decision.is_chance:
        return False
    if (here.decision.procedure, here.decision.name) in peeking(here.game):
        return False
    own, theirs = swap.keys(here.game)
    names = swap.names(here.game)
    other = {option.key for option in there.decision.options}
    keys = [(option.key, option.key) for option in here.decision.options if not any(n in option.key for n in names)]
    if here.decision.player_index != viewer:
        about = [option.key for option in here.decision.options if own in option.key]
        keys = [(key, key.replace(own, theirs)) for key in about] * 3 + keys
    keys = [pair for pair in keys if pair[1] in other]
    if not keys:
        return False
    one, two = random.choice(keys)
    try:
        here.choose(one)
        there.choose(two)
    except RulescriptError:
        return False
    return True


def _finished(worlds: tuple[Position, Position]) -> bool:
    """How many answers a selection took is not told: where it is over in one game, it ends in the other. False where
    the games go apart."""
    for each, other in (worlds, worlds[::-1]):
        while each.d != other.d and each.decision is not None and each.decision.stage:
            if "done" not in [option.key for option in each.decision.options]:
                return False
            each.choose("done")
    return worlds[0].d == worlds[1].d


def _came_to_light(game: Game, position: Position, viewer: int, swap: Swap) -> bool:
    if _was_shown(game, position, viewer, swap):
        return True
    if swap.is_pieces:
        return any(position.s[slot] != position._tip.state[slot] for slot in swap.slots)  # type: ignore[union-attr]
    return any(knows(game, position.s, swap.kind, item, (viewer,)) for item in swap.items)


@pytest.mark.parametrize("where, options", [GAMES[0], GAMES[3]], ids=lambda x: x if isinstance(x, str) else "+".join(x))
def test_the_story_of_a_seat_does_not_tell_what_is_hidden_from_it(where: str, options: tuple[str, ...]) -> None:
    counts: Counter[str] = Counter()
    assert told_apart(rulescript.load(where, options=list(options)), 1, 6, counts) == []
    assert counts["stories"], counts


@pytest.mark.long
@pytest.mark.parametrize("where, options", GAMES, ids=lambda x: x if isinstance(x, str) else "+".join(x))
def test_no_story_of_many_games_tells_what_is_hidden(where: str, options: tuple[str, ...]) -> None:
    counts: Counter[str] = Counter()
    game = rulescript.load(where, options=list(options))
    assert [told for seed in range(6) for told in told_apart(game, seed, 25, counts)] == []
    assert counts["stories"] > 50, counts
