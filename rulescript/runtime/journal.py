"""What happened: structured events with the rules they cite, readable as text, redacted for a viewer.

An event is a dict (documented in docs/api.md): `kind` (choice, move, draw, set, piece, roll, shuffle, reveal,
tell, phase, end), `cites`, `file` and `line` of the rule, and what the kind needs. Moves out of and into places a
viewer may not look at are told by their number only.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from rulescript.runtime import calls

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["Events", "Journal", "Seen", "reveals", "seen_by"]

LEVELS = ("hidden", "nonempty", "count", "order", "top", "visible")


def reveals(game: Game, event: tuple[Any, ...]) -> bool:
    """Whether an event showed somebody something that cannot be unseen: a die, a draw, a reveal."""
    kind = game.data["sites"][event[0]][0]
    if kind in ("roll", "draw", "lot", "shuffle", "reveal"):
        return True
    return isinstance(event[-1], Seen) and event[-1].is_news


class Seen(tuple[int, ...]):
    """Who could tell, when it happened, which things an event is about: for each of them a mask of roles.

    `backs`, in the same way: who saw at least what everybody can tell of a thing that lies face down. `is_news`:
    somebody could tell who could not before."""

    backs: tuple[int, ...]
    is_news: bool

    def __new__(cls, masks: Iterable[int], backs: Iterable[int] = (), is_news: bool = False) -> Seen:
        made = super().__new__(cls, masks)
        made.backs, made.is_news = tuple(backs), is_news
        return made


class Events(list[Any]):
    """The events of one step in a game with secrets: each is kept with who could tell what it is about.

    That is known only at the moment itself: a card played face up may lie in a hidden hand again later."""

    __slots__ = ("_position",)

    def __init__(self, position: Position) -> None:
        super().__init__()
        self._position = position

    def append(self, event: Any) -> None:
        super().append((*event, seen_by(self._position, event)) if len(event) > 1 else event)


def _arrived(game: Game, extra: Any, item: int, slot: int) -> int:
    """A piece as it is once it has come to a place: without what does not last there."""
    info = game.data["kinds"][extra[0]]
    if not info["pieces"] or "lasts_in" not in info or slot not in game.values.places:
        return item
    owner, types = game.values.places[slot][0]["owner"], info["types"]
    code = item & game.values.low
    for name, stride, values, _, start in info["states"]:
        if info["lasts_in"].get(name, owner) != owner:
            code += (start - code // types // stride % len(values)) * stride * types
    return slot << game.values.shift | code


def seen_by(position: Position, event: tuple[Any, ...]) -> Seen | None:
    """For moves, draws and changes of state: which roles may know each thing, as things stand now."""
    from rulescript.runtime.views import knows, level_of

    game, S = position.game, position.s
    kind, _, _, _, extra = game.data["sites"][event[0]]
    roles = range(len(game.player_names))
    if kind in ("move", "draw"):
        hides = game.code["HIDE"].get(extra[0])
        masks, backs, is_news = [], [], False
        for at, item in enumerate(event[1]):
            mask = back = 0
            for role in roles:
                source = level_of(game, S, event[2], role) if event[2] >= 0 else "hidden"
                target = level_of(game, S, event[3], role) if event[3] >= 0 else "hidden"
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
                is_news = is_news or (after and not before)
            masks.append(mask)
            backs.append(back)
        return Seen(masks, backs, is_news)
    if kind in ("set", "piece") and extra[0] and (kind == "piece" or game.data["kinds"][extra[0]]["loc"] >= 0):
        mask = sum(1 << role for role in roles if knows(game, S, extra[0], event[1], (role,)))
        # Turned up, for all to see: somebody did not know it before.
        is_news = mask == (1 << len(roles)) - 1 and extra[1] in game.data["kinds"][extra[0]].get("turned_by", ())
        return Seen([mask], is_news=is_news)
    return None


class Journal:
    """The events of a position so far, oldest first."""

    def __init__(self, position: Position, viewer: int | Sequence[int] | None = None) -> None:
        self._position = position
        self._roles: tuple[int, ...] | None = None
        if viewer is not None:
            self._roles = (viewer,) if isinstance(viewer, int) else tuple(viewer)

    def for_viewer(self, who: str | int) -> Journal:
        """The same story as one role may know it."""
        from rulescript.runtime.views import role_of

        return Journal(self._position, role_of(self._position, who))

    def events(self) -> list[dict[str, Any]]:
        return list(self)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.since(-1)

    def since(self, steps: int) -> Iterator[dict[str, Any]]:
        """What came after the first `steps` decisions; with -1, also what happened before the first one."""
        calls.whole(steps, "the number of decisions")
        position = self._position
        game = position.game
        for event in position._opening if steps < 0 else ():
            yield from self._told(event, position.s)
        opened = self._opened()
        for step in islice(position.history(), min(max(0, steps), position.steps), None):
            info = game.data["decisions"][step.block]
            answer = {
                "kind": "choice",
                "player": game.player_names[step.player],
                "choice": f"{info['procedure']}.{info['choice']}",
                "key": step.key,
                "text": self._answer(step),
                "cites": info["cites"],
                "file": info["line"][0],
                "line": info["line"][1],
            }
            if step.length > opened and self._roles is not None and step.player not in self._roles:
                answer["key"] = answer["text"] = "(sealed)"
            elif self._roles is not None and step.player not in self._roles and self._secret(step):
                answer["key"] = step.key.split(" ")[0]
                answer["text"] = "(hidden)"
            yield answer
            for event in step.events:
                yield from self._told(event, step.state)

    def _answer(self, step: Any) -> str:
        """An answer in words, with what it settled of the rest of its choice where the viewer may know it."""
        game = self._position.game
        others = self._roles is not None and step.player not in self._roles
        # What else could have been chosen is not for others to know, not even by what is told of an answer.
        offered = None if others else step.options
        plain = game.option(step.block, step.raw, step.state, offered=offered)
        if self._position.ask:
            return plain.text
        if others:
            rest = game.rest_of(step.block, step.raw, step.state)
            if rest is None or self._secret_answer(rest[0], rest[1], rest[2]):
                return plain.text
        return game.option(step.block, step.raw, step.state, whole=True, offered=offered).text

    def _opened(self) -> int:
        """How many decisions lie open: all but the sealed answers that still wait for those of others."""
        position = self._position
        decisions = position.game.data["decisions"]
        here = position._tip
        if position.d and decisions[position.d]["sealed"]:
            asked = decisions[position.d]["procedure"]
            while here is not None and decisions[here.block]["sealed"] and decisions[here.block]["procedure"] == asked:
                here = here.parent
        return here.length if here is not None else 0

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _secret(self, step: Any) -> bool:
        """Whether an answer names a thing its viewer may not see."""
        return self._secret_answer(step.block, step.raw, step.state)

    def _secret_answer(self, block: int, raw: Any, state: list[Any]) -> bool:
        game = self._position.game
        info = game.data["decisions"][block]
        at, value = game._split(info, raw)
        alt = info["alts"][at]
        if alt["form"] not in ("pick", "many", "aside") or not alt["vars"]:
            return False
        type_ = alt["many"][1] if alt["form"] == "many" else alt["types"][info["stage"] if alt["form"] == "pick" else 0]
        if not self.sees(value, type_, state):
            return True
        # The words of a later pick may name the earlier ones.
        return alt["form"] == "pick" and not all(
            self.sees(state[slot], before, state) for _, slot, before in info["previous"]
        )

    def sees(self, value: Any, type_: Any, state: list[Any]) -> bool:
        """Whether the viewer may know which thing or piece this is, by where it lies."""
        from rulescript.runtime.views import knows

        if self._roles is None or type_[0] not in ("piece", "thing"):
            return True
        return knows(self._position.game, state, type_[1], value, self._roles)

    def _known(self, event: tuple[Any, ...], at: int = 0) -> bool:
        """Whether the viewer could tell what an event is about when it happened."""
        if self._roles is None or not isinstance(event[-1], Seen):
            return True
        return any(event[-1][at] >> role & 1 for role in self._roles)

    def _back(self, event: tuple[Any, ...], kind: str, at: int) -> str:
        """What to call a thing that the viewer could not tell: by its back if that was seen, else by its kind."""
        seen = event[-1]
        backs = self._position.game.data["kinds"][kind].get("backs", ())
        if not backs or not any(seen.backs[at] >> role & 1 for role in self._roles or ()):
            return kind
        item = event[1][at]
        return str(backs[(item & self._position.game.values.low) % len(backs)])

    def _told(self, event: tuple[Any, ...], state: list[Any]) -> Iterator[dict[str, Any]]:
        game = self._position.game
        if len(event) == 1:
            return  # a rule set what was so already
        kind, cites, file, line, extra = game.data["sites"][event[0]]
        base: dict[str, Any] = {"kind": kind, "cites": list(cites), "file": file, "line": line}
        values = game.values
        match kind:
            case "phase":
                name = game.data["phases"][event[1]]
                title = game.data["phase_titles"].get(name, name)
                yield {**base, "phase": name, "text": title}
            case "roll":
                rolled = list(event[1]) if isinstance(event[1], tuple) else [event[1]]
                yield {**base, "dice": rolled, "text": f"rolled {', '.join(map(str, rolled)) or 'no dice'}"}
            case "shuffle":
                yield {**base, "place": values.place_name(event[1]), "text": f"{values.place_label(event[1])} shuffled"}
            case "lot":
                names = self._names(extra, False, event[1])
                # What can lie in a place may lie hidden in one.
                shown = names if self._roles is None or values.kinds[extra]["loc"] < 0 else [f"{len(names)} {extra}"]
                said = ", ".join(shown).replace("_", " ") or "nothing"
                yield {**base, "items": shown, "text": f"drawn by lot: {said}"}
            case "move" | "draw":
                yield from self._moved(base, extra, event)
            case "set":
                owner, name = extra
                entry = next((s for s in game.data["states"] if s["name"] == name and s["kind"] == owner), None)
                # None: one of the compiler's own, such as what a `whenever` remembers.
                if entry is None or entry["hidden"] or not self._known(event):
                    return
                of = game.data["kinds"][owner]["names"][event[1]] if owner else ""
                value = bool(event[2]) if entry["type"] == ["bool"] else event[2]
                label = f"{game.data['kinds'][owner]['labels'][event[1]]}: " if owner else ""
                text = f"{label}{name.replace('_', ' ')} is now {values.label(value, entry['type'])}"
                yield {**base, "of": of, "state": name, "value": values.name(value, entry["type"]), "text": text}
            case "piece":
                owner, name = extra
                if not self._known(event):
                    return
                piece, label = (say(event[1], ["piece", owner]) for say in (values.name, values.label))
                states = game.data["kinds"][owner]["states"]
                type_ = next((t for s, _, _, t, _ in states if s == name), ["int"])
                text = f"{label}: {name.replace('_', ' ')} is now {values.label(event[2], type_)}"
                value = values.name(event[2], type_)
                yield {**base, "piece": piece, "state": name, "value": value, "text": text}
            case "reveal":
                kind_name, is_pieces = extra
                may_see = self._roles is None or event[2] is None or any(event[2] >> role & 1 for role in self._roles)
                names = self._names(kind_name, is_pieces, event[1])
                shown = names if may_see else [f"{len(names)} {kind_name}"]
                yield {**base, "items": shown, "text": f"revealed: {', '.join(shown).replace('_', ' ')}"}
            case "tell":
                yield {**base, "text": event[1]}
            case "end":
                yield {**base, "text": str(self._position.outcome or "the game is over")}

    def _names(self, kind: str, is_pieces: bool, items: tuple[int, ...]) -> list[str]:
        values = self._position.game.values
        if is_pieces:
            return [values.piece_name(kind, i & values.low) for i in items]
        return [values.kinds[kind]["names" if self._roles is None else "shown"][i] for i in items]

    def _moved(self, base: dict[str, Any], extra: Any, event: tuple[Any, ...]) -> Iterator[dict[str, Any]]:
        values = self._position.game.values
        items, source, target = event[1], event[2], event[3]
        if not items:
            return
        kind, is_pieces = extra[0], extra[1]
        names = self._names(kind, is_pieces, items)
        names = [name if self._known(event, at) else self._back(event, kind, at) for at, name in enumerate(names)]
        counted = Counter(names)
        said = names
        if is_pieces:
            labels = [values.piece_label(kind, item & values.low) for item in items]
            said = [label if self._known(event, at) else names[at] for at, label in enumerate(labels)]
        told = ", ".join(f"{n} {name}" if n > 1 else name for name, n in Counter(said).items()).replace("_", " ")
        word = "drawn" if base["kind"] == "draw" else "moved"
        text = f"{told}: {values.place_label(source)} to {values.place_label(target)}"
        if word == "drawn":
            text = f"drawn from {values.place_label(source)}: {told}"
        yield {
            **base,
            "what": kind,
            "items": dict(counted),
            "from": values.place_name(source),
            "to": values.place_name(target),
            "text": text,
        }

    def text(self) -> str:
        """The story, a line an event, with the rules it rests on."""
        out: list[str] = []
        for event in self:
            cites = " ".join(f"§{c}" for c in event["cites"])
            if event["kind"] == "phase":
                out.append(f"== {event['text']} {cites}".rstrip())
            elif event["kind"] == "choice":
                out.append(f"{event['player'].replace('_', ' ')}: {event['text']}  {cites}".rstrip())
            else:
                out.append(f"    {event['text']}  {cites}".rstrip())
        return "\n".join(out)

    def to_json_lines(self) -> str:
        return "\n".join(json.dumps(event, sort_keys=True, ensure_ascii=False) for event in self)

    def __str__(self) -> str:
        return self.text()
