"""The port of the server: open streams, misbehaving clients, and shutdown."""

from __future__ import annotations

import json
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from subprocess import PIPE

import pytest

from companion.ledger import Ledger
from companion.session.commands import Undo
from tests.forkserver.process import Forked
from tests.web.conftest import opened
from tests.web.open_port import OpenPort, hear, rest
from tests.web.served_house import HOST, ServedHouse
from web import Service
from web.server.connection_limit import EACH
from web.server.gateway import BODY_MOST, IMPORT_MOST
from web.server.request_limits import STALL_S
from web.server.service import HEAD_S

ROOT = Path(__file__).parents[3]
LONG_S = 3600.0


def hung_up(sock: socket.socket) -> bool:
    """Return whether *sock* has received anything, including the end of the connection."""
    return bool(select.select([sock], [], [], 0)[0])


def test_pages_and_streams_answer_on_one_port(open_port: OpenPort) -> None:
    """Port: pages, API and streams are served on the same port."""
    with open_port.stream():
        assert open_port.get("/healthz")[0] == 200
        assert "<h1>" in open_port.get("/")[1]


def test_a_deed_reaches_every_open_stream(site: ServedHouse, open_port: OpenPort) -> None:
    """Port: a commit is sent on every stream, with its version as id."""
    with ExitStack() as open_streams:
        streams = [open_streams.enter_context(open_port.stream()) for _ in range(4)]
        version = site.table.do({"do": "deal"}, HOST)

        for stream in streams:
            hear(stream, b"id: %d\n" % version)


def test_a_stream_resumes_after_a_lost_connection(site: ServedHouse, open_port: OpenPort) -> None:
    """Port: after a reconnect with Last-Event-ID, a client gets the newest version at once, and no other."""
    seen = site.table.snapshot.version
    open_port.stream(seen).close()
    site.table.do({"do": "deal"}, HOST)
    newest = site.table.execute(Undo(), HOST)

    with open_port.say(f"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: {seen}\r\n\r\n") as stream:
        heard = hear(stream, b"id: %d\n" % newest)
        assert heard.count(b"id: ") == 1


@pytest.fixture
def patient(site: ServedHouse) -> Iterator[OpenPort]:
    """A port whose timeouts are far longer than any answer takes."""
    with opened(site, head_s=LONG_S, stall_s=LONG_S) as open_port:
        yield open_port


def test_the_next_request_after_thirty_reloads_waits_for_none_of_them(patient: OpenPort) -> None:
    """Port: after thirty reloads with streams, a tablet is still answered, while a silent client stays connected."""
    with patient.connect() as silent:
        for _ in range(30):
            patient.stream().close()
            patient.say("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").close()

        assert patient.get("/")[0] == 200
        assert not hung_up(silent)


def test_sixty_open_streams_and_slow_senders_starve_nobody(patient: OpenPort) -> None:
    """Port: open streams and incomplete bodies use no threads."""
    half = "POST /pin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\npin=1"
    with ExitStack() as open_ones:
        for _ in range(60):
            open_ones.enter_context(patient.stream())
        slow = [open_ones.enter_context(patient.say(half)) for _ in range(12)]

        assert patient.get("/")[0] == 200
        assert not any(map(hung_up, slow)), "the answer came while all of them had their time"


def test_a_name_that_is_not_ours_is_refused(open_port: OpenPort) -> None:
    """Port: another site can't reach the server by DNS rebinding, neither its pages nor its streams."""
    for path in ("/", "/api/v1/state", "/api/v1/events"):
        status, body = open_port.get(path, Host="evil.example")
        assert status == 421
        assert "doesn't have that name" in json.loads(body)["reason"]


def test_the_front_door_refuses_in_the_language_of_who_comes(open_port: OpenPort) -> None:
    """Port: refusals that never reach the application are pages too, in the browser's language."""
    head = (
        "GET / HTTP/1.1\r\nHost: evil.example\r\nAccept: text/html\r\nAccept-Language: de\r\nConnection: close\r\n\r\n"
    )
    with open_port.say(head) as sock:
        heard = rest(sock).decode()

    assert "text/html" in heard
    assert "heißt nicht so" in heard


def test_a_body_that_is_too_large_is_refused_before_it_is_read(open_port: OpenPort) -> None:
    """Port: a body that is too large is answered with 413 and a reason as soon as its size is known."""
    head = "POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n"
    with open_port.say(head.encode() + b"x" * 200_000) as sock:
        heard = hear(sock, b"}")

    assert heard.startswith(b"HTTP/1.1 413")
    assert b"larger than" in heard


def test_a_body_in_pieces_arrives_whole(site: ServedHouse, open_port: OpenPort) -> None:
    """Port: a chunked body is accepted like any other."""
    head = (
        "POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {site.access.local_token}\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    with open_port.say(head + '6\r\n{"do":\r\n8\r\n "deal"}\r\n0\r\n\r\n') as sock:
        heard = hear(sock, b"}")

    assert heard.startswith(b"HTTP/1.1 200")
    assert site.table.snapshot.recent[0].line["do"] == "deal"


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n", b"400"),
        (b"GET /?\xff HTTP/1.1\r\nHost: localhost\r\n\r\n", b"400"),
        (b"\x00\x01\x02\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\n\r\n", b"400"),
        (b"GET /%ff%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", b"404"),
        (b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"405"),
    ],
)
def test_nonsense_is_answered_and_forgotten(open_port: OpenPort, said: bytes, status: bytes) -> None:
    """Port: invalid bytes get one answer, and the server keeps running."""
    with open_port.say(said) as sock:
        assert hear(sock, b"\r\n").split()[1] == status

    assert open_port.get("/healthz")[0] == 200


