"""`rulescript play`, typed through a pipe: answers, commands, who sees what, saving and taking back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulescript.cli.board import Board
from rulescript.cli.screen import Screen
from tests.cli.conftest import CARDS, SKIRMISH, Cli


def test_a_game_is_played_by_numbers_to_its_end(cli: Cli) -> None:
    """The first option again and again would march for ever round; the last one always ends a phase."""
    result = cli("play", SKIRMISH, "--seed", "1", typed="stop\n" * 40)
    assert result.code == 0
    assert "The game is over: " in result.out
    assert "§5.1" not in result.out.split("The game is over")[0].split("Marching")[0]


def test_options_are_numbered_and_grouped(cli: Cli) -> None:
    out = cli("play", SKIRMISH, "--seed", "1", typed="quit\n").out
    assert "dawn | North | Marching\n" in out and "North | March §3.1" in out
    assert "\n  march\n" in out
    assert "3  End marching" in out
    assert "leaving the table" in out


def test_words_do_as_well_as_numbers(cli: Cli) -> None:
    out = cli("play", SKIRMISH, typed="march North infantry from Mill to Ford\nend marching\nquit\n").out
    assert "North: March North infantry to Ford" in out
    assert "went from Mill" not in out  # the choice has told it
    assert "dawn | North | Fighting" in out


def test_a_part_of_the_words_is_enough_if_only_one_option_has_it(cli: Cli) -> None:
    out = cli("play", SKIRMISH, typed="guns\nbri\nquit\n").out
    assert "North: March North guns to Bridge" in out
    out = cli("play", SKIRMISH, typed="nor\nquit\n").out
    assert "which of these?" in out


def test_an_answer_that_is_none_is_told_and_asked_again(cli: Cli) -> None:
    out = cli("play", SKIRMISH, typed="castle of cards\n99\n\nquit\n").out
    assert "is not among the options" in out
    assert "there is no option 99; there are 3" in out
    assert out.count("North | March §3.1") == 2


def test_the_rule_behind_the_question(cli: Cli) -> None:
    out = cli("play", SKIRMISH, typed="?\nquit\n").out
    assert "§3.1 Marching" in out
    assert "The town is linked to the unit's town." in " ".join(out.split())
    assert "require" not in out and "skirmish.rules:" not in out


def test_why_something_is_not_allowed(cli: Cli) -> None:
    out = cli("play", SKIRMISH, typed="why march North infantry from Mill to Castle\nquit\n").out
    assert "§3.3" in out


def test_the_board_shows_what_lies_where(cli: Cli) -> None:
    out = cli("play", SKIRMISH, "--scenario", "late", typed="board\nboard mill\nlook nowhere\nquit\n").out
    assert "3 North infantry, 1 North guns" in out
    assert "nothing in\n  Bridge, Ford\n" in out
    assert "burnt" in out
    assert "turn: dawn   active: North" in out
    assert "road to  Bridge, Ford" in out
    assert "there is nothing called `nowhere`" in out


def test_undo_takes_back_what_was_typed(cli: Cli) -> None:
    """One line is one undo, however many decisions it answered; number by number it goes back number by number."""
    typed = "march North infantry to Ford\nundo\nboard\nundo\nquit\n"
    out = cli("play", SKIRMISH, typed=typed).out
    assert out.count("taken back: ") == 1
    assert "there is nothing to take back" in out
    out = cli("play", SKIRMISH, typed="march North infantry to Ford\nundo\nend marching\nquit\n").out
    assert "dawn | North | Fighting" in out
    out = cli("play", SKIRMISH, typed="1\n1\nundo\nundo\nquit\n").out
    assert out.count("taken back: ") == 2


PICKING = """\
rulescript 1
game "Picking"
values Side: North
players Side
values Turn: first "Early May", second "June"
state turn: Turn
state active: Side
holds box: Unit
holds dead: Unit
values Arm: foot, guns, horse
pieces Unit: arm: Arm
    home box
things
    Unit North_foot   foot, 2
    Unit North_guns   guns, 2
    Unit North_horse  horse, 2
phase losses "Losses"
    choose lose: AMOUNT from box as lost "Lose {lost}"
        for u in lost
            move u to dead
    choose done_now "Go home"
    or stay "Stay"
