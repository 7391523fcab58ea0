"""What to say about the place where reading stopped.

In comes the place; out goes a `Fault`. Mistakes that take more than a look at the line (blocks that are missing or in
the wrong column, words that begin no line) are found here; then the table of patterns is asked (`mistake_table.py`),
and last what was expected (`faults.py`). What is never right anywhere, such as `&&` or a curly quote, is found in
`spellings.py` before Lark looks at all.
"""

from __future__ import annotations

import re

from attrs import evolve

from rulescript.diagnostics.spelling import nearest_names
from rulescript.syntax.faults import WORD, Fault, Stop, fault_by_expectation, masked
from rulescript.syntax.mistake_table import RULES

__all__ = ["DECLARATIONS", "RULES_WITH_STATEMENTS", "STATEMENTS", "fault_of", "meant_declaration", "meant_rule"]

LONGEST_LINE = 400

DECLARATIONS = (
    "adjust", "after", "amend", "aside", "before", "check", "counts", "either", "example", "exception", "extend",
    "function", "game", "holds", "include", "invariant", "kind", "map", "option", "pieces", "phase",
    "players", "predicate", "procedure", "remove", "replace", "restrict", "reword", "route", "rulebook", "rulescript",
    "scenario", "sequence", "signal", "standing", "state", "table", "things", "value", "values", "when", "whenever",
    "with",
)  # fmt: skip
STATEMENTS = (
    "require", "choose", "may", "each", "together", "if", "else", "for", "repeat", "let", "move", "place",
    "draw", "roll", "shuffle", "reveal", "signal", "return", "stop", "end", "tell",
    "headline", "or",
)  # fmt: skip
# The declarations whose block is made of statements.
RULES_WITH_STATEMENTS = frozenset(
    {
        "phase", "procedure", "function", "value", "predicate", "sequence", "aside", "before", "after",
        "when", "whenever", "restrict", "replace",
    }
)  # fmt: skip
# What other languages call it.
FOREIGN_DECLARATIONS = {
    "def": "function", "func": "function", "fn": "function", "fun": "function", "const": "function",
    "sub": "procedure", "proc": "procedure", "void": "procedure", "action": "procedure", "rule": "procedure",
    "class": "kind", "struct": "kind", "type": "kind", "record": "kind", "enum": "values",
    "unit": "pieces", "units": "pieces", "counter": "pieces", "counters": "pieces", "piece": "pieces",
    "import": "include", "use": "include", "using": "include", "var": "state", "global": "state",
    "event": "signal", "on": "when", "test": "example", "assert": "check", "board": "map",
    "variant": "option", "optional": "option", "modify": "adjust", "at": "after", "turn": "sequence", "chart": "table",
}  # fmt: skip


def fault_of(stop: Stop, *, is_declaration: bool = True, is_hurried: bool = False) -> Fault:
    """What to say about the place where reading stopped; in a hurry, only what was wanted there."""
    if is_hurried:
        return fault_by_expectation(stop)
    whole = (
        _missing_block, _interrupted_block, _unexpected_indent, _indented_declaration, _dedented_effect, _only_way,
        _no_declaration, _statement_among_rules, _misspelt_line, _misspelt_statement, _written_twice, _attributes_below,
    )  # fmt: skip
    for find in whole if is_declaration else ():
        fault = find(stop)
        if fault is not None:
            return fault
    # Patterns take their time over a line of a thousand words, and no designer writes one.
    for rule in RULES if len(stop.line) <= LONGEST_LINE else ():
        fault = rule.fault_at(stop)
        if fault is not None:
            return _where_it_was_named(stop, fault) if fault.code == "RS106" else fault
    return _missing_comparison(stop) or fault_by_expectation(stop)


def _where_it_was_named(stop: Stop, fault: Fault) -> Fault:
    """A word of the language that was taken for a name further above, where that can be read, is wrong there."""
    word = re.escape(stop.text[fault.start : fault.end])
    named = re.compile(rf"(?m)^[ ]+(?:let[ ]+|roll\b.*[ ]as[ ]+|(?:for|each)[ ]+)({word})\b")
    found = [match.span(1) for match in named.finditer(stop.text, 0, stop.line_start)]
    return evolve(fault, start=found[-1][0], end=found[-1][1]) if found else fault


def meant_declaration(word: str) -> str | None:
    """The declaration a word stands for: itself, another language's word for it, or a slip of the finger."""
    if word in DECLARATIONS:
        return word
    foreign = FOREIGN_DECLARATIONS.get(word.lower())
    if foreign is not None:
        return foreign
    near = nearest_names(word, DECLARATIONS)
    return near[0] if near else None


