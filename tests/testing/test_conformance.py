"""The kit accepts a good game, and each of its checks fails when what it watches over is broken."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulescript
from rulescript.machine import chance
from rulescript.runtime import event_words, saves
from rulescript.runtime import position as positions
from rulescript.runtime.position import Options, Position
from rulescript.testing import configurations, conformance, run_conformance
from rulescript.testing.conformance import ALL_CHECKS, check_titles, compare_hashes, shorten
from rulescript.testing.report import Configuration
from rulescript.testing.run import Broken, Run
from rulescript.testing.walk import Play, follow, random_walker

Write = Callable[..., Path]


def play(game: rulescript.Game, seed: int = 1, checks: Any = ALL_CHECKS, **more: Any) -> Run:
    """One checked play of a game."""
    return Run(game, seed, None, random_walker(Random(seed)), checks, **more).go()


def broken(game: rulescript.Game, check: str, tries: int = 30, *, alone: bool = False) -> Broken:
    """The first play of a game that breaks something; it must be this check (with all others, or alone)."""
    checks = [c for c in ALL_CHECKS if c.name == check or not alone]
    for seed in range(tries):
        try:
            play(game, seed, checks, limit=200)
        except Broken as problem:
            assert problem.check == check, f"{problem.check}: {problem}"
            assert problem.play is not None
            return problem
    raise AssertionError(f"nothing broke `{check}`")


def wrap(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, change: Callable[[Any], Any]) -> None:
    monkeypatch.setattr(owner, name, change(getattr(owner, name)))


def wrap_step(monkeypatch: pytest.MonkeyPatch, change: Callable[[Any], Any]) -> None:
    """Change what one step does, however the answer was given: `choose` comes to itself with words and lists."""
    choose, inside = Position.choose, []

    def changed(self: Position, answer: Any) -> Position:
        if inside:
            return choose(self, answer)
        inside.append(answer)
        try:
            change(choose)(self, answer)
        finally:
            inside.pop()
        return self

    monkeypatch.setattr(Position, "choose", changed)


# ------------------------------------------------------------------ a good game


@pytest.mark.parametrize("closely", [2, pytest.param(8, marks=pytest.mark.long)])
def test_a_good_game_passes_every_check_in_every_configuration(rivals: Path, closely: int) -> None:
    report = run_conformance(rivals, plays=1, closely=closely)
    assert report.ok, report.text()
    assert set(check_titles()) <= set(report.checks), set(check_titles()) - set(report.checks)
    played = {str(p.configuration) for p in report.played}
    assert played == {
        "1 player", "2 players", "scenario short", "option storms", "option calm_days",
        "options calm_days, rich",
    }  # fmt: skip
    assert all(p.plays == p.over == 1 for p in report.played)
    json.dumps(report.to_dict())


COPIES = """rulescript 1
game "Carts", version "1"

kind Side
    holds hand: Secret, visible to it, count to others

kind Secret
    home nowhere
kind Town
    holds carts: Cart
kind Cart
    state loads: 0..3
    home barn
holds nowhere: Secret
holds barn: Cart

things
    Side Red
    Side Blue
    Town Aldmere
    Town Brackwater
    Secret Sun
    Secret Moon
    Cart Wagon 4

players Side

state round: 1..6

sequence
    deal
    for round in 1..6
        gather
    finish

phase deal
    move Sun to Red.hand
    move Moon to Blue.hand
    for c in barn
        move c to Aldmere

phase gather
    choose by Red load: c in Town.carts "Load {c}"
        require c.loads < 3
        c.loads += 1
    choose by Red drive: any number from Aldmere.carts as gone "{gone} drive"
        for c in gone
            move c to Brackwater

phase finish
    end game, Red wins
"""


def test_copies_of_a_thing_that_are_being_picked_are_no_leak(write: Write) -> None:
    """What has been picked so far is a list of the question's own, which an exchange of copies does not reach."""
    game = rulescript.load(write(text=COPIES), cache=False)
    for seed in range(15, 20):
        play(game, seed, [check for check in ALL_CHECKS if check.name == "views"])


