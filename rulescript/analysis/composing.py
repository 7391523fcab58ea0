"""Which declarations are in force: games that build on each other, options, replacements.

What is not chosen is left out before anything is read, so it costs nothing later; what is replaced or removed never
reaches the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from attrs import evolve

from rulescript import nodes as n
from rulescript.analysis.active import Active
from rulescript.analysis.desk import Desk
from rulescript.analysis.eithers import (
    MOST_VERSIONS,
    eithers_of,
    versions_of,
)
from rulescript.analysis.ordering import comes_later
from rulescript.analysis.part import Part
from rulescript.analysis.scope import first_line
from rulescript.circles import circles
from rulescript.diagnostics import Label
from rulescript.diagnostics.spelling import spelling_hint

if TYPE_CHECKING:
    from rulescript.loader import GameText

__all__ = ["Composing"]

_RULES = (n.FunctionDecl, n.PredicateDecl, n.TableDecl, n.RouteDecl, n.ProcedureDecl, n.SignalDecl)


# So many rules are written out for parameters of several kinds, in all.
MOST_WRITTEN_OUT = 10_000


class Composing(Part):
    """Puts together what is in force."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._listed_by: dict[str, str] = {}
        # What was taken away, and by a text of which level.
        self.removed_at: dict[str, tuple[int, bool]] = {}

    def note_levels(self, chain: Sequence[GameText]) -> None:
        """Who comes before whom: the games that build on each other, and where each option was declared."""
        for depth, game in enumerate(chain):
            self.game.levels[_origin_of(game, depth)] = (depth, False)
            here: dict[str, n.OptionDecl] = {}
            for piece in game.pieces:
                option = piece.declaration
                if not isinstance(option, n.OptionDecl):
                    continue
                old = here.setdefault(option.name.text, option)
                if old is not option:
                    self.error(
                        "RS102", f"`{option.name}` is declared twice", option.name.span, "declared again",
                        others=[Label(old.name.span, "first declared here")],
                    )  # fmt: skip
                self.game.levels[option.name.text] = (depth, True)

    def check_relations(self) -> None:
        both = {**self.game.all_options, **self.game.all_scenarios}
        for option in both.values():
            self.desk.is_word(option.name)
            for rule in option.rules:
                if rule.name is not None and rule.name.text not in both:
                    self.error(
                        "RS111", f"there is no option `{rule.name}`", rule.name.span, "unknown",
                        spelling_hint(rule.name.text, list(both)) or _listed(both),
                    )  # fmt: skip
                elif rule.name is not None and rule.name.text == option.name.text:
                    self.error("RS309", f"`{option.name}` {rule.form} itself", rule.name.span)
        for part in self.game.all_parts:
            for one in part.names:
                if one.text not in both:
                    self.error(
                        "RS111", f"there is no option `{one}`", one.span, "unknown",
                        spelling_hint(one.text, list(both)) or _listed(both),
                    )  # fmt: skip
                    continue
                for two in part.names:
                    if two.text in _named(both[one.text], "excludes"):
                        self.error(
                            "RS309", f"`{one}` excludes `{two}`, so this is never in force", one.span,
                            others=[Label(both[one.text].name.span, "excluded here")],
                        )  # fmt: skip
        needs = {name: _named(option, "needs") for name, option in both.items()}
        rivals: dict[str, set[str]] = {}
        for name, option in both.items():
            for other in _named(option, "excludes"):
                rivals.setdefault(name, set()).add(other)
                rivals.setdefault(other, set()).add(name)
        bits = {name: 1 << at for at, name in enumerate(both)}
        reached = _reached(both, needs, bits) if rivals else {}
        for name, option in both.items():
            for other in sorted(o for o in rivals.get(name, ()) if reached[name] & bits.get(o, 0)):
                self.error(
                    "RS309", f"`{name}` needs `{other}` and excludes it", option.name.span,
                    others=[Label(both[other].name.span, "the other")],
                )  # fmt: skip

    def _chosen(self) -> list[n.OptionDecl]:
        """The chosen options in the order they were declared, later where they say so; the scenario last."""
        wanted = set(self.game.options)
        chosen = [o for name, o in self.game.all_options.items() if name in wanted]
        if self.game.scenario in self.game.all_scenarios:
            chosen.append(self.game.all_scenarios[self.game.scenario])
        number = {option.name.text: at for at, option in enumerate(chosen)}
        awaited = {at: {number[x] for x in _named(o, "after") if x in number} for at, o in enumerate(chosen)}
        followers: dict[int, list[int]] = {}
        for at, before in awaited.items():
            for other in before:
                followers.setdefault(other, []).append(at)
        ready = [at for at, before in awaited.items() if not before]
        done: list[n.OptionDecl] = []
        while awaited:
            # Where each waits for another, the first goes ahead.
            at = heappop(ready) if ready else next(iter(awaited))
            del awaited[at]
            done.append(chosen[at])
            for other in followers.get(at, ()):
                if other in awaited:
                    awaited[other].discard(at)
                    if not awaited[other]:
                        heappush(ready, other)
        return done

    def compose(self, chain: Sequence[GameText]) -> list[Active]:
        active: list[Active] = []
        for depth, game in enumerate(chain):
            origin = _origin_of(game, depth)
            for piece in game.pieces:
                if not isinstance(piece.declaration, (n.OptionDecl, n.WithDecl)):
                    active.append(Active(piece.declaration, piece.cites, origin))
        cites = {id(p.declaration): p.cites for game in chain for p in game.pieces}
        parts = self._parts(chain)
        done: set[str] = set()
        for option in self._chosen():
            default = option.cites or cites.get(id(option), ())
            active += [Active(d, default, option.name.text) for d in option.declarations]
            done.add(option.name.text)
            for part, origin in parts:
                wanted = {name.text for name in part.names}
                if option.name.text in wanted and wanted <= done:
                    default = part.cites or cites.get(id(part), ())
                    active += [Active(d, default, origin) for d in part.declarations]
        return self._replaced(active)

    def _parts(self, chain: Sequence[GameText]) -> list[tuple[n.WithDecl, str]]:
        """The further parts of options, and how the text of each is called. One of a single option of the same
        game speaks as the option itself. Where a game declares an option again, its base's parts go with the
        old one."""
        out: list[tuple[n.WithDecl, str]] = []
        for depth, game in enumerate(chain):
            for part in (p.declaration for p in game.pieces if isinstance(p.declaration, n.WithDecl)):
                names = tuple(dict.fromkeys(name.text for name in part.names))
                depths = [self.game.levels[name][0] for name in names if name in self.game.levels]
                if len(depths) < len(names) or max(depths) > depth:
                    continue
                origin = names[0]
                if len(names) > 1 or depths != [depth]:
                    origin = " and ".join([*names, *([_origin_of(game, depth)] if depth else [])])
                    self.game.levels[origin] = (depth, True)
                    self.game.parts_of[origin] = names
                out.append((part, origin))
        return out

    def _replaced(self, active: list[Active]) -> list[Active]:
        named: dict[str, int] = {}
        out: list[Active | None] = []
        for item in active:
            decl = item.declaration
            if isinstance(decl, n.Replace):
                inner = decl.declaration
                name = inner.name.text  # type: ignore[attr-defined]
                if name not in named:
                    names = list(named)
                    self.error(
                        "RS108", f"there is nothing called `{name}` to replace", inner.span, "unknown",
                        spelling_hint(name, names),
                    )  # fmt: skip
                    continue
                old = out[named[name]]
                assert old is not None
                if type(old.declaration) is not type(inner):
                    self.error("RS108", f"`{name}` is something else and cannot be replaced by this", inner.span)
                    continue
                self._replaced_twice(name, old, item)
                self.desk.first_origins.setdefault(name, old.origin)
                out[named[name]] = Active(_in_its_words(inner, old.declaration), item.cites, item.origin)
                continue
            if isinstance(decl, n.Remove):
                name = decl.target[0].text
                if name in named and len(decl.target) == 1:
                    out[named.pop(name)] = None
                    self.removed_at[name] = self.game.levels[item.origin]
                    self.desk.removed[name] = decl.span
                else:
                    self._nothing_to_remove(decl, item, named)
                continue
            if isinstance(decl, (*_RULES, n.AsideDecl, n.StateDecl, n.HoldsDecl)):
                named[decl.name.text] = len(out)
                self.removed_at.pop(decl.name.text, None)
            elif isinstance(decl, n.Invariant | n.Check | n.Example):
                named[f'"{decl.title}"'] = len(out)
            out.append(item)
        return [item for item in out if item is not None]

    def _nothing_to_remove(self, decl: n.Remove, item: Active, named: Iterable[str]) -> None:
        """What is removed is not there: it may stand in an option."""
        name = decl.target[0].text
        owners: list[tuple[n.OptionDecl | n.WithDecl, n.Declaration]] = []
        parts: list[n.OptionDecl | n.WithDecl] = [*self.game.all_options.values(), *self.game.all_scenarios.values()]
        for owner in (*parts, *self.game.all_parts):
            owners += [(owner, inner) for inner in owner.declarations if _called(inner) == name]
        if owners and all(isinstance(inner, n.Example) for _, inner in owners):
            return  # examples are run with the option they stand in, and left out there
        hint = spelling_hint(name, list(named))
        others: list[Label] = []
        if owners:
            owner, inner = owners[0]
            chosen = owner.name.text if isinstance(owner, n.OptionDecl) else ", ".join(x.text for x in owner.names)
            hint = f"it belongs to an option: write `with {chosen}`, and under it `remove {name}`"
            others.append(Label(first_line(inner.span), f"in `{chosen}`"))
        message = f"there is nothing called `{name}` to remove"
        self.error("RS108", message, decl.span, "unknown" if not owners else "not there without it", hint, others)

    def _replaced_twice(self, name: str, old: Active, item: Active) -> None:
        """Two that replace one rule need an order; one that was there before the other was written has it."""
        depth, is_option = self.game.levels[old.origin]
        later_depth, _ = self.game.levels[item.origin]
        if old.origin == item.origin or (not is_option and depth <= later_depth):
            return
        others = [Label(first_line(old.declaration.span), "the other one")]
        inner = item.declaration
        assert isinstance(inner, n.Replace)
        span = first_line(inner.declaration.span)
        if not is_option:
            what = "scenario" if item.origin == self.game.scenario else "option"
            self.error(
                "RS308", f"`{name}` is replaced by the {old.origin} and by the {what} `{item.origin}`", span,
                others=others,
                hint=f"declare `{what} {item.origin}` again in the {old.origin}: it takes the place of this one",
            )  # fmt: skip
        elif not comes_later(self.game, old.origin, item.origin) and item.origin != self.game.scenario:
            self.error(
                "RS308", f"`{name}` is replaced by `{old.origin}` and by `{item.origin}`", span, others=others,
                hint=f"let one come later: `option {item.origin}, after {old.origin}`",
            )  # fmt: skip

    def read_rulebook(self, decl: n.Rulebook, origin: str) -> None:
        """The index of the rules. A game that builds on another may give its rules other titles."""
        self.game.rulebook_title = self.game.rulebook_title or decl.title
        for line in decl.lines:
            old = self.game.rulebook.get(line.ident)
            if old is not None and self._listed_by.get(line.ident) == origin:
                self.error(
                    "RS102", f"rule {line.ident} is listed twice", line.span, others=[Label(old.span, "first here")]
                )
            self.game.rulebook[line.ident] = line
            self._listed_by[line.ident] = origin

    def write_out(self, active: list[Active]) -> list[Active]:
        """Rules whose parameters may be of several kinds, once for each."""
        if not self.game.eithers:
            return active
        out: list[Active] = []
        written = 0
        for item in active:
            decl = item.declaration
            if not isinstance(decl, n.FunctionDecl | n.PredicateDecl | n.RouteDecl | n.ProcedureDecl):
                out.append(item)
                continue
            many = 1
            for _, either in eithers_of(decl, self.game):
                many *= len(either.members)
            if many > MOST_VERSIONS:
                self.error(
                    "RS231", f"`{decl.name}` would be {many} rules, one for each combination of kinds", decl.name.span,
                    f"at most {MOST_VERSIONS}", "let fewer of its parameters be of several kinds",
                )  # fmt: skip
                self.desk.lost.add(decl.name.text)
                continue
            written += many if many > 1 else 0
            if many > 1 and written > MOST_WRITTEN_OUT:
                if written - many <= MOST_WRITTEN_OUT:
                    self.error(
                        "RS231", f"with `{decl.name}` there would be more than {MOST_WRITTEN_OUT} rules that are "
                        "written out, one for each combination of kinds", decl.name.span, f"{many} more",
                        "let fewer of their parameters be of several kinds",
                    )  # fmt: skip
                self.desk.lost.add(decl.name.text)
                continue
            made = versions_of(decl, self.game)
            if len(made) > 1:
                self.game.versions[decl.name.text] = tuple(each.name.text for each in made)
            out += [evolve(item, declaration=each) for each in made]
        return out


