"""The second slice: battles as exchanges of cards, hidden hands, reactions, recursion.

Positions are arranged by hand (`arrange`), then driven by the words of the options, as a player at a
terminal would. The rulebook's two long examples also stand in the game itself, as claims.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript.claims.run import GameSource, run_examples
from rulescript.runtime.game import Game
from rulescript.runtime.position import Decision, Position
from rulescript.testing import run_conformance

FOLDER = Path(__file__).parent / "card_exchange"
POWERS = ("AH", "RU", "GE", "FR", "UK")


@pytest.fixture(scope="module")
def game() -> Game:
    return rulescript.load(FOLDER)


# ------------------------------------------------------------------ arranging and looking


def slot_of(game: Game, place: str) -> int:
    """The slot of a place by its name (`GE.hand`, `Serbia.pieces`)."""
    return next(slot for slot in game.values.places if game.values.place_name(slot) == place)


def put_cards(game: Game, S: list[Any], place: str, names: Sequence[str]) -> None:
    """Move cards by name; into an ordered place, the first on top."""
    info = game.data.kinds["Card"]
    for name in names:
        card, at = info.names.index(name), info.loc + info.names.index(name)
        for slot, put in ((S[at], False), (slot_of(game, place), True)):
            if game.values.places[slot][0].is_ordered:
                S[slot] = (*S[slot], card) if put else tuple(i for i in S[slot] if i != card)
            else:
                S[slot] = S[slot] | 1 << card if put else S[slot] & ~(1 << card)
            S[at] = slot


def arrange(
    game: Game,
    pieces: Mapping[str, Sequence[str]],
    cards: Mapping[str, Sequence[str]],
    *,
    active: str,
    at: str = "turn",
    **vp: int,
) -> Position:
    """A position with these pieces (type -> spaces) and cards (place -> names), at the beginning of a phase.

    Cards that are not named stay in their decks, pieces that are not named in their stocks."""
    position = game.empty(seed=1)
    S = position.s
    info = game.data.kinds["Piece"]
    for kind, spaces in pieces.items():
        code = info.names.index(kind)
        unit = 1 << info.fields[code][0]
        for space in spaces:
            S[info.homes[code]] -= unit
            S[slot_of(game, f"{space}.pieces")] += unit
    for place, names in cards.items():
        put_cards(game, S, place, names)
    states = {(s.kind, s.name): s.slot for s in game.data.states}
    S[states["", "active"]] = POWERS.index(active)
    for team, points in vp.items():
        S[states["Team", "vp"] + ["Central", "Entente"].index(team)] = points
    position.run(game.code["B"][game.data.phase_entries[at]])
    return position


def asked(position: Position) -> Decision:
    decision = position.decision
    assert isinstance(decision, Decision)
    return decision


def texts(position: Position) -> list[str]:
    """What is offered now, without what may be done at any time."""
    return [o.text for o in asked(position).options if not o.flagged]


def play(position: Position, *answers: str) -> None:
    """Answers as `Power: words`; each must be for the one who is asked."""
    for answer in answers:
        who, _, words = answer.partition(": ")
        assert asked(position).player == who, f"{asked(position)} at {answer!r}"
        position.choose(words)


def held(position: Position, place: str) -> dict[str, int]:
    return dict(position.value(place))


def count(position: Position, place: str) -> int:
    return sum(held(position, place).values())


def discards(position: Position, power: str) -> list[str]:
    """Names of discarded cards, the top first."""
    slot = slot_of(position.game, f"{power}.discards")
    return [position.game.data.kinds["Card"].names[i] for i in position.s[slot]]


# ------------------------------------------------------------------ the opening


def test_setup_5_ten_are_drawn_and_three_put_back(game: Game) -> None:
    """Every power sees ten cards and puts three of them, one by one, under its deck."""
    position = game.start(seed=4)
    assert asked(position).player == "AH" and count(position, "AH.hand") == 10
    deck = count(position, "AH.deck")
    for number in range(3):
        chosen = asked(position).options[0]
        position.choose(chosen)
        bottom = position.s[slot_of(game, "AH.deck")][-1]
        assert chosen.key == f"put_back c={game.data.kinds['Card'].names[bottom]}"
        assert count(position, "AH.deck") == deck + number + 1
    assert count(position, "AH.hand") == 7 and asked(position).player == "RU"


def test_copies_are_one_option(game: Game) -> None:
    """Of several copies of a card in one hand only one is offered."""
    copies = [f"German_Land_Battle_{n}" for n in (1, 2, 3)]
    position = arrange(game, HOMES, {"GE.hand": copies}, active="GE", at="play_step")
    assert texts(position) == ["Play Land Battle", "Decline"]


# ------------------------------------------------------------------ QX1: Franz Ferdinand Avenged

HOMES = {
    "Austria_Hungary_army": ["Vienna", "Budapest"],
    "Russia_army": ["Moscow", "Serbia"],
    "Germany_army": ["Berlin", "Western_Germany"],
    "France_army": ["Paris", "Burgundy"],
    "United_Kingdom_army": ["Britain"],
    "United_Kingdom_navy": ["North_Atlantic"],
}
AUSTRIAN_HAND = [
    "Franz_Ferdinand_Avenged", "Austrian_Build_Army_1", "Austrian_Land_Battle_2", "Royal_Hungarian_Honved",
    "Soviets_of_Petrograd", "The_October_Revolution", "Brudermann_Orders_Cavalry_Charge",
]  # fmt: skip


def serbia(game: Game, **cards: Sequence[str]) -> Position:
    placed: dict[str, Sequence[str]] = {
        "AH.hand": AUSTRIAN_HAND,
        "AH.prepared": ["Austrian_Land_Battle_1", "Morava_Offensive"],
        "RU.hand": ["Russian_Land_Battle_1", "Rasputin", "Cossacks"],
        "RU.prepared": ["Russian_Build_Army_1", "Montenegro"],
    }
    placed.update({place.replace("_", ".", 1): names for place, names in cards.items()})
    pieces = {
        **HOMES,
        "Austria_Hungary_army": ["Vienna", "Galicia", "Budapest"],
        "Russia_army": ["Moscow", "Ukraine", "Serbia"],
    }
    return arrange(game, pieces, placed, active="AH")


def test_QX1_franz_ferdinand_avenged(game: Game) -> None:
    """The whole turn of the printed example, with the cards in hand counted at every step."""
    position = serbia(game)
    play(position, "AH: Give up two cards and search your deck for a Build card")
    play(position, "AH: Give up Land Battle", "AH: Give up Soviets of Petrograd", "AH: Draft Build Army")
    assert count(position, "AH.hand") == 6  # QX1-1
    play(position, "AH: Play Franz Ferdinand Avenged", "AH: Give up The October Revolution")
    play(position, "AH: battle Serbia", "AH: Give up Brudermann Orders Cavalry Charge")
    assert count(position, "AH.hand") == 3  # QX1-2
    assert discards(position, "AH")[0] == "Franz_Ferdinand_Avenged"
    assert discards(position, "AH")[-1] == "Brudermann_Orders_Cavalry_Charge"
    assert texts(position) == [
        "Reinforce with Montenegro",
        "Let the space go",
    ]  # QX1-3, the Build Army is no help
    play(position, "RU: Reinforce with Montenegro")
    assert discards(position, "RU") == ["Montenegro"]
    play(position, "AH: Sustain with Land Battle", "AH: Give up Build Army")
    assert count(position, "AH.hand") == 2  # QX1-4
    assert texts(position) == ["Let the space go"]  # QX1-5: asked all the same
    play(position, "RU: Let the space go")
    assert held(position, "Serbia.pieces") == {}
    play(position, "AH: Build in Serbia")  # QX1-6
    assert held(position, "Serbia.pieces") == {"Austria_Hungary_army": 1}
    play(position, "AH: wear_down Morava Offensive against Russians")
    assert discards(position, "AH")[0] == "Morava_Offensive"
    play(position, "RU: Lose Rasputin from your hand")  # QX1-7
    assert discards(position, "RU") == ["Montenegro", "Rasputin"]
    play(position, "AH: Prepare Build Army")  # QX1-8
    assert count(position, "AH.hand") == 1
    play(position, "AH: Draw 5")  # QX1-9
    assert count(position, "AH.hand") == 6 and asked(position).player == "RU"


def test_cx_2_the_second_benefit_without_the_first(game: Game) -> None:
    """With Serbia empty one may leave out the battle and simply build."""
    pieces = {**HOMES, "Russia_army": ["Moscow"]}
    position = arrange(game, pieces, {"AH.hand": AUSTRIAN_HAND[:2]}, active="AH", at="play_step")
    play(position, "AH: Play Franz Ferdinand Avenged", "AH: Build in Serbia")
    assert held(position, "Serbia.pieces") == {"Austria_Hungary_army": 1}


def test_Amb_18_a_card_whose_requirement_cannot_be_met_is_not_offered(game: Game) -> None:
    position = arrange(game, HOMES, {"AH.hand": AUSTRIAN_HAND[:1]}, active="AH", at="play_step")
    assert texts(position) == ["Decline"]


def test_diff_1_difficult_ground_needs_a_card_in_hand(game: Game) -> None:
    """The card asks for one and the ground for another: with one left there is no battle."""
    position = arrange(game, HOMES, {"AH.hand": AUSTRIAN_HAND[:2]}, active="AH", at="play_step")
    play(position, "AH: Play Franz Ferdinand Avenged")
    assert held(position, "Serbia.pieces") == {"Russia_army": 1} and asked(position).procedure != "attack"


# ------------------------------------------------------------------ QX2: Schlieffen Plan


def west(game: Game, **cards: Sequence[str]) -> Position:
    placed: dict[str, Sequence[str]] = {
        "GE.hand": ["Schlieffen_Plan", "German_Land_Battle_3", "German_Build_Army_1", "Zeppelins"],
        "GE.prepared": ["German_Land_Battle_1", "German_Land_Battle_2"],
        "GE.in_play": ["Stosstruppen"],
        "FR.prepared": ["Paris_Taxis", "La_Revanche"],
        "UK.prepared": ["British_Build_Army_1"],
    }
    placed.update({place.replace("_", ".", 1).replace("in.play", "in_play"): names for place, names in cards.items()})
    pieces = {
        **HOMES,
        "Germany_army": ["Berlin", "Prussia", "Western_Germany", "Belgium"],
        "United_Kingdom_army": ["Britain", "Picardy"],
        "United_Kingdom_navy": ["English_Channel", "North_Atlantic"],
    }
    return arrange(game, pieces, placed, active="GE", at="play_step")


def test_QX2_schlieffen_plan_and_la_revanche(game: Game) -> None:
    """Event, battle, build, trigger, battle, counterattack: three battles deep in one card."""
    position = west(game)
    play(position, "GE: Play Schlieffen Plan", "GE: Prepare Land Battle")
    assert count(position, "GE.prepared") == 3  # QX2-1
    play(position, "GE: battle Picardy")
    play(position, "UK: Reinforce with Build Army", "GE: Sustain with Land Battle")
    assert held(position, "Picardy.pieces") == {}  # QX2-2
    play(position, "GE: Build in Picardy")  # QX2-3
    play(position, "GE: storm Land Battle, Paris from Picardy")
    assert discards(position, "GE")[:2].count("German_Land_Battle_2") == 1  # QX2-4: spent face up
    assert texts(position) == ["Reinforce with Paris Taxis", "Let the space go"]
    play(position, "FR: Reinforce with Paris Taxis")
    assert texts(position) == ["Give up the battle"]  # QX2-5: one sustain is not enough
    play(position, "GE: Give up the battle")
    assert held(position, "Paris.pieces") == {"France_army": 1}
    play(position, "FR: Counterattack Picardy with La Revanche")
    assert texts(position) == ["Let the space go"]  # QX2-6
    play(position, "GE: Let the space go")
    assert held(position, "Picardy.pieces") == {}
    assert discards(position, "FR")[0] == "La_Revanche"
    assert asked(position).phase == "attrition_step" and asked(position).player == "GE"


def test_status_1_stosstruppen_works_only_from_the_table_and_once_a_turn(game: Game) -> None:
    """In hand it does nothing; on the table it answers one build of a turn, not two."""
    position = west(game, GE_in_play=[], UK_prepared=[])
    play(
        position,
        "GE: Play Schlieffen Plan",
        "GE: Prepare Land Battle",
        "GE: battle Picardy",
        "GE: Build in Picardy",
    )
    assert asked(position).phase == "attrition_step"
    used = next(s for s in game.data.states if s.name.startswith("used built") and "Stosstruppen" in s.name)
    position = west(game, UK_prepared=[])
    play(position, "GE: Play Schlieffen Plan", "GE: Decline", "GE: battle Picardy", "GE: Build in Picardy")
    assert not position.s[used.slot]
    play(position, "GE: storm Land Battle, Burgundy from Picardy")
    assert position.s[used.slot]
    while position.value("active") == "GE":
        assert position.s[used.slot]
        position.choose(texts(position)[-1])
    assert not position.s[used.slot]


def test_ptext_2_the_place_limit_binds_a_card_that_is_spent(game: Game) -> None:
    """prep-3: Schlieffen Plan, prepared, pays for a storm of Paris but not of Burgundy."""
    pieces = {**HOMES, "Germany_army": ["Berlin", "Western_Germany", "Belgium"]}
    cards = {
        "GE.hand": ["German_Build_Army_1", "Zeppelins"],
        "GE.prepared": ["Schlieffen_Plan"],
        "GE.in_play": ["Stosstruppen"],
    }
    position = arrange(game, pieces, cards, active="GE", at="play_step")
    play(position, "GE: Play Build Army", "GE: Build in Picardy")
    assert texts(position) == ["Storm: Schlieffen Plan", "Decline"]
    position.choose("storm card=Schlieffen_Plan")
    assert texts(position) == ["Stosstruppen: battle Paris from Picardy"]


# ------------------------------------------------------------------ the exchange


def line(game: Game, **cards: Sequence[str]) -> Position:
    """Belgium is held by France and the United Kingdom; Germany attacks it from Western Germany."""
    placed: dict[str, Sequence[str]] = {"GE.hand": ["German_Land_Battle_5", "German_Build_Army_1"]}
    placed.update({place.replace("_", ".", 1).replace("in.play", "in_play"): names for place, names in cards.items()})
    pieces = {
        **HOMES,
        "France_army": ["Paris", "Picardy", "Belgium"],
        "United_Kingdom_army": ["Britain", "Belgium"],
        "United_Kingdom_navy": ["North_Atlantic", "English_Channel"],
    }
    position = arrange(game, pieces, placed, active="GE", at="play_step")
    play(position, "GE: Play Land Battle", "GE: battle Belgium")
    return position


def test_res_4_any_one_of_the_teammates_pays(game: Game) -> None:
    """France is asked first and declines; the United Kingdom's card saves both Armies."""
    position = line(game, FR_prepared=["French_Build_Army_1"], UK_prepared=["British_Build_Army_1"])
    assert texts(position) == ["Reinforce with Build Army", "Let the space go"]
    play(position, "FR: Let the space go", "UK: Reinforce with Build Army")
    assert held(position, "Belgium.pieces") == {"France_army": 1, "United_Kingdom_army": 1}
    assert discards(position, "UK") == ["British_Build_Army_1"] and discards(position, "FR") == []


