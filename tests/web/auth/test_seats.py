"""Phones at the table: how they take, keep and lose a seat, and which commands they may send."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.session.commands import Abandon, AllReady, Resume
from tests.web.plain_game import HEADER
from tests.web.served_house import HOST, Browser, ServedHouse

OTHERS_PASS = ("red", "blue", "green")


def in_trading(site: ServedHouse) -> ServedHouse:
    """Go on to the first trading phase, with the starting player's first card face up: two others have to respond."""
    site.table.do({"do": "deal"}, HOST)
    for seat in OTHERS_PASS:
        site.table.do({"do": "transport", "player": seat, "move": "pass"}, HOST)
    site.table.do({"do": "lay", "player": "red", "card": "p1"}, HOST)
    return site


def in_an_attempt_of_red(site: ServedHouse) -> ServedHouse:
    """Go on to an open attempt by red; on p1 are red's stations and one station of each other player."""
    in_trading(site)
    site.table.execute(AllReady(), HOST)
    site.table.do({"do": "lay", "player": "red", "card": None}, HOST)
    site.table.execute(AllReady(), HOST)
    site.table.do({"do": "swap", "player": "red", "with": "blue"}, HOST)
    site.table.do({"do": "keep", "player": "blue"}, HOST)
    site.table.do({"do": "establish", "player": "red", "planet": "p1", "cards": 6}, HOST)
    return site


def deed(browser: Browser, name: str, **fields: Any) -> tuple[int, dict[str, Any]]:
    """Send an action as a program on a phone would; return status and JSON."""
    answer = browser.client.post("/api/v1/deeds", json={"deed": name, **fields}, headers={"X-CSRF-Token": browser.csrf})
    return answer.status_code, answer.get_json()


def asks(browser: Browser, **line: Any) -> tuple[int, dict[str, Any]]:
    """Send a line to the table as a program on a phone would; return status and JSON."""
    answer = browser.client.post("/api/v1/commands", json=line, headers={"X-CSRF-Token": browser.csrf})
    return answer.status_code, answer.get_json()


# Joining


def test_a_phone_takes_a_free_seat_and_acts_under_its_colour(site: ServedHouse) -> None:
    """Joining: a phone joins with the PIN and one tap; the ledger records its seat and that a phone sent the line."""
    phone = site.phone("red")

    assert asks(phone, do="deal")[0] == 200
    assert (site.table.snapshot.recent[0].who, site.table.snapshot.recent[0].via) == ("red", "phone")


def test_the_pin_is_shown_to_the_host_and_to_seats_only(site: ServedHouse) -> None:
    """Joining: a visitor from the network never sees the PIN on a page; the host and seated phones do."""
    pin = site.table_pin

    assert pin not in site.visitor().get("/join").get_data(as_text=True)
    assert pin in site.host().get("/join")
    assert pin in site.phone("red").get("/join")


def test_a_photographed_code_fills_the_pin_in(site: ServedHouse) -> None:
    """Joining: the address in the QR code contains the PIN, so that one tap on a name is enough."""
    page = site.visitor().get(f"/join?pin={site.table_pin}").get_data(as_text=True)

    assert f'value="{site.table_pin}"' in page


def test_enter_sends_the_pin_and_takes_no_seat(site: ServedHouse) -> None:
    """Joining: Enter in the PIN field presses the form's first button, which sends the PIN; names have to be tapped."""
    stranger = Browser(site.visitor())
    form = stranger.get("/join").partition('action="/join"')[2].partition("</form>")[0]
    first = form.partition("<button")[2].partition(">")[0]

    answer = stranger.post("/join", pin=site.table_pin)

    assert "name=" not in first and "type=" not in first
    assert answer == (303, f"/join?pin={site.table_pin}")
    assert "Tap your name." in stranger.get(answer[1])
    assert "taken" not in stranger.get(answer[1])


def test_a_wrong_pin_without_a_name_is_refused(site: ServedHouse) -> None:
    """Joining: a PIN that was sent with Enter is checked like any other."""
    wrong = "000000" if site.table_pin != "000000" else "111111"

    page = Browser(site.visitor()).post("/join", follow=True, pin=wrong)[1]

    assert "Wrong PIN." in page


