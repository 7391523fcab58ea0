"""Examples of play: what is given, what is played, what must follow, with the position before and after.

In come the examples of a game; each is really played, by the same code that tests it, and watched. So a picture shows
what the rules do, not what somebody believes they do, and an example that fails is printed as one.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from attrs import define, field
from markupsafe import Markup

from rulescript import nodes as n
from rulescript.analysis.types import PieceOf, ThingOf
from rulescript.claims import steps as s
from rulescript.claims.run import Found, run_example
from rulescript.docgen.maps import Map
from rulescript.docgen.names import Anchors, slug
from rulescript.docgen.outline import Outliner, sentence
from rulescript.docgen.positions import Counters, Snapshot, changes, pair, picture, take
from rulescript.docgen.subject import Subject
from rulescript.errors import RulescriptError
from rulescript.model.english import kind_noun, plural
from rulescript.source import Span

if TYPE_CHECKING:
    from rulescript.claims.play import Table

__all__ = ["Example", "Passage", "Telling", "Word", "examples_of"]

_CITES = re.compile(r"\s*§\s?[A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*(?:\s*,\s*§\s?[A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*)*\s*$")
_COMMENT = re.compile(r"\s+#[^\n\"]*$")
MOST_SPACES = 14
WORTH_SHARING = 24
MOST_TOGETHER = 30


@define
class Word:
    """A line of an example. `form` is given, say, dice, draw, shuffle, run, asks, expect, try, legal or note."""

    form: str
    text: str
    player: str = ""
    dice: tuple[int, ...] = ()
    cites: tuple[str, ...] = ()
    good: bool = True


@define
class Passage:
    """A stretch of an example: play, or what must be so then."""

    form: str
    words: list[Word] = field(factory=list)


@define
class Telling:
    """An example or one of its cases: its lines, its pictures, and how it came out."""

    title: str
    given: list[Word]
    passages: list[Passage]
    before: Markup = field(default=Markup(""))
    after: Markup = field(default=Markup(""))
    changed: list[tuple[str, str, str]] = field(factory=list)
    ok: bool = True
    why: str = ""
    exercised: set[str] = field(factory=set)


@define
class Example:
    title: str
    anchor: str
    cites: tuple[str, ...]
    file: str
    line: int
    options: list[str]
    tellings: list[Telling]
    level: int = 0

    @property
    def ok(self) -> bool:
        return all(t.ok for t in self.tellings)


def examples_of(
    subject: Subject,
    maps: list[Map],
    anchors: Anchors,
    page: str,
    step: Callable[[], None] | None = None,
    jobs: int = 1,
) -> list[Example]:
    """Every example of a game, played; by several processes if there are many."""
    found = subject.source.found()
    done: dict[int, Example] = {}
    if jobs > 1 and len(found) >= WORTH_SHARING:
        for number, example in shared(subject, maps, _groups(found), jobs):
            done[number] = example
            if step is not None:
                step()
    else:
        for number, example in _played(subject, maps, range(len(found))):
            done[number] = example
            if step is not None:
                step()
    for number in sorted(done):
        done[number].anchor = anchors.new(done[number].anchor, page)
    return [done[number] for number in sorted(done)]


def _played(subject: Subject, maps: list[Map], numbers: Iterable[int]) -> Iterator[tuple[int, Example]]:
    found = subject.source.found()
    counters: dict[int, Counters] = {}
    for number in numbers:
        yield number, _Player(subject, found[number], maps, counters, number).example()


def _groups(found: Sequence[Found]) -> list[list[int]]:
    """The numbers of examples that need the same game, together: a game is compiled once."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, each in enumerate(found):
        withs = [line.text for line in each.example.lines if line.text.startswith("with")]
        groups.setdefault((*each.options, each.scenario, *withs), []).append(number)
    out: list[list[int]] = []
    for numbers in groups.values():
        # A large group is worth compiling its game twice.
        out += [numbers[at : at + MOST_TOGETHER] for at in range(0, len(numbers), MOST_TOGETHER)]
    return sorted(out, key=lambda g: (-len(g), g[0]))


