"""Chance other than from the seed: scripted, of the system, or as decisions of the chance player.

Generated code asks `p.chance` for dice, draws and orders when there is one. Outcomes are told by name (a die by its
number, pieces and things by their names), so that a log can be read and played again under other rules.

Explicit chance works by running a step again: when an outcome is missing, the step is broken off, the position goes
back to where the step began, and a decision with probabilities is shown; the answer is added to the outcomes and the
step is run anew. Nothing of Python's stack has to be kept, and the same outcomes always lead to the same place. A
shuffle decides nothing by itself: see machine/unsettled.py.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulescript.calls import is_text
from rulescript.errors import BadChoice, BadOption, PlayError
from rulescript.machine.unsettled import Unsettled
from rulescript.runtime.plain_steps import step_plainly

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Option, Position

__all__ = [
    "ChanceNode", "ChanceOption", "Explicit", "Pending", "Script", "ScriptError", "Secure", "Wish", "chance_for",
    "waits",
]  # fmt: skip

_PROMPTS = {"die": "Roll a die", "piece": "Draw a piece", "thing": "Draw"}


class ScriptError(PlayError):
    """A script of dice or draws does not fit what the rules ask for."""


@frozen
class ChanceOption:
    """One outcome of chance with its probability (as a fraction: weight of total)."""

    key: str
    raw: Any
    weight: int
    total: int
    text: str

    @property
    def probability(self) -> float:
        return self.weight / self.total

    @property
    def args(self) -> dict[str, Any]:
        """What it binds: nothing, for nobody chooses it."""
        return {}


@frozen
class Wish:
    """Something the rules leave to chance: what may come of it, each with its weight.

    `kind` and `slot` say of what, and from which place (-1: from none); `site` which rule asks (-1: not known). The
    outcome -1 is nothing."""

    what: str
    outcomes: tuple[tuple[int, int], ...]
    site: int
    kind: str = ""
    slot: int = -1

    def said(self, game: Game, raw: int) -> int | str:
        """An outcome as logs and keys call it."""
        if self.what == "die":
            return raw
        if raw < 0:
            return "nothing"
        if game.data.kinds[self.kind].is_pieces:
            return game.values.piece_name(self.kind, raw)
        return str(game.data.kinds[self.kind].names[raw])

    def text(self, game: Game, raw: int) -> str:
        """An outcome as people read it."""
        said = self.said(game, raw)
        if not isinstance(said, str) or raw < 0:
            return str(said)
        info = game.data.kinds[self.kind]
        return game.values.piece_label(self.kind, raw) if info.is_pieces else info.labels[raw]

    def named(self, game: Game, said: Any) -> int | None:
        """The outcome that is called so, as a log calls it or as people read it; None if there is none, or several."""
        found = next((raw for raw, _ in self.outcomes if said == self.said(game, raw)), None)
        if found is not None or not isinstance(said, str):
            return found
        plain = _plain(said)
        alike = [
            raw
            for raw, _ in self.outcomes
            if plain in (_plain(str(self.said(game, raw))), _plain(self.text(game, raw)), _plain(self.key(game, raw)))
        ]
        return alike[0] if len(alike) == 1 else None

    def key(self, game: Game, raw: int) -> str:
        """The key of the option for an outcome."""
        return f"{self.what} {self.said(game, raw)}"


def _plain(text: str) -> str:
    """Words as they are compared: however they are written, in large or small letters."""
    return " ".join(text.replace("_", " ").casefold().split())


def _some_of(options: Sequence[ChanceOption]) -> str:
    shown = [f"`{option.key}`" for option in options[:3]]
    more = len(options) - len(shown)
    return f"there is {', '.join(shown)}{f' and {more} more' if more > 0 else ''}"


class ChanceNode:
    """A decision of the chance player. `place` is what is drawn from, where there is such a place."""

    player = "chance"
    player_index = -1
    seat = -1
    is_chance = True
    sealed = False
    stage = 0

    def __init__(self, game: Game, wish: Wish, phase: str = "") -> None:
        self.name = wish.what
        self.procedure = wish.what
        self.phase = phase
        self.place = game.values.place_name(wish.slot) if wish.slot >= 0 else ""
        self.cites: tuple[str, ...] = tuple(game.data.sites[wish.site][1]) if wish.site >= 0 else ()
        self.prompt = _PROMPTS[wish.what]
        total = sum(weight for _, weight in wish.outcomes)
        self.options = [
            ChanceOption(wish.key(game, raw), raw, weight, total, wish.text(game, raw)) for raw, weight in wish.outcomes
        ]

    def __len__(self) -> int:
        return len(self.options)

    def __repr__(self) -> str:
        return f"<Chance: {self.name}, {len(self.options)} outcomes>"


class _Missing(BaseException):
    """A step needs an outcome nobody gave yet."""

    def __init__(self, wish: Wish) -> None:
        super().__init__(wish.what)
        self.wish = wish


@frozen
class Pending:
    """A step waiting for chance. `raw` is the answer the step began with; at the very start there was none."""

    wish: Wish
    is_opening: bool
    raw: Any
    outcomes: tuple[Any, ...]

    def node(self, position: Position) -> ChanceNode:
        return ChanceNode(position.game, self.wish, position.phase)

    def answer(self, position: Position, answer: Option | ChanceOption | str | int) -> None:
        options = self.node(position).options
        raw: int | None = None
        if isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < len(options):
            raw = options[answer].raw
        elif isinstance(answer, ChanceOption):
            raw = next((o.raw for o in options if o.key == answer.key), None)
        elif isinstance(answer, str):
            said = answer.strip()
            raw = next((o.raw for o in options if said in (o.key, o.text)), None)
            raw = self.wish.named(position.game, said) if raw is None else raw
        if raw is None:
            raise BadChoice(f"{answer!r:.80} is no outcome of this {self.wish.what}", hint=_some_of(options))
        step_plainly(position, self.raw, (*self.outcomes, self.wish.said(position.game, raw)), self.is_opening)


class _Chance:
    """Hands out outcomes. None leaves one to the seed, so that the generator is used in one place only."""

    # How a save calls it; "" for a chance that is not saved.
    name = ""

    def begin(self, position: Position, given: Sequence[Any] = ()) -> None:
        """A step begins. `given` are outcomes that were settled before."""

    def end(self, position: Position) -> None:
        """A step has come to its end."""

    def broke_off(self, position: Position) -> None:
        """A step broke off, and the position is as it was before."""

    def outcomes(self) -> tuple[Any, ...]:
        """What came out in this step, as a log has it."""
        return ()

    def copy(self) -> _Chance:
        """For a clone."""
        return self

    def back(self, outcomes: Iterable[Any]) -> _Chance:
        """For when decisions are taken back, with what came out of them."""
        return self

    def fork(self) -> _Chance:
        """For the copy in which a step is played; it takes this one's place when the step is done."""
        return self

    def die(self, sides: int, site: int) -> int | None:
        raise NotImplementedError

    def piece(self, pile: int, items: Any, slot: int, site: int) -> int | None:
        raise NotImplementedError

    def thing(self, inside: Sequence[int], slot: int, info: Any, site: int) -> int | None:
        raise NotImplementedError

    def lot(self, inside: Sequence[int], kind: str, site: int) -> int | None:
        raise NotImplementedError

    def none_left(self, count: int, drawn: int, kind: str, site: int) -> None:
        """So many more than were drawn by lot are to be, and there are none."""

    def order(self, items: list[int], slot: int, site: int) -> Any:
        raise NotImplementedError


