"""What one player may see. Levels: hidden, nonempty, count, order, top (of a pile: its first, and how many), visible.

A place says who sees it at which level; a role that holds the thing or is named sees what it is given; others see
what `others` are given. A person in a seat sees what any of the roles in that seat may see.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from rulescript import calls
from rulescript.errors import BadChoice
from rulescript.game_data import PlaceInfo
from rulescript.machine.effort import WORK
from rulescript.machine.tables import BITS
from rulescript.machine.unsettled import members, top_of
from rulescript.runtime.looks import Look
from rulescript.runtime.workshop import workshop

if TYPE_CHECKING:
    from rulescript.reasons import Explanation, Refusal
    from rulescript.runtime.chance import ChanceNode
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Decision, Option, Position

__all__ = [
    "Everybody", "View", "back_of", "came_to_light", "in_sight", "is_hidden", "items_in", "knows", "knows_question",
    "level_of", "role_of", "roles_seen", "said", "seen_name", "some_may", "told", "unseen_name",
]  # fmt: skip

LEVELS = {"hidden": 0, "nonempty": 1, "count": 2, "order": 3, "top": 4, "visible": 5}
SPECTATOR = "spectator"
# Where a state has what rules that call themselves keep meanwhile (`compiler/layout.py`).
STACK = 3


class Everybody(tuple[int, ...]):
    """All roles, for who holds none of them: such a viewer sees what each of them may see, and nothing is its own."""

    def __contains__(self, role: object) -> bool:
        return False


def some_may(roles: Sequence[int], may: Callable[[int], bool]) -> bool:
    """Whether a viewer may: with one of its roles, if it has some; as a spectator, only if everybody may."""
    return all(map(may, roles)) if isinstance(roles, Everybody) else any(map(may, roles))


def roles_seen(position: Position, who: str | int) -> list[int] | Everybody:
    """The roles of a viewer: of the person in a seat all that it holds."""
    if isinstance(who, int):
        role_of(position, who)
        return position.game.seats(position.players)[who]
    names = position.game.player_names
    if who == SPECTATOR and SPECTATOR not in (*names, *position.game.role_labels):
        return Everybody(range(len(names)))
    return [role_of(position, who)]


def role_of(position: Position, who: str | int) -> int:
    """The number of a role by its name or label."""
    game = position.game
    if not isinstance(who, str):
        calls.whole(who, "a player, if not given by name,")
    if isinstance(who, int):
        roles = game.seats(position.players)
        if not 0 <= who < len(roles):
            raise BadChoice(f"there is no seat {who}")
        return roles[who][0]
    for i, (name, label) in enumerate(zip(game.player_names, game.role_labels, strict=True)):
        if who in (name, label) or who.replace(" ", "_") == name:
            return i
    raise BadChoice(f"there is no player `{who}`; there are {', '.join(game.player_names)}")


def level_of(game: Game, state: list[Any], slot: int, viewer: int) -> str:
    """How much of a place a role sees: of one that belongs to a thing it may not know, nothing."""
    at, owner = game.values.place_index[slot]
    if at in game.carried and not _knows_owner(game, state, at, owner, viewer):
        return "hidden"
    return str(game.code["SEE"][at](state, viewer, owner))


def _knows_owner(game: Game, state: list[Any], at: int, owner: int, viewer: int) -> bool:
    """Whether a role may know the thing that a place belongs to, and the thing in whose place that lies, and so on."""
    passed: set[int] = set()
    while at in game.carried:
        kind = game.carried[at]
        slot = state[game.data.kinds[kind].loc + owner]
        hides = game.code["HIDE"].get(kind)
        if hides is not None and hides(state, owner, viewer):
            return False
        if slot < 0 or slot in passed:
            return True
        passed.add(slot)
        thing, (at, owner) = owner, game.values.place_index[slot]
        level = game.code["SEE"][at](state, viewer, owner)
        if level != "visible" and not (level == "top" and top_of(state[slot]) == thing):
            return False
    return True


def is_hidden(game: Game, state: list[Any], kind: str, value: int, roles: Sequence[int]) -> bool:
    """Whether a thing or piece lies face down for all of these roles."""
    hides = game.code["HIDE"].get(kind)
    return hides is not None and not some_may(roles, lambda role: not hides(state, value, role))


def knows(game: Game, state: list[Any], kind: str, value: int, roles: Sequence[int]) -> bool:
    """Whether one of these roles may know which thing or piece this is, by where and how it lies."""
    info = game.data.kinds[kind]
    slot = value >> game.values.shift if info.is_pieces else state[info.loc + value] if info.loc >= 0 else -1
    hides = game.code["HIDE"].get(kind)

    def may(role: int) -> bool:
        level = level_of(game, state, slot, role) if slot >= 0 else "visible"
        if level == "visible" or (level == "top" and top_of(state[slot]) == value):
            return hides is None or not hides(state, value, role)
        return False

    return some_may(roles, may)


def knows_question(game: Game, state: list[Any], block: int, roles: Sequence[int]) -> bool:
    """Whether one of these roles may know what is asked: not if it stands in the text of a thing they do not know, or
    in a rule that such a text has called."""
    return all(knows(game, state, *owner, roles) for owner in _asking(game, state, block)) if block else True


def _asking(game: Game, state: list[Any], block: int) -> Iterator[tuple[str, int]]:
    """The things in whose texts a question stands, and those in whose texts its rule was called, or the rule that has
    called that one, and so on."""
    data = game.data
    info = data.decisions[block]
    if info.number in data.choice_askers:
        yield data.choice_askers[info.number]
    ret, frame = info.ret, state[STACK]
    kept: dict[int, Any] = {}
    while data.has_askers and ret >= 0:
        call = data.calls.get(ret, {}).get(kept.get(ret, state[ret]))
        if call is None:
            return
        thing, ret, saved = call
        if thing is not None:
            yield thing
        if saved:
            frame, values = frame[:2]
            kept |= dict(zip(saved, values, strict=True))


def came_to_light(game: Game, before: list[Any], after: list[Any], role: int) -> bool:
    """Whether a role knows a thing that it did not know before, or more pieces of a type: turned up, uncovered, or in
    a place that may be looked into now."""
    return game.has_secrets and bool(_all_known(game, after, role) - _all_known(game, before, role))


def _all_known(game: Game, state: list[Any], role: int) -> Counter[tuple[str, int]]:
    """Everything that a role may know, by where and how it lies: things by their numbers, pieces by their types."""
    found: Counter[tuple[str, int]] = Counter()
    for slot, (holds, _) in game.values.places.items():
        kind, info = holds.kind, game.data.kinds[holds.kind]
        if not info.is_pieces:
            items = members(state[slot]) if holds.is_ordered else BITS[state[slot]]
            found.update((kind, i) for i in items if knows(game, state, kind, i, (role,)))
            continue
        for code, count in game.values.pile(kind, state[slot]):
            if knows(game, state, kind, slot << game.values.shift | code, (role,)):
                found[kind, code % info.types] += count
    return found


def in_sight(game: Game, state: list[Any], kind: str, value: int, roles: Sequence[int]) -> bool:
    """Whether one of these roles sees a thing or piece lie, face down or not."""
    info = game.data.kinds[kind]
    slot = value >> game.values.shift if info.is_pieces else state[info.loc + value] if info.loc >= 0 else -1
    return slot < 0 or some_may(roles, lambda role: level_of(game, state, slot, role) == "visible")


def unseen_name(kind: str) -> str:
    """What something of a kind is called by who may not know which it is."""
    return f"unknown {kind}"


def back_of(game: Game, state: list[Any], kind: str, value: int, roles: Sequence[int]) -> str:
    """What to call a thing or piece that none of these roles may know: by what its back shows, where it lies in
    sight."""
    info = game.data.kinds[kind]
    if info.backs is None or not in_sight(game, state, kind, value, roles):
        return unseen_name(kind)
    return str(info.backs[(value & game.values.low) % info.types if info.is_pieces else value])


def said(game: Game, state: list[Any], value: Any, type_: Any, roles: Sequence[int]) -> str:
    """A value by its names, as some roles may know it: what they may not know is only told by its kind."""

    def one(kind: str, item: int, of: Any) -> str:
        if knows(game, state, kind, item, roles):
            return seen_name(game, item, of)
        # By its back one could tell where a thing lies that is only spoken of.
        return back_of(game, state, kind, item, roles) if game.data.kinds[kind].is_pieces else unseen_name(kind)

    return told(game, value, type_, one)


def seen_name(game: Game, item: Any, type_: Any) -> str:
    """What somebody who sees a thing or piece calls it. Copies of one thing are called alike: who could tell them apart
    would know them again wherever they turn up."""
    if type_[0] != "thing":
        return game.values.name(item, type_)
    return str(game.data.kinds[type_[1]].shown[item])


def told(game: Game, value: Any, type_: Any, one: Callable[[str, int, Any], str]) -> str:
    """A value by its names, where `one` says what to call a thing or piece (its kind, itself, its type).

    The members of a set come in the order of what they are called: their own would tell which they are."""
    match type_:
        case ["thing" | "piece", kind]:
            return one(kind, value, type_)
        case ["maybe", inner] if value is not None:
            return told(game, value, inner, one)
        case ["set", ["thing", kind] as inner]:
            return "{" + ", ".join(sorted(one(kind, i, inner) for i in BITS[value])) + "}"
        case ["list", [_, _] as inner]:
            return "[" + ", ".join(told(game, i, inner, one) for i in value) + "]"
    return game.values.name(value, type_)


def items_in(value: Any, type_: Any) -> list[tuple[str, int]]:
    """The things and pieces that a value names, each with its kind."""
    match type_:
        case ["thing" | "piece", kind]:
            return [(kind, value)]
        case ["maybe", inner] if value is not None:
            return items_in(value, inner)
        case ["set", ["thing", kind]]:
            return [(kind, i) for i in BITS[value]]
        case ["list", [_, _] as inner]:
            return [found for i in value for found in items_in(i, inner)]
        case ["of", types]:  # a text about some things, and these
            return [found for i, of in zip(value[1], types, strict=True) for found in items_in(i, of)]
    return []


def _summed(contents: list[tuple[str, int]]) -> dict[str, int]:
    out: dict[str, int] = {}
    for name, count in contents:
        out[name] = out.get(name, 0) + count
    return out


def _selection_of(decision: Decision | ChanceNode) -> dict[str, Any] | None:
    """What the one who decides can pick, where several are chosen."""
    if decision.is_chance:
        return None
    selection = decision.selection  # type: ignore[union-attr]
    return selection.to_dict() if selection is not None else None


class View(Look):
    """A position as one role, or the person in one seat, may see it."""

    instead = "what `to_dict()` or `to_json()` gives"

    def __init__(self, position: Position, who: str | int) -> None:
        WORK.done = 0  # each look is a work of its own
        self._position = position
        self.roles = roles_seen(position, who)
        self.who = who

    def __deepcopy__(self, memo: dict[int, Any]) -> View:
        return View(deepcopy(self._position, memo), self.who)

    def standing(self) -> dict[str, int]:
        """How far ahead each player is; the same for everybody (see `Position.standing`)."""
        return self._position.standing()

    def level(self, slot: int) -> str:
        levels = [level_of(self._position.game, self._position._s, slot, role) for role in self.roles]
        most = min if isinstance(self.roles, Everybody) else max
        return most(levels, key=lambda level: LEVELS[level], default="visible")

    def places(self) -> dict[str, Any]:
        """Every place that may be looked at: counts by name, a list where it is ordered, a number, or nothing."""
        game, S = self._position.game, self._position._s
        out: dict[str, Any] = {}
        for slot, name, holds in self._all_places() if game.carried else game.values.all_places:
            is_open = not holds.is_restricted and game.values.place_index[slot][0] not in game.carried
            level = "visible" if is_open else self.level(slot)
            if level == "visible" or (level == "top" and holds.is_ordered):
                if not S[slot]:
                    out[name] = [] if holds.is_ordered else {}
                    continue
                contents = self._known(slot, holds)
                seen: Any = [name for name, _ in contents] if holds.is_ordered else _summed(contents)
                if level == "top":
                    seen = [name if at == 0 else unseen_name(holds.kind) for at, name in enumerate(seen)]
            elif level in ("count", "order", "top"):
                seen = game.values.count(S, slot)
            elif level == "nonempty":
                seen = game.values.count(S, slot) > 0
            else:
                continue
            out[name] = seen
        return out

    def _all_places(self) -> Iterator[tuple[int, str, PlaceInfo]]:
        """Every place with its name; of things that may be hidden, those that this viewer knows, by the names they have
        for it."""
        game = self._position.game
        for slot, name, holds in game.values.all_places:
            at, owner = game.values.place_index[slot]
            if at not in game.carried:
                yield slot, name, holds
            elif owner == 0:
                for i, called in self._names_of(holds.owner).items():
                    yield holds.slot + i, f"{called}.{holds.name}", holds

    def _known(self, slot: int, holds: PlaceInfo) -> list[tuple[str, int]]:
        """What lies in a place one may look at; what lies face down is only told by its kind."""
        game, S = self._position.game, self._position._s
        kind = holds.kind
        hides = kind in game.code["HIDE"]
        if game.data.kinds[kind].is_pieces:
            pile = game.values.pile(kind, S[slot])
            if not hides:
                return [(game.values.piece_name(kind, code), count) for code, count in pile]
            items = [(slot << game.values.shift | code, count) for code, count in pile]
            names = [(game.values.piece_name(kind, ref & game.values.low), ref, count) for ref, count in items]
        else:
            shown = game.data.kinds[kind].shown
            held = members(S[slot]) if holds.is_ordered else BITS[S[slot]]
            if not hides:
                return [(shown[i], 1) for i in held]
            names = [(shown[i], i, 1) for i in held]
        faces: list[tuple[str, int]] = []
        backs: list[tuple[str, int]] = []
        seen: list[tuple[str, int]] = []
        for name, ref, count in names:
            if is_hidden(game, S, kind, ref, self.roles):
                backs.append((back_of(game, S, kind, ref, self.roles), count))
                seen.append(backs[-1])
            else:
                faces.append((name, count))
                seen.append(faces[-1])
        # Where a back stood among the faces would tell what is on its other side.
        return seen if holds.is_ordered else [*faces, *sorted(backs)]

    def states(self) -> dict[str, Any]:
        game, S = self._position.game, self._position._s
        out: dict[str, Any] = {}
        for entry, names, known in game.values.shown_states:
            type_ = entry.type
            if not entry.kind:
                value = S[entry.slot]
                out[names[0]] = known[value] if known is not None else self._said(value, type_)
                continue
            info = game.data.kinds[entry.kind]
            if info.loc < 0 and known is not None and info.shown == info.names:
                # What belongs to things that lie nowhere, each of them one of its own, is seen by all.
                values = game.values.states_of(S, entry, len(names))
                out.update(zip(names, [known[value] for value in values], strict=True))
                continue
            for i, name in self._names_of(entry.kind).items():
                out[f"{name}.{entry.name}"] = self._said(game.values.state(S, entry, i), type_)
        return out

    def _said(self, value: Any, type_: Any) -> str:
        return said(self._position.game, self._position._s, value, type_, self.roles)

    def _names_of(self, kind: str) -> dict[int, str]:
        """The things of a kind whose states this viewer may know, each with a name for them.

        Copies of one thing are numbered as they are found here, by where they lie and how: their own numbers would tell
        which of them they are."""
        game, S = self._position.game, self._position._s
        info = game.data.kinds[kind]
        known = [i for i in range(len(info.names)) if info.loc < 0 or knows(game, S, kind, i, self.roles)]
        copies: dict[str, list[int]] = {}
        for i in known:
            if info.shown[i] != info.names[i]:
                copies.setdefault(info.shown[i], []).append(i)
        states = [entry for entry in game.data.states if entry.kind == kind and not entry.is_hidden]
        carried = [game.data.holds[at] for at, owner in game.carried.items() if owner == kind]

        def lying(i: int) -> tuple[Any, ...]:
            slot = S[info.loc + i] if info.loc >= 0 else -1
            at = 0
            if slot >= 0 and game.values.places[slot][0].is_ordered:
                at = members(S[slot]).index(i)
            values = [said(game, S, game.values.state(S, entry, i), entry.type, self.roles) for entry in states]
            slots = [(holds.slot + i, holds) for holds in carried]
            inside = [str(self._known(own, holds)) for own, holds in slots if self.level(own) == "visible"]
            return (slot, at, *values, *inside)

        named = {i: info.names[i] for i in known}
        for shown, alike in copies.items():
            named |= {i: f"{shown}_{number}" for number, i in enumerate(sorted(alike, key=lying), 1)}
        # In the order of the numbers that they have now.
        first = {shown: at for at, shown in reversed(list(enumerate(info.shown)))}
        return dict(sorted(named.items(), key=lambda one: (first[info.shown[one[0]]], len(one[1]), one[1])))

    def to_dict(self) -> dict[str, Any]:
        position = self._position
        decision = position.decision
        out: dict[str, Any] = {
            "game": position.game.ident,
            "viewer": self.who,
            "phase": position.phase,
            "states": self.states(),
            "places": self.places(),
            "over": position.is_over,
            "outcome": str(position.outcome) if position.outcome is not None else None,
            "decision": None,
        }
        if decision is not None:
            mine = decision.player_index in self.roles
            asked = decision.prompt if mine else decision.name
            if not mine and not knows_question(position.game, position._s, position.d, self.roles):
                asked = "(hidden)"
            out["decision"] = {"player": decision.player, "prompt": asked}
            if mine:
                out["decision"]["options"] = [{"key": o.key, "text": o.text, "args": o.args} for o in decision.options]
                out["decision"]["selection"] = _selection_of(decision)
        return out

    def explain(self, what: str) -> Explanation:
        """How a value comes about, as far as this viewer sees it. What depends on something hidden is `hidden`."""
        return workshop().explain(self._position, calls.text(what, "what to explain"), self.roles)

    def why_not(self, what: str) -> Refusal:
        """Why something is not among the options of this viewer; of another's, only that it is not theirs to decide."""
        position = self._position
        if isinstance(self.roles, Everybody):
            raise BadChoice("a spectator has nothing to decide")
        decision = position.decision
        role = self.roles[0] if self.roles else 0
        if decision is not None and decision.player_index in self.roles:
            role = decision.player_index
        return position.why_not(what, position.game.player_names[role])

    @property
    def options(self) -> list[Option]:
        """What this viewer can choose from now; nothing while others decide."""
        decision = self._position.decision
        mine = decision is not None and decision.player_index in self.roles
        return list(decision.options) if decision is not None and mine else []  # type: ignore[arg-type]

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), sort_keys=True)

    @property
    def journal(self) -> Any:
        from rulescript.runtime.journal import Journal

        return Journal(self._position, self.roles)
