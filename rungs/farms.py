"""Rungs from other packages: a device in a Jumpstarter or labgrid farm, and the `dut` of pytest-embedded.

These packages are imported only when such a rung is requested. Each wire is exclusive, like a serial port:
opening a second one at the same time raises `WireLost`.
"""

from __future__ import annotations

import os
import re
import socket
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from types import MappingProxyType
from typing import Any, ClassVar

from rungs.rung import Missing, Rung, Spec, Unable
from rungs.shipped import restoring, send_and_hear
from rungs.wire import FileWire, Wire, WireLost, losing, opening

NO_POWER = "{} has no power switch for this device."
LABGRID_ENV = "LG_ENV"
JUMPSTARTER_HOST = "JUMPSTARTER_HOST"
WORKER = "PYTEST_XDIST_WORKER"
TERM = re.compile(r"(.+?)(!=|==?)(.*)")  # one term of a Jumpstarter selector


def _imported(module: str, extra: str) -> Any:
    try:
        return import_module(module)
    except ImportError as fault:
        raise Missing(f"`{extra}:` needs another package ({fault}): pip install pytest-rungs[{extra}].") from None


@contextmanager
def _theirs(package: str) -> Iterator[None]:
    """Turn every exception of *package* into `Missing`, with its message."""
    try:
        yield
    except Missing:
        raise
    except Exception as fault:
        told = str(fault).strip().splitlines()
        raise Missing(f"{package}: {told[0] if told else type(fault).__name__}") from fault


class FarmRung(Rung):
    """A device that another package provides. *restore* is written to it after each test."""

    alone = True

    def __init__(self, restore: bytes) -> None:
        self._restore = restore
        self._in_use = False

    def wire(self) -> Wire:
        """Return a wire to the device, without the bytes that the device has sent earlier."""
        if self._in_use:
            raise WireLost(f"{self.name} has one wire, and it is in use.")
        with ExitStack() as undoing:
            wire = _OneWire(self._opened(), self._released)
            self._in_use = True
            undoing.callback(wire.close)
            while wire.read(0.0):
                pass
            undoing.pop_all()
        return wire

    def restore(self) -> None:
        """Write the line that restores the device, if the suite has one."""
        if self._restore:
            send_and_hear(self.wire(), self._restore)

    @abstractmethod
    def _opened(self) -> Wire:
        """Open a wire to the device and return it."""

    def _released(self) -> None:
        self._in_use = False


class _OneWire:
    """The wire of a farm's rung. Only after it is closed can another one be opened."""

    def __init__(self, wire: Wire, closed: Callable[[], None]) -> None:
        self.name = wire.name
        self._wire = wire
        self._closed = closed
        self._open = True

    def read(self, timeout_s: float) -> bytes:
        return self._wire.read(timeout_s)

    def write(self, data: bytes) -> None:
        self._wire.write(data)

    def close(self) -> None:
        if self._open:
            self._open = False
            self._wire.close()
            self._closed()


class LabgridRung(FarmRung):
    """A labgrid console. *console* is a driver of *target* with labgrid's ConsoleProtocol; it raises *timeout*."""

    name = "labgrid"

    def __init__(self, target: Any, console: Any, timeout: type[Exception], restore: bytes = b"") -> None:
        super().__init__(restore)
        self._target = target
        self._console = console
        self._timeout = timeout
        self.cannot = {} if self._power() else {"power": NO_POWER.format(f"labgrid's target {target.name}")}

    def __repr__(self) -> str:
        return f"<LabgridRung target={self._target.name!r} console={type(self._console).__name__}>"

    def do(self, deed: str, **more: object) -> None:
        """Do `power-cycle` with the target's power driver."""
        power = self._power()
        if deed != "power-cycle" or power is None:
            raise Unable(f"labgrid's target {self._target.name} can't {deed}.")
        self._target.activate(power)
        power.cycle()

    def facts(self) -> Mapping[str, object]:
        """Return the names of the target and its console, and of its place if it is remote."""
        places = [each.name for each in self._target.resources if type(each).__name__ == "RemotePlace"]
        found = {"target": self._target.name, "console": type(self._console).__name__}
        return {**found, "place": places[0]} if places else found

    def close(self) -> None:
        """Release the target."""
        self._target.cleanup()

    def _opened(self) -> Wire:
        with opening(self.name):
            self._target.activate(self._console)
        return _ConsoleWire(self._target, self._console, self._timeout)

    def _power(self) -> Any:
        """Return the driver of the target that switches its power, or None."""
        return next((each for each in self._target.drivers if hasattr(each, "cycle")), None)


