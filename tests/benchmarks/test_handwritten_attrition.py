"""The yardstick must play the right game, or comparing with it means nothing.

The rulebook's example of play is replayed with its draws and dice, single rules are tried on small
positions, and random games are checked against slow and simple versions of the rules that are fast in the
module.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

# The yardstick is a script beside this file, in no package.
sys.path.insert(0, str(Path(__file__).parent))

import handwritten_attrition as hw
from handwritten_attrition import CENTRAL, ENTENTE, NATION, NO, REGION, REGION_NAMES, STOP, YES, State

TYPES = {"inf": hw.INFANTRY, "art": hw.ARTILLERY, "air": hw.AIRPLANE}


# --- Helpers: words for piles, options and positions ----------------------------------------------


def tile(name: str) -> int:
    nation, sort = name.split()
    return hw.TILE[NATION[nation]][TYPES[sort]]


def pile(text: str) -> int:
    """`"2 Germany inf, 1 Austria air"` as a pile."""
    total = 0
    for part in filter(None, text.split(", ")):
        count, name = part.split(" ", 1)
        total += int(count) * tile(name)
    return total


def regions(text: str) -> set[str]:
    return set(text.split())


def named(mask: int) -> set[str]:
    return {name for index, name in enumerate(REGION_NAMES) if mask >> index & 1}


def on_map(s: State, side: int, region: str) -> int:
    return s.v[hw.ENTENTE_MAP * side + REGION[region]]


def contested(s: State) -> int:
    return hw.ALL_REGIONS & ~(s.v[hw.CONTROL] | s.v[hw.CONTROL + 1] | s.v[hw.NEUTRAL])


def industry(s: State) -> tuple[int, int]:
    return hw.industry_of(s.v[hw.CONTROL]), hw.industry_of(s.v[hw.CONTROL + 1])


def asks(s: State) -> str:
    return "" if s.over else s.resume.__name__.removeprefix("answer_")


def choose(s: State, *options: int) -> None:
    for option in options:
        hw.apply(s, s.options.index(option))


def go_to(s: State, *names: str) -> None:
    choose(s, *(REGION[name] for name in names))


def mobilise(s: State, **where: str) -> None:
    """Place every tile in the region under `Nation_type` or `Nation`; a nation not named is kept."""
    while asks(s) == "mobilise":
        for nation, sort, each, _ in hw.SIDE_SORTS[s.side]:
            name = hw.NATION_NAMES[nation]
            word = next(word for word, index in TYPES.items() if index == sort)
            region = where.get(f"{name}_{word}") or where.get(name)
            if region and each in s.options:
                choose(s, each)
                if asks(s) == "entry":
                    go_to(s, region)
                break
        else:
            choose(s, STOP)


def go_on(s: State, *steps: tuple[str, str]) -> None:
    """Tiles that advance or redeploy, each with the region it goes to."""
    for name, region in steps:
        assert asks(s) in ("advance", "redeploy")
        choose(s, tile(name))
        if asks(s) in ("advance_to", "redeploy_to"):
            go_to(s, region)


def named_nations(s: State) -> list[str]:
    return [hw.NATION_NAMES[n] for n in s.options if n >= 0]


def move(s: State, count: int, name: str, origin: str, destination: str) -> None:
    for _ in range(count):
        assert asks(s) == "departure"
        choose(s, tile(name) << 5 | REGION[origin])
        assert asks(s) == "destination"
        go_to(s, destination)


def script_dice(s: State, *faces: int) -> None:
    rolls: Iterator[int] = iter(faces)
    s.random = lambda: (next(rolls) - 0.5) / 6


def script_draws(monkeypatch: pytest.MonkeyPatch, *draws: str) -> None:
    """Every draw takes just these tiles out of the pouch, and asks for just as many."""
    queue = [pile(text) for text in draws]

    def draw(s: State, side: int, count: int) -> None:
        wanted = queue.pop(0)
        tiles = hw.UNPACKED[side][wanted]
        assert len(tiles) == count
        pouch = list(s.entente_pouch if side else s.central_pouch)
        for drawn in tiles:
            pouch.remove(drawn)
        if side:
            s.entente_pouch = tuple(pouch)
        else:
            s.central_pouch = tuple(pouch)
        s.v[hw.RESERVES + side] += wanted

    monkeypatch.setattr(hw, "draw_tiles", draw)


def position(side: int, turn: int, central: str, entente: str, neutral: str = "", **tiles: str) -> State:
    """These controlled and neutral regions, all others contested, and these tiles on the map."""
    s = hw.new_game(1)
    s.side, s.turn = side, turn
    v = s.v = [0] * hw.LENGTH
    v[hw.CONTROL], v[hw.CONTROL + 1], v[hw.NEUTRAL] = map(hw.region_set, (central, entente, neutral))
    for region, text in tiles.items():
        for part in text.split(", "):
            owner = hw.NATION_SIDE[NATION[part.split()[1]]]
            v[hw.ENTENTE_MAP * owner + REGION[region]] += pile(part)
            v[hw.PRESENCE + owner] |= 1 << REGION[region]
    return s


def destinations(s: State, origin: str) -> set[str]:
    return named(s.reach[REGION[origin]][0]) if REGION[origin] in s.reach else set()


# --- Data -----------------------------------------------------------------------------------------


def test_2_components_add_up() -> None:
    counts = [sum(sum(row[2:]) for row in hw.NATION_DATA if row[1] == side) for side in (CENTRAL, ENTENTE)]
    assert counts == [44, 70]
    assert len(hw.LAND_PATHS.split()) == 31
    assert len(hw.NAVAL_PATHS.split()) == 6
    assert sum(hw.INDUSTRY) == 29
    assert [hw.industry_of(control) for control in hw.START_CONTROL] == [7, 12]
    assert hw.START_NEUTRAL.bit_count() == 11


def test_a_pile_holds_all_tiles_of_a_side() -> None:
    for side in (CENTRAL, ENTENTE):
        everything = sum(hw.NATION_PILE[n] for n in hw.SIDE_NATIONS[side])
        assert hw.TALLIES[side][everything][3] == (44, 70)[side]
        assert sum(hw.UNPACKED[side][everything]) == everything


def test_3_1_4_two_random_serbian_tiles_start_in_belgrade() -> None:
    seen = Counter(on_map(hw.new_game(seed), ENTENTE, "Belgrade") for seed in range(200))
    assert set(seen) == {pile("2 Serbia inf"), pile("1 Serbia inf, 1 Serbia art")}
    assert 70 < seen[pile("2 Serbia inf")] < 130


# --- The example of play (21) ---------------------------------------------------------------------

BRITISH_DRAW = "1 Britain inf, 1 Britain art, 1 Britain air"
DRAWS = (
    "2 Serbia inf",
    "2 Germany inf, 1 Austria inf, 1 Austria air, 3 Ottoman inf",
    "4 Russia inf, 1 Russia art, 1 Serbia inf, 1 Serbia art, 1 France inf, 1 France air, " + BRITISH_DRAW,
    "2 Germany inf, 1 Germany art, 2 Germany air, 1 Austria inf, 2 Ottoman inf, 1 Ottoman art",
    "4 Russia inf, 1 Russia art, 1 France art, 1 France inf",
)


def play_spring_1914(monkeypatch: pytest.MonkeyPatch) -> State:
    script_draws(monkeypatch, *DRAWS)
    s = hw.new_game(0)
    # EP-S14-1 and 2: the Ottoman tiles cannot be mobilised, nothing moves.
    assert s.v[hw.RESERVES] == pile(DRAWS[1])
    mobilise(s, Germany="Berlin", Austria="Vienna")
    assert on_map(s, CENTRAL, "Berlin") == pile("2 Germany inf")
    assert on_map(s, CENTRAL, "Vienna") == pile("1 Austria inf, 1 Austria air")
    assert asks(s) == "departure"
    choose(s, STOP)
    # EP-S14-3
    assert s.options == [REGION["Istanbul"], STOP]
    go_to(s, "Istanbul")
    assert asks(s) == "redeploy"
    assert industry(s) == (9, 12)
    choose(s, STOP)
    assert on_map(s, CENTRAL, "Istanbul") == pile("3 Ottoman inf")
    assert regions("Istanbul Armenia Levant") <= named(s.v[hw.CONTROL])
    # EP-S14-4 and 5
    assert s.side == ENTENTE
    assert s.v[hw.RESERVES + 1] == pile(DRAWS[2])
    assert asks(s) == "surrender"
    choose(s, NO)
    assert asks(s) == "rail_region"
    choose(s, STOP)
    mobilise(s, Russia="Petrograd", Serbia="Belgrade", France="Paris", Britain="London", Britain_inf="Alexandria")
    # EP-S14-6
    move(s, 1, "Russia inf", "Petrograd", "Kiev")
    move(s, 1, "Russia inf", "Petrograd", "Caucasus")
    move(s, 2, "Russia inf", "Petrograd", "Poland")
    move(s, 1, "Russia art", "Petrograd", "Poland")
    move(s, 1, "France inf", "Paris", "Belgium")
    move(s, 1, "France air", "Paris", "Belgium")
    move(s, 1, "Britain art", "London", "Belgium")
    move(s, 1, "Britain air", "London", "Paris")
    choose(s, STOP)
    assert (s.turn, s.side) == (2, CENTRAL)
    return s


def play_fall_1914_central(s: State) -> None:
    # EP-F14-1
    assert s.v[hw.RESERVES] == pile(DRAWS[3])
    assert asks(s) == "rail_region"
    choose(s, STOP)
    mobilise(s, Germany="Berlin", Austria="Vienna", Ottoman="Istanbul")
    # EP-F14-2
    move(s, 1, "Germany inf", "Berlin", "Belgrade")
    move(s, 1, "Germany inf", "Berlin", "Belgium")
    move(s, 2, "Germany inf", "Berlin", "Poland")
    move(s, 1, "Germany art", "Berlin", "Poland")
    move(s, 2, "Germany air", "Berlin", "Poland")
    move(s, 1, "Austria inf", "Vienna", "Kiev")
    move(s, 1, "Austria air", "Vienna", "Kiev")
    move(s, 1, "Austria inf", "Vienna", "Belgium")
    move(s, 3, "Ottoman inf", "Istanbul", "Caucasus")
    move(s, 2, "Ottoman inf", "Istanbul", "Alexandria")
    move(s, 1, "Ottoman art", "Istanbul", "Alexandria")
    # EP-F14-3: all six are mandatory, so nothing is asked before the order.
    assert asks(s) == "battle"
    assert named(s.marks) == regions("Belgium Belgrade Poland Kiev Alexandria Caucasus")
    # EP-F14-4: two nations tie.
    script_dice(s, 6)
    go_to(s, "Belgium")
    assert s.options == [NATION["Germany"], NATION["Austria"]]
    choose(s, NATION["Germany"])
    # EP-F14-5
    script_dice(s, 5)
    go_to(s, "Belgrade")
    # EP-F14-6
    script_dice(s, 1, 3, 3, 3, 5)
    go_to(s, "Poland")
    assert on_map(s, ENTENTE, "Poland") == 0
    assert asks(s) == "attacker_loss"
    choose(s, tile("Germany inf"))
    assert asks(s) == "advance"
    go_on(s, *[(name, "Baltics") for name in ("Germany inf", "Germany art", "Germany air", "Germany air")])
    assert on_map(s, CENTRAL, "Baltics") == pile("1 Germany inf, 1 Germany art, 2 Germany air")
    # EP-F14-7
    script_dice(s, 1, 4)
    go_to(s, "Kiev")
    assert asks(s) == "attacker_loss"
    choose(s, tile("Austria inf"))
    go_on(s, ("Austria air", "Ukraine"))
    # EP-F14-8
    script_dice(s, 1, 1, 3)
    go_to(s, "Alexandria")
    choose(s, tile("Ottoman inf"))
    assert on_map(s, CENTRAL, "Alexandria") == pile("1 Ottoman inf, 1 Ottoman art")
    script_dice(s, 2, 3, 4)
    choose(s, STOP)
    # EP-F14-9: the last battle needs no choice; then the update.
    assert s.side == ENTENTE
    # EP-F14-10
    assert named(contested(s)) == regions("Belgium Belgrade Caucasus")
    assert regions("Poland Kiev Baltics Ukraine Alexandria") <= named(s.v[hw.CONTROL])
    assert industry(s) == (12, 7)


def play_fall_1914_entente(s: State) -> None:
    # EP-F14-11
    assert asks(s) == "return"
    assert s.v[hw.DESTROYED + 1] == pile("3 Russia inf, 1 Russia art, 1 Britain inf")
    assert named_nations(s) == ["Russia", "Britain"]
    choose(s, NATION["Russia"], STOP)
    assert s.v[hw.DESTROYED + 1] == pile("1 Britain inf")
    assert s.v[hw.RESERVES + 1] == pile(DRAWS[4])
    choose(s, NO)
    # EP-F14-12
    go_to(s, "Paris")
    choose(s, tile("Britain air"))
    mobilise(s, Russia="Petrograd", France="Paris")
    assert s.v[hw.RESERVES + 1] == pile("1 Britain air")
    # EP-F14-13
    move(s, 1, "Russia inf", "Petrograd", "Baltics")
    move(s, 2, "Russia inf", "Petrograd", "Ukraine")
    move(s, 1, "Russia art", "Petrograd", "Ukraine")
    move(s, 1, "France inf", "Paris", "Belgium")
    move(s, 1, "France art", "Paris", "Belgium")
    choose(s, STOP)
    # EP-F14-14
    assert asks(s) == "mark"
    assert s.marks == 0
    assert {REGION_NAMES[r] for r in s.options[:-1]} == regions("Belgium Belgrade Ukraine Caucasus Baltics")
    go_to(s, "Belgium", "Belgrade", "Ukraine", "Caucasus")
    choose(s, STOP)
    # EP-F14-15
    script_dice(s, 1, 2, 6, 6)
    go_to(s, "Belgium")
    assert asks(s) == "attacker_loss"
    choose(s, tile("Britain art"))
    go_on(s, *[(name, "Rhineland") for name in ("France inf", "France inf", "France art", "France air")])
    # EP-F14-16
    script_dice(s, 1, 2, 3, 5)
    go_to(s, "Belgrade")
    choose(s, tile("Serbia inf"))
    go_on(s, *[(name, "Hungary") for name in ("Serbia inf", "Serbia inf", "Serbia art")])
    # EP-F14-17 and 18: after Ukraine only one battle is left.
    script_dice(s, 2, 4, 5, 3, 5, 6)
    go_to(s, "Ukraine")
    go_on(s, ("Russia inf", "Kiev"), ("Russia inf", "Caucasus"), ("Russia art", "Caucasus"))
    assert on_map(s, ENTENTE, "Caucasus") == pile("2 Russia inf, 1 Russia art")
    assert on_map(s, CENTRAL, "Caucasus") == pile("3 Ottoman inf")
    # EP-F14-19
    assert asks(s) == "declaration"
    assert named(contested(s)) == regions("Baltics Caucasus")
    assert regions("Rhineland Hungary Kiev") <= named(s.v[hw.CONTROL + 1])
    assert industry(s) == (8, 13)
    # EP-F14-20
    assert s.options == [REGION["Salonica"], STOP]
    go_to(s, "Salonica")
    assert on_map(s, ENTENTE, "Salonica") == pile("1 Britain air")
    assert "Salonica" in named(s.v[hw.CONTROL + 1])
    assert industry(s) == (8, 13)


def test_21_example_of_play(monkeypatch: pytest.MonkeyPatch) -> None:
    s = play_spring_1914(monkeypatch)
    assert_sound(s)
    play_fall_1914_central(s)
    assert_sound(s)
    play_fall_1914_entente(s)
    assert_sound(s)
    assert (s.turn, s.side) == (3, CENTRAL)
    assert asks(s) == "return"
    # Poland, Belgium and Belgrade; Kiev, Belgium and Ukraine; Alexandria.
    assert s.v[hw.DESTROYED] == pile("3 Germany inf, 2 Austria inf, 1 Austria air, 1 Ottoman inf")


# --- Single rules ---------------------------------------------------------------------------------

HOME = "Berlin Rhineland Vienna Hungary"
ELSEWHERE = "Rome Northern_Italy Washington Southern_States Mexico Sofia Bucharest Istanbul Armenia Levant Salonica"
EAST = "Petrograd Moscow Baltics Kiev Ukraine Caucasus"
WEST = "London Paris Belgium Alexandria Belgrade"


def test_4_6_1_front_line_from_berlin() -> None:
    """E-1: the friendly regions, and the four front-line regions around them."""
    s = position(CENTRAL, 2, f"{HOME} Poland", f"{EAST} {WEST}", ELSEWHERE, Berlin="3 Germany inf")
    hw.begin_movement(s)
    front = destinations(s, "Berlin") - regions(f"{HOME} Poland")
    assert front == regions("Belgium Baltics Kiev Belgrade")


def test_4_6_4_from_contested_rome() -> None:
    """E-2: through Paris to Belgium, or to Salonica, but not straight into Northern Italy."""
    s = position(
        ENTENTE,
        4,
        f"{HOME} Northern_Italy Belgium",
        f"London Paris Alexandria Belgrade {EAST} Poland",
        "Washington Southern_States Mexico Sofia Bucharest Istanbul Armenia Levant",
        Rome="1 Italy inf, 1 France inf, 1 Austria inf",
        Salonica="1 Britain inf, 1 Germany inf",
    )
    hw.begin_movement(s)
    assert destinations(s, "Rome") == regions("Paris Belgium Salonica")


def test_4_6_3_contested_capital_reaches_the_enemy_only_through_a_friend() -> None:
    s = position(
        CENTRAL,
        4,
        "Berlin Rhineland",
        f"{EAST} {WEST} Poland Hungary",
        ELSEWHERE,
        Vienna="1 Austria inf, 1 Serbia inf",
    )
    hw.begin_movement(s)
    assert destinations(s, "Vienna") == regions("Rhineland Berlin Belgium Poland")


def test_6_1_nobody_crosses_a_border_in_spring_1914() -> None:
    s = position(CENTRAL, 1, HOME, f"{EAST} {WEST} Poland", ELSEWHERE, Berlin="1 Germany inf")
    hw.begin_movement(s)
    assert destinations(s, "Berlin") == regions("Rhineland Vienna Hungary")


def planned(s: State) -> set[str]:
    hw.plan_battles(s)
    return named(s.marks)


def test_4_7_1_mandatory_battles() -> None:
    """E-3 to E-6, and Amb-18: who sailed counts as having sailed, however it went on."""
    foreign = position(
        CENTRAL, 2, HOME, f"{EAST} {WEST} Poland", ELSEWHERE, Poland="1 Germany inf", Kiev="1 Germany inf"
    )
    assert planned(foreign) == {"Poland", "Kiev"}
    allied = position(
        CENTRAL,
        2,
        "Berlin Vienna Hungary",
        f"{EAST} {WEST} Poland Rhineland",
        ELSEWHERE,
        Rhineland="1 Germany inf",
    )
    assert planned(allied) == set()
    assert asks(allied) == "mark"
    shared = position(
        ENTENTE,
        2,
        "Berlin Rhineland Hungary",
        f"{EAST} {WEST}",
        ELSEWHERE,
        Vienna="1 Serbia inf, 1 Austria inf",
    )
    assert planned(shared) == set()
    paris = f"London Alexandria Belgrade {EAST} Poland"
    landing = position(ENTENTE, 2, f"{HOME} Paris Belgium", paris, ELSEWHERE, London="2 Britain inf")
    hw.begin_movement(landing)
    move(landing, 1, "Britain inf", "London", "Paris")
    choose(landing, STOP)
    assert named(landing.v[hw.CONTROL + 1]) >= {"Paris"}  # an empty region is taken at once
    assert asks(landing) == "advance"
    onward = position(ENTENTE, 2, f"{HOME} Belgium", f"{paris} Paris", ELSEWHERE, London="1 Britain inf")
    hw.begin_movement(onward)
    move(onward, 1, "Britain inf", "London", "Belgium")
    assert asks(onward) == "advance"


def test_4_7_1_one_tile_by_land_lifts_the_duty_to_attack() -> None:
    held = f"London Alexandria Belgrade {EAST} Poland Paris"
    s = position(ENTENTE, 2, f"{HOME} Belgium", held, ELSEWHERE, London="1 Britain inf", Paris="1 France inf")
    hw.begin_movement(s)
    move(s, 1, "Britain inf", "London", "Belgium")
    move(s, 1, "France inf", "Paris", "Belgium")
    assert asks(s) == "mark"
    assert s.marks == 0


def battle(s: State, region: str, *faces: int) -> None:
    s.marks = 1 << REGION[region]
    script_dice(s, *faces)
    hw.answer_battle(s, REGION[region])


def test_4_8_2_dice_are_matched_by_both_sides() -> None:
    """E-7 and E-8: the largest nation rolls, any tile may score, each once."""
    s = position(
        CENTRAL,
        3,
        HOME,
        f"{EAST} {WEST}",
        ELSEWHERE,
        Poland="3 Germany inf, 1 Germany air, 1 Austria inf, 1 Austria art, 3 France inf, 1 Britain air",
    )
    battle(s, "Poland", 1, 2, 2, 6)
    assert asks(s) == "defender_loss"
    assert hw.player_of(s) == ENTENTE
    choose(s, tile("Britain air"))  # the other can only be French
    assert asks(s) == "attacker_loss"
    choose(s, tile("Austria art"))
    assert on_map(s, ENTENTE, "Poland") == pile("2 France inf")
    assert on_map(s, CENTRAL, "Poland") == pile("3 Germany inf, 1 Germany air, 1 Austria inf")
    s = position(
        ENTENTE,
        3,
        HOME,
        f"{EAST} {WEST}",
        ELSEWHERE,
        Poland="6 Russia inf, 1 Serbia art, 1 Austria inf, 3 Germany air",
    )
    battle(s, "Poland", 1, 1, 2, 4, 5, 6)
    choose(s, tile("Germany air"))  # two of three losses leave no choice: there is but one Austrian
    assert on_map(s, CENTRAL, "Poland") == pile("1 Austria inf")
    choose(s, tile("Serbia art"))
    assert on_map(s, ENTENTE, "Poland") == pile("6 Russia inf")


def test_4_8_2_f_every_way_to_lose_is_one_way_through_the_questions() -> None:
    def ways(s: State, answers: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
        if asks(s) != "defender_loss":
            yield s.v[hw.DESTROYED + 1], answers
            return
        for option in s.options:
            copy = hw.clone(s)
            hw.apply(copy, s.options.index(option))
            yield from ways(copy, (*answers, option))

    s = position(
        CENTRAL,
        3,
        HOME,
        f"{EAST} {WEST}",
        ELSEWHERE,
        Poland="6 Germany inf, 2 Russia inf, 1 Russia art, 2 France inf, 1 France air",
    )
    battle(s, "Poland", 1, 1, 1, 6, 6, 6)
    found = list(ways(s, ()))
    lost = [destroyed for destroyed, _ in found]
    available = hw.UNPACKED[ENTENTE][on_map(s, ENTENTE, "Poland")]
    assert sorted(lost) == sorted({sum(three) for three in combinations(available, 3)})
    assert all(answers == tuple(sorted(answers)) for _, answers in found)


def test_4_8_4_advance_reaches_the_next_battle_but_no_neutral_region() -> None:
    s = position(
        CENTRAL,
        3,
        HOME,
        f"{EAST} {WEST} Poland",
        ELSEWHERE,
        Belgrade="2 Germany inf",
        Poland="1 Germany inf, 1 Russia inf",
    )
    hw.plan_battles(s)
    assert named(s.marks) == {"Belgrade", "Poland"}
    go_to(s, "Belgrade")
    assert s.options == [tile("Germany inf"), STOP]
    assert {REGION_NAMES[r] for r in s.destinations} == {"Hungary"}
    assert "Belgrade" in named(s.v[hw.CONTROL])


def test_4_9_status() -> None:
    s = position(
        CENTRAL,
        3,
        "Berlin Rhineland Vienna Poland",
        f"{WEST} Moscow Kiev Caucasus Ukraine",
        f"{ELSEWHERE} Petrograd",
        Kiev="1 Austria inf",
        Rhineland="1 France inf, 1 Germany inf",
        Petrograd="1 Germany inf",
    )
    hw.update_status(s)
    assert "Kiev" in named(s.v[hw.CONTROL])  # only Central tiles
    assert "Poland" in named(s.v[hw.CONTROL])  # no tiles: unchanged
    assert "Hungary" in named(s.v[hw.CONTROL])  # was contested, now empty: its allegiance
    assert "Baltics" in named(s.v[hw.CONTROL + 1])
    assert named(contested(s)) == {"Rhineland"}
    assert "Petrograd" in named(s.v[hw.NEUTRAL])  # Amb-6


def test_4_10_2_ottoman_redeploy() -> None:
    """E-9."""
    s = position(CENTRAL, 2, HOME, f"{EAST} {WEST} Poland", ELSEWHERE)
    s.v[hw.RESERVES] = pile("3 Ottoman inf")
    hw.offer_declaration(s)
    go_to(s, "Istanbul")
    assert {REGION_NAMES[r] for r in s.destinations} == {"Armenia", "Levant"}
    go_on(s, *[("Ottoman inf", name) for name in ("Armenia", "Armenia", "Levant")])
    assert on_map(s, CENTRAL, "Armenia") == pile("2 Ottoman inf")
    assert on_map(s, CENTRAL, "Istanbul") == 0
    assert "Istanbul" in named(s.v[hw.CONTROL])
    assert named(s.v[hw.PRESENCE]) == {"Armenia", "Levant"}


def test_4_10_1_1_salonica_takes_one_of_three_nations() -> None:
    """Amb-16: the other nations' tiles are left over and destroyed, waiting nations keep theirs."""
    s = position(ENTENTE, 5, HOME, f"{EAST} {WEST} Poland", ELSEWHERE)
    s.v[hw.RESERVES + 1] = pile("2 Britain inf, 1 France inf, 1 Greece inf, 2 Romania inf, 1 Italy inf")
    hw.offer_declaration(s)
    assert {REGION_NAMES[r] for r in s.options[:-1]} == {"Salonica", "Rome", "Bucharest"}
    go_to(s, "Salonica")
    assert asks(s) == "declarer"
    assert named_nations(s) == ["Britain", "France", "Greece"]
    choose(s, NATION["Britain"])
    assert {REGION_NAMES[r] for r in s.options[:-1]} == {"Rome", "Bucharest"}
    choose(s, STOP)
    assert on_map(s, ENTENTE, "Salonica") == pile("2 Britain inf")
    assert s.v[hw.DESTROYED + 1] == pile("1 France inf, 1 Greece inf")
    assert s.v[hw.RESERVES + 1] == pile("2 Romania inf, 1 Italy inf")


