"""What the examples, random games and set-ups of a game came to, kept in the user's cache: who prints a game again
after mending a sentence need not wait for all of it to be played again.

There is one file for each game that was printed, written anew each time, so that the cache does not grow. An example is
taken from it if neither the example nor any it builds on have changed since, nor the rules it went through
(claims/gone_through.py); prose, other rules and other examples may have. It holds plain data and nothing that is run.
"""

from __future__ import annotations

import hashlib
import sys
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from rulescript import nodes as n
from rulescript.analysis.analyse import chain_of
from rulescript.claims.gone_through import Need, is_met
from rulescript.docgen.provenance import Tried
from rulescript.docgen.shapes import MOST_BYTES
from rulescript.loader import read_beside
from rulescript.pipeline import kept_game
from rulescript.pipeline.cache import own_key, read_kept, write_kept
from rulescript.pipeline.shelf import kept_parts
from rulescript.pipeline.unchanged import rules_of
from rulescript.processes import shared
from rulescript.resources import cache_folder
from rulescript.testing.coverage import Reached

if TYPE_CHECKING:
    from rulescript.claims.run import Found, GameSource
    from rulescript.docgen.plays import Example
    from rulescript.docgen.setups import Setup
    from rulescript.docgen.subject import Subject
    from rulescript.loader import GameText
    from rulescript.runtime.game import Game

__all__ = ["Kept", "idents_of"]

# Parts of rulescript that decide what an example comes to, beside those that decide what a game is.
_OURS = ("claims", "diagnostics", "docgen", "explain", "story", "testing")


