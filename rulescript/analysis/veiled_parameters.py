"""Which parameters may stand for what lies face down, or for something worked out from it.

A loop or a choice that names what may lie face down is seen where it stands (`checks/hidden_information.py`). Handed to
another rule, the thing lies face down there too. In comes the whole model; out go notes on parameters: from where they
get such things (`Var.lies_in`), and what is worked out from them (`Var.told_of`), in words that mean the same in the
rule that has the parameter. What cannot be said in such words, and what was turned up, moved or shown on the way, is
not noted: the writer is believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulescript.analysis.anywhere import never_in
from rulescript.analysis.handing_on import Mentions, handed_by, statements_of, until_settled
from rulescript.analysis.kept_secrets import bound_in
from rulescript.analysis.looking import same
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.traverse import free_vars, walk

__all__ = ["is_turned_down", "is_veil", "note_veiled_parameters", "turned_by", "veiled_at_choices"]

# A parameter that is handed things from more places than these is believed.
MOST_SOURCES = 6

Names = dict[int, list[ir.X]]


def note_veiled_parameters(mentions: Mentions) -> None:
    """Note with parameters what they are handed that may lie face down."""
    procedures = mentions.procedures
    if not any(kind.hidden is not None for kind in mentions.game.kinds.values()):
        return
    rules = [statements_of(procedure) for procedure in procedures]
    until_settled(mentions, lambda at: _touched(rules[at]))
    until_settled(mentions, lambda at: _handed(procedures[at], rules[at]))


def veiled_at_choices(procedure: m.Procedure) -> dict[int, list[tuple[ir.Var, list[ir.X]]]]:
    """For each choice of a rule, by `id`: the parameters that still stand for what may lie face down, with where they
    get it."""
    out: dict[int, list[tuple[ir.Var, list[ir.X]]]] = {}
    left = {param.ident: param for param in procedure.params if param.lies_in}
    for statement in statements_of(procedure) if left else ():
        if isinstance(statement, ir.ChooseS):
            out[id(statement)] = [(param, param.lies_in) for param in left.values()]
        for ident in _turned(statement, left):
            left.pop(ident, None)
    return out


def _touched(statements: Sequence[ir.S]) -> Iterator[int]:
    """Note the names whose things a rule turns up or shows, itself or in what it calls."""
    for statement in statements:
        for var in turned_by(statement):
            if not var.is_turned:
                var.is_turned = True
                yield var.ident


def turned_by(statement: ir.S) -> Iterator[ir.Var]:
    """The names of what a statement turns up, moves where nothing lies face down, or shows to everybody, itself or in a
    rule that they are handed to."""
    match statement:
        case ir.AssignS(
            target=ir.PieceStateX(of=ir.Local(var=var), state=state) | ir.StateX(of=ir.Local(var=var), state=state),
            value=value,
        ) if is_veil(state) and not is_turned_down(state, value):
            yield var
        case ir.MoveS(what=ir.Local(var=var), to=to) if _lies_open_in(to.holds):
            yield var
        case ir.RevealS(what=ir.Local(var=var), to=None):
            yield var
    for param, arg in handed_by(statement):
        if param.is_turned and isinstance(arg, ir.Local):
            yield arg.var


def _lies_open_in(holds: m.Holds) -> bool:
    """Whether nothing lies face down in a place."""
    return holds.kind.hidden is None or never_in(holds, holds.kind.hidden[1])


def _turned(statement: ir.S, names: Sequence[int] | Names | dict[int, ir.Var]) -> list[int]:
    """The names that may be known after a statement: all of them where it shows something, or changes what lies."""
    match statement:
        case ir.RevealS(what=what, to=None) if not isinstance(what, ir.Local):
            return list(names)
        case ir.AssignS(target=ir.PieceStateX(state=state, of=of) | ir.StateX(state=state, of=of), value=value) if (
            is_veil(state) and not isinstance(of, ir.Local) and not is_turned_down(state, value)
        ):
            return list(names)
    return [var.ident for var in turned_by(statement)]


def is_veil(state: m.State) -> bool:
    """Whether a state says what lies face down, of its kind."""
    kind = state.kind
    if kind is None or kind.hidden is None:
        return False
    facts = [x for x in walk(kind.hidden[1]) if isinstance(x, ir.PieceStateX | ir.StateX)]
    return any(x.state is state for x in facts)


def is_turned_down(state: m.State, value: ir.X) -> bool:
    """Whether a value given to a state turns something face down."""
    return is_veil(state) and isinstance(value, ir.Lit) and value.value is True


def _handed(procedure: m.Procedure, statements: Sequence[ir.S]) -> Iterator[int]:
    names: Names = {param.ident: list(param.lies_in) for param in procedure.params if param.lies_in}
    told = {param.ident: list(param.told_of) for param in procedure.params if param.told_of}
    for statement in statements:
        for var, source in _bound(statement):
            names.pop(var.ident, None)
            if isinstance(source, ir.Local) and source.var.ident in names:
                names[var.ident] = names[source.var.ident]
            elif _may_lie(source):
                names[var.ident] = [source]
        handed = list(handed_by(statement))
        for param, arg in handed:
            before = len(param.lies_in), len(param.told_of)
            if isinstance(arg, ir.Local):
                for source in names.get(arg.var.ident, ()):
                    _add(param.lies_in, _in_words_of(source, handed))
                for known in told.get(arg.var.ident, ()):
                    _add_told(param.told_of, known)
            else:
                for ident in sorted(free_vars(arg) & names.keys()):
                    for source in names[ident]:
                        said = _in_words_of(source, handed)
                        _add_told(param.told_of, (ident, said, arg) if said is not None else None)
            if before != (len(param.lies_in), len(param.told_of)):
                yield param.ident
        for ident in _turned(statement, names):
            names.pop(ident, None)


def _bound(statement: ir.S) -> Iterator[tuple[ir.Var, ir.X]]:
    match statement:
        case ir.ChooseS(alts=alts):
            for alt in alts:
                yield from alt.picks
        case ir.ForS(var=var, source=source) | ir.EachS(var=var, source=source):
            yield var, source
        case ir.LetS(var=var, value=value):
            yield var, value


def _may_lie(source: ir.X) -> bool:
    while isinstance(source, ir.FilterX):
        source = source.source
    return isinstance(source, ir.ContentsX) and source.holds.kind.hidden is not None


def _in_words_of(source: ir.X, handed: Sequence[tuple[ir.Var, ir.X]]) -> ir.X | None:
    """Where something lies, in words of the rule that it is handed to; None where there are none."""
    wanted = free_vars(source) - bound_in(source)
    given: dict[int, ir.X] = {
        arg.var.ident: ir.Local(arg.type, arg.span, param) for param, arg in handed if isinstance(arg, ir.Local)
    }
    return substitute(source, given) if wanted <= given.keys() else None


def _add(notes: list[ir.X], source: ir.X | None) -> None:
    if source is not None and len(notes) < MOST_SOURCES and same(source) not in map(same, notes):
        notes.append(source)


def _add_told(notes: list[tuple[int, ir.X, ir.X]], known: tuple[int, ir.X, ir.X] | None) -> None:
    if known is None or len(notes) >= MOST_SOURCES:
        return
    if not any(known[0] == ident and same(known[1:]) == same((source, arg)) for ident, source, arg in notes):
        notes.append(known)