class _ConsoleWire:
    """A wire over a labgrid driver with labgrid's ConsoleProtocol."""

    def __init__(self, target: Any, console: Any, timeout: type[Exception]) -> None:
        self.name = f"labgrid:{target.name}"
        self._target = target
        self._console = console
        self._timeout = timeout

    def read(self, timeout_s: float) -> bytes:
        with losing(self.name):
            try:
                return bytes(self._console.read(timeout=max(timeout_s, 0.0)))
            except self._timeout:
                return b""

    def write(self, data: bytes) -> None:
        with losing(self.name):
            self._console.write(data)

    def close(self) -> None:
        with suppress(Exception):  # closing a port that has disappeared also fails
            self._target.deactivate(self._console)


def labgrid(spec: Spec) -> Rung:
    """Return the rung `labgrid:TARGET/DRIVER`. DRIVER is a driver's name or class, and may be omitted."""
    role, _, driver = spec.argument.partition("/")
    file = spec.config.get("labgrid-env")
    path = str(spec.folder / str(file)) if file else os.environ.get(LABGRID_ENV, "")
    if not path:
        raise Missing("`labgrid:` needs an environment: LG_ENV=FILE, or labgrid-env = FILE in [tool.pytest-rungs].")
    package = _imported("labgrid", "labgrid")
    with _theirs("labgrid"):
        environment = package.Environment(path)
        target = environment.get_target(role or "main")
        if target is None:
            targets = ", ".join(environment.config.get_targets())
            raise Missing(f"{path} has no target {role or 'main'!r}: choose from {targets}.")
        named = driver in {each.name for each in target.drivers}
        kind, name = ("ConsoleProtocol", driver or None) if named or not driver else (driver, None)
        console = target.get_driver(kind, name=name, activate=False)
        return LabgridRung(target, console, import_module("pexpect").TIMEOUT, restoring(spec))


class JumpstarterRung(FarmRung):
    """A Jumpstarter serial port. *serial* is its client, and *siblings* are the clients next to it."""

    name = "jumpstarter"

    def __init__(self, serial: Any, siblings: Mapping[str, Any], about: Mapping[str, object], restore: bytes) -> None:
        super().__init__(restore)
        self._serial = serial
        self._power = siblings.get("power")
        self._about = about
        self._open = ExitStack()
        self.cannot = {} if self._power else {"power": NO_POWER.format("Jumpstarter's exporter")}

    def __repr__(self) -> str:
        return f"<JumpstarterRung about={self._about!r}>"

    def entered(self, stack: ExitStack) -> JumpstarterRung:
        """Return this rung, which at the end closes *stack*: the connection to the exporter, and the lease."""
        self._open = stack
        return self

    def do(self, deed: str, **more: object) -> None:
        """Do `power-cycle` with the `power` client next to the serial port."""
        if deed != "power-cycle" or self._power is None:
            raise Unable(f"Jumpstarter's exporter can't {deed}.")
        self._power.cycle()

    def facts(self) -> Mapping[str, object]:
        """Return the exporter, its labels and the lease."""
        return self._about

    def close(self) -> None:
        """Release the exporter."""
        self._open.close()

    def _opened(self) -> Wire:
        adapters = import_module("jumpstarter_driver_network.adapters")
        with opening(self.name), ExitStack() as undoing:
            path = undoing.enter_context(adapters.UnixPortforwardAdapter(client=self._serial))
            line = undoing.enter_context(socket.socket(socket.AF_UNIX))
            line.connect(str(path))
            return _LentWire(FileWire(self.name, os.dup(line.fileno())), undoing.pop_all())


class _LentWire:
    """A wire over a connection *lent* by another package, which gets it back when the wire is closed."""

    def __init__(self, wire: FileWire, lent: ExitStack) -> None:
        self.name = wire.name
        self._wire = wire
        self._lent = lent

    def read(self, timeout_s: float) -> bytes:
        return self._wire.read(timeout_s)

    def write(self, data: bytes) -> None:
        self._wire.write(data)

    def close(self) -> None:
        self._wire.close()
        with suppress(Exception):  # returning a connection that has disappeared also fails
            self._lent.close()


def jumpstarter(spec: Spec) -> Rung:
    """Return the rung `jumpstarter:SELECTOR/PATH`. PATH is a serial port of the exporter, such as `board.serial`."""
    selector, _, path = spec.argument.rpartition("/")
    if not path:
        raise Missing("`jumpstarter:` needs a serial port of the exporter, as in jumpstarter:board=lamp/serial.")
    _imported("jumpstarter_driver_network.adapters", "jumpstarter")
    with _theirs("Jumpstarter"), ExitStack() as undoing:
        entered = _in_its_shell if JUMPSTARTER_HOST in os.environ else _leased
        root, facts = entered(selector, undoing)
        *inside, last = path.split(".")
        for name in inside:
            root = _child(root, name)
        serial = _child(root, last)
        return JumpstarterRung(serial, root.children, facts, restoring(spec)).entered(undoing.pop_all())


