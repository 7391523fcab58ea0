"""Rows in a file: Parquet where pyarrow is there (`rulescript[data]`), else lines of JSON, compressed.

Both say at their end that they are whole, so one that was cut off is found out. A file has a row for each game, with
lists inside it; docs/simulation.md names the columns."""

from __future__ import annotations

import gzip
import io
import itertools
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulescript.errors import BadRun
from rulescript.simulation.plain_files import MOST_UNPACKED, data_of, read_plain
from rulescript.simulation.recorder import Row

__all__ = ["FORMATS", "SUFFIXES", "as_table", "decoded", "encoded", "has_parquet", "schema"]

FORMATS = ("parquet", "jsonl")
SUFFIXES = {"parquet": ".parquet", "jsonl": ".jsonl.gz"}


def has_parquet() -> bool:
    from importlib.util import find_spec

    return find_spec("pyarrow") is not None


def schema() -> Any:
    """The columns of a row, for Arrow."""
    import pyarrow as pa

    turn = pa.struct([("turn", pa.int32()), ("standing", pa.list_(pa.int64()))])
    use = pa.struct(
        [("sort", pa.string()), ("name", pa.string()), ("role", pa.string()), ("times", pa.int32()),
         ("offered", pa.int32())]
    )  # fmt: skip
    return pa.schema([
        ("seed", pa.int64()), ("failure", pa.string()), ("is_over", pa.bool_()), ("winners", pa.list_(pa.string())),
        ("how", pa.string()), ("scores", pa.list_(pa.float64())), ("first", pa.string()), ("decisions", pa.int32()),
        ("asked", pa.list_(pa.int32())), ("turns", pa.int32()), ("standing", pa.list_(pa.int64())),
        ("by_turn", pa.list_(turn)), ("is_followed", pa.bool_()), ("uses", pa.list_(use)),
    ])  # fmt: skip


def encoded(rows: Sequence[Row], format: str) -> bytes:
    """A file of rows."""
    return _to_parquet(rows) if format == "parquet" else _to_lines(rows)


def _to_parquet(rows: Sequence[Row]) -> bytes:
    import pyarrow.parquet as pq

    made = io.BytesIO()
    pq.write_table(as_table(rows), made, compression="zstd")
    return made.getvalue()


def _to_lines(rows: Sequence[Row]) -> bytes:
    lines = [json.dumps(_nested(row), ensure_ascii=False, separators=(",", ":")) for row in rows]
    lines.append(json.dumps({"rows": len(rows)}))
    # Without a time in it: the same rows are the same bytes.
    return gzip.compress("\n".join(lines).encode(), 3, mtime=0)


def decoded(path: Path) -> list[Row]:
    """The rows of a file; BadRun if it is damaged, or cannot be read here."""
    name = path.name
    try:
        data = read_plain(path)
    except OSError as problem:
        raise BadRun(f"`{path}` cannot be read: {problem.strerror or problem}") from None
    except ValueError as problem:
        raise damaged(name, problem) from None
    if name.endswith(SUFFIXES["parquet"]):
        if not has_parquet():
            raise BadRun(f"`{name}` is Parquet, and pyarrow is not installed", hint="pip install 'rulescript[data]'")
        return _from_parquet(data, name)
    return _from_lines(data, name)


def _from_parquet(data: bytes, name: str) -> list[Row]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(io.BytesIO(data))
        if not file.schema_arrow.equals(schema()):
            raise ValueError("its columns are others")
        about = file.metadata
        if sum(about.row_group(at).total_byte_size for at in range(about.num_row_groups)) > MOST_UNPACKED:
            raise ValueError(_TOO_LARGE)
        return [_sound(row) for row in _rows_of(file.read())]
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError) as problem:
        raise damaged(name, problem) from None


def _from_lines(data: bytes, name: str) -> list[Row]:
    try:
        rows: list[Row] = []
        unpacked = 0
        end = None
        file = gzip.GzipFile(fileobj=io.BytesIO(data))
        while line := file.readline(MOST_UNPACKED):
            unpacked += len(line)
            if unpacked > MOST_UNPACKED:
                raise ValueError(_TOO_LARGE)
            if end is not None:
                rows.append(_sound(_flat(end)))
            end = data_of(line)
        if end != {"rows": len(rows)}:
            raise ValueError("its end is missing")
        return rows
    except (OSError, EOFError, ValueError, TypeError, KeyError, zlib.error) as problem:
        raise damaged(name, problem) from None


