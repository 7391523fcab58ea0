"""Outlines of spaces, and pictures to lay under a map: files beside a game's rules, which nobody need trust.

A shapes file is GeoJSON: a `FeatureCollection` whose features have a `Polygon` or `MultiPolygon` in degrees and a
property `space`, the name of the space it is the outline of. A picture is a PNG or a JPEG. Whatever is wrong with one
is a `BadOption` that says where.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from attrs import frozen

from rulescript import nodes as n
from rulescript.docgen.geography import Point, Ring
from rulescript.docgen.layout import coordinates
from rulescript.errors import BadOption
from rulescript.loader import read_beside

__all__ = ["Picture", "Polygon", "read_picture", "read_shapes", "shapes_as_text"]

Polygon = tuple[Ring, ...]
PNG = b"\x89PNG\r\n\x1a\n"
MOST_BYTES = 8_000_000
MOST_POINTS = 200_000
MOST_PIXELS = 80_000_000  # what a browser would have to unpack; a board at 300 dots an inch has 40 million


@frozen
class Picture:
    """A picture under a map: its bytes as an address, its size, and the places of two of its corners (east, north)."""

    address: str
    width: int
    height: int
    first: Point
    last: Point


def _refuse(line: n.DrawnLine, what: str, hint: str | None = None) -> BadOption:
    source = line.span.source
    number = source.text.count("\n", 0, line.span.start) + 1
    return BadOption(f"{source.name}:{number}: {what}", hint=hint)


def _bytes(line: n.DrawnLine, folder: Path | None) -> bytes:
    if folder is None:
        raise _refuse(line, f"`{line.file}` cannot be found: this game comes from a text, not from a folder")
    data = read_beside(folder, line.file, MOST_BYTES)
    if isinstance(data, str):
        hint = "`rulescript map GAME` makes one from the coordinates" if line.what == "shapes" else None
        raise _refuse(line, data, hint)
    return data


# ------------------------------------------------------------------ outlines


def read_shapes(line: n.DrawnLine, folder: Path | None, spaces: Set[str]) -> dict[str, tuple[Polygon, ...]]:
    """The outlines of spaces by their names."""
    data = _bytes(line, folder)

    def bad(what: str) -> BadOption:
        return _refuse(line, f"`{line.file}`: {what}")

    try:
        read = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise bad("is not written in UTF-8") from None
    except (ValueError, RecursionError) as problem:
        told = str(problem) if isinstance(problem, ValueError) else "it is nested too deeply"
        raise bad(f"is not JSON: {told.partition(';')[0][:120]}") from None
    if not isinstance(read, dict) or read.get("type") != "FeatureCollection" or not _is_list(read.get("features")):
        raise bad("is no GeoJSON `FeatureCollection`")
    found: dict[str, tuple[Polygon, ...]] = {}
    left = MOST_POINTS
    for at, feature in enumerate(read["features"], 1):
        if not isinstance(feature, dict) or not isinstance(feature.get("properties"), dict):
            raise bad(f"feature {at} has no properties")
        name = feature["properties"].get("space")
        if name is None:
            raise bad(f"feature {at} does not say which space it is: its properties have no `space`")
        if not isinstance(name, str) or name not in spaces:
            raise bad(f"feature {at} is of the space {str(name)[:60]!r}, and there is none of that name")
        if name in found:
            raise bad(f"the space {name} has two features; one with a MultiPolygon would do")
        polygons = _polygons(feature.get("geometry"))
        if isinstance(polygons, str):
            raise bad(f"the space {name}: {polygons}")
        left -= sum(len(ring) for polygon in polygons for ring in polygon)
        if left < 0:
            raise bad(f"has more than {MOST_POINTS:,} points")
        for ring in (ring for polygon in polygons for ring in polygon):
            if any(len(set(numbers)) == 1 for numbers in zip(*ring, strict=True)):
                raise bad(f"the space {name}: an outline encloses nothing, at {ring[0][0]:g}, {ring[0][1]:g}")
        found[name] = polygons
    return found


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _polygons(geometry: Any) -> tuple[Polygon, ...] | str:
    """The polygons of a geometry, or what is wrong with it."""
    if not isinstance(geometry, dict):
        return "it has no geometry"
    parts = geometry.get("coordinates")
    match geometry.get("type"):
        case "Polygon":
            parts = [parts]
        case "MultiPolygon":
            pass
        case other:
            return f"its geometry is a {str(other)[:40]!r}, not a Polygon or MultiPolygon"
    if not _is_list(parts) or not parts:
        return "it has no polygon"
    made: list[Polygon] = []
    for polygon in parts:
        if not _is_list(polygon) or not polygon:
            return "a polygon has no outline"
        rings = [_ring(ring) for ring in polygon]
        for ring in rings:
            if isinstance(ring, str):
                return ring
        made.append(tuple(ring for ring in rings if not isinstance(ring, str)))
    return tuple(made)


def _ring(ring: Any) -> Ring | str:
    if not _is_list(ring) or len(ring) < 4:
        return "an outline has fewer than four points"
    points: list[Point] = []
    for point in ring:
        if not _is_list(point) or len(point) < 2 or not all(_is_number(v) for v in point[:2]):
            return "a point is not two numbers"
        lon, lat = float(point[0]), float(point[1])
        if not (abs(lon) <= 360 and abs(lat) <= 90):
            return f"the point {lon:g}, {lat:g} is not on the globe (degrees east, then north)"
        points.append((lon, lat))
    if points[0] == points[-1]:
        points.pop()
    return tuple(points)


def _is_number(value: Any) -> bool:
    # A whole number may have more digits than a number with a point can hold.
    return isinstance(value, int | float) and not isinstance(value, bool) and -1e300 < value < 1e300


def shapes_as_text(shapes: Mapping[str, Sequence[Polygon]]) -> str:
    """A shapes file: a line for each space, so that a change of one shows as one."""
    lines: list[str] = []
    for name, polygons in shapes.items():
        rings = [[[*map(list, ring), list(ring[0])] for ring in polygon] for polygon in polygons]
        geometry: dict[str, Any] = {"type": "MultiPolygon", "coordinates": rings}
        if len(rings) == 1:
            geometry = {"type": "Polygon", "coordinates": rings[0]}
        feature = {"type": "Feature", "properties": {"space": name}, "geometry": geometry}
        lines.append(json.dumps(feature, separators=(",", ":"), ensure_ascii=False))
    return '{"type":"FeatureCollection","features":[\n' + ",\n".join(lines) + "\n]}\n"


# ------------------------------------------------------------------ pictures


def read_picture(line: n.DrawnLine, folder: Path | None) -> Picture:
    """A picture with its size and corners."""
    data = _bytes(line, folder)
    size = _png_size(data) or _jpeg_size(data)
    if size is None:
        raise _refuse(line, f"`{line.file}` is neither a PNG nor a JPEG")
    if size[0] * size[1] > MOST_PIXELS:
        raise _refuse(line, f"`{line.file}` has more than {MOST_PIXELS // 1_000_000} million pixels")
    sort, is_whole = ("png", _is_whole_png) if data.startswith(PNG) else ("jpeg", _is_whole_jpeg)
    if not is_whole(data):
        raise _refuse(line, f"`{line.file}` is damaged, or ends too early")
    first, last = coordinates(" ".join(line.corners[:2])), coordinates(" ".join(line.corners[2:]))
    if not all(size) or first is None or last is None or first[0] == last[0] or first[1] == last[1]:
        raise _refuse(line, f"`{line.file}` has no size, or its corners lie on one line", "from 60N 10W to 35N 45E")
    address = f"data:image/{sort};base64,{base64.b64encode(data).decode('ascii')}"
    return Picture(address, size[0], size[1], (first[0], -first[1]), (last[0], -last[1]))


# Of each sort of PNG, by its number: how many values a pixel has, and of how many bits they may be.
_PNG_SORTS = {0: (1, (1, 2, 4, 8, 16)), 2: (3, (8, 16)), 3: (1, (1, 2, 4, 8)), 4: (2, (8, 16)), 6: (4, (8, 16))}
# The seven parts of a PNG that comes into view bit by bit: where each begins, and how far apart its pixels are.
_PNG_PARTS = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def _is_whole_png(data: bytes) -> bool:
    """Whether every part of a PNG is as its sum says, up to the one that ends it, and its pixels are all there."""
    at = len(PNG)
    packed: list[bytes] = []
    while at + 12 <= len(data):
        end = at + 8 + int.from_bytes(data[at : at + 4], "big")
        if zlib.crc32(data[at + 4 : end]) != int.from_bytes(data[end : end + 4], "big"):
            return False
        name = data[at + 4 : at + 8]
        if name == b"IEND":
            return _unpacks(b"".join(packed), data)
        if name == b"IDAT":
            packed.append(data[at + 8 : end])
        at = end + 4
    return False


def _unpacks(packed: bytes, data: bytes) -> bool:
    """Whether the pixels of a PNG unpack to exactly as much as its head says."""
    bits, sort, parted = data[24], data[25], data[28]
    values, allowed = _PNG_SORTS.get(sort, (0, ()))
    if bits not in allowed:
        return False
    wide, high = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    needed = 0
    for left, top, across, down in _PNG_PARTS if parted else ((0, 0, 1, 1),):
        columns, rows = -(-(wide - left) // across), -(-(high - top) // down)
        needed += rows * (1 + (columns * values * bits + 7) // 8) if columns > 0 and rows > 0 else 0
    unpacker, found = zlib.decompressobj(), 0
    try:
        while not unpacker.eof and found <= needed:
            some = unpacker.decompress(packed, 1 << 20)
            found, packed = found + len(some), unpacker.unconsumed_tail
            if not some and not packed:
                break
    except zlib.error:
        return False
    return unpacker.eof and found == needed


def _is_whole_jpeg(data: bytes) -> bool:
    """Whether one part of a JPEG follows the other from its size to its pixels and its end, and each has the shape of
    its sort. What lies between two parts is pixels, which only follow the head of a scan. The pixels themselves are not
    read: almost any bytes are pixels of some picture, and it would take longer than all the rest."""
    at, has_scan, seen = 2, False, {0}
    while at + 2 <= len(data):
        mark = data[at + 1]
        if data[at] != 0xFF or 0x02 <= mark < 0xC0:
            return False
        if mark == 0xD9:
            return has_scan
        if mark == 0xFF:  # parts may be filled up
            at += 1
            continue
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if length < 2 or not _is_sound(mark, data[at + 4 : at + 2 + length]):
            return False
        at += 2 + length
        seen.add(0xC0 if mark in _FRAMES else mark)
        if mark == 0xDA and not seen >= {0xC0, 0xDB}:  # without size or scales there is nothing to see
            return False
        if mark == 0xDA:
            has_scan = True
            found = _JPEG_MARK.search(data, at)
            at = found.start() if found else len(data)
    return False


def _is_sound(mark: int, part: bytes) -> bool:
    """Whether a part of a JPEG can be what it says: a size, scales, codes, or the head of a scan."""
    if mark in _FRAMES:
        is_whole = len(part) > 6 and len(part) == 6 + 3 * part[5]
        return is_whole and part[0] in (8, 12) and any(part[1:3]) and any(part[3:5]) and 0 < part[5] <= 4
    if mark == 0xDA:
        return len(part) >= 4 and 0 < part[0] <= 4 and len(part) == 4 + 2 * part[0]
    if mark not in (0xC4, 0xDB):
        return True
    at = 0
    while at < len(part):
        high, low = part[at] >> 4, part[at] & 15
        if high > 1 or low > 3:
            return False
        counts = part[at + 1 : at + 17]
        # So many codes of 1 bit, of 2 bits, and so on; each takes its share of all there can be.
        if mark == 0xC4 and sum(count << (16 - bits) for bits, count in enumerate(counts, 1)) > 1 << 16:
            return False
        at += 17 + sum(counts) if mark == 0xC4 else 65 + 64 * high
    return at == len(part) > 0


# The parts that say how large the picture is.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
# What ends the pixels of a scan: a mark that is not one of those within them.
_JPEG_MARK = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)


def _png_size(data: bytes) -> tuple[int, int] | None:
    if not data.startswith(PNG) or data[12:16] != b"IHDR" or len(data) < 33:
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height from the first frame header among the segments of a JPEG."""
    if not data.startswith(b"\xff\xd8\xff"):
        return None
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        mark, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if mark in _FRAMES:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + length
    return None
