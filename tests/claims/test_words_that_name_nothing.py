"""Words that name nothing are an error in every line of an example: none passes for something that is not so."""

from __future__ import annotations

import pytest

from rulescript.claims import GameSource, run_examples
from tests.claims.test_lines_everywhere import FIGHT, GAME

SHUFFLING = "    given empty, active North, at shuffling\n"
RECRUITING = "    given empty, active North, at recruiting\n"

# The lines, what is told, and what is shown or hinted at.
LINES = [
    (FIGHT + "    try attack in Mlil -> refused\n", "`mlil`", "did you mean `Mill`?"),
    (FIGHT + "    try atack in Ford -> refused\n", "`atack`", "did you mean `attack`?"),
    (FIGHT + "    try recruit Haig -> not asked\n", "`recruit`", ""),
    (FIGHT + "    try Wset: attack in Ford -> refused\n", "no player is called `Wset`", "North, South"),
    (FIGHT + "    legal x exactly none\n", "no `x`", "t"),
    (FIGHT + "    legal t excludes {Mlil}\n", "no Town is called `Mlil`", "did you mean `Mill`?"),
    (FIGHT + "    legal t for u = foot exactly {Mill}\n", "which has no `u`", "t"),
    (FIGHT + "    legal t for atack exactly {Mill}\n", "which has no `atack`", "did you mean `attack`?"),
    (FIGHT + "    play\n        North: atack Mill\n", "“atack”", "did you mean `attack`?"),
    (FIGHT + "    play\n        Nroth: attack Mill\n", "no player is called `Nroth`", "did you mean `North`?"),
    ("    given empty, Mlil: 2 Northern foot\n    asks nobody\n", "`Mlil`", "did you mean `Mill`?"),
    ("    given empty, Mill: 2 Nothern foot\n    asks nobody\n", "`2 Nothern foot`", "northern"),
    ("    given empty, actve North\n    asks nobody\n", "`actve North`", "did you mean `active`?"),
    ("    given empty, active Nroth\n    asks nobody\n", "`Nroth`", "did you mean `North`?"),
    ("    given empty, at batles\n    asks nobody\n", "`batles`", "did you mean `battles`?"),
    ("    given empty, run fihgt(Mill)\n    asks nobody\n", "`fihgt`", "did you mean `fight`?"),
    ("    given empty, Mill: no hrse\n    asks nobody\n", "`no hrse`", "did you mean `horse`?"),
    ("    given empty, every Twon: control North\n    asks nobody\n", "`Twon`", "did you mean `Town`?"),
    ("    given empty, Mill, Frod and Otter: control North\n    asks nobody\n", "`Frod`", "did you mean `Ford`?"),
    ("    given empty, Mill and Frod: control North\n    asks nobody\n", "`Frod`", "did you mean `Ford`?"),
    (FIGHT + "    expect\n        Mlil.control == nothing\n", "`Mlil`", "did you mean `Mill`?"),
    (FIGHT + "    expect\n        Mlil has nothing\n", "`Mlil`", "did you mean `Mill`?"),
    (FIGHT + "    expect\n        Mill has no hrse\n", "`no hrse`", "did you mean `horse`?"),
    (FIGHT + "    expect\n        Mill has no foot (movd)\n", "`movd`", ""),
    (FIGHT + "    expect\n        Frod is empty\n", "`Frod`", "did you mean `Ford`?"),
    (FIGHT + "    asks Nroth attack\n", "no player is called `Nroth`", "did you mean `North`?"),
    (FIGHT + "    asks North atack\n", "no choice `atack`", "did you mean `attack`?"),
    (FIGHT + "    not asks Nroth\n", "no player is called `Nroth`", "did you mean `North`?"),
    (FIGHT + "    never asks rerol\n", "no choice `rerol`", "--choices"),
    (FIGHT + "    never asks Soth\n", "no player is called `Soth`", "did you mean `South`?"),
    (FIGHT + "    play\n        never asks Soth lose\n        North: stop\n", "`Soth`", "did you mean `South`?"),
    (FIGHT + "    play\n        run to cuonting passing\n", "no phase `cuonting`", "did you mean `counting`?"),
    (FIGHT + "    expect\n        outcome is Nroth wins\n", "nobody is called `Nroth`", "did you mean `North`?"),
    (FIGHT + "    expect\n        outcome is opne\n", "an outcome is", "did you mean `open`?"),
    (FIGHT + '    expect\n        journal does not mention "atacks"\n', "`atacks`", "did you mean"),
    (FIGHT + "    expect\n        journal does not mention §77\n", "§77", ""),
    (FIGHT + "    assume hits(...) = 3\n    asks North\n", "`hits`", ""),
    (FIGHT + "    assume enemy(Nroth) = South\n    asks North\n", "`Nroth`", "did you mean `North`?"),
    (FIGHT + "    assume enemy(North) = Suth\n    asks North\n", "`Suth`", "did you mean `South`?"),
    (FIGHT + "    assume enemy(North, South) = South\n    asks North\n", "takes 1 value", "2 given"),
    (RECRUITING + "    play\n        draw 3 Northern foote\n    asks nobody\n", "`Northern foote`", "foot"),
    (SHUFFLING + "    play\n        shuffle Riad\n    asks North\n", "`Riad`", "Raid"),
    (
        FIGHT + "    play\n        North: attack Mill\n        dice roled: 1 2 3\n    asks South\n",
        "no roll is called `roled`",
        "did you mean `rolled`?",
    ),
    (FIGHT + "    outcomes of batles over count(Mill.units) includes {1}\n", "`batles`", "did you mean `battles`?"),
    (FIGHT + "    with options fog\n    asks North\n", "no option `fog`", "this game has no options"),
    (FIGHT + "    with scenario late\n    asks North\n", "no scenario `late`", "this game has no scenarios"),
    (FIGHT + "    with players 7\n    asks North\n", "is for 2 players, not 7", "not so many"),
    ('    given like "Nothing"\n    asks North\n', 'no example "Nothing"', ""),
]


@pytest.mark.parametrize(("body", "said", "shown"), LINES)
def test_it_is_told_with_what_was_meant(body: str, said: str, shown: str) -> None:
    (result,) = run_examples(GameSource.of_text(f'{GAME}example "It"\n{body}', "it.rules"))
    assert not result.ok
    failure = result.failures[0]
    assert said in failure.message, str(result)
    assert shown in f"{failure.label.text} {failure.hint or ''}", str(result)


def test_what_the_journal_could_have_said_may_be_denied() -> None:
    (result,) = run_examples(
        GameSource.of_text(
            f'{GAME}example "It"\n{FIGHT}    play\n        North: stop\n        draw 3 Northern foot\n        shuffle\n'
            '    expect\n        journal does not mention "Attack in Mill"\n        journal does not mention "rolled"\n'
            '        journal mentions "drawn"\n',
            "it.rules",
        )
    )
    assert result.ok, str(result)
