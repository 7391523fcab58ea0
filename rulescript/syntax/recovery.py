"""Reading on after a mistake, so that one run reports them all and none twice.

In comes the text of a file; out go the reports of what can be seen without the grammar (characters, quotes,
brackets, indentation) and a text of the same length with those mended, for Lark. When Lark stops, `mended`
replaces the line at fault with something harmless. Nothing ever moves, so every offset stays right.

The hard idea is what to put in place of a bad line. Left blank, an `if` would leave its `else` and its block
hanging, and we would complain about those next. So there is a list of harmless lines, tried from the gentlest
on, and the first is taken with which reading gets past the place in an orderly way: to the end, or to a fault
in the midst of a later line. A fault at the very beginning of a line, or in the indentation, is most likely
our own doing. As a last safeguard a line is only ever reported once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from attrs import define, field

from rulescript.diagnostics import Label, Reporter
from rulescript.diagnostics.spelling import nearest_names
from rulescript.source import SourceFile, Span
from rulescript.syntax.faults import Fault, Stop, masked
from rulescript.syntax.mistakes import DECLARATIONS, RULES_WITH_STATEMENTS, STATEMENTS, meant_declaration, meant_rule
from rulescript.syntax.spellings import find_misspellings

__all__ = [
    "MAX_BRACKETS",
    "MAX_INDENT",
    "NAMELESS",
    "Faults",
    "clean",
    "follows",
    "is_orderly",
    "mend_structure",
    "mended",
    "report_strays",
    "shortened",
]

MAX_BRACKETS = 40
MAX_INDENT = 160

_NEAR = 12
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_OPENING = {close: opened for opened, close in _CLOSING.items()}


@define
class Faults:
    """Reports about one file, one for a line at most: what else is wrong there shows when it is mended."""

    source: SourceFile
    reporter: Reporter
    lines: set[int] = field(factory=set)
    tab_seen: bool = False
    spaces_told: set[str] = field(factory=set)
    """What was said of spaces that are none: it is the same all over a file, so it is said once."""
    misplaced: set[int] = field(factory=set)
    """Lines that do not stand where they should."""
    changed: set[int] = field(factory=set)
    """Lines that were read as something else than what stands there."""
    read_again: int = 0
    """How many characters were read once more to find out what stands below a mistake."""

    def gone_between(self, start: int, end: int) -> set[int]:
        """The lines of a stretch that were reported or changed."""
        first, last = self.source.line_of(start), self.source.line_of(max(start, end - 1))
        return {line for line in range(first, last + 1) if line in self.lines or line in self.changed}

    def is_shaken(self, line: int, stop: Stop, code: str) -> bool:
        """Whether what belongs under what is unsure here, because a line shortly above stands in the wrong place."""
        if code != "RS002" and stop.first not in ("or", "else"):
            return False
        return any(0 < line - other <= _NEAR for other in self.misplaced)

    def mark_changes(self, start: int, before: str, after: str) -> None:
        """Note the lines in which two readings of the text at `start` differ."""
        first = self.source.line_of(start)
        pairs = zip(before.split("\n"), after.split("\n"), strict=True)
        self.changed |= {first + at for at, (one, two) in enumerate(pairs) if one.rstrip() != two.rstrip()}

    def add(self, fault: Fault, base: int = 0) -> None:
        line = self.source.line_of(base + fault.start)
        # With tabs about, columns mean nothing until they are gone.
        if line in self.lines or (self.tab_seen and fault.code == "RS002"):
            return
        self.lines.update(range(line, line + 1 + fault.below))
        if fault.code == "RS002":
            self.misplaced.add(line)
        others: list[Label] = []
        if fault.other is not None:
            start, end, words = fault.other
            others.append(Label(Span(self.source, base + start, base + end), words))
        span = Span(self.source, base + fault.start, base + fault.end)
        self.reporter.error(fault.code, fault.message, span, fault.label, others, fault.hint)


# ---- before Lark: characters and quotes ------------------------------------------------------------------

_EXAMPLE = re.compile(r'example\s+"')
_INDENT = re.compile(r"[^\S\n]*")
_TEXT_ENDS = re.compile(r'[^"]*[\w.,!?)]"\s*(?:[§@,][^"]*)?$')
_LONGEST_TEXT = 5  # lines a text may have run over for us to see where it ended


def clean(text: str, base: int, faults: Faults) -> str:
    """Report what is never right and give back a text of the same length to read on with."""
    lines = text.split("\n")
    offset = base
    example_indent = -1
    text_until = -1
    for number, line in enumerate(lines):
        start, offset = offset, offset + len(line) + 1
        if number <= text_until or not line.strip():
            lines[number] = " " * len(line)
            continue
        line = _clean_indent(line, start, faults)
        indent = _indent_of(line)
        if 0 <= example_indent < indent:
            lines[number] = line  # an example's lines are free text
            continue
        example_indent = indent if _EXAMPLE.match(line, indent) else -1
        opened = _unclosed_quote(line)
        if opened >= 0 and (curly := re.search(r"[“”„«»]", line)):
            # `“Supply"`: closed by another sort of quote than it was opened with.
            slip = next(find_misspellings(curly[0]))
            fault = Fault(slip.code, slip.message, *curly.span(), number, slip.label, slip.hint)
            faults.add(fault, start)
            line = line[: curly.start()] + '"' + line[curly.end() :]
            opened = _unclosed_quote(line)
        if opened >= 0:
            text_until = _end_of_text(lines, number)
            fault = _unclosed_text(opened, number, text_until > number)
            faults.add(_unopened_text(line, opened, number) or fault, start)
            line = _with_text_closed(line, opened)
        for slip in find_misspellings(masked(line)):
            if slip.message not in faults.spaces_told:
                fault = Fault(slip.code, slip.message, slip.start, slip.end, number, slip.label, slip.hint)
                faults.add(fault, start)
            if line[slip.start].isspace():
                faults.spaces_told.add(slip.message)
            line = line[: slip.start] + slip.instead + line[slip.end :]
        lines[number] = line
    return "\n".join(lines)


def _unclosed_quote(line: str) -> int:
    """Where a text is opened that is not closed on the line, or -1."""
    return re.sub(r'"~*"', lambda text: "~" * len(text[0]), masked(line)).find('"')


def _indent_of(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _clean_indent(line: str, start: int, faults: Faults) -> str:
    match = _INDENT.match(line)
    assert match is not None
    indent = match.group()
    line = line.rstrip().ljust(len(line))
    if not indent.strip(" "):
        return line
    if "\t" in indent:
        if not faults.tab_seen:
            at = indent.index("\t")
            hint = "indent with four spaces"
            faults.add(Fault("RS012", "a tab in the indentation", at, at + 1, 0, "a tab", hint), start)
        faults.tab_seen = True
    elif odd := re.search(r"[^ \f]", indent):
        slip = next(find_misspellings(indent))
        faults.add(Fault(slip.code, slip.message, odd.start(), odd.end(), 0, slip.label, slip.hint), start)
    return " " * len(indent) + line[len(indent) :]


def _end_of_text(lines: list[str], number: int) -> int:
    """The line on which a text that was not closed ends after all; its own line if it does not."""
    for later in range(number + 1, min(number + _LONGEST_TEXT, len(lines))):
        line = lines[later]
        if _TEXT_ENDS.match(line):
            return later
        if '"' in line or not line.strip():
            break
    return number


def _unclosed_text(at: int, number: int, goes_on: bool) -> Fault:
    if goes_on:
        message = "a text ends on the line where it begins, and this one goes on"
        hint = 'end it with `"`, and begin another text on the next line'
    else:
        message, hint = "this text is never closed", 'end the text with `"` on the same line'
    return Fault("RS011", message, at, at + 1, number, "opened here", hint)


_AFTER_TEXT = re.compile(r"\s*(?:,|§.*|#.*|$)")


def _unopened_text(line: str, at: int, number: int) -> Fault | None:
    """`phase fire Direct fire"`: nothing follows the only quote that a text could be made of."""
    if at == 0 or not (line[at - 1].isalnum() or line[at - 1] in ".!?}") or not _AFTER_TEXT.match(line, at + 1):
        return None
    hint = 'begin the text with `"`'
    return Fault("RS011", "this text ends here, and never begins", at, at + 1, number, "closes nothing", hint)


def _with_text_closed(line: str, at: int) -> str:
    if at + 1 >= len(line.rstrip()):
        return line[:at].ljust(len(line))
    return line[:at] + line[at:-1].replace("\\", " ") + '"'


# ---- before Lark: brackets and indentation ---------------------------------------------------------------


def mend_structure(text: str, base: int, faults: Faults) -> str | None:
    """Report brackets and columns that do not fit, and give back a text where they do.

    None if it is nested so deeply that nobody should read it."""
    shape = _shape_of(text)
    deep = _too_deep(shape)
    if deep is not None:
        faults.add(deep, base)
        return None
    inside, bracket_faults = _match_brackets(shape, resume=False)
    if bracket_faults:
        inside, bracket_faults = _match_brackets(shape, resume=True)
        for fault, places in bracket_faults:
            faults.add(fault, base)
            first, last = faults.source.line_of(base + places[0]), faults.source.line_of(base + places[-1])
            faults.lines.update(range(first, last + 1))
            for place in places:
                text = text[:place] + " " + text[place + 1 :]
    return _mend_columns(text, inside, base, faults)


def _shape_of(text: str) -> str:
    """The text with everything blanked in which brackets mean nothing."""
    lines = masked(text).split("\n")
    example_indent = -1
    for number, line in enumerate(lines):
        indent = _indent_of(line)
        if not line.strip():
            continue
        if 0 <= example_indent < indent:
            lines[number] = line[:indent] + "x" * (len(line) - indent)
        else:
            example_indent = indent if _EXAMPLE.match(line, indent) else -1
    return "\n".join(lines)


def _too_deep(shape: str) -> Fault | None:
    depth = 0
    for match in re.finditer(r"[(\[{)\]}]|\n[ ]*", shape):
        sign, at = match.group(), match.start()
        if sign in _CLOSING:
            depth += 1
            if depth > MAX_BRACKETS:
                message = f"brackets are nested more than {MAX_BRACKETS} deep"
                hint = "give the inner part a name: `let inner = ...`"
                return Fault("RS005", message, at, at + 1, 0, "one too many", hint)
        elif sign in _OPENING:
            depth = max(0, depth - 1)
        elif len(sign) > MAX_INDENT and shape[match.end() : match.end() + 1] not in ("\n", ""):
            at = match.end()
            message = f"this line is indented by more than {MAX_INDENT} spaces"
            return Fault("RS005", message, at, at + 1, 0, "too far in", "make a procedure of the inner part")
    return None


def _match_brackets(shape: str, resume: bool) -> tuple[set[int], list[tuple[Fault, list[int]]]]:
    """The lines that begin inside brackets, and what is wrong with which places.

    Since a bracket lets a line run on, one that is never closed would swallow the rest. With `resume` the
    lines after it count again as soon as one looks like the beginning of something.
    """
    inside: set[int] = set()
    found: list[tuple[Fault, list[int]]] = []
    opened: list[int] = []
    offset = 0
    indent = 0  # of the line where the outermost bracket was opened
    braces: list[list[int]] = []  # where blocks were put in braces that are still open
    for number, line in enumerate(shape.split("\n")):
        block = None if opened else _BLOCK_BRACE.match(line)
        if opened and line.strip():
            if resume and _begins_anew(line, indent):
                found.append((_never_closed(shape, opened[-1]), opened))
                opened = []
            else:
                inside.add(number)
        for match in re.finditer(r"[(\[{)\]}]", line):
            sign, at = match.group(), offset + match.start()
            if block is not None and match.start() == block.start(1):
                braces.append([at])
                found.append((_block_brace(at, number), braces[-1]))
            elif sign == "}" and not opened and braces:
                braces.pop().append(at)
            elif sign in _CLOSING:
                indent = indent if opened else _indent_of(line)
                opened.append(at)
            elif not opened:
                hint = f"take it away, or open it with `{_OPENING[sign]}`"
                label = "nothing to close"
                fault = Fault("RS003", f"`{sign}` closes nothing", at, at + 1, number, label, hint)
                found.append((fault, [at]))
            elif shape[opened[-1]] != _OPENING[sign]:
                found.append((_wrong_bracket(shape, opened, at), [*opened, at]))
                opened = []
            else:
                opened.pop()
        offset += len(line) + 1
    if opened:
        found.append((_never_closed(shape, opened[-1]), opened))
    return inside, found


# `if x == 3 {`: a brace at the end of a line that opens a block. After these words a set may begin.
_BLOCK_BRACE = re.compile(
    r"\s*(?:if|else|for|repeat|each|phase|procedure|function|value|predicate|kind|pieces|things|map|sequence|choose|may|or|"
    r"when|whenever|before|after|option|scenario)\b(?:.*?[\w)\]\"])?(?<!\bin)(?<!\band)(?<!\bor)(?<!\bnot)\s*(\{)\s*$"
)


def _block_brace(at: int, number: int) -> Fault:
    message = "a block has no braces: what belongs to a line is indented under it"
    return Fault("RS003", message, at, at + 1, number, "not needed", "take the `{` away, and the `}` that closes it")


def _begins_anew(line: str, indent: int) -> bool:
    if _indent_of(line) <= indent and line.lstrip()[0] not in _OPENING:
        return True
    word = re.match(r"\s*(\w+)(?=\s)", line)
    if word is None:
        return line.lstrip()[0] == "|"
    # `or`, `if`, `else` and `for` may well stand inside an expression that runs on.
    return word[1] in STATEMENTS and word[1] not in ("or", "if", "else", "for")


def _never_closed(shape: str, at: int) -> Fault:
    close = _CLOSING[shape[at]]
    return Fault("RS003", f"`{shape[at]}` is never closed", at, at + 1, 0, "opened here", f"close it with `{close}`")


def _wrong_bracket(shape: str, opened: list[int], at: int) -> Fault:
    inner = opened[-1]
    wanted, sign = _CLOSING[shape[inner]], shape[at]
    # Is it the bracket around that this one was meant for?
    is_outer = len(opened) > 1 and shape[opened[-2]] == _OPENING[sign]
    hint = f"write `{wanted}{sign}`" if is_outer else f"write `{wanted}`"
    other = (inner, inner + 1, "opened here")
    message = f"`{shape[inner]}` is closed by `{sign}`"
    return Fault("RS003", message, at, at + 1, 0, f"expected `{wanted}`", hint, other)


def _mend_columns(text: str, inside: set[int], base: int, faults: Faults) -> str:
    """Blank the lines that start in a column where nothing above them starts."""
    lines = text.split("\n")
    shape = masked(text).split("\n")
    levels = [0]
    offset = 0
    misfit = -1
    too_deep = _too_deep_lines(shape, inside)
    for number, line in enumerate(shape):
        start, offset = offset, offset + len(line) + 1
        if not line.strip() or number in inside:
            continue
        indent = _indent_of(line)
        if number in too_deep:
            if number - 1 not in too_deep:
                message = "this line is further in than the lines below it, and nothing above it takes it in"
                hint = f"indent it by {too_deep[number]} spaces, or write above it what it belongs to"
                end = start + indent + len(line.split()[0])
                label = f"{indent} spaces before it"
                faults.add(Fault("RS002", message, start + indent, end, number, label, hint), base)
            faults.lines.add(faults.source.line_of(base + start))
            lines[number] = " " * len(line)
            continue
        if misfit >= 0 and indent >= misfit:
            lines[number] = " " * len(line)
            continue
        misfit = -1
        if indent > levels[-1]:
            levels.append(indent)
        while indent < levels[-1]:
            shallower = levels.pop()
            if indent > levels[-1]:
                nearest = min((shallower, levels[-1]), key=lambda level: abs(level - indent))
                message = "this line starts in a column where no line above it starts"
                hint = f"indent it by {nearest} spaces" if nearest else "start it at the left margin"
                label = f"{indent} space{'s' if indent > 1 else ''} before it"
                end = start + indent + len(line.split()[0])
                faults.add(Fault("RS002", message, start + indent, end, number, label, hint), base)
                lines[number] = " " * len(line)
                misfit = indent
                levels.append(shallower)
                break
    return "\n".join(lines)


def _too_deep_lines(shape: list[str], inside: set[int]) -> dict[int, int]:
    """Lines that stand first under another and deeper than all that follow there, which stand where they should:
    their own head is missing, or their indentation is wrong. With each, the column where it should stand."""
    found: dict[int, int] = {}
    opened: list[tuple[int, int]] = [(0, -1)]  # the columns of lines that something may stand under, and where
    for number, line in enumerate(shape):
        if not line.strip() or number in inside:
            continue
        indent = _indent_of(line)
        while len(opened) > 1 and indent < opened[-1][0]:
            column, first = opened.pop()
            around = opened[-1][0]
            if around < indent < column and indent == around + _STEP and column > around + _STEP:
                deep = [n for n in range(first, number) if shape[n].strip() and n not in inside]
                found.update(dict.fromkeys(deep, indent))
        if indent > opened[-1][0]:
            opened.append((indent, number))
    return found


_STEP = 4


# ---- before Lark: lines that were not indented -----------------------------------------------------------


def report_strays(pieces: list[tuple[int, str]], faults: Faults) -> set[int]:
    """Lines at the left margin that belong under what is above them; the first of a run is reported."""
    strays: set[int] = set()
    above = ""
    for at, (start, piece) in enumerate(pieces):
        if at and _is_stray(piece, above, pieces[at - 1][0] in strays):
            if pieces[at - 1][0] not in strays:
                head = " ".join(above.split()[:2]).rstrip(",:(")
                first = re.match(r"\w+|\S", piece)
                fault = Fault(
                    "RS002",
                    f"this line belongs under `{head}`, but starts at the left margin",
                    0,
                    first.end() if first else 1,
                    0,
                    "expected further in",
                    "indent it by four spaces",
                )
                faults.add(fault, start)
                if not _has_block(above):
                    # That nothing is indented there has now been said.
                    faults.lines.add(faults.source.line_of(pieces[at - 1][0]))
            strays.add(start)
        else:
            above = piece
    return strays


_PARTS_OF_EXAMPLES = (
    "given", "assume", "play", "expect", "try", "legal", "asks", "never", "outcome", "outcomes", "journal", "case",
)  # fmt: skip


def _is_stray(piece: str, above: str, after_stray: bool) -> bool:
    word = re.match(r"\w*", piece)
    first = word.group() if word else ""
    head = re.match(r"\w*", above)
    owner = meant_declaration(head.group()) if head else None
    if owner == "example" and first in _PARTS_OF_EXAMPLES:
        return True
    if first in DECLARATIONS or owner is None:
        return False
    if owner in ("map", "things", "table", "counts"):
        # One more of what stands there already.
        alike = re.escape(first) if first[:1].isupper() else r"\|" if piece.startswith("|") else "$^"
        if re.search(rf"\n +{alike}(?!\w)", above) is not None:
            return True
    if first not in STATEMENTS and meant_declaration(first) is not None:
        return False
    is_statement = first in STATEMENTS or re.match(r'[\w.]+\s*[-+]?=|[\w.]+\(|"', piece) is not None
    takes_block = any(owner in words.split() for words in _HEADS.values())
    return after_stray or (is_statement and owner in RULES_WITH_STATEMENTS) or (takes_block and not _has_block(above))


def _has_block(piece: str) -> bool:
    return re.search(r"\n +[^\s#]", piece) is not None


# ---- after Lark stopped: something harmless in place of the line -----------------------------------------

# What may stand in a block, with and without lines under it, from the commonest on.
_WITHOUT_BLOCK = ('""', "| 1 |", "or x", '1 x ""', "1: x", "x: choose x in x")
_WITH_BLOCK = ("if no", "if x", "enter x", "x", "x y", "phase x")
# A name that nobody writes.
NAMELESS = "\u0298"
_HEADS = {
    f"phase {NAMELESS}": "phase procedure sequence aside before after when whenever restrict",
    f"value {NAMELESS} -> {NAMELESS}": "value function",
    f"predicate {NAMELESS}": "predicate",
    "kind x": "kind pieces",
    "map x": "map",
    "things": "things",
    "route x from x by x": "route",
    "table x() -> x": "table",
    "counts x": "counts",
    "players x": "players",
    "option x": "option scenario with",
    'rulebook ""': "rulebook",
    'check ""': "check invariant",
    'game ""': "game",
    "extend x": "extend",
}


def shortened(text: str, place: int) -> Iterator[str]:
    """The text with its first line cut off before `place`, and further and further back, down to two words: what is
    declared there, and under which name, can often be told from less than the whole line."""
    head, end, rest = text.partition("\n")
    cut = head[:place].rstrip()
    for _ in range(_CUTS):
        if len(cut.split()) < 2 and cut != "sequence":
            return
        if all(cut.count(opened) == cut.count(close) for opened, close in _CLOSING.items()):
            yield cut.ljust(len(head)) + end + rest
        cut = re.sub(r"\s*(?:\w+|[^\w\s])$", "", cut)


_CUTS = 6


def follows(fault: Fault, stop: Stop, before: Fault, stop_before: Stop) -> bool:
    """Whether a fault says no more than the one before it: the next line of a block that stands in the wrong place."""
    between = stop.text.split("\n")[before.line + 1 : fault.line]
    if fault.line == before.line and stop.token == stop_before.token == "_INDENT":
        return True  # nothing as short as that line takes a block, and what stands under it is still there
    if fault.line > before.line and not any(line.strip() for line in between):
        alike = _bare(fault.message) == _bare(before.message) and stop.indent == stop_before.indent
        if alike and stop.wanted == stop_before.wanted and (stop.column <= stop.indent or "belongs" in fault.message):
            return True
    return False


def _bare(message: str) -> str:
    return re.sub(r"`[^`]*`", "", message)


def mended(text: str, line: int, attempt: Callable[[str], Stop | None]) -> tuple[str, Stop | None] | None:
    """The text with one line replaced, and where reading stops next; None when nothing can be done."""
    best: tuple[str, Stop] | None = None
    for candidate in _candidates(text, line):
        stop = attempt(candidate)
        if stop is None or is_orderly(stop, line):
            return candidate, stop
        if best is None or stop.place > best[1].place:
            best = candidate, stop
    return best


def is_orderly(stop: Stop, line: int) -> bool:
    """Whether this looks like a mistake of the designer's, and not like one we made by replacing the line."""
    return (
        stop.number > line
        and stop.column > stop.indent
        and stop.token not in ("_INDENT", "_DEDENT", "$END")
        and stop.first not in ("or", "else")
        and stop.wanted != {"_INDENT"}
    )