def test_wrong_pins_have_to_wait_and_keep_no_host_out(site: ServedHouse) -> None:
    """Joining: six digits are enough, since an address waits after five wrong tries; the host's PIN is not affected."""
    stranger = Browser(site.visitor())
    wrong = "000000" if site.table_pin != "000000" else "111111"
    answers = [stranger.post("/join", pin=wrong, seat="red")[0] for _ in range(6)]

    assert answers == [303] * 5 + [429]
    assert stranger.post("/join", pin=site.table_pin, seat="red")[0] == 429
    assert "taken" not in site.visitor().get("/join").get_data(as_text=True)
    assert site.host().post("/table/pause")[0] == 303


def test_a_taken_seat_is_not_given_away(site: ServedHouse) -> None:
    """Joining: a second phone is refused with a hint that the host can free the seat, and the first phone keeps it."""
    first = site.phone("red")
    second = Browser(site.visitor())

    page = second.post("/join", follow=True, pin=site.table_pin, seat="red")[1]

    assert "Ana&#39;s seat is taken. The host can free it." in page
    assert asks(first, do="deal")[0] == 200


def test_a_seat_that_nobody_plays_cannot_be_taken(site: ServedHouse) -> None:
    """Joining: a colour that is not in this game has no seat."""
    page = Browser(site.visitor()).post("/join", follow=True, pin=site.table_pin, seat="black")[1]

    assert "Nobody plays that colour." in page


def test_a_freed_phone_may_do_nothing_from_that_moment(site: ServedHouse) -> None:
    """When the host frees a seat, its phone loses its rights immediately, and the seat can be taken again."""
    lost = site.phone("red")
    site.host().post("/join/free", seat="red")

    assert asks(lost, do="deal")[0] == 401
    assert lost.post("/table/pause")[0] == 403
    assert "was freed" in lost.get("/join")
    assert asks(site.phone("red"), do="deal")[0] == 200


def test_only_the_host_frees_a_seat(site: ServedHouse) -> None:
    """Freeing: a phone cannot free another phone's seat."""
    site.phone("blue")
    red = site.phone("red")

    assert red.post("/join/free", seat="blue")[0] == 403


def test_a_phone_that_moves_to_another_seat_leaves_its_own_free(site: ServedHouse) -> None:
    """Joining: one phone has one seat."""
    phone = site.phone("red")
    phone.post("/join", seat="blue")

    assert asks(phone, do="deal")[1]["reason"] == "Only Ana can do that."
    assert asks(site.phone("red"), do="deal")[0] == 200


def test_a_phone_may_leave_its_seat(site: ServedHouse) -> None:
    """Joining: a phone that leaves its seat can only watch from then on."""
    phone = site.phone("red")
    phone.post("/join/leave")

    assert asks(phone, do="deal")[0] == 401
    assert site.phone("red")


@pytest.fixture
def restarted(tmp_path: Path) -> Iterator[ServedHouse]:
    """A server that was restarted after red's phone had joined, with that phone's cookie as `restarted.cookie`."""
    before = ServedHouse(tmp_path).play()
    cookie = before.phone("red").client.get_cookie("companion")
    before.table.close()
    after = ServedHouse(tmp_path)
    assert cookie is not None
    after.cookie = cookie.value  # type: ignore[attr-defined]
    yield after
    after.ledger.close()


def test_a_phone_is_in_its_seat_again_after_a_restart(restarted: ServedHouse) -> None:
    """Coming back: after a restart of the service a phone still has its seat and needs no tap."""
    phone = Browser(restarted.visitor())
    phone.client.set_cookie("companion", restarted.cookie)  # type: ignore[attr-defined]

    assert asks(phone, do="deal")[0] == 200