def test_4_3_surrender() -> None:
    s = position(
        ENTENTE,
        6,
        f"{HOME} Poland",
        f"{WEST} Petrograd Moscow Caucasus",
        ELSEWHERE,
        Poland="1 Germany inf",
        Baltics="1 Germany inf, 2 Russia inf",
        Kiev="1 Austria inf, 1 Russia inf, 1 France inf",
        Ukraine="1 Austria art, 1 Russia art",
        Moscow="1 Britain inf",
        Petrograd="3 Russia inf",
        Belgium="1 Russia inf",
    )
    s.v[hw.RESERVES + 1] = pile("2 Russia inf, 1 Britain art")
    s.entente_pouch = hw.UNPACKED[1][pile("4 Russia inf, 5 France inf")]
    s.resume, s.options = hw.answer_surrender, [YES, NO]
    choose(s, YES)
    v = s.v
    assert not any(v[hw.ENTENTE_MAP + r] & hw.RUSSIAN_TILES for r in range(27))
    assert v[hw.RESERVES + 1] == pile("2 France inf, 1 Britain art")
    assert v[hw.NEUTRAL] == hw.region_set(f"{ELSEWHERE} Petrograd Moscow Caucasus Baltics Ukraine")
    assert named(contested(s)) == {"Kiev"}
    assert "Poland" in named(v[hw.CONTROL])
    assert named(v[hw.PRESENCE + 1]) == {"Kiev", "Moscow"}
    # Amb-8 and 4.4: Moscow may rail only along open regions, and Kiev leads nowhere.
    assert asks(s) == "mobilise"
    # 4.3-j: the Germans in the Baltics may leave by Poland, the Austrians in Ukraine by Kiev.
    s.side = CENTRAL
    hw.begin_rail(s)
    assert {REGION_NAMES[r] for r in s.options[:-1]} == {"Poland", "Baltics", "Kiev", "Ukraine"}


