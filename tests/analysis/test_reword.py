"""`reword`: what people read for a rule, in its author's own words."""

from __future__ import annotations

import pytest

from rulescript.errors import GameInvalid
from rulescript.explain.evaluate import Evaluator
from rulescript.loader import load_single
from rulescript.pipeline import compile_text
from rulescript.runtime.game import Game
from rulescript.wording.english import say, say_not

GAME = """
values Side: North, South
kind Town: walled: bool = no
    state siege: int
    state taken: bool
    holds units: Unit
pieces Unit: side: Side
    state moved: bool, lasts march
    home box
holds box: Unit
players Side
state active: Side
state peace: bool
map Valley
    link road
    Town Mill  walled
    Town Ford
    Town Keep
    road Mill - Ford - Keep
things
    Unit Guard  North, 2
    Unit Scout  South, 2
function besieged(t: Town) -> bool
    t.siege > 0
function strength(t: Town, s: Side) -> int
    count(t.units[side == s])
predicate open_to(t: Town, s: Side)
    require strength(t, s) < 3 "room" §2.4
route march_way(u: Unit on Town) from u.place by road, at most 1 step
table losses(n: int) -> int
    | 1 | 0 |
    | otherwise | 1 |
phase march
    choose go: u in Town.units, t in Town "March {u} to {t}"
        require u.side == active "your own" §2.1
        require t in march_way(u) §2.2
        require open_to(t, active)
        move u to t §2.5
        u.moved = yes
procedure set_out(t: Town)
    place 1 Guard in t §1.1
sequence
    set_out(Mill)
    for active in Side
        march
    end game, draw
"""


def game(more: str) -> Game:
    return compile_text(load_single(GAME + more, "rewording.rules"))


def said(more: str, source: str) -> tuple[str, str]:
    x = Evaluator(game(more)).read(source)
    return say(x), say_not(x)


def test_a_function_says_what_its_author_says() -> None:
    more = 'reword besieged(t) as "{t} is under siege" not "{t} is free"\n'
    assert said(more, "besieged(Mill)") == ("Mill is under siege", "Mill is free")
    assert said(more, "not besieged(Mill)") == ("Mill is free", "Mill is under siege")
    assert said(more, "some Town[besieged(it)]")[0] == "there are towns that are under siege"


def test_without_an_opposite_its_verb_is_denied_or_the_sentence_as_a_whole() -> None:
    more = 'reword besieged(town) as "{town} is under siege"\n'
    assert said(more, "besieged(Mill)")[1] == "Mill is not under siege"
    more = 'reword besieged(town) as "{town} can hold out"\n'
    assert said(more, "besieged(Mill)")[1] == "Mill cannot hold out"
    more = 'reword besieged(town) as "foes stand around {town}"\n'
    assert said(more, "besieged(Mill)")[1] == "it is not so that foes stand around Mill"


def test_values_tables_states_and_attributes_have_words_too() -> None:
    assert said('reword strength(t, s) as "the army of {s} at {t}"\n', "strength(Mill, North) > 2")[0] == (
        "the army of North at Mill is more than 2"
    )
    assert said('reword losses(n) as "what {n} costs"\n', "losses(2) == 1")[0] == "what 2 costs is 1"
    more = 'reword Town.walled(t) as "{t} has walls" not "{t} has no walls"\n'
    assert said(more, "Mill.walled") == ("Mill has walls", "Mill has no walls")
    assert said('reword Town.siege as "the siege of {it}"\n', "Mill.siege > 1")[0] == "the siege of Mill is more than 1"
    assert said('reword peace as "there is peace" not "there is war"\n', "peace") == ("there is peace", "there is war")
    more = 'reword Unit.moved(u) as "{u} has marched" not "{u} is fresh"\n'
    assert said(more, "every u in Mill.units: u.moved")[0] == "every unit in Mill has marched"


CARDS = """
kind Card
things
    Card Raid
        state paid: bool
        before march when not paid
            paid = yes
"""


def test_a_state_of_one_thing_has_words() -> None:
    made = game(CARDS + 'reword Raid.paid as "the raid is paid for"\n')
    condition = made.model.procedures["march"].before[0].condition
    assert condition is not None and say(condition) == "the raid is not paid for"
    with pytest.raises(GameInvalid, match="nothing called `Raid.payd`") as problem:
        game(CARDS + 'reword Raid.payd as "the raid is paid for"\n')
    assert "did you mean `Raid.paid`?" in str(problem.value)


def test_a_refusal_uses_the_words_of_a_requirement() -> None:
    more = 'reword march.go §2.2 as "the road leads there" not "no road leads from {u.place} to {t}"\n'
    position = game(more).start(1, ask=True)
    refusal = position.why_not("march Guard to Keep")
    assert "no road leads from Mill to Keep §2.2" in str(refusal)


def test_a_route_and_a_labelled_clause() -> None:
    assert said('reword march_way(u) as "a day of marching"\n', "some u in Mill.units: Ford in march_way(u)")[0] == (
        "for at least one unit in Mill, Ford can be reached by a day of marching"
    )
    made = game('reword open_to "room" as "there is room in {t}" not "{t} is full"\n')
    (clause,) = made.model.functions["open_to"].clauses
    assert clause.wording is not None and clause.wording.denied is not None


def test_a_step_is_worded_by_its_citation() -> None:
    made = game('reword set_out §1.1 as "Put a guard into {t}"\n')
    (step,) = made.model.procedures["set_out"].block
    assert step.wording is not None


def test_words_change_no_rule() -> None:
    plain, worded = game(""), game('reword besieged(t) as "{t} is under siege"\n')
    assert plain.rules_hash == worded.rules_hash


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('reword beseiged(t) as "x"', "RS108"),
        ('reword besieged(t, u) as "x"', "RS202"),
        ('reword Town.wall(t) as "x"', "RS107"),
        ('reword march.go §9 as "x"', "RS108"),
        ('reword march.go as "x"', "RS110"),
        ('reword strength(t, s) as "x" not "y"', "RS201"),
        ('reword besieged(t) as "{nobody}"', "RS101"),
    ],
)
def test_mistakes_are_told(line: str, code: str) -> None:
    with pytest.raises(GameInvalid) as problem:
        game(line + "\n")
    assert code in [d.code for d in problem.value.diagnostics]


REPLACED = """
values Side: North, South
kind Town
    state siege: int
players Side
state active: Side
map Valley
    link road
    Town Mill
    Town Ford
    road Mill - Ford
function hard(t: Town) -> bool as "{t} lies under siege" not "nobody besieges {t}"
    t.siege > 0
predicate open_to(t: Town, s: Side) as "{s} may pass {t}"
    require t.siege == 0
function worth(t: Town) -> int as "what {t} is worth"
    1
sequence
    end game, draw
option strict "Strict"
    replace function hard(t: Town) -> bool
        t.siege > 2
    replace predicate open_to(town: Town, s: Side)
        require town.siege == 1
    replace function worth(t: Town) -> int as "what one gets for {t}"
        2
"""


def test_a_rule_in_the_place_of_another_goes_by_its_words_unless_it_has_its_own() -> None:
    """With other names for what it is asked about it cannot: they stand in the words."""
    reader = Evaluator(compile_text(load_single(REPLACED, "replaced.rules"), ("strict",)))
    hard = reader.read("hard(Mill)")
    assert (say(hard), say_not(hard)) == ("Mill lies under siege", "nobody besieges Mill")
    assert say(reader.read("worth(Mill)")) == "what one gets for Mill"
    assert say(reader.read("open_to(Mill, North)")) == "Mill is open to North"
