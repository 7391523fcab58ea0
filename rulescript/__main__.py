"""``python -m rulescript`` and ``rulescript``: the command line, from its first moment to its last.

Ctrl-C while the program is still being read, or when all is done, ends it at once: there is nothing to put away then,
and a traceback of Python's imports helps nobody. In between `main` tells it itself.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import NoReturn

__all__ = ["run"]

STOPPED = 130
# Nearly all that a command makes is kept until its end, so cycles are looked for after so many new things and not after
# 700: some tens of megabytes at most, where looking took a tenth of the time of a `check`.
NEW_THINGS = 500_000


def run() -> NoReturn:
    """Do what the words of the command line say, and leave with their exit code."""
    signal.signal(signal.SIGINT, _leave)
    sys.unraisablehook = _heard_where_nobody_listens
    # What is imported stays to the end: nobody looks for garbage in it, now or at the end.
    gc.disable()
    from rulescript.cli.main import main

    gc.freeze()
    gc.set_threshold(NEW_THINGS)
    gc.enable()
    code = STOPPED
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        code = main()
    except KeyboardInterrupt:  # just before or after what `main` does
        pass
    finally:
        signal.signal(signal.SIGINT, _leave)
    gc.freeze()
    sys.exit(code)


def _heard_where_nobody_listens(problem: sys.UnraisableHookArgs) -> None:
    """Ctrl-C in a callback of Python's own, where it would be printed and forgotten, comes again a moment later. (An
    alarm does so by itself.)"""
    from rulescript.alarm import TimeUp

    if problem.exc_type is not KeyboardInterrupt:
        if problem.exc_type is not TimeUp:
            sys.__unraisablehook__(problem)
        return
    import threading

    def again() -> None:
        if hasattr(signal, "pthread_kill"):
            ident = threading.main_thread().ident
            assert ident is not None
            signal.pthread_kill(ident, signal.SIGINT)  # also wakes it, if it waits for something
        else:
            signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(0.01, again)
    timer.daemon = True
    timer.start()


def _leave(*_: object) -> NoReturn:
    os._exit(STOPPED)


if __name__ == "__main__":
    run()
