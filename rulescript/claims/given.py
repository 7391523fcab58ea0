"""Laying out a position as an example describes it.

Here is what the words of a `given` mean; how pieces and things come to lie where they say is done by stock.py, and what
is said twice, and otherwise, is found by said_before.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, evolve

from rulescript.calls import is_number
from rulescript.claims import steps as s
from rulescript.claims.names import Names, Phrase, beyond, name_hint
from rulescript.claims.parse import part, split
from rulescript.claims.problems import ClaimUnclear
from rulescript.claims.said_before import SaidBefore
from rulescript.claims.stock import Stock
from rulescript.diagnostics.spelling import spelling_hint
from rulescript.game_data import StateInfo
from rulescript.machine.tables import BITS
from rulescript.model import ir
from rulescript.model.types import SetOf, ThingOf, say
from rulescript.source import Span
from rulescript.wording.lexicon import words

if TYPE_CHECKING:
    from rulescript.runtime.position import Position

__all__ = ["Layouter"]

ALL = -1


# ``every Town[side == North]``: those of a kind of which something is so.
_THOSE = re.compile(r"(?:every|each|all)\s+(\w+\s*\[.*\])", re.DOTALL)


@define
class _Group:
    """What an example says about one subject: (name of a place or state, item) pairs."""

    subject: Span | None
    items: list[tuple[tuple[Span, ...], Span]]


class Layouter:
    """Changes a position as an example asks."""

    def __init__(self, names: Names, position: Position, base: str = "empty") -> None:
        self.names = names
        self.base = base
        self.game = names.game
        self.data = names.data
        self.position = position
        self.S = position.s
        self._used: set[tuple[str, int]] = set()
        self.said = SaidBefore(self.game)
        self.stock = Stock(self.game, self.S, base, self.said)
        self._of_several = False

    def apply(self, layer: Sequence[s.Change]) -> None:
        """All changes of a layer but where play begins. What one layer says twice must be the same; a later one may
        say otherwise. What a layer makes of a position is looked up where another example had both."""
        key = (tuple(map(id, layer)), self.base, tuple(self.S), tuple(self.stock.tops.items()), frozenset(self._used))
        known = self.names.layers.get(key)
        asked = self.names.evaluator.asked
        if known is None:
            before = frozenset(asked)
            asked.clear()
            try:
                self._apply(layer)
                # With the changes themselves, so that no others come to be at their places.
                kept = (tuple(self.S), dict(self.stock.tops), set(self._used), frozenset(asked), *layer)
                self.names.layers.keep(key, kept)
            finally:
                asked |= before
        else:
            self.S[:], self.stock.tops, self._used = known[0], dict(known[1]), set(known[2])
            asked |= known[3]

    def _apply(self, changes: Sequence[s.Change]) -> None:
        self.said.clear()
        group: _Group | None = None
        groups: list[_Group | s.Setting] = []
        for change in self._joined(list(changes)):
            match change:
                case s.Setting():
                    groups.append(change)
                    group = None
                case s.Item(heads=heads, text=text, follows=follows):
                    if not follows:
                        group = None
                    if heads and not (group is not None and self._is_part(group.subject, heads[0])):
                        group = _Group(heads[0], [])
                        groups.append(group)
                        heads = heads[1:]
                    if group is None:
                        group = _Group(None, [])
                        groups.append(group)
                    if text.text or heads:
                        group.items.append((heads, text))
        for each in groups:
            if isinstance(each, s.Setting):
                self._setting(each)
            else:
                self._group(each)
                self.stock.put_back()

    def _joined(self, changes: Sequence[s.Change]) -> list[s.Change]:
        """``Mill, Ford and Otter: control North``: names with commas before one with `and` and a colon belong to it."""
        out: list[s.Change] = []
        at = 0
        while at < len(changes):
            upto = at
            while self._is_bare_name(changes, upto):
                upto += 1
            last = changes[upto] if upto < len(changes) else None
            if upto > at and isinstance(last, s.Item) and last.follows and len(last.heads) > 0:
                head = last.heads[0]
                if re.search(r"\s+and\s+", head.text):
                    whole = Span(head.source, changes[at].span.start, head.end)
                    first = changes[at]
                    assert isinstance(first, s.Item)
                    out.append(evolve(last, heads=(whole, *last.heads[1:]), follows=first.follows))
                    at = upto + 1
                    continue
            out.append(changes[at])
            at += 1
        return out

    def _is_bare_name(self, changes: Sequence[s.Change], at: int) -> bool:
        if at >= len(changes):
            return False
        change = changes[at]
        return (
            isinstance(change, s.Item)
            and not change.heads
            and bool(self.names.things(change.text))
            and not (at and change.follows and _has_subject(changes, at))
        )

    def _is_part(self, subject: Span | None, head: Span) -> bool:
        """Whether a name before a colon is a place or state of the subject that was named before."""
        if subject is None:
            return False
        name = _plain_head(head)
        for kind, index in self._subjects(subject, quiet=True):
            if self.names.place_called(name, kind) is not None:
                return True
            if self.names.state_called(name, kind, index) is not None:
                return True
        return False

    # -------------------------------------------------------------- subjects

    def _subjects(self, span: Span, quiet: bool = False) -> list[tuple[str, int]]:
        """The things a subject may mean. ("", 0) is the game itself; index ALL stands for each of a kind."""
        found = re.fullmatch(r"(?:every|each|all)\s+(\w+)", span.text.strip())
        if found is not None:
            for kind in self.data.kinds:
                if found[1].lower() in self.names._kind_words(kind):
                    return [(kind, ALL)]
        candidates = self.names.namesakes(span)
        if not candidates and not quiet:
            raise self.names.unknown_thing(span)
        return candidates

    def _group(self, group: _Group) -> None:
        if group.subject is None:
            for heads, item in group.items:
                self._global(heads, item)
            return
        several = split(group.subject, r"\s*,\s*|\s+and\s+")
        if len(several) > 1 and not self.names.things(group.subject):
            named = [words(one.text) for one in several]
            for at, one in enumerate(several):
                if named[at] in named[:at]:
                    raise ClaimUnclear(f"`{one.text}` is named twice", one, "again", "leave one of them out")
            self._of_several = True
            for one in several:
                self._group(_Group(one, group.items))
            self._of_several = False
            return
        subject = group.subject
        exactly = re.search(r"\s+exactly$", subject.text)
        if exactly is not None:
            subject = part(subject, 0, exactly.start())
        those = _THOSE.fullmatch(subject.text)
        if those is not None:
            self._of_those(part(subject, those.start(1)), group.items, exactly is not None)
            return
        own = self.names.place_called(subject.text, "")
        if own is not None:
            self._items_in(own.slot, group.items, exactly is not None)
            return
        state = self.names.state_called(subject.text, "")
        if state is not None and len(group.items) == 1:
            item = group.items[0][1]
            self.set_state(state, 0, self.names.value(item, state.type, self.position), item)
            return
        if "." in subject.text:
            slot = self.names.places(subject)[0]
            self._items_in(slot, group.items, exactly is not None)
            return
        self._of_thing(subject, group.items, exactly is not None)

    def _items_in(self, slot: int, items: Sequence[tuple[tuple[Span, ...], Span]], exactly: bool) -> None:
        if exactly:
            self._begin_exactly(slot, items)
        for heads, item in items:
            if heads:
                raise ClaimUnclear(f"there is no place `{heads[0].text}` in here", heads[0], "unknown")
            self._place_item(slot, item)

    def _of_thing(self, subject: Span, items: Sequence[tuple[tuple[Span, ...], Span]], exactly: bool) -> None:
        problem: ClaimUnclear | None = None
        before, said = list(self.S), self.said.so_far()
        # Of a side and its marker of the same name, the side is meant: it has something to be given.
        subjects = sorted(
            self._subjects(subject), key=lambda t: not (self.names.holds_of(t[0]) or self.names.states_of(*t))
        )
        for kind, index in subjects:
            try:
                which = range(len(self.data.kinds[kind].names)) if index == ALL else (index,)
                self.said.is_general = self._of_several or index == ALL
                for each in which:
                    self._thing_items(kind, each, items, exactly)
                self.said.is_general = False
                return
            except ClaimUnclear as found:
                # Of several things with one name, the one that most of the line fits was meant.
                if problem is None or found.span.start > problem.span.start:
                    problem = found
                self.S[:] = before
                self.said.back_to(said)
                self.said.is_general = False
                self.stock.let_go()
        assert problem is not None
        raise problem

    def _of_those(self, chosen: Span, items: Sequence[tuple[tuple[Span, ...], Span]], exactly: bool) -> None:
        """``every Town[side == North]: control nothing``"""
        x = self.names.evaluator.read_at(chosen, None, self.position)
        if not isinstance(x.type, SetOf) or not isinstance(x.type.element, ThingOf):
            raise ClaimUnclear(f"`{chosen.text}` is {say(x.type)}", chosen, "expected things of one kind")
        which = BITS[self.names.evaluator.worked_out(x, self.position, chosen)]
        if not which:
            raise ClaimUnclear(f"there is no `{chosen.text}` here", chosen, "none")
        self.said.is_general = True
        for index in which:
            self._thing_items(x.type.element.kind, index, items, exactly)
        self.said.is_general = False

    def _thing_items(
        self, kind: str, index: int, items: Sequence[tuple[tuple[Span, ...], Span]], exactly: bool
    ) -> None:
        slot: int | None = None
        if exactly:
            for holds in self.names.holds_of(kind):
                self._begin_exactly(holds.slot + index, items)
        for heads, item in items:
            for head in heads:
                holds_found = self.names.place_called(_plain_head(head), kind)
                if holds_found is not None:
                    slot = holds_found.slot + index
                    if head.text.rstrip().endswith("exactly"):
                        self._begin_exactly(slot, [(heads, item)])
                    continue
                own = self.names.states_of(kind, index)
                state = self.names.state_called(head.text, kind, index)
                if state is None:
                    known = [
                        *(h.name for h in self.names.holds_of(kind)),
                        *(e.name for e in own),
                    ]
                    raise ClaimUnclear(
                        f"{kind} has no place or state `{head.text}`",
                        head,
                        "unknown",
                        spelling_hint(head.text, known) or _known_hint(self.names.lexicon.name(kind, index), known),
                    )
                self.set_state(state, index, self.names.value(item, state.type, self.position), item)
                break
            else:
                if item.text:
                    self._thing_item(kind, index, slot, item)

    def _thing_item(self, kind: str, index: int, slot: int | None, item: Span) -> None:
        """One item of a thing: a state, or what lies in one of its places."""
        states = self.names.states_of(kind, index)
        named = [(e.name, e.type) for e in states]
        if slot is not None:
            # After what a place holds, a state of the thing itself may follow.
            inside = item.text.strip() not in ("empty", "nothing") and self._try_pieces(item, [slot])
            if not inside and self.names.state_and_value(item, named) is None:
                self._place_item(slot, item)
                return
            if inside:
                return
        found = self.names.state_and_value(item, named)
        if found is not None:
            entry = next(e for e in states if e.name == found[0])
            self.set_state(entry, index, found[1], item)
            return
        if item.text.strip() in ("empty", "nothing"):
            for holds in self.names.holds_of(kind):
                self._empty(holds.slot + index, item)
            return
        holding = self.names.holds_of(kind)
        if self._try_pieces(item, [h.slot + index for h in holding]):
            return
        # A value alone, where only one state can have it: `contested`.
        fitting = [(e, v) for e in states if e.type != ["int"] and (v := self.names.plain_value(item.text, e.type))]
        fitting = [(e, v) for e, v in fitting if e.type != ["bool"]]
        if len(fitting) == 1:
            self.set_state(fitting[0][0], index, fitting[0][1][0], item)
            return
        raise self._not_understood(kind, index, item)

    def _not_understood(self, kind: str, index: int, item: Span) -> ClaimUnclear:
        name = self.names.lexicon.name(kind, index)
        info = self.data.kinds[kind]
        for attr in info.attrs:
            if set(words(attr)) <= set(words(item.text)):
                return ClaimUnclear(f"`{attr}` of {name} is fixed and cannot be given", item, "fixed")
        for entry in self.names.states_of(kind, index):
            if set(words(entry.name)) <= set(words(item.text)):
                values = self._value_names(entry.type)
                hint = spelling_hint(
                    " ".join(w for w in item.text.split() if w.lower() not in words(entry.name)), values
                )
                if hint is None and values and len(values) < 9:
                    hint = f"it can be {', '.join(values)}"
                return ClaimUnclear(f"`{item.text}` is no value of `{entry.name}`", item, "unknown", hint)
        places = self.names.holds_of(kind)
        states = [e.name for e in self.names.states_of(kind, index)]
        kinds = list(dict.fromkeys(h.kind for h in places))
        hint = self.names.phrase_hint(item.text, kinds, states)
        place = self.names.unknown_in(item, kinds)
        return ClaimUnclear(f"`{item.text}` is nothing that {name} can be or have", place, "not understood", hint)

    def _value_names(self, type_: Any) -> list[str]:
        match type_:
            case ["thing", kind]:
                return list(self.data.kinds[kind].names)
            case ["maybe", inner]:
                return ["nothing", *self._value_names(inner)]
        return []

    # -------------------------------------------------------------- the game's own

    def _global(self, heads: Sequence[Span], item: Span) -> None:
        states = self.names.states_of("")
        found = self.names.state_and_value(item, [(e.name, e.type) for e in states])
        if found is not None:
            entry = next(e for e in states if e.name == found[0])
            self.set_state(entry, 0, found[1], item)
            return
        for entry in sorted(states, key=lambda e: -len(words(e.name))):
            pattern = r"[\s_]+".join(map(re.escape, words(entry.name)))
            match = re.match(rf"{pattern}\s+(?:is\s+)?(?=\S)", item.text, re.IGNORECASE)
            if match is not None:
                value = part(item, match.end())
                try:
                    given = self.names.value(value, entry.type, self.position)
                except ClaimUnclear as problem:
                    values = self._value_names(entry.type)
                    hint = spelling_hint(value.text, values)
                    if hint is None and values and len(values) < 9:
                        hint = f"it can be {', '.join(values)}"
                    message = f"`{value.text}` is no value of `{entry.name}`"
                    raise ClaimUnclear(message, value, "unknown", hint or problem.hint) from problem
                self.set_state(entry, 0, given, item)
                return
        bare = next((entry for entry in states if words(entry.name) == words(item.text)), None)
        if bare is not None:
            values = self._value_names(bare.type)
            hint = f"write `{item.text} {values[0]}`, for example" if values else f"write for example `{item.text} 1`"
            raise ClaimUnclear(f"`{item.text}` is given no value", item, "which one?", hint)
        said = item.text.split(" ")
        for many in range(len(said) - 1, 0, -1):
            name = " ".join(said[:many])
            if self.names.things(part(item, 0, len(name))):
                rest = item.text[len(name) :].strip(" =")
                colon = part(item, len(name))
                raise ClaimUnclear(
                    f"expected `:` after `{name}`", colon, "expected `:` before this", f"write `{name}: {rest}`"
                )
        known = [*(e.name for e in states), *self.names.thing_names()]
        hint = spelling_hint(item.text.split(" ")[0], known) or spelling_hint(item.text, known)
        if hint is None and self.names.things(item):
            hint = f"write what is so of it: `{item.text}: ...`"
        hint = hint or _known_hint("the game", [e.name for e in states])
        raise ClaimUnclear(f"the game has no state `{item.text}`", item, "not understood", hint)

    def _setting(self, setting: s.Setting) -> None:
        """``Mill.control = Blue``"""
        evaluator = self.names.evaluator
        target = evaluator.read_at(setting.target, None, self.position)
        if not isinstance(target, ir.StateX):
            raise ClaimUnclear("only a state can be set", setting.target, "no state")
        of = evaluator.worked_out(target.of, self.position, setting.target) if target.of is not None else 0
        owner = target.state.kind.name if target.state.kind is not None else ""
        entry = next(e for e in self.data.states if e.kind == owner and e.name == target.state.name)
        x = evaluator.read_at(setting.value, target.state.type, self.position)
        value = evaluator.worked_out(x, self.position, setting.value)
        if target.of is not None and isinstance(of, int) and _is_set(target.of):
            self.said.is_general = True
            for index in BITS[of]:
                self.set_state(entry, index, value, setting.span)
            self.said.is_general = False
        else:
            self.set_state(entry, of, value, setting.span)

    def set_state(self, entry: StateInfo, index: int, value: Any, span: Span) -> None:
        """Give a state a raw value, in all the ways it is held."""
        self.said.note(f"{entry.kind}.{entry.name}", index, value, span, f"`{entry.name.rpartition('.')[2]}`")
        bounds = entry.bounds
        if bounds is not None and not bounds[0] <= value <= bounds[1]:
            raise beyond(entry.name.rpartition(".")[2], bounds, value, span)
        S, slot = self.S, entry.slot
        match entry.mode:
            case "one":
                S[slot] = value
            case "mask":
                S[slot] = S[slot] | 1 << index if value else S[slot] & ~(1 << index)
            case "dual":
                masks = entry.masks
                S[masks + S[slot + index]] &= ~(1 << index)
                S[masks + value] |= 1 << index
                S[slot + index] = value
            case _:
                S[slot + index] = value

    # -------------------------------------------------------------- pieces and single things

    def _place_item(self, slot: int, item: Span) -> None:
        if item.text.strip() in ("empty", "nothing"):
            self._empty(slot, item)
            return
        if not self._try_pieces(item, [slot]):
            kind = self.game.values.places[slot][0].kind
            info = self.data.kinds[kind]
            known = list(info.shown)
            if info.homes and not info.is_pieces:
                # Of cards, first those that are at home with the owner of the place.
                whose = self.game.values.places
                own = (whose[slot][0].owner, whose[slot][1])
                homes = [whose.get(home) for home in info.homes]
                at_home = [h is not None and (h[0].owner, h[1]) == own for h in homes]
                known = [n for n, here in zip(known, at_home, strict=True) if here] or known
            if info.is_pieces:
                known += sorted({w for ws in self.names.lexicon.piece_words(kind) for w in ws})
            bare = re.sub(r"^(?:(?:exactly|without|minus|no|all|an?|\d+)\s+)+", "", item.text)
            hint = name_hint(bare, known) or self.names.phrase_hint(item.text, [kind])
            where = self.game.values.place_name(slot)
            place = self.names.unknown_in(item, [kind])
            raise ClaimUnclear(f"`{item.text}` is nothing that {where} can hold", place, "unknown", hint)

    def _try_pieces(self, item: Span, slots: Sequence[int]) -> bool:
        """Put what an item names where it fits; False if it names no pieces or things."""
        found = re.match(r"(exactly\s+)?(?:(without|minus)\s+)?(?:(\d+|an?|no|all)\s+)?(?=\S)", item.text)
        assert found is not None
        rest = part(item, found.end())
        kinds = list(dict.fromkeys(self.game.values.places[s_][0].kind for s_ in slots))
        phrase = self.names.phrase(rest, kinds, whole_kind=found[3] in ("no", "all"), places=slots)
        if phrase is None and found[3] in ("a", "an"):
            rest = part(item, found.start(3))
            phrase = self.names.phrase(rest, kinds, places=slots)
        if phrase is None and found[3] and is_number(found[3]):
            phrase = self._whole_kind(rest, kinds, slots, int(found[3]))
        if phrase is None:
            return False
        fitting = [s_ for s_ in slots if self.game.values.places[s_][0].kind == phrase.kind]
        if found[3] == "no" or found[2]:
            wanted = int(found[3]) if found[3] and is_number(found[3]) else 1 if found[3] in ("a", "an") else 10**6
            if found[3] == "no" and not found[2] and not phrase.states:
                for slot in fitting:
                    self.said.see_unfilled(slot, item, phrase.types)
            left = wanted
            for slot in fitting:
                left -= self.stock.take_out(slot, phrase, left)
            if found[2] and (left == wanted if wanted == 10**6 else left):
                names = " and ".join(self.game.values.place_name(slot) for slot in fitting)
                raise ClaimUnclear(
                    f"`{item.text}`: {names} has only {wanted - left} of these"
                    if left < wanted
                    else f"`{item.text}`: there is none in {names}",
                    item,
                    "not there",
                )
            return True
        slot = self._best_slot(fitting, phrase, item)
        if found[1]:
            self._begin_exactly(slot, [((), item)])
        count = int(found[3]) if found[3] and is_number(found[3]) else 1
        if phrase.is_pieces:
            self.stock.put_pieces(slot, phrase, count, rest)
            self.said.note_filled(slot, phrase.types, item)
        else:
            loc = self.data.kinds[phrase.kind].loc
            elsewhere = list(phrase.types)
            if len(elsewhere) > 1:
                # Of several copies, those that the example has not used, and first those that lie elsewhere.
                elsewhere = [i for i in elsewhere if (phrase.kind, i) not in self._used]
                elsewhere.sort(key=lambda i: (self.S[loc + i] == slot) != self.stock.is_ordered(slot))
            if count > len(elsewhere):
                number = "only one" if len(phrase.types) == 1 else f"no more than {len(phrase.types)}"
                raise ClaimUnclear(f"there is {number} `{phrase.text}`", item)
            for index in elsewhere[:count]:
                self._put_thing(slot, evolve(phrase, types=(index,)), item)
            self.said.note_filled(slot, elsewhere[:count], item)
        return True

    def _begin_exactly(self, slot: int, items: Sequence[tuple[tuple[Span, ...], Span]]) -> None:
        """What follows is all that lies in a place: what was put there above cannot be."""
        for _, item in items[:1]:
            self.said.see_unfilled(slot, item)
        self.stock.clear(slot, keep=True)

    def _empty(self, slot: int, item: Span) -> None:
        """Empty a place, as somebody says."""
        self.said.see_unfilled(slot, item)
        self.stock.clear(slot)

    def _whole_kind(self, rest: Span, kinds: Sequence[str], slots: Sequence[int], count: int) -> Phrase | None:
        """``16 Northern tiles``: pieces by the name of their kind, where that leaves no doubt which are meant."""
        phrase = self.names.phrase(rest, kinds, whole_kind=True, places=slots)
        if phrase is None or not phrase.is_pieces or len(phrase.types) == 1:
            return phrase
        labels = [self.data.kinds[phrase.kind].labels[i] for i in phrase.types]
        told = ", ".join(labels[:6]) + (f" and {len(labels) - 6} more" if len(labels) > 6 else "")
        hint = f"say how many of each: {told}"
        raise ClaimUnclear(f"`{count} {rest.text}` could be pieces of {len(labels)} types", rest, "which?", hint)

    def _best_slot(self, slots: Sequence[int], phrase: Phrase, item: Span) -> int:
        if len(slots) > 1:
            names = [self.game.values.places[x][0].name for x in slots]
            hint = f"name the place: `{names[0]}: {item.text}`"
            raise ClaimUnclear(f"`{item.text}` could lie in {' or '.join(names)}", item, "where?", hint)
        return slots[0]

    def _put_thing(self, slot: int, phrase: Phrase, span: Span) -> None:
        index = phrase.types[0]
        self.said.note(phrase.kind, index, slot, span, f"`{phrase.text}`", is_thing=True)
        self._used.add((phrase.kind, index))
        self.stock.put_thing(phrase.kind, index, slot)
        for name, value in phrase.states:
            entry = next(e for e in self.names.states_of(phrase.kind) if e.name == name)
            self.set_state(entry, index, value, span)


def _has_subject(changes: Sequence[s.Change], at: int) -> bool:
    """Whether a name with a colon stands before on the same line: what follows is so of it."""
    for change in reversed(changes[:at]):
        if isinstance(change, s.Item):
            if change.heads:
                return True
            if not change.follows:
                return False
    return False


def _plain_head(head: Span) -> str:
    return re.sub(r"\s+exactly$", "", head.text.strip())


def _known_hint(who: str, known: Sequence[str]) -> str | None:
    """What there is, where no name is near what was written; None where that would be a page."""
    return f"{who} has {', '.join(dict.fromkeys(known))}" if 0 < len(known) < 24 else None


def _is_set(x: ir.X) -> bool:
    return isinstance(x.type, SetOf)
