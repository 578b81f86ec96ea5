"""The phones that have joined the seats of each game, and the PIN for joining.

A phone has a random mark in its session cookie. This list contains the hash of that mark and the device that entered
the PIN (`device_at`). If the mark comes from another device, it has no seat until the PIN is entered there. A phone
gets a new mark each time it takes a seat, so copies of the old one become invalid.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from threading import Lock
from typing import Any

from companion.kernel.names import same_person
from companion.kernel.private_file import PrivateFile
from companion.kernel.values import dataclass
from web.auth.rate_limit import Tries
from web.http.request_parsing import place

DIGITS = 6
MOST_GAMES = 8
"""Seats are stored for this number of games. For an older game, phones must join again."""


@dataclass(frozen=True)
class Phone:
    """A phone that has joined: the hash of its *mark*, and the *device* that received the mark."""

    mark: str
    device: str


@dataclass(frozen=True)
class Sitting:
    """The seats of one game: the PIN, the players' names by colour, and the phones that have joined."""

    pin: str
    names: Mapping[str, str]
    joined: Mapping[str, Phone] = field(default_factory=dict)

    def seat_of(self, mark: object, device: str) -> str | None:
        """Return the colour of the phone with *mark*, or None if it has no seat.

        *device* must have received that mark.
        """
        colour = self.claimed_by(mark)
        return colour if colour is not None and hmac.compare_digest(self.joined[colour].device, device) else None

    def claimed_by(self, mark: object) -> str | None:
        """Return the colour that *mark* was given for, whichever device sends it.

        The device may still have to enter the PIN.
        """
        if not isinstance(mark, str):
            return None
        own = _fingerprint(mark)
        return next((colour for colour, phone in self.joined.items() if hmac.compare_digest(phone.mark, own)), None)


