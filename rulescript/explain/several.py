"""What speaks against a line that picks several at once: ``lose 2 infantry, 1 gun``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from rulescript.calls import is_number
from rulescript.explain.assignments import OUTSIDE, Assignments, names_in
from rulescript.explain.env import Env, source_text
from rulescript.explain.failed_clauses import Judge
from rulescript.explain.naming import Line, Namer
from rulescript.model import ir
from rulescript.model.types import Pile, SetOf, element_of
from rulescript.reasons import FailedClause

if TYPE_CHECKING:
    from rulescript.runtime.position import Position

__all__ = ["Several"]

# What a part of a line may mean, how many of it, and its words.
Item: TypeAlias = tuple[tuple[Any, ...], int, str]


class Several:
    """The lists of one line, against what can be picked."""

    def __init__(self, position: Position, judge: Judge, judging: Assignments) -> None:
        self.position = position
        self.game = position.game
        self.judge = judge
        self.eyes = judge.eyes
        self.judging = judging

    def items(self, alt: ir.Alt, what: str) -> list[Item]:
        """``lose 2 infantry, 1 gun``: what may be meant, how many, and the words."""
        assert alt.many is not None
        source = alt.many[3]
        element = element_of(source.type)
        assert element is not None
        available = self._available(source, Env.of())
        out = []
        for count, phrase in _counted(what):
            found = Namer(self.eyes).candidates(element, Line.of(phrase))
            if found:
                best = max(found, key=lambda n: (len(n.places), sum(v in available for v in n.values)))
                out.append((best.values, count, best.absent or phrase.strip()))
        return out

    def _chosen(self) -> tuple[Any, ...]:
        """What was picked before in a choice of several."""
        info = self.game.data.decisions[self.position.d]
        if not (info.stage and info.is_many and info.previous):
            return ()
        return tuple(self.position.s[info.previous[-1][1]])

    def without_chosen(self, items: Sequence[Item]) -> list[Item] | None:
        """A list that names what was picked before too, without it; None if it does not."""
        chosen = self._chosen()
        left = list(items)
        for value in chosen:
            at = next((i for i, (values, count, _) in enumerate(left) if value in values and count), -1)
            if at < 0:
                return None
            left[at] = (left[at][0], left[at][1] - 1, left[at][2])
        return [item for item in left if item[1]] if chosen else None

    def failing(self, alt: ir.Alt, items: Sequence[Item]) -> list[FailedClause]:
        """Several at once: enough of each, not too many in all, and allowed to be asked."""
        assert alt.many is not None
        mode, amount, var, source = alt.many
        env = Env.of()
        chosen = self._chosen()
        whole = [clause for clause in alt.clauses if var.ident in names_in(clause)]
        failed = self.judge.check([clause for clause in alt.clauses if clause not in whole], env)
        available = self._available(source, env)
        for value in chosen:
            available[value] = available.get(value, 0) - 1
        for values, count, said in items:
            failed += self._enough(alt, source, available, values, count, said)
        total = sum(count for _, count, _ in items)
        if failed or not total:
            return failed
        if whole:
            named = [v for values, count, _ in items for v in self._taken(available, values, count)]
            selection = (*chosen, *named)
            value = sum(1 << i for i in set(selection)) if isinstance(var.type, SetOf) else selection
            failed += self.judge.check(whole, env.also((var, value)))
        if amount is not None and mode != "any":
            most = self.eyes.value(amount, env) - len(chosen)
            if mode == "exactly":
                most = min(most, sum(n for n in available.values() if n > 0))
            if total > most or (mode == "exactly" and total < most):
                word = "exactly" if mode == "exactly" else "at most"
                values_seen = ((source_text(amount), str(most)), ("named", str(total)))
                be = "is" if total == 1 else "are"
                failed.append(
                    FailedClause(
                        f"{word} {most} are chosen",
                        f"{total} {be} named, but {word} {most} can be chosen",
                        alt.cites,
                        "",
                        source_text(amount),
                        values_seen,
                    )
                )
        return failed

    @staticmethod
    def _taken(available: dict[Any, int], values: tuple[Any, ...], count: int) -> list[Any]:
        """So many of what a phrase may mean, as far as they are there."""
        out: list[Any] = []
        for value in values:
            out += [value] * min(max(0, available.get(value, 0)), count - len(out))
        return out

    def _enough(
        self,
        alt: ir.Alt,
        source: ir.X,
        available: dict[Any, int],
        values: tuple[Any, ...],
        count: int,
        said: str,
    ) -> list[FailedClause]:
        env = Env.of()
        element = element_of(source.type)
        assert element is not None
        inside = [v for v in values if v in available]
        have = sum(max(0, available[v]) for v in inside)
        if have >= count:
            return []
        if self.judging.is_veiled(source, env):
            return [self.judging.unseen(alt, said)]
        name = self.eyes.words((inside or list(values))[0], element) if values else said
        if not inside:
            among = self.eyes.speaker(source, env).among(source)
            through = self.judging.reasons(values[0], element, source, env) if values else ()
            return [
                FailedClause(
                    f"{name} is one of {among}",
                    f"{name} is not one of {among}",
                    alt.cites,
                    OUTSIDE,
                    source_text(source),
                    through=through,
                )
            ]
        fact = f"there {'is' if have == 1 else 'are'} only {have} of {name}"
        seen = (("there", str(have)), ("named", str(count)))
        return [FailedClause(f"there are {count} of {name}", fact, alt.cites, OUTSIDE, source_text(source), seen)]

    def _available(self, source: ir.X, env: Env) -> dict[Any, int]:
        if isinstance(source.type, Pile):
            out: dict[Any, int] = {}
            for ref in self.eyes.refs(source, env):
                kind = source.type.kind
                pile = dict(self.game.values.pile(kind, self.position.s[ref >> self.game.values.shift]))
                out[ref] = pile.get(ref & self.game.values.low, 0)
            return out
        return dict.fromkeys(self.eyes.refs(source, env), 1)


def _counted(text: str) -> list[tuple[int, str]]:
    """``lose 2 infantry, 1 gun`` -> how many of what."""
    out: list[tuple[int, str]] = []
    for part in text.replace(" and ", ",").replace(":", ",").replace(";", ",").split(","):
        count = 1
        kept: list[str] = []
        for word in part.split():
            if is_number(word) and int(word) < 1000:
                count = int(word)
            else:
                kept.append(word)
        if kept:
            out.append((count, " ".join(kept)))
    return out
