"""The addresses of the API for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.kernel.program import VERSION
from companion.ports.ring import RingState, RingView
from companion.session.commands import Undo
from tests.web.plain_game import HEADER
from tests.web.served_house import HOST, ServedHouse, ToldRing
from web.api.openapi import description
from web.request.endpoint_access import EndpointAccess, access_to


def test_the_state_is_what_anybody_may_see(site: ServedHouse) -> None:
    """State: the API returns the record's state with its version, and omits hidden credits even for a script."""
    answer = site.visitor().get("/api/v1/state", headers=site.script)
    state = answer.get_json()

    assert state["version"] == site.table.snapshot.version
    assert answer.headers["ETag"] == f'"{state["version"]}"'
    assert state["phase"] == "cards"
    assert state["players"]["red"]["bonus"] is None
    assert "table" not in state
    assert site.visitor().get("/api/v1/table").get_json()["status"] == "live"


def test_a_table_without_a_game_says_so(tmp_path: Path) -> None:
    """State: before any game was started, the API returns version 0 and no game, and no request fails with an error."""
    site = ServedHouse(tmp_path)
    state = site.visitor().get("/api/v1/state").get_json()
    table = site.visitor().get("/api/v1/table").get_json()
    refused = site.visitor().post("/api/v1/commands", json={"do": "deal"}, headers=site.script)
    record = site.visitor().get("/api/v1/record", headers=site.script)
    site.ledger.close()

    assert (state["version"], state["game"], table["status"]) == (0, None, "none")
    assert (refused.status_code, record.status_code) == (409, 409)


def test_a_command_answers_the_new_version(site: ServedHouse) -> None:
    """Commands: a script sends one line of a record and says through which device it came (`via`)."""
    line = {"do": "deal", "via": "button", "note": "the big red one", "at": 5}
    answer = site.visitor().post("/api/v1/commands", json=line, headers=site.script)
    entry = site.table.snapshot.recent[0]

    assert answer.get_json() == {"version": site.table.snapshot.version}
    assert (entry.line["do"], entry.who, entry.via, entry.note) == ("deal", "script", "button", "the big red one")


def test_a_command_against_the_rules_is_a_conflict(site: ServedHouse) -> None:
    """Commands: a refused line is answered with 409 and the sentence that the table would show."""
    line = {"do": "transport", "player": "red", "move": "pass", "planet": None}
    answer = site.visitor().post("/api/v1/commands", json=line, headers=site.script)

    assert answer.status_code == 409
    assert answer.get_json()["reason"].endswith(".")


@pytest.mark.parametrize(("match", "status"), [("{now}", 200), ('"{now}"', 200), ("*", 200), ("1", 412), ("x", 400)])
def test_a_command_may_name_the_version_it_means(site: ServedHouse, match: str, status: int) -> None:
    """Commands: with If-Match, a line is applied only to the version its sender saw; otherwise 412 names the newest."""
    now = site.table.snapshot.version
    headers = {**site.script, "If-Match": match.format(now=now)}
    answer = site.visitor().post("/api/v1/commands", json={"do": "deal"}, headers=headers)

    assert answer.status_code == status
    if status == 412:
        assert answer.get_json()["version"] == now


BAD: list[bytes] = [
    b"",
    b"null",
    b"[]",
    b'"deal"',
    b"{",
    b"{}",
    b'{"do": 1}',
    b'{"do": "fly"}',
    b'{"do": "deal", "do": "deal"}',
    b'{"do": "deal", "x": NaN}',
    b'{"do": "deal", "unknown": 1}',
    b'{"do": "deal", "via": "ring"}',
    b'{"do": "deal", "via": []}',
    b'{"do": "deal", "at": true}',
    b'{"do": "deal", "note": 5}',
    b'{"do": "deal", "x": "\\ud800"}',
    b'\xff{"do": "deal"}',
    b"[" * 60_000,
    b'{"do":' + b"9" * 50_000 + b"}",
    b"\x00" * 100,
    b'{"do": "undo", "note": {}}',
]


@pytest.mark.parametrize("body", BAD, ids=range(len(BAD)))
@pytest.mark.parametrize("address", ["/api/v1/commands", "/api/v1/deeds", "/api/v1/games"])
def test_a_bad_body_gives_one_clear_reason(site: ServedHouse, address: str, body: bytes) -> None:
    """Bodies: any invalid body is answered with 400 and one sentence, and nothing is recorded."""
    before = site.ledger.last
    headers = {**site.script, "Content-Type": "application/json"}
    answer = site.visitor().post(address, data=body, headers=headers)

    assert answer.status_code == 400
    assert answer.get_json().keys() == {"reason"}
    assert "\n" not in answer.get_json()["reason"]
    assert site.ledger.last == before


