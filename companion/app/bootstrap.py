"""One evening put together: ledger, table, ring and pages, opened in order and closed in order."""

from __future__ import annotations

import json
import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from random import SystemRandom

from companion.app.data_folder import CAPTURES, CONSOLE, LEDGER, SERVICE, make_folder
from companion.app.exit_codes import FINE, BadUse, Failed
from companion.app.power_off import PowerOff, command_for
from companion.app.ring_controller import Evening
from companion.app.workers import ticking
from companion.console.controller import ConsoleKeeper, keeping
from companion.games.registry import GAMES
from companion.kernel.i18n import said
from companion.ledger import Ledger, LedgerFault
from companion.model.snapshot import DAMAGE
from companion.ports.calibration import BadCalibration
from companion.session.table import Table
from firmware_bridge import BadInput, calibration_of, look_at, open_ring
from firmware_bridge.pi_console import NoPins, look_at_console, open_console, read_plan, ring_pins
from web import Access, Neighbourhood, Service, Streams, lan_address, make_app
from web.games.andromeda import PAGES as ANDROMEDA_PAGES

SWITCH_S = 0.0002
"""How long a busy thread keeps the others waiting: news of a draw must not wait for a page being made."""
PAGES = {ANDROMEDA_PAGES.name: ANDROMEDA_PAGES}


@contextmanager
def evening(data: Path, ring_url: str) -> Iterator[Evening]:
    """Open the ledger in *data* and the ring at *ring_url*; both are let go of at the end."""
    with ExitStack() as closing:
        table = Table(Ledger.open(data / LEDGER), GAMES, time.monotonic, SystemRandom())
        closing.callback(table.close)
        opened = Evening(table, lambda listener: open_ring(ring_url, listener, captures=data / CAPTURES))
        closing.callback(opened.close)
        closing.callback(ticking(table.tick, table.unattended))
        yield opened


def run_serve(args: Namespace) -> int:
    """Serve one evening until SIGTERM or SIGINT."""
    sys.setswitchinterval(SWITCH_S)
    power = PowerOff(command_for(args.power_off))
    with _opened(args) as opened:
        _serve(opened, args, power)
    power.carry_out()
    return FINE


def run_calibrate(args: Namespace) -> int:
    """Teach the ring a copy's colours at the keyboard, and keep that with the copy."""
    from companion.app.cli.calibration import OUR_COPY, alone, colours_of, keep_line, say, today, write_line
    from companion.app.terminal.wizard import Inbox, Teaching, typed_lines

    alone(args.data, "/ring/teach")
    inbox = Inbox(typed_lines(sys.stdin.fileno()))
    with _opened(args) as opened:
        instrument, table = opened.ring.instrument, opened.table
        if instrument is None:
            raise BadUse("--ring: a ring is needed that measures something")
        table.subscribe_ring(inbox.stir)
        instrument.subscribe(inbox.stir)
        copy = args.copy or table.snapshot.copy or OUR_COPY
        colours = args.colours or colours_of(table, copy)
        try:
            line = Teaching(opened.ring, instrument, inbox, say, args.passes).run(copy, colours, today)
        except BadCalibration as fault:
            raise Failed(f"nothing was changed: {fault.reason}") from None
        if line is None:
            raise Failed("given up: nothing was changed")
        if args.out:
            write_line(args.out, line)
        keep_line(table, line, colours)
    return FINE


def run_calibration_import(args: Namespace) -> int:
    """Keep the calibration in *args.file*, if it is a whole one; through the running service when there is one."""
    from companion.app.cli.calibration import bring, keep_line, read_line, say
    from companion.app.cli.running_service import neighbour

    read = read_line(args.file)
    try:
        calibration = calibration_of(read)
    except BadInput as fault:
        raise BadUse(f"{args.file}: {fault}") from None
    service = neighbour(args.data)
    if service is not None:
        service.ask("/api/v1/ring/deeds", bring(calibration.line()))
        say("The running service has taken it in.")
        return FINE
    args.ring = "none"
    with _opened(args) as opened:
        keep_line(opened.table, calibration.line(), calibration.colours)
    return FINE


def run_doctor(args: Namespace) -> int:
    """Look over all that a game night takes, the ring too when one is named."""
    from companion.app.cli import doctor

    try:
        return doctor.run_doctor(args, look_at, look_at_console)
    except BadInput as fault:
        raise BadUse(f"--ring: {fault}") from None


