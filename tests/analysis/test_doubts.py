"""What was tested is known until play comes past something that may set it: what play would stop at is refused."""

from __future__ import annotations

import pytest

from rulescript.claims import GameSource
from rulescript.errors import GameInvalid

GAME = """\
rulescript 1
game "Doubt"
kind Side
    state points: int
things
    Side Reds
    Side Blues
players Side
state active: Side = Reds
state worn: int
kind Token
    state owner: maybe Side, lasts in Area
    home stock
kind Area
    state control: maybe Side = Reds
    state mark: maybe Side, lasts rest
    holds tokens: Token
holds stock: Token
things
    Token Cup
map Vale
    Area Mill
    Area Ford
procedure clear(a: Area)
    a.control = nothing
procedure empty(a: Area) -> int
    clear(a)
    return 1
procedure rest
    worn = 2
signal fell(a: Area)
MORE
phase work "Work"
    for a in Area
BODY
    choose done "Done"
    or more "More"
sequence
    work
    end game
"""

# What stands between the test of a.control and its use, with what else the game says; and who is to be blamed.
BETWEEN = {
    "an assignment": ("a.control = nothing", "", "`control` was set"),
    "of another area": ("Ford.control = nothing", "", "`control` was set"),
    "in a branch": ("if a == Mill\n    a.control = nothing", "", "`control` was set"),
    "in the other branch": ("if a == Mill\n    worn = 1\nelse\n    a.control = nothing", "", "`control` was set"),
    "in a loop": ("for b in Area\n    b.control = nothing", "", "`control` was set"),
    "in a way to answer": ('choose b in Area "Take {b}"\n    b.control = nothing\nor no "No"', "", "`control` was set"),
    "a call": ("clear(a)", "", "`clear` may have set `control`"),
    "a call with a value": ("let n = empty(a)", "", "`clear` may have set `control`"),
    "a call that is set": ("worn = empty(a)", "", "`clear` may have set `control`"),
    "a call that calls": ("deep(a)", "procedure deep(a: Area)\n    worn = empty(a)", "`clear` may have set"),
    "a call in a circle": (
        "deep(a)",
        "procedure deep(a: Area)\n    if worn > 0\n        deep(a)\n    clear(a)",
        "`clear` may have set",
    ),
    "a call before a return": (
        "deep(a)",
        "procedure deep(a: Area)\n    if worn > 0\n        clear(a)\n        return",
        "`clear` may have set",
    ),
    "a hook": ("rest", "after rest\n    Mill.control = nothing", "`rest` may have set `control`"),
    "a reaction": ("signal fell(a)", "when fell(a)\n    a.control = nothing", "what answers `fell` may have set"),
    "whenever": ("worn = 1", "whenever worn == 1\n    Mill.control = nothing", "a whenever may have set `control`"),
    "whenever in a call": ("rest", "whenever worn == 2\n    Mill.control = nothing", "a whenever may have set"),
    "an aside": (
        'choose b in Area "Take {b}"\nor no "No"',
        'aside wipe "Wipe" by active during work\n    Mill.control = nothing',
        "an aside may have set `control`",
    ),
    "an added way": (
        'choose take: b in Area "Take {b}"\nor no "No"',
        'extend work.take\n    or wipe "Wipe"\n        Mill.control = nothing',
        "an added way may have set",
    ),
}

WHOLE = {
    "what lasts as long as a rule": (
        "a.mark = Reds\nif a.mark != nothing\n    rest\n    a.mark.points += 1", "", "`rest` may have set `mark`",
    ),
    "what lasts in a place": (
        "if Cup.owner != nothing\n    move Cup to stock\n    Cup.owner.points += 1", "", "`owner` was set",
    ),
    "a name": (
        "let s = next(active)\nif s != nothing\n    if a == Mill\n        s = next(s)\n    s.points += 1",
        "", "`s` was set",
    ),
    "the next round": (
        "if a.control != nothing\n    repeat 2 times\n        a.control.points += 1\n        clear(a)",
        "", "`clear` may have set",
    ),
    "the next question of a loop": (
        "if a.control != nothing\n    repeat while a.control.points == 0\n        clear(a)", "", "`clear` may have set",
    ),
    "a test that runs a rule": (
        "if a.control != nothing\n    if empty(a) == 1\n        a.control.points += 1", "", "`clear` may have set",
    ),
    "what is given back to it": (
        "if a.control != nothing\n    a.control.points = empty(a)", "", "`clear` may have set",
    ),
    "a question that is asked again": (
        'if a.control != nothing\n    choose b in Area "Take {b}"\n'
        '        require a.control.points == 0\n    or no "No"',
        'aside wipe "Wipe" by active during work\n    Mill.control = nothing', "an aside may have set",
    ),
    "sealed answers": (
        'each s in Side sealed\n    choose by s take: b in Area "Take {b}"\n        require b.control != nothing\n'
        "        b.control.points += 1\n        clear(b)",
        "", "`clear` may have set",
    ),
    "answers together": (
        'together\n    Reds: choose take: b in Area "Take {b}"\n        require b.control != nothing\n'
        '        b.control.points += 1\n    Blues: choose c in Area "Burn {c}"\n        clear(c)',
        "", "`clear` may have set",
    ),
    "whenever for each": (
        "worn = 1",
        "whenever some b in Area: worn == 1 and b.control != nothing\n    b.control.points += 1\n    clear(Mill)",
        "`clear` may have set",
    ),
}  # fmt: skip


def _text(body: str, more: str) -> str:
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    return GAME.replace("MORE", more).replace("BODY", lines)


def _refused(body: str, more: str) -> str:
    with pytest.raises(GameInvalid) as caught:
        GameSource.of_text(_text(body, more), "doubt.rules").game()
    assert [d.code for d in caught.value.diagnostics] == ["RS205"], str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("name", BETWEEN)
def test_what_may_have_been_set_since_the_test_is_refused(name: str) -> None:
    between, more, who = BETWEEN[name]
    inner = "\n    ".join(between.splitlines())
    said = _refused(f"if a.control != nothing\n    {inner}\n    a.control.points += 1", more)
    assert who in said and "`let kept = a.control`" in said, said


@pytest.mark.parametrize("name", WHOLE)
def test_so_is_what_comes_round_again_or_happens_in_the_meantime(name: str) -> None:
    body, more, who = WHOLE[name]
    assert who in _refused(body, more)


GOOD = {
    "kept under a name": "let kept = a.control\nclear(a)\nkept.points += 1",
    "tested again": "clear(a)\nif a.control != nothing\n    a.control.points += 1",
    "set in a branch that ends the rule": "if worn == 9\n    clear(a)\n    return\na.control.points += 1",
    "another state": "rest\nworn += 1\nactive = a.control\na.control.points += 1",
    "a rule that sets others": "worn = 2\nsignal fell(a)\na.control.points += 1",
}


@pytest.mark.parametrize("name", GOOD)
def test_what_cannot_have_changed_stays_known(name: str) -> None:
    inner = "\n    ".join(GOOD[name].splitlines())
    GameSource.of_text(_text(f"if a.control != nothing\n    {inner}", ""), "doubt.rules").game()


def test_a_test_that_ends_the_rule_holds_although_its_branch_set_something() -> None:
    body = "if a.control == nothing\n    a.control = Reds\n    return\na.control.points += 1"
    GameSource.of_text(_text(body, ""), "doubt.rules").game()
