"""Where things come from: what is reconstructed and why, how unclear rules are read, and how far the rules are tried.

What is reconstructed is read off the text itself, word for word where it says `reconstructed "why"`, so that nothing
can be left out. How far a rule is tried comes from the examples, which were played for their pictures, and from a
fixed number of random games: the same ones every time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import attrs
from attrs import define, field
from markupsafe import Markup

from rulescript import nodes as n
from rulescript.docgen.lines import walk_lines
from rulescript.docgen.subject import Subject
from rulescript.errors import RulescriptError
from rulescript.model import game as m
from rulescript.phrases import kind_noun, listed, readable
from rulescript.runtime.plain_steps import go_on
from rulescript.source import Span
from rulescript.testing.coverage import Coverage, Reached, coverage_of

if TYPE_CHECKING:
    from rulescript.docgen.changes import Option
    from rulescript.docgen.told import Told
    from rulescript.docgen.weave import Chapter
    from rulescript.runtime.game import Game

__all__ = ["Reading", "Reconstruction", "Rule", "Tried", "play_some", "readings_of", "reconstructed_in", "rules_of"]

MOST_DECISIONS = 1500
TRACED = 2


@define
class Reconstruction:
    """Something the rulebook does not give. `whose` names the option it belongs to, if any."""

    what: str
    sort: str
    why: str
    cites: tuple[str, ...]
    file: str
    line: int
    option: str = ""


def reconstructed_in(subject: Subject) -> list[Reconstruction]:
    """Everything that is marked, in the order it is written."""
    out: list[Reconstruction] = []
    for text in subject.chain:
        for piece in text.pieces:
            option = piece.declaration.name.text if isinstance(piece.declaration, n.OptionDecl) else ""
            if isinstance(piece.declaration, n.WithDecl):
                option = " and ".join(name.text for name in piece.declaration.names)
            for node in _marked(piece.declaration):
                span: Span = node.span
                file = next((f.name for f in subject.files if f.source.name == span.source.name), "")
                what, sort = _words(node, subject.model)
                cites = tuple(getattr(node, "cites", ())) or piece.cites
                out.append(Reconstruction(what, sort, node.reconstructed, cites, file, span.line, option))
    return out


def _marked(node: Any) -> Iterator[Any]:
    """A node and everything in it that is marked, as it is written."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, tuple | list):
            stack += reversed(here)
        elif attrs.has(type(here)):
            if getattr(here, "reconstructed", ""):
                yield here
            stack += [
                getattr(here, f.name) for f in reversed(attrs.fields(type(here))) if f.name not in ("span", "cites")
            ]


def _words(node: Any, game: m.Game) -> tuple[str, str]:
    """What is marked, in words, and what sort of thing it is."""

    def label(name: str) -> str:
        things = game.things.get(name, [])
        return things[0].label if things else readable(name)

    match node:
        case n.ThingDecl(kind=kind, name=name):
            return label(name.text), kind_noun(kind.text)
        case n.LinkLine(sort=sort, names=names, arrows=arrows):
            way = " – " if "->" not in arrows else " → "
            return way.join(label(name.text) for name in names), f"link by {readable(sort.text)}"
        case n.MapDecl(name=name):
            return readable(name.text), "map"
        case n.TableDecl(name=name):
            return readable(name.text), "table"
        case n.FunctionDecl(name=name):
            return readable(name.text), "value" if node.is_value else "function"
        case n.StateDecl(name=name):
            return readable(name.text), "state"
        case n.Attribute(name=name):
            return readable(name.text), "attribute"
        case n.CountsDecl(kind=kind):
            return f"the number of each {kind_noun(kind.text)}", "counts"
        case n.Row(cells=cells):
            return listed(
                [" ".join(item.span.text.split()) for item in cells[0].items]
            ) or "otherwise", "row of a table"
        case n.Place(phrases=phrases):
            told = [f"{p.count} {' '.join(str(w) for w in p.words)}" for p in phrases]
            return f"{listed(told)} in {' '.join(node.where.span.text.split())}", "set-up"
        case n.Amend(thing=thing):
            return label(thing.text), "changed fact"
        case n.ThingsDecl(things=things):
            return listed([label(t.name.text) for t in things[:6]]) + (" and more" if len(things) > 6 else ""), "things"
    return " ".join(node.span.text.split())[:60], ""


