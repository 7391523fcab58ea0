"""Recording one subject: lines of text, the same on every machine.

In comes a subject; out goes a dict from a heading (`play fog_of_war seed 1`) to its lines. Digests are short: two
records are compared, nobody defends against forgery."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from rulescript.claims.run import GameSource, run_checks, run_examples
from rulescript.docgen import build_site
from rulescript.errors import RulescriptError
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position
from rulescript.runtime.readings import value_names
from rulescript.testing.report import Configuration
from tests.recorded.subjects import Subject

Record = dict[str, list[str]]

DECISIONS = 120  # of each configuration; the base game of a subject is recorded to its end
LONGEST = 3_000
PROBES = 40  # answers asked for in the base game


def digest(what: Any) -> str:
    return hashlib.blake2b(repr(what).encode(), digest_size=3).hexdigest()


def state_by_name(position: Position) -> list[tuple[str, Any]]:
    """Every state and place."""
    return [(name, position.value(name)) for name in sorted(value_names(position.game))]


def seen_at(position: Position) -> tuple[str, str, str]:
    """What is asked, in which words, and how things stand."""
    decision = position.decision
    options = decision.options
    asked = (decision.player, decision.name, decision.procedure, decision.phase, [option.key for option in options])
    words = (decision.prompt, [option.text for option in options])
    return digest(asked), digest(words), digest(state_by_name(position))


def played(game: Game, seed: int, players: int | None, most: int) -> Iterator[str]:
    """A random game, a line for each decision."""
    rng = Random(seed)
    position = game.start(seed, players=players)
    for _ in range(most):
        if position.decision is None:
            yield f"over {position.outcome}"
            return
        yield " ".join(seen_at(position))
        position.choose(rng.randrange(len(position.decision.options)))
    yield "not over"


def answers(game: Game, seed: int) -> Iterator[str]:
    """What refusals and explanations say along a random game."""
    rng = Random(seed)
    position = game.start(seed)
    earlier: list[str] = []
    for _ in range(PROBES):
        if position.decision is None:
            return
        texts = [option.text for option in position.decision.options]
        if earlier:
            yield digest(str(position.why_not(earlier[rng.randrange(len(earlier))])))
        name = rng.choice(value_names(game))
        yield digest(_said(position, name))
        earlier += [text for text in texts if text not in earlier]
        position.choose(rng.randrange(len(texts)))


def _said(position: Position, expression: str) -> str:
    try:
        return str(position.explain(expression))
    except RulescriptError as problem:
        return str(problem)


def claims(subject: Subject) -> Iterator[str]:
    source = GameSource.load(subject.where)
    for result in [*run_checks(source), *run_examples(source)]:
        verdict = "holds" if result.ok else digest([(told.code, told.message) for told in result.failures])
        yield f"{verdict} {result.title}"


def reference(subject: Subject) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        build_site(subject.load(), folder)
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                yield f"{digest(path.read_bytes())} {path.relative_to(folder).as_posix()}"


def _heading(configuration: Configuration) -> str:
    return f"play {configuration}"


def record_of(subject: Subject, parts: tuple[str, ...] = ("play", "answers", "claims", "reference")) -> Record:
    """Everything about a subject, or some parts of it."""
    out: Record = {}
    game = subject.load()
    if "play" in parts and game.data.start:
        for at, configuration in enumerate(subject.configurations()):
            loaded = subject.load(configuration)
            most = LONGEST if at == 0 and subject.is_whole else DECISIONS
            out[_heading(configuration)] = list(played(loaded, at, configuration.players, most))
    if "answers" in parts and game.data.start:
        out["answers"] = list(answers(game, 1))
    if "claims" in parts:
        out["claims"] = list(claims(subject))
    if "reference" in parts and subject.is_whole:
        out["reference"] = list(reference(subject))
    return out
