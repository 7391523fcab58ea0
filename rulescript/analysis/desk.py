"""The desk at which all parts of the analysis report: the model being made, the reporter, and who is speaking."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulescript import nodes as n
from rulescript.analysis.scope import LARGEST, first_line, instead
from rulescript.diagnostics import Label, Reporter
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import ir
from rulescript.model.game import (
    Game,
    Kind,
)
from rulescript.model.types import (
    ERROR,
    Type,
    say,
)  # fmt: skip  # fmt: skip
from rulescript.source import Span

__all__ = ["NEVER_NAMES", "Desk", "asked_before"]

# What other languages call it.
_OTHER_WORDS = {
    "boolean": "bool", "integer": "int", "string": "text", "str": "text", "float": "int", "array": "list",
    "len": "count", "length": "count", "size_of": "count", "number_of": "count", "total": "sum", "maximum": "max",
    "minimum": "min", "absolute": "abs", "sort": "sorted", "name_of": "label",
}  # fmt: skip
_CHANCE = "chance is a roll or a draw, on a line of its own: `roll d6 as rolled`, `draw 1 from ... as drawn`"
_TOLD = 'write `tell "..."`, with values in braces'
# What other languages have and this one says in another way.
_OTHER_WAYS = {
    "range": "numbers in a row are written `1..6`; to do something so often, `repeat 3 times`",
    "print": _TOLD, "log": _TOLD, "message": _TOLD, "random": _CHANCE, "randint": _CHANCE, "rand": _CHANCE,
    "roll": _CHANCE, "dice": _CHANCE, "die": _CHANCE, "draw": _CHANCE,
    "self": "in a filter it is called `it`, under a card `this`, elsewhere by the name of the parameter",
    "pass": "what does nothing needs no line: take this away, and what it stands under",
    "any": "write `some ...`", "exists": "write `some ...`", "all": "write `every x in ...: ...`",
    "home": "what goes home is moved without `to`: `move ... home`",
    "deal": "cards are dealt with `draw 1 from ... to ...`", "discard": "a card is discarded with `move ... to ...`",
}  # fmt: skip


_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

# What expressions call by these words is never anything else.
NEVER_NAMES = frozenset({"it", "this", "place"})


class Desk:
    """What every part of the analysis shares."""

    def __init__(self, game: Game, reporter: Reporter) -> None:
        self.game = game
        self.reporter = reporter
        self.origin = ""
        self.default_cites: tuple[str, ...] = ()
        self.rule_cites: tuple[str, ...] = ()
        self.first_origins: dict[str, str] = {}
        # What a `remove` took away, and where it stands.
        self.removed: dict[str, Span] = {}
        self.vars = 0
        # Whether a text is read again, for another kind: what was said of it is not said again.
        self.reading_again = False
        self._unknown_kinds: set[str] = set()
        # What could not be declared because of something unknown in it, which was told already.
        self.lost: set[str] = set()
        # Whether what is read now may use names that the line of its kind should give it, as was told already.
        self.is_unnamed = False
        # The results of rolls that were given no name here, as was told: how many, and by which names they are called.
        self.unnamed_results = 0
        # Procedures that `return` something, though they do not say so, which is told there.
        self.giving_back: set[str] = set()
        self._names_of_results: set[str] = set()
        # What was tested, and may have become nothing since by what.
        self.doubted: dict[Span, str] = {}
        self.players_unclear = False
        self.counts_unclear = False
        # Things with a fact that could not be understood, by kind and number.
        self.unclear: set[tuple[str, int]] = set()

    def speaking(self, origin: str, cites: tuple[str, ...] = ()) -> _Speaking:
        """Names resolve as the text of `origin` sees them; messages name the rule `cites`."""
        return _Speaking(self, origin, cites)

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        label: str = "",
        hint: str | None = None,
        others: Iterable[Label] = (),
        rests_on: Iterable[str] = (),
    ) -> None:
        place = first_line(span) if "\n" in span.text or "#" in span.text else span
        if self.reading_again and self.reporter.has_said(code, place):
            return
        self.reporter.error(code, message, place, label, others, hint, self.rule_line(), rests_on)

    def rule_line(self) -> str | None:
        """The nearest citation, with the title the rulebook index gives it."""
        for ident in self.rule_cites:
            line = self.game.rulebook.get(ident)
            return f"§{ident} {line.title}" if line else f"§{ident}"
        return None

    def unknown(
        self, what: str, name: str, span: Span, names: Iterable[str], code: str = "RS101", otherwise: str | None = None
    ) -> None:
        """A name that nothing has; `otherwise` is the hint if nothing is spelt nearly like it."""
        if name in self.lost or (self.is_unnamed and what == "name"):
            return
        if what == "name" and (name in self._names_of_results or self._is_of_a_result(name)):
            return
        known = list(names)
        hint = spelling_hint(name, known)
        if hint is None and _OTHER_WORDS.get(name.lower()) in known:
            hint = f"did you mean `{_OTHER_WORDS[name.lower()]}`?"
        if hint is None and otherwise is None:
            hint = _OTHER_WAYS.get(name.lower())
        if hint is None and name.lower() in _NUMBERS:
            hint = f"numbers are written in digits: `{_NUMBERS.index(name.lower())}`"
        if hint is None and re.fullmatch(r"\d*d\d+", name):
            hint = f"roll it first, on a line of its own: `roll {name} as rolled`"
        self.error(code, f"there is no {what} `{name}`", span, "unknown", hint or otherwise, self.removal_of(name))

    def _is_of_a_result(self, name: str) -> bool:
        if len(self._names_of_results) >= self.unnamed_results:
            return False
        self._names_of_results.add(name)
        return True

    def forget_results(self) -> None:
        """Another rule begins."""
        self.unnamed_results = 0
        self._names_of_results = set()

    def is_word(self, name: n.Name, *others: str) -> bool:
        """Whether a name that something is to have is a word of the language; that is said here."""
        if name.text not in NEVER_NAMES and name.text not in others:
            return False
        self.error("RS106", f"`{name}` is a word of the language", name.span)
        return True

    def removal_of(self, name: str) -> list[Label]:
        """Where something that is still named was taken away."""
        return [Label(self.removed[name], "taken away here")] if name in self.removed else []

    def mismatch(self, wanted: str, given: Type, span: Span, code: str = "RS201", hint: str | None = None) -> None:
        if given != ERROR:
            text = span.text.strip()
            shown = f"`{text}`" if "\n" not in text and len(text) < 50 else "this"
            message = f"{shown} is {say(given)}, but {wanted} is needed here"
            self.error(code, message, span, f"expected {wanted}", hint or instead(wanted, given, text))

    def small(self, value: int, span: Span) -> int:
        """A number as a game may have it; larger ones only fill the machine."""
        if value <= LARGEST:
            return value
        self.error("RS201", f"numbers go up to {LARGEST}", span, "too large")
        return 0

    def var(self, name: str, type_: Type, role: str) -> ir.Var:
        self.vars += 1
        return ir.Var(name, type_, role, self.vars)

    def bad(self, span: Span) -> ir.X:
        """An expression that could not be understood; it silences what follows from it."""
        return ir.Lit(ERROR, span, None)

    def cited(self, cites: tuple[str, ...]) -> tuple[str, ...]:
        return cites or self.default_cites

    def visible(self, origin: str) -> bool:
        """Whether text speaking now may use something declared by `origin`.

        A rule never sees what an option adds, or a game that builds on its own, so these cannot capture its
        names. Who is not a part of the game (an example, a question) sees everything."""
        depth, is_option = self.game.levels.get(origin, (0, False))
        own_depth, own_is_option = self.game.levels.get(self.origin, (depth, True))
        return depth <= own_depth and (own_is_option or not is_option)

    def kind_named(self, name: n.Name | str, span: Span | None = None) -> Kind | None:
        text = str(name)
        kind = self.game.kinds.get(text)
        if kind is None and text not in self._unknown_kinds:
            # Every line of a list would say the same.
            self._unknown_kinds.add(text)
            place = name.span if isinstance(name, n.Name) else span
            assert place is not None
            self.unknown("kind", text, place, self.game.kinds)
        return kind


def asked_before(name: str) -> str:
    """The rule that is asked of several, where others write it behind a dot: `units.length`."""
    return _OTHER_WORDS.get(name.lower(), name)


class _Speaking:
    """For a while, another text speaks. It is entered for every line of a game, so it is written out in full."""

    __slots__ = ("base", "before", "now")

    def __init__(self, base: Desk, origin: str, cites: tuple[str, ...]) -> None:
        self.base = base
        self.now = (origin, cites, cites)

    def __enter__(self) -> None:
        base = self.base
        self.before = (base.origin, base.default_cites, base.rule_cites)
        base.origin, base.default_cites, base.rule_cites = self.now

    def __exit__(self, *problem: object) -> None:
        self.base.origin, self.base.default_cites, self.base.rule_cites = self.before
