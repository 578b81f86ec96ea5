"""The ring on the desk (`pytest --ring URL`): asked for nothing that a person would have to do, unless there is one."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping

from firmware_bridge.factory.open import way_to
from firmware_bridge.kernel.errors import BadInput, WireLost
from firmware_bridge.transport.streams import Bell, Wire
from tests.hil.rung import Missing, Rung, Step

A_HAND = "wants a hand at the ring: run with -s to be asked"
NO_SIMULATION = "wants a ring whose troubles can be ordered"
DEEDS: Mapping[str, str] = {
    "open": "Open the gate, and let nothing out.",
    "close": "Close the gate.",
    "lift": "Lift the ring.",
    "set-down": "Set the ring down.",
    "jolt": "Jolt the ring once.",
}


class RealRing(Rung):
    """The ring at *url*; *asks*: there is somebody to be asked for a deed."""

    live = True

    def __init__(self, url: str, asks: bool) -> None:
        super().__init__()
        self.name = "real"
        self.asks = asks
        self._bell = Bell()
        self._pause = threading.Event()
        try:
            self._opener = way_to(url).opener
        except BadInput as fault:
            raise Missing(str(fault)) from None
        troubles = dict.fromkeys(
            ("restart", "sensor", "wrap", "version", "room", "plug", "weather", "speed"), NO_SIMULATION
        )
        self.cannot = troubles | ({} if asks else {"hand": A_HAND, "slides": A_HAND, "jolts": A_HAND})

    def now(self) -> float:
        """Return the time in seconds."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Let time pass, with nobody reading."""
        self._pause.wait(seconds)

    def plug(self) -> Wire:
        """Return an open wire to the ring."""
        try:
            return self._opener(self._bell)
        except WireLost as fault:
            raise Missing(str(fault)) from None

    def trouble(self, word: str, **more: object) -> None:
        """There is none to be had by order."""
        raise Missing(f"a ring on the desk cannot be `{word}` by order")

    def do(self, step: Step) -> None:
        """Ask the person at the terminal, and wait until it is done."""
        if not self.asks:
            raise Missing(f"{asked(step)} Then start the suite again (-s: and be asked for what a hand must do).")
        sys.stderr.write(f"\n{asked(step)} Then press Enter. ")
        sys.stderr.flush()
        sys.stdin.readline()

    def close(self) -> None:
        """Let it go."""
        self._bell.close()


def asked(step: Step) -> str:
    """Return the sentence that asks for *step*."""
    if "do" in step:
        return DEEDS[str(step["do"])]
    if "load" in step:
        return f"Put these under the ring, beside what is there: {step['load']}."
    how = f" ({step['fault']})" if "fault" in step else ""
    return f"Slide {step['slide']} out, {', '.join(step.get('colours', []))}{how}."
