"""``rulescript games``: which games there are, what one of them offers, and which choices it asks for, and
what its things are called."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulescript.cli.arguments import add_choices, add_json, options_of

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen
    from rulescript.runtime.game import Game

__all__ = ["add_arguments", "choices_of", "names_of", "run"]

TITLE = "list the games, or show what one of them offers"

ABOUT = """\
Without a name: the games that come with the program. With one: its players, optional rules and
scenarios. With --choices: every choice that play can ask for, with its texts, variables and keys, which
is what examples, saves and bots call things by. With --names: phases, states and places, functions, tables
and routes, and what every thing and piece is called, which is what an example is made of."""

EXAMPLES = """\
examples:
  rulescript games
  rulescript games attrition_of_souls
  rulescript games attrition_of_souls --choices
  rulescript games attrition_of_souls --names
  rulescript games my_game --json"""

_TITLE = re.compile(r'(?m)^[ \t]*game[ \t]+"((?:\\.|[^"\\\n])*)"')


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game to look at")
    parser.add_argument("--choices", action="store_true", help="list choice names, option texts, variables and keys")
    parser.add_argument(
        "--names", action="store_true", help="list phases, states, places, functions, things and pieces"
    )
    add_choices(parser)
    add_json(parser)


def run(args: argparse.Namespace, screen: Screen) -> int:
    if args.game is None:
        return _list(args, screen)
    import rulescript

    game = rulescript.load(args.game, options=options_of(args), scenario=args.scenario)
    if args.choices:
        return _choices(game, args, screen)
    if args.names:
        return _names(game, args, screen)
    return _one(game, args, screen)


# ---- all of them -------------------------------------------------------------------------------------------


def _list(args: argparse.Namespace, screen: Screen) -> int:
    from rulescript.loader import bundled_games, find_game

    games = [(name, _title_of(find_game(name))) for name in bundled_games()]
    if args.json:
        screen.json({"games": [{"game": name, "title": title} for name, title in games]})
    elif not games:
        screen.say("no games come with this copy of the program; `rulescript new my_game` makes one")
    else:
        screen.table(((screen.paint(name, "bold"), title) for name, title in games), head=("game", "title"))
        screen.say()
        screen.say(f"rulescript games {games[0][0]}   says more about it")
        screen.say(f"rulescript play {games[0][0]}    plays it")
    return 0


def _title_of(path: Path) -> str:
    """A game's title, read off its main file: a list should not have to compile five rulebooks."""
    mains = [path / "game.rules", path / "game.rules.md", *sorted(path.glob("*.rules"))]
    files = [path] if path.is_file() else mains
    for file in files:
        try:
            match = _TITLE.search(file.read_text(encoding="utf-8", errors="replace")[:20_000])
        except OSError:
            continue
        if match:
            return match[1].replace('\\"', '"')
    return path.stem


# ---- one of them -------------------------------------------------------------------------------------------


def _one(game: Game, args: argparse.Namespace, screen: Screen) -> int:
    if args.json:
        screen.json(_game_json(game))
        return 0
    version = screen.paint(f"version {game.version}, {game.ident}", "dim")
    screen.say(f"{screen.paint(game.title, 'bold')}  {version}")
    screen.say()
    labels = game.data.kinds[game.data.players].labels if game.data.players else []
    screen.say(screen.paint("Players", "head"))
    screen.say(f"  {', '.join(labels) or 'none'}")
    for number in game.player_counts:
        seats = game.seats(number)
        if len(game.player_counts) > 1 or any(len(seat) > 1 for seat in seats):
            told = "; ".join(" + ".join(labels[role] for role in seat) for seat in seats)
            screen.say(f"  {number} players: {told}")
    for head, table, flag in (("Options", game.options, "-o"), ("Scenarios", game.scenarios, "--scenario")):
        screen.say()
        screen.say(screen.paint(f"{head}   ({flag} NAME)", "head") if table else f"{head}: none")
        rows = []
        for name, info in table.items():
            notes = [f"needs {', '.join(info.needs)}"] if info.needs else []
            notes += [f"excludes {', '.join(info.excludes)}"] if info.excludes else []
            notes += ["on by default"] if name in game.data.all_options and game.data.all_options[name].is_on else []
            said = info.title + (f" ({'; '.join(notes)})" if notes else "")
            rows.append(("  " + screen.paint(name, "bold"), f"{said}. {info.doc}" if info.doc else said))
        screen.table(rows)
    spaces = len(game.map)
    screen.say()
    screen.say(
        f"{spaces} space{'s' if spaces != 1 else ''} on the map, {len(choices_of(game))} choices, "
        f"{len(game.rules)} entries in the rulebook's index, {len(game.data.invariants)} invariants"
    )
    return 0


