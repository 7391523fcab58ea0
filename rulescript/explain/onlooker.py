"""A position as one viewer sees it: values worked out, what may be known of them, and what they are called.

What depends on a hidden place is shown as "hidden" (`sight.py`). Whether something is allowed is judged elsewhere
(`failed_clauses.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulescript.analysis.looking import deep
from rulescript.explain.env import Env, Saw, telling_parts
from rulescript.explain.evaluate import evaluator_of, free_locals
from rulescript.machine.tables import BITS
from rulescript.machine.unsettled import members
from rulescript.model import ir
from rulescript.model.types import BOOL, INT, ListOf, Maybe, PieceOf, SetOf, ThingOf, Type, sure
from rulescript.phrases import kind_noun
from rulescript.runtime.views import LEVELS, is_hidden, knows, level_of, some_may
from rulescript.wording.english import Speaker

if TYPE_CHECKING:
    from rulescript.runtime.position import Position

__all__ = ["Onlooker"]

SHOWN = 12


class Onlooker:
    """Works out and words what a viewer (a role's number, or several; None sees everything) may know of a position."""

    def __init__(self, position: Position, viewer: int | Sequence[int] | None) -> None:
        self.position = position
        self.game = position.game
        self.S = position.s
        self.roles = (viewer,) if isinstance(viewer, int) else viewer
        self.ev = evaluator_of(position.game)
        # Whoever is told, where he is the one who chooses: "you have no units in Mill".
        self.you: ir.X | None = None

    # -------------------------------------------------------------- values

    def value(self, x: ir.X, env: Env) -> Any:
        return self.ev.value(x, self.S, env.values)

    def holds(self, x: ir.X, env: Env) -> bool:
        return bool(self.value(x, env))

    def refs(self, source: ir.X, env: Env) -> tuple[Any, ...]:
        return self.ev.refs(source, self.S, env.values)

    def members(self, source: ir.X, env: Env) -> tuple[Any, ...]:
        return self.ev.members(source, self.S, env.values)

    def words(self, value: Any, type_: Type) -> str:
        """A value as it reads in a sentence; pieces by type and place, without their state."""
        match type_:
            case PieceOf(kind):
                info = self.game.data.kinds[kind]
                label = info.labels[(value & self.game.values.low) % info.types]
                if not self.knows_place(type_, value):
                    label = f"an unknown {kind_noun(kind)}"
                    if info.backs is not None and self.sees(value >> self.game.values.shift):
                        label = info.backs[(value & self.game.values.low) % info.types]
                return f"{label} in {self.game.values.place_label(value >> self.game.values.shift)}"
            case Maybe(element):
                return "nothing" if value is None else self.words(value, element)
            case SetOf(element):
                return self._several([self.words(i, element) for i in BITS[value]])
            case ListOf(element):
                return self._several([self.words(i, element) for i in value])
        return self.ev.words(value, type_)

    @staticmethod
    def _several(items: list[str]) -> str:
        if len(items) > SHOWN:
            return f"{', '.join(items[:SHOWN])} and {len(items) - SHOWN} more"
        return ", ".join(items) or "none"

    def names(self, x: ir.X, env: Env) -> dict[int, str]:
        """What to call the names in an expression: the things and pieces they stand for."""
        out: dict[int, str] = {}
        slots = self.game.data.var_slots
        for ident, var in free_locals(x).items():
            type_ = sure(var.type)
            if type_ == INT and var.role == "pick" and isinstance(env.values.get(ident), int):
                out[ident] = str(env.values[ident])  # a number that was named: "3", and not "n"
                continue
            if not isinstance(type_, ThingOf | PieceOf):
                continue
            if ident in env.values:
                value = env.values[ident]
            elif ident in slots and var.role != "pick":
                value = self.S[slots[ident]]
            else:
                continue
            if value is None:
                continue
            if self.you is not None and type_ == self.you.type and self.roles == (value,):
                out[ident] = "you"
                continue
            is_named = ident in env.values or self.knows_place(type_, value)
            out[ident] = self.words(value, type_) if is_named else f"an unknown {kind_noun(type_.kind)}"
        return out

    def speaker(self, x: ir.X, env: Env) -> Speaker:
        """Says an expression with the real things in place of its names."""
        places: dict[int, str] = {}
        for ident, var in free_locals(x).items():
            if ident not in env.values or env.values[ident] is None:
                continue
            match var.type:
                case PieceOf():
                    slot = env.values[ident] >> self.game.values.shift
                case ThingOf(kind) if self.game.data.kinds[kind].loc >= 0:
                    slot = self.S[self.game.data.kinds[kind].loc + env.values[ident]]
                case _:
                    continue
            holds, owner = self.game.values.places.get(slot, (None, 0))
            is_seen = self.sees(slot) and (
                isinstance(var.type, PieceOf) or self.knows_place(var.type, env.values[ident])
            )
            if holds is not None and holds.owner and is_seen:
                places[ident] = self.game.data.kinds[holds.owner].labels[owner]
        made = Speaker(x, self.names(x, env), places)
        made.you = self.you
        return made

    def worded(self, clause: ir.Clause, holds: bool, env: Env) -> str:
        """A requirement in its author's words; "" if it has none."""
        if clause.wording is None:
            return ""
        texts = [x for x in (clause.wording.text, clause.wording.denied) if x is not None]
        both = ir.ListX(clause.wording.text.type, clause.wording.text.span, tuple(texts))
        return self.speaker(both, env).requirement(clause, holds)

    def say(self, x: ir.X, holds: bool, env: Env) -> str:
        return self.speaker(x, env).sentence(x, holds)

    # -------------------------------------------------------------- what may be seen

    def is_asked_about(self, var: ir.Var) -> bool:
        """Whether the viewer decides now, and the question speaks of a name of the rule: then its value is no secret to
        who answers (`analysis/checks/hidden_information.py`)."""
        decision = self.position.decision
        if self.roles is None or decision is None or decision.is_chance or decision.player_index not in self.roles:
            return self.roles is None
        choice = self.ev.choice_at(self.position.d)
        asked = [(alt.picks, alt.many, alt.text, alt.clauses) for alt in choice[1].alts] if choice is not None else []
        return any(isinstance(x, ir.Local) and x.var is var for x in deep(asked))

    def hidden(self, x: ir.X, env: Env, need: str = "visible") -> bool:
        """Whether a value depends on something the viewer may not see."""
        return bool(self.unseen(x, env, need))

    def unseen(self, x: ir.X, env: Env, need: str = "visible") -> str:
        """What a value depends on that the viewer may not see; nothing if there is no such thing."""
        if self.roles is None or not self.game.has_secrets:
            return ""
        from rulescript.explain.sight import Sight

        return Sight(self).unseen(x, env, need)

    def slots(self, x: ir.ContentsX, env: Env) -> Sequence[int]:
        """The places an expression looks into; all of them if that depends on what is not known here."""
        base = self.ev.lower.layout.holds_slot[id(x.holds)]
        if x.of is None:
            return (base,)
        owner = x.holds.owner
        size = owner.size if owner is not None else 1
        try:
            value = self.value(x.of, env)
        except Exception:
            return range(base, base + size)
        if isinstance(x.of.type, SetOf):
            return [base + i for i in BITS[value]]
        return (base + value,) if value is not None else ()

    def sees(self, slot: int, need: str = "visible") -> bool:
        if self.roles is None or slot not in self.game.values.places:
            return True
        return some_may(self.roles, lambda role: LEVELS[level_of(self.game, self.S, slot, role)] >= LEVELS[need])

    def face_down(self, kind: str, slots: Sequence[int]) -> bool:
        """Whether anything in some places lies so that the viewer may not know what it is."""
        if self.roles is None or kind not in self.game.code["HIDE"]:
            return False
        info = self.game.data.kinds[kind]
        for slot in slots:
            if info.is_pieces:
                items = [slot << self.game.values.shift | code for code, _ in self.game.values.pile(kind, self.S[slot])]
            else:
                held = self.S[slot]
                items = list(BITS[held] if isinstance(held, int) else members(held))
            if any(is_hidden(self.game, self.S, kind, item, self.roles) for item in items):
                return True
        return False

    def knows_place(self, type_: Type, value: Any) -> bool:
        """Whether the viewer may know where a thing or piece is."""
        match type_:
            case PieceOf(kind) | ThingOf(kind) if self.roles is not None and value is not None:
                return knows(self.game, self.S, kind, value, self.roles)
        return True

    def is_known(self, value: Any, type_: Type) -> bool:
        """Whether the viewer may know which thing or piece a value is."""
        if self.roles is None or not self.game.has_secrets or not isinstance(type_, ThingOf | PieceOf):
            return True
        return knows(self.game, self.S, type_.kind, value, self.roles)

    # -------------------------------------------------------------- what a condition saw

    def seen(self, x: ir.X, env: Env) -> tuple[tuple[str, str], ...]:
        """The parts of a condition and what they came to."""
        return tuple((text, self.shown(part, env)) for text, part in telling_parts(x).items())

    def saw(self, x: ir.X, env: Env) -> Saw:
        """The same for a failed requirement, with what the sentence about it does not say anyway in words."""
        values: list[tuple[str, str]] = []
        spoken: dict[str, None] = {}
        for text, part in telling_parts(x).items():
            value = self.shown(part, env)
            values.append((text, value))
            if part.type != BOOL:
                words = self.speaker(part, env).phrase(part)
                if words != value:
                    spoken[f"{words}: {value}"] = None
        return {"values": tuple(values), "spoken": tuple(spoken)}

    def shown(self, x: ir.X, env: Env) -> str:
        need = "count" if isinstance(x, ir.BuiltinX) and x.name == "count" else "visible"
        if self.hidden(x, env, need):
            return "hidden"
        try:
            return self.words(self.value(x, env), x.type)
        except Exception:
            return "cannot be worked out"

    # -------------------------------------------------------------- inside a rule

    def enter(self, params: Sequence[ir.Var], args: Sequence[ir.X], env: Env) -> Env:
        """The names inside a rule that is asked with these values."""
        pairs: list[tuple[ir.Var, Any]] = []
        origins: dict[int, tuple[ir.X, Env]] = {}
        for param, arg in zip(params, args, strict=False):
            try:
                pairs.append((param, self.value(arg, env)))
                origins[param.ident] = (arg, env)
            except Exception:
                continue  # not known here; what depends on it will say so
        inner = Env.of(pairs)
        return Env(inner.values, inner.vars, origins)

    def returned(self, block: ir.Block, env: Env) -> tuple[ir.X, Env] | None:
        """Which expression a function gives back, and the names it has then."""
        for statement in block:
            match statement:
                case ir.ReturnS(value=ir.X() as value):
                    return value, env
                case ir.LetS(var=var, value=value):
                    env = env.also((var, self.value(value, env))).written(var, value, env)
                case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                    found = self.returned(then if self.holds(condition, env) else otherwise, env)
                    if found is not None:
                        return found
        return None
