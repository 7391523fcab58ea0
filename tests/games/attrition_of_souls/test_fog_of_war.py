"""§12: what the fog of war hides, in views, in the journal, in prompts and in refusals, and what it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import rulescript
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position
from rulescript.testing.hiding import Swap, _swapped, swaps_for

SIDES = {"Central_Powers": "Entente", "Entente": "Central_Powers"}
# Everything the fog has to do with, all at once.
TOGETHER = ["fog_of_war", "mulligans", "trenches", "variable_entry"]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(["fog_of_war"], id="alone"),
        pytest.param(TOGETHER, id="together", marks=pytest.mark.long),
    ],
)
def game(request: pytest.FixtureRequest) -> Game:
    return rulescript.load("attrition_of_souls", options=request.param)


def played(game: Game, seed: int) -> Iterator[Position]:
    """A random game, handed out at every decision before it is taken."""
    rng = Random(seed)
    position = game.start(seed=seed)
    while position.decision is not None:
        yield position
        position.choose(rng.randrange(len(position.decision.options)))


def played_to(game: Game, wanted: Callable[[Position], bool]) -> Position:
    for seed in range(40):
        for position in played(game, seed):
            if wanted(position):
                return position
    raise AssertionError("random play never came there")


def all_tiles(position: Position, side: str) -> dict[str, int]:
    """The tiles in all places of a side's own and on the map, by type."""
    out: dict[str, int] = {}
    for place in position.view(side).places():
        if place.endswith((".tiles", f"{side}.pouch", f"{side}.reserves")):
            for name, count in position.value(place).items():
                out[name] = out.get(name, 0) + count
    return out


def test_12_2_of_the_enemys_reserves_and_pouch_only_the_number_is_seen(game: Game) -> None:
    for number, position in enumerate(played(game, 4)):
        if number % 20:
            continue
        for side, enemy in SIDES.items():
            seen = position.view(side).places()
            for place in ("reserves", "pouch"):
                assert seen[f"{enemy}.{place}"] == sum(position.value(f"{enemy}.{place}").values())
                assert seen[f"{side}.{place}"] == position.value(f"{side}.{place}")
            assert seen[f"{enemy}.destroyed"] == position.value(f"{enemy}.destroyed")


def test_12_3_face_down_tiles_show_whose_they_are_and_nothing_else(game: Game) -> None:
    looked = 0
    for number, position in enumerate(played(game, 6)):
        if number % 10:
            continue
        for side, enemy in SIDES.items():
            back = f"face-down {enemy.replace('_', ' ')} tile"
            for place, seen in position.view(side).places().items():
                if not place.endswith(".tiles"):
                    continue
                real = position.value(place)
                own = [name for name in real if _side_of(game, name) == side]
                enemy_open = [n for n in real if n not in own and "face_down" not in n]
                hidden = sum(real[n] for n in real if n not in own and "face_down" in n)
                wanted: dict[str, int] = {name: real[name] for name in [*own, *enemy_open]}
                if hidden:
                    looked += 1
                    wanted[back] = hidden
                assert seen == wanted
    assert looked > 20


def _side_of(game: Game, name: str) -> str:
    info = game.data.kinds["Tile"]
    at = info.names.index(name.partition("(")[0])
    return str(game.player_names[info.attrs["side"][at]])


def test_12_3_c_the_journal_does_not_tell_what_is_mobilized_or_moved(game: Game) -> None:
    position = played_to(game, lambda p: p.decision is not None and p.decision.name == "move" and p.steps > 20)
    for side, enemy in SIDES.items():
        mine = position.view(side).journal.events()
        every = position.journal.events()
        told, real = ([e for e in events if is_from_reserves(e, enemy)] for events in (mine, every))
        assert len(told) == len(real)
        for event in told:
            is_mobilized = "4.5-a" in event["cites"]
            backs = [f"face-down {enemy.replace('_', ' ')} tile"]
            # A declaration of war shows the tiles it places.
            assert (list(event["items"]) == backs) == is_mobilized, event
        for event in (e for e in mine if e["kind"] == "choice" and e["player"] == enemy):
            if event["choice"] == "mobilize.mobilize" and event["key"] != "stop":
                assert (event["key"], event["text"]) == ("mobilize", "(hidden)")
        for event in (e for e in mine if e["kind"] == "draw" and e["from"] == f"{enemy}.pouch"):
            if event["to"] == f"{enemy}.reserves":
                assert list(event["items"]) == ["Tile"]


