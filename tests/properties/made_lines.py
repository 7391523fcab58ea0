"""Lines that somebody might write at a decision, or might not: made of the texts and keys of legal options, cut,
doubled, mixed, with words of others, in another order. Whatever a line is, `why_not` calls it allowed if, and only if,
`choose` takes it."""

from __future__ import annotations

from random import Random

from rulescript import BadChoice
from rulescript.runtime.position import Decision, Position

SMALL = ("to", "from", "and", ",", "2", "with", "in", "not", "1", "the")


def made_line(position: Position, random: Random) -> str:
    """A line that somebody might write at a decision, or might not."""
    decision = position.decision
    assert isinstance(decision, Decision)
    options = decision.options
    one, two = (random.choice(options) for _ in range(2))
    first, second = one.text.split(), two.text.split()
    player = random.choice(position.game.player_names).replace("_", " ")
    at = random.randrange(len(first) + 1)
    match random.randrange(12):
        case 0:
            return " ".join(first[:at])
        case 1:
            return " ".join(first[at:])
        case 2:
            return " ".join([*first, *first])
        case 3:
            return " ".join([*first[:at], *second[random.randrange(len(second) + 1) :]])
        case 4:
            return f"{one.text}, {two.text}"
        case 5:
            return " ".join([*first, random.choice(SMALL), *second[-2:]])
        case 6:
            return " ".join(random.sample(first, len(first)))
        case 7:
            return " ".join([*first[:at], random.choice(SMALL), *first[at:]])
        case 8:
            return f"{random.choice([one.key, one.label])} {random.choice(['', two.key, second[-1]])}"
        case 9:
            return f"{player}: {random.choice([one.text, ' '.join(first[at:])])}"
        case 10:
            return " ".join([*first[:at], *first[at + 1 :]])
    return f"{one.key.partition('=')[0]}={two.key.partition('=')[2] or two.label}"


def is_taken(position: Position, line: str) -> bool:
    try:
        position.clone().choose(line)
    except BadChoice:
        return False
    return True


def told_otherwise(position: Position, random: Random, lines: int) -> list[str]:
    """The lines of which `why_not` says something else than `choose` does."""
    wrong = []
    for _ in range(lines):
        line = made_line(position, random)
        asked = position.why_not(line)
        if asked.allowed != is_taken(position, line):
            wrong.append(f"{line!r}: {asked}")
    return wrong
