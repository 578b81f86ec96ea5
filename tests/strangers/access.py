"""Access: every address, method and role, and the same addresses in disguise; only permitted requests may succeed.

The permission of an address is read from the server's own access table; an
address missing there is only for the host. Other roles are refused, and the
table doesn't change; no stranger gets a record, which shows everything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from werkzeug.exceptions import MethodNotAllowed, NotFound

from tests.strangers.comers import COMERS
from tests.strangers.house import House, at_home
from tests.strangers.report import Report
from tests.strangers.visitor import Answer, Visitor
from tests.web.request.test_endpoint_access import address_of
from tests.web.served_house import ServedHouse
from web.request.endpoint_access import SAFE, EndpointAccess, access_to

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND")
DENIED = (401, 403)
NO_SUCH = (400, 404, 405, 501)
STRANGERS = ("nobody", "spectator", "freed seat", "signed out", "forger", "wrong token")
LOOKS = set(COMERS) - {"wrong token"}
ENTERS = {
    EndpointAccess.TRY: {"spectator", "freed seat", "signed out", "red", "blue", "host", "token"},
    EndpointAccess.SEAT: {"red", "blue", "host", "token"},
    EndpointAccess.HOST: {"host", "token"},
    EndpointAccess.LOOK: set(),
}
"""Roles that may send requests to an address that changes something; a seat's request may still be refused."""
OWN = json.dumps({"deed": "pause", "do": "deal"}).encode()  # the seat of red, at every address
JSON = {"Content-Type": "application/json"}
SECRET = b'"table-record"'
Cell = tuple[str, str, str, EndpointAccess | None]
"""Role, method, address, and the permission of the address, or None if the address doesn't support the method."""


