"""The compiled game follows the hand-written one, choice by choice.

In comes a seed; out comes nothing, or a `Disagreement` that says where the two engines parted. The base game
exists twice: written by hand in plain Python (the yardstick, tests/benchmarks/handwritten_attrition.py) and
compiled from its rules. The two share no line of code, so a mistake would have to be made twice to be missed.

The yardstick plays a whole game at random while a `Recorder` writes down what it drew and rolled, what it
offered and what was chosen, and how the table looked after each player turn. Then a `Follower` plays the
compiled game with the same draws, dice and choices. It compares

* the options, wherever both ask the same question: the compiled game may neither refuse nor add one,
* the table after every player turn: tiles, control, reserves, destroyed boxes and pouches,
* the outcome, and that no die or draw is left over or missing.

Both ask the same questions in the same order. An answer becomes a `Pick`, a key of the compiled game with all
keys offered beside it. Only tiles that are railed or lost together are collected in a bag, and the follower
empties the bag in the order it is asked. A choice that is forced is asked by neither or by one; the follower takes
it by itself.

The yardstick's functions call each other as globals of their module, so a recorder exchanges them while it
listens, and puts them back.

More games than the test plays: ``python tests/games/attrition_of_souls/lockstep.py 200``
"""

from __future__ import annotations

import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from attrs import Factory, define, frozen

if __name__ == "__main__":  # as a script: what pytest's conftest does for tests
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import rulescript
from rulescript.errors import PlayError
from rulescript.runtime.chance import ChanceNode, Script
from rulescript.runtime.game import Game
from rulescript.runtime.position import Decision, Position
from tests.benchmarks import handwritten_attrition as hw

__all__ = ["Course", "Disagreement", "follow", "play_in_lockstep", "record"]

# --- The yardstick's numbers by the names of the compiled game ---------------------------------------------

_OTHER_NAMES = {"Mexico": "Mexico_City"}
_OTHER_NATIONS = {"Austria": "Austria_Hungary", "Ottoman": "Ottoman_Empire"}
REGIONS = [_OTHER_NAMES.get(name, name) for name in hw.REGION_NAMES]
NATIONS = [_OTHER_NATIONS.get(name, name) for name in hw.NATION_NAMES]
SIDES = ["Central_Powers", "Entente"]
ARMS = ["infantry", "artillery", "airplane"]
# By side, from the pile of one tile to its name.
TILES: list[dict[int, str]] = [
    {tile: f"{NATIONS[nation]}_{ARMS[arm]}" for nation, arm, tile, _ in hw.SIDE_SORTS[side]}
    for side in (hw.CENTRAL, hw.ENTENTE)
]

# Whoever would stop thinks again so often: where most tiles are placed and moved, more rules are met.
ZEAL = 0.8

Table = dict[str, "str | dict[str, int]"]
"""What lies on the table: states and places, named as `Position.value` names them."""


def named_regions(regions: int) -> list[str]:
    return [REGIONS[region] for region in hw.REGIONS[regions]]


def named_pile(side: int, pile: int) -> Counter[str]:
    return Counter(TILES[side][tile] for tile in hw.UNPACKED[side][pile])


def _control_of(s: hw.State, region: int) -> str:
    if s.v[hw.NEUTRAL] >> region & 1:
        return "neutral"
    held = [SIDES[side] for side in (hw.CENTRAL, hw.ENTENTE) if s.v[hw.CONTROL + side] >> region & 1]
    return held[0] if held else "contested"


def table_of_yardstick(s: hw.State) -> Table:
    table: Table = {}
    for region, name in enumerate(REGIONS):
        tiles = named_pile(hw.CENTRAL, s.v[region]) + named_pile(hw.ENTENTE, s.v[hw.ENTENTE_MAP + region])
        table[f"{name}.tiles"] = dict(tiles)
        table[f"{name}.control"] = _control_of(s, region)
    for side, pouch in ((hw.CENTRAL, s.central_pouch), (hw.ENTENTE, s.entente_pouch)):
        table[f"{SIDES[side]}.reserves"] = dict(named_pile(side, s.v[hw.RESERVES + side]))
        table[f"{SIDES[side]}.destroyed"] = dict(named_pile(side, s.v[hw.DESTROYED + side]))
        table[f"{SIDES[side]}.pouch"] = dict(Counter(TILES[side][tile] for tile in pouch))
    return table


