"""The files of the club's broker: its configuration, its list of permissions, its passwords (as hashes) and its unit.

They are made from the club's settings. A table's password is only on its sheet.
"""

from __future__ import annotations

import base64
import json
import os
import pwd
import re
import signal
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from hashlib import pbkdf2_hmac
from pathlib import Path
from secrets import token_bytes, token_urlsafe

from companion.club.certificates import SERVER, SERVER_KEY
from companion.club.club_folder import CLUB_USER, OWN_PASSWORD, PASSWORD_BYTES, SETTINGS, Club
from companion.club.topics import ACK, BEAT, BIRTH, CLUB_STATE, DO, EVENT, ROOT, ROWS, STAGE, STATE
from companion.kernel.private_file import write_private

PASSWORDS, ACL, CONFIGURATION, PID = "passwords", "acl", "mosquitto.conf", "broker.pid"
UNIT, HOME_USER = "ring-club-broker.service", "home"
SALT_BYTES = 12
ROUNDS = 101
"""Mosquitto's own number of rounds. A password of 32 random bytes can't be guessed, whatever the number of rounds."""
STARTS_S, LOOK_S = 5.0, 0.02
"""How long to wait for a broker that is starting, and how often to check it, in seconds."""
_TABLE_WRITES = (BIRTH, ROWS, STATE, EVENT, STAGE, BEAT)
_HOME_READS = (BIRTH, STATE, EVENT, STAGE, BEAT)


def write_club(folder: Path, club: Club) -> None:
    """Store *club*, and make the broker's list of permissions and its configuration from it."""
    write_private(folder / SETTINGS, json.dumps(asdict(club)))
    write_private(folder / ACL, permissions())
    write_private(folder / CONFIGURATION, configuration(folder, club))
    write_private(folder / UNIT, unit(folder))


def make_own_password(folder: Path) -> None:
    """Make a random password for the club's own program."""
    password = token_urlsafe(PASSWORD_BYTES)
    write_private(folder / OWN_PASSWORD, password)
    put_passwords(folder, {CLUB_USER: password})


def put_passwords(folder: Path, fresh: Mapping[str, str], gone: frozenset[str] = frozenset()) -> None:
    """Add the hashes in *fresh* (passwords by user) to the broker's file, and remove the users in *gone*."""
    path = folder / PASSWORDS
    before = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    left = [line for line in before if line.partition(":")[0] not in fresh.keys() | gone]
    lines = [*left, *(f"{user}:{_hash(password)}" for user, password in fresh.items())]
    write_private(path, "".join(f"{line}\n" for line in lines))


def _hash(password: str) -> str:
    """Return a password as Mosquitto stores it: PBKDF2 with SHA-512."""
    salt = token_bytes(SALT_BYTES)
    found = pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(found).decode()}"


def permissions() -> str:
    """Return the broker's list of permissions. A table may use only its own topics: its user name is its address."""
    tables = [f"pattern write {ROOT}/%u/{word}" for word in _TABLE_WRITES]
    tables += [f"pattern read {ROOT}/%u/{word}" for word in (ACK, BIRTH, DO)]
    tables.append(f"pattern read {CLUB_STATE}")
    own = [f"topic read {ROOT}/#", *(f"topic write {ROOT}/+/{word}" for word in (ACK, DO))]
    home = [f"topic read {ROOT}/+/{word}" for word in _HOME_READS]
    lines = (
        *(f"user {CLUB_USER}", *own, f"topic write {CLUB_STATE}"),
        *(f"user {HOME_USER}", *home, f"topic write {ROOT}/+/{DO}"),
        *tables,
    )
    return "".join(f"{line}\n" for line in lines)


def configuration(folder: Path, club: Club) -> str:
    """Return Mosquitto's configuration. The broker stores nothing, because everything is sent again at each connect."""
    owner = pwd.getpwuid(folder.stat().st_uid).pw_name
    lines = (
        *(f"user {owner}", f"pid_file {folder / PID}", "log_dest stderr", "connection_messages false"),
        *("persistence false", "allow_anonymous false", f"password_file {folder / PASSWORDS}"),
        *(f"acl_file {folder / ACL}", "set_tcp_nodelay true", "max_packet_size 33554432"),
        *("max_inflight_messages 200", "max_queued_messages 5000"),
        *(f"listener {club.port} {club.bind}", f"certfile {folder / SERVER}", f"keyfile {folder / SERVER_KEY}"),
        "tls_version tlsv1.3",
    )
    return "".join(f"{line}\n" for line in lines)


def unit(folder: Path) -> str:
    """Return the systemd unit that runs this broker, in addition to the broker of the system if there is one."""
    owner = pwd.getpwuid(folder.stat().st_uid).pw_name
    return f"""[Unit]
Description=Broker of a ring companion's club
After=network-online.target
Wants=network-online.target

[Service]
User={owner}
ExecStart=/usr/sbin/mosquitto -c {folder / CONFIGURATION}
ExecReload=/bin/kill -HUP $MAINPID
Restart=always
RestartSec=2
NoNewPrivileges=true
ProtectSystem=strict
ReadWritePaths={folder}
PrivateTmp=true

[Install]
WantedBy=multi-user.target
"""


def _takes_hangups(pid: int) -> bool:
    """Return whether a process has a handler for SIGHUP. If the process is just starting, wait for it.

    Mosquitto starts listening a moment before it installs the handler. Until then, the signal would end it.
    """
    until = time.monotonic() + STARTS_S
    while time.monotonic() < until:
        caught = re.search(r"^SigCgt:\s*([0-9a-f]+)$", Path(f"/proc/{pid}/status").read_text("ascii"), re.MULTILINE)
        if caught is None or int(caught[1], 16) >> (signal.SIGHUP - 1) & 1:
            return True
        time.sleep(LOOK_S)
    return False


def reload_broker(folder: Path) -> bool:
    """Make the running broker reread its passwords. Return whether a broker is running on this folder."""
    with suppress(OSError, ValueError):
        pid = int((folder / PID).read_text(encoding="ascii"))
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if os.fsencode(folder / CONFIGURATION) in command and _takes_hangups(pid):
            os.kill(pid, signal.SIGHUP)
            return True
    return False
