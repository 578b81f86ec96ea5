"""A moment of a night in simulated time; whole nights are `python -m tests.soak`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.soak.course import ALLOWED, Course, Look, drift
from tests.soak.handed_in import LOOKS, night

LEVEL = Look(0.0, 40.0, 30.0, 6, 20, 1.0, 0.5, 0.1)


def course_of(**rises: float) -> Course:
    """Return a course of twelve hours, in which some resources grow by the given amount each hour."""
    course = Course(lambda told: None)
    for hour in range(12):
        risen = {name: getattr(LEVEL, name) + hour * rise for name, rise in rises.items()}
        course.add(replace(LEVEL, hours=float(hour), **risen))
    return course


@pytest.mark.long
def test_half_an_hour_is_level(tmp_path: Path) -> None:
    """Eight devices, their streams and a game leave neither threads nor descriptors behind."""
    texts: list[str] = []
    course = Course(texts.append)
    night(tmp_path, 0.5, course, Random(1), games=0.2)

    assert len(course.looks) == LOOKS
    assert {"threads", "descriptors"}.isdisjoint(course.risen())
    assert "packets on the streams" in texts[-1]


@pytest.mark.parametrize("name", ALLOWED)
def test_what_rises_is_found(name: str) -> None:
    """Each resource that grows more than allowed is named, and no other."""
    course = course_of(**{name: ALLOWED[name]})

    assert set(course.risen()) == {name}
    assert [line.split()[0] for line in course.verdicts() if line.endswith("RISES")] == [name]


def test_what_is_level_is_said() -> None:
    """If only the ledger grows, all other resources are level, and the ledger's growth is given per game."""
    course = course_of(ledger_mb=1.0)
    course.games = 2

    *others, ledger = course.verdicts()
    assert course.risen() == {}
    assert all(line.endswith("level") for line in others)
    assert ledger.endswith("5.5 a game")


def test_what_fills_at_first_is_not_judged() -> None:
    """Growth in the first third, when caches fill, is ignored."""
    course = Course(lambda told: None)
    for hour in range(12):
        course.add(replace(LEVEL, hours=float(hour), rss_mb=40.0 + 20.0 * min(hour, 4)))

    assert course.risen() == {}


def test_drift_is_the_line_through_all() -> None:
    """One high measurement isn't growth; a steady rise is counted in full."""
    assert drift([(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)]) == pytest.approx(2.0)
    assert drift([(0.0, 1.0), (1.0, 9.0), (2.0, 1.0)]) == pytest.approx(0.0)