# --- What is written down ----------------------------------------------------------------------------------


@frozen
class Pick:
    """An answer to a question that both engines ask, by its key, and everything that could be answered."""

    key: str
    offered: frozenset[str]


@define
class Fight:
    """A battle: who rolled, and what each side lost."""

    nation: Pick | None = None
    before: tuple[int, int] = (0, 0)
    losses: tuple[Counter[str], Counter[str]] | None = None


@define
class Turn:
    """What one player's turn was made of. `picks` are by choice and stage, in the order they were made."""

    number: int
    side: int
    picks: dict[tuple[str, int], deque[Pick]] = Factory(dict)
    railed: Counter[str] = Factory(Counter)
    fights: deque[Fight] = Factory(deque)
    table: Table | None = None

    def pick(self, choice: str, stage: int, key: str, offered: Sequence[str]) -> None:
        self.picks.setdefault((choice, stage), deque()).append(Pick(key, frozenset(offered)))


@define
class Course:
    """A whole game of the yardstick. `chance` has dice as numbers and drawn tiles by name."""

    seed: int
    turns: list[Turn] = Factory(list)
    chance: list[int | str] = Factory(list)
    winner: str | None = None


class Disagreement(AssertionError):
    """The compiled game does not follow the yardstick."""


# --- Recording ---------------------------------------------------------------------------------------------


class _Dice(Random):
    """The yardstick's source of chance. What is not used for a draw is a die."""

    def __init__(self, seed: int, faces: list[int | str]) -> None:
        super().__init__(seed)
        self.faces = faces
        self.is_drawing = False

    def random(self) -> float:
        value = super().random()
        if not self.is_drawing:
            self.faces.append(int(value * 6.0) + 1)
        return value


