"""Texts through a few worker processes, with a clock on each text: one that takes too long loses its
worker."""

from __future__ import annotations

import multiprocessing
import time
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any

from attrs import define, field

__all__ = ["Outcome", "run_texts"]

PATIENCE = 20.0


@define
class Outcome:
    """What became of the texts: how far they came, and those that failed with what was said."""

    done: int = 0
    stages: Counter[str] = field(factory=Counter)
    failures: list[tuple[str, str]] = field(factory=list)


def _work(seed: int, start: int, count: int, every: int, at: Any, pipe: Any) -> None:
    from tests.fuzz.texts import feed, made_texts, seed_texts, whole_games

    texts = islice(made_texts(seed, seed_texts(), whole_games()), start, count)
    for number, text in enumerate(texts, start):
        at.value = number
        stage, trouble = feed(text, deep=number % every == 0)
        pipe.send((number, stage, trouble, text if trouble else ""))
    pipe.send(None)
    pipe.close()


class _Worker:
    def __init__(self, context: Any, work: Any, seed: int, count: int, every: int) -> None:
        self.context, self.work, self.seed, self.count, self.every = context, work, seed, count, every
        self.begin(0)

    def begin(self, start: int) -> None:
        self.at = self.context.Value("q", start)
        self.pipe, other = self.context.Pipe(duplex=False)
        self.process = self.context.Process(
            target=self.work, args=(self.seed, start, self.count, self.every, self.at, other), daemon=True
        )
        self.process.start()
        other.close()
        # The first text of a worker also waits for its imports.
        self.since = time.monotonic() + PATIENCE

    def collect(self, outcome: Outcome) -> bool:
        """Take in what is there; whether this worker is done."""
        try:
            while self.pipe.poll():
                found = self.pipe.recv()
                if found is None:
                    self.process.join(5)
                    return True
                _, stage, trouble, text = found
                outcome.done += 1
                outcome.stages[stage] += 1
                if trouble:
                    outcome.failures.append((text, f"{stage}\n{trouble}"))
                self.since = time.monotonic()
        except EOFError:
            return not self.again(outcome, "the worker died")
        return False

    def again(self, outcome: Outcome, why: str) -> bool:
        """Give up the text at hand and go on behind it; whether there is any left."""
        from tests.fuzz.texts import made_texts, seed_texts, whole_games

        self.process.kill()
        self.process.join(5)
        number = int(self.at.value)
        text = next(islice(made_texts(self.seed, seed_texts(), whole_games()), number, None))
        outcome.done += 1
        outcome.stages["lost"] += 1
        outcome.failures.append((text, why))
        if number + 1 >= self.count:
            return False
        self.begin(number + 1)
        return True


def run_texts(
    count: int,
    *,
    seed: int = 0,
    jobs: int = 2,
    limit: float = 20.0,
    seconds: float | None = None,
    every: int = 1,
    progress: Callable[[Outcome], None] | None = None,
    work: Any = _work,
) -> Outcome:
    """Feed `count` texts, none for longer than `limit`; one in `every` is compiled and played if it is
    clean."""
    context = multiprocessing.get_context("spawn")
    outcome = Outcome()
    share = -(-count // jobs)
    workers = [
        _Worker(context, work, seed * 1000 + job, min(share, count - job * share), every)
        for job in range(jobs)
        if count - job * share > 0
    ]
    began = time.monotonic()
    try:
        while workers:
            time.sleep(0.05)
            for worker in list(workers):
                if (
                    worker.collect(outcome)
                    or time.monotonic() - worker.since > limit
                    and not worker.again(outcome, f"took over {limit:.0f} s")
                ):
                    workers.remove(worker)
            if progress is not None:
                progress(outcome)
            if seconds is not None and time.monotonic() - began > seconds:
                break
    finally:
        for worker in workers:
            worker.process.kill()
            worker.process.join(5)
    return outcome