def is_from_reserves(event: dict[str, Any], side: str) -> bool:
    """Whether an event brings tiles out of the reserves to the board."""
    return bool(event["kind"] == "move" and event["from"] == f"{side}.reserves" and ".tiles" in event["to"])


def test_12_4_a_battle_turns_the_tiles_up_for_both(game: Game) -> None:
    def is_after_a_battle(position: Position) -> bool:
        last = list(position.history())[-1:]
        turned_up = any(e.get("state") == "face_down" for e in position.journal.since(position.steps - 1))
        return bool(last) and last[0].key.startswith("fight r=") and turned_up

    position = played_to(game, is_after_a_battle)
    place = list(position.history())[-1].key.removeprefix("fight r=") + ".tiles"
    assert not any("face_down" in name or "decoy" in name for name in position.value(place))
    for side in SIDES:
        assert position.view(side).places()[place] == position.value(place)
    assert not position.can_undo()


def test_only_the_one_who_decides_sees_the_options(game: Game) -> None:
    position = played_to(game, lambda p: p.decision is not None and p.decision.name == "mobilize")
    assert position.decision is not None
    shown = position.view(SIDES[position.decision.player]).to_dict()["decision"]
    assert shown == {"player": position.decision.player, "prompt": "mobilize"}


def test_the_enemy_cannot_ask_why_not(game: Game) -> None:
    position = played_to(game, lambda p: p.decision is not None and p.decision.name == "mobilize")
    assert position.decision is not None
    decider = position.decision.player
    said = position.why_not("mobilize German artillery in Berlin", player=SIDES[decider])
    assert "not for" in said.text
    assert not said.clauses


@pytest.mark.parametrize("choice", ["move", "plan", "rail", "fight"])
def test_a_refusal_tells_nothing_about_what_lies_face_down(game: Game, choice: str) -> None:
    """Two worlds that differ only in hidden tiles of the enemy's: whatever is asked, the answer is the same."""
    asked = 0
    for position in positions_at(game, choice):
        assert position.decision is not None
        for swap in list(swaps_for(game, position.s, position.decision.player_index))[:4]:
            other = _swapped(position, swap) if swap.plausible else None
            if other is None:
                continue
            for question in questions(game, position, swap):
                said, heard = (p.why_not(question).to_dict() for p in (position, other))
                assert said == heard, question
                asked += 1
    assert asked > 30


def positions_at(game: Game, choice: str) -> list[Position]:
    """Some decisions in random games at which the enemy has tiles face down on the board."""
    out: list[Position] = []
    for seed in range(30):
        for position in played(game, seed):
            decision = position.decision
            assert decision is not None
            if decision.name != choice:
                continue
            back = f"face-down {SIDES[decision.player].replace('_', ' ')} tile"
            seen = position.view(decision.player).places()
            if any(back in held for p, held in seen.items() if p.endswith(".tiles")):
                out.append(position.clone())
                break
        if len(out) == 3:
            return out
    raise AssertionError(f"random play hardly ever came to `{choice}`")


def questions(game: Game, position: Position, swap: Swap) -> Iterator[str]:
    """What a player might ask who suspects what lies there, in words and by keys."""
    assert position.decision is not None
    choice = position.decision.name
    info = game.data.kinds["Tile"]
    for slot in swap.slots:
        place = game.values.place_name(slot)
        where = place.partition(".")[0].replace("_", " ")
        yield f"{choice} in {where}"
        for item in swap.items:
            label = info.labels[item % info.types]
            yield f"{choice} {label} in {where}"
            yield f"{choice} {label} in {where} to Paris"
            yield f"{choice} t={place}:{game.values.piece_name('Tile', item)}"
            yield f"{choice} with the {label} in {where}"


@pytest.mark.parametrize("seed", range(3))
def test_decoys_are_conserved(game: Game, seed: int) -> None:
    for number, position in enumerate(played(game, seed)):
        for side in SIDES if number % 5 == 0 or position.steps < 40 else ():
            tiles = all_tiles(position, side)
            assert sum(n for name, n in tiles.items() if name.startswith(f"{side}_decoy")) == 3
