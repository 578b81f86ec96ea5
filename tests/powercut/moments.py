"""Random moments of power cuts and kills, chosen so that rare moments come as often as common ones."""

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
"""Patterns of disk operations at which the power fails, with their weights."""


def cut_at(lots: Random) -> Moment:
    """Return a random moment of a power cut; a start has few disk operations, an evening hundreds."""
    what, early = lots.choices(list(MOMENTS), list(MOMENTS.values()))[0], lots.random() < 0.2
    many = lots.choice((10, 50, 200)) if what == "*" else lots.choice((1, 5, 20)) if "sqlite" in what else 5
    return Moment(what, lots.randint(1, many), lots.random() < 0.5, early)


def killed_at(lots: Random) -> Moment:
    """Return a random moment of a kill, in milliseconds."""
    return Moment("kill", lots.randint(1, 800), done=False, early=lots.random() < 0.2)
