"""A Pi that starts without a network, and a network that comes later."""

from __future__ import annotations

from tests.pi.house import House
from tests.pi.machine import Otherwise, until

NUMBER = "10.42.0.1"  # the address in docs/pi.md for a Pi that is an access point


def none_at_boot(house: House) -> str:
    """Without network or access point at boot, the service doesn't wait, and answers on the Pi itself."""
    house.wait()
    there = house.machine.do("ip -brief link").split()
    waited = house.machine.run("systemctl is-active network-online.target").out.strip()
    if set(there) & {"UP"} or waited == "active":
        raise Otherwise(f"there is a network: {' '.join(there)}; network-online.target is {waited}")
    return f"links: {' '.join(house.machine.do('ls /sys/class/net').split())}; it answers all the same"


def one_that_comes_later(house: House) -> str:
    """A network that comes during a game is found: the page for joining shows its address, and it works."""
    house.to_an_attempt()
    house.machine.do(f"ip link add wlan0 type dummy && ip addr add {NUMBER}/24 dev wlan0 && ip link set wlan0 up")
    until("answering there", lambda: "" if house.machine.ask("GET", "/healthz", host=NUMBER).status == 200 else "no")
    page = house.send("GET", "/join").body
    if f"{NUMBER}:8000" not in page:
        raise Otherwise("the page with the code for phones does not name it")
    return f"http://{NUMBER}:8000/ answers, and the page with the code names it; nobody has started anything anew"


SCENES = (none_at_boot, one_that_comes_later)
