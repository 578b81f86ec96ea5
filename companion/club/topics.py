"""The topics between tables and a club, below the root `rc/1`. A table's address is one level of each topic."""

from __future__ import annotations

ROOT = "rc/1"
BIRTH, ROWS, ACK, STATE, EVENT, STAGE, BEAT, DO = "birth", "rows", "ack", "state", "event", "stage", "beat", "do"
CLUB_STATE = f"{ROOT}/club/state"


def topic(address: str, word: str) -> str:
    """Return the topic *word* of the table with this address, or of all tables for `+`.

    >>> topic("+", ROWS)
    'rc/1/+/rows'
    """
    return f"{ROOT}/{address}/{word}"


def address_in(name: str) -> tuple[str, str]:
    """Return the table's address in a topic, and the last word of the topic.

    >>> address_in("rc/1/0123456789abcdef/rows")
    ('0123456789abcdef', 'rows')
    """
    _, _, rest = name.partition(f"{ROOT}/")
    address, _, word = rest.partition("/")
    return address, word