def test_battle_3_all_enemy_pieces_go(game: Game) -> None:
    """When nobody reinforces every enemy piece is removed, and is available again."""
    position = line(game)
    assert held(position, "Belgium.pieces") == {}
    assert held(position, "France.stock") == {"France_army": 4, "France_navy": 2}


@pytest.mark.parametrize(
    ("reinforce", "left", "can_hold"),
    [
        # QX-cum a: R1 then S2 leaves two symbols to find; one single card is not enough, two are.
        (["French_Build_Army_1"], ["French_Build_Army_2"], False),
        (["French_Build_Army_1"], ["French_Build_Army_2", "French_Build_Army_3"], True),
        # b: R2 then S2 leaves one.
        (["Paris_Taxis"], ["French_Build_Army_1"], True),
    ],
)
def test_QX_cum_symbols_add_up(game: Game, reinforce: list[str], left: list[str], can_hold: bool) -> None:
    """The totals of the whole battle count, and who cannot reach the other side may spend nothing."""
    pieces = {
        **HOMES,
        "Germany_army": ["Berlin", "Western_Germany", "Belgium"],
        "France_army": ["Paris", "Picardy"],
    }
    cards = {
        "GE.hand": ["German_Land_Battle_5"],
        "GE.prepared": ["Prussian_Military_Tradition"],
        "FR.prepared": [*reinforce, *left],
    }
    position = arrange(game, pieces, cards, active="GE", at="play_step")
    play(position, "GE: Play Land Battle", "GE: battle Picardy")
    name = game.data.kinds["Card"].labels[game.data.kinds["Card"].names.index(reinforce[0])]
    play(position, f"FR: Reinforce with {name}", "GE: Sustain with Prussian Military Tradition")
    assert (len(texts(position)) > 1) == can_hold
    if can_hold:
        play(position, *["FR: Reinforce with Build Army"] * len(left))
        assert held(position, "Picardy.pieces") == {"France_army": 1}
    else:
        play(position, "FR: Let the space go")
        assert held(position, "Picardy.pieces") == {}
        assert left[0] in held(position, "FR.prepared")


