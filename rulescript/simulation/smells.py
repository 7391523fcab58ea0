"""What smells in a run: things a designer would like to look at again. Signs, not verdicts; each says what it rests on.

* games in which nobody decided anything, or in which a player was never asked;
* choices with one sensible answer: those who think take it nearly always, whatever else there is; or, where nobody
  thinks, those who take it fare so much better that the others are hardly worth having;
* cards that do nothing: their text never did anything although they were picked, or who used them fared as if not."""

from __future__ import annotations

from collections import defaultdict

from attrs import frozen

from rulescript.simulation.figures import interval
from rulescript.simulation.runs import Run
from rulescript.simulation.summary import Use

__all__ = ["Smell", "smells_of"]

# Who thinks takes the same answer at least so often, of at least so many times that it was there. (Who has lost already
# answers anything.)
NEARLY_ALWAYS = 0.9
ENOUGH_TIMES = 40
ENOUGH_GAMES = 40
# Whoever takes one answer fares so much better than with any other; whoever uses a card, so little better or worse.
MUCH = 0.15
LITTLE = 0.02
PICKED = 20


@frozen
class Smell:
    """`sort` is what it is about: decisions, choice or card."""

    sort: str
    what: str
    because: str


def smells_of(run: Run) -> list[Smell]:
    return [*_decisions(run), *_answers(run), *_much_better(run), *_cards(run)]


def _decisions(run: Run) -> list[Smell]:
    found = run.summary
    out = []
    if found.without_decisions:
        said = f"in {found.without_decisions} of {found.played} nobody had anything to decide"
        out.append(Smell("decisions", "games without decisions", said))
    for role in run.roles:
        games = found.unasked[role] - found.without_decisions
        if games * 20 >= found.played and games > 0:
            said = f"{run.label(role)} was never asked in {games} of {found.played} games"
            out.append(Smell("decisions", f"games without decisions for {run.label(role)}", said))
    return out


def _answers(run: Run) -> list[Smell]:
    """What those who think take whenever they can."""
    by_choice: dict[tuple[str, str], dict[str, Use]] = defaultdict(dict)
    for (sort, name, _), use in run.summary.uses.items():
        if use.offered and sort in ("way", "answer"):
            by_choice[sort, _choice_of(sort, name)].setdefault(name, Use()).add(use)
    out = []
    for (sort, _), answers in sorted(by_choice.items()):
        if len(answers) < 2:
            continue
        for name, use in sorted(answers.items()):
            low, _ = interval(min(use.times, use.offered), use.offered)
            if use.offered >= ENOUGH_TIMES and low >= NEARLY_ALWAYS:
                said = f"taken {use.times} of the {use.offered} times that it was among the answers"
                out.append(Smell("choice", f"one sensible answer: {run.item_label(sort, name)}", said))
    return out


def _choice_of(sort: str, name: str) -> str:
    """The choice that a way or an answer belongs to."""
    way = name.partition(" ")[0]
    parts = way.split(".")
    return way if sort == "answer" else ".".join(parts[:2])


def _much_better(run: Run) -> list[Smell]:
    """Where nobody thinks: one way after which one fares far better than after any other."""
    if any(bot != "random" for bot in run.job.bots):
        return []
    choices: dict[tuple[str, str], list[tuple[str, Use]]] = defaultdict(list)
    for (sort, name, role), use in run.summary.uses.items():
        if sort == "way" and role in run.roles and use.games >= ENOUGH_GAMES:
            choices[_choice_of(sort, name), role].append((name, use))
    out = []
    for (_, role), ways in sorted(choices.items()):
        if len(ways) < 2:
            continue
        ranked = sorted(ways, key=lambda pair: -pair[1].score / pair[1].games)
        (name, best), (_, second) = ranked[0], ranked[1]
        low, _ = interval(best.score, best.games)
        _, high = interval(second.score, second.games)
        if low > high + MUCH:
            said = (
                f"{run.label(role)} gets {best.score / best.games:.0%} of the games in which it takes it, "
                f"and {second.score / second.games:.0%} with the next best answer"
            )
            out.append(Smell("choice", f"one sensible answer: {run.item_label('way', name)}", said))
    return out


def _cards(run: Run) -> list[Smell]:
    found = run.summary
    followed = max((use.games for use in found.followed.values()), default=0)
    out = []
    for name in sorted(run.about["items"].get("card", {})):
        uses = {role: found.uses[key] for role in run.roles if (key := ("card", name, role)) in found.uses}
        times = sum(use.times for use in uses.values())
        acted = any(("text", name, role) in found.uses for role in [*run.roles, ""])
        label = run.item_label("card", name)
        # It was picked so often in games that were followed, if those are like the others.
        seen = times * followed / found.played if found.played else 0
        if name in run.about["items"].get("text", {}) and not acted and seen >= PICKED:
            said = (
                f"picked {times} times; where that was followed (about {seen:.0f} times), its text never did anything"
            )
            out.append(Smell("card", f"does nothing: {label}", said))
            continue
        gains = [found.gain_of("card", name, role) for role, use in uses.items() if use.games >= ENOUGH_GAMES]
        if gains and all(gain.low > -LITTLE and gain.high < LITTLE for gain in gains):
            said = f"picked {times} times; with it and without it its users fare alike, within {LITTLE:.0%}"
            out.append(Smell("card", f"makes no difference: {label}", said))
    return out
