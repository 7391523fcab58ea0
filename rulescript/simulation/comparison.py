"""Two runs side by side, game for game: the same seeds with a variant and with its base, an option on and off.

Where both played a seed the difference is taken in each pair first. What the seed decides alike in both then cancels
out, and a small difference is seen sooner than in two runs that have nothing to do with each other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import define, frozen

from rulescript.errors import BadRun
from rulescript.resources import write_whole
from rulescript.simulation.figures import Figure, difference, paired, share
from rulescript.simulation.plain_files import read_data
from rulescript.simulation.runs import Brief, Run, open_run

__all__ = ["Compared", "Comparison", "Sweep", "UseChange", "compare", "open_sweep"]

SWEEP = "sweep.json"


@frozen
class Compared:
    """One measure in both runs, and how much it is more in the second: in pairs."""

    name: str
    is_share: bool
    base: Figure
    other: Figure
    change: Figure

    @property
    def is_clear(self) -> bool:
        """Whether there is a difference, nineteen times out of twenty."""
        return self.change.games > 1 and (self.change.low > 0 or self.change.high < 0)


@frozen
class UseChange:
    """In what share of its games a role used something, in both runs."""

    sort: str
    name: str
    role: str
    base: Figure | None  # None: it is not there
    other: Figure | None
    change: Figure


@define
class Comparison:
    base: Run
    other: Run
    pairs: int
    measures: list[Compared]
    uses: list[UseChange]

    def to_dict(self) -> dict[str, Any]:
        return {
            "base": self.base.to_dict(),
            "other": self.other.to_dict(),
            "pairs": self.pairs,
            "measures": [
                {
                    "name": each.name,
                    "base": each.base.to_dict(),
                    "other": each.other.to_dict(),
                    "change": each.change.to_dict(),
                    "is_clear": each.is_clear,
                }
                for each in self.measures
            ],
        }


def compare(base: Run, other: Run) -> Comparison:
    """BadRun if they have no seed in common."""
    first = {number + base.seed: brief for number, brief in base.in_brief().items()}
    second = {number + other.seed: brief for number, brief in other.in_brief().items()}
    both = [
        (first[seed], second[seed])
        for seed in sorted(first.keys() & second.keys())
        if not first[seed].is_failed and not second[seed].is_failed
    ]
    if not both:
        raise BadRun("the two runs have no seed in common", hint="simulate both with the same --seed")
    measures: list[Compared] = []

    def add(name: str, is_share: bool, of_base: Measure, of_other: Measure) -> None:
        pairs = [(of_base(a), of_other(b)) for a, b in both]
        known = [(a, b) for a, b in pairs if a is not None and b is not None]
        if not known:
            return
        if is_share:
            mine, theirs = (share(sum(pair[at] for pair in known), len(known)) for at in (0, 1))
        else:
            mine, theirs = paired(a for a, _ in known), paired(b for _, b in known)
        measures.append(Compared(name, is_share, mine, theirs, paired(b - a for a, b in known)))

    roles = [role for role in base.roles if role in other.roles]
    for role in roles:
        a, b = base.roles.index(role), other.roles.index(role)
        add(f"{base.label(role)} wins", True, _wins(a), _wins(b))
    add("nobody wins", True, _nobody, _nobody)
    turn = str(base.about["turn"]["name"]).replace("_", " ")
    add(f"length ({turn})", False, lambda brief: brief.turns, lambda brief: brief.turns)
    add("decisions", False, lambda brief: brief.decisions, lambda brief: brief.decisions)
    add("margin of the winners", False, lambda brief: brief.margin, lambda brief: brief.margin)
    for role in roles:
        a, b = base.roles.index(role), other.roles.index(role)
        add(f"{base.label(role)}: {base.about['standing']}", False, _standing(a), _standing(b))
    return Comparison(base, other, len(both), measures, _use_changes(base, other))


Measure = Callable[[Brief], float | None]


def _wins(at: int) -> Measure:
    return lambda brief: float(brief.scores[at] == 1.0)


def _nobody(brief: Brief) -> float:
    return float(not any(score == 1.0 for score in brief.scores))


def _standing(at: int) -> Measure:
    return lambda brief: brief.standing[at] if brief.standing else None


def _use_changes(base: Run, other: Run) -> list[UseChange]:
    """The largest first."""
    found = []
    for sort, name, role in sorted({*base.summary.uses, *other.summary.uses}):
        if sort == "answer" or role not in base.roles or role not in other.roles:
            continue
        shares, sums = [], []
        for run in (base, other):
            known, use = run.summary.known_of(sort, role), run.summary.uses.get((sort, name, role))
            used = use.games if use is not None else 0
            is_there = name in run.about["items"].get(sort, {})
            shares.append(share(used, known.games) if is_there and known.games else None)
            sums.append((known.games, float(used), float(used)))
        found.append(UseChange(sort, name, role, shares[0], shares[1], difference(sums[1], sums[0])))
    return sorted(found, key=lambda use: (-abs(use.change.value), use.sort, use.name, use.role))


# ---- one number, several values ----------------------------------------------------------------------------


@define
class Sweep:
    """Runs that differ in one number alone, from the same seeds."""

    name: str
    runs: list[tuple[int, Run]]

    @property
    def comparisons(self) -> list[Comparison]:
        """Each of the later ones with the first."""
        return [compare(self.runs[0][1], run) for _, run in self.runs[1:]]

    def write(self, folder: Path) -> None:
        """What `open_sweep` reads; the runs lie beside it."""
        data = {"name": self.name, "runs": [[number, run_name(self.name, number)] for number, _ in self.runs]}
        write_whole(folder / SWEEP, json.dumps(data, indent=1) + "\n")

    def to_dict(self) -> dict[str, Any]:
        return {
            "vary": self.name,
            "runs": [{"number": number, **run.to_dict()} for number, run in self.runs],
            "against_first": [comparison.to_dict()["measures"] for comparison in self.comparisons],
        }


def run_name(name: str, number: int) -> str:
    """The folder of one of the runs."""
    return f"{name}={number}"


def open_sweep(path: Path) -> Sweep | None:
    """A sweep from its folder; None if there is none, BadRun if what it says cannot be read."""
    if not (path / SWEEP).exists():
        return None
    try:
        data = read_data(path / SWEEP)
        name, parts = str(data["name"]), [(int(number), str(part)) for number, part in data["runs"]]
        if not parts:
            raise ValueError("there are no runs")
    except (OSError, ValueError, TypeError, LookupError, OverflowError):
        raise BadRun(f"`{path / SWEEP}` is damaged", hint="the runs beside it can be reported one by one") from None
    if any(Path(part).name != part for _, part in parts):
        raise BadRun(f"`{path / SWEEP}` names runs elsewhere")
    return Sweep(name, [(number, open_run(path / part)) for number, part in parts])
