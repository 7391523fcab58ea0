"""Expressions of the model in plain English, as they are and denied: for refusals, explanations and the docs.

    >>> say(condition)                                                    # doctest: +SKIP
    'the unit has not moved'
    >>> say_not(condition)                                                # doctest: +SKIP
    'the unit has moved'

In comes a checked expression, out comes a phrase: a sentence without a full stop for a condition, a noun
phrase for anything else. Names that a rule binds are called by their kind ("the town") where that is clear,
or by whatever the caller says (`names`, by the number of the `ir.Var`), so that a refusal can put the real
piece in place of `u`.

How a filter is told
--------------------
`Town.units[side == active and not moved]` is "units in towns whose side is the active side and that have not
moved". So a set has two forms: a noun for one or for many of its members (`noun`), and "the ..." (`say`). The
element of the innermost filter or quantifier is "it"; one further out is "that town".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import (
    BOOL,
    INT,
    TEXT,
    ListOf,
    Maybe,
    PieceOf,
    SetOf,
    ThingOf,
)
from rulescript.phrases import article, kind_noun, listed, readable
from rulescript.wording.comparisons import Comparisons
from rulescript.wording.filters import Filters
from rulescript.wording.nouns import Nouns, is_several
from rulescript.wording.numbers import Numbers
from rulescript.wording.shapes import (
    NO_NOUNS,
    OWN,
    is_adjective,
    is_denied,
    is_many,
    is_same,
    is_true,
    joined_relatives,
    kind_of,
    parts_of,
    titled,
)
from rulescript.wording.verbs import (
    SMALL_WORDS,
    a_sort,
    agreed,
    all_of,
    before_others,
    by_itself,
    denied,
    is_act,
    is_said,
    one_of,
    told,
)

__all__ = ["Speaker", "is_true", "parts_of", "say", "say_not"]

# Words after which a noun begins that may be somebody's, and those that part one noun from the next.
_BEFORE_ITS = "uses?|plays?|takes?|has|have|with|from|for|to|in|among"
_SMALL = "with|in|of|for|at|on|from|to|by|that|which|and|or"
_ONE_OF_MANY = re.compile(
    r"(?<![\w.–])1 ((?!(?:is|was|has|does|this|less|plus|minus|times|lies)\b)(?:[a-z]+ )?[A-Za-z]+[^s\W])s\b"
)

# So many expressions are said for one, those that are said twice among them (the longest sentence of a printed game has
# a few dozen), and what stands where there would be more.
MOST_SAID = 300
LEFT_OUT = "..."


def say(x: ir.X, names: Mapping[int, str] | None = None) -> str:
    """An expression in plain English."""
    return Speaker(x, names).say(x)


def say_not(x: ir.X, names: Mapping[int, str] | None = None) -> str:
    """The opposite of a condition in plain English; "anything but ..." for other values."""
    return Speaker(x, names).say_not(x)


# What stands behind a number in an author's words, and is counted by it.
_COUNTED = re.compile(
    r" (?:(?!(?:of|in|is|as|has|less|plus|minus|times)\b)[a-z]+ )?(?:[a-z]+[^su\W]s|infantry|cavalry|artillery)\b"
)
_REFUSED = re.compile(r"it (?:(has) (?:no|not)|(is|may) not|(can)not) ((?:(?! and | or |, | except ).)+)")
# A number just before something in a text.
_SO_MANY = re.compile(r"(?:\b(?:one|two|three|four|five|so many)|\d) $")
_IN_NUMBERED = re.compile(r" in (?!play|turn|force|order|supply|fact)([a-z]+) $")


@lru_cache(maxsize=1024, typed=True)  # the same requirements are told again and again
def _smoothed(text: str, has_number: bool) -> str:
    """An author's words with others put into them, as one would say it all at once."""
    # An author who writes "of the {s}" thinks of a name; of any of them one would say "of the side".
    text = re.sub(r"\b[Tt]he (?=(?:the|your|you|its|it|that)\b)", "", text)
    text = re.sub(r"\bno (?=(?:the|its|your|that)\b)", "none of ", text)
    text = re.sub(r"\byou's\b", "your", re.sub(r"\bit's\b", "its", text))
    # "the points of {n} in {a}": its points there, your points there.
    owned = rf"\bthe ((?:(?!(?:{_SMALL})\b)\w+ ){{0,2}}\w+) of (it|you)\b"
    text = re.sub(owned, lambda f: f"{OWN[f[2]]} {f[1]}", text)
    # "may use cards of {c}": its cards; "in column {c}", where that is "the column of ...".
    text = re.sub(rf"\b({_BEFORE_ITS}) ([a-z]+[^su\W]s) of it\b", r"\1 its \2", text)
    text = re.sub(r"\b([a-z]{3,}) the \1\b", r"the \1", text)
    text = re.sub(r"\b(an? \w+|one|\w+[^s\W]s) of you\b", r"\1 of yours", text)
    text = re.sub(rf"\b(?!(?:{NO_NOUNS})\b)(\w+) of you\b", r"your \1", text)
    if has_number:
        text = re.sub(r"\b(?:gets|gains|receives) minus (?=\d)", "loses ", text)
        text = re.sub(r"\bloses (\d+) (if .+, otherwise) minus (\d+) (\w+)", r"loses \1 \4 \2 \3", text)
        text = re.sub(_ONE_OF_MANY, r"1 \1", text)
    return agreed(text)


