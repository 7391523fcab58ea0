"""``rulescript map``: outlines for the spaces of a game's map, to begin from."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen

__all__ = ["add_arguments", "run"]

TITLE = "make outlines for the areas of a map"

ABOUT = """\
Make the outlines of the areas of a map whose coordinates are real: around each space what is nearer to it than to
any other, cut off at the coast. The file is GeoJSON, to be changed with any program that knows it; the map says
`coordinates real` and `shapes "map.geojson"`, and `rulescript docs` draws it."""

EXAMPLES = """\
examples:
  rulescript map my_game                    writes map.geojson into the game's folder
  rulescript map my_game -o areas.geojson   somewhere else
  rulescript map my_game --force            in place of the one that is there"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--kind", metavar="NAME", help="the spaces of this kind, if the game has several maps")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write (default: what the map says)")
    parser.add_argument("--force", action="store_true", help="write over a file that is there")


def run(args: argparse.Namespace, screen: Screen) -> int:
    from rulescript.docgen.cells import cells_of
    from rulescript.docgen.maps import maps_of
    from rulescript.docgen.shapes import shapes_as_text
    from rulescript.docgen.subject import Subject
    from rulescript.errors import BadOption
    from rulescript.pipeline import load
    from rulescript.resources import write_whole

    subject = Subject.of(load(args.game))
    declared = {decl.things[0].kind.text: decl for decl in subject.model.maps if decl.things}
    maps = [of for of in maps_of(_undrawn(subject.model)) if of.kind.name in declared]
    if args.kind:
        maps = [of for of in maps if of.kind.name == args.kind]
    if len(maps) != 1:
        names = ", ".join(of.kind.name for of in maps) or "none"
        raise BadOption(f"there must be one map to make outlines for; here: {names}", hint="choose one with --kind")
    decl = declared[maps[0].kind.name]
    lines = {line.what: line for line in decl.drawn}
    if "coordinates" not in lines:
        raise BadOption(
            f"the map {decl.name} does not say that its coordinates are real", hint="add `coordinates real` under it"
        )
    folder = subject.folder_of(decl.span.source)
    file = lines["shapes"].file if "shapes" in lines else "map.geojson"
    target = Path(args.output) if args.output else (folder or Path()) / file
    if target.exists() and not args.force:
        raise BadOption(f"`{target}` is there already", hint="--force writes over it, -o FILE elsewhere")
    cells = cells_of(maps[0])
    try:
        write_whole(target, shapes_as_text(cells))
    except OSError as problem:
        raise BadOption(f"`{target}` cannot be written: {problem.strerror}") from None
    screen.say(f"wrote the outlines of {len(cells)} {maps[0].nouns} to {target}")
    if "shapes" not in lines:
        screen.say(f'say so under the map: shapes "{target.name}"')
    return 0


def _undrawn(model: Any) -> Any:
    """The rules without what their maps are drawn with: it may not be there yet."""
    from attrs import evolve

    return evolve(model, maps=[evolve(decl, drawn=()) for decl in model.maps])
