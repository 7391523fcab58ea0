"""The catalogue is complete, orderly, and names the codes the package uses."""

from __future__ import annotations

import re
from pathlib import Path

import rulescript.diagnostics
from rulescript.diagnostics import CODES, render_explanation

PACKAGE = Path(rulescript.diagnostics.__file__).parent.parent

# The codes we began with; more may come, none may go.
FIRST_CODES = [
    *range(1, 15),
    *range(101, 114),
    *range(201, 215),
    *range(301, 320),
    901,
]


def test_every_code_is_there_in_order() -> None:
    assert {f"RS{number:03}" for number in FIRST_CODES} <= set(CODES)
    assert list(CODES) == sorted(CODES)
    assert all(code == entry.code and re.fullmatch(r"RS\d{3}", code) for code, entry in CODES.items())


def test_slugs_are_unique_and_in_kebab_case() -> None:
    slugs = [entry.slug for entry in CODES.values()]
    assert len(set(slugs)) == len(slugs)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", slug) for slug in slugs)


def test_every_entry_says_something() -> None:
    for entry in CODES.values():
        assert entry.title[0].isupper() and not entry.title.endswith("."), entry.code
        assert len(entry.explanation) > 60 and entry.explanation.endswith("."), entry.code
        if not entry.code.startswith("RS9"):
            assert entry.example and entry.cure and entry.example != entry.cure, entry.code
        assert "\t" not in entry.cure, entry.code
        assert entry.cure == entry.cure.strip("\n"), entry.code


def test_every_code_named_in_the_package_is_in_the_catalogue() -> None:
    for path in PACKAGE.rglob("*.py"):
        named = set(re.findall(r'"(RS\d{3})"', path.read_text(encoding="utf-8")))
        assert named <= set(CODES), path


def test_an_explanation_shows_wrong_and_right() -> None:
    page = render_explanation(CODES["RS204"])
    assert page.startswith("RS204 wrong-argument-type: Wrong argument type\n\nThe rule works on one sort of thing")
    wrong = "restrict movement.move  §4.2\n        require strength(t, active) > 0"
    assert f"Wrong:\n\n    {wrong}\n\nRight:" in page
    assert page.endswith("        require strength(r, active) > 0")
    assert "Wrong:" not in render_explanation(CODES["RS901"])
