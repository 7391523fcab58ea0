"""Which options a game is played with: those asked for, those on by default, those a scenario brings; and whether they
can go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulescript.errors import BadOption

if TYPE_CHECKING:
    from rulescript.loader import GameText

__all__ = ["check_options"]


def check_options(text: GameText, options: tuple[str, ...], scenario: str) -> tuple[str, ...]:
    """The options with those that are on by default; BadOption if they cannot go together.

    `-fog` leaves the option `fog` out if it is on by default, `-*` all that are and are not named."""
    from rulescript.analysis.analyse import options_of
    from rulescript.diagnostics.spelling import spelling_hint

    known, scenarios = options_of(text)
    without = {name[1:] for name in options if name.startswith("-")}
    wanted = {name for name in options if not name.startswith("-")}
    for name in sorted(wanted | without - {"*"}):
        if name not in known:
            listed = f"the options are {', '.join(known)}" if 0 < len(known) <= 20 else None
            raise BadOption(f"there is no option `{name}`", hint=spelling_hint(name, list(known)) or listed)
        if name in wanted and name in without:
            raise BadOption(f"option `{name}` is both asked for and left out")
    if scenario and scenario not in scenarios:
        raise BadOption(f"there is no scenario `{scenario}`", hint=spelling_hint(scenario, list(scenarios)))
    by_default = {name for name, o in known.items() if any(r.form == "on" for r in o.rules)}
    chosen = wanted | (set() if "*" in without else by_default - without)
    everything = {**known, **scenarios}
    if scenario:
        # A scenario brings the options it needs with it.
        chosen |= {r.name.text for r in scenarios[scenario].rules if r.form == "needs" and r.name is not None} & set(
            known
        )
    for name in sorted(chosen | ({scenario} if scenario else set())):
        for rule in everything[name].rules:
            if rule.name is None:
                continue
            other = rule.name.text
            if rule.form == "needs" and other not in chosen and other != scenario:
                cure = f"leave out `{name}` too" if other in without else f"choose `{other}` too"
                raise BadOption(f"option `{name}` needs `{other}`", hint=cure)
            if rule.form == "excludes" and (other in chosen or other == scenario):
                unasked = sorted({name, other} & by_default - wanted)
                hint = f"leave out `{unasked[0]}`, which is on by default" if unasked else None
                raise BadOption(f"options `{name}` and `{other}` exclude each other", hint=hint)
    return tuple(sorted(chosen))
