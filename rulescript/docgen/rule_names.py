"""What the names of a rule are called when it is told.

Within one rule a name that is the only one of its kind is called by its kind ("the region"); where a rule has two of a
kind at the same place, both are told apart ("the region", "the other region"). A name that says more than its kind is
kept ("the target"). So the names are settled for a whole rule before its first sentence is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulescript.model import ir
from rulescript.model.traverse import bound_by, inner_blocks, own_expressions, statements_in, walk
from rulescript.model.types import BOOL, INT, ListOf, PieceOf, SetOf, ThingOf, sure
from rulescript.phrases import kind_noun, plural, readable
from rulescript.wording.english import Speaker
from rulescript.wording.verbs import ADVERBS, WHICHEVER

__all__ = ["expressions_in", "settle_names"]

# Names that say no more than their kind, and those for the other one of two.
_PRONOUNS = {
    "them": "the other", "they": "the other", "their": "the other", "theirs": "the other", "us": "the", "we": "the",
    "ours": "the", "our": "the", "here": "that", "there": "that", "what": "the", "who": "the", "whom": "the",
    "how": "the", "when": "the", "other": "the other", "mine": "the",
}  # fmt: skip
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def expressions_in(block: ir.Block) -> Iterator[ir.X]:
    """Every expression of a block, those of its choices and of what is said of them too."""
    for statement in statements_in(block):
        yield from own_expressions(statement)
        if isinstance(statement, ir.ChooseS):
            clauses = (clause for alt in statement.alts for clause in alt.clauses)
            yield from (clause.wording.text for clause in clauses if clause.wording is not None)


def _bound_in(block: ir.Block) -> Iterator[ir.Var]:
    """The names a block gives to things."""
    return (var for statement in statements_in(block) for var in bound_by(statement))


def is_own_word(words: str, kind: str) -> bool:
    """Whether a name says more than the kind of what it stands for: "target", not "t" or "town"."""
    return len(words) > 2 and words != kind


class Together:
    """Which names of one kind are known at the same place, and so must be told apart: the town and the other town."""

    def __init__(self, params: Sequence[ir.Var], block: ir.Block, more: Sequence[ir.X]) -> None:
        self._order: dict[tuple[str, str], int] = {}
        self._meets: dict[tuple[str, str], set[tuple[str, str]]] = {}
        known: list[tuple[str, str]] = []
        for var in params:
            self._add(var, known)
        for x in more:  # what an amendment speaks of without having named it
            for node in walk(x):
                if isinstance(node, ir.Local) and node.var.role != "element":
                    self._add(node.var, known)
        self._walk(block, known)

    def _add(self, var: ir.Var, known: list[tuple[str, str]]) -> None:
        plain = sure(var.type)
        words = readable(var.name).lower()
        if isinstance(plain, ThingOf | PieceOf):
            kind = " or ".join(var.either) or plain.kind
            if is_own_word(words, kind_noun(kind)) or var.state is not None:
                return
        elif plain == INT and len(words) < 3:
            kind = ""
        else:
            return
        key = (kind, var.name)
        self._order.setdefault(key, len(self._order))
        for other in known:
            if other != key and other[0] == kind:
                self._meets.setdefault(key, set()).add(other)
                self._meets.setdefault(other, set()).add(key)
        if key not in known:
            known.append(key)

    def _walk(self, block: ir.Block, outer: Sequence[tuple[str, str]]) -> None:
        known = list(outer)
        for s in block:
            match s:
                case ir.ChooseS(alts=alts):
                    after = list(known)
                    for alt in alts:
                        inside = list(known)
                        for var, _ in alt.bound:
                            self._add(var, inside)
                        self._walk(alt.block, inside)
                        after += [key for key in inside if key not in after]
                    # What was picked may be spoken of after the choice.
                    known = after if len(alts) == 1 else known
                case ir.EachS(var=var, block=inner) | ir.ForS(var=var, block=inner):
                    inside = list(known)
                    self._add(var, inside)
                    self._walk(inner, inside)
                case ir.TogetherS(branches=branches):
                    for branch in branches:
                        self._walk((branch,), known)
                case _:
                    for inner in inner_blocks(s):
                        self._walk(inner, known)
                    for var in bound_by(s):
                        self._add(var, known)

    def called(self, var: ir.Var, kind: str) -> str:
        """What a thing or piece is called by its kind: "the town", "the other town", "the second town"."""
        plain = sure(var.type)
        assert isinstance(plain, ThingOf | PieceOf)
        key = (" or ".join(var.either) or plain.kind, var.name)
        group = self._group(key)
        if len(group) < 2:
            return f"the {kind}"
        place = group.index(key)
        if len(group) == 2:
            return f"the {kind}" if place == 0 else f"the other {kind}"
        return f"the {_ORDINALS[place]} {kind}" if place < len(_ORDINALS) else f"{kind} {readable(var.name)}"

    def is_only_number(self, var: ir.Var) -> bool:
        return len(self._group(("", var.name))) < 2

    def _group(self, key: tuple[str, str]) -> list[tuple[str, str]]:
        """A name and all that must be told from it, or from one of those, in the order they come."""
        found = {key}
        todo = [key]
        while todo:
            for other in self._meets.get(todo.pop(), ()):
                if other not in found:
                    found.add(other)
                    todo.append(other)
        return sorted(found, key=lambda k: self._order.get(k, 0))


def settle_names(speaker: Speaker, params: Sequence[ir.Var], block: ir.Block, more: Sequence[ir.X]) -> None:
    """Have a speaker call each name of a rule the same all through it. `more` are expressions that are told with it."""
    together = Together(params, block, more)
    by_ident = {var.ident: var for var in (*params, *_bound_in(block))}
    for x in (*expressions_in(block), *more):
        for node in walk(x):
            if isinstance(node, ir.Local) and node.var.role != "element":
                by_ident.setdefault(node.var.ident, node.var)
    for var in by_ident.values():
        if var.type != BOOL:
            speaker.names[var.ident] = _called(var, together, speaker)


def _called(var: ir.Var, together: Together, speaker: Speaker) -> str:
    words = readable(var.name).lower()
    if var.state is not None:
        return speaker.game_state(var.state)
    plain = sure(var.type)
    if isinstance(plain, ThingOf | PieceOf):
        kind = " or ".join(map(kind_noun, var.either)) or kind_noun(plain.kind)
        if words in _PRONOUNS:
            return f"{_PRONOUNS[words]} {kind}"
        if words.startswith(("this ", "these ")):
            return words
        if WHICHEVER.fullmatch(words) and words != kind:
            return f"the {words} {kind}"
        if is_own_word(words, kind):
            return f"the {words}"
        return together.called(var, kind)
    if isinstance(plain, SetOf | ListOf) and isinstance(plain.element, ThingOf | PieceOf):
        kinds = plural(kind_noun(plain.element.kind))
        if words in ("where", "which", "who") or len(words) < 3:
            return f"the {kinds} in question"
        if words.partition(" ")[0] in ADVERBS:
            return f"the {kinds} {words}"
        return f"the {words}" if re.search(r"[^su]s$", words) else f"the {words} {kinds}"
    if plain in (ListOf(INT), INT) and words in _PRONOUNS:
        return f"{_PRONOUNS[words]} {'number' if plain == INT else 'numbers'}"
    if plain == ListOf(INT) and words.endswith("ed"):
        return f"the {words} numbers"
    if plain == INT and len(words) < 3:
        return "the number" if together.is_only_number(var) else f"number {words}"
    if plain == INT and (WHICHEVER.fullmatch(words) or words in ("dealt", "due", "free", "kept", "left")):
        return f"the number {words}"
    if plain == INT and words.partition(" ")[0] in ADVERBS:
        return f"the number {words}"
    if plain == INT and re.match(r"(?:we|they|you) ", words):
        return f"what {words}"
    if words.startswith(("this ", "these ")):
        return words
    return f"the {words}"
