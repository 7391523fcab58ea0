"""What is in the box: every kind of thing with how many there are, and what one needs besides."""

from __future__ import annotations

from attrs import define, field

from rulescript.docgen.grids import Grid, things_grid
from rulescript.docgen.names import Anchors, slug
from rulescript.docgen.outline import capital
from rulescript.docgen.subject import Places
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import statements_in
from rulescript.phrases import kind_noun, number_word, plural

__all__ = ["Component", "components_of", "dice_of", "needs_of"]

MOST_ROWS = 60


@define
class Component:
    """A kind of things: `form` is spaces, pieces, cards, players, values or things."""

    kind: str
    title: str
    form: str
    number: int
    types: int
    doc: str
    anchor: str
    grid: Grid | None = None
    cites: tuple[str, ...] = ()
    places: list[str] = field(factory=list)


def components_of(game: m.Game, anchors: Anchors, page: str, galleries: set[str]) -> list[Component]:
    out: list[Component] = []
    for kind in game.kinds.values():
        if not kind.things:
            continue
        number = sum(t.count for t in kind.things) if kind.is_pieces else kind.size
        form = _form(kind, game, galleries)
        anchor = anchors.new(f"kind-{slug(kind.name)}", page)
        grid = None
        if form not in ("spaces", "cards") and not kind.is_values and kind.size <= 400:
            grid = things_grid(kind.things, game)
        out.append(
            Component(
                kind.name, capital(plural(kind_noun(kind.name))), form, number, kind.size, kind.doc, anchor, grid,
                kind.cites,
            )
        )  # fmt: skip
    order = ("spaces", "pieces", "cards", "players", "things", "values")
    return sorted(out, key=lambda c: order.index(c.form))


def _form(kind: m.Kind, game: m.Game, galleries: set[str]) -> str:
    if kind.links:
        return "spaces"
    if kind.is_pieces:
        return "pieces"
    if kind.name in galleries:
        return "cards"
    if kind.is_values:
        return "values"
    return "players" if kind is game.players else "things"


def dice_of(places: Places) -> list[tuple[int, int]]:
    """The sorts of dice that are rolled, with the largest number rolled at once; 0 where that is not fixed."""
    found: dict[int, int] = {}
    for _, block in places.blocks():
        for statement in statements_in(block):
            if isinstance(statement, ir.RollS):
                amount = statement.amount
                fixed = 1 if amount is None else amount.value if isinstance(amount, ir.Lit) else 0
                number = fixed if isinstance(fixed, int) else 0
                old = found.get(statement.sides)
                found[statement.sides] = 0 if number == 0 or old == 0 else max(number, old or 0)
    return sorted(found.items())


def needs_of(components: list[Component], dice: list[tuple[int, int]], maps: int) -> list[str]:
    """What one needs on the table, in a few words each."""
    out: list[str] = []
    for component in components:
        noun = kind_noun(component.kind)
        if component.form == "spaces":
            out.append(f"a map of {component.number} {plural(noun) if component.number != 1 else noun}")
        elif component.form in ("pieces", "cards"):
            types = f" of {component.types} types" if component.form == "pieces" and component.types > 1 else ""
            out.append(f"{component.number} {plural(noun) if component.number != 1 else noun}{types}")
    for sides, number in dice:
        name = "six-sided" if sides == 6 else f"{sides}-sided"
        amount = f"{number_word(number)} {name} {'die' if number == 1 else 'dice'}" if number else f"{name} dice"
        out.append(amount)
    return out