sequence
    for turn in Turn
        for active in Side
            losses
    end game, draw
"""


def test_several_are_picked_in_any_order_and_put_back(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "picking.rules"
    game.write_text(PICKING.replace("AMOUNT", "2"), encoding="utf-8")
    out = cli("play", str(game), typed="horse\nundo\nhorse\nfoot\nboard\nundo\nundo\nquit\n").out
    assert "2 to pick, in any order" in out
    assert out.count("picked: North horse in box; 1 more to pick, in any order") == 2
    assert "taken back: Lose: North horse in box" in out
    assert "1 North foot, 1 North horse" in out
    assert "taken back: Lose: North foot in box and North horse in box" in out
    assert "there is nothing to take back" in out
    out = cli("play", str(game), typed="lose 1 horse, 2 foot\nlose 1 horse, 1 foot\nquit\n").out
    assert "two are due, three are named" in out
    assert "North: Lose: North horse in box and North foot in box" in out or "North: Lose: North foot in box and" in out


def test_a_selection_that_may_end_earlier(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "picking.rules"
    game.write_text(PICKING.replace("AMOUNT", "up to 3"), encoding="utf-8")
    out = cli("play", str(game), typed="3\n2\nthat is all\nboard\nquit\n").out
    assert "pick up to 3 in any order" in out and "picked: North horse in box; pick up to 2 more" in out
    assert "1 North guns, 1 North horse" in out
    out = cli("play", str(game), typed="lose guns, horse\nboard\nquit\n").out  # in words it is the whole of it
    assert "1 North guns, 1 North horse" in out
    out = cli("play", str(game), typed="none of them\nboard\nquit\n").out
    assert "dead" not in out.split("None of them")[-1]


def test_the_board_shows_values_by_their_labels(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "picking.rules"
    game.write_text(PICKING.replace("AMOUNT", "2"), encoding="utf-8")
    assert "turn: Early May" in cli("play", str(game), typed="board\nquit\n").out


COPIES = """rulescript 1
game "Carts", version "1"
kind Side
    "A player."
kind Town
    holds carts: Cart
kind Cart
    home barn
holds barn: Cart
things
    Side Red
    Town Aldmere
    Town Brackwater
    Cart Wagon "heavy wagon" 3
players Side
sequence
    set_out
    drive
phase set_out
    move barn to Aldmere.carts
phase drive
    choose by Red go: c in Aldmere.carts "Drive {c}"
        move c to Brackwater
    end game, Red wins
