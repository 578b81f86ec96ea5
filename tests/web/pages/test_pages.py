"""The pages that belong to no game, and the frame around all pages."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.ports.ring import RingState, RingView
from companion.session.commands import Undo
from tests.web.markup import flat
from tests.web.served_house import HOST, ServedHouse, ToldRing
from web import make_app
from web.http.formatting import age, initials, into_play, listed


def test_home_leads_to_the_game_on_the_table(site: ServedHouse) -> None:
    """The home page shows the current game with its players, and a link to continue."""
    assert "Ana, Ben and Cem" in site.visitor().get("/").get_data(as_text=True)
    assert "Continue" in site.host().get("/")


def test_home_without_a_game_asks_who_plays(tmp_path: Path) -> None:
    """Home: before the first game, the host is one tap away from a new game or a demo, and others from the PIN."""
    site = ServedHouse(tmp_path)
    seen, hosts = site.visitor().get("/").get_data(as_text=True), site.host().get("/")
    away = [site.visitor().get(address).headers.get("Location") for address in ("/table", "/table/menu", "/table/x")]
    empty = site.visitor().get("/history", follow_redirects=True)
    site.ledger.close()

    assert "Who plays tonight?" not in seen
    assert "Nothing is on yet" in seen
    assert 'action="/demo"' in hosts
    assert 'action="/demo"' not in seen
    assert away == ["/", "/", "/"]
    assert empty.status_code == 200


def test_a_demo_is_one_tap(tmp_path: Path) -> None:
    """Home: the demo's button puts a game on the table and leads there."""
    site = ServedHouse(tmp_path)
    answer = site.host().post("/demo", game="andromeda")
    site.ledger.close()

    assert answer == (303, "/table")
    assert site.table.snapshot.status == "live"


def test_a_new_game_that_is_not_right_loses_nothing(site: ServedHouse) -> None:
    """New game: a refusal gives the reason and keeps all entered values."""
    host = site.host()
    before = site.table.snapshot.game_id
    status, address = host.post("/new", game="andromeda", first="purple", name="Zoë & Co")

    assert (status, site.table.snapshot.game_id) == (303, before)
    assert address == "/new?game=andromeda&first=purple&name=Zo%C3%AB+%26+Co"
    page = host.get(address)
    assert 'data-say="alarm"' in page
    assert 'value="purple"' in page
    assert host.post("/new", game="andromeda", first="blue") == (303, "/table")
    assert site.table.snapshot.game_id != before


def test_a_game_nobody_knows_is_not_there(site: ServedHouse) -> None:
    """New game: an unknown game gives 404."""
    assert site.host().post("/new", game="chess")[0] == 404


def test_the_step_at_hand_is_the_games_to_show(site: ServedHouse) -> None:
    """Table: each path is a page of the game, redirects if the step has changed, or gives 404."""
    visitor = site.visitor()

    assert "the step at hand" in visitor.get("/table").get_data(as_text=True)
    assert visitor.get("/table/old").headers["Location"] == "/table/act"
    assert visitor.get("/table/nowhere").status_code == 404


def test_a_tap_is_a_command(site: ServedHouse) -> None:
    """Table: a line from a form is executed as the host's, its source is tablet or phone, and the answer redirects."""
    host = site.host()
    version = str(site.table.snapshot.version)
    assert host.post("/table/do", line='{"do":"deal"}', version=version, next="/table") == (303, "/table")
    tablet = site.table.snapshot.recent[0]
    phone = host.client.post("/table/undo", data={"csrf": host.csrf}, headers={"User-Agent": "Mobile; Mobi"})

    assert (tablet.line["do"], tablet.who, tablet.via) == ("deal", "host", "tablet")
    assert phone.status_code == 303
    assert list(site.table.archive.record())[-1]["via"] == "phone"


def test_a_refusal_comes_back_to_its_page(site: ServedHouse) -> None:
    """Table: a refused line returns to its page with the reason, which the next page doesn't show."""
    host = site.host()
    line = '{"do":"transport","player":"red","move":"pass","planet":null}'
    status, back = host.post("/table/do", line=line, back="/table/act?x=1", next="/table")
    page = host.get(back)

    assert (status, back) == (303, "/table/act?x=1")
    assert 'class="strip refusal"' in page
    assert "strip refusal" not in host.get(back)


def test_an_old_page_changes_nothing(site: ServedHouse) -> None:
    """Table: a form from an outdated page is refused with "moved on"."""
    host = site.host()
    before = site.ledger.last
    _, page = host.post("/table/do", follow=True, line='{"do":"deal"}', version="1", back="/table")

    assert "moved on" in page
    assert site.ledger.last == before


@pytest.mark.parametrize("fields", [{}, {"line": "{"}, {"line": "[]"}, {"line": '{"do":"deal"}', "version": "x"}])
def test_a_bad_form_is_refused_kindly(site: ServedHouse, fields: dict[str, str]) -> None:
    """Table: an invalid form is answered with a page with the reason."""
    host = site.host()
    before = site.ledger.last
    status, page = host.post("/table/do", follow=True, back="/table", **fields)

    assert status == 200
    assert "strip refusal" in page
    assert site.ledger.last == before


