"""What somebody gets to read who writes examples for a game whose text he never saw."""

from __future__ import annotations

from pathlib import Path

from rulescript.claims import ExampleResult, run_file

GAME = """\
rulescript 1
game "Two valleys", version "1"
rulebook "Two valleys"
    1    section     "Storming"
    1.1  constraint  "From where"
    1.2  constraint  "Where to"
kind Side
    state vp: int = 0
    holds deck: Card, count to it, count to others
    holds hand: Card, visible to it, count to others
    holds kept: Card, visible to it, count to others
kind Realm: side: Side, adjective: text
    holds stock: Unit
values Arm: foot, guns
pieces Unit: realm: Realm, arm: Arm
    home realm.stock
kind Place
    holds units: Unit
kind Card: side: Side, strong: bool
    home side.deck
things
    Side N               "North"
    Side S               "South"
    Realm North          N, adjective "Northern"
    Realm South          S, adjective "Southern"
    Card Northern_Raid   N, strong, 2
    Card Southern_Raid   S, strong, 2
    Card Southern_Rest   S, 2
players Side
map Valley
    link road
    Place Mill
    Place Ford
    Place Peak
    Place Reeds
    road Mill - Ford - Peak
    road Mill - Reeds - Peak
counts Unit
    |       | foot | guns |
    | North |    3 |    1 |
    | South |    3 |    1 |
state active: Side
predicate may_storm(start: Place, target: Place)                            §1
    require some start.units[realm.side == active] "somebody to begin it"  §1.1
    require target in start.road "next to it"                              §1.2
aside take_back: p in Place.units "Take {p} back from {p.place}" by active during turn
    require p.realm.side == active
    move p to p.realm.stock
procedure parry(who: Side)
    choose by who parry: c in who.hand "Parry with {c}"
        require c.strong
        move c to who.kept
    or let_go "Let it go"
        who.vp -= 1
phase turn "Turn"
    repeat
        choose storm: target in Place, start in Place "Storm {target} from {start}"  §1
            require may_storm(start, target)
            active.vp += 1
        or stop "End of the turn"
    for s in Side[it != active]
        parry(s)
sequence
    for active in Side
        turn
    end game, draw
"""
HEAD = "    given empty, active North, at turn\n"


def told_of(tmp_path: Path, lines: str, game: str = GAME) -> list[str]:
    """What is reported about an example, all of it."""
    (tmp_path / "game.rules").write_text(game, encoding="utf-8")
    more = tmp_path / "more.rules"
    more.write_text('example "One"\n' + HEAD + lines, encoding="utf-8")
    (result,) = run_file(tmp_path, more)
    assert isinstance(result, ExampleResult)
    return [f"{d.message} | {d.hint}" for d in result.failures]


def test_of_two_things_with_one_name_the_one_that_fits_best_is_spoken_of(tmp_path: Path) -> None:
    """North is a realm and the label of a side: what is said of its hand is about the side."""
    (told,) = told_of(tmp_path, "        North: hand: Northern Raid, Rade\n    expect\n        N.vp == 0\n")
    assert told.startswith("`Rade` is nothing that N.hand can hold")


def test_what_a_thing_has_is_listed_where_nothing_is_near(tmp_path: Path) -> None:
    (told,) = told_of(tmp_path, "        N: pocket: Northern Raid\n    expect\n        N.vp == 0\n")
    assert told == "Side has no place or state `pocket` | N has deck, hand, kept, vp"
    (told,) = told_of(tmp_path, "        round 4\n    expect\n        N.vp == 0\n")
    assert told.endswith("the game has active")


def test_a_part_of_a_name_is_recognized(tmp_path: Path) -> None:
    """Only the cards of the side whose hand it is are proposed."""
    (told,) = told_of(tmp_path, "        S: hand: 2 Raid\n    expect\n        N.vp == 0\n")
    assert told.endswith("these have the word in their name: `Southern Raid`")


def test_of_copies_so_many_are_taken_away_as_is_said(tmp_path: Path) -> None:
    lines = "        N: hand: 2 Northern Raid\n        N: hand: without 1 Northern Raid\n"
    assert told_of(tmp_path, f"{lines}    expect\n        N.hand has 1 Northern Raid\n") == []