class Speaker:
    """Says expressions; knows what to call the names in them."""

    def __init__(
        self,
        x: ir.X | None = None,
        names: Mapping[int, str] | None = None,
        places: Mapping[int, str] | None = None,
    ) -> None:
        self.names: dict[int, str] = dict(names or {})
        # Where the named things and pieces stand: "Mill" instead of "the town of two guns in Mill".
        self.places: dict[int, str] = dict(places or {})
        # Whoever is spoken to, where somebody is: "your units in Mill".
        self.you: ir.X | None = None
        self.elements: list[ir.Var] = []
        # How many expressions were said for the one that is being said, and how deep in it this one is.
        self._said = self._deep = 0
        # Two names of one kind cannot both be "the town".
        self.kinds: dict[str, set[int]] = {}
        self.nouns = Nouns(self)
        self.filters = Filters(self)
        self.numbers = Numbers(self)
        self.comparisons = Comparisons(self)
        if x is not None:
            self.note(x)

    def note(self, x: ir.X) -> None:
        """Look at an expression before it is said, to tell names of one kind apart."""
        from rulescript.model.traverse import walk

        for node in walk(x):
            if isinstance(node, ir.Local) and node.var.role != "element":
                kind = kind_of(node.var.type)
                if kind and node.var.ident not in self.names:
                    self.kinds.setdefault(kind, set()).add(node.var.ident)

    @contextmanager
    def element(self, *vars: ir.Var) -> Iterator[None]:
        self.elements += vars
        try:
            yield
        finally:
            del self.elements[len(self.elements) - len(vars) :]

    @contextmanager
    def speaking_to(self, who: ir.X | None) -> Iterator[None]:
        """Call somebody "you" for a while."""
        before, self.you = self.you, who
        try:
            yield
        finally:
            self.you = before

    def say(self, x: ir.X) -> str:
        """A condition as a sentence, anything else as a noun phrase."""
        return self.sentence(x, True) if x.type == BOOL else self.phrase(x)

    def say_not(self, x: ir.X) -> str:
        return self.sentence(x, False) if x.type == BOOL else f"anything but {self.phrase(x)}"

    def sentence(self, x: ir.X, holds: bool) -> str:
        """A condition (or its opposite)."""
        return agreed(self._bounded(self._sentence, x, holds))

    def _sentence(self, x: ir.X, holds: bool) -> str:  # noqa: C901 - one case for each sort of node
        match x:
            case ir.Lit(value=value):
                return "it is always so" if bool(value) is holds else "it is never so"
            case ir.NotX(of=of):
                return self.sentence(of, not holds)
            case ir.AndX() | ir.OrX():
                if isinstance(x, ir.AndX) is holds:
                    return all_of([self._inside(p, h, True) for p, h in parts_of(x, holds)])
                return self._any_of(parts_of(x, holds), isinstance(x, ir.OrX))
            case ir.CompareX():
                return self.comparisons.compared(x, holds)
            case ir.InX():
                return self.membership(x, holds)
            case ir.SomeX(source=source, negated=negated):
                # Refused for want of them, "all of them are yours" would be said where there are none.
                said = self._all_are(source) if negated and holds else ""
                return said or self.existence(source, holds is not negated)
            case ir.QuantX():
                return self.quantified(x, holds)
            case ir.IfX(condition=condition, then=then, otherwise=otherwise):
                return (
                    f"if {self.sentence(condition, True)}, {self.sentence(then, holds)}, "
                    f"and otherwise {self.sentence(otherwise, holds)}"
                )
            case ir.StateX(state=m.State(wording=ir.Wording() as wording), of=of):
                return self.worded(wording, (of,) if of is not None else (), holds)
            case ir.AttrX(attr=m.Attr(wording=ir.Wording() as wording), of=of):
                return self.worded(wording, (of,), holds)
            case ir.PieceStateX(state=m.State(wording=ir.Wording() as wording), of=of):
                return self.worded(wording, (of,), holds)
            case ir.StateX(state=state, of=ir.X() as of) | ir.PieceStateX(state=state, of=of):
                return self.fact(of, state.name, holds)
            case ir.AttrX(attr=attr, of=of):
                return self.fact(of, attr.name, holds)
            case ir.StateX(state=state):
                thing, _, name = state.name.rpartition(".")
                if thing:  # a state of one thing alone: "Fog has come"
                    return f"{titled(thing)} {told(readable(name).lower(), holds)}"
                return by_itself(readable(state.name).lower(), holds)
            case ir.CallX(function=function, args=args):
                return self.called(function, args, holds)
            case ir.TableX(table=m.Table(wording=ir.Wording() as wording), args=args, shift=None):
                # A whole sentence, and no name of what the table tells.
                if wording.denied is not None or denied(self.worded(wording, args)):
                    return self.worded(wording, args, holds)
            case ir.Local(var=var):
                return by_itself(readable(var.name).lower(), holds)
        return f"{self.phrase(x)} {'say' if is_many(x) else 'says'} {'so' if holds else 'otherwise'}"

    def fact(self, of: ir.X, name: str, holds: bool) -> str:
        """A yes/no fact of something: "the unit has not moved", "the town is a port"."""
        return f"{self.phrase(of)} {told(readable(name).lower(), holds)}"

    def clause(self, x: ir.X) -> str:
        """A condition behind "until", "as soon as" or another "if": an `or` is said as such there."""
        return agreed(self._any_of(parts_of(x, True), False)) if isinstance(x, ir.OrX) else self.sentence(x, True)

    def _any_of(self, parts: Sequence[tuple[ir.X, bool]], is_said_so: bool) -> str:
        """One of several conditions. Where some are denied it is a rule of its own: "if the unit is infantry, it has
        not moved"."""
        refused = [(p, h) for p, h in parts if is_denied(p, h)] if is_said_so else []
        if refused:
            left = [(p, h) for p, h in parts if not is_denied(p, h)] or [refused.pop()]
            ifs = all_of([self._inside(p, not h, True) for p, h in refused])
            rest = [self._inside(p, h, False) for p, h in left]
            return f"if {ifs}, {self.sentence(*left[0]) if len(left) == 1 else one_of(rest)}"
        return one_of([self._inside(p, h, False) for p, h in parts])

    def _inside(self, x: ir.X, holds: bool, in_and: bool) -> str:
        """A part of `and` or `or`; brackets where the two mix."""
        # "if North has passed, South has not" is a rule of its own, and no part of a longer sentence.
        is_refused = in_and and holds and isinstance(x, ir.OrX) and all(is_denied(p, h) for p, h in parts_of(x, True))
        said = self.clause(x) if is_refused else self.sentence(x, holds)
        while isinstance(x, ir.NotX):
            x, holds = x.of, not holds
        if isinstance(x, ir.AndX | ir.OrX) and (isinstance(x, ir.AndX) is holds) is not in_and:
            # Where it begins with "either" its end is clear, if it has no parts of its own.
            is_clear = in_and and not re.search(r"[,;(]| and ", said) and re.match(r"either |.+ either .+ or ", said)
            return said if is_clear else f"({said})"
        is_long = isinstance(x, ir.QuantX) and re.match(r"for |.*(?:,| and )", said)
        return f"({said})" if isinstance(x, ir.IfX) or is_long else said

    def membership(self, x: ir.InX, holds: bool) -> str:
        holds = holds is not x.negated
        element, source = x.element, x.source
        subject = self.phrase(element)
        be = "are" if is_many(element) else "is"
        sign = be if holds else f"{be} not"
        match source:
            case ir.RouteX(target=None):
                can = "can" if holds else "cannot"
                return f"{subject} {can} be reached by {self.nouns.route(source)}"
            case ir.LinksX(of=of, sorts=sorts, kind=kind):
                return f"{subject} {sign} {self.nouns.linked(sorts, kind)} {self.phrase(of)}"
            case ir.AllThings(kind=kind):
                return f"{subject} {sign} {article(kind_noun(kind.name))}"
            case ir.RangeX(low=low, high=high):
                return f"{subject} {sign} between {low} and {high}"
            case ir.SetX(items=items) | ir.ListX(items=items) if items:
                said = self.each_once(items)
                if len(said) > 1 and not holds:
                    return f"{subject} {be} neither {listed(said, 'nor')}"
                return f"{subject} {sign} {listed(said, 'or')}"
            case ir.SetOpX(operator="+", left=ir.LinksX() as a, right=ir.LinksX() as b) if is_same(a.of, b.of):
                return f"{subject} {sign} {self.nouns.linked((*a.sorts, *b.sorts), a.kind)} {self.phrase(a.of)}"
            case ir.SetOpX(operator="+", left=ir.LinksX(of=of, sorts=sorts, kind=kind), right=own) if is_same(of, own):
                near = self.nouns.linked(sorts, kind)  # it, or linked to it
                first, last = ("either", "or") if holds else ("neither", "nor")
                return f"{subject} {be} {first} {self.phrase(of)} {last} {near} {self.phrase(of)}"
            case ir.ContentsX(holds=place, of=of) if not self.nouns.is_plural(place):
                return f"{subject} {sign} in {self.place(place, of)}"
            case ir.ContentsX(holds=place, of=ir.AllThings(kind=kind)) if kind.links:
                where = kind_noun(kind.name)
                return f"{subject} {sign} in {article(where) if holds else 'any ' + where}"
            case ir.FilterX():
                if holds or not isinstance(source.source, ir.AllThings):
                    return f"{subject} {sign} {'one of the ' + self.noun(source, True)}"
                return f"{subject} is no {self.noun(source, False)}"
        return f"{subject} {sign} {self.nouns.inside(source, is_many(element))}"

    def each_once(self, items: Iterable[ir.X]) -> list[str]:
        """What each of several is called; copies of one thing are called alike."""
        return list(dict.fromkeys(self.phrase(item) for item in items))

    def existence(self, source: ir.X, some: bool) -> str:
        if isinstance(source, ir.ContentsX) and not self.nouns.is_plural(source.holds):
            is_each = source.of is not None and isinstance(source.of.type, SetOf)
            be = "are" if is_each or re.match(r"\w+[^su\W]s\b|men\b", readable(source.holds.name).lower()) else "is"
            return f"{self.place(source.holds, source.of)} {be} {'not empty' if some else 'empty'}"
        if having := self.having(source, True):
            return f"{having[0]} has {'' if some else 'no '}{having[1]}"
        return f"there {'are' if some else 'are no'} {self.noun(source, True)}"

    def _all_are(self, source: ir.X) -> str:
        """``none Mill.units[side != North]`` as "all units in Mill belong to North", not "there are no units there that
        do not belong to North"; "" where it is something else."""
        if not isinstance(source, ir.FilterX):
            return ""
        parts = parts_of(source.condition, True)
        if not all(is_denied(*part) for part in parts) or not isinstance(source.source, ir.ContentsX):
            return ""
        with self.element(source.var):
            said = [self.filters.apart(source.var, part, not holds, True) for part, holds in parts]
        if not all(re.match(r"that (?!have no )[^,]+$", part) for part in said):
            return ""
        noun = self.noun(source.source, True)
        return f"all {'of ' if noun.startswith(('your ', 'its ')) else ''}{noun} {listed([s[5:] for s in said], 'or')}"

    def having(self, source: ir.X, many: bool) -> tuple[str, str] | None:
        """Whose the members of a filter are, and what they are called beside that: ("North", "units in Mill")."""
        split = self.nouns.split(source) if isinstance(source, ir.FilterX) else None
        if split is None or not isinstance(source, ir.FilterX):
            noun = self.noun(source, many)
            begins, _, others = noun.partition(" ")
            # "there are your reserves": you have reserves.
            return {"your": ("you", others), "its": ("it", others)}.get(begins)
        owner, parts = split
        if is_adjective(owner):
            return None  # there are ten Ruritanian units, and Ruritanian has none
        noun, rest = self.nouns.by_sort(source, parts, many)
        with self.element(source.var):
            apart = self.nouns.relative_of(source.var, rest, many)
        return self.phrase(owner), f"{noun}{' ' + apart if apart else ''}"

    def quantified(self, x: ir.QuantX, holds: bool) -> str:
        word, inner = x.quantifier, True
        if not holds:
            word, inner = {"some": ("no", True), "none": ("some", True), "every": ("some", False)}[word]
        word = {"none": "no", "some": "at least one"}.get(word, word)
        variables = [var for var, _ in x.picks]
        if len(x.picks) == 1:
            return self._quantified_one(variables[0], x.picks[0][1], x.condition, word, inner)
        held = dict(self.names)
        said = f"for {self.bound(x.picks, word)}, {self.sentence(x.condition, inner)}"
        self.names = held
        return said

    def _quantified_one(self, var: ir.Var, source: ir.X, condition: ir.X, word: str, inner: bool) -> str:
        noun = self.noun(source, False)
        if word != "every":
            is_one = isinstance(condition, ir.AndX | ir.OrX) and isinstance(condition, ir.AndX) is not inner
            parts = [(condition, inner)] if is_one else parts_of(condition, inner)
            with self.element(var):
                apart = [self.filters.apart(var, p, h, False) for p, h in parts]
            unsaid = [part for part in apart if part.startswith("for which")]
            if not unsaid or (
                len(unsaid) < 2 <= len(apart) and not re.search(r"\b(?:either|one of|if|for which it)\b", unsaid[0])
            ):
                # What takes a sentence of its own comes last.
                ordered = [part for part in apart if part not in unsaid] + unsaid
                whose, _, own = noun.partition(" ")
                who = {"its": "it has", "your": "you have"}.get(whose)  # not "there is no its card"
                return f"{who or 'there is'} {word} {own if who else noun} {joined_relatives(ordered)}"
        with self.element(var):
            said = self.sentence(condition, inner)
        if said.startswith("it ") and not re.search(r"\b(?:it|its)\b", said[3:]):
            refused = _REFUSED.fullmatch(said) if word == "every" else None
            if refused is not None:  # of every one: "no town has guns", not "every town has no guns"
                verb, what = refused[1] or refused[2] or refused[3], refused[4]
                head = re.split(r" (?:that|which|whose|in|of|for|with)\b", what)[0]
                is_one = said.startswith("it has no ") and not re.search(r"[^su\W]s\b", head) and a_sort(head) != head
                return f"no {noun} {verb} {article(what) if is_one else what}"
            return f"{word} {noun} {said[3:]}"
        return f"for {word} {noun}, {said}"

    def bound(self, picks: Sequence[tuple[ir.Var, ir.X]], word: str) -> str:
        """Several names at once: "every side and town", "every side and each of its capitals"."""
        variables = [var for var, _ in picks]
        out: list[str] = []
        for at, (var, source) in enumerate(picks):
            noun = self.bind(var, source, variables)
            before = self.names[variables[at - 1].ident] if at else ""
            whose = re.fullmatch(rf"([a-z -]+) of {re.escape(before)}", self.noun(source, True)) if at == 1 else None
            each = "each" if word == "every" else "one"
            out.append(f"{each} of its {whose[1]}" if whose and is_several(whose[1]) else noun)
        return f"{word} {' and '.join(out)}"

    def bind(self, var: ir.Var, source: ir.X, others: Sequence[ir.Var]) -> str:
        """``town b linked to a``: one of a set, with a name to tell it from others. One that is the only one of its
        kind needs none: it is "that town" from then on."""
        noun = self.noun(source, False)
        head = kind_noun(kind_of(source.type))
        name = readable(var.name)
        if head and sum(kind_of(other.type) == kind_of(var.type) for other in others) == 1:
            self.names[var.ident] = f"that {head}"
            return noun
        if not head and len(name) > 2 and isinstance(source, ir.RangeX):
            self.names[var.ident] = f"the {name}"
            return noun.replace("number", name, 1)
        self.names[var.ident] = name
        head = head or "number"
        return f"{head} {name}{noun[len(head) :]}" if noun.startswith(head) else f"{noun} {name}"

    def called(self, function: m.Function, args: tuple[ir.X, ...], holds: bool) -> str:
        """A yes/no rule of the game: "the unit is supplied", "“stacks legally” holds for the town"."""
        if function.wording is not None:
            return self.worded(function.wording, args, holds)
        words = readable(function.name).lower()
        said, circumstances = self.arguments(function.params, args)
        if not said:
            return by_itself(words, holds) + circumstances
        if is_said(words) or len(said) == 1:
            return f"{said[0]} {told(words, holds)}{self.objects(words, said[1:])}{circumstances}"
        verb = "applies" if holds else "does not apply"
        return f"“{words}” {verb} to {listed(said)}{circumstances}"

    @staticmethod
    def objects(words: str, others: Sequence[str]) -> str:
        """What a yes/no rule is asked about beside its first value: "touches Mill", "is next to Mill"."""
        if not others:
            return ""
        first, _, rest = words.partition(" ")
        if words.rpartition(" ")[2] in SMALL_WORDS or (is_act(first) and not rest):
            more = f" for {listed(others[1:])}" if others[1:] else ""
            return f" {others[0]}{more}"
        return f" {before_others(words)} {listed(others)}"

    def arguments(self, params: Sequence[ir.Var], args: Sequence[ir.X]) -> tuple[list[str], str]:
        """What a rule is asked about. Of what is yes or no only that is told which is so: "(by sea)"."""
        said: list[str] = []
        circumstances: list[str] = []
        for at, arg in enumerate(args):
            if arg.type != BOOL:
                said.append(self.phrase(arg))
                continue
            name = readable(params[at].name).lower() if at < len(params) else "so"
            match arg:
                case ir.Lit(value=value):
                    circumstances += [name] if value else []
                case ir.Local(var=var) if readable(var.name).lower() == name:
                    circumstances.append(f"{name} or not")
                case _:
                    circumstances.append(f"{name} if {self.sentence(arg, True)}")
        return said, f" ({', '.join(circumstances)})" if circumstances else ""

    def worded(self, wording: ir.Wording, args: Sequence[ir.X], holds: bool = True) -> str:
        """A rule in its author's words, with what it is asked about in the place of its names."""
        from rulescript.model.ir import substitute

        template, turned = wording.text, False
        if not holds:
            template, turned = (wording.denied, False) if wording.denied is not None else (template, True)
        values = {p.ident: a for p, a in zip(wording.params, args, strict=False)}
        parts = [p if isinstance(p, str) else substitute(p, values) for p in template.parts]
        said = [p if isinstance(p, str) else self.phrase(p) for p in parts]
        said += self._as_many(said, parts)
        self._one_of(said, parts)
        for at, part in enumerate(parts[1:], 1):  # "in column {n}" is "in the column for the number of units"
            before = parts[at - 1]
            if isinstance(part, ir.X) and part.type == INT and isinstance(before, str) and said[at].startswith("the "):
                noun = _IN_NUMBERED.search(before)
                if noun and not said[at].startswith(f"the {noun[1]}"):
                    said[at - 1] = f"{before[: noun.start()]} in the {noun[1]} for "
        if turned:
            whole = "".join(p if isinstance(p, str) else chr(0) for p in template.parts)
            opposite = denied(whole)
            if opposite:
                names = [w for w, p in zip(said, template.parts, strict=True) if not isinstance(p, str)]
                literal = opposite.split(chr(0))
                said = [literal[0], *(w for pair in zip(names, literal[1:], strict=True) for w in pair)]
            else:
                said.insert(0, "it is not so that ")
        text = "".join(said).strip()
        return _smoothed(text, any(arg.type == INT for arg in args))

    def _one_of(self, said: list[str], parts: Sequence[str | ir.X]) -> None:
        """ "in one of {where}" is "in Mill" where that is all there is, and "in Mill or Ford" of two."""
        for at, part in enumerate(parts):
            if (
                at
                and isinstance(part, ir.X)
                and said[at - 1].endswith("one of ")
                and isinstance(part.type, SetOf | ListOf)
            ):
                items = part.items if isinstance(part, ir.SetX | ir.ListX) else ()
                if items:
                    said[at] = listed(self.each_once(items), "or")
                elif isinstance(part, ir.AllThings):
                    said[at] = f"any {kind_noun(part.kind.name)}"
                if items or not is_several(said[at]):  # "in the land near Mill"
                    said[at - 1] = said[at - 1].removesuffix("one of ")

    @staticmethod
    def _as_many(said: list[str], parts: Sequence[str | ir.X]) -> list[str]:
        """ "draw {n} cards", where that is the number of something, is "draw as many cards as there are ..."; where it
        has a name of its own, "draw as many cards as the number drawn"."""
        for at, part in enumerate(parts):
            after = parts[at + 1] if at + 1 < len(parts) else ""
            if isinstance(part, str) or not isinstance(after, str) or not _COUNTED.match(after):
                continue
            amount = said[at]
            if amount.startswith("the number of "):
                said[at] = "as many"
                return [f" as there are {amount.removeprefix('the number of ')}"]
            if isinstance(part, ir.IfX) and isinstance(part.then, ir.Lit) and isinstance(part.otherwise, ir.Lit):
                said[at], _, rest = amount.partition(" ")
                return [f" {rest}"]  # "loses 2 cards if ..., otherwise 1"
            is_sum = isinstance(part, ir.ArithX) and part.operator != "neg"
            is_named = re.match(r"(?:the|your|its|what) ", amount) and not isinstance(part, ir.IfX)
            if part.type == INT and (is_sum or is_named):
                said[at] = "as many"
                return [f" as {amount}"]
        return []

    def requirement(self, clause: ir.Clause, holds: bool) -> str:
        """A requirement (or its opposite): in its author's words, or made from its condition."""
        if clause.wording is not None:
            return self.worded(clause.wording, (), holds)
        return self.sentence(clause.condition, holds)

    # -------------------------------------------------------------- the other parts

    def phrase(self, x: ir.X) -> str:
        """A value: "the units in Mill", "3", "your enemy"."""
        return self._bounded(self.nouns.phrase, x)

    def the(self, x: ir.X) -> str:
        """The members of a set."""
        return self._bounded(self.nouns.the, x)

    def noun(self, x: ir.X, many: bool) -> str:
        """One or several members of a set."""
        return self._bounded(self.nouns.noun, x, many)

    def _bounded(self, tell: Callable[..., str], *of: Any) -> str:
        """What somebody tells of an expression. Words may name what they are about twice, and that what it is about: of
        a sentence that no end is in sight of, the rest is left out."""
        self._said = self._said + 1 if self._deep else 1
        if self._said > MOST_SAID:
            return LEFT_OUT
        self._deep += 1
        try:
            return tell(*of)
        finally:
            self._deep -= 1

    def among(self, x: ir.X) -> str:
        """What one chooses from."""
        return self.nouns.among(x)

    def name(self, var: ir.Var) -> str:
        """What to call a name that a rule binds."""
        return self.nouns.name(var)

    def template(self, x: ir.TemplateX) -> str:
        """A text for people, with words in place of what is in braces."""
        out = ""
        for part in x.parts:
            if isinstance(part, str):
                out += part
                continue
            if isinstance(part, ir.BuiltinX) and part.name == "reasons":
                continue  # what was added and taken away is told in play
            said = self._inserted(part)
            if said.endswith("'s") and _SO_MANY.search(out):
                out = out.rstrip()  # "raise one point", whosever it is
                continue
            if said.startswith("the ") and re.search(r"\b([Tt]he|[Aa]n?|its|your) $", out):
                said = said[4:]
            out += said
        return out.strip()

    def _inserted(self, x: ir.X) -> str:
        """A value in a text: things by their names, everything else in square brackets."""
        if isinstance(x, ir.AttrX) and x.type == TEXT and isinstance(x.of.type, ThingOf):
            owner = self.phrase(x.of)
            return f"{owner}'s" if readable(x.attr.name) in ("adjective", "genitive") else owner
        if isinstance(x, ir.Local) and x.type == INT and x.var.ident not in self.names:
            return "so many"
        said = self.phrase(x)
        plain = x.type.element if isinstance(x.type, Maybe | SetOf | ListOf) else x.type
        if plain == INT and not isinstance(x, ir.Local):
            # A number is seen in play; what it is called stands there if it is short.
            return said if re.fullmatch(r"the [a-z]+(?: [a-z]+)?", said) else "…"
        return said if isinstance(plain, ThingOf | PieceOf) or isinstance(x, ir.Local) else f"[{said}]"

    def place(self, holds: m.Holds, of: ir.X | None) -> str:
        return self.nouns.place(holds, of)

    def game_state(self, state: m.State) -> str:
        return self.nouns.game_state(state)

    def relative(self, var: ir.Var, condition: ir.X, many: bool) -> str:
        """What tells the members of a set for which a condition holds."""
        return self.filters.relative(var, condition, many)
