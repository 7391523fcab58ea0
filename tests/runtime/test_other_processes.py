"""Games, positions and options go to other processes and come back; threads share a game."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import sys
import threading
from pathlib import Path
from random import Random

import pytest

import rulescript
from rulescript.errors import BadCall, BadSave
from rulescript.loader import load_single
from rulescript.pipeline import compile_text

GAME = "attrition_of_souls"
COOKBOOK = Path(__file__).resolve().parents[2] / "docs" / "cookbook"
THREADS = 16


def played(game: rulescript.Game, seed: int, steps: int, **named: object) -> rulescript.Position:
    position = game.start(seed, **named)  # type: ignore[arg-type]
    rng = Random(seed)
    for _ in range(steps):
        if position.decision is None:
            break
        position.choose(rng.randrange(len(position.decision.options)))
    return position


def _play_on(position: rulescript.Position) -> tuple[str, rulescript.Position]:
    position.choose(position.decision.options[0])
    return position.state_hash(), position


@pytest.mark.parametrize("journal", [True, False])
def test_a_position_is_the_same_after_pickling(journal: bool) -> None:
    game = rulescript.load(GAME, options=["fog_of_war"])
    position = played(game, 4, 60, journal=journal)
    twin = pickle.loads(pickle.dumps(position))
    assert twin.to_json() == position.to_json()
    assert [o.key for o in twin.decision.options] == [o.key for o in position.decision.options]
    assert twin.game.options["fog_of_war"].chosen
    assert twin.steps == position.steps


def test_options_of_a_decision_are_pickled_with_their_words() -> None:
    position = played(rulescript.load(GAME), 4, 12)
    options = position.decision.options
    back = pickle.loads(pickle.dumps(list(options)))
    assert back == list(options) and [o.text for o in back] == [o.text for o in options]
    assert position.clone().choose(back[0]).state_hash() == position.clone().choose(options[0]).state_hash()


def test_a_decision_says_that_its_position_is_to_be_handed_over() -> None:
    decision = played(rulescript.load(GAME), 4, 12).decision
    assert copy.copy(decision) is copy.deepcopy({"asked": decision})["asked"] is decision
    with pytest.raises(BadCall, match="hand over the position"):
        pickle.dumps(decision)


@pytest.mark.parametrize("sort", ["view", "journal", "journal of a view", "selection"])
def test_what_only_looks_at_a_position_takes_it_nowhere(sort: str) -> None:
    """A pickled view held the whole position: the deck, the other hands, the seed."""
    position = rulescript.load(COOKBOOK / "03-matched-dice.rules.md").start(1).choose(0)
    looks = {
        "view": position.view(0), "journal": position.journal, "journal of a view": position.view(0).journal,
        "selection": position.decision.selection,
    }  # fmt: skip
    with pytest.raises(BadCall, match=f"a {sort.partition(' ')[0]} is a look at its position: hand over"):
        pickle.dumps(looks[sort])
    assert copy.copy(looks[sort]) is looks[sort]
    copied = copy.deepcopy(looks[sort])
    before = position.view(0).to_json(), list(position.journal)
    position.choose(0)
    if sort == "view":
        assert copied.to_json() == before[0] != looks[sort].to_json()
    if sort == "journal":
        assert list(copied) == before[1] != list(looks[sort])


def test_what_a_look_tells_can_be_handed_over() -> None:
    position = rulescript.load(COOKBOOK / "03-matched-dice.rules.md").start(1).choose(0)
    selection = position.decision.selection
    assert selection is not None
    told = (
        position.view(0).to_dict(), position.journal.events(), position.why_not("pass").to_dict(),
        position.explain("1 + 1").to_dict(), list(position.decision.options), selection.items,
    )  # fmt: skip
    assert pickle.loads(pickle.dumps(told)) == told


def test_positions_from_one_game_share_it_when_they_come_back() -> None:
    game = rulescript.load(GAME)
    one, two = (pickle.loads(pickle.dumps(played(game, seed, 3))) for seed in (1, 2))
    assert one.game is two.game and one.game.rules_hash == game.rules_hash


def test_a_game_whose_rules_have_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.rules"
    text = (COOKBOOK / "01-first-turn.rules.md").read_text(encoding="utf-8")
    path = tmp_path / "game.rules.md"
    path.write_text(text, encoding="utf-8")
    packed = pickle.dumps(rulescript.load(path, cache=False))
    path.write_text(text.replace("rulescript 1", "rulescript 1\n", 1) + "\n```rules\nstate new: int\n```\n", "utf-8")
    with pytest.raises(BadSave):
        pickle.loads(packed)


def test_a_game_from_a_text_says_why_it_cannot_go() -> None:
    from rulescript.diagnostics import Reporter

    reporter = Reporter()
    text = 'rulescript 1\ngame "Here"\nkind Side\nthings\n    Side A\nplayers Side\nsequence\n    end game, draw\n'
    game = compile_text(load_single(text, "here.rules", reporter), (), "", reporter)
    with pytest.raises(BadCall):
        pickle.dumps(game)


def test_another_process_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    position = played(rulescript.load(GAME), 7, 20)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found, there = pool.apply(_play_on, (position,))
    position.choose(position.decision.options[0])
    assert found == position.state_hash() and there.to_json() == position.to_json()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_of_a_position_is_a_clone(copied: object) -> None:
    position = played(rulescript.load(GAME), 7, 20)
    before = position.to_json()
    twin = copied(position)  # type: ignore[operator]
    twin.choose(0)
    assert position.to_json() == before != twin.to_json()
    assert twin.game is position.game


# ------------------------------------------------------------------ threads


def together(work: object) -> list[object]:
    """What so many threads come to that all do something at once."""
    found: list[object] = [None] * THREADS

    def one(number: int) -> None:
        try:
            found[number] = work(number)  # type: ignore[operator]
        except BaseException as problem:
            found[number] = problem

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=one, args=(n,)) for n in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    return found


def test_games_are_loaded_in_many_threads() -> None:
    files = [COOKBOOK / "20-exchange.rules.md", COOKBOOK / "04-thresholds.rules.md"]
    alone = [rulescript.load(f, cache=False).start(5).state_hash() for f in files]
    found = together(lambda n: rulescript.load(files[n % 2], cache=False).start(5).state_hash())
    assert found == [alone[n % 2] for n in range(THREADS)]


def test_one_game_is_played_explained_and_simulated_in_many_threads() -> None:
    game = rulescript.load(GAME, options=["fog_of_war"])

    def work(number: int) -> tuple[object, ...]:
        position = played(game, number % 4, 50)
        asked = position.why_not("stop").__str__(), str(position.explain("1 + 2 * 3"))
        return position.to_json(), position.view(0).to_json(), asked, game.playouts(2, seed=number % 4)

    alone = [work(n) for n in range(4)]
    assert together(work) == [alone[n % 4] for n in range(THREADS)]


def test_the_work_of_one_thread_is_not_counted_in_another() -> None:
    from rulescript.machine import effort

    def work(number: int) -> int:
        effort.WORK.done = 0
        for _ in range(200):
            effort.step(number)
        return effort.WORK.done

    assert together(work) == [200 * n for n in range(THREADS)]
