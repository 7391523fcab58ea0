"""Refusals and explanations: every failed requirement, with its rule, what it saw, and nothing hidden."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulescript
from rulescript.errors import BadExpression
from rulescript.explain.causes import explain
from rulescript.explain.evaluate import Evaluator, evaluate_text, evaluator_of
from rulescript.reasons import FailedClause, Refusal
from rulescript.runtime.game import Game
from rulescript.runtime.position import Decision, Position
from tests.valley import TWO_SIDES, loaded

VALLEY = """rulescript 1

game "Valley"

kind Side
    holds box: Unit
    holds hand: Card, visible to it, count to others
values Season: spring, summer

kind Card: cost: int = 1, side: Side
    state used: bool
    home side.hand

things
    Card Raid "The Raid"   North, cost 2
    Card Truce             North
    Card Storm             South
    Card Levy              South, cost 3

kind Leader: side: Side, rank: int = 1

things
    Leader Ada    North, rank 3
    Leader Bela   South

kind Town: capital: bool = no, port: bool = no, worth: int = 1, owner: Side
    state control: Control = nobody
    state commander: maybe Leader
    holds units: Unit

map Valley
    link road, river
    Town Mill   North, capital, worth 2
    Town Bridge North
    Town Castle South, capital, worth 3
    Town Ford   South
    Town Harbour South, port
    Town Island South
    road Mill - Bridge - Castle - Harbour
    road Mill - Ford - Castle
    river Harbour - Island

state season: Season = spring
state score: int = 0

predicate may_stack(t: Town, s: Side)                       §6
    require count(t.units[side == s]) < 4 "four at most"    §6.1
    require none t.units[side != s] or t.capital "no crowd" §6.2

function threatened(t: Town) -> bool                        §7.7
    some n in t.road: some n.units[side != t.owner]

route march(u: Unit on Town) from u.place by road, at most 2 steps       §4
    enter b
        require b.control != southern or u.side == South "closed"       §4.1
    through b
        require none b.units[side != u.side] "no enemy on the way"      §4.2

value dice(t: Town) -> int                                   §7
    count(t.units[side == active])

adjust dice(t) add 1 when t.capital "walls"                  §7.1
adjust dice(t) times 2 when season == summer "summer"        §7.2
adjust dice(t) times 3 when score > 0 "ahead"                §7.4
adjust dice(t) cap 7 "limit"                                 §7.3

table losses(roll: int) -> int                               §8
    | 1..3 | 0 |
    | 4..6 | 1 |

phase setup
    place 3 North infantry, 1 North guns in Mill
    place 2 South infantry in Bridge
    place 1 South guns in Castle
    place 2 South infantry in Castle
    Castle.control = southern                                §1.9
    Castle.commander = Bela
    season = summer                                          §1.8

phase movement "Movement"                                    §3
    repeat
        choose move: u in Town.units, t in Town "Move {u} to {t}"   §3.1
            require u.side == active "own units"             §3.2
            require not u.moved                              §3.3
            require t in march(u) "reach"                    §3.4
            require may_stack(t, u.side)                     §3.5
            require u.arm != guns or not threatened(t)       §3.6
            move u to t
            u.moved = yes
        or choose relieve: t in Town "Relieve {t}"           §3.7
            require t.commander != nothing "somebody commands" §3.7-a
            require t.commander.rank > 1 "a high rank"       §3.7-b
            t.commander = nothing
        or give_up "Give up"                                 §9
            require score < 0 "only when behind"             §9.1
            end game, enemy of active wins "given up"
        or stop "End movement"

restrict movement.move when turn == One                      §6.9
    require not t.port "no landings yet"

exception to movement.move §3.6 when u.place.port            §3.6-x

aside boast: t in Town "Boast of {t}" by active during movement     §11
    require t.capital "of a capital only"                     §11.1
    score += 0

procedure battle(t: Town)                                    §5
    choose by enemy of active lose: 2 from t.units[side != active] as lost   §5.2
        for u in lost
            move u to u.side.box

phase combat "Combat"                                        §5
    repeat
        choose attack: t in Town "Battle in {t}"             §5.1
            require some t.units[side != active]
            battle(t)
        or stop "No more battles"

