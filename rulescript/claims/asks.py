"""Who is asked what: `asks Blue move`, `never asks Blue move`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulescript.claims import steps as s
from rulescript.claims.problems import ClaimFails, ClaimUnclear
from rulescript.diagnostics.spelling import nearest_names, spelling_hint
from rulescript.source import Span, word_in
from rulescript.wording.lexicon import words

if TYPE_CHECKING:
    from rulescript.claims.play import Table
    from rulescript.runtime.position import Decision

__all__ = ["check_asks", "is_asked", "known_choice"]


def is_asked(table: Table, span: Span, decision: Decision | None) -> bool:
    """Whether `Blue move`, `Blue`, `move` or `nobody` says who is asked what."""
    text = " ".join(words(span.text))
    if text in ("nobody", "nothing", "nobody anything"):
        return decision is None
    if decision is None:
        return False
    rest = _after_player(table, span, decision.player_index)
    if rest is None:
        return False
    return not rest or rest in table.choice_words(decision)


def _after_player(table: Table, span: Span, player: int) -> str | None:
    """The name of a choice without the player's before it; None if another player is named."""
    given = words(span.text)
    kind = table.game.data.players
    for index in range(len(table.game.player_names)):
        for way in table.names.lexicon.ways(kind, index):
            if tuple(given[: len(way)]) == way:
                return " ".join(given[len(way) :]) if index == player else None
    return " ".join(given)


def check_asks(table: Table, claim: s.Asks) -> None:
    """``asks Blue move``: the next decision; with `negated`, that it is not (and never was) asked."""
    decision = table.decision()
    known_choice(table, claim.text)
    if claim.negated:
        for player, names in table.asked:
            rest = _after_player(table, claim.text, table.game.player_names.index(player))
            if rest is not None and (not rest or rest in names):
                raise ClaimFails(f"{player} was asked this", claim.text)
        return
    if not is_asked(table, claim.text, decision):
        raise ClaimFails(f"expected to be asked: {claim.text.text}; but {table.told(decision)}", claim.text)


def known_choice(table: Table, span: Span) -> None:
    """A misspelt name must not pass for one that is never asked."""
    known: set[str] = {"", "nobody", "nothing", "nobody anything"}
    for info in table.game.data.decisions.values():
        known |= {" ".join(words(x)) for x in (info.choice, info.procedure, f"{info.procedure}.{info.choice}")}
        known |= {" ".join(words(a.label)) for a in info.alts}
    rests = [r for i in range(len(table.game.player_names)) if (r := _after_player(table, span, i)) is not None]
    if rests and not any(r in known for r in rests):
        players = [" ".join(words(name)) for name in table.game.player_names]
        first, _, rest = rests[0].partition(" ")
        near = nearest_names(first, players)
        if near and (not rest or rest in known):
            who = next(name for name in table.game.player_names if " ".join(words(name)) == near[0])
            hint = f"did you mean `{who}`?"
            raise ClaimUnclear(f"no player is called `{span.text.split()[0]}`", span, "unknown", hint)
        if rest and rest in known:
            who = span.text.split()[0]
            hint = f"there are {', '.join(table.game.player_names)}"
            raise ClaimUnclear(f"no player is called `{who}`", word_in(span, who), "unknown", hint)
        hint_ = spelling_hint(rests[0], sorted(known - {""})) or "`rulescript games GAME --choices` lists them"
        raise ClaimUnclear(f"there is no choice `{rests[0]}`", word_in(span, rests[0]), "unknown", hint_)
