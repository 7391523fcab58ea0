"""Which fields of an expression hold expressions is read off its class once; nothing may be missed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from rulescript.analysis.analyse import analyse, options_of
from rulescript.analysis.looking import deep, rules_of
from rulescript.diagnostics import Reporter
from rulescript.loader import load_text
from rulescript.model import ir
from rulescript.model.ir import substitute
from rulescript.model.traverse import children, free_vars, walk


def inside(value: Any) -> Iterator[ir.X]:
    if isinstance(value, ir.X):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from inside(item)


def expressions(game: str) -> list[ir.X]:
    text = load_text(game, Reporter())
    names = tuple(name for name, o in options_of(text)[0].items() if not any(r.form == "excludes" for r in o.rules))
    model = analyse(text, names, "", Reporter())
    return [part for rule in rules_of(model) for part in deep(rule.parts) if isinstance(part, ir.X)]


@pytest.mark.parametrize(
    "game", ["attrition_of_souls", "quartermaster_general_1914", "docs/cookbook/11-routes.rules.md"]
)
def test_everything_inside_is_found(game: str) -> None:
    found = expressions(game)
    assert len({type(x) for x in found}) > 10
    for x in found:
        fields = [getattr(x, f.name) for f in attrs.fields(type(x))]
        assert [id(c) for c in children(x)] == [id(c) for value in fields for c in inside(value)]
        assert free_vars(x) == {node.var.ident for node in walk(x) if isinstance(node, ir.Local)}


def test_names_are_replaced_and_the_rest_stays_the_same() -> None:
    for x in expressions("attrition_of_souls"):
        assert substitute(x, {}) is x
        used = [node for node in walk(x) if isinstance(node, ir.Local)]
        if used:
            one = ir.Lit(used[0].type, used[0].span, 7)
            made = substitute(x, {used[0].var.ident: one})
            assert used[0].var.ident not in free_vars(made) and any(node is one for node in walk(made))
            assert [type(n) for n in walk(made)] == [
                ir.Lit if isinstance(n, ir.Local) and n.var.ident == used[0].var.ident else type(n) for n in walk(x)
            ]
