"""What a report says is what the games were: comparisons, sweeps, smells, pages, tables."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import rulescript
from rulescript.errors import BadCall, BadOption, BadRun, GameInvalid
from rulescript.runtime.game import Game
from rulescript.simulation import Run, Sweep, compare, open_run, open_sweep, simulate, smells_of, varied
from rulescript.simulation.comparison import run_name
from rulescript.simulation.page import comparison_page, never_used, run_page, sections_of, sweep_page
from rulescript.simulation.parts import has_parquet
from rulescript.simulation.plots import ticks
from rulescript.simulation.varied import range_of
from tests.simulation.conftest import FAIR

SKIRMISH = str(Path(__file__).parents[1] / "cli" / "games" / "skirmish.rules")


@pytest.fixture(scope="module")
def run(fair: Game) -> Run:
    return simulate(fair, 200, jobs=1, follow=1, pairs=True)


@pytest.fixture(scope="module")
def written(fair: Game, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("runs") / "fair"
    return simulate(fair, 60, jobs=1, follow=1, out=folder)


def test_how_a_user_fared_is_counted_game_by_game(written: Run) -> None:
    """Against the rows, counted by hand."""
    with_it, without = [], []
    for row in written.rows():
        used = any(use[:3] == ("card", "Card Silk", "Ada") and use[3] for use in row["uses"])
        (with_it if used else without).append(row["scores"][0])
    use = written.summary.uses["card", "Card Silk", "Ada"]
    assert (use.games, use.score) == (len(with_it), sum(with_it))
    gain = written.summary.gain_of("card", "Card Silk", "Ada")
    assert gain.value == pytest.approx(sum(with_it) / len(with_it) - sum(without) / len(without))
    assert gain.low < gain.value < gain.high


def test_the_first_player_is_the_one_who_is_asked_first(run: Run, fair: Game) -> None:
    found = run.summary.first_advantage()
    ada, bert = run.summary.scores["Ada"], run.summary.scores["Bert"]
    assert found.value == pytest.approx((ada.score - bert.score) / 200)
    assert found.low < found.value < found.high and list(run.summary.firsts) == ["Ada"]


def test_cards_whose_text_does_nothing_are_smelled(run: Run) -> None:
    found = {smell.what for smell in smells_of(run)}
    assert "does nothing: A bag of dust" in found
    assert not any("Silk" in what or "Clay" in what for what in found)
    assert never_used(run)["text"] == ["Card Dust"]


def test_a_choice_with_one_sensible_answer_is_smelled(tmp_path: Path) -> None:
    text = Path(FAIR).read_text().replace("    1\n\nstanding", "    90\n\nstanding")
    (tmp_path / "wages.rules").write_text(text)
    game = rulescript.load(tmp_path / "wages.rules")
    thinking = simulate(game, 24, jobs=1, bots=["search:60"], follow=0)
    what = [smell.what for smell in smells_of(thinking) if smell.sort == "choice"]
    assert "one sensible answer: At the market: work" in what
    assert not any("sleep" in each for each in what)


def test_games_without_decisions_are_smelled(tmp_path: Path) -> None:
    """Where only one answer is ever there, nobody is asked."""
    text = Path(FAIR).read_text()
    a = text.index("    choose act")
    b = text.index("phase count_coins")
    (tmp_path / "dull.rules").write_text(text[:a] + "    active.coins += wages()\n\n" + text[b:])
    found = smells_of(simulate(rulescript.load(tmp_path / "dull.rules"), 10, jobs=1))
    assert [smell.what for smell in found] == ["games without decisions"]


def test_an_option_is_compared_seed_by_seed(fair: Game, run: Run) -> None:
    other = simulate(rulescript.load(FAIR, options=["rain"]), 200, jobs=1, follow=1, pairs=True)
    found = compare(run, other)
    assert found.pairs == 200
    wins = next(each for each in found.measures if each.name == "Ada wins")
    pairs = [(run.briefs[n].scores[0] == 1, other.briefs[n].scores[0] == 1) for n in range(200)]
    assert wins.change.value == pytest.approx(sum(b - a for a, b in pairs) / 200)
    assert wins.base.value == pytest.approx(sum(a for a, _ in pairs) / 200)
    same = compare(run, run)
    assert all(each.change.value == 0 and not each.is_clear for each in same.measures)
    added = [use for use in found.uses if use.base is None]
    assert {use.name for use in added} <= {"5"}
    page = comparison_page(found)
    assert "Side by side" in page and "Rain" in page and "200 pairs" in page


def test_runs_without_a_common_seed_cannot_be_compared(fair: Game, run: Run) -> None:
    other = simulate(fair, 5, jobs=1, seed=1_000, pairs=True)
    with pytest.raises(BadRun, match="no seed in common"):
        compare(run, other)
    with pytest.raises(BadRun, match="no seed in common"):
        compare(run, simulate(fair, 5, jobs=1))


def test_part_of_the_seeds_in_common_is_enough(fair: Game, run: Run) -> None:
    assert compare(run, simulate(fair, 50, jobs=1, seed=180, pairs=True)).pairs == 20


# ---- one number -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, number, where, value",
    [
        ("wages", 7, FAIR, None), ("Card.worth", 2, FAIR, BadOption), ("Silk_1.worth", 9, FAIR, None),
        ("Trader.coins", 4, FAIR, None), ("Mill.worth", 7, SKIRMISH, None), ("North_infantry", 3, SKIRMISH, None),
        ("reach", 1, SKIRMISH, BadOption), ("points", 1, SKIRMISH, BadOption),
    ],
)  # fmt: skip
def test_a_number_of_the_rules_can_be_set(name: str, number: int, where: str, value: Any) -> None:
    game = rulescript.load(where)
    if value is not None:
        with pytest.raises(value, match="no number"):
            varied(game, {name: number})
        return
    other = varied(game, {name: number})
    assert other.rules_hash != game.rules_hash and other.numbers == {name: number}
    assert (other.title, other.version) == (game.title, game.version)
    again = varied(game, {name: number})
    assert again.rules_hash == other.rules_hash, "from the cache too"


def test_what_is_set_is_what_is_played(fair: Game) -> None:
    rich = varied(fair, {"Trader.coins": 5}).start(1)
    assert rich.value("Ada.coins") == "5"
    paid = varied(fair, {"wages": 40}).start(1)
    assert paid.choose("work for wages").value("Ada.coins") == "40"
    rain = varied(rulescript.load(FAIR, options=["rain"]), {"wages": 40}).start(1)
    assert rain.choose("work for wages").value("Ada.coins") == "41", "options still add to it"


def test_what_is_listed_with_a_number_can_be_more_or_fewer(tmp_path: Path) -> None:
    """Pieces of a type, and copies of a thing, that `things` lists."""
    (tmp_path / "listed.rules").write_text(
        """rulescript 1