def _origin_of(game: GameText, depth: int) -> str:
    """How the text of a game that builds on others is called; options have one word, so none is called so."""
    return f"game `{game.ident}`" if depth else ""


_WORDED = n.FunctionDecl | n.PredicateDecl | n.RouteDecl | n.TableDecl | n.ProcedureDecl


def _in_its_words(new: n.Declaration, old: n.Declaration) -> n.Declaration:
    """A rule in the place of another, which goes by the words of that one unless it has its own."""
    if not isinstance(new, _WORDED) or not isinstance(old, _WORDED) or new.worded is not None:
        return new
    alike = [p.name.text for p in new.params] == [p.name.text for p in old.params]
    return evolve(new, worded=old.worded) if alike else new


def _named(option: n.OptionDecl, form: str) -> list[str]:
    return [rule.name.text for rule in option.rules if rule.form == form and rule.name is not None]


def _called(declaration: n.Declaration) -> str:
    """What `remove` calls a declaration: its name, or the title of a claim in quotes."""
    if isinstance(declaration, n.Invariant | n.Check | n.Example):
        return f'"{declaration.title}"'
    name = getattr(declaration, "name", None)
    return name.text if isinstance(name, n.Name) else ""


def _reached(options: dict[str, n.OptionDecl], needs: dict[str, list[str]], bits: dict[str, int]) -> dict[str, int]:
    """What each option needs, and what that needs: a bit for each of them."""
    out: dict[str, int] = {}
    for circle in circles(options.values(), lambda one: [options[o] for o in needs[one.name.text] if o in options]):
        names = [one.name.text for one in circle.members]
        found = 0
        for name in names:
            for other in needs[name]:
                found |= bits.get(other, 0) | out.get(other, 0)
        out.update(dict.fromkeys(names, found))
    return out


def _listed(options: Iterable[str]) -> str:
    names = list(options)
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return f"the options and scenarios are {', '.join(names[:12])}{more}"
