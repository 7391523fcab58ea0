"""What a rule that only looks answers is remembered, until something changes that it reads.

Before::

    def r3(S, v230, v231):
        step(1280)
        return flood(v230, NB35, chart1(S, v231) & ~S[8], ...)     # chart1 reads S[386:450]
    S[386 + v18] = 2

After::

    def r3(S, v230, v231):
        asked = (S[1801] or number(S, 1801, 386, 450), S[8], v230, v231)
        found = r3_found.get(asked)
        if found is None: found = remember(r3_found, asked, r3_work(S, v230, v231))
        return found
    S[386 + v18] = 2
    S[1801] = 0

All entries of a run (a state of all things of a kind, say) are one number: equal numbers mean equal entries. It is
worked out when it is asked for (`number`), and gone (0) once one of the entries is written. So a rule that looks at
hundreds of entries is looked up by a few numbers. What lies in places of pieces changes all the time: a rule that looks
there is not remembered.

Needs rules whose reads are all known: slots, runs by their first slot, other rules of that sort. Two passes:
`remembered` writes the look-ups, and `note_changes`, once all that writes to the state stands there, the rest."""

from __future__ import annotations

from attrs import evolve

from rulescript.compiler import code as c
from rulescript.compiler.passes.memos import sum_of
from rulescript.compiler.passes.unit import Unit, is_kept, rewritten

__all__ = ["note_changes", "remembered"]

# A rule is looked up by so many values, at most.
_KEYS = 14
# What takes longer than looking something up.
_SLOW = frozenset({
    "charted", "flood", "flood_cost", "flood_steps", "many", "most_list", "most_set", "sorted", "links_of", "hits",
})  # fmt: skip
# Functions of the machine that are given the state, and look at nothing in it but what they are told, or at nothing.
_LOOKING = frozenset({"answers", "charted", "number"})
# Functions of the machine that change slots: which of their arguments say where. Those that move single things, which
# of them says of what kind. And those that are given the state, and write to no run.
_CHANGING = {"draw_pieces": (3, 5), "draw_unseen": (2, 4), "draw_sparse": (3, 5)}
_MOVING = {"move_thing": 1, "draw_things": 6}
_HARMLESS = frozenset({
    "alike_in", "answers", "charted", "draw_lot", "each_copy", "find_present", "gathered", "many_first",
    "many_options", "many_start", "number", "roll", "so_many", "unlike",
})  # fmt: skip

Reads = frozenset[tuple[str, int]]


def remembered(unit: Unit) -> None:
    unit.map(lambda function: evolve(function, body=rewritten(function.body, lambda code: _gathered(code, unit))))
    found = _Reads(unit)
    functions: list[c.Function] = []
    for function in unit.functions:
        reads = found.of(function.name) if _is_worth_it(function, found) else None
        if (
            not reads
            or len(reads) + len(function.params) > _KEYS
            or any(what == "run" and at in unit.places for what, at in reads)
        ):
            functions.append(function)
        else:
            functions += _looked_up(function, reads, unit)
    unit.functions = functions


def _is_worth_it(function: c.Function, known: _Reads) -> bool:
    return (
        function.sort == "pure"
        and not function.defaults
        and not function.name.endswith(("_one", "_work", "_steps", "_at"))
        and not function.name.startswith("way")  # it does so itself
        and known.is_slow(function.name)
    )


