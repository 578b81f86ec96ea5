"""The doctor's check of the computer (voltage, temperature, clock, permissions), tested on a fake computer."""

from __future__ import annotations

import grp
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.app.health.finding import HealthFinding, HealthState
from companion.app.health.machine import Machine, computer
from companion.app.health.permissions import User, may_open, player
from companion.app.health.service import addresses

TODAY = datetime(2026, 12, 5, 20, tzinfo=UTC).timestamp()
DIALOUT = 20
YEAR_S = 365.25 * 86_400


class Pretended(Machine):
    """A fake computer made of a few files, outputs of commands, and a fixed clock."""

    def __init__(self, root: Path, files: Mapping[str, str], says: Mapping[str, str], wall: float = TODAY) -> None:
        super().__init__(root)
        self._says, self._wall = says, wall
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8")

    def run(self, command: Sequence[str]) -> str:
        return self._says.get(command[0], "")

    def wall(self) -> float:
        return self._wall


def found(
    root: Path,
    about: str,
    files: Mapping[str, str] | None = None,
    says: Mapping[str, str] | None = None,
    wall: float = TODAY,
    newest: float | None = None,
) -> HealthFinding | None:
    """Return the finding *about* one subject on a fake computer."""
    all_of_it = computer(Pretended(root, files or {}, says or {}, wall), newest)
    return next((each for each in all_of_it if each.about == about), None)


@pytest.mark.parametrize(
    ("bits", "state", "says"),
    [
        ("0x0", HealthState.FINE, "The voltage is right."),
        ("0x50000", HealthState.NOTE, "The voltage was too low for a while since the start"),
        ("0x50005", HealthState.CARE, "The voltage is too low now: use its own power supply"),
    ],
)
def test_a_pi_tells_of_its_voltage(tmp_path: Path, bits: str, state: HealthState, says: str) -> None:
    """If the voltage is too low now, it needs care; if it was too low earlier, that is a note; both say what to do."""
    finding = found(tmp_path, "voltage", says={"vcgencmd": f"throttled={bits}"})

    assert finding is not None
    assert (finding.state, finding.sentence[: len(says)]) == (state, says)


@pytest.mark.parametrize(("alarm", "state"), [("0", HealthState.FINE), ("1", HealthState.CARE)])
def test_the_kernel_tells_of_it_too(tmp_path: Path, alarm: str, state: HealthState) -> None:
    """Voltage: without `vcgencmd`, the alarm of the kernel driver `rpi_volt` is read."""
    chips = {"hwmon0/name": "cpu_thermal", "hwmon1/name": "rpi_volt", "hwmon1/in0_lcrit_alarm": alarm}

    finding = found(tmp_path, "voltage", {f"sys/class/hwmon/{name}": text for name, text in chips.items()})

    assert finding is not None
    assert finding.state is state


@pytest.mark.parametrize("says", [{}, {"vcgencmd": "VCHI initialization failed"}, {"vcgencmd": "throttled=soon"}])
def test_a_computer_that_tells_nothing_is_not_guessed_at(tmp_path: Path, says: dict[str, str]) -> None:
    """Voltage and heat: without a sensor, or with an output that cannot be parsed, no line is printed."""
    zones = {"sys/class/thermal/thermal_zone0/type": "acpitz", "sys/class/thermal/thermal_zone0/temp": "90000"}

    assert found(tmp_path, "voltage", zones, says) is None
    assert found(tmp_path, "heat", zones, says) is None


@pytest.mark.parametrize(
    ("temp", "state", "says"),
    [
        ("48312", HealthState.FINE, "48 °C"),
        ("74000", HealthState.NOTE, "give it air"),
        ("83100", HealthState.CARE, "slows down"),
    ],
)
def test_heat_is_told_with_where_it_begins_to_matter(tmp_path: Path, temp: str, state: HealthState, says: str) -> None:
    """Heat: the temperature of the CPU's thermal zone is printed, with advice above the limits."""
    zones = {"0/type": "gpu", "0/temp": "99000", "1/type": "cpu-thermal", "1/temp": temp}

    finding = found(tmp_path, "heat", {f"sys/class/thermal/thermal_zone{name}": text for name, text in zones.items()})

    assert finding is not None
    assert finding.state is state
    assert says in finding.sentence