# ------------------------------------------------------------------ in several processes

_work: tuple[Subject, list[Map]] | None = None


def shared(subject: Subject, maps: list[Map], groups: list[list[int]], jobs: int) -> Iterator[tuple[int, Example]]:
    """Examples played by other processes, as they come. Each begins as a copy of this one, with the game in it."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed

    global _work
    if "fork" not in multiprocessing.get_all_start_methods() or sys.platform == "darwin":
        yield from _played(subject, maps, [n for group in groups for n in group])
        return
    _work = (subject, maps)
    with contextlib.suppress(RulescriptError):
        subject.source.game()  # the one most examples need; the others begin with a copy of it
    try:
        with ProcessPoolExecutor(min(jobs, len(groups)), multiprocessing.get_context("fork")) as pool:
            for future in as_completed([pool.submit(_play_group, group) for group in groups]):
                yield from future.result()
    finally:
        _work = None


def _play_group(numbers: list[int]) -> list[tuple[int, Example]]:
    assert _work is not None
    subject, maps = _work
    return list(_played(subject, maps, numbers))


def pretty(text: str, labels: Mapping[str, str] | None = None) -> str:
    """A line of an example as people read it: things by what people call them, arrows as arrows."""
    line = _CITES.sub("", _COMMENT.sub("", " ".join(text.split())))
    parts = re.split(r'("(?:\\.|[^"\\])*")', line)
    known = labels or {}

    def word(found: re.Match[str]) -> str:
        return known.get(found[0]) or found[0].replace("_", " ").strip() or found[0]

    return "".join(p if p.startswith('"') else re.sub(r"[^\W\d]\w*", word, p).replace("->", "→") for p in parts)


class _Player:
    """Plays one example and tells it."""

    def __init__(
        self, subject: Subject, found: Found, maps: list[Map], counters: dict[int, Counters], number: int
    ) -> None:
        self.subject = subject
        self.found = found
        self.maps = maps
        self.counters = counters
        self.number = number
        self.plan, _ = subject.source.read(found)
        self.labels = subject.labels
        self.tables: dict[str, Table] = {}
        self.taken: dict[tuple[str, str], Snapshot] = {}

    def example(self) -> Example:
        results = run_example(self.subject.source, self.found, watch=self._watch)
        plan = self.plan
        level = next((f.level for f in self.subject.files if f.source.name == plan.span.source.name), 0)
        file = next((f.name for f in self.subject.files if f.source.name == plan.span.source.name), "")
        made = Example(
            plan.title, f"example-{slug(plan.title)}", plan.cites, file, plan.span.line,
            self._options(), [], level,
        )  # fmt: skip
        for at, result in enumerate(results):
            case = next((c for c in plan.cases if result.title == f"{plan.title} / {c.title}"), None)
            body = case.body if case is not None else tuple(plan.body)
            telling = Telling(
                case.title if case is not None else "", self._given(case), self._passages(result.title, body),
                ok=result.ok, exercised=set(result.exercised),
            )  # fmt: skip
            if not result.ok:
                telling.why = str(result.failures[0].message) if result.failures else "it fails"
            self._draw(telling, result.title, f"ex{self.number}-{at}")
            made.tellings.append(telling)
        return made

    def pretty(self, text: str) -> str:
        return pretty(text, self.labels)

    def _watch(self, title: str, moment: str, table: Table) -> None:
        self.tables[title] = table
        if moment in ("before", "after"):
            self.taken[(title, moment)] = take(table.position)

    def _options(self) -> list[str]:
        named = list(self.found.options)
        for line in self.plan.withs:
            if line.what == "options":
                named += [name.text.strip() for name in line.names]
        if self.found.scenario:
            named.append(self.found.scenario)
        named += [name.text.strip() for line in self.plan.withs if line.what == "scenario" for name in line.names]
        return list(dict.fromkeys(named))

    # -------------------------------------------------------------- words

    def _given(self, case: s.Case | None) -> list[Word]:
        plan = self.plan
        words: list[Word] = [Word("given", self.pretty(line.span.text)) for line in plan.withs]
        given = [line for line in self.found.example.lines if re.match(r"given\b", line.text)]
        if given:
            words += [Word("given", text) for line in given for text in _given_lines(line, self.labels)]
        else:
            words.append(Word("given", "the game's own set-up"))
        words += [Word("given", self.pretty(a.span.text)) for a in plan.assumes]
        if case is not None:
            changed = [self.pretty(c.span.text) for c in case.changes]
            if changed:
                words.append(Word("given", "but " + ", ".join(dict.fromkeys(changed))))
            words += [Word("given", self.pretty(a.span.text)) for a in case.assumes]
        return words

    def _passages(self, title: str, body: s.Body) -> list[Passage]:
        out: list[Passage] = []
        for part in body:
            form = "play" if isinstance(part, s.Play) else "expect"
            if not out or out[-1].form != form:
                out.append(Passage(form))
            if isinstance(part, s.Play):
                out[-1].words += [self._entry(title, e) for e in part.entries]
            else:
                out[-1].words += [self._claim(title, c) for c in part.claims]
        return out

    def _entry(self, title: str, entry: s.Entry) -> Word:
        match entry:
            case s.Say(player=player, words=words):
                return Word("say", self.pretty(words.text), self.pretty(player.text) if player is not None else "")
            case s.Dice(values=values, label=label):
                return Word("dice", self.pretty(label.text) if label is not None else "", dice=values)
            case s.Draw():
                return Word("draw", self.pretty(entry.span.text))
            case s.Shuffle():
                return Word("shuffle", self.pretty(entry.span.text))
            case s.RunTo():
                return Word("run", self.pretty(entry.span.text))
            case s.Claim():
                return self._claim(title, entry)
        return Word("note", self.pretty(entry.span.text))

    def _claim(self, title: str, claim: s.Claim) -> Word:
        match claim:
            case s.Condition(text=text):
                return Word("expect", self._said(title, text), cites=claim.cites)
            case s.Try(refused=refused, by=by):
                said = self.pretty(claim.span.text).removeprefix("try ")
                move, _, _ = said.partition("→")
                why = f"refused{': ' + claim.because if claim.because else ''}" if refused else "allowed"
                return Word("try", f"{move.strip()}: {why}", cites=by, good=not refused)
            case s.Legal():
                return Word("legal", sentence(self._legal(claim)), cites=claim.cites)
            case s.Has() | s.IsEmpty():
                place = re.sub(r"(\w)\.(\w)", r"\1's \2", self.pretty(claim.place.text))
                rest = self.pretty(claim.span.text)[len(self.pretty(claim.place.text)) :]
                return Word("expect", sentence(f"{place}{rest}"), cites=claim.cites)
            case s.OutcomeIs(text=text):
                return Word("expect", sentence(f"the outcome: {self.pretty(text.text)}"), cites=claim.cites)
            case s.Asks(text=text, negated=negated):
                asked = "is not asked" if negated else "is asked next"
                return Word("expect", sentence(f"{self.pretty(text.text)} {asked}"), cites=claim.cites)
        return Word("expect", sentence(self.pretty(claim.span.text)), cites=claim.cites)

    def _legal(self, claim: s.Legal) -> str:
        """``legal r for t = infantry exactly {Ford}`` as "possible regions (tile: infantry): exactly Ford"."""
        names = [claim.var.text.strip(), *(var.text.strip() for var, _ in claim.fixed)]
        kinds = self._kinds_of(names)
        what = plural(kinds[names[0]])
        fixed = [f"{kinds[var.text.strip()]}: {self.pretty(value.text)}" for var, value in claim.fixed]
        fixed += [f"to {self.pretty(label.text)}" for label in claim.labels]
        given = f" ({', '.join(fixed)})" if fixed else ""
        items = ", ".join(self.pretty(item.text) for item in claim.items) or "none"
        if claim.relation == "count":
            items = str(claim.count)
        return f"possible {what}{given}: {claim.relation} {items}"

    def _kinds_of(self, names: Sequence[str]) -> dict[str, str]:
        """What the names of a choice stand for: their kinds, in the first choice that has all of them."""
        for _, choose in self.subject.model.chooses:
            for alt in choose.alts:
                picks = {
                    var.name: kind_noun(var.type.kind)
                    for var, _ in alt.picks
                    if isinstance(var.type, ThingOf | PieceOf)
                }
                if set(names) <= set(picks):
                    return picks
        return {name: name for name in names}

    def _said(self, title: str, text: Span) -> str:
        """A condition in plain English; as it was written where it cannot be read."""
        table = self.tables.get(title)
        if table is not None:
            try:
                x = table.evaluator.read_at(text)
                return sentence(Outliner((), (), [x]).say(x))
            except (RulescriptError, AssertionError, LookupError, TypeError, ValueError):
                pass
        return sentence(self.pretty(text.text))

    # -------------------------------------------------------------- pictures

    def _draw(self, telling: Telling, title: str, ident: str) -> None:
        before, after = self.taken.get((title, "before")), self.taken.get((title, "after"))
        table = self.tables.get(title)
        if before is None or after is None or table is None:
            return
        game = table.game
        counters = self.counters.get(id(game))
        if counters is None:
            counters = self.counters[id(game)] = Counters(game)
        telling.changed = changes(game, before, after)
        of = next((each for each in self.maps if each.kind.name in game.data["kinds"]), None)
        if of is None or len(game.data["kinds"][of.kind.name]["names"]) != len(of.spaces):
            return
        shown = self._shown(of, before, after)
        if not shown:
            return
        told = f"{self.plan.title}{': ' + telling.title if telling.title else ''}"
        if telling.changed:
            telling.before, telling.after = pair(of, game, before, after, counters, told, ident, shown)
        else:
            telling.before = picture(of, game, before, counters, told, f"{ident}-b", None, shown)

    def _shown(self, of: Map, before: Snapshot, after: Snapshot) -> set[int]:
        """The spaces that play a role: named in the example, holding something it put there, or changed."""
        text = _words(self.found.example.span.text)
        kind = of.kind.name
        named = {space.index for space in of.spaces if _is_named(space.name, space.label, text)}
        changed = {
            space.index
            for space in of.spaces
            if _contents(before, kind, space.index) != _contents(after, kind, space.index)
        }
        filled = {space.index for space in of.spaces if _contents(before, kind, space.index)[0]}
        is_bare = self.plan.given is not None and self.plan.given.base == "empty"
        shown = named | changed | (filled if is_bare else set())
        if not shown and len(filled) <= MOST_SPACES:
            shown = filled
        return shown


def _contents(snapshot: Snapshot, kind: str, index: int) -> tuple[Any, Any]:
    spot = snapshot.spots.get((kind, index))
    return (spot.places, spot.states) if spot is not None else ({}, {})


@lru_cache(maxsize=1024)
def _words(text: str) -> str:
    return " " + re.sub(r"[\W_]+", " ", text).lower() + " "


def _is_named(name: str, label: str, text: str) -> bool:
    return _words(name) in text or _words(label) in text


def _given_lines(line: n.OutlineLine, labels: Mapping[str, str], depth: int = 0) -> list[str]:
    """The lines of a `given`, each as people read it."""
    told = pretty(line.text, labels)
    out = [told.removeprefix("given ") if not depth else told]
    for inner in line.lines:
        below = _given_lines(inner, labels, depth + 1)
        if depth:
            out[0] += f" {', '.join(below)}" if out[0].endswith(":") else f", {', '.join(below)}"
        else:
            out += below
    return out
