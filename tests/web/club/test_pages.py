"""The pages of a club: what each visitor sees, and who may decide."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion.club.league import Result
from companion.ledger import LedgerFault
from tests.club.hall import CSRF, Hall, result
from web.club import make_club_app

PAGES = ("/club", "/club/screen", "/club/table/2", "/club/results", "/club/league", "/club/pin")


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    made = Hall(
        tmp_path, 3, [result("1", ("Annemarie", 30), ("Bartholomew", 20)), result("2", ("Cem", 3), ("Dora", 9))]
    )
    made.say(1, points={"red": 12, "blue": 7}, round=4)
    made.say(2, asks="unsure")
    return made


@pytest.mark.parametrize("language", ["en", "de", "nl"])
@pytest.mark.parametrize("path", PAGES)
def test_everybody_may_look(path: str, language: str, hall: Hall) -> None:
    """Club: each page can be opened without the PIN, in each language."""
    answer = hall.visitor().get(path, headers={"Accept-Language": language})

    assert answer.status_code == 200
    assert f'lang="{language}"' in answer.text


def test_the_table_that_asks_is_in_the_list(hall: Hall) -> None:
    """Wall: a table with an open question is named at the top, and its tile stands out."""
    page = hall.visitor().get("/club").text

    assert "Table 2: Asks: which cube came out?" in re.sub(r"\s+", " ", page)
    assert page.count("tile urgent") == 1


def test_a_part_of_the_wall_has_no_document(hall: Hall) -> None:
    """Wall: the part that the script requests each second is the fragment that changes, not a whole page."""
    page = hall.visitor().get("/club", headers={"X-Part": "main"}).text

    assert "<html" not in page
    assert 'class="tiles"' in page


@pytest.mark.parametrize("path", PAGES)
def test_no_visitor_sees_a_name_without_consent(path: str, hall: Hall) -> None:
    """Privacy: without the PIN only names of people who agreed are shown."""
    hall.decisions.agree("Cem", may=True)
    seen, all_of_it = hall.visitor().get(path).text, hall.host().get(path).text

    assert not [name for name in ("Annemarie", "Bartholomew", "Dora") if name in seen]
    assert ("Cem" in seen) == ("Cem" in all_of_it)


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/club/results", {"game": "1", "do": "confirm"}),
        ("/club/people", {"name": "Cem", "do": "agree", "may": "yes"}),
    ],
)
def test_only_the_club_decides(path: str, fields: dict[str, str], hall: Hall) -> None:
    """Permissions: without the PIN, or from another site, no decision is accepted."""
    stranger = hall.visitor().post(path, data={**fields, "csrf": CSRF})
    elsewhere = hall.host().post(path, data={**fields, "csrf": CSRF}, headers={"Origin": "http://example.org"})
    blind = hall.host().post(path, data=fields)
    before = hall.decisions.decided
    done = hall.host().post(path, data={**fields, "csrf": CSRF})

    assert (stranger.status_code, elsewhere.status_code, blind.status_code, done.status_code) == (403, 403, 403, 303)
    assert before != hall.decisions.decided


def test_people_are_for_the_club(hall: Hall) -> None:
    """Permissions: the page with all names needs the PIN."""
    assert hall.visitor().get("/club/people").status_code == 403
    assert "Bartholomew" in hall.host().get("/club/people").text


def test_a_result_is_corrected(hall: Hall) -> None:
    """Results: corrected points change the league."""
    host = hall.host()
    host.post("/club/results", data={"csrf": CSRF, "game": "1", "do": "correct", "total": ["5", "50"]})

    page = host.get("/club/league").text
    assert page.index("Bartholomew") < page.index("Annemarie")
    assert "corrected" in host.get("/club/results").text


def test_a_seat_was_somebody_else(hall: Hall) -> None:
    """People: if two people have the same name, one of them can be given a new name for this seat."""
    host = hall.host()
    done = host.post("/club/people", data={"csrf": CSRF, "do": "split", "game": "2", "place": "0", "name": "Cem (2)"})

    assert done.status_code == 303
    assert "Cem (2)" in host.get("/club/people").text
    assert 'value="split"' in host.get("/club/results").text
    assert 'value="split"' not in hall.visitor().get("/club/results").text


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"game": "1", "do": "correct", "total": ["5", "many"]}, 400),
        ({"game": "1", "do": "correct", "total": ["5", "1" * 40]}, 400),
        ({"game": "1", "do": "correct", "total": ["5"]}, 400),
        ({"game": "1", "do": "correct", "total": ["5", ""]}, 400),
        ({"game": "1", "do": "crown"}, 400),
        ({"game": "9", "do": "confirm"}, 404),
    ],
)
def test_nonsense_decides_nothing(fields: dict[str, object], status: int, hall: Hall) -> None:
    """Bad input: an invalid result is answered with a page with one sentence, and changes no decision."""
    before = hall.decisions.decided
    answer = hall.host().post("/club/results", data={"csrf": CSRF, **fields})

    assert answer.status_code == status
    assert 'class="panel one"' in answer.text
    assert hall.decisions.decided == before


@pytest.mark.parametrize(("game", "place", "status"), [("9", "0", 404), ("2", "7", 404), ("2", "x", 400)])
def test_only_a_seat_can_be_somebody_else(game: str, place: str, status: int, hall: Hall) -> None:
    """Bad input: a game or a seat that does not exist is refused, and changes no decision."""
    before = hall.decisions.decided
    fields = {"csrf": CSRF, "do": "split", "game": game, "place": place, "name": "Cem (2)"}
    answer = hall.host().post("/club/people", data=fields)

    assert answer.status_code == status
    assert hall.decisions.decided == before


def test_a_refusal_says_its_own_reason(hall: Hall) -> None:
    """Bad input: a form from an outdated page is answered with "too old", not with a request for the PIN."""
    stale = hall.host().post("/club/results", data={"csrf": "old", "game": "1", "do": "confirm"})
    stranger = hall.visitor().get("/club/people")

    assert "This page is too old. Reload it." in stale.text
    assert "PIN first" not in stale.text
    assert "Enter the club&#39;s PIN first." in stranger.text


def test_who_left_needs_no_points(tmp_path: Path) -> None:
    """The field for the result of a player who left early may stay empty."""
    played = result("1", ("Ana", 30), ("Ben", 20))
    seats = (played.seats[0], replace(played.seats[1], left=True, rank=None, total=None))
    hall = Hall(tmp_path, 1, [replace(played, seats=seats)])
    fields = {"csrf": CSRF, "game": "1", "do": "correct", "total": ["12", ""]}

    assert hall.host().post("/club/results", data=fields).status_code == 303
    assert hall.decisions.decided.totals == {"1": (12, 0)}


@pytest.mark.parametrize(
    ("fault", "status"), [(LedgerFault("page 3 is damaged"), 503), (OSError(28, "disk full"), 507)]
)
def test_what_cannot_be_read_is_said(fault: Exception, status: int, hall: Hall) -> None:
    """Bad input: a damaged ledger or a full disk is reported on a page in one sentence."""

    def played() -> list[Result]:
        raise fault

    app = make_club_app(replace(hall.club, played=played))
    answer = app.test_client().get("/club/league")

    assert answer.status_code == status
    assert str(fault.args[-1]) in answer.text


def test_a_wrong_pin_must_wait(hall: Hall) -> None:
    """PIN: after several wrong tries, even the right PIN has to wait."""
    client = hall.visitor()
    for _ in range(12):
        wrong = client.post("/club/pin", data={"csrf": CSRF, "pin": "nonsense"})
    late = client.post("/club/pin", data={"csrf": CSRF, "pin": hall.access.pin})

    assert "isn't the PIN" in wrong.text or "Too many tries" in wrong.text
    assert "Too many tries" in late.text


def test_tables_whose_rows_are_missing_are_named(hall: Hall) -> None:
    """League: the page lists the tables whose games are late, because late games change the ratings."""
    hall.late = ["03"]

    assert "Not all games of these tables are here yet: 03." in hall.visitor().get("/club/league").text


def test_a_table_is_called(hall: Hall) -> None:
    """Table: only the club can call a table; without a broker, the club learns that the table was not called."""
    stranger = hall.visitor().post("/club/table/1", data={"csrf": CSRF, "do": "call"})
    done = hall.host().post("/club/table/1", data={"csrf": CSRF, "do": "call"})
    alone = replace(hall.club, call=lambda address: False)
    hall.app.extensions["club"] = alone
    missed = hall.host().post("/club/table/1", data={"csrf": CSRF, "do": "call"})

    assert (stranger.status_code, done.status_code, missed.status_code) == (403, 303, 503)
    assert hall.called == [f"{1:016x}"]
    assert "The broker can&#39;t be reached: the table wasn&#39;t called." in missed.text


@pytest.mark.parametrize(("minutes", "status"), [("5", 303), ("0", 303), ("16", 400), ("-1", 400), ("soon", 400)])
def test_a_table_is_shown_later(minutes: str, status: int, hall: Hall) -> None:
    """Table: the club sets the delay of a table, at most a quarter of an hour; then visitors see it later."""
    hall.say(1, points={"red": 8712})
    answer = hall.host().post("/club/table/1", data={"csrf": CSRF, "do": "delay", "minutes": minutes})

    assert answer.status_code == status
    assert ("8712" in hall.visitor().get("/club/table/1").text) == (minutes != "5")
    assert hall.host().get("/club/table/1").text.count('aria-pressed="true"') == 1
