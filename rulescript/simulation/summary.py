"""What came out of many games, added up: small, however many there were, and the same in whatever order they came.

A summary takes rows (recorder.py) or other summaries; everything in it is a sum or a count. What a person wants to know
is worked out from these when it is asked for: shares and means with their intervals."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from attrs import define, field

from rulescript.simulation.figures import Figure, difference, interval, mean, quantile, share
from rulescript.simulation.recorder import Row

__all__ = ["Spread", "Summary", "Use", "margin_of"]

# So many games that went wrong are told with their message; the others are counted.
MOST_TOLD = 100


@define
class Spread:
    """How often each number came."""

    counts: Counter[int] = field(factory=Counter)

    def add(self, other: Spread) -> None:
        self.counts.update(other.counts)

    def quantile(self, part: float) -> float:
        return quantile(self.counts, part)

    @property
    def games(self) -> int:
        return sum(self.counts.values())

    @property
    def sums(self) -> tuple[int, float, float]:
        """How many, their sum, and that of their squares."""
        items = self.counts.items()
        return self.games, sum(n * c for n, c in items), sum(n * n * c for n, c in items)

    @property
    def mean(self) -> Figure:
        return mean(*self.sums)

    def to_dict(self) -> dict[str, float]:
        if not self.counts:
            return {}
        return {
            "mean": round(self.mean.value, 1),
            "median": self.quantile(0.5),
            "shortest": min(self.counts),
            "longest": max(self.counts),
        }


@define
class Use:
    """Something that a role used: in how many games, how often, how often it could have, and what those games were
    worth to the role: the sum, and that of the squares."""

    games: int = 0
    times: int = 0
    offered: int = 0
    score: float = 0.0
    squares: float = 0.0

    def add(self, other: Use) -> None:
        self.games += other.games
        self.times += other.times
        self.offered += other.offered
        self.score += other.score
        self.squares += other.squares


@define
class Summary:
    """Sums over games. `roles` are the names of the players in order; they decide what the numbers in lists mean."""

    roles: list[str]
    games: int = 0
    wins: Counter[str] = field(factory=Counter)
    draws: int = 0
    unfinished: int = 0
    endings: Counter[tuple[tuple[str, ...], str]] = field(factory=Counter)
    decisions: Spread = field(factory=Spread)
    turns: Spread = field(factory=Spread)
    margins: Spread = field(factory=Spread)
    without_decisions: int = 0
    unasked: Counter[str] = field(factory=Counter)  # games in which a role was never asked
    firsts: dict[str, Use] = field(factory=lambda: defaultdict(Use))
    scores: dict[str, Use] = field(factory=lambda: defaultdict(Use))
    followed: dict[str, Use] = field(factory=lambda: defaultdict(Use))
    standings: dict[str, Spread] = field(factory=lambda: defaultdict(Spread))
    by_turn: dict[tuple[int, str], Spread] = field(factory=lambda: defaultdict(Spread))
    uses: dict[tuple[str, str, str], Use] = field(factory=lambda: defaultdict(Use))
    failed: int = 0
    failures: list[tuple[int, str]] = field(factory=list)

    # -------------------------------------------------------------- adding up

    @classmethod
    def of(cls, roles: list[str], rows: Iterable[Row]) -> Summary:
        made = cls(list(roles))
        for row in rows:
            made.take(row)
        return made

    def take(self, row: Row) -> None:
        """One game more."""
        self.games += 1
        if row["failure"]:
            self.failed += 1
            self.failures = sorted([*self.failures, (row["seed"], row["failure"])])[:MOST_TOLD]
            return
        self.decisions.counts[row["decisions"]] += 1
        self.turns.counts[row["turns"]] += 1
        if not row["is_over"]:
            self.unfinished += 1
        else:
            winners = tuple(row["winners"])
            self.wins.update(winners)
            self.draws += not winners
            self.endings[winners, row["how"]] += 1
        margin = margin_of(row)
        if margin is not None:
            self.margins.counts[margin] += 1
        self.without_decisions += not row["decisions"]
        scores: dict[str, float] = dict(zip(self.roles, row["scores"], strict=True))
        for role, asked in zip(self.roles, row["asked"], strict=True):
            _note(self.scores[role], scores[role])
            if row["is_followed"]:
                _note(self.followed[role], scores[role])
            if not asked:
                self.unasked[role] += 1
        if row["first"]:
            _note(self.firsts[row["first"]], scores[row["first"]])
        if row["standing"]:
            for role, number in zip(self.roles, row["standing"], strict=True):
                self.standings[role].counts[number] += 1
            for turn, numbers in row["by_turn"]:
                for role, number in zip(self.roles, numbers, strict=True):
                    self.by_turn[turn, role].counts[number] += 1
        for sort, name, role, times, offered in row["uses"]:
            use = self.uses[sort, name, role]
            use.times += times
            use.offered += offered
            if times:
                _note(use, scores.get(role, 0.0))

    def add(self, other: Summary) -> None:
        """All games of another summary."""
        self.games += other.games
        self.wins.update(other.wins)
        self.draws += other.draws
        self.unfinished += other.unfinished
        self.endings.update(other.endings)
        self.without_decisions += other.without_decisions
        self.unasked.update(other.unasked)
        self.failed += other.failed
        self.failures = sorted([*self.failures, *other.failures])[:MOST_TOLD]
        for mine, theirs in (
            (self.decisions, other.decisions), (self.turns, other.turns), (self.margins, other.margins),
        ):  # fmt: skip
            mine.add(theirs)
        tables: list[tuple[dict[Any, Any], dict[Any, Any]]] = [
            (self.firsts, other.firsts), (self.scores, other.scores), (self.followed, other.followed),
            (self.uses, other.uses), (self.standings, other.standings), (self.by_turn, other.by_turn),
        ]  # fmt: skip
        for own, more in tables:
            for key, each in more.items():
                own[key].add(each)

    # -------------------------------------------------------------- asking

    @property
    def played(self) -> int:
        """Games in which no rule went wrong."""
        return self.games - self.failed

    @property
    def names(self) -> list[str]:
        """Everybody who can win, or did."""
        return list(dict.fromkeys([*self.roles, *sorted(self.wins)]))

    def win_share(self, name: str) -> Figure:
        return share(self.wins[name], self.played)

    def first_advantage(self) -> Figure:
        """How much more than its share the role got that was asked first: what its games were worth to it, less what
        they were worth to the others on average."""
        first = self.firsts.values()
        games = sum(use.games for use in first)
        others = len(self.roles) - 1
        if not games or others < 1:
            return Figure(0.0, 0.0, 0.0, 0)
        score, squares = sum(use.score for use in first), sum(use.squares for use in first)
        got = mean(games, score, squares)
        everybody = sum(use.score for use in self.scores.values()) / max(1, self.played)
        scale = (others + 1) / others
        even = everybody / (others + 1)
        return Figure((got.value - even) * scale, (got.low - even) * scale, (got.high - even) * scale, games)

    def known_of(self, sort: str, role: str) -> Use:
        """The games in which it would be known whether a role used something of a sort."""
        return (self.followed if sort in ("rule", "text") else self.scores)[role]

    def gain_of(self, sort: str, name: str, role: str) -> Figure:
        """How much better a role fared in games in which it used something than in the others. That need not be the
        use's doing: who is ahead anyway may use it more."""
        use, known = self.uses[sort, name, role], self.known_of(sort, role)
        rest = (known.games - use.games, known.score - use.score, known.squares - use.squares)
        return difference((use.games, use.score, use.squares), rest)

    def by_frequency(self, most: int | None = None) -> list[tuple[tuple[tuple[str, ...], str], int]]:
        """Endings, the most frequent first; equally frequent ones by their words, in whatever order they came. If there
        are more than `most`, those are put together that differ in numbers alone."""
        endings = self.endings
        if most is not None and len(endings) > most:
            endings = Counter()
            for (names, how), number in self.endings.items():
                endings[names, re.sub(r"\d+", "…", how)] += number
        return sorted(endings.items(), key=lambda pair: (-pair[1], pair[0]))

    def to_dict(self) -> dict[str, Any]:
        """The results for a program."""
        wins = {}
        for name in self.names:
            low, high = interval(self.wins[name], self.played)
            part = self.wins[name] / self.played if self.played else 0.0
            wins[name] = {
                "games": self.wins[name],
                "share": round(part, 4),
                "interval": [round(low, 4), round(high, 4)],
            }
        return {
            "games": self.games,
            "wins": wins,
            "draws": self.draws,
            "unfinished": self.unfinished,
            "endings": [
                {"winners": list(names), "how": how, "games": number} for (names, how), number in self.by_frequency()
            ],
            "decisions": self.decisions.to_dict(),
            "turns": self.turns.to_dict(),
            "margins": self.margins.to_dict(),
            "standing": {
                role: round(self.standings[role].mean.value, 2) for role in self.roles if role in self.standings
            },
            "failures": [{"seed": seed, "message": message} for seed, message in self.failures],
        }


def _note(use: Use, score: float) -> None:
    use.games += 1
    use.score += score
    use.squares += score * score


def margin_of(row: Row) -> int | None:
    """How far the winners were ahead of the best of the others by the game's standing; None if nobody won, or the
    game has none. Less than nothing, if they won although they were behind."""
    numbers, scores = row["standing"], row["scores"]
    if not numbers or not row["winners"]:
        return None
    won = [number for number, score in zip(numbers, scores, strict=True) if score == 1.0]
    lost = [number for number, score in zip(numbers, scores, strict=True) if score < 1.0]
    return max(won) - max(lost) if won and lost else None
