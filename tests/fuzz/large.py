"""Large games of many shapes: each is one idea repeated until the text has so many bytes.

What a person writes is a few hundred declarations of a few lines. These have thousands of one sort: of each
declaration, of the lines inside one, of names that nobody uses and of names that are misspelt. `check` must come to an
end with all of them, soon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

__all__ = ["CARDS", "HEAD", "SEQUENCE", "SHAPES", "WORK", "shape", "text_of"]

HEAD = """\
rulescript 1

game "Large"

kind Side
    holds box: Tile

things
    Side North
    Side South

players Side

pieces Tile: side: Side
    home side.box

things
    Tile Guard  North, 3
    Tile Scout  South, 3

kind Town: worth: int = 1
    holds tiles: Tile

things
    Town Mill
    Town Ford

state active: Side
state score: int
"""

SEQUENCE = """
sequence
    for active in Side
        may choose look: t in Town "Look at {t}"
            work
    end game, draw
"""

WORK = "\nphase work\n    score += 1\n"

CARDS = "\nkind Card\n    does play()\n\nthings\n"
CHOICE = '\nphase work\n    choose c: t in Town "Take {t}"\n        score += 1\n    or pass\n\n'

Shape = Callable[[], Iterator[str]]
SHAPES: dict[str, tuple[str, Shape, str]] = {}


def shape(head: str = HEAD, tail: str = WORK + SEQUENCE) -> Callable[[Shape], Shape]:
    def add(make: Shape) -> Shape:
        SHAPES[make.__name__] = (head, make, tail)
        return make

    return add


def text_of(name: str, size: int) -> str:
    """A game of a shape with about so many bytes."""
    head, make, tail = SHAPES[name]
    parts = [head]
    length = len(head) + len(tail)
    for part in make():
        if length + len(part) > size:
            break
        parts.append(part)
        length += len(part)
    return "".join(parts) + tail


# ------------------------------------------------------------------ declarations


@shape()
def states() -> Iterator[str]:
    return (f"state s{i}: int\n" for i in count())


@shape()
def functions() -> Iterator[str]:
    return (f"function f{i}(n: int) -> int\n    n + {i}\n\n" for i in count())


@shape()
def functions_in_a_chain() -> Iterator[str]:
    yield "function f0(n: int) -> int\n    n\n\n"
    for i in count(1):
        yield f"function f{i}(n: int) -> int\n    f{i - 1}(n) + 1\n\n"


@shape()
def functions_in_a_tree() -> Iterator[str]:
    yield "function f0(n: int) -> int\n    n\n\n"
    for i in count(1):
        yield f"function f{i}(n: int) -> int\n    f{i - 1}(n) + f{i - 1}(n + 1)\n\n"


@shape()
def functions_in_a_circle() -> Iterator[str]:
    for i in count():
        yield f"function f{i}(n: int) -> int\n    if n > 0\n        return f{i // 2}(n - 1)\n    1\n\n"


@shape()
def predicates_in_a_chain() -> Iterator[str]:
    yield "predicate p0(t: Town)\n    require t.worth > 0\n\n"
    for i in count(1):
        yield f"predicate p{i}(t: Town)\n    require p{i - 1}(t)\n\n"


@shape()
def predicates_in_a_tree() -> Iterator[str]:
    yield "predicate p0(t: Town)\n    require t.worth > 0\n\n"
    for i in count(1):
        yield f"predicate p{i}(t: Town)\n    require p{i - 1}(t) and p{i - 1}(Mill)\n    require p{i - 1}(Ford)\n\n"


@shape(tail=SEQUENCE.replace("work\n", "p0()\n"))
def procedures_in_a_chain() -> Iterator[str]:
    return (f"procedure p{i}()\n    p{i + 1 if i % 9999 else 1}()\n\n" for i in count())


@shape()
def procedures_in_a_tree() -> Iterator[str]:
    yield "procedure p0()\n    score += 1\n\n"
    for i in count(1):
        yield f"procedure p{i}()\n    p{i - 1}()\n    p{i - 1}()\n\n"


@shape()
def procedures_unused() -> Iterator[str]:
    return (f"procedure p{i}()\n    score += {i}\n\n" for i in count())


@shape()
def phases() -> Iterator[str]:
    return (f'phase ph{i} "Phase {i}"\n    score += 1\n\n' for i in count())


@shape(tail="\n    score += 1\n" + SEQUENCE.replace("work\n", "score += 1\n"))
def phases_in_a_tree() -> Iterator[str]:
    yield "phase ph0\n    score += 1\n\n"
    for i in count(1):
        yield f"phase ph{i}\n    ph{i - 1}\n    ph{i - 1}\n\n"


@shape()
def kinds() -> Iterator[str]:
    return (f"kind K{i}: worth: int = {i}\n    state mark: bool\n\nthings\n    K{i} Thing_{i}\n\n" for i in count())


@shape()
def kinds_with_places() -> Iterator[str]:
    return (f"kind K{i}\n    holds spot: Tile\n\nthings\n    K{i} Thing_{i}\n\n" for i in count())


@shape(head=HEAD + "\nthings\n")
def things() -> Iterator[str]:
    return (f"    Town Town_{i}  {i % 9}\n" for i in count())


@shape(head=HEAD + "\nthings\n")
def types_of_pieces() -> Iterator[str]:
    return (f"    Tile Sort_{i}  North, {i % 9}\n" for i in count())


@shape(head=HEAD + "\nmap Net\n    link road\n")
def links() -> Iterator[str]:
    return ("    road Mill - Ford\n" for _ in count())


@shape(head=HEAD + "\nvalues Use:")
def values() -> Iterator[str]:
    yield " use_0"
    for i in count(1):
        yield f", use_{i}"


@shape()
def many_values() -> Iterator[str]:
    return (f"values V{i}: a{i}, b{i}, c{i}\n" for i in count())


@shape()
def attributes() -> Iterator[str]:
    return (f"kind K{i}: " + ", ".join(f"a{j}: int = {j}" for j in range(50)) + "\n\n" for i in count())


@shape()
def tables() -> Iterator[str]:
    return (
        f"table t{i}(n: int) -> int\n    | 1..3 | 1 |\n    | 4..6 | 2 |\n    | otherwise | 3 |\n\n" for i in count()
    )


@shape(head=HEAD + "\ntable t(n: int) -> int\n")
def rows_of_a_table() -> Iterator[str]:
    return (f"    | {i} | {i % 7} |\n" for i in count())


@shape()
def routes() -> Iterator[str]:
    yield "map Net\n    link road\n    road Mill - Ford\n\n"
    for i in count():
        yield f"route r{i}(a: Town) from a by road\n    enter b\n        require b.worth > {i}\n\n"


@shape()
def signals() -> Iterator[str]:
    return (f"signal sig{i}(t: Town)\n\nwhen sig{i}\n    score += 1\n\n" for i in count())


@shape()
def whenevers() -> Iterator[str]:
    return (f"whenever score > {i}\n    active = North\n\n" for i in count())


@shape()
def invariants() -> Iterator[str]:
    return (f'invariant "inv {i}"\n    score >= 0 - {i}\n\n' for i in count())


@shape()
def checks() -> Iterator[str]:
    return (f'check "chk {i}"\n    count(Town) >= {i % 2}\n\n' for i in count())


@shape()
def options() -> Iterator[str]:
    return (f'option o{i} "Option {i}"\n    state so{i}: int\n\n' for i in count())


@shape()
def scenarios() -> Iterator[str]:
    return (f'scenario sc{i} "Scenario {i}"\n    state ss{i}: int\n\n' for i in count())


@shape(head=HEAD + "\nvalue base(n: int) -> int\n    n\n\n")
def adjusts() -> Iterator[str]:
    return (f'adjust base(n) add 1 when n > {i} "layer {i}"\n' for i in count())


@shape(head=HEAD + "\nprocedure base()\n    score += 1\n\n")
def hooks() -> Iterator[str]:
    return (f"after base\n    score += {i}\n\n" for i in count())


@shape(head=HEAD + "\nprocedure base()\n    score += 1\n\n" + CARDS)
def cards_that_hook_one_procedure() -> Iterator[str]:
    return (
        f"    Card C{i}\n        play\n            score += 1\n        after base\n            score += {i}\n"
        for i in count()
    )


@shape(head=HEAD + "\nvalue base(n: int) -> int\n    n\n\n" + CARDS)
def cards_that_adjust_one_value() -> Iterator[str]:
    return (
        f'    Card C{i}\n        play nothing\n        adjust base(n) add 1 when n > {i} "layer {i}"\n' for i in count()
    )


@shape(head=HEAD + CHOICE + CARDS, tail=SEQUENCE)
def cards_that_restrict_one_choice() -> Iterator[str]:
    return (
        f"    Card C{i}\n        play nothing\n        restrict work.c\n            require t.worth > 0 - {i}\n"
        for i in count()
    )


@shape(head=HEAD + CARDS)
def cards_with_does() -> Iterator[str]:
    return (f"    Card C{i}\n        play\n            score += {i}\n" for i in count())


@shape(head=HEAD + CARDS, tail="\nprocedure all()\n    for c in Card\n        c.play()\n" + WORK + SEQUENCE)
def cards_that_are_played() -> Iterator[str]:
    return (f"    Card C{i}\n        play\n            score += {i}\n" for i in count())


@shape(head=HEAD + CHOICE, tail=SEQUENCE)
def restricts() -> Iterator[str]:
    return (f"restrict work.c when score > {i}\n    require t.worth > 0 - {i}\n\n" for i in count())


@shape(head=HEAD + CHOICE, tail=SEQUENCE)
def extends() -> Iterator[str]:
    return (f'extend work.c\n    or alt{i} "Alternative {i}"\n        score += 1\n\n' for i in count())


@shape(head=HEAD + "\nsignal ping(t: Town)\n\n")
def answers_to_one_signal() -> Iterator[str]:
    return (f"when ping(t)\n    score += {i}\n\n" for i in count())


@shape(head=HEAD + "\nmap Net\n    link road\n")
def a_map() -> Iterator[str]:
    yield "    Town T0\n"
    for i in count(1):
        yield f"    Town T{i}\n    road T{i} - T{i - 1}\n"


@shape()
def options_that_adjust() -> Iterator[str]:
    yield "value base(n: int) -> int\n    n\n\n"
    for i in count():
        yield f'option o{i} "Option {i}"\n    adjust base(n) add 1 when n > {i} "layer {i}"\n\n'


@shape()
def options_in_a_row() -> Iterator[str]:
    """Each needs the one before it, so that the sets of options are long."""
    yield 'option o0 "Option 0"\n    state so0: int\n\n'
    for i in count(1):
        yield f'option o{i} "Option {i}", needs o{i - 1}, after o{i - 1}\n    state so{i}: int\n\n'


@shape()
def options_that_exclude() -> Iterator[str]:
    yield 'option o0 "Option 0"\n    state so0: int\n\n'
    for i in count(1):
        yield f'option o{i} "Option {i}", excludes o{i - 1}\n    state so{i}: int\n\n'


@shape(tail="procedure over()\n    end game, draw\n" + SEQUENCE.replace("work\n", "p0()\n"))
def procedures_that_end_the_game() -> Iterator[str]:
    return (f"procedure p{i}()\n    over()\n\nprocedure q{i}()\n    p{i}()\n    score += 1\n\n" for i in count())


@shape(tail=SEQUENCE.replace("work\n", "p0()\n") + "\nprocedure q()\n    end game, draw\n")
def procedures_that_end_one_by_one() -> Iterator[str]:
    """All of them end the game, since the first does; it is seen of one after the other."""
    yield "procedure p0()\n    end game, draw\n\n"
    for i in count(1):
        yield f"procedure p{i}()\n    p{i - 1}()\n\n"


@shape(head=HEAD + CHOICE, tail=SEQUENCE)
def restricts_of_added_ways() -> Iterator[str]:
    for i in count():
        yield (
            f'extend work.c\n    or choose alt{i}: t in Town "Way {i} to {{t}}"\n        score += 1\n\n'
            f"restrict work.alt{i}\n    require t.worth > 0 - {i}\n\n"
        )


@shape(head=HEAD + CHOICE, tail=SEQUENCE)
def exceptions() -> Iterator[str]:
    for i in count():
        yield (
            f'restrict work.c\n    require t.worth > 0 - {i} "reason {i}"\n\n'
            f'exception to work.c "reason {i}" when score > {i}\n\n'
        )


@shape()
def routes_in_routes() -> Iterator[str]:
    yield "map Net\n    link road\n    road Mill - Ford\n\nroute r0(a: Town) from a by road\n\n"
    for i in count(1):
        yield f"route r{i}(a: Town) from a by road\n    enter b\n        require b in r{i - 1}(a)\n\n"


@shape()
def values_that_are_adjusted() -> Iterator[str]:
    for i in count():
        yield f'value v{i}(n: int) -> int\n    n\n\nadjust v{i}(n) add 1 when n > {i} "layer {i}"\n\n'


@shape()
def whenevers_from_the_start() -> Iterator[str]:
    return (f"whenever score > 0 - {i + 1}\n    active = North\n\n" for i in count())


@shape(head=HEAD + '\nexample "Long"\n    given empty\n    play\n', tail=WORK + SEQUENCE)
def lines_of_play() -> Iterator[str]:
    return ("        North: look at Mill\n" for _ in count())


@shape(head=HEAD + '\nexample "Wide"\n    given empty\n', tail="    expect\n        score == 0\n" + WORK + SEQUENCE)
def lines_of_given() -> Iterator[str]:
    return ("        Mill: 1 Guard\n" if i else "        score 0\n" for i in count())


@shape(head=HEAD + '\nexample "Cases"\n    given empty\n', tail=WORK + SEQUENCE)
def cases() -> Iterator[str]:
    return (f'    case "number {i}": but score {i}\n        expect\n            score == {i}\n' for i in count())


@shape()
def examples_that_play() -> Iterator[str]:
    for i in count():
        yield (
            f'example "ex {i}"\n    given setup\n    play\n        North: look at Mill\n'
            "    expect\n        score == 1\n\n"
        )


@shape()
def examples() -> Iterator[str]:
    for i in count():
        yield f'example "ex {i}"\n    given\n        score: {i}\n    expect\n        score == {i}\n\n'


@shape()
def doc_texts() -> Iterator[str]:
    return (f'procedure p{i}()\n    "What it is about, number {i}."\n    score += 1\n\n' for i in count())


@shape()
def rulebook() -> Iterator[str]:
    return (f'rulebook "Book {i}"\n    §{i}.1 "Title {i}"\n\n' for i in count())


@shape()
def cites() -> Iterator[str]:
    return (f"procedure p{i}()  §{i}.1\n    score += 1  §{i}.2\n\n" for i in count())


# ------------------------------------------------------------------ long things


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def statements() -> Iterator[str]:
    return (f"    score += {i % 10}\n" for i in count())


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def lets() -> Iterator[str]:
    return (f"    let n{i} = score + {i}\n" for i in count())


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def ifs() -> Iterator[str]:
    return (f"    if score > {i}\n        score += 1\n    else\n        score += 2\n" for i in count())


@shape(head=HEAD + "\nphase work\n    if score > 0\n        score += 1\n", tail=SEQUENCE)
def else_ifs() -> Iterator[str]:
    return (f"    else if score > {i}\n        score += 1\n" for i in count())


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def choices() -> Iterator[str]:
    return (f'    may choose c{i}: t in Town "Take {{t}}"\n        score += 1\n' for i in count())


@shape(head=HEAD + '\nphase work\n    choose c: t in Town "Take {t}"\n        score += 1\n', tail=SEQUENCE)
def alternatives() -> Iterator[str]:
    return (f'    or alt{i} "Alternative {i}"\n        score += 1\n' for i in count())


@shape(head=HEAD + '\nphase work\n    choose c: t in Town "Take {t}"\n', tail=SEQUENCE)
def requirements() -> Iterator[str]:
    return (f'        require t.worth > 0 - {i} "reason {i}"\n' for i in count())


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def choices_for_each() -> Iterator[str]:
    for i in count():
        yield f'    choose c{i}: each u in Mill.tiles to t in Town as plan{i} "{{u}} to {{t}}"\n        move u to t\n'


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def selections() -> Iterator[str]:
    for i in count():
        yield (
            f'    choose any number from active.box as sel{i} "Take {{sel{i}}}"\n        require count(sel{i}) > 1\n'
            f"        for u in sel{i}\n            move u to Mill\n"
        )


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def togethers() -> Iterator[str]:
    for i in count():
        yield (
            f'    together\n        North: choose a{i}: n in 1..3 "Lead {{n}}"\n            score += n\n'
            f'        South: choose b{i}: n in 1..3 "Follow {{n}}"\n            score += n\n'
        )


@shape()
def asides() -> Iterator[str]:
    for i in count():
        yield (
            f'aside a{i}: t in Town "Do {i} in {{t}}" by active during work\n'
            f"    require t.worth > {i}\n    score += 1\n\n"
        )


@shape()
def claims_that_take_long() -> Iterator[str]:
    for i in count():
        yield f'check "long {i}"\n    sum(a * b for a in 1..1500, b in 1..1500) > {i}\n\n'


@shape()
def examples_like_each_other() -> Iterator[str]:
    yield 'example "e0"\n    given empty\n    expect\n        score == 0\n\n'
    for i in count(1):
        yield f'example "e{i}"\n    given like "e{i - 1}" but score {i}\n    expect\n        score == {i}\n\n'


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def calls_of_one() -> Iterator[str]:
    return (f'    tell "Now {{score}} and {{active}} in line {i}"\n' for i in count())


@shape(head=HEAD + "\nphase work\n    score = 1", tail="\n" + SEQUENCE)
def a_sum() -> Iterator[str]:
    return (" + 1" for _ in count())


@shape(head=HEAD + "\nphase work\n    if score == 0", tail="\n        score += 1\n" + SEQUENCE)
def an_or() -> Iterator[str]:
    return (f" or score == {i}" for i in count())


@shape(head=HEAD + "state dice: list of int\n\nphase work\n    dice = [1", tail="]\n" + SEQUENCE)
def a_list() -> Iterator[str]:
    return (f", {i % 7}" for i in count())


@shape(head=HEAD + '\nphase work\n    tell "', tail='"\n' + SEQUENCE)
def a_text() -> Iterator[str]:
    return ("words and more of them " for _ in count())


@shape(head=HEAD + '\nphase work\n    tell "', tail='"\n' + SEQUENCE)
def a_template() -> Iterator[str]:
    return ("{score} and " for _ in count())


@shape(head=HEAD + "\nphase work\n    score = ", tail="1\n" + SEQUENCE)
def brackets() -> Iterator[str]:
    return ("(" for _ in count())


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def nested_blocks() -> Iterator[str]:
    while True:
        for depth in range(15):
            yield "    " * (depth + 1) + f"if score > {depth}\n"
        yield "    " * 16 + "score += 1\n"


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def long_lines() -> Iterator[str]:
    return (
        "    score = " + " + ".join(f"(score * {i} + count(Town[worth > {i}]))" for i in range(60)) + "\n"
        for _ in count()
    )


@shape(head=HEAD + "\n# ")
def a_comment() -> Iterator[str]:
    return ("words " for _ in count())


@shape()
def comments() -> Iterator[str]:
    return ("# words\n" for _ in count())


@shape()
def empty_lines() -> Iterator[str]:
    return ("\n" for _ in count())


@shape(head=HEAD + "\nfunction f(", tail=") -> int\n    1\n" + WORK + SEQUENCE)
def parameters() -> Iterator[str]:
    yield "a: int"
    for i in count():
        yield f", a{i}: int"


@shape(head=HEAD + "\nphase work\n    score = max(1", tail=")\n" + SEQUENCE)
def arguments() -> Iterator[str]:
    return (f", {i}" for i in count())


# ------------------------------------------------------------------ mistakes


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def misspelt() -> Iterator[str]:
    return (f"    scrore{i} += 1\n" for i in count())


@shape()
def misspelt_among_many() -> Iterator[str]:
    return (f"state number_{i}: int\n\nprocedure p{i}()\n    numbr_{i} += 1\n\n" for i in count())


@shape()
def wrong_types() -> Iterator[str]:
    return (f"procedure p{i}()\n    score = Mill\n    active = {i}\n\n" for i in count())


@shape()
def twice_the_same() -> Iterator[str]:
    return ("state twice: int\n" for _ in count())


@shape()
def nonsense_lines() -> Iterator[str]:
    return (f"this is {i} no rule\n" for i in count())


@shape(head=HEAD + "\nphase work\n", tail=SEQUENCE)
def nonsense_statements() -> Iterator[str]:
    return (f"    do something {i} here )\n" for i in count())


@shape()
def strange_letters() -> Iterator[str]:
    return ("$ % ^ ~ ` \\ ?\n" for _ in count())


@shape()
def open_brackets() -> Iterator[str]:
    return (f"function f{i}(n: int -> int\n    (n + 1\n\n" for i in count())


@shape()
def bad_indentation() -> Iterator[str]:
    return (f"procedure p{i}()\n   score += 1\n     score += 2\n  score += 3\n" for i in count())


@shape()
def tables_without_bars() -> Iterator[str]:
    return (f"table t{i}(n: int) -> int\n    1..3: 1\n    4..6: 2\n    otherwise: 3\n\n" for i in count())


@shape(head=HEAD + "\ntable t(n: int) -> int\n")
def rows_without_bars() -> Iterator[str]:
    return (f"    {i}: {i % 7}\n" for i in count())


@shape()
def mistakes_of_all_sorts() -> Iterator[str]:
    for i in count():
        yield f"state number_{i}: int\n\nprocedure p{i}()\n    numbr_{i} += 1\n    score = Mill\n\n"
        yield f"procedure q{i}(\n    score += 1\n\nfunction f{i}(n: int) -> int\n    n +\n\n"


@shape()
def open_texts() -> Iterator[str]:
    return (f'procedure p{i}()\n    tell "never closed\n\n' for i in count())


@shape()
def no_such_kinds() -> Iterator[str]:
    return (f"state s{i}: Kindd{i}\n" for i in count())
