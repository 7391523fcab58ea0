"""What expressions of the model look like to a speaker: whose something is, of what sort, which parts an `and` has.

Questions about the model that know no words but the names of facts (`verbs.py`); `english.py` asks them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import INT, ListOf, Maybe, PieceOf, Pile, SetOf, ThingOf, Type
from rulescript.phrases import capital, listed, plural, readable
from rulescript.wording.verbs import BELONGS, HOLDS, OPPOSITE, SORTS, a_sort, is_act

__all__ = [
    "MARKERS",
    "NO_NOUNS",
    "OWN",
    "bearer_of",
    "deed_of",
    "is_adjective",
    "fact_name",
    "in_order",
    "is_denied",
    "is_element",
    "is_known",
    "is_many",
    "is_nobody",
    "is_same",
    "is_selection",
    "is_somebody",
    "is_true",
    "joined_relatives",
    "one_of_a_sort",
    "kind_of",
    "locals_in",
    "owned_one",
    "parts_of",
    "parts_of_and",
    "quality_of",
    "sort_word",
    "sorted_one",
    "titled",
    "united",
    "without",
    "wording_of",
]

_THAT_IS = re.compile(r"that (?:is|are|has|have|does|do|can|cannot|may|must|need|was|were|belongs?)\b")
_WHERE = re.compile(r"^(?:not )?(?:among|in|linked) (?!which )")
_HEAD = re.compile(r"the ((?:\w+ ){0,2}?\w+?)(?: of| that| in| at| left| within| for| against| on| from|$)")
OWN = {"it": "its", "you": "your"}
# What stands before "of you" without being yours.
NO_NOUNS = "all|any|both|each|none|one|some|most|front|ahead|because|instead|out|outside|yours"
# Attributes by which a side is known on what it holds.
MARKERS = ("marker", "control", "colour", "color", "flag", "token")


def fact_name(x: ir.X) -> str:
    match x:
        case (
            ir.AttrX(attr=m.Attr(name=name))
            | ir.StateX(state=m.State(name=name))
            | ir.PieceStateX(state=m.State(name=name))
        ):
            return name
    return ""


def wording_of(x: ir.X) -> ir.Wording | None:
    match x:
        case ir.AttrX(attr=attr):
            return attr.wording
        case ir.StateX(state=state) | ir.PieceStateX(state=state):
            return state.wording
    return None


def owned_one(x: ir.X) -> ir.X | None:
    """Whose side or nation a value is: of `u.nation.side` it is `u`. None if it is no such thing."""
    return _asked_for(x, BELONGS)


def sorted_one(x: ir.X) -> ir.X | None:
    """What is of a sort: of `u.arm.class` it is `u`."""
    return _asked_for(x, SORTS)


def _asked_for(x: ir.X, names: Container[str]) -> ir.X | None:
    """What is asked for attributes of these names, one after the other."""
    found: ir.X | None = None
    while isinstance(x, ir.AttrX) and x.attr.name in names and x.attr.wording is None:
        x = found = x.of
    return found


def is_element(x: ir.X | None, var: ir.Var) -> bool:
    return isinstance(x, ir.Local) and x.var is var


def is_nobody(x: ir.X) -> bool:
    """A bare value that nobody belongs to: `nobody`, `neutral`."""
    return (
        isinstance(x, ir.ThingLit)
        and x.kind.is_values
        and x.kind.things[x.index].label in ("nobody", "neutral", "none")
    )


def deed_of(x: ir.X) -> str:
    """The words of a value that say what somebody does or has done: "has moved"; "" if they say anything else."""
    if not isinstance(x, ir.ThingLit) or not x.kind.is_values:
        return ""
    label = x.kind.things[x.index].label
    return label if _is_deed(label) else ""


def _is_deed(label: str) -> bool:
    first, _, rest = label.partition(" ")
    return is_act(first) or (first in ("has", "is", "can", "may") and bool(rest))


def bearer_of(x: ir.X) -> ir.X:
    """Whose a marker is: of `north.marker` it is `north`; anything else is itself."""
    return x.of if isinstance(x, ir.AttrX) and x.attr.name in MARKERS and x.attr.wording is None else x


# Names that say what sort somebody's things are, rather than who he is: "Northern", "Ruritanian".
_ADJECTIVE = re.compile(r"[A-Z][a-z]+(?:ish|ese|an|ch|ern|ic)")


def is_adjective(x: ir.X) -> bool:
    """Whether a thing is called by an adjective, as all of its kind are: "Ruritanian" among nations."""
    labels = [thing.label for thing in x.kind.things] if isinstance(x, ir.ThingLit) else []
    return len(labels) > 1 and all(_ADJECTIVE.fullmatch(label) for label in labels)


def quality_of(fact: ir.X, x: ir.X) -> str:
    """The words of a value that say how something is: "contested", where somebody or nobody controls it; "fresh",
    beside "has moved". "" if they say anything else."""
    if not isinstance(x, ir.ThingLit) or not x.kind.is_values or wording_of(fact) is not None:
        return ""
    label = x.kind.things[x.index].label
    if label in ("nobody", "none") or not label[:1].islower() or _is_deed(label):
        return ""
    is_of_that_sort = fact_name(fact) in HOLDS or any(_is_deed(thing.label) for thing in x.kind.things)
    return label if is_of_that_sort else ""


def one_of_a_sort(x: ir.X) -> bool:
    """Whether a bare value is one of several that are counted, as there is one for none of them: "no raid", "raid"."""
    if not isinstance(x, ir.ThingLit) or not x.kind.is_values:
        return False
    label = x.kind.things[x.index].label
    return any(t.label.startswith("no ") for t in x.kind.things) and not label.startswith(("a ", "an ", "the "))


def is_somebody(x: ir.X) -> bool:
    """Whether a bare value is named for somebody: the marker of a side among those of nobody."""
    return isinstance(x, ir.ThingLit) and x.kind.is_values and x.kind.things[x.index].label[:1].isupper()


def sort_word(label: str, many: bool) -> str:
    said = a_sort(label)
    return plural(label) if many and said != label else said


def titled(name: str) -> str:
    """The name of one thing, of which only the name is known."""
    return " ".join(capital(w) if w not in ("of", "the", "and", "in") else w for w in readable(name).split())


def joined_relatives(parts: Sequence[str], many: bool = False) -> str:
    """Several things that set one apart: "that belong to North and have not moved"."""
    out: list[str] = []
    if any(part.startswith("that ") for part in parts):  # "that are not in Mill and have moved"
        parts = [_WHERE.sub(lambda found: f"that {'are' if many else 'is'} {found[0]}", part) for part in parts]
    for at, part in enumerate(parts):
        is_alike = at and _THAT_IS.match(part) and _THAT_IS.match(parts[at - 1])
        out.append(part.removeprefix("that ") if is_alike else part)
    if len(out) > 2 and not any("," in part or " and " in part for part in out):
        return listed(out)
    return " and ".join(out)


def parts_of(x: ir.X, holds: bool) -> list[tuple[ir.X, bool]]:
    """The parts of an `and` or `or`, those of one inside another of the same sort too; which of them are denied."""
    joined_by_and = isinstance(x, ir.AndX) is holds
    out: list[tuple[ir.X, bool]] = []
    for part in x.parts if isinstance(x, ir.AndX | ir.OrX) else (x,):
        so = holds
        while isinstance(part, ir.NotX):
            part, so = part.of, not so
        if isinstance(part, ir.AndX | ir.OrX) and (isinstance(part, ir.AndX) is so) is joined_by_and:
            out += parts_of(part, so)
        else:
            out.append((part, so))
    return out


def parts_of_and(x: ir.X) -> list[ir.X]:
    """The parts of an `and`, as they are written."""
    return list(x.parts) if isinstance(x, ir.AndX) else [x]


def is_denied(x: ir.X, holds: bool) -> bool:
    """Whether a condition says that something is not so."""
    match x:
        case ir.CompareX(operator=operator):
            return (operator if holds else OPPOSITE[operator]) == "!="
        case ir.InX(negated=negated) | ir.SomeX(negated=negated):
            return holds is negated
        case ir.AndX() | ir.OrX() if isinstance(x, ir.AndX) is holds:
            return all(is_denied(part, so) for part, so in parts_of(x, holds))
        case ir.AndX() | ir.OrX() | ir.QuantX() | ir.IfX() | ir.Lit():
            return False
    return not holds


def is_same(a: ir.X, b: ir.X) -> bool:
    """Whether two expressions are written alike: the active side, the active side's enemy, a name."""
    match a, b:
        case ir.Local(var=v), ir.Local(var=w):
            return v is w or v.ident == w.ident
        case ir.StateX(state=s, of=of), ir.StateX(state=t, of=other):
            return s is t and (of is other if of is None or other is None else is_same(of, other))
        case ir.AttrX(attr=s, of=of), ir.AttrX(attr=t, of=other):
            return s is t and is_same(of, other)
        case ir.PieceStateX(state=s, of=of), ir.PieceStateX(state=t, of=other):
            return s is t and is_same(of, other)
        case ir.ContentsX(holds=s, of=of), ir.ContentsX(holds=t, of=other):
            return s is t and (of is other if of is None or other is None else is_same(of, other))
        case ir.PlaceOfX(of=of), ir.PlaceOfX(of=other):
            return is_same(of, other)
        case ir.SetX(items=(item,)), _:
            return is_same(item, b)
        case _, ir.SetX(items=(item,)):
            return is_same(a, item)
        case ir.ThingLit(kind=s, index=i), ir.ThingLit(kind=t, index=j):
            return s is t and i == j
    return False


