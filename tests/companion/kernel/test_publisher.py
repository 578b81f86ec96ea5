"""Publish and subscribe: a subscriber that raises an error does not affect the others."""

from __future__ import annotations

import pytest

from companion.kernel.publisher import Publisher


def test_a_subscriber_that_fails_stops_neither_the_others_nor_the_publisher(caplog: pytest.LogCaptureFixture) -> None:
    """Publisher: if a subscriber raises, the others are still called, and the error is logged but not raised."""
    heard, late = list[str](), list[str]()

    def broken(news: str) -> None:
        raise ZeroDivisionError("a subscriber's own bug")

    publisher = Publisher(lambda: "news")
    publisher.add(heard.append)
    publisher.add(broken, first=True)
    end = publisher.add(late.append)
    publisher.publish()
    end()
    end()
    publisher.publish()

    assert (heard, late) == (["news", "news"], ["news"])
    assert "a subscriber's own bug" in caplog.text