def _game_json(game: Game) -> dict[str, Any]:
    def infos(table: Any) -> list[dict[str, Any]]:
        return [
            {
                "name": info.name,
                "title": info.title,
                "doc": info.doc,
                "needs": list(info.needs),
                "excludes": list(info.excludes),
                "chosen": info.chosen,
            }
            for info in table.values()
        ]

    return {
        "game": game.ident,
        "title": game.title,
        "version": game.version,
        "hash": game.rules_hash,
        "players": list(game.players),
        "seats": {
            str(number): [[game.players[role] for role in seat] for seat in game.seats(number)]
            for number in game.player_counts
        },
        "options": infos(game.options),
        "scenarios": infos(game.scenarios),
        "phases": list(game.data.phases),
        "spaces": list(game.map),
        "rules": len(game.rules),
    }


# ---- its choices -------------------------------------------------------------------------------------------


def choices_of(game: Game) -> list[dict[str, Any]]:
    """Every choice with its alternatives: label, variables with their types, and the shape of the keys.

    A choice of several variables is asked one after the other; the stages are put together again here."""
    found: dict[tuple[str, str, str, int], dict[str, Any]] = {}
    for info in sorted(game.choices, key=lambda info: info["stage"]):
        where = (info["procedure"], info["choice"], info["line"][0], info["line"][1])
        entry = found.setdefault(
            where,
            {
                "choice": info["choice"],
                "procedure": info["procedure"],
                "file": info["line"][0],
                "line": info["line"][1],
                "cites": list(info["cites"]),
                "sealed": info["sealed"],
                "number": info["number"],
                "alternatives": {},
            },
        )
        for alt in info["alts"]:
            known = entry["alternatives"].get(alt["label"])
            types = [_type_name(t) for t in alt["types"]]
            if known is not None and alt["version"] not in known["versions"]:
                known["versions"].append(alt["version"])
                for variable, type_ in zip(known["variables"], types, strict=False):
                    if type_ not in variable["type"].split(" or "):
                        # One way to choose from several kinds.
                        variable["type"] += f" or {type_}"
                        known["keys"].append(f"{alt['label']} {variable['name']}={_key_shape(type_)}")
                continue
            if known is not None and len(known["variables"]) >= len(alt["vars"]):
                continue
            if alt["form"] == "many" and alt["many"]:
                types = [_type_name(alt["many"])]
            names = list(alt["vars"]) or (["item"] if alt["form"] == "many" else [])
            variables = [{"name": n, "type": t} for n, t in zip(names, types, strict=False)]
            label = alt["label"]
            entry["alternatives"][label] = {
                "label": alt["label"],
                "form": alt["form"],
                "variables": variables,
                "keys": [f"{label} {v['name']}={_key_shape(v['type'])}" for v in variables] or [label],
                "cites": list(alt["cites"]),
                "aside": bool(alt["flagged"]),
                "versions": [alt["version"]],
            }
    texts = _texts_of(game)
    for entry in found.values():
        entry["alternatives"] = list(entry["alternatives"].values())
        for alternative in entry["alternatives"]:
            del alternative["versions"]
            place = "" if alternative["aside"] else str(entry["number"])
            alternative["text"] = texts.get((place, alternative["label"]), "")
        del entry["number"]
    return list(found.values())


def _texts_of(game: Game) -> dict[tuple[str, str], str]:
    """The texts of all ways to answer, as they are written: by choice (an aside: none) and label."""
    model = game.model
    found = {(str(choose.number), alt.label): alt.text for _, choose in model.chooses for alt in choose.alts}
    found |= {("", aside.alt.label): aside.alt.text for aside in model.asides}
    return {place: _written(text.parts) for place, text in found.items() if text is not None}


