"""Where reading stopped, and what to say about it when no rule of `mistake_table.py` knows the mistake.

In comes the place where Lark gave up and what it would have taken there; out goes a `Fault`: code, message,
caret, label and a hint that can be typed. Which text is read again after it is settled in `recovery.py`.
"""

from __future__ import annotations

import re

from attrs import field, frozen

from rulescript.diagnostics.spelling import spelling_hint

__all__ = ["WORD", "Fault", "Stop", "fault_by_expectation", "listed", "masked"]

WORD = r"[^\W\d]\w*"
_TOKEN = re.compile(rf'"[^"]*"|{WORD}|\d+(?:\.\d+)*|->|\.\.|[-+=!<>]=|[§@]\s?[\w.\-]*|\S')
_TEXT_OR_COMMENT = re.compile(r'"((?:\\.|[^"\\\n])*)"|#[^\n]*')


@frozen
class Fault:
    """One mistake: what to say, and where. Offsets are those of the text that was read.

    `line` (from 0) is what must be replaced before reading on: mostly the line of the caret, but a block that
    is missing is the fault of the line that should have opened it. `below`: how many lines below it are a part of the
    same mistake.
    """

    code: str
    message: str
    start: int
    end: int
    line: int
    label: str = ""
    hint: str | None = None
    other: tuple[int, int, str] | None = None
    below: int = 0


def masked(text: str) -> str:
    """The text with the words in quotes made `~` and comments made spaces; nothing moves."""

    def blank(match: re.Match[str]) -> str:
        inside: str | None = match[1]
        return " " * len(match[0]) if inside is None else '"' + "~" * len(inside) + '"'

    return _TEXT_OR_COMMENT.sub(blank, text)


@frozen
class Stop:
    """Where reading stopped, and what could have stood there.

    `wanted` has words and signs as a designer writes them (`in`, `->`), and the names of the grammar's
    terminals for the rest (NAME, INT, _NL). `token` is what Lark took the text at the place for.
    """

    text: str
    place: int
    wanted: frozenset[str]
    token: str = ""
    line_start: int = field(init=False)
    line: str = field(init=False)
    column: int = field(init=False)

    @line_start.default
    def _line_start(self) -> int:
        return self.text.rfind("\n", 0, self.place) + 1

    @line.default
    def _line(self) -> str:
        """The line without its comment, its texts blanked."""
        end = self.text.find("\n", self.line_start)
        return masked(self.text[self.line_start : end if end >= 0 else len(self.text)]).rstrip()

    @column.default
    def _column(self) -> int:
        return min(self.place - self.line_start, len(self.line))

    @property
    def number(self) -> int:
        """The line's number in the text, from 0."""
        return self.text.count("\n", 0, self.line_start)

    @property
    def indent(self) -> int:
        return len(self.line) - len(self.line.lstrip())

    @property
    def found(self) -> str:
        """The word, number or sign at which reading stopped; nothing at the end of a line."""
        match = _TOKEN.match(self.line, self.column)
        return self.written(match.start(), match.end()) if match else ""

    @property
    def before(self) -> str:
        """The last word, number or sign that could be read."""
        tokens = list(_TOKEN.finditer(self.line[: self.column]))
        return self.written(tokens[-1].start(), tokens[-1].end()) if tokens else ""

    @property
    def first(self) -> str:
        """The word the line begins with."""
        match = re.match(rf"\s*({WORD})", self.line)
        return match[1] if match else ""

    @property
    def wants_value(self) -> bool:
        return {"NAME", "INT", "("} <= self.wanted

    def written(self, start: int, end: int) -> str:
        """A stretch of the line as it was written, texts and all."""
        return self.text[self.line_start + start : self.line_start + end]

    def fault(
        self,
        message: str,
        label: str = "",
        hint: str | None = None,
        *,
        code: str = "RS001",
        at: tuple[int, int] | None = None,
    ) -> Fault:
        """A fault on this line; `at` is in columns, and left out it is the word at which reading stopped."""
        start, end = at if at is not None else (self.column, self.column + len(self.found))
        base = self.line_start
        return Fault(code, message, base + start, base + max(end, start + 1), self.number, label, hint)


# ---- what was expected -----------------------------------------------------------------------------------

