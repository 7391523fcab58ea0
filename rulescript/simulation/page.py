"""A report as one page that stands for itself: plots and tables in HTML, with nothing to fetch and no script.

`sections_of` gathers what there is to tell, as plain data; the template `report.html` draws it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import define, field, frozen
from markupsafe import Markup

from rulescript import __version__
from rulescript.phrases import capital, plural
from rulescript.simulation.comparison import Comparison, Sweep
from rulescript.simulation.figures import Figure, share
from rulescript.simulation.plots import Line, bars, histogram, lines
from rulescript.simulation.runs import Run
from rulescript.simulation.smells import smells_of

__all__ = [
    "Section", "Table", "comparison_page", "comparison_sections", "never_used", "run_page", "sections_of", "sweep_page",
    "sweep_sections",
]  # fmt: skip

TEMPLATES = Path(__file__).resolve().parent / "templates"
# So many rows of a table are open; the others are behind a line to click.
OPEN_ROWS = 16


@frozen
class Table:
    caption: str
    head: list[str]
    rows: list[list[str]]
    words: int = 1  # so many columns are words; the others are numbers
    open: int = OPEN_ROWS


@define
class Section:
    title: str
    anchor: str
    says: list[str] = field(factory=list)
    plots: list[Markup] = field(factory=list)
    tables: list[Table] = field(factory=list)

    @property
    def is_there(self) -> bool:
        return bool(self.says or self.plots or self.tables)


def percent(value: float) -> str:
    return f"{value:.1%}"


def between(figure: Figure, is_share: bool = True) -> str:
    if not math.isfinite(figure.low):
        return "unknown"
    if is_share:
        return f"{figure.low:.1%} to {figure.high:.1%}"
    return f"{figure.low:.2f} to {figure.high:.2f}"


def gained(figure: Figure) -> str:
    """A difference of shares, in points of a hundred."""
    if not math.isfinite(figure.low):
        return "unknown"
    return f"{100 * figure.value:+.1f} ({100 * max(-1, figure.low):+.1f} to {100 * min(1, figure.high):+.1f})"


# ---- one run -----------------------------------------------------------------------------------------------


def sections_of(run: Run) -> list[Section]:
    found = [
        _smells(run), _wins(run), _lengths(run), _standings(run), _choices(run), _cards(run), _rules(run), _never(run),
    ]  # fmt: skip
    return [section for section in found if section.is_there]


def _smells(run: Run) -> Section:
    made = Section("What smells", "smells")
    rows = [[smell.what, smell.because] for smell in smells_of(run)]
    if rows:
        made.says.append("Signs, not verdicts: what a designer may want to look at again.")
        made.tables.append(Table("What smells", ["what", "because"], rows, words=2, open=30))
    else:
        made.says.append("Nothing that this run could show.")
    if run.job.is_random and run.job.uses:
        made.says.append(
            "Nobody thought in these games, so whether a choice has one sensible answer is hardly seen; a run with "
            "bots that search (--bots search:50) tells more."
        )
    return made


def _wins(run: Run) -> Section:
    found = run.summary
    made = Section("Who wins", "wins")
    figures = [(run.label(name), found.win_share(name)) for name in found.names]
    if found.draws:
        figures.append(("nobody", share(found.draws, found.played)))
    if found.unfinished:
        figures.append(("given up", share(found.unfinished, found.played)))
    made.plots.append(bars(figures, "Share of the games that each wins, with its interval"))
    made.tables.append(
        Table(
            "Wins", ["who", "share", "probably between"],
            [[label, percent(figure.value), between(figure)] for label, figure in figures],
        )
    )  # fmt: skip
    endings = [
        [" and ".join(map(run.label, names)) or "nobody", how, f"{number:,}", percent(number / found.played)]
        for (names, how), number in found.by_frequency(12)
    ]
    made.tables.append(Table("How games end", ["winner", "how", "games", "share"], endings, words=2, open=12))
    first = found.first_advantage()
    if first.games:
        who = " or ".join(run.label(role) for role in run.roles if role in found.firsts)
        always = "always" if len(found.firsts) == 1 else "sometimes"
        made.says.append(
            f"First to be asked is {always} {who}. Whoever is first gets {100 * first.value:+.1f} points of a hundred "
            f"against the others (probably between {100 * first.low:+.1f} and {100 * first.high:+.1f})"
            + ("; with one first player alone that is the difference between the sides." if always == "always" else ".")
        )
    return made


def _turn(run: Run) -> str:
    return str(run.about["turn"]["name"]).replace("_", " ")


def _lengths(run: Run) -> Section:
    found = run.summary
    made = Section("How long, and how close", "lengths")
    turn = plural(_turn(run))
    rows = []
    for label, spread in (
        (turn, found.turns),
        ("decisions", found.decisions),
        ("margin of the winners", found.margins),
    ):
        if not spread.games or (label == turn and max(spread.counts) < 1):
            continue
        made.plots.append(histogram(dict(spread.counts), f"How often games came to so many: {label}", label))
        quarters = [f"{spread.quantile(part):,.1f}".removesuffix(".0") for part in (0.25, 0.5, 0.75)]
        rows.append(
            [label, f"{spread.mean.value:,.1f}", *quarters, f"{min(spread.counts):,}", f"{max(spread.counts):,}"]
        )
    made.tables.append(
        Table("Lengths", ["what", "mean", "quarter below", "median", "quarter above", "least", "most"], rows)
    )
    if found.margins.games:
        behind = sum(count for margin, count in found.margins.counts.items() if margin < 0)
        made.says.append(
            f"The margin is how far winners were ahead of the best of the others, in {run.about['standing']}"
            + (f"; in {behind:,} games the winner was behind." if behind else ".")
        )
    return made


def _standings(run: Run) -> Section:
    found = run.summary
    made = Section(f"Standing by {_turn(run)}", "standing")
    turns = sorted({turn for turn, _ in found.by_turn})
    if not turns or not found.standings:
        return made
    rows = []
    alike: dict[tuple[tuple[float, float, float, float], ...], list[str]] = {}  # partners stand alike
    end = turns[-1] + 1
    for role in run.roles:
        points = []
        for turn in turns:
            spread = found.by_turn[turn, role]
            points.append((float(turn), spread.mean.value, spread.quantile(0.25), spread.quantile(0.75)))
        last = found.standings[role]
        points.append((float(end), last.mean.value, last.quantile(0.25), last.quantile(0.75)))
        alike.setdefault(tuple(points), []).append(run.label(role))
    drawn = [Line(", ".join(names), list(points)) for points, names in alike.items()]
    labels = [(float(turn), run.turn_label(turn)) for turn in turns] + [(float(end), "end")]
    made.says.append(
        f"{capital(run.about['standing'])}: the mean when each {_turn(run)} begins, "
        "in games that were followed, and at the end of all; half of the games are within the band."
    )
    made.plots.append(lines(drawn, f"Standing when each {_turn(run)} begins", _turn(run), labels))
    for at, (_, label) in enumerate(labels):
        games = found.by_turn[turns[at], run.roles[0]].games if at < len(turns) else found.played
        rows.append([label, f"{games:,}", *(f"{line.points[at][1]:+.2f}" for line in drawn)])
    made.tables.append(Table("Standing", [_turn(run), "games", *(line.label for line in drawn)], rows))
    return made


def _use_rows(run: Run, sort: str) -> list[list[str]]:
    """A row for each thing used and each role that used it, in the order of the game's own list."""
    found = run.summary
    order = {name: at for at, name in enumerate(run.about["items"].get(sort, {}))}
    keys = [key for key in found.uses if key[0] == sort and key[2] in run.roles and found.uses[key].games]
    rows = []
    for key in sorted(keys, key=lambda key: (order.get(key[1], len(order)), run.roles.index(key[2]))):
        _, name, role = key
        use, known = found.uses[key], found.known_of(sort, role)
        row = [run.item_label(sort, name), run.label(role), percent(use.games / known.games)]
        row += [f"{use.times / known.games:.2f}", percent(use.score / use.games), gained(found.gain_of(*key))]
        if any(bot != "random" for bot in run.job.bots):
            row.append(percent(min(1.0, use.times / use.offered)) if use.offered else "")
        rows.append(row)
    return rows


