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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import (
    BOOL,
    INT,
    NOTHING,
    TEXT,
    ListOf,
    Maybe,
    PieceOf,
    Pile,
    SetOf,
    ThingOf,
    Type,
)
from rulescript.phrases import article, kind_noun, listed, number_word, plural, readable
from rulescript.wording.shapes import (
    MARKERS,
    NO_NOUNS,
    OWN,
    fact_name,
    is_denied,
    is_element,
    is_nobody,
    is_same,
    joined_relatives,
    owned_one,
    parts_of,
    plain_type,
    sort_word,
    sorted_one,
    titled,
    wording_of,
)
from rulescript.wording.verbs import (
    ADVERBS,
    BELONGS,
    HOLDS,
    OPERATORS,
    OPPOSITE,
    ORDER,
    SMALL_WORDS,
    SORTS,
    SWAPPED,
    TELLING,
    WHICH,
    a_sort,
    agreed,
    all_of,
    by_itself,
    denied,
    is_act,
    is_said,
    told,
)

__all__ = ["Speaker", "is_true", "parts_of", "say", "say_not"]


def say(x: ir.X, names: Mapping[int, str] | None = None) -> str:
    """An expression in plain English."""
    return Speaker(x, names).say(x)


def say_not(x: ir.X, names: Mapping[int, str] | None = None) -> str:
    """The opposite of a condition in plain English; "anything but ..." for other values."""
    return Speaker(x, names).say_not(x)


def is_true(x: ir.X) -> bool:
    return isinstance(x, ir.Lit) and x.value is True


def _is_selection(var: ir.Var) -> bool:
    """Whether a name is that of several chosen at once."""
    return var.role == "pick" and isinstance(var.type, SetOf | ListOf)


def _kind_of(type_: Type | None) -> str:
    match type_:
        case ThingOf(kind) | PieceOf(kind) | Pile(kind):
            return kind
        case SetOf(element) | ListOf(element) | Maybe(element):
            return _kind_of(element)
    return ""


