"""Maps as pictures: spaces as boxes with their facts, links in the style of their sort, and a legend.

Nothing here knows a game. What a box is coloured by is the first attribute of its kind that puts the spaces into a few
groups; yes-or-no attributes are small signs, numbers small badges. A picture of a position draws the same map with
counters in the boxes, and one of an example only the part of it that plays a role.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import lru_cache
from pathlib import Path

from attrs import define, field, frozen
from markupsafe import Markup

from rulescript import nodes as n
from rulescript.docgen.grids import attributes_of, value_words
from rulescript.docgen.grounds import Ground
from rulescript.docgen.layout import LARGE, Box, Point, coordinates, lay_out
from rulescript.docgen.names import slug
from rulescript.docgen.outline import capital
from rulescript.docgen.shapes import Polygon, read_picture, read_shapes
from rulescript.docgen.svg import element, number, text_width, wrap
from rulescript.model import game as m
from rulescript.model.types import BOOL, INT, Maybe, ThingOf
from rulescript.phrases import kind_noun, plural, readable
from rulescript.source import SourceFile

__all__ = ["Colouring", "Counter", "Link", "Map", "More", "Scene", "Space", "maps_of", "with_option"]

COLOURS = 14
TINTS = 8
SORTS = 6
SIGNS = 6
# How much longer a line may be for one turn less.
TURN = 90.0
# Between what stands below a map, and how wide that may be at least.
GAP = 14.0
ROW = 640.0
LABEL = 13.0
SMALL = 11.0
# The folder that a rules file lies in; None for text that came from no file.
FolderOf = Callable[[SourceFile], Path | None]
# Values of an attribute that says how a space is drawn, for spaces at sea.
_AT_SEA = frozenset({"sea", "ocean", "water", "lake", "beach", "coast"})
_WATER = frozenset({"sea", "ocean", "lake", "water", "sea zone", "sea area"})


@frozen
class Space:
    """A space: its facts in words, and the spaces it is linked to, by sort of link."""

    index: int
    name: str
    label: str
    anchor: str
    at: str
    facts: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, tuple[str, ...]], ...]
    cites: tuple[str, ...]
    reconstructed: str
    doc: str


@frozen
class Link:
    """Two spaces and the sort of the link between them; `both` where it leads both ways."""

    a: int
    b: int
    sort: int
    both: bool
    reconstructed: str


@frozen
class Colouring:
    """A way to colour the spaces: for each the number of its group (-1: none), and what the groups are called."""

    title: str
    groups: tuple[tuple[str, int], ...]
    of_space: tuple[int, ...]


@frozen
class Counter:
    """What lies in a space: so many of something, in the colour of whose it is."""

    text: str
    title: str
    shade: str = "plain"
    count: int = 1
    is_new: bool = False


@frozen
class Scene:
    """What is shown on a map: counters and notes in its spaces, their shades, which of them are marked.

    Without shades the spaces are coloured by the map's own groups, and each is a link to its line in the table."""

    title: str
    ident: str
    counters: Mapping[int, Sequence[Counter]] = {}
    notes: Mapping[int, Sequence[str]] = {}
    shades: Mapping[int, str] | None = None
    marked: Set[int] = frozenset()
    has_links: bool = True
    # How large a counter is, if the picture is a board: each space and each field of a track has room for some.
    counter: float = 0.0
    # How long a row of a track may be, if not as the picture is wide.
    row: float = 0.0


@define
class More:
    """A map as an option makes it: the option (its name and what it is called), the picture, and the spaces that are
    only there with it."""

    option: str
    title: str
    anchor: str
    picture: Markup
    spaces: list[Space]
    ground: Ground | None = None


