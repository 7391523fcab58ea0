"""What was lost in reading, and which reports may only follow from that.

In comes every stretch of text that could not be read; out goes the answer to one question: could this report
be gone once that text can be read? Such a report is held back; all others are told in the same run.

The hard idea is that nobody knows what an unreadable line says, but everybody sees which words stand in it.
So:

* that there is no such name (a kind, a space, an attribute, a rule of the rulebook, something to amend, a piece
  in a phrase) is held back if the name occurs anywhere in what was lost, since it may be declared there;
* that a value is of the wrong sort, or that a call does not fit, is held back if it is about a name that is
  declared in what was lost, or about a part of a declaration whose first line was lost;
* what is said of a declaration as a whole (no result on some path, a gap in a table, no home for its pieces) is held
  back if a line of that declaration was lost, and if what was lost is the head of a table, so is everything about it;
* what is said of the game as a whole (what is never reached, used or linked, what never ends, what somebody may not
  see, totals) is held back whenever anything was lost.

Of a file that is not there not even the words are known; then no name is called unknown. Nothing is said about the
meaning of a line that could not be read itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from rulescript.diagnostics.spelling import is_slip, nearest_names
from rulescript.source import SourceFile

if TYPE_CHECKING:
    from rulescript.diagnostics.report import Diagnostic

__all__ = ["Damaged", "Lost"]

_TEXT_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|#[^\n]*')
_WORD = re.compile(r"[^\W\d]\w*")
# A name, or the number of a rule: `4.6.2`, `p-24`.
_TOKEN = re.compile(r"\w+(?:[.\-]\w+)*")
_LEAVING = re.compile(r"leaves a `repeat`")
_BELONGING = re.compile(r"^`require` belongs under")
_GIVING_BACK = re.compile(r"^this rule gives nothing back")
_QUOTED = re.compile(r"`([^`]*)`")

# Seen in the text itself, whatever else it says.
_OF_THE_TEXT = frozenset({"RS106", "RS112"})
# "There is no such thing": the thing may stand in what was lost.
_UNKNOWN = frozenset({"RS101", "RS104", "RS107", "RS108", "RS109", "RS111", "RS214", "RS319"})
# About the whole of one declaration.
_OF_THE_WHOLE = frozenset({"RS110", "RS209", "RS212", "RS301", "RS302", "RS303", "RS316"})
# What is known of a name here may come from a line above.
_FROM_ABOVE = frozenset({"RS203", "RS205"})
# About the whole game.
_OF_THE_GAME = frozenset(
    {"RS304", "RS305", "RS306", "RS310", "RS311", "RS312", "RS313", "RS314", "RS318", "RS330"}
)  # fmt: skip

# Where names are declared: after these words, or at the beginning of a line.
_DECLARING = re.compile(
    r"(?m)\b(?:let|for|each|choose(?:\s+\w+:)?|as|state|holds|has|does|link|some|every|kind|pieces|values|function|"
    r"value|either|predicate|route|table|procedure|phase|signal|aside|option|scenario)\s+([^\W\d]\w*)"
    r"|^\s*([^\W\d]\w*)|,\s*([^\W\d]\w*)(?=\s+in\b|\s*:)"
)
# Declarations whose lines declare names for all: attributes, spaces, sorts of links, options' own declarations.
_FOR_ALL = frozenset({"kind", "pieces", "things", "map", "values", "counts", "players", "option", "scenario", "with"})
# Declarations that give something a name.
_NAMING = frozenset(
    {
        "aside", "either", "function", "holds", "kind", "map", "option", "phase", "pieces", "predicate", "procedure",
        "route", "scenario", "signal", "state", "table", "value", "values",
    }
)  # fmt: skip
# Declarations whose second word names something declared elsewhere.
_AMENDING = frozenset(
    {"adjust", "after", "amend", "before", "exception", "extend", "remove", "restrict", "reword", "when", "whenever"}
)


@frozen
class Damaged:
    """A declaration of which some lines were lost, or all of it."""

    source: SourceFile
    first: int
    last: int
    name: str
    words: frozenset[str]
    declared: frozenset[str]
    first_is_lost: bool


@define
class Lost:
    """Everything that was lost in reading a game."""

    words: set[str] = field(factory=set)
    declared: set[str] = field(factory=set)
    heads: set[str] = field(factory=set)
    """The words with which lost declarations begin."""
    idents: set[str] = field(factory=set)
    """What may be left of the numbers of rules."""
    named: set[str] = field(factory=set)
    """What lost declarations are called, as far as can be seen."""
    lines: set[tuple[str, int]] = field(factory=set)
    parts: list[Damaged] = field(factory=list)
    damaged: set[str] = field(factory=set)
    """What damaged declarations are called."""
    by_line: dict[tuple[str, int], list[Damaged]] = field(factory=dict)
    is_nameless: bool = False
    """Whether a declaration was lost that has no name: any name may be meant for it."""
    is_whole_file: bool = False
    """Whether it is a whole file that was not read."""
    is_unknown: bool = False
    """Whether there is text of which we do not even see the words."""
    _sorted: list[str] = field(factory=list)
    _like: dict[str, bool] = field(factory=dict)
    """Of words that were asked for, whether something in `named` is called nearly so."""
    _words_folded: tuple[int, set[str]] = (0, set())

    def __bool__(self) -> bool:
        return bool(self.parts or self.words or self.is_unknown)

    def add_words(self, text: str) -> None:
        """A text that was not read at all."""
        self.words |= _tokens_in(text)
        self.is_whole_file = True

    def add(self, source: SourceFile, start: int, end: int, lines: Iterable[int], is_read: bool) -> None:
        """Lines of a declaration that goes from `start` to `end`; unless `is_read`, all of it."""
        text = source.text[start:end]
        first = source.line_of(start)
        last = source.line_of(start + len(text.rstrip()))
        gone = {*lines} if is_read else {*range(first, last + 1)}
        gone |= _rows_under(source, gone, last)
        lost = "\n".join(source.text[source.line_start(line) : source.line_end(line)] for line in sorted(gone))
        head, name = _head_of(text)
        declared = {word for match in _DECLARING.finditer(_plain(lost)) for word in match.groups() if word}
        declared |= {name} if name and first in gone else set()
        words = _tokens_in(lost)
        two = re.match(r"\w+\s+([^\W\d]\w*)\s+([^\W\d]\w*)", text)
        if two is not None and first in gone:
            words |= {"_".join(two.groups())}  # a name in two words
        self.words |= words
        if first in gone:
            self.heads.add(head)
            self.named |= {name} if name else set()
        if head in _NAMING and first in gone and not name:
            self.is_nameless = True
        if head in ("things", "map") and re.search(r"(?m)^\s+\w+\s*$", lost):
            self.is_nameless = True  # a kind alone on its line
        if re.search(r"\b(?:holds|state|has|link|let|for|as)\s*[:=]|[(,]\s*:", _plain(lost)):
            self.is_nameless = True
        if head == "rulebook":
            self.idents |= {word for word in re.findall(r"(?m)^\s*\S*?(\w[\w.\-]*\w)", lost) if len(word) > 2}
        for line in lost.split("\n") if head in ("kind", "pieces", "holds") else ():
            if nearest_names((line.split() or [""])[0], ["holds"]) or line.split()[:1] == ["holds"]:
                declared |= _tokens_in(line)  # also the kind that it holds, and that can be moved
        if head in _FOR_ALL:
            self.declared |= declared
        elif name and first in gone:
            self.declared.add(name)
        self.lines |= {(source.name, line) for line in gone}
        part = Damaged(source, first, last, name, frozenset(words), frozenset(declared), first in gone)
        self.parts.append(part)
        self.damaged |= {name} if name else set()
        for number in range(first, last + 1):
            self.by_line.setdefault((source.name, number), []).append(part)

    def may_explain(self, diagnostic: Diagnostic) -> bool:
        """Whether a report may be gone once what was lost can be read."""
        code, span = diagnostic.code, diagnostic.span
        if not self or code.startswith("RS0") or code in _OF_THE_TEXT:
            return False
        if (span.source.name, span.line) in self.lines or (code in _OF_THE_GAME and not diagnostic.rests_on):
            return True
        about = _about(diagnostic)
        damaged = self.damaged
        if diagnostic.rests_on and self._rests(diagnostic.rests_on, damaged):
            return True
        here = self.by_line.get((span.source.name, span.line), [])
        if code == "RS109" and any(
            ident.startswith(part) or ident.endswith(part) for ident in about for part in self.idents
        ):
            return True  # the line of the index lost a part of its number
        if code in _UNKNOWN:
            if self.is_unknown or about & self.words or self._may_be_misnamed(diagnostic, about):
                return True
            if code in ("RS214", "RS319"):
                if self._words_folded[0] != len(self.words):
                    self._words_folded = len(self.words), _folded(self.words)
                return bool(_folded(about) & self._words_folded[1])
            # A rule may have lost the choice or the clause that is meant, unless that is nearly one it still has.
            return code == "RS108" and bool(about & damaged) and not _is_near(diagnostic, about)
        if about & self.declared or any(about & part.declared for part in here):
            return True
        if here and _LEAVING.search(diagnostic.message):
            return True  # its loop may be what was lost
        if _BELONGING.search(diagnostic.message) and here:
            return True  # what it belongs under may be what was lost
        if _GIVING_BACK.search(diagnostic.message) and any(part.first_is_lost for part in here):
            return True  # its first line says what it gives back
        if code in _OF_THE_WHOLE:
            return bool(here) or bool(about & damaged) or bool(about & self.words)
        return code in _FROM_ABOVE and any(about & part.words for part in here)

    def _rests(self, names: Iterable[str], damaged: set[str]) -> bool:
        """Whether one of these names, or what begins so, is among what was lost."""
        if self.is_nameless or self.is_whole_file or self.is_unknown:
            return True
        if any(name in damaged or name in self.declared or name in self.heads for name in names):
            return True
        return any(nearest_names(name, self.heads) for name in names)

    def _may_be_misnamed(self, diagnostic: Diagnostic, about: set[str]) -> bool:
        """Whether an unknown name may be that of a declaration whose own was lost: `function total s: Side)`."""
        return any(map(self._is_like_a_lost_name, about)) or (self.is_nameless and not _is_near(diagnostic, about))

    def _is_like_a_lost_name(self, word: str) -> bool:
        if len(self._sorted) != len(self.named):
            self._sorted, self._like = sorted(self.named), {}
        if word not in self._like:
            at = bisect_left(self._sorted, word)
            begins = at < len(self._sorted) and self._sorted[at].startswith(word)
            self._like[word] = begins or bool(nearest_names(word, self._sorted))
        return self._like[word]


def _is_near(diagnostic: Diagnostic, about: set[str]) -> bool:
    """Whether an unknown name is a known one with a slip of the finger."""
    guesses = _QUOTED.findall(diagnostic.hint or "")
    return any(is_slip(word, guess) for word in about for guess in guesses)


def _about(diagnostic: Diagnostic) -> set[str]:
    """The names a report is about: those it quotes, and for most the text it points at."""
    if diagnostic.code == "RS109":
        return set(_TOKEN.findall(diagnostic.message.rpartition("§")[2]))
    quoted = {token for part in _QUOTED.findall(diagnostic.message) for token in _tokens_in(part)}
    if quoted and diagnostic.code in _UNKNOWN:
        return quoted
    return quoted | _tokens_in(diagnostic.span.text)


def _tokens_in(text: str) -> set[str]:
    """The names and numbers of rules in a text; also the words within its texts in quotes, which may be labels."""
    plain = re.sub(r"#[^\n]*", "", text)
    return {*_TOKEN.findall(plain), *_WORD.findall(plain)}


def _folded(words: Iterable[str]) -> set[str]:
    """As a phrase may name them: in small letters, one by one, without the ending of several."""
    parts = {part for word in words for part in re.split(r"[_\-.]", word.lower()) if part}
    return parts | {part.removesuffix("s") for part in parts}


def _plain(text: str) -> str:
    return _TEXT_OR_COMMENT.sub("", text)


def _rows_under(source: SourceFile, gone: set[int], last: int) -> set[int]:
    """The rows of tables whose head, the first row, is gone: without it they mean nothing."""

    def is_row(line: int) -> bool:
        return source.text[source.line_start(line) : source.line_end(line)].lstrip().startswith("|")

    rows: set[int] = set()
    for line in gone:
        if is_row(line) and (line == 1 or not is_row(line - 1)):
            while line <= last and is_row(line):
                rows.add(line)
                line += 1
    return rows


def _head_of(text: str) -> tuple[str, str]:
    """What a declaration is, and what it is called: `replace procedure march(...)` is a procedure `march`."""
    line = _plain(text.partition("\n")[0]).removeprefix("replace ").lstrip()
    found = re.match(r"([^\W\d]\w*)(?:\s+([^\W\d]\w*))?", line)
    if found is None:
        return "", ""
    return found[1], (found[2] or "") if found[1] not in _AMENDING else ""
