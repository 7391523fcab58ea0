"""A checked game in parts, each with a digest of all that it says: to see which rules of a game have changed.

In comes a model; out come its rules by name, a digest of each, what each asks for, and one digest of everything else.
Unlike `digest.py`, which knows a save's rules again, nothing is left out that somebody could read: words, titles and
citations count. Only where something stands in a file does not, so that a rule that was moved is the same.

Somebody who has played has gone through some procedures, and through choices in them: a choice is a part of its own,
since many go through a procedure and are never asked, and so is what follows each of its answers, since most answer
otherwise; so are the two ways of an `if` and the rounds of a `for`. What these ask for (functions, routes, tables, and
what those ask for) he may have gone through, too. All else is the `frame`: kinds and things, states and places, what
every rule is called and takes, what every choice offers, what holds at any time (invariants, `whenever`, asides) with
the functions it asks for. So who finds the frame unchanged, and the rules he went through with all they ask for, would
find the same again: no other rule was looked at.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from attrs import fields, frozen, has

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called
from rulescript.model.traverse import inner_blocks, statements_in, walk
from rulescript.model.types import Type
from rulescript.source import Span

__all__ = ["ANY_RULE", "Parts", "asked_in", "parts_of", "rule_keys", "ways_apart"]

# What stands for a rule that nobody can tell: who went through it may have gone through any.
ANY_RULE = "?"

_Asked = (m.Function, m.Route, m.Table)
# What is no part of what a rule or thing says: where it is written, and numbers that only tell it from others.
_NOWHERE = {"span"}
_LEFT_OUT: dict[type, frozenset[str]] = {
    ir.ChooseS: frozenset({"number"}),
    ir.Var: frozenset({"ident"}),
    m.Procedure: frozenset({"stops"}),
    m.Thing: frozenset({"kind", "does", "doc"}),
    m.Attr: frozenset({"kind"}),
    m.State: frozenset({"kind"}),
    m.Holds: frozenset({"owner", "kind"}),
}
# What a rule says, as opposed to what it is called and takes: that is for everybody to see.
_BODY: dict[type, frozenset[str]] = {
    m.Function: frozenset({"block", "clauses", "adjustments", "doc"}),
    m.Route: frozenset({"start", "steps", "rules", "cost", "doc"}),
    m.Table: frozenset({"columns", "rows", "doc"}),
    m.Procedure: frozenset({"block", "before", "after", "doc", "stops"}),
    ir.Alt: frozenset({"block", "clauses"}),
    ir.IfS: frozenset({"then", "otherwise"}),
    ir.ForS: frozenset({"block"}),
}
_FIELDS: dict[tuple[type, bool], tuple[str, ...]] = {}


@frozen
class Parts:
    """The digests of a game. `asks` are the functions, routes and tables that a rule names, by the keys of all."""

    frame: str
    rules: Mapping[str, str]
    asks: Mapping[str, frozenset[str]]

    def closed(self, entered: Iterable[str]) -> frozenset[str]:
        """Some rules, and all that they ask for."""
        found: set[str] = set()
        todo = list(entered)
        while todo:
            key = todo.pop()
            if key not in found:
                found.add(key)
                todo += self.asks.get(key, ())
        return frozenset(found)

    def digest(self, keys: Iterable[str]) -> str:
        """What the frame and some rules say together; "" if one of them is not there."""
        said = [self.rules.get(key, "") for key in keys]
        return _digest([self.frame, *said]) if all(said) else ""


def rule_keys(game: m.Game) -> dict[int, str]:
    """What each rule of a game is called here, by its `id`."""
    keys: dict[int, str] = {}
    for sort, rules in (
        ("function", game.functions), ("route", game.routes), ("table", game.tables), ("procedure", game.procedures),
    ):  # fmt: skip
        for name, rule in rules.items():
            keys.setdefault(id(rule), f"{sort} {name}")
    for kind in game.kinds.values():
        for thing in kind.things:
            for name, does in thing.does.items():
                keys.setdefault(id(does), f"does {kind.name}.{thing.name}.{name}")
    for signal in game.signals.values():
        keys.setdefault(id(signal.procedure), f"signal {signal.name}")
    for number, aside in enumerate(game.asides):
        keys.setdefault(id(aside.procedure), f"aside {number}")
    for number, whenever in enumerate(game.whenevers):
        keys.setdefault(id(whenever.procedure), f"whenever {number}")
    return keys


def ways_apart(game: m.Game, keys: Mapping[int, str]) -> dict[tuple[int, str], str]:
    """Where one who goes through a rule may go or not: its choices, what follows each answer, the ways of an `if`, and
    the rounds of a `for`. Each is a part of its own, found by the `id` of what it belongs to and a word that says which
    of its ways it is; and what these parts are called here."""
    found: dict[int, tuple[ir.S, str]] = {}
    for procedure in {id(each): each for each in game.every_procedure()}.values():
        key = keys.get(id(procedure), ANY_RULE)
        if key.startswith(("procedure ", "does ")):
            for at, statement in enumerate(_forks_in(procedure.block)):
                # Where one stands in two places, nobody can tell in which of them it was come to.
                found[id(statement)] = (statement, f"{key} at {at}" if id(statement) not in found else "")
    apart: dict[tuple[int, str], str] = {}
    for statement, key in found.values():
        if key and isinstance(statement, ir.ChooseS):
            apart[id(statement), "asked"] = key
            apart |= {(id(alt), "then"): f"{key} answer {at}" for at, alt in enumerate(statement.alts) if alt.block}
        elif key:
            apart |= {(id(statement), way): f"{key} {way}" for way in _ways_of(statement)}
    return apart


def _forks_in(block: ir.Block) -> Iterator[ir.S]:
    """Where a rule goes on in one way or another. Choices that are asked together with others are gone through with
    these; and whether one is asked for each of several depends on what it asks for."""
    for statement in block:
        if isinstance(statement, ir.ChooseS | ir.IfS | ir.ForS | ir.RepeatS):
            if not (isinstance(statement, ir.ChooseS) and statement.each_of is not None):
                yield statement
            for inner in inner_blocks(statement):
                yield from _forks_in(inner)


def _ways_of(statement: ir.S) -> Iterator[str]:
    match statement:
        case ir.IfS(then=then, otherwise=otherwise):
            if then and not _begins_with_each(then):
                yield "then"
            if otherwise:
                yield "else"
        case ir.ForS(block=block) if block and not _begins_with_each((statement,)):
            yield "round"


def _begins_with_each(block: ir.Block) -> bool:
    """Whether it begins with a choice for each of several: before the first round it is seen whether that is asked."""
    match block:
        case (ir.ForS(block=(ir.ChooseS(each_of=ir.X()), *_)), *_):
            return True
    return False


def asked_in(x: ir.X, keys: Mapping[int, str]) -> frozenset[str]:
    """The functions, routes and tables that an expression names."""
    found: set[str] = set()
    for part in walk(x):
        match part:
            case ir.CallX(function=rule) | ir.RouteX(route=rule) | ir.TableX(table=rule):
                found.add(keys.get(id(rule), ANY_RULE))
    return frozenset(found)


def parts_of(game: m.Game) -> Parts:
    """The digests of a game. While it is compiled, some of its rules are written into others; not after that."""
    keys = rule_keys(game)
    rules: dict[str, str] = {}
    asks: dict[str, frozenset[str]] = {}
    answers = {id(signal.procedure): signal.reactions for signal in game.signals.values()}
    procedures = _procedures(game)
    apart = ways_apart(game, keys)
    for rule in (*game.functions.values(), *game.routes.values(), *game.tables.values(), *procedures):
        writer = _Writer(keys, apart)
        writer.all_of(rule)
        writer.put(answers.get(id(rule)))
        waiting = [(keys[id(rule)], writer)]
        while waiting:
            key, writer = waiting.pop()
            rules[key] = _digest(writer.out)
            asks[key] = frozenset(writer.asked)
            waiting += writer.apart
    frame = _Writer(keys)
    _put_frame(game, procedures, frame)
    said = Parts("", rules, asks)
    held = sorted(said.closed(frame.asked))
    return Parts(_digest([*frame.out, *(rules.get(key, "?") for key in held)]), rules, asks)


def _procedures(game: m.Game) -> list[m.Procedure]:
    found = [*game.procedures.values()]
    found += [does for kind in game.kinds.values() for thing in kind.things for does in thing.does.values()]
    found += [signal.procedure for signal in game.signals.values() if signal.procedure is not None]
    found += [aside.procedure for aside in game.asides if aside.procedure is not None]
    found += [rule.procedure for rule in game.whenevers]
    return list({id(procedure): procedure for procedure in found}.values())


def _put_frame(game: m.Game, procedures: Iterable[m.Procedure], out: _Writer) -> None:
    out.put((game.ident, game.title, game.version, game.facts, game.doc, game.options, game.scenario))
    for options in (game.all_options, game.all_scenarios):
        out.put([(option.name, option.title, option.rules) for option in options.values()])
    out.put((game.parts_of, game.rulebook, game.rulebook_title))
    drawn = {line.kind.text for each in game.maps for line in each.things}
    for kind in game.kinds.values():
        out.all_of(kind)
        for part in (*kind.attrs.values(), *kind.states.values(), *kind.holds.values(), *kind.things):
            out.all_of(part)
        if kind.name in drawn:  # what is written under other things is for their readers alone
            out.put([thing.doc for thing in kind.things])
    for part in (*game.states.values(), *game.holds.values()):
        out.all_of(part)
    for rule in (*game.functions.values(), *game.routes.values(), *game.tables.values(), *procedures):
        out.head_of(rule)
    out.put((list(game.signals), game.eithers, game.versions, game.players, game.standing_counts, game.seats))
    out.put(game.standing.name if game.standing is not None else None)
    out.put((game.maps, game.tracks, list(game.piece_types), {name: len(all_) for name, all_ in game.copies.items()}))
    out.put((game.whenevers, game.asides, game.invariants, game.loop_hooks))
    for aside in game.asides:
        out.all_of(aside.procedure)
    for number, rule in enumerate(game.whenevers):
        out.put(number)
        out.all_of(rule.procedure)
    for procedure, choose in game.chooses:
        out.put((out.keys.get(id(procedure)), choose.name, choose.any_of, choose.sealed, choose.if_possible))
        out.put(choose.cites)
        for alt in choose.alts:
            out.head_of(alt)
    # What nobody comes to any more cannot be begun with.
    used: set[str] = set()
    for procedure in procedures:
        hooks = (hook.block for hook in (*procedure.before, *procedure.after))
        for statement in (each for block in (procedure.block, *hooks) for each in statements_in(block)):
            used.update(out.keys.get(id(rule), ANY_RULE) for rule in called(statement))
            if isinstance(statement, ir.ForS) and statement.var.state is not None:
                out.put((out.keys.get(id(procedure)), statement.var.state, statement.source))
    out.put(sorted(used))


class _Writer:
    """Writes parts of a model as words, and notes which rules they ask for."""

    def __init__(
        self, keys: Mapping[int, str], are_apart: Mapping[tuple[int, str], str] = MappingProxyType({})
    ) -> None:
        self.keys = keys
        self.out: list[str] = []
        self.asked: set[str] = set()
        # What are parts of their own, and those that were written by themselves where one was met.
        self._are_apart = are_apart
        self.apart: list[tuple[str, _Writer]] = []
        self._vars: dict[int, int] = {}

    def all_of(self, part: Any) -> None:
        self._fields(part, False)

    def head_of(self, part: Any) -> None:
        self._fields(part, True)

    def put(self, value: Any) -> None:
        cls = value.__class__
        if cls is str:
            self.out.append(f"'{len(value)} {value}")
        elif value is None or cls is int or cls is bool:
            self.out.append(repr(value))
        elif cls is tuple or cls is list:
            self.out.append(f"({len(value)}")
            for item in value:
                self.put(item)
        else:
            self._other(value)

    def _other(self, value: Any) -> None:
        match _SORTS.get(value.__class__) or _sort_of(value):
            case "parts":
                self._fields(value, False)
            case "name":
                self._var(value)
            case "choice":
                self._choice(value)
            case "answer":
                self._answer(value)
            case "branches":
                self._branches(value)
            case "loop":
                self._loop(value)
            case "type":
                self.out.append(_type(value))
            case "table":
                self.put(list(value.items()))
            case "set":
                self.out.append(f"{{{sorted(map(repr, value))}")
            case "kind":
                self.out.append(f"kind {value.name}")
            case "thing":
                self.out.append(f"thing {value.kind.name}.{value.name}")
            case "of kind":
                self.out.append(f"{value.__class__.__name__} {value.kind.name if value.kind else ''}.{value.name}")
            case "place":
                self.out.append(f"place {value.owner.name if value.owner else ''}.{value.name}")
            case "signal":
                self.out.append(f"signal {value.name}")
            case "rule":
                key = self.keys.get(id(value), ANY_RULE)
                self.out.append(f"rule {key}")
                if isinstance(value, _Asked):
                    self.asked.add(key)
            case "value":
                self.out.append(repr(value))

    def _choice(self, choose: ir.ChooseS) -> None:
        key = self._are_apart.get((id(choose), "asked"))
        if key is None:
            self._fields(choose, False)
        else:
            self._beside("choice", key)._fields(choose, False)

    def _answer(self, alt: ir.Alt) -> None:
        self._fields(alt, True)
        self.put(alt.clauses)
        self._way(alt, "then", alt.block)

    def _branches(self, statement: ir.IfS) -> None:
        self._fields(statement, True)
        self._way(statement, "then", statement.then)
        self._way(statement, "else", statement.otherwise)

    def _loop(self, statement: ir.ForS) -> None:
        self._fields(statement, True)
        self._way(statement, "round", statement.block)

    def _way(self, whose: ir.S | ir.Alt, way: str, block: ir.Block) -> None:
        key = self._are_apart.get((id(whose), way))
        (self if key is None else self._beside(way, key)).put(block)

    def _beside(self, word: str, key: str) -> _Writer:
        """Who writes a part by itself, with the names that are known here."""
        self.out.append(f"{word} {key}")
        inside = _Writer(self.keys, self._are_apart)
        inside._vars = dict(self._vars)
        self.apart.append((key, inside))
        return inside

    def _var(self, var: ir.Var) -> None:
        known = var.ident in self._vars
        number = self._vars.setdefault(var.ident, len(self._vars))
        self.out.append(f"v{number}")
        if not known:
            self._fields(var, False)

    def _fields(self, value: Any, is_head: bool) -> None:
        cls = value.__class__
        names = _FIELDS.get((cls, is_head))
        if names is None:
            left_out = _NOWHERE | _LEFT_OUT.get(cls, frozenset()) | (_BODY[cls] if is_head else frozenset())
            names = _FIELDS[cls, is_head] = tuple(f.name for f in fields(cls) if f.name not in left_out)
        self.out.append(cls.__name__)
        for name in names:
            self.put(getattr(value, name))


# How something is written, by its class.
_SORTS: dict[type, str] = {}


def _sort_of(value: Any) -> str:
    match value:
        case Span():
            sort = "nowhere"
        case ir.ChooseS():
            sort = "choice"
        case ir.Alt():
            sort = "answer"
        case ir.IfS():
            sort = "branches"
        case ir.ForS():
            sort = "loop"
        case ir.X():
            sort = "parts"
        case Mapping():
            sort = "table"
        case frozenset() | set():
            sort = "set"
        case ir.Var():
            sort = "name"
        case Type():
            sort = "type"
        case m.Kind():
            sort = "kind"
        case m.Thing():
            sort = "thing"
        case m.State() | m.Attr():
            sort = "of kind"
        case m.Holds():
            sort = "place"
        case m.Signal():
            sort = "signal"
        case m.Function() | m.Route() | m.Table() | m.Procedure():
            sort = "rule"
        case _:
            sort = "parts" if has(value.__class__) and not isinstance(value, m.ThingRef) else "value"
    _SORTS[value.__class__] = sort
    return sort


@lru_cache(maxsize=4096)
def _type(type_: Type) -> str:
    return repr(type_)


def _digest(words: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:32]
