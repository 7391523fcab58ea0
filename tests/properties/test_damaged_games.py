"""Good games with one name, number or line changed: reported in our words, or played; never a traceback,
never a hang.

Most such changes still can be read, so they reach the analysis, the checks, the compiler and play, where
damaged letters never come. The seed is fixed: a failure comes back.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from rulescript.diagnostics import CODES, Reporter, render_report
from rulescript.diagnostics.errors_page import in_setting
from rulescript.errors import GameInvalid, RulescriptError
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GOOD = Path(__file__).parent.parent / "corpus" / "good" / "checks"
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(GOOD.glob("*.rules"))]
TEXTS += [in_setting(entry.cure)[0] for code, entry in CODES.items() if code[2] in "23"]
# Changing these only ever gives text that cannot be read, which tests/syntax looks after.
KEYWORDS = """
    kind things players values state holds function value route phase procedure sequence choose require
    or stop repeat for in by if then else end game let move to from as tell place pieces map link counts
    some none every not and while until times may each at most least steps lasts home table option
    scenario after before when adjust restrict extend exception whenever signal roll draw rulescript
"""
_WORD = re.compile(r"[^\W\d]\w*|\d+|[^\w\s]+")
SECONDS = 30
BATCHES, EACH = 20, 25
OFTEN = 5  # so many batches are tried each time, the others in the long run


@contextmanager
def within(seconds: int) -> Iterator[None]:
    def ring(*_: object) -> None:
        raise TimeoutError(f"not done within {seconds} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def sort_of(word: str) -> tuple[bool, bool]:
    return word[0].isalpha(), word[0].isdigit()


def damaged(rng: Random) -> str:
    """A good text with a word or two in the place of others, and perhaps a line gone."""
    text = rng.choice(TEXTS)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        words = [match for match in _WORD.finditer(text) if match.group() not in KEYWORDS.split()]
        old = rng.choice(words)
        new = rng.choice([word.group() for word in words if sort_of(word.group()) == sort_of(old.group())])
        text = text[: old.start()] + new + text[old.end() :]
    if rng.random() < 0.2:
        lines = text.split("\n")
        del lines[rng.randrange(len(lines))]
        text = "\n".join(lines)
    return text


def tried(text: str, rng: Random) -> str:
    """Load, check, compile and play one text; what became of it."""
    reporter = Reporter()
    loaded = load_single(text, "damaged.rules", reporter)
    try:
        game = compile_text(loaded, (), "", reporter)
    except GameInvalid as problem:
        assert problem.diagnostics
        assert not any(d.code.startswith("RS9") for d in problem.diagnostics), str(problem)
        return "reported"
    except RulescriptError:
        return "reported"
    render_report(reporter.diagnostics)
    try:
        position = game.start(seed=1)
        for _ in range(200):
            decision = position.decision
            if decision is None:
                break
            assert decision.prompt is not None and decision.options
            position.choose(rng.choice(decision.options))  # type: ignore[arg-type]
        assert str(position.journal) is not None
    except RulescriptError as problem:
        # An error of a rule in play, told as such; one of ours would say that something went wrong inside.
        assert "went wrong" not in str(problem), problem
        return "stopped"
    return "played"


@pytest.mark.parametrize("batch", [pytest.param(at, marks=[pytest.mark.long] * (at >= OFTEN)) for at in range(BATCHES)])
def test_damaged_games_are_reported_or_played(batch: int) -> None:
    rng = Random(f"damaged {batch}")
    became: list[str] = []
    for _ in range(EACH):
        text = damaged(rng)
        try:
            with within(SECONDS):
                became.append(tried(text, rng))
        except BaseException:
            print(text)
            raise
    # The changes are of the right size: some are noticed, and not all are refused by the parser.
    assert "reported" in became