phase cards "Cards"                                          §10
    may choose play: c in active.hand                        §10.1
        require c.cost < 2 "cheap"                           §10.2
        require none (enemy of active).hand[cost > 2] "no answer" peeks   §10.3
        c.used = yes
    may choose spy: d in Card "Spy on {d}"                   §10.5
        require d.cost == 1 "cheap ones"                     §10.6
        require d in (enemy of active).hand "theirs" peeks   §10.7
        d.used = yes

sequence
    setup
    for turn in Turn
        for active in Side
            movement
            combat
            cards
    end game, draw "all quiet"
"""


@pytest.fixture(scope="module")
def valley(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return loaded("valley", VALLEY + TWO_SIDES, tmp_path_factory)


@pytest.fixture
def start(valley: Game) -> Position:
    return valley.start(seed=1)


def cites(refusal: Refusal) -> list[tuple[str, ...]]:
    return [clause.cites for clause in refusal.clauses if clause.status == "failed"]


def asked(position: Position) -> Decision:
    assert isinstance(position.decision, Decision)
    return position.decision


def decline(position: Position) -> None:
    """Take the last way out that is no aside."""
    position.choose([o for o in asked(position).options if not o.flagged][-1])


def only(refusal: Refusal) -> FailedClause:
    assert not refusal.allowed
    (clause,) = refusal.clauses
    return clause


# ------------------------------------------------------------------ requirements


def test_an_option_is_allowed_by_its_text_its_key_or_other_words(start: Position) -> None:
    for option in asked(start).options:
        assert start.why_not(option.text).allowed
        assert start.why_not(option.key).allowed
    assert start.why_not("move a North infantry from Mill to Ford").allowed
    assert start.why_not("Ford: move North infantry").allowed


def test_every_failed_requirement_is_named_with_its_rule_and_what_it_saw(start: Position) -> None:
    refusal = start.why_not("move South infantry from Bridge to Harbour")
    assert cites(refusal) == [("3.2",), ("6.9",)]
    first = refusal.clauses[0]
    assert first.label == "own units"
    assert first.source == "u.side == active"
    assert first.values == (("u.side", "South"), ("active", "North"))
    assert first.condition == "South infantry in Bridge is yours"
    assert first.fact == "South infantry in Bridge is not yours"
    assert "§3.2" in str(refusal) and "§" not in refusal.text


def test_a_restriction_tells_while_it_holds_and_is_cited(start: Position) -> None:
    clause = start.why_not("move South infantry from Bridge to Harbour").clauses[-1]
    assert clause.cites == ("6.9",)
    assert clause.condition == "while the turn is One: Harbour is not a port"
    assert clause.fact == "Harbour is a port"


def test_a_predicate_is_seen_through(start: Position) -> None:
    clause = only(start.why_not("move North infantry from Mill to Bridge"))
    assert clause.cites == ("3.5",)
    (inner,) = clause.through
    assert (inner.cites, inner.label) == (("6.2",), "no crowd")
    assert "there are units in Bridge that are not yours" in inner.fact
    assert ("t.capital", "no") in inner.values


def test_a_function_is_seen_through_and_an_exception_that_does_not_apply_is_cited(start: Position) -> None:
    start.choose("move North infantry from Mill to Ford")
    clause = start.why_not("move North guns from Mill to Mill").clauses[-1]
    assert clause.cites == ("3.6",)
    function, exception = clause.through
    assert (function.cites, function.label) == (("7.7",), "threatened")
    assert (exception.cites, exception.label) == (("3.6-x",), "exception")
    assert "does not apply" in exception.fact


def test_a_blocked_route_tells_the_requirements_that_would_open_it_and_where(start: Position) -> None:
    clause = only(start.why_not("move North infantry from Mill to Castle"))
    assert clause.fact == "Castle cannot be reached by march from Mill"
    (step,) = clause.through
    assert (step.cites, step.label, step.at) == (("4.1",), "closed", ("Castle",))


def test_a_route_blocked_several_times_tells_all_of_it(start: Position) -> None:
    clause = start.why_not("move North infantry from Mill to Harbour").clauses[0]
    assert {c.cites[0] for c in clause.through} == {"4", "4.1", "4.2"}
    far = next(c for c in clause.through if c.cites == ("4",))
    assert ("steps needed", "3") in far.values and ("at most", "2") in far.values


def test_a_route_without_any_link_says_so(start: Position) -> None:
    clause = start.why_not("move North infantry from Mill to Island").clauses[0]
    assert clause.through[0].fact == "no road links lead from Mill to Island"


def test_where_a_route_begins_is_not_reached_by_it(start: Position) -> None:
    clause = start.why_not("move North infantry from Mill to Mill").clauses[0]
    assert clause.through[0].fact == "Mill is where it begins"


def test_what_cannot_be_asked_after_a_failure_is_not_reached(start: Position) -> None:
    first, second = start.why_not("relieve Mill").clauses
    assert (first.cites, first.status) == (("3.7-a",), "failed")
    assert (second.cites, second.status, second.values) == (("3.7-b",), "not reached", ())
    assert cites(start.why_not("relieve Castle")) == [("3.7-b",)]


def test_a_guard_of_another_way_out_is_told_alike(start: Position) -> None:
    for words in ("give up", "Give up", "give_up"):
        clause = only(start.why_not(words))
        assert (clause.cites, clause.values) == (("9.1",), (("score", "0"),))


def test_an_aside_is_an_answer_too(start: Position) -> None:
    assert start.why_not("boast of Mill").allowed
    assert cites(start.why_not("boast of Bridge")) == [("11.1",)]
    start.choose("End movement")
    clause = only(start.why_not("boast of Mill"))
    assert clause.cites == ("11",)


# ------------------------------------------------------------------ names


def test_what_is_not_there_is_said_so(start: Position) -> None:
    clause = only(start.why_not("move North guns from Ford to Mill"))
    assert clause.fact == "there is no North guns in Ford"


def test_a_thing_outside_what_can_be_named_is_said_so(start: Position) -> None:
    clause = start.why_not("move North infantry from North to Mill").clauses[0]
    assert clause.label == "cannot be named here"
    assert clause.fact == "North infantry in North is not one of the units in towns"


def test_a_part_of_an_answer_is_judged_by_whether_it_can_be_completed(start: Position) -> None:
    assert start.why_not("move North infantry").allowed
    assert cites(start.why_not("move South guns")) == [("3.2",)]
    nearest = {clause.cites[0]: clause.at for clause in start.why_not("move North guns").clauses}
    assert "Ford" in nearest["3.6"]
    refusal = start.why_not("boast")
    assert not refusal.allowed and "says too little: name a town (t)" in refusal.text
    start.choose("move North infantry from Mill to Ford")
    moved = start.why_not("move North infantry from Ford")
    assert cites(moved) == [("3.3",)]


def test_words_without_a_label_are_understood(start: Position) -> None:
    assert cites(start.why_not("North infantry from Mill to Castle")) == [("3.4",)]


def test_a_later_question_of_the_same_choice_knows_what_was_picked(start: Position) -> None:
    start.ask = True
    start.choose(asked(start).options[0])
    assert asked(start).stage == 1
    assert cites(start.why_not("Castle")) == [("3.4",)]
    assert cites(start.why_not("move North infantry from Mill to Castle")) == [("3.4",)]
    assert only(start.why_not("move South guns to Ford")).label == "chosen before"
    assert "“move” was begun, with North infantry in Mill: t is to be chosen" in start.why_not("stop").text
    assert only(start.why_not("move t=Castle")).cites == ("3.4",)
    assert "says too little: name a town (t)" in start.why_not("North infantry in Mill").text
    assert only(start.why_not("move u=Mill.units:North_infantry")).label == "not asked now"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("attack Castle", "“Battle in the town” is a choice of Combat and not asked now"),
        ("battle in Castle", "“Battle in the town” is a choice of Combat and not asked now"),
        ("attack t=Castle", "“Battle in the town” is a choice of Combat and not asked now"),
        ("lose South infantry", "“Lose” is a choice of Battle and not asked now"),
        ("fly to the moon", "“fly” and “moon” name nothing that can be chosen here"),
        ("Raid", "The Raid is a card, and no card is chosen here"),
        ("move North infantry from Mill to Bela", "Bela is a leader, and “move” chooses a unit and a town"),
        ("mvoe North guns to Ford", "did you mean `move`?"),
        ("", "nothing that can be chosen here"),
        ("South: move South infantry from Bridge to Mill", "It is not for South to decide"),
    ],
)
def test_words_that_name_something_else_or_nothing(start: Position, words: str, said: str) -> None:
    refusal = start.why_not(words)
    assert not refusal.allowed
    assert said in refusal.text
    assert "North decides now: move (Movement)" in refusal.text


def test_when_the_game_is_over_nothing_is_allowed(valley: Game) -> None:
    position = valley.start()
    while position.decision:
        decline(position)
    assert "The game is over" in position.why_not("move").text


def test_several_at_once(start: Position) -> None:
    start.choose("End movement")
    start.choose("attack Castle")
    assert asked(start).player == "South"
    assert start.why_not("lose South infantry, South guns").allowed
    assert start.why_not("lose 2 South infantry").allowed
    assert "there is only 1 of South guns in Castle" in start.why_not("lose 2 South guns").text
    assert "two are due, three are named" in start.why_not("lose 2 South infantry, 1 South guns").text
    assert "one is due, none is named" not in start.why_not("lose South guns").text
    assert "is not one of the units in Castle" in start.why_not("lose North infantry").text


def test_all_answers_agree_with_the_options(valley: Game) -> None:
    """Whatever pair is named, it is allowed exactly if it can be played."""
    position = valley.start(seed=5)
    towns = ("Mill", "Bridge", "Castle", "Ford", "Harbour", "Island")
    for step in range(4):
        if position.decision is None:
            break
        pieces = {
            (place, side, arm)
            for place in towns
            for name in position.value(f"{place}.units")
            for side, _, arm in [name.partition("(")[0].partition("_")]
        }
        for place, side, arm in sorted(pieces):
            for town in towns:
                words = f"move {side} {arm} from {place} to {town}"
                try:
                    position.clone().choose(words)
                    legal = True
                except rulescript.BadChoice:
                    legal = False
                refusal = position.why_not(words)
                assert refusal.allowed is legal, (step, words, str(refusal))
                assert legal or refusal.cites
        position.choose(asked(position).options[0])
        while position.decision is not None and (asked(position).name, asked(position).stage) != ("move", 0):
            position.choose(asked(position).options[0])


def test_a_refusal_as_data(start: Position) -> None:
    refusal = start.why_not("move North infantry from Mill to Castle")
    told = json.loads(refusal.to_json())
    assert told["allowed"] is False
    assert told["cites"] == ["3.4", "4.1"]
    assert told["clauses"][0]["through"][0]["at"] == ["Castle"]
    assert told["clauses"][0]["line"] > 0


def test_asking_changes_nothing(start: Position) -> None:
    before = start.state_hash()
    start.why_not("move North infantry from Mill to Castle")
    start.explain("dice(Mill)")
    assert start.state_hash() == before and start.steps == 0


# ------------------------------------------------------------------ hidden things


def at_cards(valley: Game) -> Position:
    position = valley.start(seed=1, ask=True)
    while asked(position).name != "play":
        decline(position)
    return position


def swapped(position: Position) -> Position:
    """The same position with two cards of the South that the North cannot tell apart changed for others."""
    other = position.clone()
    names = other.game.data.kinds["Card"].names
    info = next(h for h in other.game.data.holds if h.name == "hand")
    loc = other.game.data.kinds["Card"].loc
    north, south = info.slot, info.slot + 1
    other.s[south] = 1 << names.index("Storm") | 1 << names.index("Raid")
    other.s[north] = 1 << names.index("Truce") | 1 << names.index("Levy")
    for name, slot in (("Raid", south), ("Levy", north)):
        other.s[loc + names.index(name)] = slot
    return other


def test_a_requirement_that_peeks_is_told_by_rule_and_label_only(valley: Game) -> None:
    clause = only(at_cards(valley).why_not("play Truce"))
    assert (clause.cites, clause.label) == (("10.3",), "no answer")
    assert clause.values == () and clause.through == () and clause.source == ""


def test_a_hidden_requirement_is_not_told_where_an_open_one_explains_it(valley: Game) -> None:
    position = at_cards(valley)
    refusal = position.why_not("play Raid")
    assert cites(refusal) == [("10.2",)]
    decline(position)
    assert cites(position.why_not("spy on Levy")) == [("10.6",)]
    assert cites(position.why_not("spy on Raid")) == [("10.6",)]
    spied = only(position.why_not("spy on Truce"))
    assert (spied.cites, spied.values) == (("10.7",), ())


def test_another_player_learns_nothing_about_a_decision_that_is_not_theirs(valley: Game) -> None:
    position = at_cards(valley)
    other = swapped(position)
    for words in ("play Raid", "play Truce", "play Levy"):
        told = position.why_not(words, player="South")
        assert "It is not for South to decide" in told.text and told.clauses == ()
        assert str(told) == str(other.why_not(words, player="South"))


def test_values_that_depend_on_hidden_places_are_hidden(valley: Game) -> None:
    position = at_cards(valley)
    assert explain(position, "South.hand", "North").said == "hidden"
    assert explain(position, "some South.hand[cost > 2]", "North").said == "hidden"
    assert explain(position, "count(South.hand)", "North").value == 2
    assert explain(position, "South.hand", "South").value == ("Storm", "Levy")
    assert position.explain("South.hand").value == ("Storm", "Levy")


FOG = """rulescript 1

