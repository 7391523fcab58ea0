"""Scopes: which names mean what, where. And what every part of the analysis shares."""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import Factory, define, evolve

from rulescript import nodes as n
from rulescript.diagnostics import Label, Reporter
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.model import ir
from rulescript.model.game import Game, Kind
from rulescript.model.types import (
    BOOL,
    ERROR,
    INT,
    TEXT,
    ListOf,
    Maybe,
    PieceOf,
    Pile,
    SetOf,
    ThingOf,
    Type,
    say,
)
from rulescript.source import Span

__all__ = ["HIGHEST_MEMBER", "LARGEST", "Base", "Scope", "first_line", "instead"]

# What other languages call it.
_OTHER_WORDS = {
    "boolean": "bool", "integer": "int", "string": "text", "str": "text", "float": "int", "array": "list",
    "len": "count", "length": "count", "size_of": "count", "number_of": "count", "total": "sum", "maximum": "max",
    "minimum": "min", "absolute": "abs", "sort": "sorted", "name_of": "label",
}  # fmt: skip
LARGEST = 10**12
HIGHEST_MEMBER = 4_095


def first_line(span: Span) -> Span:
    """The first line of what may be a long declaration or statement: enough to point at."""
    source = span.source
    end = min(span.end, source.line_end(span.line))
    text = source.text[span.start : end]
    # Comments and the space before them are no part of it.
    return source.span(span.start, span.start + len(_CODE.match(text).group().rstrip()))  # type: ignore[union-attr]


_CODE = re.compile(r'(?:"(?:\\.|[^"\\])*"|[^"#]|"[^"]*$)*')


@define
class Scope:
    """Names bound so far; `elements` are the filters we are inside of, innermost last.

    `known` are the paths that were seen not to be nothing. `on` says of names (by number) in which kind of thing
    they were seen to stand, and after how many moves: with the next one it is forgotten."""

    names: dict[str, ir.Var] = Factory(dict)
    elements: list[ir.Var] = Factory(list)
    chooser: ir.X | None = None
    this: tuple[Kind, int] | None = None
    pure: bool = True
    in_loop: bool = False
    returns: Type | None = None
    procedure: str = ""
    known: frozenset[str] = frozenset()
    on: dict[int, tuple[str, int]] = Factory(dict)

    def type_of(self, var: ir.Var) -> Type:
        """What a name is known to be here."""
        holder, moves = self.on.get(var.ident, ("", -1))
        if moves == var.moves and isinstance(var.type, PieceOf | ThingOf):
            return evolve(var.type, holder=holder)
        return var.type

    def learn(self, other: Scope) -> None:
        """Take over what was found out in another scope."""
        self.known, self.on = other.known, other.on

    def inner(self) -> Scope:
        return Scope(
            dict(self.names),
            list(self.elements),
            self.chooser,
            self.this,
            self.pure,
            self.in_loop,
            self.returns,
            self.procedure,
            self.known,
            dict(self.on),
        )


class _Speaking:
    """For a while, another text speaks. It is entered for every line of a game, so it is written out in full."""

    __slots__ = ("base", "before", "now")

    def __init__(self, base: Base, origin: str, cites: tuple[str, ...]) -> None:
        self.base = base
        self.now = (origin, cites, cites)

    def __enter__(self) -> None:
        base = self.base
        self.before = (base.origin, base.default_cites, base.rule_cites)
        base.origin, base.default_cites, base.rule_cites = self.now

    def __exit__(self, *problem: object) -> None:
        self.base.origin, self.base.default_cites, self.base.rule_cites = self.before


class Base:
    """What every part of the analysis shares: the model being made, the reporter, and who is speaking."""

    def __init__(self, game: Game, reporter: Reporter) -> None:
        self.game = game
        self.reporter = reporter
        self.origin = ""
        self.default_cites: tuple[str, ...] = ()
        self.rule_cites: tuple[str, ...] = ()
        self.first_origins: dict[str, str] = {}
        # What a `remove` took away, and where it stands.
        self.removed: dict[str, Span] = {}
        self._vars = 0
        # Whether a text is read again, for another kind: what was said of it is not said again.
        self.reading_again = False
        self._unknown_kinds: set[str] = set()
        # What could not be declared because of something unknown in it, which was told already.
        self.lost: set[str] = set()
        self.players_unclear = False
        self.counts_unclear = False
        # Things with a fact that could not be understood, by kind and number.
        self.unclear: set[tuple[str, int]] = set()

    # -------------------------------------------------------------- reporting

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

    def unknown(self, what: str, name: str, span: Span, names: Iterable[str], code: str = "RS101") -> None:
        if name in self.lost:
            return
        known = list(names)
        hint = spelling_hint(name, known)
        if hint is None and _OTHER_WORDS.get(name.lower()) in known:
            hint = f"did you mean `{_OTHER_WORDS[name.lower()]}`?"
        if hint is None and re.fullmatch(r"\d*d\d+", name):
            hint = f"roll it first, on a line of its own: `roll {name} as rolled`"
        self.error(code, f"there is no {what} `{name}`", span, "unknown", hint, self.removal_of(name))

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

    # -------------------------------------------------------------- making

    def var(self, name: str, type_: Type, role: str) -> ir.Var:
        self._vars += 1
        return ir.Var(name, type_, role, self._vars)

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


def instead(wanted: str, given: Type, text: str) -> str | None:
    """What to write where a value is of another sort than is needed, if there is one thing to write."""
    one = text if "\n" not in text and len(text) < 40 else "..."
    if wanted == "a number":
        if given == BOOL:
            if one in ("yes", "no"):
                return f"write `{1 if one == 'yes' else 0}`"
            return f"write `if {one} then 1 else 0`"
        if isinstance(given, SetOf | ListOf | Pile):
            return f"write `count({one})` for how many they are"
        if given == TEXT and re.fullmatch(r'"\d+"', one):
            return f"write {one[1:-1]} without quotes"
    if wanted in ("yes or no", "a condition"):
        if given == INT:
            return f"write a comparison, such as `{one} > 0`"
        if isinstance(given, SetOf | ListOf | Pile):
            return f"write `some {one}` or `none {one}`"
        if isinstance(given, Maybe):
            return f"write `{one} != nothing`"
        if isinstance(given, ThingOf | PieceOf):
            return f"write a comparison, such as `{one} == ...`"
    return None
