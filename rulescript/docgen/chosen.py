"""What is chosen for paper: a few examples for the rulebook, and how large their pictures are."""

from __future__ import annotations

import re

from markupsafe import Markup

from rulescript.docgen.book import Book
from rulescript.docgen.plays import Example, Telling

__all__ = ["chosen_examples", "picture_width"]


def chosen_examples(book: Book, most: int = 8) -> list[Example]:
    """Examples for the printed book: of each chapter the one that shows most of its rules with a picture, if any."""
    found: dict[str, Example] = {}
    for example in book.examples:
        if not example.ok or not example.cites or len(example.tellings) != 1:
            continue
        telling = example.tellings[0]
        if not telling.before or not telling.passages:
            continue
        anchor = next((a for c in example.cites for a, _ in book.places.get(c, [])), "")
        page = book.anchors.pages.get(anchor, "")
        if page and (page not in found or _worth(example) > _worth(found[page])):
            found[page] = example
    order = [chapter.page for chapter in book.chapters]
    readable = [p for p in found if p in order and is_readable(found[p].tellings[0])]
    some = readable or [p for p in found if p in order]
    some = sorted(some, key=lambda p: (-len(found[p].cites), order.index(p)))[:most]
    return [found[page] for page in sorted(some, key=order.index)]


def _worth(example: Example) -> tuple[bool, int]:
    return is_readable(example.tellings[0]), len(example.cites)


# What a pixel of a map is on paper, in millimetres: for letters as they should be, and for the smallest one can read.
FULL, SMALL = 0.22, 0.15
# The width of a page within its frames, and how high a picture may be.
WIDE, HIGH = 164, 90
BESIDE = (WIDE - 4) / 2
_SIZE = re.compile(r'viewBox="\S+ \S+ (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)"')


def _millimetres(picture: Markup, room: float) -> tuple[float, float]:
    """How wide a picture is on paper, where there is so much room, and what a pixel of it is then."""
    found = _SIZE.search(picture)
    wide, high = (float(found[1]), float(found[2])) if found else (1.0, 1.0)
    each = min(FULL, room / wide, HIGH / high)
    return wide * each, each


def is_readable(telling: Telling) -> bool:
    """Whether the names in the pictures can be read on paper, before and after beside each other."""
    return _millimetres(telling.before, BESIDE if telling.after else WIDE)[1] >= SMALL


def picture_width(picture: Markup, is_pair: bool) -> str:
    """How wide the picture of an example is on paper: as its letters want it, and two beside each other if they can be
    read there."""
    beside, each = _millimetres(picture, BESIDE)
    alone, _ = _millimetres(picture, WIDE)
    return f"{beside if is_pair and each >= SMALL else alone:.0f}mm"