def _written(parts: Iterable[Any]) -> str:
    said = (part if isinstance(part, str) else "{" + " ".join(part.span.text.split()) + "}" for part in parts)
    return "".join(said)


def _type_name(type_: Any) -> str:
    match type_:
        case ["thing", kind] | ["piece", kind]:
            return str(kind) if type_[0] == "thing" else f"piece {kind}"
        case [("set" | "list" | "maybe") as word, inner]:
            return f"{word} of {_type_name(inner)}" if word != "maybe" else f"maybe {_type_name(inner)}"
    return str(type_[0])


def _key_shape(type_name: str) -> str:
    if "piece " in type_name:
        return "PLACE:TYPE"
    return type_name.replace(" ", "_").upper()


def _choices(game: Game, args: argparse.Namespace, screen: Screen) -> int:
    listed = choices_of(game)
    if args.json:
        screen.json({"game": game.ident, "choices": listed})
        return 0
    procedure = ""
    for entry in sorted(listed, key=lambda e: (e["file"], e["line"])):
        if entry["procedure"] != procedure:
            procedure = entry["procedure"]
            screen.say(screen.paint(procedure, "head"))
        cites = "".join(f" §{cite}" for cite in entry["cites"])
        sealed = ", sealed" if entry["sealed"] else ""
        place = f"{entry['file']}:{entry['line']}"
        screen.say(f"  {screen.paint(entry['choice'], 'bold')}{cites}{sealed}   {screen.paint(place, 'dim')}")
        for alt in entry["alternatives"]:
            variables = ", ".join(f"{v['name']}: {v['type']}" for v in alt["variables"]) or "no variables"
            aside = ", at any time" if alt["aside"] else ""
            text = f'  "{alt["text"]}"' if alt["text"] else ""
            screen.say(f"    {alt['label']}{text}  ({variables}{aside})")
            for key in alt["keys"]:
                screen.say(screen.paint(f"        {key}", "dim"))
    return 0


# ---- its names ---------------------------------------------------------------------------------------------


def names_of(game: Game) -> dict[str, Any]:
    """What a position is made of: phases, states and places of the game, and for every kind its attributes,
    states and places and the names of its things or pieces. Copies of one thing are listed once."""
    data = game.data

    def states(owner: str) -> list[dict[str, Any]]:
        return [
            {"name": e.name, "type": _type_name(e.type)} | ({"bounds": e.bounds} if e.bounds else {})
            for e in data.states
            if e.kind == owner and not e.is_hidden
        ]

    def places(owner: str) -> list[dict[str, Any]]:
        return [
            {"name": h.name, "holds": h.kind, "ordered": bool(h.is_ordered)} for h in data.holds if h.owner == owner
        ]

    kinds = []
    for kind, info in data.kinds.items():
        shown = info.shown
        numbers: dict[str, int] = {}
        labels: dict[str, str] = {}
        for index, name in enumerate(shown):
            numbers[name] = numbers.get(name, 0) + (info.counts[index] if info.is_pieces else 1)
            labels.setdefault(name, info.labels[index])
        if info.is_pieces:
            own = [{"name": name, "type": _type_name(type_)} for name, _, _, type_, _ in info.states]
        else:
            own = states(kind)
        kinds.append(
            {
                "kind": kind,
                "pieces": bool(info.is_pieces),
                "attributes": [{"name": n, "type": _type_name(t)} for n, t in info.attr_types.items()],
                "states": own,
                "places": places(kind),
                "names": [{"name": n, "label": labels[n], "count": numbers[n]} for n in numbers],
            }
        )
    return {
        "phases": list(dict.fromkeys(data.phases)),
        "states": states(""),
        "places": places(""),
        "rules": rules_of(game),
        "kinds": kinds,
    }


