"""Under fog of war, the enemy does not learn from the Expeditionary Force what was mobilized face down."""

from __future__ import annotations

import json
import random

import pytest

import rulescript


@pytest.mark.parametrize("seeds, enough", [(range(1), 51), pytest.param(range(8), 10_000, marks=pytest.mark.long)])
def test_who_was_sent_abroad_is_not_seen(seeds: range, enough: int) -> None:
    game = rulescript.load("attrition_of_souls", options=["fog_of_war", "event_cards"])
    compared = 0
    for seed in seeds:
        position, rng = game.start(seed=seed), random.Random(seed)
        for _ in range(350):
            decision = position.decision
            if decision is None or compared >= enough:
                break
            at_work = position.value(f"{position.value('active')}.events_in_play")
            if decision.name == "mobilize" and decision.stage == 0 and "Expeditionary" in str(at_work):
                (enemy,) = (player for player in game.players if player != decision.player)
                seen: dict[str, set[str]] = {}
                for option in decision.options:
                    inner = position.clone().choose(option)
                    where = inner.decision
                    if where is None or where.name != "mobilize" or where.stage != 1:
                        continue
                    for region in where.options:
                        after = inner.clone().choose(region)
                        view = after.view(enemy).to_dict()
                        del view["decision"]
                        story = after.journal.for_viewer(enemy).to_json_lines()
                        seen.setdefault(region.key, set()).add(json.dumps([view, story], sort_keys=True))
                        compared += 1
                assert all(len(views) == 1 for views in seen.values())
            position.choose(rng.choice(decision.options))
    assert compared > 50
