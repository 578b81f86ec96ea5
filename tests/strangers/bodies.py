"""Request bodies that no page sends: too large, truncated, invalid JSON, forms and records, by every role.

No request is answered with 5xx or causes a traceback, every refusal has a
reason, and the connection can be used afterwards or is closed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from tests.strangers.comers import COMERS
from tests.strangers.house import at_home
from tests.strangers.report import Report
from tests.strangers.visitor import Visitor
from tests.web.plain_game import CARDS, HEADER
from web.commands.calibration import CALIBRATION_COMMANDS
from web.commands.table import COMMANDS

ADDRESSES = (
    *("/api/v1/commands", "/api/v1/deeds", "/api/v1/games", "/api/v1/import", "/api/v1/ring/deeds"),
    *("/table/do", "/table/undo", "/table/pace", "/table/answer", "/table/ready", "/games/switch", "/new", "/language"),
    *("/join", "/join/free", "/ring/calibrations", "/ring/teach", "/welcome/board", "/welcome/cubes", "/practice/step"),
)
ROLES = ("nobody", "spectator", "red", "host", "token")
KINDS = (
    *("application/json", "application/json; charset=utf-16", "application/x-www-form-urlencoded"),
    *("multipart/form-data; boundary=x", "multipart/form-data", "application/x-ndjson", "text/plain", "", "\xff/\xff"),
)
SIZES = (69_632, 69_633, 200_000, 1_100_000, 8_388_608, 8_388_609)
LARGE_SHARE = 0.01
GOOD: tuple[dict[str, Any], ...] = (
    {"do": "deal"},
    *({"do": "setup", "player": player, "cards": cards} for player, cards in CARDS.items()),
    {"do": "correct", "player": "red", "reason": "x", "move": {"from": "earth", "to": "p1", "count": 1}},
    {"do": "establish", "player": "red", "planet": "p1", "cards": 3, "jokers": ["silver"], "bonus": True},
    {"deed": "pace", "pace": {"mode": "strict", "steps": {"lay": {"ms": 1000}}}},
    {"deed": "inventory", "left": 1, "stations": {"red": 1}},
    {"deed": "do", "line": {"do": "undo"}, "version": 1},
    {"copy": "x", "readings": [[1, 2, 3]], "made": "2026-01-01"},
    HEADER,
    *({"deed": word} for word in (*COMMANDS, *CALIBRATION_COMMANDS)),
)
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 1e308, 2**53, 2**63, 10**40, "", " ", "\x00", "\ud800", "\u202e", "p1", "red"),
    *(
        [],
        [[]],
        {},
        {"": ""},
        {"__proto__": {}},
        "9" * 5000,
        "a" * 3000,
        "../../etc/passwd",
        "<script>alert(1)</script>",
    ),
    *("{{7*7}}", "%s%n", "' OR 1=1 --", "=1+1", "\r\nX: y"),
)
RAW: tuple[bytes, ...] = (
    *(b"", b"{", b"[" * 5000, b'{"do":' * 3000, b"null", b"[]", b"0", b'"x"', b"NaN", b"\xff\xfe{", b"\xef\xbb\xbf{}"),
    *(
        b'{"do":"deal","do":"undo"}',
        b'{"do":"deal"}{"do":"deal"}',
        b'{"version":1e999}',
        b'{"do":"\\ud800"}',
        b"\x00" * 999,
    ),
    *(
        b"=",
        b"&" * 4000,
        b"csrf=%",
        b"csrf=%ff&line=%7b",
        b"a=b&" * 2000,
        b"line=" + b"[" * 3000,
        b"csrf",
        b"line=\xff",
    ),
    *(b"--x\r\n", b"--x--\r\n", b"--x\r\nContent-Disposition: form-data\r\n\r\n", b"--x\r\n" * 800),
    b'--x\r\nContent-Disposition: form-data; name="csrf"; filename="a"\r\n\r\n1\r\n--x--\r\n',
)
SPLICES = (
    b"\x00",
    b"\xff",
    b'"',
    b"{",
    b"}",
    b",",
    b"\\u0000",
    b"\\",
    b"\n",
    b"\r\n",
    b"%00",
    b"9" * 400,
    b"e999",
    b"-",
)


def bodies(folder: Path, inputs: int, lots: Random) -> Report:
    """Send *inputs* bodies, sometimes large ones, and check that the host's commands still succeed."""
    report = Report("bodies")
    with at_home(folder, report) as house:
        known = {name: COMERS[name](house) for name in ROLES}
        for number in range(inputs):
            role = lots.choice(ROLES)
            if number % 500 == 499 and house.table["status"] != "live":
                house.play()
                known["red"] = COMERS["red"](house)
            _send(known[role], role, lots, report)
        if house.table["status"] != "live" or inputs:
            house.play()
    return report


