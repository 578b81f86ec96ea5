"""The roles of a server's clients, from nobody to the host: each is a visitor with its credentials."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tests.strangers.house import House
from tests.strangers.visitor import Visitor

Comer = Callable[[House], Visitor]


def come(house: House, address: str = "127.0.0.1", headers: Mapping[str, str] | None = None) -> Visitor:
    """Return a visitor without credentials, which is closed with the server."""
    visitor = Visitor(house.port, address, headers)
    house.guests.append(visitor)
    return visitor


def host(house: House, address: str = "127.0.0.1") -> Visitor:
    """Return a tablet that has entered the PIN."""
    visitor = come(house, address)
    answer = visitor.form("/pin", pin=house.pin)
    assert answer.status == 303, answer.status
    return _with_token(visitor)


def token(house: House) -> Visitor:
    """Return a client that is a program on the server's machine, with the machine's token."""
    known = (house.data / "token").read_text(encoding="utf-8").strip()
    return come(house, "127.0.0.9", {"Authorization": f"Bearer {known}"})


def seat(colour: str, address: str) -> Comer:
    """Return a function that makes a phone take the seat of *colour*, whoever had it before."""

    def sit(house: House) -> Visitor:
        program = token(house)  # no tablet: the server remembers only the last few of the host's
        program.form("/join/free", seat=colour)
        phone = come(house, address)
        answer = phone.form("/join", pin=table_pin(program), seat=colour)
        assert (answer.status, answer.headers.get("location")) == (303, "/table"), answer.status
        program.close()
        return _with_token(phone)

    return sit


def freed(house: House) -> Visitor:
    """Return a phone whose seat was freed after it had joined."""
    phone = seat("green", "127.0.0.8")(house)
    program = token(house)
    program.form("/join/free", seat="green")
    program.close()
    return phone


def signed_out(house: House) -> Visitor:
    """Return a tablet that was the host's and has signed out."""
    tablet = host(house, "127.0.0.10")
    tablet.form("/pin/leave")
    return _with_token(tablet)


def spectator(house: House) -> Visitor:
    """Return a device that has opened a page, without rights."""
    return _with_token(come(house, "127.0.0.2"))


def nobody(house: House) -> Visitor:
    """Return a device that has never loaded a page."""
    return come(house, "127.0.0.3")


def wrong_token(house: House) -> Visitor:
    """Return a program with an invalid token."""
    return come(house, "127.0.0.4", {"Authorization": "Bearer wrong"})


def forger(house: House) -> Visitor:
    """Return a device with the host's session cookie, in which one letter of the signature is changed."""
    known = host(house, "127.0.0.5")
    forged = come(house, "127.0.0.5", {"X-CSRF-Token": known.headers["X-CSRF-Token"]})
    last = known.cookie[-5]
    forged.cookie = f"{known.cookie[:-5]}{'A' if last != 'A' else 'B'}{known.cookie[-4:]}"
    return forged


def table_pin(host: Visitor) -> str:
    """Return the PIN for phones, which the *host* sees."""
    found = re.search(r'class="digits">(\d+)<', host.ask("GET", "/join").text)
    assert found is not None, "no PIN on the page"
    return found[1]


def _with_token(visitor: Visitor) -> Visitor:
    visitor.headers["X-CSRF-Token"] = visitor.csrf
    return visitor


COMERS: Mapping[str, Comer] = {
    "nobody": nobody,
    "spectator": spectator,
    "freed seat": freed,
    "signed out": signed_out,
    "forger": forger,
    "wrong token": wrong_token,
    "red": seat("red", "127.0.0.7"),
    "blue": seat("blue", "127.0.0.6"),
    "host": host,
    "token": token,
}
