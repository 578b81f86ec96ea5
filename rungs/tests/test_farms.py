"""The rungs of other packages, tested with fakes of their objects; `acceptance.py` runs them with the real packages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from rungs.farms import EmbeddedRung, LabgridRung
from rungs.known import SHIPPED
from rungs.rung import Unable
from rungs.wire import WireLost, open_wire

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class Late(Exception):
    """The timeout exception of a console."""


class Console:
    """A fake labgrid console whose device echoes its input."""

    def __init__(self) -> None:
        self.open = False
        self.said = b""

    def read(self, timeout: float) -> bytes:
        """Return the bytes that were written."""
        if not self.open:
            raise OSError("closed")
        if not self.said:
            raise Late
        said, self.said = self.said, b""
        return said

    def write(self, data: bytes) -> None:
        """Take *data*, to be read again."""
        self.said += data


class Power:
    """A fake power driver of labgrid."""

    def __init__(self) -> None:
        self.cycles = 0

    def cycle(self) -> None:
        """Switch the device off and on."""
        self.cycles += 1


class Target:
    """A fake target of labgrid."""

    name = "main"

    def __init__(self, *drivers: Any) -> None:
        self.drivers = drivers
        self.resources: list[Any] = []

    def activate(self, driver: Any) -> None:
        """Open *driver*."""
        driver.open = True

    def deactivate(self, driver: Any) -> None:
        """Close *driver*."""
        driver.open = False


def test_a_console_of_labgrid_is_a_wire() -> None:
    """On a labgrid console bytes pass both ways; a timeout reads as no bytes; a closed console is a `WireLost`."""
    console = Console()
    wire = LabgridRung(Target(console), console, Late).wire()
    wire.write(b"ID\n")

    assert (wire.read(1.0), wire.read(0.0)) == (b"ID\n", b"")
    console.open = False
    with pytest.raises(WireLost, match="labgrid:main is gone"):
        wire.read(0.0)


def test_a_farm_lends_one_wire_at_a_time() -> None:
    """A second wire is refused until the first wire is closed, and a wire may be closed twice."""
    console = Console()
    rung = LabgridRung(Target(console), console, Late)
    first = rung.wire()

    with pytest.raises(WireLost, match="in use"):
        rung.wire()
    first.close()
    first.close()
    rung.wire().close()


def test_the_power_of_a_target_is_switched_where_it_has_a_driver() -> None:
    """`power-cycle` uses labgrid's power driver; without one the rung says that it cannot switch the power."""
    console, power = Console(), Power()
    LabgridRung(Target(console, power), console, Late).do("power-cycle")
    without = LabgridRung(Target(console), console, Late)

    assert power.cycles == 1
    assert without.cannot == {"power": "labgrid's target main has no power switch for this device."}
    with pytest.raises(Unable, match="can't power-cycle"):
        without.do("power-cycle")


class Dut:
    """A fake of pytest-embedded's DUT, with a serial port."""

    def __init__(self) -> None:
        self.serial = self
        self.proc = open_wire("/dev/ptmx")
        self.reading = True
        self.port = "/dev/ptmx"

    def disable_redirect_thread(self) -> Dut:
        """Stop reading the port until the end of the block."""
        return self

    def __enter__(self) -> None:
        self.reading = False

    def __exit__(self, *fault: object) -> None:
        self.reading = True


def test_a_dut_reads_its_port_again_when_the_wire_is_closed() -> None:
    """The DUT's thread stops reading while a wire is open, because each byte can be read only once."""
    rung = EmbeddedRung(b"")
    rung.dut = Dut()

    wire = rung.wire()
    meanwhile = rung.dut.reading
    wire.close()

    assert (meanwhile, rung.dut.reading) == (False, True)
    assert rung.facts() == {"dut": "Dut", "port": "/dev/ptmx"}


def test_the_entry_points_are_those_of_the_distribution() -> None:
    """The rungs in the list `SHIPPED` are the entry points that pyproject.toml declares."""
    table = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))

    assert {each.name: each.value for each in SHIPPED} == table["project"]["entry-points"]["rungs"]
