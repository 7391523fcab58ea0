"""What can be decided: a decision, its options, and what each of them is about, all worked out when it is looked at.

Whoever searches or plays at random wants to know how many options there are and takes one by its number; keys, words
and data cost more than the rules themselves. So a decision is little more than the state and the raw options; an option
is one of these and where it comes from. What has to be known of all options to word one of them (see telling.py) is
worked out once for the decision. Nothing here knows a position, and nothing points back at what made it: so all of it
is gone when nobody looks at it any more, without anybody having to search for circles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from rulescript.game_data import AlternativeInfo, DecisionInfo
from rulescript.machine.effort import WORK
from rulescript.runtime.forms import Playing
from rulescript.runtime.looks import Look
from rulescript.runtime.readings import phase_of

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.selections import Selection
    from rulescript.runtime.telling import Teller

__all__ = ["Asked", "Decision", "Option", "Options", "OptionsByName", "options_of"]

_WORD = re.compile(r"\w+")


class Asked:
    """What is the same whenever a decision point asks: what was compiled of it."""

    __slots__ = ("alts", "block", "cites", "info", "name", "procedure", "split", "stage", "texts", "who")

    def __init__(self, block: int, info: DecisionInfo, code: dict[str, Any]) -> None:
        self.block = block
        self.info = info
        self.split = info.split
        self.name: str = info.choice
        self.procedure: str = info.procedure
        self.stage: int = info.stage
        self.cites: tuple[str, ...] = tuple(info.cites)
        self.alts: list[AlternativeInfo] = info.alts
        self.texts: Sequence[Any] = code["X"][block]
        self.who = code["W"][block]

    def binds(self, at: int) -> tuple[str, Any] | None:
        """The name that an alternative binds with this answer, and its type; None if it binds none."""
        alt = self.alts[at]
        form = alt.form
        if form == "many":
            return (alt.vars[0] if alt.vars else "item"), alt.many[1]
        if form in ("pick", "aside") and alt.vars:
            stage = self.stage if form == "pick" else 0
            return alt.vars[stage], alt.types[stage]
        return None


class Option:
    """One answer to a decision: a value. It knows no position, so any clone takes it.

    `key` is built from the rules' names, `text` is for people, `args` says as data what it is about."""

    __slots__ = ("_key", "_of", "_text", "_told", "raw")

    raw: Any
    _of: Options | None  # where it comes from
    _told: tuple[str, bool, dict[str, Any]]
    _key: str
    _text: str

    @staticmethod
    def told(key: str, raw: Any, label: str, flagged: bool, text: str, args: dict[str, Any]) -> Option:
        """An option of which all is known, and which comes from nowhere."""
        made = Option()
        made._of, made.raw = None, raw
        made._key, made._text, made._told = key, text, (label, flagged, args)
        return made

    @property
    def key(self) -> str:
        try:
            return self._key
        except AttributeError:
            assert self._of is not None
            self._key = self._of.key_of(self.raw)
            return self._key

    @property
    def text(self) -> str:
        try:
            return self._text
        except AttributeError:
            assert self._of is not None
            self._text = self._of.text_of(self.raw)
            return self._text

    @property
    def label(self) -> str:
        """The name of the way to answer that it belongs to."""
        return str(self._told[0] if self._of is None else self._of.alternative_of(self.raw).label)

    @property
    def flagged(self) -> bool:
        """Whether it is an aside, which could be taken at any time."""
        return bool(self._told[1] if self._of is None else self._of.alternative_of(self.raw).is_flagged)

    @property
    def args(self) -> dict[str, Any]:
        """What it is about: for each name that is bound with it, or was before in the same choice, the thing, piece or
        number (see docs/api.md)."""
        return dict(self._told[2]) if self._of is None else self._of.args_of(self.raw)

    def __reduce__(self) -> tuple[Any, ...]:
        return Option.told, (self.key, self.raw, self.label, self.flagged, self.text, self.args)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Option) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Option {self.key}>"