# Terminals that are not simply a word or a sign, in the order in which they are worth naming.
_SAID = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a text in quotes",
    "DIE": "a die such as `d6`",
    "COORD": "a coordinate such as `48.9N`",
    "RULE_ID": "a rule number",
    "LINK": "`-` or `->`",
    "ADJUST_OP": "`add`, `times`, `set`, `floor` or `cap`",
    "ROUND": "`up` or `down`",
    "LEVEL": "`visible`, `hidden` or `count`",
    "ASSIGN": "`=`",
    "COMPARE": "a comparison",
    "CITES": "a citation such as `§4.6`",
    "_NL": "the end of the line",
}
# The words some of these stand for, to compare with what was written.
_SPELT = {
    "LEVEL": "visible hidden count order nonempty top",
    "ADJUST_OP": "add times set floor cap",
    "ROUND": "up down",
}
_UNSAID = {"_INDENT", "_DEDENT", "END", "RAW_LINE", "$END", "COMMENT", "WS"}
_MOST_LISTED = 4


def listed(words: list[str]) -> str:
    """`a`, `b` or `c`"""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def _expected(wanted: frozenset[str]) -> str:
    if "|" in wanted:
        return "`|`"
    if {"list", "maybe", "set", "NAME"} <= wanted:
        return "a type, such as `int` or a kind"
    literal = [f"`{word}`" for word in sorted(wanted - _SAID.keys() - _UNSAID)]
    said = [words for terminal, words in _SAID.items() if terminal in wanted]
    every = literal + said
    return listed(every) if 0 < len(every) <= _MOST_LISTED else ""


def fault_by_expectation(stop: Stop) -> Fault:
    """The best that can be said without knowing the mistake."""
    found, before = stop.found, stop.before
    after = f" after `{_short(before)}`" if before else ""
    if stop.wants_value:
        if not found:
            return stop.fault(f"something is missing{after}", "expected a value")
        return stop.fault(f"expected a value{after}, not `{_short(found)}`", "expected a value")
    expected = _expected(stop.wanted)
    if not found:
        if not expected:
            return stop.fault(f"something is missing{after}", "the line breaks off")
        surplus = "take the `,` away, or say what follows it" if before == "," else None
        return stop.fault(f"expected {expected}{after}", f"expected {expected}", _completion(stop) or surplus)
    meant = _meant(stop)
    if stop.wanted == {"_NL"} and meant is None:
        hint = f"begin a new line before `{_short(found)}`" if before[-1:] == '"' else None
        return stop.fault(f"the line should end{after}", "expected the end of the line", hint)
    if "_NL" in stop.wanted or not expected:
        # Nearly anything may follow a value, so a list would not help.
        return stop.fault(f"`{_short(found)}` cannot stand{after or ' here'}", "cannot be read here", meant)
    message = f"expected {expected}{after}, not `{_short(found)}`"
    return stop.fault(message, f"expected {expected}", meant or _completion(stop))


def _meant(stop: Stop) -> str | None:
    """Whether what was found is nearly one of the words that could have stood there."""
    if not re.fullmatch(WORD, stop.found):
        return None
    words = {word for word in stop.wanted if re.fullmatch("[a-z]{3,}", word)}
    for terminal, spelt in _SPELT.items():
        if terminal in stop.wanted:
            words.update(spelt.split())
    return spelling_hint(stop.found, sorted(words))


def _completion(stop: Stop) -> str | None:
    """Where one word or sign alone would do, the line with it."""
    literal = sorted(stop.wanted - _SAID.keys() - _UNSAID)
    if literal == [")", ","] and stop.found and re.fullmatch(WORD, stop.found):
        return f"write `{_short(stop.before)}, {_short(stop.found)}`"
    if len(literal) != 1 or stop.wanted & _SAID.keys() or not stop.before:
        return None
    word, found = literal[0], stop.found
    # One word in the place of another, if more words follow it.
    following = re.match(rf"\s+({WORD}[\w.]*)", stop.line[stop.column + len(found) :])
    if word.isalpha() and re.fullmatch(WORD, found) and following is not None:
        found = following[1]
    if word == "(" and re.match(WORD, found):
        return f"write `{_short(stop.before)}({_short(found)} ...)`"
    gap = "" if word in ":,)]}" else " "
    if not re.match(r'[\w"]', found):
        found = "..."  # a sign in its place may itself be what is wrong
    return f"write `{_short(stop.before)}{gap}{word} {_short(found)}`"


def _short(words: str) -> str:
    return words if len(words) <= 40 else words[:37] + "..."
