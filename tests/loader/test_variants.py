"""Games that build on others: what they add, amend and replace, and what the base's own text still means."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import rulescript
from rulescript.analysis.analyse import analyse
from rulescript.analysis.checks import check_game
from rulescript.diagnostics import Diagnostic, Reporter
from rulescript.loader import load_text
from rulescript.model import game as m

COOKBOOK = Path(__file__).resolve().parents[2] / "docs" / "cookbook"

BASE = """\
rulescript 1
game "The Ford", version "1"
    by "Nobody"
kind Side
    holds box: Unit
things
    Side North
    Side South
players Side
values Arm: foot, horse
values Ground: clear, rough
kind Town: ground: Ground = clear, worth: int = 1
    state held: maybe Side
    holds units: Unit
pieces Unit: side: Side, arm: Arm
    home side.box
counts Unit
    |       | foot | horse |
    | North |    3 |     1 |
    | South |    3 |     1 |
map Valley
    link road
    Town Mill  worth 2
    Town Ford  rough
    Town Hill
    road Mill - Ford - Hill
kind Card
    does play(s: Side)
things
    Card Drum
        play
            points = points + 1
state active: Side
state points: int
function reach(t: Town) -> int
    1
value pace(u: Unit) -> int
    if u.arm == horse then 2 else 1
predicate may_stand(t: Town)
    require count(t.units) < 3 "room"
phase setup
    place 2 North foot in Mill
    place 2 South foot in Hill
phase march "March"
    repeat 2 times
        may choose go: u in Town.units, t in Town "Move {u} to {t}"
            require u.side == active
            require t in u.place.road
            require t.ground == clear or reach(t) > 0
            move u to t
procedure score
    for t in Town
        points += if some t.units[side == North] then t.worth * pace_of_play else 0
function pace_of_play -> int
    1
sequence
    setup
    for active in Side
        march
    score
    end game, North wins "{points}"
option fog "Fog"
    replace function reach(t: Town) -> int
        0
scenario late "Late"
    before march
        points = 5
"""

ALL = """\
rulescript 1
game "The Ford in Winter", version "2"
    builds on ford

# members of kinds of the base, of all three sorts
kind Town: frozen: bool = no
    state snow: int = 1
    holds camps: Camp
pieces Unit
    state cold: bool
kind Card
    does burn(who: Side)
values Ground: ice
kind Camp
things
    Camp Old_Camp
    Card Fife
        play
            points += 3
        burn
            points -= 1
map Ice
    link road
    Town Lake  ice, frozen, worth 3
    road Mill - Lake - Hill
values Weather: frost, thaw
state weather: Weather
# names that base text uses for something else
state t: int = 7
state u: int = 8
things
    Camp s
amend Mill: "The Old Mill" worth 4
replace function reach(t: Town) -> int
    t.worth
restrict march.go
    require not t.frozen or weather == frost "thin ice"
adjust pace(u) add 1 when u.cold
after march
    weather = thaw
    for one in Town.units
        one.cold = yes
    Fife.play(active)
remove may_stand
option sledges "Sledges"
    adjust pace(u) add 5
scenario early "Early", needs sledges
    before march
        points = 1
