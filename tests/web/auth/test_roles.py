"""Rights: every address and action is requested in every role; a test fails if a new one has no line here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.games.andromeda.rules import Command
from companion.model.parser import members
from tests.web.auth.test_seats import in_an_attempt_of_red
from tests.web.request.test_endpoint_access import address_of
from tests.web.served_house import Browser, ServedHouse
from web.commands.table import COMMANDS
from web.request.endpoint_access import ACCESS, SAFE, EndpointAccess

DENIED = (401, 403)
Headers = Mapping[str, str]


class Comer:
    """A client in one role: a browser with its cookies, and the headers that it sends."""

    def __init__(self, client: FlaskClient, headers: Headers | None = None, page: bool = True) -> None:
        self.client = client
        self.headers = dict(headers or {})
        if page:
            self.headers["X-CSRF-Token"] = Browser(client).csrf

    def ask(self, method: str, address: str, body: object = None) -> int:
        """Send a request and return the status of its answer."""
        with self.client.open(address, method=method, headers=self.headers, json=body) as answer:
            return answer.status_code


def freed(site: ServedHouse) -> Comer:
    """Return a phone whose seat was freed after it had joined."""
    phone = site.phone("green")
    site.host().post("/join/free", seat="green")
    return Comer(phone.client)


def seated(site: ServedHouse, colour: str) -> Comer:
    """Return a phone that has the seat of *colour*; a phone that had it before is removed."""
    site.host().post("/join/free", seat=colour)
    return Comer(site.phone(colour).client)


COMERS: Mapping[str, Callable[[ServedHouse], Comer]] = {
    "nobody": lambda site: Comer(site.visitor(), page=False),
    "spectator": lambda site: Comer(site.visitor()),
    "freed seat": freed,
    "seat": lambda site: seated(site, "red"),
    "host": lambda site: Comer(site.host().client),
    "token": lambda site: Comer(site.visitor(), site.script, page=False),
    "wrong token": lambda site: Comer(site.visitor(), {"Authorization": "Bearer wrong"}, page=False),
}
LOOKS = ("nobody", "spectator", "freed seat", "seat", "host", "token")
PARTS = 3
ENTERS: Mapping[EndpointAccess, set[str]] = {
    EndpointAccess.TRY: {"spectator", "freed seat", "seat", "host", "token"},
    EndpointAccess.SEAT: {"seat", "host", "token"},
    EndpointAccess.HOST: {"host", "token"},
}
"""Roles that may send requests to an address that changes something; a seat's request may still be refused."""


def addresses(site: ServedHouse, access: EndpointAccess) -> Iterator[tuple[str, str]]:
    """Yield method and address of every route that requires *access*, sorted by name."""
    rules = sorted(site.app.url_map.iter_rules(), key=lambda rule: (rule.endpoint, rule.rule))
    for rule in rules:
        if ACCESS.get(rule.endpoint) is access:
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield method, address_of(site.app, rule)


@pytest.mark.parametrize("role", COMERS)
@pytest.mark.parametrize("access", EndpointAccess)
def test_each_address_lets_in_whom_it_should(
    site: ServedHouse, access: EndpointAccess, role: str, request: pytest.FixtureRequest
) -> None:
    """Rights: every address answers each role as the access table says; a wrong token is refused everywhere."""
    body = {"deed": "pause", "do": "deal"} if access is EndpointAccess.SEAT else {}  # the seat of red, at every address
    comer = COMERS[role](site)
    asked = list(addresses(site, access))
    if access is EndpointAccess.LOOK and role in LOOKS and not request.config.getoption("long"):
        asked = asked[list(LOOKS).index(role) % PARTS :: PARTS]  # the pages that everybody may see are slow to render
    for method, address in asked:
        safe = method in SAFE
        if access is EndpointAccess.TRY:
            comer = COMERS[role](site)  # a new client each time, since some of these requests end a session
        status = comer.ask(method, address, None if safe else body)
        may = role in (
            LOOKS if safe and access in (EndpointAccess.LOOK, EndpointAccess.TRY) else ENTERS.get(access, set())
        )

        assert (status not in DENIED) == may, f"{role}: {method} {address} answers {status}"