"""


def test_the_board_counts_copies_by_their_label(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "carts.rules"
    game.write_text(COPIES, encoding="utf-8")
    out = cli("play", str(game), typed="board\nquit\n").out
    assert "2 × heavy wagon" in out
    assert "Brackwater  heavy wagon" in out


def test_undo_after_another_player_asks_everybody(cli: Cli) -> None:
    typed = "stop\nstop\nundo\nn\nundo\ny\nboard\nquit\n"
    out = cli("play", SKIRMISH, typed=typed).out
    assert out.count("Does everybody agree?") == 2
    assert "nothing was taken back" in out
    assert "active: North" in out


def test_undo_against_a_bot_goes_back_to_ones_own_decision(cli: Cli) -> None:
    typed = "stop\nstop\nundo\ny\nboard\nquit\n"
    out = cli("play", SKIRMISH, "--against", "random", "--seed", "2", typed=typed).out
    assert "Really?" in out
    assert "turn: dawn   active: North" in out


def test_with_nothing_to_take_back_undo_says_so(cli: Cli) -> None:
    assert "there is nothing to take back" in cli("play", SKIRMISH, typed="undo\nquit\n").out


def test_a_save_is_loaded_where_it_was_left(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "game"
    out = cli("play", SKIRMISH, "-o", "fog", typed=f"march guns to ford\nsave {file}\nquit\n").out
    assert f"--load {file}.json" in out
    assert json.loads((tmp_path / "game.json").read_text())["options"] == ["fog"]
    out = cli("play", SKIRMISH, "--load", f"{file}.json", typed="board\nundo\nquit\n").out
    assert "with fog" in out
    assert "Ford  " in out
    assert "taken back: March North guns" in out


def test_a_save_of_a_game_elsewhere_says_what_to_do(cli: Cli, tmp_path: Path) -> None:
    cli("play", SKIRMISH, typed=f"save {tmp_path / 'game.json'}\nquit\n")
    result = cli("play", "--load", str(tmp_path / "game.json"), typed="quit\n")
    assert result.code == 2
    assert "this is a save of `skirmish`" in result.err


@pytest.mark.parametrize("text", ["", "[]", "{", '{"game": 3}', "[" * 100_000])
def test_what_is_no_save_is_refused(cli: Cli, tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.json").write_text(text)
    result = cli("play", SKIRMISH, "--load", str(tmp_path / "bad.json"))
    assert result.code == 2
    assert "is no save of a game" in result.err
    assert cli("play", SKIRMISH, "--load", str(tmp_path / "missing.json")).code == 2


def test_the_log_tells_what_happened_with_its_rules(cli: Cli) -> None:
    out = cli("play", SKIRMISH, typed="march guns to ford\nlog everything\nlog 1\nquit\n").out
    assert "North: March North guns to Ford  §3.1" in out
    assert "lines before (log all)" in out


def test_bots_can_take_any_seat(cli: Cli) -> None:
    result = cli("play", SKIRMISH, "--seat", "all=random", "--seed", "5")
    assert result.code == 0
    assert "The game is over" in result.out
    assert "North: random" in result.out
    again = cli("play", SKIRMISH, "--seat", "all=random", "--seed", "5")
    assert again.out == result.out
    mixed = cli("play", SKIRMISH, "--seat", "south=human", "--seat", "1=random", typed="quit\n").out
    assert "South: you" in mixed
    assert "South | March" in mixed


@pytest.mark.parametrize(
    ("seat", "said"),
    [("East=random", "there is no player `East`"), ("North=randon", "no bot is called `randon`")],
)
def test_seats_that_make_no_sense_are_told(cli: Cli, seat: str, said: str) -> None:
    result = cli("play", SKIRMISH, "--seat", seat)
    assert result.code == 2
    assert said in result.err


def test_a_bot_gives_a_hint(cli: Cli) -> None:
    assert "a bot would take " in cli("play", SKIRMISH, typed="hint\nquit\n").out


SEVERAL = """\
rulescript 1
game "Several"
kind Side
    state vp: int
    holds men: Man
things
    Side North
    Side South
players Side
pieces Man: side: Side, worth: int
    home side.men
things
    Man Good  North, worth 3, 2
    Man Bad   North, worth -9, 2
standing(s: Side) "points"
    s.vp
sequence
    choose by North up to 3 from North.men as sold "Sell {sold}"
        for m in sold
            North.vp += m.worth
            move m to South.men
    if North.vp == 6
        end game, North wins
    end game, draw
"""


def test_of_several_a_bot_says_all_that_it_would_pick(cli: Cli, tmp_path: Path) -> None:
    game = tmp_path / "several.rules"
    game.write_text(SEVERAL, encoding="utf-8")
    out = cli("play", str(game), typed="hint\n2\nhint\nquit\n").out
    # Also where a person has picked something else.
    assert out.count("a bot would pick 2 × Sequence: Good in North") == 2


def test_leaving_by_the_end_of_input_is_no_error(cli: Cli) -> None:
    result = cli("play", SKIRMISH, typed="")
    assert result.code == 0
    assert "the game is not over" in result.out


def test_options_that_can_be_typed_are_explained(cli: Cli) -> None:
    out = cli("play", SKIRMISH, typed="help\noptions\nsave\nwhy\nquit\n").out
    for word in ("undo", "save FILE", "what NAME", "why WORDS"):
        assert word in out
    assert "save where?" in out
    assert "why what?" in out


# ---- hidden things -----------------------------------------------------------------------------------------

CARD_NAMES = ("Ace", "King", "Queen", "Jack", "Ten", "Nine", "Eight", "Seven")


def test_each_person_sees_only_their_own_hand(cli: Cli) -> None:
    out = cli("play", CARDS, "--seed", "4", typed="board\n1\nboard\n1\nquit\n").out
    parts = out.split("--- pass the keyboard to ")
    assert [part.split(" ")[0] for part in parts[1:4]] == ["Ann", "Bob", "Ann"]
    ann = {name for name in CARD_NAMES if f"  Bid {name}" in parts[1]}
    bob = {name for name in CARD_NAMES if f"  Answer with {name}" in parts[2]}
    assert len(ann) == len(bob) == 3
    assert not {name for name in bob if name in parts[1]}
    assert "3 cards (hidden)" in parts[1]
    bid = next(name for name in ann if name in parts[2])
    assert not {name for name in ann - {bid} if name in parts[2]}


def test_one_person_against_a_bot_never_sees_its_hand(cli: Cli) -> None:
    out = cli("play", CARDS, "--seed", "4", "--against", "random", typed="board\nlog\nquit\n").out
    assert "pass the keyboard" not in out
    assert sum(name in out for name in CARD_NAMES) == 3


HIDING = """\
rulescript 1
game "Hiding", version "1"
kind Player
    holds hand: Card, visible to it, count to others
    holds cellar: Card, visible to it, count to others
