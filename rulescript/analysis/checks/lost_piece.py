"""A name that no longer knows its piece.

A name for a piece follows it when it is moved or altered through that name, also by a rule that the name is handed to.
Where two names stand for one piece (`let v = u`, a piece and the list it was taken from, one piece handed to two
parameters), only the name it is done through can follow. Whoever asks the other one for its place or state
afterwards would be told of some other piece that happens to be like it: that is refused.

Every rule is gone through from its beginning to its end, with what is known at each place: which names may stand
for the same piece, and which of them have fallen behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import Factory, define

from rulescript.analysis.following import Following
from rulescript.analysis.scope import first_line
from rulescript.diagnostics import Label, Reporter
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import called
from rulescript.model.traverse import children, statements_in
from rulescript.model.types import NOTHING, ListOf, kind_carried
from rulescript.source import Span

__all__ = ["check_lost_pieces"]

_GIVEN_BACK = -1
# What asks nothing of a piece that could have changed: how many there are, and what they are called.
_HARMLESS = ("count", "size", "known", "label")


@define
class _Known:
    """What is known at one place in a rule: names (by number) that may stand for one piece, and those that have
    fallen behind, with the name it happened through and where."""

    same: dict[int, frozenset[int]] = Factory(dict)
    behind: dict[int, tuple[str, Span]] = Factory(dict)

    def copy(self) -> _Known:
        return _Known(dict(self.same), dict(self.behind))

    def others(self, ident: int) -> frozenset[int]:
        return self.same.get(ident, frozenset())

    def bind(self, ident: int, sources: Iterable[int]) -> None:
        """A name is given a piece that others may stand for too."""
        found = {one for source in sources for one in (source, *self.others(source))} - {ident}
        self.forget(ident)
        for other in found:
            self._pair(other, self.others(other) | {ident})
        self._pair(ident, frozenset(found))

    def forget(self, ident: int) -> None:
        """A name is given another piece, or nobody can use it any more."""
        for other in self.same.pop(ident, ()):
            self._pair(other, self.others(other) - {ident})
        self.behind.pop(ident, None)

    def _pair(self, ident: int, others: frozenset[int]) -> None:
        if others:
            self.same[ident] = others
        else:
            self.same.pop(ident, None)

    def also(self, end: _Known) -> None:
        """What may be at another way's end, too."""
        for ident, others in end.same.items():
            known = self.same.get(ident)
            if known is not others:
                self.same[ident] = others if known is None else known | others
        self.behind = {**end.behind, **self.behind}

    def change(self, ident: int, name: str, span: Span) -> None:
        """A piece is moved or altered through a name."""
        self.behind.pop(ident, None)
        for other in self.others(ident):
            self.behind[other] = (name, span)


def check_lost_pieces(game: m.Game, reporter: Reporter) -> None:
    """Every name that is asked for its piece still knows it."""
    following = Following(game)
    for procedure in game.every_procedure():
        _Rule(game, following, reporter, procedure).check()
    for hooks in game.loop_hooks.values():
        for hook in hooks:
            _Rule(game, following, reporter, None).block(hook.block, _Known())


