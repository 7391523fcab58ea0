"""A run: many games of one job, as they came out. From memory or from a folder, for reports, comparisons and tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from attrs import define, field

from rulescript import calls
from rulescript.errors import BadCall
from rulescript.simulation.job import Job
from rulescript.simulation.recorder import Row
from rulescript.simulation.run_folder import RunFolder
from rulescript.simulation.summary import Summary, margin_of

__all__ = ["Brief", "Run", "brief_of", "open_run"]


class Brief(NamedTuple):
    """What a comparison needs of one game."""

    scores: tuple[float, ...]
    standing: tuple[int, ...]
    turns: int
    decisions: int
    margin: int | None
    is_failed: bool


def brief_of(row: Row) -> Brief:
    return Brief(
        tuple(row["scores"]), tuple(row["standing"]), row["turns"], row["decisions"], margin_of(row),
        bool(row["failure"]),
    )  # fmt: skip


@define
class Run:
    """Games of one job. `about` is what a report says of the game; `summary` what came out; `problems` what could not
    be read of its folder."""

    job: Job
    about: dict[str, Any]
    seed: int
    summary: Summary
    folder: RunFolder | None = None
    seconds: float = 0.0
    is_complete: bool = True
    briefs: dict[int, Brief] = field(factory=dict, repr=False)

    @property
    def title(self) -> str:
        return str(self.about["title"])

    @property
    def roles(self) -> list[str]:
        return self.summary.roles

    @property
    def problems(self) -> list[str]:
        return self.folder.problems if self.folder is not None else []

    def label(self, role: str) -> str:
        """What a role, or somebody else who can win, is called."""
        if role in self.about["roles"]:
            return str(self.about["labels"][self.about["roles"].index(role)])
        return role.replace("_", " ")

    def turn_label(self, turn: int) -> str:
        return str(self.about["turn"]["labels"].get(str(turn), turn))

    def item_label(self, sort: str, name: str) -> str:
        """What something that can be used is called."""
        if sort == "answer":
            way, _, thing = name.partition(" ")
            return f"{self.item_label('way', way)}: {thing.replace('_', ' ')}"
        found = self.about["items"].get(sort, {}).get(name)
        return f"§{name} {found or ''}".rstrip() if sort == "rule" else str(found or name)

    @property
    def chosen(self) -> str:
        """With what it was played, in words."""
        parts = [*self.about["chosen"], *(f"{name} = {number}" for name, number in self.job.numbers)]
        return ", ".join(parts) or "no options"

    @property
    def seated(self) -> str:
        """Who played, in words."""
        seats, labels = self.about["seats"], self.about["labels"]
        who = zip(seats, self.job.bots, strict=False)
        return ", ".join(f"{' and '.join(str(labels[role]) for role in roles)} {bot}" for roles, bot in who)

    def rows(self) -> Iterator[Row]:
        """Every game, in the order of the seeds. Only of a run that was written down."""
        if self.folder is None:
            raise BadCall("this run kept no games; simulate it with `out=`")
        return self.folder.rows()

    def in_brief(self) -> dict[int, Brief]:
        """What each game came to, by its number from the first seed."""
        if not self.briefs and self.folder is not None:
            self.briefs = {row["seed"] - self.seed: brief_of(row) for row in self.rows()}
        return self.briefs

    def to_dict(self) -> dict[str, Any]:
        about = self.about
        return {
            "game": about["ident"],
            "version": about["version"],
            "hash": self.job.hash,
            "options": about["options"],
            "scenario": about["scenario"],
            "players": self.job.players,
            "bots": list(self.job.bots),
            "seed": self.seed,
            "complete": self.is_complete,
            **self.summary.to_dict(),
        }

    def tables(self) -> dict[str, Any]:
        """The games as Arrow tables; see tables.py."""
        from rulescript.simulation.tables import tables_of

        return tables_of(self)


def open_run(path: str | Path) -> Run:
    """A run from its folder; BadRun if there is none. Parts that are damaged are left out, and among its problems."""
    folder = RunFolder.open(Path(calls.path(path, "the folder of a run")))
    run = Run(folder.job, folder.about, folder.seed, Summary(list(folder.about["roles"])), folder)
    for row in run.rows():
        run.summary.take(row)
    run.is_complete = run.summary.games >= folder.games
    return run
