"""Instructions for a person at a real ring, and descriptions of what the ring reported, in complete sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from firmware_bridge.protocol.messages import Event
from rungs.rung import Unable
from tests.hil.ring import Step

PACES = (
    (35, "very slowly (half a second through the gate)"),
    (70, "slowly (a quarter of a second through the gate)"),
    (150, "at an easy pace (a tenth of a second through the gate)"),
)
FAST = "with a quick flick"
SINGLE: Mapping[str, str] = {
    "open": "Open the gate, and let nothing out.",
    "close": "Close the gate.",
    "lift": "Lift the ring.",
    "set-down": "Set the ring down.",
    "jolt": "Knock once against the ring.",
}
SLIDES: Mapping[str, str] = {
    "": "Open the gate, slide one {cube} out {pace}, and close the gate.",
    "pair": "Tape two {cube}s together, end to end. Open the gate, slide them out {pace}, and close the gate.",
    "back": "Open the gate, slide one {cube} half out, draw it back in, and close the gate.",
    "poke": "Open the gate, dip a pencil into the inner beam from inside and take it back, and close the gate.",
    "stuck": "Open the gate, stop one {cube} in the middle of it, count to four, slide it out, and close the gate.",
    "surplus": "Open the gate, slide two cubes out one after the other, a finger apart, and close the gate.",
    "waiting": "Open the gate, slide one {cube} out with another close behind it, stop that one as it comes into the"
    " gate, count to four, draw it back in, and close the gate.",
    "lift": "Open the gate, lift the ring, set it down, and close the gate.",
    "shake_open": "Open the gate, shake the ring four times within a second, and close the gate.",
}
CARD = "Open the gate, and lay a black card under the sensor until the next sentence."
RESTART = "Pull the ring's plug, count to three, and put it back."


def sentence(step: Step) -> str:
    """Return the instruction for a person who does *step*. Raises `Unable` if no person can do it."""
    if "do" in step:
        return SINGLE[str(step["do"])]
    if "load" in step:
        cubes = " and ".join(f"{count} {colour}" for colour, count in dict(step["load"]).items())
        return f"Put these cubes under the ring, beside what is there: {cubes}."
    fault = str(step.get("fault", ""))
    if fault not in SLIDES:
        raise Unable(f"no hand can do this: {fault}")
    colours = step.get("colours") or [""]
    cube = f"{colours[0]} cube".strip()
    return SLIDES[fault].format(cube=cube, pace=pace(float(step.get("speed_mm_s", 0))))


def pace(mm_s: float) -> str:
    """Return a description of the speed at which a cube should leave."""
    if not mm_s:
        return "as in a game"
    return next((words for most, words in PACES if mm_s <= most), FAST)


def seen(events: Iterable[Event]) -> str:
    """Return a description of the events that a ring has reported."""
    texts = [words for event in events if (words := _words(event))]
    return ", ".join(texts) or "nothing"


def _words(event: Event) -> str:
    match event.word:
        case "gate":
            return "gate opened" if event.fields["open"] == "1" else "gate closed"
        case "lift":
            return "ring lifted" if event.fields["up"] == "1" else "ring set down"
        case "fault":
            return f"fault {event.fields['what']}"
        case "pass":
            length = f", {int(event.fields['len']) / 100:.2f} edges long" if "len" in event.fields else ""
            return f"{event.fields['k']} ({int(event.fields['us']) / 1000:.0f} ms{length})"
    return ""