def test_4_3_k_russian_tiles_drawn_after_the_surrender_are_replaced() -> None:
    s = position(ENTENTE, 6, HOME, WEST, f"{ELSEWHERE} {EAST}")
    s.surrendered = True
    s.entente_pouch = hw.UNPACKED[1][pile("6 Russia inf, 3 France inf")]
    hw.draw_tiles(s, ENTENTE, 5)
    assert s.v[hw.RESERVES + 1] == pile("3 France inf")
    assert s.v[hw.DESTROYED + 1] == pile("6 Russia inf")
    assert s.entente_pouch == ()


@pytest.mark.parametrize(("neutral", "drawn"), [(ELSEWHERE, 10), (ELSEWHERE.replace("Istanbul Armenia Levant", ""), 7)])
def test_6_2_three_more_tiles_in_fall_1914(neutral: str, drawn: int) -> None:
    s = position(CENTRAL, 2, HOME, f"{EAST} {WEST} Poland", neutral)
    s.central_pouch = hw.START_POUCH[CENTRAL]
    hw.begin_draw(s)
    assert len(s.central_pouch) == 28 - drawn


def test_5_1_seventeen_points_at_the_start_of_the_turn_win() -> None:
    central = f"{HOME} {EAST} Istanbul Paris Belgium Belgrade"
    s = position(CENTRAL, 4, central, "London", ELSEWHERE.replace("Istanbul ", ""))
    assert industry(s)[0] == 18
    hw.begin_turn(s)
    assert s.over
    assert s.winner == CENTRAL
    assert s.options == []


