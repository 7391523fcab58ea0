"""What there is in a game, as entries: kinds and their things, maps, named values, players, states and places.

What happens with them is told by the entries of rules (entries.py)."""

from __future__ import annotations

from rulescript import nodes as n
from rulescript.docgen.entry import Entry
from rulescript.docgen.grids import things_grids
from rulescript.docgen.lines import Line, sentence
from rulescript.docgen.outline import Outliner, capital, type_words
from rulescript.docgen.subject import Places, inside
from rulescript.model import game as m
from rulescript.model.types import ThingOf, Type
from rulescript.phrases import counted, kind_noun, listed, plural, readable
from rulescript.wording.proper import Proper

__all__ = ["ThingEntries"]

# So many named values are told one by one.
FEW = 6
# How much of a place somebody sees.
_LEVELS = {
    "hidden": "nothing", "nonempty": "whether there is anything", "count": "how many there are",
    "order": "how many there are, and in which order", "top": "how many there are, and the top one",
    "visible": "everything",
}  # fmt: skip


class ThingEntries:
    """Makes entries of what a composed game consists of, and knows what it is called."""

    def __init__(self, places: Places, proper: Proper) -> None:
        self.places = places
        self.model = places.model
        self.proper = proper

    def values(self, node: n.ValuesDecl) -> Entry:
        names = [label or readable(str(name)) for name, label in node.values]
        line = Line(sentence(f"{listed(names, 'or')}, in this order"))
        return Entry("values", node.name.text, readable(node.name.text), node.span, node.cites, lines=[line])

    def kind(self, node: n.KindDecl) -> Entry:
        kind = self.model.kinds.get(node.name.text)
        noun = kind_noun(node.name.text)
        lines: list[Line] = []
        for attribute in node.attributes:
            attr = kind.attrs.get(attribute.name.text) if kind is not None else None
            if attr is not None:
                lines.append(self._fact(readable(attr.name), attr.type, attribute.cites))
        own = [] if kind is None else [s for s in kind.states.values() if inside(s.span, node.span)]
        for state in own:
            lines.append(self._state_line(state))
        for place in [] if kind is None else [h for h in kind.holds.values() if inside(h.span, node.span)]:
            lines.append(self._place_line(place))
        if kind is not None and node.does:
            for does in node.does:
                said = f"each {noun} says itself what it does ({readable(does.name.text)})"
                lines.append(Line(sentence(said), does.cites))
        if kind is not None and node.hidden_when is not None and kind.hidden is not None:
            var, condition, known = kind.hidden
            teller = Outliner((var,), (), [condition])
            teller.speaker.names[var.ident] = "it"
            whom = f", known only to {teller.say(known)}" if known is not None else ""
            lines.append(Line(sentence(f"it lies face down while {teller.say(condition)}{whom}"), node.hidden_cites))
        title = capital(plural(noun))
        doc = node.doc
        form = "pieces" if node.is_pieces else "kind"
        return Entry(form, node.name.text, title, node.span, node.cites, doc, lines, key=f"kind {node.name.text}")

    def _fact(self, name: str, type_: Type, cites: tuple[str, ...]) -> Line:
        return Line(sentence(f"{name}: {self._of_type(type_)}, fixed"), cites, "fact")

    def _state_line(self, state: m.State) -> Line:
        until = ""
        if state.lasts:
            until = f", until the end of {listed([self.scope(name.text) for name in state.lasts], 'or')}"
        what = self._of_type(state.type)
        if state.bounds is not None:
            what = f"a number from {state.bounds[0]} to {state.bounds[1]}"
        return Line(
            sentence(f"{capital(readable(state.name))}: {what}, changes in play{until}"),
            state.cites,
            "fact",
        )

    def _of_type(self, type_: Type) -> str:
        """What something can be: of a few named values, which."""
        kind = self.model.kinds.get(type_.kind) if isinstance(type_, ThingOf) else None
        if kind is not None and kind.is_values and 1 < len(kind.things) <= FEW:
            return listed([thing.label for thing in kind.things], "or")
        return type_words(type_)

    def scope(self, name: str) -> str:
        procedure = self.model.procedures.get(name)
        if procedure is not None:
            return f"“{self.proper(procedure.title or readable(name))}”"
        # What goes round is known by what it goes round through: "until the end of the turn of the active side".
        found = self.model.states.get(name)
        if found is not None and isinstance(found.type, ThingOf) and found.type.kind.casefold() != name.casefold():
            return f"the turn of the {readable(name)} {kind_noun(found.type.kind)}"
        return f"the {readable(name)}"

    def _place_line(self, place: m.Holds) -> Line:
        order = ", in order" if place.ordered else ""
        seen = "; ".join(self._seen(place, v) for v in place.visibility)
        if len({v.level for v in place.visibility}) == 1 and any(v.who is None for v in place.visibility):
            seen = f"everybody sees {_LEVELS.get(place.visibility[0].level, place.visibility[0].level)}"
        said = f"{readable(place.name)}: a place for {plural(kind_noun(place.kind.name))}{order}"
        return Line(sentence(f"{said}{' (' + seen + ')' if seen else ''}"), place.cites, "fact")

    @staticmethod
    def _seen(place: m.Holds, visible: m.Visible) -> str:
        what = _LEVELS.get(visible.level, visible.level)
        if visible.who is None:
            return f"the others see {what}"
        teller = Outliner((), (), [visible.who])
        if place.owner_var is not None:
            teller.speaker.names[place.owner_var.ident] = f"its {kind_noun(place.owner.name)}" if place.owner else "it"
        return f"{teller.say(visible.who)} sees {what}"

    def things(self, node: n.ThingsDecl | n.MapDecl) -> Entry:
        things = [t for line in node.things for t in self.places.things_at(line.name.span)]
        kinds = list(dict.fromkeys(t.kind.name for t in things))
        nouns = [plural(kind_noun(name)) for name in kinds]
        if isinstance(node, n.MapDecl):
            title = f"The map: {readable(node.name.text)}"
            form, name, doc = "map", node.name.text, node.doc
            number = len(things)
            links = sum(len(line.arrows) for line in node.links)
            noun = kind_noun(kinds[0]) if kinds else "space"
            told = [f"{number} {noun if number == 1 else plural(noun)}"] if number else []
            told += [f"{counted(links, 'link')}"] if links else []
            note = listed(told)
        else:
            title = capital(listed(nouns)) if nouns else "Things"
            form, name, doc, note = "things", " ".join(kinds), "", ""
        entry = Entry(
            form, name, title, node.span, node.cites, doc, note=note, reconstructed=node.reconstructed,
            kind=kinds[0] if len(kinds) == 1 else "",
        )  # fmt: skip
        entry.grids = things_grids(things, self.model)
        for grid in entry.grids:
            for row in grid.rows:  # what the whole list cites need not be said again on each line
                row.cites = () if row.cites == node.cites else row.cites
                row.note = "" if row.note == f"Reconstructed: {node.reconstructed}" else row.note
            grid.has_cites = any(row.cites for row in grid.rows)
            grid.has_notes = any(row.note for row in grid.rows)
        return entry

    def players(self, node: n.PlayersDecl) -> Entry:
        kind = self.model.players
        names = [t.label for t in kind.things] if kind is not None else []
        lines = [Line(sentence(f"the roles are {listed(names)}"))]
        for line in node.seats:
            labels = [listed([self.label_of(name.text) for name in seat]) for seat in line.seats]
            number = f"{line.count} player{'s' if line.count != 1 else ''}"
            lines.append(Line(sentence(f"{number}: {'; '.join(labels)}"), line.cites))
        return Entry("players", node.kind.text, "Players", node.span, node.cites, lines=lines)

    def label_of(self, name: str) -> str:
        things = self.model.things.get(name, [])
        return things[0].label if things else readable(name)

    def state(self, node: n.StateDecl) -> Entry | None:
        state = self.model.states.get(node.name.text)
        if state is None:
            return None
        line = self._state_line(state)
        line.cites = ()
        title = capital(self.proper(readable(node.name.text)))
        entry = Entry("state", node.name.text, title, node.span, node.cites, lines=[line])
        entry.key, entry.reconstructed = f"state {state.name}", node.reconstructed
        return entry

    def holds(self, node: n.HoldsDecl) -> Entry | None:
        place = self.model.holds.get(node.name.text)
        if place is None:
            return None
        return Entry(
            "holds", node.name.text, capital(readable(node.name.text)), node.span, node.cites,
            lines=[self._place_line(place)],
        )  # fmt: skip
