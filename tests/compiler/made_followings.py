"""Small games made at random in which names for pieces go through procedures, signals, hooks, lists and what things do;
and what they must come to.

A game is made as a tree of steps. `text` writes it as rules, `Model` plays it with pieces that are told apart: each
name stands for one piece and never for another. Pieces are taken from a box of alike ones that none goes back to, so
that it does not matter which of them is taken.
"""

from __future__ import annotations

from random import Random
from typing import Any

PLACES = "ABC"
STATES = {"tired": ("no", "yes"), "hurt": ("no", "yes"), "steps": ("0", "1", "2", "3")}
HEAD = """rulescript 1
game "Followed {seed}"
kind Side
    holds box: Unit
things
    Side Red
players Side
state active: Side
kind Area
    holds units: Unit
things
    Area A
    Area B
    Area C
pieces Unit: side: Side
    state tired: bool
    state hurt: bool, lasts in Area
    state steps: {steps}
    state brief: bool{brief}
    home side.box
things
    Unit Foot  Red, 4000
"""

Step = tuple[Any, ...]


class Rule:
    """Something that is called with pieces: how it is declared, how it is called, what it does."""

    def __init__(self, name: str, form: str, params: list[str]) -> None:
        self.name, self.form, self.params = name, form, params
        self.before: list[Step] = []
        self.block: list[Step] = []
        self.after: list[Step] = []
        self.gives = False


