"""Things and types of pieces, found by the words of their names."""

from __future__ import annotations

from typing import Any

from rulescript.analysis.part import Part
from rulescript.model.game import (
    Kind,
    ThingRef,
)
from rulescript.model.types import (
    BOOL,
    TEXT,
    Maybe,
    ThingOf,
    Type,
)  # fmt: skip  # fmt: skip
from rulescript.wording.lexicon import KindWords, Lexicon

__all__ = ["Lookup"]


class Lookup(Part):
    """Finds things by words."""

    def find_words(self) -> None:
        """What each thing may be called in a phrase such as `2 Ruritanian infantry`."""
        for kind in self.game.kinds.values():
            for thing in kind.things:
                words = set(words_of(thing.name)) | set(words_of(thing.label))
                for attr in kind.attrs.values():
                    value = attr.values[thing.index] if thing.index < len(attr.values) else None
                    if isinstance(value, ThingRef) and kind.is_pieces:
                        words |= self._thing_words(value)
                    elif isinstance(value, str):
                        words |= set(words_of(value))
                    elif value is True and kind.is_pieces:
                        words |= set(words_of(attr.name))
                thing.words = frozenset(words)

    def _thing_words(self, ref: ThingRef) -> set[str]:
        thing = self.game.kinds[ref.kind].things[ref.index]
        words = set(words_of(thing.name)) | set(words_of(thing.label))
        for attr in thing.kind.attrs.values():
            value = attr.values[ref.index]
            if isinstance(value, str):
                words |= set(words_of(value))
        return words

    def piece_type(self, kind: Kind, words: tuple[str, ...]) -> list[int]:
        """The types of a kind of pieces that a phrase may mean: of those whose words all fit and that the text
        speaking now can know of, those of which least is left unsaid."""
        wanted = [w for text in words for w in words_of(text)]
        found: list[int] = []
        for thing in kind.things:
            if all(w in thing.words or _singular(w) in thing.words for w in wanted) and self.visible(thing.origin):
                found.append(thing.index)
        exact = [i for i in found if len(kind.things[i].words) == len(set(wanted))]
        if exact or len(found) < 2:
            return exact or found
        lexicon = self._lexicon()
        unsaid = {i: lexicon.unsaid(kind.name, i, {*wanted, *map(_singular, wanted)}) for i in found}
        return [i for i in found if unsaid[i] == min(unsaid.values())]

    def _lexicon(self) -> Lexicon:
        """The words of the game as an example would read them, so that rules mean the same pieces by them."""

        def plain(value: Any) -> Any:
            return value.index if isinstance(value, ThingRef) else value

        def words(kind: Kind) -> KindWords:
            names = [t.name for t in kind.things]
            return KindWords(
                is_pieces=kind.is_pieces,
                names=names,
                shown=names,
                labels=[t.label for t in kind.things],
                attrs={a.name: [plain(v) for v in a.values] for a in kind.attrs.values()},
                attr_types={a.name: _sort_of(a.type) for a in kind.attrs.values()},
            )

        return Lexicon({kind.name: words(kind) for kind in self.game.kinds.values()})


def words_of(text: str) -> tuple[str, ...]:
    """The words of a name or label, as a reader might type them: lower case, underscores as spaces."""
    return tuple(w for w in text.replace("_", " ").replace("-", " ").lower().split() if w)


def _sort_of(type_: Type) -> list[Any]:
    """What a lexicon needs to know of a type."""
    match type_:
        case Maybe(element):
            return ["maybe", _sort_of(element)]
        case ThingOf(kind):
            return ["thing", kind]
    return ["bool" if type_ == BOOL else "text" if type_ == TEXT else "other"]


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") else word
