"""The thermometer's test suite: its model as a rung, and a host that queries it."""

from __future__ import annotations

from collections import deque

import pytest
from thermometer import Thermometer

from rungs import Rung, Unable, Wire


class ModelWire:
    """A wire to a thermometer in this process."""

    name = "model"

    def __init__(self, model: Model) -> None:
        self._model = model
        self._answers: deque[bytes] = deque()

    def read(self, timeout_s: float) -> bytes:
        """Return an answer, or let time pass."""
        if not self._answers:
            self._model.wait(timeout_s)
        return self._answers.popleft() if self._answers else b""

    def write(self, data: bytes) -> None:
        """Send *data* to the thermometer."""
        if answers := self._model.device.receive(data):
            self._answers.append(answers)

    def close(self) -> None:
        """Do nothing: there is no connection to close."""


class Model(Rung):
    """The thermometer in this process. Its time passes only in reads and waits."""

    name = "model"
    live = False

    def __init__(self) -> None:
        self._now = 0.0
        self.device = Thermometer()

    def wire(self) -> Wire:
        """Return a wire to the thermometer."""
        return ModelWire(self)

    def now(self) -> float:
        """Return the simulated time."""
        return self._now

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self._now += seconds

    def do(self, deed: str, **more: object) -> None:
        """Do `power-cycle`."""
        if deed != "power-cycle":
            raise Unable(f"The model has nobody who can {deed}.")
        self.device = Thermometer()

    def restore(self) -> None:
        """Replace the thermometer with one that was just switched on."""
        self.do("power-cycle")


def pytest_rungs_rung(spec):
    """Return the rung `model`, or None for any other."""
    return Model() if str(spec) == "model" else None


class Host:
    """Queries the thermometer at *wire*. Timeouts are in the time of *rung*."""

    def __init__(self, wire: Wire, rung: Rung) -> None:
        self._wire = wire
        self._rung = rung
        self._heard = b""

    def send(self, line: bytes) -> None:
        """Send *line*."""
        self._wire.write(line + b"\n")

    def line(self, within_s: float = 1.0) -> str:
        """Return the next line of the device, or an empty string after *within_s* seconds."""
        until = self._rung.now() + within_s
        while b"\n" not in self._heard and self._rung.now() < until:
            self._heard += self._wire.read(until - self._rung.now())
        if b"\n" not in self._heard:
            return ""
        line, _, self._heard = self._heard.partition(b"\n")
        return line.decode("latin-1")

    def ask(self, line: str) -> str:
        """Send *line*, and return the answer."""
        self.send(line.encode("latin-1"))
        return self.line()

    def temperature(self) -> float:
        """Return a reading."""
        word, number = self.ask("READ").split(" ")
        assert word == "T"
        return float(number)


@pytest.fixture
def host(wire, rung):
    """A host connected to the thermometer."""
    return Host(wire, rung)
