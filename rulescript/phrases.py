"""Small words of English: plurals, lists, articles, citations. They know nothing of games; every room may use them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

__all__ = [
    "article", "capital", "cite_text", "counted", "is_plural", "kind_noun", "listed", "number_word", "plural",
    "readable", "with_the",
]  # fmt: skip

_IRREGULAR = {
    "army": "armies",
    "man": "men",
    "men": "men",
    "die": "dice",
    "dice": "dice",
    "infantry": "infantry",
    "cavalry": "cavalry",
    "artillery": "artillery",
    "foot": "foot",
    "horse": "horse",
    "aircraft": "aircraft",
}


_SMALL = re.findall(r"\w+", "no one two three four five six seven eight nine ten eleven twelve")


@lru_cache(maxsize=4096, typed=True)  # the same names are asked for again and again; markup stays apart from text
def readable(name: str) -> str:
    """A name of the rules as words: `supply_line` and `SupplyLine` are both "supply line"."""
    # What stands after `@` tells the versions of a rule apart that was written as one (analysis/eithers.py).
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name.partition("@")[0].replace("_", " "))
    # A letter that names a sort of something: `U_Boat` is a U-boat.
    return re.sub(r"\b(?![AIO])([A-Z]) (?=[A-Z][a-z]{2})", r"\1-", apart).strip()


@lru_cache(maxsize=4096, typed=True)
def plural(noun: str) -> str:
    """The plural of the last word of a noun."""
    head, _, last = noun.rpartition(" ")
    lower = last.lower()
    if lower in _IRREGULAR:
        made = _IRREGULAR[lower]
    elif re.search(r"(?:[bcdfgklmnprt]s|works|truppen)$", lower):
        made = last
    elif re.search(r"[^aeiou]y$", lower):
        made = last[:-1] + "ies"
    elif re.search(r"(s|x|z|ch|sh)$", lower):
        made = last + "es"
    else:
        made = last + "s"
    return f"{head} {made}" if head else made


_LETTERS_ALONE = re.compile(r"[b-df-hj-np-tv-xz]{2,3}\b(?!')")


def capital(text: str) -> str:
    """With a capital; what is only letters, and no word, has several: ``VP``."""
    if found := _LETTERS_ALONE.match(text):
        return found[0].upper() + text[found.end() :]
    return text[:1].upper() + text[1:]


def is_plural(name: str) -> bool:
    """Whether a name is that of several, as far as its last letter tells: "the Northern Powers" win."""
    return (name.endswith("s") and not name.endswith(("ss", "us", "is"))) or name.endswith(("dice", " men"))


def counted(number: int, name: str) -> str:
    """So many of what has a name: ``3 Northern tanks``, ``2 Northern foot (spent)``. What is called by a plural
    already (guns), by a number or by letters alone stays as it is."""
    if number == 1:
        return f"1 {name}"
    head, bracket, notes = name.partition(" (")
    last = head.rpartition(" ")[2]
    if last.replace("-", "").isalpha() and not last.isupper() and not (last.endswith("s") and not last.endswith("ss")):
        head = plural(head)
    return f"{number} {head}{bracket}{notes}"


# Names that begin with an article where they stand in a sentence, by their last or first word.
_LAST = (
    "Alliance|Allies|Axis|Box|box|Coalition|Commonwealth|Confederacy|Confederation|Desert|Emirate|Empire|Entente|"
    "Federation|Forces|Gulf|Islands|Isles|Kingdom|League|Marsh|Marshes|Mountains|Ocean|Pact|Powers|Republic|River|Sea|"
    "States|Steppe|Straits?|Union"
)
_FIRST = "Bay|Confederation|Duchy|Empire|Gulf|Kingdom|Principality|Republic|Straits?|Union"
_TAKES_THE = re.compile(rf"(?=[A-Z])(?!The |.*, )(?:(?:.+[ -/])?(?:{_LAST})|(?:{_FIRST}) of .+)")


@lru_cache(maxsize=4096, typed=True)
def with_the(name: str) -> str:
    """A name as it stands in a sentence: "the Northern Powers", "the Kingdom of Ruritania", but "Ruritania"."""
    return f"the {name}" if _TAKES_THE.fullmatch(name) else name


def cite_text(cites: Sequence[str]) -> str:
    """Citations as they are printed: ``§4.6.2, §7``."""
    return ", ".join(f"§{c}" for c in cites)


def listed(items: Sequence[str], word: str = "and") -> str:
    """``a, b and c``"""
    if len(items) <= 1:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def number_word(value: int) -> str:
    return _SMALL[value] if 0 <= value < len(_SMALL) else str(value)


def kind_noun(kind: str) -> str:
    return re.sub(r"^[a-z](?=-)", lambda found: found[0].upper(), readable(kind).lower())


# Vowels that are not spoken as one, and an h that is not spoken at all.
_LIKE_YOU = re.compile(r"(?i)(?:uni(?!n|m)|us[ae]|u-|ut[ei]|eu|one\b|once\b)")
_SILENT = re.compile(r"(?i)(?:hour|honest|honou?r|heir)")


def article(noun: str) -> str:
    """The noun with "a" or "an" before it, as it is spoken: a unit, an hour."""
    is_vowel = noun[:1].lower() in "aeiou" and not _LIKE_YOU.match(noun)
    return f"an {noun}" if is_vowel or _SILENT.match(noun) else f"a {noun}"