def test_live_js_gets_the_page_alone(site: ServedHouse) -> None:
    """Frame: with X-Part, the answer is only the element #page, without the rest of the document."""
    visitor = site.visitor()
    whole, part = (
        visitor.get("/table", headers=headers).get_data(as_text=True) for headers in ({}, {"X-Part": "main"})
    )
    version = f'id="page" data-version="{site.table.snapshot.version}"'

    assert whole.lstrip().startswith("<!doctype html>")
    assert version in flat(whole)
    assert flat(part).lstrip().startswith('<div id="page"')
    assert "<html" not in part
    assert "<script" not in part


@pytest.mark.parametrize("next", ["/table", "/table/clock", "/table?seat=red"])
def test_a_deed_brings_the_page_along_that_it_leads_to(site: ServedHouse, next: str) -> None:
    """Frame: with X-Part, a form is answered with the #page of the next page, and that page's address."""
    host = site.host()
    fields = {"csrf": host.csrf, "next": next}
    answer = host.client.post("/table/pause", data=fields, headers={"X-Part": "main"})
    page = flat(answer.get_data(as_text=True))

    assert (answer.status_code, answer.headers["X-Address"]) == (200, next)
    assert f'id="page" data-version="{site.table.snapshot.version}"' in page
    assert "Paused." in page
    assert len(answer.headers.getlist("Set-Cookie")) <= 1


@pytest.mark.parametrize("next", ["/table", "/nowhere", "/table/\u00fc", "/table/%61ct/x"])
def test_whatever_is_no_page_to_send_along_is_led_to(site: ServedHouse, next: str) -> None:
    """Frame: for a plain form, a missing page or a redirecting page, the browser gets the redirect itself."""
    host = site.host()
    headers = {} if next == "/table" else {"X-Part": "main"}
    answer = host.client.post("/table/pause", data={"csrf": host.csrf, "next": next}, headers=headers)

    assert (answer.status_code, "X-Address" in answer.headers) == (303, False)


def test_a_refused_deed_goes_back_to_its_page(site: ServedHouse) -> None:
    """Frame: the reason for a refusal is shown on the page that sent the form."""
    host = site.host()
    fields = {"csrf": host.csrf, "next": "/table", "back": "/table/menu"}
    answer = host.client.post("/table/resume", data=fields, headers={"X-Part": "main"})

    assert (answer.status_code, answer.headers["Location"]) == (303, "/table/menu")


def test_a_page_that_is_filled_in_is_left_alone(site: ServedHouse) -> None:
    """Pages with forms to type in are marked, so that updates don't replace them."""
    host = site.host()

    assert "data-still" in host.get("/new")
    assert "data-still" in site.visitor().get("/pin").get_data(as_text=True)
    assert "data-still" not in host.get("/table")


def test_a_pause_is_seen_on_every_page(site: ServedHouse) -> None:
    """Frame: during a pause every page says so, and lets the host resume."""
    host = site.host()
    host.post("/table/pause", next="/table")

    for address in ("/", "/table", "/games/1/replay", "/ring"):
        assert 'action="/table/resume"' in host.get(address)
        assert 'action="/table/resume"' not in site.visitor().get(address).get_data(as_text=True)
    host.post("/table/resume")
    assert site.table.snapshot.status == "live"


def test_history_tells_what_was_taken_back(site: ServedHouse) -> None:
    """The history lists every line, oldest first, with undone lines struck out, and doesn't show the devices."""
    site.table.do({"do": "deal"}, HOST)
    site.table.execute(Undo(), HOST)
    page = site.visitor().get("/games/1/replay?undone=1").get_data(as_text=True)
    story = page.partition("data-lines")[2].partition("</ol>")[0]

    assert "<del>The table: deal</del>" in story
    assert story.index("red: setup") < story.index("green: setup") < story.index("The table: deal")
    assert "tablet" not in story


def test_the_history_is_the_story_of_the_game_on_the_table(site: ServedHouse) -> None:
    """The history's fixed URL redirects to the replay of the current game."""
    answer = site.visitor().get("/history")

    assert (answer.status_code, answer.headers["Location"]) == (307, "/games/1/replay")


def test_games_are_switched_and_given_up(site: ServedHouse) -> None:
    """Games: an older game can be put back on the table; an abandoned one is still listed, with its reason."""
    host = site.host()
    first = site.table.snapshot.game_id
    host.post("/demo", game="andromeda")
    host.post("/table/abandon", reason="It got late", next="/")

    page = host.get("/games")
    assert "ended early: It got late" in page
    assert "set aside" in page
    assert "Game ended early" in host.get("/table")
    assert host.post("/games/switch", game=str(first)) == (303, "/table")
    assert site.table.snapshot.game_id == first


