"""The yardstick: the base game of An Attrition of Souls, written by hand in plain Python for speed.

No part of `rulescript` is used here. The benchmarks compare a compiled game with this module, so it plays
the whole base game (sections 2 to 6 of the rulebook, no optional rule), lists the options at every
decision, and can be cloned at every decision. Section numbers in comments are the rulebook's.

How a position is held
----------------------
* A *pile* of tiles is one int with a small counter for each sort of tile (nation and type), just wide
  enough for all the tiles of that sort: 27 bits hold any Central pile, 39 bits any Entente pile. A *tile*
  is the pile of one tile. So adding is `+`, removing is `-`, "the British among them" is `&
  NATION_TILES[BRITAIN]`, tiles of one sort are interchangeable by nature, and a pile is a good key for the
  tables that list or count what is in it.
* A set of regions is one int with a bit for each region. Capitals have the low bits, so `regions &
  CAPITALS` indexes a table. Neighbours of a whole set come from two table look-ups, so that flooding the
  map takes a step for each distance and not for each region.
* `State.v` is one flat list of ints: piles on the map by side and region, reserves, destroyed boxes,
  control, presence, neutral regions, and the tiles that may still move. `State` has a few more fields, all
  of them immutable values, or lists and dicts that nobody changes once they are made. A clone therefore
  copies one list and shares the rest.
* A pouch is a tuple of tiles, because a draw picks by index.

How play goes on
----------------
`State.options` lists what may be chosen, `State.resume` is the function that takes the chosen option. There
is one such function (`answer_...`) for each kind of decision; it applies the choice and runs on through
phases until the next decision with at least two options. A decision with a single option is never asked.
Option lists are shared between positions: read them, do not change them. What an option means depends on
the decision: a region, a tile, a nation, YES or NO, and STOP for "no more".

The random source lives outside the position (`State.random`, shared by clones): it is used for the Serbian
set-up, draws and dice.
"""

# A call of `min` costs several times the comparison it replaces.
# ruff: noqa: FURB136, PLR1730
from __future__ import annotations

import sys
import time
from collections.abc import Callable
from random import Random

CENTRAL, ENTENTE = 0, 1
STOP = -1
YES, NO = 1, 0
YES_OR_NO = [YES, NO]
LAST_TURN = 10
EARLY_VICTORY = 17

# --- The map (2.1, inventory section 3) -----------------------------------------------------------

# Capitals first, the Central ones before the Entente ones: name, nation, industrial points.
REGION_DATA = [
    ("Berlin", "Germany", 3),
    ("Vienna", "Austria", 2),
    ("Istanbul", "Ottoman", 2),
    ("Sofia", "Bulgaria", 1),
    ("Mexico", "Mexico", 1),
    ("Petrograd", "Russia", 2),
    ("London", "Britain", 2),
    ("Alexandria", "Britain", 1),
    ("Paris", "France", 2),
    ("Belgrade", "Serbia", 1),
    ("Rome", "Italy", 2),
    ("Washington", "USA", 1),
    ("Bucharest", "Romania", 1),
    ("Salonica", "Greece", 0),
    ("Rhineland", "Germany", 1),
    ("Hungary", "Austria", 1),
    ("Armenia", "Ottoman", 0),
    ("Levant", "Ottoman", 0),
    ("Belgium", "France", 1),
    ("Moscow", "Russia", 1),
    ("Baltics", "Russia", 0),
    ("Poland", "Russia", 0),
    ("Kiev", "Russia", 1),
    ("Ukraine", "Russia", 1),
    ("Caucasus", "Russia", 0),
    ("Northern_Italy", "Italy", 1),
    ("Southern_States", "USA", 1),
]
REGION_NAMES = [name for name, _, _ in REGION_DATA]
REGION = {name: index for index, name in enumerate(REGION_NAMES)}
INDUSTRY = [industry for _, _, industry in REGION_DATA]
ALL_REGIONS = (1 << 27) - 1
CAPITALS = (1 << 14) - 1
BELGRADE = REGION["Belgrade"]

LAND_PATHS = """
Paris-Belgium Berlin-Rhineland Rhineland-Belgium Berlin-Poland Poland-Baltics Rhineland-Vienna
Vienna-Hungary Hungary-Kiev Hungary-Belgrade Rome-Northern_Italy Kiev-Ukraine Ukraine-Caucasus
Petrograd-Moscow Moscow-Ukraine Petrograd-Baltics Istanbul-Armenia Armenia-Caucasus Istanbul-Levant
Levant-Alexandria Vienna-Northern_Italy Hungary-Bucharest Bucharest-Ukraine Bucharest-Sofia
Sofia-Belgrade Sofia-Salonica Belgrade-Salonica Sofia-Istanbul Moscow-Kiev Armenia-Levant
Mexico-Southern_States Southern_States-Washington
"""
NAVAL_PATHS = "London-Paris Rome-Paris Rome-Salonica Washington-London London-Alexandria Alexandria-Salonica"

# --- Nations and tiles (2.9, inventory 2.2) -------------------------------------------------------

# Name, side, infantry, artillery, airplanes.
NATION_DATA = [
    ("Germany", CENTRAL, 7, 5, 4),
    ("Austria", CENTRAL, 10, 1, 1),
    ("Ottoman", CENTRAL, 6, 2, 0),
    ("Bulgaria", CENTRAL, 2, 2, 0),
    ("Mexico", CENTRAL, 3, 1, 0),
    ("Russia", ENTENTE, 18, 1, 1),
    ("Britain", ENTENTE, 9, 1, 2),
    ("France", ENTENTE, 9, 2, 1),
    ("Serbia", ENTENTE, 3, 1, 0),
    ("Italy", ENTENTE, 7, 1, 0),
    ("USA", ENTENTE, 3, 3, 2),
    ("Romania", ENTENTE, 4, 0, 0),
    ("Greece", ENTENTE, 2, 0, 0),
]
NATION_NAMES = [row[0] for row in NATION_DATA]
NATION = {name: index for index, name in enumerate(NATION_NAMES)}
NATION_SIDE = [row[1] for row in NATION_DATA]
BRITAIN, FRANCE, RUSSIA = NATION["Britain"], NATION["France"], NATION["Russia"]
INFANTRY, ARTILLERY, AIRPLANE = 0, 1, 2


