"""A little SVG: elements as text, with everything that comes from a game escaped."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup, escape

from rulescript.docgen.names import clean

__all__ = ["element", "number", "text_width", "wrap"]

# The widths of characters in a usual sans-serif face, in parts of its size: enough to know that a label fits.
_NARROW = frozenset("iljtfrI.,:;'|!()[]{}-–·° ")
_WIDE = frozenset("mwMW%@—…")


def number(value: float) -> str:
    """A coordinate with one decimal at most, so that the same picture is the same text everywhere."""
    said = f"{value:.1f}"
    return said[:-2] if said.endswith(".0") else said


def element(name: str, children: Iterable[Markup | str] | Markup | str = (), **attributes: object) -> Markup:
    """``element("rect", x=1, rx=3, class_="box")``. Children that are plain text are escaped."""
    parts = [f"<{name}"]
    for key, value in attributes.items():
        if value is None:
            continue
        told = number(value) if isinstance(value, float) else _safe(str(value))
        parts.append(f' {_key(key)}="{told}"')
    inside = [children] if isinstance(children, str) else list(children)
    body = "".join([c if isinstance(c, Markup) else _safe(c) for c in inside])
    parts.append(f">{body}</{name}>" if body else "/>")
    return Markup("".join(parts))


# The same few keys, classes and labels make up thousands of elements.
@lru_cache(maxsize=2048)
def _safe(text: str) -> str:
    return str(escape(clean(text)))


@lru_cache(maxsize=256)
def _key(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """About how wide a text is."""
    total = 0.0
    for char in text:
        if char in _NARROW:
            total += 0.34
        elif char in _WIDE:
            total += 0.86
        elif char.isupper() or char.isdigit():
            total += 0.66
        elif ord(char) > 0x2E80:
            total += 1.0
        else:
            total += 0.55
    return total * size


def wrap(text: str, size: float, width: float, most: int = 3) -> list[str]:
    """A text in lines no wider than so much, at most so many; the last may end with dots."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    lines = [_cut(line, size, max(width * 1.6, 60.0)) for line in lines] or [""]
    if len(lines) > most:
        lines = [*lines[: most - 1], _cut(" ".join(lines[most - 1 :]), size, width)]
    return lines


def _cut(line: str, size: float, width: float) -> str:
    if text_width(line, size) <= width:
        return line
    while line and text_width(line + "…", size) > width:
        line = line[:-1]
    return line.rstrip() + "…"
