"""What the rules have against a line of an example, and what could be said instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulescript.claims.problems import ClaimFails
from rulescript.errors import RulescriptError
from rulescript.source import Span, word_in
from rulescript.wording.lexicon import words

if TYPE_CHECKING:
    from rulescript.claims.play import Table
    from rulescript.reasons import Refusal
    from rulescript.runtime.position import Decision, Position

__all__ = ["Objections", "options_hint"]


def options_hint(decision: Decision, text: str) -> str:
    """The options nearest to what was written."""
    wanted = set(words(text))
    options = sorted(decision.options, key=lambda o: -len(wanted & set(words(f"{o.key} {o.text}"))))
    shown = "; ".join(o.text for o in options[:5])
    more = f"; and {len(options) - 5} more" if len(options) > 5 else ""
    return f"the options are: {shown}{more}"


class Objections:
    """Why lines cannot be taken where a table stands. One claim may ask it several times, so it is kept as long as the
    position stays the same."""

    def __init__(self, table: Table) -> None:
        self._table = table
        # The position, as it was then, and what the rules had against lines of a player.
        self._against: tuple[Position, list[Any], dict[tuple[str, str], Refusal | None]] | None = None

    def refusal(self, text: str, player: str) -> Refusal | None:
        """What the rules have against a choice; None if they cannot say."""
        position = self._table.position
        if self._against is None or self._against[0] is not position or self._against[1] != position.s:
            self._against = (position, list(position.s), {})
        known = self._against[2]
        if (text, player) not in known:
            try:
                known[text, player] = position.why_not(text, player)
            except RulescriptError:
                known[text, player] = None
        return known[text, player]

    def why(self, text: str, player: str) -> str:
        """The same in words; "" if they have nothing against it, or cannot say."""
        refusal = self.refusal(text, player)
        if refusal is None or refusal.allowed:
            return ""
        # Several of a kind are refused for the same reason; it is told once.
        told = dict.fromkeys(
            f"{c.fact}{f' ({c.label})' if c.label else ''}{''.join(f' §{x}' for x in c.cites)}"
            for c in refusal.clauses
            if c.status == "failed"
        )
        return "; ".join([*told][:3]) or refusal.summary

    def cannot(self, decision: Decision, said: Span) -> ClaimFails:
        """That words are none of the options, and why: at the word that names nothing, if it is only one."""
        refusal = self.refusal(said.text, decision.player)
        unknown = refusal.unknown if refusal is not None else ()
        place = word_in(said, unknown[0]) if len(unknown) == 1 else said
        why = self.why(said.text, decision.player)
        if unknown and refusal is not None and refusal.hint:
            why = why.partition(f" ({refusal.hint})")[0]
        message = f"{decision.player} cannot choose `{said.text}`" + (f": {why}" if why else "")
        hint = (refusal.hint if refusal is not None else "") or options_hint(decision, said.text)
        return ClaimFails(message, place, f"asked: {decision.prompt}", hint)
