"""Small games with secrets, made at random, to find out what a seat can learn that its view does not say.

They make no sense, but they are honest: whatever a rule does *by itself* (an effect for all to see, an `if`, a loop)
hangs on what all can see; what is hidden is read where the rules promise that nobody learns of it: in requirements,
candidates, numbers, words of options, conditions of reactions, texts that are told, and effects on hidden things. So if
the checker lets such a game pass, two games that differ in hidden things only must look the same to who may not know
these, as long as the same is done for all to see.

An alternative that brings something hidden to light is called `o_...`: there the two games go on with the same thing.
"""

from __future__ import annotations

import re
from random import Random

HEAD = """rulescript 1
game "Secret {seed}", version "1"
kind Side: other: Side
    holds hand: Card, visible to it, {hand} to others
    holds vault: Card, visible to it, {hand} to others
    holds deck: Card, ordered, {deck} to it, {deck} to others
    holds pouch: Unit, visible to it, {hand} to others
    state points: int
    state plan: maybe Card
    state plans: set of Card
kind Card: side: Side, rank: int, red: bool = no
    home side.hand
    holds load: Unit{load}
    state down: bool
    state mark: bool
    state worth: int{told}
    hidden when down, known to side, showing "{{side}} card"
    does play(s: Side)
kind Town: coast: bool = no
    holds units: Unit
    state heat: int
    state control: maybe Side
values Arm: foot, horse, guns
pieces Unit: side: Side, arm: Arm
    home side.pouch
    state down: bool
    state tired: bool
    hidden when down, known to side, showing "{{side}} unit"
things
    Side North  other South
    Side South  other North
    Side East   other North
{cards}
map Shore
    link road
    Town Mill   coast
    Town Ford
    Town Reeds  coast
    road Mill - Ford - Reeds
counts Unit
    |       | foot | horse | guns |
    | North |    2 |     2 |    2 |
    | South |    1 |     1 |    1 |
players Side
holds board: Card
state active: Side
state night: bool
state seen: maybe Card
"""

SEQUENCE = """
phase bury "Bury"
    choose by North hide: c in North.hand "Hide {c}"
        move c to North.vault
phase stack "Stack"
    choose by North put: c in North.hand "Put {c}"
        move c to top of North.deck
phase fill "Fill"
    choose by North fill: c in North.vault "Fill {c}"
        move up to 1 from South.pouch to c.load
procedure weigh(sp0: Side, ip1: int, tp2: Town)
    may by sp0: weighed "Weighed"
        sp0.points += 1
phase weighing "Weighing"
    weigh(North, sum(k.rank for k in North.vault), if some North.vault[red] then Mill else Ford)
phase lay "Lay"
    choose by North lie: u in North.pouch "Lay {u}"
        u.down = yes
        move u to Mill
phase spread "Spread"
    choose by North spread: c in North.hand "Spread {c}"
        c.down = yes
        move c to board
phase wait "Wait"
    choose by South go "Go"
        South.points += 1
    or stay "Stay"
sequence
    bury
    bury
    fill
    weighing
    stack
    lay
    lay
    spread
    for active in [North, South]
"""

# Where a game has more of the language: cards that lie face down in the towns, too.
MINES = """phase mine "Mine"
    choose by North mine: c in North.hand, t in Town "Mine {c} {t}"
        c.down = yes
        move c to t.mines
"""

CARDS = ("A1", "A2", "A3", "A4", "A5", "A6", "A7")


MORE_FROM = 100_000


