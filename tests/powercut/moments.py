"""When the power fails, or processes are killed: drawn so that rare moments come as often as common ones."""

from __future__ import annotations

from random import Random

from tests.powercut.evening import Moment

MOMENTS = {
    "*": 40,
    "sync ledger.sqlite-wal": 10,
    "* ledger.sqlite": 10,
    "create *": 8,
    "rename *": 8,
    "sync folder *": 6,
    "remove *": 5,
    "* .*": 10,
    "resize *": 3,
}
"""What the power fails at, and how often."""


def cut_at(lots: Random) -> Moment:
    """Draw when the power fails: the disk's deeds are few at a start and hundreds over an evening."""
    what, early = lots.choices(list(MOMENTS), list(MOMENTS.values()))[0], lots.random() < 0.2
    many = lots.choice((10, 50, 200)) if what == "*" else lots.choice((1, 5, 20)) if "sqlite" in what else 5
    return Moment(what, lots.randint(1, many), lots.random() < 0.5, early)


def killed_at(lots: Random) -> Moment:
    """Draw when processes are killed, in milliseconds."""
    return Moment("kill", lots.randint(1, 800), done=False, early=lots.random() < 0.2)
