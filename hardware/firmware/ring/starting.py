"""The start of the board: into the REPL on request, otherwise a self-test and then the main loop until power-off."""

from binascii import hexlify
from time import sleep_ms

from machine import WDT, WDT_RESET, Pin, mem32, reset, reset_cause, unique_id
from wire.endpoint import Endpoint
from wire.main_loop import Loop
from wire.sensor import Sensor

from ring import FIRMWARE, crashes, flash, pico_pins
from ring.bus import SensorBus
from ring.chip import REASON
from ring.edges import Edges
from ring.owner import Owner, owner
from ring.pico import PROMPT, Pico
from ring.speed import speed_up
from ring.usb import Usb

ROOM = 128  # events that the endpoint can hold; more would not fit into the memory
ABILITIES = "glmbp"
PUSHES = 2  # of the gate, while the ring is lifted, to get the REPL
HELD_MS = 5_000
EACH_MS = 5
SETTLE_MS = 2
REST_AFTER_CRASH_MS = 2_000
WATCHED_MS = 8_000  # the longest timeout of the chip's watchdog is 8388 ms
SECOND_MS = 1_000
RAN_OUT = 1  # the watchdog was not fed; the bit is clear if a program caused the reset


def run() -> None:
    """Run as a ring, or return to the REPL on request. Nothing feeds a watchdog in the REPL, so none may run there."""
    if flash.asked(PROMPT) or held_up():
        return
    # From here on the board restarts if anything hangs: the owner's code, the flash or the sensor.
    watchdog = WDT(timeout=WATCHED_MS)
    try:
        rest(watchdog, crashes.pause_s(why() == "watchdog"))
        loop = begin(watchdog)
        while True:
            loop.turn()
    except Exception as crash:
        failed(crash)


def rest(watchdog: WDT, seconds: int) -> None:
    """Wait for *seconds* after too many failed runs, and feed the watchdog."""
    for _ in range(seconds):
        sleep_ms(SECOND_MS)
        watchdog.feed()


def failed(crash: BaseException) -> None:
    """Record the exception, wait two seconds, and restart."""
    crashes.failed()
    flash.keep_crash(crash)
    sleep_ms(REST_AFTER_CRASH_MS)
    reset()


def held_up() -> bool:
    """Return whether the ring is lifted and its gate closed and opened twice within five seconds of the start."""
    gate = Pin(pico_pins.GATE, Pin.IN, Pin.PULL_UP)
    lift = Pin(pico_pins.LIFT, Pin.IN, Pin.PULL_UP)
    sleep_ms(SETTLE_MS)
    pushes, was_open = 0, True
    if not gate.value():
        return False
    for _ in range(HELD_MS // EACH_MS):
        if not lift.value():
            return False
        if bool(gate.value()) != was_open:
            was_open = not was_open
            pushes += was_open
        if pushes == PUSHES:
            return True
        sleep_ms(EACH_MS)
    return False


def begin(watchdog: WDT) -> Loop:
    """Run the self-test, name this start, and return the main loop."""
    added = owner()
    speed_up(added.mhz)
    boot, counted = flash.boot_name()
    tested = (("flash", counted), ("custom", added.sound), ("crash", not flash.crashed()))
    dead = dark_beams()
    sensor = Sensor(SensorBus(pico_pins.SDA, pico_pins.SCL), flash.stored("gain"), added.gain)
    seen = sensor.begin()
    wrong = [name for name, well in tested if not well] + dead + ([] if seen else ["sensor"])
    # After the self-test, because it switches the beams and would cause edges.
    edges = Edges(Pin(pico_pins.BEAM_A, Pin.IN), Pin(pico_pins.BEAM_B, Pin.IN))
    loop = Loop(Pico(edges, Usb(), watchdog), sensor, linked(added, boot, sensor.name, wrong), added)
    black = sensor.restored(flash.stored("black"))
    if black:
        loop.controller.references["black"] = black
    if dead:
        loop.controller.complain("beam-dead", 0)
    return loop


def linked(added: Owner, boot: str, chip: str, wrong: list[str]) -> Endpoint:
    """Return the endpoint of this start, which has already queued the boot event.

    *wrong* lists the failed parts of the self-test; *chip* is the name of the sensor.
    """
    identity = [
        ("fw", added.named(FIRMWARE)),
        ("id", hexlify(unique_id()).decode()[-12:]),
        ("sensor", chip),
        ("sim", added.simulated),
        ("can", ABILITIES + added.abilities),
    ]
    link = Endpoint(identity, boot, ROOM)
    link.version = added.version
    link.report([("boot", [("why", why()), ("test", ",".join(wrong) or "ok")])], 0)
    return link


def why() -> str:
    """Return the cause of this start: "power", "reset" (by a program) or "watchdog" (it was not fed)."""
    if reset_cause() != WDT_RESET:
        return "power"
    return "watchdog" if mem32[REASON] & RAN_OUT else "reset"


def dark_beams() -> list[str]:
    """Switch the emitters off and on; return the beams whose receivers do not follow, or that something blocks."""
    emitters = Pin(pico_pins.EMITTERS, Pin.OUT, value=0)
    beams = (("a", Pin(pico_pins.BEAM_A, Pin.IN)), ("b", Pin(pico_pins.BEAM_B, Pin.IN)))
    sleep_ms(SETTLE_MS)
    wrong = ["lit-" + name for name, pin in beams if not pin.value()]
    emitters.value(1)
    sleep_ms(SETTLE_MS)
    wrong.extend(["dark-" + name for name, pin in beams if pin.value()])
    return wrong
