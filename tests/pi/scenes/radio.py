"""An evening without a router: the access point of docs/pi.md on one simulated radio, and a phone on another."""

from __future__ import annotations

import re
from pathlib import Path

from tests.pi.house import House
from tests.pi.machine import Otherwise, until
from tests.pi.scenes.network import NUMBER

DOCUMENT = Path(__file__).parents[3] / "docs" / "pi.md"
CHAPTER = "An evening without a router"
NAME, PHRASE = "Andromeda", "a good pass phrase"
PHONE = "ip netns exec phone"
"""The phone has its own network namespace: it can reach the Pi only by radio."""
PHONE_BEGINS = """insmod /share/mac80211_hwsim.ko radios=2
ip netns add phone
iw phy "$(cat /sys/class/net/wlan1/phy80211/name)" set netns name phone"""
JOINS = f"""wpa_passphrase {NAME} '{PHRASE}' > /run/phone.conf
{PHONE} wpa_supplicant -B -P /run/phone.pid -i wlan1 -c /run/phone.conf
{PHONE} udhcpc -i wlan1 -n -q -t 20"""
ACTIVE = "nmcli -t -f NAME connection show --active | grep -x table || true"
LEAVES = "kill $(cat /run/phone.pid)"
ASKS = "python3 -c 'import sys, urllib.request as u; print(u.urlopen(sys.argv[1], timeout=60).read().decode())'"


def typed(document: str, chapter: str) -> list[str]:
    """Return the commands to type in *chapter*, with continued lines and inline quotes."""
    text = document.partition(f"\n## {chapter}")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.replace("\\\n", " ").splitlines() if line.strip()]


def an_access_point(house: House) -> str:
    """The commands of docs/pi.md make the Pi an access point: a phone joins it, gets an address and opens the table."""
    house.machine.do(PHONE_BEGINS)
    house.to_an_attempt()
    until("seen by NetworkManager", lambda: _missing(house, "wlan0"))
    lines = typed(DOCUMENT.read_text(encoding="utf-8"), CHAPTER)
    for line in lines:
        house.machine.do(line, "pi")
    return f"{len(lines)} lines typed; {_on_the_phone(house)}"


def for_one_evening(house: House) -> str:
    """The single command for one evening does the same after the earlier connection is down."""
    text = DOCUMENT.read_text(encoding="utf-8").partition(f"\n## {CHAPTER}")[2]
    down, once = _quoted(text, "nmcli connection down"), _quoted(text, "nmcli device wifi hotspot")
    house.machine.do(LEAVES)
    # nmcli itself waits ten seconds, and a busy machine takes longer
    house.machine.run(down, "pi")
    until("down", lambda: "" if not house.machine.do(ACTIVE).strip() else "it is still up")
    house.machine.do(once, "pi")
    return f"`{down}`, then `{once}`: {_on_the_phone(house)}"


def _quoted(text: str, words: str) -> str:
    found = re.search(rf"`(sudo {words}[^`]*)`", text)
    if found is None:
        raise Otherwise(f"docs/pi.md has no line with {words}")
    return found[1]


def _missing(house: House, radio: str) -> str:
    text = house.machine.run("nmcli -t -f DEVICE,STATE device").out
    return "" if f"{radio}:disconnected" in text.splitlines() else text


def _on_the_phone(house: House) -> str:
    """Let the phone join, and return its address and what it sees."""
    house.machine.do(JOINS)
    number = house.machine.do(f"{PHONE} ip -4 -brief address show wlan1").split()[2]
    page = house.machine.do(f"{PHONE} {ASKS} http://{NUMBER}:8000/")
    title = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
    if title is None:
        raise Otherwise(f"what opens on the phone is {page[:300]}")
    if f"{NUMBER}:8000" not in house.send("GET", "/join").body:
        raise Otherwise(f"the page with the code for phones does not name {NUMBER}")
    link = house.machine.do(f"{PHONE} iw dev wlan1 link")
    security = "WPA2" if "RSN" in house.machine.run(f"{PHONE} iw dev wlan1 scan").out else "no security"
    if f"SSID: {NAME}" not in link:
        raise Otherwise(f"the phone is joined to {link}")
    return f"the phone is in “{NAME}” ({security}) as {number}; at http://{NUMBER}:8000/ it reads “{title[1].strip()}”"


SCENES = (an_access_point, for_one_evening)
