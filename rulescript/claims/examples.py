"""The examples of a game's text: where they stand, what they need, and what their lines say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from attrs import frozen

from rulescript import nodes as n
from rulescript.analysis.analyse import options_of, pieces_of
from rulescript.claims import steps as s
from rulescript.claims.parse import parse_example
from rulescript.claims.problems import ClaimUnclear
from rulescript.diagnostics import Diagnostic, Reporter
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.loader import GameText, Piece
from rulescript.source import Span

__all__ = ["Examples", "Found", "option_named", "scenario_named"]


@frozen
class Found:
    """An example, where it was found: the options it needs, the file it stands in."""

    example: n.Example
    cites: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    scenario: str = ""


class Examples:
    """The examples of a text, and of an outside file beside it. Nothing is compiled for what their lines say."""

    def __init__(self, text: GameText, extra: Sequence[Piece] = ()) -> None:
        self.text = text
        self.extra = tuple(extra)
        self._plans: dict[str, tuple[s.Plan, Found]] | None = None
        self._read: dict[int, tuple[Found, s.Plan, list[Diagnostic]]] = {}

    @cached_property
    def options(self) -> tuple[dict[str, n.OptionDecl], dict[str, n.OptionDecl]]:
        """The options and the scenarios there are."""
        return options_of(self.text)

    @cached_property
    def index(self) -> frozenset[str]:
        """The numbers of the rulebook, also those that options add."""
        declared = [piece.declaration for piece in pieces_of(self.text)]
        declared += [inner for d in declared if isinstance(d, n.OptionDecl | n.WithDecl) for inner in d.declarations]
        return frozenset(line.ident for d in declared if isinstance(d, n.Rulebook) for line in d.lines)

    def found(self, only_extra: bool = False) -> list[Found]:
        """The examples, those inside options and scenarios with what they need."""
        pieces = self.extra if only_extra else pieces_of(self.text)
        out: list[Found] = []
        for piece in pieces:
            decl = piece.declaration
            if isinstance(decl, n.Remove):
                out = _without(out, decl)
            elif isinstance(decl, n.Example):
                out.append(Found(decl, piece.cites))
            elif isinstance(decl, n.OptionDecl):
                has_any = any(isinstance(inner, n.Example) for inner in decl.declarations)
                needs = self._needs(decl.name.text) if has_any else ()
                for inner in decl.declarations:
                    if isinstance(inner, n.Remove):
                        out = _without(out, inner, {decl.name.text})
                    elif isinstance(inner, n.Example):
                        scenario = decl.name.text if decl.is_scenario else ""
                        out.append(Found(inner, decl.cites or piece.cites, needs, scenario))
            elif isinstance(decl, n.WithDecl):
                chosen = [name.text for name in decl.names]
                needs = tuple(dict.fromkeys(x for name in chosen for x in self._needs(name)))
                scenario = next((name for name in chosen if name in self.options[1]), "")
                for inner in decl.declarations:
                    if isinstance(inner, n.Remove):
                        out = _without(out, inner, set(chosen))
                    elif isinstance(inner, n.Example):
                        out.append(Found(inner, decl.cites or piece.cites, needs, scenario))
        return out

    def _needs(self, name: str) -> tuple[str, ...]:
        """An option and the options it needs."""
        options, scenarios = self.options
        seen: dict[str, None] = {}
        todo = [name]
        while todo:
            here = todo.pop()
            option = options.get(here) or scenarios.get(here)
            if here in seen or option is None:
                continue
            seen[here] = None
            todo += [r.name.text for r in option.rules if r.form == "needs" and r.name is not None]
        return tuple(x for x in seen if x in options)

    def read(self, found: Found) -> tuple[s.Plan, list[Diagnostic]]:
        """The steps of an example, and what of it cannot be read."""
        known = self._read.get(id(found.example))
        if known is None or known[0].cites != found.cites:
            reporter = Reporter()
            plan = parse_example(found.example, reporter, found.cites, self.index)
            known = self._read[id(found.example)] = (found, plan, reporter.diagnostics)
        return known[1:]

    def plan(self, title: str, span: Span) -> tuple[s.Plan, Found]:
        """Another example, for `given like`."""
        if self._plans is None:
            self._plans = {}
            for found in self.found():
                self._plans.setdefault(found.example.title, (self.read(found)[0], found))
        if title not in self._plans:
            raise ClaimUnclear(
                f'there is no example "{title}"', span, "unknown", spelling_hint(title, list(self._plans))
            )
        return self._plans[title]


def _without(found: list[Found], remove: n.Remove, chosen: Collection[str] = ()) -> list[Found]:
    """The examples that stay when one is removed; if that stands in an option, only where it is played with it."""
    title = remove.target[0].text
    return [f for f in found if f'"{f.example.title}"' != title or not {*chosen} <= {*f.options, f.scenario}]


def option_named(name: Span, known: Iterable[str]) -> str:
    """The option that words of an example mean; with a minus, one that is left out."""
    ident = name.text.replace(" ", "_")
    if ident.removeprefix("-") not in known:
        hint = spelling_hint(ident.removeprefix("-"), list(known)) or _listed("options", known)
        raise ClaimUnclear(f"there is no option `{name.text.removeprefix('-')}`", name, "unknown", hint)
    return ident


def _listed(what: str, known: Iterable[str]) -> str:
    names = list(known)
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return f"the {what} are {', '.join(names[:12])}{more}" if names else f"this game has no {what}"


def scenario_named(name: Span, known: Iterable[str], ident: str = "") -> str:
    """The scenario that words of an example mean."""
    ident = ident or name.text.replace(" ", "_")
    if ident not in known:
        hint = spelling_hint(ident, list(known)) or _listed("scenarios", known)
        raise ClaimUnclear(f"there is no scenario `{ident}`", name, "unknown", hint)
    return ident
