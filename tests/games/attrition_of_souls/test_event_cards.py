"""Event cards in play: every card does its work in random games, hands stay hidden, nothing is lost.

What a single card does and may not do is pinned by examples (games/attrition_of_souls/examples); here whole games
are played, steered so that cards are played whenever they can be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from random import Random

import pytest

import rulescript
from rulescript.claims import GameSource, run_example
from rulescript.explain.evaluate import evaluate_text, evaluator_of
from rulescript.model.ir import X
from rulescript.runtime.game import Game
from rulescript.runtime.position import Decision, Option, Position

ALL_OPTIONS = [
    "tanks", "elite_infantry", "air_reserves", "fog_of_war", "variable_entry", "event_cards", "mulligans", "trenches",
    "generals", "ruhr",
]  # fmt: skip

# Random play lets Russia surrender in 1914, and then little happens in the east.
NEVER = {"surrender"}
# How often the Central Powers and the Entente decline, or end a phase, when they could do something. A busy side wins
# early, before the cards of 1918; an idle one seldom fights.
IDLE = ((0.2, 0.2), (0.2, 0.4), (0.3, 0.3))

# How one can tell that a card has done its work: a choice that was made in somebody's turn, or something that is so.
BY_CHOICE = {
    "EP_Poison_Gas": ("Entente", "poison_gas"),
    "Gallipoli_Landing": ("Entente", "land_in_istanbul"),
    "Lawrence_of_Arabia": ("Entente", "draw_off"),
    "They_Shall_Not_Pass": ("Entente", "hold"),
    "Fresh_Troops": ("Entente", "double_dice"),
    "CP_Poison_Gas": ("Central_Powers", "poison_gas"),
    "Hutier_Tactics": ("Central_Powers", "double_dice"),
    "Operation_Albion": ("Central_Powers", "land_in_petrograd"),
    "Lion_of_Africa": ("Central_Powers", "draw_off"),
    "Hindenburg_Line": ("Central_Powers", "fortify"),
    "The_Flying_Circus": ("Central_Powers", "shoot_down"),
    "Mata_Hari": ("Entente", "betray"),
}
BY_FACT = {
    "Creeping_Barrage": "active == Entente and Creeping_Barrage in Entente.events_in_play"
    " and (some r in Region: some r.tiles[side == Entente] and barrage_guns(r) > 0 and wasted_twos(r) > 0)",
    "Sinking_of_the_Lusitania": "turn < Fall_1916 and count(Entente.set_aside[nation == USA]) < 8",
    "German_Revolution": "revolution_in_berlin and active == Central_Powers and Berlin.control == contested",
    "EP_Expeditionary_Force": "active == Entente and some Region.tiles[sent_abroad]",
    "Blockade": "some Central_Powers.out_of_the_game",
    "Unrestricted_Submarine_Warfare": "active == Entente and London.control == Entente"
    " and Unrestricted_Submarine_Warfare in Central_Powers.events_in_play and some Entente.reserves[nation == Britain]",
    "French_Army_Mutinies": "active == Entente and French_Army_Mutinies in Central_Powers.events_in_play"
    " and some Paris.tiles[nation == France]",
    "CP_Expeditionary_Force": "active == Central_Powers and some Region.tiles[sent_abroad]",
}


class Facts:
    """Conditions in the words of the game, read once."""

    def __init__(self, game: Game) -> None:
        self.evaluator = evaluator_of(game)
        self.read: dict[str, X] = {}

    def hold(self, position: Position, text: str) -> bool:
        if text not in self.read:
            self.read[text] = self.evaluator.read(text)
        return self.evaluator.holds(self.read[text], position.s)


@pytest.fixture(scope="module")
def game() -> Game:
    return rulescript.load("attrition_of_souls", options=["event_cards"])


def steered(decision: Decision, rng: Random, idleness: tuple[float, float], wanted: Collection[str]) -> Option:
    """Random, but busy: most of what can be done is done. Cards that are wanted are kept, and played before others;
    none is always played at the first chance."""
    idle = [option for option in decision.options if option.label in ("pass", "stop")]
    busy = [option for option in decision.options if option not in idle and option.label not in NEVER]
    if decision.name in ("keep", "play_event"):
        busy = [option for option in busy if option.key.partition("=")[2] in wanted] or busy
    patience = 0.6 if decision.name == "play_event" else idleness[decision.player == "Entente"]
    return rng.choice(idle if idle and (not busy or rng.random() < patience) else busy)


def played(
    game: Game, seed: int, *, journal: bool = False, wanted: Collection[str] = ()
) -> Iterator[tuple[Position, Option]]:
    """A game, decision by decision (also where there is only one answer), with what is going to be chosen."""
    rng = Random(seed)
    position = game.start(seed=seed, journal=journal, ask=True)
    while position.decision is not None:
        option = steered(position.decision, rng, IDLE[seed % 3], wanted)
        yield position, option
        position.choose(option)


def test_the_cards_of_the_witnesses_are_all_there_are(game: Game) -> None:
    assert set(BY_CHOICE) | set(BY_FACT) == set(game.data.kinds["EventCard"].names)
    assert not set(BY_CHOICE) & set(BY_FACT)


@pytest.mark.long
def test_every_card_does_its_work_in_random_games(game: Game) -> None:
    facts = Facts(game)
    missing = set(BY_CHOICE) | set(BY_FACT)
    for seed in range(400):
        for position, option in played(game, seed, wanted=missing):
            for card in missing & set(BY_CHOICE):
                side, label = BY_CHOICE[card]
                if option.label == label and facts.hold(position, f"active == {side}"):
                    missing.discard(card)
            missing -= {card for card in missing & set(BY_FACT) if facts.hold(position, BY_FACT[card])}
        if not missing:
            return
    raise AssertionError(f"never seen at work: {sorted(missing)}")


@pytest.mark.parametrize("options", [["event_cards"], ALL_OPTIONS], ids=["cards alone", "all options"])
def test_the_invariants_hold_in_busy_games(options: list[str]) -> None:
    """The conformance kit looks at them in quieter games."""
    game = rulescript.load("attrition_of_souls", options=options)
    titles = [info.title for info in game.data.invariants]
    broken: list[str] = []

    def look(position: Position, scope: str) -> None:
        broken.extend(f"{titles[at]} at the end of {scope}" for at in game.check_invariants(position, "end", scope))

    for seed in range(100, 112):
        for position, _ in played(game, seed):
            position.watch = look
            broken += [titles[at] for at in game.check_invariants(position, "decision")]
            assert broken == [], f"seed {seed}"


def test_cards_are_played_one_a_turn_and_then_gone(game: Game) -> None:
    """Four cards for the game: what was played is used up when its time is over, and never comes back."""
    for seed in range(8):
        plays: dict[tuple[str, str], list[str]] = {}
        for position, option in played(game, seed):
            if option.label == "play_event":
                when = (str(evaluate_text(position, "label(turn)")), position.decision.player)  # type: ignore[union-attr]
                plays.setdefault(when, []).append(option.text)
        assert all(len(cards) == 1 for cards in plays.values())
        for side in ("Central_Powers", "Entente"):
            cards = [card for (_, player), (card,) in plays.items() if player == side]
            assert len(cards) == len(set(cards)) <= 4
            assert evaluate_text(position, f"count({side}.event_hand)") == 4 - len(cards)


# --- What the other player sees ------------------------------------------------------------------------------


def test_a_view_names_no_card_of_the_enemy(game: Game) -> None:
    """In no view, at no decision, does a card appear that its viewer cannot know."""
    facts = Facts(game)
    looked = 0
    for position, _ in played(game, 5, journal=True):
        for viewer, enemy in (("Entente", "Central_Powers"), ("Central_Powers", "Entente")):
            text = position.view(viewer).to_json()
            for card in game.data.kinds["EventCard"].names:
                where = f"{card} in {enemy}.event_hand or {card} in {enemy}.events_aside or {card} in Side.event_deck"
                if facts.hold(position, where):
                    assert card not in text and card.replace("_", " ") not in text
                    looked += 1
    assert looked > 1000


# --- Other readings ------------------------------------------------------------------------------------------

OTHER_READINGS = """\
rulescript 1

