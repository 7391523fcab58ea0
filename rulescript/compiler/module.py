"""A checked game -> the text of one Python module, and the plain data a driver needs beside it.

The text holds everything: constants, pure rules, blocks, decisions. It imports nothing; the runtime gives it the
functions of runtime/support.py as its globals. Names of the game never become names of Python, only numbers do, so
no text of an author's can reach the generated code except as a quoted literal.
"""

from __future__ import annotations

from typing import Any

from attrs import define

from rulescript.analysis.types import SetOf, ThingOf
from rulescript.compiler.described import Described
from rulescript.compiler.layout import Layout
from rulescript.compiler.passing import passing_slots
from rulescript.compiler.threading import thread_blocks
from rulescript.compiler.writer import Writer
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.runtime import support

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
            self.out.line(0, f"def b{layout.initial[info.ret]}(p, S):")
            self.out.line(1, "if S[2] is None: S[2] = ('', (), False, 'the sequence of play is over', -1)")
            self.out.line(1, "S[0] = 0")
            self.out.line(1, "return None")
            start = info.entry
        layout.initial[0] = start
        for procedure in procedures:
            if procedure.form == "phase" and procedure.name not in self.phase_entries:
                self.info(procedure)
        self._claims()
        self._views()
        self.out.line(0, "def b0(p, S):")
        self.out.line(1, "p.d = 0; p.o = []; S[0] = 0")
        self.out.line(1, "return None")
        return self._assemble(start, rules_hash)

    def _claims(self) -> None:
        out = self.out
        self._plain = True
        for at, invariant in enumerate(self.game.invariants):
            out.at(invariant.span)
            tests = " and ".join(f"({self.x(c)})" for c in invariant.conditions)
            out.line(0, f"def inv{at}(S): return bool({tests})")
        standing, players = self.game.standing, self.game.players
        if standing is not None and players is not None:
            out.at(standing.span)
            who = [ir.ThingLit(ThingOf(players.name), standing.span, players, i) for i in range(players.size)]
            asked = [self.x(ir.CallX(standing.type, standing.span, standing, (each,))) for each in who]
            out.line(0, f"def standing(S): return [{', '.join(asked)}]")
        for at, (check, conditions) in enumerate(self.game.checks):
            out.at(check.span)
            for number, condition in enumerate(conditions):
                out.line(0, f"def chk{at}_{number}(S): return bool({self.x(condition)})")
                if isinstance(condition, ir.CompareX):
                    sides = f"{self.x(condition.left)}, {self.x(condition.right)}"
                    out.line(0, f"def sides{at}_{number}(S): return ({sides})")
        self._plain = False

    def _views(self) -> None:
        """Who sees what in a place: a function from the viewer's number and the owner to a level."""
        self._plain = True
        for at, holds in enumerate(self.holds_list):
            out = self.out
            out.at(holds.span)
            out.line(0, f"def see{at}(S, viewer, owner):")
            if holds.owner_var is not None:
                self.env[holds.owner_var.ident] = "owner"
            default = "visible"
            for line in holds.visibility:
                if line.who is None:
                    default = line.level
                    continue
                who = self.x(line.who)
                test = f"{who} >> viewer & 1" if isinstance(line.who.type, SetOf) else f"{who} == viewer"
                out.line(1, f"if {test}: return {line.level!r}")
            if holds.visibility and all(v.who is not None for v in holds.visibility):
                default = "hidden" if any(v.level == "visible" for v in holds.visibility) else "visible"
            out.line(1, f"return {default!r}")
        self.hidden_kinds: list[str] = []
        for kind in self.game.kinds.values():
            if kind.hidden is None:
                continue
            var, condition, known = kind.hidden
            self.env[var.ident] = "x"
            test = self.x(condition)
            knows = "False"
            if known is not None:
                code = self.x(known)
                knows = f"{code} >> viewer & 1" if isinstance(known.type, SetOf) else f"{code} == viewer"
            self.out.at(kind.span)
            self.out.line(0, f"def hide{len(self.hidden_kinds)}(S, x, viewer): return bool({test}) and not ({knows})")
            self.hidden_kinds.append(kind.name)
        self._plain = False

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
        head = Writer()
        for name, value in self.constants.items():
            if not isinstance(value, support._Remember) and not isinstance(value, _SPARSE):
                head.line(0, f"{name} = {_literal(value)}")
        for name, pieces in layout.pieces.items():
            n = self.ident(name)
            if pieces.is_sparse:
                head.line(0, f"IT_{n} = SparseItems(); CD_{n} = SparseCodes(); CN_{n} = SparseCounts()")
                head.line(0, f"UN_{n} = SparseUnits(); FM_{n} = SparseFields()")
                continue
            head.line(0, f"IT_{n} = Items({pieces.fields!r})")
            head.line(0, f"CD_{n} = Codes(IT_{n})")
            head.line(0, f"CN_{n} = Counts(IT_{n})")
        for name, table in self.nears.items():
            head.line(0, f"{name} = Near({table})")
        for work, name in self.asked.items():
            head.line(0, f"{name} = {work}")
        for work, name in self.known.items():
            sort = "KnownBy" if "," in work[: work.index(":")] else "Known"
            head.line(0, f"{name} = {sort}({work})")
        ordered = {slot: holds.ordered for slot, (holds, _) in layout.place_of_slot.items()}
        head.line(0, f"ORDERED = {ordered!r}")
        for name, loc in layout.loc_slot.items():
            head.line(0, f"TI_{self.ident(name)} = ThingInfo({name!r}, {loc}, ORDERED)")
        head.extend(self.pure)
        keep = {0, start, *self.decisions, *(entry for entry, _ in self.phase_blocks)}
        keep |= {info.entry for info in self.procedures.values()}
        keep |= {v for v in layout.initial[layout.locals_start :] if isinstance(v, int)}
        apart = self.blocks_apart()
        self.out = thread_blocks(self.out, keep | apart, apart)
        head.extend(self.out)
        blocks = ", ".join(f"b{i}" if self._has_block(i) else "None" for i in range(self.block_count))
        head.at(None)
        head.line(0, f"B = [{blocks}]")
        head.line(0, "C = {" + ", ".join(f"{d}: c{d}" for d in self.decisions) + "}")
        head.line(0, "W = {" + ", ".join(f"{d}: w{d}" for d in self.decisions) + "}")
        texts = ", ".join(f"{d}: ({', '.join(a.text for a in i.alts)},)" for d, i in self.decisions.items())
        head.line(0, "X = {" + texts + "}")
        head.line(0, "INV = [" + ", ".join(f"inv{i}" for i in range(len(game.invariants))) + "]")
        checks = ", ".join(
            "[" + ", ".join(f"chk{i}_{j}" for j in range(len(conditions))) + "]"
            for i, (_, conditions) in enumerate(game.checks)
        )
        head.line(0, f"CHK = [{checks}]")
        sides = ", ".join(
            f"({i}, {j}): sides{i}_{j}"
            for i, (_, conditions) in enumerate(game.checks)
            for j, condition in enumerate(conditions)
            if isinstance(condition, ir.CompareX)
        )
        head.line(0, "SIDES = {" + sides + "}")
        hides = ", ".join(f"{name!r}: hide{i}" for i, name in enumerate(self.hidden_kinds))
        head.line(0, f"HIDE = {{{hides}}}")
        head.line(0, "SEE = [" + ", ".join(f"see{i}" for i in range(len(self.holds_list))) + "]")
        data = self._data(start, rules_hash)
        data["passing"] = passing_slots(head.text, data["locals"])
        return Compiled(head.text, data, head.origins)

    def blocks_apart(self) -> frozenset[int]:
        """Blocks that are always jumped to, never written where they are reached; examples stop at phases."""
        return frozenset()

    def _has_block(self, number: int) -> bool:
        if not hasattr(self, "_defined"):
            self._defined = {line[4 : line.index("(")] for line in self.out.lines if line.startswith("def b")}
        return f"b{number}" in self._defined


_SPARSE = (
    support.SparseItems, support.SparseCodes, support.SparseCounts, support.SparseUnits, support.SparseFields,
    support.Which, support.WhichBy, support.WhichIn,
)  # fmt: skip


def _literal(value: Any) -> str:
    if isinstance(value, dict):
        return repr(dict(value))
    return repr(value)