# ---- Arrow: column by column, since one value after the other would take longer than to play --------------


def as_table(rows: Sequence[Row]) -> Any:
    """Rows as an Arrow table."""
    import pyarrow as pa

    made = []
    for column in schema():
        values = [row[column.name] for row in rows]
        inner = pa.types.is_list(column.type) and column.type.value_type
        if inner and pa.types.is_struct(inner):
            ends = list(itertools.accumulate((len(value) for value in values), initial=0))
            parts = list(zip(*itertools.chain.from_iterable(values), strict=True)) or [()] * inner.num_fields
            arrays = [pa.array(part, inner.field(at).type) for at, part in enumerate(parts)]
            struct = pa.StructArray.from_arrays(arrays, fields=[inner.field(at) for at in range(inner.num_fields)])
            made.append(pa.ListArray.from_arrays(pa.array(ends, pa.int32()), struct))
        else:
            made.append(pa.array(values, column.type))
    return pa.Table.from_arrays(made, schema=schema())


def _rows_of(table: Any) -> list[Row]:
    import pyarrow as pa

    columns: dict[str, list[Any]] = {}
    for column in schema():
        array = table[column.name].combine_chunks()
        inner = pa.types.is_list(column.type) and column.type.value_type
        if inner and pa.types.is_struct(inner):
            struct = array.flatten()
            flat = list(zip(*(part.to_pylist() for part in struct.flatten()), strict=True))
            ends = itertools.accumulate(array.value_lengths().to_pylist(), initial=0)
            columns[column.name] = [flat[first:last] for first, last in itertools.pairwise(ends)]
        else:
            columns[column.name] = array.to_pylist()
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


_TOO_LARGE = f"it unpacks to more than {MOST_UNPACKED // 1_000_000} MB"


def _sound(row: Row) -> Row:
    """A row in which everything is of its sort; ValueError if something is not."""
    if not (
        _is_whole(row["seed"], 63)
        and all(_is_whole(row[key], 31) for key in ("decisions", "turns"))
        and all(isinstance(row[key], str) for key in ("failure", "how", "first"))
        and all(isinstance(row[key], bool) for key in ("is_over", "is_followed"))
        and all(isinstance(name, str) for name in row["winners"])
        and all(isinstance(score, int | float) and abs(score) < _LARGEST for score in row["scores"])
        and all(_is_whole(times, 31) for times in row["asked"])
        and all(_is_whole(number, 63) for number in row["standing"])
        and all(_is_whole(turn, 31) and all(_is_whole(n, 63) for n in numbers) for turn, numbers in row["by_turn"])
        and all(_is_use(*use) for use in row["uses"])
    ):
        raise ValueError("not as we write it")
    return row


_LARGEST = 2.0**62


def _is_whole(number: Any, bits: int) -> bool:
    return type(number) is int and number.bit_length() <= bits


def _is_use(sort: Any, name: Any, role: Any, times: Any, offered: Any) -> bool:
    is_named = type(sort) is str and type(name) is str and type(role) is str
    return is_named and _is_whole(times, 31) and _is_whole(offered, 31)


def damaged(name: str, problem: Exception) -> BadRun:
    said = str(problem).splitlines()[0][:100] if str(problem) else type(problem).__name__
    return BadRun(f"`{name}` is damaged or not written to its end ({said})")


def _nested(row: Row) -> Row:
    """A row as it is written: with names for what stands in its lists."""
    return {
        **row,
        "by_turn": [{"turn": turn, "standing": numbers} for turn, numbers in row["by_turn"]],
        "uses": [
            {"sort": sort, "name": name, "role": role, "times": times, "offered": offered}
            for sort, name, role, times, offered in row["uses"]
        ],
    }


def _flat(row: Row) -> Row:
    """The other way round."""
    row["by_turn"] = [(each["turn"], each["standing"]) for each in row["by_turn"]]
    row["uses"] = [(u["sort"], u["name"], u["role"], u["times"], u["offered"]) for u in row["uses"]]
    for key in ("seed", "failure", "winners", "scores", "asked", "turns", "standing", "decisions", "is_over"):
        row[key]  # noqa: B018 - a row without it is damaged
    return row