def test_diff_6_each_sustain_on_difficult_ground_costs_a_card(game: Game) -> None:
    """Two symbols are needed: with one card in hand a single sustain is of no use, the double is."""
    pieces = {**HOMES, "France_army": ["Paris", "Burgundy"]}
    cards = {
        "GE.hand": ["German_Land_Battle_5", "German_Build_Army_1", "Zeppelins"],
        "GE.prepared": ["German_Land_Battle_1", "German_Land_Battle_2", "Prussian_Military_Tradition"],
        "FR.prepared": ["Paris_Taxis"],
    }
    position = arrange(game, pieces, cards, active="GE", at="play_step")
    play(position, "GE: Play Land Battle", "GE: battle Burgundy", "GE: Give up Zeppelins")
    play(position, "FR: Reinforce with Paris Taxis")
    assert count(position, "GE.hand") == 1
    assert texts(position) == ["Sustain with Prussian Military Tradition", "Give up the battle"]
    refusal = str(position.why_not("sustain Land Battle"))
    assert "Q-Amb-5" in refusal


def test_supply_5_losing_the_home_army_cuts_everything(game: Game) -> None:
    """Without an Army of its own at home nothing is supplied: no build but at home, no battle."""
    pieces = {**HOMES, "Germany_army": ["Western_Germany", "Belgium"]}
    cards = {"GE.hand": ["German_Build_Army_1", "German_Land_Battle_1"]}
    position = arrange(game, pieces, cards, active="GE", at="play_step")
    play(position, "GE: Play Build Army")
    assert texts(position) == ["Build in Berlin", "Decline"]
    position = arrange(game, pieces, cards, active="GE", at="play_step")
    play(position, "GE: Play Land Battle")
    assert asked(position).phase == "attrition_step" or asked(position).phase == "prepare_step"


