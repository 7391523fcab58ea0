"""Every form a line of an example can have, each with a twin that must fail.

A claim that cannot fail tests nothing.
"""

# ruff: noqa: E501 -- the texts under test are lines of examples, which are not broken

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript.claims import ExampleResult, GameSource, run_examples, run_file
from rulescript.diagnostics import render_report
from rulescript.loader import load_single

GAME = Path(__file__).with_name("frontier.rules")
SOURCE = GameSource.load(GAME)


def results_of(text: str) -> list[ExampleResult]:
    extra = load_single(text, "claims.rules").pieces
    together = GameSource(SOURCE.base, extra)
    # Compiled once for all tests: these examples add no functions.
    together._games, together._codes, together._evaluators = SOURCE._games, SOURCE._codes, SOURCE._evaluators
    return list(run_examples(together, only_extra=True))


def report_of(text: str) -> str:
    return "\n".join(render_report(r.failures) for r in results_of(text) if not r.ok)


BATTLE = """
example "x"
    given empty, turn Fall 1914, active League, at combat
        Ford: Northern Crown control, battle marker, 2 Ruritanian infantry, 1 Ruritanian artillery, 4 Syldavian infantry
"""

MOVE = """
example "x"
    given empty, active League, at movement
        Mill: 2 Ruritanian infantry, 1 Ruritanian artillery
        Ford: 1 Syldavian infantry
"""

CARDS = """
example "x"
    given empty, active League, at cards
        League: hand: The Raid, Spring Levy
"""

