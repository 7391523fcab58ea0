"""What names of the rules say, as strings: facts told of a subject, denied, told of "you"; sentences joined.

    >>> told("moved", holds=False)
    'has not moved'
    >>> agreed("you has passed and you holds Mill")
    'you have passed and you hold Mill'

Nothing here knows the model. `english.py` puts expressions together out of these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulescript.phrases import article, listed, plural

__all__ = [
    "ADVERBS", "BELONGS", "GROUNDS", "HOLDS", "OPERATORS", "OPPOSITE", "ORDER", "SMALL_WORDS", "SORTS", "SWAPPED",
    "TELLING", "WHICH", "WHICHEVER",
    "a_sort", "agreed", "all_of", "before_others", "by_itself", "denied", "either_of", "is_act", "is_quality",
    "is_said", "one_of", "told",
]  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


# Words for things that happen to a piece or place, told with "has": "the unit has moved".
_DEEDS = _words(
    """
    acted activated advanced arrived attacked begun bombarded bought built declared discarded drawn entered
    fallen fired flown fought landed left moved passed paid played retreated rolled sailed scored struck
    surrendered voted withdrawn won
    """
)
# Nouns among yes/no facts, told with an article: "the town is a port".
GROUNDS = _words(
    """
    airfield altar army base beach beachhead bridge bridgehead camp canal capital card castle cave city coast
    commander crossroads depot desert district elite farm fleet ford forest fort fortress garrison gate general
    harbour headquarters hero hill island junction jungle king knight lake leader marsh mill mine monastery
    mountain oasis objective outpost palace pass pirate plain port prison queen river road ruin sea source spy
    square stronghold survivor swamp tank town traitor trap trench veteran village wood
    """
)
# States of the game itself that say which thing of a kind: "the active side".
WHICH = _words(
    """
    active attacking current defending first last leading losing next other starting winning
    """
)
# Words that tell which of them is meant, and are no names of things: "the chosen town", "the paying nation".
WHICHEVER = re.compile(r"\w+ed|\w{3,}(?<!th)(?<!r)ing|chosen|dug|drawn|given|held|known|lost|spent|taken|thrown|won")
SMALL_WORDS = _words("of in at for from to by on with against around near under than as into")
# Facts that say to whom something belongs: "the units of the active side", not "whose side is the active side".
BELONGS = _words("side nation country power team faction player alliance owner")
# Facts that say what something is: "the unit is infantry", not "the unit's arm is infantry".
SORTS = _words("arm type sort class kind category")
# Names of sets that stand behind what they are about: "the areas near", not "the near areas".
ADVERBS = _words("here there near around within at beyond along inside outside on in to of behind over")
# What a place or piece carries when a yes/no fact is named for it: "the town has a siege marker".
_CARRIED = _words("marker token counter flag chit garrison depot trench fort bonus airplane airplanes")
# What stands in a place: "the town has a wall".
_BUILT = _words("church dock market shipyard shrine stable temple tower wall warehouse workshop yard")
# What a place has for somebody: "the town has room for North".
_HAD = _words("access contact cover room sight space supply support")
# Verbs a yes/no fact may begin with: "the nation starts neutral".
_ACTS = _words(
    """
    allows attacks begins belongs besieges blocks breaks brings builds buys carries comes controls costs counts
    covers doubles draws drives ends enters faces falls fights fits flees flies follows gives goes grants guards
    hides hits holds ignores joins keeps knows leads lies lives loses matches meets moves needs owes owns pays
    plays prepares protects ranges reaches reacts reinforces relies rests scores sees sells serves shows spends
    stands starts stays stops supplies supports sustains takes threatens touches trusts uses wants wins works
    """
)
# Words before such a verb: "the fort still stands".
_WHILE = _words("still already also only now")
_VERBS = {
    "is": "is not",
    "has": "does not have",
    "can": "cannot",
    "may": "may not",
    "must": "need not",
    "was": "was not",
    "had": "did not have",
}
OPERATORS = {
    "==": "is", "!=": "is not", "<": "is less than", "<=": "is at most",
    ">": "is more than", ">=": "is at least",
}  # fmt: skip
ORDER = {"<": "comes before", "<=": "does not come after", ">": "comes after", ">=": "does not come before"}
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
SWAPPED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
# Places named for the state of what lies in them: `destroyed`, `in_play`.
TELLING = re.compile(
    r"(?P<after>(?:in|on|out of|under|at)(?: the)? \w+|set aside|to come)|"
    r"\w+(?:ed|ken|wn)|bought|lost|spent|sunk|dead|built"
)
# Who has something, in the words of the name it goes by.
HOLDS = {"control": "controls", "controller": "controls", "owner": "owns", "holder": "holds", "held": "holds"}
_PREPOSITIONS = _words("in on at by under out off over near within without behind beyond")
_PARTICIPLE = re.compile(
    r"(?:\w+(?:ed|ible|able|ing)|held|dug|built|firm|beaten|spent|"
    r"\w*(?:wn|ken|ught|won|lost|left|open|closed|free|over|done|hard|ready))"
)
# Other words for how something is, and what stands behind some of them.
_QUALITY = re.compile(
    r"(?!(?:gu|unr|conqu|harv|inter|prot|requ|w)est)\w{3,}est|"
    r"\w{2,}(?:ous|ful|less|ile|ible|able|acent|ifferent|icient|bsent|resent|ive|ical|ular)|"
    r"active|alive|alone|best|big|broken|"
    r"clear|cut off|dead|deep|empty|enemy|equal|fair|far|firm|fit|foreign|fresh|friendly|full|good|great|happy|hard|"
    r"healthy|heavy|hidden|high|hungry|ill|idle|known|large|late|legal|light|local|loyal|mobile|native|near|neutral|"
    r"next|old|poor|present|public|quick|ready|regular|rich|right|royal|safe|secret|secure|shut|sick|slow|small|strong|"
    r"subject|sure|thick|thin|tired|useful|valid|visible|vulnerable|warm|weak|wet|wide|worst|young"
)
_TO_WHOM = re.compile(r"adjacent|allied|close|closed|equal|friendly|hostile|known|loyal|near|next|open|subject|visible")
_DONE = re.compile(r"(?:\w+(?:ed|en|wn|ght)|had|won|lost|left|held|spent|been|done|paid|struck|met)\b")
# A noun that no article goes before.
_MASS = re.compile(r"infantry|cavalry|artillery|armou?r|foot|horse|\w+[^s]s", re.IGNORECASE)


def _base(verb: str) -> str:
    """The plain form of a verb: "touches" -> "touch"."""
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if re.search(r"(?:ch|sh|ss|x|o)es$", verb) else verb[:-1]


def is_act(word: str) -> bool:
    """Whether a name begins with what somebody does: "touches"."""
    return word in _ACTS


def is_quality(word: str) -> bool:
    """Whether a word says how something is: "hostile", "adjacent", "closed"."""
    return word not in GROUNDS and bool(_QUALITY.fullmatch(word) or _PARTICIPLE.fullmatch(word))


def is_said(words: str) -> bool:
    """Whether the name of a yes/no rule can be told of its first value: "can move", "contested"."""
    first, _, rest = words.partition(" ")
    if rest:
        if first in _WHILE and is_act(rest.partition(" ")[0]):
            return True
        return first in _VERBS or first in _PREPOSITIONS or first in _ACTS or words.rpartition(" ")[2] in SMALL_WORDS
    return first in _DEEDS or first in _ACTS or first in GROUNDS or first in _HAD | _BUILT or is_quality(first)


def told(words: str, holds: bool, many: bool = False) -> str:
    """A yes/no fact after its subject: "has not moved", "is a port"."""
    first, _, rest = words.partition(" ")
    be, have = ("are", "have") if many else ("is", "has")
    if first in _VERBS and rest:
        verb = {"is": be, "has": have}.get(first, first)
        if first == "has" and not _DONE.match(rest) and not re.match(r"(?:a|an|the|no|its|\w+s)\b", rest):
            return f"{have} {article(rest)}" if holds else f"{have} no {rest}"
        if holds:
            return f"{verb} {rest}"
        is_done = first == "has" and _DONE.match(rest)
        nay = {"is": f"{be} not", "has": f"{have} not" if is_done else f"{have} no"}.get(first, _VERBS[first])
        return f"{nay} {rest}"
    if first in _DEEDS and rest.startswith("by "):
        was = "were" if many else "was"
        return f"{was} {words}" if holds else f"{was} not {words}"
    if first in _DEEDS:
        return f"{have} {words}" if holds else f"{have} not {words}"
    if first in _WHILE and is_act(rest.partition(" ")[0]):
        if holds or first == "still":
            return f"{first if holds else 'no longer'} {told(rest, True, many)}"
        return f"{'do' if many else 'does'} not {first} {told(rest, True, True)}"
    if first in _ACTS:
        if holds:
            return f"{_base(first) if many else first} {rest}".rstrip()
        return f"{'do' if many else 'does'} not {_base(first)} {rest}".rstrip()
    if rest and words.rpartition(" ")[2] in _CARRIED:
        return f"{have} {article(words)}" if holds else f"{have} no {words}"
    if words in _BUILT:
        return f"{have} {article(words)}" if holds else f"{have} no {words}"
    if words in _HAD:
        return f"{have} {words}" if holds else f"{have} no {words}"
    if words in GROUNDS:
        words = plural(words) if many else article(words)
    return f"{be} {words}" if holds else f"{be} not {words}"


def before_others(words: str) -> str:
    """The small word between a fact and somebody else whom it is about: "hostile to North", "present for North"."""
    return "to" if _TO_WHOM.fullmatch(words) else "for"


def by_itself(words: str, holds: bool) -> str:
    """A yes/no fact of the game, which has no subject: "north has passed", "it is by sea"."""
    found = re.match(r"(\w+(?: \w+)?) (is|has|can|may|was|had|are|have|were) (\w.*)$", words)
    if found:  # `north_has_passed` is a sentence already
        who, verb, rest = found.groups()
        if holds:
            return f"{who} {verb} {rest}"
        done = verb in ("has", "have", "had") and rest.partition(" ")[0].endswith(("ed", "en", "wn"))
        return f"{who} {verb} not {rest}" if done or verb not in _VERBS else f"{who} {_VERBS[verb]} {rest}"
    first, _, rest = words.partition(" ")
    if first in _PREPOSITIONS or (is_quality(first) and (not rest or rest in _PREPOSITIONS)):
        return f"it is {'' if holds else 'not '}{words}"
    head, _, last = words.rpartition(" ")
    if head and _PARTICIPLE.fullmatch(last):
        be = "are" if re.search(r"[^su]s$", head) else "is"
        return f"the {head} {be} {'' if holds else 'not '}{last}"
    return f"“{words}” {'applies' if holds else 'does not apply'}"


_AUXILIARY = re.compile(r"\b(is|are|was|were|has|have|can|may|must|will)\b(?! not\b)(?: (\w+))?")


def denied(text: str) -> str:
    """The opposite of an author's words, where a small verb shows how: "{u} is supplied" -> "{u} is not supplied".
    "" where it does not."""
    found = _AUXILIARY.search(text)
    if found is None:
        return ""
    verb, after = found[1], found[2] or ""
    if after in ("no", "at", "exactly"):
        return ""
    plain = {"can": "cannot", "must": "need not"}.get(verb, f"{verb} not")
    if verb in ("has", "have") and not _DONE.match(after):
        if after in ("a", "an", "any"):
            return f"{text[: found.start()]}{verb} no{text[found.end() :]}"
        plain = "does not have" if verb == "has" else "do not have"
    return f"{text[: found.start()]}{plain}{text[found.start() + len(verb) :]}"


_YOU = re.compile(r"\b([Yy]ou) (is|has|does|was|[a-z]+s)\b(?! you\b)")
# Somebody who is several, where nothing before it makes another the subject: not "the units of the Northern Powers".
_BEFORE_OTHERS = ("of", "by", "in", "to", "for", "from", "with", "and", "against", "on", "at")
_PARTIES = re.compile(
    "".join(rf"(?<!\b{word} )" for word in _BEFORE_OTHERS)
    + r"\b([Tt]he (?:[A-Z][\w-]* )*(?:Allies|Forces|Powers)) (is|has|does|was|[a-z]+s)\b"
)
_NO_VERBS = _words(
    "always thus plus minus across as less this its besides sometimes perhaps otherwise yes pass miss cross press"
)


def agreed(text: str) -> str:
    """Verbs as one says them to somebody, and of several: "you has" -> "you have", "the Northern Powers have"."""
    if "ou " not in text and "Powers " not in text and "Allies " not in text and "Forces " not in text:
        return text

    def verb(found: re.Match[str]) -> str:
        word = found[2]
        if word in _NO_VERBS:
            return found[0]
        return f"{found[1]} {({'is': 'are', 'has': 'have', 'does': 'do', 'was': 'were'}).get(word) or _base(word)}"

    return _PARTIES.sub(verb, _YOU.sub(verb, text))


_SUBJECT = re.compile(
    r"(?!there |if |either |one of |it is |nobody |somebody |no |every |at least |“)"
    r"([^,(]+?) (?=(?:is|are|has|have|can|cannot|may|must|need not|belongs|belong|does not|do not|was|were)\b)"
)


# What is said of something with a name.
_SAID_OF_ONE = re.compile(
    r"((?:the )?[A-Z][\w-]*(?: [A-Z][\w-]*)*) (is|has|does|can|may|was) (?!an? )((?:(?!\bits?\b|“).)+)"
)
_OF_MANY = {"is": "are", "has": "have", "does": "do", "can": "can", "may": "may", "was": "were"}
# One thing, and nothing else that a word behind it could be about.
_ALONE = re.compile(r"the(?: (?!(?:of|in|at|for|to|by|on|from|with)\b)\w+){1,3}")
_ITS = re.compile(r"\bits?\b")


def all_of(sentences: Sequence[str]) -> str:
    """Several sentences as one. What is said of one subject again is said without it: "the unit is infantry and has
    not moved"."""
    groups: list[list[str]] = []
    subject = told_of = ""
    is_free = not any(_ITS.search(said) for said in sentences)
    for said in sentences:
        found = _SUBJECT.match(said)
        if found and found[1] == subject:
            groups[-1].append(said[found.end() :])
            told_of += groups[-1][-1]
            continue
        # "the unit is infantry and its town is Mill": nothing else could be meant.
        own = f"{subject}'s "
        is_own = is_free and said.startswith(own) and _ALONE.fullmatch(subject) and " the " not in f" {told_of}"
        groups.append([f"its {said[len(own) :]}" if is_own else said])
        subject = found[1] if found else ""
        told_of = said[found.end() :] if found else ""
    groups = _merged(groups)
    out = [part for group in groups for part in group]
    if len(groups) == 1 or all(len(group) == 1 for group in groups):
        return _joined(out)
    # What is said of one is put together first: "the unit is infantry and has not moved, and nobody is in Mill".
    return ", and ".join(map(_joined, groups))