def test_stopping_ends_streams_and_threads(open_port: OpenPort) -> None:
    """Port: the server can be stopped from any thread while streams are open."""
    assert open_port.service is not None
    assert open_port.thread is not None
    with open_port.stream() as stream:
        open_port.service.stop()
        ended = rest(stream)
        open_port.thread.join(5)

    assert ended.endswith(b"0\r\n\r\n")
    assert not open_port.thread.is_alive()


def test_a_house_that_was_stopped_before_it_ran_ends_at_once(site: ServedHouse) -> None:
    """Port: a stop signal before the first answer is not lost."""
    service = Service(site.app, site.streams, "127.0.0.1", 0)
    service.stop()
    service.run()

    assert service.port > 0


def test_whoever_does_not_come_to_the_point_is_let_go(site: ServedHouse) -> None:
    """Port: silent connections and incomplete headers time out; a stream stays open, and the server still answers."""
    with opened(site, head_s=0.2) as open_port:
        with (
            open_port.stream() as stream,
            open_port.connect() as silent,
            open_port.say("GET / HTTP/1.1\r\nX-Half:") as half,
        ):
            assert rest(silent) == b""
            assert rest(half).startswith(b"HTTP/1.1 408 ")
            version = site.table.do({"do": "deal"}, HOST)
            hear(stream, b"id: %d\n" % version)

        assert open_port.get("/healthz")[0] == 200


def test_silent_connections_shut_nobody_out(site: ServedHouse, open_port: OpenPort) -> None:
    """Port: with more silent connections than allowed, pages, open streams and new streams still work."""
    with ExitStack() as open_ones:
        stream = open_ones.enter_context(open_port.stream())
        for _ in range(EACH + 20):
            open_ones.enter_context(open_port.connect())

        assert open_port.get("/healthz")[0] == 200
        version = site.table.do({"do": "deal"}, HOST)
        hear(stream, b"id: %d\n" % version)
        open_ones.enter_context(open_port.stream())  # The first event is still sent.


def test_descriptors_never_run_out(tmp_path: Path) -> None:
    """Port: with more connections than file descriptors the server answers, commits, and logs no traceback."""
    command = ["sh", "-c", f'ulimit -n 128; exec {sys.executable} -m tests.web.served_house "$0"', str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=PIPE, stderr=PIPE, text=True) as process, ExitStack() as open_ones:
        open_ones.callback(process.kill)
        assert process.stdout is not None and process.stderr is not None
        open_port = OpenPort(int(process.stdout.readline()))
        for _ in range(160):
            open_ones.enter_context(open_port.connect())
        health = json.loads(open_port.get("/healthz")[1])
        process.terminate()
        said = process.stderr.read()

    assert (health["status"], health["kept"]) == ("ok", True)
    assert said == ""


def test_unfinished_imports_of_strangers_stop_no_command(site: ServedHouse, open_port: OpenPort) -> None:
    """Port: an import without permission is refused at once, and uses none of the room for the host's commands."""
    head = f"POST /api/v1/import HTTP/1.1\r\nHost: localhost\r\nContent-Length: {IMPORT_MOST}\r\n\r\n".encode()
    deal = (
        "POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {site.access.local_token}\r\nContent-Length: 13\r\n\r\n" + '{"do":"deal"}'
    )
    with ExitStack() as open_ones:
        for _ in range(3):
            stranger = open_ones.enter_context(open_port.say(head + b"x" * (IMPORT_MOST - 1)))
            assert hear(stranger, b"}").startswith(b"HTTP/1.1 401 ")

        assert hear(open_ones.enter_context(open_port.say(deal)), b"}").startswith(b"HTTP/1.1 200 ")


def test_the_hosts_long_body_is_read(site: ServedHouse, open_port: OpenPort) -> None:
    """Port: with a token, a long record is read completely, and the table validates it."""
    head = (
        "POST /api/v1/import HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {site.access.local_token}\r\nContent-Length: {BODY_MOST + 1}\r\n\r\n"
    )
    with open_port.say(head + "x" * (BODY_MOST + 1)) as sock:
        assert hear(sock, b"}").startswith(b"HTTP/1.1 400 ")


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Forked]:
    """A server in its own process."""
    with Forked("tests.web.served_house", tmp_path) as process:
        yield process


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_evening_without_silent_senders(
    process: Forked, tmp_path: Path, ending: signal.Signals
) -> None:
    """End: with open streams, an incomplete body and an idle connection, everything is committed and closed."""
    open_port = OpenPort(int(process.stdout.readline()))
    half = "POST /pin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\npin=1"
    token = (tmp_path / "token").read_text()
    deal = (
        "POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f'Authorization: Bearer {token}\r\nContent-Length: 13\r\n\r\n{{"do":"deal"}}'
    )
    with ExitStack() as open_ones:
        streams = [open_ones.enter_context(open_port.stream()) for _ in range(8)]
        open_ones.enter_context(open_port.say(half))
        open_ones.enter_context(open_port.connect())
        version = json.loads(hear(open_ones.enter_context(open_port.say(deal)), b"}").partition(b"\r\n\r\n")[2])[
            "version"
        ]
        began = time.perf_counter()
        process.send_signal(ending)
        status = process.wait(60)
        took = time.perf_counter() - began
        ends = [rest(stream) for stream in streams]

    assert took < min(HEAD_S, STALL_S)
    assert status == 0
    assert all(end.endswith(b"0\r\n\r\n") for end in ends)
    assert process.stdout.read() == "closed\n"
    ledger = Ledger.read_only(tmp_path / "ledger.sqlite")
    row = ledger.row(version)
    assert row is not None
    assert row.body["line"] == {"do": "deal"}
    ledger.close()
