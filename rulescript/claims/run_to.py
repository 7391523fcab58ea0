"""``run to movement``: on to a phase, taking what leaves no choice; with `passing`, declining what can be declined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulescript.claims import steps as s
from rulescript.claims.beginning import park
from rulescript.claims.chance import Pending
from rulescript.claims.objections import options_hint
from rulescript.claims.problems import ClaimFails, ClaimProblem
from rulescript.errors import RulescriptError
from rulescript.runtime.line_sense import is_declining
from rulescript.wording.lexicon import words

if TYPE_CHECKING:
    from rulescript.claims.play import Table
    from rulescript.runtime.position import Decision

__all__ = ["LONGEST", "blocks_of", "run_to"]

LONGEST = 5_000


def _is_end(entry: s.RunTo) -> bool:
    return words(entry.phase.text) in (["end"], ["the", "end"], ["end", "of", "the", "game"])


def blocks_of(table: Table, entry: s.RunTo) -> list[int]:
    """The blocks at which it stops."""
    return [] if _is_end(entry) else table.names.phase_blocks(table.names.phase(entry.phase))


def run_to(table: Table, entry: s.RunTo, entries: Sequence[s.Entry], pending: dict[int, Pending], at: int) -> None:
    """Play on until a phase begins or the game ends."""
    to_end = _is_end(entry)
    blocks = blocks_of(table, entry)
    if table.has_arrived:
        table.has_arrived = False
        return
    following = table.window(entries, pending, at + 1)
    waiting, table.parked = table.game.code["B"][table.parked] if table.parked else None, 0
    with park(table.game, blocks):
        if waiting is not None:
            table.script.load(following, entry.span, entry.any_chance)
            table.run(waiting, entry.span)
        for _ in range(LONGEST):
            if table.parked:
                return
            decision = table.decision()
            if decision is None:
                if to_end:
                    return
                raise ClaimFails(f"`{entry.phase.text}` is never reached: {table.told(None)}", entry.phase)
            options = table.real_options(decision)
            if len(options) == 1:
                raw = options[0].raw
            else:
                table.look()
                raw = _declined(table, decision, entry)
            table.script.load(following, entry.span, entry.any_chance)
            table.game.code["PASSED"].clear()
            try:
                table.position._take(raw)
            except ClaimProblem:
                raise
            except RulescriptError as problem:
                raise ClaimFails(f"the rules went wrong: {problem}", entry.span) from problem
            table.note_park()
    raise ClaimFails(f"`{entry.phase.text}` is not reached after {LONGEST} decisions", entry.phase)


def _declined(table: Table, decision: Decision, entry: s.RunTo) -> Any:
    if not entry.passing:
        raise ClaimFails(
            f"{table.told(decision)} on the way to `{entry.phase.text}`",
            entry.span,
            "not scripted",
            f"run to {entry.phase.text} passing",
        )
    info = table.game.data.decisions[decision.block]
    ways: list[tuple[int, Any]] = []
    for option in decision.options:
        index, _ = info.split(option.raw)
        alt = info.alts[index]
        if is_declining(alt):
            ways.append((0 if alt.effect == "pass" else 1 if alt.effect == "stop" else 2, option.raw))
    if not ways:
        raise ClaimFails(
            f"{table.told(decision)} on the way to `{entry.phase.text}`, and cannot decline",
            entry.span,
            "not scripted",
            options_hint(decision, ""),
        )
    return min(ways, key=lambda w: w[0])[1]
