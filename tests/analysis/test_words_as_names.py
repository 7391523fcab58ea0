"""Some words cannot be names of anything (docs/language.md, "Words of the language")."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulescript.analysis.desk import NEVER_NAMES
from rulescript.claims import GameSource
from rulescript.errors import GameInvalid

LANGUAGE = Path(__file__).parents[2] / "docs" / "language.md"
GAME = """\
rulescript 1
game "Words"
kind Side
things
    Side Reds
    Side Blues
players Side
state active: Side = Reds
kind Area
map Vale
    link road
    Area Mill
    Area Ford
    road Mill - Ford
MORE
phase work "Work"
    choose done "Done"
    or more "More"
sequence
    work
    end game
"""

# A declaration that gives WORD to something of each sort.
SORTS = {
    "kind": "kind WORD\n",
    "thing": "things\n    Side WORD\n",
    "space": "map More\n    Area WORD\n",
    "one of some values": "values Arm: WORD, guns\n",
    "values": "values WORD: foot, guns\n",
    "card": 'kind Card\nthings\n    Card WORD\n        "text"\n',
    "piece type": "pieces Unit: side: Side\n    home box\nholds box: Unit\nthings\n    Unit WORD  Reds, 2\n",
    "pieces": "pieces WORD: side: Side\n",
    "state": "state WORD: int\n",
    "state of a kind": "kind Sea\n    state WORD: int\n",
    "attribute": "kind Sea: WORD: int = 0\n",
    "holds": "kind Cup\nholds WORD: Cup\n",
    "holds of kind": "kind Cup\nkind Sea\n    holds WORD: Cup\n",
    "procedure": "procedure WORD\n    active = Reds\n",
    "phase": "phase WORD\n    active = Reds\n",
    "function": "function WORD(s: Side) -> int\n    1\n",
    "value": "value WORD(s: Side) -> int\n    1\n",
    "predicate": "predicate WORD(s: Side)\n    require s == Reds\n",
    "route": "route WORD(a: Area) from a by road\n",
    "table": "table WORD(n: int) -> int\n    | 1+ | 1 |\n    | otherwise | 0 |\n",
    "signal": "signal WORD(s: Side)\n",
    "aside": 'aside WORD "X" by active during work\n    active = Reds\n',
    "option": 'option WORD "Word"\n    state xx: int\n',
    "scenario": 'scenario WORD "Word"\n    state xx: int\n',
    "a parameter": "procedure pp(WORD: int)\n    active = Reds\n",
    "what is kept": "procedure pp\n    let WORD = 1\n",
    "what is gone through": "procedure pp\n    for WORD in Side\n        active = Reds\n",
    "what is picked": 'procedure pp\n    choose cc: WORD in Side "A"\n        active = Blues\n',
    "link": "map M2\n    link WORD\n    Area Xx\n",
    "does": "kind Card\n    does WORD\n",
    "either": "kind Sea\neither WORD: Sea, Area\n",
    "map": "map WORD\n    Area Xx\n",
}


def test_the_language_page_lists_the_words() -> None:
    said = re.search(r"`order`\); (.*?) cannot", LANGUAGE.read_text())
    assert said is not None
    assert set(re.findall(r"`(\w+)`", said[1])) == NEVER_NAMES


@pytest.mark.parametrize("word", sorted(NEVER_NAMES))
def test_nothing_can_have_a_name_that_is_never_one(word: str) -> None:
    wrong = []
    for sort, text in SORTS.items():
        try:
            GameSource.of_text(GAME.replace("MORE", text.replace("WORD", word)), "words.rules").game()
        except GameInvalid as problem:
            said = [(d.code, d.message) for d in problem.diagnostics]
            if said != [("RS106", f"`{word}` is a word of the language")]:
                wrong.append((sort, said))
        else:
            wrong.append((sort, []))
    assert not wrong


def test_other_words_can() -> None:
    """The programs of this page have no other mistake than the word."""
    for text in SORTS.values():
        program = GAME.replace("MORE", text.replace("WORD", "Zorn"))
        try:
            GameSource.of_text(program, "words.rules").game()
        except GameInvalid as problem:
            assert all(d.code >= "RS300" for d in problem.diagnostics), str(problem)
