"""Events as JSON for the ledger, and back: field by field, nothing guessed."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

from companion.game import Line, Malformed
from companion.games.andromeda.commands import Amount, Credits, StationMove
from companion.games.andromeda.events import Event
from companion.saying import said

_EVENTS = {kind.__name__: kind for kind in get_args(Event)}
_CORRECTIONS = {kind.__name__: kind for kind in (Amount, Credits, StationMove)}
_NAMES: dict[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind)) for kind in (*_EVENTS.values(), *_CORRECTIONS.values())
}


def pack(event: Event) -> Line:
    """Return *event* as JSON: its name under `event`, then its fields."""
    line = {"event": type(event).__name__, **{name: getattr(event, name) for name in _NAMES[type(event)]}}
    if "what" in line:
        what = line["what"]
        line["what"] = {"is": type(what).__name__, **{name: getattr(what, name) for name in _NAMES[type(what)]}}
    return line


def unpack(line: Line) -> Event:
    """Return the event that `pack` gave, or raise `Malformed` for anything else."""
    try:
        values = dict(line)
        kind = _EVENTS[values.pop("event")]
        if "what" in values:
            what = dict(values["what"])
            values["what"] = _made(_CORRECTIONS[what.pop("is")], what)
        return _made(kind, values)  # type: ignore[no-any-return]  # _EVENTS holds events only
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise Malformed(said("no event of Andromeda: %(fault)s", fault=repr(fault))) from None


def _made(kind: type, values: dict[str, Any]) -> Any:
    if set(values) != set(_NAMES[kind]):
        raise ValueError(f"fields of {kind.__name__} are {', '.join(_NAMES[kind])}")
    return kind(**{name: _frozen(value) for name, value in values.items()})


def _frozen(value: Any) -> Any:
    """Return *value* with lists as tuples: JSON knows no tuples, events hold nothing else."""
    return tuple(_frozen(part) for part in value) if isinstance(value, list | tuple) else value