# What only a rule that changes something does.
_DOES_SOMETHING = re.compile(
    r"\n[ ]+(?:(?:choose|may|each|together|repeat|move|place|draw|roll|shuffle|reveal|signal|stop|end|tell|headline)[ ]"
    r"|(?:repeat|together|stop)[ ]*\n|[\w.]+[ ]*(?:[-+]=|=(?!=)))"
)


def meant_rule(text: str) -> str | None:
    """The declaration that a text is meant to be, by its first word and by what stands under it: what other languages
    begin with one word is a function here if it only looks, and a procedure if it does something."""
    head = re.match(r"\w+", text)
    meant = meant_declaration(head.group()) if head else None
    is_foreign = head is not None and head.group() not in DECLARATIONS
    return "procedure" if is_foreign and meant == "function" and _DOES_SOMETHING.search(text) else meant


def _line_above(stop: Stop) -> Stop:
    """The last place of the nearest line above that says anything."""
    above = stop
    while above.line_start:
        above = Stop(stop.text, above.line_start - 1, stop.wanted)
        if above.line.strip():
            break
    return above


def _head(stop: Stop) -> str:
    """The beginning of a line, enough to know it by."""
    words = stop.written(stop.indent, len(stop.line)).split()
    return " ".join(words[:2]).rstrip(",:(")


def _missing_block(stop: Stop) -> Fault | None:
    if stop.wanted != {"_INDENT"}:
        return None
    # Reading went on to the next line, or to the end: what lacks its block is the line above, or this one.
    opener = stop if stop.token == "$END" and stop.line.strip() else _line_above(stop)
    what = _head(opener)
    end = len(opener.line)
    if opener is stop or stop.indent < opener.indent or not stop.found:
        return opener.fault(
            f"nothing is indented under `{what}`",
            "expected indented lines below",
            f"write what belongs to it below, indented by {opener.indent + 4} spaces",
            code="RS002",
            at=(end, end + 1),
        )
    fault = stop.fault(
        f"this line belongs under `{what}`, but stands no further in",
        "expected further in",
        f"indent it by {opener.indent + 4} spaces",
        code="RS002",
    )
    other = (opener.line_start + opener.indent, opener.line_start + end, "this needs lines under it")
    return evolve(fault, line=opener.number, other=other)


def _unexpected_indent(stop: Stop) -> Fault | None:
    if stop.token != "_INDENT":
        return None
    above = _line_above(stop)
    first, at = above.first, (above.indent, above.indent + len(above.first))
    if first == "else":
        dedented = _dedented_effect(above)
        if dedented is not None:
            return dedented
        message = "this `else` does not line up with the `if` it belongs to"
        hint = "start `else` in the same column as `if`"
        return above.fault(message, "not lined up with an `if`", hint, at=at)
    if above.indent % 4 and not stop.indent % 4 and stop.indent - above.indent < 4:
        fault = above.fault(
            f"this line starts with {above.indent} spaces, and the line below with {stop.indent}",
            f"{above.indent} space{'s' if above.indent > 1 else ''} before it", f"indent it by {stop.indent} spaces",
            code="RS002", at=at,
        )  # fmt: skip
        return fault
    near = nearest_names(first, ("repeat", "together", "else"))
    if near or first.lower() in ("loop", "do", "forever", "begin"):
        meant = near[0] if near else "repeat"
        return above.fault(f"no block begins with `{first}`", "not known", f"did you mean `{meant}`?", at=at)
    hint = f"indent it by {above.indent} spaces, like the line above"
    fault = stop.fault(
        f"this line is indented, but `{_head(above)}` takes no lines under it",
        "too far in",
        hint if above.indent else "start it at the left margin",
        code="RS002",
    )
    other = (above.line_start + above.indent, above.line_start + len(above.line), "this opens no block")
    return evolve(fault, line=above.number, other=other)


def _interrupted_block(stop: Stop) -> Fault | None:
    """A line too far out, among others under a choice: reading stops at the next one, which stands right."""
    if stop.token != "_INDENT":
        return None
    dedented = _line_above(stop)
    opener = before = _line_above(dedented)
    is_begun = before.first == "require" or dedented.first == "require" or _goes_on(dedented)
    if before.indent != stop.indent or not is_begun:
        return None
    while opener.line_start and opener.indent > dedented.indent:
        opener = _line_above(opener)
    if opener.indent != dedented.indent or opener.first not in ("choose", "may", "or"):
        return None
    return _too_far_out(dedented, opener, f"indent it by {stop.indent} spaces, like the lines around it")


