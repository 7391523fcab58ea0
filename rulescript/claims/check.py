"""What can be said about examples without playing them: lines that cannot be read, and options, scenarios and
other examples that are not there. What a position or a line of play names is found out when it is run.

A large game has hundreds of examples, and an edit touches one of them or none. So it is kept in the user's cache which
examples there was nothing to say about, by a digest of the text of each; what else could change the answer (the index,
options, titles, who is like whom) is a digest in the name of the file.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rulescript.analysis.analyse import options_of
from rulescript.claims import steps as s
from rulescript.claims.examples import Examples, Found, option_named, scenario_named
from rulescript.claims.problems import ClaimUnclear
from rulescript.diagnostics import Diagnostic, Reporter
from rulescript.loader import GameText
from rulescript.pipeline.cache import own_key, read_kept, write_kept
from rulescript.resources import cache_folder

__all__ = ["READING", "check_examples"]

# The rooms that decide, beside those that make a game, what is wrong with an example.
READING = ("claims", "explain")

# What is wrong with what an example is like in the end, by its title: a thousand may be like one another in a row.
Ends = dict[str, "ClaimUnclear | None"]
_UNKNOWN: Any = object()

# With fewer examples than this they are read sooner than looked up.
SOME_EXAMPLES = 50


def check_examples(text: GameText) -> list[Diagnostic]:
    """The problems of all examples of a game, also of those inside options and scenarios."""
    source = Examples(text)
    reporter = Reporter()
    options, scenarios = options_of(text)
    examples = source.found()
    path = _path_of(source, examples)
    known: list[bytes] = (read_kept(path) or []) if path is not None else []
    quiet, fine = set(known), []
    ends: Ends = {}
    for found in examples:
        digest = _digest(found.example.span.text, *found.cites)
        if digest not in quiet:
            before = reporter.count
            _check_example(found, source, options, scenarios, reporter, ends)
            if reporter.count > before:
                continue
        fine.append(digest)
    if path is not None and fine != known:
        write_kept(path, fine)
    return reporter.diagnostics


def _check_example(
    found: Found,
    source: Examples,
    options: Iterable[str],
    scenarios: Iterable[str],
    reporter: Reporter,
    ends: Ends,
) -> None:
    plan, unreadable = source.read(found)
    reporter.extend(unreadable)
    withs = [*plan.withs, *(line for case in plan.cases for line in case.withs)]
    try:
        if not plan.body and not plan.cases and not unreadable:
            raise ClaimUnclear(
                "this example expects nothing", plan.span, hint="write `expect`, and under it what must be so"
            )
        _check_withs(withs, options, scenarios)
        _check_given(plan, source, scenarios, ends)
    except ClaimUnclear as problem:
        reporter.extend(problem.diagnostics(f"§{plan.cites[0]}" if plan.cites else None))


def _path_of(source: Examples, examples: list[Found]) -> Path | None:
    """Where it is kept which examples there was nothing to say about."""
    folder = cache_folder() if len(examples) >= SOME_EXAMPLES else None
    if folder is None:
        return None
    engine = f"{sys.version} {own_key(READING)}"
    options, scenarios = source.options
    parts = [engine, *sorted(source.index), "options", *options, "scenarios", *scenarios]
    for found in examples:
        parts.append(found.example.title)
        parts += [line.span.text for line in found.example.lines if line.span.text.startswith("given")]
    return folder / f"examples-{_digest(*parts).hex()[:32]}.bin"


def _digest(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()


def _check_withs(withs: Iterable[s.With], options: Iterable[str], scenarios: Iterable[str]) -> None:
    for line in withs:
        for name in line.names:
            if line.what == "options":
                option_named(name, options)
            elif line.what == "scenario":
                scenario_named(name, scenarios)


def _check_given(plan: s.Plan, source: Examples, scenarios: Iterable[str], ends: Ends) -> None:
    seen = {plan.title: None}
    given, problem = plan.given, None
    if given is not None and given.base == "scenario":
        scenario_named(given.name_span, scenarios, given.name)
    try:
        while given is not None and given.base == "like":
            if given.name in seen:
                raise ClaimUnclear("these examples are like each other in a circle", given.name_span)
            if (known := ends.get(given.name, _UNKNOWN)) is not _UNKNOWN:
                problem = known
                break
            seen[given.name] = None
            given = source.plan(given.name, given.name_span)[0].given
    except ClaimUnclear as found:
        problem = found
    ends.update(dict.fromkeys(seen, problem))
    if problem is not None:
        raise problem
