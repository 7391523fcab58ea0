"""`rulescript check`: everything that is wrong, once, whatever options bring it about."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from rulescript.cli import check, findings
from rulescript.cli.check import Choice
from rulescript.diagnostics import Reporter
from rulescript.loader import load_text
from tests.cli.conftest import BROKEN, SKIRMISH, Cli

HEAD = """\
rulescript 1
game "Small"
kind Side
things
    Side North
players Side
state n: int = 0
sequence
    go
phase go
    n = 1
    end game, draw
"""


def _write(tmp_path: Path, text: str) -> str:
    path = tmp_path / "small.rules"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_good_game_is_called_good(cli: Cli) -> None:
    result = cli("check", SKIRMISH)
    assert result.code == 0
    assert "Skirmish: no problems found" in result.out


def test_every_mistake_is_shown_with_carets_and_hints(cli: Cli) -> None:
    result = cli("check", BROKEN)
    assert result.code == 1
    assert "there is no name `Nroth`" in result.out
    assert "did you mean `North`?" in result.out
    assert "RS201" in result.out
    assert "Broken: 2 errors" in result.out


def test_the_same_as_json(cli: Cli) -> None:
    result = cli("check", BROKEN, SKIRMISH, "--json")
    assert result.code == 1
    assert result.json["ok"] is False
    broken, good = result.json["games"]
    assert [each["code"] for each in broken["diagnostics"]] == ["RS101", "RS201"]
    assert broken["diagnostics"][0]["label"]["line"] == 16
    assert good["diagnostics"] == []
    assert {"options": ["fog", "deep_fog"], "scenario": ""} in [
        {**c, "options": sorted(c["options"], reverse=True)} for c in good["checked_with"]
    ]


def test_what_is_worth_checking() -> None:
    """The base, each option with what it needs, all that go together, each scenario."""
    choices = check.choices_of(load_text(SKIRMISH, Reporter()))
    assert choices[0] == Choice()
    as_sets = [(set(c.options), c.scenario) for c in choices]
    assert ({"fog"}, "") in as_sets
    assert ({"snow"}, "") in as_sets
    assert ({"fog", "deep_fog"}, "") in as_sets
    assert (set(), "late") in as_sets
    assert ({"fog", "snow"}, "") not in as_sets


def test_a_mistake_in_an_option_is_found_and_named(cli: Cli, tmp_path: Path) -> None:
    game = _write(tmp_path, HEAD + 'option wild "Wild"\n    after go\n        n = North\n')
    result = cli("check", game)
    assert result.code == 1
    assert "(with option wild)" in result.out
    found = [d for d in cli("check", game, "--json").json["games"][0]["diagnostics"] if d["severity"] == "error"]
    assert [d["with"] for d in found] == [{"options": ["wild"], "scenario": ""}]


def test_named_options_are_checked_alone(cli: Cli) -> None:
    result = cli("check", SKIRMISH, "-o", "fog,deep_fog", "--json")
    assert result.json["games"][0]["checked_with"] == [{"options": ["fog", "deep_fog"], "scenario": ""}]
    assert cli("check", SKIRMISH, "-o", "fog", "-o", "snow").code == 2


def test_behind_a_mistake_of_syntax_no_names_are_missed(cli: Cli, tmp_path: Path) -> None:
    """A kind that could not be read is not reported as unknown wherever it is used; a wrong type still is."""
    text = HEAD.replace("kind Side\n", "kind Side:\n").replace("n = 1", "n = yes")
    result = cli("check", _write(tmp_path, text), "--json")
    codes = [d["code"] for d in result.json["games"][0]["diagnostics"]]
    assert any(code.startswith("RS0") for code in codes)
    assert not any(code.startswith("RS1") for code in codes)


def test_warnings_pass_unless_strict(cli: Cli, tmp_path: Path) -> None:
    game = _write(tmp_path, HEAD.replace("    n = 1\n", "    n = 1\n    n = n + unused_not\n"))
    assert cli("check", game).code == 1
    plain = _write(tmp_path, HEAD + "function unused() -> int\n    3\n")
    result = cli("check", plain)
    assert result.code == 0
    if "warning" in result.out:
        assert cli("check", plain, "--strict").code == 1


@pytest.mark.parametrize("code", ["RS204", "rs204", "204"])
def test_a_code_is_explained(cli: Cli, code: str) -> None:
    result = cli("check", "--explain", code)
    assert result.code == 0
    assert result.out.startswith("RS204 ")
    assert "Wrong:" in result.out


def test_an_unknown_code_is_told(cli: Cli) -> None:
    result = cli("check", "--explain", "RS999")
    assert result.code == 2
    assert "there is no code `RS999`" in result.err
    assert cli("check", "--explain", "RS901", "--json").json["slug"] == "internal-error"


def test_the_stages_can_be_looked_at(cli: Cli) -> None:
    ast = cli("check", SKIRMISH, "--show", "ast")
    assert ast.code == 0
    assert "KindDecl" in ast.out
    model = cli("check", SKIRMISH, "--show", "model", "-o", "fog")
    assert "value reach_of_fire -> a number, 1 adjustments §4.1" in model.out.replace("()", "")
    code = cli("check", SKIRMISH, "--show", "code")
    compile(code.out, "generated", "exec")


def test_watching_checks_again_when_a_file_changes(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Path(_write(tmp_path, HEAD))
    monkeypatch.setattr(check, "POLL_SECONDS", 0.01)
    seen: list[int] = []
    original = check._check_all

    def counted(*args: object) -> int:
        code = original(*args)  # type: ignore[arg-type]
        seen.append(code)
        if len(seen) == 2:
            raise KeyboardInterrupt
        return code

    def change() -> None:
        while not seen:
            time.sleep(0.01)
        game.write_text(HEAD.replace("n = 1", "n = North"), encoding="utf-8")

    monkeypatch.setattr(check, "_check_all", counted)
    other = threading.Thread(target=change)
    other.start()
    result = cli("check", str(game), "--watch")
    other.join()
    assert result.code == 130
    assert seen == [0, 1]


def test_half_of_a_file_is_no_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Editors and scripts empty a file, and then write it: what is looked at is what there is when they are done."""
    game = _write(tmp_path, HEAD)
    monkeypatch.setattr(check, "SETTLE_SECONDS", 0.0)
    seen = iter(["old", "old", "old", "", "half", "new", "new", "new", "", "new", "new", "other", "other"])
    monkeypatch.setattr(check, "text_key", lambda games: next(seen))
    monkeypatch.setattr(check, "POLL_SECONDS", 0.0)
    found = check.changes([game])
    assert [next(found) for _ in range(3)] == ["old", "new", "other"]


