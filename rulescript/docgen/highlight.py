"""Rules code with its words, texts, numbers and citations marked, for reading; everything is escaped."""

from __future__ import annotations

import re
from functools import lru_cache

from markupsafe import Markup, escape

from rulescript.docgen.names import clean

__all__ = ["highlight"]

# Words of the language; a name that is spelt like one is marked too, which does no harm.
_WORDS = """
rulescript game version builds include rulebook reconstructed values kind pieces has state lasts holds ordered
home text does force hidden known things map link counts players function value predicate require peeks route
from steps step enter through table otherwise if unless changeable procedure closed phase sequence signal aside
during choose may by any of or stop pass up to number as together each sealed else for in repeat while until
times let move place bottom top draw roll shuffle reveal return end wins win tell and not some none every most
least is at mod rounded down then yes no nothing it this chooser int bool set list maybe on adjust add floor cap
restrict extend exception before after when once whenever replace remove amend option scenario needs excludes
invariant always decision check example with given setup empty like but run seed exactly without assume play
dice asks never passing expect outcome outcomes over journal mentions try allowed refused because legal includes
case reword showing
"""
_TOKEN = re.compile(
    r'(?P<string>"(?:\\.|[^"\\\n])*")|(?P<comment>\#[^\n]*)|(?P<cite>§\s?[\w.\-]+|@[\w.\-]+)'
    r"|(?P<number>\b\d+\b)|(?P<name>[^\W\d]\w*)"
)
_KNOWN = frozenset(_WORDS.split())


@lru_cache(maxsize=1024)  # the same code stands on its page and in the book on one page
def highlight(code: str) -> Markup:
    """The code as HTML; classes s (text), c (comment), r (citation), n (number), k (word of the language)."""
    code = clean(code)
    out: list[str] = []
    at = 0
    for found in _TOKEN.finditer(code):
        out.append(str(escape(code[at : found.start()])))
        token = str(escape(found[0]))
        form = found.lastgroup
        if form == "name":
            out.append(f'<span class="k">{token}</span>' if found[0] in _KNOWN else token)
        else:
            mark = {"string": "s", "comment": "c", "cite": "r", "number": "n"}[str(form)]
            out.append(f'<span class="{mark}">{token}</span>')
        at = found.end()
    out.append(str(escape(code[at:])))
    return Markup("".join(out))
