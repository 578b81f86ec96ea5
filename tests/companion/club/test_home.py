"""A table in Home Assistant: its discovery message, its states and events, and the commands it accepts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from companion.app.cli.home import ALLOWED
from companion.app.cli.main import main
from companion.app.data_folder import HOME
from companion.club import home as home_module
from companion.club.connection import Connection, Message
from companion.club.home import Home, HomeLink, announcement, home_address, read_home
from companion.club.orders import CALL, ORDERS, order
from companion.club.topics import DO, topic
from companion.kernel.supervisor import Supervisor
from companion.session.commands import Resume
from companion.session.table import CALL_S
from tests.club.broker import PATIENCE_S, Broker
from tests.club.draws_at_home import played, too_early
from tests.companion.live_table import HOST, LiveTable

CONFIG = "homeassistant/device/rc_{}/config"


@pytest.fixture
def live(tmp_path: Path) -> LiveTable:
    return LiveTable(tmp_path / "ledger.sqlite")


@pytest.fixture
def join(live: LiveTable, broker: Broker) -> Iterator[Callable[..., str]]:
    """A function that connects the table to Home Assistant, and returns the table's address there."""
    ends = []

    def join_one(**wishes: Any) -> str:
        home = Home("127.0.0.1", broker.port, **wishes)
        link = HomeLink(live.table, live.path.parent, live.path, home)
        ends.append(link.start(Supervisor()))
        return home_address(live.ledger.identity)

    yield join_one
    for end in ends:
        end()
    live.ledger.close()


@pytest.fixture
def heard(connect: Callable[..., Connection]) -> Queue[Message]:
    """A queue of all messages at the broker."""
    found: Queue[Message] = Queue()
    connect("watch", topics=("#",), heard=found.put)
    return found


def until(heard: Queue[Message], name: str, **fits: Any) -> dict[str, Any]:
    """Return the next message on the topic *name* that has the given fields."""
    while True:
        message = heard.get(timeout=PATIENCE_S)
        if message.topic == name and message.payload:
            body = json.loads(message.payload)
            if all(body.get(key) == value for key, value in fits.items()):
                return dict(body)


def test_one_message_announces_all_entities(join: Callable[..., str], heard: Queue[Message]) -> None:
    """Discovery: each entity has a platform, a unique id, and a topic under the table's address."""
    address = join(allows=("pause",))

    body = until(heard, CONFIG.format(address))
    parts = body["cmps"]
    entities = [part for part in parts.values() if part["p"] != "device_automation" and len(part) > 1]
    assert body["o"]["name"]
    assert body["dev"]["ids"] == [f"rc_{address}"]
    assert len({part["unique_id"] for part in entities}) == len(entities) == 9
    topics = {part[key] for part in parts.values() for key in part if key.endswith("topic")}
    assert all(each.startswith(f"rc/1/{address}/") for each in topics)
    assert {part["type"] for part in parts.values() if part["p"] == "device_automation"} == {
        *("began", "asked", "over", "called"),
    }


def test_it_is_announced_again_when_home_assistant_starts(
    join: Callable[..., str], heard: Queue[Message], connect: Callable[..., Connection]
) -> None:
    """Discovery: when Home Assistant reports that it is online, the announcement and the state are sent again."""
    address = join()
    until(heard, CONFIG.format(address))
    until(heard, topic(address, "state"))
    connect("ha", greeting=lambda: (Message("homeassistant/status", b"online"),))

    assert until(heard, CONFIG.format(address))
    assert until(heard, topic(address, "state"))


def test_seats_are_colours_without_permission_for_names(
    join: Callable[..., str], heard: Queue[Message], live: LiveTable
) -> None:
    """Privacy: without the host's permission, no message contains a player's name."""
    address = join()
    live.open()
    until(heard, topic(address, "state"), status="live")
    names = [player["name"].encode() for player in live.snapshot.header["players"]]  # type: ignore[index]
    said = [heard.get_nowait().payload for _ in range(heard.qsize())]

    assert not [payload for payload in said if any(name in payload for name in names)]


def test_names_are_sent_with_permission(join: Callable[..., str], heard: Queue[Message], live: LiveTable) -> None:
    """Privacy: with the host's permission, the state contains each colour's name."""
    address = join(names=True)
    live.open()

    state = until(heard, topic(address, "state"), status="live")
    assert set(state["names"]) == {player["colour"] for player in live.snapshot.header["players"]}  # type: ignore[index]


def test_a_pause_is_done_once(
    join: Callable[..., str], heard: Queue[Message], live: LiveTable, connect: Callable[..., Connection]
) -> None:
    """Commands: a repeated pause with the same id does nothing, even after a resume; another id pauses again."""
    address = join(allows=("pause",))
    live.open()
    until(heard, topic(address, "state"), status="live")
    press = Message(topic(address, DO), b'{"do": "pause", "id": "1"}')
    connect("once", greeting=lambda: (press,))
    until(heard, topic(address, "state"), status="paused")
    live.table.execute(Resume(), HOST)
    other = Message(topic(address, DO), b'{"do": "pause", "id": "2"}')
    connect("twice", greeting=lambda: (press, other))
    until(heard, topic(address, "event"), event_type="resumed")
    until(heard, topic(address, "event"), event_type="paused")

    assert sum(row.word == "paused" for row in map(live.ledger.row, range(1, live.ledger.last + 1)) if row) == 2


