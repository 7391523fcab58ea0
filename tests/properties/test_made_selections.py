"""Selections and plans that nobody thought of, against all that there are: whatever a requirement on the whole says,
the options lead to each allowed selection once, and to no other; so does the whole in any order, as one answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, product
from random import Random

import pytest

from rulescript import BadChoice, Position
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

HEAD = """rulescript 1
game "Made selections"
kind Side
    holds stock: Unit
values Arm: foot, horse, guns
kind Area: worth: int
    holds units: Unit
pieces Unit: side: Side, arm: Arm, weight: int
    state n: 0..3
    state up: bool
    home side.stock
things
    Side Red
    Area A worth {}
    Area B worth {}
    Area C worth {}
    Area D worth {}
    Unit Foot Red, foot, weight 1, 6
    Unit Horse Red, horse, weight 2, 6
    Unit Guns Red, guns, weight 3, 6
players Side
state active: Side
state score: int
"""
END = """
    choose after "Go on"
    or stay "Stay"
sequence
    set_up
    for active in Side
        play
    end game, draw
"""
WEIGHT = {"Foot": 1, "Horse": 2, "Guns": 3}
Unit = tuple[str, int]  # its type, and its number
Units = tuple[Unit, ...]


def weight(units: Units) -> int:
    return sum(WEIGHT[type_] for type_, _ in units)


ON_THE_WHOLE: list[tuple[str, Callable[[Units, int], bool]]] = [
    ("sum(u.weight for u in xs) <= {k}", lambda xs, k: weight(xs) <= k),
    ("sum(u.weight for u in xs) >= {k}", lambda xs, k: weight(xs) >= k),
    ("sum(u.weight for u in xs) == {k}", lambda xs, k: weight(xs) == k),
    ("sum(u.weight for u in xs) mod 3 == 0", lambda xs, k: weight(xs) % 3 == 0),
    ("sum(u.weight for u in xs) in {{2, {k}}}", lambda xs, k: weight(xs) in (2, k)),
    ("sum(u.weight for u in xs) - count(xs) < {k}", lambda xs, k: weight(xs) - len(xs) < k),
    ("sum(u.n for u in xs) == {k}", lambda xs, k: sum(n for _, n in xs) == k),
    ("count(u.arm == foot for u in xs) <= 1", lambda xs, k: sum(type_ == "Foot" for type_, _ in xs) <= 1),
    ("count(xs) mod 2 == 0", lambda xs, k: len(xs) % 2 == 0),
    ("size(set(u.arm for u in xs)) == {k}", lambda xs, k: len({type_ for type_, _ in xs}) == k),
    ("some u in xs: u.arm == guns", lambda xs, k: any(type_ == "Guns" for type_, _ in xs)),
    ("max(u.weight for u in xs) <= {k}", lambda xs, k: max((WEIGHT[type_] for type_, _ in xs), default=0) <= k),
    ("min(u.n for u in xs) == 0", lambda xs, k: min((n for _, n in xs), default=0) == 0),
    ("(some u in xs: u.n > 0) or count(xs) <= 1", lambda xs, k: any(n for _, n in xs) or len(xs) <= 1),
    ("if count(xs) > 1 then some u in xs: u.n > 0 else yes", lambda xs, k: any(n for _, n in xs) or len(xs) <= 1),
    ("not (sum(u.weight for u in xs) == {k} and count(xs) == 2)", lambda xs, k: not (weight(xs) == k and len(xs) == 2)),
    (
        "count(u.n > 0 for u in xs) >= count(u.n == 0 for u in xs)",
        lambda xs, k: sum(n > 0 for _, n in xs) >= sum(n == 0 for _, n in xs),
    ),
]


def leaves(position: Position, name: str) -> Iterator[Position]:
    """Where the options of a choice lead in the end."""
    if position.decision is None or not position.decision.name.endswith(name):
        yield position
        return
    for option in position.decision.options:
        yield from leaves(position.clone(journal=False).choose(option), name)


def picked(position: Position) -> Units:
    """The units that were marked."""
    found: list[Unit] = []
    for said, many in position.value("A.units").items():
        type_, _, states = said.partition("(")
        if "up" in states:
            found += [(type_, int(states.partition("n ")[2][:1] or 0))] * many
    return tuple(sorted(found))


def often(many: int, all_of_them: int) -> list[object]:
    return [*range(many), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(many, all_of_them))]


@pytest.mark.parametrize("seed", often(15, 300))
def test_each_allowed_selection_is_reached_once(seed: int) -> None:
    random = Random(seed)
    there = sorted((random.choice([*WEIGHT]), random.choice((0, 0, 0, 1, 2))) for _ in range(random.randint(1, 6)))
    number = random.randint(1, 4)
    amount = random.choice((f"{number}", f"up to {number}", "any number"))
    requirements = [(*random.choice(ON_THE_WHOLE), random.randint(0, 7)) for _ in range(random.choice((0, 1, 1, 2, 3)))]
    placed = "".join(
        f"    place 1 {type_} in A\n    for u in A.units[arm == {type_.lower()} and n == 0 and not up]\n"
        f"        u.n = {n}\n        u.up = yes\n        stop\n"
        for type_, n in there
    )
    wanted = "".join(f"        require {text.format(k=k)}\n" for text, _, k in requirements)
    rules = f"""phase set_up
{placed}    for u in A.units
        u.up = no
