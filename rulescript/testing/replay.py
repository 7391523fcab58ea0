"""Plays played again in another process: `python -m rulescript.testing.replay` reads a job and writes what it
saw.

A job is JSON: for each configuration where the game is, its options and scenario, and plays (seed, players,
keys). The answer has, for each, a fingerprint of the compiled text and data, and the state's hash at every
decision. The parent gives the child another hash seed, so that anything that depends on the order of a set
comes to light.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulescript.processes import fresh_python

if TYPE_CHECKING:
    from rulescript.runtime.game import Game

__all__ = ["answer", "ask_other_process", "fingerprint"]


def fingerprint(game: Game) -> str:
    """What compiling gave: the generated text, and the data beside it."""
    data = json.dumps(game.data, sort_keys=True, default=repr)
    return f"{game.rules_hash} {hashlib.sha256(data.encode()).hexdigest()[:16]}"


def answer(job: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Do a job here."""
    from rulescript.pipeline import load

    out = []
    for entry in job:
        game = load(entry["where"], options=entry["options"], scenario=entry["scenario"], cache=False)
        plays = []
        for play in entry["plays"]:
            position = game.start(play["seed"], players=play["players"])
            hashes = [position.state_hash()]
            trouble = ""
            for number, key in enumerate(play["keys"], 1):
                decision: Any = position.decision
                found = None
                if decision is not None:
                    found = next((o for o in decision.options if o.key == key), None)
                if found is None:
                    trouble = f"choice {number}, `{key}`, is not among the options"
                    break
                position.choose(found)
                hashes.append(position.state_hash())
            plays.append({"hashes": hashes, "trouble": trouble})
        out.append({"fingerprint": fingerprint(game), "plays": plays})
    return out


def ask_other_process(job: Sequence[dict[str, Any]], timeout: float = 600.0) -> list[dict[str, Any]]:
    """Do a job in a fresh process with another hash seed. Raises RuntimeError with what it said if it
    fails."""
    command, environment = fresh_python("from rulescript.testing.replay import main; main()")
    environment["PYTHONHASHSEED"] = "4242" if environment.get("PYTHONHASHSEED") != "4242" else "17"
    try:
        done = subprocess.run(
            command, input=json.dumps(list(job)), capture_output=True, text=True, encoding="utf-8", env=environment,
            timeout=timeout, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"the other process was not done after {timeout:.0f} s") from None
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise RuntimeError(last[0])
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def main() -> None:
    job = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    sys.stdout.write(json.dumps(answer(job)))