@define
class Map:
    """One kind of spaces with its links, ready to be drawn."""

    kind: m.Kind
    title: str
    doc: str
    anchor: str
    spaces: list[Space]
    links: list[Link]
    sorts: list[tuple[str, int, int]]
    colourings: list[Colouring]
    signs: list[tuple[str, str, tuple[bool, ...]]]
    badges: list[tuple[str, str, tuple[int, ...]]]
    water: tuple[bool, ...]
    water_name: str = ""
    is_schematic: bool = False
    picture: Markup = field(default=Markup(""))
    remarks: list[str] = field(factory=list)
    more: list[More] = field(factory=list)
    # Which of its spaces stand beside it, and the rows of fields below it: a title and what stands in them.
    boxes: Set[int] = frozenset()
    tracks: list[tuple[str, list[str]]] = field(factory=list)
    # What lies under its spaces, if it is more than a diagram.
    ground: Ground | None = None
    # Spaces that are drawn round or with corners, by an attribute that says so.
    outlines: tuple[str, ...] = ()

    @property
    def noun(self) -> str:
        return kind_noun(self.kind.name)

    @property
    def nouns(self) -> str:
        return plural(self.noun)

    @property
    def all_spaces(self) -> list[Space]:
        """Those of options too."""
        return [*self.spaces, *(space for more in self.more for space in more.spaces)]

    @property
    def has_facts(self) -> bool:
        """Whether there is anything to tell of a space that is not told of the whole map."""
        return any(s.facts or s.doc or s.reconstructed not in ("", *self.remarks) for s in self.all_spaces)

    # -------------------------------------------------------------- drawing

    def draw(self, scene: Scene, only: Iterable[int] | None = None, like: Scene | None = None) -> Markup:
        """The map as SVG, with what a scene puts on it; with `only`, a part of it. `like` is another scene for which
        the same places must do."""
        shown = sorted(set(only)) if only is not None else list(range(len(self.spaces)))
        if not shown:
            return Markup("")
        parts, (left, top, width, height) = self.composed(scene, shown, only is None, like)
        # On a small screen the whole map is moved about rather than made too small to read.
        least = f"--least:{round(width)}px"
        return element(
            "svg", parts, class_="map" if only is None else "map part", role="group" if scene.has_links else "img",
            viewBox=f"{number(left)} {number(top)} {number(width)} {number(height)}", width=number(width),
            height=number(height), aria_labelledby=f"{scene.ident}-t {scene.ident}-d", style=least,
            xmlns="http://www.w3.org/2000/svg",
        )  # fmt: skip

    def composed(
        self, scene: Scene, shown: Sequence[int], is_whole: bool, like: Scene | None = None
    ) -> tuple[list[Markup], tuple[float, float, float, float]]:
        """What a picture of some spaces consists of, and what of the drawing it shows: left, top, width, height."""
        place = {space: at for at, space in enumerate(shown)}
        drawn = [_Drawn(self, self.spaces[i], scene) for i in shown]
        if like is not None:
            for each in drawn:
                other = _Drawn(self, each.space, like).box
                each.box.width, each.box.height = max(each.box.width, other.width), max(each.box.height, other.height)
        links = [link for link in self.links if link.a in place and link.b in place]
        scale = 1.0
        left = top = 0.0
        if self.ground is not None:
            scale, (left, top, width, height) = self._placed_on(self.ground, drawn, is_whole)
        else:
            width, height = self._placed(drawn, links, len(shown))
        ident = scene.ident
        parts: list[Markup] = [
            element("title", scene.title, id=f"{ident}-t"),
            element("desc", self._described(shown), id=f"{ident}-d"),
            _arrows(ident, links),
        ]
        if self.ground is not None:
            parts.append(self.ground.drawn(scale))
            parts.append(self._areas(self.ground, drawn, scene, scale))
        rows: list[Markup] = []
        for title, fields in self.tracks if is_whole else ():
            end = left + (scene.row or width)
            drawn_row, right, bottom = _track(title, fields, left, end, top + height, scene.counter)
            right = max(right, left + width)
            width, height = right - left, bottom - top
            rows.append(drawn_row)
        lines = _paths(drawn, [(place[link.a], place[link.b], link) for link in links], ident)
        parts.append(element("g", lines, class_="links on-ground" if self.ground is not None else "links"))
        parts.append(element("g", [each.drawn(scene) for each in drawn], class_="spaces"))
        parts += rows
        return parts, (left, top, width, height)

    def _areas(self, ground: Ground, drawn: Sequence[_Drawn], scene: Scene, scale: float) -> Markup:
        """The outlines of the spaces that are shown, as they are shaded; of all others, only their borders."""
        shown = {each.space.index: each for each in drawn}
        parts: list[Markup] = []
        others, seas = ground.borders(scale), ground.borders(scale, "area dim water")
        for space in self.spaces:
            if not ground.has_area(space.index):
                continue
            each = shown.get(space.index)
            if each is None:
                parts.append((seas if self.water[space.index] else others)(space.index))
                continue
            shade, data = each.shade(scene)
            marked = " marked" if space.index in scene.marked else ""
            area = ground.area(space.index, scale, f"box area {shade}{marked}")
            inside = element("g", [element("title", each.told), area], class_="space", **data)
            parts.append(element("a", inside, href=f"#{space.anchor}") if scene.has_links else inside)
        # What is marked has its border above those of its neighbours.
        parts.sort(key=lambda part: " marked" in part)
        return element("g", parts, class_="areas")

    def _placed_on(
        self, ground: Ground, drawn: Sequence[_Drawn], is_whole: bool
    ) -> tuple[float, tuple[float, float, float, float]]:
        """Give every space its place on the ground, the boxes beside the map theirs below it; how large the ground is,
        and what of it is shown."""
        board = [each for each in drawn if each.space.index in ground.places]
        aside = [each for each in drawn if each.space.index not in ground.places]
        indexes = [each.space.index for each in board]
        scale = 1.0
        left, top, width, height = 0.0, 0.0, ROW, 0.0
        if board:
            scale = ground.place([each.box for each in board], indexes)
            left, top, width, height = ground.view([each.box for each in board], indexes, scale, is_whole)
        right, bottom = _rows([each.box for each in aside], left, left + width, top + height)
        return scale, (left, top, right - left, bottom - top)

    def _placed(self, drawn: Sequence[_Drawn], links: Sequence[Link], shown: int) -> tuple[float, float]:
        """Give every space its place: those of the map by their links, the boxes beside it in rows below; the size."""
        board = [each for each in drawn if each.space.index not in self.boxes]
        aside = [each for each in drawn if each.space.index in self.boxes]
        place = {each.space.index: at for at, each in enumerate(board)}
        ends = [(place[link.a], place[link.b]) for link in links if link.a in place and link.b in place]
        aspect = 1.5 if shown > 3 else 2.2
        near = None
        if len(board) > LARGE:
            # Laid out once: with counters in its spaces, a large map keeps the places that it has without.
            bare = [_Drawn(self, each.space, Scene("", "")).box for each in board]
            lay_out(bare, ends, aspect)
            near = [(box.x, box.y) for box in bare]
        width, height = lay_out([each.box for each in board], ends, aspect, near)
        return _rows([each.box for each in aside], 0.0, width, height)

    def _described(self, shown: Sequence[int]) -> str:
        names = [self.spaces[i].label for i in shown]
        listed = ", ".join(names[:40]) + (" and more" if len(names) > 40 else "")
        return (
            f"{len(names)} {self.nouns if len(names) != 1 else self.noun}: {listed}. The table says the same in words."
        )