def test_a_new_game_has_a_new_pin_and_keeps_who_plays_on(site: ServedHouse) -> None:
    """A new game: a player with the same name and colour keeps the seat; everybody else has to join again."""
    red, blue = site.phone("red"), site.phone("blue")
    pins = {site.table_pin}
    for _ in range(3):  # 1 in 10,000 PINs is the same by chance
        other = [HEADER["players"][0], {"colour": "blue", "name": "Zoe"}, HEADER["players"][2]]
        site.table.open({**HEADER, "players": other}, HOST)
        pins.add(site.table_pin)

    assert len(pins) > 1
    assert deed(red, "pause")[0] == 200
    assert deed(blue, "resume")[0] == 401


def test_the_list_of_seats_is_private_and_opens_nothing(site: ServedHouse, tmp_path: Path) -> None:
    """Storage: only its owner can read the file of seats; if it is damaged, phones lose their seats and join again."""
    phone = site.phone("red")
    path = tmp_path / "seats.json"
    mode = stat.S_IMODE(path.stat().st_mode)
    path.write_text("{", encoding="utf-8")

    assert mode == 0o600
    assert asks(phone, do="deal")[0] == 401
    assert asks(site.phone("red"), do="deal")[0] == 200


def test_a_host_that_enters_the_pin_keeps_the_seat_for_later(site: ServedHouse) -> None:
    """Coming back: a phone that was signed in as host for a while has its seat's rights again after signing out."""
    phone = site.phone("red")
    phone.post("/pin", pin=site.access.pin)
    assert deed(phone, "abandon", reason="try")[0] == 200
    deed(phone, "resume")
    phone.post("/pin/leave")

    assert deed(phone, "abandon", reason="try")[0] == 403
    assert asks(phone, do="deal")[0] == 200


def test_without_a_game_there_is_nothing_to_join(tmp_path: Path) -> None:
    """Joining: without a game, the page for joining redirects to the start page."""
    empty = ServedHouse(tmp_path)

    assert empty.visitor().get("/join").headers["Location"] == "/"
    assert Browser(empty.visitor()).post("/join", pin="1234", seat="red") == (303, "/")
    empty.ledger.close()


# Which cards a seat sees


def test_a_seat_sees_its_own_credits_and_nobody_elses(site: ServedHouse) -> None:
    """Hidden credits: the API's state shows a seat only its own credits, and shows visitors none."""
    for seat in ("red", "blue"):
        site.table.do({"do": "correct", "player": seat, "reason": "try", "bonus": {"gold": 1}}, HOST)
    own = site.phone("red").client.get("/api/v1/state").get_json()["players"]
    anybody = site.visitor().get("/api/v1/state").get_json()["players"]

    assert own["red"]["bonus"]["gold"] == 1
    assert own["blue"]["bonus"] is None
    assert anybody["red"]["bonus"] is None


# What a seat may do


def test_a_seat_acts_for_itself_only(site: ServedHouse) -> None:
    """Rights: a line for another seat is refused with that player's name, as JSON or as a page, and not recorded."""
    in_trading(site)
    blue, before = site.phone("blue"), site.ledger.last
    refused = asks(blue, do="lay", player="green", card=None)
    page = blue.post("/table/do", follow=True, line='{"do": "lay", "player": "green", "card": null}')[1]

    assert refused == (403, {"reason": "Only Cem can do that."})
    assert "Only Cem can do that." in page
    assert site.ledger.last == before
    assert asks(blue, do="lay", player="blue", card=None)[0] == 200


def test_no_line_of_others_hides_behind_an_own_one(site: ServedHouse) -> None:
    """Rights: every line of a request is checked, whatever form the request has."""
    in_trading(site)
    blue, before = site.phone("blue"), site.ledger.last
    own, other = ({"do": "lay", "player": seat, "card": None} for seat in ("blue", "green"))

    assert deed(blue, "do", lines=[own], line=other)[0] == 403
    assert deed(blue, "do", lines='{"lines": [{"do": "correct"}]}', line=own)[0] == 403
    assert deed(blue, "ready", seat=["green"])[0] == 403
    assert site.ledger.last == before


