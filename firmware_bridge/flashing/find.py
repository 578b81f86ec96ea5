"""Gets the board at a port into its REPL, and waits for a ring's first hello after a start."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from threading import Event
from typing import TypeVar

from firmware_bridge.conformance.conversation import Conversation
from firmware_bridge.conformance.orders import done
from firmware_bridge.factory.open import session_name
from firmware_bridge.firmware_image.errors import FirmwareFault
from firmware_bridge.flashing.repl import BoardRepl, at_prompt
from firmware_bridge.kernel.errors import why_lost
from firmware_bridge.protocol.messages import Hello, OtherVersion
from firmware_bridge.transport.serial_ports import ports
from rungs.wire import Bell, Wire, WireLost, open_wire

GREET_S = 0.8
PROMPT_S = 20.0  # the longest wait for a board to reach its REPL
START_S = 90.0  # a lifted ring with an open gate takes five seconds longer than usual, an emulated ring much longer
WORD_S = 10.0  # between two messages to a person who is waiting for a start
# A starting ring has to process all greetings that have arrived. With ten greetings a second, an emulated ring never
# caught up.
GREET_EVERY_S = 0.5
AGAIN_S = 0.2
LOOKS = 3  # attempts, because a board that was just plugged in has neither hello nor REPL yet
GESTURE = "lift it with its gate open, plug it in, then close and open the gate twice (docs/firmware.md)"

Say = Callable[[str], None]
T = TypeVar("T")


def the_port() -> str:
    """Return the only port that may be a ring. Raise FirmwareFault if there are none or several."""
    found = [port.path for port in ports() if port.likely]
    if not found:
        raise FirmwareFault("No board found on any USB port: is it plugged in? If so, name its port: --port PORT.")
    if len(found) > 1:
        raise FirmwareFault(f"There are {len(found)} boards: name one with --port, of {', '.join(found)}.")
    return found[0]


def to_prompt(port: str, say: Say) -> tuple[BoardRepl, str]:
    """Get the board at *port* into its REPL. Return it with the firmware version that it reported before, or ""."""
    looks = LOOKS
    while not (firmware := _sent_away(port, say)):
        looks -= 1
        try:
            return at_prompt(port), ""
        except FirmwareFault:
            if not looks:
                raise
    return _patiently(lambda: at_prompt(port)), firmware


def greeted(port: str, say: Say) -> Hello:
    """Wait until the ring at *port* has started, and return its hello. Raise FirmwareFault after `START_S`."""
    with closing(Bell()) as bell:
        hello = first_hello(lambda: open_wire(port, bell), say, time.monotonic, Event().wait)
    if hello is None:
        raise FirmwareFault(f"No ring answers at {port}.")
    return hello


def first_hello(
    plug: Callable[[], Wire], say: Say, now: Callable[[], float], rest: Callable[[float], object]
) -> Hello | None:
    """Wait for the hello of a starting ring. Return None if it does not answer within `START_S`.

    All greetings use one session name, even if the port disappears and comes back. So the answer to any of them counts,
    and a slow ring does not get a new session before it has answered the last one.
    """
    begun, name = now(), session_name()
    words = 1
    while (waited := now() - begun) < START_S:
        if waited >= words * WORD_S:
            say(f"No answer yet, {waited:.0f} s after its start; {START_S - waited:.0f} s are left to it.")
            words += 1
        try:
            with closing(plug()) as wire:
                hello = Conversation(wire, now, lambda: name).greet(words * WORD_S - waited, GREET_EVERY_S)
        except WireLost:
            hello = None
        if isinstance(hello, Hello):
            return hello
        rest(AGAIN_S)
    return None


def greeted_now(port: str) -> Hello:
    """Return the hello of the running ring at *port*. Raise FirmwareFault if it does not answer."""
    with _talk(port) as talk:
        hello = talk.greet(GREET_S)
    if isinstance(hello, Hello):
        return hello
    raise FirmwareFault(f"No ring answers at {port}.")


def _sent_away(port: str, say: Say) -> str:
    """Send the ring at *port* to its REPL and return its firmware version, or an empty string if no ring answers."""
    with _talk(port) as talk:
        hello = talk.greet(GREET_S)
        if isinstance(hello, OtherVersion):
            version = f"version {hello.version} of the protocol"
            raise FirmwareFault(f"The ring at {port} speaks {version}, too old to reach its prompt: {GESTURE}.")
        if hello is None:
            return ""
        _send_away(talk, hello, port, say)
        return hello.firmware


def _send_away(talk: Conversation, hello: Hello, port: str, say: Say) -> None:
    say(f"A ring is at {port}: device {hello.device}, firmware {hello.firmware}.")
    if hello.simulated:
        raise FirmwareFault(f"The ring at {port} is simulated, so there's no board. If there is: {GESTURE}.")
    if "p" not in hello.abilities:
        raise FirmwareFault(f"The ring at {port} can't go to its prompt by itself: {GESTURE}.")
    state, tally = talk.dump()
    if state and tally and state.last >= tally.first:
        say(f"It still has {state.last - tally.first + 1} events that no table took. They are lost now.")
    if not done(talk.order("prompt")):
        raise FirmwareFault(f"The ring at {port} didn't go to its prompt: {GESTURE}.")


def _patiently(deed: Callable[[], T]) -> T:
    """Call *deed* until it succeeds, because a starting board is unavailable for a while."""
    until = time.monotonic() + PROMPT_S
    while True:
        try:
            return deed()
        except (FirmwareFault, WireLost) as fault:
            if time.monotonic() >= until:
                raise FirmwareFault(str(why_lost(fault) if isinstance(fault, WireLost) else fault)) from None
        Event().wait(AGAIN_S)


@contextmanager
def _talk(port: str) -> Iterator[Conversation]:
    with closing(Bell()) as bell, closing(open_wire(port, bell)) as wire:
        yield Conversation(wire, time.monotonic, session_name)
