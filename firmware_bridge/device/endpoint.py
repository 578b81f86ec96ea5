"""The device's end of a conversation, without I/O or clock; the same on a board and in a simulation.

Bytes and times (whole microseconds since the start) are passed in; orders and bytes are returned.
hardware/PROTOCOL.md defines the messages; its section 2 has the table of this end's states.
"""

from .beam_recogniser import Recogniser
from .codec import VERSION, bits, compose, parse, whole, written
from .framing import LONGEST_BODY, LineFraming, seal, sealed
from .outbox import ROOM, WINDOW, Outbox

HELLO_US = 1_000_000
BEAT_US = 1_000_000
NOBODY = "0"
LONGEST_NAME = 8
UNANSWERED = b""  # the place of an order's answer among the replies, which are in the order of the host's lines
DESERTED_US = 5_000_000  # the session ends if the host has sent nothing for this long
MOST_REPLIES = 32  # buffered for a host that sends requests but does not read; it repeats them
# Bytes that are written together need one contiguous block of memory. If the host does not read, the buffered replies
# grow to 5 kB, and a device with a full store may not have such a block.
MOST_ANSWERED = 4


class Endpoint:
    """One device's conversation with its host.

    *identity* is the list of fields of its hello: firmware, device id, sensor, simulated,
    abilities. The owner updates `token`, `gate` and `lift`, which heartbeats and dumps report (gate
    and lift: "0", "1", or "x" for a device without that switch). If the owner sets `recogniser`,
    dumps include its settings and counters.
    """

    def __init__(self, identity: list[tuple[str, object]], boot: str, room: int = ROOM) -> None:
        self.boot = boot
        self.token = 0
        self.gate = "x"
        self.lift = "x"
        self.lost = 0
        self.bad = 0
        self.beat_us = BEAT_US
        self.ahead_us = 0  # added to the times passed in, when an event is stamped; always 0 on a board
        self.store = Outbox(room)
        self.recogniser: Recogniser | None = None
        self.version = VERSION  # only tests change it
        self._identity = identity
        self._lines = LineFraming()
        self._session = ""
        self._received_us = 0
        self._next_us = 0
        self._replies: list[bytes] = []
        self._done = 0
        self._taken = 0
        self._answer = b""
        self._unreported = 0

    @property
    def session(self) -> str:
        """The name of the host's session, or an empty string."""
        return self._session

    def receive(self, data: bytes, now_us: int) -> list[tuple[str, dict[str, str]]]:
        """Accept bytes from the host and return the orders to carry out. The caller must answer each order at once."""
        orders = []
        for body in self._lines.feed(data):
            message = parse(body)
            try:
                if message is None or self._understood(message[0], message[1], now_us):
                    continue
                if self._is_new(whole(message[1]["c"])):
                    orders.append(message)
                    self._reply(UNANSWERED)
            except (KeyError, ValueError):
                self.bad += 1
        return orders

    def answer(self, number: int, why: str = "") -> None:
        """Answer the order with this *number*: it was done, or it cannot be done because of *why*."""
        pairs: list[tuple[str, object]] = [("h", self._session), ("c", number)]
        self._done = number
        if why:
            pairs.append(("why", why))
        self._answer = seal(compose("sorry" if why else "done", pairs))
        if UNANSWERED in self._replies:
            self._replies[self._replies.index(UNANSWERED)] = self._answer
        else:
            self._reply(self._answer)

    def report(self, events: list[tuple[str, list[tuple[str, object]]]], at_us: int) -> int:
        """Store *events* for the host, all or none.

        Return the number of the last one, or 0 if there is no room for them.

        Events without room are lost, but counted. When there is room again, a fault event reports how many were lost.
        """
        return self.report_formatted([(word, written(pairs)) for word, pairs in events], at_us)

    def report_formatted(self, events: list[tuple[str, bytes]], at_us: int) -> int:
        """Store *events* like `report`, with fields that are already formatted as in a line."""
        self._report_lost(at_us)
        if self._unreported or not self.store.has_room(len(events)):
            self._unreported += 1
            self.lost += 1
            return 0
        for word, fields in events:
            self._keep(word, fields, at_us)
        return self.store.last

    def outgoing(self, now_us: int, most: int = WINDOW) -> bytes:
        """Return the bytes to write now, with at most `MOST_ANSWERED` replies and at most *most* events."""
        if self._session and now_us - self._received_us > DESERTED_US:
            self._session = ""
        if now_us >= self._next_us:
            self._reply(self._sign_of_life(now_us))
        lines, self._replies = self._replies[:MOST_ANSWERED], self._replies[MOST_ANSWERED:]
        if self._session:
            self._report_lost(now_us + self.ahead_us)
            lines += self.store.outgoing(now_us, most)
        return b"".join(lines)

    def due_us(self, now_us: int) -> int:
        """Return the time at which `outgoing` will next have bytes, unless something happens before then."""
        if self._replies:
            return now_us
        due = self.store.due_us(now_us) if self._session else -1
        return self._next_us if due < 0 else min(due, self._next_us)

    def _reply(self, line: bytes) -> None:
        self._replies.append(line)
        if len(self._replies) > MOST_REPLIES:
            del self._replies[0]

    def _sign_of_life(self, now_us: int) -> bytes:
        if not self._session:
            self._next_us = now_us + HELLO_US
            return self._hello(NOBODY)
        self._next_us = now_us + self.beat_us
        return seal(compose("beat", self._status(now_us)))

    def _hello(self, to: str) -> bytes:
        """Return the hello. The firmware's name is cut if the line would be too long."""
        pairs: list[tuple[str, object]] = [("v", self.version), ("to", to)]
        pairs.extend(self._identity)
        pairs.extend([("b", self.boot), ("from", self.store.first)])
        body = compose("hello", pairs)
        if len(body) > LONGEST_BODY:
            room = LONGEST_BODY - len(body)
            pairs = [(key, str(value)[:room] if key == "fw" else value) for key, value in pairs]
            body = compose("hello", pairs)
        return seal(body)

    def _status(self, now_us: int) -> list[tuple[str, object]]:
        return [
            ("b", self.boot),
            ("t", now_us + self.ahead_us),
            ("last", self.store.last),
            ("tok", self.token),
            ("gate", self.gate),
            ("lift", self.lift),
        ]

    def _understood(self, word: str, fields: dict[str, str], now_us: int) -> bool:
        """Handle a message that is not an order. Return False if it is an order."""
        if word == "hi":
            self._greet(fields, now_us)
            return True
        if not self._session or fields["h"] != self._session:
            return True
        self._received_us = now_us
        if word == "ack":
            if fields["b"] == self.boot:
                self.store.acknowledged(whole(fields["n"]), bits(fields["got"]), now_us)
        elif word == "replay":
            self.store.replay(whole(fields["n"]))
        elif word == "ping":
            pairs = [("h", self._session), ("id", whole(fields["id"])), ("t", now_us + self.ahead_us)]
            self._reply(seal(compose("pong", pairs)))
        elif word == "dump":
            self._dump(now_us)
        else:
            return False
        return True

    def _greet(self, fields: dict[str, str], now_us: int) -> None:
        """Answer a `hi` with our hello, and open a session if the host speaks our version."""
        name = fields["h"]
        if name == NOBODY or len(name) > LONGEST_NAME:
            raise ValueError("no name for a session: " + name[:20])
        version = whole(fields["v"])
        self._reply(self._hello(name))
        if version != self.version:
            return
        self._received_us = now_us
        # The session is already open, so only our hello was lost: the numbers of orders continue.
        if name == self._session:
            return
        self._session = name
        self._next_us = now_us + self.beat_us
        self._done = 0
        self._taken = 0
        self.store.begin()

    def _dump(self, now_us: int) -> None:
        state: list[tuple[str, object]] = [("h", self._session)]
        state.extend(self._status(now_us))
        tally: list[tuple[str, object]] = [
            ("h", self._session),
            ("b", self.boot),
            ("first", self.store.first),
            ("lost", self.lost),
            ("bad", self.bad + self._lines.damaged),
            ("again", self.store.again),
        ]
        self._reply(seal(compose("state", state)))
        self._reply(seal(compose("tally", tally)))
        if self.recogniser is not None:
            filters: list[tuple[str, object]] = [("h", self._session)]
            self._reply(seal(compose("sift", filters + self.recogniser.filter_fields())))

    def _is_new(self, number: int) -> bool:
        """Return whether an order with this *number* is new. If it repeats the last order, send the last answer again.

        If an order and its repetition arrive together, only one answer is sent.
        """
        if number == self._done and self._done:
            self._reply(self._answer)
        if number != self._done + 1 or number == self._taken:
            return False
        self._taken = number
        return True

    def _report_lost(self, at_us: int) -> None:
        if self._unreported and self.store.has_room(self.store.room // 2):
            count, self._unreported = self._unreported, 0
            self._keep("fault", b" what=store-full lost=%d" % count, at_us)

    def _keep(self, word: str, fields: bytes, at_us: int) -> None:
        # Bytes instead of str: MicroPython looks up each new string in its table of names, which takes longer than
        # formatting it.
        stamp = (word.encode(), self.boot.encode(), self.store.last + 1, at_us, fields)
        self.store.keep(sealed(b"%s b=%s n=%d t=%d%s" % stamp))
