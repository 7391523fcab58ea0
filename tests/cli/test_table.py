"""The table one plays at: several moves in a line, the map, the hand, what is declined, who sat where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import CARDS, SKIRMISH, Cli


def test_several_like_moves_in_one_line_are_one_undo(cli: Cli) -> None:
    out = cli("play", SKIRMISH, typed="march 3 north infantry from mill to ford\nboard\nundo\nboard\nquit\n").out
    assert "North: March 3 North infantry to Ford" in out
    assert "Ford    3 North infantry" in out
    assert "taken back: March 3 North infantry to Ford" in out
    assert "Mill    3 North infantry, 1 North guns" in out.partition("taken back")[2]


def test_of_too_many_nothing_is_done(cli: Cli) -> None:
    out = cli("play", SKIRMISH, typed="march 9 north infantry from mill to ford\nboard\nquit\n").out
    assert "only 3 of 9 can be done so, and nothing was" in out
    assert "Mill    3 North infantry, 1 North guns" in out


ROLLING = """\
rulescript 1
game "Rolling"
kind Side
    state vp: int
things
    Side North
    Side South
players Side
state active: Side
standing(s: Side) "points"
    s.vp
sequence
    for active in Side
        repeat 4 times
            choose gamble: s in Side "Gamble on {s}"
                roll d6 as die "{active} gambles"
                s.vp += die
            or stop "Stop"
        may rest "Rest"
            active.vp += 1
    end game, draw
"""


def test_dice_are_not_tried_out_by_several_moves(cli: Cli, tmp_path: Path) -> None:
    """Else who asks for too many would learn what the dice bring."""
    game = tmp_path / "rolling.rules"
    game.write_text(ROLLING, encoding="utf-8")
    out = cli("play", str(game), "--seed", "1", typed="gamble 3 on north\ngamble on north\nquit\n").out
    assert "one at a time" in out
    assert out.count("North gambles: ") == 1


def test_the_score_is_shown_when_it_changes(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "rolling.rules"
    game.write_text(ROLLING, encoding="utf-8")
    out = cli("play", str(game), "--seed", "1", typed="gamble on north\n\n\nquit\n").out
    assert out.count("points: North ") == 2
    assert "points: North +0, South +0" in out


def test_the_map_in_text(cli: Cli) -> None:
    out = cli("play", SKIRMISH, typed="map\nquit\n").out
    assert "next to" in out and "Mill 4" in out and "Bridge, Ford" in out


DEPOTS = """\
rulescript 1
game "Depots"
kind Side
kind Town
    holds row: Card, ordered
kind Card
    home box
things
    Side North
    Side South
    Card Levy  3
map Valley
    link road
    Town Mill
    Town Ford
    road Mill - Ford
holds box: Card
players Side
state active: Side
sequence
    for c in Card
        move c to Mill.row
    choose rest "Rest"
    or pass "Pass"
    end game, draw
"""


def test_the_map_counts_copies_that_look_alike(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "depots.rules"
    game.write_text(DEPOTS, encoding="utf-8")
    assert "Mill 3" in cli("play", str(game), typed="map\nquit\n").out


def test_the_map_has_spaces_where_they_lie() -> None:
    from rulescript.cli.text_map import coordinates_of, drawn_map

    places = {"West": "50N 10W", "East": "50N 10E", "South": "40N 0E", "Beside South": "40N 0.1E"}
    spaces = [(name, coordinates_of(at) or (0, 0)) for name, at in places.items()]
    rows = drawn_map(spaces, 60, 10)
    where = {spaces[at][0]: (row, column) for row, line in enumerate(rows) for column, at in line}
    assert where["West"][0] == where["East"][0] == 0 and where["West"][1] < where["East"][1]
    assert where["South"][0] >= 8
    taken = [(row, range(column, column + len(name))) for name, (row, column) in where.items()]
    for at, (row, cells) in enumerate(taken):
        for other, others in taken[at + 1 :]:
            assert row != other or not set(cells) & set(others), "no text covers another"
    assert coordinates_of("somewhere") is None


def test_the_hand_is_shown_with_its_copies_counted(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "copies.rules"
    game.write_text(
        'rulescript 1\ngame "Copies"\nkind Side\n    holds hand: Card, visible to it, count to others\n'
        "kind Card: side: Side\n    home side.hand\nthings\n    Side Red\n    Side Blue\n"
        '    Card Raid  "The Raid" Red, 3\n        "Take something."\n    Card Feint  Red\n    Card Other  Blue\n'
        'players Side\nsequence\n    choose by Red play: c in Red.hand "Play {c}"\n        move c to Blue.hand\n'
        "    end game, draw\n",
        encoding="utf-8",
    )
    out = cli("play", str(game), "--against", "random", typed="hand\nquit\n").out
    assert "Red's hand" in out and "3 × The Raid" in out and "Take something." in out
    assert "Other" not in out


def test_nothing_to_hold_in_an_open_game(cli: Cli) -> None:
    assert "nobody hides anything here" in cli("play", SKIRMISH, typed="hand\nquit\n").out


TRADING = """\
rulescript 1
game "Trading"
kind Side
    state vp: int
    holds hand: Card, visible to it, count to others
