"""Stories: battles under a headline, dice with their owner, numbers with reasons, nothing twice, no secrets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rulescript
from rulescript.errors import BadCall, GameInvalid
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position

WAR = """\
rulescript 1
game "A small war"
kind Side
    holds camp: Unit, visible to it, count to others
    holds lost: Unit
kind Town: hill: bool = no
    state control: maybe Side, told "{it} falls to {control}" not "nobody holds {it}"
    state counted: int
    holds units: Unit
pieces Unit: side: Side
    state tired: bool, told "{it} is tired"
    home side.camp
    text "{side} tank"
things
    Side North
    Side South
    Unit North_tank  North, 6
    Unit South_tank  South, 6
map Valley
    link road
    Town Mill  hill
    Town Ford_Town  "The Ford"
    road Mill - Ford_Town
players Side
values Turn: first_day "the first day", second_day "the second day"
state turn: Turn
state active: Side
state noted: int
function enemy(s: Side) -> Side
    if s == North then South else North
value dice(t: Town) -> int
    count(t.units[side == active])
adjust dice(t) add 1 when t.hill "Hill"
adjust dice(t) cap 2 when t.control == North "Held"
procedure fight(t: Town) -> int
    headline "{active} attacks {t} with {t.units[side == active]} against {t.units[side != active]}"
    roll dice(t) d6 as rolled "{active} rolls {dice(t)}{reasons(dice(t))}"
    noted += 1
    let hits = count(rolled[it >= 2])
    tell "Hits: {hits}."
    move hits from t.units[side != active] to enemy(active).lost
    if none t.units[side != active]
        t.control = active
    return hits
procedure skirmish(t: Town)
    if t.hill
        return
    headline "Skirmish in {t}"
phase march "Marching"
    repeat
        choose go: u in Town.units, t in Town "March {u} from {u.place} to {t}"
            require u.side == active and t != u.place
            require not u.tired
            move u to t
            t.counted += 1
        or choose rest: u in Town.units "Rest {u}"
            require u.side == active and not u.tired
            u.tired = yes
        or stop "Enough"
phase battles "Battles"
    repeat
        choose attack: t in Town "Attack in {t}"
            require some t.units[side == active] and some t.units[side != active]
            fight(t)
            skirmish(Mill)
        or stop "No more battles"
sequence
    place 3 North_tank in Ford_Town
    place 2 South_tank in Mill
    for turn in Turn
        for active in Side
            march
            battles
    end game, North wins "by points"
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("war") / "war.rules"
    path.write_text(WAR, encoding="utf-8")
    return rulescript.load(path, cache=False)


def fought(game: Game) -> Position:
    position = game.start(seed=1)
    position.choose("march North tank from The Ford to Mill").choose("march North tank from The Ford to Mill")
    position.choose("enough")
    return position.choose("attack in Mill")


def test_a_battle_is_told_with_its_dice_reasons_and_losses(game: Game) -> None:
    position = fought(game)
    (dice,) = (event["dice"] for event in position.journal if event["kind"] == "roll")
    story = position.journal.story()
    hits = sum(die >= 2 for die in dice)
    assert hits >= 2, "a seed with hits shows more"
    assert story.splitlines()[2:] == [
        "=== the first day, North",
        "== Marching",
        "  North: March 2 North tanks from The Ford to Mill",
        "== Battles",
        "  North attacks Mill with 2 North tanks against 2 South tanks.",
        f"    North rolls 3 (Hill +1): {', '.join(map(str, dice))}.",
        f"    Hits: {hits}.",
        "    South lost 2 South tanks in Mill.",
        "    Mill falls to North.",
    ]


def test_a_headline_tells_what_came_of_it(game: Game) -> None:
    story = fought(game).journal.story("headline")
    assert story == (
        "=== the first day, North\n"
        "  North attacks Mill with 2 North tanks against 2 South tanks. South lost 2 South tanks. Mill falls to North."
    )


def test_everything_has_the_bookkeeping_and_the_answers(game: Game) -> None:
    story = fought(game).journal.story("everything")
    assert "North: Attack in Mill" in story and "Noted is now 1." in story and "Mill: counted is now 2." in story
    assert "North: Enough" in story
    assert "Noted" not in fought(game).journal.story()


def test_no_names_of_the_rules_are_told(game: Game) -> None:
    position = fought(game)
    for length in ("headline", "story", "everything"):
        assert "_" not in position.journal.story(length)


