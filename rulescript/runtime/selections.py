"""Several at once: what can be picked, in any order, and the whole of it as one answer.

A choice of several is asked item by item in one fixed order, so that whoever searches sees each selection once. A
person does not know that order. `Selection` tells what can be picked, how many at least and at most, and what was
picked before; it is a value, and picking gives another one. The whole is then answered at once: it is taken along the
one path, so that log, keys and state are those of somebody who went along it item by item.

In comes a decision's block and state (see compiler/slots.py, `SelectionInfo`); reading words is in selection_words.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rulescript.errors import BadChoice
from rulescript.game_data import SelectionInfo
from rulescript.machine.demands import Demand, meets, usable_items
from rulescript.runtime.looks import Look
from rulescript.runtime.options import Option, Options, options_of

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position

__all__ = ["Item", "Selection", "selections_of", "take_selection"]


class Item:
    """Something that can be picked: `key` and `text` are those of its option, `name` is the text without the name of
    the choice, `count` how many like it there are to pick."""

    __slots__ = ("value", "count", "option")

    def __init__(self, value: Any, count: int, option: Option) -> None:
        self.value = value
        self.count = count
        self.option = option

    @property
    def key(self) -> str:
        return self.option.key

    @property
    def text(self) -> str:
        return self.option.text

    @property
    def name(self) -> str:
        return self.text.partition(": ")[2] or self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Item) and self.key == other.key and self.count == other.count

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"<Item {self.key} x{self.count}>"


class Selection(Look):
    """What can be picked of several, and what has been. `pick` and `unpick` give another selection, in any order;
    `pos.choose(selection)` answers with what was picked."""

    instead = "what was picked, as a list of its items"

    def __init__(self, game: Game, block: int, entry: SelectionInfo, state: list[Any], raws: Sequence[Any],
                 basket: tuple[Any, ...] = ()) -> None:  # fmt: skip
        self.game = game
        self._block = block
        self._entry = entry
        self.state = state
        self._raws = raws
        self.info = game.data.decisions[block]
        self.alt: int = entry.alt
        self.label: str = self.info.alts[self.alt].label
        self.is_exact: bool = entry.mode == "exactly"
        self.before: tuple[Any, ...] = tuple(state[entry.chosen]) if self.info.stage else ()
        self.basket_in_order = basket
        self.basket = tuple(sorted(basket))
        self._have = tuple(sorted((*self.before, *self.basket)))
        last = self.before[-1] if self.before else None
        self._there: dict[Any, int] = {
            item: number - self.before.count(item)
            for item, number in state[entry.items]
            if last is None or item >= last
        }
        self._wanted = min(state[entry.wanted], len(self.before) + sum(self._there.values()))
        self.demand: Demand | None = game.code[entry.demand](state) if entry.demand else None
        self._items: tuple[Item, ...] | None = None
        self._options: Options | None = None

    # -------------------------------------------------------------- how many

    @property
    def most(self) -> int:
        """How many more can be picked at most."""
        return int(self._wanted) - len(self._have)

    @property
    def least(self) -> int:
        """How many more have to be picked at least, as far as numbers say."""
        if self.is_exact:
            return self.most
        return 0 if self.is_complete else 1

    @property
    def is_restricted(self) -> bool:
        """Whether the rules ask something of the selection as a whole."""
        return self.demand is not None

    @property
    def is_complete(self) -> bool:
        """Whether what was picked is a selection that may be answered."""
        if self.is_exact and self.most:
            return False
        if not self._have:
            return self._stop is not None
        return self.demand is None or meets(self._have, self.demand)

    @property
    def _stop(self) -> Any:
        """The raw option for picking none, or no more; None if there is none now."""
        for raw in self._raws:
            at, _ = self.info.split(raw)
            if self.info.alts[at].label == "done" and self.info.alts[at].form == "plain":
                return raw
        return None

    # -------------------------------------------------------------- what

    @property
    def items(self) -> tuple[Item, ...]:
        """What can still be picked, with how many of each: what leads to no selection that is allowed is left out."""
        if self._items is None:
            left = self.left()
            rest = [(item, number) for item, number in left.items() if number > 0] if self.most > 0 else []
            if self.demand is not None and rest:
                usable = usable_items(self._have, rest, self._wanted, self.is_exact, self.demand)
                rest = [(item, number) for item, number in rest if item in usable]
            self._items = tuple(Item(item, min(number, self.most), self.option(item)) for item, number in rest)
        return self._items

    @property
    def picked(self) -> tuple[Item, ...]:
        """What was picked already, each with how many of it."""
        return tuple(Item(item, number, self.option(item)) for item, number in sorted(Counter(self._have).items()))

    @property
    def all_items(self) -> list[Any]:
        """The values of all there is to pick from, whether or not they are allowed now."""
        return list(self._there)

    def left(self) -> dict[Any, int]:
        """How many of each there are that were not picked."""
        taken = Counter(self.basket)
        return {item: number - taken[item] for item, number in self._there.items()}

    def raw(self, value: Any) -> Any:
        """The raw option for an item, where it stands first."""
        return value if self.info.stage or self._entry.is_bare else (self.alt, value)

    def option(self, value: Any) -> Option:
        """The option for an item, with words that tell it from all other items."""
        if self._options is None:
            # None of these is taken as it is: what can be picked is more than what can be picked next.
            offered = tuple([self.raw(item) for item in dict.fromkeys([*self._there, *self._have])])
            self._options = options_of(self.game, self._block, self.state, offered, False)
        return self._options.option(self.raw(value))

    # -------------------------------------------------------------- picking

    def pick(self, *what: Item | Option | str) -> Selection:
        """The selection with something more picked. BadChoice if it cannot be."""
        more = [value for each in what for value in self.values_of(each)]
        fault = self.fault(more, is_partial=True)
        if fault is not None:
            raise BadChoice(fault)
        return self._with((*self.basket_in_order, *more))

    def unpick(self, *what: Item | Option | str) -> Selection:
        """The selection without something that was picked."""
        kept = list(self.basket_in_order)
        for each in what:
            for value in self.values_of(each):
                if value not in kept and value in self.before:
                    raise BadChoice(f"{self._name(value)} was answered already", hint="take it back with `undo`")
                if value not in kept:
                    raise BadChoice(f"{self._name(value)} was not picked")
                kept.remove(value)
        return self._with(tuple(kept))

    def _with(self, basket: tuple[Any, ...]) -> Selection:
        other = Selection(self.game, self._block, self._entry, self.state, self._raws, basket)
        other._options = self._options
        return other

    def values_of(self, what: Any) -> list[Any]:
        """What an item, an option, a key, a text or words (`2 Ruritanian infantry`) stand for."""
        if isinstance(what, Item | Option):
            for value in (*self._there, *self.before):
                if self.option(value).key == what.key:
                    return [value]
            raise BadChoice(f"`{what.text}` is not among what can be picked")
        if not isinstance(what, str):
            raise BadChoice(f"{what!r} is nothing to pick; give an item, an option, its key or its text")
        from rulescript.runtime.selection_words import picked_by

        return picked_by(self, what)

    # -------------------------------------------------------------- what is wrong with it

    def fault(self, more: Sequence[Any], is_partial: bool = False) -> str | None:
        """What speaks against picking these too, in words; None if nothing does. With `is_partial` others may
        follow."""
        left = self.left()
        if len(more) > self._wanted:  # too many even for one who names again what was picked before
            return self._wrong_number(self._wanted, len(more))
        for value, number in Counter(more).items():
            if value not in left:
                return f"{self._name(value)} is not among what can be picked"
            if number > left[value]:
                there = f"there {'is' if left[value] == 1 else 'are'} only {left[value]} of {self._name(value)}"
                return f"{there}, {_so_many(number)} {_are(number)} named"
        if len(more) > self.most or (self.is_exact and len(more) < self.most and not is_partial):
            return self._wrong_number(self.most, len(more))
        if is_partial:
            return self._fault_on_the_way(more)
        if not more and not self._have:
            return None if self._stop is not None else "at least one is due, none is named"
        have = tuple(sorted((*self._have, *more)))
        if self.demand is not None and not meets(have, self.demand):
            return "together they are not allowed"
        return None

    def _wrong_number(self, due: int, named: int) -> str:
        wanted = f"{_so_many(due)} {_are(due)} due" if self.is_exact else _at_most(due)
        return f"{wanted}, {_so_many(named)} {_are(named)} named"

    def _fault_on_the_way(self, more: Sequence[Any]) -> str | None:
        here = self
        for value in more:
            if value not in [item.value for item in here.items]:
                return f"no selection that is allowed has {self._name(value)} as well"
            here = here._with((*here.basket, value))
        return None

    def _name(self, value: Any) -> str:
        return self.option(value).text.partition(": ")[2] or self.option(value).text

    def wholly(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """What a list adds: a list of all that is due may name again what was picked before."""
        if self.is_exact and self._have and len(values) == self._wanted and not Counter(self._have) - Counter(values):
            return tuple(sorted((Counter(values) - Counter(self._have)).elements()))
        return tuple(sorted(values))

    @property
    def is_settled(self) -> bool:
        """Whether only one selection is left that may be answered."""
        here = self
        while not here.is_complete:
            number = sum(item.count for item in here.items)
            if not number or (len(here.items) != 1 and not (here.is_exact and number == here.most)):
                return False
            here = here._with((*here.basket, here.items[0].value))
        return not here.items

    def settled_values(self) -> tuple[Any, ...]:
        """The one selection that is left, where it is settled."""
        here = self
        while not here.is_complete:
            here = here._with((*here.basket, here.items[0].value))
        return tuple((Counter(here.basket) - Counter(self.basket)).elements())

    def path(self, more: Sequence[Any]) -> tuple[tuple[int, Any], ...]:
        """The answers along the one path, as if all of them were asked for."""
        values = sorted((*self.basket, *more))
        later = self._entry.later
        if not values:
            return ((self._block, self._stop),)
        steps: list[tuple[int, Any]] = [(self._block, self.raw(values[0]))]
        steps += [(later, value) for value in values[1:]]
        if not self.is_exact and len(self.before) + len(values) < self.state[self._entry.wanted]:
            steps.append((later, -1))  # asked for even where none is left, if others would learn that otherwise
        return tuple(steps)

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for a client."""

        def told(items: Iterable[Item]) -> list[dict[str, Any]]:
            return [
                {"key": i.key, "text": i.text, "name": i.name, "count": i.count, "args": i.option.args} for i in items
            ]

        return {
            "label": self.label,
            "items": told(self.items),
            "picked": told(self.picked),
            "least": self.least,
            "most": self.most,
            "restricted": self.is_restricted,
            "complete": self.is_complete,
        }

    def __repr__(self) -> str:
        return f"<Selection {self.label}: {len(self.items)} items, {self.least} to {self.most} more>"


