"""`rulescript games`: the list, one game, and its choices."""

from __future__ import annotations

from pathlib import Path

from rulescript.loader import bundled_games
from tests.cli.conftest import CARDS, SKIRMISH, Cli


def test_the_games_that_come_along_are_listed(cli: Cli) -> None:
    result = cli("games")
    assert result.code == 0
    for name in bundled_games():
        assert name in result.out
    assert [game["game"] for game in cli("games", "--json").json["games"]] == bundled_games()


def test_one_game_shows_its_players_options_and_scenarios(cli: Cli) -> None:
    out = cli("games", SKIRMISH).out
    for words in (
        "Skirmish",
        "version 1.2",
        "North, South",
        "Fog over the valley",
        "needs fog",
        "excludes fog",
    ):
        assert words in out
    assert "late" in out
    data = cli("games", SKIRMISH, "--json", "-o", "fog").json
    assert data["players"] == ["North", "South"]
    assert [option["name"] for option in data["options"]] == ["fog", "snow", "deep_fog"]
    assert data["options"][0]["chosen"] is True
    assert data["spaces"] == ["Mill", "Bridge", "Ford", "Castle"]


def test_choices_are_listed_with_variables_and_keys(cli: Cli) -> None:
    out = cli("games", SKIRMISH, "--choices").out
    assert "march u=PLACE:TYPE" in out
    assert "march t=TOWN" in out
    listed = cli("games", SKIRMISH, "--choices", "--json").json["choices"]
    march = next(entry for entry in listed if entry["choice"] == "march")
    assert march["procedure"] == "marching"
    assert march["cites"] == ["3.1"]
    assert [alt["label"] for alt in march["alternatives"]] == ["march", "stop"]
    assert [v["name"] for v in march["alternatives"][0]["variables"]] == ["u", "t"]


def test_listed_keys_are_those_of_play(cli: Cli) -> None:
    """What `--choices` says a key looks like is how the options of a position begin."""
    import rulescript

    listed = cli("games", CARDS, "--choices", "--json").json["choices"]
    shapes = {key.partition("=")[0] for entry in listed for alt in entry["alternatives"] for key in alt["keys"]}
    position = rulescript.load(CARDS).start(1)
    while position.decision is not None:
        assert {option.key.partition("=")[0] for option in position.decision.options} <= shapes
        position.choose(0)


def test_names_of_what_a_position_is_made_of_are_listed(cli: Cli) -> None:
    out = cli("games", CARDS, "--names").out
    listed = cli("games", CARDS, "--names", "--json").json
    kinds = {kind["kind"]: kind for kind in listed["kinds"]}
    for kind in kinds.values():
        assert kind["kind"] in out
        assert all(entry["name"] in out for entry in kind["names"])
    import rulescript

    game = rulescript.load(CARDS)
    assert listed["phases"] == list(dict.fromkeys(game.data.phases))
    for holds in game.data.holds:
        places = listed["places"] if not holds.owner else kinds[holds.owner]["places"]
        assert {"name": holds.name, "holds": holds.kind, "ordered": bool(holds.is_ordered)} in places
    for name, kind in kinds.items():
        info = game.data.kinds[name]
        total = sum(info.counts) if info.is_pieces else len(info.names)
        assert sum(entry["count"] for entry in kind["names"]) == total


def test_names_say_how_far_a_number_goes(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "game.rules"
    text = "kind Side\n    state orders: 0..6\n    state vp: int\nthings\n    Side North\nplayers Side\n"
    text += "state depth: -3..0\n"
    path.write_text(f'rulescript 1\ngame "Bounds"\n{text}sequence\n    end game, draw\n', encoding="utf-8")
    out = cli("games", str(path), "--names").out
    assert "orders: 0..6, vp: int" in out and "depth: -3..0" in out
    listed = cli("games", str(path), "--names", "--json").json
    assert listed["states"] == [{"name": "depth", "type": "int", "bounds": [-3, 0]}]


def test_names_list_what_conditions_may_ask(cli: Cli, tmp_path: Path) -> None:
    """Functions, values, predicates, tables, routes and procedures, with what they take and give."""
    path = tmp_path / "asked.rules"
    path.write_text(ASKED, encoding="utf-8")
    out = cli("games", str(path), "--names").out
    rules = {rule["name"]: rule for rule in cli("games", str(path), "--names", "--json").json["rules"]}
    assert {name: (rule["sort"], rule["gives"]) for name, rule in rules.items()} == {
        "enemy": ("function", "Side"),
        "dice": ("value", "int"),
        "open_to": ("predicate", "bool"),
        "hits": ("table", "int"),
        "ride": ("route", "set of Town"),
        "fight": ("procedure", ""),
    }
    assert rules["dice"]["parameters"] == [
        {"name": "t", "type": "Town", "optional": False},
        {"name": "s", "type": "Side", "optional": True},
    ]
    assert "dice(t: Town, s: Side = ...)" in out and "ride(t: Town)" in out and "fight(t: Town)" in out


def test_choices_are_listed_with_their_texts(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "asked.rules"
    path.write_text(ASKED, encoding="utf-8")
    listed = cli("games", str(path), "--choices", "--json").json["choices"]
    texts = {alt["label"]: alt["text"] for entry in listed for alt in entry["alternatives"]}
    assert texts["attack"] == "Attack {t} with {dice(t)}" and texts["wait"] == "Wait a while"
    out = cli("games", str(path), "--choices").out
    assert 'attack  "Attack {t} with {dice(t)}"' in out


ASKED = """\
rulescript 1
game "Asked", version "1"
values Side: Red, Blue
players Side
state active: Side
kind Town
map Land
    link road
    Town Mill
    Town Ford
    road Mill - Ford
function enemy(s: Side) -> Side
    if s == Red then Blue else Red
value dice(t: Town, s: Side = active) -> int
    if t == Mill and s == Red then 2 else 1
predicate open_to(t: Town)
    require dice(t) > 0 and enemy(active) != active
table hits(n: int) -> int
    | 1..3 | 0 |
    | 4..6 | 1 |
route ride(t: Town) from t by road
procedure fight(t: Town)
    roll d6 as rolled
    if hits(rolled) > 0
        tell "{t} falls"
sequence
    for active in Side
        choose attack: t in Town "Attack {t} with {dice(t)}"
            require open_to(t) and some ride(t)
            fight(t)
        or wait "Wait a while"
    end game, draw
"""
