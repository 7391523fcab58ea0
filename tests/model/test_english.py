"""Every expression says itself in plain English, as it is and denied."""

from __future__ import annotations

import pytest

from rulescript.explain.evaluate import Evaluator, evaluator_of
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import (
    BOOL,
    INT,
    NOTHING,
    TEXT,
    ListOf,
    Maybe,
    PieceOf,
    Pile,
    SetOf,
    ThingOf,
)
from rulescript.phrases import article, plural, readable
from rulescript.runtime.game import Game
from rulescript.source import SourceFile, Span
from rulescript.wording.english import say, say_not
from tests.valley import TWO_SIDES, loaded

RIVERS = """rulescript 1

game "Rivers"

kind Side
    holds box: Unit

kind Town: capital: bool = no, worth: int = 1, owner: Side
    state control: Control = nobody
    state is_supplied: bool
    state deed: Deed
    state legs: Deed
    state sortie: Sortie
    has allies: set of Side = {}
    holds units: Unit

values Sortie: never "no raid", by_night "raid"
values Deed: fresh, marched "has marched", hiding "hides", tired "has used up its strength"

map Valley
    link road, river
    Town Mill   North, capital, worth 2
    Town Castle South, capital, worth 3
    road Mill - Castle

state supply_points: int = 0

function ours(t: Town) -> bool
    some t.units[side == active]

predicate contested(t: Town)
    require some t.units[side == North]
    require some t.units[side == South]

route march(u: Unit on Town) from u.place by road

table losses(roll: int) -> int
    | 1..3 | 0 |
    | 4..6 | 1 |

phase movement "Movement"
    repeat
        choose move: u in Town.units, t in Town "Move {u} to {t}"
            require u.side == active
            require not u.moved
            require t in march(u)
            move u to t
            u.moved = yes
        or stop "End movement"

sequence
    for turn in Turn
        for active in Side
            movement
            supply_points = losses(3)
            if ours(Mill) or contested(Mill)
                Mill.is_supplied = yes
    end game, draw
"""