class Options(Playing, Sequence[Option]):
    """The options of a decision, made when looked at.

    A step that leads to the decision is played with them in its hands: generated code writes the raw options to `o`.
    They are made at every step, so nothing is called for it; whoever makes one sets `game`, `d` (the block that asks),
    `state` and `o`, or lets `options_of` do that. `o` is None if nobody may know what else there was."""

    __slots__ = ("_tellers", "game", "state")

    game: Game
    state: list[Any]
    _tellers: dict[int, Teller]  # made when somebody asks

    # Where the rest of a choice over several names is settled by an answer, its words tell all of it, as its template
    # says: "Send the guard to the mill" rather than "Send: the guard".
    whole = True

    # -------------------------------------------------------------- as a sequence

    def __len__(self) -> int:
        return len(self.o)

    @overload
    def __getitem__(self, at: int) -> Option: ...

    @overload
    def __getitem__(self, at: slice) -> list[Option]: ...

    def __getitem__(self, at: int | slice) -> Option | list[Option]:
        if type(at) is slice:
            return [self.option(raw) for raw in self.o[at]]
        option = Option()
        option._of = self
        option.raw = self.o[at]
        return option

    def __iter__(self) -> Iterator[Option]:
        for raw in self.o or ():
            yield self.option(raw)

    def __contains__(self, option: object) -> bool:
        if not isinstance(option, Option):
            return False
        if option._of is self:
            return True
        key = option.key
        return any(self.key_of(raw) == key for raw in self.o or ())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Options | list | tuple):
            return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)

    def __repr__(self) -> str:
        return repr(list(self))

    # -------------------------------------------------------------- of one option

    def option(self, raw: Any) -> Option:
        made = Option()
        made._of = self
        made.raw = raw
        return made

    @property
    def block(self) -> int:
        return self.d

    @property
    def asked(self) -> Asked:
        return self.game.asked(self.d)

    @property
    def chooser(self) -> int:
        WORK.done = 0  # who has to decide is a question of its own
        return int(self.asked.who(None, self.state))

    def alternative_of(self, raw: Any) -> AlternativeInfo:
        asked = self.game.asked(self.d)
        return asked.alts[asked.split(raw)[0]]

    def key_of(self, raw: Any) -> str:
        asked = self.game.asked(self.d)
        at, value = asked.split(raw)
        label: str = asked.alts[at].label
        bound = asked.binds(at)
        return label if bound is None else f"{label} {bound[0]}={self.game.values.name(value, bound[1])}"

    def args_of(self, raw: Any) -> dict[str, Any]:
        asked = self.game.asked(self.d)
        at, value = asked.split(raw)
        values, form = self.game.values, asked.alts[at].form
        out: dict[str, Any] = {}
        if form == "pick":
            out = {name: values.data_of(self.state[slot], type_) for name, slot, type_ in asked.info.previous}
        bound = asked.binds(at)
        if bound is not None:
            out[bound[0]] = values.data_of(value, bound[1])
        return out

    def text_of(self, raw: Any) -> str:
        at, _ = self.game.asked(self.d).split(raw)
        return self.worded(raw, self.teller(at))

    def worded(self, raw: Any, teller: Teller) -> str:
        """An option in words, as somebody tells it."""
        asked = self.game.asked(self.d)
        at, value = asked.split(raw)
        WORK.done = 0  # each text is a work of its own
        text = str(asked.texts[at](teller, self.state, value))
        text += teller.apart(value, text)
        return self._whole_words(raw, text, teller) if self.whole else text

    def _whole_words(self, raw: Any, text: str, teller: Teller) -> str:
        from rulescript.runtime.choice_words import rest_of

        rest = rest_of(self.game, self.d, raw, self.state)
        if rest is None:
            return text
        block, last, state = rest
        told = options_of(self.game, block, state, None, False).worded(last, teller)
        # Nothing that tells this answer from others may get lost.
        said = {w for w in _WORD.findall(text.partition(": ")[2]) if w not in ("in", "of", "the")}
        return told if said <= set(_WORD.findall(told)) else text

    def teller(self, at: int) -> Teller:
        """Who words the pieces of an alternative's options: one for all of them."""
        try:
            tellers = self._tellers
        except AttributeError:
            tellers = self._tellers = {}
        if at not in tellers:
            tellers[at] = self._teller(at)
        return tellers[at]

    def _teller(self, at: int) -> Teller:
        from rulescript.runtime.telling import Teller

        asked, state, chooser = self.asked, self.state, self.chooser
        if self.o is None:
            return Teller(self.game, state, chooser, None)
        alt = asked.alts[at]
        stage = asked.stage if alt.form == "pick" else 0
        type_ = alt.many[1] if alt.form == "many" else alt.types[stage] if alt.types else ["none"]
        split = [asked.split(raw) for raw in self.o] if type_[0] in ("piece", "thing") else []
        values = [value for other, value in split if other == at]
        if type_[0] == "thing":
            return Teller(self.game, state, chooser, (), (type_[1], values))
        return Teller(self.game, state, chooser, values, (type_[1] if type_[0] == "piece" else "", ()))


class OptionsByName(Options):
    """The same where each name of a choice over several is asked for, and told, by itself."""

    __slots__ = ()

    whole = False
    ask = True


def options_of(game: Game, block: int, state: list[Any], raws: Sequence[Any] | None, whole: bool) -> Options:
    """The options that a block has in a state."""
    made = Options() if whole else OptionsByName()
    made.game = game
    made.d = block
    made.state = state
    made.o = raws  # type: ignore[assignment]
    return made


class Decision(Look):
    """Somebody has to decide. `player` is the role, `seat` the number of the person who holds it.

    Whoever makes one sets `options` and `_players`: how many people play."""

    __slots__ = ("__weakref__", "_players", "_selections", "options")

    is_chance = False
    instead = "the position, or the options"

    options: Options
    _players: int
    _selections: tuple[Selection, ...]  # made when somebody asks

    @property
    def block(self) -> int:
        return self.options.block

    @property
    def name(self) -> str:
        return self.options.asked.name

    @property
    def procedure(self) -> str:
        return self.options.asked.procedure

    @property
    def stage(self) -> int:
        return self.options.asked.stage

    @property
    def sealed(self) -> bool:
        return bool(self.options.asked.info.is_sealed)

    @property
    def cites(self) -> tuple[str, ...]:
        return self.options.asked.cites

    @property
    def phase(self) -> str:
        return phase_of(self.options.game, self.options.state)

    @property
    def player_index(self) -> int:
        return self.options.chooser

    @property
    def player(self) -> str:
        return self.options.game.player_names[self.player_index]

    @property
    def seat(self) -> int:
        return self.options.game.seating.seat_of(self.player_index, self._players)

    @property
    def selections(self) -> tuple[Selection, ...]:
        """The ways to answer that pick several at once, each with what can be picked in any order."""
        try:
            return self._selections
        except AttributeError:
            from rulescript.runtime.selections import selections_of

            options = self.options
            self._selections = selections_of(options.game, options.block, options.state, options.o or ())
            return self._selections

    @property
    def selection(self) -> Selection | None:
        """What can be picked, where the decision is (first of all) a choice of several; else None."""
        return self.selections[0] if self.selections else None

    @property
    def prompt(self) -> str:
        from rulescript.runtime.choice_words import prompt

        return prompt(self.options.game, self.options.block, self.options.state)

    def __len__(self) -> int:
        return len(self.options)

    def __repr__(self) -> str:
        return f"<Decision {self.player}: {self.procedure}.{self.name}, {len(self.options)} options>"
