"""A compiled game, ready to be played: its generated code, its data, and what a tool may want to know about it."""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import evolve, frozen

from rulescript import calls
from rulescript.errors import BadCall
from rulescript.game_data import GameData, OptionData, as_dicts
from rulescript.locks import READING
from rulescript.machine import chance, effort
from rulescript.machine.names import machine_names
from rulescript.machine.sparse import awake
from rulescript.runtime.events import no_events
from rulescript.runtime.forms import Form
from rulescript.runtime.options import Asked, Option, options_of
from rulescript.runtime.playouts import Playout, play_outs
from rulescript.runtime.position import Position
from rulescript.runtime.seating import Seating
from rulescript.runtime.values import Values
from rulescript.runtime.workshop import workshop

if TYPE_CHECKING:
    from pathlib import Path

    from rulescript.loader import GameText
    from rulescript.model.game import Game as Model
    from rulescript.wording.lexicon import Lexicon
    from rulescript.wording.proper import Proper

__all__ = ["Game", "OptionInfo", "Playout", "RuleInfo"]

# So many decisions without anybody waiting for them are the beginning of many more: then the search form is made.
MANY_DECISIONS = 20_000
# While it is made beside play, it is looked for after so many more.
LOOK_AGAIN = 1_000


@frozen
class OptionInfo:
    """An optional rule or a scenario."""

    name: str
    title: str
    doc: str
    needs: tuple[str, ...]
    excludes: tuple[str, ...]
    chosen: bool


@frozen
class RuleInfo:
    """An entry of the rulebook's index."""

    ident: str
    sort: str
    title: str


@contextmanager
def uncollected() -> Iterator[None]:
    """While play goes on fast, nobody looks for cycles: it makes none, only values that are kept for later, and
    looking through them again and again takes a tenth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def seeded(seed: int) -> int:
    """The generator's first state for a seed: splitmix64 of the seed, so that neighbours differ."""
    z = (seed + 0x9E3779B97F4A7C15) & chance.MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & chance.MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & chance.MASK64
    return z ^ (z >> 31)


# A compiled module: the code of its text, or of parts of it one after the other, or what runs it in a scope.
Code: TypeAlias = CodeType | tuple[CodeType, ...] | Callable[[dict[str, Any]], None]


