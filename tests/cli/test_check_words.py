"""``check --words``: rules without a sentence in the prose, and sentences that read badly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import BROKEN, Cli

GAME = """# Words

```rules
rulescript 1
game "Words", version "1"
values Side: North, South
players Side
kind Place: side: Side
    state held: int
    state strange: bool
things
    Place Mill  North
rulebook "The book"
    1     rule "Told"
    2     rule "Untold"
    3     example "An example"
```

You take it. §1

```rules
function odd_one(p: Place, s: Side, n: int) -> bool
    p.held > n and p.side == s

procedure take(p: Place)  §1
    if odd_one(p, North, 1) and odd_one(p, South, 2)
        p.held += 1       §2
    p.held += 2           §3

sequence
    take(Mill)
    end game, draw
```
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "words.rules.md"
    path.write_text(GAME, encoding="utf-8")
    return path


def test_rules_without_a_sentence_are_listed_with_the_sentence_made_of_them(cli: Cli, game: Path) -> None:
    told = cli("check", str(game), "--words")
    assert told.code == 0
    assert "Words: one rule that it cites has no sentence in the prose" in told.out
    assert "§2 Untold" in told.out and "Add 1 to the place's held." in told.out
    assert "§1 Told" not in told.out and "§3" not in told.out


def test_the_worst_sentences_come_with_place_score_and_faults(cli: Cli, game: Path) -> None:
    listed = cli("check", str(game), "--words", "--json").json["words"][0]
    assert listed["game"] == "words" and listed["sentences"] > 4
    assert [row["rule"] for row in listed["untold"]] == ["2"]
    (worst,) = listed["worst"]
    assert worst["said"].startswith("If “odd one” applies to the place, North and 1 and “odd one” applies")
    assert worst["place"].endswith("words.rules.md:26") and worst["score"] >= 3
    assert "a name in quotes" in worst["faults"]
    told = cli("check", str(game), "--words").out
    assert f"1 of {listed['sentences']} sentences made of the rules read badly" in told and worst["place"] in told


def test_words_of_the_authors_own_mend_it(cli: Cli, game: Path) -> None:
    text = GAME.replace("-> bool\n    p.held", '-> bool as "{p} is held by {s} with more than {n}"\n    p.held')
    game.write_text(text.replace("You take it. §1", "You take it. §1 Then you count it. §2"), encoding="utf-8")
    told = cli("check", str(game), "--words").out
    assert "every rule that it cites has a sentence in the prose" in told
    assert ": 0 of " in told


def test_a_game_with_mistakes_is_told_so(cli: Cli) -> None:
    told = cli("check", BROKEN, "--words")
    assert told.code == 1 and "error[RS" in told.err + told.out and "Traceback" not in told.err
