"""Ctrl-C ends every command at once: no traceback, exit code 130, and nobody left who goes on working.

A terminal sends it to all processes of a command, so that is what these tests do.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.large import text_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="groups of processes are of Unix")

ROOT = Path(__file__).resolve().parents[2]

# The words are read before the clock starts: what Python does before it comes to us is not ours.
COMMAND = """\
import os, signal, sys, threading
from rulescript.cli.main import main
threading.Timer({after}, lambda: os.killpg(os.getpgid(0), signal.SIGINT)).start()
sys.exit(main({words!r}))
"""

# As the command line begins: what it needs is imported while the clock runs, from its own first line on.
FROM_THE_FIRST = """\
import os, runpy, signal, sys, threading
sys.argv = ["rulescript", *{words!r}]
clock = threading.Timer({after}, lambda: os.killpg(os.getpgid(0), signal.SIGINT))
def begun(event, args):
    if event == "exec" and args[0].co_filename.endswith("__main__.py") and clock.ident is None:
        clock.start()
sys.addaudithook(begun)
runpy.run_module("rulescript", run_name="__main__", alter_sys=True)
"""

POOL = """\
import multiprocessing, os, signal, threading, time
from rulescript.processes import helping
threading.Timer(1, lambda: os.killpg(os.getpgid(0), signal.SIGINT)).start()
try:
    with helping(lambda number: time.sleep(600), 2, 2):
        pass
except KeyboardInterrupt:
    for process in multiprocessing.active_children():
        process.join(60)
    print("left:", len(multiprocessing.active_children()))
"""

SAVE = """\
{"format": 1, "omniscient": true, "game": "large", "version": "", "hash": "00000000", "options": [], "scenario": "",
"players": 2, "seed": 1, "chance": null, "ask": false, "journal": true, "opening": [], "log": [],
"snapshot": {"state": [], "block": 0, "check": "00000000"}}
"""


def interrupted(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, start_new_session=True, timeout=300, cwd=ROOT,
        stdin=subprocess.DEVNULL, preexec_fn=_heeding,
    )  # fmt: skip


def _heeding() -> None:
    """Who runs the tests in the background ignores Ctrl-C, and so would everybody they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("command", ["check", "test", "docs", "simulate", "play", "replay"])
def test_while_a_game_is_read(command: str, tmp_path: Path) -> None:
    file = tmp_path / "large.rules"
    file.write_text(text_of("functions", 300_000), encoding="utf-8")
    words = [command, str(file)]
    if command == "docs":
        words += ["-o", str(tmp_path / "site")]
    if command == "replay":
        (tmp_path / "save.json").write_text(SAVE, encoding="utf-8")
        words = [command, str(tmp_path / "save.json"), "--game", str(file)]
    done = interrupted(COMMAND.format(after=0.5, words=words))
    assert "Traceback" not in done.stderr
    assert done.returncode == 130, done.stderr


@pytest.mark.parametrize("after", [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 1.0])
def test_at_any_moment_of_its_beginning(after: float, tmp_path: Path) -> None:
    file = tmp_path / "large.rules"
    file.write_text(text_of("functions", 300_000), encoding="utf-8")
    done = interrupted(FROM_THE_FIRST.format(after=after, words=["check", str(file)]))
    assert "Traceback" not in done.stderr
    assert done.returncode == 130, done.stderr


def test_the_package_is_read_when_it_is_needed() -> None:
    """So that the command line is there at once; everything that it promises is found all the same."""
    code = "import sys, rulescript; print([m for m in sys.modules if m.startswith('rulescript.')])"
    assert interrupted(code).stdout == "[]\n"
    code = "import rulescript; print(all(getattr(rulescript, name) for name in dir(rulescript)))"
    assert interrupted(code).stdout == "True\n"


def test_while_others_play() -> None:
    words = ["simulate", "docs/cookbook/01-first-turn.rules.md", "-n", "1000000", "--jobs", "2"]
    done = interrupted(COMMAND.format(after=3, words=words))
    assert "Traceback" not in done.stderr
    assert done.returncode == 130, done.stderr


def test_while_others_print() -> None:
    done = interrupted(POOL)
    assert "Traceback" not in done.stderr
    assert done.stdout == "left: 0\n"


def test_in_a_callback_of_pythons_own_it_comes_again() -> None:
    """There an exception is printed and forgotten, so that Ctrl-C would show a traceback and end nothing."""
    code = (
        "import signal, sys, time, weakref; import rulescript.__main__ as front\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # in the background it would be ignored
        "sys.unraisablehook = front._heard_where_nobody_listens\n"
        "class Thing: pass\n"
        "def stop(_): raise KeyboardInterrupt\n"
        "thing = Thing(); seen = weakref.ref(thing, stop)\n"
        "try:\n    del thing; time.sleep(20)\n"
        "except KeyboardInterrupt: print('heard')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("heard\n", "")