class _Told(_Chance):
    """Hands out what it was given, and then what `fresh` makes up; writes down all of it."""

    game: Game

    def __init__(self) -> None:
        self.given: Sequence[Any] = ()
        self.used = 0
        self.told: list[Any] = []

    def copy(self) -> _Told:
        return type(self)()

    def fork(self) -> _Told:
        return self.copy()

    def begin(self, position: Position, given: Sequence[Any] = ()) -> None:
        self.game = position.game
        self.given, self.used, self.told = given, 0, []

    def outcomes(self) -> tuple[Any, ...]:
        return tuple(self.told)

    def fresh(self, wish: Wish) -> int:
        raise NotImplementedError

    def wrong(self, wish: Wish, said: Any) -> ScriptError:
        """What to say of an outcome that is none."""
        return ScriptError(f"the rules ask for a {wish.what}, of which {said!r} is no outcome")

    @property
    def is_used_up(self) -> bool:
        return self.used >= len(self.given)

    def _next(self, wish: Wish) -> int:
        if self.is_used_up:
            raw = self.fresh(wish)
        else:
            said = self.given[self.used]
            found = wish.named(self.game, self._meant(said, wish))
            if found is None:
                raise self.wrong(wish, said)
            raw, self.used = found, self.used + 1
        self.told.append(wish.said(self.game, raw))
        return raw

    def _meant(self, said: Any, wish: Wish) -> Any:
        return said

    def _kind(self, slot: int) -> str:
        return str(self.game.values.places[slot][0].kind)

    def die(self, sides: int, site: int) -> int:
        return self._next(Wish("die", tuple([(face, 1) for face in range(1, sides + 1)]), site))

    def piece(self, pile: int, items: Any, slot: int, site: int) -> int:
        return self._next(Wish("piece", tuple(items[pile]), site, self._kind(slot), slot))

    def thing(self, inside: Sequence[int], slot: int, info: Any, site: int) -> int:
        return self._next(Wish("thing", tuple([(i, 1) for i in inside]), site, info.name, slot))

    def lot(self, inside: Sequence[int], kind: str, site: int) -> int:
        return self._next(Wish("thing", tuple([(i, 1) for i in inside]), site, kind))

    def order(self, items: list[int], slot: int, site: int) -> Any:
        names = self.game.data.kinds[self._kind(slot)].names
        made: tuple[int, ...] | None
        if self.is_used_up:
            made = self.fresh_order(items)
        else:
            made = self._order(self.given[self.used], items, slot, names)
            if made is None:
                raise ScriptError("the script's order has not the same things as the place that is shuffled")
            self.used += 1
        self.told.append([names[i] for i in made])
        return made

    def fresh_order(self, items: list[int]) -> tuple[int, ...]:
        raise NotImplementedError

    def _order(self, said: Any, items: list[int], slot: int, names: Sequence[str]) -> tuple[int, ...] | None:
        """An order that was given, by names or numbers; None if it is none of these things."""
        if callable(said):
            said = said(items, slot)
        if isinstance(said, str) or not isinstance(said, Iterable):
            return None
        by_name = {names[i]: i for i in items}
        made = tuple([by_name.get(i, -1) if isinstance(i, str) else i for i in said])
        is_whole = all(isinstance(i, int) for i in made) and sorted(made) == sorted(items)
        return made if is_whole else None