def _too_far_out(line: Stop, opener: Stop, hint: str) -> Fault:
    """A line that should stand under another."""
    fault = line.fault(
        f"this line belongs under `{_head(opener)}`, but stands no further in",
        "expected further in",
        hint,
        code="RS002",
        at=(line.indent, len(line.line)),
    )
    other = (opener.line_start + opener.indent, opener.line_start + len(opener.line), "it ends what stands under this")
    return evolve(fault, other=other)


# What stands at the margin of a file, and nowhere else but in an option.
_AT_THE_MARGIN = (
    "phase", "procedure", "sequence", "kind", "pieces", "things", "map", "counts", "players", "function", "value",
    "predicate", "route", "table", "aside", "invariant", "check", "example", "rulebook", "option", "scenario", "values",
)  # fmt: skip


def _indented_declaration(stop: Stop) -> Fault | None:
    """`    phase battles "Battles"`, under the last lines of another phase; a thing under the thing above it."""
    first = stop.first
    if not stop.indent or stop.column > stop.indent + len(first) + 1:
        return None
    at = (stop.indent, stop.indent + len(first))
    owner = _line_above(stop)
    if first == owner.first and owner.indent < stop.indent and first[:1].isupper():
        hint = f"indent it by {owner.indent} spaces, like the line above"
        return stop.fault("this line begins like the one above, but stands further in", "too far in", hint, at=at)
    while owner.line_start and owner.indent:
        owner = _line_above(owner)
    if first not in _AT_THE_MARGIN or owner.first in ("option", "scenario", "with", "things", "map"):
        return None
    hint = f"take away the {stop.indent} spaces before it"
    return stop.fault(f"`{first}` begins at the left margin", "too far in", hint, code="RS002", at=at)


_KIND = re.compile(rf"(kind|pieces)\s+({WORD})\s*:\s*$")
_ATTRIBUTE = re.compile(rf"\s+(?:-\s*)?({WORD})\s*(?::\s*([^:]*[^:,;\s]))?[,;]?\s*$")


def _attributes_below(stop: Stop) -> Fault | None:
    """`kind Town:`, and the attributes on lines of their own, as in other languages."""
    head = _KIND.match(stop.line)
    if head is None:
        return None
    found: list[str] = []
    for line in stop.text[stop.line_start :].split("\n")[1:]:
        attribute = _ATTRIBUTE.match(masked(line).rstrip())
        if attribute is None:
            break
        name, type_ = attribute.groups()
        found.append(f"{name}: {type_ or 'bool'}")
    if not found:
        return None
    colon = len(stop.line) - 1
    where = "a kind stand on its line" if head[1] == "kind" else "pieces stand on their line"
    fault = stop.fault(
        f"the attributes of {where}, after the `:`",
        "expected here", f"write `{stop.line.rstrip()} {', '.join(found)}`", at=(colon, colon + 1),
    )  # fmt: skip
    return evolve(fault, below=len(found))


_TWICE = re.compile(rf"(?:^|[\s.(\[])({WORD}|\d+|[-+=!<>]=|[-+*:,=<>])\s+\1$")


def _written_twice(stop: Stop) -> Fault | None:
    """`if if x`, `a == == b`: reading stops at the second, or right after it."""
    for until in (stop.column + len(stop.found), len(stop.line[: stop.column].rstrip())):
        twice = _TWICE.search(stop.line[max(0, until - 80) : until])
        if twice is not None:
            word = twice[1]
            at = (until - len(word), until)
            return stop.fault(f"`{word}` is written twice", "a second time", f"take away one `{word}`", at=at)
    return None


_CONDITION = re.compile(
    rf"\s*(?:require|if|else\s+if|repeat\s+while|repeat\s+until)\s+(?:not\s+)?({WORD}(?:\.{WORD})*)\s+({WORD}|\d+)"
)


def _missing_comparison(stop: Stop) -> Fault | None:
    """`require a capital`, and `require smoe a.units`."""
    found = _CONDITION.match(stop.line)
    if found is None or found.start(2) != stop.column:
        return None
    one, other = found[1], found[2]
    near = nearest_names(one, ("some", "none", "every", "most", "least", "not"))
    if near:
        message = f"`{other}` cannot stand after `{one}`"
        return stop.fault(message, "cannot be read here", f"did you mean `{near[0]} {other}`?", at=found.span(1))
    message = f"a comparison is missing between `{one}` and `{other}`"
    return stop.fault(message, "expected a sign such as `==` before this", f"write for example `{one} == {other}`")


