"""Which words of names made from identifiers are proper nouns, and get their capitals back.

In comes the model of a game, out comes what turns "the northern retreat" into "the Northern retreat", for the printed
reference, refusals and explanations."""

from __future__ import annotations

import re

from rulescript.model import game as m
from rulescript.model.types import TEXT, ThingOf
from rulescript.phrases import kind_noun
from rulescript.wording.verbs import GROUNDS

__all__ = ["Proper"]

# A number as Romans wrote it, which a name has in small letters: `plan_xiv` is Plan XIV.
_NUMERAL = re.compile(r"\b(?=[ivx]{2,}\b)x{0,3}(?:ix|iv|v?i{0,3})\b")
_LETTERS = re.compile(r"\w+")
_WORD = re.compile(r"[^\W\d_]+")


class Proper:
    """Gives names made from identifiers their capitals back: `replace_northern_tiles` -> "Replace Northern tiles".

    The words of players, and of things that belong to one (nations), count. So does the name of a space if it is no
    ordinary word of the game: a town called Ford does not make every ford a town. Nor does a power called Distant Court
    make every court that power, where the text of an option has that word without a capital."""

    def __init__(self, game: m.Game) -> None:
        words: set[str] = set()
        own = _of_options(game)
        for kind in game.kinds.values():
            if kind.is_pieces or kind.is_values or kind.links or kind.movable or not self._is_party(kind, game):
                continue
            for thing in kind.things:
                parts = _WORD.findall(thing.label)
                named = {word for word in parts if len(parts) == 1 or word.lower() not in own}
                words |= named | ({thing.label} if len(named) < len(set(parts)) else set()) | _texts_of(thing)
        ordinary = _ordinary(game)
        # Alliances of players have long names; what they are called for short are their adjectives.
        for attr in game.players.attrs.values() if game.players is not None else ():
            if isinstance(attr.type, ThingOf) and not game.kinds[attr.type.kind].is_values:
                for thing in game.kinds[attr.type.kind].things:
                    words |= {word for word in _texts_of(thing) if word.lower() not in ordinary}
        for kind in (k for k in game.kinds.values() if k.links):
            words |= {t.label for t in kind.things if len(t.label) > 5 and t.label.lower() not in ordinary}
        self.words = {w.lower(): w for w in sorted(words) if len(w) > 3 and w[0].isupper() and not w.isupper()}
        # A kind called by a letter: `u_boat_attack` is about U-boats.
        for noun in (noun for noun in map(kind_noun, game.kinds) if noun[1:2] == "-"):
            self.words[noun.replace("-", " ")] = self.words[noun.lower().replace("-", " ")] = noun
        things = [thing for kind in game.kinds.values() if not kind.is_values for thing in kind.things]
        self.labels = {_plain(thing.label): thing.label for thing in things if " " in thing.label}
        self._pattern: re.Pattern[str] | None = None
        if self.words:
            self._pattern = re.compile(r"\b(" + "|".join(map(re.escape, sorted(self.words, reverse=True))) + r")(s?)\b")

    @staticmethod
    def _is_party(kind: m.Kind, game: m.Game) -> bool:
        if kind is game.players:
            return True
        players = game.players.name if game.players is not None else ""
        return any(isinstance(a.type, ThingOf) and a.type.kind == players for a in kind.attrs.values())

    def __call__(self, text: str) -> str:
        if label := self.labels.get(_plain(text)):  # a rule that is called as the card it belongs to
            return label + text[len(text.rstrip(".:")) :]
        text = _NUMERAL.sub(lambda found: found[0].upper(), text)
        return (
            self._pattern.sub(lambda found: self.words[found[1]] + found[2], text)
            if self._pattern is not None
            else text
        )


def _plain(text: str) -> str:
    return " ".join(_LETTERS.findall(text.lower()))


def _texts_of(thing: m.Thing) -> set[str]:
    """The words of the texts that a thing has: its adjective."""
    values = [attr.values[thing.index] for attr in thing.kind.attrs.values() if attr.type == TEXT]
    return {word for value in values if isinstance(value, str) for word in _WORD.findall(value)}


def _of_options(game: m.Game) -> set[str]:
    """The words without a capital in the texts that an author gave to options."""
    texts = [alt.text for _, choose in game.chooses for alt in choose.alts if alt.text is not None and alt.given_text]
    parts = [part for text in texts for part in text.parts if isinstance(part, str)]
    return {word for part in parts for word in _WORD.findall(part) if word.islower()}


def _ordinary(game: m.Game) -> set[str]:
    """Words that the game's own texts write without a capital, and such as a space could be called by."""
    texts = [thing.doc for kind in game.kinds.values() for thing in kind.things]
    texts += [kind.doc for kind in game.kinds.values()] + [entry.title for entry in game.rulebook.values()]
    return {word for text in texts for word in _WORD.findall(text) if word.islower()} | GROUNDS