kind Card: side: Side, good: bool = no
    home side.hand
things
    Side North
    Side South
    Card Ace   North, GOOD
    Card King  South, good
players Side
state active: Side
phase turn_of "Turn"
    may choose trade: c in active.hand "Trade {c}"
        require c.good
        active.vp += 1
    choose go_on "Go on"
    or wait "Wait"
sequence
    for active in Side
        turn_of
    end game, draw
"""


@pytest.fixture
def trading(tmp_path: Path) -> str:
    path = tmp_path / "trading.rules"
    path.write_text(TRADING.replace("GOOD", "not good"), encoding="utf-8")
    return str(path)


def test_what_can_only_be_declined_is_declined_and_said(cli: Cli, trading: str) -> None:
    out = cli("play", trading, "--against", "random", typed="undo\ndecline\nquit\n").out
    assert "(North: Decline is all there is to choose (Trade); `undo` asks all the same)" in out
    assert "North | Go on" in out.partition("> undo")[0] and "North | Trade" not in out.partition("> undo")[0]
    assert "North | Trade" in out.partition("> undo")[2] and "North: Declines to trade" in out


def test_what_can_be_chosen_is_asked(cli: Cli, trading: str, tmp_path: Path) -> None:
    Path(trading).write_text(TRADING.replace("GOOD", "good"), encoding="utf-8")
    out = cli("play", trading, "--against", "random", typed="quit\n").out
    assert "all there is to choose" not in out and "North | Trade" in out


def test_a_question_that_would_tell_another_person_a_secret_is_asked(cli: Cli, trading: str) -> None:
    """That nothing can be chosen is for the player alone to know."""
    out = cli("play", trading, typed="decline\nquit\n").out
    assert "all there is to choose" not in out and "North | Trade" in out


def test_a_save_remembers_who_sat_where(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    cli("play", SKIRMISH, "--seat", "South=human", "--against", "search", "--think", "7", typed=f"save {file}\nquit\n")
    assert json.loads(file.read_text())["seats"] == ["search:7", "human"]
    out = cli("play", SKIRMISH, "--load", str(file), typed="quit\n").out
    assert "South: you" in out and "North: search:7" in out
    out = cli("play", SKIRMISH, "--load", str(file), "--seat", "all=human", typed="quit\n").out
    assert "North: human" in out


@pytest.mark.parametrize("seats", [["human"], ["human", "nobody"], "human", [3, 4]])
def test_seats_of_a_save_that_make_no_sense_are_refused(cli: Cli, tmp_path: Path, seats: object) -> None:
    file = tmp_path / "game.json"
    cli("play", SKIRMISH, typed=f"save {file}\nquit\n")
    file.write_text(json.dumps({**json.loads(file.read_text()), "seats": seats}))
    result = cli("play", SKIRMISH, "--load", str(file), typed="quit\n")
    assert result.code == 2 and "seats" in result.err


SEALED = """\
rulescript 1
game "Sealed"
kind Side
    state bid: int
things
    Side North
    Side South
