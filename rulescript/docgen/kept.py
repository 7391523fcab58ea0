"""What the examples and random games of a game came to, kept in the user's cache: who prints a game again after mending
a sentence need not wait for all of it to be played again.

There is one file for each game that was printed, written anew each time, so that the cache does not grow. An example is
taken from it if neither the rules nor the example nor any it builds on have changed since; prose and other examples may
have. It holds plain data and nothing that is run.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from rulescript import nodes as n
from rulescript.analysis.analyse import chain_of
from rulescript.docgen.provenance import Tried
from rulescript.pipeline.cache import own_key, read_kept, write_kept
from rulescript.resources import cache_folder
from rulescript.source import Span
from rulescript.testing.coverage import Reached

if TYPE_CHECKING:
    from rulescript.claims.run import Found
    from rulescript.docgen.plays import Example
    from rulescript.docgen.subject import Subject
    from rulescript.loader import GameText

__all__ = ["Kept"]

# Parts of rulescript that decide what an example comes to, beside those that decide what a game is.
_OURS = ("claims", "diagnostics", "docgen", "testing")


class Kept:
    """What is known from last time, and what is to be known next time."""

    def __init__(self, path: Path | None, rules: str, lines: str = "") -> None:
        self.path = path
        self.rules = rules
        self._lines = lines
        self._old = _read(path, rules) if path is not None else {}
        self._new: dict[str, Any] = {}
        self._like = ""

    @classmethod
    def of(cls, subject: Subject) -> Kept:
        folder = cache_folder()
        text = subject.text
        if folder is None or text.folder is None:
            return cls(None, "")
        chosen = (*subject.model.options, "scenario", subject.model.scenario)
        which = _hash(str(text.folder.resolve()), text.ident, *chosen)
        # Which lines random games reach is told by their numbers, so for these no line may have moved.
        lines = _hash(*(part for game in chain_of(text) for file in game.files for part in (file.name, file.text)))
        return cls(folder / f"docs-{which}.bin", _hash(own_key(_OURS), *chosen, *_rules_of(text)), lines)

    # -------------------------------------------------------------- examples

    def example(self, number: int, found: Found, every: list[Found]) -> Example | None:
        """An example as it came out last time."""
        key = self._key(number, found, every)
        data = self._old.get(key)
        if data is None:
            return None
        try:
            made = _unpacked(data)
        except (TypeError, ValueError):
            return None
        self._new[key] = data
        return made

    def keep(self, number: int, found: Found, every: list[Found], example: Example) -> None:
        self._new[self._key(number, found, every)] = _packed(example)

    def _key(self, number: int, found: Found, every: list[Found]) -> str:
        own = found.example.span.text
        if "like" in own and not self._like:
            self._like = _hash(*(each.example.span.text for each in every))
        like = self._like if "like" in own else ""
        return _hash(str(number), own, like, *found.cites, "options", *found.options, "scenario", found.scenario)

    # -------------------------------------------------------------- random games

    def tried(self, games: int) -> Tried | None:
        """What random games came to last time."""
        key = f"{games} games {self._lines}"
        data = self._old.get(key)
        if data is None:
            return None
        try:
            rules, lines, options, *rest = data
            reached = Reached()
            reached.rules.update(rules)
            reached.lines = {(name, line) for name, line in lines}
            reached.options = set(options)
            made = Tried(reached, *rest)
        except (TypeError, ValueError):
            return None
        self._new[key] = data
        return made

    def keep_tried(self, games: int, tried: Tried) -> None:
        reached = tried.reached
        self._new[f"{games} games {self._lines}"] = (
            dict(reached.rules), sorted(reached.lines), sorted(reached.options), tried.games, list(tried.decisions),
            tried.finished, tried.problem, tried.plain,
        )  # fmt: skip

    def write(self) -> None:
        if self.path is not None and self._new != self._old:
            write_kept(self.path, (self.rules, self._new))


def _read(path: Path, rules: str) -> dict[str, Any]:
    try:
        written, found = read_kept(path)
    except (ValueError, TypeError):
        return {}
    return found if written == rules and isinstance(found, dict) else {}


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode(errors="replace")).hexdigest()[:32]


def _rules_of(text: GameText) -> list[str]:
    """The text of the rules: without prose, empty lines and examples. Where a line stands makes no difference."""
    out: list[str] = []
    for game in chain_of(text):
        cut: dict[str, list[Span]] = {}
        for piece in game.pieces:
            inside = getattr(piece.declaration, "declarations", ())
            for each in (piece.declaration, *inside):
                if isinstance(each, n.Example):
                    cut.setdefault(each.span.source.name, []).append(each.span)
        for file in game.files:
            out.append(file.name)
            at = 0
            for span in sorted(cut.get(file.name, ()), key=lambda s: s.start):
                out += _lines(file.text, at, span.start)
                at = max(at, span.end)
            out += _lines(file.text, at, len(file.text))
    return out


def _lines(text: str, start: int, end: int) -> list[str]:
    return [line for each in text[start:end].split("\n") if (line := each.rstrip())]


# ------------------------------------------------------------------ as plain data


def _packed(example: Example) -> tuple[Any, ...]:
    tellings = [
        (
            t.title, [_word(w) for w in t.given], [(p.form, [_word(w) for w in p.words]) for p in t.passages],
            str(t.before), str(t.after), [tuple(c) for c in t.changed], t.ok, t.why, sorted(t.exercised),
            [tuple(line) for line in t.story],
        )
        for t in example.tellings
    ]  # fmt: skip
    return (example.title, example.anchor, tuple(example.cites), list(example.options), tellings)


def _word(word: Any) -> tuple[Any, ...]:
    return (word.form, word.text, word.player, tuple(word.dice), tuple(word.cites), word.good)


def _unpacked(data: tuple[Any, ...]) -> Example:
    from rulescript.docgen.plays import Example, Passage, Telling, Word

    title, anchor, cites, options, packed = data
    tellings: list[Telling] = []
    for named, given, told, before, after, changed, ok, why, exercised, story in packed:
        passages = [Passage(form, [Word(*w) for w in words]) for form, words in told]
        tellings.append(
            Telling(
                named, [Word(*w) for w in given], passages,
                Markup(before), Markup(after), [tuple(c) for c in changed], ok, why, set(exercised),
                [tuple(line) for line in story],
            )
        )  # fmt: skip
    return Example(title, anchor, cites, "", 0, options, tellings)
