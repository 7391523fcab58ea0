"""What is never right, wherever it stands: signs of other languages, and characters a word processor puts in.

In comes one line whose texts and comment are blanked; out come the misspelt stretches, each with its sentence
and with something of the same length to read on with. Nothing here knows the grammar; a spelling that is
right in some place, such as `=`, belongs in `mistake_table.py`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from attrs import frozen

__all__ = ["Misspelling", "find_misspellings"]


@frozen
class Misspelling:
    """A stretch of a line, what to say about it and what to read instead."""

    start: int
    end: int
    code: str
    message: str
    label: str
    hint: str | None
    instead: str


@frozen
class _Spelling:
    pattern: re.Pattern[str]
    code: str
    message: str
    label: str
    hint: str
    instead: str


_SPELLINGS: list[_Spelling] = []


def _never(pattern: str, message: str, label: str, hint: str, instead: str = "", code: str = "RS001") -> None:
    """The group `at`, or all of the match, is at fault; `instead` is read in its place."""
    _SPELLINGS.append(_Spelling(re.compile(pattern), code, message, label, hint, instead))


_never(
    r"(?P<at>//.*)|^\s*(?P<at2>--\s.*)|(?P<at3>/\*.*)",
    "a comment begins with `#`",
    "not a comment",
    "write `# ...`; a division is written `a / b rounded down`",
)
_never(
    r"^\s+[a-z]\w*\s+[A-Z]\w*\s+(?P<at>=>|-->)\s*(?P<to>\w+)",
    "a link that goes one way is written with `->`",
    "expected `->`",
    "write `-> {to}`",
    "->",
)
_never(
    r"(?P<left>[\w.)\]]+)\s*(?P<at>===)",
    "values are compared with `==`",
    "one `=` too many",
    "write `{left} == ...`",
    "==",
)
_never(
    r"(?P<left>[\w.)\]]+)\s*(?P<at>!==|<>|=!|=/=|~=)\s*(?P<right>[\w.]*)",
    "what differs is written `!=`",
    "expected `!=`",
    "write `{left} != {right}`",
    "!=",
)
_never(
    r"(?P<left>[\w.)\]]+)\s*(?P<at>=<)\s*(?P<right>[\w.]*)",
    "at most as much is written `<=`",
    "expected `<=`",
    "write `{left} <= {right}`",
    "<=",
)
_never(
    r"^\s*(?:replace\s+)?(?:function|value|table|procedure)\b[^)]*\)\s*(?P<at>=>)",
    "what a rule gives back follows `->`",
    "expected `->`",
    "write `-> ...`",
    "->",
)
_never(
    r"(?P<left>[\w.)\]]+)\s*(?P<at>=>)\s*(?P<right>[\w.]*)",
    "at least as much is written `>=`",
    "expected `>=`",
    "write `{left} >= {right}`",
    ">=",
)
_never(
    r"(?P<left>[\w.)\]]+)\s*(?P<at>:=)",
    "a value is set with `=`",
    "expected `=`",
    "write `{left} = ...`",
    "=",
)
_never(r"(?P<at>&&)", "both of two conditions are joined with `and`", "expected `and`", "write `and`", "or")
_never(r"^(?!\s*\|).*?(?P<at>\|\|)", "one of two conditions: write `or`", "expected `or`", "write `or`", "or")
_never(
    r"(?P<at>!)(?!=)\s*(?P<what>(?:[\w.]*\((?:[^()]|\([^()]*\))*\)|[\w.]+)?)",
    "the opposite of a condition is written with `not`",
    "expected `not`",
    "write `not {what}`",
)
_never(r"\b(?P<at>[Tt]rue|TRUE)\b", "what is true is written `yes`", "expected `yes`", "write `yes`", "yes")
_never(r"\b(?P<at>[Ff]alse|FALSE)\b", "what is false is written `no`", "expected `no`", "write `no`", "no")
_never(
    r"\b(?P<at>null|NULL|nil|undefined)\b",
    "what is not there is written `nothing`",
    "expected `nothing`",
    "write `nothing`",
    "it",
)
_never(
    r"(?P<low>\w*)(?P<at>\.\.\.)(?P<high>\w*)",
    "a range is written with two dots",
    "one dot too many",
    "write `{low}..{high}`",
    "..",
)
_never(
    r"(?P<left>[\w.]+)\s*(?P<at>\*\*|\^)\s*(?P<right>\w*)",
    "the language has no powers",
    "not a sign of the language",
    "multiply: `{left} * {left}`",
    "*",
)
_never(
    r"(?P<name>[\w.]+)\s*(?P<at>\+\+)",
    "one is added with `+= 1`",
    "expected `+= 1`",
    "write `{name} += 1`",
    "",
)
_never(
    r"(?P<at>;)\s*(?P<rest>\S.*)",
    "each line does one thing, and `;` does not part two",
    "not a sign of the language",
    "put `{rest}` on a line of its own",
    "",
    "RS004",
)
_never(r"(?P<at>;)\s*$", "a line needs no `;` at its end", "not needed", "take the `;` away", "", "RS004")
_never(
    r"(?P<left>[\w.)]+)\s*(?P<at>%)\s*(?P<right>[\w.(]+)",
    "what is left over from a division is written `mod`",
    "expected `mod`",
    "write `{left} mod {right}`",
    "*",
    "RS004",
)
_never(
    r"(?P<kind>\w+)(?P<at>\?)(?=\s*(?:[,)=§]|$))",
    "a type that may be missing is written `maybe`",
    "not a sign of the language",
    "write `maybe {kind}`",
    "",
    "RS004",
)
_never(
    r"(?P<condition>(?:[\w.()]+\s*(?:==|!=|<=|>=|<|>)\s*)?[\w.()]+)\s*(?P<at>\?)\s*(?P<yes>[\w.]+)\s*:\s*(?P<no>[\w.]+)",
    "a value that depends on a condition is written with words",
    "not a sign of the language",
    "write `if {condition} then {yes} else {no}`",
    "",
    "RS004",
)
_never(
    r"(?P<at>\\)\s*$",
    "a line cannot be continued with `\\`",
    "not a sign of the language",
    "put the whole in brackets: inside them a line runs on by itself",
    "",
    "RS004",
)
_never(
    r"(?P<owner>\w+)(?P<at>['’]s)\s+(?P<what>\w+)",
    "what belongs to a thing is written with a dot",
    "expected `.`",
    "write `{owner}.{what}`",
    ".",
    "RS004",
)
_never(
    r"(?P<at>['‘’‚`](?P<text>[^'‘’\"`]*)['‘’`])",
    "a text stands in double quotes",
    "not a text",
    'write `"{text}"`',
    "quote",
    "RS004",
)
_never(
    r"(?P<at>[“”„«»″](?P<text>[^“”„«»\"″]*)[“”„«»\"″])",
    "a text stands in straight quotes; these are curly",
    "curly quotes",
    'write `"{text}"`',
    "quote",
    "RS004",
)

# One character: what it is called, what to type, what to read instead.
_CHARACTERS = {
    "\t": ("a tab between words", "a tab", "type spaces", " "),
    "–": ("a long dash, as word processors make it", "a long dash", "type `-`", "-"),
    "—": ("a long dash, as word processors make it", "a long dash", "type `-`", "-"),
    "−": ("a minus sign that is not the one on the keyboard", "not `-`", "type `-`", "-"),
    "‐": ("a hyphen that is not the one on the keyboard", "not `-`", "type `-`", "-"),
    "‑": ("a hyphen that is not the one on the keyboard", "not `-`", "type `-`", "-"),
    "≤": ("at most as much is written `<=`", "expected `<=`", "write `<=`", "<"),
    "≥": ("at least as much is written `>=`", "expected `>=`", "write `>=`", "<"),
    "≠": ("what differs is written `!=`", "expected `!=`", "write `!=`", "<"),
    "×": ("times is written `*`", "expected `*`", "write `*`", "*"),
    "÷": ("division is written `/`", "expected `/`", "write `/ ... rounded down`", "*"),
    "→": ("an arrow is written `->`", "expected `->`", "write `->`", "-"),
    "…": ("three dots in one character", "not two dots", "write `..` for a range", " "),
    "¶": ("a citation begins with `§`", "expected `§`", "write `§`", "§"),
    "\ufeff": ("an invisible mark within the text", "an invisible character", "delete it", " "),
}  # fmt: skip
for _quote in "“”„«»″":
    _CHARACTERS[_quote] = ("a curly quote; texts stand in straight ones", "a curly quote", 'type `"`', " ")

_DASH_IN_CELL = re.compile(r"(\d+)\s*[–—−]\s*(\d+)")
_ODD = re.compile(r"[^\w \n\f\"#§@.,:|+\-*/=<>!()\[\]{}&]")
# Most lines have nothing of the sort, and need no closer look.
_SUSPECT = re.compile(
    r"//|--|/\*|==[=]|[=!]==|<>|=[<>!/]|:=|&&|\|\||!(?!=)|\.\.\.|\*\*|\+\+"
    r"|\b(?:[Tt]rue|TRUE|[Ff]alse|FALSE|null|NULL|nil|undefined)\b"
)
LONGEST_LINE = 2000  # in longer ones only the characters are looked at


def find_misspellings(line: str) -> Iterator[Misspelling]:
    """Everything in a blanked line that is never right, from left to right; the stretches do not overlap."""
    without_texts = re.sub(r'"~*"', lambda text: " " * len(text[0]), line)
    found = [_character(line, match.start()) for match in _ODD.finditer(without_texts)]
    if len(line) <= LONGEST_LINE and (found or _SUSPECT.search(line)):
        known = [_found(one, match) for one in _SPELLINGS for match in one.pattern.finditer(line)]
        found = known + found
    # Where two begin together, the one that was listed first knows more.
    found.sort(key=lambda one: one.start)
    behind = 0
    for one in found:
        if one.start >= behind:
            behind = one.end
            yield one


def _found(spelling: _Spelling, match: re.Match[str]) -> Misspelling:
    group = next(name for name in ("at", "at2", "at3") if match.groupdict().get(name) is not None)
    start, end = match.span(group)
    words = {name: (text or "").strip() for name, text in match.groupdict().items()}
    if spelling.instead == "quote":
        instead = '"' + match["text"] + '"'
    else:
        instead = spelling.instead.ljust(end - start)
    return Misspelling(
        start, end, spelling.code, spelling.message, spelling.label, spelling.hint.format(**words), instead
    )


def _character(line: str, at: int) -> Misspelling:
    char = line[at]
    cell = _DASH_IN_CELL.search(line, max(0, at - 8)) if line.lstrip().startswith("|") else None
    if char in "–—−" and cell is not None and cell.start() < at < cell.end():
        hint = f"write `{cell[1]}..{cell[2]}`"
        return Misspelling(at, at + 1, "RS004", "a range is written with `..`", "a long dash", hint, "+")
    if char in _CHARACTERS:
        message, label, hint, instead = _CHARACTERS[char]
    elif char == "\r":
        message, label, instead = "lines that end as on old Macintosh computers", "not the end of a line here", " "
        hint = "save the file with line ends of today: LF, or CR and LF"
    elif char.isspace():
        message, label, instead = "a space that is not the one on the keyboard", "looks like a space", " "
        hint = "delete it and type a space"
    elif unicodedata.category(char) in ("Cf", "Mn", "Cc", "Co", "Cs", "Cn"):
        message, label, instead = "an invisible character", "an invisible character", " "
        hint = "delete it"
    else:
        message, label, instead = f"the language does not use `{char}`", "not a sign of the language", " "
        hint = f"take `{char}` away, or put it in a text in quotes"
    return Misspelling(at, at + 1, "RS004", message, label, hint, instead)
