"""What is written out once all is read: endings, answers to signals, seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulescript import nodes as n
from rulescript.analysis.closed import close_asides
from rulescript.analysis.handing_on import Mentions, note_openings, watching
from rulescript.analysis.kept_secrets import note_kept_secrets
from rulescript.analysis.looking import looking_through
from rulescript.analysis.ordering import order_amendments
from rulescript.analysis.part import Part
from rulescript.analysis.private_names import note_private_names
from rulescript.analysis.secrets import can_all_work_out
from rulescript.analysis.veiled_parameters import note_veiled_parameters
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import chooses_in, statements_in
from rulescript.model.types import BOOL, INT, TEXT, ListOf, SetOf, ThingOf

__all__ = ["Finishing"]


class Finishing(Part):
    """Finishes the model."""

    def finish(self) -> None:
        """Answers to signals become procedures; scopes of states are checked; choices are numbered."""
        game = self.game
        order_amendments(game)
        for signal in game.signals.values():
            procedure = m.Procedure(
                f"signal_{signal.name}", "signal", signal.params, self.reading.type_of_does(), signal.cites,
                signal.span, signal.name.replace("_", " "),
            )  # fmt: skip
            procedure.block = self._answers(signal)
            signal.procedure = procedure
            game.procedures[procedure.name] = procedure
        procedures = game.every_procedure()
        close_asides(game, procedures)
        mentions = Mentions(game, [*procedures, *watching(game)])
        with looking_through():  # notes are made on names and states; no rule is made otherwise
            note_openings(mentions)
            note_kept_secrets(mentions)
            note_veiled_parameters(mentions)
            note_private_names(mentions)  # what is turned up is no secret from then on
        for signal in game.signals.values():
            _ask_all_the_same(signal)
        used = [r.once_state for signal in game.signals.values() for r in signal.reactions]
        for state in game.every_state():
            state.lasts = tuple(end for name in state.lasts for end in self._ends(name, state in used))
            if state.within is not None and not any(h.kind is state.kind for h in state.within.holds.values()):
                if self.desk.reporter.lost:
                    continue  # it may be among what could not be read
                assert state.kind is not None
                message = f"nothing of {state.within.name} holds {state.kind.name}, so `{state.name}` would never last"
                self.error("RS201", message, state.span)
        for procedure in procedures:
            for block in procedure.blocks:
                game.chooses += [(procedure, choose) for choose in chooses_in(block)]
        for turn, hooks in game.loop_hooks.items():
            # What comes before and after each round belongs to the rule that goes round.
            around = next((p for p in procedures if _goes_through(p, turn)), None)
            if around is not None:
                game.chooses += [(around, choose) for hook in hooks for choose in chooses_in(hook.block)]
        for number, (_, choose) in enumerate(game.chooses):
            choose.number = number

    def _ends(self, name: n.Name, is_use: bool) -> tuple[n.Name, ...]:
        """What a state lasts, as it is called in play: `lasts Card.play` is what every card does. A use (`once a X`)
        may also last the whole game, which never ends."""
        owner, _, does = name.text.partition(".")
        if name.text in self.game.procedures or name.text in self.game.states:
            versions = self.game.versions.get(name.text, (name.text,))
            return tuple(n.Name(version, span=name.span) for version in versions)
        if name.text == "game" and is_use:
            return ()
        things = [t for t in self.game.things.get(owner, ()) if does in t.does]
        if owner in self.game.kinds:
            things = [t for t in self.game.kinds[owner].things if does in t.does]
        if things:
            return tuple(n.Name(f"{thing.name}.{does}", span=name.span) for thing in things)
        if name.text == "game":
            self.error("RS201", "what lasts the whole game need not say so", name.span, "", "leave out `lasts game`")
            return ()
        names = [*self.game.procedures, *self.game.states]
        names += [f"{kind.name}.{what}" for kind in self.game.kinds.values() for what in kind.does]
        self.unknown("phase, procedure or turn", name.text, name.span, names)
        return ()

    def _answers(self, signal: m.Signal) -> ir.Block:
        """Mandatory reactions in their order; then each player in seat order, from the active one, uses one
        reaction or passes, until all pass. A reaction answers one signal at most once, unless it says
        `repeatedly`."""
        free = [r for r in signal.reactions if _optional_choice(r) is not None]
        for reaction in signal.reactions:
            if reaction.repeatedly and reaction not in free:
                self.error(
                    "RS201", "only what a player may do can be done `repeatedly`", reaction.span,
                    hint="put one `may` or `may choose` under it, and nothing else",
                )  # fmt: skip
        if self.game.players is None or (len(free) < 2 and not any(r.repeatedly for r in free)):
            return tuple(self._reaction_statement(r) for r in _mandatory_first(signal.reactions))
        block: list[ir.S] = [self._reaction_statement(r) for r in signal.reactions if r not in free]
        span = signal.span
        numbers = SetOf(INT)
        used, moved = self.var("used", numbers, "let"), self.var("moved", BOOL, "let")
        who = self.var("who", self.choices.player_type(), "loop")
        used_x, moved_x, who_x = (ir.Local(v.type, span, v) for v in (used, moved, who))
        alts: list[ir.Alt] = []
        for number, reaction in enumerate(free):
            choose = _optional_choice(reaction)
            assert choose is not None
            spend: list[ir.S] = [ir.AssignS(span, (), moved_x, "=", ir.Lit(BOOL, span, True))]
            tests: list[ir.X] = [ir.CompareX(BOOL, span, "==", choose.by, who_x)]
            if not reaction.repeatedly:
                this = ir.Lit(INT, span, number)
                spend.insert(0, ir.AssignS(span, (), used_x, "+=", ir.SetX(numbers, span, (this,))))
                tests.insert(0, ir.InX(BOOL, span, this, used_x, True))
            if reaction.once_state is not None:
                state = ir.StateX(BOOL, reaction.span, reaction.once_state, None)
                tests.append(ir.NotX(BOOL, reaction.span, state))
                spend.append(ir.AssignS(reaction.span, (), state, "=", ir.Lit(BOOL, reaction.span, True)))
            for alt in choose.alts:
                if alt.effect == "pass":
                    continue
                guards = [ir.Clause(t, "", reaction.cites, True, reaction.span, reaction.origin) for t in tests]
                guards += _conditions(reaction)
                alt.clauses = [*guards, *alt.clauses]
                alt.block = (*spend, *alt.block)
                alts.append(alt)
        alts.append(_declining(free, signal))
        cites = tuple(dict.fromkeys([*signal.cites, *(c for reaction in free for c in reaction.cites)]))
        ask = ir.ChooseS(span, cites, signal.name, who_x, False, alts)
        block += [
            ir.LetS(span, (), used, ir.SetX(numbers, span, ())),
            ir.RepeatS(
                span, (), "", None,
                (
                    ir.LetS(span, (), moved, ir.Lit(BOOL, span, False)),
                    ir.ForS(
                        span, (), who, ir.BuiltinX(ListOf(who.type), span, "seats", self._first_seat(span)), (ask,)
                    ),
                    ir.IfS(span, (), ir.NotX(BOOL, span, moved_x), (ir.StopS(span, ()),), ()),
                ),
            ),
        ]  # fmt: skip
        return tuple(block)

    def _first_seat(self, span: Any) -> tuple[ir.X, ...]:
        """Who is asked first: the active player, or the first."""
        state = self.game.states.get("active")
        if state is not None and isinstance(state.type, ThingOf) and state.type == self.choices.player_type():
            return (ir.StateX(state.type, span, state, None),)
        assert self.game.players is not None
        return (ir.ThingLit(self.choices.player_type(), span, self.game.players, 0),)

    @staticmethod
    def _reaction_statement(reaction: m.Reaction) -> ir.S:
        block = reaction.block
        condition = reaction.condition
        if reaction.once_state is not None:
            state = ir.StateX(BOOL, reaction.span, reaction.once_state, None)
            unused = ir.NotX(BOOL, reaction.span, state)
            condition = unused if condition is None else ir.AndX(BOOL, reaction.span, (unused, condition))
            spend = ir.AssignS(reaction.span, (), state, "=", ir.Lit(BOOL, reaction.span, True))
            block = _spend_on_use(block, spend)
        if condition is None:
            condition = ir.Lit(BOOL, reaction.span, True)
        return ir.IfS(reaction.span, reaction.cites, condition, block, ())


def _spend_on_use(block: ir.Block, spend: ir.S) -> ir.Block:
    """`once a turn` is used up when the choice is taken, or at once where there is nothing to choose."""
    for at, statement in enumerate(block):
        if isinstance(statement, ir.ChooseS):
            for alt in statement.alts:
                if not alt.effect:
                    alt.block = (spend, *alt.block)
            return block
        if not isinstance(statement, ir.DocS):
            return (*block[:at], spend, *block[at:])
    return block


def _optional_choice(reaction: m.Reaction) -> ir.ChooseS | None:
    """The choice of a reaction that is nothing but an optional choice by one player."""
    rest = [s for s in reaction.block if not isinstance(s, ir.DocS)]
    if len(rest) != 1 or not isinstance(rest[0], ir.ChooseS):
        return None
    choose = rest[0]
    if choose.any_of or not any(a.effect == "pass" for a in choose.alts):
        return None
    return choose if sum(1 for a in choose.alts if not a.effect) >= 1 else None


def _ask_all_the_same(signal: m.Signal) -> None:
    """Where not everybody can work out whether a single reaction may be used, that is a requirement of what it offers:
    who was not asked would tell it."""
    assert signal.procedure is not None
    offers = {id(s.then[-1]): s for s in signal.procedure.block if isinstance(s, ir.IfS) and s.then}
    for reaction in signal.reactions:
        choose, condition = _optional_choice(reaction), reaction.condition
        around = offers.get(id(choose))
        if choose is None or condition is None or around is None or can_all_work_out(condition, faces=True):
            continue
        for alt in choose.alts:
            if alt.effect != "pass":
                alt.clauses = [*_conditions(reaction), *alt.clauses]
        unused: ir.X = ir.Lit(BOOL, reaction.span, True)
        if reaction.once_state is not None:
            unused = ir.NotX(BOOL, reaction.span, ir.StateX(BOOL, reaction.span, reaction.once_state, None))
        around.condition = unused


def _conditions(reaction: m.Reaction) -> list[ir.Clause]:
    """When a reaction may be used, as a requirement of what it offers."""
    if reaction.condition is None:
        return []
    return [ir.Clause(reaction.condition, "", reaction.cites, True, reaction.span, reaction.origin, is_guard=True)]


def _declining(reactions: Sequence[m.Reaction], signal: m.Signal) -> ir.Alt:
    """How a player says that he uses none of several reactions: in the words of their `or pass "..."`, if those that
    have any have the same."""
    worded: dict[tuple[object, ...], ir.Alt] = {}
    for reaction in reactions:
        choose = _optional_choice(reaction)
        assert choose is not None
        for alt in choose.alts:
            if alt.effect == "pass" and alt.given_text and isinstance(alt.text, ir.TemplateX):
                worded.setdefault(alt.text.parts, alt)
    plain = [alt for parts, alt in worded.items() if all(isinstance(part, str) for part in parts)]
    if len(worded) == 1 and plain:
        return ir.Alt(
            "pass", (), None, plain[0].text, plain[0].cites or signal.cites, [], (), plain[0].span, "pass", ""
        )
    decline = ir.TemplateX(TEXT, signal.span, ("Decline",))
    return ir.Alt("pass", (), None, decline, signal.cites, [], (), signal.span, "pass", "")


def _mandatory_first(reactions: Sequence[m.Reaction]) -> list[m.Reaction]:
    return sorted(reactions, key=lambda reaction: reaction.is_optional)


def _goes_through(procedure: m.Procedure, state: str) -> bool:
    """Whether a rule has a `for` over a state of the game."""
    loops = (s for block in procedure.blocks for s in statements_in(block) if isinstance(s, ir.ForS))
    return any(loop.var.state is not None and loop.var.state.name == state for loop in loops)
