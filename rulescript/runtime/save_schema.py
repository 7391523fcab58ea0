"""What a save may look like: every field is looked at before any of them is used.

In comes what JSON made of a text, out goes a `Saved`, or BadSave, which names the field at fault and says what belongs
there. Nothing here knows a game: whether the choices and the state fit the rules is asked in `saves.py`. Both the
library and the commands read saves through this door, so that none of them meets a field of the wrong sort.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from typing import Any

from attrs import NOTHING, Attribute, Factory, field, fields, frozen

from rulescript.calls import is_text
from rulescript.errors import BadSave

__all__ = ["FORMAT", "Logged", "Saved", "Snapshot", "read_saved", "saved_from_text"]

FORMAT = 1

# How chance is called in a save, where it is neither the seed (null) nor a script (a list).
CHANCES = ("explicit", "secure")

_LONGEST_SHOWN = 60
_LONGEST_TEXT = 10_000
# Python reads no numbers of more than 4,300 digits; no seed is as long as that.
_MOST_SEED_BITS = 10_000
_HASH = re.compile(r"[0-9a-f]{8,64}")

# Looks at a value and gives it back, as it is kept; ValueError says what should have been there.
_Reader = Callable[[Any], Any]


def _shown(value: Any) -> str:
    try:
        said = json.dumps(value)
    except RecursionError:
        return "a list within lists without end"
    return said if len(said) <= _LONGEST_SHOWN else said[: _LONGEST_SHOWN - 3] + "..."


# ------------------------------------------------------------------ sorts of values


def _exactly(only: Any, meaning: str) -> _Reader:
    def read(value: Any) -> Any:
        if type(value) is not type(only) or value != only:
            raise ValueError(meaning)
        return value

    return read


def _yes_or_no(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _whole(least: int | None = None, bits: int = 63) -> _Reader:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError("a whole number")
        if value.bit_length() > bits or (least is not None and value < least):
            raise ValueError("a whole number of a likely size")
        return value

    return read


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT or not is_text(value):
        raise ValueError("a text")
    return value


def _name(value: Any) -> str:
    """A text of one line, as names, versions and keys are: without what moves a terminal's cursor."""
    if any(unicodedata.category(letter) == "Cc" for letter in _text(value)):
        raise ValueError("a text of one line")
    return str(value)


def _hash(value: Any) -> str:
    if not isinstance(value, str) or not _HASH.fullmatch(value):
        raise ValueError("a fingerprint in hexadecimal digits")
    return value


