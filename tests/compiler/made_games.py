"""Small games made at random, to find what one form of a game does and another does not.

They make no sense, but they are right: pieces with states that last as long as a turn or a place, procedures that call
each other, with and without questions in them, loops, draws, choices with several ways. `rules(seed)` is the text of
one.
"""

from __future__ import annotations

from random import Random

HEAD = """rulescript 1

game "Made {seed}", version "1"

kind Side: other: Side
    state points: int
    holds box: Unit
things
    Side Red   other Blue
    Side Blue  other Red
players Side

kind Area: owner: Side, big: bool = no, worth: int = 1
    state control: Side = owner
    state marked: bool
    state heat: int
    state watch: maybe Side
    holds units: Unit
    holds guests: Unit
map M
    link road, rail
    Area A  Red, big, worth 2
    Area B  Blue
    Area C  Red, worth 3
    Area D  Blue, big
    Area E  Red
    road A - B
    road B - C
    road C - D
    road D - E
    rail A - E
    rail B - D

values Arm: foot, horse
pieces Unit: side: Side, arm: Arm
    state tired: bool, lasts turn
    state hurt: bool, lasts in Area
    state steps: Arm
    home side.box
counts Unit
    |      | foot | horse |
    | Red  | 4    | 3     |
    | Blue | 4    | 3     |

values Turn: one, two
holds graves: Unit
state turn: Turn
state active: Side
state mood: Side
state flag: bool
state n: int
state seen: set of Area, lasts turn

function strong(a: Area, s: Side) -> bool
    count(a.units[side == s]) > 1

function near(s: Side) -> set of Area
    Area[control == s].road

route ride(u: Unit on Area) from u.place by road, rail, at most 2 steps
    enter b
        require count(b.units) < 5
    through b
        require b.control == u.side

route reach(s: Side) from Area[control == s and big] by road
    enter b
        require b.control == s or not b.marked
"""

SEQUENCE = """
sequence
    place 2 Red foot, 2 Red horse, 1 Blue foot in A.units
    place 3 Blue foot, 1 Blue horse in B.units
    place 1 Red foot, 1 Blue horse in C.guests
    for turn in Turn
        for active in Side
            play
            more
    end game, draw
"""

PLACES = ("units", "guests")


