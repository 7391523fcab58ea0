# ruff: noqa: E501  what is repeated stands in one text, as long as it is
"""Large games of many shapes, once more: words made of words, what is worked out before play, what play goes over again and again.

Each is registered with the others of `large.py` when this is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tests.fuzz.large import CARDS, CHOICE, HEAD, SEQUENCE, WORK, shape
from tests.fuzz.large_claims import HIDDEN

RING = (
    "\nmap Net\n    link road\n"
    + "".join(f"    Town T{i}\n" for i in range(300))
    + "".join(f"    road T{i} - T{(i + k) % 300}\n" for i in range(300) for k in (1, 7, 31))
)
DECK = (
    HEAD.replace("    holds box: Tile\n", "    holds box: Tile\n    holds hand: Card, visible to it, count to others\n")
    + "\nkind Card: worth: int = 1\n    home deck\nholds deck: Card, ordered, hidden to others\n\nthings\n"
    + "".join(f"    Card Card_{i}  {i * 37 % 101}\n" for i in range(60))
)

# ------------------------------------------------------------------ words made of words


@shape()
def words_of_words() -> Iterator[str]:
    """Each says the words of the one before it twice."""
    yield 'function f0(n: int) -> int as "{n} and {n}"\n    n\n\n'
    for i in count(1):
        yield f'function f{i}(n: int) -> int as "{{n}} and then {{n}}"\n    f{i - 1}(f{i - 1}(n))\n\npredicate q{i}(n: int)\n    require f{i}(f{i - 1}(f{i - 1}(n))) > 1\n\n'


@shape(head=HEAD + '\nfunction f(n: int) -> int as "{n} or {n} and {n}"\n    n\n\n')
def calls_in_words() -> Iterator[str]:
    for i in count():
        yield f'procedure p{i}()\n    may choose c{i}: t in Town "Take {{t}}"\n        require {"f(" * 12}t.worth{")" * 12} > {i} "enough"\n        score += 1\n\n'


@shape()
def texts_that_say_each_other() -> Iterator[str]:
    yield 'function t0() -> text\n    return "ab"\n\n'
    for i in count(1):
        yield f'function t{i}() -> text\n    return "{{t{i - 1}()}}{{t{i - 1}()}}"\n\n'


@shape(head=HEAD + '\nkind Spot: near: maybe Spot, far: maybe Spot\n    text "{near} and {far}"\nthings\n    Spot S0\n')
def labels_of_labels() -> Iterator[str]:
    return (f"    Spot S{i}  near S{i - 1}, far S{i - 1}\n" for i in count(1))


@shape(head=HEAD + "\nthings\n")
def labels_within_labels() -> Iterator[str]:
    """Each label begins another, so a line can be read in many ways."""
    yield "".join(f'    Town A{i}  "{"old " * i}mill"\n' for i in range(1, 40))
    yield "".join(f'    Town B{i}  "{"old " * i}"\n' for i in range(1, 40))
    for i in count():
        if not i:
            yield "\n"
        yield f'example "e{i}"\n    given setup\n    try North: look at {"old " * (i % 60)}mill -> refused\n    try look {"old mill " * (i % 20)}-> not asked\n\n'


@shape(head=HEAD + "\nthings\n" + "".join(f'    Town L{i}  "at {i} at"\n' for i in range(400)))
def lines_of_names() -> Iterator[str]:
    for i in count():
        yield f'example "e{i}"\n    given setup\n    play\n        North: look at {" at ".join(f"at {j} at" for j in range(40))}\n\n'


@shape()
def phrases_with_many_holes() -> Iterator[str]:
    for i in count():
        yield f'predicate p{i}(t: Town, n: int) as "{"{t} with {n} " * 100}" not "{"no {n} in {t} " * 100}"\n    require t.worth > n\n\n'


@shape()
def procedures_with_headlines() -> Iterator[str]:
    yield 'procedure p0(t: Town)\n    headline "The end in {t}"\n    score += 1\n\n'
    for i in count(1):
        yield f'procedure p{i}(t: Town)\n    headline "Battle {i} in {{t}}: {{t.tiles}} and {{score}}"\n    p{i - 1}(t)\n    p{i // 2}(t)\n\n'


@shape()
def states_that_are_told() -> Iterator[str]:
    for i in count():
        yield f'kind K{i}\n    state held: maybe Side, told "{{it}} falls to {{held}} in {i}" not "nobody holds {{it}}"\nthings\n    K{i} X{i}\n\nprocedure p{i}()\n    X{i}.held = North\n\n'


# ------------------------------------------------------------------ what is worked out before play


@shape(head=HEAD + "\nkind Spot: all: list of int\nthings\n    Spot S0  all [1, 2]\n")
def facts_that_double() -> Iterator[str]:
    return (f"    Spot S{i}  all (S{i - 1}.all + S{i - 1}.all)\n" for i in count(1))


@shape(head=HEAD + "\nkind Spot: all: list of int\nthings\n    Spot S0  all [" + ", ".join(["1"] * 2000) + "]\n")
def facts_that_are_long() -> Iterator[str]:
    return (f"    Spot S{i}  all (S{i // 9}.all + [{i}])\n" for i in count(1))


@shape(
    head=HEAD
    + '\nkind Spot\n    text "{name} '
    + "of many words " * 600
    + '"\n    home pool\nholds pool: Spot\nthings\n'
)
def labels_that_are_long() -> Iterator[str]:
    return (f"    Spot S{i}\n" for i in count(1))


@shape(head=HEAD + "\nkind Spot: rank: int = 1\nthings\n    Spot S0  rank 3\n")
def facts_that_multiply() -> Iterator[str]:
    return (f"    Spot S{i}  rank (S{i - 1}.rank * S{i - 1}.rank)\n" for i in count(1))


@shape(head=HEAD + "\nkind Spot: rank: int = 1, near: set of Town\nthings\n")
def facts_about_all() -> Iterator[str]:
    return (f"    Spot S{i}  rank {i % 9}, near ((Town + Mill)[worth > {i % 7}])\n" for i in count())


@shape()
def checks_of_large_ranges() -> Iterator[str]:
    for i in count():
        yield f'check "c{i}"\n    count(1..4000) == {i + 4000 - i}\n\ncheck "d{i}"\n    sum(a * b for a in 1..3000, b in 1..4) > {i}\n\n'


@shape()
def checks_that_build_texts() -> Iterator[str]:
    yield 'function f(n: int) -> text\n    if n == 0\n        return "words "\n    f(n - 1)\n\n'
    yield "function g(n: int) -> list of int\n    let a = list(x for x in 1..3000)\n    let b = a + a + a + a + a + a + a + a\n    let c = b + b + b + b + b + b + b + b\n    c + c + c + c\n\n"
    for i in count():
        yield f'check "c{i}"\n    count(g({i})) > 3\n\ncheck "d{i}"\n    sorted(g({i})) == sorted(g({i + 1}))\n\n'


@shape(
    head=HEAD
    + "\nfunction f(a: int = 1"
    + "".join(f", a{j}: int = a{j - 1 if j else ''} + a{j - 1 if j else ''}" for j in range(40))
    + ") -> int\n    a39\n\n"
)
def defaults_that_double() -> Iterator[str]:
    return (f"procedure p{i}()\n    score = f() + f({i})\n\n" for i in count())


@shape(head=HEAD + "\nthings\n")
def copies_without_number() -> Iterator[str]:
    return (f"    Tile Sort_{i}  North, 99999999\n    Town Copied_{i}  1, 99999999\n" for i in count())


@shape(
    head=HEAD
    + "\nvalues Arm: "
    + ", ".join(f"a{j}" for j in range(250))
    + "\nvalues Col: "
    + ", ".join(f"c{j}" for j in range(250))
    + "\npieces Unit: arm: Arm, col: Col\n    home pool\nholds pool: Unit\n\ncounts Unit\n    | | "
    + " | ".join(f"c{j}" for j in range(250))
    + " |\n"
)
def a_countermix() -> Iterator[str]:
    for i in range(250):
        yield f"    | a{i} | " + " | ".join(str((i * j) % 9) for j in range(250)) + " |\n"


@shape(head=HEAD + "\ntable t(n: int) -> set of Town\n", tail="    | otherwise | |\n" + WORK + SEQUENCE)
def cells_of_many() -> Iterator[str]:
    return (f"    | {i * 1000}..{i * 1000 + 999} | {', '.join(['Mill', 'Ford'] * 40)} |\n" for i in count())


@shape(head=HEAD + "\ntable t(n: int, m: int) -> int\n    | | 0..1000000 | 1000001..2000000000 |\n")
def ranges_of_a_table() -> Iterator[str]:
    return (f"    | {i * 1000000}..{i * 1000000 + 999999} | {i % 5} | {i % 7} |\n" for i in count())


@shape(head=HEAD + '\nrulebook "Book"\n')
def rules_within_rules() -> Iterator[str]:
    for i in count(1):
        yield f'    1{".1" * (i % 400)}-{i} section "Rule {i}"\n'


@shape()
def citations_in_a_row() -> Iterator[str]:
    yield 'rulebook "Book"\n' + "".join(f'    {i} section "Rule {i}"\n' for i in range(1, 600)) + "\n"
    for i in count():
        yield f"procedure p{i}()  §{', §'.join(str(j) for j in range(1, 600))}\n    score += 1  §{', §'.join(str(j) for j in range(1, 100))}\n\n"


# ------------------------------------------------------------------ predicates, functions and routes within each other


@shape()
def predicates_of_all_and_some() -> Iterator[str]:
    yield "predicate p0(t: Town)\n    require t.worth > 0\n\n"
    for i in count(1):
        yield f"predicate p{i}(t: Town)\n    require (some x in Town: p{i - 1}(x)) or (every x in Town: p{i - 1}(x) and p{i - 1}(t))\n\n"


@shape()
def functions_that_let() -> Iterator[str]:
    yield "function f0(t: Town) -> set of Town\n    {t}\n\n"
    for i in count(1):
        yield f"function f{i}(t: Town) -> set of Town\n    let a = f{i - 1}(t)\n    let b = set(y for x in a, y in f{i - 1}(x))\n    if count(b) > {i}\n        return a\n    b + f{i // 2}(t)\n\n"


@shape(head=HEAD + RING + "\nroute r0(a: Town) from a by road\n\n")
def routes_that_ask_predicates() -> Iterator[str]:
    yield "predicate p0(t: Town)\n    require t in r0(Mill)\n\n"
    for i in count(1):
        yield f"route r{i}(a: Town) from a by road\n    enter b\n        require p{i - 1}(b)\n    through b\n        require not p{i - 1}(a) or b.worth > {i}\n\npredicate p{i}(t: Town)\n    require t in r{i}(Mill)\n    require some x in r{i - 1}(t): p{i - 1}(x)\n\n"


@shape(head=HEAD + RING, tail="\nphase work\n    score = 3\n" + SEQUENCE)
def routes_from_everywhere() -> Iterator[str]:
    yield "function f(t: Town) -> set of Town\n    set(x for x in Town if some r0(x))\n\n"
    for i in count():
        yield (
            f"route r{i}(a: Town) from Town[worth > {i % 3}] by road, at most a.worth + {i} steps\n    step x to y\n        require x.worth + y.worth < {i + 3} or none x.tiles[side == South]\n    cost x to y\n        if some y.tiles then 2 else 1\n\n"
            if i % 3 == 2
            else f"route r{i}(a: Town) from a.road by road, at most {i} steps\n    step x to y\n        require x.worth + y.worth < {i + 3} or some x.tiles[side == South]\n\n"
        )


@shape(head=HEAD + "\nphase work\n    let x = ", tail="\n    score = count(x)\n" + SEQUENCE)
def filters_within_filters() -> Iterator[str]:
    yield "Town"
    for i in count():
        yield f"\n    let y{i} = " + "Town[worth > 0 and some " * 12 + "Town" + "]" * 12


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def quantities_of_all_sorts() -> Iterator[str]:
    for _ in count():
        yield "    if every a in Town, b in Town, c in Town: (some d in Town[worth > a.worth]: d != b) or (none e in Town: e.worth > b.worth + c.worth)\n        score += count(most x in Town by count(y in Town[worth > x.worth] for y in least Town by it.worth))\n"


@shape(
    head=HEAD + "\nkind Spot: near: maybe Spot\nthings\n    Spot S0\n    Spot S1  near S0\n\nphase work\n",
    tail=SEQUENCE,
)
def attributes_of_attributes() -> Iterator[str]:
    for i in count():
        yield (
            "    if " + " and ".join(f"S1{'.near' * j} != nothing" for j in range(1, 20)) + f"\n        score += {i}\n"
        )


@shape()
def hooks_of_hooks() -> Iterator[str]:
    yield "procedure p0()\n    score += 1\n\n"
    for i in count(1):
        yield f"procedure p{i}()\n    score += {i}\n\nafter p{i - 1}\n    p{i}()\n    p{i}()\n\nbefore p{i}\n    score -= 1\n\n"


@shape()
def procedures_that_call_each_other() -> Iterator[str]:
    for i in count():
        yield f"procedure p{i}(n: int)\n    if n > {i}\n        p{i * 7 % 500}(n - 1)\n        p{i * 13 % 500}(n - 2)\n        p{(i + 1) % 500}(n - 3)\n\n"


@shape()
def procedures_that_wait_and_call() -> Iterator[str]:
    for i in count():
        yield f'procedure p{i}(n: int, t: Town)\n    may choose c{i}: s in Town, m in 1..3 "To {{s}} by {{m}}"\n        let before_it = n + m\n        p{i * 7 % 300}(before_it, s)\n        p{i * 13 % 300}(n - 2, t)\n        score += before_it\n\n'


# ------------------------------------------------------------------ what play goes over again and again


@shape(tail="\nphase work\n    s0 += 1\n" + SEQUENCE)
def whenevers_in_a_chain() -> Iterator[str]:
    yield "state s0: int\n\n"
    for i in count(1):
        yield f"state s{i}: int\n\nwhenever s{i - 1} > 0\n    s{i} += 1\n\n"


@shape(
    head=HEAD.replace("    Side South\n", "    Side South\nthings\n" + "".join(f"    Town W{i}\n" for i in range(300))),
    tail=WORK + SEQUENCE,
)
def whenevers_over_things() -> Iterator[str]:
    for i in count():
        yield f"whenever some t in Town, s in Town: t.worth + s.worth > {i} + score and t != s\n    score += 1\n\n"


@shape(
    head=HEAD + "\nvalue base(t: Town, n: int) -> int\n    n\n\n",
    tail='\nphase work\n    tell "{base(Mill, 3)}{reasons(base(Mill, 3))}"\n    score += base(Ford, score)\n'
    + SEQUENCE,
)
def adjustments_of_all_sorts() -> Iterator[str]:
    for i in count():
        yield f'adjust base(t, n) {("add 1", "times 2", "floor 0 - 3", "cap 100", "add t.worth floor 0")[i % 5]} when t.worth + n > {i} and some x in Town: x.worth > {i % 3} "reason {i}"\n'


@shape(head=DECK + "\nphase work\n    draw 40 from deck to active.hand\n", tail=SEQUENCE)
def selections_with_sums() -> Iterator[str]:
    for i in count():
        yield f'    choose any number from active.hand as sel{i} "Give {{sel{i}}}"\n        require sum(c.worth for c in sel{i}) == {1009 + i}\n        require every c in sel{i}, d in sel{i}: c == d or c.worth != d.worth\n        score += size(sel{i})\n'


@shape(
    head=HEAD
    + RING
    + "\npieces Unit: worth: int = 1\n    home pool\nholds pool: Unit\nkind Camp\n    holds men: Unit\nthings\n    Camp Base\n"
    + "".join(f"    Unit U{i}  {i % 7}, 2 in Base.men\n" for i in range(40))
    + "\nphase work\n",
    tail=SEQUENCE,
)
def plans_of_many() -> Iterator[str]:
    for i in count():
        yield f'    choose c{i}: each u in Base.men to t in Town as plan{i} "{{u}} to {{t}}"\n        require every x in plan{i}: count(plan{i}[it == x]) <= {i % 4 + 1}\n        require sum(x.worth for x in plan{i}) > {i}\n        score += 1\n'


@shape(head=HEAD + "state bag: list of int\nstate some_of: set of Town\n\nphase work\n", tail=SEQUENCE)
def lists_gone_through() -> Iterator[str]:
    yield "    bag = list(x for x in 1..4000)\n"
    for i in count():
        yield f"    bag -= {i}\n    bag = sorted(bag)\n    score = count(x in bag for x in bag) + sum(taken({i}, bag))\n    some_of = some_of + Town - Mill\n"


@shape(head=HEAD + 'state words: int\n\nphase work\n    let t0 = "ab"\n', tail=SEQUENCE)
def texts_that_double() -> Iterator[str]:
    return (f'    let t{i} = "{{t{i - 1}}}{{t{i - 1}}}"\n' for i in count(1))


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def large_pools_of_dice() -> Iterator[str]:
    for i in count():
        yield f'    roll 1000000 d6 as a{i} "dice"\n    roll {i + 1} d10000 as b{i}\n    score = matching(a{i}, Mill.tiles, {{4, 5}}) + count(a{i}[it > 3])\n'


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def choices_of_numbers() -> Iterator[str]:
    for i in count():
        yield f'    choose c{i}: n in 1..4000, m in 1..4000 "{{n}} {{m}}"\n        require n mod m == {i + 7}\n        score += n\n'


@shape(head=HEAD + RING + "\nphase work\n", tail=SEQUENCE)
def choices_over_all_pairs() -> Iterator[str]:
    for i in count():
        yield f'    choose c{i}: a in Town, b in Town, c in b.road "{{a}} {{b}} {{c}}"\n        require a != b and a.worth + b.worth + c.worth > {i + 9}\n        score += 1\n'


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def repeats_without_end() -> Iterator[str]:
    for i in count():
        yield f"    repeat 1000000000 times\n        score = score mod {i + 2}\n    repeat until score < 0 - {i}\n        for x in 1..4000\n            score += x mod 2\n"


@shape(head=HIDDEN)
def kinds_that_lie_face_down() -> Iterator[str]:
    for i in count():
        yield f'kind H{i}: side: Side, rank: int = 1\n    state down: bool = yes\n    home lair_{i}\n    hidden when down and rank > {i % 5}, known to side, showing "{{side}} thing"\nholds lair_{i}: H{i}, count to others\nthings\n    H{i} X{i}  North\n    H{i} Y{i}  South\n\nprocedure p{i}()\n    may choose by South c{i}: h in lair_{i} "Turn {{h}}"\n        h.down = no\n        reveal h\n\n'


@shape(head=HEAD + "\nsignal ping(t: Town)\n\nphase work\n    signal ping(Mill)\n\n", tail=SEQUENCE)
def reactions_again_and_again() -> Iterator[str]:
    for i in count():
        yield f'when ping(t) if t.worth < {i + 3} repeatedly "Answer {i}"\n    may choose by North r{i}: s in Town "Answer {i} in {{s}}"\n        require score < {i + 9}\n        score += 1\n        signal ping(s)\n\n'


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def branches_within_branches() -> Iterator[str]:
    for i in count():
        yield f'    each s in Side\n        may choose by s c{i}: t in Town "{{t}}"\n            together\n                North: choose a{i}: n in 1..3 "Lead {{n}}"\n                    score += n\n                each x in Side - {{North}}: choose b{i}: n in 1..3 "Follow {{n}}"\n                    if n > 1\n                        score += n\n'


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def ways_of_ways() -> Iterator[str]:
    for i in count():
        ways = "".join(
            f'    or choose w{i}_{j}: t in Town "Way {j} to {{t}}"\n        require t.worth > {j}\n        score += {j}\n'
            for j in range(12)
        )
        yield (
            f'    repeat\n        choose c{i}: t in Town "Take {{t}}"\n            score += 1\n'
            + ways.replace("    ", "        ", 1).replace("\n    ", "\n        ").rstrip(" ")
            + f'        or stop "Enough {i}"\n        all\n            require score < {i + 3} "not more"\n'
        )


@shape(tail=WORK + SEQUENCE)
def claims_with_long_plays() -> Iterator[str]:
    for i in count():
        yield f'example "e{i}"\n    given setup, seed {i}\n    play\n        run to end passing, any chance\n    expect\n        outcome is draw\n    outcomes of work over score exactly {{1}}\n\n'


@shape()
def tries_of_many_steps() -> Iterator[str]:
    for i in count():
        yield f'example "e{i}"\n    given setup\n    try {" then ".join(["look at Mill", "look at Ford"] * 30)} -> allowed\n    legal t exactly {{{", ".join(["Mill", "Ford"] * 50)}}}\n\n'


@shape(head=HEAD + "\nfunction f(n: int) -> int\n    n\n\n")
def assumptions() -> Iterator[str]:
    for i in count():
        yield (
            f'example "e{i}"\n    given setup\n'
            + "".join(f"    assume f({j}) = {i + j}\n" for j in range(60))
            + f"    expect\n        f(3) == {i + 3}\n        f(99) == 99\n\n"
        )


@shape(head=HIDDEN)
def who_sees_what() -> Iterator[str]:
    for i in count():
        yield f'example "e{i}"\n    given empty, active North\n        North: cards: Ace, King\n    expect\n        South sees North.cards: 2 cards\n        South does not see North.cards: Ace\n        North sees North.cards: Ace, King\n        North does not see deck\n\n'


# ------------------------------------------------------------------ options, cards, players, maps


@shape()
def options_that_all_exclude() -> Iterator[str]:
    for i in count():
        yield (
            f'option o{i} "O {i}"'
            + "".join(f", excludes o{(i + j) % 600}" for j in range(1, 30))
            + f"\n    state so{i}: int\n\n"
        )


@shape(head=HEAD + "\nvalue pay(t: Town) -> int\n    t.worth\n\n")
def amendments_in_order() -> Iterator[str]:
    yield "things\n    Town Heath\n\n"
    for i in count():
        yield f'option o{i} "O {i}"\n    things\n        Town Of_{i}\n    adjust pay(t) add 1 "reason {i}", after o{max(i - 1, 0)}\n    before work, after Heath\n        score += 1\n\n'


@shape()
def options_that_need_many() -> Iterator[str]:
    for i in count():
        yield (
            f'option o{i} "O {i}"'
            + "".join(f", needs o{j}, after o{j}" for j in (i // 2, i // 3, i - 1) if 0 <= j < i)
            + f"\n    procedure p{i}()\n        score += 1\n\n"
        )


@shape(
    head=HEAD
    + CHOICE
    + CARDS.replace(
        "    does play()\n", "    does play()\n    holds under: Card\n    in force when it in Table.under\n"
    ).replace("\nthings\n", "\nthings\n    Card Table\n        play nothing\n"),
    tail=SEQUENCE,
)
def cards_that_do_everything() -> Iterator[str]:
    for i in count():
        yield f'    Card C{i}  "Card {i}"\n        "Something long to read: {"words and " * 20}."\n        state used: bool, lasts work\n        play\n            may choose c{i}: t in Town "Take {{t}}"\n                require not used\n                used = yes\n        restrict work.c when not used\n            require t.worth > 0 - {i} "card {i}"\n        after work when used\n            score += {i}\n'


@shape(head=HEAD + "\nthings\n" + "".join(f"    Side S{i}\n" for i in range(1500)))
def many_sides() -> Iterator[str]:
    for i in count():
        yield f"procedure p{i}()\n    for s in Side\n        for t in Side - {{s}}\n            if some s.box[side == t]\n                score += {i}\n\n"


@shape(head=HEAD + "\nmap Net\n    link road, rail, sea\n    coordinates real\n")
def a_map_of_the_world() -> Iterator[str]:
    for i in count():
        yield f"    Town T{i}  at {i % 85}.{i % 97}{'NS'[i % 2]} {i % 175}.{i % 89}{'WE'[i % 3 > 1]}\n" + (
            f"    road T{i} - T{i // 2}\n    rail T{i} -> T{i // 3} -> T{i // 5}\n" if i > 9 else ""
        )


@shape(head=HEAD + "\nmap Net\n    link road\n")
def boxes_and_tracks() -> Iterator[str]:
    for i in count():
        yield f'    box Town Box_{i}  "box {i}"\n    track score {i}..{i + 20} "Points {i}"\n'


@shape(
    head=HEAD
    + "".join(
        f"kind K{i}: rank: int = 1\n    home camp{i}\nholds camp{i}: K{i}\nthings\n    K{i} Of_{i}\n\n"
        for i in range(200)
    )
    + "either Any: "
    + ", ".join(f"K{i}" for i in range(200))
    + "\n\n"
)
def an_either_of_hundreds() -> Iterator[str]:
    for i in count():
        yield f"procedure p{i}(w: Any)\n    if w is K{i % 200}\n        score += w.rank\n    else if w.rank > {i}\n        score += 2\n    move w home\n\n"


@shape()
def kinds_that_do_many_things() -> Iterator[str]:
    for i in count():
        yield (
            f"kind K{i}\n"
            + "".join(f"    does act{j}(n: int)\n" for j in range(20))
            + f"things\n    K{i} X{i}\n"
            + "".join(f"        act{j}\n            score += n + {j}\n" for j in range(20))
            + "\n"
        )


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def names_taken_again() -> Iterator[str]:
    for i in count():
        yield f"    let x = score + {i}\n    for x in 1..3\n        let y = x\n        score += y\n"


@shape(head=HEAD + "\nphase work\n    if score > 0 and yes", tail="\n        score += 1\n" + SEQUENCE)
def comparisons_in_a_row() -> Iterator[str]:
    return (f" or score != {i} and active == North and (score < {i}) == no" for i in count())


@shape()
def letters_that_become_many() -> Iterator[str]:
    """One letter that is eighteen when it is made plain."""
    return (
        f"state \ufdfa\ufdfa\ufdfa{i}: int\nprocedure \ufb03_{i}()\n    \ufdfa\ufdfa\ufdfa{i} += 1\n\n" for i in count()
    )


@shape()
def names_with_marks() -> Iterator[str]:
    return (
        f"state a{chr(0x301) * 800}{i}: int\nprocedure p{i}()\n    a{chr(0x300) * 800}{i} += 1\n\n" for i in count()
    )


@shape(head=HEAD + "\nphase work\n    score = 1 ", tail="\n" + SEQUENCE)
def one_line_with_a_mistake_at_its_end() -> Iterator[str]:
    return (f"+ count(Town[worth > {i}]) " for i in count())


@shape(head=HEAD + '\nthings\n    Town Here  "a" ', tail="\n" + WORK + SEQUENCE)
def one_line_of_facts() -> Iterator[str]:
    return (f", worth {i}, at {i}N {i}E" for i in count())


@shape(head=HEAD + "\nprocedure p()\n", tail=WORK + SEQUENCE)
def indentation_that_wanders() -> Iterator[str]:
    return (" " * (4 + i * 7 % 60) + f"score += {i}\n" for i in count())


@shape()
def invariants_at_the_end_of_all() -> Iterator[str]:
    for i in count():
        yield f'procedure p{i}()\n    score += 1\n\ninvariant "i{i}", at end of p{i}\n    sum(a.worth * b.worth for a in Town, b in Town if a != b) < {i + 10}\n\ninvariant "j{i}", always\n    count(North.box) + count(South.box) + count(Town.tiles) == 6\n\n'


@shape()
def places_of_places() -> Iterator[str]:
    for i in count():
        yield (
            f"kind K{i}\n    holds in{i}: {'Tile' if i == 0 else f'K{i - 1}'}\n    home {'reserve' if i == 0 else f'reserve{i}'}\nholds {'reserve' if i == 0 else f'reserve{i}'}: K{i}\nthings\n    K{i} A{i}\n    K{i} B{i}\n\n"
            + (
                f"procedure p{i}()\n    move A{i - 1} to A{i}\n    for x in K{i}.in{i}\n        move x home\n\n"
                if i
                else ""
            )
        )


@shape(head=HEAD + "state there: maybe Town\nstate who: maybe Side\n\nphase work\n", tail=SEQUENCE)
def tests_within_tests() -> Iterator[str]:
    for i in count():
        yield f"    if (there != nothing and who != nothing or score > {i}) and (there == nothing or there.worth > {i}) and not (who == nothing and there != nothing)\n        score += (there otherwise Mill).worth\n"


@shape()
def standings_and_values() -> Iterator[str]:
    yield 'standing(s: Side) "points"\n    v0(s)\n\nvalue v0(s: Side) -> int\n    score\n\n'
    for i in count(1):
        yield (
            f'value v{i}(s: Side) -> int\n    max(v{i - 1}(t) for t in Side) + min(v{i // 2}(t) for t in Side if t != s)\n\nadjust v0(s) add v{i}(s) when score > {i} "from {i}"\n\n'
            if i % 50 == 0
            else f"value v{i}(s: Side) -> int\n    if score > {i} then v{i - 1}(s) else v{i // 2}(s)\n\n"
        )