def selections_of(game: Game, block: int, state: list[Any], raws: Sequence[Any]) -> tuple[Selection, ...]:
    """The ways of a decision that pick several at once, as far as they are offered."""
    info = game.data.decisions[block]
    offered = {info.split(raw)[0] for raw in raws} if info.selections else set()
    return tuple(Selection(game, block, entry, state, raws) for entry in info.selections if entry.alt in offered)


def take_selection(position: Position, selection: Selection, more: Sequence[Any], stops: bool = True) -> None:
    """Answer with a whole selection, all of it or nothing; without `stops`, others may be picked later. What the rules
    take by themselves, having no choice, is passed over, as for who goes along the path."""
    entry = selection._entry
    values = (*selection.before, *sorted((*selection.basket, *more)))
    work = position.clone()
    if len(values) == len(selection.before):
        work._take(selection._stop)
        position._become(work)
        return
    noted, chosen, later = entry.items, entry.chosen, entry.later
    # The same object as long as this selection goes on, and not when another of its kind has begun.
    there = work.s[noted]
    if not selection.info.stage:
        work._take(selection.raw(values[0]))
    while work.d == later and work.s[noted] is there and work._pending is None:
        done = len(work.s[chosen])
        if done >= len(values) and not stops:
            break
        work._take(values[done] if done < len(values) else -1)
        if done >= len(values):
            break
    position._become(work)


def _so_many(number: int) -> str:
    from rulescript.phrases import number_word

    return number_word(number) if number else "none"


def _are(number: int) -> str:
    return "is" if number <= 1 else "are"


def _at_most(number: int) -> str:
    return f"at most {_so_many(number)} can be picked" if number else "no more can be picked"