kind Card
    home deck
holds deck: Card, ordered, count to others
things
    Player Ann  "Ann of the Hill"
    Player Bob
    Card Ace
    Card King
    Card Queen
    Card Jack
    Card Ten
    Card Nine
players Player
state active: Player
state favourite: maybe Card
phase deal
    shuffle deck
    for p in Player
        draw 3 from deck to p.hand
phase hide
    choose hide: c in active.hand "Hide {c}"
        favourite = c
        move c to active.cellar
sequence
    deal
    repeat 2 times
        for active in Player
            hide
    end game, draw
"""


@pytest.fixture
def hiding(tmp_path: Path) -> str:
    path = tmp_path / "hiding.rules"
    path.write_text(HIDING, encoding="utf-8")
    return str(path)


def named(text: str) -> set[str]:
    return {name for name in ("Ace", "King", "Queen", "Jack", "Ten", "Nine") if name in text}


def test_explanations_at_the_table_are_for_the_seat(cli: Cli, hiding: str) -> None:
    asked = ["Bob.hand", "deck", "top(deck)", "Bob.cellar", "favourite", "Card[it in Bob.hand]", "Ace.place"]
    asked += ["some c in Bob.hand: c == Ace", "first(Bob.hand)", "set(c for c in Card if c in Bob.hand)"]
    typed = "1\n" + "".join(f"explain {text}\n" for text in asked) + "explain count(Bob.hand)\nwhy hide Ace\nquit\n"
    for seed in ("1", "2", "3"):
        out = cli("play", hiding, "--seed", seed, "--against", "random", typed=typed).out
        own = named(out.partition("Hide")[2].partition("> 1")[0])
        shown = out.partition("> 1")[2].replace("Ace.place", "").replace("hide Ace", "").replace("c == Ace", "")
        assert len(own) == 3 and named(shown.replace("“Ace”", "").replace("Ace is not", "")) <= own | {"Ace"}
        assert out.count("hidden from you") >= 8 and "count(Bob.hand) = 2" in out


def test_what_is_taken_back_names_no_hidden_answer_of_others(cli: Cli, hiding: str) -> None:
    for seed in ("1", "2", "3", "4"):
        out = cli("play", hiding, "--seed", seed, "--against", "random", typed="1\nundo\ny\nquit\n").out
        own = named(out.partition("> 1")[0])
        assert len(own) == 3 and named(out) == own
        assert "taken back: Hide " in out and "all since the last decision of Ann of the Hill," in out


def test_at_the_end_nothing_is_taken_back_without_asking(cli: Cli) -> None:
    """Everybody may have looked at everything by then."""
    out = cli("play", CARDS, "--seed", "4", typed="1\n" * 6 + "board\nundo\nn\nquit\n").out
    assert "Does everybody agree?" in out and "nothing was taken back" in out


def test_what_would_give_secrets_away_is_not_told(cli: Cli, hiding: str, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    out = cli("play", hiding, typed=f"1\nsave {path}\nquit\n").out
    assert "seed" not in out and "the file holds everything" in out
    saved = json.loads(path.read_text(encoding="utf-8"))
    assert saved["chance"] == "secure" and len(saved["opening"][0]) == 6
    again = cli("play", hiding, "--load", str(path), typed="quit\n").out
    assert "seed" not in again and "Hide" in again
    given = tmp_path / "given.json"
    assert "seed 7" in cli("play", hiding, "--seed", "7", typed=f"save {given}\nquit\n").out
    assert json.loads(given.read_text(encoding="utf-8"))["chance"] is None
    assert "seed" not in cli("play", hiding, "--load", str(given), typed="quit\n").out


def test_a_seed_that_was_drawn_is_told_when_the_game_is_over(cli: Cli) -> None:
    out = cli("play", SKIRMISH, typed="stop\n" * 40).out
    head, _, end = out.partition("The game is over")
    assert "seed" not in head
    seed = end.partition("--seed ")[2].split(")")[0]
    assert int(seed) < 1 << 64
    seeds = {cli("play", SKIRMISH, typed="stop\n" * 40).out.partition("--seed ")[2].split(")")[0] for _ in range(4)}
    assert max(map(int, seeds)) > 1_000_000 and len(seeds) == 4


def test_a_hint_hangs_on_what_the_seat_sees(cli: Cli, hiding: str) -> None:
    typed = "hint\nhint\nquit\n"
    out = cli("play", hiding, "--seed", "3", "--against", "random", typed=typed).out
    hints = [line for line in out.splitlines() if "a bot would take" in line]
    assert len(hints) == 2 and hints[0].partition("a bot")[2] == hints[1].partition("a bot")[2]


def test_a_replay_for_one_player_does_not_tell_what_another_is_asked(cli: Cli, tmp_path: Path) -> None:
    import rulescript

    text = HIDING.replace('hide: c in active.hand "Hide {c}"', 'hide: c in active.hand, n in 1..2 "Hide {c} {n}"')
    path, saved = tmp_path / "two.rules", tmp_path / "two.json"
    path.write_text(text, encoding="utf-8")
    position = rulescript.load(path).start(3)
    position.choose(0)
    saved.write_text(position.to_json(), encoding="utf-8")
    hand = named(str(position.value("Ann.hand")))
    own = named(str(position.value("Bob.hand")))
    out = cli("replay", str(saved), "--game", str(path), "--view", "Bob").out
    assert named(out) <= own and not named(out) & hand
    assert named(cli("replay", str(saved), "--game", str(path), "--view", "Ann").out) & hand


def test_open_games_need_no_passing(cli: Cli) -> None:
    assert "pass the keyboard" not in cli("play", SKIRMISH, typed="stop\nstop\nquit\n").out


def test_the_board_of_somebody_who_may_see_everything(capsys: pytest.CaptureFixture[str]) -> None:
    import rulescript

    position = rulescript.load(CARDS).start(4)
    Board(position, None, Screen("never")).show()
    out = capsys.readouterr().out
    assert sum(name in out for name in CARD_NAMES) == 8


def test_there_and_back_are_two_moves(cli: Cli) -> None:
    """The words of `from Ford to Mill` also fit a march from Mill to Ford, which was not meant."""
    typed = "march infantry from mill to ford\nmarch infantry from ford to mill\nboard\nquit\n"
    out = cli("play", SKIRMISH, typed=typed).out
    assert out.count("North: March") == 1
    assert "is not among the options" in out


def test_a_save_is_opened_without_what_it_was_played_without(cli: Cli, tmp_path: Path) -> None:
    game, file = tmp_path / "windy.rules", tmp_path / "windy.json"
    game.write_text(
        'rulescript 1\ngame "Windy"\nkind Side\nthings\n    Side North\nplayers Side\nstate n: int\n'
        'sequence\n    repeat 2 times\n        may rest "Rest"\n            n += 1\n    end game, draw\n'
        'option wind "Wind", on\n    state gusts: int\n',
        encoding="utf-8",
    )
    cli("play", str(game), "--without", "wind", typed=f"rest\nsave {file}\nquit\n")
    assert json.loads(file.read_text())["options"] == []
    result = cli("play", str(game), "--load", str(file), typed="quit\n")
    assert result.code == 0
    assert "with wind" not in result.out
