"""``choose fall_back: each u in r.units to t in r.road as places``: everything of several gets one of something, under
conditions on the whole.

It is written out in statements that there are anyway: what can be given to each is worked out, then each is asked for
in turn, and an answer is offered only if the rest can still be answered so that the whole is allowed; then what follows
is done for each. Where no way to answer all of it is allowed, nothing is asked and nothing happens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulescript import nodes as n
from rulescript.model import ir
from rulescript.model.types import BOOL, ERROR, INT, TEXT, ListOf, SetOf, ThingOf, element_of

if TYPE_CHECKING:
    from rulescript.analysis.part import Part
    from rulescript.analysis.scope import Scope

__all__ = ["planned", "stands_alone"]

_POSSIBLE = "a way remains for all of them"
_IMPOSSIBLE = "then no way would remain for all of them"


def planned(rules: Part, node: n.Choose, scope: Scope) -> list[ir.S]:
    """The statements of a choice that gives something to each of several."""
    alt = next(way for way in node.alternatives if way.each is not None)
    each, span = alt.each, alt.span
    assert each is not None
    if len(node.alternatives) > 1 or node.may or node.any_of or node.shared:
        stands_alone(rules, alt)
        return []
    inside = scope.inner()
    source = rules.collections.source(each.source, inside)
    element = element_of(source.type) or ERROR
    one = rules.collections.bind(each.name, element, "loop", inside)
    asking = inside.inner()
    targets = rules.collections.source(each.targets, asking)
    kind = element_of(targets.type) or ERROR
    if not isinstance(targets.type, SetOf) or not isinstance(kind, ThingOf):
        if targets.type != ERROR:
            rules.mismatch("a set of things", targets.type, each.targets.span)
        return []
    kind = ThingOf(kind.kind)
    plan = rules.collections.bind(each.plan, ListOf(kind), "let", scope)
    whole_scope = scope.inner()
    inside.names[plan.name] = asking.names[plan.name] = plan
    requires = [s for s in alt.block if isinstance(s, n.Require)]
    wholes = [s for s in requires if _mentions(s.condition, each.plan.text)]
    rest = [s for s in alt.block if s not in wholes]
    effects = tuple(s for s in rest if not isinstance(s, n.Require))
    # ---- the question that is asked for each
    pick = n.Picking(each.target, each.targets, span=each.span)
    alone = n.Alternative(
        alt.label, (pick,), None, alt.text, alt.cites, tuple(s for s in rest if isinstance(s, n.Require)), span=span
    )
    question = n.Choose(False, node.by, False, (alone,), node.cites, True, span=node.span)
    asked = rules.choices.choose(question, asking, None)
    asked.each_of = source
    (way,) = asked.alts
    ((target, domain),) = way.picks
    whole: list[ir.Clause] = []
    for require in wholes:
        clause = rules.choices.clause(require, whole_scope, alt.cites or node.cites)
        whole_scope.learn(rules.expressions.knowing(clause.condition, whole_scope))
        whole.append(clause)
    # ---- what there is to give to each
    items = rules.var("each of them", ListOf(element), "let")
    first, given = rules.var("it", element, "element"), rules.var("it", kind, "element")
    listed = ir.AggregateX(items.type, span, "list", ((first, source),), ir.Local(element, span, first), None)
    items_x, plan_x = ir.Local(items.type, span, items), ir.Local(plan.type, span, plan)
    other = rules.var("it", element, "element")
    values: dict[int, ir.X] = {
        one.ident: ir.Local(element, span, other), target.ident: ir.Local(kind, span, given),
    }  # fmt: skip
    tests = [ir.substitute(clause.condition, values) for clause in way.clauses]
    can_be: ir.X = ir.substitute(domain, values)
    if tests:
        can_be = ir.FilterX(SetOf(kind), span, can_be, given, ir.AndX(BOOL, span, tuple(tests)))
    domains = rules.var("what each can be given", ListOf(SetOf(kind)), "let")
    found = ir.AggregateX(domains.type, span, "list", ((other, items_x),), can_be, None)
    domains_x = ir.Local(domains.type, span, domains)

    def completes(done: ir.X, tests: list[ir.X]) -> ir.X:
        """That all can be answered so that the whole is allowed, where some are answered already."""
        var, dummy = rules.var(plan.name, plan.type, "element"), rules.var("it", element, "element")
        test: ir.X = ir.AndX(BOOL, span, tuple(tests)) if tests else ir.Lit(BOOL, span, True)
        test = ir.substitute(test, {plan.ident: ir.Local(plan.type, span, var)})
        return ir.AggregateX(BOOL, span, "completes", ((var, done), (dummy, items_x)), test, domains_x)

    added = ir.SetOpX(plan.type, span, "list+", plan_x, ir.ListX(plan.type, span, (ir.Local(kind, span, target),)))
    conditions = [clause.condition for clause in whole]
    for clause in whole:
        way.clauses.append(_about_all(clause, completes(added, [clause.condition])))
    if len(whole) != 1:
        # Each of several may be met without the others; and those that are alike come in their order.
        cites = alt.cites or node.cites or rules.desk.default_cites
        joint = ir.Clause(completes(added, conditions), "", cites, False, span, rules.desk.origin)
        way.clauses.append(_about_all(joint, joint.condition))
    way.block = (ir.AssignS(span, (), plan_x, "=", added),)
    # ---- what follows, for each
    number = rules.var("number", INT, "let")
    number_x = ir.Local(INT, span, number)
    inside.names[target.name] = target
    inside.in_loop = True
    block = rules.statements.block(effects, inside)
    nth = ir.BuiltinX(kind, span, "nth", (plan_x, number_x))
    one_more = ir.ArithX(INT, span, "+", (number_x, ir.Lit(INT, span, 1)))
    then: list[ir.S] = [
        ir.LetS(span, (), target, nth),
        ir.AssignS(span, (), number_x, "=", one_more),
        *block,
    ]
    do: ir.Block = (
        ir.ForS(span, (), one, items_x, (asked,)),
        ir.LetS(span, (), number, ir.Lit(INT, span, 0)),
        ir.ForS(span, node.cites, one, items_x, tuple(then)),
    )
    nothing = ir.ListX(plan.type, span, ())
    out: list[ir.S] = [
        ir.LetS(span, node.cites, items, listed),
        ir.LetS(span, (), domains, found),
        ir.LetS(span, (), plan, nothing),
        ir.IfS(span, (), completes(nothing, conditions), do, ()),
    ]
    out[0].planned = ir.Planned(len(out), asked, one, source, plan, whole, block)
    return out


def stands_alone(rules: Part, alt: n.Alternative) -> None:
    """Report a choice for each of several that is one of several ways to answer, or a part of something else."""
    rules.error(
        "RS235", "a choice of what each of several gets has no other way to answer", alt.span, "",
        "ask first whether it is made at all, with a choice of its own",
    )  # fmt: skip


def _about_all(clause: ir.Clause, condition: ir.X) -> ir.Clause:
    """A requirement on the whole, as it is about one answer."""
    wording = ir.Wording(
        (),
        ir.TemplateX(TEXT, clause.span, (_POSSIBLE,)),
        ir.TemplateX(TEXT, clause.span, (_IMPOSSIBLE,)),
    )
    return attrs.evolve(clause, condition=condition, wording=clause.wording or wording)


def _mentions(node: Any, name: str) -> bool:
    """Whether an expression speaks of a name."""
    if isinstance(node, n.NameExpr):
        return node.name == name
    if isinstance(node, tuple):
        return any(_mentions(item, name) for item in node)
    if attrs.has(type(node)):
        return any(_mentions(getattr(node, f.name), name) for f in attrs.fields(type(node)) if f.name != "span")
    return False
