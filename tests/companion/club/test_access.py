"""Permissions at a club's broker: who may connect, and which topics a table may read and write."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from companion.club import BrokerAddress, Connection, ConnectionView, Message
from companion.club.certificates import certify_broker
from companion.club.connection import trouble_of
from companion.club.topics import ACK, EVENT, topic
from companion.kernel.supervisor import Supervisor
from tests.club.broker import MISSING, PATIENCE_S, PROGRAM, Broker
from tests.club.house import House
from tests.club.permissions import seen, tried

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)
TABLES = 4


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    founded = House(tmp_path / "house", TABLES)
    yield founded
    founded.close()


def first(address: BrokerAddress, name: str) -> ConnectionView:
    """Connect once, and return the connection's first view."""
    connection = Connection(address, name)
    found = seen(connection)
    end = connection.start(Supervisor())
    view = found.get(timeout=PATIENCE_S)
    end()
    return view


def test_no_table_reaches_the_topics_of_another(house: House) -> None:
    """Permissions: a table can read and write its own topics, but none of another table's."""
    house.start()

    found = tried(house, TABLES)

    assert found.written == found.own
    assert found.read == found.own_read


def test_another_authority_is_not_trusted(house: House, tmp_path: Path) -> None:
    """TLS: a broker with certificates of another club is refused before a password is sent."""
    house.start()
    other = House(tmp_path / "other").member()
    address = BrokerAddress("127.0.0.1", house.port, other.address, other.password, other.ca, named=False)

    view = first(address, other.address)

    assert "isn't the broker that the code is for" in view.trouble


def test_an_expired_certificate_is_said(house: House) -> None:
    """TLS: for an expired certificate, one sentence is shown, which first asks the user to check the clock."""
    certify_broker(house.folder, "127.0.0.1", days=0)
    house.start()
    views = iter(lambda: first(house.member().broker, "t"), None)

    # The certificate expires within the second in which it was created.
    assert "has expired: check the clock" in next(view.trouble for view in views if not view.connected)


def test_a_wrong_clock_is_said() -> None:
    """TLS: for a certificate that is not valid yet, one sentence about this computer's clock is shown."""
    fault = ssl.SSLCertVerificationError()
    fault.verify_code = 9

    assert "set this computer's clock" in trouble_of(fault, BrokerAddress("club"))


def test_a_broker_without_tls_is_said(broker: Broker, house: House) -> None:
    """TLS: for a broker without TLS, one sentence is shown, and the broker does not get the password."""
    member = house.member()
    address = BrokerAddress("127.0.0.1", broker.port, member.address, member.password, member.ca, named=False)

    assert "doesn't speak TLS 1.3" in first(address, "t").trouble


def test_a_revoked_sheet_is_refused_at_once(house: House) -> None:
    """Passwords: revoking a table closes its connection and invalidates its sheet; other tables can still connect."""
    house.start()
    member, other = house.member(1), house.member(2)
    connection = Connection(member.broker, member.address)
    views = seen(connection)
    end = connection.start(Supervisor())
    up = views.get(timeout=PATIENCE_S)
    house.run("revoke", "1")
    while "join again with a new code" not in (down := views.get(timeout=PATIENCE_S)).trouble:
        pass
    end()

    assert up.connected
    assert not down.connected
    assert first(other.broker, other.address).connected


def test_an_older_tls_is_refused(house: House) -> None:
    """TLS: the broker refuses versions older than 1.3."""
    broker = house.start()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2

    with pytest.raises(ssl.SSLError), broker.caller() as plain:
        context.wrap_socket(plain)


def test_what_several_threads_publish_arrives_over_tls(house: House) -> None:
    """TLS: messages that other threads publish in both directions at the same time all arrive in order."""
    house.start()
    member, heard, echoes = house.member(), Queue[Message](), Queue[Message]()
    club = Connection(house.own, "club", ("rc/1/+/event",), heard=heard.put)
    table = Connection(member.broker, member.address, (topic(member.address, ACK),), heard=echoes.put)
    ups = [seen(club), seen(table)]
    ends = [each.start(Supervisor()) for each in (club, table)]
    assert all(up.get(timeout=PATIENCE_S).connected for up in ups)

    def send(connection: Connection, word: str) -> None:
        for number in range(300):
            while not connection.publish(Message(topic(member.address, word), str(number).encode())):
                time.sleep(0.001)

    sending = Thread(target=send, args=(table, EVENT))
    sending.start()
    send(club, ACK)
    sending.join()
    numbers = [[int(queue.get(timeout=PATIENCE_S).payload) for _ in range(300)] for queue in (heard, echoes)]
    for end in ends:
        end()

    assert numbers == [list(range(300))] * 2
