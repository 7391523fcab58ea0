"""`predicate has_room(r: Region) as "..." not "..."`: a rule's words at its declaration."""

from __future__ import annotations

from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = """
rulescript 1
game "Words"
values Side: North, South
players Side
state active: Side
kind Town: size: int = 1
    state guests: int
map Valley
    link road
    Town Mill
    Town Ford  size 3
    Town Mere
    road Mill - Ford - Mere
option polite "Polite"
    reword roomy(t) as "{t} takes guests" not "{t} takes no guests"
predicate roomy(t: Town) as "{t} has room" not "{t} is full"
    require t.guests < t.size
route walk(t: Town) from t by road, at most 1 step as "the walk from {t}"
    enter x
        require x.size > 0
table cost(n: int) -> int as "the price of {n} beds"
    | 0 | 1 |
    | 1+ | 2 |
value beds(t: Town) -> int as "the beds in {t}"
    t.size * cost(t.guests)
phase play "Play"
    repeat
        choose visit: t in Town "Visit {t}"
            require roomy(t)
            require t in walk(Mill) or t == Mill
            require beds(t) < 5
            t.guests += 1
            signal came(t)
        or stop "Enough"
signal came(t: Town) as "somebody came to {t}"
when came(t) if t == Ford
    tell "Welcome."
sequence
    play
    end game
"""


def told(*options: str) -> str:
    position = compile_text(load_single(GAME, "words.rules"), options).start(seed=1, ask=True)
    position.choose("Visit Mill").choose("Visit Ford")
    return "\n".join(str(position.why_not(f"Visit {town}")) for town in ("Mill", "Mere", "Ford"))


def test_refusals_say_it_in_these_words() -> None:
    said = told()
    assert "Mill is full" in said
    assert "the beds in" in said


def test_an_option_may_still_reword_it() -> None:
    assert "Mill takes no guests" in told("polite")


def test_the_model_has_the_words_of_all_sorts_of_rules() -> None:
    model = compile_text(load_single(GAME, "words.rules")).model
    rules = [model.functions["roomy"], model.functions["beds"], model.routes["walk"], model.tables["cost"]]
    assert all(rule.wording is not None for rule in [*rules, model.signals["came"]])
