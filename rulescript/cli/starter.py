"""The texts that `rulescript new` writes: a small game that can be played at once, and a variant of another.

They are meant to be read and changed, so they say in comments what each part is for. `@TITLE@` and the like
are filled in. The places and sides are invented.
"""

from __future__ import annotations

__all__ = ["STARTER", "VARIANT"]

_GAME = """\
rulescript 1

# A small game that can be played at once. Change it bit by bit, and look after each change:
#
#     rulescript check @FOLDER@        every mistake, with a hint
#     rulescript play @FOLDER@         try it (add --against random for an opponent)
#     rulescript test @FOLDER@         its claims, and a great many random games
#     rulescript simulate @FOLDER@     who wins how often

game "@TITLE@", version "0.1"
    "Two armies, six places, four rounds. Whoever holds more at the end wins."

include "map.rules"
include "claims.rules"

# The index of the rulebook: the numbers that rules cite. A refused move is told the number.
rulebook "@TITLE@"
    1.1  setup       "What stands where at the beginning"
    2.1  sequence    "A round"
    3.0  choice      "Movement"
    3.1  constraint  "Only your own units move"
    3.2  constraint  "A unit moves once a round"
    3.3  constraint  "One step along a path"
    4.1  choice      "Attacking"
    4.2  random      "Rolling for hits"
    4.3  choice      "Losses"
    5.1  definition  "Who holds a place"
    5.2  victory     "Holding the valley"
    6.1  optional    "Steep ground"

# ---- the sequence of play ----

values Round: first, second, third, fourth

# What changes in play is a state. `for round in Round` walks through its values.
state round: Round
state active: Side

sequence  §2.1
    setup
    for round in Round
        for active in Side
            movement
            combat
            occupation
    scoring

phase setup  §1.1
    place 4 Uplander foot, 1 Uplander horse in Crag
    place 4 Lowlander foot, 1 Lowlander horse in Harbour

# ---- movement ----

phase movement "Movement"              §3.0
    repeat
        # A choice says what there is to choose from, and what each option must satisfy.
        choose move: u in Place.units, p in Place "Move {u} to {p}"
            require u.side == active   §3.1
            require not u.moved        §3.2
            require p in u.place.path  §3.3
            move u to p
            u.moved = yes
        or stop "End movement"

# ---- combat ----

# A `value` can be adjusted by options, cards and other rules; the journal remembers which of them did.
value dice(p: Place) -> int  §4.2
    count(p.units[side == active])

phase combat "Combat"                              §4.1
    repeat
        choose attack: p in Place "Attack in {p}"  §4.1
            require some p.units[side == active]
            require some p.units[side != active]
            require not p.attacked
            p.attacked = yes
            battle(p)
        or stop "No more attacks"

procedure battle(p: Place)                                                                   §4.2
    roll dice(p) d6 as rolled
    let hits = count(rolled[it >= 5]) at most count(p.units[side != active])
    choose by enemy of active lose: hits from p.units[side != active] as lost "Lose {lost}"  §4.3
        for u in lost
            move u to u.side.box

function enemy(s: Side) -> Side  §4.1
    if s == Uplands then Lowlands else Uplands

# ---- who holds what, and who wins ----

phase occupation  §5.1
    for p in Place[some it.units[side == active] and none it.units[side != active]]
        p.holder = active

function points(s: Side) -> int  §5.2
    sum(p.worth for p in Place[holder == s])

phase scoring  §5.2
    if points(Uplands) == points(Lowlands)
        end game, draw "neither holds more"
    let leader = only(most Side by points(it))
    end game, leader wins "{points(leader)} points"

# ---- an optional rule: rulescript play @FOLDER@ -o steep ----

option steep "Steep ground"                                    §6.1
    "An attack uphill is made with one die less, but never without a die."
    adjust dice(p) add -1 floor 1 when p.steep "Steep ground"  §6.1
"""

_MAP = """\
rulescript 1

# Who plays. `adjective` lets you write `Uplander foot`.
kind Side: adjective: text
    holds box: Unit

things
    Side Uplands   adjective "Uplander"
    Side Lowlands  adjective "Lowlander"

players Side

# What stands after the colon never changes; a state does. `maybe` means that it can be nothing.
kind Place: worth: int = 1, steep: bool = no
    state holder: maybe Side
    state attacked: bool, lasts combat
    holds units: Unit

map Valley  §1.1
    link path
    Place Crag  worth 2, steep
    Place Pasture
    Place Orchard
    Place Mill  worth 2
    Place Marsh
    Place Harbour  worth 2
    path Crag - Pasture - Mill - Harbour
    path Crag - Orchard - Mill
    path Pasture - Orchard
    path Mill - Marsh - Harbour

# Pieces are counters: it does not matter which one it is, only of which sort.
values Arm: foot, horse

pieces Unit: side: Side, arm: Arm
    state moved: bool, lasts movement
    home side.box

counts Unit  §1.1
    |          | foot | horse |
    | Uplands  |    5 |     2 |
    | Lowlands |    5 |     2 |
"""

_CLAIMS = """\
rulescript 1

# What must always hold, whatever is played.
invariant "Points never exceed what the places are worth"
    points(Uplands) + points(Lowlands) <= sum(p.worth for p in Place)

# What can be counted on the printed game.
check "Ten points would be too many"  §5.2
    sum(p.worth for p in Place) == 9

# A position, what is played, and what must follow.
example "A unit moves once, one step, and not the enemy's"  §3.1
    given empty, round first, active Uplands, at movement
        Crag: 2 Uplander foot
        Mill: 1 Lowlander foot
    try move Uplander foot in Crag to Mill -> refused by §3.3
    try move Lowlander foot in Mill to Marsh -> refused by §3.1
    play
        Uplands: move Uplander foot in Crag to Orchard
    try move Uplander foot in Orchard to Crag -> refused by §3.2
    play
        Uplands: stop
    expect
        Orchard.holder == Uplands
        points(Uplands) == 3
"""

STARTER: dict[str, str] = {"game.rules": _GAME, "map.rules": _MAP, "claims.rules": _CLAIMS}

_VARIANT_GAME = """\
rulescript 1

# A variant of @BASE_TITLE@. Everything of that game is in force here; below, it is changed.
#
#     rulescript check @FOLDER@        every mistake, with a hint
#     rulescript play @FOLDER@         try it
#     rulescript test @FOLDER@         its claims, and a great many random games

game "@TITLE@", version "0.1"
    builds on @BASE@

# ---- what there is to change ----
#
@NAMES@
#     rulescript games @BASE@ --choices   lists every choice with its names
#
# ---- how to change it: take the # away from what you need ----
#
# Another number somewhere (see `values` above):
#     adjust @VALUE@ add 1 "A house rule"
#
# One more requirement for a choice (`phase.choice`):
#     restrict @CHOICE@
#         require ...
#
# Something that happens after a phase:
#     after @PHASE@
#         tell "The phase is over."
#
# A rule of your own in place of theirs:
#     replace function NAME(...) -> int
#         ...
#
# A rule that players can switch on (rulescript play @FOLDER@ -o my_rule):
#     option my_rule "My own rule"
#         adjust ...
"""

VARIANT: dict[str, str] = {"game.rules": _VARIANT_GAME}
