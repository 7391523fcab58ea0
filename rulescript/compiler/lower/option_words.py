"""Functions that word the options of a decision."""

from __future__ import annotations

from collections.abc import Iterator

from rulescript.compiler.code import Code, Const, Slot
from rulescript.compiler.lower.choices import OPTIONS
from rulescript.compiler.lower.infos import AltInfo
from rulescript.compiler.lower.room import Room
from rulescript.compiler.lower.selections import element_type
from rulescript.model import ir
from rulescript.model.traverse import walk
from rulescript.model.types import PieceOf, SetOf, ThingOf, Type

__all__ = ["OptionWords"]


class OptionWords(Room):
    """Words options."""

    def write_words(self, number: int, choose: ir.ChooseS, infos: list[AltInfo], stage: int) -> None:
        """Functions that word the options of a decision, and the one that says who decides."""
        who = self.x(self.choices.decider(choose))
        self.program.begin(f"w{number}", ("p", "S"), "words", choose.span).give(who)
        self.words.is_of_option = True
        with self.scope.for_a_while():
            for aside in self.game.asides:
                if aside.chooser is not None:
                    self.scope.env[aside.chooser.ident] = who
            for at, info in enumerate(infos):
                info.text = f"x{number}_{at}"
                info.named = list(self._named(info)) if self.program.has_secrets else []
                self.program.begin(info.text, ("p", "S", "o"), "words", choose.span).give(self._worded(info, stage))
        self.words.is_of_option = False

    def _named(self, info: AltInfo) -> Iterator[tuple[int, Type]]:
        """Where the state has the things and pieces that the words of an alternative name besides what is picked."""
        alt = info.alt
        picked = {var.ident for var, _ in alt.picks} if alt is not None else set()
        for part in alt.text.parts if alt is not None and alt.text is not None else ():
            for x in walk(part) if isinstance(part, ir.X) else ():
                if isinstance(x, ir.Local) and x.var.ident not in picked and isinstance(x.type, ThingOf | PieceOf):
                    code = self.scope.env.get(x.var.ident)
                    if isinstance(code, Slot) and code.at is None:
                        yield code.base, x.type

    def _worded(self, info: AltInfo, stage: int) -> Code:
        """What an option of an alternative is called; what was picked is `o`."""
        alt = info.alt
        called = info.label.replace("_", " ").capitalize()
        if info.form == "plain" or alt is None or not (alt.picks or alt.many):
            if info.label == "done":
                return Const("That is all" if stage else "None of them")
            return self.words.text(alt.text) if alt is not None and alt.text is not None else Const(called)
        if info.form == "many":
            return Const(called + ": ") + self.words.say_place(OPTIONS, element_type(alt))
        at = stage if info.form != "aside" else 0
        var, source = alt.picks[at]
        before = self.scope.env.get(var.ident)
        self.scope.env[var.ident] = OPTIONS
        last = stage == len(alt.picks) - 1 or info.form == "aside"
        if last and alt.text is not None:
            code = self.words.text(alt.text)
        else:
            say = self.words.say_code if self._from_one_place(source) else self.words.say_place
            code = Const(called + ": ") + say(OPTIONS, var.type)
        if before is None:
            self.scope.env.pop(var.ident, None)
        else:
            self.scope.env[var.ident] = before
        return code

    def _from_one_place(self, source: ir.X) -> bool:
        """Whether all that can be picked lies in one place, so that naming it says nothing."""
        base, _ = self.loops.split_source(source)
        return isinstance(base, ir.ContentsX) and not (base.of is not None and isinstance(base.of.type, SetOf))
