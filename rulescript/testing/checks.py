"""What every game must keep, whatever its rules: one class for each thing that is checked along a play.

See run.py for when each is called. What a viewer may see is in hiding.py; what is checked once for a whole
game (compiling, replays in other processes) in conformance.py.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rulescript.errors import BadChoice, PlayError, RulescriptError, StepLimit
from rulescript.game_data import InvariantInfo
from rulescript.machine.tables import BITS
from rulescript.runtime.chance import ChanceNode, Explicit, Script
from rulescript.runtime.position import Option, Position
from rulescript.runtime.state_types import misfit
from rulescript.testing.run import Broken, Check, InvariantUse, Run, bare, step_of

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Decision
    from rulescript.testing.walk import Play, Step

__all__ = [
    "Accepted", "Chance", "Clones", "Invariants", "Pieces", "Recorder", "Refused", "Saves", "States", "Undo",
    "Unique",
]  # fmt: skip


def _same(one: Position, other: Position) -> bool:
    return one.known_state() == other.known_state() and one.d == other.d and one.o == other.o


def _first_difference(one: list[Any], other: list[Any]) -> str:
    """Which slot differs, for a message: a bare number, but it tells two failures apart."""
    for slot, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return f"slot {slot}: {a!r} and {b!r}"
    return f"{len(one)} and {len(other)} slots"


# ------------------------------------------------------------------ options


class Unique(Check):
    """Keys and texts tell the options of a decision apart."""

    name = "options"
    title = "options are told apart by their keys and by their words"

    def decision(self, run: Run, decision: Decision) -> None:
        run.counted[self.name] += 1
        if run.game.player_names and decision.player not in run.game.player_names:
            self.fail(f"`{decision.name}` is asked of {decision.player!r}, who is no player")
        for what, words in (
            ("key", [o.key for o in decision.options]),
            ("text", [o.text.casefold() for o in decision.options]),
        ):
            if not all(words):
                self.fail(f"an option of `{decision.name}` has no {what}")
            if len(set(words)) != len(words):
                twice, count = Counter(words).most_common(1)[0]
                self.fail(f"{count} options of `{decision.name}` have the same {what}: {twice!r}")
        if run.is_close and not decision.prompt:
            self.fail(f"`{decision.name}` asks nothing: its prompt is empty")


class Accepted(Check):
    """Every option can be taken, by itself, its key, its text and its index, and all four do the same."""

    name = "accepted"
    title = "every option is accepted, however it is named"
    most = 10

    def decision(self, run: Run, decision: Decision) -> None:
        if not run.is_close:
            return
        position = run.position
        state, block, raw = list(position.s), position.d, position.o
        options = decision.options
        # All of them if they are few; otherwise some, others at every step.
        stride = 1 + (len(options) - 1) // self.most
        for index in range(run.number % stride, len(options), stride):
            option = options[index]
            run.counted[self.name] += 1
            step = step_of(decision, option)
            first = self._take(position, option, step, "")
            way = (run.number + index) % 3
            answer: str | int = (option.key, option.text, index)[way]
            second = self._take(position, answer, step, (" by its key", " by its text", " by its index")[way])
            if not _same(first, second):
                self.fail(f"`{option.key}` does something else when it is chosen as {answer!r}", step)
        if list(position.s) != state or position.d != block or position.o != raw:
            self.fail("choosing on a clone changed the position it was cloned from")

    def _take(self, position: Position, answer: Option | str | int, step: Step, how: str) -> Position:
        clone = bare(position)
        try:
            return clone.choose(answer)
        except BadChoice as problem:
            self.fail(f"the option `{step.key}` was refused{how}: {problem}", step)
        except StepLimit as problem:
            raise Broken("ends", str(problem), step) from problem
        except PlayError as problem:
            raise Broken("rules", str(problem), step) from problem
        except Exception as problem:
            raise Broken("engine", f"{type(problem).__name__}: {problem}", step) from problem
        raise AssertionError


class Refused(Check):
    """Anything else is refused with a sentence, changes nothing, and what was legal before is explained."""

    name = "refused"
    title = "everything else is refused with a reason and changes nothing"
    remember = 200

    def decision(self, run: Run, decision: Decision) -> None:
        now = {option.key: option for option in decision.options}
        place = (decision.procedure, decision.name, decision.stage)
        earlier: dict[str, Option] = run.memory.setdefault(place, {})
        if run.is_close:
            position = run.position
            stranger = Option.told("no_such_choice x=nothing", ("no", "such"), "no_such_choice", False, "nothing", {})
            wrong: list[Any] = [
                -1,
                len(now),
                True,
                None,
                1.5,
                "",
                "words that mean nothing here",
                stranger,
                b"0",
            ]
            if not any(selection.is_complete for selection in decision.selections):
                wrong.append([])  # where nothing may be picked, nothing is an answer
            gone = [option for key, option in earlier.items() if key not in now]
            some = gone[run.number % len(gone) :][:2] if gone else []
            for answer in wrong + some:
                run.counted[self.name] += 1
                self._refuse(run, position, answer)
            # An explanation takes as long as many moves.
            if run.number % 3 == 0 or run.number < 20:
                for option in some[:1]:
                    self._explain(run, position, option)
        if len(earlier) < self.remember:
            earlier.update(now)

    def _refuse(self, run: Run, position: Position, answer: Any) -> None:
        state, block, steps = list(position.s), position.d, position.steps
        shown = f"`{answer.key}`" if isinstance(answer, Option) else repr(answer)
        try:
            position.choose(answer)
        except BadChoice as problem:
            if not problem.message.strip():
                self.fail(f"{shown} was refused without a word")
        except Exception as problem:
            self.fail(f"{shown} was not refused politely: {type(problem).__name__}: {problem}")
        else:
            self.fail(f"{shown} is no option but was accepted")
        if list(position.s) != state or position.d != block or position.steps != steps:
            self.fail(f"{shown} was refused, but it changed the position")

    def _explain(self, run: Run, position: Position, option: Option) -> None:
        state = list(position.s)
        try:
            why = position.why_not(option.key)
        except NotImplementedError:
            run.notes["why_not is not there yet"] += 1
            return
        except RulescriptError as problem:
            self.fail(f"why_not({option.key!r}) gave up: {problem}")
            return
        if list(position.s) != state:
            self.fail(f"why_not({option.key!r}) changed the position")
        if not str(why).strip() or str(why) == object.__repr__(why):
            self.fail(f"why_not({option.key!r}) has nothing to say")
        if getattr(why, "allowed", False):
            self.fail(f"why_not({option.key!r}) says it is allowed, but it is not among the options")
        if run.reached is not None:
            run.reached.refusal(why)


# ------------------------------------------------------------------ copies


class Clones(Check):
    """A clone plays on alike, and a position without history goes the same way."""

    name = "clones"
    title = "clones play on alike"

    def step(self, run: Run, before: Position, option: Option) -> None:
        if not run.is_close:
            return
        run.counted[self.name] += 1
        after = run.position
        state = list(after.s)
        before.clone().choose(option)
        other = before.clone().choose(option)
        if not _same(other, after):
            self.fail(f"after `{option.key}` a clone is somewhere else ({_first_difference(other.s, after.s)})")
        if other.steps != after.steps or other.outcome != after.outcome:
            self.fail("a clone has another history or outcome")
        if list(after.s) != state:
            self.fail("playing on with a clone changed the position it was cloned from")

    def end(self, run: Run) -> None:
        run.counted[self.name] += 1
        short = run.game.start(run.play.seed, players=run.play.players, journal=False)
        for key in run.play.keys:
            decision: Any = short.decision
            found = next((o for o in decision.options if o.key == key), None) if decision is not None else None
            if found is None:
                self.fail(f"without history, `{key}` cannot be chosen")
                return
            short.choose(found)
        if short.state_hash() != run.position.state_hash():
            self.fail("a position that keeps no history ends somewhere else")


class Saves(Check):
    """A save opens as what was saved."""

    name = "saves"
    title = "saves open as what was saved"

    def decision(self, run: Run, decision: Decision) -> None:
        if run.is_close:
            self._snapshot(run)
        if run.is_rare:
            self._whole(run)

    def end(self, run: Run) -> None:
        self._snapshot(run)
        self._whole(run)

    def _snapshot(self, run: Run) -> None:
        run.counted[self.name] += 1
        position = run.position
        short = bare(position)
        short.j, short._tip, short._origin = None, None, evolve(short._origin, opening=())
        try:
            opened = run.game.from_json(short.to_json())
        except RulescriptError as problem:
            self.fail(f"a save without history does not open: {problem}")
            return
        self._compare(position, opened, "a save without history")

    def _whole(self, run: Run) -> None:
        run.counted[self.name] += 1
        position = run.position
        text = position.to_json()
        try:
            opened = run.game.from_json(text)
        except RulescriptError as problem:
            self.fail(f"a save does not open: {problem}")
            return
        self._compare(position, opened, "a save")
        if opened.steps != position.steps:
            self.fail(f"a save opens with {opened.steps} decisions taken instead of {position.steps}")
        if json.loads(opened.to_json()) != json.loads(text):
            self.fail("a save that was opened is saved as something else")
        if [e["text"] for e in opened.journal] != [e["text"] for e in position.journal]:
            self.fail("a save opens with another journal")

    def _compare(self, position: Position, opened: Position, what: str) -> None:
        if opened.state_hash() != position.state_hash():
            self.fail(f"{what} opens as another position ({_first_difference(opened.s, position.s)})")
        if opened.d != position.d or opened.o != position.o:
            self.fail(f"{what} opens with other options")
        if opened.outcome != position.outcome:
            self.fail(f"{what} opens with another outcome")


class Undo(Check):
    """Taking back goes to the state before, step by step to the root; taking again goes forward."""

    name = "undo"
    title = "undo goes back to the root"

    def step(self, run: Run, before: Position, option: Option) -> None:
        if not run.is_close:
            return
        run.counted[self.name] += 1
        other = bare(run.position)
        other.undo()
        if not _same(other, before):
            self.fail(f"taking back `{option.key}` leads elsewhere ({_first_difference(other.s, before.s)})")
        other.choose(option)
        if not _same(other, run.position):
            self.fail(f"taking back `{option.key}` and choosing it again leads elsewhere")

    def end(self, run: Run) -> None:
        other = bare(run.position)
        for number in range(len(run.play.steps) - 1, -1, -1):
            run.counted[self.name] += 1
            other.undo()
            if other.state_hash() != run.play.hashes[number]:
                self.fail(f"taken back to decision {number + 1}, the position is another one")
        try:
            other.undo()
        except BadChoice:
            return
        self.fail("at the root there was still something to take back")


# ------------------------------------------------------------------ the state


class Pieces(Check):
    """Nothing appears or vanishes; every single thing is in one place, and the place knows it."""

    name = "pieces"
    title = "pieces are conserved, and everything is in one place"

    def __init__(self) -> None:
        self.counts: dict[str, Counter[int]] = {}

    def begin(self, run: Run) -> None:
        self.counts = self._count(run, run.game.data.initial)
        self.look(run)

    def step(self, run: Run, before: Position, option: Option) -> None:
        self.look(run)

    def _count(self, run: Run, state: list[Any]) -> dict[str, Counter[int]]:
        values = run.game.values
        out: dict[str, Counter[int]] = {}
        for slot, (holds, _) in values.places.items():
            info = values.kinds[holds.kind]
            if not info.is_pieces:
                continue
            pile = state[slot]
            if pile < 0 if isinstance(pile, int) else any(count <= 0 for _, count in pile):
                self.fail(f"{values.place_name(slot)} holds fewer than no {holds.kind}")
            counted = out.setdefault(holds.kind, Counter())
            for code, number in values.pile(holds.kind, pile):
                if not 0 <= code < info.codes:
                    self.fail(f"{values.place_name(slot)} holds {holds.kind} of a type that does not exist")
                counted[code % info.types] += number
        return out

    def look(self, run: Run) -> None:
        run.counted[self.name] += 1
        state, values = run.position.s, run.game.values
        now = self._count(run, state)
        if now != self.counts:
            for kind, counted in self.counts.items():
                for at, name in enumerate(values.kinds[kind].names):
                    if counted[at] != now[kind][at]:
                        self.fail(f"there were {counted[at]} {name}, now there are {now[kind][at]}")
        found: dict[str, dict[int, int]] = {}
        for slot, (holds, _) in values.places.items():
            kind = holds.kind
            if values.kinds[kind].is_pieces:
                continue
            for thing in state[slot] if holds.is_ordered else BITS[state[slot]]:
                names = values.kinds[kind].names
                if not 0 <= thing < len(names):
                    self.fail(f"{values.place_name(slot)} holds a {kind} that does not exist")
                if thing in found.setdefault(kind, {}):
                    other = values.place_name(found[kind][thing])
                    self.fail(f"{names[thing]} is in {values.place_name(slot)} and in {other}")
                found[kind][thing] = slot
        for kind, info in values.kinds.items():
            if info.loc < 0:
                continue
            for thing, name in enumerate(info.names):
                said, seen = state[info.loc + thing], found.get(kind, {}).get(thing, -1)
                if said != seen:
                    self.fail(
                        f"{name} says it is in {values.place_name(said)}, but it lies in {values.place_name(seen)}"
                    )


class States(Check):
    """States hold what their types allow, and look-up masks agree with them."""

    name = "states"
    title = "states hold values of their types, and masks agree with values"

    def begin(self, run: Run) -> None:
        self.look(run)

    def step(self, run: Run, before: Position, option: Option) -> None:
        if run.is_close:
            self.look(run)

    def look(self, run: Run) -> None:
        run.counted[self.name] += 1
        state = run.position.s
        if not all(_is_plain(value) for at, value in enumerate(state) if at != 1):  # that one is looked at by itself
            self.fail("the state holds something that is no plain value")
        problem = misfit(run.game.data, state)
        if problem is not None:
            self.fail(problem)


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_is_plain(v) for v in value)
    return value is None or isinstance(value, (int, str))


# ------------------------------------------------------------------ claims


class _Reads(list[Any]):
    """A state that remembers what was read of it."""

    def __init__(self, state: list[Any]) -> None:
        super().__init__(state)
        self.read: set[int] = set()

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            self.read.update(range(*at.indices(len(self))))
        else:
            self.read.add(at)
        return super().__getitem__(at)


class Invariants(Check):
    """The game's own invariants, at every decision or where they say."""

    name = "invariants"
    title = "the game's invariants hold"

    def begin(self, run: Run) -> None:
        for info in run.game.data.invariants:
            _use_of(run, info)

    def decision(self, run: Run, decision: Decision) -> None:
        self.look(run, run.position.s, "decision", "")

    def end(self, run: Run) -> None:
        self.look(run, run.position.s, "over", "")

    def scope(self, run: Run, position: Position, scope: str) -> None:
        self.look(run, position.s, "end", scope)

    def look(self, run: Run, state: list[Any], when: str, scope: str) -> None:
        game = run.game
        for at, info in enumerate(game.data.invariants):
            at_end = info.when == "end"
            if at_end != (when == "end") or (at_end and info.scope != scope):
                continue
            if when == "over" and info.when == "decision":
                continue  # nobody decides any more
            use = _use_of(run, info)
            run.counted[self.name] += 1
            use.evaluations += 1
            if use.tested < 3:
                # Looked at closely until it was seen a few times to depend on something that had changed.
                reads = _Reads(state)
                holds = game.code["INV"][at](reads)
                initial = game.data.initial
                use.tested += any(state[slot] != initial[slot] for slot in reads.read if slot >= 0)
            else:
                use.tested += 1
                holds = game.code["INV"][at](state)
            if not holds:
                use.broken += 1
                cites = "".join(f" §{c}" for c in info.cites)
                where = f" at the end of {scope}" if scope else ""
                self.fail(f'invariant "{info.title}"{cites} does not hold{where}')


