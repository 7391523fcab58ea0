"""``rulescript simulate --vary``: the same games with one number of the rules set to each of several values."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulescript.errors import BadRun

if TYPE_CHECKING:
    from rulescript.cli.screen import Screen
    from rulescript.runtime.game import Game

__all__ = ["run_sweep"]


def run_sweep(args: argparse.Namespace, game: Game, settings: dict[str, Any], screen: Screen) -> int:
    from rulescript.cli.run_words import tell_sweep
    from rulescript.cli.simulate import told_progress
    from rulescript.simulation import Sweep, simulate, varied
    from rulescript.simulation.comparison import run_name
    from rulescript.simulation.varied import range_of

    name, numbers = range_of(args.vary)
    games = [(number, varied(game, {name: number})) for number in numbers]
    folder = Path(args.out) if args.out is not None else None
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise BadRun(f"`{folder}` cannot be made: {problem.strerror or problem}") from None
    sweep = Sweep(name, [])
    with told_progress(screen, f"{game.title}, {name}", args.games * len(games)) as advance:
        for number, each in games:
            out = folder / run_name(name, number) if folder is not None else None
            done = simulate(each, args.games, out=out, pairs=True, progress=advance, **settings)
            sweep.runs.append((number, done))
            if not done.is_complete:
                break
    if folder is not None:
        sweep.write(folder)
    if args.json:
        screen.json(sweep.to_dict())
    else:
        tell_sweep(sweep, screen)
        if folder is not None:
            screen.say(f"written into {folder}; a page about it: rulescript report {folder} -o report.html")
    if not sweep.runs[-1][1].is_complete:
        screen.tell("stopped; these are the games played so far" + ("; the same command goes on" if folder else ""))
        return 130
    return 1 if any(run.summary.failed for _, run in sweep.runs) else 0