@pytest.mark.parametrize(
    ("central", "entente", "winner"),
    [("Berlin", "Paris", CENTRAL), ("Berlin", "Paris Belgium", None), ("Berlin", "Paris London", ENTENTE)],
)
def test_5_2_most_points_after_fall_1918(central: str, entente: str, winner: int | None) -> None:
    s = position(ENTENTE, 10, central, entente)
    hw.end_turn(s)
    assert s.over
    assert s.winner == winner


# --- Random games ---------------------------------------------------------------------------------


def assert_sound(s: State) -> None:
    """Every tile is in one place, and what is derived agrees with what it is derived from."""
    v = s.v
    for side in (CENTRAL, ENTENTE):
        places = v[27 * side : 27 * side + 27]
        found = sum(places) + v[hw.RESERVES + side] + v[hw.DESTROYED + side]
        found += sum(s.entente_pouch if side else s.central_pouch)
        turn = s.turn if (side <= s.side or s.over) else s.turn - 1
        late = (sum(hw.NEW_TILES[side][later]) for later in range(turn + 1, hw.LAST_TURN + 1))
        assert found + sum(late) == sum(hw.NATION_PILE[n] for n in hw.SIDE_NATIONS[side])
    controls = v[hw.CONTROL], v[hw.CONTROL + 1], v[hw.NEUTRAL], contested(s)
    assert sum(controls) == hw.ALL_REGIONS
    assert sum(map(hw.industry_of, controls)) == 29
    assert not v[hw.NEUTRAL] & v[hw.PRESENCE] & v[hw.PRESENCE + 1]


