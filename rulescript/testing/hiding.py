"""Views leak nothing: exchange two hidden things, or choose another hidden one, and a viewer must not notice.

The hard idea: a view is right if it is a function of what its viewer may know. So at a decision we take two
things (or pieces) of one kind that lie where the viewer may not look, exchange them, work the decision out
again, and compare what the viewer gets at every door (`doors`), letter by letter. That is the test of the *view*.

Then the same option (by its key) is taken in both worlds and the viewer's journal of that step is compared:
the test of the *stream*. It can only be made as long as nothing that was exchanged comes to light, and only
for things that could be exchanged without making a position that is impossible (they come from the same
home). A difference that names one of the two is a leak. Any other difference (somebody is asked in one world
and not in the other) may be what the rules want, for instance when a hidden hand decides a battle; it is told
as a note, not as a failure.

In the same way two *answers* are compared that the viewer may not tell apart, since they name hidden things or are
sealed. As long as answers are sealed there is nothing that the rules could want: then every difference is a leak.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from rulescript.bots.unseen import hand_on
from rulescript.errors import RulescriptError
from rulescript.game_data import KindInfo, StateInfo
from rulescript.machine.tables import BITS
from rulescript.runtime.events import Seen
from rulescript.runtime.journal import Journal
from rulescript.runtime.views import knows
from rulescript.story import LENGTHS, Storyteller, as_text
from rulescript.testing.run import Check, Run, bare

if TYPE_CHECKING:
    from rulescript.runtime.game import Game
    from rulescript.runtime.position import Decision, Position

__all__ = ["Swap", "Views", "copies_for", "doors", "swaps_for"]

STAGES = 4
# Two worlds differ in what lies hidden now: what was told long ago is the same in both.
TOLD = 12


@frozen
class Swap:
    """Two hidden things of one kind: slots they lie in, and their numbers (codes, for pieces)."""

    kind: str
    slots: tuple[int, int]
    items: tuple[int, int]
    is_pieces: bool
    plausible: bool

    def names(self, game: Game) -> tuple[str, str]:
        info = game.data.kinds[self.kind]
        one, two = (info.names[i % info.types if self.is_pieces else i] for i in self.items)
        return one, two

    def keys(self, game: Game) -> tuple[str, str]:
        """How keys of options name the first of the two, and what lies in its stead in the other world."""
        if not self.is_pieces:
            one, two = self.names(game)
            return f"={one}", f"={two}"
        types, place = game.data.kinds[self.kind].types, game.values.place_name(self.slots[0])
        here, there = self.items
        changed = here - here % types + there % types
        one, two = (game.values.piece_name(self.kind, code) for code in (here, changed))
        return f"={place}:{one}", f"={place}:{two}"

    def words(self, game: Game) -> set[str]:
        """What the two are called, in lower case."""
        info = game.data.kinds[self.kind]
        types = [i % info.types if self.is_pieces else i for i in self.items]
        names = [words[i] for i in types for words in (info.names, info.labels)]
        return {name.replace("_", " ").casefold() for name in names}

    def apply(self, game: Game, state: list[Any]) -> None:
        (a, b), (x, y) = self.slots, self.items
        info = game.data.kinds[self.kind]
        if self.is_pieces:
            # The types are exchanged; how each lies there stays as it is.
            types, unit = info.types, game.values.unit
            for slot, here, there in ((a, x, y), (b, y, x)):
                changed = here - here % types + there % types
                state[slot] += unit(self.kind, changed) - unit(self.kind, here)
            return
        exchanged = {x: y, y: x}
        for slot in {a, b}:
            if game.values.places[slot][0].is_ordered:
                state[slot] = tuple(exchanged.get(i, i) for i in state[slot])
            elif a != b:
                state[slot] ^= 1 << x | 1 << y
        state[info.loc + x], state[info.loc + y] = b, a
        hand_on(game, state, self.kind, (x, y), (y, x))
        for entry in game.data.states:
            if entry.kind == self.kind:
                _exchange_state(state, entry, x, y)


def _exchange_state(state: list[Any], entry: StateInfo, x: int, y: int) -> None:
    """What belongs to the place (lying face down) goes with the place, not with the thing."""
    slot = entry.slot
    if entry.mode == "mask":
        if (state[slot] >> x ^ state[slot] >> y) & 1:
            state[slot] ^= 1 << x | 1 << y
        return
    one, two = state[slot + x], state[slot + y]
    state[slot + x], state[slot + y] = two, one
    if entry.mode == "dual" and one != two:
        for value in (one, two):
            state[entry.masks + value] ^= 1 << x | 1 << y


def swaps_for(game: Game, state: list[Any], viewer: int) -> Iterator[Swap]:
    """Pairs of things that a viewer may not see: neighbours in the order of the places, so that they are
    few."""
    hidden: dict[str, list[tuple[int, int]]] = {}
    for slot, (holds, _) in game.values.places.items():
        kind = holds.kind
        found = hidden.setdefault(kind, [])
        if game.data.kinds[kind].is_pieces:
            found += [
                (slot, code)
                for code, _ in game.values.pile(kind, state[slot])
                if not knows(game, state, kind, slot << game.values.shift | code, (viewer,))
            ]
        else:
            items = state[slot] if holds.is_ordered else BITS[state[slot]]
            found += [(slot, i) for i in items if not knows(game, state, kind, i, (viewer,))]
    for kind, items in hidden.items():
        info = game.data.kinds[kind]
        homes = info.homes
        for (a, x), (b, y) in zip(items, items[1:] + items[:1], strict=True):
            if x == y or (info.is_pieces and x % info.types == y % info.types):
                continue
            ordered = game.values.places[a][0].is_ordered
            if a == b and (info.is_pieces or not ordered):
                continue
            one, two = (x % info.types, y % info.types) if info.is_pieces else (x, y)
            plausible = a == b or bool(homes and homes[one] == homes[two])
            if not plausible and kind in game.code["HIDE"]:
                # Who knows a face-down thing may hang on the thing itself: a stranger there tells nothing.
                continue
            yield Swap(kind, (a, b), (x, y), info.is_pieces, plausible)


def copies_for(game: Game, state: list[Any], viewer: int) -> Iterator[Swap]:
    """Pairs of copies of one thing, at least one of which the viewer sees lie. Nobody can tell copies apart, so they
    can be exchanged unnoticed: what was played, taken back and shuffled is not known again by its number."""
    for kind, info in game.data.kinds.items():
        if info.is_pieces or info.loc < 0:
            continue
        groups: dict[str, list[int]] = {}
        for i, name in enumerate(info.names):
            if info.shown[i] != name and state[info.loc + i] >= 0:
                groups.setdefault(info.shown[i], []).append(i)
        for alike in groups.values():
            for x, y in zip(alike, alike[1:], strict=False):
                if any(knows(game, state, kind, i, (viewer,)) for i in (x, y)):
                    yield Swap(kind, (state[info.loc + x], state[info.loc + y]), (x, y), False, False)


def _renamed(game: Game, state: list[Any], swap: Swap) -> bool:
    """Exchange two copies in all that a state has of them. False where something names them that cannot be gone
    through."""
    swap.apply(game, state)
    exchanged = dict(zip(swap.items, reversed(swap.items), strict=True))
    for entry in game.data.states:
        match entry.type:
            case ["thing", swap.kind] | ["maybe", ["thing", swap.kind]]:
                if entry.mode not in ("one", "each"):
                    return False
                many = len(game.data.kinds[entry.kind].names) if entry.mode == "each" else 1
                for slot in range(entry.slot, entry.slot + many):
                    state[slot] = exchanged.get(state[slot], state[slot])
            case ["set" | "list" | "maybe", inner] if swap.kind in str(inner):
                return False
    return True


def _is_picking(game: Game, position: Position, kind: str) -> bool:
    """Whether the question names things of a kind that were picked, or that can be picked: those lists would have to be
    exchanged too."""
    info = game.data.decisions[position.d]
    named = [type_ for _, _, type_ in info.previous] + [alt.many for alt in info.alts]
    return any(kind in str(type_) for type_ in named)


def _swapped(position: Position, swap: Swap) -> Position | None:
    """The same position with two hidden things exchanged; None if the rules cannot go on from there."""
    other = bare(position)
    swap.apply(other.game, other.s)
    block = other.s[0]
    try:
        other.run(other.game.code["B"][block])
    except RulescriptError:
        return None
    other.j = []
    return other


def doors(
    position: Position,
    who: str,
    probes: Iterable[str] = (),
    asked: Iterable[str] = (),
    is_looked_at: bool = True,
    last: int | None = None,
) -> dict[str, Any]:
    """All that a seat can get hold of, wherever it asks, in the order it gets it: `probes` are lines it tries and asks
    about, `asked` expressions it wants explained; of the journal, what was told of the `last` decisions. Without
    `is_looked_at`, only what it asks."""
    view = position.view(who)
    decision = position.decision
    mine = decision is not None and decision.player == who
    out: dict[str, Any] = {}
    if is_looked_at:
        told = list(view.journal.since(-1 if last is None or position.steps <= last else position.steps - last))
        out = {
            "view": json.dumps(view.to_dict()),
            "journal": [json.dumps(event) for event in told],
            "story": [as_text(Storyteller(position.game.data, length).lines(told)) for length in LENGTHS],
            "options": [(option.key, option.text, option.label, option.flagged) for option in view.options],
            "taking back": who in position.game.player_names and position.can_undo(who),
        }
    for line in probes:
        out[f"why not {line}"] = _said(lambda line=line: str(view.why_not(line)))  # type: ignore[misc]
        if mine:
            out[f"choose {line}"] = _said(lambda line=line: str(bare(position).choose(line) and "taken"))  # type: ignore[misc]
    for text in asked:
        out[f"explain {text}"] = _said(lambda text=text: view.explain(text).to_json())  # type: ignore[misc]
    return out


def _said(ask: Callable[[], str]) -> str:
    """What comes of asking, be it an error."""
    try:
        return ask()
    except RulescriptError as problem:
        return f"{type(problem).__name__}: {problem}"


def questions(game: Game, swap: Swap, decision: Any) -> tuple[list[str], list[str]]:
    """What a viewer might ask to find out which of two things lies where: lines to try, and expressions."""
    info = game.data.kinds[swap.kind]
    places = sorted({game.values.place_name(slot) for slot in swap.slots})
    names = swap.names(game)
    said = [f"{place}:{name}" for place in places for name in names] if swap.is_pieces else list(names)
    lines = [name.replace("_", " ") for name in names]
    is_asked = decision is not None and not decision.is_chance
    for alt in game.data.decisions[decision.block].alts if is_asked else ():
        if alt.vars:
            lines += [f"{alt.label} {alt.vars[0]}={name}" for name in said]
    asked = [text for place in places for text in (place, f"count({place})", f"some {place}")]
    if not swap.is_pieces:
        asked += [text for name in names for text in (f"{name}.place", *(f"{name} in {place}" for place in places))]
        states = [e.name for e in game.data.states if e.kind == swap.kind and not e.is_hidden]
        asked += [f"{name}.{state}" for name in names for state in states[:2]]
        bools = [e.name for e in game.data.states if e.kind == swap.kind and e.type == ["bool"]]
        asked += [f"{swap.kind}[{state}]" for state in bools[:2]]
    else:
        asked += [f"{place}[{a} == {v}]" for place in places for a, v in _facts(game, info, swap)]
    return lines, asked


def _facts(game: Game, info: KindInfo, swap: Swap) -> list[tuple[str, str]]:
    """What tells two types of pieces apart, by their attributes."""
    one, two = (code % info.types for code in swap.items)
    return [
        (name, game.values.name(info.attrs[name][one], type_))
        for name, type_ in info.attr_types.items()
        if type_[0] == "thing" and info.attrs[name][one] != info.attrs[name][two]
    ]


class Views(Check):
    name = "views"
    title = "views leak nothing: hidden things can be exchanged unnoticed"
    most = 3

    def __init__(self) -> None:
        self._peeking: set[tuple[str, str]] | None = None
        self._any_hidden: bool | None = None

    def decision(self, run: Run, decision: Decision) -> None:
        game = run.game
        if self._any_hidden is None:
            self._any_hidden = game.has_secrets
        if not self._any_hidden or not run.is_close:
            return
        # One viewer a step, all of them in turn.
        viewer = run.number % len(game.player_names)
        self._answers(run, decision, viewer)
        copies = list(copies_for(game, run.position.s, viewer))
        for swap in copies[run.number // 2 % (1 + len(copies) // self.most) :][: self.most]:
            self._try_copies(run, viewer, swap)
        swaps = list(swaps_for(game, run.position.s, viewer))
        if not swaps:
            return
        stride = 1 + (len(swaps) - 1) // self.most
        said = _view(run.position, game.player_names[viewer])
        for swap in swaps[run.number // 2 % stride :: stride]:
            self._try(run, decision, viewer, swap, said)

    def _try(self, run: Run, decision: Decision, viewer: int, swap: Swap, said: dict[str, Any]) -> None:
        position, game = run.position, run.game
        name = game.player_names[viewer]
        other = _swapped(position, swap)
        if other is None:
            return
        if other.d != position.d:
            # Who is asked depends on what is hidden.
            run.notes[f"{name} can tell from who is asked, at `{decision.procedure}.{decision.name}`"] += 1
            return
        run.counted[self.name] += 1
        one, two = swap.names(game)
        heard = _view(other, name)
        peeks = self._peeks(game, decision)
        if peeks:
            shown = [(view["decision"] or {}).pop("options", []) for view in (said, heard)]
            keys = [[option["key"] for option in options] for options in shown]
            if sorted(keys[0]) == sorted(keys[1]) and keys[0] != keys[1]:
                # Who may name what is there need not know how it lies there.
                self.fail(f"{name} can tell {one} from {two} in {_places(game, swap)} by the order of the options")
        if json.dumps(said) != json.dumps(heard):
            where = _difference(said, heard)
            self.fail(f"{name} can tell {one} from {two} in {_places(game, swap)} by the view: {where}")
        if run.is_rare and not peeks:
            self._ask_around(run, name, swap, (bare(position), other))
        if swap.plausible:
            self._stream(run, viewer, swap, other)

    def _try_copies(self, run: Run, viewer: int, swap: Swap) -> None:
        """Exchange two copies of one thing. Whoever decides has them in hand: there the keys of answers may differ."""
        game, who = run.game, run.game.player_names[viewer]
        here, other = bare(run.position), bare(run.position)
        if _is_picking(game, here, swap.kind) or not _renamed(game, other.s, swap):
            return
        try:
            other.run(game.code["B"][other.s[0]])
        except RulescriptError:
            return
        if here.d != other.d:
            return
        run.counted[self.name] += 1
        _, asked = questions(game, swap, here.decision)
        worlds = []
        for each in (here, other):
            view = _view(each, who)
            if view["decision"] and "options" in view["decision"]:
                view["decision"] = sorted(option["text"] for option in view["decision"]["options"])
            worlds.append({"view": view, **(doors(each, who, (), asked, is_looked_at=False) if run.is_rare else {})})
        if json.dumps(worlds[0]) != json.dumps(worlds[1]):
            one, two = swap.names(game)
            self.fail(f"{who} can tell the copies {one} and {two} apart: {_difference(worlds[0], worlds[1])}")

    def _ask_around(self, run: Run, who: str, swap: Swap, worlds: tuple[Position, Position]) -> None:
        """Ask at every door in two worlds that must look the same."""
        game = run.game
        here, there = (doors(each, who, *questions(game, swap, each.decision), last=TOLD) for each in worlds)
        run.counted[self.name] += len(here)
        for door, said in here.items():
            if there.get(door) != said:
                one, two = swap.names(game)
                where = _difference(said, there.get(door), door)
                self.fail(f"{who} can tell {one} from {two} in {_places(game, swap)} by the {where}")

    def _answers(self, run: Run, decision: Any, viewer: int) -> None:
        """Give two answers that another may not tell apart, in two worlds."""
        position, game = run.position, run.game
        if decision.player_index == viewer or position.seat_of(viewer) == decision.seat:
            return
        journal = Journal(position, viewer)
        options = decision.options
        if not decision.sealed:
            options = [o for o in options if journal._secret_answer(decision.block, o.raw, position.s)]
        if len(options) < 2:
            return
        one = options[run.number % len(options)]
        alike = [o for o in options if o.key != one.key and (decision.sealed or o.label == one.label)]
        if not alike:
            return
        two = alike[run.number // 2 % len(alike)]
        here, other = bare(position), bare(position)
        try:
            here.choose(one)
            other.choose(two)
        except RulescriptError:
            return
        run.counted[self.name] += 1
        swap = _swap_of(game, position, decision, viewer, one, two)
        if all(Journal(each)._opened() < each.steps for each in (here, other)):
            self._sealed(run, viewer, (here, other), (one.key, two.key))
        elif swap is not None and here.d == other.d:
            self._hidden(run, viewer, swap, (here, other), one.key)

    def _sealed(self, run: Run, viewer: int, worlds: tuple[Position, Position], keys: tuple[str, str]) -> None:
        who = run.game.player_names[viewer]
        asked = [name for name, _, _ in run.game.data.decisions[worlds[0].d].previous]
        if worlds[0].d != worlds[1].d:
            # One answer is whole and the other is not: who is asked next tells no more than that.
            return
        here, there = (doors(each, who, keys, asked, last=TOLD) for each in worlds)
        for door, said in here.items():
            if there.get(door) != said:
                where = _difference(said, there.get(door), door)
                self.fail(f"{who} can tell the sealed answers `{keys[0]}` and `{keys[1]}` apart: {where}")

    def _hidden(self, run: Run, viewer: int, swap: Swap, worlds: tuple[Position, Position], key: str) -> None:
        game, who = run.game, run.game.player_names[viewer]
        here, other = worlds
        if any(_was_shown(game, each, viewer, swap) for each in worlds):
            return
        if not self._same(game, here, other, viewer, swap, key):
            decision: Any = run.position.decision
            run.notes[f"what {who} sees after `{decision.procedure}.{decision.name}` depends on something hidden"] += 1
        elif run.is_rare and not self._peeks(game, here.decision):
            self._ask_around(run, who, swap, worlds)

    def _stream(self, run: Run, viewer: int, swap: Swap, other: Position) -> None:
        """Take the same option in both worlds and compare what the viewer is told of it."""
        position, game = run.position, run.game
        here = bare(position)
        asked: Any = here.decision
        asked_there: Any = other.decision
        options = {o.key: o for o in asked_there.options} if asked_there is not None else {}
        mine = asked.options if asked is not None else []
        names = swap.names(game)
        # What another does with one of the two in this world, he does with the other one in the other world.
        own, theirs = swap.keys(game)
        option = next((o for o in mine if own in o.key and o.key.replace(own, theirs) in options), None)
        is_about_it = option is not None and asked.player_index != viewer
        if option is None or not is_about_it:
            option = next((o for o in mine[run.number % max(1, len(mine)) :] if o.key in options), None)
            if option is None or any(n in option.key for n in names):
                return
        try:
            here.choose(option)
            other.choose(options[option.key.replace(own, theirs) if is_about_it else option.key])
        except RulescriptError:
            return
        decision: Any = position.decision
        self._takes_back(game, here, other, viewer, swap, option.key)
        for _ in range(STAGES):
            lights = _was_shown if is_about_it else self._came_to_light
            if lights(game, here, viewer, swap) or lights(game, other, viewer, swap):
                return
            run.counted[self.name] += 1
            if not self._same(game, here, other, viewer, swap, option.key):
                who = game.player_names[viewer]
                asked_in = f"{decision.procedure}.{decision.name}"
                run.notes[f"what {who} sees after `{asked_in}` depends on something hidden"] += 1
                return
            # Now and then both worlds are played on: what was hidden may be worked out before it is told.
            key = _next_stage(here, other, decision) if is_about_it else None
            if run.is_rare and key is None:
                key = _next_answer(here, other, names)
            if key is None:
                return
            try:
                here.choose(key)
                other.choose(key)
            except RulescriptError:
                return

    def _takes_back(self, game: Game, here: Position, other: Position, viewer: int, swap: Swap, key: str) -> None:
        """Where a step looks the same in both worlds, it can be taken back in both or in neither."""
        who = game.player_names[viewer]
        if here.can_undo(who) == other.can_undo(who) or _told_last(here, who) != _told_last(other, who):
            return
        if json.dumps(_view(here, who)) == json.dumps(_view(other, who)):
            one, two = swap.names(game)
            self.fail(f"{who} can tell {one} from {two} in {_places(game, swap)} by whether `{key}` can be taken back")

    def _same(self, game: Game, here: Position, other: Position, viewer: int, swap: Swap, key: str) -> bool:
        """Whether the viewer is told and shown the same in both worlds; names must not tell the two apart."""
        who = game.player_names[viewer]
        said, heard = _told_last(here, who), _told_last(other, who)
        if said == heard:
            return json.dumps(_view(here, who)) == json.dumps(_view(other, who))
        names, words = swap.names(game), swap.words(game)
        one, two = next((a, b) for a, b in zip([*said, ""], [*heard, ""], strict=False) if a != b)
        # Of the same answer others are told the same, whatever its words say to who gave it.
        answers = [_answer_last(each, who) for each in (here, other)]
        is_worded = answers[0] is not None and answers[1] is not None and answers[0][0] == answers[1][0]
        if (is_worded and answers[0] != answers[1]) or any(w in one.casefold() or w in two.casefold() for w in words):
            self.fail(
                f"{who} can tell {names[0]} from {names[1]} in {_places(game, swap)} "
                f"by the journal after `{key}`: {one!r} or {two!r}"
            )
        return False

    def _came_to_light(self, game: Game, position: Position, viewer: int, swap: Swap) -> bool:
        """Whether something that was exchanged has moved: what follows may then rightly differ."""
        state = position.s
        (a, b), (x, y) = swap.slots, swap.items
        both = [a << game.values.shift | x, b << game.values.shift | y] if swap.is_pieces else [x, y]
        if any(knows(game, state, swap.kind, each, (viewer,)) for each in both):
            return True
        tip = position._tip
        if tip is None:
            return False
        old = tip.state
        if swap.is_pieces:
            return bool(state[a] != old[a] or state[b] != old[b])
        loc = game.data.kinds[swap.kind].loc
        if any(state[loc + i] != old[loc + i] for i in (x, y)):
            return True
        return any(state[s] != old[s] for s in (a, b) if game.values.places[s][0].is_ordered)

    def _peeks(self, game: Game, decision: Any) -> bool:
        """Whether a choice says that it looks at what its chooser may not see."""
        if decision is None:
            return False
        if self._peeking is None:
            self._peeking = peeking(game)
        return (decision.procedure, decision.name) in self._peeking


def _next_stage(here: Position, other: Position, begun: Decision) -> str | None:
    """An answer to the rest of a choice that is asked in both worlds."""
    keys = []
    for position in (here, other):
        decision: Any = position.decision
        if decision is None or (decision.procedure, decision.name) != (begun.procedure, begun.name):
            return None
        if decision.stage <= begun.stage:
            return None
        keys.append([option.key for option in decision.options])
    return next((key for key in keys[0] if key in keys[1]), None)


def _next_answer(here: Position, other: Position, names: tuple[str, str]) -> str | None:
    """An answer to the same question in both worlds that names neither of the two things."""
    if here.d != other.d or here.is_over:
        return None
    one, two = ([option.key for option in each.decision.options] for each in (here, other))  # type: ignore[union-attr]
    return next((key for key in one if key in two and not any(name in key for name in names)), None)


def _was_shown(game: Game, position: Position, viewer: int, swap: Swap) -> bool:
    """Whether the last step showed the viewer one of two things, or one like it, at the time."""
    tip = position._tip
    info = game.data.kinds[swap.kind]
    wanted = {i % info.types if swap.is_pieces else i for i in swap.items}
    for event in tip.events if tip is not None else ():
        kind, _, _, _, extra = game.data.sites[event[0]]
        if kind == "reveal":
            return True
        seen = event[-1]
        if not isinstance(seen, Seen):
            continue
        told = [(item, known) for (named, item), (known, _) in seen.named.items() if named == swap.kind]
        if kind == "lot" and extra[0] == swap.kind:
            told += zip(event[1], seen, strict=True)
        elif kind in ("move", "draw", "set", "piece") and extra[0] == swap.kind:
            told += zip(event[1] if kind in ("move", "draw") else (event[1],), seen, strict=True)
        for item, known in told:
            which = (item & game.values.low) % info.types if swap.is_pieces else item
            if which in wanted and known >> viewer & 1:
                return True
    return False


_PEEKING: dict[str, set[tuple[str, str]]] = {}


def peeking(game: Game) -> set[tuple[str, str]]:
    """The choices (procedure, name) with a requirement that is marked `peeks`."""
    known = _PEEKING.get(game.rules_hash)
    if known is None:
        known = set()
        try:
            chooses = game.model.chooses
        except RulescriptError:
            chooses = []
        for procedure, choose in chooses:
            if any(clause.peeks for alt in choose.alts for clause in alt.clauses):
                known.add((procedure.name, choose.name))
        _PEEKING[game.rules_hash] = known
    return known


def _swap_of(game: Game, position: Position, decision: Any, viewer: int, one: Any, two: Any) -> Swap | None:
    """The two things that two answers name, if the viewer may know neither."""
    info = game.data.decisions[decision.block]
    (at, first), (other, second) = (info.split(option.raw) for option in (one, two))
    alt = info.alts[at]
    if at != other or not alt.types and alt.form != "many":
        return None
    type_ = alt.many[1] if alt.form == "many" else alt.types[info.stage if alt.form == "pick" else 0]
    if type_[0] not in ("thing", "piece"):
        return None
    if any(knows(game, position.s, type_[1], value, (viewer,)) for value in (first, second)):
        return None
    loc = game.data.kinds[type_[1]].loc
    is_pieces = type_[0] == "piece"
    if not is_pieces and loc < 0:
        return None  # things that lie nowhere are no secret in themselves
    shift, low = position.game.values.shift, position.game.values.low
    slots = (first >> shift, second >> shift) if is_pieces else (position.s[loc + first], position.s[loc + second])
    items = (first & low, second & low) if is_pieces else (first, second)
    return Swap(type_[1], slots, items, is_pieces, True)


def _view(position: Position, who: str) -> dict[str, Any]:
    """What a viewer gets, in the order it comes: that of a client would tell as much."""
    return position.view(who).to_dict()


def _told_last(position: Position, who: str) -> list[str]:
    """What a viewer is told of the last step. (The position is ours alone: its history is cut.)"""
    position._origin = evolve(position._origin, opening=())
    if position._tip is not None:
        position._tip.parent = None
    return [str(event["text"]) for event in position.view(who).journal]


def _answer_last(position: Position, who: str) -> tuple[str, str] | None:
    """The last answer as a viewer is told of it: its key and its words; None if it is the viewer's own."""
    last = next((event for event in position.view(who).journal if event["kind"] == "choice"), None)
    return (last["key"], last["text"]) if last is not None and last["player"] != who else None


def _places(game: Game, swap: Swap) -> str:
    a, b = (game.values.place_name(slot) for slot in swap.slots)
    return a if a == b else f"{a} and {b}"


def _difference(one: Any, two: Any, path: str = "") -> str:
    """Where two views differ, for a message."""
    if isinstance(one, dict) and isinstance(two, dict):
        for key in sorted({*one, *two}):
            if json.dumps(one.get(key)) != json.dumps(two.get(key)):
                return _difference(one.get(key), two.get(key), f"{path}.{key}" if path else str(key))
    return f"{path} is {one!r} or {two!r}"