def test_reasons_are_of_what_counts_just_now(game: Game) -> None:
    position = fought(game)
    told = [event["text"] for event in position.journal if event["kind"] == "purpose"]
    assert told == ["North rolls 3 (Hill +1)"]
    assert str(position.explain("reasons(dice(Mill))").value) == " (Hill +1, Held 2)"
    assert str(position.explain("reasons(dice(Ford_Town))").value) == ""


def test_a_rule_that_ends_before_its_headline_is_no_scene(game: Game) -> None:
    kinds = [event["kind"] for event in fought(game).journal]
    assert kinds.count("enter") == kinds.count("leave") == 1


def test_a_change_that_has_no_words_for_the_opposite_is_not_told(game: Game) -> None:
    position = game.start(seed=1)
    position.choose("rest North tank")
    assert "North tank in The Ford is tired." in position.journal.story()


def test_a_story_goes_on_where_it_was(game: Game) -> None:
    """Line by line it is the same as all at once, but for what is told together."""
    from rulescript.story import Storyteller, as_text

    position = fought(game)
    teller = Storyteller(game.data, "everything")
    lines = teller.lines(position.clone().undo(1).journal)
    lines += teller.lines(position.journal.since(position.steps - 1))
    assert as_text(lines, True) == position.journal.story("everything")


def test_a_viewer_reads_only_what_the_viewer_may_know(game: Game) -> None:
    position = fought(game)
    assert position.journal.story(viewer="South") == position.view("South").journal.story()


def test_a_length_that_is_none_is_refused(game: Game) -> None:
    with pytest.raises(BadCall, match="headline, story or everything"):
        game.start().journal.story("epic")


