"""`rungs proxy`: sits on the line between a program and its device, makes trouble on request, and records.

Each line on standard input is an order, in the words of the fixture `trouble`:

    spoil 0.2%          lose 1%          double 0.001      spoil+lose 0.5%
    delay 300 10%       (10 % of the portions, by 300 ms at most)
    stall 500           (ms)
    break               (the program loses its connection)
    calm                (ends all of them)
    ways to-host        (or to-device, both: where the next orders apply)
    quit
"""

from __future__ import annotations

import argparse
import os
import select
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Protocol, TextIO

from rungs import settings
from rungs.capture import CLOSED, LOST, OPENED, RECEIVED, SENT, Transcript
from rungs.rung import Missing, Spec
from rungs.shipped import process
from rungs.trouble import BOTH, BREAK, BYTES, DELAY, RATE, STALL, WAYS, WORDS, Line
from rungs.wire import FileWire, PolledWire, Terminal, Wire, WireLost, open_wire

POLL_S = 0.02
SEED = 1
DEVICES = "choose a port's path, a URL such as socket://127.0.0.1:4000, or process:COMMAND"
NEEDS = {"--lose": "--damage", "--double": "--damage"}


class BadOrder(Exception):
    """A line on standard input is not a valid order. The message is one sentence."""


def milliseconds(text: str) -> float:
    """Return the time in seconds for a text in milliseconds, such as `300`."""
    try:
        return float(text) / 1000
    except ValueError:
        raise BadOrder(f"{text!r} is no number of milliseconds.") from None


class Orders:
    """Applies orders to *line*, one at a time."""

    def __init__(self, line: Line, ways: str = BOTH) -> None:
        self.line = line
        self.over = False
        self._ways = ways

    def __repr__(self) -> str:
        return f"<Orders ways={self._ways!r} over={self.over}>"

    def obey(self, order: str, now: float) -> None:
        """Apply *order*. Raise `BadOrder` with a sentence if it isn't valid."""
        match order.split():
            case []:
                return
            case ["quit"]:
                self.over = True
            case ["calm"]:
                self.line.calm()
            case ["ways", ways] if ways in WAYS:
                self._ways = ways
            case [word, *more] if set(word.split("+")) <= WORDS.keys():
                self._begin(word, more, now)
            case _:
                raise BadOrder(f"{order.strip()!r} is no order: choose from {', '.join(WORDS)}, calm, ways, quit.")

    def _begin(self, word: str, more: list[str], now: float) -> None:
        timed = word in (DELAY, STALL)
        seconds = milliseconds(more.pop(0)) if timed and more else None
        rate = more.pop(0) if more else None if timed or word == BREAK else RATE
        if more:
            raise BadOrder(f"{word} takes no more than that: {' '.join(more)}.")
        try:
            self.line.begin(word, now, rate, seconds, BOTH if word == BREAK else self._ways)
        except ValueError as fault:
            raise BadOrder(str(fault)) from None


class Host(Protocol):
    """The end of the proxy that a program opens."""

    @property
    def address(self) -> str:
        """The address that the program opens."""

    def filenos(self) -> list[int]:
        """Return the file descriptors to wait for."""

    def read(self) -> bytes:
        """Accept a program that connects, and return the bytes that the program has sent."""

    def write(self, data: bytes) -> None:
        """Send *data* to the program."""

    def drop(self) -> None:
        """Close the program's connection."""

    def close(self) -> None:
        """Close this end."""


class PtyHost:
    """A pseudo-terminal at *link*. A program that loses its connection can open it again."""

    def __init__(self, link: Path) -> None:
        self._link = link
        self._terminal = Terminal(link)
        self.address = str(link)

    def filenos(self) -> list[int]:
        """Return the file descriptors to wait for."""
        return [self._terminal.wire.fileno()]

    def read(self) -> bytes:
        """Return the bytes that the program has sent."""
        return self._terminal.wire.read(0.0)

    def write(self, data: bytes) -> None:
        """Send *data* to the program."""
        self._terminal.wire.write(data)

    def drop(self) -> None:
        """Close the pseudo-terminal and make another one under the same name."""
        self._terminal.close()
        self._terminal = Terminal(self._link)

    def close(self) -> None:
        """Close the pseudo-terminal, and remove the symlink."""
        self._terminal.close()


