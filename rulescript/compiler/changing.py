"""Statements that change the position -> Python: states set, pieces moved, placed and drawn, states that have lasted.

What is changed is told to the journal if there is one. Nothing here waits for a player.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulescript.analysis.types import INT, ListOf, Maybe, PieceOf, SetOf, ThingOf, Type
from rulescript.compiler.layout import PieceLayout, plain
from rulescript.compiler.slots import Slots
from rulescript.compiler.writer import Writer
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.runtime.sparse import Recoded

__all__ = ["Changing"]


class Changing(Slots):
    """Compiles effects."""

    # -------------------------------------------------------------- scopes

    def lasting(self, names: set[str]) -> list[m.State]:
        out = [s for s in self.game.states.values() if any(n.text in names for n in s.lasts)]
        for kind in self.game.kinds.values():
            out += [s for s in kind.states.values() if any(n.text in names for n in s.lasts)]
        return out

    def has_scope(self, name: str) -> bool:
        watched = any(i.when == "end" and i.scope == name for i in self.game.invariants)
        return watched or bool(self.lasting({name}))

    def end_of_scope(self, name: str, out: Writer, indent: int) -> None:
        if any(i.when == "end" and i.scope == name for i in self.game.invariants):
            out.line(indent, f"if p.watch is not None: p.watch(p, {name!r})")
        self.reset_scope(name, out, indent)

    def reset_scope(self, name: str, out: Writer, indent: int, is_end: bool = True) -> None:
        """Put back what lasts a scope: where it ends, or for a time while it begins anew within itself."""
        for state in self.lasting({name}):
            if state.is_depth:
                if is_end:
                    out.line(indent, f"S[{self.layout.state_slot[id(state)]}] -= 1")
                continue
            if state.kind is not None and state.kind.is_pieces:
                self._reset_pieces(state, out, indent)
                continue
            slot = self.layout.state_slot[id(state)]
            if self.layout.state_mode[id(state)] in ("one", "mask"):
                out.line(indent, f"S[{slot}] = {self.layout.initial[slot]!r}")
                continue
            assert state.kind is not None
            size = state.kind.size
            if self.layout.state_mode[id(state)] == "dual":
                size = self.layout.mask_slot[id(state)] + self.layout.small_kind(state.type) - slot
            values = tuple(self.layout.initial[slot : slot + size])
            out.line(indent, f"S[{slot}:{slot + size}] = {self.const(values, 'R')}")

    def _reset_pieces(self, state: m.State, out: Writer, indent: int) -> None:
        """Every piece back to the state it starts with: counters move to the codes that have it."""
        kind = state.kind
        assert kind is not None
        slots = tuple(s for s, (holds, _) in self.layout.place_of_slot.items() if holds.kind is kind)
        out.line(indent, f"for s in {self.const(slots, 'R')}:")
        self._reset_pile(state, "s", out, indent + 1)

    def _reset_pile(self, state: m.State, slot: str, out: Writer, indent: int) -> None:
        """The pieces in one place back to the state they start with."""
        assert state.kind is not None
        pieces = self.layout.pieces[state.kind.name]
        if pieces.is_sparse:
            out.line(indent, f"S[{slot}] = recoded(S[{slot}], {self._first_codes(state.kind, [state])})")
            return
        start = plain(state.initial)
        shifts: dict[int, int] = {}
        for code in range(pieces.codes):
            goal = pieces.with_state(code, state, start)
            if goal != code:
                shift = pieces.fields[code][0] - pieces.fields[goal][0]
                shifts[shift] = shifts.get(shift, 0) | pieces.field(code)
        every = self.big(sum(shifts.values()))
        out.line(indent, f"if S[{slot}] & {every}:")
        for shift, mask in shifts.items():
            out.line(indent + 1, f"m = S[{slot}] & {self.big(mask)}")
            moved = f"(m >> {shift})" if shift > 0 else f"(m << {-shift})"
            out.line(indent + 1, f"S[{slot}] += {moved} - m")

    def _ended(self, holds: m.Holds) -> list[m.State]:
        """The states that what comes to a place loses."""
        return [state for state in holds.kind.states.values() if state.ends_in(holds)]

    def _without_ended(self, holds: m.Holds, code: str) -> str:
        """The code of a piece once it is in a place."""
        ended = self._ended(holds)
        return f"{self._first_codes(holds.kind, ended)}[{code}]" if ended else code

    def _first_codes(self, kind: m.Kind, states: Sequence[m.State]) -> str:
        """A table: the code of a piece once some of its states are as they start."""
        pieces = self.layout.pieces[kind.name]
        if pieces.is_sparse:
            found = [(pieces.stride(state), plain(state.initial)) for state in states]
            return self.const(Recoded(tuple((n, len(values), values.index(x)) for (n, values), x in found)), "X")
        table = list(range(pieces.codes))
        for state in states:
            table = [pieces.with_state(c, state, plain(state.initial)) for c in table]
        return self.const(tuple(table), "X")

    def settle(self, statement: ir.S, out: Writer, indent: int) -> None:
        """After a call in which states of pieces may have ended: a name whose piece is no longer there in its state
        means the one that is there without it."""
        for var, states in self.following.settled_after(self._procedure, statement):
            name, kind = self.local(var), states[0].kind
            assert kind is not None
            first = f"x >> {self.shift} << {self.shift} | {self._first_codes(kind, states)}[x & {self.low}]"
            there = f"S[x >> {self.shift}] & FM_{self.ident(kind.name)}[x & {self.low}]"
            if isinstance(var.type, ListOf):
                out.line(indent, f"{name} = tuple([x if {there} else {first} for x in {name} or ()])")
            else:
                out.line(indent, f"x = {name}")
                out.line(indent, f"if x is not None and not {there}: {name} = {first}")

    def put_back(self, kind: m.Kind, states: Sequence[m.State], name: str, type_: Type) -> str:
        """What a name says of its piece, or of each of its pieces, once some states are as they start."""
        table = self._first_codes(kind, states)
        if isinstance(type_, ListOf):
            return f"tuple([x >> {self.shift} << {self.shift} | {table}[x & {self.low}] for x in {name}])"
        code = f"{name} >> {self.shift} << {self.shift} | {table}[{name} & {self.low}]"
        return f"None if {name} is None else {code}" if isinstance(type_, Maybe) else code

    def _end_of_thing(self, holds: m.Holds, out: Writer, indent: int) -> None:
        """What the thing `i` loses when it comes to a place."""
        for state in self._ended(holds):
            slot, mode = self.layout.state_slot[id(state)], self.layout.state_mode[id(state)]
            if mode == "mask":
                start = self.layout.initial[slot]
                out.line(indent, f"S[{slot}] = S[{slot}] & ~(1 << i) | {start} & 1 << i")
                continue
            assert state.kind is not None
            values = self.const(tuple(self.layout.initial[slot : slot + state.kind.size]), "R")
            if mode == "dual":
                masks = self.layout.mask_slot[id(state)]
                out.line(indent, f"S[{masks} + S[{slot} + i]] &= ~(1 << i)")
                out.line(indent, f"S[{masks} + {values}[i]] |= 1 << i")
            out.line(indent, f"S[{slot} + i] = {values}[i]")

    # -------------------------------------------------------------- effects

    def _assign(self, statement: ir.AssignS, out: Writer, indent: int) -> None:
        value = self.x(statement.value)
        target = statement.target
        if statement.operator != "=":
            current = self.x(target)
            if isinstance(target.type, SetOf):
                value = f"({current} | {value})" if statement.operator == "+=" else f"({current} & ~{value})"
            elif isinstance(target.type, ListOf):
                value = f"{'joined' if statement.operator == '+=' else 'without'}({current}, {value})"
            else:
                value = f"({current} {statement.operator[0]} {value})"
        if target.type == INT and _may_grow(statement) and not isinstance(target, ir.PieceStateX):
            value = f"bounded({value})"
        is_state = isinstance(target, ir.StateX | ir.PieceStateX)
        if is_state:
            out.line(indent, f"if p.j is not None: was = {self.x(target)}")
        self.assign(target, value, out, indent)
        match target:
            case ir.StateX(state=state, of=of):
                owner = self.x(of) if of is not None else "None"
                site = self.site("set", statement, (state.kind.name if state.kind else "", state.name))
            case ir.PieceStateX(state=state, of=of):
                owner = self.x(of)
                site = self.site("piece", statement, (self.kind_of(of.type), state.name))
        if is_state:
            # What changes nothing is only noted as reached, not told.
            now = self.x(target)
            told = f"({site}, {owner}, {now}, was) if {now} != was else ({site},)"
            out.line(indent, f"if p.j is not None: p.j.append({told})")

    def checked(self, state: m.State | None, value: str) -> str:
        """A value that a state is given, if it may have it."""
        if state is None or state.bounds is None:
            return value
        low, high = state.bounds
        name = f"{state.kind.name}.{state.name}" if state.kind is not None else state.name
        return f"within({value}, {low}, {high}, {name!r})"

    def assign(self, target: ir.X, value: str, out: Writer, indent: int) -> None:
        match target:
            case ir.StateX(state=state) if state.bounds is not None:
                value = self.checked(state, value)
            case ir.PieceStateX(state=state) if state.type == INT:
                value = self.checked(state, value) if state.bounds is not None else f"bounded({value})"
        match target:
            case ir.Local(var=var):
                out.line(indent, f"{self.bind(var)} = {value}")
            case ir.StateX(state=state, of=of):
                slot = self.layout.state_slot[id(state)]
                mode = self.layout.state_mode[id(state)]
                if of is None:
                    out.line(indent, f"S[{slot}] = {value}")
                elif mode == "mask":
                    which = self.x(of)
                    if value == "True":
                        out.line(indent, f"S[{slot}] |= 1 << {which}")
                    elif value == "False":
                        out.line(indent, f"S[{slot}] &= ~(1 << {which})")
                    else:
                        out.line(
                            indent, f"S[{slot}] = S[{slot}] | 1 << {which} if {value} else S[{slot}] & ~(1 << {which})"
                        )
                elif mode == "dual":
                    masks = self.layout.mask_slot[id(state)]
                    out.line(indent, f"i = {self.x(of)}")
                    out.line(indent, f"v = {value}")
                    # Rules that update everything mostly change nothing.
                    out.line(indent, f"if S[{slot} + i] != v:")
                    out.line(indent + 1, f"S[{masks} + S[{slot} + i]] &= ~(1 << i)")
                    out.line(indent + 1, f"S[{masks} + v] |= 1 << i")
                    out.line(indent + 1, f"S[{slot} + i] = v")
                else:
                    out.line(indent, f"S[{self.plus(slot, of)}] = {value}")
            case ir.PieceStateX(state=state, of=ir.Local(var=var)):
                pieces = self.layout.pieces[self.kind_of(var.type)]
                kind = self.ident(pieces.kind.name)
                name = self.local(var)
                out.line(indent, f"i = {name}")
                changed = self._changed_code(pieces, state, value)
                out.line(indent, f"c = i & {self.low}; i >>= {self.shift}; v = {changed}")
                out.line(indent, f"if not S[i] & FM_{kind}[c]: stale({pieces.kind.name!r})")
                out.line(indent, f"S[i] += UN_{kind}[v] - UN_{kind}[c]")
                out.line(indent, f"{name} = i << {self.shift} | v")
            case _:
                raise AssertionError(target)

    def _changed_code(self, pieces: PieceLayout, state: m.State, value: str) -> str:
        """The code of the piece `c` once a state has a value."""
        stride, values = pieces.stride(state)
        if pieces.is_sparse:
            at = (
                f"{value} - {values.start}"
                if isinstance(values, range)
                else f"{self.const(_index(values), 'X')}[{value}]"
            )
            return f"c + ({at} - c // {stride} % {len(values)}) * {stride}"
        table = tuple(tuple(pieces.with_state(c, state, v) for c in range(pieces.codes)) for v in values)
        return f"{self.const(table, 'X')}[{self.const(_index(values), 'X')}[{value}]][c]"

    def items_code(self, what: ir.X) -> str:
        """Things or pieces as a tuple, for the journal."""
        if isinstance(what.type, ThingOf | PieceOf):
            return f"({self.x(what)},)"
        return self.refs(what)

    def type_note(self, what: ir.X) -> tuple[str, bool]:
        kind = self.kind_of(what.type)
        return (kind, self.game.kinds[kind].is_pieces)

    def _move(self, statement: ir.MoveS, out: Writer, indent: int) -> None:
        what, to = statement.what, statement.to
        kind = to.holds.kind
        site = self.site("move", statement, (kind.name, kind.is_pieces, statement.end))
        target = self.slot(to)
        if kind.is_pieces:
            self._move_pieces(statement, what, target, site, out, indent)
            return
        info = f"TI_{self.ident(kind.name)}"
        end = statement.end
        out.line(indent, f"d = {target}")
        if isinstance(what.type, ThingOf):
            out.line(indent, f"i = {self.x(what)}")
            out.line(
                indent, f"if p.j is not None: p.j.append(({site}, (i,), S[{self.layout.loc_slot[kind.name]} + i], d))"
            )
            out.line(indent, f"move_thing(S, {info}, i, d, {end!r})")
            self._end_of_thing(to.holds, out, indent)
            return
        items = self.listed(what) if isinstance(what.type, ListOf) else self.refs(what)
        if statement.amount is not None:
            items = f"{items}[:max(0, {self.x(statement.amount)})]"
        out.line(indent, f"for i in {items}:")
        out.line(
            indent + 1, f"if p.j is not None: p.j.append(({site}, (i,), S[{self.layout.loc_slot[kind.name]} + i], d))"
        )
        out.line(indent + 1, f"move_thing(S, {info}, i, d, {end!r})")
        self._end_of_thing(to.holds, out, indent + 1)

    def _move_pieces(self, statement: ir.MoveS, what: ir.X, target: str, site: int, out: Writer, indent: int) -> None:
        self._moved_pieces(statement, what, target, site, out, indent)
        for state in self._ended(statement.to.holds):
            self._reset_pile(state, "d", out, indent)

    def _moved_pieces(self, statement: ir.MoveS, what: ir.X, target: str, site: int, out: Writer, indent: int) -> None:
        kind = self.game.kinds[self.kind_of(what.type)]
        n = self.ident(kind.name)
        out.line(indent, f"d = {target}")
        if isinstance(what.type, PieceOf):
            out.line(indent, f"i = {self.x(what)}")
            out.line(indent, f"c = i & {self.low}; i >>= {self.shift}")
            out.line(indent, f"if not S[i] & FM_{n}[c]: stale({kind.name!r})")
            out.line(indent, f"if p.j is not None: p.j.append(({site}, (i << {self.shift} | c,), i, d))")
            out.line(indent, f"S[i] -= UN_{n}[c]; S[d] += UN_{n}[c]")
            if isinstance(what, ir.Local):
                code = self._without_ended(statement.to.holds, "c")
                out.line(indent, f"{self.local(what.var)} = d << {self.shift} | {code}")
            return
        if isinstance(what.type, ListOf):
            items = self.x(what)
            taken = items
            if statement.amount is not None:
                out.line(indent, f"m = max(0, {self.x(statement.amount)})")
                taken = f"{items}[:m]"
            out.line(indent, f"for i in {taken}:")
            out.line(indent + 1, f"c = i & {self.low}; i >>= {self.shift}")
            out.line(indent + 1, f"if not S[i] & FM_{n}[c]: stale({kind.name!r})")
            out.line(indent + 1, f"if p.j is not None: p.j.append(({site}, (i << {self.shift} | c,), i, d))")
            out.line(indent + 1, f"S[i] -= UN_{n}[c]; S[d] += UN_{n}[c]")
            if isinstance(what, ir.Local) and self.is_used_again(what.var):
                # The list goes on to mean the same pieces.
                code = self._without_ended(statement.to.holds, f"x & {self.low}")
                rest = f" + {items}[m:]" if statement.amount is not None else ""
                out.line(indent, f"{items} = tuple([d << {self.shift} | {code} for x in {taken}]){rest}")
            return
        base, _ = self.split_source(what)
        left: list[ir.X] = []
        holder, codes = "", None
        if isinstance(base, ir.ContentsX):
            base, holder, codes, left = self.pile_parts(what, None, ())
        else:
            left = [what]
        if left or statement.amount is not None:
            refs = self.refs(what)
            if statement.amount is not None:
                refs = f"{refs}[:max(0, {self.x(statement.amount)})]"
            out.line(indent, f"for i in {refs}:")
            out.line(indent + 1, f"c = i & {self.low}; i >>= {self.shift}")
            out.line(indent + 1, f"if p.j is not None: p.j.append(({site}, (i << {self.shift} | c,), i, d))")
            out.line(indent + 1, f"S[i] -= UN_{n}[c]; S[d] += UN_{n}[c]")
            return
        assert isinstance(base, ir.ContentsX)
        mask = f" & {codes}" if codes else ""
        slot = self.layout.holds_slot[id(base.holds)]
        if holder:
            h = self.fresh("h")
            out.line(indent, f"for {h} in {holder}:")
            out.line(indent + 1, f"i = {slot} + {h}")
            indent += 1
        else:
            out.line(indent, f"i = {self.slot(base)}")
        out.line(indent, f"m = S[i]{mask}")
        out.line(indent, "if m and i != d:")
        pile = f"tuple([i << {self.shift} | c for c, n in IT_{n}[m] for _ in range(n)])"
        out.line(indent + 1, f"if p.j is not None: p.j.append(({site}, {pile}, i, d))")
        out.line(indent + 1, "S[i] -= m; S[d] += m")

    def _place(self, statement: ir.PlaceS, out: Writer, indent: int) -> None:
        pieces = self.layout.pieces[statement.kind.name]
        n = self.ident(statement.kind.name)
        site = self.site("move", statement, (statement.kind.name, True, ""))
        out.line(indent, f"d = {self.slot(statement.to)}")
        for index, count in statement.types:
            home = statement.kind.homes[index]
            if home is None:
                continue
            source = self.layout.slot_of(home[0], home[1])
            code = pieces.default_code(index)
            there = f"CN_{n}[S[{source}] & FM_{n}[{code}]]"
            if not pieces.is_sparse:
                there = f"(S[{source}] & FM_{n}[{code}]) >> {pieces.fields[code][0]}"
            out.line(indent, f"c = min({count}, {there})")
            out.line(
                indent, f"if p.j is not None: p.j.append(({site}, ({source << self.shift | code},) * c, {source}, d))"
            )
            out.line(indent, f"S[{source}] -= c * UN_{n}[{code}]; S[d] += c * UN_{n}[{code}]")

    def _draw(self, statement: ir.DrawS, out: Writer, indent: int) -> None:
        kind = statement.source.holds.kind
        n = self.ident(kind.name)
        site = self.site("draw", statement, (kind.name, kind.is_pieces))
        source, target = self.slot(statement.source), self.slot(statement.to)
        name = self.bind(statement.var) if statement.var is not None else "drawn"
        amount = self.x(statement.amount)
        if kind.is_pieces:
            mask = "-1"
            if statement.filter is not None:
                _, _, codes, left = self.pile_parts(statement.filter, None, ())
                if left and self.layout.pieces[kind.name].is_sparse:
                    mask = f"one_of([i & {self.low} for i in {self.refs(statement.filter)}])"
                elif left:
                    mask = f"sum(set([FM_{n}[i & {self.low}] for i in {self.refs(statement.filter)}]))"
                else:
                    mask = codes or "-1"
            wide = f", {self.shift}" if self.shift != 16 else ""
            call = f"draw_pieces(p, S, {amount}, {source}, {mask}, {target}, UN_{n}, IT_{n}, {site}{wide})"
            if self.layout.pieces[kind.name].is_sparse:
                call = f"draw_sparse(p, S, {amount}, {source}, {mask}, {target}, IT_{n}, {site}, {self.shift})"
        else:
            mask = "-1"
            if statement.filter is not None:
                mask = (
                    self.x(statement.filter)
                    if isinstance(statement.filter.type, SetOf)
                    else (f"sum([1 << i for i in {self.listed(statement.filter, any_order=True)}])")
                )
            call = f"draw_things(p, S, {amount}, {source}, {mask}, {target}, TI_{n}, {statement.end!r}, {site})"
        out.line(indent, f"{name} = {call}")
        out.line(indent, f"if p.j is not None: p.j.append(({site}, {name}, {source}, {target}))")
        self._end_of_drawn(statement.to.holds, name, target, out, indent)

    def _end_of_drawn(self, holds: m.Holds, name: str, target: str, out: Writer, indent: int) -> None:
        """What was drawn loses the states that do not last where it comes to."""
        ended = self._ended(holds)
        if not ended:
            return
        if not holds.kind.is_pieces:
            out.line(indent, f"for i in {name}:")
            self._end_of_thing(holds, out, indent + 1)
            return
        out.line(indent, f"d = {target}")
        for state in ended:
            self._reset_pile(state, "d", out, indent)
        code = self._without_ended(holds, f"x & {self.low}")
        out.line(indent, f"{name} = tuple([x >> {self.shift} << {self.shift} | {code} for x in {name}])")


def _may_grow(statement: ir.AssignS) -> bool:
    """Whether what is set may be a larger number than any there was. Steps of a fixed size cannot grow far."""
    if statement.operator != "=":
        return not isinstance(statement.value, ir.Lit)
    return isinstance(statement.value, ir.ArithX | ir.CallX | ir.IfX | ir.AggregateX)


class _Values(dict[Any, int]):
    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(map(repr, self)))


def _index(values: Sequence[Any]) -> _Values:
    """Which of a state's values a value is; 0 and 1 serve for no and yes."""
    return _Values({v: i for i, v in enumerate(values)})
