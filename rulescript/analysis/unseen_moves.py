"""Which names for pieces must be told of what is done to their pieces by other ways than through the name.

A name for a piece says in which place it stands and in which state it is. What is done through the name changes what it
says (`following.py`). But a piece may also go with a pile (`move a.units to b`), be picked anew under another name, be
drawn, or be altered by a rule that is called, that holds at once, or that may be followed at any time. As long as some
piece like it is left, the name means one of those; with the last of them it goes along. So where something of the sort
may be done to a name that is asked again later, play has to look. In a printed game that is hardly ever so: this module
finds where.

What may be done is told by regions (`piece_regions.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from attrs import Factory, evolve, frozen

from rulescript.analysis.following import Following, ends_states
from rulescript.analysis.piece_regions import Region, Regions, kept_kind, kind_carried_by, mask_of_types
from rulescript.analysis.scope import first_line
from rulescript.circles import circles
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.effects import Effects, Key, called, state_key
from rulescript.model.traverse import bound_by, children, inner_blocks, own_expressions, statements_in
from rulescript.model.types import VOID, ListOf, PieceOf, kind_carried
from rulescript.source import Span

__all__ = ["MOST_KEPT", "TooManyNames", "Touched", "UnseenMoves", "asks_for"]

# Of more regions than so many of one kind only the kind is remembered.
_MOST_REGIONS = 24
# How often a name may have to be told of a statement, in all rules together, and how often that may be looked at. (In
# the printed games it is eleven times and a hundred.)
MOST_KEPT = 100_000
_MOST_LOOKS = 2_000_000


class TooManyNames(Exception):
    """There are too many names for pieces while too much is done to pieces; `span` is where it became too much."""

    def __init__(self, span: Span) -> None:
        super().__init__("too many names for pieces")
        self.span = span


@frozen
class _Deed:
    """Something done to pieces; `to`: the places where they come; `param`: through a parameter of its rule, by number;
    `through`: the name it is done through, by number."""

    region: Region
    to: frozenset[int] = frozenset()
    param: int = -1
    through: int = -1


@frozen
class Touched:
    """The names that something may be done to without them: around a statement, and while something that may be done at
    any time is done where a choice is asked. `left` is the list that a loop goes through, `rounds` are the numbers of
    the names of such loops; `ends` and `hooks` are those at the end of a round, and around it; `answers`
    are sealed choices, by the number of a name for what is picked in them. What the statements in `noted` do, and
    whatever else is done to pieces of the `kinds`, may be done to such a name. `members` are the parameters, by number,
    that may be a member of a list that must keep up meanwhile."""

    around: dict[int, list[ir.Var]]
    beside: dict[int, list[ir.Var]]
    left: dict[int, ir.Var]
    noted: frozenset[int] = frozenset()
    kinds: frozenset[str] = frozenset()
    rounds: set[int] = Factory(set)
    ends: dict[int, list[ir.Var]] = Factory(dict)
    hooks: dict[int, list[ir.Var]] = Factory(dict)
    answers: dict[int, ir.EachS] = Factory(dict)
    members: frozenset[int] = frozenset()


class UnseenMoves:
    """What the rules of a game do to pieces without their names. `own_name` gives numbers to names of our own."""

    def __init__(self, game: m.Game, following: Following, procedures: Sequence[m.Procedure], own_name: int) -> None:
        self.game = game
        self.following = following
        # What comes before and after the rounds of loops over states has names of its own.
        hooks = [hook for hooks in game.loop_hooks.values() for hook in hooks]
        around = [m.Procedure("", "hook", (), VOID, hook.cites, hook.span, block=hook.block) for hook in hooks]
        self.procedures = [*procedures, *around]
        self._next_name = own_name
        self._deeds: dict[int, frozenset[_Deed]] = {}
        self.regions = Regions()
        self._aside_deeds: frozenset[_Deed] = frozenset()
        self._touched = Touched({}, {}, {})
        # What loops go through, by the loop; and the loops, by that name's number.
        self._left: dict[int, ir.Var] = {}
        self._rounds: dict[int, list[ir.ForS | ir.EachS]] = {}
        # What is picked in sealed choices, by the statement.
        self._answers: dict[int, list[ir.Var]] = {}
        self.effects = Effects(game)
        # How many names must be told of how many statements, and how often that was looked at.
        self._kept = self._looks = 0
        # What rules set: states, and names of their own.
        self._set: dict[int, tuple[frozenset[Key], set[int]]] = {}

    def touched(self) -> Touched:
        """The names that play has to look after."""
        if not any(kind.is_pieces for kind in self.game.kinds.values()):
            return self._touched
        for procedure in self.procedures:
            self._note_regions(procedure)
        asides = [aside.procedure for aside in self.game.asides if aside.procedure is not None]
        ordered = list(circles(self.procedures, _called_by))
        while True:
            before, before_asides = dict(self.regions.of), self._aside_deeds
            for circle in ordered:
                self._note_deeds(circle.members)
            self._kept = 0
            self._aside_deeds = frozenset(evolve(d, param=-1) for p in asides for d in self._deeds.get(id(p), ()))
            for procedure in self.procedures:
                self._look_through(procedure)
            self._join_lists()
            if self.regions.of == before and self._aside_deeds == before_asides:
                break  # otherwise a name may have come to where something else is done to it
        touched = self._touched
        watched = [names for found in (touched.around, touched.beside, touched.ends, touched.hooks)
                   for names in found.values()]  # fmt: skip
        regions = {evolve(self.regions.of[var.ident], facts=frozenset()) for names in watched for var in names}
        kinds = frozenset(region.kind for region in regions)
        return evolve(
            touched, noted=self._noted(regions) if regions else frozenset(), kinds=kinds, members=self._members()
        )

    def _members(self) -> frozenset[int]:
        """The parameters that may be a member of a list that must keep up while the rule is followed: a loop hands the
        name of its round, and a rule hands on what it was handed."""
        calls = [
            (statement, handed)
            for procedure in self.procedures
            for block in procedure.blocks
            for statement in statements_in(block)
            if (handed := {var.ident for var in self.following.handed_names(statement)})
        ]
        found: set[int] = set()
        before: set[int] | None = None
        while before != found:
            before = set(found)
            for statement, handed in calls:
                lists = (self._rounds.get(var.ident, ()) for var in self._touched.around.get(id(statement), ()))
                names = handed & (found | {loop.var.ident for loops in lists for loop in loops})
                if names:
                    assert isinstance(statement, ir.CallS | ir.DoesS | ir.SignalS)
                    at = [
                        k
                        for k, arg in enumerate(statement.args)
                        if isinstance(arg, ir.Local) and arg.var.ident in names
                    ]
                    found.update(rule.params[k].ident for rule in called(statement) for k in at)
        return frozenset(found)

    def _noted(self, regions: Collection[Region]) -> frozenset[int]:
        """The statements that do something themselves where names must keep up."""
        regions = frozenset(Region(region.kind) for region in regions) if len(regions) > _MOST_REGIONS else regions
        out: set[int] = set()
        for procedure in self.procedures:
            for block in procedure.blocks:
                for statement in statements_in(block):
                    deeds = [deed.region for deed in self._own(procedure, statement)]
                    if any(deed.meets(region) for deed in deeds for region in regions):
                        out.add(id(statement))
        return frozenset(out)

    # -------------------------------------------------------------- where names may stand

    def _note_regions(self, procedure: m.Procedure) -> None:
        """Where the pieces of names may stand from when they are bound to the end of their rule."""
        for var in procedure.params:
            self.regions.bind(var, None)
        statements = [s for block in procedure.blocks for s in statements_in(block)]
        for statement in statements:
            match statement:
                case ir.ChooseS(alts=alts):
                    for alt in alts:
                        self.regions.bind_picks(alt)
                case ir.ForS(var=var, source=source) | ir.EachS(var=var, source=source):
                    self.regions.bind(var, source)
                    self._note_left(statement)
                case ir.LetS(var=var, value=value):
                    self.regions.bind(var, value)
                case ir.DrawS(var=ir.Var() as var, to=to):
                    self.regions.bind(var, to)
                case _:
                    for var in bound_by(statement):
                        self.regions.bind(var, None)
        for statement in statements:
            match statement:
                case ir.MoveS(what=ir.Local(var=var), to=to) if var.ident in self.regions.of:
                    self.regions.come_to(var.ident, frozenset({id(to.holds)}))
                case ir.AssignS(target=ir.Local(var=var), value=value) if var.ident in self.regions.of:
                    self.regions.of[var.ident] = self.regions.of[var.ident].joined(self.regions.of_value(value))
                case ir.CallS(result=ir.Local(var=var)) if var.ident in self.regions.of:
                    self.regions.of[var.ident] = Region(self.regions.of[var.ident].kind)
            for var in self.following.handed_names(statement):
                self.regions.come_to(var.ident, None)

    def _note_answers(self, each: ir.EachS) -> None:
        """What all have picked in a sealed choice waits for its turn."""
        found: dict[str, Region] = {}
        for alt in (alt for s in each.block if isinstance(s, ir.ChooseS) for alt in s.alts):
            self.regions.bind_picks(alt)
            for var, _ in alt.bound:
                if var.ident in self.regions.of:
                    # What is so of each is worked out for another player.
                    region = evolve(self.regions.of[var.ident], facts=frozenset())
                    found[region.kind] = region.joined(found.get(region.kind, region))
        for region in found.values():
            answers = self._own_name("answers", region.kind)
            self._answers.setdefault(id(each), []).append(answers)
            self.regions.add(answers, region)
            self._touched.answers[answers.ident] = each

    def _own_name(self, role: str, kind: str) -> ir.Var:
        self._next_name += 1
        return ir.Var(role, ListOf(PieceOf(kind)), role, self._next_name)

    def _join_lists(self) -> None:
        """A list stands where the names of its rounds do."""
        for several, loops in self._rounds.items():
            for loop in loops:
                self.regions.join(several, loop.var.ident)

    def _note_left(self, loop: ir.ForS | ir.EachS) -> None:
        """What a loop goes through is a list of pieces, too."""
        kind = kept_kind(loop.var.type)
        if isinstance(loop, ir.EachS) and loop.sealed:
            self._note_answers(loop)
            return
        if not kind:
            return
        if isinstance(loop.source, ir.Local) and loop.source.var.ident in self.regions.of:
            # The list itself: what a round makes of its piece goes into it, and the next round takes its piece from it.
            self._left[id(loop)] = loop.source.var
            self._rounds.setdefault(loop.source.var.ident, []).append(loop)
        else:
            left = self._own_name("left", kind)
            self._left[id(loop)] = left
            self._rounds[left.ident] = [loop]
            self.regions.bind(left, loop.source)

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
                found.update(self._ended(procedure.name))
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
                    given = self.regions.of_value(arg) if kind_carried_by(arg.type) == deed.region.kind else deed.region
                    if isinstance(arg, ir.Local):
                        yield self._through(procedure, arg.var, given.narrowed(deed.region.types), deed.to)
                    else:
                        yield _Deed(evolve(given, places=None), deed.to)
        elif isinstance(statement, ir.ChooseS):
            if self._offers_asides(procedure, statement):
                yield from self._aside_deeds
        elif isinstance(statement, ir.ForS) and statement.var.state is not None:
            yield from self._ended(statement.var.state.name)
            yield from self._done_around(procedure, statement.var.state)

    def _ended(self, scope: str) -> list[_Deed]:
        """States of pieces that are put back when something ends."""
        return [_Deed(Region(kind.name)) for kind in self.game.kinds.values() if ends_states(kind, scope)]

    def _done_around(self, procedure: m.Procedure, state: m.State) -> Iterator[_Deed]:
        """What comes before and after the rounds of a loop over a state."""
        for hook in self.game.loop_hooks.get(state.name, []):
            for inner in statements_in(hook.block):
                yield from (evolve(d, param=-1, through=-1) for d in self._done_by(procedure, inner))

    @staticmethod
    def _offers_asides(procedure: m.Procedure, choose: ir.ChooseS) -> bool:
        return not (procedure.no_asides or procedure.form == "aside" or choose.sealed)

    def _own(self, procedure: m.Procedure, statement: ir.S) -> Iterator[_Deed]:
        match statement:
            case ir.MoveS(what=ir.Local(var=var), to=to) if kind_carried(var.type):
                yield self._through(procedure, var, self.regions.of_name(var), frozenset({id(to.holds)}))
            case ir.MoveS(what=what, to=to) if kind_carried_by(what.type):
                yield _Deed(self.regions.of_value(what), frozenset({id(to.holds)}))
            case (
                ir.AssignS(target=ir.PieceStateX(of=ir.Local(var=var)))
                | ir.CallS(result=ir.PieceStateX(of=ir.Local(var=var)))
                | ir.DoesS(result=ir.PieceStateX(of=ir.Local(var=var)))
            ):
                yield self._through(procedure, var, self.regions.of_name(var))
            case ir.DrawS(source=source, filter=wanted, to=to) if source.holds.kind.is_pieces:
                yield _Deed(self.regions.of_value(source if wanted is None else wanted), frozenset({id(to.holds)}))
            case ir.PlaceS(kind=kind, types=types, to=to):
                homes = [home for index, _ in types if (home := kind.homes[index]) is not None]
                places = frozenset(id(home[0]) for home in homes)
                mask = mask_of_types(1 << index for index, _ in types)
                yield _Deed(Region(kind.name, places, mask), frozenset({id(to.holds)}))

    def _through(self, procedure: m.Procedure, var: ir.Var, region: Region, to: frozenset[int] = frozenset()) -> _Deed:
        at = next((at for at, param in enumerate(procedure.params) if param is var), -1)
        return _Deed(region, to, at, var.ident)

    # -------------------------------------------------------------- where names are asked again

    def _look_through(self, procedure: m.Procedure) -> None:
        """Note for each statement the names that it may do something to without them, and that are asked later."""
        back = self.following.handed(procedure) if procedure.form != "aside" else ()
        after = {procedure.params[at].ident for at in back} & self.regions.of.keys()
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
            for inner, then in list(self._inside(procedure, statement, set(live))):
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

    def _inside(self, procedure: m.Procedure, statement: ir.S, live: set[int]) -> Iterator[tuple[ir.Block, set[int]]]:
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
                    self._keep(self._touched.ends, loop, self._met(procedure, again, self._ended(state.name)))
                    around = self._done_around(procedure, state)
                    self._keep(self._touched.hooks, loop, self._met(procedure, again, around))
            case ir.TogetherS(branches=branches):
                later = set(live)
                for branch in reversed(branches):
                    yield (branch,), set(later)
                    later.update(var.ident for var in self._answers.get(id(branch), ()))
                    if isinstance(branch, ir.ChooseS):
                        later |= {var.ident for alt in branch.alts for var, _ in alt.bound} & self.regions.of.keys()
            case _:
                for inner in inner_blocks(statement):
                    yield inner, live

    def _note(self, procedure: m.Procedure, statement: ir.S, live: set[int]) -> None:
        """The names that something may be done to in a statement that has no others inside it, or while it asks."""
        if isinstance(statement, ir.ChooseS):
            if self._aside_deeds and self._offers_asides(procedure, statement):
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
            self._kept += len(found)
            if self._kept > MOST_KEPT:
                raise TooManyNames(statement.span)
            into[id(statement)] = found
            for var in found:
                for loop in self._rounds.get(var.ident, ()):
                    self._touched.left[id(loop)] = var
                    self._touched.rounds.add(loop.var.ident)

    def _met(self, procedure: m.Procedure, names: set[int], deeds: Iterable[_Deed]) -> list[ir.Var]:
        names = names & self.regions.of.keys()
        if not names:
            return []
        found: set[int] = set()
        for deed in deeds:
            self._looks += len(names)
            if self._looks > _MOST_LOOKS:
                raise TooManyNames(first_line(procedure.span))
            for ident in names - found - {deed.through}:
                region = self.regions.of[ident]
                if not region.meets(deed.region) or self._is_own_loop(ident, deed.through):
                    continue
                if not self._are_apart(procedure, region, deed.region):
                    found.add(ident)
                    self.regions.come_to(ident, deed.to)
        return [self.regions.names[ident] for ident in sorted(found)]

    def _are_apart(self, procedure: m.Procedure, one: Region, other: Region) -> bool:
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


def _asked_in(block: ir.Block) -> set[int]:
    """The names that a block asks for and does not bind itself."""
    statements = statements_in(block)
    bound = {var.ident for statement in statements for var in bound_by(statement)}
    return asks_for(x for statement in statements for x in own_expressions(statement)) - bound


def _fewer(deeds: set[_Deed]) -> frozenset[_Deed]:
    """The same, said less exactly where it is too much."""
    if len(deeds) <= _MOST_REGIONS:
        return frozenset(deeds)
    found: dict[tuple[str, int], frozenset[int]] = {}
    for deed in deeds:
        key = (deed.region.kind, deed.param)
        found[key] = found.get(key, frozenset()) | deed.to
    return frozenset(_Deed(Region(kind), to, param) for (kind, param), to in found.items())


def _called_by(procedure: m.Procedure) -> list[m.Procedure]:
    return [each for block in procedure.blocks for s in statements_in(block) for each in called(s)]
