"""The rooms of the house: each may use those above it, never those below."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "rulescript"
# From the top of the house down: what is asked by everybody first, what asks everybody last.
ROOMS = [
    {
        "alarm",
        "source",
        "locks",
        "circles",
        "phrases",
        "reasons",
        "diagnostics",
        "errors",
        "resources",
        "calls",
        "processes",
    },
    {"game_data", "machine", "story"},
    {"nodes", "syntax", "loader"},
    {"model"},
    {"wording"},
    {"analysis"},
    {"compiler"},
    {"runtime"},
    {"explain"},
    {"pipeline"},
    {"bots", "claims", "testing", "docgen"},
    {"simulation"},
    {"cli", "__init__", "__main__"},
]


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def used_by(path: Path) -> Iterator[tuple[int, str]]:
    """The rooms that a module names in its imports, wherever they stand in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "rulescript":
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rulescript."):
            yield node.lineno, str(node.module).split(".")[1]
        elif isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
            yield from ((node.lineno, name[1]) for name in names if name[0] == "rulescript" and len(name) > 1)


def test_one_walks_through_the_house_in_one_direction() -> None:
    floor = {name: at for at, names in enumerate(ROOMS) for name in names}
    modules = sorted(PACKAGE.rglob("*.py"))
    assert {room(path) for path in modules} == set(floor), "every room has its place in the plan"
    upwards = [
        f"{path.relative_to(PACKAGE)}:{line} uses {used}"
        for path in modules
        for line, used in used_by(path)
        if used in floor and floor[used] > floor[room(path)]
    ]
    assert upwards == []