# ------------------------------------------------------------------ counterattacks


def test_Amb_6_a_counterattack_of_a_counterattack(game: Game) -> None:
    """Three battles inside each other, each with totals of its own, and each goes on where it was left."""
    pieces = {
        **HOMES,
        "Austria_Hungary_army": ["Vienna", "Budapest", "Galicia"],
        "Russia_army": ["Moscow", "Ukraine"],
    }
    cards = {
        "RU.hand": ["Russian_Land_Battle_1"],
        "RU.prepared": ["Cossacks", "Russian_Build_Army_1"],
        "AH.prepared": ["Brudermann_Orders_Cavalry_Charge", "Austrian_Build_Army_1"],
    }
    position = arrange(game, pieces, cards, active="RU", at="play_step")
    play(position, "RU: Play Land Battle", "RU: battle Galicia", "AH: Reinforce with Build Army")
    play(position, "RU: Give up the battle", "AH: Counterattack Ukraine with Brudermann Orders Cavalry Charge")
    assert position.value("held") == "0" and position.value("pressed") == "0"
    play(position, "RU: Reinforce with Build Army")
    # AH has no prepared cards left, as everybody can see, so it is not asked to sustain.
    play(position, "RU: Counterattack Galicia with Cossacks")
    assert held(position, "Galicia.pieces") == {}
    assert held(position, "Ukraine.pieces") == {"Russia_army": 1}
    assert asked(position).phase != "play_step" and position.value("held") == "0"


