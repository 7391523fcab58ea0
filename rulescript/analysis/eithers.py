"""``either Mover: Army, Unit``: one name for several kinds.

A rule with such a parameter is written out before anything is read: once for each kind, under a name of its own that
nobody can write (`go@Unit`; the first keeps the plain name). Which of them a call means follows from what it is given.
In the same way a choice that picks `m in Area.armies + Area.units` has one alternative for each kind, with one name. So
the compiler and the explanations never meet a value of which they do not know what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product

from attrs import evolve

from rulescript import nodes as n
from rulescript.model import game as m
from rulescript.model import ir

__all__ = [
    "MOST_VERSIONS", "eithers_of", "grouped", "parts_of_sum", "plain_name", "retargeted", "truth_of", "version_name",
    "versions_of",
]  # fmt: skip

MOST_VERSIONS = 16

Rule = n.FunctionDecl | n.PredicateDecl | n.RouteDecl | n.ProcedureDecl


def version_name(name: str, members: Iterable[str]) -> str:
    """What a rule is called that is written out for some kinds."""
    return f"{name}@{'@'.join(members)}"


def eithers_of(decl: Rule, game: m.Game) -> list[tuple[int, m.Either]]:
    """The parameters of a rule that may be of several kinds."""
    return [(at, game.eithers[p.type.name]) for at, p in enumerate(decl.params) if p.type.name in game.eithers]


def versions_of(decl: Rule, game: m.Game) -> list[Rule]:
    """A rule written out for each kind that its parameters may be; the rule itself if they are of one kind each."""
    found = eithers_of(decl, game)
    if not found:
        return [decl]
    out: list[Rule] = []
    for members in product(*(either.members for _, either in found)):
        params = list(decl.params)
        for (at, either), member in zip(found, members, strict=True):
            type_ = evolve(params[at].type, name=member, either=either.name)
            params[at] = evolve(params[at], type=type_)
        name = decl.name.text if not out else version_name(decl.name.text, members)
        made = evolve(decl, name=n.Name(name, span=decl.name.span), params=tuple(params))
        if isinstance(made, n.ProcedureDecl) and not made.title:
            made = evolve(made, title=decl.name.text.replace("_", " ").capitalize())
        out.append(made)
    return out


def retargeted(decl: n.Declaration, game: m.Game) -> list[n.Declaration]:
    """An amendment of a rule that is written out, for each of its versions; else the amendment itself."""
    target = getattr(decl, "target", None)
    name = target[0] if isinstance(target, tuple) and target else target
    if not isinstance(name, n.Name) or name.text not in game.versions:
        return [decl]
    out: list[n.Declaration] = []
    for version in game.versions[name.text]:
        now = n.Name(version, span=name.span)
        out.append(evolve(decl, target=(now, *target[1:]) if isinstance(target, tuple) else now))  # type: ignore[call-arg]
    return out


def parts_of_sum(node: n.Expr) -> list[n.Expr]:
    """What `a + b` and `(a + b)[...]` go over, one after the other."""
    match node:
        case n.Binary(operator="+", left=left, right=right):
            return [*parts_of_sum(left), *parts_of_sum(right)]
        case n.Filtered(source=source):
            parts = parts_of_sum(source)
            return [evolve(node, source=part) for part in parts] if len(parts) > 1 else [node]
    return [node]


def truth_of(node: n.Expr, names: Mapping[str, ir.Var], kind_of: Callable[[ir.Var], str]) -> bool | None:
    """What a test comes to that asks of which kind a name is, where that is known; None if it asks anything else."""

    def of(each: n.Expr) -> bool | None:
        match each:
            case n.IsKind(operand=n.NameExpr(name), kind=kind, negated=negated) if name in names:
                var = names[name]
                if kind.text in var.either:
                    return (kind_of(var) == kind.text) is not negated
            case n.Unary("not", operand):
                inner = of(operand)
                return None if inner is None else not inner
            case n.Binary("and" | "or" as op, left, right):
                both = (of(left), of(right))
                settles = op == "or"
                if settles in both:
                    return settles
                return None if None in both else not settles
        return None

    return of(node)


def plain_name(name: str) -> str:
    """The name a rule was written under."""
    return name.partition("@")[0]


def grouped(kinds: Sequence[str]) -> list[list[int]]:
    """Which of several parts are of one kind, in the order of the first of each."""
    out: dict[str, list[int]] = {}
    for at, kind in enumerate(kinds):
        out.setdefault(kind, []).append(at)
    return list(out.values())