def _list_of(each: _Reader, meaning: str) -> _Reader:
    def read(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise ValueError(meaning)
        for item in value:
            try:
                each(item)
            except ValueError:
                raise ValueError(meaning) from None
        return value

    return read


def _or_null(reader: _Reader) -> _Reader:
    def read(value: Any) -> Any:
        try:
            return None if value is None else reader(value)
        except ValueError as problem:
            raise ValueError(f"null or {problem}") from None

    return read


_MEANT_BY_OUTCOMES = "a list of what came out of chance: numbers, names, and lists of names"
_names = _list_of(_name, "a list of names")


def _outcome(value: Any) -> Any:
    if isinstance(value, list):
        return _list_of(_outcome_itself, _MEANT_BY_OUTCOMES)(value)
    return _outcome_itself(value)


def _outcome_itself(value: Any) -> Any:
    return _name(value) if isinstance(value, str) else _whole()(value)


_outcomes = _list_of(_outcome, _MEANT_BY_OUTCOMES)


def _chance(value: Any) -> Any:
    if value is None or (isinstance(value, str) and value in CHANCES):
        return value
    try:
        return _outcomes(value)
    except ValueError:
        said = ", ".join(f'"{name}"' for name in CHANCES)
        raise ValueError(f"null, {said} or {_MEANT_BY_OUTCOMES}") from None


@frozen
class Logged:
    """A choice that was made: its name, the key of the answer, and what came out of it."""

    choice: str
    key: str
    outcomes: list[Any] = Factory(list)


def _logged(value: Any) -> Logged:
    if isinstance(value, list) and 2 <= len(value) <= 3:
        try:
            return Logged(_name(value[0]), _name(value[1]), *map(_outcomes, value[2:]))
        except ValueError:
            pass
    raise ValueError("a choice with its key, and what came out of it")


def _log(value: Any) -> list[Logged]:
    if not isinstance(value, list):
        raise ValueError("a list of choices")
    out = []
    for number, each in enumerate(value, 1):
        try:
            out.append(_logged(each))
        except ValueError as problem:
            raise ValueError(f"a list of choices, of which number {number} is {problem}") from None
    return out


@frozen
class Snapshot:
    """The state as it was, at which decision it stood, a fingerprint of both, and one of how the state is laid out,
    which older saves do not tell."""

    state: list[Any]
    block: int
    check: str
    layout: str = ""


_SNAPSHOT: dict[str, _Reader] = {
    "state": _list_of(lambda value: value, "a list"),
    "block": _whole(0),
    "check": _hash,
    "layout": _hash,
}
_TOLD_SINCE = {"layout"}


def _snapshot(value: Any) -> Snapshot:
    if not isinstance(value, dict):
        raise ValueError("an object with `state`, `block`, `check` and `layout`")
    odd = sorted({name for name in value.keys() ^ _SNAPSHOT.keys() if name in value or name not in _TOLD_SINCE})
    if odd:
        raise ValueError(f"an object with `state`, `block`, `check` and `layout` (look at {_shown(odd[0])})")
    for name, reader in _SNAPSHOT.items():
        if name not in value:
            continue
        try:
            reader(value[name])
        except ValueError as problem:
            raise ValueError(f"an object whose `{name}` is {problem}") from None
    return Snapshot(**value)


# ------------------------------------------------------------------ the whole


def _of(reader: _Reader, default: Any = ...) -> Any:
    """A field of a save; one with a default may be missing."""
    metadata = {"reader": reader}
    return field(metadata=metadata) if default is ... else field(default=default, metadata=metadata)


@frozen(kw_only=True)
class Saved:
    """A save with every field of the right sort, and none that contradicts another."""

    format: int = _of(_exactly(FORMAT, str(FORMAT)))
    omniscient: bool = _of(_exactly(True, "true"))
    game: str = _of(_name)
    version: str = _of(_name)
    hash: str = _of(_hash)
    options: list[str] = _of(_names)
    scenario: str = _of(_name)
    players: int = _of(_whole(0))
    seed: int | None = _of(_or_null(_whole(bits=_MOST_SEED_BITS)))
    chance: str | list[Any] | None = _of(_chance)
    ahead: list[int] = _of(_list_of(_whole(0, 64), "a list of numbers of 64 bits"), Factory(list))
    ask: bool = _of(_yes_or_no)
    journal: bool = _of(_yes_or_no)
    opening: list[Any] = _of(_outcomes)
    log: list[Logged] | None = _of(_or_null(_log))
    pending: Logged | None = _of(_or_null(_logged), None)
    # Once meant for games that begin elsewhere than at their beginning; older saves have it, with nothing in it.
    root: None = _of(_exactly(None, "null"), None)
    # Who sat where at the table it was saved at: "human" or the name of a bot for each seat.
    seats: list[str] = _of(_names, Factory(list))
    snapshot: Snapshot = _of(_snapshot)

    @property
    def is_opening(self) -> bool:
        """Whether chance is waited for before the first choice."""
        return self.pending is not None and not self.pending.key


def saved_from_text(text: str, what: str = "this") -> Saved:
    """A save from its text; `what` is how messages call it."""
    try:
        data = json.loads(text, object_pairs_hook=_each_once)
    except (ValueError, RecursionError) as problem:
        raise BadSave(f"{what} is no save of a game: {problem}") from None
    return read_saved(data, what)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. What is there twice would be read by us as the last one says, and by others otherwise."""
    read = dict(pairs)
    if len(read) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        raise ValueError(f"{_shown(counts.most_common(1)[0][0])} is there twice")
    return read


def read_saved(data: Any, what: str = "this") -> Saved:
    """A save from what JSON made of it; BadSave names the first field that is not as it should be."""
    if not isinstance(data, dict) or type(data.get("format")) is not int:
        raise BadSave(f"{what} is no save of a game", field="format")
    if data["format"] != FORMAT:
        said = _shown(data["format"])
        raise BadSave(
            f"{what} is no save of a game that this program knows: its `format` is {said}, not {FORMAT}",
            field="format",
        )
    known = {each.name: each for each in fields(Saved)}
    for name in data:
        if name not in known:
            raise BadSave(f"{what} is damaged: there is no field {_shown(name)} in a save", field=str(name))
    saved = Saved(**{each.name: _read(each, data, what) for each in known.values() if _is_there(each, data, what)})
    _check_agreement(saved, what)
    return saved


def _is_there(each: Attribute[Any], data: dict[str, Any], what: str) -> bool:
    if each.name not in data and each.default is NOTHING:
        raise BadSave(f"{what} is damaged: its `{each.name}` is missing", field=each.name)
    return each.name in data


def _read(each: Attribute[Any], data: dict[str, Any], what: str) -> Any:
    value = data[each.name]
    try:
        return each.metadata["reader"](value)
    except ValueError as problem:
        message = f"{what} is damaged: its `{each.name}` is {_shown(value)}, but should be {problem}"
        raise BadSave(message, field=each.name) from None


def _check_agreement(saved: Saved, what: str) -> None:
    """Fields that are right by themselves may still contradict each other."""
    if saved.seed is None and saved.log is not None:
        wrong, why = "seed", "is null, but its `log` begins with one"
    elif saved.chance is None and saved.opening:
        wrong, why = "opening", "has outcomes of chance, but its `chance` says that the seed decides"
    elif saved.chance is None and any(entry.outcomes for entry in saved.log or ()):
        wrong, why = "log", "has outcomes of chance, but its `chance` says that the seed decides"
    elif saved.ahead and saved.chance != "secure":
        wrong, why = "ahead", 'is for `chance` "secure" alone'
    elif saved.pending is not None and saved.chance != "explicit":
        wrong, why = "pending", 'waits for chance, but its `chance` is not "explicit"'
    elif saved.pending is not None and bool(saved.pending.choice) != bool(saved.pending.key):
        wrong, why = "pending", "is a choice without its key, or a key without its choice"
    elif saved.is_opening and (saved.opening or saved.log):
        wrong, why = "pending", "waits for what comes before the first choice, but there were choices"
    else:
        return
    raise BadSave(f"{what} is damaged: its `{wrong}` {why}", field=wrong)
