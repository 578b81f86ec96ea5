"""Reads what programs send: strict JSON, one clear sentence when it is not."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from companion.game import Malformed

LINE_MOST = 65_536


def strict(text: str | bytes) -> dict[str, Any]:
    """Return the JSON object in *text*, or raise `Malformed`: no field twice, no NaN, nothing beside it."""
    if len(text) > LINE_MOST:
        raise Malformed(f"longer than {LINE_MOST} bytes")
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        found = json.loads(decoded, object_pairs_hook=_once, parse_constant=_no_number)
    except UnicodeDecodeError as fault:
        raise Malformed("not UTF-8") from fault
    except RecursionError as fault:
        raise Malformed("nested too deeply") from fault
    except ValueError as fault:
        # Numbers of thousands of digits are a ValueError too, without a position.
        raise Malformed(f"not JSON: {fault}") from fault
    if not isinstance(found, dict):
        raise Malformed("not a JSON object")
    return found


def json_body() -> dict[str, Any]:
    """Return the request's JSON object, or refuse the request."""
    if request.mimetype != "application/json":
        raise UnsupportedMediaType("Send JSON: Content-Type application/json.")
    body = request.get_data()
    if len(body) > LINE_MOST:
        raise RequestEntityTooLarge(f"One command is at most {LINE_MOST} bytes.")
    return strict(body)


def json_lines(body: bytes) -> list[dict[str, Any]]:
    """Return the objects of JSON Lines, or raise `Malformed` naming the first line that is none."""
    lines = body.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(strict(line))
        except Malformed as fault:
            raise Malformed(f"line {number}: {fault.reason}") from fault
    return found


def whole_number(value: object, name: str) -> int:
    """Return *value* as a whole number, digits in a form included, or raise `Malformed` naming the field."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        return int(value)
    raise Malformed(f"{name}: not a whole number")


def words(value: object, name: str, most: int = 200) -> str:
    """Return *value* as a short text, or raise `Malformed` naming the field."""
    if not isinstance(value, str) or not value.strip() or len(value) > most or not value.isprintable():
        raise Malformed(f"{name}: not a text of 1 to {most} characters")
    return value.strip()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Malformed("a field stands twice in one object")
    return found


def _no_number(name: str) -> NoReturn:
    raise Malformed(f"{name} is not a number in JSON")
