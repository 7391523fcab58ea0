"""Views leak nothing: exchange two hidden things, and a viewer who may see neither must not notice.

The hard idea: a view is right if it is a function of what its viewer may know. So at a decision we take two
things (or pieces) of one kind that lie where the viewer may not look, exchange them, work the decision out
again, and compare what the viewer gets, letter by letter. That is the test of the *view*.

Then the same option (by its key) is taken in both worlds and the viewer's journal of that step is compared:
the test of the *stream*. It can only be made as long as nothing that was exchanged comes to light, and only
for things that could be exchanged without making a position that is impossible (they come from the same
home). A difference that names one of the two is a leak. Any other difference (somebody is asked in one world
and not in the other) may be what the rules want, for instance when a hidden hand decides a battle; it is told
as a note, not as a failure.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulescript.errors import RulescriptError
from rulescript.runtime.support import BITS
from rulescript.runtime.views import knows, level_of
from rulescript.testing.run import Check, Run, bare

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Decision, Position

__all__ = ["Swap", "Views", "swaps_for"]


@frozen
class Swap:
    """Two hidden things of one kind: slots they lie in, and their numbers (codes, for pieces)."""

    kind: str
    slots: tuple[int, int]
    items: tuple[int, int]
    is_pieces: bool
    plausible: bool

    def names(self, game: Game) -> tuple[str, str]:
        if self.is_pieces:
            one, two = (game.values.piece_name(self.kind, code) for code in self.items)
        else:
            one, two = (game.data["kinds"][self.kind]["names"][i] for i in self.items)
        return one, two

    def apply(self, game: Game, state: list[Any]) -> None:
        (a, b), (x, y) = self.slots, self.items
        info = game.data["kinds"][self.kind]
        if self.is_pieces:
            one, two = 1 << info["fields"][x][0], 1 << info["fields"][y][0]
            state[a] += two - one
            state[b] += one - two
            return
        exchanged = {x: y, y: x}
        for slot in {a, b}:
            if game.values.places[slot][0]["ordered"]:
                state[slot] = tuple(exchanged.get(i, i) for i in state[slot])
            elif a != b:
                state[slot] ^= 1 << x | 1 << y
        state[info["loc"] + x], state[info["loc"] + y] = b, a
        for entry in game.data["states"]:
            if entry["kind"] == self.kind:
                _exchange_state(state, entry, x, y)


def _exchange_state(state: list[Any], entry: dict[str, Any], x: int, y: int) -> None:
    """What belongs to the place (lying face down) goes with the place, not with the thing."""
    slot = entry["slot"]
    if entry["mode"] == "mask":
        if (state[slot] >> x ^ state[slot] >> y) & 1:
            state[slot] ^= 1 << x | 1 << y
        return
    one, two = state[slot + x], state[slot + y]
    state[slot + x], state[slot + y] = two, one
    if entry["mode"] == "dual" and one != two:
        for value in (one, two):
            state[entry["masks"] + value] ^= 1 << x | 1 << y


def swaps_for(game: Game, state: list[Any], viewer: int) -> Iterator[Swap]:
    """Pairs of things that a viewer may not see: neighbours in the order of the places, so that they are
    few."""
    hidden: dict[str, list[tuple[int, int]]] = {}
    for slot, (holds, _) in game.values.places.items():
        kind = holds["kind"]
        found = hidden.setdefault(kind, [])
        if game.data["kinds"][kind]["pieces"]:
            if level_of(game, state, slot, viewer) != "visible":
                found += [(slot, code) for code, _ in game.values.pile(kind, state[slot])]
        else:
            items = state[slot] if holds["ordered"] else BITS[state[slot]]
            found += [(slot, i) for i in items if not knows(game, state, kind, i, (viewer,))]
    for kind, items in hidden.items():
        info = game.data["kinds"][kind]
        homes = info["homes"]
        for (a, x), (b, y) in zip(items, items[1:] + items[:1], strict=True):
            if x == y:
                continue
            ordered = game.values.places[a][0]["ordered"]
            if a == b and (info["pieces"] or not ordered):
                continue
            one, two = (x % info["types"], y % info["types"]) if info["pieces"] else (x, y)
            plausible = a == b or bool(homes and homes[one] == homes[two])
            if not plausible and kind in game.code["HIDE"]:
                # Who knows a face-down thing may hang on the thing itself: a stranger there tells nothing.
                continue
            yield Swap(kind, (a, b), (x, y), info["pieces"], plausible)


def _swapped(position: Position, swap: Swap) -> Position | None:
    """The same position with two hidden things exchanged; None if the rules cannot go on from there."""
    other = bare(position)
    swap.apply(other.game, other.s)
    block = other.s[0]
    try:
        other.run(other.game.code["B"][block])
    except RulescriptError:
        return None
    other.j = []
    return other


class Views(Check):
    name = "views"
    title = "views leak nothing: hidden things can be exchanged unnoticed"
    most = 3

    def __init__(self) -> None:
        self._peeking: set[tuple[str, str]] | None = None
        self._any_hidden: bool | None = None

    def decision(self, run: Run, decision: Decision) -> None:
        game = run.game
        if self._any_hidden is None:
            self._any_hidden = any(holds["restricted"] for holds in game.data["holds"])
        if not self._any_hidden or not run.is_close:
            return
        # One viewer a step, all of them in turn.
        viewer = run.number % len(game.player_names)
        swaps = list(swaps_for(game, run.position.s, viewer))
        if not swaps:
            return
        stride = 1 + (len(swaps) - 1) // self.most
        for swap in swaps[run.number // 2 % stride :: stride]:
            self._try(run, decision, viewer, swap)

    def _try(self, run: Run, decision: Decision, viewer: int, swap: Swap) -> None:
        position, game = run.position, run.game
        name = game.player_names[viewer]
        other = _swapped(position, swap)
        if other is None:
            return
        if other.d != position.d:
            # Who is asked depends on what is hidden.
            run.notes[f"{name} can tell from who is asked, at `{decision.procedure}.{decision.name}`"] += 1
            return
        run.counted[self.name] += 1
        one, two = swap.names(game)
        said, heard = _view(position, name), _view(other, name)
        if self._peeks(game, decision):
            for view in (said, heard):
                (view["decision"] or {}).pop("options", None)
        if said != heard:
            where = _difference(said, heard)
            self.fail(f"{name} can tell {one} from {two} in {_places(game, swap)} by the view: {where}")
        if swap.plausible:
            self._stream(run, viewer, swap, other)

    def _stream(self, run: Run, viewer: int, swap: Swap, other: Position) -> None:
        """Take the same option in both worlds and compare what the viewer is told of it."""
        position, game = run.position, run.game
        here = bare(position)
        asked: Any = here.decision
        asked_there: Any = other.decision
        options = {o.key: o for o in asked_there.options} if asked_there is not None else {}
        mine = asked.options if asked is not None else []
        option = next((o for o in mine[run.number % max(1, len(mine)) :] if o.key in options), None)
        if option is None:
            return
        names = swap.names(game)
        if any(n in option.key for n in names):
            return
        try:
            here.choose(option)
            other.choose(options[option.key])
        except RulescriptError:
            return
        if self._came_to_light(game, here, viewer, swap) or self._came_to_light(game, other, viewer, swap):
            return
        run.counted[self.name] += 1
        who = game.player_names[viewer]
        said, heard = _told_last(here, who), _told_last(other, who)
        if said == heard and _view(here, who) == _view(other, who):
            return
        if said != heard:
            for one, two in zip([*said, ""], [*heard, ""], strict=False):
                if one != two:
                    words = {n.replace("_", " ").casefold() for n in names}
                    if any(w in one.casefold() or w in two.casefold() for w in words):
                        self.fail(
                            f"{who} can tell {names[0]} from {names[1]} in {_places(game, swap)} "
                            f"by the journal after `{option.key}`: {one!r} or {two!r}"
                        )
                    break
        decision = position.decision
        assert decision is not None
        run.notes[f"what {who} sees after `{decision.procedure}.{decision.name}` depends on something hidden"] += 1

    def _came_to_light(self, game: Game, position: Position, viewer: int, swap: Swap) -> bool:
        """Whether something that was exchanged has moved: what follows may then rightly differ."""
        state = position.s
        (a, b), (x, y) = swap.slots, swap.items
        for slot in (a, b):
            if level_of(game, state, slot, viewer) == "visible":
                return True
        tip = position._tip
        if tip is None:
            return False
        old = tip.state
        if swap.is_pieces:
            return bool(state[a] != old[a] or state[b] != old[b])
        loc = game.data["kinds"][swap.kind]["loc"]
        if any(state[loc + i] != old[loc + i] for i in (x, y)):
            return True
        return any(state[s] != old[s] for s in (a, b) if game.values.places[s][0]["ordered"])

    def _peeks(self, game: Game, decision: Decision) -> bool:
        """Whether a choice says that it looks at what its chooser may not see."""
        if self._peeking is None:
            self._peeking = peeking(game)
        return (decision.procedure, decision.name) in self._peeking


_PEEKING: dict[str, set[tuple[str, str]]] = {}


def peeking(game: Game) -> set[tuple[str, str]]:
    """The choices (procedure, name) with a requirement that is marked `peeks`."""
    known = _PEEKING.get(game.rules_hash)
    if known is None:
        known = set()
        try:
            chooses = game.model.chooses
        except RulescriptError:
            chooses = []
        for procedure, choose in chooses:
            if any(clause.peeks for alt in choose.alts for clause in alt.clauses):
                known.add((procedure.name, choose.name))
        _PEEKING[game.rules_hash] = known
    return known


def _view(position: Position, who: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(position.view(who).to_json())
    return found


def _told_last(position: Position, who: str) -> list[str]:
    """What a viewer is told of the last step. (The position is ours alone: its history is cut.)"""
    position._opening = ()
    if position._tip is not None:
        position._tip.parent = None
    return [str(event["text"]) for event in position.view(who).journal]


def _places(game: Game, swap: Swap) -> str:
    a, b = (game.values.place_name(slot) for slot in swap.slots)
    return a if a == b else f"{a} and {b}"


def _difference(one: Any, two: Any, path: str = "") -> str:
    """Where two views differ, for a message."""
    if isinstance(one, dict) and isinstance(two, dict):
        for key in sorted({*one, *two}):
            if one.get(key) != two.get(key):
                return _difference(one.get(key), two.get(key), f"{path}.{key}" if path else str(key))
    return f"{path} is {one!r} or {two!r}"