class Kept:
    """What is known from last time, and what is to be known next time."""

    def __init__(
        self, path: Path | None, engine: str = "", rules: str = "", lines: _Lines | None = None,
        seen: Callable[[], str] = str,
    ) -> None:  # fmt: skip
        self.path = path
        self.engine, self.rules = engine, rules
        self._lines = lines
        before, found = _read(path, engine) if path is not None else ("", {})
        self._is_same = before == rules
        self._old = found if self._is_same else {}
        self._earlier = found
        # What all examples show besides their own rules; of rules that have not changed it is known.
        self._seen = seen
        self._new: dict[str, Any] = {}
        self._like = ""

    @classmethod
    def of(cls, subject: Subject) -> Kept:
        folder = cache_folder()
        text = subject.text
        if folder is None or text.folder is None:
            return cls(None)
        chosen = (*subject.model.options, "scenario", subject.model.scenario)
        which = _hash(str(text.folder.resolve()), text.ident, *chosen)
        drawn = _drawn_with(subject)
        engine = _hash(sys.version, own_key(_OURS), *chosen)

        def seen() -> str:
            labels = [f"{name} {label}" for name, label in sorted(subject.labels.items())]
            said = subject.source.parts(subject.model.options, subject.model.scenario)
            return _hash(said.frame, *drawn, *labels)

        # What examples assume something of is written out nowhere, so other lines are run.
        rules = _hash(*rules_of(text), *drawn, "assumed", *sorted(subject.source.assumed_anywhere))
        return cls(folder / f"docs-{which}.bin", engine, rules, _Lines(text), seen)

    # -------------------------------------------------------------- examples

    def examples(self, every: list[Found], source: GameSource, jobs: int) -> dict[int, Example]:
        """Those that came out last time as they would now, by their numbers."""
        known: dict[int, tuple[str, Any]] = {}
        idents = idents_of(every)
        for number, found in enumerate(every):
            key = self._key(idents[number], found, every)
            data = self._earlier.get(key)
            if isinstance(data, tuple) and len(data) == 2:
                known[number] = (key, data)
        if not self._is_same:
            met = self._met({number: data[1] for number, (_, data) in known.items()}, source, jobs)
            known = {number: each for number, each in known.items() if number in met}
        out: dict[int, Example] = {}
        for number, (key, data) in known.items():
            try:
                out[number] = _unpacked(data)
            except (TypeError, ValueError):
                continue
            self._new[key] = data
        return out

    def _met(self, needs: Mapping[int, Any], source: GameSource, jobs: int) -> set[int]:
        """The numbers of those that went through nothing that has changed. Other processes help where the rules have to
        be read again with sets of options that nobody has looked at."""
        if not needs or not self._looks_alike:
            return set()
        by_game: dict[tuple[Any, ...], list[int]] = {}
        for number, some in needs.items():
            if some:
                by_game.setdefault(tuple(need[:2] for need in some), []).append(number)
        groups = sorted(by_game.values(), key=len, reverse=True)

        def look(at: int) -> list[int]:
            return [number for number in groups[at] if is_met(needs[number], source.parts)]

        sets = {need[:2] for group in groups for need in needs[group[0]]}
        unread = sum(kept_parts(source.text, key) is None for key in sets)
        return {number for _, some in shared(look, len(groups), min(jobs, unread)) for number in some}

    @cached_property
    def _looks_alike(self) -> bool:
        """Whether what examples and set-ups show beside what they play is as it was."""
        return bool(self._earlier.get("seen") == self._seen())

    def keep(self, ident: str, found: Found, every: list[Found], example: Example) -> None:
        self._new[self._key(ident, found, every)] = _packed(example)

    def _key(self, ident: str, found: Found, every: list[Found]) -> str:
        own = found.example.span.text
        if "like" in own and not self._like:
            self._like = _hash(*(each.example.span.text for each in every))
        like = self._like if "like" in own else ""
        return _hash(ident, own, like, *found.cites, "options", *found.options, "scenario", found.scenario)

    # -------------------------------------------------------------- the game itself

    def game(self, subject: Subject, games: int) -> Game | None:
        """The game as it was compiled for the same rules. Its lines may have moved since, so nobody may play it to see
        which of them it reaches: the random games have to be known."""
        name = self._old.get("game")
        if self.path is None or not isinstance(name, str) or (games and f"{games} games" not in self._old):
            return None
        path, model = self.path.parent / name, subject.model
        found = kept_game(path) or subject.source.game_at(path, model.options, model.scenario)
        if found is not None:
            found.text, found._model = subject.text, subject.model
        return found

    def keep_game(self, game: Game, source: GameSource) -> None:
        place = game.kept or source.place_of(game)
        if self.path is not None and place is not None and place.parent == self.path.parent:
            self._new["game"] = place.name

    # -------------------------------------------------------------- random games

    def tried(self, games: int) -> Tried | None:
        """What random games came to last time."""
        key = f"{games} games"
        data = self._old.get(key)
        if data is None or self._lines is None:
            return None
        try:
            rules, lines, options, *rest = data
            reached = Reached()
            reached.rules.update(rules)
            reached.lines = {self._lines.now(*line) for line in lines}
            reached.options = set(options)
            made = Tried(reached, *rest)
        except (TypeError, ValueError, LookupError):
            return None
        self._new[key] = data
        return made

    def keep_tried(self, games: int, tried: Tried) -> None:
        reached, lines = tried.reached, self._lines
        if lines is None or not all(map(lines.knows, reached.lines)):
            return
        self._new[f"{games} games"] = (
            dict(reached.rules), sorted(map(lines.then, reached.lines)), sorted(reached.options), tried.games,
            dict(tried.decisions), tried.finished, tried.problem, tried.plain,
        )  # fmt: skip

    # -------------------------------------------------------------- set-ups

    def laid_out(self, setup: Setup, source: GameSource) -> bool:
        """Fill in a set-up as it came out last time; whether it is known."""
        key = f"set-up {setup.name} {setup.title} {setup.anchor}"
        data, needs = self._earlier.get(key, ((), ()))
        if not self._is_same and not (needs and self._looks_alike and is_met(needs, source.parts)):
            return False
        try:
            pictures, contents, states, first, problem, has_chance, shades, shaded_by, colours, legend = data
            setup.pictures = [Markup(picture) for picture in pictures]
            setup.contents, setup.states = [(a, b) for a, b in contents], [(a, b) for a, b in states]
            setup.first, setup.problem, setup.has_chance = first, problem, has_chance
            setup.shades, setup.shaded_by = [(a, b) for a, b in shades], shaded_by
            setup.colours, setup.legend = dict(colours), dict(legend)
        except (TypeError, ValueError):
            return False
        self._new[key] = (data, needs)
        return True

    def keep_setup(self, setup: Setup, needs: list[Need]) -> None:
        """`needs` are the rules it went through, as far as anybody knows."""
        data = (
            [str(picture) for picture in setup.pictures], setup.contents, setup.states, setup.first, setup.problem,
            setup.has_chance, setup.shades, setup.shaded_by, setup.colours, setup.legend,
        )  # fmt: skip
        self._new[f"set-up {setup.name} {setup.title} {setup.anchor}"] = (data, needs if not setup.problem else [])

    def write(self) -> None:
        if self.path is not None:
            self._new["seen"] = self._old["seen"] if "seen" in self._old else self._seen()
            if self._new != self._old:
                write_kept(self.path, (self.engine, self.rules, self._new))


