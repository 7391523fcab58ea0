"""A checked game -> the text of one Python module, and the plain data a driver needs beside it.

The text holds everything: constants, pure rules, blocks, decisions. It imports nothing; the runtime gives it the
functions of machine/ as its globals. Names of the game never become names of Python, only numbers do, so
no text of an author's can reach the generated code except as a quoted literal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from attrs import Factory, define

from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Const, Slot
from rulescript.compiler.emit import Page, python
from rulescript.compiler.forms import make_form
from rulescript.compiler.layout import OUTCOME, Layout
from rulescript.compiler.lower.lowering import Lowering, Made
from rulescript.compiler.passes.passing import passing_slots
from rulescript.compiler.passes.unit import Unit
from rulescript.compiler.unwritten import Unwritten, filled_when_asked
from rulescript.game_data import GameData
from rulescript.machine import sparse, tables
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.digest import rules_digest

__all__ = [
    "Compiled", "compile_claims", "compile_for_examples", "compile_game", "lower_all", "put_back", "rule_names",
    "search_code",
]  # fmt: skip


# Expressions and functions of a game of which a search form is made (printed games have up to 17,000 and 1,000): of a
# larger one it takes longer than anybody would wait.
MOST_SEARCHED = 40_000
MOST_FUNCTIONS = 4_000


@define
class Compiled:
    """The text and the data of a compiled game. Both can be kept in a cache."""

    text: str
    data: GameData
    origins: dict[int, tuple[str, int]]
    # The text of the search form, which is run in a copy of the module's names, and where its lines come from. A very
    # large game has none.
    search: tuple[str, dict[int, tuple[str, int]]] | None = None
    # Of what examples play: the rules, as model/parts.py calls them, that are noted by their numbers.
    entered: list[str] = Factory(list)
    # The functions, if they are not in the text: then it has nothing but tables of them.
    unwritten: Unwritten | None = None


def compile_game(game: m.Game, searched: bool = True) -> Compiled:
    """Compile a game that has no errors; with the search form, if it is to be played and not too large for one."""
    digest = rules_digest(game)  # before the rules that hold at once are written into the others
    lower = Lowering(game, Layout(game))
    try:
        start = lower_all(lower)
        compiled = _assembled(lower, "play", start, frozenset(), digest)
        is_small = lower.program.spent <= MOST_SEARCHED and compiled.text.count("\ndef ") <= MOST_FUNCTIONS
        if searched and is_small:
            compiled.search = search_code(lower, start)
    finally:
        put_back(lower)
    return compiled


def search_code(
    lower: Lowering, start: int, left_out: frozenset[str] = frozenset()
) -> tuple[str, dict[int, tuple[str, int]]]:
    """The form that only plays, of a game that was lowered."""
    unit = _unit(lower, start, frozenset())
    unit.passing = frozenset(_passing(lower, make_form("play", _unit(lower, start, frozenset())).functions))
    unit.functions = [f for f in unit.functions if f.sort in ("block", "answer", "rule", "pure")]
    make_form("search", unit, left_out)
    page = Page()
    for name, code in unit.tables.items():
        page.line(0, f"{name} = {python(code)}")
    if unit.kept:
        page.line(0, "def begin(S):")
        page.line(1, f"S += [{', '.join(map(python, unit.kept))}]")
        page.body(unit.begin, 1)
    for function in unit.functions:
        page.function(function)
    _write_players(lower, {function.name for function in unit.functions}, page)
    return page.text, page.origins


def compile_claims(game: m.Game) -> Compiled:
    """Only what is asked of a position: checks, invariants, the standing, who sees what. Nobody can play it."""
    lower = Lowering(game, Layout(game))
    lower.claims.write_claims()
    lower.claims.write_views()
    lower.program.begin_block(c.OVER).add(c.Halt())
    return _assembled(lower, "claims", 0, frozenset(), "")


def compile_for_examples(
    game: m.Game, whole: frozenset[str], digest: str, at_once: bool = True
) -> tuple[Compiled, dict[str, str]]:
    """The form that examples play, and the functions of the rules in `whole`, which are never written out in place.

    Play can also be stopped where a phase begins or ends. The decisions that are passed over for lack of options are
    put into the set `PASSED`, the procedures and choices that are gone through into `ENTERED`. `digest` stands for the
    rules: nobody saves what an example plays, so it need not be that of the rules alone. Unless all is written
    `at_once`, each function is when it is called (unwritten.py)."""
    lower = Lowering(game, Layout(game), Made(whole, True, not at_once))
    try:
        start = lower_all(lower)
        apart = frozenset(block for both in lower.program.phase_blocks for block in both)
        # Wherever a function of a rule is written in the end, it notes that the rule was entered.
        for function in lower.program.written:
            if function.of:
                function.body.insert(0, lower.program.noting(function.of))
        names = rule_names(lower)
        if at_once:
            compiled = _assembled(lower, "claims", start, apart, digest)
        else:
            compiled = _to_be_written(lower, start, digest)
    finally:
        put_back(lower)
    compiled.text += "PASSED = set()\nENTERED = set()\nENTER = ENTERED.add\n"
    compiled.entered = list(lower.program.noted)
    return compiled, names


def rule_names(lower: Lowering) -> dict[str, str]:
    """The functions of the rules kept whole, as far as anybody calls them, or may call them later."""
    game, program = lower.game, lower.program
    for name in sorted(lower.inlining.whole) if program.postponed is not None else ():
        if name in game.functions:
            program.function_name(game.functions[name])
        if name in game.tables:
            program.table_name(game.tables[name])
        if name in game.routes:
            program.route_name(game.routes[name])
    tables: tuple[tuple[Mapping[str, Any], Mapping[int, str]], ...] = (
        (game.functions, program.function_names),
        (game.tables, program.table_names),
        (game.routes, program.route_names),
    )
    return {
        name: names[id(rules[name])]
        for rules, names in tables
        for name in lower.inlining.whole
        if name in rules and id(rules[name]) in names
    }


def lower_all(lower: Lowering) -> int:
    """Make code of everything; returns the block at which play begins. To `put_back` when all is written."""
    game, layout, program = lower.game, lower.layout, lower.program
    procedures = list(game.procedures.values())
    for kind in game.kinds.values():
        for thing in kind.things:
            procedures += thing.does.values()
    procedures += lower.whenever.watch_whenevers(procedures)
    lower.keeping_up.look_after(procedures)
    for procedure in lower.stops.find_stops(procedures):
        if procedure.form not in ("phase", "sequence", "does"):
            lower.procedures.info(procedure)
    sequence = game.procedures.get("sequence")
    start = 0
    if sequence is not None:
        info = lower.procedures.info(sequence)
        layout.initial[info.ret] = program.new_block()
        over = program.begin_block(layout.initial[info.ret])
        nothing = c.Tuple((Const(""), c.Tuple(()), Const(False), Const("the sequence of play is over"), Const(-1)))
        over.when(Slot(OUTCOME).is_nothing()).store(Slot(OUTCOME), nothing)
        over.jump(c.OVER)
        start = info.entry
    layout.initial[0] = start
    for procedure in procedures:
        if procedure.form == "phase" and procedure.name not in program.phase_entries:
            lower.procedures.info(procedure)
    lower.claims.write_claims()
    lower.claims.write_views()
    program.begin_block(c.OVER).add(c.Halt())
    return start


def put_back(lower: Lowering) -> None:
    """Leave the model as it was before it was lowered: others read it, and compile it in another form."""
    lower.keeping_up.put_back()
    lower.whenever.put_back()
    lower.stops.put_back()


def _assembled(lower: Lowering, form: str, start: int, apart: frozenset[int], digest: str) -> Compiled:
    """The module as text. Blocks in `apart` are always jumped to, never written where they are reached."""
    layout = lower.layout
    _note_places(lower)
    page = Page()
    _write_constants(lower, page)
    functions = make_form(form, _unit(lower, start, apart)).functions
    shape = hashlib.sha256(repr(layout.initial).encode("utf-8", "surrogatepass"))
    worded: dict[tuple[tuple[str, ...], Code], str] = {}
    for function in functions:
        if function.sort == "words":
            _write_words(function, worded, page)
            continue
        first = len(page.lines)
        page.function(function)
        shape.update("\n".join(page.lines[first:]).encode("utf-8", "surrogatepass"))
    _write_tables(lower, {function.name for function in functions}, page)
    # Numbers of slots and blocks mean what they mean to this very code. What examples play is neither saved nor hashed.
    passing = _passing(lower, functions) if form == "play" else []
    shape.update(repr(passing).encode())
    data = lower.data.game_data(start, digest, shape.hexdigest()[:24], passing)
    return Compiled(page.text, data, page.origins)


# Code that never fails, so that nobody asks in which line of the rules it stands.
_PLAIN = (c.Const, c.Name, c.Known, c.Slot, c.Get, c.Op)


def _write_words(function: c.Function, worded: dict[tuple[tuple[str, ...], Code], str], page: Page) -> None:
    """A function that words an option or says who decides; once, if it is plain and others say the same."""
    match function.body:
        case [c.Return(value=value)] if all(isinstance(part, _PLAIN) for part in c.inside(value)):
            first = worded.setdefault((function.params, value), function.name)
            if first == function.name:
                page.line(0, f"def {first}({', '.join(function.params)}): return {python(value)}")
            else:
                page.line(0, f"{function.name} = {first}")
        case _:
            page.function(function)


def _to_be_written(lower: Lowering, start: int, digest: str) -> Compiled:
    """The same with functions that are written later, none of them in another's place. What examples play is neither
    saved nor hashed."""
    _note_places(lower)
    functions = [*lower.program.pure, *lower.program.written]
    page = Page()
    _write_things(lower, page)
    _write_tables(lower, {function.name for function in functions}, page)
    data = lower.data.game_data(start, digest, digest[:24], [])
    unwritten = Unwritten(lower, functions, len(page.lines))
    return Compiled(page.text, data, unwritten.origins, unwritten=unwritten)


def _unit(lower: Lowering, start: int, apart: frozenset[int]) -> Unit:
    """Everything that was lowered, for the passes. Blocks that are known by number stay."""
    layout, program = lower.layout, lower.program
    keep = {0, start, *program.decisions, *(entry for entry, _ in program.phase_blocks)}
    keep |= {info.entry for info in program.infos.values()}
    keep |= {v for v in layout.initial[layout.locals_start :] if isinstance(v, int)}
    functions = [*program.pure, *program.written]
    return Unit(
        functions, frozenset(keep | apart), apart, lower.constants.values, layout.runs(), layout.piles,
        layout.certain, layout.sets, _homes(lower), _piles(lower), len(layout.initial),
        {name: code for code, name in lower.constants.known.items() if isinstance(code, c.Lambda)}, layout.states,
        layout.shift, program.chart_infos,
        {str(lower.constants.ident(n)): sum(t.count for t in each.kind.things) for n, each in layout.pieces.items()},
        layout.members, max([kind.size for kind in lower.game.kinds.values()], default=0),
    )  # fmt: skip


def _passing(lower: Lowering, functions: list[c.Function]) -> list[int]:
    """The slots that say nothing where somebody is asked: no function needs them, and nobody else reads them."""
    program = lower.program
    known = {slot for info in program.decisions.values() for _, slot, _ in info.previous}
    for info in program.decisions.values():
        known |= {slot for each in info.selections for slot in (each.items, each.wanted, each.chosen)}
    for procedure in program.infos.values():
        known |= {*procedure.params, procedure.ret, procedure.value}
    return [slot for slot in passing_slots(functions, lower.layout.locals_start) if slot not in known]


def _homes(lower: Lowering) -> dict[str, list[int]]:
    """What changes when a single thing moves, by the table of its kind."""
    layout = lower.layout
    holds = [each for kind in lower.game.kinds.values() for each in kind.holds.values()]
    return {
        f"TI_{lower.constants.ident(name)}": [
            first,
            *(layout.holds_slot[id(each)] for each in (*lower.game.holds.values(), *holds) if each.kind.name == name),
        ]
        for name, first in layout.loc_slot.items()
    }


def _piles(lower: Lowering) -> dict[int, int]:
    """All counters of a place of pieces, by the first slot of its run."""
    layout = lower.layout
    return {
        layout.holds_slot[id(holds)]: layout.pieces[holds.kind.name].full
        for kind in lower.game.kinds.values()
        for holds in kind.holds.values()
        if holds.kind.is_pieces and not layout.pieces[holds.kind.name].is_sparse
    }


def _note_places(lower: Lowering) -> None:
    """What places are called, and which phases lie within which."""
    layout, program = lower.layout, lower.program
    places = [""] * len(layout.initial)
    for slot, (holds, owner) in layout.place_of_slot.items():
        if holds.owner is not None and holds.owner.things:
            label = holds.owner.things[owner].label
            only = sum(1 for h in holds.owner.holds.values() if h.kind is holds.kind) == 1
            places[slot] = f" in {label}" if only else f" in {label} ({holds.name.replace('_', ' ')})"
        else:
            places[slot] = f" in {holds.name.replace('_', ' ')}"
    lower.constants.values["PLACES"] = tuple(places)
    within = {
        name: tuple(i for i, names in enumerate(program.phase_within) if name in names)
        for name in dict.fromkeys(program.phases)
    }
    lower.constants.values["WITHIN"] = {a.during: within.get(a.during, ()) for a in lower.game.asides}


def _write_constants(lower: Lowering, page: Page) -> None:
    layout, constants = lower.layout, lower.constants
    # What follows from where counters lie is worked out again: written out it would be most of the text.
    worked_out = {f"{sort}_{constants.ident(name)}" for name in layout.pieces for sort in ("UN", "FM")}
    for name, value in constants.values.items():
        if name not in worked_out and not isinstance(value, tables.Remember) and not isinstance(value, _SPARSE):
            page.line(0, f"{name} = {dict(value) if isinstance(value, dict) else value!r}")
    for name, pieces in layout.pieces.items():
        n = constants.ident(name)
        if pieces.is_sparse:
            page.line(0, f"IT_{n} = SparseItems(); CD_{n} = SparseCodes(); CN_{n} = SparseCounts()")
            page.line(0, f"UN_{n} = SparseUnits(); FM_{n} = SparseFields()")
            continue
        page.line(0, f"IT_{n} = Items({pieces.fields!r})")
        page.line(0, f"CD_{n} = Codes(IT_{n})")
        page.line(0, f"CN_{n} = Counts(IT_{n})")
        page.line(0, f"UN_{n} = IT_{n}.units(); FM_{n} = IT_{n}.masks()")
    for name, table in constants.nears.items():
        page.line(0, f"{name} = Near({table})")
    for asked, name in constants.asked.items():
        page.line(0, f"{name} = {python(asked)}")
    for known, name in constants.known.items():
        page.line(0, f"{name} = {filled_when_asked(known)}")
    _write_things(lower, page)
    for name in lower.program.memos:
        page.line(0, f"{name} = {{}}")


def _write_things(lower: Lowering, page: Page) -> None:
    """Where single things are, and in what order."""
    layout, constants = lower.layout, lower.constants
    ordered = {slot: holds.ordered for slot, (holds, _) in layout.place_of_slot.items()}
    page.line(0, f"ORDERED = {ordered!r}")
    for name, loc in layout.loc_slot.items():
        page.line(0, f"TI_{constants.ident(name)} = ThingInfo({name!r}, {loc}, ORDERED)")


def _write_players(lower: Lowering, defined: set[str], page: Page) -> None:
    """Blocks and answers, by their numbers."""
    program = lower.program
    blocks = ", ".join(f"b{i}" if f"b{i}" in defined else "None" for i in range(program.block_count))
    page.line(0, f"B = [{blocks}]")
    page.line(0, "C = {" + ", ".join(f"{d}: c{d}" for d in program.decisions) + "}")


def _write_tables(lower: Lowering, defined: set[str], page: Page) -> None:
    """Where a driver finds functions: blocks, answers, words, claims, by their numbers."""
    game, program = lower.game, lower.program
    _write_players(lower, defined, page)
    page.line(0, "W = {" + ", ".join(f"{d}: w{d}" for d in program.decisions) + "}")
    texts = ", ".join(f"{d}: ({', '.join(a.text for a in i.alts)},)" for d, i in program.decisions.items())
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
    hides = ", ".join(f"{name!r}: hide{i}" for i, name in enumerate(lower.claims.hidden_kinds))
    page.line(0, f"HIDE = {{{hides}}}")
    page.line(0, "SEE = [" + ", ".join(f"see{i}" for i in range(len(lower.data.holds_list))) + "]")


_SPARSE = (
    sparse.SparseItems, sparse.SparseCodes, sparse.SparseCounts, sparse.SparseUnits, sparse.SparseFields,
    sparse.Which, sparse.WhichBy, sparse.WhichIn,
)  # fmt: skip