def assert_presence(s: State) -> None:
    for side in (CENTRAL, ENTENTE):
        held = sum(1 << r for r in range(27) if s.v[27 * side + r])
        assert s.v[hw.PRESENCE + side] == held


def step(s: State, rng: Random, loyal_russia: bool) -> None:
    if loyal_russia and asks(s) == "surrender" and s.turn < 8:
        choose(s, NO)
    else:
        hw.apply(s, int(rng.random() * len(s.options)))


def test_tiles_and_points_are_conserved_in_random_games() -> None:
    kinds: Counter[str] = Counter()
    winners: Counter[int | None] = Counter()
    for seed in range(200):
        rng = Random(seed)
        s = hw.new_game(rng)
        while not s.over:
            assert len(s.options) > 1
            assert len(set(s.options)) == len(s.options)
            # A side that early won keeps its turn's new tiles out, hence not after the end.
            assert_sound(s)
            kinds[asks(s)] += 1
            step(s, rng, seed % 2 == 1)
        winners[s.winner] += 1
    assert len(kinds) == 19
    assert set(winners) == {CENTRAL, ENTENTE, None}


def status(s: State, side: int, region: int) -> str:
    here = 1 << region
    if s.v[hw.NEUTRAL] & here:
        return "neutral"
    if s.v[hw.CONTROL + side] & here:
        return "friendly"
    return "enemy" if s.v[hw.CONTROL + 1 - side] & here else "contested"


