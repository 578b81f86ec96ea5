"""Packing: fewer bytes on the radio, the same words on the glass."""

from __future__ import annotations

from gzip import decompress

import pytest

from tests.web.served_house import ServedHouse

GZIP = {"Accept-Encoding": "gzip, deflate"}


@pytest.mark.parametrize("path", ["/", "/static/tokens.css", "/static/live.js"])
def test_what_is_sent_packed_is_the_same(site: ServedHouse, path: str) -> None:
    """Packing: who can unpack gets a third of the bytes or less, and out of them the same text."""
    plain = site.visitor().get(path, buffered=True)
    packed = site.visitor().get(path, headers=GZIP, buffered=True)

    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
    assert len(decompress(packed.data)) == len(plain.data)
    assert "Content-Encoding" not in plain.headers


def test_what_a_device_has_is_not_sent_again(site: ServedHouse) -> None:
    """Packing: a style that has not changed since is answered with its tag alone."""
    visitor = site.visitor()
    tag = visitor.get("/static/tokens.css", headers=GZIP, buffered=True).headers["ETag"]

    again = visitor.get("/static/tokens.css", headers={**GZIP, "If-None-Match": tag}, buffered=True)

    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("path", ["/static/icon-192.png", "/api/v1/state"])
def test_what_gains_nothing_is_sent_as_it_is(site: ServedHouse, path: str) -> None:
    """Packing: pictures are packed already, and programs are answered plainly."""
    assert "Content-Encoding" not in site.visitor().get(path, headers=GZIP, buffered=True).headers