class Made:
    """Writes one game."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.seed = seed
        self.number = 0
        self.procedures: dict[str, tuple[tuple[str, ...], str]] = {}
        self.signals: dict[str, tuple[str, ...]] = {}
        self.hand = self.pick(["count", "count", "hidden", "nonempty"])
        # Later seeds have more of the language; the games of the earlier ones stay what they were.
        self.has_more = seed >= MORE_FROM
        self.choices: list[tuple[str, dict[str, str]]] = []
        self.rule, self.phases = "", 0

    def text(self) -> str:
        cards = ""
        for at, name in enumerate(CARDS):
            cards += f"    Card {name}  North, rank {at // 2 + 1}{', red' if at % 2 else ''}\n        play\n"
            cards += self.card_text()
        for at in range(3):
            cards += f"    Card B{at + 1}  South, rank {at + 1}{', red' if at % 2 else ''}\n        play\n"
            cards += "            s.points += 1\n"
        head = HEAD.format(
            seed=self.seed,
            hand=self.hand,
            deck=self.pick(["count", "hidden"]),
            load=self.pick(["", "", ", visible to it.side, count to others"]),
            told=self.pick(["", ', told "{it} is worth {worth}"', ", untold"]),
            cards=cards.rstrip(),
        )
        out = [head, self.functions()]
        for at in range(self.rng.randint(0, 2)):
            out.append(self.signal(f"hey{at}"))
        for at in range(self.rng.randint(1, 3)):
            out.append(self.procedure(f"act{at}"))
        phases = [f"turn{at}" for at in range(self.rng.randint(1, 3))]
        self.phases = len(phases)
        out += [self.phase(name) for name in phases]
        if self.chance(3):
            out.append(self.aside())
        if self.chance(3):
            out.append(self.whenever())
        out += [self.amendment() for _ in range(self.rng.randrange(3))] if self.has_more else []
        sequence = (
            SEQUENCE.replace("    spread\n    for", "    spread\n    mine\n    mine\n    for")
            if self.has_more
            else SEQUENCE
        )
        out += [MINES] if self.has_more else []
        out.append(sequence + "".join(f"        {name}\n        wait\n" for name in phases) + "    end game, draw\n")
        text = "\n".join(out)
        return (
            text.replace("    holds units: Unit\n", "    holds units: Unit\n    holds mines: Card\n")
            if self.has_more
            else text
        )

    # ---- chance

    def chance(self, one_in: int) -> bool:
        return self.rng.randrange(one_in) == 0

    def pick(self, items: list[str]) -> str:
        return items[self.rng.randrange(len(items))]

    def fresh(self, prefix: str) -> str:
        self.number += 1
        return f"{prefix}{self.number}"

    def of(self, names: dict[str, str], *types: str) -> list[str]:
        return [name for name, type_ in names.items() if type_ in types]

    # ---- who

    def side(self, names: dict[str, str]) -> str:
        some = ["North"] * 6 + ["active", "South", *self.of(names, "side") * 4]
        some += [f"{c}.side" for c in self.of(names, "card")]
        return self.pick(some)

    def chooser(self, names: dict[str, str]) -> str:
        return self.pick(["North"] * 5 + ["active"] * 2 + ["South"] * 2 + ["East"] + self.of(names, "side") * 5)

    # ---- what may be hidden

    def card(self, names: dict[str, str]) -> str:
        return self.pick([*self.of(names, "card") * 4, self.pick(list(CARDS))])

    def cards(self, names: dict[str, str], depth: int = 1) -> str:
        s = self.side(names)
        place = self.pick(["hand", "hand", "hand", "vault"])
        some = [f"{s}.{place}"] * 5 + [
            f"{s}.{place}[red]", f"{s}.{place}[rank > 1]", f"{s}.{place}[mark]", f"Card[it in {s}.{place}]",
            f"({s}.hand + {s}.vault)", f"({s}.{place} & Card[red])", f"board[side == {s}]", "board[red]", "board",
            f"({s}.{place} - {s}.plans)", f"{s}.plans", f"Card[side == {s} and red]", f"reds({s})",
            f"(most k in {s}.{place} by k.rank)", f"set(k for k in {s}.{place})", 
            f"(if night then {s}.hand else {s}.vault)",
            *self.of(names, "cards"), *(f"{some}[red]" for some in self.of(names, "cards")),
        ]  # fmt: skip
        if self.has_more:
            t = self.town(names)
            some += [
                f"{t}.mines[side == {s}]",
                f"Town.mines[side == {s}]",
                f"Town.mines[side == {s} and red]",
                f"{t}.mines",
            ]
        if depth:
            k = self.fresh("k")
            some.append(f"{s}.{place}[{self.condition({**names, 'it': 'card'}, 0)}]")
            some.append(f"set({k} for {k} in {self.cards(names, 0)})")
        return self.pick(some)

    def units(self, names: dict[str, str]) -> str:
        s, t = self.side(names), self.town(names)
        some = [
            f"{t}.units[side == {s}]", f"{t}.units[side == {s}]", f"{s}.pouch", f"{t}.units", "Town.units",
            f"{t}.units[arm == horse]", f"{s}.pouch[arm == foot]", f"{t}.units[side == {s} and arm == foot]",
            f"{t}.units[not down]", f"{t}.units[tired]", *(f"{c}.load" for c in self.of(names, "card") * 2),
        ]  # fmt: skip
        return self.pick([*some, *self.of(names, "units")])

    def town(self, names: dict[str, str]) -> str:
        return self.pick(["Mill", "Mill", "Ford", "Reeds", *self.of(names, "town") * 3])

    def towns(self, names: dict[str, str], depth: int = 1) -> str:
        s = self.side(names)
        some = ["Town", "Town", "Town[coast]", f"Town[control == {s}]", f"ways({s})", f"{self.town(names)}.road"]
        some += ["Town[some it.units[arm == horse]]", f"march({s})", "Town[heat > 0]"]
        if depth:
            some.append(f"(if {self.condition(names, 0)} then Town else {{Mill}})")
            some.append(f"Town[{self.condition({**names, 'it': 'town'}, 0)}]")
        return self.pick(some)

    def amount(self, names: dict[str, str], depth: int = 1) -> str:
        c = self.card(names)
        s = self.side(names)
        some = ["1", "2", f"{c}.rank", f"{c}.worth", f"count({self.cards(names, 0)})", f"count({self.units(names)})"]
        some += [f"strength({s})", f"price({c})", f"{s}.points", f"chart({c}.rank)", *self.of(names, "int") * 4]
        k = self.fresh("k")
        some += [f"max({k}.rank for {k} in {self.cards(names, 0)})", f"sum({k}.rank for {k} in {self.cards(names, 0)})"]
        if depth:
            some.append(f"(if {self.condition(names, 0)} then 1 else 2)")
            some.append(f"({self.amount(names, 0)} + {self.amount(names, 0)})")
        return self.pick(some)

    def condition(self, names: dict[str, str], depth: int = 1) -> str:
        s = self.side(names)
        some = [f"some {self.cards(names, 0)}", f"none {self.cards(names, 0)}", f"{self.amount(names, 0)} > 1"]
        some += [f"{s}.plan == {self.card(names)}", f"some {s}.plan", f"{self.card(names)} in {self.cards(names, 0)}"]
        some += [
            f"has_red({s})",
            f"best({s}) == {self.card(names)}",
            f"some {self.units(names)}",
            f"seen == {self.card(names)}",
        ]
        k, w = self.fresh("k"), self.fresh("w")
        some += [f"some {k} in {self.cards(names, 0)}: {k}.red", f"every {k} in {self.cards(names, 0)}: {k}.rank > 1"]
        some += [f"some {w} in {self.units(names)}: {w}.arm == guns", "night", f"{s}.points > 0"]
        for c in self.of(names, "card") * 3:
            some += [
                f"{c}.red",
                f"{c}.rank > 1",
                f"{c}.mark",
                f"keen({c})",
                f"{c} in {self.cards(names, 0)}",
                f"{c}.down",
            ]
            some += [f"{c}.side == {s}", f"{c} in {{A2, A4, B1}}"]
        for u in self.of(names, "unit") * 3:
            some += [f"{u}.arm == horse", f"{u}.tired", f"rides({u})", f"{u}.down", f"{u}.arm == foot"]
        for b in self.of(names, "bool") * 4:
            some += [b, f"not {b}"]
        for t in self.of(names, "town"):
            some += [f"{t} in {self.towns(names, 0)}", f"{t}.coast", f"some {t}.units[arm == horse]"]
        if depth:
            one, two = self.condition(names, 0), self.condition(names, 0)
            some += [f"not ({one})", f"({one}) and ({two})", f"({one}) or ({two})", f"(if {one} then {two} else night)"]
        return self.pick(some)

    def unturned(self, condition: str, names: dict[str, str]) -> str:
        """A condition that reads nothing that may lie face down: there the writer of an amendment is believed."""
        return (
            self.open_condition(names) if re.search(r"board|units|down|march|rides|strength", condition) else condition
        )

    def open_condition(self, names: dict[str, str]) -> str:
        """What all can see."""
        return self.pick(
            [
                "night",
                "North.points > 0",
                "South.points == 0",
                "Mill.heat > 0",
                "Mill.control == North",
                "active == North",
            ]
        )

    def functions(self) -> str:
        return f"""