class Explicit(_Told):
    """Every die and draw is a decision with probabilities; a shuffle is one for each look at what it left open."""

    name = "explicit"

    def begin(self, position: Position, given: Sequence[Any] = ()) -> None:
        super().begin(position, given)
        self.state = position.s
        for slot, held in self._open(position):
            position.s[slot] = held.bound(partial(self._look, slot))

    def end(self, position: Position) -> None:
        """What a seat sees is looked at. Then nobody can be asked any more, until the next step."""
        for slot, held in self._open(position):
            self._seen(position, slot, held)
            position.s[slot] = held.bound(None)

    @staticmethod
    def _open(position: Position) -> list[tuple[int, Unsettled]]:
        return [(slot, held) for slot, held in enumerate(position.s) if held.__class__ is Unsettled]

    def _look(self, slot: int, group: tuple[int, ...], site: int) -> int:
        return self._next(Wish("thing", tuple([(i, 1) for i in group]), site, self._kind(slot), slot))

    def _seen(self, position: Position, slot: int, held: Unsettled) -> None:
        """Have settled what some role sees of the order: all of an open pile, or what lies on top of it."""
        from rulescript.runtime.views import level_of

        levels = {role: level_of(self.game, position.s, slot, role) for role in range(len(self.game.player_names))}
        looking = [role for role, level in levels.items() if level == "visible"]
        if any(self._tells(position, slot, group, looking) for group in held.groups if len(group) > 1):
            held.settle(len(held))
        looking = [role for role, level in levels.items() if level == "top"]
        if self._tells(position, slot, held.groups[0], looking):
            held.settle(1)

    def _tells(self, position: Position, slot: int, things: tuple[int, ...], roles: list[int]) -> bool:
        """Whether these roles could tell things apart that they look at: not by backs that are all alike."""
        from rulescript.runtime.views import back_of, is_hidden

        kind = self._kind(slot)
        looked = [(role, thing) for role in roles for thing in things]
        if not all(is_hidden(self.game, position.s, kind, thing, [role]) for role, thing in looked):
            return True
        return len({back_of(self.game, position.s, kind, thing, [role]) for role, thing in looked}) > 1

    def fresh(self, wish: Wish) -> int:
        if len(wish.outcomes) > 1 or self._is_secret(wish):
            raise _Missing(wish)
        return wish.outcomes[0][0]

    def _is_secret(self, wish: Wish) -> bool:
        """Whether somebody may not know that only one thing can come of it: who waits for no chance would tell it."""
        from rulescript.runtime.views import knows, level_of

        if wish.what == "die" or not self.game.has_secrets:
            return False
        (item, number), roles = wish.outcomes[0], range(len(self.game.player_names))
        if item < 0:
            return True
        if wish.slot >= 0:
            levels = {level_of(self.game, self.state, wish.slot, role) for role in roles}
            if number == 1 and not levels & {"hidden", "nonempty"}:
                return False  # all see that it is the only one
            item |= wish.slot << self.game.values.shift if wish.what == "piece" else 0
        return not all(knows(self.game, self.state, wish.kind, item, [role]) for role in roles)

    def none_left(self, count: int, drawn: int, kind: str, site: int) -> None:
        """Where not all can work out how many there are, chance is waited for as often as if there were enough."""
        _, is_open = self.game.data.sites[site][4]
        wanted = min(count + drawn, len(self.game.data.kinds[kind].names))
        for _ in range(0 if is_open else wanted - drawn):
            self._next(Wish("thing", ((-1, 1),), site, kind))

    def order(self, items: list[int], slot: int, site: int) -> Any:
        return Unsettled([items]).bound(partial(self._look, slot)) if items else ()

    def wrong(self, wish: Wish, said: Any) -> ScriptError:
        return ScriptError(f"{said!r} is no outcome of the {wish.what} that the rules ask for")


