"""Check the computer itself: its voltage, temperature and clock, as far as it reports them."""

from __future__ import annotations

import math
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from companion.app.health.finding import HealthFinding, care, fine, note
from companion.kernel.moments import date_in_this_zone
from companion.kernel.shown import shows

PATIENCE_S = 5.0
STARTED = 19
"""Index of the start time (in ticks since boot) in /proc/PID/stat, counted after the process name.

In proc(5) it is field 22. The fields before it cannot be counted, because the process name may contain blanks.
"""
HOT_C, WARM_C = 80.0, 70.0
"""Limits of the temperature. A Raspberry Pi slows itself down from 80 °C on."""
TOO_LOW, WAS_TOO_LOW = 1 << 0, 1 << 16
SLOWED = 0b1110
"""Bit numbers in the output of `vcgencmd get_throttled`."""
NOT_BEFORE = datetime(2026, 11, 1, tzinfo=UTC)
"""This program did not exist before this date, so a clock with an earlier date was never set."""
DAY_S, YEARS_S = 86_400.0, 5 * 365.25 * 86_400.0

SET_IT = (
    "Connect the computer to a network for a minute, or set it: sudo timedatectl set-time 'YEAR-MONTH-DAY HOUR:MINUTE'"
)
_SUPPLY = "use its own power supply and a short, thick cable, and unplug other USB devices"


@shows("root")
class Machine:
    """Access to a computer's files, commands and wall clock. Tests replace it."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    def text(self, path: str) -> str:
        """Return the contents of the file *path*, or an empty string if it cannot be read."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return ""  # most computers do not have most of these files

    def found(self, pattern: str) -> list[Path]:
        """Return the files that match *pattern* below the root, sorted."""
        return sorted(self.root.glob(pattern))

    def run(self, command: Sequence[str]) -> str:
        """Return the output of *command*, or an empty string if it does not exist or fails."""
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return "" if done.returncode else done.stdout.strip()

    def wall(self) -> float:
        """Return the wall clock of this computer in seconds since 1970."""
        return time.time()

    def age_s(self, process: int) -> float:
        """Return how many seconds *process* has been running, infinity if unknown."""
        texts = self.text(f"proc/{process}/stat").rpartition(")")[2].split()
        up = self.text("proc/uptime").split()
        return float(up[0]) - int(texts[STARTED]) / os.sysconf("SC_CLK_TCK") if texts and up else math.inf

    def wait(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(seconds)


MACHINE = Machine()


def computer(machine: Machine, newest: float | None) -> list[HealthFinding]:
    """Return the findings about the computer. *newest* is the time of the ledger's newest row in seconds."""
    return [*_voltage(machine), *_heat(machine), *_clock(machine, newest)]


def _voltage(machine: Machine) -> Iterator[HealthFinding]:
    bits = _throttled(machine)
    alarm = _alarm(machine)
    if bits is None and alarm is None:
        return
    bits = bits or 0
    if bits & TOO_LOW or alarm:
        yield care(
            "voltage", f"The voltage is too low now: {_SUPPLY}. Otherwise the card may be damaged during a game."
        )
    elif bits & WAS_TOO_LOW:
        yield note("voltage", f"The voltage was too low for a while since the start: {_SUPPLY}.")
    else:
        yield fine("voltage", "The voltage is right.")
    if bits & SLOWED and not bits & TOO_LOW:
        yield note("speed", "The computer has slowed down: give it air, and check its power supply.")


def _throttled(machine: Machine) -> int | None:
    """Return the bits of the command `vcgencmd` on a Raspberry Pi, or None on other computers."""
    name, _, bits = machine.run(("vcgencmd", "get_throttled")).partition("=")
    try:
        return int(bits, 16) if name == "throttled" else None
    except ValueError:
        return None


def _alarm(machine: Machine) -> bool | None:
    """Return whether the kernel's driver for a Raspberry Pi's voltage reports an alarm, or None without that driver."""
    for chip in machine.found("sys/class/hwmon/hwmon*/name"):
        if machine.text(str(chip.relative_to(machine.root))) == "rpi_volt":
            return machine.text(str(chip.with_name("in0_lcrit_alarm").relative_to(machine.root))) == "1"
    return None


def _heat(machine: Machine) -> Iterator[HealthFinding]:
    for kind in machine.found("sys/class/thermal/thermal_zone*/type"):
        zone = kind.parent.relative_to(machine.root)
        degrees = machine.text(f"{zone}/temp")
        if machine.text(f"{zone}/type") == "cpu-thermal" and degrees.lstrip("-").isdigit():
            yield _warmth(int(degrees) / 1000)
            return


def _warmth(degrees: float) -> HealthFinding:
    if degrees >= HOT_C:
        slow = f"and slows down from {HOT_C:.0f} on: give it air and shade"
        return care("heat", f"The processor is at {degrees:.0f} °C, {slow}.")
    if degrees >= WARM_C:
        return note("heat", f"The processor is at {degrees:.0f} °C; it slows down from {HOT_C:.0f} on: give it air.")
    return fine("heat", f"The processor is at {degrees:.0f} °C.")


def _clock(machine: Machine, newest: float | None) -> Iterator[HealthFinding]:
    now = machine.wall()
    says = f"The clock says {_day(now)}"
    if now < NOT_BEFORE.timestamp():
        yield care("clock", f"{says}: it was never set. Only the dates of games are wrong. {SET_IT}.")
    elif newest is not None and now < newest - DAY_S:
        yield care("clock", f"{says}, but the ledger has a row of {_day(newest)}: one of them is wrong. {SET_IT}.")
    elif newest is not None and now > newest + YEARS_S:
        yield note("clock", f"{says}; the ledger's newest row is of {_day(newest)}. If the clock is wrong: {SET_IT}.")
    elif machine.run(("timedatectl", "show", "--property=NTPSynchronized", "--value")) == "no":
        yield note("clock", f"{says}; the network hasn't confirmed it yet. Only the dates of games depend on it.")
    else:
        yield fine("clock", f"{says}.")


def _day(seconds: float) -> str:
    return date_in_this_zone(seconds)
