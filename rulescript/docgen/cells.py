"""Outlines for the spaces of a map, made from their places alone: what `rulescript map` writes for the first time.

Each space gets what is nearer to it than to any other of its sort: on a piece of land, the spaces that lie on it share
it; islands without a space go whole to the nearest, if that reaches over most of them; spaces at sea share the sea. No
space reaches much further than to its neighbours, so that an outermost one does not take a continent, and none across
open water to a shore of the land it lies on. The designer then goes on from there with any program that edits GeoJSON.
Needs shapely (`pip install rulescript[map]`); printing does not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulescript.docgen.geography import Point, coasts, mercator
from rulescript.docgen.layout import coordinates
from rulescript.docgen.shapes import Polygon
from rulescript.errors import BadOption

if TYPE_CHECKING:
    from rulescript.docgen.maps import Map

__all__ = ["cells_of"]

# How far a space reaches against the way to its neighbours, and how fine its outline is, in degrees.
REACH = 0.95
FINE = 0.02
# How wide a strait may be inside a space, against its reach, and how much of an island must be within it.
STRAIT = 0.1
MOST = 0.6
# A piece of land that is not worth drawing, against the whole of a space.
SCRAP = 0.01
# Spaces that are drawn as what they are called, and not as areas.
_SIGNS = frozenset({"circle", "square", "box", "sea", "beach", "coast"})


def _shapely() -> Any:
    try:
        import shapely
    except ImportError:
        raise BadOption(
            "making outlines needs shapely, which is not installed", hint="pip install 'rulescript[map]'"
        ) from None
    return shapely


def cells_of(of: Map) -> dict[str, tuple[Polygon, ...]]:
    """An outline for every space that lies on the map; none for boxes beside it and for what is drawn round or with
    corners."""
    shapely = _shapely()
    places: dict[int, Point] = {}
    for space in of.spaces:
        found = coordinates(space.at)
        is_sign = bool(of.outlines) and of.outlines[space.index] in _SIGNS
        if found is not None and space.index not in of.boxes and not is_sign:
            places[space.index] = (found[0], -found[1])
    land = shapely.unary_union([shapely.Polygon(rings[0], rings[1:]).buffer(0) for rings in coasts()])
    out: dict[int, tuple[Polygon, ...]] = {}
    for at_sea in (False, True):
        some = {index: at for index, at in places.items() if of.water[index] is at_sea}
        if some:
            out |= _cells(shapely, some, _neighbours(of, some), land, at_sea)
    return {space.name: out[space.index] for space in of.spaces if space.index in out}


def _neighbours(of: Map, some: Mapping[int, Point]) -> dict[int, list[int]]:
    near: dict[int, list[int]] = {index: [] for index in some}
    for link in of.links:
        if link.a in some and link.b in some:
            near[link.a].append(link.b)
            near[link.b].append(link.a)
    return near


def _cells(
    shapely: Any, places: Mapping[int, Point], near: Mapping[int, Sequence[int]], land: Any, at_sea: bool
) -> dict[int, tuple[Polygon, ...]]:
    flat = {index: mercator(*at) for index, at in places.items()}
    ways = {index: _reach(index, flat, near) for index in flat}
    frame = shapely.box(*_around(flat.values(), max(ways.values(), default=1.0)))
    flat_land = _flat(shapely, land).intersection(frame)
    grounds = [frame.difference(flat_land)] if at_sea else _parts(flat_land)
    points = {index: shapely.Point(*at) for index, at in flat.items()}
    on: dict[int, list[int]] = {at: [] for at in range(len(grounds))}
    for index, point in points.items():
        on[min(on, key=lambda at: float(grounds[at].distance(point)))].append(index)
    found: dict[int, list[Any]] = {index: [] for index in points}
    for at, ground in enumerate(grounds):
        if on[at]:
            for index, cell in zip(on[at], _shares(shapely, [points[i] for i in on[at]], frame), strict=True):
                shape = cell.intersection(ground).intersection(points[index].buffer(ways[index]))
                found[index].append(_together(shapely, shape, points[index], STRAIT * ways[index]))
        else:
            index = min(points, key=lambda i: float(points[i].distance(ground.centroid)))
            reached = ground.intersection(points[index].buffer(ways[index] * 0.8))
            if reached.area >= MOST * ground.area:
                found[index].append(ground)
    out: dict[int, tuple[Polygon, ...]] = {}
    for index, point in points.items():
        shape = shapely.unary_union(found[index])
        if shape.is_empty or shape.area < 0.02 * ways[index] ** 2:
            # An island or a strait too small for our coasts.
            shape = point.buffer(ways[index] * 0.25)
        polygons = _polygons(shapely, shape)
        if polygons:
            out[index] = polygons
    return out


def _together(shapely: Any, shape: Any, point: Any, strait: float) -> Any:
    """The part of a shape around a point, with what lies behind no more than a strait."""
    parts = sorted(_parts(shape), key=lambda part: float(part.distance(point)))
    return shapely.unary_union([part for part in parts if part.distance(parts[0]) <= strait])


def _parts(shape: Any) -> list[Any]:
    return [part for part in getattr(shape, "geoms", [shape]) if part.geom_type == "Polygon" and not part.is_empty]


def _shares(shapely: Any, points: Sequence[Any], frame: Any) -> list[Any]:
    """What of a frame is nearer to each of some points than to the others."""
    if len(points) == 1:
        return [frame]
    made = shapely.voronoi_polygons(shapely.MultiPoint(points), extend_to=frame)
    return [next((cell for cell in made.geoms if cell.covers(point)), frame) for point in points]


def _reach(index: int, flat: Mapping[int, Point], near: Mapping[int, Sequence[int]]) -> float:
    """How far a space reaches: about as far as to its neighbours, in the flat."""
    x, y = flat[index]

    def far(other: int) -> float:
        return float(((flat[other][0] - x) ** 2 + (flat[other][1] - y) ** 2) ** 0.5)

    others = sorted(far(other) for other in flat if other != index)
    if not others:
        return 3.0
    linked = sorted(far(other) for other in near[index]) or others[:2]
    return max(REACH * linked[len(linked) // 2], 0.65 * linked[-1], 0.6 * others[0])


def _around(points: Any, margin: float) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def _flat(shapely: Any, shape: Any) -> Any:
    return shapely.transform(shape, lambda xy: _each(xy, mercator)).buffer(0)


def _each(xy: Any, change: Any) -> Any:
    out = xy.copy()
    for at, (x, y) in enumerate(xy):
        out[at] = change(float(x), float(y))
    return out


def _globe(x: float, y: float) -> Point:
    """The point of the globe that `mercator` puts there."""
    return x, math.degrees(2 * math.atan(math.exp(math.radians(-y))) - math.pi / 2)


def _polygons(shapely: Any, shape: Any) -> tuple[Polygon, ...]:
    globe = shapely.transform(shape, lambda xy: _each(xy, _globe)).simplify(FINE)
    parts = [part for part in _parts(globe) if part.area >= SCRAP * globe.area]
    return tuple(
        tuple(tuple((round(x, 2), round(y, 2)) for x, y in ring.coords[:-1]) for ring in (p.exterior, *p.interiors))
        for p in sorted(parts, key=lambda p: -p.area)
    )
