"""The sequence of play, as an outline and as a diagram: which phases follow each other, what is repeated, what only
sometimes happens."""

from __future__ import annotations

import re

from attrs import define, field
from markupsafe import Markup

from rulescript.docgen.outline import Outliner, capital
from rulescript.docgen.svg import element, number, text_width, wrap
from rulescript.model import game as m
from rulescript.model import ir
from rulescript.model.traverse import statements_in
from rulescript.model.types import ThingOf
from rulescript.phrases import kind_noun, readable
from rulescript.wording.proper import Proper

__all__ = ["Step", "diagram", "sequence_of"]

DEPTH = 6
# A section of a rulebook ("4.2", "4.2A", "2.II.1"), and the letter or number of a rule in it.
_SECTION = re.compile(r"(\d+(?:\.(?:\d+|[IVX]+))*[A-Z]?)(?:-?[a-z]+|\d+)?")


@define
class Step:
    """`form` is phase, loop, test, step or end. `key` is the rule it is, for a link."""

    form: str
    title: str
    cites: tuple[str, ...] = ()
    key: str = ""
    doc: str = ""
    steps: list[Step] = field(factory=list)
    decides: bool = False

    @property
    def number(self) -> str:
        """Its number in the rulebook, if a section of it is this step."""
        first = self.cites[0] if self.cites and self.form in ("phase", "step", "end") else ""
        found = _SECTION.fullmatch(first)
        return found[1] if found else ""


def sequence_of(game: m.Game, proper: Proper) -> list[Step]:
    """What is played from the beginning to the end."""
    sequence = game.procedures.get("sequence")
    if sequence is None:
        return []
    return _Reader(game, proper).block(sequence, ())


class _Reader:
    def __init__(self, game: m.Game, proper: Proper) -> None:
        self.game = game
        self.proper = proper
        self._phases = {p.name for p in game.procedures.values() if p.form == "phase"}

    def block(self, procedure: m.Procedure, inside: tuple[str, ...]) -> list[Step]:
        teller = Outliner(procedure.params, procedure.block)
        return self._steps(procedure.block, teller, (*inside, procedure.name))

    def _steps(self, block: ir.Block, teller: Outliner, inside: tuple[str, ...]) -> list[Step]:
        out: list[Step] = []
        for statement in block:
            out += self._step(statement, teller, inside)
        return out

    def _step(self, s: ir.S, teller: Outliner, inside: tuple[str, ...]) -> list[Step]:
        match s:
            case ir.CallS(procedure=procedure, args=args):
                return [self._called(s, procedure, args, teller, inside)]
            case ir.ForS(var=var, source=source, block=block):
                title = teller.statement(ir.ForS(s.span, s.cites, var, source, ()))[0].text.rstrip(":.")
                steps = self._steps(block, teller, inside)
                hooks = self.game.loop_hooks.get(var.state.name, []) if var.state is not None else []
                steps = [*self._hooks(hooks, "before"), *steps, *self._hooks(hooks, "after")]
                return [Step("loop", self.proper(title), s.cites, steps=steps)]
            case ir.EachS(block=block):
                title = teller.statement(s)[0].text.rstrip(":.")
                return [Step("loop", self.proper(title), s.cites, steps=self._steps(block, teller, inside))]
            case ir.RepeatS(block=block):
                title = teller._repeat(ir.RepeatS(s.span, s.cites, s.mode, s.condition, ())).text.rstrip(":.")
                return [Step("loop", self.proper(title), s.cites, steps=self._steps(block, teller, inside))]
            case ir.IfS(condition=condition, then=then, otherwise=otherwise):
                title = f"If {teller.speaker.sentence(condition, True)}"
                out = [Step("test", self.proper(title), s.cites, steps=self._steps(then, teller, inside))]
                rest = self._steps(otherwise, teller, inside)
                if rest:
                    out.append(Step("test", "Otherwise", steps=rest))
                return [step for step in out if step.steps]
            case ir.EndS():
                return [Step("end", teller._ended(s), s.cites)]
            case ir.ChooseS():
                line = teller.choice(s)
                return [Step("step", line.text.rstrip(":."), s.cites, decides=True)]
            case ir.AssignS(target=ir.StateX(state=state), operator="="):
                return self._set(s, state, teller)
            case ir.DocS() | ir.SignalS():  # a moment is no step: what waits for it is told where it is written
                return []
        lines = teller.statement(s)
        return [Step("step", self.proper(line.text), line.cites) for line in lines if line.form != "told"]

    def _set(self, s: ir.AssignS, state: m.State, teller: Outliner) -> list[Step]:
        """A state that is set between two phases: whose turn it is. What a turn only counts with is no step of it."""
        players = self.game.players
        if state.kind is None and players is not None and isinstance(state.type, ThingOf):
            if state.type.kind == players.name:
                noun = kind_noun(players.name)
                whose = re.sub(rf"^the \w+ {noun}'s enemy$", f"the other {noun}", teller.say(s.value))
                return [Step("step", self.proper(f"Now it is the turn of {whose}"), s.cites)]
        if state.lasts:
            return []
        return [Step("step", self.proper(line.text), line.cites) for line in teller.statement(s)]

    def _hooks(self, hooks: list[m.Hook], when: str) -> list[Step]:
        out: list[Step] = []
        for hook in hooks:
            # What a rule elsewhere adds without a phase of its own stands there.
            if hook.when == when and _calls_a_phase(hook.block):
                teller = Outliner((), hook.block)
                title = hook.label or ("At the end" if when == "after" else "At the beginning")
                steps = self._steps(hook.block, teller, ())
                out.append(Step("test", title, hook.cites, steps=steps))
        return out

    def _called(
        self, s: ir.S, procedure: m.Procedure, args: tuple[ir.X, ...], teller: Outliner, inside: tuple[str, ...]
    ) -> Step:
        title = self.proper(procedure.title or readable(procedure.name))
        # A phase is known by its name; what it is given matters only where it is given a thing.
        if args and all(isinstance(a, ir.Local | ir.Lit) for a in args):
            title += f" ({teller.arguments(procedure.params, args)})"
        cites = s.cites or procedure.cites
        step = Step("phase", title, cites, f"procedure {procedure.name}", procedure.doc)
        # A phase that is made of other phases is shown with them inside.
        if len(inside) < DEPTH and procedure.name not in inside and _calls_a_phase(procedure.block):
            step.steps = self.block(procedure, inside)
        return step