"""


Variant = Callable[[str], Path]


@pytest.fixture
def variant(tmp_path: Path) -> Variant:
    """Write the base game `ford` and, beside it, the variant `winter`; `text` goes under its first lines."""

    def write(text: str) -> Path:
        (tmp_path / "ford.rules").write_text(BASE, encoding="utf-8")
        folder = tmp_path / "winter"
        folder.mkdir(exist_ok=True)
        head = 'rulescript 1\ngame "Winter"\n    builds on ford\n'
        whole = text if text.startswith("rulescript") else head + text
        (folder / "game.rules").write_text(whole, encoding="utf-8")
        return folder

    return write


def _checked(where: Path, options: Iterable[str] = (), scenario: str = "") -> tuple[m.Game, list[Diagnostic]]:
    reporter = Reporter()
    text = load_text(where, reporter)
    assert not reporter.diagnostics
    model = analyse(text, tuple(options), scenario, reporter)
    if not reporter.has_errors:
        check_game(model, reporter)
    return model, [d for d in reporter.diagnostics if d.severity.value == "error"]


def _played(game: rulescript.Game, seed: int) -> rulescript.Position:
    chance = random.Random(seed)
    position = game.start(seed=seed)
    while position.decision:
        position.choose(chance.choice(position.decision.options))
    return position


def test_the_base_is_fine_by_itself(variant: Variant) -> None:
    model, problems = _checked(variant("").parent / "ford.rules")
    assert problems == []
    assert model.title == "The Ford"


def test_a_variant_may_add_amend_replace_and_remove(variant: Variant) -> None:
    model, problems = _checked(variant(ALL))
    assert [p.message for p in problems] == []
    assert (model.title, model.version, model.ident) == ("The Ford in Winter", "2", "winter")
    town = model.kinds["Town"]
    assert [thing.name for thing in town.things] == ["Mill", "Ford", "Hill", "Lake"]
    assert list(town.attrs) == ["ground", "worth", "frozen"]
    assert list(town.states) == ["held", "snow"] and list(town.holds) == ["units", "camps"]
    assert town.things[0].label == "The Old Mill"
    assert town.attrs["worth"].values == [4, 1, 1, 3]
    assert [thing.name for thing in model.kinds["Ground"].things] == ["clear", "rough", "ice"]
    assert list(model.kinds["Card"].does) == ["play", "burn"]
    assert "may_stand" not in model.functions
    assert list(model.all_options) == ["fog", "sledges"]
    assert list(model.all_scenarios) == ["late", "early"]


def test_a_variant_plays(variant: Variant) -> None:
    game = rulescript.load(variant(ALL), cache=False)
    for seed in range(5):
        outcome = _played(game, seed).outcome
        assert outcome is not None and int(outcome.how) >= 2 * 3  # the fife is played twice


def test_options_and_scenarios_of_both_are_offered(variant: Variant) -> None:
    folder = variant(ALL.replace("replace function reach(t: Town) -> int\n    t.worth\n", ""))
    game = rulescript.load(folder, options=["fog", "sledges"], scenario="early", cache=False)
    assert _played(game, 1).outcome is not None
    assert rulescript.load(folder, scenario="late", cache=False).data.scenario == "late"
    early = rulescript.load(folder, scenario="early", cache=False)
    assert early.data.options == ["sledges"]  # which it needs


def test_names_of_the_base_mean_what_they_meant(variant: Variant) -> None:
    """The variant has states `t` and `u` and a thing `s`; the base's loops and choices use them as names."""
    states = "state t: Town\nstate u: int\nfunction ground -> int\n    3\n"
    things = "kind Odd\nthings\n    Odd s\n    Odd worth\n"
    model, problems = _checked(variant(states + things))
    assert [p.message for p in problems] == []
    base, _ = _checked(variant("").parent / "ford.rules")
    loop = model.procedures["score"].block[0]
    assert loop.var.state is None  # type: ignore[attr-defined]
    assert type(loop) is type(base.procedures["score"].block[0])


def test_a_new_place_does_not_make_the_base_ambiguous(variant: Variant) -> None:
    """`move u to t` means the one place for units that the base knows."""
    _, problems = _checked(variant("kind Town\n    holds cellar: Unit\n"))
    assert problems == []


def test_the_text_of_the_base_does_not_see_what_a_variant_adds(variant: Variant, tmp_path: Path) -> None:
    folder = variant("kind Town: snowy: bool = no\nstate weather: int\n")
    base = BASE.replace("    require t in u.place.road\n", "    require not t.snowy and weather == 0\n")
    (tmp_path / "ford.rules").write_text(base, encoding="utf-8")
    _, problems = _checked(folder)
    assert [p.code for p in problems] == ["RS107", "RS101"]


def test_an_option_of_the_base_sees_its_base_only(variant: Variant, tmp_path: Path) -> None:
    folder = variant("state weather: int\n")
    base = BASE + 'option mud "Mud"\n    restrict march.go\n        require weather == 0\n'
    (tmp_path / "ford.rules").write_text(base, encoding="utf-8")
    _, problems = _checked(folder, ["mud"])
    assert [p.message for p in problems] == ["there is no name `weather`"]
    own = 'option mud "Mud"\n    restrict march.go\n        require weather == 0\n'
    assert _checked(variant("state weather: int\n" + own), ["mud"])[1] == []


def test_a_variant_of_a_variant(variant: Variant, tmp_path: Path) -> None:
    variant(ALL)
    deeper = tmp_path / "spring"
    deeper.mkdir()
    (deeper / "game.rules").write_text(
        'rulescript 1\ngame "Spring"\n    builds on winter\n'
        "kind Town\n    state mud: int\namend Lake: not frozen\n"
        "replace function reach(t: Town) -> int\n    t.worth + t.snow\n"
        "after march\n    weather = frost\n",
        encoding="utf-8",
    )
    model, problems = _checked(deeper)
    assert problems == []
    hooks = model.procedures["march"].after
    assert [hook.origin for hook in hooks] == ["game `winter`", "game `spring`"]


