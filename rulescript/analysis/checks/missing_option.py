"""Options that are on by default, but cannot be: they need one that is not on, or exclude each other."""

from __future__ import annotations

from rulescript import nodes as n
from rulescript.diagnostics import Label, Reporter

__all__ = ["check_default_options"]


def check_default_options(options: dict[str, n.OptionDecl], reporter: Reporter) -> None:
    """The game can be loaded as it comes, without choosing anything."""
    on = {name: o for name, o in options.items() if any(rule.form == "on" for rule in o.rules)}
    for name, option in on.items():
        for rule in option.rules:
            other = rule.name.text if rule.name is not None else ""
            if rule.form == "needs" and other in options and other not in on:
                assert rule.name is not None
                reporter.error(
                    "RS310",
                    f"`{name}` is on by default and needs `{other}`, which is not",
                    rule.name.span,
                    "not on",
                    [Label(options[other].name.span, "declared here")],
                    f"write `option {other}, on`",
                )
            elif rule.form == "excludes" and other in on:
                assert rule.name is not None
                reporter.error(
                    "RS309",
                    f"`{name}` and `{other}` are both on by default, and exclude each other",
                    rule.name.span,
                    "excluded here",
                    [Label(on[other].name.span, "on by default too")],
                    "leave out one of the `on`",
                )
