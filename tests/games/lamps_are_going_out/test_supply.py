"""What is refit, raised, dug and sent in random games, held against a second reading of the rules of supply.

The second reading is plain Python over the map and the position: paths of friendly areas, looked for anew each time. It
knows nothing of the routes and predicates in the game's text, so the two agree only if both read the rulebook alike
(6.2.2, 8.3.2, 8.3.3, 8.3.4, 8.3.5).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Any

import pytest

from rulescript.runtime.game import Game
from rulescript.runtime.position import Position
from tests.games import sources

CAPS = {"Austrians": 3, "Turks": 1, "Italians": 1, "French": 4, "British": 7, "Russians": 4, "Americans": 9}
OVERSEAS = {"British", "Americans"}
WITHOUT_PRODUCTION = {"Belgians", "Bulgarians", "Serbs", "Romanians", "Greeks"}
BARRED = ("survivor", "routed", "raised")
DIGGERS = {"Germans", "Austrians", "Turks", "Belgians", "Italians", "French", "British", "Russians"}


def game() -> Game:
    return sources.game("lamps_are_going_out")


@cache
def attributes(kind: str, name: str) -> dict[str, Any]:
    """What the components say of a thing: other things by their names."""
    of = game().model.kinds[kind]
    at = next(at for at, thing in enumerate(of.things) if thing.name in {name, f"{name}_1"})  # one of several copies
    return {attr: plain(info.values[at]) for attr, info in of.attrs.items()}


def plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return {plain(each) for each in value}
    if hasattr(value, "kind") and hasattr(value, "index"):
        return game().model.kinds[value.kind].things[value.index].name
    return value


@cache
def neighbours() -> dict[str, frozenset[str]]:
    areas = game().model.kinds["Area"]
    names = [area.name for area in areas.things]
    return {name: frozenset(names[to] for to in areas.links["border"][at]) for at, name in enumerate(names)}


def area(name: str, attr: str) -> Any:
    return attributes("Area", name)[attr]


def side_of_nation(nation: str) -> str:
    return str(attributes("Nation", nation)["side"])


class Table:
    """What lies where, as everybody at the table sees it."""

    def __init__(self, position: Position) -> None:
        view = position.view("Germany").to_dict()
        self.places, self.states = view["places"], view["states"]
        self.stands_in = {unit: at for at in neighbours() for unit in self.places[f"{at}.units"]}

    def holder(self, at: str) -> str:
        held = self.states[f"{at}.control"]
        there = next(iter(self.places[f"{at}.units"]), "")
        if there and (area(at, "shape") == "circle" or held == "nothing"):
            if at != "Greece" or self.states["salonika_marker"] != "lies_closed":
                return side_of_nation(attributes("Unit", there)["nation"])
        return str(held)

    def homes(self, nation: str, *, producing: bool = False) -> set[str]:
        """Its own Home Areas that are friendly: no squares and circles."""
        return {
            at
            for at in neighbours()
            if area(at, "owner") == nation
            and area(at, "shape") in {"standard", "box"}
            and self.holder(at) == side_of_nation(nation)
            and (area(at, "production") or not producing)
        }

    def joined(self, starts: Iterable[str], side: str, also: Iterable[str] = (), albania: bool = True) -> set[str]:
        """All that a path of friendly areas joins to one of these. No path goes beyond Albania."""
        friendly, found = set(also), set(starts)
        friendly |= {at for at in neighbours() if self.holder(at) == side and area(at, "shape") != "circle"}
        ahead = deque(found)
        while ahead:
            here = ahead.popleft()
            for there in (neighbours()[here] & friendly) - found if here != "Albania" else ():
                if albania or there != "Albania":
                    found.add(there)
                    ahead.append(there)
        return found

    def ports(self, side: str) -> set[str]:
        straits = self.holder("Gallipoli") == self.holder("Anatolia") == side
        return {at for at in neighbours() if area(at, "anchor") or area(at, "black_sea") and straits}

    def is_refit(self, nation: str, unit: str) -> bool:
        """Whether supply reaches it: by land from a Home Production Area, and for British armies by sea (8.3.2)."""
        at, side = self.stands_in[unit], side_of_nation(nation)
        if nation in WITHOUT_PRODUCTION:
            sources = self.homes(nation)
        else:
            sources = {a for a in self.homes("French" if nation in OVERSEAS else nation, producing=True)}
        if at in self.joined(sources, side):
            return True
        if nation != "British" or attributes("Unit", unit)["arm"] != "army":
            return False
        if area(at, "shape") in {"beach", "circle"}:
            return True
        return at in self.joined({port for port in self.ports(side) if self.holder(port) == side}, side)

    def can_pay(self, nation: str, unit: str) -> bool:
        """Whether nothing but supply can keep a Spent unit from a refit now: all points of the nation reach it."""
        says = self.states.get
        never = unit == "Lettow_Vorbeck" or any(says(f"{unit}.{state}") == "yes" for state in BARRED)
        if never or says(f"{unit}.spent") != "yes" or self.places[f"{unit}.markers"] or says("step") != "refitting":
            return False
        works = {at for at in neighbours() if area(at, "owner") == nation and area(at, "production")}
        works = {at for at in works if self.holder(at) == side_of_nation(nation)}
        reached = self.joined({self.stands_in[unit]}, side_of_nation(nation))
        return int(self.states[f"{nation}.points"]) >= 2 and (nation == "British" or works <= reached)

    def is_land_supplied(self, nation: str, at: str) -> bool:
        side = side_of_nation(nation)
        sources = self.homes(nation) | (self.homes("French", producing=True) if nation in OVERSEAS else set())
        return at in self.joined(sources, side)

    def is_sent(self, nation: str, to: str) -> int | None:
        """What the way of points costs: nothing, or one through a single neutral nation; None without a way (8.3.5)."""
        for neutral in ["", *(n for n in labels().values() if self.states[f"{n}.at_war"] == "no")]:
            side = side_of_nation(nation)
            open_ = {at for at in neighbours() if neutral and area(at, "owner") == neutral}
            if side == "Triple_Entente" and self.states["salonika_marker"] == "lies_open":
                open_ |= {"Greece"}
            starts = self.homes(nation, producing=nation != "Americans")
            reached = self.joined(starts, side, open_, albania=False)
            if attributes("Nation", nation)["faction"] == "Western_Allies" or nation == "Americans":
                ports = {at for at in self.ports(side) if at in open_ or self.holder(at) == side}
                if reached & ports:
                    reached = self.joined(reached | ports, side, open_, albania=False)
            if reached & {
                at for at in neighbours() if area(at, "owner") == to and area(at, "shape") in {"standard", "box"}
            }:
                return 1 if neutral else 0
        return None


@cache
def labels() -> dict[str, str]:
    """The nations by their labels."""
    return {nation.label: nation.name for nation in game().model.kinds["Nation"].things}


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2, 3))])
def test_supply_as_a_second_reader_finds_it(seed: int) -> None:
    position, rng = game().start(seed=seed, journal=False), Random(seed)
    nation, sent, seen = "", Counter[tuple[str, str]](), Counter[str]()
    after: Table | None = None
    while (decision := position.decision) is not None:
        before = (after or Table(position)) if decision.name == "refit" else None
        if before is not None:
            ends = [str(option) for option in decision.options if option.label == "stop"]
            if ends:
                nation = labels()[ends[0].removeprefix("No more for ")]
                seen += look_at(before, nation, decision.options)
        position.choose(rng.randrange(len(decision)))
        if before is None:
            sent.clear()
            after = None
            continue
        after = Table(position)
        for to in labels().values():
            amount = int(after.states[f"{to}.received"]) - int(before.states[f"{to}.received"])
            if amount > 0:
                sent[nation, to] += amount
                seen["sent"] += 1
                check_sending(before, after, nation, to, sent)
        for unit in after.stands_in.keys() - before.stands_in.keys():
            if after.states["step"] == "raising":
                seen["raised"] += 1
                assert after.stands_in[unit] in before.homes(nation), (seed, unit)
    assert (
        min(seen[each] for each in ("refit", "must be refit", "not refit", "dug", "not dug", "sent", "raised")) > 0
    ), seen


def look_at(table: Table, nation: str, options: Iterable[Any]) -> Counter[str]:
    """The refits and Trenches that are offered are those that supply allows."""
    seen = Counter[str]()
    offered = {option.args["u"]["name"] for option in options if option.label == "refit"}
    trenches = {option.args["a"]["name"] for option in options if option.label == "dig"}
    for unit, at in table.stands_in.items():
        about = attributes("Unit", unit)
        if nation in about["serves"] and about["arm"] in {"army", "tanks"}:
            supplied = table.is_refit(nation, unit)
            assert supplied or unit not in offered, f"{unit} in {at} is refit without supply"
            if supplied and table.can_pay(nation, unit):
                assert unit in offered, f"{unit} in {at} is not refit, though supplied"
                seen["must be refit"] += 1
            seen["refit" if unit in offered else "not refit"] += 1
        if about["nation"] == nation and about["arm"] == "army":
            dug = at in trenches
            assert not dug or nation in DIGGERS and area(at, "shape") in {"standard", "square"}, at
            seen["dug" if dug else "not dug"] += 1
    for at in trenches:
        armies = [u for u in table.places[f"{at}.units"] if attributes("Unit", u)["nation"] == nation]
        assert any(attributes("Unit", u)["arm"] == "army" for u in armies), f"{nation} digs in {at} without an army"
        assert table.is_land_supplied(nation, at), f"{nation} digs in {at} without supply"
    return seen


def check_sending(before: Table, after: Table, nation: str, to: str, sent: Counter[tuple[str, str]]) -> None:
    way = before.is_sent(nation, to)
    assert way is not None, f"no way from {nation} to {to}"
    assert sent[nation, to] <= 4
    assert int(after.states[f"{to}.received"]) <= CAPS.get(to, 1)
    paid = int(before.states[f"{nation}.points"]) - int(after.states[f"{nation}.points"])
    amount = int(after.states[f"{to}.received"]) - int(before.states[f"{to}.received"])
    assert int(after.states[f"{nation}.points"]) == 0 or paid == amount + way
