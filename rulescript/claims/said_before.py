"""What a layer of an example's position has said so far: nothing may be said twice, and otherwise.

What is said of all at once may be said otherwise of one, and a place that was given something is not empty."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from rulescript.claims.problems import ClaimUnclear
from rulescript.diagnostics import Label
from rulescript.source import Span

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["SaidBefore"]


class SaidBefore:
    """Where things were put, what states and places were given, and in which words."""

    def __init__(self, game: Game) -> None:
        self.game = game
        # Whether what is said now is said of many at once.
        self.is_general = False
        # By what it is said of, and the number of that: the value, and where it was said.
        self._said: dict[tuple[str, int], tuple[Any, Span]] = {}

    def clear(self) -> None:
        """Begin a layer."""
        self._said.clear()

    def so_far(self) -> dict[tuple[str, int], tuple[Any, Span]]:
        return dict(self._said)

    def back_to(self, said: dict[tuple[str, int], tuple[Any, Span]]) -> None:
        """Forget what was said since."""
        self._said = dict(said)

    def forget(self, kind: str, index: int) -> None:
        """A thing was taken away from where it was put."""
        self._said.pop((kind, index), None)

    def note(self, of: str, index: int, value: Any, span: Span, name: str, is_thing: bool = False) -> None:
        """Note where a thing is put or what a state is given, and see that nothing else was said of it. What is said of
        all at once may be said otherwise of one."""
        said = self._said.get((of, index))
        if said is not None and (is_thing or said[0] != value):
            where = [Label(said[1], "here")]
            if not is_thing:
                message = f"{name} is given here and, otherwise, above"
            elif said[0] == value:
                message = f"{name} is there twice, and there is only one"
            else:
                message = f"{name} is here, and in {self.game.values.place_name(said[0])} too"
            raise ClaimUnclear(message, span, "given twice", "leave one of them out", where)
        if is_thing or not self.is_general:
            self._said[of, index] = (value, span)

    def note_filled(self, slot: int, types: Iterable[int], item: Span) -> None:
        """Note that the layer has put something into a place."""
        if not self.is_general:
            for index in types:
                self._said.setdefault((f"in {slot}", index), (True, item))

    def see_unfilled(self, slot: int, item: Span, types: Collection[int] | None = None) -> None:
        """See that the layer has put nothing (of these) where it says now that there is nothing."""
        if self.is_general:
            return
        for (of, index), (_, span) in self._said.items():
            if of != f"in {slot}":
                continue
            # A line of its own may take away again what was put there.
            if types is None or (index in types and "\n" not in span.source.text[span.end : item.start]):
                message = f"{self.game.values.place_name(slot)} was given `{span.text}` above"
                raise ClaimUnclear(
                    message, item, "not there, then", "leave one of them out", [Label(span, "given here")]
                )
