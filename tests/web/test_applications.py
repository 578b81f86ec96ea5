"""Applications that test servers reuse."""

from __future__ import annotations

from pathlib import Path

from tests.web.applications import given_back
from tests.web.served_house import ServedHouse


def test_a_house_that_takes_an_application_over_is_a_house_of_its_own(tmp_path: Path) -> None:
    """Applications: the next server has the same addresses, but not the table or the host of the previous one."""
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    with given_back():
        first = ServedHouse(one).play()
        host = first.host()
        assert "/pin/leave" in host.get("/pin")
    with given_back():
        second = ServedHouse(other)
        pages = second.visitor().get("/table").get_data(as_text=True), host.get("/pin")

    assert second.app is first.app
    assert second.access.pin != first.access.pin
    assert not any("/pin/leave" in page or "Ana" in page for page in pages)
    for each in (first, second):
        each.ledger.close()


def test_an_application_whose_settings_were_changed_goes_to_nobody(tmp_path: Path) -> None:
    """Applications: an application whose settings a test has changed is not reused."""
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    with given_back():
        first = ServedHouse(one)
        first.app.config["MAX_CONTENT_LENGTH"] = 1
    second = ServedHouse(other)

    assert second.app is not first.app
    for each in (first, second):
        each.ledger.close()