def _merged(groups: Sequence[list[str]]) -> list[list[str]]:
    """Sentences in a row that say the same of several: "Mill, Ford and Weir are held by North"."""
    out: list[list[str]] = []
    subjects: list[str] = []
    for group in groups:
        found = _SAID_OF_ONE.fullmatch(group[0]) if len(group) == 1 else None
        if found and subjects and out[-1][0].endswith(f" {_OF_MANY[found[2]]} {found[3]}"):
            subjects.append(found[1])
            out[-1] = [f"{listed(subjects)} {_OF_MANY[found[2]]} {found[3]}"]
            continue
        before = _SAID_OF_ONE.fullmatch(out[-1][0]) if found and out and len(out[-1]) == 1 else None
        if found and before and before.groups()[1:] == found.groups()[1:] and before[1] != found[1]:
            subjects = [before[1], found[1]]
            out[-1] = [f"{listed(subjects)} {_OF_MANY[found[2]]} {found[3]}"]
            continue
        subjects = []
        out.append(group)
    return out


def _joined(parts: Sequence[str]) -> str:
    """Several that are all so. One that is a list itself is set off by a comma: "A, B, and either C or D"."""
    is_choice = any(re.search(r"\beither\b|^one of these: |^\(if ", part) for part in parts)
    is_plain = not is_choice and not any("," in part or " and " in part or " or " in part for part in parts)
    if is_plain or len(parts) < 2:
        return listed(parts)
    if len(parts) == 2 and not is_choice:
        return " and ".join(parts)
    last = parts[-1]
    if last.startswith("(if ") and last.count("(") == 1:
        last = last[1:-1]  # nothing comes behind it
    return f"{', '.join(parts[:-1])}, and {last}"


