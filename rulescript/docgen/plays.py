"""Examples of play: what is given, what is played, what must follow, with the position before and after.

In come the examples of a game; each is really played, by the same code that tests it, and watched. So a picture shows
what the rules do, not what somebody believes they do, and an example that fails is printed as one.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from attrs import define, field
from markupsafe import Markup

from rulescript.claims import steps as s
from rulescript.claims.gone_through import Need, Noting
from rulescript.claims.run import SOME_TEXT, Found, run_example
from rulescript.docgen.example_words import ExampleWords, Word
from rulescript.docgen.kept import Kept, idents_of
from rulescript.docgen.maps import Map
from rulescript.docgen.names import slug
from rulescript.docgen.positions import Counters, Snapshot, changes, pair, picture, take
from rulescript.docgen.provenance import Tried, is_with_more, play_share, shares_of, together
from rulescript.docgen.subject import Subject
from rulescript.errors import RulescriptError
from rulescript.pipeline import check_options
from rulescript.pipeline.failing_check import failed_checks
from rulescript.processes import Helpers, can_fork, end, uninterrupted
from rulescript.runtime.game import Game
from rulescript.story.sentences import Sentences
from rulescript.story.storyteller import Storyteller

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from rulescript.claims.play import Table
    from rulescript.nodes import OutlineLine

__all__ = ["Example", "Passage", "Playing", "Telling", "Word"]

_CHOOSES = re.compile(r"with\b(?! players?\b)|given scenario\b")
MOST_SPACES = 14
# How many examples are worth other processes, how many are handed out together, and how many of these must be left of
# a game that somebody else has compiled before another compiles it, too.
WORTH_SHARING = 24
TOGETHER = 6
WORTH_HELP = 4


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
    # What happened, line by line: how deep, who, what.
    story: list[tuple[int, str, str]] = field(factory=list)


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
    # The rules it went through (claims/gone_through.py); None where it depends on all of them.
    needs: list[Need] | None = None

    @property
    def ok(self) -> bool:
        return all(t.ok for t in self.tellings)


class Playing:
    """The examples of a game while they are played: one after the other when they are asked for, or, if there are many,
    at once by other processes, while this one does something else. What was played before is not played again."""

    def __init__(self, subject: Subject, maps: list[Map], jobs: int = 1, kept: Kept | None = None) -> None:
        self.subject = subject
        self.maps = maps
        self.kept = kept if kept is not None else Kept(None)
        self.found = subject.source.found()
        self.idents = idents_of(self.found)
        self.done: dict[int, Example] = {}
        for number, known in self.kept.examples(self.found, subject.source, jobs).items():
            _place(known, self.found[number], subject)
            self.done[number] = known
        self.left = [number for number in range(len(self.found)) if number not in self.done]
        self._told = 0
        self._shares: _Shares | None = None
        # Who plays which share of the random games, and how many there are to be if some wait for their game.
        self._random: dict[int, Helpers] = {}
        self._waiting = 0
        self._has_begun = False
        # A game that takes long to compile for a few examples is compiled beside the rest, too.
        self.is_large = sum(len(file.text) for file in subject.text.files) > SOME_TEXT
        self.jobs = jobs if self.is_large and can_fork() else 1
        if (self.jobs > 1 and self.left) or (jobs > 1 and len(self.left) >= WORTH_SHARING and can_fork()):
            _ = subject.labels  # made once for all processes
            self._shares = _Shares(subject, maps, _groups(self.found, self.left), jobs, self.is_large)
            if self._shares.has_others:
                self._shares.begin(1)

    def compiled(self) -> Game | None:
        """A large game, compiled as examples are played with it; None if it is not large, or has mistakes."""
        model, source = self.subject.model, self.subject.source
        if not self.is_large:
            return None
        game = source.composed(model.options, model.scenario, is_common=True)
        game.text = self.subject.text
        return game if not failed_checks(game) else None

    def make_common(self) -> None:
        """Make the games of scenarios that others play examples with and this process sets up: they will take them
        along."""
        groups = self._shares.groups if self._shares is not None else ()
        for name in self.subject.laid_out:
            if any(group.names_any({name}) for group in groups):
                with suppress(RulescriptError):  # told where it is set up
                    self.subject.source.game(self.subject.needed(name), name)

    def begin_random(self, games: int) -> None:
        """Let others play so many games at random, if the game is large: those with further options from here on, the
        rest when the game that is printed is there."""
        if self._random or self._waiting or self.jobs < 2 or not games:
            return
        self._waiting = games
        for share in range(shares_of(self.subject, games)):
            if is_with_more(self.subject, games, share):
                self._random[share] = self._playing(games, share)
        if self._has_begun:
            self._begin_first()

    def _begin_first(self) -> None:
        if self._waiting:
            for share in range(shares_of(self.subject, self._waiting)):
                if share not in self._random:
                    self._random[share] = self._playing(self._waiting, share)
            self._waiting = 0

    def _playing(self, games: int, share: int) -> Helpers:
        return Helpers(lambda _: play_share(self.subject, games, share), 1, 1)

    def random_games(self) -> Tried | None:
        """What came of them; None if nobody plays them, or something went wrong there."""
        if not self._random:
            return None
        found: list[Tried | None] = [self._random[share].answers()[0] for share in sorted(self._random)]
        self._random = {}
        whole = [each for each in found if each is not None]
        return together(whole) if len(whole) == len(found) else None

    def begin(self) -> None:
        """Let others play from here on; before, they play only what needs another game than the one that is printed,
        which this process may be compiling."""
        self._has_begun = True
        self._begin_first()
        if self._shares is not None:
            self._shares.begin()

    @property
    def has_others(self) -> bool:
        """Whether other processes play."""
        return self._shares is not None or bool(self._random)

    def tell(self, step: Callable[[], None] | None) -> None:
        """Report each example that was played since the last time."""
        played = len(self.done) + (self._shares.played if self._shares is not None else 0)
        while self._told < played:
            self._told += 1
            if step is not None:
                step()

    def finish(self, step: Callable[[], None] | None = None) -> list[Example]:
        """All of them, in their order."""
        self.tell(step)
        if self._shares is not None:
            for number, example in self._shares.finish(lambda: self.tell(step)):
                self._came(number, example)
            self._shares = None
        for number, example in _played(self.subject, self.maps, [at for at in self.left if at not in self.done]):
            self._came(number, example)
            self.tell(step)
        self.tell(step)
        return [self.done[number] for number in sorted(self.done)]

    def known(self) -> list[Example]:
        """Those that need not be played, in their order."""
        return [self.done[number] for number in sorted(self.done)]

    def _came(self, number: int, example: Example) -> None:
        self.done[number] = example
        self.kept.keep(self.idents[number], self.found[number], self.found, example)

    def stop(self) -> None:
        """Nobody wants to know any more."""
        for helpers in self._random.values():
            helpers.stop()
        self._random = {}
        if self._shares is not None:
            self._shares.stop()
            self._shares = None


def _place(example: Example, found: Found, subject: Subject) -> None:
    """Say where an example stands."""
    span = found.example.span
    file = next((f for f in subject.files if f.source.name == span.source.name), None)
    example.file, example.level = (file.name, file.level) if file is not None else ("", 0)
    example.line = span.line


def _played(subject: Subject, maps: list[Map], numbers: Iterable[int]) -> Iterator[tuple[int, Example]]:
    found = subject.source.found()
    idents = idents_of(found)
    counters: dict[int, Counters] = {}
    for number in numbers:
        yield number, _Player(subject, found[number], maps, counters, idents[number]).example()


# ------------------------------------------------------------------ in several processes


_Games = tuple[tuple[str, ...], tuple[str, ...]]


@define
class _Group:
    """The numbers of some examples that need the same games: `key` says which one for all of an example, `cases` which
    for some of its cases."""

    key: tuple[str, ...]
    cases: tuple[str, ...]
    numbers: list[int]

    @property
    def games(self) -> _Games:
        return self.key, self.cases

    def names_any(self, names: Iterable[str]) -> bool:
        """Whether one of some options or scenarios is among what they need."""
        said = set(re.findall(r"\w+", " ".join((*self.key, *self.cases))))
        return not said.isdisjoint(names)


def _groups(found: Sequence[Found], numbers: Sequence[int]) -> list[_Group]:
    """Examples that need the same games, a few at a time; those whose games most examples need first."""
    by_games: dict[_Games, list[int]] = {}
    for number in numbers:
        each = found[number]
        key = (*each.options, each.scenario, *_chosen(each.example.lines))
        inner = [line for line in each.example.lines if line.lines]
        cases = tuple(dict.fromkeys(text for line in inner for text in _chosen(line.lines)))
        by_games.setdefault((key, cases), []).append(number)
    order = sorted(by_games.items(), key=lambda pair: (-len(pair[1]), pair[1][0]))
    return [_Group(*games, all_[at : at + TOGETHER]) for games, all_ in order for at in range(0, len(all_), TOGETHER)]


def _chosen(lines: Iterable[OutlineLine]) -> list[str]:
    return [line.text for line in lines if _CHOOSES.match(line.text)]


class _Shares:
    """Groups of examples, and the processes that play them. Each takes a group of a game it has compiled already, or
    else of one that nobody has; only when there are many left of another's game does it compile that, too. If
    `is_fetched`, whoever begins this compiles the game that is printed, for all."""

    def __init__(self, subject: Subject, maps: list[Map], groups: list[_Group], jobs: int, is_fetched: bool) -> None:
        import multiprocessing

        self.context = context = multiprocessing.get_context("fork")
        self.subject, self.maps, self.groups = subject, maps, groups
        self.lock = context.Lock()
        self.taken = context.Array("b", len(groups), lock=False)
        self.count = context.Value("i", 0, lock=False)
        # The key of the game that is printed, if examples are played with it, and whether it is there.
        is_plain = subject.model.options == check_options(subject.text, (), "") and not subject.model.scenario
        self.printed = ("",) if is_plain and is_fetched else None
        self.is_compiled = context.Event()
        # Groups that need a game which whoever begins this makes for all: to be taken when it is there.
        self.waiting = [group.key == self.printed or group.names_any(subject.laid_out) for group in groups]
        self.parent = os.getpid()
        # One for each game, and one more for each group by which there are more than somebody needs help with.
        most = sum(1 + max(0, count - WORTH_HELP) for count in Counter(group.key for group in groups).values())
        self.left = min(jobs, most)
        self.pools: list[ProcessPoolExecutor] = []
        self.futures: list[Future[list[tuple[int, Example]]]] = []

    @property
    def has_others(self) -> bool:
        """Whether some need a game that is made for all, and some another one."""
        return 0 < sum(self.waiting) < len(self.groups)

    def begin(self, workers: int | None = None) -> None:
        """Let so many processes begin; or all that are left, when the game that is printed is there."""
        from concurrent.futures import ProcessPoolExecutor

        global _work
        if workers is None:
            self.is_compiled.set()
        workers = min(self.left, workers or self.left)
        if not workers:
            return
        self.left -= workers
        self.pools.append(ProcessPoolExecutor(workers, self.context))
        _work = self
        try:
            with uninterrupted():
                self.futures += [self.pools[-1].submit(_play_share) for _ in range(workers)]
        finally:
            _work = None

    @property
    def played(self) -> int:
        return int(self.count.value)

    def next(self, made: set[_Games]) -> _Group | None:
        """The next group for a process that has compiled some games. One of a game made for all is waited for."""
        with self.lock:
            free = [at for at, taken in enumerate(self.taken) if not taken]
            if not self.is_compiled.is_set():
                free = [at for at in free if not self.waiting[at]]
            begun = {group.games for group, taken in zip(self.groups, self.taken, strict=True) if taken}
            own = [at for at in free if self.groups[at].games in made]
            new = [at for at in free if self.groups[at].games not in begun]
            # It is compiled, and need only be fetched.
            printed = [at for at in free if self.groups[at].key == self.printed]
            left = Counter(self.groups[at].games for at in free)
            others = [at for at in free if left[self.groups[at].games] >= WORTH_HELP]
            at = next(iter([*own, *new, *printed, *others]), -1)
            if at >= 0:
                self.taken[at] = 1
                return self.groups[at]
        if self.is_compiled.is_set():
            return None
        while not self.is_compiled.wait(1.0):
            if os.getppid() != self.parent:
                return None  # nobody is there any more
        return self.next(made)

    def finish(self, tell: Callable[[], None]) -> Iterator[tuple[int, Example]]:
        from concurrent.futures import wait

        try:
            waiting = set(self.futures)
            while waiting:
                _, waiting = wait(waiting, timeout=0.1)
                tell()
            self.count.value = 0
            for future in self.futures:
                yield from future.result()
        except BaseException:
            self.stop()
            raise
        for pool in self.pools:
            pool.shutdown()

    def stop(self) -> None:
        for pool in self.pools:
            end(pool)


_work: _Shares | None = None


def _play_share() -> list[tuple[int, Example]]:
    """What one of the processes does."""
    import gc

    work = _work
    assert work is not None
    gc.freeze()  # what was there before stays: looking for garbage in it would only make copies of it
    gc.set_threshold(100_000, 20, 50)
    gc.enable()
    made: set[_Games] = set()
    out: list[tuple[int, Example]] = []
    while (group := work.next(made)) is not None:
        made.add(group.games)
        for number, example in _played(work.subject, work.maps, group.numbers):
            out.append((number, example))
            with work.lock:
                work.count.value += 1
    return out


# What tells the events of each game.
_sentences: WeakKeyDictionary[Game, Sentences] = WeakKeyDictionary()


class _Player:
    """Plays one example and tells it."""

    def __init__(
        self, subject: Subject, found: Found, maps: list[Map], counters: dict[int, Counters], ident: str
    ) -> None:
        self.subject = subject
        self.found = found
        self.maps = maps
        self.counters = counters
        self.ident = ident
        self.plan, _ = subject.source.read(found)
        self.tables: dict[str, Table] = {}
        self.taken: dict[tuple[str, str], Snapshot] = {}
        # How much had happened when the example began: what it is not about.
        self.set_up: dict[str, int] = {}

    def example(self) -> Example:
        source = self.subject.source
        source.noting = noting = Noting()
        made = self._played()
        # What fails is told with what there could have been instead.
        made.needs = noting.needs(source.parts) if made.ok else None
        return made

    def _played(self) -> Example:
        results = run_example(self.subject.source, self.found, watch=self._watch)
        plan = self.plan
        made = Example(plan.title, f"example-{slug(plan.title)}", plan.cites, "", 0, self._options(), [])
        _place(made, self.found, self.subject)
        for at, result in enumerate(results):
            case = next((c for c in plan.cases if result.title == f"{plan.title} / {c.title}"), None)
            body = plan.body_of(case)
            told = ExampleWords(self.subject, plan, self.tables.get(result.title))
            telling = Telling(
                case.title if case is not None else "", told.given(case), self._passages(told, body),
                ok=result.ok, exercised=set(result.exercised),
            )  # fmt: skip
            if not result.ok:
                telling.why = str(result.failures[0].message) if result.failures else "it fails"
            self._draw(telling, result.title, f"{self.ident}-{at}")
            telling.story = self._story(result.title)
            made.tellings.append(telling)
        return made

    def _watch(self, title: str, moment: str, table: Table) -> None:
        self.tables[title] = table
        if moment in ("before", "after"):
            self.taken[(title, moment)] = take(table.position)
        if moment == "before":
            self.set_up[title] = len(table.position._opening)

    def _options(self) -> list[str]:
        named = list(self.found.options)
        for line in self.plan.withs:
            if line.what == "options":
                named += [name.text.strip() for name in line.names]
        if self.found.scenario:
            named.append(self.found.scenario)
        named += [name.text.strip() for line in self.plan.withs if line.what == "scenario" for name in line.names]
        return list(dict.fromkeys(named))

    @staticmethod
    def _passages(told: ExampleWords, body: s.Body) -> list[Passage]:
        out: list[Passage] = []
        for part in body:
            form = "play" if isinstance(part, s.Play) else "expect"
            if not out or out[-1].form != form:
                out.append(Passage(form))
            if isinstance(part, s.Play):
                out[-1].words += map(told.entry, part.entries)
            else:
                out[-1].words += map(told.claim, part.claims)
        return out

    def _story(self, title: str) -> list[tuple[int, str, str]]:
        """What happened, as a player would tell it; nothing if that is no more than what was chosen."""
        table = self.tables.get(title)
        if table is None or not table.position.steps:
            return []
        events = table.position.journal.after(self.set_up.get(title, 0))
        sentences = _sentences.get(table.game)
        if sentences is None:
            sentences = _sentences[table.game] = Sentences(table.game.data)
        lines = Storyteller(table.game.data, "story", sentences).lines(events)
        told = [line for line in lines if line.sort not in ("turn", "phase")]
        if all(line.sort == "choice" for line in told):
            return []
        return [(line.depth - 1, line.who, line.text) for line in told]

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
        of = next((each for each in self.maps if each.kind.name in game.data.kinds), None)
        if of is None or len(game.data.kinds[of.kind.name].names) != len(of.spaces):
            return
        shown = self._shown(of, before, after)
        if not shown:
            return
        told = f"{self.plan.title}{': ' + telling.title if telling.title else ''}"
        if self._changed(of, before, after):
            telling.before, telling.after = pair(of, game, before, after, counters, told, ident, shown)
        else:
            telling.before = picture(of, game, before, counters, told, f"{ident}-b", None, shown)

    @staticmethod
    def _changed(of: Map, before: Snapshot, after: Snapshot) -> set[int]:
        """The spaces that look different afterwards; where there are none, one picture says as much as two."""
        kind = of.kind.name
        return {
            space.index
            for space in of.spaces
            if _contents(before, kind, space.index) != _contents(after, kind, space.index)
        }

    def _shown(self, of: Map, before: Snapshot, after: Snapshot) -> set[int]:
        """The spaces that play a role: named in the example, holding something it put there, or changed."""
        text = _words(self.found.example.span.text)
        kind = of.kind.name
        named = {space.index for space in of.spaces if _is_named(space.name, space.label, text)}
        changed = self._changed(of, before, after)
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
