"""The package, installed as a user of a Pi would do it: with exactly the commands of docs/pi.md."""

from __future__ import annotations

import re
from pathlib import Path

from tests.pi.house import House
from tests.pi.machine import Otherwise

DOCUMENT = Path(__file__).parents[3] / "docs" / "pi.md"
LONG_S = 900.0


def commands(document: str) -> list[str]:
    """Return the commands to type on the Pi in the document's chapter on installing: its last block."""
    chapter = document.partition("\n## Install")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```\w*\n(.*?)^```", chapter, re.MULTILINE | re.DOTALL)
    if not blocks:
        raise Otherwise("docs/pi.md has nothing to type under Install")
    return [line for line in blocks[-1].splitlines() if line.strip()]


def installs(house: House) -> str:
    """With the commands of docs/pi.md, typed by the Pi's user word by word, offline, the package installs and runs."""
    house.machine.do("cp /share/first/*.deb .", "pi")
    typed = commands(DOCUMENT.read_text(encoding="utf-8"))
    said = [house.machine.do(line, "pi", LONG_S) for line in typed]
    house.wait()
    enabled = house.machine.run("systemctl is-enabled ring-companion").out.strip()
    if enabled != "enabled":
        raise Otherwise(f"the unit is {enabled}")
    size = house.machine.do("dpkg-query -W -f '${Version}, ${Installed-Size} kB' ring-companion").strip()
    return f"{len(typed)} lines typed; {size}; the last one says: {' | '.join(said[-1].splitlines()[-3:])}"


def pin_is_told(house: House) -> str:
    """The journal shows the Pi's user the table's address and the host's PIN."""
    text = house.machine.do("sudo journalctl -u ring-companion -n 20 --no-pager -o cat", "pi")
    pin = re.search(r"Host PIN: (\d+)$", text, re.MULTILINE)
    kept = house.pin()
    if pin is None or pin[1] != kept:
        raise Otherwise(f"the PIN is {kept}, and the journal says: {text.strip()[-300:]}")
    return next(line for line in text.splitlines() if "The table is at" in line) + f" Host PIN: {kept}"


SCENES = (installs, pin_is_told)