def _send(visitor: Visitor, role: str, lots: Random, report: Report) -> None:
    large = lots.random() < LARGE_SHARE
    way, body = ("large", b"x" * lots.choice(SIZES)) if large else made(lots)
    address, kind = lots.choice(ADDRESSES), lots.choice(KINDS)
    answer = visitor.ask("POST", address, body, {"Content-Type": kind})
    report.tried[way] += 1
    report.answers[str(answer.status)] += 1
    text = f"{role}: POST {address} as {kind!r} with {body[:120]!r} answers {answer.status}"
    report.expect(answer.status < 500, text)
    if address.startswith("/api/") and answer.status >= 400:
        report.expect(_has_reason(answer.body), f"{text} without a reason: {answer.body[:80]!r}")


def _has_reason(body: bytes) -> bool:
    try:
        return bool(json.loads(body)["reason"])
    except (ValueError, KeyError, TypeError):
        return False


def made(lots: Random) -> tuple[str, bytes]:
    """Return a random kind of body, and a body of this kind."""
    way = lots.choice(sorted(WAYS))
    return way, WAYS[way](lots)


def _odd(lots: Random) -> bytes:
    """Return a complete command with one changed value."""
    return json.dumps(_changed(lots.choice(GOOD), lots)).encode()


def _changed(value: Any, lots: Random) -> Any:
    if isinstance(value, dict) and value and lots.random() < 0.85:
        key = lots.choice(sorted(value))
        changed = {**value, key: _changed(value[key], lots)}
        if lots.random() < 0.1:
            del changed[key]
        return changed
    if isinstance(value, list) and value and lots.random() < 0.7:
        at = lots.randrange(len(value))
        return [*value[:at], _changed(value[at], lots), *value[at + 1 :]]
    return lots.choice(ODD)


def _spliced(lots: Random) -> bytes:
    """Return the bytes of a complete command, truncated, doubled or with other bytes inserted."""
    good = json.dumps(lots.choice(GOOD)).encode()
    at, to = sorted((lots.randrange(len(good)), lots.randrange(len(good))))
    return lots.choice((good[:at], good[:at] + lots.choice(SPLICES) + good[to:], good[:to] + good[at:], good + good))


def _as_form(lots: Random) -> bytes:
    """Return a form with unusual fields."""
    names = ("line", "lines", "csrf", "version", "seat", "pin", "question", "chosen", "pace", "game", "planets", "x")
    fields = [f"{lots.choice(names)}={json.dumps(lots.choice(ODD))}" for _ in range(lots.randrange(1, 6))]
    return "&".join(fields).encode("utf-8", "surrogatepass")


def _record(lots: Random) -> bytes:
    """Return a record with unusual lines."""
    lines = [HEADER, *({"do": "setup", "player": player, "cards": cards} for player, cards in CARDS.items())]
    at = lots.randrange(len(lines))
    lines[at] = _changed(lines[at], lots)
    return lots.choice((b"\n", b"\r\n", b"\n\n", b"")).join(json.dumps(line).encode() for line in lines)


WAYS: dict[str, Callable[[Random], bytes]] = {
    "odd values": _odd,
    "spliced": _spliced,
    "forms": _as_form,
    "records": _record,
    "raw": lambda lots: lots.choice(RAW),
    "noise": lambda lots: lots.randbytes(lots.randrange(1, 600)),
}