def _use_of(run: Run, info: InvariantInfo) -> InvariantUse:
    use = run.invariants.get(info.title)
    if use is None:
        when = f"at end of {info.scope}" if info.when == "end" else info.when
        use = run.invariants[info.title] = InvariantUse(info.title, when, info.cites)
    return use


# ------------------------------------------------------------------ chance


class Recorder:
    """Writes down what chance decides in a game: within `recording`, the game's own functions are listened
    to."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.taken: list[Any] = []
        self.dice: list[Any] = []
        self.orders: list[list[int]] = []
        self.lines: list[str] = []

    def _told(self, values: Iterable[Any], word: str, names: Iterable[str]) -> None:
        for value in values:
            self.taken.append(value)
            self.dice.append(value)
        said = (" " if word == "dice" else ", ").join(names)
        if said:
            self.lines.append(f"{word} {said}")

    def _names(self, slot: int, numbers: Iterable[int]) -> list[str]:
        """Things or types of pieces as an example calls them."""
        info = self.game.data.kinds[self.game.values.places[slot][0].kind]
        if info.is_pieces:
            return [info.names[code % info.types].replace("_", " ") for code in numbers]
        return [info.names[thing] for thing in numbers]

    @contextmanager
    def recording(self) -> Iterator[None]:
        code = self.game.code
        names = ("roll", "draw_lot", "draw_pieces", "draw_sparse", "draw_things", "shuffle")
        own = {name: code[name] for name in names}

        def roll(p: Any, S: list[Any], *more: Any) -> Any:
            rolled = own["roll"](p, S, *more)
            self._told(rolled, "dice", map(str, rolled))
            return rolled

        def draw_pieces(p: Any, S: list[Any], count: int, source: int, *more: Any) -> Any:
            drawn = own["draw_pieces"](p, S, count, source, *more)
            codes = [ref & self.game.values.low for ref in drawn]
            self._told(codes, "draw", self._names(source, codes))
            return drawn

        def draw_sparse(p: Any, S: list[Any], count: int, source: int, *more: Any) -> Any:
            drawn = own["draw_sparse"](p, S, count, source, *more)
            codes = [ref & self.game.values.low for ref in drawn]
            self._told(codes, "draw", self._names(source, codes))
            return drawn

        def draw_things(p: Any, S: list[Any], count: int, source: int, *more: Any) -> Any:
            drawn = own["draw_things"](p, S, count, source, *more)
            if not self.game.values.places[source][0].is_ordered:
                self._told(drawn, "draw", self._names(source, drawn))
            return drawn

        def draw_lot(p: Any, S: list[Any], count: int, mask: int, kind: str, site: int) -> Any:
            drawn = own["draw_lot"](p, S, count, mask, kind, site)
            known = self.game.data.kinds[kind].names
            self._told(drawn, "draw", [known[thing] for thing in drawn])
            return drawn

        def shuffle(p: Any, S: list[Any], slot: int, *more: Any) -> None:
            own["shuffle"](p, S, slot, *more)
            self.taken.append(list(S[slot]))
            self.orders.append(list(S[slot]))
            if S[slot]:
                self.lines.append(f"shuffle {', '.join(self._names(slot, S[slot]))}")

        search, self.game.search = self.game.search, self.game.plain  # the other form has functions of its own
        try:
            code.update(roll=roll, draw_lot=draw_lot, draw_things=draw_things, shuffle=shuffle)
            code.update(draw_pieces=draw_pieces, draw_sparse=draw_sparse)
            yield
        finally:
            code.update(own)
            self.game.search = search


class _Told(Explicit):
    """Explicit chance with the orders of its shuffles given."""

    def __init__(self, orders: list[list[int]]) -> None:
        super().__init__()
        self.orders = orders
        self.next_order = 0

    def begin(self, position: Position, given: Sequence[Any] = ()) -> None:
        super().begin(position, given)
        self.next_order = 0

    def copy(self) -> _Told:
        return _Told(self.orders)

    def order(self, items: list[int], slot: int, site: int) -> tuple[int, ...]:
        self.next_order += 1
        return tuple(self.orders[self.next_order - 1])


class Chance(Check):
    """Dice and draws from the seed, from a script and as decisions of the chance player lead to the same
    place."""

    name = "chance"
    title = "seeded, scripted and explicit chance agree, and probabilities add up"

    def begin(self, run: Run) -> None:
        game, players = run.game, run.play.players
        recorder = Recorder(game)
        with recorder.recording():
            again = game.start(run.play.seed, players=players)
        if again.known_state() != run.position.known_state():
            self.fail("the same seed starts another game")
        self._script(run, run.position, game.start(0, players=players, chance=recorder.taken))
        explicit = game.start(0, players=players, chance=_Told(recorder.orders))
        self._explicit(run, run.position, recorder, explicit)

    def step(self, run: Run, before: Position, option: Option) -> None:
        after = run.position
        if not run.is_close or after.s[1] == before.s[1]:
            return
        recorder = Recorder(run.game)
        with recorder.recording():
            before.clone().choose(option)
        scripted = before.clone()
        scripted.chance = Script(recorder.taken)
        self._script(run, after, scripted.choose(option))
        explicit = before.clone()
        explicit.chance = _Told(recorder.orders)
        self._explicit(run, after, recorder, explicit.choose(option))

    def _script(self, run: Run, after: Position, scripted: Position) -> None:
        run.counted[self.name] += 1
        if scripted.chance is not None and scripted.chance.unused:
            self.fail("a script of the seed's own outcomes was not used up")
        if _without_rng(scripted) != _without_rng(after):
            self.fail("a script of the seed's own outcomes leads elsewhere")

    def _explicit(self, run: Run, after: Position, recorder: Recorder, position: Position) -> None:
        while position._pending is not None:
            run.counted[self.name] += 1
            node = position.decision
            assert isinstance(node, ChanceNode)
            if not node.options:
                self.fail(f"a {node.name} of the chance player has no outcome")
            total = node.options[0].total
            if (
                any(o.weight <= 0 or o.total != total for o in node.options)
                or sum(o.weight for o in node.options) != total
            ):
                self.fail(f"the probabilities of a {node.name} do not add up to 1")
            if len({o.key for o in node.options}) != len(node.options):
                self.fail(f"two outcomes of a {node.name} have the same key")
            if [o.raw for o in node.options] == [-1]:
                position.choose(0)  # waited for though there is nothing to draw, which not all may know
                continue
            number = sum(outcome != "nothing" for outcome in position._pending.outcomes)
            if number >= len(recorder.dice):
                self.fail(f"explicit chance asks for a {node.name} that the seeded game did not need")
            found = next((o for o in node.options if o.raw == recorder.dice[number]), None)
            if found is None:
                self.fail(f"the seeded game had an outcome of a {node.name} that explicit chance does not offer")
            position.choose(found)
        if _without_rng(position) != _without_rng(after):
            self.fail("explicit chance with the seed's own outcomes leads elsewhere")


def with_chance(game: Game, play: Play) -> Play:
    """The same play as it is told: with what chance decided, and with the choices that left no choice, for a line that
    names several picks has to name those too. As far as it can be played."""
    recorder = Recorder(game)
    steps: list[Step] = []
    opening: tuple[str, ...] = ()
    stations = _stations(game, play)
    with recorder.recording():
        try:
            position = game.start(play.seed, players=play.players, ask=True)
            opening = tuple(recorder.lines)
            for number in range(len(play.steps) + 1):
                for _ in range(FORCED_AT_ONCE):
                    if number < len(stations) and stations[number] == (position.known_state(), position.d):
                        break
                    decision: Any = position.decision
                    only = [o for o in decision.options if not o.flagged] if decision is not None else []
                    if len(only) != 1:
                        break
                    _record(recorder, steps, position, step_of(decision, only[0]), forced=True)
                if number < len(play.steps):
                    _record(recorder, steps, position, play.steps[number], forced=False)
        except Exception:
            # What broke is why there is a play to tell; the rest of it is told without chance.
            steps += play.steps[sum(not step.forced for step in steps) :]
    return evolve(play, steps=steps, opening=opening)


FORCED_AT_ONCE = 500


def _stations(game: Game, play: Play) -> list[tuple[list[Any], int]]:
    """The state and the decision before each step of a play and after the last, as far as it can be played."""
    out: list[tuple[list[Any], int]] = []
    with suppress(Exception):
        position = game.start(play.seed, players=play.players, journal=False)
        out.append((position.known_state(), position.d))
        for step in play.steps:
            decision: Any = position.decision
            position.choose(next(o for o in decision.options if o.key == step.key))
            out.append((position.known_state(), position.d))
    return out


def _record(recorder: Recorder, steps: list[Step], position: Position, step: Step, *, forced: bool) -> None:
    """Take a step, and note what chance did in it, also if it breaks."""
    recorder.lines.clear()
    decision: Any = position.decision
    try:
        position.choose(next(o for o in decision.options if o.key == step.key))
    finally:
        steps.append(evolve(step, chance=tuple(recorder.lines), forced=forced))


def _without_rng(position: Position) -> tuple[list[Any], int]:
    state = position.known_state()
    return [state[0], *state[2:]], position.d