PASSING = {
    "state in words": """
example "x"
    given empty, turn Spring 1915, active Northern Crown
        Mill: Northern_Crown control, contested status, battle marker, supply 3
        Ford: control Northern Crown, status is contested, not battle marker, 2 supply
        Peak: contested
        League: 4 vp, passed
        weather = contested
        Castle.supply = 1 + 1
    expect
        turn == Spring_1915 and active == Northern_Crown
        Mill.control == Northern_Crown
        Mill.status == contested and Mill.battle_marker and Mill.supply == 3
        Ford.control == Northern_Crown and Ford.status == contested and not Ford.battle_marker and Ford.supply == 2
        Peak.status == contested
        League.vp == 4 and League.passed
        weather == contested
        Castle.supply == 2
        Old_Bridge.status == calm
""",
    "pieces by words": """
example "x"
    given empty
        Mill: 2 Ruritanian infantry (moved), a Bordurian artillery, 1 Ruritanian inf, General Ahm (tired)
        the Old Bridge: Syldavian airplanes
        League: reserves: 2 Bordurian infantry, lost: 1 Ruritanian artillery
        Northern_Crown.reserves: 3 Syldavian infantry
    expect
        Mill has 3 Ruritanian infantry, 1 Bordurian artillery, General_Ahm
        Mill has 2 Ruritanian infantry (moved), 1 Ruritanian infantry (not moved)
        Old_Bridge has exactly 1 Syldavian airplane
        League.reserves has exactly 2 Bordurian infantry
        League.lost has 1 Ruritanian artillery
        Northern_Crown.reserves has 3 Unit
        General_Ahm.tired
        count(League.box) == 15 - 7
        Mill has no Syldavian infantry
        Mill has at least 2 Ruritanian infantry
        Mill.leaders is not empty
        Peak is empty
""",
    "nested lines and every": """
example "x"
    given empty
        League:
            hand: The Raid
            vp: 3
        every Town: Northern Crown control
        Mill and Ford: 1 Ruritanian infantry
    expect
        League.hand has exactly Raid
        League.vp == 3
        every t in Town: t.control == Northern_Crown
        count(Town.units) == 2
""",
    "those of a kind of which something is so": """
example "x"
    given empty
        every Town: League control
        every Town[control == League and it != Mill]: Northern Crown control
        Peak: League control
        all Town[count(it.units) == 0 and control == League] exactly: 1 Ruritanian infantry
        each Side[it == League]: vp 3
    expect
        Town[control == League] == {Mill, Peak}
        Mill has exactly 1 Ruritanian infantry and Peak has exactly 1 Ruritanian infantry
        count(Town.units) == 2
        League.vp == 3 and Northern_Crown.vp == 0
""",
    "exactly, decks and pouches": """
example "x"
    given setup
        Mill: exactly 1 Ruritanian infantry, 2 Bordurian infantry
        League: deck: Spring Levy, Feint
        Northern_Crown: deck exactly: Old Guard
        pouch: exactly 2 Syldavian artillery
        Castle: without 1 Syldavian infantry
    expect
        Mill has exactly 1 Ruritanian infantry, 2 Bordurian infantry
        top(League.deck) == Spring_Levy
        count(Northern_Crown.deck) == 1
        pouch has exactly 2 Syldavian artillery
        Castle has 3 Syldavian infantry
        count(Mill.units) + count(League.box) + count(League.lost) == 15
""",
    "copies of a thing": """
example "x"
    given empty, active Northern Crown, at cards
        Northern_Crown: hand: 2 Volley, Winter, deck: Volley, Old Guard
    legal c exactly {Volley, Winter}
    play
        Northern_Crown: play Volley
    expect
        Northern_Crown.hand has exactly 1 Volley, Winter
        Northern_Crown.discards has Volley
        Northern_Crown.deck has exactly Volley, Old_Guard
""",
    "a word for a forced choice is not spent on a later one": """
example "x"
    given empty, active League, at movement
        League: hand: Raid
    play
        League: stop
        asks League play_card
        League: decline
        asks League bid
""",
    "setup as it is": """
example "x"
    given setup
    expect
        Mill has exactly 3 Ruritanian infantry, 1 Ruritanian artillery
        League.hand has 1 card
        turn == Spring_1914
    asks League move
""",
    "setup with a scripted shuffle": """
example "x"
    given setup
    play
        shuffle Feint, Raid, Spring_Levy
        League: stop
        asks League play_card
    expect
        League.hand has exactly Feint
        top(League.deck) == Raid
""",
    "scenario": """
example "x"
    given scenario late
    expect
        League.vp == 5
""",
    "with scenario and options": """
example "x"
    with options fog
    with scenario late
    with players 2
    given setup, active League, at movement
        Ford: 1 Bordurian infantry
    expect
        League.vp == 5
    legal t for u = Bordurian infantry excludes {Peak}
""",
    "like": """
example "base"
    given empty, active League
        Mill: 2 Ruritanian infantry
    expect
        Mill has 2 Ruritanian infantry
example "x"
    given like "base" but turn Fall 1914, Mill: 1 Bordurian infantry
        Ford: 1 Syldavian infantry
    expect
        Mill has exactly 2 Ruritanian infantry, 1 Bordurian infantry
        turn == Fall_1914
        Ford has 1 Syldavian infantry
""",
    "cases": """
example "x"
    given empty, active League, at movement
        Mill: 1 Ruritanian infantry
    case "a": but Mill: 1 Bordurian infantry
        legal u count 2
    case "b": but active Northern_Crown
        Castle: 1 Syldavian infantry
        play
            Northern_Crown: move Syldavian infantry to Ford
        expect
            Ford has 1 Syldavian infantry
""",
    "run a procedure": """
example "x"
    given empty, active League
        Ford: 1 Ruritanian infantry, 3 Syldavian infantry
        run battle(Ford)
    play
        dice 4
    expect
        Northern_Crown.lost has 1 Syldavian infantry
        losses_taken == 1
        asks nobody
""",
    "battle": BATTLE
    + """
    play
        League: battle in Ford
        dice rolled: 1 2 6
        Northern_Crown: lose 2 Syldavian infantry
        League: no more battles
    expect
        Ford has 2 Syldavian infantry, 2 Ruritanian infantry, 1 Ruritanian artillery
        journal mentions §4
        journal mentions §4.2
        journal does not mention §7
        not Ford.battle_marker
""",
    "labelled dice": BATTLE
    + """
    play
        League: fight Ford
        dice battle in Ford: 1 1 1
        asks League bid
""",
    "dice by rule": BATTLE
    + """
    play
        League: fight Ford
        dice §4.1: 1, 1, 1
""",
    "a forced choice may be scripted": BATTLE
    + """
    play
        League: fight Ford
        dice 1 1 6
        Northern_Crown: lose 2 Syldavian infantry
        League: stop
        asks League bid
""",
    "a list of several choices": """
example "x"
    given empty, active League, at combat
        Ford: battle marker, 2 Ruritanian infantry, 1 Ruritanian artillery, 2 Ruritanian airplane, 1 Syldavian infantry
    play
        League: battle in Ford
        dice 1 3 3 3 5
        League: advance to Castle Ruritanian infantry, Ruritanian artillery, 2 Ruritanian airplane
        League: stay
    expect
        Castle has exactly 1 Ruritanian infantry, 1 Ruritanian artillery, 2 Ruritanian airplane
        Ford.control == League
""",
    "a list before its destination": MOVE
    + """
    play
        League: move 2 Ruritanian infantry, Ruritanian artillery to the Old Bridge
    expect
        Old_Bridge has 2 Ruritanian infantry, 1 Ruritanian artillery
        Mill is empty
""",
    "never asks": BATTLE
    + """
    play
        never asks reroll
        League: battle in Ford
        dice 6 6 6
    expect
        never asks reroll
""",
    "asks a reroll": BATTLE
    + """
        Peak: 1 Bordurian infantry
    play
        League: battle in Ford
        dice 1 1 1
        asks League reroll
        League: use the fort Peak
        dice 6 1 1
    expect
        Northern_Crown.lost has 2 Syldavian infantry
""",
    "declining": BATTLE
    + """
        Peak: 1 Bordurian infantry
    play
        League: battle in Ford
        dice 1 1 6
        League: pass
    expect
        losses_taken == 2
""",
    "draw from a pouch": """
example "x"
    given empty, active League, at reserves
        pouch: exactly 3 Ruritanian infantry, 2 Syldavian artillery, 1 Syldavian airplane
    play
        draw Syldavian art, Ruritanian infantry
    expect
        League.reserves has exactly 1 Ruritanian infantry, 1 Syldavian artillery
""",
    "draw in any order, the general wish last": """
example "x"
    given empty, active League, at reserves
        pouch: exactly 1 Ruritanian infantry, 1 Ruritanian artillery
    play
        draw 1 Ruritanian, 1 Ruritanian infantry
    expect
        League.reserves has 2 Units
""",
    "run to a phase": MOVE
    + """
    play
        run to combat passing
    expect
        Mill has 2 Ruritanian infantry
        asks League bid
""",
    "run to stops where the phase begins": """
example "x"
    given empty, active Northern Crown, at movement
        Peak: 1 Syldavian infantry
    play
        run to control passing
    expect
        Peak.control == League
    play
        asks Northern_Crown bid
    expect
        Peak.control == Northern_Crown
""",
    "run to the end": """
example "x"
    given empty, turn Spring 1915, active Northern Crown, at cards
        League: 9 vp
    play
        Northern_Crown: bid 3
        run to end
    expect
        outcome is League wins
        outcome is League wins "points"
        Northern_Crown.vp == 3
""",
    "a draw": """
example "x"
    given empty, turn Spring 1915, active Northern Crown, at bids
        League: 2 vp
    play
        Northern_Crown: 2
    expect
        outcome is draw
""",
    "play and expect in turns": MOVE
    + """
    expect
        outcome is open
    play
        League: move Ruritanian artillery to Old Bridge
    expect
        Old_Bridge has 1 Ruritanian artillery
    play
        League: move Ruritanian infantry from Mill to Ford
    expect
        Ford.status == contested
        Ford has 1 Ruritanian infantry, 1 Syldavian infantry
""",
    "cards": CARDS
    + """
    legal c exactly {Raid, Spring_Levy}
    legal play_card exactly {The Raid, Spring Levy}
    legal c count 2
    play
        League: play The Raid
    expect
        League.vp == 2
        League.discards has exactly Raid
""",
    "legal by stage": MOVE
    + """
    legal t for u = Ruritanian infantry in Mill exactly {Ford, Old_Bridge}
    legal t for move exactly {Ford, Old_Bridge}
    legal u exactly {Ruritanian infantry in Mill, Ruritanian artillery}
    legal u for t = Ford includes {Ruritanian infantry}
    legal t excludes {Castle, Peak}
    legal t count 2
    legal t for u = Ruritanian infantry, t = Castle exactly {}
    legal t for u = Ruritanian infantry, t = Castle none
""",
    "legal with nothing to choose": """
example "x"
    given empty, active League, at combat
    legal t for fight exactly {}
""",
    "legal of a choice of several": BATTLE
    + """
        Ford: 1 Syldavian artillery
    play
        League: battle in Ford
        dice 6 6 6
    legal gone for lose exactly {Syldavian infantry, Syldavian artillery}
    legal lose includes {Syldavian infantry in Ford}
""",
    "legal numbers": """
example "x"
    given empty, active League, at bids
    legal n exactly {1, 2, 3}
""",
    "tries": MOVE
    + """
    try move Ruritanian infantry to Ford -> allowed
    try League: stop -> allowed
    try move Ruritanian infantry to Castle -> refused by §3.3
    try move Ruritanian infantry to Castle -> refused by §3
    try move Syldavian infantry to Castle -> refused by §3.1
    try move Ruritanian infantry to Castle -> refused
    try move Ruritanian infantry to Castle -> refused because "no road"
    try Northern_Crown: stop -> refused
    expect
        Mill has 2 Ruritanian infantry
        try League: move Ruritanian artillery to Ford then League: move Ruritanian artillery to Peak -> refused by §3.4, §3.2
        try move Ruritanian infantry to Ford then stop then bid 3 -> allowed
        Mill has exactly 2 Ruritanian infantry, 1 Ruritanian artillery
""",
    "try with dice": BATTLE
    + """
    try battle in Ford then dice 1 1 6 then Northern_Crown: lose 2 Syldavian infantry then League: stop -> allowed
""",
    "assume a table": BATTLE
    + """
    assume hits(...) = 4
    play
        League: battle in Ford
        dice 1 1 1
        League: stop
    expect
        hits(1, count(Ford.units)) == 4
        Northern_Crown.lost has 4 Syldavian infantry
""",
    "assume for some arguments": BATTLE
    + """
    assume hits(6, _) = 0
    assume strength(Ford, Northern_Crown) = 1
    assume enemy(League) = League
    expect
        hits(6, 5) + hits(3, 2) == 2
        strength(Ford, Northern_Crown) + strength(Ford, League) == 4
        enemy(Northern_Crown) == League and enemy(enemy(League)) == enemy(active)
""",
    "outcomes": """
example "x"
    given empty, active League
        Ford: 2 Ruritanian infantry, 3 Syldavian infantry
        run battle(Ford)
    case "later"
        play
            dice 3 1
        outcomes of battle over count(Ford.units) exactly {3}
    case "a phase": but at bids
        outcomes of bids over League.vp exactly {1, 2, 3}
        outcomes of bids over League.vp includes {2}
        outcomes of bids over League.vp excludes {4}
""",
    "comments and citations": MOVE
    + """
    # a line of its own
    play
        League: stop   # and one behind
    expect
        turn == Spring_1914   §3.1
""",
}


