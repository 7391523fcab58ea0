"""What can be used in a game: ways to answer, cards, rules; each has a sort and a name, which rows and reports share.

| sort | name | used when |
| --- | --- | --- |
| `way` | `movement.march`, `movement.march.stop`; of an aside `surrender` | somebody answers a choice so |
| `card` | `Card Forced_March` | somebody picks the card, for whatever purpose |
| `text` | the same | what is written on the card does or asks something |
| `rule` | `4.6.3` | a choice or an effect that cites it comes up |
| `answer` | `movement.march Mill` | somebody who thinks picks the thing; told with how often it could be picked |

Ways and cards are known of each game, texts and rules of those that are followed (recorder.py)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rulescript.phrases import capital, kind_noun, readable

if TYPE_CHECKING:
    from rulescript.game_data import AlternativeInfo, DecisionInfo, GameData
    from rulescript.runtime.game import Game

__all__ = ["SORTS", "card_kinds", "card_name", "is_way", "items_of", "way_name"]

SORTS = ("way", "card", "text", "rule", "answer")


def card_kinds(data: GameData) -> list[str]:
    """The kinds whose things are told of one by one: cards, and what else has a text and is neither a space, a player
    nor a piece."""
    speaking = {kind for kind, _ in (*data.site_things.values(), *data.choice_things.values())}
    found = []
    for name, info in data.kinds.items():
        if info.is_pieces or info.is_values or info.links or name == data.players or not info.names or info.loc < 0:
            continue
        told = sum(1 for text in info.docs if text)
        if name in speaking or "card" in kind_noun(name).split() or told * 2 >= len(info.names):
            found.append(name)
    return found


def card_name(data: GameData, kind: str, thing: int) -> str:
    """A card by the name that its copies share."""
    return f"{kind} {data.kinds[kind].shown[thing]}"


def way_name(info: DecisionInfo, alt: AlternativeInfo) -> str:
    if alt.form == "aside":
        return alt.label  # the same at whichever choice it is taken
    choice = f"{info.procedure}.{info.choice}"
    return choice if alt.label == info.choice else f"{choice}.{alt.label}"


def is_way(info: DecisionInfo, alt: AlternativeInfo) -> bool:
    """Whether an answer is a way of its own: not the later names of a choice, nor what the compiler adds for who has
    nothing to pick or has picked enough."""
    return alt.form == "aside" or (not info.stage and not (alt.form == "plain" and alt.label == "done"))


def items_of(game: Game) -> dict[str, dict[str, str]]:
    """Everything that could be used, by sort and name, with what it is called."""
    data = game.data
    rules: set[str] = {cite for site in data.sites for cite in site.cites}
    for info in data.decisions.values():
        rules.update(info.cites)
    cards: dict[str, str] = {}
    texts: dict[str, str] = {}
    speaking = {*data.site_things.values(), *data.choice_things.values()}
    for kind in card_kinds(data):
        kind_info = data.kinds[kind]
        for thing, label in enumerate(kind_info.labels):
            name = card_name(data, kind, thing)
            cards.setdefault(name, label)
            if (kind, thing) in speaking:
                texts.setdefault(name, label)
    known = {cite: data.rulebook[cite][1] if cite in data.rulebook else "" for cite in sorted(rules)}
    return {"way": _ways_of(data), "card": cards, "text": texts, "rule": known}


def _ways_of(data: GameData) -> dict[str, str]:
    """What each way to answer is called: where, and what one does there, unless that is the same; and of which choice,
    where there are several that would be called alike."""
    called: dict[str, tuple[str, str]] = {}
    for info in data.decisions.values():
        title = data.phase_titles.get(info.procedure) or readable(info.procedure.removeprefix("signal_"))
        title = capital(title)
        for alt in info.alts:
            if is_way(info, alt):
                name = readable(alt.label or info.choice)
                whole = capital(name) if alt.form == "aside" else title if name == title.lower() else f"{title}: {name}"
                # The second choice without a name of its own has that of its first way, with a number.
                choice = readable(info.choice).removeprefix(name).strip()
                called[way_name(info, alt)] = (whole, choice and f" ({choice})")
    often = Counter(whole for whole, _ in called.values())
    return {name: whole + choice * (often[whole] > 1) for name, (whole, choice) in called.items()}
