"""Two decks with a card of one title: an example means the card of the side it speaks of."""

from __future__ import annotations

from pathlib import Path

from rulescript.claims import GameSource, run_examples

GAME = """\
rulescript 1
game "Two decks", version "1"
kind Side
    holds deck: Card, count to it, count to others
    holds hand: Card, visible to it, count to others
    holds laid: Card
    holds pile: Card, ordered
things
    Side North
    Side South
players Side
kind Card: side: Side
    home side.deck
things
    Card Northern_Raid  "Raid" North
    Card Northern_Rest  "Rest" North
    Card Southern_Raid  "Raid" South
    Card Southern_Rest  "Rest" South
state active: Side
phase lay "Lay"
    draw 1 from active.deck to active.hand
    shuffle active.pile
    may choose lay: c in active.hand "Lay {c}"
        move c to active.laid
sequence
    for active in Side
        lay
    end game, draw

example "In a hand"
    given empty, active South, at lay
        South: hand: Raid
        South: pile: Rest
    play
        shuffle Rest
        South: lay Raid
    expect
        South.laid has exactly Raid
        North.deck has exactly Raid, Rest
        South.pile has 1 Rest
        South.laid has Southern_Raid

example "Drawn"
    given setup
    play
        draw Rest
        shuffle
        North: lay Rest
        draw Raid
        shuffle
        South: lay Raid
    expect
        North.laid has exactly Northern_Rest
        South.laid has exactly Southern_Raid

example "Nobody's"
    given empty
        South: laid: Rest
        North: laid: Southern_Raid
    expect
        North.laid has no Raid
"""


def _run(tmp_path: Path, text: str) -> dict[str, list[str]]:
    (tmp_path / "game.rules").write_text(text, encoding="utf-8")
    results = run_examples(GameSource.load(tmp_path))
    return {result.title: [d.message for d in result.failures] for result in results}


def test_the_card_of_the_side_that_is_spoken_of_is_meant(tmp_path: Path) -> None:
    assert _run(tmp_path, GAME) == {"In a hand": [], "Drawn": [], "Nobody's": []}


def test_a_title_alone_is_never_guessed_at(tmp_path: Path) -> None:
    """The place belongs to nobody: it could be either."""
    text = GAME.replace("state active: Side", "state active: Side\nholds table: Card") + (
        'example "On the table"\n    given empty\n        table: Raid\n    expect\n        table is empty\n'
    )
    assert _run(tmp_path, text)["On the table"] == ["`Raid` is nothing that table can hold"]
