"""What play asks of the rooms below it: explanations, the checked model, the search form, another process's game.

Runtime knows the compiled game alone. Whoever loads games installs a workshop that has the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from types import CodeType

    from rulescript.model.game import Game as Model
    from rulescript.reasons import Explanation, Refusal
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Position
    from rulescript.runtime.selections import Selection

__all__ = ["Workshop", "install", "workshop"]


class Workshop(Protocol):
    """Where a game is made, and where its rules can be asked."""

    def model(self, game: Game) -> Model: ...

    def search_code(self, game: Game) -> tuple[CodeType, dict[int, tuple[str, int]]] | None:
        """The code of the search form, and where its lines come from."""

    def made_beside(self, game: Game) -> bool:
        """Whether the search form is being made without anybody waiting for it; begun, if that can be."""

    @property
    def loaded_again(self) -> Callable[[str, tuple[str, ...], str, int | None, str], Game]:
        """A function that can be pickled: the game of another process, by where it lies and what was chosen."""

    def why_not(self, position: Position, what: str, player: str | None) -> Refusal: ...

    def why_not_selection(
        self, position: Position, way: Selection, values: Sequence[Any], what: str = ""
    ) -> Refusal: ...

    def explain(self, position: Position, what: str, roles: Sequence[int] | None = None) -> Explanation: ...


_installed: list[Workshop] = []


def install(made: Workshop) -> None:
    """Make a workshop the one that all games ask."""
    _installed[:] = [made]


def workshop() -> Workshop:
    """The workshop of this process; `import rulescript` installs it."""
    return _installed[0]