def is_known(x: ir.X) -> bool | None:
    """Whether a condition on a fixed fact of one thing is so, as it is for all time; None if that is not known here."""
    match x:
        case ir.CompareX(
            operator="==" | "!=" as operator,
            left=ir.AttrX(attr=attr, of=ir.ThingLit(index=index)),
            right=ir.ThingLit(kind=kind, index=other),
        ) if index < len(attr.values):
            return (attr.values[index] == m.ThingRef(kind.name, other)) is (operator == "==")
    return None


def in_order(a: ir.X, b: ir.X) -> tuple[ir.X, ir.X]:
    """Two that are compared. Where their numbers in order are, they themselves come before or after one another."""
    match a, b:
        case ir.BuiltinX(name="number", args=(one,)), ir.BuiltinX(name="number", args=(other,)):
            if isinstance(one.type, ThingOf) and one.type == other.type:
                return one, other
    return a, b


def united(x: ir.X) -> list[ir.X]:
    """The sets that are put together, however they are bracketed."""
    if isinstance(x, ir.SetOpX) and x.operator == "+":
        return [*united(x.left), *united(x.right)]
    return [x]


def without(x: ir.X) -> tuple[ir.X, list[ir.X]]:
    """A set, and the sets that are taken away from it."""
    taken: list[ir.X] = []
    while isinstance(x, ir.SetOpX) and x.operator == "-":
        taken.insert(0, x.right)
        x = x.left
    return x, taken