class Game:
    """A game with its options and scenario chosen. `start` begins to play it."""

    def __init__(
        self,
        code: Code,
        data: GameData,
        origins: Mapping[int, tuple[str, int]],
        where: Any = None,
    ) -> None:
        self.data = data = awake(data)
        self.origins = origins
        self.where = where
        self.code: dict[str, Any] = machine_names()
        for part in code if isinstance(code, tuple) else (code,):
            if isinstance(part, CodeType):
                exec(part, self.code)
            else:
                part(self.code)
        self.values = Values(data)
        self._model: Model | None = None
        # What it was compiled from, if it was read in this process.
        self.text: GameText | None = None
        self.source = ""
        # Numbers that were set otherwise than the text says (simulation/varied.py).
        self.numbers: dict[str, int] = {}
        self.seating = Seating(data)
        self.kept: Path | None = None
        self.size: int = len(data.initial)
        self.passing: list[int] = data.passing
        # The quicker form of the code, when it is there (see `prepare`).
        self.search: Form | None = None
        self._played = 0
        self.search_origins: dict[int, tuple[str, int]] = {}
        self._may_be_kept = True
        self._asked: dict[int, Asked] = {}

    # -------------------------------------------------------------- what there is

    @property
    def ident(self) -> str:
        return str(self.data.ident)

    @property
    def title(self) -> str:
        return str(self.data.title)

    @property
    def version(self) -> str:
        return str(self.data.version)

    @property
    def rules_hash(self) -> str:
        return str(self.data.rules_hash)

    @cached_property
    def options(self) -> dict[str, OptionInfo]:
        """The optional rules, by name."""
        return _infos(self.data.all_options, self.data.options)

    @cached_property
    def scenarios(self) -> dict[str, OptionInfo]:
        return _infos(self.data.all_scenarios, [self.data.scenario])

    @property
    def players(self) -> tuple[str, ...]:
        """The roles, in seat order."""
        return tuple(self.player_names)

    @cached_property
    def player_names(self) -> list[str]:
        kind = self.data.players
        return list(self.data.kinds[kind].names) if kind else []

    @cached_property
    def role_labels(self) -> list[str]:
        """What the roles are called."""
        kind = self.data.players
        return list(self.data.kinds[kind].labels) if kind else []

    @property
    def player_counts(self) -> tuple[int, ...]:
        """How many people can play."""
        return self.seating.counts

    def seats(self, players: int) -> list[list[int]]:
        """Which roles each seat holds, for a number of players."""
        return self.seating.seats(players)

    @cached_property
    def map(self) -> dict[str, dict[str, Any]]:
        """Spaces by name: kind, label, coordinates, attributes and links."""
        out: dict[str, dict[str, Any]] = {}
        for kind_name, kind in self.data.kinds.items():
            if not kind.links:
                continue
            for i, name in enumerate(kind.names):
                out[name] = {
                    "kind": kind_name,
                    "label": kind.labels[i],
                    "at": kind.at[i],
                    "attributes": {a: self.values.name(v[i], kind.attr_types[a]) for a, v in kind.attrs.items()},
                    "links": {s: [kind.names[j] for j in table[i]] for s, table in kind.links.items()},
                }
        return out

    @cached_property
    def rules(self) -> dict[str, RuleInfo]:
        """The rulebook's index."""
        return {k: RuleInfo(k, sort, title) for k, (sort, title) in self.data.rulebook.items()}

    @cached_property
    def choices(self) -> list[dict[str, Any]]:
        """Every decision point: its choice, procedure, names and alternatives."""
        return [{"block": block, **as_dicts(info)} for block, info in self.data.decisions.items()]

    @cached_property
    def ways(self) -> dict[tuple[str, str], frozenset[str]]:
        """The names of all ways to answer each choice, by its procedure and its name."""
        found: dict[tuple[str, str], set[str]] = {}
        for info in self.data.decisions.values():
            found.setdefault((info.procedure, info.choice), set()).update(a.label for a in info.alts)
        return {choice: frozenset(labels) for choice, labels in found.items()}

    @cached_property
    def lexicon(self) -> Lexicon:
        """What the things and pieces may be called in a line of words."""
        from rulescript.wording.lexicon import Lexicon

        return Lexicon(self.data.kinds)

    @cached_property
    def proper(self) -> Proper:
        """Gives what is told their capitals that the names of the rules do not have."""
        from rulescript.wording.proper import Proper

        return Proper(self.model)

    @property
    def model(self) -> Model:
        """The checked rules, for explanations and docs; read from the source when first asked for."""
        if self._model is None:
            with READING:
                if self._model is None:
                    self._model = workshop().model(self)
        return self._model

    # -------------------------------------------------------------- beginning

    def start(
        self, seed: int = 0, *, players: int | None = None, journal: bool = True, chance: Any = None, ask: bool = False
    ) -> Position:
        """A new game. The same seed and choices give the same game everywhere.

        `chance` is None (the seed decides), "explicit" (every die and draw is a decision of the chance player),
        "secure" (the randomness of the system, which nobody can foretell), or a list of outcomes to be used up one
        after the other."""
        from rulescript.runtime.chance import chance_for

        return self.begin(seed, players, journal, chance_for(chance), ask)

    def begin(
        self,
        seed: int,
        players: int | None,
        journal: bool = True,
        chance: Any = None,
        ask: bool = False,
        given: Sequence[Any] = (),
    ) -> Position:
        """What `start` does; `given` are outcomes of explicit chance that are settled already."""
        calls.whole(seed, "a seed")
        count = players if players is not None else self.seating.default
        if self.player_counts:
            self.seats(count)
        state = list(self.data.initial)
        state[1] = seeded(seed)
        position = Position(self, state, count, bool(journal))
        position._origin = evolve(position._origin, seed=seed)
        position.ask = bool(ask)
        position.chance = chance
        position.begin(given)
        return position

    def empty(self, seed: int = 0, players: int | None = None) -> Position:
        """A position before anything was played: everything at home, nobody asked. For examples and tools."""
        count = players if players is not None else self.seating.default
        state = list(self.data.initial)
        state[1] = seeded(seed)
        position = Position(self, state, count, True)
        position.j = no_events(position)
        return position

    @property
    def standing_counts(self) -> str:
        """What the standing counts, such as "points ahead"; "" if there is none."""
        return self.data.standing.counts if self.data.standing is not None else ""

    def from_json(self, text: str) -> Position:
        """A saved position. Under changed rules it is replayed; BadSave says where that fails."""
        from rulescript.runtime.saves import restore

        return restore(self, text)

    @cached_property
    def has_secrets(self) -> bool:
        """Whether anything can be hidden from somebody."""
        return any(h.is_restricted for h in self.data.holds) or bool(self.code["HIDE"])

    @cached_property
    def carried(self) -> dict[int, str]:
        """The places of things that may themselves be hidden from somebody, by number, each with the kind of these."""
        hideable = {h.kind for h in self.data.holds if h.is_restricted} | set(self.code["HIDE"])
        places = enumerate(self.data.holds)
        return {at: h.owner for at, h in places if h.owner in hideable and self.data.kinds[h.owner].loc >= 0}

    # -------------------------------------------------------------- options in words

    def asked(self, block: int) -> Asked:
        """What is known of a decision point."""
        found = self._asked.get(block)
        if found is None:
            found = self._asked[block] = Asked(block, self.data.decisions[block], self.code)
        return found

    def option(
        self, block: int, raw: Any, state: list[Any], whole: bool = False, offered: Sequence[Any] | None = None
    ) -> Option:
        """A raw option of a decision, whether or not it is offered now (see runtime/options.py)."""
        raws = None if offered is None else tuple(offered)
        return options_of(self, block, state, raws, whole).option(raw)

    # -------------------------------------------------------------- in bulk

    def playouts(self, count: int, seed: int = 0, *, limit: int = 100_000) -> list[Playout]:
        """Random games to their end, fast: no decision objects, no journal."""
        calls.whole(count, "the number of playouts", 0)
        calls.whole(limit, "the most decisions of a playout", 0)
        rng = random.Random(calls.whole(seed, "a seed"))
        with uncollected():
            return play_outs(self, rng, count, limit)

    @cached_property
    def plain(self) -> Form:
        """The generated code that can do everything."""
        return Form(self.code, self.data)

    @property
    def quickest(self) -> Form:
        """The quickest form that is at hand: the search form, once it is made; before, the plain one."""
        if self.search is None and self._may_be_kept:
            self._may_be_kept = False
            if self.kept is not None and self.kept.with_suffix(".search").exists():
                self.prepare()
        return self.search or self.plain

    def count_played(self, decisions: int) -> None:
        """Somebody plays on. Once it is worth its while the search form is made: beside play, if that can be, and play
        goes over to it when it is there."""
        if self.search is None:
            self._played += decisions
            if self._played >= MANY_DECISIONS:
                if workshop().made_beside(self):
                    self._played = MANY_DECISIONS - LOOK_AGAIN
                else:
                    self.prepare()

    def prepare(self) -> Game:
        """Have the search form made ready now. Without this, play goes on in the plain form until enough was played."""
        if self.search is None:
            made = workshop().search_code(self)
            form = self.plain
            if made is not None:
                code = dict(self.code)
                exec(made[0], code)
                form = Form(code, self.data)
                self.search_origins = made[1]
            self.search = form
        return self

    @cached_property
    def has_asides(self) -> bool:
        return any(alt.is_flagged for info in self.data.decisions.values() for alt in info.alts)

    def check_invariants(self, position: Position, when: str = "", scope: str = "") -> list[int]:
        """The invariants that do not hold now (by number). `when` picks those of one sort."""
        out = []
        effort.WORK.done = 0
        for at, info in enumerate(self.data.invariants):
            if when and info.when != when and not (when == "decision" and info.when == "always"):
                continue
            if when == "end" and info.scope != scope:
                continue
            if not self.code["INV"][at](position._s):
                out.append(at)
        return out

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes: where the game lies, and what was chosen; it is loaded there."""
        if self.where is None:
            raise BadCall("a game that was made from a text cannot go to another process; load it from a file")
        where, chosen, scenario = self.where
        place = os.path.abspath(where) if os.path.exists(where) else where
        return workshop().loaded_again, (place, chosen, scenario, self.seating.chosen, self.rules_hash)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def __repr__(self) -> str:
        return f"<Game {self.ident} {self.version}>"


def _infos(table: dict[str, OptionData], chosen: Sequence[str]) -> dict[str, OptionInfo]:
    return {
        name: OptionInfo(name, o.title, o.doc, tuple(o.needs), tuple(o.excludes), name in chosen)
        for name, o in table.items()
    }
