"""The page of names: the players, the effect of a change, and the change itself in all games and backups."""

from __future__ import annotations

import re

from tests.web.served_house import ServedHouse


def names(site: ServedHouse) -> list[str]:
    """Return the names of the players in the game on the table."""
    header = site.table.snapshot.header
    assert header is not None
    return [player["name"] for player in header["players"]]


def test_the_page_lists_who_is_named(site: ServedHouse) -> None:
    """Names: the page lists all players of stored games, with their number of games."""
    page = site.host().get("/games?show=names")

    assert all(name in page for name in names(site))
    assert "1 game" in page


def test_what_a_change_touches_is_shown_before(site: ServedHouse) -> None:
    """Names: before a change the page counts the games and backups, and changes nothing."""
    before = names(site)
    page = site.host().get(f"/games?show=names&of={before[0]}")

    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())

    assert "1 game" in words and "backup" not in words
    assert "Change everywhere" in page
    assert names(site) == before


def test_a_name_is_changed_at_the_table_too(site: ServedHouse) -> None:
    """Names: the game continues with the new name, and the page says what was changed."""
    old, *others = names(site)
    status, page = site.host().post("/names", old=old, new="Anna-Maria", follow=True)

    assert (status, names(site)) == (200, ["Anna-Maria", *others])
    assert f"{old} is now Anna-Maria in every game and backup." in page
    assert "Anna-Maria" in site.host().get("/join")


def test_a_removal_is_asked_once_more(site: ServedHouse) -> None:
    """Removing a name asks for a confirmation and says there is no way back; then the seat's colour is shown."""
    old, *others = names(site)
    asked = site.host().get(f"/games?show=names&of={old}&sure")
    site.host().post("/names", old=old, remove="1")

    assert "no way back" in asked
    assert names(site)[1:] == others
    assert names(site)[0] == site.table.snapshot.header["players"][0]["colour"]
    assert old not in site.host().get("/games?show=names")


def test_a_phone_keeps_its_seat_under_the_new_name(site: ServedHouse) -> None:
    """Names: a phone that has joined keeps its seat when its player is renamed."""
    phone = site.phone("red")
    site.host().post("/names", old=names(site)[0], new="Anna-Maria")

    assert "Anna-Maria" in phone.get("/join")
    assert site.access.seats.sitting(site.table.snapshot.game_id, {}).joined.keys() == {"red"}


def test_only_the_host_changes_names(site: ServedHouse) -> None:
    """Names: a visitor sees the page, and a change by anybody but the host is refused."""
    before = names(site)
    visitor = site.visitor()

    assert "Only the host" in visitor.get(f"/games?show=names&of={before[0]}").get_data(as_text=True)
    assert site.phone("red").post("/names", old=before[0], new="X")[0] in (401, 403)
    assert names(site) == before


def test_a_name_is_short_and_not_empty(site: ServedHouse) -> None:
    """Names: an invalid name is refused with its reason, and nothing changes."""
    before = names(site)
    host = site.host()

    assert "up to 18 letters" in host.post("/names", old=before[0], new="x" * 19, follow=True)[1]
    assert "needs a letter" in host.post("/names", old=before[0], new=" ", follow=True)[1]
    assert "Nobody called Zoe" in host.get("/games?show=names&of=Zoe")
    assert names(site) == before
