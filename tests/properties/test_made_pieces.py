"""What names of pieces mean, in games nobody thought of."""

from __future__ import annotations

from collections import Counter

import pytest

from rulescript import Game, GameInvalid, Position
from rulescript.diagnostics import Reporter
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from tests.properties.made_pieces import DAYS_FROM, PLACES, Made, Maker, Sort, called, played

# What the checker refuses where a name could not follow.
REFUSED = {"RS220", "RS221", "RS222"}


def compiled(made: Made) -> Game | None:
    reporter = Reporter()
    try:
        return compile_text(load_single(made.text(), f"pieces_{made.seed}.rules", reporter), (), "", reporter)
    except GameInvalid:
        codes = {each.code for each in reporter.diagnostics if each.is_error}
        assert codes <= REFUSED, "\n".join(map(str, reporter.diagnostics))
        return None


def pieces_of(position: Position) -> Counter[str]:
    out: Counter[str] = Counter()
    for place in PLACES.values():
        for name, many in position.value(place).items():
            out[f"{place}:{name}"] += many
    return out


def said(pieces: Counter[Sort]) -> Counter[str]:
    return Counter({called(sort): many for sort, many in pieces.items() if many})


def disagreement(seed: int) -> str | None:
    """What a game says otherwise than the model; None if nothing, "refused" if the checker refuses it."""
    made = Maker(seed).made()
    game = compiled(made)
    if game is None:
        return "refused"
    world, answers = played(made)
    position = (game.prepare() if seed % 12 == 0 else game).start(1)
    for choice, piece in answers:
        if position.decision is None:
            return f"{choice} {piece} is not asked"
        fitting = [o for o in position.decision.options if o.key.split()[0] == choice and o.key.endswith(piece)]
        if len(fitting) != 1:
            return f"{choice} {piece}: {[o.key for o in position.decision.options]}"
        position = position.choose(fitting[0])
    if position.decision is not None:
        return f"asked {position.decision.name}"
    found, wanted = pieces_of(position), said(world.pieces)
    if found != wanted:
        return f"pieces: {found - wanted} instead of {wanted - found}"
    if int(str(position.value("score"))) != world.score:
        return f"score: {position.value('score')} instead of {world.score}"
    return None


def seeds() -> list[object]:
    often = [*range(120), *range(DAYS_FROM, DAYS_FROM + 20), 5_023, 5_256]
    seldom = [*range(120, 1_500), *range(DAYS_FROM + 20, DAYS_FROM + 300)]
    return [*often, *(pytest.param(seed, marks=pytest.mark.long) for seed in seldom)]


@pytest.mark.parametrize("seed", seeds())
def test_names_mean_their_pieces(seed: int) -> None:
    found = disagreement(seed)
    if found == "refused":
        pytest.skip("the checker refuses it")
    assert found is None, f"{found}\n{Maker(seed).made().text()}"
