"""What an example says, line by line: the result of `parse.py`, read by `given.py`, `play.py` and
`expect.py`.

Names are not looked up yet: a step keeps the stretch of text it was written as, so that whoever finds out
that there is no such space can point at it.
"""

from __future__ import annotations

from attrs import Factory, define, frozen

from rulescript.source import Span

__all__ = [
    "Asks",
    "Assume",
    "At",
    "Body",
    "Case",
    "Chance",
    "Change",
    "Claim",
    "Condition",
    "Dice",
    "Draw",
    "Entry",
    "Expect",
    "Given",
    "Has",
    "IsEmpty",
    "Item",
    "Journal",
    "Legal",
    "NeverAsks",
    "Outcomes",
    "OutcomeIs",
    "Plan",
    "Play",
    "Run",
    "RunTo",
    "Say",
    "Seed",
    "Setting",
    "Shuffle",
    "Try",
    "With",
]


@frozen
class Step:
    """Any part of an example. `span` is the line or the part of it."""

    span: Span


# ------------------------------------------------------------------ the position


@frozen
class Change(Step):
    """Something about the position that an example lays down."""


@frozen
class Item(Change):
    """``Mill: 2 Ruritanian infantry`` or ``hand: Raid``: one item, with the names before its colons.

    `follows` is set when it continues the line before it, whose subject it shares if it names none."""

    heads: tuple[Span, ...]
    text: Span
    follows: bool


@frozen
class Setting(Change):
    """``Mill.control = Blue``: a state and an expression."""

    target: Span
    value: Span


@frozen
class At(Change):
    """``at movement``: the phase that has just begun."""

    phase: Span


@frozen
class Run(Change):
    """``run battle(Mill)``: the procedure that has just begun."""

    call: Span


@frozen
class Seed(Change):
    """``seed 7``: for what a set-up leaves to chance."""

    number: int


@frozen
class Given(Step):
    """``given setup``, ``empty``, ``scenario X`` or ``like "another example"``, and what differs from it."""

    base: str
    name: str
    name_span: Span
    changes: tuple[Change, ...]


@frozen
class With(Step):
    """``with options a, b``, ``with scenario x``, ``with players 3``."""

    what: str
    names: tuple[Span, ...]


@frozen
class Assume(Step):
    """``assume losses(2, ...) = 3``: `args` None stands for any arguments, a None among them for any one."""

    name: Span
    args: tuple[Span | None, ...] | None
    value: Span


# ------------------------------------------------------------------ play


@frozen
class Entry(Step):
    """A line of a play block."""


@frozen
class Say(Entry):
    """``Blue: move infantry to Mill``. `player` is None where the line does not say who."""

    player: Span | None
    words: Span


@frozen
class Chance(Entry):
    """Something that chance decides. `label` is free text, or a rule number or the name of a roll to be
    checked."""

    label: Span | None


@frozen
class Dice(Chance):
    """``dice 1 3 3``"""

    values: tuple[int, ...]


@frozen
class Draw(Chance):
    """``draw 2 Ruritanian infantry, Raid``: by type, in any order."""

    items: tuple[tuple[int, Span], ...]


@frozen
class Shuffle(Chance):
    """``shuffle Raid, Feint``: what lies on top afterwards, first to last; the rest stays in order."""

    items: tuple[Span, ...]


@frozen
class NeverAsks(Entry):
    """``never asks reroll``: from here to the end of the block."""

    name: Span


@frozen
class RunTo(Entry):
    """``run to movement passing``, ``run to end``. `any_chance`: dice not scripted come from the seed."""

    phase: Span
    passing: bool
    any_chance: bool


# ------------------------------------------------------------------ expectations


@frozen
class Claim(Entry):
    """A line of an expect block. (An `asks` may stand in a play block too, hence an entry.)"""

    cites: tuple[str, ...]


@frozen
class Condition(Claim):
    """Any expression of the language that is yes or no."""

    text: Span


@frozen
class Has(Claim):
    """``Blue.box has 2 Ruritanian infantry``; `exactly` when there must be nothing else."""

    place: Span
    exactly: bool
    items: tuple[Span, ...]


@frozen
class Sees(Claim):
    """``Red sees Blue.hand: 3 cards``, ``Red does not see Blue.hand: Raid``; no items: all of it, or none."""

    who: Span
    place: Span
    items: tuple[Span, ...]
    negated: bool


@frozen
class IsEmpty(Claim):
    place: Span
    negated: bool


@frozen
class OutcomeIs(Claim):
    """``outcome is Blue wins``, ``outcome is draw``, ``outcome is open``."""

    text: Span


@frozen
class Asks(Claim):
    """``asks Blue move``: the next decision. `negated` for ``not asks``."""

    text: Span
    negated: bool


@frozen
class Legal(Claim):
    """``legal r for move, t = infantry in Mill exactly {Ford, Bridge}``"""

    var: Span
    fixed: tuple[tuple[Span, Span], ...]
    labels: tuple[Span, ...]
    relation: str
    items: tuple[Span, ...]
    count: int


@frozen
class Try(Claim):
    """``try Blue: move infantry to Mill then Red: pass -> refused by §4.6.3``

    `verdict` is allowed, refused or not asked."""

    steps: tuple[Entry, ...]
    verdict: str
    by: tuple[str, ...]
    because: str


@frozen
class Journal(Claim):
    """``journal mentions §4.6``, ``journal mentions "no retreat"``"""

    ident: str
    text: str
    negated: bool


@frozen
class Outcomes(Claim):
    """``outcomes of battle over count(Mill.units) exactly {1, 2}``"""

    phase: Span
    value: Span
    relation: str
    items: tuple[Span, ...]


@frozen
class Play(Step):
    entries: tuple[Entry, ...]


@frozen
class Expect(Step):
    claims: tuple[Claim, ...]


Body = tuple[Play | Expect, ...]


@frozen
class Case(Step):
    """``case "b": but Mill: 3 Ruritanian infantry``: the given of its example with changes, and its own
    play."""

    title: str
    changes: tuple[Change, ...]
    assumes: tuple[Assume, ...]
    withs: tuple[With, ...]
    body: Body


@define
class Plan:
    """A whole example."""

    title: str
    span: Span
    cites: tuple[str, ...]
    withs: list[With] = Factory(list)
    given: Given | None = None
    assumes: list[Assume] = Factory(list)
    # What is played before each case.
    opening: list[Play | Expect] = Factory(list)
    body: list[Play | Expect] = Factory(list)
    cases: list[Case] = Factory(list)

    def body_of(self, case: Case | None) -> Body:
        """What is played and expected in a case (None: in the example itself), from the given position on."""
        return (*self.opening, *(case.body if case is not None else self.body))
