"""The games of a run as Arrow tables, which pandas, polars and DuckDB read without copying."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulescript.errors import BadRun
from rulescript.simulation.parts import as_table, has_parquet

if TYPE_CHECKING:
    from rulescript.simulation.runs import Run

__all__ = ["tables_of"]


def tables_of(run: Run) -> dict[str, Any]:
    """`games`: a row for each game. `roles`: one for each game and role. `standing`: one for each game, turn and role.
    `uses`: one for each game, role and what it used."""
    if not has_parquet():
        raise BadRun("tables need pyarrow, which is not installed", hint="pip install 'rulescript[data]'")
    import pyarrow as pa

    rows = list(run.rows())
    roles = run.roles
    whole = as_table(rows)
    games = whole.drop_columns(["scores", "asked", "standing", "by_turn", "uses"])
    each: dict[str, list[Any]] = {name: [] for name in ("seed", "role", "score", "decisions", "standing")}
    turns: dict[str, list[Any]] = {name: [] for name in ("seed", "turn", "label", "role", "standing")}
    uses: dict[str, list[Any]] = {name: [] for name in ("seed", "sort", "name", "label", "role", "times", "offered")}
    labels: dict[tuple[str, str], str] = {}
    for row in rows:
        seed = row["seed"]
        for at, role in enumerate(roles):
            _add(
                each, seed, role, row["scores"][at], row["asked"][at], row["standing"][at] if row["standing"] else None
            )
        for turn, numbers in row["by_turn"]:
            for role, number in zip(roles, numbers, strict=False):
                _add(turns, seed, turn, run.turn_label(turn), role, number)
        for sort, name, role, times, offered in row["uses"]:
            label = labels.get((sort, name))
            if label is None:
                label = labels[sort, name] = run.item_label(sort, name)
            _add(uses, seed, sort, name, label, role, times, offered)
    number, word = pa.int64(), pa.string()
    return {
        "games": games,
        "roles": _made(
            each, {"seed": number, "role": word, "score": pa.float64(), "decisions": number, "standing": number}
        ),
        "standing": _made(turns, {"seed": number, "turn": number, "label": word, "role": word, "standing": number}),
        "uses": _made(
            uses,
            {
                "seed": number,
                "sort": word,
                "name": word,
                "label": word,
                "role": word,
                "times": number,
                "offered": number,
            },
        ),
    }


def _add(columns: dict[str, list[Any]], *values: Any) -> None:
    for column, value in zip(columns.values(), values, strict=True):
        column.append(value)


def _made(columns: dict[str, list[Any]], types: dict[str, Any]) -> Any:
    import pyarrow as pa

    return pa.table({name: pa.array(values, types[name]) for name, values in columns.items()})
