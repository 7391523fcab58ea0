"""The data beside the generated code: what drivers, saves, views and printers know of a game without its model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulescript import game_data as d
from rulescript.analysis.eithers import plain_name
from rulescript.analysis.secrets import is_uncounted_each, tells_more
from rulescript.compiler.layout import PieceLayout
from rulescript.compiler.lower.infos import AltInfo, DecisionInfo, SelectionInfo
from rulescript.compiler.lower.room import Room
from rulescript.machine.sparse import Heap
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.game import plain
from rulescript.model.traverse import walk
from rulescript.model.types import ThingOf, type_data

__all__ = ["DataWriter"]


class DataWriter(Room):
    """Writes down what a game consists of."""

    @property
    def holds_list(self) -> list[m.Holds]:
        """All places, in the order of the functions that tell who sees them."""
        return [*self.game.holds.values(), *(h for kind in self.game.kinds.values() for h in kind.holds.values())]

    def game_data(self, start: int, digest: str, shape: str, passing: list[int]) -> d.GameData:
        game, layout, program = self.game, self.layout, self.program
        players = game.players
        seats = {count: [list(s) for s in groups] for count, groups in game.seats.items()}
        if players is not None and not seats:
            seats = {players.size: [[i] for i in range(players.size)]}
        return d.GameData(
            ident=game.ident,
            title=game.title,
            version=game.version,
            rules_hash=digest,
            options=list(game.options),
            scenario=game.scenario,
            all_options={name: _option_data(option) for name, option in game.all_options.items()},
            all_scenarios={name: _option_data(option) for name, option in game.all_scenarios.items()},
            initial=[tuple(value) if isinstance(value, Heap) else value for value in layout.initial],
            shift=layout.shift,
            locals_start=layout.locals_start,
            var_slots=dict(layout.var_slot),
            start=start,
            kinds={kind.name: self._kind(kind) for kind in game.kinds.values()},
            states=self._states(),
            holds=[self._place(h) for h in self.holds_list],
            decisions={number: self._decision(info) for number, info in program.decisions.items()},
            procedures={
                info.name: d.ProcedureInfo(
                    info.form, info.plain, info.entry, info.params, info.ret, [type_data(t) for t in info.types]
                )
                for info in program.infos.values()
            },
            phases=list(program.phases),
            phase_blocks=list(program.phase_blocks),
            phase_entries=dict(program.phase_entries),
            phase_titles={p.name: p.title for p in game.procedures.values()},
            phase_cites={p.name: list(p.cites) for p in game.procedures.values()},
            loops=list(program.loop_entries),
            turn=_turn_of(game),
            sites=[d.SiteInfo(*site) for site in program.sites],
            site_things=dict(program.site_things),
            choice_things=dict(program.choice_things),
            site_askers=dict(program.site_askers),
            choice_askers=dict(program.choice_askers),
            calls=dict(program.calls),
            has_askers=any(thing is not None for found in program.calls.values() for thing, _, _ in found.values()),
            name_types=dict(layout.name_types),
            players=players.name if players is not None else "",
            tracks=[
                d.TrackInfo(
                    t.state.name, t.state.kind.name if t.state.kind is not None else "", t.title, t.labels(game),
                    t.values(game),
                )
                for t in game.tracks
            ],
            standing=d.StandingInfo(game.standing_counts, list(game.standing.cites)) if game.standing else None,
            seats=seats,
            rulebook={k: (line.sort, line.title) for k, line in game.rulebook.items()},
            invariants=[d.InvariantInfo(i.title, i.when, i.scope, list(i.cites)) for i in game.invariants],
            checks=[d.CheckInfo(c.title, list(c.cites)) for c, _ in game.checks],
            layout=shape,
            passing=passing,
        )  # fmt: skip

    def _kind(self, kind: m.Kind) -> d.KindInfo:
        layout = self.layout
        pieces = layout.pieces[kind.name] if kind.is_pieces else None
        turned_by = [
            node.state.name
            for node in (walk(kind.hidden[1]) if kind.hidden is not None else ())
            if isinstance(node, ir.StateX | ir.PieceStateX) and node.state.kind is kind
        ]
        return d.KindInfo(
            is_pieces=kind.is_pieces,
            is_values=kind.is_values,
            names=[t.name for t in kind.things],
            shown=[t.copy_of or t.name for t in kind.things],
            labels=[t.label for t in kind.things],
            attrs={a.name: [_jsonable(v) for v in a.values] for a in kind.attrs.values()},
            attr_types={a.name: type_data(a.type) for a in kind.attrs.values()},
            links={s: [sorted(x) for x in table] for s, table in kind.links.items()},
            at=[t.at for t in kind.things],
            docs=[t.doc for t in kind.things],
            cites=[list(t.cites) for t in kind.things],
            loc=layout.loc_slot.get(kind.name, -1),
            homes=[layout.slot_of(h[0], h[1]) if h is not None else -1 for h in kind.homes] if kind.movable else [],
            counts=[t.count for t in kind.things] if kind.is_pieces else [],
            words=[sorted(t.words) for t in kind.things],
            fields=list(pieces.fields) if pieces is not None else [],
            types=pieces.types if pieces is not None else 0,
            codes=pieces.codes if pieces is not None else 0,
            is_sparse=pieces is not None and pieces.is_sparse,
            states=[
                d.PieceStateInfo(
                    s.name, stride, _listed(pieces, values), type_data(s.type), values.index(plain(s.initial))
                )
                for s, stride, values in pieces.states
            ]
            if pieces is not None
            else [],
            backs=[t.back for t in kind.things] if kind.hidden is not None and kind.shows is not None else None,
            lasts_in={s.name: s.within.name for s in kind.states.values() if s.within is not None}
            if kind.hidden is not None
            else {},
            turned_by=sorted(turned_by),
            told={s.name: s.told for s in kind.states.values() if s.told is not None} if kind.is_pieces else {},
        )

    def _states(self) -> list[d.StateInfo]:
        game, layout = self.game, self.layout
        of_things = [state for kind in game.kinds.values() if not kind.is_pieces for state in kind.states.values()]
        return [
            d.StateInfo(
                name=state.name,
                kind=state.kind.name if state.kind else "",
                slot=layout.state_slot[id(state)],
                mode=layout.state_mode[id(state)],
                masks=layout.mask_slot.get(id(state), -1),
                type=["int"] if state.is_depth else type_data(state.type),
                lasts=[x.text for x in state.lasts],
                bounds=list(state.bounds) if state.bounds is not None else None,
                is_hidden=" " in state.name,
                told=state.told,
            )
            for state in (*game.states.values(), *of_things)
        ]

    def _place(self, holds: m.Holds) -> d.PlaceInfo:
        owner = holds.owner
        return d.PlaceInfo(
            name=holds.name,
            kind=holds.kind.name,
            owner=owner.name if owner else "",
            slot=self.layout.holds_slot[id(holds)],
            is_ordered=holds.ordered,
            size=owner.size if owner else 1,
            is_restricted=bool(holds.visibility),
        )

    def _decision(self, info: DecisionInfo) -> d.DecisionInfo:
        return d.DecisionInfo(
            choice=info.choice,
            procedure=plain_name(info.procedure),
            number=info.choose.number if info.choose is not None else -1,
            stage=info.stage,
            is_sealed=info.sealed,
            is_many=info.many,
            is_uncounted=self.program.has_secrets and _is_uncounted(info),
            cites=list(info.cites),
            line=(info.span.source.name, info.span.line),
            var=(info.var.name, type_data(info.var.type)) if info.var is not None else None,
            previous=[(name, slot, type_data(t)) for name, slot, t in info.previous],
            selections=[_selection(x) for x in info.selections],
            alts=[self._alternative(a) for a in info.alts],
            ret=info.ret,
        )

    def _alternative(self, point: AltInfo) -> d.AlternativeInfo:
        alt, has_secrets = point.alt, self.program.has_secrets
        return d.AlternativeInfo(
            label=point.label,
            version=alt.version if alt is not None else 0,
            form=point.form,
            cites=list(point.cites),
            vars=list(point.vars),
            types=[type_data(v.type) for v, _ in alt.picks] if alt is not None else [],
            many=type_data(alt.many[2].type) if alt is not None and alt.many else None,
            said=_plain_words(alt) if alt is not None and alt.many else "",
            is_flagged=point.flagged,
            effect=alt.effect if alt is not None else "",
            is_veiled=alt is not None and self.options.asked_anyway(alt) is not None,
            is_private=has_secrets and alt is not None and tells_more(alt),
            named=[(slot, type_data(type_)) for slot, type_ in point.named],
        )


def _is_uncounted(info: DecisionInfo) -> bool:
    source = info.choose.each_of if info.choose is not None else None
    return source is not None and is_uncounted_each(source)


def _selection(x: SelectionInfo) -> d.SelectionInfo:
    return d.SelectionInfo(x.alt, x.mode, x.items, x.wanted, x.chosen, x.is_bare, x.later, x.demand)


def _option_data(option: Any) -> d.OptionData:
    return d.OptionData(
        title=option.title,
        doc=option.doc,
        needs=_named(option, "needs"),
        excludes=_named(option, "excludes"),
        is_on=any(rule.form == "on" for rule in option.rules),
    )


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


def _turn_of(game: m.Game) -> str:
    """The state that tells the turn: what the outermost loop of the sequence goes through, if that is not a player."""
    sequence = game.procedures.get("sequence")
    for statement in _loops_in(sequence.block, {"sequence"}) if sequence is not None else ():
        state = statement.var.state
        players = ThingOf(game.players.name) if game.players is not None else None
        if state is not None and state.kind is None and state.type != players:
            return state.name
    return ""


def _loops_in(block: ir.Block, seen: set[str]) -> Iterator[ir.ForS]:
    """The loops of a block, and of the phases that it calls, the outer before the inner."""
    for statement in block:
        match statement:
            case ir.ForS(block=inner):
                yield statement
                yield from _loops_in(inner, seen)
            case ir.RepeatS(block=inner):
                yield from _loops_in(inner, seen)
            case ir.IfS(then=then, otherwise=otherwise):
                yield from _loops_in((*then, *otherwise), seen)
            case ir.CallS(procedure=procedure) if procedure.form == "phase" and procedure.name not in seen:
                yield from _loops_in(procedure.block, seen | {procedure.name})
