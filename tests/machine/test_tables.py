"""What compiled games lean on comes to the same as the slow way of saying it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulescript.machine import answers, chance, picks, tables


@pytest.mark.parametrize("count", [0, 1, 2, 7, 64, 65, 200])
def test_random_numbers_at_once_are_those_one_by_one(count: int) -> None:
    state = [0, 0x9E3779B97F4A7C15]
    other = state[:]
    expected = tuple(chance.next_random(other) for _ in range(count))
    assert chance.next_randoms(state, count) == expected
    assert state == other


def test_draws_nobody_looks_at_are_the_same_draws() -> None:
    fields = ((0, 3), (3, 2), (5, 4), (9, 1))
    items, units = tables.Items(fields), tuple(1 << offset for offset, _ in fields)
    rng = Random(1)

    class Play:
        chance = None

    for _ in range(200):
        pile = sum(rng.randrange(1 << width) << offset for offset, width in fields)
        count, mask = rng.randrange(20), rng.choice([-1, 7, 31 << 3])
        seen: list[Any] = [0, rng.getrandbits(64), pile, 0]
        unseen = seen[:]
        chance.draw_pieces(Play, seen, count, 2, mask, 3, units, items, 0)
        chance.draw_unseen(unseen, count, 2, mask, 3, items)
        assert seen == unseen


def test_members_of_a_set() -> None:
    rng = Random(3)
    for size in (5, 12, 27, 36, 37, 80, 700):
        for _ in range(100):
            mask = rng.getrandbits(size) & rng.choice([-1, rng.getrandbits(size), 1 << rng.randrange(size)])
            mask <<= rng.choice([0, 1, 11, 36, 52])
            assert tables.BITS[mask] == tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def test_what_can_be_picked_is_the_same_however_often_it_is_asked() -> None:
    rng = Random(4)
    lists = [tuple((item, rng.randrange(1, 4)) for item in range(rng.randrange(1, 6))) for _ in range(20)]
    for _ in range(2_000):
        available, wanted, exactly = rng.choice(lists), rng.randrange(1, 9), rng.random() < 0.5
        known: list[Any] = [(), wanted]
        anew = known[:]
        options = picks.first_picks(known, 0, 1, available, exactly)
        assert options == picks.many_first(anew, 0, 1, available, exactly)
        assert known == anew
        chosen = (rng.choice(available)[0],)
        assert picks.next_picks(available, chosen, wanted) == picks.many_options(available, chosen, wanted)


def test_sets_put_together_from_parts() -> None:
    rng = Random(2)
    table = tuple(rng.getrandbits(40) for _ in range(40))
    near, sums = tables.Near(table), tables.Sums(table)
    for number in range(400):
        size = 40 if number % 2 else 30
        mask = rng.getrandbits(size) & rng.getrandbits(size)
        joined = 0
        for member in tables.BITS[mask]:
            joined |= table[member]
        assert near[mask] == joined
        assert sums[mask] == sum(table[member] for member in tables.BITS[mask])


def test_codes_of_a_pile() -> None:
    fields = ((0, 2), (2, 1), (3, 3), (6, 0), (6, 2))
    codes = tables.Codes(tables.Items(fields))
    for pile in range(256):
        counts = [pile >> offset & (1 << width) - 1 for offset, width in fields]
        assert codes[pile] == tuple(code for code, count in enumerate(counts) if count)


def test_what_depends_on_two_values_is_worked_out_once_for_each_pair() -> None:
    asked: list[tuple[int, int]] = []

    def work(a: int, b: int) -> int:
        asked.append((a, b))
        return a * 10 + b

    table = answers.Nested(work)
    assert [table[a][b] for a in (1, 2, 1) for b in (3, 4)] == [13, 14, 23, 24, 13, 14]
    assert asked == [(1, 3), (1, 4), (2, 3), (2, 4)]


def test_where_pieces_stand_is_brought_up_to_date() -> None:
    """Three places from slot 4 on; one sort has the counters 0b0011, the other 0b1100."""
    state = [0, 0b111, 0, 0, 0b0001, 0b0100, 0]
    sorts = ((2, 0b0011), (3, 0b1100))
    answers.find_present(state, 1, 4, sorts)
    assert state[1:4] == [0, 0b001, 0b010]
    state[4], state[6], state[1] = 0b1000, 0b0101, 0b101
    answers.find_present(state, 1, 4, sorts)
    assert state[1:4] == [0, 0b100, 0b111]


@given(st.lists(st.lists(st.integers(0, 0b1111), min_size=3, max_size=3), min_size=1, max_size=6), st.integers(0, 7))
def test_comparing_with_what_lay_there_finds_the_same(piles: list[list[int]], noted: int) -> None:
    """Three places from slot 4 on, whatever lies there; who notes more places than changed loses nothing."""
    sorts = ((2, 0b0011), (3, 0b1100), (7, 0b0111))
    present = answers.Present(sorts, 3)
    anew, mended = [0, 0b111, 0, 0, *piles[0], 0, None], [0, 0b111, 0, 0, *piles[0], 0, None]
    for now in piles:
        changed = sum(1 << at for at in range(3) if anew[4 + at] != now[at])
        for state in (anew, mended):
            state[1] = (0b111 if now is piles[0] else changed) | noted
            state[4:7] = now
        answers.find_present(anew, 1, 4, sorts)
        answers.mend_present(mended, 1, 4, present, 8)
        assert mended[:8] == anew[:8]


@given(st.sets(st.integers(0, 59)), st.lists(st.integers(0, 59), min_size=60, max_size=60))
def test_of_copies_that_lie_together_the_first_is_found(members: set[int], alike: list[int]) -> None:
    table = picks.Firsts(tuple(alike))
    mask = sum(1 << member for member in members)
    expected = picks.unlike(sorted(members), tuple(alike), [], -1, ())
    assert (
        table[mask] == expected == [i for i in sorted(members) if all(alike[j] != alike[i] for j in members if j < i)]
    )


def test_units_and_masks_follow_from_where_counters_lie() -> None:
    items = tables.Items(((0, 2), (2, 0), (2, 5)))
    assert items.units() == (1, 4, 4)
    assert items.masks() == (3, 0, 124)
