"""What is declared and never used. Warnings, and only where there is no doubt.

The question is asked of the text rather than of the model: a name that is mentioned anywhere else, also
in an option that is not chosen, in an example or in a prompt, counts as used. Things count as used when
anybody speaks of their kind, since rules go over kinds as a whole.
"""

from __future__ import annotations

from collections import Counter

from rulescript.analysis.looking import declaration_at, inside, rule_line, rules_of, words_in
from rulescript.diagnostics import Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.source import SourceFile, Span

__all__ = ["check_unused", "sources_of"]


def check_unused(game: m.Game, reporter: Reporter) -> None:
    """Rules, signals, states, places, kinds and things that nothing mentions."""
    mentions = Mentions(game)
    rules: list[tuple[str, str, Span, tuple[str, ...]]] = []
    rules += [(f.form, f.name, f.span, f.cites) for f in game.functions.values() if f is not game.standing]
    rules += [("route", r.name, r.span, r.cites) for r in game.routes.values()]
    rules += [("table", t.name, t.span, t.cites) for t in game.tables.values()]
    rules += [("procedure", p.name, p.span, p.cites) for p in game.procedures.values() if p.form == "procedure"]
    rules += [("signal", s.name, s.span, s.cites) for s in game.signals.values()]
    for sort, name, span, cites in rules:
        if "@" not in name and not mentions.outside(name, declaration_at(span)):
            reporter.warning(
                "RS312", f"nothing ever uses {sort} `{name}`", span, "never used", rule=rule_line(game, cites)
            )
    _silent_signals(game, reporter)
    idle = _unused_kinds(game, reporter, mentions)
    _unused_data(game, reporter, mentions, idle)


class Mentions:
    """How often each name stands in the texts of a game."""

    def __init__(self, game: m.Game) -> None:
        self.game = game
        self.counts: Counter[str] = Counter()
        for source in sources_of(game):
            self.counts.update(words_in(source.text))

    def outside(self, name: str, place: Span) -> bool:
        """Whether a name is mentioned anywhere but in one place."""
        return self.counts[name] > words_in(place.text).count(name)


def sources_of(game: m.Game) -> list[SourceFile]:
    spans: list[Span] = [rule.span for rule in rules_of(game)]
    for kind in game.kinds.values():
        spans.append(kind.span)
        spans += [thing.span for thing in kind.things]
    spans += [option.span for option in (*game.all_options.values(), *game.all_scenarios.values(), *game.all_parts)]
    spans += [example.span for example, _ in game.examples]
    spans += [state.span for state in game.every_state()]
    return list({id(span.source): span.source for span in spans}.values())


def _line_of(span: Span) -> Span:
    source = span.source
    return source.span(source.line_start(span.line), source.line_end(span.line))


def _silent_signals(game: m.Game, reporter: Reporter) -> None:
    if not game.signals:
        return
    sent = {id(p.signal) for rule in rules_of(game) for p in inside(rule) if isinstance(p, ir.SignalS)}
    elsewhere = {
        words[at + 1]
        for option in (*game.all_options.values(), *game.all_scenarios.values(), *game.all_parts)
        for words in (words_in(option.span.text),)
        for at, word in enumerate(words[:-1])
        if word == "signal"
    }
    for signal in game.signals.values():
        if signal.reactions and id(signal) not in sent and signal.name not in elsewhere:
            reporter.warning(
                "RS312",
                f"nobody signals `{signal.name}`, so what answers it never happens",
                signal.span,
                "never signalled",
                hint=f"write `signal {signal.name}` where it happens",
                rule=rule_line(game, signal.cites),
            )


def _unused_data(game: m.Game, reporter: Reporter, mentions: Mentions, idle: set[str]) -> None:
    touched: set[int] = set()
    for rule in rules_of(game):
        for part in inside(rule):
            if isinstance(part, ir.ContentsX):
                touched.add(id(part.holds))
            elif isinstance(part, ir.StateX | ir.PieceStateX):
                touched.add(id(part.state))
    for kind in game.kinds.values():
        touched.update(id(home[0]) for home in kind.homes if home is not None)
    for state in game.every_state():
        if state.kind is not None and state.kind.name in idle:
            continue  # told with its kind
        made_by_us = " " in state.name
        if id(state) not in touched and not made_by_us and not mentions.outside(state.name, _line_of(state.span)):
            reporter.warning("RS312", f"nothing ever uses state `{state.name}`", state.span, "never used")
    for holds in game.every_place():
        if holds.owner is not None and holds.owner.name in idle:
            continue
        if id(holds) not in touched and not mentions.outside(holds.name, _line_of(holds.span)):
            reporter.warning("RS312", f"nothing is ever in place `{holds.name}`", holds.span, "never used")


def _unused_kinds(game: m.Game, reporter: Reporter, mentions: Mentions) -> set[str]:
    """Report kinds and things that nobody speaks of; the names of those kinds."""
    unused: set[str] = set()
    for kind in game.kinds.values():
        if kind is game.players:
            continue
        own = words_in(_line_of(kind.span).text).count(kind.name)
        lines = {(t.span.source.name, t.span.line): _line_of(t.span) for t in kind.things if not kind.is_values}
        own += sum(1 for line in lines.values() if words_in(line.text)[:1] == (kind.name,))
        if mentions.counts[kind.name] > own:
            continue
        # A thing with something under its line (what it does, what it amends) speaks for itself.
        silent = [t for t in kind.things if declaration_at(t.span).end_line == t.span.line]
        idle = [t for t in silent if not mentions.outside(t.name, _line_of(t.span))]
        if len(idle) == kind.size:
            unused.add(kind.name)
            what = "values" if kind.is_values else "pieces" if kind.is_pieces else "kind"
            reporter.warning("RS312", f"nothing ever uses {what} `{kind.name}`", kind.span, "never used")
            continue
        for thing in idle:
            reporter.warning("RS312", f"nothing ever uses {kind.name} `{thing.name}`", thing.span, "never used")
    return unused
