"""Links between spaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulescript import nodes as n
from rulescript.analysis.part import Part
from rulescript.diagnostics import Label
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model.game import (
    Thing,
)

__all__ = ["Links"]


class Links(Part):
    """Declares links."""

    def is_link(self, decl: n.ThingDecl) -> bool:
        """``road Mill Ford``: meant for a link, and read as a thing."""
        sorts = {sort.text for map_ in self.game.maps for sort in map_.sorts}
        if decl.kind.text not in sorts:
            return False
        named = [x for item in decl.items for x in (getattr(item.value, "name", None), item.name) if x is not None]
        other = next((str(x) for x in named if str(x) in self.game.things), "...")
        hint = f"write `{decl.kind} {decl.name} - {other}`"
        self.error("RS001", "the spaces of a link are joined with `-`", decl.name.span, "expected `-` after this", hint)
        return True

    def declare_links(self, decl: n.MapDecl) -> None:
        # A map may link with the sorts of another: a variant adds spaces to the board of its base.
        sorts = {s.text for s in decl.sorts} | {sort for kind in self.game.kinds.values() for sort in kind.links}
        names: list[str] | None = None
        for line in decl.links:
            if line.sort.text not in sorts:
                where = f"declare it under the map, before its links: `link {line.sort}`"
                if line.sort.text in self.game.kinds:
                    # `Region Old-Mill`: a space, and no link.
                    whole = "_".join(each.text for each in line.names)
                    self.desk.lost.update((whole, *(each.text for each in line.names)))
                    message, hint = "a name has no hyphen in it", f"write `{line.sort} {whole}`"
                    self.error("RS101", message, line.names[0].span, "not a name", hint)
                    continue
                self.unknown("sort of link", line.sort.text, line.sort.span, sorts, otherwise=where)
                continue
            ends: list[Thing | None] = []
            for name in line.names:
                spaces = self.game.things.get(name.text, [])
                if not spaces and name.text in self.desk.lost:
                    ends.append(None)
                    continue
                if not spaces:
                    if names is None:
                        names = [t.name for d in decl.things for t in self.game.things.get(d.name.text, [])]
                    self.error(
                        "RS104",
                        f"there is no space `{name}` to link to",
                        name.span,
                        "unknown",
                        spelling_hint(name.text, names or list(self.game.things)),
                    )
                ends.append(spaces[0] if spaces else None)
            for at, arrow in enumerate(line.arrows):
                a, b = ends[at], ends[at + 1]
                if a is not None and b is not None:
                    self._link(line, a, b, arrow == "-", line.names[at + 1])

    def _link(self, line: n.LinkLine, a: Thing, b: Thing, both: bool, name: n.Name) -> None:
        if a.kind is not b.kind:
            self.error("RS104", f"{a.name} and {b.name} are not of the same kind", name.span)
            return
        if a is b:
            self.error("RS113", f"{a.name} is linked to itself", name.span)
            return
        sort = line.sort.text
        table = a.kind.links.setdefault(sort, [])
        for x, y in ((a.index, b.index), (b.index, a.index)) if both else ((a.index, b.index),):
            while len(table) < a.kind.size:
                table.append(set())
            if y in table[x]:
                old = a.kind.link_info[(sort, x, y)]
                self.error(
                    "RS105",
                    f"the {sort} link {a.name} - {b.name} is given twice",
                    name.span,
                    "given again",
                    "take one of them away",
                    others=[Label(old[0], "first given here")],
                )
                return
            table[x].add(y)
            a.kind.link_info[(sort, x, y)] = (name.span, self.cited(line.cites), line.reconstructed)
        if line.reconstructed:
            self.game.reconstructed.append((f"{sort} {a.name} - {b.name}", line.reconstructed, name.span))

    def declare_link_sorts(self, decl: n.MapDecl) -> None:
        for sort in decl.sorts:
            kinds = {self.game.kinds[t.kind.text].name for t in decl.things if t.kind.text in self.game.kinds}
            linked = {
                self.game.things[name.text][0].kind.name
                for line in decl.links
                if line.sort.text == sort.text
                for name in line.names
                if name.text in self.game.things
            }
            for kind_name in sorted(linked or kinds):
                kind = self.game.kinds[kind_name]
                table = kind.links.setdefault(sort.text, [])
                while len(table) < kind.size:
                    table.append(set())

    def is_uneven(self, rows: Sequence[n.Row]) -> bool:
        """Whether the rows of a table differ in length; those that most others differ from are told."""
        widths = Counter(len(row.cells) for row in rows)
        # Of equally many, the head is right: it was written first.
        width = max(widths, key=lambda w: (widths[w], w == len(rows[0].cells)))
        for row in rows:
            cells = len(row.cells)
            if cells == width:
                continue
            differ = abs(cells - width)
            many = f"{differ} {'cell' if differ == 1 else 'cells'} too {'few' if cells < width else 'many'}"
            who = "the head of this table" if row is rows[0] else "this row"
            other = next(each for each in rows if len(each.cells) == width)
            self.error(
                "RS301", f"{who} has {cells} cells, the others {width}", row.span, many,
                others=[Label(other.span, f"{width} cells")],
                hint="every row has a `|` before each cell and one at its end"
                + ("; an empty cell is two of them" if cells < width else ""),
            )  # fmt: skip
        return len(widths) > 1