def test_the_same_seed_makes_the_same_plays(rivals: Path) -> None:
    one = run_conformance(rivals, plays=2, options=(), closely=4, processes=False, seed=5)
    two = run_conformance(rivals, plays=2, options=(), closely=4, processes=False, seed=5)
    other = run_conformance(rivals, plays=2, options=(), closely=4, processes=False, seed=6)
    assert one.checks == two.checks
    assert one.checks != other.checks


def test_an_invariant_that_looks_at_nothing_that_changes_is_reported(rivals: Path) -> None:
    report = run_conformance(rivals, plays=2, options=(), closely=1, processes=False)
    assert [use.title for use in report.never_tested] == ["five cards each"]
    assert 'invariant "five cards each" was never really tested' in report.text()


def test_an_invariant_of_a_phase_that_never_ends_is_reported_as_never_evaluated(write: Write) -> None:
    path = write(
        ("sequence\n", "phase rest\n    total += 1\n\nsequence\n    if total > 1000\n        rest\n"),
        ("end game, draw\n", 'end game, draw\n\ninvariant "rested", at end of rest\n    total > 0\n'),
    )
    report = run_conformance(path, plays=2, processes=False)
    assert report.ok, report.text()
    assert "never evaluated" in report.text()


def test_configurations_bring_what_options_need_and_leave_out_what_they_exclude(
    rivals_game: rulescript.Game,
) -> None:
    found = configurations(rivals_game, pairs=True)
    assert Configuration(("calm_days", "rich")) in found
    assert not any({"storms", "calm_days"} <= set(c.options) for c in found)
    assert [c.players for c in found[:2]] == [1, 2]


def test_weights_steer_the_play(write: Write) -> None:
    path = write()
    often = run_conformance(path, plays=10, processes=False, weights={"pass": 0})
    game = rulescript.load(path, cache=False)
    assert often.ok
    for label, total in (("pass", 6), ("add", 0)):
        run = Run(game, 1, None, random_walker(Random(1), {label: 0}), ()).go()
        assert run.position.value("total") == str(total)


@pytest.mark.parametrize("seconds", ["2", True, -1, float("nan"), float("inf"), 10**30, []])
def test_a_time_that_is_none_is_said_before_anything_is_played(rivals: Path, seconds: object) -> None:
    with pytest.raises(rulescript.BadCall, match="the time to play"):
        run_conformance(rivals, plays=1, seconds=seconds, processes=False)  # type: ignore[arg-type]


def test_time_that_is_up_is_said(rivals: Path) -> None:
    report = run_conformance(rivals, plays=5, seconds=0.0, processes=False)
    assert report.ok
    assert "not played for want of time" in report.text()


@pytest.mark.parametrize("plays", [1, 2, *(pytest.param(many, marks=pytest.mark.long) for many in (3, 4, 5))])
def test_time_that_is_up_between_two_plays_is_no_fault(
    rivals: Path, monkeypatch: pytest.MonkeyPatch, plays: int
) -> None:
    """However many plays were made: those that were are kept, and nothing else is told."""
    import rulescript.testing.conformance as kit

    asked = iter(range(1_000))
    monkeypatch.setattr(kit._Kit, "is_late", property(lambda self: next(asked) > plays))
    report = run_conformance(rivals, plays=20, players=2, closely=1, processes=False)
    assert report.ok
    assert 0 < sum(played.plays for played in report.played) <= plays


def test_a_game_with_mistakes_fails_with_its_diagnostics(write: Write) -> None:
    report = run_conformance(write(("total += 1", "total += colour")))
    assert [f.check for f in report.failures] == ["loads"]
    assert "error[RS" in report.failures[0].message


