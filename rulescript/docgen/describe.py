"""A compiled game as data for tools: things, map, phases, decisions, tables, cards, rules. The JSON format.

The schema is written down in docs/reference.md, and a test holds the two together. Names are those of the rules, labels
and sentences are for people; everything that refers to something does so by its name.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rulescript.docgen.book import Book
from rulescript.docgen.entries import Entry
from rulescript.docgen.grids import Grid
from rulescript.docgen.lines import Line
from rulescript.docgen.sequence import Step
from rulescript.docgen.site import write_page
from rulescript.docgen.subject import Subject
from rulescript.model import game as m

__all__ = ["SCHEMA", "describe", "write_description"]

SCHEMA = 1


def describe(book: Book, subject: Subject) -> dict[str, Any]:
    """The whole description."""
    model = subject.model
    return {
        "schema": SCHEMA,
        "game": {
            "name": book.ident,
            "title": book.title,
            "version": book.version,
            "rules_hash": book.hash,
            "facts": {name: value for name, value in model.facts},
            "text": book.doc,
            "builds_on": [ident for ident, _ in book.bases],
            "options_chosen": list(model.options),
            "scenario": model.scenario,
        },
        "players": _players(subject),
        "kinds": [_kind(kind) for kind in model.kinds.values()],
        "things": [_thing(thing, model) for kind in model.kinds.values() for thing in kind.things],
        "states": [_state(state, "") for state in model.states.values() if " " not in state.name],
        "places": [_place(place, "") for place in model.holds.values()],
        "maps": [
            {
                "kind": of.kind.name,
                "title": of.title,
                "spaces": [space.name for space in of.spaces],
                "links": [
                    {
                        "sort": list(of.kind.links)[link.sort],
                        "from": of.spaces[link.a].name,
                        "to": of.spaces[link.b].name,
                        "both_ways": link.both,
                        "reconstructed": link.reconstructed,
                    }
                    for link in of.links
                ],
            }
            for of in book.maps
        ],
        "sequence": [_step(step) for step in book.sequence],
        "rules": [_entry(e, chapter.title) for chapter in book.chapters for e in chapter.entries if e.form in _RULES],
        "decisions": [
            {
                "name": d.name,
                "where": d.key,
                "who": d.who,
                "cites": list(d.cites),
                "may_decline": d.may_pass,
                "secret": d.is_secret,
                "ways": [
                    {
                        "name": w.name,
                        "text": w.title,
                        "cites": list(w.cites),
                        "effect": w.effect,
                        "from": w.origin,
                        "picks": [p.text for p in w.picks],
                        "requires": [
                            {
                                "text": r.said,
                                "denied": r.denied,
                                "label": r.label,
                                "cites": list(r.cites),
                                "from": r.origin,
                                "exceptions": [{"text": x.text, "cites": list(x.cites)} for x in r.exceptions],
                            }
                            for r in w.requires
                        ],
                    }
                    for w in d.ways
                ],
            }
            for d in book.decisions
        ],
        "tables": [_entry(e, "") for e in book.tables],
        "cards": [
            {
                "kind": g.kind,
                "name": card.name,
                "title": card.title,
                "copies": card.copies,
                "text": card.doc,
                "values": card.values,
                "effects": [{"title": e.title, "lines": [_line(x) for x in e.lines]} for e in card.rules],
                "cites": list(card.cites),
                "reconstructed": card.reconstructed,
            }
            for g in book.galleries
            for card in g.cards
        ],
        "options": [
            {
                "name": o.name,
                "title": o.title,
                "scenario": o.is_scenario,
                "text": o.doc,
                "cites": list(o.cites),
                "chosen": o.is_chosen,
                "default": o.is_default,
                "needs": o.needs,
                "excludes": o.excludes,
                "changes": [_entry(e, g.ident) for g in o.groups for e in g.entries],
            }
            for o in (*book.options, *book.scenarios)
        ],
        "examples": [
            {
                "title": e.title,
                "cites": list(e.cites),
                "options": e.options,
                "holds": e.ok,
                "file": e.file,
                "line": e.line,
            }
            for e in book.examples
        ],
        "rulebook": [
            {
                "number": r.ident,
                "sort": r.sort,
                "title": r.title,
                "written": r.is_written,
                "in_components": r.is_component,
                "in_claims": r.is_claimed,
                "exercised": r.exercised,
                "reached": r.reached,
            }
            for r in book.rules
        ],
        "reconstructed": [
            {
                "what": r.what,
                "sort": r.sort,
                "why": r.why,
                "cites": list(r.cites),
                "file": r.file,
                "line": r.line,
                "option": r.option,
            }
            for r in book.reconstructed
        ],
        "readings": [{"number": r.ident, "title": r.title} for r in book.readings],
        "differences": (
            None
            if book.differences is None
            else {
                "builds_on": book.differences.base,
                "changes": [_entry(e, g.ident) for g in book.differences.groups for e in g.entries],
            }
        ),
        "random_games": {
            "played": book.tried.games,
            "finished": book.tried.finished,
            "decisions": [book.tried.decisions[seed] for seed in sorted(book.tried.decisions)],
            "problem": book.tried.problem,
        },
    }


_RULES = (
    "phase", "procedure", "sequence", "function", "value", "predicate", "route", "signal", "aside", "restrict",
    "extend", "exception", "adjust", "hook", "reaction", "whenever",
)  # fmt: skip


def _players(subject: Subject) -> dict[str, Any]:
    game = subject.game
    names = list(game.players)
    return {
        "kind": game.data.players or "",
        "roles": names,
        "seats": {str(n): [[names[role] for role in seat] for seat in game.seats(n)] for n in game.player_counts},
    }


def _kind(kind: m.Kind) -> dict[str, Any]:
    form = "pieces" if kind.is_pieces else "values" if kind.is_values else "kind"
    return {
        "name": kind.name,
        "form": form,
        "text": kind.doc,
        "cites": list(kind.cites),
        "attributes": [{"name": a.name, "type": _type(a.type)} for a in kind.attrs.values()],
        "states": [_state(s, kind.name) for s in kind.states.values()],
        "places": [_place(h, kind.name) for h in kind.holds.values()],
        "links": list(kind.links),
        "does": list(kind.does),
        "size": kind.size,
    }


def _type(type_: Any) -> Any:
    """``int``, ``{"set of": "Region"}``"""
    from rulescript.model.types import ListOf, Maybe, PieceOf, Pile, SetOf, Simple, ThingOf

    match type_:
        case Simple(name):
            return name
        case ThingOf(kind) | PieceOf(kind) | Pile(kind):
            return kind
        case SetOf(element):
            return {"set of": _type(element)}
        case ListOf(element):
            return {"list of": _type(element)}
        case Maybe(element):
            return {"maybe": _type(element)}
    return "unknown"


def _state(state: m.State, kind: str) -> dict[str, Any]:
    return {
        "name": state.name,
        "of": kind,
        "type": _type(state.type),
        "lasts": [name.text for name in state.lasts],
        "cites": list(state.cites),
    }


def _place(place: m.Holds, kind: str) -> dict[str, Any]:
    return {
        "name": place.name,
        "of": kind,
        "holds": place.kind.name,
        "ordered": place.ordered,
        "seen": [v.level for v in place.visibility],
        "cites": list(place.cites),
    }


def _thing(thing: m.Thing, game: m.Game) -> dict[str, Any]:
    out: dict[str, Any] = {
        "kind": thing.kind.name,
        "name": thing.name,
        "label": thing.label,
        "attributes": {
            a.name: _value(a.values[thing.index], game)
            for a in thing.kind.attrs.values()
            if thing.index < len(a.values)
        },
        "text": thing.doc,
        "at": thing.at,
        "cites": list(thing.cites),
        "reconstructed": thing.reconstructed,
    }
    if thing.kind.is_pieces:
        out["count"] = thing.count
    return out


def _value(value: Any, game: m.Game) -> Any:
    match value:
        case m.ThingRef(kind, index):
            return game.kinds[kind].things[index].name
        case frozenset() | set():
            refs = sorted(value, key=lambda v: v.index if isinstance(v, m.ThingRef) else v)
            return [_value(v, game) for v in refs]
        case tuple() | list():
            return [_value(v, game) for v in value]
        case None | bool() | int() | str():
            return value
    return str(value)


def _step(step: Step) -> dict[str, Any]:
    return {
        "form": step.form,
        "title": step.title,
        "rule": step.key,
        "cites": list(step.cites),
        "steps": [_step(s) for s in step.steps],
    }


def _line(line: Line) -> dict[str, Any]:
    out: dict[str, Any] = {"form": line.form, "text": line.text}
    if line.cites:
        out["cites"] = list(line.cites)
    if line.label:
        out["label"] = line.label
    if line.denied:
        out["denied"] = line.denied
    if line.origin:
        out["from"] = line.origin
    if line.uses:
        out["uses"] = list(line.uses)
    if line.children:
        out["lines"] = [_line(x) for x in line.children]
    return out


def _grid(grid: Grid) -> dict[str, Any]:
    return {
        "title": grid.title,
        "head": [c.text for c in grid.head],
        "rows": [
            {"cells": [c.text for c in row.cells], "note": row.note, "cites": list(row.cites)} for row in grid.rows
        ],
    }


def _entry(entry: Entry, where: str) -> dict[str, Any]:
    return {
        "form": entry.form,
        "name": entry.name,
        "title": entry.title,
        "where": where,
        "from": entry.origin,
        "cites": list(entry.cites),
        "text": entry.doc,
        "note": entry.note,
        "lines": [_line(x) for x in entry.lines],
        "tables": [_grid(g) for g in entry.grids],
        "reconstructed": entry.reconstructed,
    }


def write_description(book: Book, subject: Subject, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(describe(book, subject), indent=1, ensure_ascii=False)
    return write_page(folder / "game.json", text + "\n")
