"""Diagnostics: what we tell a designer about their rules, and how.

`report` holds the data, `catalogue` the codes and their explanations, `render` the text and JSON, `spelling`
the guesses for hints. See README.md in this folder.
"""

from rulescript.diagnostics.catalogue import CODES, Code
from rulescript.diagnostics.render import (
    render_diagnostic,
    render_explanation,
    render_json,
    render_report,
    render_summary,
)
from rulescript.diagnostics.report import Diagnostic, Label, Reporter, Severity
from rulescript.diagnostics.spelling import nearest_names, spelling_hint

__all__ = [
    "CODES",
    "Code",
    "Diagnostic",
    "Label",
    "Reporter",
    "Severity",
    "nearest_names",
    "render_diagnostic",
    "render_explanation",
    "render_json",
    "render_report",
    "render_summary",
    "spelling_hint",
]