class TcpHost:
    """A listening socket for one program at a time."""

    def __init__(self, address: str) -> None:
        self._server = socket.create_server(settings.address(address))
        self._server.setblocking(False)
        self._wire: FileWire | None = None
        self.address = "{}:{}".format(*self._server.getsockname()[:2])

    def filenos(self) -> list[int]:
        """Return the file descriptors to wait for."""
        return [self._wire.fileno() if self._wire else self._server.fileno()]

    def read(self) -> bytes:
        """Accept a program that connects, and return the bytes that the program has sent."""
        if self._wire is None:
            with suppress(BlockingIOError):
                connection, _ = self._server.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._wire = FileWire(self.address, connection.detach())
        try:
            return self._wire.read(0.0) if self._wire else b""
        except WireLost:
            self.drop()
            return b""

    def write(self, data: bytes) -> None:
        """Send *data* to the program, or drop it if no program is connected."""
        try:
            if self._wire:
                self._wire.write(data)
        except WireLost:
            self.drop()

    def drop(self) -> None:
        """Close the program's connection."""
        if self._wire:
            self._wire.close()
        self._wire = None

    def close(self) -> None:
        """Close the connection and the socket."""
        self.drop()
        self._server.close()


class Proxy:
    """Passes bytes between *device* and *host* over *line*, and records both sides as the host sees them."""

    def __init__(self, device: Wire, host: Host, line: Line, now: Callable[[], float], transcript: Transcript) -> None:
        self._device = device
        self._host = host
        self._line = line
        self._now = now
        self._transcript = transcript
        transcript.note(f"{OPENED} {device.name}")
        line.report(transcript.note)

    def __repr__(self) -> str:
        return f"<Proxy device={self._device.name!r} host={self._host.address!r} hits={self._line.hits}>"

    @property
    def wait_s(self) -> float:
        """How long to wait for bytes, in seconds, before something else is due."""
        longest = POLL_S if isinstance(self._device, PolledWire) else 60.0
        return max(min(self._line.due - self._now(), longest), 0.0)

    def filenos(self) -> list[int]:
        """Return the file descriptors to wait for."""
        device = [self._device.fileno()] if isinstance(self._device, FileWire) else []
        return [*device, *self._host.filenos()]

    def step(self) -> None:
        """Pass on new bytes and delayed bytes that are due. Raise `WireLost` if the device is gone."""
        now = self._now()
        if self._line.broken:
            self._host.drop()
            self._line.broken = False
            self._transcript.note(f"{LOST}: {BREAK}")
        said = self._host.read()
        self._transcript.passed(SENT, said)
        self._line.down.put(said, now)
        self._line.up.put(self._device.read(0.0), now)
        if data := self._line.down.take(now):
            self._device.write(data)
        if data := self._line.up.take(now):
            self._transcript.passed(RECEIVED, data)
            self._host.write(data)

    def end(self) -> None:
        """Write into the capture that the wire is closed."""
        self._transcript.note(CLOSED)


class Lines:
    """Splits the input from *file* into lines, without waiting. The end of the file doesn't end the proxy."""

    def __init__(self, file: BinaryIO) -> None:
        self._fd = file.fileno()
        self._rest = b""
        self.ended = False

    def fileno(self) -> int:
        """Return the file descriptor to wait for."""
        return self._fd

    def arrived(self) -> Iterator[str]:
        """Yield the lines that have arrived. Call it when the descriptor is readable."""
        data = os.read(self._fd, 4096)
        self.ended = not data
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace")