def _rows(boxes: Sequence[Box], left: float, right: float, bottom: float) -> tuple[float, float]:
    """Boxes in rows below a drawing; where it then ends, to the right and below."""
    x, row, widest = left + GAP, 0.0, max(right, left + ROW)
    for box in boxes:
        if x > left + GAP and x + box.width + GAP > widest:
            x, bottom, row = left + GAP, bottom + row + GAP, 0.0
        box.x, box.y = x + box.width / 2, bottom + GAP + box.height / 2
        x, row = x + box.width + GAP, max(row, box.height)
        right = max(right, x)
    return right, bottom + (row + 2 * GAP if boxes else 0.0)


# ------------------------------------------------------------------ boxes


class _Drawn:
    """One box: what is written in it, and how large that makes it."""

    def __init__(self, of: Map, space: Space, scene: Scene) -> None:
        self.map = of
        self.space = space
        self.counters = tuple(scene.counters.get(space.index, ()))
        self.notes = [line for note in scene.notes.get(space.index, ()) for line in wrap(note, SMALL, 130, 2)]
        self.lines = wrap(space.label, LABEL, 112 if len(space.label) > 16 else 150)
        self.signs = [n for n, (_, _, has) in enumerate(of.signs) if has[space.index]]
        self.badges = [(n, values[space.index]) for n, (_, _, values) in enumerate(of.badges) if values[space.index]]
        label = max(text_width(line, LABEL) * 1.1 for line in self.lines)
        row = 16 * len(self.signs) + sum(12 + text_width(str(v), 11) for _, v in self.badges)
        self.rows = self._counter_rows()
        wide = max((sum(_chip_width(c) + 4 for c in r) - 4 for r in self.rows), default=0.0)
        small = max((text_width(n, SMALL) for n in self.notes), default=0.0)
        # Both sides may have a stack in a space of the map; in a box beside it more lies about.
        across, down = (4, 2) if space.index in of.boxes else (2, 1)
        room = across * scene.counter + 8 if scene.counter else 0.0
        self.box = Box(
            max(label + 20, row + 18, wide + 14, small + 16, room, 56), self._height(), coordinates(space.at)
        )
        # Where an area has its own outline, lines lead from name to name, under what will lie there.
        self._named = (max(label + 20, row + 18), self.box.height) if scene.counter else None
        self.box.height += down * scene.counter

    @property
    def end(self) -> Box:
        """Where lines end that lead here."""
        box, ground = self.box, self.map.ground
        if self._named is None or ground is None or not ground.has_area(self.space.index):
            return box
        width, height = self._named
        return Box(width, height, None, box.x, box.top + height / 2)

    def _height(self) -> float:
        height = 12 + 16.0 * len(self.lines)
        if self.signs or self.badges:
            height += 19
        height += 13 * len(self.notes)
        return height + 22 * len(self.rows) + (4 if self.rows else 2)

    def _counter_rows(self) -> list[list[Counter]]:
        rows: list[list[Counter]] = []
        room = max(150.0, math.sqrt(sum(_chip_width(c) for c in self.counters) * 22) * 1.6)
        for counter in self.counters:
            if rows and sum(_chip_width(c) + 4 for c in rows[-1]) + _chip_width(counter) <= room:
                rows[-1].append(counter)
            else:
                rows.append([counter])
        return rows

    @property
    def told(self) -> str:
        """The space and its facts in one line."""
        facts = "; ".join(f"{name} {value}".strip() for name, value in self.space.facts)
        return f"{self.space.label}: {facts}" if facts else self.space.label

    def shade(self, scene: Scene) -> tuple[str, dict[str, object]]:
        """What a space is coloured by: that of the scene, or else the map's first colouring; it can be by others."""
        data: dict[str, object] = {}
        shade = scene.shades.get(self.space.index, "plain") if scene.shades is not None else ""
        if not shade:
            for at, colouring in enumerate(self.map.colourings):
                group = colouring.of_space[self.space.index]
                data[f"data_c{at}"] = f"c{group % COLOURS}" if group >= 0 else "plain"
            shade = str(data.get("data_c0", "plain"))
        return (f"{shade} water" if self.map.water[self.space.index] else shade), data

    def frame(self, classes: str) -> Markup:
        """What is drawn around a space that has no outline of its own."""
        box = self.box
        outline = self.map.outlines[self.space.index] if self.map.outlines else ""
        if outline == "circle":
            return element("ellipse", cx=box.x, cy=box.y, rx=box.width / 2 + 3, ry=box.height / 2 + 3, class_=classes)
        round_ = 0 if outline == "square" else 18 if self.map.water[self.space.index] else 6
        return element("rect", x=box.left, y=box.top, width=box.width, height=box.height, rx=round_, class_=classes)

    def drawn(self, scene: Scene) -> Markup:
        """The space: its box with what is in it; where it has an outline on the ground, only what is in it."""
        box, space = self.box, self.space
        is_area = self.map.ground is not None and self.map.ground.has_area(space.index)
        shade, data = self.shade(scene)
        parts: list[Markup] = []
        if not is_area:
            parts.append(self.frame(f"box {shade}{' marked' if space.index in scene.marked else ''}"))
        y = box.top + 20
        for line in self.lines:
            parts.append(element("text", line, x=box.x, y=y, class_="name"))
            y += 16
        if self.signs or self.badges:
            parts += self._facts(y - 2)
            y += 19
        for note in self.notes:
            parts.append(element("text", note, x=box.x, y=y - 3, class_="note"))
            y += 13
        for row in self.rows:
            parts += _chips(row, box.x, y - 12)
            y += 22
        if is_area:
            return element("g", parts, class_="label")
        inside = element("g", [element("title", self.told), *parts], class_="space", **data)
        return element("a", inside, href=f"#{space.anchor}") if scene.has_links else inside

    def _facts(self, y: float) -> list[Markup]:
        widths = [14.0] * len(self.signs) + [10 + text_width(str(v), 11) for _, v in self.badges]
        x = self.box.x - (sum(widths) + 4 * (len(widths) - 1)) / 2
        parts: list[Markup] = []
        for sign in self.signs:
            parts.append(sign_shape(sign, x + 7, y))
            x += 18
        for number_of, value in self.badges:
            wide = 10 + text_width(str(value), 11)
            parts.append(badge(number_of, str(value), x + wide / 2, y, wide))
            x += wide + 4
        return parts


