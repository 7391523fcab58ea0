"""What the conformance kit found, as data, as text and as JSON; and a failure as an `example` ready to
paste."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from rulescript.testing.coverage import Coverage
from rulescript.testing.walk import Play, Step

if TYPE_CHECKING:
    from rulescript.testing.run import InvariantUse

__all__ = ["Configuration", "Failure", "Played", "Report", "example_of"]


@frozen
class Configuration:
    """The options and the scenario a game is loaded with, and the number of players (None: drawn for each
    play)."""

    options: tuple[str, ...] = ()
    scenario: str = ""
    players: int | None = None

    def __str__(self) -> str:
        parts = []
        if self.scenario:
            parts.append(f"scenario {self.scenario}")
        if self.options:
            parts.append(f"option{'s' if len(self.options) > 1 else ''} {', '.join(self.options)}")
        if self.players is not None:
            parts.append(f"{self.players} player{'s' if self.players != 1 else ''}")
        return ", ".join(parts) or "as it is"


@define
class Played:
    """What was played of one configuration."""

    configuration: Configuration
    plays: int = 0
    decisions: int = 0
    over: int = 0
    outcomes: Counter[str] = field(factory=Counter)


@frozen
class Failure:
    """One thing that was not kept, with the shortest play that shows it."""

    check: str
    title: str
    message: str
    configuration: Configuration
    play: Play | None
    example: str

    def text(self) -> str:
        out = [f"FAILED {self.check}: {self.message}", f"  {self.title}", f"  with: {self.configuration}"]
        if self.example:
            out += ["", *(f"  {line}".rstrip() for line in self.example.splitlines())]
        return "\n".join(out)

    def to_dict(self) -> dict[str, Any]:
        play = self.play
        return {
            "check": self.check,
            "title": self.title,
            "message": self.message,
            "options": list(self.configuration.options),
            "scenario": self.configuration.scenario,
            "players": play.players if play is not None else self.configuration.players,
            "seed": play.seed if play is not None else None,
            "choices": [[s.player, s.choice, s.key, s.text] for s in play.steps] if play is not None else [],
            "example": self.example,
        }


@define
class Report:
    """Everything a run of the kit has to say."""

    game: str
    title: str = ""
    seconds: float = 0.0
    played: list[Played] = field(factory=list)
    checks: Counter[str] = field(factory=Counter)
    failures: list[Failure] = field(factory=list)
    notes: Counter[str] = field(factory=Counter)
    invariants: dict[str, InvariantUse] = field(factory=dict)
    coverage: Coverage = field(factory=Coverage)
    is_late: bool = False  # the time was up before all was done

    @property
    def is_untried(self) -> bool:
        """Whether no play came to its end in the time there was: then nothing is known of the game."""
        return self.is_late and not self.plays

    @property
    def ok(self) -> bool:
        return not self.failures

    @property
    def plays(self) -> int:
        return sum(p.plays for p in self.played)

    @property
    def decisions(self) -> int:
        return sum(p.decisions for p in self.played)

    @property
    def never_tested(self) -> list[InvariantUse]:
        """Invariants that were never evaluated in a position where anything they look at had changed."""
        return [use for use in self.invariants.values() if not use.tested]

    def text(self, *, coverage: bool = False) -> str:
        from rulescript.testing.conformance import check_titles

        out = [
            f"{self.title or self.game}: {self.plays} plays, {self.decisions} decisions, "
            f"{len(self.played)} configurations, {self.seconds:.1f} s"
        ]
        failed = {f.check for f in self.failures}
        for name, title in check_titles().items():
            if name in failed:
                out.append(f"  FAILED {title}")
            elif self.checks[name]:
                out.append(f"  ok     {title} ({self.checks[name]} times)")
        for use in self.never_tested:
            how = "evaluated, but nothing it looks at ever changed" if use.evaluations else "never evaluated"
            out.append(f'  note   invariant "{use.title}" was never really tested: {how}')
        for note, count in self.notes.most_common():
            out.append(f"  note   {note} ({count} times)" if count > 1 else f"  note   {note}")
        for failure in self.failures:
            out += ["", failure.text()]
        if coverage:
            out += ["", self.coverage.text()]
        return "\n".join(out)

    def to_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "ok": self.ok,
            "seconds": round(self.seconds, 3),
            "plays": self.plays,
            "decisions": self.decisions,
            "configurations": [
                {
                    "options": list(p.configuration.options),
                    "scenario": p.configuration.scenario,
                    "players": p.configuration.players,
                    "plays": p.plays,
                    "decisions": p.decisions,
                    "over": p.over,
                    "outcomes": dict(p.outcomes),
                }
                for p in self.played
            ],
            "checks": dict(self.checks),
            "failures": [f.to_dict() for f in self.failures],
            "notes": dict(self.notes),
            "invariants": [
                {"title": u.title, "when": u.when, "evaluations": u.evaluations, "tested": u.tested}
                for u in self.invariants.values()
            ],
            "coverage": self.coverage.to_dict(),
        }


# What an example shows by itself: it fails where the play broke. Of the others it shows the position.
SHOWN = frozenset({"invariants", "rules", "ends", "asked"})


def example_of(
    check: str, message: str, configuration: Configuration, play: Play, where: str, *, by_keys: bool = False
) -> str:
    """A failing play as an `example`: a comment that says how to see it, the seed, and the choices in words (or by
    their keys, which are never ambiguous). Put into a file, it fails as the play did."""
    title = _one_line(f"conformance, {check}: {message}")[:160]
    for bad, good in (("\\", "/"), ('"', "'"), ("{", "("), ("}", ")")):
        title = title.replace(bad, good)
    out = [f"# shown by: rulescript test {where}"]
    if check not in SHOWN:
        out.append("# An example has no words for what is wrong here; this is the position in which it shows.")
    out.append(f'example "{title}"')
    if configuration.options:
        out.append(f"    with options {', '.join(configuration.options)}")
    if play.players is not None:
        out.append(f"    with players {play.players}")
    base = f"scenario {configuration.scenario}" if configuration.scenario else "setup"
    out.append(f"    given {base}, seed {play.seed}")
    lines = [*play.opening, *_lines_of(play.steps, by_keys)]
    # A play that does not end is not told to its end.
    most = 60 if check == "ends" else len(lines)
    if lines:
        out.append("    play")
        out += [f"        {line}" for line in lines[:most]]
        if len(lines) > most:
            out.append(f"        # and {len(lines) - most} more")
    if check == "asked" or not lines:
        out += ["    expect", "        outcome is open"]
    return "\n".join(out) + "\n"


def _lines_of(steps: Sequence[Step], by_keys: bool = False) -> list[str]:
    """Choices as an example has them: one line each, also where a choice was asked name by name. What left no choice
    at all is not told, only the chance that came after it."""
    out: list[str] = []
    for choice in _choices_in(steps):
        if not all(step.forced for step in choice):
            out += _line_of(choice, by_keys)
        out += [line for step in choice for line in step.chance]
    return out


def _choices_in(steps: Sequence[Step]) -> list[list[Step]]:
    """The steps of each choice: the names of one that is asked name by name, or what is picked of several."""
    out: list[list[Step]] = []
    for step in steps:
        last = out[-1][-1] if out else None
        goes_on = last is not None and (last.player, last.choice) == (step.player, step.choice) and not last.chance
        if step.stage and goes_on:
            out[-1].append(step)
        else:
            out.append([step])
    return out


def _line_of(steps: Sequence[Step], by_keys: bool) -> list[str]:
    player = steps[0].player
    if by_keys:
        return [f"{player}: {step.key}" for step in steps]
    parts: list[str] = []
    for step in steps:
        label, _, value = step.key.partition(" ")
        name = value.partition("=")[2]
        if not parts:
            # Plain alternatives are said as they are worded, the others by label and names, as keys are built.
            parts.append(f"{player}: {label} {_said(name)}" if name else f"{player}: {_one_line(step.text)}")
        elif name:
            parts.append(_said(name))
    return [_one_line(", ".join(parts))]


def _said(name: str) -> str:
    """A name of a key as one says it: `Mill.units:North_infantry` is North infantry in Mill."""
    place, colon, piece = name.partition(":")
    if not colon:
        return name
    return f"{piece.replace('_', ' ')} in {place.partition('.')[0]}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