def _locals_in(x: ir.X) -> set[int]:
    from rulescript.model.traverse import free_vars

    return free_vars(x)


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
        self._elements: list[ir.Var] = []
        # Two names of one kind cannot both be "the town".
        self._kinds: dict[str, set[int]] = {}
        if x is not None:
            self.note(x)

    def note(self, x: ir.X) -> None:
        """Look at an expression before it is said, to tell names of one kind apart."""
        from rulescript.model.traverse import walk

        for node in walk(x):
            if isinstance(node, ir.Local) and node.var.role != "element":
                kind = _kind_of(node.var.type)
                if kind and node.var.ident not in self.names:
                    self._kinds.setdefault(kind, set()).add(node.var.ident)

    @contextmanager
    def element(self, *vars: ir.Var) -> Iterator[None]:
        self._elements += vars
        try:
            yield
        finally:
            del self._elements[len(self._elements) - len(vars) :]

    @contextmanager
    def speaking_to(self, who: ir.X | None) -> Iterator[None]:
        """Call somebody "you" for a while."""
        before, self.you = self.you, who
        try:
            yield
        finally:
            self.you = before

    # -------------------------------------------------------------- conditions

    def say(self, x: ir.X) -> str:
        """A condition as a sentence, anything else as a noun phrase."""
        return self.sentence(x, True) if x.type == BOOL else self.phrase(x)

    def say_not(self, x: ir.X) -> str:
        return self.sentence(x, False) if x.type == BOOL else f"anything but {self.phrase(x)}"

    def sentence(self, x: ir.X, holds: bool) -> str:
        """A condition (or its opposite)."""
        return agreed(self._sentence(x, holds))

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
                return self.comparison(x, holds)
            case ir.InX():
                return self.membership(x, holds)
            case ir.SomeX(source=source, negated=negated):
                return self.existence(source, holds is not negated)
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
            case ir.Local(var=var):
                return by_itself(readable(var.name).lower(), holds)
        return f"{self.phrase(x)} is {'yes' if holds else 'no'}"

    def fact(self, of: ir.X, name: str, holds: bool) -> str:
        """A yes/no fact of something: "the unit has not moved", "the town is a port"."""
        return f"{self.phrase(of)} {told(readable(name).lower(), holds)}"

    def either(self, x: ir.X) -> str:
        """An `or` as such, where another "if" stands before it."""
        return agreed(self._any_of(parts_of(x, True), False))

    def _any_of(self, parts: Sequence[tuple[ir.X, bool]], is_said_so: bool) -> str:
        """One of several conditions. Where all but one are denied it is a rule of its own: "if the unit is infantry, it
        has not moved"."""
        refused = [(p, h) for p, h in parts if is_denied(p, h)]
        if is_said_so and len(refused) == len(parts) - 1:
            left = next((p, h) for p, h in parts if not is_denied(p, h))
            ifs = all_of([self._inside(p, not h, True) for p, h in refused])
            return f"if {ifs}, {self.sentence(*left)}"
        said = [self._inside(p, h, False) for p, h in parts]
        if len(said) == 2:
            return "either " + " or ".join(said)
        if all(len(part) < 40 and not re.search(r"[,;(]| and | or ", part) for part in said):
            return "either " + listed(said, "or")
        return "one of these: " + "; or ".join(said)

    def _inside(self, x: ir.X, holds: bool, in_and: bool) -> str:
        """A part of `and` or `or`; brackets where the two mix."""
        said = self.sentence(x, holds)
        while isinstance(x, ir.NotX):
            x, holds = x.of, not holds
        if isinstance(x, ir.AndX | ir.OrX) and (isinstance(x, ir.AndX) is holds) is not in_and:
            return f"({said})"
        is_long = isinstance(x, ir.QuantX) and re.match(r"for |.*(?:,| and )", said)
        return f"({said})" if isinstance(x, ir.IfX) or is_long else said

    def comparison(self, x: ir.CompareX, holds: bool) -> str:
        operator, left, right = x.operator, x.left, x.right
        if not holds:
            operator = OPPOSITE[operator]
        if isinstance(left, ir.Lit | ir.ThingLit) and not isinstance(right, ir.Lit | ir.ThingLit):
            left, right, operator = right, left, SWAPPED[operator]
        if right.type == NOTHING:
            return self.had(left, operator != "==")
        if left.type == BOOL and isinstance(right, ir.Lit) and operator in ("==", "!="):
            return self.sentence(left, bool(right.value) is (operator == "=="))
        if left.type == BOOL:
            return f"{self.sentence(left, True)} just when {self.sentence(right, operator == '==')}"
        counted = self.counted(left, operator, right)
        if counted:
            return counted
        if operator in ("==", "!="):
            return self._equal(left, right, operator == "==")
        plain = left.type.element if isinstance(left.type, Maybe) else left.type
        table = ORDER if isinstance(plain, ThingOf) else OPERATORS
        told = table[operator]
        if self.is_many(left):
            told = re.sub("^is ", "are ", told)
        return f"{self.phrase(left)} {told} {self.phrase(right)}"

    def _equal(self, left: ir.X, right: ir.X, is_same: bool) -> str:
        """Two values that are the same (or not), by what they say of whom."""
        be = "are" if self.is_many(left) else "is"
        sign = be if is_same else f"{be} not"
        match left:
            case ir.PlaceOfX(of=of):
                return f"{self.phrase(of)} {sign} in {self.phrase(right)}"
            case ir.StateX(of=ir.X() as of) | ir.AttrX(of=of) if self._possession(left, right):
                who = self.phrase(right)
                if who == "you":
                    verb = HOLDS[fact_name(left)]
                    return f"you {verb if is_same else 'do not ' + verb[:-1]} {self.phrase(of)}"
                return f"{self.phrase(of)} {sign} {self._possession(left, right)} by {who}"
            case ir.StateX(of=ir.X() as of) if (
                fact_name(left) in HOLDS and isinstance(right, ir.AttrX) and right.attr.name in MARKERS
            ):
                verb = HOLDS[fact_name(left)]
                return f"{self.phrase(right.of)} {verb if is_same else 'does not ' + verb[:-1]} {self.phrase(of)}"
        owned = owned_one(left)
        if owned is not None and isinstance(plain_type(right.type), ThingOf) and not is_nobody(right):
            return f"{self.phrase(owned)} {self._belonging(right, is_same, False)}"
        if isinstance(left, ir.AttrX | ir.StateX) and fact_name(left) in SORTS and isinstance(right, ir.ThingLit):
            root = sorted_one(left)
            if root is not None and wording_of(left) is None:
                return f"{self.phrase(root)} {'is' if is_same else 'is not'} {a_sort(self.phrase(right))}"
        said = self.phrase(left)
        name = readable(fact_name(left)).lower()
        if isinstance(left, ir.AttrX) and wording_of(left) is None and self.phrase(right) == f"the {name}":
            return f"{self.phrase(left.of)} is of {'that' if is_same else 'another'} {name}"
        if said.startswith("who "):  # in an author's words: "who holds {a}"
            does = said.removeprefix("who ")
            verb, _, rest = does.partition(" ")
            return f"{self.phrase(right)} {does}" if is_same else f"{self.phrase(right)} does not {verb[:-1]} {rest}"
        return f"{said} {sign} {self.phrase(right)}"

    def _belonging(self, owner: ir.X, holds: bool, many: bool) -> str:
        """ "belongs to North", "is yours", after what does."""
        who = self.phrase(owner)
        if who == "you":
            be = "are" if many else "is"
            return f"{be} yours" if holds else f"{be} not yours"
        verb = ("belong" if many else "belongs") if holds else ("do not belong" if many else "does not belong")
        return f"{verb} to {who}"

    def had(self, x: ir.X, some: bool) -> str:
        """Whether a `maybe` is something: "the town has a garrison", "nobody controls the town"."""
        match x:
            case (
                ir.StateX(state=m.State(name=name, wording=None), of=ir.X() as of)
                | ir.PieceStateX(state=m.State(name=name, wording=None), of=of)
                | ir.AttrX(attr=m.Attr(name=name, wording=None), of=of)
            ):
                verb = HOLDS.get(name)
                if verb:
                    return f"{'somebody' if some else 'nobody'} {verb} {self.phrase(of)}"
                words = readable(name).lower()
                return f"{self.phrase(of)} has {article(words) if some else 'no ' + words}"
        said = self.phrase(x)
        if said.startswith("who "):
            return f"{'somebody' if some else 'nobody'} {said.removeprefix('who ')}"
        if said.startswith("the "):
            return f"there is {article(said[4:]) if some else 'no ' + said[4:]}"
        if said.startswith("its "):
            return f"it has {article(said[4:]) if some else 'no ' + said[4:]}"
        return f"{said} is {'something' if some else 'nothing'}"

    @staticmethod
    def is_many(x: ir.X) -> bool:
        """Whether a set, or a number named for several things, is meant: "the supply points are at least 3"."""
        if x.type == ListOf(INT) and isinstance(x, ir.AggregateX):
            return False  # "the list of ..."
        if isinstance(x.type, SetOf | ListOf) and x.type != ListOf(INT):
            return True
        match x:
            case ir.CallX(function=m.Function(wording=ir.Wording(text=text))) if isinstance(text.parts[0], str):
                found = re.match(
                    r"the ((?:\w+ )??\w+?)(?: of| that| in| at| left| within| for|$)", text.parts[0].strip()
                )
                words = found[1] if found else ""
            case ir.StateX(state=m.State(name=name)) | ir.CallX(function=m.Function(name=name)):
                words = readable(name).lower()
            case ir.Local(var=ir.Var(name=name)):
                words = readable(name).lower()
            case _:
                return False
        return (
            x.type in (INT, ListOf(INT)) and bool(re.search(r"[^su]s$", words.partition(" of ")[0])) and len(words) > 3
        )

    @staticmethod
    def _possession(left: ir.StateX | ir.AttrX, right: ir.X) -> str:
        """ "controlled" or "owned" where somebody is compared with who holds something."""
        name = left.state.name if isinstance(left, ir.StateX) else left.attr.name
        if isinstance(right, ir.ThingLit) and right.kind.is_values:
            return ""
        if isinstance(right, ir.AttrX) or (isinstance(right, ir.StateX) and right.of is not None):
            return ""  # one thing's control compared with another's
        return {"control": "controlled", "controller": "controlled", "owner": "owned"}.get(name, "")

    def counted(self, left: ir.X, operator: str, right: ir.X) -> str:
        """``count(units) <= 3`` as "there are at most three units"; "" if it is no such thing."""
        if not (isinstance(left, ir.BuiltinX) and left.name == "count"):
            return ""
        source = left.args[0]
        if not isinstance(right, ir.Lit) or not isinstance(right.value, int):
            many = self.noun(source, True)
            amount = self.phrase(right).removeprefix("the number of ")
            told_so = {
                "==": f"exactly as many {many} as", "!=": f"not as many {many} as", "<": f"fewer {many} than",
                "<=": f"no more {many} than", ">": f"more {many} than", ">=": f"at least as many {many} as",
            }  # fmt: skip
            return f"there are {told_so[operator]} {amount}"
        value = right.value
        if operator == "<":
            operator, value = "<=", value - 1
        elif operator == ">":
            operator, value = ">=", value + 1
        if (operator, value) in (("<=", 0), ("==", 0)):
            return self.existence(source, False)
        if (operator, value) in ((">=", 1), ("!=", 0)):
            return self.existence(source, True)
        word = {"==": "exactly ", "!=": "not ", "<=": "at most ", ">=": "at least "}[operator]
        one = value == 1
        if having := self._having(source, not one):
            return f"{having[0]} has {word}{number_word(value)} {having[1]}"
        return f"there {'is' if one else 'are'} {word}{number_word(value)} {self.noun(source, not one)}"

    def membership(self, x: ir.InX, holds: bool) -> str:
        holds = holds is not x.negated
        element, source = x.element, x.source
        subject = self.phrase(element)
        be = "are" if self.is_many(element) else "is"
        sign = be if holds else f"{be} not"
        match source:
            case ir.RouteX(target=None):
                can = "can" if holds else "cannot"
                return f"{subject} {can} be reached by {self.route(source)}"
            case ir.LinksX(of=of, sorts=sorts, kind=kind):
                return f"{subject} {sign} {self.linked(sorts, kind)} {self.phrase(of)}"
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
                return f"{subject} {sign} {self.linked((*a.sorts, *b.sorts), a.kind)} {self.phrase(a.of)}"
            case ir.ContentsX(holds=place, of=of) if not self._is_plural(place):
                return f"{subject} {sign} in {self.place(place, of)}"
            case ir.FilterX():
                if holds or not isinstance(source.source, ir.AllThings):
                    return f"{subject} {sign} {'one of the ' + self.noun(source, True)}"
                return f"{subject} is no {self.noun(source, False)}"
        return f"{subject} {sign} among {self.phrase(source)}"

    def each_once(self, items: Iterable[ir.X]) -> list[str]:
        """What each of several is called; copies of one thing are called alike."""
        return list(dict.fromkeys(self.phrase(item) for item in items))

    def existence(self, source: ir.X, some: bool) -> str:
        if isinstance(source, ir.ContentsX) and not self._is_plural(source.holds):
            return f"{self.place(source.holds, source.of)} is {'not empty' if some else 'empty'}"
        if having := self._having(source, True):
            return f"{having[0]} has {'' if some else 'no '}{having[1]}"
        return f"there {'are' if some else 'are no'} {self.noun(source, True)}"

    def _having(self, source: ir.X, many: bool) -> tuple[str, str] | None:
        """Whose the members of a filter are, and what they are called beside that: ("North", "units in Mill")."""
        split = self._split(source) if isinstance(source, ir.FilterX) else None
        if split is None or not isinstance(source, ir.FilterX):
            noun = self.noun(source, many)
            begins, _, others = noun.partition(" ")
            # "there are your reserves": you have reserves.
            return {"your": ("you", others), "its": ("it", others)}.get(begins)
        owner, rest = split
        noun = self.noun(source.source, many)
        with self.element(source.var):
            apart = self._relative_of(source.var, rest, many)
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
        parts = []
        for at, (var, source) in enumerate(x.picks):
            parts.append(f"{word if at == 0 else 'and'} {self.bind(var, source, variables)}")
        said = f"for {' '.join(parts)}, {self.sentence(x.condition, inner)}"
        self.names = held
        return said

    def _quantified_one(self, var: ir.Var, source: ir.X, condition: ir.X, word: str, inner: bool) -> str:
        noun = self.noun(source, False)
        if word != "every":
            is_one = isinstance(condition, ir.AndX | ir.OrX) and isinstance(condition, ir.AndX) is not inner
            parts = [(condition, inner)] if is_one else parts_of(condition, inner)
            with self.element(var):
                apart = [self.apart(var, p, h, False) for p, h in parts]
            if not any(part.startswith("for which") for part in apart):
                return f"there is {word} {noun} {joined_relatives(apart)}"
        with self.element(var):
            said = self.sentence(condition, inner)
        if said.startswith("it ") and not re.search(r"\b(?:it|its)\b", said[3:]):
            return f"{word} {noun} {said[3:]}"
        return f"for {word} {noun}, {said}"

    def bind(self, var: ir.Var, source: ir.X, others: Sequence[ir.Var]) -> str:
        """``town b linked to a``: one of a set, with a name to tell it from others. One that is the only one of its
        kind needs none: it is "that town" from then on."""
        noun = self.noun(source, False)
        head = kind_noun(_kind_of(source.type))
        name = readable(var.name)
        if head and sum(_kind_of(other.type) == _kind_of(var.type) for other in others) == 1:
            self.names[var.ident] = f"that {head}"
            return noun
        self.names[var.ident] = name
        return f"{head} {name}{noun[len(head) :]}" if head and noun.startswith(head) else f"{noun} {name}"

    def called(self, function: m.Function, args: tuple[ir.X, ...], holds: bool) -> str:
        """A yes/no rule of the game: "the unit is supplied", "“stacks legally” holds for the town"."""
        if function.wording is not None:
            return self.worded(function.wording, args, holds)
        words = readable(function.name).lower()
        said, circumstances = self._arguments(function.params, args)
        if not said:
            return by_itself(words, holds) + circumstances
        if is_said(words) or len(said) == 1:
            return f"{said[0]} {told(words, holds)}{self._objects(words, said[1:])}{circumstances}"
        verb = "applies" if holds else "does not apply"
        return f"“{words}” {verb} to {listed(said)}{circumstances}"

    @staticmethod
    def _objects(words: str, others: Sequence[str]) -> str:
        """What a yes/no rule is asked about beside its first value: "touches Mill", "is next to Mill"."""
        if not others:
            return ""
        first, _, rest = words.partition(" ")
        if words.rpartition(" ")[2] in SMALL_WORDS or (is_act(first) and not rest):
            more = f" for {listed(others[1:])}" if others[1:] else ""
            return f" {others[0]}{more}"
        return f" for {listed(others)}"

    def _arguments(self, params: Sequence[ir.Var], args: Sequence[ir.X]) -> tuple[list[str], str]:
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
        said = [p if isinstance(p, str) else self.phrase(substitute(p, values)) for p in template.parts]
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
        # An author who writes "of the {s}" thinks of a name; of any of them one would say "of the side".
        text = re.sub(r"\b[Tt]he (?=(?:the|your|you|its|it|that)\b)", "", text)
        text = re.sub(r"\byou's\b", "your", re.sub(r"\bit's\b", "its", text))
        # "the points of {n} in {a}": its points there, your points there.
        text = re.sub(r"\bthe ((?:\w+ )?\w+) of (it|you)\b", lambda f: f"{OWN[f[2]]} {f[1]}", text)
        text = re.sub(r"\b(an? \w+|one|\w+[^s\W]s) of you\b", r"\1 of yours", text)
        text = re.sub(rf"\b(?!(?:{NO_NOUNS})\b)(\w+) of you\b", r"your \1", text)
        if any(isinstance(arg, ir.Lit) and arg.value == 1 for arg in args):
            text = re.sub(r"\b1 ((?:[a-z]+ )?[A-Za-z]+[^s\W])s\b", r"1 \1", text)
        return agreed(text)

    def requirement(self, clause: ir.Clause, holds: bool) -> str:
        """A requirement (or its opposite): in its author's words, or made from its condition."""
        if clause.wording is not None:
            return self.worded(clause.wording, (), holds)
        return self.sentence(clause.condition, holds)

    # -------------------------------------------------------------- noun phrases

    def phrase(self, x: ir.X) -> str:  # noqa: C901 - one case for each sort of node
        """A value."""
        if self.you is not None and is_same(x, self.you):
            return "you"
        match x:
            case ir.Lit(value=value):
                if value is None:
                    return "nothing"
                if isinstance(value, bool):
                    return "yes" if value else "no"
                return f"“{value}”" if x.type == TEXT else str(value)
            case ir.ThingLit(kind=kind, index=index):
                return kind.things[index].label
            case ir.AllThings(kind=kind):
                return f"all {plural(kind_noun(kind.name))}"
            case ir.Local(var=var):
                return self.name(var)
            case ir.StateX(state=m.State(wording=ir.Wording() as wording), of=of) if x.type != BOOL:
                return self.worded(wording, (of,) if of is not None else ())
            case ir.AttrX(attr=m.Attr(wording=ir.Wording() as wording), of=of) if x.type != BOOL:
                return self.worded(wording, (of,))
            case ir.PieceStateX(state=m.State(wording=ir.Wording() as wording), of=of) if x.type != BOOL:
                return self.worded(wording, (of,))
            case ir.CallX(function=m.Function(wording=ir.Wording() as wording), args=args) if x.type != BOOL:
                return self.worded(wording, args)
            case ir.TableX(table=m.Table(wording=ir.Wording() as wording), args=args, shift=None):
                return self.worded(wording, args)
            case ir.StateX(state=state, of=None):
                return self.game_state(state)
            case ir.StateX(state=state, of=ir.X() as of) | ir.PieceStateX(state=state, of=of):
                return self.possessed(of, self._several(state.name, x.type))
            case ir.AttrX(attr=m.Attr(name="other"), of=of) if _kind_of(of.type) == _kind_of(x.type):
                return f"the other {kind_noun(_kind_of(x.type))}"
            case ir.AttrX(attr=attr, of=of):
                # A piece's nation's side is its side.
                owned = owned_one(x) if attr.name in BELONGS else None
                return self.possessed(owned if owned is not None else of, self._several(attr.name, x.type))
            case ir.PlaceOfX(of=ir.Local(var=var)) if var.ident in self.places:
                return self.places[var.ident]
            case ir.PlaceOfX(of=of):
                return self.possessed(of, kind_noun(_kind_of(x.type)) or "place")
            case ir.ContentsX(holds=holds, of=of):
                return self.the(x) if self._is_plural(holds) else self.place(holds, of)
            case ir.FilterX() | ir.LinksX() | ir.MostX() | ir.RouteX(target=None):
                return self.the(x)
            case ir.RouteX(target=target) if target is not None:
                counted = "number of steps" if x.route.cost is None else "cost of the way"
                return f"the {counted} to {self.phrase(target)} by {self.route(x)}"
            case ir.AggregateX(function="set" | "list", picks=((var, _),), value=ir.Local(var=v)) if v is var:
                return self.the(x)
            case ir.AggregateX():
                return self.aggregate(x)
            case ir.ArithX():
                return self.arithmetic(x)
            case ir.SetOpX(operator=operator, left=left, right=right):
                if operator in ("+", "&", "-") and isinstance(left, ir.LinksX):
                    return self.the(x)
                a, b = self.phrase(left), self.phrase(right)
                joined = {"+": "together with", "-": "except", "&": "that are also among", "list+": "followed by"}
                return f"{a} {joined.get(operator, operator)} {b}"
            case ir.IfX(condition=condition, then=then, otherwise=otherwise) if x.type != BOOL:
                a, b = self.phrase(then), self.phrase(otherwise)
                return f"{a} if {self.sentence(condition, True)}, otherwise {b}"
            case ir.CallX(function=function, args=args) if x.type != BOOL:
                words = readable(function.name).lower()
                said, circumstances = self._arguments(function.params, args)
                if not said:
                    return f"the {words}{circumstances}"
                tail = f" for {listed(said[1:])}" if len(said) > 1 else ""
                if words.partition(" ")[0].endswith("ed") and isinstance(x.type, SetOf):
                    return f"the {self._head(x.type, True)} {words} for {listed(said)}{circumstances}"
                is_near = words.partition(" ")[0] in ADVERBS and isinstance(x.type, SetOf)
                head = f"{self._head(x.type, True)} {words}" if is_near else words
                if words.rpartition(" ")[2] in SMALL_WORDS:
                    return f"the {head} {said[0]}{tail}{circumstances}"
                if is_near:
                    return f"the {head} of {said[0]}{tail}{circumstances}"
                if words.partition(" ")[0] in ADVERBS and x.type == INT:
                    return f"what {said[0]} has {words}{tail}{circumstances}"
                if said[0] in ("it", "you") and not words.startswith(("sum", "number", "count")):
                    return f"{'its' if said[0] == 'it' else 'your'} {words}{tail}{circumstances}"
                return f"the {words} of {said[0]}{tail}{circumstances}"
            case ir.TableX(table=table, args=args, shift=shift):
                given = listed([self.phrase(a) for a in args])
                moved = f", as many columns further on as {self.phrase(shift)}" if shift is not None else ""
                return f"the {readable(table.name).lower()} for {given}{moved}"
            case ir.BuiltinX():
                return self.builtin(x)
            case ir.SetX(items=items) | ir.ListX(items=items):
                return listed(self.each_once(items)) or "none"
            case ir.RangeX(low=low, high=high):
                return f"{low} to {high}"
            case ir.TemplateX(parts=parts):
                text = "".join(p if isinstance(p, str) else f"({self.phrase(p)})" for p in parts)
                return f"“{text}”"
        if x.type == BOOL:
            return f"whether {self.sentence(x, True)}"
        raise AssertionError(x)

    def the(self, x: ir.X) -> str:
        """The members of a set: "the units in Mill", "your reserves"."""
        noun = self.noun(x, True)
        return noun if noun.startswith(("its ", "your ")) else f"the {noun}"

    def among(self, x: ir.X) -> str:
        """The same for what one chooses from, which may be no more than a name that was handed on."""
        kind = _kind_of(x.type)
        return f"the {plural(kind_noun(kind))} in question" if isinstance(x, ir.Local) and kind else self.the(x)

    def name(self, var: ir.Var) -> str:
        """What to call a name that a rule binds."""
        given = self.names.get(var.ident)
        if given is not None:
            return given
        kind = kind_noun(_kind_of(var.type))
        single = isinstance(var.type, ThingOf | PieceOf)
        if var in self._elements or var.name in ("it", "each"):
            if not self._elements or var is self._elements[-1]:
                return "it"
            return f"that {kind}" if kind else readable(var.name)
        words = readable(var.name)
        if kind and _is_selection(var):
            return f"the chosen {plural(kind)}"
        if not kind or not single:
            return f"the {words}" if len(words) > 2 and kind else words
        if len(words) > 2 and words.lower() != kind:
            return f"the {words}"
        if len(self._kinds.get(_kind_of(var.type), ())) > 1:
            return f"{kind} {words}"
        return f"the {kind}"

    def game_state(self, state: m.State) -> str:
        words = readable(state.name)
        if " " in state.name:
            return "this reaction"
        thing, _, name = state.name.rpartition(".")
        if thing:
            return f"{titled(thing)}'s {readable(name)}"
        plain = state.type.element if isinstance(state.type, Maybe) else state.type
        if isinstance(plain, ThingOf) and (words.lower() in WHICH or re.fullmatch(r"\w+ed", words.lower())):
            return f"the {words} {kind_noun(plain.kind)}"
        if plain == ListOf(INT) and re.fullmatch(r"\w+ed", words.lower()):
            return f"the {words} numbers"
        return f"the {words}"

    def possessed(self, of: ir.X, name: str) -> str:
        """ "the unit's side", "its side", "the side of two words in Mill"."""
        owner = self.phrase(of)
        if owner in ("it", "you"):
            return f"{'its' if owner == 'it' else 'your'} {name}"
        if owner.count(" ") > 2 or " in " in owner or "," in owner or re.search(r"'s |s' |^who ", owner):
            return f"the {name} of {owner}"
        is_plural = owner.endswith("s") and len(owner.rpartition(" ")[2]) > 2
        return f"{owner}{chr(39) if is_plural else chr(39) + 's'} {name}"

    @staticmethod
    def _several(name: str, type_: Type) -> str:
        """The name of a fact; one that is several things says of which kind: "entry regions"."""
        words = readable(name)
        kind = kind_noun(_kind_of(type_))
        if not isinstance(type_, SetOf | ListOf) or not kind or re.search(r"[^su]s$", words):
            return words
        if words.partition(" ")[0] in ADVERBS:
            return f"{plural(kind)} {words}"
        return f"{words} {plural(kind)}"

    @staticmethod
    def _is_plural(holds: m.Holds) -> bool:
        """Whether a place is named for what it holds (`units`, `destroyed`) rather than for itself (`hand`)."""
        words = readable(holds.name).lower()
        word = words.rpartition(" ")[2]
        return (word.endswith("s") and not word.endswith("ss")) or bool(TELLING.fullmatch(words))

    @staticmethod
    def held(holds: m.Holds, many: bool = True) -> str:
        """What lies in a place that is named for it: "units", "destroyed units", "cards in play"."""
        words = readable(holds.name).lower()
        told = TELLING.fullmatch(words)
        kind = kind_noun(holds.kind.name)
        if told is None:
            return words if many else kind
        noun = plural(kind) if many else kind
        return f"{noun} {words}" if told["after"] else f"{words} {noun}"

    def place(self, holds: m.Holds, of: ir.X | None) -> str:
        words = self.held(holds) if self._is_plural(holds) else readable(holds.name).lower()
        if words.partition(" ")[0] in ADVERBS:
            words = f"{plural(kind_noun(holds.kind.name))} {words}"
        if of is None:
            return f"the {words}"
        if isinstance(of.type, SetOf):
            return f"the {words} of {self.noun(of, True)}"
        if TELLING.fullmatch(readable(holds.name).lower()) and words.rpartition(" ")[2] not in words.split()[:1]:
            said = self._of(words, of)
            return said if said.startswith(("its ", "your ")) else f"the {said}"
        return self.possessed(of, words)

    def _of(self, words: str, of: ir.X) -> str:
        """What somebody has: "reserves of North", "your reserves"."""
        owner = self.phrase(of)
        if owner in ("it", "you"):
            return f"{'its' if owner == 'it' else 'your'} {words}"
        return f"{words} of {owner}"

    def _content(self, x: ir.ContentsX, many: bool) -> str:
        """What lies in a place: "units in Mill", "reserves of North", "cards in your hand"."""
        holds, of = x.holds, x.of
        head = self._head(x.type, many)
        if not self._is_plural(holds):
            return f"{head} in {self.place(holds, of)}"
        word = self.held(holds, many)
        if of is None:
            return word
        is_many = isinstance(of.type, SetOf)
        where = self.noun(of, True) if is_many else self.phrase(of)
        # Units stand in a town, but a side has its reserves.
        inside = holds.owner is None or bool(holds.owner.links)
        state = TELLING.fullmatch(readable(holds.name).lower())
        if state and state["after"] and not inside:
            return f"{f'{head} of {where}' if is_many else self._of(head, of)} {state['after']}"
        own = self.held(holds)
        if not many and state is None and not own.endswith(plural(kind_noun(holds.kind.name))):
            word = f"{word} in the {own}"  # a card in the discards, but a unit in a town
            inside = False
        if inside:
            return f"{word} in {where}"
        return f"{word} of {where}" if is_many else self._of(word, of)

    @staticmethod
    def _both_linked(x: ir.SetOpX) -> bool:
        """Whether spaces linked in one way or another to the same one are put together."""
        left, right = x.left, x.right
        return isinstance(left, ir.LinksX) and isinstance(right, ir.LinksX) and is_same(left.of, right.of)

    def _joined(self, x: ir.SetOpX, many: bool) -> str:
        """Two sets put together, or one without the other."""
        left, right = x.left, x.right
        if x.operator == "+" and isinstance(left, ir.LinksX) and isinstance(right, ir.LinksX) and self._both_linked(x):
            where = f"any of {self.the(left.of)}" if isinstance(left.of.type, SetOf) else self.phrase(left.of)
            return f"{self._head(x.type, many)} {self.linked((*left.sorts, *right.sorts), left.kind)} {where}"
        if x.operator == "+":
            return f"{self.noun(left, True)} and {self.phrase(right)}"
        if x.operator == "-":
            return f"{self.noun(left, many)} except {self.phrase(right)}"
        return f"{self.noun(left, many)} that {'are' if many else 'is'} also among {self.phrase(right)}"

    def noun(self, x: ir.X, many: bool) -> str:
        """What one or many members of a set, list or pile are called, with what sets them apart."""
        head = self._head(x.type, many)
        match x:
            case ir.AllThings():
                return head
            case ir.ContentsX():
                return self._content(x, many)
            case ir.FilterX(source=source, var=var, condition=condition):
                owned = self._owned(x, many)
                return owned or f"{self.noun(source, many)} {self.relative(var, condition, many)}"
            case ir.AggregateX(function="set" | "list", picks=((var, source),), condition=None, value=value) if (
                self._of_element(value, var)
            ):
                own = self._of_element(value, var)
                return f"{plural(own) if many else own} of {self.noun(source, True)}"
            case ir.AggregateX(
                function="set" | "list", picks=((var, source),), condition=test, value=ir.Local(var=v)
            ) if v is var:
                apart = f" {self.relative(var, test, many)}" if test is not None else ""
                return f"{self.noun(source, many)}{apart}"
            case ir.SetOpX(operator="+" | "-" | "&") if many or x.operator != "+" or self._both_linked(x):
                return self._joined(x, many)
            case ir.LinksX(of=of, sorts=sorts, kind=space):
                where = f"any of {self.the(of)}" if isinstance(of.type, SetOf) else self.phrase(of)
                return f"{head} {self.linked(sorts, space)} {where}"
            case ir.MostX(direction=direction, source=source, var=var, by=by):
                with self.element(var):
                    worth = self._own_value(by, var) or f"value of {self.phrase(by)}"
                which = "highest" if direction == "most" else "lowest"
                return f"{self.noun(source, many)} with the {which} {worth}"
            case ir.RouteX():
                return f"{head} that can be reached by {self.route(x)}"
            case ir.SetX(items=items) | ir.ListX(items=items) if items:
                return f"{head} among {listed(self.each_once(items))}"
            case ir.RangeX(low=low, high=high):
                return f"{head} from {low} to {high}"
        if isinstance(x, ir.Local) and _is_selection(x.var):
            return f"chosen {head}"
        if isinstance(x, ir.Local | ir.CallX | ir.StateX | ir.AttrX | ir.SetOpX | ir.BuiltinX | ir.IfX | ir.AggregateX):
            said = self.phrase(x)
            # "the open towns" are towns already, and so are "the towns where one may build".
            several = plural(head) if not many else head
            one = head if not many else ""
            if found := re.match(rf"(?:the )?((?:[a-z]+ )?){re.escape(several)}\b(?! (?:of|in) )(.*)$", said):
                return f"{found[1]}{one or several}{found[2]}"
            if (
                many
                and re.match(r"the (?:\w+ )?\w+[^su\W]s\b", said)
                and isinstance(x, ir.CallX | ir.AttrX | ir.StateX)
            ):
                return said[4:]  # "the foes of North" are foes
            return f"{head} among {said}" if _kind_of(x.type) else f"{head} in {said}"
        return head

    def _owned(self, x: ir.FilterX, many: bool) -> str:
        """``Mill.units[side == North and not moved]`` as "units of North in Mill that have not moved".

        "" where nobody is said to own them, or somebody else has them."""
        split = self._split(x)
        if split is None:
            return ""
        owner, rest = split
        whole = self.noun(x.source, many)
        with self.element(x.var):
            apart = self._relative_of(x.var, rest, many)
            who = self.phrase(owner)
        if who == "you":
            return f"your {whole}{' ' + apart if apart else ''}"
        place = whole.find(" in ")
        if place < 0:
            whole, place = f"{whole} ", len(whole)
        return f"{whole[:place]} of {who}{whole[place:].rstrip()}{' ' + apart if apart else ''}"

    def _split(self, x: ir.FilterX) -> tuple[ir.X, list[ir.X]] | None:
        """Whose the members of a filter are, and what else is said of them. None where nobody is, or where they lie
        with somebody: the reserves of North that belong to Ruritania."""
        source, var = x.source, x.var
        if isinstance(source, ir.ContentsX):
            owner = source.holds.owner
            if owner is not None and not owner.links and self._is_plural(source.holds):
                return None
        elif not isinstance(source, ir.AllThings):
            return None
        parts = list(x.condition.parts) if isinstance(x.condition, ir.AndX) else [x.condition]
        owners = [part for part in parts if self._owner_in(part, var) is not None]
        if not owners:
            return None
        # Of a nation and its side, the nation says more.
        chosen = owners[-1]
        found = self._owner_in(chosen, var)
        assert found is not None
        return found, [part for part in parts if part is not chosen]

    def _owner_in(self, x: ir.X, var: ir.Var) -> ir.X | None:
        """Who the element of a filter is said to belong to."""
        match x:
            case ir.CompareX(operator="==", left=left, right=right) if not self._mentions(right, var):
                owned = owned_one(left)
                if isinstance(owned, ir.Local) and owned.var is var and right.type != NOTHING:
                    return None if is_nobody(right) else right
        return None

    def _relative_of(self, var: ir.Var, parts: Sequence[ir.X], many: bool) -> str:
        return joined_relatives([self.apart(var, part, True, many) for part in parts])

    def _own_value(self, x: ir.X, var: ir.Var) -> str:
        """The name of a fact or computed value of the element: "side", "strength (for Mill)"; "" if it is neither."""
        own = self._of_element(x, var)
        if own or not isinstance(x, ir.CallX) or x.type == BOOL:
            return own
        if not x.args or not (isinstance(x.args[0], ir.Local) and x.args[0].var is var):
            return ""
        others = listed([self.phrase(a) for a in x.args[1:]])
        return readable(x.function.name).lower() + (f" (for {others})" if others else "")

    @staticmethod
    def _head(type_: Type, many: bool) -> str:
        """What one or many members of a type are called, without anything that sets them apart."""
        kind = kind_noun(_kind_of(type_))
        if not kind:
            return "numbers" if many else "number"
        return plural(kind) if many else kind

    @staticmethod
    def linked(sorts: Sequence[str], kind: m.Kind) -> str:
        if set(sorts) == set(kind.links):
            return "linked to"
        return f"linked by {listed([readable(s).lower() for s in sorts], 'or')} to"

    def route(self, x: ir.RouteX) -> str:
        """``march from Mill``: the route's name and where it begins."""
        from rulescript.model.ir import substitute

        if x.route.wording is not None:
            return self.worded(x.route.wording, x.args)
        start = substitute(x.route.start, {p.ident: a for p, a in zip(x.route.params, x.args, strict=False)})
        begins = f"any of {self.the(start)}" if isinstance(start.type, SetOf) else self.phrase(start)
        used = _locals_in(x.route.start)
        rest = [(p, a) for p, a in zip(x.route.params, x.args, strict=False) if p.ident not in used]
        told_of = [(p, a) for p, a in rest if not (isinstance(a, ir.SetX | ir.ListX) and not a.items)]
        said, circumstances = self._arguments([p for p, _ in told_of], [a for _, a in told_of])
        more = f" for {listed(said)}" if said else ""
        return f"{readable(x.route.name).lower()} from {begins}{more}{circumstances}"

    # -------------------------------------------------------------- filters

    def relative(self, var: ir.Var, condition: ir.X, many: bool) -> str:
        """What sets the members of a filter apart: "whose side is North and that have not moved"."""
        with self.element(var):
            parts = condition.parts if isinstance(condition, ir.AndX) else (condition,)
            return self._relative_of(var, parts, many)

    def apart(self, var: ir.Var, x: ir.X, holds: bool, many: bool) -> str:  # noqa: C901 - one case for each sort of node
        """One condition on the element, after its noun."""
        if self._has_words(x):
            return self._which(x, holds, many)
        match x:
            case ir.NotX(of=of):
                return self.apart(var, of, not holds, many)
            case (
                ir.StateX(state=fact, of=ir.Local(var=v))
                | ir.PieceStateX(state=fact, of=ir.Local(var=v))
                | ir.AttrX(attr=fact, of=ir.Local(var=v))
            ) if v is var and x.type == BOOL:
                return f"that {told(readable(fact.name).lower(), holds, many)}"
            case ir.CompareX(operator=operator, left=left, right=right) if not self._mentions(right, var):
                operator = operator if holds else OPPOSITE[operator]
                if operator in ("==", "!=") and (said := self._sorted_apart(var, left, right, operator == "==", many)):
                    return said
                words = self._of_element(left, var)
                if right.type == NOTHING and words and isinstance(left, ir.AttrX | ir.PieceStateX):
                    if isinstance(left.of, ir.Local):
                        have = "have" if many else "has"
                        return f"that {have} {'no ' + words if operator == '==' else article(words)}"
                said = self._compared(var, left, operator, right, many)
                if said:
                    return said
            case ir.InX(element=ir.Local(var=v), source=source, negated=negated) if v is var:
                inside = holds is not negated
                if isinstance(source, ir.LinksX):
                    linked = self.linked(source.sorts, source.kind)
                    return f"{'' if inside else 'not '}{linked} {self.phrase(source.of)}"
                if isinstance(source, ir.RouteX):
                    return f"that {'can' if inside else 'cannot'} be reached by {self.route(source)}"
                return f"{'among' if inside else 'not among'} {self.phrase(source)}"
            case ir.InX(element=ir.AttrX(attr=attr) as element, source=ir.SetX(items=items), negated=negated) if (
                items and attr.name in SORTS and is_element(sorted_one(element), var)
            ):
                sorts = listed([sort_word(label, many) for label in self.each_once(items)], "or")
                return f"that {'are' if many else 'is'} {'' if holds is not negated else 'not '}{sorts}"
            case ir.InX(element=element, source=source, negated=negated) if (
                self._of_element(element, var)
                and not self._mentions(source, var)
                and isinstance(source, ir.SetX | ir.StateX | ir.AttrX | ir.CallX | ir.Local | ir.AggregateX)
            ):
                own = self._of_element(element, var)
                sign = "is" if holds is not negated else "is not"
                if isinstance(source, ir.SetX) and source.items:
                    return f"whose {own} {sign} {listed(self.each_once(source.items), 'or')}"
                return f"whose {own} {sign} among {self.phrase(source)}"
            case ir.CallX(function=function, args=(ir.Local(var=v), *others)) if v is var and x.type == BOOL:
                words = readable(function.name).lower()
                said_of, circumstances = self._arguments(function.params[1:], others)
                if is_said(words) or not said_of:
                    return f"that {told(words, holds, many)}{self._objects(words, said_of)}{circumstances}"
            case ir.SomeX(source=source, negated=negated):
                said = self._holding(var, source, holds is not negated)
                if said:
                    return said
        if isinstance(x, ir.AttrX | ir.StateX | ir.PieceStateX) and x.type == BOOL and x.of is not None:
            own = self._of_element(x.of, var)
            name = x.attr.name if isinstance(x, ir.AttrX) else x.state.name
            if own:
                return f"whose {own} {told(readable(name).lower(), holds)}"
        return self._which(x, holds, many)

    def _which(self, x: ir.X, holds: bool, many: bool) -> str:
        """A sentence about "it" after the noun it is about: "that are open to both sides", "in which nobody stands"."""
        said = self.sentence(x, holds)
        begin, _, rest = said.partition(" ")
        if re.search(r"\b(?:if|either|one of)\b", said):
            return f"for which {said}"
        if begin == "it" and not re.search(r"\bit\b", rest):
            if not many:
                return f"that {rest}"
            return f"that {agreed('you ' + rest).removeprefix('you ')}"
        if begin == "its" and not re.search(r"\bits?\b", rest):
            return f"whose {rest}"
        if said.endswith((" in it", " from it", " to it", " at it")) and not re.search(r"\bits?\b", said[:-3]):
            head, _, small = said[: -len(" it")].rpartition(" ")
            return f"{small} which {head}"
        if said.endswith(" it") and re.fullmatch(r"[^,;(]+ \w+s it", said) and not re.search(r"\bits?\b", said[:-3]):
            return f"that {said[:-3]}"  # "that nobody controls"
        return f"for which {said}"

    def _sorted_apart(self, var: ir.Var, left: ir.X, right: ir.X, is_same: bool, many: bool) -> str:
        """``[arm == guns]`` as "that are guns", ``[side == North]`` as "that belong to North"; "" if it is neither."""
        if is_element(owned_one(left), var) and isinstance(plain_type(right.type), ThingOf) and not is_nobody(right):
            return f"that {self._belonging(right, is_same, many)}"
        if isinstance(left, ir.AttrX) and left.attr.name in SORTS and isinstance(right, ir.ThingLit):
            if is_element(sorted_one(left), var):
                be = "are" if many else "is"
                return f"that {be if is_same else be + ' not'} {sort_word(self.phrase(right), many)}"
        return ""

    @staticmethod
    def _has_words(x: ir.X) -> bool:
        """Whether a condition has words of its author's."""
        while isinstance(x, ir.NotX):
            x = x.of
        match x:
            case ir.CallX(function=named):
                return named.wording is not None
            case ir.AttrX(attr=attr) if x.type == BOOL:
                return attr.wording is not None
            case ir.StateX(state=state) | ir.PieceStateX(state=state) if x.type == BOOL:
                return state.wording is not None
        return False

    def _compared(self, var: ir.Var, left: ir.X, operator: str, right: ir.X, many: bool) -> str:
        be = "are" if many else "is"
        match left:
            case ir.Local(var=v) if v is var:
                if operator == "==":
                    return f"equal to {self.phrase(right)}" if right.type == INT else f"that {be} {self.phrase(right)}"
                if operator == "!=":
                    return f"other than {self.phrase(right)}"
                table = ORDER if isinstance(var.type, ThingOf) else OPERATORS
                verb = table[operator]
                if many:
                    verb = re.sub(r"^is ", "are ", verb.replace("comes", "come").replace("does", "do"))
                return f"that {verb} {self.phrase(right)}"
            case ir.PlaceOfX(of=ir.Local(var=v)) if v is var and operator in ("==", "!="):
                return f"{'in' if operator == '==' else 'not in'} {self.phrase(right)}"
        own = self._of_element(left, var)
        if own in HOLDS and operator in ("==", "!=") and wording_of(left) is None:
            who = right.of if isinstance(right, ir.AttrX) and right.attr.name in MARKERS else right
            if isinstance(plain_type(who.type), ThingOf) and not (isinstance(who, ir.ThingLit) and who.kind.is_values):
                verb = HOLDS[own] if operator == "==" else f"does not {HOLDS[own][:-1]}"
                said = self.phrase(who)
                return f"{'which' if said.startswith('that ') else 'that'} {said} {verb}"
        if own and operator in ("==", "!=") and self.phrase(right) == f"the {own}":
            return f"that {be} of {'that' if operator == '==' else 'another'} {own}"
        if own and right.type != NOTHING:
            table = ORDER if isinstance(left.type, ThingOf) and operator not in ("==", "!=") else OPERATORS
            verb = re.sub(r"^is\b", "are", table[operator]) if re.search(r"[^su]s$", own) else table[operator]
            return f"whose {own} {verb} {self.phrase(right)}"
        return ""

    def _holding(self, var: ir.Var, source: ir.X, some: bool) -> str:
        """``[some units[side == North]]`` as "with units whose side is North"."""
        filters: list[ir.FilterX] = []
        base = source
        while isinstance(base, ir.FilterX):
            filters.insert(0, base)
            base = base.source
        if not (isinstance(base, ir.ContentsX) and isinstance(base.of, ir.Local) and base.of.var is var):
            return ""
        if any(self._mentions(f.condition, var) for f in filters):
            return ""
        is_named_for_it = self._is_plural(base.holds)
        words = self.held(base.holds) if is_named_for_it else plural(kind_noun(base.holds.kind.name))
        split = self._split(filters[0]) if len(filters) == 1 else None
        if split is not None:
            with self.element(filters[0].var):
                who, apart = self.phrase(split[0]), self._relative_of(filters[0].var, split[1], True)
            words = f"your {words}" if who == "you" else f"{words} of {who}"
            tail = apart
        else:
            tail = " and ".join(self.relative(f.var, f.condition, True) for f in filters)
        where = "" if self._is_plural(base.holds) else f" in the {readable(base.holds.name).lower()}"
        return f"{'with' if some else 'without'} {words}{where}{' ' + tail if tail else ''}"

    def _of_element(self, x: ir.X, var: ir.Var) -> str:
        """The name of a fact of the element itself: "side", "town's control"; "" if it is something else."""
        match x:
            case ir.AttrX(attr=m.Attr(name=name), of=of) | ir.StateX(state=m.State(name=name), of=ir.X() as of):
                own = readable(name)
            case ir.PieceStateX(state=state, of=of):
                own = readable(state.name)
            case ir.PlaceOfX(of=of):
                own = kind_noun(_kind_of(x.type)) or "place"
            case _:
                return ""
        if isinstance(of, ir.Local) and of.var is var:
            return own
        outer = self._of_element(of, var)
        if outer in BELONGS and own in BELONGS:
            return own
        return f"{outer}'s {own}" if outer else ""

    @staticmethod
    def _mentions(x: ir.X, var: ir.Var) -> bool:
        from rulescript.model.traverse import free_vars

        return var.ident in free_vars(x)

    # -------------------------------------------------------------- numbers

    def aggregate(self, x: ir.AggregateX) -> str:
        if len(x.picks) == 1:
            var, source = x.picks[0]
            many = self.noun(source, True)
            if x.function == "matching":
                with self.element(var):
                    value = self._of_element(x.value, var) or self.phrase(x.value)
                dice = self.phrase(x.condition) if x.condition is not None else "the dice"
                return f"the number of {dice} that {many} match by {value}"
            if x.condition is not None:
                many = f"{many} {self.relative(var, x.condition, True)}"
            with self.element(var):
                own = self._own_value(x.value, var)
                if x.function == "count":
                    tail = "" if is_true(x.value) else f" {self.apart(var, x.value, True, True)}"
                    return f"the number of {many}{tail}"
                value = own or self.phrase(x.value)
            return self._over(x.function, value, bool(own), many)
        held = dict(self.names)
        over = []
        for var, source in x.picks:
            over.append(self.bind(var, source, [v for v, _ in x.picks]))
        value = self.say(x.value)
        test = f" where {self.sentence(x.condition, True)}" if x.condition is not None else ""
        said = {"count": f"the number of times that {value}, "}.get(x.function) or self._over(
            x.function, value, False, ""
        )
        self.names = held
        return f"{said.rstrip()} for each {' and '.join(over)}{test}".replace("  ", " ")

    @staticmethod
    def _over(function: str, value: str, own: bool, many: str) -> str:
        tail = f" of {many}" if own and many else f" over all {many}" if many else ""
        match function:
            case "sum":
                return f"the total {value}{tail}" if own else f"the total of {value}{tail}"
            case "max" | "min":
                which = "highest" if function == "max" else "lowest"
                return f"the {which} {value}{tail}" if own else f"the {which} of {value}{tail}"
            case "list":
                return f"the list of {plural(value) if own else value}{tail}"
        return f"the {plural(value)}{tail}" if own else f"the set of {value}{tail}"

    def arithmetic(self, x: ir.ArithX) -> str:
        said = [self.phrase(a) for a in x.args]
        match x.operator:
            case "neg":
                return f"minus {said[0]}"
            case "min" | "max" if len(said) == 2:
                return f"{said[0]} (but at {'most' if x.operator == 'min' else 'least'} {said[1]})"
            case "min" | "max":
                return f"the {'lowest' if x.operator == 'min' else 'highest'} of {listed(said)}"
            case "mod":
                return f"the remainder of {said[0]} divided by {said[1]}"
            case "/up" | "/down":
                rounding = x.operator[1:]
                if isinstance(x.args[1], ir.Lit) and x.args[1].value == 2:
                    return f"half of {said[0]} rounded {rounding}"
                return f"{said[0]} divided by {said[1]} rounded {rounding}"
        if x.operator == "*" and len(said) == 2 and said[0] == "2":
            return f"twice {said[1]}"
        word = {"+": "plus", "-": "minus", "*": "times"}.get(x.operator, x.operator)
        return f" {word} ".join(
            f"({s})"
            if isinstance(a, ir.ArithX)
            and a.operator in ("+", "-")
            and (x.operator == "*" or (at and x.operator == "-"))
            else s
            for at, (s, a) in enumerate(zip(said, x.args, strict=True))
        )

    def builtin(self, x: ir.BuiltinX) -> str:
        first = x.args[0]
        kind = kind_noun(_kind_of(first.type))
        match x.name:
            case "count":
                return f"the number of {self.noun(first, True)}"
            case "sum":
                return f"the total of {self.phrase(first)}"
            case "max":
                return f"the highest of {self.phrase(first)}"
            case "min":
                return f"the lowest of {self.phrase(first)}"
            case "abs":
                return f"{self.phrase(first)} without its sign"
            case "default":
                return f"{self.phrase(first)}, or {self.phrase(x.args[1])} if there is none"
            case "only":
                return f"the only {self.noun(first, False)}"
            case "first" | "last":
                return f"the {x.name} {self.noun(first, False)}"
            case "next" | "previous":
                said = self.phrase(first)
                if said == f"the {kind}":
                    return f"the {x.name} {kind}"
                return f"the {kind} {'after' if x.name == 'next' else 'before'} {said}"
            case "number":
                return self.possessed(first, "place in order")
            case "reasons":
                return "the reasons for it"
            case "label":
                return f"the name of {self.phrase(first)}"
            case "sorted":
                return f"{self.phrase(first)}, highest first"
            case "default" if len(x.args) > 1:
                return f"{self.phrase(first)} (or {self.phrase(x.args[1])} if that is nothing)"
            case "taken" if len(x.args) > 1:
                return f"the first {self.phrase(first)} of {self.phrase(x.args[1])}"
        return f"the {readable(x.name)} of {listed([self.phrase(a) for a in x.args])}"
