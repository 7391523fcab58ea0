"""Which questions would give something away by not being asked.

A choice with a single option is taken by itself. Where something hidden decides that there is only one, the
silence would tell it: who is not asked for a card has none. So such a choice is asked all the same, unless
what everybody sees already says that there is nothing to choose (an empty hand, a rule that does not apply).

In come an alternative and its requirements; out go, as expressions, the tests on what everybody sees.
"Everybody" is an outsider: somebody who is none of the players a place is shown to.
"""

from __future__ import annotations

from rulescript.analysis.checks.hidden_information import Knows, level_of, reads
from rulescript.analysis.types import BOOL, ERROR
from rulescript.compiler.expressions import free_vars
from rulescript.model import ir

__all__ = ["asked_anyway", "is_public", "later_secret"]

_COUNTED = ("nonempty", "count", "order", "top")


def _outsider(x: ir.X) -> Knows:
    return Knows(ir.Local(ERROR, x.span, ir.Var("outsider", ERROR, "element", -9)))


def is_public(x: ir.X) -> bool:
    """Whether everybody can work out a value."""
    return next(reads(x, _outsider(x), "visible"), None) is None


def _base(source: ir.X) -> ir.X:
    while isinstance(source, ir.FilterX):
        source = source.source
    return source


def _secret_vars(alt: ir.Alt) -> set[int]:
    """The names whose value others may not see: picked from a place they cannot look into."""
    out: set[int] = set()
    for var, source in alt.picks:
        if not is_public(source) or free_vars(source) & out:
            out.add(var.ident)
    return out


def asked_anyway(alt: ir.Alt) -> list[ir.X] | None:
    """What must hold, for all to see, for an alternative to be asked even if it offers nothing.

    None if it never needs to be: all can work out what it offers, or that it offers something."""
    public = [c.condition for c in alt.clauses if not c.lifted and c.when is None and is_public(c.condition)]
    if not alt.picks and alt.many is None:
        return public if any(not is_public(c.condition) for c in alt.clauses) else None
    secret = _secret_vars(alt)
    sources = [source for _, source in alt.picks]
    if alt.many is not None:
        sources = [alt.many[3]]
    narrowed = any(isinstance(s, ir.FilterX) and not is_public(s) for s in sources)
    narrowed = narrowed or any(free_vars(c.condition) & secret or not is_public(c.condition) for c in alt.clauses)
    if not narrowed:
        return None
    names = {var.ident for var, _ in alt.picks}
    tests = [x for x in public if not free_vars(x) & names]
    for source in sources:
        base = _base(source)
        if (
            isinstance(base, ir.ContentsX)
            and not free_vars(base) & names
            and level_of(base, _outsider(base)) in _COUNTED
        ):
            tests.append(ir.SomeX(BOOL, base.span, base, False))
    return tests


def later_secret(alt: ir.Alt, stage: int) -> bool:
    """Whether what can be picked at a later stage depends on something others may not see."""
    secret = _secret_vars(alt)
    var, source = alt.picks[stage]
    if var.ident in secret and isinstance(source, ir.FilterX):
        return True
    later = {v.ident for v, _ in alt.picks[stage:]}
    return bool(free_vars(source) & secret) or any(
        free_vars(c.condition) & later and (free_vars(c.condition) & secret or not is_public(c.condition))
        for c in alt.clauses
    )
