"""What the firmware knows as the Pico: pins, bus, PWM, pixel and watchdog, each a question to the other end."""

import micropython
import outside

PWRON_RESET, WDT_RESET = 1, 3
EIO = 5
ADDRESS_BITS = 8
BIT_US = 25  # a byte on the bus at 400 kHz with its acknowledgement, and what starts and stops it
INPUTS = {2: "a", 3: "b", 4: "d", 6: "i", 9: "g", 10: "l", 11: "s"}

WATCHDOG = 0x400D_8000 if outside.CHIP == "RP2350" else 0x4005_8000
WATCHDOG_REASON = WATCHDOG + 0x08
SCRATCH = WATCHDOG + 0x0C
SCRATCHES = 4
VREG = 0x4006_4000  # of an RP2040: its core's voltage

_voltage = [0xB0]  # 1.10 V
_mhz = [150 if outside.CHIP == "RP2350" else 125]


class Registers:
    """The registers of the chip that are asked for here; any other address is a fault of the firmware's."""

    def __getitem__(self, address):
        if address == WATCHDOG_REASON:
            return outside.reason
        if address == VREG and outside.CHIP == "RP2040":
            return _voltage[0]
        return outside.scratch[_scratch(address)]

    def __setitem__(self, address, value):
        if address == VREG and outside.CHIP == "RP2040":
            _voltage[0] = value
            return
        outside.scratch[_scratch(address)] = value
        outside.ask("k", _scratch(address), value)


def _scratch(address):
    number = (address - SCRATCH) // 4
    if not 0 <= number < SCRATCHES:
        raise ValueError("no such register: " + hex(address))
    return number


mem32 = Registers()


class Pin:
    """One pin by its GP number; those that nobody has wired to the simulated gate keep what they are set to."""

    IN, OUT, OPEN_DRAIN = 0, 1, 2
    PULL_UP, PULL_DOWN = 1, 2
    IRQ_FALLING, IRQ_RISING = 4, 8

    def __init__(self, number, mode=IN, pull=None, value=None):
        self.number = number
        self._wire = INPUTS.get(number, "")
        self._level = 1 if pull == self.PULL_UP else 0
        self._called = None
        self._trigger = 0
        if value is not None:
            self.value(value)

    def value(self, level=None):
        """Return the level, or set it."""
        if level is not None:
            self._level = 1 if level else 0
            outside.ask("p", self.number, self._level)
            return None
        if not self._wire:
            return self._level
        outside.look()
        return outside.levels[self._wire]

    def __call__(self, level=None):
        """Return the level, or set it."""
        return self.value(level)

    def on(self):
        """Set it high."""
        self.value(1)

    def off(self):
        """Set it low."""
        self.value(0)

    def irq(self, handler=None, trigger=IRQ_FALLING | IRQ_RISING, hard=False):
        """Have *handler* called with this pin on each edge that *trigger* names; a hard one may allocate nothing."""
        self._called = handler
        self._trigger = trigger
        self._hard = hard
        outside.ears[self._wire] = self._changed

    def _changed(self, level, at):
        if self._called is None or not self._trigger & (self.IRQ_RISING if level else self.IRQ_FALLING):
            return
        if self._hard:
            micropython.heap_lock()
        try:
            self._called(self)
        finally:
            if self._hard:
                micropython.heap_unlock()


class I2C:
    """The bus, with what the other end has on it; takes the time that its bytes take."""

    # MicroPython 1.28.0 on an RP2350 (micropython#19514): the worst that a board with that chip may have.
    _sends_one = outside.CHIP != "RP2350"

    def __init__(self, number, sda=None, scl=None, freq=400_000, timeout=50_000):
        self._byte_us = BIT_US * 400_000 // freq

    def writeto(self, address, data, stop=True):
        """Write *data*: a command byte, and what belongs to it."""
        if len(data) == 1 and not self._sends_one:
            raise OSError(EIO)
        self._take(1 + len(data))
        outside.ask("s", address << ADDRESS_BITS, 0, data)

    def writeto_mem(self, address, register, data, addrsize=8):
        """Write *data* from *register* on."""
        self._take(2 + len(data))
        outside.ask("s", address << ADDRESS_BITS | register, 1, data)

    def readfrom_mem_into(self, address, register, buffer, addrsize=8):
        """Fill *buffer* from *register* on."""
        self._take(3 + len(buffer))
        outside.ask("g", address << ADDRESS_BITS | register, len(buffer), into=buffer)

    def readfrom_mem(self, address, register, count, addrsize=8):
        """Return *count* bytes from *register* on."""
        buffer = bytearray(count)
        self.readfrom_mem_into(address, register, buffer)
        return bytes(buffer)

    def _take(self, count):
        outside.spend(count * self._byte_us)


class SoftI2C(I2C):
    """The same, made of two pins by the processor: half as fast."""

    _sends_one = True

    def __init__(self, sda=None, scl=None, freq=400_000, timeout=50_000):
        self._byte_us = 2 * BIT_US * 400_000 // freq


class PWM:
    """A tone."""

    def __init__(self, pin, freq=0, duty_u16=0):
        self._number = pin.number
        self._hz = freq
        self._duty = duty_u16

    def freq(self, hz=None):
        """Return or set the frequency."""
        if hz is None:
            return self._hz
        self._hz = hz
        self._sound()
        return None

    def duty_u16(self, duty=None):
        """Return or set how much of each wave is high, of 65535."""
        if duty is None:
            return self._duty
        self._duty = duty
        self._sound()
        return None

    def deinit(self):
        """Be silent."""
        self._duty = 0
        self._sound()

    def _sound(self):
        outside.ask("o", self._number, self._hz if self._duty else 0)


class WDT:
    """The watchdog: the other end starts the board anew when it is not fed in time."""

    def __init__(self, id=0, timeout=5_000):
        outside.ask("d", timeout)

    def feed(self):
        """Say that all is well."""
        outside.fed()


def bitstream(pin, encoding, timing, data):
    """Send *data* to a pixel, each bit as long as *timing* (nanoseconds) says."""
    outside.spend(8 * len(data) * (timing[0] + timing[1]) // 1_000)
    outside.ask("n", pin.number, 0, data)


def reset_cause():
    """Return why the board has started."""
    return outside.cause


def reset():
    """Start the board anew; the other end never answers."""
    outside.ask("x")


def unique_id():
    """Return the board's own name."""
    return outside.name


def idle():
    """Wait for something to happen, a millisecond at most."""
    outside.rest(1_000, 0)


def freq(hz=None):
    """Return the clock's frequency, or set it: an RP2040 beyond 133 MHz wants 1.15 V."""
    if hz is not None:
        if outside.CHIP == "RP2040" and hz > 133_000_000 and _voltage[0] & 0xF0 < 0xC0:
            raise ValueError("too fast for its voltage")
        _mhz[0] = hz // 1_000_000
    return _mhz[0] * 1_000_000
