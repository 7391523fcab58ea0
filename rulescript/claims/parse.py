"""The lines of an example -> steps. Written by hand, since these lines are closer to notes than to a
program.

In comes an `example` declaration with its raw lines; out comes a Plan, and diagnostics for lines that
cannot be read. Only the form is looked at here: whether there is a space of that name is found out when the
example is run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from rulescript import nodes as n
from rulescript.analysis.active import named_by
from rulescript.analysis.checks.unknown_citation import citation_hint
from rulescript.calls import is_number
from rulescript.claims import steps as s
from rulescript.diagnostics import Reporter
from rulescript.diagnostics.spelling import nearest_names, spelling_hint
from rulescript.source import Span

__all__ = ["parse_example", "part", "split", "trimmed"]

_OPEN, _CLOSE = "([{", ")]}"
_NESTED = re.compile(r'["(){}\[\]]')
_CITES = re.compile(r"(?:[§@]\s?[A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*\s*,?\s*)+$")
_CITE = re.compile(r"[§@]\s?([A-Za-z0-9]+(?:[.\-][A-Za-z0-9]+)*)")
# A line about what lies in a place: several of them, and conditions, may be joined with `and`.
_PLACED = re.compile(r"\s(?:is|are)\s+(?:not\s+)?empty$|\shas\s")
# What stands for each letter inside brackets and quotes: no space, or a separator would swallow it.
_BLANK = "\0"
_COMPARED = re.compile(rf"[=<>]|\sin\s|^not\s|^[^\W\d]\w*(?:{_BLANK}+|(?:\.\w+)+)$")
_SEES = re.compile(r"([^\W\d][^:=<>(\[]*?)\s+(sees|does\s+not\s+see)\s+")
_EACH_CASE = re.compile(r"play\s*,?\s+before\s+(?:each|every)\s+case\b\s*:?")
_SECTIONS = (
    "with",
    "given",
    "assume",
    "play",
    "expect",
    "case",
    "try",
    "legal",
    "asks",
    "never",
    "outcome",
    "journal",
    "outcomes",
)
# What others call them.
_OTHER_SECTIONS = {
    "setup": "given setup",
    "start": "given setup",
    "when": "play",
    "do": "play",
    "then": "expect",
    "assert": "expect",
    "should": "expect",
}
_GIVENS = "`given setup` is how the game begins, `given empty` a board with nothing on it"
_CLAIMS = ("try", "legal", "asks", "never", "outcome", "outcomes", "journal", "not")


# ------------------------------------------------------------------ stretches of text


def trimmed(span: Span) -> Span:
    """The same without space at its ends."""
    text = span.text
    if text and not text[0].isspace() and not text[-1].isspace():
        return span
    start = span.start + len(text) - len(text.lstrip())
    return Span(span.source, start, max(start, span.start + len(text.rstrip())))


def part(span: Span, start: int, end: int | None = None) -> Span:
    """A part of a stretch, by offsets into it, without space at its ends."""
    return trimmed(Span(span.source, span.start + start, span.start + end if end is not None else span.end))


def _level_text(text: str) -> str:
    """The text with everything inside brackets and quotes blanked out."""
    if not _NESTED.search(text):
        return text
    out: list[str] = []
    depth = 0
    quoted = False
    for char in text:
        if quoted:
            quoted = char != '"'
            out.append(_BLANK)
        elif char == '"':
            quoted = True
            out.append(_BLANK)
        elif char in _OPEN:
            depth += 1
            out.append(_BLANK)
        elif char in _CLOSE:
            depth = max(0, depth - 1)
            out.append(_BLANK)
        else:
            out.append(char if depth == 0 else _BLANK)
    return "".join(out)


def split(span: Span, separator: str = ",") -> list[Span]:
    """A stretch cut at separators that stand outside brackets and quotes; empty parts are left out."""
    text = span.text
    cuts = [m.span() for m in re.finditer(separator, _level_text(text))]
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(text)]
    return [p for p in (part(span, a, b) for a, b in zip(starts, ends, strict=True)) if p.text]


def _find(span: Span, pattern: str) -> re.Match[str] | None:
    """A pattern outside brackets and quotes."""
    return re.search(pattern, _level_text(span.text))


def _without_comment(span: Span) -> Span:
    quoted = False
    text = span.text
    for at, char in enumerate(text if "#" in text else ""):
        if char == '"':
            quoted = not quoted
        elif char == "#" and not quoted and (at == 0 or text[at - 1].isspace()):
            return trimmed(Span(span.source, span.start, span.start + at))
    return trimmed(span)


def _without_cites(span: Span) -> tuple[Span, tuple[str, ...]]:
    found = _CITES.search(span.text)
    if found is None:
        return span, ()
    rest = trimmed(Span(span.source, span.start, span.start + found.start()))
    return rest, tuple(_CITE.findall(found.group()))


def _quoted(span: Span) -> str | None:
    found = re.fullmatch(r'"(.*)"', span.text.strip())
    return found[1].replace('\\"', '"') if found else None


# ------------------------------------------------------------------ the example


def parse_example(
    example: n.Example, reporter: Reporter, cites: tuple[str, ...] = (), index: frozenset[str] = frozenset()
) -> s.Plan:
    """The steps of an example. What cannot be read is reported and left out; so are citations that the rulebook's
    index does not have, if there is one."""
    if index:
        _check_cites(example.lines, index, _named_by(index), reporter)
    return _Parser(reporter).example(example, example.cites or cites)


@lru_cache(maxsize=4)
def _named_by(index: frozenset[str]) -> frozenset[str]:
    return named_by(index)


def _check_cites(
    lines: Sequence[n.OutlineLine], index: frozenset[str], named: frozenset[str], reporter: Reporter
) -> None:
    for line in lines:
        text = line.span.text
        if "§" not in text and "@" not in text:
            _check_cites(line.lines, index, named, reporter)
            continue
        span = _without_comment(line.span)
        for found in _CITE.finditer(_level_text(span.text)):
            if found[1] not in named:
                at = part(span, found.start(), found.end())
                hint = citation_hint(index, found[1])
                reporter.error("RS109", f"the rulebook has no rule §{found[1]}", at, "not in the index", hint=hint)
        _check_cites(line.lines, index, named, reporter)


class _Parser:
    def __init__(self, reporter: Reporter) -> None:
        self.reporter = reporter

    def error(self, message: str, span: Span, label: str = "", hint: str | None = None) -> None:
        self.reporter.error("RS331", message, span, label, hint=hint)

    def example(self, example: n.Example, cites: tuple[str, ...]) -> s.Plan:
        head = Span(example.span.source, example.span.start, example.span.source.line_end(example.span.line))
        plan = s.Plan(example.title, trimmed(head), cites)
        for line in example.lines:
            span = _without_comment(line.span)
            word = _first_word(span)
            match word:
                case "with":
                    plan.withs += self.with_line(span)
                case "given":
                    if plan.given is not None:
                        self.error("this example has two `given` lines", span, "the second")
                    plan.given = self.given(span, line.lines)
                case "assume":
                    plan.assumes += self.assume(span)
                case "case":
                    case = self.case(span, line.lines)
                    if case is not None:
                        plan.cases.append(case)
                case "play" if _EACH_CASE.match(span.text):
                    before = _EACH_CASE.match(span.text)
                    assert before is not None
                    if plan.body or plan.cases:
                        where = "above what the example plays and its cases"
                        self.error(f"what is played before each case stands {where}", span)
                    plan.opening += self.section(span, line.lines, part(span, before.end()))
                case _:
                    plan.body += self.section(span, line.lines)
        if plan.opening and not plan.cases:
            hint = "write `case` lines below it, or leave out `before each case`"
            self.error("there is no case below", plan.opening[0].span, hint=hint)
        return plan

    def section(self, span: Span, lines: Sequence[n.OutlineLine], after: Span | None = None) -> list[s.Play | s.Expect]:
        """A block of play or expectations, or a single expectation. `after`: what stands after its head."""
        word = _first_word(span)
        rest = after if after is not None else part(span, len(word))
        if rest.text.startswith(":"):
            rest = part(rest, 1)
        if word == "play":
            entries: list[s.Entry] = self.entry(rest) if rest.text else []
            for line in lines:
                entries += self.entry(_without_comment(line.span))
                self._no_lines_under(line)
            if not entries and not lines and not rest.text:
                self.error("nothing is played here", span, hint="write what happens under it: `dice 3`")
            return [s.Play(span, tuple(entries))]
        if word == "expect":
            claims: list[s.Claim] = self.claim(rest) if rest.text else []
            for line in lines:
                claims += self.claim(_without_comment(line.span))
                self._no_lines_under(line)
            if not claims and not lines and not rest.text:
                self.error("nothing is expected here", span, hint="write what must be so under it")
            return [s.Expect(span, tuple(claims))]
        if word in _CLAIMS or _SEES.match(span.text):
            for line in lines:
                self._no_lines_under(line)
                self.error("nothing belongs under this line", line.span)
            return [s.Expect(span, tuple(self.claim(span)))]
        self.error(
            f"an example has no line that begins with `{word or span.text}`",
            span,
            "not understood",
            f"write `{_OTHER_SECTIONS[word]}`"
            if word in _OTHER_SECTIONS
            else spelling_hint(word, _SECTIONS) or "begin with `given`, `play`, `expect`, `try`, `legal` or `case`",
        )
        return []

    def _no_lines_under(self, line: n.OutlineLine) -> None:
        for inner in line.lines:
            self.error("nothing belongs under this line", inner.span, "indented too far")

    # -------------------------------------------------------------- with, assume

    def with_line(self, span: Span) -> list[s.With]:
        found = re.match(r"with\s+(options?|scenario|players)\b", span.text)
        if found is None:
            hint = "with options fog, mud"
            self.error("`with` names options, a scenario or a number of players", span, hint=hint)
            return []
        what = "options" if found[1].startswith("option") else found[1]
        names = split(part(span, found.end()))
        if not names or (what != "options" and len(names) > 1):
            self.error(f"`with {found[1]}` needs a name after it", span)
            return []
        if what == "options" and [x.text for x in names] == ["none"]:
            return []
        if what == "players" and not is_number(names[0].text):
            self.error("the number of players is a number", names[0])
            return []
        return [s.With(span, what, tuple(names))]

    def assume(self, span: Span) -> list[s.Assume]:
        rest = part(span, len("assume"))
        equals = _find(rest, r"(?<![=<>!])=(?!=)")
        if equals is None:
            self.error("an assumption says what a rule gives", span, hint="assume losses(...) = 3")
            return []
        left, value = part(rest, 0, equals.start()), part(rest, equals.end())
        value, _ = _without_cites(value)
        found = re.fullmatch(r"([^\W\d]\w*)\s*(?:\((.*)\))?", left.text)
        if found is None or not value.text:
            self.error("an assumption names one rule", left, hint="assume losses(...) = 3")
            return []
        name = part(left, 0, found.end(1))
        args: tuple[Span | None, ...] | None = None
        if found[2] is not None and found[2].strip() not in ("", "..."):
            given = split(part(left, found.start(2), found.end(2)))
            args = tuple(None if a.text in ("_", "...") else a for a in given)
        return [s.Assume(span, name, args, value)]

    # -------------------------------------------------------------- given

    def given(self, span: Span, lines: Sequence[n.OutlineLine]) -> s.Given | None:
        rest, _ = _without_cites(part(span, len("given")))
        found = re.match(r'(setup|set-up|empty|scenario\s+[^\W\d]\w*|like\s+"(?:[^"\\]|\\.)*")(?=$|[\s,:])', rest.text)
        if found is None:
            word = rest.text.split(",")[0]
            self.error(
                "`given` begins with setup, empty, scenario or like",
                rest if rest.text else span,
                "not understood",
                spelling_hint(word.split(" ")[0], ("setup", "empty", "scenario", "like")) or _GIVENS,
            )
            return None
        word = found[1].split()[0].replace("set-up", "setup")
        name_span = part(rest, len(found[1].split()[0]), found.end()) if " " in found[1] else part(rest, 0, found.end())
        name = (_quoted(name_span) or name_span.text) if word in ("scenario", "like") else ""
        after = part(rest, found.end())
        lead = re.match(r"(?:,|:|but\b)\s*(?:but\b)?", after.text)
        if after.text and lead is None:
            self.error("a comma is missing", after, "before this", f"given {found[1]}, {after.text}")
            return None
        changes = self.changes(part(after, lead.end() if lead else 0)) + self.change_lines(lines)
        self._begins_once(changes)
        return s.Given(span, word, name, name_span, tuple(changes))

    def change_lines(self, lines: Sequence[n.OutlineLine], inner: bool = False) -> list[s.Change]:
        out: list[s.Change] = []
        for line in lines:
            span, _ = _without_cites(_without_comment(line.span))
            made = self.changes(_without_but(span), follows=inner)
            out += made
            out += self.change_lines(line.lines, True)
        return out

    def changes(self, span: Span, follows: bool = False) -> list[s.Change]:
        """``turn 2, Mill: Blue control, 2 infantry, at movement``"""
        out: list[s.Change] = []
        if not span.text:
            return out
        trailing = span.text.endswith(":")
        for at, piece in enumerate(split(span)):
            found = re.match(r"(at|run|seed)\s+(?=\S)", piece.text)
            if found is not None and not _find(piece, ":"):
                rest = part(piece, found.end())
                if found[1] == "at":
                    out.append(s.At(piece, rest))
                elif found[1] == "run":
                    out.append(s.Run(piece, rest))
                elif is_number(rest.text):
                    out.append(s.Seed(piece, int(rest.text)))
                else:
                    self.error("a seed is a number", rest)
                continue
            equals = _find(piece, r"(?<![=<>!])=(?!=)")
            if equals is not None:
                target, value = part(piece, 0, equals.start()), part(piece, equals.end())
                if not target.text or not value.text:
                    self.error("write a state, `=` and its value", piece)
                else:
                    out.append(s.Setting(piece, target, value))
                continue
            parts = split(piece, ":")
            ends = piece.text.endswith(":")
            heads, text = (parts, part(piece, len(piece.text))) if ends else (parts[:-1], parts[-1])
            out.append(s.Item(piece, tuple(heads), text, follows or at > 0))
        if trailing and not out:
            self.error("nothing stands before the colon", span)
        return out

    def _begins_once(self, changes: Sequence[s.Change]) -> None:
        """Where play begins, and the seed, are said once: of two the first would count for nothing."""
        for sorts, what in ((s.At | s.Run, "where play begins"), (s.Seed, "the seed")):
            said = [change for change in changes if isinstance(change, sorts)]
            for again in said[1:]:
                self.error(f"{what} is said here and above", again.span, "said twice", "leave one of them out")

    def case(self, span: Span, lines: Sequence[n.OutlineLine]) -> s.Case | None:
        found = re.match(r'case\s+"((?:[^"\\]|\\.)*)"\s*:?\s*(?:but\b)?', span.text)
        if found is None:
            self.error("a case has a title", span, hint='case "b": but turn 3')
            return None
        rest, _ = _without_cites(part(span, found.end()))
        changes = self.changes(rest)
        assumes: list[s.Assume] = []
        withs: list[s.With] = []
        body: list[s.Play | s.Expect] = []
        for line in lines:
            inner = _without_comment(line.span)
            word = _first_word(inner)
            if word == "assume":
                assumes += self.assume(inner)
            elif word == "with":
                withs += self.with_line(inner)
            elif _SEES.match(inner.text) or (
                word in ("play", "expect", *_CLAIMS) and not (word == "not" and _find(inner, ":"))
            ):
                body += self.section(inner, line.lines)
            elif word == "given":
                self.error("a case has the `given` of its example", inner, hint="write only what differs: but ...")
            else:
                changes += self.change_lines([line])
        if not body:
            self.error(f'case "{found[1]}" plays and expects nothing', span)
        self._begins_once(changes)
        return s.Case(span, found[1], tuple(changes), tuple(assumes), tuple(withs), tuple(body))

    # -------------------------------------------------------------- play

    def entry(self, span: Span) -> list[s.Entry]:
        """A line of a play block."""
        word = _first_word(span)
        colon = _find(span, ":")
        if word in ("dice", "die", "draw", "shuffle"):
            return self.chance(span, word)
        if word == "never":
            return self.never(span)
        if word == "asks" or re.match(r"not\s+asks\b", span.text):
            return list(self.claim(span))
        if word == "run" and (colon is None or span.text.startswith("run to")):
            return self.run_to(span)
        rest, _ = _without_cites(span)
        if colon is None:
            near = nearest_names(word, ("dice", "draw", "shuffle", "asks", "never", "run"))
            who = word if word[:1].isupper() else "Blue"
            hint = spelling_hint(word, near) if near else f"begin with who does it, and a colon: `{who}: ...`"
            self.error("this line of play says not who does it", span, "who?", hint)
            return []
        player, words = part(rest, 0, colon.start()), part(rest, colon.end())
        if not words.text or not player.text:
            self.error("write who, a colon, and what they choose", span)
            return []
        return [s.Say(rest, player, words)]

    def never(self, span: Span) -> list[s.Entry]:
        found = re.match(r"never\s+asks\s+(?=\S)", span.text)
        if found is None:
            self.error("write `never asks` and the name of a choice", span, hint="never asks reroll")
            return []
        return [s.NeverAsks(span, part(span, found.end()))]

    def run_to(self, span: Span) -> list[s.Entry]:
        found = re.fullmatch(r"run\s+to\s+(.+?)(\s+passing)?((?:\s*,\s*|\s+with\s+)any\s+chance)?", span.text)
        if found is None:
            self.error("write `run to` and a phase", span, hint="run to movement passing")
            return []
        return [s.RunTo(span, part(span, found.start(1), found.end(1)), found[2] is not None, found[3] is not None)]

    def chance(self, span: Span, word: str) -> list[s.Entry]:
        rest = part(span, len(word))
        colon = _find(rest, ":")
        label: Span | None = None
        if colon is not None:
            label, rest = part(rest, 0, colon.start()), part(rest, colon.end())
        else:
            rest, _ = _without_cites(rest)
        if word in ("dice", "die"):
            found = re.findall(r"[^\s,]+", rest.text)
            if not found or not all(is_number(x) for x in found):
                wrong = next((x for x in found if not is_number(x)), "")
                self.error("dice are numbers", rest if found else span, f"`{wrong}`?" if wrong else "", "dice 1 3 3")
                return []
            return [s.Dice(span, label, tuple(map(int, found)))]
        if word == "draw":
            items: list[tuple[int, Span]] = []
            for piece in split(rest):
                counted = re.match(r"(\d+)\s+(?=\S)", piece.text)
                items.append((int(counted[1]), part(piece, counted.end())) if counted else (1, piece))
            if not items:
                self.error("nothing is drawn", span, hint="draw 2 infantry, 1 gun")
                return []
            return [s.Draw(span, label, tuple(items))]
        on_top: list[Span] = []
        for piece in split(rest):
            counted = re.match(r"(\d+)\s+(?=\S)", piece.text)
            on_top += [part(piece, counted.end())] * int(counted[1]) if counted else [piece]
        return [s.Shuffle(span, label, tuple(on_top))]

    # -------------------------------------------------------------- expectations

    def claim(self, span: Span) -> list[s.Claim]:
        """A line of an expect block."""
        word = _first_word(span)
        match word:
            case "try":
                return self.try_line(span)
            case "journal":
                return self.journal(span)
        rest, cites = _without_cites(span)
        match word:
            case "legal":
                return self.legal(rest, cites)
            case "outcomes":
                return self.outcomes(rest, cites)
        found = re.match(r"(not\s+)?asks\b", rest.text)
        if found is not None:
            if not part(rest, found.end()).text.strip():
                self.error("write who is asked what", span, hint="asks Blue move")
                return []
            return [s.Asks(span, cites, part(rest, found.end()), found[1] is not None)]
        found = re.match(r"never\s+asks\s+(?=\S)", rest.text)
        if found is not None:
            return [s.Asks(span, cites, part(rest, found.end()), True)]
        found = re.match(r"outcome\s+is\s+(?=\S)", rest.text)
        if found is not None:
            return [s.OutcomeIs(span, cites, part(rest, found.end()))]
        sees = _SEES.match(rest.text)
        if sees is not None:
            return self.sees(rest, cites, sees)
        several = split(rest, r"\s+and\s+")
        if len(several) > 1 and not _find(rest, ":"):
            parts = [_level_text(each.text) for each in several]
            placed = [_PLACED.search(text) is not None for text in parts]
            if any(placed) and all(p or _COMPARED.search(text) for p, text in zip(placed, parts, strict=True)):
                return [claim for each in several for claim in self.claim(each)]
        empty = re.search(r"\s+(?:is|are)\s+(?:both\s+|all\s+)?(not\s+)?empty$", rest.text)
        if empty is not None:
            places = part(rest, 0, empty.start())
            named = split(places, r"\s+and\s+|,") if re.search(r"\sare\s", rest.text[empty.start() :]) else [places]
            return [s.IsEmpty(span, cites, place, empty[1] is not None) for place in named]
        has = _find(rest, r"\s+has\s+(exactly\s+)?")
        if has is not None:
            items = split(part(rest, has.end()))
            if not items:
                self.error("write what it has", span)
                return []
            return [s.Has(span, cites, part(rest, 0, has.start()), has[1] is not None, tuple(items))]
        return [s.Condition(span, cites, rest)]

    def sees(self, span: Span, cites: tuple[str, ...], found: re.Match[str]) -> list[s.Claim]:
        """``Red sees Blue.hand: 3 cards``"""
        rest = part(span, found.end())
        colon = _find(rest, ":")
        place = part(rest, 0, colon.start()) if colon else rest
        items = tuple(split(part(rest, colon.end()))) if colon else ()
        if not place.text or (colon and not items):
            self.error(
                "write who sees which place, a colon, and what is seen there", span, hint="Red sees Blue.hand: 3 cards"
            )
            return []
        who = part(span, 0, found.end(1))
        return [s.Sees(span, cites, who, place, items, found[2] != "sees")]

    def journal(self, span: Span) -> list[s.Claim]:
        found = re.fullmatch(r'journal\s+(does\s+not\s+mention|mentions)\s+(?:[§@]\s?([\w.\-]+)|"(.*)")', span.text)
        if found is None:
            self.error("write what the journal mentions", span, hint="journal mentions §4.6")
            return []
        if found[3] is not None and not found[3].strip():
            self.error('the journal mentions "" in any case', span, hint="say some of the words that are told")
            return []
        return [s.Journal(span, (), found[2] or "", found[3] or "", found[1] != "mentions")]

    def try_line(self, span: Span) -> list[s.Claim]:
        arrow = _find(span, r"->|→")
        if arrow is None:
            wrong = _find(span, r"=>|-->|—>|=(?=\s*(?:allowed|refused|not asked))")
            hint = "write `->`" if wrong is not None else "try Blue: move infantry to Mill -> allowed"
            said = re.fullmatch(r"(?s)(.*\S)\s+(allowed|refused\b.*|not asked)", span.text)
            if wrong is None and said is not None:
                hint = f"write `{said[1]} -> {said[2]}`"
            where = span if wrong is None else part(span, wrong.start(), wrong.end())
            self.error("a try says what comes of it", where, hint=hint)
            return []
        result = part(span, arrow.end())
        entries: list[s.Entry] = []
        for piece in split(part(span, len("try"), arrow.start()), r"\s+then\s+"):
            colon = _find(piece, ":")
            if colon is not None and "=" in piece.text[: colon.start()]:
                colon = None  # a key: `march u=Mill.units:North_foot`
            if _first_word(piece) in ("dice", "draw", "shuffle"):
                entries += self.chance(piece, _first_word(piece))
            elif colon is not None:
                entries.append(s.Say(piece, part(piece, 0, colon.start()), part(piece, colon.end())))
            else:
                entries.append(s.Say(piece, None, piece))
        if not entries or not isinstance(entries[-1], s.Say):
            self.error("a try ends with what somebody chooses", span)
            return []
        if any(isinstance(e, s.Say) and not (e.words.text and (e.player is None or e.player.text)) for e in entries):
            self.error("write who, a colon, and what they choose", span)
            return []
        plain = " ".join(result.text.split())
        if plain in ("allowed", "not asked"):
            return [s.Try(span, (), tuple(entries), plain, (), "")]
        found = re.fullmatch(
            r'refused(?:\s+by\s+((?:[§@]\s?[\w.\-]+[\s,]*)+))?(?:\s+(?:by|because)\s+"(.*)")?', result.text
        )
        if found is None:
            hint = "-> allowed, -> refused, -> refused by §4.6.3 or -> not asked"
            if bare := re.fullmatch(r"refused\s+by\s+(\d[\w.\-]*(?:\s*,\s*\d[\w.\-]*)*)", plain):
                hint = f"write `refused by {re.sub(r'(?<![^ ,])(?=[0-9])', '§', bare[1])}`"
            self.error("what comes of a try is `allowed`, `refused` or `not asked`", result, "not understood", hint)
            return []
        if found[2] is not None and not found[2].strip():
            self.error('`because ""` holds in any case', result, hint="say some words of the rule that refuses it")
            return []
        by = tuple(_CITE.findall(found[1] or ""))
        return [s.Try(span, by, tuple(entries), "refused", by, found[2] or "")]

    def relation(self, span: Span) -> tuple[Span, str, tuple[Span, ...], int] | None:
        """``... exactly {A, B}``, ``... count 3``: what stands before, the relation, its items or its
        number."""
        found = re.search(r"\s+(exactly|includes|excludes)\s+\{(.*)\}$", span.text, re.DOTALL)
        if found is not None:
            items = tuple(split(part(span, found.start(2), found.end(2))))
            return part(span, 0, found.start()), found[1], items, 0
        found = re.search(r"\s+(?:exactly\s+)?(none|nothing)$", span.text)
        if found is not None:
            return part(span, 0, found.start()), "exactly", (), 0
        found = re.search(r"\s+(exactly|includes|excludes)\s+([^{}]+)$", span.text)
        if found is not None:
            items = tuple(split(part(span, found.start(2), found.end(2))))
            return part(span, 0, found.start()), found[1], items, 0
        found = re.search(r"\s+count\s+(\d+)$", span.text)
        if found is not None:
            return part(span, 0, found.start()), "count", (), int(found[1])
        return None

    def says_nothing(self, found: tuple[Span, str, tuple[Span, ...], int], span: Span) -> bool:
        """Whether a claim holds whatever is legal, or comes out: then it is a mistake."""
        if found[1] not in ("includes", "excludes") or found[2]:
            return False
        self.error(f"`{found[1]} {{}}` holds in any case", span, hint="name something, or write `exactly none`")
        return True

    def legal(self, span: Span, cites: tuple[str, ...]) -> list[s.Claim]:
        found = self.relation(span)
        if found is None:
            hint = "legal r for t = infantry in Mill exactly {Ford, Bridge}"
            self.error("`legal` ends with exactly, includes, excludes or count", span, hint=hint)
            return []
        if self.says_nothing(found, span):
            return []
        head, relation, items, count = found
        head = part(head, len("legal"))
        middle = _find(head, r"\s+for\s+")
        var = part(head, 0, middle.start()) if middle else head
        fixed: list[tuple[Span, Span]] = []
        labels: list[Span] = []
        for piece in split(part(head, middle.end())) if middle else []:
            equals = _find(piece, r"={1,2}")
            if equals is not None:
                fixed.append((part(piece, 0, equals.start()), part(piece, equals.end())))
            else:
                labels.append(piece)
        if not re.fullmatch(r"\w+", var.text):
            self.error("name what is chosen", var if var.text else span, hint="legal r exactly {Ford, Bridge}")
            return []
        return [s.Legal(span, cites, var, tuple(fixed), tuple(labels), relation, items, count)]

    def outcomes(self, span: Span, cites: tuple[str, ...]) -> list[s.Claim]:
        found = self.relation(span)
        head = re.match(r"outcomes\s+of\s+(.+?)\s+over\s+(.+)$", found[0].text, re.DOTALL) if found else None
        if found is None or head is None or found[1] == "count":
            hint = "outcomes of combat over count(Mill.units) exactly {1, 2}"
            self.error("`outcomes` names a phase, an expression and its values", span, hint=hint)
            return []
        if self.says_nothing(found, span):
            return []
        phase = part(found[0], head.start(1), head.end(1))
        return [s.Outcomes(span, cites, phase, part(found[0], head.start(2), head.end(2)), found[1], found[2])]


def _first_word(span: Span) -> str:
    found = re.match(r"[^\W\d]\w*", span.text)
    return found.group() if found else ""


def _without_but(span: Span) -> Span:
    """A line without the `but` it may begin with."""
    found = re.match(r"but\b\s*", span.text)
    return part(span, found.end()) if found else span
