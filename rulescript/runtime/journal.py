"""What happened: structured events with the rules they cite, readable as text, redacted for a viewer.

An event is a dict (documented in docs/api.md): `kind` (choice, move, draw, set, piece, roll, shuffle, reveal,
tell, phase, end), `cites`, `file` and `line` of the rule, and what the kind needs.

The hard idea: a viewer's journal tells no more than the views before and after each event would. So a thing is
named to those who could tell it then; others read how many moved out of or into a place whose things they may count,
and of a place they see nothing of, not even its name. How many answers a hidden selection took, and where among the
known ones an unknown thing came, is not told either.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from rulescript import calls
from rulescript.errors import BadCall, BadChoice
from rulescript.game_data import AlternativeInfo, DecisionInfo
from rulescript.phrases import capital, listed
from rulescript.runtime.choice_words import rest_of
from rulescript.runtime.looks import Look
from rulescript.story import LENGTHS, Line, Storyteller, as_text

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["Events", "Journal", "Seen", "reveals", "seen_by"]

# Where a rule stands, for those who do not know the thing whose text it is.
NOWHERE: dict[str, Any] = {"cites": [], "file": "", "line": 0}
# In words of the rules: a line, what follows is told under it, whose dice follow.
SAID = ("tell", "headline", "purpose")
LEVELS = ("hidden", "nonempty", "count", "order", "top", "visible")


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


class Journal(Look):
    """The events of a position so far, oldest first."""

    instead = "its `events()`"

    def __init__(self, position: Position, viewer: int | Sequence[int] | None = None) -> None:
        self._position = position
        self._roles: Sequence[int] | None = (viewer,) if isinstance(viewer, int) else viewer

    def __deepcopy__(self, memo: dict[int, Any]) -> Journal:
        return Journal(deepcopy(self._position, memo), self._roles)

    def for_viewer(self, who: str | int) -> Journal:
        """The same story as one role, or the person in a seat, may know it. The journal of a viewer is for no other."""
        from rulescript.runtime.views import Everybody, roles_seen

        roles = roles_seen(self._position, who)
        if self._roles is not None and not isinstance(roles, Everybody):
            mine = () if isinstance(self._roles, Everybody) else self._roles
            if not set(roles) <= set(mine):
                raise BadChoice("this is the journal of another viewer; ask the position for that of this one")
        return Journal(self._position, roles)

    def events(self) -> list[dict[str, Any]]:
        return list(self)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.since(-1)

    def since(self, steps: int) -> Iterator[dict[str, Any]]:
        """What came after the first `steps` decisions; with -1, also what happened before the first one."""
        calls.whole(steps, "the number of decisions")
        return self._scenes(self._since(steps))

    def after(self, events: int) -> Iterator[dict[str, Any]]:
        """All but the first so many raw events before the first decision."""
        return self._scenes(self._since(-1, events))

    @staticmethod
    def _scenes(events: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """A rule that has a headline, and in which nothing happened that the viewer could notice, is no scene."""
        entered: list[dict[str, Any]] = []
        for event in events:
            if event["kind"] == "enter":
                entered.append(event)
            elif event["kind"] == "leave" and entered:
                entered.pop()
            else:
                yield from entered
                entered.clear()
                yield event
        yield from entered

    def _since(self, steps: int, left_out: int = 0) -> Iterator[dict[str, Any]]:
        position = self._position
        if steps < 0:
            yield from self._all_told(position._opening[left_out:], position.s)
        begin = min(max(0, steps), position.steps)
        history = islice(position.history(), max(0, begin - 1), None)
        # What comes now may be more of an answer that was told before.
        last: Any = next(history, None) if begin else None
        opened = self._opened()
        for step in history:
            answer, is_part = self._told_answer(step, last, opened)
            last = step
            if not is_part:
                yield answer
            yield from self._all_told(step.events, step.state)
        waiting = position.waiting()
        if waiting is not None and self._is_others(waiting) and not self._info(waiting).is_sealed:
            # That chance is waited for all see. Whether answers were given before the one it waits in, they may not.
            answer, is_part = self._told_answer(waiting, last, waiting.length)
            is_hidden = answer["text"] == "(hidden)"
            if is_hidden and not is_part and (answer["choice"] == "(hidden)" or self._is_one_of_many(waiting)):
                yield answer

    def _told_answer(self, step: Any, last: Any, opened: int) -> tuple[dict[str, Any], bool]:
        """How an answer is told, and whether others take it for a part of the one before."""
        info = self._info(step)
        answer = {
            "kind": "choice",
            "player": self._position.game.player_names[step.player],
            "choice": f"{info.procedure}.{info.choice}",
            "key": self._key(step),
            "text": "",
            "cites": info.cites,
            "file": info.line[0],
            "line": info.line[1],
        }
        is_others = self._is_others(step)
        if is_others and not self._knows_question(step):
            # Not even how often it asks is for others to know.
            answer |= {**NOWHERE, "choice": "(hidden)", "key": "(hidden)", "text": "(hidden)"}
            return answer, last is not None and last.player == step.player and not self._knows_question(last)
        if step.length > opened and is_others:
            answer["key"] = answer["text"] = "(sealed)"
        elif is_others and self._secret(step):
            answer["key"] = _several(info).label if self._is_of_several(step) else self._secret_label(info, step)
            answer["text"] = "(hidden)"
            # How many answers there were is not for others to know.
            is_more = last is not None and _is_more_of(self._position.game, step, last)
            return answer, is_more and self._is_one_of_many(step)
        else:
            answer["text"] = self._answer(step)
            return answer, False
        return answer, is_others and last is not None and _is_more_of(self._position.game, step, last)

    def _info(self, step: Any) -> DecisionInfo:
        return self._position.game.data.decisions[step.block]

    def _is_others(self, step: Any) -> bool:
        return self._roles is not None and step.player not in self._roles

    def _is_of_several(self, step: Any) -> bool:
        """Whether an answer is one of those that pick several."""
        info = self._info(step)
        return bool(info.is_many and info.alts[info.split(step.raw)[0]].form != "aside")

    def _is_one_of_many(self, step: Any) -> bool:
        """Whether a secret answer is one of several, of which others may not know how many there are."""
        return self._is_of_several(step) or self._info(step).is_uncounted

    def _knows_question(self, step: Any) -> bool:
        """Whether the viewer knew the thing in whose text a question stands."""
        from rulescript.runtime.views import knows_question

        return self._roles is None or knows_question(self._position.game, step.state, step.block, self._roles)

    def _key(self, step: Any) -> str:
        """An answer by its key; for others than the one who gave it, copies of one thing are called alike."""
        key = str(step.key)
        if self._roles is None or step.player in self._roles:
            return key
        from rulescript.runtime.views import seen_name

        game = self._position.game
        info = game.data.decisions[step.block]
        at, value = info.split(step.raw)
        alt = info.alts[at]
        type_ = alt.many[1] if alt.form == "many" else _type_picked(info, alt)
        if type_[0] != "thing":
            return key
        return key.removesuffix(game.values.name(value, type_)) + seen_name(game, value, type_)

    def _answer(self, step: Any) -> str:
        """An answer in words, with what it settled of the rest of its choice where the viewer may know it."""
        game = self._position.game
        others = self._roles is not None and step.player not in self._roles
        # What else could have been chosen is not for others to know, not even by what is told of an answer.
        offered = None if others else step.options
        if others and self._tells_more(step.block, step.raw, step.state):
            return self._plain_answer(step.block, step.raw)
        plain = game.option(step.block, step.raw, step.state, offered=offered)
        if self._position.ask:
            return plain.text
        if others:
            rest = rest_of(game, step.block, step.raw, step.state)
            if rest is None or self._secret_answer(*rest) or self._tells_more(*rest):
                return plain.text
        return game.option(step.block, step.raw, step.state, whole=True, offered=offered).text

    def _tells_more(self, block: int, raw: Any, state: list[Any]) -> bool:
        """Whether the words of an answer tell what only the one who gives it may know."""
        info = self._position.game.data.decisions[block]
        alt = info.alts[info.split(raw)[0]]
        return bool(alt.is_private) or not all(self.sees(state[slot], type_, state) for slot, type_ in alt.named)

    def _plain_answer(self, block: int, raw: Any) -> str:
        """An answer by the names of the choice alone."""
        game = self._position.game
        info = game.data.decisions[block]
        at, value = info.split(raw)
        alt = info.alts[at]
        label = alt.label.replace("_", " ")
        label = capital(label)
        if alt.form == "many":
            return f"{label}: {game.values.label(value, alt.many[1])}"
        if alt.form not in ("pick", "aside") or not alt.vars:
            return str(label)
        type_ = alt.types[info.stage if alt.form == "pick" else 0]
        return f"{label}: {game.values.label(value, type_)}"

    def _all_told(self, events: Sequence[tuple[Any, ...]], state: list[Any]) -> Iterator[dict[str, Any]]:
        """Events one after the other. What one rule moves is told place by place, and from each the known first, as far
        as it is not all known: where the unknown came among them would tell what they are."""
        if self._roles is None:
            for event in events:
                yield from self._told(event, state)
            return
        # What was so already is told nobody, and does not stand between two moves.
        numbered = enumerate(event for event in events if len(event) > 1)
        for _, group in groupby(numbered, lambda one: (one[1][0],) if self._is_move(one[1]) else one[0]):
            together = [event for _, event in group]
            if len(together) > 1 and not all(map(self._is_known, together)):
                together.sort(key=lambda event: (event[2:4], not self._is_known(event)))
            for event in together:
                yield from self._told(event, state)

    def noticed(self, events: Sequence[tuple[Any, ...]], state: list[Any]) -> tuple[tuple[Any, ...], ...]:
        """Those events of which the viewer is told anything."""
        return tuple(event for event in events if any(True for _ in self._told(event, state)))

    def _is_move(self, event: tuple[Any, ...]) -> bool:
        return len(event) > 1 and self._position.game.data.sites[event[0]][0] == "move"

    def _opened(self) -> int:
        """How many decisions lie open: all but the sealed answers that still wait for those of others."""
        position = self._position
        decisions = position.game.data.decisions
        here = position._tip
        if position.d and decisions[position.d].is_sealed:
            asked = decisions[position.d].procedure
            # Of an answer that waits for others nothing comes; of the last one all that follows from them.
            while here is not None and not here.events:
                if not decisions[here.block].is_sealed or decisions[here.block].procedure != asked:
                    break
                here = here.parent
        return here.length if here is not None else 0

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _secret(self, step: Any) -> bool:
        """Whether an answer names a thing its viewer may not see, or would tell how many such things were taken."""
        game = self._position.game
        info = game.data.decisions[step.block]
        if info.is_many:
            alt = info.alts[info.split(step.raw)[0]]
            if alt.form != "many" and alt.label != "done":
                # Another way out, or what may be done at any time.
                return self._secret_answer(step.block, step.raw, step.state)
            offered = [info.split(raw) for raw in step.options]
            items = [value for at, value in offered if info.alts[at].form == "many"]
            chosen = self._chosen(info, step.state)
            several = _several(info)
            if several.is_veiled and alt.label == "done" and not chosen:
                return True  # whether there was anything to choose is not told, whatever it would have been
            return not all(self.sees(item, several.many[1], step.state) for item in [*items, *chosen])
        if info.is_uncounted or self._is_none(info, step.raw):
            return True
        return self._secret_answer(step.block, step.raw, step.state)

    def _is_none(self, info: DecisionInfo, raw: Any) -> bool:
        """Whether an answer says that there was nothing to choose from, where others may not know that."""
        alt = info.alts[info.split(raw)[0]]
        is_last = alt.label == "done" and alt.form == "plain" and not info.is_many
        return bool(is_last and any(each.vars for each in info.alts))

    def _secret_label(self, info: DecisionInfo, step: Any) -> str:
        """What others are told of a secret answer: which way was taken; of one that had nothing to take, the first."""
        if self._is_none(info, step.raw):
            return str(next(alt.label for alt in info.alts if alt.vars))
        return str(step.key.split(" ")[0])

    @staticmethod
    def _chosen(info: DecisionInfo, state: list[Any]) -> tuple[Any, ...]:
        """What was picked before in a choice of several."""
        return tuple(state[info.previous[-1][1]]) if info.stage and info.previous else ()

    def _secret_answer(self, block: int, raw: Any, state: list[Any]) -> bool:
        game = self._position.game
        info = game.data.decisions[block]
        at, value = info.split(raw)
        alt = info.alts[at]
        if alt.form not in ("pick", "many", "aside") or not alt.vars:
            return False
        type_ = alt.many[1] if alt.form == "many" else alt.types[info.stage if alt.form == "pick" else 0]
        if not self.sees(value, type_, state):
            return True
        # The words of a later pick may name the earlier ones.
        return alt.form == "pick" and not all(
            self.sees(state[slot], before, state) for _, slot, before in info.previous
        )

    def sees(self, value: Any, type_: Any, state: list[Any]) -> bool:
        """Whether the viewer may know which thing or piece this is, by where it lies."""
        from rulescript.runtime.views import knows

        if self._roles is None or type_[0] not in ("piece", "thing"):
            return True
        return knows(self._position.game, state, type_[1], value, self._roles)

    def _known(self, event: tuple[Any, ...], at: int = 0) -> bool:
        """Whether the viewer could tell what an event is about when it happened."""
        return not isinstance(event[-1], Seen) or self._among(event[-1][at])

    def _is_known(self, event: tuple[Any, ...]) -> bool:
        """The same of all that an event is about."""
        return all(self._known(event, at) for at in range(len(event[1])))

    def _back(self, event: tuple[Any, ...], kind: str, at: int) -> str:
        """What to call a thing that the viewer could not tell: by its back if that was seen, else by its kind."""
        seen = event[-1]
        backs = self._position.game.data.kinds[kind].backs or ()
        if not backs or not self._among(seen.backs[at]):
            return kind
        item = event[1][at]
        return str(backs[(item & self._position.game.values.low) % len(backs)])

    def _told(self, event: tuple[Any, ...], state: list[Any]) -> Iterator[dict[str, Any]]:  # noqa: C901 - one case for each sort of event
        from rulescript.runtime.views import seen_name, told

        game = self._position.game
        if len(event) == 1:
            return  # a rule set what was so already
        kind, cites, file, line, extra = game.data.sites[event[0]]
        base: dict[str, Any] = {"kind": kind, "cites": list(cites), "file": file, "line": line}
        if self._roles is not None and isinstance(event[-1], Seen) and not self._among(event[-1].readers):
            base |= NOWHERE
        values = game.values
        match kind:
            case "phase":
                name = game.data.phases[event[1]]
                title = game.data.phase_titles.get(name, name)
                yield {**base, "phase": name, "text": title}
            case "roll":
                rolled = list(event[1]) if isinstance(event[1], tuple) else [event[1]]
                yield {**base, "dice": rolled, "text": f"rolled {', '.join(map(str, rolled)) or 'no dice'}"}
            case "shuffle":
                if not self._known(event):
                    return
                yield {**base, "place": self._place_name(event[1]), "text": f"{values.place_label(event[1])} shuffled"}
            case "lot":
                drawn_of, is_open = extra
                names = self._names(drawn_of, False, event[1])
                shown = [name for at, name in enumerate(names) if self._known(event, at)]
                said = ", ".join(shown).replace("_", " ") or "nothing"
                if len(shown) < len(names) or (self._roles is not None and not names and not is_open):
                    # Out of what lies hidden: not even how many there were, if any.
                    said = ", ".join([*shown, "(hidden)"]).replace("_", " ")
                yield {**base, "items": shown, "text": f"drawn by lot: {said}"}
            case "move" | "draw":
                yield from self._moved(base, extra, event)
            case "set" | "round":
                owner, name = extra
                entry = next((s for s in game.data.states if s.name == name and s.kind == owner), None)
                # None: one of the compiler's own, such as what a `whenever` remembers.
                if entry is None or entry.is_hidden or not self._known(event):
                    return
                name_of = self._thing_says(event, lambda item, type_: seen_name(game, item, type_))
                label_of = self._thing_says(event, values.label)
                value = bool(event[2]) if entry.type == ["bool"] else event[2]
                of, label = "", ""
                if owner:
                    of = self._names(owner, False, (event[1],))[0]
                    label = f"{game.data.kinds[owner].labels[event[1]]}: "
                now, said = (say(value, entry.type) for say in (values.name, values.label))
                if self._roles is not None:
                    now = told(game, value, entry.type, name_of)
                if self._veils(event):
                    if kind == "round":
                        return  # how many rounds there are would tell how many lie there
                    said = told(game, value, entry.type, label_of)
                    if kind == "set" and now == told(game, event[3], entry.type, name_of):
                        return  # the viewer sees no change
                text = f"{label}{name.replace('_', ' ')} is now {said}" if kind == "set" else said
                yield {**base, "of": of, "state": name, "value": now, "text": text}
            case "piece":
                owner, name = extra
                if not self._known(event):
                    return
                piece, label = (say(event[1], ["piece", owner]) for say in (values.name, values.label))
                states = game.data.kinds[owner].states
                type_ = next((t for s, _, _, t, _ in states if s == name), ["int"])
                text = f"{label}: {name.replace('_', ' ')} is now {values.label(event[2], type_)}"
                value = values.name(event[2], type_)
                yield {**base, "piece": piece, "state": name, "value": value, "text": text}
            case "reveal":
                kind_name, is_pieces = extra
                if self._roles is not None and event[2] is not None:
                    if not self._among(event[2]):
                        return  # shown to others, and how many is not for everybody to know
                names = self._names(kind_name, is_pieces, event[1])
                yield {**base, "items": names, "text": f"revealed: {', '.join(names).replace('_', ' ')}"}
            case "tell" | "headline" | "purpose":
                text = event[1]
                if self._veils(event):
                    text = "".join(
                        self._part(event, part, type_) if type_ else part
                        for part, type_ in zip(event[2], extra, strict=True)
                    )
                yield {**base, "text": text}
            case "enter" | "leave":
                yield {**base, "text": ""}
            case "end":
                outcome = self._position.outcome
                yield {**base, "text": outcome.words if outcome is not None else "the game is over"}

    def _veils(self, event: tuple[Any, ...]) -> bool:
        """Whether an event names, as a value or in a text, what the viewer did not know then."""
        if self._roles is None or not isinstance(event[-1], Seen):
            return False
        return any(not self._among(known) for known, _ in event[-1].named.values())

    def _among(self, mask: int) -> bool:
        """Whether the viewer is among the roles of a mask."""
        from rulescript.runtime.views import some_may

        return self._roles is None or some_may(self._roles, lambda role: bool(mask >> role & 1))

    def _thing_says(self, event: tuple[Any, ...], say: Callable[[Any, Any], str]) -> Callable[[str, int, Any], str]:
        """What to call a thing that is a value or stands in a text, as the viewer could tell it then."""
        from rulescript.runtime.views import unseen_name

        kinds = self._position.game.data.kinds
        seen = event[-1]

        def one(kind: str, item: int, type_: Any) -> str:
            known, lying = seen.named.get((kind, item), (-1, -1)) if isinstance(seen, Seen) else (-1, -1)
            if self._among(known):
                return say(item, type_)
            backs = kinds[kind].backs
            # By its back one could tell where a thing lies that is only spoken of; a piece is spoken of where it lies.
            if backs is None or not kinds[kind].is_pieces or not self._among(lying):
                return unseen_name(kind)
            return str(backs[(item & self._position.game.values.low) % len(backs)])

        return one

    def _part(self, event: tuple[Any, ...], value: Any, type_: Any) -> str:
        """Part of a text that names things: those the viewer could not tell are told once, however many they were."""
        from rulescript.runtime.views import items_in

        values = self._position.game.values
        items = items_in(value, type_)
        if type_[0] == "of":
            return str(value[0]) if all(self._among(event[-1].named[one][0]) for one in items) else "(hidden)"
        if not items:
            return values.label(value, type_)
        say = self._thing_says(event, values.label)
        sort = "piece" if values.kinds[items[0][0]].is_pieces else "thing"
        called = [say(kind, item, [sort, kind]) for kind, item in items]
        known = [name for name, one in zip(called, items, strict=True) if self._among(event[-1].named[one][0])]
        return ", ".join([*known, *sorted({name for name in called if name not in known})])

    def _place_name(self, slot: int) -> str:
        """What a place is called; to a viewer, one of a copy by the name that all copies share."""
        values = self._position.game.values
        holds, owner = values.places.get(slot, (None, 0))
        if self._roles is None or holds is None or not holds.owner:
            return values.place_name(slot)
        return f"{values.kinds[holds.owner].shown[owner]}.{holds.name}"

    def _names(self, kind: str, is_pieces: bool, items: tuple[int, ...]) -> list[str]:
        values = self._position.game.values
        if is_pieces:
            return [values.piece_name(kind, i & values.low) for i in items]
        info = values.kinds[kind]
        return [(info.names if self._roles is None else info.shown)[i] for i in items]

    def _moved(self, base: dict[str, Any], extra: Any, event: tuple[Any, ...]) -> Iterator[dict[str, Any]]:
        values = self._position.game.values
        items, source, target = event[1], event[2], event[3]
        if not items:
            return
        kind, is_pieces = extra[0], extra[1]
        known = [self._known(event, at) for at in range(len(items))]
        ends = [self._place_name(source), self._place_name(target)]
        labels = [values.place_label(source), values.place_label(target)]
        if self._roles is not None and isinstance(event[-1], Seen):
            for at, mask in enumerate(event[-1].ends):
                if not self._among(mask):
                    ends[at], labels[at] = "(hidden)", "out of sight"
            if ends == ["(hidden)", "(hidden)"]:
                return
        names = self._names(kind, is_pieces, items)
        names = [name if known[at] else self._back(event, kind, at) for at, name in enumerate(names)]
        said = names
        if is_pieces:
            called = [values.piece_label(kind, item & values.low) for item in items]
            said = [label if known[at] else names[at] for at, label in enumerate(called)]
        # Where an unknown one came among the others would tell what it is.
        order = sorted(range(len(items)), key=lambda at: (not known[at], "" if known[at] else names[at]))
        counted = Counter(names[at] for at in order)
        told = ", ".join(f"{n} {name}" if n > 1 else name for name, n in Counter(said[at] for at in order).items())
        told = told.replace("_", " ")
        word = "drawn" if base["kind"] == "draw" else "moved"
        text = f"{told}: {labels[0]} to {labels[1]}"
        if word == "drawn":
            text = f"drawn from {labels[0]}: {told}"
        yield {
            **base,
            "what": kind,
            "items": dict(counted),
            "from": ends[0],
            "to": ends[1],
            "text": text,
        }

    def story(self, length: str = "story", viewer: str | int | None = None, since: int = -1) -> str:
        """What happened, as a player would tell it: a "headline" for each battle, a "story", or "everything". Of
        what came after the first `since` decisions; as `viewer` may know it, if one is named."""
        return as_text(self.lines(length, viewer, since), cites=length == "everything")

    def lines(self, length: str = "story", viewer: str | int | None = None, since: int = -1) -> list[Line]:
        """The same, line by line."""
        if length not in LENGTHS:
            raise BadCall(f"a story is told as {listed(LENGTHS, 'or')}, not as {length!r}")
        seen = self.for_viewer(viewer) if viewer is not None else self
        return Storyteller(self._position.game.data, length).lines(seen.since(since))

    def text(self) -> str:
        """Everything, a line an event, with the rules it rests on."""
        return self.story("everything")

    def to_json_lines(self) -> str:
        return "\n".join(json.dumps(event, sort_keys=True, ensure_ascii=False) for event in self)

    def __str__(self) -> str:
        return self.text()


def _is_more_of(game: Game, step: Any, last: Any) -> bool:
    """Whether a step answers more of the choice that the one before it answered."""
    here, before = (game.data.decisions[each.block] for each in (step, last))
    same = here.number == before.number and here.procedure == before.procedure
    return bool(same and (here.stage or here.is_uncounted) and step.player == last.player)


def _type_picked(info: DecisionInfo, alt: AlternativeInfo) -> Any:
    """The type of what an answer picks; of one that picks nothing, that of nothing."""
    if alt.form not in ("pick", "aside") or not alt.vars:
        return ["none"]
    return alt.types[info.stage if alt.form == "pick" else 0]


def _several(info: DecisionInfo) -> AlternativeInfo:
    """The alternative of a choice that selects several at once."""
    return next(alt for alt in info.alts if alt.form == "many")