class Recorder:
    """Listens to one game of the yardstick. Each `_note` method hears of one function before it is run."""

    def __init__(self, seed: int) -> None:
        self.course = Course(seed)
        self.dice = _Dice(seed, self.course.chance)
        self.turn = Turn(1, hw.CENTRAL)

    @contextmanager
    def listening(self) -> Iterator[None]:
        notes: Mapping[str, Callable[..., None]] = {
            "begin_turn": self._note_table,
            "finish": self._note_table,
            "end_turn": self._note_end_of_turn,
            "answer_return": self._note_return,
            "answer_surrender": self._note_surrender,
            "answer_rail_region": self._note_rail,
            "answer_rail_tile": self._note_railed,
            "answer_mobilise": self._note_mobilized,
            "answer_entry": self._note_entry,
            "answer_departure": self._note_departure,
            "answer_destination": self._note_destination,
            "answer_mark": self._note_plan,
            "answer_battle": self._note_fight,
            "answer_nation": self._note_nation,
            "next_battle": self._note_losses,
            "begin_advance": self._note_losses,
            "answer_advance": self._note_advance,
            "answer_advance_to": self._note_advance_to,
            "answer_declaration": self._note_war,
            "answer_declarer": self._note_declarer,
            "answer_redeploy": self._note_redeployed,
            "answer_redeploy_to": self._note_redeployed_to,
        }
        with ExitStack() as exchanged:
            for name, note in notes.items():
                exchanged.enter_context(patch.object(hw, name, _noted(getattr(hw, name), note)))
            exchanged.enter_context(patch.object(hw, "draw_tiles", self._drawing(hw.draw_tiles)))
            yield

    def _drawing(self, draw: Callable[[hw.State, int, int], None]) -> Callable[[hw.State, int, int], None]:
        def drawing(s: hw.State, side: int, count: int) -> None:
            before = Counter(s.entente_pouch if side else s.central_pouch)
            self.dice.is_drawing = True
            draw(s, side, count)
            self.dice.is_drawing = False
            drawn = before - Counter(s.entente_pouch if side else s.central_pouch)
            # Which tiles matters, not their order, as long as all of them are reached: whoever draws a
            # Russian tile after the surrender draws another, so those come first.
            tiles = sorted(drawn.elements(), key=lambda tile: not (side and tile & hw.RUSSIAN_TILES))
            self.course.chance += [TILES[side][tile] for tile in tiles]

        return drawing

    def _note_table(self, s: hw.State, *_: Any) -> None:
        turns = self.course.turns
        if turns and turns[-1].table is None:
            turns[-1].table = table_of_yardstick(s)
        self.turn = Turn(s.turn, s.side)

    def _note_end_of_turn(self, s: hw.State) -> None:
        self.course.turns.append(self.turn)

    def _note_return(self, s: hw.State, nation: int) -> None:
        keys = {each: f"return_tiles n={NATIONS[each]}" if each >= 0 else "stop" for each in s.options}
        self.turn.pick("return_tiles", 0, keys[nation], list(keys.values()))

    def _note_surrender(self, s: hw.State, option: int) -> None:
        self.turn.pick("surrender", 0, "surrender" if option else "pass", ["surrender", "pass"])

    def _note_rail(self, s: hw.State, region: int) -> None:
        self._regions("rail", 0, "r", region, s.options, "pass")

    def _note_railed(self, s: hw.State, tile: int) -> None:
        if tile > 0:
            self.turn.railed[TILES[s.side][tile]] += 1

    def _note_mobilized(self, s: hw.State, tile: int) -> None:
        self._tiles("mobilize", f"{SIDES[s.side]}.reserves", s, tile)

    def _note_entry(self, s: hw.State, region: int) -> None:
        self._regions("mobilize", 1, "r", region, s.choices[s.tile])

    def _note_departure(self, s: hw.State, option: int) -> None:
        offered = [_departure(s, each) for each in s.options if each >= 0]
        key = _departure(s, option) if option >= 0 else "stop"
        self.turn.pick("move", 0, key, [*offered, "stop"])

    def _note_destination(self, s: hw.State, region: int) -> None:
        self._regions("move", 1, "r", region, hw.REGIONS[s.reach[s.tile & 31][0]])

    def _note_plan(self, s: hw.State, region: int) -> None:
        self._regions("plan", 0, "r", region, s.options, "stop")

    def _note_fight(self, s: hw.State, region: int) -> None:
        self._regions("fight", 0, "r", region, hw.REGIONS[s.marks])
        destroyed = s.v[hw.DESTROYED], s.v[hw.DESTROYED + 1]
        self.turn.fights.append(Fight(before=destroyed))

    def _note_nation(self, s: hw.State, nation: int) -> None:
        offered = frozenset(f"roll_for n={NATIONS[each]}" for each in s.options)
        self.turn.fights[-1].nation = Pick(f"roll_for n={NATIONS[nation]}", offered)

    def _note_losses(self, s: hw.State) -> None:
        """When the next battle or the advance begins, the losses of the last battle are known."""
        if self.turn.fights and self.turn.fights[-1].losses is None:
            fight = self.turn.fights[-1]
            lost = [named_pile(side, s.v[hw.DESTROYED + side] - fight.before[side]) for side in (0, 1)]
            fight.losses = lost[0], lost[1]

    def _note_advance(self, s: hw.State, tile: int) -> None:
        self._tiles("advance", f"{REGIONS[s.region]}.tiles", s, tile)

    def _note_advance_to(self, s: hw.State, region: int) -> None:
        self._regions("advance", 1, "b", region, s.destinations)

    def _note_war(self, s: hw.State, region: int) -> None:
        self._regions("declare_war", 0, "r", region, s.options, "stop")

    def _note_declarer(self, s: hw.State, nation: int) -> None:
        nations = s.options if s.resume is hw.answer_declarer else [nation]
        offered = [f"declare_war n={NATIONS[each]}" for each in nations]
        self.turn.pick("declare_war", 1, f"declare_war n={NATIONS[nation]}", offered)

    def _note_redeployed(self, s: hw.State, tile: int) -> None:
        self._tiles("redeploy", f"{REGIONS[s.region]}.tiles", s, tile)

    def _note_redeployed_to(self, s: hw.State, region: int) -> None:
        self._regions("redeploy", 1, "r", region, s.destinations)

    def _tiles(self, choice: str, place: str, s: hw.State, tile: int) -> None:
        """A tile of a place was picked, or no more."""
        keys = {each: f"{choice} t={place}:{TILES[s.side][each]}" if each >= 0 else "stop" for each in s.options}
        self.turn.pick(choice, 0, keys[tile], list(keys.values()))

    def _regions(
        self, choice: str, stage: int, name: str, region: int, offered: Sequence[int], decline: str = ""
    ) -> None:
        """A region was picked; a negative number stands for declining."""
        keys = {each: f"{choice} {name}={REGIONS[each]}" if each >= 0 else decline for each in offered}
        self.turn.pick(choice, stage, keys[region], list(keys.values()))


