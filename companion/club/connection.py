"""The connection to an MQTT 5 broker: connect, greet, publish, listen, and connect again.

Theory of operation: each attempt to connect uses a new client of paho, in the connection's own thread. Thus nothing
outlives a connection: paho has no queue from an earlier one, and `greeting` sends everything that a broker should have
at each connect, also to a broker that has lost its data. `publish` refuses a message while there is no connection, or
if too many messages are not acknowledged yet. Then the caller must store the message; `ready` is called when there is
room for it.

Only this module imports the library, and only when a connection is opened.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from companion.club.mdns_lookup import address_of
from companion.kernel.errors import Malformed
from companion.kernel.publisher import Publisher
from companion.kernel.said import Said, said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor

if TYPE_CHECKING:
    from paho.mqtt.client import Client
    from paho.mqtt.properties import Properties

PORT, TLS_PORT = 1883, 8883
KEEPALIVE_S = 3
CONNECT_S = 5.0
FIRST_S, LONGEST_S, UNREACHED_S = 1.0, 30.0, 1.5
"""The first and the longest pause before another attempt, and the longest pause while nothing answers, in seconds.

A broker that refuses a table is asked less and less often, because each attempt costs it a handshake. Attempts without
a network cost nothing, and a table should reconnect within three seconds of the network's return.
"""
ASK_S = 20.0
"""The shortest time between two searches for the computer by its name in the network, in seconds."""
LASTED_S = 10.0
"""If a connection lasted this many seconds, the next pause is the short first one again."""
UNACKNOWLEDGED = 20
"""The maximum number of messages that the broker has not acknowledged. Brokers accept twenty by default."""
_LOOP_S = 0.5
_LONGEST = 5
"""The number of attempts after which the pause grows no further."""
_EXPIRED, _TOO_EARLY = 10, 9
"""OpenSSL's codes for a certificate that has expired, and for one that is not valid yet."""


