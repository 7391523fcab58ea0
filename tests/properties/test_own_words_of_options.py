"""The text and the key of every legal option are lines that choose it, in every game and every decision; so are the
texts of a whole choice over several names, of its last stage alone and of all of them joined. Whatever is chosen that
way, `why_not` calls allowed. A part of a text, as it stands there, chooses an option that has it, or is told to fit
several; never does it choose one that has other words while there are options with these."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import rulescript
from rulescript.runtime.answers import find_answer
from rulescript.runtime.game import Game
from rulescript.runtime.line_sense import is_declining
from rulescript.runtime.position import Decision, Position
from rulescript.runtime.value_words import Unclear
from rulescript.wording.lexicon import FILLERS, words
from tests.properties.made_lines import told_otherwise

ROOT = Path(__file__).parents[2]
GAMES = [
    ("attrition_of_souls", ()),
    ("attrition_of_souls", ("fog_of_war",)),
    ("attrition_of_souls", ("event_cards",)),
    ("quartermaster_general_1914", ()),
    ("imperial_tide", ()),
    pytest.param("to_the_last_man", (), marks=pytest.mark.long),
    pytest.param("lamps_are_going_out", (), marks=pytest.mark.long),
]
PAGES = sorted((ROOT / "docs/cookbook").glob("*.rules.md"))
PAGES += sorted((ROOT / "tests/slices").glob("*/*.rules.md")) + sorted((ROOT / "tests/slices").glob("*/*.rules"))
# Of the small ones, one of five is played every time.
SMALL = [
    pytest.param(str(page.relative_to(ROOT)), (), marks=[pytest.mark.long] * (number % 5 > 0))
    for number, page in enumerate(PAGES)
]
LOOKED_AT = 5
OPTIONS = 4
LINES = 2
LONGEST = 160


def decision_of(position: Position) -> Decision:
    assert isinstance(position.decision, Decision)
    return position.decision


def random_positions(game: Game, random: Random) -> list[Position]:
    """Positions of one random game, from all of its course."""
    position, seen = game.start(random.randrange(1000)), []
    for _ in range(LONGEST):
        if position.decision is None:
            break
        seen.append(position.clone())
        options = decision_of(position).options
        position.choose(random.choice([o for o in options if not o.flagged] or options))
    return random.sample(seen, min(LOOKED_AT, len(seen)))


def check_options(position: Position, random: Random) -> int:
    options = decision_of(position).options
    chosen = random.sample(options, min(OPTIONS, len(options)))
    for option in chosen:
        expected = position.clone().choose(option).state_hash()
        for line in (option.text, option.key, option.text.upper()):
            assert position.clone().choose(line).state_hash() == expected, line
        for line in (option.text, option.key):
            assert position.why_not(line).allowed, line
            asked = position.clone()
            asked.ask = True
            path = find_answer(asked, line)
            assert path is not None and path[0][1] == option.raw, line
    return len(chosen)


def check_parts(position: Position, random: Random) -> None:
    """Parts of texts: some words that stand in them one after the other."""
    decision = decision_of(position)
    ways = decision.options.asked.alts
    for option in random.sample(decision.options, min(OPTIONS, len(decision.options))):
        said = option.text.split()
        start = random.randrange(len(said))
        line = " ".join(said[start : random.randrange(start, len(said)) + 1]).strip(" :,.!?")
        if not set(words(line)) - FILLERS:
            continue
        fitting = [o for o in decision.options if _has_part(o, line)]
        try:
            path = find_answer(position, line)
        except Unclear as problem:
            assert problem.message.count("`") > 2, problem.message
            continue
        if path is None:
            # Half a name, or what ends the choice.
            continue
        taken = next((o for o in decision.options if o.raw == path[0][1]), None)
        if taken is None or taken in fitting or path[0][0] != position.d:
            continue
        way = ways[decision.options.asked.split(taken.raw)[0]]
        others = [o for o in fitting if not o.flagged and not is_declining(decision.options.alternative_of(o.raw))]
        assert not others or way.form == "many" or is_declining(way), (line, taken, others)


def _has_part(option: rulescript.Option, line: str) -> bool:
    return f" {' '.join(words(line))} " in f" {' '.join(words(option.text))} "


def _last_text(position: Position) -> str:
    """The words of the answer that was given last."""
    step = list(position.history())[-1]
    return position.game.option(step.block, step.raw, step.state, offered=step.options).text


def check_wholes(position: Position, random: Random) -> int:
    """Choices over several names, through all their stages."""
    first = decision_of(position)
    if first.stage or first.selection is not None:
        return 0
    looked = 0
    for option in random.sample(first.options, min(OPTIONS, len(first.options))):
        here, texts = position.clone(), [option.text]
        here.choose(option)
        while here.decision is not None and (now := decision_of(here)).stage == len(texts):
            if (now.name, now.procedure) != (first.name, first.procedure):
                break
            following = random.choice(now.options)
            texts.append(following.text)
            here.choose(following)
        if len(texts) < 2:
            continue
        looked += 1
        joined = ", ".join(texts)
        assert position.clone().choose(joined).state_hash() == here.state_hash(), joined
        assert position.why_not(joined).allowed, joined
        try:
            end = position.clone().choose(texts[-1])
        except Unclear as problem:
            # The last stage says too little by itself: two ways are worded alike.
            assert texts[-1].casefold() in problem.message.casefold()
            continue
        assert end.state_hash() == here.state_hash() or texts[-1] == _last_text(end), texts[-1]
        assert position.why_not(texts[-1]).allowed, texts[-1]
    return looked


@pytest.mark.parametrize("where, options", [*GAMES, *SMALL], ids=lambda x: x if isinstance(x, str) else "+".join(x))
def test_an_option_is_chosen_by_its_own_words(where: str, options: tuple[str, ...]) -> None:
    known = where if "/" not in where else str(ROOT / where)
    try:
        game = rulescript.load(known, options=list(options))
    except rulescript.RulescriptError:
        pytest.skip("no game of its own")
    if not game.player_names:
        pytest.skip("nobody plays it")
    random = Random(where)
    looked = 0
    for position in random_positions(game, random):
        looked += check_options(position, random)
        check_wholes(position, random)
        check_parts(position, random)
        assert told_otherwise(position, random, LINES) == []
    assert looked


SUPPLY = """rulescript 1

