"""`python -m tests.recorded write` and `compare`: see README.md."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from rulescript.diagnostics import render_report
from tests.analysis.test_corpus import PROGRAMS, name_of, said_of
from tests.recorded.record import Record, digest, record_of
from tests.recorded.subjects import Subject, all_subjects

DATA = Path(__file__).parent / "data"
PARTS = ("play", "answers", "claims", "reference")
SHOWN = 12


def text_of(record: Record) -> str:
    return "".join(f"== {heading}\n" + "".join(f"{line}\n" for line in lines) for heading, lines in record.items())


def record_in(text: str) -> Record:
    out: Record = {}
    for line in text.splitlines():
        if line.startswith("== "):
            lines = out.setdefault(line[3:], [])
        else:
            lines.append(line)
    return out


def mistakes() -> Record:
    """What is said of each program of the corpus."""
    return {
        "mistakes": [
            f"{digest(render_report(said_of(path.name, path.read_text())))} {name_of(path)}" for path in PROGRAMS
        ]
    }


def differences(before: Record, now: Record) -> Iterator[str]:
    """Where two records part, heading by heading; of a game only the first decision that differs."""
    for heading in [*before, *(h for h in now if h not in before)]:
        old, new = before.get(heading), now.get(heading)
        if old is None or new is None:
            yield f"{heading}: {'is new' if old is None else 'is gone'}"
        elif old != new:
            yield from _parted(heading, old, new)


def _parted(heading: str, old: list[str], new: list[str]) -> Iterator[str]:
    if not heading.startswith("play"):
        for line in sorted({*old} ^ {*new}):
            yield f"{heading}: {'now' if line in new else 'was'} {line}"
        return
    at = next((i for i, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), min(len(old), len(new)))
    was, now = (lines[at] if at < len(lines) else "nothing" for lines in (old, new))
    parts = [p for p, a, b in zip(("asked", "words", "state"), was.split(), now.split(), strict=False) if a != b]
    yield f"{heading}: decision {at} differs in {', '.join(parts)} (was {was}; now {now})"


def _compare(name: str, now: Record, parts: tuple[str, ...]) -> int:
    path = DATA / f"{name}.txt"
    if not path.exists():
        print(f"{name}: not recorded")
        return 1
    before = {h: lines for h, lines in record_in(path.read_text()).items() if h.split()[0] in (*parts, "mistakes")}
    found = list(differences(before, now))
    for line in found[:SHOWN]:
        print(f"{name}: {line}")
    if len(found) > SHOWN:
        print(f"{name}: and {len(found) - SHOWN} more")
    return len(found)


def _write(name: str, now: Record) -> None:
    DATA.mkdir(exist_ok=True)
    (DATA / f"{name}.txt").write_text(text_of(now))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.recorded", description=__doc__)
    parser.add_argument("what", choices=["write", "compare"])
    parser.add_argument("--only", help="subjects with this in their name")
    parser.add_argument("--parts", default=",".join(PARTS), help="some of: " + ", ".join(PARTS))
    options = parser.parse_args()
    parts = tuple(options.parts.split(","))
    subjects: list[Subject | None] = [*all_subjects(), None]
    found = 0
    for subject in subjects:
        name = subject.name if subject is not None else "corpus"
        if options.only and options.only not in name:
            continue
        started = time.monotonic()
        now = record_of(subject, parts) if subject is not None else mistakes()
        if options.what == "write":
            _write(name, now)
        else:
            found += _compare(name, now, parts)
        print(
            f"{name}: {sum(len(lines) for lines in now.values())} lines, {time.monotonic() - started:.0f} s", flush=True
        )
    if options.what == "compare":
        print("nothing differs" if not found else f"{found} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