def test_ca_3_an_army_out_of_supply_does_not_strike_back(game: Game) -> None:
    pieces = {**HOMES, "Austria_Hungary_army": ["Vienna", "Budapest"]}
    cards = {
        "AH.hand": ["Austrian_Land_Battle_1", "Soviets_of_Petrograd"],
        "RU.prepared": ["Montenegro", "Cossacks"],
    }
    position = arrange(game, pieces, cards, active="AH", at="play_step")
    play(position, "AH: Play Land Battle", "AH: battle Serbia")
    play(position, "RU: Reinforce with Montenegro")
    assert texts(position) == ["No counterattack"]


# ------------------------------------------------------------------ reactions


def test_mustard_gas_and_the_red_baron_answer_the_same_signal(game: Game) -> None:
    """Both may be used, in any order, each once a turn; the defender gives up a card nobody sees."""
    position = line(
        game,
        GE_in_play=["Mustard_Gas", "The_Red_Baron"],
        FR_prepared=["French_Build_Army_1", "Armee_d_Afrique"],
    )
    assert texts(position) == [
        "Mustard Gas against French", "Mustard Gas against British",
        "The Red Baron against French", "The Red Baron against British", "Decline",
    ]  # fmt: skip
    deck = count(position, "UK.deck")
    play(position, "GE: The Red Baron against British")
    assert count(position, "UK.deck") == deck - 1
    play(position, "GE: Mustard Gas against French", "FR: Give up Armée d'Afrique")
    assert held(position, "FR.prepared") == {"French_Build_Army_1": 1}
    assert asked(position).name == "reinforce"


def test_Amb_15_without_a_prepared_card_the_team_loses_a_point(game: Game) -> None:
    """And a team without points cannot lose one: the enemy gains it."""
    position = line(game, GE_in_play=["Mustard_Gas"])
    play(position, "GE: Mustard Gas against British")
    assert (position.value("Entente.vp"), position.value("Central.vp")) == ("0", "1")


