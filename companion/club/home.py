"""A table in Home Assistant: the entities it announces, the actions it allows, and the private file with the broker.

Home Assistant makes all entities from one retained message, its *device discovery*. It is sent at each connect, and
again when Home Assistant says that it has started. The entities read the topics in `topics.py`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from companion.club.connection import BrokerAddress, Message
from companion.club.orders import ORDERS, order_body
from companion.club.table_link import Destination, TableLink
from companion.club.table_view import CALLED, EVENTS, STAGES
from companion.club.topics import BIRTH, DO, EVENT, STAGE, STATE, topic
from companion.kernel.errors import Malformed
from companion.kernel.private_file import write_private
from companion.kernel.program import VERSION as PROGRAM_VERSION
from companion.kernel.said import said
from companion.model.snapshot import Snapshot, Status
from companion.session.table import Table

HOME = "home.json"
DISCOVERY, HOME_STATUS = "homeassistant/device/rc_{}/config", "homeassistant/status"
TRIGGERS = ("began", "asked", "over", CALLED)
_ON_OFF = "{{{{ 'ON' if {} else 'OFF' }}}}"


@dataclass(frozen=True)
class Home:
    """A home's broker, whether names of players are sent there, and what the home may do."""

    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)
    ca: str = field(default="", repr=False)
    names: bool = False
    allows: tuple[str, ...] = ()

    @property
    def broker(self) -> BrokerAddress:
        """The broker's address, with the data for signing in."""
        return BrokerAddress(self.host, self.port, self.user, self.password, self.ca)


def read_home(data: Path) -> Home | None:
    """Return the home stored in the folder *data*, or None. Raises `Malformed` if the file is damaged."""
    try:
        found = json.loads((data / HOME).read_text(encoding="utf-8"))
        return Home(**{**found, "allows": tuple(found["allows"])})
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError):
        raise Malformed(said("%(file)s is damaged: connect with the home again.", file=HOME)) from None


def write_home(data: Path, home: Home) -> None:
    """Store *home* in the folder *data*, readable by its owner only. Raises OSError."""
    write_private(data / HOME, json.dumps(asdict(home)))


def home_address(ledger: str) -> str:
    """Return the address of the table with this ledger. It never changes, so that entities keep their history.

    >>> home_address("0123456789abcdef0123456789abcdef")
    '0123456789abcdef'
    """
    return ledger[:16]


def announcement(address: str, allows: tuple[str, ...] = ()) -> Message:
    """Return the message from which Home Assistant makes the table's entities."""
    state = {"state_topic": topic(address, STATE)}
    diagnostic = {"entity_category": "diagnostic"}
    parts: dict[str, dict[str, Any]] = {
        "status": _enum("Status", [str(status) for status in Status]) | state | _value("value_json.status"),
        "turn": {"p": "sensor", "name": "Turn", **state, **_value("value_json.turn | join(', ')")},
        "stage": _enum("Stage", list(STAGES)) | {"state_topic": topic(address, STAGE)},
        "armed": _binary("Draw expected", "value_json.armed") | state,
        "question": _binary("Question open", "value_json.asks") | state,
        "ring": _binary("Ring", "value_json.ring == 'live'", "connectivity") | state | diagnostic,
        "storage": _binary("Storage", "not value_json.kept", "problem") | state | diagnostic,
        "event": {"p": "event", "name": "Event", "state_topic": topic(address, EVENT), "event_types": list(EVENTS)},
    }
    for word in TRIGGERS:
        parts[f"when_{word}"] = {
            "p": "device_automation",
            "automation_type": "trigger",
            "topic": topic(address, EVENT),
            "type": word,
            "subtype": "table",
            "payload": word,
            **_value("value_json.event_type"),
        }
    for word in ORDERS:
        if word in allows:
            parts[word] = {"p": "button", "name": word.capitalize(), "command_topic": topic(address, DO), "qos": 1}
            parts[word] |= {"command_template": order_body(word, "{{ now().timestamp() }}").decode()}
        else:
            parts[word] = {"p": "button"}  # removes the button of a home that was allowed to do this before
    for word, part in parts.items():
        if len(part) > 1 and part["p"] != "device_automation":
            part |= {"unique_id": f"rc_{address}_{word}", "default_entity_id": f"{part['p']}.table_{word}"}
    body = {
        "dev": {"ids": [f"rc_{address}"], "name": "Game table", "sw": PROGRAM_VERSION},
        "o": {"name": "ring-companion", "sw": PROGRAM_VERSION},
        "availability": [
            {"topic": topic(address, BIRTH), "value_template": "{{ 'online' if value_json.online else 'offline' }}"}
        ],
        "cmps": parts,
    }
    return Message(DISCOVERY.format(address), json.dumps(body).encode(), retain=True)


def removal(address: str) -> Message:
    """Return the message that removes the table's entities."""
    return Message(DISCOVERY.format(address), b"", retain=True)


def _value(expression: str) -> dict[str, str]:
    return {"value_template": f"{{{{ {expression} }}}}"}


def _enum(name: str, options: list[str]) -> dict[str, Any]:
    return {"p": "sensor", "name": name, "device_class": "enum", "options": options}


def _binary(name: str, expression: str, device_class: str = "") -> dict[str, Any]:
    found = {"p": "binary_sensor", "name": name, "value_template": _ON_OFF.format(expression)}
    return found | ({"device_class": device_class} if device_class else {})


class HomeLink(TableLink):
    """Connects a table with a home. It sends no rows, and it executes the actions that the home may request."""

    what = said("The connection to Home Assistant")

    def __init__(
        self, table: Table, data: Path, ledger: Path, home: Home, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._home = home
        address = home_address(table.live.ledger.identity)
        to = Destination("home", home.broker, address, rows=False, orders=home.allows, via="Home Assistant")
        super().__init__(table, data, ledger, to, now)

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that this table reads."""
        return (topic(self._to.address, BIRTH), topic(self._to.address, DO), HOME_STATUS)

    def _greet(self) -> None:
        super()._greet()
        self.connection.publish(announcement(self._to.address, self._home.allows))

    def _take(self, message: Message) -> None:
        if message.topic == HOME_STATUS and message.payload == b"online":
            self._connects = -1  # greet again, because Home Assistant has restarted and has no data

    def _state(self, snapshot: Snapshot) -> dict[str, Any]:
        found = super()._state(snapshot)
        if self._home.names and snapshot.header is not None:
            found["names"] = {str(each["colour"]): str(each["name"]) for each in snapshot.header["players"]}
        return found