def test_other_types_and_sizes_are_refused(site: ServedHouse) -> None:
    """Bodies: a body that is not JSON is answered with 415, and one that is too large with 413."""
    visitor = site.visitor()
    form = visitor.post("/api/v1/commands", data={"do": "deal"}, headers=site.script)
    large = {**site.script, "Content-Type": "application/json"}
    long = visitor.post("/api/v1/commands", data=b'{"do":"' + b"x" * 66_000 + b'"}', headers=large)
    longer = visitor.post("/api/v1/commands", data=b'{"do":"' + b"x" * 99_000 + b'"}', headers=large)

    assert (form.status_code, long.status_code, longer.status_code) == (415, 413, 413)
    assert all(answer.get_json()["reason"] for answer in (form, long, longer))


def deed(site: ServedHouse, **fields: Any) -> tuple[int, dict[str, Any]]:
    answer = site.visitor().post("/api/v1/deeds", json=fields, headers=site.script)
    return answer.status_code, answer.get_json()


def test_deeds_that_are_no_moves(site: ServedHouse) -> None:
    """API actions: pause, resume, leave, return, undo and abandon are requested by name."""
    said = [
        deed(site, deed="pause"),
        deed(site, deed="resume"),
        deed(site, deed="left", seat="green"),
        deed(site, deed="returned", seat="green"),
        deed(site, deed="undo"),
        deed(site, deed="abandon", reason="It got late"),
    ]

    assert [status for status, _ in said] == [200] * 6
    assert site.table.snapshot.status == "abandoned"
    assert site.table.snapshot.version == said[-1][1]["version"]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"deed": "abandon"}, 400),
        ({"deed": "abandon", "reason": " "}, 400),
        ({"deed": "left", "seat": "purple"}, 400),
        ({"deed": "left", "seat": 5}, 400),
        ({"deed": "returned", "seat": "red"}, 409),
        ({"deed": "resume"}, 409),
        ({"deed": "switch", "game": 999}, 400),
        ({"deed": "switch", "game": True}, 400),
        ({"deed": "answer", "question": 1, "chosen": "red"}, 412),
        ({"deed": "slide"}, 409),
        ({"deed": "do", "line": "{"}, 400),
        ({"deed": "do", "line": 5}, 400),
        ({"deed": "do", "line": {"do": "deal"}, "version": 1}, 412),
    ],
)
def test_deeds_say_why_not(site: ServedHouse, fields: dict[str, Any], status: int) -> None:
    """API actions: each refused request has its own status and a sentence with the reason."""
    answered, body = deed(site, **fields)

    assert answered == status
    assert body["reason"]


def test_only_a_simulated_ring_slides_when_asked(tmp_path: Path) -> None:
    """API actions: "slide" moves a cube only in a simulated ring; for a real ring it is refused."""
    ring = ToldRing(RingView(RingState.LIVE))
    site = ServedHouse(tmp_path, ring).play()
    real = deed(site, deed="slide")
    ring.view = RingView(RingState.LIVE, simulated=True)
    simulated = deed(site, deed="slide")
    site.ledger.close()

    assert (real[0], simulated[0], ring.slides) == (409, 200, 1)


def test_a_record_goes_out_and_comes_back(site: ServedHouse) -> None:
    """Record: a downloaded file contains the id of its game; without this id it is imported as a new game."""
    visitor = site.visitor()
    site.table.do({"do": "deal"}, HOST)
    site.table.execute(Undo(), HOST)
    file = visitor.get("/api/v1/record", headers=site.script)
    lines = [json.loads(line) for line in file.data.splitlines()]
    known = visitor.post("/api/v1/import", data=file.data, headers=site.script)
    del lines[0]["id"]
    body = "".join(f"{json.dumps(line)}\n" for line in lines)
    taken = visitor.post("/api/v1/import", data=body, headers=site.script)
    again = visitor.get(f"/games/{taken.get_json()['game_id']}/record", headers=site.script)

    assert (known.status_code, known.get_json()["new"]) == (200, False)
    assert (taken.status_code, taken.get_json()["new"]) == (201, True)
    assert [line.get("do") for line in lines] == [None, "setup", "setup", "setup", "deal", "undo"]
    assert [line.get("do") for line in map(json.loads, again.data.splitlines())] == [line.get("do") for line in lines]


