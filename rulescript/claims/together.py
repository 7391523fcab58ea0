"""Many examples at once, by several processes.

Examples that need the same game are played together by one process, since compiling a game takes longer than playing an
example of it. Results go from process to process as plain data (`diagnostics/plain.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulescript.analysis.analyse import chain_of
from rulescript.claims.run import ExampleResult, Found, GameSource, run_example
from rulescript.diagnostics.plain import from_plain, plain
from rulescript.processes import cores, shared
from rulescript.source import SourceFile

__all__ = ["played_together"]

# So many examples are played by one process before another may take the next.
TOGETHER = 30
# Fewer are not worth another process.
FEW = 12
MOST_PROCESSES = 4


def played_together(
    source: GameSource, wanted: Sequence[Found], options: Iterable[str] = (), scenario: str = ""
) -> Iterator[tuple[int, list[ExampleResult]]]:
    """What came of each example (and of its cases) as soon as it is known, with its number among those wanted."""
    chosen = tuple(options)
    jobs = min(cores(), MOST_PROCESSES) if len(wanted) > FEW else 1
    groups = _groups(wanted, TOGETHER if jobs > 1 else 1)
    files = _files_of(source)

    def play(number: int) -> Any:
        out = []
        for at in groups[number]:
            results = [_plain(result, files) for result in run_example(source, wanted[at], chosen, scenario)]
            out.append(results if None not in results else None)
        return out

    for number, answers in shared(play, len(groups), jobs):
        for at, answer in zip(groups[number], answers, strict=True):
            if answer is None:
                yield at, run_example(source, wanted[at], chosen, scenario)
            else:
                yield at, [_result(each, files) for each in answer]


def _groups(wanted: Sequence[Found], together: int) -> list[list[int]]:
    """The numbers of examples that need the same game, so many at a time; those whose game most need first."""
    by_game: dict[tuple[str, ...], list[int]] = {}
    for number, found in enumerate(wanted):
        withs = [line.text for line in found.example.lines if line.text.startswith("with")]
        by_game.setdefault((*found.options, found.scenario, *withs), []).append(number)
    groups = [all_[at : at + together] for all_ in by_game.values() for at in range(0, len(all_), together)]
    return sorted(groups, key=lambda group: (-len(group), group[0]))


def _files_of(source: GameSource) -> list[SourceFile]:
    files = [file for game in chain_of(source.text) for file in game.files]
    files += [piece.declaration.span.source for piece in source.extra]
    return list({id(file): file for file in files}.values())


def _plain(result: ExampleResult, files: Sequence[SourceFile]) -> Any:
    number = next((at for at, file in enumerate(files) if file is result.span.source), None)
    failures = plain(result.failures, files)
    if number is None or failures is None:
        return None
    place = (number, result.span.start, result.span.end)
    return (result.title, place, result.cites, failures, sorted(result.exercised), result.claims)


def _result(data: Any, files: Sequence[SourceFile]) -> ExampleResult:
    title, (number, start, end), cites, failures, exercised, claims = data
    span = files[number].span(start, end)
    return ExampleResult(title, span, cites, from_plain(failures, files), set(exercised), claims)