def _use_head(run: Run, what: str) -> list[str]:
    head = [what, "by", "in games", "a game", "got", "more than without"]
    return [*head, "when it could"] if any(bot != "random" for bot in run.job.bots) else head


FARED = (
    "“Got” is what its user got of the games in which it was used (a draw counts half); “more than without” compares "
    "that with the games in which it was not used, in points of a hundred. Who is ahead anyway may use it more."
)


def _add_uses(made: Section, run: Run, sort: str, title: str, what: str, says: str) -> None:
    """How often what is of a sort was used, if any of it was; `{followed}` is how many games were followed."""
    rows = _use_rows(run, sort)
    if rows:
        followed = max((use.games for use in run.summary.followed.values()), default=0)
        made.says.append(says.format(followed=f"{followed:,}"))
        made.tables.append(Table(title, _use_head(run, what), rows, words=2))


def _choices(run: Run) -> Section:
    made = Section("Choices", "choices")
    says = f"How often each way to answer was taken, and how those fared who took it. {FARED}"
    _add_uses(made, run, "way", "Choices", "answer", says)
    return made


def _cards(run: Run) -> Section:
    made = Section("Cards", "cards")
    _add_uses(made, run, "card", "Cards", "card", "How often each card was picked, for whatever purpose.")
    says = "Whether the text of a card did something is known of {followed} games that were followed."
    _add_uses(made, run, "text", "Texts that did something", "card", says)
    return made