def test_the_final_on_a_phone_has_its_band(site: ServedHouse) -> None:
    """After a game: a seat's phone has the band of its player, the host's devices have the bar."""
    host, phone = site.host(), site.phone("blue")
    host.post("/table/abandon", reason="It got late", next="/")

    assert "You are Ben" in phone.get("/table")
    assert "You are Ben" not in host.get("/table")


def test_a_player_who_has_to_go(site: ServedHouse) -> None:
    """Menu: one tap makes a player leave, another makes them return."""
    host = site.host()
    host.post("/table/left", seat="blue", back="/table/menu", next="/table/menu")

    assert site.table.snapshot.absent == {"blue"}
    assert "has left" in host.get("/table/menu?of=settings")
    host.post("/table/returned", seat="blue")
    assert site.table.snapshot.absent == frozenset()


def test_a_spectators_menu_does_nothing(site: ServedHouse) -> None:
    """Menu: a visitor sees the same rows, disabled, and a link to the PIN."""
    page = site.visitor().get("/table/menu").get_data(as_text=True)

    assert "/api/v1/record" not in page
    assert 'action="/table/left"' not in page
    assert page.count('<button class="act go" disabled') == page.count('action="/table/pause"') == 1


def test_the_ring_page_says_how_it_is(tmp_path: Path) -> None:
    """Ring: the page shows state, figures and age of the last cube, and offers no slide while no draw is expected."""
    view = RingView(RingState.LIVE, "mock:", simulated=True, damaged=3, lines_in=97, last_passage_at=0.0, repeated=2)
    ring = ToldRing(view)
    site = ServedHouse(tmp_path, ring).play()
    page = site.visitor().get("/ring").get_data(as_text=True)
    details = site.visitor().get("/ring?show=link").get_data(as_text=True)
    ring.view = RingView(RingState.SILENT, "/dev/ttyACM0", trouble="Nothing heard for 5 s.")
    silent = site.visitor().get("/ring").get_data(as_text=True)
    site.ledger.close()

    assert "3 of 100" in details
    assert "Simulated" in page
    assert "Slide the ring" not in page
    assert "The ring is silent" in silent
    assert "Nothing heard for 5 s." in silent


def test_a_dead_storage_is_loud_on_every_page(tmp_path: Path) -> None:
    """Frame: if the ledger can't store rows, every page says so, the host can save the log, and the game goes on."""
    site = ServedHouse(tmp_path).play()
    site.ledger.close()
    site.table.do({"do": "deal"}, HOST)
    host = site.host()

    for address in ("/", "/table", "/games/1/replay", "/games", "/ring", "/pin", "/nowhere"):
        page = host.get(address)
        assert "Nothing is being saved." in page
        assert 'href="/api/v1/record" download' in page
    assert site.visitor().get("/healthz").get_json()["kept"] is False
    assert site.visitor().get("/api/v1/record", headers=site.script).data.count(b'"deal"') == 1


def test_a_fault_is_a_page_like_any_other(site: ServedHouse) -> None:
    """Faults: the 403 page leads to the PIN, the 404 page to the table, both with the usual layout."""
    refused = site.visitor().get("/new")
    lost = site.visitor().get("/nowhere").get_data(as_text=True)

    assert refused.status_code == 403
    assert 'href="/pin?next=/new"' in refused.get_data(as_text=True)
    assert "No such page" in lost
    assert 'href="/table"' in lost


def test_a_bug_is_said_without_a_traceback(site: ServedHouse, caplog: pytest.LogCaptureFixture) -> None:
    """Faults: an exception gives people one page, programs one sentence, and the log a traceback."""

    class Broken:
        snapshot = property(lambda self: 1 / 0)
        archive = SimpleNamespace(luck=None)

    app = make_app(Broken(), None, {}, site.access)  # type: ignore[arg-type]
    api, page = app.test_client().get("/api/v1/state"), app.test_client().get("/table")

    assert (api.status_code, list(api.get_json())) == (500, ["reason"])
    assert (page.status_code, "No saved move is lost." in page.get_data(as_text=True)) == (500, True)
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(
    ("seconds", "said"), [(-3, "0 s"), (59.9, "59 s"), (60, "1 min"), (3599, "59 min"), (3600, "1 h"), (200_000, "2 d")]
)
def test_ages_in_the_fewest_words(seconds: float, said: str) -> None:
    """The age of a moment is written in words."""
    assert age(seconds) == said


def test_words_for_people() -> None:
    """Times, lists of names and initials are written in words."""
    assert [into_play(ms) for ms in (0, 65_000, 3_725_000)] == ["0:00", "1:05", "1:02:05"]
    assert [listed(names) for names in ([], ["Ana"], ["Ana", "Ben"], ["Ana", "Ben", "Cem"])] == [
        "",
        "Ana",
        "Ana and Ben",
        "Ana, Ben and Cem",
    ]
    assert initials(["Ben", "Bea", "B", "Ōno", ""]) == ["B", "E", "A", "Ō", "C"]