@pytest.fixture(scope="module")
def rivers(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return loaded("rivers", RIVERS + TWO_SIDES, tmp_path_factory)


@pytest.fixture(scope="module")
def reader(rivers: Game) -> Evaluator:
    return evaluator_of(rivers)


SENTENCES = [
    ("Mill.control == northern", "Mill is northern", "Mill is not northern"),
    ("Mill.owner == active", "Mill is owned by the active side", "Mill is not owned by the active side"),
    ("Mill.capital", "Mill is a capital", "Mill is not a capital"),
    ("Mill.is_supplied", "Mill is supplied", "Mill is not supplied"),
    ("none Mill.units", "there are no units in Mill", "there are units in Mill"),
    ("some North.box", "North's box is not empty", "North's box is empty"),
    (
        "some Mill.units[side == active and not moved]",
        "the active side has units in Mill that have not moved",
        "the active side has no units in Mill that have not moved",
    ),
    (
        "count(Mill.units[arm == guns]) > 2",
        "there are at least three guns in Mill",
        "there are at most two guns in Mill",
    ),
    (
        "some Mill.units[side == active and arm == guns and not moved]",
        "the active side has guns in Mill that have not moved",
        "the active side has no guns in Mill that have not moved",
    ),
    (
        "every t in Town: count(t.units) <= 10",
        "for every town, there are at most ten units in it",
        "there is at least one town in which there are at least eleven units",
    ),
    (
        "some Town[some units[side == active]]",
        "there are towns with units of the active side",
        "there are no towns with units of the active side",
    ),
    ("Mill in Castle.road", "Mill is linked by road to Castle", "Mill is not linked by road to Castle"),
    ("Mill in Castle.links", "Mill is linked to Castle", "Mill is not linked to Castle"),
    (
        "count(Town.units[place.capital]) == 0",
        "there are no units in towns whose town is a capital",
        "there are units in towns whose town is a capital",
    ),
    (
        "not (Mill.capital and ours(Mill))",
        "Mill either is not a capital or is not ours",
        "Mill is a capital and is ours",
    ),
    ("Mill.deed == marched", "Mill has marched", "Mill has not marched"),
    ("Mill.deed == hiding", "Mill hides", "Mill does not hide"),
    ("Mill.sortie == by_night", "Mill's sortie is a raid", "Mill's sortie is not a raid"),
    ("Mill.sortie == never", "Mill's sortie is no raid", "Mill's sortie is a raid"),
    ("Mill.legs == fresh", "Mill is fresh", "Mill is not fresh"),  # and not: are fresh
    (
        "some Town[deed == tired]",
        "there are towns that have used up their strength",
        "there are no towns that have used up their strength",
    ),
    (
        "some Town[deed != marched]",
        "there are towns that have not marched",
        "there are no towns that have not marched",
    ),
    ("contested(Mill)", "Mill is contested", "Mill is not contested"),
    ("turn > One", "the turn comes after One", "the turn does not come after One"),
    ("next(turn) != nothing", "there is a next turn", "there is no next turn"),
    ("supply_points >= 3", "there are at least three supply points", "there are fewer than three supply points"),
    (
        "enemy of active == North",
        "the enemy of the active side is North",
        "the enemy of the active side is not North",
    ),
    (
        "sum(t.worth for t in Town[control == northern]) > 4",
        "the total worth of towns that are northern is more than 4",
        "the total worth of towns that are northern is at most 4",
    ),
    (
        "some a in Town, b in a.road: a.control == b.control",
        "for at least one town a and town b linked by road to a, a's control is b's control",
        "for no town a and town b linked by road to a, a's control is b's control",
    ),
    ("Mill in {Mill, Castle}", "Mill is Mill or Castle", "Mill is neither Mill nor Castle"),
    (
        "supply_points in 2..4",
        "the supply points are between 2 and 4",
        "the supply points are not between 2 and 4",
    ),
]


@pytest.mark.parametrize(("source", "said", "denied"), SENTENCES)
def test_conditions_read_as_a_rulebook_would_put_them(reader: Evaluator, source: str, said: str, denied: str) -> None:
    x = reader.read(source)
    assert say(x) == said
    assert say_not(x) == denied


def test_denying_twice_is_saying(reader: Evaluator) -> None:
    for source, said, denied in SENTENCES:
        x = reader.read(f"not ({source})")
        assert (say(x), say_not(x)) == (denied, said)


PHRASES = [
    ("most Town by worth", "the towns with the highest worth"),
    ("Mill.units.side", "the sides of units in Mill"),
    ("Town[capital].allies", "the allies of towns that are capitals"),
    ("Town[it != Mill]", "the towns other than Mill"),
    ("(supply_points + 2) * 3 at most 10", "(the supply points plus 2) times 3 (but at most 10)"),
    ("supply_points / 2 rounded up", "half of the supply points rounded up"),
    ("losses(supply_points)", "the losses for the supply points"),
    ("count(t.capital for t in Town)", "the number of towns that are capitals"),
    ("max(t.worth for t in Town)", "the highest worth of towns"),
    ("if Mill.capital then 3 else 4", "3 if Mill is a capital, otherwise 4"),
    ("only(Town[capital])", "the only town that is a capital"),
    ("Town - Mill", "all towns except Mill"),
]


@pytest.mark.parametrize(("source", "said"), PHRASES)
def test_values_are_noun_phrases(reader: Evaluator, source: str, said: str) -> None:
    x = reader.read(source)
    assert say(x) == said
    assert say_not(x) == f"anything but {said}"


def test_names_are_called_by_their_kind_or_by_what_they_stand_for(rivers: Game) -> None:
    (_, choose), *_ = rivers.model.chooses
    side, moved, reach = (c.condition for c in choose.alts[0].clauses)
    unit = choose.alts[0].picks[0][0]
    assert say(moved) == "the unit has not moved"
    assert say_not(moved) == "the unit has moved"
    assert say(side, {unit.ident: "the guns"}) == "the guns belongs to the active side"
    assert say(reach) == "the town can be reached by march from the unit's town"


def test_two_names_of_one_kind_are_told_apart() -> None:
    kind = m.Kind("Town", False, False, _span())
    town = ThingOf("Town")
    a, b = (ir.Local(town, _span(), ir.Var(name, town, "param", at)) for at, name in enumerate("ab"))
    assert say(ir.CompareX(BOOL, _span(), "==", a, b)) == "town a is town b"
    assert kind.size == 0


def test_words() -> None:
    assert readable("supply_line") == "supply line"
    assert readable("SupplyLine") == "Supply Line"
    assert [plural(w) for w in ("town", "army", "box", "turn order", "infantry", "day")] == [
        "towns", "armies", "boxes", "turn orders", "infantry", "days",
    ]  # fmt: skip
    assert (article("army"), article("town")) == ("an army", "a town")
    assert (article("unit"), article("U-boat"), article("hour"), article("uninvited")) == (
        "a unit", "a U-boat", "an hour", "an uninvited",
    )  # fmt: skip


# ------------------------------------------------------------------ one of every class


def _span() -> Span:
    text = "x"
    return SourceFile("t.rules", text, text).span(0, 1)


def one_of_each(type_is_bool: bool) -> dict[str, ir.X]:
    """An expression of every class of model/ir.py, as a condition where it can be one."""
    span = _span()
    side = m.Kind("Side", False, False, span)
    side.things.append(m.Thing(side, "North", "North", 0, span))
    town = m.Kind("Town", False, False, span)
    town.things.append(m.Thing(town, "Mill", "Mill", 0, span))
    town.links["road"] = [set()]
    unit = m.Kind("Unit", True, False, span)
    a_town, a_unit, towns = ThingOf("Town"), PieceOf("Unit"), SetOf(ThingOf("Town"))
    attr = m.Attr("rough", BOOL, town, None, span)
    flag = m.State("flooded", BOOL, town, None, (), (), span)
    moved = m.State("moved", BOOL, unit, None, (), (), span)
    open_ = m.State("open", BOOL, None, None, (), (), span)
    holds = m.Holds("units", unit, town, False, span)
    t = ir.Local(a_town, span, ir.Var("t", a_town, "pick", 1))
    u = ir.Local(a_unit, span, ir.Var("u", a_unit, "pick", 2))
    it = ir.Var("it", a_town, "element", 3)
    mill = ir.ThingLit(a_town, span, town, 0)
    every = ir.AllThings(towns, span, town)
    yes, three = ir.Lit(BOOL, span, True), ir.Lit(INT, span, 3)
    contents = ir.ContentsX(Pile("Unit"), span, holds, t)
    rough = ir.AttrX(BOOL, span, attr, t)
    own = ir.AttrX(BOOL, span, attr, ir.Local(a_town, span, it))
    function = m.Function("reachable" if type_is_bool else "strength", "function", (), INT, (), span)
    start = ir.PlaceOfX(a_town, span, u)
    route = m.Route("march", (), town, start, ("road",), None, [], (), span)
    table = m.Table("losses", (), INT, None, [], (), span)
    result = BOOL if type_is_bool else INT
    flagged = ir.Var("ready", BOOL, "let", 4)
    return {
        "Lit": yes if type_is_bool else three,
        "ThingLit": mill,
        "AllThings": every,
        "Local": ir.Local(BOOL, span, flagged) if type_is_bool else t,
        "StateX": ir.StateX(BOOL, span, flag, t) if type_is_bool else ir.StateX(BOOL, span, open_, None),
        "AttrX": rough,
        "PieceStateX": ir.PieceStateX(BOOL, span, moved, u),
        "PlaceOfX": start,
        "ContentsX": contents,
        "LinksX": ir.LinksX(towns, span, t, town, ("road",)),
        "FilterX": ir.FilterX(towns, span, every, it, own),
        "SomeX": ir.SomeX(BOOL, span, contents, not type_is_bool),
        "QuantX": ir.QuantX(BOOL, span, "every" if type_is_bool else "none", ((it, every),), own),
        "AggregateX": ir.AggregateX(INT, span, "sum", ((it, every),), three, None),
        "MostX": ir.MostX(towns, span, "most", every, it, three),
        "AndX": ir.AndX(BOOL, span, (rough, yes)),
        "OrX": ir.OrX(BOOL, span, (rough, yes)),
        "NotX": ir.NotX(BOOL, span, rough),
        "ArithX": ir.ArithX(INT, span, "+", (three, three)),
        "SetOpX": ir.SetOpX(towns, span, "-", every, ir.SetX(towns, span, (mill,))),
        "CompareX": ir.CompareX(BOOL, span, "==", t, mill),
        "InX": ir.InX(BOOL, span, t, every, not type_is_bool),
        "IfX": ir.IfX(result, span, rough, rough, yes) if type_is_bool else ir.IfX(INT, span, rough, three, three),
        "CallX": ir.CallX(result, span, function, (t,)),
        "RouteX": ir.RouteX(towns, span, route, ()) if type_is_bool else ir.RouteX(Maybe(INT), span, route, (), t),
        "TableX": ir.TableX(result, span, table, (three,), three),
        "BuiltinX": ir.BuiltinX(INT, span, "count", (contents,)),
        "SetX": ir.SetX(towns, span, (mill,)),
        "ListX": ir.ListX(ListOf(a_town), span, (mill, t)),
        "RangeX": ir.RangeX(SetOf(INT), span, 1, 3),
        "TemplateX": ir.TemplateX(TEXT, span, ("to ", t)),
    }


def _classes() -> set[str]:
    return {c.__name__ for c in vars(ir).values() if isinstance(c, type) and issubclass(c, ir.X) and c is not ir.X}


@pytest.mark.parametrize("as_condition", [True, False])
def test_every_class_of_expression_can_say_itself_and_its_opposite(as_condition: bool) -> None:
    built = one_of_each(as_condition)
    assert set(built) == _classes()
    for name, x in built.items():
        assert type(x).__name__ == name
        said, denied = say(x), say_not(x)
        assert said and denied and said != denied, name
        assert "_" not in said and "<" not in said, said


@pytest.mark.parametrize("operator", ["==", "!=", "<", "<=", ">", ">="])
def test_every_comparison_has_an_opposite(operator: str) -> None:
    span = _span()
    number = ir.Local(INT, span, ir.Var("n", INT, "let", 1))
    thing = ir.Local(ThingOf("Turn"), span, ir.Var("t", ThingOf("Turn"), "let", 2))
    for left, right in ((number, ir.Lit(INT, span, 3)), (thing, thing)):
        x = ir.CompareX(BOOL, span, operator, left, right)
        assert say(x) != say_not(x)
    nothing = ir.CompareX(BOOL, span, "==", thing, ir.Lit(NOTHING, span, None))
    assert say(nothing) == "there is no turn"


@pytest.mark.parametrize(
    "name",
    "count sum max min abs only first last next previous number label sorted taken default".split(),  # noqa: SIM905
)
def test_every_builtin_says_itself(name: str) -> None:
    span = _span()
    values = ir.Local(ListOf(INT), span, ir.Var("dice", ListOf(INT), "let", 1))
    thing = ir.Local(ThingOf("Turn"), span, ir.Var("t", ThingOf("Turn"), "let", 2))
    one = thing if name in ("next", "previous", "number", "label") else values
    args: tuple[ir.X, ...] = (ir.Lit(INT, span, 2), values) if name in ("taken", "default") else (one,)
    assert say(ir.BuiltinX(INT, span, name, args)).strip()


@pytest.mark.parametrize("function", ["sum", "count", "max", "min", "set", "list", "matching"])
def test_every_aggregate_says_itself(function: str) -> None:
    span = _span()
    town = m.Kind("Town", False, False, span)
    it = ir.Var("it", ThingOf("Town"), "element", 1)
    every = ir.AllThings(SetOf(ThingOf("Town")), span, town)
    value: ir.X = ir.Lit(BOOL, span, True) if function == "count" else ir.Lit(INT, span, 1)
    assert "towns" in say(ir.AggregateX(INT, span, function, ((it, every),), value, None))
    other = ir.Var("b", ThingOf("Town"), "element", 2)
    if function != "matching":
        assert say(ir.AggregateX(INT, span, function, ((it, every), (other, every)), value, None))