game "Fog"

kind Side
    holds box: Unit
things
    Side North
    Side South

players Side

values Arm: infantry, guns

kind Town
    holds units: Unit

pieces Unit: side: Side, arm: Arm
    state covered: bool
    home side.box
    hidden when covered, known to side

map Valley
    link road
    Town Mill
    Town Castle
    road Mill - Castle

counts Unit
    |       | infantry | guns |
    | North | 4 | 2 |
    | South | 4 | 2 |

state active: Side

phase setup
    place 2 North infantry in Mill
    place 1 South infantry in Castle
    place 1 South guns in Castle
    for u in Castle.units
        u.covered = yes

phase movement "Movement"
    repeat
        choose move: u in Town.units, t in Town "Move {u} to {t}" §1
            require u.side == active "own units" §2
            require t in u.place.road "next" §3
            move u to t
        or stop "End"

sequence
    setup
    for active in Side
        movement
    end game, draw
"""


def test_what_lies_face_down_is_not_told_whatever_it_is(tmp_path: Path) -> None:
    """Two games that differ only in what is under the cover answer every question of the North alike."""
    answers = []
    for text in (FOG, FOG.replace("1 South guns in Castle", "1 South infantry in Castle")):
        path = tmp_path / "fog.rules"
        path.write_text(text, encoding="utf-8")
        position = rulescript.load(path, cache=False).start(seed=1)
        told = []
        for arm in ("infantry", "guns"):
            told.append(str(position.why_not(f"move South {arm} from Castle to Mill")))
            told.append(str(position.why_not(f"move u=Castle.units:South_{arm}(covered)")))
        told.append(explain(position, "Castle.units", "North").said)
        told.append(explain(position, "count(Castle.units)", "North").said)
        told.append(str(explain(position, "some Castle.units[arm == guns]", "North")))
        answers.append(told)
    assert answers[0] == answers[1]
    assert "hidden" in answers[0][0]


# ------------------------------------------------------------------ explanations


def test_a_value_is_told_layer_by_layer(start: Position) -> None:
    told = start.explain("dice(Mill)")
    assert told.value == 7
    assert [(c.operation, c.amount, c.value) for c in told.causes] == [
        ("base", "4", "4"),
        ("times", "2", "8"),
        ("add", "1", "9"),
        ("cap", "7", "7"),
    ]
    assert [c.cites for c in told.causes] == [("7",), ("7.2",), ("7.1",), ("7.3",)]
    assert [c.label for c in told.causes] == ["dice", "summer", "walls", "limit"]
    assert "§7.2" in str(told) and "Mill is a capital" in str(told)


def test_a_state_is_traced_to_what_set_it(start: Position) -> None:
    told = start.explain("Castle.control")
    assert told.value == "southern"
    assert [(c.operation, c.cites) for c in told.causes] == [("event", ("1.9",))]
    assert start.explain("Mill.control").causes[0].operation == "base"
    assert start.explain("season").causes[0].cites == ("1.8",)


def test_a_state_without_history_says_so(valley: Game) -> None:
    assert "no history" in str(valley.start(journal=False).explain("Castle.control"))


def test_conditions_routes_tables_and_sums(start: Position) -> None:
    told = start.explain("may_stack(Bridge, North)")
    assert told.value is False
    assert [(c.operation, c.cites) for c in told.causes] == [("holds", ("6.1",)), ("fails", ("6.2",))]
    guns = "only(Mill.units[arm == guns])"
    assert start.explain(f"Ford in march({guns})").causes[0].text == "Mill - Ford, 1 step"
    assert start.explain(f"Castle in march({guns})").causes[0].cites == ("4.1",)
    assert start.explain("losses(5)").causes[0].text == "row 5 of losses: 1"
    assert start.explain("sum(t.worth for t in Town)").value == 9
    assert [c.operation for c in start.explain("score > 3 or some Mill.units").causes] == ["fails", "holds"]


def test_an_expression_that_is_none_is_refused_politely(start: Position) -> None:
    with pytest.raises(BadExpression, match="did you mean `Mill`"):
        start.explain("Mil.control")
    with pytest.raises(BadExpression):
        start.explain("1 +")


def test_an_explanation_as_data(start: Position) -> None:
    told = json.loads(start.explain("dice(Mill)").to_json())
    assert told["value"] == 7 and len(told["causes"]) == 4


# ------------------------------------------------------------------ the evaluator


def test_the_evaluator_agrees_with_play(start: Position) -> None:
    evaluator = evaluator_of(start.game)
    assert evaluator is evaluator_of(start.game)
    assert isinstance(evaluator, Evaluator)
    assert evaluate_text(start, "count(Mill.units)") == 4
    assert evaluate_text(start, "some t in Town: threatened(t)") is True
    x = evaluator.read("Mill.units[arm == guns]")
    assert evaluator.words(evaluator.value(x, start.s), x.type) == "1 North guns"
    found = evaluator.choice_at(start.d)
    assert found is not None
    alt = found[1].alts[0]
    unit, town = (var for var, _ in alt.picks)
    for ref in evaluator.refs(alt.picks[0][1], start.s):
        first = [evaluator.clause_holds(alt.clauses[0], start.s, {unit.ident: ref, town.ident: 0})]
        assert first == [evaluator.words(ref, unit.type).startswith("North")]


def test_names_of_the_waiting_rule_have_their_values(start: Position) -> None:
    start.choose("End movement")
    start.choose("attack Castle")
    assert start.game.data.kinds["Town"].names[evaluate_text(start, "t")] == "Castle"


def test_a_game_from_the_cache_explains_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "valley.rules"
    path.write_text(VALLEY + TWO_SIDES, encoding="utf-8")
    told = [str(rulescript.load(path).start(seed=1).why_not("relieve Mill")) for _ in range(2)]
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("asked", "value", "told"),
    [
        ("sum(losses(number(u.arm)) for u in Mill.units)", 0, ["3 North infantry in Mill: 0 each"]),
        ("sum(number(u.arm) for u in Town.units[side == South])", 6, ["2 South infantry in Bridge: 1 each"]),
        ("max(number(u.arm) + 1 for u in Mill.units)", 3, ["North guns in Mill: 3"]),
        ("sum(number(u.arm) for u in Mill.units if u.arm != guns)", 3, ["3 North infantry in Mill: 1 each"]),
        ("sum((if u.moved then 1 else 2) for u in Mill.units)", 8, ["3 North infantry in Mill: 2 each"]),
        ("sum(number(u.arm) for u in Mill.units) + sum(number(u.arm) for u in Mill.units)", 10, []),
    ],
)  # fmt: skip
def test_a_sum_over_pieces_is_told_piece_by_piece(start: Position, asked: str, value: int, told: list[str]) -> None:
    """Also when it is asked for again, and after others of its kind."""
    for _ in range(2):
        found = start.explain(asked)
        assert found.value == value
        said = [cause.text for cause in found.causes]
        assert [text for text in told if text not in said] == []


def test_of_pieces_that_are_not_there_what_was_said_of_them_is_told(start: Position) -> None:
    """Both sides have guns, and there are units in Bridge, but no guns."""
    assert "there is no guns in Bridge" in str(start.why_not("move guns from Bridge to Ford"))
