"""Checksums of rows, each over the one before it: a game is a chain of them, and so is what belongs to no game."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

SIZE = 16
START = bytes(SIZE)
"""What stands before the first row of a chain."""
BODY = 9

# ASCII and no blanks: the same bytes in every version of Python. A card may have put bytes where a text was.
_JSON = json.JSONEncoder(separators=(",", ":"), default=lambda value: {"bytes": bytes(value).hex()}).encode


def name_digest(game: int, place: int, text: object) -> bytes:
    """Return the checksum of a name by itself: it is in no chain, so that it can be changed together with the name."""
    return blake2b(_JSON((game, place, text)).encode(), digest_size=SIZE).digest()


def digest_of(before: object, fields: tuple[Any, ...]) -> bytes:
    """Return the checksum of the row that has these columns and follows on a row whose checksum is *before*.

    BLAKE2b over the checksum before, the columns without the body as a JSON array, and the bytes of the body. *fields*
    are the columns as they lie in the file, in their order. It says nothing of who wrote them: it has no key.
    """
    link = before if isinstance(before, bytes) and len(before) == SIZE else START
    digest, body = blake2b(link, digest_size=SIZE), fields[BODY]
    if isinstance(body, str):
        digest.update((_JSON(fields[:BODY] + fields[BODY + 1 :]) + body).encode(errors="surrogateescape"))
    else:
        digest.update(_JSON(fields).encode())
    return digest.digest()
