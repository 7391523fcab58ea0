"""What was written, before anyone judges it. Sequences are tuples; change is `evolve`."""

from rulescript.nodes.base import *  # noqa: F403
from rulescript.nodes.declarations import *  # noqa: F403
from rulescript.nodes.expressions import *  # noqa: F403
from rulescript.nodes.statements import *  # noqa: F403