class _Rule:
    """Goes through one rule."""

    def __init__(self, game: m.Game, following: Following, reporter: Reporter, procedure: m.Procedure | None) -> None:
        self.game = game
        self.following = following
        self.reporter = reporter
        self.procedure = procedure
        self.leaving: list[list[_Known]] = []
        self.returning: list[_Known] = []
        self.told: set[tuple[str, int]] = set()

    def check(self) -> None:
        procedure = self.procedure
        assert procedure is not None
        self._set_and_changed(procedure)
        known: _Known | None = _Known()
        for hook in procedure.before:
            known = self._hook(hook, known)
        known = self.block(procedure.block, known)
        known = _merged([known, *self.returning])
        for hook in procedure.after:
            known = self._hook(hook, known)
        for var in procedure.params if known is not None and procedure.form != "aside" else ():
            if known is not None and var.ident in known.behind:
                name, span = known.behind[var.ident]
                through = f"through `{name}`" if name else "without its name"
                self._error(
                    "RS220",
                    f"`{var.name}` is moved or changed {through}, and whoever calls this goes on with `{var.name}`",
                    span, f"`{var.name}` does not know of it", f"do it through `{var.name}`",
                    [Label(procedure.span, f"its caller's name is what `{var.name}` has become")],
                )  # fmt: skip
        if known is not None and _GIVEN_BACK in known.behind:
            name, span = known.behind[_GIVEN_BACK]
            self._error(
                "RS220", f"`{procedure.name}` has given back the piece that `{name}` moves or changes after it", span,
                "too late", "do it in the procedure, before it returns",
                [Label(procedure.span, "its result would no longer know the piece")],
            )  # fmt: skip

    def _hook(self, hook: m.Hook, known: _Known | None) -> _Known | None:
        if known is None:
            return None
        if hook.condition is None:
            return self.block(hook.block, known)
        self.use(hook.condition, known)
        return _merged([known, self.block(hook.block, known.copy())])

    def _set_and_changed(self, procedure: m.Procedure) -> None:
        """A parameter that is handed back must still be the piece that was given."""
        changed = {procedure.params[at].ident for at in self.following.changed(procedure)}
        for statement in (s for block in procedure.blocks for s in statements_in(block)):
            match statement:
                case ir.AssignS(target=ir.Local(var=var, span=span)) | ir.CallS(result=ir.Local(var=var, span=span)):
                    if var.ident in changed:
                        self._error(
                            "RS222", f"`{var.name}` is moved or changed here, so it cannot become another piece",
                            span, "set anew",
                            f"give the other piece a name of its own: `let other = ...` beside `{var.name}`",
                            [Label(procedure.span, f"whoever calls this goes on with what it gave as `{var.name}`")],
                        )  # fmt: skip

    # -------------------------------------------------------------- statements

    def block(self, block: Iterable[ir.S], known: _Known | None) -> _Known | None:
        """What is known after a block; None if it is never left at its end."""
        for statement in block:
            if known is None:
                return None
            known = self._statement(statement, known)
        return known

    def _statement(self, statement: ir.S, known: _Known) -> _Known | None:
        match statement:
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                self.use(condition, known)
                return _merged([self.block(then, known.copy()), self.block(otherwise, known.copy())])
            case ir.ChooseS():
                return self._choose(statement, known)
            case ir.TogetherS(branches=branches):
                return self.block(branches, known)
            case ir.ForS(var=var, source=source, block=block) | ir.EachS(var=var, source=source, block=block):
                self.use(source, known)
                return self._rounds(var, source, None, block, known)
            case ir.RepeatS(condition=condition, block=block):
                return self._rounds(None, None, condition, block, known)
            case ir.StopS():
                if self.leaving:
                    self.leaving[-1].append(known)
                return None
            case ir.ReturnS(value=value):
                if value is not None:
                    self.use(value, known)
                    known.bind(_GIVEN_BACK, names_in(value))
                self.returning.append(known)
                return None
            case ir.EndS():
                return None
            case ir.LetS(var=var, value=value):
                self.use(value, known)
                known.bind(var.ident, names_in(value))
            case ir.AssignS(target=target, value=value):
                self.use(value, known)
                self._set(target, value, statement.span, known)
            case ir.MoveS(what=what, to=to, amount=amount):
                for x in (what, to, *([amount] if amount is not None else [])):
                    self.use(x, known)
                self._changed(what, statement.span, known)
            case ir.DrawS(var=ir.Var() as var):
                known.bind(var.ident, ())
            case ir.CallS() | ir.DoesS() | ir.SignalS():
                self._call(statement, known)
            case ir.TellS(text=text):
                self.use(text, known)
            case ir.RevealS(what=what):
                self.use(what, known)
        return known

    def _set(self, target: ir.X, value: ir.X, span: Span, known: _Known) -> None:
        match target:
            case ir.PieceStateX(of=of):
                self.use(of, known)
                self._changed(of, span, known)
            case ir.Local(var=var):
                known.bind(var.ident, names_in(value))
            case ir.StateX(of=ir.X() as of):
                self.use(of, known)

    def _changed(self, what: ir.X, span: Span, known: _Known) -> None:
        """A piece, or each of a list, is moved or altered."""
        if isinstance(what, ir.Local):
            if kind_carried(what.var.type):
                known.change(what.var.ident, what.var.name, span)
            return
        for ident in names_in(what):
            known.behind[ident] = ("", span)
            for other in known.others(ident):
                known.behind[other] = ("", span)

    def _call(self, statement: ir.CallS | ir.DoesS | ir.SignalS, known: _Known) -> None:
        for arg in statement.args:
            self.use(arg, known)
        if isinstance(statement, ir.DoesS):
            self.use(statement.thing, known)
        changed: dict[int, m.Procedure] = {}
        for procedure in called(statement):
            changed |= {at: procedure for at in self.following.changed(procedure)}
        names = [names_in(arg) for arg in statement.args]
        for at, procedure in changed.items():
            mine = {one for ident in names[at] for one in (ident, *known.others(ident))}
            for other, given in enumerate(names):
                if other != at and mine & given and (other > at or other not in changed):
                    arg = statement.args[max(at, other)]
                    param = procedure.params[at].name
                    self._error(
                        "RS221", f"`{procedure.name}` is given the same piece twice, and moves or changes `{param}`",
                        arg.span, "given already",
                        f"`{procedure.params[other].name}` could not follow it: let the rule have it once",
                        [Label(statement.args[min(at, other)].span, "here")],
                    )  # fmt: skip
        for at in changed:
            self._changed(statement.args[at], statement.span, known)
        result = statement.result if not isinstance(statement, ir.SignalS) else None
        if isinstance(result, ir.Var):
            kind = kind_carried(result.type)
            known.bind(result.ident, set().union(*names) if kind else ())
        elif isinstance(result, ir.Local):
            known.bind(result.var.ident, set().union(*names) if kind_carried(result.var.type) else ())
        elif isinstance(result, ir.PieceStateX):
            self.use(result.of, known)
            self._changed(result.of, statement.span, known)

    def _choose(self, choose: ir.ChooseS, known: _Known) -> _Known | None:
        self.use(choose.by, known)
        ends: list[_Known | None] = [known.copy()]
        for alt in choose.alts:
            here = known.copy()
            for var, source in alt.bound:
                self.use(source, here)
                here.bind(var.ident, names_in(source) if kind_carried(var.type) else ())
            for x in alt.expressions():
                self.use(x, here)
            end = self.block(alt.block, here)
            if alt.effect == "stop" and end is not None and self.leaving:
                self.leaving[-1].append(end)
                end = None
            ends.append(end)
        return _merged(ends)

    def _rounds(
        self, var: ir.Var | None, source: ir.X | None, condition: ir.X | None, block: ir.Block, known: _Known
    ) -> _Known | None:
        """A loop: what one round leaves behind is what the next begins with."""
        several = source.var.ident if isinstance(source, ir.Local) and isinstance(source.type, ListOf) else None
        taken_from = names_in(source) if source is not None and var is not None and kind_carried(var.type) else set()
        left: list[_Known] = []

        def noted(end: _Known) -> _Known:
            """At the end of a round the list it goes through takes over where its piece is now."""
            if var is not None and several is not None and end.behind.get(several, ("",))[0] == var.name:
                del end.behind[several]
            return end

        start = known.copy()
        while True:
            here = start.copy()
            if var is not None:
                here.bind(var.ident, taken_from)
            if condition is not None:
                self.use(condition, here)
            self.leaving.append([])
            end = self.block(block, here)
            left += [noted(leaver) for leaver in self.leaving.pop()]
            again = _merged([start, noted(end) if end is not None else None])
            assert again is not None
            if again.same == start.same and again.behind.keys() == start.behind.keys():
                break
            start = again
        out = _merged([start, *left])
        if out is not None and var is not None:
            out.forget(var.ident)
        return out

    # -------------------------------------------------------------- uses

    def use(self, x: ir.X, known: _Known) -> None:
        """What an expression asks of names must be known."""
        if not known.behind:
            return
        for ident, local in _asked(x).items():
            if ident not in known.behind:
                continue
            name, span = known.behind[ident]
            own = local.var.name
            if not name:
                message = f"one of `{own}` was moved or changed, and `{own}` does not know which and where to"
                hint = "give that piece a name first, and go on with that name"
            elif isinstance(local.var.type, ListOf):
                message = f"pieces of `{own}` were moved or changed through `{name}`, which `{own}` does not know of"
                hint = f"do it in one `for {name} in {own}`, or ask `{name}` as long as you are there"
            else:
                message = f"`{own}` and `{name}` may be one piece, which was moved or changed through `{name}`"
                hint = f"go on with `{name}`"
            self._error("RS220", message, local.span, "does not know it any more", hint, [Label(span, "changed here")])

    def _error(self, code: str, message: str, span: Span, label: str, hint: str, others: Sequence[Label] = ()) -> None:
        if (code, span.start) not in self.told:
            self.told.add((code, span.start))
            at = [Label(first_line(other.span), other.text) for other in others]
            self.reporter.error(code, message, first_line(span), label, at, hint)


