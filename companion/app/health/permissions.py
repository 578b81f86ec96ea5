"""Check which devices the service's user may open, and which files in the data folder other users may open."""

from __future__ import annotations

import grp
import os
import pwd
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from companion.app.data_folder import open_to_others, ours_in
from companion.app.health.finding import HealthFinding, care, fine, note
from companion.app.health.machine import Machine
from companion.kernel.private_file import MODES, Modes, distrusted, has_permissions
from web import KEY_FILES


class User(NamedTuple):
    """The user who runs the service: name, user ID and group IDs."""

    name: str
    number: int
    groups: frozenset[int]

    def may_use(self, device: Path) -> bool:
        """Return whether this user may read and write *device*."""
        found = device.stat()
        own = (found.st_uid == self.number, found.st_gid in self.groups, True)
        granted = next(bits for ours, bits in zip(own, (0o600, 0o060, 0o006), strict=True) if ours)
        return self.number == 0 or found.st_mode & granted == granted


def player(data: Path, process: int, machine: Machine) -> User:
    """Return the user of the service: the owner of *process* if it runs, otherwise the owner of the folder *data*."""
    status = dict(line.partition(":")[::2] for line in machine.text(f"proc/{process}/status").splitlines())
    if process and "Uid" in status:
        number = int(status["Uid"].split()[1])
        return User(name_of(number), number, frozenset(map(int, (*status["Groups"].split(), status["Gid"].split()[1]))))
    number = data.stat().st_uid if data.exists() else os.geteuid()
    if number == os.geteuid():
        return User(name_of(number), number, frozenset((*os.getgroups(), os.getegid())))
    return User(name_of(number), number, _groups_of(number))


def may_open(user: User, wanted: list[Path]) -> Iterator[HealthFinding]:
    """Yield a finding for each device in *wanted*: whether *user* may use it and, if not, how to change that."""
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
    """Return the name of the user with the ID *number*, or the number itself if there is no name."""
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


def mode_findings(data: Path, modes: Modes = MODES) -> Iterator[HealthFinding]:
    """Yield findings about files in *data* that others may open or that do not belong to the owner of the folder."""
    if not data.is_dir():
        return
    yield from _foreign(data)
    yield from _suspect_keys(data, modes)
    wide = [f"{path.name} ({modes.mode(path):04o})" for path in open_to_others(data, modes)]
    if not wide:
        yield fine("modes", f"Only {name_of(data.stat().st_uid)} can open the games and keys in {data}.")
    elif has_permissions(data, modes):
        yield note("modes", f"Others can open these in {data}: {', '.join(wide)}. The next start closes them.")
    else:
        yield note(
            "modes", f"{data} is on a file system without permissions: anyone on this computer can read the games."
        )


def _suspect_keys(data: Path, modes: Modes) -> Iterator[HealthFinding]:
    """Yield findings about keys that others could read or replace.

    The next start of the service replaces the keys, so it should be soon.
    """
    for path in (data / name for name in KEY_FILES):
        if (path.is_symlink() or path.exists()) and (why := distrusted(path, modes)):
            yield care("keys", f"{why}: don't trust it. Restart the service to replace it.")


def _foreign(data: Path) -> Iterator[HealthFinding]:
    """Yield a finding about files that do not belong to the folder's owner, as after a command was run as root."""
    owner = data.stat().st_uid
    names = [path.name for path in ours_in(data) if path.stat().st_uid != owner]
    if names:
        change = f"sudo chown --recursive {name_of(owner)}: {data}"
        yield care(
            "modes", f"{', '.join(names)} in {data} don't belong to {name_of(owner)}, who runs the service: {change}."
        )
