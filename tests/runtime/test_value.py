"""`position.value` knows every state and place by its name."""

from __future__ import annotations

import pytest

import rulescript
from rulescript.runtime.readings import value_names


@pytest.mark.parametrize("name", ["attrition_of_souls", "quartermaster_general_1914"])
def test_every_name_has_a_value(name: str) -> None:
    """Also the states that single things have of their own."""
    position = rulescript.load(name).start(seed=1)
    for known in value_names(position.game):
        position.value(known)
