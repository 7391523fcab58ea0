"""What an example went through: the rules it depends on, with a digest of them, so that who keeps what came of it can
tell whether it would come out the same with other rules.

The generated code notes which procedures were entered, which choices begun and how they were answered
(`compiler/module.py`), the evaluator which functions it was asked for (`explain/evaluate.py`); what these ask for
counts too (`model/parts.py`). A claim that looks something up in the whole game says so (`Evaluator.note_any_rule`):
such an example is played again after every change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from rulescript.errors import RulescriptError
from rulescript.model.parts import Parts

if TYPE_CHECKING:
    from rulescript.claims.evaluate import ExampleEvaluator
    from rulescript.runtime.game import Game

__all__ = ["Need", "Noting", "is_met"]

# The options and scenario of a game, the rules that were gone through in it, and the digest of these.
Need = tuple[tuple[str, ...], str, tuple[str, ...], str]


class Noting:
    """The games that an example is played with."""

    def __init__(self) -> None:
        self._used: dict[int, tuple[Game, ExampleEvaluator, Sequence[str]]] = {}

    def use(self, game: Game, evaluator: ExampleEvaluator, procedures: Sequence[str]) -> None:
        """A game that is played with from here on."""
        if id(game) not in self._used:
            self._used[id(game)] = (game, evaluator, procedures)
            game.code["ENTERED"].clear()
            evaluator.asked.clear()

    def needs(self, parts: Callable[[tuple[str, ...], str], Parts]) -> list[Need]:
        """What came of it needs; to be asked when all of it was told, since words are made when they are read."""
        out: list[Need] = []
        for game, evaluator, procedures in self._used.values():
            key = (tuple(game.data.options), str(game.data.scenario))
            entered = {procedures[number] for number in game.code["ENTERED"]}
            said = parts(*key)
            rules = tuple(sorted(said.closed(entered | evaluator.asked)))
            out.append((*key, rules, said.digest(rules)))
        return out


def is_met(needs: Iterable[Need], parts: Callable[[tuple[str, ...], str], Parts]) -> bool:
    """Whether all that was gone through is as it was."""
    try:
        return all(
            digest and parts(options, scenario).digest(rules) == digest for options, scenario, rules, digest in needs
        )
    except RulescriptError:  # a game that cannot be made any more
        return False
