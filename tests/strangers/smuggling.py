"""Request smuggling: contradicting lengths, unusual line ends, NULs, endless heads.

Each request has its own connection, with a second request hidden behind it. It must not get more answers than the
number of requests that it could contain, nor a 5xx other than those that HTTP defines for such requests, and must do
nothing without permission.
"""

from __future__ import annotations

import re
import socket
from pathlib import Path
from random import Random

from tests.strangers.house import ADDRESSES, PATIENCE_S, at_home
from tests.strangers.report import Report

HIDDEN = (
    b"POST /api/v1/deeds HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n"
)
HIDDEN += b'{"deed":"pause"}'
FIRST = b"POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
ANSWER = re.compile(rb"HTTP/1\.[01] (\d{3}) ")
NOT_OURS = (b"501", b"503", b"505")
"""Statuses that HTTP defines for what a server doesn't support, or can't do at the moment."""
FRAMES: tuple[bytes, ...] = (
    *(
        b"Content-Length: 5\r\nContent-Length: 0\r\n\r\n",
        b"Content-Length: 0, 5\r\n\r\n",
        b"Content-Length: +5\r\n\r\n",
    ),
    *(
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 0x5\r\n\r\n",
        b"Content-Length: 5 5\r\n\r\n",
        b"Content-Length:\r\n\r\n",
    ),
    *(b"Content-Length: 99999999999999999999\r\n\r\n", b"Content-Length: \xb2\r\n\r\n", b"Content-Length : 0\r\n\r\n"),
    b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n",
    *(
        b"Transfer-Encoding: %s\r\n\r\n0\r\n\r\n" % way
        for way in (b"xchunked", b"chunked, identity", b"CHUNKED", b"\x0bchunked")
    ),
    *(b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"),
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    *(
        b"Transfer-Encoding: chunked\r\n\r\n%s" % body
        for body in (b"-1\r\n", b"fffffffffffffffff\r\n", b"g\r\n", b"\r\n")
    ),
    *(
        b"Transfer-Encoding: chunked\r\n\r\n%s" % body
        for body in (b"1\r\nxx\r\n0\r\n\r\n", b"2;a=\x00\r\n{}\r\n0\r\n\r\n")
    ),
    *(b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n0\n\n"),
    b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 3000 + b"0\r\n\r\n",
    *(
        b"X: a\rb\r\n\r\n",
        b"X: a\x00b\r\n\r\n",
        b"X\x00: a\r\n\r\n",
        b"X: a\n b\r\n\r\n",
        b" X: a\r\n\r\n",
        b"X a\r\n\r\n",
    ),
    *(
        b": a\r\n\r\n",
        b"X: \xff\xfe\r\n\r\n",
        b"Host: elsewhere\r\n\r\n",
        b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
    ),
    *(
        b"X: " + b"a" * 80_000 + b"\r\n\r\n",
        b"X: a\r\n" * 3000 + b"\r\n",
        b"Connection: upgrade\r\nUpgrade: h2c\r\n\r\n",
    ),
    *(
        b"Cookie: " + b"companion=a; " * 900 + b"\r\n\r\n",
        b"Range: bytes=0-1,2-3,9-1\r\n\r\n",
        b"If-Match: \xb2\r\n\r\n",
    ),
)
LINES: tuple[bytes, ...] = (
    *(
        b"GET / HTTP/1.1\n",
        b"GET  / HTTP/1.1\r\n",
        b"GET /\x00 HTTP/1.1\r\n",
        b"GET / HTTP/9.9\r\n",
        b"GET / HTTP/0.9\r\n",
    ),
    *(
        b"GET /\r\n",
        b"GET\r\n",
        b"\r\n\r\nGET / HTTP/1.1\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\r\n",
        b"PRI * HTTP/2.0\r\n",
    ),
    *(
        b"GET http://elsewhere/ HTTP/1.1\r\n",
        b"GET elsewhere:80 HTTP/1.1\r\n",
        b"CONNECT a:1 HTTP/1.1\r\n",
        b"OPTIONS * HTTP/1.1\r\n",
    ),
    *(b"GET /%s HTTP/1.1\r\n" % (b"a" * 70_000), b"GET /?%s HTTP/1.1\r\n" % (b"a=b&" * 9000), b"G\xffT / HTTP/1.1\r\n"),
    *(b"GET /%ff%fe?%ff=\xff HTTP/1.1\r\n", b"GET /%00 HTTP/1.1\r\n", b"GET /..%2f..%2fetc%2fpasswd HTTP/1.1\r\n"),
    *(
        b"GET /static/../../token HTTP/1.1\r\n",
        b"GET //evil.example/.. HTTP/1.1\r\n",
        b"GET /history?before=%s HTTP/1.1\r\n" % (b"9" * 5000),
    ),
    *(
        b"GET /%s HTTP/1.1\r\n" % path
        for path in (b"games/99999999999999999999/record", b"table/%0d%0aSet-Cookie:x", b"rules/%3Cscript%3E")
    ),
)
SPLICES = (
    b"\r\n",
    b"\n",
    b"\r",
    b"\x00",
    b" ",
    b"\t",
    b":",
    b"\xff",
    b"%",
    b"0\r\n\r\n",
    b",",
    b";",
    b"chunked",
    b"HTTP/1.1",
)


def smuggling(folder: Path, inputs: int, lots: Random) -> Report:
    """Send *inputs* raw requests: each of the list once, then the same with changed bytes."""
    report = Report("smuggling")
    listed = [FIRST + frame for frame in FRAMES] + [line + b"Host: localhost\r\n\r\n" for line in LINES]
    lots.shuffle(listed)
    with at_home(folder, report) as house:
        before = house.table
        for number in range(inputs):
            raw = listed[number] if number < len(listed) else _varied(lots.choice(listed), lots)
            kind = "listed" if number < len(listed) else "varied"
            cut = raw.find(b"\r\n\r\n") + 4 if number % 2 else len(raw)  # its body may arrive after its answer
            whole = raw + HIDDEN + GET + b"\r\n"
            _send(house.port, ADDRESSES[number % len(ADDRESSES)], whole, cut, kind, report)
        report.expect(house.table == before, f"the table is another: {before} became {house.table}")
    return report


def _send(port: int, address: str, raw: bytes, cut: int, kind: str, report: Report) -> None:
    heard = _answered(port, address, raw, cut)
    statuses = ANSWER.findall(heard)
    report.tried[kind] += 1
    report.answers[" ".join(status.decode() for status in statuses) or "hung up"] += 1
    text = f"{raw[:200]!r} is answered {[status.decode() for status in statuses]}"
    report.expect(all(status < b"500" or status in NOT_OURS for status in statuses), text)
    report.expect(len(statuses) <= 1 + raw.count(b" HTTP/"), f"{text}: more answers than questions")
    report.expect(heard == b"" or heard.startswith(b"HTTP/1.1 "), f"{raw[:200]!r} is answered {heard[:80]!r}")


def _answered(port: int, address: str, raw: bytes, cut: int) -> bytes:
    """Send *raw* in two parts and nothing more; return all data until the server disconnects."""
    heard = b""
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S, source_address=(address, 0)) as sock:
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.sendall(raw[:cut])
            sock.sendall(raw[cut:])
            sock.shutdown(socket.SHUT_WR)
            while part := sock.recv(65_536):
                heard += part
        except OSError:
            return heard  # the server has stopped reading
    return heard


def _varied(raw: bytes, lots: Random) -> bytes:
    for _ in range(lots.randrange(1, 4)):
        at = lots.randrange(min(len(raw), 400) + 1)
        raw = raw[:at] + lots.choice((lots.choice(SPLICES), lots.randbytes(1), b"")) + raw[at + lots.randrange(3) :]
    return raw
