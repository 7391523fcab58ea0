"""The rooms of the house: each may use those above it, never those below, and none is crowded."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "rulescript"
# A class with more methods is several things that share a name. Those it inherits count: cutting a class into files, or
# into parts that are only ever one, does not make rooms.
MOST_METHODS = 40
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


def classes_in(package: Path) -> dict[str, tuple[set[str], list[str]]]:
    """Every class of a package by its full name: the names of its own methods, and what it inherits from."""
    found: dict[str, tuple[set[str], list[str]]] = {}
    for path in sorted(package.rglob("*.py")):
        module = ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
        tree = ast.parse(path.read_text())
        names = {
            alias.asname or alias.name: f"{node.module}.{alias.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
                bases = [_base_of(base, module, names) for base in node.bases]
                found[f"{module}.{node.name}"] = methods, bases
    return found


def _base_of(base: ast.expr, module: str, names: dict[str, str]) -> str:
    """What a class inherits from, by its full name: without what stands in brackets behind it."""
    plain = base.value if isinstance(base, ast.Subscript) else base
    first, _, rest = ast.unparse(plain).partition(".")
    whole = names.get(first, f"{module}.{first}")
    return f"{whole}.{rest}" if rest else whole


def methods_of(name: str, classes: dict[str, tuple[set[str], list[str]]]) -> set[str]:
    own, bases = classes.get(name, (set(), []))
    return own.union(*(methods_of(base, classes) for base in bases))


def crowded(package: Path) -> list[str]:
    classes = classes_in(package)
    counted = {name: len(methods_of(name, classes)) for name in classes}
    return [f"{name} has {number} methods" for name, number in counted.items() if number > MOST_METHODS]


def test_no_class_is_crowded() -> None:
    assert crowded(PACKAGE) == []


def test_methods_that_are_inherited_crowd_a_class_too(tmp_path: Path) -> None:
    (tmp_path / "inn").mkdir()
    methods = [f"    def do_{number}(self): pass\n" for number in range(MOST_METHODS)]
    (tmp_path / "inn" / "cellar.py").write_text("class Cellar:\n" + "".join(methods[:30]))
    hall = "from inn import cellar\nfrom inn.cellar import Cellar as Below\n\n"
    hall += "class Hall(Below):\n" + "".join(methods[20:])
    hall += "class Loft(Hall, list[int]):\n    def sleep(self): pass\n"
    hall += "class Roof(cellar.Cellar):\n" + "".join(methods[30:]) + "    def leak(self): pass\n"
    (tmp_path / "inn" / "hall.py").write_text(hall)
    assert crowded(tmp_path / "inn") == ["inn.hall.Loft has 41 methods", "inn.hall.Roof has 41 methods"]