def test_without_a_game_this_folder_is_checked(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, HEAD)
    monkeypatch.chdir(tmp_path)
    assert "Small:" in cli("check").out


def test_examples_are_read_without_being_played(cli: Cli, tmp_path: Path) -> None:
    """A line of no known form, and an option, scenario or example that is not there, show at once."""
    game = _write(
        tmp_path,
        HEAD
        + 'option mud "Mud"\n'
        + '    example "Inside an option"\n        given setup\n        hope\n'
        + 'example "A"\n    with options mudd\n    given setup\n    expect\n        n == 0\n'
        + 'example "B"\n    given like "AA"\n    expect\n        n == 0\n'
        + 'example "C"\n    given scenario late\n    expect\n        n == 0\n'
        + 'example "D"\n    given setup\n    play\n        go to sleep\n    expect\n        n == 0\n',
    )
    result = cli("check", game)
    assert result.code == 1
    assert result.out.count("error[RS331]") == 2
    assert result.out.count("error[RS319]") == 3
    assert "there is no option `mudd`" in result.out
    assert "did you mean `mud`?" in result.out
    assert '|     given like "AA"' in result.out
    assert "there is no scenario `late`" in result.out


def test_examples_like_each_other_in_a_circle_are_found_without_playing(cli: Cli, tmp_path: Path) -> None:
    one = 'example "A"\n    given like "B"\n    expect\n        n == 0\n'
    other = 'example "B"\n    given like "A"\n    expect\n        n == 0\n'
    result = cli("check", _write(tmp_path, HEAD + one + other))
    assert result.code == 1
    assert "in a circle" in result.out


def test_a_rule_that_is_on_is_also_checked_off(cli: Cli, tmp_path: Path) -> None:
    """What only the option declares is missing without it."""
    text = HEAD + 'option wind "Wind", on\n    state gusts: int\n    after go\n        gusts = 1\n'
    game = _write(tmp_path, text + 'option kites "Kites"\n    after go\n        gusts = 2\n')
    result = cli("check", game, "-o", "kites")
    assert "RS101" not in result.out
    result = cli("check", game, "-o", "kites", "--without", "wind")
    assert result.code == 1
    assert "there is no name `gusts`" in result.out
    assert str(Choice(("fog", "-wind"))) == "option fog and without wind"


def test_of_very_many_options_each_is_in_company_first(tmp_path: Path) -> None:
    """There may be no time for each alone; those that exclude each other take turns."""
    options = [
        f'option o{i} "O{i}"{f", excludes o{i - 1}" if i % 2 else ""}\n    state s{i}: int\n' for i in range(400)
    ]
    choices = check.choices_of(load_text(_write(tmp_path, HEAD + "".join(options)), Reporter()))
    assert choices[0] == Choice()
    assert {*choices[1].options, *choices[2].options} == {f"o{i}" for i in range(400)}
    assert str(choices[1]).endswith("and 160 more")
    assert len(choices) == 403


def test_a_long_row_of_options_makes_no_long_work(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each needs the one before it: the sets together have as many names as the square of the options."""
    from tests.properties.test_hostile import within

    monkeypatch.setattr(findings, "MOST_WORK", 4_000)
    options = ['option o0 "O"\n    after go\n        n += 1\n']
    options += [f'option o{i} "O", needs o{i - 1}, after o{i - 1}\n    state s{i}: int\n' for i in range(1, 1000)]
    with within(60):
        result = cli("check", _write(tmp_path, HEAD + "".join(options)))
    assert "sets of options and scenarios were looked at" in result.out
