"""What is known while a function is written: names and what stands for them, and what was worked out before a loop."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager

from rulescript.compiler import code as c
from rulescript.compiler.code import Code, Const, Known, Name
from rulescript.compiler.layout import Layout
from rulescript.compiler.lower.lines import Lines
from rulescript.compiler.lower.room import Room
from rulescript.model import game as m
from rulescript.model import ir

__all__ = ["Scope", "all_masks", "is_fixed"]

# Constants mean the same all through a function, and so does what was named before a loop.
BEFORE = re.compile(r"i\d+")
_CONSTANT = re.compile(r"BITS|[A-Z]{1,2}_?\d+")
_PLAIN = (c.Const, c.Slot, c.Get, c.Part, c.Op, c.Minus, c.Not, c.All, c.Any_, c.Cond, c.Tuple, c.Between)


class Scope(Room):
    """Names, and what was worked out before a loop."""

    def __init__(self, game: m.Game, layout: Layout) -> None:
        super().__init__(game, layout)
        self.env: MutableMapping[int, Code] = {}
        # Pieces a loop goes over: the names of their code and of the thing they stand in.
        self.codes: dict[int, tuple[Code, Code]] = {}
        self.hoists: dict[Code, str] | None = None
        self.inner = 0
        # What each round of the loop that is being written counts in play.
        self.round = 0
        # Whether loops are counted where they stand.
        self.is_counted = True
        self._hoisted = 0
        self._fresh = 0

    def begin_anew(self) -> None:
        """Forget all names, for an expression that has nothing to do with what was written before."""
        self.env = {}
        self.codes.clear()
        self.hoists, self.inner, self.round = None, 0, 0

    def local(self, var: ir.Var) -> Code:
        found = self.env.get(var.ident)
        if found is None:
            found = self.env[var.ident] = Name(f"v{var.ident}")
        return found

    def fresh(self, prefix: str) -> str:
        self._fresh += 1
        return f"{prefix}{self._fresh}"

    @contextmanager
    def for_a_while(self) -> Iterator[None]:
        """While this is open, names may be given to others; then each means again what it meant. (A rule with thousands
        of choices has thousands of names, so they are not copied.)"""
        before, self.env = self.env, ChainMap({}, self.env)
        try:
            yield
        finally:
            self.env = before

    @contextmanager
    def as_local(self, *vars: ir.Var) -> Iterator[None]:
        """For a while some names are locals of Python: those being chosen while options are listed, the parameters
        of a rule that only looks."""
        before = {v.ident: self.env.get(v.ident) for v in vars}
        for var in vars:
            self.env[var.ident] = Name(f"v{var.ident}")
        try:
            yield
        finally:
            for var in vars:
                self.codes.pop(var.ident, None)
            for ident, name in before.items():
                if name is None:
                    self.env.pop(ident, None)
                else:
                    self.env[ident] = name

    def as_name(self, var: ir.Var) -> str:
        """A plain name for an element, no longer the code and place of a loop."""
        self.codes.pop(var.ident, None)
        name = f"v{var.ident}"
        self.env[var.ident] = Name(name)
        return name

    def invariant(self, code: Code) -> Code:
        """What does not change inside a loop gets a name, set before the loop."""
        if self.hoists is None or not _is_worth_a_name(code):
            return code
        if code in self.hoists:
            return Name(self.hoists[code])
        if not is_fixed(code):
            return code
        self._hoisted += 1
        name = self.hoists[code] = f"i{self._hoisted}"
        return Name(name)

    def kept(self, code: Code) -> Code:
        """What is asked for with a call, and is the same all through a function: inside a loop it is asked for once,
        before it."""
        if not self.inner or self.hoists is None:
            return code
        if code not in self.hoists:
            self._hoisted += 1
            self.hoists[code] = f"i{self._hoisted}"
        return Name(self.hoists[code])

    def hoisted(self, make: Callable[[], Code], out: Lines) -> Code:
        """Make an expression; write what it can use again in front of it."""
        before, self.hoists = self.hoists, {}
        inner, self.inner = self.inner, 0
        try:
            code = make()
            for value, name in self.hoists.items():
                out.let(name, value)
        finally:
            self.hoists, self.inner = before, inner
        return code

    @contextmanager
    def apart(self) -> Iterator[None]:
        """While another function is written, nothing is shared with the one being written."""
        before, self.hoists = self.hoists, None
        inner, self.inner = self.inner, 0
        handed, self.rule.handed = self.rule.handed, []
        loops, self.rule.loops = self.rule.loops, []
        counting = (self.round, self.is_counted)
        self.round, self.is_counted = 0, True
        try:
            yield
        finally:
            self.hoists, self.inner = before, inner
            self.rule.handed, self.rule.loops = handed, loops
            self.round, self.is_counted = counting

    def x_once(self, code: Code) -> Code:
        return self.invariant(code) if self.inner and self.hoists is not None else code

    def joined(self, masks: list[Code]) -> Code:
        """Masks that must all hold; inside a loop, those that do not change are joined before it."""
        if self.inner and self.hoists is not None and len(masks) > 1:
            fixed = [k for k in masks if is_fixed(k)]
            rest = [k for k in masks if k not in fixed]
            if fixed:
                masks = [*rest, self.invariant(all_masks(fixed))]
        return all_masks(masks)


def is_fixed(code: Code, *also: str) -> bool:
    """Whether code means the same all through a function: it reads the state, constants and what was named before a
    loop. `also` are names that count as such."""
    for part in c.inside(code):
        match part:
            case Const(value=value):
                if isinstance(value, str):
                    return False
            case Name(text=text):
                if not BEFORE.fullmatch(text) and text not in also:
                    return False
            case Known(text=text):
                if not _CONSTANT.fullmatch(text):
                    return False
            case c.Compare(sign=sign):
                if sign.endswith("in"):
                    return False
            case _:
                if not isinstance(part, _PLAIN):
                    return False
    return True


def _is_worth_a_name(code: Code) -> bool:
    """Whether working something out takes longer than looking up a name: two look-ups, or masks joined."""
    looks = 0
    for part in c.inside(code):
        if isinstance(part, c.Op) and part.sign == "&":
            return True
        looks += isinstance(part, c.Slot | c.Get | c.Part)
        looks += isinstance(part, c.Listing) and part.form == "list"
    return looks > 1


def all_masks(masks: Sequence[Code]) -> Code:
    """Masks that must all hold."""
    made = masks[0]
    for mask in masks[1:]:
        made = made & mask
    return made