def _lay_out_tiles() -> tuple[list[list[int]], list[list[int]]]:
    """For each nation and type the pile of one such tile (0 if there is none), and its counter's bits."""
    tiles: list[list[int]] = []
    fields: list[list[int]] = []
    shifts = [0, 0]
    for _, side, *counts in NATION_DATA:
        tiles.append([])
        fields.append([])
        for count in counts:
            width = count.bit_length()
            tiles[-1].append(1 << shifts[side] if count else 0)
            fields[-1].append(((1 << width) - 1) << shifts[side])
            shifts[side] += width
    return tiles, fields


TILE, FIELD = _lay_out_tiles()
NATION_TILES = [sum(fields) for fields in FIELD]
NATION_PILE = [
    sum(tile * count for tile, count in zip(TILE[nation], row[2:], strict=True))
    for nation, row in enumerate(NATION_DATA)
]
RUSSIAN_TILES = NATION_TILES[RUSSIA]
SIDE_NATIONS = [[n for n in range(13) if NATION_SIDE[n] == side] for side in (CENTRAL, ENTENTE)]
SIDE_SORTS = [
    [(n, t, TILE[n][t], FIELD[n][t]) for n in SIDE_NATIONS[side] for t in range(3) if TILE[n][t]]
    for side in (CENTRAL, ENTENTE)
]
# By side, from a tile to the counter of its sort, and to the counters of this sort and all after it.
SORT_OF: list[dict[int, int]] = [{}, {}]
FROM: list[dict[int, int]] = [{}, {}]
for _side in (CENTRAL, ENTENTE):
    for _at, (_, _, _tile, _field) in enumerate(SIDE_SORTS[_side]):
        SORT_OF[_side][_tile] = _field
        FROM[_side][_tile] = sum(row[3] for row in SIDE_SORTS[_side][_at:])

# --- Region sets and tables over them -------------------------------------------------------------


def region_set(names: str) -> int:
    return sum(1 << REGION[name] for name in names.split())


def _neighbours(paths: str) -> list[int]:
    result = [0] * 27
    for path in paths.split():
        a, b = (REGION[name] for name in path.split("-"))
        result[a] |= 1 << b
        result[b] |= 1 << a
    return result


def _halves(values: list[int], add: bool = False) -> tuple[list[int], list[int]]:
    """Tables for the low 14 and the high 13 bits of a region set: union (or sum) of the members' values."""
    tables = []
    for part in (values[:14], values[14:]):
        table = [0]
        for value in part:
            table += [old + value if add else old | value for old in table]
        tables.append(table)
    return tables[0], tables[1]


LAND = _neighbours(LAND_PATHS)
SEA = _neighbours(NAVAL_PATHS)
LAND_LOW, LAND_HIGH = _halves(LAND)
BOTH_LOW, BOTH_HIGH = _halves([land | sea for land, sea in zip(LAND, SEA, strict=True)])
INDUSTRY_LOW, INDUSTRY_HIGH = _halves(INDUSTRY, add=True)

NATION_REGIONS = [
    sum(1 << index for index, row in enumerate(REGION_DATA) if row[1] == nation) for nation in NATION_NAMES
]
ALLIED = [sum(NATION_REGIONS[n] for n in SIDE_NATIONS[side]) for side in (CENTRAL, ENTENTE)]
SIDE_CAPITALS = [ALLIED[side] & CAPITALS for side in (CENTRAL, ENTENTE)]
RUSSIAN_REGIONS = NATION_REGIONS[RUSSIA]
SALONICA = region_set("Salonica")
START_CONTROL = [
    region_set("Berlin Rhineland Vienna Hungary"),
    region_set(
        "London Paris Belgium Alexandria Belgrade Petrograd Moscow Baltics Poland Kiev Ukraine Caucasus",
    ),
]
START_NEUTRAL = ALL_REGIONS & ~(START_CONTROL[CENTRAL] | START_CONTROL[ENTENTE])
# Entry regions of a nation (4.5): its capitals, and Salonica for the British and French too.
ENTRY_REGIONS = [regions & CAPITALS for regions in NATION_REGIONS]
ENTRY_REGIONS[BRITAIN] |= SALONICA
ENTRY_REGIONS[FRANCE] |= SALONICA
# Where a declaration of war places tiles of this nation (4.10.1); British and French tiles bring in Salonica.
DECLARES = [
    SALONICA if nation in (BRITAIN, FRANCE) else (ENTRY_REGIONS[nation] & START_NEUTRAL) for nation in range(13)
]
DECLARERS = [[n for n in range(13) if DECLARES[n] >> region & 1] for region in range(27)]
JOINS = [SALONICA if nation in (BRITAIN, FRANCE) else NATION_REGIONS[nation] for nation in range(13)]
# Where tiles may go at once when the nation declares war (4.10.2).
REDEPLOYS = [0] * 13
for _name in ("Italy", "Ottoman", "USA"):
    REDEPLOYS[NATION[_name]] = NATION_REGIONS[NATION[_name]] & ~CAPITALS


def _tiles_by_capitals(side: int, regions_of: list[int]) -> list[int]:
    """For every set of capitals, all tiles of the nations that have one of their given regions in it."""
    single = [sum(NATION_TILES[n] for n in SIDE_NATIONS[side] if regions_of[n] >> capital & 1) for capital in range(14)]
    return _halves(single)[0]


# By side and set of open capitals: the tiles with an entry region among them.
ENTRY_TILES = [_tiles_by_capitals(side, ENTRY_REGIONS) for side in (CENTRAL, ENTENTE)]
# By side and set of neutral capitals: the tiles that can declare war, and the tiles of nations not at war.
DECLARING_TILES = [_tiles_by_capitals(side, DECLARES) for side in (CENTRAL, ENTENTE)]
WAITING_TILES = [
    _tiles_by_capitals(side, [regions & CAPITALS & START_NEUTRAL for regions in NATION_REGIONS])
    for side in (CENTRAL, ENTENTE)
]