def one_of(sentences: Sequence[str]) -> str:
    """One of several sentences: "either North has passed or South holds Mill"."""
    if len(sentences) < 2:
        return "".join(sentences)
    if len(sentences) == 2:
        return either_of(*sentences)
    found = [_SUBJECT.match(said) for said in sentences]
    first = found[0]
    is_plain = not any(re.search(r"[,;(]| and | or ", said) for said in sentences)
    if is_plain and first and not _ITS.match(sentences[0]) and all(again and again[1] == first[1] for again in found):
        rest = [said[again.end() :] for said, again in zip(sentences, found, strict=True) if again]
        return f"{first[1]} either {listed(rest, 'or')}"
    if is_plain and all(len(said) < 50 for said in sentences):
        return "either " + listed(sentences, "or")
    return "one of these: " + "; or ".join(said[1:-1] if said.startswith("(") else said for said in sentences)


def either_of(one: str, other: str) -> str:
    """One of two sentences; what both are about is named once: "the town either is a port or has a fort", "it belongs
    to either North or South"."""
    found, again = _SUBJECT.match(one), _SUBJECT.match(other)
    if other.startswith("(") and other.endswith(")") and not re.search(r"[(),;]", one + other[1:-1]):
        return f"either {one}, or {other[1:-1]}"  # "either nobody is there, or North is and has passed"
    if found is None or again is None or re.match(r"its?\b", one) or "either" in one + other:
        return f"either {one} or {other}"
    if found[1] != again[1] and one[found.end() :] == other[again.end() :]:
        return f"either {found[1]} or {again[1]} {one[found.end() :]}"
    if found[1] != again[1]:
        return f"either {one} or {other}"
    left, right = one[found.end() :].split(), other[again.end() :].split()
    same = 0
    while same < min(len(left), len(right)) - 1 and left[same] == right[same] and same < 2:
        same += 1
    if "not" in left[:2] or "not" in right[:2] or "cannot" in (left[0], right[0]):
        same = 0  # "is not either ..." would be neither
    if " or " in f"{one} {other}":
        same = 0  # "is held by North or is Mill or Ford"
    before = " ".join([found[1], *left[:same]])
    return f"{before} either {' '.join(left[same:])} or {' '.join(right[same:])}"


def a_sort(name: str) -> str:
    """What something is that is of a sort: "infantry", "a fort", "a Land Battle"."""
    last = name.rpartition(" ")[2]
    return name if _MASS.fullmatch(last) else article(name)
