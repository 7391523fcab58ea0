"""Many games, and what they tell: see README.md in this folder."""

from rulescript.simulation.comparison import Comparison, Sweep, compare, open_sweep
from rulescript.simulation.driver import simulate
from rulescript.simulation.runs import Run, open_run
from rulescript.simulation.smells import Smell, smells_of
from rulescript.simulation.summary import Summary
from rulescript.simulation.varied import varied

__all__ = [
    "Comparison", "Run", "Smell", "Summary", "Sweep", "compare", "open_run", "open_sweep", "simulate", "smells_of",
    "varied",
]  # fmt: skip
