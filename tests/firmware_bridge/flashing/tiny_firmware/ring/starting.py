"""A ring without beams and sensor: it greets, reports its status, and goes to its prompt when ordered."""

import os

import machine
import usb
from wire.codec import VERSION, compose, parse
from wire.framing import LineFraming, seal

from ring import FIRMWARE

PROMPT = "prompt"
BOOT = ("b", "0000000a")


def run() -> None:
    """Answer all lines, until the power is cut or the prompt is ordered."""
    try:
        os.remove(PROMPT)
        return
    except OSError:
        pass
    lines, leaving = LineFraming(), False
    while not leaving:
        for body in lines.feed(usb.read().encode()):
            word, fields = parse(body)
            usb.write("".join(seal(each).decode() for each in answers(word, fields.get("h", ""))))
            leaving = leaving or word == "prompt"
    with open(PROMPT, "w") as file:
        file.write("asked for")
    machine.reset()


def answers(word: str, session: str) -> list[str]:
    """Return the answers to *word*."""
    if word == "hi":
        own = [("fw", FIRMWARE + owner()), ("id", "tiny"), ("sensor", "none"), ("sim", 0), ("can", "p"), BOOT]
        return [compose("hello", [("v", VERSION), ("to", session)] + own + [("from", 1)])]
    if word == "dump":
        head = [("h", session), BOOT]
        standing = [("t", 0), ("last", 1), ("tok", 0), ("gate", "x"), ("lift", "x")]
        tally = [("first", 1), ("lost", 0), ("bad", 0), ("again", 0)]
        return [compose("state", head + standing), compose("tally", head + tally)]
    return [compose("done", [("h", session), ("c", 1)])] if word == "prompt" else []


def owner() -> str:
    """Return the addition to the firmware's name from the owner's file."""
    try:
        import custom  # type: ignore[import-not-found]
    except ImportError:
        return ""
    return "+" + custom.NAME
