"""`companion serve`, `doctor`, `pin`, `update` and `rollback`: the service on this computer."""

from __future__ import annotations

import gc
import json
import os
import shutil
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.arguments import add_data, add_json, add_ring, port
from companion.app.bridge_faults import bridge_faults
from companion.app.exit_codes import FAILED, FINE, BadUse, Failed
from companion.app.progress import watching
from companion.kernel.languages import DEFAULT, SPOKEN

if TYPE_CHECKING:
    from companion.app.club_link import ClubLink
    from companion.app.power_off import PowerOff
    from companion.app.ring_controller import RingController
    from companion.model.link import LinkView

PORT = 8000
SWITCH_S = 0.0002
"""The longest time, in seconds, that a busy thread may hold the interpreter's lock.

It is short, so that publishing a draw does not wait for the rendering of a page.
"""


def add_serve(parser: ArgumentParser) -> None:
    """Add the options for the ring, and for the address of the pages."""
    add_ring(parser, usual="none")
    parser.add_argument("--bind", default="0.0.0.0", metavar="ADDR", help="address to listen on")  # noqa: S104
    parser.add_argument("--port", type=port, default=PORT, help="port to listen on; 0 picks a free one")
    parser.add_argument("--no-mdns", dest="mdns", action="store_false", help="don't announce this companion by name")
    parser.add_argument(
        "--power-off", metavar="COMMAND", help="command that switches this computer off (set on a Raspberry Pi)"
    )
    parser.add_argument(
        "--console", type=Path, metavar="FILE", help="file that assigns the pins (default: DIR/console.toml)"
    )
    parser.add_argument(
        "--speaker",
        nargs="?",
        const=DEFAULT,
        choices=SPOKEN,
        help=f"speak on this computer with espeak-ng, in {', '.join(SPOKEN)}",
    )
    parser.add_argument("--speaker-words", choices=("few", "usual", "all"), default="usual", help="how much is spoken")
    add_data(parser)


def run_serve(args: Namespace) -> int:
    """Run the service until SIGTERM or SIGINT."""
    gc.disable()  # a collection would take a sixth of the start time and find nothing
    try:
        from companion.app.bootstrap import opened_for
        from companion.app.bounded_log import bound_the_log
        from companion.app.data_folder import make_folder, mend_modes
        from companion.app.power_off import PowerOff, command_for
        from companion.kernel.supervisor import Supervisor

        bound_the_log()
        sys.setswitchinterval(SWITCH_S)
        threads = Supervisor()
        power = PowerOff(command_for(args.power_off), threads=threads)
        for sentence in mend_modes(make_folder(args.data)):
            _complain(sentence)
        with opened_for(args.data, args.ring, threads) as opened:
            _print_damage(opened)
            _serve(opened, args, power)
    finally:
        gc.enable()
    power.carry_out()
    return FINE


def _serve(opened: RingController, args: Namespace, power: PowerOff) -> None:
    from companion.app.address_note import AddressNote
    from companion.app.automatic_backups import AutomaticBackups, start_backups
    from companion.app.bootstrap import WebServer
    from companion.app.console_at_hand import start_console
    from companion.app.data_folder import HOME, MEMBERSHIP, SERVICE
    from companion.app.ring_journal import ring_journal
    from companion.app.summarising import start_summaries
    from web import HostPin

    access = HostPin(args.data)
    for sentence in access.regenerated:
        _complain(sentence)
    links: list[Callable[[], LinkView]] = []

    @cache  # so that without a club its code is not imported
    def club() -> ClubLink:
        from companion.app.club_link import ClubLink

        link = ClubLink(opened.table, args.data, _complain, opened.threads, links)
        closing.callback(link.end)
        return link

    server = WebServer(opened, access, args.bind, args.port, power, _complain, args.data, links, club)
    note = AddressNote(args.data / SERVICE, _complain, opened.threads)
    with ExitStack() as closing:
        closing.callback(note.take_away)
        closing.callback(start_console(opened, args.data, args.console, args.ring, _complain))
        closing.callback(server.mdns.close)
        if args.speaker is not None:
            closing.callback(_speaker(opened, args))
        closing.callback(ring_journal(opened.table, _complain, opened.threads))
        closing.callback(start_summaries(opened.table, opened.threads))
        if (args.data / MEMBERSHIP).exists():
            club().start()
        if (args.data / HOME).exists():
            from companion.app.club_link import home_link

            closing.callback(home_link(opened.table, args.data, _complain, opened.threads, links))
        backups = AutomaticBackups(args.data, _complain)
        closing.callback(start_backups(opened.table, backups, opened.threads))

        def announce(number: int) -> None:
            gc.freeze()  # so that later collections skip these objects and do not delay a page
            gc.enable()
            note.put(_local(args.bind, number))  # before the address is printed, because its reader may use it at once
            _say_where(args.bind, number, access.pin, server.entrances().alone)
            if args.mdns:
                server.mdns.open()

        server.service.run(announce)


def _speaker(opened: RingController, args: Namespace) -> Callable[[], None]:
    from companion.app.speaker import PROGRAM, speaking
    from companion.model.speech import Verbosity

    words = Verbosity[args.speaker_words.upper()]
    return speaking(opened.table, shutil.which(PROGRAM), args.speaker, words, time.monotonic, _complain, opened.threads)