def test_mark_iv_tanks_pay_with_a_card_for_the_right_place(game: Game) -> None:
    """QX-som: The Somme may be spent after a battle of Picardy; QX-mk4: not after one of Western Germany."""
    for target, offered in (("Picardy", True), ("Western Germany", False)):
        pieces = {
            **HOMES,
            "Germany_army": ["Berlin", target.replace(" ", "_")],
            "France_army": ["Paris"],
            "United_Kingdom_army": ["Britain", "Belgium"],
            "United_Kingdom_navy": ["North_Atlantic", "English_Channel"],
        }
        cards = {
            "UK.hand": ["British_Land_Battle_1"],
            "UK.prepared": ["The_Somme"],
            "UK.in_play": ["Mark_IV_Tanks"],
        }
        position = arrange(game, pieces, cards, active="UK", at="play_step")
        play(position, "UK: Play Land Battle", f"UK: battle {target} from Belgium")
        expected = ["Mark IV Tanks: build in Picardy, spending The Somme", "Decline"] if offered else ["Decline"]
        assert texts(position) == expected
        position.choose(expected[0])
        assert ("United_Kingdom_army" in held(position, f"{target.replace(' ', '_')}.pieces")) == offered


def test_la_revanche_on_the_table_scores_when_france_begins(game: Game) -> None:
    """A reaction that is no choice happens by itself."""
    cards = {"FR.hand": ["French_Land_Battle_1"], "FR.in_play": ["La_Revanche"]}
    position = arrange(game, HOMES, cards, active="FR", at="play_step")
    play(position, "FR: Play Land Battle", "FR: battle Western Germany")
    assert position.value("Entente.vp") == "1"


def test_recruit_1_recruiting_needs_no_supply(game: Game) -> None:
    """Belgium is out of the United Kingdom's reach, but an Army may be recruited there."""
    cards = {"UK.hand": ["Belgium_Resists", "British_Build_Army_1"]}
    position = arrange(game, HOMES, cards, active="UK", at="play_step")
    play(position, "UK: Play Belgium Resists", "UK: Recruit in Belgium")
    assert held(position, "Belgium.pieces") == {"United_Kingdom_army": 1}
    position = arrange(game, HOMES, cards, active="UK", at="play_step")
    play(position, "UK: Play Build Army")
    # Next to the Navy in the North Atlantic: Paris; Belgium is not.
    assert texts(position) == ["Build in Paris", "Decline"]


# ------------------------------------------------------------------ losses, points, drafting, asides


def test_play_8_zeppelins(game: Game) -> None:
    """The victims say from where; the top of the deck goes unlooked; the point is gained at once."""
    cards = {
        "GE.hand": ["Zeppelins"],
        "UK.hand": ["The_Somme"],
        "UK.prepared": ["British_Build_Army_1"],
        "FR.hand": ["Plan_XVII"],
    }
    position = arrange(game, HOMES, cards, active="GE", at="play_step")
    play(position, "GE: Play Zeppelins")
    assert texts(position) == [
        "Lose The Somme from your hand",
        "Lose Build Army, prepared",
        "Lose the top card of your deck",
    ]
    play(
        position,
        "UK: Lose the top card of your deck",
        "UK: Lose Build Army, prepared",
        "UK: Lose The Somme from your hand",
    )
    play(position, "FR: Lose Plan XVII from your hand")
    assert position.value("Central.vp") == "1"
    assert len(discards(position, "UK")) == 3 and discards(position, "UK")[1:] == [
        "British_Build_Army_1",
        "The_Somme",
    ]


def test_attd_3_with_an_empty_deck_a_point_may_be_paid(game: Game) -> None:
    """Not while there is a deck (attd-4); without one, hand and prepared cards are never forced."""
    names = game.data.kinds["Card"].names
    british = [n for n in names if n.startswith("British_") or n in (
        "Belgium_Resists", "The_Somme", "Mark_IV_Tanks", "The_Blockade_of_Europe", "Japan_Attacks_Tsingtao",
    )]  # fmt: skip
    cards = {"GE.hand": ["Zeppelins"], "UK.hand": british[:1], "UK.in_play": british[1:]}
    position = arrange(game, HOMES, cards, active="GE", at="play_step", Entente=1)
    play(position, "GE: Play Zeppelins")
    assert texts(position)[-1] == "Lose a point instead"
    play(position, *["UK: Lose a point instead"] * 3)
    # One point was there; the other two go to the enemy, and one more for the card. (France has nothing
    # but its deck and is not asked.)
    assert (position.value("Entente.vp"), position.value("Central.vp")) == ("0", "3")


def test_draft_1_the_card_is_shown_and_the_deck_shuffled(game: Game) -> None:
    position = serbia(game)
    play(position, "AH: Give up two cards and search your deck for a Build card")
    play(position, "AH: Give up Land Battle", "AH: Give up Soviets of Petrograd", "AH: Draft Build Army")
    told = position.view("GE").journal.text()
    assert "Revealed: Build Army" in told and "shuffled" in told
    assert "Soviets" not in told and "Land Battle" not in told