@pytest.mark.parametrize(
    ("wall", "newest", "synchronised", "state", "says"),
    [
        (TODAY, TODAY - 60, "yes", HealthState.FINE, "The clock says 2026-12-05 UTC."),
        (TODAY, None, "", HealthState.FINE, "The clock says 2026-12-05 UTC."),
        (TODAY, TODAY - 60, "no", HealthState.NOTE, "the network hasn't confirmed it"),
        (0.0, None, "no", HealthState.CARE, "it was never set"),
        (TODAY, TODAY + 2 * YEAR_S, "yes", HealthState.CARE, "but the ledger has a row of 2028-"),
        (TODAY + 9 * YEAR_S, TODAY, "yes", HealthState.NOTE, "the ledger's newest row is of 2026-12-05"),
    ],
    ids=["right", "nobody knows", "not confirmed", "never set", "before the ledger", "years after it"],
)
def test_a_wrong_clock_is_found_by_what_was_written(
    tmp_path: Path, wall: float, newest: float | None, synchronised: str, state: HealthState, says: str
) -> None:
    """The clock is reported if it was never set, is before or years after the newest row, or isn't confirmed."""
    finding = found(tmp_path, "clock", says={"timedatectl": synchronised}, wall=wall, newest=newest)

    assert finding is not None
    assert finding.state is state
    assert says in finding.sentence
    assert ("timedatectl set-time" in finding.sentence) is (state is HealthState.CARE or wall > TODAY)


def test_groups_are_told_with_the_command_that_gives_them(tmp_path: Path) -> None:
    """Devices: a user outside the device's group gets the command that adds them; a member can use the device."""
    device = tmp_path / "ttyACM0"
    device.touch()
    device.chmod(0o660)
    if os.geteuid() == 0:
        os.chown(device, 0, DIALOUT)
    group = device.stat().st_gid
    stranger, member = User("companion", 4711, frozenset()), User("companion", 4711, frozenset({group}))

    (finding,) = may_open(stranger, [device])
    (fine,) = may_open(member, [device])

    name = grp.getgrgid(group).gr_name
    assert finding.state is HealthState.CARE
    assert f"companion can't use {device}, which is for the group {name}: " in finding.sentence
    assert f"sudo usermod --append --groups {name} companion" in finding.sentence
    assert (fine.state, fine.sentence) == (HealthState.FINE, f"companion can use {device}.")


def test_a_running_service_is_asked_for_its_own_groups(tmp_path: Path) -> None:
    """Devices: if the service runs, the groups of its process are checked."""
    status = "Name:\tcompanion\nUid:\t4711\t4711\t4711\t4711\nGid:\t4711\t4711\t4711\t4711\nGroups:\t20 997 998 \n"
    machine = Pretended(tmp_path, {"proc/321/status": status}, {})

    user = player(tmp_path, 321, machine)

    assert (user.number, user.groups) == (4711, {20, 997, 998, 4711})


def test_who_has_the_data_folder_plays(tmp_path: Path) -> None:
    """Devices: without a service, the owner of the data folder counts as the user."""
    assert player(tmp_path, 0, Pretended(tmp_path, {}, {})).number == tmp_path.stat().st_uid


def test_a_port_is_found_by_its_process(tmp_path: Path) -> None:
    """The addresses of a service are the listening sockets that its process has open."""
    head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode"
    lines = [
        f"   {number}: {local} 00000000:0000 {state} 00000000:00000000 00:00000000 00000000  1000        0 {inode} 1"
        for number, (local, state, inode) in enumerate(
            [
                ("00000000:1F40", "0A", 71),
                ("0100007F:1F41", "0A", 72),
                ("2A00A8C0:1F42", "0A", 73),
                ("0100007F:1F43", "01", 74),
                ("0100007F:1F44", "0A", 99),
            ]
        )
    ]
    machine = Pretended(tmp_path, {"proc/321/net/tcp": "\n".join((head, *lines)), "proc/321/fd/0": "a file"}, {})
    for inode in (71, 72, 73, 74):
        (tmp_path / "proc" / "321" / "fd" / str(inode)).symlink_to(f"socket:[{inode}]")

    found = list(addresses(321, machine))

    assert found == ["http://127.0.0.1:8000", "http://127.0.0.1:8001", "http://192.168.0.42:8002"]
