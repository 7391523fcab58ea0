"""A run of many games in the terminal: what `simulate` and `report` print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulescript.cli.screen import Screen
from rulescript.phrases import plural

if TYPE_CHECKING:
    from rulescript.simulation import Comparison, Run, Sweep
    from rulescript.simulation.page import Section

__all__ = [
    "coverage", "report_data", "tell_comparison", "tell_coverage", "tell_report", "tell_run", "tell_sweep",
]  # fmt: skip

MOST_ENDINGS = 10
MOST_FAILURES = 5
MOST_ROWS = 24


def percent(value: float) -> str:
    return f"{value:.1%}"


def points(value: float) -> str:
    """A difference of shares."""
    return f"{100 * value:+.1f}"


def tell_run(run: Run, screen: Screen) -> None:
    """Who won, how, and how long it took."""
    found = run.summary
    say, paint = screen.say, screen.paint
    games = f"{found.games} game{'s' if found.games != 1 else ''}"
    say(f"{paint(run.title, 'bold')}: {games} from seed {run.seed}")
    say(paint(f"  {run.seated}; {run.chosen}", "dim"))
    rows = []
    for name in found.names:
        part = found.win_share(name)
        spread = paint(f"{percent(part.low)} to {percent(part.high)}", "dim")
        rows.append((f"  {run.label(name)}", str(found.wins[name]), percent(part.value), spread))
    for word, number in (("drawn", found.draws), ("given up", found.unfinished)):
        if number:
            rows.append((f"  {word}", str(number), percent(number / found.played) if found.played else "", ""))
    say()
    screen.table(rows, head=("  wins", "games", "share", "probably between"), right=(1, 2))
    if found.endings:
        say()
        listed = [
            (f"  {' and '.join(map(run.label, names)) or 'nobody'}", str(number), how)
            for (names, how), number in found.by_frequency(MOST_ENDINGS)[:MOST_ENDINGS]
        ]
        screen.table(listed, head=("  ending", "games", ""), right=(1,))
    say()
    if found.standings and found.played:
        ahead = [f"{run.label(role)} {found.standings[role].mean.value:+.1f}" for role in found.roles]
        say(f"{run.about['standing']} at the end, on average: {', '.join(ahead)}")
    if found.margins.games:
        margin = found.margins.to_dict()
        say(f"winners were ahead by {margin['mean']} on average, median {margin['median']:g}, "
            f"from {margin['shortest']} to {margin['longest']}")  # fmt: skip
    first = found.first_advantage()
    if first.games:
        who = ", ".join(run.label(role) for role in found.roles if role in found.firsts)
        say(f"first to be asked ({who}): {points(first.value)} points of 100 against the others, "
            f"probably between {points(first.low)} and {points(first.high)}")  # fmt: skip
    turn = plural(str(run.about["turn"]["name"]).replace("_", " "))
    for word, spread_of in ((turn, found.turns), ("decisions", found.decisions)):
        told = spread_of.to_dict()
        if told and told["longest"]:
            say(f"{word} in a game: {told['mean']} on average, median {told['median']:g}, "
                f"from {told['shortest']} to {told['longest']}")  # fmt: skip
    if found.failed:
        say()
        say(paint(f"a rule went wrong in {found.failed} game{'s' if found.failed != 1 else ''}:", "error"))
        for seed, message in found.failures[:MOST_FAILURES]:
            say(f"  seed {seed}: {message}")


def coverage(run: Run) -> dict[str, Any]:
    """Which rules were used: how often a decision led to each, in the games that were followed."""
    used: dict[str, int] = {}
    for (sort, name, _), use in sorted(run.summary.uses.items()):
        if sort == "rule":
            used[name] = used.get(name, 0) + use.times
    written = sorted(run.about["items"]["rule"])
    return {
        "index": run.about["index"],
        "cited_by_rules": written,
        "used": used,
        "never_used": [name for name in written if name not in used],
    }


def tell_coverage(run: Run, screen: Screen) -> None:
    found = coverage(run)
    written, never = found["cited_by_rules"], found["never_used"]
    screen.say(
        f"rules: {len(written) - len(never)} of the {len(written)} that choices and events cite were "
        f"used; {found['index']} are in the rulebook's index"
    )
    if never:
        screen.say("never used:")
        for name in never[:15]:
            screen.say(f"  {run.item_label('rule', name)}")
        if len(never) > 15:
            screen.say(screen.paint(f"  ... and {len(never) - 15} more (--json lists all)", "dim"))


# ---- reports -----------------------------------------------------------------------------------------------


def tell_report(run: Run, screen: Screen) -> None:
    """All of a run: the tables of its page."""
    from rulescript.simulation.page import sections_of

    tell_run(run, screen)
    told_above = ("wins", "lengths")
    _tell_sections([section for section in sections_of(run) if section.anchor not in told_above], screen)


def _tell_sections(sections: list[Section], screen: Screen) -> None:
    for section in sections:
        screen.say()
        screen.say(screen.paint(section.title, "head"))
        for said in section.says:
            screen.say(screen.wrapped(said))
        for table in section.tables:
            if not table.rows:
                continue
            if len(section.tables) > 1:
                screen.say()
                screen.say(f"  {table.caption}")
            rows = [[f"  {row[0]}", *row[1:]] for row in table.rows[:MOST_ROWS]]
            head = [f"  {table.head[0]}", *table.head[1:]] if any(table.head) else ()
            screen.table(rows, head=head, right=range(table.words, len(table.head)))
            if len(table.rows) > MOST_ROWS:
                screen.say(
                    screen.paint(f"  ... and {len(table.rows) - MOST_ROWS} more (on the page, or --json)", "dim")
                )


def tell_comparison(found: Comparison, screen: Screen) -> None:
    from rulescript.simulation.page import comparison_sections

    _tell_title(found.base, screen)
    _tell_sections(comparison_sections(found), screen)


def tell_sweep(sweep: Sweep, screen: Screen) -> None:
    from rulescript.simulation.page import sweep_sections

    _tell_title(sweep.runs[0][1], screen)
    _tell_sections(sweep_sections(sweep), screen)


def _tell_title(run: Run, screen: Screen) -> None:
    screen.say(f"{screen.paint(run.title, 'bold')}: {run.summary.games} games each from seed {run.seed}")
    screen.say(screen.paint(f"  {run.seated}; {run.chosen}", "dim"))


def report_data(run: Run) -> dict[str, Any]:
    """Everything in a report, for a program."""
    from rulescript.simulation import smells_of
    from rulescript.simulation.page import never_used

    found = run.summary
    return run.to_dict() | {
        "first_player": found.first_advantage().to_dict(),
        "standing_by_turn": [
            {"turn": turn, "label": run.turn_label(turn), "role": role, "mean": round(spread.mean.value, 3)}
            for (turn, role), spread in sorted(found.by_turn.items())
        ],
        "uses": [
            {
                "sort": sort, "name": name, "label": run.item_label(sort, name), "role": role, "games": use.games,
                "known": found.known_of(sort, role).games, "times": use.times, "offered": use.offered,
                "got": round(use.score / use.games, 4) if use.games else None,
                "gain": found.gain_of(sort, name, role).to_dict() if role in found.roles else None,
            }
            for (sort, name, role), use in sorted(found.uses.items())
        ],
        "never_used": never_used(run),
        "smells": [{"sort": s.sort, "what": s.what, "because": s.because} for s in smells_of(run)],
        "problems": run.problems,
    }  # fmt: skip
