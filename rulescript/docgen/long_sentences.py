"""Conditions and values as sentences; those that would make a long one as a list under a short one.

"If all of these are true:", "The sum of these:". What the parts say is left to `wording/english.py`.
"""

from __future__ import annotations

import re

from rulescript.docgen.lines import Line, line_of, sentence, uses_of
from rulescript.model import ir
from rulescript.wording.english import Speaker
from rulescript.wording.shapes import parts_of, united

__all__ = ["LongSentences", "is_long"]

# A sentence of more words is told as a list, where it has parts.
MOST_WORDS = 24
_SUBJECT = re.compile(r"the [a-z]+(?: [a-z]+)? (?=(?:is|has|can|cannot|may|must|belongs|does|was)\b)")


def of_the_same(before: str, said: str) -> str:
    """A condition behind what it is a condition of: "the unit can move if it has not moved"."""
    found = _SUBJECT.match(said)
    if found is None or not before.lower().startswith(found[0]) or re.search(r"\bit\b", said):
        return said
    return f"it {said[found.end() :]}"


def is_long(text: str, most: int = MOST_WORDS) -> bool:
    """Whether a sentence is better told as a list."""
    return text.count(" ") > most


def terms_of(x: ir.X, is_added: bool = True) -> list[tuple[ir.X, bool]]:
    """What a sum adds up, and what it takes away."""
    match x:
        case ir.ArithX(operator="+", args=args):
            return [term for arg in args for term in terms_of(arg, is_added)]
        case ir.ArithX(operator="-", args=(first, *rest)):
            return [*terms_of(first, is_added), *(term for arg in rest for term in terms_of(arg, not is_added))]
    return [(x, is_added)]


