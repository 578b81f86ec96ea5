"""The connection to a broker: greeting, will, reconnecting, and servers that are not MQTT brokers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from queue import Queue

import pytest

from companion.club import BrokerAddress, Connection, ConnectionView, Message, broker_address
from companion.club.connection import UNACKNOWLEDGED
from companion.kernel.errors import Malformed
from companion.kernel.supervisor import Supervisor
from tests.club.broker import PATIENCE_S, Broker

Connect = Callable[..., Connection]


def views(connection: Connection) -> Queue[ConnectionView]:
    """Return a queue that gets a connection's views, starting with the current one."""
    found: Queue[ConnectionView] = Queue()
    connection.subscribe(found.put)
    found.put(connection.view)
    return found


def until(found: Queue[ConnectionView], fits: Callable[[ConnectionView], bool]) -> ConnectionView:
    """Wait for a view for which *fits* is true."""
    while not fits(view := found.get(timeout=PATIENCE_S)):
        pass
    return view


def listening(connect: Connect, topic: str) -> Queue[Message]:
    """Return a queue of messages on *topic* after the subscription has become active."""
    heard: Queue[Message] = Queue()
    connection = connect("listener", topics=(topic, "ready"), heard=heard.put)
    until(views(connection), lambda view: view.connected)
    connect("speaker", greeting=lambda: (Message("ready", b"", retain=False),))
    assert heard.get(timeout=PATIENCE_S).topic == "ready"
    return heard


def test_a_message_arrives(connect: Connect) -> None:
    """Connection: a published message arrives at a subscriber with its topic and bytes."""
    heard = listening(connect, "rc/1/+/event")

    connect("table", greeting=lambda: (Message("rc/1/t/event", b"\x00hey"),))

    assert heard.get(timeout=PATIENCE_S) == Message("rc/1/t/event", b"\x00hey")


def test_the_greeting_comes_again_with_an_emptied_broker(connect: Connect, broker: Broker) -> None:
    """Connection: after the broker was killed and lost all its messages, the greeting is sent again."""
    table = connect("table", greeting=lambda: (Message("rc/1/t/birth", b"here", retain=True),))
    seen = views(table)
    until(seen, lambda view: view.connected)
    broker.kill()
    until(seen, lambda view: not view.connected)
    broker.start()
    until(seen, lambda view: view.connected and view.connects == 2)

    late: Queue[Message] = Queue()
    connect("late", topics=("rc/1/+/birth",), heard=late.put)

    assert late.get(timeout=PATIENCE_S).payload == b"here"


@pytest.mark.parametrize("how", ["ends", "is cut off"])
def test_the_will_is_sent_when_a_table_goes(connect: Connect, broker: Broker, how: str) -> None:
    """Connection: the will is sent both when a table disconnects properly and when its connection is cut."""
    heard = listening(connect, "rc/1/+/birth")
    will = Message("rc/1/t/birth", b"gone", retain=True)
    table = Connection(BrokerAddress("127.0.0.1", broker.port), "table", will=lambda: will)
    seen = views(table)
    end = table.start(Supervisor())
    until(seen, lambda view: view.connected)

    if how == "ends":
        end()
    else:
        broker_ends_older = connect("table")  # A second connection with the same name makes the broker close the first.
        until(views(broker_ends_older), lambda view: view.connected)

    assert heard.get(timeout=PATIENCE_S).payload == b"gone"
    end()


def test_nothing_is_kept_while_there_is_no_connection(connect: Connect, broker: Broker) -> None:
    """Connection: a message published while there is no connection is refused, and not sent later."""
    heard = listening(connect, "news")
    table = Connection(BrokerAddress("127.0.0.1", broker.port), "table")
    refused = table.publish(Message("news", b"early"))
    seen = views(table)
    end = table.start(Supervisor())
    until(seen, lambda view: view.connected)

    assert not refused
    assert table.publish(Message("news", b"now"))
    assert heard.get(timeout=PATIENCE_S).payload == b"now"
    end()


def test_a_broker_that_stands_still_gets_no_heap_of_messages(connect: Connect, broker: Broker) -> None:
    """Connection: a frozen broker gets a limited number of messages; more are refused until it acknowledges some."""
    again = threading.Event()
    table = connect("table", ready=again.set)
    until(views(table), lambda view: view.connected)
    again.wait(PATIENCE_S)
    broker.freeze()
    sent = [table.publish(Message("news", b"x")) for _ in range(2 * UNACKNOWLEDGED)]
    again.clear()
    broker.thaw()

    assert sum(sent) <= UNACKNOWLEDGED
    assert again.wait(PATIENCE_S)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "broke"),
        (b"\x20\x02\x00\x01", "MQTT 5"),
        (b"\x20\x03\x00\x84\x00", "MQTT 5"),
        (b"\x20\x03\x00\x87\x00", "join again with a new code"),
        (b"", "broke"),
    ],
)
def test_anything_at_the_place_of_a_broker_is_one_sentence(answer: bytes, sentence: str) -> None:
    """Connection: for a web server, an older broker, a wrong password or a closed connection, one sentence is shown."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        connection = Connection(BrokerAddress("127.0.0.1", server.getsockname()[1]), "table")
        seen = views(connection)
        seen.get()
        end = connection.start(Supervisor())
        caller, _ = server.accept()
        with caller:
            caller.recv(1000)
            caller.sendall(answer)
            caller.shutdown(socket.SHUT_WR)
            view = until(seen, lambda view: bool(view.trouble))
    end()

    assert sentence in view.trouble


def test_nobody_listens() -> None:
    """Connection: a port without a broker is reported at once."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        connection = Connection(BrokerAddress("127.0.0.1", taken.getsockname()[1]), "table")
        seen = views(connection)
        end = connection.start(Supervisor())
        view = until(seen, lambda view: bool(view.trouble))
        end()

    assert "No broker listens" in view.trouble


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://host", "isn't an address"),
        ("mqtt://", "isn't an address"),
        ("mqtt://host:port", "isn't an address"),
        ("mqtt://ana:secret@host", "leave it out"),
        ("mqtts://host", "needs the file"),
    ],
)
def test_a_wrong_address_is_refused(url: str, why: str) -> None:
    """Connection: an unusable address is refused with one sentence, even if it contains a password."""
    with pytest.raises(Malformed, match=why):
        broker_address(url)


def test_a_password_is_in_no_representation() -> None:
    """Connection: the repr of address and connection does not show the password."""
    address = BrokerAddress("host", user="ana", password="secret")  # noqa: S106

    assert "secret" not in repr(address) + repr(Connection(address, "table"))