def run(proxy: Proxy, orders: Orders, lines: Lines, now: Callable[[], float], said: TextIO) -> None:
    """Run *proxy* until the order `quit`. The answer to an invalid order is a sentence on *said*."""
    while not orders.over:
        waiting = select.poll()
        for fd in proxy.filenos():
            waiting.register(fd, select.POLLIN)
        if not lines.ended:
            waiting.register(lines.fileno(), select.POLLIN)
        found = dict(waiting.poll(int(proxy.wait_s * 1000) + 1))
        if lines.fileno() in found:
            for order in lines.arrived():
                try:
                    orders.obey(order, now())
                except BadOrder as fault:
                    said.write(f"{fault}\n")
                    said.flush()
        proxy.step()
    proxy.end()


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the command line of `rungs proxy`."""
    parser.add_argument("device", metavar="DEVICE", help="a serial port, any URL of pyserial's, or process:COMMAND")
    end = parser.add_mutually_exclusive_group(required=True)
    end.add_argument("--pty", type=settings.FILE, metavar="LINK", help="be a serial port of this name")
    end.add_argument("--tcp", type=settings.ADDRESS, metavar="HOST:PORT", help="listen there")
    parser.add_argument("--damage", metavar="SHARE", help="spoil this share of the bytes: 0.2%% or 0.002")
    parser.add_argument("--lose", action="store_true", help="with --damage: some of them are lost")
    parser.add_argument("--double", action="store_true", help="with --damage: some of them arrive twice")
    parser.add_argument("--delay", metavar="MS", help="delay each portion by this at most")
    parser.add_argument("--stall", metavar="MS", nargs="?", const="300", help="let nothing through at the start (300)")
    parser.add_argument("--break", action="store_true", help="let the first connection be lost at once")
    parser.add_argument("--ways", choices=WAYS, default=BOTH, help="of the options above, and the first orders")
    parser.add_argument("--seed", type=settings.number(whole=True), default=SEED, help=f"of all trouble ({SEED})")
    parser.add_argument("--capture", type=settings.FILE, metavar="FILE", help="record what the program sees")


def begun(line: Line, args: argparse.Namespace, now: float) -> Orders:
    """Return the orders for *line*, after applying those on the command line."""
    orders = Orders(line, args.ways)
    chosen = {BYTES[0]: not (args.lose or args.double), BYTES[1]: args.lose, BYTES[2]: args.double}
    if args.damage:
        orders.obey(f"{'+'.join(word for word in BYTES if chosen[word])} {args.damage}", now)
    if args.delay:
        orders.obey(f"{DELAY} {args.delay}", now)
    if args.stall:
        orders.obey(f"{STALL} {args.stall}", now)
    if getattr(args, BREAK):
        orders.obey(BREAK, now)
    return orders


@contextmanager
def _host(args: argparse.Namespace) -> Iterator[Host]:
    try:
        host: Host = PtyHost(Path(args.pty)) if args.pty else TcpHost(args.tcp)
    except OSError as fault:
        raise WireLost(f"{args.pty or args.tcp} can't be opened: {fault}.") from None
    try:
        yield host
    finally:
        host.close()


def main(args: argparse.Namespace) -> int:
    """Run `rungs proxy`. If something is missing or lost, print one sentence to standard error and return 1."""
    with ExitStack() as open_:
        try:
            settings.check_needs(NEEDS, vars(args))
            line = Line.seeded(args.seed)
            orders = begun(line, args, time.monotonic())
            device = open_.enter_context(_device(args.device))
            host = open_.enter_context(_host(args))
            file = open_.enter_context(Path(args.capture).open("w", encoding="ascii")) if args.capture else None
            transcript = Transcript(time.monotonic, args.device, "rungs proxy", file)
            sys.stdout.write(f"{host.address}\n")
            sys.stdout.flush()
            proxy = Proxy(device, host, line, time.monotonic, transcript)
            run(proxy, orders, Lines(sys.stdin.buffer), time.monotonic, sys.stderr)
        except (BadOrder, Missing, WireLost, OSError, settings.Wrong) as fault:
            sys.stderr.write(f"rungs proxy: {fault}\n")
            return 1
    return 0


@contextmanager
def _device(name: str) -> Iterator[Wire]:
    """Yield a wire to the device at a port, or to the process of `process:COMMAND`."""
    kind, colon, command = name.partition(":")
    if colon and kind != "process" and "/" not in kind and not command.startswith("//"):
        raise Missing(f"{name!r} is no device: {DEVICES}.")
    with ExitStack() as open_:
        if kind == "process":
            rung = process(Spec(kind, command))
            open_.callback(rung.close)
            wire = rung.wire()
        else:
            wire = open_wire(name)
        open_.callback(wire.close)
        yield wire
