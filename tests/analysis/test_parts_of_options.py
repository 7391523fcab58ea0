"""Options told in several parts (`with fog`), and what is said about several of them together (`with fog, mud`)."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulescript
from rulescript.claims import GameSource, run_examples
from rulescript.cli.check import choices_of
from rulescript.diagnostics import Reporter
from rulescript.errors import GameInvalid
from rulescript.explain.evaluate import evaluate_text
from rulescript.loader import load_single
from rulescript.runtime.game import Game

GAME = """\
rulescript 1
game "Parts", version "1"
rulebook "Parts"
    1  rule  "Base"
    2  rule  "Fog"
    3  rule  "Mud"
    4  rule  "Fog and mud"
kind Side
things
    Side North
    Side South
players Side
state active: Side
value pace -> int  §1
    10
phase going "Going"
    choose far "Far"
    or near "Near"
sequence
    for active in Side
        going
    end game, draw
option fog "Fog"  §2
    state mist: int = 1
    adjust pace add -1 "Fog"
option mud "Mud"  §3
    state depth: int = 2
"""
PARTS = """\
with fog  §2
    function blind -> int
        mist
with mud  §3
    adjust pace add -depth "Mud"
with fog, mud  §4
    adjust pace add -4 * depth * blind "Both"
    example "Both together"  §4
        given setup
        expect
            pace == -1
"""


def _written(tmp_path: Path, text: str, name: str = "parts") -> Path:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "game.rules").write_text(text, encoding="utf-8")
    return folder


def _pace(game: Game) -> int:
    value = evaluate_text(game.start(seed=1), "pace")
    assert isinstance(value, int)
    return value


def _problems(folder: Path, *options: str) -> list[tuple[str, str]]:
    try:
        rulescript.load(folder, options=options, cache=False)
    except GameInvalid as problem:
        return [(d.code, d.message) for d in problem.diagnostics]
    return []


@pytest.mark.parametrize(("options", "pace"), [((), 10), (("fog",), 9), (("mud",), 8), (("fog", "mud"), -1)], ids=str)
def test_a_part_holds_where_all_its_options_are_chosen(tmp_path: Path, options: tuple[str, ...], pace: int) -> None:
    game = rulescript.load(_written(tmp_path, GAME + PARTS), options=options, cache=False)
    assert _pace(game) == pace


def test_an_example_in_a_part_is_played_with_its_options(tmp_path: Path) -> None:
    results = run_examples(GameSource.load(_written(tmp_path, GAME + PARTS)))
    assert [(r.title, r.ok) for r in results] == [("Both together", True)]


def test_the_order_of_the_text_does_not_matter(tmp_path: Path) -> None:
    head, fog, rest = GAME.partition("option fog")
    folder = _written(tmp_path, head + PARTS + fog + rest)
    assert _problems(folder, "fog", "mud") == []
    assert _pace(rulescript.load(folder, options=["fog", "mud"], cache=False)) == -1


def test_what_holds_for_two_comes_after_each_of_them(tmp_path: Path) -> None:
    one = "with fog, mud\n    replace function blind -> int\n        3\n    adjust pace add blind\n"
    other = "with fog\n    function blind -> int\n        1\n"
    folder = _written(tmp_path, GAME + one + other)
    assert _pace(rulescript.load(folder, options=["fog", "mud"], cache=False)) == 12


def test_an_option_may_come_after_what_holds_for_two(tmp_path: Path) -> None:
    more = (
        "with fog, mud\n    function both -> int\n        4\n"
        'option thaw "Thaw", needs fog, needs mud, after fog, after mud\n'
        "    replace function both -> int\n        7\n"
        "    adjust pace add both\n"
    )
    folder = _written(tmp_path, GAME + more)
    assert _problems(folder, "fog", "mud", "thaw") == []
    assert _pace(rulescript.load(folder, options=["fog", "mud", "thaw"], cache=False)) == 16
    folder = _written(tmp_path, GAME + more.replace(", after mud", ""), "unordered")
    assert [code for code, _ in _problems(folder, "fog", "mud", "thaw")] == ["RS308"]


def test_a_part_of_an_option_that_is_not_there(tmp_path: Path) -> None:
    folder = _written(tmp_path, GAME + "with fogg\n    adjust pace add 1\n")
    assert _problems(folder) == [("RS111", "there is no option `fogg`")]


def test_options_that_exclude_each_other_have_nothing_in_common(tmp_path: Path) -> None:
    text = GAME.replace('option mud "Mud"', 'option mud "Mud", excludes fog') + "with fog, mud\n    adjust pace add 1\n"
    assert _problems(_written(tmp_path, text)) == [
        ("RS309", "`mud` excludes `fog`, so this is never in force"),
    ]


def test_an_unknown_rule_cited_by_a_part(tmp_path: Path) -> None:
    folder = _written(tmp_path, GAME + "with fog  §9\n    adjust pace add 1\n")
    assert "RS109" in [code for code, _ in _problems(folder)]


def test_each_set_of_options_with_a_part_is_checked() -> None:
    """Also where not all options go together."""
    more = "".join(f'option {name} "{name}", excludes {other}\n' for name, other in (("ice", "sun"), ("sun", "ice")))
    parts = "with ice, mud\n    adjust pace add 1\nwith sun, fog\n    adjust pace add 1\n"
    text = load_single(GAME + more + parts, "parts.rules", Reporter())
    assert {("ice", "mud"), ("fog", "sun")} <= {choice.options for choice in choices_of(text)}


# ---- variants


VARIANT = """\
rulescript 1
game "More parts", version "1"
    builds on parts
state ours: int = 100
"""


def test_a_variant_adds_to_an_option_of_its_base(tmp_path: Path) -> None:
    """And its part sees what the variant has, which the base's own text does not."""
    _written(tmp_path, GAME + PARTS)
    folder = _written(tmp_path, VARIANT + 'with fog\n    adjust pace add ours "Ours"\n', "more")
    game = rulescript.load(folder, options=["fog"], cache=False)
    assert _pace(game) == 109


def test_an_option_declared_again_is_rid_of_its_old_parts(tmp_path: Path) -> None:
    _written(tmp_path, GAME + PARTS)
    folder = _written(tmp_path, VARIANT + 'option fog "Our fog"\n    adjust pace add 1\n', "more")
    assert _pace(rulescript.load(folder, options=["fog"], cache=False)) == 11
    assert _pace(rulescript.load(folder, options=["fog", "mud"], cache=False)) == 9