def test_piece_3_own_pieces_may_be_taken_back_at_any_time(game: Game) -> None:
    """Offered at every decision of one's own turn, also in one's own battle; never to others."""
    position = west(game)
    mine = [o.text for o in asked(position).options if o.flagged]
    assert "Take Germany army off Prussia" in mine and not any("France" in text for text in mine)
    play(
        position,
        "GE: Take Germany army off Prussia",
        "GE: Play Schlieffen Plan",
        "GE: Decline",
        "GE: battle Picardy",
    )
    assert asked(position).player == "UK" and not any(o.flagged for o in asked(position).options)
    play(position, "UK: Reinforce with Build Army")
    # Q-Amb-25: the battle goes on although its starting piece is taken off.
    play(position, "GE: Take Germany army off Belgium", "GE: Sustain with Land Battle")
    assert held(position, "Picardy.pieces") == {} and held(position, "Belgium.pieces") == {}


# ------------------------------------------------------------------ hidden things


def told(position: Position, who: str) -> tuple[str, str]:
    """All that one player gets: the view, and the journal as data."""
    return position.view(who).to_json(), position.view(who).journal.to_json_lines()


def test_see_2_what_everybody_sees(game: Game) -> None:
    """Numbers of cards, the top discard, the cards on the table; of one's own, everything but the deck."""
    position = serbia(game)
    play(position, "AH: Give up two cards and search your deck for a Build card", "AH: Give up Land Battle")
    mine, theirs = position.view("AH").to_dict()["places"], position.view("RU").to_dict()["places"]
    assert mine["AH.hand"]["Soviets_of_Petrograd"] == 1 and theirs["AH.hand"] == 6
    assert mine["AH.discards"] == ["Austrian_Land_Battle"] and theirs["AH.discards"] == ["unknown Card"]
    assert theirs["AH.prepared"] == 2 and mine["AH.deck"] == theirs["AH.deck"] == count(position, "AH.deck")
    assert mine["RU.prepared"] == 2
    play(
        position,
        "AH: Give up Soviets of Petrograd",
        "AH: Draft Build Army",
        "AH: Play Franz Ferdinand Avenged",
    )
    theirs = position.view("RU").to_dict()["places"]
    assert theirs["AH.discards"] == ["Franz_Ferdinand_Avenged", "unknown Card", "unknown Card"]
    assert not any(name.startswith(("Soviets", "Austrian_Land")) for name in position.view("RU").to_dict()["states"])


SERBIAN_TURN = [
    "AH: Give up two cards and search your deck for a Build card", "AH: lost", "AH: lost",
    "AH: Draft Build Army",
    "AH: Play Franz Ferdinand Avenged", "AH: lost", "AH: battle Serbia", "AH: lost",
    "RU: Reinforce with Montenegro", "AH: Sustain with Land Battle", "AH: lost", "RU: Let the space go",
    "AH: Build in Serbia", "AH: wear_down Morava Offensive against Russians",
    "RU: Lose Rasputin from your hand", "AH: Decline", "AH: Draw 3",
]  # fmt: skip


def serbian_turn(position: Position, viewers: Sequence[str], spared: set[str]) -> list[Any]:
    """Play the example, giving up any cards but the spared ones; all that the viewers get on the way."""
    stream: list[Any] = []
    for answer in SERBIAN_TURN:
        stream.append([told(position, viewer) for viewer in viewers])
        who, _, words = answer.partition(": ")
        assert asked(position).player == who, (asked(position), answer)
        if words == "lost":
            options = asked(position).options
            fit = [o for o in options if not o.flagged and o.key.partition("=")[2] not in spared]
            position.choose(fit[0])
        else:
            position.choose(words)
    stream.append([told(position, viewer) for viewer in viewers])
    return stream


RUSSIANS = ["Rasputin", "Cossacks"]
BATTLE, BUILD = "Russian_Land_Battle_1", "Russian_Build_Army_1"


@pytest.mark.parametrize(
    ("owner", "first", "second"),
    [
        # One card in the hand against one that lies prepared, or in the deck, and the other way round.
        (
            "RU",
            {"RU_hand": [*RUSSIANS, BATTLE], "RU_prepared": [BUILD, "Montenegro"]},
            {"RU_hand": [*RUSSIANS, BUILD], "RU_prepared": [BATTLE, "Montenegro"]},
        ),
        (
            "RU",
            {"RU_hand": [*RUSSIANS, BATTLE], "RU_prepared": [BUILD, "Montenegro"]},
            {"RU_hand": [*RUSSIANS, "Peace_Bread_Land"], "RU_prepared": ["Brusilov_Offensive", "Montenegro"]},
        ),
        # What is given up unseen is another card altogether.
        ("AH", {"AH_hand": AUSTRIAN_HAND},
               {"AH_hand": [*AUSTRIAN_HAND[:2], "Extravagant_Lifestyle", *AUSTRIAN_HAND[3:]]}),
    ],
)  # fmt: skip
def test_views_and_journals_do_not_change_with_what_is_hidden(
    game: Game, owner: str, first: dict[str, list[str]], second: dict[str, list[str]]
) -> None:
    """Exchange cards that only their owner may see: all others get the same stream, letter by letter."""
    others = [p for p in POWERS if p != owner]
    spared = {"Franz_Ferdinand_Avenged"}
    streams = [serbian_turn(serbia(game, **cards), others, spared) for cards in (first, second)]
    assert streams[0] == streams[1]
    own = [serbian_turn(serbia(game, **cards), [owner], spared) for cards in (first, second)]
    assert own[0] != own[1]


