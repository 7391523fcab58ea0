"""Intervals hold what they should."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from rulescript.simulation.figures import difference, interval, mean, paired, quantile, share


def test_the_interval_holds_the_share() -> None:
    assert interval(0, 0) == (0.0, 1.0)
    low, high = interval(0, 50)
    assert low == pytest.approx(0, abs=1e-9) and 0.05 < high < 0.1
    low, high = interval(25, 50)
    assert low < 0.5 < high


def test_nineteen_of_twenty_intervals_hold_the_true_number() -> None:
    rng = random.Random(4)
    held = Counter[str]()
    for _ in range(600):
        wins = sum(rng.random() < 0.3 for _ in range(80))
        found = share(wins, 80)
        held["share"] += found.low <= 0.3 <= found.high
        numbers = [rng.gauss(2.0, 3.0) for _ in range(60)]
        others = [rng.gauss(1.5, 1.0) for _ in range(60)]
        sums = [(len(each), sum(each), sum(n * n for n in each)) for each in (numbers, others)]
        found = mean(*sums[0])
        held["mean"] += found.low <= 2.0 <= found.high
        found = difference(*sums)
        held["difference"] += found.low <= 0.5 <= found.high
        found = paired(number + rng.gauss(0.2, 0.1) - number for number in numbers)
        held["paired"] += found.low <= 0.2 <= found.high
    assert all(0.92 <= number / 600 <= 0.98 for number in held.values()), held


def test_pairs_see_what_two_heaps_do_not() -> None:
    rng = random.Random(1)
    first = [rng.gauss(0, 5) for _ in range(100)]
    second = [number + rng.gauss(0.4, 0.2) for number in first]
    assert paired(b - a for a, b in zip(first, second, strict=True)).low > 0
    sums = [(100, sum(each), sum(n * n for n in each)) for each in (second, first)]
    assert difference(*sums).low < 0


def test_few_games_say_little() -> None:
    assert mean(0, 0, 0).games == 0
    assert mean(1, 3.0, 9.0).low == -math.inf
    assert difference((1, 1.0, 1.0), (50, 25.0, 25.0)).high == math.inf
    same = paired([0.0] * 50)
    assert same.value == 0 and 0 < same.high < 0.1, "all alike is no proof that the next is"


def test_quantiles_are_those_of_the_numbers_written_out() -> None:
    assert quantile({}, 0.5) == 0
    assert quantile({3: 1, 5: 1}, 0.5) == 4
    assert quantile({1: 5, 9: 1}, 0.5) == 1
    assert quantile({1: 1, 2: 1, 3: 1, 4: 1}, 0.25) == 1.75
    assert quantile({2: 3}, 1.0) == 2