class Made:
    """Writes one game."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.seed = seed
        self.lines: list[str] = []
        self.number = 0
        # Procedures: name -> (types of parameters, whether it gives a piece back).
        self.procedures: dict[str, tuple[tuple[str, ...], bool]] = {}
        self.depth = 0

    def text(self) -> str:
        out = [HEAD.format(seed=self.seed)]
        for at in range(self.rng.randint(1, 4)):
            out.append(self._procedure(f"act{at}"))
        out.append(self._phase("play"))
        out.append(self._phase("more"))
        if self.chance(3):
            out.append("after turn\n" + self.block(1, {}, 2, asks=False))
        if self.chance(3):
            some = self.pick(
                [f"whenever some a in Area: {self.condition({'a': 'area'}, 0)}", "whenever flag and mood == Red"]
            )
            names = {"a": "area"} if "some a" in some else {}
            out.append(f"{some}\n" + self.pick(["    n += 1", "    flag = no", self.effect(1, names)]))
        out.append(SEQUENCE)
        return "\n".join(out) + "\n"

    # ---- chance

    def chance(self, one_in: int) -> bool:
        return self.rng.randrange(one_in) == 0

    def pick(self, items: list[str]) -> str:
        return items[self.rng.randrange(len(items))]

    def fresh(self, prefix: str) -> str:
        self.number += 1
        return f"{prefix}{self.number}"

    # ---- expressions

    def of(self, names: dict[str, str], *types: str) -> list[str]:
        return [name for name, type_ in names.items() if type_ in types]

    def side(self, names: dict[str, str], depth: int = 1) -> str:
        some = ["active", "mood", "Red", "Blue", "mood.other", *self.of(names, "side")]
        some += [f"{u}.side" for u in self.of(names, "unit")] + [f"{a}.control" for a in self.of(names, "area")]
        return self.pick(some)

    def area(self, names: dict[str, str]) -> str:
        return self.pick([*"ABCDE", *self.of(names, "area"), *self.of(names, "area")])

    def areas(self, names: dict[str, str], depth: int = 1) -> str:
        s = self.side(names)
        some = ["Area", f"Area[control == {s}]", f"{self.area(names)}.road", f"near({s})", f"reach({s})", "seen"]
        some += [
            "Area[big]",
            "Area[marked]",
            f"Area[some it.units[side == {s}]]",
            f"Area[watch == {s}]",
            "Area[heat > n]",
        ]
        some += [f"Area[strong(it, {s})]", f"most Area by count(it.units[side == {s}])"]
        if depth:
            one, two = self.areas(names, 0), self.areas(names, 0)
            some += [f"({one} + {two})", f"({one} - {two})", f"({one} & {two})"]
        return self.pick(some)

    def pile(self, names: dict[str, str]) -> str:
        s = self.side(names)
        places = [f"{self.area(names)}.{self.pick(list(PLACES))}" for _ in range(4)] + [
            "Area.units",
            "graves",
            f"{s}.box",
        ]
        filters = [
            "",
            "",
            f"[side == {s}]",
            "[arm == foot]",
            "[not tired]",
            "[hurt]",
            "[steps == horse]",
            "[arm == horse and not hurt]",
        ]
        if self.of(names, "unit"):
            filters.append(f"[arm == {self.pick(self.of(names, 'unit'))}.arm]")
        return self.pick(places) + self.pick(filters)

    def number_of(self, names: dict[str, str], depth: int = 1) -> str:
        some = ["1", "2", "n", f"count({self.pile(names)})", f"count({self.areas(names, 0)})"]
        some += [
            f"{self.area(names)}.worth",
            f"{self.area(names)}.heat",
            f"sum(x.worth for x in {self.areas(names, 0)})",
        ]
        some += [f"{self.side(names)}.points", *self.of(names, "int")]
        if depth:
            some.append(f"{self.number_of(names, 0)} + {self.number_of(names, 0)}")
        return self.pick(some)

    def condition(self, names: dict[str, str], depth: int = 1) -> str:
        some = ["flag", f"{self.side(names)} == {self.side(names)}", f"{self.area(names)} in {self.areas(names)}"]
        some += [
            f"{self.number_of(names, 0)} > {self.number_of(names, 0)}",
            f"some {self.pile(names)}",
            f"none {self.pile(names)}",
        ]
        some += [f"{self.area(names)}.marked", f"strong({self.area(names)}, {self.side(names)})"]
        for u in self.of(names, "unit"):
            some += [f"{u}.tired", f"{u}.hurt", f"{u}.arm == foot", f"{u} in {self.pile(names)}", f"{u}.steps == horse"]
        some.append(f"some x in {self.areas(names, 0)}: x.control == {self.side(names)}")
        if depth:
            one, two = self.condition(names, 0), self.condition(names, 0)
            some += [f"not ({one})", f"({one}) and ({two})", f"({one}) or ({two})"]
        return self.pick(some)

    # ---- statements

    def _procedure(self, name: str) -> str:
        params = tuple(self.pick(["unit", "unit", "area", "side", "int"]) for _ in range(self.rng.randint(0, 3)))
        names = {f"{type_[0]}{at}": type_ for at, type_ in enumerate(params)}
        said = {"unit": "Unit", "area": "Area", "side": "Side", "int": "int"}
        given = ", ".join(f"{n}: {said[t]}" for n, t in names.items())
        gives = bool(self.of(names, "unit")) and self.chance(3)
        head = f"procedure {name}{f'({given})' if given else ''}{' -> Unit' if gives else ''}"
        asks = self.chance(3)
        body = self.block(1, dict(names), 3, asks)
        if gives:
            body += f"\n    return {self.pick(self.of(names, 'unit'))}"
        self.procedures[name] = (params, gives)
        return f"{head}\n{body}\n"

    def _phase(self, name: str) -> str:
        return f'phase {name} "{name.title()}"\n{self.block(1, {}, 3, True)}\n'

    def block(self, indent: int, names: dict[str, str], size: int, asks: bool) -> str:
        lines = [self.statement(indent, names, size, asks) for _ in range(self.rng.randint(1, size))]
        return "\n".join(lines)

    def statement(self, indent: int, names: dict[str, str], size: int, asks: bool) -> str:
        deep = indent < 4
        ways = [self.effect, self.effect, self.effect, self.call, self.let]
        if deep:
            ways += [self.branch, self.loop, self.units_loop, self.many_draw]
        if deep and asks:
            ways += [self.choose, self.choose, self.several]
        return ways[self.rng.randrange(len(ways))](indent, names)

    def effect(self, indent: int, names: dict[str, str]) -> str:
        pad = "    " * indent
        some = [
            f"{self.area(names)}.control = {self.side(names)}",
            f"{self.area(names)}.marked = {self.pick(['yes', 'no', 'flag'])}",
            f"{self.area(names)}.heat += {self.pick(['1', '2', '-1'])}",
            f"{self.area(names)}.watch = {self.pick(['nothing', self.side(names)])}",
            f"mood = {self.side(names)}",
            f"flag = {self.condition(names, 0)}",
            "n = (n + 1) mod 5",
            f"seen += {self.area(names)}",
            f"{self.side(names)}.points += 1",
            f"move {self.pile(names)} to {self.place(names)}",
            f"move {self.pick(['1', '2'])} from {self.pile(names)} to {self.place(names)}",
            f"draw {self.pick(['1', '2'])} from {self.area(names)}.units to {self.place(names)}",
            f"draw 1 from graves[side == {self.side(names)}] to {self.place(names)}",
        ]
        for u in self.of(names, "unit") * 4:
            some += [f"move {u} to {self.place(names)}", f"{u}.tired = {self.pick(['yes', 'no'])}"]
            some += [f"{u}.hurt = yes", f"{u}.steps = {self.pick(['foot', 'horse'])}"]
        for several in self.of(names, "units"):
            some.append(f"move {several} to {self.place(names)}")
        return pad + self.pick(some)

    def place(self, names: dict[str, str]) -> str:
        some = [f"{self.area(names)}.{self.pick(list(PLACES))}" for _ in range(6)]
        return self.pick([*some, "graves", f"{self.side(names)}.box"])

    def call(self, indent: int, names: dict[str, str]) -> str:
        pad = "    " * indent
        fitting = []
        for name, (params, gives) in self.procedures.items():
            if all(p != "unit" or self.of(names, "unit") for p in params):
                fitting.append((name, params, gives))
        if not fitting:
            return self.effect(indent, names)
        name, params, gives = fitting[self.rng.randrange(len(fitting))]
        values = {
            "unit": lambda: self.pick(self.of(names, "unit")), "area": lambda: self.area(names),
            "side": lambda: self.side(names), "int": lambda: self.number_of(names, 0),
        }  # fmt: skip
        given = ", ".join(values[p]() for p in params)
        if gives:
            result = self.fresh("g")
            names[result] = "unit"
            return f"{pad}let {result} = {name}({given})"
        return f"{pad}{name}({given})" if params else f"{pad}{name}()"

    def let(self, indent: int, names: dict[str, str]) -> str:
        pad = "    " * indent
        name = self.fresh("l")
        units = self.of(names, "unit")
        if units and self.chance(2):
            line = f"{pad}let {name} = {self.pick(units)}"
            names[name] = "unit"
        elif self.chance(2):
            line = f"{pad}let {name} = {self.number_of(names)}"
            names[name] = "int"
        else:
            line = f"{pad}let {name} = {self.side(names)}"
            names[name] = "side"
        return line

    def branch(self, indent: int, names: dict[str, str]) -> str:
        pad = "    " * indent
        test = self.condition(names)
        out = f"{pad}if {test}\n{self.block(indent + 1, dict(names), 2, False)}"
        if self.chance(2):
            out += f"\n{pad}else\n{self.block(indent + 1, dict(names), 2, False)}"
        return out

    def loop(self, indent: int, names: dict[str, str]) -> str:
        name = self.fresh("a")
        inside = {**names, name: "area"}
        body = self.block(indent + 1, inside, 3, False)
        return f"{'    ' * indent}for {name} in {self.areas(names)}\n{body}"

    def units_loop(self, indent: int, names: dict[str, str]) -> str:
        name = self.fresh("u")
        inside = {**names, name: "unit"}
        lists = self.of(names, "units")
        source = self.pick(lists) if lists and self.chance(2) else self.pile(names)
        body = self.block(indent + 1, inside, 3, False)
        return f"{'    ' * indent}for {name} in {source}\n{body}"

    def many_draw(self, indent: int, names: dict[str, str]) -> str:
        pad = "    " * indent
        name = self.fresh("d")
        line = f"{pad}draw 2 from {self.area(names)}.units to {self.place(names)} as {name}"
        names[name] = "units"
        return line

    def choose(self, indent: int, names: dict[str, str]) -> str:
        pad = "    " * indent
        name, unit, area = self.fresh("c"), self.fresh("u"), self.fresh("a")
        inside = {**names, unit: "unit"}
        picks, text = f"{unit} in {self.pile(names)}", f"{{{unit}}}"
        if self.chance(2):
            source = f"ride({unit})" if "Area.units" in picks and self.chance(2) else self.areas(inside, 0)
            picks += f", {area} in {source}"
            text += f" {{{area}}}"
            inside[area] = "area"
        out = f'{pad}choose {name}: {picks} "{name} {text}"'
        if self.chance(2):
            out += f"\n{pad}    require {self.condition(inside)}"
        out += "\n" + self.block(indent + 1, inside, 3, True)
        if self.chance(3):
            other, second = self.fresh("c"), self.fresh("a")
            more = {**names, second: "area"}
            out += f'\n{pad}or choose {other}: {second} in {self.areas(names)} "{other} {{{second}}}"\n'
            out += self.block(indent + 1, more, 2, True)
        return f"{out}\n{pad}or pass"

    def several(self, indent: int, names: dict[str, str]) -> str:
        pad = "    " * indent
        name, chosen = self.fresh("m"), self.fresh("x")
        amount = self.pick(["2", "up to 2", "any number", "3"])
        out = f'{pad}choose {name}: {amount} from {self.pile(names)} as {chosen} "{name} {{{chosen}}}"\n'
        out += self.block(indent + 1, {**names, chosen: "units"}, 3, True)
        return f"{out}\n{pad}or pass"


def rules(seed: int) -> str:
    return Made(seed).text()
