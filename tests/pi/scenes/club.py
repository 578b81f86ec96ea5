"""A club on the same machine: its broker under systemd, its own program, and the table that joins it."""

from __future__ import annotations

import json
import re

from tests.pi.house import DATA, House
from tests.pi.machine import Otherwise, until

UNIT = "ring-club-broker.service"
SERVE = "companion club serve --bind 127.0.0.1 --port 8100"


def founded(house: House) -> str:
    """With the command that `companion club new` prints, the broker runs under systemd, which finds its unit sound."""
    house.wait()
    said = house.companion("club new Essen --host 127.0.0.1 --bind 127.0.0.1")
    command = re.search(r"^Start the broker: (.+)$", said, re.MULTILINE)
    if command is None:
        raise Otherwise(f"club new: {said.strip()[-300:]}")
    house.machine.do(command[1], "pi")
    until("the broker listening", lambda: _state(house))
    wrong = house.machine.run(f"systemd-analyze verify {DATA}/club/{UNIT} 2>&1").out
    if UNIT in wrong:
        raise Otherwise(f"systemd-analyze: {wrong.strip()[-300:]}")
    owner = house.machine.do(f"ps -o user= -p {_process(house)}").strip()
    return f"{command[1]}: as {owner}, process {_process(house)}"


def joined(house: House) -> str:
    """The table joins with its sheet, and after a start of the service the club has all its rows."""
    house.companion("club admit --tables 1")
    house.machine.do(f"systemd-run -q --unit club -p Restart=always {SERVE} --data {DATA}")
    said = house.companion(f"club join {DATA}/club/sheets/table-01.html --data {DATA}")
    if "This is table 01 of the club Essen now." not in said:
        raise Otherwise(f"club join: {said.strip()[-300:]}")
    house.machine.do("systemctl restart ring-companion")
    house.wait()
    house.to_an_attempt()
    until("all rows at the club", lambda: _missing(house))
    return f"row {_rows(house)} of the table is at the club"


def back_after_kills(house: House) -> str:
    """Broker and club, killed with signal 9, restart automatically, and the club has what was played meanwhile."""
    old = _process(house)
    house.machine.do(f"kill -9 {old}; systemctl kill -s KILL club")
    house.do({"do": "draw", "colour": "blue"})
    until("the broker back", lambda: _state(house) or ("" if _process(house) not in (0, old) else "no new process"))
    until("all rows at the club", lambda: _missing(house))
    return f"broker {old} became {_process(house)}; row {_rows(house)} is at the club"


def _state(house: House) -> str:
    state = house.machine.run(f"systemctl is-active {UNIT}").out.strip()
    return "" if state == "active" else state


def _process(house: House) -> int:
    return int(house.machine.do(f"systemctl show -P MainPID {UNIT}").strip())


def _rows(house: House) -> int:
    tables = json.loads(house.companion(f"club status --json --data {DATA}"))["tables"]
    return max((int(each["row"]) for each in tables[0]["ledgers"]), default=0)


def _missing(house: House) -> str:
    """Return an empty string if the club has the newest row of the table, otherwise the reason why it doesn't."""
    newest, there = int(house.ask("GET", "/api/v1/state")["version"]), _rows(house)
    return "" if there >= newest else f"row {there} of {newest}"


SCENES = (founded, joined, back_after_kills)
