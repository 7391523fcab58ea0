"""One game after the other, and what is written down of each: a row.

The hard idea is that looking on must not cost more than playing. While a game goes on only three values are noted for
each decision: where it was asked, the raw answer and whose it was. What that means is looked up when the game is over,
once for all like answers. Some of what one wants to know costs more: which rules took effect is not in the answers, so
the game is played in the plain form of its code, which tells a journal (of which only the numbers of the sites are
kept); and the standing at each turn has to be worked out. That can double the time, so one game of a few is *followed*
so. Which ones their seeds say, so a row is the same wherever and whenever it is made.

A row is a dict of plain values: see docs/simulation.md.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rulescript.bots.turns import turn_blocks
from rulescript.bots.worth import ending_of
from rulescript.errors import RulescriptError, StepLimit
from rulescript.game_data import is_aside
from rulescript.machine.effort import WORK
from rulescript.runtime.failures import locate, play_error
from rulescript.runtime.forms import Form, Playing, run_on
from rulescript.runtime.game import seeded, uncollected
from rulescript.runtime.playouts import FLAGGED_WEIGHT
from rulescript.simulation.items import card_kinds, card_name, is_way, way_name

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.simulation.job import Job

__all__ = ["Recorder", "Row"]

Row = dict[str, Any]
# So many answers, and so many sets of sites, are remembered with what they mean; then that is forgotten.
MOST_KNOWN = 50_000


class Log:
    """What is noted of a game while it goes on."""

    __slots__ = ("end", "first_turn", "notes", "offers", "standings", "steps", "turn")

    def __init__(self) -> None:
        self.notes: list[tuple[int, Any, int]] = []  # where it was asked, the answer, whose it was
        self.steps: list[tuple[int, frozenset[int]]] = []  # who answered, and the sites that came up then
        self.standings: list[tuple[int, list[int]]] = []  # at the first decision of each turn
        # What somebody who thinks could have answered: where, what there was, whose it was, what was taken.
        self.offers: list[tuple[int, Sequence[Any], int, Any]] = []
        self.first_turn: int | None = None
        self.turn: int | None = None
        self.end: Any = None  # the state it ended in


class Following(Playing):
    """The same for who follows the rules: what happens is told."""

    __slots__ = ("j",)

    j: list[Any]  # type: ignore[assignment]


class Recorder:
    """Plays the games of a job."""

    def __init__(self, game: Game, job: Job) -> None:
        self.game = game
        self.job = job
        data = game.data
        self._roles = [*game.player_names, ""]
        self._turn_slot = next((s.slot for s in data.states if s.name == data.turn and not s.kind), -1)
        self._turn_asks = turn_blocks(game)
        self._standing = game.code.get("standing") if data.standing is not None else None
        kinds = set(card_kinds(data))
        # For each decision point: how to take an answer apart, and of each way its name, the kind that is picked, and
        # the names of what can be picked that are counted one by one.
        self._ways: dict[int, tuple[Callable[[Any], tuple[int, Any]], list[tuple[str, str, list[str]]]]] = {}
        for block, info in data.decisions.items():
            ways = []
            for at, alt in enumerate(info.alts):
                bound = game.asked(block).binds(at)
                kind = bound[1][1] if bound is not None and bound[1][0] == "thing" else ""
                cards = (
                    [card_name(data, kind, thing) for thing in range(len(data.kinds[kind].names))]
                    if kind in kinds
                    else []
                )
                ways.append((way_name(info, alt) if is_way(info, alt) else "", kind, cards))
            self._ways[block] = (info.split, ways)
        self._meanings: dict[tuple[int, Any], list[tuple[str, str]]] = {}
        self._worths: dict[Any, list[float]] = {}
        self._behind: dict[frozenset[int], list[tuple[str, str]]] = {}
        self._thinks = [name != "random" for name in job.bots]

    def rows(self, seeds: Sequence[int]) -> list[Row]:
        """A row for each seed. A rule that goes wrong is told in the row of the game."""
        with uncollected():
            return [self.row(seed) for seed in seeds]

    def row(self, seed: int) -> Row:
        log = Log()
        failure = ""
        is_followed = self.job.follow > 0 and seed % self.job.follow == 0
        try:
            if not self.job.is_random:
                self._play_with_bots(seed, log, is_followed)
                if is_followed:
                    again = Log()
                    self._play(self.game.plain, seed, again, True, [raw for _, raw, _ in log.notes])
                    log.steps = again.steps
            elif is_followed:
                self._play(self.game.plain, seed, log, True)
            else:
                log = self._play_quickly(seed)
        except RulescriptError as problem:
            locate(self.game, problem)
            failure = str(problem)
        except Exception as problem:
            failure = str(play_error(self.game, problem))
        return self._row(seed, log, failure, is_followed)

    # -------------------------------------------------------------- playing

    def _play_quickly(self, seed: int) -> Log:
        log = Log()
        try:
            self._play(self.game.quickest, seed, log, False)
        except StepLimit:
            # The plain form plays alike, and counts what is done, not what could be.
            log = Log()
            self._play(self.game.plain, seed, log, False)
        return log

    def _play(self, form: Form, seed: int, log: Log, is_followed: bool, answers: Sequence[Any] | None = None) -> None:
        """At random, or with the answers that were given before."""
        game, limit = self.game, self.job.limit
        play: Any = Following() if is_followed else Playing()
        events: list[Any] = []
        if is_followed:
            play.j = events
        state = log.end = form.begun[:]
        state[1] = seeded(seed)
        take, who, has_asides = form.take, form.code["W"], game.has_asides
        pick = random.Random(seed).random
        notes, note, turn_of, slot, turn = (
            log.notes,
            log.notes.append,
            self._turn_of(log, is_followed),
            self._turn_slot,
            None,
        )
        given = iter(answers) if answers is not None else None
        role = -1
        play.w = WORK.done = 0
        following = form.blocks[game.data.start]
        while True:
            if following is not None:
                run_on(following, play, state)
            if events:
                log.steps.append((role, frozenset([event[0] for event in events])))
                events.clear()
            at = state[0]
            if not at or len(notes) >= limit:
                break
            options = play.o
            role = who[at](play, state)
            if slot < 0 or state[slot] != turn:
                turn_of(at, state, role)
                turn = state[slot]
            if given is not None:
                raw = next(given)
            else:
                raw = options[int(pick() * len(options))]
                while has_asides and is_aside(raw) and pick() > FLAGGED_WEIGHT:
                    raw = options[int(pick() * len(options))]
            note((at, raw, role))
            play.w = WORK.done = 0
            following = take[at](play, state, raw)
        game.count_played(len(notes))

    def _play_with_bots(self, seed: int, log: Log, is_followed: bool) -> None:
        from rulescript.bots import bot_named

        # Bots that look ahead need the history where answers are sealed.
        position = self.game.start(seed, players=self.job.players)
        names = self.job.bots
        bots = [bot_named(name, random.Random(f"{seed} {at}").getrandbits(32)) for at, name in enumerate(names)]
        turn_of = self._turn_of(log, is_followed)
        log.end = position._s
        while len(log.notes) < self.job.limit:
            decision = position.decision
            if decision is None:
                break
            at, role = position.d, decision.player_index
            turn_of(at, position._s, role)
            option = bots[decision.seat].choose(position)
            if self._thinks[decision.seat]:
                log.offers.append((at, position.o, role, option.raw))
            log.notes.append((at, option.raw, role))
            position.choose(option)
            log.end = position._s

    def _turn_of(self, log: Log, is_followed: bool) -> Callable[[int, list[Any], int], None]:
        """A function that is told of each decision, and notes where a turn begins; of games that are followed the
        standing, too."""
        slot, asks = self._turn_slot, self._turn_asks
        standing = self._standing if is_followed else None
        noted = log.standings

        def begin(turn: int, state: list[Any]) -> None:
            log.turn = turn
            if log.first_turn is None:
                log.first_turn = turn
            if standing is not None:
                noted.append((turn, list(standing(state))))

        if slot >= 0:

            def by_state(at: int, state: list[Any], role: int) -> None:
                if state[slot].__class__ is int and state[slot] != log.turn:
                    begin(state[slot], state)

            return by_state
        seen = [-1, -1]  # who was asked first, and who was asked last

        def by_round(at: int, state: list[Any], role: int) -> None:
            if asks[at] and role != seen[1]:
                seen[1] = role
                if seen[0] < 0:
                    seen[0] = role
                if role == seen[0]:
                    begin((log.turn or 0) + 1, state)

        return by_round

    # -------------------------------------------------------------- the row

    def _row(self, seed: int, log: Log, failure: str, is_followed: bool) -> Row:
        game, end = self.game, log.end
        outcome = end[2] if end is not None and not failure else None
        winners: list[str] = []
        how = ""
        if outcome is not None:
            kind, won, is_drawn, how, _ = outcome
            winners = [game.data.kinds[kind].names[at] for at in won] if kind else []
            how = how or ("drawn" if is_drawn else "")
        standing: list[int] = []
        if self._standing is not None and not failure:
            try:
                standing = list(self._standing(end))
            except Exception as problem:
                failure = str(play_error(game, problem))
        notes = log.notes
        whose = [role for _, _, role in notes]
        return {
            "seed": seed,
            "failure": failure,
            "is_over": outcome is not None,
            "winners": winners,
            "how": how,
            "scores": self._scores(outcome),
            "first": self._roles[whose[0]] if whose else "",
            "decisions": len(notes),
            "asked": [whose.count(role) for role in range(len(self._roles) - 1)],
            "turns": self._turns(log),
            "standing": standing,
            "by_turn": log.standings,
            "is_followed": is_followed and not failure,
            "uses": self._uses(log) if self.job.uses and not failure else [],
        }

    def _scores(self, outcome: Any) -> list[float]:
        """What the end was worth to each role: 1 for a win, 0 for a loss, 0.5 for anything between."""
        if outcome is None:
            return [0.5] * (len(self._roles) - 1)
        key = outcome[:3]
        found = self._worths.get(key)
        if found is None:
            found = [ending_of(self.game, outcome, {role}) or 0.0 for role in range(len(self._roles) - 1)]
            self._worths[key] = found
        return found

    def _turns(self, log: Log) -> int:
        """How many turns were played: from the first to the last in which somebody was asked, or the game ended."""
        first, last = log.first_turn, log.turn
        if first is None or last is None:
            return 0
        if self._turn_slot >= 0 and log.end[self._turn_slot].__class__ is int:
            last = max(last, log.end[self._turn_slot])
        return int(last - first + 1)

    def _uses(self, log: Log) -> list[tuple[str, str, str, int, int]]:
        times: dict[tuple[str, str, int], int] = defaultdict(int)
        meant = self._meanings
        if len(meant) > MOST_KNOWN:
            meant.clear()
        for (at, raw, role), count in Counter(log.notes).items():
            found = meant.get((at, raw))
            if found is None:
                found = meant[at, raw] = [item for item in self._meant(at, raw) if item[0] != "answer"]
            for sort, name in found:
                times[sort, name, role] += count
        self._follow(log, times)
        names = self._roles
        if not log.offers:
            return [(sort, name, names[role], count, 0) for (sort, name, role), count in times.items()]
        offered = self._offer(log, times)
        return [
            (sort, name, names[role], times.get((sort, name, role), 0), offered[sort, name, role])
            for sort, name, role in sorted({*times, *offered})
        ]

    def _follow(self, log: Log, times: dict[tuple[str, str, int], int]) -> None:
        """What took effect: rules and texts of cards, once for each decision that led there."""
        if not log.steps:
            return
        data = self.game.data
        for (role, sites), count in Counter(log.steps).items():
            for sort, name in self._effects(sites):
                times[sort, name, role] += count
        for (at, role), count in Counter([(at, role) for at, _, role in log.notes]).items():
            info = data.decisions[at]
            for cite in set(info.cites):
                times["rule", cite, role] += count
            if info.number in data.choice_things:
                times["text", card_name(data, *data.choice_things[info.number]), role] += count

    def _effects(self, sites: frozenset[int]) -> list[tuple[str, str]]:
        """The rules and texts behind some sites."""
        found = self._behind.get(sites)
        if found is None:
            data = self.game.data
            owners = {data.site_things[site] for site in sites if site in data.site_things}
            found = [("rule", cite) for cite in sorted({cite for site in sites for cite in data.sites[site].cites})]
            found += [("text", name) for name in sorted({card_name(data, *owner) for owner in owners})]
            if len(self._behind) > MOST_KNOWN:
                self._behind.clear()
            self._behind[sites] = found
        return found

    def _offer(self, log: Log, times: dict[tuple[str, str, int], int]) -> Counter[tuple[str, str, int]]:
        """What those who think could have answered; and to what they did, the things they picked are added."""
        offered: Counter[tuple[str, str, int]] = Counter()
        for at, raws, role, answer in log.offers:
            offered.update({(sort, name, role) for raw in raws for sort, name in self._meant(at, raw)})
            for sort, name in self._meant(at, answer):
                if sort == "answer":
                    times[sort, name, role] += 1
        return offered

    def _meant(self, at: int, raw: Any) -> Iterator[tuple[str, str]]:
        """Everything that an answer uses."""
        split, table = self._ways[at]
        alt, value = split(raw)
        name, kind, cards = table[alt]
        if name:
            yield "way", name
        if kind and value.__class__ is int:
            if cards:
                yield "card", cards[value]
            info = self.game.data.decisions[at]
            yield "answer", f"{way_name(info, info.alts[alt])} {self.game.data.kinds[kind].shown[value]}"