@pytest.mark.parametrize(
    "payload",
    [b'{"do": "pause", "id": "1"}', b'{"do": "abandon", "id": "1"}', b'{"do": ["pause"]}', b"[]", b"\xff", b"pause"],
)
def test_what_is_not_allowed_does_nothing(
    payload: bytes, join: Callable[..., str], heard: Queue[Message], live: LiveTable, connect: Callable[..., Connection]
) -> None:
    """Commands: a forbidden or invalid command changes nothing, and the connection stays open."""
    address = join()
    live.open()
    until(heard, topic(address, "state"), status="live")
    connect("press", greeting=lambda: (Message(topic(address, DO), payload),))
    while heard.get(timeout=PATIENCE_S).topic != topic(address, DO):
        pass
    live.score(1)
    until(heard, topic(address, "state"), row=live.snapshot.version)

    assert live.snapshot.status == "live"


def test_without_permission_the_button_is_removed() -> None:
    """Discovery: without permission to pause, the button is announced as removed."""
    parts = json.loads(announcement("0" * 16).payload)["cmps"]

    assert parts["pause"] == parts["call"] == {"p": "button"}


def test_a_call_is_on_all_pages_and_no_row(
    join: Callable[..., str], heard: Queue[Message], live: LiveTable, connect: Callable[..., Connection]
) -> None:
    """Commands: a call is shown for two minutes and sent as an event, but not stored in the ledger."""
    address, before = join(allows=("call",)), live.ledger.last
    until(heard, topic(address, "state"), called=False)
    connect("desk", greeting=lambda: (order(address, CALL, "1"),))
    event = until(heard, topic(address, "event"), event_type="called")
    said = live.snapshot.unattended
    live.later(CALL_S)
    live.table.tick()

    assert event["turn"] == []
    assert (said, live.snapshot.unattended, live.ledger.last) == ("The club calls this table.", "", before)


def test_lights_do_not_change_while_a_draw_is_expected(tmp_path: Path) -> None:
    """Stage: in hundreds of draws with breaks, questions and undone draws, no light changes during an open draw."""
    found = played(tmp_path, 300, 5)

    assert found["too_early"] == 0
    assert found["stages"] > 20
    assert too_early([(0.0, "state", True), (1.0, "stage", "play"), (2.0, "state", False), (3.9, "stage", "over")]) == [
        *(1.0, 3.9),
    ]


def test_the_command_connects_and_leaves(
    tmp_path: Path, broker: Broker, heard: Queue[Message], capsys: pytest.CaptureFixture[str]
) -> None:
    """`companion home` stores the broker in a private file, and `--leave` removes the entities and the file."""
    data = tmp_path / "data"
    status = main(["home", f"mqtt://127.0.0.1:{broker.port}", "--allow", "pause", "--data", str(data)])
    stored, mode = read_home(data), (data / HOME).stat().st_mode & 0o777
    live = LiveTable(data / "ledger.sqlite")
    address = home_address(live.ledger.identity)
    live.ledger.close()
    left = main(["home", "--leave", "--data", str(data)])
    while (message := heard.get(timeout=PATIENCE_S)).topic != CONFIG.format(address):
        pass

    assert (status, left) == (0, 0)
    assert stored == Home("127.0.0.1", broker.port, allows=("pause",))
    assert mode == 0o600
    assert message.payload == b""
    assert not (data / HOME).exists()
    assert "Seats are colours" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["http://home"], "isn't an address like mqtt://HOST"),
        (["mqtt://ana:secret@home"], "can be read by other users"),
        (["mqtts://home"], "needs the file with the certificate"),
        (["mqtts://home", "--ca", "missing.pem"], "missing.pem"),
        (["--leave"], "this table is in no home"),
    ],
)
def test_a_wrong_word_is_one_sentence(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`companion home` says what is wrong with bad input, and stores nothing."""
    assert main(["home", *words, "--data", str(tmp_path)]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / HOME).exists()


def test_the_password_appears_nowhere(tmp_path: Path) -> None:
    """Passwords: printing a home connection or its broker does not show the password."""
    home = Home("home", 1883, "ana", "secret")

    assert "secret" not in f"{home}{home.broker}"


def test_the_automation_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """`companion home --blueprint` prints an automation that reads the stage and no other entity."""
    assert main(["home", "--blueprint"]) == 0
    said = capsys.readouterr().out
    assert "domain: automation" in said
    assert "armed" not in said


def test_the_service_looks_for_the_file_that_a_home_writes() -> None:
    """The constants that the service uses without importing the home module equal the module's own."""
    assert home_module.HOME == HOME
    assert ORDERS == ALLOWED