@pytest.fixture
def mistake(tmp_path: Path) -> Callable[[str, str], str]:
    def check(old: str, new: str) -> str:
        path = tmp_path / "war.rules"
        path.write_text(WAR.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(GameInvalid) as problem:
            rulescript.load(path, cache=False)
        return str(problem.value)

    return check


def test_mistakes_are_told(mistake: Callable[[str, str], str]) -> None:
    assert "knows nothing but `{control}` and `{it}`" in mistake("{it} falls to {control}", "{it} falls to {active}")
    assert "a `headline` stands in a procedure" in mistake("    repeat\n", '    headline "x"\n    repeat\n')
    assert "`reasons` does not take" in mistake("{reasons(dice(t))}", "{reasons(noted)}")


def test_words_for_the_story_are_no_rules(game: Game, tmp_path: Path) -> None:
    """A game with other headlines, dice and tellings has the same rules: its saves fit."""
    path = tmp_path / "war.rules"
    text = WAR.replace('    tell "Hits: {hits}."\n', "").replace(', told "{it} is tired"', "")
    path.write_text(text.replace('headline "Skirmish in {t}"', 'tell "Nothing."'), encoding="utf-8")
    assert rulescript.load(path, cache=False).rules_hash == game.rules_hash


HANDS = """\
rulescript 1
game "Hands"
kind Side
    holds hand: Card, visible to it, count to others
    holds table: Card
kind Card
    home North.hand
things
    Side North
    Side South
    Side East
    Card Ace
    Card King
players Side
procedure lay(c: Card)
    headline "{c} is laid down"
    move c to South.hand
    tell "It was {c}."
sequence
    choose by North give: c in North.hand "Give {c}"
        lay(c)
    choose by North keep: c in North.hand "Keep {c}"
        move c to North.table
    or pass
    end game, draw
"""


def test_a_headline_names_nobody_what_they_may_not_know(tmp_path: Path) -> None:
    path = tmp_path / "hands.rules"
    path.write_text(HANDS, encoding="utf-8")
    position = rulescript.load(path, cache=False).start().choose("give Ace")
    assert "Ace is laid down" in position.journal.story()
    for length in ("headline", "story", "everything"):
        assert "Ace" not in position.view("East").journal.story(length)
    # When it was laid down South did not know it yet.
    told = position.view("South").journal.story()
    assert "Ace is laid down" not in told and "It was Ace." in told


def test_who_lets_an_event_pass_is_not_said_to_decline_to_do_it(tmp_path: Path) -> None:
    """A question that several reactions share is called after what happened, and that is nothing one does."""
    (tmp_path / "bells.rules").write_text(
        """rulescript 1
game "Bells", version "1"
kind Side
    state rung: int
things
    Side North
    Side South
players Side
signal bell_rings
when bell_rings
    may choose by North run: s in Side "Run for {s}"
        s.rung += 1
when bell_rings
    may choose by North hide: s in Side "Hide from {s}"
        North.rung += 2
sequence
    signal bell_rings
    end game, draw
""",
        encoding="utf-8",
    )
    position = rulescript.load(tmp_path / "bells.rules").start(seed=1)
    told = position.choose("Decline").journal.story()
    assert "Declines (bell rings)" in told and "Declines to" not in told


def test_a_reaction_that_is_declined_is_called_by_its_name(tmp_path: Path) -> None:
    """It is mostly the name of a card, and nothing that one does."""
    (tmp_path / "bells.rules").write_text(
        """rulescript 1
game "Bells", version "1"
kind Side
    state rung: int
things
    Side North
players Side
signal bell_rings
when bell_rings
    may by North: night_watch "The Night Watch: nobody sleeps"
        North.rung += 1
sequence
    signal bell_rings
    end game, draw
""",
        encoding="utf-8",
    )
    position = rulescript.load(tmp_path / "bells.rules").start(seed=1)
    assert "Declines (night watch)" in position.choose("Decline").journal.story()


MARCHES = """rulescript 1
game "Marches", version "1"
kind Side
things
    Side North
players Side
kind Field
    holds units: Unit
    state contested: bool
pieces Unit: side: Side
    home pool
    text "foot"
holds pool: Unit
map Land
    link road
    Field Hill
    Field Wood
    road Hill - Wood
things
    Unit North_foot  North, 2
procedure battles
    repeat while some Field[contested]
        choose battle: a in Field "Fight in {a}"
            require a.contested
            a.contested = no
            headline "Battle in {a}"
            tell "It is over."
sequence
    place 2 North_foot in Hill
    Wood.contested = yes
    repeat
        choose by North march: u in Field.units "March {u}"
            require u.place == Hill
            move u to Wood
        or stop "No more"
    battles
    end game, draw
"""


def test_what_was_done_before_a_headline_that_it_did_not_bring_about_is_told(tmp_path: Path) -> None:
    """The battle is chosen by nobody: there is only one."""
    path = tmp_path / "marches.rules"
    path.write_text(MARCHES, encoding="utf-8")
    position = rulescript.load(path, cache=False).start().choose("march foot").choose("No more")
    told = position.journal.story()
    assert "March foot" in told and told.index("March foot") < told.index("Battle in Wood")


def test_a_name_within_a_longer_one_is_not_said(tmp_path: Path) -> None:
    """Who pays with the Great Push has not said that Push goes the same way."""
    (tmp_path / "pushes.rules").write_text(
        """rulescript 1
game "Pushes", version "1"
kind Side
    holds hand: Card
    holds bought: Card
    holds spent: Card
things
    Side North
players Side
kind Card
    home North.hand
things
    Card Push
    Card Great_Push
    Card Rest
sequence
    choose by North pay: c in North.hand "Pay with {c}"
        move c to North.spent
        if Push in North.hand
            move Push to North.bought
    end game, draw
""",
        encoding="utf-8",
    )
    game = rulescript.load(tmp_path / "pushes.rules", cache=False)
    told = game.start().choose("Pay with Great Push").journal.story()
    assert "North: Pay with Great Push" in told and "Push from hand to bought" in told


def test_names_have_the_article_they_have_in_a_sentence(tmp_path: Path) -> None:
    """From the Iron Box, kept by the Hill League."""
    (tmp_path / "league.rules").write_text(
        """\
rulescript 1
game "League"
kind Side
    holds camp: Unit
    holds lost: Unit
kind Town
    state control: maybe Side
    state keeper: maybe Side, told "{it} is kept by {keeper}"
    holds units: Unit
pieces Unit: side: Side
    text "{side} foot"
    home side.camp
things
    Side League "Hill League"
    Side South
    Unit League_foot League, 2
    Unit South_foot South, 2
map Valley
    link road
    Town Weir
    Town Iron_Box "Iron Box"
    road Weir - Iron_Box
players Side
state active: Side
procedure march
    headline "Marching"
    move Weir.units to Iron_Box
    Weir.control = League
    Iron_Box.keeper = League
    move Iron_Box.units to League.lost
sequence
    active = League
    place 1 South foot in Weir
    choose go "Go"
        march
    or wait "Wait"
    end game, draw
""",
        encoding="utf-8",
    )
    journal = rulescript.load(tmp_path / "league.rules").start(seed=1).choose("go").journal
    told = journal.story(length="everything") + journal.story()
    assert "The Iron Box is kept by the Hill League." in told
    assert "went from Weir to the Iron Box." in told and "in the Iron Box." in told