class _Reads:
    """What the rules that only look read of the state, with all they ask."""

    def __init__(self, unit: Unit) -> None:
        self.functions = {function.name: function for function in unit.functions}
        self.starts = {run.start: run for run in unit.runs}
        self.runs = unit.runs
        self.size = unit.size
        self._known: dict[str, Reads | None] = {}
        self._slow: dict[str, bool] = {}

    def of(self, name: str) -> Reads | None:
        """Runs and single slots; None if nobody knows."""
        if name not in self._known:
            reached = self._reached(name)
            found: set[tuple[str, int]] = set()
            self._known[name] = None
            for each in reached:
                own = self._own(self.functions[each])
                if own is None:
                    return None
                found |= own
            runs = {first for what, first in found if what == "run"}
            self._known[name] = frozenset(
                (what, at) for what, at in found if what == "run" or not any(at in self.starts[first] for first in runs)
            )
        return self._known[name]

    def is_slow(self, name: str) -> bool:
        """Whether there is a loop somewhere in a rule, or in one that it asks."""
        if name not in self._slow:
            self._slow[name] = False
            self._slow[name] = any(_has_loop(self.functions[each]) for each in self._reached(name))
        return self._slow[name]

    def _reached(self, name: str) -> dict[str, None]:
        reached = {name: None}
        todo = [name]
        while todo:
            for code in _codes(self.functions[todo.pop()].body):
                if isinstance(code, c.Known) and code.text in self.functions and code.text not in reached:
                    reached[code.text] = None
                    todo.append(code.text)
        return reached

    def _own(self, function: c.Function) -> set[tuple[str, int]] | None:
        """What the code of one function reads; None if that is not known, or it does more than look."""
        if function.sort != "pure":
            return None
        for statement in c.statements(function.body):
            match statement:
                case c.Store(targets=targets) | c.For(targets=targets):
                    if not all(isinstance(target, c.Name) for target in targets):
                        return None
                case c.If() | c.Return() | c.While() | c.Case() | c.Do() | c.Break() | c.Pass():
                    pass
                case _:
                    return None
        found: set[tuple[str, int]] = set()
        states = whole = 0
        for code in _codes(function.body):
            match code:
                case c.Name(text="S"):
                    states += 1
                case c.Name(text="p" | "o"):
                    return None
                case c.Slot(base=base, at=None):
                    if base < self.size:  # not the number of a run, which is read elsewhere
                        found.add(("slot", base))
                case c.Slot(base=base):
                    if base not in self.starts:
                        return None
                    found.add(("run", base))
                case c.Part(of=c.Name(text="S"), first=c.Const(value=first), last=c.Const(value=last)):
                    whole += 1
                    inside = [run for run in self.runs if first < run.stop and run.start < last]
                    if sum(min(run.stop, last) - max(run.start, first) for run in inside) != last - first:
                        return None
                    found |= {("run", run.start) for run in inside}
                case c.Call(function=c.Known(text="gathered"), args=(_, _, _, c.Const(value=first), _)):
                    whole += 1
                    found.add(("run", first))
                case c.Call(function=c.Known(text=text), args=args):
                    if text in self.functions or text in _LOOKING:
                        whole += sum(arg == c.STATE for arg in args)
        return found if states == whole else None


def _has_loop(function: c.Function) -> bool:
    for statement in c.statements(function.body):
        if isinstance(statement, c.For | c.While):
            return True
    codes = _codes(function.body)
    sums = sum(1 for code in codes if sum_of(code) is not None)  # these will be looked up, too (`memos`)
    return sums < sum(1 for code in codes if isinstance(code, c.Listing)) or any(
        isinstance(code, c.Call) and isinstance(code.function, c.Known) and code.function.text in _SLOW
        for code in codes
    )


def _codes(body: c.Body) -> list[c.Code]:
    return [code for statement in c.statements(body) for each in c.expressions(statement) for code in c.inside(each)]


def _looked_up(function: c.Function, reads: Reads, unit: Unit) -> list[c.Function]:
    """A rule that looks its answers up, and the one that works them out."""
    key: list[c.Code] = []
    for what, at in sorted(reads):
        if what == "slot":
            key.append(c.Slot(at))
            continue
        run = next(run for run in unit.runs if run.start == at)
        if len(run) == 1:
            key.append(c.Slot(at))
        else:
            key.append(_number(run, unit))
    params = [name for name in function.params if name != "S"]
    key += [c.Name(name) for name in params]
    work = f"{function.name}_work"
    memo = c.Known(f"{function.name}_found")
    unit.tables[memo.text] = c.call("dict")
    found = c.Name("found")
    given = c.Call(c.Known(work), tuple(c.Name(name) for name in function.params))
    body: c.Body = [
        c.Store((c.Name("asked"),), key[0] if len(key) == 1 else c.Tuple(tuple(key)), origin=function.origin),
        c.Store((found,), c.Method(memo, "get", (c.Name("asked"),)), origin=function.origin),
        c.If(
            found.is_nothing(),
            [c.Store((found,), c.call("remember", memo, c.Name("asked"), given), origin=function.origin)],
            origin=function.origin,
        ),
        c.Return(found, origin=function.origin),
    ]
    return [evolve(function, name=work), evolve(function, body=body)]


def _gathered(code: c.Code, unit: Unit) -> c.Code:
    """All that lies in some places of a run, looked up by the places; and all that is written in a run, as a number."""
    code = c.altered(code, lambda part: _gathered(part, unit))
    match code:
        case c.Call(
            function=c.Known(text="tuple"),
            args=(c.Part(of=c.Name(text="S"), first=c.Const(value=first), last=c.Const(value=last)),),
        ):
            # All that is written in a run, to look something up by.
            run = next((run for run in unit.runs if run.start == first and run.stop == last), None)
            return _number(run, unit) if run is not None else code
        case c.Call(
            function=c.Known(text="sum"),
            args=(
                c.Listing(
                    form="list",
                    value=c.Slot(base=base, at=c.Name(text=member)),
                    loops=(c.Each(names=(name,), source=c.Get(of=c.Known(text="BITS"), at=places), tests=()),),
                ),
            ),
        ) if member == name and base not in unit.places and not isinstance(places, c.Const):
            run = next((run for run in unit.runs if run.start == base), None)
            if run is not None and len(run) > 2:
                memo = c.Known(f"G{base}")
                unit.tables[memo.text] = c.call("dict")
                return c.call("gathered", memo, c.STATE, _number(run, unit), base, places)
    return code


