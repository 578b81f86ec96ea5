"""Rungs for simulated devices: a model in this process with simulated time, and a process that creates its own port."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any, Protocol

from rungs.load import waited_s
from rungs.rung import Missing, Rung
from rungs.wire import Bell, Wire, WireLost, open_wire

TICK_S = 0.0005  # how long to wait for a model that is due but has nothing to send
MOST_UNREAD = 16_384  # the most bytes that are buffered for a host which doesn't read
ENDS_S = 10.0
METHODS = ("receive", "outgoing", "due")


class Model(Protocol):
    """A device in this process. Times are arguments, in seconds."""

    def receive(self, data: bytes, now: float) -> None:
        """Accept bytes from the host."""

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to write now."""

    def due(self, now: float) -> float:
        """Return the time at which `outgoing` will next have bytes, unless something arrives before then."""


class ModelRung(Rung):
    """A rung around a *model*. Time passes only in `wait` and in reads. `restore` does nothing unless it is overridden.

    The next read returns what the model has sent while nobody read.

    >>> class Echo:
    ...     said = b""
    ...     def receive(self, data, now):
    ...         self.said += data
    ...     def outgoing(self, now):
    ...         said, self.said = self.said, b""
    ...         return said
    ...     def due(self, now):
    ...         return now + 1.0
    >>> rung = ModelRung(Echo())
    >>> wire = rung.wire()
    >>> wire.write(b"a")
    >>> wire.read(1.0), wire.read(1.0), round(rung.now())
    (b'a', b'', 1)
    """

    live = False

    def __init__(self, model: Model, start_s: float = 0.0) -> None:
        lacks = [name for name in METHODS if not callable(getattr(model, name, None))]
        if lacks:
            raise Missing(f"{type(model).__name__} is no model: it has no {', '.join(lacks)}.")
        self.model = model
        self._now = start_s
        self._gone_until = 0.0
        self._plugs = 0
        self._unread = b""

    def now(self) -> float:
        """Return the time in seconds."""
        return self._now

    def wait(self, seconds: float) -> None:
        """Let time pass for the model without reading from it."""
        until = self._now + seconds
        while self._now < until:
            self._unread += self.model.outgoing(self._now)
            if len(self._unread) > MOST_UNREAD:
                self._now = until
            self._now = min(max(self.model.due(self._now), self._now + TICK_S), until)

    def wire(self) -> Wire:
        """Return a wire to the model. Unplugging the model loses the wire permanently."""
        if self._now < self._gone_until:
            raise WireLost(f"{self.name or 'The model'} is unplugged.")
        self._unread = b""
        return _ModelWire(self, self._plugs)

    def unplug(self, seconds: float) -> None:
        """Unplug the model, and plug it in again after *seconds*."""
        self._gone_until = self._now + seconds
        self._plugs += 1

    def read(self, plug: int, timeout_s: float) -> bytes:
        """Return the model's next bytes, or empty bytes after *timeout_s*."""
        until = self._now + timeout_s
        while True:
            if plug != self._plugs:
                raise WireLost(f"{self.name or 'The model'} was unplugged.")
            data, self._unread = self._unread + self.model.outgoing(self._now), b""
            if data or self._now >= until:
                return data
            due = min(self.model.due(self._now), until)
            self._now = due if due > self._now else self._now + TICK_S


class _ModelWire:
    """A wire to the model of *rung*. *plug* is how often the model had been unplugged by then."""

    def __init__(self, rung: ModelRung, plug: int) -> None:
        self.name = rung.name or "model"
        self._rung = rung
        self._plug = plug

    def __repr__(self) -> str:
        return f"<_ModelWire name={self.name!r} plug={self._plug}>"

    def read(self, timeout_s: float) -> bytes:
        return self._rung.read(self._plug, timeout_s)

    def write(self, data: bytes) -> None:
        model: Any = self._rung.model
        # A model must not return its answer, because the host would never receive it.
        if data and (answer := model.receive(data, self._rung.now())) is not None:
            raise TypeError(f"`receive` returned {answer!r}: what a model sends comes from `outgoing`.")

    def close(self) -> None:
        """Do nothing: there is no connection to close."""


class Process(Protocol):
    """The part of `subprocess.Popen` that is used here. Its standard streams are pipes in text mode."""

    pid: int
    stdin: IO[str] | None
    stdout: IO[str] | None

    def terminate(self) -> None:
        """Ask the process to end."""

    def communicate(self, *, timeout: float) -> tuple[str, str]:
        """Wait until the process has ended."""


class ScriptedRung(Rung):
    """A device that is a separate *process*. It creates its port at *path*, and prints a line when the port is ready.

    Lines on its standard input stand for a person's actions at the device. If it writes anything to its
    standard error file, *complaints*, the promise of the test is broken.
    """

    def __init__(self, process: Any, path: Path, complaints: Path) -> None:
        self.path = path
        self._process: Process = process
        self._complaints = complaints
        self._bells: list[Bell] = []
        if process.stdout is None or not process.stdout.readline():
            raise Missing(self._complaint() or f"The process of {path} has ended at once.")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} path={str(self.path)!r}>"

    def wire(self) -> Wire:
        """Return a wire to the port."""
        bell = Bell()
        self._bells.append(bell)
        return open_wire(str(self.path), bell)

    def tell(self, line: str) -> None:
        """Send a line that stands for a person's action at the device, without waiting for the action."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def restore(self) -> None:
        """Check that the process has written nothing to standard error."""
        complaint = self._complaint()
        assert not complaint, complaint

    def waited_s(self) -> float:
        """Return how long the process has waited for a processor."""
        return waited_s(self._process.pid)

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.communicate(timeout=ENDS_S)
        for bell in self._bells:
            bell.close()

    def _complaint(self) -> str:
        return self._complaints.read_text(encoding="utf-8", errors="replace").strip()