def _rules(run: Run) -> Section:
    made = Section("Rules", "rules")
    says = "Of {followed} games that were followed: by whose decisions each rule took effect, once for each one."
    _add_uses(made, run, "rule", "Rules", "rule", says)
    return made


def never_used(run: Run) -> dict[str, list[str]]:
    """What nobody used, by sort: names."""
    used = {(sort, name) for (sort, name, _), use in run.summary.uses.items() if use.games or use.times}
    out = {}
    for sort, names in run.about["items"].items():
        is_known = bool(run.summary.followed) if sort in ("rule", "text") else run.job.uses
        missing = [name for name in names if (sort, name) not in used]
        if is_known and missing:
            out[sort] = missing
    return out


NEVER = {
    "way": "Answers that nobody gave", "card": "Cards that nobody picked", "text": "Cards whose text did nothing",
    "rule": "Rules that never took effect",
}  # fmt: skip


def _never(run: Run) -> Section:
    made = Section("Never used", "never")
    for sort, names in never_used(run).items():
        rows = [[run.item_label(sort, name)] for name in names]
        made.tables.append(Table(f"{NEVER[sort]} ({len(rows)})", [""], rows, open=12))
    return made


# ---- pages -------------------------------------------------------------------------------------------------


def _about(run: Run) -> list[tuple[str, str]]:
    out = [
        ("games", f"{run.summary.games:,} from seed {run.seed}"), ("players", run.seated), ("with", run.chosen),
        ("version", f"{run.about['version'] or 'none'}, rules {run.job.hash[:12]}"),
    ]  # fmt: skip
    if run.summary.failed:
        seed, message = run.summary.failures[0]
        out.append(("went wrong", f"{run.summary.failed:,} games; seed {seed}: {message}"))
    out += [("missing", problem) for problem in run.problems]
    if not run.is_complete:
        out.append(("missing", "the run is not finished; this is what was played so far"))
    return out


def run_page(run: Run) -> str:
    return _page(run.title, "many games", [("", _about(run))], sections_of(run))


def comparison_sections(found: Comparison) -> list[Section]:
    """What differs."""
    base, other = found.base, found.other
    a, b = names_of(base, other)
    made = Section("Side by side", "side-by-side")
    made.says.append(
        f"{found.pairs:,} pairs of games from the same seeds. The difference is taken in each pair; where zero is "
        "outside its interval, it is marked."
    )
    figures = []
    rows = []
    for each in found.measures:
        rows.append(_measured(each.name, each.is_share, each.base, each.other, each.change, each.is_clear))
        if each.is_share:
            figures += [(f"{each.name} ({name})", figure) for name, figure in ((a, each.base), (b, each.other))]
    made.plots.append(bars(figures, "Shares in both runs, with their intervals", colours=2))
    made.tables.append(Table("Measures", ["what", a, b, "difference", "probably between"], rows))
    uses = Section("What is used more or less", "uses")
    changed = [use for use in found.uses if use.change.low > 0 or use.change.high < 0 or None in (use.base, use.other)]
    rows = []
    for use in changed[:200]:
        run = base if use.base is not None else other
        shares = [percent(each.value) if each is not None else "not there" for each in (use.base, use.other)]
        rows.append([run.item_label(use.sort, use.name), use.sort, run.label(use.role), *shares, gained(use.change)])
    if rows:
        uses.says.append("In what share of its games a role used each, where that is clearly different.")
        uses.tables.append(Table("Uses", ["what", "sort", "by", a, b, "difference"], rows, words=3))
    return [section for section in (made, uses) if section.is_there]


