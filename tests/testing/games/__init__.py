"""Small invented games to try the kit on."""

SMALL = """\
rulescript 1
game "Small"
kind Side
things
    Side North
    Side South
players Side
kind Turn
things
    Turn One
    Turn Two
    Turn Three
state turn: Turn
state active: Side
state total: int = 0

phase adding
    choose add: t in Turn "Add {t}"
        total += 1
    or pass "Nothing"

sequence
    for turn in Turn
        for active in Side
            adding
    end game, draw
"""