def test_a_line_that_leaves_something_open_says_what(tmp_path: Path) -> None:
    lines = "        Ford and Reeds: Northern foot\n"
    (told,) = told_of(tmp_path, f"{lines}    play\n        N: storm Peak\n    expect\n        N.vp == 1\n")
    assert told.startswith("`storm Peak` leaves something open: it could mean `Storm: Peak, Storm Peak from Ford`")
    (told,) = told_of(tmp_path, f"{lines}    try storm Peak -> refused\n")
    assert "leaves something open" in told
    assert told_of(tmp_path, f"{lines}    try storm Peak from Reeds -> allowed\n") == []


def test_what_can_be_done_at_any_time_is_no_answer_to_the_choice(tmp_path: Path) -> None:
    """`storm` is the choice: a line with this word never takes a piece back."""
    lines = "        Ford: Northern foot\n"
    for verdict in ("allowed", "refused", "not asked"):
        (told,) = told_of(tmp_path, f"{lines}    try storm foot from Ford -> {verdict}\n")
        assert told.startswith("`storm foot from Ford` is no answer to any choice of the game")
    assert told_of(tmp_path, f"{lines}    try take back foot from Ford -> allowed\n") == []


def test_a_refusal_goes_behind_what_was_left_unsaid(tmp_path: Path) -> None:
    """No start will do: the rule that the nearest ones break is told, not only the one that asks for them."""
    lines = "        Ford: Northern foot\n"
    assert told_of(tmp_path, f"{lines}    try storm Reeds -> refused by §1.2\n") == []
    assert told_of(tmp_path, f"{lines}    try storm Reeds -> refused by §1\n") == []


def test_a_failure_says_that_somebody_is_still_asked(tmp_path: Path) -> None:
    """One answer is left, but that tells the others what is not in the hand, so it is asked."""
    lines = "        S: hand: Southern Rest\n    play\n        N: stop\n{}    expect\n        S.vp == -1\n"
    (told,) = told_of(tmp_path, lines.format(""))
    assert told.endswith("S is asked `parry`, and only `Let it go` is left: a line for it goes on from here")
    assert told_of(tmp_path, lines.format("        S: let go\n")) == []


def test_a_name_of_two_words_in_a_condition_is_told_how_to_be_written(tmp_path: Path) -> None:
    (told,) = told_of(tmp_path, "    expect\n        Northern Raid.strong\n")
    assert told.endswith("in a condition a name is one word: `Northern_Raid`")


def test_asks_alone_says_nothing_and_is_refused(tmp_path: Path) -> None:
    """It would hold wherever anybody is asked anything."""
    assert "write who is asked what | asks Blue move" in told_of(tmp_path, "    expect\n        asks\n")


def test_a_try_without_its_arrow_or_sign_is_written_out(tmp_path: Path) -> None:
    """Whoever leaves out the arrow, or the sign of a citation, reads the line as it should be."""
    assert [told.partition(" | ")[2] for told in told_of(tmp_path, "    try storm Ford refused\n")] == [
        "write `try storm Ford -> refused`"
    ]
    for said, hint in (("1.1", "§1.1"), ("1.1, 1.2", "§1.1, §1.2")):
        (told,) = told_of(tmp_path, f"    try storm Ford -> refused by {said}\n")
        assert told.endswith(f"| write `refused by {hint}`")


LOSSES = """\
rulescript 1
game "Losses"
values Side: Red, Blue
players Side
state active: Side
holds box: Unit
holds field: Unit
pieces Unit: side: Side
    home box
things
    Unit Red_foot   Red, 4
    Unit Blue_foot  Blue, 4
sequence
    move box to field
    for active in Side
        choose lose: 2 from field[side == active] as lost "Lose {lost}"
            move lost home
        or keep "Keep"
    end game
"""


def of_losses(folder: Path, lines: str) -> ExampleResult:
    """What comes of an example of that game."""
    (folder / "losses.rules").write_text(LOSSES, encoding="utf-8")
    more = folder / "more.rules"
    more.write_text(f'example "Two of theirs"\n{lines}', encoding="utf-8")
    (result,) = run_file(folder / "losses.rules", more)
    assert isinstance(result, ExampleResult)
    return result


