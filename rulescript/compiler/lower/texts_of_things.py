"""Which rules stand in the text of a thing, or are called from nowhere else.

Who may not know a thing is not told in whose words it asks, or by which rule it did something: that would name it. A
choice is known by where it stands and, in play, by who has called its rule (`Program.note_call`). Of what the journal
tells only the rule is known; so a rule that nothing calls but the texts of some things is told to those who know one of
them. A thing that is shown to all before it does anything hides nothing of what it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulescript.analysis.handing_on import all_see_what_comes_to, opened_by
from rulescript.analysis.secrets import lies_open_if
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called
from rulescript.model.traverse import statements_in

__all__ = ["Caller", "callers_of_rules", "texts_of_things"]

Caller = tuple[str, int]

# What more things than these have in common is no secret of one of them.
MOST_CALLERS = 24


def texts_of_things(game: m.Game) -> Iterator[tuple[m.Thing, ir.Block, bool]]:
    """What things do, and what stands under them as hooks, answers to signals and `whenever`; and whether it may happen
    while not everybody has seen the thing."""
    by_name = {thing.name: thing for kind in game.kinds.values() for thing in kind.things}
    unseen = set(_done_unseen(game))
    for thing in by_name.values():
        for name, rule in thing.does.items():
            yield thing, rule.block, (thing.kind.name, name) in unseen
    under: list[tuple[m.Whenever | m.Hook | m.Reaction, ir.Block]] = [(x, x.procedure.block) for x in game.whenevers]
    for procedure in game.procedures.values():
        under += [(hook, hook.block) for hook in (*procedure.before, *procedure.after)]
    under += [(hook, hook.block) for hooks in game.loop_hooks.values() for hook in hooks]
    under += [(each, each.block) for signal in game.signals.values() for each in signal.reactions]
    for amendment, block in under:
        if amendment.thing in by_name:
            thing = by_name[amendment.thing]
            yield thing, block, not lies_open_if(amendment.condition, thing)


def callers_of_rules(game: m.Game, hidden_under: dict[int, Caller]) -> dict[int, list[Caller]]:
    """For each statement of a rule that only texts of a few things call, itself or by way of others, while these may be
    out of sight: these things. `hidden_under` has the statements of the texts themselves."""
    begun = [each for each in game.procedures.values() if each.form in ("sequence", "phase")]
    begun += [each.procedure for each in game.whenevers]
    begun += [each.procedure for each in game.asides if each.procedure is not None]
    hooks = [hook.block for hooks in game.loop_hooks.values() for hook in hooks]
    loops = [s for block in hooks for s in statements_in(block) if id(s) not in hidden_under]
    open_to_all = {id(each): each for each in begun}
    todo = list(begun)
    while todo:
        found = [s for s in _statements(todo.pop()) if id(s) not in hidden_under]
        for each in _called([*found, *loops]):
            if id(each) not in open_to_all:
                open_to_all[id(each)] = each
                todo.append(each)
        loops = []
    callers: dict[int, set[Caller]] = {}
    rules: dict[int, m.Procedure] = {}
    waiting: list[tuple[m.Procedure, set[Caller]]] = []
    for thing, block, is_unseen in texts_of_things(game):
        own = {(thing.kind.name, thing.index)}
        waiting += [(each, own) for each in _called(statements_in(block))] if is_unseen else []
    while waiting:
        rule, things = waiting.pop()
        known = callers.setdefault(id(rule), set())
        if id(rule) in open_to_all or things <= known or len(known) > MOST_CALLERS:
            continue
        rules[id(rule)] = rule
        known |= things
        waiting += [(each, known) for each in _called(_statements(rule))]
    out: dict[int, list[Caller]] = {}
    for key, rule in rules.items():
        if len(callers[key]) <= MOST_CALLERS:
            out |= {id(s): sorted(callers[key]) for s in _statements(rule) if id(s) not in hidden_under}
    return out


def _done_unseen(game: m.Game) -> Iterator[tuple[str, str]]:
    """What things of a kind may do before everybody has seen them: shown, or moved or drawn where all see it, by the
    name that the same rule has for it."""
    for rule in game.every_procedure():
        shown: set[int] = set()
        for statement in _statements(rule):
            match statement:
                case ir.DoesS(kind=kind, name=name, thing=thing):
                    if not isinstance(thing, ir.Local) or thing.var.ident not in shown:
                        yield kind.name, name
                case ir.RevealS(to=ir.X()):
                    continue  # not to all
                case ir.DrawS(to=to, end=end, var=ir.Var() as var) if to.holds.kind.hidden is None:
                    shown |= {var.ident} if all_see_what_comes_to(to.holds, end) else set()
                case ir.ForS(var=var, source=ir.Local(var=several)) if several.ident in shown:
                    shown.add(var.ident)
            shown.update(var.ident for var in opened_by(statement))


def _statements(rule: m.Procedure) -> list[ir.S]:
    return [statement for block in rule.blocks for statement in statements_in(block)]


def _called(statements: Iterable[ir.S]) -> Iterator[m.Procedure]:
    for statement in statements:
        yield from called(statement)