def _in_its_shell(selector: str, undoing: ExitStack) -> tuple[Any, Mapping[str, object]]:
    """Return the exporter of the Jumpstarter shell in which this program runs, and its facts."""
    shell = _imported("jumpstarter.utils.env", "jumpstarter")
    root, about = undoing.enter_context(shell.env_with_metadata())
    _check_labels(selector, about.labels)
    return root, {"exporter": about.name, **about.labels, **({"lease": about.lease} if about.lease else {})}


def _leased(selector: str, undoing: ExitStack) -> tuple[Any, Mapping[str, object]]:
    """Lease an exporter with the labels of *selector* until the end of the run. Return it and its facts."""
    if WORKER in os.environ:
        raise Missing("Each process of pytest-xdist would lease a board of its own: run pytest -n inside of jmp shell.")
    if not selector:
        raise Missing("`jumpstarter:` needs labels to lease by, as in jumpstarter:board=lamp/serial, or a jmp shell.")
    user = _imported("jumpstarter.config.user", "jumpstarter").UserConfigV1Alpha1
    client = user.load().config.current_client
    if client is None:
        raise Missing("Jumpstarter has no current client: jmp config client use NAME.")
    lease = undoing.enter_context(client.lease(selector=selector))
    root = undoing.enter_context(lease.connect())
    return root, {"exporter": lease.exporter_name, **lease.exporter_labels, "lease": lease.name}


def _check_labels(selector: str, labels: Mapping[str, str]) -> None:
    """Raise `Missing` if this shell's exporter has labels that don't fit *selector*. `in` terms are not checked.

    >>> _check_labels("board=lamp,room!=attic", {"board": "lamp"})
    >>> _check_labels("board==lamp", {})
    """
    for term in filter(None, (TERM.fullmatch(each) for each in selector.split(",") if labels)):
        name, sign, value = term.groups()
        if (labels.get(name) == value) == (sign == "!="):
            raise Missing(f"The exporter of this shell has {name}={labels.get(name, '')}, and {term[0]} is asked for.")


def _child(client: Any, name: str) -> Any:
    if name not in client.children:
        raise Missing(f"Jumpstarter's exporter has no {name!r}: choose from {', '.join(client.children)}.")
    return client.children[name]


class EmbeddedRung(FarmRung):
    """The `dut` of pytest-embedded, whose plugin creates a new one for each test."""

    name = "embedded"
    dut: Any = None
    cannot: Mapping[str, str] = MappingProxyType({"power": NO_POWER.format("pytest-embedded")})

    def __repr__(self) -> str:
        return f"<EmbeddedRung dut={type(self.dut).__name__}>"

    def facts(self) -> Mapping[str, object]:
        """Return the class of the dut, and its port if it has one."""
        port = getattr(getattr(self.dut, "serial", None), "port", None)
        return {"dut": type(self.dut).__name__, **({"port": port} if port else {})}

    def _opened(self) -> Wire:
        serial = getattr(self.dut, "serial", None)
        if serial is None:
            return _DutWire(self.dut)
        with opening(self.name), ExitStack() as undoing:
            # Its thread passes the port's data on through a file, which delays answers. So only we read the port.
            undoing.enter_context(serial.disable_redirect_thread())
            return _LentWire(FileWire(self.name, os.dup(serial.proc.fileno())), undoing.pop_all())


class _DutWire:
    """A wire over a dut without a serial port, such as an emulator: it reads what pytest-embedded has collected."""

    ANY: ClassVar[re.Pattern[bytes]] = re.compile(b".+", re.DOTALL)

    def __init__(self, dut: Any) -> None:
        self.name = "embedded"
        self._dut = dut
        self._timeout = import_module("pexpect").TIMEOUT

    def read(self, timeout_s: float) -> bytes:
        with losing(self.name):
            try:
                return bytes(self._dut.expect(self.ANY, timeout=max(timeout_s, 0.0))[0])
            except self._timeout:
                return b""

    def write(self, data: bytes) -> None:
        with losing(self.name):
            self._dut.write(data)

    def close(self) -> None:
        """Do nothing: the dut is closed by pytest-embedded."""


def embedded(spec: Spec) -> Rung:
    """Return the rung `embedded`, the device that pytest-embedded's own options choose."""
    if spec.argument:
        raise Missing(f"`embedded` takes no argument, not {spec.argument!r}: pytest-embedded's options choose the dut.")
    _imported("pytest_embedded", "embedded")
    return EmbeddedRung(restoring(spec))
