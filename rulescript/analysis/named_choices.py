"""The choices of a procedure, found by the names that amendments use for them.

A procedure may have thousands of ways to answer, and as many amendments: they are not gone through for each.
"""

from __future__ import annotations

from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import chooses_in

__all__ = ["NamedChoices"]

Way = tuple[ir.ChooseS, ir.Alt]


class NamedChoices:
    """All choices in one procedure, as its text is now; ways that are added to one are told with `add`."""

    def __init__(self, procedure: m.Procedure) -> None:
        self.block = procedure.block
        self.chooses: list[ir.ChooseS] = []
        self._by_label: dict[str, list[Way]] = {}
        self._by_name: dict[str, list[ir.ChooseS]] = {}
        self._enter(self.block)

    def _enter(self, block: ir.Block) -> None:
        for choose in chooses_in(block):
            self.chooses.append(choose)
            self._by_name.setdefault(choose.name, []).append(choose)
            for alt in choose.alts:
                self._by_label.setdefault(alt.label, []).append((choose, alt))

    def add(self, choose: ir.ChooseS, alt: ir.Alt) -> None:
        """One more way to answer a choice."""
        choose.alts.append(alt)
        self._by_label.setdefault(alt.label, []).append((choose, alt))
        self._enter(alt.block)

    def has_way(self, choose: ir.ChooseS, label: str) -> bool:
        return any(each is choose for each, _ in self._by_label.get(label, ()))

    def ways(self, name: str | None) -> list[Way]:
        """The ways that a name means: those called so, or those that pick something in the choice that is; without a
        name, all that pick something."""
        # A choice goes by the name of its first alternative; that name means the alternative itself.
        if name is not None and name in self._by_label:
            return self._by_label[name]
        chooses = self.chooses if name is None else self._by_name.get(name, [])
        return [(choose, alt) for choose in chooses for alt in choose.alts if _picks(alt)]

    def choose(self, name: str | None) -> ir.ChooseS | None:
        """The one choice that a name means; None if there is none, or, without a name, several."""
        if name is not None and name in self._by_label:
            return self._by_label[name][0][0]
        chooses = self.chooses if name is None else self._by_name.get(name, [])
        found = [choose for choose in chooses if any(_picks(alt) for alt in choose.alts)]
        return found[0] if found and (name is not None or len(found) == 1) else None


def _picks(alt: ir.Alt) -> bool:
    return bool(alt.picks or alt.many)