class LongSentences:
    """Says what a rule asks for and works out, with the names that the rule's speaker has for things."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker

    def then(self, word: str, condition: ir.X, block: list[Line], s: ir.S) -> list[Line]:
        """What happens if something is so; a long condition is a list, and what happens stands after it."""
        said = self.speaker.sentence(condition, True)
        parts = self.parts(condition) if is_long(said) else None
        if parts is None:
            said = self.speaker.clause(condition) if said.startswith("if ") else said
            told = re.sub(r"\bIf it is not so that ", "Unless ", f"{word} {said}:")
            return [line_of(told, s, [condition], block)]
        head = line_of(f"{word} {parts[0]}:", s, [condition], parts[1])
        return [head, Line("Then:", form="heading", children=block)]

    def on_condition(self, word: str, condition: ir.X | None, block: list[Line]) -> tuple[str, list[Line]]:
        """``After it, if ...``: the words, and what stands under them."""
        if condition is None:
            return word, block
        said = self.speaker.sentence(condition, True)
        parts = self.parts(condition) if is_long(said) else None
        if parts is None:
            return f"{word}, if {said}", block
        return f"{word}, if {parts[0]}", [*parts[1], Line("Then:", form="heading", children=block)]

    def conditional(self, before: str, condition: ir.X, s: ir.S) -> Line:
        """``It is so if ...``: a condition after some words, or as a list under them."""
        said = self.speaker.say(condition)
        if isinstance(condition, ir.IfX):
            head = self.conditional(before, condition.then, s)
            rest = self.conditional(before, condition.otherwise, s)
            given = Line(sentence(f"If {self.speaker.say(condition.condition)}:"), children=[head])
            lines = [given, Line("Otherwise:", children=[rest])]
            return line_of("It depends:", s, [condition.condition], lines)
        if said.startswith("if "):
            said = self.speaker.clause(condition)
        parts = self.parts(condition) if is_long(said) else None
        told = of_the_same(before, said) if parts is None else f"{parts[0]}:"
        under = parts[1] if parts is not None else []
        if before.count(" ") > 3 and is_long(f"{before} {told}"):
            return line_of(f"{before}:", s, [condition], [Line(sentence(told), form="condition", children=under)])
        return line_of(f"{before} {told}", s, [condition], under)

    def parts(self, x: ir.X, holds: bool = True) -> tuple[str, list[Line]] | None:
        """A condition of several parts as a list: what goes before it, and its lines. None if it has one part."""
        while isinstance(x, ir.NotX):
            x, holds = x.of, not holds
        if isinstance(x, ir.QuantX) and x.quantifier == "every" and holds:
            return self._parts_of_each(x, "every")
        if isinstance(x, ir.QuantX) and x.quantifier == "some" and holds:
            return self._parts_of_each(x, "at least one")
        if not isinstance(x, ir.AndX | ir.OrX):
            return None
        all_of_them = isinstance(x, ir.AndX) is holds
        lines: list[Line] = []
        for part, so in parts_of(x, holds):
            said = self.speaker.sentence(part, so)
            inner = self.parts(part, so) if is_long(said, MOST_WORDS // 2) else None
            if inner is None:
                lines.append(Line(sentence(said), form="condition"))
            else:
                lines.append(Line(sentence(f"{inner[0]}:"), form="condition", children=inner[1]))
        return ("all of these are true" if all_of_them else "one of these is true"), lines

    def _parts_of_each(self, x: ir.QuantX, word: str) -> tuple[str, list[Line]] | None:
        """What is so for every one of several, or for one of them, as a list."""
        held = dict(self.speaker.names)
        variables = [var for var, _ in x.picks]
        if len(x.picks) == 1:
            nouns = self.speaker.noun(x.picks[0][1], False)
            with self.speaker.element(variables[0]):
                inner = self.parts(x.condition)
        else:
            nouns = self.speaker.bound(x.picks, word).removeprefix(f"{word} ")
            inner = self.parts(x.condition)
            self.speaker.names = held
        return (f"for {word} {nouns}, {inner[0]}", inner[1]) if inner is not None else None

    def valued(self, before: str, x: ir.X, s: ir.S) -> Line:
        """``The hits are ...``: a value after some words, or as a list under them."""
        said = self.speaker.say(x)
        if is_long(said):
            lines = self.values(x)
            if len(lines) > 1 or lines[0].children:
                return line_of(f"{before}:", s, [x], lines)
        return line_of(f"{before} {said}", s, [x])

    def values(self, x: ir.X) -> list[Line]:
        """A value; a long one as a list of what it is when, or of what is added up."""
        said = self.speaker.say(x)
        match x:
            case ir.IfX(condition=condition, then=then, otherwise=otherwise) if is_long(said, MOST_WORDS // 2):
                given = self.speaker.sentence(condition, True)
                parts = self.parts(condition) if is_long(given) else None
                if parts is None:
                    head = [Line(sentence(f"If {given}:"), children=self.values(then), uses=uses_of([condition]))]
                else:
                    head = [
                        Line(sentence(f"If {parts[0]}:"), children=parts[1], uses=uses_of([condition])),
                        Line("Then:", form="heading", children=self.values(then)),
                    ]
                rest = self.values(otherwise)
                if rest[0].text.startswith("If "):
                    rest[0].text = f"Otherwise, if {rest[0].text[3:]}"
                    return [*head, *rest]
                return [*head, Line("Otherwise:", children=rest)]
            case ir.ArithX(operator="+" | "-") if is_long(said):
                terms = self.terms(x)
                if len(terms) > 2 or any(isinstance(part, ir.IfX) for part in x.args):
                    return [Line("The sum of these:", children=terms)]
            case ir.SetOpX(operator="+") if is_long(said):
                each = [
                    Line(sentence(self.speaker.say(part)), form="condition", uses=uses_of([part])) for part in united(x)
                ]
                return [Line("All of these:", children=each)]
        return [Line("There is none." if said in ("none", "nothing") else sentence(said), uses=uses_of([x]))]

    def terms(self, x: ir.X) -> list[Line]:
        """What a sum adds up, one line each."""
        return [
            Line(
                sentence(f"{'' if is_added else 'minus '}{self.speaker.say(term)}"),
                form="condition",
                uses=uses_of([term]),
            )
            for term, is_added in terms_of(x)
        ]

    def claimed(self, x: ir.X) -> Line:
        """What a claim says; a long one as a list."""
        said = self.speaker.say(x)
        if is_long(said):
            parts = self.parts(x)
            if parts is not None:
                return Line(sentence(f"{parts[0]}:"), children=parts[1], uses=uses_of([x]))
            if isinstance(x, ir.CompareX) and x.operator == "==" and len(terms_of(x.left)) > 2:
                head = f"The sum of these is {self.speaker.say(x.right)}:"
                return Line(head, children=self.terms(x.left), uses=uses_of([x]))
            if isinstance(x, ir.QuantX) and x.quantifier == "every" and len(x.picks) == 1:
                ((var, source),) = x.picks
                with self.speaker.element(var):
                    inner = self.claimed(x.condition)
                if inner.children:
                    return Line(f"For every {self.speaker.noun(source, False)}:", children=[inner], uses=uses_of([x]))
        return Line(sentence(said), uses=uses_of([x]))