def _lists_of_half(first: int, count: int) -> list[list[int]]:
    table: list[list[int]] = [[]]
    for region in range(first, first + count):
        table += [[*old, region] for old in table]
    return table


LIST_LOW, LIST_HIGH = _lists_of_half(0, 14), _lists_of_half(14, 13)


class RegionLists(dict[int, list[int]]):
    """Region set -> the regions in it, made when first asked for."""

    def __missing__(self, regions: int) -> list[int]:
        result = self[regions] = LIST_LOW[regions & 16383] + LIST_HIGH[regions >> 14]
        return result


class RegionsOrStop(dict[int, list[int]]):
    """Region set -> the regions in it, then STOP."""

    def __missing__(self, regions: int) -> list[int]:
        result = self[regions] = [*LIST_LOW[regions & 16383], *LIST_HIGH[regions >> 14], STOP]
        return result


class Sorts(dict[int, list[int]]):
    """Pile of one side -> one tile of each sort in it."""

    def __init__(self, side: int) -> None:
        self.side = side

    def __missing__(self, pile: int) -> list[int]:
        result = self[pile] = [tile for _, _, tile, field in SIDE_SORTS[self.side] if pile & field]
        return result


class SortsOrStop(Sorts):
    """Pile of one side -> one tile of each sort in it, then STOP."""

    def __missing__(self, pile: int) -> list[int]:
        result = self[pile] = [*SORTS[self.side][pile], STOP]
        return result


class Departures(dict[int, list[int]]):
    """Pile * 32 + region -> tile * 32 + region for each sort in the pile."""

    def __init__(self, side: int) -> None:
        self.side = side

    def __missing__(self, key: int) -> list[int]:
        result = self[key] = [tile << 5 | key & 31 for tile in SORTS[self.side][key >> 5]]
        return result


class Declarations(dict[int, list[int]]):
    """Pile of one side -> the capitals where its tiles declare war, then STOP."""

    def __init__(self, side: int) -> None:
        self.side = side

    def __missing__(self, pile: int) -> list[int]:
        capitals = 0
        for nation in SIDE_NATIONS[self.side]:
            if pile & NATION_TILES[nation]:
                capitals |= DECLARES[nation]
        result = self[pile] = REGIONS_OR_STOP[capitals]
        return result


class LossChoices(dict[int, list[int]]):
    """Pile * 32 + number of tiles -> the tiles that can be the first of so many, each after those before it."""

    def __init__(self, side: int) -> None:
        self.side = side

    def __missing__(self, key: int) -> list[int]:
        pile, needed = key >> 5, key & 31
        options = []
        left = TALLIES[self.side][pile][3]
        for _, _, tile, field in SIDE_SORTS[self.side]:
            count = (pile & field) // tile
            if count and left >= needed:
                options.append(tile)
            left -= count
        self[key] = options
        return options


class EntryChoices(dict[int, dict[int, list[int]]]):
    """Set of open capitals -> for each tile of one side the entry regions among them."""

    def __init__(self, side: int) -> None:
        self.side = side

    def __missing__(self, capitals: int) -> dict[int, list[int]]:
        result = self[capitals] = {
            tile: REGIONS[ENTRY_REGIONS[nation] & capitals] for nation, _, tile, _ in SIDE_SORTS[self.side]
        }
        return result


Tally = tuple[int, int, int, int, int, list[int]]


class Tallies(dict[int, Tally]):
    """Pile of one side -> infantry, artillery, airplanes, all tiles, tiles of the largest nation, its name.

    The last item is a list: every nation with as many tiles as the largest one.
    """

    def __init__(self, side: int) -> None:
        self.side = side

    def __missing__(self, pile: int) -> Tally:
        types = [0, 0, 0]
        nations = [0] * 13
        for nation, sort, tile, field in SIDE_SORTS[self.side]:
            count = (pile & field) // tile
            types[sort] += count
            nations[nation] += count
        most = max(nations)
        largest = [n for n in SIDE_NATIONS[self.side] if nations[n] == most]
        result = self[pile] = (types[0], types[1], types[2], sum(types), most, largest)
        return result


