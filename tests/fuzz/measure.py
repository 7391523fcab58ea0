"""How long `check` takes for large texts: `python -m tests.fuzz.measure [--size BYTES] [SHAPE ...]`.

Each shape of `large.py`, `large_claims.py`, `large_odd.py` and `large_together.py` is written to a file and checked by
a process of its own; what is told is its processor time, for other work on the machine says little about ours. Exit
code 1 if one took longer than allowed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import tests.fuzz.large_claims
import tests.fuzz.large_odd
import tests.fuzz.large_together  # noqa: F401  all register their shapes
from tests.fuzz.large import SHAPES, text_of

ALLOWED = 10.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.measure", description="time `check` on large texts")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=f"of {len(SHAPES)} (default: all)")
    parser.add_argument("--size", type=int, default=500_000, help="how many bytes each text has")
    args = parser.parse_args()
    slow = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RULESCRIPT_CACHE"] = folder  # what was read before would be known
        for name in args.shapes or SHAPES:
            path = Path(folder) / f"{name}.rules"
            path.write_text(text_of(name, args.size), encoding="utf-8")
            seconds, megabytes, said = _checked(path)
            slow += seconds > ALLOWED
            print(f"{seconds:6.1f} s {megabytes:5} MB  {name:34} {said[:60]}", flush=True)
    print(f"{slow} took longer than {ALLOWED:.0f} s" if slow else "all is well")
    return 1 if slow else 0


def _checked(path: Path) -> tuple[float, int, str]:
    """The processor time and memory of a check, and the last line it prints."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "rulescript", "check", str(path)], stdout=out, stderr=subprocess.STDOUT
        )
        _, _, used = os.wait4(process.pid, 0)
        out.seek(0)
        lines = out.read().decode("utf-8", "replace").strip().splitlines()
    return used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, lines[-1] if lines else ""


if __name__ == "__main__":
    sys.exit(main())
