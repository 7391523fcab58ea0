"""Small games about names of pieces, made at random, with a model of what they mean.

A game is made as a tree of deeds. Each can be written as rules, and each can be done in the model, which knows nothing
of places as counters, of frames, or of what a rule hands back: it keeps all pieces as a bag of (place, type, states),
and all names, wherever they were bound, in one list. Whatever takes a piece out of such a sort asks every name: it goes
along if it is the one that this was done through, or if none like it is left.

What a name stands for is seen by what is done through it: it marks its piece with a number, and adds to a score what it
sees of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from attrs import Factory, define

HEAD = """rulescript 1
game "Pieces {seed}", version "1"
kind Side
    holds stock: Unit
kind Area
    holds units: Unit
kind Card: side: Side
    does play(u: Unit)
pieces Unit: side: Side, arm: Arm
    state up: bool
    state mark: 0..9
    state dug: bool, lasts in Area
    state shaken: bool, lasts shake
    state tired: bool, lasts day
    home side.stock
values Arm: foot, horse
values Day: first, second
things
    Side Red
    Side Blue
    Area A
    Area B
    Area C
counts Unit
    |      | foot | horse |
    | Red  |    3 |     2 |
    | Blue |    2 |     2 |
players Side
state active: Side
state day: Day
state score: int
state calls: int
"""
PLACES = {"A": "A.units", "B": "B.units", "C": "C.units", "R": "Red.stock", "S": "Blue.stock"}
TYPES = ("Red_foot", "Red_horse", "Blue_foot", "Blue_horse")
HOMES = {"Red": "R", "Blue": "S"}
# A piece: where it stands, its type, up, mark, dug, shaken, tired.
Sort = tuple[str, str, bool, int, bool, bool, bool]
# From this seed on there are days, which pieces are tired for, and before and after which something is done.
DAYS_FROM = 2_000


@define(eq=False)
class Cell:
    """What a name stands for."""

    sort: Sort


@define
class World:
    """The model: the pieces, and whatever stands for one, or for several, just now."""

    pieces: Counter[Sort]
    answer: Any  # which of several sorts somebody picks
    names: list[Cell] = Factory(list)
    groups: list[list[Cell]] = Factory(list)
    score: int = 0
    calls: int = 0
    rules: tuple[Any, ...] = ()
    held: list[bool] = Factory(list)
    running: list[Any] = Factory(list)
    before_day: Any = ()
    after_day: Any = ()

    def put_back(self, at: int) -> None:
        """A state of all pieces is over."""
        grouped = [cell for group in self.groups for cell in group]
        for cell in {id(cell): cell for cell in (*self.names, *grouped)}.values():
            cell.sort = (*cell.sort[:at], False, *cell.sort[at + 1 :])  # type: ignore[assignment]
        for sort in [sort for sort in self.pieces if sort[at]]:
            self.pieces[(*sort[:at], False, *sort[at + 1 :])] += self.pieces.pop(sort)  # type: ignore[index]
        self.look()

    def become(self, old: Sort, new: Sort, many: int = 1, through: Cell | None = None) -> None:
        """So many pieces of a sort become others."""
        assert self.pieces[old] >= many, (old, many)
        if old == new:
            return
        self.pieces[old] -= many
        self.pieces[new] += many
        left = self.pieces[old]
        grouped = {id(cell) for group in self.groups for cell in group}
        for cell in self.names:
            if cell is not through and id(cell) not in grouped and cell.sort == old and not left:
                cell.sort = new
        for group in self.groups:
            members = [cell for cell in group if cell is not through and cell.sort == old]
            if through is not None and any(cell is through for cell in group):
                continue  # of those that were as many as it, there are
            for cell in members[left:]:
                cell.sort = new
        if through is not None:
            through.sort = new

    def move(self, cell: Cell, place: str) -> None:
        self.become(cell.sort, moved(cell.sort, place), 1, cell)
        self.look()

    def alter(self, cell: Cell, at: int, value: Any) -> None:
        self.become(cell.sort, (*cell.sort[:at], value, *cell.sort[at + 1 :]), 1, cell)  # type: ignore[arg-type]
        self.look()

    def pile(self, pile: Pile) -> list[tuple[Sort, int]]:
        found = [(sort, n) for sort, n in self.pieces.items() if n and sort[0] in pile.places and pile.fits(sort)]
        return sorted(found, key=lambda each: order(each[0]))

    def take(self, pile: Pile, place: str, most: int | None) -> None:
        """A pile goes to a place, or the first so many of it."""
        for sort, n in self.pile(pile):
            many = n if most is None else min(n, most)
            if most is not None:
                most -= many
            if many:
                self.become(sort, moved(sort, place), many)
        self.look()

    def look(self) -> None:
        """What holds at once."""
        for at, rule in enumerate(self.rules):
            if self.running and rule is self.running[-1]:
                continue  # its own effects
            while self.has_become_true(at, rule):
                self.running.append(rule)
                rule.run(self)
                self.running.pop()

    def has_become_true(self, at: int, rule: Any) -> bool:
        was, self.held[at] = self.held[at], rule.holds(self)
        return self.held[at] and not was


def moved(sort: Sort, place: str) -> Sort:
    return (place, *sort[1:4], sort[4] and place in "ABC", *sort[5:])


def order(sort: Sort) -> tuple[int, ...]:
    """How pieces of a pile come: by place, then by states, the last first, and type."""
    place, type_, up, mark, dug, shaken, tired = sort
    return ("ABCRS".index(place), tired, shaken, dug, mark, up, TYPES.index(type_))


def called(sort: Sort) -> str:
    """How the key of an option names a piece."""
    place, type_, up, mark, dug, shaken, tired = sort
    states = [*["up"] * up, *[f"mark {mark}"] * (mark > 0), *["dug"] * dug, *["shaken"] * shaken, *["tired"] * tired]
    return f"{PLACES[place]}:{type_}" + (f"({', '.join(states)})" if states else "")


@define
class Pile:
    places: str
    wanted: str = ""

    def fits(self, sort: Sort) -> bool:
        match self.wanted.split():
            case ["up"]:
                return sort[2]
            case ["not", "up"]:
                return not sort[2]
            case ["side", "==", side]:
                return sort[1].startswith(side)
            case ["arm", "==", arm]:
                return sort[1].endswith(arm)
        return True

    def text(self) -> str:
        source = PLACES[self.places] if len(self.places) == 1 else "Area.units"
        return f"{source}[{self.wanted}]" if self.wanted else source


Env = dict[str, Any]
Block = list[Any]


def run(block: Block, world: World, env: Env) -> None:
    for deed in block:
        deed.run(world, env)


def written(block: Block, depth: int) -> Iterator[str]:
    for deed in block or [Score("1")]:
        for line in deed.lines(depth):
            yield "    " * depth + line if not line.startswith(" ") else line


def inside(head: str, block: Block, depth: int) -> Iterator[str]:
    yield head
    yield from written(block, depth + 1)


@define
class Mark:
    name: str
    number: int

    def lines(self, depth: int) -> Iterator[str]:
        yield f"{self.name}.mark = {self.number}"

    def run(self, world: World, env: Env) -> None:
        world.alter(env[self.name], 3, self.number)


@define
class Turn:
    name: str
    state: str
    at: int

    def lines(self, depth: int) -> Iterator[str]:
        yield f"{self.name}.{self.state} = not {self.name}.{self.state}"

    def run(self, world: World, env: Env) -> None:
        world.alter(env[self.name], self.at, not env[self.name].sort[self.at])


@define
class Move:
    name: str
    place: str

    def lines(self, depth: int) -> Iterator[str]:
        yield f"move {self.name} to {PLACES[self.place]}" if self.place else f"move {self.name} home"

    def run(self, world: World, env: Env) -> None:
        world.move(env[self.name], self.place or HOMES[env[self.name].sort[1].split("_")[0]])


@define
class MovePile:
    pile: Pile
    place: str
    most: int | None

    def lines(self, depth: int) -> Iterator[str]:
        many = "" if self.most is None else f"up to {self.most} from "
        yield f"move {many}{self.pile.text()} to {PLACES[self.place]}"

    def run(self, world: World, env: Env) -> None:
        world.take(self.pile, self.place, self.most)


@define
class DrawAll:
    place: str
    to: str

    def lines(self, depth: int) -> Iterator[str]:
        yield f"draw 40 from {PLACES[self.place]} to {PLACES[self.to]}"

    def run(self, world: World, env: Env) -> None:
        world.take(Pile(self.place), self.to, None)


@define
class Placing:
    type: str
    many: int
    place: str

    def lines(self, depth: int) -> Iterator[str]:
        yield f"place {self.many} {self.type} in {PLACES[self.place]}"

    def run(self, world: World, env: Env) -> None:
        sort: Sort = (HOMES[self.type.split("_")[0]], self.type, False, 0, False, False, False)
        many = min(self.many, world.pieces[sort])
        if many:
            world.become(sort, moved(sort, self.place), many)
        world.look()


@define
class Score:
    add: str

    def lines(self, depth: int) -> Iterator[str]:
        yield f"score += {self.add}"

    def run(self, world: World, env: Env) -> None:
        world.score += int(self.add)


@define
class IfUp:
    name: str
    block: Block

    def lines(self, depth: int) -> Iterator[str]:
        yield from inside(f"if {self.name}.up", self.block, depth)

    def run(self, world: World, env: Env) -> None:
        if env[self.name].sort[2]:
            run(self.block, world, dict(env))


@define
class IfIn:
    name: str
    place: str
    block: Block

    def lines(self, depth: int) -> Iterator[str]:
        yield from inside(f"if {self.name} in {PLACES[self.place]}", self.block, depth)

    def run(self, world: World, env: Env) -> None:
        if env[self.name].sort[0] == self.place:
            run(self.block, world, dict(env))


@define
class Pick:
    """Somebody picks a piece."""

    choice: str
    name: str
    pile: Pile
    block: Block

    def lines(self, depth: int) -> Iterator[str]:
        yield from inside(f'choose {self.choice}: {self.name} in {self.pile.text()} "{self.choice}"', self.block, depth)

    def run(self, world: World, env: Env) -> None:
        sort = world.answer(self.choice, lambda: [sort for sort, _ in world.pile(self.pile)])
        if sort is not None:
            cell = Cell(sort)
            world.names.append(cell)
            run(self.block, world, {**env, self.name: cell})
            world.names.remove(cell)


@define
class Go:
    """A loop through a pile, or through a list of which all are picked."""

    name: str
    pile: Pile
    block: Block
    several: str
    again: Block
    between: Block = Factory(list)

    def lines(self, depth: int) -> Iterator[str]:
        if not self.several:
            yield from inside(f"for {self.name} in {self.pile.text()}", self.block, depth)
            return
        yield f"choose all_{self.several}: 40 from {self.pile.text()} as {self.several}"
        deeper = "    " * (depth + 1)
        yield f"{deeper}for {self.name} in {self.several}"
        yield from written(self.block, depth + 2)
        if self.between:
            yield from written(self.between, depth + 1)
        yield f"{deeper}for {self.name}_2 in {self.several}"
        yield from written(self.again, depth + 2)

    def run(self, world: World, env: Env) -> None:
        cells = [Cell(sort) for sort, n in world.pile(self.pile) for _ in range(n)]
        if self.several:
            world.groups.append(cells)
            for cell in cells:
                run(self.block, world, {**env, self.name: cell})
            run(self.between, world, {**env, self.several: cells})
            for cell in cells:
                run(self.again, world, {**env, f"{self.name}_2": cell})
            world.groups.remove(cells)
            return
        left = list(cells)
        world.groups.append(left)
        for cell in cells:
            run(self.block, world, {**env, self.name: cell})
            left.remove(cell)  # nobody asks for it again
        world.groups.remove(left)


@define
class Sealed:
    """Both players pick, and then what they picked is played: each the same, or each their own."""

    choice: str
    name: str
    pile: Pile
    block: Block
    other: Block

    def lines(self, depth: int) -> Iterator[str]:
        deeper = "    " * (depth + 1)
        picked = f"{self.name} in {self.pile.text()}"
        if not self.other:
            yield "each s in Side sealed"
            yield f'{deeper}choose by s {self.choice}: {picked} "{self.choice}"'
            yield from written(self.block, depth + 2)
            return
        yield "together"
        for side, at, block in (("Red", "", self.block), ("Blue", "_2", self.other)):
            yield f'{deeper}{side}: choose {self.choice}{at}: {self.name}{at} in {self.pile.text()} "{self.choice}{at}"'
            yield from written(block, depth + 2)

    def run(self, world: World, env: Env) -> None:
        def listed() -> list[Sort]:
            return [sort for sort, _ in world.pile(self.pile)]

        last = "_2" if self.other else ""
        picked = [world.answer(f"{self.choice}{at}", listed, is_sealed=True) for at in ("", last)]
        cells = [Cell(sort) if sort is not None else None for sort in picked]
        world.names += [cell for cell in cells if cell is not None]
        for cell, at, block in zip(cells, ("", last), (self.block, self.other or self.block), strict=True):
            if cell is not None:
                run(block, world, {**env, f"{self.name}{at}": cell})
        for cell in cells:
            if cell is not None:
                world.names.remove(cell)


@define
class CallForAll:
    """A list is handed to a rule that goes through it."""

    rule: Rule
    several: str

    def lines(self, depth: int) -> Iterator[str]:
        yield f"{self.rule.name}({self.several})"

    def run(self, world: World, env: Env) -> None:
        for block in (self.rule.before, self.rule.after):
            for cell in env[self.several]:
                run(block, world, {"w": cell})


@define
class Twice:
    block: Block

    def lines(self, depth: int) -> Iterator[str]:
        yield from inside("repeat 2 times", self.block, depth)

    def run(self, world: World, env: Env) -> None:
        for _ in range(2):
            run(self.block, world, dict(env))


@define
class Days:
    """Days go by: what comes before and after each is the same for all loops."""

    block: Block

    def lines(self, depth: int) -> Iterator[str]:
        yield from inside("for day in Day", self.block, depth)

    def run(self, world: World, env: Env) -> None:
        for _ in range(2):
            run(world.before_day, world, {})
            run(self.block, world, dict(env))
            run(world.after_day, world, {})
            world.put_back(6)


@define(eq=False)
class Rule:
    """A procedure, what answers a signal, or what a card does, with what stands before and after it."""

    name: str
    form: str
    params: tuple[str, ...]
    block: Block
    before: Block
    after: Block

    def text(self) -> str:
        params = ", ".join(f"{name}: Unit" for name in self.params)
        given = ", ".join(self.params)
        match self.form:
            case "procedure":
                out = [f"procedure {self.name}({params})", *written(self.block, 1)]
            case "list":
                out = [f"procedure {self.name}(us: list of Unit)"]
                for block in (self.before, self.after):
                    out += ["    for w in us", *written(block, 2)]
                return "\n".join(out) + "\n"
            case "signal":
                out = [f"signal {self.name}({params})", f"when {self.name}({given})", *written(self.block, 1)]
        if self.before:
            out += [f"before {self.name}({given})", *written(self.before, 1)]
        if self.after:
            out += [f"after {self.name}({given})", *written(self.after, 1)]
        return "\n".join(out) + "\n"


@define
class Call:
    rule: Rule
    names: tuple[str, ...]

    def lines(self, depth: int) -> Iterator[str]:
        word = "signal " if self.rule.form == "signal" else ""
        if self.rule.form == "card":
            yield f"{self.rule.name}.play({self.names[0]})"
        else:
            yield f"{word}{self.rule.name}({', '.join(self.names)})"

    def run(self, world: World, env: Env) -> None:
        inner = {param: env[name] for param, name in zip(self.rule.params, self.names, strict=True)}
        for block in (self.rule.before, self.rule.block, self.rule.after):
            run(block, world, dict(inner))
        if self.rule.name == "shake":
            world.put_back(5)


@define(eq=False)
class AtOnce:
    place: str
    more: int
    block: Block

    def holds(self, world: World) -> bool:
        return sum(n for sort, n in world.pieces.items() if sort[0] == self.place) > self.more

    def run(self, world: World) -> None:
        run(self.block, world, {})

    def text(self) -> str:
        head = f"whenever count({PLACES[self.place]}) > {self.more}"
        return "\n".join([head, *written(self.block, 1)]) + "\n"


@define
class Made:
    """A game, and what it is made of."""

    rules: list[Rule]
    at_once: list[AtOnce]
    aside: Block
    main: Block
    placed: list[Placing]
    seed: int
    before_day: Block = Factory(list)
    after_day: Block = Factory(list)

    def text(self) -> str:
        out = [HEAD.format(seed=self.seed)]
        cards = [rule for rule in self.rules if rule.form == "card"]
        if cards:
            out.append("things")
            for rule in cards:
                out += [f"    Card {rule.name} Red", "        play", *written_card(rule)]
        out += [rule.text() for rule in self.rules if rule.form != "card"]
        out += [rule.text() for rule in self.at_once]
        for when, block in (("before", self.before_day), ("after", self.after_day)):
            if block:
                out.append("\n".join([f"{when} day", *written(block, 1)]))
        if self.aside:
            out += ['aside shift "Shift" by active during play', "    require calls < 2", "    calls += 1",
                    *written(self.aside, 1)]  # fmt: skip
        out += ['phase play "Play"', *written(self.main, 1)]
        out += ["sequence", *written(list(self.placed), 1), "    for active in [Red]", "        play"]
        out.append("    end game, draw")
        return "\n".join(out) + "\n"


def written_card(rule: Rule) -> Iterator[str]:
    yield from written(rule.block, 3)


class Maker:
    """Makes up games."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.seed = seed
        self.count = 0
        self.rules: list[Rule] = []
        self.lists: list[Rule] = []
        self.has_days = False

    def made(self) -> Made:
        for at in range(self.random.randrange(4)):
            self.rules.append(self._rule(at))
        if self.random.random() < 0.5:
            self.lists.append(Rule("through", "list", ("us",), [], self._block(("w",), 1), self._block(("w",), 1)))
        self.rules.append(Rule("shake", "procedure", ("u",), self._shaking(), [], []))
        at_once = [
            AtOnce(self.random.choice("ABC"), self.random.randint(1, 4), self._block((), 1, False))
            for _ in range(self.random.choice((0, 0, 1, 2)))
        ]
        aside = self._block((), 1, False) if self.random.random() < 0.4 else []
        placed = [Placing(self.random.choice(TYPES), self.random.randint(1, 2), place) for place in "AAB"]
        around = [
            self._block((), 1, False) if self.seed >= DAYS_FROM and self.random.random() < 0.7 else [] for _ in range(2)
        ]
        self.has_days = self.seed >= DAYS_FROM
        main = [deed for _ in range(self.random.randint(2, 5)) for deed in self._outer()]
        return Made([*self.rules, *self.lists], at_once, aside, main, placed, self.seed, *around)

    def _name(self) -> str:
        self.count += 1
        return f"u{self.count}"

    def _pile(self, places: str = "ABC") -> Pile:
        place = self.random.choice((*places, *places, "A", "ABC")) if len(places) > 1 else places
        wanted = ("", "", "", "up", "not up", "side == Red", "side == Blue", "arm == foot", "arm == horse")
        return Pile(place, self.random.choice(wanted))

    def _rule(self, at: int) -> Rule:
        form = self.random.choice(("procedure", "procedure", "signal", "card"))
        params = ("u",) if form == "card" or self.random.random() < 0.6 else ("u", "v")
        before = self._block(params, 1, False) if form == "procedure" and self.random.random() < 0.3 else []
        after = self._block(params, 1, False) if form == "procedure" and self.random.random() < 0.3 else []
        name = {"procedure": "rule", "signal": "sign", "card": "Card_"}[form] + str(at)
        return Rule(name, form, params, self._block(params, 2), before, after)

    def _shaking(self) -> Block:
        return [Turn("u", "shaken", 5), *self._block(("u",), 1)]

    def _outer(self) -> Block:
        """A name, and what is done while there is one."""
        name = self._name()
        return [self._binding(name, (), 3)]

    def _binding(self, name: str, names: tuple[str, ...], depth: int) -> Any:
        inner = self._block((*names, name), depth)
        if self.random.random() < 0.6:
            return Pick(f"pick_{name}", name, self._pile(), inner)
        if self.random.random() < 0.5:
            return Go(name, self._pile(), inner, "", [])
        if self.random.random() < 0.2:
            other = self._block((*names, f"{name}_2"), depth) if self.random.random() < 0.5 else []
            return Sealed(f"seal_{name}", name, self._pile(), inner, other)
        again = self._block((*names, f"{name}_2"), 1)
        between = [CallForAll(rule, f"list_{name}") for rule in self.lists if self.random.random() < 0.5]
        return Go(name, self._pile(), inner, f"list_{name}", again, between)

    def _block(self, names: tuple[str, ...], depth: int, asks: bool = True) -> Block:
        return [self._deed(names, depth, asks) for _ in range(self.random.randint(1, 4))]

    def _deed(self, names: tuple[str, ...], depth: int, asks: bool) -> Any:  # noqa: C901 - one way for each sort of deed
        if self.has_days and names and self.random.random() < 0.2:
            return self._of_days(names, depth, asks)
        what = self.random.random()
        name = self.random.choice(names) if names else ""
        if what < 0.22 or not names and what < 0.5:
            place = self.random.choice("ABC")
            return MovePile(self._pile(), place, self.random.choice((None, None, None, 1, 2)))
        if what < 0.30 or not names:
            return Placing(self.random.choice(TYPES), self.random.randint(1, 2), self.random.choice("ABC"))
        if what < 0.34:
            there, to = self.random.sample("ABC", 2)
            return DrawAll(there, to)
        if what < 0.46:
            return Mark(name, self.random.randint(1, 9))
        if what < 0.54:
            return Turn(name, "up", 2)
        if what < 0.57:
            return IfIn(name, "A", [Turn(name, "dug", 4)])
        if what < 0.68:
            return Move(name, self.random.choice(("A", "B", "C", "")))
        if depth <= 0 or what < 0.72:
            return IfUp(name, [Score(str(1 << self.random.randrange(10)))])
        if what < 0.76:
            return IfIn(name, self.random.choice("ABCRS"), self._block(names, depth - 1, asks))
        if what < 0.80:
            return IfUp(name, self._block(names, depth - 1, asks))
        if what < 0.83:
            return Twice(self._block(names, depth - 1, asks))
        if what < 0.91 and asks:
            return self._binding(self._name(), names, depth - 1)
        rule = self.random.choice(self.rules) if self.rules else None
        if rule is None or len(set(names)) < len(rule.params) or not asks:
            return Mark(name, self.random.randint(1, 9))
        return Call(rule, tuple(self.random.sample(names, len(rule.params))))

    def _of_days(self, names: tuple[str, ...], depth: int, asks: bool) -> Any:
        """A day goes by, or somebody is tired for the day."""
        if self.random.random() < 0.5:
            return Turn(self.random.choice(names), "tired", 6)
        self.has_days = False  # no days within days
        made = Days(self._block(names, max(1, depth), asks))
        self.has_days = True
        return made


def played(made: Made) -> tuple[World, list[tuple[str, str]]]:
    """What the model says of a game, and what was answered in it."""
    random = Random(made.seed + 1)
    answers: list[tuple[str, str]] = []
    pieces: Counter[Sort] = Counter()
    for type_, many in zip(TYPES, (3, 2, 2, 2), strict=True):
        pieces[HOMES[type_.split("_")[0]], type_, False, 0, False, False, False] = many

    def answer(choice: str, listed: Any, is_sealed: bool = False) -> Sort | None:
        while True:
            sorts: list[Sort] = listed()
            if len(sorts) < 2:
                return sorts[0] if sorts else None
            if made.aside and not is_sealed and world.calls < 2 and random.random() < 0.3:
                answers.append(("shift", ""))
                world.calls += 1
                run(made.aside, world, {})
                continue
            sort = random.choice(sorts)
            answers.append((choice, called(sort)))
            return sort

    world = World(pieces, answer, rules=tuple(made.at_once), held=[False] * len(made.at_once))
    world.before_day, world.after_day = made.before_day, made.after_day
    run(list(made.placed), world, {})
    run(made.main, world, {})
    return world, answers
