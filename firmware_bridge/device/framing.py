"""Frames messages as lines with a checksum, and finds the lines in a stream of bytes.

A line is `$`, the body, `*`, eight hexadecimal digits and a newline. Both `$` and the newline end the line before them,
so a lost newline damages one line, not two.
"""

from binascii import crc32

LONGEST = 120
SEAL = 9  # the star and its eight digits
LONGEST_BODY = LONGEST - SEAL - 2  # without the dollar sign and the newline


def checksum(body: bytes) -> str:
    """Return the CRC-32 of *body* as eight lower-case hexadecimal digits.

    >>> checksum(b"123456789")
    'cbf43926'
    """
    return "%08x" % crc32(body)


def plain(body: bytes) -> bool:
    """Return whether *body* is non-empty printable ASCII without `$` and `*`."""
    return min(body) >= 32 and max(body) < 127 and b"$" not in body and b"*" not in body


def seal(body: str) -> bytes:
    """Format *body* as a line with its checksum. Raise ValueError if it is not `plain` or is too long.

    >>> seal("hi v=1 h=5f0c2a")
    b'$hi v=1 h=5f0c2a*03d81bbd\\n'
    """
    data = body.encode()
    if not data or not plain(data):
        raise ValueError(f"no line carries this: {body[:40]}")
    return sealed(data)


def sealed(body: bytes) -> bytes:
    """Format *body* as a line like `seal`, without checking its characters: that would take a board half a millisecond.

    Raise ValueError if it is too long.
    """
    if len(body) > LONGEST_BODY:
        raise ValueError("no line carries this: " + body[:40].decode())
    return b"$%s*%08x\n" % (body, crc32(body))


def opened(piece: bytes) -> str | None:
    """Return the body of *piece*, the bytes between two line marks. Return None if it is damaged."""
    if piece[-1:] == b"\r":
        piece = piece[:-1]
    body = piece[:-SEAL]
    if not body or len(body) > LONGEST_BODY or piece[-SEAL:] != b"*" + checksum(body).encode():
        return None
    return body.decode() if plain(body) else None


class LineFraming:
    """Finds whole lines in bytes that arrive in portions of any size. It buffers at most one unfinished line."""

    def __init__(self) -> None:
        self.damaged = 0
        self._rest = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[str]:
        """Add *data*. Return the bodies of the lines that it completes, in order. Damaged lines are counted."""
        pieces = (self._rest + data).replace(b"$", b"\n").split(b"\n")
        self._rest = pieces.pop()
        bodies = []
        for piece in pieces:
            if self._skipping or piece in (b"", b"\r"):
                self._skipping = False
                continue
            body = opened(piece)
            if body is None:
                self.damaged += 1
            else:
                bodies.append(body)
        self._bound()
        return bodies

    def _bound(self) -> None:
        """If the unfinished line is longer than any valid line, discard it up to the next mark."""
        if len(self._rest) > LONGEST:
            self.damaged += 0 if self._skipping else 1
            self._skipping = True
        if self._skipping:
            self._rest = b""
