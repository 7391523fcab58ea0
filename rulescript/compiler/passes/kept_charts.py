"""Charts, and all that lies in a run of places, are kept with the position and brought up to date where it changed.

Before::

    def chart1(S, key):                  # compares what it looks at with what that was
        ...
        return charted(chart1_memo, key, known, now, S, chart1_one, 64, 2, 0, 42)

    m = chart1(S, (A5[v], S[51])) & sum(S[963:1027])
    S[386 + v] = 2

After::

    def chart1(S, k0):
        if S[1900] & 79228162495817593515539431424 or S[51] != S[1903]:
            renew_chart(S, 1900, 32, 64, 1901, chart1_one, (0, 1), (), ((51, 1903),), 42)
        return S[1901 + k0]
    def union963(S): ...

    m = chart1(S, A5[v]) & union963(S)
    S[386 + v] = 2
    S[1900] |= W386[v]

One slot has a bit for each thing and chart: the entries that were written since the chart was worked out. Slots that a
chart looks at besides are compared with copies. So a look at a chart is a look at a slot. A chart that says no more
than where there are pieces of some sorts is left to `presence`.

Two passes: `kept_charts`, and, once all that writes to the state stands there, `note_charted`."""

from __future__ import annotations

from itertools import product

from attrs import define, evolve, field

from rulescript.compiler import code as c
from rulescript.compiler.lower.infos import ChartInfo
from rulescript.compiler.passes.run_changes import MOVING, RunChanges
from rulescript.compiler.passes.unit import Unit, is_kept, rewritten, set_of

__all__ = ["kept_charts", "note_charted"]

# A chart has so many sets at most: one for each value of its key.
_MOST_SETS = 16
_FEWEST_PLACES = 6


@define
class Marks:
    """Which bits of the slot of changes an entry of a run sets: for each run, by its first slot, where the bits of all
    its entries begin; and bits for the run as a whole. `besides` has more bits for single slots."""

    slot: int
    bits: int = 0
    own: dict[int, list[int]] = field(factory=dict)
    whole: dict[int, int] = field(factory=dict)
    besides: dict[int, int] = field(factory=dict)


def kept_charts(unit: Unit) -> None:
    marks = Marks(unit.slot(c.Const(0)))
    kept: dict[str, ChartInfo] = {}
    made: list[c.Function] = []
    runs = {run.start: run for run in unit.runs}
    tests = {function.name: function for function in unit.functions if function.name.endswith("_one")}
    for function in unit.functions:
        info = unit.charts.get(function.name)
        if info is not None and info.given and (present := _present(tests[f"{function.name}_one"], info, unit)):
            kept[function.name] = info
            function = evolve(function, params=("S", *(f"k{at}" for at in range(len(info.given)))), body=[present])
        elif info is not None and _may_be_kept(info, runs):
            kept[function.name] = info
            function = _chart(function, info, marks, unit)
        made.append(function)
    unions: dict[int, str] = {}
    sets: dict[tuple[c.Code, ...], list[c.Function]] = {}

    def used(code: c.Code) -> c.Code:
        code = c.altered(code, used)
        match code:
            case c.Call(function=c.Known(text=text), args=(state, key)) if text in kept:
                return c.Call(code.function, (state, *_given(key, kept[text])))
            case c.Call(
                function=c.Known(text="sum"),
                args=(c.Part(of=c.Name(text="S"), first=c.Const(value=int(first)), last=c.Const(value=int(last))),),
            ) if first in runs and runs[first].stop == last and len(runs[first]) >= _FEWEST_PLACES:
                unions[first] = f"union{first}"
                return c.call(unions[first], c.STATE)
            case c.Call(function=c.Known(text="sum" | "any"), args=(c.Listing() as listing,)):
                return _own_set(code, listing, marks, unit, sets) or code
        return code

    unit.functions = [evolve(function, body=rewritten(function.body, used)) for function in made]
    unit.functions += [function for several in sets.values() for function in several]
    unit.functions += [_union(runs[first], name, marks, unit) for first, name in unions.items()]
    unit.marks = marks
    unit.kept[marks.slot - unit.size] = c.Const((1 << marks.bits) - 1)


def _own_set(
    code: c.Call, listing: c.Listing, marks: Marks, unit: Unit, sets: dict[tuple[c.Code, ...], list[c.Function]]
) -> c.Code | None:
    """The members of a set that pass tests about their own entries alone, from a chart; None if there is more to it."""
    match listing:
        case c.Listing(value=value, loops=(c.Each(names=(name,), source=source, tests=tests),)) if tests:
            among = set_of(source)
        case _:
            return None
    is_set = value == 1 << c.Name(name)
    if among is None or not (is_set or value == c.Const(True)):
        return None
    if any(isinstance(code, c.Name) and code.text != name for test in tests for code in c.inside(test)):
        return None  # about somebody else, too
    own = tuple(c.replaced(test, {name: c.Name("i")}) for test in tests)
    info = _looks(own, unit)
    if info is None:
        return None
    if own not in sets:
        chart = f"chart_own{len(sets)}"
        one = c.Function(f"{chart}_one", ("S", "i", "key"), [c.Return(c.all_of(own))], "pure")
        sets[own] = [one, _chart(c.Function(chart, ("S",), [], "pure"), info, marks, unit)]
    found = among & c.call(sets[own][1].name, c.STATE)
    return found if is_set else c.Compare("!=", found, c.Const(0))


