"""Every decision a player can face: who decides, when, between what, and what must be so."""

from __future__ import annotations

import re

from attrs import define, evolve

from rulescript.docgen.entries import Entries, without_engine
from rulescript.docgen.lines import Line
from rulescript.docgen.names import Anchors, slug
from rulescript.docgen.outline import Outliner, addressee, capital, forceless, taker_of, ways_of
from rulescript.docgen.subject import Places, Subject
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import statements_in
from rulescript.phrases import readable
from rulescript.source import Span
from rulescript.wording.proper import Proper

__all__ = ["Decision", "Way", "decisions_of"]


@define
class Way:
    """One way to answer: what can be picked, what must be so for it."""

    name: str
    title: str
    cites: tuple[str, ...]
    picks: list[Line]
    requires: list[Line]
    effect: str
    origin: str


@define
class Decision:
    """`where` is the phase, procedure, card or signal it belongs to, `key` the rule, for a link."""

    name: str
    title: str
    anchor: str
    where: str
    key: str
    group: str
    who: str
    cites: tuple[str, ...]
    ways: list[Way]
    may_pass: bool
    is_secret: bool
    origin: str = ""


def decisions_of(subject: Subject, proper: Proper, anchors: Anchors, page: str) -> list[Decision]:
    """Every decision of the game; those that only an option asks for come last, and say which."""
    out: list[Decision] = []
    seen: set[tuple[str, int]] = set()
    for places in subject.compositions:
        out += _decisions(places, Entries(places, proper), anchors, page, seen)
    return out


def _decisions(
    places: Places, entries: Entries, anchors: Anchors, page: str, seen: set[tuple[str, int]]
) -> list[Decision]:
    out: list[Decision] = []
    game = places.model
    for procedure in places.procedures:
        if procedure.form in ("signal", "aside"):
            continue
        for block in procedure.blocks:
            out += _of_block(procedure, block, seen, entries, anchors, page)
    for name, hooks in game.loop_hooks.items():
        for hook in hooks:
            made = m.Procedure(name, "loop", (), game.procedures["sequence"].type, hook.cites, hook.span, capital(name))
            out += _of_block(made, hook.block, seen, entries, anchors, page)
    for signal in game.signals.values():
        for reaction in signal.reactions:
            out += _of_reaction(signal, reaction, seen, entries, anchors, page)
    for aside in game.asides:
        if _place(aside.span) not in seen:
            seen.add(_place(aside.span))
            out.append(_of_aside(aside, entries, anchors, page))
    return out


def _place(span: Span) -> tuple[str, int]:
    """Where a choice is written: the same choice of two compositions is one."""
    return span.source.name, span.start


def _group(procedure: m.Procedure, entries: Entries) -> tuple[str, str]:
    """Under which heading a decision is listed, and where it stands."""
    title = entries.proper(procedure.title or readable(procedure.name))
    if procedure.form == "does":
        return "On cards", title
    if procedure.form == "phase":
        return "In phases", title
    if procedure.form == "whenever":
        return "At once, when something becomes so", title
    return "In procedures", title


def _of_block(
    procedure: m.Procedure, block: ir.Block, seen: set[tuple[str, int]], entries: Entries, anchors: Anchors, page: str
) -> list[Decision]:
    out: list[Decision] = []
    teller = Outliner(procedure.params, block)
    teller.forces = entries.forces
    for statement in statements_in(block):
        if isinstance(statement, ir.ChooseS) and _place(statement.span) not in seen:
            seen.add(_place(statement.span))
            group, where = _group(procedure, entries)
            key = f"procedure {procedure.name}"
            if procedure.form == "does":
                key = f"card {procedure.name.partition('.')[0]}"
            out.append(_decision(statement, teller, group, where, key, anchors, page))
    return out


def _of_reaction(
    signal: m.Signal, reaction: m.Reaction, seen: set[tuple[str, int]], entries: Entries, anchors: Anchors, page: str
) -> list[Decision]:
    out: list[Decision] = []
    own = without_engine(reaction.block, (signal.span, reaction.span))
    more = [reaction.condition] if reaction.condition is not None else []
    teller = Outliner(reaction.params, own, more)
    for statement in statements_in(own):
        if not isinstance(statement, ir.ChooseS) or _place(statement.span) in seen:
            continue
        seen.add(_place(statement.span))
        label = entries.reaction_label(reaction)
        moment = f"“{readable(signal.name)}”"
        if signal.wording is not None:
            moment = teller.speaker.worded(signal.wording, ())
        condition, in_force = forceless(reaction.condition, entries.forces)
        where = f"when {moment}"
        if in_force:
            where += f", while {label or 'it'} is in force"
        elif label:
            where += f" ({label})"
        made = _decision(statement, teller, "In answer to something", where, f"signal {signal.name}", anchors, page)
        if condition is not None:
            said = capital(teller.speaker.sentence(condition, True)) + "."
            line = Line(said, reaction.cites, "require", denied=capital(teller.say_not(condition)) + ".")
            for way in made.ways:
                if way.effect != "pass":
                    way.requires.insert(0, evolve(line))
        made.origin = made.origin or reaction.origin
        out.append(made)
    return out


def _of_aside(aside: m.Aside, entries: Entries, anchors: Anchors, page: str) -> Decision:
    alt = aside.alt
    teller = Outliner([v for v, _ in alt.picks], alt.block, [aside.by, *(c.condition for c in alt.clauses)])
    taker = taker_of(aside, teller)
    during = entries.model.procedures.get(aside.during)
    when = entries.proper(during.title) if during is not None else readable(aside.during)
    return Decision(
        aside.name, capital(teller.title(alt)), anchors.new(f"decide-{slug(aside.name)}", page),
        f"at any time during {when}", f"aside {aside.name}", "At any time", taker, aside.cites,
        [_way(alt, teller)], True, False, alt.origin,
    )  # fmt: skip


def _decision(
    choose: ir.ChooseS, teller: Outliner, group: str, where: str, key: str, anchors: Anchors, page: str
) -> Decision:
    with teller.speaker.speaking_to(addressee(choose)):
        ways = [_way(alt, teller, choose) for alt in ways_of(choose) if alt.effect != "pass" or alt.given_text]
    may_pass = any(alt.effect == "pass" for alt in choose.alts)
    # Two choices of one name in a procedure are numbered by the engine; people need no number.
    title = capital(readable(re.sub(r"_\d+$", "", choose.name)))
    cites = choose.cites or (choose.alts[0].cites if choose.alts else ())
    return Decision(
        choose.name, title, anchors.new(f"decide-{slug(where)}-{slug(choose.name)}", page), where, key, group,
        capital(teller.actor(choose)), cites, ways, may_pass, choose.sealed,
        next((alt.origin for alt in choose.alts if alt.picks or alt.many or not alt.effect), ""),
    )  # fmt: skip


def _way(alt: ir.Alt, teller: Outliner, choose: ir.ChooseS | None = None) -> Way:
    effect = {"stop": "ends the repetition", "pass": "nothing happens"}.get(alt.effect, "")
    return Way(
        alt.label, capital(teller.title(alt)), alt.cites, teller.picks(alt, choose),
        teller.requires(alt, choose, all_of_them=True), effect, alt.origin,
    )  # fmt: skip