ANYBODY_WHO_PLAYS, OWN, HOLDER, HOSTS = "anybody who plays", "own", "holds the ring", "the host"
WHOSE: Mapping[str, tuple[str, dict[str, Any]]] = {
    "abandon": (HOSTS, {"reason": "late"}),
    "agree": (HOSTS, {"left": 1}),
    "all_ready": (HOSTS, {}),
    "answer": (HOLDER, {"question": 1, "chosen": "red"}),
    "do": (OWN, {"line": {"do": "end_turn", "player": "red"}}),
    "extend": (ANYBODY_WHO_PLAYS, {"ms": 1000}),
    "go": (ANYBODY_WHO_PLAYS, {}),
    "hold": (ANYBODY_WHO_PLAYS, {}),
    "inventory": (HOSTS, {"left": 1, "stations": {}}),
    "leave_open": (HOSTS, {"left": 1}),
    "left": (HOSTS, {"seat": "red"}),
    "mend": (HOSTS, {"left": 1, "cause": "x"}),
    "pace": (HOSTS, {}),
    "pause": (ANYBODY_WHO_PLAYS, {}),
    "ready": (OWN, {"seat": "red"}),
    "resume": (ANYBODY_WHO_PLAYS, {}),
    "returned": (HOSTS, {"seat": "red"}),
    "slide": (HOSTS, {}),
    "switch": (HOSTS, {"game": 1}),
    "undo": (OWN, {}),
    "words": (ANYBODY_WHO_PLAYS, {"words": "anything"}),
}
"""For each action, the permission that it needs, and its fields; red has the ring and made the newest line."""
MAY = {
    ANYBODY_WHO_PLAYS: {"red", "blue", "host", "token"},
    OWN: {"red", "host", "token"},
    HOLDER: {"red", "host", "token"},
    HOSTS: {"host", "token"},
}
PLAYERS: Mapping[str, Callable[[ServedHouse], Comer]] = {
    **{name: COMERS[name] for name in ("nobody", "spectator", "freed seat", "host", "token", "wrong token")},
    "red": lambda site: seated(site, "red"),
    "blue": lambda site: seated(site, "blue"),
}


def test_every_command_has_its_row() -> None:
    """Rights: every command has an entry in the table of this test."""
    assert set(WHOSE) == set(COMMANDS)


@pytest.mark.parametrize("role", PLAYERS)
def test_each_deed_is_done_by_whose_it_is(site: ServedHouse, role: str) -> None:
    """Rights: during red's attempt, the API allows or refuses every action for every role as the table says."""
    in_an_attempt_of_red(site)
    comer = PLAYERS[role](site)
    for name, (whose, fields) in WHOSE.items():
        status = comer.ask("POST", "/api/v1/deeds", {"deed": name, **fields})
        assert (status not in DENIED) == (role in MAY[whose]), f"{role}: {name} answers {status}"


@pytest.mark.parametrize("seat", ["red", "blue"])
def test_each_deed_asks_the_same_on_the_pages(site: ServedHouse, seat: str) -> None:
    """Rights: forms of pages follow the same table; a refused form leads to a page that says whose command it is."""
    in_an_attempt_of_red(site)
    phone, refused = site.phone(seat), set()
    for name, (_, fields) in WHOSE.items():
        if name == "switch":
            assert phone.post("/games/switch", game="1")[0] == 403
            continue
        form = {key: value if isinstance(value, str) else json.dumps(value) for key, value in fields.items()}
        page = phone.post(f"/table/{name}", follow=True, **form)[1]
        if any(words in page for words in ("can do that.", "can undo that.", "not yours to do")):
            refused.add(name)

    assert refused == {name for name, (whose, _) in WHOSE.items() if seat not in MAY[whose]} - {"switch"}


STARTERS = {"deal", "end_trading"}
AT_THE_RING = {"draw", "double_exit"}
NOBODYS = {"correct", "undo"}


@pytest.mark.parametrize("word", sorted({*(each.do for each in members(Command)), "undo"}))
def test_each_line_is_said_by_whose_act_it_is(site: ServedHouse, word: str) -> None:
    """Rights: each line may be sent by its own seat and by the host, corrections by the host alone."""
    in_an_attempt_of_red(site)
    line = {"do": word, **({} if word in STARTERS | AT_THE_RING | {"undo"} else {"player": "red"})}

    answers = {
        role: PLAYERS[role](site).ask("POST", "/api/v1/commands", line)
        for role in ("spectator", "freed seat", "blue", "red", "host")
    }

    assert {answers[role] for role in ("spectator", "freed seat")} <= set(DENIED)
    assert answers["blue"] == 403
    assert (answers["red"] == 403) == (word == "correct")
    assert answers["host"] not in DENIED
