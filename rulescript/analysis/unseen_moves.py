"""Which names for pieces must be told of what is done to their pieces by other ways than through the name.

A name for a piece says in which place it stands and in which state it is. What is done through the name changes what it
says (`following.py`). But a piece may also go with a pile (`move a.units to b`), be picked anew under another name, be
drawn, or be altered by a rule that is called, that holds at once, or that may be followed at any time. As long as some
piece like it is left, the name means one of those; with the last of them it goes along. So where something of the sort
may be done to a name that is asked again later, play has to look. In a printed game that is hardly ever so: this module
finds where.

What may be done is told by regions: of which kind, in which sort of place (None: any), of which types (None: all).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from attrs import Factory, evolve, frozen

from rulescript.analysis.following import Following, ends_states
from rulescript.circles import circles
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import Effects, Key, called, state_key
from rulescript.model.traverse import bound_by, children, conjuncts, inner_blocks, own_expressions, statements_in
from rulescript.model.types import BOOL, ListOf, Maybe, PieceOf, Pile, Type, kind_carried

__all__ = ["Touched", "UnseenMoves", "asks_for"]

# Of more regions than so many of one kind only the kind is remembered.
_MOST_REGIONS = 24


@frozen
class _Fact:
    """An attribute of pieces is, or is not, what an expression gives: `value` says which, as a path along fixed
    attributes from a state or a name."""

    attr: str
    is_so: bool
    value: tuple[str, ...]
    root: m.State | ir.Var

    def denies(self, other: _Fact) -> bool:
        """Whether no piece can have both."""
        if self.attr != other.attr or self.root is not other.root:
            return False
        if self.value == other.value:
            return self.is_so != other.is_so
        # `active` and `active.enemy`: the path of the longer one ends in an attribute that nobody has for itself.
        long, short = sorted((self.value, other.value), key=len, reverse=True)
        return self.is_so and other.is_so and long[:-1] == short and long[-1].startswith("other ")


@frozen
class _Region:
    """Pieces of a kind: where they may stand, and of which types they may be (a mask); and what an attribute of them
    is, or is not, that is worked out in play (`side == active`)."""

    kind: str
    places: frozenset[int] | None = None
    types: int | None = None
    facts: frozenset[_Fact] = frozenset()

    def meets(self, other: _Region) -> bool:
        return (
            self.kind == other.kind
            and (self.places is None or other.places is None or bool(self.places & other.places))
            and (self.types is None or other.types is None or bool(self.types & other.types))
        )

    def joined(self, other: _Region) -> _Region:
        places = None if self.places is None or other.places is None else self.places | other.places
        types = None if self.types is None or other.types is None else self.types | other.types
        return _Region(self.kind, places, types, self.facts & other.facts)

    def narrowed(self, types: int | None) -> _Region:
        if types is None:
            return self
        return evolve(self, types=types if self.types is None else self.types & types)

    def with_facts(self, facts: Iterable[_Fact]) -> _Region:
        return evolve(self, facts=self.facts.union(facts))


@frozen
class _Deed:
    """Something done to pieces; `to`: the places where they come; `param`: through a parameter of its rule, by number;
    `through`: the name it is done through, by number."""

    region: _Region
    to: frozenset[int] = frozenset()
    param: int = -1
    through: int = -1


@frozen
class Touched:
    """The names that something may be done to without them: around a statement, and while something that may be done at
    any time is done where a choice is asked. `left` is the list that a loop goes through, `rounds` are the numbers of
    the names of such loops; `answers` are sealed choices, by the number of a name for what is picked in them. What the
    statements in `noted` do, and whatever else is done to pieces of the `kinds`, may be done to such a name."""

    around: dict[int, list[ir.Var]]
    beside: dict[int, list[ir.Var]]
    left: dict[int, ir.Var]
    noted: frozenset[int] = frozenset()
    kinds: frozenset[str] = frozenset()
    rounds: set[int] = Factory(set)
    answers: dict[int, ir.EachS] = Factory(dict)


class UnseenMoves:
    """What the rules of a game do to pieces without their names. `own_name` gives numbers to names of our own."""

    def __init__(self, game: m.Game, following: Following, procedures: Sequence[m.Procedure], own_name: int) -> None:
        self.game = game
        self.following = following
        self.procedures = procedures
        self._next_name = own_name
        self._deeds: dict[int, frozenset[_Deed]] = {}
        self._regions: dict[int, _Region] = {}
        self._names: dict[int, ir.Var] = {}
        self._aside_deeds: frozenset[_Deed] = frozenset()
        self._touched = Touched({}, {}, {})
        # What loops go through, by the loop; and the loops, by that name's number.
        self._left: dict[int, ir.Var] = {}
        self._rounds: dict[int, list[ir.ForS | ir.EachS]] = {}
        # What is picked in sealed choices, by the statement.
        self._answers: dict[int, list[ir.Var]] = {}
        self.effects = Effects(game)
        # What rules set: states, and names of their own.
        self._set: dict[int, tuple[frozenset[Key], set[int]]] = {}
        self._hooked: dict[str, int] = {}

    def touched(self) -> Touched:
        """The names that play has to look after."""
        if not any(kind.is_pieces for kind in self.game.kinds.values()):
            return self._touched
        for procedure in self.procedures:
            self._note_regions(procedure)
        for procedure in self.procedures:
            for statement in (s for block in procedure.blocks for s in statements_in(block)):
                if isinstance(statement, ir.ForS) and statement.var.state is not None:
                    self._hooked[statement.var.state.name] = self._hooked.get(statement.var.state.name, 0) + 1
        ordered = list(circles(self.procedures, _called_by))
        while True:
            before = dict(self._regions)
            for circle in ordered:
                self._note_deeds(circle.members)
            asides = [aside.procedure for aside in self.game.asides if aside.procedure is not None]
            self._aside_deeds = frozenset(evolve(d, param=-1) for p in asides for d in self._deeds.get(id(p), ()))
            for procedure in self.procedures:
                self._look_through(procedure)
            self._join_lists()
            if self._regions == before:
                break  # otherwise a name may have come to where something else is done to it
        watched = [*self._touched.around.values(), *self._touched.beside.values()]
        regions = {evolve(self._regions[var.ident], facts=frozenset()) for names in watched for var in names}
        kinds = frozenset(region.kind for region in regions)
        return evolve(self._touched, noted=self._noted(regions) if regions else frozenset(), kinds=kinds)

    def _noted(self, regions: Collection[_Region]) -> frozenset[int]:
        """The statements that do something themselves where names must keep up."""
        regions = frozenset(_Region(region.kind) for region in regions) if len(regions) > _MOST_REGIONS else regions
        hooks = [hook.block for hooks in self.game.loop_hooks.values() for hook in hooks]
        out: set[int] = set()
        for procedure in self.procedures:
            for block in (*procedure.blocks, *hooks):
                for statement in statements_in(block):
                    deeds = [deed.region for deed in self._own(procedure, statement)]
                    if any(deed.meets(region) for deed in deeds for region in regions):
                        out.add(id(statement))
        return frozenset(out)

    # -------------------------------------------------------------- where names may stand

    def _note_regions(self, procedure: m.Procedure) -> None:
        """Where the pieces of names may stand from when they are bound to the end of their rule."""
        for var in procedure.params:
            self._bind(var, None)
        statements = [s for block in procedure.blocks for s in statements_in(block)]
        for statement in statements:
            match statement:
                case ir.ChooseS(alts=alts):
                    for alt in alts:
                        for var, source in alt.bound:
                            self._bind(var, source, _certain(alt))
                case ir.ForS(var=var, source=source) | ir.EachS(var=var, source=source):
                    self._bind(var, source)
                    self._note_left(statement)
                case ir.LetS(var=var, value=value):
                    self._bind(var, value)
                case ir.DrawS(var=ir.Var() as var, to=to):
                    self._bind(var, to)
                case _:
                    for var in bound_by(statement):
                        self._bind(var, None)
        for statement in statements:
            match statement:
                case ir.MoveS(what=ir.Local(var=var), to=to) if var.ident in self._regions:
                    region = self._regions[var.ident]
                    there = _Region(region.kind, frozenset({id(to.holds)}), region.types)
                    self._regions[var.ident] = region.joined(there)
                case ir.AssignS(target=ir.Local(var=var), value=value) if var.ident in self._regions:
                    self._regions[var.ident] = self._regions[var.ident].joined(self._region(value))
                case ir.CallS(result=ir.Local(var=var)) if var.ident in self._regions:
                    self._regions[var.ident] = _Region(self._regions[var.ident].kind)
            for var in self.following.handed_names(statement):
                self._regions[var.ident] = evolve(self._regions[var.ident], places=None)

    def _note_answers(self, each: ir.EachS) -> None:
        """What all have picked in a sealed choice waits for its turn."""
        regions: dict[str, _Region] = {}
        for alt in (alt for s in each.block if isinstance(s, ir.ChooseS) for alt in s.alts):
            for var, source in alt.bound:
                self._bind(var, source, _certain(alt))
                region = self._regions.get(var.ident)
                if region is not None:
                    regions[region.kind] = region.joined(regions.get(region.kind, region))
        for region in regions.values():
            self._next_name += 1
            answers = ir.Var("answers", ListOf(PieceOf(region.kind)), "answers", self._next_name)
            self._answers.setdefault(id(each), []).append(answers)
            self._regions[answers.ident], self._names[answers.ident] = region, answers
            self._touched.answers[answers.ident] = each

    def _join_lists(self) -> None:
        """A list stands where the names of its rounds do."""
        for several, loops in self._rounds.items():
            for loop in loops:
                both = self._regions[several].joined(self._regions[loop.var.ident])
                self._regions[several] = self._regions[loop.var.ident] = both

    def _bind(self, var: ir.Var, source: ir.X | None, conditions: Iterable[ir.X] = ()) -> None:
        kind = _kept(var.type)
        if not kind:
            return
        region = self._region(source) if source is not None and kind_carried_by(source.type) == kind else _Region(kind)
        for condition in conditions:
            region = region.narrowed(self._types(kind, var, condition)).with_facts(self._facts(var, condition))
        self._regions[var.ident] = region
        self._names[var.ident] = var

    def _note_left(self, loop: ir.ForS | ir.EachS) -> None:
        """What a loop goes through is a list of pieces, too."""
        kind = _kept(loop.var.type)
        if isinstance(loop, ir.EachS) and loop.sealed:
            self._note_answers(loop)
            return
        if not kind:
            return
        if isinstance(loop.source, ir.Local):
            # The list itself: what a round makes of its piece goes into it, and the next round takes its piece from it.
            self._left[id(loop)] = loop.source.var
            self._rounds.setdefault(loop.source.var.ident, []).append(loop)
        else:
            self._next_name += 1
            left = ir.Var("left", ListOf(PieceOf(kind)), "left", self._next_name)
            self._left[id(loop)] = left
            self._rounds[left.ident] = [loop]
            self._bind(left, loop.source)

    def _region(self, x: ir.X) -> _Region:
        """Where pieces stand that an expression gives."""
        kind = kind_carried_by(x.type)
        match x:
            case ir.ContentsX(holds=holds):
                return _Region(kind, frozenset({id(holds)}))
            case ir.FilterX(source=source, var=var, condition=condition):
                found = self._region(source).narrowed(self._types(kind, var, condition))
                return found.with_facts(self._facts(var, condition))
            case ir.MostX(source=source):
                return self._region(source)
            case ir.SetOpX(operator="+", left=left, right=right) | ir.IfX(then=left, otherwise=right):
                if kind_carried_by(left.type) == kind_carried_by(right.type):
                    return self._region(left).joined(self._region(right))
            case ir.Local(var=var) if var.ident in self._regions:
                return self._regions[var.ident]
        return _Region(kind)

    def _types(self, kind: str, var: ir.Var, condition: ir.X) -> int | None:
        """The types of which a condition may hold; None if that cannot be told."""
        match condition:
            case ir.AndX(parts=parts):
                known = [types for part in parts if (types := self._types(kind, var, part)) is not None]
                out: int | None = known[0] if known else None
                for types in known[1:]:
                    out = types if out is None else out & types
                return out
            case ir.OrX(parts=parts):
                masks = [self._types(kind, var, part) for part in parts]
                return None if None in masks else sum_of_masks(types for types in masks if types is not None)
            case ir.AttrX(attr=attr, of=ir.Local(var=of)) if of is var and condition.type == BOOL:
                return _mask(bool(value) for value in attr.values)
            case ir.CompareX(operator=sign, left=left, right=right) if sign in ("==", "!="):
                for one, other in ((left, right), (right, left)):
                    match one, other:
                        case (
                            ir.AttrX(attr=attr, of=ir.Local(var=of)),
                            ir.ThingLit(index=wanted) | ir.Lit(value=wanted),
                        ) if of is var:
                            return _mask((m.plain(value) == wanted) == (sign == "==") for value in attr.values)
        return None

    def _facts(self, var: ir.Var, condition: ir.X) -> Iterator[_Fact]:
        """What a condition says of attributes that it compares with a state or a name."""
        for part in conjuncts(condition):
            if isinstance(part, ir.CompareX) and part.operator in ("==", "!="):
                for one, other in ((part.left, part.right), (part.right, part.left)):
                    match one:
                        case ir.AttrX(attr=attr, of=ir.Local(var=of)) if of is var:
                            path = self._path(other)
                            if path is not None and path[1] is not var:
                                yield _Fact(attr.name, part.operator == "==", *path)

    def _path(self, x: ir.X) -> tuple[tuple[str, ...], m.State | ir.Var] | None:
        match x:
            case ir.StateX(state=state, of=None):
                return (), state
            case ir.Local(var=var):
                return (), var
            case ir.AttrX(attr=attr, of=of):
                found = self._path(of)
                own = [m.plain(value) for value in attr.values]
                word = "other " if all(value != at for at, value in enumerate(own)) else ""
                return ((*found[0], word + attr.name), found[1]) if found is not None else None
        return None

    # -------------------------------------------------------------- what rules do

    def _note_deeds(self, rules: Sequence[m.Procedure]) -> None:
        """What rules that call each other do, themselves and in what they call."""
        for procedure in rules:
            self._deeds[id(procedure)] = frozenset()
        again = True
        while again:
            again = False
            for procedure in rules:
                found = {
                    evolve(deed, through=-1, region=evolve(deed.region, facts=frozenset()))
                    for block in procedure.blocks for statement in statements_in(block)
                    for deed in self._done_by(procedure, statement)
                }  # fmt: skip
                ended = [kind for kind in self.game.kinds.values() if ends_states(kind, procedure.name)]
                found |= {_Deed(_Region(kind.name)) for kind in ended}
                deeds = _fewer(found)
                if deeds != self._deeds[id(procedure)]:
                    self._deeds[id(procedure)] = deeds
                    again = len(rules) > 1 or procedure in _called_by(procedure)

    def _done_by(self, procedure: m.Procedure, statement: ir.S) -> Iterator[_Deed]:
        """What a statement does to pieces, itself and in the rules it calls."""
        yield from self._own(procedure, statement)
        if isinstance(statement, ir.CallS | ir.DoesS | ir.SignalS):
            for rule in called(statement):
                for deed in self._deeds.get(id(rule), ()):
                    if deed.param < 0:
                        yield deed
                        continue
                    arg = statement.args[deed.param]
                    given = self._region(arg) if kind_carried_by(arg.type) == deed.region.kind else deed.region
                    if isinstance(arg, ir.Local):
                        yield self._through(procedure, arg.var, given.narrowed(deed.region.types), deed.to)
                    else:
                        yield _Deed(evolve(given, places=None), deed.to)
        if isinstance(statement, ir.ForS) and statement.var.state is not None:
            for hook in self.game.loop_hooks.get(statement.var.state.name, []):
                for inner in statements_in(hook.block):
                    yield from (evolve(d, param=-1, through=-1) for d in self._done_by(procedure, inner))

    def _own(self, procedure: m.Procedure, statement: ir.S) -> Iterator[_Deed]:
        match statement:
            case ir.MoveS(what=ir.Local(var=var), to=to) if kind_carried(var.type):
                yield self._through(procedure, var, self._region_of(var), frozenset({id(to.holds)}))
            case ir.MoveS(what=what, to=to) if kind_carried_by(what.type):
                yield _Deed(self._region(what), frozenset({id(to.holds)}))
            case (
                ir.AssignS(target=ir.PieceStateX(of=ir.Local(var=var)))
                | ir.CallS(result=ir.PieceStateX(of=ir.Local(var=var)))
                | ir.DoesS(result=ir.PieceStateX(of=ir.Local(var=var)))
            ):
                yield self._through(procedure, var, self._region_of(var))
            case ir.DrawS(source=source, filter=wanted, to=to) if source.holds.kind.is_pieces:
                yield _Deed(self._region(source if wanted is None else wanted), frozenset({id(to.holds)}))
            case ir.PlaceS(kind=kind, types=types, to=to):
                homes = [home for index, _ in types if (home := kind.homes[index]) is not None]
                places = frozenset(id(home[0]) for home in homes)
                mask = sum_of_masks(1 << index for index, _ in types)
                yield _Deed(_Region(kind.name, places, mask), frozenset({id(to.holds)}))

    def _through(self, procedure: m.Procedure, var: ir.Var, region: _Region, to: frozenset[int] = frozenset()) -> _Deed:
        at = next((at for at, param in enumerate(procedure.params) if param is var), -1)
        return _Deed(region, to, at, var.ident)

    def _region_of(self, var: ir.Var) -> _Region:
        return self._regions.get(var.ident) or _Region(kind_carried(var.type))

    # -------------------------------------------------------------- where names are asked again

    def _look_through(self, procedure: m.Procedure) -> None:
        """Note for each statement the names that it may do something to without them, and that are asked later."""
        back = self.following.handed(procedure) if procedure.form != "aside" else ()
        after = {procedure.params[at].ident for at in back} & self._regions.keys()
        for hook in reversed(procedure.after):
            after = self._live(procedure, hook.block, after) | after
            after |= asks_for([hook.condition]) if hook.condition is not None else set()
        live = self._live(procedure, procedure.block, after)
        for hook in reversed(procedure.before):
            live |= self._live(procedure, hook.block, live)

    def _live(self, procedure: m.Procedure, block: ir.Block, after: set[int]) -> set[int]:
        """The names that are asked from the beginning of a block on, where `after` are those asked after it."""
        live = set(after)
        for statement in reversed(block):
            live.difference_update(var.ident for var in bound_by(statement))
            self._note(procedure, statement, live)
            for inner, then in list(self._inside(statement, set(live))):
                live |= self._live(procedure, inner, then)
            live |= asks_for(own_expressions(statement))
            if isinstance(statement, ir.TogetherS):
                for branch in statement.branches:
                    live.difference_update(var.ident for var in bound_by(branch))
                    live.difference_update(var.ident for var in self._answers.get(id(branch), ()))
            live.difference_update(var.ident for var in bound_by(statement))
            live.difference_update(var.ident for var in self._answers.get(id(statement), ()))
            left = self._left.get(id(statement))
            if left is not None and left.role == "left":
                live.discard(left.ident)
        return live

    def _inside(self, statement: ir.S, live: set[int]) -> Iterator[tuple[ir.Block, set[int]]]:
        """The blocks inside a statement, each with the names that are asked after it."""
        match statement:
            case (ir.ForS() | ir.EachS() | ir.RepeatS()) as loop:
                again = live | _asked_in(loop.block) | asks_for(own_expressions(loop))
                if not isinstance(loop, ir.RepeatS):
                    again.discard(loop.var.ident)
                    left = self._left.get(id(loop))
                    again |= {left.ident} if left is not None else set()
                    again.update(var.ident for var in self._answers.get(id(loop), ()))
                yield loop.block, again
                state = loop.var.state if isinstance(loop, ir.ForS) else None
                if state is not None:
                    hooks = self.game.loop_hooks.get(state.name, [])
                    for hook in hooks:
                        yield hook.block, again if self._hooked[state.name] == 1 else set()
            case ir.TogetherS(branches=branches):
                later = set(live)
                for branch in reversed(branches):
                    yield (branch,), set(later)
                    later.update(var.ident for var in self._answers.get(id(branch), ()))
                    if isinstance(branch, ir.ChooseS):
                        later |= {var.ident for alt in branch.alts for var, _ in alt.bound} & self._regions.keys()
            case _:
                for inner in inner_blocks(statement):
                    yield inner, live

    def _note(self, procedure: m.Procedure, statement: ir.S, live: set[int]) -> None:
        """The names that something may be done to in a statement that has no others inside it, or while it asks."""
        if isinstance(statement, ir.ChooseS):
            if self._aside_deeds and not (procedure.no_asides or procedure.form == "aside" or statement.sealed):
                asked = asks_for(own_expressions(statement)).union(*(_asked_in(alt.block) for alt in statement.alts))
                asked -= {var.ident for alt in statement.alts for var, _ in alt.bound}
                found = self._met(procedure, asked | live, self._aside_deeds)
                self._keep(self._touched.beside, statement, found)
            return
        if inner_blocks(statement):
            return
        handed = {var.ident for var in self.following.handed_names(statement)}
        found = self._met(procedure, live - handed, self._done_by(procedure, statement))
        self._keep(self._touched.around, statement, found)

    def _keep(self, into: dict[int, list[ir.Var]], statement: ir.S, found: list[ir.Var]) -> None:
        if found:
            into[id(statement)] = found
            for var in found:
                for loop in self._rounds.get(var.ident, ()):
                    self._touched.left[id(loop)] = var
                    self._touched.rounds.add(loop.var.ident)

    def _met(self, procedure: m.Procedure, names: set[int], deeds: Iterable[_Deed]) -> list[ir.Var]:
        names = names & self._regions.keys()
        if not names:
            return []
        found: set[int] = set()
        for deed in deeds:
            for ident in names - found - {deed.through}:
                region = self._regions[ident]
                if not region.meets(deed.region) or self._is_own_loop(ident, deed.through):
                    continue
                if not self._are_apart(procedure, region, deed.region):
                    found.add(ident)
                    if region.places is not None:
                        self._regions[ident] = evolve(region, places=region.places | deed.to)
        return [self._names[ident] for ident in sorted(found)]

    def _are_apart(self, procedure: m.Procedure, one: _Region, other: _Region) -> bool:
        """Whether no piece can be in both regions, for what they are told by is the same all through a rule."""
        denied = [(a, b) for a in one.facts for b in other.facts if a.denies(b)]
        if not denied:
            return False
        if id(procedure) not in self._set:
            written = self.effects.writes(tuple(s for block in procedure.blocks for s in block))
            asides = [aside.procedure for aside in self.game.asides if aside.procedure is not None]
            own = {id(s.target.var) for block in procedure.blocks for s in statements_in(block)
                   if isinstance(s, ir.AssignS) and isinstance(s.target, ir.Local)}  # fmt: skip
            self._set[id(procedure)] = (written.union(*(self.effects.writes(aside.block) for aside in asides)), own)
        written, own = self._set[id(procedure)]
        return any(
            state_key(a.root) not in written if isinstance(a.root, m.State) else id(a.root) not in own
            for a, _ in denied
        )

    def _is_own_loop(self, several: int, through: int) -> bool:
        """Whether something is done through the name of a loop, and a list is what the loop goes through: it takes over
        what becomes of its piece."""
        return any(loop.var.ident == through for loop in self._rounds.get(several, ()))


def asks_for(asked: Iterable[ir.X]) -> set[int]:
    """The names of which expressions ask more than fixed facts."""
    found: set[int] = set()
    waiting = list(asked)
    while waiting:
        x = waiting.pop()
        match x:
            case ir.Local(var=var):
                found.add(var.ident)
            case ir.AttrX(of=ir.Local()):
                pass
            case _:
                waiting += children(x)
    return found


def _certain(alt: ir.Alt) -> list[ir.X]:
    """What is so of whatever is picked."""
    return [clause.condition for clause in alt.clauses if clause.when is None and not clause.lifted]


def _asked_in(block: ir.Block) -> set[int]:
    """The names that a block asks for and does not bind itself."""
    statements = statements_in(block)
    bound = {var.ident for statement in statements for var in bound_by(statement)}
    return asks_for(x for statement in statements for x in own_expressions(statement)) - bound


def kind_carried_by(type_: Type) -> str:
    """The kind of the pieces that an expression stands for, a pile included."""
    return type_.kind if isinstance(type_, Pile) else kind_carried(type_)


def sum_of_masks(masks: Iterable[int]) -> int:
    out = 0
    for mask in masks:
        out |= mask
    return out


def _mask(flags: Iterable[bool]) -> int:
    return sum(1 << at for at, flag in enumerate(flags) if flag)


def _kept(type_: Type) -> str:
    """The kind of the piece, or of the list of pieces, that a name stands for."""
    match type_:
        case PieceOf(kind) | Maybe(PieceOf(kind)) | ListOf(PieceOf(kind)):
            return kind
    return ""


def _fewer(deeds: set[_Deed]) -> frozenset[_Deed]:
    """The same, said less exactly where it is too much."""
    if len(deeds) <= _MOST_REGIONS:
        return frozenset(deeds)
    found: dict[tuple[str, int], frozenset[int]] = {}
    for deed in deeds:
        key = (deed.region.kind, deed.param)
        found[key] = found.get(key, frozenset()) | deed.to
    return frozenset(_Deed(_Region(kind), to, param) for (kind, param), to in found.items())


def _called_by(procedure: m.Procedure) -> list[m.Procedure]:
    return [each for block in procedure.blocks for s in statements_in(block) for each in called(s)]
