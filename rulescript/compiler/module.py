"""A checked game -> the text of one Python module, and the plain data a driver needs beside it.

The text holds everything: constants, pure rules, blocks, decisions. It imports nothing; the runtime gives it the
functions of machine/support.py as its globals. Names of the game never become names of Python, only numbers do, so
no text of an author's can reach the generated code except as a quoted literal.
"""

from __future__ import annotations

from typing import Any

from attrs import define

from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Const, Name, Slot, call
from rulescript.compiler.described import Described
from rulescript.compiler.emit import Page, python
from rulescript.compiler.jump_threading import thread_jumps
from rulescript.compiler.layout import OUTCOME, PC, Layout
from rulescript.machine import support
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import SetOf, ThingOf
from rulescript.source import Span

__all__ = ["Compiled", "compile_game"]


@define
class Compiled:
    """The text and the data of a compiled game. Both are plain: they can be kept in a cache."""

    text: str
    data: dict[str, Any]
    origins: dict[int, tuple[str, int]]


def compile_game(game: m.Game, rules_hash: str = "") -> Compiled:
    """Compile a game that has no errors."""
    return Module(game, Layout(game)).compile(rules_hash)


class Module(Described):
    """Puts the module together."""

    def compile(self, rules_hash: str) -> Compiled:
        game, layout = self.game, self.layout
        procedures = list(game.procedures.values())
        for kind in game.kinds.values():
            for thing in kind.things:
                procedures += thing.does.values()
        checks = self.watch_whenevers(procedures)
        procedures += checks
        for procedure in checks:
            game.procedures[procedure.name] = procedure
        self.find_stops(procedures)
        for procedure in procedures:
            if procedure.form not in ("phase", "sequence", "does"):
                self.info(procedure)
        sequence = game.procedures.get("sequence")
        start = 0
        if sequence is not None:
            info = self.info(sequence)
            layout.initial[info.ret] = self.new_block()
            over = self.begin_block(layout.initial[info.ret])
            nothing = c.Tuple((Const(""), c.Tuple(()), Const(False), Const("the sequence of play is over"), Const(-1)))
            over.when(Slot(OUTCOME).is_nothing()).store(Slot(OUTCOME), nothing)
            over.store(Slot(PC), 0)
            over.give(None)
            start = info.entry
        layout.initial[0] = start
        for procedure in procedures:
            if procedure.form == "phase" and procedure.name not in self.phase_entries:
                self.info(procedure)
        self._claims()
        self._views()
        self.begin_block(0).add(c.Halt())
        return self._assemble(start, rules_hash)

    def _claims(self) -> None:
        self._plain = True
        for at, invariant in enumerate(self.game.invariants):
            tests = c.all_of([self.x(condition) for condition in invariant.conditions])
            self._asked(f"inv{at}", call("bool", tests), invariant.span)
        standing, players = self.game.standing, self.game.players
        if standing is not None and players is not None:
            who = [ir.ThingLit(ThingOf(players.name), standing.span, players, i) for i in range(players.size)]
            asked = [self.x(ir.CallX(standing.type, standing.span, standing, (each,))) for each in who]
            self._asked("standing", c.List(tuple(asked)), standing.span)
        for at, (check, conditions) in enumerate(self.game.checks):
            for number, condition in enumerate(conditions):
                self._asked(f"chk{at}_{number}", call("bool", self.x(condition)), check.span)
                if isinstance(condition, ir.CompareX):
                    sides = c.Tuple((self.x(condition.left), self.x(condition.right)))
                    self._asked(f"sides{at}_{number}", sides, check.span)
        self._plain = False

    def _asked(self, name: str, code: Code, span: Span) -> None:
        """A function of the state alone."""
        self.begin(name, ("S",), "claim", span).give(code)

    def _views(self) -> None:
        """Who sees what in a place: a function from the viewer's number and the owner to a level."""
        self._plain = True
        for at, holds in enumerate(self.holds_list):
            out = self.begin(f"see{at}", ("S", "viewer", "owner"), "claim", holds.span)
            if holds.owner_var is not None:
                self.env[holds.owner_var.ident] = Name("owner")
            default = "visible"
            for line in holds.visibility:
                if line.who is None:
                    default = line.level
                else:
                    out.when(self._is_viewer(line.who)).give(Const(line.level))
            if holds.visibility and all(v.who is not None for v in holds.visibility):
                default = "hidden" if any(v.level == "visible" for v in holds.visibility) else "visible"
            out.give(Const(default))
        self.hidden_kinds: list[str] = []
        for kind in self.game.kinds.values():
            if kind.hidden is None:
                continue
            var, condition, known = kind.hidden
            self.env[var.ident] = Name("x")
            test = self.x(condition)
            knows = self._is_viewer(known) if known is not None else Const(False)
            out = self.begin(f"hide{len(self.hidden_kinds)}", ("S", "x", "viewer"), "claim", kind.span)
            out.give(c.All((call("bool", test), c.Not(knows))))
            self.hidden_kinds.append(kind.name)
        self._plain = False

    def _is_viewer(self, who: ir.X) -> Code:
        """Whether somebody, or one of several, is the viewer."""
        code, viewer = self.x(who), Name("viewer")
        return code.has(viewer) if isinstance(who.type, SetOf) else code.equals(viewer)

    def _assemble(self, start: int, rules_hash: str) -> Compiled:
        layout, game = self.layout, self.game
        places = [""] * len(layout.initial)
        for slot, (holds, owner) in layout.place_of_slot.items():
            if holds.owner is not None and holds.owner.things:
                label = holds.owner.things[owner].label
                only = sum(1 for h in holds.owner.holds.values() if h.kind is holds.kind) == 1
                places[slot] = f" in {label}" if only else f" in {label} ({holds.name.replace('_', ' ')})"
            else:
                places[slot] = f" in {holds.name.replace('_', ' ')}"
        self.constants["PLACES"] = tuple(places)
        within = {
            n: tuple(i for i, names in enumerate(self.phase_within) if n in names) for n in dict.fromkeys(self.phases)
        }
        self.constants["WITHIN"] = {a.during: within.get(a.during, ()) for a in self.game.asides}
        page = Page()
        for name, value in self.constants.items():
            if not isinstance(value, support._Remember) and not isinstance(value, _SPARSE):
                page.line(0, f"{name} = {_literal(value)}")
        for name, pieces in layout.pieces.items():
            n = self.ident(name)
            if pieces.is_sparse:
                page.line(0, f"IT_{n} = SparseItems(); CD_{n} = SparseCodes(); CN_{n} = SparseCounts()")
                page.line(0, f"UN_{n} = SparseUnits(); FM_{n} = SparseFields()")
                continue
            page.line(0, f"IT_{n} = Items({pieces.fields!r})")
            page.line(0, f"CD_{n} = Codes(IT_{n})")
            page.line(0, f"CN_{n} = Counts(IT_{n})")
        for name, table in self.nears.items():
            page.line(0, f"{name} = Near({table})")
        for work, name in self.asked.items():
            page.line(0, f"{name} = {python(work)}")
        for work, name in self.known.items():
            assert isinstance(work, c.Lambda)
            page.line(0, f"{name} = {'KnownBy' if len(work.params) > 1 else 'Known'}({python(work)})")
        ordered = {slot: holds.ordered for slot, (holds, _) in layout.place_of_slot.items()}
        page.line(0, f"ORDERED = {ordered!r}")
        for name, loc in layout.loc_slot.items():
            page.line(0, f"TI_{self.ident(name)} = ThingInfo({name!r}, {loc}, ORDERED)")
        for name in self.memos:
            page.line(0, f"{name} = {{}}")
        for function in self.pure:
            page.function(function)
        keep = {0, start, *self.decisions, *(entry for entry, _ in self.phase_blocks)}
        keep |= {info.entry for info in self.procedures.values()}
        keep |= {v for v in layout.initial[layout.locals_start :] if isinstance(v, int)}
        apart = self.blocks_apart()
        self.functions = thread_jumps(self.functions, keep | apart, apart)
        for function in self.functions:
            page.function(function)
        defined = {function.name for function in self.functions}
        blocks = ", ".join(f"b{i}" if f"b{i}" in defined else "None" for i in range(self.block_count))
        page.line(0, f"B = [{blocks}]")
        page.line(0, "C = {" + ", ".join(f"{d}: c{d}" for d in self.decisions) + "}")
        page.line(0, "W = {" + ", ".join(f"{d}: w{d}" for d in self.decisions) + "}")
        texts = ", ".join(f"{d}: ({', '.join(a.text for a in i.alts)},)" for d, i in self.decisions.items())
        page.line(0, "X = {" + texts + "}")
        page.line(0, "INV = [" + ", ".join(f"inv{i}" for i in range(len(game.invariants))) + "]")
        checks = ", ".join(
            "[" + ", ".join(f"chk{i}_{j}" for j in range(len(conditions))) + "]"
            for i, (_, conditions) in enumerate(game.checks)
        )
        page.line(0, f"CHK = [{checks}]")
        sides = ", ".join(
            f"({i}, {j}): sides{i}_{j}"
            for i, (_, conditions) in enumerate(game.checks)
            for j, condition in enumerate(conditions)
            if isinstance(condition, ir.CompareX)
        )
        page.line(0, "SIDES = {" + sides + "}")
        hides = ", ".join(f"{name!r}: hide{i}" for i, name in enumerate(self.hidden_kinds))
        page.line(0, f"HIDE = {{{hides}}}")
        page.line(0, "SEE = [" + ", ".join(f"see{i}" for i in range(len(self.holds_list))) + "]")
        return Compiled(page.text, self._data(start, rules_hash), page.origins)

    def blocks_apart(self) -> frozenset[int]:
        """Blocks that are always jumped to, never written where they are reached; examples stop at phases."""
        return frozenset()


_SPARSE = (
    support.SparseItems, support.SparseCodes, support.SparseCounts, support.SparseUnits, support.SparseFields,
    support.Which, support.WhichBy, support.WhichIn,
)  # fmt: skip


def _literal(value: Any) -> str:
    if isinstance(value, dict):
        return repr(dict(value))
    return repr(value)