_BELONGS = {"or": ("choose", "may", "or"), "else": ("if", "else")}


def _dedented_effect(stop: Stop) -> Fault | None:
    """An `or` or `else` that lines up with its `choose` or `if`, but lines between them stand no further in: what is
    wrong is the first of those."""
    if stop.wanted == {"or"} and stop.column <= stop.indent and _goes_on(stop):
        word, last = "or", stop
    elif stop.first in _BELONGS:
        word, last = stop.first, None
    else:
        return None
    above = _line_above(stop)
    while above.line_start and above.indent >= stop.indent:
        if above.indent == stop.indent:
            if above.first in _BELONGS[word]:
                break
            last = above
        above = _line_above(above)
    if above.indent != stop.indent or above.first not in _BELONGS[word]:
        return None
    if last is None:
        return _other_way_of_may(stop, above) if above.first == "may" else None
    further_in = f"indent it by {above.indent + 4} spaces"
    return _too_far_out(last, above, f"{further_in}; the `{word}` below goes on with the `{above.first}` above")


def _other_way_of_may(stop: Stop, may: Stop) -> Fault:
    what = may.written(may.indent, len(may.line)).removeprefix("may").strip().removeprefix("choose").strip()
    fault = stop.fault(
        "a `may` can be declined as it is: an `or` belongs to `choose`",
        "not after `may`",
        f"take this away, or write `choose {what}` above",
        at=(stop.indent, len(stop.line)),
    )
    other = (may.line_start + may.indent, may.line_start + len(may.line), "this may be declined")
    return evolve(fault, other=other)


def _goes_on(stop: Stop) -> bool:
    """Whether an `or` follows in the column of this line, before anything that stands further out."""
    for line in stop.text[stop.line_start :].split("\n")[1:]:
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent <= stop.indent:
            if indent < stop.indent:
                return False
            if re.match(r"\s*or\b", line):
                return True
    return False


def _only_way(stop: Stop) -> Fault | None:
    """`choose dig "Dig in"` and no `or` under it: where there is nothing to pick, there are several ways."""
    if stop.wanted != {"or"} or stop.column > stop.indent:
        return None
    opener = _line_above(stop)
    while opener.line_start and (opener.first != "choose" or opener.indent < stop.indent):
        opener = _line_above(opener)
    if opener.first != "choose":
        return None
    return opener.fault(
        "this choice has only one way, and nothing to pick",
        "expected `or ...` after it and what stands under it",
        'write another way below, such as `or pass "Do nothing"`; or `may` in place of `choose`',
        at=(opener.indent, len(opener.line)),
    )


# What the lines under a declaration begin with, where not with a name.
_LINES = {
    "kind": ("has", "state", "holds", "home", "text", "does", "in", "hidden"),
    "pieces": ("has", "state", "holds", "home", "text", "does", "in", "hidden"),
    "route": ("enter", "through", "step"),
    "option": DECLARATIONS,
    "scenario": DECLARATIONS,
    "with": DECLARATIONS,
}
_OWNERS = {"kind": "a kind", "pieces": "a kind of pieces", "route": "a route"}


def _misspelt_line(stop: Stop) -> Fault | None:
    """`satte vp: int` under a kind."""
    first = stop.first
    if not stop.line_start or not stop.indent:
        return None
    replaced = re.match(rf"\s*replace\s+({WORD})", stop.line)
    if replaced and replaced[1] not in DECLARATIONS and (near := nearest_names(replaced[1], DECLARATIONS)):
        message = f"no declaration begins with `{replaced[1]}`"
        return stop.fault(message, "not known", f"did you mean `replace {near[0]}`?", at=replaced.span(1))
    if stop.line.strip() == "link" and not stop.found:
        return stop.fault("expected a sort of link after `link`", "such as `road`", "write for example `link road`")
    owner = _line_above(stop)
    while owner.line_start and owner.indent >= stop.indent:
        owner = _line_above(owner)
    if owner.first == "rulebook":
        message = "a line of the index is a number, what sort of rule it is, and its title in quotes"
        return stop.fault(message, "cannot be read here", 'write for example `4.6 procedure "Movement"`')
    words = _LINES.get(owner.first, ())
    if owner.first in ("things", "map", "players") and first in ("has", "holds", "home", "hidden"):
        message = f"`{first}` belongs under a `kind` or `pieces`"
        return stop.fault(message, "cannot be read here", "write `kind Some_Name` above it, at the left margin")
    if owner.first in ("kind", "pieces") and re.match(r"\s+(?:link\b|[A-Z]\w*\s+[A-Z])", stop.line):
        message = f"this line belongs to a map or a list of things, not to {_OWNERS[owner.first]}"
        hint = "write `things` or `map Some_Name` above it, at the left margin"
        return stop.fault(message, "cannot be read here", hint, at=(stop.indent, stop.indent + len(first)))
    if not first or not words or first in words or first in _OTHER_WORDS:
        return None
    near = nearest_names(first, words)
    if not near:
        return None
    said = f"no line of {_OWNERS[owner.first]}" if owner.first in _OWNERS else "no declaration"
    at = (stop.indent, stop.indent + len(first))
    return stop.fault(f"{said} begins with `{first}`", "not known", f"did you mean `{near[0]}`?", at=at)