def test_what_follows_in_one_tap_names_its_player(site: ServedHouse) -> None:
    """Rights: further lines of a seat's request must name the seat; only the host may send lines of unknown players."""
    red = site.phone("red")
    pass_by = {"do": "transport", "player": "red", "move": "pass"}

    assert deed(red, "do", lines=json.dumps({"lines": [{"do": "deal"}, {"do": "deal"}]}))[0] == 403
    assert deed(red, "do", lines=json.dumps({"lines": [{"do": "deal"}, pass_by]}))[0] == 200


def test_draws_are_typed_in_by_whoever_holds_the_ring(site: ServedHouse) -> None:
    """Rights: during an attempt only the seat that makes it can enter draws."""
    in_an_attempt_of_red(site)
    red, blue = site.phone("red"), site.phone("blue")

    assert asks(blue, do="draw", colour="green")[1] == {"reason": "Only Ana can do that."}
    assert asks(red, do="draw", colour="green")[0] == 200


def test_a_seat_takes_back_its_own_line_and_no_other(site: ServedHouse) -> None:
    """Undo: a seat can undo its own line, another seat cannot, and the host can."""
    in_trading(site)
    blue, green = site.phone("blue"), site.phone("green")
    asks(blue, do="lay", player="blue", card="p4")

    assert deed(green, "undo")[0] == 403
    assert asks(green, do="undo")[0] == 403
    assert deed(blue, "undo")[0] == 200
    assert deed(blue, "undo")[1]["reason"] == "Only the host can undo that."


def test_whoever_plays_may_stop_the_clock(site: ServedHouse) -> None:
    """The clock: every seat may stop it, start it again and add time."""
    in_trading(site)
    blue = site.phone("blue")

    assert [deed(blue, name)[0] for name in ("hold", "go")] == [200, 200]
    assert deed(blue, "extend", ms=10_000)[0] == 200
    assert [deed(blue, name)[0] for name in ("pause", "resume")] == [200, 200]


def test_a_game_that_was_given_up_is_taken_up_by_the_host(site: ServedHouse) -> None:
    """Every seat may end a pause, but not resume a game that the host has abandoned."""
    blue = site.phone("blue")
    site.table.execute(Abandon("it got late"), HOST)

    assert deed(blue, "resume")[0] == 403
    site.table.execute(Resume(), HOST)
    assert deed(blue, "pause")[0] == 200


def test_two_that_have_laid_at_the_same_moment_both_count(site: ServedHouse) -> None:
    """At the same time: a phone whose player plays a card while another one does is not refused as out of date."""
    in_trading(site)
    blue, green, version = site.phone("blue"), site.phone("green"), str(site.table.snapshot.version)
    for phone, seat in ((blue, "blue"), (green, "green")):
        assert phone.post("/table/ready", seat=seat, version=version)[0] == 303

    assert len(site.table.snapshot.state.trading.sets) == 3


def test_of_two_for_the_same_thing_one_wins_and_the_other_is_told(site: ServedHouse) -> None:
    """At the same time: if host and phone press Deal on the same page, it happens once; the second gets a message."""
    red, host, version = site.phone("red"), site.host(), str(site.table.snapshot.version)
    deal = '{"do": "deal"}'

    assert red.post("/table/do", line=deal, version=version)[0] == 303
    page = host.post("/table/do", follow=True, line=deal, version=version)[1]

    assert "The game has moved on. Look again first." in page
    assert [line.line["do"] for line in site.table.snapshot.recent].count("deal") == 1


def test_a_phone_without_a_version_acts_on_what_it_is_judged_by(site: ServedHouse) -> None:
    """A line that a phone sends from an outdated page is refused."""
    red, old = site.phone("red"), site.table.snapshot.version
    site.table.do({"do": "deal"}, HOST)

    answer = red.client.post(
        "/api/v1/commands",
        json={"do": "transport", "player": "red", "move": "pass"},
        headers={"X-CSRF-Token": red.csrf, "If-Match": str(old)},
    )

    assert answer.status_code == 412
    assert asks(red, do="transport", player="red", move="pass")[0] == 200