@pytest.mark.parametrize("name", PASSING)
def test_a_form_that_holds(name: str) -> None:
    results = results_of(PASSING[name])
    assert results
    assert all(r.ok for r in results), "\n".join(map(str, results))


FAILING = {
    "state that is otherwise": (MOVE + "    expect\n        Mill.status == contested\n", "`Mill.status` is calm"),
    "unknown thing": ("example 'x'\n".replace("'", '"') + "    given empty\n        Mil: contested\n    expect\n        1 == 1\n", "did you mean `Mill`"),
    "unknown state": ('example "x"\n    given empty, turns Fall 1914\n    expect\n        1 == 1\n', "did you mean `turn`"),
    "unknown value": ('example "x"\n    given empty, turn Fall 1941\n    expect\n        1 == 1\n', "did you mean `Fall_1914`"),
    "unknown value of a thing": ('example "x"\n    given empty\n        Mill: Leage control\n    expect\n        1 == 1\n', "did you mean `League`"),
    "unknown item": ('example "x"\n    given empty\n        Mill: 2 Ruritanian infantri\n    expect\n        1 == 1\n', "infantry"),
    "fixed attribute": ('example "x"\n    given empty\n        Mill: not capital\n    expect\n        1 == 1\n', "fixed"),
    "too many pieces": ('example "x"\n    given empty\n        Mill: 9 Ruritanian infantry\n    expect\n        1 == 1\n', "only 6 of 6 are left in League.box"),
    "too many copies": ('example "x"\n    given empty\n        Northern_Crown: hand: 4 Volley\n    expect\n        1 == 1\n', "no more than 3"),
    "a copy too many": (PASSING["copies of a thing"].replace("exactly 1 Volley", "exactly 2 Volley"), "found 1"),
    "too many after setup": ('example "x"\n    given setup\n        Ford: 4 Ruritanian infantry\n    expect\n        1 == 1\n', "3 in Mill.units"),
    "ambiguous pieces": ('example "x"\n    given empty\n        Mill: 1 infantry\n    expect\n        1 == 1\n', "several types of pieces"),
    "ambiguous place": ('example "x"\n    given empty\n        League: 1 Ruritanian infantry\n    expect\n        1 == 1\n', "could lie in"),
    "unknown place": ('example "x"\n    given empty\n        League: hands: Raid\n    expect\n        1 == 1\n', "hands"),
    "unknown card": ('example "x"\n    given empty\n        League: hand: Raidd\n    expect\n        1 == 1\n', "did you mean"),
    "unknown phase": ('example "x"\n    given empty, at movements\n    expect\n        1 == 1\n', "did you mean `movement`"),
    "unknown procedure": ('example "x"\n    given empty, run battel(Mill)\n    expect\n        1 == 1\n', "did you mean `battle`"),
    "wrong arguments": ('example "x"\n    given empty, run battle(League)\n    expect\n        1 == 1\n', "League"),
    "number of arguments": ('example "x"\n    given empty, run battle(Mill, 2)\n    expect\n        1 == 1\n', "takes 1 value (t), not 2"),
    "unknown base": ('example "x"\n    given nothing\n    expect\n        1 == 1\n', "setup, empty, scenario or like"),
    "unknown scenario": ('example "x"\n    given scenario lat\n    expect\n        1 == 1\n', "did you mean `late`"),
    "unknown option": ('example "x"\n    with options frog\n    given empty\n    expect\n        1 == 1\n', "did you mean `fog`"),
    "unknown example": ('example "x"\n    given like "y"\n    expect\n        1 == 1\n', 'no example "y"'),
    "like in a circle": ('example "x"\n    given like "y"\n    expect\n        1 == 1\nexample "y"\n    given like "x"\n    expect\n        1 == 1\n', "circle"),
    "nothing expected": ('example "x"\n    given empty\n', "expects nothing"),
    "unknown line": (MOVE + "    expects\n        1 == 1\n", "did you mean `expect`"),
    "wrong count": (MOVE + "    expect\n        Mill has 3 Ruritanian infantry\n", "expected 3 Ruritanian infantry in Mill, found 2"),
    "not exactly": (MOVE + "    expect\n        Mill has exactly 2 Ruritanian infantry\n", "has more than that"),
    "not at least": (MOVE + "    expect\n        Mill has at least 3 Ruritanian infantry\n", "found 2"),
    "has some": (MOVE + "    expect\n        Mill has no Ruritanian infantry\n", "found 2"),
    "not moved": (MOVE + "    expect\n        Mill has 1 Ruritanian infantry (moved)\n", "found 0"),
    "not empty": (MOVE + "    expect\n        Mill is empty\n", "is not empty"),
    "empty": (MOVE + "    expect\n        Peak is not empty\n", "Peak is empty"),
    "unknown piece expected": (MOVE + "    expect\n        Mill has 2 Ruritanian cavalry\n", "nothing that Mill can hold"),
    "unknown name in an expression": (MOVE + "    expect\n        Mill.contrl == League\n", "did you mean `control`"),
    "not a condition": (MOVE + "    expect\n        Mill.supply\n", "yes or no"),
    "bad expression": (MOVE + "    expect\n        Mill.supply == == 2\n", "RS001"),
    "outcome": (MOVE + "    expect\n        outcome is League wins\n", "the outcome is open"),
    "drawn": (MOVE + "    expect\n        outcome is draw\n", "expected a draw"),
    "outcome of nobody": (MOVE + "    expect\n        outcome is Leage wins\n", "did you mean `League`"),
    "other outcome": (PASSING["a draw"].replace("is draw", "is League wins"), "a draw"),
    "game goes on": (PASSING["a draw"].replace("is draw", "is open"), "the game is over"),
    "no such option": (MOVE + "    play\n        League: move Ruritanian infantry to Castle\n", "(no road) §3.3"),
    "other player": (MOVE + "    play\n        Northern_Crown: stop\n", "League is asked `move` here, not Northern_Crown"),
    "unknown player": (MOVE + "    play\n        Leage: stop\n", "did you mean `League`"),
    "nobody speaks": (MOVE + "    play\n        stop\n", "says not who"),
    "unclear": (MOVE.replace("Ford: 1", "Peak: 1 Ruritanian infantry, 1") + "    play\n        League: move Ruritanian infantry to Ford\n", "could mean"),
    "no play yet": ('example "x"\n    given empty\n    play\n        League: stop\n', "does not say where play is"),
    "missing dice": (BATTLE + "    play\n        League: battle in Ford\n        dice 1 2\n", "ask for one more die"),
    "too many dice": (BATTLE + "    play\n        League: battle in Ford\n        dice 1 2 6 6\n", "only 3 of these 4 dice are used"),
    "no dice at all": (BATTLE + "    play\n        League: battle in Ford\n        asks League fight\n", "ask for a die"),
    "dice too early": (BATTLE + "    play\n        dice 1 2 3\n        League: battle in Ford\n", "are not used"),
    "impossible die": (BATTLE + "    play\n        League: battle in Ford\n        dice 1 2 7\n", "cannot show 7"),
    "dice in words": (BATTLE + "    play\n        League: battle in Ford\n        dice one\n", "dice are numbers"),
    "wrong label": (BATTLE + "    play\n        League: battle in Ford\n        dice again: 1 2 3\n", "roll `rolled` here"),
    "wrong rule": (BATTLE + "    play\n        League: battle in Ford\n        dice §5: 1 2 3\n", "not §5"),
    "draw instead of dice": (BATTLE + "    play\n        League: battle in Ford\n        draw Raid\n", "ask for a die"),
    "draw of what is not there": (PASSING["draw from a pouch"].replace("draw Syldavian art", "draw Bordurian infantry"), "not among what may be drawn"),
    "draw of the unknown": (PASSING["draw from a pouch"].replace("draw Syldavian art", "draw Syldavian tank"), "no pieces are called"),
    "draw too few": (PASSING["draw from a pouch"].replace("draw Syldavian art, Ruritanian infantry", "draw Ruritanian infantry"), "ask for one more draw"),
    "draw too many": (PASSING["draw from a pouch"].replace("draw Syldavian art", "draw 2 Syldavian art"), "only 2 of these 3 draws are used"),
    "shuffle of the unknown": (PASSING["setup with a scripted shuffle"].replace("shuffle Feint", "shuffle Faint"), "did you mean `Feint`"),
    "shuffle of another deck": (PASSING["setup with a scripted shuffle"].replace("shuffle Feint", "shuffle Winter"), "which is shuffled"),
    "shuffle twice": (PASSING["setup with a scripted shuffle"].replace("        League: stop", "        shuffle\n        League: stop"), "not used"),
    "asks another": (MOVE + "    play\n        asks Northern_Crown move\n", "League is asked `move`"),
    "asks something else": (MOVE + "    asks League fight\n", "League is asked `move`"),
    "asks the unknown": (MOVE + "    asks League fihgt\n", "did you mean `fight`"),
    "asks nobody": (MOVE + "    asks nobody\n", "League is asked `move`"),
    "is asked after all": (BATTLE + "        Peak: 1 Bordurian infantry\n    play\n        never asks reroll\n        League: battle in Ford\n        dice 1 1 1\n", "never to be asked"),
    "was asked": (BATTLE + "        Peak: 1 Bordurian infantry\n    play\n        League: battle in Ford\n        dice 1 1 1\n        League: pass\n    expect\n        never asks reroll\n", "was asked this"),
    "never asks the unknown": (BATTLE + "    play\n        never asks rerol\n        League: battle in Ford\n        dice 1 1 1\n", "did you mean `reroll`"),
    "run without passing": (MOVE + "    play\n        run to combat\n", "run to combat passing"),
    "run to nowhere": (MOVE + "    play\n        run to combats\n", "did you mean `combat`"),
    "run past a must": (MOVE + "    play\n        run to reserves passing\n", "cannot decline"),
    "run past dice": (MOVE.replace("at movement", "at bids").replace("        Ford", "        pouch: exactly 3 Ruritanian infantry\n        Ford") + "    play\n        League: bid 1\n        run to movement passing\n", "ask for a draw"),
    "never reached": (PASSING["run to the end"].replace("run to end", "run to cards"), "never reached"),
    "legal too few": (MOVE + "    legal t for u = Ruritanian infantry in Mill exactly {Ford}\n", "also legal: Old_Bridge"),
    "legal too many": (MOVE + "    legal t exactly {Ford, Old_Bridge, Castle}\n", "`Castle` is not legal"),
    "legal why": (MOVE + "    legal t for u = Ruritanian infantry includes {Castle}\n", "no road"),
    "legal includes": (MOVE + "    legal t includes {Peak}\n", "`Peak` is not legal"),
    "legal excludes": (MOVE + "    legal t excludes {Ford}\n", "`Ford` is legal"),
    "legal count": (MOVE + "    legal t count 3\n", "expected 3 legal `t`, found 2"),
    "legal of the unknown": (MOVE + "    legal t excludes {Frod}\n", "no Town is called `Frod`"),
    "legal fixed unknown": (MOVE + "    legal t for u = Ruritanian cavalry exactly {}\n", "cavalry"),
    "legal no such name": (MOVE + "    legal x exactly {}\n", "there is no `x`"),
    "legal numbers": (PASSING["legal numbers"].replace("{1, 2, 3}", "{1, 2}"), "also legal: 3"),
    "legal of several": (PASSING["legal of a choice of several"].replace("{Syldavian infantry, Syldavian artillery}", "{Syldavian infantry}"), "also legal"),
    "legal nothing": (PASSING["legal with nothing to choose"].replace("{}", "{Ford}"), "`Ford` is not legal"),
    "legal without relation": (MOVE + "    legal t\n", "ends with exactly"),
    "try allowed": (MOVE + "    try move Ruritanian infantry to Castle -> allowed\n", "is refused"),
    "try refused": (MOVE + "    try move Ruritanian infantry to Ford -> refused by §3.3\n", "is allowed"),
    "try other rule": (MOVE + "    try move Ruritanian infantry to Castle -> refused by §3.1\n", "not by §3.1"),
    "try child of the rule": (MOVE + "    try move Ruritanian infantry to Castle -> refused by §3.3.1\n", "no rule §3.3.1"),
    "try other reason": (MOVE + '    try move Ruritanian infantry to Castle -> refused because "weather"\n', "weather"),
    "try nonsense": (MOVE + "    try move Ruritanian infantry to Nowhere -> refused\n", "Nowhere".lower()),
    "try without an end": (MOVE + "    try stop\n", "says what comes of it"),
    "try with a strange end": (MOVE + "    try stop -> maybe\n", "allowed`, `refused` or `not asked"),
    "try a later step": (MOVE + "    try move Ruritanian infantry to Ford then move Ruritanian artillery to Castle -> allowed\n", "is refused"),
    "try an earlier step": (MOVE + "    try move Ruritanian infantry to Castle then stop -> allowed\n", "cannot choose"),
    "journal": (MOVE + "    expect\n        journal mentions §7\n", "does not mention §7"),
    "journal words": (MOVE + '    expect\n        journal mentions "victory"\n', "does not mention"),
    "journal not": (PASSING["battle"].replace("does not mention §7", "does not mention §4"), "mentions §4"),
    "assume": (PASSING["assume a table"].replace("= 4", "= 3", 1), "is 3"),
    "assume the unknown": (PASSING["assume a table"].replace("assume hits", "assume hit"), "did you mean `hits`"),
    "assume another type": (PASSING["assume a table"].replace("= 4", "= Mill", 1), "a Town"),
    "outcomes too few": (PASSING["outcomes"].replace("exactly {1, 2, 3}", "exactly {1, 2}"), "it can also end with 3"),
    "outcomes too many": (PASSING["outcomes"].replace("exactly {1, 2, 3}", "exactly {1, 2, 3, 4}"), "never end with `4`"),
    "outcomes includes": (PASSING["outcomes"].replace("includes {2}", "includes {5}"), "never end with `5`"),
    "outcomes excludes": (PASSING["outcomes"].replace("excludes {4}", "excludes {3}"), "it can end with 3"),
    "case": (PASSING["cases"].replace("count 2", "count 3"), "found 2"),
    "case without anything": (MOVE + '    case "a": but turn Fall 1914\n', "plays and expects nothing"),
    "second part of play": (PASSING["play and expect in turns"].replace("Ford.status == contested", "Ford.status == calm"), "is contested"),
    "those that are none": ('example "x"\n    given empty\n        every Town[supply > 900]: battle_marker\n    expect\n        1 == 1\n', "there is no `Town[supply > 900]` here"),
    "those of an unknown name": ('example "x"\n    given empty\n        every Town[suply > 1]: battle_marker\n    expect\n        1 == 1\n', "no name `suply`"),
    "those that are no things": ('example "x"\n    given empty\n        every Unit[moved]: moved\n    expect\n        1 == 1\n', "nowhere in particular"),
    "setting a fact": ('example "x"\n    given empty\n        Mill.capital = no\n    expect\n        1 == 1\n', "only a state"),
    "setting the wrong type": ('example "x"\n    given empty\n        Mill.supply = League\n    expect\n        1 == 1\n', "League"),
    "fog": ('example "x"\n    given empty, active League, at movement\n        Ford: 1 Ruritanian infantry\n    legal t excludes {Peak}\n', "`Peak` is legal"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAILING)
def test_its_twin_fails_and_says_why(name: str) -> None:
    text, said = FAILING[name]
    report = report_of(text)
    assert said in report, report or "it passed"
    assert "claims.rules:" in report


def test_an_example_inside_an_option_is_played_with_it() -> None:
    results = list(run_examples(SOURCE))
    assert [r.title for r in results] == ["Fog on the peak"]
    assert results[0].ok, str(results[0])


def test_rules_that_played_a_part_are_counted() -> None:
    (result,) = results_of(PASSING["battle"])
    assert {"4.1", "4.2"} <= result.exercised
    assert "7" not in result.exercised


def test_a_failure_points_at_the_words() -> None:
    (result,) = results_of(MOVE + "    expect\n        Mill has 3 Ruritanian infantry\n")
    (failure,) = result.failures
    assert failure.span.text == "3 Ruritanian infantry"
    assert failure.code == "RS330"


def test_all_failing_expectations_are_told() -> None:
    text = MOVE + "    expect\n        Mill.supply == 1\n        Mill is empty\n        Ford.supply == 0\n"
    (result,) = results_of(text)
    assert len(result.failures) == 2
    assert result.claims == 3


def test_a_file_of_its_own_may_bring_functions_and_checks(tmp_path: Path) -> None:
    path = tmp_path / "extra.rules"
    path.write_text(
        """
function strongest() -> set of Town
    most Town by strength(it, League)

check "Six infantry"
    count(League.box[arm == infantry and nation == Ruritania]) == 6

check "Wrong"
    count(League.box) == 3

example "The mill"
    given empty
        Mill: 2 Ruritanian infantry
    expect
        strongest() == {Mill}

example "Not the ford"
    given empty
        Mill: 2 Ruritanian infantry
    expect
        strongest() == {Ford}
"""
    )
    results = {r.title: r for r in run_file(GAME, path)}
    assert [t for t, r in results.items() if not r.ok] == ["Wrong", "Not the ford"]
    assert "`count(League.box)` is 15" in render_report(results["Wrong"].failures)
    assert "`strongest()` is Mill" in render_report(results["Not the ford"].failures)


def test_a_file_of_its_own_may_bring_no_rules(tmp_path: Path) -> None:
    from rulescript.errors import GameInvalid

    path = tmp_path / "extra.rules"
    path.write_text('phase rest\n    tell "rest"\n')
    with pytest.raises(GameInvalid, match="adds no rules"):
        run_file(GAME, path)


def test_playing_an_example_leaves_the_game_as_it_was() -> None:
    """An assumption and a stop at a phase are undone: the same example holds again without them."""
    for name in ("assume a table", "run to a phase", "outcomes", "battle"):
        test_a_form_that_holds(name)
    text = PASSING["assume a table"].replace("    assume hits(...) = 4\n", "")
    assert "expected `hits(1" in report_of(text)
