"""Checksums of rows. Each covers the checksum before it, so that the rows of a game form a chain.

The rows that belong to no game form one more chain.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

SIZE = 16
START = bytes(SIZE)
"""The checksum that the first row of a chain uses in place of a previous row's checksum."""
BODY = 9

# JSON in ASCII without blanks has the same bytes in every version of Python. In a damaged file a text column may hold
# bytes.
_JSON = json.JSONEncoder(separators=(",", ":"), default=lambda value: {"bytes": bytes(value).hex()}).encode


def name_digest(game: int, place: int, text: object) -> bytes:
    """Return the checksum of a name.

    Names are not part of a chain, so a name and its checksum can be changed together.
    """
    return blake2b(_JSON((game, place, text)).encode(), digest_size=SIZE).digest()


def digest_of(before: object, fields: tuple[Any, ...]) -> bytes:
    """Return the checksum of a row with the columns *fields*. *before* is the checksum of the row before it.

    It is BLAKE2b over the previous checksum, the columns without the body as a JSON array, and the bytes of the body.
    *fields* are in the order in which the file stores them. The checksum is computed without a key, so it does not
    prove who wrote the row.
    """
    link = before if isinstance(before, bytes) and len(before) == SIZE else START
    digest, body = blake2b(link, digest_size=SIZE), fields[BODY]
    if isinstance(body, str):
        digest.update((_JSON(fields[:BODY] + fields[BODY + 1 :]) + body).encode(errors="surrogateescape"))
    else:
        digest.update(_JSON(fields).encode())
    return digest.digest()
