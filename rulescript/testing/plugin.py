"""The pytest plugin: collects the claims of a game folder as tests of their own."""

from __future__ import annotations
