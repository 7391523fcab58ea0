"""What tells some from the others: "that have not moved", "whose side is yours"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import BOOL, INT, NOTHING, ThingOf, sure
from rulescript.phrases import article, kind_noun, listed, plural, readable
from rulescript.wording.shapes import (
    bearer_of,
    deed_of,
    in_order,
    is_element,
    is_nobody,
    is_somebody,
    kind_of,
    owned_one,
    parts_of_and,
    quality_of,
    sort_word,
    sorted_one,
    wording_of,
)
from rulescript.wording.verbs import (
    BELONGS,
    HOLDS,
    OPERATORS,
    OPPOSITE,
    ORDER,
    SORTS,
    agreed,
    is_said,
    told,
)

if TYPE_CHECKING:
    from rulescript.wording.english import Speaker


__all__ = ["Filters"]


# A sentence that ends with what it is about can begin with "in which"; not with what lies in
# places that are linked to it.
_ABOUT_IT = re.compile(r"(?!.* in .*\blinked (?:by .+ )?to it$).* (?:in|from|to|at|for|on|with|against|into|by) it")


def told_of(operator: str, many: bool) -> str:
    return re.sub(r"^is\b", "are", OPERATORS[operator]) if many else OPERATORS[operator]


class Filters:
    """What tells some from the others: "that have not moved", "whose side is yours".

    Shares with the speaker what names are called."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker

    def relative(self, var: ir.Var, condition: ir.X, many: bool) -> str:
        """What sets the members of a filter apart: "whose side is North and that have not moved"."""
        with self.speaker.element(var):
            return self.speaker.nouns.relative_of(var, parts_of_and(condition), many)

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
            case ir.CompareX(operator=operator, left=left, right=right) if not self.mentions(right, var):
                if wording_of(left) is not None and self.of_element(left, var):
                    said = self._which(x, holds, many)
                    if not said.startswith("for which"):
                        return said
                operator = operator if holds else OPPOSITE[operator]
                left, right = in_order(left, right)
                if isinstance(left, ir.ArithX) and left.operator == "+" and is_element(left.args[0], var):
                    added = listed([self.speaker.phrase(part) for part in left.args[1:]])
                    return f"which, together with {added}, {told_of(operator, many)} {self.speaker.phrase(right)}"
                if operator in ("==", "!=") and (said := self._sorted_apart(var, left, right, operator == "==", many)):
                    return said
                words = self.of_element(left, var)
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
                    linked = self.speaker.nouns.linked(source.sorts, source.kind)
                    return f"{'' if inside else 'not '}{linked} {self.speaker.phrase(source.of)}"
                if isinstance(source, ir.RouteX):
                    return f"that {'can' if inside else 'cannot'} be reached by {self.speaker.nouns.route(source)}"
                return f"{'among' if inside else 'not among'} {self.speaker.phrase(source)}"
            case ir.InX(element=ir.AttrX(attr=attr) as element, source=ir.SetX(items=items), negated=negated) if (
                items and attr.name in SORTS and is_element(sorted_one(element), var)
            ):
                sorts = listed([sort_word(label, many) for label in self.speaker.each_once(items)], "or")
                return f"that {'are' if many else 'is'} {'' if holds is not negated else 'not '}{sorts}"
            case ir.InX(element=element, source=source, negated=negated) if (
                self.of_element(element, var)
                and not self.mentions(source, var)
                and isinstance(source, ir.SetX | ir.StateX | ir.AttrX | ir.CallX | ir.Local | ir.AggregateX)
            ):
                own = self.of_element(element, var)
                sign = "is" if holds is not negated else "is not"
                if isinstance(source, ir.SetX) and source.items:
                    return f"whose {own} {sign} {listed(self.speaker.each_once(source.items), 'or')}"
                return f"whose {own} {sign} {self.speaker.nouns.inside(source, bool(re.search('[^su]s$', own)))}"
            case ir.InX(element=element, source=source, negated=negated) if re.search(
                r"[^su]s$", own := self.of_element(source, var)
            ) and not self.mentions(element, var):
                verb = "include" if holds is not negated else "do not include"
                return f"whose {own} {verb} {self.speaker.phrase(element)}"
            case ir.CallX(function=function, args=(ir.Local(var=v), *others)) if v is var and x.type == BOOL:
                words = readable(function.name).lower()
                said_of, circumstances = self.speaker.arguments(function.params[1:], others)
                if is_said(words) or not said_of:
                    return f"that {told(words, holds, many)}{self.speaker.objects(words, said_of)}{circumstances}"
            case ir.SomeX(source=source, negated=negated):
                said = self._holding(var, source, holds is not negated)
                if said:
                    return said
        if isinstance(x, ir.AttrX | ir.StateX | ir.PieceStateX) and x.type == BOOL and x.of is not None:
            own = self.of_element(x.of, var)
            name = x.attr.name if isinstance(x, ir.AttrX) else x.state.name
            if own:
                return f"whose {own} {told(readable(name).lower(), holds)}"
        return self._which(x, holds, many)

    def _which(self, x: ir.X, holds: bool, many: bool) -> str:
        """A sentence about "it" after the noun it is about: "that are open to both sides", "in which nobody stands"."""
        said = self.speaker.sentence(x, holds)
        begin, _, rest = said.partition(" ")
        otherwise = f"for which {said}"
        if (found := re.fullmatch(r"if ([^,;]+), it ([^,;]+)", said)) and not re.search(
            r"\bits?\b", found[2] + found[1]
        ):
            what = agreed(f"you {found[2]}").removeprefix("you ") if many else found[2]
            return f"that, if {found[1]}, {what}"
        if re.search(r"\b(?:if|either|one of)\b", re.sub(r"\([^()]*\)", "", said)):
            return otherwise
        if begin == "it" and not re.search(r"\bit\b", rest):
            if not many:
                return f"that {rest}"
            return f"that {agreed('you ' + rest).removeprefix('you ')}"
        if begin == "its" and not re.search(r"\bits?\b", rest):
            return f"whose {rest}"
        if _ABOUT_IT.fullmatch(said) and not re.search(r"\bits?\b", said[:-2]):
            head, _, small = said[: -len(" it")].rpartition(" ")
            return f"{small} which {head}"
        if said.endswith(" it") and re.fullmatch(r"[^,;(]+ \w+s it", said) and not re.search(r"\bits?\b", said[:-3]):
            return f"that {said[:-3]}"  # "that nobody controls"
        if (found := re.fullmatch(r"([a-z]+[^su\W]s) of it (.+)", said)) and not re.search(r"\bits?\b", found[2]):
            return f"whose {found[1]} {found[2]}"  # "whose cards can be used"
        if found := re.fullmatch(r"([^,;()]+ (?:may|can|cannot|must|has|have)(?: not)? [a-z]+) it", said):
            if not re.search(r"\bits?\b", found[1]):
                return f"{'which' if begin == 'that' else 'that'} {found[1]}"  # "that the unit may attack"
        return otherwise

    def _sorted_apart(self, var: ir.Var, left: ir.X, right: ir.X, is_same: bool, many: bool) -> str:
        """``[arm == guns]`` as "that are guns", ``[side == North]`` as "that belong to North"; "" if it is neither."""
        if is_element(owned_one(left), var) and isinstance(sure(right.type), ThingOf) and not is_nobody(right):
            return f"that {self.speaker.comparisons.belonging(right, is_same, many)}"
        if isinstance(left, ir.AttrX) and left.attr.name in SORTS and isinstance(right, ir.ThingLit):
            if is_element(sorted_one(left), var):
                be = "are" if many else "is"
                return f"that {be if is_same else be + ' not'} {sort_word(self.speaker.phrase(right), many)}"
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
                    return (
                        f"equal to {self.speaker.phrase(right)}"
                        if right.type == INT
                        else f"that {be} {self.speaker.phrase(right)}"
                    )
                if operator == "!=":
                    return f"other than {self.speaker.phrase(right)}"
                table = ORDER if isinstance(var.type, ThingOf) else OPERATORS
                verb = table[operator]
                if many:
                    verb = re.sub(r"^is ", "are ", verb.replace("comes", "come").replace("does", "do"))
                return f"that {verb} {self.speaker.phrase(right)}"
            case ir.PlaceOfX(of=ir.Local(var=v)) if v is var and operator in ("==", "!="):
                return f"{'in' if operator == '==' else 'not in'} {self.speaker.phrase(right)}"
        own = self.of_element(left, var)
        if own in HOLDS and operator in ("==", "!=") and self.speaker.phrase(right) == "nobody":
            return f"that {'nobody' if operator == '==' else 'somebody'} {HOLDS[own]}"
        if own in HOLDS and operator in ("==", "!=") and wording_of(left) is None:
            who = bearer_of(right)
            is_bare = isinstance(who, ir.ThingLit) and who.kind.is_values and not is_somebody(who)
            if isinstance(sure(who.type), ThingOf) and not is_bare:
                verb = HOLDS[own] if operator == "==" else f"does not {HOLDS[own][:-1]}"
                said = self.speaker.phrase(who)
                return f"{'which' if said.startswith('that ') else 'that'} {agreed(f'{said} {verb}')}"
        prep, _, rest = own.partition(" ")
        if prep in ("from", "since", "until") and rest and operator == "==" and right.type != NOTHING:
            if len(said := self.speaker.phrase(right)) > 2 and said != "that number":
                return f"{prep} {said}"  # `from_year == 1915`
        if (
            own
            and not re.search(r"'s? ", own)
            and operator in ("==", "!=")
            and wording_of(left) is None
            and deed_of(right)
        ):
            deed = told(deed_of(right), operator == "==", many)
            return "that " + (re.sub(r"\bits\b", "their", deed) if many else deed)
        if own and not re.search(r"'s? ", own) and operator in ("==", "!=") and (quality := quality_of(left, right)):
            return f"that {be}{' not' if operator == '!=' else ''} {quality}"
        if own and operator in ("==", "!="):
            said, head = self.speaker.phrase(right), re.split(r"'s? ", own)[-1]
            if said == f"the {head}":
                return f"that {be} of {'that' if operator == '==' else 'another'} {head}"
            if re.match(rf"(?:the|that) {re.escape(head)}\b|[\w' ]+'s {re.escape(head)}$", said):
                return f"that {be} {'' if operator == '==' else 'not '}of {said}"  # "of the arm that fights there"
        if own and right.type != NOTHING:
            table = ORDER if isinstance(left.type, ThingOf) and operator not in ("==", "!=") else OPERATORS
            verb = re.sub(r"^is\b", "are", table[operator]) if re.search(r"[^su]s$", own) else table[operator]
            return f"whose {own} {verb} {self.speaker.phrase(right)}"
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
        if any(self.mentions(f.condition, var) for f in filters):
            return ""
        is_named_for_it = self.speaker.nouns.is_plural(base.holds)
        words = self.speaker.nouns.held(base.holds) if is_named_for_it else plural(kind_noun(base.holds.kind.name))
        split = self.speaker.nouns.split(filters[0]) if len(filters) == 1 else None
        if split is not None:
            with self.speaker.element(filters[0].var):
                who, apart = (
                    self.speaker.phrase(split[0]),
                    self.speaker.nouns.relative_of(filters[0].var, split[1], True),
                )
            words = f"your {words}" if who == "you" else f"{words} of {who}"
            tail = apart
        else:
            tail = " and ".join(self.relative(f.var, f.condition, True) for f in filters)
        where = "" if self.speaker.nouns.is_plural(base.holds) else f" in the {readable(base.holds.name).lower()}"
        return f"{'with' if some else 'without'} {words}{where}{' ' + tail if tail else ''}"

    def of_element(self, x: ir.X, var: ir.Var) -> str:
        """The name of a fact of the element itself: "side", "town's control"; "" if it is something else."""
        match x:
            case ir.AttrX(attr=m.Attr(name=name), of=of) | ir.StateX(state=m.State(name=name), of=ir.X() as of):
                own = readable(name)
            case ir.PieceStateX(state=state, of=of):
                own = readable(state.name)
            case ir.PlaceOfX(of=of):
                own = kind_noun(kind_of(x.type)) or "place"
            case _:
                return ""
        if isinstance(of, ir.Local) and of.var is var:
            return own
        outer = self.of_element(of, var)
        if outer in BELONGS and own in BELONGS:
            return own
        return f"{outer}{chr(39) if outer.endswith('s') else chr(39) + 's'} {own}" if outer else ""

    @staticmethod
    def mentions(x: ir.X, var: ir.Var) -> bool:
        from rulescript.model.traverse import free_vars

        return var.ident in free_vars(x)
