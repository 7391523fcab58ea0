"""How the game begins: the position at the first decision, for the game itself and for each scenario."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from attrs import define, field
from markupsafe import Markup

from rulescript.claims.gone_through import Noting
from rulescript.docgen.maps import Map
from rulescript.docgen.names import Anchors, slug
from rulescript.docgen.positions import Counters, contents, own_states, picture, shading, take
from rulescript.docgen.subject import Subject
from rulescript.errors import RulescriptError
from rulescript.phrases import capital, readable, with_the
from rulescript.wording.verbs import agreed

if TYPE_CHECKING:
    from rulescript.docgen.kept import Kept
    from rulescript.runtime.game import Game

__all__ = ["Setup", "setups_of"]


@define
class Setup:
    """A beginning: its picture, what lies where, and who is asked first. `problem` if it cannot be set up."""

    title: str
    name: str
    anchor: str
    doc: str
    cites: tuple[str, ...]
    options: list[str]
    pictures: list[Markup] = field(factory=list)
    contents: list[tuple[str, str]] = field(factory=list)
    states: list[tuple[str, str]] = field(factory=list)
    first: str = ""
    problem: str = ""
    has_chance: bool = False
    shades: list[tuple[str, str]] = field(factory=list)
    shaded_by: str = ""
    colours: dict[str, str] = field(factory=dict)
    legend: dict[str, str] = field(factory=dict)


def setups_of(
    subject: Subject,
    maps: list[Map],
    anchors: Anchors,
    page: str,
    kept: Kept,
    step: Callable[[], None] | None = None,
    waits: bool = True,
) -> list[Setup]:
    """All set-ups, or as many as are not too much work. If nobody `waits`, no game is compiled for those of other
    scenarios: the ones that are not known are left out."""
    out: list[Setup] = []

    def lay_out(setup: Setup, game: Callable[[], Game]) -> None:
        if not kept.laid_out(setup, subject.source):
            subject.source.noting = noting = Noting()
            _laid_out(setup, game(), maps)
            kept.keep_setup(setup, noting.needs(subject.source.parts))
        out.append(setup)

    def noted(game: Game) -> Game:
        source = subject.source
        if source.has_made(game):
            source.note(game, source.evaluator(game))
        return game

    def begun_with(name: str) -> Game:
        return noted(subject.source.game(subject.needed(name), name))

    chosen = subject.model.scenario
    if not chosen:
        setup = Setup("The game itself", "", anchors.new("setup-game", page), "", (), list(subject.model.options))
        lay_out(setup, lambda: noted(subject.game))
    if step is not None:
        step()
    for name, node in subject.model.all_scenarios.items():
        if name != chosen and name not in subject.laid_out:
            continue
        setup = Setup(
            node.title or readable(name), name, anchors.new(f"setup-{slug(name)}", page), node.doc, node.cites,
            list(subject.needed(name)),
        )  # fmt: skip
        try:
            if name == chosen:
                lay_out(setup, lambda: noted(subject.game))
            elif waits or kept.laid_out(setup, subject.source):
                lay_out(setup, partial(begun_with, name))
        except RulescriptError as problem:
            setup.problem = str(problem).split("\n")[0]
            out.append(setup)
        if step is not None:
            step()
    return out


def _laid_out(setup: Setup, game: Game, maps: list[Map]) -> Setup:
    if not game.data.start or not game.player_names:
        setup.problem = "this game has no sequence of play"
        return setup
    try:
        position = game.start(0)
        other = game.start(1)
    except RulescriptError as problem:
        setup.problem = str(problem).split("\n")[0]
        return setup
    snapshot = take(position)
    counters = Counters(game)
    again = take(other)
    setup.has_chance = snapshot.spots != again.spots
    setup.contents = contents(game, snapshot, maps, again)
    setup.states = own_states(game, snapshot)
    setup.colours, setup.legend = counters.colours, counters.legend
    for at, of in enumerate(maps):
        if len(game.data.kinds[of.kind.name].names) != len(of.spaces):
            continue
        title = f"Set-up: {setup.title}, {of.title}"
        setup.pictures.append(picture(of, game, snapshot, counters, title, f"{setup.anchor}-{at}"))
        shaded = shading(of, game)
        if shaded is not None and not setup.shades:
            setup.shaded_by = readable(shaded[0])
            labels = game.data.kinds[shaded[1]].labels
            setup.shades = [(str(label), counters.tint_of(shaded[1], at)) for at, label in enumerate(labels)]
    decision = position.decision
    if decision is not None and not decision.is_chance:
        phase = game.data.phase_titles.get(decision.phase) or readable(decision.phase)
        info = game.data.kinds[game.data.players]
        who = str(info.labels[info.names.index(decision.player)])
        named = readable(decision.name)
        where = "" if named.lower() == phase.lower() else f" ({phase})"
        setup.first = capital(agreed(f"{with_the(who)} decides first: {named}{where}"))
    return setup
