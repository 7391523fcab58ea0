# ruff: noqa: E501  what is repeated stands in one text, as long as it is
"""Large games of many shapes, the last of them: two ideas that are harmless alone, together.

Each is registered with the others of `large.py` when this is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tests.fuzz.large import CARDS, HEAD, SEQUENCE, shape
from tests.fuzz.large_claims import HIDDEN

# Towns in a ring, in which blocks lie face down.
VEILED = (
    HEAD.replace(
        "    home side.box\n",
        '    home side.box\n    state down: bool\n    hidden when down, known to side, showing "{side} tile"\n',
    )
    + "\nmap Net\n    link road\n"
    + "".join(f"    Town T{i}\n" for i in range(200))
    + "".join(f"    road T{i} - T{(i + 1) % 200}\n" for i in range(200))
    + "\n"
)
LARGE = HEAD.replace(
    "    home side.box\n",
    "    home side.box\n    state moved: 0..1000000000\n    state hurt: -1000000000..1000000000\n",
)

# ------------------------------------------------------------------ options and what they change


@shape(head=HEAD + "\ntable chart(n: int) -> int\n    | 1 | 1 |\n    | otherwise | 2 |\n\n")
def tables_of_options() -> Iterator[str]:
    for i in count():
        rows = "".join(f"        | {j} | {i + j} |\n" for j in range(30))
        yield f'option o{i} "O {i}"\n    replace table chart(n: int) -> int\n{rows}        | otherwise | 0 |\n\n'


@shape(head=HEAD + "".join(f'option base{j} "B {j}"\n    state flag{j}: int\n\n' for j in range(40)))
def tables_of_pairs_of_options() -> Iterator[str]:
    for i in count():
        rows = "".join(f"        | {j} | {i + j} |\n" for j in range(20))
        yield f"with base{i % 40}, base{(i // 40 + i + 1) % 40 if (i // 40 + 1) % 40 else (i + 1) % 40}\n    table t{i}(n: int) -> int\n{rows}        | otherwise | 0 |\n\n"


@shape()
def options_with_examples_and_setups() -> Iterator[str]:
    for i in count():
        yield f'option o{i} "O {i}"\n    state s{i}: int = {i}\n    example "of {i}"\n        given empty\n        expect\n            s{i} == {i}\n\nscenario c{i} "C {i}"\n    state t{i}: int = {i}\n\n'


@shape(head=HEAD + "\nvalue pay(t: Town, n: int) -> int\n    n\n\n")
def adjustments_that_ask_tables() -> Iterator[str]:
    for i in count():
        yield f'table t{i}(n: int) -> int\n    | 1 | {i} |\n    | otherwise | 2 |\n\nadjust pay(t, n) add t{i}(n) when t.worth > t{i // 2}(n) "for {i}"\n\n'


# ------------------------------------------------------------------ what is asked


@shape()
def asides_that_call_each_other() -> Iterator[str]:
    yield "procedure p0(t: Town)\n    score += 1\n\n"
    for i in count(1):
        yield f'procedure p{i}(t: Town)\n    may choose c{i}: s in Town "From {{t}} to {{s}}"\n        p{i - 1}(s)\n\naside a{i}: t in Town "Do {i} in {{t}}" by active during work\n    p{i}(t)\n\n'


@shape()
def deep_eithers() -> Iterator[str]:
    kinds = "".join(f"kind K{j}\n    home camp{j}\nholds camp{j}: K{j}\nthings\n    K{j} Of_{j}\n\n" for j in range(4))
    yield kinds + "either Any: " + ", ".join(f"K{j}" for j in range(4)) + "\n\n"
    yield "procedure p0(w: Any, v: Any)\n    score += 1\n\n"
    for i in count(1):
        yield f"procedure p{i}(w: Any, v: Any)\n    p{i - 1}(v, w)\n    if w is K{i % 4}\n        score += {i}\n    else\n        p{i // 2}(w, v)\n\n"


@shape(head=HEAD + '\nphase work\n    choose c: t in Town "Take {t}"\n        score += 1\n', tail=SEQUENCE)
def either_way_of_several() -> Iterator[str]:
    for i in count():
        yield f'    or choose many{i}: up to 3 from Town as ts "Of {i}: {{ts}}"\n        require sum(t.worth for t in ts) != {i} or size(ts) > 1\n        score += size(ts)\n'


@shape(head=HIDDEN)
def cards_that_ask_and_are_asked_about() -> Iterator[str]:
    for i in count():
        yield f'procedure p{i}(s: Side)\n    choose by s take{i}: c in s.cards, t in Town "Take {{c}} to {{t}}"\n        require c.worth > t.worth - {i}\n        reveal c to s\n    or pass\n\n'


@shape(head=HIDDEN)
def signals_of_secrets() -> Iterator[str]:
    for i in count():
        yield f'signal s{i}(c: Card)\n\nwhen s{i}(c) if c.worth > {i}\n    may by North: r{i} "React {i}"\n        require some North.cards[worth > {i % 5}]\n        score += 1\n\nprocedure q{i}(s: Side)\n    for c in s.cards\n        signal s{i}(c)\n\n'


@shape(head=VEILED)
def routes_over_hidden_places() -> Iterator[str]:
    for i in count():
        yield f"route r{i}(a: Town, s: Side) from a by road, at most {i % 9 + 1} steps\n    enter b\n        require none b.tiles[side != s] or b.worth > {i}\n    through c\n        require count(c.tiles) < {i % 7 + 1}\n\n"
        yield f'procedure go{i}()\n    choose g{i}: u in Town.tiles[side == active], t in Town "{{u}} to {{t}}"\n        require t in r{i}(u.place, active)\n        move u to t\n    or pass\n\n'


# ------------------------------------------------------------------ examples and givens


@shape(head=LARGE, tail="\nphase work\n    score += 1\n" + SEQUENCE)
def examples_of_large_numbers() -> Iterator[str]:
    for i in count():
        yield f'example "e{i}"\n    given empty, active North\n        Mill: 1 Guard (moved {i * 977}, hurt -{i * 31})\n        North: box: exactly 2 Guard (moved {999999999 - i})\n    expect\n        Mill has exactly 1 Guard (moved {i * 977})\n        Mill has no Guard (hurt {i + 1})\n        North.box has 2 Guard\n        count(Mill.tiles[moved > {i}]) <= 1\n\n'


@shape(head=LARGE + '\nexample "One"\n    given empty, active North\n')
def one_given_of_large_numbers() -> Iterator[str]:
    return (f"        {'Mill' if i % 2 else 'Ford'}: exactly 1 Guard (moved {i})\n" for i in count())


@shape(
    head=HEAD
    + "\nkind Spot\n    holds men: Tile\n    state heat: 0..1000000000\nthings\n"
    + "".join(f"    Spot S{i}\n" for i in range(2000))
    + '\nexample "Everywhere"\n    given empty, active North\n'
)
def a_given_of_everything() -> Iterator[str]:
    return (f"        S{i % 2000}: heat {i}\n" for i in count())


@shape(head=HEAD + CARDS + "".join(f"    Card Card_number_{i}\n" for i in range(3000)))
def examples_of_like_names() -> Iterator[str]:
    for i in count():
        yield f'example "e{i}"\n    given setup\n    try Card number {i % 4000} -> not asked\n    try North: look at the card number {i} in Mill -> refused\n\n'


# ------------------------------------------------------------------ copies, long words, odd letters


@shape(
    head=HEAD
    + "\nkind Card: worth: int = 1\n    does play()\n    home deck\nholds deck: Card, ordered\n\nthings\n"
    + "".join(
        f'    Card Copied_{i}  1, 40\n        play\n            score += {i}\n            tell "{{this}}"\n'
        for i in range(120)
    )
)
def rules_about_copies() -> Iterator[str]:
    return (f"procedure p{i}()\n    for c in deck[worth == {i}]\n        c.play()\n\n" for i in count())


@shape(head=HEAD + "\nthings\n")
def labels_of_a_thousand_letters() -> Iterator[str]:
    return (f'    Town T{i}  "{"Ä" * 500}{i} of {"ß " * 200}" {i}\n' for i in count())


@shape()
def choices_of_long_texts() -> Iterator[str]:
    for i in count():
        yield f'procedure p{i}()\n    may choose c{i}: t in Town "{"{t} and " * 90}{i}"\n        tell "{"{score} " * 90}"\n\n'


@shape()
def names_in_many_scripts() -> Iterator[str]:
    for i in count():
        yield f'state größe_{i}: int\n\nprocedure añadir_{i}()\n    größe_{i} += 1 # 部隊 {i}\n    tell "部隊 {{größe_{i}}} الجيش 🪖"\n\n'


@shape(head=HEAD + "\nphase work\n    score = 0\n", tail=SEQUENCE)
def one_line_after_another() -> Iterator[str]:
    for i in count():
        yield "    score = " + " + ".join(f"(if score > {i + j} then {j} else score)" for j in range(60)) + "\n"


@shape()
def hooks_on_phases_with_lasting_states() -> Iterator[str]:
    for i in count():
        yield f"state s{i}: 0..1000000000, lasts work\n\nbefore work\n    s{i} += 1\n\nwhenever s{i} > {i + 2}\n    score += 1\n\n"


@shape(head=HEAD + "\nsignal ping(t: Town)\n\nprocedure ring()\n    signal ping(Mill)\n" + CARDS)
def cards_that_adjust_and_react() -> Iterator[str]:
    return (
        f'    Card C{i}\n        play\n            may choose c{i}: t in Town "Take {{t}}"\n                signal ping(t)\n        when ping(t) if t.worth > {i}\n            may by any of Side: r{i} "React"\n                score += {i}\n'
        for i in count()
    )


@shape(
    head=HEAD.replace("state score: int\n", "state score: int\nstate total: 0..1000000000\n")
    + "\nmap Net\n    link road\n    road Mill - Ford\n    track total 0..100\n"
)
def tracks_of_large_numbers() -> Iterator[str]:
    return (f"    track total {i}..{i + 900}\n" for i in count())


@shape()
def invariants_of_examples_that_share() -> Iterator[str]:
    yield 'example "root"\n    given empty, score 1\n    expect\n        score == 1\n\n'
    for i in count(1):
        told = "root" if i % 50 == 1 else f"e{i - 1}"
        yield f'invariant "i{i}", always\n    score < {i + 100000}\n\nexample "e{i}"\n    given like "{told}" but score {i}\n    expect\n        score == {i}\n\n'


@shape(
    head=HEAD + "".join(f"state maybe_{i}: maybe Town\n" for i in range(3000)) + "\nphase work\n",
    tail=SEQUENCE,
)
def guards_one_after_another() -> Iterator[str]:
    """What was tested stays known to all that follows."""
    for i in count():
        yield f"    if maybe_{i % 3000} == nothing\n        return\n    score += maybe_{i % 3000}.worth\n"


@shape()
def hints_among_thousands() -> Iterator[str]:
    """Each unknown name is near to thousands that are known."""
    for i in count():
        yield f"state supply_of_the_region_{i}: int\n\nprocedure check_{i}()\n    suply_of_teh_region_{i} += 1\n\n"