def run_pin(args: Namespace) -> int:
    """Print the host's PIN, a new one with *args.renew*."""
    make_folder(args.data)
    access = Access(args.data)
    try:
        print(access.renew() if args.renew else access.pin)
    except OSError as fault:
        raise Failed(f"the PIN cannot be kept in {args.data}: {fault.strerror}") from None
    return FINE


@contextmanager
def _opened(args: Namespace) -> Iterator[Evening]:
    make_folder(args.data)
    try:
        with evening(args.data, args.ring) as opened:
            yield opened
    except BadInput as fault:
        raise BadUse(f"--ring: {fault}") from None
    except LedgerFault as fault:
        raise Failed(str(fault)) from None


def _serve(opened: Evening, args: Namespace, power: PowerOff) -> None:
    for notice in opened.table.snapshot.notices:
        if notice.kind in DAMAGE:
            print(f"companion: {notice.text}", file=sys.stderr, flush=True)
    access = Access(args.data)
    streams = Streams(opened.table.snapshot)
    opened.table.subscribe(streams.tell)
    streams.tell(opened.table.snapshot)
    opened.table.subscribe_ring(streams.tell_ring)

    def switch_off() -> None:
        power.ask(service.stop)

    ends = switch_off if power.possible else None
    app = make_app(opened.table, opened.ring, PAGES, access, power_off=ends, doors=lambda: neighbourhood.doors)
    try:
        service = Service(app, streams, args.bind, args.port)
    except OSError as fault:
        raise Failed(f"port {args.port} on {args.bind} cannot be opened: {fault.strerror}") from None
    neighbourhood = Neighbourhood(_seen_at(args.bind), service.port, _found_by_number)
    note = args.data / SERVICE
    console_ends = _console(opened.table, args)
    try:
        service.run(lambda port: _announce(args, port, access.pin, note, neighbourhood))
    finally:
        neighbourhood.close()
        console_ends()
        note.unlink(missing_ok=True)


def _console(table: Table, args: Namespace) -> Callable[[], None]:
    """Keep the console going that is wired to this machine, and return its end; without its pins, say so in one line.

    A file that was named must be right; one that merely lies in the data
    folder keeps nobody from playing.
    """
    path = args.console or args.data / CONSOLE
    if args.console is None and not path.is_file():
        return lambda: None
    try:
        plan = read_plan(path, ring_pins(args.ring))
        keeper = ConsoleKeeper(table, open_console(plan), time.monotonic)
    except (BadInput, NoPins) as fault:
        if args.console is not None and isinstance(fault, BadInput):
            raise BadUse(f"--console: {fault}") from None
        print(f"companion: {fault} The evening goes on without a console.", file=sys.stderr, flush=True)
        return lambda: None
    return keeping(keeper, partial(table.unattended, what=said("The console")))


def _announce(args: Namespace, port: int, pin: str, note: Path, neighbourhood: Neighbourhood) -> None:
    """Say where the table is, to people and, in a small file, to this program's other commands."""
    local = f"http://{_local(args.bind)}:{port}"
    print(f"The table is at {local}/", flush=True)
    if args.bind in ("0.0.0.0", "::") and (address := lan_address()):  # noqa: S104
        print(f"On the tablet: http://{address}:{port}/")
    print(f"Host PIN: {pin}", flush=True)
    try:
        note.write_text(json.dumps({"url": local, "pid": os.getpid()}), encoding="utf-8")
    except OSError as fault:
        print(f"companion: {note} cannot be written: {fault.strerror}", file=sys.stderr)
    if args.mdns:
        neighbourhood.open()


def _found_by_number(why: str) -> None:
    print(f"companion: {why}", file=sys.stderr, flush=True)


def _seen_at(bind: str) -> Callable[[], str | None] | None:
    """Return what gives the address by which the local network reaches this house; None where nobody else does."""
    if bind in ("0.0.0.0", "::", ""):  # noqa: S104
        return lan_address
    try:
        return None if ip_address(bind).is_loopback else lambda: bind
    except ValueError:
        return None  # a name: whoever gave it knows by what others find it


def _local(bind: str) -> str:
    if bind in ("0.0.0.0", "::", ""):  # noqa: S104
        return "127.0.0.1"
    return f"[{bind}]" if ":" in bind else bind
