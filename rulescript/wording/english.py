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

__all__ = ["Speaker", "is_true", "say", "say_not"]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


# Words for things that happen to a piece or place, told with "has": "the unit has moved".
_DEEDS = _words(
    """
    acted activated advanced arrived attacked begun bombarded bought built declared discarded drawn entered
    fallen fired flown fought landed left moved passed paid played retreated rolled sailed scored spent
    surrendered voted withdrawn won
    """
)
# Nouns among yes/no facts, told with an article: "the town is a port".
_NOUNS = _words(
    """
    airfield army base beachhead bridge capital card castle city coast commander depot desert district
    fleet ford forest fort fortress garrison general harbour headquarters hill island jungle lake leader
    marsh mine mountain objective pass plain port river road ruin sea square stronghold swamp town trench
    village wood
    """
)
# States of the game itself that say which thing of a kind: "the active side".
_WHICH = _words(
    """
    active attacking current defending first last leading losing next other starting winning
    """
)
_SMALL_WORDS = _words("of in at for from to by on with against around near under")
# Facts that say to whom something belongs: "the units of the active side", not "whose side is the active side".
_BELONGS = _words("side nation country power team faction player alliance")
# What a place or piece carries when a yes/no fact is named for it: "the town has a siege marker".
_CARRIED = _words("marker token counter flag chit garrison depot trench fort bonus")
# Verbs a yes/no fact may begin with: "the nation starts neutral".
_ACTS = _words(
    """
    allows begins belongs blocks controls costs counts doubles draws ends enters fights gives grants holds ignores
    keeps knows loses moves needs owes pays plays prepares protects ranges reacts scores sees shows starts stays
    stops takes uses wins works
    """
)
_VERBS = {
    "is": "is not",
    "has": "does not have",
    "can": "cannot",
    "may": "may not",
    "must": "need not",
    "was": "was not",
    "had": "did not have",
}
_OPERATORS = {
    "==": "is", "!=": "is not", "<": "is less than", "<=": "is at most",
    ">": "is more than", ">=": "is at least",
}  # fmt: skip
_ORDER = {"<": "comes before", "<=": "does not come after", ">": "comes after", ">=": "does not come before"}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_SWAPPED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
# Places named for the state of what lies in them: `destroyed`, `in_play`.
_TELLING = re.compile(r"(?P<after>(?:in|on|out of|under|at) \w+|set aside)|\w+(?:ed|ken|wn)")
# Who has something, in the words of the name it goes by.
_HOLDS = {"control": "controls", "controller": "controls", "owner": "owns", "holder": "holds", "held": "holds"}


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

    # -------------------------------------------------------------- conditions

    def say(self, x: ir.X) -> str:
        """A condition as a sentence, anything else as a noun phrase."""
        return self.sentence(x, True) if x.type == BOOL else self.phrase(x)

    def say_not(self, x: ir.X) -> str:
        return self.sentence(x, False) if x.type == BOOL else f"anything but {self.phrase(x)}"

    def sentence(self, x: ir.X, holds: bool) -> str:
        """A condition (or its opposite)."""
        match x:
            case ir.Lit(value=value):
                return "it is always so" if bool(value) is holds else "it is never so"
            case ir.NotX(of=of):
                return self.sentence(of, not holds)
            case ir.AndX(parts=parts) | ir.OrX(parts=parts):
                joined_by_and = isinstance(x, ir.AndX) is holds
                said = [self._inside(p, holds, joined_by_and) for p in parts]
                if joined_by_and:
                    return " and ".join(said)
                return "either " + " or ".join(said) if len(said) == 2 else "one of these: " + "; or ".join(said)
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
                    f"if {self.sentence(condition, True)} then {self.sentence(then, holds)}, "
                    f"otherwise {self.sentence(otherwise, holds)}"
                )
            case ir.StateX(state=m.State(wording=ir.Wording() as wording), of=of):
                return self.worded(wording, (of,) if of is not None else (), holds)
            case ir.AttrX(attr=m.Attr(wording=ir.Wording() as wording), of=of):
                return self.worded(wording, (of,), holds)
            case ir.PieceStateX(state=m.State(wording=ir.Wording() as wording), of=of):
                return self.worded(wording, (of,), holds)
            case ir.StateX(state=state, of=of) if of is not None:
                return self.fact(self.phrase(of), state.name, holds)
            case ir.StateX(state=state):
                return self.fact("", state.name, holds)
            case ir.AttrX(attr=attr, of=of):
                return self.fact(self.phrase(of), attr.name, holds)
            case ir.PieceStateX(state=state, of=of):
                return self.fact(self.phrase(of), state.name, holds)
            case ir.CallX(function=function, args=args):
                return self.called(function, args, holds)
            case ir.Local(var=var):
                return f"{self.name(var)} {'holds' if holds else 'does not hold'}"
        return f"{self.phrase(x)} is {'yes' if holds else 'no'}"

    def _inside(self, x: ir.X, holds: bool, in_and: bool) -> str:
        """A part of `and` or `or`; brackets where the two mix."""
        said = self.sentence(x, holds)
        while isinstance(x, ir.NotX):
            x, holds = x.of, not holds
        if isinstance(x, ir.AndX | ir.OrX) and (isinstance(x, ir.AndX) is holds) is not in_and:
            return f"({said})"
        return f"({said})" if isinstance(x, ir.IfX | ir.QuantX) else said

    def fact(self, subject: str, name: str, holds: bool, many: bool = False) -> str:
        """A yes/no fact of something: "the unit has not moved", "the town is a port"."""
        words = readable(name).lower()
        if not subject:
            found = re.match(r"(\w+(?: \w+)?) (is|has|can|may|was|had|are|have|were) (\w.*)$", words)
            if found:  # `north_has_passed` is a sentence already
                who, verb, rest = found.groups()
                if holds:
                    return f"{who} {verb} {rest}"
                done = verb in ("has", "have", "had") and rest.partition(" ")[0].endswith(("ed", "en", "wn"))
                return f"{who} {verb} not {rest}" if done or verb not in _VERBS else f"{who} {_VERBS[verb]} {rest}"
            return f"“{words}” {'holds' if holds else 'does not hold'}"
        return f"{subject} {self.told(words, holds, many)}"

    def told(self, words: str, holds: bool, many: bool = False) -> str:
        first, _, rest = words.partition(" ")
        be, have = ("are", "have") if many else ("is", "has")
        if first in _VERBS and rest:
            verb = {"is": be, "has": have}.get(first, first)
            if holds:
                return f"{verb} {rest}"
            denied = {"is": f"{be} not", "has": "do not have" if many else "does not have"}.get(first, _VERBS[first])
            return f"{denied} {rest}"
        if first in _DEEDS and rest.startswith("by "):
            was = "were" if many else "was"
            return f"{was} {words}" if holds else f"{was} not {words}"
        if first in _DEEDS:
            return f"{have} {words}" if holds else f"{have} not {words}"
        if first in _ACTS and rest:
            act = re.sub(r"e?s$", "", first) if first.endswith(("ches", "shes", "sses")) else first[:-1]
            if holds:
                return f"{act if many else first} {rest}"
            return f"{'do' if many else 'does'} not {act} {rest}"
        if rest and words.rpartition(" ")[2] in _CARRIED:
            return f"{have} {article(words)}" if holds else f"{have} no {words}"
        if words in _NOUNS:
            words = plural(words) if many else article(words)
        return f"{be} {words}" if holds else f"{be} not {words}"

    def comparison(self, x: ir.CompareX, holds: bool) -> str:
        operator, left, right = x.operator, x.left, x.right
        if not holds:
            operator = _OPPOSITE[operator]
        if isinstance(left, ir.Lit | ir.ThingLit) and not isinstance(right, ir.Lit | ir.ThingLit):
            left, right, operator = right, left, _SWAPPED[operator]
        if right.type == NOTHING:
            return self._had(left, operator != "==")
        if left.type == BOOL and isinstance(right, ir.Lit) and operator in ("==", "!="):
            return self.sentence(left, bool(right.value) is (operator == "=="))
        counted = self.counted(left, operator, right)
        if counted:
            return counted
        if operator in ("==", "!="):
            be = "are" if self._is_many(left) else "is"
            sign = be if operator == "==" else f"{be} not"
            match left:
                case ir.PlaceOfX(of=of):
                    return f"{self.phrase(of)} {sign} in {self.phrase(right)}"
                case ir.StateX(of=ir.X() as of) | ir.AttrX(of=of) if self._possession(left, right):
                    return f"{self.phrase(of)} {sign} {self._possession(left, right)} by {self.phrase(right)}"
            return f"{self.phrase(left)} {sign} {self.phrase(right)}"
        plain = left.type.element if isinstance(left.type, Maybe) else left.type
        table = _ORDER if isinstance(plain, ThingOf) else _OPERATORS
        told = table[operator]
        if self._is_many(left):
            told = re.sub("^is ", "are ", told)
        return f"{self.phrase(left)} {told} {self.phrase(right)}"

    def _had(self, x: ir.X, some: bool) -> str:
        """Whether a `maybe` is something: "the town has a garrison", "nobody controls the town"."""
        match x:
            case (
                ir.StateX(state=m.State(name=name, wording=None), of=ir.X() as of)
                | ir.PieceStateX(state=m.State(name=name, wording=None), of=of)
                | ir.AttrX(attr=m.Attr(name=name, wording=None), of=of)
            ):
                verb = _HOLDS.get(name)
                if verb:
                    return f"{'somebody' if some else 'nobody'} {verb} {self.phrase(of)}"
                words = readable(name).lower()
                return f"{self.phrase(of)} has {article(words) if some else 'no ' + words}"
        return f"{self.phrase(x)} is {'something' if some else 'nothing'}"

    @staticmethod
    def _is_many(x: ir.X) -> bool:
        """Whether a set, or a number named for several things, is meant: "the supply points are at least 3"."""
        if isinstance(x.type, SetOf | ListOf):
            return True
        match x:
            case ir.StateX(state=m.State(name=name)) | ir.CallX(function=m.Function(name=name)):
                words = readable(name).lower()
            case ir.Local(var=ir.Var(name=name)):
                words = readable(name).lower()
            case _:
                return False
        return x.type == INT and bool(re.search(r"[^su]s$", words.partition(" of ")[0])) and len(words) > 3

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
            amount = self.phrase(right)
            told = {
                "==": f"exactly {amount}", "!=": f"not {amount}", "<": f"fewer than {amount}",
                "<=": f"at most {amount}", ">": f"more than {amount}", ">=": f"at least {amount}",
            }  # fmt: skip
            return f"the number of {many} is {told[operator]}"
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
        return f"there {'is' if one else 'are'} {word}{number_word(value)} {self.noun(source, not one)}"

    def membership(self, x: ir.InX, holds: bool) -> str:
        holds = holds is not x.negated
        element, source = x.element, x.source
        subject = self.phrase(element)
        be = "are" if self._is_many(element) else "is"
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
                return f"{subject} {sign} {said[0] if len(said) == 1 else 'one of ' + listed(said, 'or')}"
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
        match source.type:
            case SetOf() | Pile() | ListOf() if not isinstance(source, ir.Local | ir.CallX | ir.BuiltinX | ir.StateX):
                return f"there {'are' if some else 'are no'} {self.noun(source, True)}"
        return f"{self.phrase(source)} {'has members' if some else 'is empty'}"

    def quantified(self, x: ir.QuantX, holds: bool) -> str:
        word, inner = x.quantifier, True
        if not holds:
            word, inner = {"some": ("no", True), "none": ("some", True), "every": ("some", False)}[word]
        word = {"none": "no", "some": "at least one"}.get(word, word)
        variables = [var for var, _ in x.picks]
        if len(x.picks) == 1:
            noun = self.noun(x.picks[0][1], False)
            with self.element(variables[0]):
                return f"for {word} {noun}, {self.sentence(x.condition, inner)}"
        held = dict(self.names)
        parts = []
        for at, (var, source) in enumerate(x.picks):
            parts.append(f"{word if at == 0 else 'and'} {self._named_noun(var, source)}")
            self.names[var.ident] = readable(var.name)
        said = f"for {' '.join(parts)}, {self.sentence(x.condition, inner)}"
        self.names = held
        return said

    def _named_noun(self, var: ir.Var, source: ir.X) -> str:
        """``town b linked to a``: one of a set, with a name to tell it from others."""
        noun = self.noun(source, False)
        head = kind_noun(_kind_of(source.type))
        name = readable(var.name)
        return f"{head} {name}{noun[len(head) :]}" if head and noun.startswith(head) else f"{noun} {name}"

    def called(self, function: m.Function, args: tuple[ir.X, ...], holds: bool) -> str:
        """A yes/no rule of the game: "the unit is supplied", "“stacks legally” holds for the town"."""
        if function.wording is not None:
            return self.worded(function.wording, args, holds)
        words = readable(function.name).lower()
        said = [self.phrase(a) for a in args]
        if said and self._is_said(words):
            tail = f" (with {listed(said[1:])})" if len(said) > 1 else ""
            return f"{said[0]} {self.told(words, holds)}{tail}"
        verb = "holds" if holds else "does not hold"
        return f"“{words}” {verb}" + (f" for {listed(said)}" if said else "")

    def worded(self, wording: ir.Wording, args: Sequence[ir.X], holds: bool = True) -> str:
        """A rule in its author's words, with what it is asked about in the place of its names."""
        from rulescript.model.ir import substitute

        template = wording.text
        prefix = ""
        if not holds:
            template, prefix = (wording.denied, "") if wording.denied is not None else (template, "it is not so that ")
        values = {p.ident: a for p, a in zip(wording.params, args, strict=False)}
        said = "".join(p if isinstance(p, str) else self.phrase(substitute(p, values)) for p in template.parts)
        # An author who writes "of the {s}" thinks of a name; of any of them one would say "of the side".
        return prefix + re.sub(r"\b([Tt]he) the\b", r"\1", said.strip())

    def requirement(self, clause: ir.Clause, holds: bool) -> str:
        """A requirement (or its opposite): in its author's words, or made from its condition."""
        if clause.wording is not None:
            return self.worded(clause.wording, (), holds)
        return self.sentence(clause.condition, holds)

    @staticmethod
    def _is_said(words: str) -> bool:
        """Whether the name of a yes/no rule can be told of its first value: "can move", "contested"."""
        first, _, rest = words.partition(" ")
        if rest:
            return first in _VERBS
        return first in _DEEDS or bool(re.search(r"(ed|able|ible)$", first))

    # -------------------------------------------------------------- noun phrases

    def phrase(self, x: ir.X) -> str:  # noqa: C901 - one case for each sort of node
        """A value."""
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
            case ir.StateX(state=state, of=ir.X() as of):
                return self.possessed(of, readable(state.name))
            case ir.AttrX(attr=attr, of=of):
                return self.possessed(of, readable(attr.name))
            case ir.PieceStateX(state=state, of=of):
                return self.possessed(of, readable(state.name))
            case ir.PlaceOfX(of=ir.Local(var=var)) if var.ident in self.places:
                return self.places[var.ident]
            case ir.PlaceOfX(of=of):
                return self.possessed(of, kind_noun(_kind_of(x.type)) or "place")
            case ir.ContentsX(holds=holds, of=of):
                if self._is_plural(holds):
                    return f"the {self.noun(x, True)}"
                return self.place(holds, of)
            case ir.FilterX() | ir.LinksX():
                return f"the {self.noun(x, True)}"
            case ir.MostX():
                return f"the {self.noun(x, True)}"
            case ir.RouteX(target=None):
                return f"the {self.noun(x, True)}"
            case ir.RouteX(target=target) if target is not None:
                counted = "number of steps" if x.route.cost is None else "cost of the way"
                return f"the {counted} to {self.phrase(target)} by {self.route(x)}"
            case ir.AggregateX():
                return self.aggregate(x)
            case ir.ArithX():
                return self.arithmetic(x)
            case ir.SetOpX(operator=operator, left=left, right=right):
                a, b = self.phrase(left), self.phrase(right)
                told = {"+": "together with", "-": "without", "&": "that are also in", "list+": "followed by"}
                return f"{a} {told.get(operator, operator)} {b}"
            case ir.IfX(condition=condition, then=then, otherwise=otherwise) if x.type != BOOL:
                a, b = self.phrase(then), self.phrase(otherwise)
                return f"{a} if {self.sentence(condition, True)}, otherwise {b}"
            case ir.CallX(function=function, args=args) if x.type != BOOL:
                words = readable(function.name).lower()
                said = [self.phrase(a) for a in args]
                if not said:
                    return f"the {words}"
                tail = f" and {listed(said[1:])}" if len(said) > 1 else ""
                if words.partition(" ")[0].endswith("ed") and isinstance(x.type, SetOf):
                    return f"the {self._head(x.type, True)} {words} for {said[0]}{tail}"
                joined = "" if words.rpartition(" ")[2] in _SMALL_WORDS else " of"
                return f"the {words}{joined} {said[0]}{tail}"
            case ir.TableX(table=table, args=args, shift=shift):
                given = listed([self.phrase(a) for a in args])
                moved = f", {self.phrase(shift)} columns on" if shift is not None else ""
                return f"the {readable(table.name).lower()} table's entry for {given}{moved}"
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
        plain = state.type.element if isinstance(state.type, Maybe) else state.type
        if isinstance(plain, ThingOf) and (words.lower() in _WHICH or re.fullmatch(r"\w+ed", words.lower())):
            return f"the {words} {kind_noun(plain.kind)}"
        if plain == ListOf(INT) and re.fullmatch(r"\w+ed", words.lower()):
            return f"the {words} numbers"
        return f"the {words}"

    def possessed(self, of: ir.X, name: str) -> str:
        """ "the unit's side", "its side", "the side of two words in Mill"."""
        owner = self.phrase(of)
        if owner == "it":
            return f"its {name}"
        if owner.count(" ") > 2 or " in " in owner or "," in owner:
            return f"the {name} of {owner}"
        is_plural = owner.endswith("s") and len(owner.rpartition(" ")[2]) > 2
        return f"{owner}{chr(39) if is_plural else chr(39) + 's'} {name}"

    @staticmethod
    def _is_plural(holds: m.Holds) -> bool:
        """Whether a place is named for what it holds (`units`, `destroyed`) rather than for itself (`hand`)."""
        words = readable(holds.name).lower()
        word = words.rpartition(" ")[2]
        return (word.endswith("s") and not word.endswith("ss")) or bool(_TELLING.fullmatch(words))

    @staticmethod
    def held(holds: m.Holds, many: bool = True) -> str:
        """What lies in a place that is named for it: "units", "destroyed units", "cards in play"."""
        words = readable(holds.name).lower()
        told = _TELLING.fullmatch(words)
        kind = kind_noun(holds.kind.name)
        if told is None:
            return words if many else kind
        noun = plural(kind) if many else kind
        return f"{noun} {words}" if told["after"] else f"{words} {noun}"

    def place(self, holds: m.Holds, of: ir.X | None) -> str:
        words = self.held(holds) if self._is_plural(holds) else readable(holds.name).lower()
        if of is None:
            return f"the {words}"
        if isinstance(of.type, SetOf):
            return f"the {words} of {self.noun(of, True)}"
        return self.possessed(of, words)

    def noun(self, x: ir.X, many: bool) -> str:
        """What one or many members of a set, list or pile are called, with what sets them apart."""
        head = self._head(x.type, many)
        match x:
            case ir.AllThings():
                return head
            case ir.ContentsX(holds=holds, of=of):
                if self._is_plural(holds):
                    word = self.held(holds, many)
                    if of is None:
                        return word
                    where = self.noun(of, True) if isinstance(of.type, SetOf) else self.phrase(of)
                    # Units stand in a town, but a side has its reserves.
                    inside = holds.owner is None or bool(holds.owner.links)
                    told = _TELLING.fullmatch(readable(holds.name).lower())
                    if told and told["after"] and not inside:
                        return f"{head} of {where} {told['after']}"
                    own = self.held(holds)
                    if not many and told is None and not own.endswith(plural(kind_noun(holds.kind.name))):
                        word = f"{word} in the {own}"  # a card in the discards, but a unit in a town
                        inside = False
                    return f"{word} {'in' if inside else 'of'} {where}"
                return f"{head} in {self.place(holds, of)}"
            case ir.FilterX(source=source, var=var, condition=condition):
                owned = self._owned(x, many)
                return owned or f"{self.noun(source, many)} {self.relative(var, condition, many)}"
            case ir.AggregateX(function="set" | "list", picks=((var, source),), condition=None, value=value) if (
                self._of_element(value, var)
            ):
                own = self._of_element(value, var)
                return f"{plural(own) if many else own} of {self.noun(source, True)}"
            case ir.LinksX(of=of, sorts=sorts, kind=space):
                where = f"any of the {self.noun(of, True)}" if isinstance(of.type, SetOf) else self.phrase(of)
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
            return f"{head} in {self.phrase(x)}"
        return head

    def _owned(self, x: ir.FilterX, many: bool) -> str:
        """``Mill.units[side == North and not moved]`` as "units of North in Mill that have not moved".

        "" where the members of the filter lie in no space, or nobody is said to own them."""
        source, var = x.source, x.var
        if not isinstance(source, ir.ContentsX):
            return ""
        is_inside = source.holds.owner is None or bool(source.holds.owner.links) or not self._is_plural(source.holds)
        parts = x.condition.parts if isinstance(x.condition, ir.AndX) else (x.condition,)
        owners: list[str] = []
        rest: list[ir.X] = []
        for part in parts:
            match part:
                case ir.CompareX(operator="==", left=ir.AttrX(attr=attr, of=ir.Local(var=v)), right=right) if (
                    v is var and attr.name in _BELONGS and right.type != NOTHING and not self._mentions(right, var)
                ):
                    with self.element(var):
                        owners.append(self.phrase(right))
                case _:
                    rest.append(part)
        if not owners or not is_inside:
            return ""
        whole = self.noun(source, many)
        place = whole.find(" in ")
        if place < 0:
            whole, place = f"{whole} ", len(whole)
        with self.element(var):
            apart = " and ".join(self.apart(var, part, True, many) for part in rest)
        return f"{whole[:place]} of {listed(owners)}{whole[place:].rstrip()}{' ' + apart if apart else ''}"

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
        begins = f"any of the {self.noun(start, True)}" if isinstance(start.type, SetOf) else self.phrase(start)
        used = _locals_in(x.route.start)
        rest = [
            f"{readable(p.name)}: {self.phrase(a)}"
            for p, a in zip(x.route.params, x.args, strict=False)
            if p.ident not in used
        ]
        more = f" ({', '.join(rest)})" if rest else ""
        return f"{readable(x.route.name).lower()} from {begins}{more}"

    # -------------------------------------------------------------- filters

    def relative(self, var: ir.Var, condition: ir.X, many: bool) -> str:
        """What sets the members of a filter apart: "whose side is North and that have not moved"."""
        with self.element(var):
            parts = condition.parts if isinstance(condition, ir.AndX) else (condition,)
            return " and ".join(self.apart(var, p, True, many) for p in parts)

    def apart(self, var: ir.Var, x: ir.X, holds: bool, many: bool) -> str:
        """One condition on the element, after its noun."""
        if self._has_words(x):
            return f"for which {self.sentence(x, holds)}"
        match x:
            case ir.NotX(of=of):
                return self.apart(var, of, not holds, many)
            case (
                ir.StateX(state=fact, of=ir.Local(var=v))
                | ir.PieceStateX(state=fact, of=ir.Local(var=v))
                | ir.AttrX(attr=fact, of=ir.Local(var=v))
            ) if v is var and x.type == BOOL:
                return f"that {self.told(readable(fact.name).lower(), holds, many)}"
            case ir.CompareX(operator=operator, left=left, right=right) if not self._mentions(right, var):
                operator = operator if holds else _OPPOSITE[operator]
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
                if self._is_said(words):
                    tail = f" (with {listed([self.phrase(a) for a in others])})" if others else ""
                    return f"that {self.told(words, holds, many)}{tail}"
            case ir.SomeX(source=source, negated=negated):
                said = self._holding(var, source, holds is not negated)
                if said:
                    return said
        if isinstance(x, ir.AttrX | ir.StateX | ir.PieceStateX) and x.type == BOOL and x.of is not None:
            own = self._of_element(x.of, var)
            name = x.attr.name if isinstance(x, ir.AttrX) else x.state.name
            if own:
                return f"whose {own} {self.told(readable(name).lower(), holds)}"
        return f"for which {self.sentence(x, holds)}"

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
                table = _ORDER if isinstance(var.type, ThingOf) else _OPERATORS
                verb = table[operator]
                if many:
                    verb = re.sub(r"^is ", "are ", verb.replace("comes", "come").replace("does", "do"))
                return f"that {verb} {self.phrase(right)}"
            case ir.PlaceOfX(of=ir.Local(var=v)) if v is var and operator in ("==", "!="):
                return f"{'in' if operator == '==' else 'not in'} {self.phrase(right)}"
        own = self._of_element(left, var)
        if own and right.type != NOTHING:
            table = _ORDER if isinstance(left.type, ThingOf) and operator not in ("==", "!=") else _OPERATORS
            return f"whose {own} {table[operator]} {self.phrase(right)}"
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
            over.append(self._named_noun(var, source))
            self.names[var.ident] = readable(var.name)
        value = self.say(x.value)
        test = f" where {self.sentence(x.condition, True)}" if x.condition is not None else ""
        said = {"count": f"the number of times that {value}, "}.get(x.function) or self._over(
            x.function, value, False, ""
        )
        self.names = held
        return f"{said.rstrip()} for each {' and '.join(over)}{test}".replace("  ", " ")

    @staticmethod
    def _over(function: str, value: str, own: bool, many: str) -> str:
        tail = f" of {many}" if own and many else f" over {many}" if many else ""
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
        word = {"+": "plus", "-": "minus", "*": "times"}.get(x.operator, x.operator)
        return f" {word} ".join(
            f"({s})" if isinstance(a, ir.ArithX) and a.operator in ("+", "-") and x.operator in ("*", "-") else s
            for s, a in zip(said, x.args, strict=True)
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
                return f"{self.phrase(first)}'s place in order"
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
