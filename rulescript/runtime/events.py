"""The events of a step, and who could tell what each is about when it happened.

An event is a tuple: the number of its site in the rules, then what its sort needs. In a game with secrets each gets,
at its end, who could tell: that is known only at the moment itself, for a card played face up may lie in a hidden hand
again later. What a viewer is told of it then is worked out from that alone (event_words.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["Events", "Seen", "no_events", "reveals", "seen_by"]

# In words of the rules: a line, what follows is told under it, whose dice follow.
SAID = ("tell", "headline", "purpose")


def no_events(position: Position) -> list[Any]:
    """An empty list for the events of one step."""
    return Events(position) if position.game.has_secrets else []


def reveals(game: Game, event: tuple[Any, ...], role: int | None = None) -> bool:
    """Whether an event showed somebody something that cannot be unseen: a die, a draw, a reveal. As far as a role can
    tell, if one is given: to others, what it does not know itself may have been news or not."""
    kind = game.data.sites[event[0]][0]
    if kind in ("roll", "draw", "lot", "shuffle", "reveal"):
        return True
    if not isinstance(event[-1], Seen):
        return False
    if role is None:
        return event[-1].news != 0
    return bool(event[-1].news >> role & 1 or event[-1].maybe_news & ~(1 << role))


class Seen(tuple[int, ...]):
    """Who could tell, when it happened, which things an event is about: for each of them a mask of roles.

    `backs`, in the same way: who saw at least what everybody can tell of a thing that lies face down. `ends`: who
    could notice it at the place it came from, and at the one it went to. `named`: of the things that are the value of
    a state or stand in a text, who knew them and who saw them lie. `news`: who could tell who could not before;
    `maybe_news`: the same for all that somebody knows who is not told which thing it is.
    `readers`: where the rule stands in the text of a thing, who knew that thing."""

    backs: tuple[int, ...]
    news: int
    maybe_news: int
    ends: tuple[int, int]
    named: Mapping[tuple[str, int], tuple[int, int]]
    readers: int

    def __new__(
        cls,
        masks: Iterable[int],
        backs: Iterable[int] = (),
        news: int = 0,
        maybe_news: int = 0,
        ends: tuple[int, int] = (-1, -1),
        named: Mapping[tuple[str, int], tuple[int, int]] | None = None,
    ) -> Seen:
        made = super().__new__(cls, masks)
        made.backs, made.ends, made.named = tuple(backs), ends, named or {}
        made.news, made.maybe_news = news, maybe_news
        made.readers = -1
        return made


class Events(list[Any]):
    """The events of one step in a game with secrets: each is kept with who could tell what it is about.

    That is known only at the moment itself: a card played face up may lie in a hidden hand again later."""

    __slots__ = ("_position",)

    def __init__(self, position: Position) -> None:
        super().__init__()
        self._position = position

    def append(self, event: Any) -> None:
        if len(event) == 1:
            super().append(event)
            return
        seen = seen_by(self._position, event)
        askers = self._position.game.data.site_askers.get(event[0])
        if askers:
            readers = 0
            for asker in askers:
                readers |= _knowing(self._position, *asker)[0]
            if readers != (1 << len(self._position.game.player_names)) - 1:
                seen = Seen([-1]) if seen is None else seen
                seen.readers = readers
        super().append((*event, seen))


def _arrived(game: Game, extra: Any, item: int, slot: int) -> int:
    """A piece as it is once it has come to a place: without what does not last there."""
    info = game.data.kinds[extra[0]]
    if not info.is_pieces or not info.lasts_in or slot not in game.values.places:
        return item
    owner, types = game.values.places[slot][0].owner, info.types
    code = item & game.values.low
    for name, stride, values, _, start in info.states:
        if info.lasts_in.get(name, owner) != owner:
            code += (start - code // types // stride % len(values)) * stride * types
    return slot << game.values.shift | code


def seen_by(position: Position, event: tuple[Any, ...]) -> Seen | None:
    """For moves, draws and changes of state: which roles may know each thing, as things stand now."""
    from rulescript.runtime.views import knows, level_of

    game, S = position.game, position.s
    kind, _, _, _, extra = game.data.sites[event[0]]
    roles = range(len(game.player_names))
    if kind in ("move", "draw"):
        hides = game.code["HIDE"].get(extra[0])
        sources = [level_of(game, S, event[2], role) if event[2] >= 0 else "hidden" for role in roles]
        targets = [level_of(game, S, event[3], role) if event[3] >= 0 else "hidden" for role in roles]
        masks, backs, news, maybe_news = [], [], 0, 0
        for at, item in enumerate(event[1]):
            mask = back = 0
            for role in roles:
                source, target = sources[role], targets[role]
                before = source == "visible" or (
                    source == "top" and at == 0 and (kind == "draw" or S[event[2]][:1] == (item,))
                )
                after = target == "visible" or (target == "top" and extra[2:] == ("top",))
                back |= (before or after) << role
                if hides is not None:
                    # Face down where it was, or where it has come to.
                    before = before and not hides(S, item, role)
                    after = after and not hides(S, _arrived(game, extra, item, event[3]), role)
                mask |= (before or after) << role
                news |= (after and not before) << role
                # Whether it was the top one that a role saw before, others do not know.
                maybe_news |= (after and not (before and source == "visible")) << role
            masks.append(mask)
            backs.append(back)
        return Seen(masks, backs, news, maybe_news, _ends(game, S, event, kind == "draw", sources, targets))
    if kind == "shuffle":
        levels = [level_of(game, S, event[1], role) for role in roles]
        return Seen([sum((level != "hidden") << role for role, level in enumerate(levels))])
    if kind == "lot":
        return Seen([_knowing(position, extra[0], item)[0] for item in event[1]])
    if kind in SAID:
        named = _named(position, zip(event[2], extra, strict=True)) if extra else {}
        return Seen((), named=named) if named else None
    if kind in ("set", "piece", "round"):
        entry = next((s for s in game.data.states if s.name == extra[1] and s.kind == extra[0]), None)
        values = [(value, entry.type) for value in event[2:4]] if entry is not None and kind != "piece" else []
        named = _named(position, values)
        if extra[0] and (kind == "piece" or game.data.kinds[extra[0]].loc >= 0):
            mask = sum(1 << role for role in roles if knows(game, S, extra[0], event[1], (role,)))
            # Turned up, for all to see: somebody did not know it before.
            is_turned = mask == (1 << len(roles)) - 1 and extra[1] in game.data.kinds[extra[0]].turned_by
            news = mask if is_turned else 0
            return Seen([mask], news=news, maybe_news=news, named=named)
        return Seen([-1], named=named) if named else None
    return None


def _ends(
    game: Game, S: list[Any], event: tuple[Any, ...], is_done: bool, sources: list[str], targets: list[str]
) -> tuple[int, int]:
    """Who could notice a move at its two ends: who may count what lies there, or sees it become empty or not empty.

    A draw is told when it is done, a move before it is."""

    def noticed(slot: int, levels: list[str], is_target: bool) -> int:
        if slot < 0:
            return 0
        left = game.values.count(S, slot)
        if is_done is is_target:
            left -= len(event[1])
        return sum(
            (level not in ("hidden", "nonempty") or (level == "nonempty" and left == 0)) << role
            for role, level in enumerate(levels)
        )

    return noticed(event[2], sources, False), noticed(event[3], targets, True)


def _named(position: Position, values: Iterable[tuple[Any, Any]]) -> dict[tuple[str, int], tuple[int, int]]:
    """Of the things and pieces that some values name: who knows them now, and who sees them lie."""
    from rulescript.runtime.views import items_in

    found = [item for value, type_ in values if type_ for item in items_in(value, type_)]
    return {(kind, item): _knowing(position, kind, item) for kind, item in found}


def _knowing(position: Position, kind: str, item: int) -> tuple[int, int]:
    from rulescript.runtime.views import in_sight, knows

    game, S = position.game, position.s
    roles = range(len(game.player_names))
    known = sum(knows(game, S, kind, item, (role,)) << role for role in roles)
    return known, sum(in_sight(game, S, kind, item, (role,)) << role for role in roles)