function has_red(s: Side) -> bool
    some s.{self.pick(["hand", "vault"])}[red]
function best(s: Side) -> maybe Card
    {self.pick(["first(s.hand)", "s.plan", "first(most k in s.hand by k.rank)"])}
function reds(s: Side) -> set of Card
    {self.pick(["s.hand[red]", "Card[red and it in s.vault]", "s.plans", "if has_red(s) then s.hand else s.vault"])}
function ways(s: Side) -> set of Town
    if {self.pick(["has_red(s)", "s.points > 1", "some s.vault[rank == 1]", "A2 in s.hand"])} then Town else {{Mill}}
function strength(s: Side) -> int
    {self.pick(["sum(k.rank for k in s.hand)", "count(s.vault[red])", "count(Town.units[arm == foot])", "s.points"])}
value price(c: Card) -> int
    {self.pick(["c.rank", "if c.red then 1 else 2", "c.worth + 1", "count(c.side.hand)"])}
{self.pick(["", "adjust price(c) add 1 when c.red", "adjust price(c) add 1 when some c.side.vault[red]"])}
predicate keen(c: Card)
    require {self.pick(["c.red", "c.rank > 1", "c in c.side.hand", "not c.down", "c.mark"])}
predicate rides(u: Unit)
    require {self.pick(["u.arm == horse", "not u.down", "not u.tired"])}