def neighbours(region: int, paths: str) -> list[int]:
    pairs = [[REGION[name] for name in path.split("-")] for path in paths.split()]
    return [b if a == region else a for a, b in pairs if region in (a, b)]


def slow_reach(s: State, origin: int) -> tuple[set[int], set[int]]:
    """All destinations of a tile in this capital, and those by land alone, step by step (4.6.2 to 4.6.4)."""
    found: list[set[int]] = []
    for paths in ("", hw.NAVAL_PATHS):
        reached = set()
        first = neighbours(origin, paths or hw.LAND_PATHS)
        if status(s, s.side, origin) == "contested":
            first = [r for r in first if status(s, s.side, r) != "enemy"]
        todo = list(first) if s.side == ENTENTE or not paths else []
        while todo:
            region = todo.pop()
            kind = status(s, s.side, region)
            if region in reached or kind == "neutral" or (kind == "enemy" and s.turn == 1):
                continue
            reached.add(region)
            if kind == "friendly":
                todo += neighbours(region, hw.LAND_PATHS)
        found.append(reached - {origin})
    return found[0] | found[1], found[0]


def slow_rail(s: State) -> set[int]:
    """The regions from which some tile may be railed (4.4), tracing a path for each."""
    result = set()
    paths = hw.LAND_PATHS + (hw.NAVAL_PATHS if s.side else "")
    for region in range(27):
        if status(s, s.side, region) == "enemy":
            continue
        linked = {region} - ({region} if status(s, s.side, region) == "neutral" else set())
        todo = neighbours(region, paths)
        while todo:
            other = todo.pop()
            if other not in linked and status(s, s.side, other) in ("friendly", "contested"):
                linked.add(other)
                todo += neighbours(other, paths)
        for nation in hw.SIDE_NATIONS[s.side]:
            entries = {r for r in range(27) if hw.ENTRY_REGIONS[nation] >> r & 1}
            if s.v[27 * s.side + region] & hw.NATION_TILES[nation] and entries & linked:
                result.add(region)
    return result


