"""Fewer blocks: a jump to a block that only jumps goes straight on, and a block that is reached from one place alone,
or is very short, is written where it is reached.

Works on the text of the blocks, after everything has been generated. A block stays callable by its number as long
as anything refers to it by number (a decision, an entry, a stored place to go on), so positions never notice.
"""

from __future__ import annotations

import re

from rulescript.compiler.writer import Writer

__all__ = ["thread_blocks"]

_DEF = re.compile(r"def ([a-z]+\d+\w*)\(")
_JUMP = re.compile(r"( *)return b(\d+)$")
_ANY_JUMP = re.compile(r"\breturn b(\d+)\b")
_SHORT = 4
_LONG = 60
_DEPTH = 8
_MAX_LINES = 220


def thread_blocks(out: Writer, keep: set[int], apart: frozenset[int] = frozenset()) -> Writer:
    """The same functions with fewer jumps; blocks in `keep` stay defined, those in `apart` are always jumped to."""
    separate = {f"b{number}" for number in apart}
    bodies: dict[str, list[tuple[str, tuple[str, int] | None]]] = {}
    heads: dict[str, tuple[str, tuple[str, int] | None]] = {}
    order: list[str] = []
    current = ""
    for number, line in enumerate(out.lines, 1):
        origin = out.origins.get(number)
        found = _DEF.match(line) if line.startswith("def ") else None
        if found is not None:
            current = found.group(1)
            order.append(current)
            # A definition on one line has its body behind the colon.
            heads[current] = (line, origin)
            bodies[current] = []
        elif current and line.startswith(" "):
            bodies[current].append((line, origin))
        else:
            current = f"={number}"
            order.append(current)
            heads[current] = (line, origin)
            bodies[current] = []
    target: dict[str, str] = {}
    for name, body in bodies.items():
        if len(body) == 1 and name[0] == "b" and name not in separate:
            jump = _JUMP.fullmatch(body[0][0])
            if jump is not None:
                target[name] = f"b{jump.group(2)}"

    def last(name: str) -> str:
        seen = {name}
        while name in target and target[name] not in seen:
            name = target[name]
            seen.add(name)
        return name

    def straight(line: str) -> str:
        if "return b" not in line:
            return line
        return _ANY_JUMP.sub(lambda found: f"return {last('b' + found.group(1))}", line)

    for name in bodies:
        bodies[name] = [(straight(line), origin) for line, origin in bodies[name]]
    references: dict[str, int] = {}
    for body in bodies.values():
        for line, _ in body:
            for found in _ANY_JUMP.finditer(line) if "return b" in line else ():
                name = f"b{found.group(1)}"
                references[name] = references.get(name, 0) + 1
    written = Writer()
    inlined: set[str] = set()

    def emit(name: str, indent: str, stack: tuple[str, ...], room: list[int]) -> None:
        for line, origin in bodies[name]:
            jump = _JUMP.fullmatch(line) if "return b" in line else None
            if jump is not None:
                goal = f"b{jump.group(2)}"
                size = len(bodies.get(goal, ()))
                fits = size <= _SHORT or (references.get(goal, 0) == 1 and size <= _LONG)
                fits = fits and goal not in separate
                if goal in bodies and fits and goal not in stack and len(stack) < _DEPTH and room[0] >= size:
                    room[0] -= size
                    inlined.add(goal)
                    emit(goal, indent + jump.group(1)[4:], (*stack, goal), room)
                    continue
            written.lines.append(indent + line)
            if origin is not None:
                written.origins[len(written.lines)] = origin

    for name in order:
        head, origin = heads[name]
        written.lines.append(head)
        if origin is not None:
            written.origins[len(written.lines)] = origin
        emit(name, "", (name,), [_MAX_LINES])
    return _without_unused(written, keep)


def _without_unused(out: Writer, keep: set[int]) -> Writer:
    """Leave out blocks nothing refers to any more."""
    used = {f"b{n}" for n in keep}
    text = "\n".join(line for line in out.lines if not _DEF.match(line))
    used |= {f"b{n}" for n in re.findall(r"\bb(\d+)\b", text)}
    used |= {f"b{n}" for n in re.findall(r"S\[\d+\] = (\d+)$", text, re.M)}
    kept = Writer()
    skipping = False
    for number, line in enumerate(out.lines, 1):
        found = _DEF.match(line)
        if found is not None:
            skipping = found.group(1)[0] == "b" and found.group(1)[1:].isdigit() and found.group(1) not in used
        elif not line.startswith(" "):
            skipping = False
        if skipping:
            continue
        kept.lines.append(line)
        if number in out.origins:
            kept.origins[len(kept.lines)] = out.origins[number]
    return kept