# ------------------------------------------------------------------ how far rules are tried


@define
class Tried:
    """What came of playing: which rules were met, in how many games and decisions, and what went wrong."""

    reached: Reached
    games: int = 0
    # How long each game took, by its seed.
    decisions: dict[int, int] = field(factory=dict)
    finished: int = 0
    problem: str = ""
    plain: int = 0


def play_some(subject: Subject, games: int, step: Callable[[], None] | None = None) -> Tried:
    """Some random games, always the same ones. A rule that goes wrong ends its game, and is told."""
    return together(play_share(subject, games, share, step) for share in range(shares_of(subject, games)))


def shares_of(subject: Subject, games: int) -> int:
    """In how many shares the random games can be played, each by itself, whoever plays them. Where there are options
    that are not chosen here, some of the games are played with as many as go together, for the coverage of their
    rules: these are a share. Otherwise there are two halves."""
    return 2 if games > 1 else 1


def _with_more(subject: Subject, games: int) -> int:
    return games // 3 if set(subject.everything) > set(subject.model.options) else 0


def is_with_more(subject: Subject, games: int, share: int) -> bool:
    """Whether a share is of games with further options, which need another game than the one that is printed."""
    return share == 1 and _with_more(subject, games) > 0


def play_share(subject: Subject, games: int, share: int, step: Callable[[], None] | None = None) -> Tried:
    """The games without further options, and (share 1) those with them; or every other game."""
    tried, with_more = Tried(Reached()), _with_more(subject, games)
    if is_with_more(subject, games, share):
        try:
            more = subject.game_of(subject.everything)
        except RulescriptError:
            return tried  # what is wrong with a set of options is for `rulescript check` to tell
        _play(more, range(with_more), tried, step)
        tried.decisions = {}  # how long a game takes is told of the one that is printed
        return tried
    if games:
        _play(subject.played, range(games - with_more) if with_more else range(share, games, 2), tried, step)
    tried.plain = len(tried.decisions)
    return tried


def together(shares: Iterable[Tried]) -> Tried:
    """What came of several shares, the first of them first."""
    whole = Tried(Reached())
    for each in shares:
        whole.reached.add(each.reached)
        whole.games += each.games
        whole.decisions |= each.decisions
        whole.finished += each.finished
        whole.problem = whole.problem or each.problem
        whole.plain += each.plain
    return whole


def _play(game: Game, seeds: range, tried: Tried, step: Callable[[], None] | None) -> None:
    if not game.data.start or not game.player_names:
        return
    for seed in seeds:
        try:
            # Noting every line of the rules that runs is slow, so it is done in a few games only.
            with tried.reached.traced(game) if seed < TRACED else nullcontext():
                count, is_over = _play_one(game, seed, tried.reached)
            tried.games += 1
            tried.decisions[seed] = count
            tried.finished += is_over
        except RulescriptError as problem:
            tried.problem = tried.problem or str(problem).split("\n")[0]
        if step is not None:
            step()


def _play_one(game: Game, seed: int, reached: Reached) -> tuple[int, bool]:
    """One game: how many decisions there were, and whether it came to its end."""
    generator = random.Random(seed)
    position = game.start(seed)
    reached.events(game, position._opening)
    count = 0
    while count < MOST_DECISIONS:
        decision = position.decision
        if decision is None or decision.is_chance:
            break
        reached.decision(game, decision)  # type: ignore[arg-type]
        # Only the option that is taken is made: words for all of them take most of the time.
        raw = position.o[generator.randrange(len(decision))]
        reached.taken(game, decision, game.option(position.d, raw, position.s))  # type: ignore[arg-type]
        # In place, and noting only what happens: who could see it, a journal would ask.
        position.j = []
        go_on(position, raw)
        reached.events(game, position.j)
        count += 1
    return count, position.outcome is not None