def _track(
    title: str, fields: Sequence[str], left: float, right: float, bottom: float, counter: float
) -> tuple[Markup, float, float]:
    """A row of fields below everything else, in as many lines as it needs; and where the drawing then ends."""
    start, widest = left + GAP, max(right, left + ROW)
    least, high = (counter + 6, counter + 24) if counter else (26.0, 22.0)
    parts = [element("text", title, x=start, y=bottom + GAP, class_="note track-title", text_anchor="start")]
    x, y = start, bottom + GAP + 8
    for label in fields:
        wide = max(least, text_width(label, SMALL) + 12)
        if x > start and x + wide + GAP > widest:
            x, y = start, y + high + 2
        parts.append(element("rect", x=x, y=y, width=wide, height=high, rx=3, class_="box plain"))
        parts.append(element("text", label, x=x + wide / 2, y=y + 15, class_="note"))
        x += wide
        right = max(right, x + GAP)
    return element("g", parts, class_="track"), right, y + high + GAP


def _chip_width(counter: Counter) -> float:
    return 12 + text_width(_chip_text(counter), 11) * 1.1  # its letters are bold, as those of a name


def _chip_text(counter: Counter) -> str:
    return f"{counter.count} {counter.text}" if counter.count != 1 else counter.text


def _chips(row: Sequence[Counter], middle: float, top: float) -> list[Markup]:
    x = middle - (sum(_chip_width(c) for c in row) + 4 * (len(row) - 1)) / 2
    parts: list[Markup] = []
    for counter in row:
        wide = _chip_width(counter)
        classes = f"chip {counter.shade}{' new' if counter.is_new else ''}"
        inside = [
            element("title", counter.title),
            element("rect", x=x, y=top, width=wide, height=18, rx=3),
            element("text", _chip_text(counter), x=x + wide / 2, y=top + 13),
        ]
        parts.append(element("g", inside, class_=classes))
        x += wide + 4
    return parts


def sign_shape(sign: int, x: float, y: float) -> Markup:
    """A small sign for a yes-or-no fact: star, diamond, triangle, square, circle, cross."""
    match sign % SIGNS:
        case 0:
            points = []
            for k in range(10):
                radius = 6.6 if k % 2 == 0 else 2.7
                angle = -math.pi / 2 + k * math.pi / 5
                points.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
        case 1:
            points = [(x, y - 6), (x + 5.2, y), (x, y + 6), (x - 5.2, y)]
        case 2:
            points = [(x, y - 5.6), (x + 6, y + 4.6), (x - 6, y + 4.6)]
        case 3:
            points = [(x - 4.6, y - 4.6), (x + 4.6, y - 4.6), (x + 4.6, y + 4.6), (x - 4.6, y + 4.6)]
        case 4:
            return element("circle", cx=float(x), cy=float(y), r=5, class_="sign s4")
        case _:
            a, b = 5.4, 1.8
            corners = [
                (-b, -a),
                (b, -a),
                (b, -b),
                (a, -b),
                (a, b),
                (b, b),
                (b, a),
                (-b, a),
                (-b, b),
                (-a, b),
                (-a, -b),
                (-b, -b),
            ]
            points = [(x + dx, y + dy) for dx, dy in corners]
    told = " ".join(f"{number(px)},{number(py)}" for px, py in points)
    return element("polygon", points=told, class_=f"sign s{sign % SIGNS}")


