"""A thing that asks somebody something while others may not know which thing it is. A warning.

What a thing's text asks is not told in its words to those who do not know the thing; that somebody is asked, all see.
So where some things of a kind ask and others do not, others can tell them apart, and the writer may not think of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulescript.analysis.handing_on import statements_of
from rulescript.analysis.kept_secrets import hiding_places
from rulescript.analysis.looking import deep, rule_line
from rulescript.analysis.scenes import Scene, scenes_of
from rulescript.analysis.veiled_parameters import is_veil
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called

__all__ = ["check_questions_of_hidden_things"]


def check_questions_of_hidden_things(game: m.Game, reporter: Reporter) -> None:
    """Of things that do something out of sight, all ask or none does."""
    if not any(kind.does for kind in game.kinds.values()):
        return
    places = hiding_places(game)
    for procedure in game.every_procedure():
        done = [s for s in statements_of(procedure) if isinstance(s, ir.DoesS)]
        scenes = scenes_of(procedure, places) if done else {}
        turned = _asked_whether_turned(procedure) if done else set()
        for statement in done:
            if not _is_out_of_sight(statement, scenes.get(id(statement)), turned):
                continue
            texts = [(thing, thing.does[statement.name]) for thing in statement.kind.things if _does(thing, statement)]
            loud = [thing for thing, text in texts if _asks(text)]
            quiet = [thing for thing, text in texts if not _asks(text)]
            if loud and quiet:
                _report(game, reporter, statement, loud[0], quiet[0])


def _report(game: m.Game, reporter: Reporter, statement: ir.DoesS, loud: m.Thing, quiet: m.Thing) -> None:
    one, other = (thing.copy_of or thing.name for thing in (loud, quiet))
    kind = statement.kind.name
    reporter.warning(
        "RS347",
        f"others may not know which {kind} this is, and can tell: {one} asks somebody something, {other} does not",
        statement.span,
        "done out of sight",
        [Label(loud.does[statement.name].span, "asks")],
        "show it before (`reveal`, or a move to where all see it), or write a question under those that ask nothing, "
        'such as `may go_on "Go on"`',
        rule_line(game, statement.cites),
    )


def _asked_whether_turned(procedure: m.Procedure) -> set[int]:
    """The names of which a requirement asks whether they lie face down: there the writer is believed."""
    chooses = [s for s in statements_of(procedure) if isinstance(s, ir.ChooseS)]
    clauses = [clause.condition for choose in chooses for alt in choose.alts for clause in alt.clauses]
    return {
        x.of.var.ident
        for x in deep(clauses)
        if isinstance(x, ir.StateX) and isinstance(x.of, ir.Local) and is_veil(x.state)
    }


def _is_out_of_sight(statement: ir.DoesS, scene: Scene | None, turned: set[int]) -> bool:
    """Whether not everybody may know the thing that does something, where it lies."""
    from rulescript.analysis.secrets import can_all_work_out

    thing = statement.thing
    if scene is None or not isinstance(thing, ir.Local):
        return False
    own = [source for var, source in scene.names if var is thing.var]
    return any(not can_all_work_out(source, faces=thing.var.ident not in turned) for source in own)


def _does(thing: m.Thing, statement: ir.DoesS) -> bool:
    """Whether a thing has such a text, and does not itself come into the open in it."""
    if statement.name not in thing.does:
        return False
    for inner in statements_of(thing.does[statement.name]):
        match inner:
            case (
                ir.MoveS(what=ir.ThingLit(index=index, kind=kind))
                | ir.RevealS(what=ir.ThingLit(index=index, kind=kind))
            ):
                if kind is thing.kind and index == thing.index:
                    return False
    return True


def _asks(rule: m.Procedure) -> bool:
    """Whether a rule asks somebody something, itself or by way of others."""
    seen, todo = {id(rule)}, [rule]
    while todo:
        statements = statements_of(todo.pop())
        if any(isinstance(s, ir.ChooseS | ir.EachS | ir.TogetherS) for s in statements):
            return True
        for each in _called(statements):
            if id(each) not in seen:
                seen.add(id(each))
                todo.append(each)
    return False


def _called(statements: Iterable[ir.S]) -> list[m.Procedure]:
    return [each for statement in statements for each in called(statement)]
