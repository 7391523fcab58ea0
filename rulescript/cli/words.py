"""``rulescript check --words``: how the sentences read that are made of a game's rules.

In come games; out go the rules they cite that no sentence of the prose states, and the sentences that read worst, each
with its place, its score and what speaks against it. None of it is a mistake: the exit code is 0 unless a game has
errors.
"""

from __future__ import annotations

import argparse
import textwrap
from typing import TYPE_CHECKING, Any

from rulescript.cli.arguments import options_of

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen
    from rulescript.docgen.sentences import Sentence, Sentences

__all__ = ["list_words"]

MOST_SHOWN = 25


def list_words(games: list[str], args: argparse.Namespace, screen: Screen) -> int:
    from rulescript.diagnostics import Reporter, render_report
    from rulescript.docgen.sentences import Sentences
    from rulescript.docgen.subject import Subject
    from rulescript.errors import GameInvalid
    from rulescript.loader import load_text
    from rulescript.pipeline import check_options

    told: list[dict[str, Any]] = []
    for where in games:
        reporter = Reporter()
        text = load_text(where, reporter)
        if reporter.has_errors:
            screen.tell(render_report(reporter.diagnostics, colour=screen.error_colour))
            return 1
        named = options_of(args)
        check_options(text, named, args.scenario)
        try:
            made = Sentences(Subject.of_text(text, tuple(named), args.scenario))
            worst = _worst(made)
        except GameInvalid as problem:
            screen.tell(render_report(problem.diagnostics, colour=screen.error_colour))
            return 1
        if args.json:
            told.append(_as_data(text.ident, made, worst))
        else:
            _tell(text.title, made, worst, screen)
    if args.json:
        screen.json({"words": told})
    return 0


def _worst(made: Sentences) -> list[tuple[float, Sentence]]:
    """The sentences that read badly, the worst first."""
    from rulescript.wording.style import BAD, score_of

    scored = [(score_of(sentence.text), sentence) for sentence in made.all]
    return sorted((pair for pair in scored if pair[0] >= BAD), key=lambda pair: -pair[0])


def _faults(sentence: Sentence) -> list[str]:
    from rulescript.wording.style import faults_of

    return [fault.name for fault in faults_of(sentence.text)]


def _tell(title: str, made: Sentences, worst: list[tuple[float, Sentence]], screen: Screen) -> None:
    untold = made.untold
    if untold:
        many = f"{len(untold)} rules that it cites have" if len(untold) > 1 else "one rule that it cites has"
        screen.say(f"{title}: {many} no sentence in the prose")
        for rule in untold:
            screen.say(f"  §{rule.ident} {rule.title}  {screen.paint(rule.said.place, 'dim')}")
            screen.say(textwrap.indent(textwrap.fill(rule.said.text, 100), "      "))
    else:
        screen.say(f"{title}: every rule that it cites has a sentence in the prose")
    number = len(made.all)
    screen.say(f"{title}: {len(worst)} of {number} sentences made of the rules read badly")
    for score, sentence in worst[:MOST_SHOWN]:
        screen.say(f"  {score:4.1f}  {screen.paint(sentence.place, 'dim')}  ({'; '.join(_faults(sentence))})")
        screen.say(textwrap.indent(textwrap.fill(sentence.text, 100), "      "))
    if len(worst) > MOST_SHOWN:
        screen.say(f"  and {len(worst) - MOST_SHOWN} more (--json lists them all)")
    if worst:
        screen.say('  words of your own, `as "..."` at a declaration or `reword`, take the place of ours')


def _as_data(ident: str, made: Sentences, worst: list[tuple[float, Sentence]]) -> dict[str, Any]:
    return {
        "game": ident,
        "sentences": len(made.all),
        "untold": [
            {"rule": rule.ident, "title": rule.title, "place": rule.said.place, "said": rule.said.text}
            for rule in made.untold
        ],
        "worst": [
            {
                "score": round(score, 2),
                "place": sentence.place,
                "said": sentence.text,
                "is_denied": sentence.is_denied,
                "faults": _faults(sentence),
            }
            for score, sentence in worst
        ],
    }