def _calls_a_phase(block: ir.Block) -> bool:
    return any(isinstance(s, ir.CallS) and s.procedure.form == "phase" for s in statements_in(block))


# ------------------------------------------------------------------ the diagram

WIDTH = 560.0
SIZE = 14.0
NOTE = 11.5
GAP = 22.0


def diagram(steps: list[Step], title: str, links: dict[str, str]) -> Markup:
    """Boxes from top to bottom; what is repeated or only sometimes happens stands in a frame."""
    if not steps:
        return Markup("")
    parts: list[Markup] = []
    height = _column(steps, 14, 14, WIDTH - 28, parts, links)
    total = height + 28
    head = element("path", element("title", "then"), d="M0,0 L8,4 L0,8 z", class_="tip")
    marker = element(
        "marker", head, id="seq-tip", viewBox="0 0 8 8", refX=7, refY=4, markerWidth=8, markerHeight=8, orient="auto"
    )
    top = [element("title", title, id="seq-t"), element("defs", marker)]
    return element(
        "svg", [*top, *parts], class_="flow", role="group" if any(links.values()) else "img",
        aria_labelledby="seq-t", width=number(WIDTH),
        height=number(total), viewBox=f"0 0 {number(WIDTH)} {number(total)}", xmlns="http://www.w3.org/2000/svg",
    )  # fmt: skip


def _column(steps: list[Step], x: float, y: float, width: float, parts: list[Markup], links: dict[str, str]) -> float:
    """Draw steps under each other; how high they are together."""
    top = y
    for at, step in enumerate(steps):
        if at:
            middle = x + width / 2
            parts.append(
                element(
                    "line", x1=middle, y1=y + 2, x2=middle, y2=y + GAP - 3, class_="arrow", marker_end="url(#seq-tip)"
                )
            )
            y += GAP
        y += _box(step, x, y, width, parts, links)
    return y - top


def _box(step: Step, x: float, y: float, width: float, parts: list[Markup], links: dict[str, str]) -> float:
    most = 2 if width > 420 else 1
    cites = ", ".join(f"§{c}" for c in step.cites[:most]) + (" …" if len(step.cites) > most else "")
    room = text_width(cites, NOTE) + 26
    lines = wrap(capital(step.title), SIZE, width - 30 - (room if step.steps else 2 * room), 5)
    head = 14 + 19.0 * len(lines)
    if not step.steps:
        parts.append(_framed(step, x, y, width, head, lines, cites, links, True))
        return head
    inner: list[Markup] = []
    body = _column(step.steps, x + 18, y + head + 8, width - 36, inner, links)
    height = head + body + 24
    parts.append(_framed(step, x, y, width, height, lines, cites, links, False))
    parts += inner
    return height


def _framed(
    step: Step, x: float, y: float, width: float, height: float, lines: list[str], cites: str,
    links: dict[str, str], is_leaf: bool,
) -> Markup:  # fmt: skip
    classes = f"{step.form} {'leaf' if is_leaf else 'frame'}"
    inside = [element("rect", x=x, y=y, width=width, height=height, rx=7)]
    at = y + 21
    for line in lines:
        anchor = x + width / 2 if is_leaf else x + 14
        inside.append(element("text", line, x=anchor, y=at, class_="title"))
        at += 19
    if cites:
        room = text_width(cites, NOTE)
        inside.append(element("text", cites, x=x + width - 10 - room / 2, y=y + 20, class_="rule"))
    href = links.get(step.key, "")
    group = element("g", inside, class_=classes)
    return element("a", group, href=href) if href else group
