"""Maps with a ground: land and sea, outlines, pictures; and what is told when a file for them is broken."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

import rulescript
from rulescript.docgen import build_site
from rulescript.docgen.geography import Projection, coasts
from rulescript.docgen.layout import Box, fit
from rulescript.docgen.maps import Map, Scene, maps_of
from rulescript.docgen.subject import Subject
from rulescript.errors import BadOption
from tests.docgen.conftest import subject

GAME = """\
rulescript 1
game "Isles"
values Side: North, South
players Side
values Shape: plain, circle
kind Region: shape: Shape = plain
state active: Side
map Isles
    link road
{drawn}
    Region Kerry    at 52.1N 9.5W
    Region Leinster at 53.0N 6.9W
    Region Wales    at 52.4N 3.7W
    Region Kent     at 51.2N 0.7E
    Region Rock     circle, at 49.9N 6.3W
    box Region Camp
    road Kerry - Leinster - Wales - Kent - Rock
phase play "Play"
    choose go: r in Region "Go to {{r}}"
        tell "gone"
sequence
    play
    end game, draw
"""
SQUARE = [[-10.0, 51.0], [-8.0, 51.0], [-8.0, 53.0], [-10.0, 53.0], [-10.0, 51.0]]


def feature(space: object, ring: object = SQUARE, sort: str = "Polygon") -> dict[str, object]:
    return {"type": "Feature", "properties": {"space": space}, "geometry": {"type": sort, "coordinates": [ring]}}


def collection(*features: object) -> str:
    return json.dumps({"type": "FeatureCollection", "features": list(features)})


def written(folder: Path, *lines: str, shapes: str | bytes | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "game.rules").write_text(GAME.format(drawn="\n".join(f"    {line}" for line in lines)))
    if shapes is not None:
        data = shapes if isinstance(shapes, bytes) else shapes.encode()
        (folder / "map.geojson").write_bytes(data)
    return folder


def drawn(folder: Path) -> Map:
    subject = Subject.of(rulescript.load(folder))
    return maps_of(subject.model, subject.folder_of)[0]


def png(width: int, height: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + b"\x80\x90\xa0" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def test_a_map_that_says_nothing_has_no_ground(tmp_path: Path) -> None:
    assert drawn(written(tmp_path / "g")).ground is None


def test_spaces_lie_on_their_land(tmp_path: Path) -> None:
    """A space stands where its place on the globe is drawn: west of what lies east of it, and so on for all pairs."""
    of = drawn(written(tmp_path / "g", "coordinates real"))
    assert of.ground is not None and of.ground.land.startswith("M")
    places = {of.spaces[index].name: at for index, at in of.ground.places.items()}
    assert "Camp" not in places
    assert places["Kerry"][0] < places["Leinster"][0] < places["Wales"][0] < places["Kent"][0]
    assert places["Leinster"][1] < places["Wales"][1] < places["Kerry"][1] < places["Kent"][1] < places["Rock"][1]


def test_a_projection_never_turns_back() -> None:
    to = Projection([(2.3, 48.9), (2.4, 48.9), (13.4, 52.5), (-77.0, 38.9), (37.6, 55.8)])
    to.scale = 1000
    across = [to(lon / 2, 50.0)[0] for lon in range(-200, 120)]
    down = [to(0.0, lat / 2)[1] for lat in range(20, 140)]
    assert all(a < b for a, b in zip(across, across[1:], strict=False))
    assert all(a > b for a, b in zip(down, down[1:], strict=False))


def test_coasts_are_closed_and_on_the_globe() -> None:
    rings = [ring for polygon in coasts() for ring in polygon]
    assert len(rings) > 100
    assert all(len(ring) > 2 and abs(x) <= 181 and abs(y) <= 91 for ring in rings for x, y in ring)
    # No coast goes straight around the globe, as it would where a land beyond the date line is joined the wrong way.
    sides = [(a, b) for ring in rings for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)]
    assert all(abs(a[0] - b[0]) < 30 for a, b in sides if max(abs(a[1]), abs(b[1])) < 84)


def test_what_is_fitted_does_not_overlap() -> None:
    boxes = [Box(60, 30) for _ in range(40)]
    homes = [(float(i % 8) / 8, float(i // 8) / 5) for i in range(40)]
    scale, places = fit(boxes, homes)
    assert scale > 0
    for i, (ax, ay) in enumerate(places):
        for bx, by in places[i + 1 :]:
            assert abs(ax - bx) >= 59.9 or abs(ay - by) >= 29.9


def test_outlines_are_drawn_and_coloured(tmp_path: Path) -> None:
    of = drawn(written(tmp_path / "g", "coordinates real", 'shapes "map.geojson"', shapes=collection(feature("Kerry"))))
    assert of.ground is not None
    picture = of.draw(Scene("Map", "m"))
    at = next(space.index for space in of.spaces if space.name == "Kerry")
    assert f'href="#{of.ground.ident}-{at}"' in picture and f'id="{of.ground.ident}-{at}"' in of.ground.definitions()
    assert "<ellipse" in picture  # Rock is round, and stands where no outline is
    part = of.draw(Scene("Part", "p"), only=[1, 2])
    assert 'class="area dim"' in part


def test_a_line_to_a_box_beside_the_map_is_faint(tmp_path: Path) -> None:
    folder = written(tmp_path / "g", "coordinates real")
    game = folder / "game.rules"
    game.write_text(game.read_text().replace("Kent - Rock", "Kent - Rock - Camp"))
    assert drawn(folder).draw(Scene("Map", "m")).count('class="link l0 away"') == 1


def test_an_outline_at_sea_is_water_whether_it_is_shown_or_lies_beside(tmp_path: Path) -> None:
    folder = written(tmp_path / "g", "coordinates real", 'shapes "map.geojson"', shapes=collection(feature("Kerry")))
    game = folder / "game.rules"
    text = game.read_text().replace("values Shape: plain, circle", "values Shape: plain, circle, sea")
    game.write_text(text.replace("Region Kerry    at", "Region Kerry    sea, at"))
    of = drawn(folder)
    assert re.search(r'class="box area \w+ water"', of.draw(Scene("Map", "m")))
    assert 'class="area dim water"' in of.draw(Scene("Part", "p"), only=[1, 2])


def test_the_ground_is_on_a_page_once_and_the_bytes_are_the_same(tmp_path: Path) -> None:
    folder = written(tmp_path / "g", "coordinates real", 'shapes "map.geojson"', shapes=collection(feature("Kerry")))
    game = rulescript.load(folder)
    build_site(game, tmp_path / "a", games=1)
    build_site(game, tmp_path / "b", games=1)
    page = (tmp_path / "a" / "map.html").read_text()
    assert page.count('id="ground-region"') == 1 and page.count('href="#ground-region"') >= 1
    assert 'id="ground-region"' not in (tmp_path / "a" / "index.html").read_text()
    assert page == (tmp_path / "b" / "map.html").read_text()


def test_a_picture_lies_under_the_spaces(tmp_path: Path) -> None:
    folder = written(tmp_path / "g", 'picture "board.png" from 54N 10W to 50N 2E')
    (folder / "board.png").write_bytes(png(120, 80))
    of = drawn(folder)
    assert of.ground is not None and (of.ground.width, of.ground.height) == (120, 80)
    x, y = of.ground.places[2]  # Wales
    assert x == pytest.approx((-3.7 + 10) / 12 * 120) and y == pytest.approx((54 - 52.4) / 4 * 80)
    assert re.search(r'<image [^>]*href="data:image/png;base64,', of.ground.definitions())


# A part, scales, the size, codes, the head of a scan, some pixels (a mark that stands for a value, and one within
# them), the end.
JPEG = (
    b"\xff\xd8\xff\xe0\x00\x04ab\xff\xdb\x00\x43\x00" + b"\x10" * 64
    + b"\xff\xc0\x00\x0b\x08\x00\x30\x00\x50\x01\x01\x11\x00"
    + b"\xff\xc4\x00\x15\x00\x02" + b"\0" * 15 + b"\x07\x08"
    + b"\xff\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" + b"pixels\xff\x00of\xff\xd0it" + b"\xff\xd9and more"
)  # fmt: skip


def test_a_jpeg_has_its_size(tmp_path: Path) -> None:
    folder = written(tmp_path / "g", 'picture "board.jpg" from 54N 10W to 50N 2E')
    (folder / "board.jpg").write_bytes(JPEG)
    of = drawn(folder)
    assert of.ground is not None and (of.ground.width, of.ground.height) == (80, 48)


BROKEN = {
    "missing": (None, "there is no file"),
    "not utf-8": (b"\xff\xfe\x00", "UTF-8"),
    "not json": ("{", "is not JSON"),
    "too deep": ("[" * 100_000, "is not JSON"),
    "a list": ("[]", "FeatureCollection"),
    "no properties": (collection({"type": "Feature"}), "feature 1 has no properties"),
    "no space": (collection({"type": "Feature", "properties": {"name": "Mill"}}), "does not say which space it is"),
    "an unknown space": (collection(feature("<script>")), "there is none of that name"),
    "no text": (collection(feature(3)), "there is none of that name"),
    "twice": (collection(feature("Kerry"), feature("Kerry")), "two features"),
    "a line": (collection(feature("Kerry", SQUARE, "LineString")), "not a Polygon"),
    "few points": (collection(feature("Kerry", SQUARE[:2])), "fewer than four"),
    "texts": (collection(feature("Kerry", [["a", "b"]] * 5)), "not two numbers"),
    "four hundred digits": (collection(feature("Kerry", SQUARE)).replace("51.0", "9" * 400), "not two numbers"),
    "not finite": (collection(feature("Kerry", SQUARE)).replace("51.0", "NaN"), "not two numbers"),
    "nothing enclosed": (collection(feature("Kerry", [[1, 2], [1, 3], [1, 4], [1, 2]])), "encloses nothing"),
    "off the globe": (collection(feature("Kerry", [[1, 900]] * 5)), "not on the globe"),
    "too many": (collection(feature("Kerry", [[1, 2]] * 200_010)), "more than 200,000 points"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_shapes_file_is_told_with_its_place(tmp_path: Path, what: str) -> None:
    shapes, told = BROKEN[what]
    folder = written(tmp_path / "g", "coordinates real", 'shapes "map.geojson"', shapes=shapes)
    with pytest.raises(BadOption, match=told) as caught:
        build_site(rulescript.load(folder), tmp_path / "site", games=0)
    assert "game.rules:11:" in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"<svg onload=alert(1)>", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xff"])
def test_what_is_no_picture_is_refused(tmp_path: Path, data: bytes) -> None:
    folder = written(tmp_path / "g", 'picture "board.png" from 54N 10W to 50N 2E')
    (folder / "board.png").write_bytes(data)
    with pytest.raises(BadOption, match="neither a PNG nor a JPEG"):
        drawn(folder)


def test_a_picture_that_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path / "g", 'picture "board.png" from 54N 10W to 50N 2E')
    small = png(4, 4)
    head = small[12:16] + (2**31 - 1).to_bytes(4, "big") * 2 + small[24:29]
    (folder / "board.png").write_bytes(small[:12] + head + zlib.crc32(head).to_bytes(4, "big") + small[33:])
    with pytest.raises(BadOption, match="more than 80 million pixels"):
        drawn(folder)


def repacked(data: bytes, pixels: Callable[[bytes], bytes]) -> bytes:
    """A PNG with other pixels, the sums of its parts as they should be."""
    begin = data.index(b"IDAT")
    size = int.from_bytes(data[begin - 4 : begin], "big")
    part = b"IDAT" + pixels(data[begin + 4 : begin + 4 + size])
    part = struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part))
    return data[: begin - 4] + part + data[begin + 8 + size :]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[:-20],
    "overwritten": lambda data: data[:40] + b"garbage" + data[47:],
    "only the head": lambda data: data[:33],
    "no packed pixels": lambda data: repacked(data, lambda _: b"nothing of the sort"),
    "half of the pixels": lambda data: repacked(data, lambda p: p[: len(p) // 2]),
    "too few rows": lambda data: repacked(data, lambda p: zlib.compress(zlib.decompress(p)[:-10])),
    "too many rows": lambda data: repacked(data, lambda p: zlib.compress(zlib.decompress(p) * 2)),
    "no pixels": lambda data: repacked(data, lambda _: b""),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_picture_is_refused(tmp_path: Path, what: str) -> None:
    """It would be an empty ground: a browser says nothing about it."""
    folder = written(tmp_path / "g", 'picture "board.png" from 54N 10W to 50N 2E')
    (folder / "board.png").write_bytes(DAMAGE[what](png(120, 80)))
    with pytest.raises(BadOption, match="is damaged, or ends too early"):
        drawn(folder)


@pytest.mark.parametrize(
    "data",
    [
        JPEG[: JPEG.index(b"\xff\xd9")], JPEG[: JPEG.index(b"pixels")], JPEG[: JPEG.index(b"\xff\xda")] + b"\xff\xd9",
        JPEG.replace(b"pixels", b"pix\xff\x05ls"), JPEG.replace(b"\xff\xff\xda", b"garbage"),
        JPEG.replace(b"\xda\x00\x08", b"\xda\x00\x00"),
        # A part that cannot be what it says, and parts without which nothing is seen.
        JPEG.replace(b"\xc0\x00\x0b\x08", b"\xc0\x00\x0b\x07"),
        JPEG.replace(b"\x01\x01\x11\x00", b"\x02\x01\x11\x00"),
        JPEG.replace(b"\x00\x30\x00\x50", b"\x00\x30\x00\x00"), JPEG.replace(b"\x08\x01\x01\x00", b"\x08\x03\x01\x00"),
        JPEG.replace(b"\x15\x00\x02", b"\x15\x00\x03"), JPEG.replace(b"\x15\x00\x02\0", b"\x15\x00\x02\x05"),
        JPEG.replace(b"\xff\xdb\x00\x43\x00", b"\xff\xdb\x00\x43\x10"),
        JPEG.replace(b"\xff\xdb\x00\x43", b"\xff\xe1\x00\x43"),
    ],
)  # fmt: skip
def test_a_damaged_jpeg_is_refused(tmp_path: Path, data: bytes) -> None:
    folder = written(tmp_path / "g", 'picture "board.jpg" from 54N 10W to 50N 2E')
    (folder / "board.jpg").write_bytes(data)
    with pytest.raises(BadOption, match="is damaged, or ends too early"):
        drawn(folder)


def test_a_shapes_file_may_begin_with_a_mark_of_its_writing(tmp_path: Path) -> None:
    shapes = b"\xef\xbb\xbf" + collection(feature("Kerry")).encode()
    of = drawn(written(tmp_path / "g", "coordinates real", 'shapes "map.geojson"', shapes=shapes))
    assert of.ground is not None and any(of.ground.has_area(space.index) for space in of.spaces)


def test_nothing_outside_the_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret.geojson").write_text(collection(feature("Kerry")))
    folder = written(tmp_path / "g", "coordinates real", 'shapes "map.geojson"')
    (folder / "map.geojson").symlink_to(tmp_path / "secret.geojson")
    with pytest.raises(BadOption, match="leads out of the game's folder"):
        drawn(folder)


def test_the_rules_do_not_depend_on_how_a_map_is_drawn(tmp_path: Path) -> None:
    plain = rulescript.load(written(tmp_path / "a"))
    with_lines = rulescript.load(written(tmp_path / "a", "coordinates real"))
    assert plain.rules_hash == with_lines.rules_hash


def test_outlines_can_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each space lies in its own outline, and no outline reaches over another."""
    shapely = pytest.importorskip("shapely")
    from rulescript.cli.main import main

    folder = written(tmp_path / "g", "coordinates real", 'shapes "map.geojson"')
    assert main(["map", str(folder)]) == 0
    assert "4 regions" in capsys.readouterr().out
    read = json.loads((folder / "map.geojson").read_text())
    cells = {f["properties"]["space"]: shapely.geometry.shape(f["geometry"]) for f in read["features"]}
    assert set(cells) == {"Kerry", "Leinster", "Wales", "Kent"}
    assert cells["Kerry"].covers(shapely.Point(-9.5, 52.1)) and not cells["Kent"].intersects(
        cells["Wales"].buffer(-0.05)
    )
    assert drawn(folder).ground is not None
    assert main(["map", str(folder)]) == 2, "a file that is there is not written over"


def test_outlines_need_real_coordinates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from rulescript.cli.main import main

    assert main(["map", str(written(tmp_path / "g"))]) == 2
    assert "coordinates real" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["attrition_of_souls", "imperial_tide", "quartermaster_general_1914"])
def test_the_games_have_outlines_for_the_spaces_they_show(name: str) -> None:
    made = subject(name)
    of = maps_of(made.model, made.folder_of)[0]
    assert of.ground is not None and sum(of.ground.has_area(i) for i in of.ground.places) > 0.5 * len(of.ground.places)


def test_an_outline_does_not_reach_across_open_water() -> None:
    """A shore beyond a strait belongs to it, one beyond a sea does not, though both are nearest to it."""
    shapely = pytest.importorskip("shapely")
    from rulescript.docgen.cells import _together

    home, near, far = shapely.box(0, 0, 4, 4), shapely.box(4.2, 0, 5, 4), shapely.box(7, 0, 9, 4)
    kept = _together(shapely, shapely.unary_union([home, near, far]), shapely.Point(2, 2), 0.4)
    assert kept.equals(shapely.unary_union([home, near]))