def _number(run: range, unit: Unit) -> c.Code:
    """The number of what is written in a run."""
    slot = unit.numbered.get(run.start)
    if slot is None:
        slot = unit.numbered[run.start] = unit.slot(c.Const(0))
    return c.Any_((c.Slot(slot), c.call("number", c.STATE, slot, run.start, run.stop)))


# ------------------------------------------------------------------ what changes


def note_changes(unit: Unit) -> None:
    """Where an entry is written, the number of its run is gone."""
    if not unit.numbered:
        return
    nowhere = unit.slot(c.Const(0))
    table = [nowhere] * (unit.size + len(unit.kept))
    for run in unit.runs:
        if run.start in unit.numbered:
            table[run.start : run.stop] = [unit.numbered[run.start]] * len(run)
    noted = _Noted(unit, table, nowhere)
    if noted.has_places:
        unit.tables["NU"] = c.Const(tuple(table))
    unit.map(lambda function: function if function.sort == "pure" else evolve(function, body=noted.body(function.body)))


class _Noted:
    """Puts a note behind every statement that writes to a numbered run."""

    def __init__(self, unit: Unit, table: list[int], nowhere: int) -> None:
        self.unit = unit
        self.table = table
        self.nowhere = nowhere
        self.functions = {function.name for function in unit.functions}
        self.has_places = any(first in unit.places for first in unit.numbered)

    def body(self, body: c.Body) -> c.Body:
        out: c.Body = []
        for statement in body:
            inner = c.bodies(statement)
            if inner:
                statement = c.with_bodies(statement, [self.body(each) for each in inner])
                if isinstance(statement, c.For):
                    notes = self._notes(statement.targets, statement)
                    statement = evolve(statement, body=[*notes, *statement.body]) if notes else statement
            out.append(statement)
            match statement:
                case c.Store(targets=targets, value=value):
                    out += self._notes((*targets, *self._changed(value)), statement)
                case c.Do(value=value):
                    out += self._notes(self._changed(value), statement)
        return out

    def _notes(self, targets: tuple[c.Code, ...], statement: c.Statement) -> c.Body:
        slots: dict[c.Code, None] = {}
        for target in targets:
            match target:
                case c.Slot(base=base, at=None):
                    slots[c.Slot(self.table[base])] = None
                case c.Slot(base=0, at=c.Const(value=int(at))):
                    slots[c.Slot(self.table[at])] = None
                case c.Slot(base=0, at=c.Code() as at):
                    # A place of pieces, or a set of them that is kept.
                    if self.has_places and not is_kept(at):
                        slots[c.Slot(0, c.Known("NU")[at])] = None
                case c.Slot(base=base):
                    slots[c.Slot(self.table[base])] = None
                case c.Part(first=c.Const(value=int(first)), last=c.Const(value=int(last))):
                    slots |= {c.Slot(slot): None for slot in self.table[first:last]}
                case c.Name():
                    pass
                case _:  # nobody knows what
                    slots |= {c.Slot(slot): None for slot in self.unit.numbered.values()}
        return [c.Store((slot,), c.Const(0), origin=statement.origin) for slot in slots if slot != c.Slot(self.nowhere)]

    def _changed(self, value: c.Code) -> tuple[c.Code, ...]:
        """The slots that functions of the machine change."""
        found: list[c.Code] = []
        for code in c.inside(value):
            match code:
                case c.Call(function=c.Known(text=text), args=args) if text in _MOVING:
                    info = args[_MOVING[text]]
                    assert isinstance(info, c.Known)
                    found += [c.Slot(first) for first in self.unit.homes[info.text]]
                case c.Call(function=c.Known(text="shuffle"), args=(_, _, c.Const(value=int(at)), _)):
                    found.append(c.Slot(at))
                case c.Call(function=c.Known(text=text), args=args) if text in _CHANGING:
                    found += [c.Slot(0, args[at]) for at in _CHANGING[text]]
                case c.Call(function=c.Known(text=text), args=args):
                    if c.STATE in args and text not in _HARMLESS and text not in self.functions:
                        found += [c.Slot(first) for first in self.unit.numbered]
        return tuple(found)
