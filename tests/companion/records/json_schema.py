"""A small validator for the keywords of JSON Schema that these tests use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

KINDS: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
}
ASIDE = {"$schema", "title", "description"}


def broken(value: Any, schema: Mapping[str, Any], where: str = "it") -> Iterator[str]:
    """Yield each way in which *value* breaks *schema*; an unknown keyword raises KeyError."""
    for word, wanted in schema.items():
        if word not in ASIDE:
            yield from _CHECKS[word](value, wanted, where, schema)


def _type(value: Any, wanted: str, where: str, _schema: Any) -> Iterator[str]:
    if not isinstance(value, KINDS[wanted]) or (wanted == "integer" and isinstance(value, bool)):
        yield f"{where} is no {wanted}"


def _required(value: Any, wanted: list[str], where: str, _schema: Any) -> Iterator[str]:
    yield from (f"{where} lacks {name}" for name in wanted if name not in value)


def _properties(value: Any, wanted: Mapping[str, Any], where: str, _schema: Any) -> Iterator[str]:
    for name, inner in wanted.items():
        if name in value:
            yield from broken(value[name], inner, f"{where}.{name}")


def _no_more(value: Any, wanted: bool, where: str, schema: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{where} has {name}" for name in value if not wanted and name not in schema["properties"])


def _items(value: Any, wanted: Mapping[str, Any], where: str, _schema: Any) -> Iterator[str]:
    for at, each in enumerate(value):
        yield from broken(each, wanted, f"{where}[{at}]")


def _pattern(value: Any, wanted: str, where: str, _schema: Any) -> Iterator[str]:
    if not re.search(wanted, value):
        yield f"{where} is not like {wanted}"


def _minimum(value: Any, wanted: int, where: str, _schema: Any) -> Iterator[str]:
    if value < wanted:
        yield f"{where} is below {wanted}"


def _least_length(value: Any, wanted: int, where: str, _schema: Any) -> Iterator[str]:
    if len(value) < wanted:
        yield f"{where} is shorter than {wanted}"


_CHECKS = {
    "type": _type,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _no_more,
    "items": _items,
    "pattern": _pattern,
    "minimum": _minimum,
    "minLength": _least_length,
}
