"""Declarations -> things and types of pieces, with their facts and counts.

Two passes over things: a fact may name a thing declared further down.
"""

from __future__ import annotations

from typing import Any

from rulescript import nodes as n
from rulescript.analysis.desk import Desk
from rulescript.analysis.facts import UNSET, Pending
from rulescript.analysis.part import Part
from rulescript.diagnostics import Label
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model.game import (
    Attr,
    Kind,
    Thing,
    ThingRef,
)
from rulescript.model.types import (
    BOOL,
    ERROR,
    INT,
    ThingOf,
    sure,
)  # fmt: skip

__all__ = ["Things"]

MAX_THINGS = 5_000
COUNT = "how many"
LEAVE_ONE_OUT = "leave one of them out"


class Things(Part):
    """Declares things."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        # The kinds of which it was told that they have too many.
        self._full: set[str] = set()

    def add_thing(self, kind: Kind, name: n.Name, label: str, span: Any) -> Thing | None:
        same = [t for t in self.game.things.get(name.text, []) if t.kind is kind]
        if same:
            self.error(
                "RS102",
                f"there are two {kind.name} called `{name}`",
                name.span,
                "declared again",
                "take one of them away, or give it another name",
                others=[Label(same[0].span, "first declared here")],
            )
            return None
        if name.text in self.game.kinds:
            others = [Label(self.game.kinds[name.text].span, "the kind")]
            self.error("RS102", f"`{name}` is a kind, and no thing can be called so", name.span, others=others)
            return None
        if kind.size >= MAX_THINGS:
            if kind.name not in self._full:
                self._full.add(kind.name)
                message = f"there are more than {MAX_THINGS} things of kind `{kind.name}`"
                self.error("RS014", message, span, "one too many")
            self.desk.lost.add(name.text)
            return None
        thing = Thing(kind, name.text, label or name.text.replace("_", " "), kind.size, name.span)
        thing.origin = self.desk.origin
        kind.things.append(thing)
        self.game.things.setdefault(name.text, []).append(thing)
        for attr in kind.attrs.values():
            attr.values.append(UNSET)
        return thing

    def declare_copies(self, decl: n.ThingDecl) -> list[Thing]:
        """The thing of a line; for a kind of single things, a number on the line makes that many alike."""
        kind = self.game.kinds.get(decl.kind.text)
        count = next((item.number for item in decl.items if item.form == "count"), 1)
        if kind is None or kind.is_pieces or count == 1:
            made = self.declare_thing(decl, decl.name)
            return [made] if made is not None else []
        out: list[Thing] = []
        for number in range(1, min(count, MAX_THINGS + 1) + 1):
            name = n.Name(f"{decl.name}_{number}", span=decl.name.span)
            thing = self.declare_thing(decl, name, decl.name.text.replace("_", " "))
            if thing is None:
                # One mistake of one line: what the others would have been called is no other one.
                if len(self.desk.lost) < MAX_THINGS:
                    self.desk.lost |= {f"{decl.name}_{m}" for m in range(number, min(count, MAX_THINGS) + 1)}
                break
            thing.copy_of = decl.name.text
            self.game.copies.setdefault(decl.name.text, []).append(thing)
            out.append(thing)
        return out

    def declare_thing(self, decl: n.ThingDecl, name: n.Name, words: str = "") -> Thing | None:
        if decl.kind.text not in self.game.kinds and self.links.is_link(decl):
            return None
        kind = self.desk.kind_named(decl.kind)
        if kind is None:
            # The word in the place of the kind may be the name, and the kind left out.
            self.desk.lost |= {decl.name.text, decl.kind.text}
            return None
        label = next((item.text for item in decl.items if item.form == "label"), words)
        thing = self.add_thing(kind, name, label, decl.span)
        if thing is None:
            return None
        thing.cites = self.cited(decl.cites)
        thing.reconstructed = decl.reconstructed
        thing.doc = decl.doc
        thing.items = decl.items
        if decl.reconstructed:
            self.game.reconstructed.append((f"{kind.name} {thing.name}", decl.reconstructed, decl.name.span))
        return thing

    def thing_facts(self, thing: Thing, items: tuple[n.ThingItem, ...], again: bool = False) -> None:
        """Give a thing the facts on its line. `again` when an amendment changes them."""
        kind = thing.kind
        given: set[str] = set()
        for item in items:
            fact = self._thing_fact(thing, item, given, again)
            if fact in given:
                self._given_twice(thing, fact, item)
            given.add(fact)
        if not kind.is_pieces and any(i.form == "count_in" or (i.form == "count" and again) for i in items):
            self.error(
                "RS201", f"only pieces are counted by place, and {kind.name} is a kind of single things", thing.span
            )

    def _thing_fact(self, thing: Thing, item: n.ThingItem, given: set[str], again: bool) -> str:
        """Give a thing one fact, after those `given` on the same line. The name of what it says; of one that cannot
        be taken, a name no other has."""
        match item.form:
            case "label":
                thing.label = item.text
                return "label"
            case "at":
                thing.at = item.text
                return "at"
            case "count" | "count_in":
                thing.count = item.number
                thing.count_in = item.value if item.form == "count_in" else thing.count_in
                return COUNT
            case "no":
                attr = self._fact_no(thing, item)
            case "word":
                attr = self._fact_word(thing, item, given, again)
            case _:
                attr = self._fact_attr(thing, item)
        return attr.name if attr is not None else f"{item.span.start}"

    def _given_twice(self, thing: Thing, fact: str, item: n.ThingItem) -> None:
        name = thing.copy_of or thing.name
        if fact != COUNT:
            self.error("RS201", f"the `{fact}` of {name} is given twice", item.span, "given again", LEAVE_ONE_OUT)
            return
        if (thing.kind.name, thing.index) in self.desk.unclear:
            return
        self.desk.unclear.add((thing.kind.name, thing.index))
        numbers = [attr.name for attr in thing.kind.attrs.values() if attr.type == INT]
        hint = f"the number of an attribute has its name before it: `{numbers[0]} {item.number}`" if numbers else ""
        message = f"how many {name} there are is said twice: a number without a name is how many"
        self.error("RS201", message, item.span, "said again", hint or LEAVE_ONE_OUT)

    def _fact_no(self, thing: Thing, item: n.ThingItem) -> Attr | None:
        assert item.name is not None
        attr = thing.kind.attrs.get(item.name.text)
        if attr is None or attr.type != BOOL:
            self._no_such_fact(thing, item.name)
            return None
        attr.values[thing.index] = False
        return attr

    def _fact_word(self, thing: Thing, item: n.ThingItem, given: set[str], again: bool) -> Attr | None:
        assert item.name is not None
        kind, name = thing.kind, item.name.text
        attr = kind.attrs.get(name)
        if attr is not None and attr.type == BOOL:
            attr.values[thing.index] = True
            return attr
        candidates = self.game.things.get(name, [])
        fitting: Attr | None = None
        for attr in kind.attrs.values():
            wanted = sure(attr.type)
            meant = wanted.kind if isinstance(wanted, ThingOf) else None
            candidate = next((c for c in candidates if c.kind.name == meant), None)
            if candidate is None:
                continue
            fitting = attr
            if attr.name not in given and (again or attr.values[thing.index] is UNSET):
                attr.values[thing.index] = ThingRef(candidate.kind.name, candidate.index)
                break
        if fitting is None:
            self._no_such_fact(thing, item.name)
        return fitting

    def _fact_attr(self, thing: Thing, item: n.ThingItem) -> Attr | None:
        assert item.name is not None and item.value is not None
        attr = thing.kind.attrs.get(item.name.text)
        if attr is None and item.name.text in self.game.things:
            self.desk.unclear.add((thing.kind.name, thing.index))
            message = f"expected `,` between `{item.name}` and `{item.value.span.text}`"
            self.error("RS001", message, item.value.span, "expected `,` before this")
            return None
        if attr is None:
            self._no_such_fact(thing, item.name)
            return None
        if _is_given(item.value):
            attr.values[thing.index] = self.facts.fact(
                attr, thing, item, self.facts.static(item.value, None, attr.type)
            )
        else:
            # It may need facts of things further down: worked out when first asked for.
            attr.values[thing.index] = Pending(thing, item, self.desk.origin, self.desk.rule_cites)
        return attr

    def _no_such_fact(self, thing: Thing, name: n.Name) -> None:
        # Which attribute was meant is not known, so none counts as missing.
        self.desk.unclear.add((thing.kind.name, thing.index))
        if name.text in self.desk.lost or any(attr.type == ERROR for attr in thing.kind.attrs.values()):
            return
        names = [*thing.kind.attrs, *self.game.things]
        hint = spelling_hint(name.text, names)
        if name.text in thing.kind.states:
            hint = f"`{name}` changes in play: its first value stands at its `state` line, or is set in the set-up"
        elif thing.span.source is name.span.source and name.text[:1].isupper():
            between = name.span.source.text[thing.span.end : name.span.start]
            if between and not between.strip():
                hint = f"a name is one word: write `{thing.name}_{name}`"
        if hint is None and thing.kind.attrs:
            hint = f"its attributes are {', '.join(thing.kind.attrs)}"
        self.error(
            "RS107",
            f"`{name}` is no attribute of {thing.kind.name} and no thing one of its attributes could be",
            name.span,
            "unknown",
            hint,
            rests_on=(thing.kind.name,),
        )

    def declare_counts(self, decl: n.CountsDecl) -> None:
        """A table of how many pieces of each type there are; makes the types."""
        kind = self.desk.kind_named(decl.kind)
        if kind is None:
            self.desk.counts_unclear = True
            return
        if not kind.is_pieces:
            self.error("RS201", f"{kind.name} is not a kind of pieces", decl.kind.span)
            return
        if not decl.rows:
            return
        header, rows = decl.rows[0], decl.rows[1:]
        if self.links.is_uneven(decl.rows):
            self.desk.counts_unclear = True
        for row in rows:
            if len(row.cells) != len(header.cells):
                continue
            row_thing = self._cell_thing(row.cells[0], kind)
            for cell, head in zip(row.cells[1:], header.cells[1:], strict=True):
                if not cell.items:
                    continue
                count = cell.items[0]
                if not isinstance(count, n.Number) or count.value < 0:
                    hint = "write how many there are, or leave the cell empty"
                    self.error("RS201", "a count is a number", cell.span, "expected a number", hint)
                    self.desk.counts_unclear = True
                    continue
                if count.value == 0:
                    continue
                column_thing = self._cell_thing(head, kind)
                if row_thing is None or column_thing is None:
                    continue
                name = n.Name(f"{row_thing.name}_{column_thing.name}", span=cell.span)
                thing = self.add_thing(kind, name, "", cell.span)
                if thing is None:
                    continue
                thing.cites = self.cited(row.cites or decl.cites)
                thing.count = count.value
                thing.count_in = decl.where
                thing.span = cell.span
                for fact in (row_thing, column_thing):
                    attr = self._attr_for(kind, fact)
                    if attr is not None:
                        attr.values[thing.index] = ThingRef(fact.kind.name, fact.index)
                if row.reconstructed or decl.reconstructed:
                    reason = row.reconstructed or decl.reconstructed
                    self.game.reconstructed.append((f"{kind.name} {name}", reason, cell.span))

    def _cell_thing(self, cell: n.Cell, kind: Kind) -> Thing | None:
        if len(cell.items) != 1 or not isinstance(cell.items[0], n.NameExpr):
            hint = (
                f"the first row names the columns; types told by one attribute are things: `{kind.name} A_Name FACT, 4`"
            )
            self.error("RS201", "this cell must name one thing", cell.span, "expected the name of a thing", hint)
            return None
        name = cell.items[0].name
        for thing in self.game.things.get(name, []):
            if self._attr_for(kind, thing) is not None:
                return thing
        # Which pieces there are is not known then.
        self.desk.counts_unclear = True
        if any(attr.type == ERROR for attr in kind.attrs.values()):
            return None  # of what it may be one was told already
        self.unknown(f"thing an attribute of {kind.name} could be", name, cell.span, self.game.things)
        self.desk.lost.add(name)
        return None

    @staticmethod
    def _attr_for(kind: Kind, thing: Thing) -> Attr | None:
        for attr in kind.attrs.values():
            if attr.type == ThingOf(thing.kind.name):
                return attr
        return None


def _is_given(value: n.Expr) -> bool:
    """Whether a value is what it says; others stand in brackets and are worked out."""
    if isinstance(value, n.Unary):
        return isinstance(value.operand, n.Number)
    return isinstance(value, n.Number | n.TextExpr | n.YesNo | n.NameExpr | n.SetLiteral | n.ListLiteral)