def test_a_game_that_is_not_there_is_an_error_of_the_caller() -> None:
    with pytest.raises(rulescript.GameNotFound):
        run_conformance("no_such_game_anywhere")


# ------------------------------------------------------------------ games with faults of their own


def test_a_game_that_never_ends_is_found(write: Write) -> None:
    path = write(
        (
            "    for turn in Turn\n        for active in Side\n",
            "    repeat until total > 10000\n        for active in Side\n",
        ),
    )
    report = run_conformance(path, plays=1, limit=50, processes=False)
    assert [f.check for f in report.failures] == ["ends"]


def test_a_rule_that_goes_on_for_ever_is_found(write: Write) -> None:
    path = write(
        (
            "        total += 1\n",
            "        total += 1\n        repeat while total > 2\n            total += 1\n",
        )
    )
    report = run_conformance(path, plays=10, processes=False)
    assert [f.check for f in report.failures] == ["ends"]


def test_a_rule_that_goes_wrong_is_found_and_shrunk_to_the_choices_it_takes(write: Write) -> None:
    path = write(
        (
            "        total += 1\n",
            "        total += 1\n        total = total + 6 / (3 - total) rounded down\n",
        ),
    )
    report = run_conformance(path, plays=20, processes=False)
    assert [f.check for f in report.failures] == ["rules"], report.text()
    (failure,) = report.failures
    assert "divided by zero" in failure.message
    assert failure.play is not None
    assert [s.key for s in failure.play.steps] == ["add t=One"] * 3
    assert failure.play.seed == 0


def test_a_broken_invariant_is_found_and_shrunk_to_an_example(write: Write) -> None:
    path = write(("end game, draw\n", 'end game, draw\n\ninvariant "few"       §7.1\n    total <= 2\n'))
    report = run_conformance(path, plays=20, processes=False)
    (failure,) = report.failures
    assert failure.check == "invariants"
    assert failure.message == 'invariant "few" §7.1 does not hold'
    assert failure.play is not None
    assert [s.key.split(" ")[0] for s in failure.play.steps] == ["add"] * 3
    lines = failure.example.splitlines()
    assert lines[1].startswith('example "conformance, invariants: ')
    assert [line.strip() for line in lines[2:5]] == ["with players 2", "given setup, seed 0", "play"]
    assert [line.split(":")[0].strip() for line in lines[5:]] == ["North", "South", "North"]


def test_an_invariant_at_the_end_of_a_phase_is_watched(write: Write) -> None:
    path = write(("end game, draw\n", 'end game, draw\n\ninvariant "few", at end of adding\n    total <= 2\n'))
    report = run_conformance(path, plays=20, processes=False)
    assert [f.check for f in report.failures] == ["invariants"]
    assert "at the end of adding" in report.failures[0].message


def test_options_with_the_same_words_are_found(write: Write) -> None:
    report = run_conformance(write(('"Add {t}"', '"Add one"')), plays=1, processes=False)
    assert [f.check for f in report.failures] == ["options"]
    assert "the same text: 'add one'" in report.failures[0].message


# ------------------------------------------------------------------ engines with faults


def test_an_option_without_a_key_of_its_own_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrap(monkeypatch, Options, "key_of", lambda key_of: lambda self, raw: self.alternative_of(raw).label)
    assert "same key" in str(broken(rivals_game, "options"))


