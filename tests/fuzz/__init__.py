"""Damaged and made-up texts, and random games: `python -m tests.fuzz` (or `make fuzz`)."""
