"""Somebody changes a game he did not write: what goes by itself, and what he is told where it does not."""

from __future__ import annotations

from pathlib import Path

from rulescript.cli.check import check_text, choices_of
from rulescript.diagnostics import Reporter
from rulescript.loader import load_text

BASE = """\
rulescript 1
game "Two banks", version "1"
rulebook "Two banks"
    1  section  "Everything"
kind Side
    state vp: int = 0
    holds deck: Card, count to it, count to others
    holds hand: Card, visible to it, count to others
    holds table: Card
kind Card: side: Side
    home side.deck
    in force when it in side.table
    does play
kind Place
things
    Side North
    Side South
    Card Levy    North  §1
        extend muster.raise
            or levy "Levy"  §1
                North.vp += 2
    Card Drill   South  §1
        when raised(s) if s == South "Drill"
            South.vp += 1
    Card Toll    South  §1
        adjust cost(s) add 1 when s == North "Toll"
players Side
map River
    link road
    Place Mill
    Place Ford
    road Mill - Ford
state active: Side
value cost(s: Side) -> int  §1
    1
signal raised(s: Side)
phase muster "Muster"  §1
    choose raise "Raise"
        active.vp += cost(active)
        signal raised(active)
    or pass
phase feast "Feast"  §1
    may choose eat: p in Place "Eat in {p}"
        active.vp += count(p.road)
phase deal "Deal"  §1
    for s in Side
        for c in s.deck
            move c to s.hand
        for c in s.hand
            move c to s.table
sequence
    deal
    for active in Side
        muster
        feast
    end game, draw
check "Two places"  §1
    count(Place) == 2
"""


def told_of(tmp_path: Path, text: str) -> list[str]:
    """What is found fault with in a variant, with what to do about it."""
    (tmp_path / "banks").mkdir(parents=True)
    (tmp_path / "banks" / "game.rules").write_text(BASE, encoding="utf-8")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "game.rules").write_text(
        f'rulescript 1\ngame "More banks", version "1"\n    builds on banks\n{text}', encoding="utf-8"
    )
    reporter = Reporter()
    loaded = load_text(tmp_path / "more", reporter)
    checked = check_text(loaded, reporter, choices_of(loaded))
    return [f"{d.code} {d.message} | {d.hint}" for d in checked.diagnostics]


def test_a_map_links_with_the_sorts_of_the_base(tmp_path: Path) -> None:
    text = 'map Upriver\n    Place Spring\n    road Spring - Mill\nremove "Two places"\n'
    assert told_of(tmp_path, text) == []


def test_a_sort_of_link_that_no_map_has_is_still_unknown(tmp_path: Path) -> None:
    (told,) = told_of(tmp_path, 'map Upriver\n    Place Spring\n    roed Spring - Mill\nremove "Two places"\n')
    assert told == "RS101 there is no sort of link `roed` | did you mean `road`?"


def test_a_check_of_the_base_says_how_it_is_taken_away(tmp_path: Path) -> None:
    (told,) = told_of(tmp_path, "map Upriver\n    Place Spring\n    road Spring - Mill\n")
    assert told.startswith("RS313 check fails: Two places | ")
    assert told.endswith('write `remove "Two places"`')


def test_rules_of_a_variant_without_an_index_need_no_citation(tmp_path: Path) -> None:
    text = 'replace phase feast "Feast"\n    may choose eat: p in Place "Eat in {p}"\n        active.vp += 1\n'
    assert told_of(tmp_path / "one", text) == []
    more = 'rulebook "More"\n    2  section  "More"\n'
    assert any(told.startswith("RS307") for told in told_of(tmp_path / "two", more + text))


def test_a_phase_that_is_left_out_says_how_it_is_taken_away(tmp_path: Path) -> None:
    text = "replace sequence\n    deal\n    for active in Side\n        feast\n    end game, draw\n"
    (told,) = told_of(tmp_path / "one", text)
    assert told.startswith("RS304") and told.endswith("or take it away: `remove muster`")


def test_what_cards_say_of_a_rule_goes_with_it(tmp_path: Path) -> None:
    """Levy extends the muster, Drill answers its signal, Toll adds to its cost: none of that is there any more."""
    text = "replace sequence\n    deal\n    for active in Side\n        feast\n    end game, draw\n"
    text += "remove muster\nremove raised\nremove cost\n"
    assert told_of(tmp_path / "one", text) == []
    told = told_of(tmp_path / "two", text + "restrict muster.raise\n    require no\n")
    assert [each.partition(" | ")[0] for each in told] == ["RS108 there is no phase or procedure `muster`"]


def test_a_hidden_list_of_candidates_says_where_peeks_goes(tmp_path: Path) -> None:
    text = 'after feast\n    may choose by North spy: c in South.hand "Burn {c}"\n        move c to South.deck\n'
    (told,) = told_of(tmp_path / "one", text)
    assert told.startswith("RS311") and told.endswith("`require c in South.hand peeks`")
    mended = text.replace("        move", "        require c in South.hand peeks\n        move")
    assert told_of(tmp_path / "two", mended) == []