def test_movement_and_rail_agree_with_slow_versions() -> None:
    checked: Counter[str] = Counter()
    for seed in range(16):
        rng = Random(seed)
        s = hw.new_game(rng)
        before = ""
        while not s.over:
            kind = asks(s)
            if kind == "rail_region":
                assert set(s.options[:-1]) == slow_rail(s)
                checked[kind] += 1
            elif kind == "departure" and before not in ("departure", "destination"):
                assert_presence(s)
                capitals = {r for r in range(14) if hw.ALLIED[s.side] >> r & 1 and s.v[27 * s.side + r]}
                assert set(s.reach) <= capitals
                for capital in capitals:
                    everywhere, by_land = slow_reach(s, capital)
                    if status(s, s.side, capital) == "neutral":
                        everywhere = set()
                    if not everywhere:
                        assert capital not in s.reach
                        continue
                    total, land = s.reach[capital]
                    assert total == sum(1 << r for r in everywhere)
                    assert land == sum(1 << r for r in by_land)
                checked[kind] += 1
            elif kind in ("mark", "battle", "declaration", "declarer", "return"):
                assert_presence(s)
            before = kind
            step(s, rng, seed % 2 == 1)
    assert checked["rail_region"] > 160
    assert checked["departure"] > 160


def test_status_update_agrees_with_a_slow_version(monkeypatch: pytest.MonkeyPatch) -> None:
    original = hw.update_status
    seen: Counter[str] = Counter()

    def checked(s: State) -> None:
        expected = []
        for region in range(27):
            tiles = bool(s.v[region]), bool(s.v[27 + region])
            now = status(s, CENTRAL, region)
            after = {(True, False): "friendly", (False, True): "enemy", (True, True): "contested"}.get(tiles, now)
            if tiles == (False, False) and now == "contested":
                after = "friendly" if hw.ALLIED[CENTRAL] >> region & 1 else "enemy"
            expected.append("neutral" if now == "neutral" else after)
            seen[f"{now} {after}"] += 1
        with monkeypatch.context() as patch:
            patch.setattr(hw, "offer_declaration", lambda _: None)
            original(s)
        assert [status(s, CENTRAL, region) for region in range(27)] == expected
        hw.offer_declaration(s)

    monkeypatch.setattr(hw, "update_status", checked)
    for seed in range(20):
        rng = Random(seed)
        s = hw.new_game(rng)
        while not s.over:
            step(s, rng, seed % 2 == 1)
    assert len(seen) > 8


def snapshot(s: State) -> tuple[object, ...]:
    return s.options[:], s.v[:], s.turn, s.side, s.central_pouch, s.entente_pouch, s.over, s.winner


def test_a_clone_plays_on_alike_and_alone() -> None:
    rng = Random(3)
    s = hw.new_game(rng)
    for _ in range(300):
        if s.over:
            break
        before = snapshot(s)
        copies = [hw.clone(s), hw.clone(s)]
        for copy in copies:
            dice = Random(9)
            copy.random = dice.random
            for _ in range(25):
                if not copy.over:
                    hw.apply(copy, int(dice.random() * len(copy.options)))
        assert snapshot(copies[0]) == snapshot(copies[1])
        assert snapshot(s) == before
        step(s, rng, True)


def test_the_same_seed_plays_the_same_game() -> None:
    assert [hw.playout(Random(7)) for _ in range(3)] == [hw.playout(Random(7))] * 3
    assert hw.options_total(Random(7)) > 2 * hw.playout(Random(7))
