"""Then the rules: signatures, bodies, amendments, who sees what, claims."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from attrs import evolve

from rulescript import nodes as n
from rulescript.analysis.active import Active
from rulescript.analysis.composing import _RULES
from rulescript.analysis.eithers import (
    retargeted,
)
from rulescript.analysis.part import Part
from rulescript.analysis.scope import Scope
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import (
    VOID,
    PieceOf,
    SetOf,
    ThingOf,
    fits,
)  # fmt: skip
from rulescript.source import Span

__all__ = ["Reading"]

_AMENDMENTS = (n.Adjust, n.Restrict, n.Extend, n.ExceptionTo, n.Hook, n.Reaction, n.Whenever, n.Reword)


# A line that gives something back.
_GIVES_BACK = re.compile(r"(?m)^\s+return[ ]+[^\s#§@]")


def _giving_back(decl: n.Declaration) -> Iterator[str]:
    """The name of a procedure that gives something back, without a type on its first line."""
    if isinstance(decl, n.ProcedureDecl) and decl.type is None and _GIVES_BACK.search(decl.span.text):
        yield decl.name.text


class Reading(Part):
    """Reads all rules."""

    def read_rules(self, active: list[Active], game: Span | None) -> None:
        """`game` is where the game says what it is called."""
        for item in active:
            with self.desk.speaking(item.origin, item.cites), self.bodies.again(item.declaration):
                self.signatures.signature(item.declaration)
        for thing, line, item in self.declaring.lines:
            thing.is_silent = not (line.does or line.amendments or line.states)
            for does in line.does:
                self._does_signature(thing, line, does, item)
        self._visibility()
        self.doubts.note_rules(active)
        for params in self._all_params():
            for param in params:
                if param.has_default:
                    self.calls.default_of(param)
        self.desk.giving_back = {name for item in active for name in _giving_back(item.declaration)}
        for item in active:
            decl = item.declaration
            if isinstance(decl, _RULES):
                with self.desk.speaking(item.origin, getattr(decl, "cites", ()) or item.cites), self.bodies.again(decl):
                    self.desk.forget_results()
                    self.bodies.body(decl)
        for thing, line, item in self.declaring.lines:
            for does in line.does:
                procedure = thing.does.get(does.name.text)
                if procedure is not None:
                    self.desk.forget_results()
                    self.desk.is_unnamed = does.name.text in thing.kind.unnamed_does
                    with self.desk.speaking(item.origin, thing.cites):
                        self.bodies.procedure_body(procedure, does.block, (thing.kind, thing.index))
                    self.desk.is_unnamed = False
        if "sequence" not in self.game.procedures:
            self._no_sequence(game)

    def _all_params(self) -> list[tuple[ir.Var, ...]]:
        game = self.game
        out = [self.statements.does_params(kind, name) for kind in game.kinds.values() for name in kind.does]
        tables: tuple[dict[str, Any], ...] = (game.functions, game.tables, game.routes, game.procedures, game.signals)
        return out + [rule.params for table in tables for rule in table.values()]

    def _no_sequence(self, game: Span | None) -> None:
        procedures, kinds = self.game.procedures.values(), self.game.kinds.values()
        span = next((each.span for some in (procedures, kinds) for each in some), game)
        if span is not None:
            self.error(
                "RS304", "the game has no `sequence`, so nothing is ever played", span,
                hint="write `sequence` and under it the phases in order", rests_on=("sequence",),
            )  # fmt: skip

    def _does_signature(self, thing: m.Thing, line: n.ThingDecl, does: n.ThingDoes, item: Active) -> None:
        kind = thing.kind
        with self.desk.speaking(item.origin, thing.cites):
            if does.name.text not in kind.does:
                hint = spelling_hint(does.name.text, list(kind.does))
                hint = hint or f"write `does {does.name}` under `{kind.name}`, with what it is given in brackets"
                self.error("RS107", f"things of {kind.name} do not `{does.name}`", does.name.span, "unknown", hint)
                kind.unnamed_does.add(does.name.text)
                return
            wanted = self.statements.does_params(kind, does.name.text)
            params = tuple(self.var(v.name, v.type, "param") for v in wanted)
            if does.params and len(does.params) != len(wanted):
                self.error("RS202", f"`{does.name}` takes {len(wanted)} values", does.span)
            for given, var in zip(does.params, params, strict=False):
                var.name = given.name.text
            thing.does[does.name.text] = m.Procedure(
                f"{thing.name}.{does.name}", "does", params, self.type_of_does(), self.cited(line.cites),
                does.name.span,
                thing.label, False, item.origin, doc=thing.doc,
            )  # fmt: skip

    @staticmethod
    def type_of_does() -> Any:

        return VOID

    def _visibility(self) -> None:
        for holds in self.game.every_place():
            if holds.declared is None:
                continue
            owner = holds.owner
            scope = Scope()
            if owner is not None:
                holds.owner_var = self.var("it", ThingOf(owner.name), "element")
                scope.elements.append(holds.owner_var)
            for line in holds.declared.visibility:
                who = None
                if line.who is not None:
                    meant = {"other": "others", "owner": "it", "self": "it", "me": "it", "all": "others"}
                    said = line.who.name if isinstance(line.who, n.NameExpr) else ""
                    known = {*self.game.things, *self.game.states, *self.game.functions}
                    if said in meant and said not in known and meant[said] != ("it" if owner is None else ""):
                        hint = f"write `{line.level} to {meant[said]}`"
                        self.error("RS101", f"there is no player `{said}`", line.who.span, "unknown", hint)
                        continue
                    with self.desk.speaking(holds.seen_from, holds.cites):
                        who = self.expr(line.who, scope)
                    player = self.choices.player_type()
                    from rulescript.model.types import fits

                    if not (fits(who.type, player) or fits(who.type, SetOf(player))):
                        self.mismatch("a player or a set of players", who.type, line.who.span)
                        continue
                holds.visibility.append(m.Visible(line.level, who))

        for kind in self.game.kinds.values():
            if kind.hidden_when is not None:
                self._hidden_rule(kind)

    def _hidden_rule(self, kind: m.Kind) -> None:
        """``hidden when face_down, known to side``: which things or pieces of a kind only some may know."""

        assert kind.hidden_when is not None
        scope = Scope()
        var = self.var("it", PieceOf(kind.name) if kind.is_pieces else ThingOf(kind.name), "element")
        scope.elements.append(var)
        # The rule may come from an option that adds to the kind, so it sees everything.
        with self.desk.speaking("(hidden)"):
            condition = self.condition(kind.hidden_when, scope)
            known = self.expr(kind.known_to, scope) if kind.known_to is not None else None
        player = self.choices.player_type()
        if known is not None and not (fits(known.type, player) or fits(known.type, SetOf(player))):
            assert kind.known_to is not None
            self.mismatch("a player or a set of players", known.type, kind.known_to.span)
            known = None
        kind.hidden = (var, condition, known)
        if kind.shows is None:
            return
        parts = self.declaring.text_parts(kind.shows)
        for thing in kind.things:
            thing.back = self.declaring.said_of(thing, parts, kind.shows)
        with self.desk.speaking("(hidden)"):
            kind.shown = tuple(self.expr(part, scope) for part in parts if not isinstance(part, str))

    def read_amendments(self, active: list[Active]) -> None:
        todo = [evolve(item, declaration=made) for item in active for made in _own_words(item.declaration)]
        todo += [item for item in active if isinstance(item.declaration, _AMENDMENTS)]
        for thing, line, item in self.declaring.lines:
            this = (thing.kind, thing.index)
            todo += [Active(d, thing.cites, item.origin, this) for d in line.amendments]
        # Alternatives first: what restricts or excepts may name one that an option adds. Words last, for all of it.
        order = {n.Extend: 0, n.Reword: 2}
        for item in sorted(todo, key=lambda a: order.get(type(a.declaration), 1)):
            decl = item.declaration
            if self._goes_with_it(item):
                continue
            with self.desk.speaking(item.origin, getattr(decl, "cites", ()) or item.cites):
                for at, each in enumerate(retargeted(decl, self.game)):
                    self.desk.reading_again = at > 0
                    self.amendments.amendment(evolve(item, declaration=each))
                self.desk.reading_again = False
        for item in active:
            if isinstance(item.declaration, n.AsideDecl):
                with self.desk.speaking(item.origin, item.declaration.cites or item.cites):
                    self.amendments.aside(item.declaration)

    def _goes_with_it(self, item: Active) -> bool:
        """Whether an amendment speaks of a rule that a later text took away: a card of the base says more about a
        phase that the variant does not have."""
        decl = item.declaration
        target = decl.signal if isinstance(decl, n.Reaction) else getattr(decl, "target", None)
        name = target[0] if isinstance(target, tuple) and target else target
        if not isinstance(name, n.Name) or name.text not in self.composing.removed_at:
            return False
        return self.game.levels[item.origin] < self.composing.removed_at[name.text]

    def read_claims(self, active: list[Active]) -> None:
        for item in active:
            decl = item.declaration
            with self.desk.speaking(item.origin, getattr(decl, "cites", ()) or item.cites):
                match decl:
                    case n.Invariant():
                        conditions = tuple(self.condition(c, Scope()) for c in decl.conditions)
                        scope = decl.scope.text if decl.scope is not None else ""
                        if scope and scope not in self.game.procedures and scope not in self.game.states:
                            assert decl.scope is not None
                            names = [*self.game.procedures, *self.game.states]
                            self.unknown("phase, procedure or turn", scope, decl.scope.span, names)
                        self.game.invariants.append(
                            m.Invariant(decl.title, decl.when, scope, conditions, self.cited(decl.cites), decl.span)
                        )
                    case n.Check():
                        conditions = tuple(self.condition(c, Scope()) for c in decl.conditions)
                        self.game.checks.append((decl, conditions))
                    case n.Example():
                        self.game.examples.append((decl, item.origin))


def _own_words(decl: n.Declaration) -> list[n.Reword]:
    """What a rule says at its declaration about how people read it, as the amendment that says the same."""
    worded = getattr(decl, "worded", None)
    name = getattr(decl, "name", None)
    if worded is None or not isinstance(name, n.Name) or "@" in name.text:
        return []  # the versions of a rule for several kinds are reworded with the first
    return [n.Reword((name,), (), "", (), worded.text, worded.denied, span=worded.span)]
