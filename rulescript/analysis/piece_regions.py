"""Where the pieces of names may stand, and of which types they may be.

What is known of a name is what its rule has taken it from (`a.units[side == active]`) and what it required of it. It is
told as a region, and of two regions it can be asked whether a piece may be in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import conjuncts
from rulescript.model.types import BOOL, ListOf, Maybe, PieceOf, Pile, Type, kind_carried

__all__ = ["Region", "Regions", "kept_kind", "kind_carried_by", "mask_of_types"]


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
class Region:
    """Pieces of a kind: where they may stand, and of which types they may be (a mask); and what an attribute of them
    is, or is not, that is worked out in play (`side == active`)."""

    kind: str
    places: frozenset[int] | None = None
    types: int | None = None
    facts: frozenset[_Fact] = frozenset()

    def meets(self, other: Region) -> bool:
        return (
            self.kind == other.kind
            and (self.places is None or other.places is None or bool(self.places & other.places))
            and (self.types is None or other.types is None or bool(self.types & other.types))
        )

    def joined(self, other: Region) -> Region:
        places = None if self.places is None or other.places is None else self.places | other.places
        types = None if self.types is None or other.types is None else self.types | other.types
        return Region(self.kind, places, types, self.facts & other.facts)

    def narrowed(self, types: int | None) -> Region:
        if types is None:
            return self
        return evolve(self, types=types if self.types is None else self.types & types)

    def with_facts(self, facts: Iterable[_Fact]) -> Region:
        return evolve(self, facts=self.facts.union(facts))


class Regions:
    """The regions of names, by their numbers."""

    def __init__(self) -> None:
        self.of: dict[int, Region] = {}
        self.names: dict[int, ir.Var] = {}

    def bind(self, var: ir.Var, source: ir.X | None, conditions: Iterable[ir.X] = ()) -> None:
        kind = kept_kind(var.type)
        if not kind:
            return
        region = self.of_value(source) if source is not None and kind_carried_by(source.type) == kind else Region(kind)
        for condition in conditions:
            region = region.narrowed(self._types(kind, var, condition)).with_facts(self._facts(var, condition))
        self.of[var.ident] = region
        self.names[var.ident] = var

    def bind_picks(self, alt: ir.Alt) -> None:
        """The names of a way to answer a choice. What is required of them is so of whatever is picked, unless something
        may lift it."""
        sure = [clause.condition for clause in alt.clauses if clause.when is None and not clause.lifted]
        for var, source in alt.bound:
            self.bind(var, source, sure)

    def add(self, var: ir.Var, region: Region) -> None:
        self.of[var.ident], self.names[var.ident] = region, var

    def come_to(self, ident: int, places: frozenset[int] | None) -> None:
        """The piece of a name may come to some places, or anywhere."""
        region = self.of[ident]
        if region.places is not None:
            self.of[ident] = evolve(region, places=region.places | places if places is not None else None)

    def join(self, one: int, other: int) -> None:
        """Two names stand for the same pieces."""
        self.of[one] = self.of[other] = self.of[one].joined(self.of[other])

    def of_name(self, var: ir.Var) -> Region:
        return self.of.get(var.ident) or Region(kind_carried(var.type))

    def of_value(self, x: ir.X) -> Region:
        """Where pieces stand that an expression gives."""
        kind = kind_carried_by(x.type)
        match x:
            case ir.ContentsX(holds=holds):
                return Region(kind, frozenset({id(holds)}))
            case ir.FilterX(source=source, var=var, condition=condition):
                found = self.of_value(source).narrowed(self._types(kind, var, condition))
                return found.with_facts(self._facts(var, condition))
            case ir.MostX(source=source):
                return self.of_value(source)
            case ir.SetOpX(operator="+", left=left, right=right) | ir.IfX(then=left, otherwise=right):
                if kind_carried_by(left.type) == kind_carried_by(right.type):
                    return self.of_value(left).joined(self.of_value(right))
            case ir.Local(var=var) if var.ident in self.of:
                return self.of[var.ident]
        return Region(kind)

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
                return None if None in masks else mask_of_types(types for types in masks if types is not None)
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


def kind_carried_by(type_: Type) -> str:
    """The kind of the pieces that an expression stands for, a pile included."""
    return type_.kind if isinstance(type_, Pile) else kind_carried(type_)


def mask_of_types(masks: Iterable[int]) -> int:
    out = 0
    for mask in masks:
        out |= mask
    return out


def _mask(flags: Iterable[bool]) -> int:
    return sum(1 << at for at, flag in enumerate(flags) if flag)


def kept_kind(type_: Type) -> str:
    """The kind of the piece, or of the list of pieces, that a name stands for."""
    match type_:
        case PieceOf(kind) | Maybe(PieceOf(kind)) | ListOf(PieceOf(kind)):
            return kind
    return ""
