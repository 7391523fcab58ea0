"""What happened: structured events with the rules they cite, readable as text, redacted for a viewer.

An event is a dict (documented in docs/api.md): `kind` (choice, move, draw, set, piece, roll, shuffle, reveal,
tell, phase, end), `cites`, `file` and `line` of the rule, and what the kind needs.

Here are the answers, and the whole of it, oldest first; what came of an answer is told by the teller of events
(event_words.py).

The hard idea: a viewer's journal tells no more than the views before and after each event would. So an answer is
hidden that names what its reader could not see, and how many answers a hidden selection took is not told either.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import islice
from typing import TYPE_CHECKING, Any

from rulescript import calls
from rulescript.errors import BadCall, BadChoice
from rulescript.game_data import AlternativeInfo, DecisionInfo
from rulescript.phrases import capital, listed
from rulescript.runtime.choice_words import rest_of
from rulescript.runtime.event_words import NOWHERE, EventTeller
from rulescript.runtime.looks import Look
from rulescript.story import LENGTHS, Line, Storyteller, as_text

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["Journal"]


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
        teller = EventTeller(position, self._roles)
        if steps < 0:
            yield from teller.all_told(position._opening[left_out:])
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
            yield from teller.all_told(step.events)
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