class Unpacked(dict[int, tuple[int, ...]]):
    """Pile of one side -> its tiles, one by one."""

    def __init__(self, side: int) -> None:
        self.side = side

    def __missing__(self, pile: int) -> tuple[int, ...]:
        tiles: list[int] = []
        for _, _, tile, field in SIDE_SORTS[self.side]:
            tiles += [tile] * ((pile & field) // tile)
        result = self[pile] = tuple(tiles)
        return result


REGIONS = RegionLists()
REGIONS_OR_STOP = RegionsOrStop()
SORTS = [Sorts(CENTRAL), Sorts(ENTENTE)]
SORTS_OR_STOP = [SortsOrStop(CENTRAL), SortsOrStop(ENTENTE)]
DEPARTURES = [Departures(CENTRAL), Departures(ENTENTE)]
DECLARATIONS = [Declarations(CENTRAL), Declarations(ENTENTE)]
LOSS_CHOICES = [LossChoices(CENTRAL), LossChoices(ENTENTE)]
ENTRY_CHOICES = [EntryChoices(CENTRAL), EntryChoices(ENTENTE)]
TALLIES = [Tallies(CENTRAL), Tallies(ENTENTE)]
UNPACKED = [Unpacked(CENTRAL), Unpacked(ENTENTE)]


def industry_of(regions: int) -> int:
    return INDUSTRY_LOW[regions & 16383] + INDUSTRY_HIGH[regions >> 14]


# Tiles that join the pouch, by side and turn (4.1.1, calendar in inventory 2.4).
NEW_TILES: list[list[tuple[int, ...]]] = [[()] * (LAST_TURN + 1) for _ in (CENTRAL, ENTENTE)]
for _turn, _names in (
    (1, "Ottoman"),
    (2, "Italy"),
    (3, "Bulgaria"),
    (5, "Greece Romania"),
    (6, "Mexico USA"),
):
    for _nation in (NATION[name] for name in _names.split()):
        NEW_TILES[NATION_SIDE[_nation]][_turn] += UNPACKED[NATION_SIDE[_nation]][NATION_PILE[_nation]]
START_POUCH = [
    UNPACKED[CENTRAL][NATION_PILE[NATION["Germany"]] + NATION_PILE[NATION["Austria"]]],
    UNPACKED[ENTENTE][NATION_PILE[RUSSIA] + NATION_PILE[BRITAIN] + NATION_PILE[FRANCE]],
]
SERBIAN_TILES = UNPACKED[ENTENTE][NATION_PILE[NATION["Serbia"]]]

# --- The position ---------------------------------------------------------------------------------

# Places in State.v. On the map: region for the Central Powers, ENTENTE_MAP + region for the Entente. The
# others are for the Central Powers, with the Entente's next to them.
ENTENTE_MAP = 27
RESERVES = 54
DESTROYED = 56
CONTROL = 58
PRESENCE = 60
NEUTRAL = 62
# Tiles that may still move, by capital.
UNMOVED = 63
LENGTH = UNMOVED + 14


class State:
    """A position: what is on the table, and where play waits for a choice."""

    __slots__ = (
        "by_land",
        "by_sea",
        "central_pouch",
        "choices",
        "departures",
        "destinations",
        "entente_pouch",
        "losses",
        "marks",
        "options",
        "over",
        "pending",
        "random",
        "reach",
        "region",
        "resume",
        "side",
        "surrendered",
        "tile",
        "turn",
        "v",
        "winner",
    )

    v: list[int]
    options: list[int]
    resume: Callable[[State, int], None]
    random: Callable[[], float]
    over: bool
    winner: int | None  # None too when the game is a draw
    side: int  # whose turn it is
    turn: int
    surrendered: bool
    central_pouch: tuple[int, ...]
    entente_pouch: tuple[int, ...]
    # What the phase in hand must remember.
    pending: int  # tiles that may still be chosen, as a pile
    tile: int  # the tile that was chosen
    region: int
    losses: int  # tiles the loser in hand must still give up, and 32 times those its opponent will
    marks: int  # battles to be fought
    by_land: int  # regions entered this turn by a tile that used no naval path
    by_sea: int
    reach: dict[int, tuple[int, int]]  # capital -> all destinations, those reached by land alone
    choices: dict[int, list[int]]  # tile -> regions, when mobilising
    departures: list[int]  # the tiles that may be mobilised, or moved, and STOP
    destinations: list[int]  # where tiles may advance or redeploy to


def clone(s: State) -> State:
    c = State.__new__(State)
    c.v = s.v[:]
    c.options = s.options
    c.resume = s.resume
    c.random = s.random
    c.over = s.over
    c.winner = s.winner
    c.side = s.side
    c.turn = s.turn
    c.surrendered = s.surrendered
    c.central_pouch = s.central_pouch
    c.entente_pouch = s.entente_pouch
    c.pending = s.pending
    c.tile = s.tile
    c.region = s.region
    c.losses = s.losses
    c.marks = s.marks
    c.by_land = s.by_land
    c.by_sea = s.by_sea
    c.reach = s.reach
    c.choices = s.choices
    c.departures = s.departures
    c.destinations = s.destinations
    return c


def new_game(seed: int | Random) -> State:
    """Set up (3.0) and play on to the first decision. A Random in place of a seed is used as it is."""
    s = State.__new__(State)
    s.random = (seed if isinstance(seed, Random) else Random(seed)).random
    v = s.v = [0] * LENGTH
    v[CONTROL] = START_CONTROL[CENTRAL]
    v[CONTROL + 1] = START_CONTROL[ENTENTE]
    v[NEUTRAL] = START_NEUTRAL
    s.options = YES_OR_NO
    s.resume = answer_surrender
    s.over = s.surrendered = False
    s.winner = None
    s.side = CENTRAL
    s.turn = 1
    s.pending = s.tile = s.region = s.losses = s.marks = s.by_land = s.by_sea = 0
    s.reach = {}
    s.choices = {}
    s.departures = []
    s.destinations = []
    s.central_pouch = START_POUCH[CENTRAL]
    s.entente_pouch = SERBIAN_TILES
    draw_tiles(s, ENTENTE, 2)
    v[ENTENTE_MAP + BELGRADE] = v[RESERVES + 1]
    v[RESERVES + 1] = 0
    v[PRESENCE + 1] = 1 << BELGRADE
    s.entente_pouch += START_POUCH[ENTENTE]
    begin_turn(s)
    return s


def apply(s: State, index: int) -> None:
    """Choose the option with this index and play on to the next decision or the end."""
    s.resume(s, s.options[index])


def player_of(s: State) -> int:
    """The side that decides."""
    return 1 - s.side if s.resume is answer_defender_loss else s.side


# --- Start of a turn, return, draw (4.1, 4.2, 5.1) ------------------------------------------------


def begin_turn(s: State) -> None:
    side = s.side
    v = s.v
    control = v[CONTROL + side]
    if INDUSTRY_LOW[control & 16383] + INDUSTRY_HIGH[control >> 14] >= EARLY_VICTORY:
        finish(s, side)
        return
    arrivals = NEW_TILES[side][s.turn]
    if arrivals:
        if side:
            s.entente_pouch += arrivals
        else:
            s.central_pouch += arrivals
    destroyed = v[DESTROYED + side]
    if destroyed:
        options = s.options = [n for n in SIDE_NATIONS[side] if destroyed & NATION_TILES[n]]
        options.append(STOP)
        s.resume = answer_return
    else:
        begin_draw(s)


def answer_return(s: State, nation: int) -> None:
    """All destroyed tiles of one more nation to the pouch, or no more (4.1.2)."""
    if nation >= 0:
        side = s.side
        returned = s.v[DESTROYED + side] & NATION_TILES[nation]
        s.v[DESTROYED + side] -= returned
        if side:
            s.entente_pouch += UNPACKED[1][returned]
        else:
            s.central_pouch += UNPACKED[0][returned]
        options = s.options
        if len(options) > 2:
            s.options = options = options[:]
            options.remove(nation)
            return
    begin_draw(s)


def begin_draw(s: State) -> None:
    side = s.side
    v = s.v
    control = v[CONTROL + side]
    count = INDUSTRY_LOW[control & 16383] + INDUSTRY_HIGH[control >> 14]
    if side:
        draw_tiles(s, 1, count)
        if not s.surrendered:
            s.options = YES_OR_NO
            s.resume = answer_surrender
            return
    else:
        if s.turn == 2 and v[NEUTRAL] & 4:  # 6.2: Istanbul is neutral
            count += 3
        draw_tiles(s, 0, count)
    begin_rail(s)


def draw_tiles(s: State, side: int, count: int) -> None:
    """Tiles from pouch to reserves; after the surrender Russian ones are destroyed and replaced (4.3-k)."""
    random = s.random
    pouch = list(s.entente_pouch if side else s.central_pouch)
    left = len(pouch)
    drawn = 0
    if side and s.surrendered:
        discarded = 0
        while count and left:
            index = int(random() * left)
            left -= 1
            tile = pouch[index]
            pouch[index] = pouch[left]
            if tile & RUSSIAN_TILES:
                discarded += tile
            else:
                drawn += tile
                count -= 1
        s.v[DESTROYED + 1] += discarded
    else:
        stop = left - count if count < left else 0
        while left > stop:
            index = int(random() * left)
            left -= 1
            drawn += pouch[index]
            pouch[index] = pouch[left]
    s.v[RESERVES + side] += drawn
    if side:
        s.entente_pouch = tuple(pouch[:left])
    else:
        s.central_pouch = tuple(pouch[:left])


def answer_surrender(s: State, option: int) -> None:
    """Russia leaves the war (4.3), or not yet."""
    if option:
        v = s.v
        s.surrendered = True
        discarded = v[RESERVES + 1] & RUSSIAN_TILES
        v[RESERVES + 1] -= discarded
        v[DESTROYED + 1] += discarded
        draw_tiles(s, 1, TALLIES[1][discarded][3])
        for region in REGIONS[v[PRESENCE + 1]]:
            russians = v[ENTENTE_MAP + region] & RUSSIAN_TILES
            if russians:
                v[DESTROYED + 1] += russians
                v[ENTENTE_MAP + region] -= russians
                if not v[ENTENTE_MAP + region]:
                    v[PRESENCE + 1] ^= 1 << region
        held = v[CONTROL + 1] & RUSSIAN_REGIONS
        contested = RUSSIAN_REGIONS & ~(v[CONTROL] | v[CONTROL + 1])
        v[CONTROL + 1] ^= held
        v[NEUTRAL] |= held | contested & ~v[PRESENCE + 1]
    begin_rail(s)


# --- Rail (4.4) -----------------------------------------------------------------------------------


def rail_component(side: int, start: int, allowed: int) -> int:
    """These regions and all that rail can reach from them, by land and for the Entente also by sea."""
    low, high = (BOTH_LOW, BOTH_HIGH) if side else (LAND_LOW, LAND_HIGH)
    grown = start | (low[start & 16383] | high[start >> 14]) & allowed
    while grown != start:
        start = grown
        grown = start | (low[start & 16383] | high[start >> 14]) & allowed
    return start


def begin_rail(s: State) -> None:
    side = s.side
    v = s.v
    presence = v[PRESENCE + side]
    neutral = v[NEUTRAL]
    allowed = ALL_REGIONS & ~(neutral | v[CONTROL + 1 - side])
    entry_tiles = ENTRY_TILES[side]
    first = ENTENTE_MAP * side
    regions = 0
    rest = presence & allowed
    seeds = allowed & SIDE_CAPITALS[side]
    low, high = (BOTH_LOW, BOTH_HIGH) if side else (LAND_LOW, LAND_HIGH)
    while rest and seeds:
        component = seeds & -seeds
        grown = component | (low[component & 16383] | high[component >> 14]) & allowed
        while grown != component:
            component = grown
            grown = component | (low[component & 16383] | high[component >> 14]) & allowed
        seeds &= ~component
        here = rest & component
        if here:
            rest ^= here
            tiles = entry_tiles[component & CAPITALS]
            for region in REGIONS[here]:
                if v[first + region] & tiles:
                    regions |= 1 << region
    # Tiles in Russian regions that the surrender made neutral may leave by rail (4.3-j).
    if presence & neutral:
        for region in REGIONS[presence & neutral]:
            component = rail_component(side, 1 << region, allowed)
            if v[first + region] & entry_tiles[component & allowed & CAPITALS]:
                regions |= 1 << region
    if regions:
        s.options = REGIONS_OR_STOP[regions]
        s.resume = answer_rail_region
    else:
        begin_mobilisation(s)


def answer_rail_region(s: State, region: int) -> None:
    if region < 0:
        begin_mobilisation(s)
        return
    side = s.side
    v = s.v
    allowed = ALL_REGIONS & ~(v[NEUTRAL] | v[CONTROL + 1 - side])
    component = rail_component(side, 1 << region, allowed)
    s.region = region
    s.pending = pending = v[ENTENTE_MAP * side + region] & ENTRY_TILES[side][component & allowed & CAPITALS]
    s.options = SORTS_OR_STOP[side][pending]
    s.resume = answer_rail_tile


def answer_rail_tile(s: State, tile: int) -> None:
    """One more tile of the chosen region to reserves, or no more; each sort after the sorts before it."""
    if tile > 0:
        side = s.side
        v = s.v
        place = ENTENTE_MAP * side + s.region
        v[RESERVES + side] += tile
        v[place] -= tile
        pending = s.pending = (s.pending - tile) & FROM[side][tile]
        if pending:
            s.options = SORTS_OR_STOP[side][pending]
            return
        if not v[place]:
            v[PRESENCE + side] ^= 1 << s.region
    elif not s.v[ENTENTE_MAP * s.side + s.region]:
        s.v[PRESENCE + s.side] ^= 1 << s.region
    begin_mobilisation(s)


# --- Mobilisation (4.5) ---------------------------------------------------------------------------


def begin_mobilisation(s: State) -> None:
    side = s.side
    v = s.v
    capitals = CAPITALS & ~(v[NEUTRAL] | v[CONTROL + 1 - side])
    pending = v[RESERVES + side] & ENTRY_TILES[side][capitals]
    if pending:
        s.choices = ENTRY_CHOICES[side][capitals]
        s.pending = pending
        s.departures = s.options = SORTS_OR_STOP[side][pending]
        s.resume = answer_mobilise
    else:
        begin_movement(s)


def answer_mobilise(s: State, tile: int) -> None:
    """Which tile is placed next, or no more."""
    if tile < 0:
        begin_movement(s)
        return
    s.tile = tile
    options = s.choices[tile]
    if len(options) > 1:
        s.options = options
        s.resume = answer_entry
    else:
        answer_entry(s, options[0])


def answer_entry(s: State, region: int) -> None:
    """The entry region it is placed in."""
    side = s.side
    v = s.v
    tile = s.tile
    v[RESERVES + side] -= tile
    v[ENTENTE_MAP * side + region] += tile
    v[PRESENCE + side] |= 1 << region
    pending = s.pending = s.pending - tile
    options = s.departures
    if not pending & SORT_OF[side][tile]:
        if not pending:
            begin_movement(s)
            return
        s.departures = options = options[:]
        options.remove(tile)
    s.options = options
    s.resume = answer_mobilise


# --- Movement (4.6) -------------------------------------------------------------------------------


def begin_movement(s: State) -> None:
    side = s.side
    v = s.v
    s.by_land = s.by_sea = 0
    friendly = v[CONTROL + side]
    enemy = v[CONTROL + 1 - side]
    contested = ALL_REGIONS & ~(friendly | enemy | v[NEUTRAL])
    departures: list[int] = []
    capitals = v[PRESENCE + side] & SIDE_CAPITALS[side] & (friendly | contested)
    if capitals:
        front = contested if s.turn == 1 else contested | enemy  # 6.1
        reach = s.reach = {}
        first = ENTENTE_MAP * side
        origins = DEPARTURES[side]
        component = around = 0
        for capital in REGIONS[capitals]:
            here = 1 << capital
            # By land: flood the friendly regions, then add the front line around them.
            if here & friendly:
                start = here
                direct = 0
            else:
                start = LAND[capital] & friendly
                direct = LAND[capital] & contested  # 4.6.3
            if not start:
                land = direct
            else:
                if start & ~component:
                    component = start
                    edge = LAND_LOW[start & 16383] | LAND_HIGH[start >> 14]
                    grown = start | edge & friendly
                    while grown != component:
                        component = grown
                        edge = LAND_LOW[component & 16383] | LAND_HIGH[component >> 14]
                        grown = component | edge & friendly
                    around = component | edge & front
                land = (around | direct) & ~here
                if start & (start - 1):
                    component = 0  # perhaps several components: no use to the next capital
            total = land
            # By sea: one naval path as the first step, then on by land.
            if side and SEA[capital]:
                across = SEA[capital]
                total |= across & (front if here & friendly else contested)
                start = across & friendly & ~total
                if start:
                    edge = LAND_LOW[start & 16383] | LAND_HIGH[start >> 14]
                    grown = start | edge & friendly
                    while grown != start:
                        start = grown
                        edge = LAND_LOW[start & 16383] | LAND_HIGH[start >> 14]
                        grown = start | edge & friendly
                    total |= (start | edge & front) & ~here
            if total:
                reach[capital] = (total, land)
                pile = v[UNMOVED + capital] = v[first + capital]
                departures += origins[pile << 5 | capital]
        if departures:
            departures.append(STOP)
            s.departures = s.options = departures
            s.resume = answer_departure
            return
    plan_battles(s)


def answer_departure(s: State, option: int) -> None:
    """Which tile moves next, from which capital."""
    if option < 0:
        plan_battles(s)
        return
    s.tile = option
    options = REGIONS[s.reach[option & 31][0]]
    if len(options) > 1:
        s.options = options
        s.resume = answer_destination
    else:
        answer_destination(s, options[0])


def answer_destination(s: State, region: int) -> None:
    side = s.side
    v = s.v
    option = s.tile
    origin = option & 31
    tile = option >> 5
    place = origin + ENTENTE_MAP if side else origin
    v[place] -= tile
    if not v[place]:
        v[PRESENCE + side] ^= 1 << origin
    v[ENTENTE_MAP * side + region] += tile
    here = 1 << region
    v[PRESENCE + side] |= here
    if s.reach[origin][1] & here:
        s.by_land |= here
    else:
        s.by_sea |= here
    unmoved = v[UNMOVED + origin] = v[UNMOVED + origin] - tile
    options = s.departures
    if not unmoved & SORT_OF[side][tile]:
        options = options[:]
        options.remove(option)
        if len(options) == 1:
            plan_battles(s)
            return
        s.departures = options
    s.options = options
    s.resume = answer_departure


# --- Battles (4.7, 4.8) ---------------------------------------------------------------------------


def plan_battles(s: State) -> None:
    side = s.side
    v = s.v
    presence = v[PRESENCE + side]
    enemy = v[CONTROL + 1 - side]
    entered = presence & enemy
    marks = s.marks = entered & (ALLIED[1 - side] | s.by_sea & ~s.by_land)  # 4.7.1
    optional = (presence & v[PRESENCE + 1 - side] | entered) & ~marks  # 4.7.2
    if optional:
        s.pending = optional
        s.options = REGIONS_OR_STOP[optional]
        s.resume = answer_mark
    elif marks:
        next_battle(s)
    else:
        update_status(s)


def answer_mark(s: State, region: int) -> None:
    """Mark one more optional battle, or no more."""
    if region >= 0:
        here = 1 << region
        s.marks |= here
        optional = s.pending = s.pending ^ here
        if optional:
            s.options = REGIONS_OR_STOP[optional]
            return
    next_battle(s)


def next_battle(s: State) -> None:
    marks = s.marks
    if not marks:
        update_status(s)
        return
    options = REGIONS[marks]
    if len(options) > 1:
        s.options = options
        s.resume = answer_battle
    else:
        answer_battle(s, options[0])


def answer_battle(s: State, region: int) -> None:
    """Which battle is fought next (4.8.1)."""
    side = s.side
    v = s.v
    s.region = region
    s.marks ^= 1 << region
    if v[ENTENTE_MAP * (1 - side) + region]:
        largest = TALLIES[side][v[ENTENTE_MAP * side + region]][5]
        if len(largest) > 1:
            s.options = largest
            s.resume = answer_nation
        else:
            roll_battle(s)
    else:
        begin_advance(s)


def answer_nation(s: State, nation: int) -> None:
    """Which of the largest nations rolls (Amb-19): in the base game they roll alike."""
    roll_battle(s)


def roll_battle(s: State) -> None:
    side = s.side
    v = s.v
    region = s.region
    infantry, artillery, airplanes, tiles, dice, _ = TALLIES[side][v[ENTENTE_MAP * side + region]]
    place = ENTENTE_MAP * (1 - side) + region
    foe_infantry, foe_artillery, foe_airplanes, foe_tiles, _, _ = TALLIES[1 - side][v[place]]
    random = s.random
    ones = twos = threes = 0
    for _ in range(dice):
        face = random() * 6.0
        if face < 3.0:
            if face < 1.0:
                ones += 1
            elif face < 2.0:
                twos += 1
            else:
                threes += 1
    hits = hits_back = 0
    if ones:
        hits = ones if ones < infantry else infantry
        hits_back = ones if ones < foe_infantry else foe_infantry
    if twos:
        hits += twos if twos < artillery else artillery
        hits_back += twos if twos < foe_artillery else foe_artillery
    if threes:
        hits += threes if threes < airplanes else airplanes
        hits_back += threes if threes < foe_airplanes else foe_airplanes
    if hits_back > tiles:
        hits_back = tiles
    if not hits:
        attacker_losses(s, hits_back)
    elif hits >= foe_tiles:
        v[DESTROYED + 1 - side] += v[place]
        v[place] = 0
        v[PRESENCE + 1 - side] ^= 1 << region
        attacker_losses(s, hits_back)
    else:
        s.losses = hits_back << 5 | hits
        s.pending = v[place]
        if lost(s, 1 - side):
            attacker_losses(s, hits_back)


def lost(s: State, side: int) -> bool:
    """Losses that leave no choice; False if there is one now. Each sort is lost after the sorts before it, so
    that every way to lose so many tiles is one way through the questions."""
    v = s.v
    place = ENTENTE_MAP * side + s.region
    pending = s.pending
    needed = s.losses & 31
    while needed:
        options = LOSS_CHOICES[side][pending << 5 | needed]
        if len(options) > 1:
            s.pending = pending
            s.losses = s.losses & ~31 | needed
            s.options = options
            s.resume = answer_defender_loss if side != s.side else answer_attacker_loss
            return False
        tile = options[0]
        v[DESTROYED + side] += tile
        v[place] -= tile
        pending = (pending - tile) & FROM[side][tile]
        needed -= 1
    return True


def answer_defender_loss(s: State, tile: int) -> None:
    """The defender's next lost tile; some of its tiles survive."""
    side = 1 - s.side
    v = s.v
    v[DESTROYED + side] += tile
    v[ENTENTE_MAP * side + s.region] -= tile
    s.pending = (s.pending - tile) & FROM[side][tile]
    s.losses -= 1
    if lost(s, side):
        attacker_losses(s, s.losses >> 5)


def attacker_losses(s: State, losses: int) -> None:
    side = s.side
    v = s.v
    if losses:
        place = ENTENTE_MAP * side + s.region
        pile = v[place]
        if losses == TALLIES[side][pile][3]:
            v[DESTROYED + side] += pile
            v[place] = 0
            v[PRESENCE + side] ^= 1 << s.region
            next_battle(s)
            return
        s.losses = losses
        s.pending = pile
        if not lost(s, side):
            return
    end_battle(s)


def answer_attacker_loss(s: State, tile: int) -> None:
    """The attacker's next lost tile; some of its tiles survive."""
    side = s.side
    v = s.v
    v[DESTROYED + side] += tile
    v[ENTENTE_MAP * side + s.region] -= tile
    s.pending = (s.pending - tile) & FROM[side][tile]
    s.losses -= 1
    if lost(s, side):
        end_battle(s)


def end_battle(s: State) -> None:
    if s.v[ENTENTE_MAP * (1 - s.side) + s.region]:
        next_battle(s)
    else:
        begin_advance(s)


def begin_advance(s: State) -> None:
    """The battle is won: own control at once, then any tiles to land neighbours (4.8.4)."""
    side = s.side
    v = s.v
    region = s.region
    here = 1 << region
    v[CONTROL + side] |= here
    v[CONTROL + 1 - side] &= ~here
    open_regions = LAND[region] & ~v[NEUTRAL]
    if open_regions:
        s.destinations = REGIONS[open_regions]
        s.options = SORTS_OR_STOP[side][v[ENTENTE_MAP * side + region]]
        s.resume = answer_advance
    else:
        next_battle(s)


def answer_advance(s: State, tile: int) -> None:
    """Which tile goes on, or no more."""
    if tile < 0:
        next_battle(s)
        return
    s.tile = tile
    options = s.destinations
    if len(options) > 1:
        s.options = options
        s.resume = answer_advance_to
    else:
        answer_advance_to(s, options[0])


def answer_advance_to(s: State, region: int) -> None:
    side = s.side
    v = s.v
    tile = s.tile
    place = ENTENTE_MAP * side
    v[place + region] += tile
    v[PRESENCE + side] |= 1 << region
    pile = v[place + s.region] = v[place + s.region] - tile
    if pile:
        s.options = SORTS_OR_STOP[side][pile]
        s.resume = answer_advance
    else:
        v[PRESENCE + side] ^= 1 << s.region
        next_battle(s)


# --- Status, declarations of war, reserves (4.9 to 4.11) ------------------------------------------


def update_status(s: State) -> None:
    v = s.v
    central = v[PRESENCE]
    entente = v[PRESENCE + 1]
    at_war = ~v[NEUTRAL]
    abandoned = ALL_REGIONS & at_war & ~(v[CONTROL] | v[CONTROL + 1] | central | entente)  # 4.9-e
    v[CONTROL] = (v[CONTROL] | central) & at_war & ~entente | abandoned & ALLIED[CENTRAL]
    v[CONTROL + 1] = (v[CONTROL + 1] | entente) & at_war & ~central | abandoned & ALLIED[ENTENTE]
    offer_declaration(s)


def offer_declaration(s: State) -> None:
    side = s.side
    v = s.v
    reserves = v[RESERVES + side]
    if reserves:
        able = reserves & DECLARING_TILES[side][v[NEUTRAL] & CAPITALS]
        if able:
            s.options = DECLARATIONS[side][able]
            s.resume = answer_declaration
            return
    end_turn(s)


def answer_declaration(s: State, region: int) -> None:
    """A neutral capital whose nation declares war, or no more declarations (4.10.1)."""
    if region < 0:
        end_turn(s)
        return
    s.region = region
    reserves = s.v[RESERVES + s.side]
    nations = [n for n in DECLARERS[region] if reserves & NATION_TILES[n]]
    if len(nations) > 1:
        s.options = nations
        s.resume = answer_declarer
    else:
        answer_declarer(s, nations[0])


def answer_declarer(s: State, nation: int) -> None:
    """Whose tiles do so: in Salonica there are three nations that can (4.10.1.1)."""
    side = s.side
    v = s.v
    region = s.region
    joining = JOINS[nation]
    placed = v[RESERVES + side] & NATION_TILES[nation]
    v[RESERVES + side] -= placed
    v[ENTENTE_MAP * side + region] += placed
    v[PRESENCE + side] |= 1 << region
    v[NEUTRAL] ^= joining
    v[CONTROL + side] |= joining
    if REDEPLOYS[nation]:
        s.destinations = REGIONS[REDEPLOYS[nation]]
        s.options = SORTS_OR_STOP[side][placed]
        s.resume = answer_redeploy
    else:
        offer_declaration(s)


def answer_redeploy(s: State, tile: int) -> None:
    """A tile of the new nation that moves inside it (4.10.2), or no more."""
    if tile < 0:
        offer_declaration(s)
        return
    s.tile = tile
    options = s.destinations
    if len(options) > 1:
        s.options = options
        s.resume = answer_redeploy_to
    else:
        answer_redeploy_to(s, options[0])


def answer_redeploy_to(s: State, region: int) -> None:
    side = s.side
    v = s.v
    tile = s.tile
    place = ENTENTE_MAP * side
    v[place + region] += tile
    v[PRESENCE + side] |= 1 << region
    pile = v[place + s.region] = v[place + s.region] - tile
    if pile:
        s.options = SORTS_OR_STOP[side][pile]
        s.resume = answer_redeploy
    else:
        v[PRESENCE + side] ^= 1 << s.region
        offer_declaration(s)


def end_turn(s: State) -> None:
    side = s.side
    v = s.v
    reserves = v[RESERVES + side]
    if reserves:
        kept = reserves & WAITING_TILES[side][v[NEUTRAL] & CAPITALS]
        v[RESERVES + side] = kept
        v[DESTROYED + side] += reserves - kept
    if side:
        s.side = CENTRAL
        if s.turn == LAST_TURN:
            central = industry_of(v[CONTROL])
            entente = industry_of(v[CONTROL + 1])
            finish(s, None if central == entente else CENTRAL if central > entente else ENTENTE)
            return
        s.turn += 1
    else:
        s.side = ENTENTE
    begin_turn(s)


def finish(s: State, winner: int | None) -> None:
    s.over = True
    s.winner = winner
    s.options = []


# --- Measuring ------------------------------------------------------------------------------------


def playout(rng: Random) -> int:
    """Play one game at random, all options alike; the number of decisions."""
    s = new_game(rng)
    random = rng.random
    decisions = 0
    options = s.options
    while options:
        s.resume(s, options[int(random() * len(options))])
        decisions += 1
        options = s.options
    return decisions


def options_total(rng: Random) -> int:
    """The number of options over all decisions of the game that `playout` would play."""
    s = new_game(rng)
    random = rng.random
    total = 0
    options = s.options
    while options:
        total += len(options)
        s.resume(s, options[int(random() * len(options))])
        options = s.options
    return total


def measure_clone(repeats: int = 5, rounds: int = 20_000) -> float:
    """Microseconds for one clone of a position in mid-game, best of so many repeats."""
    rng = Random(5)
    s = new_game(rng)
    for _ in range(150):
        apply(s, int(rng.random() * len(s.options)))
    best = float("inf")
    for _ in range(repeats):
        begin = time.perf_counter()
        for _ in range(rounds):
            clone(s)
        best = min(best, time.perf_counter() - begin)
    return best / rounds * 1e6


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    repeats = 5
    best = 0.0
    decisions = options = 0
    best_games = 0.0
    for repeat in range(repeats):
        # New games in every repeat: the tables filled by old ones would serve a replay too well.
        rng = Random(1914 + repeat)
        begin = time.perf_counter()
        played = sum(playout(rng) for _ in range(games))
        seconds = time.perf_counter() - begin
        best = max(best, played / seconds)
        best_games = max(best_games, games / seconds)
        decisions += played
    for repeat in range(repeats):
        rng = Random(1914 + repeat)
        options += sum(options_total(rng) for _ in range(games))
    print(f"decisions/s           {best:>12,.0f}")
    print(f"playouts/s            {best_games:>12,.1f}")
    print(f"decisions per game    {decisions / games / repeats:>12.1f}")
    print(f"options per decision  {options / decisions:>12.2f}")
    print(f"clone (us)            {measure_clone():>12.2f}")
    print(f"best of {repeats} repeats of {games} games each")


if __name__ == "__main__":
    main()