def idents_of(every: Sequence[Found]) -> list[str]:
    """What each example is called within its pages. It stays the same when others come before it."""
    out: list[str] = []
    times: dict[str, int] = {}
    for found in every:
        ident = f"ex{_hash(found.example.span.text, *found.options, 'scenario', found.scenario)[:10]}"
        times[ident] = times.get(ident, 0) + 1
        out.append(ident if times[ident] == 1 else f"{ident}-{times[ident]}")
    return out


class _Lines:
    """Where lines stand: by the declaration they are in, so that they are found again when prose has moved them."""

    def __init__(self, text: GameText) -> None:
        self._firsts: dict[str, list[int]] = {}
        for game in chain_of(text):
            for piece in game.pieces:
                for each in (piece.declaration, *getattr(piece.declaration, "declarations", ())):
                    if not isinstance(each, n.Example):  # they come and go, and are no rules
                        self._firsts.setdefault(each.span.source.name, []).append(each.span.line)
        for lines in self._firsts.values():
            lines.sort()

    def knows(self, line: tuple[str, int]) -> bool:
        return line[0] in self._firsts and line[1] >= self._firsts[line[0]][0]

    def then(self, line: tuple[str, int]) -> tuple[str, int, int]:
        """A line as it can be found again: its file, the number of the declaration, and how far it is below that."""
        firsts = self._firsts[line[0]]
        at = bisect_right(firsts, line[1]) - 1
        return line[0], at, line[1] - firsts[at]

    def now(self, name: str, at: int, below: int) -> tuple[str, int]:
        return name, self._firsts[name][at] + below


def _read(path: Path, engine: str) -> tuple[str, dict[str, Any]]:
    """What was kept by this very engine, and for which rules."""
    try:
        by, rules, found = read_kept(path)
    except (ValueError, TypeError):
        return "", {}
    return (rules, found) if by == engine and isinstance(rules, str) and isinstance(found, dict) else ("", {})


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode(errors="replace")).hexdigest()[:32]


def _drawn_with(subject: Subject) -> list[str]:
    """The files that maps are drawn with."""
    out: list[str] = []
    for line in (line for each in subject.model.maps for line in each.drawn if line.file):
        folder = subject.folder_of(line.span.source)
        data = read_beside(folder, line.file, MOST_BYTES) if folder is not None else ""
        out.append(data if isinstance(data, str) else hashlib.sha256(data).hexdigest())
    return out


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
    told = (example.title, example.anchor, tuple(example.cites), list(example.options), tellings)
    return told, example.needs


def _word(word: Any) -> tuple[Any, ...]:
    return (word.form, word.text, word.player, tuple(word.dice), tuple(word.cites), word.good)


def _unpacked(data: tuple[Any, ...]) -> Example:
    from rulescript.docgen.plays import Example, Passage, Telling, Word

    (title, anchor, cites, options, packed), needs = data
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
    return Example(title, anchor, cites, "", 0, options, tellings, needs=needs)
