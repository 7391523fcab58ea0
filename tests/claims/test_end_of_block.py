"""After the last line of a block, what leaves no choice happens, up to dice that no line gives."""

from __future__ import annotations

from rulescript.claims import GameSource, run_examples

GAME = """\
rulescript 1
game "Two steps", version "1"
values Side: North, South
players Side
state active: Side
state moved: bool
state luck: int

phase march "March"
    repeat
        choose go "Go"
            require not moved
            moved = yes
        or stop "Stay"

phase fortune "Fortune"
    roll d6 as luck
    may cheer "Cheer"
        luck += 1

sequence
    march
    fortune
    end game, draw

"""


def results(example: str) -> list[str]:
    return [str(r) for r in run_examples(GameSource.of_text(GAME + example)) if not r.ok]


def test_dice_after_the_last_line_are_waited_for() -> None:
    """Only `stop` is left after `go`, and it leads to a roll: the example stops before it."""
    example = """\
example "Going"
    given empty, at march
    play
        North: go
    expect
        moved and luck == 0
    play
        dice 5
    expect
        luck == 5
        asks North cheer
"""
    assert results(example) == []


def test_dice_of_a_line_of_its_own_are_still_missing() -> None:
    example = """\
example "Staying"
    given empty, at march
    play
        North: stop
    expect
        luck == 0
"""
    (told,) = results(example)
    assert "the rules ask for a die, and none is given" in told
