"""What holds wherever a game is answered and saved: a bad choice changes nothing, a save plays on alike.

A game's own test names the decisions it is tried at and answers that no choice of it has."""

from __future__ import annotations

import pytest

from rulescript.errors import BadChoice, BadSave
from rulescript.runtime.game import Game
from rulescript.runtime.position import Position
from tests.games.random_play import at, decisions, picture, played_to


class FrontDoor:
    """The tests; `game` is a fixture beside the class."""

    nonsense: tuple[str, ...]
    refused_at: tuple[str, ...]
    saved_at: tuple[str, ...]

    def found(self, game: Game, choice: str) -> Position:
        """A position of random play in which something is asked."""
        return played_to(game, at(choice))

    def test_a_bad_choice_is_refused_and_changes_nothing(self, game: Game) -> None:
        for choice in self.refused_at:
            position = self.found(game, choice)
            before = picture(position)
            for answer in ("", "march on the moon", *self.nonsense, 99, -1, True, None, 1.5):
                with pytest.raises(BadChoice) as problem:
                    position.choose(answer)  # type: ignore[arg-type]
                assert str(problem.value).strip(), (choice, answer)
                assert picture(position) == before, (choice, answer)

    def test_a_save_plays_on_alike(self, game: Game) -> None:
        for choice in self.saved_at:
            position = self.found(game, choice)
            loaded = game.from_json(position.to_json())
            same = picture if position.j is not None else Position.state_hash  # a save without a log has no journal
            assert same(loaded) == same(position), choice
            for each in (position, loaded):
                for number, _ in enumerate(decisions(each, 5)):
                    if number == 40:
                        break
            assert same(loaded) == same(position), choice

    def test_what_is_no_save_is_refused(self, game: Game) -> None:
        for text in ("", "{}", "[]", "17"):
            with pytest.raises(BadSave):
                game.from_json(text)