@pytest.mark.parametrize(
    ("cut", "line"), [(b"", 1), (b"{}\n", 1), (b"\xff\n", 1), (b"x" * 70_000, 1), (b'{"do": "deal"}\n', 5)]
)
def test_a_bad_record_is_not_taken_in_at_all(site: ServedHouse, cut: bytes, line: int) -> None:
    """Import: the error names the first faulty line, and the ledger stays unchanged."""
    visitor = site.visitor()
    start = visitor.get("/api/v1/record", headers=site.script).data if line == 5 else b""
    before = site.ledger.last
    twice = start + cut + cut if line == 5 else cut
    answer = visitor.post("/api/v1/import", data=twice, headers=site.script)

    assert answer.status_code == 400
    assert answer.get_json()["line"] >= line
    assert site.ledger.last == before


def test_games_are_opened_and_listed(site: ServedHouse) -> None:
    """Games: posting a header starts a new game; the list says which game is on the table."""
    visitor = site.visitor()
    opened = visitor.post("/api/v1/games", json=HEADER, headers=site.script)
    games = visitor.get("/api/v1/games").get_json()["games"]

    assert opened.status_code == 201
    assert [(game["id"] == opened.get_json()["game_id"], game["live"]) for game in games] == [
        (True, True),
        (False, False),
    ]
    assert games[0]["players"][0] == {"colour": "red", "name": "Ana"}


def test_the_house_says_that_it_is_well(site: ServedHouse) -> None:
    """Health: the answer gives the status, whether the ledger stores rows, and the state of the ring."""
    health = site.visitor().get("/healthz").get_json()

    assert health == {
        "status": "ok",
        "version": site.table.snapshot.version,
        "kept": True,
        "ring": "none",
        "program": VERSION,
        "threads": [],
        "links": [],
    }


def test_the_house_lists_its_threads_and_tells_strangers_no_more_than_that(site: ServedHouse) -> None:
    """Health: each thread has a name, a state and its error's type, but not its text, which may name files or cards."""

    def broken() -> None:
        raise LookupError("Ana's hidden card, in /home/pi/ledger.sqlite")

    site.threads.start("virtual ring", broken, again=False).join(60)
    site.threads.start("luck", lambda: None).join(60)
    health = site.visitor().get("/healthz")

    assert health.get_json()["threads"] == [
        {"name": "virtual ring", "state": "failed", "last_error": "LookupError", "restarts": 0},
        {"name": "luck", "state": "ended", "last_error": "", "restarts": 0},
    ]
    assert "Ana" not in health.text and "/home" not in health.text


def test_the_description_is_true(site: ServedHouse) -> None:
    """OpenAPI: the description lists every address for programs with its permission from the access table."""
    served = site.visitor().get("/api/v1/openapi.json").get_json()
    rules = {
        (rule.rule.replace("<int:game_id>", "{game_id}"), method.lower()): rule.endpoint
        for rule in site.app.url_map.iter_rules()
        for method in (rule.methods or set()) & {"GET", "POST"}
        if rule.endpoint.startswith("api.")
    }
    told = {(path, method): how for path, item in served["paths"].items() for method, how in item.items()}

    assert served == description()
    assert set(told) - {("/api/v1/events", "get")} == set(rules)
    for address, endpoint in rules.items():
        assert (told[address]["security"] == []) == (access_to(endpoint) is EndpointAccess.LOOK), address


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("GET", "/api/v1/nothing", 404),
        ("DELETE", "/api/v1/state", 405),
        ("GET", "/games/999/record", 400),
        ("GET", f"/games/{10**30}/record", 404),
    ],
)
def test_programs_get_json_for_every_fault(site: ServedHouse, method: str, address: str, status: int) -> None:
    """Faults: every failed API request is answered with one JSON sentence."""
    answer = site.visitor().open(address, method=method, headers=site.script)

    assert answer.status_code == status
    if address.startswith("/api/"):
        assert answer.get_json()["reason"]


def test_a_number_too_large_for_the_ledger_is_refused(site: ServedHouse) -> None:
    """API actions: a game number that no ledger can hold is the sender's mistake, answered with 400, not with 500."""
    deed = {"deed": "switch", "game": 10**30}
    answer = site.visitor().post("/api/v1/deeds", json=deed, headers=site.script)

    assert (answer.status_code, answer.get_json()["reason"]) == (400, "game must be a whole number")
