"""Entries of what changes other rules: removals, limits, exceptions, further ways, hooks and reactions.

In comes a declaration that names a rule of the game; out goes an `Entry` with a title that says which rule it changes.
What the change says is told by the same lines that tell it beside the rule (`entries.py`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rulescript import nodes as n
from rulescript.docgen.entry import Entry
from rulescript.docgen.lines import Line, sentence, uses_of
from rulescript.docgen.outline import Outliner, capital, expressions_of_clauses, forceless, while_in_force
from rulescript.model.types import BOOL, ThingOf
from rulescript.phrases import kind_noun, listed, readable

if TYPE_CHECKING:
    from rulescript.docgen.entries import Entries

__all__ = ["Amendments"]


class Amendments:
    """Makes entries of the declarations that change others."""

    def __init__(self, entries: Entries) -> None:
        self.entries = entries
        self.places = entries.places
        self.model = entries.model
        self.proper = entries.proper
        self.forces = entries.forces

    def _remove(self, node: n.Remove) -> Entry:
        name = node.target[0].text
        title = name.strip('"') if name.startswith('"') else self.proper(readable(name))
        return Entry("remove", name, f"No longer: {title}", node.span, node.cites)

    def _amend(self, node: n.Amend) -> Entry:
        label = self.entries.things.label_of(node.thing.text)
        facts = [_item_words(item, self.entries.things.label_of) for item in node.items]
        line = Line(sentence(f"{label}: {listed([f for f in facts if f])}"))
        return Entry(
            "amend", node.thing.text, f"Changed: {label}", node.span, node.cites, lines=[line],
            reconstructed=node.reconstructed,
        )  # fmt: skip

    def _target(self, target: Sequence[n.Name]) -> str:
        """What an amendment changes, in words: "Movement: march"."""
        first = target[0].text
        if len(target) == 1 and (asked := self._asked(first)):
            return asked
        procedure = self.model.procedures.get(first)
        head = self.proper(procedure.title if procedure is not None else capital(readable(first)))
        return f"{head}: {readable(target[1].text)}" if len(target) > 1 else head

    def _asked(self, name: str) -> str:
        """What a rule that is asked for tells: "whether the unit may join the area"."""
        function = self.model.functions.get(name)
        return Outliner(function.params, (), ()).asked_for(function) if function is not None else ""

    def of(self, node: n.Declaration) -> Entry | None:
        match node:
            case n.Remove():
                return self._remove(node)
            case n.Amend():
                return self._amend(node)
            case n.Adjust():
                return self._adjust(node)
            case n.Restrict():
                found = self.places.clauses_in(node.span)
                target = self._target(node.target)
                lines: list[Line] = []
                seen: set[int] = set()
                for _, clause in found:
                    if clause.span.start not in seen:
                        seen.add(clause.span.start)
                        teller = Outliner((), (), expressions_of_clauses([clause]))
                        teller.forces = self.forces
                        lines.append(teller.clause(clause))
                is_never = all(line.text.startswith("Never") for line in lines)
                said = "It is allowed:" if is_never else "It is allowed only if also:"
                head = Line(said, form="heading", children=lines)
                title = f"A limit on {target}"
                return Entry(
                    "restrict", node.target[0].text, title, node.span, node.cites, lines=[head] if lines else []
                )
            case n.Extend():
                ways: list[Line] = []
                for _, _, alt in self.places.alts_in(node.span):
                    more = [*expressions_of_clauses(alt.clauses), *(x for _, x in alt.picks)]
                    teller = Outliner([v for v, _ in alt.picks], alt.block, more)
                    teller.forces = self.forces
                    ways.append(teller.way(alt))
                title = f"Another way in {self._target(node.target)}"
                return Entry("extend", node.target[0].text, title, node.span, node.cites, lines=ways)
            case n.ExceptionTo():
                return self._exception(node)
            case n.Hook():
                return self._hook(node)
            case n.Reaction():
                return self._reaction(node)
            case n.Whenever():
                return self._whenever(node)
        return None

    def _adjust(self, node: n.Adjust) -> Entry:
        function = self.model.functions.get(node.target.text)
        lines: list[Line] = []
        what = f"“{self.proper(readable(node.target.text).lower())}”"
        if function is not None:
            mine = [a for a in function.adjustments if a.span == node.span]
            values = [a.value for a in mine] + [a.condition for a in mine if a.condition is not None]
            teller = Outliner(function.params, (), values)
            what = teller.asked_for(function) or what
            if function.type == BOOL:
                teller.so = teller.told_of(function)
            lines = self.entries.adjustments(teller, mine)
        title = f"A change to {what}"
        if node.label:
            title = f"{node.label}: {title[0].lower()}{title[1:]}"
        return Entry("adjust", node.target.text, title, node.span, node.cites, lines=lines)

    def _exception(self, node: n.ExceptionTo) -> Entry:
        clause = node.clause_label and f"the requirement “{node.clause_label}”"
        which = clause or listed([f"§{c}" for c in node.clause_cites])
        said = f"{which} {'do' if not clause and len(node.clause_cites) > 1 else 'does'} not count"
        found = self.places.lifted_in(node.span)
        condition, in_force = forceless(found[0] if found else None, self.forces)
        uses: tuple[str, ...] = ()
        if condition is not None:
            said += f" if {Outliner((), (), [condition]).say(condition)}"
            uses = uses_of([condition])
        said = while_in_force(said) if in_force else said
        is_asked = len(node.target) == 1 and self._asked(node.target[0].text)
        title = f"An exception {'to' if is_asked else 'in'} {self._target(node.target)}"
        return Entry(
            "exception", node.target[0].text, title, node.span, node.cites, lines=[Line(sentence(said), uses=uses)]
        )

    def _hook(self, node: n.Hook) -> Entry:
        procedure = self.model.procedures.get(node.target.text)
        word = capital(node.when)
        target = self.proper(procedure.title) if procedure is not None else self._round(node.target.text)
        lines = [
            self.entries.hook_line(hook, procedure, f"{word} {target}")
            for _, hook in self.places.hooks_at(node.span)[:1]
        ]
        title = node.label or f"{word} {target}"
        for line in lines:
            line.cites, line.label = (), ""
        return Entry("hook", node.target.text, title, node.span, node.cites, lines=lines)

    def _round(self, name: str) -> str:
        """What goes round, by what it goes round through: "each season", "the turn of each side"."""
        state = self.model.states.get(name)
        if state is not None and isinstance(state.type, ThingOf) and state.type.kind.casefold() != name.casefold():
            return f"the turn of each {kind_noun(state.type.kind)}"
        return f"each {readable(name)}"

    def _reaction(self, node: n.Reaction) -> Entry:
        found = self.places.reaction_at(node.span)
        lines = [self.entries.reaction_line(*found)] if found is not None else []
        for line in lines:
            line.cites, line.label = (), ""
        title = node.label or f"When: {self.proper(readable(node.signal.text).lower())}"
        return Entry("reaction", node.signal.text, title, node.span, node.cites, lines=lines)

    def _whenever(self, node: n.Whenever) -> Entry:
        rule = self.places.whenever_at(node.span)
        lines = [self.entries.whenever_line(rule)] if rule is not None else []
        return Entry("whenever", "whenever", node.label or "At once", node.span, node.cites, lines=lines)


def _item_words(item: n.ThingItem, label_of: Callable[[str], str]) -> str:
    """A fact of a thing as it is amended."""
    match item.form:
        case "label":
            return f"called “{item.text}”"
        case "no":
            return f"not {readable(str(item.name))}"
        case "word":
            return readable(str(item.name))
        case "at":
            return f"drawn at {item.text}"
        case "count":
            return f"{item.number} of them"
    if item.name is not None and item.value is not None:
        value = " ".join(item.value.span.text.split())
        names = re.findall(r"[^\W\d]\w*", value)
        if re.fullmatch(r"[{}\w\s,]+", value) and names:
            value = listed([label_of(name) for name in names])
        return f"{readable(str(item.name))} {value}"
    return " ".join(item.span.text.split())
