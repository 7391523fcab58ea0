"""A compiled game, ready to be played: its generated code, its data, and what a tool may want to know about it."""

from __future__ import annotations

import gc
import os
import random
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from types import CodeType
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulescript import calls
from rulescript.calls import is_number
from rulescript.errors import BadCall, BadOption, NoSuchName, PlayError, RulescriptError, StepLimit
from rulescript.locks import READING
from rulescript.machine import support
from rulescript.machine.sparse import awake
from rulescript.runtime.forms import Form, Playing, run_on
from rulescript.runtime.options import Asked, Option, Options
from rulescript.runtime.position import Position
from rulescript.runtime.values import Values
from rulescript.runtime.workshop import workshop

if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import Popen

    from rulescript.loader import GameText
    from rulescript.model.game import Game as Model
    from rulescript.runtime.telling import Teller
    from rulescript.wording.lexicon import Lexicon

__all__ = ["Game", "OptionInfo", "Playout", "RuleInfo"]

GENERATED = "<rules>"
FLAGGED_WEIGHT = 0.02
# So many decisions without anybody waiting for them are the beginning of many more: then the search form is made.
MANY_DECISIONS = 20_000


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


@frozen
class Playout:
    """The end of one random game."""

    winners: tuple[str, ...]
    drawn: bool
    how: str
    decisions: int
    over: bool


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
    z = (seed + 0x9E3779B97F4A7C15) & support.MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & support.MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & support.MASK64
    return z ^ (z >> 31)


