"""A table's membership of a club: the code on its sheet, and the private file in its data folder.

A code is a URL with everything that a table needs to connect: the broker's host and port, the table's address and
password, and the certificate of the club's own authority. Nobody types it; it is in the QR code of the sheet, and in
the sheet's file, which `companion club join` reads. The six words are a checksum that people can compare.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import ssl
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from companion.club.connection import BrokerAddress
from companion.kernel.errors import Malformed
from companion.kernel.private_file import write_private
from companion.kernel.said import said

MEMBERSHIP = "club.json"
SCHEME = "ring-club"
MDNS_NAME = "ring-club"
"""The name of a club's computer in the local network, without `.local`."""
CODE = re.compile(rf"{SCHEME}://[0-9a-f]{{16}}:[A-Za-z0-9_-]+@[^\s\"'<>]+")
_ADDRESS = re.compile(r"[0-9a-f]{16}")
_WORD_LIST = """acorn amber anchor apple arrow badge bamboo basket beacon birch bottle bridge candle canoe carpet castle
cedar cherry clover comet copper coral cotton crane dune eagle ember falcon feather fern forest garden ginger hammer
harbour island ivory jacket kettle ladder lantern lemon magnet maple marble meadow mirror needle ocean orbit paper
pebble pencil pocket rabbit ribbon river saddle silver spider timber violet window zebra"""
_WORDS = tuple(_WORD_LIST.split())


@dataclass(frozen=True)
class Membership:
    """What a table knows about its club. *host* and *port* are the broker's. *ca* is a certificate as text (PEM)."""

    club: str
    table: str
    host: str
    port: int
    address: str
    password: str = field(repr=False)
    ca: str = field(repr=False)

    @property
    def broker(self) -> BrokerAddress:
        """The broker's address, with the data for signing in."""
        signed_in = (self.address, self.password, self.ca)
        return BrokerAddress(self.host, self.port, *signed_in, named=False, mdns=f"{MDNS_NAME}.local")


def code_of(membership: Membership) -> str:
    """Return the code of a table's sheet."""
    der = ssl.PEM_cert_to_DER_cert(membership.ca) if membership.ca else b""
    more = {"club": membership.club, "table": membership.table, "ca": base64.urlsafe_b64encode(der).decode()}
    host = f"[{membership.host}]" if ":" in membership.host else quote(membership.host)
    place = f"{membership.address}:{membership.password}@{host}:{membership.port}"
    return f"{SCHEME}://{place}/?{urlencode(more, quote_via=quote)}"


def membership_of(text: str) -> Membership:
    """Return the membership in the code that *text* contains, for example a sheet, or raise `Malformed`."""
    found = {match.replace("&amp;", "&") for match in CODE.findall(text)}
    if len(found) > 1:
        raise Malformed(said("There are %(count)s codes in this: use the sheet of this table alone.", count=len(found)))
    try:
        parts = urlsplit(found.pop())
        more = {name: values[0] for name, values in parse_qs(parts.query).items()}
        ca = base64.b64decode(more["ca"], "-_", validate=True) if "ca" in more else b""
        pem = ssl.DER_cert_to_PEM_cert(ca) if ca else ""
        if pem:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=pem)
        address, password, host, port = parts.username or "", parts.password or "", parts.hostname or "", parts.port
        if not _ADDRESS.fullmatch(address) or not password or not host or not port:
            raise ValueError(address)
        return Membership(more["club"], more.get("table", ""), unquote(host), port, address, password, pem)
    except (KeyError, ValueError, binascii.Error, ssl.SSLError):
        raise Malformed(said("This isn't the code of a club: take the whole code from the table's sheet.")) from None


def words_of(membership: Membership) -> str:
    """Return six words for the code of a table's sheet. A different code gives different words."""
    digest = blake2b(code_of(membership).encode(), digest_size=6).digest()
    return " ".join(_WORDS[byte % len(_WORDS)] for byte in digest)


def read_membership(data: Path) -> Membership | None:
    """Return the membership stored in the folder *data*, or None. Raises `Malformed` if the file is damaged."""
    try:
        found = json.loads((data / MEMBERSHIP).read_text(encoding="utf-8"))
        return Membership(**found)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError):
        raise Malformed(said("%(file)s is damaged: join the club again.", file=MEMBERSHIP)) from None


def write_membership(data: Path, membership: Membership) -> None:
    """Store *membership* in the folder *data*, readable by its owner only. Raises OSError."""
    write_private(data / MEMBERSHIP, json.dumps(asdict(membership)))