def rules_of(game: Game) -> list[dict[str, Any]]:
    """What conditions may ask and `run` may begin: with parameters, and what it gives. A rule that was written for
    several kinds is listed once, with what it takes of each."""
    from rulescript.model.types import VOID, SetOf, ThingOf, type_data

    model = game.model
    rules: list[tuple[str, str, Any, Any, Any]] = []
    rules += [(f.form, f.name, f.params, f.type, f.cites) for f in model.functions.values()]
    rules += [("table", t.name, t.params, t.type, t.cites) for t in model.tables.values()]
    rules += [("route", r.name, r.params, SetOf(ThingOf(r.kind.name)), r.cites) for r in model.routes.values()]
    rules += [
        ("procedure", p.name, p.params, p.type, p.cites) for p in model.procedures.values() if p.form == "procedure"
    ]
    written_as = {version: name for name, versions in model.versions.items() for version in versions}
    out: dict[str, dict[str, Any]] = {}
    for sort, name, params, type_, cites in rules:
        own = written_as.get(name, name)
        if not own.isidentifier():
            continue
        takes = [
            {"name": v.name, "type": _type_name(type_data(v.type)), "optional": bool(v.has_default)} for v in params
        ]
        known = out.get(own)
        if known is None:
            gives = "" if type_ == VOID else _type_name(type_data(type_))
            out[own] = {"sort": sort, "name": own, "parameters": takes, "gives": gives, "cites": list(cites)}
            continue
        for before, more in zip(known["parameters"], takes, strict=False):
            if more["type"] not in before["type"].split(" or "):
                before["type"] += f" or {more['type']}"
    return list(out.values())


def _names(game: Game, args: argparse.Namespace, screen: Screen) -> int:
    listed = names_of(game)
    if args.json:
        screen.json({"game": game.ident, **listed})
        return 0

    def typed(entries: list[dict[str, Any]]) -> str:
        return ", ".join(f"{e['name']}: {'..'.join(map(str, e.get('bounds', ()))) or e['type']}" for e in entries)

    def held(entries: list[dict[str, Any]]) -> str:
        return ", ".join(f"{e['name']} ({e['holds']}{', ordered' if e['ordered'] else ''})" for e in entries)

    screen.say(screen.paint("The game", "head"))
    own = (
        ("phases", ", ".join(listed["phases"])),
        ("states", typed(listed["states"])),
        ("places", held(listed["places"])),
    )
    screen.table((f"  {what}", said) for what, said in own if said)
    for sort in dict.fromkeys(rule["sort"] for rule in listed["rules"]):
        screen.say()
        screen.say(screen.paint(_SORTS[sort], "head"))
        screen.table(_rule_row(rule) for rule in listed["rules"] if rule["sort"] == sort)
    for kind in listed["kinds"]:
        screen.say()
        screen.say(screen.paint(kind["kind"], "head") + ("  (pieces)" if kind["pieces"] else ""))
        about = (
            ("attributes", typed(kind["attributes"])),
            ("states", typed(kind["states"])),
            ("places", held(kind["places"])),
            ("pieces" if kind["pieces"] else "names", ", ".join(map(_called, kind["names"]))),
        )
        screen.table((f"  {what}", said) for what, said in about if said)
    return 0


_SORTS = {
    "function": "Functions", "value": "Values", "predicate": "Predicates (yes or no, with reasons)", "table": "Tables",
    "route": "Routes (the spaces that can be reached)", "procedure": "Procedures (`given ..., run NAME(...)`)",
}  # fmt: skip


def _rule_row(rule: dict[str, Any]) -> tuple[str, str]:
    """`strength(r: Region, s: Side = ...)` and what it gives."""
    params = ", ".join(f"{p['name']}: {p['type']}{' = ...' if p['optional'] else ''}" for p in rule["parameters"])
    cites = "".join(f" §{cite}" for cite in rule["cites"])
    return f"  {rule['name']}({params})", f"{rule['gives']}{cites}".strip()


def _called(entry: dict[str, Any]) -> str:
    """`Blue_foot (Blue infantry) x7`: a name, its label where that says something else, and how many."""
    name, label = entry["name"], entry["label"]
    alike = label.replace("_", " ").casefold() == name.replace("_", " ").casefold()
    said = "" if alike else f" ({label})"
    return f"{name}{said}" + (f" x{entry['count']}" if entry["count"] != 1 else "")
