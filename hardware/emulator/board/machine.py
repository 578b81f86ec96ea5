"""The emulator's `machine` module: pins, bus, PWM, pixel and watchdog. Each access is a request to the simulation."""

import micropython
import outside

PWRON_RESET, WDT_RESET = 1, 3
EIO = 5
ADDRESS_BITS = 8
BIT_US = 25  # a byte with its acknowledgement at 400 kHz, and a share of start and stop
INPUTS = {2: "a", 3: "b", 4: "d", 6: "i", 9: "g", 10: "l", 11: "s"}

WATCHDOG = 0x400D_8000 if outside.CHIP == "RP2350" else 0x4005_8000
WATCHDOG_REASON = WATCHDOG + 0x08
SCRATCH = WATCHDOG + 0x0C
SCRATCHES = 4
VREG = 0x4006_4000  # of an RP2040: selects the core voltage

_voltage = [0xB0]  # 1.10 V
_mhz = [150 if outside.CHIP == "RP2350" else 125]


class Registers:
    """The chip's registers that the firmware uses. Any other address raises ValueError: it is a bug in the firmware."""

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
    """One pin by its GP number. A pin that the simulated gate does not drive keeps the level that was set."""

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
        """Return the level, or set it to *level*."""
        if level is not None:
            self._level = 1 if level else 0
            outside.ask("p", self.number, self._level)
            return None
        if not self._wire:
            return self._level
        outside.look()
        return outside.levels[self._wire]

    def __call__(self, level=None):
        """Return the level, or set it to *level*."""
        return self.value(level)

    def on(self):
        """Set it high."""
        self.value(1)

    def off(self):
        """Set it low."""
        self.value(0)

    def irq(self, handler=None, trigger=IRQ_FALLING | IRQ_RISING, hard=False):
        """Call *handler* with this pin on each edge that *trigger* selects; a hard handler must not allocate."""
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
    """The bus with the simulated sensor; a transfer takes as long as its bytes take on a real bus."""

    # False as with MicroPython 1.28.0 on an RP2350 (micropython#19514), the worst case for that chip.
    _sends_one = outside.CHIP != "RP2350"

    def __init__(self, number, sda=None, scl=None, freq=400_000, timeout=50_000):
        self._byte_us = BIT_US * 400_000 // freq

    def writeto(self, address, data, stop=True):
        """Write *data*: a command byte and its arguments. A single byte raises OSError on an emulated RP2350."""
        if len(data) == 1 and not self._sends_one:
            raise OSError(EIO)
        self._take(1 + len(data))
        outside.ask("s", address << ADDRESS_BITS, 0, data)

    def writeto_mem(self, address, register, data, addrsize=8):
        """Write *data*, starting at *register*."""
        self._take(2 + len(data))
        outside.ask("s", address << ADDRESS_BITS | register, 1, data)

    def readfrom_mem_into(self, address, register, buffer, addrsize=8):
        """Fill *buffer*, starting at *register*."""
        self._take(3 + len(buffer))
        outside.ask("g", address << ADDRESS_BITS | register, len(buffer), into=buffer)

    def readfrom_mem(self, address, register, count, addrsize=8):
        """Return *count* bytes, starting at *register*."""
        buffer = bytearray(count)
        self.readfrom_mem_into(address, register, buffer)
        return bytes(buffer)

    def _take(self, count):
        outside.spend(count * self._byte_us)


class SoftI2C(I2C):
    """The bus in software on two pins, at half the speed."""

    _sends_one = True

    def __init__(self, sda=None, scl=None, freq=400_000, timeout=50_000):
        self._byte_us = 2 * BIT_US * 400_000 // freq


LEAST_HZ = 12
"""The lowest frequency that the counter of an RP2040 at 200 MHz can produce."""


class PWM:
    """A tone on a pin."""

    def __init__(self, pin, freq=0, duty_u16=0):
        self._number = pin.number
        self._hz = freq
        self._duty = duty_u16

    def freq(self, hz=None):
        """Return or set the frequency."""
        if hz is None:
            return self._hz
        if hz < LEAST_HZ:
            raise ValueError("freq too small")
        self._hz = hz
        self._sound()
        return None

    def duty_u16(self, duty=None):
        """Return or set the duty cycle, 0 to 65535."""
        if duty is None:
            return self._duty
        self._duty = duty
        self._sound()
        return None

    def deinit(self):
        """Stop the tone."""
        self._duty = 0
        self._sound()

    def _sound(self):
        outside.ask("o", self._number, self._hz if self._duty else 0)


class WDT:
    """The watchdog: the simulation restarts the board if it is not fed within *timeout* milliseconds."""

    def __init__(self, id=0, timeout=5_000):
        outside.ask("d", timeout)

    def feed(self):
        """Feed the watchdog."""
        outside.fed()


def bitstream(pin, encoding, timing, data):
    """Send *data* to a pixel. The first two values of *timing* are nanoseconds and set how long a bit takes."""
    outside.spend(8 * len(data) * (timing[0] + timing[1]) // 1_000)
    outside.ask("n", pin.number, 0, data)


def reset_cause():
    """Return the cause of the board's start, as `machine.reset_cause` does."""
    return outside.cause


def reset():
    """Restart the board. The simulation never answers this request."""
    outside.ask("x")


def unique_id():
    """Return the unique id of the board."""
    return outside.name


def idle():
    """Wait until a pin changes, at most a millisecond."""
    outside.rest(1_000, 0)


def freq(hz=None):
    """Return the clock rate in Hz, or set it. Raise ValueError for an RP2040 beyond 133 MHz with less than 1.15 V."""
    if hz is not None:
        if outside.CHIP == "RP2040" and hz > 133_000_000 and _voltage[0] & 0xF0 < 0xC0:
            raise ValueError("too fast for its voltage")
        _mhz[0] = hz // 1_000_000
    return _mhz[0] * 1_000_000