def test_one_reason_for_several_pieces_is_told_once(tmp_path: Path) -> None:
    lines = "    given setup\n    play\n        Red: lose Blue foot, Blue foot\n    expect\n        field is empty\n"
    result = of_losses(tmp_path, lines)
    assert not result.ok
    assert str(result.failures[0].message).count("cannot be named here") == 1


def test_words_that_others_use_for_the_parts_of_an_example(tmp_path: Path) -> None:
    lines = "    given start\n    play\n        Red lose 2 Red foot\n    then\n        field is empty\n"
    result = of_losses(tmp_path, lines)
    said = " ".join(str(each) for each in result.failures)
    assert "`given setup` is how the game begins" in said
    assert "begin with who does it, and a colon: `Red: ...`" in said
    assert "write `expect`" in said


def test_what_stands_before_a_colon_is_a_player_or_belongs_to_the_answer(tmp_path: Path) -> None:
    worded = GAME.replace('"Storm {target} from {start}"', '"At dawn: {target} from {start}"')
    lines = "        Ford: Northern foot\n"
    for said in ("At dawn: Peak from Ford", "North: At dawn: Peak from Ford", "N: storm Peak from Ford"):
        assert told_of(tmp_path, f"{lines}    try {said} -> allowed\n", worded) == []
    (told,) = told_of(tmp_path, f"{lines}    try At dawn: Peak from Mill -> allowed\n", worded)
    assert told.startswith("`At dawn: Peak from Mill` is refused")
    (told,) = told_of(tmp_path, f"{lines}    try Nort: storm Peak from Ford -> allowed\n")
    assert told.startswith("no player is called `Nort`")


def test_two_players_for_one_answer_are_a_mistake(tmp_path: Path) -> None:
    for verdict in ("allowed", "refused", "not asked"):
        (told,) = told_of(tmp_path, f"        Ford: Northern foot\n    try North: South: storm Peak -> {verdict}\n")
        assert told.startswith("two players are named for one answer")


def test_what_is_put_into_a_place_and_then_said_not_to_be_there_is_a_mistake(tmp_path: Path) -> None:
    expect = "    expect\n        N.vp == 0\n"
    for lines in (
        "        Mill: 2 Northern foot, empty\n",
        "        Mill: 2 Northern foot, no foot\n",
        "        Mill: 2 Northern foot\n        Mill: nothing\n",
        "        N: hand: Northern Raid\n        N: hand: empty\n",
        "        N: hand: Northern Raid, no Northern Raid\n",
    ):
        (told,) = told_of(tmp_path, lines + expect)
        assert "above" in told and told.endswith("leave one of them out"), told
    for lines in (
        "        Mill: 2 Northern foot, no guns\n",
        "        Mill and Ford: Northern foot\n        Ford: empty\n",
        "        N: hand: 2 Northern Raid, without 1 Northern Raid\n",
    ):
        assert told_of(tmp_path, lines + expect) == []
    (told,) = told_of(tmp_path, f"        Mill and Mill: Northern foot\n{expect}")
    assert told.startswith("`Mill` is named twice")


def test_a_number_that_holds_in_any_case_is_a_mistake(tmp_path: Path) -> None:
    lines = "        Mill: 2 Northern foot\n    expect\n        "
    for claim in ("Mill has at least 0 foot", "Mill has at most 3 Northern foot", "Mill has at most 99 foot"):
        (told,) = told_of(tmp_path, f"{lines}{claim}\n")
        assert "holds in any case" in told
    for claim in ("Mill has at least 1 foot", "Mill has at most 2 Northern foot", "Mill has 2 foot"):
        assert told_of(tmp_path, f"{lines}{claim}\n") == []


def test_a_line_of_given_without_its_sign_or_its_value(tmp_path: Path) -> None:
    (told,) = told_of(tmp_path, "        Mill 2 Northern foot\n    expect\n        N.vp == 0\n")
    assert told == "expected `:` after `Mill` | write `Mill: 2 Northern foot`"
    (told,) = told_of(tmp_path, "        active\n    expect\n        N.vp == 0\n")
    assert told == "`active` is given no value | write `active N`, for example"


def test_a_player_that_is_none_is_told_as_such(tmp_path: Path) -> None:
    (told,) = told_of(tmp_path, "    expect\n        asks East storm\n")
    assert told == "no player is called `East` | there are N, S"