def badge(which: int, text: str, x: float, y: float, wide: float) -> Markup:
    """A number in a small frame; each sort of number has a frame of its own."""
    radius = (8, 2, 0)[which % 3]
    frame = element("rect", x=x - wide / 2, y=y - 8, width=wide, height=16, rx=radius)
    return element("g", [frame, element("text", text, x=float(x), y=y + 4)], class_=f"badge b{which % 3}")


# ------------------------------------------------------------------ links


def _arrows(ident: str, links: Sequence[Link]) -> Markup:
    made: list[Markup] = []
    for sort in sorted({link.sort for link in links if not link.both}):
        arrow = element("path", d="M0,0 L8,4 L0,8 z", class_=f"tip l{sort % SORTS}")
        made.append(
            element(
                "marker", arrow, id=f"{ident}-a{sort}", viewBox="0 0 8 8", refX=7, refY=4, markerWidth=7,
                markerHeight=7, orient="auto-start-reverse",
            )
        )  # fmt: skip
    return element("defs", made) if made else Markup("")


def _border(box: Box, x: float, y: float) -> tuple[float, float]:
    """Where the line from the middle of a box to a point leaves the box."""
    dx, dy = x - box.x, y - box.y
    if not dx and not dy:
        return box.x, box.y
    scale = min(
        (box.width / 2 + 1) / abs(dx) if dx else math.inf,
        (box.height / 2 + 1) / abs(dy) if dy else math.inf,
    )
    return box.x + dx * min(1.0, scale), box.y + dy * min(1.0, scale)


def _paths(drawn: Sequence[_Drawn], links: Sequence[tuple[int, int, Link]], ident: str) -> list[Markup]:
    """Lines between boxes, bent or led around where they would run under others; links of several sorts lie beside
    each other."""
    between: dict[tuple[int, int], int] = {}
    ends: list[tuple[int, int, int]] = []
    for a, b, _ in links:
        key = (min(a, b), max(a, b))
        ends.append((a, b, between.get(key, 0)))
        between[key] = ends[-1][2] + 1
    at = [each.end for each in drawn]
    boxes = tuple((box.x, box.y, box.width, box.height) for box in at)
    out: list[Markup] = []
    for (a, b, _), (_, _, link), way in zip(ends, links, _ways(boxes, tuple(ends)), strict=True):
        if isinstance(way, float):
            line = _curve(at[a], at[b], way)
        else:
            line = _detour(at[a], at[b], way)
        out.append(_path(line, link, ident, drawn[a].space, drawn[b].space, drawn[a].map))
    return out


def _control(a: Box, b: Box, bend: float) -> tuple[float, float]:
    dx, dy = b.x - a.x, b.y - a.y
    length = math.hypot(dx, dy) or 1.0
    return (a.x + b.x) / 2 - dy / length * bend, (a.y + b.y) / 2 + dx / length * bend