def comparison_page(found: Comparison) -> str:
    base, other = found.base, found.other
    a, b = names_of(base, other)
    sections = comparison_sections(found)
    for name, run in ((a, base), (b, other)):
        for section in (_wins(run), _lengths(run), _standings(run)):
            section.title, section.anchor = f"{section.title}: {name}", f"{section.anchor}-{'ab'[run is other]}"
            sections.append(section)
    title = base.title if base.title == other.title else f"{base.title} and {other.title}"
    about = [(a, _about(base)), (b, _about(other))]
    return _page(title, "two runs side by side", about, [section for section in sections if section.is_there])


def names_of(base: Run, other: Run) -> tuple[str, str]:
    """What to call two runs: by what differs."""
    for a, b in (
        (base.title, other.title), (base.chosen, other.chosen), (base.seated, other.seated),
        (base.about["version"], other.about["version"]),
    ):  # fmt: skip
        if a != b:
            return str(a), str(b)
    return "first run", "second run"


def _measured(name: str, is_share: bool, base: Figure, other: Figure, change: Figure, is_clear: bool) -> list[str]:
    mark = " *" if is_clear else ""
    if is_share:
        span = f"{100 * change.low:+.1f} to {100 * change.high:+.1f}" if math.isfinite(change.low) else "unknown"
        return [name, percent(base.value), percent(other.value), f"{100 * change.value:+.1f}{mark}", span]
    span = f"{change.low:+.2f} to {change.high:+.2f}" if math.isfinite(change.low) else "unknown"
    return [name, f"{base.value:,.2f}", f"{other.value:,.2f}", f"{change.value:+.2f}{mark}", span]


def sweep_sections(sweep: Sweep) -> list[Section]:
    """What the number does."""
    runs = sweep.runs
    first = runs[0][1]
    labels = [(float(number), str(number)) for number, _ in runs]
    made = Section(f"What {sweep.name} does", "sweep")
    winners = dict.fromkeys(name for _, run in runs for name in run.summary.names)
    drawn = []
    for name in winners:
        figures = [(number, run.summary.win_share(name)) for number, run in runs]
        drawn.append(Line(first.label(name), [(float(n), f.value, f.low, f.high) for n, f in figures]))
    made.plots.append(lines(drawn, f"Share of wins for each {sweep.name}, with its interval", sweep.name, labels, True))
    for label, of in (
        (plural(_turn(first)), "turns"),
        ("decisions", "decisions"),
        ("margin of the winners", "margins"),
    ):
        means = [(number, getattr(run.summary, of).mean) for number, run in runs]
        if all(figure.games for _, figure in means) and len({figure.value for _, figure in means}) > 1:
            line = Line(label, [(float(n), f.value, f.low, f.high) for n, f in means])
            made.plots.append(lines([line], f"{label} for each {sweep.name}", sweep.name, labels))
    rows = []
    for number, run in runs:
        shares = [
            f"{percent(run.summary.win_share(name).value)} ({between(run.summary.win_share(name))})" for name in winners
        ]
        rows.append([str(number), f"{run.summary.games:,}", *shares, f"{run.summary.turns.mean.value:.1f}"])
    made.tables.append(
        Table("Wins", [sweep.name, "games", *map(first.label, winners), plural(_turn(first))], rows, open=50)
    )
    against = Section(f"Against {sweep.name} = {runs[0][0]}", "against")
    against.says.append("From the same seeds: the difference is taken in each pair, and marked where it is clear.")
    for (number, _), found in zip(runs[1:], sweep.comparisons, strict=True):
        table = [_measured(e.name, e.is_share, e.base, e.other, e.change, e.is_clear) for e in found.measures]
        head = ["what", str(runs[0][0]), str(number), "difference", "probably between"]
        against.tables.append(Table(f"{sweep.name} = {number}", head, table))
    return [section for section in (made, against) if section.is_there]


def sweep_page(sweep: Sweep) -> str:
    runs, sections = sweep.runs, sweep_sections(sweep)
    first = runs[0][1]
    about = [(key, value) for key, value in _about(first) if key not in ("with", "version")]
    return _page(first.title, f"{sweep.name} from {runs[0][0]} to {runs[-1][0]}", [("", about)], sections)


def _page(
    title: str, subtitle: str, about: Sequence[tuple[str, list[tuple[str, str]]]], sections: Iterable[Section]
) -> str:
    from rulescript.docgen.site import environment

    env = environment(TEMPLATES)
    return env.get_template("report.html").render(
        title=title, subtitle=subtitle, about=about, sections=list(sections), version=__version__
    )