@pytest.mark.parametrize(
    ("text", "code", "said", "hint"),
    [
        (
            "replace function reech(t: Town) -> int\n    1\n",
            "RS108",
            "there is nothing called `reech` to replace",
            "did you mean `reach`?",
        ),
        ("remove marsh\n", "RS108", "there is nothing called `marsh` to remove", "did you mean `march`?"),
        ("amend Mil: worth 2\n", "RS108", "there is no thing `Mil`", "did you mean `Mill`?"),
        ("kind Town: worth: int = 2\n", "RS102", "`Town` already has `worth`", None),
        ("kind Unit: x: int\n", "RS102", "`Unit` is declared twice", None),
        ("pieces Town: x: int\n", "RS102", "`Town` is declared twice", None),
        ("kind Card\n    does play(s: Side)\n", "RS102", "things of Card already `play`", None),
        (
            "function reach(t: Town) -> int\n    1\n",
            "RS102",
            "`reach` is declared twice",
            "write `replace` before it if it takes the place of the other",
        ),
        (
            "things\n    Town Mill\n",
            "RS102",
            "there are two Town called `Mill`",
            "take one of them away, or give it another name",
        ),
        ("state points: int\n", "RS102", "`points` is declared twice", None),
        ("replace predicate march\n    require yes\n", "RS108", "`march` is something else", None),
    ],
)
def test_a_wrong_variant_says_what_is_wrong(
    variant: Variant, text: str, code: str, said: str, hint: str | None
) -> None:
    _, problems = _checked(variant(text))
    assert [p.code for p in problems] == [code]
    assert problems[0].message.startswith(said)
    assert problems[0].hint == hint
    assert problems[0].span.source.name.endswith("winter/game.rules")


def test_a_variant_and_an_option_of_its_base_may_not_both_replace_a_rule(variant: Variant) -> None:
    folder = variant("replace function reach(t: Town) -> int\n    2\n")
    assert _checked(folder)[1] == []
    _, problems = _checked(folder, ["fog"])
    assert [p.code for p in problems] == ["RS308"]
    assert problems[0].message == "`reach` is replaced by the game `winter` and by the option `fog`"
    assert problems[0].hint == ("declare `option fog` again in the game `winter`: it takes the place of this one")
    assert problems[0].others[0].span.text.startswith("function reach")


def test_an_option_declared_again_takes_the_place_of_the_old_one(variant: Variant) -> None:
    own = 'option fog "Thick fog"\n    replace function reach(t: Town) -> int\n        t.worth\n'
    model, problems = _checked(variant("replace function reach(t: Town) -> int\n    2\n" + own), ["fog"])
    assert problems == []
    assert model.all_options["fog"].title == "Thick fog"


def test_an_option_is_declared_once_in_a_game(variant: Variant) -> None:
    _, problems = _checked(variant('option mud "Mud"\noption mud "Mud again"\n'))
    assert [(p.code, p.message) for p in problems] == [("RS102", "`mud` is declared twice")]


def test_options_that_come_one_after_the_other_may_replace_one_rule(variant: Variant) -> None:
    text = (
        'option a "A"\n    replace function pace_of_play -> int\n        2\n'
        'option b "B", after a\n    replace function pace_of_play -> int\n        3\n'
    )
    assert _checked(variant(text), ["a", "b"])[1] == []
    _, problems = _checked(variant(text.replace(", after a", "")), ["a", "b"])
    assert [p.code for p in problems] == ["RS308"]


def test_a_page_of_the_cookbook_can_be_built_on(tmp_path: Path) -> None:
    page = COOKBOOK / "10-stacking.rules.md"
    (tmp_path / page.name).write_text(page.read_text(encoding="utf-8"), encoding="utf-8")
    folder = tmp_path / "crowded"
    folder.mkdir()
    (folder / "game.rules").write_text(
        'rulescript 1\ngame "More Room"\n    builds on "10-stacking"\n'
        "kind Area: roomy: bool = no\n    state visits: int\n"
        "amend Cross: roomy\n"
        'exception to may_join "within the limit" when a.roomy  §H1\n'
        "pieces Unit\n    state tired: bool\n"
        'restrict movement.move\n    require not u.tired "tired"  §H2\n',
        encoding="utf-8",
    )
    model, problems = _checked(folder)
    assert [p.message for p in problems] == []
    assert model.title == "More Room"
    game = rulescript.load(folder, cache=False)
    for seed in range(3):
        assert _played(game, seed).outcome is not None