@lru_cache(maxsize=256)  # the picture after a move has its boxes where the picture before it has them
def _ways(
    boxes: tuple[tuple[float, float, float, float], ...], links: tuple[tuple[int, int, int], ...]
) -> list[float | tuple[Point, ...]]:
    """For each line between two boxes, given by middle and size: how far it is bent or, where no bend would do, by
    which points it goes around what lies between. The third number tells lines between the same two apart."""
    made = [Box(width, height, None, x, y) for x, y, width, height in boxes]
    out: list[float | tuple[Point, ...]] = []
    by_x = sorted(range(len(made)), key=lambda i: made[i].x)
    xs = [made[i].x for i in by_x]
    far = 200 + max((box.width for box in made), default=0.0) / 2
    for a, b, nth in links:
        if len(made) <= LARGE:
            others = [box for i, box in enumerate(made) if i not in (a, b)]
        else:  # what lies far away is in nobody's way
            first = bisect_left(xs, min(made[a].x, made[b].x) - far)
            last = bisect_right(xs, max(made[a].x, made[b].x) + far)
            beside = [made[i] for i in sorted(by_x[first:last]) if i not in (a, b)]
            others = [box for box in beside if _is_near(box, made[a], made[b], 200)]
        shift = 0.0 if nth == 0 else 16.0 * (1 if nth % 2 else -1) * ((nth + 1) // 2) * (1 if a < b else -1)
        bend, is_free = _bend(made[a], made[b], others, shift)
        turns = 3 if len(made) <= LARGE else 2
        ends = (made[a].x, made[a].y), (made[b].x, made[b].y)
        points = None if is_free else _around(*ends, [_sides(box) for box in others], 12 + 8 * nth, turns)
        out.append(bend if points is None else points)
    return out


def _bend(a: Box, b: Box, others: Sequence[Box], shift: float) -> tuple[float, bool]:
    """How far a line must be bent so as not to run under other boxes, and whether it then does not; `shift` is how far
    it lies beside another between the same two."""
    best, least, is_free = shift, math.inf, False
    length = math.hypot(a.x - b.x, a.y - b.y)
    near = [(o.left - 4, o.right + 4, o.top - 4, o.bottom + 4) for o in others if _is_near(o, a, b, 280)]
    for size in (0, 14, 28, 42, 58, 76, 96, 120, 150, 185, 225, 270, 320, 380):
        if size > length * 0.7 + 20:
            break
        for bend in (size, -size) if size else (0,):
            # One that crosses so many is no better than the best so far: the rest of them need not be counted.
            crossed = _crossed(a, b, bend + shift, near, (least - abs(bend)) / 300)
            cost = crossed * 300 + abs(bend)
            if cost < least:
                best, least, is_free = bend + shift, cost, not crossed
        if least < size:
            break
    return best, is_free


# Where a box begins and ends: left, right, top, bottom.
Sides = tuple[float, float, float, float]


def _sides(box: Box) -> Sides:
    return box.left, box.right, box.top, box.bottom


def _around(start: Point, end: Point, boxes: Sequence[Sides], margin: float, turns: int) -> tuple[Point, ...] | None:
    """The corners of boxes by which a short way leads from one point to another and under no box; None if so many turns
    are not enough."""
    hits = [(at, box) for box in boxes if (at := _meets(start, end, box, 5)) is not None]
    if not hits:
        return ()
    if not turns:
        return None
    left, right, top, bottom = min(hits, key=lambda hit: hit[0])[1]
    best: tuple[float, tuple[Point, ...]] | None = None
    for x in (left - margin, right + margin):
        for y in (top - margin, bottom + margin):
            if any(box[0] - 5 < x < box[1] + 5 and box[2] - 5 < y < box[3] + 5 for box in boxes):
                continue
            before = _around(start, (x, y), boxes, margin, turns - 1)
            after = _around((x, y), end, boxes, margin, turns - 1) if before is not None else None
            if before is None or after is None:
                continue
            way = (*before, (x, y), *after)
            # A way with few turns is easier to follow than one that is a little shorter.
            length = sum(math.dist(p, q) for p, q in zip((start, *way), (*way, end), strict=True))
            if best is None or length + TURN * len(way) < best[0]:
                best = (length + TURN * len(way), way)
    return best[1] if best is not None else None


def _meets(start: Point, end: Point, box: Sides, margin: float) -> float | None:
    """How far along a straight line it comes upon a box; None if it does not."""
    (px, py), (qx, qy) = start, end
    left, right, top, bottom = box[0] - margin, box[1] + margin, box[2] - margin, box[3] + margin
    # Most boxes lie on one side of the whole line.
    if (px <= left and qx <= left) or (px >= right and qx >= right):
        return None
    if (py <= top and qy <= top) or (py >= bottom and qy >= bottom):
        return None
    near, far = 0.0, 1.0
    for p, q, low, high in ((px, qx, left, right), (py, qy, top, bottom)):
        if p != q:
            first, last = sorted(((low - p) / (q - p), (high - p) / (q - p)))
            near, far = max(near, first), min(far, last)
    return near if near < far else None


def _is_near(o: Box, a: Box, b: Box, far: float) -> bool:
    return (
        min(a.x, b.x) - far < o.right
        and o.left < max(a.x, b.x) + far
        and min(a.y, b.y) - far < o.bottom
        and o.top < max(a.y, b.y) + far
    )


def _crossed(a: Box, b: Box, bend: float, others: Sequence[Sides], enough: float) -> int:
    """How many boxes a line runs under when it is bent so far; where they are enough no more are counted."""
    if not others or enough <= 0:
        return 0
    cx, cy = _control(a, b, bend * 1.0)
    # The control point of a curve pulls it only half the way.
    cx, cy = 2 * cx - (a.x + b.x) / 2, 2 * cy - (a.y + b.y) / 2
    hit = 0
    # As it is drawn: from the border of one box to that of the other.
    (ax, ay), (bx, by) = _border(a, cx, cy), _border(b, cx, cy)
    # It stays between its ends and what pulls it.
    low_x, high_x, low_y, high_y = min(ax, bx, cx), max(ax, bx, cx), min(ay, by, cy), max(ay, by, cy)
    others = [o for o in others if o[0] < high_x and low_x < o[1] and o[2] < high_y and low_y < o[3]]
    if not others:
        return 0
    steps = max(16, min(60, int(math.hypot(a.x - b.x, a.y - b.y) / 9)))
    for step in range(1, steps):
        t = step / steps
        x = (1 - t) ** 2 * ax + 2 * t * (1 - t) * cx + t * t * bx
        y = (1 - t) ** 2 * ay + 2 * t * (1 - t) * cy + t * t * by
        missed = [o for o in others if not (o[0] < x < o[1] and o[2] < y < o[3])]
        if len(missed) < len(others):
            hit += len(others) - len(missed)
            if hit >= enough or not missed:
                return hit
            others = missed
    return hit


def _curve(a: Box, b: Box, bend: float) -> str:
    """A straight line between two boxes, or one bent so far."""
    if bend:
        mx, my = _control(a, b, bend)
        cx, cy = 2 * mx - (a.x + b.x) / 2, 2 * my - (a.y + b.y) / 2
        (x1, y1), (x2, y2) = _border(a, cx, cy), _border(b, cx, cy)
        return f"M{number(x1)},{number(y1)} Q{number(cx)},{number(cy)} {number(x2)},{number(y2)}"
    (x1, y1), (x2, y2) = _border(a, b.x, b.y), _border(b, a.x, a.y)
    return f"M{number(x1)},{number(y1)} L{number(x2)},{number(y2)}"


def _detour(a: Box, b: Box, points: Sequence[Point]) -> str:
    """A line between two boxes by some points, where it turns in a small curve."""
    ends = (_border(a, *points[0]), *points, _border(b, *points[-1]))
    parts = [f"M{number(ends[0][0])},{number(ends[0][1])}"]
    for before, here, after in zip(ends, ends[1:], ends[2:], strict=False):
        sides = [_towards(here, other, min(14.0, math.dist(here, other) / 2)) for other in (before, after)]
        (x1, y1), (x2, y2) = sides
        parts.append(f"L{number(x1)},{number(y1)} Q{number(here[0])},{number(here[1])} {number(x2)},{number(y2)}")
    parts.append(f"L{number(ends[-1][0])},{number(ends[-1][1])}")
    return " ".join(parts)


def _towards(point: Point, other: Point, far: float) -> Point:
    share = far / (math.dist(point, other) or 1.0)
    return point[0] + (other[0] - point[0]) * share, point[1] + (other[1] - point[1]) * share


def _path(d: str, link: Link, ident: str, first: Space, last: Space, of: Map) -> Markup:
    classes = f"link l{link.sort % SORTS}" + (" guessed" if link.reconstructed else "")
    if of.ground is not None and (first.index in of.boxes) is not (last.index in of.boxes):
        classes += " away"  # to a box beside the map, across whatever lies between
    sort = of.sorts[link.sort][0]
    way = "–" if link.both else "→"
    end = None if link.both else f"url(#{ident}-a{link.sort})"
    title = element("title", f"{sort}: {first.label} {way} {last.label}")
    return element("path", title, d=d, class_=classes, marker_end=end)


# ------------------------------------------------------------------ reading the model


def maps_of(game: m.Game, folder_of: FolderOf = lambda source: None) -> list[Map]:
    """Every kind of spaces that has links. Files that a map is drawn with lie in the folders of its rules."""
    return [_map_of(kind, game, folder_of) for kind in game.kinds.values() if kind.links and kind.things]


def with_option(of: Map, game: m.Game, name: str, title: str, folder_of: FolderOf) -> More | None:
    """What an option adds to a map: `game` is the same game with the option. None if it adds no space."""
    kind = game.kinds.get(of.kind.name)
    known = {space.name for space in of.spaces}
    if kind is None or all(thing.name in known for thing in kind.things):
        return None
    made = _map_of(kind, game, folder_of)
    new = [space for space in made.spaces if space.name not in known]
    ident = f"{of.anchor}-with-{slug(name)}"
    if made.ground is not None:
        made.ground.ident = f"ground-{ident}"
    scene = Scene(f"Map: {of.title}, with {title}", ident, marked={s.index for s in new}, has_links=False)
    return More(name, title, ident, made.draw(scene), new, made.ground)


def _map_of(kind: m.Kind, game: m.Game, folder_of: FolderOf) -> Map:
    names = [d for d in game.maps if any(line.kind.text == kind.name for line in d.things)]
    title = readable(names[0].name.text) if names else capital(plural(kind_noun(kind.name)))
    doc = "\n".join(d.doc for d in names if d.doc)
    sorts = list(kind.links)
    links: list[Link] = []
    numbers = {sort: 0 for sort in sorts}
    for s, sort in enumerate(sorts):
        table = kind.links[sort]
        for a, ends in enumerate(table):
            for b in sorted(ends):
                both = b < len(table) and a in table[b]
                if both and b < a:
                    continue
                info = kind.link_info.get((sort, a, b))
                links.append(Link(a, b, s, both, info[2] if info is not None else ""))
                numbers[sort] += 1
    guessed = {s: sum(1 for link in links if link.sort == s and link.reconstructed) for s in range(len(sorts))}
    spaces = [_space(thing, kind, game) for thing in kind.things]
    water_attr = next((a for a in kind.attrs.values() if a.type == BOOL and readable(a.name).lower() in _WATER), None)
    water = tuple(bool(water_attr.values[t.index]) if water_attr is not None else False for t in kind.things)
    made = Map(
        kind, title, doc, f"map-{slug(kind.name)}", spaces, links,
        [(readable(sort), numbers[sort], guessed[s]) for s, sort in enumerate(sorts)],
        _colourings(kind, game), [], [], water, readable(water_attr.name) if water_attr is not None else "",
        not any(coordinates(t.at) for t in kind.things),
    )  # fmt: skip
    made.boxes = frozenset(thing.index for thing in kind.things if thing.is_box)
    if len(made.boxes) == len(kind.things):
        made.boxes = frozenset()
    own = {d.name.text for d in names}
    made.tracks = [(capital(t.title), t.labels(game)) for t in game.tracks if t.map in own]
    # A reason that many spaces share is told once, above them.
    reasons = [space.reconstructed for space in spaces if space.reconstructed]
    made.remarks = [reason for reason in dict.fromkeys(reasons) if reasons.count(reason) > 3]
    for attr in kind.attrs.values():
        values = tuple(attr.values[t.index] for t in kind.things)
        if attr.type == BOOL and attr is not water_attr and any(values) and len(made.signs) < SIGNS:
            made.signs.append((readable(attr.name), attr.name, tuple(bool(v) for v in values)))
        elif attr.type == INT and any(values) and len(made.badges) < 3:
            made.badges.append((readable(attr.name), attr.name, tuple(int(v or 0) for v in values)))
    made.outlines = _outlines(kind, game)
    if made.outlines and water_attr is None:
        made.water = tuple(outline in _AT_SEA for outline in made.outlines)
    made.ground = _ground(made, names, folder_of)
    return made


def _outlines(kind: m.Kind, game: m.Game) -> tuple[str, ...]:
    """How each space is drawn, where an attribute has values such as `circle` and `square`."""
    for attr in kind.attrs.values():
        plain = attr.type.element if isinstance(attr.type, Maybe) else attr.type
        if isinstance(plain, ThingOf) and game.kinds[plain.kind].is_values:
            names = [thing.name for thing in game.kinds[plain.kind].things]
            if {"circle", "square"} & set(names):
                values = [attr.values[thing.index] for thing in kind.things]
                return tuple(names[v.index] if isinstance(v, m.ThingRef) else "" for v in values)
    return ()


def _ground(of: Map, declared: Sequence[n.MapDecl], folder_of: FolderOf) -> Ground | None:
    """What lies under the spaces, if the map says so; every space on it has a place."""
    lines = {line.what: line for decl in declared for line in decl.drawn}
    if not lines:
        return None
    spaces: dict[int, Point] = {}
    for space in of.spaces:
        found = coordinates(space.at)
        if found is not None and space.index not in of.boxes:
            spaces[space.index] = (found[0], -found[1])
    ident = f"ground-{slug(of.kind.name)}"
    if "picture" in lines:
        line = lines["picture"]
        return Ground.on_picture(ident, read_picture(line, folder_of(line.span.source)), spaces) if spaces else None
    if "coordinates" not in lines or len(spaces) < 2:
        return None
    shapes: dict[int, tuple[Polygon, ...]] = {}
    if "shapes" in lines:
        line = lines["shapes"]
        by_name = read_shapes(line, folder_of(line.span.source), {space.name for space in of.spaces})
        shapes = {s.index: by_name[s.name] for s in of.spaces if s.name in by_name and s.index in spaces}
    boxes = [_Drawn(of, of.spaces[index], Scene("", "")).box for index in spaces]
    return Ground.on_earth(ident, boxes, spaces, shapes)


def _space(thing: m.Thing, kind: m.Kind, game: m.Game) -> Space:
    links: list[tuple[str, tuple[str, ...]]] = []
    for sort, table in kind.links.items():
        ends = sorted(table[thing.index]) if thing.index < len(table) else []
        if ends:
            links.append((readable(sort), tuple(kind.things[i].label for i in ends)))
    return Space(
        thing.index, thing.name, thing.label, f"space-{slug(kind.name)}-{slug(thing.name)}", thing.at,
        tuple(attributes_of(thing, game)), tuple(links), thing.cites, thing.reconstructed, thing.doc,
    )  # fmt: skip


def _colourings(kind: m.Kind, game: m.Game) -> list[Colouring]:
    """The attributes by which spaces fall into a few groups; one that says to whom they belong comes first,
    one that most spaces do not have last."""
    found: list[tuple[int, Colouring]] = []
    for at, attr in enumerate(kind.attrs.values()):
        plain = attr.type.element if isinstance(attr.type, Maybe) else attr.type
        if not isinstance(plain, ThingOf):
            continue
        groups: dict[int, str] = {}
        of_space: list[int] = []
        for thing in kind.things:
            value = attr.values[thing.index]
            if isinstance(value, m.ThingRef):
                of_space.append(value.index)
                groups[value.index] = value_words(value, attr.type, game)
            else:
                of_space.append(-1)
        if not 2 <= len(groups) <= 24:
            continue
        owner = game.kinds[plain.kind]
        rank = 0 if _is_party(owner, game) else 1 if owner.is_values else 2
        rank += 3 if of_space.count(-1) * 2 > len(of_space) else 0  # what few spaces have tells little of a map
        made = Colouring(capital(readable(attr.name)), tuple((groups[i], i) for i in sorted(groups)), tuple(of_space))
        found.append((rank * 100 + at, made))
    return [made for _, made in sorted(found, key=lambda pair: pair[0])]


def _is_party(kind: m.Kind, game: m.Game) -> bool:
    players = game.players
    return players is not None and (
        kind is players or any(isinstance(a.type, ThingOf) and a.type.kind == players.name for a in kind.attrs.values())
    )