def _statement_among_rules(stop: Stop) -> Fault | None:
    """`tell "..."` right under an option or a card, where only rules can stand."""
    first = stop.first
    if not stop.line_start or not stop.indent or first not in STATEMENTS or not {"restrict", "adjust"} <= stop.wanted:
        return None
    return stop.fault(
        f"`{first}` is something a rule does, and here stand rules",
        "belongs under a rule",
        "write `before ...`, `after ...` or `when ...` above it, and indent it further",
        at=(stop.indent, stop.indent + len(first)),
    )


def _no_declaration(stop: Stop) -> Fault | None:
    """A word at the left margin that begins no declaration."""
    first, found = stop.first, stop.found
    if stop.line_start or stop.indent or first in DECLARATIONS:
        return None
    at = (0, len(first or found))
    label = "not a kind of declaration"
    if not first:
        return stop.fault(f"no declaration begins with `{found}`", "expected a word such as `phase`", at=at)
    if first in STATEMENTS:
        return stop.fault(
            f"`{first}` cannot stand at the left margin",
            "belongs under a phase, a procedure or another rule",
            "write `phase some_name` above it, and indent it by four spaces",
            at=at,
        )
    meant = meant_declaration(first)
    if first.lower() == meant:
        return stop.fault(f"`{first}` is written small: `{meant}`", label, f"write `{meant}`", at=at)
    if first.lower() in FOREIGN_DECLARATIONS:
        meant = meant_rule(stop.text)
        message = f"no declaration begins with `{first}`; here the word is `{meant}`"
        return stop.fault(message, label, f"write `{meant}`", at=at)
    typed = re.match(r"(?P<type>[A-Z]\w*|int|bool|text)\s+(?P<name>[a-z]\w*)\s*(?P<start>=.*)?$", stop.line)
    if typed is not None:
        start = f" {typed['start'].strip()}" if typed["start"] else ""
        hint = f"write `state {typed['name']}: {typed['type']}{start}`"
        return stop.fault("of a state its name comes first, then its type", "expected `state`", hint, at=at)
    guess = f"did you mean `{meant}`?" if meant else None
    return stop.fault(f"no declaration begins with `{first}`", label, guess, at=at)


# Not slips of the finger but other languages' words, which the table knows.
_OTHER_WORDS = frozenset(
    {
        "set", "var", "const", "print", "say", "log", "while", "unless", "elif", "elsif", "elseif", "all", "any",
        "enter", "step", "through", "remove",
    }
)  # fmt: skip


def _misspelt_statement(stop: Stop) -> Fault | None:
    """`chose t in Tile`: read as a name, and impossible only at the second word or the third."""
    first = stop.first
    beginning = re.match(rf"\s*{WORD}\s+(?:not\s+)?(?=[\w\"])", stop.line)
    if not stop.line_start or beginning is None or not stop.indent < stop.column <= beginning.end():
        return None
    if first in STATEMENTS or first in _OTHER_WORDS or not stop.wanted & {"and", "in"}:
        return None
    near = nearest_names(first, STATEMENTS)
    if not near:
        return None
    at, meant = (stop.indent, stop.indent + len(first)), near[0]
    if first.lower() == meant:
        return stop.fault(f"`{first}` is written small: `{meant}`", "not known", f"write `{meant}`", at=at)
    return stop.fault(f"no statement begins with `{first}`", "not known", f"did you mean `{meant}`?", at=at)