def _merged(ends: Sequence[_Known | None]) -> _Known | None:
    """What may be where several ways meet."""
    out: _Known | None = None
    for end in ends:
        if end is None:
            continue
        if out is None:
            out = end.copy()
        else:
            out.also(end)
    return out


def names_in(x: ir.X) -> set[int]:
    """The names whose pieces an expression may come to."""
    if not kind_carried(x.type):
        return set()
    match x:
        case ir.Local(var=var):
            return {var.ident}
        case ir.IfX(then=then, otherwise=otherwise):
            return names_in(then) | names_in(otherwise)
        case ir.FilterX(source=source) | ir.MostX(source=source):
            return names_in(source)
        case ir.AggregateX(picks=picks, value=value):
            taken = {var.ident: source for var, source in picks}
            found = names_in(value)
            return {n for ident in found for n in (names_in(taken[ident]) if ident in taken else {ident})}
    return {ident for inner in children(x) for ident in names_in(inner)}


def _asked(x: ir.X) -> dict[int, ir.Local]:
    """The names for pieces of which an expression asks more than what never changes: what they are, how many."""
    match x:
        case ir.Local(var=var):
            return {var.ident: x} if kind_carried(var.type) else {}
        case ir.AttrX(of=ir.Local()) | ir.SomeX(source=ir.Local()):
            return {}
        case ir.BuiltinX(name=name, args=(ir.Local(),)) if name in _HARMLESS:
            return {}
        case ir.CompareX(left=ir.Local(), right=right) if right.type == NOTHING:
            return {}
        case ir.SomeX(source=ir.FilterX() as source) | ir.BuiltinX(name="count", args=(ir.FilterX() as source,)):
            return _asked_over([(source.var, source.source)], [source.condition])
        case ir.QuantX(picks=picks, condition=condition):
            return _asked_over(picks, [condition])
        case ir.AggregateX(picks=picks, value=value, condition=test):
            return _asked_over(picks, [value, *([test] if test is not None else [])])
        case ir.TemplateX(parts=parts):
            inner = [part for part in parts if isinstance(part, ir.X) and not isinstance(part, ir.Local)]
            return _all_asked(inner)
    return _all_asked(children(x))


def _asked_over(picks: Iterable[tuple[ir.Var, ir.X]], inside: Iterable[ir.X]) -> dict[int, ir.Local]:
    """The same where names go over lists: of a list is asked what is asked of its members."""
    out = _all_asked(inside)
    for var, source in reversed(list(picks)):
        if isinstance(source, ir.Local):
            if var.ident in out and kind_carried(source.var.type):
                out[source.var.ident] = source
        else:
            out |= _asked(source)
        out.pop(var.ident, None)
    return out


def _all_asked(parts: Iterable[ir.X]) -> dict[int, ir.Local]:
    out: dict[int, ir.Local] = {}
    for part in parts:
        out |= _asked(part)
    return out
