"""The JSON description: complete, and as docs/reference.md says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript.docgen import build_site, describe_game
from tests.docgen.conftest import LAKES, VARIANT

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference.md"


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    return describe_game(rulescript.load(LAKES), games=2)


def test_it_survives_json(told: dict[str, Any], tmp_path: Path) -> None:
    (path,) = build_site(rulescript.load(LAKES), tmp_path, format="json", games=2)
    assert json.loads(path.read_text(encoding="utf-8")) == json.loads(json.dumps(told))


def documented() -> dict[str, set[str]]:
    """The tables of keys in docs/reference.md, by the part they describe."""
    text = PAGE.read_text(encoding="utf-8").partition("## The description as JSON")[2]
    out: dict[str, set[str]] = {}
    for part, table in re.findall(r"(?m)^### `([\w.]+)`\n(.*?)(?=^### |^## |\Z)", text, re.S | re.M):
        out[part] = set(re.findall(r"(?m)^\| `([\w ]+)` \|", table))
    return out


def test_the_keys_are_those_of_the_documentation(told: dict[str, Any]) -> None:
    docs = documented()
    assert set(told) == docs["top"]
    parts: dict[str, list[Any]] = {
        "game": [told["game"]],
        "players": [told["players"]],
        "kinds": told["kinds"],
        "things": told["things"],
        "states": [*told["states"], *(s for k in told["kinds"] for s in k["states"])],
        "places": [*told["places"], *(s for k in told["kinds"] for s in k["places"])],
        "maps": told["maps"],
        "maps.links": [link for m in told["maps"] for link in m["links"]],
        "sequence": told["sequence"],
        "rules": [*told["rules"], *told["tables"]],
        "decisions": told["decisions"],
        "decisions.ways": [w for d in told["decisions"] for w in d["ways"]],
        "decisions.ways.requires": [r for d in told["decisions"] for w in d["ways"] for r in w["requires"]],
        "cards": told["cards"],
        "options": told["options"],
        "examples": told["examples"],
        "rulebook": told["rulebook"],
        "reconstructed": told["reconstructed"],
        "readings": told["readings"],
        "random_games": [told["random_games"]],
    }
    for name, entries in parts.items():
        assert entries, name
        keys = set().union(*(set(e) for e in entries))
        assert keys == docs[name], (name, keys ^ docs[name])


def test_lines_have_the_documented_keys(told: dict[str, Any]) -> None:
    docs = documented()

    def walk(line: dict[str, Any]) -> None:
        assert set(line) <= docs["lines"], line
        assert line["text"] and line["form"]
        for inner in line.get("lines", []):
            walk(inner)

    for rule in told["rules"]:
        for line in rule["lines"]:
            walk(line)


def test_what_it_says(told: dict[str, Any]) -> None:
    heron = next(t for t in told["things"] if t["name"] == "Heron")
    assert heron["attributes"] == {"owner": "North", "fish": 2, "harbour": True, "sea": False, "depth": 0}
    away = {"sort": "water", "from": "Broad", "to": "Far_Isle", "both_ways": False, "reconstructed": ""}
    assert away in told["maps"][0]["links"]
    march = next(d for d in told["decisions"] if d["name"] == "march")
    first = march["ways"][0]["requires"][0]
    assert (first["text"], first["denied"]) == (
        "The crew is yours.", "The crew is not yours.",
    )  # fmt: skip
    assert first["cites"] == ["2.1"]
    assert [o["name"] for o in told["options"]] == ["fog", "thick_fog", "late"]
    assert told["tables"][0]["tables"][0]["head"] == ["Roll ↓  Strength →", "0–1", "2–3", "4+"]
    assert told["players"]["seats"] == {"2": [["North"], ["South"]]}
    assert next(c for c in told["cards"] if c["name"] == "Rain_1")["copies"] == 2
    assert all(e["holds"] for e in told["examples"])


def test_a_variant_says_what_it_changes() -> None:
    told = describe_game(rulescript.load(VARIANT), games=1)
    assert told["game"]["builds_on"] == ["10-stacking"]
    assert told["differences"]["builds_on"] == "10-stacking"
    groups = {c["where"] for c in told["differences"]["changes"]}
    assert groups >= {"replaced", "removed", "limits", "exceptions", "facts"}