def test_an_option_that_is_refused_is_found(rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(choose: Any) -> Any:
        def picky(self: Position, answer: Any) -> Any:
            if isinstance(answer, int) and not isinstance(answer, bool) and 0 < answer < len(self.o):
                raise rulescript.BadChoice("not this one")
            return choose(self, answer)

        return picky

    wrap(monkeypatch, Position, "choose", change)
    problem = broken(rivals_game, "accepted")
    assert "was refused by its index: not this one" in str(problem)


def test_an_answer_that_means_something_else_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(choose: Any) -> Any:
        def other(self: Position, answer: Any) -> Any:
            if isinstance(answer, int) and not isinstance(answer, bool) and 0 < answer < len(self.o):
                answer -= 1
            return choose(self, answer)

        return other

    wrap(monkeypatch, Position, "choose", change)
    assert "does something else" in str(broken(rivals_game, "accepted"))


def test_a_wrong_answer_that_is_accepted_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrap(
        monkeypatch,
        positions,
        "_raw_of",
        lambda raw_of: lambda self, a: self.o[-1] if a == -1 else raw_of(self, a),
    )
    assert "-1 is no option but was accepted" in str(broken(rivals_game, "refused"))


def test_a_refusal_that_changes_something_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(raw_of: Any) -> Any:
        def careless(self: Position, answer: Any) -> Any:
            self.s[1] += answer == -1
            return raw_of(self, answer)

        return careless

    wrap(monkeypatch, positions, "_raw_of", change)
    assert "was refused, but it changed the position" in str(broken(rivals_game, "refused"))


def test_a_rude_refusal_is_found(rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(raw_of: Any) -> Any:
        def rude(self: Position, answer: Any) -> Any:
            if answer is None:
                raise KeyError(answer)
            return raw_of(self, answer)

        return rude

    wrap(monkeypatch, positions, "_raw_of", change)
    assert "was not refused politely: KeyError" in str(broken(rivals_game, "refused"))


@pytest.mark.parametrize("said", ["", "moves it", "raises"])
def test_a_refusal_without_a_reason_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    def silent(self: Position, what: str, player: str | None = None) -> str:
        if said == "raises":
            raise rulescript.PlayError("no idea")
        if said:
            self.s[1] += 1
        return said

    monkeypatch.setattr(Position, "why_not", silent)
    found = {"": "has nothing to say", "moves it": "changed the position", "raises": "gave up: no idea"}[said]
    # Alone: others ask why something is refused, too.
    assert found in str(broken(rivals_game, "refused", alone=True))


def test_a_clone_that_shares_its_state_is_found(rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(clone: Any) -> Any:
        def shared(self: Position) -> Position:
            other: Position = clone(self)
            other.s = self.s
            return other

        return shared

    wrap(monkeypatch, Position, "clone", change)
    with pytest.raises(Broken):
        play(rivals_game)


def test_a_clone_that_goes_another_way_is_found(rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(clone: Any) -> Any:
        def lucky(self: Position) -> Position:
            other: Position = clone(self)
            other.s[1] = (other.s[1] + (1 << 40)) % (1 << 64)
            return other

        return lucky

    wrap(monkeypatch, Position, "clone", change)
    assert "a clone is somewhere else" in str(broken(rivals_game, "clones", alone=True))


def test_play_that_depends_on_the_journal_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(take: Any) -> Any:
        def heavy(self: Position, raw: Any) -> None:
            take(self, raw)
            if self.j is None:
                self.s[1] ^= 1

        return heavy

    wrap_step(monkeypatch, change)
    assert "no history" in str(broken(rivals_game, "clones"))


@pytest.mark.parametrize("with_history", [True, False])
def test_a_save_that_forgets_something_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch, with_history: bool
) -> None:
    def change(restore: Any) -> Any:
        def forgetful(game: Any, data: Any) -> Position:
            position: Position = restore(game, data)
            if (position.j is not None) == with_history:
                position.s[1] = 0
            return position

        return forgetful

    wrap(monkeypatch, saves, "_restore", change)
    assert "opens as another position" in str(broken(rivals_game, "saves"))


def test_a_save_that_does_not_open_is_found(rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    wrap(monkeypatch, Position, "to_json", lambda _: lambda self: "{}")
    assert "does not open" in str(broken(rivals_game, "saves"))


def test_an_undo_that_forgets_something_is_found(rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(undo: Any) -> Any:
        def forgetful(self: Position, count: int = 1) -> Position:
            rng = self.s[1]
            undo(self, count)
            self.s[1] = rng
            return self

        return forgetful

    wrap(monkeypatch, Position, "undo", change)
    assert "taking back" in str(broken(rivals_game, "undo"))


def test_an_undo_that_goes_on_beyond_the_root_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrap(monkeypatch, Position, "undo", lambda undo: lambda self, n=1: undo(self, n) if self.steps else self)
    assert "at the root" in str(broken(rivals_game, "undo"))


def change_places(monkeypatch: pytest.MonkeyPatch, game: rulescript.Game, change: Callable[[list[Any]], None]) -> None:
    """After every step something happens to the state that should not."""

    def wrapped(take: Any) -> Any:
        def wrong(self: Position, raw: Any) -> None:
            take(self, raw)
            change(self.s)

        return wrong

    wrap_step(monkeypatch, wrapped)


def slot_of(game: rulescript.Game, name: str) -> int:
    return next(slot for slot in game.values.places if game.values.place_name(slot) == name)


def test_a_piece_that_appears_is_found(rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    slot = slot_of(rivals_game, "Ann.pouch")

    def appear(state: list[Any]) -> None:
        state[slot] += 1

    change_places(monkeypatch, rivals_game, appear)
    assert str(broken(rivals_game, "pieces")) == "there were 3 Ann_red, now there are 4"


def test_a_place_with_fewer_than_no_pieces_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    slot = slot_of(rivals_game, "Ann.pouch")

    def owe(state: list[Any]) -> None:
        state[slot] = -1

    change_places(monkeypatch, rivals_game, owe)
    assert "fewer than no Guard" in str(broken(rivals_game, "pieces", alone=True))


def test_a_card_in_two_places_is_found(rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    hand, pile = slot_of(rivals_game, "Bob.hand"), slot_of(rivals_game, "Ann.pile")

    def copy(state: list[Any]) -> None:
        state[pile] |= state[hand]

    change_places(monkeypatch, rivals_game, copy)
    assert "is in Bob.hand and in Ann.pile" in str(broken(rivals_game, "pieces")).replace(
        "is in Ann.pile and in Bob.hand", "is in Bob.hand and in Ann.pile"
    )


def test_a_card_that_is_not_where_it_says_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    loc = rivals_game.data.kinds["Card"].loc

    def lost(state: list[Any]) -> None:
        state[loc] = -1

    change_places(monkeypatch, rivals_game, lost)
    assert "Ann_one says it is in nowhere" in str(broken(rivals_game, "pieces"))


def test_a_mask_that_does_not_agree_is_found(rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = next(s for s in rivals_game.data.states if s.name == "mood")
    assert entry.mode == "dual"

    def drift(state: list[Any]) -> None:
        state[entry.masks] ^= 1

    change_places(monkeypatch, rivals_game, drift)
    assert "the masks of `Player.mood` do not agree" in str(broken(rivals_game, "states"))


@pytest.mark.parametrize(
    ("state", "value", "said"),
    [
        ("marked", 1 << 40, "bits for things that do not exist"),
        ("mood", 7, "holds 7"),
        ("round", 9, "holds 9"),
        ("points", "many", "holds 'many'"),
    ],
)
def test_a_value_of_another_type_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch, state: str, value: Any, said: str
) -> None:
    entry = next(s for s in rivals_game.data.states if s.name == state)
    seen: list[Any] = []

    def wrong(values: list[Any]) -> None:
        seen.append(values[entry.slot])
        values[entry.slot] = value

    # Only looked at, not played on: the rules could not.
    run = Run(rivals_game, 1, None, follow([]), ()).go()
    wrong(run.position.s)
    check = next(c for c in ALL_CHECKS if c.name == "states")()
    with pytest.raises(Broken, match=said):
        check.begin(run)


@pytest.mark.parametrize("value", [1.5, True, -1, 1 << 64, (1, 2)])
def test_a_random_state_that_is_no_integer_is_found(rivals_game: rulescript.Game, value: Any) -> None:
    run = Run(rivals_game, 1, None, follow([]), ()).go()
    run.position.s[1] = value
    check = next(c for c in ALL_CHECKS if c.name == "states")()
    with pytest.raises(Broken, match="random state"):
        check.begin(run)


def test_a_state_that_holds_an_object_is_found(rivals_game: rulescript.Game) -> None:
    run = Run(rivals_game, 1, None, follow([]), ()).go()
    run.position.s[-1] = [1]
    check = next(c for c in ALL_CHECKS if c.name == "states")()
    with pytest.raises(Broken, match="no plain value"):
        check.begin(run)


def test_dice_that_fall_otherwise_from_a_script_are_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loaded(p: Any, S: list[Any], count: int, sides: int, site: int) -> Any:
        rolled = chance.roll(p, S, count, sides, site)
        return rolled if p.chance is None else tuple(sides + 1 - die for die in rolled)

    monkeypatch.setitem(rivals_game.code, "roll", loaded)
    assert "leads elsewhere" in str(broken(rivals_game, "chance"))


def test_chance_that_does_not_come_from_the_seed_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    wild = Random(5)

    def free(p: Any, S: list[Any], count: int, sides: int, site: int) -> Any:
        return tuple(wild.randint(1, sides) for _ in range(count))

    monkeypatch.setitem(rivals_game.code, "roll", free)
    with pytest.raises(Broken):
        for seed in range(10):
            play(rivals_game, seed)


def test_probabilities_that_do_not_add_up_are_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulescript.runtime import chance

    def change(node: Any) -> Any:
        def loaded(self: Any, position: Position) -> Any:
            found = node(self, position)
            found.options = found.options[1:]
            return found

        return loaded

    wrap(monkeypatch, chance.Pending, "node", change)
    assert "do not add up" in str(broken(rivals_game, "chance"))


def test_a_decision_without_options_is_found(rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(take: Any) -> Any:
        def mute(self: Position, raw: Any) -> None:
            take(self, raw)
            if self.steps == 3:
                self.o = []

        return mute

    wrap_step(monkeypatch, change)
    assert "has no option" in str(broken(rivals_game, "dead-ends", alone=True))


def test_a_fault_of_the_engine_is_told_as_one(rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(take: Any) -> Any:
        def faulty(self: Position, raw: Any) -> None:
            take(self, raw)
            raise AttributeError("ours")

        return faulty

    wrap_step(monkeypatch, change)
    problem = broken(rivals_game, "engine")
    assert str(problem) == "AttributeError: ours"


# ------------------------------------------------------------------ views


def test_a_view_that_shows_a_hidden_hand_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulescript.runtime.views import View

    def change(states: Any) -> Any:
        def leaky(self: View) -> dict[str, Any]:
            found: dict[str, Any] = states(self)
            found["hint"] = [self._position.game.values.contents(self._position.s, slot_of(rivals_game, "Bob.hand"))]
            return found

        return leaky

    wrap(monkeypatch, View, "states", change)
    problem = broken(rivals_game, "views")
    assert "by the view: states.hint" in str(problem)


def test_a_view_that_shows_the_order_of_a_deck_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulescript.runtime.views import View

    def change(places: Any) -> Any:
        def leaky(self: View) -> dict[str, Any]:
            found: dict[str, Any] = places(self)
            deck = self._position.s[slot_of(rivals_game, "Bob.deck")]
            found["next"] = deck[0] if deck else None
            return found

        return leaky

    wrap(monkeypatch, View, "places", change)
    assert "by the view: places.next" in str(broken(rivals_game, "views"))


def test_options_that_depend_on_hidden_things_are_found(rivals: Path) -> None:
    game = rulescript.load(rivals, cache=False)
    # `pass` is only open while the other hand holds a low card: nothing a player may know.
    block = next(d for d, info in game.data.decisions.items() if info.choice == "hire")
    hand = slot_of(game, "Bob.hand")
    run_block = game.code["B"][block]

    def peeking(p: Any, S: list[Any]) -> Any:
        following = run_block(p, S)
        if following is None and p.d == block and not S[hand] & 1 << 5 and len(p.o) > 1:
            p.o = p.o[:-1]
        return following

    game.code[f"b{block}"] = game.code["B"][block] = peeking
    assert "by the view: decision" in str(broken(game, "views", 60))


def test_a_journal_that_names_a_hidden_card_is_found(
    rivals_game: rulescript.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(told: Any) -> Any:
        def leaky(self: event_words.EventTeller, event: Any) -> Any:
            yield from told(self, event)
            deck = self._position.s[slot_of(rivals_game, "Bob.deck")]
            names = [rivals_game.data.kinds["Card"].names[i] for i in deck]
            yield {"kind": "tell", "cites": [], "text": f"below lies {' '.join(names)}".replace("_", " ")}

        return leaky

    wrap(monkeypatch, event_words.EventTeller, "told", change)
    assert "by the journal" in str(broken(rivals_game, "views"))


# ------------------------------------------------------------------ other processes


def test_a_replay_that_goes_another_way_is_found() -> None:
    steps = random_steps(3)
    play = Play(1, 2, steps, ["a", "b", "c", "d"], True)
    assert compare_hashes(play, ["a", "b", "c", "d"]) is None
    found = compare_hashes(play, ["a", "b", "x", "d"])
    assert found is not None
    assert found[0] == "another process has another position after 2 choices"
    assert len(found[1].steps) == 2
    cut = compare_hashes(play, ["a", "b"], "choice 2 is not among the options")
    assert cut is not None
    assert "choice 2" in cut[0]


def random_steps(count: int) -> list[Any]:
    from rulescript.testing.walk import Step

    return [Step("North", "adding.add", f"add t={i}", f"Add {i}") for i in range(count)]


def test_another_process_that_disagrees_fails_the_run(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulescript.testing import replay

    def other(job: Any, timeout: float = 0) -> Any:
        answers = replay.answer(job)
        answers[0]["plays"][0]["hashes"][1] = "elsewhere"
        answers[0]["fingerprint"] = "another"
        return answers

    monkeypatch.setattr(replay, "ask_other_process", other)
    report = run_conformance(write(), plays=2)
    assert [f.check for f in report.failures] == ["compile", "replays"]


def test_another_process_that_fails_is_told(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulescript.testing import replay

    path = write()
    with pytest.raises(RuntimeError, match="GameNotFound"):
        replay.ask_other_process([{"where": "no_such_game", "options": [], "scenario": "", "plays": []}])
    monkeypatch.setattr(replay, "ask_other_process", lambda job: (_ for _ in ()).throw(RuntimeError("gone")))
    report = run_conformance(path, plays=2)
    assert [f.message for f in report.failures] == ["the other process failed: gone"]


def test_another_process_runs_nothing_of_the_folder_one_stands_in(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger's game may bring modules that are called like those of Python, or like ours."""
    from rulescript.processes import fresh_python
    from rulescript.testing import replay

    where = str(write().resolve())
    here = tmp_path / "stranger"
    (here / "rulescript").mkdir(parents=True)
    for module in ("json.py", "subprocess.py", "rulescript/__init__.py"):
        (here / module).write_text(f"open({str(here / 'ran')!r}, 'w').close()\n", encoding="utf-8")
    monkeypatch.chdir(here)
    (answer,) = replay.ask_other_process([{"where": where, "options": [], "scenario": "", "plays": []}])
    assert answer["plays"] == []
    command, environment = fresh_python("import json, rulescript; print(json.__file__, rulescript.__file__)")
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert str(here) not in said
    assert not (here / "ran").exists()


# ------------------------------------------------------------------ shrinking


def test_shortening_leaves_out_what_is_not_needed() -> None:
    def again(seed: int, keys: Any) -> Broken | None:
        if "x" in keys and "y" in keys[keys.index("x") :] and seed != 0:
            problem = Broken("rules", "bad")
            problem.play = Play(seed, None, [step(k) for k in keys])
            return problem
        return None

    def step(key: str) -> Any:
        from rulescript.testing.walk import Step

        return Step("North", "a.b", key, key)

    long = Play(99, None, [step(k) for k in "abcdxefghiyjklmnop"])
    found = shorten(long, "rules", again)
    assert found is not None
    assert found[0].keys == ["x", "y"]
    assert found[0].seed == 1


def test_shortening_gives_up_politely_when_the_failure_does_not_come_back() -> None:
    assert shorten(Play(1, None, random_steps(3)), "rules", lambda seed, keys: None) is None


def test_a_failure_is_told_once_with_its_shortest_play(write: Write) -> None:
    more = '\noption more "More"\n    after adding\n        total += 1\n'
    path = write(
        ("end game, draw\n", 'end game, draw\n\ninvariant "few"\n    total <= 1\n' + more),
    )
    report = run_conformance(path, plays=10, processes=False)
    (failure,) = report.failures
    assert failure.configuration.options == ("more",)
    assert failure.play is not None
    assert len(failure.play.steps) == 1
    assert "    with options more\n" in failure.example


def test_every_check_has_a_title() -> None:
    assert all(title and not title.endswith(".") for title in check_titles().values())
    assert len({check.name for check in conformance.ALL_CHECKS}) == len(conformance.ALL_CHECKS)


# ------------------------------------------------------------------ examples ready to paste


def test_a_failure_can_be_pasted_as_an_example_and_played(rivals: Path, write: Write) -> None:
    """Also where the choices are asked name by name and chance has its say."""
    from rulescript.claims import GameSource, run_examples

    text = rivals.read_text(encoding="utf-8") + '\ninvariant "poor"\n    Ann.points < 3\n'
    path = write(text=text, name="rivals.rules")
    report = run_conformance(path, plays=20, processes=False, options=())
    (failure,) = report.failures
    assert failure.check == "invariants"
    pasted = GameSource.of_text(text + "\n" + failure.example, "rivals.rules")
    (result,) = list(run_examples(pasted))
    assert [d.message for d in result.failures] == [failure.message], f"{failure.example}\n{result}"
    assert "shuffle " in failure.example
    assert "dice " in failure.example


def test_choices_asked_name_by_name_are_one_line_of_an_example() -> None:
    from rulescript.testing.report import _lines_of
    from rulescript.testing.walk import Step

    steps = [
        Step("North", "moves.go", "go u=Mill.units:North_foot(moved)", "Go: foot", 0),
        Step("North", "moves.go", "go t=Ford", "Move foot to Ford", 1, ("dice 3 4",)),
        Step("North", "moves.go", "stop", "End of moves", 0, ("draw Raid",)),
        Step("South", "battle.lose", "lose item=Ford.units:South_foot", "Lose: foot", 0),
        Step("South", "battle.lose", "lose item=Ford.units:South_guns", "Lose: guns", 1),
        Step("South", "battle.lose", "done", "Done", 1),
    ]
    assert _lines_of(steps) == [
        "North: go North foot(moved) in Mill, Ford",
        "dice 3 4",
        "North: End of moves",
        "draw Raid",
        "South: lose South foot in Ford, South guns in Ford",
    ]


def test_of_very_many_options_some_are_played(tmp_path: Path) -> None:
    """Each set of options is compiled by itself: with hundreds of them `test` would go on for hours."""
    from rulescript.testing.conformance import MANY, SOME, configurations
    from tests.fuzz.large import text_of

    path = tmp_path / "many.rules"
    path.write_text(text_of("options", 40_000), encoding="utf-8")
    game = rulescript.load(path, cache=False)
    assert len(game.options) > MANY
    assert SOME <= len(configurations(game, pairs=True)) <= SOME + 5