def _candidates(text: str, line: int) -> Iterator[str]:
    lines = text.split("\n")
    while line > 0 and not lines[line].strip():
        line -= 1
    indent, width = _indent_of(lines[line]), len(lines[line])
    end = _end_of_block(lines, line)
    has_block = any(later.strip() for later in lines[line + 1 : end])
    word = re.match(r"\s*(\w*)", lines[line])
    first = word[1] if word else ""
    if line > 0 and first not in STATEMENTS:
        first = next(iter(nearest_names(first, STATEMENTS)), first)
    last = end
    other_way = re.compile(rf" {{{indent}}}(?:or|else)\b")
    while last < len(lines) and other_way.match(lines[last]):
        last = _end_of_block(lines, last)

    if line == 0:
        head = meant_rule(text)
        fillers = [filler for filler, words in _HEADS.items() if head in words.split()] if has_block else []
    else:
        fillers = list(_WITH_BLOCK if has_block else _WITHOUT_BLOCK)
        replacing = re.match(r"\s*replace\s+(\w+)", lines[line])
        head = meant_declaration(replacing[1] if replacing else first) if first not in STATEMENTS else None
        if has_block and head is not None:
            # A declaration within an option: what stands under it can be read as it was meant.
            fillers[:0] = [filler for filler, words in _HEADS.items() if head in words.split()]
        if first in ("choose", "may") or (last > end and re.match(r"\s*or\b", lines[end])):
            fillers.insert(0, "choose x in x")
        elif first == "or":
            fillers.insert(0, "or x")
        elif first in ("repeat", "for") and has_block:
            fillers.insert(0, "repeat")  # so that a `stop` in it has something to leave
        elif first == "else":
            fillers[:0] = ["else", "else if no"]
    for filler in fillers:
        if indent + len(filler) <= width:
            replaced = (" " * indent + filler).ljust(width)
            yield "\n".join([*lines[:line], replaced, *lines[line + 1 :]])
    if line > 0:
        for until in dict.fromkeys((line + 1 if not has_block else end, end, last)):
            blank = [" " * len(each) for each in lines[line:until]]
            yield "\n".join([*lines[:line], *blank, *lines[until:]])


def _end_of_block(lines: list[str], line: int) -> int:
    """The first line after `line` that is not indented under it."""
    indent = _indent_of(lines[line])
    end = line + 1
    while end < len(lines) and (not lines[end].strip() or _indent_of(lines[end]) > indent):
        end += 1
    return end