class Seats:
    """The seats of the last games, in a private file. It may be used from any thread."""

    def __init__(self, file: PrivateFile, now: Callable[[], float]) -> None:
        self.tries = Tries(now)
        self._file = file
        # The lock is held from reading to writing, or two phones that join at once could overwrite each other.
        self._lock = Lock()

    def sitting(self, game_id: int, names: Mapping[str, str]) -> Sitting:
        """Return the seats of a game.

        A new game has a new PIN and free seats, and resets the wrong tries. A phone keeps its seat if its player has
        the same name and colour as in the game before.
        """
        with self._lock:
            games = self._games()
            found = games.get(str(game_id))
            if found is not None and found.names == names:
                return found
            if found is None:
                self.tries.forget()
            before = next(reversed(games.values()), Sitting("", {}))
            return self._keep(games, game_id, found or _after(before, names), names)

    def admit(self, address: str, mark: object = None) -> float:
        """Return how many seconds a phone at *address* with *mark* must wait.

        If that is 0, this call is counted as a wrong try.
        """
        return self.tries.admit(self._place(address, mark))

    def enter(self, sitting: Sitting, offered: str, address: str, mark: object = None) -> bool:
        """Tell whether *offered* is the PIN of *sitting*; call `admit` first."""
        right = hmac.compare_digest(offered.encode(), sitting.pin.encode())
        if right:
            self.tries.right(self._place(address, mark))
        return right

    def _place(self, address: str, mark: object) -> str:
        # The tries of a phone that has joined one of the last games are counted separately, not by its address.
        known = isinstance(mark, str) and any(one.claimed_by(mark) for one in self._games().values())
        return _fingerprint(str(mark)) if known else place(address)

    def join(self, game_id: int, colour: str, device: str, before: object = None) -> str | None:
        """Give the seat of *colour* to a phone at *device*. Return the phone's new mark, or None if the seat is taken.

        *before* is the phone's old mark. The seat of that mark becomes free. In earlier games the new mark replaces the
        old one, so that the phone still has its seat there.
        """
        with self._lock:
            games = self._games()
            sitting = games[str(game_id)]
            own = sitting.claimed_by(before)
            joined = {seat: other for seat, other in sitting.joined.items() if seat != own}
            if colour not in sitting.names or colour in joined:
                return None
            mark = secrets.token_urlsafe(24)
            phone = Phone(_fingerprint(mark), device)
            games = {number: _with_phone(each, before, phone) for number, each in games.items()}
            self._keep(games, game_id, replace(sitting, joined={**joined, colour: phone}))
            return mark

    def free(self, game_id: int, colour: str) -> None:
        """Remove the phone from the seat, and from its seats in all other games. A free seat stays unchanged."""
        with self._lock:
            games = self._games()
            phone = games[str(game_id)].joined.get(colour)
            for number, sitting in games.items():
                left = {
                    seat: other for seat, other in sitting.joined.items() if phone is None or other.mark != phone.mark
                }
                games[number] = replace(sitting, joined=left)
            self._write(games)

    def rename(self, old: str, new: str | None) -> None:
        """Change the name *old* to *new* in all stored games, or remove it if *new* is None."""
        person = same_person(old)
        with self._lock:
            games = self._games()
            for number, sitting in games.items():
                names = {
                    colour: (new or "") if same_person(name) == person else name
                    for colour, name in sitting.names.items()
                }
                games[number] = replace(sitting, names=names)
            self._write(games)

    # Call these only with the lock held

    def _keep(
        self, games: dict[str, Sitting], game_id: int, sitting: Sitting, names: Mapping[str, str] | None = None
    ) -> Sitting:
        stored = sitting if names is None else replace(sitting, names=dict(names))
        # Insert it at the end: the first ones are dropped.
        games.pop(str(game_id), None)
        games[str(game_id)] = stored
        self._write(dict(list(games.items())[-MOST_GAMES:]))
        return stored

    def _write(self, games: Mapping[str, Sitting]) -> None:
        lines = {
            number: {"pin": one.pin, "names": dict(one.names), "joined": _phones(one)} for number, one in games.items()
        }
        self._file.remember(json.dumps(lines, indent=1, ensure_ascii=False) + "\n")

    def _games(self) -> dict[str, Sitting]:
        try:
            found = json.loads(self._file.text() or "{}")
            return {number: _read(one) for number, one in found.items()}
        except (ValueError, AttributeError, KeyError, TypeError):
            # A damaged list counts as empty: players join again.
            return {}


def _after(before: Sitting, names: Mapping[str, str]) -> Sitting:
    """Return the seats of a new game: players with the same name and colour as before have already joined."""
    same = {
        colour: phone
        for colour, phone in before.joined.items()
        if colour in names and same_person(names[colour]) == same_person(before.names[colour])
    }
    return Sitting(f"{secrets.randbelow(10**DIGITS):0{DIGITS}}", dict(names), same)


def _with_phone(sitting: Sitting, before: object, phone: Phone) -> Sitting:
    """Return *sitting* with *phone* in the seat of the mark *before*, if it has one."""
    own = sitting.claimed_by(before)
    return sitting if own is None else replace(sitting, joined={**sitting.joined, own: phone})


def _phones(sitting: Sitting) -> dict[str, dict[str, str]]:
    return {seat: {"mark": phone.mark, "device": phone.device} for seat, phone in sitting.joined.items()}


def _read(one: Any) -> Sitting:
    names, joined = dict(one["names"]), dict(one["joined"])
    return Sitting(str(one["pin"]), names, {seat: _phone(stored) for seat, stored in joined.items() if seat in names})


def _phone(stored: Any) -> Phone:
    """Return a stored phone. Earlier versions stored no device, so that phone must enter the PIN once more."""
    return Phone(stored, "") if isinstance(stored, str) else Phone(str(stored["mark"]), str(stored["device"]))


def _fingerprint(mark: str) -> str:
    return hashlib.sha256(mark.encode()).hexdigest()
