"""How a sentence reads: what in it only a machine would write, and how much of that there is.

    >>> [fault.name for fault in faults_of("There are units whose side is the side.")]
    ['whose ... is the ...', 'side, side']

In comes one sentence made of rules; out come its faults, each with a weight. Texts in quotation marks are an author's
own and are not looked at. The measure is rough: it finds the families that a reader stumbles over, so that a designer
sees where a phrase of his own would help most, and so that a test can hold their number down.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from attrs import frozen

__all__ = ["BAD", "Fault", "faults_of", "score_of"]

# A sentence with so much against it reads badly.
BAD = 3
# So many words are read in one breath.
MOST_WORDS = 30
_QUOTED = re.compile(r"“[^”]{4,}”")
# Names in a list are what they are: "Spring 1915, Spring 1916 and Spring 1917".
_NAMES = re.compile(
    r"(?:[A-Z][\w-]*(?: [A-Z\d][\w-]*)*, )+[A-Z][\w-]*(?: [A-Z\d][\w-]*)* (?:and|or) [A-Z][\w-]*(?: [A-Z\d][\w-]*)*"
)
_WORD = re.compile(r"[^\W\d_][\w'-]*")
# Words that come again and again in any English.
_SMALL = frozenset(
    """
    a all an and are as at be been but by can cannot do does each either every exactly fewer for from has have if in
    into is it its least less many may more most must no none not number of on one only or other otherwise out over own
    so some than that the their them then there this to two under was were which while whose with you your between
    """.split()  # noqa: SIM905 - a list of words is read as words
)


@frozen
class Fault:
    """Something that only a machine would write."""

    name: str
    weight: float


_FAMILIES: tuple[tuple[str, float, re.Pattern[str]], ...] = tuple(
    (name, weight, re.compile(pattern))
    for name, weight, pattern in (
        ("X's Y's Z", 2, r"\w's? \w+(?: \w+)?(?:'s|s') \w"),
        ("whose ... is the ...", 1.5, r"\bwhose [\w' ]+? (?:is|are)(?: not)? (?:the|its|that)\b"),
        ("whose X's Y", 1.5, r"\bwhose \w+(?: \w+)?'s "),
        ("holds for", 2.5, r"” (?:holds|does not hold)\b|\bholds for\b"),
        ("a name in quotes", 2, r"“[^”]{1,3}”|” (?:applies|does not apply)"),
        ("yes or no", 2, r"\byes if\b|\botherwise no\b|: (?:yes|no)\b(?! or)|\b(?:and|is) (?:yes|no)\b(?! \w)"),
        (
            "the set of ... for each", 2,
            r"\bthe (?:set|list) of\b|\b(?:of|over) (?:it\b|that\b(?! [a-z]))|\w for each \w",
        ),
        ("for which", 1.5, r"\bfor which\b"),
        ("something, nothing", 1.5, r"\b(?:is|are|becomes?) (?:something|nothing|none)\b|\bhas members\b"),
        ("table's entry", 2, r"\btable's entry\b"),
        ("(with ...)", 2, r"\(with "),
        ("a letter for a name", 1, r"\b(?!(?:a|an|the|of|to|by|in|on|or|and|is) )[a-z]+ [b-hj-z]\b(?!['’-])"),
        ("a name as it is written", 3, r"\w_\w|\w@\w|\b[a-z]+\.[a-z]+\b"),
        ("it is not so that", 1.5, r"\bit is (?:not|always|never) so\b"),
        ("the the", 3, r"\b(?:the|an?) (?:them|ours|it|its|their|you|your|in|on|at|to|with|among|whose)\b|\bthe the\b"),
        (
            "1 points", 3,
            r"(?<![\d.,–-])\b1 (?!minus|plus|is|was|has|less|times|this|lies|gives|counts|does)[a-z]{2,}s\b",
        ),
        ("gets minus", 3, r"\b(?:gets?|gains?|pays?) minus\b|\b0 minus\b"),
        ("is yes", 3, r"\b(?:is|are|says?) (?:yes|no)\b(?! \w)"),
        (
            "the passes are at least 2", 3,
            r"\bthe [a-z]+[^su\W]s are (?:at least |at most |(?:more|fewer|less) than )?\d",
        ),
        ("a word twice", 3, r"\b([A-Za-z]{2,}) \1\b"),
        ("s's", 3, r"s's\b"),
        ("no its", 3, r"\b(?:no|every|some|any) (?:its|your|their|the)\b"),
        ("the have", 3, r"\bthe (?:have|has|are|is|can|may|must|was|were)\b(?! been)"),
        ("is nobody", 3, r"\bis (?:not )?nobody\b"),
        ("code in brackets", 1, r"\[(?:the|a|an|its|whether)\b"),
        ("either ... either", 1.5, r"\beither\b.*\beither\b|\bone of these\b.*\b(?:either|one of these)\b"),
        ("for no ...", 1, r"\b[Ff]or (?:no|at least one) "),
        ("values in brackets", 1.5, r"^[^.:]+ \((?:[^()]*, ){2,}[^()]*\)"),
        ("number of numbers", 1.5, r"\bnumber of numbers\b|\bthe value of\b"),
        ("the X of the Y of the Z", 1, r"\bof the [\w' ]+? of the [\w' ]+? of\b"),
    )
)  # fmt: skip


def faults_of(text: str) -> list[Fault]:
    """What is wrong with a sentence."""
    found: list[Fault] = []
    plain = _QUOTED.sub("“”", text)
    for name, weight, pattern in _FAMILIES:
        number = len(pattern.findall(text if "“" in pattern.pattern else plain))
        if number:
            found.append(Fault(name, weight * min(number, 3)))
    words = _WORD.findall(_NAMES.sub("Names", plain))
    if len(words) > MOST_WORDS:
        found.append(Fault("long", (len(words) - MOST_WORDS) / 10 + 1))
    found += _repeated(words)
    brackets = plain.count("(")
    if brackets > 1:
        found.append(Fault("brackets", brackets - 1))
    return found


def _repeated(words: Iterable[str]) -> list[Fault]:
    """Nouns that come three times in a sentence, or twice close together: "whose side is the side"."""
    plain = [re.sub(r"'s?$", "", word.lower()) for word in words]
    nouns = [word for word in plain if word not in _SMALL and len(word) > 2]
    often = [(word, number) for word, number in Counter(nouns).items() if number > 3]
    found = [Fault(f"{word} {number} times", (number - 3) * 0.75) for word, number in often]
    for at, word in enumerate(plain):
        near = plain[at + 1 : at + 4]
        if word in near and word not in _SMALL and len(word) > 2 and "and" not in near and "or" not in near:
            found.append(Fault(f"{word}, {word}", 1.5))
            break
    return found


def score_of(text: str) -> float:
    """How badly a sentence reads; 0 is well."""
    return sum(fault.weight for fault in faults_of(text))