@dataclass(frozen=True)
class Message:
    """One message. The broker drops it after *expires_s* seconds, unless this is 0."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = False
    expires_s: int = 0


@dataclass(frozen=True)
class BrokerAddress:
    """The address of a broker, and how to sign in. *ca* is the text of the certificates to trust; TLS needs it.

    If *named* is false, a certificate signed by *ca* is valid for any host name, because a club's own authority signs
    only its broker's certificate. If *host* can't be reached, the computer called *mdns* in the local network is tried.
    """

    host: str
    port: int = PORT
    user: str = ""
    password: str = field(default="", repr=False)
    ca: str = field(default="", repr=False)
    named: bool = True
    mdns: str = ""

    @property
    def place(self) -> str:
        """Host and port, for use in sentences."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def broker_address(url: str, password: str = "", ca: str = "") -> BrokerAddress:
    """Return the address in a URL, or raise `Malformed`.

    >>> broker_address("mqtt://ana@10.0.0.4").place
    '10.0.0.4:1883'
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Malformed(said("%(url)s isn't an address like mqtt://HOST or mqtts://HOST.", url=url)) from None
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or parts.path not in ("", "/"):
        raise Malformed(said("%(url)s isn't an address like mqtt://HOST or mqtts://HOST.", url=url))
    if parts.password:
        raise Malformed(said("A password in an address can be read by other users of this computer: leave it out."))
    if parts.scheme == "mqtts" and not ca:
        raise Malformed(said("mqtts:// needs the file with the certificate of the broker's authority."))
    usual = TLS_PORT if parts.scheme == "mqtts" else PORT
    user = unquote(parts.username or "")
    return BrokerAddress(parts.hostname, usual if port is None else port, user, password, ca)


@dataclass(frozen=True)
class ConnectionView:
    """The state of a connection. *trouble* is a sentence, or "" while connected. *since* is in monotonic seconds."""

    connected: bool = False
    trouble: str = ""
    since: float = 0.0
    connects: int = 0


def pause_s(attempt: int, lots: Random, longest_s: float = LONGEST_S) -> float:
    """Return the seconds before the next attempt: 1, 2, 4 ... *longest_s*, randomly changed by up to 50 %.

    >>> middle = type("Middle", (Random,), {"random": lambda self: 0.5})()
    >>> [pause_s(attempt, middle) for attempt in range(7)]
    [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    """
    return float(min(FIRST_S * 2 ** min(attempt, 10), longest_s) * (0.5 + lots.random()))


@shows("name", "view")
class Connection:
    """A connection to one broker, restored until `end`. All callbacks run in its thread and must not block.

    *greeting* returns the messages to send at each connect. *will* is sent by the broker if the connection breaks.
    *heard* gets each message of the *topics*. *ready* is called after each connect, and when there is room again for a
    message that `publish` refused.
    """

    def __init__(
        self,
        address: BrokerAddress,
        name: str,
        topics: Sequence[str] = (),
        greeting: Callable[[], Iterable[Message]] = tuple,
        will: Callable[[], Message | None] = lambda: None,
        heard: Callable[[Message], None] = lambda message: None,
        ready: Callable[[], None] = lambda: None,
        lots: Random | None = None,
        find: Callable[[str], str | None] = address_of,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a connection; *name* identifies this client at the broker."""
        self.name, self.address = name, address
        self._topics, self._greeting, self._will = tuple(topics), greeting, will
        self._heard, self._ready = heard, ready
        self._lots, self._now = lots or SystemRandom(), now
        self._client: Client | None = None
        self._unacknowledged = 0
        self._refused = False
        self._counting = threading.Lock()
        self._reason: Said | str = ""
        self._over = threading.Event()
        self._parting = False
        self._find, self._found, self._asked_at = find, "", float("-inf")
        self.view = ConnectionView()
        self._changes = Publisher(lambda: self.view)

    def start(self, threads: Supervisor, what: str = "") -> Callable[[], None]:
        """Connect in a thread of its own. Returns a function that disconnects and ends the thread."""
        thread = threads.start(f"broker {self.name}", self.run, what)

        def end() -> None:
            self._over.set()
            if (will := self._will()) is not None:
                self.publish(will)  # a broker drops the will of a client that disconnects
            thread.end()

        return end

    def part(self, reason: Said) -> None:
        """End the present connection for *reason*, and make the next one after the longest pause."""
        self._reason, self._parting = reason, True

    def subscribe(self, callback: Callable[[ConnectionView], object]) -> Callable[[], None]:
        """Call *callback* whenever the connection begins or ends, and for each failed attempt."""
        return self._changes.add(callback)

    def publish(self, message: Message) -> bool:
        """Send *message*. If it can't be sent now, return False; it is not stored."""
        client = self._client
        if client is None or not self.view.connected:
            return False
        with self._counting:
            if message.qos and self._unacknowledged >= UNACKNOWLEDGED:
                self._refused = True
                return False
            self._unacknowledged += message.qos > 0
        result = client.publish(message.topic, message.payload, message.qos, message.retain, _expiring(message))
        return int(result.rc) == 0

    def run(self) -> None:
        """Connect, stay connected, and reconnect after a pause when the connection is lost, until `end` is called."""
        attempt = 0
        while not self._over.is_set():
            self._reason, self._reached, began = "", False, self._now()
            self._attempt()
            if self._over.is_set():
                self.view = ConnectionView(False, "", began, self.view.connects)
                return
            lasted = self.view.connected and self._now() - self.view.since >= LASTED_S
            attempt = _LONGEST if self._parting else 0 if lasted else attempt
            self._parting = False
            self._show(ConnectionView(False, self._reason or _lost(self.address), began, self.view.connects))
            self._over.wait(pause_s(attempt, self._lots, LONGEST_S if self._reached else UNREACHED_S))
            attempt += 1

    def _attempt(self) -> None:
        """Connect once, and return when the connection has ended."""
        client = self._fresh_client()
        try:
            if not self._reaches(client):
                return
            while client.loop(_LOOP_S) == 0 and not self._ends:
                pass
            if self._ends:
                client.disconnect()
                while client.loop(_LOOP_S) == 0:
                    pass
        finally:
            self._client = None
            client.on_disconnect = None
            with contextlib.suppress(OSError, ValueError):
                client.disconnect()
            if (remaining := client.socket()) is not None:
                remaining.close()

    @property
    def _ends(self) -> bool:
        return self._parting or self._over.is_set()

    def _reaches(self, client: Client) -> bool:
        if not any(self._reaches_at(client, host) for host in self._hosts()):
            return False
        if isinstance(opened := client.socket(), socket.socket):
            # Otherwise a small message waits 40 ms for the acknowledgement of the previous one.
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return True

    def _hosts(self) -> Iterator[str]:
        """Yield the hosts to try: the broker's address, then the address found by the name of its computer."""
        yield self.address.host
        if self.address.mdns and self._now() - self._asked_at >= ASK_S:
            self._asked_at = self._now()
            self._found = self._find(self.address.mdns) or ""
        if self._found:
            yield self._found

    def _reaches_at(self, client: Client, host: str) -> bool:
        try:
            client.connect(host, self.address.port, KEEPALIVE_S, clean_start=True)
        except (OSError, ValueError) as fault:  # ValueError: the host name is invalid
            self._reason = self._reason or trouble_of(fault, self.address)
            return False
        self._reason = ""
        return True

    def _fresh_client(self) -> Client:
        from paho.mqtt.client import Client, MQTTv5
        from paho.mqtt.enums import CallbackAPIVersion

        client = Client(CallbackAPIVersion.VERSION2, self.name, protocol=MQTTv5, reconnect_on_failure=False)
        client.connect_timeout = CONNECT_S
        client.max_inflight_messages = client.max_queued_messages = UNACKNOWLEDGED + 1
        address = self.address
        if address.user:
            client.username_pw_set(address.user, address.password)
        if address.ca:
            client.tls_set_context(trusting(address.ca, address.named))
        if (will := self._will()) is not None:
            client.will_set(will.topic, will.payload, will.qos, will.retain)
        client.on_connect, client.on_disconnect = self._connected, self._disconnected
        client.on_publish, client.on_message = self._published, self._received
        client.on_subscribe = self._subscribed
        # With this callback only the thread of the loop writes. Otherwise `publish` would write in the caller's thread,
        # and two threads at once on one TLS socket stop it.
        client.on_socket_register_write = _woken_otherwise
        self._unacknowledged = 0
        return client

    def _connected(self, client: Client, userdata: object, flags: object, code: Any, properties: object) -> None:
        self._reached = True
        if code.is_failure:
            self._reason = refusal(code.value, self.address)
            return
        if self._topics:
            client.subscribe([(topic, _options()) for topic in self._topics])
        else:
            self._begin(client)

    def _subscribed(self, client: Client, userdata: object, mid: int, codes: Any, properties: object) -> None:
        self._begin(client)

    def _begin(self, client: Client) -> None:
        """Send the greeting. The broker has accepted the subscriptions by now, so no answer can be missed."""
        self._client = client
        self._show(ConnectionView(True, "", self._now(), self.view.connects + 1))
        for message in self._greeting():
            self.publish(message)
        self._ready()

    def _disconnected(self, client: Client, userdata: object, flags: object, code: Any, properties: object) -> None:
        if code.is_failure and not self._reason:
            self._reason = refusal(code.value, self.address)

    def _published(self, client: Client, userdata: object, mid: int, code: Any, properties: object) -> None:
        with self._counting:
            self._unacknowledged = max(0, self._unacknowledged - 1)
            again, self._refused = self._refused, False
        if again:
            self._ready()

    def _received(self, client: Client, userdata: object, message: Any) -> None:
        self._heard(Message(message.topic, bytes(message.payload), message.qos, bool(message.retain)))

    def _show(self, view: ConnectionView) -> None:
        self.view = view
        self._changes.publish()


class _ClosingSocket(ssl.SSLSocket):
    """A socket that closes itself if its handshake fails, because the library does not close it then."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


def trusting(ca: str, named: bool) -> ssl.SSLContext:
    """Return a context for TLS 1.3 that trusts only the certificates in *ca*."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = named
    context.sslsocket_class = _ClosingSocket
    context.load_verify_locations(cadata=ca)
    return context


def trouble_of(fault: Exception, address: BrokerAddress) -> Said:
    """Return one sentence that says why the broker can't be reached, and what to do."""
    place = address.place
    if isinstance(fault, ssl.SSLCertVerificationError):
        return _untrusted(fault, place)
    if isinstance(fault, ssl.SSLError) or (address.ca and isinstance(fault, ConnectionResetError)):
        return said("%(place)s doesn't speak TLS 1.3: check the port.", place=place)
    if isinstance(fault, socket.gaierror):
        return said("There's no computer called %(host)s here: check the name.", host=address.host)
    if isinstance(fault, ConnectionRefusedError):
        return said("No broker listens at %(place)s: start it there.", place=place)
    if isinstance(fault, TimeoutError):
        return said("%(place)s doesn't answer: check the network and the address.", place=place)
    return said("%(place)s can't be reached (%(why)s): check the network.", place=place, why=str(fault))


def _untrusted(fault: ssl.SSLCertVerificationError, place: str) -> Said:
    if fault.verify_code == _EXPIRED:
        return said("The certificate of %(place)s has expired: check the clock, then renew it.", place=place)
    if fault.verify_code == _TOO_EARLY:
        return said("The certificate of %(place)s isn't valid yet: set this computer's clock.", place=place)
    return said("%(place)s isn't the broker that the code is for: join again with a new code.", place=place)


def refusal(code: int, address: BrokerAddress) -> Said:
    """Return the sentence for an MQTT 5 reason code with which a broker refuses or ends a connection."""
    place = address.place
    match code:
        case 0x84 | 0x81 | 0x82:
            return said("%(place)s doesn't speak MQTT 5: use Mosquitto 2.0 or another broker of MQTT 5.", place=place)
        case 0x86 | 0x87 | 0x8A:
            return said("%(place)s refuses this name and password: join again with a new code.", place=place)
        case 0x80 | 0x8B | 0x8D:
            return _lost(address)
        case _:
            return said("%(place)s ended the connection (reason %(code)s).", place=place, code=code)


def _lost(address: BrokerAddress) -> Said:
    return said("The connection to %(place)s broke. It's tried again.", place=address.place)


def _woken_otherwise(client: object, userdata: object, sock: object) -> None:
    """Do nothing: `publish` wakes the loop by itself."""


def _options() -> Any:
    from paho.mqtt.subscribeoptions import SubscribeOptions

    return SubscribeOptions(qos=1, noLocal=True)


def _expiring(message: Message) -> Properties | None:
    if not message.expires_s:
        return None
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    found = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    found.MessageExpiryInterval = message.expires_s
    return found
