"""Lark tree -> nodes; builds, never judges.

A rule of the grammar makes the node of its name, out of its parts (`node_fields.py`): `let_stmt` makes `Let`,
`kind_decl` `KindDecl`, `attribute_of` `AttributeOf`. Rules that share a node, or are put together otherwise, stand in
the tables of `build_declarations.py`, `build_statements.py` and `build_expressions.py`.
"""

from __future__ import annotations

from typing import Any

from lark import Tree

from rulescript import nodes as n
from rulescript.source import SourceFile
from rulescript.syntax.build_declarations import DECLARATION_RULES
from rulescript.syntax.build_expressions import EXPRESSION_RULES
from rulescript.syntax.build_statements import STATEMENT_RULES
from rulescript.syntax.node_fields import Maker, Place, node

__all__ = ["build_nodes", "maker_of"]

_MAKERS: dict[str, Maker] = {**DECLARATION_RULES, **STATEMENT_RULES, **EXPRESSION_RULES}


# The same, by the identity of a rule's name: Lark's names are tokens, and comparing these takes long.
_KNOWN: dict[int, tuple[str, Maker]] = {}


def build_nodes(tree: Tree[Any], source: SourceFile, base: int) -> Any:
    """What was written, from the tree of a text that begins at `base` in its file."""
    return _built(tree, Place(source, base))


def _built(tree: Tree[Any], place: Place) -> Any:
    children = [_built(child, place) if child.__class__ is Tree else child for child in tree.children]
    meta: Any = tree._meta
    span = place.span(0, 0) if meta.empty else place.span(meta.start_pos, meta.end_pos)
    rule = tree.data
    known = _KNOWN.get(id(rule))
    if known is None:
        known = _KNOWN[id(rule)] = (rule, maker_of(rule))
    return known[1](place, span, children)


def maker_of(rule: str) -> Maker:
    """How what a rule reads becomes a node: by the tables, or the node of the rule's name."""
    if rule in _MAKERS:
        return _MAKERS[rule]
    for name in (rule, rule.removesuffix("_stmt").removesuffix("_decl").removesuffix("_line")):
        made = getattr(n, "".join(part.capitalize() for part in name.split("_")), None)
        if made is not None:
            return node(made)
    raise LookupError(f"no node is called like the rule {rule}")