phase play
    choose pick: {amount} from A.units as xs "Pick {{xs}}"
{wanted}        score = 1 + sum(u.weight for u in xs)
        for u in xs
            u.up = yes"""
    game = compile_text(load_single(HEAD.format(1, 1, 1, 1) + rules + END, "selections.rules"))

    def is_allowed(units: Units) -> bool:
        return all(holds(units, k) for _, holds, k in requirements)

    exactly = min(number, len(there))
    sizes = {"up": range(number + 1), "an": range(7)}.get(amount[:2], range(exactly, exactly + 1))
    allowed = {units for size in sizes for units in combinations(there, size) if is_allowed(units)}
    if not allowed and is_allowed(()):
        allowed = {()}  # exactly so many, and they cannot be had: none of them, if that is allowed
    expected = Counter({(units, 1 + weight(units)): 1 for units in allowed} or {((), 0): 1})
    for form in (game, game.prepare()):
        position = form.start(seed=1, ask=True)
        found = [(picked(leaf), int(str(leaf.value("score")))) for leaf in leaves(position, "pick")]
        assert Counter(found) == expected, rules
    several = position.decision.selection if position.decision is not None else None
    if several is None:
        return
    keys = {(item.key.partition("units:")[2]): item for item in several.items}
    for _ in range(12):
        units = tuple(random.choice(there) for _ in range(random.randint(1, 4)))
        said = [keys.get(f"{type_}(n {n})" if n else type_) for type_, n in units]
        try:
            answer = position.clone(journal=False).choose([item.key if item else "nobody" for item in said])
        except BadChoice:
            assert tuple(sorted(units)) not in allowed
        else:
            assert picked(answer) == tuple(sorted(units)) and picked(answer) in allowed


ON_THE_PLAN: list[tuple[str, Callable[[tuple[str, ...], dict[str, int], int], bool]]] = [
    ("every x in plan: count(plan[it == x]) <= 1", lambda plan, worth, k: len(set(plan)) == len(plan)),
    ("sum(x.worth for x in plan) >= {k}", lambda plan, worth, k: sum(worth[x] for x in plan) >= k),
    ("sum(x.worth for x in plan) == {k}", lambda plan, worth, k: sum(worth[x] for x in plan) == k),
    ("some x in plan: x == D", lambda plan, worth, k: "D" in plan),
    ("size(set(x for x in plan)) <= {k}", lambda plan, worth, k: len(set(plan)) <= k),
    ("count(plan[it == B]) mod 2 == 0", lambda plan, worth, k: plan.count("B") % 2 == 0),
    ("max(x.worth for x in plan) < {k}", lambda plan, worth, k: max(worth[x] for x in plan) < k),
]
ON_EACH: list[tuple[str, Callable[[str, str, dict[str, int]], bool]]] = [
    ("t.worth > 0", lambda u, t, worth: worth[t] > 0),
    ("u.arm != guns or t == B", lambda u, t, worth: u != "Guns" or t == "B"),
    ("u.weight <= t.worth + 1", lambda u, t, worth: WEIGHT[u] <= worth[t] + 1),
    ("u.arm == foot or t.worth < 2", lambda u, t, worth: u == "Foot" or worth[t] < 2),
]


@pytest.mark.parametrize("seed", often(8, 150))
def test_each_allowed_plan_is_reached_once(seed: int) -> None:
    random = Random(seed)
    worth = {area: random.randint(0, 3) for area in "ABCD"}
    there = sorted(random.choice([*WEIGHT]) for _ in range(random.randint(1, 4)))
    of_all = [(*random.choice(ON_THE_PLAN), random.randint(1, 6)) for _ in range(random.randint(0, 2))]
    of_each = random.sample(ON_EACH, random.randint(0, 2))
    said = [text for text, _ in of_each] + [text.format(k=k) for text, _, k in of_all]
    rules = f"""phase set_up
{"".join(f"    place 1 {type_} in A{chr(10)}" for type_ in there)}
phase play
    choose go: each u in A.units to t in Area - {{A}} as plan "{{u}} to {{t}}"
{"".join(f"        require {text}{chr(10)}" for text in said)}        score += 1 + u.weight * t.worth
        move u to t"""
    game = compile_text(load_single(HEAD.format(*worth.values()) + rules + END, "plans.rules"))
    expected: Counter[frozenset[tuple[tuple[str, str], int]]] = Counter()
    for plan in product("BCD", repeat=len(there)):
        if all(holds(u, t, worth) for u, t in zip(there, plan, strict=True) for _, holds in of_each):
            if all(holds(plan, worth, k) for _, holds, k in of_all):
                expected[frozenset(Counter(zip(there, plan, strict=True)).items())] = 1
    for form in (game, game.prepare()):
        found: Counter[frozenset[tuple[tuple[str, str], int]]] = Counter()
        for leaf in leaves(form.start(seed=1, ask=True), "go"):
            gone = {(type_, area): many for area in "BCD" for type_, many in leaf.value(f"{area}.units").items()}
            found[frozenset(gone.items())] += 1
            score = sum(many * (1 + WEIGHT[type_] * worth[area]) for (type_, area), many in gone.items())
            assert int(str(leaf.value("score"))) == score
        assert found == (expected or Counter([frozenset()])), rules