game "An Attrition of Souls, read otherwise", version "1"
    builds on attrition_of_souls

rulebook "House rules"
    H1  reading  "Any number for the Line"
    H2  reading  "Landings in neutral countries"
    H3  reading  "No card without effect"

with event_cards
    replace function the_line_takes_two() -> bool  §H1
        no
    exception to declare_war.land_in_istanbul "the Ottoman Empire is at war"  §H2
    restrict play_event.play_event  §H3
        require c != Lion_of_Africa or some Region.tiles[nation == Britain] "nobody to draw off"
    example "One tile for the Line"  §H1
        given empty, turn Spring_1917, active Central_Powers, run Hindenburg_Line.resolve
            Central_Powers.destroyed: 2 German infantry, 1 German airplane
            Belgium: contested control, 1 German infantry, 1 French infantry
        play
            Central_Powers: send German tiles to Belgium
            Central_Powers: bring back 1 German airplane
        expect
            Belgium has exactly 1 German airplane, 1 German infantry, 1 French infantry
    example "A landing in a neutral country"  §H2
        given empty, turn Spring_1915, active Entente, at declare_war
            Entente: events_in_play: Gallipoli Landing
            Entente.reserves: 1 British infantry
        try land British infantry in Istanbul -> allowed
    example "No card without effect"  §H3
        given empty, turn Spring_1915, active Central_Powers, at play_event
            Central_Powers: event_hand: Lion of Africa, Poison Gas
        try play Lion of Africa -> refused by §H3
        try play Poison Gas -> allowed
        case "with a target": but London: 1 British infantry
            try play Lion of Africa -> allowed
"""


def test_a_variant_can_choose_other_readings(tmp_path: Path) -> None:
    folder = tmp_path / "otherwise"
    folder.mkdir()
    (folder / "game.rules").write_text(OTHER_READINGS, encoding="utf-8")
    source = GameSource.load(folder)
    own = [found for found in source.found() if found.example.span.source.name.endswith("otherwise/game.rules")]
    results = [result for found in own for result in run_example(source, found)]
    assert len(results) == 4
    assert [str(result) for result in results if not result.ok] == []