table chart(n: int) -> int
    | 1 | 1 |
    | 2 | 2 |
    | otherwise | {self.pick(["3", "1"])} |
route march(s: Side) from Mill by road, at most {self.pick(["2", "(if has_red(s) then 2 else 1)", "s.points"])} steps
    enter b
        require {self.pick(["b.coast", "some s.hand[red]", "none b.units[arm == guns]", "s.points >= 0"])}
"""

    # ---- statements

    def card_text(self) -> str:
        """What a card asks, at least once: that a card asks at all, all see while it does. Whether there is one answer
        to it, or none, they do not see."""
        out = ""
        if self.chance(4):  # a card that has nothing to ask, made like the others (RS347)
            name = self.fresh("t")
            return f'            may by s: {name} "Go on"\n                s.points += 0\n            s.points += 1\n'
        ways = ["t in Town", "n in 1..2", "t in Town[coast]", "n in 1..1", "t in Town[heat > 8]"]
        ways += ["up to 2 from Town[heat > 8] as ts", "1 from Town[not coast] as ts"]
        for _ in range(self.rng.randint(1, 2)):
            name = self.fresh("t")
            out += f'            choose by s {name}: {self.pick(ways)} "{name.title()}"\n'
            if self.chance(4):
                out += "                s.plan = nothing\n"
        return out + "            s.points += 1\n"

    def signal(self, name: str) -> str:
        params = (self.pick(["card", "card", "unit", "bool", "int", "side"]),)
        self.signals[name] = params
        said = {"card": "Card", "unit": "Unit", "bool": "bool", "int": "int", "side": "Side"}
        names = {"x": params[0]}
        out = f"signal {name}(x: {said[params[0]]})\n"
        for _ in range(self.rng.randint(1, 2)):
            if self.chance(4):
                out += f"when {name}(x) if {self.open_condition(names)}\n{self.block(1, names, 'North', 1)}\n"
            else:
                who = self.chooser(names)
                out += f"when {name}(x) if {self.unturned(self.condition(names), names)}\n"
                out += f'    may by {who}: {self.fresh("r")} "React{self.words(names)}"\n'
                if self.chance(3):
                    out += f"        require {self.condition(names)}\n"
                out += self.block(2, names, who, 1) + "\n"
        return out

    def procedure(self, name: str) -> str:
        params = tuple(
            self.pick(["card", "card", "side", "side", "bool", "int", "unit", "town", "cards"])
            for _ in range(self.rng.randint(1, 3))
        )
        names = {f"{type_[0]}p{at}": type_ for at, type_ in enumerate(params)}
        said = {
            "card": "Card",
            "unit": "Unit",
            "bool": "bool",
            "int": "int",
            "side": "Side",
            "town": "Town",
            "cards": "set of Card",
        }
        gives = self.pick(["", "", "", "card", "bool", "int"])
        arrow = f" -> {said[gives]}" if gives and (gives != "card" or self.of(names, "card")) else ""
        body = self.block(1, dict(names), self.chooser(names), 3)
        if arrow:
            value = {
                "card": lambda: self.pick(self.of(names, "card")),
                "bool": lambda: self.condition(names),
                "int": lambda: self.amount(names),
            }
            body += f"\n    return {value[gives]()}"
        head = f"procedure {name}({', '.join(f'{n}: {said[t]}' for n, t in names.items())}){arrow}"
        if self.chance(4):
            told = "".join(f" {{{n}}}" for n in self.of(names, "card", "unit"))
            body = f'    headline "{name}{told}"\n{body}'
        self.procedures[name] = (params, gives if arrow else "")
        return f"{head}\n{body}\n"

    def phase(self, name: str) -> str:
        names: dict[str, str] = {}
        self.rule = name
        luck = self.luck(1, names, "North") + "\n" if self.chance(2) else ""
        return f'phase {name} "{name.title()}"\n{luck}{self.block(1, names, "North", 3)}\n'

    def block(self, indent: int, names: dict[str, str], who: str, size: int) -> str:
        return "\n".join(self.statement(indent, names, who) for _ in range(self.rng.randint(1, size)))

    def statement(self, indent: int, names: dict[str, str], who: str) -> str:
        ways = [self.effect, self.effect, self.call, self.call, self.let, self.let, self.tell, self.send]
        ways += [self.luck] * 3
        if indent < 4:
            ways += (
                [self.choose] * 5
                + [self.may] * 2
                + [self.several, self.each, self.loop, self.branch, self.sealed, self.sides]
            )
        if self.has_more:
            ways += [self.moves] * 2
            if indent < 4:
                ways += [self.together, self.any_of, self.rounds, self.shared, self.single] * 2
        return ways[self.rng.randrange(len(ways))](indent, names, who)

    def moves(self, indent: int, names: dict[str, str], who: str) -> str:
        """Several at once, from where all see that they are."""
        t = self.town(names)
        some = [
            f"move Town.mines[side == North] to {t}.mines", "move Town.mines[side == North] to North.vault",
            f"move Town.units[side == North] to {t}", "move board[side == North] to North.vault",
            "move North.vault to North.hand",
            f"move up to 1 from {t}.units[side == South] to Ford", "move North.vault to top of North.deck",
            f"for x in Town.mines[side == North]\n{'    ' * indent}    move x to {t}.mines",
        ]  # fmt: skip
        return "    " * indent + self.pick(some)

    def together(self, indent: int, names: dict[str, str], who: str) -> str:
        pad = "    " * indent
        out = f"{pad}together"
        for side in self.rng.sample(["North", "South", "East"], 2):
            picks, picked = (
                self.picks(names, 1) if side == "North" else (f"{(t := self.fresh('t'))} in Town", {t: "town"})
            )
            out += f'\n{pad}    {side}: choose {self.fresh("b")}: {picks} "Both"'
            if self.chance(2):
                out += f"\n{pad}        require {self.condition({**names, **picked})}"
            out += f"\n{pad}        {side}.points += 1"
            out += f"\n{pad}    or pass" if self.chance(2) else ""
        return out

    def any_of(self, indent: int, names: dict[str, str], who: str) -> str:
        pad, c = "    " * indent, self.fresh("c")
        among = self.pick(["{North, South}", "{South, North}", "{North, East}", "Side"])
        place = self.pick(["hand", "hand[red]", "vault"])
        out = f'{pad}may choose by any of {among} {self.fresh("a")}: {c} in chooser.{place} "Any"'
        if self.chance(2):
            out += f"\n{pad}    require {self.condition({**names, c: 'card'})}"
        return f"{out}\n{pad}    {self.pick([f'{c}.mark = yes', 'night = yes', f'move {c} to board'])}"

    def rounds(self, indent: int, names: dict[str, str], who: str) -> str:
        pad = "    " * indent
        out = f"{pad}repeat 2 times\n{self.choose(indent + 1, dict(names), who)}"
        return out if out.endswith("or pass") else f"{out}\n{pad}    or stop"

    def shared(self, indent: int, names: dict[str, str], who: str) -> str:
        """Two ways with a requirement for both."""
        pad, by = "    " * indent, self.chooser(names)
        one, _ = self.picks(names, 1)
        two, _ = self.picks(names, 2)
        out = f'{pad}choose by {by} {self.fresh("c")}: {one} "One"\n{pad}    {by}.points += 1\n'
        out += f'{pad}or choose {self.fresh("c")}: {two} "Two"\n{pad}    night = yes\n'
        return f"{out}{pad}all\n{pad}    require North.points < 9\n{pad}    require {self.condition(names)}"

    def single(self, indent: int, names: dict[str, str], who: str) -> str:
        """One way, of which it may be that nothing is open, or one thing is, or one is as good as the other."""
        pad, by = "    " * indent, self.pick(["North"] * 4 + self.of(names, "side"))
        t, c, u = self.fresh("t"), self.fresh("c"), self.fresh("u")
        arms = self.pick(["arm == guns", "arm == horse", "arm != foot", "not tired"])
        picks, inside = {
            0: (f"{u} in Town.units[side == {by} and {arms}]", {u: "unit"}),
            1: (f"{u} in Town.units[side == {by} and {arms}], {c} in {by}.hand", {u: "unit", c: "card"}),
            2: (f"{u} in {by}.pouch, {t} in Town", {u: "unit", t: "town"}),
            3: (f"{c} in Town.mines[side == {by}], {t} in Town", {c: "card", t: "town"}),
            4: (f"{c} in most k in Town.mines[side == {by}] by k.rank", {c: "card"}),
        }[self.rng.randrange(5)]
        out = f'{pad}choose by {by} {self.fresh("c")}: {picks} "Single"'
        open_ones = [
            f"{u}.place.coast" if u in inside else "night",
            f"none {t}.units[side != {by}]" if t in inside else "night",
        ]
        for require in [self.pick([*open_ones, "North.points > 0"]), self.condition({**names, **inside})]:
            if self.chance(2):
                out += f"\n{pad}    require {require}"
        return f"{out}\n{pad}    {by}.points += 1"

    def amendment(self) -> str:
        """Something more about a choice of a phase, or about the phase."""
        rule = f"turn{self.rng.randrange(self.phases)}"
        if not self.choices or self.chance(3):
            moment = self.pick(["before", "after"])
            return f"{moment} {rule} when {self.open_condition({})}\n{self.block(1, {}, 'North', 1)}\n"
        name, picked = self.choices[self.rng.randrange(len(self.choices))]
        when = f" when {self.open_condition({})}" if self.chance(2) else ""
        if self.chance(2):
            return f"restrict {name}{when}\n    require North.points < 9\n    require {self.condition(picked)}\n"
        cards = self.cards({})
        return f'extend {name}{when}\n    or choose {self.fresh("c")}: m in {cards} "More"\n        night = yes\n'

    def effect(self, indent: int, names: dict[str, str], who: str) -> str:
        pad = "    " * indent
        some = [
            f"{who}.points += 1", f"{self.town(names)}.heat += 1", f"{self.town(names)}.control = {who}",
            "night = yes", "night = no", f"North.plan = {self.pick(['nothing', 'best(North)', self.card(names)])}",
        ]  # fmt: skip
        for c in self.of(names, "card") * 2:
            some += [
                f"{c}.mark = {self.condition(names)}",
                f"{c}.worth = {self.amount(names)}",
                f"{who}.plan = {c}",
                f"{c}.worth += 1",
            ]
            some += [f"{who}.plans += {c}", f"North.plan = {c}", f"seen = {c}"]
        for u in self.of(names, "unit"):
            some += [f"{u}.tired = {self.condition(names)}", f"{u}.tired = yes"]
        for c in self.of(names, "card"):
            some += [f"move up to 1 from South.pouch[arm == {self.pick(['foot', 'horse'])}] to {c}.load"] * 3
            some += [f"move {c}.load home"]
        return pad + self.pick(some)

    def luck(self, indent: int, names: dict[str, str], who: str) -> str:
        """What chance decides, out of sight; and a die."""
        pad, drawn = "    " * indent, self.fresh("d")
        some = [
            "draw 1 from North.deck to North.vault", "draw 1 from North.hand to North.vault", "shuffle North.deck",
            "draw 2 from North.vault to North.hand", "draw 1 from North.pouch to East.pouch",
            "draw 1 from North.hand to East.hand", "draw 1 from North.deck to board",
            "draw 1 from North.hand to South.vault",
            f"draw 1 from North.hand to North.vault as {drawn}", f"draw 1 from {self.cards(names)} as {drawn}",
        ]  # fmt: skip
        if self.seed % 2:  # with a seed, what is drawn unseen decides which numbers are left for the dice
            some.append(f"roll d6 as {drawn}")
        line = self.pick(some)
        if line.endswith(drawn):
            names[drawn] = "int" if line.startswith("roll") else "cards"
        return pad + line

    def branch(self, indent: int, names: dict[str, str], who: str) -> str:
        pad = "    " * indent
        hidden = [f"{c}.mark = yes" for c in self.of(names, "card")] + [
            f"{c}.worth = 3" for c in self.of(names, "card")
        ]
        if hidden and self.chance(2):
            return f"{pad}if {self.condition(names)}\n{pad}    {self.pick(hidden)}"
        return f"{pad}if {self.open_condition(names)}\n{self.block(indent + 1, dict(names), who, 2)}"

    def tell(self, indent: int, names: dict[str, str], who: str) -> str:
        parts = [f"{{{c}}}" for c in self.of(names, "card", "unit")] + [f"{{{c}.rank}}" for c in self.of(names, "card")]
        parts += [f"{{{c}.rank + 1}}" for c in self.of(names, "card")] + [
            f"{{{u}.arm}}" for u in self.of(names, "unit")
        ]
        parts += [f"{{price({c})}}" for c in self.of(names, "card")] + [
            f"{{{c}.worth}}" for c in self.of(names, "card")
        ]
        parts += ["{North.plan}", "{seen}", "{North.points}"]
        return f'{"    " * indent}tell "So: {self.pick(parts)}{self.pick(parts)}."'

    def value(self, type_: str, names: dict[str, str]) -> str:
        match type_:
            case "card":
                return self.card(names)
            case "cards":
                return self.cards(names)
            case "unit":
                return self.pick(self.of(names, "unit"))
            case "bool":
                return self.condition(names)
            case "int":
                return self.amount(names)
            case "town":
                here = f"if {self.condition(names, 0)} then {self.town(names)} else {self.town(names)}"
                return self.pick([self.town(names), here])
        here = f"if {self.condition(names, 0)} then {self.side(names)} else {self.side(names)}"
        return self.pick([self.side(names), self.side(names), here])

    def call(self, indent: int, names: dict[str, str], who: str) -> str:
        fitting = [n for n, (params, _) in self.procedures.items() if "unit" not in params or self.of(names, "unit")]
        if not fitting:
            return self.effect(indent, names, who)
        name = self.pick(fitting)
        params, gives = self.procedures[name]
        given = f"{name}({', '.join(self.value(p, names) for p in params)})"
        if gives:
            result = self.fresh("g")
            line = f"let {result} = {given}"
            names[result] = gives
            return "    " * indent + line
        return "    " * indent + given

    def send(self, indent: int, names: dict[str, str], who: str) -> str:
        fitting = [n for n, params in self.signals.items() if "unit" not in params or self.of(names, "unit")]
        if not fitting:
            return self.effect(indent, names, who)
        name = self.pick(fitting)
        return f"{'    ' * indent}signal {name}({self.value(self.signals[name][0], names)})"

    def let(self, indent: int, names: dict[str, str], who: str) -> str:
        name, type_ = self.fresh("l"), self.pick(["bool", "int", "cards", "bool", "int", "card", "town", "side"])
        line = f"{'    ' * indent}let {name} = {self.value(type_, names)}"
        names[name] = type_
        return line

    def words(self, names: dict[str, str]) -> str:
        parts = [f" {{{n}}}" for n in self.of(names, "card", "unit", "int", "town", "side")] * 2
        if self.chance(4):
            parts += [f" {{{self.amount(names)}}}"] * 3
        return "".join(part for part in parts if self.chance(3))

    def aftermath(self, indent: int, picked: dict[str, str], inside: dict[str, str], who: str) -> tuple[bool, str]:
        """What follows a choice; whether it brings to light what was picked."""
        pad = "    " * indent
        cards = self.of(picked, "card")
        units = self.of(picked, "unit")
        if cards and self.chance(4):
            to = self.pick(["South", "South", "East", "{South, East}", "active", *self.of(inside, "side")])
            return True, f"{pad}reveal {self.pick(cards)} to {to}\n{self.block(indent, inside, who, 2)}"
        if cards and self.chance(5):
            c = self.pick(cards)
            before = self.block(indent, inside, who, 1) + "\n" if self.chance(2) else ""
            return True, before + pad + self.pick([f"move {c} to board", f"reveal {c}", f"{c}.down = no"])
        if cards and self.chance(4):
            c = self.pick(cards)
            shut = [
                f"move {c} to North.vault",
                f"{c}.play(North)",
                f"reveal {c} to North",
                f"reveal {c} to South",
                f"reveal {c} to East",
                f"{c}.mark = yes",
                f"seen = {c}",
                f"{who}.plans += {c}",
            ]
            return False, pad + self.pick(shut) + "\n" + self.block(indent, inside, who, 2)
        if units and self.chance(3):
            return True, f"{pad}{self.pick(units)}.down = no"
        return False, self.block(indent, inside, who, 2)

    def picks(self, names: dict[str, str], many: int) -> tuple[str, dict[str, str]]:
        inside, out = dict(names), []
        picked: dict[str, str] = {}
        for _ in range(many):
            type_ = self.pick(["card", "card", "card", "town", "town", "unit", "int"])
            name = self.fresh(type_[0])
            source = {
                "card": self.cards, "town": self.towns, "unit": self.units,
                "int": lambda n: self.pick([f"set(k.rank for k in {self.cards(n, 0)})", "1..2"]),
            }[type_](inside)  # fmt: skip
            out.append(f"{name} in {source}")
            inside[name] = picked[name] = type_
        return ", ".join(out), picked

    def alternative(self, indent: int, names: dict[str, str], who: str, head: str, prefix: str) -> str:
        pad = "    " * indent
        said, picked = self.picks(names, 0 if head.startswith("may") else self.rng.choice([0, 1, 1, 1, 2]))
        if said and head == "or ":
            head = "or choose "
        inside = {**names, **picked}
        is_open, body = self.aftermath(indent + 1, picked, dict(inside), who)
        name = self.fresh("o_" if is_open else prefix)
        out = f'{pad}{head}{name}{": " if said else " "}{said} "{name.title()}{self.words(inside)}"'
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            out += f"\n{pad}    require {self.condition(inside)}"
        return f"{out}\n{body}"

    def choose(self, indent: int, names: dict[str, str], who: str) -> str:
        pad = "    " * indent
        by = self.chooser(names)
        first = self.alternative(indent, names, by, f"choose by {by} ", "c")
        out = first
        self._note_choice(first)
        while self.chance(3):
            out += "\n" + self.alternative(indent, names, by, "or ", "c")
        is_alone = out is first and ":" not in first.split('"')[0]
        return out + (f"\n{pad}or pass" if is_alone or self.chance(2) else "")

    def _note_choice(self, first: str) -> None:
        """A choice that an amendment may name, with the cards it picks."""
        found = re.match(r" *choose by \S+ (\w+)[: ]([^\"]*)", first)
        if found is not None and self.rule:
            picked = {name: "card" for name in re.findall(r"\b(c\d+) in ", found[2])}
            self.choices.append((f"{self.rule}.{found[1]}", picked))

    def may(self, indent: int, names: dict[str, str], who: str) -> str:
        by = self.chooser(names)
        return self.alternative(indent, names, by, f"may by {by}: ", "y")

    def several(self, indent: int, names: dict[str, str], who: str) -> str:
        pad = "    " * indent
        by, name, chosen = self.chooser(names), self.fresh("m"), self.fresh("x")
        many = self.pick(
            ["2", "up to 2", "any number", f"up to {self.amount(names, 0)}", f"{self.amount(names, 0)}", "1"]
        )
        out = f'{pad}choose by {by} {name}: {many} from {self.cards(names)} as {chosen} "{name.title()} {{{chosen}}}"\n'
        if self.chance(3):
            out += f"{pad}    require {self.condition({**names, chosen: 'cards'})}\n"
        return (
            out
            + self.block(indent + 1, {**names, chosen: "cards"}, by, 2)
            + (f"\n{pad}or pass" if self.chance(2) else "")
        )

    def each(self, indent: int, names: dict[str, str], who: str) -> str:
        pad = "    " * indent
        by, name, c, t = self.chooser(names), self.fresh("e"), self.fresh("c"), self.fresh("t")
        inside = {**names, c: "card"}
        given = f"each {c} in {self.cards(names)} to {t} in {self.towns(inside)} as {self.fresh('p')}"
        out = f'{pad}choose by {by} {name}: {given} "{name.title()} {{{c}}} {{{t}}}"\n'
        if self.chance(3):
            out += f"{pad}    require {self.condition({**inside, t: 'town'})}\n"
        return out + f"{pad}    {c}.mark = yes"

    def loop(self, indent: int, names: dict[str, str], who: str) -> str:
        """Over what all can count, with anything; over what is hidden, with what nobody sees."""
        pad = "    " * indent
        if self.chance(2):
            c = self.fresh("c")
            return f"{pad}for {c} in {self.cards(names)}\n{pad}    {self.pick([f'{c}.mark = yes', f'{c}.worth += 1'])}"
        if self.hand == "count" and self.chance(2):
            c = self.fresh("c")
            head = f"{pad}for {c} in North.{self.pick(['hand', 'vault'])}"
            return f"{head}\n{self.block(indent + 1, {**names, c: 'card'}, who, 2)}"
        u = self.fresh("u")
        return f"{pad}for {u} in Mill.units[side == North]\n{self.block(indent + 1, {**names, u: 'unit'}, who, 2)}"

    def sides(self, indent: int, names: dict[str, str], who: str) -> str:
        s = self.fresh("s")
        return f"{'    ' * indent}for {s} in [North, South]\n{self.block(indent + 1, {**names, s: 'side'}, s, 2)}"

    def sealed(self, indent: int, names: dict[str, str], who: str) -> str:
        pad = "    " * indent
        s, name = self.fresh("s"), self.fresh("b")
        inside = {**names, s: "side"}
        picks, picked = self.picks(inside, self.rng.choice([1, 1, 2]))
        out = f'{pad}each {s} in {{North, South}} sealed\n{pad}    choose by {s} {name}: {picks} "{name.title()}"\n'
        if self.chance(2):
            out += f"{pad}        require {self.condition({**inside, **picked})}\n"
        return out + f"{pad}        {s}.points += 1\n{pad}    or pass"

    def aside(self) -> str:
        c = self.fresh("c")
        picks = self.pick([f"{c} in {self.cards({})}", f"{c} in {self.cards({})}", f"t in {self.towns({})}"])
        inside = {c: "card"} if picks.startswith(c) else {"t": "town"}
        by = self.pick(["active", "North", "North"])
        head = f'aside {self.fresh("z")}: {picks} "Aside{self.words(inside)}" by {by}'
        out = f"{head} during {self.pick(['turn0', 'active'])}\n"
        out += f"    require {by}.points < 3\n"
        if self.chance(2):
            out += f"    require {self.condition(inside)}\n"
        return out + f"    {by}.points += 1\n"

    def whenever(self) -> str:
        if self.chance(2):
            return f"whenever some c in {self.cards({}, 0)}: {self.condition({'c': 'card'}, 0)}\n    c.mark = yes\n"
        return f"whenever {self.open_condition({})}\n{self.block(1, {}, 'North', 1)}\n"


def rules(seed: int) -> str:
    return Made(seed).text()


def questions(seed: int) -> list[str]:
    """What somebody might want to have explained, whatever the game."""
    made = Made(seed)
    ways = [made.condition, made.amount, made.cards, made.towns, made.units]
    asked = [ways[made.rng.randrange(len(ways))]({}) for _ in range(40)]
    return [*asked, "A1.load", "count(A2.load)", "Card[some it.load]", "count(Card.load)"]


# The names that rules may have, by what they stand for.
NAMES = ["s", "x", *(f"{sort}p{at}" for sort in "csbiut" for at in range(3))]
