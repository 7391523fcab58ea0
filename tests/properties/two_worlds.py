"""Two games that differ in hidden things only, played on with answers that look the same to a third.

`compare(text, ...)` plays such a pair and says where somebody who may not know the difference could notice one. What he
is entitled to know is worked out here from the whole position (`entitled`), not by the code that makes views: where it
differs, the rules have brought something to light, and the pair is left.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import rulescript
from rulescript import Game, GameInvalid, Position
from rulescript.cli.board import Board
from rulescript.cli.screen import Screen
from rulescript.errors import RulescriptError, StepLimit
from rulescript.testing.hiding import doors
from tests.properties.made_secrets import NAMES, questions

VIEWERS = ("South", "East", "spectator")
REFUSALS = {"RS311", "RS345", "RS346", "RS234"}


class Refused(Exception):
    """The checker refuses a game; `codes` says why."""

    def __init__(self, codes: Counter[str]) -> None:
        super().__init__(str(dict(codes)))
        self.codes = codes


def loaded(folder: Path, text: str, refused: Counter[str]) -> tuple[Game, str]:
    """A game without the lines that the checker refuses since they would tell something hidden."""
    for _ in range(12):
        path = folder / "made.rules"
        path.write_text(text, encoding="utf-8")
        try:
            return rulescript.load(path, cache=False), text
        except GameInvalid as problem:
            errors = [d for d in problem.diagnostics if d.severity == "error"]
        codes = Counter(d.code for d in errors)
        refused.update(codes)
        if set(codes) - REFUSALS:
            raise Refused(codes)
        text = _mended(text, sorted({d.span.line for d in errors}))
    raise Refused(codes)


SOMEBODY = r"\b(South|East|active|s\d+|sp\d)\b"
# What is put in the place of something that nobody is allowed to be offered, one after the other.
INSTEAD = (
    (r"\bby " + SOMEBODY, "by North"),
    (r"(\"[^\"{]*) \{[^\"]*\}", r"\1"),
    (r"\b(board|North\.plans|\w+\.mines)(\[[^]]*\])?", "North.hand"),
    (r"\.units(\[[^]]*\])?", ".units[side == North]"),
    (SOMEBODY + r"(?!:)", "North"),
    (r"\b(\w+) in (?!1)[^,\"]*?\b(hand|vault|board|reds|plans|mines)\b[^,\"]*? (?=[\"t])", r"\1 in North.hand "),
    (r"\b(t\d+) in [^\"]*? (?=as p|\")", r"\1 in Town "),
    (r": .* from .* as", ": 2 from North.hand as"),
    (r"\b\w+\.load\b", "North.pouch"),
)


def _mended(text: str, at: list[int]) -> str:
    """The same game, with what stands in some lines left out or asked of another."""
    lines = text.split("\n")
    for number in at:
        line = lines[number - 1]
        if line.strip().startswith("require"):
            lines[number - 1] = ""
        elif line.startswith("when ") and " if " in line:
            lines[number - 1] = line.split(" if ")[0] + " if night"
        else:
            head = number - 1
            if line.strip().startswith("or "):  # who chooses stands above
                indent = len(line) - len(line.lstrip())
                while not lines[head].startswith(" " * indent + "choose"):
                    head -= 1
            for pattern, instead in INSTEAD:
                where = head if "by" in pattern else number - 1
                changed = re.sub(pattern, instead, lines[where])
                if changed != lines[where]:
                    lines[where] = changed
                    break
            else:
                raise Refused(Counter({"no way": 1}))
    return "\n".join(line for line in lines if line.strip())


# ------------------------------------------------------------------ what a seat may know


def entitled(position: Position, who: str) -> Any:
    """What somebody is entitled to know, of all that lies somewhere: worked out from the whole position."""
    game = position.game
    out: dict[str, Any] = {}
    text = game.text_levels  # type: ignore[attr-defined]
    for _, name, _ in game.values.all_places:
        place = name.split(".")[-1]
        owner = name.split(".")[0] if "." in name else ""
        if place == "load":
            owner = {"A": "North", "B": "South"}[owner[0]]
        level = "visible" if place in ("board", "units", "mines") or (owner == who and place != "deck") else text[place]
        contents = position.value(name)
        items = (
            list(contents) if isinstance(contents, list) else [n for n, many in contents.items() for _ in range(many)]
        )
        if level == "count":
            out[name] = len(items)
        elif level == "nonempty":
            out[name] = bool(items)
        elif level == "visible":
            out[name] = sorted(_face(position, item, who) for item in items)
    out["shown"] = list(_shown_to(position, who))
    known = {item for seen in out.values() if isinstance(seen, list) for item in seen if isinstance(item, str)}
    for state in ("seen", *(f"{side}.{state}" for side in game.player_names for state in ("plan", "plans"))):
        # How many things a state holds all may know; which, of those that they know.
        out[state] = sorted(x if x in known else "one" for x in re.findall(r"[AB]\d", str(position.value(state))))
    for card in game.data.kinds["Card"].names:
        if not any(isinstance(seen, list) and card in seen for name, seen in out.items() if ".load" not in name):
            out.pop(f"{card}.load", None)  # it lies on a card that is not known
            continue
        out[card] = [str(position.value(f"{card}.{state}")) for state in ("mark", "worth")]
    return out


def _shown_to(position: Position, who: str) -> Iterator[list[str]]:
    """What rules have shown somebody."""
    game = position.game
    role = game.player_names.index(who) if who in game.player_names else None
    own = {slot for slot, name, _ in game.values.all_places if name.startswith(f"{who}.") and "deck" not in name}
    for step in position.history():
        for event in step.events:
            kind, _, _, _, extra = game.data.sites[event[0]]
            if kind == "reveal" and (event[2] is None or (role is not None and event[2] >> role & 1)):
                yield [game.data.kinds[extra[0]].names[item] for item in event[1]]
            elif kind == "draw" and event[3] in own:
                # In which order they came to somebody, also those that are gone again.
                yield [str(item) for item in event[1]]


def _face(position: Position, item: str, who: str) -> str:
    if item.startswith(("A", "B")):
        own = {"A": "North", "B": "South"}[item[0]] == who
        return item if own or str(position.value(f"{item}.down")) == "no" else f"back of {item[0]}"
    return item if "down" not in item or item.startswith(who) else item.split("_")[0]


# ------------------------------------------------------------------ the doors


def all_doors(position: Position, who: str, calls: list[str], probes: list[str]) -> dict[str, Any]:
    """Whatever a seat can get hold of: the doors of the kit, the commands of the table, and some questions."""
    out = doors(position, who, probes if who != "spectator" else (), calls)
    out["standing"] = str(position.standing())
    out["handed over"] = position.view(who).to_json()
    if who != "spectator":
        seat = position.game.player_names.index(who)
        screen = Screen("never", out=io.StringIO(), err=io.StringIO())
        board = Board(position, seat, screen)
        board.show()
        board.draw()
        board.hand(position.game.seats(position.players)[seat])
        for thing in ("A1", "A3", "North", "Mill"):
            board.look(thing)
        out["table"] = screen.out.getvalue()  # type: ignore[attr-defined]
    return out


def _labels(position: Position) -> list[str]:
    info = position.game.data.decisions.get(position.d)
    return [alt.label for alt in info.alts] if info is not None else []


QUESTIONS = (
    "North.hand", "count(North.hand)", "some North.vault", "North.plan", "some North.plan",
    "count(North.plans)", "seen", "North.plan == A1", "A1.mark", "A3.worth", "A1 in North.hand", "A1.place",
    "has_red(North)", "ways(North)", "strength(North)", "best(North)", "reds(North)", "price(A1)", "price(A4)",
    "count(Card[mark])", "Card[mark]", "count(board)", "board[red]", "count(Mill.units[arm == horse])",
    "Mill.units", "count(Mill.units[tired])", "Town[some it.units[arm == horse]]", "march(North)",
    "first(North.deck)", "count(North.deck)", "max(k.rank for k in North.hand)", "keen(A2)", "chart(A1.rank)",
    "A2.down", "count(Card[down])", "sum(k.worth for k in Card)", "most k in Card by k.worth",
    "count(board[side == North and red])",
)  # fmt: skip


# ------------------------------------------------------------------ playing


def compare(text: str, folder: Path, seed: int, counts: Counter[str]) -> list[str]:
    """Play a game twice at once; what somebody noticed who should not."""
    game, text = loaded(folder, text, counts)
    levels = dict(re.findall(r"holds (\w+): .*?, (\w+) to others", text))
    game.text_levels = {"load": "visible"} | levels  # type: ignore[attr-defined]
    counts["games"] += 1
    rng = Random(seed)
    worlds = [game.start(1, chance="explicit" if seed % 2 else None) for _ in range(2)]
    found: list[str] = []
    try:
        _play(worlds, rng, counts, found)
    except (Refused, StepLimit):
        counts["went wrong"] += 1
    return found


def _play(worlds: list[Position], rng: Random, counts: Counter[str], found: list[str]) -> None:
    viewers = list(VIEWERS)
    more = questions(rng.randrange(1_000_000))
    for step in range(60):
        for who in list(viewers):
            if entitled(worlds[0], who) != entitled(worlds[1], who):
                viewers.remove(who)
                counts["brought to light"] += 1
                continue
            asked = [*rng.sample(QUESTIONS, 3), *rng.sample(more, 4), *rng.sample(NAMES, 5), "ip1", "tp2"]
            labels = _labels(worlds[0])[:2] if _is_shown(worlds[0], who) else []
            probes = [f"{label} {card}" for label in labels for card in ("A1", "A4")]
            if step % 3 and not any(each.is_over for each in worlds):
                here, there = ({"handed over": each.view(who).to_json()} for each in worlds)
            else:
                here, there = (all_doors(each, who, asked, probes) for each in worlds)
            counts["doors"] += len(here)
            for door in {**here, **there}:
                if here.get(door) != there.get(door):
                    found.append(f"{who}, {door}: {difference(here.get(door), there.get(door))}")
            if found:
                return
        if not viewers or any(each.decision is None for each in worlds):
            return
        counts["steps"] += 1
        if rng.randrange(6) == 0:
            worlds[:] = [each.game.from_json(each.to_json()) for each in worlds]
        why = _answer(worlds, rng, viewers) or _finish(worlds, rng, viewers)
        if why:
            counts[why] += 1
            return
    counts["long"] += 1


def difference(one: Any, two: Any) -> str:
    if isinstance(one, list) and isinstance(two, list):
        pairs = [(a, b) for a, b in zip([*one, ""], [*two, ""], strict=False) if a != b]
        return f"{pairs[0][0]!r} | {pairs[0][1]!r}" if pairs else "?"
    a, b = str(one), str(two)
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return f"...{a[max(0, at - 80) : at + 80]} | ...{b[max(0, at - 80) : at + 80]}"


def _answer(worlds: list[Position], rng: Random, viewers: list[str]) -> str:
    """Answer in both worlds alike, for all that somebody else can tell (who looks on knows his own answers); why not,
    if that cannot be done."""
    if any(each.decision.is_chance for each in worlds):  # type: ignore[union-attr]
        return _come_out(worlds, rng)
    asked = worlds[0].decision.player  # type: ignore[union-attr]
    who = asked if asked in viewers else viewers[0]
    for number, each in enumerate(worlds):
        if not _is_shown(each, who):
            # What a hidden card asks is between it and its player.
            for world in (each, worlds[1 - number]):
                while world.decision is not None and not _is_shown(world, who):
                    world.choose(rng.randrange(len(world.decision.options)))
            return ""
    here, there = (shapes(each, who) for each in worlds)
    if worlds[0].decision.player != worlds[1].decision.player:
        return "another is asked"
    both = sorted(set(here) & set(there), key=str)
    if not both:
        return "nothing in common"
    shape = both[rng.randrange(len(both))]
    one = here[shape][rng.randrange(len(here[shape]))]
    two = there[shape][rng.randrange(len(there[shape]))]
    problems = []
    for each, option in zip(worlds, (one, two), strict=True):
        try:
            each.choose(option)
            problems.append("")
        except RulescriptError as problem:
            problems.append(type(problem).__name__)
    return "went wrong" if any(problems) else ""


def _come_out(worlds: list[Position], rng: Random) -> str:
    """Let something come out in both worlds: out of what lies hidden, of either; else the same."""
    here, there = ({option.key: option for option in each.decision.options} for each in worlds)  # type: ignore[union-attr]
    if _comes_out_for_all(worlds[0], [*here, *there]) or rng.randrange(2):
        both = sorted(set(here) & set(there))
        if both:
            key = both[rng.randrange(len(both))]
            here, there = {key: here[key]}, {key: there[key]}
    for each, options in zip(worlds, (here, there), strict=True):
        each.choose(options[sorted(options)[rng.randrange(len(options))]])
    return ""


def _comes_out_for_all(position: Position, keys: list[str]) -> bool:
    """Whether all see what comes out: a die, what nobody hides, or what lies open."""
    seen = [card for who in VIEWERS for card in entitled(position, who)["board"] if re.fullmatch(r"A\d", card)]
    return any(re.search(rf" (\d|B\d|South{''.join(f'|{card}' for card in seen)})", key) for key in keys)


def _finish(worlds: list[Position], rng: Random, viewers: list[str]) -> str:
    """How many are picked of several is not for others to know: where one world is done with it, the other is too.
    Who picks knows, and looks on no more."""
    for here, there in (worlds, reversed(worlds)):
        # Where one answer is told for all of several, nobody can tell how far the other game is: both go to its end.
        while here.decision is not None and (here.d != there.d and _is_going_on(here) or _is_uncounted(here)):
            if here.decision.is_chance:
                if _comes_out_for_all(here, [option.key for option in here.decision.options]):
                    break  # it comes out alike in both
                here.choose(rng.randrange(len(here.decision.options)))
                continue
            if here.decision.player in viewers and here.d == there.d:
                break  # he answers alike in both
            try:
                if here.decision.player in viewers:
                    viewers.remove(here.decision.player)
                # What can be done at any time all may see.
                own = [option for option in here.decision.options if not option.label.startswith("z")]
                here.choose(own[rng.randrange(len(own))])
            except RulescriptError:
                return "went wrong"
    return ""


def _is_going_on(position: Position) -> bool:
    return bool(position.decision.stage or _is_uncounted(position))  # type: ignore[union-attr]


def _is_uncounted(position: Position) -> bool:
    return position.d in position.game.data.decisions and position.game.data.decisions[position.d].is_uncounted


def _is_shown(position: Position, who: str) -> bool:
    decision = position.view(who).to_dict()["decision"]
    return decision is None or decision["prompt"] != "(hidden)"


def shapes(position: Position, who: str) -> dict[Any, list[Any]]:
    """The options of a decision, by what all can tell of them."""
    decision = position.decision
    assert decision is not None
    out: dict[Any, list[Any]] = {}
    own = decision.player == who
    for option in decision.options:
        key = option.key
        if own or option.label.startswith("o_"):
            shape: Any = key
        else:
            shape = re.sub(r"=(?:[\w.]+:)?(\w[\w()]*)", lambda m: "=" + _shape(position, m[1], who, m[0]), key)
            if not re.search("=", key):
                shape = option.label if _hidden(position, key, who) else key
        out.setdefault(shape, []).append(option)
    return out


def _hidden(position: Position, name: str, who: str) -> bool:
    return name[:1] in "AB" and name[1:2].isdigit()


def _shape(position: Position, name: str, who: str, whole: str) -> str:
    if re.fullmatch(r"[AB]\d", name):
        for _, place, _ in position.game.values.all_places:
            if name in position.value(place):
                faces = entitled(position, who).get(place)
                return name if isinstance(faces, list) and name in faces else f"one of {place}"
    if ".load:" in whole:
        card = whole[1:].partition(".")[0]
        return f"{name} on {card if card in entitled(position, who) else 'one'}"
    if ":" in whole and ("down" in name or "pouch" in whole):
        return f"one of {whole.split(':')[0]} {_face(position, name, who)}"
    return name