def access(folder: Path, inputs: int, lots: Random) -> Report:
    """Try up to *inputs* random cells of the matrix, then disguises of those that are refused."""
    report = Report("access")
    cells = list(matrix())
    report.figures["cells"] = len(cells)
    lots.shuffle(cells)
    with at_home(folder, report) as house:
        refused = [cell for cell in cells if not _may(cell)]
        tried, welcome = refused[: inputs // 2], [cell for cell in cells if _may(cell)][: inputs // 4]
        _strangers(house, tried, report)
        _disguised(house, refused, inputs - len(tried) - len(welcome), lots, report)
        _welcome(house, welcome, report)
    return report


def matrix() -> Iterator[Cell]:
    """Yield every cell: all addresses of a server, all methods, all roles."""
    with TemporaryDirectory() as folder:
        site = ServedHouse(Path(folder))
        addresses = sorted({address_of(site.app, rule) for rule in site.app.url_map.iter_rules()})
        asked = {(address, method): _asked(site, address, method) for address in addresses for method in METHODS}
        site.table.close()
        site.ledger.close()
    for comer in COMERS:
        yield from ((comer, method, address, needed) for (address, method), needed in asked.items())


def _asked(site: ServedHouse, address: str, method: str) -> EndpointAccess | None:
    try:
        endpoint, _ = site.app.url_map.bind("localhost").match(address, method)
    except (MethodNotAllowed, NotFound):
        return None
    return access_to(endpoint)


def _may(cell: Cell) -> bool:
    comer, method, _, needed = cell
    if needed is None:
        return False
    looks = method in SAFE and needed in (EndpointAccess.LOOK, EndpointAccess.TRY)
    return comer in (LOOKS if looks else ENTERS[needed])


def _strangers(house: House, cells: list[Cell], report: Report) -> None:
    """Try the requests that must be refused, and check that the table is unchanged."""
    before, known = house.table, _Known(house)
    for comer, method, address, needed in cells:
        answer = _sent(known[comer], method, address)
        report.tried["refusals"] += 1
        report.answers[str(answer.status)] += 1
        # A wrong token is refused where tokens are read; an unknown address is refused before that.
        wanted = DENIED if needed is not None else (*NO_SUCH, *DENIED)
        report.expect(answer.status in wanted, f"{comer}: {method} {address} answers {answer.status}")
        report.expect(SECRET not in answer.body, f"{comer}: {method} {address} shows a record")
    report.expect(house.table == before, f"the table is another: {before} became {house.table}")


def _disguised(house: House, cells: list[Cell], count: int, lots: Random, report: Report) -> None:
    """Try the refused requests in disguise: other spellings of paths, and headers that other programs trust."""
    before, known = house.table, _Known(house)
    cells = [cell for cell in cells if cell[0] in STRANGERS]
    for _ in range(count):
        comer, method, address, _ = lots.choice(cells)
        path, headers = lots.choice(PATHS)(address), lots.choice(HEADERS)
        answer = _sent(known[comer], method, path, headers)
        report.tried["disguises"] += 1
        report.answers[str(answer.status)] += 1
        report.expect(answer.status < 500 or answer.status == 501, f"{comer}: {method} {path} answers {answer.status}")
        report.expect(SECRET not in answer.body, f"{comer}: {method} {path} with {headers} shows a record")
    report.expect(house.table == before, f"the table is another: {before} became {house.table}")


def _welcome(house: House, cells: list[Cell], report: Report) -> None:
    """Try the requests that must be allowed, the host's changes last: some of them start another game."""
    known = _Known(house)
    for comer, method, address, needed in sorted(cells, key=_harm):
        answer = _sent(known[comer], method, address)
        if needed is EndpointAccess.TRY and method not in SAFE:
            known.forget(comer)  # some of these end a session
        report.tried["welcomes"] += 1
        report.answers[str(answer.status)] += 1
        # A seat's action may still be refused, depending on the game.
        denied = DENIED[:1] if needed is EndpointAccess.SEAT else DENIED
        report.expect(answer.status not in denied, f"{comer}: {method} {address} answers {answer.status}")
        report.expect(answer.status < 500, f"{comer}: {method} {address} answers {answer.status}")
    house.play()  # the game under test


def _harm(cell: Cell) -> tuple[bool, bool]:
    comer, method, _, _ = cell
    return method not in SAFE, comer in ("host", "token")


def _sent(visitor: Visitor, method: str, path: str, headers: dict[str, str] | None = None) -> Answer:
    changes = method not in SAFE
    return visitor.ask(method, path, OWN if changes else None, {**(JSON if changes else {}), **(headers or {})})


class _Known(dict[str, Visitor]):
    """Each role's client on a server, created when it is first used."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self._house = house

    def __missing__(self, name: str) -> Visitor:
        self[name] = COMERS[name](self._house)
        return self[name]

    def forget(self, name: str) -> None:
        """Create it again the next time."""
        if name in self:
            self.pop(name).close()


PATHS = (
    str,
    lambda path: f"/{path}",
    lambda path: f"{path}/",
    lambda path: f"/.{path}",
    lambda path: f"/static/..{path}",
    lambda path: f"/static/%2e%2e{path}",
    lambda path: f"/%2e{path}",
    lambda path: path.replace("/", "/%2f"),
    lambda path: path.replace("/", "%2F"),
    lambda path: path.upper(),
    lambda path: f"{path};.css",
    lambda path: f"{path}%00.css",
    lambda path: f"{path}?csrf=&pin=0000&seat=red&host=1",
    lambda path: f"{path}#/static/frame.css",
    lambda path: f"http://127.0.0.1{path}",
    lambda path: path[:-1] + f"%{ord(path[-1]):02x}",
)
HEADERS: tuple[dict[str, str], ...] = (
    {},
    {"X-HTTP-Method-Override": "GET"},
    {"X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1", "Forwarded": "for=127.0.0.1;proto=https"},
    {"X-Original-URL": "/healthz", "X-Rewrite-URL": "/healthz"},
    {"X-Forwarded-Host": "localhost", "X-Forwarded-Prefix": "/static"},
    {"X-Remote-User": "host", "Remote-User": "host"},
    {"Authorization": ""},
    {"Authorization": "Bearer"},
    {"Authorization": "Basic aG9zdDpob3N0"},
    {"Authorization": "bearer null"},
    {"Cookie": "companion=; companion=x; host=1"},
    {"Cookie": "companion=eyJob3N0IjoxfQ.aaaaaa.AAAAAAAAAAAAAAAAAAAAAAAAAAA"},
    {"X-Part": "main"},
    {"Connection": "close, Authorization"},
    {"Origin": "null"},
    {"Referer": "http://127.0.0.1/table"},
)
