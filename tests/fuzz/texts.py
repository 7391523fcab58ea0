"""Where damaged texts come from, and what is done with each.

A text may be refused with diagnostics; it must not end in a traceback, and it must be done within its time. A
text that is clean is compiled and played a little. Two sorts of damage: the one of
tests/properties/mutate.py, which mostly breaks the syntax, and swaps of words within a good text, which
mostly do not, and so get further."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from rulescript.diagnostics import Reporter, render_report
from rulescript.errors import RulescriptError
from rulescript.loader import load_single

__all__ = ["DECISIONS", "feed", "made_texts", "seed_texts"]

ROOT = Path(__file__).resolve().parents[2]
DECISIONS = 60
_LARGEST = 2_000
_WORD = re.compile(r"[^\W\d]\w*|\d+|==|!=|<=|>=|[<>+*-]")


def seed_texts() -> list[str]:
    """Texts to damage: the snippets, the corpus, small games, and the bundled games in parts."""
    from tests.properties.mutate import SNIPPETS

    out = list(SNIPPETS)
    folders = [
        ROOT / "tests" / "corpus" / "good",
        ROOT / "tests" / "slices",
        ROOT / "tests" / "testing" / "games",
    ]
    for path in sorted(p for folder in folders for p in folder.rglob("*.rules")):
        out += _parts(path.read_text(encoding="utf-8"), 3)
    for path in sorted(p for p in (ROOT / "games").rglob("*.rules*") if p.is_file()):
        out += _parts(path.read_text(encoding="utf-8"), 3)
    return out


def whole_games() -> list[str]:
    """Small games that can be played, for damage that leaves them playable."""
    texts = []
    for path in sorted((ROOT / "tests").rglob("*.rules")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if "bad" not in path.parts and "\nsequence" in text and "include" not in text and len(text) < 6_000:
            texts.append(text)
    return texts


def _parts(text: str, most: int) -> list[str]:
    """A text, or the first few parts of a long one, cut where a declaration begins."""
    if len(text) <= _LARGEST:
        return [text]
    out, part = [], ""
    for chunk in re.split(r"(?m)^(?=\S)", text):
        if len(part) + len(chunk) > _LARGEST and part:
            out.append(part)
            part = ""
        part += chunk[:_LARGEST]
    return [*out, part][:most]


def _swapped(text: str, rng: Random) -> str:
    """One word of a text in place of another, a line less or a line twice: often still a program."""
    if rng.random() < 0.25:
        lines = text.split("\n")
        at = rng.randrange(len(lines))
        if rng.random() < 0.6:
            del lines[at]
        else:
            lines.insert(at, lines[at])
        return "\n".join(lines)
    found = list(_WORD.finditer(text))
    if len(found) < 2:
        return text
    into, source = rng.choice(found), rng.choice(found)
    word = str(rng.randrange(12)) if into[0].isdigit() and rng.random() < 0.7 else source[0]
    return text[: into.start()] + word + text[into.end() :]


def made_texts(seed: int, seeds: Sequence[str], games: Sequence[str]) -> Iterator[str]:
    """Texts without end, the same for the same seed."""
    from tests.properties.mutate import mutations

    rng = Random(seed)
    damaged = mutations(list(seeds), rng)
    while True:
        if games and rng.random() < 0.4:
            text = rng.choice(games)
            for _ in range(rng.choice((1, 1, 1, 2, 4))):
                text = _swapped(text, rng)
            yield text
        else:
            yield next(damaged)


def feed(text: str, *, name: str = "<fuzz>", deep: bool = True) -> tuple[str, str]:
    """Put a text through everything. A word on how far it came, and a traceback if it should not have ended
    so.

    Not `deep`: it is not compiled and played, which takes longest."""
    reporter = Reporter()
    stage = "parse"
    try:
        loaded = load_single(text, name, reporter)
        if reporter.has_errors:
            render_report(reporter.diagnostics)
            return "syntax", ""
        stage = "analyse"
        from rulescript.analysis.analyse import analyse, options_of
        from rulescript.analysis.checks import check_game

        options, _ = options_of(loaded)
        model = analyse(loaded, [o for o in options if len(options) == 1], "", reporter)
        if not reporter.has_errors:
            check_game(model, reporter)
        render_report(reporter.diagnostics)
        if reporter.has_errors:
            return "mistakes", ""
        if not deep:
            return "clean", ""
        stage = "compile"
        from rulescript.compiler.module import compile_game
        from rulescript.runtime.failures import GENERATED
        from rulescript.runtime.game import Game

        compiled = compile_game(model)
        game = Game(compile(compiled.text, GENERATED, "exec"), compiled.data, compiled.origins)
        if not game.data.start:
            return "compiled", ""
        stage = "play"
        rng = Random(len(text))
        position = game.start(seed=len(text))
        for _ in range(DECISIONS):
            decision = position.decision
            if decision is None:
                break
            if not len(decision):
                return stage, f"a decision without options: {decision!r}"
            option = decision.options[rng.randrange(len(decision))]
            _ = option.text, decision.prompt
            position.choose(option)
        position.journal.text()
        return "played", ""
    except RulescriptError as problem:
        _ = str(problem)
        return f"refused in {stage}", ""
    except Exception:
        return stage, traceback.format_exc()