def _print_damage(opened: RingController) -> None:
    from companion.model.snapshot import DAMAGE

    for sentence in opened.table.live.ledger.mended:
        _complain(sentence)
    for notice in opened.table.snapshot.notices:
        if notice.kind in DAMAGE:
            _complain(notice.text)


def _say_where(bind: str, number: int, pin: str, alone: bool) -> None:
    """Print the addresses of the table, and a note if no other device can reach it."""
    from web import lan_address

    print(f"The table is at {_local(bind, number)}/", flush=True)
    if bind in ("0.0.0.0", "::") and (address := lan_address()):  # noqa: S104
        print(f"On the tablet: http://{address}:{number}/")
    print(f"Host PIN: {pin}", flush=True)
    if alone:
        print(
            "Only this machine can open it. With BIND=0.0.0.0 (--bind 0.0.0.0) phones and tablets can too.", flush=True
        )


def _local(bind: str, number: int) -> str:
    if bind in ("0.0.0.0", "::", ""):  # noqa: S104
        return f"http://127.0.0.1:{number}"
    return f"http://[{bind}]:{number}" if ":" in bind else f"http://{bind}:{number}"


def _complain(sentence: str) -> None:
    print(f"companion: {sentence}", file=sys.stderr, flush=True)


def add_doctor(parser: ArgumentParser) -> None:
    """Add options for the things to check in addition to the ledger."""
    parser.set_defaults(gently=True)  # a game may be in progress, and its service has priority
    add_json(parser)
    add_data(parser)
    parser.add_argument("--ring", metavar="URL", help="also check the ring at this address")
    parser.add_argument(
        "--console", type=Path, metavar="FILE", help="also check this console (default: DIR/console.toml)"
    )


def run_doctor(args: Namespace) -> int:
    """Print all findings. The status is 1 if a finding must be fixed before a game can be played and saved."""
    from companion.app.health import HealthState, findings

    with bridge_faults("--ring"):
        found = findings(args.data, args.ring, args.console, watching("Checking the ledger", "rows", args.json))
    well = all(each.state is not HealthState.CARE for each in found)
    if args.json:
        print(json.dumps({"well": well, "findings": [each._asdict() for each in found]}, ensure_ascii=False))
    else:
        print(*(each.line for each in found), sep="\n")
    return FINE if well else FAILED


def add_pin(parser: ArgumentParser) -> None:
    """Add the option that makes a new PIN."""
    parser.add_argument("--renew", action="store_true", help="make a new PIN, and sign out every device")
    add_data(parser)


def run_pin(args: Namespace) -> int:
    """Print the host's PIN.

    With *args.renew*, make a new PIN first. No PIN is made in a folder where no service has run yet.
    """
    from web import HostPin

    _check_pin(args.data / "pin")
    access = HostPin(args.data)
    for sentence in access.regenerated:
        print(f"companion: {sentence}", file=sys.stderr)
    try:
        pin = access.renew() if args.renew else access.pin
    except OSError as fault:
        raise Failed(f"the PIN can't be saved in {args.data}: {fault.strerror}") from None
    if HostPin(args.data).pin != pin:  # a PIN that could not be saved is useless
        raise Failed(f"the PIN in {args.data} is invalid, and a new one can't be saved there")
    print(pin)
    return FINE


def _check_pin(pin: Path) -> None:
    if not os.path.lexists(pin):
        raise BadUse(
            f"there's no PIN in {pin.parent} yet: companion serve makes one at its first start. "
            "If the games are elsewhere, name their folder: --data DIR"
        )


def add_update(parser: ArgumentParser) -> None:
    """Add the package."""
    parser.add_argument("file", type=Path, metavar="FILE.deb", help="the package to install")
    add_data(parser)


def run_update(args: Namespace) -> int:
    """Check the package, save the installed package and a backup, and install the package.

    It is refused during a game.
    """
    from companion.app.debian.computer import DebianComputer, only_root
    from companion.app.debian.kept_packages import FOLDER
    from companion.app.debian.update import update
    from companion.app.running_service import game_going_on, running_service

    only_root("update")
    system = DebianComputer(lambda: running_service(args.data) is not None)
    for sentence in update(args.file, system, lambda: game_going_on(args.data), FOLDER):
        print(sentence, flush=True)
    return FINE


def add_rollback(parser: ArgumentParser) -> None:
    """Add `--yes` and the data folder."""
    parser.add_argument("--yes", action="store_true", help="don't ask before using a backup if the ledger is too new")
    add_data(parser)


def run_rollback(args: Namespace) -> int:
    """Install the previous package. It is refused during a game.

    If that version cannot read the present ledger, a backup is restored.
    """
    from companion.app.debian.computer import DebianComputer, only_root
    from companion.app.debian.kept_packages import FOLDER
    from companion.app.debian.rollback import rollback
    from companion.app.running_service import game_going_on, running_service

    only_root("rollback")
    system = DebianComputer(lambda: running_service(args.data) is not None)
    for sentence in rollback(args.data, system, lambda: game_going_on(args.data), partial(_agreed, args.yes), FOLDER):
        print(sentence, flush=True)
    return FINE


def _agreed(already: bool, offer: str) -> bool:
    """Ask at the terminal whether to use the backup. Any answer other than yes means no."""
    print(offer, flush=True)
    if already:
        return True
    if not sys.stdin.isatty():
        raise Failed("there's no terminal to ask at: add --yes to use that backup; nothing changed")
    return input("Use that backup? [y/N] ").strip().lower() in ("y", "yes")