game "Listed"
kind Side
    holds camp: Tile
holds drawn: Card
kind Card
    home drawn
pieces Tile: side: Side
    home side.camp
things
    Side Red
    Tile Guard  Red, 3
    Tile Scout  Red, 2 in Red.camp
    Card Raid   2
players Side
state active: Side
phase play
    choose some_of: up to 9 from active.camp as gone
        tell "{gone}"
sequence
    play
    end game, Red wins
"""
    )
    game = rulescript.load(tmp_path / "listed.rules")
    more = varied(game, {"Guard": 5, "Scout": 4}).start(1)
    assert more.value("Red.camp") == {"Guard": 5, "Scout": 4}
    assert varied(game, {"Raid": 3}).start(1).value("drawn") == {"Raid_1": 1, "Raid_2": 1, "Raid_3": 1}
    with pytest.raises(BadOption, match="no number"):
        varied(game, {"Red": 2})


def test_what_the_rules_forbid_cannot_be_set() -> None:
    with pytest.raises(GameInvalid):
        varied(rulescript.load(SKIRMISH), {"North_infantry": 1})  # three are placed


@pytest.mark.parametrize(
    "words", ["", "wages", "wages=", "=3", "wages=a..b", "wages=1..", "wages=1;2", "wages=1..9999"]
)
def test_a_range_that_is_none_is_told(words: str) -> None:
    with pytest.raises(BadOption):
        range_of(words)


def test_ranges() -> None:
    assert range_of("wages=3..5") == ("wages", [3, 4, 5])
    assert range_of("Mill.worth = 1, 2,9, 2") == ("Mill.worth", [1, 2, 9])
    assert range_of("s=-10..10/5") == ("s", [-10, -5, 0, 5, 10])


def test_a_sweep_shows_what_the_number_does(fair: Game, tmp_path: Path) -> None:
    sweep = Sweep("Silk_1.worth", [])
    for number in (1, 50):
        game = varied(fair, {"Silk_1.worth": number})
        out = tmp_path / run_name("Silk_1.worth", number)
        sweep.runs.append((number, simulate(game, 60, jobs=1, out=out)))
    sweep.write(tmp_path)
    found = open_sweep(tmp_path)
    assert found is not None and found.to_dict() == sweep.to_dict()
    margin = next(each for each in found.comparisons[0].measures if each.name == "margin of the winners")
    assert margin.is_clear and margin.change.value > 5
    assert "Against Silk_1.worth = 1" in sweep_page(found)
    assert open_sweep(tmp_path / "nowhere") is None
    (tmp_path / "sweep.json").write_text('{"name": "x", "runs": [[1, "../elsewhere"]]}')
    with pytest.raises(BadRun, match="elsewhere"):
        open_sweep(tmp_path)


# ---- pages and tables -------------------------------------------------------------------------------------


class _Checker(HTMLParser):
    """Every element is closed, and nothing is fetched."""

    VOID = frozenset({"meta", "rect", "line", "circle", "polygon", "polyline"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.targets: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert tag not in ("script", "link", "img", "iframe")
        for key, value in attrs:
            assert not key.startswith("on") and key != "src"
            if key == "href":
                assert value.startswith("#")
                self.targets.add(value[1:])
            if key == "id":
                assert value not in self.ids
                self.ids.add(value)
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_stands_for_itself(run: Run) -> None:
    page = run_page(run)
    checker = _Checker()
    checker.feed(page)
    assert checker.open == [] and checker.targets <= checker.ids
    assert "http" not in page.replace("http-equiv", "")
    anchors = [section.anchor for section in sections_of(run)]
    assert anchors == ["smells", "wins", "lengths", "standing", "choices", "cards", "rules", "never"]
    assert f"{run.summary.win_share('Ada').value:.1%}" in page


def test_words_of_a_stranger_are_only_words(tmp_path: Path) -> None:
    text = Path(FAIR).read_text().replace('"The Fair"', '"<script>alert(1)</script>"', 1)
    text = text.replace('"A bag of dust"', '"<b onclick=x>dust"').replace('"as many coins"', '"</style><img src=x>"')
    (tmp_path / "odd.rules").write_text(text)
    page = run_page(simulate(rulescript.load(tmp_path / "odd.rules"), 60, jobs=1, follow=1))
    _Checker().feed(page)
    assert "&lt;script&gt;" in page and "&lt;b onclick" in page


def test_games_that_went_wrong_and_few_games_have_a_page_too(tmp_path: Path, fair: Game) -> None:
    for games in (1, 2):
        _Checker().feed(run_page(simulate(fair, games, jobs=1)))
    text = (
        Path(FAIR).read_text().replace("who.coins += this.worth", "who.coins += 3 / (who.coins - who.coins) rounded up")
    )
    (tmp_path / "wrong.rules").write_text(text)
    wrong = simulate(rulescript.load(tmp_path / "wrong.rules"), 30, jobs=1, pairs=True)
    assert wrong.summary.failed > 5
    page = run_page(wrong)
    _Checker().feed(page)
    assert "divided by zero" in page
    compare(wrong, wrong)


def test_ticks_are_round_and_reach_both_ends() -> None:
    for low, high in ((0, 1), (0, 0.03), (-7, 13), (33.2, 34.1), (5, 5), (0, 123_456)):
        found = ticks(low, high)
        assert found[0] <= low and found[-1] >= high and 2 <= len(found) <= 8


def test_a_run_that_kept_no_games_has_no_tables(run: Run) -> None:
    with pytest.raises(BadCall if has_parquet() else BadRun):
        run.tables()


def test_tables_are_read_by_others(written: Run) -> None:
    pytest.importorskip("pyarrow")
    tables = open_run(written.folder.path).tables()  # type: ignore[union-attr]
    assert {name: table.num_rows > 0 for name, table in tables.items()} == dict.fromkeys(
        ("games", "roles", "standing", "uses"), True
    )
    games = tables["games"].to_pylist()
    assert len(games) == 60 and games[3]["seed"] == 3
    silk = [row for row in tables["uses"].to_pylist() if row["name"] == "Card Silk" and row["sort"] == "card"]
    times = sum(written.summary.uses["card", "Card Silk", role].times for role in written.roles)
    assert sum(row["times"] for row in silk) == times and {row["label"] for row in silk} == {"Silk"}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_pandas_and_polars_read_the_tables(written: Run, library: str) -> None:
    pytest.importorskip("pyarrow")
    other = pytest.importorskip(library)
    for table in written.tables().values():
        frame = table.to_pandas() if library == "pandas" else other.from_arrow(table)
        assert len(frame) == table.num_rows and list(frame.columns) == table.column_names


def test_a_run_of_which_nothing_can_be_read_has_a_page_too(fair: Game, tmp_path: Path) -> None:
    simulate(fair, 5, jobs=1, out=tmp_path / "run")
    for part in (tmp_path / "run").glob("games-*"):
        part.write_bytes(b"")
    page = run_page(open_run(tmp_path / "run"))
    _Checker().feed(page)
    assert "not written to its end" in page and "not finished" in page


def test_large_numbers_are_written_and_drawn(tmp_path: Path) -> None:
    """As large as the rules let them grow."""
    text = Path(FAIR).read_text().replace("active.coins += wages()", "active.coins = active.coins * 1000000 + 999999")
    text = text.replace("state coins: int = 0", "state coins: int = 1000000000000")
    (tmp_path / "rich.rules").write_text(text)
    game = rulescript.load(tmp_path / "rich.rules")
    run = simulate(game, 20, jobs=1, out=tmp_path / "run")
    assert run.summary.failed and max(run.summary.standings["Ada"].counts) > 10**17
    assert open_run(tmp_path / "run").summary == run.summary
    _Checker().feed(run_page(run))
    with pytest.raises(BadCall):
        simulate(game, 2, seed=2**64)


def test_a_game_made_from_a_text_plays_in_one_process() -> None:
    from rulescript.loader import load_single
    from rulescript.pipeline.loading import compile_text

    game = compile_text(load_single(Path(FAIR).read_text()))
    assert simulate(game, 2_000, jobs=2, uses=False).summary.games == 2_000
    with pytest.raises(BadOption):
        varied(game, {"wages": 2})