players Side
state active: Side
sequence
    for active in Side
        choose go "Go"
        or wait "Wait"
        together
            North: choose bid: n in 1..3 "Bid {n}"
                North.bid = n
            South: choose bid: n in 1..3 "Bid {n}"
                South.bid = n
    end game, draw
"""


def test_nobody_looks_away_but_for_answers_under_seal(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "sealed.rules"
    game.write_text(SEALED, encoding="utf-8")
    out = cli("play", str(game), typed="go\nbid 2\nbid 3\nwait\nquit\n").out
    assert out.count("pass the keyboard") == 1
    before, _, after = out.partition("--- pass the keyboard to South ---")
    assert "North | Go" in before and "Bid 2" not in after.partition("South> ")[0].replace("  2  Bid 2", "")
    assert "North: Bid 2" in after and "South: Bid 3" in after, "told when both lie open"
    assert "pass the keyboard" not in cli("play", SKIRMISH, typed="stop\nstop\nstop\nquit\n").out
    assert "pass the keyboard" in cli("play", CARDS, typed="1\nquit\n").out


PROSE = """\
# Prose

```rules
rulescript 1
game "Prose"
rulebook "Prose"
    1    section  "Going"
    1.1  choice   "How one goes"
```

## 1 Going

Everybody goes **once**. §1 One goes *on foot*. Nobody goes far. §1.1 That is all there is; see §1.

```rules
kind Side
things
    Side North
    Side South
players Side
sequence
    choose by North go: s in Side "Go to {s}"  §1.1
        tell "Gone."
    end game, draw
```
"""


def test_the_rule_is_told_in_the_words_of_its_author(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "prose.rules.md"
    game.write_text(PROSE, encoding="utf-8")
    out = cli("play", str(game), typed="?\nquit\n").out.partition("> ?")[2]
    # A citation stands behind the passage it is for; what comes last goes on about the same.
    assert "§1.1 How one goes" in out and "    One goes on foot.\n    Nobody goes far.\n    That is all there is" in out
    assert "choose by" not in out and "once" not in out


SPOTS = [f"S{at}" for at in range(20)]
AT_LENGTH = f"""\
rulescript 1
game "At length"
kind Side
    state tally: int, untold
    holds purse: Coin, hidden to others
things
    Side North
    Side South
players Side
kind Coin: side: Side
    home side.purse
things
    Coin C1  North
    Coin C2  South
kind Spot
    state held: maybe Side, untold
    holds forts: Fort
kind Fort
    state strength: int
things
{"".join(f"    Spot {spot}{chr(10)}    Fort F{spot}{chr(10)}" for spot in SPOTS)}
map land
    link road
{"".join(f"    road {one} - {two}{chr(10)}" for one, two in zip(SPOTS, SPOTS[1:], strict=False))}
state round: int, untold
sequence
    for f in Fort
        f.strength = 2
{"".join(f"    move F{spot} to {spot}.forts{chr(10)}" for spot in SPOTS)}
    North.tally = 3
    S0.held = North
    round = 7
    repeat 40 times
        choose by North go: s in Side "Go to {{s}}"
            tell "Gone."
    end game, draw
"""


def test_a_long_set_up_is_cut_short_and_bookkeeping_is_not_shown(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "at_length.rules"
    game.write_text(AT_LENGTH, encoding="utf-8")
    typed = "board\n" + "1\n" * 30 + "save S\nquit\n".replace("S", str(tmp_path / "s.json"))
    out = cli("play", str(game), typed=typed).out
    opening, _, rest = out.partition("> board")
    assert "... (`log all` tells all of it)" in opening
    assert "FS0 came to S0." not in opening and "FS19 came to S19." in opening
    board = rest.partition("North> 1")[0]
    assert "tally" not in board and "round" not in board and "S0    FS0" in board
    assert board.count("FS3 (strength 2)") == 1 and board.count("strength 2") == len(SPOTS)
    # Two people, and secrets: whoever comes back to it is told the end of what happened, not all of it.
    again = cli("play", "--load", str(tmp_path / "s.json"), str(game), typed="quit\n").out
    assert again.count("came to") == 0 and 0 < again.count("Gone.") < 30
