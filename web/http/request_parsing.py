"""Parse what clients send: strict JSON and form fields. Also the address that they send it from, for limits."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.names import name_fault, odd_character
from companion.kernel.said import said
from companion.records import LIMIT, object_from

LARGEST = 2**63
"""One more than the largest number that the ledger can store."""
LINES_MOST = 10


def strict(text: str | bytes, most: int = LIMIT) -> Line:
    """Return the JSON object in *text*, up to *most* bytes, or raise `Malformed`.

    The parser is as strict as for a record line.
    """
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    # A body may have several lines. JSON strings can't contain line breaks, so no data is lost.
    return object_from(raw.replace(b"\n", b" ").replace(b"\r", b" "), most)


def json_body(most: int = LIMIT) -> Line:
    """Return the JSON object in the request's body, up to *most* bytes, or raise an HTTP error or `Malformed`."""
    if request.mimetype != "application/json":
        raise UnsupportedMediaType(said("Send JSON: Content-Type application/json."))
    body = request.get_data()
    if len(body) > most:
        raise RequestEntityTooLarge(said("One command is at most %(most)s bytes.", most=most))
    return strict(body, most)


def whole_number(value: object, name: str) -> int:
    """Return *value*, a number or digits from a form, as a whole number.

    Otherwise raise `Malformed`, which names the field.
    """
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST:
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        return int(value)
    raise Malformed(said("%(field)s must be a whole number", field=name))


def words(value: object, name: str, most: int = 200) -> str:
    """Return *value* as a short text, or raise `Malformed`, which names the field."""
    if isinstance(value, str) and (odd := odd_character(value.strip())) is not None:
        raise Malformed(said("%(field)s can't have the character %(character)s", field=name, character=odd))
    if not isinstance(value, str) or name_fault(value, most) is not None:
        raise Malformed(said("%(field)s must be text of 1 to %(most)s characters", field=name, most=most))
    return value.strip()


def copy_name(form: Mapping[str, str]) -> str:
    """Return the name under which to store the copy in *form*, or "" if it isn't to be stored. Raises `Malformed`."""
    name = form.get("keep", "").strip()
    if name and (fault := name_fault(name)) is not None:
        raise Malformed(said("The name of the copy: %(why)s", why=fault), "keep")
    return name


def lines_of(fields: Mapping[str, Any]) -> list[Line]:
    """Return the record lines in *fields*: one line in the field `line`, or several in `lines`."""
    several = fields.get("lines")
    if isinstance(several, str):
        return _several(strict(several).get("lines"))
    line = fields.get("line")
    if isinstance(line, str):
        line = strict(line)
    if not isinstance(line, Mapping):
        raise Malformed(said("line must be a command"))
    return [line]


def _several(lines: object) -> list[Line]:
    if not isinstance(lines, list) or not 1 <= len(lines) <= LINES_MOST:
        raise Malformed(said("lines must be a list of 1 to %(most)s commands", most=LINES_MOST))
    if not all(isinstance(line, Mapping) for line in lines):
        raise Malformed(said("lines must all be commands"))
    return lines


HERE = frozenset(("127.0.0.1", "::1"))
"""Addresses of this machine. Other loopback addresses don't count."""


@lru_cache(maxsize=1024)
def place(address: str) -> str:
    """Return the key under which an address is counted: an IPv4 address, or the /64 network of an IPv6 address.

    A device can choose any address within its /64.
    """
    try:
        number = ip_address(address)
    except ValueError:
        return address
    if not isinstance(number, IPv6Address):
        return str(number)
    if number.ipv4_mapped is not None:
        return str(number.ipv4_mapped)
    return str(number) if number.is_loopback else str(IPv6Network((int(number), 64), strict=False))


def device_at(address: str) -> str:
    """Return a hash of a device's whole address, to tell devices apart.

    Only the address is used, no other properties of the browser, so people can't be tracked with it. If a device's
    address changes, it must enter the PIN once more.
    """
    try:
        number: IPv4Address | IPv6Address | str = ip_address(address)
    except ValueError:
        number = address
    if isinstance(number, IPv6Address) and number.ipv4_mapped is not None:
        number = number.ipv4_mapped
    return hashlib.sha256(str(number).encode()).hexdigest()


def at_the_machine(address: str) -> bool:
    """Tell whether a request comes from this machine."""
    return place(address) in HERE
