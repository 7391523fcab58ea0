"""The claims room: examples and checks are read here and put to the test.

`parse` reads the lines of an example, `given` lays out its position, `play` plays its lines (with `chance`
for dice and draws), `expect` checks what must follow, `run` does all of that for a game or a file. See
README.md in this folder.
"""

from rulescript.claims.evaluate import evaluate
from rulescript.claims.parse import parse_example
from rulescript.claims.run import (
    CheckResult,
    ExampleResult,
    Found,
    GameSource,
    impossible_positions,
    run_checks,
    run_example,
    run_examples,
    run_file,
)

__all__ = [
    "CheckResult",
    "ExampleResult",
    "Found",
    "GameSource",
    "evaluate",
    "impossible_positions",
    "parse_example",
    "run_checks",
    "run_example",
    "run_examples",
    "run_file",
]
