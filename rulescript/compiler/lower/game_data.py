"""The data beside the generated code: what drivers, saves, views and printers know of a game without its model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulescript.analysis.eithers import plain_name
from rulescript.analysis.secrets import asked_anyway, tells_more
from rulescript.compiler.layout import PieceLayout
from rulescript.compiler.lower.room import Room
from rulescript.machine.sparse import Heap
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.game import plain
from rulescript.model.traverse import walk
from rulescript.model.types import (
    type_data,
)

__all__ = ["GameData"]


class GameData(Room):
    """Writes down what a game consists of."""

    @property
    def holds_list(self) -> list[m.Holds]:
        """All places, in the order of the functions that tell who sees them."""
        return [*self.game.holds.values(), *(h for kind in self.game.kinds.values() for h in kind.holds.values())]

    def game_data(self, start: int, digest: str) -> dict[str, Any]:
        game, layout = self.game, self.layout
        kinds: dict[str, Any] = {}
        for kind in game.kinds.values():
            entry: dict[str, Any] = {
                "pieces": kind.is_pieces,
                "values": kind.is_values,
                "names": [t.name for t in kind.things],
                "shown": [t.copy_of or t.name for t in kind.things],
                "labels": [t.label for t in kind.things],
                "attrs": {a.name: [_jsonable(v) for v in a.values] for a in kind.attrs.values()},
                "attr_types": {a.name: type_data(a.type) for a in kind.attrs.values()},
                "links": {s: [sorted(x) for x in table] for s, table in kind.links.items()},
                "at": [t.at for t in kind.things],
                "docs": [t.doc for t in kind.things],
                "cites": [list(t.cites) for t in kind.things],
                "loc": layout.loc_slot.get(kind.name, -1),
                "homes": [layout.slot_of(h[0], h[1]) if h is not None else -1 for h in kind.homes]
                if kind.movable
                else [],
                "counts": [t.count for t in kind.things] if kind.is_pieces else [],
                "words": [sorted(t.words) for t in kind.things],
            }
            if kind.hidden is not None:
                if kind.shows is not None:
                    entry["backs"] = [t.back for t in kind.things]
                lasting = {s.name: s.within.name for s in kind.states.values() if s.within is not None}
                if lasting:
                    entry["lasts_in"] = lasting
                entry["turned_by"] = sorted(
                    node.state.name
                    for node in walk(kind.hidden[1])
                    if isinstance(node, ir.StateX | ir.PieceStateX) and node.state.kind is kind
                )
            if kind.is_pieces:
                pieces = layout.pieces[kind.name]
                entry["fields"], entry["types"], entry["codes"] = list(pieces.fields), pieces.types, pieces.codes
                entry["sparse"] = pieces.is_sparse
                entry["states"] = [
                    (s.name, stride, _listed(pieces, values), type_data(s.type), values.index(plain(s.initial)))
                    for s, stride, values in pieces.states
                ]
            kinds[kind.name] = entry
        states: list[dict[str, Any]] = []
        all_states: list[m.State] = [*game.states.values()]
        for kind in game.kinds.values():
            if not kind.is_pieces:
                all_states += kind.states.values()
        for state in all_states:
            states.append(
                {
                    "name": state.name,
                    "kind": state.kind.name if state.kind else "",
                    "slot": layout.state_slot[id(state)],
                    "mode": layout.state_mode[id(state)],
                    "masks": layout.mask_slot.get(id(state), -1),
                    "type": ["int"] if state.is_depth else type_data(state.type),
                    "lasts": [x.text for x in state.lasts],
                    "bounds": list(state.bounds) if state.bounds is not None else None,
                    "hidden": " " in state.name,
                }
            )
        holds = [
            {
                "name": h.name,
                "kind": h.kind.name,
                "owner": h.owner.name if h.owner else "",
                "slot": layout.holds_slot[id(h)],
                "ordered": h.ordered,
                "size": max(1, h.owner.size) if h.owner else 1,
                "restricted": bool(h.visibility),
            }
            for h in self.holds_list
        ]
        decisions = {
            number: {
                "choice": info.choice,
                "procedure": plain_name(info.procedure),
                "number": info.choose.number if info.choose is not None else -1,
                "stage": info.stage,
                "sealed": info.sealed,
                "many": info.many,
                "cites": list(info.cites),
                "line": (info.span.source.name, info.span.line),
                "var": (info.var.name, type_data(info.var.type)) if info.var is not None else None,
                "previous": [(name, slot, type_data(t)) for name, slot, t in info.previous],
                "selections": [
                    {
                        "alt": x.alt,
                        "mode": x.mode,
                        "items": x.items,
                        "wanted": x.wanted,
                        "chosen": x.chosen,
                        "bare": x.is_bare,
                        "later": x.later,
                        "demand": x.demand,
                    }
                    for x in info.selections
                ],
                "alts": [
                    {
                        "label": a.label,
                        "version": a.alt.version if a.alt is not None else 0,
                        "form": a.form,
                        "cites": list(a.cites),
                        "vars": list(a.vars),
                        "types": [type_data(v.type) for v, _ in a.alt.picks] if a.alt is not None else [],
                        "many": type_data(a.alt.many[2].type) if a.alt is not None and a.alt.many else None,
                        "said": _plain_words(a.alt) if a.alt is not None and a.alt.many else "",
                        "flagged": a.flagged,
                        "effect": a.alt.effect if a.alt is not None else "",
                        "veiled": self.program.has_secrets and a.alt is not None and asked_anyway(a.alt) is not None,
                        "private": self.program.has_secrets and a.alt is not None and tells_more(a.alt),
                    }
                    for a in info.alts
                ],
            }
            for number, info in self.program.decisions.items()
        }
        procedures = {
            info.name: {
                "form": info.form, "plain": info.plain, "entry": info.entry, "params": info.params, "ret": info.ret,
                "types": [type_data(t) for t in info.types],
            }
            for info in self.program.infos.values()
        }  # fmt: skip
        players = game.players
        seats = {count: [list(s) for s in groups] for count, groups in game.seats.items()}
        if players is not None and not seats:
            seats = {players.size: [[i] for i in range(players.size)]}
        return {
            "ident": game.ident,
            "title": game.title,
            "version": game.version,
            "hash": digest,
            "options": list(game.options),
            "scenario": game.scenario,
            "all_options": {name: _option_data(option) for name, option in game.all_options.items()},
            "all_scenarios": {name: _option_data(option) for name, option in game.all_scenarios.items()},
            "initial": [tuple(value) if isinstance(value, Heap) else value for value in layout.initial],
            "shift": layout.shift,
            "locals": layout.locals_start,
            "vars": dict(layout.var_slot),
            "start": start,
            "kinds": kinds,
            "states": states,
            "holds": holds,
            "decisions": decisions,
            "procedures": procedures,
            "phases": list(self.program.phases),
            "phase_blocks": list(self.program.phase_blocks),
            "phase_entries": dict(self.program.phase_entries),
            "phase_titles": {p.name: p.title for p in game.procedures.values()},
            "phase_cites": {p.name: list(p.cites) for p in game.procedures.values()},
            "loops": list(self.program.loop_entries),
            "sites": [list(s[:4]) + [s[4]] for s in self.program.sites],
            "players": players.name if players is not None else "",
            "tracks": [
                {
                    "state": t.state.name, "kind": t.state.kind.name if t.state.kind is not None else "",
                    "title": t.title, "labels": t.labels(game), "values": t.values(game),
                }
                for t in game.tracks
            ],
            "standing": {"counts": game.standing_counts, "cites": list(game.standing.cites)} if game.standing else None,
            "seats": seats,
            "rulebook": {k: (line.sort, line.title) for k, line in game.rulebook.items()},
            "invariants": [
                {"title": i.title, "when": i.when, "scope": i.scope, "cites": list(i.cites)} for i in game.invariants
            ],
            "checks": [{"title": c.title, "cites": list(c.cites)} for c, _ in game.checks],
        }  # fmt: skip


def _option_data(option: Any) -> dict[str, Any]:
    """An option or scenario for the driver: what it is called and what it goes with."""
    return {
        "title": option.title,
        "doc": option.doc,
        "needs": _named(option, "needs"),
        "excludes": _named(option, "excludes"),
        "on": any(rule.form == "on" for rule in option.rules),
    }


def _listed(pieces: PieceLayout, values: Sequence[Any]) -> Any:
    """The values of a state; where they may be very many numbers, the ends of their range."""
    return (values.start, values.stop) if pieces.is_sparse and isinstance(values, range) else list(values)


def _jsonable(value: Any) -> Any:
    value = plain(value)
    return list(value) if isinstance(value, tuple) else value


def _plain_words(alt: ir.Alt) -> str:
    """What the text of a choice says besides what is picked."""
    parts = alt.text.parts if isinstance(alt.text, ir.TemplateX) else ()
    return " ".join(part for part in parts if isinstance(part, str))


def _named(option: Any, form: str) -> list[str]:
    return [r.name.text for r in option.rules if r.form == form and r.name is not None]