class Secure(_Told):
    """The randomness of the system, which nobody can work out from what they have seen.

    Each outcome comes of a number of 64 bits, a shuffle of one for each thing but the first. The numbers are kept: who
    takes back a decision and decides anew has the same ones again, so nothing can be rolled until it fits. An outcome
    that a log tells gets a number that leads to it."""

    name = "secure"

    def __init__(self) -> None:
        super().__init__()
        self.numbers: list[int] = []
        self.at = 0
        self.is_closed = False  # only what a log has may come out

    def copy(self) -> Secure:
        other = Secure()
        other.numbers, other.at, other.is_closed = self.numbers[:], self.at, self.is_closed
        return other

    def back(self, outcomes: Iterable[Any]) -> Secure:
        other = self.copy()
        other.at -= sum(max(0, len(said) - 1) if isinstance(said, list) else 1 for said in outcomes)
        return other

    @property
    def ahead(self) -> list[int]:
        """The numbers that come next, since decisions were taken back."""
        return self.numbers[self.at :]

    @ahead.setter
    def ahead(self, numbers: Iterable[int]) -> None:
        self.numbers[self.at :] = numbers

    def _below(self, most: int) -> int:
        """A number below `most`."""
        if self.at == len(self.numbers):
            self.numbers.append(secrets.randbits(64))
        self.at += 1
        return self.numbers[self.at - 1] * most >> 64

    def _known(self, low: int, high: int, most: int) -> None:
        """What would have led to a number from `low` to below `high`, of those below `most`."""
        first, beyond = (-(-(end << 64) // most) for end in (low, high))
        self.numbers[self.at :] = [first + secrets.randbelow(beyond - first)]
        self.at += 1

    def _next(self, wish: Wish) -> int:
        is_given = not self.is_used_up
        raw = super()._next(wish)
        if is_given:
            low = 0
            for other, weight in wish.outcomes:
                if other == raw:
                    self._known(low, low + weight, sum(each for _, each in wish.outcomes))
                    break
                low += weight
        return raw

    def fresh(self, wish: Wish) -> int:
        if self.is_closed:
            raise ScriptError(f"the rules ask for a {wish.what}, but the log has nothing left")
        left = self._below(sum(weight for _, weight in wish.outcomes))
        for raw, weight in wish.outcomes:
            left -= weight
            if left < 0:
                return raw
        raise AssertionError(wish)

    def order(self, items: list[int], slot: int, site: int) -> Any:
        is_given = not self.is_used_up
        made = super().order(items, slot, site)
        if is_given:
            left = list(items)
            for i in range(len(left) - 1, 0, -1):
                j = left.index(made[i])
                self._known(j, j + 1, i + 1)
                left[i], left[j] = left[j], left[i]
        return made

    def fresh_order(self, items: list[int]) -> tuple[int, ...]:
        if self.is_closed:
            raise ScriptError("the rules ask for a shuffle, but the log has nothing left")
        made = list(items)
        for i in range(len(made) - 1, 0, -1):
            j = self._below(i + 1)
            made[i], made[j] = made[j], made[i]
        return tuple(made)


class Script(_Told):
    """Outcomes given beforehand, used up in order: numbers for dice; for draws the names, or functions that pick one of
    several numbers; for a shuffle a list."""

    def __init__(self, outcomes: Sequence[Any]) -> None:
        super().__init__()
        self.given = outcomes

    def copy(self) -> Script:
        other = Script(self.given)
        other.used = self.used
        return other

    @property
    def unused(self) -> list[Any]:
        return list(self.given[self.used :])

    def begin(self, position: Position, given: Sequence[Any] = ()) -> None:
        self.game, self.told = position.game, []

    def _meant(self, said: Any, wish: Wish) -> Any:
        if wish.what == "die":
            return None if isinstance(said, bool) else said
        if callable(said):
            said = said([raw for raw, _ in wish.outcomes], wish.slot)
        is_number = isinstance(said, int) and any(raw == said for raw, _ in wish.outcomes)
        return wish.said(self.game, said) if is_number else said

    def fresh(self, wish: Wish) -> int:
        what = "die" if wish.what == "die" else "draw"
        raise ScriptError(f"the rules ask for a {what}, but the script has nothing left")

    def fresh_order(self, items: list[int]) -> tuple[int, ...]:
        raise ScriptError("the rules ask for a shuffle, but the script has nothing left")

    def wrong(self, wish: Wish, said: Any) -> ScriptError:
        if wish.what == "die":
            return ScriptError(f"the rules roll a die with {len(wish.outcomes)} sides, but the script has {said!r}")
        what = "a piece" if wish.what == "piece" else "something"
        return ScriptError(f"the script draws {what} that is not there")


def waits(problem: BaseException, chance: Any, raw: Any, is_opening: bool) -> Pending | None:
    """What a step that broke off waits for, if it waits for chance."""
    if not isinstance(problem, _Missing):
        return None
    return Pending(problem.wish, is_opening, raw, chance.outcomes())


def chance_for(chance: Any) -> _Chance | None:
    """What `start(chance=...)` means."""
    if chance is None or isinstance(chance, _Chance):
        return chance
    # What has no order, or no outcomes but names for them, is no script.
    if isinstance(chance, str | bytes | Mapping | Set) or not isinstance(chance, Iterable):
        if chance == Explicit.name:
            return Explicit()
        if chance == Secure.name:
            return Secure()
        raise BadOption(f'chance is None, "explicit", "secure" or a list of outcomes, not {chance!r:.80}')
    return Script([_scripted(said) for said in chance])


def _scripted(said: Any) -> Any:
    """An outcome of a script, if it can be one; an order comes as a list."""
    if callable(said) or _is_outcome(said):
        return said
    if isinstance(said, Iterable) and not isinstance(said, str | bytes | dict):
        order = list(said)
        if all(map(_is_outcome, order)):
            return order
    raise BadOption(f"an outcome of chance is a number, a name or a list of names, not {ascii(said)[:60]}")


def _is_outcome(said: Any) -> bool:
    return is_text(said) if isinstance(said, str) else isinstance(said, int) and not isinstance(said, bool)