class Game:
    """A game with its options and scenario chosen. `start` begins to play it."""

    def __init__(
        self,
        code: CodeType | Callable[[dict[str, Any]], None],
        data: dict[str, Any],
        origins: Mapping[int, tuple[str, int]],
        where: Any = None,
    ) -> None:
        self.data = data = awake(data)
        self.origins = origins
        self.where = where
        self.code: dict[str, Any] = {n: getattr(support, n) for n in dir(support) if not n.startswith("__")}
        if isinstance(code, CodeType):
            exec(code, self.code)
        else:
            code(self.code)
        self.values = Values(data)
        self._model: Model | None = None
        # What it was compiled from, if it was read in this process.
        self.text: GameText | None = None
        self.source = ""
        self._players: int | None = None
        self.kept: Path | None = None
        self.size: int = len(data["initial"])
        self.passing: list[int] = data["passing"]
        # The quicker form of the code, when it is there (see `prepare`).
        self.search: Form | None = None
        self._played = 0
        self._look_at = MANY_DECISIONS // 8
        self._maker: Popen[bytes] | None = None
        self._may_be_kept = True
        self._asked: dict[int, Asked] = {}

    # -------------------------------------------------------------- what there is

    @property
    def ident(self) -> str:
        return str(self.data["ident"])

    @property
    def title(self) -> str:
        return str(self.data["title"])

    @property
    def version(self) -> str:
        return str(self.data["version"])

    @property
    def rules_hash(self) -> str:
        return str(self.data["hash"])

    @cached_property
    def options(self) -> dict[str, OptionInfo]:
        """The optional rules, by name."""
        return self._infos(self.data["all_options"], self.data["options"])

    @cached_property
    def scenarios(self) -> dict[str, OptionInfo]:
        return self._infos(self.data["all_scenarios"], [self.data["scenario"]])

    @staticmethod
    def _infos(table: dict[str, Any], chosen: Sequence[str]) -> dict[str, OptionInfo]:
        return {
            name: OptionInfo(name, o["title"], o["doc"], tuple(o["needs"]), tuple(o["excludes"]), name in chosen)
            for name, o in table.items()
        }

    @property
    def players(self) -> tuple[str, ...]:
        """The roles, in seat order."""
        return tuple(self.player_names)

    @cached_property
    def player_names(self) -> list[str]:
        kind = self.data["players"]
        return list(self.data["kinds"][kind]["names"]) if kind else []

    @cached_property
    def role_labels(self) -> list[str]:
        """What the roles are called."""
        kind = self.data["players"]
        return list(self.data["kinds"][kind]["labels"]) if kind else []

    @cached_property
    def player_counts(self) -> tuple[int, ...]:
        return tuple(sorted(int(n) for n in self.data["seats"]))

    def seat(self, players: int | None) -> Game:
        """Say how many people play when `start` is not told otherwise; BadOption if that many cannot."""
        if players is not None:
            self.seats(players)
        self._players = players
        return self

    @property
    def default_players(self) -> int:
        return self._players if self._players is not None else max(self.player_counts, default=1)

    def seats(self, players: int) -> list[list[int]]:
        """Which roles each seat holds, for a number of players."""
        calls.whole(players, "the number of players")
        found = self.data["seats"].get(players) or self.data["seats"].get(str(players))
        if found is None:
            raise BadOption(f"{self.title} is for {' or '.join(map(str, self.player_counts))} players, not {players}")
        return [list(seat) for seat in found]

    def seat_of(self, role: int, players: int) -> int:
        """The seat that holds a role, for a number of players."""
        return next((seat for seat, roles in enumerate(self.seats(players)) if role in roles), role)

    @cached_property
    def map(self) -> dict[str, dict[str, Any]]:
        """Spaces by name: kind, label, coordinates, attributes and links."""
        out: dict[str, dict[str, Any]] = {}
        for kind_name, kind in self.data["kinds"].items():
            if not kind["links"]:
                continue
            for i, name in enumerate(kind["names"]):
                out[name] = {
                    "kind": kind_name,
                    "label": kind["labels"][i],
                    "at": kind["at"][i],
                    "attributes": {a: self.values.name(v[i], kind["attr_types"][a]) for a, v in kind["attrs"].items()},
                    "links": {s: [kind["names"][j] for j in table[i]] for s, table in kind["links"].items()},
                }
        return out

    @cached_property
    def rules(self) -> dict[str, RuleInfo]:
        """The rulebook's index."""
        return {k: RuleInfo(k, sort, title) for k, (sort, title) in self.data["rulebook"].items()}

    @cached_property
    def choices(self) -> list[dict[str, Any]]:
        """Every decision point: its choice, procedure, names and alternatives."""
        return [{"block": block, **info} for block, info in self.data["decisions"].items()]

    def ways_of(self, info: dict[str, Any]) -> frozenset[str]:
        """The names of all ways to answer the choice that a decision point is a part of."""
        return self._ways[info["procedure"], info["choice"]]

    @cached_property
    def _ways(self) -> dict[tuple[str, str], frozenset[str]]:
        found: dict[tuple[str, str], set[str]] = {}
        for info in self.data["decisions"].values():
            found.setdefault((info["procedure"], info["choice"]), set()).update(a["label"] for a in info["alts"])
        return {choice: frozenset(labels) for choice, labels in found.items()}

    @cached_property
    def lexicon(self) -> Lexicon:
        """What the things and pieces may be called in a line of words."""
        from rulescript.wording.lexicon import Lexicon

        return Lexicon(self.data)

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
        count = players if players is not None else self.default_players
        if self.player_counts:
            self.seats(count)
        state = list(self.data["initial"])
        state[1] = seeded(seed)
        position = Position(self, state, count, bool(journal))
        position._seed = seed
        position.ask = bool(ask)
        position.chance = chance
        position.begin(given)
        return position

    def empty(self, seed: int = 0, players: int | None = None) -> Position:
        """A position before anything was played: everything at home, nobody asked. For examples and tools."""
        count = players if players is not None else self.default_players
        state = list(self.data["initial"])
        state[1] = seeded(seed)
        position = Position(self, state, count, True)
        position.j = self.events(position)
        return position

    def standing_of(self, state: list[Any]) -> dict[str, int]:
        """How far ahead each player is in a raw state; empty if the game has no `standing`."""
        if self.data["standing"] is None or "standing" not in self.code:
            return {}
        try:
            return dict(zip(self.player_names, self.code["standing"](state), strict=True))
        except RulescriptError as problem:
            self.locate(problem)
            raise
        except Exception as problem:
            raise self.play_error(problem) from problem

    def from_json(self, text: str) -> Position:
        """A saved position. Under changed rules it is replayed; BadSave says where that fails."""
        from rulescript.runtime.saves import restore

        return restore(self, text)

    @cached_property
    def has_secrets(self) -> bool:
        """Whether anything can be hidden from somebody."""
        return any(h["restricted"] for h in self.data["holds"]) or bool(self.code["HIDE"])

    def events(self, position: Position) -> list[Any]:
        """An empty list for the events of one step."""
        if not self.has_secrets:
            return []
        from rulescript.runtime.journal import Events

        return Events(position)

    # -------------------------------------------------------------- options in words

    def asked(self, block: int) -> Asked:
        """What is known of a decision point."""
        found = self._asked.get(block)
        if found is None:
            found = self._asked[block] = Asked(block, self.data["decisions"][block], self.code)
        return found

    def option(
        self, block: int, raw: Any, state: list[Any], whole: bool = False, offered: Sequence[Any] | None = None
    ) -> Option:
        """A raw option of a decision, whether or not it is offered now (see runtime/options.py)."""
        raws = None if offered is None else tuple(offered)
        return Option(Options(self, block, state, raws, whole), raw)

    def rest_of(self, block: int, raw: Any, state: list[Any]) -> tuple[int, Any, list[Any]] | None:
        """The last answer that follows without being asked for, if this one leaves no choice in the rest of its
        choice: its decision, the answer, the state before it."""
        decisions = self.data["decisions"]
        info = decisions[block]
        at, _ = self._split(info, raw)
        alt = info["alts"][at]
        if alt["form"] != "pick" or info["sealed"] or info["stage"] >= len(alt["vars"]) - 1:
            return None

        def next_stage(ask: bool) -> Position | None:
            trial = Position(self, state[: self.size], 0, False)
            trial.d, trial.ask = block, ask
            try:
                trial._continue(raw)
            except RulescriptError:
                return None
            here = decisions[trial.d] if trial.d else info
            same = here["choice"] == info["choice"] and here["procedure"] == info["procedure"]
            return trial if same and here["stage"] == info["stage"] + 1 else None

        found = next_stage(True)
        if found is None:
            return None
        after = decisions[found.d]
        left = [r for r in found.o if after["alts"][self._split(after, r)[0]]["form"] != "aside"]
        # What others may not know is asked for even where it is settled: then it has words of its own.
        if len(left) != 1 or next_stage(False) is not None:
            return None
        return self.rest_of(found.d, left[0], found.s) or (found.d, left[0], found.s)

    @staticmethod
    def _split(info: dict[str, Any], raw: Any) -> tuple[int, Any]:
        """Which alternative a raw option belongs to, and its value."""
        if isinstance(raw, tuple):
            at, value = raw
            if at <= -100:
                asides = [i for i, a in enumerate(info["alts"]) if a["form"] == "aside"]
                return asides[-100 - at], value
            return at, value
        if isinstance(raw, int) and raw < 0:
            return (1, None) if info["many"] and info["stage"] else (-1 - raw, None)
        at = next((i for i, a in enumerate(info["alts"]) if a["form"] in ("pick", "many")), 0)
        return at, raw

    def choice_called(self, block: int) -> str:
        """What its author calls a choice. Of several with one name in a procedure, the later ones have a number in keys
        and saves, which is nobody's business."""
        info = self.data["decisions"][block]
        name: str = info["choice"]
        before, _, number = name.rpartition("_")
        if before and is_number(number):
            others = self.data["decisions"].values()
            if any(o["choice"] == before and o["procedure"] == info["procedure"] for o in others):
                return before
        return name

    def prompt(self, block: int, state: list[Any]) -> str:
        """What is asked, in words."""
        info = self.data["decisions"][block]
        name = self.choice_called(block).replace("_", " ")
        text = name[:1].upper() + name[1:]
        if info["many"] and info["previous"]:
            chosen = state[info["previous"][0][1]]
            return f"{text} ({len(chosen)} chosen)"
        if info["stage"]:
            teller = Options(self, block, state, (), False).teller(0)
            before = ", ".join(self._picked(state[slot], t, teller) for _, slot, t in info["previous"])
            return f"{text}: {before}"
        return str(text)

    def _picked(self, value: Any, type_: Any, teller: Teller) -> str:
        """What was picked before, in words."""
        if type_[0] == "piece":
            value = value >> self.values.shift << self.values.shift | teller.code(type_[1], value)
        return self.values.label(value, type_)

    def phase_of(self, state: list[Any]) -> str:
        return str(self.data["phases"][state[4]]) if 0 <= state[4] < len(self.data["phases"]) else ""

    def value(self, state: list[Any], name: str) -> Any:
        """A state or place by its name."""
        owner, _, field = calls.text(name, "the name of a state or place").rpartition(".")
        for entry in self.data["states"]:
            if entry["name"] == name and not entry["kind"]:
                return self.values.name(state[entry["slot"]], entry["type"])
            if (
                entry["name"] == field
                and owner
                and entry["kind"]
                and owner in self.data["kinds"][entry["kind"]]["names"]
            ):
                index = self.data["kinds"][entry["kind"]]["names"].index(owner)
                return self.values.name(self.values.state(state, entry, index), entry["type"])
        for slot in self.values.places:
            if self.values.place_name(slot) == name:
                return dict(self.values.contents(state, slot))
        from rulescript.diagnostics.spelling import spelling_hint

        hint = spelling_hint(name, self._known_values())
        raise NoSuchName(f"there is no state or place `{name[:80]}`", hint=hint)

    def _known_values(self) -> list[str]:
        """The names of all states and places."""
        out = [self.values.place_name(slot) for slot in self.values.places]
        for entry in self.data["states"]:
            owners = self.data["kinds"][entry["kind"]]["names"] if entry["kind"] else [""]
            out += [f"{owner}.{entry['name']}" if owner else str(entry["name"]) for owner in owners]
        return out

    # -------------------------------------------------------------- failures

    def play_error(self, problem: BaseException) -> PlayError:
        """An error of generated code, told by the line of the rules it came from."""
        place = self._line_of(problem)
        if isinstance(problem, RecursionError):
            return StepLimit("a rule calls itself without end", place=place)
        if isinstance(problem, ZeroDivisionError):
            return PlayError("a rule divided by zero", place=place)
        if isinstance(problem, TypeError) and "NoneType" in str(problem):
            return PlayError("a rule used something that is nothing", place=place)
        # What it says beyond that may tell of something hidden.
        return PlayError(f"a rule went wrong ({type(problem).__name__})", place=place)

    def _line_of(self, problem: BaseException) -> str:
        """The line of the rules an error came from."""
        line = 0
        for frame in traceback.extract_tb(problem.__traceback__):
            if frame.filename == GENERATED:
                line = frame.lineno or 0
        file, number = self.origins.get(line, ("", 0))
        return f"{file}:{number}" if file else ""

    def locate(self, problem: RulescriptError) -> None:
        """Let a failure of the rules say where it came from, if it does not yet."""
        if isinstance(problem, PlayError) and not problem.place:
            problem.place = self._line_of(problem)

    # -------------------------------------------------------------- in bulk

    def playouts(self, count: int, seed: int = 0, *, limit: int = 100_000) -> list[Playout]:
        """Random games to their end, fast: no decision objects, no journal."""
        calls.whole(count, "the number of playouts", 0)
        calls.whole(limit, "the most decisions of a playout", 0)
        rng = random.Random(calls.whole(seed, "a seed"))
        with uncollected():
            return [self._played_out(rng, limit, self.quickest) for _ in range(count)]

    @cached_property
    def plain(self) -> Form:
        """The generated code that can do everything."""
        return Form(self.code, self.data)

    @property
    def quick(self) -> dict[str, Any]:
        """The generated code of the search form."""
        self.prepare()
        assert self.search is not None
        return self.search.code

    @property
    def quickest(self) -> Form:
        """The quickest form that is at hand: the search form, once it is made; before, the plain one."""
        if self.search is None and self._may_be_kept:
            self._may_be_kept = False
            if self.kept is not None and self.kept.with_suffix(".quick").exists():
                self._make_search()
        return self.search or self.plain

    def count_played(self, decisions: int) -> None:
        """Somebody plays on. Once it is worth it, another process makes the search form (pipeline/searching.py), and
        it is used as soon as it is there; nobody waits for it."""
        if self.search is not None:
            return
        self._played += decisions
        if self._played < self._look_at:
            return
        self._look_at = self._played + MANY_DECISIONS // 8
        if self._maker is None and self.kept is not None and self._played >= MANY_DECISIONS:
            self._maker = workshop().start_making(self.kept)
        self._may_be_kept = True
        self.quickest  # noqa: B018

    def prepare(self) -> Game:
        """Have the search form made now, and wait for it. Without this, play goes on in the plain form until enough
        was played, and until the search form is made beside it."""
        if self._maker is not None:
            self._maker.wait()
        if self.search is None:
            self._make_search()
        return self

    def _make_search(self) -> None:
        made = workshop().quick_code(self)
        form = self.plain
        if made is not None:
            code = dict(self.code)
            exec(made, code)
            form = Form(code, self.data)
        self.search = form

    def _playout(self, rng: random.Random, limit: int, code: dict[str, Any]) -> Playout:
        """One random game in a form of the code."""
        return self._played_out(rng, limit, Form(code, self.data))

    def _played_out(self, rng: random.Random, limit: int, form: Form) -> Playout:
        p = Playing()
        S = form.begun[:]
        S[1] = rng.getrandbits(64)
        decisions = 0
        p.w = support.WORK.done = 0
        try:
            run_on(form.blocks[self.data["start"]], p, S)
            if S[0]:
                play = self._play_asides if self._has_asides else self._play
                decisions = play(p, S, form.take, rng.random, limit)
        except RulescriptError as problem:
            self.locate(problem)
            raise
        except Exception as problem:
            raise self.play_error(problem) from problem
        self.count_played(decisions)
        outcome = S[2]
        if outcome is None:
            return Playout((), False, "", decisions, False)
        kind, winners, drawn, how, _ = outcome
        names = tuple(self.data["kinds"][kind]["names"][i] for i in winners) if kind else ()
        return Playout(names, drawn, how, decisions, True)

    def _play(self, p: Any, S: list[Any], take: list[Any], pick: Callable[[], float], limit: int) -> int:
        """Answer at random, until the game is over or there were too many decisions; how many there were."""
        work = support.WORK
        decisions = 0
        at = S[0]
        for decisions in range(1, limit + 1):  # noqa: B007
            options = p.o
            p.w = work.done = 0
            block = take[at](p, S, options[int(pick() * len(options))])
            if block is not None:
                block = block(p, S)
                if block is not None:
                    run_on(block, p, S)
            at = S[0]
            if not at:
                break
        return decisions

    def _play_asides(self, p: Any, S: list[Any], take: list[Any], pick: Callable[[], float], limit: int) -> int:
        """The same where something may be done at any time: it is rarely done."""
        decisions = 0
        for decisions in range(1, limit + 1):  # noqa: B007
            options = p.o
            option = options[int(pick() * len(options))]
            while option.__class__ is tuple and option[0] <= -100 and pick() > FLAGGED_WEIGHT:
                option = options[int(pick() * len(options))]
            p.w = support.WORK.done = 0
            block = take[S[0]](p, S, option)
            if block is not None:
                run_on(block, p, S)
            if not S[0]:
                break
        return decisions

    @cached_property
    def _has_asides(self) -> bool:
        return any(alt["flagged"] for info in self.data["decisions"].values() for alt in info["alts"])

    def check_invariants(self, position: Position, when: str = "", scope: str = "") -> list[int]:
        """The invariants that do not hold now (by number). `when` picks those of one sort."""
        out = []
        for at, info in enumerate(self.data["invariants"]):
            if when and info["when"] != when and not (when == "decision" and info["when"] == "always"):
                continue
            if when == "end" and info["scope"] != scope:
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
        return workshop().loaded_again, (place, chosen, scenario, self._players, self.rules_hash)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def __repr__(self) -> str:
        return f"<Game {self.ident} {self.version}>"
