"""How long `check` takes for large texts: `python -m tests.fuzz.measure [--size BYTES] [--play] [SHAPE ...]`.

Each shape of `large.py` and of the files beside it is written to a file and checked by a process of its own, or with
`--play` loaded, started and played for some steps; what is told is its processor time, for other work on the machine
says little about ours. Exit code 1 if one took longer than allowed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import tests.fuzz.large_claims
import tests.fuzz.large_more
import tests.fuzz.large_odd
import tests.fuzz.large_together  # noqa: F401  all register their shapes
from tests.fuzz.large import SHAPES, text_of

ALLOWED = 10.0
PLAYED = """
import sys
import rulescript
try:
    position = rulescript.load(sys.argv[1]).start(seed=1)
    for _ in range(30):
        if not position.is_over:
            position.choose(0)
    print("played")
except rulescript.errors.RulescriptError as problem:
    print(type(problem).__name__, str(problem).splitlines()[0])
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.measure", description="time `check` on large texts")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=f"of {len(SHAPES)} (default: all)")
    parser.add_argument("--size", type=int, default=500_000, help="how many bytes each text has")
    parser.add_argument("--play", action="store_true", help="load, start and play it instead")
    args = parser.parse_args()
    work = ["-c", PLAYED] if args.play else ["-m", "rulescript", "check"]
    slow = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RULESCRIPT_CACHE"] = folder  # what was read before would be known
        for name in args.shapes or SHAPES:
            path = Path(folder) / f"{name}.rules"
            path.write_text(text_of(name, args.size), encoding="utf-8")
            seconds, megabytes, said = _taken([*work, str(path)])
            slow += seconds > ALLOWED
            print(f"{seconds:6.1f} s {megabytes:5} MB  {name:34} {said[:60]}", flush=True)
    print(f"{slow} took longer than {ALLOWED:.0f} s" if slow else "all is well")
    return 1 if slow else 0


def _taken(work: list[str]) -> tuple[float, int, str]:
    """The processor time and memory of what Python is told to do, and the last line it prints."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([sys.executable, *work], stdout=out, stderr=subprocess.STDOUT)
        _, _, used = os.wait4(process.pid, 0)
        out.seek(0)
        lines = out.read().decode("utf-8", "replace").strip().splitlines()
    return used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, lines[-1] if lines else ""


if __name__ == "__main__":
    sys.exit(main())
