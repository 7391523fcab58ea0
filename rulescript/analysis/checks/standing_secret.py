"""The standing is shown to everybody, so it looks only at what everybody may see."""

from __future__ import annotations

from rulescript.diagnostics import Reporter
from rulescript.model import game as m
from rulescript.model import ir

__all__ = ["check_standing"]


def check_standing(game: m.Game, reporter: Reporter) -> None:
    """Report a standing that somebody could learn a secret from."""
    from rulescript.analysis.secrets import is_public  # which asks the checks in turn

    standing = game.standing
    if standing is None or not standing.params:
        return
    who = ir.Local(standing.params[0].type, standing.span, standing.params[0])
    asked = ir.CallX(standing.type, standing.span, standing, (who,))
    if not is_public(asked, faces=True):
        reporter.error(
            "RS234", "the standing looks at what not everybody may see, and everybody is shown it", standing.span,
            "tells a secret", hint="count only what lies open, or how many there are where all may count them",
        )  # fmt: skip
