"""Two values compared, and what comes of it: "the town belongs to North", "there are at most three units".

A comparison is said of whom it is about, not as one of two values: who holds something, of what sort it is, how many
there are. Only where there is no such way it is "the strength is at least 3".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import BOOL, INT, NOTHING, ListOf, SetOf, ThingOf, sure
from rulescript.phrases import article, number_word, plural, readable
from rulescript.wording.lexicon import singulars
from rulescript.wording.shapes import (
    MARKERS,
    bearer_of,
    deed_of,
    fact_name,
    in_order,
    is_adjective,
    is_many,
    is_nobody,
    is_somebody,
    is_true,
    one_of_a_sort,
    owned_one,
    quality_of,
    sorted_one,
    wording_of,
)
from rulescript.wording.verbs import BELONGS, HOLDS, OPERATORS, OPPOSITE, ORDER, SORTS, SWAPPED, a_sort, agreed, told

if TYPE_CHECKING:
    from rulescript.wording.english import Speaker

__all__ = ["Comparisons"]


class Comparisons:
    """Says how two values compare, as it is and denied.

    Shares with the speaker what names are called."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker

    def compared(self, x: ir.CompareX, holds: bool) -> str:
        operator, (left, right) = x.operator, in_order(x.left, x.right)
        if not holds:
            operator = OPPOSITE[operator]
        if isinstance(left, ir.Lit | ir.ThingLit) and not isinstance(right, ir.Lit | ir.ThingLit):
            left, right, operator = right, left, SWAPPED[operator]
        if right.type == NOTHING:
            return self.had(left, operator != "==")
        if left.type == BOOL and isinstance(right, ir.Lit) and operator in ("==", "!="):
            return self.speaker.sentence(left, bool(right.value) is (operator == "=="))
        if left.type == BOOL:
            return f"{self.speaker.sentence(left, True)} just when {self.speaker.sentence(right, operator == '==')}"
        counted = self._counted(left, operator, right) or self._so_many(left, operator, right)
        if counted:
            return counted
        if operator in ("==", "!="):
            return self._equal(left, right, operator == "==")
        plain = sure(left.type)
        table = ORDER if isinstance(plain, ThingOf) else OPERATORS
        told = table[operator]
        if operator == "<=" and isinstance(right, ir.Lit) and right.value == 0 and right.type == INT:
            return f"{self.speaker.phrase(left)} {'are' if is_many(left) else 'is'} 0 or less"
        if is_many(left):
            told = re.sub("^is ", "are ", told)
        return f"{self.speaker.phrase(left)} {told} {self.speaker.phrase(right)}"

    def _so_many(self, left: ir.X, operator: str, right: ir.X) -> str:
        """``passes >= 2``, where a number is called after what it counts, as "there are at least two passes"."""
        is_named = isinstance(left, ir.Local | ir.StateX) and wording_of(left) is None
        if not is_named or left.type != INT or not is_many(left) or not isinstance(right, ir.Lit):
            return ""
        value = right.value
        if not isinstance(value, int) or (isinstance(left, ir.StateX) and left.of is not None):
            return ""
        noun = self.speaker.phrase(left).removeprefix("the ")
        if operator in ("<", ">"):
            operator, value = ("<=", value - 1) if operator == "<" else (">=", value + 1)
        if (operator, value) in ((">=", 1), ("!=", 0)):
            return f"there are {noun}"
        if value == 0 and operator in ("==", "<="):
            return f"there are no {noun}"
        if operator == "<=":
            return f"there are fewer than {number_word(value + 1)} {noun}"
        if (operator, value) == ("==", 1):
            one = next((word for word in singulars(noun) if plural(word) == noun), noun)
            return f"there is exactly one {one}"
        word = {"==": "exactly", ">=": "at least"}.get(operator, "")
        return f"there are {word} {number_word(value)} {noun}" if word and value > 1 else ""

    def _equal(self, left: ir.X, right: ir.X, is_same: bool) -> str:
        """Two values that are the same (or not), by what they say of whom."""
        be = "are" if is_many(left) else "is"
        sign = be if is_same else f"{be} not"
        match left:
            case ir.PlaceOfX(of=of):
                return f"{self.speaker.phrase(of)} {sign} in {self.speaker.phrase(right)}"
            case ir.StateX(of=ir.X() as of) | ir.AttrX(of=of) if self._possession(left, right):
                who = self.speaker.phrase(right)
                if who == "you":
                    verb = HOLDS[fact_name(left)]
                    return f"you {verb if is_same else 'do not ' + verb[:-1]} {self.speaker.phrase(of)}"
                return f"{self.speaker.phrase(of)} {sign} {self._possession(left, right)} by {who}"
            case ir.StateX(of=ir.X() as of) if (
                fact_name(left) in HOLDS and isinstance(right, ir.AttrX) and right.attr.name in MARKERS
            ):
                verb = HOLDS[fact_name(left)]
                does = verb if is_same else f"does not {verb[:-1]}"
                return f"{self.speaker.phrase(right.of)} {does} {self.speaker.phrase(of)}"
            case ir.StateX(of=ir.X() as of) | ir.AttrX(of=of) if (
                fact_name(left) in HOLDS
                and wording_of(left) is None
                and isinstance(right, ir.AttrX)
                and right.attr.name in HOLDS
                and self.speaker.phrase(right.of) == self.speaker.phrase(of)
            ):
                verb = {"controls": "controlled", "owns": "owned"}.get(HOLDS[fact_name(left)], "held")
                return f"{self.speaker.phrase(of)} {sign} {verb} by its {readable(right.attr.name)}"
            case ir.StateX(of=ir.X() as of) | ir.AttrX(of=of) if (
                fact_name(left) in HOLDS and self.speaker.phrase(right) == "nobody" and wording_of(left) is None
            ):
                return f"{'nobody' if is_same else 'somebody'} {HOLDS[fact_name(left)]} {self.speaker.phrase(of)}"
        owned = owned_one(left)
        if owned is not None and isinstance(sure(right.type), ThingOf) and not is_nobody(right):
            return f"{self.speaker.phrase(owned)} {self.belonging(right, is_same, False)}"
        if isinstance(left, ir.AttrX | ir.StateX) and fact_name(left) in SORTS and isinstance(right, ir.ThingLit):
            root = sorted_one(left)
            if root is not None and wording_of(left) is None:
                return (
                    f"{self.speaker.phrase(root)} {'is' if is_same else 'is not'} {a_sort(self.speaker.phrase(right))}"
                )
        deed = deed_of(right)
        if deed and isinstance(left, ir.AttrX | ir.StateX | ir.PieceStateX) and left.of and wording_of(left) is None:
            return f"{self.speaker.phrase(left.of)} {told(deed, is_same)}"  # not "the unit's deed is has moved"
        quality = quality_of(left, right)
        if quality and isinstance(left, ir.AttrX | ir.StateX | ir.PieceStateX) and left.of:
            # It is one thing that is so, whatever the fact is called: "the unit is fresh", of its legs.
            return f"{self.speaker.phrase(left.of)} {'is' if is_same else 'is not'} {quality}"
        said = self.speaker.phrase(left)
        if found := re.fullmatch(r"([^,]+), (for each of (?:[^,]+(?:, )?)+? in turn),", said):
            return f"{found[2]}, {found[1]} {sign} {self.speaker.phrase(right)}"
        name = readable(fact_name(left)).lower()
        if isinstance(left, ir.AttrX) and wording_of(left) is None and self.speaker.phrase(right) == f"the {name}":
            return f"{self.speaker.phrase(left.of)} is of {'that' if is_same else 'another'} {name}"
        if said.startswith("who "):  # in an author's words: "who holds {a}"
            does = said.removeprefix("who ")
            verb, _, rest = does.partition(" ")
            return (
                f"{self.speaker.phrase(right)} {does}"
                if is_same
                else f"{self.speaker.phrase(right)} does not {verb[:-1]} {rest}"
            )
        what = self.speaker.phrase(right)
        if one_of_a_sort(right):  # "is a raid", "is no raid", and not "is not no raid"
            if not what.startswith("no "):
                what = article(what)
            elif not is_same:
                return f"{said} is {article(what[3:])}"
        return f"{said} {sign} {what}"

    def becomes(self, fact: ir.X, value: ir.X) -> str:
        """What is so of something once a fact of it is a value, where that is said of the thing itself: "you control
        the town", "the unit has moved"; "" where it is not."""
        match fact:
            case (
                ir.StateX(state=m.State(wording=None), of=ir.X() as of)
                | ir.PieceStateX(state=m.State(wording=None), of=of)
            ):
                verb = HOLDS.get(fact_name(fact))
                is_its_own = isinstance(value, ir.AttrX) and value.attr.name in HOLDS
                is_nameless = isinstance(value, ir.ThingLit) and not is_somebody(value) or is_its_own
                if verb and not isinstance(value, ir.IfX) and not is_nameless:
                    return agreed(f"{self.speaker.phrase(bearer_of(value))} {verb} {self.speaker.phrase(of)}")
                if verb or deed_of(value) or quality_of(fact, value):
                    return self.speaker.sentence(ir.CompareX(BOOL, value.span, "==", fact, value), True)
        return ""

    def belonging(self, owner: ir.X, holds: bool, many: bool) -> str:
        """ "belongs to North", "is yours", after what does."""
        who = self.speaker.phrase(bearer_of(owner))
        if who == "you":
            be = "are" if many else "is"
            return f"{be} yours" if holds else f"{be} not yours"
        if is_adjective(owner):
            return f"{'are' if many else 'is'}{'' if holds else ' not'} {who}"
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
                    return f"{'somebody' if some else 'nobody'} {verb} {self.speaker.phrase(of)}"
                words = readable(name).lower()
                return agreed(f"{self.speaker.phrase(of)} has {article(words) if some else 'no ' + words}")
        said = self.speaker.phrase(x)
        if said.startswith("who "):
            return f"{'somebody' if some else 'nobody'} {said.removeprefix('who ')}"
        if said.startswith("the "):
            return f"there is {article(said[4:]) if some else 'no ' + said[4:]}"
        if said.startswith("its "):
            return f"it has {article(said[4:]) if some else 'no ' + said[4:]}"
        return f"{said} is {'something' if some else 'nothing'}"

    @staticmethod
    def _possession(left: ir.StateX | ir.AttrX, right: ir.X) -> str:
        """ "controlled" or "owned" where somebody is compared with who holds something."""
        name = left.state.name if isinstance(left, ir.StateX) else left.attr.name
        if isinstance(right, ir.ThingLit) and right.kind.is_values and not is_somebody(right):
            return ""
        is_somebodys = isinstance(right, ir.AttrX) and right.attr.name in BELONGS and right.attr.name not in HOLDS
        if not is_somebodys and isinstance(right, ir.AttrX | ir.StateX) and right.of is not None:
            return ""  # one thing's control compared with another's
        return {"control": "controlled", "controller": "controlled", "owner": "owned"}.get(name, "")

    def _counted(self, left: ir.X, operator: str, right: ir.X) -> str:
        """``count(units) <= 3`` as "there are at most three units"; "" if it is no such thing."""
        match left:
            case ir.BuiltinX(name="count", args=(source,)):
                pass
            case ir.AggregateX(function="count", picks=((var, items),), value=test, condition=None) if (
                isinstance(items.type, SetOf | ListOf) and isinstance(right, ir.Lit) and not is_true(test)
            ):
                source = ir.FilterX(items.type, items.span, items, var, test)
            case _:
                return ""
        if not isinstance(right, ir.Lit) or not isinstance(right.value, int):
            many = self.speaker.noun(source, True)
            whose, _, rest = many.partition(" ")
            who = {"your": "you have", "its": "it has"}.get(whose, "there are")
            many = many if who == "there are" else rest  # "you have fewer reserves than"
            amount = self.speaker.phrase(right).removeprefix("the number of ")
            told_so = {
                "==": f"exactly as many {many} as", "!=": f"not as many {many} as", "<": f"fewer {many} than",
                "<=": f"no more {many} than", ">": f"more {many} than", ">=": f"at least as many {many} as",
            }  # fmt: skip
            return f"{who} {told_so[operator]} {amount}"
        value = right.value
        if operator == "<":
            operator, value = "<=", value - 1
        elif operator == ">":
            operator, value = ">=", value + 1
        if (operator, value) in (("<=", 0), ("==", 0)):
            return self.speaker.existence(source, False)
        if (operator, value) in ((">=", 1), ("!=", 0)):
            return self.speaker.existence(source, True)
        word = {"==": "exactly ", "!=": "not exactly ", "<=": "at most ", ">=": "at least "}[operator]
        one = value == 1
        if having := self.speaker.having(source, not one):
            return f"{having[0]} has {word}{number_word(value)} {having[1]}"
        return f"there {'is' if one else 'are'} {word}{number_word(value)} {self.speaker.noun(source, not one)}"
