"""What lies under the spaces of a map: land and sea, outlines, or a picture; and where each space stands on it.

A `Ground` is made once for each map. Its size is chosen so that the names of all spaces fit where they belong; a set-up
or an example, which has more to show in a space or shows only a part of the map, draws the same ground larger or
smaller. Land and outlines are drawn once on a page (`definitions`), and every picture on it refers to them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import define
from markupsafe import Markup

from rulescript.docgen.geography import Point, Projection, coasts, path_of
from rulescript.docgen.layout import Box, fit
from rulescript.docgen.shapes import Picture, Polygon
from rulescript.docgen.svg import element

__all__ = ["Ground"]

EDGE = 46.0
# How far beyond the outermost space the ground goes on.
FURTHER = 70.0


@define
class Ground:
    """The ground of one map: where spaces stand on it at its own size, what is drawn, and how large it is."""

    ident: str
    places: dict[int, Point]
    width: float
    height: float
    land: str
    areas: dict[int, str]
    picture: Picture | None = None

    @classmethod
    def on_earth(
        cls, ident: str, boxes: Sequence[Box], spaces: Mapping[int, Point], shapes: Mapping[int, Sequence[Polygon]]
    ) -> Ground:
        """Real coordinates: `spaces` are their places (east, north), `boxes` how much room the name of each needs."""
        to = Projection(list(spaces.values()))
        homes = [to(*at) for at in spaces.values()]
        to.scale = fit(boxes, homes)[0]
        homes = [to(*at) for at in spaces.values()]
        for box, (x, y) in zip(boxes, homes, strict=True):
            box.x, box.y = x, y
        to.left, to.top = min(b.left for b in boxes) - FURTHER, min(b.top for b in boxes) - FURTHER
        width = max(b.right for b in boxes) + FURTHER - to.left
        height = max(b.bottom for b in boxes) + FURTHER - to.top
        frame = (-2.0, -2.0, width + 2, height + 2)
        return cls(
            ident, {index: to(*at) for index, at in spaces.items()}, round(width), round(height),
            path_of(coasts(), to, frame), {index: path_of(polygons, to, frame) for index, polygons in shapes.items()},
        )  # fmt: skip

    @classmethod
    def on_picture(cls, ident: str, picture: Picture, spaces: Mapping[int, Point]) -> Ground:
        """A picture whose corners are known: everything between them lies in proportion."""
        (left, top), (right, bottom) = picture.first, picture.last

        def at(east: float, north: float) -> Point:
            return (
                (east - left) / (right - left) * picture.width,
                (north - top) / (bottom - top) * picture.height,
            )

        places = {index: at(*place) for index, place in spaces.items()}
        return cls(ident, places, picture.width, picture.height, "", {}, picture)

    # -------------------------------------------------------------- drawing

    def definitions(self) -> Markup:
        """What all pictures of the map on a page share; it shows nothing by itself."""
        parts: list[Markup] = []
        if self.picture is not None:
            parts.append(
                element(
                    "image", id=self.ident, href=self.picture.address, width=float(self.width),
                    height=float(self.height),
                )
            )  # fmt: skip
        else:
            sea = element("rect", width=float(self.width), height=float(self.height), class_="ground-sea")
            land = element("path", d=self.land, class_="ground-land")
            parts.append(element("g", [sea, land], id=self.ident))
        for index, path in self.areas.items():
            if path:
                parts.append(element("path", d=path, id=f"{self.ident}-{index}", fill_rule="evenodd"))
        return element(
            "svg", element("defs", parts), class_="map defs", width=0, height=0, aria_hidden="true", focusable="false",
            xmlns="http://www.w3.org/2000/svg",
        )  # fmt: skip

    def has_area(self, index: int) -> bool:
        return bool(self.areas.get(index))

    def drawn(self, scale: float) -> Markup:
        """The ground itself, so many times its own size."""
        return element("use", href=f"#{self.ident}", transform=_scaled(scale), class_="ground")

    def area(self, index: int, scale: float, classes: str) -> Markup:
        """The outline of a space, filled as its classes say."""
        return element("use", href=f"#{self.ident}-{index}", transform=_scaled(scale), class_=classes)

    def borders(self, scale: float, classes: str = "area dim") -> Callable[[int], Markup]:
        """The outline of a space that only has its border, by its number: most of a picture of a few spaces."""
        before, _, after = self.area(0, scale, classes).partition(f"#{self.ident}-0")
        return lambda index: Markup(f"{before}#{self.ident}-{index}{after}")

    # -------------------------------------------------------------- where things stand

    def place(self, boxes: Sequence[Box], indexes: Sequence[int]) -> float:
        """Give boxes their places around those of their spaces, none on another; how many times its own size the
        ground then has."""
        homes = [self.places[index] for index in indexes]
        scale, places = fit(boxes, homes)
        least = 0.45 if self.picture is None else 1.0
        if not least <= scale <= 2.6:
            scale, places = fit(boxes, homes, at=min(max(scale, least), 2.6))
        for box, (x, y) in zip(boxes, places, strict=True):
            box.x, box.y = x, y
        return scale

    def view(
        self, boxes: Iterable[Box], indexes: Iterable[int], scale: float, is_whole: bool
    ) -> tuple[float, float, float, float]:
        """The part of the ground that a picture shows: left, top, width, height."""
        boxes = list(boxes)
        width, height = self.width * scale, self.height * scale
        left, right = (0.0, width) if is_whole else (width, 0.0)
        top, bottom = (0.0, height) if is_whole else (height, 0.0)
        for x, y in () if is_whole else [self.places[index] for index in indexes]:
            left, right = min(left, max(0.0, x * scale - EDGE)), max(right, min(width, x * scale + EDGE))
            top, bottom = min(top, max(0.0, y * scale - EDGE)), max(bottom, min(height, y * scale + EDGE))
        left, right = min(left, *(b.left - 6 for b in boxes)), max(right, *(b.right + 6 for b in boxes))
        top, bottom = min(top, *(b.top - 6 for b in boxes)), max(bottom, *(b.bottom + 6 for b in boxes))
        return math.floor(left), math.floor(top), math.ceil(right - left), math.ceil(bottom - top)


def _scaled(scale: float) -> str | None:
    return None if abs(scale - 1) < 1e-9 else f"scale({scale:.4g})"
