"""The companion on a machine, as its users see it: the service, its table, and a game played to an attempt."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from tests.browser.first_action import ATTEMPT, HEADER, SEATS
from tests.pi.machine import Answer, Machine, Otherwise, until

DATA = "/var/lib/ring-companion"
PROGRAM = "/usr/lib/ring-companion"


class House:
    """The service on *machine*, used with the token of its data folder."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._token = ""

    # The service

    def answers(self) -> str:
        """Return "" if the service answers, otherwise the reason why it doesn't."""
        answer = self.machine.ask("GET", "/healthz")
        return "" if answer.status == 200 else f"{answer.status} {answer.body[:200]}"

    def wait(self) -> None:
        """Wait until the service answers."""
        until("answering", self.answers)

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Return the JSON of an address; raise `Otherwise` for a refusal."""
        answer = self.send(method, path, body)
        if answer.status not in (200, 201):
            raise Otherwise(f"{method} {path} was answered {answer.status}: {answer.body[:300]}")
        return answer.json

    def send(self, method: str, path: str, body: object = None) -> Answer:
        """Send a request with the machine's own token."""
        self._token = self._token or self.machine.do(f"cat {DATA}/token").strip()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        return self.machine.ask(method, path, "" if body is None else json.dumps(body), headers)

    def beside(self, script: str, *words: str) -> None:
        """Start one of the shared scripts on the machine, with the installed program's modules."""
        name, python = script.partition(".")[0].replace("_", "-"), f"--setenv=PYTHONPATH={PROGRAM} python3 -u"
        self.machine.do(f"systemd-run -q --unit {name} {python} /share/{script} {' '.join(words)}")

    def companion(self, words: str) -> str:
        """Return the output of `sudo companion` for the Pi's user, whatever its status."""
        return self.machine.run(f"sudo companion {words}", "pi").out

    def setting(self, *lines: str) -> None:
        """Restart the service with these *lines* in its settings file."""
        text = "\\n".join(lines)
        self.machine.do(f"printf '{text}\\n' > /etc/default/ring-companion; systemctl restart ring-companion")
        self.wait()

    def anew(self, old: int) -> None:
        """Wait until the service is another process than *old*, and answers."""
        until("started anew", lambda: "" if self.process() not in (0, old) else "no new process")
        self.wait()

    def process(self) -> int:
        """Return the process id of the service, or 0."""
        return int(self.machine.do("systemctl show -P MainPID ring-companion").strip())

    # The table

    def do(self, line: Mapping[str, object]) -> int:
        """Execute *line* at the table, and return the new version."""
        return int(self.ask("POST", "/api/v1/commands", line)["version"])

    def undo(self) -> int:
        """Undo the last line, and return the new version."""
        return int(self.ask("POST", "/api/v1/deeds", {"deed": "undo"})["version"])

    def table(self) -> Any:
        """Return the state of the table around the game."""
        return self.ask("GET", "/api/v1/table")

    def state(self) -> Any:
        """Return the state of the game."""
        return self.ask("GET", "/api/v1/state")

    def record(self) -> list[Any]:
        """Return the record of the live game."""
        answer = self.send("GET", "/api/v1/record")
        if answer.status != 200:
            raise Otherwise(f"the record was answered {answer.status}: {answer.body[:300]}")
        return [json.loads(line) for line in answer.body.splitlines()]

    def pin(self) -> str:
        """Return the host's PIN."""
        return self.companion("pin").split()[-1]

    def draws(self) -> list[str]:
        """Return the colours drawn in the game so far."""
        return [line["colour"] for line in self.record() if line.get("do") == "draw"]

    def to_the_deal(self) -> None:
        """Start a game and play it up to the deal."""
        self.wait()
        self.ask("POST", "/api/v1/games", HEADER)
        for colour, _ in SEATS:
            self.do({"do": "setup", "player": colour, "cards": {"p1": 3, "p2": 3}})

    def to_an_attempt(self) -> None:
        """Start a game and play it to an attempt of red's with three draws; a red station would end it."""
        self.to_the_deal()
        self.do({"do": "deal"})
        for colour, _ in SEATS:
            self.do({"do": "transport", "player": colour, "move": "pass"})
        for _ in range(2):
            for colour, _ in SEATS:
                self.do({"do": "lay", "player": colour, "card": None})
        self.do({"do": "swap", "player": "red", "with": "blue"})
        self.do({"do": "keep", "player": "blue"})
        self.do(ATTEMPT)


class Tablet:
    """A browser without a display: it stores cookies, enters the PIN and sends forms as its pages require."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._cookies: dict[str, str] = {}

    def get(self, path: str) -> Answer:
        """Return a page."""
        return self._send("GET", path, "")

    def post(self, path: str, page: str, **fields: str) -> Answer:
        """Send a form of *page* with *fields* and the page's CSRF token."""
        found = re.search(r'name="csrf" value="([^"]+)"', page)
        return self._send("POST", path, urlencode({**fields, "csrf": found[1] if found else ""}))

    def be_host(self, pin: str) -> None:
        """Enter the PIN."""
        self.post("/pin", self.get("/pin").body, pin=pin, next="/")

    def sit(self, seat: str, pin: str) -> None:
        """Join a seat of the table, with the PIN that its page shows."""
        self.post("/join", self.get(f"/join?pin={pin}").body, seat=seat, pin=pin)

    @property
    def is_host(self) -> bool:
        """Return whether this device has the host's rights."""
        return self.get("/new").status == 200

    @property
    def sits(self) -> bool:
        """Return whether this device has a seat."""
        return "this device" in self.get("/join").body

    def _send(self, method: str, path: str, body: str) -> Answer:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        headers = {"Host": "127.0.0.1:8000", "Origin": "http://127.0.0.1:8000", "Cookie": cookies}
        if body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        answer = self._machine.ask(method, path, body, headers)
        for name, value in answer.headers:
            if name.lower() == "set-cookie":
                key, _, kept = value.partition(";")[0].partition("=")
                self._cookies[key] = kept
        return answer