def is_selection(var: ir.Var) -> bool:
    """Whether a name is that of several chosen at once."""
    return var.role == "pick" and isinstance(var.type, SetOf | ListOf)


def kind_of(type_: Type | None) -> str:
    match type_:
        case ThingOf(kind) | PieceOf(kind) | Pile(kind):
            return kind
        case SetOf(element) | ListOf(element) | Maybe(element):
            return kind_of(element)
    return ""


def locals_in(x: ir.X) -> set[int]:
    from rulescript.model.traverse import free_vars

    return free_vars(x)


def is_true(x: ir.X) -> bool:
    return isinstance(x, ir.Lit) and x.value is True


def _named_after(x: ir.X) -> str:
    """The words by which a value is called, as far as they tell what it is a number of; "" for what has no name."""
    wording = x.function.wording if isinstance(x, ir.CallX) else wording_of(x)
    if wording is not None and isinstance(wording.text.parts[0], str):
        head = _HEAD.match(wording.text.parts[0].strip())
        return head[1] if head else ""
    match x:
        case ir.CallX(function=m.Function(name=name)) | ir.Local(var=ir.Var(name=name)):
            words = readable(name).lower()
        case _:
            words = readable(fact_name(x)).lower()
    # One that is called by where it is counted is "the number in towns".
    return "" if re.match(r"(?:in|on|at|by|of|from|before|after) ", words) else words


def is_many(x: ir.X) -> bool:
    """Whether a set, or a number named for several things, is meant: "the supply points are at least 3"."""
    if x.type == ListOf(INT) and isinstance(x, ir.AggregateX):
        return False  # "the list of ..."
    if isinstance(x.type, SetOf | ListOf) and x.type != ListOf(INT):
        return True
    words = _named_after(x)
    if x.type == ListOf(INT) and isinstance(x, ir.StateX) and re.fullmatch(r"\w+ed", words):
        return True  # "the rolled numbers"
    is_named_so = bool(re.search(r"[^su]s(?: (?:made|left|\w+ed))?$", words.partition(" of ")[0])) and len(words) > 3
    if isinstance(x, ir.ArithX) and x.operator in ("+", "-"):
        return any(map(is_many, x.args)) and all(isinstance(part, ir.Lit) or is_many(part) for part in x.args)
    # A value whose sort is called by a plural: "the unit's legs are tired".
    is_sort = isinstance(x.type, ThingOf) and readable(x.type.kind).lower() == words
    return is_named_so and (x.type in (INT, ListOf(INT)) or is_sort)