def _departure(s: hw.State, option: int) -> str:
    return f"move t={REGIONS[option & 31]}.tiles:{TILES[s.side][option >> 5]}"


def _noted(function: Callable[..., None], note: Callable[..., None]) -> Callable[..., None]:
    def noted(s: hw.State, *args: int) -> None:
        note(s, *args)
        function(s, *args)

    return noted


def record(seed: int, *, keep_russia: bool = False) -> Course:
    """One random game of the yardstick. With `keep_russia` the Entente never lets Russia surrender; left to
    chance, it nearly always does so in the first turns, and the eastern front is never fought out."""
    recorder = Recorder(seed)
    choices = Random(f"choices {seed}")
    with recorder.listening():
        s = hw.new_game(recorder.dice)
        while s.options:
            option = choices.choice(s.options)
            while option == hw.STOP and choices.random() < ZEAL:
                option = choices.choice(s.options)
            if keep_russia and s.resume is hw.answer_surrender:
                option = hw.NO
            s.resume(s, option)
    recorder.course.winner = None if s.winner is None else SIDES[s.winner]
    return recorder.course


# --- Following ---------------------------------------------------------------------------------------------


class Follower:
    """Answers the decisions of one turn of the compiled game as the yardstick did."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.fight = Fight()

    def answer(self, decision: Decision) -> str:
        keys = [option.key for option in decision.options]
        name = decision.name.removesuffix("_2")  # the second of two choices that are called alike
        match name, decision.stage:
            case "take", _:
                key = self._from(self.turn.railed, keys) or "done"
            case "lose", _:
                losses = self.fight.losses
                key = (self._from(losses[decision.player_index], keys) if losses else None) or "nothing"
            case "roll_for", _:
                key = self._picked(self.fight.nation, keys)
            case _:
                left = self.turn.picks.get((name, decision.stage))
                is_forced = len(keys) == 1 and not (left and left[0].offered == frozenset(keys))
                key = self._picked(left.popleft() if left and not is_forced else None, keys)
        if name == "fight":
            if not self.turn.fights:
                raise Disagreement(f"the compiled game fights a battle that the yardstick has not: {keys}")
            self.fight = self.turn.fights.popleft()
        if key not in keys:
            raise Disagreement(f"the yardstick has `{key}`, the compiled game offers {keys}")
        return key

    @staticmethod
    def _picked(pick: Pick | None, keys: Sequence[str]) -> str:
        """The same question on both sides: the same options too. Not asked by one: forced for the other."""
        if pick is None:
            if len(keys) > 1:
                raise Disagreement(f"the compiled game offers {keys}, the yardstick does not ask")
            return keys[0]
        if set(keys) != pick.offered:
            more = sorted(set(keys) - pick.offered)
            less = sorted(pick.offered - set(keys))
            raise Disagreement(f"only the compiled game offers {more}, only the yardstick {less}")
        return pick.key

    @staticmethod
    def _from(bag: Counter[str], keys: Sequence[str]) -> str | None:
        """The first key whose tile is still in the bag."""
        for key in keys:
            tile = key.rpartition(":")[2]
            if bag[tile] > 0:
                bag[tile] -= 1
                return key
        return None

    def check_done(self) -> None:
        """Everything the yardstick did was done."""
        turn = self.turn
        picks = [pick.key for left in turn.picks.values() for pick in left]
        everything = [picks, +turn.railed, turn.fights]
        if any(everything):
            raise Disagreement(f"the compiled game never asked for {[each for each in everything if each]}")


def follow(game: Game, course: Course) -> Position:
    """Play a recorded game again in the compiled game; raises Disagreement where that is not possible.

    Every choice is asked for, also a forced one: so the two games stop at the same places."""
    chance: list[Any] = [_drawn(game, each) if isinstance(each, str) else each for each in course.chance]
    position = game.start(chance=chance, journal=False, ask=True)
    names = list(course.turns[0].table or ())
    tables: list[Table] = []

    def watch(here: Position, scope: str) -> None:
        if scope == "player_turn":
            tables.append({name: here.value(name) for name in names})

    position.watch = watch
    for at, turn in enumerate(course.turns):
        assert turn.table is not None
        follower = Follower(turn)
        try:
            while len(tables) == at:
                decision = position.decision
                if decision is None:
                    raise Disagreement(f"the compiled game is over: {position.outcome}")
                assert not isinstance(decision, ChanceNode)
                position.choose(follower.answer(decision))
            follower.check_done()
            _check_same(turn.table, tables[at])
        except (Disagreement, PlayError) as problem:
            where = f"game {course.seed}, turn {turn.number}, {SIDES[turn.side]}, {position.phase}"
            raise Disagreement(f"{where}: {problem}") from problem
    _check_end(course, position)
    return position


def _check_same(theirs: Table, ours: Table) -> None:
    for name, there in theirs.items():
        if ours[name] != there:
            raise Disagreement(f"{name} is {ours[name]} in the compiled game, {there} in the yardstick")


def _check_end(course: Course, position: Position) -> None:
    # An early victory is found when the next turn begins, before anybody is asked.
    outcome = position.outcome
    if outcome is None or outcome.winner != course.winner:
        raise Disagreement(f"game {course.seed}: {outcome}, but in the yardstick {course.winner} has won")
    assert isinstance(position.chance, Script)
    if position.chance.unused:
        raise Disagreement(f"game {course.seed}: {len(position.chance.unused)} dice and draws are left over")


def _drawn(game: Game, tile: str) -> Callable[[Sequence[int], int], int]:
    """A drawn tile for a script of chance, which knows pieces by their codes."""

    def drawn(codes: Sequence[int], slot: int) -> int:
        for code in codes:
            if game.values.piece_name("Tile", code) == tile:
                return code
        raise PlayError(f"the yardstick draws {tile}, which is not in this pouch")

    return drawn


def play_in_lockstep(game: Game, seed: int, *, keep_russia: bool) -> Course:
    """One game on both engines."""
    course = record(seed, keep_russia=keep_russia)
    follow(game, course)
    return course


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    game = rulescript.load("attrition_of_souls")
    begin = time.perf_counter()
    winners: Counter[str] = Counter()
    for seed in range(first, first + count):
        course = play_in_lockstep(game, seed, keep_russia=seed % 2 == 1)
        winners[course.winner or "draw"] += 1
    won = ", ".join(f"{name} {number}" for name, number in winners.most_common())
    print(f"{count} games in lockstep in {time.perf_counter() - begin:.1f} s ({won})")


if __name__ == "__main__":
    main()