class Made:
    """One game."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.seed = seed
        self.number = 0
        self.rules: list[Rule] = []
        self.bounded = self.rng.random() < 0.5
        for at in range(self.rng.randint(2, 6)):
            self.rules.append(self._rule(at))
        self.ends = [rule.name for rule in self.rules if rule.form == "procedure" and self.rng.random() < 0.4]
        self.main = self._block([], 0, True, 7)

    # ---- making

    def fresh(self, prefix: str) -> str:
        self.number += 1
        return f"{prefix}{self.number}"

    def _rule(self, at: int) -> Rule:
        form = self.rng.choice(["procedure", "procedure", "procedure", "signal", "does"])
        rule = Rule(f"act{at}", form, [f"p{at}", f"q{at}"][: self.rng.randint(1, 2)])
        asks = self.rng.random() < 0.4
        rule.block = self._block(list(rule.params), 1, asks, 4)
        if form == "procedure" and self.rng.random() < 0.3:
            rule.before = self._block(list(rule.params), 2, False, 2)
        if form == "procedure" and self.rng.random() < 0.3:
            rule.after = self._block(list(rule.params), 2, False, 2)
        if form == "procedure" and self.rng.random() < 0.3 and not rule.after:
            rule.gives = True
        return rule

    def _block(self, names: list[str], depth: int, asks: bool, size: int) -> list[Step]:
        own, out = list(names), []
        for _ in range(self.rng.randint(1, size)):
            out.append(self._step(own, depth, asks))
        return out

    def _step(self, names: list[str], depth: int, asks: bool) -> Step:
        rng = self.rng
        ways = ["move", "set", "set", "call", "call"] if names else ["take"]
        if depth < 3:
            ways += ["take", "several"] + (["if", "repeat"] if names else []) + (["may"] if asks and names else [])
        way = rng.choice(ways)
        if way == "move":
            return ("move", rng.choice(names), rng.choice(PLACES))
        if way == "set":
            state = rng.choice([*STATES, "brief"])
            return ("set", rng.choice(names), state, rng.choice(STATES.get(state, ("no", "yes"))))
        if way == "call":
            fitting = [rule for rule in self.rules if len(rule.params) <= len(names)]
            if not fitting:
                return ("move", rng.choice(names), rng.choice(PLACES))
            rule = rng.choice(fitting)
            given = rng.sample(names, len(rule.params))
            result = ""
            if rule.gives:
                # Given back is the first parameter: the name it was given by is left alone from now on.
                result = self.fresh("g")
                names.remove(given[0])
                names.append(result)
            return ("call", rule, given, result)
        if way == "take":
            name = self.fresh("u")
            names.append(name)
            return ("take", name, rng.choice(PLACES))
        if way == "several":
            several, each = self.fresh("l"), self.fresh("e")
            first = self._block([each], depth + 1, asks and rng.random() < 0.3, 3)
            second = self._block([each], depth + 1, False, 2)
            return ("several", several, each, rng.choice(PLACES), first, rng.choice(["", *PLACES]), second)
        if way == "if":
            test = (rng.choice(names), rng.choice(["tired", "hurt", "brief"]))
            kept = list(names)
            return ("if", test, self._block(kept[:], depth + 1, asks, 2), self._block(kept[:], depth + 1, False, 2))
        if way == "repeat":
            return ("repeat", 2, self._without_results(names, depth, asks))
        return ("may", self.fresh("w"), self._without_results(names, depth, asks))

    def _without_results(self, names: list[str], depth: int, asks: bool) -> list[Step]:
        return self._block(list(names), depth + 1, asks, 2)

    # ---- writing

    @property
    def text(self) -> str:
        brief = f", lasts {self.ends[0]}" if self.ends else ""
        out = [HEAD.format(seed=self.seed, steps="0..3" if self.bounded else "int", brief=brief)]
        for rule in self.rules:
            given = ", ".join(f"{p}: Unit" for p in rule.params)
            block = self._written(rule.block, 1)
            names = ", ".join(rule.params)
            if rule.form == "procedure":
                gives = " -> Unit" if rule.gives else ""
                back = f"\n    return {rule.params[0]}" if rule.gives else ""
                out.append(f"procedure {rule.name}({given}){gives}\n{block}{back}\n")
                for when, hook in (("before", rule.before), ("after", rule.after)):
                    if hook:
                        out.append(f"{when} {rule.name}({names})\n{self._written(hook, 1)}\n")
            elif rule.form == "signal":
                out.append(f"signal {rule.name}({given})\nwhen {rule.name}({names})\n{block}\n")
            else:
                deed = f"do_{rule.name}"
                inside = self._written(rule.block, 3)
                out.append(
                    f"kind Card_{rule.name}\n    does {deed}({given})\nthings\n    Card_{rule.name} C_{rule.name}\n"
                    f"        {deed}({given})\n{inside}\n    Card_{rule.name} D_{rule.name}\n        {deed}\n"
                    f'            tell "nothing"\n'
                )
        tests = [
            f"count({place}.units[tired == {tired} and hurt == {hurt} and steps == {steps} and brief == {brief}])"
            for place in PLACES for tired in ("no", "yes") for hurt in ("no", "yes")
            for steps in STATES["steps"] for brief in ("no", "yes")
        ]  # fmt: skip
        told = " ".join(f"{{{test}}}" for test in tests)
        out.append(f'phase play "Play"\n{self._written(self.main, 1)}\n')
        out.append(f'sequence\n    for active in Side\n        play\n    end game, draw "{told}"\n')
        return "\n".join(out)

    def _written(self, block: list[Step], indent: int) -> str:
        pad = "    " * indent
        lines = []
        for step in block:
            match step:
                case ("move", name, place):
                    lines.append(f"{pad}move {name} to {place}")
                case ("set", name, state, value):
                    lines.append(f"{pad}{name}.{state} = {value}")
                case ("call", rule, given, result):
                    args = ", ".join(given)
                    called = {"procedure": rule.name, "signal": f"signal {rule.name}"}.get(rule.form)
                    called = called or f"C_{rule.name}.do_{rule.name}"
                    lines.append(f"{pad}{f'let {result} = ' if result else ''}{called}({args})")
                case ("take", name, place):
                    lines.append(f'{pad}choose pick_{name}: {name} in Red.box "Take {{{name}}}"')
                    lines.append(f"{pad}move {name} to {place}")
                case ("several", several, each, place, first, then, second):
                    lines.append(f'{pad}choose many_{several}: 2 from Red.box as {several} "Take {{{several}}}"')
                    lines.append(f"{pad}move {several} to {place}")
                    lines.append(f"{pad}for {each} in {several}\n{self._written(first, indent + 1)}")
                    if then:
                        lines.append(f"{pad}move {several} to {then}")
                    lines.append(f"{pad}for {each} in {several}\n{self._written(second, indent + 1)}")
                case ("if", (name, state), then, otherwise):
                    lines.append(f"{pad}if {name}.{state}\n{self._written(then, indent + 1)}")
                    lines.append(f"{pad}else\n{self._written(otherwise, indent + 1)}")
                case ("repeat", times, inner):
                    lines.append(f"{pad}repeat {times} times\n{self._written(inner, indent + 1)}")
                case ("may", name, inner):
                    lines.append(f'{pad}may {name} "{name}"\n{self._written(inner, indent + 1)}')
        return "\n".join(lines)


class Model:
    """Plays a made game with pieces that are told apart. `answers` says yes or no, each time it is asked."""

    def __init__(self, made: Made, answers: Any) -> None:
        self.made = made
        self.answers = answers
        self.pieces: list[dict[str, str]] = []

    def play(self) -> str:
        self._run(self.made.main, {})
        counts = []
        for place in PLACES:
            for tired in ("no", "yes"):
                for hurt in ("no", "yes"):
                    for steps in STATES["steps"]:
                        for brief in ("no", "yes"):
                            wanted = {"place": place, "tired": tired, "hurt": hurt, "steps": steps, "brief": brief}
                            counts.append(str(sum(piece == wanted for piece in self.pieces)))
        return " ".join(counts)

    def _new(self, place: str) -> dict[str, str]:
        piece = {"place": place, "tired": "no", "hurt": "no", "steps": "0", "brief": "no"}
        self.pieces.append(piece)
        return piece

    def _run(self, block: list[Step], names: dict[str, dict[str, str]]) -> None:
        for step in block:
            match step:
                case ("move", name, place):
                    names[name]["place"] = place
                case ("set", name, state, value):
                    names[name][state] = value
                case ("call", rule, given, result):
                    own = dict(zip(rule.params, (names[name] for name in given), strict=True))
                    for part in (rule.before, rule.block, rule.after):
                        self._run(part, dict(own))
                    if self.made.ends[:1] == [rule.name]:
                        for piece in self.pieces:
                            piece["brief"] = "no"
                    if result:
                        names[result] = own[rule.params[0]]
                case ("take", name, place):
                    names[name] = self._new(place)
                case ("several", _, each, place, first, then, second):
                    several = [self._new(place) for _ in range(2)]
                    for part in (first, second):
                        for piece in several:
                            self._run(part, {**names, each: piece})
                        for piece in several if part is first and then else ():
                            piece["place"] = then
                case ("if", (name, state), then, otherwise):
                    self._run(then if names[name][state] == "yes" else otherwise, dict(names))
                case ("repeat", times, inner):
                    for _ in range(times):
                        self._run(inner, dict(names))
                case ("may", _, inner):
                    if self.answers():
                        self._run(inner, dict(names))
