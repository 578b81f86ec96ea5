"""Runs in a machine: the virtual ring on the gadget's end of a USB cable; its hand reads steps from a pipe."""

import json
import os
import sys
import threading
import time
import tty
from pathlib import Path
from random import Random

from firmware_bridge.simulation.physics.world import IDEAL
from firmware_bridge.simulation.script.hand import Hand
from firmware_bridge.simulation.script.steps import step
from firmware_bridge.simulation.serving.loop import ServingLoop, discard, serve
from firmware_bridge.simulation.virtual.ring import VirtualRing
from rungs.trouble import Damage
from rungs.wire import Bell, WireLost

PORT = "/dev/ttyGS0"
AGAIN_S = 0.2


def hear(pipe, hand, bell):
    """Pass every step from *pipe* to the hand, for ever."""
    while True:
        with Path(pipe).open(encoding="utf-8") as words:
            for word in words:
                hand.add(step(json.loads(word)))
                bell.ring()


def main(pipe):
    """Serve a ring on the cable, whether it is plugged in or not."""
    ring = VirtualRing(IDEAL, Random(7), lambda: os.urandom(6).hex(), time.monotonic())
    hand, bell = Hand(), Bell()
    threading.Thread(target=hear, args=(pipe, hand, bell), daemon=True).start()
    while True:
        try:
            fd = os.open(PORT, os.O_RDWR | os.O_NOCTTY)
            try:
                tty.setraw(fd)
                serve(ring, hand, ServingLoop(fd, Damage.none(), bell), lambda: True, discard)
            finally:
                os.close(fd)
        except (OSError, WireLost) as fault:
            print(f"the cable: {fault}", flush=True)
            time.sleep(AGAIN_S)


main(sys.argv[1])
