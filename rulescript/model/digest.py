"""What the composed rules of a game amount to, as one short text: the same for the same rules, whatever compiles them.

In comes a checked model, before it is compiled; out comes a digest by which a save knows its rules again. What only
says something to people is left out: labels, titles, citations, texts that are told, places in files, the standing. So
is a function, route or table that no rule asks for.

Names a rule binds are numbered as they are met, since what they are called decides nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from attrs import fields, has

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import Type

__all__ = ["rules_digest"]

# Changes when the same model comes to mean something else.
MEANING = 3
_WORDS = frozenset(
    {
        "span", "cites", "label", "title", "doc", "wording", "planned", "origin", "reconstructed", "given_text",
        "is_guard", "is_private", "is_veiled",
    }
)  # fmt: skip
_NOT_RULES = {
    ir.Alt: frozenset({"text"}),
    ir.ChooseS: frozenset({"each_of"}),
    m.Thing: frozenset({"kind", "items", "count_in", "words", "back", "at", "is_box", "is_silent"}),
    m.Attr: frozenset({"kind", "default"}),
    m.State: frozenset({"kind", "default", "kept_from", "is_unseen", "told"}),
    m.Holds: frozenset({"owner", "kind", "declared", "seen_from", "is_unseen"}),
    m.Hook: frozenset({"ordering", "thing"}),
    m.Adjustment: frozenset({"ordering", "thing"}),
    m.Reaction: frozenset({"ordering", "thing"}),
    m.Whenever: frozenset({"ordering", "thing"}),
    m.Procedure: frozenset({"stops", "gives_from"}),
}  # fmt: skip
_SAID = (ir.TellS, ir.DocS)
_KEPT = {ir.Alt: frozenset({"label"})}
_ASKED = (m.Function, m.Route, m.Table, m.Procedure, m.Signal)
_PARTS: dict[type, tuple[str, ...]] = {}


def rules_digest(game: m.Game) -> str:
    """The digest of a composed game."""
    digest = _Digest()
    digest.put((MEANING, game.ident))
    for kind in game.kinds.values():
        digest.put((kind.name, kind.is_pieces, kind.is_values, kind.links, kind.does_params, kind.movable))
        digest.put([kind.homes, kind.hidden, kind.shown])
        for part in (*kind.attrs.values(), *kind.states.values(), *kind.holds.values(), *kind.things):
            digest.whole(part)
    for part in (*game.states.values(), *game.holds.values(), *game.procedures.values(), *game.invariants):
        digest.whole(part)
    digest.put([game.loop_hooks, game.whenevers, game.asides, game.seats, game.players])
    digest.put([conditions for _, conditions in game.checks])
    return digest.finished()


class _Digest:
    """Puts parts of a model into a digest, each thing that has a name once."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._vars: dict[int, int] = {}
        self._numbers: dict[int, int] = {}
        self._waiting: list[Any] = []
        self._done: set[int] = set()

    def finished(self) -> str:
        while self._waiting:
            self.whole(self._waiting.pop())
        return self._hash.hexdigest()[:24]

    def whole(self, part: Any) -> None:
        """All of something that has a name."""
        if id(part) in self._done:
            return
        self._done.add(id(part))
        self._fields(part)

    def put(self, value: Any) -> None:
        match _SORTS.get(value.__class__) or _sort_of(value):
            case "value":
                self._word(repr(value))
            case "parts":
                self._fields(value)
            case "list":
                done = [item for item in value if not isinstance(item, _SAID)]
                self._word(f"({len(done)}")
                for item in done:
                    self.put(item)
            case "set":
                self._word(f"{{{sorted(map(repr, value))}")
            case "table":
                self.put(list(value.items()))
            case "name":
                self._var(value)
            case "kind":
                self._word(f"kind {value.name}")
            case "of kind":
                self._word(f"{value.__class__.__name__} {value.kind.name if value.kind else ''}.{value.name}")
            case "place":
                self._word(f"place {value.owner.name if value.owner else ''}.{value.name}")
            case "rule":
                self._asked(value)

    def _word(self, text: str) -> None:
        self._hash.update(text.encode("utf-8", "surrogatepass") + b"\0")

    def _var(self, var: ir.Var) -> None:
        known = var.ident in self._vars
        number = self._vars.setdefault(var.ident, len(self._vars))
        self._word(f"v{number}")
        if not known:
            self.put((var.type, var.role, var.changeable, var.state))

    def _asked(self, rule: Any) -> None:
        """A rule that is asked for by its name: what it says comes later, once."""
        if id(rule) not in self._numbers:
            self._numbers[id(rule)] = len(self._numbers)
            self._waiting.append(rule)
        self._word(f"{rule.__class__.__name__} {self._numbers[id(rule)]}")

    def _fields(self, value: Any) -> None:
        cls = value.__class__
        names = _PARTS.get(cls)
        if names is None:
            left_out = (_WORDS | _NOT_RULES.get(cls, frozenset())) - _KEPT.get(cls, frozenset())
            names = _PARTS[cls] = tuple(f.name for f in fields(cls) if f.name not in left_out)
        self._word(cls.__name__)
        for name in names:
            self.put(getattr(value, name))


# How something is written, by its class.
_SORTS: dict[type, str] = {}


def _sort_of(value: Any) -> str:
    match value:
        case None | bool() | int() | str() | Type() | m.ThingRef():
            sort = "value"
        case tuple() | list():
            sort = "list"
        case frozenset() | set():
            sort = "set"
        case Mapping():
            sort = "table"
        case ir.Var():
            sort = "name"
        case m.Kind():
            sort = "kind"
        case m.State() | m.Attr():
            sort = "of kind"
        case m.Holds():
            sort = "place"
        case _ if isinstance(value, _ASKED):
            sort = "rule"
        case _:
            sort = "parts" if has(value.__class__) else "value"
    _SORTS[value.__class__] = sort
    return sort
