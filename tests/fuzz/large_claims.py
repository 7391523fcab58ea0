# ruff: noqa: E501  what is repeated stands in one text, as long as it is
"""Large games of many shapes, continued: examples and checks, names that follow pieces, what is hidden, texts of odd sorts.

Each is registered with the others of `large.py` when this is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, product

from tests.fuzz.large import CARDS, HEAD, SEQUENCE, WORK, shape

MAP = "\nmap Net\n    link road\n    road Mill - Ford\n\n"
HIDDEN = (
    HEAD.replace(
        "    holds box: Tile\n", "    holds box: Tile\n    holds cards: Card, visible to it, count to others\n"
    )
    + "\nkind Card: worth: int = 1\n    home deck\nthings\n    Card Ace  2\n    Card King  3\n"
    + "holds deck: Card, ordered, hidden to others\n\n"
)
GIVEN = '\nexample "Lines"\n    given empty, active North\n        Mill: 2 Guard\n'

# ------------------------------------------------------------------ examples


@shape()
def like_one_another_in_a_fan() -> Iterator[str]:
    yield 'example "root"\n    given empty, score 1\n    expect\n        score == 1\n\n'
    for i in count():
        yield f'example "e{i}"\n    given like "root" but Mill: 1 Guard\n    expect\n        Mill has 1 Guard\n\n'


@shape()
def cases_that_share_a_beginning() -> Iterator[str]:
    yield 'example "Cases"\n    given setup\n    play before each case\n        North: look at Mill\n'
    for i in count():
        yield f'    case "number {i}"\n        expect\n            score == 1\n'


@shape()
def tries() -> Iterator[str]:
    yield 'example "Tries"\n    given setup\n'
    for _ in count():
        yield "    try North: look at Mill -> allowed\n    try South: look at Mill -> refused\n"


@shape()
def legals() -> Iterator[str]:
    yield 'example "Legal"\n    given setup\n'
    for _ in count():
        yield "    legal t exactly {Mill, Ford}\n    legal t excludes {Mill, Ford} - {Mill, Ford}\n"


@shape()
def outcomes() -> Iterator[str]:
    return (f'example "o{i}"\n    given setup\n    outcomes of work over score exactly {{1}}\n\n' for i in count())


@shape(head=HEAD + GIVEN + "    expect\n")
def lines_of_expect() -> Iterator[str]:
    return ("        Mill has exactly 2 Guard\n        count(Mill.tiles) == 2\n" for _ in count())


@shape(head=HIDDEN + GIVEN + "        North: cards: Ace\n    expect\n")
def lines_that_see() -> Iterator[str]:
    return ("        South sees North.cards: 1 cards\n        North sees North.cards: Ace\n" for _ in count())


@shape(
    head=HEAD + "\nfunction f(n: int) -> int\n    n\n" + GIVEN, tail="    expect\n        f(3) == 4\n" + WORK + SEQUENCE
)
def assumptions() -> Iterator[str]:
    return (f"    assume f({i}) = {i + 1}\n" for i in count())


@shape()
def examples_to_the_end() -> Iterator[str]:
    return (
        f'example "e{i}"\n    given setup\n    play\n        run to end passing\n    expect\n        outcome is draw\n\n'
        for i in count()
    )


@shape()
def examples_that_fail() -> Iterator[str]:
    return (
        f'example "e{i}"\n    given setup\n    play\n        North: look at Mill\n    expect\n        score == 5\n\n'
        for i in count()
    )


@shape()
def examples_of_misspelt_names() -> Iterator[str]:
    return (
        f'example "e{i}"\n    given empty\n        Mll: 1 Gard\n    play\n        North: lok at Mll\n    expect\n        Mll has 1 Gard\n\n'
        for i in count()
    )


@shape()
def examples_of_one_name() -> Iterator[str]:
    return ('example "twice"\n    given setup\n    expect\n        score == 0\n\n' for _ in count())


@shape()
def examples_that_name_many_things() -> Iterator[str]:
    for i in count():
        yield f'things\n    Town Old_Mill_{i}  "the old mill of {i}"\n\nexample "e{i}"\n    given setup\n    play\n        North: look at the old mill of {i}\n    expect\n        score == 1\n\n'


@shape()
def examples_with_options() -> Iterator[str]:
    for i in count():
        yield f'option o{i} "Option {i}"\n    example "e{i}"\n        given setup\n        expect\n            score == 0\n\n'


@shape()
def scenarios_with_setups() -> Iterator[str]:
    for i in count():
        yield f'scenario sc{i} "Scenario {i}"\n    replace phase work\n        score += {i}\n        place 1 Guard in Mill\n\n'


@shape()
def checks_that_fail() -> Iterator[str]:
    return (f'check "chk {i}"\n    count(Town) > {i + 9}\n\n' for i in count())


@shape()
def checks_with_functions() -> Iterator[str]:
    return (
        f'function f{i}(n: int) -> int\n    n + {i}\n\ncheck "chk {i}"\n    f{i}(1) == {i + 1}\n\n' for i in count()
    )


@shape()
def invariants_over_things() -> Iterator[str]:
    return (f'invariant "inv {i}", at every decision\n    every t in Town: t.worth >= 0 - {i}\n\n' for i in count())


# ------------------------------------------------------------------ names that follow pieces


@shape()
def pieces_handed_on() -> Iterator[str]:
    yield "procedure p0(u: Tile, t: Town)\n    move u to t\n\n"
    for i in count(1):
        yield f"procedure p{i}(u: Tile, t: Town)\n    p{i - 1}(u, t)\n    p{i - 1}(u, Mill)\n\n"


@shape(head=HEAD + "\nphase work\n    for u in Mill.tiles\n", tail=SEQUENCE)
def pieces_moved_or_not() -> Iterator[str]:
    return (
        "        if score > 3\n            move u to Ford\n        else\n            move u to Mill\n" for _ in count()
    )


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def loops_over_pieces() -> Iterator[str]:
    return (f"    for u{i} in Mill.tiles\n        move u{i} to Ford\n" for i in count())


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def names_of_choices() -> Iterator[str]:
    return (
        f'    choose c{i}: t{i} in Town, s{i} in Town "{{t{i}}} {{s{i}}}"\n        require t{i} != s{i}\n'
        for i in count()
    )


@shape(head=HEAD + "state there: maybe Town\n\nphase work\n", tail=SEQUENCE)
def tests_for_nothing() -> Iterator[str]:
    return ("    if there != nothing and there.worth > 1\n        score += there.worth\n" for _ in count())


@shape()
def kinds_of_pieces() -> Iterator[str]:
    for i in count():
        yield f"pieces P{i}: side: Side\n    state up: bool\n    home Store_{i}.all\nkind K{i}\n    holds all: P{i}\nthings\n    K{i} Store_{i}\n    P{i} X{i}  North, 2\n\n"


@shape(
    head=HEAD + "\npieces Unit: side: Side\n    home pool\n",
    tail="holds pool: Unit\nthings\n    Unit Foot  North, 3\n" + WORK + SEQUENCE,
)
def states_of_pieces() -> Iterator[str]:
    return (f"    state s{i}: bool\n" for i in count())


@shape()
def eithers() -> Iterator[str]:
    yield "kind Army\n    home camp\nholds camp: Army\nthings\n    Army First\n\neither Walker: Tile, Army\n\n"
    for i in count():
        yield f"procedure p{i}(w: Walker, t: Town)\n    if w is Army\n        score += 1\n    else\n        move w to t\n\n"


# ------------------------------------------------------------------ what is hidden


@shape(head=HIDDEN)
def secrets_handed_on() -> Iterator[str]:
    yield "procedure p0(c: Card)\n    score += c.worth\n\n"
    for i in count(1):
        yield f"procedure p{i}(c: Card)\n    let d = c\n    p{i - 1}(d)\n    p{i - 1}(c)\n\n"


@shape(head=HIDDEN + "\nphase work\n", tail=SEQUENCE)
def choices_from_hands() -> Iterator[str]:
    for i in count():
        yield f'    may choose by North c{i}: c in North.cards "Play {{c}}"\n        require c.worth > 0\n        move c to South.cards\n'


@shape(head=HIDDEN + "\nphase work\n", tail=SEQUENCE)
def draws_and_tells() -> Iterator[str]:
    return (
        f'    draw 1 from deck to North.cards as got{i}\n    for c in got{i}\n        tell "{{c}} came"\n'
        for i in count()
    )


@shape(head=HIDDEN)
def states_that_hold_cards() -> Iterator[str]:
    return (f"state kept{i}: maybe Card\n\nprocedure p{i}()\n    kept{i} = top(deck)\n\n" for i in count())


@shape(head=HIDDEN + "\nphase work\n", tail=SEQUENCE)
def requirements_that_peek() -> Iterator[str]:
    return (
        f'    choose by North c{i}: t in Town "Take {{t}}"\n        require some South.cards[worth > 1] peeks\n        score += 1\n'
        for i in count()
    )


# ------------------------------------------------------------------ rules about rules


@shape()
def amends() -> Iterator[str]:
    return (f"things\n    Town Town_{i}\n\namend Town_{i}: worth 3\n\n" for i in count())


@shape()
def replaced() -> Iterator[str]:
    return (
        f'function f{i}(n: int) -> int\n    n\n\noption o{i} "O {i}"\n    replace function f{i}(n: int) -> int\n        n + 1\n\n'
        for i in count()
    )


@shape()
def removed() -> Iterator[str]:
    return (f'procedure p{i}()\n    score += 1\n\noption o{i} "O {i}"\n    remove p{i}\n\n' for i in count())


@shape()
def reworded() -> Iterator[str]:
    return (
        f'predicate p{i}(t: Town)\n    require t.worth > {i}\n\nreword p{i}(t) as "{{t}} is good for {i}" not "{{t}} is bad"\n\n'
        for i in count()
    )


@shape()
def options_in_company() -> Iterator[str]:
    yield 'option a "A"\n    state sa: int\n\noption b "B"\n    state sb: int\n\n'
    for i in count():
        yield f"with a, b\n    procedure p{i}()\n        sa += sb + {i}\n\n"


@shape(head=HEAD + "\nsignal ping(t: Town)\n\nprocedure ring()\n    signal ping(Mill)\n\n")
def reactions_that_ask() -> Iterator[str]:
    return (
        f'when ping(t) once a game "Answer {i}"\n    may answer{i} "Answer {i}"\n        score += 1\n\n'
        for i in count()
    )


@shape()
def whenevers_for_each() -> Iterator[str]:
    return (
        f"kind K{i}\n    state s{i}: bool\nthings\n    K{i} X{i}\n\nwhenever some t in K{i}: t.s{i} and score > {i}\n    t.s{i} = no\n\n"
        for i in count()
    )


@shape()
def whenevers_of_one_state() -> Iterator[str]:
    """Each effect makes all of them be looked at, and they change what others read."""
    for i in count():
        yield f"state s{i}: int\n\nwhenever s{i} > {i} and score > {i}\n    s{i // 2} = score\n    score += 1\n\n"


@shape()
def states_that_last() -> Iterator[str]:
    return (f"state s{i}: int, lasts p{i}, lasts p{i // 2}\n\nprocedure p{i}()\n    s{i} += 1\n\n" for i in count())


@shape()
def hooks_on_many() -> Iterator[str]:
    return (
        f"procedure p{i}(t: Town)\n    score += 1\n\nbefore p{i}(t)\n    score += 1\n\nafter p{i}(t) when t.worth > 1\n    score -= 1\n\n"
        for i in count()
    )


@shape()
def defaults_in_a_chain() -> Iterator[str]:
    yield "function f0(n: int = 1) -> int\n    n\n\n"
    for i in count(1):
        yield f"function f{i}(n: int = f{i - 1}()) -> int\n    n\n\n"


# ------------------------------------------------------------------ maps, tables, facts


@shape(head=HEAD + "\nmap Net\n    link road\n")
def a_dense_map() -> Iterator[str]:
    yield "".join(f"    Town T{i}\n" for i in range(250))
    for a, b in product(range(250), range(250)):
        if a < b:
            yield f"    road T{a} - T{b}\n"


@shape(
    head=HEAD + "\nmap Net\n    link road\n" + "".join(f"    Town T{i}\n" for i in range(2000)) + "    road T0 - T1",
    tail="\n" + WORK + SEQUENCE,
)
def a_long_road() -> Iterator[str]:
    return (f" - T{i % 2000}" for i in count(2))


@shape()
def routes_with_costs() -> Iterator[str]:
    yield MAP
    for i in count():
        yield f'route r{i}(a: Town) from a by road, at most {i % 9} points\n    cost a to b\n        b.worth + {i}\n\ncheck "c{i}"\n    count(r{i}(Mill)) >= 0\n\n'


@shape(head=HEAD + MAP + "route r(a: Town) from a by road\n    enter b\n")
def clauses_of_a_route() -> Iterator[str]:
    return (f'        require b.worth > 0 - {i} "reason {i}"\n' for i in count())


@shape(head=HEAD + "\ntable t(n: int, m: int) -> int\n    |", tail="\n    | 1 | 1 |\n" + WORK + SEQUENCE)
def columns_of_a_table() -> Iterator[str]:
    return (f" {i} |" for i in count(2))


@shape(head=HEAD + "\ntable t(n: int) -> int\n", tail="    | otherwise | 0 |\n" + WORK + SEQUENCE)
def rows_with_conditions() -> Iterator[str]:
    return (f"    | {i}..{i + 3} | {i % 5} | if score > {i}\n" for i in count())


@shape(head=HEAD + "\nkind Spot: near: set of Town\nthings\n")
def facts_worked_out() -> Iterator[str]:
    return (f"    Spot S{i}  near (Town[worth > {i % 3}] + Mill)\n" for i in count())


@shape(head=HEAD + "\nthings\n")
def copies() -> Iterator[str]:
    return (f"    Town Copy_{i}  1, 30\n" for i in count())


@shape(head=HEAD + "\nthings\n")
def wrong_facts() -> Iterator[str]:
    return (f'    Town Town_{i}  wrth {i}, Guard, "text" "text"\n' for i in count())


@shape(head=HEAD + "\nthings\n")
def kinds_nobody_knows() -> Iterator[str]:
    return (f"    Twon Town_{i}  {i}\n" for i in count())


@shape(head=HEAD + '\nrulebook "Book"\n')
def rules_of_the_book() -> Iterator[str]:
    return (f'    {i}.1  section  "Title {i}"\n' for i in count())


@shape(head=HEAD + '\nrulebook "Book"\n    1 section "One"\n\n')
def cites_of_no_rule() -> Iterator[str]:
    return (f"procedure p{i}()  §{i}.1\n    score += 1  §{i}.2\n\n" for i in count())


# ------------------------------------------------------------------ long and deep


@shape(head=HEAD + "\nfunction f(n: int) -> int\n    n\n\nphase work\n    score = ", tail="1\n" + SEQUENCE)
def calls_in_calls() -> Iterator[str]:
    return ("f(" for _ in count())


@shape(head=HEAD + "\nphase work\n    score = ", tail="1\n" + SEQUENCE)
def an_if_in_an_if() -> Iterator[str]:
    return (f"if score > {i} then {i} else " for i in count())


@shape(head=HEAD + "\nphase work\n    let x = Town", tail="\n" + SEQUENCE)
def filters_after_filters() -> Iterator[str]:
    return (f"[worth > {i}]" for i in count())


@shape(head=HEAD + "\nphase work\n    let x = {Mill", tail="}\n    score = count(x)\n" + SEQUENCE)
def a_set() -> Iterator[str]:
    return (", Ford" for _ in count())


@shape(head=HEAD + "\nphase work\n    let x = Town", tail="\n    score = count(x)\n" + SEQUENCE)
def sums_of_sets() -> Iterator[str]:
    return (" + Mill - Ford" for _ in count())


@shape(head=HEAD + MAP + "phase work\n    let x = Mill", tail="\n    score = count(x)\n" + SEQUENCE)
def roads_of_roads() -> Iterator[str]:
    return (".road" for _ in count())


@shape(head=HEAD + "\nphase work\n    score = sum(1 for a in Town", tail=")\n" + SEQUENCE)
def names_of_a_sum() -> Iterator[str]:
    return (f", a{i} in Town" for i in count())


@shape(head=HEAD + "\nphase work\n    choose c: a in Town", tail=' "Take"\n        score += 1\n' + SEQUENCE)
def names_of_one_choice() -> Iterator[str]:
    return (f", a{i} in Town" for i in count())


@shape(head=HEAD + "\nphase work\n    score += 1\n" + "\nprocedure ", tail="()\n    score += 1\n" + SEQUENCE)
def one_long_name() -> Iterator[str]:
    return ("name_and_" for _ in count())


@shape(head=HEAD + '\nphase work\n    choose c: t in Town "Take {t}"\n        score += 1\n', tail=SEQUENCE)
def requirements_for_all() -> Iterator[str]:
    yield '    or choose d: t in Town "Leave {t}"\n        score += 1\n    all\n'
    for i in count():
        yield f'        require t.worth > 0 - {i} "reason {i}"\n'


@shape(head=HEAD, tail="\n" + WORK + SEQUENCE)
def spaces() -> Iterator[str]:
    return (" " for _ in count())


@shape()
def lines_of_spaces() -> Iterator[str]:
    return (" " * (i % 60) + "\n" for i in count())


@shape(head=HEAD + "\n", tail="\n" + WORK + SEQUENCE)
def quotes() -> Iterator[str]:
    return ('"' for _ in count())


@shape(head=HEAD + "\n", tail="\n" + WORK + SEQUENCE)
def bars() -> Iterator[str]:
    return ("|" for _ in count())


@shape(head=HEAD + "\nthings\n    Town Here  crossings ", tail="\n" + WORK + SEQUENCE)
def curly_brackets() -> Iterator[str]:
    return ("{" for _ in count())


@shape(head=HEAD + '\nphase work\n    tell "', tail='"\n' + SEQUENCE)
def templates_in_templates() -> Iterator[str]:
    return ("{" for _ in count())


@shape(head=HEAD + "\nphase work\n    score = ", tail="\n" + SEQUENCE)
def digits() -> Iterator[str]:
    return ("7" for _ in count())


@shape(head=HEAD + "\nphase work\n    if not ", tail="yes\n        score += 1\n" + SEQUENCE)
def nots() -> Iterator[str]:
    return ("not " for _ in count())


@shape(head=HEAD + "\nphase work\n    score = ", tail="1\n" + SEQUENCE)
def minuses() -> Iterator[str]:
    return ("-" for _ in count())


@shape()
def returns_of_the_carriage() -> Iterator[str]:
    return (f"state s{i}: int\r\n\r\n" for i in count())


@shape()
def tabs() -> Iterator[str]:
    return (f"procedure p{i}()\n\tscore += 1\n\n" for i in count())


@shape()
def letters_of_all_sorts() -> Iterator[str]:
    return (f'procedure p{i}()\n    tell "é 漢 \u200b 😀 {i}"\n\n' for i in count())


# ------------------------------------------------------------------ mistakes


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def calls_of_nobody() -> Iterator[str]:
    return (f"    nobody_{i}(Mill, {i})\n" for i in count())


@shape(head=HEAD + "\nprocedure p(a: int, t: Town)\n    score += a\n\nphase work\n", tail=SEQUENCE)
def wrong_arguments() -> Iterator[str]:
    return (f"    p(Mill, {i})\n    p(1)\n    p(x = 1)\n" for i in count())


@shape()
def amendments_of_nothing() -> Iterator[str]:
    return (
        f'restrict wrk.c{i}\n    require no\n\nadjust nobody{i}(n) add 1\n\nafter nothing{i}\n    score += 1\n\nreword no{i}(t) as "x"\n\n'
        for i in count()
    )


@shape(head=HEAD + CARDS)
def cards_without_text() -> Iterator[str]:
    return (f"    Card C{i}\n" for i in count())


@shape()
def names_taken_twice() -> Iterator[str]:
    return ("procedure twice()\n    score += 1\n\nkind Twice\n\nvalues Three: a, a, b\n\n" for _ in count())


@shape()
def options_of_circles() -> Iterator[str]:
    return (
        f'option o{i} "O {i}", needs o{i + 1}, after o{i * 7 % 1000}, excludes o{i * 3}\n    state so{i}: int\n\n'
        for i in count()
    )


@shape(head=HEAD + "\nphase work\n    end game, draw\n", tail=SEQUENCE)
def never_reached() -> Iterator[str]:
    return ("    score += 1\n    end game, draw\n" for _ in count())


@shape(head=HIDDEN + "\nphase work\n", tail=SEQUENCE)
def looks_at_what_is_hidden() -> Iterator[str]:
    return (
        f'    choose by South c{i}: c in North.cards "Take {{c}}"\n        require c.worth > 1\n        score += 1\n'
        for i in count()
    )