_PLAIN = (c.Compare, c.Between, c.Not, c.All, c.Any_, c.Op, c.Get, c.Known, c.Const, c.Minus)


def _looks(tests: tuple[c.Code, ...], unit: Unit) -> ChartInfo | None:
    """What tests look at, if that is nothing but entries of runs of one length, by the thing itself, and they can be
    asked of every thing: nothing is ever nothing there. Places of pieces have sets of their own (`presence`)."""
    runs = {run.start: run for run in unit.runs}
    always = (unit.certain | {first for homes in unit.homes.values() for first in homes}) - unit.places
    own: dict[int, None] = {}
    for code in (each for test in tests for each in c.inside(test)):
        match code:
            case c.Slot(base=base, at=c.Name(text="i")) if base in runs and base in always:
                own[base] = None
            case c.Name(text="i"):
                pass
            case c.Get(of=c.Known(text=text)) if not _is_full(unit.values.get(text)):
                return None
            case _ if not isinstance(code, _PLAIN):
                return None
    lengths = {len(runs[base]) for base in own}
    if len(lengths) != 1 or min(lengths) < _FEWEST_PLACES:
        return None
    return ChartInfo(lengths.pop(), (), tuple(own), (), (), 4)


def _is_full(table: object) -> bool:
    return isinstance(table, tuple) and None not in table


def _may_be_kept(info: ChartInfo, runs: dict[int, range]) -> bool:
    sets = 1
    for values in info.given:
        sets *= values
    return (
        0 < sets <= _MOST_SETS
        and bool(info.own)
        and all(first in runs and len(runs[first]) == info.size for first in info.own)
    )


def _present(one: c.Function, info: ChartInfo, unit: Unit) -> c.Statement | None:
    """A chart that says no more than where there are pieces of some sorts, as the set of these places: `presence` keeps
    such sets."""
    match one.body:
        case [c.Return(value=c.Compare(sign="!=", left=pile, right=c.Const(value=0)) as test) as statement]:
            pass
        case _:
            return None
    here = [each for each in c.factors(pile) if isinstance(each, c.Slot)]
    sorts = [each for each in c.factors(pile) if each not in here]
    match here, sorts:
        case [c.Slot(base=first, at=c.Name(text="i"))], [c.Get(of=c.Known(text=text), at=c.Name(text="k0"))] if (
            info.own == (first,) and first in unit.places and not info.bits and not info.besides
        ):
            table = unit.values.get(text)
            if info.size < _FEWEST_PLACES or not isinstance(table, tuple) or len(table) > _MOST_SETS:
                return None
        case _:
            return None
    every = c.BITS[c.Const((1 << info.size) - 1)]
    listing = c.Listing("list", c.Const(1) << c.Name("i"), (c.Each(("i",), every, (test,)),))
    return c.Return(c.call("sum", listing), origin=statement.origin)


def _given(key: c.Code, info: ChartInfo) -> tuple[c.Code, ...]:
    """The names of a key, without the slots it has besides."""
    if not info.given:
        return ()
    if len(info.given) == 1 and not info.besides:
        return (key,)
    assert isinstance(key, c.Tuple)
    return key.items[: len(info.given)]


def _chart(function: c.Function, info: ChartInfo, marks: Marks, unit: Unit) -> c.Function:
    """The function that gives a chart that is kept."""
    first, marks.bits = marks.bits, marks.bits + info.size
    for run in info.own:
        marks.own.setdefault(run, []).append(first)
    keys = list(product(*map(range, info.given)))
    sets = [unit.slot(c.Const(0)) for _ in keys]
    bits = tuple((slot, unit.slot(c.Const(0))) for slot in info.bits)
    besides = tuple((slot, unit.slot(c.Const(None))) for slot in info.besides)
    changed = [c.Slot(marks.slot) & ((1 << info.size) - 1 << first)]
    changed += [c.Compare("!=", c.Slot(slot), c.Slot(copy)) for slot, copy in (*bits, *besides)]
    names = [c.Name(f"k{at}") for at in range(len(info.given))]
    is_bare = len(info.given) == 1 and not info.besides
    asked = tuple(key[0] if is_bare else key for key in keys)
    renewed = c.call(
        "renew_chart", c.STATE, marks.slot, first, info.size, sets[0], c.Known(f"{function.name}_one"),
        c.Const(asked), c.Const(bits), c.Const(besides), info.weight,
    )  # fmt: skip
    at: c.Code | None = None
    for name, values in zip(names, info.given, strict=True):
        at = name if at is None else at * values + name
    origin = function.origin
    body: c.Body = [
        c.If(c.any_of(changed), [c.Do(renewed, origin=origin)], origin=origin),
        c.Return(c.Slot(sets[0], at), origin=origin),
    ]
    return evolve(function, params=("S", *[name.text for name in names]), body=body)