def test_having_nothing_to_play_looks_like_declining(game: Game) -> None:
    """Russia is asked in both worlds, and the others cannot tell whether it could have answered."""
    streams = []
    for prepared in (["Montenegro", "Rasputin"], ["Rasputin", "Cossacks"]):
        position = serbia(game, RU_prepared=prepared, RU_hand=["Peace_Bread_Land"])
        play(position, "AH: Decline", "AH: Play Franz Ferdinand Avenged", "AH: Give up The October Revolution")
        play(position, "AH: battle Serbia", "AH: Give up Soviets of Petrograd")
        offered = len(texts(position))
        stream = [told(position, "AH"), told(position, "UK")]
        play(position, "RU: Let the space go")
        streams.append((stream, [told(position, "AH"), told(position, "UK")]))
        assert offered == (2 if "Montenegro" in prepared else 1)
    assert streams[0] == streams[1]


def test_an_empty_hand_for_all_to_see_is_not_asked(game: Game) -> None:
    """With no prepared cards everybody knows there is nothing to answer with."""
    position = serbia(game, RU_prepared=[])
    position.choose("Decline")
    play(
        position,
        "AH: Play Franz Ferdinand Avenged",
        "AH: Give up The October Revolution",
        "AH: battle Serbia",
    )
    play(position, "AH: Give up Soviets of Petrograd")
    assert asked(position).player == "AH" and held(position, "Serbia.pieces") == {}


def test_a_seat_sees_what_its_powers_see(game: Game) -> None:
    """With two players one person holds AH and GE."""
    position = game.start(seed=2, players=2)
    for _ in range(9):
        position.choose(0)
    one, other = (position.view(seat).to_dict()["places"] for seat in (0, 1))
    assert sum(one["AH.hand"].values()) == sum(one["GE.hand"].values()) == 7 and one["RU.hand"] == 7
    assert sum(other["RU.hand"].values()) == 7 and other["AH.hand"] == other["GE.hand"] == 7
    assert "Germans: a card from hand to deck" not in position.view(0).journal.text()
    assert "Germans: a card from hand to deck" in position.view(1).journal.text()


# ------------------------------------------------------------------ at large


def test_the_examples_of_the_rulebook_hold(game: Game) -> None:
    """QX1 and QX2 once more, as claims of the game."""
    results = list(run_examples(GameSource.load(FOLDER)))
    assert len(results) == 2 and all(result.ok for result in results), "\n".join(map(str, results))


def test_many_random_games_end(game: Game) -> None:
    played = game.playouts(100, seed=11)
    assert all(p.over and p.winners for p in played)
    assert {p.winners for p in played} == {("Central",), ("Entente",)}


@pytest.mark.parametrize("closely", [5, pytest.param(15, marks=pytest.mark.long)])
def test_the_conformance_kit_finds_nothing(closely: int) -> None:
    """Clones, saves, undo, refusals, chance, and views whose hidden cards are exchanged at every step."""
    report = run_conformance(FOLDER, plays=1, players=5, closely=closely, processes=False)
    assert not report.failures, report.text()


@pytest.mark.parametrize("games", [2, pytest.param(6, marks=pytest.mark.long)])
def test_random_games_keep_the_invariants_and_reopen(game: Game, games: int) -> None:
    """Every card and piece is somewhere, the invariants hold, and saves and clones agree."""
    rng = random.Random(5)
    for seed in range(games):
        position = game.start(seed=seed)
        while not position.is_over:
            options = [o for o in asked(position).options if not o.flagged or rng.random() < 0.05]
            position.choose(rng.choice(options or asked(position).options))
            assert not game.check_invariants(position)
        assert sum(count(position, f"{p}.{place}") for p in POWERS for place in (
            "deck", "hand", "prepared", "in_play", "discards"
        )) == len(game.data.kinds["Card"].names)  # fmt: skip
        again = game.from_json(position.to_json())
        assert again.state_hash() == position.state_hash()
