"""The rules reference: a game's rules printed as a site, as Markdown, or as data.

>>> from rulescript.docgen import build_site                              # doctest: +SKIP
>>> build_site(rulescript.load("two_rivers"), "site")                     # doctest: +SKIP
"""

from __future__ import annotations

from rulescript.docgen.build import FORMATS, build_site, describe_game

__all__ = ["FORMATS", "build_site", "describe_game"]