def _union(run: range, name: str, marks: Marks, unit: Unit) -> c.Function:
    """The function that gives all that lies in a run of places."""
    bit, marks.bits = 1 << marks.bits, marks.bits + 1
    marks.whole[run.start] = marks.whole.get(run.start, 0) | bit
    slot = c.Slot(unit.slot(c.Const(0)))
    everything = c.call("sum", c.Part(c.STATE, c.Const(run.start), c.Const(run.stop)))
    body: c.Body = [
        c.If(
            c.Slot(marks.slot) & bit,
            [c.Store((slot,), everything), c.Store((c.Slot(marks.slot),), c.Const(~bit), "&")],
        ),
        c.Return(slot),
    ]
    return c.Function(name, ("S",), body, "pure")


# ------------------------------------------------------------------ what changes


def note_charted(unit: Unit) -> None:
    """Where an entry is written, its bits are set."""
    if unit.marks is not None and unit.marks.bits:
        _Marked(unit, unit.marks).run()


class _Marked(RunChanges):
    def __init__(self, unit: Unit, marks: Marks) -> None:
        super().__init__(unit)
        self.marks = marks
        self.starts = frozenset(run.start for run in unit.runs)
        self.table = [0] * (unit.size + 1)  # the last one for what is nowhere
        for slot, bits in marks.besides.items():
            self.table[slot] |= bits
        for run in unit.runs:
            for at, slot in enumerate(run):
                self.table[slot] |= marks.whole.get(run.start, 0)
                for first in marks.own.get(run.start, ()):
                    self.table[slot] |= 1 << first + at
        unit.tables["WB"] = c.Const(tuple(self.table))
        for run in unit.runs:
            if self.table[run.start]:
                unit.tables[f"WB{run.start}"] = c.Const(tuple(self.table[run.start : run.stop]))

    def before(self, statement: c.Statement) -> c.Body:
        """What moves is no longer where it was."""
        out: c.Body = []
        for code in c.expressions(statement):
            for each in c.inside(code):
                match each:
                    case c.Call(function=c.Known(text="move_thing"), args=(_, c.Known(text=info), thing, *_)):
                        loc = self.unit.homes[info][0]
                        out += self._set({c.Known("WB")[c.Slot(loc, thing)]: None}, statement)
        return out

    def moved(self, text: str, args: tuple[c.Code, ...]) -> list[c.Code]:
        info = args[MOVING[text]]
        assert isinstance(info, c.Known)
        loc = self.unit.homes[info.text][0]
        if text == "move_thing":
            return [c.Slot(loc, args[2]), c.Slot(0, args[3])]
        return [self.whole(loc), c.Slot(0, args[3]), c.Slot(0, args[5])]

    def after(self, targets: tuple[c.Code, ...], statement: c.Statement) -> c.Body:
        fixed = 0
        bits: dict[c.Code, None] = {}
        for target in targets:
            match target:
                case c.Slot(base=slot, at=None) | c.Slot(base=0, at=c.Const(value=int(slot))):
                    fixed |= self.table[slot] if slot < self.unit.size else 0
                case c.Slot(base=0, at=c.Op(sign="+", left=c.Const(value=int(first)), right=at)) if (
                    first in self.starts
                ):
                    bits |= self._entry(first, at)
                case c.Slot(base=0, at=c.Code() as at):
                    if not is_kept(at):
                        bits[c.Known("WB")[at]] = None
                case c.Slot(base=first, at=c.Code() as at):
                    bits |= self._entry(first, at)
                case c.Part(first=c.Const(value=int(first)), last=c.Const(value=int(last))):
                    for slot in range(first, min(last, self.unit.size)):
                        fixed |= self.table[slot]
                case c.Name() if target != c.STATE:
                    pass
                case _:  # nobody knows what
                    fixed = (1 << self.marks.bits) - 1
        if fixed:
            bits[c.Const(fixed)] = None
        return self._set(bits, statement)

    def _entry(self, first: int, at: c.Code) -> dict[c.Code, None]:
        """What an entry of a run sets, by the run's first slot."""
        if first >= self.unit.size:
            return {}
        if first not in self.starts:
            return {c.Known("WB")[first + at]: None}
        return {c.Known(f"WB{first}")[at]: None} if f"WB{first}" in self.unit.tables else {}

    def _set(self, bits: dict[c.Code, None], statement: c.Statement) -> c.Body:
        return [c.Store((c.Slot(self.marks.slot),), bit, "|", origin=statement.origin) for bit in bits]
