# ruff: noqa: E501  what is repeated stands in one text, as long as it is
"""Large games of many shapes, continued: what leans on something else that is large, and texts nobody types.

Each is registered with the others of `large.py` when this is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tests.fuzz.large import CARDS, HEAD, SEQUENCE, WORK, shape
from tests.fuzz.large_claims import MAP

# ------------------------------------------------------------------ rules that lean on rules


@shape()
def functions_in_a_diamond() -> Iterator[str]:
    yield "function f0(n: int) -> int\n    n\n\nfunction f1(n: int) -> int\n    n\n\n"
    for i in count(2):
        yield f"function f{i}(n: int) -> int\n    if n > {i} then f{i - 1}(n) else f{i - 2}(n) + f{i - 1}(n - 1)\n\n"


@shape(head=HEAD + "\nphase work\n    let n0 = score\n", tail="    score = 1\n" + SEQUENCE)
def lets_in_a_chain() -> Iterator[str]:
    for i in count(1):
        yield f"    let n{i} = n{i - 1} + n{i // 2}\n"


@shape(head=HEAD + "\nphase work\n    let n0 = Town[worth > 0]\n", tail="    score = 1\n" + SEQUENCE)
def lets_of_sets_in_a_chain() -> Iterator[str]:
    for i in count(1):
        yield f"    let n{i} = n{i - 1}[worth > {i % 3}] + Mill\n"


@shape(head=HEAD + "\nfunction f(n: int) -> int\n    let n0 = n\n", tail="    n0\n" + WORK + SEQUENCE)
def lets_of_a_function() -> Iterator[str]:
    for i in count(1):
        yield f"    let n{i} = n{i - 1} * 2 + n{i // 3}\n"


@shape()
def signals_in_a_chain() -> Iterator[str]:
    yield "signal s0(n: int)\n\n"
    for i in count(1):
        yield f"signal s{i}(n: int)\n\nwhen s{i - 1}(n)\n    score += 1\n    signal s{i}(n)\n\n"


@shape()
def results_in_a_chain() -> Iterator[str]:
    yield "procedure p0(n: int) -> int\n    score += n\n    return n\n\n"
    for i in count(1):
        yield f"procedure p{i}(n: int) -> int\n    let x = p{i - 1}(n)\n    return x + {i}\n\n"


@shape()
def procedures_that_ask_in_a_chain() -> Iterator[str]:
    yield 'procedure p0(t: Town)\n    may choose c: s in Town "From {t} to {s}"\n        score += 1\n\n'
    for i in count(1):
        yield f'procedure p{i}(t: Town)\n    may choose c{i}: s in Town "From {{t}} to {{s}}"\n        p{i - 1}(s)\n\n'


@shape()
def procedures_with_many_parameters() -> Iterator[str]:
    names = [f"a{j}" for j in range(40)]
    yield "procedure p0(" + ", ".join(f"{n}: int" for n in names) + ")\n    score += a0 + a39\n\n"
    for i in count(1):
        yield (
            f"procedure p{i}("
            + ", ".join(f"{n}: int = {i}" for n in names)
            + f")\n    p{i - 1}({', '.join(names)})\n\n"
        )


@shape(head=HEAD + "\nsignal ping(t: Town)\n\nprocedure ring()\n    signal ping(Mill)\n" + CARDS)
def cards_with_reactions() -> Iterator[str]:
    return (
        f"    Card C{i}\n        play\n            signal ping(Ford)\n        when ping(t)\n            score += {i}\n"
        for i in count()
    )


@shape()
def options_that_change_options() -> Iterator[str]:
    yield 'option o0 "O 0"\n    value v0(n: int) -> int\n        n\n\n'
    for i in count(1):
        yield f'option o{i} "O {i}", needs o{i - 1}, after o{i - 1}\n    value v{i}(n: int) -> int\n        v{i - 1}(n)\n    adjust v{i - 1}(n) add 1 when n > {i} "layer {i}"\n\n'


@shape()
def options_that_replace_each_other() -> Iterator[str]:
    yield "function f(n: int) -> int\n    n\n\n"
    for i in count():
        yield f'option o{i} "O {i}"\n    replace function f(n: int) -> int\n        n + {i}\n\n'


@shape()
def values_that_ask_values() -> Iterator[str]:
    yield "value v0(n: int) -> int\n    n\n\n"
    for i in count(1):
        yield f'value v{i}(n: int) -> int\n    v{i - 1}(n)\n\nadjust v{i}(n) add v{i // 2}(n) when v{i - 1}(n) > {i} "layer {i}"\n\n'


# ------------------------------------------------------------------ choices, tables, maps


@shape(head=HEAD + '\nphase work\n    choose c: t in Town "Take {t}"\n        score += 1\n', tail=SEQUENCE)
def alternatives_with_requirements() -> Iterator[str]:
    for i in count():
        yield f'    or choose alt{i}: t in Town, n in 1..3 "Way {i} to {{t}} by {{n}}"\n        require t.worth > n - {i} "near"\n        require t != Mill or score < {i} "free"\n        score += n\n'


@shape(head=HEAD + '\nphase work\n    choose c: a in Town, b in Town, d in Town "{a} {b} {d}"\n', tail=SEQUENCE)
def requirements_of_three_names() -> Iterator[str]:
    return (f'        require a != b or b != d or d.worth > 0 - {i} "reason {i}"\n' for i in count())


@shape(head=HEAD + "\nvalues Wide: " + ", ".join(f"w{j}" for j in range(30)) + "\n\n")
def tables_with_wide_rows() -> Iterator[str]:
    rows = "".join(f"    | w{j} | " + " | ".join("3" for _ in range(200)) + " |\n" for j in range(30))
    heads = " | ".join(str(j) for j in range(200))
    return (f"table t{i}(w: Wide, n: int) -> int\n    | | {heads} |\n{rows}\n" for i in count())


@shape(
    head=HEAD + "\nmap Net\n    link road\n" + "".join(f"    Town T{i}\n" for i in range(3000)),
    tail="\nphase work\n    let n = T0.road\n    score = count(n.road) + count(T1.road.road)\n" + SEQUENCE,
)
def a_star() -> Iterator[str]:
    return (f"    road T{i % 40} - T{i % 2999 + 1}\n" if i % 2999 + 1 != i % 40 else "" for i in count())


@shape(
    head=HEAD
    + "\nmap Net\n    link road\n"
    + "".join(f"    Town T{i}\n" for i in range(600))
    + "".join(f"    road T{i} - T{(i + k) % 600}\n" for i in range(600) for k in range(1, 4))
)
def routes_with_long_filters() -> Iterator[str]:
    for i in count():
        conditions = "".join(f"        require b.worth != {i + j}\n" for j in range(60))
        yield f"route r{i}(a: Town) from a by road\n    enter b\n{conditions}    step c to d\n        require c != d\n\n"


@shape(
    head=HEAD + MAP + "route r(a: Town) from a by road\n    enter b\n        require b.worth > 0",
    tail="\n" + WORK + SEQUENCE,
)
def one_requirement_of_a_route() -> Iterator[str]:
    return (f" and b != T{i}" if i % 1000 == 999 else f" and b.worth != {i + 7}" for i in count())


@shape(head=HEAD + "\nkind Spot: near: maybe Spot, far: set of Spot\n    state mark: int\nthings\n    Spot S0\n")
def things_in_a_chain() -> Iterator[str]:
    return (f"    Spot S{i}  near S{i - 1}, far {{S{i // 2}, S{i // 3}}}\n" for i in count(1))


@shape(head=HEAD.replace("    Side South\n", "    Side South\n" + "".join(f"    Side P{i}\n" for i in range(400))))
def players_without_end() -> Iterator[str]:
    for i in count():
        yield f'procedure p{i}()\n    together\n        each s in Side: choose c{i}: n in 1..3 "Bid {{n}}"\n            score += n\n\n'


@shape(
    head=HEAD + "\nkind Card: worth: int = 1\n    home deck\nholds deck: Card, ordered, hidden to others\n\nthings\n"
)
def a_deck() -> Iterator[str]:
    return (f'    Card Card_{i}  "Card of the number {i}", {i % 9}\n' for i in count())


@shape(
    head=HEAD + "\npieces Unit: side: Side\n    home pool\n",
    tail="holds pool: Unit\nthings\n    Unit Foot  North, 3\n" + WORK + SEQUENCE,
)
def numbers_on_pieces() -> Iterator[str]:
    return (f"    state n{i}: 0..{10 ** (i % 12)}\n" for i in count())


@shape()
def invariants_over_everything() -> Iterator[str]:
    yield "things\n" + "".join(f"    Town T{i}\n" for i in range(200)) + "\n"
    for i in count():
        yield f'invariant "inv {i}", always\n    every a in Town: every b in Town: a == b or a.worth + b.worth > 0 - {i}\n\n'


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def sums_in_sums() -> Iterator[str]:
    for i in count():
        yield f"    score = sum(sum(sum(a.worth + b.worth + n for n in 1..3) for b in Town[worth < {i}]) for a in Town)\n"


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def loops_in_loops() -> Iterator[str]:
    """As deep as the language allows, over and over."""
    for i in count():
        yield "".join(f"{'    ' * (j + 1)}for t{i}_{j} in Town\n" for j in range(12)) + "    " * 13 + "score += 1\n"


@shape(head=HEAD + "\nphase work\n", tail="\n" + SEQUENCE)
def loops_ever_deeper() -> Iterator[str]:
    for i in range(400):
        yield "    " * (i + 1) + ("for t in Town\n" if i % 3 else "repeat 2 times\n" if i % 2 else "if score > 1\n")
    yield "    " * 401 + "score += 1\n"


@shape(head=HEAD + "\nphase work\n", tail="\n" + SEQUENCE)
def ifs_ever_deeper() -> Iterator[str]:
    for i in range(90):
        yield "    " * (i + 1) + f"if score > {i}\n"
    yield "    " * 91 + "score += 1\n"
    for i in count():
        yield f"    if score > {i}\n        if score > {i + 1}\n            score += 1\n        else\n            score -= 1\n"


@shape(head=HEAD + "state all: list of int\n\nphase work\n    all = ", tail="\n" + SEQUENCE)
def lists_in_lists() -> Iterator[str]:
    return ("[" for _ in count())


@shape(head=HEAD + '\nphase work\n    tell "', tail='"\n' + SEQUENCE)
def values_in_a_text() -> Iterator[str]:
    return (f"{{score + {i}}} and {{Mill}} " for i in count())


@shape(head=HEAD + "state all: list of int\n\nphase work\n", tail=SEQUENCE)
def lists_that_grow() -> Iterator[str]:
    return ("    all = all + all + [1, 2, 3]\n" for _ in count())


@shape(head=HEAD + "\nphase work\n    score = 2\n", tail=SEQUENCE)
def numbers_that_grow() -> Iterator[str]:
    return ("    score = score * score\n" for _ in count())


# ------------------------------------------------------------------ names, texts and letters


@shape()
def long_names() -> Iterator[str]:
    return (f"state {'a' * 2000}{i}: int\n\nprocedure p{i}()\n    {'a' * 2000}{i} += 1\n\n" for i in count())


@shape()
def long_names_misspelt() -> Iterator[str]:
    return (f"state {'ab' * 1000}{i}: int\n\nprocedure p{i}()\n    {'ab' * 999}b{i} += 1\n\n" for i in count())


@shape(head=HEAD + "\nthings\n")
def long_labels() -> Iterator[str]:
    return (f'    Town T{i}  "the town {"of many words " * 150}{i}"\n' for i in count())


@shape(head=HEAD + "\nthings\n")
def labels_alike() -> Iterator[str]:
    return (f'    Town T{i}  "the town of the river"\n' for i in count())


@shape()
def examples_of_labels_alike() -> Iterator[str]:
    yield "things\n" + "".join(f'    Town T{i}  "the town {i % 7} of the river {i % 11}"\n' for i in range(700)) + "\n"
    for i in count():
        yield f'example "e{i}"\n    given setup\n    play\n        North: look at the town of the river {i % 11}\n    expect\n        score == 1\n\n'


@shape(head=HEAD + "\nthings\n")
def numbers_of_many_digits() -> Iterator[str]:
    return (f"    Town T{i}  worth {'9' * 4000}{i}\n" for i in count())


@shape(head=HEAD + "\nthings\n    Town Last  worth ", tail="\n" + WORK + SEQUENCE)
def one_number() -> Iterator[str]:
    return ("8" for _ in count())


@shape()
def marks_without_width() -> Iterator[str]:
    return (f"state s\u200b{i}: int\nprocedure p{i}()\n    sc\u00adore += 1\ufeff\n\n" for i in count())


@shape()
def letters_that_go_together() -> Iterator[str]:
    return (f"state e\u0301tat_{i}: int\nstate \u00e9tat_{i}: int\n" for i in count())


@shape()
def other_ends_of_lines() -> Iterator[str]:
    return (f"state a{i}: int\u2028state b{i}: int\u0085state c{i}: int\x0bstate d{i}: int\x0c" for i in count())


@shape()
def returns_alone() -> Iterator[str]:
    return (f"state a{i}: int\rprocedure p{i}()\r    score += 1\r" for i in count())


@shape(head="\ufeff" + HEAD.replace("\n", "\r\n"), tail=(WORK + SEQUENCE).replace("\n", "\r\n"))
def marks_at_the_beginning() -> Iterator[str]:
    return (f'example "e{i}"\r\n    given setup\r\n    expect\r\n        score == 0\r\n\r\n' for i in count())


@shape()
def zero_bytes() -> Iterator[str]:
    return (f"state a{i}: int\x00\n\x01procedure p{i}()\n    score += 1\n" for i in count())


@shape()
def letters_from_right_to_left() -> Iterator[str]:
    return (f'procedure p{i}()\n    tell "\u202eabc \u2066 def \u05d0\u05d1 {i}"\n\n' for i in count())


@shape(head=HEAD + "\nthings\n")
def words_of_the_language_as_names() -> Iterator[str]:
    return (f"    Town if  {i}\n    Town for  {i}\n    Town class\n    Town None\n" for i in count())


@shape()
def includes() -> Iterator[str]:
    return (f'include "includes.rules"\ninclude "*{i}.rules"\n' for i in count())


# ------------------------------------------------------------------ claims


@shape()
def examples_with_sets_of_options() -> Iterator[str]:
    yield "".join(f'option o{i} "O {i}"\n    state so{i}: int\n\n' for i in range(40))
    for i in count():
        yield f'example "e{i}"\n    with options o{i % 40}, o{(i * 7 + 1) % 40}\n    given setup\n    expect\n        score == 0\n\n'


@shape()
def examples_with_long_titles() -> Iterator[str]:
    return (f'example "{"title " * 300}{i}"\n    given setup\n    expect\n        score == 0\n\n' for i in count())


@shape()
def expects_of_all_sorts() -> Iterator[str]:
    for i in count():
        yield f'example "e{i}"\n    given setup\n    expect\n        sum(a.worth * b.worth for a in Town, b in Town) == 4\n        every t in Town: t.worth == 1\n        none t in Town: t.worth == {i + 2}\n\n'


@shape(head=HEAD + '\nexample "Long"\n    given setup\n    expect\n        score == 0', tail="\n" + WORK + SEQUENCE)
def one_expectation() -> Iterator[str]:
    return (f" and score != {i + 1}" for i in count())
