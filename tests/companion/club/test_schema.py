"""The messages that tables send, checked against the published JSON schema."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from companion.club.home import Home, HomeLink, announcement
from companion.club.table_view import EVENTS
from tests.club.draws_at_home import Table
from tests.companion.live_table import LiveTable

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "api" / "club.schema.json").read_text(encoding="utf-8"))
WORDS = ("birth", "state", "event", "stage", "beat")


def check(word: str, value: Any) -> None:
    """Raise `ValidationError` if *value* does not match the schema of the topic *word*."""
    Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{word}"}).validate(value)


class Kept:
    """A broker that records the messages of each topic."""

    def __init__(self, broker: Any) -> None:
        self._broker, self.messages = broker, list[tuple[str, Any]]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._broker, name)

    def publish(self, message: Any) -> bool:
        word, text = message.topic.rpartition("/")[2], message.payload.decode()
        if word in WORDS:
            self.messages.append((word, text if word == "stage" else json.loads(text)))
        return bool(self._broker.publish(message))


def test_everything_that_a_table_sends_is_in_the_schema(tmp_path: Path) -> None:
    """Schema: in a hundred draws with breaks and questions, every message of every topic matches the schema."""
    table = Table(tmp_path, 3)
    kept = table._link.connection = Kept(table.broker)  # type: ignore[assignment]
    while table.draws < 100:
        table.play()
    table.live.table.call()
    table.look()
    table.live.ledger.close()

    for word, value in kept.messages:
        check(word, value)
    assert {word for word, _ in kept.messages} == set(WORDS)
    sent = {value["event_type"] for word, value in kept.messages if word == "event"}
    assert sent == set(SCHEMA["$defs"]["event"]["properties"]["event_type"]["enum"]) == set(EVENTS)


def test_names_are_in_the_schema(tmp_path: Path) -> None:
    """Schema: a state with names matches the schema."""
    live = LiveTable(tmp_path / "ledger.sqlite").open()
    link = HomeLink(live.table, tmp_path, live.path, Home("home", 1883, names=True))

    check("state", link._state(live.snapshot))
    live.ledger.close()


def test_the_button_sends_what_the_schema_says() -> None:
    """Schema: the command that Home Assistant's button sends matches the schema."""
    parts = json.loads(announcement("0" * 16, ("pause",)).payload)["cmps"]
    sent = json.loads(parts["pause"]["command_template"].replace("{{ now().timestamp() }}", str(Random(1).random())))

    check("do", sent)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("event", {"event_type": "crowned", "row": 1, "turn": []}),
        ("state", {"row": 1}),
        ("stage", "dark"),
        ("do", {"do": "abandon", "id": "1"}),
        ("beat", {"row": -1}),
    ],
)
def test_other_messages_are_not_in_the_schema(word: str, value: Any) -> None:
    """Schema: messages that no table sends do not match the schema."""
    with pytest.raises(ValidationError):
        check(word, value)
