"""What the user who runs the service may open of this computer: serial ports, pins, the bus of the sensor."""

from __future__ import annotations

import grp
import os
import pwd
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from companion.app.health.finding import HealthFinding, care, fine
from companion.app.health.machine import Machine


class User(NamedTuple):
    """Who plays: a name, its number and the numbers of its groups."""

    name: str
    number: int
    groups: frozenset[int]

    def may_use(self, device: Path) -> bool:
        """Tell whether this user may read and write *device*."""
        found = device.stat()
        own = (found.st_uid == self.number, found.st_gid in self.groups, True)
        granted = next(bits for ours, bits in zip(own, (0o600, 0o060, 0o006), strict=True) if ours)
        return self.number == 0 or found.st_mode & granted == granted


def player(data: Path, process: int, machine: Machine) -> User:
    """Return who runs the service: as its *process* tells where one runs, else the owner of the folder *data*."""
    told = dict(line.partition(":")[::2] for line in machine.text(f"proc/{process}/status").splitlines())
    if process and "Uid" in told:
        number = int(told["Uid"].split()[1])
        return User(name_of(number), number, frozenset(map(int, (*told["Groups"].split(), told["Gid"].split()[1]))))
    number = data.stat().st_uid if data.exists() else os.geteuid()
    if number == os.geteuid():
        return User(name_of(number), number, frozenset((*os.getgroups(), os.getegid())))
    return User(name_of(number), number, _groups_of(number))


def may_open(user: User, wanted: list[Path]) -> Iterator[HealthFinding]:
    """Say of each device of *wanted* that is there whether *user* may use it, and how that is changed."""
    for device in wanted:
        if user.may_use(device):
            yield fine("devices", f"{user.name} can use {device}.")
        elif (group := device.stat().st_gid) == 0:
            yield care(
                "devices", f"Only root can use {device}: it needs a udev rule for a group that {user.name} is in."
            )
        else:
            advice = f"sudo usermod --append --groups {_group(group)} {user.name}, then restart the service"
            yield care("devices", f"{user.name} can't use {device}, which is for the group {_group(group)}: {advice}.")


def name_of(number: int) -> str:
    """Return the name of the user of that *number*, or the number where nobody has it."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _groups_of(number: int) -> frozenset[int]:
    try:
        known = pwd.getpwuid(number)
    except KeyError:
        return frozenset()
    return frozenset(os.getgrouplist(known.pw_name, known.pw_gid))


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
