"""What is to be played, as plain data: another process or machine can be told, and a run folder remembers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import asdict, field, frozen

from rulescript.errors import BadOption

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["Job", "describe", "job_of", "load_job"]

# One game of so many is followed (recorder.py); each one, of a run that is so short.
FOLLOW = 16
SHORT = 200


@frozen
class Job:
    """Which game, with whom, and what is written down: one game of `follow` is followed (0: none), and
    without `uses` nothing is told of choices and cards. `numbers` are those that were set otherwise (varied.py);
    `files` the texts of a game that other machines may not have."""

    where: str
    hash: str
    options: tuple[str, ...] = ()
    scenario: str = ""
    players: int = 1
    bots: tuple[str, ...] = ()
    limit: int = 100_000
    follow: int = 1
    uses: bool = True
    numbers: tuple[tuple[str, int], ...] = ()
    files: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @property
    def is_random(self) -> bool:
        """Whether nobody thinks."""
        return set(self.bots) <= {"random"}

    def to_dict(self) -> dict[str, Any]:
        """All that decides what comes out."""
        kept = asdict(self, filter=lambda field, _: field.name != "files")
        return {**kept, "numbers": dict(self.numbers)}

    @classmethod
    def of_dict(cls, data: Mapping[str, Any]) -> Job:
        return cls(
            where=str(data["where"]),
            hash=str(data["hash"]),
            options=tuple(map(str, data["options"])),
            scenario=str(data["scenario"]),
            players=int(data["players"]),
            bots=tuple(map(str, data["bots"])),
            limit=int(data["limit"]),
            follow=int(data["follow"]),
            uses=bool(data["uses"]),
            numbers=tuple((str(name), int(number)) for name, number in data["numbers"].items()),
        )


def job_of(
    game: Game,
    bots: Sequence[str] = (),
    players: int | None = None,
    limit: int = 100_000,
    follow: int = FOLLOW,
    uses: bool = True,
) -> Job:
    """The job of playing a game that is loaded. Bots are those of the seats in order; random ones, if there are none,
    and one alone takes every seat. BadOption if there is no such bot, or there are not as many seats."""
    from rulescript.bots import bot_named

    count = players if players is not None else game.seating.default
    seats = len(game.seats(count)) if game.player_counts else 0
    named = tuple(bots) or ("random",)
    for name in named:
        bot_named(name)
    if len(named) == 1:
        named = named * seats
    if len(named) != seats:
        raise BadOption(f"{game.title} has {seats} seats for {count}, and {len(named)} bots are named")
    where, options, scenario = game.where if game.where is not None else ("", tuple(game.data.options), "")
    return Job(
        where=str(where), hash=game.rules_hash, options=tuple(options), scenario=scenario or "", players=count,
        bots=named, limit=limit, follow=follow if uses else 0, uses=uses, numbers=tuple(sorted(game.numbers.items())),
    )  # fmt: skip


def load_job(job: Job) -> Game:
    """The game of a job, in another process or on another machine; BadOption if it is not the same game there."""
    from rulescript.pipeline import load
    from rulescript.simulation.sent_files import unpacked
    from rulescript.simulation.varied import varied

    with unpacked(job) as where:
        game = load(where, options=job.options, scenario=job.scenario)
        if job.numbers:
            game = varied(game, dict(job.numbers))
        game.prepare()
    if game.rules_hash != job.hash:
        raise BadOption(
            f"the rules of `{job.where}` are not those that the run was begun with",
            hint="the same version of the game and of rulescript is needed everywhere",
        )
    return game


def describe(game: Game, job: Job) -> dict[str, Any]:
    """What a report has to know of a game, so that it can be read without it."""
    from rulescript.simulation.items import items_of

    data = game.data
    turn = next((s for s in data.states if s.name == data.turn and not s.kind), None)
    labels: dict[str, str] = {}
    if turn is not None and turn.type[0] == "thing":
        labels = {str(at): label for at, label in enumerate(data.kinds[turn.type[1]].labels)}
    return {
        "ident": game.ident,
        "title": game.title,
        "version": game.version,
        "options": list(data.options),
        "scenario": data.scenario,
        "chosen": [game.options[name].title for name in data.options]
        + ([game.scenarios[data.scenario].title] if data.scenario else []),
        "roles": game.player_names,
        "labels": game.role_labels,
        "seats": game.seats(job.players) if game.player_counts else [],
        "standing": game.standing_counts,
        "index": len(game.rules),
        "turn": {"name": data.turn or "round", "labels": labels},
        "items": {sort: dict(table) for sort, table in items_of(game).items()},
    }