game "Parts of texts", version "1"

kind Side
    state points: int

kind Army: side: Side
    state helped: bool
    holds units: Unit

kind Unit: side: Side
    home side_box

things
    Side Red
    Side Blue
    Army Red_1st   Red
    Army Red_2nd   Red
    Unit Red_Guns  "Red Guns" Red
    Unit Red_Bags  "Red Bags" Red

holds side_box: Unit

players Side
    2: Red, Blue

state active: Side

phase support "Support"
    repeat 2 times
        choose support: g in side_box, a in Army "{g} supports {a}"
            require a.side == active and not a.helped
            a.helped = yes
            move g to a
        or choose drill: a in Army "{a} drills with the guns"
            require not a.helped
            a.helped = yes
        or take "Take the bridge in the valley"
            active.points += 1
        or burn "Burn the bridge in the hills"
            active.points += 2
        or stop "No more"

sequence
    for active in Side
        support
    end game
"""


@pytest.fixture(scope="module")
def supply(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("parts") / "parts.rules"
    path.write_text(SUPPLY, encoding="utf-8")
    return rulescript.load(path, cache=False)


@pytest.mark.parametrize(
    "line, key",
    [
        ("Red Guns supports Red 1st", "support a=Red_1st"),
        ("Red_Guns supports Red_2nd", "support a=Red_2nd"),
        ("Red 1st drills", "drill a=Red_1st"),
        ("valley", "take"),
        ("in the hills", "burn"),
    ],
)
def test_a_part_that_fits_one_answer_chooses_it(supply: Game, line: str, key: str) -> None:
    position = supply.start()
    position.choose(line)
    assert [step.key for step in position.history()][-1] == key


def test_a_part_of_the_text_of_a_last_step_chooses_it(supply: Game) -> None:
    position = supply.start().choose("Red Guns supports Red 1st")
    # One gun is left, so its text tells what it would support.
    assert position.choose("supports Red 2nd").value("Red_2nd.units") == {"Red_Bags": 1}


@pytest.mark.parametrize(
    "line, told",
    [
        ("bridge", ["Take the bridge in the valley", "Burn the bridge in the hills"]),
        ("Red Guns", ["Red Guns supports Red 1st", "Red Guns supports Red 2nd"]),
        ("drills with the guns", ["Red 1st drills with the guns", "Red 2nd drills with the guns"]),
    ],
)
def test_a_part_that_fits_several_answers_names_them(supply: Game, line: str, told: list[str]) -> None:
    position = supply.start()
    with pytest.raises(Unclear) as found:
        position.choose(line)
    assert all(text in found.value.message for text in told), found.value.message
    assert position.steps == 0


def test_half_a_name_and_a_part_of_an_end_choose_nothing(supply: Game) -> None:
    for line in ("1st drills", "more", "guns support"):
        with pytest.raises(rulescript.BadChoice):
            supply.start().choose(line)


LAKE = """rulescript 1