@define
class Rule:
    """An entry of the rulebook's index, and what became of it. `anchor` is where it is written, "" if nowhere."""

    ident: str
    sort: str
    title: str
    depth: int
    is_written: bool
    is_component: bool
    is_claimed: bool
    exercised: bool
    reached: int
    examples: list[str]
    anchor: str = ""

    @property
    def state(self) -> str:
        """How far it is tried, in a word."""
        if self.exercised and self.reached:
            return "tried"
        if self.exercised:
            return "exercised"
        if self.reached:
            return "reached"
        if self.is_written:
            return "written"
        if self.is_component or self.is_claimed:
            return "data"
        return "absent"


def rules_of(subject: Subject, tried: Tried, exercised: dict[str, list[str]]) -> tuple[list[Rule], Coverage]:
    """The rulebook's index with its coverage; for a game without an index, the rules it cites."""
    coverage = coverage_of(subject.game, subject.text, tried.reached, exercised)
    cited = coverage.cited
    idents = list(subject.model.rulebook) or sorted(cited, key=_natural)
    known = set(idents)
    out: list[Rule] = []
    for ident in idents:
        line = subject.model.rulebook.get(ident)
        depth = sum(ident[:at] in known for at, sign in enumerate(ident) if sign in ".-")
        out.append(
            Rule(
                ident, line.sort if line is not None else "", line.title if line is not None else "", min(depth, 4),
                ident in coverage.written, ident in coverage.components, ident in coverage.claimed,
                ident in coverage.exercised, coverage.reached.get(ident, 0), exercised.get(ident, []),
            )
        )  # fmt: skip
    return out, coverage


def _natural(ident: str) -> list[tuple[int, int, str]]:
    """4.10 comes after 4.9."""
    import re

    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"\d+|[^\d.\-]+", ident)]


# ------------------------------------------------------------------ readings


@define
class Reading:
    """How an unclear rule is read, and the rules that follow the reading.

    `ruling` is what the author says of it, as HTML with links to be filled in; `sentences` what the program says where
    the author says nothing; `options` are the choices for those who read it otherwise."""

    ident: str
    title: str
    places: list[tuple[str, str]]
    examples: list[str]
    ruling: list[Markup] = field(factory=list)
    sentences: list[str] = field(factory=list)
    options: list[tuple[str, str]] = field(factory=list)


def readings_of(
    rules: list[Rule],
    places: dict[str, list[tuple[str, str]]],
    told: Told,
    chapters: list[Chapter],
    options: list[Option],
) -> list[Reading]:
    """Entries of the sort `reading`, with what was decided and where it is followed: (anchor, words)."""
    said: dict[str, list[str]] = {}
    for entry in (e for c in chapters for e in c.entries if e.form not in ("example", "option", "scenario")):
        for line in walk_lines(entry.lines):
            for ident in line.cites:
                said.setdefault(ident, []).append(line.text)
        for ident in entry.cites:
            told_by_it = [entry.doc] if entry.doc else [line.text for line in entry.lines[:3]]
            said.setdefault(ident, []).extend(told_by_it)
    out: list[Reading] = []
    for rule in rules:
        if rule.sort != "reading":
            continue
        ruling = [Markup(html) for html in told.passages.get(rule.ident, [])[:3]]
        sentences = list(dict.fromkeys(said.get(rule.ident, [])))[:4] if not ruling else []
        chosen = [(o.anchor, o.title) for o in options if rule.ident in o.cites]
        out.append(
            Reading(rule.ident, rule.title, places.get(rule.ident, []), rule.examples, ruling, sentences, chosen)
        )
    return out
