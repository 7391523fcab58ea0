"""What things, places and values are called: "the units in Mill", "your reserves", "its nation"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.types import BOOL, INT, NOTHING, TEXT, ListOf, PieceOf, SetOf, ThingOf, Type, sure
from rulescript.phrases import kind_noun, listed, plural, readable, with_the
from rulescript.wording.lexicon import singulars
from rulescript.wording.shapes import (
    bearer_of,
    is_adjective,
    is_element,
    is_known,
    is_nobody,
    is_same,
    is_selection,
    joined_relatives,
    kind_of,
    locals_in,
    owned_one,
    parts_of_and,
    sort_word,
    sorted_one,
    titled,
    united,
    without,
)
from rulescript.wording.verbs import (
    ADVERBS,
    BELONGS,
    SMALL_WORDS,
    SORTS,
    TELLING,
    WHICH,
    WHICHEVER,
    a_sort,
    agreed,
    is_act,
    is_quality,
)

if TYPE_CHECKING:
    from rulescript.wording.english import Speaker


__all__ = ["Nouns"]


def thing_name(kind: m.Kind, index: int) -> str:
    """What a thing is called. Of two with one name that belong to different owners, also what only the name in the
    rules says: "Northern Gas" for `Northern_Gas "Gas"`."""
    thing = kind.things[index]
    alike = [other.index for other in kind.things if other.label == thing.label]
    if kind.is_values or len(alike) == 1:
        return with_the(thing.label)
    for attr in kind.attrs.values():
        if isinstance(sure(attr.type), ThingOf) and len({attr.values[i] for i in alike}) == len(alike):
            known = thing.label.lower().split()
            return " ".join(
                [*(word for word in readable(thing.name).split() if word.lower() not in known), thing.label]
            )
    return thing.label


_FIRST_NOUN = re.compile(
    r"(?:that |those )?"
    r"((?:(?!(?:of|in|at|for|to|by|on|from|with|among|linked|that|which|whose|where|as)\b)[\w'’-]+ ?)+)"
)
_NUMBERS = re.compile(r"the (?:\w+ ){0,3}(?:\w+[^su\W]s|dice)(?: (?:of|for) .*)?$")
_MANY = re.compile(r"[\w-]*[^\Wsu]s|armies|men|infantry|cavalry|artillery|foot|horse|pieces")


def is_several(said: str) -> bool:
    """Whether a phrase is called by a noun for many: "the capitals of North", but not "the pile"."""
    found = _FIRST_NOUN.match(said)
    return found is not None and any(map(_MANY.fullmatch, found[1].split()))


_JOINED = re.compile(r"what |.* together with |[^(]*(?:,| and )")


def among(said: str) -> str:
    """The word before what something is one of: "in the pile", "among the capitals", "among the strongest"."""
    found = _FIRST_NOUN.match(said)
    if found is None or is_several(said) or _JOINED.match(said):
        return "among"
    return "among" if is_quality(found[1].split()[-1]) else "in"


class Nouns:
    """What things, places and values are called: "the units in Mill", "your reserves", "its nation".

    Shares with the speaker what names are called."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker

    def phrase(self, x: ir.X) -> str:  # noqa: C901 - one case for each sort of node
        """A value."""
        if self.speaker.you is not None and is_same(x, self.speaker.you):
            return "you"
        match x:
            case ir.Lit(value=value):
                if value is None:
                    return "nothing"
                if isinstance(value, bool):
                    return "yes" if value else "no"
                return f"“{value}”" if x.type == TEXT else str(value)
            case ir.ThingLit(kind=kind, index=index):
                return thing_name(kind, index)
            case ir.AllThings(kind=kind):
                return f"all {plural(kind_noun(kind.name))}"
            case ir.Local(var=var):
                return self.name(var)
            case ir.StateX(state=m.State(wording=ir.Wording() as wording), of=of) if x.type != BOOL:
                return self.speaker.worded(wording, (of,) if of is not None else ())
            case ir.AttrX(attr=m.Attr(wording=ir.Wording() as wording), of=of) if x.type != BOOL:
                return self.speaker.worded(wording, (of,))
            case ir.PieceStateX(state=m.State(wording=ir.Wording() as wording), of=of) if x.type != BOOL:
                return self.speaker.worded(wording, (of,))
            case ir.CallX(function=m.Function(wording=ir.Wording() as wording), args=args) if x.type != BOOL:
                return self.speaker.worded(wording, args)
            case ir.TableX(table=m.Table(wording=ir.Wording() as wording), args=args, shift=None):
                return self.speaker.worded(wording, args)
            case ir.StateX(state=state, of=None):
                return self.game_state(state)
            case ir.StateX(state=state, of=ir.X() as of) | ir.PieceStateX(state=state, of=of):
                if about := self._about(state.name, x.type, of):
                    return f"the {self._head(x.type, True)} {about}"
                return self.possessed(of, self._several(state.name, x.type))
            case ir.AttrX(attr=m.Attr(name="other"), of=of) if kind_of(of.type) == kind_of(x.type):
                return f"the other {kind_noun(kind_of(x.type))}"
            case ir.AttrX(attr=attr, of=of):
                # A piece's nation's side is its side.
                owned = owned_one(x) if attr.name in BELONGS else None
                if about := self._about(attr.name, x.type, of):
                    return f"the {self._head(x.type, True)} {about}"
                return self.possessed(owned if owned is not None else of, self._several(attr.name, x.type))
            case ir.PlaceOfX(of=ir.Local(var=var)) if var.ident in self.speaker.places:
                return self.speaker.places[var.ident]
            case ir.PlaceOfX(of=of):
                return self.possessed(of, kind_noun(kind_of(x.type)) or "place")
            case ir.ContentsX(holds=holds, of=of):
                return self.the(x) if self.is_plural(holds) else self.place(holds, of)
            case ir.FilterX() | ir.LinksX() | ir.MostX() | ir.RouteX(target=None):
                return self.the(x)
            case ir.RouteX(target=target) if target is not None:
                counted = "number of steps" if x.route.cost is None else "cost of the way"
                return f"the {counted} to {self.phrase(target)} by {self.route(x)}"
            case ir.AggregateX(function="set" | "list", picks=((var, _),), value=ir.Local(var=v)) if v is var:
                return self.the(x)
            case ir.AggregateX():
                return self.speaker.numbers.aggregate(x)
            case ir.ArithX():
                return self.speaker.numbers.arithmetic(x)
            case ir.SetOpX(operator=operator, left=left, right=right):
                if operator in ("+", "&", "-") and isinstance(left, ir.LinksX):
                    return self.the(x)
                if operator == "+" and len(every := united(x)) > 2:
                    return self._all_of(every)
                if operator == "-":
                    whole, taken = without(x)
                    return f"{self.phrase(whole)} except {listed([self.phrase(each) for each in taken])}"
                a, b = self.phrase(left), self.phrase(right)
                joined = {"+": "together with", "&": "that are also among", "list+": "followed by"}
                return f"{a} {joined.get(operator, operator)} {b}"
            case ir.IfX(condition=condition, then=then, otherwise=otherwise) if x.type != BOOL:
                so = is_known(condition)
                if so is not None:
                    return self.phrase(then if so else otherwise)
                a, b = self.phrase(then), self.phrase(otherwise)
                return f"{a} if {self.speaker.sentence(condition, True)}, otherwise {b}"
            case ir.CallX(function=function, args=args) if x.type != BOOL:
                words = readable(function.name).lower()
                said, circumstances = self.speaker.arguments(function.params, args)
                if not said and isinstance(x.type, SetOf) and words.partition(" ")[0] in ("can", "may", "must"):
                    return f"the {self._head(x.type, True)} that {words}{circumstances}"
                if not said:
                    # "the weakest walls" are called by what they are like.
                    sort = self._head(x.type, isinstance(sure(x.type), SetOf | ListOf)) if is_quality(words) else ""
                    is_thing = sort and kind_of(x.type)
                    return f"the {words}{' ' + sort if is_thing else ''}{circumstances}"
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
                return self.speaker.numbers.builtin(x)
            case ir.ListX(items=items) if x.type == ListOf(INT):
                return listed([self.phrase(item) for item in items]) or "none"
            case ir.SetX(items=items) | ir.ListX(items=items):
                return listed(self.speaker.each_once(items)) or "none"
            case ir.RangeX(low=low, high=high):
                return f"{low} to {high}"
            case ir.TemplateX(parts=parts):
                text = "".join(p if isinstance(p, str) else f"({self.phrase(p)})" for p in parts)
                return f"“{text}”"
        if x.type == BOOL:
            return f"whether {self.speaker.sentence(x, True)}"
        raise AssertionError(x)

    def _all_of(self, sets: Sequence[ir.X]) -> str:
        """Several sets put together: "North's hand, deck and discards"."""
        places = [each for each in sets if isinstance(each, ir.ContentsX)]
        owner = places[0].of if places else None
        if owner is not None and len(places) == len(sets) and not isinstance(owner.type, SetOf):
            if all(each.of is not None and is_same(each.of, owner) for each in places):
                names = [self.held(p.holds) if self.is_plural(p.holds) else readable(p.holds.name) for p in places]
                return self.possessed(owner, listed(names))
        return listed([self.phrase(each) for each in sets])

    def inside(self, x: ir.X, many: bool) -> str:
        """Where a member of a set is: "one of the capitals", "in the pile", "among the towns and Mill"."""
        said, kind = self.phrase(x), kind_noun(kind_of(x.type))
        if said.startswith("where "):
            return said
        if not many and said == f"the {plural(kind)}":
            return f"one of those {plural(kind)}"
        if many or not kind or not is_several(said) or _JOINED.match(said):
            return f"{among(said)} {said}" if kind else f"among {said}"
        return f"one of {said}"

    def the(self, x: ir.X) -> str:
        """The members of a set: "the units in Mill", "your reserves"."""
        noun = self.noun(x, True)
        return noun if noun.startswith(("its ", "your ")) else f"the {noun}"

    def among(self, x: ir.X) -> str:
        """The same for what one chooses from, which may be no more than a name that was handed on."""
        kind = kind_of(x.type)
        return f"the {plural(kind_noun(kind))} in question" if isinstance(x, ir.Local) and kind else self.the(x)

    def name(self, var: ir.Var) -> str:
        """What to call a name that a rule binds."""
        given = self.speaker.names.get(var.ident)
        if given is not None:
            return given
        kind = kind_noun(kind_of(var.type))
        single = isinstance(var.type, ThingOf | PieceOf)
        if var in self.speaker.elements or var.name in ("it", "each"):
            if not self.speaker.elements or var is self.speaker.elements[-1]:
                return "it"
            return f"that {kind or 'number'}" if kind or var.type == INT else readable(var.name)
        words = readable(var.name)
        if kind and is_selection(var):
            return f"the chosen {plural(kind)}"
        if not kind or not single:
            return f"the {words}" if len(words) > 2 and kind else words
        if len(words) > 2 and words.lower() != kind:
            return f"the {words}"
        if len(self.speaker.kinds.get(kind_of(var.type), ())) > 1:
            return f"{kind} {words}"
        return f"the {kind}"

    def game_state(self, state: m.State) -> str:
        words = readable(state.name)
        if " " in state.name:
            return "this reaction"
        thing, _, name = state.name.rpartition(".")
        if thing:
            return f"{titled(thing)}'s {readable(name)}"
        plain = sure(state.type)
        which = WHICHEVER.fullmatch(words.lower()) or is_quality(words.lower())
        is_kind = words.lower() == kind_noun(kind_of(plain))
        if isinstance(plain, ThingOf) and not is_kind and (words.lower() in WHICH or which):
            return f"the {words} {kind_noun(plain.kind)}"
        if isinstance(plain, SetOf | ListOf) and which and kind_of(plain):
            return f"the {words} {plural(kind_noun(kind_of(plain)))}"
        if plain == INT and WHICHEVER.fullmatch(words.lower().partition(" ")[0]):
            return f"the number {words}"
        if plain == ListOf(INT) and re.fullmatch(r"\w+ed", words.lower()):
            return f"the {words} numbers"
        return words if words.startswith(("this ", "these ", "what ")) else f"the {words}"

    def possessed(self, of: ir.X, name: str) -> str:
        """ "the unit's side", "its side", "the side of two words in Mill"."""
        owner = self.phrase(of)
        if owner in ("it", "you"):
            return f"{'its' if owner == 'it' else 'your'} {name}"
        if is_adjective(of):
            return f"the {owner} {name}"
        if owner.count(" ") > 2 or " in " in owner or "," in owner or re.search(r"'s |s' |^who ", owner):
            return f"the {name} of {owner}"
        is_plural = owner.endswith("s") and len(owner.rpartition(" ")[2]) > 2
        return f"{owner}{chr(39) if is_plural else chr(39) + 's'} {name}"

    def _about(self, name: str, type_: Type, of: ir.X) -> str:
        """Things that are several to somebody, by a name that ends open: `falls_with` is "the towns that North falls
        with", `raised_at` "the towns that North is raised at"; "" for other names."""
        words = readable(name).lower()
        first, _, last = words.partition(" ")
        if not isinstance(type_, SetOf | ListOf) or not kind_of(type_) or last not in SMALL_WORDS or last == "of":
            return ""
        verb = "" if is_act(first) else "is " if first.endswith(("ed", "ught", "own")) else "has "
        return agreed(f"{self.phrase(of)} {verb}{words}")

    @staticmethod
    def _several(name: str, type_: Type) -> str:
        """The name of a fact; one that is several things says of which kind: "entry regions"."""
        words = readable(name)
        kind = kind_noun(kind_of(type_))
        if not isinstance(type_, SetOf | ListOf) or not kind or re.search(r"[^su]s$", words):
            return words
        if words.partition(" ")[0] in ADVERBS:
            return f"{plural(kind)} {words}"
        return f"{words} {plural(kind)}"

    @staticmethod
    def is_plural(holds: m.Holds) -> bool:
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
            is_just_that = words == plural(kind).lower().replace("-", " ")
            return (plural(kind) if is_just_that else words) if many else kind
        noun = plural(kind) if many else kind
        return f"{noun} {words}" if told["after"] else f"{words} {noun}"

    def place(self, holds: m.Holds, of: ir.X | None) -> str:
        words = self.held(holds) if self.is_plural(holds) else readable(holds.name).lower()
        if words.partition(" ")[0] in ADVERBS:
            words = f"{plural(kind_noun(holds.kind.name))} {words}"
        if of is None:
            return f"the {words}"
        if isinstance(of.type, SetOf):
            several = words if self.is_plural(holds) or words.partition(" ")[0] in ADVERBS else plural(words)
            return f"the {several} of {'the ' if several != words else ''}{self.noun(of, True)}"
        if TELLING.fullmatch(readable(holds.name).lower()) and words.rpartition(" ")[2] not in words.split()[:1]:
            said = self._of(words, of)
            return said if said.startswith(("its ", "your ")) else f"the {said}"
        return self.possessed(of, words)

    def _of(self, words: str, of: ir.X) -> str:
        """What somebody has: "reserves of North", "your reserves"."""
        owner = self.phrase(of)
        if owner in ("it", "you"):
            return f"{'its' if owner == 'it' else 'your'} {words}"
        return f"{owner} {words}" if is_adjective(of) else f"{words} of {owner}"

    def _content(self, x: ir.ContentsX, many: bool) -> str:
        """What lies in a place: "units in Mill", "reserves of North", "cards in your hand"."""
        holds, of = x.holds, x.of
        head = self._head(x.type, many)
        if not self.is_plural(holds):
            return f"{head} in {self.place(holds, of)}"
        word = self.held(holds, many)
        if of is None:
            return word
        is_many = isinstance(of.type, SetOf)
        where = self.noun(of, True) if is_many else self.phrase(of)
        if isinstance(of, ir.SetX | ir.ListX) and of.items:
            where = listed(self.speaker.each_once(of.items), "and" if many else "or")
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

    def _near(self, x: ir.SetOpX, many: bool) -> str:
        """A space and those linked to it: "the towns linked to Mill and Mill itself"; "" where it is something else."""
        every = united(x) if x.operator == "+" else []
        links = [each for each in every if isinstance(each, ir.LinksX)]
        if not links or len(links) == len(every):
            return ""
        of, kind = links[0].of, links[0].kind
        if not all(is_same(each.of if isinstance(each, ir.LinksX) else each, of) for each in every):
            return ""
        near = self.linked([sort for each in links for sort in each.sorts], kind)
        return f"{self._head(x.type, many)} {near} {self.phrase(of)} {'and' if many else 'or'} {self.phrase(of)} itself"

    def _joined(self, x: ir.SetOpX, many: bool) -> str:
        """Two sets put together, or one without the other."""
        left, right = x.left, x.right
        if x.operator == "+" and isinstance(left, ir.LinksX) and isinstance(right, ir.LinksX) and self._both_linked(x):
            where = f"any of {self.the(left.of)}" if isinstance(left.of.type, SetOf) else self.phrase(left.of)
            return f"{self._head(x.type, many)} {self.linked((*left.sorts, *right.sorts), left.kind)} {where}"
        if near := self._near(x, many):
            return near
        if len(every := united(x)) > 2:
            return f"{self._head(x.type, many)} among {self._all_of(every)}"
        if x.operator == "+":
            return f"{self.noun(left, True)} and {self.phrase(right)}"
        if x.operator == "-":
            whole, taken = without(x)
            return f"{self.noun(whole, many)} except {listed([self.phrase(each) for each in taken])}"
        return f"{self.noun(left, many)} that {'are' if many else 'is'} also among {self.phrase(right)}"

    def noun(self, x: ir.X, many: bool) -> str:
        """What one or many members of a set, list or pile are called, with what sets them apart."""
        head = self._head(x.type, many)
        match x:
            case ir.AllThings():
                return head
            case ir.ContentsX():
                return self._content(x, many)
            case ir.FilterX(var=var, condition=condition):
                if owned := self._owned(x, many):
                    return owned
                whole, rest = self.by_sort(x, parts_of_and(condition), many)
                with self.speaker.element(var):
                    return f"{whole} {self.relative_of(var, rest, many)}".rstrip()
            case ir.AggregateX(function="set" | "list", picks=((var, source),), condition=None, value=value) if (
                self.speaker.filters.of_element(value, var)
            ):
                own = self.speaker.filters.of_element(value, var)
                return f"{plural(own) if many else own} of {self.noun(source, True)}"
            case ir.AggregateX(
                function="set" | "list", picks=((var, source),), condition=test, value=ir.Local(var=v)
            ) if v is var:
                apart = f" {self.speaker.relative(var, test, many)}" if test is not None else ""
                return f"{self.noun(source, many)}{apart}"
            case ir.SetOpX(operator="+" | "-" | "&") if many or x.operator != "+" or self._both_linked(x):
                return self._joined(x, many)
            case ir.LinksX(of=of, sorts=sorts, kind=space):
                where = f"any of {self.the(of)}" if isinstance(of.type, SetOf) else self.phrase(of)
                return f"{head} {self.linked(sorts, space)} {where}"
            case ir.MostX(direction=direction, source=source, var=var, by=by):
                with self.speaker.element(var):
                    said = self.phrase(by)
                    is_named = said.startswith(("the ", "its "))
                    bare = re.sub(r"^the |\bits | (?:in|of|on|at) it\b", "", said) if is_named else f"value of {said}"
                    worth = self.own_value(by, var) or bare
                which = "highest" if direction == "most" else "lowest"
                return f"{self.noun(source, many)} with the {which} {worth}"
            case ir.RouteX():
                return f"{head} that can be reached by {self.route(x)}"
            case ir.SetX(items=items) | ir.ListX(items=items) if items:
                return f"{head} among {listed(self.speaker.each_once(items))}"
            case ir.RangeX(low=low, high=high):
                return f"{head} from {low} to {high}"
        if isinstance(x, ir.Local) and is_selection(x.var):
            return f"chosen {head}"
        if own := self._own_set(x, many):
            return own
        if isinstance(x, ir.Local | ir.CallX | ir.StateX | ir.AttrX | ir.SetOpX | ir.BuiltinX | ir.IfX | ir.AggregateX):
            said = self.phrase(x)
            if said.startswith("where "):
                return f"{head} {said}"
            # "the open towns" are towns already, and so are "the towns where one may build".
            several = plural(head) if not many else head
            one = head if not many else ""
            if found := re.match(rf"(?:the )?((?:[a-z]+ )?){re.escape(several)}\b(?! of | in (?!question))(.*)$", said):
                return f"{found[1]}{one or several}{found[2]}"
            if (
                many
                and re.match(r"the (?:\w+ )?\w+[^su\W]s\b", said)
                and isinstance(x, ir.CallX | ir.AttrX | ir.StateX)
            ):
                return said[4:]  # "the foes of North" are foes
            if many and x.type == ListOf(INT) and _NUMBERS.match(said):
                return said[4:]  # "the shots that are at most 2", not "the numbers in the shots"
            return f"{head} {among(said) if kind_of(x.type) else 'in'} {said}"
        return head

    def _own_set(self, x: ir.X, many: bool) -> str:
        """``north.capitals`` as "capitals of North" or "capital of North"; "" where it is not called by a plural."""
        match x:
            case (
                ir.AttrX(attr=m.Attr(name=name, wording=None), of=of)
                | ir.StateX(state=m.State(name=name, wording=None), of=ir.X() as of)
                | ir.PieceStateX(state=m.State(name=name, wording=None), of=of)
            ):
                words = self._several(name, x.type)
                owner = self.phrase(of)
                if about := self._about(name, x.type, of):
                    return f"{self._head(x.type, many)} {about}"
                if not kind_of(x.type) or not is_several(words) or words.partition(" ")[0] in ADVERBS:
                    return ""
                if owner in ("it", "you"):
                    return f"{'its' if owner == 'it' else 'your'} {words}" if many else ""
                one = next((word for word in singulars(words) if plural(word) == words), words)
                return f"{words if many else one} of {owner}"
            case ir.CallX() if many:
                said = self.phrase(x)
                return said if said.startswith(("its ", "your ")) and is_several(said) else ""
        return ""

    def _owned(self, x: ir.FilterX, many: bool) -> str:
        """``Mill.units[side == North and not moved]`` as "units of North in Mill that have not moved".

        "" where nobody is said to own them, or somebody else has them."""
        split = self.split(x)
        if split is None:
            return ""
        owner, others = split
        whole, rest = self.by_sort(x, others, many)
        with self.speaker.element(x.var):
            apart = self.relative_of(x.var, rest, many)
            who = self.phrase(owner)
        if who == "you":
            return f"your {whole}{' ' + apart if apart else ''}"
        if is_adjective(owner):
            return f"{who} {whole}{' ' + apart if apart else ''}"
        place = whole.find(" in ")
        if place < 0:
            whole, place = f"{whole} ", len(whole)
        return f"{whole[:place]} of {who}{whole[place:].rstrip()}{' ' + apart if apart else ''}"

    def by_sort(self, x: ir.FilterX, parts: Sequence[ir.X], many: bool) -> tuple[str, Sequence[ir.X]]:
        """What the members of a filter are called, and what else is said of them. Where they are said to be of a sort,
        that is their name: "guns in Mill", not "units in Mill that are guns"."""
        noun, head = self.noun(x.source, many), self._head(x.source.type, many)
        for part in parts if re.match(rf"{re.escape(head)}(?: |$)", noun) else ():
            match part:
                case ir.CompareX(operator="==", left=ir.AttrX(attr=attr) as left, right=ir.ThingLit() as right) if (
                    attr.name in SORTS and is_element(sorted_one(left), x.var)
                ):
                    sort = self.phrase(right)
                    if (many or sort not in (a_sort(sort), plural(sort))) and not re.search("(?:us|is)$", sort):
                        said = sort_word(sort, True) if many else sort
                        return said + noun[len(head) :], [other for other in parts if other is not part]
        return noun, parts

    def split(self, x: ir.FilterX) -> tuple[ir.X, list[ir.X]] | None:
        """Whose the members of a filter are, and what else is said of them. None where nobody is, or where they lie
        with somebody: the reserves of North that belong to Ruritania."""
        source, var = x.source, x.var
        if isinstance(source, ir.ContentsX):
            owner = source.holds.owner
            if owner is not None and not owner.links and self.is_plural(source.holds):
                return None
        elif not isinstance(source, ir.AllThings):
            return None
        parts = parts_of_and(x.condition)
        owners = [part for part in parts if self._owner_in(part, var) is not None]
        if not owners:
            return None
        # Of a nation and its side, the nation says more; whoever is spoken to has his own.
        you = self.speaker.you
        mine = (part for part in owners if you is not None and is_same(self._owner_in(part, var) or part, you))
        chosen = next(mine, owners[-1])
        found = self._owner_in(chosen, var)
        assert found is not None
        return found, [part for part in parts if part is not chosen]

    def _owner_in(self, x: ir.X, var: ir.Var) -> ir.X | None:
        """Who the element of a filter is said to belong to."""
        match x:
            case ir.CompareX(operator="==", left=left, right=right) if not self.speaker.filters.mentions(right, var):
                owned = owned_one(left)
                if isinstance(owned, ir.Local) and owned.var is var and right.type != NOTHING:
                    return None if is_nobody(right) else bearer_of(right)
        return None

    def relative_of(self, var: ir.Var, parts: Sequence[ir.X], many: bool) -> str:
        return joined_relatives([self.speaker.filters.apart(var, part, True, many) for part in parts], many)

    def own_value(self, x: ir.X, var: ir.Var) -> str:
        """The name of a fact or computed value of the element: "side", "strength (for Mill)"; "" if it is neither."""
        own = self.speaker.filters.of_element(x, var)
        if own or not isinstance(x, ir.CallX) or x.type == BOOL or x.function.wording is not None:
            return own
        if not x.args or not (isinstance(x.args[0], ir.Local) and x.args[0].var is var):
            return ""
        others = listed([self.phrase(a) for a in x.args[1:]])
        return readable(x.function.name).lower() + (f" for {others}" if others else "")

    @staticmethod
    def _head(type_: Type, many: bool) -> str:
        """What one or many members of a type are called, without anything that sets them apart."""
        kind = kind_noun(kind_of(type_))
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
            return self.speaker.worded(x.route.wording, x.args)
        start = substitute(x.route.start, {p.ident: a for p, a in zip(x.route.params, x.args, strict=False)})
        begins = f"any of {self.the(start)}" if isinstance(start.type, SetOf) else self.phrase(start)
        used = locals_in(x.route.start)
        rest = [(p, a) for p, a in zip(x.route.params, x.args, strict=False) if p.ident not in used]
        told_of = [(p, a) for p, a in rest if not (isinstance(a, ir.SetX | ir.ListX) and not a.items)]
        said, circumstances = self.speaker.arguments([p for p, _ in told_of], [a for _, a in told_of])
        more = f" for {listed(said)}" if said else ""
        return f"{readable(x.route.name).lower()} from {begins}{more}{circumstances}"