game "Two foot", version "1"

kind Side

kind Town
    holds units: Unit

pieces Unit: side: Side
    home side_box

map Valley
    link road
    Town Heron
    Town Mill
    Town Ford
    Town Otter
    road Heron - Mill - Ford
    road Mill - Otter

things
    Side Red
    Side Blue
    Unit Red_Foot  Red, 4

holds side_box: Unit

players Side
    2: Red, Blue

state active: Side

phase set_out "Setting out"
    place 1 Red Foot in Heron
    place 1 Red Foot in Mill

phase movement "Movement"
    repeat 2 times
        choose march: u in Town.units, t in u.place.road "March {u} to {t}"
            move u to t
        or choose home: u in Town.units "{u} goes home"
            move u home
        or stop "No more"

sequence
    set_out
    for active in Side
        movement
    end game
"""


def test_an_answer_whose_rest_is_forced_is_not_picked_for_its_writer(tmp_path: Path) -> None:
    """From Heron there is one way to go, from Mill there are several: `march foot` may be either, and what goes home is
    not meant by who names a foot that can march."""
    path = tmp_path / "lake.rules"
    path.write_text(LAKE, encoding="utf-8")
    position = rulescript.load(path, cache=False).start()
    for line, told in [("march foot", "in Heron"), ("foot", "in Mill"), ("foot in Mill", "to Ford")]:
        with pytest.raises(Unclear) as found:
            position.choose(line)
        assert told in found.value.message, found.value.message
    assert position.clone().choose("march foot in Heron").value("Mill.units") == {"Red_Foot": 2}
    assert position.clone().choose("foot to Ford").value("Ford.units") == {"Red_Foot": 1}
    assert position.clone().choose("foot from Heron to Mill").value("Mill.units") == {"Red_Foot": 2}


FALLING_BACK = """rulescript 1

game "Falling back"

kind Side
things
    Side Red
    Side Blue

players Side

kind Army: side: Side
    state gone: int

things
    Army Red_1st "Northern Guard"    side Red
    Army Red_2nd "Southern Guard"    side Red
    Army Guest_1 "Lancers"           side Red
    Army Guest_2 "Lancers"           side Red

kind Town
map Land
    link road
    Town Mill "Old Mill"
    Town Ford

state active: Side
state falling: Army

phase back "Back"
    falling = Red_1st
    choose fall: t in Town "{falling} falls back to {t}"
        falling.gone += 1
    choose stay "{falling} stays beside {Red_2nd}"
        falling.gone += 5
    or guests "{Guest_1} go home"
        falling.gone += 10
    or leave "nobody goes to {Mill}"
        falling.gone += 20

sequence
    for active in Side
        back
    end game
"""


@pytest.fixture(scope="module")
def falling_back(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("names") / "names.rules"
    path.write_text(FALLING_BACK, encoding="utf-8")
    return rulescript.load(path, cache=False)


@pytest.mark.parametrize(
    "line", ["Red_1st falls back to Mill", "Northern Guard falls back to Old Mill", "Red_1st to Mill"]
)
def test_what_a_text_calls_by_its_label_may_be_called_by_its_name(falling_back: Game, line: str) -> None:
    assert falling_back.start().choose(line).value("Red_1st.gone") == "1"


@pytest.mark.parametrize("line", ["Red_1st stays beside Red_2nd", "Red_1st stays", "stays beside Red_2nd"])
def test_so_it_may_where_nothing_is_picked(falling_back: Game, line: str) -> None:
    assert falling_back.start().choose("Mill").choose(line).value("Red_1st.gone") == "6"


@pytest.mark.parametrize("line", ["Red_2nd falls back to Mill", "Red falls back to Ford", "1st falls back to Ford"])
def test_another_name_or_half_of_one_is_not_taken_for_it(falling_back: Game, line: str) -> None:
    with pytest.raises(rulescript.BadChoice):
        falling_back.start().choose(line)


def test_a_label_of_several_things_names_none_of_them(falling_back: Game) -> None:
    position = falling_back.start().choose("Mill")
    with pytest.raises(rulescript.BadChoice):
        position.choose("Guest_2 go home")
    assert position.choose("Lancers go home").value("Red_1st.gone") == "11"
